//! Variants: what they make of a pack, in what order they apply, and how their functions call others.

mod kit;

use kit::program;
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
type House<'a> = (&'a str, &'a str, &'a str, &'a str);

fn files(houses: &[House<'_>]) -> PackFiles {
    let variants = houses.iter().map(|(id, head, tables, script)| {
        let text = format!("[variant]\ntitle = 'A'\nreason = 'A test.'\n{head}\n{tables}");
        let script =
            (!script.is_empty()).then(|| (format!("{id}.rhai"), script.as_bytes().to_vec()));
        VariantFiles {
            unread: Vec::new(),
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
fn check(houses: &[House<'_>], expected: &[&str]) {
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
fn a_wrap_beside_a_dropped_step_and_a_step_that_moves_are_told_as_such() {
    let big = "[add.flow.big]\ndo = ['harvest', 'fair']\n[flow.year]\nwrap = { harvest = 'big' }\n";
    for dropped in ["sow", "rest"] {
        let tables = format!("{big}drop = ['{dropped}']");
        let around = "flow.year.do.\"harvest\": \"harvest\" -> \"big\"".to_owned();
        let gone = format!("flow.year.do.\"{dropped}\": \"{dropped}\" -> nothing");
        let mut steps = [around, gone];
        if dropped == "sow" {
            steps.reverse();
        }
        check(
            &[("a", "", &tables, "")],
            &[
                "flow.big: nothing -> { do = [\"harvest\", \"fair\"] }",
                &steps[0],
                &steps[1],
            ],
        );
    }
    check(
        &[(
            "a",
            "",
            "[flow.year]\ndrop = ['rest']\ninsert = [{ step = 'rest', before = 'sow' }]",
            "",
        )],
        &["flow.year.do.\"rest\": \"rest\" -> \"rest\""],
    );
}

#[test]
fn who_names_another_has_the_last_word_in_whatever_order_they_are_given() {
    let four: House<'_> = ("a", "", "[parameter.price]\nvalue = 4", "");
    let five: House<'_> = ("b", "after = ['a']", "[parameter.price]\nvalue = 5", "");
    let six: House<'_> = ("b", "requires = ['a']", "[parameter.price]\nvalue = 6", "");
    check(&[four, five], &["parameter.price.value: 3 -> 5"]);
    check(&[five, four], &["parameter.price.value: 3 -> 5"]);
    check(&[six, four], &["parameter.price.value: 3 -> 6"]);
}

fn rules(houses: &[House<'_>]) -> Rules {
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
    let outer: House<'_> = (
        "b",
        "wrap = ['reap']",
        "",
        "fn reap(me) { base(me); me.grain *= 2; }",
    );
    let inner: House<'_> = (
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
    let over: House<'_> = (
        "a",
        "override = ['reap']",
        "",
        "fn reap(me) { me.grain += choose_number(decision::sacks, me, 1, 2) * 5; }",
    );
    let around: House<'_> = (
        "b",
        "wrap = ['reap']",
        "",
        "fn reap(me) { base(me); me.grain += 1; }",
    );
    assert_eq!(harvests(&rules(&[over, around]), &[2]), ["11"]);
}

#[test]
fn parameters_that_are_set_have_the_last_word() {
    let four: House<'_> = ("a", "", "[parameter.price]\nvalue = 4", "");
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

/// A pack on disk with variants and a scenario, for the program itself.
fn on_disk(houses: &[House<'_>]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
    };
    write("rules/toy/toy.toml", &format!("{TOY}{MORE}"));
    write("scripts/toy/toy.rhai", SCRIPT);
    write("scenarios/toy/one.toml", SCENARIO);
    for (id, head, tables, script) in houses {
        let text = format!("[variant]\ntitle = 'A'\nreason = 'A test.'\n{head}\n{tables}");
        write(&format!("rules/toy/variants/{id}.toml"), &text);
        if !script.is_empty() {
            write(&format!("scripts/toy/variants/{id}.rhai"), script);
        }
    }
    folder
}

const MORE: &str = "
[parameter.crop]
value = 2
doc = 'Sacks at least.'

[modifier.barn_full]
parameter = 'crop'
set = 'value(parameter::price)'
when = 'me.grain > 8'
";

const SCENARIO: &str = "format = 1
title = 'Both reap'
pack = 'toy'
players = 2

[[play]]
player_1.sacks = 4

[expect]
over = true
";

/// What the program tells there.
fn yukon(folder: &tempfile::TempDir, args: &[&str]) -> String {
    let output = program()
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("yukon runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let (told, errors) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{args:?}: {told}{errors}");
    told
}

fn json(folder: &tempfile::TempDir, args: &[&str]) -> serde_json::Value {
    let args = [args, &["--format", "json"]].concat();
    serde_json::from_str(&yukon(folder, &args)).expect("JSON")
}

#[test]
fn a_diff_tells_where_a_script_of_the_variant_fails() {
    let folder = on_disk(&[(
        "dry",
        "",
        "[add.flow.drought]\ndo = ['rest']\nwhen = '12 / players().first().next.grain > 1'\n[flow.year]\ninsert = [{ step = 'drought', after = 'harvest' }]",
        "",
    )]);
    // `when` stands in line 7: the head takes four lines and an empty one.
    let told = yukon(&folder, &["diff", "toy", "dry"]);
    let found = told.lines().find(|line| line.contains("a script fails at"));
    let found = found.unwrap_or_else(|| panic!("{told}"));
    assert!(
        found.starts_with("  1: a script fails at rules/toy/variants/dry.toml:7:"),
        "{told}"
    );
    assert!(told.contains("division by zero"), "{told}");
    let found = json(&folder, &["diff", "toy", "dry"]);
    let parted = &found["scenarios"]["different"][0];
    let fault = parted["fault"].as_str().expect("a place");
    assert!(
        fault.starts_with("rules/toy/variants/dry.toml:7:"),
        "{fault}"
    );
    let trouble = parted["trouble"].as_str().expect("words");
    assert!(
        trouble.contains(fault) && trouble.contains("division by zero"),
        "{trouble}"
    );
}

#[test]
fn a_diff_shows_a_wrapper_as_added_and_what_it_still_calls() {
    let folder = on_disk(&[(
        "wet",
        "wrap = ['reap']",
        "",
        "// Rain brings one more.\nfn reap(me) {\n    base(me);\n    me.grain += 1;\n}\n",
    )]);
    let told = yukon(&folder, &["diff", "toy", "wet"]);
    let functions = told.split("Functions").nth(1).expect("functions");
    assert!(
        functions.contains(
            "    the pack's own still runs, called as `base`:  (scripts/toy/toy.rhai:5)\n    +fn reap(me) {\n    +    base(me);"
        ),
        "{told}"
    );
    assert!(!functions.contains("    -"), "nothing is gone: {told}");
    let found = json(&folder, &["diff", "toy", "wet"]);
    let below = &found["functions"][0]["below"];
    assert_eq!(below["place"], "scripts/toy/toy.rhai:5");
    assert_eq!(below["runs_as_base"], true);
    assert_eq!(below["variant"], serde_json::Value::Null);
}

#[test]
fn a_diff_tells_what_else_changes_a_parameter() {
    let folder = on_disk(&[("rich", "", "[parameter.crop]\nvalue = 3", "")]);
    let told = yukon(&folder, &["diff", "toy", "rich"]);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");

    let line = format!("{TOY}{MORE}")
        .lines()
        .position(|line| line.starts_with("[modifier.barn_full]"))
        .expect("there")
        + 1;
    let expected = format!(
        "changed further by barn_full: set value(parameter::price), while me.grain > 8 (rules/toy/toy.toml:{line})"
    );
    assert!(told.contains(&expected), "{told}");
    let found = json(&folder, &["diff", "toy", "rich"]);
    assert_eq!(found["data"][0]["modifiers"][0]["modifier"], "barn_full");
}

#[test]
fn a_diff_speaks_the_words_of_the_pack() {
    let long = "let all = me.grain + 1000000 + 2000000 + 3000000 + 4000000 + 5000000 + 6000000;";
    let script = format!(
        "fn rest() {{ for me in players() {{ weigh(me); }} }}\nfn weigh(me) {{\n    {long}\n    me.grain = all - 21000000;\n}}\n"
    );
    let folder = on_disk(&[(
        "large",
        "override = ['rest']",
        "# Room for two more.\n[add.dial.barn]\nfaces = [3, 4]\n[add.zone.yard]\nper = ['player']\nholds = 'tool'\n[add.ability.tilling]\npiece = 'plough'\nzone = 'yard'\nmodify = { parameter = 'crop', add = 1, when = 'me.grain > 1' }",
        &script,
    )]);
    let told = yukon(&folder, &["diff", "toy", "large"]);
    assert!(
        told.contains("dial `barn`: faces 0 to 2 -> 0 to 4  ("),
        "{told}"
    );
    let above = "    Room for two more.\n";
    assert!(told.contains(above), "the comment of the change: {told}");
    assert!(
        told.contains(
            "    while `plough` lies in `yard`\n    adds 1 to crop, only if me.grain > 1\n"
        ),
        "{told}"
    );
    let added: Vec<&str> = told
        .lines()
        .skip_while(|line| !line.contains("+fn weigh"))
        .take(5)
        .collect();
    assert_eq!(added.len(), 5, "{told}");
    assert!(
        added.iter().all(|line| line.starts_with("    +")),
        "each part of a long line has its sign: {added:?}"
    );
}

#[test]
fn blocks_and_functions_are_shown_with_what_wraps_them() {
    let folder = on_disk(&[(
        "wet",
        "wrap = ['reap']",
        "",
        "// Rain brings one more.\nfn reap(me) {\n    base(me);\n    me.grain += 1;\n}\n",
    )]);
    let told = yukon(&folder, &["show", "toy", "flow.harvest"]);
    assert!(
        told.starts_with("flow.harvest, for each of players()"),
        "{told}"
    );
    assert!(told.ends_with("\n      reap\n"), "{told}");
    assert_eq!(
        yukon(
            &folder,
            &["show", "toy", "function.reap", "--variant", "wet"]
        ),
        "function.reap(me)  scripts/toy/variants/wet.rhai:2, variant wet\n    Rain brings one more.\n    wraps, and calls as `base`: scripts/toy/toy.rhai:5\n"
    );
    let told = yukon(&folder, &["show", "toy", "functions"]);
    let names: Vec<&str> = told
        .lines()
        .skip(1)
        .filter_map(|line| line.trim().split('(').next())
        .collect();
    assert_eq!(names, ["fair", "reap", "rest", "sow"]);
    // A path that has no words of its own is told value by value.
    assert_eq!(
        yukon(&folder, &["show", "toy", "flow.harvest.do"]),
        yukon(&folder, &["show", "toy", "flow.harvest.do", "--resolved"])
    );
}
