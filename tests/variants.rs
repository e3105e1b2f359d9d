//! Variants: what they make of a pack, in what order they apply, and how their functions call others.

mod kit;

use yukon::diag::Severity;
use yukon::flow::decision::{self, Answer};
use yukon::pack::compare::{differences, toml};
use yukon::pack::{PackFiles, Selection, VariantFiles, read_with, resolve};
use yukon::script::{Io, Limits, Machine, Outcome, Rules, Scratch, State, lower};

const TOY: &str = r#"
[game]
title = "Toy"
players = [2, 2]
flow = "year"

[flow.year]
do = ["sow", "harvest", "rest"]

[flow.harvest]
do = ["reap"]
each = "players().filter(|player| player.next != players().first())"

[parameter.price]
value = 3
doc = "Coins for a sack of grain."

[dial.barn]
per = ["player"]
faces = [0, 1, 2]
start = 0

[counter.grain]
per = ["player"]

[decision.sacks]
prompt = "How many sacks?"

[zone.shed]

[kind.tool]
start = "shed"
pieces = [{ id = "plough" }, { id = "sickle" }]
"#;

const SCRIPT: &str = "
fn sow() {}
fn rest() {}
fn fair() {}
fn reap(me) { me.grain += choose_number(decision::sacks, me, 1, 9); }
";

/// A variant: its name, what stands in its head besides title and reason, its tables, its script.
type House = (&'static str, &'static str, &'static str, &'static str);

fn files(houses: &[House]) -> PackFiles {
    let variants = houses.iter().map(|(id, head, tables, script)| {
        let text = format!("[variant]\ntitle = 'A'\nreason = 'A test.'\n{head}\n{tables}");
        let script =
            (!script.is_empty()).then(|| (format!("{id}.rhai"), script.as_bytes().to_vec()));
        VariantFiles {
            id: (*id).to_owned(),
            rules: (format!("{id}.toml"), text.into_bytes()),
            script,
        }
    });
    PackFiles {
        variants: variants.collect(),
        ..kit::files(TOY, SCRIPT)
    }
}

/// Lays variants over the toy, in the order given, and compares what it says then.
fn check(houses: &[House], expected: &[&str]) {
    let files = files(houses);
    let chosen: Vec<String> = houses.iter().map(|(id, ..)| (*id).to_owned()).collect();
    let (old, ..) = resolve(&files, &[]);
    let (new, sources, report) = resolve(&files, &chosen);
    let new =
        new.unwrap_or_else(|| panic!("{}", kit::problems(&report, &sources, Severity::Error)));
    let old = old.expect("the toy is right");
    let found: Vec<String> = differences(&old.document, &new.document)
        .iter()
        .map(|difference| {
            let value = |node: &Option<yukon::pack::doc::Node>| {
                node.as_ref()
                    .map_or("nothing".to_owned(), |node| toml(&node.item))
            };
            let path = difference.path.join(".");
            format!(
                "{path}: {} -> {}",
                value(&difference.old),
                value(&difference.new)
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn entries_are_changed_added_and_removed() {
    check(
        &[("a", "", "[parameter.price]\nvalue = 4", "")],
        &["parameter.price.value: 3 -> 4"],
    );
    check(
        &[(
            "a",
            "remove = ['kind.tool.pieces.plough', 'counter.grain']",
            "",
            "",
        )],
        &[
            "counter.grain: { per = [\"player\"] } -> nothing",
            "kind.tool.pieces.plough: { id = \"plough\" } -> nothing",
        ],
    );
    check(
        &[(
            "a",
            "",
            "[add.parameter.price]\nmost = 9\n[add.tie.more]\npoints = 'me.grain'",
            "",
        )],
        &[
            "parameter.price.most: nothing -> 9",
            "tie.more: nothing -> { points = \"me.grain\" }",
        ],
    );
}

#[test]
fn lists_grow_and_their_elements_are_changed_by_name() {
    check(
        &[(
            "a",
            "",
            "[add.dial.barn]\nfaces = [3, 5]\n[kind.tool.pieces.sickle]\nid = 'scythe'",
            "",
        )],
        &[
            "dial.barn.faces.3: nothing -> 3",
            "dial.barn.faces.5: nothing -> 5",
            "kind.tool.pieces.sickle: { id = \"sickle\" } -> { id = \"scythe\" }",
        ],
    );
}

#[test]
fn steps_are_inserted_dropped_replaced_and_wrapped() {
    check(
        &[(
            "a",
            "",
            "[flow.year]\ninsert = [{ step = 'fair', after = 'sow' }, { step = 'tax', after = 'sow' }, { step = 'eve', before = 'sow' }]",
            "",
        )],
        &[
            "flow.year.do.\"eve\": nothing -> \"eve\"",
            "flow.year.do.\"fair\": nothing -> \"fair\"",
            "flow.year.do.\"tax\": nothing -> \"tax\"",
        ],
    );
    check(
        &[(
            "a",
            "",
            "[flow.year]\nreplace = { sow = 'fair' }\nwrap = { harvest = 'big' }\n[add.flow.big]\ndo = ['harvest', 'fair']",
            "",
        )],
        &[
            "flow.big: nothing -> { do = [\"harvest\", \"fair\"] }",
            "flow.year.do.\"sow\": \"sow\" -> \"fair\"",
            "flow.year.do.\"harvest\": \"harvest\" -> \"big\"",
        ],
    );
    check(
        &[("a", "", "[flow.year]\ndrop = ['rest']", "")],
        &["flow.year.do.\"rest\": \"rest\" -> nothing"],
    );
}

#[test]
fn who_names_another_has_the_last_word_in_whatever_order_they_are_given() {
    let four: House = ("a", "", "[parameter.price]\nvalue = 4", "");
    let five: House = ("b", "after = ['a']", "[parameter.price]\nvalue = 5", "");
    let six: House = ("b", "requires = ['a']", "[parameter.price]\nvalue = 6", "");
    check(&[four, five], &["parameter.price.value: 3 -> 5"]);
    check(&[five, four], &["parameter.price.value: 3 -> 5"]);
    check(&[six, four], &["parameter.price.value: 3 -> 6"]);
}

fn rules(houses: &[House]) -> Rules {
    let selection = Selection {
        variants: houses.iter().map(|(id, ..)| (*id).to_owned()).collect(),
        parameters: Vec::new(),
    };
    let (pack, sources, mut report) = read_with(&files(houses), &selection);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    rules.unwrap_or_else(|| panic!("{}", kit::problems(&report, &sources, Severity::Error)))
}

fn go_on(rules: &Rules, state: &mut State) -> Outcome {
    let mut io = Io::default();
    let mut scratch = Scratch::default();
    let mut machine = Machine::new(rules, state, &mut io, &mut scratch, Limits::default());
    machine.run().expect("no fault")
}

/// What player 1 has after the harvest, for answers given to clones of the state at the question.
fn harvests(rules: &Rules, answers: &[i64]) -> Vec<String> {
    let mut asked = rules.start(2, 1);
    assert_eq!(go_on(rules, &mut asked), Outcome::Decision);
    answers
        .iter()
        .map(|answer| {
            let mut state = asked.clone();
            decision::apply(&mut state, &Answer::Number(*answer));
            assert_eq!(go_on(rules, &mut state), Outcome::Over);
            let layout = rules.layout();
            let grain = yukon::flow::Item::parse(layout, &state.table, "player_1.grain");
            grain
                .expect("an item")
                .read(layout, &state.table)
                .to_string()
        })
        .collect()
}

#[test]
fn a_question_waits_inside_wraps_and_each_copy_goes_on() {
    let outer: House = (
        "b",
        "wrap = ['reap']",
        "",
        "fn reap(me) { base(me); me.grain *= 2; }",
    );
    let inner: House = (
        "a",
        "wrap = ['reap']",
        "",
        "fn reap(me) { me.grain += 10; base(me); me.grain += 100; }",
    );
    assert_eq!(harvests(&rules(&[]), &[2, 3]), ["2", "3"]);
    // The later one is the outer one: ((0 + 10) + answer + 100) * 2.
    assert_eq!(harvests(&rules(&[inner, outer]), &[2, 3]), ["224", "226"]);
    // The other way round: 10 + answer * 2 of what was there, and 100.
    assert_eq!(harvests(&rules(&[outer, inner]), &[2, 3]), ["124", "126"]);
}

#[test]
fn an_override_can_be_wrapped_and_calls_nothing_below() {
    let over: House = (
        "a",
        "override = ['reap']",
        "",
        "fn reap(me) { me.grain += choose_number(decision::sacks, me, 1, 2) * 5; }",
    );
    let around: House = (
        "b",
        "wrap = ['reap']",
        "",
        "fn reap(me) { base(me); me.grain += 1; }",
    );
    assert_eq!(harvests(&rules(&[over, around]), &[2]), ["11"]);
}

#[test]
fn parameters_that_are_set_have_the_last_word() {
    let four: House = ("a", "", "[parameter.price]\nvalue = 4", "");
    let mut selection = Selection {
        variants: vec!["a".to_owned()],
        parameters: Vec::new(),
    };
    for (set, expected) in [(None, 4), (Some(9), 9)] {
        selection.parameters = set
            .map(|value| ("price".to_owned(), value))
            .into_iter()
            .collect();
        let (pack, ..) = read_with(&files(&[four]), &selection);
        assert_eq!(pack.expect("a pack").parameters[0].base, expected);
    }
    selection.parameters = vec![("prize".to_owned(), 1)];
    let (pack, _, report) = read_with(&files(&[four]), &selection);
    assert!(pack.is_none());
    assert_eq!(
        report.diagnostics[0].message,
        "there is no parameter `prize`; did you mean `price`?"
    );
}
