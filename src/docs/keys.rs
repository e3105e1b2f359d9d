//! The page of all keys, made from what the readers declare.

use crate::pack::keys::{Key, Keys, Names, Need, PACK_TABLES, Shape, VARIANT, VARIANT_STEPS};
use crate::repl::board::keys::VIEW;
use crate::scenario::keys::SCENARIO;

/// The page, in Markdown.
pub(super) fn page() -> String {
    let mut page = Page::default();
    page.text.push_str(
        "Which keys the tables of each kind of TOML file have. A *name* is that of something declared \
         elsewhere, a *new name* is given there. `yukon docs --schema DIR` writes the same as JSON Schemas, \
         with which an editor completes and checks.\n\n",
    );
    page.text.push_str(
        "Every entry of a pack may also have `title`, `doc` and `provenance` (`\"printed\"` if left out, \
         `\"inferred\"` or `\"reconstructed\"`; or a table that says it of single keys).\n",
    );
    page.heading("Files of a pack");
    for key in PACK_TABLES {
        match key.shape {
            Shape::Map(_, Shape::Table(keys)) => page.table(&format!("[{}.ID]", key.name), keys),
            Shape::Table(keys) => page.table(&format!("[{}]", key.name), keys),
            _ => page
                .text
                .push_str(&format!("\n`{}`: {}\n", key.name, key.doc)),
        }
    }
    page.heading("Variants");
    page.table("[variant]", &VARIANT);
    page.table("[flow.ID] of a variant", &VARIANT_STEPS);
    page.heading("`view.toml`");
    page.table("view.toml", &VIEW);
    page.heading("Scenarios");
    page.table("a scenario", &SCENARIO);
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
    /// Tables that were shown: each is shown once.
    shown: Vec<&'static str>,
}

impl Page {
    fn heading(&mut self, heading: &str) {
        self.text.push_str(&format!("\n## {heading}\n"));
    }

    /// A table of keys, and after it those that stand inside.
    fn table(&mut self, name: &str, keys: &'static Keys) {
        if self.shown.contains(&keys.doc) {
            return;
        }
        self.shown.push(keys.doc);
        self.text
            .push_str(&format!("\n### {}\n\n{}\n", code(name), keys.doc));
        if !keys.keys.is_empty() || keys.others.is_some() {
            self.text
                .push_str("\n| key | what it holds | what it means |\n|---|---|---|\n");
        }
        for key in keys.keys {
            let holds = format!("{}{}", holds(&key.shape), need(key));
            self.row(&format!("`{}`", key.name), &holds, key.doc);
        }
        if let Some(others) = keys.others {
            let prefix = match others.prefix {
                "" => "others".to_owned(),
                prefix => format!("`{prefix}N`"),
            };
            self.row(&prefix, &holds(&others.shape), others.doc);
        }
        for key in keys.keys {
            for inner in inside(&key.shape) {
                self.table(&format!("{}: {}", name.trim_matches('`'), key.name), inner);
            }
        }
    }

    fn row(&mut self, key: &str, holds: &str, doc: &str) {
        let doc = doc.replace('|', "\\|");
        self.text
            .push_str(&format!("| {key} | {holds} | {doc} |\n"));
    }
}

fn code(name: &str) -> String {
    match name.starts_with('[') {
        true => format!("`{name}`"),
        false => name.to_owned(),
    }
}

fn need(key: &Key) -> String {
    match key.need {
        Need::Always => "; must be given".to_owned(),
        Need::Never => String::new(),
        Need::Default(value) => format!("; `{value}` if left out"),
    }
}

/// What a shape holds, in words.
fn holds(shape: &Shape) -> String {
    match shape {
        Shape::Prose => "a text for people".to_owned(),
        Shape::Template => "a text with attributes in braces".to_owned(),
        Shape::Name(noun) => format!("a name: {noun}"),
        Shape::NewName(noun) => format!("a new name: {noun}"),
        Shape::Type => "a type".to_owned(),
        Shape::Path => "a path".to_owned(),
        Shape::Script => "an expression or script".to_owned(),
        Shape::Int(i64::MIN, i64::MAX) => "a whole number".to_owned(),
        Shape::Int(least, i64::MAX) => format!("a whole number, at least {least}"),
        Shape::Int(least, most) => format!("a whole number, {least} to {most}"),
        Shape::Bool => "`true` or `false`".to_owned(),
        Shape::Word(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            words.join(" ")
        }
        Shape::List(element) => format!("a list, each {}", holds(element)),
        Shape::Table(_) => "a table".to_owned(),
        Shape::Map(Names::New(noun), element) => format!("by new {noun}: {}", holds(element)),
        Shape::Map(Names::Known(noun), element) => format!("by {noun}: {}", holds(element)),
        Shape::Either(shapes) => {
            let mut words: Vec<String> = shapes.iter().map(holds).collect();
            words.dedup();
            words.join("; or ")
        }
        Shape::Value => "a number, truth value, name or text, as declared".to_owned(),
    }
}

/// The tables inside a shape.
fn inside(shape: &Shape) -> Vec<&'static Keys> {
    match shape {
        Shape::Table(keys) => vec![keys],
        Shape::List(inner) | Shape::Map(_, inner) => inside(inner),
        Shape::Either(shapes) => shapes.iter().flat_map(inside).collect(),
        _ => Vec::new(),
    }
}
