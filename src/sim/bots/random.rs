//! A bot that gives any answer.

use crate::flow::Answer;
use crate::flow::decision;
use crate::script::Scratch;
use crate::table::chance::{Draw, salt};

use super::{Bot, Question};

/// Gives any answer, each as likely as the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random;

impl Bot for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn answer(&self, question: &Question<'_>, _: &mut Scratch) -> Option<Answer> {
        let mut draw = Draw::at(question.seed, salt("bot"), question.player(), question.nth);
        decision::random(question.rules, question.state, |bound| draw.below(bound))
    }
}
