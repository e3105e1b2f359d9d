//! `yukon test`, as a shell and a person at a terminal see it.

mod kit;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kit::program;
use tempfile::TempDir;

const RULES: &str = "[game]
title = 'Toy'
players = [1, 2]
flow = 'main'
[flow.main]
do = ['work']
[choice.leave]
[choice.stay]
[decision.what]
prompt = 'What?'
[counter.coins]
per = ['player']
start = 2
[score.coins]
points = 'me.coins'
";

const SCRIPT: &str = "fn work() {
    let me = players()[0];
    while choose(decision::what, me, [choice::leave, choice::stay]) == choice::stay {
        me.coins += 1;
    }
}
";

const STAY: &str = "format = 1
title = \"Who stays gets a coin\"
pack = \"toy\"
players = 1

[[play]]
player_1.what = \"stay\"
expect = { \"player_1.coins\" = 3 }

[expect]
asked = \"player_1.what\"
";

const STAY_GOLDEN: &str = "Who stays gets a coin
toy, 1 player

== before the first round

player_1.what  (work)
  offered  leave, stay
  answer   stay
  changed  player_1.coins 2 -> 3

player_1.what  (work)
  offered  leave, stay
  open     not answered
";

const LEAVE: &str = "format = 1
title = \"Who leaves ends the game\"
pack = \"toy\"
players = 1
play = [{ player_1.what = \"leave\" }]
expect = { over = true }
";

const LEAVE_GOLDEN: &str = "Who leaves ends the game
toy, 1 player

== before the first round

player_1.what  (work)
  offered  leave, stay
  answer   leave

== the end
player_1  place 1, total 2: coins 2
";

/// A project with a pack and two scenarios that pass.
struct Project {
    root: TempDir,
}

impl Project {
    fn new() -> Self {
        let root = TempDir::new().expect("a folder");
        let project = Self { root };
        project.write("rules/toy/toy.toml", RULES);
        project.write("scripts/toy/toy.rhai", SCRIPT);
        project.write("scenarios/toy/stay.toml", STAY);
        project.write("scenarios/toy/stay.golden", STAY_GOLDEN);
        project.write("scenarios/toy/leave.toml", LEAVE);
        project.write("scenarios/toy/leave.golden", LEAVE_GOLDEN);
        project
    }

    fn path(&self, file: &str) -> PathBuf {
        self.root.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).expect("a file")
    }

    fn remove(&self, file: &str) {
        fs::remove_file(self.path(file)).expect("removed");
    }

    fn command(&self, folder: &str, args: &[&str]) -> Command {
        let mut command = program();
        command
            .arg("test")
            .args(args)
            .current_dir(self.path(folder));
        command
    }

    /// Exit status, standard output without the times, standard error.
    fn run_in(&self, folder: &str, args: &[&str]) -> (i32, String, String) {
        let output = self.command(folder, args).output().expect("yukon runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.code().unwrap_or(-1),
            without_times(&text(output.stdout)),
            text(output.stderr),
        )
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        self.run_in("", args)
    }
}

/// Lines with `N ms` in the place of the times.
fn without_times(text: &str) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [word, time, "ms", name] if time.parse::<u64>().is_ok() => {
                format!("{word} N ms {name}\n")
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

const BOTH: &str = "ok N ms scenarios/toy/leave.toml
ok N ms scenarios/toy/stay.toml
2 passed, 0 failed
";

#[test]
fn a_line_a_file_with_its_time_and_the_counts_last() {
    let project = Project::new();
    assert_eq!(project.run(&[]), (0, BOTH.to_owned(), String::new()));
}

#[test]
fn it_works_from_any_folder_of_the_project() {
    let project = Project::new();
    project.write("notes/deep/er.txt", "");
    for folder in [
        "notes/deep",
        "rules/toy",
        "scripts",
        "scenarios",
        "scenarios/toy",
    ] {
        assert_eq!(
            project.run_in(folder, &[]),
            (0, BOTH.to_owned(), String::new())
        );
    }
    let one = "ok N ms scenarios/toy/stay.toml\n1 passed, 0 failed\n";
    for (folder, path) in [
        ("", "scenarios/toy/stay.toml"),
        ("", "./scenarios/toy/../toy/stay.toml"),
        ("", "scenarios/toy/stay.golden"),
        ("notes/deep", "scenarios/toy/stay.toml"),
        ("notes/deep", "../../scenarios/toy/stay.toml"),
        ("notes", "toy/stay.toml"),
        ("scenarios/toy", "stay.toml"),
    ] {
        assert_eq!(
            project.run_in(folder, &[path]),
            (0, one.to_owned(), String::new()),
            "{path} in {folder}"
        );
    }
    for path in ["scenarios", "toy", ".", "scenarios/toy/"] {
        assert_eq!(project.run(&[path]).1, BOTH, "{path}");
    }
    // A scenario means the pack of its own project, from wherever it is run.
    let elsewhere = TempDir::new().expect("a folder");
    let absolute = project.path("scenarios/toy/stay.toml");
    let mut command = project.command("", &[&absolute.to_string_lossy()]);
    let output = command
        .current_dir(elsewhere.path())
        .output()
        .expect("yukon runs");
    assert!(output.status.success(), "{output:?}");
    let output = project
        .command("", &[])
        .current_dir(elsewhere.path())
        .output()
        .expect("yukon runs");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: there is no folder `scenarios` here or above: go into a project, or name a scenario\n"
    );
}

#[test]
fn they_are_listed_and_filtered() {
    let project = Project::new();
    let listed = "scenarios/toy/leave.toml\nscenarios/toy/stay.toml\n";
    assert_eq!(
        project.run(&["--list"]),
        (0, listed.to_owned(), String::new())
    );
    assert_eq!(
        project.run(&["--list", "--filter", "sta"]),
        (0, "scenarios/toy/stay.toml\n".to_owned(), String::new())
    );
    let (code, out, err) = project.run(&["--filter", "leave"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with("1 passed, 0 failed\n"), "{out}");
    let (code, out, err) = project.run(&["--filter", "fly"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("no scenario has `fly` in its path"), "{err}");
    let (code, _, err) = project.run(&["toy/fly.toml"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("there is no scenario or folder `toy/fly.toml`"),
        "{err}"
    );
    assert_eq!(project.run(&["--yes"]).0, 2);
    assert_eq!(project.run(&["--list", "--bless"]).0, 2);
}

#[test]
fn goldens_and_scenarios_come_in_pairs() {
    let project = Project::new();
    project.remove("scenarios/toy/stay.golden");
    project.write("scenarios/toy/lost.golden", LEAVE_GOLDEN);
    let (code, out, err) = project.run(&[]);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "ok N ms scenarios/toy/leave.toml
FAILED N ms scenarios/toy/lost.golden
FAILED N ms scenarios/toy/stay.toml
1 passed, 2 failed
"
    );
    assert_eq!(
        err,
        "FAILED scenarios/toy/lost.golden
  scenarios/toy/lost.golden: there is no scenario `scenarios/toy/lost.toml` for this golden; write it, or delete the golden
FAILED scenarios/toy/stay.toml
  there is no golden yet: `--bless` shows and writes it

all that is different: `yukon test SCENARIO` of one, `yukon test --full` of all
"
    );
}

#[test]
fn a_golden_that_differs_is_told_as_a_diff() {
    let project = Project::new();
    project.write(
        "scenarios/toy/stay.golden",
        &STAY_GOLDEN.replace("2 -> 3", "2 -> 4"),
    );
    let (code, out, err) = project.run(&["toy/stay.toml"]);
    assert_eq!(code, 1);
    assert!(out.ends_with("0 passed, 1 failed\n"), "{out}");
    assert_eq!(
        err,
        "FAILED scenarios/toy/stay.toml
its golden differs at decision 1, `player_1.what` (before the first round):
  `player_1.coins` goes 2 -> 3, not 2 -> 4

--- scenarios/toy/stay.golden
+++ scenarios/toy/stay.golden (found)
@@ -6,7 +6,7 @@
 player_1.what  (work)
   offered  leave, stay
   answer   stay
-  changed  player_1.coins 2 -> 4
+  changed  player_1.coins 2 -> 3
 
 player_1.what  (work)
   offered  leave, stay

"
    );
}

#[test]
fn of_several_that_fail_the_first_difference_of_each_is_told() {
    let project = Project::new();
    // A coin more for who stays: an expectation and the golden.
    project.write("scripts/toy/toy.rhai", &SCRIPT.replace("+= 1", "+= 2"));
    project.write(
        "scenarios/toy/leave.golden",
        &LEAVE_GOLDEN.replace("offered  leave, stay", "offered  leave"),
    );
    let end = "\nall that is different: `yukon test SCENARIO` of one, `yukon test --full` of all\n";
    let (code, out, err) = project.run(&[]);
    assert_eq!(code, 1);
    assert!(out.ends_with("\n0 passed, 2 failed\n"), "{out}");
    assert_eq!(
        err,
        format!(
            "FAILED scenarios/toy/leave.toml
  its golden differs at decision 1, `player_1.what` (before the first round):
    now offered: stay
FAILED scenarios/toy/stay.toml
  its golden differs at decision 1, `player_1.what` (before the first round):
    `player_1.coins` goes 2 -> 4, not 2 -> 3
  scenarios/toy/stay.toml:8:12: `player_1.coins` is 4, not 3
{end}"
        )
    );
    for args in [&["--full"][..], &["--diff"]] {
        let (_, _, err) = project.run(args);
        assert!(
            err.contains(
                "\n-  changed  player_1.coins 2 -> 3\n+  changed  player_1.coins 2 -> 4\n"
            ) && !err.contains(end),
            "{err}"
        );
    }
    // One alone is told in full.
    let (_, _, err) = project.run(&["stay"]);
    assert!(
        err.contains("\n+  changed  player_1.coins 2 -> 4\n"),
        "{err}"
    );
    assert!(!err.contains(end), "{err}");
}

#[test]
fn a_scenario_is_found_by_its_name_or_a_part_of_it() {
    let project = Project::new();
    let long = STAY.replace("Who stays", "Who still stays");
    project.write("scenarios/toy/deep/stay_long.toml", &long);
    let golden = STAY_GOLDEN.replace("Who stays", "Who still stays");
    project.write("scenarios/toy/deep/stay_long.golden", &golden);
    let listed = |name: &str| project.run_in("rules", &["--list", name]).1;
    // A whole name is that scenario, part of one all that have it.
    assert_eq!(listed("stay"), "scenarios/toy/stay.toml\n");
    assert_eq!(listed("long"), "scenarios/toy/deep/stay_long.toml\n");
    assert_eq!(
        listed("sta"),
        "scenarios/toy/deep/stay_long.toml\nscenarios/toy/stay.toml\n"
    );
    let (code, out, err) = project.run(&["stay_logn"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("did you mean `stay_long`?"), "{err}");
}

#[test]
fn line_endings_do_not_matter() {
    let project = Project::new();
    for (file, text) in [
        ("scenarios/toy/stay.toml", STAY),
        ("scenarios/toy/stay.golden", STAY_GOLDEN),
        ("rules/toy/toy.toml", RULES),
        ("scripts/toy/toy.rhai", SCRIPT),
    ] {
        project.write(file, &text.replace('\n', "\r\n"));
    }
    assert_eq!(project.run(&[]), (0, BOTH.to_owned(), String::new()));
}

#[test]
fn what_cannot_be_read_is_told_with_excerpts() {
    let project = Project::new();
    project.write(
        "scenarios/toy/stay.toml",
        &STAY
            .replace("player_1.what", "player_1.waht")
            .replace("players = 1", "players = 1\ncolour = 3"),
    );
    let (code, out, err) = project.run(&["toy/stay.toml"]);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "FAILED N ms scenarios/toy/stay.toml\n0 passed, 1 failed\n"
    );
    assert_eq!(
        err,
        "FAILED scenarios/toy/stay.toml
error[Y0106]: a scenario has no key `colour`
 --> scenarios/toy/stay.toml:5:1
  |
5 | colour = 3
  | ^^^^^^ unknown key
  |
  = help: its keys are `chance`, `clauses`, `expect`, `format`, `pack`, `parameters`, `play`, `players`, `seed`, `set_up`, `start`, `table`, `title` and `variants`

error[Y0501]: there is no decision `waht`
 --> scenarios/toy/stay.toml:8:1
  |
8 | player_1.waht = \"stay\"
  | ^^^^^^^^
  |
  = help: did you mean `what`?

error[Y0501]: there is no decision `waht`
  --> scenarios/toy/stay.toml:12:9
   |
12 | asked = \"player_1.waht\"
   |         ^^^^^^^^^^^^^^^
   |
   = help: did you mean `what`?

"
    );
    project.write("scenarios/toy/stay.toml", "title = \n");
    assert!(
        project
            .run(&["toy/stay.toml"])
            .2
            .contains("scenarios/toy/stay.toml:1:9")
    );
    project.write(
        "scenarios/toy/stay.toml",
        &STAY.replace("\"toy\"", "\"tou\""),
    );
    let err = project.run(&["toy/stay.toml"]).2;
    assert!(
        err.contains("there is no pack `tou`") && err.contains("stay.toml:3:8"),
        "{err}"
    );
}

#[test]
fn junit_has_the_counts_the_names_and_what_failed() {
    let project = Project::new();
    project.write(
        "scenarios/toy/deep/stay.toml",
        &STAY.replace("= 3 }", "= 4 }"),
    );
    project.write("scenarios/toy/deep/stay.golden", STAY_GOLDEN);
    project.write("scenarios/toy/lost.golden", "a <golden> & \u{1b}[1m more\n");
    project.write(
        "scenarios/toy/stay.golden",
        &STAY_GOLDEN.replace("answer", "<answer> & \u{1}"),
    );
    let (code, out, _) = project.run(&["--junit", "results.xml"]);
    assert_eq!(code, 1);
    assert!(out.ends_with("1 passed, 3 failed\n"), "{out}");
    let text = project.read("results.xml");
    let xml = roxmltree::Document::parse(&text).expect("XML");
    let root = xml.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    assert_eq!(root.attribute("name"), Some("yukon"));
    let counts = |node: &roxmltree::Node<'_, '_>| {
        ["tests", "failures", "errors"].map(|name| {
            node.attribute(name)
                .and_then(|count| count.parse::<u32>().ok())
                .expect("a count")
        })
    };
    assert_eq!(counts(&root), [4, 3, 0]);
    let suites: Vec<_> = root
        .children()
        .filter(roxmltree::Node::is_element)
        .collect();
    let suite = |at: usize| (suites[at].attribute("name"), counts(&suites[at]));
    assert_eq!(suites.len(), 2);
    assert_eq!(suite(0), (Some("scenarios/toy"), [3, 2, 0]));
    assert_eq!(suite(1), (Some("scenarios/toy/deep"), [1, 1, 0]));
    let mut cases = Vec::new();
    for case in root
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
    {
        let seconds: f64 = case
            .attribute("time")
            .and_then(|time| time.parse().ok())
            .expect("a time");
        assert!((0.0..60.0).contains(&seconds));
        let failure = case.children().find(|node| node.has_tag_name("failure"));
        let message = failure.map(|node| node.attribute("message").expect("a message"));
        let told = failure.and_then(|node| node.text());
        cases.push((
            format!(
                "{}/{}",
                case.attribute("classname").expect("a class"),
                case.attribute("name").expect("a name")
            ),
            message.map(str::to_owned),
            told.map(str::to_owned),
        ));
    }
    assert_eq!(cases.len(), 4);
    assert_eq!(cases[0], ("scenarios/toy/leave".to_owned(), None, None));
    let lost = "scenarios/toy/lost.golden: there is no scenario `scenarios/toy/lost.toml` for this golden; write it, or delete the golden";
    assert_eq!(cases[1].0, "scenarios/toy/lost.golden");
    assert_eq!(cases[1].1.as_deref(), Some(lost));
    assert_eq!(cases[2].0, "scenarios/toy/stay");
    let diff = cases[2].2.as_deref().expect("a diff");
    // What XML cannot hold is left out, what it uses itself is kept.
    assert!(
        diff.contains("-  <answer> &    stay\n+  answer   stay\n"),
        "{diff}"
    );
    assert_eq!(cases[3].0, "scenarios/toy/deep/stay");
    assert_eq!(
        cases[3].1.as_deref(),
        Some("scenarios/toy/deep/stay.toml:8:12: `player_1.coins` is 3, not 4")
    );

    let (code, out, err) = project.run(&["toy/leave.toml", "--junit", "no/such/folder.xml"]);
    assert_eq!(code, 1);
    assert!(out.ends_with("1 passed, 0 failed\n"), "{out}");
    assert!(err.contains("cannot write `no/such/folder.xml`"), "{err}");
}

#[test]
fn all_goldens_are_blessed_with_yes() {
    let project = Project::new();
    project.remove("scenarios/toy/leave.golden");
    project.write("scenarios/toy/stay.golden", "old\n");
    let (code, out, err) = project.run(&["--bless", "--yes"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(
        out.contains("blessed scenarios/toy/leave.golden\n+++"),
        "{out}"
    );
    assert!(
        out.contains("\n-old\n+Who stays gets a coin\n"),
        "what is accepted is shown: {out}"
    );
    assert!(out.ends_with("\n2 passed, 0 failed\n"), "{out}");
    assert_eq!(project.read("scenarios/toy/leave.golden"), LEAVE_GOLDEN);
    assert_eq!(project.read("scenarios/toy/stay.golden"), STAY_GOLDEN);
    assert_eq!(project.run(&[]).1, BOTH);
}

#[test]
fn what_does_not_hold_is_not_blessed() {
    let project = Project::new();
    project.write(
        "scenarios/toy/stay.toml",
        &STAY.replace("\"stay\"", "\"run\""),
    );
    let (code, _, err) = project.run(&["--bless", "--yes", "stay"]);
    assert_eq!(code, 1);
    let first =
        "cannot bless scenarios/toy/stay.toml: line 7 answers what is not offered; mend it first\n";
    assert!(err.starts_with(first), "{err}");
    project.write("scenarios/toy/stay.toml", &STAY.replace("= 3 }", "= 4 }"));
    project.write("scenarios/toy/stay.golden", "old\n");
    project.write("scenarios/toy/lost.golden", "lost\n");
    let (code, out, err) = project.run(&["--bless", "--yes"]);
    assert_eq!(code, 1);
    assert!(!out.contains("blessed"), "{out}");
    assert!(out.ends_with("1 passed, 2 failed\n"), "{out}");
    assert!(err.contains("`player_1.coins` is 3, not 4"), "{err}");
    let second =
        "cannot bless scenarios/toy/stay.toml: what line 8 says does not hold; mend it first\n";
    assert!(err.contains(second), "{err}");
    assert_eq!(project.read("scenarios/toy/stay.golden"), "old\n");
    assert_eq!(project.read("scenarios/toy/lost.golden"), "lost\n");
}

#[test]
fn nothing_is_blessed_in_a_ci_or_unseen() {
    let project = Project::new();
    project.write("scenarios/toy/stay.golden", "old\n");
    for args in [&["--bless"][..], &["--bless", "--yes"]] {
        let output = project
            .command("", args)
            .env("CI", "true")
            .output()
            .expect("yukon runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            err.contains("goldens are not blessed where `CI` is set"),
            "{err}"
        );
    }
    let (code, out, err) = project.run(&["--bless"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("`--bless --yes` accepts all that differ"),
        "{err}"
    );
    assert_eq!(project.read("scenarios/toy/stay.golden"), "old\n");
}

#[test]
fn a_start_may_follow_a_set_up_that_asks() {
    let project = Project::new();
    project.write(
        "rules/toy/toy.toml",
        &RULES
            .replace("do = ['work']", "do = ['deal', 'rounds']\n[flow.rounds]\ndo = ['work']\nscope = 'round'")
            .replace("[counter.coins]", "[decision.gift]\nprompt = 'A gift?'\n[counter.gifts]\nper = ['player']\n[counter.coins]"),
    );
    project.write(
        "scripts/toy/toy.rhai",
        &format!(
            "fn deal() {{
    for player in players() {{
        if choose(decision::gift, player, [choice::leave, choice::stay]) == choice::stay {{ player.gifts += 1; }}
    }}
}}
{SCRIPT}"
        ),
    );
    let started = STAY
        .replace(
            "players = 1",
            "players = 2\nset_up = [{ player_2.gift = \"stay\" }, { player_1.gift = \"leave\" }]",
        )
        .replace("[[play]]", "[table]\n\"player_1.coins\" = 8\n\n[[play]]")
        .replace(
            "= 3 }",
            "= 9, \"player_1.gifts\" = 0, \"player_2.gifts\" = 1 }",
        );
    project.write("scenarios/toy/stay.toml", &started);
    project.remove("scenarios/toy/leave.toml");
    project.remove("scenarios/toy/leave.golden");
    let (code, out, err) = project.run(&["--bless", "--yes"]);
    assert_eq!(code, 0, "{out}{err}");
    // The set-up is not told.
    let golden = STAY_GOLDEN
        .replace("1 player\n", "2 players\n")
        .replace("before the first round", "round 1")
        .replace("2 -> 3", "8 -> 9");
    assert_eq!(project.read("scenarios/toy/stay.golden"), golden);
    // What is not given is answered by the seed; what is not asked is told.
    let open = started.replace("{ player_2.gift = \"stay\" }, ", "");
    project.write(
        "scenarios/toy/stay.toml",
        &open.replace(", \"player_2.gifts\" = 1", ""),
    );
    assert_eq!(project.run(&[]).0, 0, "{}", project.run(&[]).2);
    project.write(
        "scenarios/toy/stay.toml",
        &started.replace("player_2.gift = \"stay\"", "player_2.what = \"stay\""),
    );
    let err = project.run(&[]).2;
    assert!(
        err.contains("stay.toml:5:13: the set-up does not ask `player_2.what`"),
        "{err}"
    );
    project.write(
        "scenarios/toy/stay.toml",
        &started.replace("player_2.gift = \"stay\"", "player_2.gift = \"stray\""),
    );
    let err = project.run(&[]).2;
    assert!(
        err.contains("stay.toml:5:13: `player_2.gift`: `stray` is not offered"),
        "{err}"
    );
    project.write(
        "scenarios/toy/stay.toml",
        &STAY.replace(
            "players = 1",
            "players = 1\nset_up = [{ player_1.gift = \"stay\" }]",
        ),
    );
    let err = project.run(&[]).2;
    assert!(err.contains("there is no start after the set-up"), "{err}");
}

#[test]
fn a_scenario_names_its_variants() {
    let project = Project::new();
    project.write(
        "rules/toy/variants/rich.toml",
        "[variant]\ntitle = 'Rich'\nreason = 'Is more better?'\n[counter.coins]\nstart = 5\n",
    );
    let rich = STAY
        .replace("pack = \"toy\"", "pack = \"toy\"\nvariants = [\"rich\"]")
        .replace("= 3 }", "= 6 }");
    project.write("scenarios/toy/stay.toml", &rich);
    let (code, out, err) = project.run(&["toy/stay.toml", "--bless", "--yes"]);
    assert_eq!(code, 0, "{out}{err}");
    let golden = STAY_GOLDEN
        .replace("1 player\n", "1 player, variant rich\n")
        .replace("2 -> 3", "5 -> 6");
    assert_eq!(project.read("scenarios/toy/stay.golden"), golden);
    project.write(
        "scenarios/toy/stay.toml",
        &rich.replace("\"rich\"", "\"ritch\""),
    );
    let err = project.run(&["toy/stay.toml"]).2;
    assert!(
        err.contains("pack `toy` has no variant `ritch`; did you mean `rich`?")
            && err.contains("stay.toml:4:13"),
        "{err}"
    );
}

#[test]
fn a_closed_pipe_does_not_hide_a_failure() {
    let project = Project::new();
    project.write("scenarios/toy/stay.golden", "old\n");
    let mut child = project
        .command("", &[])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("yukon runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn the_repository_s_own_scenarios_are_found() {
    let output = program()
        .args(["test", "--list"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli"))
        .output()
        .expect("yukon runs");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        out.contains("scenarios/airways/whole_game_of_4.toml\n"),
        "{out}"
    );
}

#[cfg(unix)]
mod terminal {
    use std::time::Duration;

    use expectrl::process::unix::WaitStatus;
    use expectrl::{ControlCode, Eof, Expect, Session};

    use super::*;

    /// A terminal in which the command runs.
    struct Terminal(expectrl::session::OsSession);

    impl Terminal {
        fn open(project: &Project, args: &[&str]) -> Self {
            let mut command = project.command("", args);
            command.env("NO_COLOR", "1").env("TERM", "xterm");
            let mut session = Session::spawn(command).expect("yukon runs");
            session.set_expect_timeout(Some(Duration::from_secs(60)));
            Self(session)
        }

        /// What is shown up to a text.
        #[track_caller]
        fn until(&mut self, text: &str) -> String {
            let seen = self.0.expect(text).expect(text);
            String::from_utf8_lossy(seen.before()).replace("\r\n", "\n")
        }

        fn type_line(&mut self, line: &str) {
            self.0.send_line(line).expect("it is typed");
        }

        /// The rest that is shown, and the exit status.
        fn end(mut self) -> (String, i32) {
            let rest = self.0.expect(Eof).expect("it ends");
            let rest = String::from_utf8_lossy(rest.as_bytes()).replace("\r\n", "\n");
            let status = self.0.get_process().wait().expect("it ends");
            match status {
                WaitStatus::Exited(_, code) => (rest, code),
                other => panic!("{other:?}"),
            }
        }
    }

    /// A project with three goldens that differ, as they stand after it: `n` new, `o` old.
    fn project() -> Project {
        let project = Project::new();
        for name in ["a", "b", "c"] {
            project.write(&format!("scenarios/toy/{name}.toml"), LEAVE);
            project.write(&format!("scenarios/toy/{name}.golden"), "old\n");
        }
        project
    }

    fn blessed(project: &Project) -> String {
        ["a", "b", "c"]
            .map(
                |name| match project.read(&format!("scenarios/toy/{name}.golden")) {
                    text if text == "old\n" => 'o',
                    text if text == LEAVE_GOLDEN => 'n',
                    other => panic!("{other}"),
                },
            )
            .iter()
            .collect()
    }

    #[test]
    fn each_golden_is_shown_and_asked_about() {
        for (answers, expected, code) in [
            (&["y", "n", "yes"][..], "non", 1),
            (&["Y", "what", "a"], "nnn", 0),
            (&["n", "q"], "ooo", 1),
            (&["a"], "nnn", 0),
            (&["y", "q"], "noo", 1),
        ] {
            let project = project();
            let mut terminal = Terminal::open(&project, &["--bless"]);
            let shown = terminal.until("Accept it?");
            assert!(
                shown.contains("1 of 3: Who leaves ends the game\n--- scenarios/toy/a.golden"),
                "{shown}"
            );
            assert!(shown.contains("\n-old\n+Who leaves ends the game\n"));
            for (at, answer) in answers.iter().enumerate() {
                if at > 0 {
                    terminal.until("Accept it?");
                }
                terminal.type_line(answer);
            }
            let (rest, exit) = terminal.end();
            assert_eq!(exit, code, "{rest}");
            assert_eq!(blessed(&project), expected, "{answers:?}: {rest}");
            let failed = expected.matches('o').count();
            assert!(
                rest.trim_end()
                    .ends_with(&format!("{} passed, {failed} failed", 5 - failed)),
                "{rest}"
            );
        }
    }

    #[test]
    fn a_long_diff_is_cut_until_it_is_wanted() {
        let project = Project::new();
        project.write("scenarios/toy/leave.golden", &"old\n".repeat(80));
        let mut terminal = Terminal::open(&project, &["--bless", "toy/leave.toml"]);
        let short = terminal.until("Accept it?");
        assert!(short.contains("lines more\n"), "{short}");
        assert!(!short.contains("+== the end"), "{short}");
        terminal.type_line("d");
        let long = terminal.until("Accept it?");
        assert!(long.contains("+== the end"), "{long}");
        terminal.type_line("y");
        assert_eq!(terminal.end().1, 0);
        assert_eq!(project.read("scenarios/toy/leave.golden"), LEAVE_GOLDEN);
    }

    #[test]
    fn ctrl_c_at_the_question_leaves_the_rest_as_it_is() {
        let project = project();
        let mut terminal = Terminal::open(&project, &["--bless"]);
        terminal.until("Accept it?");
        terminal.type_line("y");
        terminal.until("2 of 3");
        terminal.until("Accept it?");
        terminal.0.send(ControlCode::EndOfText).expect("Ctrl-C");
        assert_eq!(terminal.end().1, 130);
        assert_eq!(blessed(&project), "noo");
    }

    #[test]
    fn progress_is_shown_on_a_terminal() {
        let project = Project::new();
        let (shown, code) = Terminal::open(&project, &[]).end();
        assert_eq!(code, 0);
        assert!(shown.contains(" of 2"), "{shown}");
        assert!(shown.trim_end().ends_with("2 passed, 0 failed"), "{shown}");
    }

    #[test]
    fn ctrl_c_stops_a_run() {
        let project = Project::new();
        // Enough to be at it for a while, each of them quick.
        let long = LEAVE.replace(
            "[{",
            &format!("[{}{{", "{ player_1.what = \"stay\" }, ".repeat(2000)),
        );
        for number in 0..400 {
            project.write(&format!("scenarios/toy/long_{number:03}.toml"), &long);
        }
        let mut terminal = Terminal::open(&project, &[]);
        terminal.until("long_001");
        terminal.0.send(ControlCode::EndOfText).expect("Ctrl-C");
        let (rest, code) = terminal.end();
        assert_eq!(code, 130, "{rest}");
        assert!(
            rest.contains("stopped: ") && rest.contains(" of 402 scenarios were run"),
            "{rest}"
        );
        assert!(rest.trim_end().ends_with("failed"), "{rest}");
    }
}
