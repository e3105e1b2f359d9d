//! The tree of our subset of Rhai, free of Rhai's own types.

use crate::diag::Span;

/// A script function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Names of its parameters.
    pub parameters: Vec<String>,
    /// Its statements; the last one's value is returned.
    pub body: Vec<Statement>,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The token that says best where it is: an operator, a name, a bracket.
    pub span: Span,
    /// What it is.
    pub kind: ExpressionKind,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, towards zero
    Div,
    /// `%`, with the sign of the left side
    Rem,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Binary {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// The operator written so, if it is one of ours.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Some(match symbol {
            "+" => Self::Add,
            "-" => Self::Sub,
            "*" => Self::Mul,
            "/" => Self::Div,
            "%" => Self::Rem,
            "==" => Self::Eq,
            "!=" => Self::Ne,
            "<" => Self::Lt,
            "<=" => Self::Le,
            ">" => Self::Gt,
            ">=" => Self::Ge,
            _ => return None,
        })
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// `()`
    Unit,
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
    /// A text with values in it.
    Interpolated(Vec<Expression>),
    /// `[a, b]`
    List(Vec<Expression>),
    /// A variable.
    Name(String),
    /// `module::name`
    Constant(String, String),
    /// `a.name`
    Property(Box<Expression>, String),
    /// `a[b]`
    Index(Box<Expression>, Box<Expression>),
    /// `name(a, b)`, or `a.name(b)` with the receiver first.
    Call {
        /// What is called.
        name: String,
        /// The arguments.
        arguments: Vec<Expression>,
        /// Whether it was written as a method.
        method: bool,
    },
    /// `a + b` and the like.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `-a`
    Negate(Box<Expression>),
    /// `!a`
    Not(Box<Expression>),
    /// `a && b`
    And(Vec<Expression>),
    /// `a || b`
    Or(Vec<Expression>),
    /// `x in list`: the list first.
    Contains(Box<Expression>, Box<Expression>),
    /// `a..b` (or `a..=b` if inclusive), in a `for` only.
    Range(Box<Expression>, Box<Expression>, bool),
    /// `|x| ...`
    Closure(Vec<String>, Vec<Statement>),
    /// `{ ... }` as a value.
    Block(Vec<Statement>),
    /// `if a { } else { }`
    If(Box<Expression>, Vec<Statement>, Vec<Statement>),
    /// What was refused already; it stands here so that the rest is still looked at.
    Refused,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it begins.
    pub span: Span,
    /// What it is.
    pub kind: StatementKind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `let name = value` or `const name = value`
    Let {
        /// The variable.
        name: String,
        /// Where its name stands.
        name_span: Span,
        /// Its first value.
        value: Expression,
        /// Whether it cannot be assigned to.
        constant: bool,
    },
    /// `target = value`, `target += value`
    Assign {
        /// A variable, a property or an element.
        target: Expression,
        /// The operator of a compound assignment.
        operator: Option<Binary>,
        /// The value.
        value: Expression,
    },
    /// An expression; its value counts if it is the last of its block.
    Expression(Expression),
    /// `while condition { }`, or `loop { }` without one.
    While(Option<Expression>, Vec<Statement>),
    /// `for name in sequence { }`
    For {
        /// The variable.
        name: String,
        /// Where its name stands.
        name_span: Span,
        /// What it runs over.
        sequence: Expression,
        /// What is done.
        body: Vec<Statement>,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return value`
    Return(Option<Expression>),
    /// Nothing.
    Nothing,
}

impl Expression {
    /// Whether evaluating this can change the variable with a name.
    pub fn changes(&self, name: &str) -> bool {
        let any = |list: &[Self]| list.iter().any(|inner| inner.changes(name));
        match &self.kind {
            ExpressionKind::Unit
            | ExpressionKind::Bool(_)
            | ExpressionKind::Int(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Constant(..)
            | ExpressionKind::Refused => false,
            ExpressionKind::Interpolated(list)
            | ExpressionKind::List(list)
            | ExpressionKind::And(list)
            | ExpressionKind::Or(list) => any(list),
            ExpressionKind::Property(inner, _)
            | ExpressionKind::Negate(inner)
            | ExpressionKind::Not(inner) => inner.changes(name),
            ExpressionKind::Index(a, b)
            | ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Contains(a, b)
            | ExpressionKind::Range(a, b, _) => a.changes(name) || b.changes(name),
            ExpressionKind::Call {
                name: called,
                arguments,
                ..
            } => {
                let grows = matches!(called.as_str(), "push" | "pop");
                grows && arguments.first().is_some_and(|list| list.is_in(name)) || any(arguments)
            }
            ExpressionKind::Closure(_, body) | ExpressionKind::Block(body) => changes(body, name),
            ExpressionKind::If(condition, then, otherwise) => {
                condition.changes(name) || changes(then, name) || changes(otherwise, name)
            }
        }
    }

    /// Whether this is the variable with a name, or an element of it.
    fn is_in(&self, name: &str) -> bool {
        match &self.kind {
            ExpressionKind::Name(own) => own == name,
            ExpressionKind::Index(inner, _) => inner.is_in(name),
            _ => false,
        }
    }
}

/// Whether statements can change the variable with a name. One that is declared inside with the same
/// name counts as well.
pub fn changes(statements: &[Statement], name: &str) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Let { value, .. } => value.changes(name),
        StatementKind::Assign { target, value, .. } => {
            target.is_in(name) || target.changes(name) || value.changes(name)
        }
        StatementKind::Expression(inner) => inner.changes(name),
        StatementKind::While(condition, body) => {
            condition.as_ref().is_some_and(|inner| inner.changes(name)) || changes(body, name)
        }
        StatementKind::For { sequence, body, .. } => sequence.changes(name) || changes(body, name),
        StatementKind::Return(value) => value.as_ref().is_some_and(|inner| inner.changes(name)),
        StatementKind::Break | StatementKind::Continue | StatementKind::Nothing => false,
    })
}
