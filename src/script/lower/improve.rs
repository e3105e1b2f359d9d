//! Better code for a function that is built: jumps that lead to jumps, and tests joined with theirs.
//!
//! No instruction moves, so that jumps and the places in sources stay true.

use crate::script::code::{Op, Register};
use crate::script::operands::{leads_to, tested, written};

/// Most jumps that are followed from one.
const MOST_FOLLOWED: usize = 8;

/// Improves the code of a function, whose jumps are counted from its first instruction.
pub(super) fn improve(ops: &mut [Op]) {
    for at in 0..ops.len() {
        ops[at] = match ops[at] {
            Op::JumpUnless { condition, to } => Op::JumpUnless {
                condition,
                to: end_of(ops, to, Some((condition, false))),
            },
            Op::JumpIf { condition, to } => Op::JumpIf {
                condition,
                to: end_of(ops, to, Some((condition, true))),
            },
            Op::JumpIfQuiet { to } => Op::JumpIfQuiet {
                to: end_of(ops, to, None),
            },
            Op::Jump { to } => match end_of(ops, to, None) {
                to if to as usize > at => Op::Skip { to },
                _ => Op::Jump { to },
            },
            other => other,
        };
    }
    for at in 1..ops.len() {
        if let Op::JumpUnless { condition, to } = ops[at]
            && let Some(test) = joined(ops[at - 1], at, condition, to)
        {
            ops[at - 1] = test;
        }
    }
}

/// Where a jump ends at last: jumps that it leads to are followed, also those on a condition that is
/// known. Jumps back are not followed: each turn of a loop is paid for.
fn end_of(ops: &[Op], mut to: u32, known: Option<(Register, bool)>) -> u32 {
    for _ in 0..MOST_FOLLOWED {
        let next = match (ops.get(to as usize), known) {
            (Some(Op::Jump { to: next } | Op::Skip { to: next }), _) => *next,
            (
                Some(Op::JumpUnless {
                    condition,
                    to: next,
                }),
                Some((register, holds)),
            ) if *condition == register => {
                if holds {
                    to + 1
                } else {
                    *next
                }
            }
            (
                Some(Op::JumpIf {
                    condition,
                    to: next,
                }),
                Some((register, holds)),
            ) if *condition == register => {
                if holds {
                    *next
                } else {
                    to + 1
                }
            }
            _ => return to,
        };
        if next <= to {
            return to;
        }
        to = next;
    }
    to
}

/// A comparison joined with the jump that follows it at a position, unless its value is not what the jump looks at.
fn joined(op: Op, at: usize, condition: Register, to: u32) -> Option<Op> {
    // The way there is counted from the jump, which is left out.
    let further = u16::try_from((to as usize).wrapping_sub(at)).ok();
    let mut test = tested(op, to, further)?;
    (written(&mut test).copied() == Some(condition)).then_some(test)
}

/// Moves the function to its place among all instructions.
pub(super) fn shift(ops: &mut [Op], entry: u32) {
    for to in ops.iter_mut().filter_map(leads_to) {
        *to += entry;
    }
}
