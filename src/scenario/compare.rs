//! Which scenarios of a pack come out differently under other rules, and where.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::diag::{Report as Problems, Sources};
use crate::pack::doc::{Item, Node};
use crate::pack::files::read_file;
use crate::pack::parse;
use crate::script::Rules;

use super::golden::transcript;
use super::parting::{Parting, part_in_words};
use super::play::play;
use super::read::read;

/// What became of a pack's scenarios under other rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// How many were compared. Those with variants of their own, and of other packs, are not.
    pub compared: usize,
    /// Those that come out differently.
    pub different: Vec<Parting>,
}

/// Scenarios that come out differently in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group<'a> {
    /// The way.
    pub kind: &'a str,
    /// The scenarios, in the order of their names.
    #[serde(rename = "scenarios", serialize_with = "names")]
    pub partings: Vec<&'a Parting>,
}

fn names<S: serde::Serializer>(partings: &[&Parting], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(partings.iter().map(|parting| &parting.scenario))
}

impl Comparison {
    /// Those that come out differently, together where they do so in one way: the largest group first.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for parting in &self.different {
            match groups.iter_mut().find(|group| group.kind == parting.kind) {
                Some(group) => group.partings.push(parting),
                None => groups.push(Group {
                    kind: &parting.kind,
                    partings: vec![parting],
                }),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.partings.len()));
        groups
    }
}

/// Plays scenarios by two sets of rules of the same pack and compares how they go.
///
/// # Errors
/// When a scenario cannot be read, or not played by the old rules: they must be right.
pub fn compare(
    paths: &[PathBuf],
    old: &Arc<Rules>,
    new: &Arc<Rules>,
) -> Result<Comparison, String> {
    let mut comparison = Comparison::default();
    for path in paths {
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let bytes = read_file(path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        if !is_of(&bytes, &old.pack.id) {
            continue;
        }
        comparison.compared += 1;
        let before = run(path, &bytes, old);
        let (Some(before), None) = (&before.transcript, &before.trouble) else {
            let trouble = before.trouble.unwrap_or_default();
            return Err(format!(
                "`{}` does not hold by the rules of the pack itself: {trouble}",
                path.display()
            ));
        };
        let after = run(path, &bytes, new);
        let without = |kind: &str| Parting {
            kind: kind.to_owned(),
            ..Parting::default()
        };
        let parting = match &after.transcript {
            Some(transcript) => part_in_words(
                before,
                transcript,
                [&|reason| says(old, reason), &|reason| says(new, reason)],
            ),
            None => Some(without("it cannot begin")),
        };
        let unmet = "the game goes the same way, but not all holds that is expected";
        let parting = parting.or(after.trouble.is_some().then(|| without(unmet)));
        if let Some(mut parting) = parting {
            if let Some(fault) = &after.fault {
                parting.kind = format!("a script fails at {fault}");
            }
            comparison.different.push(Parting {
                scenario: name(path),
                title: before.lines().next().unwrap_or_default().to_owned(),
                trouble: after.trouble,
                fault: after.fault,
                ..parting
            });
        }
    }
    Ok(comparison)
}

/// What a reason says, which a transcript writes as its id and its numbers.
fn says(rules: &Rules, written: &str) -> String {
    let mut words = written.split(' ');
    let id = words.next().unwrap_or_default();
    let numbers: Vec<&str> = words.collect();
    let mut reasons = rules.pack.reasons.iter();
    match reasons.find(|reason| reason.name.id == id) {
        Some(reason) => format!("\"{}\"", reason.says(&numbers)),
        None => written.to_owned(),
    }
}

fn name(path: &Path) -> String {
    path.file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Whether a file is a scenario of the base game of a pack.
fn is_of(bytes: &[u8], pack: &str) -> bool {
    let (mut sources, mut problems) = (Sources::new(), Problems::new());
    let Some(file) = parse::add_text("", bytes, &mut sources, &mut problems) else {
        return false;
    };
    let Item::Table(table) = parse::parse(file, &sources, &mut problems).item else {
        return false;
    };
    let value = |key: &str| table.get(key).map(|entry| &entry.value);
    let own = matches!(value("pack"), Some(Node { item: Item::Text(text), .. }) if text == pack);
    let plain = match value("variants").map(|node| &node.item) {
        None => true,
        Some(Item::List(list)) => list.is_empty(),
        Some(_) => false,
    };
    own && plain
}

/// How a scenario went.
struct Run {
    transcript: Option<String>,
    trouble: Option<String>,
    fault: Option<String>,
}

fn run(path: &Path, bytes: &[u8], rules: &Arc<Rules>) -> Run {
    let (mut sources, mut problems) = (Sources::new(), Problems::new());
    let mut load = |_: &str, _: &[String]| Ok(Arc::clone(rules));
    let shown = format!("{}.toml", name(path));
    let Some(scenario) = read(&shown, bytes, &mut sources, &mut problems, &mut load) else {
        let first = problems.diagnostics.first();
        return Run {
            transcript: None,
            fault: None,
            trouble: first.map(|first| match first.span {
                Some(span) => format!("{} ({})", first.message, sources.place(span)),
                None => first.message.clone(),
            }),
        };
    };
    let scenario = Arc::new(scenario);
    let played = play(&scenario);
    let first = played.failures.first();
    Run {
        transcript: played
            .game
            .as_ref()
            .map(|game| transcript(&scenario.title, game)),
        fault: first.and_then(|failure| failure.fault.clone()),
        trouble: first.map(|failure| {
            let asked = sources.place(failure.span);
            match &failure.fault {
                Some(fault) => format!("{} ({fault}, reached at {asked})", failure.message),
                None => format!("{} ({asked})", failure.message),
            }
        }),
    }
}
