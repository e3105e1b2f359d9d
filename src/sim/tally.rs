//! What games add up to: whole numbers, so that their order and the threads do not matter.

use crate::script::Rules;
use crate::table::chance::Draw;

use super::batch::Batch;
use super::game::Played;
use super::numbers::{Histogram, WIN};
use super::uses::UsesTally;

/// Failures that are told one by one.
pub(super) const MOST_FAILURES: usize = 5;

/// One place at the table, or one of the bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Results {
    pub(super) scores: Histogram,
    /// Parts of wins.
    pub(super) wins: i128,
}

impl Results {
    fn add(&mut self, score: i64, win: i64) {
        self.scores.add(score);
        self.wins += i128::from(win);
    }

    fn merge(&mut self, other: &Self) {
        self.scores.merge(&other.scores);
        self.wins += other.wins;
    }
}

/// Parts of the win that a player has.
pub(super) fn win(places: &[u8], player: usize) -> i64 {
    let winners = places.iter().filter(|place| **place == 1).count() as i64;
    match places.get(player) {
        Some(1) => WIN / winners,
        _ => 0,
    }
}

/// By how much the first is ahead of the second; 0 if the first place is shared.
pub(super) fn margin(scores: &[i64]) -> i64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    match sorted[..] {
        [first, second, ..] => first.saturating_sub(second),
        _ => 0,
    }
}

/// What some games of a batch add up to.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) games: u64,
    pub(super) decisions: u64,
    pub(super) forced: u64,
    /// What could be chosen in the decisions of finished games.
    pub(super) choices: u64,
    pub(super) unfinished: u64,
    pub(super) violations: u64,
    pub(super) digest: u64,
    /// By place round the table.
    pub(super) by_place: Vec<Results>,
    /// By bot, in the order given.
    pub(super) bots: Vec<Results>,
    pub(super) rounds: Histogram,
    pub(super) length: Histogram,
    pub(super) margin: Histogram,
    pub(super) uses: UsesTally,
    /// Games whose first place is shared.
    pub(super) ties: u64,
    /// The first games that failed, with why.
    pub(super) failures: Vec<(u64, String)>,
    cpu_s: f64,
    /// Some games took processor time that was not measured.
    untimed: bool,
}

impl Tally {
    pub(super) fn add(&mut self, rules: &Rules, batch: &Batch, index: u64, played: &Played) {
        self.games += 1;
        self.decisions += played.decisions;
        self.forced += played.forced;
        self.violations += played.violations;
        self.rounds.add(played.rounds.into());
        let mut own = Draw::at(played.digest, index, played.decisions, played.forced);
        self.digest = self.digest.wrapping_add(own.bits());
        if let Some(trouble) = &played.trouble {
            self.unfinished += 1;
            if self.failures.len() < MOST_FAILURES {
                self.failures.push((index, trouble.describe(rules)));
            }
            return;
        }
        self.choices = self.choices.saturating_add(played.choices);
        self.uses.add(played);
        self.length.add(played.decisions as i64);
        self.margin.add(margin(&played.scores));
        let first = played.places.iter().filter(|place| **place == 1).count();
        self.ties += u64::from(first > 1);
        let players = played.scores.len();
        grow(&mut self.by_place, players);
        grow(&mut self.bots, players);
        for (player, score) in played.scores.iter().enumerate() {
            let win = win(&played.places, player);
            self.by_place[player].add(*score, win);
            let bot = batch.lineup.entry(player as u8, batch.players, index);
            self.bots[bot].add(*score, win);
        }
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.games += other.games;
        self.decisions += other.decisions;
        self.forced += other.forced;
        self.choices = self.choices.saturating_add(other.choices);
        self.unfinished += other.unfinished;
        self.violations += other.violations;
        self.digest = self.digest.wrapping_add(other.digest);
        merge_all(&mut self.by_place, &other.by_place);
        merge_all(&mut self.bots, &other.bots);
        self.uses.merge(&other.uses);
        self.rounds.merge(&other.rounds);
        self.length.merge(&other.length);
        self.margin.merge(&other.margin);
        self.ties += other.ties;
        self.failures.extend(other.failures);
        self.failures.sort();
        self.failures.truncate(MOST_FAILURES);
        self.cpu_s += other.cpu_s;
        self.untimed |= other.untimed;
        self
    }

    /// Adds the processor time of games, if it was measured.
    pub(super) fn time(&mut self, cpu_s: Option<f64>) {
        self.cpu_s += cpu_s.unwrap_or(0.0);
        self.untimed |= cpu_s.is_none() && self.games > 0;
    }

    /// The processor time of all games, if it is known.
    pub(super) fn cpu_s(&self) -> Option<f64> {
        (!self.untimed && self.cpu_s > 0.0).then_some(self.cpu_s)
    }

    /// Choices of a decision in finished games, on average; 0 where nothing could be chosen.
    pub(super) fn branching(&self) -> f64 {
        self.choices as f64 / (self.length.sum() as f64).max(1.0)
    }

    /// Games that came to their end.
    pub(super) fn finished(&self) -> u64 {
        self.games - self.unfinished
    }
}

fn grow(all: &mut Vec<Results>, players: usize) {
    if all.len() < players {
        all.resize(players, Results::default());
    }
}

fn merge_all(all: &mut Vec<Results>, others: &[Results]) {
    grow(all, others.len());
    for (own, other) in all.iter_mut().zip(others) {
        own.merge(other);
    }
}
