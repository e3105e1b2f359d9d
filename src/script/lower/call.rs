//! Calls: of script functions, of verbs, and of verbs that take a closure, which are built in place.

use crate::diag::{Diagnostic, Span, count, count_between, nearest};
use crate::script::api::{self, Acts, Entry, Gives, Verb, Want};
use crate::script::code::{AskKind, MOST_ARGUMENTS, NO_REGISTER, Op, Register};
use crate::script::syntax::{Expression, ExpressionKind, Statement};
use crate::script::types::{Base, Type};
use crate::table::Value;
use crate::table::ids::{EventId, ParameterId};

use super::builder::{Builder, Inline};
use super::condition::one_expression;
use super::layers::BASE;

impl Builder<'_, '_> {
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
        method: bool,
        dst: Register,
        span: Span,
    ) -> Type {
        let dropped = std::mem::take(&mut self.dropped);
        if let Some(unit) = self.lowering.function_from(self.unit, name) {
            return self.call_function(unit, arguments, dst, span);
        }
        let Some(entry) = api::find(name) else {
            return self.unknown_function(name, arguments, method, span);
        };
        let most = entry.parameters.len();
        let least = most - entry.optional;
        if arguments.len() < least
            || arguments.len() > most && !entry.repeats
            || arguments.len() > MOST_ARGUMENTS
        {
            self.wrong_count(entry, arguments.len(), method, span);
            return Type::ANY;
        }
        match entry.acts {
            Acts::Looks => {}
            Acts::Changes => self.changes(),
            Acts::Speaks => self.speaks(),
        }
        let of = self.verb(entry, arguments, dst, span);
        if entry.acts == Acts::Speaks && !dropped {
            self.load(Value::UNIT, dst, span);
        }
        if self.what_ifs > 0 && self.asks_verb(entry.verb) {
            self.error(
                Diagnostic::error("Y0320", span, "nothing can be asked inside `what_if`")
                    .help("ask before it, and test each choice inside"),
            );
        }
        of
    }

    /// Whether calling this does nothing when nobody listens.
    pub(super) fn only_speaks(&self, expression: &Expression) -> bool {
        let ExpressionKind::Call {
            name, arguments, ..
        } = &expression.kind
        else {
            return false;
        };
        let speaks = self
            .lowering
            .function_from(self.unit, name)
            .is_some_and(|unit| {
                let unit = &self.lowering.units[unit];
                !unit.pure && !unit.alters && !unit.asks
            });
        speaks && arguments.iter().all(|argument| self.only_looks(argument))
    }

    /// Whether this is a call of a function that is known to give nothing.
    pub(super) fn gives_nothing(&self, expression: &Expression) -> bool {
        let ExpressionKind::Call { name, .. } = &expression.kind else {
            return false;
        };
        let unit = self.lowering.function(name);
        unit.is_some_and(|unit| self.lowering.units[unit].result == Type::UNIT)
    }

    /// Whether it is plain that evaluating this changes nothing, variables included.
    fn only_looks(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Unit
            | ExpressionKind::Bool(_)
            | ExpressionKind::Int(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Constant(..) => true,
            ExpressionKind::Interpolated(list)
            | ExpressionKind::List(list)
            | ExpressionKind::And(list)
            | ExpressionKind::Or(list) => list.iter().all(|inner| self.only_looks(inner)),
            ExpressionKind::Property(inner, _)
            | ExpressionKind::Negate(inner)
            | ExpressionKind::Not(inner) => self.only_looks(inner),
            ExpressionKind::Index(a, b)
            | ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Contains(a, b) => self.only_looks(a) && self.only_looks(b),
            ExpressionKind::Call {
                name, arguments, ..
            } => {
                let looks = match (
                    self.lowering.function_from(self.unit, name),
                    api::find(name),
                ) {
                    (Some(unit), _) => self.lowering.units[unit].pure,
                    (None, Some(entry)) => {
                        entry.acts == Acts::Looks && !matches!(entry.verb, Verb::Push | Verb::Pop)
                    }
                    (None, None) => false,
                };
                looks && arguments.iter().all(|inner| self.only_looks(inner))
            }
            ExpressionKind::Closure(..)
            | ExpressionKind::Block(_)
            | ExpressionKind::If(..)
            | ExpressionKind::Range(..)
            | ExpressionKind::Refused => false,
        }
    }

    fn asks_verb(&self, verb: Verb) -> bool {
        matches!(
            verb,
            Verb::Choose
                | Verb::ChooseSome
                | Verb::ChooseNumber
                | Verb::ChooseTexts
                | Verb::Confirm
        )
    }

    fn call_function(
        &mut self,
        unit: usize,
        arguments: &[Expression],
        dst: Register,
        span: Span,
    ) -> Type {
        let is_base = self.lowering.units[self.unit].base == Some(unit);
        if is_base {
            let own = self.unit;
            self.lowering.units[own].calls_base = true;
        }
        let expected = self.lowering.units[unit].parameters.len();
        let name = match is_base {
            true => super::layers::BASE.to_owned(),
            false => self.lowering.units[unit].name.clone(),
        };
        if arguments.len() != expected {
            let at = self.lowering.units[unit].span;
            self.error(
                Diagnostic::error(
                    "Y0321",
                    span,
                    format!(
                        "`{name}` takes {}, found {}",
                        count(expected, "argument"),
                        arguments.len()
                    ),
                )
                .other(at, "it is defined here"),
            );
            for argument in arguments {
                self.any(argument);
            }
            return Type::ANY;
        }
        if let Some(result) = self.inlined_call(unit, arguments, dst) {
            return result;
        }
        let base = self.block_at(dst, arguments.len().max(1));
        for (position, argument) in arguments.iter().enumerate() {
            let of = self.to(argument, base + position as u8);
            self.lowering.note_parameter(unit, position, of);
        }
        let callee = &self.lowering.units[unit];
        let (pure, alters) = (callee.pure, callee.alters);
        let (asks, result) = (callee.asks, callee.result);
        self.lowering.units[unit].called = true;
        if alters {
            self.changes();
        } else if !pure {
            self.speaks();
        }
        if asks {
            self.asks = true;
            if self.what_ifs > 0 {
                self.error(
                    Diagnostic::error(
                        "Y0320",
                        span,
                        format!("nothing can be asked inside `what_if`, and `{name}` asks"),
                    )
                    .help("ask before it, and test each choice inside"),
                );
            }
        }
        self.emit(
            Op::Call {
                base,
                function: self.lowering.function_id(unit),
            },
            span,
        );
        self.take(dst, base, span);
        result
    }

    fn unknown_function(
        &mut self,
        name: &str,
        arguments: &[Expression],
        method: bool,
        span: Span,
    ) -> Type {
        if name == BASE {
            self.error(
                Diagnostic::error(
                    "Y0227",
                    span,
                    "`base` can be called only in a function that wraps another",
                )
                .help("list the function under `wrap` in the variant's `[variant]`"),
            );
            for argument in arguments {
                self.any(argument);
            }
            return Type::ANY;
        }
        let mut diagnostic = Diagnostic::error(
            "Y0322",
            span,
            format!(
                "unknown {} `{name}`",
                if method { "method" } else { "function" }
            ),
        );
        let instead = match name {
            "any" => Some("some"),
            "print" | "debug" => Some("say"),
            "length" | "size" => Some("len"),
            "append" => Some("push"),
            "move" | "place" => Some("put"),
            _ => None,
        };
        let names = self
            .lowering
            .units
            .iter()
            .filter(|unit| unit.script)
            .map(|unit| unit.name.as_str())
            .chain(api::TABLE.iter().map(|entry| entry.name));
        if let Some(near) = instead.or_else(|| nearest(name, names)) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else {
            diagnostic =
                diagnostic.help("define it with `fn`, or see `yukon docs verbs` for what there is");
        }
        self.error(diagnostic);
        for argument in arguments {
            if !matches!(argument.kind, ExpressionKind::Closure(..)) {
                self.any(argument);
            }
        }
        Type::ANY
    }

    fn wrong_count(&mut self, entry: &Entry, found: usize, method: bool, span: Span) {
        let hidden = usize::from(method);
        let most = entry.parameters.len() - hidden;
        let least = (most - entry.optional.min(most)).min(most);
        let wanted = if entry.repeats {
            format!("at least {}", count(least, "argument"))
        } else {
            count_between(least, most, "argument")
        };
        let names: Vec<&str> = entry.parameters.iter().map(|(name, _)| *name).collect();
        self.error(
            Diagnostic::error(
                "Y0321",
                span,
                format!("`{}` takes {wanted}, found {}", entry.name, found - hidden),
            )
            .help(format!("write `{}({})`", entry.name, names.join(", "))),
        );
    }

    /// Reports an argument that cannot be what a verb wants.
    fn check_argument(&mut self, entry: &Entry, position: usize, of: Type, argument: &Expression) {
        let wanted = entry.parameters[position.min(entry.parameters.len() - 1)].1;
        if !fits(of, wanted) {
            let found = of.describe(&self.lowering.pack.layout);
            self.error(
                Diagnostic::error(
                    "Y0323",
                    argument.span,
                    format!(
                        "`{}` wants {} here, found {found}",
                        entry.name,
                        wanted.describe()
                    ),
                )
                .help(format!("for example: `{}`", entry.example)),
            );
        }
    }

    fn verb(&mut self, entry: &Entry, arguments: &[Expression], dst: Register, span: Span) -> Type {
        match entry.verb {
            Verb::WhatIf => self.what_if(&arguments[0], dst, span),
            Verb::Filter
            | Verb::Map
            | Verb::Some
            | Verb::All
            | Verb::Find
            | Verb::Count
            | Verb::Sum
            | Verb::MaxBy
            | Verb::MinBy
            | Verb::SortBy => self.closure_verb(entry, arguments, dst, span),
            Verb::Push | Verb::Pop => self.list_verb(entry, arguments, dst, span),
            _ if self.asks_verb(entry.verb) => self.ask(entry, arguments, dst, span),
            Verb::Trigger => self.trigger(entry, arguments, dst, span),
            Verb::Run => self.run(entry, arguments, dst, span),
            Verb::Tagged => self.tagged(&arguments[0], dst, span),
            Verb::ValueOf if let Some((parameter, value)) = self.plain_value(&arguments[0]) => {
                let (top, here) = (self.top, self.ops.len());
                self.arguments(entry, arguments, NO_REGISTER);
                self.top = top;
                let plain = arguments.iter().all(|argument| {
                    matches!(
                        argument.kind,
                        ExpressionKind::Name(_) | ExpressionKind::Constant(..)
                    )
                });
                if plain {
                    // They were looked at; nothing needs them.
                    self.ops.truncate(here);
                    self.spans.truncate(here);
                }
                self.built_in.push((self.here(), parameter));
                self.load(Value::int(value), dst, span);
                Type::INT
            }
            _ => {
                let quiet = (entry.acts == Acts::Speaks)
                    .then(|| self.emit(Op::JumpIfQuiet { to: 0 }, span));
                let alters = std::mem::replace(&mut self.alters, false);
                let types = self.call_verb(entry, arguments, dst, span);
                if entry.verb == Verb::Note {
                    self.check_note(arguments, &types, span);
                }
                if let Some(quiet) = quiet {
                    self.emit(Op::Spoken, span);
                    self.patch(quiet);
                    let changes = self.alters
                        || arguments.iter().any(|argument| {
                            self.locals
                                .iter()
                                .any(|local| argument.changes(&local.name))
                        });
                    if changes {
                        self.error(
                            Diagnostic::error(
                                "Y0326",
                                span,
                                format!("the arguments of `{}` must not change, ask or use chance", entry.name),
                            )
                            .help("they are left out when nobody listens: act before, and say what came of it"),
                        );
                    }
                }
                self.alters |= alters;
                self.result_of(entry.gives, &types, arguments)
            }
        }
    }

    /// The value of a parameter that nothing modifies: it is known at load.
    fn plain_value(&self, argument: &Expression) -> Option<(ParameterId, i64)> {
        let ExpressionKind::Constant(module, name) = &argument.kind else {
            return None;
        };
        let (value, _) = self.lowering.named(module, name).ok()?;
        let parameter = value.as_parameter()?;
        let pack = self.lowering.pack;
        let modified = pack
            .modifiers
            .iter()
            .any(|modifier| modifier.parameter == parameter);
        (!modified).then(|| (parameter, pack.parameters[parameter.index()].base))
    }

    /// Calls a verb of the host. One or two arguments are read where they are.
    fn call_verb(
        &mut self,
        entry: &Entry,
        arguments: &[Expression],
        dst: Register,
        span: Span,
    ) -> Vec<Type> {
        let verb = entry.verb;
        if let 1 | 2 = arguments.len() {
            let mut registers = [0; 2];
            let mut types = Vec::with_capacity(arguments.len());
            for (position, argument) in arguments.iter().enumerate() {
                let later: Vec<&Expression> = arguments[position + 1..].iter().collect();
                let (register, of) = self.before(argument, &later);
                self.check_argument(entry, position, of, argument);
                registers[position] = register;
                types.push(of);
            }
            let [a, b] = registers;
            let op = match (verb, arguments.len()) {
                (Verb::Len, 1) => Op::Len { dst, src: a },
                (Verb::IsEmpty, 1) => Op::IsEmpty { dst, src: a },
                (_, 1) => Op::Host1 { verb, dst, a },
                _ => Op::Host2 { verb, dst, a, b },
            };
            self.emit(op, span);
            return types;
        }
        let (base, types) = self.arguments(entry, arguments, dst);
        self.emit(
            Op::Host {
                verb,
                base,
                arguments: arguments.len() as u8,
            },
            span,
        );
        self.take(dst, base, span);
        types
    }

    /// Arguments into registers that follow each other. Verbs only read lists: they are not copied.
    fn arguments(
        &mut self,
        entry: &Entry,
        arguments: &[Expression],
        dst: Register,
    ) -> (Register, Vec<Type>) {
        let base = self.block_at(dst, arguments.len().max(1));
        let mut types = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let target = base + position as u8;
            let of = match &argument.kind {
                ExpressionKind::Name(name)
                    if self.find_local(name).is_some()
                        && !arguments[position + 1..]
                            .iter()
                            .any(|later| later.changes(name)) =>
                {
                    let (src, of) = self.any(argument);
                    self.emit(Op::Take { dst: target, src }, argument.span);
                    of
                }
                _ => self.to(argument, target),
            };
            self.check_argument(entry, position, of, argument);
            types.push(of);
        }
        (base, types)
    }

    fn result_of(&mut self, gives: Gives, types: &[Type], arguments: &[Expression]) -> Type {
        let element = |position: usize| {
            types
                .get(position)
                .and_then(|of| of.element())
                .unwrap_or(Type::ANY)
        };
        let first = types.first().map_or(Base::Any, |of| of.base);
        match gives {
            Gives::Nothing => Type::UNIT,
            Gives::Int => Type::INT,
            Gives::Bool => Type::BOOL,
            Gives::Players => Type::PLAYER.list(),
            Gives::Element => element(0),
            Gives::ElementOfSecond => element(1),
            Gives::Elements => element(0).list(),
            Gives::Members => match first {
                Base::Set(set) => self.lowering.set_type(set).list(),
                Base::Graph(graph) => Type::of(Base::Node(Some(graph))).list(),
                _ => Type::ANY,
            },
            Gives::Pieces => match first {
                Base::Kind(kind) => Type::of(Base::Piece(Some(kind))).list(),
                _ => Type::of(Base::Piece(None)).list(),
            },
            Gives::Groups => match first {
                Base::GroupKind(kind) => Type::of(Base::Group(Some(kind))).list(),
                _ => Type::of(Base::Group(None)).list(),
            },
            Gives::Group => match first {
                Base::GroupKind(kind) => Type::of(Base::Group(Some(kind))),
                _ => Type::of(Base::Group(None)),
            },
            Gives::Nodes => match first {
                Base::Node(graph) => Type::of(Base::Node(graph)).list(),
                _ => Type::of(Base::Node(None)).list(),
            },
            Gives::Choice => self.choice_type(arguments),
            Gives::Choices => self.choice_type(arguments).list(),
            Gives::OfClosure | Gives::ListOfClosure | Gives::Any => Type::ANY,
        }
    }

    /// What the choices of a decision are, where its first argument says which it is.
    fn choice_type(&self, arguments: &[Expression]) -> Type {
        if let Some(ExpressionKind::Constant(module, name)) =
            arguments.first().map(|argument| &argument.kind)
            && let Ok((value, _)) = self.lowering.named(module, name)
            && let Some(decision) = value.as_decision()
            && let Some(of) = self.lowering.pack.decisions[decision.index()].of
        {
            return Type::of_name(of);
        }
        Type::ANY
    }

    fn tagged(&mut self, argument: &Expression, dst: Register, span: Span) -> Type {
        let ExpressionKind::Constant(module, name) = &argument.kind else {
            self.error(Diagnostic::error(
                "Y0323",
                argument.span,
                "`tagged` wants a tag: `tag::name`",
            ));
            return Type::ANY;
        };
        let tag = match self.lowering.named(module, name) {
            Ok((value, _)) if let Some(tag) = value.as_tag() => tag,
            Ok(_) => {
                self.error(Diagnostic::error(
                    "Y0323",
                    argument.span,
                    "`tagged` wants a tag: `tag::name`",
                ));
                return Type::ANY;
            }
            Err(diagnostic) => {
                self.error(Diagnostic {
                    span: Some(argument.span),
                    ..*diagnostic
                });
                return Type::ANY;
            }
        };
        let layout = &self.lowering.pack.layout;
        let mut parts: Vec<Value> = Vec::new();
        for (index, dial) in layout.dials.iter().enumerate() {
            if dial.tags.contains(&tag) {
                parts.push(Value::from(crate::table::ids::DialId::from_index(index)));
            }
        }
        let dials = parts.len();
        for (index, toggle) in layout.toggles.iter().enumerate() {
            if toggle.tags.contains(&tag) {
                parts.push(Value::from(crate::table::ids::ToggleId::from_index(index)));
            }
        }
        let base = self.fresh_block(parts.len().max(1));
        for (position, part) in parts.iter().enumerate() {
            self.load(*part, base + position as u8, span);
        }
        self.emit(
            Op::List {
                dst,
                base,
                items: parts.len() as u16,
            },
            span,
        );
        match (dials, parts.len() - dials) {
            (_, 0) => Type::of(Base::Dial).list(),
            (0, _) => Type::of(Base::Toggle).list(),
            _ => Type::of(Base::Any).list(),
        }
    }

    fn ask(&mut self, entry: &Entry, arguments: &[Expression], dst: Register, span: Span) -> Type {
        self.asks = true;
        let mut given = arguments;
        if entry.verb == Verb::Choose && arguments.len() == 3 {
            let offer = api::entry(Verb::OfferAll);
            let (base, _) = self.arguments(offer, &arguments[2..], NO_REGISTER);
            self.emit(
                Op::Host {
                    verb: Verb::OfferAll,
                    base,
                    arguments: 1,
                },
                arguments[2].span,
            );
            given = &arguments[..2];
        }
        let kind = match entry.verb {
            Verb::Choose => AskKind::One,
            Verb::ChooseSome => AskKind::Some,
            Verb::ChooseNumber => AskKind::Number,
            Verb::ChooseTexts => AskKind::Texts,
            _ => AskKind::Confirm,
        };
        let (base, types) = self.arguments(entry, given, dst);
        self.emit(Op::Ask { kind, base }, span);
        self.take(dst, base, span);
        self.result_of(entry.gives, &types, arguments)
    }

    fn run(&mut self, entry: &Entry, arguments: &[Expression], dst: Register, span: Span) -> Type {
        let base = self.block_at(dst, arguments.len() + 1);
        let mut types = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let of = self.to(argument, base + position as u8);
            if position == 0 {
                self.check_argument(entry, 0, of, argument);
            } else {
                types.push(of);
            }
        }
        // Which effects can be meant: those of the attribute that is read, else all.
        let attribute = match &arguments[0].kind {
            ExpressionKind::Property(_, name) => Some(name.as_str()),
            _ => None,
        };
        let asks = self.lowering.note_run(attribute, &types, span);
        if asks {
            self.asks = true;
            if self.what_ifs > 0 {
                self.error(Diagnostic::error(
                    "Y0320",
                    span,
                    "nothing can be asked inside `what_if`, and an effect run here asks",
                ));
            }
        }
        self.emit(
            Op::Run {
                base,
                arguments: types.len() as u8,
            },
            span,
        );
        self.take(dst, base, span);
        Type::ANY
    }

    /// What abilities do at an event, one after the other: each only if the player has it by then.
    fn trigger(
        &mut self,
        entry: &Entry,
        arguments: &[Expression],
        dst: Register,
        span: Span,
    ) -> Type {
        let Some(event) = self.event(&arguments[0]) else {
            return Type::UNIT;
        };
        let player = self.fresh();
        let of = self.to(&arguments[1], player);
        self.check_argument(entry, 1, of, &arguments[1]);
        let subject = self.fresh();
        let about = match arguments.get(2) {
            Some(argument) => self.to(argument, subject),
            None => {
                self.load(Value::UNIT, subject, span);
                Type::UNIT
            }
        };
        for code in self.lowering.triggers.clone() {
            if code.event != event {
                continue;
            }
            let top = self.top;
            let flag = self.fresh();
            let has = Op::Has {
                dst: flag,
                player,
                ability: code.ability,
            };
            self.emit(has, span);
            let mut skips = vec![self.emit(jump_unless(flag), span)];
            for unit in code.when.into_iter().chain([code.effect]) {
                let unit = unit.index();
                self.lowering.note_parameter(unit, 0, Type::PLAYER);
                self.lowering.note_parameter(unit, 1, about);
                let base = self.fresh_block(2);
                self.emit(
                    Op::Take {
                        dst: base,
                        src: player,
                    },
                    span,
                );
                self.emit(
                    Op::Copy {
                        dst: base + 1,
                        src: subject,
                    },
                    span,
                );
                let function = self.lowering.function_id(unit);
                self.emit(Op::Call { base, function }, span);
                if code.when == Some(function) {
                    skips.push(self.emit(jump_unless(base), span));
                }
                self.asks |= self.lowering.units[unit].asks;
            }
            for skip in skips {
                self.patch(skip);
            }
            self.top = top;
        }
        if self.asks && self.what_ifs > 0 {
            self.error(Diagnostic::error(
                "Y0320",
                span,
                "nothing can be asked inside `what_if`, and an ability that answers here asks",
            ));
        }
        self.load(Value::UNIT, dst, span);
        Type::UNIT
    }

    /// The event that an argument names.
    fn event(&mut self, argument: &Expression) -> Option<EventId> {
        let events = &self.lowering.pack.events;
        let diagnostic = match &argument.kind {
            ExpressionKind::Constant(module, name) if module == "event" => {
                let found = events.iter().position(|event| event.name.id == *name);
                if let Some(found) = found {
                    return Some(EventId::from_index(found));
                }
                let known = events.iter().map(|event| event.name.id.as_str());
                Diagnostic::error(
                    "Y0341",
                    argument.span,
                    format!("there is no event `{name}`"),
                )
                .suggest(name, known)
                .help("events are declared in TOML: `[event.NAME]`")
            }
            _ => Diagnostic::error(
                "Y0323",
                argument.span,
                "`trigger` wants an event: `event::name`",
            ),
        };
        self.error(diagnostic);
        None
    }

    fn list_verb(
        &mut self,
        entry: &Entry,
        arguments: &[Expression],
        dst: Register,
        span: Span,
    ) -> Type {
        let local = match &arguments[0].kind {
            ExpressionKind::Name(name) => self.find_local(name),
            _ => None,
        };
        let Some(local) = local else {
            self.error(
                Diagnostic::error(
                    "Y0324",
                    arguments[0].span,
                    format!("`{}` works on a list in a variable", entry.name),
                )
                .help("zones are changed by `put` and `draw`; build a list in a variable first"),
            );
            return Type::ANY;
        };
        if local.constant {
            self.error(Diagnostic::error(
                "Y0302",
                arguments[0].span,
                format!("`{}` cannot be changed: it is constant", local.name),
            ));
        }
        let of = self.type_of_local(&local);
        if entry.verb == Verb::Pop {
            let element = self.element_of(of, &arguments[0]);
            self.emit(
                Op::Pop {
                    dst,
                    list: local.register,
                },
                span,
            );
            return element;
        }
        let src = self.fresh();
        let item = self.to(&arguments[1], src);
        if of.lists == 0 && !of.is_open() {
            self.element_of(of, &arguments[0]);
        }
        self.note_type(local.span, item.list());
        self.emit(
            Op::Push {
                list: local.register,
                src,
            },
            span,
        );
        self.load(Value::UNIT, dst, span);
        Type::UNIT
    }

    fn what_if(&mut self, closure: &Expression, dst: Register, span: Span) -> Type {
        let Some((_, body)) = self.closure(closure, 0, "what_if") else {
            return Type::ANY;
        };
        let target = self.target_for(dst);
        self.emit(Op::WhatIf, span);
        self.what_ifs += 1;
        let of = self.inline(body, target);
        self.what_ifs -= 1;
        self.emit(Op::WhatIfEnd, span);
        self.take(dst, target, span);
        of
    }

    /// The parameters and the body of a closure argument, or a diagnostic.
    fn closure<'e>(
        &mut self,
        argument: &'e Expression,
        parameters: usize,
        verb: &str,
    ) -> Option<(&'e [String], &'e [Statement])> {
        match &argument.kind {
            ExpressionKind::Closure(names, body) if names.len() == parameters => {
                Some((names, body))
            }
            _ => {
                let wanted = if parameters == 0 { "|| …" } else { "|x| …" };
                self.error(
                    Diagnostic::error(
                        "Y0325",
                        argument.span,
                        format!("`{verb}` wants a closure `{wanted}`"),
                    )
                    .help(format!(
                        "for example: `{}`",
                        api::find(verb).map_or("", |entry| entry.example)
                    )),
                );
                None
            }
        }
    }

    /// Builds a closure's body in place; `return` inside goes to its end.
    pub(super) fn inline(&mut self, body: &[Statement], dst: Register) -> Type {
        self.inlines.push(Inline {
            dst,
            returns: Vec::new(),
            result: Type::NEVER,
            loops: self.loops.len(),
        });
        let of = self.block(body, Some(dst));
        let Some(inline) = self.inlines.pop() else {
            return of;
        };
        for at in inline.returns {
            self.patch(at);
        }
        of.join(inline.result)
    }

    fn closure_verb(
        &mut self,
        entry: &Entry,
        arguments: &[Expression],
        dst: Register,
        span: Span,
    ) -> Type {
        let Some((names, body)) = self.closure(&arguments[1], 1, entry.name) else {
            self.any(&arguments[0]);
            return Type::ANY;
        };
        let verb = entry.verb;
        // Registers: iterator (list and position), item, what the closure gives, what is gathered.
        let iterator = self.fresh_block(2);
        let item = self.fresh();
        let given = self.fresh();
        let gathered = self.fresh_block(3);
        // The verb runs over the list as it was, whatever the closure does to the variable.
        let (list, of) = self.before(&arguments[0], &[&arguments[1]]);
        let element = self.element_of(of, &arguments[0]);
        self.emit(
            Op::Iterate {
                dst: iterator,
                src: list,
            },
            arguments[0].span,
        );
        match verb {
            Verb::Filter | Verb::Map | Verb::SortBy => {
                self.emit(
                    Op::List {
                        dst: gathered,
                        base: gathered,
                        items: 0,
                    },
                    span,
                );
            }
            Verb::Some => self.load(Value::from(false), gathered, span),
            Verb::All => self.load(Value::from(true), gathered, span),
            Verb::Count | Verb::Sum => self.load(Value::int(0), gathered, span),
            _ => {
                self.load(Value::UNIT, gathered, span);
                self.load(Value::UNIT, gathered + 1, span);
            }
        }
        let begun = self.begin_loop(span);
        let locals = self.locals.len();
        // The parameter has no place of its own: the closure's stands for it.
        self.declare(&names[0], arguments[1].span, item, element, false);
        // Where the closure says no (for `all`, yes): on to the next item.
        let mut nexts = Vec::new();
        let chooses = matches!(
            verb,
            Verb::Filter | Verb::Some | Verb::All | Verb::Find | Verb::Count
        );
        let condition = one_expression(body).filter(|_| chooses);
        let gives = match condition {
            Some(condition) => {
                nexts = self.jump_when(condition, verb == Verb::All);
                Type::BOOL
            }
            None => self.inline(body, given),
        };
        self.end_locals(locals);
        let mut exits = Vec::new();
        match verb {
            _ if chooses => self.expect(gives, Type::BOOL, &arguments[1]),
            Verb::Sum | Verb::MaxBy | Verb::MinBy | Verb::SortBy => {
                self.expect(gives, Type::INT, &arguments[1]);
            }
            _ => {}
        }
        if chooses && condition.is_none() {
            let test = match verb {
                Verb::All => Op::JumpIf {
                    condition: given,
                    to: 0,
                },
                _ => jump_unless(given),
            };
            nexts.push(self.emit(test, span));
        }
        match verb {
            Verb::Filter => {
                self.emit(
                    Op::Push {
                        list: gathered,
                        src: item,
                    },
                    span,
                );
            }
            Verb::Map => {
                self.emit(
                    Op::Push {
                        list: gathered,
                        src: given,
                    },
                    span,
                );
            }
            Verb::SortBy => {
                self.emit(
                    Op::Push {
                        list: gathered,
                        src: given,
                    },
                    span,
                );
            }
            Verb::Some | Verb::Find => {
                if verb == Verb::Some {
                    self.load(Value::from(true), gathered, span);
                } else {
                    self.emit(
                        Op::Copy {
                            dst: gathered,
                            src: item,
                        },
                        span,
                    );
                }
                exits.push(self.emit(Op::Jump { to: 0 }, span));
            }
            Verb::All => {
                self.load(Value::from(false), gathered, span);
                exits.push(self.emit(Op::Jump { to: 0 }, span));
            }
            Verb::Count => {
                self.emit(
                    Op::AddInt {
                        dst: gathered,
                        a: gathered,
                        value: 1,
                    },
                    span,
                );
            }
            Verb::Sum => {
                self.emit(
                    Op::Add {
                        dst: gathered,
                        a: gathered,
                        b: given,
                    },
                    span,
                );
            }
            Verb::MaxBy | Verb::MinBy => {
                if verb == Verb::MinBy {
                    self.emit(
                        Op::Negate {
                            dst: given,
                            src: given,
                        },
                        span,
                    );
                }
                // Is it better than the best so far? The best and its number are kept together.
                self.emit(
                    Op::Better {
                        dst: gathered + 2,
                        best: gathered + 1,
                        key: given,
                    },
                    span,
                );
                nexts.push(self.emit(
                    Op::JumpUnless {
                        condition: gathered + 2,
                        to: 0,
                    },
                    span,
                ));
                self.emit(
                    Op::Take {
                        dst: gathered + 1,
                        src: given,
                    },
                    span,
                );
                self.emit(
                    Op::Copy {
                        dst: gathered,
                        src: item,
                    },
                    span,
                );
            }
            _ => {}
        }
        for at in nexts {
            self.patch(at);
        }
        self.end_loop(begun, item, iterator, false, span);
        for at in exits {
            self.patch(at);
        }
        if verb == Verb::SortBy {
            // The numbers are gathered; the host sorts the elements by them.
            let base = self.fresh_block(2);
            self.emit(
                Op::Take {
                    dst: base,
                    src: iterator,
                },
                span,
            );
            self.emit(
                Op::Take {
                    dst: base + 1,
                    src: gathered,
                },
                span,
            );
            self.emit(
                Op::Host {
                    verb,
                    base,
                    arguments: 2,
                },
                span,
            );
            self.emit(Op::Take { dst, src: base }, span);
        } else {
            self.emit(Op::Take { dst, src: gathered }, span);
        }
        match entry.gives {
            Gives::Bool => Type::BOOL,
            Gives::Int => Type::INT,
            Gives::Element => element,
            Gives::ListOfClosure => gives.list(),
            _ => element.list(),
        }
    }
}

fn jump_unless(condition: Register) -> Op {
    Op::JumpUnless { condition, to: 0 }
}

/// Whether a value of a type can be what a verb wants.
fn fits(of: Type, want: Want) -> bool {
    if of.is_open() || want == Want::Any {
        return true;
    }
    if of.lists > 0 {
        return want == Want::Sequence;
    }
    matches!(
        (want, of.base),
        (_, Base::Any | Base::Never)
            | (Want::Int, Base::Int)
            | (Want::Bool, Base::Bool)
            | (Want::Text, Base::Text)
            | (Want::Player, Base::Player)
            | (Want::Piece, Base::Piece(_))
            | (Want::Zone | Want::Sequence, Base::Zone(_))
            | (Want::Node, Base::Node(_))
            | (Want::Dial, Base::Dial)
            | (Want::Parameter, Base::Parameter)
            | (Want::Decision, Base::Decision)
            | (Want::Reason, Base::Reason)
            | (Want::Stream, Base::Stream)
            | (Want::Exchange, Base::Exchange)
            | (Want::Tag, Base::Tag)
            | (Want::SetOrGraph, Base::Set(_) | Base::Graph(_))
            | (Want::Kind, Base::Kind(_))
            | (Want::GroupKind, Base::GroupKind(_))
            | (Want::Statistic, Base::Statistic)
            | (Want::Attribute, Base::Attribute)
            | (Want::Effect, Base::Effect)
    )
}
