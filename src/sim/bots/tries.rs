//! What bots try that look ahead, and how well it is for them.

use crate::flow::{Answer, decision, scores};
use crate::script::code::AskKind;
use crate::script::state::Ask;
use crate::script::{Io, Limits, Machine, Rules, Scratch, State};
use crate::table::Value;
use crate::table::chance::Draw;
use crate::table::ids::PlayerId;

/// Answers that are tried at most; of more, some are drawn.
const MOST_TRIED: usize = 40;

/// Sets of choices that are drawn to be tried, where several are to be chosen.
const SETS_DRAWN: usize = 16;

/// What a try is allowed to cost: an endless loop after one answer must not stop the bot.
pub(super) const LIMITS: Limits = Limits {
    instructions: 1_000_000,
    depth: 128,
    nested: 16,
    list: 10_000,
    heap: 1_000_000,
    text: 1 << 20,
};

/// The answers to try.
pub(super) fn answers(rules: &Rules, state: &State, draw: &mut Draw) -> Vec<Answer> {
    let Some(ask) = state.run.ask else {
        return Vec::new();
    };
    let mut answers: Vec<Answer> = match ask.kind {
        AskKind::Texts => vec![Answer::Texts(None)],
        AskKind::Confirm => vec![Answer::Confirm(true), Answer::Confirm(false)],
        AskKind::One => decision::leaders(state).map(Answer::One).collect(),
        AskKind::Number => numbers(&ask).map(Answer::Number).collect(),
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

/// The numbers to try: of a wide range some at even distances, its ends included.
pub(super) fn numbers(ask: &Ask) -> impl Iterator<Item = i64> + use<> {
    let least = i128::from(ask.least);
    let span = i128::from(ask.most) - least;
    let steps = span.min(MOST_TRIED as i128 - 1);
    (0..=steps)
        .map(move |step| least + span * step / steps.max(1))
        .filter_map(|number| i64::try_from(number).ok())
}

/// How well a player stands. If the pack's `evaluate` fails, the fault is kept in [`Scratch::evaluation`].
pub(super) fn worth(
    rules: &Rules,
    state: &mut State,
    player: PlayerId,
    scratch: &mut Scratch,
) -> Option<i64> {
    let Some(evaluate) = rules.evaluate else {
        let scores = scores(rules, state, scratch).ok()?;
        return Some(scores.get(player.index())?.total);
    };
    let mut io = Io::default();
    let mut machine = Machine::new(rules, state, &mut io, scratch, LIMITS);
    match machine.evaluate(evaluate, &[Value::from(player)]) {
        Ok(worth) => worth.as_int(),
        Err(fault) => {
            // Whoever plays the game must know: the bot plays badly without it.
            scratch.evaluation.get_or_insert(fault);
            None
        }
    }
}
