//! TOML as a tree with spans: what files are merged and overlaid as, before they are checked.

use std::collections::BTreeMap;

use crate::diag::{FileId, Span};

use super::model::Provenance;

/// The entries of a table by key, so that the order of a file never matters.
pub type Table = BTreeMap<String, Entry>;

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
    Table(Table),
    /// What packs have no use for: floats and dates, by their TOML name.
    Other(&'static str),
}

impl Item {
    /// What it is, as a message says it.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Int(_) => "a whole number",
            Self::Bool(_) => "`true` or `false`",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(name) => name,
        }
    }
}

/// An entry of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where the key stands.
    pub key: Span,
    /// Its value.
    pub value: Node,
}

/// All rules of a pack as one tree, merged from its files; overlays change it before it is checked.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Top-level tables, whose values are tables.
    pub root: Table,
    /// How the board is drawn: `view.toml`, which is not merged with the rest.
    pub view: Option<Node>,
    /// Where the data of a file come from, where the file says so.
    pub provenance: BTreeMap<FileId, Provenance>,
    /// The files that are variants, with the variants' ids.
    pub variants: BTreeMap<FileId, String>,
    /// The lists of which variants changed a part, by path, and where each change is written.
    pub changed_lists: BTreeMap<Vec<String>, Vec<Span>>,
}

impl Document {
    /// Where the data of an entry come from, if the entry itself does not say it: what a variant adds
    /// or changes is a house rule.
    pub(super) fn provenance_of(&self, key: Span, fields: &Table) -> Provenance {
        let changed = fields
            .values()
            .any(|entry| self.variants.contains_key(&entry.key.file));
        match changed || self.variants.contains_key(&key.file) {
            true => Provenance::House,
            false => self
                .provenance
                .get(&key.file)
                .copied()
                .unwrap_or(Provenance::Printed),
        }
    }
}

/// What an element of a list is called: its `id`, or the two ends that it lies `between`.
pub fn element_key(node: &Node) -> Option<String> {
    let Item::Table(table) = &node.item else {
        return None;
    };
    if let Some(Item::Text(id)) = table.get("id").map(|entry| &entry.value.item) {
        return Some(id.clone());
    }
    let Item::List(ends) = &table.get("between")?.value.item else {
        return None;
    };
    match ends.as_slice() {
        [a, b] => match (&a.item, &b.item) {
            (Item::Text(a), Item::Text(b)) => Some(format!("{a}-{b}")),
            _ => None,
        },
        _ => None,
    }
}
