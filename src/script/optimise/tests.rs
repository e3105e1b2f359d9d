//! What code becomes. That it does the same is tested where games and functions are: by the oracle, by the
//! packs' games and by all that the language's tests evaluate.

use crate::diag::{Style, render};
use crate::pack::{PackFiles, read};
use crate::script::code::Op;
use crate::script::{Rules, lower};
use crate::table::Value;
use crate::table::ids::FunctionId;

const PACK: &str = r#"
[game]
title = "Toy"
players = [2, 4]
flow = "main"

[flow.main]
do = ["work"]

[kind.card]
start = "deck"
attributes.points = "int"
pieces = [{ id = "ace", points = 3 }, { id = "king", points = 1 }]

[zone.deck]
holds = "card"

[zone.hand]
per = ["player"]
holds = "card"

[counter.coins]
per = ["player"]
start = 2

[parameter.stride]
doc = "How far a step goes."
value = 4
"#;

/// The rules for batches of a script whose `work` calls what else there is.
fn rules(script: &str) -> Rules {
    let files = PackFiles {
        id: "toy".to_owned(),
        rules: vec![("rules/toy/toy.toml".to_owned(), PACK.as_bytes().to_vec())],
        scripts: vec![(
            "scripts/toy/toy.rhai".to_owned(),
            script.as_bytes().to_vec(),
        )],
        ..PackFiles::default()
    };
    let (pack, sources, mut report) = read(&files);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    let rules = rules.unwrap_or_else(|| panic!("{}", render(&report, &sources, Style::PLAIN)));
    rules.inlined()
}

fn id(rules: &Rules, name: &str) -> FunctionId {
    let place = rules
        .program
        .functions
        .iter()
        .position(|code| code.name == name);
    FunctionId::from_index(place.expect("the function is there"))
}

fn code<'a>(rules: &'a Rules, name: &str) -> &'a [Op] {
    let code = &rules.program.functions[id(rules, name).index()];
    &rules.program.ops[code.entry as usize..(code.entry + code.length) as usize]
}

#[test]
fn what_is_known_is_computed_once() {
    let rules = rules(
        "fn work() { six(); choice(); }
         fn six() { let a = 2; let b = a * 3; max(b, value(parameter::stride)) }
         fn choice() { if six() > 5 { 1 } else { 2 } }",
    );
    let constant = |name| rules.program.constant(id(&rules, name));
    assert_eq!(constant("six"), Some(Value::int(6)));
    assert_eq!(constant("choice"), Some(Value::int(1)));
    assert_eq!(
        code(&rules, "choice").len(),
        1,
        "the other branch is left out"
    );
}

#[test]
fn what_could_fail_stays() {
    let rules = rules(
        "fn work() { none(0); much(1); }
         fn none(divisor) { let a = 1 / divisor; 2 }
         fn much(more) { let a = 36028797018963967 + more; 2 }",
    );
    for name in ["none", "much"] {
        assert_eq!(rules.program.constant(id(&rules, name)), None, "{name}");
    }
}

#[test]
fn comparisons_are_their_jumps() {
    let rules = rules(
        "fn work() { for player in players() { rich(player); } }
         fn rich(player) { let found = 7; if player.coins > 3 { found = 8; } found }",
    );
    let code = code(&rules, "rich");
    assert!(
        matches!(
            code,
            [
                Op::Int { value: 7, .. },
                Op::GetNumber { object: 0, .. },
                Op::Get { object: 0, .. },
                Op::UnlessGtInt { value: 3, to, .. },
                Op::Int { value: 8, .. },
                Op::Return { .. },
            ] if code.len() as u32 + rules.program.functions[id(&rules, "rich").index()].entry == to + 1
        ),
        "{code:#?}"
    );
}

#[test]
fn pieces_that_stay_need_no_list() {
    let rules = rules(
        "fn work() { for player in players() { points(player); give(player); dear(player); } }
         fn points(player) { let sum = 0; for card in player.hand { sum += card.points; } sum }
         fn give(player) { for card in table.deck { put(card, player.hand); } }
         fn dear(player) { for card in player.hand { if card.points > 1 { return card; } } () }",
    );
    let walks = |name: &str| {
        let mut walks = code(&rules, name).iter();
        walks.any(|op| matches!(op, Op::Walk { .. }))
    };
    assert!(walks("points"));
    assert!(!walks("give"), "its pieces are moved meanwhile");
    assert!(walks("dear"), "it can be left in the middle");
}
