//! What is told of the table, of what changed and of what happened.

use super::super::Session;
use super::{check, says, session};

#[test]
fn a_player_sees_only_what_is_his() {
    let mut session = session();
    let own = says(&mut session, "state hand");
    assert!(own.contains("player_2.hand = [hidden gem]\n"), "{own}");
    assert!(!own.contains("player_1.hand = [hidden gem]"), "{own}");
    let all = says(&mut session, "state hand --all");
    assert!(!all.contains("hidden"), "{all}");
    let log = says(&mut session, "log");
    assert!(log.contains("a gem: Bag → Hand (Bob)"), "{log}");
    assert_eq!(
        says(&mut session, "state hnad").lines().next(),
        Some("error: there is no `hnad`; did you mean `hand`?")
    );
}

#[test]
fn items_are_listed_by_their_paths() {
    let mut session = session();
    check(&mut session, "state player_1.coins", "player_1.coins = 2");
    check(
        &mut session,
        "state coins",
        "player_1.coins = 2\nplayer_2.coins = 2",
    );
    check(&mut session, "state coins player_2", "player_2.coins = 2");
    check(&mut session, "state Coins Bob", "player_2.coins = 2");
    check(&mut session, "state mill", "mill.field = [green]");
    // What can be told by a path can be set by it.
    let names = session.complete("state player_1.");
    assert!(names.1.contains(&"player_1.coins".to_owned()), "{names:?}");
    check(
        &mut session,
        "state player_1.coin",
        "error: there is no `player_1.coin`; did you mean `player_1.coins`?",
    );
}

#[test]
fn what_changed_is_told_by_paths() {
    let mut session = session();
    check(&mut session, "diff", "no changes");
    says(&mut session, "mill");
    let last = says(&mut session, "diff --all");
    assert!(last.contains("player_1.hand: ["), "{last}");
    assert!(
        last.contains("mill.field: [green] -> [green, red]"),
        "{last}"
    );
    // A command that changes nothing leaves it as it is.
    says(&mut session, "options");
    check(&mut session, "diff --all", last.trim_end());
    check(&mut session, "diff 1 2 --all", last.trim_end());
    check(&mut session, "diff 1 --all", last.trim_end());
    check(&mut session, "diff 2", "no changes");
    // What another player holds is told by its kind.
    let hidden = says(&mut session, "diff 1");
    assert!(
        hidden.contains("player_1.hand: [hidden gem] -> []"),
        "{hidden}"
    );
    check(
        &mut session,
        "diff 1 9",
        "error: there is no decision 9: they are 1 to 2",
    );
}

#[test]
fn somebody_else_can_look() {
    let mut session = session();
    let own = says(&mut session, "state player_1.hand");
    assert!(!own.contains("hidden"), "{own}");
    says(&mut session, "view as Bob");
    check(
        &mut session,
        "state player_1.hand",
        "player_1.hand = [hidden gem]",
    );
    says(&mut session, "view as all");
    let all = says(&mut session, "state hand");
    assert!(!all.contains("hidden"), "{all}");
    says(&mut session, "view");
    check(
        &mut session,
        "state player_2.hand",
        "player_2.hand = [hidden gem]",
    );
    check(
        &mut session,
        "view as Cid",
        "error: there is no player `Cid`; there are player_1 (Ann), player_2 (Bob)",
    );
}

#[test]
fn expressions_are_computed_and_completed() {
    let mut session = session();
    let before = session.game().state.clone();
    check(&mut session, "eval me", "player_1");
    check(&mut session, "eval me.coins * 2", "4");
    check(&mut session, "eval as Bob: me.number", "2");
    check(&mut session, "eval as 2: me.next", "player_1");
    check(
        &mut session,
        "eval node::mill.field",
        "mill.field = [green]",
    );
    let wrong = says(&mut session, "eval me.coinz");
    assert!(wrong.contains("did you mean `coins`?"), "{wrong}");
    let changes = says(&mut session, "eval me.coins = 9");
    assert!(changes.contains("must not change"), "{changes}");
    assert_eq!(session.game().state, before);
    let (start, words) = session.complete("eval node::mi");
    assert_eq!((start, words), (5, vec!["node::mill".to_owned()]));
    let (start, words) = session.complete("eval me.coi");
    assert_eq!((start, words), (8, vec!["coins".to_owned()]));
}

#[test]
fn what_happened_is_told_of_somebody_or_something() {
    let mut session = session();
    says(&mut session, "mill");
    says(&mut session, "pond");
    let bob = says(&mut session, "log for Bob");
    assert!(bob.contains("  2 Bob: Where? Pond"), "{bob}");
    assert!(!bob.contains("Ann: Where?"), "{bob}");
    let mill = says(&mut session, "log of mill");
    assert!(mill.contains("  1 Ann: Where? Mill"), "{mill}");
    assert!(!mill.contains("Pond"), "{mill}");
    check(&mut session, "log of inn", "nothing");
    check(
        &mut session,
        "log of mlil",
        "error: there is no `mlil`; did you mean `mill`?",
    );
    check(&mut session, "log x", "error: `x` is no number above 0");
}

#[test]
fn what_changed_since_the_last_prompt_is_marked() {
    let mut session = session();
    let marked = |text: &str| text.lines().any(|line| line.contains('*'));
    assert!(!marked(&says(&mut session, "board")));
    says(&mut session, "mill");
    let check = |session: &mut Session, panel: &str, expected: &[&str]| {
        let said = says(session, &format!("board {panel}"));
        let found: Vec<&str> = said
            .split_whitespace()
            .filter(|word| word.contains('*'))
            .collect();
        assert_eq!(found, expected, "{said}");
    };
    // Ann's gem went to the mill: there it is new, and her hand is empty.
    check(&mut session, "map", &["GR*"]);
    check(&mut session, "fields", &["gem*"]);
    check(&mut session, "people", &["-*"]);
    // What was asked does not count, only the line before it.
    says(&mut session, "options");
    check(&mut session, "people", &["-*"]);
    says(&mut session, "set player_1.open on");
    check(&mut session, "map", &[]);
    check(&mut session, "people", &["Open*"]);
    says(&mut session, "set player_1.mood 10");
    check(&mut session, "people", &["5[10]*"]);
    says(&mut session, "undo");
    check(&mut session, "people", &["0[5]10*"]);
    // A zone that lost some of its pieces and got none has a mark of its own.
    says(&mut session, "set mill.field green");
    check(&mut session, "fields", &["*"]);
    // In a new game nothing has changed.
    says(&mut session, "seed 3");
    check(&mut session, "people", &[]);
}

#[test]
fn items_are_meant_by_keys_titles_and_brackets_in_every_command() {
    let mut session = session();
    for path in [
        "player_2.coins",
        "Bob.coins",
        "bob.coins",
        "coins[player_2]",
        "Coins[Bob]",
    ] {
        check(
            &mut session,
            &format!("set {path} 4"),
            "player_2.coins = 4; what is asked stays as it was asked",
        );
        check(&mut session, &format!("state {path}"), "player_2.coins = 4");
        check(
            &mut session,
            &format!("why {path}"),
            "player_2.coins = 4\nchanged from outside at decision 1: player_2.coins = 4",
        );
        check(
            &mut session,
            "undo",
            "took back: player_2.coins = 4\nAnn  Where?\n  1 Inn    2 Mill   3 Pond",
        );
    }
    // Expressions know players by name, and paths as they stand.
    check(&mut session, "eval player_2.coins + bob.coins", "4");
    check(&mut session, "eval coins[player_2]", "player_2.coins = 2");
    check(&mut session, "eval mill.field", "mill.field = [green]");
    let wrong = says(&mut session, "eval player(2).coins");
    assert!(
        wrong.contains("a player is `me`, `player_1`, `player_2`"),
        "{wrong}"
    );
    let said = says(&mut session, "put red Mill.field");
    assert!(said.starts_with("mill.field = [green, red];"), "{said}");
    let said = says(&mut session, "put red field[mill]");
    assert!(
        said.starts_with("mill.field = [green, red, red];"),
        "{said}"
    );
    says(&mut session, "mill");
    let said = says(&mut session, "why mill.field");
    assert!(
        said.starts_with("mill.field = [green, red x3]\n  1 Ann: Where? Mill\n"),
        "{said}"
    );
    // It went where all can see it.
    says(&mut session, "view as Bob");
    check(
        &mut session,
        "why player_1.hand",
        "player_1.hand = []\n  1 Ann: Where? Mill\n    Red gem: Hand (Ann) → Field (Mill)",
    );
    check(
        &mut session,
        "why coinz",
        "error: there is no parameter or item `coinz`; did you mean the item `player_2.coins`?",
    );
}

#[test]
fn keys_of_players_stand_where_names_do_not_say_them() {
    let mut session = session();
    let board = says(&mut session, "board");
    assert!(board.starts_with("Ann (player_1)\n"), "{board}");
    assert!(board.contains("Bob (player_2)"), "{board}");
    let state = says(&mut session, "state");
    assert!(
        state.starts_with("player_1 is Ann, player_2 is Bob\n"),
        "{state}"
    );
    let scores = says(&mut session, "scores");
    assert!(
        scores.starts_with("            Ann       Bob\n       player_1  player_2\nTotal"),
        "{scores}"
    );
}

#[test]
fn panels_are_meant_by_id_or_heading() {
    let mut session = session();
    let people = says(&mut session, "board people");
    assert!(people.starts_with("People\n"), "{people}");
    for name in ["People", "pe"] {
        check(&mut session, &format!("board {name}"), people.trim_end());
    }
    // The heading of `map` is another word.
    let map = says(&mut session, "board map");
    for name in ["Road", "road", "ro"] {
        check(&mut session, &format!("board {name}"), map.trim_end());
    }
    check(
        &mut session,
        "board x",
        "error: there is no panel `x`; the panels are map (Road), fields, people, yours",
    );
    check(
        &mut session,
        "board peolpe",
        "error: there is no panel `peolpe`; did you mean `people`?",
    );
}

#[test]
fn points_stand_one_below_another_where_columns_do_not_fit() {
    let mut session = session();
    session.look.width = 24;
    check(
        &mut session,
        "scores",
        "Ann player_1\n   0  Total\n   1  Place\n\nBob player_2\n   0  Total\n   1  Place",
    );
    session.look.width = 40;
    assert_eq!(says(&mut session, "scores").lines().count(), 4);
}

#[test]
fn messages_are_wrapped_for_a_terminal_and_one_line_in_a_pipe() {
    let mut session = session();
    session.look.width = 40;
    let wrong = "error: there is no player `Cid`; there are player_1 (Ann), player_2 (Bob)\n";
    assert_eq!(says(&mut session, "view as Cid"), wrong);
    session.look.wraps = true;
    assert_eq!(
        says(&mut session, "view as Cid"),
        "error: there is no player `Cid`; there are\n  player_1 (Ann), player_2 (Bob)\n"
    );
    // What is copied from the terminal stays as it is.
    let scenario = says(&mut session, "record");
    assert!(
        scenario.contains("\n[[play]]") || scenario.contains("\nplay"),
        "{scenario}"
    );
    assert!(
        scenario.lines().all(|line| !line.starts_with("  ")),
        "{scenario}"
    );
}
