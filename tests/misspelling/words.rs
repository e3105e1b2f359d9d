//! The words of a pack: every key, id, property and function that stands in its files, with its place.

use std::collections::BTreeMap;
use std::ops::Range;

use yukon::diag::{Report, Sources};
use yukon::pack::doc::{Item, Node, Table};
use yukon::pack::keys::{Key, Names, PACK_TABLES, Shape, VARIANT, VARIANT_STEPS};
use yukon::pack::parse::{add_text, parse};
use yukon::repl::board::keys::VIEW;

/// A word of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its first byte in the file.
    pub(crate) start: usize,
    /// One past its last byte.
    pub(crate) end: usize,
    /// Whether something is called so here: a diagnostic may then stand at a use.
    pub(crate) defines: bool,
    /// Whether nothing can speak of what is called so here, so that any name is as good.
    pub(crate) unspoken: bool,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pack,
    View,
    Variant,
}

/// The types of attributes by name.
pub(crate) type Types = BTreeMap<String, String>;

/// Tables of which no other entry and no script can name an entry.
/// Scripts could name abilities, and those of the packs do not, which the test makes sure of.
const UNSPOKEN: [&str; 7] = [
    "ability",
    "modifier",
    "panel",
    "rule",
    "score",
    "statistic",
    "tie",
];

/// Words of the language of scripts that are no names.
const KEYWORDS: [&str; 14] = [
    "break", "const", "continue", "else", "false", "fn", "for", "if", "in", "let", "loop",
    "return", "true", "while",
];

/// The tree of a TOML file, and its text without a byte-order mark.
fn tree(name: &str, bytes: &[u8]) -> (Node, String) {
    let (mut sources, mut report) = (Sources::new(), Report::new());
    let file = add_text(name, bytes, &mut sources, &mut report).expect("a text");
    let tree = parse(file, &sources, &mut report);
    assert!(!report.has_errors(), "{name} is not TOML");
    (tree, sources.get(file).text.clone())
}

/// The attributes that a file declares.
pub(crate) fn types(name: &str, bytes: &[u8], types: &mut Types) {
    fn look(node: &Node, types: &mut Types) {
        let Item::Table(table) = &node.item else {
            return;
        };
        for (key, entry) in table {
            match &entry.value.item {
                Item::Table(declared) if key == "attributes" => {
                    for (name, entry) in declared {
                        if let Item::Text(of) = &entry.value.item {
                            types.insert(name.clone(), of.clone());
                        }
                    }
                }
                _ => look(&entry.value, types),
            }
        }
    }
    look(&tree(name, bytes).0, types);
}

/// The words of a TOML file.
pub(crate) fn of_toml(name: &str, bytes: &[u8], kind: Kind, types: &Types) -> Vec<Word> {
    let (tree, text) = tree(name, bytes);
    let mut finder = Finder {
        text: &text,
        types,
        found: BTreeMap::new(),
        changes: false,
        table: "",
    };
    let Item::Table(table) = &tree.item else {
        panic!("a file is a table");
    };
    match kind {
        Kind::Pack => finder.top(table),
        Kind::View => finder.value(&tree, &Shape::Table(&VIEW)),
        Kind::Variant => finder.variant(table),
    }
    finder.headers();
    finder.found.into_values().collect()
}

/// The words of a script.
pub(crate) fn of_script(bytes: &[u8]) -> Vec<Word> {
    let text = str::from_utf8(bytes).expect("a text");
    let types = Types::new();
    let mut finder = Finder {
        text,
        types: &types,
        found: BTreeMap::new(),
        changes: false,
        table: "",
    };
    finder.script(0..text.len(), false);
    finder.found.into_values().collect()
}

struct Finder<'a> {
    text: &'a str,
    types: &'a Types,
    /// Words by where they start.
    found: BTreeMap<usize, Word>,
    /// Whether tables by new names change what is there.
    changes: bool,
    /// The table whose entries are looked at.
    table: &'static str,
}

impl Finder<'_> {
    fn add(&mut self, at: Range<usize>, defines: bool, unspoken: bool) {
        // Keys in quotes are named without them.
        let quoted = self.text[at.clone()].starts_with(['"', '\'']);
        let (start, end) = match quoted {
            true => (at.start + 1, at.end - 1),
            false => (at.start, at.end),
        };
        // Keys that are no words, such as numbers, cannot be misspelt.
        let is_word = self.text[start..end].starts_with(|c: char| c.is_ascii_alphabetic());
        if is_word {
            self.found.entry(start).or_insert(Word {
                start,
                end,
                defines,
                unspoken,
            });
        }
    }

    /// The tables of a pack.
    fn top(&mut self, table: &Table) {
        for (name, entry) in table {
            let at = entry.key.start as usize..entry.key.end as usize;
            self.add(at, false, false);
            if name == "view" {
                self.value(&entry.value, &Shape::Table(&VIEW));
            } else if let Some(key) = PACK_TABLES.iter().find(|key| key.name == name) {
                self.key_value(&entry.value, key);
            }
        }
    }

    fn variant(&mut self, table: &Table) {
        let mut changes = table.clone();
        for (name, shape) in [("variant", Some(&VARIANT)), ("add", None)] {
            let Some(entry) = changes.remove(name) else {
                continue;
            };
            let at = entry.key.start as usize..entry.key.end as usize;
            self.add(at, false, false);
            match (shape, &entry.value.item) {
                (Some(keys), _) => self.value(&entry.value, &Shape::Table(keys)),
                (None, Item::Table(added)) => self.top(added),
                _ => {}
            }
        }
        self.changes = true;
        self.top(&changes);
    }

    fn key_value(&mut self, node: &Node, key: &Key) {
        let outer = self.table;
        if matches!(key.shape, Shape::Map(Names::New(_), _)) {
            self.table = key.name;
        }
        self.value(node, &key.shape);
        self.table = outer;
    }

    fn value(&mut self, node: &Node, shape: &Shape) {
        let range = node.span.start as usize..node.span.end as usize;
        match (&node.item, shape) {
            (_, Shape::Either(shapes)) => {
                let fits = |shape: &&Shape| match (&node.item, shape) {
                    (Item::Table(_), Shape::Table(_) | Shape::Map(..)) => true,
                    (Item::List(_), Shape::List(_)) => true,
                    (
                        Item::Text(_),
                        Shape::Table(_)
                        | Shape::Map(..)
                        | Shape::List(_)
                        | Shape::Int(..)
                        | Shape::Bool,
                    ) => false,
                    (Item::Text(_), _) => true,
                    _ => false,
                };
                if let Some(shape) = shapes.iter().find(fits) {
                    self.value(node, shape);
                }
            }
            (Item::Table(table), Shape::Table(keys)) => {
                for (name, entry) in table {
                    let at = entry.key.start as usize..entry.key.end as usize;
                    self.add(at, false, false);
                    let key = keys.get(name).or_else(|| VARIANT_STEPS.get(name));
                    match (key, self.types.get(name).map(String::as_str)) {
                        (Some(key), _) => self.key_value(&entry.value, key),
                        // The type of an attribute says what its text is.
                        (None, Some("text")) => {}
                        (None, _) => self.value(&entry.value, &Shape::Value),
                    }
                }
            }
            (Item::Table(table), Shape::Map(names, inner)) => {
                let defines = matches!(names, Names::New(_)) && !self.changes;
                let unspoken = defines && UNSPOKEN.contains(&self.table);
                for entry in table.values() {
                    let at = entry.key.start as usize..entry.key.end as usize;
                    self.add(at, defines, unspoken);
                    self.value(&entry.value, inner);
                }
            }
            // A variant calls elements of lists by name.
            (Item::Table(table), Shape::List(inner)) => {
                for entry in table.values() {
                    let at = entry.key.start as usize..entry.key.end as usize;
                    self.add(at, false, false);
                    self.value(&entry.value, inner);
                }
            }
            (Item::List(list), Shape::List(inner)) => {
                for node in list {
                    self.value(node, inner);
                }
            }
            (Item::Text(_), Shape::Prose) => {}
            (Item::Text(_), Shape::Template) => self.template(inner(self.text, range)),
            // The parameters of an effect are named where its type is.
            (Item::Text(_), Shape::Type) => {
                let range = inner(self.text, range);
                let open = self.text[range.clone()].find('(');
                let open = open.map_or(range.end, |at| range.start + at);
                self.script(range.start..open, false);
                self.script(open..range.end, true);
            }
            (Item::Text(_), Shape::NewName(_)) => self.script(inner(self.text, range), true),
            (Item::Text(_), _) => self.script(inner(self.text, range), false),
            _ => {}
        }
    }

    /// Names in braces.
    fn template(&mut self, range: Range<usize>) {
        let mut from = range.start;
        while let Some(open) = self.text[from..range.end].find('{') {
            let open = from + open + 1;
            let Some(length) = self.text[open..range.end].find(['}', ':']) else {
                return;
            };
            self.add(open..open + length, false, false);
            from = open + length;
        }
    }

    /// The words of headers: a table that has several is only once in the tree.
    fn headers(&mut self) {
        let text = self.text;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let header = line.trim_end();
            if header.starts_with('[') && header.ends_with(']') && !header.contains([',', '{', ' '])
            {
                let mut at = start;
                for (depth, part) in header.split(['[', ']', '.']).enumerate() {
                    let depth = depth.saturating_sub(usize::from(header.starts_with("[[")));
                    if !part.is_empty() {
                        let unspoken = depth > 1
                            && UNSPOKEN
                                .iter()
                                .any(|name| header[..at - start].ends_with(&format!("{name}.")));
                        self.add(at..at + part.len(), depth > 1, unspoken);
                    }
                    at += part.len() + 1;
                }
            }
            start += line.len();
        }
    }

    /// The identifiers of a script, without keywords, comments and texts.
    fn script(&mut self, range: Range<usize>, defines: bool) {
        let (text, mut at) = (&self.text[..range.end], range.start);
        let bytes = text.as_bytes();
        let (mut last, mut bars, mut parameters) = ("", false, false);
        while at < bytes.len() {
            let rest = &text[at..];
            match bytes[at] {
                b'/' if rest.starts_with("//") => at += rest.find('\n').unwrap_or(rest.len()),
                b'"' => at += rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                b'`' => {
                    let length = rest[1..].find('`').map_or(rest.len(), |end| end + 2);
                    self.interpolated(at..at + length);
                    at += length;
                }
                byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
                    let length = rest.find(other).unwrap_or(rest.len());
                    let word = &rest[..length];
                    if !KEYWORDS.contains(&word) {
                        let given =
                            bars || parameters || matches!(last, "let" | "const" | "fn" | "for");
                        self.add(at..at + length, defines || given, false);
                    }
                    parameters |= last == "fn";
                    last = word;
                    at += length;
                }
                byte => {
                    match byte {
                        b'|' if rest.starts_with("||") => at += 1,
                        b'|' => bars = !bars,
                        b')' | b'{' => parameters = false,
                        _ => {}
                    }
                    if !byte.is_ascii_whitespace() {
                        last = "";
                    }
                    at += rest.chars().next().map_or(1, char::len_utf8);
                }
            }
        }
    }

    /// The identifiers between `${` and `}`.
    fn interpolated(&mut self, range: Range<usize>) {
        let mut from = range.start;
        while let Some(open) = self.text[from..range.end].find("${") {
            let open = from + open + 2;
            let close = self.text[open..range.end].find('}');
            let close = close.map_or(range.end, |length| open + length);
            self.script(open..close, false);
            from = close;
        }
    }
}

/// A quoted text without its quotes.
fn inner(text: &str, range: Range<usize>) -> Range<usize> {
    let raw = &text[range.clone()];
    let quotes = match raw.starts_with("\"\"\"") || raw.starts_with("'''") {
        true => 3,
        false => 1,
    };
    range.start + quotes..range.end - quotes
}
