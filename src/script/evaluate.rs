//! Expressions that people type, looked at in a state: nothing changes.
//!
//! An expression is what a `when` in TOML may be: pure, over `me` and the table, with all functions and
//! declared names of the pack. It is lowered once, against rules that are lowered already, and can then be
//! asked of any of their states.

use crate::diag::{Diagnostic, Report, Sources, Span, Style, render};
use crate::table::ids::{FunctionId, PlayerId};
use crate::table::value::TextRef;
use crate::table::{Case, Value};

use super::api::{self, Acts};
use super::code::Signature;
use super::fault::Fault;
use super::lower::{self, modules};
use super::machine::{Io, Limits, Machine, Scratch, elements, in_words};
use super::parse::parse_snippet;
use super::rules::Rules;
use super::state::{Frame, State};
use super::syntax::Statement;
use super::types::Type;

/// What such an expression is called in messages.
const WHAT: &str = "the expression";

/// What is wrong with an expression, in its text or when it is evaluated.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The problems.
    pub report: Report,
    /// The texts that they point into: the expression, and those of the pack.
    pub sources: Sources,
}

impl Wrong {
    /// The problems with their excerpts.
    pub fn render(&self, style: Style) -> String {
        render(&self.report, &self.sources, style)
    }
}

/// What an expression gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The value. The texts and lists in it can no longer be read: see the other fields.
    pub value: Value,
    /// The value in words: pieces, nodes and the like by their keys.
    pub words: String,
    /// The elements, if it is a list.
    pub elements: Option<Vec<Value>>,
}

/// An expression, lowered.
#[derive(Clone, Debug)]
pub struct Expression {
    looker: Looker,
    function: FunctionId,
    /// What it gives, as far as that is known.
    pub result: Type,
}

/// A copy of rules to which expressions are added, and that looks at states of the rules.
#[derive(Clone, Debug)]
pub(super) struct Looker {
    rules: Rules,
    /// The length of the constant texts of the rules that were copied.
    texts: u32,
}

/// A name that an expression may use, with what is known of it and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// What is known of its values.
    pub of: Type,
    /// Its value.
    pub value: Value,
}

impl Expression {
    /// Lowers an expression with names that it may use.
    ///
    /// # Errors
    /// What is wrong with it, such as a name that means nothing or a verb that changes something.
    pub fn new(rules: &Rules, text: &str, names: &[(String, Type)]) -> Result<Self, Wrong> {
        let mut looker = Looker::new(rules);
        let sources = &mut looker.rules.pack.sources;
        let file = sources.add("expression", text);
        let span = Span::new(file, 0, text.len());
        let mut report = Report::new();
        let body = parse_snippet(sources, span, text, &mut report);
        if text.trim().is_empty() {
            report.push(Diagnostic::error("Y0201", span, "an expression is missing"));
        }
        if report.has_errors() {
            return Err(looker.wrong(report));
        }
        match looker.add(span, body, names) {
            Ok(added) => Ok(Self {
                looker,
                function: added.function,
                result: added.result,
            }),
            Err(report) => Err(looker.wrong(report)),
        }
    }

    /// Lowers an expression over `me`.
    ///
    /// # Errors
    /// As [`Expression::new`].
    pub fn about_player(rules: &Rules, text: &str) -> Result<Self, Wrong> {
        Self::new(rules, text, &[("me".to_owned(), Type::PLAYER)])
    }

    /// Lowers a condition over `me`.
    ///
    /// # Errors
    /// As [`Expression::new`], and when it gives anything but true or false.
    pub fn condition(rules: &Rules, text: &str) -> Result<Self, Wrong> {
        Self::condition_with(rules, text, &[("me".to_owned(), Type::PLAYER)])
    }

    /// Lowers a condition with names that it may use.
    ///
    /// # Errors
    /// As [`Expression::condition`].
    pub fn condition_with(
        rules: &Rules,
        text: &str,
        names: &[(String, Type)],
    ) -> Result<Self, Wrong> {
        let condition = Self::new(rules, text, names)?;
        if condition.result == Type::BOOL || condition.result.is_open() {
            return Ok(condition);
        }
        let found = condition.result.describe(rules.layout());
        Err(condition.wrong(format!("expected a boolean, found {found}")))
    }

    fn wrong(&self, message: String) -> Wrong {
        let span = self.looker.rules.program.functions[self.function.index()].span;
        let mut report = Report::new();
        report.push(Diagnostic::error("Y0304", span, message));
        self.looker.wrong(report)
    }

    /// What it gives in a state of the rules it was lowered against. `arguments` are the values of its
    /// names.
    ///
    /// # Errors
    /// When it fails, such as by a property of nothing.
    pub fn value(&self, state: &State, arguments: &[Value]) -> Result<Found, Wrong> {
        let found = self.looker.value(self.function, state, arguments);
        found.map_err(|fault| {
            let mut report = Report::new();
            report.push(fault.diagnostic(&self.looker.rules));
            self.looker.wrong(report)
        })
    }

    /// Whether a condition over `me` holds in a state. Nobody may be `me`; what then needs somebody fails.
    ///
    /// # Errors
    /// When it fails, or gives anything but true or false.
    pub fn holds(&self, state: &State, me: Option<PlayerId>) -> Result<bool, Wrong> {
        self.holds_with(state, &[me.map_or(Value::UNIT, Value::from)])
    }

    /// Whether a condition holds in a state. `arguments` are the values of its names.
    ///
    /// # Errors
    /// As [`Expression::holds`].
    pub fn holds_with(&self, state: &State, arguments: &[Value]) -> Result<bool, Wrong> {
        match (self.value(state, arguments)?.value).case() {
            Case::Bool(holds) => Ok(holds),
            other => Err(self.wrong(format!("expected a boolean, found {}", other.type_name()))),
        }
    }
}

impl Looker {
    pub(super) fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.clone(),
            texts: rules.program.texts.len() as u32,
        }
    }

    /// Adds an expression that was parsed.
    pub(super) fn add(
        &mut self,
        span: Span,
        body: Vec<Statement>,
        names: &[(String, Type)],
    ) -> Result<lower::Extended, Report> {
        lower::extend(&mut self.rules, WHAT, span, body, names)
    }

    /// What an added expression gives in a state.
    pub(super) fn value(
        &self,
        function: FunctionId,
        state: &State,
        arguments: &[Value],
    ) -> Result<Found, Box<Fault>> {
        let mut state = state.clone();
        // The constant texts have become longer: those made while running lie behind them.
        let run = &mut state.run;
        for value in run.stack.iter_mut().chain(&mut run.heap) {
            *value = self.moved_text(*value);
        }
        let waiting = run.frames.len();
        let arguments: Vec<Value> = arguments
            .iter()
            .map(|value| self.moved_text(*value))
            .collect();
        let (mut io, mut scratch) = (Io::default(), Scratch::default());
        let limits = Limits::default();
        let mut machine = Machine::new(&self.rules, &mut state, &mut io, &mut scratch, limits);
        match machine.evaluate(function, &arguments) {
            Ok(value) => Ok(Found {
                value,
                words: in_words(&self.rules, &state, value),
                elements: match value.case() {
                    Case::List(list) => Some(elements(&state.run, list).to_vec()),
                    _ => None,
                },
            }),
            Err(mut fault) => {
                // Nobody called the expression: what waits below it has nothing to do with it.
                let own = fault.trace.len().saturating_sub(waiting);
                fault.trace.truncate(own);
                Err(fault)
            }
        }
    }

    fn moved_text(&self, value: Value) -> Value {
        match value.case() {
            Case::Text(text) if text.start >= self.texts => Value::from(TextRef {
                start: text.start + self.rules.program.texts.len() as u32 - self.texts,
                len: text.len,
            }),
            _ => value,
        }
    }

    fn wrong(&self, report: Report) -> Wrong {
        Wrong {
            report,
            sources: self.rules.pack.sources.clone(),
        }
    }
}

/// What an expression gives in a state for a player, who is `me`.
///
/// # Errors
/// What is wrong with it.
pub fn evaluate(
    rules: &Rules,
    state: &State,
    text: &str,
    player: Option<PlayerId>,
) -> Result<Found, Wrong> {
    let me = player.map(|player| Name {
        name: "me".to_owned(),
        of: Type::PLAYER,
        value: Value::from(player),
    });
    evaluate_with(rules, state, text, me.as_slice())
}

/// What an expression gives in a state, with names that it may use.
///
/// # Errors
/// What is wrong with it.
pub fn evaluate_with(
    rules: &Rules,
    state: &State,
    text: &str,
    names: &[Name],
) -> Result<Found, Wrong> {
    let types: Vec<(String, Type)> = names
        .iter()
        .map(|name| (name.name.clone(), name.of))
        .collect();
    let values: Vec<Value> = names.iter().map(|name| name.value).collect();
    Expression::new(rules, text, &types)?.value(state, &values)
}

/// The variables of the function that waits for an answer, innermost last; none if nothing is asked.
pub fn waiting_names(rules: &Rules, state: &State) -> Vec<Name> {
    match state.run.frames.last() {
        Some(frame) => frame_names(rules, state, frame),
        None => Vec::new(),
    }
}

/// The variables of a frame where it stands.
pub fn frame_names(rules: &Rules, state: &State, frame: &Frame) -> Vec<Name> {
    let at = frame.pc.saturating_sub(1);
    let mut names: Vec<Name> = Vec::new();
    for variable in &rules.program.signatures[frame.function.index()].variables {
        let place = frame.base as usize + usize::from(variable.register);
        let Some(value) = state.run.stack.get(place) else {
            continue;
        };
        if (variable.from..variable.to).contains(&at) {
            // An inner variable hides an outer one of the same name.
            names.retain(|known| known.name != variable.name);
            names.push(Name {
                name: variable.name.clone(),
                of: variable.of,
                value: *value,
            });
        }
    }
    names
}

/// Everything that an expression can name, for completion: functions and verbs that only look, and
/// `module::name` for what the pack declares.
pub fn known_names(rules: &Rules) -> Vec<String> {
    let functions = rules
        .program
        .functions
        .iter()
        .zip(&rules.program.signatures)
        .filter(|(_, signature)| looks(signature))
        .map(|(code, _)| code.name.clone());
    let verbs = api::TABLE
        .iter()
        .filter(|entry| entry.acts == Acts::Looks)
        .map(|entry| entry.name.to_owned());
    let declared = modules(&rules.pack)
        .into_iter()
        .flat_map(|(module, names)| {
            names
                .into_keys()
                .map(move |name| format!("{module}::{name}"))
        });
    let mut names: Vec<String> = functions
        .chain(verbs)
        .chain(declared)
        .chain(["table".to_owned()])
        .collect();
    names.sort();
    names.dedup();
    names
}

fn looks(signature: &Signature) -> bool {
    signature.script && !signature.alters && !signature.asks
}
