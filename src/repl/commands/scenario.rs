//! Scenarios: playing an opened one, and recording what was played.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diag::{Report, Sources, Style, nearest, render};
use crate::repl::command::{Args, Info, no_candidates};
use crate::repl::commands::files::need_file;
use crate::repl::commands::history::elsewhere;
use crate::repl::commands::step::Cause;
use crate::repl::session::{Reply, Session};
use crate::repl::story::Mark;
use crate::scenario::model::Chance;
use crate::scenario::runner::against_golden;
use crate::scenario::{Kept, Luck, Seen, Sight, Telling, play, read};

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "next",
        arguments: "[N | end]",
        about: "do and check what the opened scenario says next",
        examples: &[
            ("next", "one entry of it"),
            ("next 3", "three entries"),
            ("next end", "the rest of it, and what holds at its end"),
        ],
        run: next,
        complete: no_candidates,
    },
    Info {
        name: "expected",
        arguments: "",
        about: "say what the opened scenario does and expects next",
        examples: &[("expected", "its next entry, with its line in the file")],
        run: |session, _| match session.story.opened {
            Some(_) => session.expected(),
            None => no_scenario(),
        },
        complete: no_candidates,
    },
    Info {
        name: "record",
        arguments: "[FILE [TITLE]] [--choices]",
        about: "write what was played as a scenario",
        examples: &[
            (
                "record",
                "only show it: the answers, what comes of them, and what `state` and `why not` showed",
            ),
            (
                "record cheap_day",
                "write `scenarios/PACK/cheap_day.toml`, or `cheap_day.toml` outside of a project",
            ),
            (
                "record a/b.toml Two moves in a day",
                "write `a/b.toml` with this title",
            ),
            (
                "record cheap_day --choices",
                "expect the choices of each decision too; else only its golden has them",
            ),
            (
                "record cheap_day --replace",
                "write over a file that is there already",
            ),
        ],
        run: record,
        complete: no_candidates,
    },
];

fn no_scenario() -> Reply {
    Reply::failed("no scenario is open: `yukon repl scenarios/PACK/NAME.toml` opens one")
}

/// What became of an entry.
enum Done {
    /// It was played.
    Entry,
    /// The end was checked: there is nothing more.
    End,
}

/// Plays entries, as far as no breakpoint stops them.
pub(super) fn next(session: &mut Session, args: &Args<'_>) -> Reply {
    let times = match args.words.first() {
        Some(&("end" | "all")) => usize::MAX,
        _ => match args.number(1) {
            Ok(times) => times,
            Err(error) => return Reply::failed(error),
        },
    };
    play_entries(session, times, true)
}

/// Plays the next entry, whatever breakpoints there are.
pub(super) fn next_now(session: &mut Session) -> Reply {
    play_entries(session, 1, false)
}

fn play_entries(session: &mut Session, times: usize, stopping: bool) -> Reply {
    let mut failures = Vec::new();
    let mut ended = false;
    for _ in 0..times {
        let stop = session.entry_answer().filter(|_| stopping);
        let stop = stop.and_then(|answer| session.stopped_by_break(Cause::Entry(answer)));
        if let Some(stop) = stop {
            return Reply {
                text: format!("{}{}", session.news(), stop.text),
                error: (!failures.is_empty()).then(|| failures.join("\n")),
                quit: false,
            };
        }
        match session.play_entry(&mut failures) {
            Ok(Done::Entry) => {}
            Ok(Done::End) => {
                ended = true;
                break;
            }
            Err(reply) if failures.is_empty() => return *reply,
            Err(reply) => {
                failures.extend(reply.error);
                break;
            }
        }
    }
    let mut text = session.news();
    if !ended {
        text.push_str(&session.question(false));
        text.push_str(&session.outlook());
    } else if failures.is_empty() {
        text.push_str("The scenario has come to its end, and all that it expects holds.\n");
        match session.golden_at_end() {
            Ok(told) => text.push_str(&told),
            Err(differs) => failures.push(differs),
        }
    }
    Reply {
        text,
        error: (!failures.is_empty()).then(|| failures.join("\n")),
        quit: false,
    }
}

impl Session {
    /// Plays the opened scenario's next entry; what does not hold is added to the failures.
    fn play_entry(&mut self, failures: &mut Vec<String>) -> Result<Done, Box<Reply>> {
        if self.story.opened.is_none() {
            return Err(Box::new(no_scenario()));
        }
        let Some(at) = self.entry() else {
            return Err(Box::new(Reply::failed(
                "this is not the scenario's way any more: `undo` and `goto` lead back to it",
            )));
        };
        let Some(opened) = &mut self.story.opened else {
            return Err(Box::new(no_scenario()));
        };
        opened.course.next = opened.marks[at].next;
        let end = at >= opened.scenario.plays.len();
        let played = match end {
            true => {
                opened.course.end(&mut self.game);
                true
            }
            false => opened.course.entry(&mut self.game, at),
        };
        let sources = &opened.sources;
        let found = opened.course.failures.drain(..).map(|failure| {
            let place = sources.place(failure.span);
            format!("{place}: {}\n{}", failure.message, failure.detail)
        });
        failures.extend(found.map(|text| text.trim_end().to_owned()));
        if !played {
            let what =
                "the scenario cannot go on from here: answer otherwise, or take back what led here";
            return Err(Box::new(Reply::failed(format!(
                "{}\n{what}",
                std::mem::take(failures).join("\n")
            ))));
        }
        if end {
            return Ok(Done::End);
        }
        let mark = Mark::of(&self.game, opened.course.next);
        opened.marks.truncate(at + 1);
        opened.marks.push(mark);
        Ok(Done::Entry)
    }

    /// What the opened scenario expects next; at its end, whether its golden is the same too.
    fn expected(&self) -> Reply {
        let mut text = self.outlook().trim_start().to_owned();
        let plays = self
            .story
            .opened
            .as_ref()
            .map(|opened| opened.scenario.plays.len());
        if self.entry().is_some() && self.entry() == plays {
            text.push_str(&match self.golden_at_end() {
                Ok(told) => told,
                Err(differs) => format!("{differs}\n"),
            });
        }
        Reply::ok(text)
    }

    /// How the opened scenario stands to its golden, at its end; empty if there is no scenario.
    ///
    /// # Errors
    /// Says where it differs, for which `yukon test` fails too.
    fn golden_at_end(&self) -> Result<String, String> {
        let Some(opened) = &self.story.opened else {
            return Ok(String::new());
        };
        let (name, title) = (opened.name(), &opened.scenario.title);
        let differs = against_golden(&opened.path, &name, title, &self.game)?;
        match differs {
            None => Ok("The golden is the same.\n".to_owned()),
            Some(differs) if differs.wanted.is_none() => Ok(format!(
                "There is no golden yet: `yukon test {name} --bless` shows and writes it.\n"
            )),
            Some(differs) => Err(format!(
                "{}\n`yukon test {name}` shows all of it, `--bless` accepts it",
                differs.brief().join("\n")
            )),
        }
    }

    /// Plays the opened scenario up to a decision, as prompts number them.
    ///
    /// # Errors
    /// Says what did not hold, that it does not go so far, or that nobody chooses there.
    pub fn go_to_decision(&mut self, number: usize) -> Result<(), String> {
        let mut failures = Vec::new();
        while self.game.history.len() + 1 < number {
            match self.play_entry(&mut failures) {
                Ok(Done::Entry) => {}
                Ok(Done::End) => {
                    let last = self.game.history.len() + 1;
                    failures.push(format!(
                        "the scenario does not come to decision {number}: its last is {last}"
                    ));
                    break;
                }
                Err(reply) => {
                    failures.extend(reply.error);
                    break;
                }
            }
        }
        self.told = self.game.history.len();
        let come_to = self.told + 1;
        if come_to > number {
            let answered = number.checked_sub(1).map(|at| &*self.game.history[at]);
            failures.push(elsewhere(number, answered, come_to));
        }
        match failures.is_empty() {
            true => Ok(()),
            false => Err(failures.join("\n")),
        }
    }

    /// The session as a scenario; it was tried, and holds. It expects the choices that were shown only where that is
    /// wanted: each change of what is offered would break it.
    ///
    /// # Errors
    /// Says why it does not hold.
    fn as_scenario(&self, title: &str, choices: bool) -> Result<String, String> {
        let mut sights = self.story.sights.clone();
        sights.retain(|sight| choices || sight.seen != Seen::Choices);
        let chance = match &self.story.opened {
            Some(opened) => opened.course.dealt(),
            None => Chance::default(),
        };
        // A game that was loaded may have had other luck than its seed's.
        let mut trouble = String::new();
        for luck in [Luck::Seed(&chance), Luck::Happened] {
            let text = self.written(title, luck, &sights)?;
            match self.holds(&text) {
                Ok(()) => return Ok(text),
                Err(failures) if trouble.is_empty() => trouble = failures,
                Err(_) => {}
            }
        }
        Err(format!("not recorded, because it would fail:\n{trouble}"))
    }

    fn written(&self, title: &str, luck: Luck<'_>, sights: &[Sight]) -> Result<String, String> {
        let telling = Telling {
            game: &self.game,
            title,
            luck,
            sights,
        };
        let Some(opened) = &self.story.opened else {
            return Ok(telling.scenario());
        };
        let passed = opened
            .marks
            .iter()
            .rposition(|mark| self.game.came_by(mark.answers, mark.changes, mark.digest));
        match passed.map(|at| (at, opened.marks[at])) {
            Some((entries, mark)) => telling.after(Kept {
                text: &opened.text,
                entries,
                all: entries == opened.scenario.plays.len(),
                answers: mark.answers,
                changes: mark.changes,
            }),
            None => Ok(telling.scenario()),
        }
    }

    /// Plays a text as a scenario: it must come to the same state, with all that it expects.
    fn holds(&self, text: &str) -> Result<(), String> {
        let mut sources = Sources::new();
        let mut report = Report::new();
        let base = match &self.story.opened {
            Some(opened) => Arc::clone(&opened.scenario.rules),
            None => Arc::clone(&self.game.rules),
        };
        let name = "recorded.toml";
        let scenario = read(
            name,
            text.as_bytes(),
            &mut sources,
            &mut report,
            &mut |_, _| Ok(Arc::clone(&base)),
        );
        let Some(scenario) = scenario else {
            return Err(render(&report, &sources, Style::PLAIN));
        };
        let played = play(&Arc::new(scenario));
        let failures: Vec<String> = played
            .failures
            .iter()
            .map(|failure| format!("{}: {}", sources.place(failure.span), failure.message))
            .collect();
        match played.game {
            _ if !failures.is_empty() => Err(failures.join("\n")),
            Some(game) if game.state == self.game.state => Ok(()),
            _ => Err("it comes to another end than the session".to_owned()),
        }
    }
}

/// What `record` can be told besides a file and a title.
const FLAGS: [&str; 2] = ["--replace", "--choices"];

fn record(session: &mut Session, args: &Args<'_>) -> Reply {
    let [replace, choices] = FLAGS.map(|flag| args.words.contains(&flag));
    let words = args.words.iter().copied();
    let (flags, words): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with("--"));
    if let Some(flag) = flags.into_iter().find(|flag| !FLAGS.contains(flag)) {
        return Reply::failed(match nearest(flag, FLAGS) {
            Some(near) => format!("`record` has no `{flag}`; did you mean `{near}`?"),
            None => format!("`record` has no `{flag}`: it has {}", FLAGS.join(" and ")),
        });
    }
    let Some((file, title)) = words.split_first() else {
        return match session.as_scenario("What it shows", choices) {
            Ok(text) => Reply::ok(text),
            Err(error) => Reply::failed(error),
        };
    };
    let instead = "`record` alone shows the scenario, `record cheap_day` writes it";
    if let Err(error) = need_file("record", file, instead) {
        return Reply::failed(error);
    }
    let path = place_of(file, &session.game.rules.pack.id);
    let before = Head::of(&path);
    let title = match title {
        [] => before.title.clone().unwrap_or_else(|| title_of(&path)),
        words => words.join(" "),
    };
    let own = |path: &PathBuf| {
        session.story.recorded.contains(path)
            || session
                .story
                .opened
                .as_ref()
                .is_some_and(|opened| same_file(&opened.path, path))
    };
    if path.exists() && !replace && !own(&path) {
        return Reply::failed(format!(
            "{} is there already: `record {file} --replace` writes over it",
            path.display()
        ));
    }
    let text = match session.as_scenario(&title, choices) {
        Ok(text) => before.over(text),
        Err(error) => return Reply::failed(error),
    };
    if let Err(error) = std::fs::write(&path, text) {
        return Reply::failed(format!("cannot write {}: {error}", path.display()));
    }
    let shown = path.display().to_string();
    if !session.story.recorded.contains(&path) {
        session.story.recorded.push(path);
    }
    Reply::ok(format!(
        "recorded {shown}\n`yukon test {shown} --bless` runs it, shows its golden and asks whether to accept it\n{}",
        session.outdated_note()
    ))
}

/// What people wrote about a scenario in its file: it stays when the file is recorded anew.
#[derive(Debug, Default)]
struct Head {
    /// The comments at its top, with their ends of lines.
    comments: String,
    title: Option<String>,
    /// What it covers, as it is written.
    clauses: Option<String>,
}

impl Head {
    /// That of a file; nothing where there is none, or it cannot be read.
    fn of(path: &Path) -> Self {
        let Some(document) = std::fs::read_to_string(path)
            .ok()
            .and_then(|text| text.parse::<toml_edit::DocumentMut>().ok())
        else {
            return Self::default();
        };
        let first = document.as_table().iter().next().map(|(name, _)| name);
        let comments = first
            .and_then(|name| document.as_table().key(name))
            .and_then(|key| key.leaf_decor().prefix()?.as_str())
            .unwrap_or_default();
        let clauses = document.get("clauses").and_then(toml_edit::Item::as_array);
        Self {
            comments: comments.trim_start().to_owned(),
            title: document
                .get("title")
                .and_then(toml_edit::Item::as_str)
                .map(str::to_owned),
            clauses: clauses
                .filter(|clauses| !clauses.is_empty())
                .map(|clauses| clauses.to_string().trim().to_owned()),
        }
    }

    /// A scenario with what stood in the file before; of what it has itself nothing is changed.
    fn over(&self, text: String) -> String {
        let text = match &self.clauses {
            Some(clauses) => {
                text.replacen("\nclauses = []\n", &format!("\nclauses = {clauses}\n"), 1)
            }
            None => text,
        };
        match text.starts_with('#') {
            true => text,
            false => format!("{}{text}", self.comments),
        }
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Where a scenario is written: a bare name means one among the project's.
fn place_of(file: &str, pack: &str) -> PathBuf {
    if file.contains(['/', '\\']) || file.ends_with(".toml") {
        return PathBuf::from(file);
    }
    let file = format!("{file}.toml");
    let mut up = PathBuf::new();
    // Relative, so that it can be shown: as many folders up as there are.
    let depth = std::env::current_dir().map_or(0, |here| here.ancestors().count());
    for _ in 0..depth {
        let folder = up.join("scenarios").join(pack);
        if folder.is_dir() {
            return folder.join(file);
        }
        up.push("..");
    }
    PathBuf::from(file)
}

/// A title from the name of a file.
fn title_of(path: &Path) -> String {
    let name = path.file_stem().map_or_else(String::new, |stem| {
        stem.to_string_lossy().replace(['_', '-'], " ")
    });
    let mut letters = name.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "A game".to_owned(),
    }
}
