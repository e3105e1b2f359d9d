//! The machine that runs bytecode until a question is asked or the game is over.

use crate::table::event::Event;
use crate::table::ids::{BlockId, FunctionId, ParameterId, PlayerId, PropertyId};
use crate::table::layout::{Accessor, Builtin, Dimension, Domain, Scope, ShapeId, shape};
use crate::table::ops::{counter_value, players};
use crate::table::state::NO_PIECE;
use crate::table::value::{ListRef, TextRef};
use crate::table::{Dealer, Table, TableError, TableState, Value};

use super::api::Verb;
use super::code::{AskKind, MOST_ARGUMENTS, NO_REGISTER, Op, WINDOW};
use super::fault::{Fault, describe_position};
use super::lower::count;
use super::rules::{Amount, Rules};
use super::state::{Ask, Frame, Run, State};

/// What bounds a script from one question to the next. They are not part of the state.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions, the flow's included, counted in turns of loops and calls.
    pub instructions: u64,
    /// Functions that call each other.
    pub depth: usize,
    /// Elements of one list.
    pub list: usize,
    /// Elements of all lists.
    pub heap: usize,
    /// Bytes of all texts.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            instructions: 20_000_000,
            depth: 128,
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
    /// Number of choices offered when each `what_if` began.
    pub(super) offered: Vec<(usize, usize)>,
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

/// What a turn of a loop or a call is counted as: code between them does not repeat itself.
const TURN: u64 = 8;

/// What remembering a table is counted as, and what a change of it is.
const SAVE: usize = 256;
pub(super) const CHANGE: usize = 16;

/// Most lists inside each other.
const MOST_NESTED: usize = 32;

/// Most bytes of a value in a fault's list of arguments.
const MOST_WORDS: usize = 200;

/// What is put back when somebody has been told something.
#[derive(Debug)]
struct Speech {
    registers: [Value; WINDOW],
    heap: usize,
    text: usize,
}

/// Where to start in the flow. What comes before is left out, save whole blocks that stand before the
/// first round: the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartAt {
    /// The block to start with; `None` stays at the first block with the scope of a round.
    pub block: Option<BlockId>,
    /// In which round, from 1.
    pub round: u16,
}

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

/// What went wrong, before it is known where.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

impl Trouble {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: None,
        }
    }

    pub(super) fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }
}

/// What to do with a block on the way to a wanted start.
enum Way {
    Enter,
    LeaveOut,
    Stop,
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
    /// Where to start, until the machine is there.
    pub start_at: Option<StartAt>,
    /// Whether the table was offered for changes on the way there.
    pub set_up: bool,
}

impl Rules {
    /// Whether a block is another, or leads to it.
    fn leads_to(&self, from: BlockId, to: BlockId) -> bool {
        from == to
            || self.pack.blocks[from.index()].steps.iter().any(|step| {
                self.pack
                    .blocks
                    .iter()
                    .position(|block| block.name.id == step.text)
                    .is_some_and(|next| self.leads_to(BlockId::from_index(next), to))
            })
    }

    /// The block that a function of the flow does.
    pub fn block_of(&self, function: FunctionId) -> Option<BlockId> {
        self.blocks
            .iter()
            .position(|known| *known == function)
            .map(BlockId::from_index)
    }

    /// The state before the first step.
    pub fn start(&self, players: u8, seed: u64) -> State {
        let mut run = Run::default();
        let root = &self.program.functions[self.root.index()];
        run.frames.push(Frame {
            function: self.root,
            pc: root.entry,
            base: 0,
        });
        run.stack.resize(usize::from(root.registers), Value::Unit);
        State {
            table: TableState::new(&self.pack.layout, players, seed),
            run,
        }
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
        scratch.offered.clear();
        scratch.speeches.clear();
        Self {
            rules,
            state,
            io,
            scratch,
            budget: limits.instructions,
            limits,
            start_at: None,
            set_up: false,
        }
    }

    /// On the way to a wanted start: whether to enter a block, leave it out, or stop before it.
    fn on_the_way(&mut self, function: FunctionId) -> Way {
        let Some(start) = self.start_at else {
            return Way::Enter;
        };
        let Some(block) = self.rules.block_of(function) else {
            return Way::Enter;
        };
        let round = self.rules.pack.blocks[block.index()].scope == Some(Scope::Round);
        let ahead = match start.block {
            Some(target) => self.rules.leads_to(block, target),
            None => round,
        };
        if !self.set_up {
            if !ahead {
                return Way::Enter;
            }
            self.set_up = true;
            return Way::Stop;
        }
        let there = match start.block {
            Some(target) => target == block,
            None => round,
        };
        let reached = self.state.table.position.round >= start.round || round && start.round <= 1;
        if there && reached {
            // Once more before the wanted block itself: rounds begun on the way have reset their counters.
            self.start_at = None;
            return Way::Stop;
        }
        if ahead { Way::Enter } else { Way::LeaveOut }
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
            deep.resize(own.len() + 2 * WINDOW, Value::Unit);
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
        let frames = self.state.run.frames.len();
        let mut own = self.lend_stack();
        let result = self.call_pure(function, arguments);
        let result = result.map_err(|trouble| {
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
        let code = &self.rules.program.functions[function.index()];
        let base = self.top_of_stack();
        let run = &mut self.state.run;
        if run.frames.len() >= self.limits.depth {
            return Err(too_deep(self.limits.depth));
        }
        window(&mut run.stack, base);
        let wanted = usize::from(code.parameters).min(arguments.len());
        let frame = &mut run.stack[base..base + usize::from(code.registers)];
        frame.fill(Value::Unit);
        frame[..wanted].copy_from_slice(&arguments[..wanted]);
        let floor = run.frames.len();
        run.frames.push(Frame {
            function,
            pc: code.entry,
            base: base as u32,
        });
        self.execute(floor, true)?;
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
        let frames = self.state.run.frames.len();
        let mut own = self.lend_stack();
        let result = self.parameter(parameter, player, subject);
        let result = result.map_err(|trouble| Box::new(self.fault(trouble)));
        self.state.run.frames.truncate(frames);
        self.return_stack(&mut own);
        result
    }

    pub(super) fn amount(&mut self, amount: Amount, arguments: &[Value]) -> Result<i64, Trouble> {
        match amount {
            Amount::Known(value) => Ok(value),
            Amount::Computed(function) => match self.call_pure(function, arguments)? {
                Value::Int(value) => Ok(value),
                other => Err(wrong("a number", other)),
            },
        }
    }

    /// A fault at the pending decision: it cannot be gone on from here.
    pub fn stopped(&self, code: &'static str, message: String, help: &'static str) -> Fault {
        self.fault(Trouble::new(code, message).help(help))
    }

    fn fault(&self, trouble: Trouble) -> Fault {
        let run = &self.state.run;
        let program = &self.rules.program;
        let trace: Vec<_> = run
            .frames
            .iter()
            .rev()
            .map(|frame| {
                let pc = (frame.pc as usize)
                    .saturating_sub(1)
                    .min(program.spans.len() - 1);
                (frame.function, program.spans[pc])
            })
            .collect();
        let arguments = match run.frames.last() {
            None => Vec::new(),
            Some(frame) => {
                let count = usize::from(program.functions[frame.function.index()].parameters);
                let base = frame.base as usize;
                run.stack[base.min(run.stack.len())..(base + count).min(run.stack.len())]
                    .iter()
                    .map(|value| {
                        let mut words = String::new();
                        if !write_words(self.rules, self.state, *value, &mut words, MOST_WORDS) {
                            let end = words.floor_char_boundary(MOST_WORDS);
                            words.truncate(end);
                            words.push('…');
                        }
                        words
                    })
                    .collect()
            }
        };
        Fault {
            code: trouble.code,
            message: trouble.message,
            help: trouble.help.map(str::to_owned),
            span: trace.first().map(|(_, span)| *span).unwrap_or_default(),
            trace,
            arguments,
            position: describe_position(self.rules, self.state),
        }
    }

    /// A value for people, with its id where it has one.
    pub fn in_words(&self, value: Value) -> String {
        in_words(self.rules, self.state, value)
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

    fn execute(&mut self, floor: usize, nested: bool) -> Result<Outcome, Trouble> {
        let rules = self.rules;
        let ops = &rules.program.ops;
        let Some(frame) = self.state.run.frames.last() else {
            return Ok(Outcome::Over);
        };
        let mut pc = frame.pc as usize;
        let mut base = frame.base as usize;
        // The stack is held here while instructions run, and given back to whoever else needs it.
        let mut stack = std::mem::take(&mut self.state.run.stack);
        let mut regs = window(&mut stack, base);
        macro_rules! reg {
            ($register:expr) => {
                regs[usize::from($register)]
            };
        }
        macro_rules! give {
            () => {
                self.state.run.stack = std::mem::take(&mut stack)
            };
        }
        macro_rules! with_stack {
            ($use:expr) => {{
                give!();
                let result = $use;
                stack = std::mem::take(&mut self.state.run.stack);
                regs = window(&mut stack, base);
                result
            }};
        }
        // Where code can repeat itself, it is paid for; and lists that nobody holds any more are thrown
        // away when there are too many.
        macro_rules! again {
            ($more:expr) => {
                let cost = TURN + $more as u64;
                if self.budget < cost {
                    fail!(self.endless());
                }
                self.budget -= cost;
                if !nested && self.untidy() {
                    sync!();
                    check!(with_stack!(self.tidy()));
                }
            };
        }
        // Errors and nested runs need to know where the machine is.
        macro_rules! sync {
            () => {
                if let Some(frame) = self.state.run.frames.last_mut() {
                    frame.pc = pc as u32;
                }
            };
        }
        macro_rules! fail {
            ($trouble:expr) => {{
                let trouble = $trouble;
                sync!();
                give!();
                return Err(trouble);
            }};
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(trouble) => fail!(trouble),
                }
            };
        }
        macro_rules! call_verb {
            ($verb:expr, $arguments:expr) => {{
                let verb = $verb;
                // Some verbs evaluate expressions of the pack, on the same stack; a refusal may be kept with it.
                if matches!(verb, Verb::ValueOf | Verb::Reaches | Verb::Refuse) {
                    sync!();
                    match with_stack!(self.host(verb, $arguments)) {
                        Ok(value) => value,
                        // The frame that failed is the innermost, and knows where it is.
                        Err(trouble) => {
                            give!();
                            return Err(trouble);
                        }
                    }
                } else {
                    check!(self.host(verb, $arguments))
                }
            }};
        }
        macro_rules! whole {
            ($checked:expr) => {
                match $checked {
                    Some(value) => Value::Int(value),
                    None => fail!(overflow()),
                }
            };
        }
        macro_rules! integers {
            ($a:expr, $b:expr, $symbol:literal) => {
                match (reg!($a), reg!($b)) {
                    (Value::Int(a), Value::Int(b)) => (a, b),
                    (a, b) => fail!(mismatch($symbol, a, b)),
                }
            };
        }
        loop {
            let op = ops[pc];
            pc += 1;
            match op {
                Op::Constant { dst, index } => {
                    reg!(dst) = rules.program.constants[usize::from(index)];
                }
                Op::Int { dst, value } => reg!(dst) = Value::Int(i64::from(value)),
                Op::Copy { dst, src } => {
                    let value = reg!(src);
                    reg!(dst) = if let Value::List(list) = value {
                        check!(self.copy_list(list))
                    } else {
                        value
                    };
                }
                Op::Take { dst, src } => reg!(dst) = reg!(src),
                Op::Add { dst, a, b } => {
                    let (left, right) = (reg!(a), reg!(b));
                    reg!(dst) = if let (Value::Int(left), Value::Int(right)) = (left, right) {
                        match left.checked_add(right) {
                            Some(sum) => Value::Int(sum),
                            None => fail!(overflow()),
                        }
                    } else {
                        check!(self.join(left, right))
                    };
                }
                Op::Sub { dst, a, b } => {
                    let (left, right) = integers!(a, b, "-");
                    reg!(dst) = whole!(left.checked_sub(right));
                }
                Op::Mul { dst, a, b } => {
                    let (left, right) = integers!(a, b, "*");
                    reg!(dst) = whole!(left.checked_mul(right));
                }
                Op::Div { dst, a, b } => {
                    let (left, right) = integers!(a, b, "/");
                    if right == 0 {
                        fail!(Trouble::new("Y0403", "division by zero"));
                    }
                    reg!(dst) = whole!(left.checked_div(right));
                }
                Op::Rem { dst, a, b } => {
                    let (left, right) = integers!(a, b, "%");
                    if right == 0 {
                        fail!(Trouble::new("Y0403", "division by zero"));
                    }
                    reg!(dst) = whole!(left.checked_rem(right));
                }
                Op::Eq { dst, a, b } => {
                    let (left, right) = (reg!(a), reg!(b));
                    reg!(dst) = Value::Bool(match plainly_equal(left, right) {
                        Some(equal) => equal,
                        None => check!(self.equal(left, right)),
                    });
                }
                Op::Ne { dst, a, b } => {
                    let (left, right) = (reg!(a), reg!(b));
                    reg!(dst) = Value::Bool(match plainly_equal(left, right) {
                        Some(equal) => !equal,
                        None => !check!(self.equal(left, right)),
                    });
                }
                Op::Lt { dst, a, b } => {
                    let (left, right) = integers!(a, b, "<");
                    reg!(dst) = Value::Bool(left < right);
                }
                Op::Le { dst, a, b } => {
                    let (left, right) = integers!(a, b, "<=");
                    reg!(dst) = Value::Bool(left <= right);
                }
                Op::Gt { dst, a, b } => {
                    let (left, right) = integers!(a, b, ">");
                    reg!(dst) = Value::Bool(left > right);
                }
                Op::Ge { dst, a, b } => {
                    let (left, right) = integers!(a, b, ">=");
                    reg!(dst) = Value::Bool(left >= right);
                }
                Op::AddInt { dst, a, value } => match reg!(a) {
                    Value::Int(left) => match left.checked_add(i64::from(value)) {
                        Some(sum) => reg!(dst) = Value::Int(sum),
                        None => fail!(overflow()),
                    },
                    other => fail!(wrong("a number", other)),
                },
                Op::Negate { dst, src } => match reg!(src) {
                    Value::Int(value) => match value.checked_neg() {
                        Some(value) => reg!(dst) = Value::Int(value),
                        None => fail!(overflow()),
                    },
                    other => fail!(wrong("a number", other)),
                },
                Op::Not { dst, src } => match reg!(src) {
                    Value::Bool(value) => reg!(dst) = Value::Bool(!value),
                    other => fail!(wrong("a boolean", other)),
                },
                Op::Jump { to } => {
                    // A long way back is a long turn.
                    again!(pc.saturating_sub(to as usize) / 8);
                    pc = to as usize;
                }
                Op::JumpIf { condition, to } => match reg!(condition) {
                    Value::Bool(true) => pc = to as usize,
                    Value::Bool(false) => {}
                    other => fail!(wrong("a boolean", other)),
                },
                Op::JumpUnless { condition, to } => match reg!(condition) {
                    Value::Bool(true) => {}
                    Value::Bool(false) => pc = to as usize,
                    other => fail!(wrong("a boolean", other)),
                },
                Op::JumpIfQuiet { to } => {
                    if self.quiet() {
                        pc = to as usize;
                    } else {
                        self.begin_speech(regs);
                    }
                }
                Op::Spoken => {
                    self.end_speech(regs);
                }
                Op::Call {
                    base: first,
                    function,
                } => {
                    sync!();
                    again!(rules.program.functions[function.index()].length / 8);
                    if self.start_at.is_some() && !nested {
                        match self.on_the_way(function) {
                            Way::Enter => {}
                            Way::LeaveOut => continue,
                            Way::Stop => {
                                pc -= 1;
                                sync!();
                                give!();
                                return Ok(Outcome::SetUp);
                            }
                        }
                    }
                    let next = base + usize::from(first);
                    check!(self.enter(&mut stack, function, next));
                    base = next;
                    regs = window(&mut stack, base);
                    pc = rules.program.functions[function.index()].entry as usize;
                }
                Op::Run {
                    base: first,
                    arguments,
                } => {
                    sync!();
                    let effect = match reg!(first) {
                        Value::Effect(effect) => effect,
                        other => fail!(wrong("an effect", other)),
                    };
                    let function = rules.effects[effect.index()];
                    let code = &rules.program.functions[function.index()];
                    if code.parameters != arguments {
                        fail!(Trouble::new(
                            "Y0404",
                            format!(
                                "`{}` takes {}, found {arguments}",
                                code.name,
                                count(usize::from(code.parameters), "argument")
                            ),
                        ));
                    }
                    // Arguments move down by one, so that the value comes back where it is wanted.
                    for offset in 0..arguments {
                        reg!(first + offset) = reg!(first + offset + 1);
                    }
                    let next = base + usize::from(first);
                    check!(self.enter(&mut stack, function, next));
                    base = next;
                    regs = window(&mut stack, base);
                    pc = code.entry as usize;
                }
                Op::Return { src } => {
                    let value = reg!(src);
                    regs[0] = value;
                    self.state.run.frames.pop();
                    if self.state.run.frames.len() <= floor {
                        give!();
                        return Ok(Outcome::Over);
                    }
                    let Some(frame) = self.state.run.frames.last() else {
                        give!();
                        return Ok(Outcome::Over);
                    };
                    pc = frame.pc as usize;
                    base = frame.base as usize;
                    regs = window(&mut stack, base);
                }
                Op::Host {
                    verb,
                    base: first,
                    arguments,
                } => {
                    let mut values = [Value::Unit; MOST_ARGUMENTS];
                    let count = usize::from(arguments);
                    let at = usize::from(first);
                    values[..count].copy_from_slice(&regs[at..at + count]);
                    reg!(first) = call_verb!(verb, &values[..count]);
                }
                Op::Host1 { verb, dst, a } => {
                    let values = [reg!(a)];
                    reg!(dst) = call_verb!(verb, &values);
                }
                Op::Host2 { verb, dst, a, b } => {
                    let values = [reg!(a), reg!(b)];
                    reg!(dst) = call_verb!(verb, &values);
                }
                Op::Ask { kind, base: first } => {
                    sync!();
                    give!();
                    return self
                        .ask(kind, base + usize::from(first))
                        .map(|()| Outcome::Decision);
                }
                Op::GetZone {
                    dst,
                    object,
                    offset,
                } => {
                    if let Some(id) = id_of(reg!(object)) {
                        reg!(dst) = Value::Zone(crate::table::ids::ZoneId(id.wrapping_add(offset)));
                        pc += 1;
                    }
                }
                Op::GetNumber {
                    dst,
                    object,
                    offset,
                } => {
                    if let Some(id) = id_of(reg!(object)) {
                        let cell = usize::from(id.wrapping_add(offset));
                        reg!(dst) = Value::Int(i64::from(self.state.table.cells[cell]));
                        pc += 1;
                    }
                }
                Op::GetFlag {
                    dst,
                    object,
                    offset,
                } => {
                    if let Some(id) = id_of(reg!(object)) {
                        let cell = usize::from(id.wrapping_add(offset));
                        reg!(dst) = Value::Bool(self.state.table.cells[cell] != 0);
                        pc += 1;
                    }
                }
                Op::GetAttribute { dst, object, index } => {
                    let layout = &rules.pack.layout;
                    let attributes = match reg!(object) {
                        Value::Piece(piece) => &self.state.table.info(layout, piece).attributes,
                        Value::Node(node) => &layout.nodes[node.index()].attributes,
                        Value::Member(member) => &layout.members[member.index()].attributes,
                        _ => continue,
                    };
                    reg!(dst) = attributes[usize::from(index)];
                    pc += 1;
                }
                Op::Get {
                    dst,
                    object,
                    property,
                } => {
                    let object = reg!(object);
                    reg!(dst) = check!(self.get(object, property, &[]));
                }
                Op::GetIndexed {
                    dst,
                    base: first,
                    property,
                    indexes,
                } => {
                    let mut values = [Value::Unit; 4];
                    let at = usize::from(first);
                    let count = usize::from(indexes) + 1;
                    values[..count].copy_from_slice(&regs[at..at + count]);
                    let value =
                        check!(self.get(values[0], property, &values[1..=usize::from(indexes)]));
                    reg!(dst) = value;
                }
                Op::SetIndexed {
                    base: first,
                    property,
                    src,
                    indexes,
                } => {
                    let mut values = [Value::Unit; 4];
                    let at = usize::from(first);
                    let count = usize::from(indexes) + 1;
                    values[..count].copy_from_slice(&regs[at..at + count]);
                    let value = reg!(src);
                    check!(self.set(
                        values[0],
                        property,
                        &values[1..=usize::from(indexes)],
                        value
                    ));
                }
                Op::Index { dst, list, index } => {
                    let (list, index) = (reg!(list), reg!(index));
                    reg!(dst) = check!(self.index(list, index));
                }
                Op::SetIndex { list, index, src } => {
                    let (list, index, value) = (reg!(list), reg!(index), reg!(src));
                    check!(self.set_index(list, index, value));
                }
                Op::List {
                    dst,
                    base: first,
                    items,
                } => {
                    let from = usize::from(first);
                    let list = check!(self.new_list(&regs[from..from + usize::from(items)]));
                    reg!(dst) = Value::List(list);
                }
                Op::Iterate { dst, src } => {
                    let value = reg!(src);
                    let list = check!(self.sequence(value));
                    reg!(dst) = Value::List(list);
                    reg!(dst + 1) = Value::Int(0);
                }
                Op::Next {
                    item,
                    iterator,
                    back,
                } => {
                    let (Value::List(list), Value::Int(at)) = (reg!(iterator), reg!(iterator + 1))
                    else {
                        fail!(wrong("a list", reg!(iterator)));
                    };
                    if at < i64::from(list.len) {
                        again!(back / 8);
                        // Tidying may have moved the list.
                        let list = match reg!(iterator) {
                            Value::List(list) => list,
                            _ => list,
                        };
                        pc -= usize::from(back);
                        let value = self.state.run.heap[list.start as usize + at as usize];
                        reg!(iterator + 1) = Value::Int(at + 1);
                        reg!(item) = if let Value::List(inner) = value {
                            check!(self.copy_list(inner))
                        } else {
                            value
                        };
                    }
                }
                Op::NextInt {
                    item,
                    iterator,
                    back,
                } => {
                    let (Value::Int(at), Value::Int(end)) = (reg!(iterator), reg!(iterator + 1))
                    else {
                        fail!(wrong("a number", reg!(iterator)));
                    };
                    if at < end {
                        again!(back / 8);
                        pc -= usize::from(back);
                        reg!(item) = Value::Int(at);
                        reg!(iterator) = Value::Int(at + 1);
                    }
                }
                Op::Push { list, src } => {
                    let (target, value) = (reg!(list), reg!(src));
                    reg!(list) = check!(self.push(target, value));
                }
                Op::Pop { dst, list } => match reg!(list) {
                    Value::List(mut target) => {
                        reg!(dst) = if target.len == 0 {
                            Value::Unit
                        } else {
                            target.len -= 1;
                            let value = self.state.run.heap
                                [target.start as usize + usize::from(target.len)];
                            reg!(list) = Value::List(target);
                            value
                        };
                    }
                    other => fail!(wrong("a list", other)),
                },
                Op::Text {
                    dst,
                    base: first,
                    items,
                } => {
                    let from = usize::from(first);
                    let parts = &regs[from..from + usize::from(items)];
                    let text = check!(self.interpolate(parts));
                    reg!(dst) = text;
                }
                Op::Contains { dst, list, item } => {
                    let (list, item) = (reg!(list), reg!(item));
                    reg!(dst) = Value::Bool(check!(self.contains(list, item)));
                }
                Op::Better { dst, best, key } => {
                    reg!(dst) = match (reg!(best), reg!(key)) {
                        (Value::Unit, Value::Int(_)) => Value::Bool(true),
                        (Value::Int(best), Value::Int(key)) => Value::Bool(key > best),
                        (_, other) => fail!(wrong("a number", other)),
                    };
                }
                Op::WhatIf => {
                    let table = &self.state.table;
                    self.pay(SAVE + (table.cells.len() + table.pieces.len()) / 4);
                    let scratch = &mut *self.scratch;
                    if scratch.what_ifs >= 8 {
                        fail!(Trouble::new("Y0405", "`what_if` is nested too deeply"));
                    }
                    if scratch.saved.len() == scratch.what_ifs {
                        scratch.saved.push(self.state.table.clone());
                    } else {
                        scratch.saved[scratch.what_ifs].clone_from(&self.state.table);
                    }
                    scratch
                        .offered
                        .push((self.state.run.offers.len(), self.state.run.parts.len()));
                    scratch.what_ifs += 1;
                }
                Op::WhatIfEnd => {
                    self.end_what_if();
                }
                Op::Scope { scope } => {
                    self.pay(CHANGE);
                    if scope == Scope::Round {
                        match self.state.table.position.round.checked_add(1) {
                            Some(round) => self.state.table.position.round = round,
                            None => fail!(
                                Trouble::new("Y0423", "there are more rounds than can be counted")
                                    .help("a loop here probably never ends")
                            ),
                        }
                    }
                    self.table().reset(scope);
                }
                Op::Block { block } => {
                    let position = &mut self.state.table.position;
                    if rules.pack.blocks[block.index()].scope == Some(Scope::Phase) {
                        position.phase = Some(block);
                    }
                }
                Op::Step { function, player } => {
                    if self.start_at.is_some() && self.set_up {
                        // The call of the step follows.
                        pc += 1;
                        continue;
                    }
                    let whose = if player == NO_REGISTER {
                        None
                    } else {
                        match reg!(player) {
                            Value::Player(player) => Some(player),
                            other => fail!(wrong("a player", other)),
                        }
                    };
                    let position = &mut self.state.table.position;
                    position.step = Some(function);
                    position.player = whose;
                    if rules.step_counters {
                        self.table().reset(Scope::Step);
                    }
                }
            }
        }
    }

    /// Remembers what speaking may use. Kept apart from the instructions, since it needs much room.
    #[cold]
    #[inline(never)]
    fn begin_speech(&mut self, registers: &[Value; WINDOW]) {
        self.scratch.speeches.push(Speech {
            registers: *registers,
            heap: self.state.run.heap.len(),
            text: self.state.run.text.len(),
        });
    }

    /// Puts back what speaking used.
    #[cold]
    #[inline(never)]
    fn end_speech(&mut self, registers: &mut [Value; WINDOW]) {
        if let Some(speech) = self.scratch.speeches.pop() {
            *registers = speech.registers;
            self.state.run.heap.truncate(speech.heap);
            self.state.run.text.truncate(speech.text);
        }
    }

    /// The table is again as it was when the innermost `what_if` began.
    fn end_what_if(&mut self) {
        let scratch = &mut *self.scratch;
        scratch.what_ifs -= 1;
        std::mem::swap(&mut self.state.table, &mut scratch.saved[scratch.what_ifs]);
        if let Some((offers, parts)) = scratch.offered.pop() {
            self.state.run.offers.truncate(offers);
            self.state.run.parts.truncate(parts);
        }
    }

    /// Pays for work that grows with what it is done on.
    pub(super) fn pay(&mut self, cost: usize) {
        self.budget = self.budget.saturating_sub(cost as u64);
    }

    /// A frame for a function whose arguments lie at a place of the stack.
    fn enter(
        &mut self,
        stack: &mut [Value],
        function: FunctionId,
        base: usize,
    ) -> Result<(), Trouble> {
        let run = &mut self.state.run;
        if run.frames.len() >= self.limits.depth {
            return Err(too_deep(self.limits.depth));
        }
        let code = &self.rules.program.functions[function.index()];
        let (arguments, end) = (
            base + usize::from(code.parameters),
            base + usize::from(code.registers),
        );
        // What earlier calls left there is none of this function's: no list must hang on it.
        stack[arguments..end].fill(Value::Unit);
        run.frames.push(Frame {
            function,
            pc: code.entry,
            base: base as u32,
        });
        Ok(())
    }

    /// Makes the decision pending.
    fn ask(&mut self, kind: AskKind, at: usize) -> Result<(), Trouble> {
        if self.scratch.what_ifs > 0 {
            return Err(Trouble::new(
                "Y0405",
                "nothing can be asked inside `what_if`",
            ));
        }
        let stack = &self.state.run.stack;
        let Value::Decision(decision) = stack[at] else {
            return Err(wrong("a decision", stack[at]));
        };
        let Value::Player(player) = stack[at + 1] else {
            return Err(wrong("a player", stack[at + 1]));
        };
        let (least, most) = match kind {
            AskKind::One | AskKind::Confirm => (1, 1),
            AskKind::Some | AskKind::Number => match (stack[at + 2], stack[at + 3]) {
                (Value::Int(least), Value::Int(most)) => (least, most),
                (Value::Int(_), other) | (other, _) => return Err(wrong("a number", other)),
            },
        };
        let offered = self.state.run.offers.len() as i64;
        let several = self.state.run.offers.iter().any(|offer| offer.parts > 1);
        let name = &self.rules.pack.decisions[decision.index()].name.id;
        match kind {
            AskKind::One if offered == 0 => {
                return Err(
                    Trouble::new("Y0406", format!("decision `{name}` offers nothing"))
                        .help("test whether there is something to choose before asking"),
                );
            }
            AskKind::Some if least > offered => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` wants at least {least} of {offered} choices"),
                ));
            }
            AskKind::Some if several => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` takes choices of one part"),
                )
                .help("offer one value at a time to `choose_some`"));
            }
            AskKind::Some if most < 0 => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` wants at most {most} choices"),
                ));
            }
            AskKind::Some | AskKind::Number if least > most => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` wants at least {least} and at most {most}"),
                ));
            }
            AskKind::Number | AskKind::Confirm if offered > 0 => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` takes no offered choices"),
                ));
            }
            _ => {}
        }
        let run = &mut self.state.run;
        run.ask = Some(Ask {
            kind,
            decision,
            player,
            least: least.max(if kind == AskKind::Some { 0 } else { i64::MIN }),
            most: if kind == AskKind::Some {
                most.min(offered)
            } else {
                most
            },
            distinct: run.distinct.take(),
            register: at as u32,
        });
        if let Some(events) = &mut self.io.events {
            events.push(Event::Asked { decision, player });
        }
        Ok(())
    }

    // Lists and texts.

    pub(super) fn copy_list(&mut self, list: ListRef) -> Result<Value, Trouble> {
        self.copy_nested(list, 1)
    }

    fn copy_nested(&mut self, list: ListRef, depth: usize) -> Result<Value, Trouble> {
        if depth > MOST_NESTED {
            return Err(Trouble::new(
                "Y0407",
                format!("more than {MOST_NESTED} lists inside each other"),
            ));
        }
        let start = self.state.run.heap.len();
        self.grow(usize::from(list.len))?;
        self.pay(1);
        let from = list.start as usize;
        let heap = &mut self.state.run.heap;
        heap.extend_from_within(from..from + usize::from(list.len));
        for at in start..start + usize::from(list.len) {
            if let Value::List(inner) = self.state.run.heap[at] {
                let copy = self.copy_nested(inner, depth + 1)?;
                self.state.run.heap[at] = copy;
            }
        }
        Ok(Value::List(ListRef {
            start: start as u32,
            len: list.len,
            room: list.len,
        }))
    }

    /// Makes sure that so many elements more are allowed, and pays for them.
    fn grow(&mut self, more: usize) -> Result<(), Trouble> {
        self.budget = self.budget.saturating_sub(more as u64 / 8);
        if more > self.limits.list {
            return Err(too_long(self.limits.list));
        }
        if self.state.run.heap.len() + more > self.limits.heap {
            return Err(self.too_much());
        }
        Ok(())
    }

    /// A list of registers.
    fn new_list(&mut self, items: &[Value]) -> Result<ListRef, Trouble> {
        self.grow(items.len())?;
        let start = self.state.run.heap.len();
        self.state.run.heap.extend_from_slice(items);
        Ok(ListRef {
            start: start as u32,
            len: items.len() as u16,
            room: items.len() as u16,
        })
    }

    /// A list of values.
    pub(super) fn list_of(&mut self, values: &[Value]) -> Result<Value, Trouble> {
        self.grow(values.len())?;
        let start = self.state.run.heap.len();
        self.state.run.heap.extend_from_slice(values);
        Ok(Value::List(ListRef {
            start: start as u32,
            len: values.len() as u16,
            room: values.len() as u16,
        }))
    }

    /// The elements of a list, or of a zone as a list of its own.
    pub(super) fn sequence(&mut self, value: Value) -> Result<ListRef, Trouble> {
        match value {
            Value::List(list) => Ok(list),
            Value::Zone(zone) => {
                let len = self.state.table.len(zone);
                self.grow(len)?;
                let start = self.state.run.heap.len();
                let mut next = self.state.table.zones[zone.index()].first;
                while next != NO_PIECE {
                    self.state
                        .run
                        .heap
                        .push(Value::Piece(crate::table::ids::PieceId(next)));
                    next = self.state.table.pieces[usize::from(next)].next;
                }
                Ok(ListRef {
                    start: start as u32,
                    len: len as u16,
                    room: len as u16,
                })
            }
            other => Err(wrong("a list or a zone", other)),
        }
    }

    fn push(&mut self, list: Value, value: Value) -> Result<Value, Trouble> {
        let Value::List(mut list) = list else {
            return Err(wrong("a list", list));
        };
        if usize::from(list.len) >= self.limits.list {
            return Err(too_long(self.limits.list));
        }
        let value = match value {
            Value::List(inner) => self.copy_list(inner)?,
            other => other,
        };
        if list.len < list.room {
            self.state.run.heap[list.start as usize + usize::from(list.len)] = value;
            list.len += 1;
            return Ok(Value::List(list));
        }
        let end = list.start as usize + usize::from(list.room);
        if end == self.state.run.heap.len() && list.room > 0 {
            self.grow_in_place()?;
            self.state.run.heap.push(value);
            list.len += 1;
            list.room += 1;
            return Ok(Value::List(list));
        }
        let room = (usize::from(list.len) * 2).max(4).min(self.limits.list);
        if self.state.run.heap.len() + room > self.limits.heap {
            return Err(self.too_much());
        }
        let start = self.state.run.heap.len();
        let heap = &mut self.state.run.heap;
        heap.extend_from_within(list.start as usize..list.start as usize + usize::from(list.len));
        heap.push(value);
        heap.resize(start + room, Value::Unit);
        self.budget = self.budget.saturating_sub(room as u64 / 8);
        Ok(Value::List(ListRef {
            start: start as u32,
            len: list.len + 1,
            room: room as u16,
        }))
    }

    fn endless(&self) -> Trouble {
        Trouble::new(
            "Y0402",
            format!(
                "stopped after about {} instructions without a question",
                self.limits.instructions
            ),
        )
        .help("a loop here probably never ends")
    }

    fn too_much(&self) -> Trouble {
        Trouble::new(
            "Y0407",
            format!("all lists together are longer than {}", self.limits.heap),
        )
    }

    fn too_much_text(&self) -> Trouble {
        Trouble::new(
            "Y0410",
            format!(
                "all texts together are longer than {} bytes",
                self.limits.text
            ),
        )
    }

    /// Between two instructions of the outermost run every list in use is in a register: those that
    /// nobody holds any more can go.
    fn tidy(&mut self) -> Result<(), Trouble> {
        self.pay(self.state.run.heap.len() / 8 + self.state.run.text.len() / 32);
        self.compact();
        if self.state.run.heap.len() > self.limits.heap / 2 {
            return Err(self.too_much());
        }
        if self.state.run.text.len() > self.limits.text / 2 {
            return Err(self.too_much_text());
        }
        Ok(())
    }

    fn untidy(&self) -> bool {
        if !self.scratch.speeches.is_empty() {
            // Lists must stay where they are until all is put back.
            return false;
        }
        self.state.run.heap.len() > self.limits.heap / 2
            || self.state.run.text.len() > self.limits.text / 2
    }

    fn grow_in_place(&self) -> Result<(), Trouble> {
        if self.state.run.heap.len() >= self.limits.heap {
            return Err(self.too_much());
        }
        Ok(())
    }

    fn index(&mut self, list: Value, index: Value) -> Result<Value, Trouble> {
        match (list, index) {
            (Value::List(list), Value::Int(at)) => {
                if at < 0 || at >= i64::from(list.len) {
                    return Err(out_of_range(at, usize::from(list.len)));
                }
                match self.state.run.heap[list.start as usize + at as usize] {
                    Value::List(inner) => self.copy_list(inner),
                    value => Ok(value),
                }
            }
            (Value::Zone(zone), Value::Int(at)) => {
                let len = self.state.table.len(zone);
                self.pay(len / 8);
                usize::try_from(at)
                    .ok()
                    .and_then(|at| self.state.table.lying(zone).nth(at))
                    .map(Value::Piece)
                    .ok_or_else(|| out_of_range(at, len))
            }
            (Value::Player(player), Value::Dial(dial)) => {
                let family = &self.rules.pack.layout.dials[dial.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let position = self.state.table.cells[usize::from(cell)];
                Ok(Value::Int(i64::from(family.faces[position as usize])))
            }
            (Value::Player(player), Value::Toggle(toggle)) => {
                let family = &self.rules.pack.layout.toggles[toggle.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                Ok(Value::Bool(self.state.table.cells[usize::from(cell)] != 0))
            }
            (Value::List(_) | Value::Zone(_), other) => Err(wrong("a number", other)),
            (other, _) => Err(wrong("a list or a zone", other)),
        }
    }

    fn set_index(&mut self, list: Value, index: Value, value: Value) -> Result<(), Trouble> {
        match (list, index, value) {
            (Value::List(list), Value::Int(at), value) => {
                if at < 0 || at >= i64::from(list.len) {
                    return Err(out_of_range(at, usize::from(list.len)));
                }
                let value = match value {
                    Value::List(inner) => self.copy_list(inner)?,
                    other => other,
                };
                self.state.run.heap[list.start as usize + at as usize] = value;
                Ok(())
            }
            (Value::Player(player), Value::Toggle(toggle), Value::Bool(on)) => {
                let family = &self.rules.pack.layout.toggles[toggle.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let position = cell - family.base;
                self.table().toggle(toggle, position, on);
                Ok(())
            }
            (Value::Player(_), Value::Toggle(_), other) => Err(wrong("a boolean", other)),
            (Value::Player(_), Value::Dial(_), _) => {
                Err(Trouble::new("Y0408", "a dial cannot be assigned to")
                    .help("move it with `advance(player, dial, steps)`"))
            }
            (other, ..) => Err(wrong("a list in a variable", other)),
        }
    }

    pub(super) fn contains(&mut self, list: Value, item: Value) -> Result<bool, Trouble> {
        match (list, item) {
            (Value::Zone(zone), Value::Piece(piece)) => {
                Ok(self.state.table.pieces[piece.index()].zone == zone)
            }
            (Value::Zone(_), Value::Unit) => Ok(false),
            (Value::Zone(_), other) => Err(wrong("a piece", other)),
            (Value::List(list), item) => {
                self.pay(usize::from(list.len) / 4);
                for at in 0..usize::from(list.len) {
                    let element = self.state.run.heap[list.start as usize + at];
                    let equal = match plainly_equal(element, item) {
                        Some(equal) => equal,
                        None => self.equal(element, item)?,
                    };
                    if equal {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (other, _) => Err(wrong("a list or a zone", other)),
        }
    }

    /// `==`: comparing unlike things is an error, except with nothing and with plain choices.
    pub(super) fn equal(&mut self, a: Value, b: Value) -> Result<bool, Trouble> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Ok(a == b),
            (Value::Text(a), Value::Text(b)) => {
                self.pay(a.len.min(b.len) as usize / 32);
                let run = &self.state.run;
                Ok(text_bytes(self.rules, run, a) == text_bytes(self.rules, run, b))
            }
            (Value::List(a), Value::List(b)) => {
                if a.len != b.len {
                    return Ok(false);
                }
                self.pay(usize::from(a.len) / 4);
                for at in 0..usize::from(a.len) {
                    let heap = &self.state.run.heap;
                    let (left, right) = (heap[a.start as usize + at], heap[b.start as usize + at]);
                    if !self.equal(left, right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (a, b)
                if std::mem::discriminant(&a) == std::mem::discriminant(&b)
                    || matches!(a, Value::Unit | Value::Choice(_))
                    || matches!(b, Value::Unit | Value::Choice(_)) =>
            {
                Ok(a == b)
            }
            (a, b) => Err(Trouble::new(
                "Y0409",
                format!("{} is compared with {}", a.type_name(), b.type_name()),
            )
            .help("compare like with like; `x == ()` tests for nothing")),
        }
    }

    /// `+` on texts and lists.
    fn join(&mut self, a: Value, b: Value) -> Result<Value, Trouble> {
        match (a, b) {
            (Value::Text(a), Value::Text(b)) => {
                let len = (a.len + b.len) as usize;
                self.grow_text(len)?;
                let start = self.begin_text();
                for part in [a, b] {
                    self.append_text(part);
                }
                Ok(self.end_text(start))
            }
            (Value::List(a), Value::List(b)) => {
                let len = usize::from(a.len) + usize::from(b.len);
                self.grow(len)?;
                let start = self.state.run.heap.len();
                for part in [a, b] {
                    let from = part.start as usize;
                    self.state
                        .run
                        .heap
                        .extend_from_within(from..from + usize::from(part.len));
                }
                for at in start..start + len {
                    if let Value::List(inner) = self.state.run.heap[at] {
                        let copy = self.copy_list(inner)?;
                        self.state.run.heap[at] = copy;
                    }
                }
                Ok(Value::List(ListRef {
                    start: start as u32,
                    len: len as u16,
                    room: len as u16,
                }))
            }
            (a, b) => Err(mismatch("+", a, b)),
        }
    }

    fn grow_text(&mut self, more: usize) -> Result<(), Trouble> {
        self.budget = self.budget.saturating_sub(more as u64 / 32);
        if self.state.run.text.len() + more > self.limits.text {
            return Err(self.too_much_text());
        }
        Ok(())
    }

    fn begin_text(&self) -> usize {
        self.state.run.text.len()
    }

    fn append_text(&mut self, part: TextRef) {
        let constants = self.rules.program.texts.len();
        let (start, len) = (part.start as usize, part.len as usize);
        if start < constants {
            self.state
                .run
                .text
                .extend_from_slice(&self.rules.program.texts[start..start + len]);
        } else {
            let from = start - constants;
            self.state.run.text.extend_from_within(from..from + len);
        }
    }

    fn end_text(&mut self, start: usize) -> Value {
        Value::Text(TextRef {
            start: (self.rules.program.texts.len() + start) as u32,
            len: (self.state.run.text.len() - start) as u32,
        })
    }

    /// A text of its own.
    pub(super) fn new_text(&mut self, text: &str) -> Result<Value, Trouble> {
        self.grow_text(text.len())?;
        let start = self.begin_text();
        self.state.run.text.extend_from_slice(text.as_bytes());
        Ok(self.end_text(start))
    }

    fn interpolate(&mut self, parts: &[Value]) -> Result<Value, Trouble> {
        let mut whole = String::new();
        for value in parts.iter().copied() {
            match value {
                Value::Text(text) => whole.push_str(&String::from_utf8_lossy(text_bytes(
                    self.rules,
                    &self.state.run,
                    text,
                ))),
                Value::Int(_) | Value::Bool(_) | Value::Unit | Value::List(_) => {
                    write_words(self.rules, self.state, value, &mut whole, self.limits.text);
                }
                other => whole.push_str(&self.title(other)),
            }
            if whole.len() > self.limits.text {
                return Err(self.too_much_text());
            }
        }
        self.new_text(&whole)
    }

    pub(super) fn title(&self, value: Value) -> String {
        let layout = self.rules.layout();
        layout.title(self.state.table.declared(layout, value))
    }

    /// Throws away lists and texts that no register holds.
    pub(super) fn compact(&mut self) {
        let top = self.top_of_stack();
        let run = &mut self.state.run;
        let constants = self.rules.program.texts.len();
        let mut heap = std::mem::take(&mut self.scratch.heap);
        let mut text = std::mem::take(&mut self.scratch.text);
        heap.clear();
        text.clear();
        fn keep(
            value: &mut Value,
            old: (&[Value], &[u8]),
            heap: &mut Vec<Value>,
            text: &mut Vec<u8>,
            constants: usize,
        ) {
            match value {
                Value::List(list) => {
                    let start = heap.len();
                    let from = list.start as usize;
                    heap.extend_from_slice(&old.0[from..from + usize::from(list.len)]);
                    *list = ListRef {
                        start: start as u32,
                        len: list.len,
                        room: list.len,
                    };
                    for at in start..start + usize::from(list.len) {
                        let mut inner = heap[at];
                        if matches!(inner, Value::List(_) | Value::Text(_)) {
                            keep(&mut inner, old, heap, text, constants);
                            heap[at] = inner;
                        }
                    }
                }
                Value::Text(reference) if reference.start as usize >= constants => {
                    let from = reference.start as usize - constants;
                    let start = text.len();
                    text.extend_from_slice(&old.1[from..from + reference.len as usize]);
                    reference.start = (constants + start) as u32;
                }
                _ => {}
            }
        }
        for value in run.stack.iter_mut().take(top) {
            keep(
                value,
                (&run.heap, &run.text),
                &mut heap,
                &mut text,
                constants,
            );
        }
        std::mem::swap(&mut run.heap, &mut heap);
        std::mem::swap(&mut run.text, &mut text);
        self.scratch.heap = heap;
        self.scratch.text = text;
    }

    // Properties.

    pub(super) fn shape_of(&self, value: Value) -> ShapeId {
        let layout = &self.rules.pack.layout;
        match value {
            Value::Table => shape::TABLE,
            Value::Player(_) => shape::PLAYER,
            Value::Zone(_) => shape::ZONE,
            Value::Node(node) => {
                layout.shape_of_domain(Domain::Graph(layout.nodes[node.index()].graph))
            }
            Value::Member(member) => {
                layout.shape_of_domain(Domain::Set(layout.members[member.index()].set))
            }
            Value::Piece(piece) => {
                layout.shape_of_domain(Domain::Kind(self.state.table.info(layout, piece).kind))
            }
            Value::Group(group) => {
                layout.shape_of_domain(Domain::Groups(layout.groups[group.index()]))
            }
            Value::Dial(_)
            | Value::Toggle(_)
            | Value::Graph(_)
            | Value::Kind(_)
            | Value::Choice(_) => shape::NAMED,
            _ => shape::PLAIN,
        }
    }

    /// Reads a property.
    pub(super) fn get(
        &mut self,
        object: Value,
        property: PropertyId,
        indexes: &[Value],
    ) -> Result<Value, Trouble> {
        let layout = &self.rules.pack.layout;
        let of = self.shape_of(object);
        let own = (of != shape::TABLE).then_some(object);
        match layout.accessor(of, property) {
            Accessor::Zone(family) => {
                let info = &layout.zone_families[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                Ok(Value::Zone(crate::table::ids::ZoneId(
                    info.base.0 + position,
                )))
            }
            Accessor::Counter(family) => {
                let info = &layout.counters[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                Ok(counter_value(layout, &self.state.table, family, position))
            }
            Accessor::Dial(family) => {
                let info = &layout.dials[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                let needle = self.state.table.cells[usize::from(info.base + position)];
                Ok(Value::Int(i64::from(info.faces[needle as usize])))
            }
            Accessor::Toggle(family) => {
                let info = &layout.toggles[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                Ok(Value::Bool(
                    self.state.table.cells[usize::from(info.base + position)] != 0,
                ))
            }
            Accessor::Attribute(index) => {
                let index = usize::from(index);
                Ok(match object {
                    Value::Piece(piece) => self.state.table.info(layout, piece).attributes[index],
                    Value::Node(node) => layout.nodes[node.index()].attributes[index],
                    Value::Member(member) => layout.members[member.index()].attributes[index],
                    _ => Value::Unit,
                })
            }
            Accessor::Own(kind) => match object {
                Value::Player(player) => Ok(Value::Piece(crate::table::ids::PieceId(
                    layout.kinds[kind.index()].pieces.start + u16::from(player.0),
                ))),
                other => Err(wrong("a player", other)),
            },
            Accessor::Builtin(builtin) => self.builtin(object, builtin),
            Accessor::None => Err(self.no_property(object, property)),
        }
    }

    fn no_property(&self, object: Value, property: PropertyId) -> Trouble {
        let name = &self.rules.pack.layout.properties[property.index()];
        let what = match object {
            Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::List(_) => {
                object.type_name().to_owned()
            }
            other => format!("{} (`{}`)", other.type_name(), self.in_words(other)),
        };
        let trouble = Trouble::new("Y0411", format!("{what} has no property `{name}`"));
        if object == Value::Unit {
            trouble.help("test for `()` first: nothing was found here")
        } else {
            trouble
        }
    }

    fn builtin(&mut self, object: Value, builtin: Builtin) -> Result<Value, Trouble> {
        let layout = &self.rules.pack.layout;
        let table = &self.state.table;
        Ok(match (builtin, object) {
            (Builtin::Zone, Value::Piece(piece)) => Value::Zone(table.pieces[piece.index()].zone),
            (Builtin::At, Value::Piece(piece)) => {
                layout.first_coordinate(table.pieces[piece.index()].zone)
            }
            (Builtin::At, Value::Zone(zone)) => layout.first_coordinate(zone),
            (Builtin::Owner, Value::Piece(piece)) => table
                .info(layout, piece)
                .owner
                .map_or(Value::Unit, Value::Player),
            (Builtin::Owner, Value::Zone(zone)) => {
                layout.zone_owner(zone).map_or(Value::Unit, Value::Player)
            }
            (Builtin::Face, Value::Piece(piece)) => {
                Value::Int(i64::from(table.pieces[piece.index()].face))
            }
            (Builtin::FaceDown, Value::Piece(piece)) => {
                Value::Bool(table.pieces[piece.index()].face_down)
            }
            (Builtin::Number, Value::Player(player)) => Value::Int(i64::from(player.0) + 1),
            (Builtin::Next, Value::Player(player)) => {
                Value::Player(PlayerId((player.0 + 1) % table.players))
            }
            (Builtin::Len, Value::Zone(zone)) => Value::Int(table.len(zone) as i64),
            (Builtin::Top, Value::Zone(zone)) => match table.zones[zone.index()].last {
                NO_PIECE => Value::Unit,
                piece => Value::Piece(crate::table::ids::PieceId(piece)),
            },
            (Builtin::Bottom, Value::Zone(zone)) => match table.zones[zone.index()].first {
                NO_PIECE => Value::Unit,
                piece => Value::Piece(crate::table::ids::PieceId(piece)),
            },
            (Builtin::Title, value) => {
                let title = self.title(value);
                return self.new_text(&title);
            }
            (_, other) => {
                return Err(Trouble::new(
                    "Y0411",
                    format!("{} has no such property", other.type_name()),
                ));
            }
        })
    }

    /// Assigns to a property.
    pub(super) fn set(
        &mut self,
        object: Value,
        property: PropertyId,
        indexes: &[Value],
        value: Value,
    ) -> Result<(), Trouble> {
        let layout = &self.rules.pack.layout;
        let of = self.shape_of(object);
        let own = (of != shape::TABLE).then_some(object);
        match layout.accessor(of, property) {
            Accessor::Counter(family) => {
                let position = position(&layout.counters[family.index()].dimensions, own, indexes)?;
                let result = self.table().set_counter(family, position, value);
                result.map_err(|error| self.trouble(&error))
            }
            Accessor::Toggle(family) => {
                let position = position(&layout.toggles[family.index()].dimensions, own, indexes)?;
                let Value::Bool(on) = value else {
                    return Err(wrong("a boolean", value));
                };
                self.table().toggle(family, position, on);
                Ok(())
            }
            Accessor::Builtin(Builtin::Face) => {
                let (Value::Piece(piece), Value::Int(face)) = (object, value) else {
                    return Err(wrong("a number", value));
                };
                let result = self.table().set_face(piece, face);
                result.map_err(|error| self.trouble(&error))
            }
            Accessor::None => Err(self.no_property(object, property)),
            _ => Err(Trouble::new(
                "Y0408",
                format!(
                    "`{}` cannot be assigned to",
                    layout.properties[property.index()]
                ),
            )),
        }
    }

    /// The players, as a list.
    pub(super) fn players(&mut self) -> Result<Value, Trouble> {
        let mut values = std::mem::take(&mut self.scratch.values);
        values.clear();
        values.extend(players(&self.state.table).map(Value::Player));
        let list = self.list_of(&values);
        self.scratch.values = values;
        list
    }
}

/// A value of a state for people, with its id where it has one.
pub fn in_words(rules: &Rules, state: &State, value: Value) -> String {
    let mut words = String::new();
    write_words(rules, state, value, &mut words, usize::MAX);
    words
}

/// Writes a value for people; gives up, and says so, once there are more bytes than `most`: the
/// elements of a list may all be one long text.
fn write_words(
    rules: &Rules,
    state: &State,
    value: Value,
    words: &mut String,
    most: usize,
) -> bool {
    match value {
        Value::Unit => words.push_str("()"),
        Value::Text(text) => {
            words.push('"');
            words.push_str(&String::from_utf8_lossy(text_bytes(
                rules, &state.run, text,
            )));
            words.push('"');
        }
        Value::List(list) => {
            words.push('[');
            for (index, item) in elements(&state.run, list).iter().enumerate() {
                if index > 0 {
                    words.push_str(", ");
                }
                if !write_words(rules, state, *item, words, most) {
                    return false;
                }
            }
            words.push(']');
        }
        piece @ Value::Piece(_) => {
            let layout = rules.layout();
            words.push_str(&layout.key(state.table.declared(layout, piece)));
        }
        Value::Parameter(id) => {
            words.push_str(&rules.pack.parameters[id.index()].name.id);
        }
        Value::Decision(id) => words.push_str(&rules.pack.decisions[id.index()].name.id),
        Value::Reason(id) => words.push_str(&rules.pack.reasons[id.index()].name.id),
        Value::Exchange(id) => words.push_str(&rules.pack.exchanges[id.index()].name.id),
        Value::Effect(id) => words.push_str(rules.pack.effects[id.index()].code.text.trim()),
        other => words.push_str(&rules.layout().key(other)),
    }
    words.len() <= most
}

/// The elements of a list.
pub fn elements(run: &Run, list: ListRef) -> &[Value] {
    let start = list.start as usize;
    &run.heap[start..start + usize::from(list.len)]
}

/// The bytes of a text.
pub fn text_bytes<'a>(rules: &'a Rules, run: &'a Run, text: TextRef) -> &'a [u8] {
    let constants = rules.program.texts.len();
    let (start, len) = (text.start as usize, text.len as usize);
    if start < constants {
        &rules.program.texts[start..start + len]
    } else {
        &run.text[start - constants..start - constants + len]
    }
}

/// The registers of a frame, and those that its calls will use. The stack grows as deep as calls go.
fn window(stack: &mut Vec<Value>, base: usize) -> &mut [Value; WINDOW] {
    // Twice the window: the frame of a call begins within it and has a window of its own.
    if stack.len() < base + 2 * WINDOW {
        stack.resize(base + 2 * WINDOW, Value::Unit);
    }
    match stack[base..].first_chunk_mut() {
        Some(window) => window,
        None => unreachable!("the stack was just made long enough"),
    }
}

/// Whether two values of one sort are equal, if that is seen from them alone.
#[inline]
fn plainly_equal(a: Value, b: Value) -> Option<bool> {
    let alike = std::mem::discriminant(&a) == std::mem::discriminant(&b);
    (alike && !matches!(a, Value::Text(_) | Value::List(_))).then(|| a == b)
}

/// The id of a value that can own a family's zone or cell.
fn id_of(value: Value) -> Option<u16> {
    match value {
        Value::Player(player) => Some(u16::from(player.0)),
        Value::Node(node) => Some(node.0),
        Value::Member(member) => Some(member.0),
        Value::Group(group) => Some(group.0),
        // Pieces made during play have no place in families: the generic way tells.
        _ => None,
    }
}

/// The position in a family, from its owner (none for the table's) and the indexes.
fn position(
    dimensions: &[Dimension],
    own: Option<Value>,
    indexes: &[Value],
) -> Result<u16, Trouble> {
    let given = indexes.len() + usize::from(own.is_some());
    if given != dimensions.len() {
        return Err(Trouble::new(
            "Y0412",
            format!(
                "this needs {} in brackets, found {}",
                dimensions.len() - usize::from(own.is_some()),
                indexes.len()
            ),
        ));
    }
    let mut position = 0;
    for (dimension, value) in dimensions
        .iter()
        .zip(own.into_iter().chain(indexes.iter().copied()))
    {
        let Some(offset) = dimension.offset(value) else {
            return Err(Trouble::new(
                "Y0412",
                format!("{} has no place here", value.type_name()),
            ));
        };
        position = position * dimension.size + offset;
    }
    Ok(position)
}

/// The cell of a player's own dial or toggle.
pub(super) fn own_cell(
    dimensions: &[Dimension],
    base: u16,
    player: PlayerId,
) -> Result<u16, Trouble> {
    match dimensions {
        [dimension] if dimension.domain == Domain::Players => Ok(base + u16::from(player.0)),
        _ => Err(Trouble::new("Y0412", "this is not one of a player's own")),
    }
}

pub(super) fn wrong(expected: &str, found: Value) -> Trouble {
    Trouble::new(
        "Y0413",
        format!("expected {expected}, found {}", found.type_name()),
    )
}

fn mismatch(symbol: &str, a: Value, b: Value) -> Trouble {
    Trouble::new(
        "Y0414",
        format!(
            "`{symbol}` cannot be used on {} and {}",
            a.type_name(),
            b.type_name()
        ),
    )
}

fn overflow() -> Trouble {
    Trouble::new("Y0415", "the number is too large")
}

fn out_of_range(at: i64, len: usize) -> Trouble {
    Trouble::new(
        "Y0416",
        format!("there is no element {at} in a list of {len}"),
    )
}

fn too_deep(depth: usize) -> Trouble {
    Trouble::new(
        "Y0417",
        format!("more than {depth} calls inside each other"),
    )
    .help("a function probably calls itself for ever")
}

fn too_long(most: usize) -> Trouble {
    Trouble::new("Y0407", format!("a list is longer than {most}"))
}
