//! The driver of one game: answers, undo, redo, and what happened at each step.

use std::fmt;
use std::sync::Arc;

use crate::diag::count_between;
use crate::script::machine::Outcome as Stop;
use crate::script::machine::{StartAt, Watch};
use crate::script::{Fault, Io, Limits, Machine, Rules, Scratch, State};
use crate::table::{Dealer, Event, Position};

use super::arrange::arrange;
use super::decision::{self, Answer, Decision, Rejection};
use super::item::{Item, ItemValue};
use super::outcome::{Feed, Outcome};
use super::record::Setting;

/// Most forced answers between two questions that somebody has to answer.
const MOST_FORCED: usize = 1000;

/// Changes by hand that a fault names at most, the latest first.
const MOST_BLAMED: usize = 3;

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// How many play.
    pub players: u8,
    /// The seed of all chance.
    pub seed: u64,
    /// Where in the flow it starts, if not at the beginning.
    pub start: Option<StartAt>,
}

/// Why a game could not go on. It is as before.
#[derive(Clone, Debug)]
pub enum GameError {
    /// The pack is not for so many players.
    Players(String),
    /// The answer was rejected.
    Rejected(Rejection),
    /// A script failed.
    Fault(Box<Fault>),
    /// The wanted start was never reached.
    Start(String),
    /// The table could not be changed as wanted.
    Setting {
        /// The position of the item among those that were to be set.
        index: usize,
        /// Its path.
        item: String,
        /// Why it cannot be so.
        message: String,
    },
    /// No decision is pending.
    Over,
}

impl fmt::Display for GameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players(text) | Self::Start(text) => write!(formatter, "{text}"),
            Self::Rejected(rejection) => write!(formatter, "{rejection}"),
            Self::Setting { item, message, .. } => write!(formatter, "`{item}`: {message}"),
            Self::Fault(fault) => write!(formatter, "{}", fault.message),
            Self::Over => write!(formatter, "the game is over: nothing is asked"),
        }
    }
}

/// One answered decision, and what came of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The state in which it was asked.
    pub before: State,
    /// Where the flow stood.
    pub position: Position,
    /// What was asked.
    pub decision: Decision,
    /// What scripts said while the choices were made: refusals, hints.
    pub notices: Vec<Event>,
    /// What was answered.
    pub answer: Answer,
    /// Whether it was the only legal answer, given by the engine.
    pub forced: bool,
    /// What happened from the answer to the next question.
    pub events: Vec<Event>,
    /// How many of these events come before the table was arranged, if it was arranged there.
    pub arranged: Option<usize>,
    /// How far the dealer had dealt at the next question.
    dealt: Vec<u16>,
}

/// A change of the table from outside, between two answers.
#[derive(Clone, Debug)]
pub struct Intervention {
    /// How many answers had been given, forced ones included.
    pub at: usize,
    /// The state before it.
    pub before: State,
    /// What was set.
    pub settings: Vec<Setting>,
}

/// Where the set-up of a game ended and its table was arranged, if it starts elsewhere than at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// How many answers the set-up took, forced ones included.
    pub answers: usize,
    /// How many events before the arrangement follow the last of them, or the beginning.
    pub events: usize,
}

/// A game with its history.
pub struct Game {
    /// The rules it is played by.
    pub rules: Arc<Rules>,
    /// How it began.
    pub setup: Setup,
    /// The state now.
    pub state: State,
    /// How the table was arranged after the set-up, for a start elsewhere.
    pub arranged: Vec<Setting>,
    /// What happened before the first question.
    pub opening: Vec<Event>,
    /// How many of these events come before the table was arranged, if it was arranged there.
    pub opening_arranged: Option<usize>,
    /// How far the dealer had dealt at the first question.
    opening_dealt: Vec<u16>,
    /// Changes from outside, in order.
    pub interventions: Vec<Intervention>,
    /// Answered decisions, forced ones included.
    pub history: Vec<Arc<Step>>,
    /// Undone decisions, the next to be redone last.
    pub future: Vec<Arc<Step>>,
    /// What scripts said for the pending decision: refusals, hints.
    pub notices: Vec<Event>,
    /// Limits on scripts.
    pub limits: Limits,
    /// Instructions left until a player is asked: forced answers do not renew them.
    left: u64,
    scratch: Scratch,
    dealer: Option<Box<dyn Dealer + Send>>,
    /// The states at which something was refused, where somebody asks for them.
    refusals: Option<Vec<State>>,
    /// What is seen of an answer that is tried out.
    watch: Option<Box<Watch>>,
}

/// An answer that was tried out, statement by statement.
#[derive(Debug)]
pub struct Trial {
    /// What ran.
    pub watch: Watch,
    /// The answer, and those that the engine gave after it, as far as they led to a question.
    pub steps: Vec<Arc<Step>>,
    /// Why it cannot be given, if it cannot.
    pub outcome: Result<(), GameError>,
}

impl fmt::Debug for Game {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Game")
            .field("setup", &self.setup)
            .field("state", &self.state)
            .field("answered", &self.history.len())
            .finish_non_exhaustive()
    }
}

/// Whether an event belongs to the decision that is being made, not to what happened.
fn is_notice(event: &Event) -> bool {
    matches!(event, Event::Refused { .. } | Event::Hinted { .. })
}

impl Game {
    /// Starts a game and plays it to the first question that has more than one answer. If it starts elsewhere than at the
    /// beginning, its table is arranged after the set-up; that may take answers first ([`Game::setting_up`]).
    ///
    /// # Errors
    /// When the number of players does not fit, a script fails, the wanted start is never reached, or the table cannot
    /// be arranged so.
    pub fn start(
        rules: Arc<Rules>,
        setup: Setup,
        dealer: Option<Box<dyn Dealer + Send>>,
        settings: Option<&[Setting]>,
    ) -> Result<Self, GameError> {
        check_players(&rules, setup.players)?;
        let settings = settings.unwrap_or_default();
        let mut game = Self::before_start(rules, setup, dealer, settings);
        game.open()?;
        game.answer_forced()?;
        Ok(game)
    }

    /// A game before its first step.
    fn before_start(
        rules: Arc<Rules>,
        setup: Setup,
        dealer: Option<Box<dyn Dealer + Send>>,
        settings: &[Setting],
    ) -> Self {
        Self {
            state: rules.start(setup.players, setup.seed),
            setup,
            arranged: settings.to_vec(),
            opening: Vec::new(),
            opening_arranged: None,
            opening_dealt: Vec::new(),
            interventions: Vec::new(),
            history: Vec::new(),
            future: Vec::new(),
            notices: Vec::new(),
            limits: Limits::default(),
            left: Limits::default().instructions,
            scratch: Scratch::default(),
            dealer,
            refusals: None,
            watch: None,
            rules,
        }
    }

    /// Plays to the first question.
    fn open(&mut self) -> Result<(), GameError> {
        let ran = self.run().map_err(|error| self.blame(error, None))?;
        self.opening = self.sort_notices(ran.events);
        self.opening_arranged = ran.arranged;
        self.opening_dealt = ran.dealt;
        Ok(())
    }

    /// Starts a game whose table is arranged after the set-up: at the first round, if the set-up does
    /// not say where.
    ///
    /// # Errors
    /// As [`Game::start`], and when an item cannot be set.
    pub fn arranged(
        rules: Arc<Rules>,
        mut setup: Setup,
        settings: &[Setting],
        dealer: Option<Box<dyn Dealer + Send>>,
    ) -> Result<Self, GameError> {
        if !settings.is_empty() && setup.start.is_none() {
            setup.start = Some(StartAt {
                block: None,
                round: 1,
            });
        }
        Self::start(rules, setup, dealer, Some(settings))
    }

    /// Where the set-up ended, if the game starts elsewhere than at the beginning and the set-up is over.
    pub fn set_up(&self) -> Option<SetUp> {
        if let Some(events) = self.opening_arranged {
            return Some(SetUp { answers: 0, events });
        }
        let arranged = |(at, step): (usize, &Arc<Step>)| {
            Some(SetUp {
                answers: at + 1,
                events: step.arranged?,
            })
        };
        self.history.iter().enumerate().find_map(arranged)
    }

    /// Whether answers still belong to the set-up, after which the table is arranged for a start elsewhere.
    pub fn setting_up(&self) -> bool {
        self.setup.start.is_some() && self.set_up().is_none()
    }

    /// Changes the table from outside. What is asked at the moment stays as it was asked.
    ///
    /// # Errors
    /// When an item cannot be set; the game is then as before.
    pub fn intervene(&mut self, settings: &[Setting]) -> Result<(), GameError> {
        let before = self.state.clone();
        let rules = Arc::clone(&self.rules);
        if let Err(error) = set(&rules, &mut self.state, settings) {
            self.state = before;
            return Err(error);
        }
        self.future.clear();
        self.interventions.push(Intervention {
            at: self.history.len(),
            before,
            settings: settings.to_vec(),
        });
        Ok(())
    }

    /// Runs the machine to the next question; the state is thrown away by the caller on errors.
    fn run(&mut self) -> Result<Ran, GameError> {
        let rules = Arc::clone(&self.rules);
        let mut start = match self.setting_up() {
            true => self.setup.start,
            false => None,
        };
        let mut events = Vec::new();
        let mut arranged = None;
        loop {
            let mut io = Io {
                events: Some(&mut events),
                dealer: match &mut self.dealer {
                    Some(dealer) => Some(&mut **dealer),
                    None => None,
                },
                refusals: self.refusals.as_mut(),
                watch: self.watch.as_deref_mut(),
            };
            let mut machine = Machine::new(
                &rules,
                &mut self.state,
                &mut io,
                &mut self.scratch,
                self.limits,
            );
            machine.budget = self.left;
            machine.start_at = start;
            machine.set_up = arranged.is_some();
            let outcome = machine.run().map_err(GameError::Fault);
            let still = machine.start_at;
            self.left = machine.budget;
            if !matches!(outcome, Ok(Stop::SetUp))
                && let Some(watch) = &mut self.watch
            {
                watch.stop(&events);
            }
            let outcome = outcome?;
            if outcome != Stop::SetUp {
                // A question before the table is arranged belongs to the set-up.
                if still.is_some() && (arranged.is_some() || outcome == Stop::Over) {
                    return Err(GameError::Start(
                        "the wanted start is never reached: no such block in that round".to_owned(),
                    ));
                }
                let dealt = self.dealer.as_ref().map(|dealer| dealer.place());
                return Ok(Ran {
                    events,
                    arranged,
                    dealt: dealt.unwrap_or_default(),
                });
            }
            if arranged.is_none()
                && let Some(dealer) = &mut self.dealer
            {
                dealer.begin();
            }
            arranged = Some(events.iter().filter(|event| !is_notice(event)).count());
            start = still;
            set(&rules, &mut self.state, &self.arranged)?;
            if start.is_none_or(|start| start.block.is_none()) {
                start = None;
            }
        }
    }

    /// Keeps what was said for the pending decision apart from what happened.
    fn sort_notices(&mut self, events: Vec<Event>) -> Vec<Event> {
        let (notices, events): (Vec<Event>, Vec<Event>) = events.into_iter().partition(is_notice);
        self.notices = notices;
        events
    }

    /// The pending decision.
    pub fn decision(&self) -> Option<Decision> {
        Decision::pending(&self.rules, &self.state)
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Answers the pending decision, and those after it that have only one answer.
    ///
    /// # Errors
    /// When the answer is rejected or a script fails; the game is then as before.
    pub fn answer(&mut self, answer: &Answer) -> Result<(), GameError> {
        let undo = (self.state.clone(), self.notices.clone(), self.history.len());
        self.left = self.limits.instructions;
        let result = self
            .answer_one(answer, false)
            .and_then(|()| self.answer_forced());
        match result {
            Ok(()) => {
                self.future.clear();
                Ok(())
            }
            Err(error) => {
                (self.state, self.notices) = (undo.0, undo.1);
                self.history.truncate(undo.2);
                Err(error)
            }
        }
    }

    /// Tries out an answer and all that comes of it, while it is watched. The game is as before.
    pub fn try_out(&mut self, answer: &Answer, watch: Watch) -> Trial {
        let (state, notices, begun) =
            (self.state.clone(), self.notices.clone(), self.history.len());
        self.left = self.limits.instructions;
        self.watch = Some(Box::new(watch));
        let outcome = self
            .answer_one(answer, false)
            .and_then(|()| self.answer_forced());
        let watch = self.watch.take();
        (self.state, self.notices) = (state, notices);
        Trial {
            watch: watch.map(|watch| *watch).unwrap_or_default(),
            steps: self.history.split_off(begun),
            outcome,
        }
    }

    fn answer_one(&mut self, answer: &Answer, forced: bool) -> Result<(), GameError> {
        let decision = self.decision().ok_or(GameError::Over)?;
        decision
            .check(&self.rules, &self.state, answer)
            .map_err(GameError::Rejected)?;
        let before = self.state.clone();
        if let Some(dealer) = &mut self.dealer {
            let dealt = self.history.last().map(|step| &step.dealt);
            dealer.go(dealt.unwrap_or(&self.opening_dealt));
        }
        decision::apply(&mut self.state, answer);
        let ran = self.run();
        let ran = ran.map_err(|error| self.blame(error, Some((&decision, answer))))?;
        let notices = std::mem::take(&mut self.notices);
        let events = self.sort_notices(ran.events);
        self.history.push(Arc::new(Step {
            position: before.table.position,
            before,
            decision,
            notices,
            answer: answer.clone(),
            forced,
            events,
            arranged: ran.arranged,
            dealt: ran.dealt,
        }));
        Ok(())
    }

    /// Says in a fault what led to it.
    fn blame(&self, error: GameError, asked: Option<(&Decision, &Answer)>) -> GameError {
        let GameError::Fault(mut fault) = error else {
            return error;
        };
        let together = |settings: &[Setting]| -> String {
            let each = settings.iter();
            let each: Vec<String> = each
                .map(|setting| format!("{} = {}", setting.item, setting.value))
                .collect();
            each.join(", ")
        };
        fault.led.push(match asked {
            None => "before the first answer".to_owned(),
            Some((decision, answer)) => format!(
                "after decision {}: player {} answered `{}` with `{}`",
                self.history.len() + 1,
                decision.player.0 + 1,
                decision.key,
                decision.write(answer)
            ),
        });
        if !self.arranged.is_empty() {
            let arranged = together(&self.arranged);
            fault
                .led
                .push(format!("the table was arranged: {arranged}"));
        }
        for change in self.interventions.iter().rev().take(MOST_BLAMED) {
            fault.led.push(format!(
                "the table was changed by hand at decision {}: {}",
                change.at + 1,
                together(&change.settings)
            ));
        }
        GameError::Fault(fault)
    }

    fn answer_forced(&mut self) -> Result<(), GameError> {
        let mut forced = 0;
        while let Some(answer) = decision::forced(&self.state) {
            forced += 1;
            if forced > MOST_FORCED {
                let mut io = Io::default();
                let machine = Machine::new(
                    &self.rules,
                    &mut self.state,
                    &mut io,
                    &mut self.scratch,
                    self.limits,
                );
                let fault = machine.stopped(
                    "Y0422",
                    format!("stopped after {MOST_FORCED} decisions with one answer each"),
                    "a loop here probably asks for ever what only has one answer",
                );
                return Err(GameError::Fault(Box::new(fault)));
            }
            self.answer_one(&answer, true)?;
        }
        Ok(())
    }

    /// Takes back the last answer that a player gave, with the forced ones after it.
    /// A change from outside after it is taken back alone, for good.
    pub fn undo(&mut self) -> bool {
        if let Some(last) = self
            .interventions
            .pop_if(|last| last.at == self.history.len())
        {
            self.state = last.before;
            self.future.clear();
            return true;
        }
        let Some(index) = self.history.iter().rposition(|step| !step.forced) else {
            return false;
        };
        let mut undone = self.history.split_off(index);
        let first = &undone[0];
        self.state = first.before.clone();
        self.notices = first.notices.clone();
        undone.reverse();
        self.future.append(&mut undone);
        true
    }

    /// Gives the answer again that was taken back last.
    ///
    /// # Errors
    /// When it is no longer accepted, which cannot be unless the rules have changed.
    pub fn redo(&mut self) -> Result<bool, GameError> {
        let Some(step) = self.future.pop() else {
            return Ok(false);
        };
        let mut rest = std::mem::take(&mut self.future);
        self.answer(&step.answer)?;
        while rest.last().is_some_and(|step| step.forced) {
            rest.pop();
        }
        self.future = rest;
        Ok(true)
    }
}

/// What was refused for the pending decision, each with the state as it stood there. What led to the
/// question is played once more, with the same outcomes of chance; the game itself is not touched.
///
/// # Errors
/// When it cannot be played once more as it was, which cannot be unless a dealer changed its mind.
pub fn refusals(game: &Game) -> Result<Vec<(Event, State)>, String> {
    let feed = Feed::default();
    let rules = Arc::clone(&game.rules);
    let dealer = Some(feed.dealer(Arc::clone(&rules)));
    let mut again = Game::before_start(rules, game.setup, dealer, &game.arranged);
    again.limits = game.limits;
    again.refusals = Some(Vec::new());
    let outcomes = |events: &[Event]| -> Vec<Outcome> {
        let told = events.iter();
        told.filter_map(|event| Outcome::of(&game.rules, event))
            .collect()
    };
    let played = match game.history.split_last() {
        Some((step, earlier)) => {
            feed.push(&outcomes(&step.events));
            again.history = earlier.to_vec();
            again.opening_arranged = game.opening_arranged;
            again.state = step.before.clone();
            again.answer_one(&step.answer, step.forced)
        }
        None => {
            feed.push(&outcomes(&game.opening));
            again.open()
        }
    };
    played.map_err(|error| error.to_string())?;
    let states = again.refusals.unwrap_or_default();
    let refused = again
        .notices
        .into_iter()
        .filter(|notice| matches!(notice, Event::Refused { .. }));
    Ok(refused.zip(states).collect())
}

/// What a run of the machine gave.
struct Ran {
    events: Vec<Event>,
    arranged: Option<usize>,
    dealt: Vec<u16>,
}

/// Sets items by their paths.
fn set(rules: &Rules, state: &mut State, settings: &[Setting]) -> Result<(), GameError> {
    let layout = rules.layout();
    let error = |(index, message): (usize, String)| GameError::Setting {
        index,
        item: settings
            .get(index)
            .map_or_else(String::new, |setting| setting.item.clone()),
        message,
    };
    let mut items: Vec<(Item, ItemValue)> = Vec::with_capacity(settings.len());
    for (index, setting) in settings.iter().enumerate() {
        let item = Item::parse(layout, &state.table, &setting.item)
            .map_err(|message| error((index, message)))?;
        items.push((item, setting.value.clone()));
    }
    arrange(layout, &mut state.table, &items).map_err(error)
}

/// Whether a pack is for so many players.
///
/// # Errors
/// Says for how many it is.
pub fn check_players(rules: &Rules, players: u8) -> Result<(), GameError> {
    let layout = rules.layout();
    if players < layout.min_players || players > layout.max_players {
        return Err(GameError::Players(format!(
            "{} is for {}, not {players}",
            rules.pack.title,
            count_between(layout.min_players, layout.max_players, "player")
        )));
    }
    Ok(())
}
