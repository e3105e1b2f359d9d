//! Pieces of plots: scales, axes, and what is drawn in a row.

use maud::{Markup, html};

use crate::sim::numbers::Share;

/// Steps of an axis between round numbers.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];

/// From where to where a row goes, with round numbers between.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    /// Digits after the point of the ticks.
    digits: usize,
    /// What a value is multiplied by to be read.
    factor: f64,
    /// What is written after it.
    unit: &'static str,
}

impl Scale {
    /// A scale that holds two values and has about so many ticks.
    pub(super) fn around(low: f64, high: f64, ticks: usize) -> Self {
        let (low, high) = match high - low > 1e-9 {
            true => (low, high),
            false => (low - 1.0, high + 1.0),
        };
        let rough = (high - low) / ticks.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step = STEPS.iter().map(|step| step * power);
        let step = step.into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let ticks: Vec<f64> = (first..=last).map(|at| at as f64 * step).collect();
        Self {
            low,
            high,
            ticks,
            digits: (-step.log10().floor()).max(0.0) as usize,
            factor: 1.0,
            unit: "",
        }
    }

    /// A scale for shares, as percentages, that holds their intervals.
    pub(super) fn of_shares<'s>(shares: impl Iterator<Item = &'s Share>) -> Self {
        let shares: Vec<&Share> = shares.filter(|share| share.of > 0).collect();
        let low = shares.iter().map(|share| share.low).fold(1.0, f64::min);
        let high = shares.iter().map(|share| share.high).fold(0.0, f64::max);
        let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
        let scale = Self::around(low * 100.0, high * 100.0, 4);
        Self {
            low: scale.low / 100.0,
            high: scale.high / 100.0,
            ticks: scale.ticks.iter().map(|tick| tick / 100.0).collect(),
            digits: scale.digits,
            factor: 100.0,
            unit: "%",
        }
    }

    /// Where a value lies, in percent of the width; what is beyond an end lies there.
    fn percent(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        let room = 100.0 - 2.0 * SIDE;
        SIDE + room * part.clamp(0.0, 1.0)
    }

    /// The same as an attribute.
    pub(super) fn at(&self, value: f64) -> String {
        format!("{:.2}%", self.percent(value))
    }

    /// How wide it is from one value to another, as an attribute.
    pub(super) fn wide(&self, from: f64, to: f64) -> String {
        format!("{:.2}%", (self.percent(to) - self.percent(from)).max(0.0))
    }

    /// Whether a value lies beyond an end.
    pub(super) fn is_beyond(&self, value: f64) -> bool {
        value < self.low - 1e-9 || value > self.high + 1e-9
    }

    /// The lines at round numbers, behind what is drawn in a row.
    pub(super) fn grid(&self) -> Markup {
        html! {
            @for tick in &self.ticks {
                line.grid x1=(self.at(*tick)) x2=(self.at(*tick)) y1="0" y2="100%" {}
            }
        }
    }

    /// The numbers above or below the rows.
    pub(super) fn axis(&self) -> Markup {
        html! {
            svg.axis aria-hidden="true" {
                @for tick in &self.ticks {
                    text x=(self.at(*tick)) y="14" {
                        (with_minus(&format!("{:.*}", self.digits, tick * self.factor))) (self.unit)
                    }
                }
            }
        }
    }
}

/// Room at the sides of a row, in percent.
const SIDE: f64 = 4.0;

/// A value with its interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) value: f64,
    pub(super) high: f64,
}

impl From<&Share> for Interval {
    fn from(share: &Share) -> Self {
        Self {
            low: share.low,
            value: share.rate,
            high: share.high,
        }
    }
}

/// A dot with its interval, in the colours of a class, at a height in percent.
pub(super) fn interval(scale: &Scale, of: Interval, class: &str, height: u8) -> Markup {
    let height = format!("{height}%");
    html! {
        line.interval.(class) x1=(scale.at(of.low)) x2=(scale.at(of.high)) y1=(height) y2=(height) {}
        @if !scale.is_beyond(of.value) {
            circle.dot.(class) cx=(scale.at(of.value)) cy=(height) r="5" {}
        }
    }
}

/// A line through all rows at a value that others are compared with.
pub(super) fn reference(scale: &Scale, value: f64) -> Markup {
    html! {
        line.reference x1=(scale.at(value)) x2=(scale.at(value)) y1="0" y2="100%" {}
    }
}

/// A row's drawing: the grid, and what is given.
pub(super) fn row(scale: &Scale, says: &str, drawn: Markup) -> Markup {
    html! {
        svg.row aria-hidden="true" {
            title { (says) }
            (scale.grid())
            (drawn)
        }
    }
}

/// A share in percent.
pub(super) fn percent(rate: f64) -> String {
    format!("{:.1}%", rate * 100.0)
}

/// A share's interval in percent.
pub(super) fn percents(low: f64, high: f64) -> String {
    format!("{:.1} to {:.1}%", low * 100.0, high * 100.0)
}

/// A number with so many digits that people read about three of them.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A difference, with its sign.
pub(super) fn signed(value: f64) -> String {
    match value > 0.0 {
        true => format!("+{}", number(value)),
        false => with_minus(&number(value)),
    }
}

/// A number with a minus as wide as a plus.
fn with_minus(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

/// A large number in groups of three digits.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_what_is_shown() {
        for (low, high, ticks, digits) in [
            (0.3, 9.7, &[2.0, 4.0, 6.0, 8.0][..], 0),
            (-0.12, 0.17, &[-0.1, 0.0, 0.1], 1),
            (0.0, 10.0, &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0], 0),
            (5.0, 5.0, &[4.0, 4.5, 5.0, 5.5, 6.0], 1),
        ] {
            let scale = Scale::around(low, high, 5);
            assert_eq!(scale.digits, digits, "{low} to {high}");
            assert_eq!(scale.ticks.len(), ticks.len(), "{:?}", scale.ticks);
            for (own, wanted) in scale.ticks.iter().zip(ticks) {
                assert!((own - wanted).abs() < 1e-9, "{:?}", scale.ticks);
            }
        }
        let scale = Scale::around(0.0, 10.0, 5);
        assert_eq!(
            (scale.at(0.0), scale.at(5.0)),
            ("4.00%".into(), "50.00%".into())
        );
        assert_eq!(scale.at(99.0), "96.00%");
        assert!(scale.is_beyond(99.0) && !scale.is_beyond(10.0));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [1234.5, 12.34, 1.234, 0.01234, 0.0].map(number),
            ["1234", "12.3", "1.23", "0.012", "0.00"]
        );
        assert_eq!([0.5, -0.5].map(signed), ["+0.50", "\u{2212}0.50"]);
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(12), "12");
    }
}
