//! What was used, and how those did who used it.

use maud::{Markup, html};

use super::plot::{Interval, Scale, interval, number, percent, percents, reference, row};
use crate::sim::numbers::Share;
use crate::sim::uses::{UseSummary, UsesSummary};

/// A line for each thing that a statistic counts, what was used most first.
pub(super) fn uses(statistic: &UsesSummary, players: usize) -> Markup {
    let mut rows: Vec<&UseSummary> = statistic.rows.iter().collect();
    rows.sort_by(|a, b| b.per_game.total_cmp(&a.per_game));
    let most = rows.iter().map(|row| row.per_game).fold(0.0, f64::max);
    let even = 1.0 / players.max(1) as f64;
    let shares = rows.iter().flat_map(|row| [&row.with, &row.without]);
    let scale = Scale::of_shares(shares);
    html! {
        table.plot.uses {
            caption {
                "A game: by all players together. Won: "
                span.key.with { "of those who did it" } ", "
                span.key.without { "of the others" }
                ". Dashed: an even share."
            }
            thead { tr {
                th scope="col" { "" }
                th scope="col" { "a game" }
                th.drawn scope="col" { (scale.axis()) }
                th scope="col" { "won" }
            } }
            tbody { @for own in rows {
                tr.never[own.times == 0.0] {
                    th scope="row" { @if own.key.is_empty() { "all" } @else { (own.title) } }
                    td.bar {
                        (number(own.per_game))
                        small { " in " (percent(own.games.rate)) " of games" }
                        (bar(own.per_game, most))
                    }
                    td.drawn { (row(&scale, &says(own), html! {
                        (reference(&scale, even))
                        @for (share, class, height) in [(&own.without, "without", 68), (&own.with, "with", 32)] {
                            @if share.of > 0 { (interval(&scale, Interval::from(share), class, height)) }
                        }
                    })) }
                    td.numbers { (won(&own.with, "with")) (won(&own.without, "without")) }
                }
            } }
        }
    }
}

/// A line that is as long as a number is large.
fn bar(value: f64, most: f64) -> Markup {
    let long = format!("{:.1}%", 100.0 * value / most.max(1e-9));
    html! { svg.long aria-hidden="true" { rect.track width="100%" height="100%" {} rect.fill width=(long) height="100%" {} } }
}

fn won(share: &Share, class: &str) -> Markup {
    html! {
        span.(class) title=(percents(share.low, share.high)) {
            @if share.of == 0 { "\u{2013}" } @else { (percent(share.rate)) }
        }
    }
}

fn says(own: &UseSummary) -> String {
    let of = |share: &Share| match share.of {
        0 => "nobody".to_owned(),
        _ => format!(
            "{} ({})",
            percent(share.rate),
            percents(share.low, share.high)
        ),
    };
    format!(
        "{}: won with it {}, without {}",
        own.title,
        of(&own.with),
        of(&own.without)
    )
}
