//! Outcomes of chance with their names, as records have them, and the dealer that gives them again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::script::Rules;
use crate::table::ids::{PieceId, StreamId, ZoneId};
use crate::table::{Case, Dealer, Event, Value};

use super::item::zone_path;

/// An outcome of chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    /// A die was rolled.
    Roll {
        /// The die: `kind:id`.
        roll: String,
        /// The face.
        face: u8,
    },
    /// A zone was shuffled.
    Shuffle {
        /// The zone's path.
        shuffle: String,
        /// Its pieces from the bottom to the top: `kind:id`.
        order: Vec<String>,
    },
    /// Something was picked from a stream.
    Pick {
        /// The stream.
        pick: String,
        /// The key of what was picked.
        value: String,
    },
}

/// A name that no other piece has: `kind:id`, or a number for pieces made during play.
fn piece_name(rules: &Rules, piece: PieceId) -> String {
    let layout = rules.layout();
    match layout.pieces.get(piece.index()) {
        Some(info) => format!(
            "{}:{}",
            layout.kinds[info.kind.index()].name.id,
            info.name.id
        ),
        None => format!("made:{}", piece.index() - layout.pieces.len()),
    }
}

impl Outcome {
    /// The outcome that an event tells, if it tells one.
    pub fn of(rules: &Rules, event: &Event) -> Option<Self> {
        let name = |piece: PieceId| piece_name(rules, piece);
        match event {
            Event::Rolled { piece, face } => Some(Self::Roll {
                roll: name(*piece),
                face: *face,
            }),
            Event::Shuffled { zone, order } => Some(Self::Shuffle {
                shuffle: zone_path(rules.layout(), *zone),
                order: order.iter().map(|piece| name(*piece)).collect(),
            }),
            Event::Picked { stream, value } => Some(Self::Pick {
                pick: rules.layout().streams[stream.index()].0.clone(),
                value: value_name(rules, *value),
            }),
            _ => None,
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Roll { roll, .. } => format!("a roll of `{roll}`"),
            Self::Shuffle { shuffle, .. } => format!("a shuffle of `{shuffle}`"),
            Self::Pick { pick, .. } => format!("a draw from `{pick}`"),
        }
    }
}

fn value_name(rules: &Rules, value: Value) -> String {
    match value.case() {
        Case::Piece(piece) => piece_name(rules, piece),
        _ => rules.layout().key(value),
    }
}

/// Takes pieces by their names, each the first that is called so of those left: gives them in the order of
/// the names, and the others in theirs.
///
/// # Errors
/// Gives the name that no piece left has.
pub fn take_named<'n>(
    pieces: &[PieceId],
    names: &'n [String],
    is: impl Fn(&str, PieceId) -> bool,
) -> Result<(Vec<PieceId>, Vec<PieceId>), &'n str> {
    let mut left = pieces.to_vec();
    let mut taken = Vec::with_capacity(names.len());
    for name in names {
        let found = left.iter().position(|piece| is(name, *piece));
        taken.push(left.remove(found.ok_or(name.as_str())?));
    }
    Ok((taken, left))
}

/// Outcomes still to be given.
#[derive(Debug, Default)]
struct Tape {
    outcomes: VecDeque<Outcome>,
    /// Whether chance goes its own way when nothing is left.
    free: bool,
}

/// The end at which outcomes are put in.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed(Arc<Mutex<Tape>>);

impl Feed {
    fn tape(&self) -> MutexGuard<'_, Tape> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds outcomes to be given.
    pub(super) fn push(&self, outcomes: &[Outcome]) {
        self.tape().outcomes.extend(outcomes.iter().cloned());
    }

    /// What was not asked for; it is taken out.
    pub(super) fn left(&self) -> Option<String> {
        let mut tape = self.tape();
        let left = tape.outcomes.front().map(Outcome::describe);
        tape.outcomes.clear();
        left
    }

    /// From now on chance comes from the seed.
    pub(super) fn free(&self) {
        self.tape().free = true;
    }

    /// A dealer at the other end.
    pub(super) fn dealer(&self, rules: Arc<Rules>) -> Box<dyn Dealer + Send> {
        Box::new(Replayed {
            feed: self.clone(),
            rules,
        })
    }
}

struct Replayed {
    feed: Feed,
    rules: Arc<Rules>,
}

impl Replayed {
    /// The next outcome, which must be the one asked for.
    fn next(&mut self, asked: &str) -> Result<Option<Outcome>, String> {
        let mut tape = self.feed.tape();
        if tape.free {
            return Ok(None);
        }
        match tape.outcomes.pop_front() {
            Some(outcome) if outcome.describe() == asked => Ok(Some(outcome)),
            Some(other) => Err(format!(
                "{asked} is wanted where the record has {}",
                other.describe()
            )),
            None => Err(format!("{asked} is wanted where the record has none")),
        }
    }
}

impl Dealer for Replayed {
    fn roll(&mut self, piece: PieceId, _nth: u16, faces: u8) -> Result<Option<u8>, String> {
        let asked = format!("a roll of `{}`", piece_name(&self.rules, piece));
        match self.next(&asked)? {
            Some(Outcome::Roll { face, .. }) if (1..=faces).contains(&face) => Ok(Some(face)),
            Some(Outcome::Roll { face, .. }) => Err(format!("{asked} cannot show {face}")),
            _ => Ok(None),
        }
    }

    fn shuffle(
        &mut self,
        zone: ZoneId,
        _nth: u16,
        pieces: &[PieceId],
    ) -> Result<Option<Vec<PieceId>>, String> {
        let rules = Arc::clone(&self.rules);
        let asked = format!("a shuffle of `{}`", zone_path(rules.layout(), zone));
        let Some(Outcome::Shuffle { order, .. }) = self.next(&asked)? else {
            return Ok(None);
        };
        let is = |name: &str, piece: PieceId| piece_name(&rules, piece) == name;
        let (given, left) = take_named(pieces, &order, is)
            .map_err(|name| format!("{asked} has no `{name}` in it"))?;
        match left.first() {
            None => Ok(Some(given)),
            Some(piece) => Err(format!(
                "{asked} leaves out `{}`",
                piece_name(&rules, *piece)
            )),
        }
    }

    fn pick(
        &mut self,
        stream: StreamId,
        _nth: u16,
        values: &[Value],
    ) -> Result<Option<usize>, String> {
        let rules = Arc::clone(&self.rules);
        let asked = format!("a draw from `{}`", rules.layout().streams[stream.index()].0);
        let Some(Outcome::Pick { value, .. }) = self.next(&asked)? else {
            return Ok(None);
        };
        let found = values
            .iter()
            .position(|known| value_name(&rules, *known) == value);
        match found {
            Some(at) => Ok(Some(at)),
            None => Err(format!("{asked} cannot give `{value}`")),
        }
    }
}
