//! Packs: TOML files read as spanned documents, checked, and lowered to a typed [`Pack`].

pub mod codes;
pub mod doc;
pub mod files;
pub mod model;
pub mod parse;
pub mod read;

mod attributes;
mod exchange;
mod families;
pub(crate) mod fields;
mod flow;
mod game;
mod graphs;
mod kinds;
mod names;
mod numbers;
mod pieces;
mod properties;
mod sets;
#[cfg(test)]
mod tests;
mod words;

pub use files::PackFiles;
pub use model::Pack;
pub use read::read;
