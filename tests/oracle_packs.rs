//! Every pure function of every pack gives the same in Rhai's own engine: Rhai is given handles on our
//! values, properties read off the table by a second hand, and our looking verbs.

mod kit;
mod rhai_engine;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, Module, NativeCallContext, Scope};

use rhai_engine::{class_of_rhai, engine, in_words};
use yukon::diag::Severity;
use yukon::flow::decision;
use yukon::pack::{PackFiles, read};
use yukon::script::api::{self, Acts, Verb, Want};
use yukon::script::code::Op;
use yukon::script::machine::{elements, text_bytes};
use yukon::script::rules::Amount;
use yukon::script::{Io, Limits, Machine, Outcome, Rules, Scratch, State, lower};
use yukon::table::chance::Draw;
use yukon::table::ids::{
    ChoiceId, DecisionId, DialId, ExchangeId, FunctionId, GraphId, GroupId, GroupKindId, KindId,
    MemberId, NodeId, ParameterId, PieceId, PlayerId, PropertyId, ReasonId, SetId, StreamId, TagId,
    ToggleId, ZoneId,
};
use yukon::table::layout::{Accessor, Builtin, Dimension, Domain, ShapeId, shape};
use yukon::table::ops::counter_value;
use yukon::table::value::{ListRef, TextRef};
use yukon::table::{Case, Value};

/// The table that Rhai looks at.
struct World {
    rules: Rc<Rules>,
    state: State,
}

thread_local! {
    static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
}

fn with<T>(look: impl FnOnce(&World) -> T) -> T {
    WORLD.with_borrow(|world| look(world.as_ref().expect("a table")))
}

/// A value of ours that Rhai has no type for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Handle(Value);

/// A family of zones or cells that still lacks an index.
#[derive(Clone, Debug)]
struct Family {
    owner: Value,
    property: PropertyId,
    indexes: Vec<Value>,
}

type Answered<T> = Result<T, Box<EvalAltResult>>;

fn failed<T>(what: &str) -> Answered<T> {
    Err(what.into())
}

fn to_rhai(rules: &Rules, state: &State, value: Value) -> Dynamic {
    match value.case() {
        Case::Unit => Dynamic::UNIT,
        Case::Bool(value) => value.into(),
        Case::Int(value) => value.into(),
        Case::Text(text) => String::from_utf8_lossy(text_bytes(rules, &state.run, text))
            .into_owned()
            .into(),
        Case::List(list) => elements(&state.run, list)
            .iter()
            .map(|item| to_rhai(rules, state, *item))
            .collect::<Array>()
            .into(),
        _ => Dynamic::from(Handle(value)),
    }
}

/// A value for us; lists and texts go into the state's heaps.
fn to_ours(rules: &Rules, state: &mut State, value: &Dynamic) -> Value {
    if let Some(handle) = value.clone().try_cast::<Handle>() {
        return handle.0;
    }
    if let Ok(value) = value.as_int() {
        return Value::int(value);
    }
    if let Ok(value) = value.as_bool() {
        return Value::from(value);
    }
    if let Some(list) = value.read_lock::<Array>() {
        let items: Vec<Value> = list
            .iter()
            .map(|item| to_ours(rules, state, item))
            .collect();
        let start = state.run.heap.len() as u32;
        state.run.heap.extend(&items);
        let len = items.len() as u16;
        return Value::from(ListRef {
            start,
            len,
            room: len,
        });
    }
    if value.is_string() {
        let text = value.to_string();
        let start = (rules.program.texts.len() + state.run.text.len()) as u32;
        state.run.text.extend(text.as_bytes());
        return Value::from(TextRef {
            start,
            len: text.len() as u32,
        });
    }
    Value::UNIT
}

/// A value in the same words as Rhai's own.
fn shown(value: &Dynamic) -> String {
    if let Some(handle) = value.clone().try_cast::<Handle>() {
        return format!("{:?}", handle.0);
    }
    match value.read_lock::<Array>() {
        Some(list) => {
            let items: Vec<String> = list.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        None => in_words(value),
    }
}

fn pieces_in(state: &State, zone: ZoneId) -> Array {
    let pieces = state.table.lying(zone);
    pieces
        .map(|piece| Dynamic::from(Handle(Value::from(piece))))
        .collect()
}

impl IntoIterator for Handle {
    type Item = Dynamic;
    type IntoIter = std::vec::IntoIter<Dynamic>;

    fn into_iter(self) -> Self::IntoIter {
        let Some(zone) = self.0.as_zone() else {
            return Vec::new().into_iter();
        };
        with(|world| pieces_in(&world.state, zone)).into_iter()
    }
}

fn shape_of(world: &World, value: Value) -> ShapeId {
    let layout = world.rules.layout();
    let domain = match value.case() {
        Case::Table => return shape::TABLE,
        Case::Player(_) => return shape::PLAYER,
        Case::Zone(_) => return shape::ZONE,
        Case::Node(node) => Domain::Graph(layout.nodes[node.index()].graph),
        Case::Member(member) => Domain::Set(layout.members[member.index()].set),
        Case::Piece(piece) => Domain::Kind(world.state.table.info(layout, piece).kind),
        Case::Group(group) => Domain::Groups(layout.groups[group.index()]),
        _ => return shape::NAMED,
    };
    layout.shape_of_domain(domain)
}

fn place(dimensions: &[Dimension], values: &[Value]) -> Option<u16> {
    let mut place = 0;
    for (dimension, value) in dimensions.iter().zip(values) {
        let id = match (dimension.domain, value.case()) {
            (Domain::Players, Case::Player(player)) => u16::from(player.0),
            (Domain::Graph(_), Case::Node(node)) => node.0,
            (Domain::Set(_), Case::Member(member)) => member.0,
            (Domain::Kind(_), Case::Piece(piece)) => piece.0,
            (Domain::Groups(_), Case::Group(group)) => group.0,
            _ => return None,
        };
        let offset = id.checked_sub(dimension.base)?;
        if offset >= dimension.size {
            return None;
        }
        place = place * dimension.size + offset;
    }
    Some(place)
}

/// Reads a property, with the indexes that are known so far.
fn property(owner: Value, property: PropertyId, indexes: &[Value]) -> Answered<Dynamic> {
    with(|world| {
        let (rules, state) = (&*world.rules, &world.state);
        let layout = rules.layout();
        let accessor = layout.accessor(shape_of(world, owner), property);
        let dimensions = match accessor {
            Accessor::Zone(family) => &layout.zone_families[family.index()].dimensions,
            Accessor::Counter(family) => &layout.counters[family.index()].dimensions,
            Accessor::Dial(family) => &layout.dials[family.index()].dimensions,
            Accessor::Toggle(family) => &layout.toggles[family.index()].dimensions,
            Accessor::None => return failed("no such property"),
            Accessor::Attribute(index) => {
                let index = usize::from(index);
                let value = match owner.case() {
                    Case::Piece(piece) => state.table.info(layout, piece).attributes[index],
                    Case::Node(node) => layout.nodes[node.index()].attributes[index],
                    Case::Member(member) => layout.members[member.index()].attributes[index],
                    _ => return failed("no attribute"),
                };
                return Ok(to_rhai(rules, state, value));
            }
            Accessor::Own(kind) => {
                let Some(player) = owner.as_player() else {
                    return failed("nobody's own");
                };
                let first = layout.kinds[kind.index()].pieces.start;
                let piece = PieceId(first + u16::from(player.0));
                return Ok(Dynamic::from(Handle(Value::from(piece))));
            }
            Accessor::Builtin(builtin) => {
                let value = built_in(world, owner, builtin)?;
                return Ok(value);
            }
        };
        let mut values: Vec<Value> = Vec::new();
        if owner != Value::TABLE {
            values.push(owner);
        }
        values.extend(indexes);
        if values.len() < dimensions.len() {
            return Ok(Dynamic::from(Family {
                owner,
                property,
                indexes: indexes.to_vec(),
            }));
        }
        let Some(place) = place(dimensions, &values) else {
            return failed("no such place");
        };
        let value = match accessor {
            Accessor::Zone(family) => {
                let base = layout.zone_families[family.index()].base.0;
                Value::from(ZoneId(base + place))
            }
            Accessor::Counter(family) => counter_value(layout, &state.table, family, place),
            Accessor::Dial(family) => {
                let family = &layout.dials[family.index()];
                let needle = state.table.cells[usize::from(family.base + place)];
                Value::int(family.faces[needle as usize].into())
            }
            Accessor::Toggle(family) => {
                let base = layout.toggles[family.index()].base;
                Value::from(state.table.cells[usize::from(base + place)] != 0)
            }
            _ => Value::UNIT,
        };
        Ok(to_rhai(rules, state, value))
    })
}

fn built_in(world: &World, owner: Value, builtin: Builtin) -> Answered<Dynamic> {
    let (rules, table) = (&*world.rules, &world.state.table);
    let layout = rules.layout();
    let value = match (builtin, owner.case()) {
        (Builtin::Zone, Case::Piece(piece)) => Value::from(table.pieces[piece.index()].zone),
        (Builtin::At, Case::Piece(piece)) => {
            layout.first_coordinate(table.pieces[piece.index()].zone)
        }
        (Builtin::At, Case::Zone(zone)) => layout.first_coordinate(zone),
        (Builtin::Owner, Case::Piece(piece)) => match table.info(layout, piece).owner {
            Some(player) => Value::from(player),
            None => Value::UNIT,
        },
        (Builtin::Owner, Case::Zone(zone)) => match layout.zone_owner(zone) {
            Some(player) => Value::from(player),
            None => Value::UNIT,
        },
        (Builtin::Face, Case::Piece(piece)) => Value::int(table.pieces[piece.index()].face.into()),
        (Builtin::FaceDown, Case::Piece(piece)) => {
            Value::from(table.pieces[piece.index()].face_down)
        }
        (Builtin::Number, Case::Player(player)) => Value::int(i64::from(player.0) + 1),
        (Builtin::Next, Case::Player(player)) => {
            Value::from(PlayerId((player.0 + 1) % table.players))
        }
        (Builtin::Len, Case::Zone(zone)) => Value::int(table.lying(zone).count() as i64),
        (Builtin::Top | Builtin::Bottom, Case::Zone(zone)) => {
            let pieces: Vec<PieceId> = table.lying(zone).collect();
            let piece = match builtin {
                Builtin::Top => pieces.last(),
                _ => pieces.first(),
            };
            piece.map_or(Value::UNIT, |piece| Value::from(*piece))
        }
        (Builtin::Title, Case::Piece(piece)) => {
            let pattern = table.pattern(layout, piece);
            return Ok(layout.title(Value::from(pattern)).into());
        }
        (Builtin::Title, _) => return Ok(layout.title(owner).into()),
        _ => return failed("not of this"),
    };
    Ok(to_rhai(rules, &world.state, value))
}

fn index(handle: Handle, at: &Dynamic) -> Answered<Dynamic> {
    let at = match (at.as_int(), at.clone().try_cast::<Handle>()) {
        (Ok(number), _) => Value::int(number),
        (_, Some(handle)) => handle.0,
        _ => return failed("no index"),
    };
    with(|world| {
        let (layout, table) = (world.rules.layout(), &world.state.table);
        match (handle.0.case(), at.case()) {
            (Case::Zone(zone), Case::Int(number)) => {
                let pieces = pieces_in(&world.state, zone);
                let found = usize::try_from(number).ok().and_then(|at| pieces.get(at));
                found.cloned().ok_or_else(|| {
                    let (len, at) = (pieces.len(), number);
                    EvalAltResult::ErrorArrayBounds(len, at, rhai::Position::NONE).into()
                })
            }
            (Case::Player(player), Case::Dial(dial)) => {
                let family = &layout.dials[dial.index()];
                match place(&family.dimensions, &[Value::from(player)]) {
                    Some(place) if family.dimensions.len() == 1 => {
                        let needle = table.cells[usize::from(family.base + place)];
                        Ok(Dynamic::from_int(family.faces[needle as usize].into()))
                    }
                    _ => failed("not a player's own"),
                }
            }
            (Case::Player(player), Case::Toggle(toggle)) => {
                let family = &layout.toggles[toggle.index()];
                match place(&family.dimensions, &[Value::from(player)]) {
                    Some(place) if family.dimensions.len() == 1 => {
                        Ok((table.cells[usize::from(family.base + place)] != 0).into())
                    }
                    _ => failed("not a player's own"),
                }
            }
            _ => failed("cannot be indexed"),
        }
    })
}

/// The name of the function that hands a verb with so many arguments to our machine.
fn helper(name: &str, arguments: usize) -> String {
    format!("oracle_{name}_{arguments}")
}

/// Our verbs that look, without those on lists, which Rhai has or is given.
fn looking() -> Vec<(&'static str, Vec<usize>)> {
    api::TABLE
        .iter()
        .filter(|entry| entry.acts == Acts::Looks)
        .filter(|entry| {
            !entry
                .parameters
                .iter()
                .any(|(_, want)| matches!(want, Want::Closure | Want::Thunk))
        })
        .filter(|entry| {
            !matches!(
                entry.verb,
                Verb::Tagged
                    | Verb::Push
                    | Verb::Pop
                    | Verb::Len
                    | Verb::IsEmpty
                    | Verb::First
                    | Verb::Last
                    | Verb::Min
                    | Verb::Max
                    | Verb::Abs
            )
        })
        .map(|entry| {
            let most = entry.parameters.len();
            (entry.name, (most - entry.optional..=most).collect())
        })
        .collect()
}

fn call_ours(name: &str, arguments: &[Dynamic]) -> Answered<Dynamic> {
    with(|world| {
        let function = kit::function(&world.rules, &helper(name, arguments.len()));
        match evaluate(&world.rules, &world.state, function, arguments) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into()),
        }
    })
}

fn evaluate(
    rules: &Rules,
    state: &State,
    function: FunctionId,
    arguments: &[Dynamic],
) -> Result<Dynamic, String> {
    let mut copy = state.clone();
    let arguments: Vec<Value> = arguments
        .iter()
        .map(|argument| to_ours(rules, &mut copy, argument))
        .collect();
    let (mut io, mut scratch) = (Io::default(), Scratch::default());
    let found = Machine::new(rules, &mut copy, &mut io, &mut scratch, Limits::default())
        .evaluate(function, &arguments);
    assert_eq!(copy.table, state.table, "a pure function changes nothing");
    match found {
        Ok(value) => Ok(to_rhai(rules, &copy, value)),
        Err(fault) => Err(format!("{} {}", fault.code, fault.message)),
    }
}

/// Rhai with the world in it.
fn world_engine(rules: &Rules) -> Engine {
    type Context<'a> = NativeCallContext<'a>;
    let mut engine = engine();
    engine.set_max_operations(50_000_000);
    engine.register_type_with_name::<Handle>("Handle");
    engine.register_type_with_name::<Family>("Family");
    engine.register_iterator::<Handle>();
    // Texts name things by their titles.
    engine.register_fn("to_string", |handle: Handle| {
        with(|world| built_in(world, handle.0, Builtin::Title))
    });
    engine.register_fn("==", |a: Handle, b: Handle| a == b);
    engine.register_fn("!=", |a: Handle, b: Handle| a != b);
    for (at, name) in rules.layout().properties.iter().enumerate() {
        let of = PropertyId::from_index(at);
        engine.register_get(name, move |handle: &mut Handle| property(handle.0, of, &[]));
    }
    engine.register_indexer_get(|handle: &mut Handle, at: Dynamic| index(*handle, &at));
    engine.register_indexer_get(|family: &mut Family, at: Handle| {
        let mut indexes = family.indexes.clone();
        indexes.push(at.0);
        property(family.owner, family.property, &indexes)
    });
    let list = |handle: Handle| -> Array { handle.into_iter().collect() };
    engine.register_fn("len", move |zone: Handle| list(zone).len() as i64);
    engine.register_fn("is_empty", move |zone: Handle| list(zone).is_empty());
    engine.register_fn("first", move |zone: Handle| {
        list(zone).first().cloned().unwrap_or_default()
    });
    engine.register_fn("last", move |zone: Handle| {
        list(zone).last().cloned().unwrap_or_default()
    });
    engine.register_fn("contains", move |zone: Handle, item: Handle| {
        list(zone).iter().any(|other| {
            let other = other.clone().try_cast::<Handle>();
            other == Some(item)
        })
    });
    // What Rhai does with a list, it does with the list of a zone's pieces.
    for verb in [
        "filter", "map", "some", "all", "find", "count", "sum", "max_by", "min_by", "sort_by",
    ] {
        engine.register_fn(
            verb,
            move |context: Context<'_>, zone: Handle, by: FnPtr| -> Answered<Dynamic> {
                context.call_fn(verb, (list(zone), by))
            },
        );
    }
    for (name, arities) in looking() {
        for arity in arities {
            match arity {
                0 => engine.register_fn(name, move || call_ours(name, &[])),
                1 => engine.register_fn(name, move |a: Dynamic| call_ours(name, &[a])),
                2 => {
                    engine.register_fn(name, move |a: Dynamic, b: Dynamic| call_ours(name, &[a, b]))
                }
                _ => engine.register_fn(name, move |a: Dynamic, b: Dynamic, c: Dynamic| {
                    call_ours(name, &[a, b, c])
                }),
            };
        }
    }
    engine.register_fn("tagged", |tag: Handle| -> Array {
        with(|world| {
            let layout = world.rules.layout();
            let Some(tag) = tag.0.as_tag() else {
                return Array::new();
            };
            let dials = (0..layout.dials.len())
                .filter(|at| layout.dials[*at].tags.contains(&tag))
                .map(|at| Value::from(DialId::from_index(at)));
            let toggles = (0..layout.toggles.len())
                .filter(|at| layout.toggles[*at].tags.contains(&tag))
                .map(|at| Value::from(ToggleId::from_index(at)));
            dials
                .chain(toggles)
                .map(|value| Dynamic::from(Handle(value)))
                .collect()
        })
    });
    for (name, constants) in modules(rules) {
        let mut module = Module::new();
        for (constant, value) in constants {
            module.set_var(constant, Handle(value));
        }
        engine.register_static_module(name, module.into());
    }
    #[expect(deprecated, reason = "Rhai calls it volatile, not old")]
    engine.on_var(|name, _, _| Ok((name == "table").then(|| Dynamic::from(Handle(Value::TABLE)))));
    engine
}

/// The constants behind `module::`.
fn modules(rules: &Rules) -> BTreeMap<String, Vec<(String, Value)>> {
    let (pack, layout) = (&rules.pack, rules.layout());
    let mut modules: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    let mut add = |module: &str, name: &str, value: Value| {
        let module = modules.entry(module.to_owned()).or_default();
        module.push((name.to_owned(), value));
    };
    for (at, node) in layout.nodes.iter().enumerate() {
        add("node", &node.name.id, Value::from(NodeId::from_index(at)));
    }
    for (at, member) in layout.members.iter().enumerate() {
        let set = &layout.sets[member.set.index()].name.id;
        add(set, &member.name.id, Value::from(MemberId::from_index(at)));
    }
    for (at, piece) in layout.pieces.iter().enumerate() {
        let kind = &layout.kinds[piece.kind.index()].name.id;
        add(kind, &piece.name.id, Value::from(PieceId::from_index(at)));
    }
    for (at, dial) in layout.dials.iter().enumerate() {
        add("dial", &dial.name.id, Value::from(DialId::from_index(at)));
    }
    for (at, of) in layout.toggles.iter().enumerate() {
        add("toggle", &of.name.id, Value::from(ToggleId::from_index(at)));
    }
    for (at, of) in pack.parameters.iter().enumerate() {
        let value = Value::from(ParameterId::from_index(at));
        add("parameter", &of.name.id, value);
    }
    for (at, of) in pack.decisions.iter().enumerate() {
        let value = Value::from(DecisionId::from_index(at));
        add("decision", &of.name.id, value);
    }
    for (at, of) in layout.choices.iter().enumerate() {
        add("choice", &of.id, Value::from(ChoiceId::from_index(at)));
    }
    for (at, of) in pack.reasons.iter().enumerate() {
        add("reason", &of.name.id, Value::from(ReasonId::from_index(at)));
    }
    for (at, of) in layout.streams.iter().enumerate() {
        add("stream", &of.0, Value::from(StreamId::from_index(at)));
    }
    for (at, of) in pack.exchanges.iter().enumerate() {
        let value = Value::from(ExchangeId::from_index(at));
        add("exchange", &of.name.id, value);
    }
    for (at, of) in layout.tags.iter().enumerate() {
        add("tag", of, Value::from(TagId::from_index(at)));
    }
    for (at, of) in layout.sets.iter().enumerate() {
        add("set", &of.name.id, Value::from(SetId::from_index(at)));
    }
    for (at, of) in layout.graphs.iter().enumerate() {
        add("graph", &of.name.id, Value::from(GraphId::from_index(at)));
    }
    for (at, of) in layout.kinds.iter().enumerate() {
        add("kind", &of.name.id, Value::from(KindId::from_index(at)));
    }
    for (at, of) in layout.group_kinds.iter().enumerate() {
        add(
            "group",
            &of.name.id,
            Value::from(GroupKindId::from_index(at)),
        );
    }
    modules
}

/// A pure function as both know it.
struct Pure {
    /// How Rhai calls it.
    name: String,
    ours: FunctionId,
    parameters: usize,
}

/// The pack with the helpers for our verbs, its scripts for Rhai, and its pure functions.
fn prepare(files: &PackFiles) -> (Rc<Rules>, String, Vec<Pure>) {
    let mut files = files.clone();
    let mut helpers = String::new();
    for (name, arities) in looking() {
        for arity in arities {
            let parameters = &["a", "b", "c"][..arity];
            let list = parameters.join(", ");
            helpers.push_str(&format!(
                "fn {}({list}) {{ {name}({list}) }}\n",
                helper(name, arity)
            ));
        }
    }
    files.scripts.push((
        format!("scripts/{}/~oracle.rhai", files.id),
        helpers.into_bytes(),
    ));
    let (pack, sources, mut report) = read(&files);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    let Some(rules) = rules else {
        panic!("{}", kit::problems(&report, &sources, Severity::Error));
    };
    let mut script = String::new();
    for (name, bytes) in &files.scripts {
        if !name.ends_with("~oracle.rhai") {
            script.push_str(&String::from_utf8_lossy(bytes));
            script.push('\n');
        }
    }
    let mut pure = Vec::new();
    for (at, code) in rules.program.functions.iter().enumerate() {
        let plain = rules.pack.scripts.contains(&code.span.file);
        let ours = FunctionId::from_index(at);
        if code.pure && plain && !code.name.starts_with("oracle_") && !tries(&rules, ours) {
            pure.push(Pure {
                name: code.name.clone(),
                ours,
                parameters: code.parameters.into(),
            });
        }
    }
    // Snippets of TOML become functions.
    let mut snippet = |ours: FunctionId, text: &str, parameters: &[&str]| {
        let name = format!("snippet_{}", ours.index());
        script.push_str(&format!(
            "fn {name}({}) {{ {text} }}\n",
            parameters.join(", ")
        ));
        pure.push(Pure {
            name,
            ours,
            parameters: parameters.len(),
        });
    };
    for modifier in rules.parameters.iter().flat_map(|of| &of.modifiers) {
        let info = &rules.pack.modifiers[modifier.index];
        if let (Some(ours), Some(when)) = (modifier.when, &info.when) {
            snippet(ours, &when.text, &["me", "subject"]);
        }
        if let Amount::Computed(ours) = modifier.amount {
            snippet(ours, &info.amount.text, &["me", "subject"]);
        }
    }
    let scoring = &rules.pack.scoring;
    let codes = rules.terms.iter().chain(&rules.ties);
    for (code, info) in codes.zip(scoring.terms.iter().chain(&scoring.ties)) {
        snippet(code.points, &info.points.text, &["me"]);
        if let (Some(ours), Some(when)) = (code.when, &info.when) {
            snippet(ours, &when.text, &["me"]);
        }
        let counts = (code.count.as_ref(), info.count.as_ref());
        if let (Some(code), Some(info)) = counts
            && let (Some(ours), Some(which)) = (code.which, &info.which)
        {
            snippet(ours, &which.text, &["me", "piece"]);
        }
    }
    for (code, info) in rules.triggers.iter().zip(&rules.pack.triggers) {
        if let (Some(ours), Some(when)) = (code.when, &info.when) {
            snippet(ours, &when.text, &["me", "subject"]);
        }
    }
    (Rc::new(rules), script, pure)
}

/// A text without what says that nothing is there: Rhai says it by no letters (a difference on purpose).
fn without_nothing(words: String) -> String {
    match words.starts_with('"') {
        true => words.replace("()", ""),
        false => words,
    }
}

/// Whether a function tries something out and takes it back, or calls one that does: Rhai has nothing for it.
/// The packs' functions do not call each other in circles.
fn tries(rules: &Rules, function: FunctionId) -> bool {
    let code = &rules.program.functions[function.index()];
    let first = code.entry as usize;
    let ops = &rules.program.ops[first..first + code.length as usize];
    ops.iter().any(|op| match op {
        Op::WhatIf => true,
        Op::Call { function, .. } => tries(rules, *function),
        _ => false,
    })
}

/// Values that arguments are taken from, by what they are.
fn pool(rules: &Rules, state: &State) -> BTreeMap<&'static str, Vec<Dynamic>> {
    let layout = rules.layout();
    let mut pool: BTreeMap<&'static str, Vec<Dynamic>> = BTreeMap::new();
    let mut add = |what: &'static str, value: Value| {
        let value = to_rhai(rules, state, value);
        pool.entry(what).or_default().push(value);
    };
    for player in 0..state.table.players {
        add("player", Value::from(PlayerId(player)));
    }
    for node in 0..layout.nodes.len() {
        add("node", Value::from(NodeId::from_index(node)));
    }
    for member in 0..layout.members.len() {
        add("member", Value::from(MemberId::from_index(member)));
    }
    for piece in 0..layout.pieces.len() {
        add("piece", Value::from(PieceId::from_index(piece)));
    }
    for info in &layout.group_kinds {
        for (offset, group) in info.groups.clone().enumerate() {
            if state.table.cells[usize::from(info.alive) + offset] != 0 {
                add("group", Value::from(GroupId(group)));
            }
        }
    }
    for dial in 0..layout.dials.len() {
        add("dial", Value::from(DialId::from_index(dial)));
    }
    for toggle in 0..layout.toggles.len() {
        add("toggle", Value::from(ToggleId::from_index(toggle)));
    }
    for number in [0, 1, 2, 3, 7, -1] {
        add("number", Value::int(number));
    }
    add("boolean", Value::from(false));
    add("boolean", Value::from(true));
    add("nothing", Value::UNIT);
    for zone in 0..layout.zones.len() {
        let zone = ZoneId::from_index(zone);
        add("zone", Value::from(zone));
    }
    let lists: Vec<Dynamic> = (0..layout.zones.len())
        .map(|zone| pieces_in(&state.clone(), ZoneId::from_index(zone)))
        .filter(|list| !list.is_empty())
        .map(Dynamic::from)
        .collect();
    pool.insert("list", lists);
    pool
}

/// States of random games, so many decisions from each other.
fn states(rules: &Rules, players: u8, seed: u64, every: u64) -> Vec<State> {
    let mut states = Vec::new();
    let mut state = rules.start(players, seed);
    let (mut io, mut scratch) = (Io::default(), Scratch::default());
    for nth in 0.. {
        let ended = Machine::new(rules, &mut state, &mut io, &mut scratch, Limits::default())
            .run()
            .expect("no fault");
        if ended != Outcome::Decision {
            break;
        }
        if nth % every == every - 1 {
            states.push(state.clone());
        }
        let answer = decision::forced(&state).unwrap_or_else(|| {
            let mut draw = Draw::at(seed, 21, 0, nth);
            decision::random(rules, &state, |bound| draw.below(bound)).expect("an answer")
        });
        decision::apply(&mut state, &answer);
    }
    states
}

/// Errors that Rhai does not make: it lets unlike things be compared and reads what is not there.
fn is_strict(error: &str) -> bool {
    ["Y0409", "Y0411", "Y0412", "Y0413", "Y0414"]
        .iter()
        .any(|code| error.starts_with(code))
}

#[test]
fn pure_functions_of_the_packs_give_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for pack in PackFiles::known(root) {
        let files = PackFiles::find(&pack, root).expect("the pack is there");
        let (rules, script, functions) = prepare(&files);
        let engine = world_engine(&rules);
        let ast = match engine.compile(&script) {
            Ok(ast) => ast,
            Err(error) => panic!("{pack}: {error}"),
        };
        let mut tables = Vec::new();
        // Of a short game, some more.
        for game in 0..10 {
            for players in rules.layout().min_players..=rules.layout().max_players {
                tables.extend(states(&rules, players, 10 * game + u64::from(players), 11));
            }
            if tables.len() >= 30 {
                break;
            }
        }
        assert!(tables.len() >= 30, "{pack}: only {} states", tables.len());
        // For each function, what its arguments were when it gave a value.
        let mut fitting: Vec<BTreeSet<Vec<&'static str>>> = vec![BTreeSet::new(); functions.len()];
        let mut compared = vec![0; functions.len()];
        for (turn, state) in tables.iter().enumerate() {
            WORLD.set(Some(World {
                rules: Rc::clone(&rules),
                state: state.clone(),
            }));
            let pool = pool(&rules, state);
            for (at, function) in functions.iter().enumerate() {
                let tries = match function.parameters {
                    0 => 1,
                    _ if fitting[at].is_empty() => 400,
                    _ => 40,
                };
                for nth in 0..tries {
                    let mut draw = Draw::at(turn as u64, at as u64, 22, nth);
                    let known: Vec<&Vec<&'static str>> = fitting[at].iter().collect();
                    let kinds: Vec<&'static str> = if nth % 4 > 0 && !known.is_empty() {
                        known[draw.below(known.len() as u64) as usize].clone()
                    } else {
                        let all: Vec<&'static str> = pool.keys().copied().collect();
                        (0..function.parameters)
                            .map(|parameter| match parameter {
                                0 if nth % 2 == 0 => "player",
                                _ => all[draw.below(all.len() as u64) as usize],
                            })
                            .collect()
                    };
                    let mut arguments: Vec<Dynamic> = Vec::new();
                    for kind in &kinds {
                        let values = pool.get(kind).map_or(&[][..], Vec::as_slice);
                        if let Some(count) = std::num::NonZeroU64::new(values.len() as u64) {
                            arguments.push(values[draw.below(count.get()) as usize].clone());
                        }
                    }
                    if arguments.len() < function.parameters {
                        continue;
                    }
                    let ours = evaluate(&rules, state, function.ours, &arguments);
                    if ours.as_ref().is_err_and(|error| is_strict(error)) {
                        continue;
                    }
                    let rhai = engine
                        .call_fn::<Dynamic>(
                            &mut Scope::new(),
                            &ast,
                            &function.name,
                            arguments.clone(),
                        )
                        .map(|value| shown(&value))
                        .map_err(|error| class_of_rhai(&error));
                    let words: Vec<String> = arguments.iter().map(shown).collect();
                    match ours {
                        Ok(value) => {
                            assert_eq!(
                                rhai.map(without_nothing),
                                Ok(without_nothing(shown(&value))),
                                "{}({}) in state {turn}",
                                function.name,
                                words.join(", ")
                            );
                            fitting[at].insert(kinds);
                            compared[at] += 1;
                        }
                        Err(error) => assert!(
                            rhai.is_err(),
                            "{}({}) in state {turn}: {error}, but Rhai gives {rhai:?}",
                            function.name,
                            words.join(", ")
                        ),
                    }
                }
            }
        }
        let untried: Vec<&str> = functions
            .iter()
            .zip(&compared)
            .filter(|(_, compared)| **compared == 0)
            .map(|(function, _)| function.name.as_str())
            .collect();
        assert!(
            untried.is_empty(),
            "{pack}: no fitting arguments for {untried:?}"
        );
        let total: usize = compared.iter().sum();
        println!(
            "{pack}: {} functions, {total} calls, {} states",
            functions.len(),
            tables.len()
        );
    }
}
