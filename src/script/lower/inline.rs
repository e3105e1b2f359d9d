//! Calls of small functions whose bodies take the place of the call: batches of games are lowered so.

use crate::script::code::Register;
use crate::script::syntax::{Expression, ExpressionKind, Statement, changes, weight};
use crate::script::types::Type;

use super::builder::Builder;
use super::{Body, Calls, parameter_span};

/// Most that stands in a function whose body takes the place of a call.
const MOST_WEIGHT: usize = 60;

/// Most functions that are built inside each other.
const MOST_NESTED: usize = 6;

/// Registers in use from which on calls stay calls.
const MOST_REGISTERS: Register = 120;

impl Builder<'_, '_> {
    /// Builds the body of a function in the place of its call, if nobody can tell. Gives what is known of
    /// the value in `dst`.
    pub(super) fn inlined_call(
        &mut self,
        unit: usize,
        arguments: &[Expression],
        dst: Register,
    ) -> Option<Type> {
        let span = self.lowering.units[unit].span;
        let body = self.body_of(unit)?.to_vec();
        self.inlined(unit, arguments, Some(dst), |builder, target| {
            let of = builder.inline(&body, target);
            builder.take(dst, target, span);
            of
        })
    }

    /// The statements of a function that may be built in the place of its calls: it is small, neither asks
    /// nor only speaks, and wraps no other.
    pub(super) fn body_of(&self, unit: usize) -> Option<&[Statement]> {
        let callee = &self.lowering.units[unit];
        let may = self.lowering.calls == Calls::Inlined
            && callee.script
            && !callee.asks
            && (callee.pure || callee.alters)
            && callee.base.is_none()
            && !self.inlined.contains(&unit)
            && self.inlined.len() < MOST_NESTED
            && self.top < MOST_REGISTERS;
        match &callee.body {
            Body::Statements(body) if may && weight(body) <= MOST_WEIGHT => Some(body),
            _ => None,
        }
    }

    /// Builds something in the place of a call of a function: its parameters are variables there. `dst` is
    /// where the value is wanted, and `build` is given where it may be put.
    pub(super) fn inlined<T>(
        &mut self,
        unit: usize,
        arguments: &[Expression],
        dst: Option<Register>,
        build: impl FnOnce(&mut Self, Register) -> T,
    ) -> Option<T> {
        let callee = &self.lowering.units[unit];
        let names = callee.parameters.clone();
        let (span, alters) = (callee.span, callee.alters);
        let here = (self.ops.len(), self.declared.len(), self.top);
        let found = self.lowering.report.diagnostics.len();
        let mut given = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let shared = self.is_shared(unit, position, arguments);
            given.push(match shared {
                true => self.any(argument),
                false => {
                    let register = self.fresh();
                    let of = self.to(argument, register);
                    self.top = register + 1;
                    (register, of)
                }
            });
        }
        // What is wrong with an argument is told when it is built for a call.
        if self.lowering.report.diagnostics.len() > found {
            self.undo_inlined(here, found);
            return None;
        }
        for (position, (_, of)) in given.iter().enumerate() {
            self.lowering.note_parameter(unit, position, *of);
        }
        self.lowering.units[unit].called = true;
        // The value must not be put over an argument that is still read.
        let free = dst.filter(|dst| given.iter().all(|(register, _)| register != dst));
        let target = free.unwrap_or_else(|| self.fresh());
        let locals = self.locals.len();
        let hidden = std::mem::replace(&mut self.hidden, locals);
        for (position, (register, of)) in given.iter().enumerate() {
            let place = parameter_span(span, position);
            self.declare(&names[position], place, *register, *of, false);
        }
        self.inlined.push(unit);
        let built = build(self, target);
        self.inlined.pop();
        self.end_locals(locals);
        self.hidden = hidden;
        if self.lowering.report.diagnostics.len() > found {
            // With what is known of these arguments something cannot be: the call tells when it is come to.
            self.undo_inlined(here, found);
            return None;
        }
        if alters {
            self.changes();
        }
        self.top = here.2;
        Some(built)
    }

    /// Whether an argument is a variable that can be read where it is: nothing changes it, or the
    /// parameter, before the function has ended.
    fn is_shared(&self, unit: usize, position: usize, arguments: &[Expression]) -> bool {
        let ExpressionKind::Name(variable) = &arguments[position].kind else {
            return false;
        };
        let callee = &self.lowering.units[unit];
        let Body::Statements(body) = &callee.body else {
            return false;
        };
        let mut later = arguments[position + 1..].iter();
        !changes(body, &callee.parameters[position]) && !later.any(|other| other.changes(variable))
    }

    /// Takes back what was built since.
    fn undo_inlined(&mut self, (ops, declared, top): (usize, usize, Register), found: usize) {
        self.ops.truncate(ops);
        self.spans.truncate(ops);
        self.statements
            .retain(|statement| (statement.pc as usize) < ops);
        self.built_in.retain(|(pc, _)| (*pc as usize) < ops);
        self.declared.truncate(declared);
        self.lowering.report.diagnostics.truncate(found);
        self.top = top;
    }
}
