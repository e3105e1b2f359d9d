//! The table: zones, pieces, dials, counters, graphs, decks and dice, without knowing any game.
//!
//! [`Layout`] says what a pack's table is made of; [`TableState`] is one plain value that says how it
//! stands; [`Table`] is the one way to change it.

pub mod chance;
pub mod event;
pub mod exchange;
pub mod graph;
pub mod ids;
pub mod invariants;
pub mod layout;
pub mod ops;
pub mod state;
#[cfg(test)]
mod toy;
pub mod value;
pub mod view;

pub use event::Event;
pub use layout::Layout;
pub use ops::{Dealer, Table, TableError};
pub use state::{Position, TableState};
pub use value::{Case, Value};
