//! Which keys the tables of TOML files have, what each holds, and what it means: the one place that says
//! so. Readers ask only for what is declared here, unknown keys are told by it, and the documentation and
//! the JSON Schema are made from it.

mod declared;
mod entries;

pub(super) use declared::{INSERTION, entry_keys, tables_with};
pub use declared::{PACK_TABLES, VARIANT, VARIANT_STEPS};
pub(super) use entries::*;

use std::ops::RangeInclusive;

/// What a table may hold.
#[derive(Debug)]
pub struct Keys {
    /// What such a table is, in one sentence.
    pub doc: &'static str,
    /// Its own keys.
    pub keys: &'static [Key],
    /// Whether it has the keys of [`COMMON`] besides.
    pub common: bool,
    /// Keys besides these that it may have.
    pub others: Option<Others>,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// Whether it can be left out.
    pub need: Need,
    /// What it means, in one sentence.
    pub doc: &'static str,
}

/// Whether a key can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must be given.
    Always,
    /// It can be left out.
    Never,
    /// It can be left out, and then has this value, as TOML and JSON write it.
    Default(&'static str),
}

/// Keys that a table does not declare.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    /// What they begin with; empty if they may be called anything.
    pub prefix: &'static str,
    /// What they are, in one sentence.
    pub doc: &'static str,
    /// What they hold.
    pub shape: Shape,
}

/// What a key, or an element of a list, holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A text for people.
    Prose,
    /// A text for people that names attributes in braces.
    Template,
    /// The name of something that is declared elsewhere.
    Name(&'static str),
    /// A name that is given here.
    NewName(&'static str),
    /// The name of a type.
    Type,
    /// A path of names with dots between them.
    Path,
    /// An expression or a short script, or a number or truth value that stands for itself.
    Script,
    /// A whole number, from the least to the most.
    Int(i64, i64),
    /// `true` or `false`.
    Bool,
    /// One of several words.
    Word(&'static [&'static str]),
    /// A list.
    List(&'static Shape),
    /// A table with keys of its own.
    Table(&'static Keys),
    /// A table by names.
    Map(Names, &'static Shape),
    /// One of several.
    Either(&'static [Shape]),
    /// A number, a truth value or a text: what it must be is declared in the pack.
    Value,
}

/// What the keys of a table by names are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Names that are given here.
    New(&'static str),
    /// Names of what is declared elsewhere.
    Known(&'static str),
}

/// Where a datum comes from.
const PROVENANCES: Shape = Shape::Word(&["printed", "inferred", "reconstructed"]);

/// The keys that every entry of a pack may have.
pub const COMMON: [Key; 3] = [
    key(
        "title",
        Shape::Prose,
        "What it is called, for people; made from the id if left out.",
    ),
    key("doc", Shape::Prose, "What it is, for who reads the rules."),
    key(
        "provenance",
        Shape::Either(&[PROVENANCES, Shape::Map(Names::Known("key"), &PROVENANCES)]),
        "Where the entry comes from, or where single keys of it do.",
    )
    .or("\"printed\""),
];

/// A key that can be left out.
pub(crate) const fn key(name: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key {
        name,
        shape,
        need: Need::Never,
        doc,
    }
}

impl Key {
    /// The key as one that must be given.
    pub(crate) const fn must(self) -> Self {
        Self {
            need: Need::Always,
            ..self
        }
    }

    /// The key with the value that it has if it is left out.
    pub(crate) const fn or(self, default: &'static str) -> Self {
        Self {
            need: Need::Default(default),
            ..self
        }
    }
}

impl Keys {
    /// A table with these keys.
    pub(crate) const fn plain(doc: &'static str, keys: &'static [Key]) -> Self {
        Self {
            doc,
            keys,
            common: false,
            others: None,
        }
    }

    /// An entry of a pack: these keys, and those that every entry has.
    pub(crate) const fn entry(doc: &'static str, keys: &'static [Key]) -> Self {
        Self {
            common: true,
            ..Self::plain(doc, keys)
        }
    }

    /// The table with other keys besides.
    pub(crate) const fn with(self, others: Others) -> Self {
        Self {
            others: Some(others),
            ..self
        }
    }

    /// Every declared key; where a table declares a common key itself, its own is the one.
    pub fn all(&self) -> impl Iterator<Item = &Key> {
        let common: &[Key] = if self.common { &COMMON } else { &[] };
        let own = |key: &Key| self.keys.iter().any(|other| other.name == key.name);
        self.keys
            .iter()
            .chain(common.iter().filter(move |key| !own(key)))
    }

    /// A declared key by its name.
    pub fn get(&self, name: &str) -> Option<&Key> {
        self.all().find(|key| key.name == name)
    }

    /// The names of all declared keys.
    pub(crate) fn names(&'static self) -> impl Iterator<Item = &'static str> {
        self.all().map(|key| key.name)
    }

    /// Whether a key that is not declared may be there.
    pub fn takes(&self, name: &str) -> bool {
        self.others
            .is_some_and(|others| name.starts_with(others.prefix))
    }
}

impl Shape {
    /// The range of the numbers that it takes, or that its elements take.
    pub(crate) fn range(&self) -> Option<RangeInclusive<i64>> {
        match self {
            Self::Int(least, most) => Some(*least..=*most),
            Self::Either(shapes) => shapes.iter().find_map(Self::range),
            Self::List(shape) => shape.range(),
            _ => None,
        }
    }

    /// Whether it, or one of several that it may be, is as asked for.
    fn any(&self, wanted: fn(&Self) -> bool) -> bool {
        match self {
            Self::Either(shapes) => shapes.iter().any(|shape| shape.any(wanted)),
            shape => wanted(shape),
        }
    }

    /// Whether it takes a text.
    pub(crate) fn is_text(&self) -> bool {
        self.any(|shape| {
            matches!(
                shape,
                Self::Prose
                    | Self::Template
                    | Self::Name(_)
                    | Self::NewName(_)
                    | Self::Type
                    | Self::Path
                    | Self::Script
                    | Self::Word(_)
                    | Self::Value
            )
        })
    }

    /// Whether it takes an expression.
    pub(crate) fn is_script(&self) -> bool {
        self.any(|shape| matches!(shape, Self::Script))
    }

    /// Whether it takes just these words.
    pub(crate) fn is_one_of<T>(&self, words: &[(&str, T)]) -> bool {
        match self {
            Self::Word(declared) => words.iter().map(|(word, _)| word).eq(*declared),
            Self::Either(shapes) => shapes.iter().any(|shape| shape.is_one_of(words)),
            _ => false,
        }
    }

    /// Whether it takes a list.
    pub(crate) fn is_list(&self) -> bool {
        self.any(|shape| matches!(shape, Self::List(_)))
    }

    /// Whether it takes a table.
    pub(crate) fn is_table(&self) -> bool {
        self.any(|shape| matches!(shape, Self::Table(_) | Self::Map(..)))
    }

    /// Whether it takes `true` and `false`.
    pub(crate) fn is_bool(&self) -> bool {
        self.any(|shape| matches!(shape, Self::Bool | Self::Script | Self::Value))
    }
}
