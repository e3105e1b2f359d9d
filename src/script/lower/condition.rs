//! Conditions: code that goes one way or the other, without a boolean in between where it can be spared.

use crate::script::code::Op;
use crate::script::syntax::{
    Binary, Expression, ExpressionKind, Statement, StatementKind, returns,
};

use super::builder::Builder;

impl Builder<'_, '_> {
    /// Evaluates a condition: goes on at the next instruction if it is not `when`, else by one of the
    /// jumps that are given, whose targets are still to be told.
    pub(super) fn jump_when(&mut self, condition: &Expression, when: bool) -> Vec<usize> {
        let top = self.top;
        let jumps = match &condition.kind {
            ExpressionKind::Not(inner) => self.jump_when(inner, !when),
            ExpressionKind::And(sides) => self.jump_when_sides(sides, when, false),
            ExpressionKind::Or(sides) => self.jump_when_sides(sides, when, true),
            ExpressionKind::Binary(operator @ (Binary::Eq | Binary::Ne), left, right) if when => {
                // A test jumps if it does not hold: the opposite is tested.
                let opposite = match operator {
                    Binary::Eq => Binary::Ne,
                    _ => Binary::Eq,
                };
                let register = self.fresh();
                self.binary(opposite, left, right, register, condition.span);
                let jump = Op::JumpUnless {
                    condition: register,
                    to: 0,
                };
                vec![self.emit(jump, condition.span)]
            }
            _ => match self.inlined_condition(condition, when) {
                Some(jumps) => jumps,
                None => {
                    let (register, of) = self.any(condition);
                    self.expect_bool(of, condition);
                    let jump = match when {
                        true => Op::JumpIf {
                            condition: register,
                            to: 0,
                        },
                        false => Op::JumpUnless {
                            condition: register,
                            to: 0,
                        },
                    };
                    vec![self.emit(jump, condition.span)]
                }
            },
        };
        self.top = top;
        jumps
    }

    /// The same for `&&` and `||`: the first side that is `decisive` settles it.
    fn jump_when_sides(&mut self, sides: &[Expression], when: bool, decisive: bool) -> Vec<usize> {
        if when == decisive {
            let jumps = sides.iter().map(|side| self.jump_when(side, when));
            return jumps.collect::<Vec<_>>().concat();
        }
        let Some((last, others)) = sides.split_last() else {
            return Vec::new();
        };
        let settled: Vec<_> = others
            .iter()
            .map(|side| self.jump_when(side, decisive))
            .collect();
        let jumps = self.jump_when(last, when);
        for at in settled.concat() {
            self.patch(at);
        }
        jumps
    }

    /// The same for a call of a small function that is one expression.
    fn inlined_condition(&mut self, condition: &Expression, when: bool) -> Option<Vec<usize>> {
        let ExpressionKind::Call {
            name, arguments, ..
        } = &condition.kind
        else {
            return None;
        };
        let unit = self.lowering.function_from(self.unit, name)?;
        if arguments.len() != self.lowering.units[unit].parameters.len() {
            return None;
        }
        let one = one_expression(self.body_of(unit)?)?.clone();
        self.inlined(unit, arguments, None, |builder, _| {
            builder.jump_when(&one, when)
        })
    }
}

/// The one expression that a body is, if it is one and is not left before its end.
pub(super) fn one_expression(body: &[Statement]) -> Option<&Expression> {
    match body {
        [
            Statement {
                kind: StatementKind::Expression(one),
                ..
            },
        ] => (!returns(body)).then_some(one),
        _ => None,
    }
}
