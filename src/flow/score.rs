//! Scores at the end of a game.

use crate::script::rules::TermCode;
use crate::script::{Fault, Io, Limits, Machine, Rules, Scratch, State};
use crate::table::Value;
use crate::table::ids::PlayerId;

/// What a player has at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Who.
    pub player: PlayerId,
    /// Points by term, in the pack's order.
    pub terms: Vec<i64>,
    /// Their sum.
    pub total: i64,
    /// Tie-breaks in the pack's order.
    pub ties: Vec<i64>,
    /// Place, from 1; those who share it have the same.
    pub place: u8,
}

/// The scores of all players as the table stands, in the order of places round the table.
///
/// # Errors
/// When an expression of the scoring fails.
pub fn scores(
    rules: &Rules,
    state: &State,
    scratch: &mut Scratch,
) -> Result<Vec<Score>, Box<Fault>> {
    let mut copy = state.clone();
    let mut io = Io::default();
    let mut machine = Machine::new(rules, &mut copy, &mut io, scratch, Limits::default());
    let mut scores = Vec::with_capacity(usize::from(state.table.players));
    for player in 0..state.table.players {
        let player = PlayerId(player);
        let mut all = |terms: &[TermCode]| {
            terms
                .iter()
                .map(|term| points(&mut machine, term, player))
                .collect::<Result<Vec<i64>, Box<Fault>>>()
        };
        let terms = all(&rules.terms)?;
        let ties = all(&rules.ties)?;
        let total = terms
            .iter()
            .fold(0_i64, |sum, term| sum.saturating_add(*term));
        scores.push(Score {
            player,
            total,
            terms,
            ties,
            place: 1,
        });
    }
    let keys: Vec<(i64, Vec<i64>)> = scores
        .iter()
        .map(|score| (score.total, score.ties.clone()))
        .collect();
    for (score, key) in scores.iter_mut().zip(&keys) {
        score.place = 1 + keys.iter().filter(|other| *other > key).count() as u8;
    }
    Ok(scores)
}

fn points(
    machine: &mut Machine<'_, '_>,
    term: &TermCode,
    player: PlayerId,
) -> Result<i64, Box<Fault>> {
    let me = [Value::Player(player)];
    if let Some(when) = term.when
        && machine.evaluate(when, &me)? != Value::Bool(true)
    {
        return Ok(0);
    }
    Ok(match machine.evaluate(term.points, &me)? {
        Value::Int(points) => points,
        _ => 0,
    })
}
