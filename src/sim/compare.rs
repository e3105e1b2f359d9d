//! Comparing rules by pairs of games: the same seeds, the same bots, so that most of the luck is common.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use serde::Serialize;

use crate::script::{Rules, Scratch};

use super::batch::{Batch, Watch, in_blocks};
use super::bots::Bot;
use super::chosen::Chosen;
use super::countable::Titles;
use super::game::{Played, Trouble, play_watched};
use super::metrics::{Metric, metrics, need_metric};
use super::numbers::{Histogram, Sums};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Pairs after which it is first looked whether a difference is clear enough; then after twice as many.
const FIRST_LOOK: u64 = 500;

/// Sums over pairs of one metric. A pair that has none of it adds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PairSums {
    base: Sums,
    variant: Sums,
    difference: Sums,
}

/// What the pairs of the base game and one variant add up to.
#[derive(Clone, Debug, Default)]
struct PairTally {
    pairs: u64,
    left_out: u64,
    same: u64,
    metrics: BTreeMap<Metric, PairSums>,
    /// By place: in the base game, and in the variant.
    scores: Vec<(Histogram, Histogram)>,
}

impl PairTally {
    fn add(&mut self, rules: (&Rules, &Rules), base: &Played, variant: &Played) {
        if base.trouble.is_some() || variant.trouble.is_some() {
            self.left_out += 1;
            return;
        }
        self.pairs += 1;
        self.same += u64::from(base == variant);
        let players = base.scores.len().max(variant.scores.len());
        self.scores
            .resize_with(self.scores.len().max(players), Default::default);
        for (at, sums) in self.scores.iter_mut().enumerate() {
            base.scores.get(at).iter().for_each(|own| sums.0.add(**own));
            variant
                .scores
                .get(at)
                .iter()
                .for_each(|own| sums.1.add(**own));
        }
        let mut one = metrics(rules.0, base);
        let two = metrics(rules.1, variant);
        for (metric, variant) in two {
            let base = one.remove(&metric).unwrap_or(0);
            self.add_values(metric, base, variant);
        }
        for (metric, base) in one {
            self.add_values(metric, base, 0);
        }
    }

    fn add_values(&mut self, metric: Metric, base: i64, variant: i64) {
        let sums = self.metrics.entry(metric).or_default();
        sums.base.add(base);
        sums.variant.add(variant);
        sums.difference.add(variant.saturating_sub(base));
    }

    fn merge(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.left_out += other.left_out;
        self.same += other.same;
        let places = self.scores.len().max(other.scores.len());
        self.scores.resize_with(places, Default::default);
        for (sums, own) in self.scores.iter_mut().zip(&other.scores) {
            sums.0.merge(&own.0);
            sums.1.merge(&own.1);
        }
        for (metric, own) in other.metrics {
            let sums = self.metrics.entry(metric).or_default();
            sums.base.merge(&own.base);
            sums.variant.merge(&own.variant);
            sums.difference.merge(&own.difference);
        }
    }
}

/// The pairs of all variants.
#[derive(Clone, Debug, Default)]
struct AllPairs(Vec<PairTally>);

impl AllPairs {
    fn merge(mut self, other: Self) -> Self {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), PairTally::default());
        }
        for (own, other) in self.0.iter_mut().zip(other.0) {
            own.merge(other);
        }
        self
    }
}

/// A variant, or whatever is compared with the base game.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its rules.
    pub rules: &'a Rules,
}

/// When a difference is clear enough to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Clear {
    /// The id of a metric.
    pub metric: String,
    /// The interval of its difference is no wider than this, for each variant.
    pub width: f64,
}

impl Clear {
    /// Refuses a metric that the games can never have.
    ///
    /// # Errors
    /// Says which may be meant, or which there are.
    pub fn need_metric(
        &self,
        base: &Rules,
        variants: &[Variant<'_>],
        batch: &Batch,
    ) -> Result<(), String> {
        let all = variants.iter().map(|variant| variant.rules).chain([base]);
        need_metric(&self.metric, all, batch)
    }
}

/// What came of comparing.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The version of the format.
    pub format: u32,
    /// Which rules all are compared with.
    pub base: Chosen,
    /// How many play.
    pub players: u8,
    /// The seed.
    pub seed: u64,
    /// The bots.
    pub bots: Vec<String>,
    /// For each variant, what is different.
    pub variants: Vec<Differences>,
    /// Seconds that passed.
    pub elapsed_s: f64,
}

/// What is different between the base game and a variant.
#[derive(Clone, Debug, Serialize)]
pub struct Differences {
    /// The variant.
    pub variant: String,
    /// Pairs of games that came to their ends.
    pub pairs: u64,
    /// Pairs of which a game did not.
    pub left_out: u64,
    /// Pairs of games that went the same way to the end.
    pub same: u64,
    /// Each metric.
    pub metrics: Vec<Difference>,
    /// Scores of each place round the table.
    pub scores: Vec<PlaceScores>,
}

/// Each score of one place with how often it came.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceScores {
    /// In the base game.
    pub base: Vec<(i64, u64)>,
    /// In the variant.
    pub variant: Vec<(i64, u64)>,
}

/// The difference of one metric. Its interval is that of 95 %, by Student's distribution.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The metric.
    pub id: String,
    /// What people read.
    pub title: String,
    /// What it belongs to, in the title.
    #[serde(skip)]
    pub group: String,
    /// What it is called there.
    #[serde(skip)]
    pub name: String,
    /// Mean in the base game.
    pub base: f64,
    /// Mean in the variant.
    pub variant: f64,
    /// By how much the variant has more.
    pub difference: f64,
    /// Lower end of the difference's interval.
    pub low: f64,
    /// Upper end of the difference's interval.
    pub high: f64,
    /// Standard deviation of single games, with and without the variant (the root of the mean variance).
    pub deviation: f64,
    /// How likely a difference as large is without any cause.
    pub p: f64,
    /// The same, corrected for how many metrics are looked at (Holm 1979), over all variants.
    pub p_holm: f64,
    /// How wide the interval is, compared with that of as many games that are no pairs; nothing where
    /// neither has a width.
    pub width_of_unpaired: Option<f64>,
}

impl Difference {
    /// Whether no pair differs in it.
    pub fn is_nothing(&self) -> bool {
        self.difference == 0.0 && self.low == 0.0 && self.high == 0.0
    }
}

/// Plays pairs of games by the base game and by each variant, and tells what is different. The results are
/// the same for any number of threads.
///
/// # Errors
/// When there is no such metric, or the threads cannot be started.
pub fn compare(
    base: &Rules,
    variants: &[Variant<'_>],
    batch: &Batch,
    clear: Option<&Clear>,
    watch: &Watch<'_>,
) -> Result<Comparison, String> {
    let begun = Instant::now();
    if let Some(clear) = clear {
        clear.need_metric(base, variants, batch)?;
    }
    let quick_base = base.inlined();
    let quick: Vec<Rules> = variants
        .iter()
        .map(|variant| variant.rules.inlined())
        .collect();
    let mut all = AllPairs(vec![PairTally::default(); variants.len()]);
    let mut next = 0;
    while next < batch.games && !watch.is_stopped() {
        let end = match clear {
            Some(_) => (next * 2).max(FIRST_LOOK).min(batch.games),
            None => batch.games,
        };
        let block = |games: Range<u64>| block(&quick_base, &quick, batch, watch, games);
        let more = in_blocks(next..end, batch.threads, watch, block, AllPairs::merge)?;
        all = all.merge(more);
        next = end;
        if let Some(clear) = clear
            && is_clear(&all, batch, clear)
        {
            break;
        }
    }
    let mut told: Vec<Differences> = variants
        .iter()
        .zip(&all.0)
        .map(|(variant, tally)| differences(variant, tally, batch.players))
        .collect();
    holm(&mut told);
    let bots = (0..usize::from(batch.players)).map(|at| batch.lineup.kind(at).name());
    Ok(Comparison {
        format: FORMAT,
        base: Chosen::of(base),
        players: batch.players,
        seed: batch.seed,
        bots: bots.collect(),
        variants: told,
        elapsed_s: begun.elapsed().as_secs_f64(),
    })
}

fn block(
    base: &Rules,
    variants: &[Rules],
    batch: &Batch,
    watch: &Watch<'_>,
    games: Range<u64>,
) -> AllPairs {
    let mut scratch = Scratch::default();
    let mut all = AllPairs(vec![PairTally::default(); variants.len()]);
    let mut played = 0;
    for index in games {
        if watch.is_stopped() {
            break;
        }
        let mut play = |rules| play_watched(rules, batch, index, watch, &mut scratch);
        let one = play(base);
        let others: Vec<Played> = variants.iter().map(&mut play).collect();
        // All variants are compared on the same pairs.
        let mut games = others.iter().chain([&one]);
        if games.any(|game| game.trouble == Some(Trouble::Stopped)) {
            break;
        }
        for ((variant, two), tally) in variants.iter().zip(&others).zip(&mut all.0) {
            tally.add((base, variant), &one, two);
        }
        played += 1;
    }
    watch.tell(played);
    all
}

fn is_clear(all: &AllPairs, batch: &Batch, clear: &Clear) -> bool {
    for tally in &all.0 {
        if tally.pairs == 0 {
            return false;
        }
        let mut known = tally.metrics.iter();
        // What nobody has used so far may be used yet.
        let Some((metric, sums)) = known.find(|(metric, _)| metric.id() == clear.metric) else {
            return false;
        };
        let half = filled(sums.difference, tally.pairs).half_width() / metric.unit(batch.players);
        if 2.0 * half > clear.width {
            return false;
        }
    }
    true
}

/// Sums in which the pairs that had nothing of a metric count as zeros.
fn filled(sums: Sums, pairs: u64) -> Sums {
    Sums {
        count: pairs,
        ..sums
    }
}

fn differences(variant: &Variant<'_>, tally: &PairTally, players: u8) -> Differences {
    let titles = Titles::of(variant.rules.layout());
    let metrics = tally.metrics.iter().map(|(metric, sums)| {
        let (group, name) = metric.words(&titles, variant.rules);
        let unit = metric.unit(players);
        let [base, other, difference] =
            [sums.base, sums.variant, sums.difference].map(|sums| filled(sums, tally.pairs));
        let mean = difference.mean() / unit;
        let half = difference.half_width() / unit;
        let unpaired = (base.variance() + other.variance()).sqrt();
        let title = match metric {
            Metric::Use(..) if name.is_empty() => group.clone(),
            Metric::Use(..) => format!("{group}: {name}"),
            _ => name.clone(),
        };
        Difference {
            id: metric.id(),
            title,
            group,
            name,
            base: base.mean() / unit,
            variant: other.mean() / unit,
            difference: mean,
            low: mean - half,
            high: mean + half,
            deviation: unpaired / std::f64::consts::SQRT_2 / unit,
            p: difference.chance(),
            p_holm: 1.0,
            width_of_unpaired: (unpaired > 0.0).then(|| difference.variance().sqrt() / unpaired),
        }
    });
    Differences {
        variant: variant.name.to_owned(),
        pairs: tally.pairs,
        left_out: tally.left_out,
        same: tally.same,
        metrics: metrics.collect(),
        scores: tally
            .scores
            .iter()
            .map(|(base, variant)| PlaceScores {
                base: base.bars(),
                variant: variant.bars(),
            })
            .collect(),
    }
}

/// Corrects for how many differences are looked at.
fn holm(told: &mut [Differences]) {
    let all = told.iter_mut().flat_map(|told| &mut told.metrics);
    let mut all: Vec<&mut Difference> = all.collect();
    all.sort_by(|a, b| a.p.total_cmp(&b.p));
    let number = all.len();
    let mut least = 0.0_f64;
    for (at, own) in all.into_iter().enumerate() {
        least = least.max((own.p * (number - at) as f64).min(1.0));
        own.p_holm = least;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(values: &[i64]) -> Sums {
        let mut sums = Sums::default();
        values.iter().for_each(|value| sums.add(*value));
        sums
    }

    /// Student's quantile for four degrees of freedom is 2.776; the standard error of 1 to 5 is the root of
    /// one half. Its mean of 3 is 4.243 errors from 0, which has p = 0.0132.
    #[test]
    fn intervals_and_p_are_those_of_the_tables() {
        let sums = sums(&[1, 2, 3, 4, 5]);
        assert!((sums.half_width() - 1.963).abs() < 1e-3);
        assert!((sums.chance() - 0.0132).abs() < 1e-4);
    }

    #[test]
    fn what_never_differs_is_exactly_zero() {
        let zeros = sums(&[0, 0, 0]);
        assert_eq!(
            (zeros.mean(), zeros.half_width(), zeros.chance()),
            (0.0, 0.0, 1.0)
        );
        // What always differs by as much is no chance.
        assert_eq!(sums(&[2, 2, 2]).chance(), 0.0);
        // One pair says nothing.
        assert_eq!(
            (sums(&[2]).half_width(), sums(&[2]).chance()),
            (f64::INFINITY, 1.0)
        );
    }

    /// Worked by hand: 0.01, 0.02, 0.03, 0.04 become 0.04, 0.06, 0.06, 0.06.
    #[test]
    fn holm_corrects_step_by_step() {
        let difference = |p: f64| Difference {
            id: String::new(),
            title: String::new(),
            group: String::new(),
            name: String::new(),
            base: 0.0,
            variant: 0.0,
            difference: 0.0,
            low: 0.0,
            high: 0.0,
            deviation: 0.0,
            p,
            p_holm: 1.0,
            width_of_unpaired: None,
        };
        let part = |ps: &[f64]| Differences {
            variant: String::new(),
            pairs: 2,
            left_out: 0,
            same: 0,
            metrics: ps.iter().map(|p| difference(*p)).collect(),
            scores: Vec::new(),
        };
        let mut told = [part(&[0.04, 0.01]), part(&[0.03, 0.02])];
        holm(&mut told);
        let corrected: Vec<f64> = told
            .iter()
            .flat_map(|told| told.metrics.iter().map(|own| own.p_holm))
            .collect();
        for (own, wanted) in corrected.iter().zip([0.06, 0.04, 0.06, 0.06]) {
            assert!((own - wanted).abs() < 1e-9, "{corrected:?}");
        }
    }
}
