//! Statistics that need no more memory for more games, and that come out the same in whatever order games
//! are added: sums of whole numbers.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Parts of a win: it can be shared by two to eight players without a rest.
pub(super) const WIN: i64 = 840;

/// Standard deviations to either side that hold 95 % of a normal distribution.
const SIDES_OF_95: f64 = 1.959_963_984_540_054;

/// Binary digits that a value keeps in a histogram.
const DIGITS: u32 = 11;

/// Sums of values and of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) count: u64,
    pub(super) sum: i128,
    pub(super) squares: i128,
}

impl Sums {
    pub(super) fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum = self.sum.saturating_add(value.into());
        let square = i128::from(value).saturating_mul(value.into());
        self.squares = self.squares.saturating_add(square);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    pub(super) fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The unbiased variance; 0 for fewer than two values, and exactly 0 for equal ones.
    pub(super) fn variance(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let count = i128::from(self.count);
        let spread = match (count.checked_mul(self.squares), self.sum.checked_pow(2)) {
            (Some(all), Some(mean)) => (all - mean) as f64,
            _ => self.count as f64 * (self.squares as f64 - self.sum as f64 * self.mean()),
        };
        spread.max(0.0) / (self.count as f64 * (self.count - 1) as f64)
    }

    /// The standard error of the mean.
    pub(super) fn error(&self) -> f64 {
        (self.variance() / self.count.max(1) as f64).sqrt()
    }

    /// Half of the width of the 95 % interval of the mean, by Student's distribution; endless for fewer than
    /// two values.
    pub(super) fn half_width(&self) -> f64 {
        match student(self.count) {
            Some(student) => student.inverse_cdf(0.975) * self.error(),
            None => f64::INFINITY,
        }
    }

    /// How likely a mean so far from 0 is if it is 0.
    pub(super) fn chance(&self) -> f64 {
        match (student(self.count), self.error()) {
            (None, _) => 1.0,
            (Some(_), 0.0) => f64::from(u8::from(self.sum == 0)),
            (Some(student), error) => (2.0 * student.cdf(-(self.mean() / error).abs())).min(1.0),
        }
    }

    /// The ends of the 95 % interval of the mean.
    pub(super) fn interval(&self) -> (f64, f64) {
        let half = self.half_width();
        (self.mean() - half, self.mean() + half)
    }
}

/// Student's distribution for the mean of so many values; none for fewer than two.
fn student(count: u64) -> Option<StudentsT> {
    let freedom = count.checked_sub(1).filter(|freedom| *freedom > 0)?;
    StudentsT::new(0.0, 1.0, freedom as f64).ok()
}

/// How values are spread. Those below 2048 are exact; of larger ones the first eleven binary digits count,
/// so that there is an end to how many there can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Histogram {
    counts: BTreeMap<i64, u64>,
    /// The smallest and the largest as they were, not as they are counted.
    ends: Option<(i64, i64)>,
    sums: Sums,
}

impl Histogram {
    pub(super) fn add(&mut self, value: i64) {
        *self.counts.entry(rounded(value)).or_insert(0) += 1;
        self.reach(value, value);
        self.sums.add(value);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (value, count) in &other.counts {
            *self.counts.entry(*value).or_insert(0) += count;
        }
        if let Some((least, most)) = other.ends {
            self.reach(least, most);
        }
        self.sums.merge(&other.sums);
    }

    fn reach(&mut self, least: i64, most: i64) {
        self.ends = Some(match self.ends {
            Some((low, high)) => (low.min(least), high.max(most)),
            None => (least, most),
        });
    }

    pub(super) fn count(&self) -> u64 {
        self.sums.count
    }

    pub(super) fn sum(&self) -> i128 {
        self.sums.sum
    }

    /// The smallest value that at least so many hundredths of all values do not exceed.
    fn quantile(&self, hundredths: u64) -> i64 {
        let wanted = (self.sums.count * hundredths).div_ceil(100).max(1);
        let mut seen = 0;
        for (value, count) in &self.counts {
            seen += count;
            if seen >= wanted {
                // A large value is counted as less than it is, but nothing was below the smallest.
                return self.ends.map_or(*value, |(least, _)| least.max(*value));
            }
        }
        0
    }

    /// The distribution in numbers.
    pub(super) fn summary(&self) -> Distribution {
        let (low, high) = self.sums.interval();
        let (least, most) = self.ends.unwrap_or((0, 0));
        Distribution {
            count: self.sums.count,
            mean: self.sums.mean(),
            low,
            high,
            deviation: self.sums.variance().sqrt(),
            least,
            q05: self.quantile(5),
            q25: self.quantile(25),
            median: self.quantile(50),
            q75: self.quantile(75),
            q95: self.quantile(95),
            most,
        }
    }

    /// Values as they are counted, with how often they came.
    pub(super) fn bars(&self) -> Vec<(i64, u64)> {
        self.counts.iter().map(|(v, c)| (*v, *c)).collect()
    }
}

/// A value with its first binary digits only.
fn rounded(value: i64) -> i64 {
    let digits = u64::BITS - value.unsigned_abs().leading_zeros();
    let lost = digits.saturating_sub(DIGITS);
    (value >> lost) << lost
}

/// How values are spread. All is exact but quantiles from 2048 on, of which the first eleven binary digits count.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Distribution {
    /// How many values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Lower end of the mean's 95 % interval by Student's distribution; endless for fewer than two values.
    pub low: f64,
    /// Upper end of the mean's 95 % interval.
    pub high: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// The smallest.
    pub least: i64,
    /// Not exceeded by 5 % of the values.
    pub q05: i64,
    /// Not exceeded by a quarter.
    pub q25: i64,
    /// Not exceeded by half.
    pub median: i64,
    /// Not exceeded by three quarters.
    pub q75: i64,
    /// Not exceeded by 95 %.
    pub q95: i64,
    /// The largest.
    pub most: i64,
}

/// A share of games with its 95 % interval.
#[derive(Clone, Copy, Debug, Serialize, PartialEq)]
pub struct Share {
    /// Out of how many.
    pub of: u64,
    /// The share, from 0 to 1.
    pub rate: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

impl Share {
    /// The share of `parts` of a win (see [`WIN`]) in a number of games, with Wilson's interval.
    pub(super) fn of_wins(parts: i128, of: u64) -> Self {
        Self::wilson(parts as f64 / WIN as f64, of)
    }

    /// The share of some in all, with Wilson's interval (Wilson 1927).
    pub(super) fn wilson(some: f64, of: u64) -> Self {
        if of == 0 {
            return Self {
                of,
                rate: 0.0,
                low: 0.0,
                high: 1.0,
            };
        }
        let n = of as f64;
        let rate = some / n;
        let z2 = SIDES_OF_95 * SIDES_OF_95;
        let middle = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = SIDES_OF_95 / (1.0 + z2 / n)
            * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n))
                .max(0.0)
                .sqrt();
        Self {
            of,
            rate,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    /// Worked by hand: 1, 2, 3, 4, 5 have mean 3 and variance 10 / 4.
    #[test]
    fn sums_give_mean_and_variance() {
        let mut sums = Sums::default();
        let mut other = Sums::default();
        for value in [1, 2] {
            sums.add(value);
        }
        for value in [3, 4, 5] {
            other.add(value);
        }
        sums.merge(&other);
        assert_eq!((sums.mean(), sums.variance()), (3.0, 2.5));
        assert!(near(sums.error() * sums.error(), 0.5));
        let mut equal = Sums::default();
        for _ in 0..3 {
            equal.add(7);
        }
        assert_eq!(equal.interval(), (7.0, 7.0));
    }

    /// Student's quantiles of 97.5 % are 12.706 for one degree of freedom and 2.776 for four.
    #[test]
    fn intervals_of_means_are_those_of_students_tables() {
        let interval = |values: &[i64]| {
            let mut histogram = Histogram::default();
            values.iter().for_each(|value| histogram.add(*value));
            let told = histogram.summary();
            (told.low, told.high)
        };
        let (low, high) = interval(&[1, 2, 3, 4, 5]);
        assert!((low - 1.037).abs() < 1e-3 && (high - 4.963).abs() < 1e-3);
        let (low, high) = interval(&[1, 3]);
        assert!((low + 10.706).abs() < 1e-3 && (high - 14.706).abs() < 1e-3);
        // One value says nothing of others.
        for few in [&[7][..], &[]] {
            assert_eq!(interval(few), (f64::NEG_INFINITY, f64::INFINITY));
        }
    }

    /// 4099 counts as 4096, and -4099 as -4100.
    #[test]
    fn the_ends_of_large_values_are_exact() {
        let told = |values: &[i64]| {
            let mut histogram = Histogram::default();
            for value in values {
                let mut other = Histogram::default();
                other.add(*value);
                histogram.merge(&other);
            }
            histogram.summary()
        };
        let same = told(&[4099, 4099, 4099]);
        assert_eq!((same.least, same.median, same.most), (4099, 4099, 4099));
        assert_eq!(same.mean, 4099.0);
        let some = told(&[4099, -4099, 4103]);
        assert_eq!((some.least, some.median, some.most), (-4099, 4096, 4103));
        assert_eq!(some.q05, -4099);
        assert_eq!((told(&[]).least, told(&[]).most), (0, 0));
    }

    /// Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20.
    #[test]
    fn wilson_gives_the_published_intervals() {
        for (some, of, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
        ] {
            let share = Share::wilson(some, of);
            assert!(near(share.low, low) && near(share.high, high), "{share:?}");
        }
        // Two who share a win have half of it each.
        assert_eq!(Share::of_wins(i128::from(WIN / 2), 1).rate, 0.5);
    }

    #[test]
    fn quantiles_are_values_that_came() {
        let mut histogram = Histogram::default();
        for value in 1..=100 {
            histogram.add(value);
        }
        let told = histogram.summary();
        assert_eq!(
            (
                told.least,
                told.q05,
                told.q25,
                told.median,
                told.q75,
                told.q95,
                told.most
            ),
            (1, 5, 25, 50, 75, 95, 100)
        );
    }

    #[test]
    fn a_histogram_does_not_grow_without_end() {
        let mut histogram = Histogram::default();
        for value in 0..200_000_i64 {
            histogram.add(value);
            histogram.add(-value);
        }
        // 1024 values to each further binary digit.
        assert!(histogram.bars().len() < 20_000);
        assert_eq!(
            [rounded(2047), rounded(-2047), rounded(4099)],
            [2047, -2047, 4096]
        );
        assert_eq!(rounded(i64::MIN), i64::MIN);
    }
}
