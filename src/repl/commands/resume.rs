//! Games that were left, continued.

use std::sync::Arc;

use crate::flow::record::replay;
use crate::repl::again::grow;
use crate::repl::command::{Args, Info, no_candidates};
use crate::repl::journal::{Saved, SavedWay};
use crate::repl::session::{Actor, Reply, Session};

pub(super) const COMMANDS: &[Info] = &[Info {
    name: "resume",
    arguments: "[N]",
    about: "go on with a game that was left; the one at hand is left",
    examples: &[
        ("resume", "the last one, with all ways that were tried"),
        ("resume 2", "the one before"),
    ],
    run: resume,
    complete: no_candidates,
}];

fn resume(session: &mut Session, args: &Args<'_>) -> Reply {
    let number = match args.number(1) {
        Ok(number) => number,
        Err(error) => return Reply::failed(error),
    };
    let Some(journal) = &session.journal else {
        return Reply::failed("no journal is kept: start with `--journal on`");
    };
    let Some(left) = journal.left().get(number - 1) else {
        return Reply::failed(match journal.left().len() {
            0 => "no game was left".to_owned(),
            1 => "only one game was left: `resume`".to_owned(),
            some => format!("{some} games were left: `resume 1` to `resume {some}`"),
        });
    };
    let saved = left.saved.clone();
    match session.take_up(&saved) {
        Ok(()) => {
            if let Some(journal) = &mut session.journal {
                // The game at hand comes first in the list when its page is turned.
                let before = journal.left().len();
                journal.turn_the_page();
                let moved = journal.left().len() - before;
                journal.go_on_with(number - 1 + moved);
            }
            Reply::ok(session.question(false))
        }
        Err(error) => Reply::failed(format!("the game cannot be continued: {error}")),
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
                    }
                }
            };
            ways.push((known.tip, saved));
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
        saved
    }

    /// Plays a session that was left to where it was. This one stays as it is if that fails.
    fn take_up(&mut self, saved: &Saved) -> Result<(), String> {
        let first = saved.ways.first().ok_or("it is empty")?;
        let selection = first.record.selection();
        let (rules, view) = self.source.read(&selection, self.style())?;
        let rules = Arc::new(rules);
        let mut ways = Vec::new();
        for way in &saved.ways {
            let game =
                replay(&way.record, Arc::clone(&rules)).map_err(|error| error.to_string())?;
            ways.push((way.clone(), game));
        }
        let (game, timeline) = grow(ways, saved.way, saved.depth)?;
        let actors = saved.actors.iter().map(|name| Actor::parse(name));
        let actors: Vec<Actor> = actors.collect::<Result<_, _>>()?;
        if actors.len() != usize::from(game.setup.players) {
            return Err("it is damaged".to_owned());
        }
        self.actors = actors;
        self.told = game.history.len();
        self.game = game;
        self.timeline = timeline;
        self.view = view;
        self.games += 1;
        self.former = None;
        self.kept_ways.clear();
        Ok(())
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
        let first = left.first()?;
        let older = match left.len() {
            1 => String::new(),
            2 => ", `resume 2` the one before".to_owned(),
            some => format!(", `resume 2` to `resume {some}` older ones"),
        };
        Some(format!(
            "A game of {} players up to decision {} was left: `resume` continues it{older}.\n",
            first.saved.actors.len(),
            first.saved.decision
        ))
    }
}
