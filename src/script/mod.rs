//! The interpreter: Rhai's syntax, lowered against a pack to bytecode for a small machine whose frames
//! are plain data, so that a script can be stopped at a question, copied, and resumed.

pub mod api;
pub mod chain;
pub mod code;
pub mod evaluate;
pub mod fault;
mod known;
mod lint;
pub mod lower;
pub mod machine;
mod offering;
mod operands;
mod optimise;
pub mod parse;
mod print;
mod recover;
pub mod refusal;
pub mod rules;
pub mod state;
pub mod stepping;
pub mod syntax;
pub mod types;
mod verbs;

pub use fault::Fault;
pub use lower::{lower, lower_draft};
pub use machine::{Io, Limits, Machine, Outcome, Scratch};
pub use rules::Rules;
pub use state::State;
