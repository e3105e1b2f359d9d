//! Sessions that were left.

use std::path::Path;

use super::super::journal::{Journal, games_folder};
use super::super::{Actor, Session};
use super::{quiet, says};
use crate::sim::BotKind;

/// A session of which a folder keeps a journal.
fn journaled(folder: &Path) -> (Session, String) {
    let mut session = quiet();
    session.journal = Some(Journal::open(folder, "market"));
    let greeting = session.greeting().text;
    (session, greeting)
}

/// The line of a greeting that offers a game.
fn offered(greeting: &str) -> Option<&str> {
    greeting.lines().find(|line| line.contains("was left"))
}

#[test]
fn a_session_that_was_left_is_offered_and_goes_on_with_all_its_ways() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut first, greeting) = journaled(folder.path());
    assert_eq!(offered(&greeting), None);
    for line in [
        "mill",
        "inn",
        "undo",
        "pond",
        "branch b",
        "undo",
        "set player_1.coins 9",
    ] {
        says(&mut first, line);
    }
    let timeline = says(&mut first, "timeline");
    let state = first.game().state.clone();
    // While it runs, nobody else is offered it.
    let (mut other, greeting) = journaled(folder.path());
    assert_eq!(offered(&greeting), None);
    assert_eq!(says(&mut other, "resume"), "error: no game was left\n");
    drop(other);
    drop(first);
    let (mut second, greeting) = journaled(folder.path());
    assert_eq!(
        offered(&greeting),
        Some("A game of 2 players up to decision 2 was left: `resume` continues it.")
    );
    let said = says(&mut second, "resume");
    assert!(said.contains("Bob  Where?"), "{said}");
    assert_eq!(second.game().state, state);
    assert_eq!(says(&mut second, "timeline"), timeline);
    assert_eq!(
        std::fs::read_dir(folder.path()).map(Iterator::count).ok(),
        Some(1)
    );
    // Where nothing was done, nothing is left.
    drop(second);
    drop(journaled(folder.path()));
    let (mut third, greeting) = journaled(folder.path());
    assert!(offered(&greeting).is_some());
    // Another game keeps the one before.
    says(&mut third, "pond");
    drop(third);
    let (mut fourth, greeting) = journaled(folder.path());
    assert_eq!(
        offered(&greeting),
        Some(
            "A game of 2 players up to decision 2 was left, and 1 before it: `resume 1` continues it, `resume list` shows them."
        )
    );
    assert_eq!(
        says(&mut fourth, "resume 3"),
        "error: no game 3 was left; `resume list` shows those that were\n"
    );
    let list = says(&mut fourth, "resume list");
    let lines: Vec<&str> = list.lines().collect();
    for (line, number) in lines.iter().zip(["  1  ", "  2  "]) {
        assert!(line.starts_with(number), "{list}");
        assert!(
            line.contains(" UTC, market, seed 1, 2 players, at decision 2"),
            "{list}"
        );
    }
    assert_eq!(lines[2..], ["`resume N` goes on with one"]);
    let said = says(&mut fourth, "resume");
    assert!(
        said.starts_with("error: 2 games were left; which one?\n  1  "),
        "{said}"
    );
    // A number means the same game whatever is resumed.
    says(&mut fourth, "resume 1");
    assert_ne!(fourth.game().state, state);
    says(&mut fourth, "resume 2");
    assert_eq!(fourth.game().state, state);
    assert_eq!(
        says(&mut fourth, "resume 2"),
        "error: game 2 goes on already; `resume list` shows those that are left\n"
    );
    // Who leaves a finished game in order is not offered it again.
    says(&mut fourth, "bot all");
    fourth.leave();
    drop(fourth);
    let (_, greeting) = journaled(folder.path());
    assert_eq!(
        offered(&greeting),
        Some("A game of 2 players up to decision 2 was left: `resume` continues it.")
    );
}

#[test]
fn a_journal_that_cannot_be_written_is_said_once_and_hurts_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "no folder").expect("a file");
    let (mut session, _) = journaled(&blocked);
    let reply = session.run("mill");
    assert_eq!(reply.error, None);
    assert!(
        reply.text.contains("the journal cannot be written"),
        "{}",
        reply.text
    );
    assert!(!session.run("inn").text.contains("journal"));
    assert_eq!(session.game().history.len(), 2);
}

#[test]
fn each_folder_of_a_project_has_games_of_its_own() {
    let state = tempfile::tempdir().expect("a folder");
    let (one, other) = (state.path().join("a/toys"), state.path().join("b/toys"));
    for clone in [&one, &other] {
        std::fs::create_dir_all(clone).expect("a folder");
    }
    let [first, second] = [&one, &other].map(|clone| games_folder(state.path(), Some(clone)));
    assert_ne!(first, second);
    // By another path it is the same folder still.
    let around = state.path().join("b/../a/toys");
    assert_eq!(games_folder(state.path(), Some(&around)), first);
    let (mut session, _) = journaled(&first);
    says(&mut session, "mill");
    drop(session);
    let (_, greeting) = journaled(&second);
    assert_eq!(offered(&greeting), None);
    let (_, greeting) = journaled(&first);
    assert!(offered(&greeting).is_some());
    assert_eq!(games_folder(state.path(), None), state.path().join("games"));
}

#[test]
fn bots_of_a_session_that_was_left_play_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = quiet();
    session.actors[0] = Actor::Bot(BotKind::Greedy);
    session.journal = Some(Journal::open(folder.path(), "market"));
    session.greeting();
    says(&mut session, "set player_1.coins 3");
    drop(session);
    let (mut session, _) = journaled(folder.path());
    let said = says(&mut session, "resume");
    assert!(said.contains("Bob  Where?"), "{said}");
    assert_eq!(session.actors, [Actor::Bot(BotKind::Greedy), Actor::Human]);
}

#[test]
fn a_file_that_is_no_game_is_told_of_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut first, _) = journaled(folder.path());
    says(&mut first, "mill");
    drop(first);
    let path = folder.path().join("market-1.json");
    let whole = std::fs::read(&path).expect("a game");
    let half = &whole[..whole.len() / 2];
    let newer = br#"{"format": 99}"#;
    let reasons = [
        "EOF while parsing",
        "it has format 99; this program reads format",
    ];
    for (content, reason) in [half, newer].into_iter().zip(reasons) {
        std::fs::write(&path, content).expect("a file");
        let (mut second, greeting) = journaled(folder.path());
        let told = format!("the game in {} cannot be read: {reason}", path.display());
        assert!(greeting.contains(&told), "{greeting}");
        let said = says(&mut second, "resume");
        assert!(said.starts_with("error: no game was left\n"), "{said}");
        assert!(said.contains(&told), "{said}");
        assert_eq!(std::fs::read(&path).expect("the file"), content);
    }
    // One that was taken and never written is nothing to tell of.
    std::fs::write(&path, "").expect("a file");
    assert!(!journaled(folder.path()).1.contains("cannot be read"));
    // Beside one that is whole both are told.
    std::fs::write(folder.path().join("market-2.json"), &whole).expect("a file");
    std::fs::write(&path, half).expect("a file");
    let (mut third, greeting) = journaled(folder.path());
    assert!(offered(&greeting).is_some(), "{greeting}");
    assert!(greeting.contains("cannot be read"), "{greeting}");
    let list = says(&mut third, "resume list");
    assert!(list.contains("market-1.json cannot be read"), "{list}");
}
