//! Rules that are edited under a running game: the REPL in a pipe, in a folder of its own with a pack that the
//! tests change between two lines.

use std::fs;
use std::io::{BufRead, BufReader, PipeReader, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use tempfile::TempDir;

/// What the REPL is asked after each line, so that it is known where the reply ends.
const MARK: &str = "424242";

/// A project of its own, whose files can be changed.
struct Project {
    folder: TempDir,
}

impl Project {
    /// With one of the packs of the repository.
    fn with(pack: &str) -> Self {
        let project = Self {
            folder: TempDir::new().expect("a folder"),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["rules", "scripts"] {
            copy(&root.join(part).join(pack), &project.path(part).join(pack));
        }
        project
    }

    /// With a small pack.
    fn toy() -> Self {
        let project = Self {
            folder: TempDir::new().expect("a folder"),
        };
        project.write("rules/toy/game.toml", RULES);
        project.write("scripts/toy/toy.rhai", SCRIPT);
        project
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// Changes the only place of a file where something stands.
    fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).expect("read");
        assert_eq!(text.matches(from).count(), 1, "{from} in {file}");
        self.write(file, &text.replace(from, to));
    }

    fn yukon(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yukon"));
        command.current_dir(self.folder.path()).env("NO_COLOR", "1");
        command
    }

    /// What `yukon check` complains of.
    fn check(&self, pack: &str) -> String {
        let output = self
            .yukon()
            .args(["check", pack])
            .output()
            .expect("it runs");
        String::from_utf8(output.stderr).expect("UTF-8")
    }

    /// The REPL with some arguments, after its greeting.
    fn repl(&self, arguments: &[&str]) -> Repl {
        let (replies, writer) = pipe().expect("a pipe");
        let mut child = self
            .yukon()
            .arg("repl")
            .args(arguments)
            .stdin(Stdio::piped())
            .stderr(writer.try_clone().expect("a pipe"))
            .stdout(writer)
            .spawn()
            .expect("it starts");
        let mut repl = Repl {
            lines: child.stdin.take().expect("a pipe"),
            replies: BufReader::new(replies),
            child,
        };
        repl.types("# begun");
        repl
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("read") {
        let entry = entry.expect("read");
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => fs::copy(entry.path(), to).map(drop).expect("copied"),
        }
    }
}

/// A REPL that runs.
struct Repl {
    child: Child,
    lines: ChildStdin,
    replies: BufReader<PipeReader>,
}

impl Repl {
    /// Types a line; gives all that is said to it.
    fn types(&mut self, line: &str) -> String {
        writeln!(self.lines, "{line}\neval {MARK}").expect("it reads");
        let mut said = String::new();
        loop {
            let mut line = String::new();
            let read = self
                .replies
                .read_line(&mut line)
                .expect("it says something");
            assert!(read > 0, "it has ended after\n{said}");
            if line.trim_end() == MARK {
                return said;
            }
            said.push_str(&line);
        }
    }
}

impl Drop for Repl {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const RULES: &str = "
[game]
title = 'Toy'
players = [2, 2]
flow = 'main'

[flow.main]
do = ['work']

[parameter.limit]
doc = 'The most that can be taken at once.'
value = 5

[counter.coins]
per = ['player']
[counter.taken]

[decision.take]
prompt = 'How many?'
";

const SCRIPT: &str = "
fn work() {
    for round in 0..3 {
        for me in players() {
            take(me);
        }
    }
}

fn take(me) {
    let number = choose_number(decision::take, me, 1, value(parameter::limit));
    me.coins += number;
    table.taken += 1;
}
";

#[track_caller]
fn says(repl: &mut Repl, line: &str, expected: &str) {
    assert_eq!(repl.types(line).trim_end(), expected.trim_end(), "{line}");
}

#[test]
fn a_good_change_rebuilds_the_game_and_says_what_is_different() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "2", "3"] {
        repl.types(number);
    }
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\nnothing comes out differently",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += number * 2;",
    );
    // 1 and 3 for the first player, 2 for the second.
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  player_1.coins: 1 -> 2\n\
         and now:\n  player_1.coins: 4 -> 8\n  player_2.coins: 2 -> 4",
    );
    says(&mut repl, "eval players().first().coins", "8");
    // What is declared anew changes ids, not what came out.
    toy.edit(
        "rules/toy/game.toml",
        "[counter.coins]",
        "[counter.aaa]\n[counter.coins]",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "table.taken += 1;",
        "table.taken += 1; table.aaa += 1;",
    );
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\nnothing comes out differently",
    );
    says(&mut repl, "eval table.aaa", "3");
}

#[test]
fn another_range_of_an_answer_is_told_where_it_is_asked() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    repl.types("2");
    toy.edit("rules/toy/game.toml", "value = 5", "value = 7");
    let said = repl.types("reload");
    assert!(
        said.contains(
            "it comes out differently from decision 1 on:\n  from 1 to 5 -> from 1 to 7\n"
        ),
        "{said}"
    );
}

#[test]
fn an_answer_become_illegal_keeps_the_game_until_it_is_accepted() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "5", "3"] {
        repl.types(number);
    }
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    let said = repl.types("reload");
    assert!(
        said.starts_with(
            "with the files as they are now the game stops at decision 2: `take` of player 2: 5 is out of range: answer a number from 1 to 4\n"
        ),
        "{said}"
    );
    assert!(
        said.ends_with("it stays as it is; `reload accept` goes on there, with 1 of 3 answers\n"),
        "{said}"
    );
    says(&mut repl, "eval table.taken", "3");
    says(&mut repl, "eval value(parameter::limit)", "5");
    let said = repl.types("reload accept");
    assert!(
        said.starts_with("with the files as they are now: 1 answer given again\n"),
        "{said}"
    );
    says(&mut repl, "eval table.taken", "1");
    says(&mut repl, "eval value(parameter::limit)", "4");
    says(
        &mut repl,
        "reload accept",
        "nothing waits to be accepted: `reload` reads the rules again",
    );
}

#[test]
fn a_bad_change_is_told_as_by_check_and_changes_nothing() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    repl.types("4");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coinz += number;",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "for me in players()",
        "for me in payers()",
    );
    let said = repl.types("reload");
    let complaints = toy.check("toy");
    assert!(
        complaints.contains("coinz") && complaints.contains("payers"),
        "{complaints}"
    );
    assert_eq!(
        said,
        format!("{complaints}the game goes on by the rules as they were\n")
    );
    // It can still be played.
    repl.types("2");
    says(&mut repl, "eval table.taken", "2");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coinz += number;",
        "me.coins += number;",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "for me in payers()",
        "for me in players()",
    );
    let said = repl.types("reload");
    assert!(said.ends_with("nothing comes out differently\n"), "{said}");
}

#[test]
fn a_script_that_fails_now_stops_the_game_at_the_answer() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "2", "3"] {
        repl.types(number);
    }
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += 6 / (2 - number);",
    );
    let said = repl.types("reload");
    assert!(
        said.contains("the game stops at decision 2: `take` of player 2: division by zero\n"),
        "{said}"
    );
    says(&mut repl, "eval table.taken", "3");
}

#[test]
fn watched_files_are_read_before_the_next_line() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy", "--watch"]);
    repl.types("1");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += number + 10;",
    );
    let said = repl.types("eval players().first().coins");
    assert!(
        said.starts_with("with the files as they are now: 1 answer given again\n"),
        "{said}"
    );
    assert!(said.ends_with("\n11\n"), "{said}");
    // Once is enough.
    says(&mut repl, "eval players().first().coins", "11");
    // Without being asked to, nothing is read.
    let mut blind = toy.repl(&["toy"]);
    blind.types("1");
    toy.edit("scripts/toy/toy.rhai", "number + 10;", "number + 20;");
    says(&mut blind, "eval players().first().coins", "11");
}

#[test]
fn a_pack_of_the_program_has_no_files() {
    let empty = Project {
        folder: TempDir::new().expect("a folder"),
    };
    let mut repl = empty.repl(&["airways"]);
    says(
        &mut repl,
        "reload",
        "the pack is part of the program: there are no files to read again",
    );
    let output = empty
        .yukon()
        .args(["repl", "airways", "--watch"])
        .output()
        .expect("it runs");
    assert!(!output.status.success());
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        complaint.contains("there is nothing to watch"),
        "{complaint}"
    );
}

const STORY: &str = "
format = 1
title = 'Three takes'
pack = 'toy'
players = 2
seed = 1
[[play]]
player_1.take = 1
[[play]]
player_2.take = 2
[[play]]
player_1.take = 3
[expect]
asked = 'player_2.take'
'player_1.coins' = 4
";

#[test]
fn an_opened_scenario_goes_on_after_a_reload() {
    let toy = Project::toy();
    toy.write("scenarios/toy/three.toml", STORY);
    let mut repl = toy.repl(&["scenarios/toy/three.toml"]);
    repl.types("next 2");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += number * 2;",
    );
    toy.edit(
        "scenarios/toy/three.toml",
        "'player_1.coins' = 4",
        "'player_1.coins' = 8",
    );
    let said = repl.types("reload");
    assert!(
        said.contains("decision 2 on:\n  player_1.coins: 1 -> 2\n"),
        "{said}"
    );
    let said = repl.types("expected");
    assert!(
        said.starts_with("The scenario's next, 3 of 3 (scenarios/toy/three.toml:12:1)"),
        "{said}"
    );
    repl.types("next");
    let said = repl.types("next");
    assert_eq!(
        said,
        "The scenario has come to its end, and all that it expects holds.\n"
    );
    toy.edit(
        "scenarios/toy/three.toml",
        "player_2.take = 2",
        "player_2.tak = 2",
    );
    let said = repl.types("reload");
    assert!(
        said.contains("three.toml:10:1") && said.ends_with("as they were\n"),
        "{said}"
    );
}

#[test]
fn a_gate_is_edited_broken_and_mended_under_a_running_game() {
    let airways = Project::with("airways");
    let gates = "scripts/airways/gates.rhai";
    let mut repl = airways.repl(&["airways", "--players", "3", "--seed", "1"]);
    for line in ["gate 5", "done", "green"] {
        repl.types(line);
    }
    airways.edit(gates, "gate_5_fuel, me));", "gate_5_fuel, me) + 1);");
    // The tank holds 7, and the die added one: at the end it is full both ways.
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  player_2.fuel: 6 -> 7",
    );
    airways.edit(gates, "gate_5_fuel", "gate_5_feul");
    says(
        &mut repl,
        "reload",
        "error[Y0341]: `parameter` has no `gate_5_feul`\n  \
           --> scripts/airways/gates.rhai:22:35\n   |\n\
         22 |     advance(me, dial::fuel, value(parameter::gate_5_feul, me) + 1);\n   \
            |                                   ^^^^^^^^^^^^^^^^^^^^^^\n   |\n   \
            = help: did you mean `parameter::gate_5_fuel`?\n\
         the game goes on by the rules as they were",
    );
    airways.edit(gates, "gate_5_feul, me) + 1);", "gate_5_fuel, me));");
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  player_2.fuel: 7 -> 6",
    );
}
