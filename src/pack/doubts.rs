//! What cannot be known because of errors that were told already, so that all errors can be told at once
//! and none that would vanish when another is mended.
//!
//! A file of TOML is looked at in blocks: from a line that begins with `[` to the next such line. What a
//! block with an error declares is doubtful: another error that speaks of it is kept back. Where a block
//! could not be parsed, nothing else is told of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::diag::{Diagnostic, FileId, Report, Severity, Sources, Span};

use super::codes;
use super::doc::{Item, Node, Table};
use super::keys::{Keys, PACK_TABLES, Shape, VARIANT, VARIANT_STEPS};

/// Warnings about the text of one script, which nothing elsewhere can make wrong.
const LOCAL_WARNINGS: [&str; 3] = ["Y0350", "Y0351", "Y0355"];

/// Errors of data that no declaration elsewhere can mend.
const SETTLED_DATA: [&str; 21] = [
    codes::SYNTAX,
    codes::ENCODING,
    codes::ENTRY_TWICE,
    codes::UNKNOWN_TABLE,
    codes::UNKNOWN_KEY,
    codes::WRONG_TYPE,
    codes::MISSING_KEY,
    codes::OUT_OF_RANGE,
    codes::BAD_ID,
    codes::KEYWORD_ID,
    codes::ID_TWICE,
    codes::EXACTLY_ONE,
    codes::TOO_MANY,
    codes::LISTED_TWICE,
    codes::BAD_CHOICE_OF_WORD,
    codes::TITLE_TWICE,
    codes::BAD_EDGE,
    codes::UNDECLARED_ATTRIBUTE,
    codes::BAD_PLACEHOLDER,
    codes::START_VALUE,
    codes::BAD_NUMBERING,
];

/// Errors of scripts that stay whatever the data declare: of how a script is written, and of functions.
const SETTLED_SCRIPT: [&str; 19] = [
    codes::SYNTAX,
    codes::ENCODING,
    "Y0201",
    "Y0202",
    "Y0203",
    "Y0204",
    "Y0205",
    "Y0206",
    "Y0207",
    "Y0209",
    "Y0221",
    "Y0301",
    "Y0306",
    "Y0307",
    "Y0308",
    "Y0322",
    "Y0325",
    "Y0350",
    "Y0351",
];

/// Errors that a function of another script could mend, or a call of one by it.
const OF_FUNCTIONS: [&str; 6] = ["Y0223", "Y0224", "Y0313", "Y0322", "Y0333", "Y0335"];

/// What a pack's errors leave in doubt.
#[derive(Clone, Debug, Default)]
pub struct Doubts {
    /// Names that doubtful blocks give or use, and where.
    names: BTreeMap<String, Vec<Span>>,
    /// Blocks of which it is not known what they say.
    unreadable: Vec<Span>,
    /// Places of errors.
    told: Vec<Span>,
    /// Whether a whole file of data is not known, so that any name could be declared.
    lost_data: bool,
    /// Whether a whole script is not known, so that any function could be defined.
    lost_script: bool,
    /// Whether there is any doubt.
    any: bool,
}

/// What is looked at for errors after others were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The data.
    Data,
    /// Scripts, which speak of the data by name.
    Scripts,
}

impl Doubts {
    /// Takes note of a file that was parsed to a tree, with the errors that were found in it.
    pub(super) fn of_file(&mut self, tree: &Node, errors: &[Diagnostic], sources: &Sources) {
        if errors.is_empty() {
            return;
        }
        let file = tree.span.file;
        let mut keys = BTreeSet::new();
        if let Item::Table(table) = &tree.item {
            places(table, &mut keys);
        }
        let text = &sources.get(file).text;
        for block in blocks(file, text) {
            let header = text[range(block)].lines().next().unwrap_or_default();
            let header = block.start..block.start + header.len() as u32;
            let known = block.start == 0 || keys.range(header).next().is_some();
            let wrong = spans(errors).any(|span| overlaps(block, span));
            if wrong || !known {
                self.unreadable.push(block);
                self.add_block(block, text);
            }
        }
        self.any = true;
    }

    /// Takes note of a file of data that was not read at all.
    pub(super) fn of_lost_data(&mut self) {
        (self.lost_data, self.any) = (true, true);
    }

    /// Takes note of a script that was not read at all.
    pub(super) fn of_lost_script(&mut self) {
        (self.lost_script, self.any) = (true, true);
    }

    /// Takes note of errors in texts that are TOML.
    pub(super) fn of_errors(&mut self, found: &[Diagnostic], sources: &Sources) {
        for span in spans(found) {
            self.told.push(span);
            let source = sources.get(span.file);
            if !source.name.ends_with(".toml") {
                continue;
            }
            self.any = true;
            let mut blocks = blocks(span.file, &source.text);
            if let Some(block) = blocks.find(|block| overlaps(*block, span)) {
                self.add_block(block, &source.text);
            }
        }
    }

    /// What of a report does not follow from what was told before.
    pub fn independent(&self, found: Report, sources: &Sources) -> Report {
        self.keep(found, Stage::Scripts, sources)
    }

    /// The same for a stage.
    pub(super) fn keep(&self, mut found: Report, stage: Stage, sources: &Sources) -> Report {
        if self.any {
            let unsettled = self.unsettled(&found, stage, sources);
            found.diagnostics.retain(|found| {
                let settled = |span| !unsettled.iter().any(|block| overlaps(*block, span));
                self.is_independent(found, stage, sources) && found.span.is_none_or(settled)
            });
        }
        found
    }

    /// Blocks that name what a lost file may declare: what else is said of them may follow from that.
    fn unsettled(&self, found: &Report, stage: Stage, sources: &Sources) -> Vec<Span> {
        if !self.lost_data || stage != Stage::Data {
            return Vec::new();
        }
        let open = found.diagnostics.iter().filter(|found| {
            found.severity == Severity::Error && !SETTLED_DATA.contains(&found.code)
        });
        let block_of = |span: Span| {
            let source = sources.get(span.file);
            blocks(span.file, &source.text).find(|block| overlaps(*block, span))
        };
        open.filter_map(|found| block_of(found.span?)).collect()
    }

    /// Whether files that are not known could make an error vanish.
    fn is_open(&self, found: &Diagnostic, stage: Stage) -> bool {
        match stage {
            // The table of the game can stand in several files.
            Stage::Data if self.lost_data => {
                let of_game = found.message.starts_with("`game`");
                !SETTLED_DATA.contains(&found.code) || of_game && found.code == codes::MISSING_KEY
            }
            Stage::Data => false,
            Stage::Scripts => {
                self.lost_data && !SETTLED_SCRIPT.contains(&found.code)
                    || self.lost_script && OF_FUNCTIONS.contains(&found.code)
            }
        }
    }

    fn is_independent(&self, found: &Diagnostic, stage: Stage, sources: &Sources) -> bool {
        if found.severity == Severity::Warning && !LOCAL_WARNINGS.contains(&found.code) {
            return false;
        }
        let Some(span) = found.span else {
            return !self.lost_data && self.unreadable.is_empty();
        };
        let mut unreadable = self.unreadable.iter();
        if unreadable.any(|block| overlaps(*block, span)) || self.is_told(span) {
            return false;
        }
        if self.is_open(found, stage) {
            return false;
        }
        // Which keys there are is no matter of names, so the same slip elsewhere is another.
        if found.code == codes::UNKNOWN_KEY {
            return true;
        }
        let mut words: Vec<&str> = words(sources.text(span)).map(|(_, word)| word).collect();
        if stage == Stage::Scripts {
            let quoted = found.message.split('`').skip(1).step_by(2);
            words.extend(quoted.flat_map(|name| self::words(name).map(|(_, word)| word)));
        }
        let elsewhere = |place: &Span| !overlaps(*place, span);
        let doubtful = |word: &str| {
            let places = self.names.get(word);
            places.is_some_and(|places| places.iter().any(elsewhere))
        };
        !words.into_iter().any(doubtful)
    }

    /// Whether an error was told of a place already, be it with the quotes around it.
    fn is_told(&self, span: Span) -> bool {
        let quoted = Span {
            start: span.start.saturating_sub(1),
            end: span.end + 1,
            ..span
        };
        self.told.contains(&span) || self.told.contains(&quoted)
    }

    /// Notes the names of a block: ids in its header, keys that no table declares, and texts that are one
    /// name. Expressions give no names.
    fn add_block(&mut self, block: Span, text: &str) {
        let block_text = &text[range(block)];
        let bytes = block_text.as_bytes();
        let header = match block_text.starts_with('[') {
            true => block_text.lines().next().map_or(0, str::len),
            false => 0,
        };
        for (at, word) in words(block_text) {
            let end = at + word.len();
            let quote = |at: usize| matches!(bytes.get(at), Some(b'"' | b'\''));
            let quoted = at > 0 && quote(at - 1) && quote(end);
            let is_key = block_text[end..].trim_start().starts_with('=')
                && !block_text[end..].trim_start().starts_with("==");
            if (at < header || quoted || is_key) && !VOCABULARY.contains(word) {
                let start = block.start as usize + at;
                let span = Span::new(block.file, start, start + word.len());
                let places = self.names.entry(word.to_owned()).or_default();
                if !places.contains(&span) {
                    places.push(span);
                }
            }
        }
    }
}

/// The words that keys and tables are called by, which tell nothing of a pack.
static VOCABULARY: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    fn add(keys: &Keys, words: &mut BTreeSet<&'static str>) {
        for key in keys.all() {
            words.insert(key.name);
            add_shape(&key.shape, words);
        }
    }
    fn add_shape(shape: &Shape, words: &mut BTreeSet<&'static str>) {
        match shape {
            Shape::Table(keys) => add(keys, words),
            Shape::List(shape) | Shape::Map(_, shape) => add_shape(shape, words),
            Shape::Either(shapes) => shapes.iter().for_each(|shape| add_shape(shape, words)),
            Shape::Word(own) => words.extend(*own),
            _ => {}
        }
    }
    let mut words = BTreeSet::from(["add", "variant"]);
    for table in PACK_TABLES {
        words.insert(table.name);
        add_shape(&table.shape, &mut words);
    }
    add(&VARIANT, &mut words);
    add(&VARIANT_STEPS, &mut words);
    words
});

/// The blocks of a text in TOML.
fn blocks(file: FileId, text: &str) -> impl Iterator<Item = Span> {
    let headers = text.match_indices("\n[").map(|(at, _)| at + 1);
    let first = (!text.starts_with('[')).then_some(0);
    let mut starts: Vec<usize> = first.into_iter().collect();
    starts.extend(text.starts_with('[').then_some(0));
    starts.extend(headers);
    let ends: Vec<usize> = starts.iter().copied().skip(1).chain([text.len()]).collect();
    let blocks = starts.into_iter().zip(ends);
    blocks.map(move |(start, end)| Span::new(file, start, end))
}

/// Where the errors among diagnostics are.
fn spans(found: &[Diagnostic]) -> impl Iterator<Item = Span> {
    let errors = found
        .iter()
        .filter(|found| found.severity == Severity::Error);
    errors.filter_map(|found| found.span)
}

/// Whether two spans share a byte, or one is empty and in the other.
fn overlaps(one: Span, other: Span) -> bool {
    one.file == other.file
        && one.start < other.end.max(other.start + 1)
        && other.start < one.end.max(one.start + 1)
}

/// The bytes of a span.
fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

/// The words of a text that could be names, with where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let apart = |c: char| !c.is_alphanumeric() && c != '_';
    let mut start = 0;
    text.split_inclusive(apart).filter_map(move |part| {
        let at = start;
        start += part.len();
        let word = part.trim_end_matches(apart);
        (!word.is_empty()).then_some((at, word))
    })
}

/// Where the keys of a tree begin.
fn places(table: &Table, found: &mut BTreeSet<u32>) {
    for entry in table.values() {
        found.insert(entry.key.start);
        match &entry.value.item {
            Item::Table(inner) => places(inner, found),
            Item::List(nodes) => {
                for node in nodes {
                    if let Item::Table(inner) = &node.item {
                        places(inner, found);
                    }
                }
            }
            _ => {}
        }
    }
}
