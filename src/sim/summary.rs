//! What a batch came to, as `yukon sim --format json` prints it.

use std::time::Duration;

use serde::Serialize;

use crate::script::Rules;

use super::batch::Batch;
use super::bots::Bot;
use super::chosen::Chosen;
use super::failure::Failure;
use super::numbers::{Distribution, Share};
use super::tally::{Results, Tally};
use super::uses::UsesSummary;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Results of a batch.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The version of the format.
    pub format: u32,
    /// Which rules were played.
    pub rules: Chosen,
    /// The seed: game i derives from it and i.
    pub seed: u64,
    /// Games played.
    pub games: u64,
    /// Decisions with more than one answer, in all games.
    pub decisions: u64,
    /// Decisions with one answer, in all games.
    pub forced: u64,
    /// Games that did not come to an end.
    pub unfinished: u64,
    /// Fewest rounds of a game.
    pub rounds_min: u16,
    /// Most rounds of a game.
    pub rounds_max: u16,
    /// Violations of invariants, if they were looked for.
    pub violations: Option<u64>,
    /// Seconds that passed.
    pub elapsed_s: f64,
    /// Seconds of processor time, if they could be measured.
    pub cpu_s: Option<f64>,
    /// Games a second of processor time.
    pub games_per_s: Option<f64>,
    /// By place round the table.
    pub players: Vec<PlayerSummary>,
    /// By bot in the order given, if not all are the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<PlayerSummary>,
    /// Rounds of a game.
    pub rounds: Distribution,
    /// Decisions of a finished game that have more than one answer.
    pub length: Distribution,
    /// Points by which the first of a finished game is ahead of the second.
    pub margin: Distribution,
    /// The share of finished games whose first place is shared.
    pub ties: Share,
    /// Choices of a decision of a finished game that has more than one answer, on average.
    pub branching: f64,
    /// What the pack declares as statistics, if asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<UsesSummary>,
    /// A hash over all results, equal on every run and for any number of threads.
    pub digest: String,
    /// The first failures, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// The first failures, with their records.
    #[serde(skip)]
    pub failed: Vec<Failure>,
    /// The bots in the order given, one for each player.
    #[serde(skip)]
    pub lineup: Vec<String>,
}

/// Results of one place at the table, or of one bot.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// Who played; `*` where bots change places.
    pub bot: String,
    /// Mean score.
    pub mean_score: f64,
    /// Share of games won; a shared win counts as its share.
    pub win_rate: f64,
    /// The same with its interval.
    pub wins: Share,
    /// Scores.
    pub scores: Distribution,
    /// Each score with how often it came.
    pub score_counts: Vec<(i64, u64)>,
}

impl PlayerSummary {
    fn of(bot: &str, own: &Results) -> Self {
        let scores = own.scores.summary();
        let wins = Share::of_wins(own.wins, scores.count);
        Self {
            bot: bot.to_owned(),
            mean_score: scores.mean,
            win_rate: wins.rate,
            wins,
            scores,
            score_counts: own.scores.bars(),
        }
    }
}

impl Summary {
    pub(super) fn of(
        rules: &Rules,
        batch: &Batch,
        tally: Tally,
        failed: Vec<Failure>,
        elapsed: Duration,
    ) -> Self {
        let lineup = &batch.lineup;
        let name = |entry: usize| lineup.kind(entry).name();
        let same = (1..usize::from(batch.players)).all(|entry| name(entry) == name(0));
        let at_place = |place: usize| match lineup.rotates && !same {
            true => "*".to_owned(),
            false => name(place),
        };
        let summaries = |all: &[Results], bot: &dyn Fn(usize) -> String| {
            let all = all.iter().enumerate();
            all.map(|(at, own)| PlayerSummary::of(&bot(at), own))
                .collect::<Vec<_>>()
        };
        let rounds = tally.rounds.summary();
        let rounds_at = |value: i64| u16::try_from(value).unwrap_or(u16::MAX);
        Self {
            format: FORMAT,
            rules: Chosen::of(rules),
            seed: batch.seed,
            games: tally.games,
            decisions: tally.decisions,
            forced: tally.forced,
            unfinished: tally.unfinished,
            rounds_min: rounds_at(rounds.least),
            rounds_max: rounds_at(rounds.most),
            violations: batch.check_invariants.then_some(tally.violations),
            elapsed_s: elapsed.as_secs_f64(),
            cpu_s: tally.cpu_s(),
            games_per_s: tally.cpu_s().map(|cpu_s| tally.games as f64 / cpu_s),
            players: summaries(&tally.by_place, &at_place),
            bots: match same {
                true => Vec::new(),
                false => summaries(&tally.bots, &name),
            },
            rounds,
            length: tally.length.summary(),
            margin: tally.margin.summary(),
            ties: Share::wilson(tally.ties as f64, tally.finished()),
            branching: tally.branching(),
            statistics: match batch.statistics {
                true => tally.uses.summary(rules, &tally.by_place, tally.finished()),
                false => Vec::new(),
            },
            digest: format!("{:016x}", tally.digest),
            failures: failed.iter().map(|failure| failure.text.clone()).collect(),
            failed,
            lineup: (0..usize::from(batch.players)).map(name).collect(),
        }
    }
}
