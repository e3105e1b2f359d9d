//! One game played by bots.

use std::hash::{Hash, Hasher};

use crate::flow::decision;
use crate::flow::digest::digest;
use crate::flow::scores;
use crate::script::code::AskKind;
use crate::script::machine::Limits;
use crate::script::state::{Ask, Digest};
use crate::script::{Fault, Io, Machine, Outcome, Rules, Scratch, State};
use crate::table::chance::game_seed;
use crate::table::event::Event;
use crate::table::ids::PlayerId;
use crate::table::invariants;

use super::batch::{Batch, Watch};
use super::bots::{Bot, Question};
use super::uses::Uses;

/// What one game came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Scores by player; empty if the game was not finished.
    pub scores: Vec<i64>,
    /// Places by player, from 1.
    pub places: Vec<u8>,
    /// Decisions with more than one answer.
    pub decisions: u64,
    /// Decisions with one answer.
    pub forced: u64,
    /// What could be chosen, summed over the decisions with more than one answer.
    pub choices: u64,
    /// Rounds.
    pub rounds: u16,
    /// Violations of invariants.
    pub violations: u64,
    /// A hash of the last state by names, and of the scores.
    pub digest: u64,
    /// How often what the pack declares was used, if it was counted.
    pub uses: Uses,
    /// Why it was not finished.
    pub trouble: Option<Trouble>,
}

/// Why a game was not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A script failed.
    Fault(Box<Fault>),
    /// Too many decisions.
    Endless,
    /// The bot found no legal answer.
    Stuck,
    /// Whoever looks on does not want to wait for the end.
    Stopped,
}

impl Trouble {
    /// What is wrong, in words.
    pub(super) fn describe(&self, rules: &Rules) -> String {
        match self {
            Self::Endless => "too many decisions".to_owned(),
            Self::Stuck => "no legal answer was found".to_owned(),
            Self::Stopped => "it was stopped".to_owned(),
            Self::Fault(fault) => format!(
                "{}: {} ({})",
                rules.pack.sources.place(fault.span),
                fault.message,
                fault.position
            ),
        }
    }
}

/// Plays one game of a batch.
pub fn play(rules: &Rules, batch: &Batch, index: u64, scratch: &mut Scratch) -> Played {
    play_watched(rules, batch, index, &Watch::default(), scratch)
}

/// Plays one game of a batch, or as much of it as there is time for.
pub(super) fn play_watched(
    rules: &Rules,
    batch: &Batch,
    index: u64,
    watch: &Watch<'_>,
    scratch: &mut Scratch,
) -> Played {
    let seed = game_seed(batch.seed, index);
    let mut state = rules.start_in(scratch.spare.take(), batch.players, seed);
    let mut played = Played {
        scores: Vec::new(),
        places: Vec::new(),
        decisions: 0,
        forced: 0,
        choices: 0,
        rounds: 0,
        violations: 0,
        digest: 0,
        uses: Uses::default(),
        trouble: None,
    };
    let mut events: Option<Vec<Event>> = batch.statistics.then(Vec::new);
    let trouble = loop {
        let outcome = step(rules, &mut state, scratch, events.as_mut());
        if let Some(events) = &mut events {
            played.uses.count(rules, &state, events);
            events.clear();
        }
        match outcome {
            Err(fault) => break Some(Trouble::Fault(fault)),
            Ok(Outcome::Over | Outcome::SetUp) => break None,
            Ok(Outcome::Decision) => {}
        }
        if batch.check_invariants {
            played.violations += invariants::check(rules.layout(), &state.table).len() as u64;
        }
        if played.decisions + played.forced >= batch.most_decisions {
            break Some(Trouble::Endless);
        }
        if let Some(answer) = decision::only_for_bots(&state) {
            played.forced += 1;
            if batch.statistics {
                played.uses.count_answer(rules, &state, &answer);
            }
            decision::apply(&mut state, &answer);
            continue;
        }
        let question = Question {
            rules,
            state: &state,
            seed,
            nth: played.decisions,
            stop: watch.stop,
        };
        let player = state.run.ask.map_or(PlayerId(0), |ask| ask.player);
        let bot = batch.bot(player, index);
        let answer = bot.answer(&question, scratch);
        if watch.is_stopped() {
            break Some(Trouble::Stopped);
        }
        if let Some(fault) = scratch.evaluation.take() {
            break Some(Trouble::Fault(fault));
        }
        let Some(answer) = answer else {
            break Some(Trouble::Stuck);
        };
        // A number may be asked for over the whole range of numbers, more than once.
        let breadth = state.run.ask.map_or(0, |ask| breadth(&ask));
        played.choices = played.choices.saturating_add(breadth);
        if batch.statistics {
            played.uses.count_answer(rules, &state, &answer);
        }
        decision::apply(&mut state, &answer);
        played.decisions += 1;
    };
    played.rounds = state.table.position.round;
    let mut hasher = Digest::default();
    digest(rules, &state).hash(&mut hasher);
    played.trouble = trouble;
    if played.trouble.is_none() {
        match scores(rules, &state, scratch) {
            Ok(scores) => {
                played.scores = scores.iter().map(|score| score.total).collect();
                played.places = scores.iter().map(|score| score.place).collect();
            }
            Err(fault) => played.trouble = Some(Trouble::Fault(fault)),
        }
    }
    (&played.scores, &played.places).hash(&mut hasher);
    played.digest = hasher.finish();
    scratch.spare = Some(state);
    played
}

/// How many choices can be told apart; of several to be chosen each counts by itself.
fn breadth(ask: &Ask) -> u64 {
    match ask.kind {
        AskKind::Confirm => 2,
        AskKind::Number => ask.most.abs_diff(ask.least).saturating_add(1),
        AskKind::One | AskKind::Some => u64::from(ask.choices),
        AskKind::Texts => 1,
    }
}

fn step(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    events: Option<&mut Vec<Event>>,
) -> Result<Outcome, Box<Fault>> {
    let mut io = Io {
        events,
        ..Io::default()
    };
    Machine::new(rules, state, &mut io, scratch, Limits::default()).run()
}
