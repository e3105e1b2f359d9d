//! Packs: TOML files read as spanned documents, changed by variants, checked, and lowered to a typed
//! [`Pack`].

pub mod codes;
pub mod compare;
pub mod doc;
pub mod files;
pub mod model;
pub mod parse;
pub mod read;
pub mod variant;

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
mod overlay;
mod pieces;
mod properties;
mod sets;
mod steps;
#[cfg(test)]
mod tests;
mod words;

pub use files::{PackFiles, VariantFiles};
pub use model::Pack;
pub use read::{Resolved, Selection, read, read_with, resolve};
pub use variant::Variant;
