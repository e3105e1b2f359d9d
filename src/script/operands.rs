//! What instructions read and write, and where they lead.

use crate::script::code::{AskKind, NO_REGISTER, Op, Register};

/// Registers that follow each other.
pub(super) type Row = std::ops::Range<usize>;

/// What a unit does with registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Registers that it reads, each by itself.
    pub(super) reads: [Option<Register>; 4],
    /// Registers that it reads, which must stand where they do.
    pub(super) row: Row,
    /// The register that it writes in any case.
    pub(super) writes: Option<Register>,
    /// Registers that are something else afterwards, or may be.
    pub(super) spoils: Row,
}

/// The register that an instruction writes, if it can be any.
pub(super) fn written(op: &mut Op) -> Option<&mut Register> {
    match op {
        Op::Constant { dst, .. }
        | Op::Int { dst, .. }
        | Op::GetCell { dst, .. }
        | Op::GetCellFlag { dst, .. }
        | Op::LenOf { dst, .. }
        | Op::IsEmptyOf { dst, .. }
        | Op::HostConstant { dst, .. }
        | Op::Copy { dst, .. }
        | Op::Take { dst, .. }
        | Op::Negate { dst, .. }
        | Op::Not { dst, .. }
        | Op::Len { dst, .. }
        | Op::IsEmpty { dst, .. }
        | Op::Add { dst, .. }
        | Op::Sub { dst, .. }
        | Op::Mul { dst, .. }
        | Op::Div { dst, .. }
        | Op::Rem { dst, .. }
        | Op::Min { dst, .. }
        | Op::Max { dst, .. }
        | Op::Eq { dst, .. }
        | Op::Ne { dst, .. }
        | Op::Lt { dst, .. }
        | Op::Le { dst, .. }
        | Op::Gt { dst, .. }
        | Op::Ge { dst, .. }
        | Op::TestEq { dst, .. }
        | Op::TestNe { dst, .. }
        | Op::TestLt { dst, .. }
        | Op::TestLe { dst, .. }
        | Op::TestGt { dst, .. }
        | Op::TestGe { dst, .. }
        | Op::TestEqConstant { dst, .. }
        | Op::TestNeConstant { dst, .. }
        | Op::GetCounterAt { dst, .. }
        | Op::GetZoneAt { dst, .. }
        | Op::Host1 { dst, .. }
        | Op::Host2 { dst, .. }
        | Op::Host3 { dst, .. }
        | Op::HostWith { dst, .. }
        | Op::HostTo { dst, .. }
        | Op::AddInt { dst, .. }
        | Op::EqConstant { dst, .. }
        | Op::NeConstant { dst, .. }
        | Op::Value { dst, .. }
        | Op::GetZone { dst, .. }
        | Op::GetNumber { dst, .. }
        | Op::GetFlag { dst, .. }
        | Op::GetAttribute { dst, .. }
        | Op::GetOwn { dst, .. }
        | Op::GetBuiltin { dst, .. }
        | Op::GetCounter { dst, .. }
        | Op::GetDial { dst, .. }
        | Op::GetIndexed { dst, .. }
        | Op::Get { dst, .. }
        | Op::Has { dst, .. }
        | Op::Index { dst, .. }
        | Op::List { dst, .. }
        | Op::Text { dst, .. }
        | Op::Contains { dst, .. }
        | Op::Better { dst, .. } => Some(dst),
        _ => None,
    }
}

/// Puts other registers in the place of those that an instruction reads each by itself.
pub(super) fn each_read_of(op: &mut Op, other: &mut impl FnMut(Register) -> Register) {
    let mut map = |register: &mut Register| {
        if *register != NO_REGISTER {
            *register = other(*register);
        }
    };
    match op {
        Op::Copy { src, .. }
        | Op::Take { src, .. }
        | Op::Negate { src, .. }
        | Op::Not { src, .. }
        | Op::Len { src, .. }
        | Op::IsEmpty { src, .. }
        | Op::Iterate { src, .. }
        | Op::Walk { src, .. }
        | Op::Return { src }
        | Op::Push { src, .. } => map(src),
        Op::Add { a, b, .. }
        | Op::Sub { a, b, .. }
        | Op::Mul { a, b, .. }
        | Op::Div { a, b, .. }
        | Op::Rem { a, b, .. }
        | Op::Min { a, b, .. }
        | Op::Max { a, b, .. }
        | Op::Eq { a, b, .. }
        | Op::Ne { a, b, .. }
        | Op::Lt { a, b, .. }
        | Op::Le { a, b, .. }
        | Op::Gt { a, b, .. }
        | Op::Ge { a, b, .. }
        | Op::TestEq { a, b, .. }
        | Op::TestNe { a, b, .. }
        | Op::TestLt { a, b, .. }
        | Op::TestLe { a, b, .. }
        | Op::TestGt { a, b, .. }
        | Op::TestGe { a, b, .. }
        | Op::UnlessEq { a, b, .. }
        | Op::UnlessNe { a, b, .. }
        | Op::UnlessLt { a, b, .. }
        | Op::UnlessLe { a, b, .. }
        | Op::UnlessGt { a, b, .. }
        | Op::UnlessGe { a, b, .. }
        | Op::Host2 { a, b, .. } => {
            map(a);
            map(b);
        }
        Op::Host3 { a, b, c, .. } => {
            map(a);
            map(b);
            map(c);
        }
        Op::AddInt { a, .. }
        | Op::EqConstant { a, .. }
        | Op::NeConstant { a, .. }
        | Op::Host1 { a, .. }
        | Op::TestEqConstant { a, .. }
        | Op::TestNeConstant { a, .. }
        | Op::UnlessEqConstant { a, .. }
        | Op::UnlessNeConstant { a, .. }
        | Op::UnlessLtInt { a, .. }
        | Op::UnlessLeInt { a, .. }
        | Op::UnlessGtInt { a, .. }
        | Op::UnlessGeInt { a, .. }
        | Op::HostWith { a, .. }
        | Op::HostTo { a, .. } => map(a),
        Op::JumpIf { condition, .. } | Op::JumpUnless { condition, .. } => map(condition),
        Op::Value {
            player, subject, ..
        } => {
            map(player);
            map(subject);
        }
        Op::AskFor { player, .. } | Op::Step { player, .. } | Op::Has { player, .. } => map(player),
        Op::GetZone { object, .. }
        | Op::GetNumber { object, .. }
        | Op::GetFlag { object, .. }
        | Op::GetAttribute { object, .. }
        | Op::GetOwn { object, .. }
        | Op::GetBuiltin { object, .. }
        | Op::Get { object, .. } => map(object),
        Op::GetCounter { from, count: 1, .. } | Op::GetDial { from, count: 1, .. } => map(from),
        Op::GetIndexed {
            base, indexes: 0, ..
        } => map(base),
        Op::GetCounterAt { owner, index, .. } | Op::GetZoneAt { owner, index, .. } => {
            map(owner);
            map(index);
        }
        Op::SetCounter {
            from, count, src, ..
        } => {
            map(src);
            if *count == 1 {
                map(from);
            }
        }
        Op::SetIndexed {
            base, src, indexes, ..
        } => {
            map(src);
            if *indexes == 0 {
                map(base);
            }
        }
        Op::Index { list, index, .. } => {
            map(list);
            map(index);
        }
        Op::SetIndex { list, index, src } => {
            map(list);
            map(index);
            map(src);
        }
        Op::Contains { list, item, .. } => {
            map(list);
            map(item);
        }
        Op::Better { best, key, .. } => {
            map(best);
            map(key);
        }
        _ => {}
    }
}

impl Effects {
    /// One more register that is read.
    pub(super) fn add(&mut self, register: Register) {
        if self.reads.contains(&Some(register)) {
            return;
        }
        if let Some(free) = self.reads.iter_mut().find(|read| read.is_none()) {
            *free = Some(register);
        } else {
            self.row = hull(
                &self.row,
                &(usize::from(register)..usize::from(register) + 1),
            );
        }
    }
}

/// What holds two rows.
pub(super) fn hull(a: &Row, b: &Row) -> Row {
    if a.is_empty() {
        return b.clone();
    }
    if b.is_empty() {
        return a.clone();
    }
    a.start.min(b.start)..a.end.max(b.end)
}

/// How many registers a question reads.
fn asked(kind: AskKind) -> usize {
    match kind {
        AskKind::One | AskKind::Confirm => 2,
        AskKind::Some | AskKind::Number | AskKind::Texts => 4,
    }
}

/// Where an instruction says that it leads to, if it counts from the first instruction.
pub(super) fn leads_to(op: &mut Op) -> Option<&mut u32> {
    match op {
        Op::Jump { to }
        | Op::Skip { to }
        | Op::JumpIf { to, .. }
        | Op::JumpUnless { to, .. }
        | Op::JumpIfQuiet { to }
        | Op::JumpIfEmpty { to, .. }
        | Op::JumpUnlessEmpty { to, .. }
        | Op::TestEq { to, .. }
        | Op::TestNe { to, .. }
        | Op::TestLt { to, .. }
        | Op::TestLe { to, .. }
        | Op::TestGt { to, .. }
        | Op::TestGe { to, .. }
        | Op::UnlessEq { to, .. }
        | Op::UnlessNe { to, .. }
        | Op::UnlessLt { to, .. }
        | Op::UnlessLe { to, .. }
        | Op::UnlessGt { to, .. }
        | Op::UnlessGe { to, .. }
        | Op::UnlessEqConstant { to, .. }
        | Op::UnlessNeConstant { to, .. }
        | Op::UnlessLtInt { to, .. }
        | Op::UnlessLeInt { to, .. }
        | Op::UnlessGtInt { to, .. }
        | Op::UnlessGeInt { to, .. } => Some(to),
        _ => None,
    }
}

/// Where an instruction at a position leads to besides the next.
pub(super) fn target(op: &Op, pc: usize) -> Option<usize> {
    match *op {
        Op::TestEqConstant { further, .. } | Op::TestNeConstant { further, .. } => {
            Some(pc + 1 + usize::from(further))
        }
        Op::Next { back, .. } | Op::NextInt { back, .. } => Some(pc + 1 - usize::from(back)),
        mut other => leads_to(&mut other).map(|to| *to as usize),
    }
}

/// Makes an instruction at a position lead to another.
pub(super) fn lead(op: &mut Op, target: usize, pc: usize) {
    match op {
        // Code only shrinks: what fitted before fits.
        Op::TestEqConstant { further, .. } | Op::TestNeConstant { further, .. } => {
            *further = (target - pc - 1) as u16;
        }
        Op::Next { back, .. } | Op::NextInt { back, .. } => *back = (pc + 1 - target) as u16,
        other => {
            if let Some(to) = leads_to(other) {
                *to = target as u32;
            }
        }
    }
}

/// A comparison as the one that is joined with the jump behind it, which leads to `to`: so many `further`, if
/// that can be told.
pub(super) fn tested(op: Op, to: u32, further: Option<u16>) -> Option<Op> {
    Some(match op {
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
    })
}

/// What an instruction does with registers; `parameters` are those of all functions of the program.
pub(super) fn effects_of(op: &Op, parameters: &[u8]) -> Effects {
    let mut effects = Effects::default();
    let mut op = *op;
    each_read_of(&mut op, &mut |register| {
        effects.add(register);
        register
    });
    effects.writes = written(&mut op).copied();
    let row = |base: Register, count: usize| usize::from(base)..usize::from(base) + count;
    // A single register can be any, and was among those that are read.
    let some = |base: Register, count: usize| match count {
        1 => Row::default(),
        _ => row(base, count),
    };
    let beyond = |base: Register| usize::from(base)..usize::from(Register::MAX) + 1;
    match op {
        Op::Call { base, function } => {
            effects.row = row(base, usize::from(parameters[function.index()]));
            effects.writes = Some(base);
            effects.spoils = beyond(base);
        }
        Op::Run { base, arguments } => {
            effects.row = row(base, usize::from(arguments) + 1);
            effects.writes = Some(base);
            effects.spoils = beyond(base);
        }
        Op::Host {
            base, arguments, ..
        } => {
            effects.row = row(base, usize::from(arguments));
            effects.writes = Some(base);
        }
        Op::Ask { kind, base } => {
            effects.row = row(base, asked(kind));
            effects.writes = Some(base);
        }
        Op::AskFor { base, .. } => {
            effects.writes = Some(base);
            effects.spoils = row(base, 2);
        }
        Op::GetCounter { from, count, .. }
        | Op::GetDial { from, count, .. }
        | Op::SetCounter { from, count, .. } => effects.row = some(from, usize::from(count)),
        Op::GetIndexed { base, indexes, .. } | Op::SetIndexed { base, indexes, .. } => {
            effects.row = some(base, usize::from(indexes) + 1);
        }
        Op::List { base, items, .. } | Op::Text { base, items, .. } => {
            effects.row = row(base, usize::from(items));
        }
        Op::Iterate { dst, .. } | Op::Walk { dst, .. } => {
            effects.writes = Some(dst);
            effects.spoils = row(dst, 2);
        }
        Op::Next { item, iterator, .. } | Op::NextInt { item, iterator, .. } => {
            effects.row = row(iterator, 2);
            effects.spoils = hull(&row(iterator, 2), &row(item, 1));
        }
        Op::Push { list, .. } => {
            effects.row = row(list, 1);
            effects.writes = Some(list);
        }
        Op::Pop { dst, list } => {
            effects.row = row(list, 1);
            effects.spoils = hull(&row(list, 1), &row(dst, 1));
        }
        _ => {}
    }
    effects
}
