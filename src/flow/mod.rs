//! Decisions and answers, the driver of a game, the tree of ways it was played, items by path, records, scores.

pub mod arrange;
pub mod contents;
pub mod decision;
pub mod digest;
pub mod drift;
pub mod game;
pub mod item;
pub mod listing;
pub mod outcome;
pub mod rebuild;
pub mod record;
pub mod score;
pub mod story;
pub mod timeline;

pub use arrange::arrange;
pub use decision::{Answer, Choice, Decision, Rejection, Written};
pub use game::{Game, GameError, Intervention, SetUp, Setup, Step, refusals};
pub use item::{Item, ItemValue};
pub use outcome::Outcome;
pub use rebuild::{Rebuilt, Stop, rebuild};
pub use record::{Record, ReplayError, Setting, replay};
pub use score::{Score, scores};
pub use timeline::Timeline;
