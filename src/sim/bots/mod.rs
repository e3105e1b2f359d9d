//! Bots: who answers instead of people.
//!
//! A bot works for any pack: it knows a game by its decisions, and by how well its player stands. It sees no
//! more than its player does, and the same question with the same seed gets the same answer.

mod greedy;
mod hidden;
mod mcts;
mod random;
mod tries;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::diag::nearest;
use crate::flow::Answer;
use crate::script::{Rules, Scratch, State};

pub use mcts::Budget;

/// Most players that a game can have.
pub const MOST_PLAYERS: usize = 8;

/// What a bot is asked: the pending decision of a state, which has more than one answer.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The state, with all that is hidden: a bot must not look at it.
    pub state: &'a State,
    /// The seed of the game. Bots draw from streams of their own: what they draw changes nothing of the
    /// game's chance.
    pub seed: u64,
    /// How many such questions there were before in this game.
    pub nth: u64,
    /// Once it is true nobody waits for the answer any more: a bot that takes its time gives one at once.
    pub stop: Option<&'a AtomicBool>,
}

impl Question<'_> {
    /// The number of whoever is asked, from 0.
    fn player(&self) -> u64 {
        self.state.run.ask.map_or(0, |ask| u64::from(ask.player.0))
    }

    /// Whether nobody waits for the answer any more.
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Who answers.
pub trait Bot: Sync {
    /// Its name, as people give it: [`BotKind::parse`] reads it.
    fn name(&self) -> String;

    /// An answer that the rules accept; `None` if it finds none.
    fn answer(&self, question: &Question<'_>, scratch: &mut Scratch) -> Option<Answer>;
}

/// The bots that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BotKind {
    /// Any answer, each as likely as the others.
    Random,
    /// The answer after which its player stands best at the next question.
    Greedy,
    /// The answer that a search finds.
    Mcts(Budget),
}

impl BotKind {
    /// All of them, with the budgets that they have if nothing else is said.
    pub const ALL: [Self; 3] = [Self::Random, Self::Greedy, Self::Mcts(mcts::USUAL)];

    /// Whether a name is that of a bot, whatever its budget is.
    pub fn is_meant(name: &str) -> bool {
        let bare = name.split(':').next().unwrap_or(name);
        Self::ALL.iter().any(|kind| kind.name() == bare)
    }

    /// The bot of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::parse(name).ok()
    }

    /// The bot of a name, which can have a budget: `mcts:decisions=500`, `mcts:time=20ms`.
    ///
    /// # Errors
    /// Says which bots there are, or how a budget is written.
    pub fn parse(name: &str) -> Result<Self, String> {
        let (bare, budget) = match name.split_once(':') {
            Some((bare, budget)) => (bare, Some(budget)),
            None => (name, None),
        };
        let mut all = Self::ALL.into_iter();
        let known = all.find(|kind| kind.name() == bare).ok_or_else(|| {
            let known = Self::ALL.map(|kind| kind.name());
            let near = nearest(bare, known.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
            format!(
                "there is no bot `{name}`{near}; the bots are: {}",
                Self::names()
            )
        })?;
        match (known, budget) {
            (known, None) => Ok(known),
            (Self::Mcts(_), Some(budget)) => Budget::parse(budget).map(Self::Mcts),
            (_, Some(_)) => Err(format!(
                "the bot `{bare}` has no budget: `{bare}` alone is meant"
            )),
        }
    }

    /// The names of all bots, in words.
    pub fn names() -> String {
        Self::ALL.map(|kind| kind.name()).join(", ")
    }

    /// Whether it searches for some time, so that what it answers depends on the machine.
    pub fn goes_by_time(self) -> bool {
        matches!(self, Self::Mcts(Budget::Milliseconds(_)))
    }
}

impl Bot for BotKind {
    fn name(&self) -> String {
        match self {
            Self::Random => random::Random.name(),
            Self::Greedy => greedy::Greedy.name(),
            Self::Mcts(budget) => mcts::Mcts(*budget).name(),
        }
    }

    #[inline]
    fn answer(&self, question: &Question<'_>, scratch: &mut Scratch) -> Option<Answer> {
        match self {
            Self::Random => random::Random.answer(question, scratch),
            Self::Greedy => greedy::Greedy.answer(question, scratch),
            Self::Mcts(budget) => mcts::Mcts(*budget).answer(question, scratch),
        }
    }
}

/// Who plays: a bot for each place round the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lineup {
    kinds: [BotKind; MOST_PLAYERS],
    /// Whether everybody moves on by one place from game to game.
    pub rotates: bool,
}

impl Lineup {
    /// The same bot everywhere.
    pub fn all(kind: BotKind) -> Self {
        Self {
            kinds: [kind; MOST_PLAYERS],
            rotates: false,
        }
    }

    /// One bot for each place; those beyond the last one given are random.
    pub fn of(given: &[BotKind]) -> Self {
        let mut lineup = Self::all(BotKind::Random);
        for (place, kind) in lineup.kinds.iter_mut().zip(given) {
            *place = *kind;
        }
        lineup
    }

    /// Which of the bots sits at a place in a game of a batch, by its position among those given.
    pub fn entry(&self, place: u8, players: u8, game: u64) -> usize {
        let moved = match self.rotates {
            true => game % u64::from(players.max(1)),
            false => 0,
        };
        ((u64::from(place) + moved) % u64::from(players.max(1))) as usize
    }

    /// The bot at a position among those given.
    pub fn kind(&self, entry: usize) -> BotKind {
        self.kinds.get(entry).copied().unwrap_or(BotKind::Random)
    }
}
