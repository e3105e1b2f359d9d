//! A bot that tries each answer and takes the best.

use crate::flow::Answer;
use crate::flow::decision;
use crate::flow::scores;
use crate::script::code::AskKind;
use crate::script::{Io, Limits, Machine, Outcome, Rules, Scratch, State};
use crate::table::Value;
use crate::table::chance::{Draw, salt};
use crate::table::ids::PlayerId;

use super::hidden::dealt;
use super::{Bot, Question};

/// How often what is hidden is dealt: each answer is tried once on each deal.
const DEALS: u64 = 3;

/// Answers that are tried at most; of more, some are drawn.
const MOST_TRIED: usize = 40;

/// Sets of choices that are drawn to be tried, where several are to be chosen.
const SETS_DRAWN: usize = 16;

/// Answers of others, and forced ones, that are given at most until the player is asked again.
const MOST_AHEAD: u64 = 40;

/// What a try is allowed to cost: an endless loop after one answer must not stop the bot.
const LIMITS: Limits = Limits {
    instructions: 1_000_000,
    depth: 128,
    nested: 16,
    list: 10_000,
    heap: 1_000_000,
    text: 1 << 20,
};

/// Tries each answer on a copy of the game, in which what is hidden is dealt anew, lets others answer at
/// random until its player is asked again, and takes the answer after which the player stands best: by the
/// pack's `evaluate`, or by the scores as if the game ended there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greedy;

impl Bot for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
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

/// The answers to try.
fn answers(rules: &Rules, state: &State, draw: &mut Draw) -> Vec<Answer> {
    let Some(ask) = state.run.ask else {
        return Vec::new();
    };
    let mut answers: Vec<Answer> = match ask.kind {
        AskKind::Texts => vec![Answer::Texts(None)],
        AskKind::Confirm => vec![Answer::Confirm(true), Answer::Confirm(false)],
        AskKind::One => decision::leaders(state).map(Answer::One).collect(),
        AskKind::Number => {
            // A wide range is tried at even distances, its ends included.
            let last = MOST_TRIED as i128 - 1;
            let span = i128::from(ask.most) - i128::from(ask.least);
            let steps = span.min(last);
            (0..=steps)
                .map(|step| i128::from(ask.least) + span * step / steps.max(1))
                .filter_map(|number| i64::try_from(number).ok())
                .map(Answer::Number)
                .collect()
        }
        AskKind::Some => {
            let mut sets: Vec<Answer> = Vec::new();
            if ask.least <= 1 && ask.most >= 1 {
                sets.extend(decision::leaders(state).map(|offer| Answer::Some(vec![offer])));
            }
            if ask.least == 0 {
                sets.push(Answer::Some(Vec::new()));
            }
            for _ in 0..SETS_DRAWN {
                let drawn = decision::random(rules, state, |bound| draw.below(bound));
                let Some(Answer::Some(mut drawn)) = drawn else {
                    continue;
                };
                drawn.sort_unstable();
                let drawn = Answer::Some(drawn);
                if !sets.contains(&drawn) {
                    sets.push(drawn);
                }
            }
            sets
        }
    };
    while answers.len() > MOST_TRIED {
        let at = draw.below(answers.len() as u64) as usize;
        answers.swap_remove(at);
    }
    answers
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

/// How well a player stands.
fn worth(rules: &Rules, state: &mut State, player: PlayerId, scratch: &mut Scratch) -> Option<i64> {
    let Some(evaluate) = rules.evaluate else {
        let scores = scores(rules, state, scratch).ok()?;
        return Some(scores.get(player.index())?.total);
    };
    let mut io = Io::default();
    let mut machine = Machine::new(rules, state, &mut io, scratch, LIMITS);
    match machine.evaluate(evaluate, &[Value::Player(player)]).ok()? {
        Value::Int(worth) => Some(worth),
        _ => None,
    }
}
