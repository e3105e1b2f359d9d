//! A function taken apart: units that read and write registers and lead to others.

use crate::diag::Span;
use crate::script::code::{AskKind, Code, NO_REGISTER, Op, Program, Register};

/// An instruction, and those behind it that are done instead when it does not apply.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) op: Op,
    pub(super) span: Span,
    /// The generic way.
    pub(super) behind: Vec<(Op, Span)>,
    /// Where it may lead to besides the next: a unit.
    pub(super) to: usize,
    /// Whether it is left out.
    pub(super) gone: bool,
}

/// A function taken apart.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) units: Vec<Unit>,
    /// Registers of its frame.
    pub(super) registers: usize,
    /// For each function of the program, how many parameters it has.
    parameters: Vec<u8>,
}

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

/// Where a unit leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// To the next.
    On,
    /// To another.
    To,
    /// To either.
    Either,
    /// Nowhere: the function, or speaking, ends.
    Nowhere,
}

/// How many instructions stand behind one.
fn behind(op: &Op) -> usize {
    match op {
        Op::GetCounterAt { .. } | Op::GetZoneAt { .. } => 3,
        Op::GetZone { .. }
        | Op::GetNumber { .. }
        | Op::GetFlag { .. }
        | Op::GetAttribute { .. }
        | Op::GetCounter { .. }
        | Op::GetDial { .. }
        | Op::GetOwn { .. }
        | Op::GetBuiltin { .. }
        | Op::SetCounter { .. } => 1,
        _ => 0,
    }
}

/// A comparison that was joined with its jump, by itself again.
fn apart(op: Op) -> Op {
    match op {
        Op::TestEq { dst, a, b, .. } => Op::Eq { dst, a, b },
        Op::TestNe { dst, a, b, .. } => Op::Ne { dst, a, b },
        Op::TestLt { dst, a, b, .. } => Op::Lt { dst, a, b },
        Op::TestLe { dst, a, b, .. } => Op::Le { dst, a, b },
        Op::TestGt { dst, a, b, .. } => Op::Gt { dst, a, b },
        Op::TestGe { dst, a, b, .. } => Op::Ge { dst, a, b },
        Op::TestEqConstant { dst, a, index, .. } => Op::EqConstant { dst, a, index },
        Op::TestNeConstant { dst, a, index, .. } => Op::NeConstant { dst, a, index },
        other => other,
    }
}

/// A call of a verb whose arguments stand in a row, with each by itself.
fn by_registers(op: Op) -> Op {
    match op {
        Op::Host {
            verb,
            base,
            arguments,
        } => {
            let at = |offset: u8| base + offset;
            match arguments {
                1 => Op::Host1 {
                    verb,
                    dst: base,
                    a: base,
                },
                2 => Op::Host2 {
                    verb,
                    dst: base,
                    a: base,
                    b: at(1),
                },
                3 => Op::Host3 {
                    verb,
                    dst: base,
                    a: base,
                    b: at(1),
                    c: at(2),
                },
                _ => op,
            }
        }
        other => other,
    }
}

/// A copy of a variable that never holds a list is none.
fn plain_copy(program: &Program, function: usize, pc: usize, op: Op) -> Op {
    let Op::Copy { dst, src } = op else {
        return op;
    };
    let mut variables = program.signatures[function].variables.iter();
    let plain = variables.any(|variable| {
        let there = (variable.from..variable.to).contains(&(pc as u32));
        variable.register == src && there && variable.of.lists == 0 && !variable.of.is_open()
    });
    if plain { Op::Take { dst, src } } else { op }
}

impl Unit {
    /// Puts other registers in the place of those that are read each by itself.
    pub(super) fn each_read(&mut self, other: impl Fn(Register) -> Register) {
        // What some generic ways need they bring to registers of their own.
        if self.behind.len() > 1 {
            return;
        }
        each_read_of(&mut self.op, &other);
        for (op, _) in &mut self.behind {
            each_read_of(op, &other);
        }
    }

    /// Makes the unit write another register than the one it writes; `false` if it cannot.
    pub(super) fn write_to(&mut self, other: Register) -> bool {
        let Some(dst) = written(&mut self.op) else {
            return false;
        };
        let before = *dst;
        match self.behind.as_mut_slice() {
            [] => *dst = other,
            [(op, _)] => match written(op) {
                Some(behind) if *behind == before => {
                    *dst = other;
                    *behind = other;
                }
                _ => return false,
            },
            _ => return false,
        }
        true
    }
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
fn each_read_of(op: &mut Op, other: &impl Fn(Register) -> Register) {
    let map = |register: &mut Register| {
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
    /// Registers from one on; a single one can be any.
    fn add_row(&mut self, first: Register, count: usize) {
        match count {
            1 => self.add(first),
            _ => self.row = hull(&self.row, &(usize::from(first)..usize::from(first) + count)),
        }
    }

    fn add(&mut self, register: Register) {
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
fn hull(a: &Row, b: &Row) -> Row {
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

/// Where an instruction at a position leads to besides the next.
fn target(op: &Op, pc: usize) -> Option<usize> {
    match *op {
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
        | Op::UnlessGeInt { to, .. } => Some(to as usize),
        Op::TestEqConstant { further, .. } | Op::TestNeConstant { further, .. } => {
            Some(pc + 1 + usize::from(further))
        }
        Op::Next { back, .. } | Op::NextInt { back, .. } => Some(pc + 1 - usize::from(back)),
        _ => None,
    }
}

/// Makes an instruction at a position lead to another.
fn lead(op: &mut Op, target: usize, pc: usize) {
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
        | Op::UnlessGeInt { to, .. } => *to = target as u32,
        // Code only shrinks: what fitted before fits.
        Op::TestEqConstant { further, .. } | Op::TestNeConstant { further, .. } => {
            *further = (target - pc - 1) as u16;
        }
        Op::Next { back, .. } | Op::NextInt { back, .. } => *back = (pc + 1 - target) as u16,
        _ => {}
    }
}

impl Function {
    /// Takes a function of a program apart.
    pub(super) fn read(program: &Program, at: usize) -> Self {
        let Code { entry, length, .. } = program.functions[at];
        let end = (entry + length) as usize;
        // Positions of instructions as units, and where each unit's jump led to.
        let mut place = vec![usize::MAX; length as usize + 1];
        let mut leads = Vec::new();
        let mut units: Vec<Unit> = Vec::new();
        let mut pc = entry as usize;
        while pc < end {
            place[pc - entry as usize] = units.len();
            let op = program.ops[pc];
            let after = pc + 1 + behind(&op);
            leads.push(target(&op, pc));
            units.push(Unit {
                op: plain_copy(program, at, pc, by_registers(apart(op))),
                span: program.spans[pc],
                behind: (pc + 1..after)
                    .map(|pc| (program.ops[pc], program.spans[pc]))
                    .collect(),
                to: 0,
                gone: false,
            });
            pc = after;
        }
        place[length as usize] = units.len();
        for (unit, to) in units.iter_mut().zip(leads) {
            if let Some(to) = to {
                unit.to = place[to - entry as usize];
            }
        }
        // Speaking leads back to where it began: what comes after it finds registers as they were.
        let mut open = Vec::new();
        for (at, unit) in units.iter_mut().enumerate() {
            match unit.op {
                Op::JumpIfQuiet { .. } => open.push(at),
                Op::Spoken => unit.to = open.pop().unwrap_or(at),
                _ => {}
            }
        }
        Self {
            units,
            registers: usize::from(program.functions[at].registers),
            parameters: program
                .functions
                .iter()
                .map(|code| code.parameters)
                .collect(),
        }
    }

    /// The first unit from a position on that is not left out.
    pub(super) fn next(&self, mut at: usize) -> usize {
        while self.units.get(at).is_some_and(|unit| unit.gone) {
            at += 1;
        }
        at
    }

    /// For each unit, whether another leads to it by more than standing before it.
    pub(super) fn led_to(&self) -> Vec<bool> {
        let mut led = vec![false; self.units.len() + 1];
        for (at, unit) in self.units.iter().enumerate().filter(|(_, unit)| !unit.gone) {
            match unit.op {
                // What comes after speaking is come to from its beginning.
                Op::Spoken => led[at + 1] = true,
                _ if matches!(self.leads(at), Leads::To | Leads::Either) => led[unit.to] = true,
                _ => {}
            }
        }
        led
    }

    /// Writes the function down again.
    pub(super) fn write(&self, ops: &mut Vec<Op>, spans: &mut Vec<Span>) {
        let mut place = Vec::with_capacity(self.units.len() + 1);
        let mut pc = ops.len();
        for unit in &self.units {
            place.push(pc);
            if !unit.gone {
                pc += 1 + unit.behind.len();
            }
        }
        place.push(pc);
        for unit in self.units.iter().filter(|unit| !unit.gone) {
            let mut op = unit.op;
            lead(&mut op, place[unit.to], ops.len());
            ops.push(op);
            spans.push(unit.span);
            for (op, span) in &unit.behind {
                let mut op = *op;
                lead(&mut op, place[unit.to], ops.len());
                ops.push(op);
                spans.push(*span);
            }
        }
    }

    /// Where a unit leads.
    pub(super) fn leads(&self, at: usize) -> Leads {
        match self.units[at].op {
            Op::Jump { .. } | Op::Skip { .. } => Leads::To,
            Op::Return { .. } | Op::ReturnConstant { .. } | Op::Spoken => Leads::Nowhere,
            op if target(&op, usize::from(u16::MAX)).is_some() => Leads::Either,
            _ => Leads::On,
        }
    }

    /// The units that may come after one.
    pub(super) fn after(&self, at: usize) -> Vec<usize> {
        let mut after = match self.leads(at) {
            Leads::On => vec![at + 1],
            Leads::To => vec![self.units[at].to],
            Leads::Either => vec![at + 1, self.units[at].to],
            Leads::Nowhere => Vec::new(),
        };
        if let Op::JumpIfQuiet { .. } = self.units[at].op {
            // What follows the speaking finds registers as they are here.
            let spoken = self.units.iter().enumerate().skip(at);
            let end = spoken
                .filter(|(_, unit)| matches!(unit.op, Op::Spoken) && unit.to == at)
                .map(|(end, _)| end + 1);
            after.extend(end.take(1));
        }
        after.retain(|unit| *unit < self.units.len());
        after
    }

    /// What a unit does with registers.
    pub(super) fn effects(&self, at: usize) -> Effects {
        let unit = &self.units[at];
        let mut effects = self.effects_of(&unit.op);
        // What a generic way brings to registers of its own it does not find there.
        let mut brought = Row::default();
        for (op, _) in &unit.behind {
            let more = self.effects_of(op);
            for read in more.reads.into_iter().flatten() {
                effects.add(read);
            }
            if more.row.start < brought.start || more.row.end > brought.end {
                effects.row = hull(&effects.row, &more.row);
            }
            if let Some(written) = more.writes {
                let written = usize::from(written);
                brought = hull(&brought, &(written..written + 1));
            }
        }
        effects.spoils = hull(&effects.spoils, &brought);
        effects
    }

    fn effects_of(&self, op: &Op) -> Effects {
        let mut effects = Effects::default();
        let row = |base: Register, count: usize| usize::from(base)..usize::from(base) + count;
        match *op {
            Op::Constant { dst, .. }
            | Op::Int { dst, .. }
            | Op::GetCell { dst, .. }
            | Op::GetCellFlag { dst, .. }
            | Op::LenOf { dst, .. }
            | Op::IsEmptyOf { dst, .. }
            | Op::HostConstant { dst, .. } => effects.writes = Some(dst),
            Op::Copy { dst, src }
            | Op::Take { dst, src }
            | Op::Negate { dst, src }
            | Op::Not { dst, src }
            | Op::Len { dst, src }
            | Op::IsEmpty { dst, src } => {
                effects.add(src);
                effects.writes = Some(dst);
            }
            Op::Add { dst, a, b }
            | Op::Sub { dst, a, b }
            | Op::Mul { dst, a, b }
            | Op::Div { dst, a, b }
            | Op::Rem { dst, a, b }
            | Op::Min { dst, a, b }
            | Op::Max { dst, a, b }
            | Op::Eq { dst, a, b }
            | Op::Ne { dst, a, b }
            | Op::Lt { dst, a, b }
            | Op::Le { dst, a, b }
            | Op::Gt { dst, a, b }
            | Op::Ge { dst, a, b }
            | Op::TestEq { dst, a, b, .. }
            | Op::TestNe { dst, a, b, .. }
            | Op::TestLt { dst, a, b, .. }
            | Op::TestLe { dst, a, b, .. }
            | Op::TestGt { dst, a, b, .. }
            | Op::TestGe { dst, a, b, .. }
            | Op::Host2 { dst, a, b, .. } => {
                effects.add(a);
                effects.add(b);
                effects.writes = Some(dst);
            }
            Op::Host3 { dst, a, b, c, .. } => {
                effects.add(a);
                effects.add(b);
                effects.add(c);
                effects.writes = Some(dst);
            }
            Op::AddInt { dst, a, .. }
            | Op::EqConstant { dst, a, .. }
            | Op::NeConstant { dst, a, .. }
            | Op::TestEqConstant { dst, a, .. }
            | Op::TestNeConstant { dst, a, .. }
            | Op::Host1 { dst, a, .. }
            | Op::HostWith { dst, a, .. }
            | Op::HostTo { dst, a, .. } => {
                effects.add(a);
                effects.writes = Some(dst);
            }
            Op::Jump { .. }
            | Op::Skip { .. }
            | Op::JumpIfQuiet { .. }
            | Op::JumpIfEmpty { .. }
            | Op::JumpUnlessEmpty { .. }
            | Op::Spoken
            | Op::ReturnConstant { .. }
            | Op::WhatIf
            | Op::WhatIfEnd
            | Op::Scope { .. }
            | Op::Block { .. } => {}
            Op::JumpIf { condition, .. } | Op::JumpUnless { condition, .. } => {
                effects.add(condition);
            }
            Op::UnlessEq { a, b, .. }
            | Op::UnlessNe { a, b, .. }
            | Op::UnlessLt { a, b, .. }
            | Op::UnlessLe { a, b, .. }
            | Op::UnlessGt { a, b, .. }
            | Op::UnlessGe { a, b, .. } => {
                effects.add(a);
                effects.add(b);
            }
            Op::UnlessEqConstant { a, .. }
            | Op::UnlessNeConstant { a, .. }
            | Op::UnlessLtInt { a, .. }
            | Op::UnlessLeInt { a, .. }
            | Op::UnlessGtInt { a, .. }
            | Op::UnlessGeInt { a, .. } => effects.add(a),
            Op::Call { base, function } => {
                effects.row = row(base, usize::from(self.parameters[function.index()]));
                effects.writes = Some(base);
                effects.spoils = usize::from(base)..usize::from(Register::MAX) + 1;
            }
            Op::Run { base, arguments } => {
                effects.row = row(base, usize::from(arguments) + 1);
                effects.writes = Some(base);
                effects.spoils = usize::from(base)..usize::from(Register::MAX) + 1;
            }
            Op::Return { src } => effects.add(src),
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
            Op::AskFor { player, base, .. } => {
                effects.add(player);
                effects.writes = Some(base);
                effects.spoils = row(base, 2);
            }
            Op::Value {
                dst,
                player,
                subject,
                ..
            } => {
                for register in [player, subject] {
                    if register != NO_REGISTER {
                        effects.add(register);
                    }
                }
                effects.writes = Some(dst);
            }
            Op::GetZone { dst, object, .. }
            | Op::GetNumber { dst, object, .. }
            | Op::GetFlag { dst, object, .. }
            | Op::GetAttribute { dst, object, .. }
            | Op::GetOwn { dst, object, .. }
            | Op::GetBuiltin { dst, object, .. }
            | Op::Get { dst, object, .. } => {
                effects.add(object);
                effects.writes = Some(dst);
            }
            Op::GetCounter {
                dst, from, count, ..
            }
            | Op::GetDial {
                dst, from, count, ..
            } => {
                effects.add_row(from, usize::from(count));
                effects.writes = Some(dst);
            }
            Op::GetCounterAt {
                dst, owner, index, ..
            }
            | Op::GetZoneAt {
                dst, owner, index, ..
            } => {
                effects.add(owner);
                effects.add(index);
                effects.writes = Some(dst);
            }
            Op::SetCounter {
                from, count, src, ..
            } => {
                effects.add_row(from, usize::from(count));
                effects.add(src);
            }
            Op::Has { dst, player, .. } => {
                effects.add(player);
                effects.writes = Some(dst);
            }
            Op::GetIndexed {
                dst, base, indexes, ..
            } => {
                effects.add_row(base, usize::from(indexes) + 1);
                effects.writes = Some(dst);
            }
            Op::SetIndexed {
                base, src, indexes, ..
            } => {
                effects.add_row(base, usize::from(indexes) + 1);
                effects.add(src);
            }
            Op::Index { dst, list, index } => {
                effects.add(list);
                effects.add(index);
                effects.writes = Some(dst);
            }
            Op::SetIndex { list, index, src } => {
                effects.add(list);
                effects.add(index);
                effects.add(src);
            }
            Op::List { dst, base, items } => {
                effects.row = row(base, usize::from(items));
                effects.writes = Some(dst);
            }
            Op::Iterate { dst, src } | Op::Walk { dst, src } => {
                effects.add(src);
                effects.writes = Some(dst);
                effects.spoils = row(dst, 2);
            }
            Op::Next { item, iterator, .. } | Op::NextInt { item, iterator, .. } => {
                effects.row = row(iterator, 2);
                effects.spoils = hull(&row(iterator, 2), &row(item, 1));
            }
            Op::Push { list, src } => {
                effects.row = row(list, 1);
                effects.add(src);
                effects.writes = Some(list);
            }
            Op::Pop { dst, list } => {
                effects.row = row(list, 1);
                effects.spoils = hull(&row(list, 1), &row(dst, 1));
            }
            Op::Text { dst, base, items } => {
                effects.row = row(base, usize::from(items));
                effects.writes = Some(dst);
            }
            Op::Contains { dst, list, item } => {
                effects.add(list);
                effects.add(item);
                effects.writes = Some(dst);
            }
            Op::Better { dst, best, key } => {
                effects.add(best);
                effects.add(key);
                effects.writes = Some(dst);
            }
            Op::Step { player, .. } => {
                if player != NO_REGISTER {
                    effects.add(player);
                }
            }
        }
        effects
    }
}
