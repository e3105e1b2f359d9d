//! What options and arguments are told that cannot be meant, and how results name what was chosen.

mod kit;

use std::fs;
use std::path::Path;
use std::process::Output;

use kit::program;
use serde_json::{Value, json};

/// What it exits with, prints, and complains of.
fn told(args: &str) -> (Option<i32>, String, String) {
    let mut command = program();
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")));
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .args(args.split_whitespace())
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[track_caller]
fn refuses(args: &str, code: i32, expected: &str) {
    let (exit, out, err) = told(args);
    assert_eq!((exit, out.as_str()), (Some(code), ""), "{args}: {err}");
    assert!(err.contains(expected), "{args}: {err}");
}

#[test]
fn negative_numbers_are_told_what_is_wanted() {
    let seed = "'-1' for '--seed <SEED>': a seed is a whole number from 0 to";
    refuses("sim airways --seed -1", 2, seed);
    refuses("repl airways --seed -1", 2, seed);
    refuses("sweep airways --set rounds=3 --seed -1", 2, seed);
    for (option, expected) in [
        (
            "--players -2",
            "expected how many play, a whole number from 1 to 8",
        ),
        (
            "--players 9",
            "expected how many play, a whole number from 1 to 8",
        ),
        ("--games -5", "expected how many, a whole number from 1 to"),
        (
            "--threads 0",
            "expected how many threads, a whole number from 1 to",
        ),
    ] {
        for command in ["sim", "compare"] {
            refuses(&format!("{command} airways {option}"), 2, expected);
        }
    }
    let metric = "`--until-clear -1`: expected METRIC=WIDTH";
    refuses("compare airways --until-clear -1", 1, metric);
    refuses("sim airways --set -1", 1, "`--set -1` has no `=`");
    refuses("sweep airways --set -1", 1, "`--set -1` has no `=`");
}

#[test]
fn a_parameter_that_is_not_there_is_told_as_it_was_given() {
    let near = "there is no parameter `roundz`; did you mean `rounds`?";
    for command in ["sim", "check", "show", "repl", "compare", "map", "diff"] {
        let (code, _, err) = told(&format!("{command} airways --set roundz=3"));
        assert_eq!(code, Some(1), "{command}: {err}");
        let expected = format!("error[Y0188]: `--set roundz=3`: {near}\n");
        assert!(err.contains(&expected), "{command}: {err}");
    }
    refuses(
        "sweep airways --set rounds=3 --set roundz=4,5",
        1,
        &format!("`--set roundz=4`: {near}"),
    );
    refuses(
        "compare airways roundz=3",
        1,
        &format!("`roundz=3`: {near}"),
    );
    refuses(
        "sim airways --set rounds=0 --set roundz=3",
        1,
        "error[Y0188]: `--set rounds=0`: `rounds` cannot be 0: it must be at least 1\n",
    );
}

/// Before anything is played, however many games are wanted.
#[test]
fn a_metric_that_is_not_there_is_told_with_the_near_name() {
    let clear =
        |wanted: &str| format!("compare airways big-tank --games 100000000 --until-clear {wanted}");
    for (wanted, expected) in [
        (
            "scor=1",
            "`--until-clear scor=1`: there is no metric `scor`; did you mean `score`?",
        ),
        (
            "zzz=1",
            "there is no metric `zzz`; there are score, first, margin, ties, rounds, decisions, branching, score_1,",
        ),
        ("score_3=1", "did you mean `score"),
        (
            "visits.inuvik=1",
            "`visits` is a statistic: `--statistics` counts it",
        ),
        (
            "visits.inuvic=1 --statistics",
            "there is no metric `visits.inuvic`; did you mean `visits.inuvik`?",
        ),
    ] {
        refuses(&clear(wanted), 1, expected);
    }
    let (code, out, err) = told(
        "compare airways big-tank --games 20 --until-clear visits.inuvik=0.00001 --statistics",
    );
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("big-tank: 20 pairs of games"), "{out}");
    assert!(err.contains("was not reached"), "{err}");
}

#[test]
fn the_same_game_is_not_compared_twice() {
    let twice = "`big-tank` is compared twice: once is enough";
    refuses("compare airways big-tank big-tank", 1, twice);
    refuses(
        "compare airways rounds=3+big-tank short-week big-tank+rounds=3",
        1,
        "`rounds=3+big-tank` and `big-tank+rounds=3` are the same game: compare one of them",
    );
    refuses(
        "diff airways big-tank big-tank",
        1,
        "variant `big-tank` is given twice: once is enough",
    );
    refuses(
        "diff airways big-tank --variant big-tank",
        1,
        "variant `big-tank` is given twice: once is enough",
    );
    // Other values of one parameter are other games.
    let (code, _, err) = told("compare airways rounds=3 rounds=4 --games 2");
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn results_name_the_rules_that_were_played() {
    let chosen = "--games 2 --seed 5 --variant big-tank --set rounds=3";
    let (_, text, _) = told(&format!("sim airways {chosen}"));
    assert!(
        text.starts_with("played with big-tank+rounds=3\n2 games, "),
        "{text}"
    );
    let (_, text, _) = told("sim airways --games 2");
    assert!(text.starts_with("2 games, "), "{text}");
    let json = |args: &str| -> Value {
        let (_, json, _) = told(&format!("{args} --format json"));
        serde_json::from_str(&json).expect("JSON")
    };
    let rules =
        json!({ "pack": "airways", "variants": ["big-tank"], "parameters": { "rounds": 3 } });
    let told_by_sim = json(&format!("sim airways {chosen}"));
    assert_eq!(
        (&told_by_sim["rules"], &told_by_sim["seed"]),
        (&rules, &json!(5))
    );
    let plain = json!({ "pack": "airways", "variants": [], "parameters": {} });
    assert_eq!(json("sim airways --games 2")["rules"], plain);
    let compared = json(&format!("compare airways short-week {chosen}"));
    assert_eq!(compared["base"], rules);
    assert_eq!(compared["variants"][0]["variant"], "short-week");
    let (_, csv, _) = told(&format!("sim airways {chosen} --format csv"));
    assert!(
        csv.lines()
            .next()
            .expect("names")
            .ends_with(",format,rules,seed"),
        "{csv}"
    );
    let mut rows = csv.lines().skip(1);
    assert!(
        rows.all(|row| row.ends_with(",1,big-tank+rounds=3,5")),
        "{csv}"
    );
    let base = "the base game is played with big-tank+rounds=3\n\n";
    for command in [
        "compare airways short-week",
        "sweep airways --set opening_hand=2",
    ] {
        let variant = match command.starts_with("sweep") {
            true => "--games 2 --variant big-tank".to_owned(),
            false => chosen.to_owned(),
        };
        let (code, text, err) = told(&format!("{command} {variant}"));
        assert_eq!(code, Some(0), "{err}");
        let base = match command.starts_with("sweep") {
            true => "the base game is played with big-tank\n\n",
            false => base,
        };
        assert!(text.starts_with(base), "{text}");
    }
    let (_, csv, _) = told(&format!("compare airways short-week {chosen} --format csv"));
    let mut rows = csv.lines().skip(1);
    assert!(
        rows.all(|row| row.ends_with(",1,big-tank+rounds=3")),
        "{csv}"
    );
}

/// What counts one thing says so: players, pieces, nodes, answers.
#[test]
fn one_is_told_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in [
        (
            "rules/toy/toy.toml",
            "[game]
title = 'Toy'
players = [1, 1]
flow = 'main'
[flow.main]
do = ['work']
[kind.coin]
pieces = [{ id = 'penny' }]
start = 'bank'
[zone.bank]
holds = 'coin'
[set.colour]
members = ['red']
[decision.what]
prompt = 'What?'
",
        ),
        (
            "scripts/toy/toy.rhai",
            "fn work() { choose(decision::what, players()[0], [1, 2]); }",
        ),
        ("lines", "seed\n1\nsave game.json\n"),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    let run = |args: &str| {
        let mut command = program();
        command
            .current_dir(folder.path())
            .args(args.split_whitespace());
        let lines = fs::File::open(folder.path().join("lines")).expect("read");
        let output = command.stdin(lines).output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8(text).expect("UTF-8")
    };
    let said = run("repl toy");
    assert!(said.starts_with("Toy, 1 player, seed 1. "), "{said}");
    assert!(said.contains("\nseed 1, 1 player\n"), "{said}");
    assert_eq!(
        run("replay game.json"),
        "game.json: 1 answer replayed, the same game\n"
    );
    assert_eq!(
        run("sim toy --players 2"),
        "error: Toy is for 1 player, not 2\n"
    );
    let shown = run("show toy");
    for expected in ["toy: Toy, for 1 player\n", "; 1 piece\n", "; 1 member\n"] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
}
