//! The documentation: every example in it is read as scripts are, against a small pack.

mod kit;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use yukon::diag::{Diagnostic, Report, Severity, Sources, Span, to_json};
use yukon::docs::topics;
use yukon::pack::read;
use yukon::script::{api, lower};

/// What the examples speak of.
const MARKET: &str = r#"
[game]
title = "Market"
players = [2, 4]
flow = "main"

[flow.main]
do = ["work"]
each = "players()"

[set.suit]
members = ["sun", "moon"]

[graph.land]
nodes.lake = {}
nodes.hill = {}
edges = [{ between = ["lake", "hill"], cost = 2 }]

[kind.card]
attributes = { suit = "suit", worth = "int" }
start = "deck"
generate = [{ each = ["suit"], copies = 3 }]

[zone.deck]
ordered = true

[zone.hand]
per = ["player"]

[counter.coins]
per = ["player"]

[counter.fish]
per = ["player"]

[counter.shown]
per = ["player", "suit"]

[decision.trade]
prompt = "Trade?"
"#;

/// What the examples of verbs speak of, besides what each is given.
const TABLE: &str = r#"
[game]
title = "Table"
players = [2, 4]
flow = "main"

[flow.main]
do = ["work"]
each = "players()"

[set.suit]
members = ["hearts", "spades"]

[graph.map]
attributes = { number = "int" }
nodes.harbour = { number = 1 }
nodes.island = { number = 2 }
edges = [{ between = ["harbour", "island"], cost = 2 }]

[graph.house]
nodes.hall = {}
nodes.attic = {}
edges = [{ between = ["hall", "attic"], cost = 1 }]

[kind.card]
attributes = { suit = "suit", effect = "effect(me)", number = "int" }
start = "deck"
generate = [{ each = ["suit"], copies = 3 }]

[kind.die]
attributes = { suit = "suit" }
faces = 6
start = "supply"
generate = [{ each = ["suit"] }]

[kind.pawn]
per_player = true
start = "track"

[group.trick]
most = 2

[zone.deck]
ordered = true

[zone.pile]

[zone.supply]

[zone.track]

[zone.goals]

[zone.hand]
per = ["player"]

[zone.played]
per = ["player"]

[zone.collected]
per = ["player"]

[zone.cup]
per = ["player"]

[zone.dice]
per = ["map"]

[zone.laid]
per = ["trick"]

[counter.taker]
per = ["trick"]
holds = "player"

[counter.coins]
per = ["player"]

[counter.out]
per = ["player"]
holds = "bool"

[dial.heat]
per = ["player"]
faces = [0, 1, 2]
tags = ["upgrade"]

[parameter.stride]
value = 2
doc = "How far a pawn goes."

[stream.first_player]

[reason.too_far]
text = "needs {0}, has {1}"

[exchange.trade]
subject = { name = "to", type = "map" }
goal = { coins = 1 }
resource.coins = { start = "me.coins" }

[decision.room]
prompt = "Which room?"

[decision.give]
prompt = "Give what?"

[decision.bid]
prompt = "How much?"

[decision.buy]
prompt = "Buy?"

[decision.wish]
prompt = "What do you wish?"

[event.landed]

[statistic.wishes_met]
noted = "card"
"#;

#[test]
fn the_examples_of_verbs_are_right() {
    for entry in api::TABLE {
        // Names that no `let` gives stand for what a script around the example would have.
        let script = format!(
            "fn work(me) {{ }}\n\
             fn example(me, die, card, list, part, from, set, cost) {{ {}; }}",
            entry.example
        );
        let files = kit::files(TABLE, &script);
        let (pack, sources, mut report) = read(&files);
        let rules = pack.and_then(|pack| lower(pack, &mut report));
        let errors = kit::problems(&report, &sources, Severity::Error);
        assert!(
            rules.is_some() && errors.is_empty(),
            "{}: {errors}\n{}",
            entry.name,
            entry.example
        );
        assert!(
            entry.example.contains(&format!("{}(", entry.name)),
            "the example of {} does not show it",
            entry.name
        );
    }
}

/// The blocks of a language in a Markdown text.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    text.split(&format!("```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect()
}

#[test]
fn the_examples_of_the_language_are_right() {
    let topics = topics();
    let page = topics
        .iter()
        .find(|topic| topic.name == "language")
        .expect("the page");
    let examples = blocks(&page.text, "rhai");
    assert!(examples.len() >= 7, "{} examples", examples.len());
    for example in examples {
        let script = format!("fn work(me) {{ }}\n{example}");
        let files = kit::files(MARKET, &script);
        let (pack, sources, mut report) = read(&files);
        let rules = pack.and_then(|pack| lower(pack, &mut report));
        let errors = kit::problems(&report, &sources, Severity::Error);
        assert!(rules.is_some() && errors.is_empty(), "{errors}\n{example}");
    }
}

#[test]
fn the_page_of_diagnostics_shows_what_is_written() {
    let topics = topics();
    let page = topics.iter().find(|topic| topic.name == "diagnostics");
    let examples = blocks(&page.expect("the page").text, "json");
    let mut sources = Sources::new();
    let text = "[zone.deck]\n\n[zone.hand]\ncapcity = 3\n";
    let file = sources.add("rules/market/zones.toml", text);
    let (mut report, mut whole) = (Report::new(), kit::files(kit::GAME, "fn work() { }"));
    report.push(
        Diagnostic::error(
            "Y0106",
            Span::new(file, 25, 32),
            "zone `hand` has no key `capcity`",
        )
        .label("unknown key")
        .help("did you mean `capacity`?"),
    );
    let example: serde_json::Value = serde_json::from_str(examples[0]).expect("JSON");
    let written: serde_json::Value =
        serde_json::from_str(&to_json(&report, &sources)).expect("JSON");
    assert_eq!(example, written);
    // And that is what such a file gives.
    whole
        .rules
        .push(("rules/market/zones.toml".to_owned(), text.into()));
    let (_, sources, report) = read(&whole);
    let found: serde_json::Value = serde_json::from_str(&to_json(&report, &sources)).expect("JSON");
    assert_eq!(example, found);
}

/// With `BLESS=1` in the environment the copy is written anew.
#[test]
fn the_committed_copy_is_as_the_program_writes_it() {
    let copy = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/docs");
    let folder = tempfile::tempdir().expect("a folder");
    let bless = std::env::var_os("BLESS").is_some_and(|bless| bless == "1");
    let into = if bless { copy.as_path() } else { folder.path() };
    let status = assert_cmd::Command::cargo_bin("yukon")
        .expect("the binary")
        .args(["docs", "--write"])
        .arg(into)
        .output()
        .expect("run")
        .status;
    assert!(status.success());
    let pages = |folder: &Path| -> BTreeMap<String, String> {
        fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                let name = path.file_name().expect("a name").to_string_lossy();
                let text = fs::read_to_string(&path).expect("a text");
                (name.into_owned(), text.replace("\r\n", "\n"))
            })
            .collect()
    };
    let (written, committed) = (pages(into), pages(&copy));
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        names(&committed),
        names(&written),
        "BLESS=1 writes the pages in tests/docs anew; what is no topic any more must be removed"
    );
    for (name, page) in &written {
        let difference = similar::TextDiff::from_lines(committed[name].as_str(), page);
        let mut difference = difference.unified_diff();
        let difference = difference.header("committed", "written");
        assert!(
            committed[name] == *page,
            "tests/docs/{name} is not as the program writes it:\n{difference}\n\
             `BLESS=1 cargo test --test docs` writes it anew"
        );
    }
}

#[test]
fn pages_speak_of_nothing_inside_the_source() {
    for topic in topics() {
        assert!(!topic.text.trim().is_empty(), "`{}` is empty", topic.name);
        assert!(
            !topic.text.contains("crate::"),
            "`{}` links into the source",
            topic.name
        );
    }
}
