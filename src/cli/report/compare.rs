//! The pages of `yukon compare` and `yukon sweep`.

use maud::{Markup, html};

use super::Origin;
use super::page::{Fact, Section, page};
use super::plot::{Interval, Scale, grouped, interval, number, reference, row, signed};
use super::scores::{ScoreRow, Shape, histograms};
use crate::cli::compare::{clear, stands_out, usual_width};
use crate::cli::sim::TOO_FEW;
use crate::diag::noun;
use crate::sim::compare::{Comparison, Difference, Differences};

/// A row's dot is drawn at most so many standard deviations from nothing; what is beyond has an arrow.
const FAR: f64 = 3.0;

/// The page of a comparison: a part for each variant.
pub(in crate::cli) fn compare_page(told: &Comparison, origin: &Origin<'_>) -> String {
    let mut parts = Vec::new();
    for (at, variant) in told.variants.iter().enumerate() {
        parts.push(differences(at, variant));
        if !variant.scores.is_empty() {
            parts.push(scores(at, variant));
        }
    }
    let names: Vec<&str> = told
        .variants
        .iter()
        .map(|own| own.variant.as_str())
        .collect();
    let lead = format!("with {}, compared by pairs of games", names.join(", "));
    page(origin, &lead, &facts(told), &parts)
}

fn facts(told: &Comparison) -> Vec<Fact> {
    let rows = || told.variants.iter().map(|own| own.pairs);
    let (least, most) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
    let same: u64 = told.variants.iter().map(|own| own.same).sum();
    let left_out: u64 = told.variants.iter().map(|own| own.left_out).sum();
    let all: u64 = told.variants.iter().map(|own| own.pairs).sum();
    let metrics = || told.variants.iter().flat_map(|own| &own.metrics);
    let clear = metrics().filter(|own| stands_out(own)).count();
    let players = told.players;
    let players = format!("{players} {}", noun(players, "player", "players"));
    let mut facts = vec![
        Fact {
            what: noun(most, "pair of games", "pairs of games"),
            // Not each variant has as many where games did not come to their ends.
            value: match least == most {
                true => grouped(most),
                false => format!("{} to {}", grouped(least), grouped(most)),
            },
            note: match left_out {
                0 => format!("{players}, {}", told.bots.join(", ")),
                _ => format!("{players}; {left_out} left out"),
            },
        },
        Fact {
            what: "the same to the end",
            value: match all {
                0 => "-".to_owned(),
                _ => format!("{:.1}%", 100.0 * same as f64 / all as f64),
            },
            note: "of pairs".to_owned(),
        },
        Fact {
            what: "clear differences",
            value: clear.to_string(),
            note: format!("of {} looked at", metrics().count()),
        },
    ];
    let widths: Vec<f64> = told.variants.iter().filter_map(usual_width).collect();
    if let Some(width) = widths
        .iter()
        .copied()
        .reduce(f64::max)
        .filter(|width| *width > 0.0)
    {
        facts.push(Fact {
            what: "width of intervals",
            value: format!("{}×", number(width)),
            note: format!(
                "as without common chance: worth {} times the games",
                number(width.powi(-2))
            ),
        });
    }
    facts
}

/// The metrics in groups: of the whole game, of each place, and of each statistic.
fn groups(variant: &Differences) -> Vec<(&str, Vec<&Difference>)> {
    let mut groups: Vec<(&str, Vec<&Difference>)> = Vec::new();
    for own in &variant.metrics {
        match groups.iter_mut().find(|(title, _)| *title == own.group) {
            Some((_, all)) => all.push(own),
            None => groups.push((&own.group, vec![own])),
        }
    }
    groups
}

/// How much of a metric is one step on a common scale: a standard deviation of single games.
fn step(own: &Difference) -> f64 {
    own.deviation.max(f64::MIN_POSITIVE)
}

fn differences(at: usize, variant: &Differences) -> Section {
    let exact = variant.metrics.iter().all(Difference::is_nothing);
    let says = match (variant.pairs, exact) {
        (0, _) => "No pair of games came to its end.".to_owned(),
        (_, true) => "Every difference is exactly 0.".to_owned(),
        (_, false) => "Each line is the 95 % interval of a difference, in standard deviations of single games, so that all \
                  fit on one scale. The numbers are in units of their own. Coloured: chance alone makes as much in less \
                  than 5 % of cases, corrected for all that is looked at."
            .to_owned(),
    };
    let ends = variant.metrics.iter().flat_map(|own| {
        let unit = step(own);
        [own.low / unit, own.high / unit]
    });
    let ends = ends
        .filter(|end| end.is_finite())
        .map(|end| end.clamp(-FAR, FAR));
    let far = ends.map(f64::abs).fold(0.05, f64::max);
    let scale = Scale::around(-far, far, 4);
    Section {
        id: format!("variant-{}", at + 1),
        title: variant.variant.clone(),
        says,
        body: html! {
            @if !exact {
                h3 { "What is clearly different" }
                @match clear(variant) {
                    rows if rows.is_empty() => {
                        p.says { "Nothing: it differs by less than so many pairs can show, or not at all." }
                    }
                    rows => (forest(&scale, &rows, |own| &own.title)),
                }
            }
            @for (group, rows) in groups(variant) {
                h3 { (group) }
                (forest(&scale, &rows, |own| &own.name))
            }
        },
    }
}

/// A forest plot: a row for each metric.
fn forest(scale: &Scale, rows: &[&Difference], name: fn(&Difference) -> &String) -> Markup {
    html! {
        table.plot.forest {
            thead { tr {
                th scope="col" { "" }
                th.drawn scope="col" { (scale.axis()) }
                th scope="col" { "difference" }
                th scope="col" { "means" }
            } }
            tbody { @for own in rows { tr {
                th scope="row" { (if name(own).is_empty() { "all" } else { name(own) }) }
                td.drawn { (row(scale, &says(own), html! {
                    (reference(scale, 0.0))
                    (dot(scale, own, step(own)))
                })) }
                td.numbers { (difference(own)) }
                td.numbers { (number(own.base)) small { "to " (number(own.variant)) } }
            } } }
        }
    }
}

/// The interval of a difference in some unit; an arrow where it lies beyond the scale.
fn dot(scale: &Scale, own: &Difference, unit: f64) -> Markup {
    let class = if stands_out(own) { "clear" } else { "vague" };
    let of = Interval {
        low: own.low / unit,
        value: own.difference / unit,
        high: own.high / unit,
    };
    let (at, arrow) = match of.value > 0.0 {
        true => ("96%", "\u{25b8}"),
        false => ("2%", "\u{25c2}"),
    };
    html! {
        @if scale.is_beyond(of.value) {
            text.beyond x=(at) y="50%" { (arrow) }
        } @else if of.low.is_finite() {
            (interval(scale, of, class, 50))
        }
    }
}

fn difference(own: &Difference) -> Markup {
    html! {
        b { (signed(own.difference)) }
        @if stands_out(own) { span.star title=(format!("p {:.4}", own.p_holm)) { " *" } }
        small { (range(own)) }
    }
}

fn range(own: &Difference) -> String {
    match own.low.is_finite() {
        true => format!("{} to {}", signed(own.low), signed(own.high)),
        false => TOO_FEW.to_owned(),
    }
}

fn says(own: &Difference) -> String {
    format!(
        "{}: {} ({}), p {:.4}",
        own.title,
        signed(own.difference),
        range(own),
        own.p_holm
    )
}

/// Scores of each place, with and without the variant.
fn scores(at: usize, variant: &Differences) -> Section {
    let rows: Vec<ScoreRow<'_>> = variant
        .scores
        .iter()
        .enumerate()
        .map(|(place, own)| ScoreRow {
            label: format!("Place {}", place + 1),
            shapes: vec![
                Shape {
                    counts: &own.base,
                    class: "base",
                },
                Shape {
                    counts: &own.variant,
                    class: "variant",
                },
            ],
            spread: None,
            beside: html! {
                @let id = format!("score_{}", place + 1);
                @if let Some(own) = variant.metrics.iter().find(|own| own.id == id) { (difference(own)) }
            },
        })
        .collect();
    let base = html! { span.key.base { "without" } };
    Section {
        id: format!("scores-{}", at + 1),
        title: format!("Scores, {}", variant.variant),
        says: String::new(),
        body: html! {
            p.says { "How often each score came " (base) " and " span.key.variant { "with it" } "." }
            (histograms("difference", "Scores of each place round the table", &rows))
        },
    }
}

/// Said once for all parts of a grid.
const SWEPT: &str = "Each line is the 95 % interval of the difference from the game as it is without these values. Coloured: chance \
                     alone makes as much in less than 5 % of cases, corrected for all that is looked at.";

/// The page of a grid: a part for each metric, in which each combination is a row.
pub(in crate::cli) fn sweep_page(
    told: &Comparison,
    columns: &[&str],
    origin: &Origin<'_>,
) -> String {
    let mut parts = Vec::new();
    // The usual ones, and whatever else stands out somewhere.
    let mut ids: Vec<&str> = columns.to_vec();
    for own in told.variants.iter().flat_map(clear) {
        if !ids.contains(&own.id.as_str()) {
            ids.push(&own.id);
        }
    }
    for id in ids {
        let rows: Vec<(&Differences, Option<&Difference>)> = told
            .variants
            .iter()
            .map(|row| (row, row.metrics.iter().find(|own| own.id == id)))
            .collect();
        let Some(first) = rows.iter().find_map(|(_, own)| *own) else {
            continue;
        };
        parts.push(Section {
            id: id.to_owned(),
            title: first.title.clone(),
            says: match parts.is_empty() {
                true => SWEPT.to_owned(),
                false => String::new(),
            },
            body: lines(&rows),
        });
    }
    if parts.is_empty() {
        parts.push(Section {
            id: "none".to_owned(),
            title: "Nothing to compare".to_owned(),
            says: "No pair of games came to its end.".to_owned(),
            body: html! {},
        });
    }
    let lead = format!(
        "{} {}, each compared by pairs of games",
        told.variants.len(),
        noun(told.variants.len() as u64, "combination", "combinations")
    );
    page(origin, &lead, &facts(told), &parts)
}

/// The differences of one metric, a row for each combination, in the metric's own unit.
fn lines(rows: &[(&Differences, Option<&Difference>)]) -> Markup {
    let known = rows.iter().filter_map(|(_, own)| *own);
    let ends = known.flat_map(|own| [own.low, own.high, 0.0]);
    let ends: Vec<f64> = ends.filter(|end| end.is_finite()).collect();
    let low = ends.iter().copied().fold(0.0, f64::min);
    let high = ends.iter().copied().fold(0.0, f64::max);
    let scale = Scale::around(low, high, 5);
    html! {
        table.plot.forest {
            thead { tr {
                th scope="col" { "" }
                th.drawn scope="col" { (scale.axis()) }
                th scope="col" { "difference" }
                th scope="col" { "mean" }
            } }
            tbody { @for (variant, own) in rows { tr {
                th scope="row" {
                    (variant.variant.replace('+', ", "))
                    @if variant.left_out > 0 {
                        small { " " (grouped(variant.pairs)) " " (noun(variant.pairs, "pair", "pairs")) ", "
                            (grouped(variant.left_out)) " left out" }
                    }
                }
                @match own {
                    Some(own) => {
                        td.drawn { (row(&scale, &says(own), html! { (reference(&scale, 0.0)) (dot(&scale, own, 1.0)) })) }
                        td.numbers { (difference(own)) }
                        td.numbers { (number(own.variant)) }
                    }
                    None => {
                        td colspan="3" {
                            @if variant.pairs == 0 { "No pair of games came to its end." } @else { "It never came." }
                        }
                    }
                }
            } } }
        }
    }
}
