//! Loops over the pieces of a zone that stay where they are meanwhile: they need no list of them.

use crate::script::api::{Acts, Verb, entry};
use crate::script::code::{Op, Register};

use super::live::{Live, live};
use super::units::{Function, Leads};

/// Makes such loops walk from piece to piece.
pub(super) fn walk(function: &mut Function) {
    let live = live(function);
    for at in 0..function.units.len() {
        if let Op::Iterate { dst, src } = function.units[at].op
            && !function.units[at].gone
            && let Some(end) = end_of(function, at, dst)
            && stays(function, at + 1..end, end, dst, &live)
        {
            function.units[at].op = Op::Walk { dst, src };
        }
    }
}

/// The end of the loop over an iterator.
fn end_of(function: &Function, at: usize, dst: Register) -> Option<usize> {
    let units = function.units.iter().enumerate().skip(at + 1);
    let mut ends = units.filter(|(_, unit)| !unit.gone);
    ends.find_map(|(end, unit)| match unit.op {
        Op::Next { iterator, .. } if iterator == dst => Some(end),
        _ => None,
    })
}

/// Whether a loop moves no piece, and nothing but its end looks at the iterator.
fn stays(
    function: &Function,
    body: std::ops::Range<usize>,
    end: usize,
    dst: Register,
    live: &Live,
) -> bool {
    let looked_at = |at: usize| {
        let there = live.before.get(at);
        there.is_some_and(|there| there.has(dst) || there.has(dst + 1))
    };
    let iterator = usize::from(dst)..usize::from(dst) + 2;
    let mut units = body.clone().filter(|at| !function.units[*at].gone);
    let quiet = units.all(|at| {
        let unit = &function.units[at];
        let effects = function.effects(at);
        let singles = effects.reads.into_iter().chain([effects.writes]).flatten();
        let looks = singles
            .map(usize::from)
            .any(|register| iterator.contains(&register))
            || effects.row.start < iterator.end && iterator.start < effects.row.end;
        let leaves = matches!(function.leads(at), Leads::To | Leads::Either)
            && !(body.start..=end).contains(&unit.to);
        let carries = leaves && looked_at(unit.to);
        moves_nothing(&unit.op) && !looks && !carries
    });
    quiet && !looked_at(end + 1)
}

/// Whether an instruction moves no piece.
fn moves_nothing(op: &Op) -> bool {
    match *op {
        Op::Call { .. }
        | Op::Run { .. }
        | Op::Ask { .. }
        | Op::AskFor { .. }
        | Op::WhatIf
        | Op::WhatIfEnd
        | Op::Scope { .. } => false,
        Op::Host { verb, .. }
        | Op::Host1 { verb, .. }
        | Op::Host2 { verb, .. }
        | Op::Host3 { verb, .. }
        | Op::HostConstant { verb, .. }
        | Op::HostWith { verb, .. }
        | Op::HostTo { verb, .. } => {
            entry(verb).acts != Acts::Changes
                || matches!(
                    verb,
                    Verb::Offer | Verb::OfferAll | Verb::LimitDistinct | Verb::Roll
                )
        }
        _ => true,
    }
}
