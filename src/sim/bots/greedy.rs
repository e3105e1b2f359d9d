//! A bot that tries each answer and takes the best.

use crate::flow::Answer;
use crate::flow::decision;
use crate::script::{Io, Machine, Outcome, Rules, Scratch, State};
use crate::table::chance::{Draw, salt};
use crate::table::ids::PlayerId;

use super::hidden::dealt;
use super::tries::{LIMITS, answers, worth};
use super::{Bot, Question};

/// How often what is hidden is dealt: each answer is tried once on each deal.
const DEALS: u64 = 3;

/// Answers of others, and forced ones, that are given at most until the player is asked again.
const MOST_AHEAD: u64 = 40;

/// Tries each answer on a copy of the game, in which what is hidden is dealt anew, lets others answer at
/// random until its player is asked again, and takes the answer after which the player stands best: by the
/// pack's `evaluate`, or by the scores as if the game ended there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greedy;

impl Bot for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn answer(&self, question: &Question<'_>, scratch: &mut Scratch) -> Option<Answer> {
        let ask = question.state.run.ask?;
        let address = question.player();
        let mut draw = Draw::at(question.seed, salt("greedy"), address, question.nth);
        let mut tries = answers(question.rules, question.state, &mut draw);
        if tries.len() < 2 {
            return tries.pop();
        }
        let mut worth = vec![0_i64; tries.len()];
        for _ in 0..DEALS {
            let dealt = dealt(question.rules, question.state, ask.player, &mut draw);
            // All answers meet the same luck.
            let luck = draw.bits();
            for (answer, worth) in tries.iter().zip(&mut worth) {
                let mut state = dealt.clone();
                decision::apply(&mut state, answer);
                let rated = rate(question.rules, &mut state, ask.player, luck, scratch);
                *worth = worth.saturating_add(rated);
            }
        }
        let best = *worth.iter().max()?;
        let equals = worth.iter().filter(|worth| **worth == best).count();
        let nth = draw.below(equals as u64) as usize;
        let mut equals = worth.iter().enumerate().filter(|(_, own)| **own == best);
        let (chosen, _) = equals.nth(nth)?;
        Some(tries.swap_remove(chosen))
    }
}

/// How well a player stands when asked again, or at the end. What fails is worth nothing.
fn rate(
    rules: &Rules,
    state: &mut State,
    player: PlayerId,
    luck: u64,
    scratch: &mut Scratch,
) -> i64 {
    for ahead in 0..=MOST_AHEAD {
        let mut io = Io::default();
        let outcome = Machine::new(rules, state, &mut io, scratch, LIMITS).run();
        match outcome {
            Err(_) => return i64::MIN / 8,
            Ok(Outcome::Over | Outcome::SetUp) => break,
            Ok(Outcome::Decision) => {}
        }
        let forced = decision::only_for_bots(state);
        let asked = state.run.ask.map(|ask| ask.player);
        if forced.is_none() && asked == Some(player) || ahead == MOST_AHEAD {
            break;
        }
        let mut draw = Draw::at(luck, 0, 0, ahead);
        let answer = forced.or_else(|| decision::random(rules, state, |bound| draw.below(bound)));
        match answer {
            Some(answer) => decision::apply(state, &answer),
            None => return i64::MIN / 8,
        }
    }
    worth(rules, state, player, scratch).unwrap_or(i64::MIN / 8)
}
