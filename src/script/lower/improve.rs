//! Better code for a function that is built: jumps that lead to jumps, and tests joined with theirs.
//!
//! No instruction moves, so that jumps and the places in sources stay true.

use crate::script::code::{Op, Register};

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
    let test = match op {
        Op::EqConstant { dst, a, index } => Op::TestEqConstant {
            dst,
            a,
            index,
            further: further?,
        },
        Op::NeConstant { dst, a, index } => Op::TestNeConstant {
            dst,
            a,
            index,
            further: further?,
        },
        Op::Eq { dst, a, b } => Op::TestEq { dst, a, b, to },
        Op::Ne { dst, a, b } => Op::TestNe { dst, a, b, to },
        Op::Lt { dst, a, b } => Op::TestLt { dst, a, b, to },
        Op::Le { dst, a, b } => Op::TestLe { dst, a, b, to },
        Op::Gt { dst, a, b } => Op::TestGt { dst, a, b, to },
        Op::Ge { dst, a, b } => Op::TestGe { dst, a, b, to },
        _ => return None,
    };
    let (Op::TestEq { dst, .. }
    | Op::TestNe { dst, .. }
    | Op::TestLt { dst, .. }
    | Op::TestLe { dst, .. }
    | Op::TestGt { dst, .. }
    | Op::TestGe { dst, .. }
    | Op::TestEqConstant { dst, .. }
    | Op::TestNeConstant { dst, .. }) = test
    else {
        return None;
    };
    (dst == condition).then_some(test)
}

/// Moves the function to its place among all instructions.
pub(super) fn shift(ops: &mut [Op], entry: u32) {
    for op in ops {
        match op {
            Op::Jump { to }
            | Op::Skip { to }
            | Op::JumpIf { to, .. }
            | Op::JumpUnless { to, .. }
            | Op::JumpIfQuiet { to }
            | Op::TestEq { to, .. }
            | Op::TestNe { to, .. }
            | Op::TestLt { to, .. }
            | Op::TestLe { to, .. }
            | Op::TestGt { to, .. }
            | Op::TestGe { to, .. } => *to += entry,
            _ => {}
        }
    }
}
