//! The REPL: a session with a game, the same from a terminal and from a pipe.
//!
//! [`Session`] turns lines into replies and knows no terminal; [`terminal`] reads lines with history and
//! completion, or from a pipe. A line is an answer or one of the [`commands`].

mod again;
pub mod answer;
pub mod board;
pub mod command;
pub mod commands;
mod complete;
mod culprit;
mod hint;
pub mod journal;
mod lines;
pub mod load;
mod naming;
mod narrate;
mod question;
#[cfg(test)]
mod rules_tests;
pub mod session;
pub mod story;
mod telling;
pub mod terminal;
#[cfg(test)]
mod tests;
pub mod text;
mod watch;

pub use session::{Actor, Reply, Session};
