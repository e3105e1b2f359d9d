//! Why a script refused something: the statement that did, the conditions around it, and their values.
//!
//! A state is kept at each refusal where somebody asks for it (see [`Io::refusals`](super::Io)); what is
//! told here is read from the source again, and looked up in that state.

use serde::Serialize;

use crate::diag::{Report, Span};

use super::chain::line_of;
use super::evaluate::{Looker, Name, frame_names};
use super::parse::{parse_file, parse_snippet};
use super::print::expression as written;
use super::rules::Rules;
use super::state::{Frame, State};
use super::syntax::{Binary, Expression, ExpressionKind, Part, Statement, StatementKind};
use super::types::Type;
use crate::table::{Case, Value};

/// Why something was refused, in the words of the script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Where the statement stands that refused it: `file:line`.
    pub place: String,
    /// The line of the source.
    pub line: String,
    /// What was given with the refusal, by how it is written there, and its value.
    pub arguments: Vec<Operand>,
    /// What had to hold, and did, for the statement to be reached: the outermost first.
    pub conditions: Vec<Condition>,
}

/// A condition around a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// Where it stands: `file:line`.
    pub place: String,
    /// How it is written.
    pub text: String,
    /// Whether it held: the refusal is for this reason.
    pub held: bool,
    /// What it looks at, with its values.
    pub operands: Vec<Operand>,
}

/// Something that is looked at, and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Operand {
    /// How it is written.
    pub text: String,
    /// Its value in words; nothing where it cannot be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Why something was refused, from the state as it stood at the refusal.
pub fn explain(rules: &Rules, at: &State) -> Option<Refusal> {
    let (innermost, outer) = at.run.frames.split_last()?;
    let span = span_of(rules, innermost);
    let body = body_of(rules, innermost)?;
    let mut reader = Reader {
        rules,
        state: at,
        looker: Looker::new(rules),
    };
    let names = frame_names(rules, at, innermost);
    let call = find_call(&body, span)?;
    let given = call.iter().flat_map(|argument| match &argument.kind {
        ExpressionKind::List(parts) => parts.as_slice(),
        _ => std::slice::from_ref(argument),
    });
    let given: Vec<&Expression> = given.filter(|argument| !is_plain(argument)).collect();
    let arguments = reader.operands(&given, &names);
    let mut conditions = reader.conditions(&body, span, &names);
    for frame in outer.iter().rev() {
        // The flow's own conditions say who plays when, not what may be chosen.
        if rules.block_of(frame.function).is_some() {
            break;
        }
        let Some(body) = body_of(rules, frame) else {
            break;
        };
        let names = frame_names(rules, at, frame);
        let mut around = reader.conditions(&body, span_of(rules, frame), &names);
        around.append(&mut conditions);
        conditions = around;
    }
    Some(Refusal {
        place: line_of(rules, span),
        line: source_line(rules, span),
        arguments,
        conditions,
    })
}

/// The place of the instruction that a frame is at.
fn span_of(rules: &Rules, frame: &Frame) -> Span {
    rules.program.spans[(frame.pc as usize).saturating_sub(1)]
}

/// The line that a place is in, without the space around it.
fn source_line(rules: &Rules, span: Span) -> String {
    let sources = &rules.pack.sources;
    let line = sources.position(span).line;
    let text = sources.get(span.file).text.lines().nth(line - 1);
    text.unwrap_or("").trim().to_owned()
}

/// The statements of a function, read again.
fn body_of(rules: &Rules, frame: &Frame) -> Option<Vec<Statement>> {
    let code = &rules.program.functions[frame.function.index()];
    let sources = &rules.pack.sources;
    let mut report = Report::new();
    if rules.program.signatures[frame.function.index()].script {
        let functions = parse_file(sources, code.span.file, &mut report);
        let found = functions
            .into_iter()
            .find(|function| function.name == code.name && function.span == code.span);
        return found.map(|function| function.body);
    }
    let effects = &rules.pack.effects;
    let snippet = effects.iter().find(|effect| effect.code.span == code.span);
    let snippet = &snippet?.code;
    Some(parse_snippet(
        sources,
        snippet.span,
        &snippet.text,
        &mut report,
    ))
}

/// What is around a place, the outermost first.
#[derive(Clone, Copy)]
enum Around<'a> {
    /// A condition that held, or did not.
    Condition(&'a Expression, bool),
    /// What a loop runs over.
    Sequence(&'a Expression),
}

/// Whether statements always leave the block that they are in.
fn leaves(statements: &[Statement]) -> bool {
    statements.last().is_some_and(|last| match &last.kind {
        StatementKind::Return(_) | StatementKind::Break | StatementKind::Continue => true,
        StatementKind::Expression(Expression {
            kind: ExpressionKind::If(_, then, otherwise),
            ..
        }) => leaves(then) && leaves(otherwise),
        _ => false,
    })
}

/// Looks for the call at a place; gives its arguments, and notes what is around it.
fn search<'a>(
    statements: &'a [Statement],
    at: Span,
    around: &mut Vec<Around<'a>>,
) -> Option<&'a [Expression]> {
    let depth = around.len();
    for statement in statements {
        let mut guard = None;
        let found = match &statement.kind {
            StatementKind::Let { value, .. } => search_in(value, at, around),
            StatementKind::Assign { target, value, .. } => {
                search_in(target, at, around).or_else(|| search_in(value, at, around))
            }
            StatementKind::Expression(inner) => {
                if let ExpressionKind::If(condition, then, otherwise) = &inner.kind
                    && otherwise.is_empty()
                    && leaves(then)
                {
                    guard = Some(Around::Condition(condition, false));
                }
                search_in(inner, at, around)
            }
            StatementKind::While(condition, body) => {
                let in_condition = condition
                    .as_ref()
                    .and_then(|condition| search_in(condition, at, around));
                in_condition.or_else(|| {
                    let before = around.len();
                    if let Some(condition) = condition {
                        around.push(Around::Condition(condition, true));
                    }
                    let found = search(body, at, around);
                    if found.is_none() {
                        around.truncate(before);
                    }
                    found
                })
            }
            StatementKind::For { sequence, body, .. } => search_in(sequence, at, around)
                .or_else(|| enter(Around::Sequence(sequence), body, at, around)),
            StatementKind::Return(value) => value
                .as_ref()
                .and_then(|value| search_in(value, at, around)),
            StatementKind::Break | StatementKind::Continue | StatementKind::Nothing => None,
        };
        if found.is_some() {
            return found;
        }
        // What comes after a way out is only reached if that was not taken.
        around.extend(guard);
    }
    around.truncate(depth);
    None
}

fn enter<'a>(
    with: Around<'a>,
    body: &'a [Statement],
    at: Span,
    around: &mut Vec<Around<'a>>,
) -> Option<&'a [Expression]> {
    around.push(with);
    let found = search(body, at, around);
    if found.is_none() {
        around.pop();
    }
    found
}

fn search_in<'a>(
    expression: &'a Expression,
    at: Span,
    around: &mut Vec<Around<'a>>,
) -> Option<&'a [Expression]> {
    match &expression.kind {
        ExpressionKind::Call { arguments, .. } if expression.span == at => Some(arguments),
        ExpressionKind::If(condition, then, otherwise) => search_in(condition, at, around)
            .or_else(|| enter(Around::Condition(condition, true), then, at, around))
            .or_else(|| enter(Around::Condition(condition, false), otherwise, at, around)),
        _ => expression.parts().find_map(|part| match part {
            Part::Expression(inner) => search_in(inner, at, around),
            Part::Body(body) => search(body, at, around),
        }),
    }
}

/// The arguments of the call at a place.
fn find_call(body: &[Statement], at: Span) -> Option<&[Expression]> {
    search(body, at, &mut Vec::new())
}

/// Whether the text of an expression says all there is to it.
fn is_plain(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Unit
        | ExpressionKind::Bool(_)
        | ExpressionKind::Int(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Constant(..)
        | ExpressionKind::Closure(..)
        | ExpressionKind::Refused => true,
        ExpressionKind::Negate(inner) => is_plain(inner),
        _ => false,
    }
}

/// Parts of a condition that all had to hold, or all had not to.
fn parts(expression: &Expression, held: bool, into: &mut Vec<(Expression, bool)>) {
    match &expression.kind {
        ExpressionKind::And(list) if held => {
            list.iter().for_each(|part| parts(part, true, into));
        }
        ExpressionKind::Or(list) if !held => {
            list.iter().for_each(|part| parts(part, false, into));
        }
        ExpressionKind::Not(inner) => parts(inner, !held, into),
        _ => into.push((expression.clone(), held)),
    }
}

struct Reader<'a> {
    rules: &'a Rules,
    state: &'a State,
    looker: Looker,
}

impl Reader<'_> {
    /// The conditions around the call at a place.
    fn conditions(&mut self, body: &[Statement], at: Span, names: &[Name]) -> Vec<Condition> {
        let mut around = Vec::new();
        if search(body, at, &mut around).is_none() {
            return Vec::new();
        }
        let mut all = Vec::new();
        for around in around {
            match around {
                Around::Condition(condition, held) => {
                    let mut found = Vec::new();
                    parts(condition, held, &mut found);
                    for (part, held) in found {
                        self.part(&part, held, names, &mut all);
                    }
                }
                // What a loop leaves out is a condition on what it runs over.
                Around::Sequence(sequence) => {
                    if let ExpressionKind::Call {
                        name, arguments, ..
                    } = &sequence.kind
                        && name == "filter"
                        && let [_, closure] = &arguments[..]
                    {
                        all.push(self.condition(closure, sequence, true, &[], names));
                    }
                }
            }
        }
        all
    }

    /// A part of a condition. Of several, one of which decided, those are told that did.
    fn part(&mut self, part: &Expression, held: bool, names: &[Name], into: &mut Vec<Condition>) {
        if let ExpressionKind::And(list) | ExpressionKind::Or(list) = &part.kind {
            let known: Vec<Option<bool>> = list
                .iter()
                .map(|inner| match (self.value(inner, names)?.0).case() {
                    Case::Bool(value) => Some(value),
                    _ => None,
                })
                .collect();
            if let Some(first) = known.iter().position(|value| *value == Some(held)) {
                let mut found = Vec::new();
                parts(&list[first], held, &mut found);
                for (part, held) in found {
                    self.part(&part, held, names, into);
                }
                return;
            }
        }
        let looked: Vec<&Expression> = looked_at(part);
        into.push(self.condition(part, part, held, &looked, names));
    }

    fn condition(
        &mut self,
        shown: &Expression,
        place: &Expression,
        held: bool,
        looked: &[&Expression],
        names: &[Name],
    ) -> Condition {
        Condition {
            place: line_of(self.rules, place.span),
            text: written(shown),
            held,
            operands: self.operands(looked, names),
        }
    }

    /// Each expression once, with its value.
    fn operands(&mut self, looked: &[&Expression], names: &[Name]) -> Vec<Operand> {
        let mut operands: Vec<Operand> = Vec::new();
        for expression in looked {
            let text = written(expression);
            if operands.iter().all(|known| known.text != text) {
                let value = self.value(expression, names).map(|(_, words)| words);
                operands.push(Operand { text, value });
            }
        }
        operands
    }

    /// The value of an expression in a frame, if it can be looked at.
    fn value(&mut self, expression: &Expression, names: &[Name]) -> Option<(Value, String)> {
        let body = vec![Statement {
            span: expression.span,
            kind: StatementKind::Expression(expression.clone()),
        }];
        let types: Vec<(String, Type)> = names
            .iter()
            .map(|name| (name.name.clone(), name.of))
            .collect();
        let values: Vec<Value> = names.iter().map(|name| name.value).collect();
        let added = self.looker.add(expression.span, body, &types).ok()?;
        let found = self.looker.value(added.function, self.state, &values);
        found.ok().map(|found| (found.value, found.words))
    }
}

/// What a condition looks at that is worth a word.
fn looked_at(condition: &Expression) -> Vec<&Expression> {
    let sides: Vec<&Expression> = match &condition.kind {
        ExpressionKind::Binary(
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge,
            a,
            b,
        ) => vec![a, b],
        ExpressionKind::Contains(list, item) => vec![item, list],
        ExpressionKind::Call { arguments, .. } => arguments.iter().collect(),
        ExpressionKind::Index(_, at) => vec![at],
        _ => Vec::new(),
    };
    sides.into_iter().filter(|side| !is_plain(side)).collect()
}

impl Refusal {
    /// The refusal for people, a thing a line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("refused at {}", self.place),
            format!("    {}", self.line),
        ];
        lines.extend(operands(&self.arguments));
        if !self.conditions.is_empty() {
            lines.push("because".to_owned());
        }
        for condition in &self.conditions {
            let held = if condition.held { "" } else { "not " };
            let text = match condition.held || !condition.text.contains(' ') {
                true => condition.text.clone(),
                false => format!("({})", condition.text),
            };
            lines.push(format!("  {held}{text}  {}", condition.place));
            lines.extend(operands(&condition.operands));
        }
        lines
    }
}

/// Operands with their values, on one line if there are any.
fn operands(operands: &[Operand]) -> Option<String> {
    let each: Vec<String> = operands
        .iter()
        .filter_map(|operand| {
            let value = operand.value.as_ref()?;
            (*value != operand.text).then(|| format!("{} = {value}", operand.text))
        })
        .collect();
    (!each.is_empty()).then(|| format!("    {}", each.join(", ")))
}
