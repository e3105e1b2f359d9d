//! How scores are spread.

use maud::{Markup, html};

use super::plot::{Scale, number, row};
use crate::cli::sim::TOO_FEW;
use crate::sim::numbers::Distribution;

/// Columns of a histogram at most.
const COLUMNS: i64 = 48;

/// A shape that is drawn in a row.
pub(super) struct Shape<'a> {
    /// Values with how often they came, in order.
    pub(super) counts: &'a [(i64, u64)],
    /// Its colours.
    pub(super) class: &'static str,
}

/// Counts in columns of equal width, as shares of all.
struct Columns {
    first: i64,
    width: i64,
    shares: Vec<f64>,
}

/// From where to where values go, without the rare ones far out.
fn range<'a>(shapes: impl Iterator<Item = &'a Shape<'a>>) -> (i64, i64) {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for shape in shapes {
        let all: u64 = shape.counts.iter().map(|(_, count)| count).sum();
        let out = all / 500;
        let mut seen = 0;
        let mut counts = shape.counts.iter();
        let least = counts.find(|(_, count)| {
            seen += count;
            seen > out
        });
        let mut seen = 0;
        let mut counts = shape.counts.iter().rev();
        let most = counts.find(|(_, count)| {
            seen += count;
            seen > out
        });
        low = low.min(least.map_or(i64::MAX, |(value, _)| *value));
        high = high.max(most.map_or(i64::MIN, |(value, _)| *value));
    }
    match low <= high {
        true => (low, high),
        false => (0, 1),
    }
}

fn columns(shape: &Shape<'_>, (low, high): (i64, i64)) -> Columns {
    let width = (high.saturating_sub(low) / COLUMNS).saturating_add(1);
    let number = high.saturating_sub(low) / width + 1;
    let mut shares = vec![0.0; number as usize];
    let all: u64 = shape.counts.iter().map(|(_, count)| count).sum();
    for (value, count) in shape.counts {
        // Those far out count at the ends.
        let at = (value.clamp(&low, &high) - low) / width;
        shares[at as usize] += *count as f64 / all.max(1) as f64;
    }
    Columns {
        first: low,
        width,
        shares,
    }
}

/// The outline of a histogram, in a box of 1000 by 100 that is stretched over the scale.
fn outline(columns: &Columns, most: f64) -> String {
    let step = 1000.0 / columns.shares.len() as f64;
    let mut path = "M0 100".to_owned();
    for (at, share) in columns.shares.iter().enumerate() {
        let height = 100.0 - 96.0 * share / most.max(1e-9);
        let left = at as f64 * step;
        path.push_str(&format!("L{left:.1} {height:.1}H{:.1}", left + step));
    }
    path.push_str("V100Z");
    path
}

/// One row: what it is called, its shapes, its distribution and what is written beside it.
pub(super) struct ScoreRow<'a> {
    pub(super) label: String,
    pub(super) shapes: Vec<Shape<'a>>,
    /// Quantiles to be marked, if there are some.
    pub(super) spread: Option<&'a Distribution>,
    pub(super) beside: Markup,
}

/// A histogram for each row, on one scale.
pub(super) fn histograms(head: &str, caption: &str, rows: &[ScoreRow<'_>]) -> Markup {
    let shapes = || rows.iter().flat_map(|row| &row.shapes);
    let (low, high) = range(shapes());
    let all: Vec<Vec<Columns>> = rows
        .iter()
        .map(|row| {
            row.shapes
                .iter()
                .map(|own| columns(own, (low, high)))
                .collect()
        })
        .collect();
    let most = all.iter().flatten().flat_map(|own| &own.shares);
    let most = most.copied().fold(0.0, f64::max);
    // A column reaches from half a point below its value to half a point above.
    let ends = all.iter().flatten().map(|own| {
        let end = own.first + own.width * own.shares.len() as i64;
        (own.first as f64 - 0.5, end as f64 - 0.5)
    });
    let (left, right) = ends.clone().next().unwrap_or((0.0, 1.0));
    let scale = Scale::around(left, right, 6);
    html! {
        table.plot.tall {
            caption { (caption) }
            thead { tr { th scope="col" { "Place" } th.drawn scope="col" { (scale.axis()) } th scope="col" { (head) } } }
            tbody {
                @for (own, columns) in rows.iter().zip(&all) {
                    tr {
                        th scope="row" { (own.label) }
                        td.drawn { (row(&scale, &own.label, html! {
                            @for (shape, columns) in own.shapes.iter().zip(columns) {
                                svg x=(scale.at(left)) width=(scale.wide(left, right)) y="4%" height="78%"
                                    viewBox="0 0 1000 100" preserveAspectRatio="none" {
                                    path.shape.(shape.class) d=(outline(columns, most)) {}
                                }
                            }
                            @if let Some(spread) = own.spread { (box_of(&scale, spread)) }
                        })) }
                        td.numbers { (own.beside) }
                    }
                }
            }
        }
    }
}

/// A bar from quartile to quartile, a thin line from 5 % to 95 %, and the median.
fn box_of(scale: &Scale, spread: &Distribution) -> Markup {
    let at = |value: i64| scale.at(value as f64);
    html! {
        line.whisker x1=(at(spread.q05)) x2=(at(spread.q95)) y1="92%" y2="92%" {}
        line.quartiles x1=(at(spread.q25)) x2=(at(spread.q75)) y1="92%" y2="92%" {}
        circle.median cx=(at(spread.median)) cy="92%" r="4" {}
    }
}

/// The interval of a mean; one value has none.
pub(super) fn between(own: &Distribution) -> String {
    match own.low.is_finite() {
        true => format!("{} to {}", number(own.low), number(own.high)),
        false => TOO_FEW.to_owned(),
    }
}

/// The numbers of distributions, a line for each.
pub(super) fn numbers(rows: &[(String, &Distribution)], open: bool) -> Markup {
    html! {
        details open=[open.then_some("open")] {
            summary { "All numbers" }
            div.wide tabindex="0" role="region" aria-label="All numbers" {
                table.list {
                    thead { tr {
                        th scope="col" { "" }
                        @for head in ["mean", "95 % interval", "deviation", "least", "5 %", "25 %", "50 %", "75 %", "95 %", "most"] {
                            th scope="col" { (head) }
                        }
                    } }
                    tbody { @for (label, own) in rows { tr {
                        th scope="row" { (label) }
                        td { (number(own.mean)) }
                        td { (between(own)) }
                        td { (number(own.deviation)) }
                        @for value in [own.least, own.q05, own.q25, own.median, own.q75, own.q95, own.most] {
                            td { (value) }
                        }
                    } } }
                }
            }
        }
    }
}
