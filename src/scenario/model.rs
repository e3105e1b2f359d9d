//! A scenario as it was read, every name resolved.

use std::sync::Arc;

use crate::diag::Span;
use crate::flow::{Setting, Setup, Written};
use crate::script::Rules;
use crate::table::ids::{PlayerId, StreamId, ZoneId};

use super::sight::Sight;

/// A scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it shows.
    pub title: String,
    /// The rules with its parameters.
    pub rules: Arc<Rules>,
    /// Players, seed and start.
    pub setup: Setup,
    /// What it covers.
    pub clauses: Vec<String>,
    /// How the table is arranged, with places.
    pub table: Vec<(Setting, Span)>,
    /// Answers to what the set-up asks before a start elsewhere; what is missing is answered by chance.
    pub set_up: Vec<(Asked, Written, Span)>,
    /// Given chance.
    pub chance: Chance,
    /// What is played.
    pub plays: Vec<Play>,
    /// What holds at the end.
    pub expect: Vec<Expectation>,
    /// Where the end is: the table of expectations, or the top of the file.
    pub end: Span,
}

/// Given chance.
#[derive(Clone, Debug, Default)]
pub struct Chance {
    /// Whether nothing may come from the seed.
    pub all_given: bool,
    /// Faces by the id or the key of dice.
    pub rolls: Vec<Given<String, u8>>,
    /// Orders of shuffles by zone, from the top.
    pub shuffles: Vec<Given<ZoneId, Vec<String>>>,
    /// Keys of what is picked, by stream.
    pub picks: Vec<Given<StreamId, String>>,
}

/// Outcomes given for one thing.
#[derive(Clone, Debug)]
pub struct Given<K, V> {
    /// What for.
    pub key: K,
    /// The outcomes in order, each with its place.
    pub outcomes: Vec<(V, Span)>,
}

/// One entry of the list of what is played.
#[derive(Clone, Debug)]
pub struct Play {
    /// Where it stands.
    pub span: Span,
    /// What is done.
    pub act: Act,
    /// What is expected of the decision.
    pub about: Vec<About>,
    /// What holds after it.
    pub expect: Vec<Expectation>,
}

/// A decision of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Who decides.
    pub player: PlayerId,
    /// The id of the decision.
    pub decision: String,
}

impl std::fmt::Display for Asked {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "player_{}.{}", self.player.0 + 1, self.decision)
    }
}

/// What an entry does.
#[derive(Clone, Debug)]
pub enum Act {
    /// Answers a decision.
    Answer(Asked, Written),
    /// Looks at a decision.
    Look(Asked),
    /// Changes the table from outside.
    Set(Vec<(Setting, Span)>),
    /// Only looks at the table.
    Nothing,
}

/// What is expected of a decision.
#[derive(Clone, Debug)]
pub enum About {
    /// A choice is offered, so many times if said.
    Offered {
        /// Its key.
        key: String,
        /// How many there are.
        count: Option<i64>,
        /// Where it stands.
        span: Span,
    },
    /// A choice is not offered.
    NotOffered {
        /// Its key.
        key: String,
        /// Where it stands.
        span: Span,
    },
    /// These choices are offered and no others.
    Choices {
        /// Their keys, sorted.
        keys: Vec<String>,
        /// Where it stands.
        span: Span,
    },
    /// A choice is refused for a reason.
    Refused {
        /// Its key.
        key: String,
        /// The reason's id, and its numbers if given.
        reason: String,
        /// Where it stands.
        span: Span,
    },
    /// A script says this of an offered choice.
    Hint {
        /// Its key.
        key: String,
        /// What is said.
        text: String,
        /// Where it stands.
        span: Span,
    },
    /// An answer is rejected.
    Rejected {
        /// The answer.
        answer: Written,
        /// Where it stands.
        span: Span,
    },
}

/// Something that must hold.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Where it stands.
    pub span: Span,
    /// What.
    pub what: Wanted,
}

/// What must hold.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// An item is this.
    Item(Setting),
    /// A player sees this.
    Sees(Sight),
    /// This is asked.
    Asked(Asked),
    /// This was not asked: since the entry's answer, or in the whole scenario.
    NotAsked {
        /// What.
        asked: Asked,
        /// Whether in the whole scenario.
        ever: bool,
    },
    /// The game is over, or not.
    Over(bool),
    /// The total scores of all players.
    Scores(Vec<i64>),
    /// Who won, from 1.
    Winner(Vec<i64>),
}
