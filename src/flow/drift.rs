//! How a game that was built again by other rules came out, compared with what it was.
//!
//! Tables are compared by the paths of their items, questions by the keys of their choices and what is
//! said of them: what the rules are made of may have changed, so ids say nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::script::{Rules, State};
use crate::table::Event;
use crate::table::event::hint;
use crate::table::view::{View, Viewer};

use super::decision::Decision;
use super::game::Game;
use super::item::Item;
use super::listing::{Change, differences, in_common};
use super::rebuild::Rebuilt;

/// How a game differs from the one that it was built again from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The first decision that differs, by its position in the history of the game built again; its end
    /// if only what comes after the last answer differs.
    pub decision: usize,
    /// What differs there.
    pub there: Vec<Difference>,
    /// What differs where the game stands now, if that is later.
    pub now: Vec<Difference>,
}

/// Something that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// An item of the table.
    Item(Change),
    /// Another question is asked, or of somebody else: what was asked, and what is.
    Asked(String, String),
    /// A decision that was not asked comes before, at which only one answer is possible: who is asked what, and the answer.
    Forced(String, String),
    /// A decision that came before, at which only one answer was possible, is not asked.
    NotForced(String, String),
    /// Other numbers can be answered, or more or fewer choices: the least and the most, before and now.
    Range([i64; 2], [i64; 2]),
    /// A choice is offered that was not.
    Offered(String),
    /// A choice is not offered that was.
    Gone(String),
    /// What is said of a choice: its key, what was said, and what is.
    Hint(String, String, String),
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(change) => write!(formatter, "{}: {}", change.path, change.text),
            Self::Asked(was, is) => write!(formatter, "asked: {was} -> {is}"),
            Self::Forced(asked, answer) => {
                write!(
                    formatter,
                    "asked now: {asked}, who can only answer `{answer}`"
                )
            }
            Self::NotForced(asked, answer) => write!(
                formatter,
                "no longer asked: {asked}, who could only answer `{answer}`"
            ),
            Self::Range(was, is) => write!(
                formatter,
                "from {} to {} -> from {} to {}",
                was[0], was[1], is[0], is[1]
            ),
            Self::Offered(key) => write!(formatter, "offered now: `{key}`"),
            Self::Gone(key) => write!(formatter, "no longer offered: `{key}`"),
            Self::Hint(key, was, is) => write!(formatter, "`{key}`: \"{was}\" -> \"{is}\""),
        }
    }
}

/// A game at a question, or at its end.
struct Moment<'a> {
    rules: &'a Rules,
    state: &'a State,
    decision: Option<Decision>,
    notices: &'a [Event],
}

impl<'a> Moment<'a> {
    /// A game before an answer of its history, or now.
    fn of(game: &'a Game, answer: usize) -> Self {
        match game.history.get(answer) {
            Some(step) => Self {
                rules: &game.rules,
                state: &step.before,
                decision: Some(step.decision.clone()),
                notices: &step.notices,
            },
            None => Self {
                rules: &game.rules,
                state: &game.state,
                decision: game.decision(),
                notices: &game.notices,
            },
        }
    }
}

/// How a game that was built again differs from what it was, as far as its answers were given again, in
/// the eyes of somebody; nothing if it does not.
pub fn drift(old: &Game, built: &Rebuilt, viewer: Viewer) -> Option<Drift> {
    let new = &built.game;
    let items = in_common(
        (old.rules.layout(), &old.state.table),
        (new.rules.layout(), &new.state.table),
    );
    let compare = |(was, is): (usize, usize)| {
        let (was, is) = (Moment::of(old, was), Moment::of(new, is));
        differing(&items, &was, &is, viewer)
    };
    let end = (old.history.len(), new.history.len());
    let ends = built.stopped.is_none().then_some(end);
    let mut moments = built.same.iter().copied().chain(ends);
    let mut next = (0, 0);
    let (at, decision, there) = moments.find_map(|moment| {
        let mut found = passed(old, next.0..moment.0, Difference::NotForced);
        found.extend(passed(new, next.1..moment.1, Difference::Forced));
        let decision = match found.is_empty() {
            true => moment.1,
            false => next.1,
        };
        next = (moment.0 + 1, moment.1 + 1);
        found.extend(compare(moment));
        (!found.is_empty()).then_some((moment, decision, found))
    })?;
    Some(Drift {
        decision,
        there,
        now: match ends {
            Some(end) if end != at => compare(end),
            _ => Vec::new(),
        },
    })
}

/// The decisions of a game that have no counterpart in the other: nobody chose there.
fn passed(
    game: &Game,
    steps: Range<usize>,
    difference: fn(String, String) -> Difference,
) -> Vec<Difference> {
    let steps = game.history.get(steps).unwrap_or_default().iter();
    steps
        .map(|step| {
            let answer = step.decision.write(&step.answer).to_string();
            difference(asked(&step.decision), answer)
        })
        .collect()
}

/// Who is asked what, in words.
fn asked(decision: &Decision) -> String {
    format!("`{}` of player {}", decision.key, decision.player.0 + 1)
}

fn differing(
    items: &[(Item, Item)],
    was: &Moment<'_>,
    is: &Moment<'_>,
    viewer: Viewer,
) -> Vec<Difference> {
    let (old, new) = (was.rules.layout(), is.rules.layout());
    let old_sight = View::new(old, &was.state.table, viewer);
    let new_sight = View::new(new, &is.state.table, viewer);
    let changed = differences(
        items,
        (old, &was.state.table, &old_sight),
        (new, &is.state.table, &new_sight),
    );
    let mut found: Vec<Difference> = changed.into_iter().map(Difference::Item).collect();
    let told = |moment: &Moment<'_>| {
        let decision = moment.decision.as_ref();
        decision.map_or_else(|| "nothing".to_owned(), asked)
    };
    let (was_asked, is_asked) = (told(was), told(is));
    if was_asked != is_asked {
        found.push(Difference::Asked(was_asked, is_asked));
        return found;
    }
    if let (Some(was), Some(is)) = (&was.decision, &is.decision) {
        let (was, is) = ([was.least, was.most], [is.least, is.most]);
        if was != is {
            found.push(Difference::Range(was, is));
        }
    }
    let (before, after) = (choices(was), choices(is));
    for (key, said) in &after {
        match before.get(key) {
            None => found.push(Difference::Offered(key.clone())),
            Some(known) if known != said => {
                found.push(Difference::Hint(key.clone(), known.clone(), said.clone()));
            }
            Some(_) => {}
        }
    }
    let gone = before.keys().filter(|key| !after.contains_key(*key));
    found.extend(gone.cloned().map(Difference::Gone));
    found
}

/// What is offered, with what is said of it.
fn choices(moment: &Moment<'_>) -> BTreeMap<String, String> {
    let choices = moment
        .decision
        .iter()
        .flat_map(|decision| &decision.choices);
    choices
        .map(|choice| {
            let said = hint(moment.notices, choice.offer).unwrap_or_default();
            (choice.key.clone(), said.to_owned())
        })
        .collect()
}
