//! Bots: who answers instead of people.
//!
//! A bot works for any pack: it knows a game by its decisions, and by how well its player stands. It sees no
//! more than its player does, and the same question with the same seed gets the same answer.

mod greedy;
mod hidden;
mod random;

use crate::flow::Answer;
use crate::script::{Rules, Scratch, State};

/// Most players that a game can have.
const MOST_PLAYERS: usize = 8;

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
}

impl Question<'_> {
    /// The number of whoever is asked, from 0.
    fn player(&self) -> u64 {
        self.state.run.ask.map_or(0, |ask| u64::from(ask.player.0))
    }
}

/// Who answers.
pub trait Bot: Sync {
    /// Its name, as people give it.
    fn name(&self) -> &'static str;

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
}

impl BotKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Random, Self::Greedy];

    /// The bot.
    pub fn bot(self) -> &'static dyn Bot {
        match self {
            Self::Random => &random::Random,
            Self::Greedy => &greedy::Greedy,
        }
    }

    /// The bot of a name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.bot().name() == name)
    }

    /// The bot of a name.
    ///
    /// # Errors
    /// Says which bots there are.
    pub fn parse(name: &str) -> Result<Self, String> {
        Self::named(name)
            .ok_or_else(|| format!("there is no bot `{name}`; the bots are: {}", Self::names()))
    }

    /// The names of all bots, in words.
    pub fn names() -> String {
        Self::ALL.map(|kind| kind.bot().name()).join(", ")
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
