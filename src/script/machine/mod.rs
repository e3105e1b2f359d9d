//! The machine that runs bytecode until a question is asked or the game is over.

mod glance;
mod lists;
mod properties;
mod question;
mod report;
mod rollback;
mod run;
mod start;
mod steps;
mod texts;
mod trouble;
mod watch;

use crate::table::event::Event;
use crate::table::ids::{FunctionId, ParameterId};
use crate::table::{Case, Dealer, Table, TableError, TableState, Value};

use super::code::WINDOW;
use super::fault::Fault;
use super::offering::Leaders;
use super::rules::{Amount, Rules};
use super::state::{Run, State};

pub use lists::elements;
pub(super) use properties::own_cell;
pub use report::in_words;
use rollback::Speech;
pub(super) use run::plainly_equal;
use run::window;
pub use start::StartAt;
pub use texts::text_bytes;
use trouble::too_nested;
pub(super) use trouble::{Trouble, number, wrong};
pub use watch::{Point, Watch};

/// What bounds a script from one question to the next. They are not part of the state.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions, the flow's included, counted in turns of loops and calls.
    pub instructions: u64,
    /// Functions that call each other.
    pub depth: usize,
    /// Values that are computed while others are: amounts and conditions that ask for parameters.
    pub nested: usize,
    /// Elements of one list, at most 2¹⁶ - 1.
    pub list: usize,
    /// Elements of all lists, at most 2²³.
    pub heap: usize,
    /// Bytes of all texts, at most 2²⁷.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            instructions: 20_000_000,
            depth: 128,
            nested: 16,
            list: 10_000,
            heap: 1_000_000,
            text: 1 << 20,
        }
    }
}

/// Who listens, and who gives outcomes of chance from outside.
#[derive(Default)]
pub struct Io<'a> {
    /// Where events go.
    pub events: Option<&'a mut Vec<Event>>,
    /// Where outcomes of chance come from, if not from the seed.
    pub dealer: Option<&'a mut dyn Dealer>,
    /// Where the state is kept at each refusal, as it stands there, for those who ask why.
    pub refusals: Option<&'a mut Vec<State>>,
    /// Who watches what runs, statement by statement.
    pub watch: Option<&'a mut Watch>,
}

impl std::fmt::Debug for Io<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Io")
            .field("listens", &self.events.is_some())
            .field("deals", &self.dealer.is_some())
            .finish()
    }
}

/// Memory that is used again from run to run, and is no part of the state.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Tables remembered by `what_if`.
    pub(super) saved: Vec<TableState>,
    /// How many of them are in use.
    pub(super) what_ifs: usize,
    /// The memory of a game that is over.
    pub spare: Option<State>,
    /// What went wrong first when a bot asked the pack how well a player stands.
    pub evaluation: Option<Box<Fault>>,
    /// Which of the pending choices are alike.
    pub(super) leaders: Leaders,
    /// Values to be offered, with what tells them from others.
    pub(super) marked: Vec<(Value, u64)>,
    /// What was there when speaking began.
    speeches: Vec<Speech>,
    /// For the search of exchanges.
    pub(super) exchange: crate::table::exchange::Scratch,
    /// The stack while a script runs: deeper than what a state keeps of it.
    pub(super) stack: Vec<Value>,
    pub(super) values: Vec<Value>,
    pub(super) heap: Vec<Value>,
    pub(super) text: Vec<u8>,
    pub(super) starts: Vec<i64>,
    pub(super) mosts: Vec<i64>,
    pub(super) amounts: Vec<i64>,
    pub(super) goals: Vec<(usize, i64)>,
    pub(super) wanted: Vec<i64>,
}

/// What a change of the table is counted as.
pub(super) const CHANGE: usize = 16;

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A decision is pending.
    Decision,
    /// A start elsewhere was wanted: the table can be changed now. The machine stops so when the set-up
    /// is done, and again before the wanted block.
    SetUp,
    /// The flow has come to its end.
    Over,
}

/// A running game.
#[derive(Debug)]
pub struct Machine<'a, 'io> {
    pub(super) rules: &'a Rules,
    pub(super) state: &'a mut State,
    pub(super) io: &'a mut Io<'io>,
    pub(super) scratch: &'a mut Scratch,
    pub(super) limits: Limits,
    /// Instructions left before the machine is stopped.
    pub budget: u64,
    /// How many values are being computed inside each other.
    nested: usize,
    /// Whether lists or texts have become many since they were last looked through.
    crowded: bool,
    /// Where to start, until the machine is there.
    pub start_at: Option<StartAt>,
    /// Whether the table was offered for changes on the way there.
    pub set_up: bool,
}

impl Rules {
    /// The state before the first step.
    pub fn start(&self, players: u8, seed: u64) -> State {
        self.start_in(None, players, seed)
    }

    /// The state before the first step, in the memory of a state that is not needed any more, if there is one.
    pub fn start_in(&self, memory: Option<State>, players: u8, seed: u64) -> State {
        let mut state = memory.unwrap_or_else(|| State {
            table: self.opening.clone(),
            run: Run::default(),
            told: Vec::new(),
        });
        state.renew(self, players, seed);
        state
    }
}

impl<'a, 'io> Machine<'a, 'io> {
    /// A machine on a state.
    pub fn new(
        rules: &'a Rules,
        state: &'a mut State,
        io: &'a mut Io<'io>,
        scratch: &'a mut Scratch,
        limits: Limits,
    ) -> Self {
        scratch.what_ifs = 0;
        scratch.leaders.forget();
        scratch.speeches.clear();
        // More could not be told in a value.
        let limits = Limits {
            list: limits.list.min(u16::MAX.into()),
            heap: limits.heap.min(1 << 23),
            text: limits.text.min(1 << 27),
            ..limits
        };
        let mut machine = Self {
            rules,
            state,
            io,
            scratch,
            budget: limits.instructions,
            limits,
            nested: 0,
            crowded: false,
            start_at: None,
            set_up: false,
        };
        machine.crowded = machine.untidy();
        machine
    }

    /// Runs until a decision is pending or the game is over.
    ///
    /// # Errors
    /// When a script fails or exceeds a limit; the state is then to be thrown away.
    pub fn run(&mut self) -> Result<Outcome, Box<Fault>> {
        if self.state.run.ask.is_some() {
            return Ok(Outcome::Decision);
        }
        if self.state.run.frames.is_empty() {
            return Ok(Outcome::Over);
        }
        let mut own = self.lend_stack();
        let result = self.execute(0, false);
        let result = result.map_err(|trouble| Box::new(self.fault(trouble)));
        self.return_stack(&mut own);
        match result {
            Ok(outcome) => {
                if self.state.run.heap.len() > 128 || self.state.run.text.len() > 256 {
                    self.compact();
                }
                Ok(outcome)
            }
            Err(fault) => Err(fault),
        }
    }

    /// Puts a deep stack in the place of the state's own, which has no more than its frames need.
    fn lend_stack(&mut self) -> Vec<Value> {
        let mut deep = std::mem::take(&mut self.scratch.stack);
        let own = std::mem::take(&mut self.state.run.stack);
        if deep.len() < own.len() {
            deep.resize(own.len() + 2 * WINDOW, Value::UNIT);
        }
        deep[..own.len()].copy_from_slice(&own);
        self.state.run.stack = deep;
        own
    }

    /// Keeps of the deep stack what belongs to frames: the rest must not make equal states differ.
    fn return_stack(&mut self, own: &mut Vec<Value>) {
        let top = self.top_of_stack().min(self.state.run.stack.len());
        let deep = std::mem::take(&mut self.state.run.stack);
        own.clear();
        own.extend_from_slice(&deep[..top]);
        self.state.run.stack = std::mem::take(own);
        self.scratch.stack = deep;
    }

    /// Evaluates a pure function with arguments.
    ///
    /// # Errors
    /// When the function fails or exceeds a limit.
    pub fn evaluate(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<Value, Box<Fault>> {
        self.apart(|machine| machine.call_pure(function, arguments))
    }

    /// Looks at something beside whatever waits, which is as before when it fails.
    fn apart<T>(
        &mut self,
        look: impl FnOnce(&mut Self) -> Result<T, Trouble>,
    ) -> Result<T, Box<Fault>> {
        let frames = self.state.run.frames.len();
        let mut own = self.lend_stack();
        let result = look(self).map_err(|trouble| {
            let fault = self.fault(trouble);
            self.state.run.frames.truncate(frames);
            while self.scratch.what_ifs > 0 {
                self.end_what_if();
            }
            Box::new(fault)
        });
        // A list that is the result lies in the heap and can still be read.
        self.return_stack(&mut own);
        result
    }

    /// Runs a pure function on top of whatever runs.
    pub(super) fn call_pure(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<Value, Trouble> {
        if self.io.watch.is_none()
            && let Some(value) = self.glance(function, arguments)
        {
            return Ok(value);
        }
        // Each of them is a run of its own on the machine's own stack.
        if self.nested >= self.limits.nested {
            return Err(too_nested(self.limits.nested));
        }
        let base = self.top_of_stack();
        let mut stack = std::mem::take(&mut self.state.run.stack);
        let registers = window(&mut stack, base);
        let parameters = self.rules.program.functions[function.index()].parameters;
        let (given, missing) = registers[..usize::from(parameters)]
            .split_at_mut(arguments.len().min(parameters.into()));
        given.copy_from_slice(&arguments[..given.len()]);
        missing.fill(Value::UNIT);
        let floor = self.state.run.frames.len();
        let entered = self.enter(registers, function, base);
        self.state.run.stack = stack;
        entered?;
        self.nested += 1;
        let ended = self.execute(floor, true);
        self.nested -= 1;
        ended?;
        // The value is left where the function's first register was.
        Ok(self.state.run.stack.get(base).copied().unwrap_or_default())
    }

    /// One past the last register of the innermost frame.
    fn top_of_stack(&self) -> usize {
        self.state.run.frames.last().map_or(0, |frame| {
            let code = &self.rules.program.functions[frame.function.index()];
            frame.base as usize + usize::from(code.registers)
        })
    }

    /// A parameter's value for a player (or nobody, `()`), about a subject (or nothing).
    ///
    /// # Errors
    /// When a modifier fails, or two set the value.
    pub fn parameter_of(
        &mut self,
        parameter: ParameterId,
        player: Value,
        subject: Value,
    ) -> Result<i64, Box<Fault>> {
        self.apart(|machine| machine.parameter(parameter, player, subject))
    }

    pub(super) fn amount(&mut self, amount: Amount, arguments: &[Value]) -> Result<i64, Trouble> {
        match amount {
            Amount::Known(value) => Ok(value),
            Amount::Computed(function) => match self.call_pure(function, arguments)?.case() {
                Case::Int(value) => Ok(value),
                other => Err(wrong("a number", other)),
            },
        }
    }

    pub(super) fn quiet(&self) -> bool {
        self.io.events.is_none() || self.scratch.what_ifs > 0
    }

    /// The table, for a change. Inside `what_if` nobody listens and nobody deals.
    pub(super) fn table(&mut self) -> Table<'_> {
        self.pay(CHANGE);
        let real = self.scratch.what_ifs == 0;
        Table {
            layout: &self.rules.pack.layout,
            state: &mut self.state.table,
            events: if real {
                self.io.events.as_deref_mut()
            } else {
                None
            },
            dealer: match &mut self.io.dealer {
                Some(dealer) if real => Some(&mut **dealer),
                _ => None,
            },
        }
    }

    pub(super) fn trouble(&self, error: &TableError) -> Trouble {
        let message = error.describe(&self.rules.pack.layout, &self.state.table);
        Trouble::new("Y0401", message)
    }

    /// Pays for work that grows with what it is done on.
    pub(super) fn pay(&mut self, cost: usize) {
        self.budget = self.budget.saturating_sub(cost as u64);
    }
}
