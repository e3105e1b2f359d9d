//! Sessions whose rules change: the same answers by other rules, as far as they are accepted.

use std::sync::Arc;

use super::journal::Journal;
use super::load::{Source, load};
use super::text::Look;
use super::{Actor, Session};
use crate::flow::{Record, Setup, replay};
use crate::pack::{PackFiles, Selection, VariantFiles};

const RULES: &str = "
[game]
title = 'Fair'
players = [2, 2]
flow = 'main'

[flow.main]
do = ['open', 'work']

[parameter.limit]
doc = 'The highest bid.'
value = 5
least = 1
most = 9

[parameter.toll]
doc = 'Coins for the short road.'
value = 0

[parameter.price]
doc = 'A number with the name of an item.'
value = 1

[counter.price]
[counter.coins]
per = ['player']
least = 0

[decision.bid]
prompt = 'How much?'
[decision.road]
prompt = 'Which road?'
[decision.stall]
prompt = 'Which stall?'
[choice.short]
[choice.long]
[choice.wait]
[stream.luck]
[reason.too_dear]
text = 'costs {0} coins'
";

const SCRIPT: &str = "
fn open() {}
fn work() {
    for round in 0..3 {
        for me in players() {
            me.coins += choose_number(decision::bid, me, 1, value(parameter::limit));
            if round == 0 { travel(me); }
        }
    }
}
fn travel(me) {
    if me.coins >= value(parameter::toll) {
        offer(choice::short);
    } else {
        refuse(choice::short, reason::too_dear, value(parameter::toll));
    }
    offer(choice::long);
    offer(choice::wait);
    let road = choose(decision::road, me);
    if road == choice::short { me.coins += pick(stream::luck, [1, 2, 3]); }
}
";

fn files() -> PackFiles {
    let text = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let variant = |id: &str, tables: &str, script: &str| VariantFiles {
        unread: Vec::new(),
        id: id.to_owned(),
        rules: text(
            &format!("rules/fair/variants/{id}.toml"),
            &format!("[variant]\ntitle = 'The {id}'\nreason = 'A test.'\n{tables}"),
        ),
        script: (!script.is_empty())
            .then(|| text(&format!("scripts/fair/variants/{id}.rhai"), script)),
    };
    PackFiles {
        id: "fair".to_owned(),
        rules: vec![text("rules/fair/game.toml", RULES)],
        scripts: vec![text("scripts/fair/fair.rhai", SCRIPT)],
        variants: vec![
            variant("rich", "[parameter.limit]\nvalue = 9", ""),
            variant("poor", "[parameter.limit]\nvalue = 3", ""),
            variant(
                "stalls",
                "[flow.main]\ninsert = [{ step = 'stall', before = 'work' }]",
                "fn stall() { choose_number(decision::stall, players().first(), 1, 2); }",
            ),
        ],
        strays: Vec::new(),
        unread: Vec::new(),
    }
}

fn session() -> Session {
    let loaded = load(&files(), &Selection::default());
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let rules = Arc::new(loaded.rules.expect("no errors"));
    let source = Source::Files(files());
    let actors = vec![Actor::Human; 2];
    let look = Look::default();
    let session = Session::start((rules, loaded.view), source, setup, actors, look);
    session.expect("a session")
}

/// A session in which some lines were typed, none of which failed.
fn after(lines: &[&str]) -> Session {
    let mut session = session();
    for line in lines {
        let reply = session.run(line);
        assert_eq!(reply.error, None, "{line}");
    }
    session
}

/// Runs a line that must begin so: its error, or else its text.
#[track_caller]
fn says(session: &mut Session, line: &str, expected: &str) {
    let reply = session.run(line);
    let said = reply.error.unwrap_or(reply.text);
    assert!(said.starts_with(expected), "{line}: {said}");
}

#[track_caller]
fn coins(session: &Session, expected: [i64; 2]) {
    let table = &session.game().state.table;
    let layout = session.game().rules.layout();
    for (player, expected) in expected.into_iter().enumerate() {
        let path = format!("player_{}.coins", player + 1);
        let item = crate::flow::Item::parse(layout, table, &path).expect("an item");
        assert_eq!(item.read(layout, table).to_string(), expected.to_string());
    }
}

const PLAYED: [&str; 4] = ["4", "long", "5", "long"];

#[test]
fn a_variant_comes_and_goes_with_all_answers_given_again() {
    let mut session = after(&PLAYED);
    let (state, record) = (session.game().state.clone(), session.game().record());
    says(&mut session, "9", "9 is out of range");
    says(
        &mut session,
        "variant add rich",
        "with `rich`: 4 answers given again\n",
    );
    assert_eq!(session.game().record().variants, ["rich"]);
    coins(&session, [4, 5]);
    says(&mut session, "9", "");
    coins(&session, [13, 5]);
    says(
        &mut session,
        "variant add rich",
        "`rich` is played with already",
    );
    says(
        &mut session,
        "variant drop poor",
        "`poor` is not played with: the game is played with rich",
    );
    // Its last answer is more than the base game allows.
    says(
        &mut session,
        "variant drop rich",
        "without `rich` the game stops at decision 5: `bid` of player 1: ",
    );
    assert_eq!(session.game().record().variants, ["rich"]);
    session.run("undo");
    says(
        &mut session,
        "variant drop rich",
        "without `rich`: 4 answers given again\n",
    );
    assert_eq!(session.game().state, state);
    assert_eq!(session.game().record(), record);
}

#[test]
fn the_old_game_stays_until_the_new_one_is_accepted() {
    let mut session = after(&PLAYED);
    let (state, record) = (session.game().state.clone(), session.game().record());
    let lines = [
        "with `poor` the game stops at decision 1: `bid` of player 1: ",
        "the game stays as it is, by the rules as they were; `variant accept` goes on there, with 0 of 4 answers",
    ];
    let error = session.run("variant add poor").error.expect("it stops");
    assert!(
        error.starts_with(lines[0]) && error.ends_with(lines[1]),
        "{error}"
    );
    assert_eq!(session.game().state, state);
    assert_eq!(session.game().record(), record);
    says(
        &mut session,
        "variant accept",
        "with `poor`: 0 answers given again\n",
    );
    assert_eq!(session.game().record().variants, ["poor"]);
    assert_eq!(session.game().history.len(), 0);
    says(
        &mut session,
        "variant accept",
        "nothing waits to be accepted",
    );

    // Who plays on in the old game has decided.
    let mut session = after(&PLAYED);
    session.run("set limit 4");
    says(&mut session, "2", "");
    says(
        &mut session,
        "variant accept",
        "nothing waits to be accepted",
    );
    coins(&session, [6, 5]);
    // What can be given again is: everything before the 5.
    session.run("set limit 4");
    says(
        &mut session,
        "variant accept",
        "with limit = 4: 2 answers given again\n",
    );
    coins(&session, [4, 0]);
}

#[test]
fn what_stops_a_game_is_told_with_its_reason() {
    let mut session = after(&["4", "short", "5", "long"]);
    let error = session.run("set toll 5").error.expect("it stops");
    assert!(
        error.contains("stops at decision 2: `road` of player 1: "),
        "{error}"
    );
    assert!(error.contains("costs 5 coins"), "{error}");
    says(
        &mut session,
        "variant add stalls",
        "with `stalls` the game stops at decision 1: player 1 is asked `stall` where player 1 was asked `bid`\n",
    );
    session.run("set limit 2");
    let error = session
        .run("variant add poor rich")
        .error
        .expect("they conflict");
    assert!(
        error.contains("rich.toml") && error.contains("poor.toml"),
        "{error}"
    );
    // Nothing of it is left to be accepted.
    says(&mut session, "variant accept", "nothing waits");
}

#[test]
fn answers_that_are_forced_now_were_given_by_nobody() {
    let mut session = after(&["1", "long", "1", "long"]);
    says(
        &mut session,
        "set limit 1",
        "with limit = 1: 4 answers given again\n",
    );
    assert!(session.game().is_over());
    coins(&session, [3, 3]);
    // Only the roads were chosen; what the engine answered before them is given again, what it answered after them is not.
    says(
        &mut session,
        "set limit 2",
        "with limit = 2: 2 answers given again\n",
    );
    assert_eq!(session.game().history.len(), 4);
    coins(&session, [1, 1]);
    let mut session = after(&["2", "long", "1", "long"]);
    says(
        &mut session,
        "set limit 1",
        "with limit = 1 the game stops at decision 1: `bid` of player 1: only `1` can be answered, and `2` was\n",
    );
}

#[test]
fn parameters_and_items_are_told_apart_by_their_names() {
    let mut session = after(&["4"]);
    for (line, expected) in [
        ("set limit 99", "error"),
        (
            "set limit x",
            "`x` is no whole number: a value of parameter `limit` is wanted",
        ),
        (
            "set limti 3",
            "there is no item or parameter `limti`; did you mean the parameter `limit`?",
        ),
        (
            "set price 3",
            "`price` is an item of the table and a parameter of the rules: `table.price` or `parameter.price`",
        ),
        ("set table.price 3", "table.price = 3;"),
        (
            "set parameter.price 3",
            "with price = 3: 1 answer given again\n",
        ),
        ("set player_1.coins 7", "player_1.coins = 7;"),
        ("set limit 8", "with limit = 8: 1 answer given again\n"),
        (
            "set limit default",
            "with limit = default: 1 answer given again\n",
        ),
    ] {
        says(&mut session, line, expected);
    }
    let record = session.game().record();
    assert_eq!(record.parameters, [("price".to_owned(), 3)]);
    // What was changed from outside is changed again.
    coins(&session, [7, 0]);
    assert_eq!(record.interventions.len(), 2);
}

#[test]
fn every_way_is_played_again_as_far_as_it_goes() {
    let mut session = after(&["4", "long", "5", "long", "2", "undo", "3", "undo"]);
    let timeline = session.run("timeline").text;
    assert!(timeline.contains("way_2"), "{timeline}");
    says(
        &mut session,
        "set limit 6",
        "with limit = 6: 4 answers given again\n",
    );
    assert_eq!(
        session.run("timeline").text,
        format!("{timeline}all of it is played with limit = 6\n")
    );
    session.run("redo");
    coins(&session, [7, 5]);
    session.run("goto 3");
    coins(&session, [4, 0]);
    session.run("switch main");
    coins(&session, [6, 5]);
    for way in session.saved().ways {
        assert_eq!(way.record.parameters, [("limit".to_owned(), 6)]);
        let rules = Arc::clone(&session.game().rules);
        replay(&way.record, rules).expect("it is a record of these rules");
    }
    // The other way has an answer too many.
    for line in ["goto 3", "6", "goto 3"] {
        assert_eq!(session.run(line).error, None, "{line}");
    }
    let text = session.run("set limit 5").text;
    assert!(
        text.starts_with(
            "with limit = 5: 2 answers given again\n\
             it comes out differently from decision 1 on:\n  from 1 to 6 -> from 1 to 5\n\
             and now:\n  from 1 to 6 -> from 1 to 5\n\
             way `way_3` ends before decision 3: `bid` of player 2: "
        ),
        "{text}"
    );
}

#[test]
fn a_file_brings_its_variants_and_parameters_or_the_first_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json");
    let mut session = after(&PLAYED);
    for line in ["variant add rich", "set toll 2", "9"] {
        assert_eq!(session.run(line).error, None, "{line}");
    }
    session.run(&format!("save {}", file.display()));
    let mut other = after(&["1"]);
    let said = other.run(&format!("load {}", file.display())).text;
    let loaded = format!(
        "loaded {}, which is played with rich, toll = 2\n",
        file.display()
    );
    assert!(said.starts_with(&loaded), "{said}");
    assert_eq!(other.game().record(), session.game().record());
    assert_eq!(other.game().state, session.game().state);

    let record = session.game().record();
    let check = |selection: Selection, expected: &str| {
        let rules = load(&files(), &selection).rules.expect("no errors");
        let error = replay(&record, Arc::new(rules)).expect_err("it has other rules");
        assert!(error.message.starts_with(expected), "{error}");
    };
    let select = |variants: &[&str], parameters: &[(&str, i64)]| Selection {
        variants: variants.iter().map(|id| (*id).to_owned()).collect(),
        parameters: parameters
            .iter()
            .map(|(id, value)| ((*id).to_owned(), *value))
            .collect(),
    };
    check(
        select(&[], &[("toll", 2)]),
        "the record has the variants rich, the rules have no variants",
    );
    check(
        select(&["rich"], &[]),
        "in the record `toll` is 2, in the rules it is as the pack has it",
    );
    check(
        select(&["rich"], &[("limit", 8), ("toll", 2)]),
        "in the record `limit` is as the pack has it, in the rules it is 8",
    );

    // A record that names what is not there is refused, and the game stays.
    let text = std::fs::read_to_string(&file)
        .expect("a record")
        .replace("\"rich\"", "\"royal\"");
    std::fs::write(&file, &text).expect("written");
    let error = other
        .run(&format!("load {}", file.display()))
        .error
        .expect("refused");
    assert!(
        error.contains("pack `fair` has no variant `royal`"),
        "{error}"
    );
    assert_eq!(other.game().record(), record);
    let mut record = Record::from_json(&text).expect("a record");
    record.variants = vec!["poor".to_owned()];
    std::fs::write(&file, record.to_json().expect("JSON")).expect("written");
    let error = other
        .run(&format!("load {}", file.display()))
        .error
        .expect("refused");
    // It was played with more than these rules allow: it can be gone on with where they stop it.
    for expected in [
        ": the rules have changed since: it comes out differently before the first decision: the table at the first \
         question is not the one of the record\n",
        "by the rules of now it stops at decision 1: `bid` of player 1: ",
        "`resume accept` goes on there, with 0 of 5 answers",
    ] {
        assert!(error.contains(expected), "{error}");
    }
    says(
        &mut other,
        "resume accept",
        "by the rules of now: 0 answers given again\n",
    );
    assert_eq!(other.game().record().variants, ["poor"]);
    assert!(other.game().history.is_empty());
}

/// A session of which a folder keeps the journal, by rules in which a text stands for another.
fn journaled(folder: &std::path::Path, text: &str, other: &str) -> Session {
    let mut files = files();
    let (_, rules) = &mut files.rules[0];
    let changed = String::from_utf8_lossy(rules).replace(text, other);
    *rules = changed.into_bytes();
    let loaded = load(&files, &Selection::default());
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let rules = Arc::new(loaded.rules.expect("no errors"));
    let source = Source::Files(files);
    let actors = vec![Actor::Human; 2];
    let mut session =
        Session::start((rules, loaded.view), source, setup, actors, Look::default()).expect("one");
    session.journal = Some(Journal::open(folder, "fair"));
    session
}

#[test]
fn a_game_that_was_left_goes_on_by_changed_rules_as_far_as_they_let_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = journaled(folder.path(), "", "");
    for line in ["2", "long", "5", "long"] {
        assert_eq!(first.run(line).error, None, "{line}");
    }
    drop(first);
    // Its third answer is more than is allowed now.
    let mut second = journaled(folder.path(), "value = 5", "value = 4");
    let begun = second.game().state.clone();
    let error = second.run("resume").error.expect("it says so");
    for expected in [
        "the rules have changed since: it comes out differently ",
        "by the rules of now it stops at decision 3: `bid` of player 2: ",
        "nothing is lost, and the game at hand stays; `resume accept` goes on there, with 2 of 4 answers",
    ] {
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(second.game().state, begun);
    says(
        &mut second,
        "resume accept",
        "by the rules of now: 2 answers given again\n",
    );
    coins(&second, [2, 0]);
    says(&mut second, "4", "Player 2: How much? 4\n");
    drop(second);
    // The game as it was is there still, and by its own rules it goes on as it was.
    let mut third = journaled(folder.path(), "", "");
    says(&mut third, "resume 2", "");
    coins(&third, [2, 5]);
    drop(third);
    // Where all answers can be given again, nothing is left behind.
    let mut fourth = journaled(folder.path(), "value = 5", "value = 6");
    let error = fourth.run("resume 1").error;
    assert!(error.is_none_or(|error| error.contains("all its answers can be given again")));
}

#[test]
fn why_alone_lists_the_parameters_and_what_was_set_stands_beside_the_pack() {
    let mut session = after(&["set limit 7"]);
    assert_eq!(
        session.run("why").text,
        "limit = 7 (set; the pack has 5)  The highest bid.\n\
         price = 1                        A number with the name of an item.\n\
         toll = 0                         Coins for the short road.\n\
         `why limit` says why, `set limit 7` plays with another\n"
    );
    let text = session.run("why limit").text;
    assert!(
        text.contains("  base 5  rules/fair/game.toml:12\n  set to 7 for this game\n"),
        "{text}"
    );
    let timeline = session.run("timeline").text;
    assert!(
        timeline.ends_with("all of it is played with limit = 7\n"),
        "{timeline}"
    );
}

#[test]
fn what_the_player_to_decide_has_needs_no_owner_and_what_is_near_is_named() {
    let mut session = session();
    says(&mut session, "set coins 3", "player_1.coins = 3;");
    says(
        &mut session,
        "why coins",
        "player_1.coins = 3\nchanged from outside at decision 1: player_1.coins = 3\n",
    );
    says(
        &mut session,
        "set coinz 3",
        "there is no item or parameter `coinz`; did you mean the item `player_1.coins`?",
    );
    says(
        &mut session,
        "set bogus 3",
        "there is no item or parameter `bogus`: `state --all` lists the items, `why` the parameters",
    );
    says(
        &mut session,
        "set pric 3",
        "there is no item or parameter `pric`; did you mean the parameter `price` or the item `price`?",
    );
}

#[test]
fn a_session_that_was_left_goes_on_by_its_own_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = session();
    first.journal = Some(Journal::open(folder.path(), "fair"));
    for line in ["4", "variant add rich", "long", "9", "set toll 1"] {
        assert_eq!(first.run(line).error, None, "{line}");
    }
    let (record, state) = (first.game().record(), first.game().state.clone());
    drop(first);
    let mut second = session();
    second.journal = Some(Journal::open(folder.path(), "fair"));
    assert_eq!(second.run("resume").error, None);
    assert_eq!(second.game().record(), record);
    assert_eq!(second.game().state, state);
    // Answers that are lost by accepting are kept as a game that was left.
    second.run("variant drop rich");
    assert_eq!(second.run("variant accept").error, None);
    assert_eq!(second.game().history.len(), 2);
    assert_eq!(second.run("resume").error, None);
    assert_eq!(second.game().record(), record);
}

#[test]
fn variants_are_listed_and_completed() {
    let mut session = after(&["variant add rich"]);
    assert_eq!(
        session.run("variant").text,
        "played with rich\n  poor    The poor: A test.\n* rich    The rich: A test.\n  stalls  The stalls: A test.\n"
    );
    let check = |line: &str, expected: &[&str]| {
        let expected: Vec<String> = expected.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(session.complete(line).1, expected, "{line}");
    };
    check("variant ", &["accept", "add", "drop"]);
    check("variant add ", &["poor", "stalls"]);
    check("variant drop ", &["rich"]);
    check("set li", &["limit"]);
}

#[test]
fn other_rules_are_taken_back_by_undo_as_long_as_nothing_was_done_since() {
    let mut session = after(&PLAYED);
    let (state, record) = (session.game().state.clone(), session.game().record());
    for (line, what) in [
        ("variant add rich", "with `rich`"),
        ("set limit 7", "with limit = 7"),
    ] {
        assert_eq!(session.run(line).error, None);
        assert_ne!(session.game().record(), record, "{line}");
        // Looking is no doing.
        session.run("state");
        says(&mut session, "undo", &format!("took back: {what}\n"));
        assert_eq!(session.game().state, state);
        assert_eq!(session.game().record(), record);
    }
    // Rules and the answer before them, in one go; then only answers.
    session.run("variant add rich");
    says(
        &mut session,
        "undo 2",
        "took back: with `rich`\ntook back: Player 2: Which road? Long\n",
    );
    assert_eq!(session.game().record().steps.len(), 3);
    session.run("redo");
    session.run("variant add rich");
    session.run("9");
    says(&mut session, "undo", "took back: Player 1: How much? 9\n");
    says(
        &mut session,
        "undo",
        "took back: Player 2: Which road? Long\n",
    );
    assert_eq!(session.game().record().variants, ["rich"]);
}

#[test]
fn other_rules_that_were_taken_back_are_gone_to_again() {
    let mut session = after(&PLAYED);
    let before = session.game().record();
    for (line, what) in [
        ("variant add rich", "with `rich`"),
        ("set limit 7", "with limit = 7"),
    ] {
        session.run(line);
        let (state, record) = (session.game().state.clone(), session.game().record());
        // Back and forth as often as is wanted; looking is no doing.
        for _ in 0..2 {
            session.run("undo");
            assert_eq!(session.game().record(), before);
            session.run("state");
            says(&mut session, "redo", &format!("did again: {what}\n"));
            assert_eq!(session.game().record(), record);
            assert_eq!(session.game().state, state);
        }
        assert_eq!(
            session.run("redo").error.as_deref(),
            Some("there is nothing to redo")
        );
        session.run("undo");
    }
    // With the answer before them: in the order in which they were done, in one go or one by one.
    session.run("variant add rich");
    let with = session.game().record();
    session.run("undo 2");
    says(
        &mut session,
        "redo 2",
        "did again: Player 2: Which road? Long\ndid again: with `rich`\n",
    );
    assert_eq!(session.game().record(), with);
    session.run("undo 2");
    says(
        &mut session,
        "redo",
        "did again: Player 2: Which road? Long\n",
    );
    assert_eq!(session.game().record(), before);
    says(&mut session, "redo", "did again: with `rich`\n");
    assert_eq!(session.game().record(), with);
}

#[test]
fn what_was_done_since_other_rules_were_taken_back_is_not_lost_by_redo() {
    for done in ["3", "branch mine", "set limit 7"] {
        let mut session = after(&PLAYED);
        session.run("variant add rich");
        session.run("undo");
        assert_eq!(session.run(done).error, None, "{done}");
        let record = session.game().record();
        assert_eq!(
            session.run("redo").error.as_deref(),
            Some("there is nothing to redo"),
            "{done}"
        );
        assert_eq!(session.game().record(), record, "{done}");
    }
}
