//! Entries of `play` and tables of a scenario as TOML text.

use std::fmt::Write;

use crate::flow::{ItemValue, Setting, Written};

use super::model::Asked;

/// Longer tables are written over several lines.
const WIDTH: usize = 100;

/// A text in quotes, as TOML wants it.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if other.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(other)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A key, in quotes only where TOML wants them.
pub(super) fn key(text: &str) -> String {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    match !text.is_empty() && text.chars().all(bare) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// A list of texts.
pub(super) fn list<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word.as_ref())).collect();
    format!("[{}]", words.join(", "))
}

/// An item's value.
pub(super) fn value(value: &ItemValue) -> String {
    match value {
        ItemValue::Bool(value) => value.to_string(),
        ItemValue::Int(value) => value.to_string(),
        ItemValue::Text(text) => quoted(text),
        ItemValue::List(words) => list(words),
        ItemValue::Top { top, rest: None } => format!("{{ top = {} }}", list(top)),
        ItemValue::Top {
            top,
            rest: Some(rest),
        } => format!("{{ top = {}, rest = {} }}", list(top), quoted(rest)),
    }
}

/// An answer.
pub(super) fn answer(written: &Written) -> String {
    match written {
        Written::Confirm(value) => value.to_string(),
        Written::Number(value) => value.to_string(),
        Written::One(key) => quoted(key),
        Written::Some(keys) => list(keys),
    }
}

/// Items with their values, as they stand in a table.
pub(super) fn settings(settings: &[Setting]) -> Pairs {
    settings
        .iter()
        .map(|setting| (setting.item.clone(), value(&setting.value)))
        .collect()
}

/// A table in one line.
fn inline(pairs: &[(String, String)]) -> String {
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{} = {value}", key(name)))
        .collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// Keys with values as TOML writes them.
type Pairs = Vec<(String, String)>;

/// What an entry does.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    /// Answers a decision.
    Answer(Asked, Written),
    /// Looks at a decision.
    Look(Asked),
    /// Changes the table from outside.
    Set(Vec<Setting>),
    /// Only looks at the table.
    Nothing,
}

/// An entry of `play`, to be written.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Where in the flow it is, if that is said here.
    pub(super) heading: Option<String>,
    pub(super) deed: Deed,
    /// All that is offered, if that is expected.
    pub(super) choices: Option<Vec<String>>,
    /// Choices with the reasons for which they are refused.
    pub(super) refused: Vec<(String, String)>,
    /// Items with what they are after it.
    pub(super) expect: Vec<Setting>,
}

impl Entry {
    /// An entry from which nothing is expected.
    pub(super) fn new(deed: Deed) -> Self {
        Self {
            heading: None,
            deed,
            choices: None,
            refused: Vec::new(),
            expect: Vec::new(),
        }
    }

    /// Whether nothing is expected.
    pub(super) fn is_plain(&self) -> bool {
        self.choices.is_none() && self.refused.is_empty() && self.expect.is_empty()
    }

    /// Its keys with their values: single ones, and tables.
    fn fields(&self) -> (Vec<String>, Vec<(&'static str, Pairs)>) {
        let mut single = Vec::new();
        let mut tables = Vec::new();
        match &self.deed {
            Deed::Answer(asked, written) => single.push(format!("{asked} = {}", answer(written))),
            Deed::Look(asked) => single.push(format!("asked = {}", quoted(&asked.to_string()))),
            Deed::Set(changes) => tables.push(("set", settings(changes))),
            Deed::Nothing => {}
        }
        if let Some(choices) = &self.choices {
            single.push(format!("choices = {}", list(choices)));
        }
        if !self.refused.is_empty() {
            let reasons = self.refused.iter();
            let reasons = reasons.map(|(key, reason)| (key.clone(), quoted(reason)));
            tables.push(("refused", reasons.collect()));
        }
        if !self.expect.is_empty() {
            tables.push(("expect", settings(&self.expect)));
        }
        (single, tables)
    }

    /// It as a block of its own.
    pub(super) fn block(&self, text: &mut String) -> std::fmt::Result {
        if let Some(heading) = &self.heading {
            writeln!(text, "\n# {heading}")?;
        }
        writeln!(text, "\n[[play]]")?;
        let (single, tables) = self.fields();
        for line in single {
            writeln!(text, "{line}")?;
        }
        let (short, long): (Vec<_>, Vec<_>) = tables
            .into_iter()
            .partition(|(name, pairs)| name.len() + inline(pairs).len() + 3 <= WIDTH);
        for (name, pairs) in short {
            writeln!(text, "{name} = {}", inline(&pairs))?;
        }
        for (name, pairs) in long {
            writeln!(text, "[play.{name}]")?;
            for (name, value) in pairs {
                writeln!(text, "{} = {value}", key(&name))?;
            }
        }
        Ok(())
    }

    /// It as an element of a list, in one line.
    pub(super) fn element(&self) -> String {
        let (mut fields, tables) = self.fields();
        let tables = tables.iter();
        fields.extend(tables.map(|(name, pairs)| format!("{name} = {}", inline(pairs))));
        format!("{{ {} }}", fields.join(", "))
    }
}
