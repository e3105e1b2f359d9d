//! The REPL from outside: ways, files and the journal, by pipe.

mod kit;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use kit::program;
use tempfile::TempDir;

/// The REPL of a game, with a state folder of its own.
fn repl(folder: &Path, args: &[&str]) -> Command {
    let mut command = program();
    command
        .args(["repl", "airways"])
        .args(args)
        .args(
            ["--players", "3"]
                .iter()
                .filter(|_| !args.contains(&"--players")),
        )
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_STATE_HOME", folder);
    command
}

/// Exit status, results and complaints of some lines.
fn lines(folder: &Path, args: &[&str], lines: &[&str]) -> (i32, String, String) {
    let output = assert_cmd::Command::from_std(repl(folder, args))
        .write_stdin(lines.join("\n"))
        .output()
        .expect("yukon runs");
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(output.stdout).expect("UTF-8"),
        String::from_utf8(output.stderr).expect("UTF-8"),
    )
}

/// The points that stand at the end, if the game is over.
fn points(out: &str) -> &str {
    let start = out.rfind("The game is over.").expect("the end");
    &out[start..]
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

#[test]
fn a_saved_game_goes_on_as_it_would_have() {
    let folder = folder();
    let file = folder.path().join("game.json");
    let file = file.to_str().expect("UTF-8");
    let save = format!("save {file}");
    let (code, whole, err) = lines(folder.path(), &[], &["bot 25", &save, "bot all"]);
    assert_eq!((code, err.as_str()), (0, ""));
    // Loaded into a game of another seed and another number of players.
    let load = format!("load {file}");
    let args = ["--players", "2", "--seed", "9"];
    let (code, rest, err) = lines(folder.path(), &args, &[&load, "seed", "bot all"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(rest.contains("seed 1, 3 players"), "{rest}");
    assert_eq!(points(&whole), points(&rest));
    let (code, _, err) = lines(folder.path(), &[], &["load nowhere.json", "load", "save"]);
    assert_eq!(code, 1);
    assert!(err.contains("cannot read nowhere.json"), "{err}");
    assert_eq!(err.matches("a file is wanted").count(), 2, "{err}");
}

#[cfg(unix)]
#[test]
fn what_is_no_record_is_refused_and_not_waited_for() {
    let folder = folder();
    let pipe = folder.path().join("pipe.json");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let binary = folder.path().join("binary.json");
    fs::write(&binary, b"\xff").expect("written");
    let story = folder.path().join("story.toml");
    fs::write(&story, "format = 1\n").expect("written");
    for (path, why) in [
        (&pipe, "it is no regular file"),
        (
            &folder.path().to_owned(),
            "it is a folder, and a file is expected",
        ),
        (&binary, "invalid utf-8"),
        (&story, "opens it"),
    ] {
        let load = format!("load {}", path.display());
        let (code, _, by_load) = lines(folder.path(), &[], &[&load]);
        let replayed = program()
            .arg("replay")
            .arg(path)
            .output()
            .expect("yukon runs");
        let by_replay = String::from_utf8(replayed.stderr).expect("UTF-8");
        for told in [by_load, by_replay] {
            assert!(told.contains(why), "{told}");
            assert!(told.contains(&path.display().to_string()), "{told}");
        }
        assert_eq!((code, replayed.status.code()), (1, Some(1)));
    }
}

#[test]
fn a_record_says_what_was_set_and_put() {
    let folder = folder();
    let file = folder.path().join("game.json");
    let save = format!("save {}", file.display());
    let change = ["gate_1", "set player_2.money 9", "put blue player_1.seats"];
    let (code, out, err) = lines(
        folder.path(),
        &[],
        &[&change[..], &["bot 5", &save]].concat(),
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let text = fs::read_to_string(&file).expect("a record");
    assert!(text.contains("\"player_2.money\""), "{text}");
    let replayed = program()
        .arg("replay")
        .arg(&file)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("yukon runs");
    assert!(replayed.status.success(), "{replayed:?}");
}

#[test]
fn three_back_and_another_gate_keeps_both_ways() {
    let folder = folder();
    let (code, out, err) = lines(
        folder.path(),
        &["--seed", "1"],
        &[
            "gate_1",
            "done",
            "blue",
            "gate_1",
            "undo 4",
            "gate_3",
            "branch third",
            "timeline",
            "switch main",
            "timeline",
            "goto 1",
            "gate_3",
            "timeline",
        ],
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let shown: Vec<&str> = out.lines().filter(|line| line.contains(" to ")).collect();
    let first = "Light blue: Which gate? Gate 3";
    let expected = [
        "  main     1 to 5".to_owned(),
        format!("*   third  1 to 2  {first}"),
        "* main     1 to 5".to_owned(),
        format!("    third  1 to 2  {first}"),
        // The answer of another way leads onto that way.
        "  main     1 to 5".to_owned(),
        format!("*   third  1 to 2  {first}"),
    ];
    let found: Vec<&&str> = shown
        .iter()
        .filter(|line| line.contains("main ") || line.contains("third "))
        .collect();
    assert_eq!(found.len(), expected.len(), "{out}");
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(**found, expected);
    }
}

#[test]
fn bots_run_to_a_round_a_phase_a_player_and_the_end() {
    let folder = folder();
    let steps = [
        "run to round 2",
        "run to flight",
        "run to white",
        "run to end",
    ];
    let (code, out, err) = lines(folder.path(), &[], &steps);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let asked: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("Round") && line.ends_with('?'))
        .collect();
    assert!(
        asked[1].starts_with("Round 2: Wednesday · Boarding"),
        "{out}"
    );
    assert!(asked[2].starts_with("Round 2: Wednesday · Flight"), "{out}");
    assert!(asked[3].contains("· White"), "{out}");
    assert!(out.contains("The game is over."), "{out}");
}

#[test]
fn a_killed_session_is_offered_and_goes_on() {
    let folder = folder();
    let mut child = repl(folder.path(), &["--journal", "on", "--seed", "4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("yukon runs");
    let mut typed = child.stdin.take().expect("a pipe");
    typed
        .write_all(b"gate_1\nundo\ngate_2\nbranch b\n")
        .expect("it reads");
    typed.flush().expect("it reads");
    let mut said = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let told = said.any(|line| line.is_ok_and(|line| line == "this way is `b`"));
    assert!(told);
    child.kill().expect("it runs still");
    child.wait().expect("it ends");

    // Without being asked, nobody is offered anything in a pipe.
    let (code, out, _) = lines(folder.path(), &["--seed", "8"], &["resume"]);
    assert_eq!(code, 1);
    assert!(!out.contains("was left"), "{out}");
    let args = ["--seed", "8", "--journal", "on"];
    let (code, out, err) = lines(folder.path(), &args, &["resume", "seed", "timeline"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let offer = "A game of 3 players up to decision 2 was left: `resume` continues it.";
    assert!(out.contains(offer), "{out}");
    assert!(out.contains("seed 4, 3 players"), "{out}");
    assert!(out.contains("  main  1 to 2\n*   b   1 to 2  "), "{out}");
}

#[test]
fn a_pipe_writes_nothing_unless_asked() {
    let folder = folder();
    let (code, _, _) = lines(folder.path(), &[], &["bot 10", "quit"]);
    assert_eq!(code, 0);
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 0);
    // A state folder that cannot be used hurts nothing.
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    let (code, out, err) = lines(&file, &["--journal", "on"], &["bot 10", "bot 10"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out.matches("journal cannot be written").count(), 1, "{out}");
}

#[test]
fn every_command_has_its_help_and_can_be_cut_short() {
    let folder = folder();
    let (code, out, _) = lines(folder.path(), &[], &["help", "hel tim", "help goto"]);
    assert_eq!(code, 0, "{out}");
    for command in [
        "board", "options", "undo", "redo", "goto", "timeline", "branch", "switch", "run", "bot",
        "set", "put", "seed", "restart", "save", "load", "resume", "quit",
    ] {
        let listed = out
            .lines()
            .any(|line| line.trim_start().starts_with(command) && line.starts_with("  "));
        assert!(listed, "{command}: {out}");
    }
    assert!(out.contains("timeline: show the ways"), "{out}");
    assert!(out.contains("goto N | start | end: go to"), "{out}");
}

#[test]
fn many_choices_that_differ_in_their_last_part_share_a_line() {
    let folder = folder();
    let (_, out, _) = lines(folder.path(), &["--seed", "5"], &["gate_2", "options"]);
    let grouped = "  Blue, Gate 4     5 Gate 3 (2 alike; $1)   6 Gate 5 (2 alike; $1)\n";
    assert!(out.contains(grouped), "{out}");
    // Where the lines do not fit each choice has its own.
    let args = ["--seed", "5", "--width", "40"];
    let (_, narrow, _) = lines(folder.path(), &args, &["gate_2"]);
    assert!(
        narrow.contains(
            "\n   5 Blue, Gate 4, Gate 3 (2 alike; $1)\n   6 Blue, Gate 4, Gate 5 (2 alike; $1)\n"
        ),
        "{narrow}"
    );
    // With their keys each has its own.
    let one = "   6 Blue, Gate 4, Gate 5 (2 alike; $1)    blue gate_4 gate_5\n";
    assert!(out.contains(one), "{out}");
}

#[test]
fn a_refused_answer_says_why_and_a_wrong_one_what_would_do() {
    let folder = folder();
    let args = ["--players", "2", "--seed", "5"];
    let (code, _, err) = lines(folder.path(), &args, &["bot 6", "inuvik"]);
    let reason = "line 2: cannot be chosen: Inuvik: needs 10 fuel; tank 7, bonus 0, cards 0\n\
                  `help` explains the commands, `options` the answers\n";
    assert_eq!((code, err.as_str()), (1, reason));
    let (code, _, err) = lines(folder.path(), &["--seed", "5"], &["gate_2", "mauve"]);
    let wanted =
        "line 2: `mauve` is not offered: answer 1 to 23, or a key such as `pink gate_1 gate_2`";
    assert_eq!(code, 1);
    assert!(err.starts_with(wanted), "{err}");
}

#[test]
fn a_label_that_begins_with_the_name_of_a_command_can_be_answered() {
    let folder = folder();
    let given = ["run to improvement", "switch 3"];
    let (code, out, err) = lines(folder.path(), &["--seed", "5"], &given);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("Which improvement? Switch 3: "), "{out}");
}

#[test]
fn a_mark_does_not_change_how_the_board_is_laid_out() {
    let folder = folder();
    let (_, out, _) = lines(folder.path(), &[], &["gate_1", "board gates"]);
    let marked = "  Markers  Light blue*\n";
    assert!(out.contains(marked), "{out}");
    let heads = out
        .matches("           Gate 1     Gate 2     Gate 3")
        .count();
    assert_eq!(heads, 1, "{out}");
}

#[test]
fn commands_work_where_any_text_is_an_answer() {
    let folder = folder();
    for (kind, name, text) in [
        (
            "rules",
            "toy.toml",
            "[game]\ntitle = 'Toy'\nplayers = [1, 4]\nflow = 'main'\n[flow.main]\ndo = ['work']\n\
             [decision.wish]\nprompt = 'What do you wish?'\n",
        ),
        (
            "scripts",
            "toy.rhai",
            "fn work() { for i in 0..3 { choose_texts(decision::wish, players()[0], 1, 1); } }",
        ),
    ] {
        let place = folder.path().join(kind).join("toy");
        fs::create_dir_all(&place).expect("a folder");
        fs::write(place.join(name), text).expect("a file");
    }
    let output = assert_cmd::Command::from_std({
        let mut command = program();
        command.args(["repl", "toy"]).current_dir(folder.path());
        command
    })
    .write_stdin("wings\nundo 1\nsave game.json\nsave the whales |\nhelp seed\nwhat else\n")
    .output()
    .expect("yukon runs");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(folder.path().join("game.json").is_file(), "`save` saves");
    assert!(out.contains("seed [N]: say which seed"), "{out}");
    let told: Vec<&str> = out
        .lines()
        .filter(|line| {
            ["wings", "whales", "else"]
                .iter()
                .any(|text| line.contains(text))
        })
        .collect();
    let how = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = "The line is taken as the text. If it begins with the whole name of a command, such as `undo`, it is that \
                command: end it with `|` to have it taken even so.";
    assert!(how.contains(line), "{out}");
    assert_eq!(told.len(), 4, "{out}");
    assert!(told[1].starts_with("took back: "), "{out}");
    assert!(told[2].ends_with("\"save the whales\""), "{out}");
}

#[test]
fn what_is_no_line_costs_one_line() {
    let folder = folder();
    let mut input = b"\xef\xbb\xbf1\n\xff\xfe\nbot\x1b[31m\n".to_vec();
    input.extend("why not ".bytes().chain("x".repeat(10_000_000).bytes()));
    input.extend(b"\nundo\nundo\n");
    let output = assert_cmd::Command::from_std(repl(folder.path(), &[]))
        .write_stdin(input)
        .output()
        .expect("yukon runs");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    // The first line is an answer in spite of the mark before it: one answer can be taken back, not two.
    assert_eq!(
        err.lines().collect::<Vec<_>>(),
        [
            "line 2: the line is not UTF-8",
            "`help` explains the commands, `options` the answers",
            "line 3: the line has the control character U+001B as its character 4: leave it out",
            "line 4: the line is too long: 16384 bytes are the most",
            "line 6: there is nothing to undo",
        ]
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_comes_of_an_answer_is_told_under_the_phase_in_which_it_happens() {
    let folder = folder();
    let (code, out, err) = lines(folder.path(), &[], &["run to round 2", "log 50"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let told = &out[out.find("Before the first decision").expect("a log")..];
    // The last answer of Flight brings Income and Maintenance: each stands under its own heading.
    let headings: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("Round 1"))
        .collect();
    let phases = ["Boarding", "Flight", "Income", "Maintenance"];
    assert_eq!(
        headings,
        phases.map(|phase| format!("Round 1: Tuesday · {phase}")),
        "{out}"
    );
    let income = &told[told.find("· Income\n").expect("income")..];
    let first = income.lines().nth(1).unwrap_or_default();
    assert!(first.contains("Money"), "{out}");
}

#[test]
fn choices_of_several_parts_are_named_with_and_without_commas_and_as_they_are_shown() {
    let folder = folder();
    let mut command = program();
    command
        .args(["repl", "salon", "--players", "3", "--seed", "4"])
        .env("XDG_STATE_HOME", folder.path())
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let given = [
        "Seat, Hazel (B2)",
        "undo",
        "seat, doris",
        "undo",
        "seat doris",
        "why not seat doris",
    ];
    let output = assert_cmd::Command::from_std(command)
        .write_stdin(given.join("\n"))
        .output()
        .expect("yukon runs");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let answers: Vec<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("Player 1: Which Action? "))
        .collect();
    let doris = "Seat, Doris (B3)";
    assert_eq!(answers, ["Seat, Hazel (B2)", doris, doris], "{out}");
    assert!(out.contains("Seat, Doris (B3): is seated already"), "{out}");
}

#[test]
fn why_says_that_a_later_part_of_the_flow_changed_an_item() {
    let folder = folder();
    let given = ["run to round 2", "why player_2.money"];
    let (code, out, err) = lines(folder.path(), &[], &given);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let told = &out[out.find("player_2.money = ").expect("it is told")..];
    let told: Vec<&str> = told.lines().collect();
    let income = told
        .iter()
        .position(|line| *line == "Round 1: Tuesday · Income")
        .expect("income pays for what was delivered");
    // What paid it was no answer: the last one before it, of Flight, stands below.
    assert!(
        told[income + 1].starts_with("    Light blue: Money "),
        "{told:?}"
    );
    assert!(
        told[income + 2].starts_with("    by the rules, after "),
        "{told:?}"
    );
    assert!(
        !told.iter().any(|line| line.ends_with("· Flight")),
        "{told:?}"
    );
}

#[test]
fn a_long_line_is_not_repeated_whole() {
    let folder = folder();
    let long = "x".repeat(1000);
    let why = format!("why not {long}");
    let (_, _, err) = lines(folder.path(), &[], &[&long, &why]);
    let head = format!("`{}...`", "x".repeat(60));
    assert_eq!(err.matches(&head).count(), 2, "{err}");
    assert!(!err.contains(&"x".repeat(61)), "{err}");
}
