//! Decisions and answers, the driver of a game, scores.

pub mod decision;
pub mod game;
pub mod score;

pub use decision::{Answer, Choice, Decision, Rejection, Written};
pub use game::{Game, GameError, Setup, Step};
pub use score::{Score, scores};
