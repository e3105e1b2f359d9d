//! Comparisons joined with their jumps, and with the constants that they look at.

use crate::script::code::{Op, Register};
use crate::script::operands::tested;

use super::Constants;
use super::known::{Facts, facts};
use super::live::{Live, live};
use super::units::Function;

/// Joins comparisons with the jumps behind them.
pub(super) fn join(function: &mut Function, constants: &Constants) {
    let facts = facts(function, constants);
    let Live { after, .. } = live(function);
    let led_to = function.led_to();
    for at in 0..function.units.len() {
        let jump = function.next(at + 1);
        let Some(Some(facts)) = facts.get(at) else {
            continue;
        };
        let alone = jump < function.units.len() && !(at + 1..=jump).any(|unit| led_to[unit]);
        if function.units[at].gone || !alone {
            continue;
        }
        let (condition, holds) = match function.units[jump].op {
            Op::JumpIf { condition, .. } => (condition, true),
            Op::JumpUnless { condition, .. } => (condition, false),
            _ => continue,
        };
        let op = function.units[at].op;
        if function.effects(at).writes != Some(condition) {
            continue;
        }
        let (span, to) = (function.units[jump].span, function.units[jump].to);
        if !after[jump].has(condition)
            && let Some(joined) = joined(op, holds, facts)
        {
            let unit = &mut function.units[at];
            unit.op = joined;
            unit.to = to;
            function.units[jump].gone = true;
        } else if !holds && let Some(test) = tested(op, 0, Some(0)) {
            // Read later too: the jump is left behind, and the instruction that tests leaves it out.
            let behind = function.units[jump].op;
            let unit = &mut function.units[at];
            unit.op = test;
            unit.to = to;
            unit.behind = vec![(behind, span)];
            function.units[jump].gone = true;
        }
    }
}

/// A comparison and its jump, taken if it holds or unless it does. Its value is read nowhere else.
fn joined(op: Op, holds: bool, facts: &Facts) -> Option<Op> {
    let to = 0;
    // Turned round, a comparison of what are not numbers would be told in other words.
    let turned = |a: Register, b: Register| !holds || facts.is_number(a) && facts.is_number(b);
    let small = |a: Register, b: Register| facts.small(b).filter(|_| !holds || facts.is_number(a));
    Some(match op {
        Op::IsEmptyOf { zone, .. } if holds => Op::JumpIfEmpty { zone, to },
        Op::IsEmptyOf { zone, .. } => Op::JumpUnlessEmpty { zone, to },
        Op::EqConstant { a, index, .. } if holds => Op::UnlessNeConstant { a, index, to },
        Op::EqConstant { a, index, .. } => Op::UnlessEqConstant { a, index, to },
        Op::NeConstant { a, index, .. } if holds => Op::UnlessEqConstant { a, index, to },
        Op::NeConstant { a, index, .. } => Op::UnlessNeConstant { a, index, to },
        Op::Eq { a, b, .. } if holds => Op::UnlessNe { a, b, to },
        Op::Eq { a, b, .. } => Op::UnlessEq { a, b, to },
        Op::Ne { a, b, .. } if holds => Op::UnlessEq { a, b, to },
        Op::Ne { a, b, .. } => Op::UnlessNe { a, b, to },
        Op::Lt { a, b, .. } => match small(a, b) {
            Some(value) if holds => Op::UnlessGeInt { a, value, to },
            Some(value) => Op::UnlessLtInt { a, value, to },
            None if !turned(a, b) => return None,
            None if holds => Op::UnlessGe { a, b, to },
            None => Op::UnlessLt { a, b, to },
        },
        Op::Le { a, b, .. } => match small(a, b) {
            Some(value) if holds => Op::UnlessGtInt { a, value, to },
            Some(value) => Op::UnlessLeInt { a, value, to },
            None if !turned(a, b) => return None,
            None if holds => Op::UnlessGt { a, b, to },
            None => Op::UnlessLe { a, b, to },
        },
        Op::Gt { a, b, .. } => match small(a, b) {
            Some(value) if holds => Op::UnlessLeInt { a, value, to },
            Some(value) => Op::UnlessGtInt { a, value, to },
            None if !turned(a, b) => return None,
            None if holds => Op::UnlessLe { a, b, to },
            None => Op::UnlessGt { a, b, to },
        },
        Op::Ge { a, b, .. } => match small(a, b) {
            Some(value) if holds => Op::UnlessLtInt { a, value, to },
            Some(value) => Op::UnlessGeInt { a, value, to },
            None if !turned(a, b) => return None,
            None if holds => Op::UnlessLt { a, b, to },
            None => Op::UnlessGe { a, b, to },
        },
        _ => return None,
    })
}
