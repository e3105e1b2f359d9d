//! What is known of registers, and what follows from it: operands that are constants, copies that are not
//! needed, comparisons and jumps whose outcome is certain.

use std::collections::BTreeSet;

use crate::script::api::{self, Gives, Verb};
use crate::script::code::{AskKind, NO_REGISTER, Op, Register};
use crate::script::machine::plainly_equal;
use crate::table::{Case, Value};

use super::Constants;
use super::units::{Function, Unit};
use crate::script::operands::{Effects, written};

/// What is known of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// Nothing.
    Unknown,
    /// Its value.
    Is(Value),
    /// It holds what another holds.
    Like(Register),
    /// It holds a number.
    Number,
    /// It holds a boolean.
    Truth,
    /// It holds no list.
    Plain,
}

impl Fact {
    /// What is known where one or the other is.
    fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        match (self.wide(), other.wide()) {
            (Self::Number, Self::Number) => Self::Number,
            (Self::Truth, Self::Truth) => Self::Truth,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            _ => Self::Plain,
        }
    }

    /// The sort of value only.
    fn wide(self) -> Self {
        match self {
            Self::Is(value) => match value.case() {
                Case::Int(_) => Self::Number,
                Case::Bool(_) => Self::Truth,
                Case::List(_) => Self::Unknown,
                _ => Self::Plain,
            },
            Self::Like(_) => Self::Unknown,
            other => other,
        }
    }
}

/// What is known of all registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts(Vec<Fact>);

impl Facts {
    /// The register itself, or the one that it is like.
    fn root(&self, register: Register) -> Register {
        match self.0[usize::from(register)] {
            Fact::Like(other) => other,
            _ => register,
        }
    }

    /// What is known of a register's value.
    pub(super) fn of(&self, register: Register) -> Fact {
        self.0[usize::from(self.root(register))]
    }

    /// The value of a register, if it is known.
    pub(super) fn value(&self, register: Register) -> Option<Value> {
        match self.of(register) {
            Fact::Is(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a register, if it is known and a small number.
    pub(super) fn small(&self, register: Register) -> Option<i16> {
        match self.value(register).map(Value::case) {
            Some(Case::Int(value)) => i16::try_from(value).ok(),
            _ => None,
        }
    }

    /// Whether a register certainly holds a number.
    pub(super) fn is_number(&self, register: Register) -> bool {
        self.of(register).wide() == Fact::Number
    }

    /// A register is written.
    fn set(&mut self, register: Register, fact: Fact) {
        let before = self.0[usize::from(register)];
        let before = if matches!(before, Fact::Like(_)) {
            Fact::Unknown
        } else {
            before
        };
        for other in &mut self.0 {
            if *other == Fact::Like(register) {
                *other = before;
            }
        }
        self.0[usize::from(register)] = fact;
    }

    /// Only what is known here and there stays; whether that is less.
    fn meet(&mut self, other: &Self) -> bool {
        let mut less = false;
        for (fact, other) in self.0.iter_mut().zip(&other.0) {
            let both = fact.or(*other);
            less |= both != *fact;
            *fact = both;
        }
        less
    }

    /// What is known after a unit, wherever it leads.
    fn pass(&mut self, op: &Op, effects: &Effects, constants: &Constants) {
        let fact = self.result(op, constants);
        let registers = self.0.len();
        for spoiled in effects.spoils.start..effects.spoils.end.min(registers) {
            self.set(spoiled as Register, Fact::Unknown);
        }
        if let Some(written) = effects.writes {
            let fact = if fact == Fact::Like(written) {
                Fact::Unknown
            } else {
                fact
            };
            self.set(written, fact);
        }
        if let Op::NextInt { item, .. } = op {
            self.set(*item, Fact::Number);
        }
    }

    /// The value that an instruction gives, if it is known and no error.
    fn outcome(&self, op: &Op, constants: &Constants) -> Option<Value> {
        let constant = |index: u16| constants.values[usize::from(index)];
        match *op {
            Op::Constant { index, .. } => Some(constant(index)),
            Op::Int { value, .. } => Some(Value::int(i64::from(value))),
            Op::Take { src, .. } => self.value(src),
            Op::Add { a, b, .. }
            | Op::Sub { a, b, .. }
            | Op::Mul { a, b, .. }
            | Op::Div { a, b, .. }
            | Op::Rem { a, b, .. }
            | Op::Min { a, b, .. }
            | Op::Max { a, b, .. }
            | Op::Lt { a, b, .. }
            | Op::Le { a, b, .. }
            | Op::Gt { a, b, .. }
            | Op::Ge { a, b, .. } => match (self.value(a)?.case(), self.value(b)?.case()) {
                (Case::Int(a), Case::Int(b)) => computed(op, a, b),
                _ => None,
            },
            Op::AddInt { a, value, .. } => match self.value(a)?.case() {
                Case::Int(a) => a.checked_add(i64::from(value)).and_then(Value::checked_int),
                _ => None,
            },
            Op::Not { src, .. } => match self.value(src)?.case() {
                Case::Bool(value) => Some(Value::from(!value)),
                _ => None,
            },
            Op::Eq { a, b, .. } | Op::Ne { a, b, .. } => {
                let equal = plainly_equal(self.value(a)?, self.value(b)?)?;
                Some(Value::from(equal == matches!(op, Op::Eq { .. })))
            }
            Op::EqConstant { a, index, .. } | Op::NeConstant { a, index, .. } => {
                let equal = plainly_equal(self.value(a)?, constant(index))?;
                Some(Value::from(equal == matches!(op, Op::EqConstant { .. })))
            }
            _ => None,
        }
    }

    /// What is known of what an instruction writes.
    fn result(&self, op: &Op, constants: &Constants) -> Fact {
        if let Some(value) = self.outcome(op, constants) {
            return Fact::Is(value);
        }
        match *op {
            Op::Take { src, .. } => Fact::Like(self.root(src)),
            Op::Copy { src, .. } => self.of(src).wide(),
            Op::Add { a, b, .. } if self.is_number(a) && self.is_number(b) => Fact::Number,
            Op::Sub { .. }
            | Op::Mul { .. }
            | Op::Div { .. }
            | Op::Rem { .. }
            | Op::AddInt { .. }
            | Op::Negate { .. }
            | Op::Min { .. }
            | Op::Max { .. }
            | Op::Len { .. }
            | Op::LenOf { .. }
            | Op::Value { .. }
            | Op::GetNumber { .. }
            | Op::GetCell { .. }
            | Op::GetDial { .. } => Fact::Number,
            Op::Eq { .. }
            | Op::Ne { .. }
            | Op::Lt { .. }
            | Op::Le { .. }
            | Op::Gt { .. }
            | Op::Ge { .. }
            | Op::EqConstant { .. }
            | Op::NeConstant { .. }
            | Op::Not { .. }
            | Op::IsEmpty { .. }
            | Op::IsEmptyOf { .. }
            | Op::Has { .. }
            | Op::Contains { .. }
            | Op::Better { .. }
            | Op::GetFlag { .. }
            | Op::GetCellFlag { .. } => Fact::Truth,
            Op::GetZone { .. }
            | Op::GetZoneAt { .. }
            | Op::GetOwn { .. }
            | Op::GetBuiltin { .. }
            | Op::GetCounter { .. }
            | Op::GetCounterAt { .. } => Fact::Plain,
            Op::Host { verb, .. }
            | Op::Host1 { verb, .. }
            | Op::Host2 { verb, .. }
            | Op::Host3 { verb, .. }
            | Op::HostConstant { verb, .. }
            | Op::HostWith { verb, .. }
            | Op::HostTo { verb, .. } => match api::entry(verb).gives {
                // Where no route leads there is no number.
                _ if verb == Verb::Distance => Fact::Unknown,
                Gives::Int => Fact::Number,
                Gives::Bool => Fact::Truth,
                _ => Fact::Unknown,
            },
            _ => Fact::Unknown,
        }
    }
}

/// What is known before each unit that can be reached.
pub(super) fn facts(function: &Function, constants: &Constants) -> Vec<Option<Facts>> {
    let mut before: Vec<Option<Facts>> = vec![None; function.units.len()];
    if before.is_empty() {
        return before;
    }
    before[0] = Some(Facts(vec![Fact::Unknown; function.registers]));
    let effects: Vec<Effects> = (0..before.len()).map(|at| function.effects(at)).collect();
    let after: Vec<Vec<usize>> = (0..before.len()).map(|at| function.after(at)).collect();
    // In the order of the code: most of what leads to a unit is then known when it is looked at.
    let mut open = BTreeSet::from([0]);
    while let Some(at) = open.pop_first() {
        let Some(mut facts) = before[at].clone() else {
            continue;
        };
        if !function.units[at].gone {
            facts.pass(&function.units[at].op, &effects[at], constants);
        }
        for next in after[at].iter().copied() {
            let mut there = facts.clone();
            if let Some((condition, holds)) = decided(function, at, next) {
                if facts.value(condition) == Some(Value::from(!holds)) {
                    continue;
                }
                there.set(condition, Fact::Is(Value::from(holds)));
            }
            match &mut before[next] {
                Some(known) => {
                    if known.meet(&there) {
                        open.insert(next);
                    }
                }
                unknown => {
                    *unknown = Some(there);
                    open.insert(next);
                }
            }
        }
    }
    before
}

/// What the way from one unit to another says of a condition.
fn decided(function: &Function, at: usize, next: usize) -> Option<(Register, bool)> {
    let unit = &function.units[at];
    // Both ways lead there.
    if unit.gone || unit.to == at + 1 {
        return None;
    }
    match unit.op {
        Op::JumpIf { condition, .. } => Some((condition, next == unit.to)),
        Op::JumpUnless { condition, .. } => Some((condition, next != unit.to)),
        _ => None,
    }
}

/// Says with what is known what can be said better; whether anything was.
pub(super) fn improve(function: &mut Function, constants: &mut Constants) -> bool {
    let before = facts(function, constants);
    let mut changed = false;
    for (at, facts) in before.iter().enumerate() {
        let unit = &mut function.units[at];
        if unit.gone {
            continue;
        }
        let Some(facts) = facts else {
            // Nothing leads here.
            unit.gone = true;
            changed = true;
            continue;
        };
        let old = unit.op;
        unit.each_read(|register| facts.root(register));
        match better(unit, facts, constants) {
            Better::Same => {}
            Better::Gone => unit.gone = true,
            Better::Said(op) => unit.op = op,
        }
        changed |= unit.op != old || unit.gone;
    }
    changed
}

/// What an instruction becomes.
enum Better {
    /// What it is.
    Same,
    /// Another.
    Said(Op),
    /// Nothing.
    Gone,
}

/// An instruction that gives a register a value.
fn load(dst: Register, value: Value, constants: &mut Constants) -> Option<Op> {
    match value.case() {
        Case::Int(number) if i32::try_from(number).is_ok() => Some(Op::Int {
            dst,
            value: number as i32,
        }),
        _ => constants
            .place(value)
            .map(|index| Op::Constant { dst, index }),
    }
}

/// What two known numbers give, if that is no error.
fn computed(op: &Op, a: i64, b: i64) -> Option<Value> {
    Some(match op {
        Op::Add { .. } => Value::checked_int(a.checked_add(b)?)?,
        Op::Sub { .. } => Value::checked_int(a.checked_sub(b)?)?,
        Op::Mul { .. } => Value::checked_int(a.checked_mul(b)?)?,
        Op::Div { .. } => Value::int(a.checked_div(b)?),
        Op::Rem { .. } => Value::int(a.checked_rem(b)?),
        Op::Min { .. } => Value::int(a.min(b)),
        Op::Max { .. } => Value::int(a.max(b)),
        Op::Lt { .. } => Value::from(a < b),
        Op::Le { .. } => Value::from(a <= b),
        Op::Gt { .. } => Value::from(a > b),
        Op::Ge { .. } => Value::from(a >= b),
        _ => return None,
    })
}

fn better(unit: &Unit, facts: &Facts, constants: &mut Constants) -> Better {
    let op = unit.op;
    let loaded = matches!(op, Op::Constant { .. } | Op::Int { .. });
    if !loaded && let Some(value) = facts.outcome(&op, constants) {
        let dst = written(&mut op.clone()).copied();
        let load = dst.and_then(|dst| load(dst, value, constants));
        return load.map_or(Better::Same, Better::Said);
    }
    let said = match op {
        Op::Take { dst, src } if facts.root(dst) == facts.root(src) => return Better::Gone,
        Op::Copy { dst, src } if facts.of(src).wide() != Fact::Unknown => {
            Some(Op::Take { dst, src })
        }
        Op::Add { dst, a, b } => match (facts.small(a), facts.small(b)) {
            (_, Some(value)) if facts.is_number(a) => Some(plus(dst, a, value)),
            (Some(value), _) if facts.is_number(b) => Some(plus(dst, b, value)),
            _ => None,
        },
        Op::Sub { dst, a, b } if facts.is_number(a) => facts
            .small(b)
            .and_then(i16::checked_neg)
            .map(|value| plus(dst, a, value)),
        Op::Mul { dst, a, b } => match (facts.small(a), facts.small(b)) {
            (_, Some(1)) if facts.is_number(a) => Some(Op::Take { dst, src: a }),
            (Some(1), _) if facts.is_number(b) => Some(Op::Take { dst, src: b }),
            _ => None,
        },
        Op::Div { dst, a, b } if facts.is_number(a) && facts.small(b) == Some(1) => {
            Some(Op::Take { dst, src: a })
        }
        Op::AddInt { dst, a, value } if facts.is_number(a) && value == 0 => {
            Some(Op::Take { dst, src: a })
        }
        Op::Eq { dst, a, b } => compared(dst, a, b, true, facts, constants),
        Op::Ne { dst, a, b } => compared(dst, a, b, false, facts, constants),
        Op::Len { dst, src } => match facts.value(src).map(Value::case) {
            Some(Case::Zone(zone)) => Some(Op::LenOf { dst, zone }),
            _ => None,
        },
        Op::IsEmpty { dst, src } => match facts.value(src).map(Value::case) {
            Some(Case::Zone(zone)) => Some(Op::IsEmptyOf { dst, zone }),
            _ => None,
        },
        Op::JumpIf { condition, .. } => match facts.value(condition).map(Value::case) {
            Some(Case::Bool(true)) => Some(Op::Skip { to: 0 }),
            Some(Case::Bool(false)) => return Better::Gone,
            _ => None,
        },
        Op::JumpUnless { condition, .. } => match facts.value(condition).map(Value::case) {
            Some(Case::Bool(false)) => Some(Op::Skip { to: 0 }),
            Some(Case::Bool(true)) => return Better::Gone,
            _ => None,
        },
        Op::Return { src } => facts
            .value(src)
            .and_then(|value| constants.place(value))
            .map(|index| Op::ReturnConstant { index }),
        Op::Ask {
            kind: kind @ (AskKind::One | AskKind::Confirm),
            base,
        } => match facts.value(base).map(Value::case) {
            Some(Case::Decision(decision)) => Some(Op::AskFor {
                kind,
                base,
                player: facts.root(base + 1),
                decision,
            }),
            _ => None,
        },
        Op::Host1 { verb, dst, a } => match (verb, facts.value(a)) {
            (Verb::ValueOf, Some(value)) if let Some(parameter) = value.as_parameter() => {
                Some(Op::Value {
                    dst,
                    parameter,
                    player: NO_REGISTER,
                    subject: NO_REGISTER,
                })
            }
            (_, Some(value)) => {
                constants
                    .place(value)
                    .map(|index| Op::HostConstant { verb, dst, index })
            }
            _ => None,
        },
        Op::Host2 { verb, dst, a, b } => match (verb, facts.value(a), facts.value(b)) {
            (Verb::Min, ..) => Some(Op::Min { dst, a, b }),
            (Verb::Max, ..) => Some(Op::Max { dst, a, b }),
            (Verb::ValueOf, Some(value), _) if let Some(parameter) = value.as_parameter() => {
                Some(Op::Value {
                    dst,
                    parameter,
                    player: b,
                    subject: NO_REGISTER,
                })
            }
            (_, Some(value), _) => constants.place(value).map(|index| Op::HostWith {
                verb,
                dst,
                a: b,
                index,
            }),
            (_, _, Some(value)) => constants.place(value).map(|index| Op::HostTo {
                verb,
                dst,
                a,
                index,
            }),
            _ => None,
        },
        Op::Host3 {
            verb: Verb::ValueOf,
            dst,
            a,
            b,
            c,
        } => match facts.value(a).map(Value::case) {
            Some(Case::Parameter(parameter)) => Some(Op::Value {
                dst,
                parameter,
                player: b,
                subject: c,
            }),
            _ => None,
        },
        _ => None,
    };
    said.map_or(Better::Same, Better::Said)
}

/// A number and a small one.
fn plus(dst: Register, a: Register, value: i16) -> Op {
    if value == 0 {
        Op::Take { dst, src: a }
    } else {
        Op::AddInt { dst, a, value }
    }
}

/// A comparison of which one side is known.
fn compared(
    dst: Register,
    a: Register,
    b: Register,
    equal: bool,
    facts: &Facts,
    constants: &mut Constants,
) -> Option<Op> {
    let (left, right) = (facts.value(a), facts.value(b));
    let plain = |value: &Value| !matches!(value.case(), Case::Text(_) | Case::List(_));
    // What stands on the left is told first when both cannot be compared: these can always be.
    let either = |value: &Value| matches!(value.case(), Case::Unit | Case::Choice(_));
    let (register, value) = match (left, right) {
        (_, Some(right)) if plain(&right) => (a, right),
        (Some(left), _) if either(&left) => (b, left),
        _ => return None,
    };
    let index = constants.place(value)?;
    Some(if equal {
        Op::EqConstant {
            dst,
            a: register,
            index,
        }
    } else {
        Op::NeConstant {
            dst,
            a: register,
            index,
        }
    })
}
