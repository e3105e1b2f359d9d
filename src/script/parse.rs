//! Rhai parses; what it parsed becomes our own tree, or a diagnostic that says what to write instead.

use std::collections::HashMap;

use rhai::{ASTFlags, ASTNode, Engine, Expr, FnCallExpr, OptimizationLevel, Position, Stmt};

use crate::diag::{Diagnostic, FileId, Report, Sources, Span};
use crate::table::value::{LEAST, MOST};

use super::recover::{open_comment, recover, unread_after};
use super::syntax::{Binary, Expression, ExpressionKind, Function, Statement, StatementKind};

/// Deepest nesting that is parsed; deeper sources are refused by Rhai with a message.
const MOST_DEPTH: usize = 64;

fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    // Constants must not be folded: branches would vanish before they are checked.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    engine
}

/// Parses a script file into its functions.
pub fn parse_file(sources: &Sources, file: FileId, report: &mut Report) -> Vec<Function> {
    let text = &sources.get(file).text;
    let mut reader = Reader::new(file, 0, text, report);
    let engine = engine();
    // Rhai takes a comment that nobody closes as one.
    let open = open_comment(text);
    let closed = &text[..open.unwrap_or(text.len())];
    if let Some(open) = open {
        reader.report.push(
            Diagnostic::error(
                "Y0201",
                Span::new(file, open, open + 2),
                "a comment is not closed",
            )
            .label("expected a `*/` for this one"),
        );
    }
    let (ast, mut unread) = match engine.compile(closed) {
        Ok(ast) => (ast, Vec::new()),
        Err(error) => {
            let recovered = recover(&engine, closed, &error);
            for (message, position) in recovered.errors {
                reader.syntax_error(&message, position);
            }
            (recovered.ast, recovered.unread)
        }
    };
    unread.extend(unread_after(text, closed.len()));
    let top = reader.collect(&ast);
    for statement in top {
        let span = statement.span;
        if !matches!(statement.kind, StatementKind::Nothing) && !is_refused(&statement) {
            reader.report.push(
                Diagnostic::error("Y0202", span, "a script file holds only functions")
                    .label("this is done by nobody")
                    .help("move it into a function that a step of the flow names, or make it a parameter in TOML"),
            );
        }
    }
    let mut functions: Vec<Function> = Vec::new();
    let places = reader.names_of_functions();
    for (name, parameters, body, start) in std::mem::take(&mut reader.functions) {
        let start = reader.offset(start);
        // The last before the body: a comment may speak of the function.
        let span = places
            .get(name.as_str())
            .and_then(|spans| spans.iter().rfind(|span| span.end as usize <= start))
            .copied()
            .unwrap_or(reader.whole);
        functions.push(Function {
            name,
            span,
            parameters,
            body,
        });
    }
    // What they do is not known, but who calls them is right.
    functions.extend(unread.into_iter().map(|unread| {
        let span = Span::new(file, unread.start, unread.start + unread.name.len());
        Function {
            name: unread.name,
            span,
            parameters: unread.parameters,
            body: vec![refused(span)],
        }
    }));
    functions.sort_by_key(|function| function.span);
    functions
}

/// Whether a statement was refused, and that told.
fn is_refused(statement: &Statement) -> bool {
    matches!(
        &statement.kind,
        StatementKind::Expression(expression) if matches!(expression.kind, ExpressionKind::Refused)
    )
}

/// A statement in place of what cannot be read: nothing else is to be said of it.
fn refused(span: Span) -> Statement {
    let kind = ExpressionKind::Refused;
    Statement {
        span,
        kind: StatementKind::Expression(Expression { span, kind }),
    }
}

/// Parses a snippet of a TOML file into the statements of a function body.
pub fn parse_snippet(
    sources: &Sources,
    span: Span,
    text: &str,
    report: &mut Report,
) -> Vec<Statement> {
    let mut reader = Reader::new(span.file, span.start as usize, text, report);
    reader.exact = sources.text(span) == text;
    reader.whole = span;
    match engine().compile(text) {
        Ok(ast) => {
            let top = reader.collect(&ast);
            if !reader.functions.is_empty() {
                reader.report.push(
                    Diagnostic::error("Y0203", span, "a snippet cannot define functions")
                        .help("put the function into a script file and name it here"),
                );
            }
            top
        }
        Err(error) => {
            reader.syntax_error(&error.err_type().to_string(), error.position());
            vec![refused(span)]
        }
    }
}

/// What to write in place of what people know from other languages, or what is missing, by what stands
/// before and behind the place of an error.
fn hint(before: &str, behind: &str, message: &str) -> Option<&'static str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let last = before.trim_end();
    let last = last.rsplit(|c| !is_word(c)).next().unwrap_or_default();
    let next = behind.split(|c| !is_word(c)).next().unwrap_or_default();
    let foreign = [last, next].into_iter().find_map(|word| {
        Some(match word {
            "elif" | "elsif" | "elseif" => "write `else if`",
            "function" | "def" | "func" => "write `fn NAME(...) { ... }`",
            "and" => "write `&&`",
            "or" => "write `||`",
            "not" => "write `!`",
            "null" | "nil" | "none" | "None" => "what is nothing is written `()`",
            _ => return None,
        })
    });
    foreign.or_else(|| {
        if behind.starts_with("++") || behind.starts_with("--") {
            return Some("write `+= 1` or `-= 1`");
        }
        if behind.starts_with('\'') {
            return Some("texts stand in double quotes, or in backticks with `${...}` in them");
        }
        if behind.starts_with("${") {
            return Some("`${...}` stands only in a text in backticks");
        }
        message
            .starts_with("expecting ';'")
            .then_some("is a `;` missing before this?")
    })
}

/// A function that was read: name, parameters, body, and where its body begins.
type Parsed = (String, Vec<String>, Vec<Statement>, Position);

/// A function as Rhai keeps it: name, parameters, first and last position of its body.
type Outline = (String, Vec<String>, Position, Position);

struct Reader<'a> {
    file: FileId,
    /// Where the text begins in the file.
    base: usize,
    text: &'a str,
    /// Byte offsets at which lines begin.
    lines: Vec<usize>,
    /// Whether positions in the text are positions in the file.
    exact: bool,
    whole: Span,
    report: &'a mut Report,
    functions: Vec<Parsed>,
    closures: Vec<Outline>,
    closure_bodies: Vec<Vec<Stmt>>,
}

impl<'a> Reader<'a> {
    fn new(file: FileId, base: usize, text: &'a str, report: &'a mut Report) -> Self {
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Self {
            file,
            base,
            text,
            lines,
            exact: true,
            whole: Span::new(file, base, base + text.len()),
            report,
            functions: Vec::new(),
            closures: Vec::new(),
            closure_bodies: Vec::new(),
        }
    }

    /// The byte of the text at a position of Rhai's.
    fn offset(&self, position: Position) -> usize {
        let (Some(line), Some(column)) = (position.line(), position.position()) else {
            return self.text.len();
        };
        let start = self.lines.get(line - 1).copied().unwrap_or(self.text.len());
        self.text[start..]
            .char_indices()
            .nth(column - 1)
            .map_or(self.text.len(), |(at, _)| start + at)
    }

    /// The token at a position: Rhai has points, people want underlines.
    fn span(&self, position: Position) -> Span {
        if !self.exact || position.is_none() {
            return self.whole;
        }
        let start = self.offset(position);
        let rest = &self.text[start..];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let len = match rest.chars().next() {
            None => 0,
            Some(first) if word(first) => rest.find(|c: char| !word(c)).unwrap_or(rest.len()),
            Some(first) => {
                let operator = |c: char| "=<>!&|+-*/%.:".contains(c);
                if operator(first) {
                    rest.find(|c: char| !operator(c))
                        .unwrap_or(rest.len())
                        .min(2)
                } else {
                    first.len_utf8()
                }
            }
        };
        let from = self.base + start;
        Span::new(self.file, from, from + len)
    }

    fn syntax_error(&mut self, message: &str, position: Position) {
        let span = self.span(position);
        let before = &self.text[..self.offset(position)];
        // Rhai says `break` of both, and nothing of closures.
        if message.starts_with("Break statement") {
            let word = self.text[self.offset(position)..].starts_with("continue");
            let word = if word { "continue" } else { "break" };
            self.report.push(
                Diagnostic::error("Y0301", span, format!("`{word}` outside of a loop"))
                    .help("closures cannot leave the loop around them"),
            );
            return;
        }
        let point = before
            .strip_suffix('.')
            .is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()));
        if point {
            self.report.push(
                Diagnostic::error("Y0201", span, "a number with a point cannot be read")
                    .help("count in whole numbers, such as tenths"),
            );
            return;
        }
        let mut message = message.trim_end_matches('.').to_owned();
        if let Some(first) = message.get(..1) {
            message = first.to_lowercase() + &message[1..];
        }
        let hint = hint(before, &self.text[self.offset(position)..], &message);
        let diagnostic =
            Diagnostic::error("Y0201", span, message).label("Rhai cannot read on from here");
        self.report.push(match hint {
            Some(hint) => diagnostic.help(hint),
            None => diagnostic,
        });
    }

    fn refuse(&mut self, span: Span, what: &str, instead: &str) -> ExpressionKind {
        self.report.push(
            Diagnostic::error(
                "Y0204",
                span,
                format!("{what} is not part of the language of rules"),
            )
            .help(instead.to_owned()),
        );
        ExpressionKind::Refused
    }

    /// Sorts the statements that Rhai's walk finds to the functions whose bodies they are in:
    /// Rhai does not export the type that holds a body.
    fn collect(&mut self, ast: &rhai::AST) -> Vec<Statement> {
        let mut outlines: Vec<Outline> = Vec::new();
        for function in ast.iter_fn_def() {
            outlines.push((
                function.name.to_string(),
                function.params.iter().map(ToString::to_string).collect(),
                function.body.start_position(),
                function.body.end_position(),
            ));
        }
        let mut bodies: Vec<Vec<Stmt>> = vec![Vec::new(); outlines.len()];
        let mut top: Vec<Stmt> = Vec::new();
        let key = |position: Position| (position.line(), position.position());
        ast.walk(&mut |path: &[ASTNode]| {
            if let [ASTNode::Stmt(statement)] = path {
                let at = statement.position();
                let owner = outlines
                    .iter()
                    .enumerate()
                    .filter(|(_, (_, _, start, end))| {
                        if end.is_none() {
                            key(*start) == key(at)
                        } else {
                            key(*start) <= key(at) && key(at) <= key(*end)
                        }
                    })
                    .max_by_key(|(_, (_, _, start, _))| key(*start));
                match owner {
                    Some((index, _)) => bodies[index].push((*statement).clone()),
                    None => top.push((*statement).clone()),
                }
            }
            true
        });
        for (outline, body) in outlines.iter().zip(&bodies) {
            if outline.0.starts_with("anon$") {
                self.closures.push(outline.clone());
                self.closure_bodies.push(body.clone());
            }
        }
        for (outline, body) in outlines.into_iter().zip(bodies) {
            if !outline.0.starts_with("anon$") {
                let body = self.statements(&body);
                self.functions.push((outline.0, outline.1, body, outline.2));
            }
        }
        self.statements(&top)
    }

    /// Where the names in `fn name(` stand.
    fn names_of_functions(&self) -> HashMap<&'a str, Vec<Span>> {
        let mut names: HashMap<&str, Vec<Span>> = HashMap::new();
        for (at, _) in self.text.match_indices("fn") {
            let rest = self.text[at + 2..].trim_start();
            let start = self.text.len() - rest.len();
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            let spaced = start > at + 2;
            if spaced && end > 0 && rest[end..].trim_start().starts_with('(') {
                let from = self.base + start;
                names
                    .entry(&rest[..end])
                    .or_default()
                    .push(Span::new(self.file, from, from + end));
            }
        }
        names
    }

    fn statements<'s>(&mut self, statements: impl IntoIterator<Item = &'s Stmt>) -> Vec<Statement> {
        statements
            .into_iter()
            .map(|statement| self.statement(statement))
            .collect()
    }

    fn statement(&mut self, statement: &Stmt) -> Statement {
        let span = self.span(statement.position());
        let expression = |kind| StatementKind::Expression(Expression { span, kind });
        let kind = match statement {
            Stmt::Noop(_) => StatementKind::Nothing,
            Stmt::If(flow, _) => {
                let kind = self.if_expression(flow);
                expression(kind)
            }
            Stmt::While(flow, _) => {
                let condition = match &flow.expr {
                    Expr::Unit(_) => None,
                    other => Some(self.expression(other)),
                };
                StatementKind::While(condition, self.statements(flow.body.iter()))
            }
            Stmt::For(parts, _) => {
                let (name, counter, flow) = &**parts;
                if let Some(counter) = counter {
                    let at = self.span(counter.pos);
                    self.refuse(
                        at,
                        "a counter in `for`",
                        "count with a variable of your own",
                    );
                }
                let sequence = self.expression(&flow.expr);
                StatementKind::For {
                    name: name.name.to_string(),
                    name_span: self.span(name.pos),
                    sequence,
                    body: self.statements(flow.body.iter()),
                }
            }
            Stmt::Var(parts, flags, _) => {
                let (name, value, _) = &**parts;
                StatementKind::Let {
                    name: name.name.to_string(),
                    name_span: self.span(name.pos),
                    value: self.expression(value),
                    constant: flags.intersects(ASTFlags::CONSTANT),
                }
            }
            Stmt::Assignment(parts) => {
                let (operation, sides) = &**parts;
                let operator = match operation.get_op_assignment_info() {
                    None => None,
                    Some((.., symbol)) => match Binary::from_symbol(symbol) {
                        Some(operator) => Some(operator),
                        None => {
                            self.refuse(
                                span,
                                &format!("`{symbol}=`"),
                                "use `+=`, `-=`, `*=`, `/=` or `%=`",
                            );
                            None
                        }
                    },
                };
                StatementKind::Assign {
                    target: self.expression(&sides.lhs),
                    operator,
                    value: self.expression(&sides.rhs),
                }
            }
            Stmt::FnCall(call, _) => {
                let kind = self.call(call, span);
                expression(kind)
            }
            Stmt::Block(block) => {
                let body = self.statements(block.iter());
                expression(ExpressionKind::Block(body))
            }
            Stmt::Expr(inner) => StatementKind::Expression(self.expression(inner)),
            Stmt::BreakLoop(value, flags, _) => {
                if let Some(value) = value {
                    let at = self.span(value.start_position());
                    self.refuse(
                        at,
                        "a value after `break`",
                        "assign it to a variable before the loop",
                    );
                }
                if flags.intersects(ASTFlags::BREAK) {
                    StatementKind::Break
                } else {
                    StatementKind::Continue
                }
            }
            Stmt::Return(_, flags, _) if flags.intersects(ASTFlags::BREAK) => {
                expression(self.refuse(
                    span,
                    "`throw`",
                    "use `refuse(...)` for what a player may not do",
                ))
            }
            Stmt::Return(value, ..) => {
                StatementKind::Return(value.as_ref().map(|value| self.expression(value)))
            }
            Stmt::Share(_) => StatementKind::Nothing,
            Stmt::Switch(..) => {
                expression(self.refuse(span, "`switch`", "use `if … else if … else`"))
            }
            Stmt::Do(..) => {
                expression(self.refuse(span, "`do`", "use `loop { …; if condition { break; } }`"))
            }
            Stmt::TryCatch(..) => expression(self.refuse(
                span,
                "`try`",
                "test before you act; an error always ends the step",
            )),
            Stmt::Import(..) | Stmt::Export(..) => expression(self.refuse(
                span,
                "a module of one's own",
                "all script files of a pack share their functions",
            )),
            _ => expression(self.refuse(span, "this statement", "see `yukon docs language`")),
        };
        Statement { span, kind }
    }

    fn if_expression(&mut self, flow: &rhai::FlowControl) -> ExpressionKind {
        let condition = self.expression(&flow.expr);
        let then = self.statements(flow.body.iter());
        let otherwise = self.statements(flow.branch.iter());
        ExpressionKind::If(Box::new(condition), then, otherwise)
    }

    fn expression(&mut self, expression: &Expr) -> Expression {
        let span = self.span(expression.position());
        let kind = match expression {
            Expr::Unit(_) => ExpressionKind::Unit,
            Expr::BoolConstant(value, _) => ExpressionKind::Bool(*value),
            Expr::IntegerConstant(value, _) if !(LEAST..=MOST).contains(value) => {
                self.report.push(
                    Diagnostic::error("Y0201", span, format!("the number {value} is out of range"))
                        .label(format!("expected {LEAST} to {MOST}")),
                );
                ExpressionKind::Refused
            }
            Expr::IntegerConstant(value, _) => ExpressionKind::Int(*value),
            Expr::StringConstant(text, _) => ExpressionKind::Text(text.to_string()),
            Expr::InterpolatedString(parts, _) => ExpressionKind::Interpolated(
                parts.iter().map(|part| self.expression(part)).collect(),
            ),
            Expr::Array(items, _) => {
                ExpressionKind::List(items.iter().map(|item| self.expression(item)).collect())
            }
            Expr::Variable(parts, ..) => {
                let (_, name, namespace, _) = &**parts;
                if namespace.is_empty() {
                    ExpressionKind::Name(name.to_string())
                } else if namespace.path.len() == 1 {
                    let module = namespace.path[0].name.to_string();
                    let from = self.span(namespace.path[0].pos);
                    let whole = Span {
                        end: self.span(expression.position()).end.max(from.end),
                        ..from
                    };
                    return Expression {
                        span: self.constant_span(whole, &module, name),
                        kind: ExpressionKind::Constant(module, name.to_string()),
                    };
                } else {
                    self.refuse(span, "a nested module", "write `module::name`")
                }
            }
            Expr::Dot(sides, flags, position) | Expr::Index(sides, flags, position) => {
                let base = self.expression(&sides.lhs);
                let dot = matches!(expression, Expr::Dot(..));
                return self.chain(base, dot, &sides.rhs, *flags, *position);
            }
            Expr::FnCall(call, _) => self.call(call, span),
            Expr::MethodCall(call, _) => self.call(call, span),
            Expr::Stmt(block) => {
                let statements: Vec<&Stmt> = block
                    .iter()
                    .filter(|statement| !matches!(statement, Stmt::Share(_)))
                    .collect();
                match statements.as_slice() {
                    [Stmt::Expr(inner)] => return self.expression(inner),
                    [Stmt::If(flow, _)] => self.if_expression(flow),
                    _ => ExpressionKind::Block(self.statements(statements)),
                }
            }
            Expr::And(sides, _) => {
                ExpressionKind::And(sides.iter().map(|side| self.expression(side)).collect())
            }
            Expr::Or(sides, _) => {
                ExpressionKind::Or(sides.iter().map(|side| self.expression(side)).collect())
            }
            Expr::DynamicConstant(value, at) => match value.clone().try_cast::<rhai::FnPtr>() {
                Some(pointer) => self.closure(pointer.fn_name(), span, *at),
                None => self.refuse(span, "this constant", "write it out"),
            },
            Expr::CharConstant(..) => {
                self.refuse(span, "a character", "write a text in double quotes")
            }
            Expr::Map(..) => self.refuse(span, "a map", "use a list, or counters declared in TOML"),
            Expr::ThisPtr(_) => self.refuse(span, "`this`", "give the value as an argument"),
            Expr::Coalesce(..) => self.refuse(span, "`??`", "write `if x == () { … } else { x }`"),
            Expr::Custom(..) => self.refuse(span, "custom syntax", "see `yukon docs language`"),
            _ => self.refuse(span, "this expression", "see `yukon docs language`"),
        };
        Expression { span, kind }
    }

    fn constant_span(&self, from: Span, module: &str, name: &str) -> Span {
        if !self.exact {
            return self.whole;
        }
        let start = from.start as usize - self.base;
        let rest = &self.text[start..];
        if !rest.starts_with(module) {
            return from;
        }
        match rest.find(name) {
            Some(_) => {
                let after = rest[module.len()..]
                    .find(name)
                    .map_or(module.len(), |at| module.len() + at + name.len());
                Span::new(self.file, from.start as usize, from.start as usize + after)
            }
            None => from,
        }
    }

    /// One link of a chain `base.link` or `base[link]`, and those that follow: Rhai nests chains to
    /// the right, and marks the last link with a flag.
    fn chain(
        &mut self,
        base: Expression,
        dot: bool,
        rest: &Expr,
        flags: ASTFlags,
        position: Position,
    ) -> Expression {
        if flags.intersects(ASTFlags::NEGATED) {
            let span = self.span(position);
            self.refuse(span, "`?.`", "test for `()` first");
        }
        if !flags.intersects(ASTFlags::BREAK) {
            match rest {
                Expr::Dot(sides, next, at) => {
                    let link = self.link(base, dot, &sides.lhs, position);
                    return self.chain(link, true, &sides.rhs, *next, *at);
                }
                Expr::Index(sides, next, at) => {
                    let link = self.link(base, dot, &sides.lhs, position);
                    return self.chain(link, false, &sides.rhs, *next, *at);
                }
                _ => {}
            }
        }
        self.link(base, dot, rest, position)
    }

    fn link(&mut self, base: Expression, dot: bool, link: &Expr, position: Position) -> Expression {
        if !dot {
            let index = self.expression(link);
            return Expression {
                span: self.span(position),
                kind: ExpressionKind::Index(Box::new(base), Box::new(index)),
            };
        }
        let span = self.span(link.position());
        let kind = match link {
            Expr::Property(parts, _) => {
                ExpressionKind::Property(Box::new(base), parts.2.to_string())
            }
            Expr::MethodCall(call, _) | Expr::FnCall(call, _) => {
                let mut arguments = vec![base];
                arguments.extend(call.args.iter().map(|argument| self.expression(argument)));
                self.call_of(call.name.as_str(), arguments, true)
            }
            _ => self.refuse(span, "this after a dot", "write `a.name` or `a.name(b)`"),
        };
        Expression { span, kind }
    }

    fn call(&mut self, call: &FnCallExpr, span: Span) -> ExpressionKind {
        if !call.namespace.is_empty() {
            return self.refuse(span, "a function in a module", "call it by its plain name");
        }
        let name = call.name.as_str();
        if matches!(name, "Fn" | "curry") {
            // `curry(closure, captured...)`: the captured variables are the function's own.
            return match call.args.first() {
                Some(first @ Expr::DynamicConstant(..)) => self.expression(first).kind,
                _ => self.refuse(
                    span,
                    "a function pointer",
                    "name the function in TOML, or use a closure",
                ),
            };
        }
        let arguments: Vec<Expression> = call
            .args
            .iter()
            .map(|argument| self.expression(argument))
            .collect();
        if call.op_token.is_some() && name != "contains" {
            return self.operator(name, arguments, span);
        }
        self.call_of(name, arguments, false)
    }

    fn call_of(
        &mut self,
        name: &str,
        mut arguments: Vec<Expression>,
        method: bool,
    ) -> ExpressionKind {
        if name == "contains" && arguments.len() == 2 {
            let item = arguments.pop().map(Box::new);
            let list = arguments.pop().map(Box::new);
            if let (Some(list), Some(item)) = (list, item) {
                return ExpressionKind::Contains(list, item);
            }
        }
        ExpressionKind::Call {
            name: name.to_owned(),
            arguments,
            method,
        }
    }

    fn operator(
        &mut self,
        name: &str,
        mut arguments: Vec<Expression>,
        span: Span,
    ) -> ExpressionKind {
        let last = arguments.pop().map(Box::new);
        let first = arguments.pop().map(Box::new);
        match (name, first, last) {
            ("-", None, Some(value)) => ExpressionKind::Negate(value),
            ("+", None, Some(value)) => value.kind,
            ("!", None, Some(value)) => ExpressionKind::Not(value),
            ("..", Some(from), Some(to)) => ExpressionKind::Range(from, to, false),
            ("..=", Some(from), Some(to)) => ExpressionKind::Range(from, to, true),
            (name, Some(left), Some(right)) => match Binary::from_symbol(name) {
                Some(operator) => ExpressionKind::Binary(operator, left, right),
                None => self.refuse(
                    span,
                    &format!("`{name}`"),
                    "use + - * / %, comparisons, && and ||",
                ),
            },
            _ => self.refuse(span, &format!("`{name}`"), "see `yukon docs language`"),
        }
    }

    fn closure(&mut self, name: &str, span: Span, position: Position) -> ExpressionKind {
        let Some(index) = self.closures.iter().position(|closure| closure.0 == name) else {
            return self.refuse(
                span,
                "a function pointer",
                "name the function in TOML, or use a closure",
            );
        };
        let body = self.closure_bodies[index].clone();
        let parameters = self.closures[index].1.clone();
        let body = self.statements(&body);
        // Rhai puts captured variables before the closure's own parameters; how many are its own
        // is what stands between the bars.
        let own = self.own_parameters(position);
        let skip = parameters
            .len()
            .saturating_sub(own.unwrap_or(parameters.len()));
        ExpressionKind::Closure(parameters[skip..].to_vec(), body)
    }

    /// The number of parameters between the bars at a place.
    fn own_parameters(&self, position: Position) -> Option<usize> {
        let rest = self.text.get(self.offset(position)..)?;
        if rest.starts_with("||") {
            return Some(0);
        }
        let inner = rest.strip_prefix('|')?;
        let end = inner.find('|')?;
        Some(
            inner[..end]
                .split(',')
                .filter(|name| !name.trim().is_empty())
                .count(),
        )
    }
}
