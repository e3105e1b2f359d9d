//! Sessions of a small pack, line by line.

use super::board::tests::market;
use super::text::Look;
use super::{Actor, Session};
use crate::flow::Setup;

fn session() -> Session {
    let (rules, view) = market();
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let actors = vec![Actor::Human; 2];
    let mut session =
        Session::start(rules, view, setup, actors, Look::default()).expect("a session");
    session.greeting();
    session
}

/// What a line gives: its text, or its error after "error: ".
fn says(session: &mut Session, line: &str) -> String {
    let reply = session.run(line);
    match reply.error {
        Some(error) => format!("error: {error}\n{}", reply.text),
        None => reply.text,
    }
}

#[test]
fn answers_are_given_taken_back_and_given_again() {
    let mut session = session();
    let before = session.game().state.clone();
    let said = says(&mut session, "mill");
    assert!(said.starts_with("Ann: Where? Mill\n"), "{said}");
    assert!(said.contains(": Hand (Ann) → Field (Mill)\n"), "{said}");
    let after = session.game().state.clone();
    let said = says(&mut session, "undo");
    assert!(said.contains("Ann  Where?"), "{said}");
    assert_eq!(session.game().state, before);
    says(&mut session, "redo");
    assert_eq!(session.game().state, after);
    assert_eq!(
        says(&mut session, "redo").lines().next(),
        Some("error: there is nothing to redo")
    );
    says(&mut session, "undo");
    assert_eq!(
        says(&mut session, "undo").lines().next(),
        Some("error: there is nothing to undo")
    );
}

#[test]
fn lines_are_answers_first_and_then_commands() {
    let mut session = session();
    // `p` begins the key of a choice, `u` a command.
    assert!(says(&mut session, "p").starts_with("Ann: Where? Pond\n"));
    assert!(says(&mut session, "u").contains("Ann  Where?"));
    assert_eq!(
        says(&mut session, "optoins"),
        "error: `optoins` is not offered: answer one of: inn, mill, pond\n\
         or did you mean the command `options`?\n"
    );
    assert_eq!(
        says(&mut session, "m x"),
        "error: `m x` is not offered: answer one of: inn, mill, pond\n"
    );
    assert_eq!(says(&mut session, ""), "");
    assert!(session.run("quit").quit);
}

#[test]
fn a_game_ends_with_the_points() {
    let mut session = session();
    let said = says(&mut session, "bot all");
    assert!(said.contains("The game is over."), "{said}");
    assert!(said.contains("Place"), "{said}");
    assert!(says(&mut session, "inn").starts_with("error: there is no command"));
    assert!(says(&mut session, "bot").starts_with("error: the game is over"));
    assert_eq!(session.prompt(), "game over> ");
}

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
fn words_are_completed() {
    let session = session();
    let check = |line: &str, start: usize, expected: &[&str]| {
        let (at, words) = session.complete(line);
        assert_eq!(
            (at, words),
            (start, expected.iter().map(|w| (*w).to_owned()).collect())
        );
    };
    check("m", 0, &["mill"]);
    check("bo", 0, &["board", "bot"]);
    check("board p", 6, &["people"]);
    check("help un", 5, &["undo"]);
    check("state ha", 6, &["hand"]);
    check("why n", 4, &["not"]);
}

/// A line that is told, as one text without its newline.
#[track_caller]
fn check(session: &mut Session, line: &str, expected: &str) {
    assert_eq!(says(session, line).trim_end(), expected, "{line}");
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
        "error: there is no player `Cid`; there are player_1, player_2",
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
