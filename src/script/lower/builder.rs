//! The building of one function: registers, variables, jumps.

use crate::diag::{Diagnostic, Span};
use crate::script::code::{Op, Register};
use crate::script::types::Type;

use super::Lowering;

/// A variable of the function being built.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) register: Register,
    /// Where it was declared: its type is kept by this between passes.
    pub(super) span: Span,
    pub(super) constant: bool,
}

/// Where `break` and `continue` go.
#[derive(Debug, Default)]
pub(super) struct Loop {
    pub(super) start: u32,
    pub(super) breaks: Vec<usize>,
}

/// Where `return` goes inside a closure, which is built in place.
#[derive(Debug)]
pub(super) struct Inline {
    pub(super) dst: Register,
    pub(super) returns: Vec<usize>,
    pub(super) result: Type,
    /// Loops outside the closure cannot be left from within.
    pub(super) loops: usize,
}

/// The function being built.
pub(super) struct Builder<'l, 'p> {
    pub(super) lowering: &'l mut Lowering<'p>,
    /// The unit being built.
    pub(super) unit: usize,
    pub(super) ops: Vec<Op>,
    pub(super) spans: Vec<Span>,
    pub(super) locals: Vec<Local>,
    pub(super) top: Register,
    pub(super) registers: Register,
    pub(super) loops: Vec<Loop>,
    pub(super) inlines: Vec<Inline>,
    pub(super) result: Type,
    pub(super) pure: bool,
    pub(super) asks: bool,
    /// How many `what_if` are open.
    pub(super) what_ifs: usize,
}

impl<'l, 'p> Builder<'l, 'p> {
    pub(super) fn new(lowering: &'l mut Lowering<'p>, unit: usize) -> Self {
        Self {
            lowering,
            unit,
            ops: Vec::new(),
            spans: Vec::new(),
            locals: Vec::new(),
            top: 0,
            registers: 1,
            loops: Vec::new(),
            inlines: Vec::new(),
            result: Type::NEVER,
            pure: true,
            asks: false,
            what_ifs: 0,
        }
    }

    pub(super) fn emit(&mut self, op: Op, span: Span) -> usize {
        self.ops.push(op);
        self.spans.push(span);
        self.ops.len() - 1
    }

    /// The next instruction's position in the function.
    pub(super) fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Takes the next free register.
    pub(super) fn fresh(&mut self) -> Register {
        self.fresh_block(1)
    }

    /// Takes several registers that follow each other.
    pub(super) fn fresh_block(&mut self, count: usize) -> Register {
        let first = self.top;
        self.top = self.top.saturating_add(count as u16);
        self.registers = self.registers.max(self.top);
        first
    }

    /// Makes the jump at a position go to here.
    pub(super) fn patch(&mut self, at: usize) {
        let here = self.here();
        match &mut self.ops[at] {
            Op::Jump { to }
            | Op::JumpIf { to, .. }
            | Op::JumpUnless { to, .. }
            | Op::JumpIfQuiet { to } => *to = here,
            Op::Next { skip, .. } | Op::NextInt { skip, .. } => {
                *skip = u16::try_from(here as usize - at - 1).unwrap_or(u16::MAX);
            }
            _ => {}
        }
    }

    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.lowering.report.push(diagnostic);
    }

    pub(super) fn declare(
        &mut self,
        name: &str,
        span: Span,
        register: Register,
        of: Type,
        constant: bool,
    ) {
        self.note_type(span, of);
        self.locals.push(Local {
            name: name.to_owned(),
            register,
            span,
            constant,
        });
    }

    /// Widens what is known of the variable declared at a place.
    pub(super) fn note_type(&mut self, span: Span, of: Type) {
        let types = &mut self.lowering.units[self.unit].locals;
        let known = types.entry(span).or_insert(Type::NEVER);
        let joined = known.join(of);
        if joined != *known {
            *known = joined;
            self.lowering.changed = true;
        }
    }

    pub(super) fn type_of_local(&self, local: &Local) -> Type {
        self.lowering.units[self.unit]
            .locals
            .get(&local.span)
            .copied()
            .unwrap_or(Type::NEVER)
    }

    pub(super) fn find_local(&self, name: &str) -> Option<Local> {
        self.locals
            .iter()
            .rev()
            .find(|local| local.name == name)
            .cloned()
    }

    /// Marks that the function changes something.
    pub(super) fn changes(&mut self) {
        if self.what_ifs == 0 {
            self.pure = false;
        }
    }
}
