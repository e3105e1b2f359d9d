//! The flow becomes a function of its own: its cursor is a frame like any other.

use crate::diag::{Diagnostic, nearest};
use crate::pack::model::{Repeat, Snippet};
use crate::script::code::{NO_REGISTER, Op, Register};
use crate::script::parse::parse_snippet;
use crate::script::syntax::Statement;
use crate::script::types::Type;
use crate::table::Value;
use crate::table::ids::BlockId;

use super::builder::Builder;
use super::condition::one_expression;

impl Builder<'_, '_> {
    /// Builds the function of a block of the flow.
    pub(super) fn flow_block(&mut self, id: BlockId, has_me: bool) {
        let block = self.lowering.pack.blocks[id.index()].clone();
        let span = block.span;
        let mut me = None;
        if has_me {
            let register = self.fresh();
            self.declare("me", span, register, Type::PLAYER, true);
            me = Some(register);
        }
        let mut exits = Vec::new();
        let mut start = None;
        let mut begun = None;
        match &block.repeat {
            Repeat::Once => {}
            Repeat::Times(times) => {
                let iterator = self.fresh_block(2);
                let item = self.fresh();
                self.load(Value::int(0), iterator, times.span);
                self.flow_expression(times, iterator + 1, Type::INT);
                begun = Some((self.begin_loop(times.span), item, iterator, true));
            }
            Repeat::While(condition) => {
                start = Some(self.here());
                exits = self.flow_condition(condition);
            }
            Repeat::Each(players) => {
                let iterator = self.fresh_block(2);
                let item = self.fresh();
                let list = self.fresh();
                self.flow_expression(players, list, Type::PLAYER.list());
                self.emit(
                    Op::Iterate {
                        dst: iterator,
                        src: list,
                    },
                    players.span,
                );
                begun = Some((self.begin_loop(players.span), item, iterator, false));
                self.declare("me", players.span, item, Type::PLAYER, true);
                me = Some(item);
            }
        }
        let mut skips = Vec::new();
        if let Some(when) = &block.when {
            skips = self.flow_condition(when);
        }
        if let Some(scope) = block.scope {
            self.emit(Op::Scope { scope }, span);
        }
        self.emit(Op::Block { block: id }, span);
        for step in &block.steps {
            self.flow_step(step, me);
        }
        for skip in skips {
            match start {
                Some(to) => self.redirect(skip, to),
                None => self.patch(skip),
            }
        }
        if let Some((begun, item, iterator, numbers)) = begun {
            self.end_loop(begun, item, iterator, numbers, span);
        }
        if let Some(to) = start {
            self.emit(Op::Jump { to }, span);
        }
        for exit in exits {
            self.patch(exit);
        }
        let nothing = self.fresh();
        self.load(Value::UNIT, nothing, span);
        self.emit(Op::Return { src: nothing }, span);
    }

    /// A pure expression of the flow, built in place.
    fn flow_expression(&mut self, snippet: &Snippet, dst: Register, wanted: Type) {
        let body = self.flow_body(snippet);
        let of = self.only_looking(snippet, |builder| builder.block(&body, Some(dst)));
        let fits = of.is_open()
            || of == wanted
            || of.lists == wanted.lists
                && matches!(
                    of.base,
                    crate::script::types::Base::Never | crate::script::types::Base::Any
                );
        if !fits {
            let layout = &self.lowering.pack.layout;
            let message = format!(
                "expected {}, found {}",
                wanted.describe(layout),
                of.describe(layout)
            );
            self.error(Diagnostic::error("Y0304", snippet.span, message));
        }
    }

    /// A condition of the flow, built in place: the jumps that are taken if it does not hold.
    fn flow_condition(&mut self, snippet: &Snippet) -> Vec<usize> {
        let body = self.flow_body(snippet);
        if let Some(condition) = one_expression(&body) {
            return self.only_looking(snippet, |builder| builder.jump_when(condition, false));
        }
        let register = self.fresh();
        self.flow_expression(snippet, register, Type::BOOL);
        let jump = Op::JumpUnless {
            condition: register,
            to: 0,
        };
        vec![self.emit(jump, snippet.span)]
    }

    fn flow_body(&mut self, snippet: &Snippet) -> Vec<Statement> {
        parse_snippet(
            &self.lowering.pack.sources,
            snippet.span,
            &snippet.text,
            &mut self.lowering.report,
        )
    }

    /// Builds an expression of the flow, and reports if it does more than look.
    fn only_looking<T>(&mut self, snippet: &Snippet, build: impl FnOnce(&mut Self) -> T) -> T {
        let pure = std::mem::replace(&mut self.pure, true);
        let asks = std::mem::replace(&mut self.asks, false);
        let built = build(self);
        if !self.pure || self.asks {
            self.error(
                Diagnostic::error(
                    "Y0330",
                    snippet.span,
                    "an expression of the flow must not change, ask or use chance",
                )
                .help("do it in a step"),
            );
        }
        self.pure = pure;
        self.asks = asks;
        built
    }

    fn flow_step(&mut self, step: &Snippet, me: Option<Register>) {
        let name = step.text.as_str();
        let block = self.lowering.block(name);
        let function = self.lowering.function(name);
        let base = self.fresh();
        self.begin_statement(step.span, false);
        match (block, function) {
            (Some(_), Some(unit)) => {
                let at = self.lowering.units[unit].span;
                self.error(
                    Diagnostic::error(
                        "Y0331",
                        step.span,
                        format!("`{name}` is both a block and a function"),
                    )
                    .other(at, "the function is defined here")
                    .help("rename one of them"),
                );
            }
            (Some(block), None) => {
                let (unit, has_me) = self.lowering.block_units[block.index()];
                if has_me && let Some(me) = me {
                    self.emit(Op::Take { dst: base, src: me }, step.span);
                }
                let function = self.lowering.function_id(unit);
                self.emit(Op::Call { base, function }, step.span);
            }
            (None, Some(unit)) => {
                let wanted = usize::from(me.is_some());
                let found = self.lowering.units[unit].parameters.len();
                if found != wanted {
                    let at = self.lowering.units[unit].span;
                    let message = if wanted == 1 {
                        format!("the step `{name}` must take one parameter, `me`, found {found}")
                    } else {
                        format!("the step `{name}` must take no parameter, found {found}")
                    };
                    let mut diagnostic = Diagnostic::error("Y0332", step.span, message)
                        .other(at, "it is defined here");
                    if wanted == 0 {
                        diagnostic = diagnostic
                            .help("only steps inside a block with `each` are given a player");
                    }
                    self.error(diagnostic);
                    return;
                }
                self.lowering.units[unit].called = true;
                if let Some(me) = me {
                    self.emit(Op::Take { dst: base, src: me }, step.span);
                    self.lowering.note_parameter(unit, 0, Type::PLAYER);
                }
                let function = self.lowering.function_id(unit);
                self.emit(
                    Op::Step {
                        function,
                        player: me.unwrap_or(NO_REGISTER),
                    },
                    step.span,
                );
                self.emit(Op::Call { base, function }, step.span);
            }
            (None, None) => {
                let names: Vec<&str> = self
                    .lowering
                    .pack
                    .blocks
                    .iter()
                    .map(|block| block.name.id.as_str())
                    .chain(
                        self.lowering
                            .units
                            .iter()
                            .filter(|unit| unit.script)
                            .map(|unit| unit.name.as_str()),
                    )
                    .collect();
                let mut diagnostic = Diagnostic::error(
                    "Y0333",
                    step.span,
                    format!("no block and no function is called `{name}`"),
                );
                diagnostic = match nearest(name, names) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!(
                        "define `fn {name}({})` in a script",
                        if me.is_some() { "me" } else { "" }
                    )),
                };
                self.error(diagnostic);
            }
        }
        self.top = base;
    }
}
