//! Scores at the end of a game.

use crate::script::rules::{TallyCode, TermCode};
use crate::script::{Fault, Io, Limits, Machine, Rules, Scratch, State};
use crate::table::ids::{PlayerId, ZoneId};
use crate::table::{Case, Value};

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
/// When an expression of the scoring fails, or points are too large a number.
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
                .map(|term| points(rules, state, &mut machine, term, player))
                .collect::<Result<Vec<i64>, Box<Fault>>>()
        };
        let terms = all(&rules.terms)?;
        let ties = all(&rules.ties)?;
        let mut total = 0;
        for (points, term) in terms.iter().zip(&rules.terms) {
            total = held(total + points).ok_or_else(|| machine.too_large(term.points, player))?;
        }
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
    rules: &Rules,
    state: &State,
    machine: &mut Machine<'_, '_>,
    term: &TermCode,
    player: PlayerId,
) -> Result<i64, Box<Fault>> {
    let holder = term.holder;
    if holder.is_some_and(|holder| !holder.is_with(&state.table, player)) {
        return Ok(0);
    }
    let me = [Value::from(player)];
    if let Some(when) = term.when
        && machine.evaluate(when, &me)? != Value::from(true)
    {
        return Ok(0);
    }
    let times = match &term.count {
        Some(tally) => counted(rules, state, machine, tally, player)?,
        None => 1,
    };
    if times == 0 {
        return Ok(0);
    }
    Ok(match machine.evaluate(term.points, &me)?.case() {
        Case::Int(points) => points
            .checked_mul(times)
            .and_then(held)
            .ok_or_else(|| machine.too_large(term.points, player))?,
        _ => 0,
    })
}

/// Points that are a number of scripts. Two of these can be added.
fn held(points: i64) -> Option<i64> {
    Value::checked_int(points).map(|_| points)
}

/// How often a term that counts gives its points to a player.
fn counted(
    rules: &Rules,
    state: &State,
    machine: &mut Machine<'_, '_>,
    tally: &TallyCode,
    player: PlayerId,
) -> Result<i64, Box<Fault>> {
    let (layout, table) = (rules.layout(), &state.table);
    let family = &layout.zone_families[tally.zone.index()];
    // The zones of one player follow each other.
    let each = family
        .dimensions
        .first()
        .map_or(family.size, |players| family.size / players.size);
    let own = if family.dimensions.is_empty() {
        0
    } else {
        u16::from(player.0) * each
    };
    let mut number = 0;
    let mut values: Vec<Value> = Vec::new();
    for zone in 0..each {
        for piece in table.lying(ZoneId(family.base.0 + own + zone)) {
            let attributes = &table.info(layout, piece).attributes;
            let mut with = tally.with.iter();
            if !with.all(|(at, value)| attributes[*at] == *value) {
                continue;
            }
            if let Some(which) = tally.which {
                let about = [Value::from(player), Value::from(piece)];
                if machine.evaluate(which, &about)? != Value::from(true) {
                    continue;
                }
            }
            match tally.distinct.map(|at| attributes[at]) {
                Some(value) if values.contains(&value) => continue,
                Some(value) => values.push(value),
                None => {}
            }
            number += 1;
        }
    }
    let times = if number < tally.least {
        0
    } else {
        number / tally.every
    };
    Ok(if tally.flat { times.min(1) } else { times })
}
