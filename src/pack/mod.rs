//! Packs: TOML files read as spanned documents, checked, and lowered to a typed [`Pack`].

pub mod doc;
pub mod model;

pub use model::Pack;
