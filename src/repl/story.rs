//! What a session was shown, so that it can be recorded, and the scenario that it was opened with.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diag::{Report, Sources, count};
use crate::flow::{Game, Item};
use crate::scenario::golden::refusal;
use crate::scenario::model::{About, Act, Expectation, Wanted};
use crate::scenario::{Course, NoRules, Scenario, Seen, Sight, read};
use crate::script::Rules;
use crate::table::Event;
use crate::table::view::View as Eyes;

use super::answer;
use super::board::View;
use super::load::Source;
use super::session::{Actor, Session};
use super::text::Look;

/// What was shown, and the scenario that was opened.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// What was shown, in order.
    pub(super) sights: Vec<Sight>,
    /// The scenario that the session began with.
    pub(super) opened: Option<Opened>,
    /// The scenario that goes on in the game that was begun, if one does.
    pub(super) reopened: Option<Opened>,
    /// Files that this session has written: they may be written again.
    pub(super) recorded: Vec<PathBuf>,
}

impl Story {
    /// Another game has begun: what was shown of the one before says nothing about it.
    pub(super) fn leave(&mut self) {
        self.sights.clear();
        self.opened = self.reopened.take();
    }
}

/// An opened scenario.
#[derive(Debug)]
pub(super) struct Opened {
    /// Its file.
    pub(super) path: PathBuf,
    /// Its text.
    pub(super) text: String,
    /// Where its places are.
    pub(super) sources: Sources,
    pub(super) scenario: Arc<Scenario>,
    pub(super) course: Course,
    /// Where the game stood before each entry, as far as it came.
    pub(super) marks: Vec<Mark>,
    /// What was cut off its file under the game, if something was.
    pub(super) cut: Option<Box<Cut>>,
}

/// The end of a scenario whose file has become shorter: the game has come by it, should it be there again.
#[derive(Debug)]
pub(super) struct Cut {
    /// The file as it was.
    pub(super) text: String,
    /// The marks that follow those of the shorter one.
    pub(super) marks: Vec<Mark>,
    /// How many marks that one has.
    pub(super) after: usize,
}

impl Cut {
    /// Those of its marks that follow some, which may have come to hold the first of them again.
    pub(super) fn following(&self, marks: &[Mark]) -> Option<&[Mark]> {
        let again = marks.get(self.after..)?;
        let same =
            |(one, other): (&Mark, &Mark)| Mark { next: 0, ..*one } == Mark { next: 0, ..*other };
        let rest = self.marks.get(again.len()..)?;
        again.iter().zip(&self.marks).all(same).then_some(rest)
    }
}

impl Opened {
    /// How its file is called.
    pub(super) fn name(&self) -> String {
        self.sources.get(self.scenario.end.file).name.clone()
    }
}

/// Where a game stood between two entries of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) answers: usize,
    pub(super) changes: usize,
    pub(super) digest: u64,
    /// The first forced answer that no entry has given.
    pub(super) next: usize,
}

impl Mark {
    pub(super) fn of(game: &Game, next: usize) -> Self {
        Self {
            answers: game.history.len(),
            changes: game.interventions.len(),
            digest: game.state.digest(),
            next,
        }
    }
}

/// A scenario to be opened, with its file.
#[derive(Debug)]
pub struct Opening {
    /// Its file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Where its places are.
    pub sources: Sources,
    /// What it says.
    pub scenario: Arc<Scenario>,
}

impl Opening {
    /// Reads a scenario. Its rules come from what is given the name of its pack and its variants.
    ///
    /// # Errors
    /// What is wrong with it, with the texts that this points into.
    pub fn read(
        path: PathBuf,
        name: &str,
        bytes: &[u8],
        mut rules: impl FnMut(&str, &[String]) -> Result<Arc<Rules>, NoRules>,
    ) -> Result<Self, (Report, Sources)> {
        let (mut sources, mut report) = (Sources::new(), Report::new());
        match read(name, bytes, &mut sources, &mut report, &mut rules) {
            Some(scenario) => Ok(Self {
                path,
                text: String::from_utf8_lossy(bytes).into_owned(),
                sources,
                scenario: Arc::new(scenario),
            }),
            None => {
                report.sort();
                Err((report, sources))
            }
        }
    }

    pub(super) fn opened(self, course: Course, marks: Vec<Mark>) -> Opened {
        Opened {
            path: self.path,
            text: self.text,
            sources: self.sources,
            scenario: self.scenario,
            course,
            marks,
            cut: None,
        }
    }
}

/// What did not hold in a scenario, with its places; it is told once.
pub(super) fn failures(course: &mut Course, sources: &Sources) -> String {
    let failures = course.failures.drain(..).map(|failure| {
        let place = sources.place(failure.span);
        format!("{place}: {}\n{}", failure.message, failure.detail)
    });
    failures.collect()
}

impl Session {
    /// Opens a scenario at its start.
    ///
    /// # Errors
    /// Says with its place why it cannot begin.
    pub fn open(opening: Opening, view: View, source: Source, look: Look) -> Result<Self, String> {
        let (mut course, game) = Course::begin(Arc::clone(&opening.scenario));
        let failures = failures(&mut course, &opening.sources);
        let Some(game) = game.filter(|_| failures.is_empty()) else {
            return Err(failures);
        };
        let marks = vec![Mark::of(&game, course.next)];
        let actors = vec![Actor::Human; usize::from(game.setup.players)];
        let mut session = Self::of(game, view, source, actors, look);
        session.story.opened = Some(opening.opened(course, marks));
        Ok(session)
    }

    /// Which entry of the opened scenario comes next, unless the game has left it.
    pub(super) fn entry(&self) -> Option<usize> {
        let opened = self.story.opened.as_ref()?;
        let now = Mark::of(&self.game, 0);
        opened
            .marks
            .iter()
            .rposition(|mark| Mark { next: 0, ..*mark } == now)
    }

    /// What the opened scenario expects next, in words; empty if there is none.
    pub(super) fn outlook(&self) -> String {
        let Some(opened) = &self.story.opened else {
            return String::new();
        };
        let total = opened.scenario.plays.len();
        let Some(at) = self.entry() else {
            return "\nThis is not the scenario's way any more: `undo` and `goto` lead back to it.\n"
                .to_owned();
        };
        let Some(play) = opened.scenario.plays.get(at) else {
            let mut text = format!(
                "\nThe scenario ends here ({}); `next` checks what holds at its end:\n",
                opened.sources.place(opened.scenario.end)
            );
            text.push_str(&expectations(&opened.scenario.expect));
            return text;
        };
        let mut text = format!(
            "\nThe scenario's next, {} of {total} ({}):\n",
            at + 1,
            opened.sources.place(play.span)
        );
        match &play.act {
            Act::Answer(asked, answer) => text.push_str(&format!("  {asked} = {answer}\n")),
            Act::Look(asked) => text.push_str(&format!("  asked    {asked}\n")),
            Act::Set(settings) => {
                for (setting, _) in settings {
                    text.push_str(&format!(
                        "  set      {} = {}\n",
                        setting.item, setting.value
                    ));
                }
            }
            Act::Nothing => {}
        }
        for about in &play.about {
            text.push_str(&match about {
                About::Offered {
                    key, count: None, ..
                } => format!("  offered  {key}\n"),
                About::Offered {
                    key,
                    count: Some(times),
                    ..
                } => format!("  offered  {key} ({})\n", count(*times, "time")),
                About::NotOffered { key, .. } => format!("  not      {key}\n"),
                About::Choices { keys, .. } => format!("  choices  {}\n", keys.join(", ")),
                About::Refused { key, reason, .. } => format!("  refused  {key}: {reason}\n"),
                About::Hint { key, text, .. } => format!("  hint     {key}: {text}\n"),
                About::Rejected { answer, .. } => format!("  rejected {answer}\n"),
            });
        }
        text.push_str(&expectations(&play.expect));
        text
    }

    /// An answer that the scenario would have given too is its next.
    pub(super) fn follow_scenario(&mut self) {
        if self.entry().is_some() {
            return;
        }
        let game = &self.game;
        let Some(opened) = &mut self.story.opened else {
            return;
        };
        let Some(mark) = opened.marks.last() else {
            return;
        };
        let given = &game.history[mark.answers.min(game.history.len())..];
        let mut answers = given.iter().filter(|step| !step.forced);
        let (Some(step), None) = (answers.next(), answers.next()) else {
            return;
        };
        let at = opened.marks.len() - 1;
        let Some(play) = opened.scenario.plays.get(at) else {
            return;
        };
        let Act::Answer(asked, answer) = &play.act else {
            return;
        };
        let same = asked.decision == step.decision.key
            && asked.player == step.decision.player
            && mark.changes == game.interventions.len()
            && step
                .decision
                .read(answer)
                .is_ok_and(|read| step.decision.write(&read) == step.decision.write(&step.answer));
        if same {
            opened.marks.push(Mark::of(game, mark.answers + 1));
        }
    }

    fn see(&mut self, seen: Seen) {
        let sight = Sight::of(&self.game, seen);
        if !self.story.sights.contains(&sight) {
            self.story.sights.push(sight);
        }
    }

    /// The pending question was shown with its choices.
    pub(super) fn see_question(&mut self) {
        if !self.game.is_over() {
            self.see(Seen::Choices);
        }
    }

    /// A command has shown what it shows.
    pub(super) fn see_command(&mut self, name: &str, rest: &str) {
        match name {
            "state" => self.see_items(rest),
            "why" => {
                if let Some(choice) = rest.strip_prefix("not ") {
                    self.see_refusal(choice.trim());
                }
            }
            _ => {}
        }
    }

    /// Items that are named by their paths, or by words of these.
    fn see_items(&mut self, rest: &str) {
        let everything = rest.split_whitespace().any(|word| word == "--all");
        let words: Vec<&str> = rest
            .split_whitespace()
            .filter(|word| *word != "--all")
            .collect();
        let words: Vec<String> = self
            .words_meant(&words)
            .iter()
            .map(|word| word.to_lowercase())
            .collect();
        if words.is_empty() {
            return;
        }
        let rules = Arc::clone(&self.game.rules);
        let layout = rules.layout();
        let viewer = match everything {
            true => crate::table::view::Viewer::All,
            false => self.viewer(),
        };
        let mut seen = Vec::new();
        {
            let table = &self.game.state.table;
            let eyes = Eyes::new(layout, table, viewer);
            for item in Item::all(layout) {
                let path = item.path(layout, table);
                let parts: Vec<&str> = path.split(['.', '[', ']']).collect();
                let named = words
                    .iter()
                    .all(|word| *word == path || parts.contains(&word.as_str()));
                if !named {
                    continue;
                }
                seen.extend(match item {
                    Item::Zone(zone) if !table_has(&self.game, zone) => None,
                    Item::Zone(zone) => {
                        let open = table.lying(zone).all(|piece| eyes.can_see(piece));
                        Some(match open && eyes.can_look_into(zone) {
                            true => Seen::Item(path),
                            false => Seen::Count(path),
                        })
                    }
                    Item::Counter(counter, at) => {
                        eyes.counter(counter, at).map(|_| Seen::Item(path))
                    }
                    Item::Dial(dial, at) => eyes.dial(dial, at).map(|_| Seen::Item(path)),
                    Item::Toggle(toggle, at) => eyes.toggle(toggle, at).map(|_| Seen::Item(path)),
                    Item::Face(_) | Item::Place(_) => None,
                });
            }
        }
        for seen in seen {
            self.see(seen);
        }
    }

    /// The refusals of a choice that is named by its key or its label, or by a part of these.
    fn see_refusal(&mut self, choice: &str) {
        let rules = Arc::clone(&self.game.rules);
        let wanted = answer::bare(choice);
        let refused: Vec<(String, String)> = self
            .game
            .notices
            .iter()
            .filter_map(|event| {
                let (key, _) = refusal(&rules, &self.game.state, event)?;
                let Event::Refused { parts, .. } = event else {
                    return None;
                };
                let labels: Vec<String> = parts
                    .iter()
                    .map(|part| answer::bare(&rules.layout().title(*part)))
                    .collect();
                Some((key, labels.join(" ")))
            })
            .collect();
        let tests: [&dyn Fn(&str) -> bool; 3] = [
            &|name| name == wanted,
            &|name| name.starts_with(&wanted),
            &|name| name.contains(&wanted),
        ];
        for test in tests {
            let found: Vec<String> = refused
                .iter()
                .filter(|(key, label)| test(key) || test(label))
                .map(|(key, _)| key.clone())
                .collect();
            if !found.is_empty() {
                for key in found {
                    self.see(Seen::Refused(key));
                }
                return;
            }
        }
    }
}

/// Whether a zone can hold anything at this table: those of players who do not play cannot.
fn table_has(game: &Game, zone: crate::table::ids::ZoneId) -> bool {
    let path = Item::Zone(zone).path(game.rules.layout(), &game.state.table);
    Item::parse(game.rules.layout(), &game.state.table, &path).is_ok()
}

fn expectations(expectations: &[Expectation]) -> String {
    expectations
        .iter()
        .map(|expectation| match &expectation.what {
            Wanted::Item(setting) => format!("  expect   {} = {}\n", setting.item, setting.value),
            Wanted::Sees(sight) => format!("  expect   {sight}\n"),
            Wanted::Asked(asked) => format!("  expect   {asked} is asked\n"),
            Wanted::NotAsked { asked, ever: true } => {
                format!("  expect   {asked} was never asked\n")
            }
            Wanted::NotAsked { asked, ever: false } => {
                format!("  expect   {asked} is not asked\n")
            }
            Wanted::Over(true) => "  expect   the game is over\n".to_owned(),
            Wanted::Over(false) => "  expect   the game is not over\n".to_owned(),
            Wanted::Scores(scores) => format!("  expect   the scores are {scores:?}\n"),
            Wanted::Winner(winner) => format!("  expect   the winner is {winner:?}\n"),
        })
        .collect()
}
