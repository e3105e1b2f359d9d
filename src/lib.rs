//! `yukon`: an interpreter for board-game rules kept as data.
//!
//! A game is a folder of TOML files (map, dials, cards, flow, decisions) and of Rhai scripts
//! (effects and steps). The engine knows zones, pieces, dials, graphs, decks, dice, decisions and
//! flow, and no game.
//!
//! Modules in reading order, the lowest layer first.

pub mod diag;
pub mod table;

pub mod pack;
pub mod script;

pub mod flow;

pub mod scenario;
pub mod sim;

pub mod repl;

pub mod docs;

pub mod cli;
