//! The page of `yukon sim`.

use maud::{Markup, html};

use super::Origin;
use super::map::{graph_of, used_map};
use super::page::{Fact, Section, page};
use super::plot::{Interval, Scale, grouped, interval, number, percent, percents, reference, row};
use super::scores::{ScoreRow, Shape, between, histograms, numbers};
use super::uses::uses;
use crate::cli::sim::failed_games;
use crate::diag::noun;
use crate::script::Rules;
use crate::sim::numbers::Distribution;
use crate::sim::{PlayerSummary, Summary};

/// Said wherever uses and wins stand beside each other.
const NO_CAUSE: &str =
    "What was done and who won go together here; that is no proof that one is the cause.";

/// The page of a batch.
pub(in crate::cli) fn sim_page(rules: &Rules, told: &Summary, origin: &Origin<'_>) -> String {
    let players = told.lineup.len();
    let mut names = told.lineup.clone();
    if told.bots.is_empty() {
        names.dedup();
    }
    let lead = format!(
        "{} {} of {players} {}, played by {}",
        grouped(told.games),
        noun(told.games, "game", "games"),
        noun(players as u64, "player", "players"),
        names.join(", ")
    );
    // Of nothing there are no scores.
    if told.length.count == 0 {
        return page(origin, &lead, &facts(told), &[no_games(told)]);
    }
    let mut parts = vec![scores(told), wins(told)];
    if !told.bots.is_empty() {
        parts.push(bots(told));
    }
    parts.push(games(told));
    for (at, statistic) in told.statistics.iter().enumerate() {
        let map = graph_of(rules, statistic).map(|graph| used_map(rules, graph, statistic));
        parts.push(Section {
            id: statistic.id.clone(),
            title: statistic.title.clone(),
            says: match (at, statistic.doc.as_str()) {
                (0, "") => NO_CAUSE.to_owned(),
                (0, doc) => format!("{doc} {NO_CAUSE}"),
                (_, doc) => doc.to_owned(),
            },
            body: html! { @if let Some(map) = map { (map) } (uses(statistic, players)) },
        });
    }
    page(origin, &lead, &facts(told), &parts)
}

fn facts(told: &Summary) -> Vec<Fact> {
    let fact = |what, value: String, note: String| Fact { what, value, note };
    let checked = told.violations.is_some();
    let failed = told.unfinished + told.violations.unwrap_or(0);
    let mut facts = vec![fact(
        noun(told.games, "game", "games"),
        grouped(told.games),
        match failed {
            0 if told.games == 0 => "none was played".to_owned(),
            0 if checked => failed_games(told),
            0 if told.games == 1 => "it came to its end".to_owned(),
            0 => "all came to their end".to_owned(),
            _ => failed_games(told),
        },
    )];
    if told.games > 0 {
        facts.push(match told.rounds.least == told.rounds.most {
            true => fact(
                "rounds",
                told.rounds.least.to_string(),
                "in every game".to_owned(),
            ),
            false => fact(
                "rounds",
                number(told.rounds.mean),
                format!("{} to {}", told.rounds.least, told.rounds.most),
            ),
        });
    }
    if told.length.count == 0 {
        return facts;
    }
    facts.extend([
        fact(
            match told.unfinished {
                0 => "decisions a game",
                _ => "decisions of a finished game",
            },
            number(told.length.mean),
            format!("{} choices each", number(told.branching)),
        ),
        fact(
            "lead of the first",
            number(told.margin.mean),
            between(&told.margin),
        ),
        fact(
            "ties",
            percent(told.ties.rate),
            percents(told.ties.low, told.ties.high),
        ),
    ]);
    if let Some(own) = most_uneven(told) {
        facts.push(own);
    }
    facts
}

/// How much the luckiest place is above an even share, if its interval is.
fn most_uneven(told: &Summary) -> Option<Fact> {
    let even = 1.0 / told.players.len().max(1) as f64;
    let places = told.players.iter().enumerate();
    let (at, best) = places.max_by(|(_, a), (_, b)| a.win_rate.total_cmp(&b.win_rate))?;
    Some(Fact {
        what: "best place",
        value: format!("{}", at + 1),
        note: match best.wins.low > even {
            true => format!("wins {}, more than an even share", percent(best.win_rate)),
            false => "not clearly above an even share".to_owned(),
        },
    })
}

fn label(at: usize, own: &PlayerSummary) -> String {
    match own.bot.as_str() {
        "*" => format!("Place {}", at + 1),
        bot => format!("Place {}, {bot}", at + 1),
    }
}

fn scores(told: &Summary) -> Section {
    let places = || told.players.iter().enumerate();
    let rows: Vec<ScoreRow<'_>> = places()
        .map(|(at, own)| ScoreRow {
            label: label(at, own),
            shapes: vec![Shape {
                counts: &own.score_counts,
                class: "base",
            }],
            spread: Some(&own.scores),
            beside: html! {
                b { (number(own.mean_score)) }
                small { (own.scores.q05) " to " (own.scores.q95) }
            },
        })
        .collect();
    let spread: Vec<(String, &Distribution)> = places()
        .map(|(at, own)| (label(at, own), &own.scores))
        .collect();
    Section {
        id: "scores".to_owned(),
        title: "Scores by place".to_owned(),
        says: "How often each score came. Below it the median, the middle half (thick), and the middle nine tenths (thin)."
            .to_owned(),
        body: html! { (histograms("mean", "Scores of each place round the table", &rows)) (numbers(&spread, false)) },
    }
}

fn wins(told: &Summary) -> Section {
    let rows: Vec<(String, &PlayerSummary)> = told
        .players
        .iter()
        .enumerate()
        .map(|(at, own)| (label(at, own), own))
        .collect();
    Section {
        id: "wins".to_owned(),
        title: "Wins by place".to_owned(),
        says: "Shares of games won, with Wilson's 95 % intervals; a shared win counts as its share. The dashed line is an even share."
            .to_owned(),
        body: shares("Place", "Wins of each place round the table", &rows),
    }
}

fn bots(told: &Summary) -> Section {
    let rows: Vec<(String, &PlayerSummary)> = told
        .bots
        .iter()
        .enumerate()
        .map(|(at, own)| (format!("{}. {}", at + 1, own.bot), own))
        .collect();
    let spread: Vec<(String, &Distribution)> = rows
        .iter()
        .map(|(label, own)| (label.clone(), &own.scores))
        .collect();
    Section {
        id: "bots".to_owned(),
        title: "Wins by bot".to_owned(),
        says: "The bots in the order given, wherever they sat.".to_owned(),
        body: html! { (shares("Bot", "Wins of each bot", &rows)) (numbers(&spread, false)) },
    }
}

/// Wins with their intervals, a row each.
fn shares(what: &str, caption: &str, rows: &[(String, &PlayerSummary)]) -> Markup {
    let even = 1.0 / rows.len().max(1) as f64;
    let scale = Scale::of_shares(rows.iter().map(|(_, own)| &own.wins));
    html! {
        table.plot {
            caption { (caption) }
            thead { tr { th scope="col" { (what) } th.drawn scope="col" { (scale.axis()) } th scope="col" { "won" } } }
            tbody { @for (label, own) in rows { tr {
                th scope="row" { (label) }
                td.drawn { (row(&scale, label, html! {
                    (reference(&scale, even))
                    (interval(&scale, Interval::from(&own.wins), "base", 50))
                })) }
                td.numbers { b { (percent(own.win_rate)) } small { (percents(own.wins.low, own.wins.high)) } }
            } } }
        }
    }
}

fn games(told: &Summary) -> Section {
    let rows = [
        ("Rounds".to_owned(), &told.rounds),
        ("Decisions".to_owned(), &told.length),
        ("First ahead of second".to_owned(), &told.margin),
    ];
    Section {
        id: "games".to_owned(),
        title: "Games".to_owned(),
        says: format!(
            "{} {} with more than one answer, and {} with one. Digest {}.",
            grouped(told.decisions),
            noun(told.decisions, "decision", "decisions"),
            grouped(told.forced),
            told.digest
        ),
        body: html! { (numbers(&rows, true)) (failures(told)) },
    }
}

/// All there is to say of games of which none came to its end.
fn no_games(told: &Summary) -> Section {
    Section {
        id: "games".to_owned(),
        title: "Games".to_owned(),
        says: "No game came to its end, so there are no scores.".to_owned(),
        body: failures(told),
    }
}

/// The first games that did not come to their end, and how many more there are.
fn failures(told: &Summary) -> Markup {
    let lines = crate::cli::sim::failures(told);
    html! {
        @if !lines.is_empty() {
            h3 { "Games that did not come to their end" }
            ul.failures { @for line in lines { li { (line) } } }
        }
    }
}
