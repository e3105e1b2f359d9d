//! What is compared of two games.

use std::collections::BTreeMap;

use crate::diag::nearest;
use crate::pack::model::Observed;
use crate::script::Rules;

use super::batch::Batch;
use super::countable::{Titles, countable};
use super::game::Played;
use super::numbers::WIN;
use super::tally::{margin, win};

/// What is compared of two games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Metric {
    Score,
    First,
    Margin,
    Ties,
    Rounds,
    Decisions,
    Branching,
    ScoreOf(usize),
    WinsOf(usize),
    Use(String, String),
}

/// What any two games can be compared by.
const FIXED: [Metric; 7] = [
    Metric::Score,
    Metric::First,
    Metric::Margin,
    Metric::Ties,
    Metric::Rounds,
    Metric::Decisions,
    Metric::Branching,
];

impl Metric {
    /// How it is called in options and in JSON.
    pub(super) fn id(&self) -> String {
        match self {
            Self::Score => "score".to_owned(),
            Self::First => "first".to_owned(),
            Self::Margin => "margin".to_owned(),
            Self::Ties => "ties".to_owned(),
            Self::Rounds => "rounds".to_owned(),
            Self::Decisions => "decisions".to_owned(),
            Self::Branching => "branching".to_owned(),
            Self::ScoreOf(place) => format!("score_{}", place + 1),
            Self::WinsOf(place) => format!("wins_{}", place + 1),
            Self::Use(statistic, key) if key.is_empty() => statistic.clone(),
            Self::Use(statistic, key) => format!("{statistic}.{}", key.replace(' ', ".")),
        }
    }

    /// What it belongs to, and what it is called there.
    pub(super) fn words(&self, titles: &Titles, rules: &Rules) -> (String, String) {
        let game = |name: &str| ("Games".to_owned(), name.to_owned());
        let place = |name: String| ("By place".to_owned(), name);
        match self {
            Self::Score => game("Mean score"),
            Self::First => game("Winning score"),
            Self::Margin => game("First ahead of second"),
            Self::Ties => game("Shared first places"),
            Self::Rounds => game("Rounds"),
            Self::Decisions => game("Decisions"),
            Self::Branching => game("Choices of a decision"),
            Self::ScoreOf(nth) => place(format!("Score of place {}", nth + 1)),
            Self::WinsOf(nth) => place(format!("Wins of place {}", nth + 1)),
            Self::Use(statistic, key) => {
                let mut known = rules.pack.statistics.iter();
                let known = known.find(|info| info.name.id == *statistic);
                let title = known.map_or(statistic.as_str(), |info| info.name.title.as_str());
                (title.to_owned(), titles.title(key))
            }
        }
    }

    /// So many of its whole numbers are one.
    pub(super) fn unit(&self, players: u8) -> f64 {
        match self {
            Self::Score => f64::from(players),
            Self::WinsOf(_) => WIN as f64,
            Self::Branching => THOUSANDTHS as f64,
            _ => 1.0,
        }
    }
}

/// Refuses a metric that games of a batch can never have, before any is played.
///
/// # Errors
/// Says which may be meant, or which there are.
pub(super) fn need_metric<'r>(
    wanted: &str,
    rules: impl Iterator<Item = &'r Rules>,
    batch: &Batch,
) -> Result<(), String> {
    let places =
        (0..usize::from(batch.players)).flat_map(|at| [Metric::ScoreOf(at), Metric::WinsOf(at)]);
    let mut known: Vec<String> = FIXED
        .into_iter()
        .chain(places)
        .map(|own| own.id())
        .collect();
    let fixed = known.len();
    for rules in rules {
        for statistic in &rules.pack.statistics {
            let id = &statistic.name.id;
            let rest = wanted.strip_prefix(id.as_str());
            let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            if is_own && !batch.statistics {
                return Err(format!("`{id}` is a statistic: `--statistics` counts it"));
            }
            let keys = countable(rules, statistic);
            // What is chosen may have several parts; of numbers there is no end.
            let is_open = keys.is_empty() || matches!(statistic.of, Observed::Decision(_));
            if is_own && is_open {
                return Ok(());
            }
            let ids = keys
                .into_keys()
                .map(|key| Metric::Use(id.clone(), key).id());
            known.extend(ids);
        }
    }
    if known.iter().any(|known| known == wanted) {
        return Ok(());
    }
    if !batch.statistics {
        known.truncate(fixed);
    }
    Err(match nearest(wanted, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no metric `{wanted}`; did you mean `{near}`?"),
        None => format!(
            "there is no metric `{wanted}`; there are {}, and statistics as STATISTIC.KEY",
            known[..fixed].join(", ")
        ),
    })
}

/// A mean of one game is kept in thousandths.
const THOUSANDTHS: u64 = 1000;

/// What is compared of a finished game, in whole numbers.
pub(super) fn metrics(rules: &Rules, played: &Played) -> BTreeMap<Metric, i64> {
    let scores = &played.scores;
    let first = played.places.iter().filter(|place| **place == 1).count();
    let branching = played.choices.saturating_mul(THOUSANDTHS) / played.decisions.max(1);
    let mut metrics = BTreeMap::from([
        (
            Metric::Score,
            scores
                .iter()
                .fold(0_i64, |sum, own| sum.saturating_add(*own)),
        ),
        (Metric::First, scores.iter().copied().max().unwrap_or(0)),
        (Metric::Margin, margin(scores)),
        (Metric::Ties, i64::from(first > 1)),
        (Metric::Rounds, played.rounds.into()),
        (Metric::Decisions, played.decisions as i64),
        (Metric::Branching, branching as i64),
    ]);
    for (place, score) in scores.iter().enumerate() {
        metrics.insert(Metric::ScoreOf(place), *score);
        metrics.insert(Metric::WinsOf(place), win(&played.places, place));
    }
    for ((statistic, key), times) in played.uses.totals() {
        let id = rules.pack.statistics[usize::from(statistic)]
            .name
            .id
            .clone();
        metrics.insert(Metric::Use(id, key), times);
    }
    metrics
}
