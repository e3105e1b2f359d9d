//! A function taken apart: units that read and write registers and lead to others.

use crate::diag::Span;
use crate::script::code::{Code, Op, Program, Register};

use crate::script::operands::{
    Effects, Row, each_read_of, effects_of, hull, lead, target, written,
};

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
    pub(super) fn each_read(&mut self, mut other: impl FnMut(Register) -> Register) {
        // What some generic ways need they bring to registers of their own.
        if self.behind.len() > 1 {
            return;
        }
        each_read_of(&mut self.op, &mut other);
        for (op, _) in &mut self.behind {
            each_read_of(op, &mut other);
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
        let mut effects = effects_of(&unit.op, &self.parameters);
        // What a generic way brings to registers of its own it does not find there.
        let mut brought = Row::default();
        for (op, _) in &unit.behind {
            let more = effects_of(op, &self.parameters);
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
}
