//! Reading the fields of a table, each with the type that it must have. Which keys there are is declared in
//! [`keys`](super::keys); others are unknown.

use std::ops::RangeInclusive;

use crate::diag::{Diagnostic, Report, Sources, Span, nearest};

use super::codes;
use super::doc::{Entry, Item, Node, Table};
use super::keys::{self, Keys, Need, Shape};
use super::model::{Provenance, Snippet};

/// A value with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<T> {
    /// The value.
    pub(crate) value: T,
    /// Where it stands.
    pub(crate) span: Span,
}

/// The fields of a table while it is read.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    /// What the table is, for messages, such as "zone `hand`".
    pub(crate) what: String,
    /// Where it stands.
    pub(crate) span: Span,
    table: &'a Table,
    keys: &'static Keys,
    /// What was asked for, so that nothing is declared that is never read.
    #[cfg(debug_assertions)]
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of a table.
    pub(crate) fn new(
        what: impl Into<String>,
        span: Span,
        table: &'a Table,
        keys: &'static Keys,
    ) -> Self {
        Self {
            what: what.into(),
            span,
            table,
            keys,
            #[cfg(debug_assertions)]
            asked: Vec::new(),
        }
    }

    /// The fields of a node, which must be a table.
    pub(crate) fn of(
        what: impl Into<String>,
        span: Span,
        node: &'a Node,
        keys: &'static Keys,
        report: &mut Report,
    ) -> Option<Self> {
        let what = what.into();
        match &node.item {
            Item::Table(table) => Some(Self::new(what, span, table, keys)),
            _ => {
                wrong_type(report, &what, "a table", node);
                None
            }
        }
    }

    /// All that is given.
    pub(crate) fn given(&self) -> &'a Table {
        self.table
    }

    /// Whether a key is given; does not count as asking for it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Where a key stands, or the whole if it is not given.
    pub(crate) fn key_span(&self, key: &str) -> Span {
        self.table.get(key).map_or(self.span, |entry| entry.key)
    }

    /// The value of a key, of any type.
    pub(crate) fn node(&mut self, key: &'static str) -> Option<&'a Node> {
        debug_assert!(
            self.keys.get(key).is_some(),
            "`{key}` of {} is not declared",
            self.what
        );
        #[cfg(debug_assertions)]
        self.asked.push(key);
        self.table.get(key).map(|entry| &entry.value)
    }

    /// The value of a key that is declared to hold what is asked for.
    fn node_as(&mut self, key: &'static str, wanted: fn(&Shape) -> bool) -> Option<&'a Node> {
        debug_assert!(
            self.keys.get(key).is_none_or(|key| wanted(&key.shape)),
            "`{key}` of {} is declared to be something else",
            self.what
        );
        self.node(key)
    }

    /// The keys that are declared.
    pub(crate) fn known(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keys.names()
    }

    /// The keys that are not declared.
    pub(crate) fn rest(&self) -> impl Iterator<Item = (&'a str, &'a Entry)> + use<'a> {
        self.check_asked();
        let keys = self.keys;
        self.table
            .iter()
            .filter(move |(key, _)| keys.get(key).is_none())
            .map(|(key, entry)| (key.as_str(), entry))
    }

    /// Sees that all that is declared was asked for: a key that is never read would be taken without a
    /// word, and do nothing.
    fn check_asked(&self) {
        #[cfg(debug_assertions)]
        for key in self.keys.names() {
            assert!(
                self.table.is_empty() || self.asked.contains(&key),
                "`{key}` of {} is declared and never read",
                self.what
            );
        }
    }

    /// Reports the keys that are not declared, and those that must be given and are not.
    pub(crate) fn finish(&self, report: &mut Report) {
        for (key, entry) in self.rest().filter(|(key, _)| !self.keys.takes(key)) {
            self.unknown(key, entry, report);
        }
        for key in self.keys.all() {
            if key.need == Need::Always && !self.has(key.name) {
                self.missing(key.name, report);
            }
        }
    }

    /// Reports a key that is not declared.
    fn unknown(&self, key: &str, entry: &Entry, report: &mut Report) {
        let mut known: Vec<&str> = self.known().collect();
        known.sort_unstable();
        let suggested = Diagnostic::error(
            codes::UNKNOWN_KEY,
            entry.key,
            format!("{} has no key `{key}`", self.what),
        )
        .label("unknown key")
        .suggest(key, known.iter().copied());
        report.push(match suggested.help.is_empty() {
            true => {
                let suggested = match keys::tables_with(key) {
                    tables if tables.is_empty() => suggested,
                    tables => {
                        let tables: Vec<String> =
                            tables.iter().map(|table| format!("[{table}.ID]")).collect();
                        let tables = list(tables.iter().map(String::as_str));
                        suggested.help(format!("`{key}` is a key of {tables}"))
                    }
                };
                suggested.help(format!("its keys are {}", list(known)))
            }
            false => suggested,
        });
    }

    /// Reports that a key is missing: where it may stand misspelt, or for the whole.
    pub(crate) fn missing(&self, key: &str, report: &mut Report) {
        let keys = self.keys;
        let strange = self.table.keys().map(String::as_str);
        let strange = strange.filter(|name| keys.get(name).is_none());
        if let Some(misspelt) = nearest(key, strange)
            && nearest(misspelt, self.known()) == Some(key)
        {
            return self.unknown(misspelt, &self.table[misspelt], report);
        }
        report.push(
            Diagnostic::error(
                codes::MISSING_KEY,
                self.span,
                format!("{} needs a key `{key}`", self.what),
            )
            .label(format!("`{key}` is missing")),
        );
    }

    /// What a key of this table is, for messages.
    fn what_of(&self, key: &str) -> String {
        format!("`{key}` of {}", self.what)
    }

    /// A text, if given.
    pub(crate) fn text(&mut self, key: &'static str, report: &mut Report) -> Option<At<&'a str>> {
        let node = self.node_as(key, Shape::is_text)?;
        as_text(&self.what_of(key), node, report)
    }

    /// Reports a key that must be given and is not.
    pub(crate) fn need(&self, key: &'static str, report: &mut Report) {
        debug_assert!(
            self.keys
                .get(key)
                .is_none_or(|key| key.need == Need::Always),
            "`{key}` of {} is declared as one that can be left out",
            self.what
        );
        if !self.has(key) {
            self.missing(key, report);
        }
    }

    /// A text that must be given.
    pub(crate) fn need_text(
        &mut self,
        key: &'static str,
        report: &mut Report,
    ) -> Option<At<&'a str>> {
        self.need(key, report);
        self.text(key, report)
    }

    /// What something is called, if given: not nothing at all, since people are shown it.
    pub(crate) fn title(&mut self, key: &'static str, report: &mut Report) -> Option<At<&'a str>> {
        let title = self.text(key, report)?;
        refuse_empty(&self.what_of(key), title, report).then_some(title)
    }

    /// The range of the numbers that a key holds.
    pub(crate) fn range(&self, key: &str) -> RangeInclusive<i64> {
        let range = self.keys.get(key).and_then(|key| key.shape.range());
        debug_assert!(range.is_some(), "`{key}` of {} is no number", self.what);
        range.unwrap_or(i64::MIN..=i64::MAX)
    }

    /// A whole number in the range that is declared, if given.
    pub(crate) fn int(&mut self, key: &'static str, report: &mut Report) -> Option<At<i64>> {
        let node = self.node(key)?;
        as_int(&self.what_of(key), node, self.range(key), report)
    }

    /// `true` or `false`, if given.
    pub(crate) fn bool(&mut self, key: &'static str, report: &mut Report) -> Option<At<bool>> {
        let node = self.node_as(key, Shape::is_bool)?;
        match node.item {
            Item::Bool(value) => Some(At {
                value,
                span: node.span,
            }),
            _ => {
                wrong_type(report, &self.what_of(key), "`true` or `false`", node);
                None
            }
        }
    }

    /// A list, if given.
    pub(crate) fn list(&mut self, key: &'static str, report: &mut Report) -> Option<&'a [Node]> {
        let node = self.node_as(key, Shape::is_list)?;
        match &node.item {
            Item::List(list) => Some(list),
            _ => {
                wrong_type(report, &self.what_of(key), "a list", node);
                None
            }
        }
    }

    /// A list of texts; empty if not given.
    pub(crate) fn texts(&mut self, key: &'static str, report: &mut Report) -> Vec<At<&'a str>> {
        let what = format!("an element of {}", self.what_of(key));
        self.list(key, report)
            .unwrap_or_default()
            .iter()
            .filter_map(|node| as_text(&what, node, report))
            .collect()
    }

    /// A table, if given.
    pub(crate) fn table(&mut self, key: &'static str, report: &mut Report) -> Option<&'a Table> {
        let node = self.node_as(key, Shape::is_table)?;
        match &node.item {
            Item::Table(table) => Some(table),
            _ => {
                wrong_type(report, &self.what_of(key), "a table", node);
                None
            }
        }
    }

    /// One of several words, if given.
    pub(crate) fn word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
        report: &mut Report,
    ) -> Option<T> {
        debug_assert!(
            self.keys
                .get(key)
                .is_none_or(|key| key.shape.is_one_of(words)),
            "the words of `{key}` of {} are not those that are declared",
            self.what
        );
        let text = self.text(key, report)?;
        one_word(&self.what_of(key), text, words, report)
    }

    /// An expression, if given.
    pub(crate) fn snippet(
        &mut self,
        key: &'static str,
        sources: &Sources,
        report: &mut Report,
    ) -> Option<Snippet> {
        let node = self.node_as(key, Shape::is_script)?;
        as_snippet(&self.what_of(key), node, sources, report)
    }
}

/// Names in backquotes: "`a`, `b` and `c`".
pub(crate) fn list<'b>(names: impl IntoIterator<Item = &'b str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// A range in words, where either end may be open.
pub(crate) fn range_in_words(least: Option<i64>, most: Option<i64>) -> String {
    match (least, most) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "any number".to_owned(),
    }
}

/// Reports a value of a wrong type.
pub(crate) fn wrong_type(report: &mut Report, what: &str, expected: &str, node: &Node) {
    report.push(
        Diagnostic::error(
            codes::WRONG_TYPE,
            node.span,
            format!("{what} must be {expected}"),
        )
        .label(format!("found {}", node.item.describe())),
    );
}

/// Whether a text that people are shown says something; reports it if not.
pub(super) fn refuse_empty(what: &str, text: At<&str>, report: &mut Report) -> bool {
    let says = !text.value.trim().is_empty();
    if !says {
        report.push(
            Diagnostic::error(codes::OUT_OF_RANGE, text.span, format!("{what} is empty"))
                .label("expected a text that people can read"),
        );
    }
    says
}

/// A text.
pub(crate) fn as_text<'a>(what: &str, node: &'a Node, report: &mut Report) -> Option<At<&'a str>> {
    match &node.item {
        Item::Text(text) => Some(At {
            value: text,
            span: node.span,
        }),
        _ => {
            wrong_type(report, what, "a text", node);
            None
        }
    }
}

/// A whole number in a range.
pub(crate) fn as_int(
    what: &str,
    node: &Node,
    range: RangeInclusive<i64>,
    report: &mut Report,
) -> Option<At<i64>> {
    match node.item {
        Item::Int(value) if range.contains(&value) => Some(At {
            value,
            span: node.span,
        }),
        Item::Int(value) => {
            report.push(
                Diagnostic::error(
                    codes::OUT_OF_RANGE,
                    node.span,
                    format!("{what} is out of range"),
                )
                .label(format!(
                    "expected {} to {}, found {value}",
                    range.start(),
                    range.end()
                )),
            );
            None
        }
        _ => {
            wrong_type(report, what, "a whole number", node);
            None
        }
    }
}

/// An expression: a text, or a number or truth value that stands for itself.
pub(crate) fn as_snippet(
    what: &str,
    node: &Node,
    sources: &Sources,
    report: &mut Report,
) -> Option<Snippet> {
    let text = match &node.item {
        Item::Text(text) => {
            return Some(Snippet {
                text: text.clone(),
                span: inside_quotes(node.span, sources),
            });
        }
        Item::Int(value) => value.to_string(),
        Item::Bool(value) => value.to_string(),
        _ => {
            wrong_type(report, what, "an expression in quotes", node);
            return None;
        }
    };
    Some(Snippet {
        text,
        span: node.span,
    })
}

/// The characters of a quoted text. They are the text itself unless it has escapes.
fn inside_quotes(span: Span, sources: &Sources) -> Span {
    let raw = sources.text(span);
    for quotes in ["\"\"\"", "'''", "\"", "'"] {
        let inner = raw
            .strip_prefix(quotes)
            .and_then(|rest| rest.strip_suffix(quotes));
        if let Some(inner) = inner {
            // TOML leaves out a line break right after three quotes.
            let skipped = match quotes.len() {
                3 if inner.starts_with("\r\n") => 2,
                3 if inner.starts_with('\n') => 1,
                _ => 0,
            };
            return Span {
                file: span.file,
                start: span.start + (quotes.len() + skipped) as u32,
                end: span.end - quotes.len() as u32,
            };
        }
    }
    span
}

/// The value that a word stands for.
pub(crate) fn one_word<T: Copy>(
    what: &str,
    text: At<&str>,
    words: &[(&str, T)],
    report: &mut Report,
) -> Option<T> {
    let found = words.iter().find(|(word, _)| *word == text.value);
    if found.is_none() {
        report.push(
            Diagnostic::error(
                codes::BAD_CHOICE_OF_WORD,
                text.span,
                format!("{what} cannot be `{}`", text.value),
            )
            .label(format!(
                "expected one of {}",
                list(words.iter().map(|(word, _)| *word))
            ))
            .suggest(text.value, words.iter().map(|(word, _)| *word)),
        );
    }
    found.map(|(_, value)| *value)
}

/// A `provenance`.
pub(crate) fn provenance_word(node: &Node, report: &mut Report) -> Option<Provenance> {
    let text = as_text("`provenance`", node, report)?;
    let words = [
        ("printed", Provenance::Printed),
        ("inferred", Provenance::Inferred),
        ("reconstructed", Provenance::Reconstructed),
    ];
    one_word("`provenance`", text, &words, report)
}
