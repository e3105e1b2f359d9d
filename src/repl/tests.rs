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
    assert!(own.contains("hand[player_2] = 1: a gem\n"), "{own}");
    assert!(!own.contains("hand[player_1] = 1: a gem"), "{own}");
    let all = says(&mut session, "state hand --all");
    assert!(!all.contains("a gem"), "{all}");
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
