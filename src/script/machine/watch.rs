//! A script that is watched, statement by statement: what ran in which order, and the states before some of
//! it.
//!
//! A run that is watched is a run of its own, on a state of its own, from one end to the other; who wants to
//! see more of its states runs it again. Runs that nobody watches know nothing of all this.

use std::ops::Range;

use crate::script::api::Verb;
use crate::script::code::Op;
use crate::script::rules::Rules;
use crate::script::state::State;
use crate::table::Case;
use crate::table::event::Event;
use crate::table::ids::{FunctionId, ParameterId};

use super::Machine;

/// Statements that are noted at most: what runs on and on is watched as far as this.
const MOST_POINTS: usize = 500_000;

/// A statement that is about to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its position among the program's statements.
    pub statement: u32,
    /// The function that it is in.
    pub function: FunctionId,
    /// How many functions run, this one included.
    pub depth: u16,
    /// Whether the function has just been called.
    pub entered: bool,
    /// Whether the table is put back afterwards: it is inside a `what_if`.
    pub tried: bool,
    /// How many events came before it.
    pub events: u32,
}

/// What was seen of a run.
#[derive(Debug, Default)]
pub struct Watch {
    /// The statements in the order in which they ran.
    pub points: Vec<Point>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Parameters that were read, each with the position of the statement that read it.
    pub reads: Vec<(usize, ParameterId)>,
    /// After how many statements the machine stopped: at a question, or at the end.
    pub stops: Vec<usize>,
    /// The states before the statements that were to be kept, as far as these ran.
    pub states: Vec<State>,
    /// The statements before which the state is kept.
    keep: Range<usize>,
    /// For each instruction, one more than the statement that begins there, or 0.
    starts: Vec<u32>,
    /// How many of the machine's events are among those here.
    seen: usize,
    /// How many functions ran at the last instruction.
    depth: usize,
    /// For each function that runs, the outermost first, whether it was called and no statement of its own has run yet:
    /// what a block of the flow asks before it begins has statements too.
    fresh: Vec<bool>,
}

impl Watch {
    /// Watches a run by some rules, and keeps the states before some of its statements.
    pub fn new(rules: &Rules, keep: Range<usize>) -> Self {
        let mut starts = vec![0; rules.program.ops.len()];
        for (index, statement) in rules.program.statements.iter().enumerate() {
            starts[statement.pc as usize] = index as u32 + 1;
        }
        Self {
            keep,
            starts,
            ..Self::default()
        }
    }

    /// Takes over what happened up to a question, or to the end.
    pub fn stop(&mut self, events: &[Event]) {
        self.take(events);
        self.seen = 0;
        self.stops.push(self.points.len());
    }

    fn take(&mut self, events: &[Event]) {
        self.events
            .extend_from_slice(&events[self.seen.min(events.len())..]);
        self.seen = events.len();
    }

    /// Whether the run was longer than what is noted of it.
    pub fn is_full(&self) -> bool {
        self.points.len() >= MOST_POINTS
    }
}

impl Machine<'_, '_> {
    /// Notes the instruction that is about to run.
    #[cold]
    #[inline(never)]
    pub(super) fn look(&mut self, pc: usize) {
        let tried = self.scratch.what_ifs > 0;
        let stack = self.top_of_stack();
        let Some(watch) = &mut self.io.watch else {
            return;
        };
        if watch.is_full() {
            return;
        }
        let Some(frame) = self.state.run.frames.last() else {
            return;
        };
        let depth = self.state.run.frames.len();
        let entry = self.rules.program.functions[frame.function.index()].entry;
        if depth > watch.depth && pc == entry as usize && watch.depth > 0 {
            watch.fresh.resize(depth, false);
            watch.fresh[depth - 1] = true;
        }
        watch.depth = depth;
        if let Some(events) = &self.io.events {
            watch.take(events);
        }
        if let Some(statement) = watch.starts[pc].checked_sub(1) {
            let point = Point {
                statement,
                function: frame.function,
                depth: depth as u16,
                entered: watch.fresh.get_mut(depth - 1).is_some_and(std::mem::take),
                tried,
                events: watch.events.len() as u32,
            };
            if watch.keep.contains(&watch.points.len()) {
                let mut state = self.state.clone();
                state.run.stack.truncate(stack);
                watch.states.push(state);
            }
            watch.points.push(point);
        }
        if let Some(parameter) = read(self.rules, self.state, pc, frame.base as usize)
            && let Some(point) = watch.points.len().checked_sub(1)
        {
            watch.reads.push((point, parameter));
        }
    }
}

/// The parameter that an instruction reads, if it reads one.
fn read(rules: &Rules, state: &State, pc: usize, base: usize) -> Option<ParameterId> {
    let program = &rules.program;
    let register = match program.ops[pc] {
        Op::Host {
            verb: Verb::ValueOf,
            base: register,
            ..
        } => register,
        Op::Host1 {
            verb: Verb::ValueOf,
            a,
            ..
        }
        | Op::Host2 {
            verb: Verb::ValueOf,
            a,
            ..
        } => a,
        _ => {
            let built_in = &program.built_in;
            let at = built_in.binary_search_by_key(&(pc as u32), |known| known.0);
            return at.ok().map(|at| built_in[at].1);
        }
    };
    match state
        .run
        .stack
        .get(base + usize::from(register))
        .map(|value| value.case())
    {
        Some(Case::Parameter(parameter)) => Some(parameter),
        _ => None,
    }
}
