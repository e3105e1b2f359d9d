//! What makes a scenario fail, and what a person is told: the scenario's text and the complaints.

use std::fs;
use std::path::Path;

use yukon::scenario::runner::{Packs, run};
use yukon::scenario::{Found, Options};

/// What every text begins with, so that the first line of a test is line 6.
const HEAD: &str = "format = 1
title = \"t\"
pack = \"airways\"
players = 2
seed = 1
";

/// The complaints of a scenario, without the one about its missing golden.
fn complaints(folder: &Path, text: &str) -> Vec<String> {
    let path = folder.join("t.toml");
    fs::write(&path, format!("{HEAD}{text}")).expect("a file");
    let found = Found {
        path,
        name: "t.toml".to_owned(),
    };
    let result = run(&found, &Packs::new("."), Options::default());
    result
        .complaints
        .iter()
        .filter(|text| !text.contains("there is no golden"))
        .map(|text| text.trim_end().to_owned())
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let found = complaints(folder.path(), text);
    let fits = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.contains(expected));
    assert!(fits, "{text}\nfound: {found:#?}\nexpected: {expected:#?}");
}

/// A start at which player 1 chooses a gate, with little else.
const GATE: &str = "[start]
block = \"boarding\"
[table]
turn_track = [\"player_1.marker\", \"player_2.marker\"]
\"player_1.money\" = 0
\"gate_1.dice\" = [\"red@1\", \"red@1\", \"blue@1\"]
";

#[track_caller]
fn check_gate(text: &str, expected: &[&str]) {
    check(&format!("{GATE}{text}"), expected);
}

#[test]
fn nothing_is_filled_in() {
    check_gate(
        "",
        &["t.toml:1:1: no answer is given to `player_1.gate`: answer one of: gate_1"],
    );
    check_gate(
        "[[play]]\nplayer_1.gate = \"gate_1\"\n",
        &["t.toml:13:1: no answer is given to `player_1.board`"],
    );
    check_gate("[expect]\nasked = \"player_1.gate\"\n", &[]);
    check_gate(
        "[expect]\nasked = \"player_2.gate\"\n",
        &["t.toml:13:9: `player_2.gate` is not asked: now it is `player_1.gate`"],
    );
}

#[test]
fn answers_that_are_not_asked_for_fail() {
    check_gate(
        "[[play]]\nplayer_2.gate = \"gate_1\"\n",
        &["t.toml:13:1: `player_2.gate` is not asked: now it is `player_1.gate`"],
    );
    check_gate(
        "[[play]]\nplayer_1.gate = \"gate_9\"\n",
        &["t.toml:13:1: `player_1.gate`: `gate_9` is not offered; did you mean `gate_1`?"],
    );
    check_gate(
        "[[play]]\nplayer_1.gate = \"gate_1\"\n[[play]]\nplayer_1.die_move = \"red gate_1 gate_2\"\n",
        &[
            "`player_1.die_move` is not asked: now it is `player_1.board`; `player_1.die_move` was forced to be `done`",
        ],
    );
    check_gate(
        "[[play]]\nplayer_1.gate = \"gate_1\"\n[[play]]\nplayer_1.board = [\"red\", \"blue\"]\n",
        &["too many different ones: answer 1 to 2, all of one colour, out of: blue, red (2 alike)"],
    );
}

#[test]
fn expectations_are_exact() {
    let end = "[expect]\nasked = \"player_1.gate\"\n";
    check_gate(
        &format!(
            "{end}\"player_1.money\" = 1\n\"gate_1.dice\" = [\"red\", \"blue\"]\n\"gate_1.markers\" = 0\n"
        ),
        &[
            "t.toml:14:1: `player_1.money` is 0, not 1",
            "t.toml:15:1: `gate_1.dice` is [blue, red, red], not [red, blue]",
        ],
    );
    check_gate(
        "[[play]]
asked = \"player_1.gate\"
offered = [\"gate_7\"]
not_offered = [\"gate_1\"]
choices = [\"gate_1\"]
refused = { gate_2 = \"needs_money\" }
rejected = [\"gate_3\", \"gate_7\"]
[expect]
asked = \"player_1.gate\"
",
        &[
            "t.toml:14:12: `gate_7` is not offered",
            "t.toml:15:16: `gate_1` is offered",
            "t.toml:16:11: the choices are gate_1, gate_2",
            "t.toml:17:13: `gate_2` is offered",
            "t.toml:18:13: `gate_3` is accepted",
        ],
    );
    check_gate(
        "[[play]]
asked = \"player_1.gate\"
hints = { gate_7 = \"far\", gate_1 = \"near\" }
[expect]
asked = \"player_1.gate\"
",
        &[
            "t.toml:14:11: `gate_7` is not offered",
            "t.toml:14:27: of `gate_1` it says `nothing`",
        ],
    );
    check_gate(
        "[[play]]
player_1.gate = \"gate_1\"
[[play]]
asked = \"player_1.board\"
hints = { red = \"free\" }
[expect]
asked = \"player_1.board\"
",
        &["t.toml:16:11: nothing is said of `red`"],
    );
    check(
        "[start]
block = \"flight\"
[table]
turn_track = [\"player_1.marker\", \"player_2.marker\"]
player_1 = { fuel = 7, seats = [\"red\"], hand = [\"skagway_dollar\"] }
[[play]]
asked = \"player_1.flight\"
hints = { skagway = \"7 fuel\" }
[expect]
asked = \"player_1.flight\"
",
        &["t.toml:13:11: of `skagway` it says `1 fuel`"],
    );
    check_gate(
        "[[play]]
player_1.gate = \"gate_1\"
[[play]]
asked = \"player_1.board\"
offered = { red = 3, blue = 1 }
[expect]
over = true
",
        &[
            "t.toml:16:13: `red` is offered 2 times",
            "t.toml:18:8: the game is not over",
            "no answer is given to `player_1.board`",
        ],
    );
    check_gate(
        "[[play]]
player_1.gate = \"gate_1\"
[[play]]
player_1.die_move = \"done\"
refused = { \"red gate_1 gate_2\" = \"needs_money 1 1\", \"blue gate_1 gate_2\" = \"needs_money\" }
[expect]
asked = \"player_1.board\"
",
        &["`red gate_1 gate_2` is refused for another reason: needs_money 1 0"],
    );
}

#[test]
fn chance_is_used_up_and_possible() {
    check(
        "[chance]
picks = { first_player = [\"player_2\", \"player_1\"] }
rolls = { red = [2] }
[expect]
asked = \"player_2.gate\"
",
        &["t.toml:7:39: nobody draws the `player_1` given for `first_player`"],
    );
    check(
        "[chance]\npicks = { first_player = [\"player_3\"] }\n",
        &["t.toml:7:27: `first_player` cannot give `player_3`"],
    );
    check(
        "[chance]\nall_given = true\n",
        &["is not given, and `all_given` is set"],
    );
    check(
        "[chance]\nrolls = { red = [7], rad = [1] }\nshuffles = { hand = [], deck = [[\"nothing\"]] }\n",
        &["a face of `red` is out of range"],
    );
}

#[test]
fn all_that_cannot_be_read_is_told_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = complaints(
        folder.path(),
        "colour = 1
[table]
\"player_1.mony\" = 3
\"player_3.money\" = 3
\"player_1.hand\" = 3
\"player_1.collected[inuvick]\" = []
\"player_1.two_colours\" = 1
[[play]]
player_1.gat = \"gate_1\"
[[play]]
player_1.gate = \"gate_1\"
asked = \"player_1.gate\"
expct = {}
[expect]
wins = 1
",
    )
    .join("\n");
    for expected in [
        "a scenario has no key `colour`",
        "`player_1` has no `mony`; did you mean `money`?",
        "there is no player, node, member, piece or group `player_3`",
        "`player_1.hand` must be a list of pieces",
        "`inuvick` has no place in `player_1.collected[inuvick]`; did you mean `inuvik`?",
        "`player_1.two_colours` must be `true` or `false`",
        "there is no decision `gat`",
        "did you mean `gate`?",
        "an entry of `play` does several things",
        "an entry of `play` has no key `expct`",
        "the table has no `wins`",
        "t.toml:8:1",
        "t.toml:20:1",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
}

#[test]
fn a_table_that_cannot_be_is_refused_with_its_line() {
    let end = "[expect]\nasked = \"player_1.gate\"\n";
    for (line, expected) in [
        ("\"player_1.fuel\" = 9", "t.toml:12:1: `9`"),
        (
            "\"player_2.money\" = -1",
            "t.toml:12:1: counter `money` would be -1",
        ),
        (
            "\"player_1.hand\" = [\"inuvik_barel\"]",
            "t.toml:12:1: there is no piece `inuvik_barel`",
        ),
        (
            "\"gate_2.dice\" = [\"pink\", \"pink\", \"pink\", \"pink\"]",
            "t.toml:12:1: there are only 3 of `pink`",
        ),
        (
            "\"player_1.collected[inuvik]\" = [\"red\"]",
            "write `cube:red` or `die:red`",
        ),
        (
            "\"player_1.hand\" = [\"inuvik_barrel_1\", \"inuvik_barrel_1\"]",
            "is named twice",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let found = complaints(folder.path(), &format!("{GATE}{line}\n{end}")).join("\n");
        let expected =
            expected.replace("`9`", "dial `fuel` does not show 9; its faces are 0, 1, 2");
        assert!(found.contains(&expected), "{line}: {found}");
    }
}

#[test]
fn zones_hold_exactly_what_is_listed() {
    check_gate(
        "\"player_1.hand\" = [\"inuvik_barrel\", \"inuvik_barrel\", \"skagway_dollar\"]
\"player_2.hand\" = []
deck = { top = [\"old_crow_wrench\", \"old_crow_barrel\"] }
discard = [\"june_lake_wrench\", \"june_lake_barrel\"]
\"player_2.collected[inuvik]\" = [\"grey\", \"grey\", \"cube:blue\"]
\"red_1.face\" = 6
\"player_2.plane\" = \"inuvik.planes\"
[[play]]
player_1.gate = \"gate_1\"
[play.expect]
\"player_1.hand\" = [\"skagway_dollar\", \"inuvik_barrel\", \"inuvik_barrel\"]
\"player_2.hand\" = []
deck = { top = [\"old_crow_wrench\", \"old_crow_barrel\"] }
discard = [\"june_lake_wrench\", \"june_lake_barrel\"]
\"player_2.collected[inuvik]\" = [\"blue\", \"grey\", \"grey\"]
\"red_1.face\" = 6
\"player_2.plane\" = \"inuvik.planes\"
\"table.deck\" = 67
[expect]
asked = \"player_1.board\"
",
        &[],
    );
}

#[test]
fn what_players_see_of_hands() {
    check_gate(
        "\"player_1.hand\" = [\"skagway_dollar\", \"inuvik_barrel\"]
[[play]]
[play.expect]
sees.player_1 = { player_1.hand = [\"inuvik_barrel\", \"skagway_dollar\"] }
sees.player_2 = { player_1.hand = [\"?\", \"?\"] }
[expect]
asked = \"player_1.gate\"
",
        &[],
    );
    check_gate(
        "\"player_1.hand\" = [\"skagway_dollar\", \"inuvik_barrel\"]
[[play]]
[play.expect]
sees.player_1 = { player_1.hand = [\"?\", \"skagway_dollar\"] }
sees.player_2 = { player_1.hand = [\"?\", \"skagway_dollar\"] }
[expect]
asked = \"player_1.gate\"
",
        &[
            "t.toml:15:28: player_1 sees [inuvik_barrel, skagway_dollar] in `player_1.hand`, not [?, skagway_dollar]",
            "t.toml:16:28: player_2 sees [?, ?] in `player_1.hand`, not [?, skagway_dollar]",
        ],
    );
}

#[test]
fn only_zones_can_be_seen() {
    check_gate(
        "[expect]
asked = \"player_1.gate\"
sees.player_3 = { player_1.hand = [] }
",
        &["there is no player `player_3`"],
    );
    check_gate(
        "[expect]
asked = \"player_1.gate\"
sees.player_2 = { player_1.fuel = 4 }
",
        &["`player_1.fuel` is no list of the pieces of a zone, and only zones can be hidden"],
    );
}

#[test]
fn what_must_not_be_asked_may_not_be_forced_either() {
    // At gate 1, without money, the moves of dice are forced to be none.
    let play = "[[play]]\nplayer_1.gate = \"gate_1\"\n";
    let end = "[expect]\nasked = \"player_1.board\"\n";
    check_gate(
        &format!("{play}expect.not_asked = [\"player_1.gate\", \"player_2.gate\"]\n{end}"),
        &[],
    );
    check_gate(
        &format!("{play}expect.not_asked = [\"player_1.die_move\", \"player_1.board\"]\n{end}"),
        &[
            "t.toml:14:21: `player_1.die_move` was asked, and answered by `done`",
            "t.toml:14:42: `player_1.board` is asked",
        ],
    );
    // At the end it is about the whole scenario.
    check_gate(
        &format!("{play}{end}not_asked = [\"player_1.gate\"]\n"),
        &["t.toml:16:14: `player_1.gate` was asked, and answered by `gate_1`"],
    );
    check_gate(
        &format!("{play}{end}not_asked = [\"player_1.gaet\"]\n"),
        &["there is no decision `gaet`"],
    );
}

#[test]
fn a_deck_is_shortened_to_what_is_named() {
    let deck = "deck = { top = [\"inuvik_barrel\", \"skagway_dollar\"], rest = \"discard\" }\n";
    let end = "[expect]\nasked = \"player_1.gate\"\n";
    check_gate(
        &format!(
            "{deck}\"player_1.hand\" = []\n\"player_2.hand\" = []\n{end}deck = [\"skagway_dollar\", \"inuvik_barrel\"]\ndiscard = 70\n"
        ),
        &[],
    );
    check_gate(
        &format!("deck = {{ top = [], rest = \"deck\" }}\n{end}"),
        &["t.toml:12:1: `deck` is no other zone for the rest"],
    );
    check_gate(
        &format!("{end}deck = {{ top = [], rest = \"discard\" }}\n"),
        &["`rest` says where pieces go"],
    );
}
