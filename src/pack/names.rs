//! Ids: how they must look, which are taken, and the tables in which a pack declares them.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, Report, Span};
use crate::table::ids::{GraphId, GroupKindId, KindId, SetId};
use crate::table::layout::{Domain, Name};

use super::codes;
use super::doc::{Document, Item, Table};
use super::fields::{At, list};
use super::model::Declaration;
use super::read::MOST_ENTRIES;

/// A top-level table of a pack, whose entries are declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Graph,
    Set,
    Kind,
    Group,
    Zone,
    Counter,
    Dial,
    Toggle,
    Parameter,
    Modifier,
    Event,
    Ability,
    Decision,
    Choice,
    Reason,
    Stream,
    Flow,
    Score,
    Tie,
    Exchange,
    Statistic,
}

impl Section {
    pub(super) const ALL: [Self; 21] = [
        Self::Graph,
        Self::Set,
        Self::Kind,
        Self::Group,
        Self::Zone,
        Self::Counter,
        Self::Dial,
        Self::Toggle,
        Self::Parameter,
        Self::Modifier,
        Self::Event,
        Self::Ability,
        Self::Decision,
        Self::Choice,
        Self::Reason,
        Self::Stream,
        Self::Flow,
        Self::Score,
        Self::Tie,
        Self::Exchange,
        Self::Statistic,
    ];

    /// The name of the table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Set => "set",
            Self::Kind => "kind",
            Self::Group => "group",
            Self::Zone => "zone",
            Self::Counter => "counter",
            Self::Dial => "dial",
            Self::Toggle => "toggle",
            Self::Parameter => "parameter",
            Self::Modifier => "modifier",
            Self::Event => "event",
            Self::Ability => "ability",
            Self::Decision => "decision",
            Self::Choice => "choice",
            Self::Reason => "reason",
            Self::Stream => "stream",
            Self::Flow => "flow",
            Self::Score => "score",
            Self::Tie => "tie",
            Self::Exchange => "exchange",
            Self::Statistic => "statistic",
        }
    }

    /// What one entry is called in messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Flow => "block",
            Self::Score => "scoring term",
            Self::Tie => "tie-break",
            other => other.name(),
        }
    }
}

/// The name of the table that is not a list of declarations.
pub(super) const GAME: &str = "game";

/// Names of types that need no declaration, and of modules of constants. Sets, graphs, kinds and kinds
/// of groups may not be called so, because scripts could not tell them apart.
const TAKEN: [&str; 27] = [
    "ability",
    "attribute",
    "bool",
    "choice",
    "decision",
    "dial",
    "effect",
    "event",
    "exchange",
    "graph",
    "group",
    "int",
    "kind",
    "list",
    "me",
    "node",
    "parameter",
    "player",
    "reason",
    "set",
    "statistic",
    "stream",
    "subject",
    "table",
    "tag",
    "text",
    "toggle",
];

/// A declared entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared<'a> {
    pub(super) id: &'a str,
    /// Where the id stands.
    pub(super) key: Span,
    pub(super) table: &'a Table,
}

/// Every declared id: the position in the list of a section is the id's number.
#[derive(Debug)]
pub(super) struct Names<'a> {
    sections: BTreeMap<Section, Vec<Declared<'a>>>,
}

impl<'a> Names<'a> {
    /// Where every entry is declared, in the order of tables and ids.
    pub(super) fn declarations(&self) -> Vec<Declaration> {
        let sections = self.sections.iter().flat_map(|(section, entries)| {
            entries.iter().map(|entry| Declaration {
                section: section.name(),
                id: entry.id.to_owned(),
                span: entry.key,
            })
        });
        sections.collect()
    }

    /// Collects the declarations of a document and checks their ids and tables.
    pub(super) fn collect(document: &'a Document, report: &mut Report) -> Self {
        let mut sections = BTreeMap::new();
        for (name, entry) in &document.root {
            let section = Section::ALL.iter().find(|section| section.name() == name);
            let Some(section) = section else {
                if name != GAME {
                    report.push(unknown_table(name, entry.key));
                }
                continue;
            };
            let Item::Table(entries) = &entry.value.item else {
                continue;
            };
            let mut declared = Vec::new();
            for (id, entry) in entries {
                if declared.len() == MOST_ENTRIES {
                    report.push(
                        Diagnostic::error(
                            codes::TOO_MANY,
                            entry.key,
                            format!("the pack has too many entries in `{name}`"),
                        )
                        .label(format!("at most {MOST_ENTRIES} fit")),
                    );
                    break;
                }
                check_id(id, entry.key, report);
                match &entry.value.item {
                    Item::Table(table) => declared.push(Declared {
                        id,
                        key: entry.key,
                        table,
                    }),
                    other => report.push(
                        Diagnostic::error(
                            codes::WRONG_TYPE,
                            entry.value.span,
                            format!("{} `{id}` must be a table", section.noun()),
                        )
                        .label(format!("found {}", other.describe())),
                    ),
                }
            }
            sections.insert(*section, declared);
        }
        let names = Self { sections };
        names.check_domains(report);
        names
    }

    /// Sets, graphs, kinds and kinds of groups are all types, and share their names.
    fn check_domains(&self, report: &mut Report) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for section in [Section::Graph, Section::Set, Section::Kind, Section::Group] {
            for declared in self.list(section) {
                if TAKEN.contains(&declared.id) {
                    report.push(
                        Diagnostic::error(
                            codes::KEYWORD_ID,
                            declared.key,
                            format!("a {} cannot be called `{}`", section.noun(), declared.id),
                        )
                        .label("the engine uses this name itself"),
                    );
                }
                match seen.get(declared.id) {
                    Some(first) => report.push(
                        Diagnostic::error(
                            codes::ID_TWICE,
                            declared.key,
                            format!("two things are called `{}`", declared.id),
                        )
                        .label("called so again here")
                        .other(*first, "called so here")
                        .help("graphs, sets, kinds and groups share their names: all are types"),
                    ),
                    None => {
                        seen.insert(declared.id, declared.key);
                    }
                }
            }
        }
    }

    /// The declarations of a section, in the byte order of their ids.
    pub(super) fn list(&self, section: Section) -> &[Declared<'a>] {
        self.sections.get(&section).map_or(&[], Vec::as_slice)
    }

    /// The ids of a section.
    pub(super) fn ids(&self, section: Section) -> impl Iterator<Item = &'a str> {
        self.list(section).iter().map(|declared| declared.id)
    }

    /// The number of an id.
    pub(super) fn find(&self, section: Section, id: &str) -> Option<usize> {
        self.list(section)
            .binary_search_by(|declared| declared.id.cmp(id))
            .ok()
    }

    /// The number of an id that is used somewhere; reports it if it names nothing.
    pub(super) fn resolve(
        &self,
        section: Section,
        id: At<&str>,
        report: &mut Report,
    ) -> Option<usize> {
        let found = self.find(section, id.value);
        if found.is_none() {
            report.push(unknown(section.noun(), id, self.ids(section)));
        }
        found
    }

    /// The domain that an id names, if it is that of a graph, set, kind or kind of group.
    pub(super) fn domain(&self, id: &str) -> Option<Domain> {
        let find = |section| self.find(section, id);
        find(Section::Graph)
            .map(|index| Domain::Graph(GraphId::from_index(index)))
            .or_else(|| find(Section::Set).map(|index| Domain::Set(SetId::from_index(index))))
            .or_else(|| find(Section::Kind).map(|index| Domain::Kind(KindId::from_index(index))))
            .or_else(|| {
                find(Section::Group).map(|index| Domain::Groups(GroupKindId::from_index(index)))
            })
    }

    /// The ids of all domains.
    pub(super) fn domain_ids(&self) -> impl Iterator<Item = &'a str> {
        [Section::Graph, Section::Set, Section::Kind, Section::Group]
            .into_iter()
            .flat_map(|section| self.ids(section))
    }
}

/// The names of all top-level tables.
fn tables() -> impl Iterator<Item = &'static str> {
    let mut names: BTreeSet<&str> = Section::ALL.iter().map(|section| section.name()).collect();
    names.insert(GAME);
    names.into_iter()
}

/// Whether a pack has a table of this name.
pub(super) fn is_table(name: &str) -> bool {
    tables().any(|known| known == name)
}

/// A table that packs do not have.
pub(super) fn unknown_table(name: &str, span: Span) -> Diagnostic {
    let known: Vec<&str> = tables().collect();
    let message = format!("packs have no table `{name}`");
    let suggested = Diagnostic::error(codes::UNKNOWN_TABLE, span, message)
        .label("unknown table")
        .suggest(name, known.iter().copied().chain(["provenance"]));
    match suggested.help.is_empty() {
        true => suggested.help(format!("the tables of a pack are {}", list(known))),
        false => suggested,
    }
}

/// An id that names nothing.
pub(super) fn unknown<'b>(
    noun: &str,
    id: At<&str>,
    known: impl IntoIterator<Item = &'b str>,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let diagnostic = Diagnostic::error(
        codes::UNKNOWN_ID,
        id.span,
        format!("there is no {noun} `{}`", id.value),
    )
    .label("unknown id");
    // A short list is worth more than a guess.
    let short = known.len() <= 8;
    let suggested = diagnostic.suggest(id.value, known.iter().copied());
    match (suggested.help.is_empty(), known.is_empty(), short) {
        (true, false, true) => suggested.help(format!("there are {}", list(known))),
        (true, true, _) => suggested.help("none is declared"),
        _ => suggested,
    }
}

/// Reports an id that is not in snake case, or a keyword of Rhai.
pub(super) fn check_id(id: &str, span: Span, report: &mut Report) {
    let snake = id.starts_with(|first: char| first.is_ascii_lowercase())
        && id
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !snake {
        let fixed = snake_case(id);
        let diagnostic = Diagnostic::error(
            codes::BAD_ID,
            span,
            format!("the id `{id}` is not in snake case"),
        )
        .label("expected a letter a to z, then a to z, 0 to 9 and `_`");
        report.push(match fixed.is_empty() {
            true => diagnostic,
            false => diagnostic.help(format!("write `{fixed}`")),
        });
    } else if !rhai::is_valid_function_name(id) {
        report.push(
            Diagnostic::error(
                codes::KEYWORD_ID,
                span,
                format!("the id `{id}` is a keyword of Rhai"),
            )
            .label("scripts could not use this id")
            .help("call it something else"),
        );
    }
}

/// The nearest id in snake case; may be empty.
fn snake_case(id: &str) -> String {
    let mut snake = String::new();
    for character in id.chars() {
        if character.is_ascii_uppercase() {
            if snake.ends_with(|last: char| last.is_ascii_lowercase() || last.is_ascii_digit()) {
                snake.push('_');
            }
            snake.push(character.to_ascii_lowercase());
        } else if character.is_ascii_lowercase()
            || (character.is_ascii_digit() && !snake.is_empty())
        {
            snake.push(character);
        } else if !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
    }
    while snake.ends_with('_') {
        snake.pop();
    }
    snake
}

/// The title of an entry that gives none.
pub(super) fn default_title(id: &str) -> String {
    let words = id.replace('_', " ");
    let mut rest = words.chars();
    match rest.next() {
        Some(first) => first.to_uppercase().chain(rest).collect(),
        None => words,
    }
}

/// A name whose title is made from its id.
pub(super) fn plain_name(id: &str) -> Name {
    Name {
        id: id.to_owned(),
        title: default_title(id),
    }
}
