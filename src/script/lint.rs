//! What can be played but is hardly meant: variables that nobody reads, statements that are never
//! reached, conditions that are always the same, declared things that nothing uses.
//!
//! These look at the tree alone and run when there is no error, so that no name is missed because it is
//! misspelt elsewhere.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Report, Span};
use crate::pack::Pack;
use crate::pack::model::{Declaration, Observed};
use crate::table::layout::Holds;

use super::api::{self, Acts};
use super::known::{Ranges, known};
use super::syntax::{Expression, ExpressionKind, Part, Statement, StatementKind};

/// A function or expression to look at.
pub(super) struct Source<'a> {
    /// The function, if it is free to take other parameters: no flow, effect or variant wants these.
    pub(super) free: Option<Free<'a>>,
    /// What it does or gives.
    pub(super) body: &'a [Statement],
    /// Whether it is a condition: `when`, `while`.
    pub(super) condition: bool,
}

/// A function whose parameters are its own affair.
pub(super) struct Free<'a> {
    /// Where its name stands.
    pub(super) name: Span,
    /// Its parameters.
    pub(super) parameters: &'a [String],
}

impl Free<'_> {
    /// Where a parameter stands, as far as the text tells.
    fn place(&self, pack: &Pack, parameter: &str) -> Span {
        let text = &pack.sources.get(self.name.file).text;
        let from = self.name.end as usize;
        let mut words = text[from..]
            .match_indices(parameter)
            .map(|(at, _)| from + at);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let whole = |at: &usize| {
            let before = text[..*at].chars().next_back();
            let after = text[at + parameter.len()..].chars().next();
            !before.into_iter().chain(after).any(is_word)
        };
        let at = words.find(whole);
        at.map_or(self.name, |at| {
            Span::new(self.name.file, at, at + parameter.len())
        })
    }
}

/// Warns of what is hardly meant.
pub(super) fn lint<'a>(
    pack: &Pack,
    sources: impl IntoIterator<Item = Source<'a>>,
    report: &mut Report,
) {
    let mut used = Used::default();
    let ranges = Ranges::of(pack);
    for source in sources {
        let mut reader = Reader {
            report,
            ranges: &ranges,
            variables: Vec::new(),
            what_ifs: 0,
        };
        if let Some(free) = &source.free {
            reader.variables.extend(free.parameters.iter().map(|name| {
                // Whatever is about a player is given that player.
                let read = name.starts_with('_') || name == "me";
                let span = (!read).then(|| free.place(pack, name));
                let what = "parameter";
                Variable {
                    name,
                    what,
                    span,
                    read,
                }
            }));
        }
        reader.block(source.body);
        reader.leave(0);
        if source.condition
            && let [
                Statement {
                    kind: StatementKind::Expression(condition),
                    ..
                },
            ] = source.body
        {
            reader.condition(condition);
        }
        for statement in source.body {
            used.statement(statement);
            each_expression(statement.parts(), &mut |expression| {
                refusal(pack, expression, report);
            });
        }
    }
    lacking(pack, &used, report);
    unused_tags(pack, &used, report);
    unused_statistics(pack, &used, report);
    for declaration in &pack.declared {
        let unused = match declaration.section {
            "parameter" | "decision" | "choice" | "reason" | "stream" | "exchange" | "event" => {
                let constant = (declaration.section.to_owned(), declaration.id.clone());
                !used.constants.contains(&constant)
            }
            "counter" => !used.names.contains(&declaration.id),
            // Where attributes hold them, data may speak of any of them.
            "dial" => !used.speaks_of(declaration) && !holds(pack, Holds::Dial),
            "toggle" => !used.speaks_of(declaration) && !holds(pack, Holds::Toggle),
            _ => false,
        };
        if unused {
            let (section, id) = (declaration.section, &declaration.id);
            report.push(
                Diagnostic::warning(
                    "Y0353",
                    declaration.span,
                    format!("nothing uses {section} `{id}`"),
                )
                .help("read it in a script, or remove it"),
            );
        }
    }
}

/// Whether an attribute of the pack holds such things.
fn holds(pack: &Pack, what: Holds) -> bool {
    let layout = &pack.layout;
    let kinds = layout.kinds.iter().flat_map(|kind| &kind.attributes);
    let graphs = layout.graphs.iter().flat_map(|graph| &graph.attributes);
    let sets = layout.set_attributes.iter().flatten();
    let mut attributes = kinds.chain(graphs).chain(sets);
    attributes.any(|attribute| attribute.holds == what)
}

/// Warns of pieces that lack what nearly all others of their kinds are given, unless a script asks whether it is there.
fn lacking(pack: &Pack, used: &Used, report: &mut Report) {
    for lacking in &pack.lacking {
        let attribute = &lacking.attribute;
        if lacking.default.is_none() && used.asks_of(attribute) {
            continue;
        }
        let warning = Diagnostic::warning("Y0354", lacking.span, lacking.message.clone());
        report.push(warning.help(match lacking.default {
            Some(default) => format!("write `{attribute} = {default}` if that is meant"),
            None => format!(
                "give it one; if it is meant to have none, scripts that read `{attribute}` test it for `()`"
            ),
        }));
    }
}

/// Warns of tags that no script and no statistic speaks of: most likely another one is meant.
fn unused_tags(pack: &Pack, used: &Used, report: &mut Report) {
    let counted = |tag: &str| {
        pack.statistics.iter().any(|statistic| match statistic.of {
            Observed::Tag(id) => pack.layout.tags[id.index()] == tag,
            _ => false,
        })
    };
    for (tag, span) in &pack.tags {
        let constant = ("tag".to_owned(), tag.clone());
        if used.constants.contains(&constant) || counted(tag) {
            continue;
        }
        let others = pack.tags.keys().filter(|other| *other != tag);
        let warning = Diagnostic::warning("Y0353", *span, format!("nothing uses tag `{tag}`"))
            .suggest(tag, others.map(String::as_str));
        report.push(match warning.help.is_empty() {
            true => warning.help("ask for it in a script or a statistic, or remove it"),
            false => warning,
        });
    }
}

/// Warns of statistics that wait for what no script notes.
fn unused_statistics(pack: &Pack, used: &Used, report: &mut Report) {
    for statistic in &pack.statistics {
        let id = &statistic.name.id;
        let constant = ("statistic".to_owned(), id.clone());
        if matches!(statistic.of, Observed::Noted(_)) && !used.constants.contains(&constant) {
            report.push(
                Diagnostic::warning(
                    "Y0353",
                    statistic.span,
                    format!("nothing notes anything for statistic `{id}`"),
                )
                .help(format!(
                    "write `note(statistic::{id}, me)` in a script where it happens, or remove it"
                )),
            );
        }
    }
}

/// The constants and names that trees speak of.
#[derive(Debug, Default)]
struct Used {
    constants: BTreeSet<(String, String)>,
    /// Properties.
    names: BTreeSet<String>,
    /// Properties that are compared with `()`, and variables that are.
    asked: BTreeSet<String>,
    /// Variables with the properties that they are given.
    given: BTreeSet<(String, String)>,
}

impl Used {
    /// Whether a thing is spoken of as a property or as a constant.
    fn speaks_of(&self, declaration: &Declaration) -> bool {
        let (section, id) = (declaration.section, &declaration.id);
        let constant = (section.to_owned(), id.clone());
        self.names.contains(id) || self.constants.contains(&constant)
    }

    fn statement(&mut self, statement: &Statement) {
        each_expression(
            statement.parts(),
            &mut |expression| match &expression.kind {
                ExpressionKind::Constant(module, name) => {
                    self.constants.insert((module.clone(), name.clone()));
                }
                ExpressionKind::Property(_, name) => {
                    self.names.insert(name.clone());
                }
                ExpressionKind::Binary(_, left, right) => self.compared(left, right),
                _ => {}
            },
        );
        each_statement(statement, &mut |statement| {
            if let StatementKind::Let { name, value, .. } = &statement.kind
                && let ExpressionKind::Property(_, property) = &value.kind
            {
                self.given.insert((name.clone(), property.clone()));
            }
        });
    }

    /// Notes what is compared with nothing.
    fn compared(&mut self, left: &Expression, right: &Expression) {
        for (one, other) in [(left, right), (right, left)] {
            if let ExpressionKind::Unit = other.kind
                && let ExpressionKind::Property(_, name) | ExpressionKind::Name(name) = &one.kind
            {
                self.asked.insert(name.clone());
            }
        }
    }

    /// Whether a script asks if a property is nothing, of it or of a variable that was given it.
    fn asks_of(&self, property: &str) -> bool {
        self.asked.contains(property)
            || self
                .given
                .iter()
                .any(|(variable, given)| given == property && self.asked.contains(variable))
    }
}

/// Finds a refusal with other numbers than its reason has places for: a player would be shown the empty places.
fn refusal(pack: &Pack, expression: &Expression, report: &mut Report) {
    let ExpressionKind::Call {
        name, arguments, ..
    } = &expression.kind
    else {
        return;
    };
    let (true, [_, reason, numbers @ ..]) = (name == "refuse", arguments.as_slice()) else {
        return;
    };
    let mut named = Vec::new();
    constants(reason, "reason", &mut named);
    for (id, span) in named {
        let known = pack.reasons.iter().find(|known| known.name.id == id);
        let Some(known) = known.filter(|known| known.numbers != numbers.len()) else {
            continue;
        };
        let many = |count: usize| match count {
            1 => "1 number".to_owned(),
            count => format!("{count} numbers"),
        };
        report.push(
            Diagnostic::error(
                "Y0327",
                span,
                format!(
                    "the text of `reason::{id}` has places for {}, found {}",
                    many(known.numbers),
                    many(numbers.len())
                ),
            )
            .label(format!("expected {} after it", many(known.numbers)))
            .help(format!("its text is \"{}\"", known.name.title)),
        );
    }
}

/// The constants of a module that an expression can give, where it says so itself.
fn constants<'a>(expression: &'a Expression, wanted: &str, found: &mut Vec<(&'a str, Span)>) {
    match &expression.kind {
        ExpressionKind::Constant(module, id) if module == wanted => {
            found.push((id, expression.span));
        }
        ExpressionKind::If(_, then, otherwise) => {
            for branch in [then, otherwise] {
                if let Some(StatementKind::Expression(last)) = branch.last().map(|last| &last.kind)
                {
                    constants(last, wanted, found);
                }
            }
        }
        _ => {}
    }
}

/// Visits a statement, and those in it.
fn each_statement<'a>(statement: &'a Statement, visit: &mut dyn FnMut(&'a Statement)) {
    fn inside<'a>(parts: impl Iterator<Item = Part<'a>>, visit: &mut dyn FnMut(&'a Statement)) {
        for part in parts {
            match part {
                Part::Expression(expression) => inside(expression.parts(), visit),
                Part::Body(body) => {
                    for statement in body {
                        each_statement(statement, visit);
                    }
                }
            }
        }
    }
    visit(statement);
    inside(statement.parts(), visit);
}

/// Calls a function for each expression of what stands inside something.
fn each_expression<'a>(
    parts: impl Iterator<Item = Part<'a>>,
    visit: &mut dyn FnMut(&'a Expression),
) {
    for part in parts {
        match part {
            Part::Expression(expression) => {
                visit(expression);
                each_expression(expression.parts(), visit);
            }
            Part::Body(body) => {
                for statement in body {
                    each_expression(statement.parts(), visit);
                }
            }
        }
    }
}

/// A variable in scope.
struct Variable<'a> {
    name: &'a str,
    /// What it is called in messages.
    what: &'static str,
    /// Where it is declared, if it is to be read.
    span: Option<Span>,
    read: bool,
}

/// Reads statements in the order in which they run.
struct Reader<'a, 'r> {
    report: &'r mut Report,
    ranges: &'r Ranges,
    variables: Vec<Variable<'a>>,
    /// How many `what_if` it stands in.
    what_ifs: usize,
}

impl<'a> Reader<'a, '_> {
    /// Statements with a scope of their own.
    fn block(&mut self, body: &'a [Statement]) {
        let outside = self.variables.len();
        self.statements(body);
        self.leave(outside);
    }

    fn leave(&mut self, outside: usize) {
        for variable in self.variables.drain(outside..) {
            if let Some(span) = variable.span.filter(|_| !variable.read) {
                self.report.push(
                    Diagnostic::warning(
                        "Y0350",
                        span,
                        format!("nobody reads {} `{}`", variable.what, variable.name),
                    )
                    .help(format!(
                        "remove it, or call it `_{}` if that is meant",
                        variable.name
                    )),
                );
            }
        }
    }

    fn statements(&mut self, body: &'a [Statement]) {
        let mut left = false;
        for statement in body {
            if left && !matches!(statement.kind, StatementKind::Nothing) {
                self.report.push(
                    Diagnostic::warning("Y0351", statement.span, "this is never reached")
                        .help("what stands before it always leaves"),
                );
                left = false;
            }
            self.statement(statement);
            left |= leaves(statement);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Let {
                name,
                name_span,
                value,
                ..
            } => {
                self.expression(value);
                self.variables.push(Variable {
                    name,
                    what: "variable",
                    span: (!name.starts_with('_')).then_some(*name_span),
                    read: false,
                });
            }
            StatementKind::Assign { target, value, .. } => {
                self.target(target);
                self.expression(value);
            }
            StatementKind::Expression(inner) => self.expression(inner),
            StatementKind::While(condition, body) => {
                if let Some(condition) = condition {
                    self.expression(condition);
                    // `while true` is a way to write `loop`.
                    if !matches!(condition.kind, ExpressionKind::Bool(true)) {
                        self.condition(condition);
                    }
                }
                self.block(body);
            }
            StatementKind::For {
                name,
                sequence,
                body,
                ..
            } => {
                self.expression(sequence);
                let outside = self.variables.len();
                // A loop may well only count.
                self.variables.push(Variable {
                    name,
                    what: "variable",
                    span: None,
                    read: false,
                });
                self.statements(body);
                self.leave(outside);
            }
            StatementKind::Return(Some(value)) => self.expression(value),
            StatementKind::Return(None)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Nothing => {}
        }
    }

    /// What is assigned to is not read by that.
    fn target(&mut self, target: &'a Expression) {
        match &target.kind {
            ExpressionKind::Name(_) => {}
            ExpressionKind::Index(list, index) => {
                self.target(list);
                self.expression(index);
            }
            _ => self.expression(target),
        }
    }

    fn expression(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                if let Some(variable) = self.variables.iter_mut().rev().find(|v| v.name == name) {
                    variable.read = true;
                }
            }
            ExpressionKind::Closure(parameters, body) => {
                let outside = self.variables.len();
                self.variables
                    .extend(parameters.iter().map(|name| Variable {
                        name,
                        what: "variable",
                        span: None,
                        read: false,
                    }));
                self.statements(body);
                self.leave(outside);
            }
            kind => {
                let tries = matches!(kind, ExpressionKind::Call { name, .. } if name == "what_if");
                self.what_ifs += usize::from(tries);
                for part in expression.parts() {
                    match part {
                        Part::Expression(inner) => self.expression(inner),
                        Part::Body(body) => self.block(body),
                    }
                }
                self.what_ifs -= usize::from(tries);
                self.unheard(expression);
                if let ExpressionKind::If(condition, ..) = kind {
                    self.condition(condition);
                }
            }
        }
    }

    /// Warns of what is said where all is put back, which nobody is told. In a function that is called
    /// there it may be meant for other calls.
    fn unheard(&mut self, expression: &Expression) {
        if let ExpressionKind::Call { name, .. } = &expression.kind
            && self.what_ifs > 0
            && api::find(name).is_some_and(|verb| verb.acts == Acts::Speaks)
        {
            let text = format!("nobody is told what `{name}` says inside `what_if`");
            self.report.push(
                Diagnostic::warning("Y0355", expression.span, text)
                    .label("never told or counted")
                    .help("say it where it happens, or after `what_if` with what came of it"),
            );
        }
    }

    /// Warns of a condition that is always the same.
    fn condition(&mut self, condition: &Expression) {
        if let Some(value) = known(condition, self.ranges) {
            let text = match value {
                true => "this condition always holds",
                false => "this condition can never hold",
            };
            self.report.push(
                Diagnostic::warning("Y0352", condition.span, text)
                    .help("compare with what can differ, or leave the condition out"),
            );
        }
    }
}

/// Whether a statement never goes on to the next.
fn leaves(statement: &Statement) -> bool {
    let any = |body: &[Statement]| body.iter().any(leaves);
    match &statement.kind {
        StatementKind::Break | StatementKind::Continue | StatementKind::Return(_) => true,
        StatementKind::Expression(Expression {
            kind: ExpressionKind::If(_, then, otherwise),
            ..
        }) => any(then) && any(otherwise),
        StatementKind::Expression(Expression {
            kind: ExpressionKind::Block(body),
            ..
        }) => any(body),
        StatementKind::While(None, body) => !breaks(body),
        _ => false,
    }
}

/// Whether statements of a loop can leave it with `break`.
fn breaks(body: &[Statement]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Expression(inner) => match &inner.kind {
            ExpressionKind::If(_, then, otherwise) => breaks(then) || breaks(otherwise),
            ExpressionKind::Block(body) => breaks(body),
            _ => false,
        },
        _ => false,
    })
}
