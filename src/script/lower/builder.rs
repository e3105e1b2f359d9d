//! The building of one function: registers, variables, jumps.

use crate::diag::{Diagnostic, Span};
use crate::script::code::{Beginning, NO_REGISTER, Op, Register};
use crate::script::operands::leads_to;
use crate::script::types::Type;
use crate::table::ids::ParameterId;

use super::Lowering;

/// Most registers of a function: its variables, and values on their way.
pub(super) const MOST_REGISTERS: usize = NO_REGISTER as usize - 1;

/// A variable of the function being built.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) register: Register,
    /// Where it was declared: its type is kept by this between passes.
    pub(super) span: Span,
    pub(super) constant: bool,
    /// Its position among the declared variables.
    declared: usize,
}

/// A variable that was declared, and where it is there: positions in the function.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) register: Register,
    pub(super) span: Span,
    pub(super) from: u32,
    /// One past the last; `None` is the end of the function.
    pub(super) to: Option<u32>,
}

/// Where `break` and `continue` go.
#[derive(Debug, Default)]
pub(super) struct Loop {
    pub(super) continues: Vec<usize>,
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
    /// Where statements begin: positions in the function.
    pub(super) statements: Vec<Beginning>,
    /// Parameters whose values are built in, by their instructions.
    pub(super) built_in: Vec<(u32, ParameterId)>,
    pub(super) locals: Vec<Local>,
    /// How many of them are not seen, because what is built is the body of another function.
    pub(super) hidden: usize,
    /// All variables so far, those that have ended included.
    pub(super) declared: Vec<Declared>,
    pub(super) top: Register,
    pub(super) registers: Register,
    pub(super) loops: Vec<Loop>,
    pub(super) inlines: Vec<Inline>,
    /// Functions whose bodies are being built in the place of their calls.
    pub(super) inlined: Vec<usize>,
    pub(super) result: Type,
    pub(super) pure: bool,
    pub(super) asks: bool,
    /// Whether it does more than look and speak.
    pub(super) alters: bool,
    /// How many `what_if` are open.
    pub(super) what_ifs: usize,
    /// Whether nobody wants the value of the call that comes next.
    pub(super) dropped: bool,
    /// Whether it needs more registers than there are.
    pub(super) crowded: bool,
}

impl<'l, 'p> Builder<'l, 'p> {
    pub(super) fn new(lowering: &'l mut Lowering<'p>, unit: usize) -> Self {
        Self {
            lowering,
            unit,
            ops: Vec::new(),
            spans: Vec::new(),
            statements: Vec::new(),
            built_in: Vec::new(),
            locals: Vec::new(),
            hidden: 0,
            declared: Vec::new(),
            top: 0,
            registers: 1,
            loops: Vec::new(),
            inlines: Vec::new(),
            inlined: Vec::new(),
            result: Type::NEVER,
            pure: true,
            asks: false,
            alters: false,
            what_ifs: 0,
            dropped: false,
            crowded: false,
        }
    }

    pub(super) fn emit(&mut self, op: Op, span: Span) -> usize {
        self.ops.push(op);
        self.spans.push(span);
        self.ops.len() - 1
    }

    /// A statement begins here; of several that do, the innermost is meant.
    pub(super) fn begin_statement(&mut self, span: Span, turn: bool) {
        let pc = self.here();
        self.statements.pop_if(|last| last.pc == pc);
        self.statements.push(Beginning {
            pc,
            span,
            closures: u8::try_from(self.inlines.len()).unwrap_or(u8::MAX),
            turn,
        });
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
        let next = usize::from(first) + count;
        if next > MOST_REGISTERS {
            // Reported when the function is built, which is then never run.
            self.crowded = true;
            return 0;
        }
        self.top = next as u8;
        self.registers = self.registers.max(self.top);
        first
    }

    /// Makes the jump at a position go to here.
    pub(super) fn patch(&mut self, at: usize) {
        self.redirect(at, self.here());
    }

    /// Makes the jump at a position go to another.
    pub(super) fn redirect(&mut self, at: usize, target: u32) {
        if let Some(to) = leads_to(&mut self.ops[at]) {
            *to = target;
        }
    }

    /// Opens a loop over an iterator: the test stands at its end, so that each turn costs one
    /// instruction. Gives what [`Builder::end_loop`] needs.
    pub(super) fn begin_loop(&mut self, span: Span) -> (usize, u32) {
        let jump = self.emit(Op::Jump { to: 0 }, span);
        (jump, self.here())
    }

    /// Closes a loop: goes on at its start as long as there is a next item.
    pub(super) fn end_loop(
        &mut self,
        (jump, start): (usize, u32),
        item: Register,
        iterator: Register,
        numbers: bool,
        span: Span,
    ) {
        self.patch(jump);
        let back = self.here() + 1 - start;
        let back = u16::try_from(back).unwrap_or(u16::MAX);
        self.emit(
            if numbers {
                Op::NextInt {
                    item,
                    iterator,
                    back,
                }
            } else {
                Op::Next {
                    item,
                    iterator,
                    back,
                }
            },
            span,
        );
    }

    /// Registers that follow each other, beginning with `dst` if it is the newest register: a result
    /// that comes in the first is then where it is wanted.
    pub(super) fn block_at(&mut self, dst: Register, count: usize) -> Register {
        if dst.checked_add(1) == Some(self.top) {
            self.fresh_block(count - 1);
            dst
        } else {
            self.fresh_block(count)
        }
    }

    /// Moves a value that is not used again, unless it is there already.
    pub(super) fn take(&mut self, dst: Register, src: Register, span: Span) {
        if dst != src {
            self.emit(Op::Take { dst, src }, span);
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
            declared: self.declared.len(),
        });
        self.declared.push(Declared {
            name: name.to_owned(),
            register,
            span,
            from: self.here(),
            to: None,
        });
    }

    /// Variables declared since there were so many end here.
    pub(super) fn end_locals(&mut self, locals: usize) {
        let here = self.here();
        for local in self.locals.drain(locals..) {
            self.declared[local.declared].to = Some(here);
        }
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
        self.locals[self.hidden..]
            .iter()
            .rev()
            .find(|local| local.name == name)
            .cloned()
    }

    /// Where a value that comes about in several ways is put: where it is wanted, unless that is a
    /// variable, which may still be read on the way.
    pub(super) fn target_for(&mut self, dst: Register) -> Register {
        match self.locals.iter().any(|local| local.register == dst) {
            true => self.fresh(),
            false => dst,
        }
    }

    /// Marks that the function changes something.
    pub(super) fn changes(&mut self) {
        if self.what_ifs == 0 {
            self.pure = false;
            self.alters = true;
        }
    }

    /// Marks that the function speaks to those who listen.
    pub(super) fn speaks(&mut self) {
        if self.what_ifs == 0 {
            self.pure = false;
        }
    }
}
