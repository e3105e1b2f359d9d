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

/// What stands directly inside an expression or a statement.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// An expression.
    Expression(&'a Expression),
    /// Statements with a scope of their own.
    Body(&'a [Statement]),
}

impl Part<'_> {
    /// Whether it can change the variable with a name.
    fn returns(self) -> bool {
        match self {
            Self::Expression(inner) => inner.parts().any(Part::returns),
            Self::Body(body) => returns(body),
        }
    }

    fn weight(self) -> usize {
        match self {
            Self::Expression(inner) => 1 + inner.parts().map(Part::weight).sum::<usize>(),
            Self::Body(body) => weight(body),
        }
    }

    fn changes(self, name: &str) -> bool {
        match self {
            Self::Expression(inner) => inner.changes(name),
            Self::Body(body) => changes(body, name),
        }
    }
}

impl Expression {
    /// What stands directly inside, in the order in which it is written.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let mut list: &[Self] = &[];
        let mut single: [Option<&Self>; 2] = [None, None];
        let mut bodies: [Option<&[Statement]>; 2] = [None, None];
        match &self.kind {
            ExpressionKind::Unit
            | ExpressionKind::Bool(_)
            | ExpressionKind::Int(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Constant(..)
            | ExpressionKind::Refused => {}
            ExpressionKind::Interpolated(all)
            | ExpressionKind::List(all)
            | ExpressionKind::And(all)
            | ExpressionKind::Or(all)
            | ExpressionKind::Call { arguments: all, .. } => list = all,
            ExpressionKind::Property(inner, _)
            | ExpressionKind::Negate(inner)
            | ExpressionKind::Not(inner) => single[0] = Some(inner),
            ExpressionKind::Index(a, b)
            | ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Contains(a, b)
            | ExpressionKind::Range(a, b, _) => single = [Some(a), Some(b)],
            ExpressionKind::Closure(_, body) | ExpressionKind::Block(body) => {
                bodies[0] = Some(body);
            }
            ExpressionKind::If(condition, then, otherwise) => {
                single[0] = Some(condition);
                bodies = [Some(then), Some(otherwise)];
            }
        }
        let expressions = list.iter().chain(single.into_iter().flatten());
        expressions
            .map(Part::Expression)
            .chain(bodies.into_iter().flatten().map(Part::Body))
    }

    /// Whether evaluating this can change the variable with a name.
    pub fn changes(&self, name: &str) -> bool {
        if let ExpressionKind::Call {
            name: called,
            arguments,
            ..
        } = &self.kind
            && matches!(called.as_str(), "push" | "pop")
            && arguments.first().is_some_and(|list| list.is_in(name))
        {
            return true;
        }
        self.parts().any(|part| part.changes(name))
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

impl Statement {
    /// What stands directly inside, in the order in which it is written.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let (single, body): ([Option<&Expression>; 2], Option<&[Statement]>) = match &self.kind {
            StatementKind::Let { value, .. } => ([Some(value), None], None),
            StatementKind::Assign { target, value, .. } => ([Some(target), Some(value)], None),
            StatementKind::Expression(inner) => ([Some(inner), None], None),
            StatementKind::While(condition, body) => ([condition.as_ref(), None], Some(body)),
            StatementKind::For { sequence, body, .. } => ([Some(sequence), None], Some(body)),
            StatementKind::Return(value) => ([value.as_ref(), None], None),
            StatementKind::Break | StatementKind::Continue | StatementKind::Nothing => {
                ([None, None], None)
            }
        };
        let expressions = single.into_iter().flatten().map(Part::Expression);
        expressions.chain(body.map(Part::Body))
    }
}

/// Whether statements can change the variable with a name. One that is declared inside with the same
/// name counts as well.
pub fn changes(statements: &[Statement], name: &str) -> bool {
    statements.iter().any(|statement| {
        let assigned = match &statement.kind {
            StatementKind::Assign { target, .. } => target.is_in(name),
            _ => false,
        };
        assigned || statement.parts().any(|part| part.changes(name))
    })
}

/// Whether a `return` stands in statements.
pub fn returns(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| {
        matches!(statement.kind, StatementKind::Return(_)) || statement.parts().any(Part::returns)
    })
}

/// How many expressions and statements stand in statements.
pub fn weight(statements: &[Statement]) -> usize {
    let parts = statements.iter().flat_map(Statement::parts);
    statements.len() + parts.map(Part::weight).sum::<usize>()
}
