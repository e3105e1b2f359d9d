//! What people can look up: topics as Markdown, made from the one place that says each thing, and the codes
//! of diagnostics, each with a wrong and a right example.

pub mod codes;
pub mod keys;
pub mod schema;

use crate::script::api::{self, Entry, Gives, Want};

/// A page that can be looked up.
#[derive(Clone, Debug)]
pub struct Topic {
    /// How it is asked for.
    pub name: &'static str,
    /// What it is about, in one line.
    pub title: &'static str,
    /// The page, in Markdown, without its heading.
    pub text: String,
}

impl Topic {
    /// The page with its heading.
    pub fn markdown(&self) -> String {
        format!("# {}\n\n{}\n", self.title, self.text.trim_end())
    }
}

/// All topics, in the order in which they are good to read.
pub fn topics() -> Vec<Topic> {
    let topic = |name, title, text| Topic { name, title, text };
    vec![
        topic(
            "language",
            "The language of scripts",
            include_str!("language.md").to_owned(),
        ),
        topic("verbs", "The verbs of scripts", verbs()),
        topic(
            "flow",
            "The flow of a game",
            include_str!("flow.md").to_owned(),
        ),
        topic(
            "parameters",
            "The numbers of the rules, and what changes them",
            include_str!("parameters.md").to_owned(),
        ),
        topic(
            "packs",
            "Abilities, scoring and provenance in packs",
            format!(
                "{}{}",
                include_str!("packs.md"),
                module_text(include_str!("../pack/mod.rs"))
                    .split_once("\n# ")
                    .map_or(String::new(), |(_, rest)| format!("# {rest}"))
            ),
        ),
        topic(
            "variants",
            "Variants: house rules, and how to write one",
            format!(
                "{}{}",
                include_str!("variants.md"),
                module_text(include_str!("../pack/variant.rs"))
            ),
        ),
        topic(
            "scenarios",
            "Scenario files",
            module_text(include_str!("../scenario/mod.rs")),
        ),
        topic(
            "simulation",
            "Simulations: bots, batches, what they print",
            module_text(include_str!("../sim/mod.rs")),
        ),
        topic(
            "items",
            "Items of a table by path",
            module_text(include_str!("../flow/item.rs")),
        ),
        topic(
            "view",
            "The board of a pack",
            module_text(include_str!("../repl/board/mod.rs")),
        ),
        topic(
            "keys",
            "The keys of packs, variants, views and scenarios",
            keys::page(),
        ),
        topic(
            "diagnostics",
            "What `check` tells, for people and for editors",
            include_str!("diagnostics.md").to_owned(),
        ),
        topic("codes", "The codes of diagnostics", code_list()),
    ]
}

/// The documentation of a module, from its source.
fn module_text(source: &str) -> String {
    let lines = source
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .map(|line| line.trim_start_matches("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let mut text = String::new();
    for line in lines {
        text.push_str(&without_links(line));
        text.push('\n');
    }
    text
}

/// A line without the targets of links to other modules, which mean nothing outside of the source.
fn without_links(line: &str) -> String {
    let mut text = line.to_owned();
    while let Some(start) = text.find("](crate") {
        let Some(length) = text[start..].find(')') else {
            break;
        };
        text.replace_range(start..=start + length, "");
        if let Some(open) = text[..start].rfind('[') {
            text.remove(open);
        }
    }
    text
}

/// All verbs with what they want and give, and an example of each.
fn verbs() -> String {
    let mut text =
        "A verb is called as a function or on its first argument: `put(card, zone)` and \
                    `card.put(zone)` are the same. Parameters in brackets may be left out.\n"
            .to_owned();
    for entry in api::TABLE {
        text.push_str(&format!(
            "\n## `{}`\n\n{}\n\n```rhai\n{}\n```\n",
            signature(entry),
            entry.doc,
            entry.example
        ));
        let wants: Vec<String> = entry
            .parameters
            .iter()
            .filter(|(_, want)| *want != Want::Any)
            .map(|(name, want)| format!("`{name}` is {}", want.describe()))
            .collect();
        if !wants.is_empty() {
            text.push_str(&format!("\nHere {}.\n", wants.join(", ")));
        }
    }
    text
}

/// How a verb is called: `draw(from, to, count)`.
fn signature(entry: &Entry) -> String {
    let needed = entry.parameters.len() - entry.optional;
    let mut inside = String::new();
    for (index, (name, _)) in entry.parameters.iter().enumerate() {
        if index > 0 {
            inside.push_str(", ");
        }
        match index < needed {
            true => inside.push_str(name),
            false => inside.push_str(&format!("[{name}]")),
        }
    }
    if entry.repeats {
        inside.push_str(", ...");
    }
    let gives = match entry.gives {
        Gives::Nothing => String::new(),
        gives => format!(" -> {}", gives.describe()),
    };
    format!("{}({inside}){gives}", entry.name)
}

/// All codes with their titles.
fn code_list() -> String {
    let mut text =
        "`yukon docs CODE` explains a code, with a wrong and a right example.\n\n".to_owned();
    for explanation in codes::all() {
        text.push_str(&format!("- `{}` {}\n", explanation.code, explanation.title));
    }
    text
}
