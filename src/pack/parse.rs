//! TOML texts to trees with spans, and the trees of a pack's files to one document.

use std::collections::{BTreeSet, btree_map};
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::diag::{Diagnostic, FileId, Report, Sources, Span};

use super::codes;
use super::doc::{Document, Entry, Item, Node, Table};
use super::doubts::Doubts;
use super::fields::provenance_word;
use super::names::{is_table, unknown_table};

/// Larger files are refused, which keeps spans within their type.
const MOST_BYTES: usize = 16 << 20;

/// More files are refused, which keeps the ids of files within their type.
const MOST_FILES: usize = 10_000;

/// More dots in one key are refused: every part of a key nests one level deeper, and trees are walked
/// by recursion.
const MOST_DOTS: usize = 200;

/// Adds the text of a file to the sources. What is wrong with its bytes is reported, and the text
/// repaired, so that the rest can still be looked at.
pub fn add_text(
    name: &str,
    bytes: &[u8],
    sources: &mut Sources,
    report: &mut Report,
) -> Option<FileId> {
    if sources.iter().count() >= MOST_FILES {
        report.push(Diagnostic::placeless(
            codes::FILE_SIZE,
            format!("the pack has more than {MOST_FILES} files: `{name}` is not read"),
        ));
        return None;
    }
    if bytes.len() > MOST_BYTES {
        let message = format!(
            "`{name}` has {} bytes: a file has at most {MOST_BYTES}",
            bytes.len()
        );
        report.push(
            Diagnostic::placeless(codes::FILE_SIZE, message)
                .help("rules are small: is it another file that was saved under this name?"),
        );
        return None;
    }
    // Editors of some systems write a byte order mark, which is no part of the text.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let wide = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    match str::from_utf8(bytes) {
        Ok(text) => Some(sources.add(name, text)),
        Err(error) => {
            let at = error.valid_up_to();
            let file = sources.add(name, String::from_utf8_lossy(bytes));
            let bad = Span::new(file, at, at + char::REPLACEMENT_CHARACTER.len_utf8());
            let help = match wide {
                true => "the file looks like UTF-16: save it as UTF-8",
                false => "save the file as UTF-8",
            };
            report.push(
                Diagnostic::error(codes::ENCODING, bad, "the file is not UTF-8")
                    .label(format!("byte 0x{:02x}", bytes[at]))
                    .help(help),
            );
            // Of another encoding nothing can be told but that.
            (!wide).then_some(file)
        }
    }
}

/// Adds the text of a file to the sources and parses it as TOML. There is nothing if it cannot be read at
/// all; what else is not known of it is in doubt.
pub(super) fn read_text(
    name: &str,
    bytes: &[u8],
    sources: &mut Sources,
    report: &mut Report,
    doubts: &mut Doubts,
) -> Option<Node> {
    let before = report.diagnostics.len();
    let Some(file) = add_text(name, bytes, sources, report) else {
        doubts.of_lost_data();
        return None;
    };
    let tree = parse(file, sources, report);
    doubts.of_file(&tree, &report.diagnostics[before..], sources);
    Some(tree)
}

/// Parses a file of the sources as TOML. All errors that the parser can find are reported; the tree
/// then holds what could be understood.
pub fn parse(file: FileId, sources: &Sources, report: &mut Report) -> Node {
    let text = &sources.get(file).text;
    if let Some(span) = deep_key(file, text) {
        report.push(
            Diagnostic::error(codes::SYNTAX, span, "a key has too many parts")
                .label(format!("at most {MOST_DOTS} dots can follow each other")),
        );
        return Node {
            span: Span::new(file, 0, 0),
            item: Item::Table(Table::new()),
        };
    }
    let (table, mut errors) = DeTable::parse_recoverable(text);
    let place = |error: &toml::de::Error| error.span().unwrap_or(text.len()..text.len());
    errors.sort_by_key(|error| place(error).start);
    let mut before = None;
    let mut lists = BTreeSet::new();
    let mut open = None;
    let mut doubled = 0..0;
    for error in errors {
        let range = place(&error);
        // What else is wrong with a line mostly follows from the first.
        let line = text[..range.start.min(text.len())].matches('\n').count();
        if before.replace(line) == Some(line) {
            continue;
        }
        if let Some(opening) = unclosed(table.get_ref(), text, range.start) {
            if open.replace(opening) != Some(opening) {
                report.push(never_closed(file, text, opening));
            }
            continue;
        }
        if error.message().starts_with("invalid multi-line")
            && let before = &text[..range.start]
            && let Some(opening) = before.rfind("\"\"\"").max(before.rfind("'''"))
        {
            report.push(never_closed(file, text, opening));
            continue;
        }
        let (message, expected) = match error.message().split_once(", expected ") {
            Some((message, expected)) => (message, expected),
            None => (error.message(), ""),
        };
        let missing = text
            .get(range.clone())
            .is_some_and(|text| text.trim().is_empty());
        let message = match message {
            "string values must be quoted" if missing => "a value is missing",
            message => message,
        };
        let expected = match expected {
            "literal string" => "a text in quotes, a number, `true` or `false`",
            expected => expected,
        };
        let mut diagnostic = Diagnostic::error(
            codes::SYNTAX,
            Span::new(file, range.start, range.end),
            format!("the file is not TOML: {message}"),
        );
        if text
            .get(range.start..)
            .is_some_and(|rest| rest.starts_with(':'))
        {
            diagnostic = diagnostic.help("between a key and its value stands `=`");
        }
        if message == "duplicate key" {
            // The keys under a header that is given again mostly stand under the first too.
            if doubled.contains(&range.start) {
                continue;
            }
            // Of a list of tables that another table stands before, each element would be told.
            let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
            let header = text[line..].lines().next().unwrap_or_default();
            if header.starts_with('[') {
                let under = line + header.len();
                let end = text[under..]
                    .find("\n[")
                    .map_or(text.len(), |at| under + at);
                doubled = under..end;
            }
            if header.starts_with("[[") && !lists.insert(header) {
                continue;
            }
            diagnostic = diagnostic
                .label("given again")
                .help("a table has each key once, and each header stands once in a file");
            if let Some(first) = given_before(text, range) {
                let first = Span::new(file, first.start, first.end);
                diagnostic = diagnostic.other(first, "given here before");
            }
        } else if !expected.is_empty() {
            diagnostic = diagnostic.label(format!("expected {expected}"));
        }
        report.push(diagnostic);
    }
    let mut builder = Builder { file, report };
    Node {
        span: Span::new(file, 0, 0),
        item: Item::Table(builder.table(table.get_ref())),
    }
}

/// Where the key or header is given that is given again at a place: within the table, or in the file.
fn given_before(text: &str, again: Range<usize>) -> Option<Range<usize>> {
    let key = text.get(again.clone())?;
    let line = text[..again.start].rfind('\n').map_or(0, |at| at + 1);
    let whole = text[line..].lines().next()?.trim_end();
    let bare = |line: &str| line.trim_matches(['[', ']', ' ', '\r', '\n']).to_owned();
    let is_header = whole.starts_with('[');
    let start = match is_header {
        true => 0,
        false => text[..line].rfind("\n[").map_or(0, |at| at + 1),
    };
    let mut at = start;
    text[start..line].split_inclusive('\n').find_map(|other| {
        let begin = at;
        at += other.len();
        let written = other.trim_end();
        let same = match is_header {
            true => written.starts_with('[') && bare(written) == bare(whole),
            false => other
                .strip_prefix(key)
                .is_some_and(|rest| rest.trim_start().starts_with('=')),
        };
        let column = match is_header {
            true => written.rfind(key).unwrap_or(0),
            false => 0,
        };
        same.then_some(begin + column..begin + column + key.len())
    })
}

/// Where the list or table in braces begins that holds the place of an error and a heading before that,
/// which is what one that nobody closed does.
fn unclosed(table: &DeTable<'_>, text: &str, error: usize) -> Option<usize> {
    table.iter().find_map(|(_, value)| {
        let span = value.span();
        let opens = text[span.start..].starts_with(['[', '{']);
        let line = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let is_value = opens && text[line..span.start].trim_end().ends_with('=');
        match value.get_ref() {
            _ if is_value && (span.start..=span.end).contains(&error) => {
                let held = text.get(span.start..=error).unwrap_or_default();
                held.contains("\n[").then_some(span.start)
            }
            DeValue::Table(inner) => unclosed(inner, text, error),
            _ => None,
        }
    })
}

/// Reports what opens at a place and is not closed.
fn never_closed(file: FileId, text: &str, opening: usize) -> Diagnostic {
    let (what, close) = match text.as_bytes()[opening] {
        b'[' => ("a list", "]"),
        b'{' => ("a table in braces", "}"),
        b'"' => ("a text of several lines", "\"\"\""),
        _ => ("a text of several lines", "'''"),
    };
    Diagnostic::error(
        codes::SYNTAX,
        Span::new(file, opening, opening + close.len()),
        format!("the file is not TOML: {what} is not closed"),
    )
    .label(format!("expected a `{close}` for this one"))
}

/// A stretch of text that would be too deep if it were a key.
fn deep_key(file: FileId, text: &str) -> Option<Span> {
    let mut start = 0;
    for stretch in text.split_inclusive(['\n', '=', ',']) {
        if stretch.bytes().filter(|byte| *byte == b'.').count() > MOST_DOTS {
            return Some(Span::new(file, start, start + stretch.trim_end().len()));
        }
        start += stretch.len();
    }
    None
}

/// Turns the parser's values into ours.
struct Builder<'a> {
    file: FileId,
    report: &'a mut Report,
}

impl Builder<'_> {
    fn table(&mut self, table: &DeTable<'_>) -> Table {
        let entries = table.iter().map(|(key, value)| {
            let span = key.span();
            let entry = Entry {
                key: Span::new(self.file, span.start, span.end),
                value: self.node(value.span(), value.get_ref()),
            };
            (key.get_ref().to_string(), entry)
        });
        entries.collect()
    }

    fn node(&mut self, range: std::ops::Range<usize>, value: &DeValue<'_>) -> Node {
        let span = Span::new(self.file, range.start, range.end);
        let item = match value {
            DeValue::String(text) => Item::Text(text.to_string()),
            DeValue::Integer(number) => {
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => Item::Int(number),
                    Err(_) => {
                        self.report.push(
                            Diagnostic::error(
                                codes::OUT_OF_RANGE,
                                span,
                                format!("the number `{number}` is out of range"),
                            )
                            .label("expected a whole number of 64 bits"),
                        );
                        Item::Int(0)
                    }
                }
            }
            DeValue::Boolean(value) => Item::Bool(*value),
            DeValue::Float(_) => Item::Other("a number with a fraction"),
            DeValue::Datetime(_) => Item::Other("a date or time"),
            DeValue::Array(array) => Item::List(
                array
                    .iter()
                    .map(|value| self.node(value.span(), value.get_ref()))
                    .collect(),
            ),
            DeValue::Table(table) => Item::Table(self.table(table)),
        };
        Node { span, item }
    }
}

/// The name of the file that is a document of its own.
const VIEW: &str = "view.toml";

impl Document {
    /// Merges a file's tree into the document: by top-level table, then by entry. An entry that is
    /// there already is reported, with both places.
    pub fn merge(&mut self, name: &str, tree: Node, report: &mut Report) {
        if name == VIEW || name.ends_with("/view.toml") {
            self.view = Some(tree);
            return;
        }
        let file = tree.span.file;
        let Item::Table(tables) = tree.item else {
            return;
        };
        for (name, table) in tables {
            if name == "provenance" {
                if let Some(provenance) = provenance_word(&table.value, report) {
                    self.provenance.insert(file, provenance);
                }
                continue;
            }
            let Item::Table(new) = table.value.item else {
                if !is_table(&name) {
                    report.push(unknown_table(&name, table.key));
                    continue;
                }
                report.push(
                    Diagnostic::error(
                        codes::WRONG_TYPE,
                        table.value.span,
                        format!("`{name}` must be a table"),
                    )
                    .label(format!("found {}", table.value.item.describe()))
                    .help(format!("write `[{name}.ID]` above the entry")),
                );
                continue;
            };
            match self.root.entry(name) {
                btree_map::Entry::Vacant(vacant) => {
                    vacant.insert(Entry {
                        key: table.key,
                        value: Node {
                            span: table.value.span,
                            item: Item::Table(new),
                        },
                    });
                }
                btree_map::Entry::Occupied(mut occupied) => {
                    let name = occupied.key().clone();
                    if let Item::Table(old) = &mut occupied.get_mut().value.item {
                        merge_entries(&name, old, new, report);
                    }
                }
            }
        }
    }
}

/// Adds the entries of one top-level table to those of the files before.
fn merge_entries(name: &str, old: &mut Table, new: Table, report: &mut Report) {
    for (id, entry) in new {
        match old.entry(id) {
            btree_map::Entry::Vacant(vacant) => {
                vacant.insert(entry);
            }
            btree_map::Entry::Occupied(occupied) => {
                report.push(
                    Diagnostic::error(
                        codes::ENTRY_TWICE,
                        entry.key,
                        format!("`{name}.{}` is given in two files", occupied.key()),
                    )
                    .label("given again here")
                    .other(occupied.get().key, "given here before")
                    .help("give the entry in one file only"),
                );
            }
        }
    }
}
