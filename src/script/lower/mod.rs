//! Lowering: a pack's scripts, snippets and flow become bytecode, with every name resolved.
//!
//! All functions of a pack are known, so types are inferred over the whole: each pass lowers every
//! function with what is known of its parameters and notes what its calls say of others, until
//! nothing changes. The last pass reports.

mod builder;
mod call;
mod condition;
mod expression;
mod extend;
mod flow;
mod improve;
mod inline;
mod layers;
mod note;
mod statement;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::diag::{Diagnostic, Report, Sources, Span};
use crate::pack::model::{Amount as PackAmount, EffectRef, ModifierOp, Repeat, Snippet, Tally};
use crate::pack::{Draft, Pack};
use crate::table::exchange::{Exchange, Rule};
use crate::table::ids::{
    AbilityId, BlockId, ChoiceId, DecisionId, DialId, ExchangeId, FunctionId, GraphId, GroupKindId,
    KindId, NodeId, ParameterId, PropertyId, ReasonId, SetId, StatisticId, StreamId, TagId,
    ToggleId, ZoneId,
};
use crate::table::layout::{AttributeInfo, Domain, Holds, Scope};
use crate::table::value::TextRef;
use crate::table::{Case, Layout, TableState, Value};

use super::api;
use super::code::{Beginning, Code, Op, Program, Signature, Variable};
use super::lint::{Free, Source, lint};
use super::parse::parse_snippet;
use super::rules::{
    Amount, ExchangeCode, Holder, ModifierCode, Numbers, ParameterCode, PieceRow, Rules, TallyCode,
    TermCode, TriggerCode,
};
use super::syntax::{ExpressionKind, Statement, StatementKind};
use super::types::{Base, Type};

use builder::Builder;
pub(super) use extend::{Extended, extend};
pub use layers::{
    Declared, FunctionChange, How, changes as function_changes, declared as declared_functions,
};

/// Most passes over all functions before types are taken as they are.
const MOST_PASSES: usize = 24;

/// Most parameters of a function.
const MOST_PARAMETERS: usize = 32;

/// Most functions of a pack's scripts.
const MOST_FUNCTIONS: usize = 4000;

/// Most constants of a pack: numbers that are large, texts, and names.
const MOST_CONSTANTS: usize = 60_000;

/// The code of a unit, positions still those in the function.
struct Lowered {
    ops: Vec<Op>,
    spans: Vec<Span>,
    statements: Vec<Beginning>,
    built_in: Vec<(u32, ParameterId)>,
    registers: u8,
    declared: Vec<builder::Declared>,
}

/// The place of a parameter, by which what is known of it is kept. Parameters have none of their own: one is
/// made from the function's.
fn parameter_span(function: Span, position: usize) -> Span {
    Span {
        end: u32::MAX - position as u32,
        ..function
    }
}

/// What a unit is made from.
#[derive(Clone, Debug)]
enum Body {
    /// Statements of a script function or a snippet.
    Statements(Vec<Statement>),
    /// A block of the flow, with a player or without.
    Block(BlockId, bool),
}

/// A function to be.
#[derive(Clone, Debug)]
struct Unit {
    name: String,
    span: Span,
    parameters: Vec<String>,
    /// What is known of the parameters.
    types: Vec<Type>,
    result: Type,
    body: Body,
    /// Whether it comes from a script file, so that others can call it.
    script: bool,
    pure: bool,
    asks: bool,
    /// Whether it does more than look and speak.
    alters: bool,
    called: bool,
    /// What its value must be, and that it must be pure, for snippets that are looked at.
    wanted: Option<Type>,
    /// Types of variables by the place of their declaration.
    locals: BTreeMap<Span, Type>,
    /// For a function that wraps another: that one.
    base: Option<usize>,
    /// Whether it calls the function that it wraps.
    calls_base: bool,
}

/// A pack on its way to rules.
struct Lowering<'p> {
    pack: &'p Pack,
    report: Report,
    units: Vec<Unit>,
    by_name: FxHashMap<String, usize>,
    modules: BTreeMap<String, BTreeMap<String, (Value, Type)>>,
    constants: Vec<Value>,
    constant_ids: FxHashMap<Value, u16>,
    texts: Vec<u8>,
    text_ids: FxHashMap<String, TextRef>,
    /// For each block, its unit and whether it is given a player.
    block_units: Vec<(usize, bool)>,
    /// For each effect, its unit.
    effect_units: Vec<Option<usize>>,
    /// What abilities do at events.
    triggers: Vec<TriggerCode>,
    /// For each attribute that holds effects, which.
    effects_of: BTreeMap<String, Vec<usize>>,
    changed: bool,
    /// How calls are lowered.
    calls: Calls,
}

/// How calls of small functions are lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// As calls: errors tell all functions that were running, and each can be looked at by itself.
    Kept,
    /// Their bodies take the place of the calls, where it is plain that nobody can tell: games are the
    /// same and quicker.
    Inlined,
}

/// Lowers a pack that was read as far as it could be; gives its texts and all that is wrong with it, sorted
/// by place. There are rules only if none of that is an error.
pub fn lower_draft(draft: Draft) -> (Option<Rules>, Sources, Report) {
    let Draft {
        pack,
        sources,
        mut report,
        doubts,
    } = draft;
    let mut found = Report::new();
    let whole = !report.has_errors();
    let rules = lower_as_far(pack, Calls::Kept, whole, &mut found);
    for diagnostic in doubts.independent(found, &sources).diagnostics {
        report.push(diagnostic);
    }
    report.sort();
    (rules.filter(|_| !report.has_errors()), sources, report)
}

/// Lowers a pack. Without rules, the report says why.
pub fn lower(pack: Pack, report: &mut Report) -> Option<Rules> {
    lower_with(pack, Calls::Kept, report)
}

/// Lowers a pack, with its calls in one way or the other.
pub(super) fn lower_with(pack: Pack, calls: Calls, report: &mut Report) -> Option<Rules> {
    lower_as_far(pack, calls, true, report)
}

/// The same for a pack that may have been read in part: then only what is wrong with its scripts is wanted.
fn lower_as_far(pack: Pack, calls: Calls, whole: bool, report: &mut Report) -> Option<Rules> {
    let functions = layers::functions(&pack, report);
    if functions.len() > MOST_FUNCTIONS {
        let message = format!(
            "the scripts define {} functions: at most {MOST_FUNCTIONS}",
            functions.len()
        );
        let first = functions[MOST_FUNCTIONS][0].span;
        report.push(
            Diagnostic::error("Y0212", first, message)
                .help("write one function that is given a thing in place of one for each"),
        );
        return None;
    }
    let mut lowering = Lowering {
        pack: &pack,
        report: Report::new(),
        units: Vec::new(),
        by_name: FxHashMap::default(),
        modules: modules(&pack),
        constants: Vec::new(),
        constant_ids: FxHashMap::default(),
        texts: Vec::new(),
        text_ids: FxHashMap::default(),
        block_units: Vec::new(),
        effect_units: Vec::new(),
        triggers: Vec::new(),
        effects_of: BTreeMap::new(),
        changed: false,
        calls,
    };
    // Texts of attributes come first: they stay where they are when the same pack is lowered again.
    let texts: Vec<TextRef> = pack
        .layout
        .texts
        .iter()
        .map(|text| lowering.text(text))
        .collect();
    for stack in functions {
        lowering.add_stack(stack, report);
    }
    lowering.add_blocks();
    lowering.add_effects(report);
    lowering.add_triggers(report);
    let wiring = lowering.add_snippets(report);
    for _ in 0..MOST_PASSES {
        lowering.changed = false;
        for unit in 0..lowering.units.len() {
            // A pass learns; its code is thrown away.
            lowering.lower_unit(unit);
        }
        lowering.report = Report::new();
        if !lowering.changed {
            break;
        }
    }
    // Functions that nobody calls are checked as if they were given anything.
    for unit in &mut lowering.units {
        for of in &mut unit.types {
            if *of == Type::NEVER {
                *of = Type::ANY;
            }
        }
    }
    let mut program = Program::default();
    for unit in 0..lowering.units.len() {
        lowering.build(unit, &mut program);
    }
    lowering.check_snippets();
    if !report.has_errors() && !lowering.report.has_errors() {
        lowering.warn_uncalled();
        lowering.lint();
    }
    if lowering.constants.len() >= MOST_CONSTANTS {
        lowering.report.push(
            Diagnostic::placeless(
                "Y0211",
                format!("the scripts have more than {MOST_CONSTANTS} different constants"),
            )
            .help("large numbers, texts and declared names count, each once"),
        );
    }
    program.constants = std::mem::take(&mut lowering.constants);
    program.texts = std::mem::take(&mut lowering.texts);
    report.diagnostics.append(&mut lowering.report.diagnostics);
    let effects = lowering.effect_units.clone();
    let triggers = std::mem::take(&mut lowering.triggers);
    let blocks: Vec<usize> = lowering.block_units.iter().map(|(unit, _)| *unit).collect();
    drop(lowering);
    if report.has_errors() || !whole {
        return None;
    }
    let mut pack = pack;
    point_at_texts(&mut pack.layout, &texts);
    Some(wiring.rules(pack, program, blocks, &effects, triggers))
}

/// The functions whose parameters are given by who calls them: steps, effects, and what variants take the
/// place of.
fn wanted_by_others(pack: &Pack) -> BTreeSet<&str> {
    let steps = pack.blocks.iter().flat_map(|block| &block.steps);
    let steps = steps.map(|step| step.text.trim());
    let effects = pack.effects.iter().map(|effect| effect.code.text.trim());
    let variants = pack.variants.iter();
    let listed = variants.flat_map(|variant| variant.overrides.iter().chain(&variant.wraps));
    let listed = listed.map(|listed| listed.name.as_str());
    steps.chain(effects).chain(listed).collect()
}

/// Whether a body could not be parsed: what it does is not known.
fn is_unread(body: &Body) -> bool {
    let Body::Statements(statements) = body else {
        return false;
    };
    matches!(
        statements.as_slice(),
        [Statement { kind: StatementKind::Expression(expression), .. }]
            if matches!(expression.kind, ExpressionKind::Refused)
    )
}

/// Texts of attributes now lie among the program's: attributes point there.
fn point_at_texts(layout: &mut Layout, texts: &[TextRef]) {
    let point = |attributes: &[AttributeInfo], values: &mut [Value]| {
        for (attribute, value) in attributes.iter().zip(values) {
            if let (Holds::Text, Case::Int(index)) = (attribute.holds, value.case()) {
                *value = Value::from(texts[index as usize]);
            }
        }
    };
    for piece in &mut layout.pieces {
        point(
            &layout.kinds[piece.kind.index()].attributes,
            &mut piece.attributes,
        );
    }
    for node in &mut layout.nodes {
        point(
            &layout.graphs[node.graph.index()].attributes,
            &mut node.attributes,
        );
    }
    for member in &mut layout.members {
        point(
            &layout.set_attributes[member.set.index()],
            &mut member.attributes,
        );
    }
}

/// What snippets and numbers became, by their place in the pack.
struct Wiring {
    parameters: Vec<ParameterCode>,
    terms: Vec<TermCode>,
    ties: Vec<TermCode>,
    evaluate: Option<FunctionId>,
    exchanges: Vec<ExchangeCode>,
}

impl Wiring {
    fn rules(
        self,
        pack: Pack,
        program: Program,
        blocks: Vec<usize>,
        effects: &[Option<usize>],
        triggers: Vec<TriggerCode>,
    ) -> Rules {
        let root = blocks[pack.root.index()];
        let (pieces, attributes) = rows(&pack.layout);
        Rules {
            pieces,
            attributes,
            program,
            root: FunctionId::from_index(root),
            neighbours: neighbours(&pack.layout),
            step_counters: pack
                .layout
                .scoped
                .iter()
                .any(|(scope, _)| *scope == Scope::Step),
            blocks: blocks.into_iter().map(FunctionId::from_index).collect(),
            parameters: self.parameters,
            effects: effects
                .iter()
                .map(|unit| FunctionId::from_index(unit.unwrap_or(0)))
                .collect(),
            abilities: (0..pack.abilities.len())
                .map(|ability| holder(&pack, AbilityId::from_index(ability)))
                .collect(),
            triggers,
            terms: self.terms,
            ties: self.ties,
            evaluate: self.evaluate,
            exchanges: self.exchanges,
            opening: TableState::new(&pack.layout, 0, 0),
            pack,
        }
    }
}

/// The attributes of all pieces in one row, and where those of each begin.
fn rows(layout: &Layout) -> (Vec<PieceRow>, Vec<Value>) {
    let mut attributes = Vec::new();
    let rows = layout.pieces.iter().map(|piece| {
        let first = attributes.len() as u32;
        attributes.extend_from_slice(&piece.attributes);
        PieceRow {
            shape: layout.shape_of_domain(Domain::Kind(piece.kind)),
            class: piece.class,
            first,
        }
    });
    (rows.collect(), attributes)
}

/// Where the piece of an ability must lie.
fn holder(pack: &Pack, ability: AbilityId) -> Holder {
    let ability = &pack.abilities[ability.index()];
    // Of a pack that was read in part the zone may be missing.
    let zone = pack.layout.zone_families.get(ability.zone.index());
    Holder {
        piece: ability.piece,
        zone: zone.map_or(ZoneId(0), |zone| zone.base),
    }
}

/// For each node, those next to it in its graph.
fn neighbours(layout: &Layout) -> Vec<Vec<Value>> {
    layout
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            layout.graphs[node.graph.index()]
                .neighbours(NodeId::from_index(index))
                .into_iter()
                .map(Value::from)
                .collect()
        })
        .collect()
}

/// Whether a word stands in an expression, perhaps as a name.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|other| other == word)
}

/// Every name that stands behind `module::`.
pub(super) fn modules(pack: &Pack) -> BTreeMap<String, BTreeMap<String, (Value, Type)>> {
    let layout = &pack.layout;
    let mut modules: BTreeMap<String, BTreeMap<String, (Value, Type)>> = BTreeMap::new();
    let mut add = |module: &str, name: &str, value: Value, of: Type| {
        modules
            .entry(module.to_owned())
            .or_default()
            .entry(name.to_owned())
            .or_insert((value, of));
    };
    for (index, node) in layout.nodes.iter().enumerate() {
        let value = Value::from(NodeId::from_index(index));
        add(
            "node",
            &node.name.id,
            value,
            Type::of(Base::Node(Some(node.graph))),
        );
    }
    for (index, member) in layout.members.iter().enumerate() {
        let value = Value::from(crate::table::ids::MemberId::from_index(index));
        let set = &layout.sets[member.set.index()].name.id;
        add(
            set,
            &member.name.id,
            value,
            Type::of(Base::Member(Some(member.set))),
        );
    }
    for (index, piece) in layout.pieces.iter().enumerate() {
        let value = Value::from(crate::table::ids::PieceId::from_index(index));
        let kind = &layout.kinds[piece.kind.index()].name.id;
        add(
            kind,
            &piece.name.id,
            value,
            Type::of(Base::Piece(Some(piece.kind))),
        );
    }
    for (index, dial) in layout.dials.iter().enumerate() {
        let value = Value::from(DialId::from_index(index));
        add("dial", &dial.name.id, value, Type::of(Base::Dial));
    }
    for (index, toggle) in layout.toggles.iter().enumerate() {
        let value = Value::from(ToggleId::from_index(index));
        add("toggle", &toggle.name.id, value, Type::of(Base::Toggle));
    }
    for (index, parameter) in pack.parameters.iter().enumerate() {
        let value = Value::from(ParameterId::from_index(index));
        add(
            "parameter",
            &parameter.name.id,
            value,
            Type::of(Base::Parameter),
        );
    }
    for (index, decision) in pack.decisions.iter().enumerate() {
        let value = Value::from(DecisionId::from_index(index));
        add(
            "decision",
            &decision.name.id,
            value,
            Type::of(Base::Decision),
        );
    }
    for (index, choice) in layout.choices.iter().enumerate() {
        let value = Value::from(ChoiceId::from_index(index));
        add("choice", &choice.id, value, Type::of(Base::Choice));
    }
    for (index, reason) in pack.reasons.iter().enumerate() {
        let value = Value::from(ReasonId::from_index(index));
        add("reason", &reason.name.id, value, Type::of(Base::Reason));
    }
    for (index, statistic) in pack.statistics.iter().enumerate() {
        let value = Value::from(StatisticId::from_index(index));
        let of = Type::of(Base::Statistic);
        add("statistic", &statistic.name.id, value, of);
    }
    for (index, stream) in layout.streams.iter().enumerate() {
        let value = Value::from(StreamId::from_index(index));
        add("stream", &stream.0, value, Type::of(Base::Stream));
    }
    for (index, exchange) in pack.exchanges.iter().enumerate() {
        let value = Value::from(ExchangeId::from_index(index));
        add(
            "exchange",
            &exchange.name.id,
            value,
            Type::of(Base::Exchange),
        );
    }
    for (index, tag) in layout.tags.iter().enumerate() {
        add(
            "tag",
            tag,
            Value::from(TagId::from_index(index)),
            Type::of(Base::Tag),
        );
    }
    for (index, set) in layout.sets.iter().enumerate() {
        let id = SetId::from_index(index);
        add(
            "set",
            &set.name.id,
            Value::from(id),
            Type::of(Base::Set(id)),
        );
    }
    for (index, graph) in layout.graphs.iter().enumerate() {
        let id = GraphId::from_index(index);
        add(
            "graph",
            &graph.name.id,
            Value::from(id),
            Type::of(Base::Graph(id)),
        );
    }
    for (index, kind) in layout.kinds.iter().enumerate() {
        let id = KindId::from_index(index);
        add(
            "kind",
            &kind.name.id,
            Value::from(id),
            Type::of(Base::Kind(id)),
        );
    }
    for (index, kind) in layout.group_kinds.iter().enumerate() {
        let id = GroupKindId::from_index(index);
        add(
            "group",
            &kind.name.id,
            Value::from(id),
            Type::of(Base::GroupKind(id)),
        );
    }
    let attributes = layout
        .kinds
        .iter()
        .flat_map(|kind| &kind.attributes)
        .chain(layout.graphs.iter().flat_map(|graph| &graph.attributes))
        .chain(layout.set_attributes.iter().flatten());
    for attribute in attributes {
        add(
            "attribute",
            &layout.properties[attribute.property.index()],
            Value::from(attribute.property),
            Type::of(Base::Attribute),
        );
    }
    modules
}

impl Lowering<'_> {
    fn add_unit(&mut self, unit: Unit) -> usize {
        self.units.push(unit);
        self.units.len() - 1
    }

    /// Adds the functions of a name, each of which wraps the one before it; the last one is called by it.
    fn add_stack(&mut self, stack: layers::Stack, report: &mut Report) {
        let last = stack.len().saturating_sub(1);
        let mut base = None;
        for (depth, function) in stack.into_iter().enumerate() {
            let name = function.name.clone();
            let Some(unit) = self.add_script(function, base, report) else {
                return;
            };
            match depth == last {
                true => {
                    self.by_name.insert(name, unit);
                }
                false => self.units[unit].name.push_str(" (wrapped)"),
            }
            base = Some(unit);
        }
    }

    /// Adds a script function, if it can be one. `base` is the unit that it wraps.
    fn add_script(
        &mut self,
        function: super::syntax::Function,
        base: Option<usize>,
        report: &mut Report,
    ) -> Option<usize> {
        if let Some(entry) = api::find(&function.name) {
            report.push(
                Diagnostic::error(
                    "Y0205",
                    function.span,
                    format!("`{}` is a verb of the engine", entry.name),
                )
                .help("give your function another name"),
            );
            return None;
        }
        if function.parameters.len() > MOST_PARAMETERS {
            report.push(
                Diagnostic::error(
                    "Y0209",
                    function.span,
                    format!(
                        "function `{}` takes {} parameters: at most {MOST_PARAMETERS}",
                        function.name,
                        function.parameters.len()
                    ),
                )
                .help("give a list, or what the values belong to"),
            );
            return None;
        }
        Some(self.add_unit(Unit {
            name: function.name,
            span: function.span,
            types: vec![Type::NEVER; function.parameters.len()],
            parameters: function.parameters,
            result: Type::NEVER,
            body: Body::Statements(function.body),
            script: true,
            pure: true,
            asks: false,
            alters: false,
            called: false,
            wanted: None,
            locals: BTreeMap::new(),
            base,
            calls_base: false,
        }))
    }

    /// A snippet as a function of its own.
    fn add_snippet(
        &mut self,
        snippet: &Snippet,
        what: String,
        parameters: &[(String, Type)],
        wanted: Option<Type>,
        report: &mut Report,
    ) -> usize {
        let body = parse_snippet(&self.pack.sources, snippet.span, &snippet.text, report);
        self.add_unit(Unit {
            name: what,
            span: snippet.span,
            parameters: parameters.iter().map(|(name, _)| name.clone()).collect(),
            types: parameters.iter().map(|(_, of)| *of).collect(),
            result: Type::NEVER,
            body: Body::Statements(body),
            script: false,
            pure: true,
            asks: false,
            alters: false,
            called: true,
            wanted,
            locals: BTreeMap::new(),
            base: None,
            calls_base: false,
        })
    }

    /// A snippet that gives a number: known at once if it is written out.
    fn add_amount(
        &mut self,
        snippet: &Snippet,
        what: String,
        parameters: &[(String, Type)],
        report: &mut Report,
    ) -> Amount {
        let written = snippet.text.trim();
        if let Ok(value) = written.replace('_', "").parse::<i64>() {
            return Amount::Known(value);
        }
        let unit = self.add_snippet(snippet, what, parameters, Some(Type::INT), report);
        Amount::Computed(FunctionId::from_index(unit))
    }

    fn add_blocks(&mut self) {
        let blocks = self.pack.blocks.len();
        // A block is given a player if every way to it leads through an `each`.
        let mut contexts: Vec<Vec<bool>> = vec![Vec::new(); blocks];
        let mut stack = Vec::new();
        // A pack with errors may be without any.
        if blocks > 0 {
            stack.push((self.pack.root, false));
        }
        while let Some((id, me)) = stack.pop() {
            if contexts[id.index()].contains(&me) {
                continue;
            }
            contexts[id.index()].push(me);
            let block = &self.pack.blocks[id.index()];
            let inner = me || matches!(block.repeat, Repeat::Each(_));
            for step in &block.steps {
                if let Some(next) = self.block(&step.text) {
                    stack.push((next, inner));
                }
            }
        }
        // Whether all that is done is known: a pack with errors may have a block of unknown steps.
        let whole = self.pack.blocks.iter().all(|block| !block.steps.is_empty());
        for (index, context) in contexts.iter().enumerate() {
            let block = &self.pack.blocks[index];
            let has_me = !context.is_empty() && context.iter().all(|me| *me);
            let unit = self.add_unit(Unit {
                name: block.name.id.clone(),
                span: block.span,
                parameters: if has_me {
                    vec!["me".to_owned()]
                } else {
                    Vec::new()
                },
                types: if has_me {
                    vec![Type::PLAYER]
                } else {
                    Vec::new()
                },
                result: Type::UNIT,
                // Of one that is perhaps done it is not known whether it is given a player.
                body: match whole || !context.is_empty() {
                    true => Body::Block(BlockId::from_index(index), has_me),
                    false => Body::Statements(Vec::new()),
                },
                script: false,
                pure: false,
                asks: true,
                alters: true,
                called: true,
                wanted: None,
                locals: BTreeMap::new(),
                base: None,
                calls_base: false,
            });
            self.block_units.push((unit, has_me));
        }
    }

    fn add_effects(&mut self, report: &mut Report) {
        self.find_effects();
        for effect in &self.pack.effects {
            let unit = self.add_effect(effect, report);
            self.effect_units.push(unit);
        }
    }

    /// Notes which attributes hold which effects.
    fn find_effects(&mut self) {
        let layout = &self.pack.layout;
        let mut owners: Vec<(PropertyId, Value)> = Vec::new();
        let mut look = |attributes: &[AttributeInfo], values: &[Value]| {
            for (attribute, value) in attributes.iter().zip(values) {
                owners.push((attribute.property, *value));
            }
        };
        for piece in &layout.pieces {
            look(
                &layout.kinds[piece.kind.index()].attributes,
                &piece.attributes,
            );
        }
        for node in &layout.nodes {
            look(
                &layout.graphs[node.graph.index()].attributes,
                &node.attributes,
            );
        }
        for member in &layout.members {
            look(
                &layout.set_attributes[member.set.index()],
                &member.attributes,
            );
        }
        for (property, value) in owners {
            if let Some(effect) = value.as_effect() {
                self.effects_of
                    .entry(layout.properties[property.index()].clone())
                    .or_default()
                    .push(effect.index());
            }
        }
    }

    fn add_effect(&mut self, effect: &EffectRef, report: &mut Report) -> Option<usize> {
        let text = effect.code.text.trim();
        let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            let parameters: Vec<(String, Type)> = effect
                .parameters
                .iter()
                .map(|name| {
                    let of = if name == "me" {
                        Type::PLAYER
                    } else {
                        Type::NEVER
                    };
                    (name.clone(), of)
                })
                .collect();
            let unit = self.add_snippet(
                &effect.code,
                "an effect in TOML".to_owned(),
                &parameters,
                None,
                report,
            );
            return Some(unit);
        }
        let Some(unit) = self.function(text) else {
            report.push(
                Diagnostic::error(
                    "Y0335",
                    effect.code.span,
                    format!("no function is called `{text}`"),
                )
                .suggest(
                    text,
                    self.units
                        .iter()
                        .filter(|unit| unit.script)
                        .map(|unit| unit.name.as_str()),
                )
                .help(format!(
                    "define `fn {text}({})` in a script",
                    effect.parameters.join(", ")
                )),
            );
            return None;
        };
        self.units[unit].called = true;
        if self.units[unit].parameters.len() != effect.parameters.len() {
            report.push(
                Diagnostic::error(
                    "Y0336",
                    effect.code.span,
                    format!(
                        "the effect `{text}` must take ({}), found ({})",
                        effect.parameters.join(", "),
                        self.units[unit].parameters.join(", ")
                    ),
                )
                .other(self.units[unit].span, "it is defined here"),
            );
            return None;
        }
        Some(unit)
    }

    fn add_snippets(&mut self, report: &mut Report) -> Wiring {
        let pack = self.pack;
        let me = ("me".to_owned(), Type::PLAYER);
        let about = [me.clone(), ("subject".to_owned(), Type::ANY)];
        let mut parameters: Vec<ParameterCode> = pack
            .parameters
            .iter()
            .map(|parameter| ParameterCode {
                base: parameter.base,
                modifiers: Vec::new(),
            })
            .collect();
        for (index, modifier) in pack.modifiers.iter().enumerate() {
            let id = &modifier.name.id;
            let amount = self.add_amount(
                &modifier.amount,
                format!("the amount of modifier `{id}`"),
                &about,
                report,
            );
            let when = modifier.when.as_ref().map(|when| {
                FunctionId::from_index(self.add_snippet(
                    when,
                    format!("the condition of modifier `{id}`"),
                    &about,
                    Some(Type::BOOL),
                    report,
                ))
            });
            parameters[modifier.parameter.index()]
                .modifiers
                .push(ModifierCode {
                    index,
                    holder: modifier.ability.map(|ability| holder(pack, ability)),
                    op: modifier.op,
                    amount,
                    when,
                });
        }
        for parameter in &mut parameters {
            parameter
                .modifiers
                .sort_by_key(|modifier| (modifier.op.min(ModifierOp::Min), modifier.index));
        }
        let mut score = |lowering: &mut Self, terms: &[crate::pack::model::ScoringTerm]| {
            terms
                .iter()
                .map(|term| {
                    let id = &term.name.id;
                    TermCode {
                        holder: term.ability.map(|ability| holder(pack, ability)),
                        count: term
                            .count
                            .as_ref()
                            .map(|count| lowering.add_tally(count, id, report)),
                        points: FunctionId::from_index(lowering.add_snippet(
                            &term.points,
                            format!("the points of `{id}`"),
                            std::slice::from_ref(&me),
                            Some(Type::INT),
                            report,
                        )),
                        when: term.when.as_ref().map(|when| {
                            FunctionId::from_index(lowering.add_snippet(
                                when,
                                format!("the condition of `{id}`"),
                                std::slice::from_ref(&me),
                                Some(Type::BOOL),
                                report,
                            ))
                        }),
                    }
                })
                .collect()
        };
        let terms = score(self, &pack.scoring.terms);
        let ties = score(self, &pack.scoring.ties);
        let evaluate = pack.evaluate.as_ref().map(|evaluate| {
            let what = "`evaluate` of `game`".to_owned();
            let about = std::slice::from_ref(&me);
            let unit = self.add_snippet(evaluate, what, about, Some(Type::INT), report);
            FunctionId::from_index(unit)
        });
        let exchanges = pack
            .exchanges
            .iter()
            .map(|exchange| self.add_exchange(exchange, report))
            .collect();
        Wiring {
            parameters,
            terms,
            ties,
            evaluate,
            exchanges,
        }
    }

    /// What a scoring term counts.
    fn add_tally(&mut self, tally: &Tally, id: &str, report: &mut Report) -> TallyCode {
        let zones = &self.pack.layout.zone_families;
        let holds = zones.get(tally.zone.index()).and_then(|zone| zone.holds);
        let about = [
            ("me".to_owned(), Type::PLAYER),
            ("piece".to_owned(), Type::of(Base::Piece(holds))),
        ];
        let what = format!("what `{id}` counts");
        TallyCode {
            zone: tally.zone,
            with: tally.with.clone(),
            which: tally.which.as_ref().map(|which| {
                let unit = self.add_snippet(which, what, &about, Some(Type::BOOL), report);
                FunctionId::from_index(unit)
            }),
            distinct: tally.distinct,
            least: tally.least,
            every: tally.every,
            flat: tally.flat,
        }
    }

    /// What abilities do at events. Who says that something happened tells the type of the subject.
    fn add_triggers(&mut self, report: &mut Report) {
        let pack = self.pack;
        for trigger in &pack.triggers {
            let id = &pack.abilities[trigger.ability.index()].name.id;
            let about = [
                ("me".to_owned(), Type::PLAYER),
                ("subject".to_owned(), Type::NEVER),
            ];
            let when = trigger.when.as_ref().map(|when| {
                let what = format!("the condition of ability `{id}`");
                let unit = self.add_snippet(when, what, &about, Some(Type::BOOL), report);
                FunctionId::from_index(unit)
            });
            let Some(effect) = self.add_effect(&trigger.effect, report) else {
                continue;
            };
            self.triggers.push(TriggerCode {
                event: trigger.event,
                ability: trigger.ability.0,
                when,
                effect: FunctionId::from_index(effect),
            });
        }
    }

    fn add_exchange<'a>(
        &mut self,
        info: &'a crate::pack::model::ExchangeInfo,
        report: &mut Report,
    ) -> ExchangeCode {
        let id = &info.name.id;
        let (subject, of) = match &info.subject {
            Some((name, of)) => (name.clone(), Type::of_name(*of)),
            None => ("subject".to_owned(), Type::ANY),
        };
        let about = vec![("me".to_owned(), Type::PLAYER), (subject, of)];
        let (mut starts, mut mosts) = (Numbers::default(), Numbers::default());
        // First slot and members of each resource.
        let mut slots: Vec<(usize, Vec<Value>)> = Vec::new();
        for resource in &info.resources {
            let what = format!("resource `{}` of exchange `{id}`", resource.id);
            let (parameters, members) = self.each_member(&about, resource.each);
            let start = self.add_amount(&resource.start, what.clone(), &parameters, report);
            let most = resource
                .most
                .as_ref()
                .map_or(Amount::Known(i64::MAX), |most| {
                    self.add_amount(most, format!("the most of {what}"), &parameters, report)
                });
            let first = starts.known.len();
            for member in &members {
                starts.push(start, *member);
                mosts.push(most, *member);
            }
            slots.push((first, members));
        }
        let mut amounts = Numbers::default();
        // Where the amounts of each text are, one for each member that it is about. Members are told by
        // the set, and a text that does not name the set is about none of them.
        let mut places: BTreeMap<(&str, Option<SetId>), Vec<usize>> = BTreeMap::new();
        let mut rules = Vec::new();
        for rule in &info.rules {
            let (parameters, members) = self.each_member(&about, rule.each);
            let mut place = |amount: &'a Snippet| -> Vec<usize> {
                let what = format!("rule `{}` of exchange `{id}`", rule.id);
                let code = self.add_amount(amount, what, &parameters, report);
                let text = amount.text.trim();
                let about = rule
                    .each
                    .filter(|set| has_word(text, &self.pack.layout.sets[set.index()].name.id));
                let found = places.entry((text, about)).or_insert_with(|| {
                    let members = if about.is_some() {
                        &*members
                    } else {
                        &[Value::UNIT]
                    };
                    members
                        .iter()
                        .map(|member| amounts.push(code, *member))
                        .collect()
                });
                found.clone()
            };
            let mut list = |list: &'a [PackAmount]| -> Vec<(usize, Vec<usize>)> {
                list.iter()
                    .map(|amount| (amount.resource, place(&amount.amount)))
                    .collect()
            };
            let need = list(&rule.need);
            let take = list(&rule.take);
            let give = list(&rule.give);
            let any = rule
                .take_any
                .as_ref()
                .map(|(from, count)| (from, place(count)));
            // Of a draft, a set may have lost its members: there is nothing to exchange then.
            if slots.iter().any(|(_, members)| members.is_empty()) {
                continue;
            }
            for member in 0..members.len() {
                let of_member = |places: &[usize]| places[member % places.len()];
                let list = |list: &[(usize, Vec<usize>)]| {
                    list.iter()
                        .map(|(resource, places)| {
                            let (first, members) = &slots[*resource];
                            (first + member % members.len(), of_member(places))
                        })
                        .collect()
                };
                rules.push(Rule {
                    need: list(&need),
                    take: list(&take),
                    give: list(&give),
                    take_any: any.as_ref().map(|(from, places)| {
                        let from = from
                            .iter()
                            .flat_map(|resource| {
                                let (first, members) = &slots[*resource];
                                *first..first + members.len()
                            })
                            .collect();
                        (from, of_member(places))
                    }),
                    automatic: rule.automatic,
                });
            }
        }
        let (mut goal, mut wanted) = (Vec::new(), Numbers::default());
        for amount in &info.goal {
            let what = format!("the goal of exchange `{id}`");
            let value = self.add_amount(&amount.amount, what, &about, report);
            goal.push(slots[amount.resource].0);
            wanted.push(value, Value::UNIT);
        }
        ExchangeCode {
            exchange: Exchange::new(starts.known.len(), rules),
            starts,
            mosts,
            amounts,
            goal: (goal, wanted),
        }
    }

    /// The parameters of an expression that is asked once for each member of a set, and the members:
    /// nothing, once, if there is no set.
    fn each_member(
        &self,
        about: &[(String, Type)],
        each: Option<SetId>,
    ) -> (Vec<(String, Type)>, Vec<Value>) {
        let mut parameters = about.to_vec();
        let Some(set) = each else {
            return (parameters, vec![Value::UNIT]);
        };
        let info = &self.pack.layout.sets[set.index()];
        parameters.push((info.name.id.clone(), self.set_type(set)));
        (parameters, info.members.clone())
    }

    fn function(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The function that a unit calls by a name: one of the scripts, or the one that it wraps.
    fn function_from(&self, unit: usize, name: &str) -> Option<usize> {
        match name == layers::BASE {
            true => self.units[unit].base,
            false => self.function(name),
        }
    }

    fn function_id(&self, unit: usize) -> FunctionId {
        FunctionId::from_index(unit)
    }

    fn block(&self, name: &str) -> Option<BlockId> {
        self.pack
            .blocks
            .iter()
            .position(|block| block.name.id == name)
            .map(BlockId::from_index)
    }

    fn constant(&mut self, value: Value) -> u16 {
        if let Some(known) = self.constant_ids.get(&value) {
            return *known;
        }
        let index = self.constants.len() as u16;
        if self.constants.len() >= MOST_CONSTANTS {
            // Reported when all is built.
            return 0;
        }
        self.constants.push(value);
        self.constant_ids.insert(value, index);
        index
    }

    fn text(&mut self, text: &str) -> TextRef {
        if let Some(known) = self.text_ids.get(text) {
            return *known;
        }
        let reference = TextRef {
            start: self.texts.len() as u32,
            len: text.len() as u32,
        };
        self.texts.extend_from_slice(text.as_bytes());
        self.text_ids.insert(text.to_owned(), reference);
        reference
    }

    /// The value behind `module::name`.
    fn named(&self, module: &str, name: &str) -> Result<(Value, Type), Box<Diagnostic>> {
        let Some(names) = self.modules.get(module) else {
            let mut diagnostic =
                Diagnostic::placeless("Y0340", format!("unknown module `{module}`"));
            diagnostic = diagnostic.suggest(module, self.modules.keys().map(String::as_str));
            return Err(Box::new(diagnostic));
        };
        match names.get(name) {
            Some(found) => Ok(*found),
            None => {
                let mut diagnostic =
                    Diagnostic::placeless("Y0341", format!("`{module}` has no `{name}`"));
                let near = crate::diag::nearest(name, names.keys().map(String::as_str));
                diagnostic = match near {
                    Some(near) => diagnostic.help(format!("did you mean `{module}::{near}`?")),
                    None => match self.module_of(name) {
                        Some(other) => diagnostic.help(format!("did you mean `{other}::{name}`?")),
                        None => {
                            let some: Vec<&str> =
                                names.keys().take(12).map(String::as_str).collect();
                            diagnostic.help(format!("`{module}` has: {}", some.join(", ")))
                        }
                    },
                };
                Err(Box::new(diagnostic))
            }
        }
    }

    /// A module that has a name, if any.
    fn module_of(&self, name: &str) -> Option<&str> {
        self.modules
            .iter()
            .find(|(_, names)| names.contains_key(name))
            .map(|(module, _)| module.as_str())
    }

    fn set_type(&self, set: SetId) -> Type {
        let layout = &self.pack.layout;
        match layout.sets[set.index()]
            .members
            .first()
            .map(|first| first.case())
        {
            Some(Case::Node(node)) => Type::of(Base::Node(Some(layout.nodes[node.index()].graph))),
            Some(Case::Member(_)) => Type::of(Base::Member(Some(set))),
            _ => Type::ANY,
        }
    }

    fn attribute_type(&self, attribute: &AttributeInfo) -> Type {
        Type::of_holds(attribute.holds)
    }

    /// Notes what a call says of a function's parameter.
    fn note_parameter(&mut self, unit: usize, position: usize, of: Type) {
        let known = &mut self.units[unit].types[position];
        let joined = known.join(of);
        if joined != *known {
            *known = joined;
            self.changed = true;
        }
    }

    /// Notes what a `run` says of the effects it can call; gives whether one of them asks.
    fn note_run(&mut self, attribute: Option<&str>, types: &[Type], span: Span) -> bool {
        let effects: Vec<usize> = match attribute.and_then(|name| self.effects_of.get(name)) {
            Some(effects) => effects.clone(),
            None => (0..self.pack.effects.len()).collect(),
        };
        let exact = attribute.is_some_and(|name| self.effects_of.contains_key(name));
        let mut asks = false;
        for effect in effects {
            let parameters = self.pack.effects[effect].parameters.len();
            if parameters != types.len() {
                if exact {
                    self.report.push(
                        Diagnostic::error(
                            "Y0337",
                            span,
                            format!(
                                "this effect takes ({}), found {} after the effect",
                                self.pack.effects[effect].parameters.join(", "),
                                types.len()
                            ),
                        )
                        .other(self.pack.effects[effect].code.span, "one of them is here"),
                    );
                    return asks;
                }
                continue;
            }
            if let Some(unit) = self.effect_units[effect] {
                for (position, of) in types.iter().enumerate() {
                    self.note_parameter(unit, position, *of);
                }
                asks |= self.units[unit].asks;
            }
        }
        asks
    }

    /// Lowers a unit with what is known; gives its code.
    fn lower_unit(&mut self, index: usize) -> Lowered {
        let unit = self.units[index].clone();
        let mut builder = Builder::new(self, index);
        match &unit.body {
            Body::Block(block, has_me) => {
                builder.flow_block(*block, *has_me);
                builder.pure = false;
                builder.asks = true;
                builder.result = Type::UNIT;
            }
            Body::Statements(statements) => {
                for (position, (name, of)) in unit.parameters.iter().zip(&unit.types).enumerate() {
                    let register = builder.fresh();
                    let place = parameter_span(unit.span, position);
                    builder.declare(name, place, register, *of, false);
                }
                let target = builder.fresh();
                let of = builder.block(statements, Some(target));
                builder.emit(Op::Return { src: target }, unit.span);
                builder.result = builder.result.join(of);
            }
        }
        let (ops, spans, registers) = (builder.ops, builder.spans, builder.registers);
        let (statements, built_in) = (builder.statements, builder.built_in);
        let declared = builder.declared;
        let (pure, asks, result) = (builder.pure, builder.asks, builder.result);
        let alters = builder.alters;
        if builder.crowded {
            self.report.push(
                Diagnostic::error(
                    "Y0210",
                    unit.span,
                    format!(
                        "`{}` holds more than {} values at once",
                        unit.name,
                        builder::MOST_REGISTERS
                    ),
                )
                .help("split it, shorten its lists, or move them to TOML"),
            );
        }
        let known = &mut self.units[index];
        let joined = known.result.join(result);
        if joined != known.result
            || known.pure && !pure
            || !known.asks && asks
            || !known.alters && alters
        {
            known.result = joined;
            known.pure &= pure;
            known.asks |= asks;
            known.alters |= alters;
            self.changed = true;
        }
        Lowered {
            ops,
            spans,
            statements,
            built_in,
            registers,
            declared,
        }
    }

    /// Lowers a unit for good.
    fn build(&mut self, index: usize, program: &mut Program) {
        let Lowered {
            mut ops,
            mut spans,
            statements,
            built_in,
            registers,
            declared,
        } = self.lower_unit(index);
        let entry = program.ops.len() as u32;
        let length = ops.len() as u32;
        if ops.len() > 30_000 {
            self.report.push(
                Diagnostic::error(
                    "Y0207",
                    self.units[index].span,
                    format!("function `{}` is too long", self.units[index].name),
                )
                .help("split it: short steps are good to read and to replace"),
            );
        }
        improve::improve(&mut ops);
        improve::shift(&mut ops, entry);
        program.ops.append(&mut ops);
        program.spans.append(&mut spans);
        let statements = statements.into_iter().map(|statement| Beginning {
            pc: entry + statement.pc,
            ..statement
        });
        program.statements.extend(statements);
        let built_in = built_in.into_iter().map(|(pc, known)| (entry + pc, known));
        program.built_in.extend(built_in);
        let unit = &self.units[index];
        program.functions.push(Code {
            name: unit.name.clone(),
            entry,
            length,
            parameters: unit.parameters.len() as u8,
            registers: u16::from(registers),
            span: unit.span,
            pure: unit.pure && !unit.asks,
        });
        let variables = declared.into_iter().map(|variable| Variable {
            of: unit
                .locals
                .get(&variable.span)
                .copied()
                .unwrap_or(Type::ANY),
            from: entry + variable.from,
            to: entry + variable.to.unwrap_or(length),
            name: variable.name,
            register: variable.register,
        });
        program.signatures.push(Signature {
            parameters: unit
                .parameters
                .iter()
                .cloned()
                .zip(unit.types.iter().copied())
                .collect(),
            result: unit.result,
            script: unit.script,
            pure: unit.pure,
            asks: unit.asks,
            alters: unit.alters,
            variables: variables.collect(),
        });
        if let (Some(base), false) = (unit.base, unit.calls_base)
            && !is_unread(&unit.body)
            && let Some((variant, listed)) = layers::wrap_span(self.pack, unit.span)
        {
            let diagnostic = Diagnostic::error(
                "Y0226",
                unit.span,
                format!("`{}` is a wrap and never calls `base(...)`", unit.name),
            )
            .other(listed, "listed here")
            .other(self.units[base].span, "this would never be called")
            .help(format!(
                "call `base({})`, or list it under `override` of variant `{}`",
                unit.parameters.join(", "),
                variant.id
            ));
            self.report.push(diagnostic);
        }
    }

    /// Warns of functions that nobody calls; not asked for while something cannot be read or resolved,
    /// because that may be the call that is missed.
    fn warn_uncalled(&mut self) {
        for unit in &self.units {
            if unit.script && !unit.called {
                let diagnostic = Diagnostic::warning(
                    "Y0208",
                    unit.span,
                    format!("function `{}` is never called", unit.name),
                )
                .help("name it in a step or an effect, call it, or remove it");
                self.report.push(diagnostic);
            }
        }
    }

    /// Warns of what can be played but is hardly meant.
    fn lint(&mut self) {
        let mut found = Report::new();
        let pack = self.pack;
        // They were read without complaint when their blocks were lowered.
        let parse = |snippet: &Snippet| {
            parse_snippet(
                &pack.sources,
                snippet.span,
                &snippet.text,
                &mut Report::new(),
            )
        };
        let mut expressions = Vec::new();
        for block in &pack.blocks {
            match &block.repeat {
                Repeat::Once => {}
                Repeat::Times(snippet) | Repeat::Each(snippet) => {
                    expressions.push((parse(snippet), false));
                }
                // `while = "true"` repeats for ever, as a game that ends elsewhere may.
                Repeat::While(snippet) => {
                    expressions.push((parse(snippet), snippet.text.trim() != "true"));
                }
            }
            if let Some(when) = &block.when {
                expressions.push((parse(when), true));
            }
        }
        let blocks = expressions.iter().map(|(body, condition)| Source {
            free: None,
            body,
            condition: *condition,
        });
        let wanted = wanted_by_others(pack);
        let units = self.units.iter().filter_map(|unit| match &unit.body {
            Body::Statements(body) => Some(Source {
                free: (unit.script && !wanted.contains(unit.name.as_str())).then_some(Free {
                    name: unit.span,
                    parameters: &unit.parameters,
                }),
                body,
                condition: unit.wanted == Some(Type::BOOL),
            }),
            Body::Block(..) => None,
        });
        lint(pack, units.chain(blocks), &mut found);
        self.report.diagnostics.append(&mut found.diagnostics);
    }

    /// Snippets that are only looked at must be pure and give what is wanted.
    fn check_snippets(&mut self) {
        for unit in &self.units {
            let Some(wanted) = unit.wanted else {
                continue;
            };
            if !unit.pure || unit.asks {
                self.report.push(
                    Diagnostic::error(
                        "Y0330",
                        unit.span,
                        format!("{} must not change, ask or use chance", unit.name),
                    )
                    .help("only look: call functions that change nothing"),
                );
            }
            if unit.result != wanted && !unit.result.is_open() {
                let layout: &Layout = &self.pack.layout;
                self.report.push(Diagnostic::error(
                    "Y0304",
                    unit.span,
                    format!(
                        "{} must be {}, found {}",
                        unit.name,
                        wanted.describe(layout),
                        unit.result.describe(layout)
                    ),
                ));
            }
        }
    }
}
