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
use super::play::play;
use super::read::read;

/// Lines at the top of a transcript that say what is played, not how it goes.
const HEADING: usize = 2;

/// Where two games of a scenario part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// The name of the scenario's file, without the ending.
    pub scenario: String,
    /// What it shows.
    pub title: String,
    /// Where in the flow, such as `round 1, market`; nothing before the first decision.
    pub place: Option<String>,
    /// The number of the decision, from 1, and who decides what; nothing before the first.
    pub decision: Option<(usize, String)>,
    /// The first line that is different, as it was.
    pub old: Option<String>,
    /// The first line that is different, as it is.
    pub new: Option<String>,
    /// Why the scenario cannot be played to its end by the new rules, if it cannot.
    pub trouble: Option<String>,
}

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
        let parting = match &after.transcript {
            Some(transcript) => part(before, transcript),
            None => Some(Parting::default()),
        };
        let parting = parting.or(after.trouble.is_some().then(Parting::default));
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

/// Where two transcripts part; nothing if they are the same but for their headings.
fn part(old: &str, new: &str) -> Option<Parting> {
    let (olds, news): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let at = (HEADING..olds.len().max(news.len())).find(|at| olds.get(*at) != news.get(*at))?;
    let shared = &olds[..at];
    let mut parting = Parting {
        old: olds.get(at).map(|line| (*line).to_owned()),
        new: news.get(at).map(|line| (*line).to_owned()),
        ..Parting::default()
    };
    let mut decisions = 0;
    for line in shared.iter().skip(HEADING) {
        if let Some(place) = line.strip_prefix("== ") {
            parting.place = Some(place.to_owned());
        } else if is_decision(line) {
            decisions += 1;
            parting.decision = Some((decisions, decision_name(line)));
        }
    }
    // The decision itself may be what is different.
    if let Some(line) = olds.get(at).filter(|line| is_decision(line)) {
        parting.decision = Some((decisions + 1, decision_name(line)));
    }
    Some(parting)
}

/// Whether a line of a transcript begins a decision.
fn is_decision(line: &str) -> bool {
    line.starts_with("player_")
}

fn decision_name(line: &str) -> String {
    line.split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::part;

    const OLD: &str = "A story\ntoy, 2 players\n\n== round 1, market\n\n\
                       player_1.field  (sow)\n  offered  a, b\n  answer   a\n\n\
                       player_2.field  (sow)\n  offered  a, b\n  answer   b\n";

    #[test]
    fn the_first_line_that_differs_is_found_with_its_decision() {
        let new = OLD.replace("answer   b", "answer   a");
        let parting = part(OLD, &new).expect("they part");
        assert_eq!(parting.place.as_deref(), Some("round 1, market"));
        assert_eq!(parting.decision, Some((2, "player_2.field".to_owned())));
        assert_eq!(parting.old.as_deref(), Some("  answer   b"));
        assert_eq!(parting.new.as_deref(), Some("  answer   a"));
    }

    #[test]
    fn a_game_that_stops_early_parts_where_it_stops() {
        let end = OLD.find("player_2").expect("a second decision");
        let parting = part(OLD, &OLD[..end]).expect("they part");
        assert_eq!(parting.decision, Some((2, "player_2.field".to_owned())));
        assert_eq!(parting.new, None);
    }

    #[test]
    fn headings_do_not_count() {
        assert_eq!(part(OLD, &OLD.replace("toy, 2", "toy, wet, 2")), None);
    }
}
