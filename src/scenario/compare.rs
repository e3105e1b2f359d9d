//! Which scenarios of a pack come out differently under other rules, and where.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::diag::{Report as Problems, Sources};
use crate::pack::doc::{Item, Node};
use crate::pack::parse;
use crate::script::Rules;

use super::golden::transcript;
use super::parting::{Parting, part};
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
        let bytes =
            fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
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
            Some(transcript) => part(before, transcript),
            None => Some(without("it cannot begin")),
        };
        let unmet = "the game goes the same way, but not all holds that is expected";
        let parting = parting.or(after.trouble.is_some().then(|| without(unmet)));
        if let Some(parting) = parting {
            comparison.different.push(Parting {
                scenario: name(path),
                title: before.lines().next().unwrap_or_default().to_owned(),
                trouble: after.trouble,
                ..parting
            });
        }
    }
    Ok(comparison)
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
}

fn run(path: &Path, bytes: &[u8], rules: &Arc<Rules>) -> Run {
    let (mut sources, mut problems) = (Sources::new(), Problems::new());
    let mut load = |_: &str, _: &[String]| Ok(Arc::clone(rules));
    let shown = format!("{}.toml", name(path));
    let Some(scenario) = read(&shown, bytes, &mut sources, &mut problems, &mut load) else {
        let first = problems.diagnostics.first();
        return Run {
            transcript: None,
            trouble: first.map(|first| match first.span {
                Some(span) => format!("{} ({})", first.message, sources.place(span)),
                None => first.message.clone(),
            }),
        };
    };
    let scenario = Arc::new(scenario);
    let played = play(&scenario);
    Run {
        transcript: played
            .game
            .as_ref()
            .map(|game| transcript(&scenario.title, game)),
        trouble: played
            .failures
            .first()
            .map(|failure| format!("{} ({})", failure.message, sources.place(failure.span))),
    }
}
