//! Chance that a scenario gives.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::diag::{Span, count, noun};
use crate::flow::item::{Word, zone_path};
use crate::flow::outcome::take_named;
use crate::script::Rules;
use crate::table::ids::{PieceId, StreamId, ZoneId};
use crate::table::{Dealer, Value};

use super::model::{Chance, Given};

/// Outcomes given for one thing, and how many of them were dealt.
#[derive(Debug)]
struct Queue<K, V> {
    given: Given<K, V>,
    dealt: usize,
}

impl<K, V: Clone> Queue<K, V> {
    /// The next outcome with its place.
    fn next(&self) -> Option<&(V, Span)> {
        self.given.outcomes.get(self.dealt)
    }

    /// Deals the next outcome.
    fn deal(&mut self) -> Option<(V, Span)> {
        let next = self.next().cloned()?;
        self.dealt += 1;
        Some(next)
    }
}

/// Outcomes in order by what they are for.
type Queues<K, V> = Vec<Queue<K, V>>;

/// Outcomes that are still to be given.
#[derive(Debug)]
struct Left {
    rolls: Queues<String, u8>,
    shuffles: Queues<ZoneId, Vec<String>>,
    picks: Queues<StreamId, String>,
    all_given: bool,
    awake: bool,
    /// The place of the last outcome that could not be.
    impossible: Option<Span>,
}

/// Chance that a scenario gives, shared between the game and who watches it.
#[derive(Clone, Debug)]
pub struct Hand {
    left: Arc<Mutex<Left>>,
    rules: Arc<Rules>,
}

fn queues<K: Clone, V: Clone>(given: &[Given<K, V>]) -> Queues<K, V> {
    given
        .iter()
        .map(|given| Queue {
            given: given.clone(),
            dealt: 0,
        })
        .collect()
}

impl Hand {
    /// The chance of a scenario, asleep: until it wakes, the seed decides.
    pub fn new(chance: &Chance, rules: Arc<Rules>) -> Self {
        let left = Left {
            rolls: queues(&chance.rolls),
            shuffles: queues(&chance.shuffles),
            picks: queues(&chance.picks),
            all_given: chance.all_given,
            awake: false,
            impossible: None,
        };
        Self {
            left: Arc::new(Mutex::new(left)),
            rules,
        }
    }

    fn left(&self) -> MutexGuard<'_, Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on outcomes are given.
    pub fn wake(&self) {
        self.left().awake = true;
    }

    /// Where the outcome stands that could not be, if one could not.
    pub fn impossible(&self) -> Option<Span> {
        self.left().impossible
    }

    /// The chance that was dealt so far.
    pub fn dealt(&self) -> Chance {
        fn dealt<K: Clone, V: Clone>(queues: &Queues<K, V>) -> Vec<Given<K, V>> {
            let so_far = |queue: &Queue<K, V>| Given {
                key: queue.given.key.clone(),
                outcomes: queue.given.outcomes[..queue.dealt].to_vec(),
            };
            let queues = queues.iter().map(so_far);
            queues.filter(|given| !given.outcomes.is_empty()).collect()
        }
        let left = self.left();
        Chance {
            all_given: left.all_given,
            rolls: dealt(&left.rolls),
            shuffles: dealt(&left.shuffles),
            picks: dealt(&left.picks),
        }
    }

    /// The first of the outcomes for each thing that nobody asked for, with its place.
    pub fn unused(&self) -> Vec<(String, Span)> {
        let left = self.left();
        let layout = self.rules.layout();
        let mut unused = Vec::new();
        for queue in &left.rolls {
            let name = &queue.given.key;
            if let Some((face, span)) = queue.next() {
                unused.push((format!("nobody rolls the {face} given for `{name}`"), *span));
            }
        }
        for queue in &left.shuffles {
            if let Some((_, span)) = queue.next() {
                let path = zone_path(layout, queue.given.key);
                unused.push((format!("nobody shuffles `{path}` as given here"), *span));
            }
        }
        for queue in &left.picks {
            if let Some((key, span)) = queue.next() {
                let name = &layout.streams[queue.given.key.index()].0;
                unused.push((
                    format!("nobody draws the `{key}` given for `{name}`"),
                    *span,
                ));
            }
        }
        unused
    }
}

/// What to do when nothing is given.
fn none<T>(left: &Left, what: impl FnOnce() -> String) -> Result<Option<T>, String> {
    if left.all_given {
        Err(format!("{} is not given, and `all_given` is set", what()))
    } else {
        Ok(None)
    }
}

impl Dealer for Hand {
    fn roll(&mut self, piece: PieceId, _nth: u16, faces: u8) -> Result<Option<u8>, String> {
        let rules = Arc::clone(&self.rules);
        let mut left = self.left();
        if !left.awake {
            return Ok(None);
        }
        let Some(info) = rules.layout().pieces.get(piece.index()) else {
            return none(&left, || "a roll of a piece made during play".to_owned());
        };
        for name in [&info.name.id, &info.key] {
            let queue = left.rolls.iter_mut().find(|queue| queue.given.key == *name);
            if let Some(queue) = queue
                && let Some((face, span)) = queue.deal()
            {
                if (1..=faces).contains(&face) {
                    return Ok(Some(face));
                }
                left.impossible = Some(span);
                return Err(format!("`{name}` has no face {face}"));
            }
        }
        none(&left, || format!("a roll of `{}`", info.name.id))
    }

    fn shuffle(
        &mut self,
        zone: ZoneId,
        _nth: u16,
        pieces: &[PieceId],
    ) -> Result<Option<Vec<PieceId>>, String> {
        let rules = Arc::clone(&self.rules);
        let layout = rules.layout();
        let mut left = self.left();
        if !left.awake {
            return Ok(None);
        }
        let queue = left
            .shuffles
            .iter_mut()
            .find(|queue| queue.given.key == zone);
        let Some((names, span)) = queue.and_then(Queue::deal) else {
            return none(&left, || {
                format!("a shuffle of `{}`", zone_path(layout, zone))
            });
        };
        let is = |name: &str, piece: PieceId| {
            let word = Word::parse(name);
            layout.pieces.get(piece.index()).is_some_and(|info| {
                (info.key == word.name || info.name.id == word.name)
                    && word
                        .kind
                        .is_none_or(|kind| layout.kinds[info.kind.index()].name.id == kind)
            })
        };
        let (mut top, mut rest) = match take_named(pieces, &names, is) {
            Ok(taken) => taken,
            Err(name) => {
                left.impossible = Some(span);
                return Err(format!(
                    "there is no `{name}` more in `{}`",
                    zone_path(layout, zone)
                ));
            }
        };
        if left.all_given && !rest.is_empty() {
            left.impossible = Some(span);
            return Err(format!(
                "{} of `{}` {} not given, and `all_given` is set",
                count(rest.len(), "piece"),
                zone_path(layout, zone),
                noun(rest.len(), "is", "are")
            ));
        }
        top.reverse();
        rest.append(&mut top);
        Ok(Some(rest))
    }

    fn pick(
        &mut self,
        stream: StreamId,
        _nth: u16,
        values: &[Value],
    ) -> Result<Option<usize>, String> {
        let rules = Arc::clone(&self.rules);
        let layout = rules.layout();
        let mut left = self.left();
        if !left.awake {
            return Ok(None);
        }
        let name = &layout.streams[stream.index()].0;
        let queue = left
            .picks
            .iter_mut()
            .find(|queue| queue.given.key == stream);
        let Some((key, span)) = queue.and_then(Queue::deal) else {
            return none(&left, || format!("a draw from `{name}`"));
        };
        match values.iter().position(|value| layout.key(*value) == key) {
            Some(at) => Ok(Some(at)),
            None => {
                left.impossible = Some(span);
                Err(format!("`{name}` cannot give `{key}`"))
            }
        }
    }

    fn begin(&mut self) {
        self.wake();
    }

    fn place(&self) -> Vec<u16> {
        let left = self.left();
        let rolls = left.rolls.iter().map(|queue| queue.dealt);
        let shuffles = left.shuffles.iter().map(|queue| queue.dealt);
        let picks = left.picks.iter().map(|queue| queue.dealt);
        let dealt = rolls.chain(shuffles).chain(picks);
        [u16::from(left.awake)]
            .into_iter()
            .chain(dealt.map(|dealt| u16::try_from(dealt).unwrap_or(u16::MAX)))
            .collect()
    }

    fn go(&mut self, place: &[u16]) {
        let mut left = self.left();
        let left = &mut *left;
        let mut place = place.iter().map(|at| usize::from(*at));
        left.awake = place.next().is_some_and(|awake| awake > 0);
        let rolls = left.rolls.iter_mut().map(|queue| &mut queue.dealt);
        let shuffles = left.shuffles.iter_mut().map(|queue| &mut queue.dealt);
        let picks = left.picks.iter_mut().map(|queue| &mut queue.dealt);
        for dealt in rolls.chain(shuffles).chain(picks) {
            *dealt = place.next().unwrap_or_default();
        }
    }
}
