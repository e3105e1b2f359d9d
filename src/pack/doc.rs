//! TOML as a tree with spans: what files are merged and overlaid as, before they are checked.

use std::collections::BTreeMap;

use crate::diag::Span;

/// A value of a document, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it stands; for a table made of dotted keys or headers, its first header or key.
    pub span: Span,
    /// What it is.
    pub item: Item,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A text; the span of its node includes the quotes.
    Text(String),
    /// A whole number.
    Int(i64),
    /// True or false.
    Bool(bool),
    /// A list.
    List(Vec<Node>),
    /// A table, by key.
    Table(BTreeMap<String, Entry>),
    /// What packs have no use for: floats and dates, by their TOML name.
    Other(&'static str),
}

/// An entry of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where the key stands.
    pub key: Span,
    /// Its value.
    pub value: Node,
}
