//! The command line, as a shell sees it.

mod kit;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kit::program;
use tempfile::TempDir;

/// The printed numbers of the map: fuel of the cheapest route from home.
const NUMBERS: &str = "\
Cinnamon Strip\t1
Skagway\t1
Destruction Bay\t2
Watson Lake\t3
Dawson City\t4
Tungsten\t4
June Lake\t5
Muncho Lake\t5
Fort Norman\t7
Taco Bar\t7
Old Crow\t8
Inuvik\t10
";

fn yukon(args: &[&str]) -> Command {
    let mut command = program();
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn output(args: &[&str]) -> (i32, String, String) {
    told(&yukon(args).output().expect("yukon runs"))
}

fn told(output: &Output) -> (i32, String, String) {
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(output.stdout.clone()).expect("UTF-8"),
        String::from_utf8(output.stderr.clone()).expect("UTF-8"),
    )
}

/// A session from a pipe.
fn piped(args: &[&str], lines: &str) -> (i32, String, String) {
    let output = assert_cmd::Command::from_std(yukon(args))
        .write_stdin(lines)
        .output()
        .expect("yukon runs");
    told(&output)
}

/// A copy of a pack, with a text replaced in one of its files.
fn changed(file: &str, from: &str, to: &str) -> (TempDir, PathBuf) {
    let root = TempDir::new().expect("a folder");
    for folder in ["rules/airways", "scripts/airways"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let target = root.path().join(folder);
        fs::create_dir_all(&target).expect("a folder");
        for entry in fs::read_dir(source).expect("a folder") {
            let entry = entry.expect("an entry");
            if entry.path().is_file() {
                fs::copy(entry.path(), target.join(entry.file_name())).expect("a copy");
            }
        }
    }
    let path = root.path().join(file);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains(from), "{file} has `{from}`");
    fs::write(&path, text.replacen(from, to, 1)).expect("written");
    let rules = root.path().join("rules/airways");
    (root, rules)
}

/// `check` on a changed pack exits with 1 and says these things.
#[track_caller]
fn check_refuses(file: &str, from: &str, to: &str, expected: &[&str]) {
    let (_root, rules) = changed(file, from, to);
    let (code, out, err) = output(&["check", &rules.to_string_lossy()]);
    assert_eq!(code, 1, "{out}{err}");
    for text in expected {
        assert!(err.contains(text), "`{text}` in:\n{err}");
    }
}

#[test]
fn the_map_has_the_printed_numbers() {
    for from in ["Whitehorse", "whitehorse", "WHITEHORSE"] {
        let found = output(&["map", "airways", "--from", from, "--format", "tsv"]);
        assert_eq!(found, (0, NUMBERS.to_owned(), String::new()));
    }
}

#[test]
fn the_map_tells_routes_and_draws_itself() {
    let (code, text, _) = output(&["map", "airways", "--from", "Whitehorse"]);
    assert_eq!(code, 0);
    let route = "Inuvik             10  → Cinnamon Strip 1 → Dawson City 3 → Taco Bar 3 → Inuvik 3";
    assert!(text.contains(route), "{text}");
    let (code, svg, _) = output(&["map", "airways", "--format", "svg"]);
    assert_eq!(code, 0);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("prefers-color-scheme: dark") && svg.contains(">Old Crow<"));
}

/// A scenario cannot show it: it would not begin.
#[test]
fn one_player_and_five_are_refused_with_the_reason() {
    let folder = TempDir::new().expect("a folder");
    let scenario = folder.path().join("t.toml");
    let scenario_path = scenario.to_str().expect("UTF-8");
    for (pack, title) in [("airways", "Yukon Airways"), ("salon", "Yukon Salon")] {
        for players in ["1", "5"] {
            let text =
                format!("format = 1\ntitle = \"t\"\npack = \"{pack}\"\nplayers = {players}\n");
            fs::write(&scenario, text).expect("a file");
            let reason = format!("{title} is for 2 to 4 players, not {players}");
            for args in [
                &["repl", pack, "--players", players] as &[&str],
                &["sim", pack, "--games", "1", "--players", players],
                &["test", scenario_path],
            ] {
                let (code, out, err) = output(args);
                assert_eq!(code, 1, "{args:?}: {out}{err}");
                assert!(
                    format!("{out}{err}").contains(&reason),
                    "{args:?}: {out}{err}"
                );
            }
        }
    }
}

#[test]
fn what_is_not_there_is_an_error_with_the_near_name() {
    let (code, out, err) = output(&["map", "airways", "--from", "Inuvick"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("did you mean `Inuvik`?"), "{err}");
    let (code, _, err) = output(&["show", "airway"]);
    assert_eq!(code, 1);
    assert!(err.contains("did you mean `airways`?"), "{err}");
    let (code, _, err) = output(&["show", "airways", "dial.feul"]);
    assert_eq!(code, 1);
    assert!(err.contains("did you mean `dial.fuel`?"), "{err}");
    let (code, _, err) = output(&["sim", "airways", "--bots", "clever"]);
    assert_eq!(code, 1);
    assert!(err.contains("the bots are: random"), "{err}");
    assert_eq!(output(&["fly"]).0, 2);
    assert_eq!(output(&["--help"]).0, 0);
}

#[test]
fn variants_and_parameters_are_chosen_or_refused() {
    let (code, told, _) = output(&["show", "airways", "rounds", "--variant", "short-week"]);
    assert_eq!(code, 0);
    assert!(
        told.contains("rounds = 4") && told.contains("variants/short-week.toml:8"),
        "{told}"
    );
    let (code, _, err) = output(&["sim", "airways", "--variant", "short-weak"]);
    assert_eq!(code, 1);
    assert!(
        err.starts_with("error[Y0180]: ") && err.contains("did you mean `short-week`?"),
        "{err}"
    );
    let (code, _, err) = output(&["sim", "airways", "--set", "rounds=0"]);
    assert_eq!(
        (code, err.as_str()),
        (
            1,
            "error[Y0188]: `--set rounds=0`: `rounds` cannot be 0: it must be at least 1\n"
        )
    );
}

#[test]
fn every_value_of_the_merged_rules_tells_where_it_comes_from() {
    let args = [
        "show",
        "airways",
        "parameter.rounds",
        "--resolved",
        "--variant",
        "short-week",
        "--set",
        "rounds=5",
    ];
    let (code, told, _) = output(&args[..6]);
    assert_eq!(code, 0);
    let rules = "rules/airways";
    for line in [
        format!("value = 4  # {rules}/variants/short-week.toml:8, variant short-week"),
        format!("least = 1  # {rules}/parameters.toml:8, printed"),
        "# 3 values: 1 printed, 2 house rule".to_owned(),
    ] {
        assert!(told.lines().any(|found| found == line), "{line}\n{told}");
    }
    assert!(output(&args).1.contains("value = 5  # --set"));
    let args = [
        "show",
        "airways",
        "flights",
        "--resolved",
        "--format",
        "json",
    ];
    let found: serde_json::Value = serde_json::from_str(&output(&args).1).expect("JSON");
    let origins = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|value| &value["provenance"]);
    assert!(origins.clone().count() == 4 && origins.clone().all(|origin| origin == "inferred"));
}

/// The line at which a text stands in a file, as origins tell it.
fn line_of(path: &str, text: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let content = std::fs::read_to_string(root.join(path)).expect("the file is there");
    let at = content.lines().position(|line| line.contains(text));
    format!("{path}:{}", at.expect("the text is there") + 1)
}

#[test]
fn a_list_of_which_a_variant_changes_a_part_tells_both_places() {
    let variants = "rules/airways/variants";
    let show = |item: &str, variant: &str| {
        let args = [
            "show",
            "airways",
            item,
            "--variant",
            variant,
            "--resolved",
            "--format",
            "json",
        ];
        let text = output(&[&args[..6]].concat()).1;
        let json = output(&args).1;
        (
            text,
            serde_json::from_str::<serde_json::Value>(&json).expect("JSON"),
        )
    };
    let (text, json) = show("flow.week.do", "fuel-auction");
    let base = line_of("rules/airways/flow.toml", "do = [\"boarding\"");
    let change = line_of(&format!("{variants}/fuel-auction.toml"), "insert");
    assert!(
        text.contains(&format!(
            "  # {base}, changed by variant fuel-auction at {change}, which added \"auction\""
        )),
        "{text}"
    );
    assert!(text.contains("# 1 value: 1 house rule\n"), "{text}");
    assert_eq!(json[0]["place"], base);
    assert_eq!(json[0]["changed"][0]["place"], change);
    assert_eq!(json[0]["changed"][0]["variant"], "fuel-auction");
    assert_eq!(json[0]["added"], serde_json::json!(["\"auction\""]));
    let (text, json) = show("dial.fuel.faces", "big-tank");
    let change = line_of(&format!("{variants}/big-tank.toml"), "faces");
    assert_eq!(json[0]["added"], serde_json::json!(["8", "9"]));
    assert_eq!(
        text.matches(&change).count(),
        1,
        "one line is told once: {text}"
    );
    // A list that no variant touches keeps its origin.
    let (text, _) = show("flow.week.do", "big-tank");
    assert!(text.contains(&format!("  # {base}, printed\n")), "{text}");
}

#[test]
fn sealed_bids_are_not_told_before_all_have_bid() {
    let args = [
        "repl",
        "airways",
        "--variant",
        "fuel-auction",
        "--players",
        "3",
        "--seed",
        "1",
        "--bots",
        "human,random,random",
    ];
    let (_, told, _) = piped(&args, "quit\n");
    let bids: Vec<&str> = told
        .lines()
        .filter(|line| line.contains(": How many dollars for the fuel?"))
        .collect();
    // Both bots bid before Yellow.
    assert_eq!(bids.len(), 2, "{told}");
    assert!(bids.iter().all(|bid| bid.ends_with("(sealed)")), "{bids:?}");
    let (_, told, _) = piped(&args, "0\nquit\n");
    assert!(
        told.contains("Yellow: How many dollars for the fuel? 0"),
        "{told}"
    );
    assert!(told.contains("Bid"), "{told}");
}

#[test]
fn a_right_pack_is_right() {
    let (code, told, complaints) = output(&["check", "airways"]);
    assert_eq!((code, complaints.as_str()), (0, ""));
    let mut lines = told.lines();
    assert_eq!(lines.next(), Some("airways: no problems"));
    // Its variants are looked at as well, each alone.
    for line in lines {
        assert!(
            line.starts_with("airways with ") && line.ends_with(": no problems"),
            "{line}"
        );
    }
    assert!(told.contains("airways with short-week: no problems\n"));
    let found = output(&["check", "airways", "--format", "json", "--deny-warnings"]);
    assert_eq!(found, (0, "[]\n".to_owned(), String::new()));
    assert_eq!(output(&["check"]).0, 0);
}

#[test]
fn a_misspelt_key_is_found() {
    check_refuses(
        "rules/airways/dials.toml",
        "start = 4",
        "strat = 4",
        &["rules/airways/dials.toml:7:1", "did you mean `start`?"],
    );
}

#[test]
fn a_misspelt_id_in_a_branch_that_is_not_taken_is_found() {
    check_refuses(
        "scripts/airways/scoring.rhai",
        "if each == 0 {",
        "if each == 0 && each == 1 { let x = colour::yelow; }\n    if each == 0 {",
        &["scripts/airways/scoring.rhai:18:41", "`colour::yellow`"],
    );
}

#[test]
fn a_wrong_number_of_arguments_is_found() {
    check_refuses(
        "scripts/airways/gates.rhai",
        "make_improvements(me);",
        "make_improvements(me, 1);",
        &["scripts/airways/gates.rhai:42:9", "make_improvements"],
    );
}

#[test]
fn a_wrong_view_is_found() {
    for (from, to, near) in [
        ("kind = \"map\"", "kind = \"mapp\"", "did you mean `map`?"),
        ("dial = \"fuel\"", "dial = \"feul\"", "did you mean `fuel`?"),
        ("rounds = ", "round = ", "did you mean `rounds`?"),
        (
            "short = \"{colour:1}\"",
            "short = \"{color:1}\"",
            "did you mean `colour`?",
        ),
        ("\"blanks\", ", "\"blanx\", ", "did you mean `blanks`?"),
    ] {
        let file = "rules/airways/view.toml";
        check_refuses(file, from, to, &["rules/airways/view.toml:", near]);
    }
}

#[test]
fn warnings_fail_only_if_asked_to() {
    let spare = "[parameter.spare]\nvalue = 1\ndoc = \"Nothing.\"\n\n[parameter.rounds]";
    let (_root, rules) = changed("rules/airways/parameters.toml", "[parameter.rounds]", spare);
    let rules = rules.to_string_lossy();
    let (code, out, err) = output(&["check", &rules]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        err.contains("warning[Y0353]: nothing uses parameter `spare`"),
        "{err}"
    );
    let (code, ..) = output(&["check", &rules, "--deny-warnings"]);
    assert_eq!(code, 1);
}

#[test]
fn problems_are_told_as_json_too() {
    let (_root, rules) = changed("rules/airways/dials.toml", "start = 4", "strat = 4");
    let (code, out, _) = output(&["check", &rules.to_string_lossy(), "--format", "json"]);
    assert_eq!(code, 1);
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let first = &found[0];
    assert_eq!(first["file"], "rules/airways/dials.toml");
    assert_eq!((&first["line"], &first["column"]), (&7.into(), &1.into()));
}

#[test]
fn parameters_can_be_set() {
    let (code, out, _) = output(&["show", "airways", "parameter.rounds", "--set", "rounds=2"]);
    assert_eq!(code, 0);
    assert!(out.contains("rounds = 2"), "{out}");
    for (change, says) in [
        ("ronds=2", "did you mean `rounds`?"),
        ("rounds=0", "at least 1"),
        ("gate_5_fuel=-1", "it must be at least 0"),
        ("gate_5_fuel=1000000001", "it must be from 0 to 1000000000"),
        ("rounds=many", "no whole number"),
        ("rounds", "expected PARAM=VALUE"),
    ] {
        let (code, out, err) = output(&["sim", "airways", "--games", "1", "--set", change]);
        assert_eq!((code, out.as_str()), (1, ""), "{change}");
        assert!(err.contains(says), "{change}: {err}");
    }
    let args = "sim airways --games 2 --set rounds=2 --format csv";
    let (code, out, _) = output(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("games,") && lines[1].starts_with("2,"),
        "{out}"
    );
    assert_eq!(lines[1].split(',').nth(5), Some("2"), "{out}");
}

#[test]
fn simulations_are_the_same_for_any_number_of_threads() {
    let digest = |threads: &str| {
        let args = [
            "sim",
            "airways",
            "--players",
            "3",
            "--games",
            "12",
            "--seed",
            "1",
            "--bots",
            "random",
            "--check-invariants",
            "--format",
            "json",
            "--threads",
            threads,
        ];
        let (code, out, err) = output(&args);
        assert_eq!((code, err.as_str()), (0, ""));
        let summary: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(summary["unfinished"], 0);
        assert_eq!(summary["violations"], 0);
        assert_eq!(
            (&summary["rounds_min"], &summary["rounds_max"]),
            (&6.into(), &6.into())
        );
        assert_eq!(summary["players"].as_array().map(Vec::len), Some(3));
        summary["digest"].clone()
    };
    assert_eq!(digest("1"), digest("3"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = yukon(&["show", "airways"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("yukon runs");
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::with_capacity(16, out)
            .read_line(&mut line)
            .expect("a line");
    }
    let (code, _, err) = told(&child.wait_with_output().expect("it ends"));
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(line, "The game\n");
}

#[test]
fn there_is_no_colour_in_a_pipe() {
    for args in [&["show", "airways"][..], &["check", "nothing"]] {
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
            let output = yukon(args).env(name, value).output().expect("yukon runs");
            let (_, out, err) = told(&output);
            assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'));
        }
    }
}

#[test]
fn a_whole_game_is_played_from_a_pipe() {
    for players in ["2", "3", "4"] {
        let (code, out, err) = piped(&["repl", "airways", "--players", players], "bot all\n");
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(
            out.contains("The game is over.") && out.contains("Total"),
            "{out}"
        );
    }
}

#[test]
fn the_same_lines_give_the_same_bytes() {
    let lines =
        "board\ngate_3\nundo\n1\nlog\nstate\nbot 40\noptions\nboard --all\nscores\nlog 30\n";
    let args = ["repl", "airways", "--players", "3", "--seed", "7"];
    let first = piped(&args, lines);
    assert_eq!(first.0, 0, "{}", first.2);
    assert!(!first.1.contains('\u{1b}'));
    assert_eq!(first, piped(&args, lines));
    let other = piped(&["repl", "airways", "--players", "3", "--seed", "8"], lines);
    assert_ne!(first.1, other.1);
}

#[test]
fn a_failed_command_fails_the_pipe_and_changes_nothing() {
    let args = ["repl", "airways", "--players", "2", "--seed", "1"];
    let (code, out, err) = piped(&args, "gate_9\nundoo\n9\nquit\n");
    assert_eq!(code, 1);
    assert!(
        err.contains("`gate_9` is not offered; did you mean"),
        "{err}"
    );
    assert!(err.contains("did you mean the command `undo`?"), "{err}");
    assert!(err.contains("numbered from 1 to 6"), "{err}");
    // Nothing was answered: the only question is the first.
    assert_eq!(out.matches("Which gate?").count(), 1, "{out}");
    assert_eq!(piped(&args, "# nothing\n\nquit\n").0, 0);
}

#[test]
fn ascii_and_width_are_kept_to() {
    for width in [60_usize, 80, 160] {
        let wide = width.to_string();
        let args = [
            "repl",
            "airways",
            "--players",
            "4",
            "--ascii",
            "--width",
            &wide,
        ];
        let (code, out, _) = piped(&args, "bot 60\nboard --all\noptions\nlog 30 --all\nhelp\n");
        assert_eq!(code, 0);
        assert!(out.is_ascii());
        let longest = out.lines().map(str::len).max();
        // The help is written for 100 columns.
        assert!(
            longest <= Some(width.max(100)),
            "{longest:?} in {width}:\n{out}"
        );
    }
}

#[test]
fn bots_play_for_the_others() {
    let args = [
        "repl",
        "airways",
        "--players",
        "3",
        "--bots",
        "human,random,random",
    ];
    let (code, out, err) = piped(&args, "1\nundo\nredo\n");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // Headings tell the round and the phase only, questions ask somebody as well.
    let rounds = out.lines().filter(|line| line.starts_with("Round"));
    let asked = rounds.filter(|line| line.contains('?'));
    assert!(asked.clone().count() > 2);
    assert!(asked.clone().all(|line| line.contains("· Yellow")), "{out}");
    let (code, _, err) = piped(&["repl", "airways", "--bots", "human,random,random"], "");
    assert_eq!(code, 1);
    assert!(err.contains("3 names for 2 players"), "{err}");
}

#[test]
fn nobody_sees_the_hands_of_others() {
    let lines = "bot 30\nboard\nstate hand\nlog 200\n";
    let args = ["repl", "airways", "--players", "2", "--seed", "3"];
    let (_, own, _) = piped(&args, lines);
    let (_, all, _) = piped(&args, &lines.replace("log 200", "log 200 --all"));
    let hidden = |text: &str| text.contains("ticket ×6: Draw deck → Hand");
    assert!(hidden(&own), "{own}");
    assert!(!hidden(&all), "{all}");
}

#[test]
fn a_refusal_is_told_with_its_numbers() {
    let lines = "bot 6\nwhy not Inuvik\nwhy not inuvk\n";
    let (code, out, err) = piped(&["repl", "airways", "--seed", "5"], lines);
    assert_eq!(code, 1, "{out}");
    let reason = "Inuvik: needs 10 fuel; tank 7, bonus 0, cards 0\n";
    assert!(out.contains(reason), "{out}");
    assert!(err.contains("did you mean `Inuvik`?"), "{err}");
    // Where the script says so, and the condition that decided.
    for part in [
        "    refused at scripts/airways/flight.rhai:",
        "        place = inuvik, cost = 10, me.fuel = 7, bonus = 0, cards = 0\n",
        "      cost > far  scripts/airways/flight.rhai:",
        "        cost = 10, far = 7\n",
    ] {
        assert!(out.contains(part), "`{part}` in\n{out}");
    }
}

#[test]
fn a_refusal_is_told_to_programs_too() {
    let args = ["repl", "airways", "--seed", "5"];
    let (code, out, err) = piped(&args, "bot 6\nwhy not Inuvik --json\n");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let at = out.find("[\n  {").expect("a list");
    let found: serde_json::Value = serde_json::from_str(&out[at..]).expect("JSON");
    assert_eq!(found[0]["choice"], "inuvik");
    assert_eq!(found[0]["reason"], "needs_fuel");
    let conditions = found[0]["conditions"].as_array().expect("a list");
    assert!(
        conditions
            .iter()
            .any(|it| it["text"] == "cost > far" && it["held"] == true),
        "{out}"
    );
}

#[test]
fn a_designer_looks_at_numbers_items_and_changes() {
    let args = ["repl", "airways", "--players", "3", "--seed", "1"];
    let lines = "why hand_limit of 2\nbot 1\ndiff\nstate player_1.fuel\neval as player_3: me.number\n\
                 log 1 for player_2\nview as all\nstate deck\n";
    let first = piped(&args, lines);
    let (code, out, err) = &first;
    assert_eq!((*code, err.as_str()), (0, ""), "{out}");
    for part in [
        "hand_limit of player_2 = ",
        "hand_size_dial: add ",
        "rules/airways/modifiers.toml:",
        "player_2.gate: nothing -> gate_",
        "player_1.fuel = ",
        "\n3\n",
        "Light blue: Which gate? Gate ",
    ] {
        assert!(out.contains(part), "`{part}` in\n{out}");
    }
    assert!(!out.contains("deck = [hidden"), "{out}");
    assert_eq!(piped(&args, lines), first);
    for (line, says) in [
        ("why hand_limt", "did you mean the parameter `hand_limit`"),
        ("state player_1.feul", "did you mean `player_1.fuel`?"),
        ("eval me.feul", "did you mean `fuel`?"),
        ("diff 5", "there is no decision 5"),
        ("view as Nobody", "there is no player `Nobody`"),
        ("log of boardin", "did you mean `boarding`?"),
    ] {
        let (code, _, err) = piped(&args, line);
        assert_eq!(code, 1, "{line}");
        assert!(err.contains(says), "{line}: {err}");
    }
}

#[test]
fn parameters_are_shown_with_all_that_changes_them() {
    let (code, out, _) = output(&["show", "airways", "dice_removed"]);
    assert_eq!(code, 0);
    assert!(out.contains("two_players: add 1 "), "{out}");
    assert!(out.contains("while players().len() == 2"), "{out}");
    let (code, out, _) = output(&["show", "airways", "dice_removed", "--format", "json"]);
    assert_eq!(code, 0);
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["base"], 0);
    assert_eq!(found["modifiers"][0]["modifier"], "two_players");
    assert_eq!(found["modifiers"][0]["when"], "players().len() == 2");
    let (code, out, _) = output(&["show", "airways", "--format", "json"]);
    assert_eq!(code, 0);
    let all: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert!(all.as_array().is_some_and(|all| all.contains(&found)));
    let (code, _, err) = output(&["show", "airways", "dice_removd", "--format", "json"]);
    assert_eq!(code, 1);
    assert!(err.contains("did you mean `dice_removed`?"), "{err}");
}

#[test]
fn a_seed_that_is_none_is_told_what_a_seed_is() {
    for args in [
        &["sim", "airways", "--seed", "abc"][..],
        &["repl", "airways", "--seed", "-1"],
        &["compare", "airways", "--seed", "1.5"],
    ] {
        let (code, _, err) = output(args);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("a seed is a whole number from 0"), "{err}");
    }
}

#[test]
fn variants_of_what_is_wrong_are_not_called_right() {
    let root = TempDir::new().expect("a folder");
    let folder = root.path().join("rules/toy");
    fs::create_dir_all(folder.join("variants")).expect("made");
    fs::write(folder.join("game.toml"), "[game\n").expect("written");
    let variant = "[variant]\ntitle = 'Odd'\nreason = 'Is it fun?'\n";
    fs::write(folder.join("variants/odd.toml"), variant).expect("written");
    let output = yukon(&["check", "toy"])
        .current_dir(root.path())
        .output()
        .expect("yukon runs");
    let (code, told, _) = told(&output);
    assert_eq!(code, 1);
    assert!(
        told.ends_with("\ntoy with odd: no problems besides those of the base game\n"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_rules_is_refused_and_not_waited_for() {
    let root = TempDir::new().expect("a folder");
    let folder = root.path().join("rules/toy");
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("game.toml"), "[game]\n").expect("written");
    let made = Command::new("mkfifo")
        .arg(folder.join("late.toml"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let output = yukon(&["check", "toy"])
        .current_dir(root.path())
        .output()
        .expect("yukon runs");
    let (code, _, err) = told(&output);
    assert_eq!(code, 1);
    assert!(err.contains("late.toml`: it is no regular file"), "{err}");
}
