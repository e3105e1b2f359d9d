//! Tables of small packs and what reading them gives.

use crate::diag::{Severity, Style, render};
use crate::table::TableState;
use crate::table::chance::salt;
use crate::table::ids::{
    CounterId, EffectId, GraphId, GroupKindId, KindId, NodeId, PlayerId, PropertyId, ToggleId,
    ZoneFamilyId, ZoneId,
};
use crate::table::layout::{Accessor, Builtin, Domain, Holds, Name, Scope, Visible, shape};
use crate::table::ops::decode;
use crate::table::value::Value;

use super::model::{ModifierOp, Provenance, Repeat, TypeName};
use super::{Pack, PackFiles, read};

/// A toy game that uses every section.
const TOY: &str = include_str!("testdata/toy.toml");

fn files(rules: &[(&str, &str)]) -> PackFiles {
    PackFiles {
        id: "toy".to_owned(),
        rules: rules
            .iter()
            .map(|(name, text)| (format!("rules/toy/{name}"), text.as_bytes().to_vec()))
            .collect(),
        scripts: vec![(
            "scripts/toy/toy.rhai".to_owned(),
            b"fn work(me) {}".to_vec(),
        )],
        ..PackFiles::default()
    }
}

fn toy() -> Pack {
    let (pack, sources, report) = read(&files(&[("toy.toml", TOY)]));
    let text = render(&report, &sources, Style::PLAIN);
    assert_eq!(text, "");
    pack.expect("the toy pack is right")
}

/// The diagnostics of a pack, one a line: place, code, message.
fn problems(rules: &[(&str, &str)]) -> Vec<String> {
    let (pack, sources, report) = read(&files(rules));
    assert_eq!(pack.is_none(), report.has_errors());
    // Whatever is reported must be printable.
    render(
        &report,
        &sources,
        Style {
            colour: true,
            columns: Some(40),
        },
    );
    report
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let place = match diagnostic.span {
                Some(span) => sources.place(span).replace("rules/toy/", ""),
                None => "-".to_owned(),
            };
            let warning = match diagnostic.severity {
                Severity::Error => "",
                Severity::Warning => "warning: ",
            };
            format!(
                "{place} {} {warning}{}",
                diagnostic.code, diagnostic.message
            )
        })
        .collect()
}

/// What must stand in every pack, on lines 1 to 7; the text of a test begins on line 8.
const BASE: &str = "[game]
title = 'Toy'
players = [2, 4]
flow = 'main'
[flow.main]
do = ['work']
# The text of the test follows.
";

fn check(text: &str, expected: &[&str]) {
    let found = problems(&[("t.toml", &format!("{BASE}{text}"))]);
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_pack_is_read_whole() {
    let pack = toy();
    assert_eq!((pack.id.as_str(), pack.title.as_str()), ("toy", "Toy"));
    assert_eq!(pack.scripts.len(), 1);
    let layout = &pack.layout;
    assert_eq!((layout.min_players, layout.max_players), (2, 3));
    assert_eq!(layout.player_titles, ["First", "Second"]);
    let ids = |names: Vec<&Name>| {
        let ids: Vec<&str> = names.iter().map(|name| name.id.as_str()).collect();
        ids.join(" ")
    };
    assert_eq!(
        ids(layout.nodes.iter().map(|node| &node.name).collect()),
        "hill inn lake"
    );
    assert_eq!(
        ids(layout.members.iter().map(|member| &member.name).collect()),
        "elm oak moon star"
    );
    assert_eq!(
        ids(layout.kinds.iter().map(|kind| &kind.name).collect()),
        "card coin die pawn"
    );
    assert_eq!(
        ids(layout.pieces.iter().map(|piece| &piece.name).collect()),
        "ace_1 ace_2 ace_3 ace_4 ace_5 ace_6 ace_7 ace_8 ace_9 ace_10 ace_11 hill lake one coin \
         elm_1 elm_2 oak_1 oak_2 pawn_1 pawn_2 pawn_3"
    );
    assert_eq!(layout.kinds[0].pieces, 0..14);
    assert_eq!(layout.tags, ["big", "upgrade"]);
    assert_eq!(layout.choices[0].title, "All done");
    assert_eq!(layout.streams[0].0, "first");
    assert_eq!(
        layout.sets[0].members,
        [Value::from(NodeId(0)), Value::from(NodeId(2))]
    );
    assert!(!layout.sets[0].enumerated && layout.sets[1].enumerated);
}

#[test]
fn graphs_have_costs_and_attributes() {
    let layout = toy().layout;
    let graph = &layout.graphs[0];
    assert_eq!(graph.distances, [0, 5, 3, 5, 0, 2, 3, 2, 0]);
    let names: Vec<&str> = graph
        .attributes
        .iter()
        .map(|info| layout.properties[info.property.index()].as_str())
        .collect();
    assert_eq!(names, ["action", "motto", "number"]);
    assert_eq!(graph.attributes[1].holds, Holds::Text);
    assert_eq!(layout.texts, ["High", "Wet", "Ace"]);
    assert_eq!(
        (layout.nodes[0].attributes[1], layout.nodes[1].attributes[1]),
        (Value::int(0), Value::UNIT)
    );
    assert_eq!(layout.nodes[1].at, Some((50, 60)));
    assert_eq!(layout.nodes[1].name.title, "Inn, sweet");
}

#[test]
fn effects_are_numbered_by_owner_and_attribute() {
    let pack = toy();
    let codes: Vec<&str> = pack
        .effects
        .iter()
        .map(|effect| effect.code.text.as_str())
        .collect();
    assert_eq!(codes, ["swim", "one(me)", "me.lots += 1"]);
    assert_eq!(pack.effects[0].parameters, ["me", "other"]);
    for effect in &pack.effects {
        assert_eq!(pack.sources.text(effect.code.span), effect.code.text);
    }
    let moon = &pack.layout.members[2];
    assert_eq!(moon.attributes[0], Value::from(EffectId(2)));
}

#[test]
fn pieces_have_keys_classes_and_places() {
    let layout = toy().layout;
    let piece = |id: &str| {
        layout
            .pieces
            .iter()
            .find(|piece| piece.name.id == id)
            .expect("a piece of the toy")
    };
    let (first, second, oak) = (piece("elm_1"), piece("elm_2"), piece("oak_1"));
    assert_eq!(
        (first.key.as_str(), first.name.title.as_str()),
        ("elm", "Elm die")
    );
    assert_eq!(first.class, second.class);
    assert_ne!(first.class, oak.class);
    assert_ne!(first.salt, second.salt);
    assert_eq!(first.salt, salt("die/elm_1"));
    assert_eq!(
        (
            piece("ace_10").key.as_str(),
            piece("one").name.title.as_str()
        ),
        ("ace", "The One")
    );
    assert!(piece("one").face_down && !first.face_down);
    let pawn = piece("pawn_2");
    assert_eq!(layout.zone_key(pawn.start), "held[player_2]");
    assert_eq!(pawn.owner, Some(PlayerId(1)));
    assert_ne!(pawn.class, piece("pawn_1").class);
    let beats = piece("ace_3").attributes[0];
    assert_eq!(layout.key(beats), "one");
    // The state that the layout describes can be built.
    let state = TableState::new(&layout, 3, 1);
    assert_eq!(state.pieces.len(), layout.pieces.len());
}

#[test]
fn families_are_spread_over_their_domains() {
    let layout = toy().layout;
    let zones: Vec<(&str, u16, u16)> = layout
        .zone_families
        .iter()
        .map(|family| (family.name.id.as_str(), family.base.0, family.size))
        .collect();
    assert_eq!(
        zones,
        [
            ("bag", 0, 1),
            ("bank", 1, 1),
            ("drawn", 2, 1),
            ("gone", 3, 1),
            ("held", 4, 3),
            ("spot", 7, 9),
            ("under", 16, 3)
        ]
    );
    assert_eq!(layout.zones.len(), layout.zone_salts.len());
    let drawn = &layout.zone_families[2];
    assert_eq!(drawn.refill, Some(ZoneId(3)));
    assert!(drawn.ordered && drawn.visible == Visible::Nobody);
    let place = &layout.counters[2];
    assert_eq!(place.holds, Holds::One(Domain::Graph(GraphId(0))));
    assert_eq!(
        decode(&layout, place.holds, place.start),
        Value::from(NodeId(2))
    );
    assert_eq!(layout.scoped, [(Scope::Turn, CounterId(3))]);
    assert_eq!((layout.dials[0].start, layout.dials[0].tags.len()), (1, 2));
    let bundle = &layout.group_kinds[0];
    assert_eq!(
        (
            bundle.zones.len(),
            bundle.counters.len(),
            bundle.groups.clone()
        ),
        (1, 1, 0..3)
    );
    assert_eq!(bundle.alive + 3, layout.cells);
}

#[test]
fn every_shape_reads_its_properties() {
    let layout = toy().layout;
    assert!(layout.properties.is_sorted());
    let reads = |shape, property: &str| {
        let index = layout.properties.iter().position(|name| name == property);
        let index = index.unwrap_or_else(|| panic!("a property `{property}`"));
        layout.accessor(shape, PropertyId::from_index(index))
    };
    let map = layout.shape_of_domain(Domain::Graph(GraphId(0)));
    let die = layout.shape_of_domain(Domain::Kind(KindId(2)));
    let bundle = layout.shape_of_domain(Domain::Groups(GroupKindId(0)));
    assert_eq!(reads(shape::TABLE, "night"), Accessor::Toggle(ToggleId(0)));
    assert_eq!(reads(shape::TABLE, "held"), Accessor::None);
    assert_eq!(
        reads(shape::PLAYER, "held"),
        Accessor::Zone(ZoneFamilyId(4))
    );
    assert_eq!(reads(shape::PLAYER, "pawn"), Accessor::Own(KindId(3)));
    assert_eq!(
        reads(shape::PLAYER, "next"),
        Accessor::Builtin(Builtin::Next)
    );
    assert_eq!(reads(map, "number"), Accessor::Attribute(2));
    assert_eq!(reads(map, "spot"), Accessor::Zone(ZoneFamilyId(5)));
    assert_eq!(reads(die, "face"), Accessor::Builtin(Builtin::Face));
    assert_eq!(reads(die, "owner"), Accessor::None);
    assert_eq!(reads(bundle, "under"), Accessor::Zone(ZoneFamilyId(6)));
    assert_eq!(
        reads(shape::NAMED, "title"),
        Accessor::Builtin(Builtin::Title)
    );
    assert_eq!(reads(shape::PLAIN, "title"), Accessor::None);
}

#[test]
fn numbers_flow_and_exchanges_keep_their_expressions() {
    let pack = toy();
    assert_eq!((pack.parameters[0].base, pack.parameters[1].base), (1, 3));
    let cheap = &pack.modifiers[0];
    assert_eq!(
        (cheap.op, cheap.amount.text.as_str()),
        (ModifierOp::Add, "-1")
    );
    for snippet in [&cheap.amount, cheap.when.as_ref().expect("given")] {
        assert_eq!(pack.sources.text(snippet.span), snippet.text);
    }
    assert!(matches!(&pack.blocks[0].repeat, Repeat::While(code) if code.text == "table.night"));
    assert_eq!(pack.root.index(), 0);
    assert_eq!(pack.scoring.terms[0].name.id, "cards");
    assert_eq!(pack.scoring.ties[0].name.id, "water");
    assert_eq!(pack.reasons[0].numbers, 2);
    let map = TypeName::One(Domain::Graph(GraphId(0)));
    assert_eq!(pack.decisions[0].of, Some(map));
    let trade = &pack.exchanges[0];
    assert_eq!(trade.subject, Some(("target".to_owned(), map)));
    assert_eq!(
        trade.rules[1]
            .take_any
            .as_ref()
            .map(|(from, _)| from.clone()),
        Some(vec![0, 1])
    );
    let of = |what: &str| {
        pack.provenance
            .iter()
            .find(|(other, _)| other == what)
            .map(|(_, tag)| *tag)
    };
    assert_eq!(of("parameter.price"), Some(Provenance::Inferred));
    assert_eq!(of("map.nodes.hill"), Some(Provenance::Reconstructed));
}

#[test]
fn the_order_of_files_and_entries_does_not_matter() {
    let whole = toy();
    let (head, tail) = TOY.split_at(TOY.find("[kind.coin]").expect("a section"));
    let tail = format!("provenance = 'inferred'\n{tail}");
    let (pack, ..) = read(&files(&[("z.toml", head), ("a.toml", &tail)]));
    let split = pack.expect("the same pack in two files");
    assert_eq!(format!("{:?}", whole.layout), format!("{:?}", split.layout));
    assert_eq!(whole.provenance, split.provenance);
}

#[test]
fn ids_and_tables() {
    check("", &[]);
    check(
        "[zones.a]",
        &["t.toml:8:2 Y0105 packs have no table `zones`"],
    );
    check(
        "[zone.Bag]",
        &["t.toml:8:7 Y0110 the id `Bag` is not in snake case"],
    );
    check(
        "[zone.if]",
        &["t.toml:8:7 Y0111 the id `if` is a keyword of Rhai"],
    );
    check(
        "[zone.call]",
        &["t.toml:8:7 Y0111 the id `call` is a keyword of Rhai"],
    );
    check(
        "[group.dial]\nmost = 1",
        &["t.toml:8:8 Y0111 a group cannot be called `dial`"],
    );
    check(
        "[group.a]\nmost = 1\n[set.a]\nmembers = ['x']",
        &["t.toml:8:8 Y0112 two things are called `a`"],
    );
    check(
        "zone = 3",
        &["t.toml:8:1 Y0106 block `main` has no key `zone`"],
    );
    check(
        "[zone]\nbag = 3",
        &["t.toml:9:7 Y0107 zone `bag` must be a table"],
    );
    check(
        "[zone.bag]\norderd = true",
        &["t.toml:9:1 Y0106 zone `bag` has no key `orderd`"],
    );
    check(
        "[zone.bag]\nordered = 1",
        &["t.toml:9:11 Y0107 `ordered` of zone `bag` must be `true` or `false`"],
    );
    check(
        "[zone.bag]\ncapacity = 1.5",
        &["t.toml:9:12 Y0107 `capacity` of zone `bag` must be a whole number"],
    );
    check(
        "[zone.bag]\ncapacity = 0",
        &["t.toml:9:12 Y0109 `capacity` of zone `bag` is out of range"],
    );
    check(
        "[zone.bag]\nprovenance = 'seen'",
        &["t.toml:9:14 Y0119 `provenance` cannot be `seen`"],
    );
}

#[test]
fn syntax_errors_are_all_reported_at_their_places() {
    check(
        "[zone.a]\nordered = \ncapacity = 1 2\nvisible = 'all",
        &[
            "t.toml:9:11 Y0101 the file is not TOML: a value is missing",
            "t.toml:10:12 Y0101 the file is not TOML: string values must be quoted",
            "t.toml:11:15 Y0101 the file is not TOML: invalid literal string",
        ],
    );
    check(
        "[zone.a]\n[zone.a]",
        &["t.toml:9:7 Y0101 the file is not TOML: duplicate key"],
    );
    check(
        "[zone.a]\ncapacity = 99999999999999999999",
        &["t.toml:9:12 Y0109 the number `99999999999999999999` is out of range"],
    );
}

#[test]
fn graphs_and_sets() {
    let map = "[graph.map]\nattributes = { n = 'int' }\nnodes = { a = {}, b = { n = 2 }, c = { n = 3 } }\n";
    let with = |text: &str, expected: &[&str]| check(&format!("{map}{text}"), expected);
    with(
        "edges = [{ between = ['a', 'x'] }]",
        &["t.toml:11:28 Y0113 there is no node of `map` `x`"],
    );
    with(
        "edges = [{ between = ['a', 'a'] }]",
        &["t.toml:11:22 Y0131 an edge leads from `a` to itself"],
    );
    with(
        "edges = [{ between = ['a', 'b'] }, { between = ['b', 'a'] }, { between = ['b', 'c'] }]",
        &["t.toml:11:36 Y0131 `a` and `b` are joined twice"],
    );
    with(
        "edges = [{ between = ['a', 'b'] }]",
        &["t.toml:10:34 Y0132 warning: no route of `map` leads from `a` to `c`"],
    );
    with(
        "edges = [{ between = ['a', 'b'] }, { between = ['b', 'c'], cost = 2 }]\ncheck = { from = 'a', attribute = 'n' }",
        &["t.toml:10:19 Y0133 `n` of `b` is 2, but the cheapest route from `a` costs 1"],
    );
    with(
        "check = { from = 'q', attribute = 'm' }",
        &[
            "t.toml:11:18 Y0113 there is no node of `map` `q`",
            "t.toml:11:35 Y0113 there is no attribute of `map` `m`",
        ],
    );
    with(
        "[set.s]\ngraph = 'mop'",
        &["t.toml:12:9 Y0113 there is no graph `mop`"],
    );
    with(
        "[set.s]\ngraph = 'map'\nexcept = ['d']",
        &["t.toml:13:11 Y0113 there is no node of `map` `d`"],
    );
    with(
        "[set.s]\ngraph = 'map'\nonly = []",
        &["t.toml:11:6 Y0109 set `s` selects no nodes"],
    );
    with(
        "[set.s]\nmembers = ['x', 'x']",
        &["t.toml:12:17 Y0118 the members of set `s` list `x` twice"],
    );
    with(
        "[set.s]\n",
        &["t.toml:11:6 Y0108 set `s` needs a key `members`"],
    );
    with(
        "[zone.z]\nper = ['s']\n[set.s]\ngraph = 'map'",
        &["t.toml:12:8 Y0115 nothing can be spread over the selection `s`"],
    );
    check(
        "[graph.g]\nnodes.a.m = 1\nattributes = { n = 'integer' }",
        &[
            "t.toml:9:9 Y0140 node `a` has no attribute `m`",
            "t.toml:10:20 Y0115 there is no type `integer`",
        ],
    );
    check(
        "[graph.g]\nnodes.a = {}\n[graph.h]\nnodes.a = {}",
        &["t.toml:11:7 Y0112 two nodes are called `a`"],
    );
    check(
        "[graph.g]\nnodes.a.at = [10, 101]",
        &["t.toml:9:19 Y0109 `at` of node `a` is out of range"],
    );
}

#[test]
fn kinds_and_pieces() {
    let bag = "[zone.bag]\n[zone.two]\nper = ['player']\ncapacity = 2\n[set.c]\nmembers = ['r', 'g', 'b']\n[kind.k]\n";
    // The text of a test begins on line 15.
    let with = |text: &str, expected: &[&str]| check(&format!("{bag}{text}"), expected);
    with(
        "start = 'bag'",
        &["t.toml:14:7 Y0142 kind `k` has no pieces"],
    );
    with(
        "pieces = [{ id = 'a' }]",
        &["t.toml:14:7 Y0108 kind `k` needs a key `start`"],
    );
    with(
        "start = 'bog'\npieces = [{ id = 'a' }]",
        &["t.toml:15:9 Y0113 there is no zone `bog`"],
    );
    with(
        "start = 'two'\npieces = [{ id = 'a' }]",
        &["t.toml:15:9 Y0143 the pieces of `k` cannot start in `two`"],
    );
    with(
        "start = 'bag'\nunlimited = true",
        &["t.toml:15:9 Y0143 the pieces of `k` cannot start in `bag`"],
    );
    with(
        "start = 'two'\nper_player = true\n[kind.l]\nstart = 'two'\nper_player = true\n[kind.m]\nstart = 'two'\nper_player = true",
        &["t.toml:21:9 Y0144 more pieces start in `two` than fit"],
    );
    with(
        "start = 'bag'\nfaces = 1\npieces = [{ id = 'a', copies = 0 }]",
        &[
            "t.toml:16:9 Y0109 `faces` of kind `k` is out of range",
            "t.toml:17:32 Y0109 `copies` of piece `a` is out of range",
        ],
    );
    with(
        "start = 'bag'\npieces = [{ id = 'a' }, { id = 'a' }, {}]",
        &[
            "t.toml:16:32 Y0112 two pieces are called `a`",
            "t.toml:16:39 Y0108 a piece of kind `k` needs a key `id`",
        ],
    );
    with(
        "start = 'bag'\nkey = '{d}'\nattributes = { c = 'c' }\ngenerate = [{ each = ['c'] }]",
        &["t.toml:16:7 Y0141 there is no attribute `d`"],
    );
    with(
        "start = 'bag'\ngenerate = [{ each = ['c'] }]",
        &["t.toml:16:23 Y0140 the kind has no attribute `c`"],
    );
    with(
        "start = 'bag'\nattributes = { c = 'int' }\ngenerate = [{ each = ['c'] }]",
        &["t.toml:17:23 Y0107 attribute `c` cannot hold a `c`"],
    );
    with(
        "start = 'bag'\nattributes = { c = 'c' }\npieces = [{ id = 'a', c = 'x' }, { id = 'b', d = 1 }]",
        &[
            "t.toml:17:27 Y0113 there is no member of `c` `x`",
            "t.toml:17:46 Y0140 piece `b` has no attribute `d`",
        ],
    );
    with(
        "start = 'bag'\nattributes = { at = 'int' }\npieces = [{ id = 'a' }]",
        &["t.toml:16:16 Y0116 a piece of `k` has two properties `at`"],
    );
    with(
        "start = 'bag'\nattributes = { id = 'int' }\npieces = [{ id = 'a' }]",
        &["t.toml:16:16 Y0111 an attribute of kind `k` cannot be called `id`"],
    );
    with(
        "start = 'bag'\nper_player = true\n[zone.k]\nper = ['player']",
        &["t.toml:14:7 Y0116 a player has two properties `k`"],
    );
    with(
        "start = 'bag'\ngenerate = [{ copies = 10000 }, { copies = 10000 }, { copies = 10000 }, { copies = 10000 }]",
        &[
            "t.toml:16:33 Y0112 two pieces are called `k_1`",
            "t.toml:16:53 Y0112 two pieces are called `k_1`",
            "t.toml:16:73 Y0117 the pack has too many pieces",
        ],
    );
}

#[test]
fn families() {
    check(
        "[zone.a]\nper = ['plyer']",
        &["t.toml:9:8 Y0113 there is no graph, set, kind or group `plyer`"],
    );
    check(
        "[zone.a]\nvisible = 'owner'",
        &["t.toml:9:11 Y0145 zone `a` has no owner who could see it"],
    );
    check(
        "[zone.a]\nvisible = 'none'",
        &["t.toml:9:11 Y0119 `visible` of zone `a` cannot be `none`"],
    );
    check(
        "[zone.a]\nholds = 'k'",
        &["t.toml:9:9 Y0113 there is no kind `k`"],
    );
    check(
        "[zone.a]\nrefill = 'a'",
        &["t.toml:9:10 Y0146 `a` cannot be refilled from `a`"],
    );
    check(
        "[zone.a]\nrefill = 'b'\n[zone.b]\nper = ['player']",
        &["t.toml:9:10 Y0146 `a` cannot be refilled from `b`"],
    );
    check(
        "[group.g]\nmost = 1000\n[zone.a]\nper = ['g', 'g']",
        &["t.toml:10:7 Y0117 zone `a` is too large"],
    );
    check(
        "[group.g]",
        &["t.toml:8:8 Y0108 group `g` needs a key `most`"],
    );
    check(
        "[zone.a]\n[counter.a]",
        &["t.toml:9:10 Y0116 the table has two properties `a`"],
    );
    check("[zone.a]\n[counter.a]\nper = ['player']", &[]);
    check(
        "[counter.title]\nper = ['player']",
        &["t.toml:8:10 Y0116 a player has two properties `title`"],
    );
    check(
        "[counter.a]\nholds = 'text'",
        &["t.toml:9:9 Y0115 a counter cannot hold a text"],
    );
    check(
        "[counter.a]\nholds = 'effect(me)'",
        &["t.toml:9:9 Y0115 `holds` of counter `a` cannot be an effect"],
    );
    check(
        "[counter.a]\nstart = 11\nmost = 10",
        &["t.toml:9:9 Y0147 counter `a` cannot start at 11"],
    );
    check(
        "[counter.a]\nholds = 'bool'\nstart = 1",
        &["t.toml:10:9 Y0107 `start` of counter `a` must be `true` or `false`"],
    );
    check(
        "[counter.a]\nholds = 'player'\nmost = 1",
        &["t.toml:10:8 Y0107 counter `a` has no `most`, because it holds no numbers"],
    );
    check(
        "[counter.a]\nscope = 'day'",
        &["t.toml:9:9 Y0119 `scope` of counter `a` cannot be `day`"],
    );
    check(
        "[dial.d]\nfaces = [1, 2, 1]\nstart = 3",
        &[
            "t.toml:9:16 Y0118 dial `d` has the face 1 twice",
            "t.toml:10:9 Y0147 dial `d` has no face 3",
        ],
    );
    check(
        "[dial.d]",
        &["t.toml:8:7 Y0108 dial `d` needs a key `faces`"],
    );
    check(
        "[toggle.t]\ntags = ['Big']",
        &["t.toml:9:9 Y0110 the id `Big` is not in snake case"],
    );
}

#[test]
fn numbers_and_words() {
    check(
        "[parameter.p]\nvalue = 10\nmost = 9\ndoc = 'D.'",
        &["t.toml:9:9 Y0109 parameter `p` is out of its range"],
    );
    check(
        "[parameter.p]",
        &[
            "t.toml:8:12 Y0108 parameter `p` needs a key `doc`",
            "t.toml:8:12 Y0108 parameter `p` needs a key `value`",
        ],
    );
    let base = "[parameter.price]\nvalue = 1\ndoc = 'D.'\n[modifier.m]\n";
    let with = |text: &str, expected: &[&str]| check(&format!("{base}{text}"), expected);
    with(
        "parameter = 'prise'\nset = 1",
        &["t.toml:12:13 Y0113 there is no parameter `prise`"],
    );
    with(
        "parameter = 'price'",
        &["t.toml:11:11 Y0114 modifier `m` changes nothing"],
    );
    with(
        "parameter = 'price'\nset = 1\nadd = '2'",
        &["t.toml:14:1 Y0114 modifier `m` changes its parameter twice"],
    );
    with(
        "parameter = 'price'\nset = [1]",
        &["t.toml:13:7 Y0107 `set` of modifier `m` must be an expression in quotes"],
    );
    check(
        "[decision.d]\nof = 'nod'",
        &[
            "t.toml:8:11 Y0108 decision `d` needs a key `prompt`",
            "t.toml:9:6 Y0115 there is no type `nod`",
        ],
    );
    check(
        "[reason.r]\ntext = '{0} and {2}'",
        &["t.toml:9:8 Y0150 the numbers of a reason are not `{0}`, `{1}`, ... without a gap"],
    );
    check(
        "[decision.d]\ntitle = 'The {0}'\nprompt = 'What {colour}?'\n[choice.c]\ntitle = 'a { b }, {}'",
        &[
            "t.toml:9:9 Y0141 nothing fills `{0}`: a title is shown as it is written",
            "t.toml:10:10 Y0141 nothing fills `{colour}`: a prompt is shown as it is written",
        ],
    );
    check(
        "[reason.r]\ntext = '{x'",
        &["t.toml:9:8 Y0150 the numbers of a reason are not `{0}`, `{1}`, ... without a gap"],
    );
    check(
        "[stream.s]\nsalt = 1",
        &["t.toml:9:1 Y0106 stream `s` has no key `salt`"],
    );
}

#[test]
fn flow_and_scoring() {
    let problems_of = |text: &str| problems(&[("t.toml", text)]);
    let game = "[game]\ntitle = 'T'\nplayers = [1, 1]\n";
    assert_eq!(
        problems_of("# nothing"),
        ["- Y0108 the pack has no table `game`"]
    );
    assert_eq!(
        problems_of("[game]"),
        [
            "t.toml:1:2 Y0108 `game` needs a key `flow`",
            "t.toml:1:2 Y0108 `game` needs a key `players`",
            "t.toml:1:2 Y0108 `game` needs a key `title`",
        ]
    );
    assert_eq!(
        problems_of("[game]\ntitle = 'T'\nplayers = [4, 2]\nflow = 'x'\n"),
        [
            "t.toml:3:11 Y0109 the least number of players is more than the most",
            "t.toml:4:8 Y0113 there is no block `x`",
        ]
    );
    assert_eq!(
        problems_of(&format!(
            "{game}flow = 'a'\n[flow.a]\ndo = ['b']\n[flow.b]\ndo = ['c', 'a']\n"
        )),
        ["t.toml:8:13 Y0160 block `a` contains itself",]
    );
    check(
        "[flow.other]\ndo = []\ntimes = 2\neach = 'players()'",
        &[
            "t.toml:9:1 Y0109 block `other` does nothing",
            "t.toml:11:1 Y0114 block `other` has both `times` and `each`",
        ],
    );
    check(
        "[score.s]\norder = 'x'",
        &[
            "t.toml:8:8 Y0108 scoring term `s` needs a key `points`",
            "t.toml:9:9 Y0107 `order` of scoring term `s` must be a whole number",
        ],
    );
    check(
        "[tie.t]\npoints = '1'\nwhen = 'true'",
        &["t.toml:10:1 Y0106 tie-break `t` has no key `when`"],
    );
}

#[test]
fn abilities() {
    let base = "[kind.card]\nstart = 'box'\npieces = [{ id = 'ace' }]\n[zone.box]\n[zone.hand]\n\
                per = ['player']\nholds = 'card'\n[ability.a]\n";
    let with = |text: &str, expected: &[&str]| check(&format!("{base}{text}"), expected);
    with(
        "",
        &[
            "t.toml:15:10 Y0108 ability `a` needs a key `piece`",
            "t.toml:15:10 Y0108 ability `a` needs a key `zone`",
            "t.toml:15:10 Y0114 ability `a` does nothing",
        ],
    );
    with(
        "piece = 'axe'\nzone = 'hand'\nscore = { points = 1 }",
        &["t.toml:16:9 Y0113 there is no piece of `card` `axe`"],
    );
    with(
        "piece = 'ace'\nzone = 'box'\nscore = { points = 1 }",
        &["t.toml:17:8 Y0148 no piece in `box` can give an ability"],
    );
    let held = "piece = 'ace'\nzone = 'hand'\n";
    with(
        &format!("{held}modify = 3"),
        &["t.toml:18:10 Y0107 `modify` of ability `a` must be a table, or a list of tables"],
    );
    with(
        &format!("{held}modify = [{{ parameter = 'p', add = 1 }}, {{ add = 1 }}]"),
        &[
            "t.toml:18:25 Y0113 there is no parameter `p`",
            "t.toml:18:41 Y0108 `modify` of ability `a` needs a key `parameter`",
        ],
    );
    with(
        &format!("{held}trigger = {{ on = 'landed', effects = '()' }}\n[event.landing]"),
        &[
            "t.toml:18:18 Y0113 there is no event `landed`",
            "t.toml:18:28 Y0106 `trigger` of ability `a` has no key `effects`",
        ],
    );
    with(
        &format!("{held}score = {{ points = 1 }}\n[score.a]\npoints = 1"),
        &["t.toml:15:10 Y0112 two things are called `a`"],
    );
}

#[test]
fn what_is_counted() {
    let base = "[kind.card]\nattributes = { red = 'bool', rank = 'int', motto = 'text' }\nstart = 'box'\n\
                pieces = [{ id = 'ace' }]\n[zone.box]\n[zone.hand]\nper = ['player']\n\
                holds = 'card'\n[zone.on]\nper = ['card']\n[score.s]\n";
    let with = |text: &str, expected: &[&str]| check(&format!("{base}{text}"), expected);
    with("count = 'hand'", &[]);
    with(
        "count = 'box'\nleast = 2\nevery = 3\nflat = true\npoints = 'me.number'",
        &[],
    );
    with(
        "count = 'hand'\nwith = { red = true, rank = 3 }\ndistinct = 'rank'",
        &[],
    );
    with(
        "count = 'hands'",
        &["t.toml:19:9 Y0113 there is no zone `hands`"],
    );
    with(
        "count = 'on'",
        &["t.toml:19:9 Y0149 `on` is no zone of a player"],
    );
    with(
        "points = 1\nevery = 2",
        &["t.toml:20:1 Y0108 `every` of scoring term `s` says nothing without `count`"],
    );
    with(
        "count = 'box'\ndistinct = 'rank'",
        &["t.toml:20:1 Y0149 the pieces in `box` have no attributes in common"],
    );
    with(
        "count = 'hand'\nwith = { read = true, red = 1, motto = 'x' }\ndistinct = 'ranks'\nevery = 0",
        &[
            "t.toml:20:10 Y0113 there is no attribute `read`",
            "t.toml:20:29 Y0107 `red` of `with` must be `true` or `false`",
            "t.toml:20:32 Y0149 attribute `motto` cannot be compared here",
            "t.toml:21:12 Y0113 there is no attribute `ranks`",
            "t.toml:22:9 Y0109 `every` of scoring term `s` is out of range",
        ],
    );
}

#[test]
fn keys_have_provenances_of_their_own() {
    let text = "[counter.c]\nstart = 1\nleast = 0\nprovenance = { start = 'inferred' }";
    let (pack, _, _) = read(&files(&[(
        "t.toml",
        &format!("provenance = 'reconstructed'\n{BASE}{text}"),
    )]));
    let of = |what: &str| {
        let pack = pack.as_ref().expect("a right pack");
        let found = pack.provenance.iter().find(|(path, _)| path == what);
        found.map(|(_, provenance)| *provenance)
    };
    assert_eq!(of("counter.c"), Some(Provenance::Reconstructed));
    assert_eq!(of("counter.c.start"), Some(Provenance::Inferred));
    assert_eq!(of("counter.c.least"), None);
    check(
        "[counter.c]\nprovenance = { start = 'printed', holds = 'guessed' }\nholds = 'int'",
        &[
            "t.toml:9:16 Y0106 counter `c` gives no key `start`",
            "t.toml:9:43 Y0119 `provenance` cannot be `guessed`",
        ],
    );
}

#[test]
fn exchanges() {
    let base = "[set.s]\nmembers = ['x']\n[set.t]\nmembers = ['x']\n[exchange.e]\nresource.a = { start = 1 }\nresource.m = { each = 's', start = 1 }\n";
    // The text of a test begins on line 15.
    let with = |text: &str, expected: &[&str]| check(&format!("{base}{text}"), expected);
    with("goal = { a = 1 }", &[]);
    with("", &["t.toml:12:11 Y0108 exchange `e` needs a key `goal`"]);
    with(
        "goal = { b = 1 }",
        &["t.toml:15:10 Y0113 there is no resource `b`"],
    );
    with(
        "goal = { m = 1 }",
        &["t.toml:15:10 Y0170 exchange `e` does not say which `s` of `m` it means"],
    );
    with(
        "goal = { a = 1 }\nrule.r = { each = 't', take = { m = 1 }, give = { a = 1 } }",
        &["t.toml:16:33 Y0170 rule `r` of exchange `e` does not say which `s` of `m` it means"],
    );
    with(
        "goal = { a = 1 }\nrule.r = { take_any = { from = ['m', 'q'] } }",
        &[
            "t.toml:16:23 Y0108 `take_any` of rule `r` of exchange `e` needs a key `count`",
            "t.toml:16:38 Y0113 there is no resource `q`",
        ],
    );
    with(
        "goal = { a = 1 }\nsubject = { name = 'me', type = 'u' }",
        &[
            "t.toml:16:20 Y0111 a subject cannot be called `me`",
            "t.toml:16:33 Y0115 there is no type `u`",
        ],
    );
}

#[test]
fn files_are_merged_and_their_bytes_checked() {
    let base = ("a.toml", BASE);
    assert_eq!(
        problems(&[
            base,
            (
                "b.toml",
                "[flow.main]\ndo = ['x']\n[game]\ntitle = 'Again'\n"
            )
        ]),
        [
            "b.toml:1:7 Y0104 `flow.main` is given in two files",
            "b.toml:4:1 Y0104 `game.title` is given in two files",
        ]
    );
    assert_eq!(
        problems(&[base, ("view.toml", "anything = 'goes'\n")]),
        [""; 0]
    );
    let bom = format!("\u{feff}{BASE}[zone.Bag]\n");
    assert_eq!(
        problems(&[("a.toml", &bom)]),
        ["a.toml:8:7 Y0110 the id `Bag` is not in snake case"]
    );
    let crlf = format!("{BASE}[zone.Bag]\n").replace('\n', "\r\n");
    assert_eq!(
        problems(&[("a.toml", &crlf)]),
        ["a.toml:8:7 Y0110 the id `Bag` is not in snake case"]
    );
    let mut bad = files(&[base]);
    bad.rules
        .push(("rules/toy/b.toml".to_owned(), b"# caf\xe9\n".to_vec()));
    let (pack, sources, report) = read(&bad);
    assert!(pack.is_none());
    assert_eq!(
        render(&report, &sources, Style::PLAIN),
        "error[Y0102]: the file is not UTF-8\n --> rules/toy/b.toml:1:6\n  |\n1 | # caf\u{fffd}\n  |      ^ byte 0xe9\n  |\n  = help: save the file as UTF-8\n"
    );
}

#[test]
fn what_is_too_much_is_refused() {
    let deep = ["a"; 100_000].join(".");
    for text in [
        format!("{deep} = 1"),
        format!("[{deep}]"),
        format!("x = {{ {deep} = 1 }}"),
    ] {
        assert_eq!(problems(&[("t.toml", &text)]).len(), 1);
    }
    let nested = format!("x = {}1{}", "[".repeat(50_000), "]".repeat(50_000));
    assert!(!problems(&[("t.toml", &nested)]).is_empty());
    let many: String = (0..70_000).map(|n| format!("[choice.c{n:05}]\n")).collect();
    assert_eq!(
        problems(&[("a.toml", BASE), ("t.toml", &many)]),
        ["t.toml:1001:9 Y0117 the pack has too many entries in `choice`"]
    );
}

pub(crate) mod properties {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::*;

    /// A text with something in it left out, doubled or replaced by some of these letters, in so many places.
    pub(crate) fn mangled(
        text: &'static str,
        letters: &'static str,
        places: Range<usize>,
    ) -> impl Strategy<Value = String> {
        let cut = (0..text.len(), 0..12_usize, letters);
        prop::collection::vec(cut, places).prop_map(move |cuts| {
            let mut text = text.to_owned();
            for (start, length, new) in cuts {
                let start = start.min(text.len());
                let end = (start + length).min(text.len());
                if text.is_char_boundary(start) && text.is_char_boundary(end) {
                    text.replace_range(start..end, &new);
                }
            }
            text
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_makes_the_reader_panic(text in mangled(TOY, "[a-z0-9\\[\\]{}=\"'.,\n-]{0,4}", 1..4)) {
            problems(&[("toy.toml", &text)]);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut files = files(&[]);
            files.rules.push(("rules/toy/t.toml".to_owned(), bytes.clone()));
            files.scripts.push(("scripts/toy/t.rhai".to_owned(), bytes));
            let (_, sources, report) = read(&files);
            render(&report, &sources, Style::PLAIN);
        }
    }
}
