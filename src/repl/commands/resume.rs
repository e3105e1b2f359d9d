//! Games that were left, continued.

use std::sync::Arc;

use crate::diag::count;
use crate::flow::Record;
use crate::flow::rebuild::{Rebuilt, rebuild};
use crate::flow::record::{ReplayError, replay};
use crate::pack::Selection;
use crate::repl::again::{Grown, answers, grow};
use crate::repl::board::View;
use crate::repl::command::{Args, Candidates, Info};
use crate::repl::commands::rules::told;
use crate::repl::journal::{Saved, SavedWay, date};
use crate::repl::session::{Actor, Reply, Session};
use crate::script::Rules;
use crate::script::fault::describe_position;

pub(super) const COMMANDS: &[Info] = &[Info {
    name: "resume",
    arguments: "[N | list | accept]",
    about: "go on with a game that was left; the one at hand is left",
    examples: &[
        (
            "resume",
            "the one that was left, with all ways that were tried; of several the list",
        ),
        ("resume list", "those that were left, with their numbers"),
        ("resume 2", "that of this number; it stays the same"),
        (
            "resume accept",
            "go on as far as the rules of now let the game, where they have changed since",
        ),
    ],
    run: resume,
    complete: |_, text| Candidates::first(text, vec!["list".to_owned(), "accept".to_owned()]),
}];

/// A game that was left or lies in a file, played again by rules that have changed since; not begun yet.
#[derive(Debug)]
pub(in crate::repl) struct Changed {
    grown: Grown,
    view: View,
    actors: Vec<Actor>,
    /// Its number among those left, if it is one and nothing of it is lost: else what was left stays there.
    number: Option<usize>,
    /// Whether every way goes to its end.
    whole: bool,
    /// How many answers were given again.
    given: usize,
}

fn resume(session: &mut Session, args: &Args<'_>) -> Reply {
    if args.words == ["accept"] {
        return session.accept_changed();
    }
    let Some(journal) = &session.journal else {
        return Reply::failed("no journal is kept: start with `--journal on`");
    };
    let left = journal.left();
    let wanted = match args.words[..] {
        _ if left.is_empty() => {
            let told = format!("no game was left\n{}", session.broken_list());
            return Reply::failed(told.trim_end());
        }
        ["list"] => return Reply::ok(session.left_list()),
        [] if left.len() > 1 => {
            return Reply::failed(format!(
                "{} games were left; which one?\n{}",
                left.len(),
                session.left_list().trim_end()
            ));
        }
        [] => left[0].number,
        _ => match args.number(1) {
            Ok(number) => number,
            Err(error) => return Reply::failed(format!("{error}: `resume list` shows them")),
        },
    };
    let Some(left) = left.iter().find(|left| left.number == wanted) else {
        return Reply::failed(match wanted <= journal.numbered() {
            true => {
                format!("game {wanted} goes on already; `resume list` shows those that are left")
            }
            false => format!("no game {wanted} was left; `resume list` shows those that were"),
        });
    };
    let saved = left.saved.clone();
    match session.take_up(&saved, wanted) {
        Ok(()) => {
            session.goes_on_with(Some(wanted));
            Reply::ok(session.question(false))
        }
        Err(error) => Reply::failed(error),
    }
}

impl Session {
    /// The session as the journal keeps it.
    pub(in crate::repl) fn saved(&mut self) -> Saved {
        let (way, now) = (self.timeline.way(), self.timeline.now());
        let mut ways = Vec::new();
        for at in 0..self.timeline.ways().len() {
            let known = self.timeline.ways()[at].clone();
            let cached = self
                .kept_ways
                .iter()
                .find(|(tip, saved)| *tip == known.tip && saved.name == known.name);
            let saved = match cached {
                Some((_, saved)) => saved.clone(),
                None => {
                    self.timeline.switch(&mut self.game, at);
                    SavedWay {
                        name: known.name.clone(),
                        named: known.named,
                        record: self.game.record(),
                        longer: None,
                    }
                }
            };
            let longer = self
                .longer
                .iter()
                .find(|longer| longer.tip == known.tip && longer.name == known.name);
            let longer = longer.map(|longer| longer.record.clone());
            ways.push((known.tip, SavedWay { longer, ..saved }));
        }
        self.timeline.switch(&mut self.game, way);
        self.timeline.go(&mut self.game, now);
        self.kept_ways = ways;
        let actors = self.actors.iter().map(|actor| actor.name());
        let ways = self.kept_ways.iter().map(|(_, saved)| saved.clone());
        let mut saved = Saved::new(actors.collect(), ways.collect());
        saved.way = way;
        saved.depth = self.timeline.depth(now);
        saved.decision = self.timeline.answers(now) + 1;
        saved.place = describe_position(&self.game.rules, &self.game.state);
        saved
    }

    /// Plays a session that was left to where it was. This one stays as it is if that fails; where the rules have changed
    /// since, it says how far the game comes by them and keeps that until it is accepted.
    fn take_up(&mut self, saved: &Saved, number: usize) -> Result<(), String> {
        let damaged = || "the game cannot be continued: its file is damaged".to_owned();
        let first = saved.ways.first().ok_or_else(damaged)?;
        let selection = first.record.selection();
        let (rules, view) = self.source.read(&selection, self.style()).map_err(|why| {
            format!(
                "{}\nthe game stays in the journal: `resume {number}` goes on with it once this is mended",
                why.trim_end()
            )
        })?;
        let rules = Arc::new(rules);
        let actors = saved.actors.iter().map(|name| Actor::parse(name));
        let actors: Vec<Actor> = actors.collect::<Result<_, _>>()?;
        if actors.len() != usize::from(first.record.players) || saved.way >= saved.ways.len() {
            return Err(damaged());
        }
        let mut ways = Vec::new();
        let mut parts = None;
        for (at, way) in saved.ways.iter().enumerate() {
            match replay(&way.record, Arc::clone(&rules)) {
                Ok(game) => ways.push((way.clone(), game)),
                Err(error) if parts.is_none() || at == saved.way => parts = Some((at, error)),
                Err(_) => {}
            }
        }
        let Some((at, error)) = parts else {
            self.go_on(grow(ways, saved.way, saved.depth)?, view, actors);
            return Ok(());
        };
        let told = self.keep_by_changed(saved, at, &error, (&rules, view), actors)?;
        if let Some(changed) = &mut self.changed {
            changed.number = changed.whole.then_some(number);
        }
        Err(told)
    }

    /// The same for a record, which is one way.
    pub(in crate::repl) fn keep_changed(
        &mut self,
        record: Record,
        parts: &ReplayError,
        by: (&Arc<Rules>, View),
    ) -> Result<String, String> {
        let players = usize::from(record.players);
        let actors = match self.actors.len() == players {
            true => self.actors.clone(),
            false => vec![Actor::Human; players],
        };
        let mut saved = Saved::new(
            Vec::new(),
            vec![SavedWay {
                name: "main".to_owned(),
                named: true,
                record,
                longer: None,
            }],
        );
        saved.depth = usize::MAX;
        self.keep_by_changed(&saved, 0, parts, by, actors)
    }

    /// Plays every way of a game by rules that have changed since, as far as it goes, and keeps that until it is accepted.
    /// Gives what is said of it, where the way of a position parts.
    fn keep_by_changed(
        &mut self,
        saved: &Saved,
        at: usize,
        parts: &ReplayError,
        (rules, view): (&Arc<Rules>, View),
        actors: Vec<Actor>,
    ) -> Result<String, String> {
        let mut ways = Vec::new();
        let (mut told, mut given, mut whole) = (String::new(), 0, true);
        for (position, mut way) in saved.ways.iter().cloned().enumerate() {
            // What earlier rules cut off is tried again.
            let all = way.longer.take().unwrap_or_else(|| way.record.clone());
            let built = rebuild(&all, Arc::clone(rules))
                .map_err(|error| self.cannot_begin(&error, rules))?;
            if position == at {
                told = told_change(&all, parts, &built);
            }
            if position == saved.way {
                given = built.given;
            }
            whole &= built.stopped.is_none();
            way.longer = built.stopped.is_some().then_some(all);
            ways.push((way, built.game));
        }
        self.changed = Some(Box::new(Changed {
            grown: grow(ways, saved.way, saved.depth)?,
            view,
            actors,
            number: None,
            whole,
            given,
        }));
        Ok(told)
    }

    /// Goes on with a game that was played again by changed rules.
    fn accept_changed(&mut self) -> Reply {
        let Some(changed) = self.changed.take() else {
            return Reply::failed(
                "nothing waits to be accepted: `resume N` or `load FILE` tries a game",
            );
        };
        let Changed {
            grown,
            view,
            actors,
            number,
            given,
            ..
        } = *changed;
        self.go_on(grown, view, actors);
        self.goes_on_with(number);
        let played = self.play_bots();
        let mut text = format!("by the rules of now: {} given again\n\n", answers(given));
        text.push_str(&self.news());
        text.push_str(&self.question(false));
        self.after_bots(text, played.err())
    }

    /// Puts another game in the place of the one at hand.
    fn go_on(&mut self, grown: Grown, view: View, actors: Vec<Actor>) {
        let Grown {
            game,
            timeline,
            longer,
        } = grown;
        self.actors = actors;
        self.told = game.history.len();
        self.game = game;
        self.timeline = timeline;
        self.view = view;
        self.games += 1;
        self.former = None;
        self.kept_ways.clear();
        self.longer = longer;
    }

    /// Leaves the game that was at hand in the journal; the file of the one that goes on is no longer wanted.
    fn goes_on_with(&mut self, number: Option<usize>) {
        if let Some(journal) = &mut self.journal {
            journal.turn_the_page();
            if let Some(number) = number {
                journal.go_on_with(number);
            }
        }
    }

    /// The games that were left, one a line.
    fn left_list(&self) -> String {
        let left = self
            .journal
            .as_ref()
            .map_or(&[][..], |journal| journal.left());
        let lines = left.iter().map(|left| {
            let saved = &left.saved;
            let when = left
                .when
                .map_or_else(String::new, |when| format!("{}, ", date(when)));
            let record = saved.ways.first().map(|way| &way.record);
            let what = record.map_or_else(String::new, |record| {
                let selection = record.selection();
                let with = match selection == Selection::default() {
                    true => String::new(),
                    false => format!(" with {}", told(&selection)),
                };
                format!("{}{with}, seed {}, ", record.pack, record.seed)
            });
            let bots: Vec<&str> = saved.actors.iter().map(String::as_str).collect();
            let who = match bots.iter().all(|name| *name == bots[0]) {
                true => count(bots.len(), "player"),
                false => format!("{} ({})", count(bots.len(), "player"), bots.join(", ")),
            };
            let place = match saved.place.is_empty() {
                true => String::new(),
                false => format!(" ({})", saved.place),
            };
            format!(
                "{:>3}  {when}{what}{who}, at decision {}{place}\n",
                left.number, saved.decision
            )
        });
        let mut text: String = lines.collect();
        text.push_str("`resume N` goes on with one\n");
        text.push_str(&self.broken_list());
        text
    }

    /// Keeps the session in the journal, if there is one and something was done. Says when it cannot be kept.
    pub(in crate::repl) fn journal_now(&mut self) -> Option<String> {
        self.journal.as_ref()?;
        let began = self.timeline.ways().len() == 1
            && self.timeline.stands().first().is_none_or(|first| {
                self.timeline.depth(self.timeline.ways()[0].tip) <= self.timeline.depth(*first)
            });
        if began {
            return None;
        }
        let saved = self.saved();
        let journal = self.journal.as_mut()?;
        let error = journal.keep(&saved).err()?;
        self.journal = None;
        Some(format!(
            "the game is not kept against crashes: the journal cannot be written: {error}\n"
        ))
    }

    /// What the greeting says about games that were left.
    pub(in crate::repl) fn offer(&self) -> Option<String> {
        let left = self.journal.as_ref()?.left();
        let broken = self.broken_list();
        let Some(first) = left.first() else {
            return (!broken.is_empty()).then_some(broken);
        };
        let saved = &first.saved;
        let of = format!(
            "A game of {} up to decision {}",
            count(saved.actors.len(), "player"),
            saved.decision
        );
        let mut text = match left.len() {
            1 => format!("{of} was left: `resume` continues it.\n"),
            some => format!(
                "{of} was left, and {} before it: `resume 1` continues it, `resume list` shows them.\n",
                some - 1
            ),
        };
        text.push_str(&broken);
        Some(text)
    }

    /// The files in which games were left that cannot be gone on with, one a line.
    fn broken_list(&self) -> String {
        let broken = self.journal.iter().flat_map(|journal| journal.broken());
        let lines = broken.map(|(path, why)| {
            format!(
                "the game in {} cannot be read: {why}; remove the file if it is not wanted\n",
                path.display()
            )
        });
        lines.collect()
    }
}

/// What comes out differently in a game by rules that have changed since, and how far it goes by them.
fn told_change(record: &Record, parts: &ReplayError, built: &Rebuilt) -> String {
    let all = record.steps.iter().filter(|step| !step.forced).count();
    let place = match parts.step {
        Some(step) => format!("at decision {}", step + 1),
        None => "before the first decision".to_owned(),
    };
    let since = match parts.rules_changed {
        true => "the rules have changed since: ",
        false => "",
    };
    let mut text = format!(
        "{since}it comes out differently {place}: {}\n",
        parts.message
    );
    text.push_str(&match &built.stopped {
        Some(stop) => format!(
            "by the rules of now it stops at decision {}: {}\n",
            stop.step + 1,
            stop.message
        ),
        None => "by the rules of now all its answers can be given again\n".to_owned(),
    });
    text.push_str(&format!(
        "nothing is lost, and the game at hand stays; `resume accept` goes on there, with {} of {}",
        built.given,
        answers(all)
    ));
    text
}
