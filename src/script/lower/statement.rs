//! Statements and blocks.

use crate::diag::{Diagnostic, Span};
use crate::script::code::{Op, Register};
use crate::script::syntax::{
    Binary, Expression, ExpressionKind, Part, Statement, StatementKind, changes,
};
use crate::script::types::{Base, Type};
use crate::table::Value;

use super::builder::{Builder, Loop};

/// Where a statement is written: the parser places some at their operator or the name of a method.
fn start_of(statement: &Statement) -> Span {
    let first = match &statement.kind {
        StatementKind::Assign { target, .. } => leftmost(target),
        StatementKind::Expression(expression) => leftmost(expression),
        _ => statement.span,
    };
    Span {
        end: statement.span.end.max(first.end),
        ..first
    }
}

/// The first place of an expression and its parts.
fn leftmost(expression: &Expression) -> Span {
    let parts = expression.parts().filter_map(|part| match part {
        Part::Expression(inner) => Some(leftmost(inner)),
        Part::Body(_) => None,
    });
    let here = expression.span;
    parts
        .filter(|span| span.file == here.file && span.start < here.start)
        .min()
        .unwrap_or(here)
}

impl Builder<'_, '_> {
    /// The statements of a block; the value of the last goes to `dst`, if wanted. Variables end
    /// with the block.
    pub(super) fn block(&mut self, statements: &[Statement], dst: Option<Register>) -> Type {
        let locals = self.locals.len();
        let top = self.top;
        let last = statements.len().wrapping_sub(1);
        let mut result = None;
        for (index, statement) in statements.iter().enumerate() {
            if index == last {
                result = self.statement(statement, dst);
            } else {
                self.statement(statement, None);
            }
        }
        self.end_locals(locals);
        self.top = top;
        match (result, dst) {
            (Some(of), _) => of,
            (None, Some(dst)) => {
                let span = statements
                    .last()
                    .map_or(self.lowering.units[self.unit].span, |statement| {
                        statement.span
                    });
                let nothing = self.lowering.constant(crate::table::Value::UNIT);
                self.emit(
                    Op::Constant {
                        dst,
                        index: nothing,
                    },
                    span,
                );
                Type::UNIT
            }
            (None, None) => Type::UNIT,
        }
    }

    /// One statement. Gives the type of its value if it has one and it went to `dst`.
    fn statement(&mut self, statement: &Statement, dst: Option<Register>) -> Option<Type> {
        let span = statement.span;
        let top = self.top;
        if !matches!(statement.kind, StatementKind::Nothing) {
            self.begin_statement(start_of(statement), false);
        }
        match &statement.kind {
            StatementKind::Nothing => None,
            StatementKind::Let {
                name,
                name_span,
                value,
                constant,
            } => {
                let register = self.fresh();
                let of = self.to(value, register);
                self.top = register + 1;
                self.declare(name, *name_span, register, of, *constant);
                None
            }
            StatementKind::Assign {
                target,
                operator,
                value,
            } => {
                self.assign(target, *operator, value, span);
                self.top = top;
                None
            }
            StatementKind::Expression(expression) => {
                let of = match (&expression.kind, dst) {
                    (_, Some(dst))
                        if self.only_speaks(expression) && self.gives_nothing(expression) =>
                    {
                        self.speak(expression);
                        self.load(Value::UNIT, dst, expression.span);
                        Some(Type::UNIT)
                    }
                    (_, Some(dst)) => Some(self.to(expression, dst)),
                    (ExpressionKind::If(condition, then, otherwise), None) => {
                        self.branch(condition, then, otherwise, None, expression.span);
                        None
                    }
                    (ExpressionKind::Block(body), None) => {
                        self.block(body, None);
                        None
                    }
                    (_, None) if self.only_speaks(expression) => {
                        self.speak(expression);
                        None
                    }
                    (_, None) => {
                        self.drop_value(expression);
                        None
                    }
                };
                self.top = top;
                of
            }
            StatementKind::While(condition, body) => {
                let start = self.here();
                let exits = condition
                    .as_ref()
                    .map_or(Vec::new(), |condition| self.jump_when(condition, false));
                let finished = self.loop_body(body);
                for at in finished.continues {
                    self.redirect(at, start);
                }
                self.emit(Op::Jump { to: start }, span);
                for at in exits.into_iter().chain(finished.breaks) {
                    self.patch(at);
                }
                self.top = top;
                None
            }
            StatementKind::For {
                name,
                name_span,
                sequence,
                body,
            } => {
                let iterator = self.fresh_block(2);
                let item = self.fresh();
                let of = if let ExpressionKind::Range(from, to, inclusive) = &sequence.kind {
                    let first = self.to(from, iterator);
                    let last = self.to(to, iterator + 1);
                    for (of, side) in [(first, from), (last, to)] {
                        self.expect(of, Type::INT, side);
                    }
                    if *inclusive {
                        self.emit(
                            Op::AddInt {
                                dst: iterator + 1,
                                a: iterator + 1,
                                value: 1,
                            },
                            sequence.span,
                        );
                    }
                    Type::INT
                } else {
                    let (register, of) = self.any(sequence);
                    let copy = matches!(
                        &sequence.kind,
                        ExpressionKind::Name(name) if changes(body, name)
                    );
                    let element = self.element_of(of, sequence);
                    if copy {
                        // The loop runs over the list as it was: the body may change the variable.
                        self.emit(
                            Op::Copy {
                                dst: iterator,
                                src: register,
                            },
                            sequence.span,
                        );
                    }
                    self.emit(
                        Op::Iterate {
                            dst: iterator,
                            src: if copy { iterator } else { register },
                        },
                        sequence.span,
                    );
                    element
                };
                let numbers = matches!(sequence.kind, ExpressionKind::Range(..));
                let begun = self.begin_loop(*name_span);
                let locals = self.locals.len();
                self.declare(name, *name_span, item, of, false);
                let finished = self.loop_body(body);
                for at in finished.continues {
                    self.patch(at);
                }
                self.begin_statement(span, true);
                self.end_loop(begun, item, iterator, numbers, *name_span);
                for at in finished.breaks {
                    self.patch(at);
                }
                self.end_locals(locals);
                self.top = top;
                None
            }
            StatementKind::Break | StatementKind::Continue => {
                let leave = matches!(statement.kind, StatementKind::Break);
                let outside = self.inlines.last().map_or(0, |inline| inline.loops);
                if self.loops.len() <= outside {
                    // Rhai refused it when it parsed.
                    return None;
                }
                let jump = self.emit(Op::Jump { to: 0 }, span);
                if let Some(inner) = self.loops.last_mut() {
                    if leave {
                        inner.breaks.push(jump);
                    } else {
                        inner.continues.push(jump);
                    }
                }
                // Nothing follows: no value is missing.
                dst.map(|_| Type::NEVER)
            }
            StatementKind::Return(value) => {
                let (register, of) = match value {
                    Some(value) => self.any(value),
                    None => {
                        let register = self.fresh();
                        let nothing = self.lowering.constant(crate::table::Value::UNIT);
                        self.emit(
                            Op::Constant {
                                dst: register,
                                index: nothing,
                            },
                            span,
                        );
                        (register, Type::UNIT)
                    }
                };
                if self.inlines.is_empty() {
                    self.emit(Op::Return { src: register }, span);
                    self.result = self.result.join(of);
                } else {
                    let target = self.inlines[self.inlines.len() - 1].dst;
                    self.emit(
                        Op::Copy {
                            dst: target,
                            src: register,
                        },
                        span,
                    );
                    let jump = self.emit(Op::Jump { to: 0 }, span);
                    if let Some(inline) = self.inlines.last_mut() {
                        inline.returns.push(jump);
                        inline.result = inline.result.join(of);
                    }
                }
                self.top = top;
                dst.map(|_| Type::NEVER)
            }
        }
    }

    /// Evaluates an expression that only speaks, if somebody listens.
    fn speak(&mut self, expression: &Expression) {
        let quiet = self.emit(Op::JumpIfQuiet { to: 0 }, expression.span);
        self.drop_value(expression);
        self.emit(Op::Spoken, expression.span);
        self.patch(quiet);
    }

    /// Evaluates an expression whose value nobody wants.
    fn drop_value(&mut self, expression: &Expression) {
        self.dropped = matches!(expression.kind, ExpressionKind::Call { .. });
        self.any(expression);
    }

    fn loop_body(&mut self, body: &[Statement]) -> Loop {
        self.loops.push(Loop::default());
        self.block(body, None);
        self.loops.pop().unwrap_or_default()
    }

    /// `if condition { } else { }`, its value to `dst` if wanted.
    pub(super) fn branch(
        &mut self,
        condition: &Expression,
        then: &[Statement],
        otherwise: &[Statement],
        dst: Option<Register>,
        span: crate::diag::Span,
    ) -> Type {
        let skips = self.jump_when(condition, false);
        let first = self.block(then, dst);
        if otherwise.is_empty() && dst.is_none() {
            for skip in skips {
                self.patch(skip);
            }
            return Type::UNIT;
        }
        let end = self.emit(Op::Jump { to: 0 }, span);
        for skip in skips {
            self.patch(skip);
        }
        let second = self.block(otherwise, dst);
        self.patch(end);
        first.join(second)
    }

    fn assign(
        &mut self,
        target: &Expression,
        operator: Option<Binary>,
        value: &Expression,
        span: crate::diag::Span,
    ) {
        match &target.kind {
            ExpressionKind::Name(name) => {
                let Some(local) = self.find_local(name) else {
                    self.unknown_name(name, target.span);
                    let (register, of) = self.any(value);
                    // Told once: what reads it later means this.
                    self.declare(name, target.span, register, of, false);
                    return;
                };
                if local.constant {
                    self.error(
                        Diagnostic::error(
                            "Y0302",
                            target.span,
                            format!("`{name}` cannot be assigned to"),
                        )
                        .other(local.span, "it is declared here")
                        .help("declare it with `let` if it should change"),
                    );
                }
                let of = match operator {
                    Some(operator) => {
                        let known = (local.register, self.type_of_local(&local));
                        if self.add_number(operator, known, value, local.register, span) {
                            Type::INT
                        } else {
                            let right = self.any(value);
                            self.arithmetic(operator, known, right, local.register, value, span)
                        }
                    }
                    None => {
                        let (right, of) = self.any(value);
                        let op = if matches!(value.kind, ExpressionKind::Name(_)) {
                            Op::Copy {
                                dst: local.register,
                                src: right,
                            }
                        } else {
                            Op::Take {
                                dst: local.register,
                                src: right,
                            }
                        };
                        self.emit(op, span);
                        of
                    }
                };
                self.note_type(local.span, of);
            }
            ExpressionKind::Property(..) | ExpressionKind::Index(..) => {
                self.assign_place(target, operator, value, span);
            }
            ExpressionKind::Refused => {
                self.any(value);
            }
            _ => {
                self.error(
                    Diagnostic::error("Y0303", target.span, "this cannot be assigned to")
                        .help("assign to a variable, a counter, a toggle, a die's face or an element of a list"),
                );
                self.any(value);
            }
        }
    }

    /// Reports unless a value can be a condition.
    pub(super) fn expect_bool(&mut self, of: Type, expression: &Expression) {
        self.expect(of, Type::BOOL, expression);
    }

    /// Reports unless a value can be of a type.
    pub(super) fn expect(&mut self, of: Type, wanted: Type, expression: &Expression) {
        let fits = of.is_open() || of.base == Base::Any && of.lists == 0 || of == wanted;
        if !fits {
            let found = of.describe(&self.lowering.pack.layout);
            let wanted = wanted.describe(&self.lowering.pack.layout);
            self.error(
                Diagnostic::error(
                    "Y0304",
                    expression.span,
                    format!("expected {wanted}, found {found}"),
                )
                .label(format!("this is {found}")),
            );
        }
    }

    /// The element type of what is looped over; reports what cannot be.
    pub(super) fn element_of(&mut self, of: Type, expression: &Expression) -> Type {
        match of.element() {
            Some(element) => element,
            None => {
                let found = of.describe(&self.lowering.pack.layout);
                self.error(
                    Diagnostic::error(
                        "Y0305",
                        expression.span,
                        format!("expected a list or a zone, found {found}"),
                    )
                    .label(format!("this is {found}")),
                );
                Type::ANY
            }
        }
    }
}
