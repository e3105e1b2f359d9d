//! Sessions of a small pack, line by line.

use std::path::Path;

use super::board::tests::{market, market_files};
use super::journal::Journal;
use super::load::Source;
use super::text::Look;
use super::{Actor, Session};
use crate::flow::record::{mark, replay};
use crate::flow::{Record, Setup};

/// A session that has said nothing yet.
fn quiet() -> Session {
    let source = Source::Files(market_files());
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let actors = vec![Actor::Human; 2];
    Session::start(market(), source, setup, actors, Look::default()).expect("a session")
}

fn session() -> Session {
    let mut session = quiet();
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
    assert_eq!(
        says(&mut session, "inn"),
        "error: the game is over: nothing is asked\n\
         there is no command `inn`; `help` lists them\n"
    );
    assert!(says(&mut session, "bot").starts_with("error: the game is over"));
    assert_eq!(session.prompt().render(Look::default()), "game over>");
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
    check("goto ", 5, &["end", "start"]);
    check("run to r", 7, &["round"]);
    check("run to player_", 7, &["player_1", "player_2"]);
    check("set player_1.m", 4, &["player_1.mood"]);
    check("put red_g", 4, &[]);
    check("put green mi", 10, &["mill.field"]);
    check("und", 0, &["undo"]);
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
        ("undo 3", "error: there was nothing more to undo after 2"),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    assert_eq!(session.game().state, begun);
}

#[test]
fn bots_answer_until_a_goal() {
    let mut session = session();
    let said = says(&mut session, "run to bob");
    assert!(said.contains("Bob  Where?"), "{said}");
    assert_eq!(session.game().history.len(), 1);
    let said = says(&mut session, "bot until bob");
    assert!(
        said.starts_with("error: the game ended before that"),
        "{said}"
    );
    says(&mut session, "restart");
    let said = says(&mut session, "run to end");
    assert!(said.contains("The game is over."), "{said}");
    // A condition is about the player who is asked.
    says(&mut session, "restart");
    let said = says(&mut session, "run to me.number == 2");
    assert!(said.contains("Bob  Where?"), "{said}");
    let said = says(&mut session, "run to me.coins >= 2");
    assert_eq!(said, "error: `me.coins >= 2` holds already\n");
    let said = says(&mut session, "run to me.coinz > 5");
    assert!(said.contains("coinz") && said.contains("coins"), "{said}");
    says(&mut session, "restart");
    for (line, expected) in [
        ("run to bbo", "error: `bbo` is no goal"),
        (
            "run to playr_2",
            "error: `playr_2` is no goal; did you mean `player_2`?",
        ),
        ("run to round x", "error: `x` is no number of a round"),
        ("run", "error: a goal is wanted"),
        ("bot x", "error: `x` is no number above 0"),
        ("bot 1 2", "error: `bot`, `bot 10`"),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    assert!(session.game().history.is_empty());
}

#[test]
fn the_table_is_changed_from_outside_and_the_record_knows_it() {
    let mut session = session();
    says(&mut session, "mill");
    for (line, expected) in [
        ("set player_1.coins 7", "player_1.coins = 7;"),
        ("set player_2.mood = 10", "player_2.mood = 10;"),
        ("set player_2.open on", "player_2.open = true;"),
        (
            "set player_1.hand red, green",
            "player_1.hand = [green, red];",
        ),
        (
            "put red player_1.hand",
            "player_1.hand = [green, red, red];",
        ),
        ("set player_1.hand none", "player_1.hand = [];"),
        (
            "set player_2.mood 7",
            "error: `player_2.mood`: dial `mood` does not show 7",
        ),
        (
            "set player_2.open 3",
            "error: `3` is neither `on` nor `off`",
        ),
        ("set player_2.mood x", "error: `x` is no number"),
        ("set player_9.mood 5", "error: there is no player, node"),
        ("set coins", "error: an item and a value are wanted"),
        (
            "put red player_1.coins",
            "error: `player_1.coins` is no zone",
        ),
        ("put red", "error: a piece and a zone are wanted"),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    says(&mut session, "inn");
    let game = session.game();
    let record = game.record();
    assert_eq!(record.steps[1].interventions.len(), 6);
    let again = replay(&record, game.rules.clone()).expect("it can be replayed");
    assert_eq!(again.state, game.state);
    // A change is an act like an answer: taken back, it is kept on its way.
    let changed = game.state.clone();
    says(&mut session, "undo 7");
    assert_eq!(session.game().interventions.len(), 0);
    says(&mut session, "redo 7");
    assert_eq!(session.game().state, changed);
}

#[test]
fn what_is_typed_is_explained() {
    let session = session();
    let check = |line: &str, expected: Option<&str>| {
        assert_eq!(session.hint(line).as_deref(), expected, "{line}");
    };
    check("1", Some("  Inn"));
    check("po", Some("  Pond"));
    check("Pond", None);
    check("", None);
    check("x", None);
    check(
        "und",
        Some("  undo: [N]  take back the last answer, or the last N"),
    );
    check(
        "undo",
        Some("  [N]  take back the last answer, or the last N"),
    );
    check("undo 3", None);
}

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
            "A game of 2 players up to decision 2 was left: `resume` continues it, `resume 2` the one before."
        )
    );
    assert_eq!(
        says(&mut fourth, "resume 3"),
        "error: 2 games were left: `resume 1` to `resume 2`\n"
    );
    says(&mut fourth, "resume 2");
    assert_eq!(fourth.game().state, state);
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
fn paths_of_records_are_completed() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["game.json", "gap.txt", ".game.json"] {
        std::fs::write(folder.path().join(name), "").expect("a file");
    }
    std::fs::create_dir(folder.path().join("games")).expect("a folder");
    let line = format!("load {}/g", folder.path().display());
    let (start, words) = session().complete(&line);
    assert_eq!(start, line.len() - 1);
    assert_eq!(words, ["game.json", "games/"]);
}
