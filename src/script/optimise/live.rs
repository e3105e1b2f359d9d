//! What is still read: what nobody reads goes, and values are put where they are wanted.

use crate::script::code::{NO_REGISTER, Op, Register};

use super::units::Function;

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Registers([u64; 4]);

impl Registers {
    fn add(&mut self, register: usize) {
        self.0[register / 64] |= 1 << (register % 64);
    }

    fn remove(&mut self, register: usize) {
        self.0[register / 64] &= !(1 << (register % 64));
    }

    /// Whether a register is among them.
    pub(super) fn has(&self, register: Register) -> bool {
        let register = usize::from(register);
        self.0[register / 64] & (1 << (register % 64)) != 0
    }

    fn join(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}

/// For each unit, the registers that are still read: before it and after it.
pub(super) struct Live {
    pub(super) before: Vec<Registers>,
    pub(super) after: Vec<Registers>,
}

/// Which registers are still read.
pub(super) fn live(function: &Function) -> Live {
    let mut before = vec![Registers::default(); function.units.len()];
    let mut after = before.clone();
    let effects: Vec<_> = (0..before.len()).map(|at| function.effects(at)).collect();
    let next: Vec<_> = (0..before.len()).map(|at| function.after(at)).collect();
    loop {
        let mut more = false;
        for at in (0..before.len()).rev() {
            let mut live = Registers::default();
            for next in &next[at] {
                live.join(&before[*next]);
            }
            after[at] = live;
            if !function.units[at].gone {
                if let Some(written) = effects[at].writes {
                    live.remove(usize::from(written));
                }
                for read in effects[at].reads.iter().flatten() {
                    live.add(usize::from(*read));
                }
                for read in effects[at].row.clone() {
                    live.add(read);
                }
            }
            more |= live != before[at];
            before[at] = live;
        }
        if !more {
            return Live { before, after };
        }
    }
}

/// Whether an instruction does nothing but write its register, and cannot fail.
fn only_writes(op: &Op) -> bool {
    matches!(
        op,
        Op::Constant { .. }
            | Op::Int { .. }
            | Op::Take { .. }
            | Op::Copy { .. }
            | Op::GetCell { .. }
            | Op::GetCellFlag { .. }
            | Op::LenOf { .. }
            | Op::IsEmptyOf { .. }
    )
}

/// Leaves out what nobody reads, and puts values where they are wanted at once; whether anything changed.
pub(super) fn improve(function: &mut Function) -> bool {
    let mut changed = false;
    let Live { after, .. } = live(function);
    for (at, live) in after.iter().enumerate() {
        let unit = &function.units[at];
        if unit.gone {
            continue;
        }
        let written = function.effects(at).writes;
        let unread = written.is_some_and(|written| !live.has(written));
        let nowhere =
            matches!(unit.op, Op::Skip { .. }) && function.next(at + 1) == function.next(unit.to);
        if unread && only_writes(&unit.op) || nowhere {
            function.units[at].gone = true;
            changed = true;
        }
    }
    changed | place(function, &after)
}

/// Values that are taken elsewhere at once and not read again are put there.
fn place(function: &mut Function, after: &[Registers]) -> bool {
    let led_to = function.led_to();
    let mut changed = false;
    for at in 0..function.units.len() {
        let next = function.next(at + 1);
        let Some(Op::Take { dst, src }) = function.units.get(next).map(|unit| unit.op) else {
            continue;
        };
        let made_here = !function.units[at].gone && function.effects(at).writes == Some(src);
        if made_here
            && !after[next].has(src)
            && !(at + 1..=next).any(|unit| led_to[unit])
            && function.units[at].write_to(dst)
        {
            function.units[next].gone = true;
            changed = true;
        }
    }
    changed
}

/// Says of verbs whose value nobody reads that it is not kept.
pub(super) fn drop_unread(function: &mut Function) {
    let Live { after, .. } = live(function);
    for (unit, live) in function.units.iter_mut().zip(after) {
        if let Op::Host1 { dst, .. }
        | Op::Host2 { dst, .. }
        | Op::Host3 { dst, .. }
        | Op::HostConstant { dst, .. }
        | Op::HostWith { dst, .. }
        | Op::HostTo { dst, .. } = &mut unit.op
            && !live.has(*dst)
        {
            *dst = NO_REGISTER;
        }
    }
}
