//! Answers taken back and given again, and the ways of a game.

use super::{says, session};
use crate::flow::Record;
use crate::flow::record::{mark, replay};

#[test]
fn answers_are_given_taken_back_and_given_again() {
    let mut session = session();
    let before = session.game().state.clone();
    let said = says(&mut session, "mill");
    assert!(said.starts_with("Ann: Where? Mill\n"), "{said}");
    assert!(said.contains(": Hand (Ann) → Field (Mill)\n"), "{said}");
    let after = session.game().state.clone();
    let said = says(&mut session, "undo");
    assert!(said.starts_with("took back: Ann: Where? Mill\n"), "{said}");
    assert!(said.contains("Ann  Where?"), "{said}");
    assert_eq!(session.game().state, before);
    let said = says(&mut session, "redo");
    assert!(said.starts_with("did again: Ann: Where? Mill\n"), "{said}");
    assert_eq!(session.game().state, after);
    // Nothing was done, so nothing but that is said.
    assert_eq!(
        says(&mut session, "redo"),
        "error: there is nothing to redo\n"
    );
    says(&mut session, "undo");
    assert_eq!(
        says(&mut session, "undo"),
        "error: there is nothing to undo\n"
    );
}

#[test]
fn another_answer_begins_another_way_and_the_old_one_is_kept() {
    let mut session = session();
    says(&mut session, "mill");
    says(&mut session, "inn");
    let first = session.game().state.clone();
    assert_eq!(says(&mut session, "timeline"), "* main  1 to the end\n");
    says(&mut session, "undo 2");
    assert_eq!(
        says(&mut session, "timeline"),
        "* main  1 to the end  (you are at 1)\n"
    );
    // The same answer stays on the way, another leaves it.
    says(&mut session, "mill");
    says(&mut session, "pond");
    let second = session.game().state.clone();
    assert_ne!(first, second);
    assert_eq!(
        says(&mut session, "timeline"),
        "  main     1 to the end\n*   way_2  2 to the end  Bob: Where? Pond\n"
    );
    assert_eq!(says(&mut session, "branch late"), "this way is `late`\n");
    says(&mut session, "switch main");
    assert_eq!(session.game().state, first);
    assert_eq!(
        says(&mut session, "timeline"),
        "* main    1 to the end\n    late  2 to the end  Bob: Where? Pond\n"
    );
    says(&mut session, "switch late");
    assert_eq!(session.game().state, second);
    assert_eq!(
        says(&mut session, "switch lat"),
        "error: there is no way `lat`; did you mean `late`?\n"
    );
    assert_eq!(
        says(&mut session, "branch main"),
        "error: there is a way `main` already: `switch main`\n"
    );
    // A way that is not told from an old one by an answer yet.
    says(&mut session, "goto 2");
    says(&mut session, "branch third");
    says(&mut session, "mill");
    assert_eq!(
        says(&mut session, "timeline"),
        "  main     1 to the end\n    late   2 to the end  Bob: Where? Pond\n*   third  2 to the end  Bob: Where? Mill\n"
    );
}

#[test]
fn any_decision_of_a_way_can_be_gone_to() {
    let mut session = session();
    let begun = session.game().state.clone();
    says(&mut session, "mill");
    let middle = session.game().state.clone();
    says(&mut session, "inn");
    let end = session.game().state.clone();
    for (line, expected) in [
        ("goto 2", &middle),
        ("goto 1", &begun),
        ("goto end", &end),
        ("goto start", &begun),
        ("redo", &middle),
        ("goto end", &end),
        ("restart", &begun),
        ("redo 2", &end),
    ] {
        says(&mut session, line);
        assert_eq!(&session.game().state, expected, "{line}");
    }
    for (line, expected) in [
        ("goto 3", "error: this way has come to decision 2"),
        ("goto main", "error: `main` is a way: `switch main`"),
        ("goto x", "error: `x` is no number: `goto 12`"),
        ("redo", "error: there is nothing to redo"),
        ("undo x", "error: `x` is no number above 0"),
        (
            "undo 99999999999999999999",
            "error: `99999999999999999999` is too large a number",
        ),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    assert_eq!(session.game().state, end);
    // What is more than there is goes as far as it can and says so.
    let said = says(&mut session, "undo 999");
    assert!(
        said.starts_with(
            "took back: Ann: Where? Mill\ntook back: Bob: Where? Inn\n\
             there is no more to take back: this is the start\n"
        ),
        "{said}"
    );
    assert_eq!(session.game().state, begun);
    let said = says(&mut session, "redo 3");
    assert!(
        said.contains("there is no more to do again: this way ends here\n"),
        "{said}"
    );
    assert_eq!(session.game().state, end);
}

#[test]
fn a_change_that_is_taken_back_is_named() {
    let mut session = session();
    let before = session.game().state.clone();
    says(&mut session, "set player_1.coins 7");
    says(&mut session, "put red player_1.hand");
    let said = says(&mut session, "undo 2");
    assert!(
        said.starts_with("took back: player_1.coins = 7\ntook back: player_1.hand = [..., gem:"),
        "{said}"
    );
    assert_eq!(session.game().state, before);
    // Many are counted.
    for coins in 1..=6 {
        says(&mut session, &format!("set player_1.coins {coins}"));
    }
    says(&mut session, "mill");
    let said = says(&mut session, "undo 7");
    assert!(
        said.starts_with("took back: 1 answer and 6 changes\n"),
        "{said}"
    );
    assert_eq!(session.game().state, before);
}

#[test]
fn every_way_of_a_wild_session_can_be_replayed() {
    let mut session = session();
    let lines = [
        "bot",
        "undo",
        "2",
        "branch a",
        "bot",
        "undo 2",
        "3",
        "set player_2.coins 4",
        "bot",
        "goto 1",
        "switch main",
        "undo",
        "1",
        "restart",
        "redo",
        "3",
        "switch a",
        "undo",
        "2",
    ];
    for line in lines {
        let reply = session.run(line);
        assert_eq!(reply.error, None, "{line}");
    }
    let rules = session.game().rules.clone();
    let saved = session.saved();
    assert!(saved.ways.len() >= 4);
    for (at, way) in saved.ways.iter().enumerate() {
        let text = way.record.to_json().expect("JSON");
        let record = Record::from_json(&text).expect("a record");
        let game = replay(&record, rules.clone()).expect("it can be replayed");
        let tip = session.timeline.ways()[at].tip;
        let state = session.timeline.state(tip);
        assert_eq!(&game.state, state, "{}", way.name);
        assert_eq!(mark(&rules, &game.state), mark(&rules, state));
    }
}

#[test]
fn a_change_that_is_taken_back_stays_away_when_ways_are_switched() {
    let mut session = session();
    let before = session.game().state.clone();
    says(&mut session, "set player_1.coins 7");
    let changed = session.game().state.clone();
    assert_eq!(
        says(&mut session, "timeline"),
        "* main  1 to 1\n    at 1 changed: player_1.coins = 7\n"
    );
    says(&mut session, "undo");
    assert_eq!(
        says(&mut session, "timeline"),
        "* main     1 to 1\n    way_2  1 to 1  player_1.coins = 7\n      at 1 changed: player_1.coins = 7\n"
    );
    says(&mut session, "branch other");
    says(&mut session, "mill");
    says(&mut session, "switch main");
    assert_eq!(session.game().state, before);
    let said = says(&mut session, "switch way_2");
    assert!(
        said.starts_with("at 1 changed: player_1.coins = 7\n"),
        "{said}"
    );
    assert_eq!(session.game().state, changed);
}

#[test]
fn a_change_that_is_done_again_leaves_no_way_behind() {
    let mut session = session();
    for line in ["mill", "set player_1.coins 7", "inn"] {
        says(&mut session, line);
    }
    let (state, timeline) = (session.game().state.clone(), says(&mut session, "timeline"));
    assert_eq!(
        timeline,
        "* main  1 to the end\n    at 2 changed: player_1.coins = 7\n"
    );
    for (back, again) in [(3, 3), (2, 2)] {
        says(&mut session, &format!("undo {back}"));
        assert!(says(&mut session, "timeline").contains("way_2"));
        says(&mut session, &format!("redo {again}"));
        assert_eq!(session.game().state, state);
        assert_eq!(says(&mut session, "timeline"), timeline);
    }
    for _ in 0..3 {
        says(&mut session, "undo");
    }
    for _ in 0..3 {
        says(&mut session, "redo");
    }
    assert_eq!(session.game().state, state);
    assert_eq!(says(&mut session, "timeline"), timeline);
}
