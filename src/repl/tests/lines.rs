//! Lines that are typed: what they mean, how they are completed and explained.

use super::{check, says, session};

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

#[test]
fn a_file_is_wanted_where_elsewhere_a_stream_may_be_meant() {
    let mut session = session();
    check(
        &mut session,
        "save -",
        "error: `save -`: a file is wanted: `save game.json` writes one, and `save ./-` means one that is called so",
    );
    check(
        &mut session,
        "load -",
        "error: `load -`: a file is wanted: `load game.json` reads one, and `load ./-` means one that is called so",
    );
    check(
        &mut session,
        "record - A title",
        "error: `record -`: a file is wanted: `record` alone shows the scenario, `record cheap_day` writes it, and \
         `record ./-` means one that is called so",
    );
    check(
        &mut session,
        "record cheap_day --replce",
        "error: `record` has no `--replce`; did you mean `--replace`?",
    );
    for name in ["-", "-.toml", "cheap_day.toml"] {
        assert!(!std::path::Path::new(name).exists(), "{name}");
    }
}
