//! Rules that are edited under a running game: the REPL in a pipe, in a folder of its own with a pack that the
//! tests change between two lines.

mod culprits;
mod gates;
#[path = "../kit/mod.rs"]
mod kit;
mod places;
mod reload;
mod stepping;
mod undone;

use std::fs;
use std::io::{BufRead, BufReader, PipeReader, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use kit::program;
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

    /// Puts a file or a folder elsewhere.
    fn moves(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).expect("moved");
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
        let mut command = program();
        command
            .current_dir(self.folder.path())
            .env("XDG_STATE_HOME", self.path("state"));
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

/// What follows the first complaint in a pipe.
const HELP: &str = "`help` explains the commands, `options` the answers\n";

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
            // From a pipe complaints name their line, the first of them what explains more.
            let (number, rest) = line.split_once(": ").unwrap_or_default();
            let numbered = number
                .strip_prefix("line ")
                .is_some_and(|number| number.parse::<usize>().is_ok());
            match numbered {
                true => said.push_str(rest),
                false if line == HELP => {}
                false => said.push_str(&line),
            }
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
