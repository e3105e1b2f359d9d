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

/// Where a walk through the toy's `take` stands.
fn at_take(line: usize, source: &str, locals: &str) -> String {
    format!(
        "scripts/toy/toy.rhai:{line}:5  take < work < main\n{line} |     {source}\n   |     {}\n    {locals}",
        "^".repeat(source.len() - 1)
    )
}

#[test]
fn an_answer_is_stepped_through_forwards_and_back() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    let adds = at_take(12, "me.coins += number;", "me = player_1, number = 3");
    let counts = at_take(13, "table.taken += 1;", "me = player_1, number = 3");
    says(&mut repl, "into 3", &adds);
    says(
        &mut repl,
        "eval [me.coins, number, table.taken]",
        "[0, 3, 0]",
    );
    let there = format!("  player_1.coins: 0 -> 3\n{counts}");
    says(&mut repl, "over", &there);
    says(&mut repl, "eval me.coins", "3");
    says(&mut repl, "state player_1.coins", "player_1.coins = 3");
    says(
        &mut repl,
        "where",
        " 0 take(me = player_1)  scripts/toy/toy.rhai:13:5\n \
          1 work()  scripts/toy/toy.rhai:5:13\n \
          2 main  rules/toy/game.toml:8:8",
    );
    says(&mut repl, "locals", "me      player_1\nnumber  3");
    // The state is again as it was, as often as one likes.
    says(&mut repl, "back", &adds);
    says(&mut repl, "eval me.coins", "0");
    says(
        &mut repl,
        "back",
        "nothing ran before this: `leave` goes back to the decision",
    );
    says(&mut repl, "over", &there);
    says(
        &mut repl,
        "out",
        "  taken: 0 -> 1\n\
         scripts/toy/toy.rhai:4:9  work < main\n\
         4 |         for me in players() {\n  |         ^^^^^^^^^^^^^^^^^^^\n    round = 0, me = player_1",
    );
    let back_into = repl.types("back into");
    assert_eq!(back_into.trim_end(), counts);
    // An empty line is the last step again: one back.
    says(&mut repl, "", &adds);
    let said = repl.types("continue");
    assert!(
        said.contains("Player 1") && said.contains("Player 2"),
        "{said}"
    );
    says(&mut repl, "eval table.taken", "1");
    says(
        &mut repl,
        "over",
        "nothing is stepped through: `into ANSWER` begins",
    );
}

#[test]
fn what_is_left_was_not_answered() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    repl.types("into 3");
    repl.types("over");
    says(
        &mut repl,
        "undo",
        "`undo` is for decisions: `continue` goes on to the next, `leave` back to the last",
    );
    let said = repl.types("4");
    assert!(said.contains("answers are for decisions"), "{said}");
    says(&mut repl, "o", "`o` could be `over`, `out`");
    let said = repl.types("leave");
    assert!(said.contains("Player 1  How many? (1 to 5)"), "{said}");
    says(&mut repl, "eval table.taken", "0");
    says(
        &mut repl,
        "into 9",
        "9 is out of range: answer a number from 1 to 5",
    );
    // Past the last statement the answer is given.
    repl.types("into 3");
    repl.types("over 2");
    let said = repl.types("into 9");
    assert!(said.contains("Player 2  How many? (1 to 5)"), "{said}");
    says(&mut repl, "eval table.taken", "1");
}

#[test]
fn a_walk_goes_into_calls_and_shows_what_is_only_tried() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "    me.coins += number;",
        "    let rich = what_if(|| { pay(me, 9); me.coins }) + [1, 2].filter(|x| x > 1).len();\n    pay(me, number);",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn pay(me, coins) {\n    me.coins += coins;\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    let said = repl.types("into 1");
    assert!(
        said.starts_with("scripts/toy/toy.rhai:16:5  take"),
        "{said}"
    );
    // Inside of what is tried, statement by statement.
    let said = repl.types("into");
    assert!(
        said.contains("toy.rhai:16:29  take < work < main  (tried: the table is put back)"),
        "{said}"
    );
    let said = repl.types("into");
    assert!(said.contains("toy.rhai:11:5  pay < take < work"), "{said}");
    assert!(said.ends_with("me = player_1, coins = 9\n"), "{said}");
    let said = repl.types("into");
    assert!(said.starts_with("  player_1.coins: 0 -> 9\n"), "{said}");
    // Past all that the statement does, closures and calls.
    repl.types("leave");
    repl.types("into 1");
    let said = repl.types("over");
    assert!(
        said.starts_with("scripts/toy/toy.rhai:17:5  take"),
        "{said}"
    );
    says(&mut repl, "eval [rich, me.coins]", "[10, 0]");
    let said = repl.types("over");
    assert!(said.starts_with("  player_1.coins: 0 -> 1\n"), "{said}");
}

#[test]
fn answers_stop_at_breakpoints() {
    let toy = Project::toy();
    toy.edit("scripts/toy/toy.rhai", "table.taken += 1;", "mark_one();");
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn mark_one() {\n    table.taken += 1;\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    says(
        &mut repl,
        "break",
        "no breakpoints: `break FUNCTION` sets one",
    );
    says(
        &mut repl,
        "break mark_on",
        "there is no function `mark_on`; did you mean `mark_one`?",
    );
    says(
        &mut repl,
        "break parameter limits",
        "there is no parameter `limits`; did you mean `limit`?",
    );
    says(
        &mut repl,
        "break change coin",
        "there is no counter, zone, dial or toggle `coin`; did you mean `coins`?",
    );
    says(
        &mut repl,
        "break nowhere.rhai:3",
        "no statement is in `nowhere.rhai`",
    );
    says(&mut repl, "break mark_one", "breakpoint 1: mark_one");
    let said = repl.types("2");
    assert!(
        said.starts_with(
            "breakpoint 1: mark_one\n  player_1.coins: 0 -> 2\nscripts/toy/toy.rhai:11:5  mark_one < take"
        ),
        "{said}"
    );
    let said = repl.types("continue");
    assert!(said.contains("Player 2  How many?"), "{said}");
    repl.types("break clear");
    // Where it is read, though its value is built into the code: for the next question.
    says(
        &mut repl,
        "break parameter limit",
        "breakpoint 1: parameter limit",
    );
    let said = repl.types("1");
    assert!(
        said.starts_with("breakpoint 1: parameter limit\n") && said.contains("toy.rhai:15:5  take"),
        "{said}"
    );
    assert!(said.ends_with("    me = player_1\n"), "{said}");
    repl.types("continue");
    repl.types("break clear 1");
    // After the change.
    says(
        &mut repl,
        "break change taken",
        "breakpoint 1: change taken",
    );
    let said = repl.types("1");
    assert!(said.contains("  taken: 2 -> 3\n"), "{said}");
    repl.types("continue");
    repl.types("break clear");
    // A line without a statement means the next that has one; bots stop too.
    says(
        &mut repl,
        "break toy.rhai:14",
        "breakpoint 1: scripts/toy/toy.rhai:15",
    );
    let said = repl.types("bot all");
    assert!(
        said.contains("breakpoint 1: scripts/toy/toy.rhai:15\n"),
        "{said}"
    );
    repl.types("leave");
    // They stay when rules are read again.
    toy.edit("scripts/toy/toy.rhai", "fn mark_one() {", "fn mark_two() {");
    toy.edit("scripts/toy/toy.rhai", "    mark_one();", "    mark_two();");
    repl.types("break clear");
    repl.types("break mark_one");
    repl.types("reload");
    says(
        &mut repl,
        "break",
        "1 mark_one  (by these rules it stops nothing)",
    );
}

#[test]
fn a_failing_script_is_told_with_all_that_led_there() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += share(me, number);",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn share(me, number) {\n    12 / (7 - number - me.coins)\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    repl.types("2");
    repl.types("1");
    repl.types("set player_1.coins = 4");
    let said = repl.types("3");
    assert!(said.contains("error[Y0403]: division by zero"), "{said}");
    for part in [
        "`take` calls `share` here",
        "= help: in `share(player_1, 3)`, step work",
        "= help: after decision 3: player 1 answered `take` with `3`",
        "= help: the table was changed by hand at decision 3: player_1.coins = 4",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // The game is as before the answer, and goes on.
    says(&mut repl, "eval table.taken", "2");
    // What led there can be walked through, up to the statement that fails, and back.
    repl.types("into 3");
    let said = repl.types("into");
    assert!(said.contains("toy.rhai:11:5  share < take"), "{said}");
    let said = repl.types("into");
    assert!(said.contains("division by zero"), "{said}");
    assert!(
        said.ends_with("`back` looks at what led there, `leave` goes back to the decision\n"),
        "{said}"
    );
    says(&mut repl, "eval 7 - number - me.coins", "0");
    repl.types("back");
    let said = repl.types("continue");
    assert!(said.ends_with("the answer is not given\n"), "{said}");
    repl.types("2");
    says(&mut repl, "eval table.taken", "3");
}

#[test]
fn an_entry_of_a_scenario_is_stepped_through() {
    let toy = Project::toy();
    toy.write("scenarios/toy/three.toml", STORY);
    let mut repl = toy.repl(&["scenarios/toy/three.toml"]);
    says(
        &mut repl,
        "into",
        &at_take(12, "me.coins += number;", "me = player_1, number = 1"),
    );
    let said = repl.types("continue");
    assert!(said.contains("The scenario's next, 2 of 3"), "{said}");
    repl.types("next 2");
    let said = repl.types("into");
    assert_eq!(
        said,
        "The scenario has come to its end, and all that it expects holds.\n"
    );
}

/// A change of a gate that is not quite right: the property is misspelt.
const FREE: &str = "    advance(me, dial::fuel, value(parameter::gate_4_fuel, me));\n";
const PAID: &str = "    if me.mony > 0 {
        me.money -= 1;
        advance(me, dial::fuel, value(parameter::gate_4_fuel, me) + 1);
    }
";

#[test]
fn a_gate_is_rewritten_mended_and_stepped_through() {
    let airways = Project::with("airways");
    let gates = "scripts/airways/gates.rhai";
    let mut repl = airways.repl(&["airways", "--players", "3", "--seed", "1", "--width", "120"]);
    for line in ["gate 5", "done", "green"] {
        repl.types(line);
    }
    airways.edit(gates, FREE, PAID);
    says(
        &mut repl,
        "reload",
        "error[Y0312]: a player has no property `mony`\n  \
           --> scripts/airways/gates.rhai:17:11\n   |\n\
         17 |     if me.mony > 0 {\n   \
            |           ^^^^\n   |\n   \
            = help: did you mean `money`?\n\
         the game goes on by the rules as they were",
    );
    airways.edit(gates, "mony", "money");
    // Nobody has been at this gate yet.
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\nnothing comes out differently",
    );
    repl.types("break gate_adds_little_fuel");
    let here = "gate_adds_little_fuel < an effect in TOML < take_gate_action < boarding_turns";
    says(
        &mut repl,
        "gate 4",
        &format!(
            "breakpoint 1: gate_adds_little_fuel\n  \
               turn_track: [player_3.marker, player_1.marker] -> [player_1.marker]\n  \
               player_3.gate: nothing -> gate_4\n  \
               gate_4.markers: [] -> [player_3.marker]\n\
             scripts/airways/gates.rhai:17:5  {here}\n\
             17 |     if me.money > 0 {{\n   \
                |     ^^^^^^^^^^^^^^^\n    me = player_3"
        ),
    );
    says(
        &mut repl,
        "over",
        &format!(
            "scripts/airways/gates.rhai:18:9  {here}\n\
             18 |         me.money -= 1;\n   \
                |         ^^^^^^^^^^^^^\n    me = player_3"
        ),
    );
    // White has 2 dollars and 4 fuel, and gets one more than the parameter says.
    let said = repl.types("over");
    assert!(said.starts_with("  player_3.money: 2 -> 1\n"), "{said}");
    says(&mut repl, "eval value(parameter::gate_4_fuel, me)", "1");
    let said = repl.types("over");
    assert!(said.starts_with("  player_3.fuel: 4 -> 6\n"), "{said}");
    repl.types("back into");
    says(&mut repl, "eval [me.money, me.fuel]", "[1, 4]");
    let said = repl.types("continue");
    assert!(said.contains("White: Which gate? Gate 4\n"), "{said}");
    says(&mut repl, "eval [me.money, me.fuel]", "[1, 6]");
    // The same gate, free again: what came of it is told.
    airways.edit(gates, "        me.money -= 1;\n", "");
    let said = repl.types("reload");
    assert!(
        said.starts_with(
            "with the files as they are now: 4 answers given again\n\
             it comes out differently from decision 5 on:\n  player_3.money: 1 -> 2\n"
        ),
        "{said}"
    );
    // Taken back, it is as it was before.
    let said = repl.types("undo");
    assert!(
        said.starts_with("took back: with the files as they are now\n"),
        "{said}"
    );
    says(&mut repl, "eval me.money", "1");
}

#[test]
fn a_fault_names_how_a_scenario_arranged_the_table() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += 12 / (7 - number - me.coins);",
    );
    toy.edit(
        "rules/toy/game.toml",
        "do = ['work']",
        "do = ['day']\n[flow.day]\nscope = 'round'\ndo = ['work']",
    );
    let arranged = STORY.replace(
        "[[play]]\nplayer_1.take = 1\n",
        "[table]\n'player_1.coins' = 6\n[[play]]\nplayer_1.take = 1\n",
    );
    toy.write("scenarios/toy/three.toml", &arranged);
    let mut repl = toy.repl(&["scenarios/toy/three.toml"]);
    let said = repl.types("next");
    for part in [
        "error[Y0403]: division by zero",
        "= help: after decision 1: player 1 answered `take` with `1`",
        "= help: the table was arranged: player_1.coins = 6",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    says(&mut repl, "eval table.taken", "0");
}
