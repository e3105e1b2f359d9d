//! What a pack declares as statistics, counted from what happens in games.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::flow::{Answer, decision};
use crate::pack::model::Observed;
use crate::script::{Rules, State};
use crate::table::event::Event;
use crate::table::ids::{CounterId, PlayerId};
use crate::table::layout::{Dimension, Domain, Holds};
use crate::table::ops::counter_value;
use crate::table::{Case, Layout, Value};

use super::countable::{Titles, countable};
use super::game::Played;
use super::numbers::{Share, Sums};
use super::tally::{Results, win};

/// Numbers up to this are told apart; larger ones by their binary digits, so that there is an end to them.
const MOST_APART: i64 = 100;

/// What is counted apart: the position of a statistic, and of what.
pub(super) type Use = (u16, String);

/// How often each thing was used in one game, by player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    counts: BTreeMap<Use, Vec<u64>>,
    /// Uses that are nobody's.
    common: BTreeMap<Use, u64>,
}

impl Uses {
    fn add(&mut self, statistic: usize, key: String, player: Option<PlayerId>, times: u64) {
        let own = (statistic as u16, key);
        match player {
            None => *self.common.entry(own).or_insert(0) += times,
            Some(player) => {
                let counts = self.counts.entry(own).or_default();
                if counts.len() <= player.index() {
                    counts.resize(player.index() + 1, 0);
                }
                counts[player.index()] += times;
            }
        }
    }

    /// How often each thing was used in the game.
    pub(super) fn totals(&self) -> BTreeMap<Use, i64> {
        let mut totals: BTreeMap<Use, i64> = BTreeMap::new();
        let own = self.counts.iter();
        let own = own.map(|(key, counts)| (key, counts.iter().sum::<u64>()));
        let common = self.common.iter().map(|(key, count)| (key, *count));
        for (key, count) in own.chain(common) {
            *totals.entry(key.clone()).or_insert(0) += count as i64;
        }
        totals
    }

    /// Counts what happened up to a question.
    pub(super) fn count(&mut self, rules: &Rules, state: &State, events: &[Event]) {
        for event in events {
            for statistic in 0..rules.pack.statistics.len() {
                if let Some((key, player, times)) = seen(rules, state, statistic, event) {
                    self.add(statistic, key, player, times);
                }
            }
        }
    }

    /// Counts an answer that is about to be given.
    pub(super) fn count_answer(&mut self, rules: &Rules, state: &State, answer: &Answer) {
        let Some(ask) = state.run.ask else {
            return;
        };
        for (statistic, info) in rules.pack.statistics.iter().enumerate() {
            if info.of != Observed::Decision(ask.decision) {
                continue;
            }
            let choice = |offer: u16| {
                let parts = decision::parts(state, offer).iter();
                let keys: Vec<String> = parts
                    .map(|part| match part.case() {
                        Case::Int(number) => number_key(number),
                        _ => decision::key(rules, state, *part),
                    })
                    .collect();
                keys.join(" ")
            };
            let keys = match answer {
                Answer::One(offer) => vec![choice(*offer)],
                Answer::Some(offers) => offers.iter().map(|offer| choice(*offer)).collect(),
                Answer::Number(number) => vec![number_key(*number)],
                Answer::Confirm(true) => vec!["yes".to_owned()],
                Answer::Confirm(false) => vec!["no".to_owned()],
                Answer::Texts(texts) => {
                    let given = texts.as_ref().map(|texts| texts.len() as i64);
                    let times = given.unwrap_or(ask.least).unsigned_abs();
                    if times > 0 {
                        self.add(statistic, String::new(), Some(ask.player), times);
                    }
                    continue;
                }
            };
            for key in keys {
                self.add(statistic, key, Some(ask.player), 1);
            }
        }
    }
}

/// A number, or the range in which a large one is.
fn number_key(number: i64) -> String {
    let size = number.unsigned_abs();
    if size <= MOST_APART as u64 {
        return number.to_string();
    }
    let least = 1_u64 << (u64::BITS - 1 - size.leading_zeros());
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{least}+")
}

/// What an event counts as for a statistic: what, whose, how often.
fn seen(
    rules: &Rules,
    state: &State,
    statistic: usize,
    event: &Event,
) -> Option<(String, Option<PlayerId>, u64)> {
    let layout = rules.layout();
    let turn = state.table.position.player;
    match (rules.pack.statistics[statistic].of, event) {
        (
            Observed::Counter(wanted),
            Event::Counted {
                counter,
                cell,
                from,
                to,
            },
        ) if wanted == *counter => counted(layout, state, *counter, *cell, (*from, *to))
            .map(|(key, player, times)| (key, player.or(turn), times)),
        (
            Observed::Dial(wanted),
            Event::Dialled {
                dial,
                cell,
                from,
                to,
            },
        ) if wanted == *dial && to > from => {
            let family = &layout.dials[dial.index()];
            let (player, key) = apart(layout, &family.dimensions, cell - family.base);
            Some((key, player.or(turn), (to - from) as u64))
        }
        (
            Observed::Tag(tag),
            Event::Dialled {
                dial,
                cell,
                from,
                to,
            },
        ) if to > from && layout.dials[dial.index()].tags.contains(&tag) => {
            let family = &layout.dials[dial.index()];
            let (player, _) = apart(layout, &family.dimensions, cell - family.base);
            let key = family.name.id.clone();
            Some((key, player.or(turn), (to - from) as u64))
        }
        (Observed::Tag(tag), Event::Toggled { toggle, cell, on }) if *on => {
            let family = &layout.toggles[toggle.index()];
            let (player, _) = apart(layout, &family.dimensions, cell - family.base);
            let tagged = family.tags.contains(&tag);
            tagged.then(|| (family.name.id.clone(), player.or(turn), 1))
        }
        (
            Observed::Zone { zone, by_piece },
            Event::Moved {
                piece, from, to, ..
            },
        ) if from != to && layout.zones[to.index()] == zone => {
            let family = layout.family(*to);
            let (player, place) = apart(layout, &family.dimensions, to.0 - family.base.0);
            let key = match by_piece {
                true => layout.key(state.table.declared(layout, Value::from(*piece))),
                false => place,
            };
            Some((key, player.or(turn), 1))
        }
        (
            Observed::Noted(_),
            Event::Noted {
                statistic: noted,
                player,
                what,
            },
        ) if noted.index() == statistic => {
            let what = state.table.declared(layout, *what);
            let key = match what.case() {
                Case::Unit => String::new(),
                Case::Int(number) => number_key(number),
                _ => layout.key(what),
            };
            Some((key, Some(*player), 1))
        }
        _ => None,
    }
}

/// What the rise of a counter counts as.
fn counted(
    layout: &Layout,
    state: &State,
    counter: CounterId,
    cell: u16,
    (from, to): (i32, i32),
) -> Option<(String, Option<PlayerId>, u64)> {
    let family = &layout.counters[counter.index()];
    let (player, place) = apart(layout, &family.dimensions, cell - family.base);
    match family.holds {
        Holds::One(_) if to != family.start => {
            let mut table = state.table.clone();
            table.cells[usize::from(cell)] = to;
            let held = counter_value(layout, &table, counter, cell - family.base);
            let held = layout.key(state.table.declared(layout, held));
            let key = match place.is_empty() {
                true => held,
                false => format!("{place} {held}"),
            };
            (to != from).then_some((key, player, 1))
        }
        // What is reset to its start does not count, even if it rises.
        Holds::Int | Holds::Bool if to > from && to != family.start => {
            Some((place, player, i64::from(to).abs_diff(from.into())))
        }
        _ => None,
    }
}

/// The player to whom a position in a family belongs, and the keys of all else that it belongs to.
fn apart(layout: &Layout, dimensions: &[Dimension], position: u16) -> (Option<PlayerId>, String) {
    let mut rest = position;
    let mut player = None;
    let mut keys = Vec::new();
    for dimension in dimensions.iter().rev() {
        let offset = rest % dimension.size;
        rest /= dimension.size;
        let value = layout.value_of(dimension.domain, dimension.base + offset);
        match value.case() {
            Case::Player(own) if dimension.domain == Domain::Players => player = Some(own),
            _ => keys.push(layout.key(value)),
        }
    }
    keys.reverse();
    (player, keys.join(" "))
}

/// What the uses of one thing add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct UseTally {
    times: u128,
    games: u64,
    /// Scores of those who used it.
    scores: Sums,
    /// Parts of wins of those who used it.
    wins: i128,
}

/// What the uses in some games add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UsesTally(BTreeMap<Use, UseTally>);

impl UsesTally {
    pub(super) fn add(&mut self, played: &Played) {
        for (key, times) in played.uses.totals() {
            let tally = self.0.entry(key).or_default();
            tally.times += times as u128;
            tally.games += 1;
        }
        for (key, counts) in &played.uses.counts {
            let tally = self.0.entry(key.clone()).or_default();
            for (player, score) in played.scores.iter().enumerate() {
                if counts.get(player).is_some_and(|count| *count > 0) {
                    tally.scores.add(*score);
                    tally.wins += i128::from(win(&played.places, player));
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (key, own) in &other.0 {
            let tally = self.0.entry(key.clone()).or_default();
            tally.times += own.times;
            tally.games += own.games;
            tally.scores.merge(&own.scores);
            tally.wins += own.wins;
        }
    }

    /// The uses of each statistic, given the results of all players in all games.
    pub(super) fn summary(&self, rules: &Rules, all: &[Results], games: u64) -> Vec<UsesSummary> {
        let of_all = |of: fn(&Results) -> i128| all.iter().map(of).sum::<i128>();
        let wins = of_all(|own| own.wins);
        let players = of_all(|own| own.scores.count().into()) as u64;
        let points = of_all(|own| own.scores.sum());
        let row = |key: &str, title: String, own: &UseTally| {
            let with = own.scores.count;
            let without = players - with;
            UseSummary {
                key: key.to_owned(),
                title,
                times: own.times as f64,
                per_game: own.times as f64 / games.max(1) as f64,
                games: Share::wilson(own.games as f64, games),
                with: Share::of_wins(own.wins, with),
                without: Share::of_wins(wins - own.wins, without),
                score_with: own.scores.mean(),
                score_without: (points - own.scores.sum) as f64 / without.max(1) as f64,
            }
        };
        let titles = Titles::of(rules.layout());
        let statistics = rules.pack.statistics.iter().enumerate();
        statistics
            .map(|(at, info)| {
                let mut known = countable(rules, info);
                let seen = self.0.keys().filter(|(own, _)| usize::from(*own) == at);
                for (_, key) in seen {
                    known
                        .entry(key.clone())
                        .or_insert_with(|| titles.title(key));
                }
                let none = UseTally::default();
                let rows = known.into_iter().map(|(key, title)| {
                    let own = self.0.get(&(at as u16, key.clone())).unwrap_or(&none);
                    row(&key, title, own)
                });
                UsesSummary {
                    id: info.name.id.clone(),
                    title: info.name.title.clone(),
                    doc: info.doc.clone(),
                    rows: rows.collect(),
                }
            })
            .collect()
    }
}

/// How often what a statistic counts was used.
#[derive(Clone, Debug, Serialize)]
pub struct UsesSummary {
    /// The statistic's id.
    pub id: String,
    /// What people read.
    pub title: String,
    /// More about it, if the pack says more.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// Each thing that could be used, as far as the pack says, and whatever else was.
    pub rows: Vec<UseSummary>,
}

/// How often one thing was used, and how those did who used it. What goes together need not be cause and
/// effect.
#[derive(Clone, Debug, Serialize)]
pub struct UseSummary {
    /// What; empty where nothing is counted apart.
    pub key: String,
    /// What people read.
    pub title: String,
    /// How often in all games.
    pub times: f64,
    /// How often in a game.
    pub per_game: f64,
    /// The share of games in which it was used.
    pub games: Share,
    /// How many of those who used it won.
    pub with: Share,
    /// How many of the others won.
    pub without: Share,
    /// Mean score of those who used it.
    pub score_with: f64,
    /// Mean score of the others.
    pub score_without: f64,
}
