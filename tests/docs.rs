//! The documentation: every example in it is read as scripts are, against a small pack.

mod kit;

use yukon::diag::Severity;
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
