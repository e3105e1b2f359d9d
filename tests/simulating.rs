//! `yukon sim`, `compare` and `sweep` as people call them: what they print, keep, and exit with.

mod kit;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use kit::program;
use tempfile::TempDir;

const ASKS: &str = "[counter.money]
per = ['player']
[decision.what]
prompt = 'What?'
[decision.more]
prompt = 'More?'
[parameter.pay]
doc = 'What a choice pays.'
value = 1
[score.money]
points = 'me.money'
";

/// A folder with a pack `toy`.
fn toy(script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let toml = format!("{}{ASKS}", kit::GAME);
    for (path, text) in [
        ("rules/toy/toy.toml", toml.as_str()),
        ("scripts/toy/toy.rhai", script),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

/// All choose three times, and have what they chose.
const FAIR: &str = "fn work() {
    for round in 0..3 {
        for me in players() { me.money += choose(decision::what, me, [1, 2, 3]) * value(parameter::pay, me); }
    }
}";

fn yukon(folder: &Path, args: &str) -> Command {
    let mut command = program();
    command.current_dir(folder).args(args.split_whitespace());
    command
}

/// What it exits with, prints, and complains of.
fn told(folder: &Path, args: &str) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = yukon(folder, args).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// The rows of CSV, each with its fields by name.
fn rows(csv: &str) -> Vec<Vec<(&str, &str)>> {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let rows = lines.map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), names.len(), "{line}");
        names.iter().copied().zip(fields).collect()
    });
    rows.collect()
}

fn field<'t>(row: &[(&str, &'t str)], name: &str) -> &'t str {
    let mut fields = row.iter();
    fields.find(|(own, _)| *own == name).expect("a field").1
}

#[test]
fn a_game_compared_with_itself_differs_by_nothing() {
    let folder = toy(FAIR);
    let (code, out, err) = told(folder.path(), "compare toy --players 2 --games 40");
    // In a pipe nothing is told of how far it is.
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(
        out.contains("the same game: 40 pairs of games, 40 of them the same to the end"),
        "{out}"
    );
    assert!(out.contains("Every difference is exactly 0."), "{out}");
    let (_, csv, _) = told(
        folder.path(),
        "compare toy --players 2 --games 40 --format csv",
    );
    let rows = rows(&csv);
    assert!(rows.len() > 8);
    for row in &rows {
        let numbers = ["difference", "low", "high", "p", "p_holm"].map(|name| field(row, name));
        assert_eq!(numbers, ["0", "0", "0", "1", "1"], "{row:?}");
    }
}

#[test]
fn a_difference_is_told_with_its_interval() {
    let folder = toy(FAIR);
    let (code, out, _) = told(
        folder.path(),
        "compare toy pay=2 --players 2 --games 60 --format csv",
    );
    assert_eq!(code, Some(0));
    let rows = rows(&out);
    let score = rows
        .iter()
        .find(|row| field(row, "metric") == "score")
        .expect("scores");
    let number = |name: &str| field(score, name).parse::<f64>().expect("a number");
    // Each point counts twice, in the same games.
    assert!(
        (number("difference") - number("base")).abs() < 1e-9,
        "{score:?}"
    );
    assert!(
        number("low") > 4.0 && number("high") < 8.0 && number("p_holm") < 0.001,
        "{score:?}"
    );
    assert_eq!(field(score, "same"), "0");
    let (_, text, _) = told(folder.path(), "compare toy pay=2 --players 2 --games 60");
    assert!(
        text.contains("times as wide as those of as many games without common chance"),
        "{text}"
    );
    // What is clear is told once more: all that is counted in points, and nothing else.
    let (_, clear) = text
        .split_once("\nClearly different, the largest first:\n")
        .expect("something is clear");
    let (clear, _) = clear.split_once("\n\n").expect("an end");
    let clear: Vec<&str> = clear
        .lines()
        .map(|line| line.trim().rsplit_once(' ').expect("a number").0)
        .collect();
    assert!(
        clear.contains(&"Mean score") && clear.contains(&"Winning score"),
        "{clear:?}"
    );
    assert!(
        !clear.contains(&"Rounds") && !clear.contains(&"Decisions"),
        "{clear:?}"
    );
    assert!(text.contains("<0.0001 *"), "{text}");
    // Until it is clear: 500 pairs are more than enough for an interval as wide as this.
    let (_, text, _) = told(
        folder.path(),
        "compare toy pay=2 --games 4000 --until-clear score=2",
    );
    assert!(text.starts_with("pay=2: 500 pairs of games"), "{text}");
    // Where the pairs run out first, that is said, with how many more it takes; and nothing where they do not.
    for (games, width, why) in [
        (4000, "2", ""),
        (
            4000,
            "0.000001",
            "after 4000 pairs of games the interval of `pay=2` is ",
        ),
        (1, "2", "so few pairs of games leave no interval of `pay=2`"),
    ] {
        let args = format!("compare toy pay=2 --games {games} --until-clear score={width}");
        let (code, _, err) = told(folder.path(), &args);
        assert_eq!(code, Some(0));
        match why {
            "" => assert_eq!(err, ""),
            _ => assert!(
                err.starts_with(&format!(
                    "`--until-clear score={width}` was not reached: {why}"
                )),
                "{err}"
            ),
        }
    }
    for (wrong, why) in [
        ("score", "expected METRIC=WIDTH"),
        ("score=0", "with a width above 0"),
        (
            "scores=1",
            "there is no metric `scores`; did you mean `score`?",
        ),
    ] {
        let args = format!("compare toy pay=2 --games 600 --until-clear {wrong}");
        let (code, out, err) = told(folder.path(), &args);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{wrong}");
        assert!(err.contains(why), "{wrong}: {err}");
    }
}

#[test]
fn a_grid_has_a_row_for_each_combination() {
    let folder = toy(FAIR);
    let (code, out, err) = told(
        folder.path(),
        "sweep toy --set pay=1,2,3 --players 2 --games 20",
    );
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let rows: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("pay="))
        .collect();
    assert_eq!(rows.len(), 3, "{out}");
    assert!(
        rows[0].starts_with("pay=1") && rows[0].contains("(+0.00±0.00)"),
        "{out}"
    );
    assert!(
        rows[2].starts_with("pay=3") && rows[2].contains('*'),
        "{out}"
    );
    // Beside each difference stands half of the interval that the other formats tell.
    let (_, csv, _) = told(
        folder.path(),
        "sweep toy --set pay=1,2,3 --players 2 --games 20 --format csv",
    );
    let all = self::rows(&csv);
    for (line, value) in rows.iter().zip(["pay=1", "pay=2", "pay=3"]) {
        let mut scores = all.iter().filter(|row| field(row, "metric") == "score");
        let score = scores.find(|row| field(row, "variant") == value);
        let score = score.expect("scores");
        let number = |name: &str| field(score, name).parse::<f64>().expect("a number");
        let half = (number("high") - number("low")) / 2.0;
        let cell = format!("({:+.2}±{half:.2})", number("difference"));
        assert!(line.contains(&cell), "{cell}: {line}");
        assert_eq!(field(score, "format"), "1");
    }
    // Twice as many points, and the same luck.
    assert!(
        out.contains("times as wide as those of as many games without common chance"),
        "{out}"
    );
    for (wrong, why) in [
        ("pay", "expected PARAM=A,B,C"),
        ("play=1,2", "did you mean `pay`?"),
        ("pay=1 --set pay=2", "`pay` is given twice"),
    ] {
        let (code, _, err) = told(folder.path(), &format!("sweep toy --set {wrong}"));
        assert_eq!(code, Some(1));
        assert!(err.contains(why), "{err}");
    }
}

#[test]
fn a_value_that_is_given_twice_is_one_row() {
    let folder = toy(FAIR);
    let args = "sweep toy --set pay=2,2 --players 2 --games 5";
    let (code, out, _) = told(folder.path(), args);
    let rows = out.lines().filter(|line| line.starts_with("pay="));
    assert_eq!((code, rows.count()), (Some(0), 1), "{out}");
}

#[test]
fn a_batch_has_games_and_no_more_threads_than_help() {
    let folder = toy(FAIR);
    for command in ["sim toy", "compare toy toy", "sweep toy --set pay=2"] {
        let (code, _, err) = told(folder.path(), &format!("{command} --games 0"));
        assert_eq!(code, Some(2), "{command}");
        assert!(err.contains("a whole number from 1 to"), "{err}");
    }
    let (code, out, err) = told(folder.path(), "sim toy --games 3 --threads 100000");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("3 games, 0 unfinished"), "{out}");
}

#[test]
fn what_cannot_be_written_is_named() {
    let folder = toy(FAIR);
    fs::write(folder.path().join("taken"), "a file").expect("written");
    for args in ["docs --write taken", "docs --schema taken"] {
        let (code, _, err) = told(folder.path(), args);
        assert_eq!(code, Some(1), "{args}");
        assert!(err.contains("cannot make taken: "), "{err}");
    }
    let failing = toy(
        "fn work() { for me in players() { me.money = 1 / (choose(decision::what, me, [0, 1]) * 0); } }",
    );
    let (code, _, err) = told(failing.path(), "sim toy --games 2 --save-failures no/such");
    assert_eq!(code, Some(1));
    assert!(err.contains("cannot make no/such: "), "{err}");
    let (code, _, err) = told(folder.path(), "compare toy toy --until-clear score=inf");
    assert_eq!(code, Some(1));
    assert!(!err.is_empty());
}

/// What was played is told, whatever becomes of the records.
#[test]
fn many_failures_are_told_in_a_few_lines_and_hide_no_statistics() {
    let folder = toy("fn work() {
        for me in players() { me.money = 12 / (choose(decision::what, me, [1, 2, 3, 4]) - 1); }
    }");
    for (kept, saved) in [("no/such", 0), ("kept", 5)] {
        let args = format!("sim toy --players 2 --games 200 --save-failures {kept}");
        let (code, out, err) = told(folder.path(), &args);
        assert_eq!(code, Some(1));
        assert!(out.contains("\nof a finished game: "), "{out}");
        let unfinished = out
            .split_whitespace()
            .nth(2)
            .and_then(|many| many.parse().ok());
        let unfinished: u64 = unfinished.expect("how many");
        assert!(unfinished > 50, "{out}");
        assert_eq!(out.matches("division by zero").count(), 5, "{out}");
        let more = format!(
            "and {} more that did not come to their end\n",
            unfinished - 5
        );
        assert!(out.ends_with(&more), "{out}");
        assert_eq!(err.matches("saved kept").count(), saved, "{err}");
        let as_json = told(folder.path(), &format!("{args} --format json"));
        assert_eq!(as_json.0, Some(1));
        let json: serde_json::Value = serde_json::from_str(&as_json.1).expect("JSON");
        assert_eq!(json["unfinished"], unfinished);
        assert!(as_json.2.contains(more.trim_end()), "{}", as_json.2);
    }
    let (_, _, err) = told(
        folder.path(),
        "sim toy --players 2 --games 200 --save-failures no/such",
    );
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(
        err.starts_with("cannot make no/such: ") && err.contains("`--save-failures DIR`"),
        "{err}"
    );
    let files = fs::read_dir(folder.path().join("kept")).expect("a folder");
    assert_eq!(files.count(), 5);
}

#[test]
fn budgets_that_cannot_be_read_are_told_everywhere() {
    let folder = toy(FAIR);
    for command in [
        "sim toy",
        "compare toy pay=2",
        "sweep toy --set pay=1,2",
        "repl toy",
    ] {
        for budget in ["decisions=abc", "time=", "foo=1"] {
            let args = format!("{command} --bots mcts:{budget}");
            let (code, _, err) = told(folder.path(), &args);
            assert_eq!(code, Some(1), "{args}");
            let expected = format!("`{budget}` is no budget: expected `decisions=N`, `time=Nms`");
            assert!(err.contains(&expected), "{args}: {err}");
        }
    }
}

/// One of four answers divides by nothing.
#[test]
fn a_game_that_fails_is_saved_and_the_batch_ends_with_1() {
    let folder = toy("fn work() {
        for me in players() { me.money = 12 / (choose(decision::what, me, [1, 2, 3, 4]) - 1); }
    }");
    let (code, out, err) = told(
        folder.path(),
        "sim toy --players 2 --games 30 --save-failures kept",
    );
    assert_eq!(code, Some(1));
    assert!(out.starts_with("30 games, "), "{out}");
    assert!(out.contains("answered `what` with `1`"), "{out}");
    let saved: Vec<&str> = err
        .lines()
        .filter_map(|line| line.strip_prefix("saved "))
        .collect();
    assert_eq!(saved.len(), 5, "{err}");
    assert!(
        err.ends_with(
            "`load FILE` in `yukon repl toy` opens one before the answer with which it failed\n"
        ),
        "{err}"
    );
    for path in saved {
        let text = fs::read_to_string(folder.path().join(path)).expect("a record");
        let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let seed = record["seed"].to_string();
        assert!(path.ends_with(&format!("failed-toy-{seed}.json")), "{path}");
        // The record leads to where it failed.
        let (code, _, err) = told(folder.path(), &format!("replay {path}"));
        assert_eq!(code, Some(0), "{err}");
    }
}

#[test]
fn a_game_without_an_end_is_told_with_its_loop() {
    let folder = toy("fn work() {
        let me = players()[0];
        loop { choose(decision::what, me, [1, 2]); choose(decision::more, me.next, [1, 2]); }
    }");
    let (code, out, _) = told(
        folder.path(),
        "sim toy --players 2 --games 2 --most-decisions 50",
    );
    assert_eq!(code, Some(1));
    assert!(out.starts_with("2 games, 2 unfinished"), "{out}");
    assert!(
        out.contains("asked over and over: player 1 `what`, player 2 `more`"),
        "{out}"
    );
}

#[test]
fn any_number_of_threads_gives_the_same_digest() {
    let folder = toy(FAIR);
    let digest = |threads: u8| {
        let args = format!("sim toy --players 3 --games 500 --threads {threads} --format csv");
        let (code, out, err) = told(folder.path(), &args);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let rows = rows(&out);
        assert_eq!(rows.len(), 3);
        for row in &rows {
            let number = |name: &str| field(row, name).parse::<f64>().expect("a number");
            assert!(
                number("win_low") < number("win_rate") && number("win_rate") < number("win_high")
            );
            // Three choices of 1 to 3.
            assert!(
                number("score_least") >= 3.0 && number("score_most") <= 9.0,
                "{row:?}"
            );
            assert_eq!(
                (field(row, "format"), field(row, "score_median")),
                ("1", "6")
            );
        }
        field(&rows[0], "digest").to_owned()
    };
    let one = digest(1);
    assert_eq!([digest(2), digest(8)], [one.clone(), one]);
}

/// What a long command exits with after Ctrl-C, prints, and complains of.
#[cfg(unix)]
fn stopped(folder: &Path, args: &str) -> (Option<i32>, String, String) {
    use std::process::Stdio;

    let child = yukon(folder, args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    // Once the signal is caught, as the system tells; else it would end the process at once.
    let status = format!("/proc/{}/status", child.id());
    let begun = std::time::Instant::now();
    let catches = || {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
        caught.is_some_and(|bits| bits & 0b10 != 0)
    };
    while !catches() {
        assert!(begun.elapsed().as_secs() < 60, "Ctrl-C is not caught");
        std::thread::yield_now();
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_what_was_played() {
    let folder = toy(FAIR);
    let (code, out, err) = stopped(
        folder.path(),
        "sim toy --games 200000000 --threads 2 --html page.html",
    );
    assert_eq!(code, Some(130));
    assert!(
        err.starts_with("stopped after ") && err.contains(" of 200000000 games"),
        "{err}"
    );
    assert!(
        out.contains(" games, 0 unfinished") && out.contains("\ndigest "),
        "{out}"
    );
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(
        page.contains("Stopped early: ") && page.contains("Asked for: "),
        "{page}"
    );
    assert!(!page.contains("The same again"), "{page}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_comparisons_with_what_was_played() {
    let folder = toy(FAIR);
    for args in [
        "compare toy pay=2 --games 200000000 --threads 2",
        "sweep toy --set pay=2,3 --games 200000000 --threads 2",
    ] {
        let (code, out, err) = stopped(folder.path(), args);
        assert_eq!(code, Some(130), "{err}");
        assert!(
            err.starts_with("stopped after ") && err.contains(" of 200000000 pairs of games"),
            "{err}"
        );
        assert!(out.contains(" pairs of games"), "{out}");
    }
}

#[test]
fn what_is_given_twice_is_refused() {
    let folder = toy(FAIR);
    let variant = folder.path().join("rules/toy/variants");
    fs::create_dir_all(&variant).expect("made");
    fs::write(
        variant.join("rich.toml"),
        "[variant]\ntitle = 'Rich'\nreason = 'More is paid.'\n[parameter.pay]\nvalue = 2\n",
    )
    .expect("written");
    let variants = "variant `rich` is given twice";
    let values = "`pay` is given twice: a parameter has one value in a game";
    for (args, expected) in [
        ("sim toy --set pay=3 --set pay=5", values),
        ("compare toy pay=3+pay=5", values),
        ("sim toy --variant rich --variant rich", variants),
        ("compare toy rich+rich", variants),
        (
            "sweep toy --variant rich --variant rich --set pay=1",
            variants,
        ),
        (
            "compare toy --variant rich rich",
            "`rich` is a variant of both games",
        ),
    ] {
        let (code, out, err) = told(folder.path(), args);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{args}");
        assert!(err.contains(expected), "{args}: {err}");
    }
    // Once each is right, and what is compared may set what both games are given.
    let args = "compare toy --set pay=3 rich+pay=5 --games 1";
    let (code, out, err) = told(folder.path(), args);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        out.starts_with("the base game is played with pay=3\n\nrich+pay=5: 1 pair of games, 0 of"),
        "{out}"
    );
}

#[test]
fn numbers_that_are_none_or_too_large_are_told_apart() {
    let folder = toy(FAIR);
    for (args, expected) in [
        ("compare toy nosuch=", "`nosuch=` has no value"),
        ("sim toy --set pay=x", "`x` is no whole number"),
        (
            "sim toy --set pay=99999999999999999999",
            "`99999999999999999999` is too large a number",
        ),
        (
            "sweep toy --set pay=1,-99999999999999999999",
            "`-99999999999999999999` is too small a number",
        ),
    ] {
        let (code, _, err) = told(folder.path(), args);
        assert_eq!(code, Some(1), "{args}");
        assert!(err.contains(expected), "{args}: {err}");
    }
}

#[test]
fn one_is_told_as_one() {
    let folder = toy(FAIR);
    let (_, out, _) = told(folder.path(), "sim toy --games 1 --html page.html");
    assert!(out.starts_with("1 game, 0 unfinished\n"), "{out}");
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(page.contains("1 game of "), "{page}");
    let (_, out, _) = told(folder.path(), "sweep toy --set pay=2 --games 1");
    assert!(out.contains("\n1 pair of games each."), "{out}");
}

fn json(folder: &Path, args: &str) -> serde_json::Value {
    let (_, out, err) = told(folder, &format!("{args} --format json"));
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"))
}

/// Far less than the system waits before it counts by itself.
#[cfg(target_os = "linux")]
#[test]
fn processor_time_of_a_few_games_is_measured() {
    let folder = toy(FAIR);
    let args = "sim toy --players 2 --games 3 --threads 1";
    let told = json(folder.path(), args);
    let number = |name: &str| told[name].as_f64().expect("a number");
    assert!(number("cpu_s") > 1e-6, "{told}");
    assert!(number("cpu_s") < number("elapsed_s") + 1e-3, "{told}");
    assert!((number("games_per_s") - 3.0 / number("cpu_s")).abs() < 1e-6 * number("games_per_s"));
    let (_, text, _) = self::told(folder.path(), args);
    assert!(
        text.contains(" games per second of processor time\n"),
        "{text}"
    );
}

#[test]
fn one_game_has_no_interval_and_two_have_students() {
    let folder = toy(FAIR);
    let args = "sim toy --players 2 --games 1 --html page.html";
    let (_, text, _) = told(folder.path(), args);
    assert!(text.contains(" (too few for an interval); "), "{text}");
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(page.contains("<td>too few for an interval</td>"), "{page}");
    assert!(!page.contains("inf to"), "{page}");
    let one = json(folder.path(), "sim toy --players 2 --games 1");
    for of in [&one["margin"], &one["players"][1]["scores"]] {
        assert!(of["low"].is_null() && of["high"].is_null(), "{of}");
    }
    // Student's quantile for one degree of freedom is 12.706.
    let two = json(folder.path(), "sim toy --players 2 --games 2 --seed 3");
    let scores = &two["players"][0]["scores"];
    let number = |name: &str| scores[name].as_f64().expect("a number");
    assert!(number("deviation") > 0.1, "{scores}");
    let half = 12.7062 * number("deviation") / 2_f64.sqrt();
    assert!(
        (number("mean") - half - number("low")).abs() < 1e-3,
        "{scores}"
    );
    assert!(
        (number("mean") + half - number("high")).abs() < 1e-3,
        "{scores}"
    );
    // The same words and numbers where rules are compared.
    let args = "compare toy pay=2 --players 2 --games 1";
    let (_, text, _) = told(folder.path(), args);
    assert!(text.contains(" (too few for an interval) "), "{text}");
    let score = &json(folder.path(), args)["variants"][0]["metrics"][0];
    assert!(score["low"].is_null() && score["p"] == 1.0, "{score}");
}

#[test]
fn violations_are_told_where_they_were_looked_for() {
    let folder = toy(FAIR);
    for (option, text, number, field) in [
        ("", "4 games, 0 unfinished\n", serde_json::Value::Null, ""),
        (
            " --check-invariants",
            "4 games, 0 unfinished, 0 violations\n",
            0.into(),
            "0",
        ),
    ] {
        let args = format!("sim toy --games 4{option}");
        let (_, out, _) = told(folder.path(), &args);
        assert!(out.starts_with(text), "{out}");
        let told_so = json(folder.path(), &args);
        assert_eq!(told_so.get("violations"), Some(&number));
        let (_, csv, _) = told(folder.path(), &format!("{args} --format csv"));
        assert_eq!(self::field(&rows(&csv)[0], "violations"), field);
        let (_, page, _) = told(folder.path(), &format!("{args} --html -"));
        assert_eq!(page.contains("violations"), !option.is_empty(), "{page}");
    }
}

/// The command at the end of a page.
fn command_of<'p>(page: &'p str, before: &str) -> &'p str {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("{page}"));
    let (command, _) = rest.split_once("</code>").expect("an end");
    command.strip_prefix("<code>yukon ").expect("a command")
}

#[test]
fn the_command_of_a_page_gives_the_same_again() {
    let folder = toy(FAIR);
    for options in [
        "--rotate --bots random,greedy --check-invariants",
        "--most-decisions 4 --seed 7",
        "--set pay=3",
    ] {
        let args = format!("sim toy --players 2 --games 5 {options}");
        let (_, page, _) = told(folder.path(), &format!("{args} --html -"));
        let again = command_of(&page, "The same again: ");
        // All but how long it took.
        let [one, other] = [args.as_str(), again].map(|args| {
            let mut told = json(folder.path(), args);
            for name in ["elapsed_s", "cpu_s", "games_per_s"] {
                told[name] = serde_json::Value::Null;
            }
            told
        });
        assert_eq!(one, other, "{again}");
    }
    // A page counts statistics, and corrects for them.
    for args in ["compare toy pay=2", "sweep toy --set pay=2"] {
        let args = format!("{args} --games 5 --html -");
        let (_, page, _) = told(folder.path(), &args);
        let again = command_of(&page, "The same again: ");
        assert!(
            again.contains(" --games 5 --seed 1 --bots random --statistics"),
            "{again}"
        );
    }
    // No command gives the same as a bot that goes by time.
    let args = "sim toy --games 1 --bots mcts:time=1ms --html -";
    let (_, page, _) = told(folder.path(), args);
    let command = command_of(&page, "Made by: ");
    assert!(command.contains("--bots mcts:time=1ms"), "{command}");
    assert!(!page.contains("The same again"), "{page}");
}

#[test]
fn a_page_without_a_finished_game_says_so() {
    let folder = toy(FAIR);
    let args = "sim toy --players 2 --games 20 --most-decisions 4 --html -";
    let (code, page, _) = told(folder.path(), args);
    assert_eq!(code, Some(1));
    assert!(
        page.contains("20 games of 2 players, played by random"),
        "{page}"
    );
    assert!(page.contains("No game came to its end"), "{page}");
    assert!(
        page.contains("and 15 more that did not come to their end"),
        "{page}"
    );
    assert!(!page.contains("<svg") && !page.contains("Wins"), "{page}");
}

/// With `pay=2` the game fails when somebody chooses 1, and with `pay=9` always.
#[test]
fn rows_of_a_grid_tell_how_many_pairs_they_have() {
    let folder = toy("fn work() {
        for me in players() {
            let what = choose(decision::what, me, [1, 2, 3, 4]);
            let pay = value(parameter::pay, me);
            if pay == 9 || (pay == 2 && what == 1) { me.money = 12 / me.money; }
            me.money = what;
        }
    }");
    let args = "sweep toy --set pay=2,3,9 --players 2 --games 40";
    let all = json(folder.path(), args);
    let pairs = |row: usize| all["variants"][row]["pairs"].as_u64().expect("pairs");
    let some = pairs(0);
    assert!((5..35).contains(&some), "{some}");
    assert_eq!((pairs(1), pairs(2)), (40, 0));
    let (code, text, _) = told(folder.path(), args);
    assert_eq!(code, Some(1));
    let rows = format!(
        "left out:\n  pay=2: {some} pairs, {} left out\n  pay=9: 0 pairs, 40 left out\n",
        40 - some
    );
    assert!(text.contains("\n0 to 40 pairs of games each. "), "{text}");
    assert!(text.contains(&rows), "{text}");
    let (_, page, _) = told(folder.path(), &format!("{args} --html -"));
    let row = "pay=9<small> 0 pairs, 40 left out</small></th>\
               <td colspan=\"3\">No pair of games came to its end.</td>";
    assert!(page.contains(row), "{page}");
    assert!(page.contains("<dd>0 to 40<small>"), "{page}");
    let args = "sweep toy --set pay=9 --players 2 --games 5 --html -";
    let (_, page, _) = told(folder.path(), args);
    assert!(page.contains("Nothing to compare"), "{page}");
}

#[test]
fn records_are_not_saved_into_a_file() {
    let folder = toy(FAIR);
    fs::write(folder.path().join("taken"), "a file").expect("written");
    let (code, out, err) = told(folder.path(), "sim toy --games 1 --save-failures taken");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("taken is a file; expected a folder"), "{err}");
}
