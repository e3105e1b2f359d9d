//! The tree of ways that a game was played: taking answers back and answering otherwise keeps the old way.
//!
//! Every moment between two answers is kept with its state, so going anywhere is exact and quick, whatever
//! chance did there.

use std::sync::Arc;

use crate::script::State;
use crate::table::Event;

use super::decision;
use super::game::{Game, Intervention, Step};

/// A moment of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MomentId(usize);

/// What led from one moment to the next.
#[derive(Clone, Debug)]
pub enum Act {
    /// An answer.
    Answer(Arc<Step>),
    /// A change of the table from outside.
    Change(Box<Intervention>),
}

/// A moment between two acts.
#[derive(Clone, Debug)]
struct Moment {
    /// What led here, and from where; the first moment has none.
    came: Option<(MomentId, Act)>,
    /// How many acts led here.
    depth: usize,
    /// How many answers led here, forced ones included.
    answers: usize,
    state: State,
    notices: Vec<Event>,
}

/// A way that the game was played, from the first moment to its last.
#[derive(Clone, Debug)]
pub struct Way {
    /// Its name; no two are alike.
    pub name: String,
    /// Whether somebody gave it this name.
    pub named: bool,
    /// Its last moment.
    pub tip: MomentId,
}

/// Where a way leaves another.
#[derive(Clone, Debug)]
pub struct Fork {
    /// The position of the other way among all.
    pub from: usize,
    /// The last moment that both have.
    pub at: MomentId,
    /// What this way does next, if it goes on.
    pub act: Option<Act>,
}

/// The tree of moments, and where the game stands in it.
#[derive(Clone, Debug)]
pub struct Timeline {
    moments: Vec<Moment>,
    now: MomentId,
    ways: Vec<Way>,
    way: usize,
    /// The last moment before changes from outside were taken back: it can be gone to again.
    undone: Option<MomentId>,
}

impl Timeline {
    /// The timeline of a game: one way, `main`.
    pub fn new(game: &Game) -> Self {
        let state = match acts(game).first() {
            Some(act) => act.before().clone(),
            None => game.state.clone(),
        };
        let first = MomentId(0);
        let mut timeline = Self {
            moments: vec![Moment {
                came: None,
                depth: 0,
                answers: 0,
                state,
                notices: notices_after(game, 0),
            }],
            now: first,
            ways: vec![Way {
                name: "main".to_owned(),
                named: true,
                tip: first,
            }],
            way: 0,
            undone: None,
        };
        timeline.follow(game);
        timeline
    }

    /// Where the game stands.
    pub fn now(&self) -> MomentId {
        self.now
    }

    /// How many moments there are, on all ways: none is ever forgotten, and whatever is new adds some.
    #[allow(clippy::len_without_is_empty, reason = "there is always the first")]
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// The state of a moment.
    pub fn state(&self, moment: MomentId) -> &State {
        &self.moments[moment.0].state
    }

    /// How many answers led to a moment, forced ones included.
    pub fn answers(&self, moment: MomentId) -> usize {
        self.moments[moment.0].answers
    }

    /// What led to a moment, and from where; the first has none.
    pub fn came(&self, moment: MomentId) -> Option<(MomentId, &Act)> {
        let came = self.moments[moment.0].came.as_ref();
        came.map(|(from, act)| (*from, act))
    }

    /// The moments from one back to another before it, without that other; as far back as there are any, if it is none
    /// of them.
    pub fn back(&self, from: MomentId, to: MomentId) -> impl Iterator<Item = MomentId> + '_ {
        self.up(from).take_while(move |moment| *moment != to)
    }

    /// The moments from one back to the first, with both.
    pub fn path(&self, from: MomentId) -> Vec<MomentId> {
        self.up(from).collect()
    }

    /// All ways, the oldest first.
    pub fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// The position of the way on which the game is.
    pub fn way(&self) -> usize {
        self.way
    }

    /// Whether somebody could stand at a moment: the engine does not answer by itself there.
    pub fn is_stand(&self, moment: MomentId) -> bool {
        decision::forced(self.state(moment)).is_none()
    }

    /// The moments before the present one where somebody could stand, the latest first.
    pub fn earlier(&self) -> impl Iterator<Item = MomentId> + '_ {
        self.up(self.now)
            .skip(1)
            .filter(|moment| self.is_stand(*moment))
    }

    /// The moments of the present way after the present one where somebody could stand, in order; with those after changes
    /// from outside that were taken back from it.
    pub fn later(&self) -> impl Iterator<Item = MomentId> + '_ {
        let tip = self.ways[self.way].tip;
        let furthest = self.undone.filter(|undone| self.is_on(tip, *undone));
        let mut later: Vec<MomentId> = self
            .up(furthest.unwrap_or(tip))
            .take_while(|moment| *moment != self.now)
            .filter(|moment| self.is_stand(*moment))
            .collect();
        later.reverse();
        later.into_iter()
    }

    /// The moments of the present way where somebody could stand, in order.
    pub fn stands(&self) -> Vec<MomentId> {
        let mut all: Vec<MomentId> = self
            .up(self.ways[self.way].tip)
            .filter(|moment| self.is_stand(*moment))
            .collect();
        all.reverse();
        all
    }

    /// Takes in what was answered or changed in the game since the last time. Who goes another way than
    /// before begins a new way.
    pub fn follow(&mut self, game: &Game) {
        self.now = self.trace(game);
        self.choose_way();
        self.drop_undone();
    }

    /// Takes in another way of the same game, which was played elsewhere.
    ///
    /// # Errors
    /// When there is a way of this name.
    pub fn graft(&mut self, game: &Game, name: &str, named: bool) -> Result<(), String> {
        self.check_name(name)?;
        let tip = self.trace(game);
        self.ways.push(Way {
            name: name.to_owned(),
            named,
            tip,
        });
        Ok(())
    }

    /// The moment at which a game stands; moments on the way that were not there are added.
    fn trace(&mut self, game: &Game) -> MomentId {
        let acts = acts(game);
        let mut path: Vec<MomentId> = self.up(self.now).collect();
        path.reverse();
        let same = acts
            .iter()
            .zip(&path[1..])
            .take_while(|(act, moment)| match &self.moments[moment.0].came {
                Some((_, known)) => known.is_same(act),
                None => false,
            })
            .count();
        let mut now = path[same];
        for at in same..acts.len() {
            let after = match acts.get(at + 1) {
                Some(next) => next.before(),
                None => &game.state,
            };
            now = match self.child(now, &acts[at], after) {
                Some(child) => child,
                None => {
                    let answered = usize::from(matches!(acts[at], Act::Answer(_)));
                    let notices = notices_after(game, self.answers(now) + answered);
                    self.add(now, acts[at].clone(), after.clone(), notices)
                }
            };
        }
        now
    }

    fn add(&mut self, parent: MomentId, act: Act, state: State, notices: Vec<Event>) -> MomentId {
        let before = &self.moments[parent.0];
        let moment = Moment {
            depth: before.depth + 1,
            answers: before.answers + usize::from(matches!(act, Act::Answer(_))),
            came: Some((parent, act)),
            state,
            notices,
        };
        self.moments.push(moment);
        MomentId(self.moments.len() - 1)
    }

    /// A moment to which the same act led from a moment before.
    fn child(&self, parent: MomentId, act: &Act, after: &State) -> Option<MomentId> {
        let found = self.moments[parent.0..].iter().position(|moment| {
            moment.came.as_ref().is_some_and(|(from, known)| {
                *from == parent && known.is_alike(act) && moment.state == *after
            })
        });
        found.map(|at| MomentId(parent.0 + at))
    }

    /// The present moment belongs to the present way, else to another, else to a new one.
    fn choose_way(&mut self) {
        let now = self.now;
        let extends = self.is_on(self.ways[self.way].tip, now);
        if extends {
            self.ways[self.way].tip = now;
        } else if !self.is_on(now, self.ways[self.way].tip) {
            let known = (0..self.ways.len()).find(|way| self.is_on(now, self.ways[*way].tip));
            self.way = known.unwrap_or_else(|| {
                let name = self.free_name();
                self.ways.push(Way {
                    name,
                    named: false,
                    tip: now,
                });
                self.ways.len() - 1
            });
        }
    }

    /// Moments from one back to the first.
    fn up(&self, from: MomentId) -> impl Iterator<Item = MomentId> + '_ {
        std::iter::successors(Some(from), |moment| {
            self.moments[moment.0].came.as_ref().map(|(from, _)| *from)
        })
    }

    /// Whether a moment is one of those that lead to another, or is that other.
    fn is_on(&self, moment: MomentId, tip: MomentId) -> bool {
        let depth = self.moments[moment.0].depth;
        self.up(tip)
            .find(|other| self.moments[other.0].depth <= depth)
            == Some(moment)
    }

    /// Puts the game at a moment.
    pub fn go(&mut self, game: &mut Game, moment: MomentId) {
        let mut path: Vec<&Act> = self
            .up(moment)
            .filter_map(|moment| self.moments[moment.0].came.as_ref())
            .map(|(_, act)| act)
            .collect();
        path.reverse();
        game.history.clear();
        game.interventions.clear();
        for act in path {
            match act {
                Act::Answer(step) => game.history.push(Arc::clone(step)),
                Act::Change(change) => game.interventions.push((**change).clone()),
            }
        }
        let there = &self.moments[moment.0];
        game.state = there.state.clone();
        game.notices = there.notices.clone();
        game.future.clear();
        self.now = moment;
        self.choose_way();
    }

    /// Puts the game at a moment before the present one. Where this takes back a change from outside, the present way goes
    /// on without it from there, and a way of its own keeps it.
    pub fn take_back(&mut self, game: &mut Game, moment: MomentId) {
        let changed = self
            .back(self.now, moment)
            .any(|moment| matches!(self.came(moment), Some((_, Act::Change(_)))));
        if changed {
            let tip = self.ways[self.way].tip;
            let undone = self.undone.filter(|undone| self.is_on(tip, *undone));
            self.undone = undone.or(Some(tip));
            let mut others = (0..self.ways.len()).filter(|way| *way != self.way);
            if !others.any(|way| self.is_on(tip, self.ways[way].tip)) {
                let name = self.free_name();
                self.ways.push(Way {
                    name,
                    named: false,
                    tip,
                });
            }
            self.ways[self.way].tip = moment;
        }
        self.go(game, moment);
    }

    /// A name that no way has.
    fn free_name(&self) -> String {
        (2..)
            .map(|number| format!("way_{number}"))
            .find(|name| self.find(name).is_none())
            .unwrap_or_default()
    }

    /// What was taken back and is gone to again needs no way of its own any more.
    fn drop_undone(&mut self) {
        let Some(undone) = self.undone else {
            return;
        };
        if !self.is_on(undone, self.ways[self.way].tip) {
            return;
        }
        let (own, mut at) = (self.way, 0);
        let mut now = own;
        self.ways.retain(|way| {
            let keeps = at == own || way.named || way.tip != undone;
            now -= usize::from(!keeps && at < own);
            at += 1;
            keeps
        });
        self.way = now;
        self.undone = None;
    }

    /// The position of the way of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.ways.iter().position(|way| way.name == name)
    }

    /// Puts the game at the end of a way.
    pub fn switch(&mut self, game: &mut Game, way: usize) {
        self.way = way;
        self.go(game, self.ways[way].tip);
    }

    /// Gives the way on which the game is another name, whatever it had before.
    pub fn rename(&mut self, name: &str, named: bool) {
        let way = &mut self.ways[self.way];
        way.name = name.to_owned();
        way.named = named;
    }

    /// Gives the way on which the game is a name, or begins one of this name where it has one already.
    ///
    /// # Errors
    /// When there is a way of this name.
    pub fn branch(&mut self, name: &str) -> Result<(), String> {
        self.check_name(name)?;
        if self.ways[self.way].named {
            self.ways.push(Way {
                name: name.to_owned(),
                named: true,
                tip: self.now,
            });
            self.way = self.ways.len() - 1;
        } else {
            self.rename(name, true);
        }
        Ok(())
    }

    fn check_name(&self, name: &str) -> Result<(), String> {
        match self.find(name) {
            Some(_) => Err(format!("there is a way `{name}` already: `switch {name}`")),
            None => Ok(()),
        }
    }

    /// How many acts led to a moment.
    pub fn depth(&self, moment: MomentId) -> usize {
        self.moments[moment.0].depth
    }

    /// The moment of a way to which so many acts led; the last, if there are not so many.
    pub fn at_depth(&self, way: usize, depth: usize) -> MomentId {
        let tip = self.ways[way].tip;
        let found = self.up(tip).find(|moment| self.depth(*moment) <= depth);
        found.unwrap_or(tip)
    }

    /// Where a way leaves an older one; the first leaves none.
    pub fn fork(&self, way: usize) -> Option<Fork> {
        let tip = self.ways[way].tip;
        let path: Vec<MomentId> = self.up(tip).collect();
        let shared = |other: usize| {
            path.iter()
                .position(|moment| self.is_on(*moment, self.ways[other].tip))
        };
        // The longest common part; of equals the oldest.
        let (left, from) = (0..way)
            .filter_map(|other| Some((shared(other)?, other)))
            .min()?;
        let act = left
            .checked_sub(1)
            .and_then(|next| self.moments[path[next].0].came.as_ref());
        Some(Fork {
            from,
            at: path[left],
            act: act.map(|(_, act)| act.clone()),
        })
    }
}

impl Act {
    /// The state before it.
    fn before(&self) -> &State {
        match self {
            Self::Answer(step) => &step.before,
            Self::Change(change) => &change.before,
        }
    }

    /// Whether it is the very same.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Answer(a), Self::Answer(b)) => Arc::ptr_eq(a, b),
            (Self::Change(a), Self::Change(b)) => a.settings == b.settings,
            _ => false,
        }
    }

    /// Whether it does the same.
    fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Answer(a), Self::Answer(b)) => {
                a.decision.key == b.decision.key && a.answer == b.answer
            }
            (Self::Change(a), Self::Change(b)) => a.settings == b.settings,
            _ => false,
        }
    }
}

/// What was done in a game, in order.
fn acts(game: &Game) -> Vec<Act> {
    let mut acts = Vec::with_capacity(game.history.len() + game.interventions.len());
    let mut changes = game.interventions.iter().peekable();
    for at in 0..=game.history.len() {
        while let Some(change) = changes.next_if(|change| change.at <= at) {
            acts.push(Act::Change(Box::new(change.clone())));
        }
        if let Some(step) = game.history.get(at) {
            acts.push(Act::Answer(Arc::clone(step)));
        }
    }
    acts
}

/// What was said for the decision that was pending after so many answers.
fn notices_after(game: &Game, answers: usize) -> Vec<Event> {
    match game.history.get(answers) {
        Some(step) => step.notices.clone(),
        None => game.notices.clone(),
    }
}
