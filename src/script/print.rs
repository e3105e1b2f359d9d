//! Expressions as text again, for those who are told about them.

use super::syntax::{Expression, ExpressionKind, Statement};

/// How tightly an expression holds together: a weaker one inside a stronger needs brackets.
fn strength(kind: &ExpressionKind) -> u8 {
    use super::syntax::Binary;
    match kind {
        ExpressionKind::Or(_) => 1,
        ExpressionKind::And(_) => 2,
        ExpressionKind::Binary(Binary::Eq | Binary::Ne, ..) => 3,
        ExpressionKind::Contains(..) => 4,
        ExpressionKind::Binary(Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge, ..) => 5,
        ExpressionKind::Binary(Binary::Add | Binary::Sub, ..) => 6,
        ExpressionKind::Binary(Binary::Mul | Binary::Div | Binary::Rem, ..) => 7,
        ExpressionKind::Not(_) | ExpressionKind::Negate(_) => 8,
        _ => 9,
    }
}

/// An expression as it could be written, on one line. What is inside of blocks is left out.
pub(super) fn expression(expression: &Expression) -> String {
    text(&expression.kind)
}

/// An expression inside another, in brackets if it is weaker than wanted.
fn inner(expression: &Expression, least: u8) -> String {
    let text = text(&expression.kind);
    match strength(&expression.kind) < least {
        true => format!("({text})"),
        false => text,
    }
}

fn list(list: &[Expression]) -> String {
    let each: Vec<String> = list.iter().map(expression).collect();
    each.join(", ")
}

fn chain(parts: &[Expression], symbol: &str, least: u8) -> String {
    let each: Vec<String> = parts.iter().map(|part| inner(part, least + 1)).collect();
    each.join(symbol)
}

fn body(statements: &[Statement]) -> String {
    use super::syntax::StatementKind;
    match statements {
        [] => "{ }".to_owned(),
        [
            Statement {
                kind: StatementKind::Expression(only),
                ..
            },
        ] => expression(only),
        _ => "{ … }".to_owned(),
    }
}

fn text(kind: &ExpressionKind) -> String {
    match kind {
        ExpressionKind::Unit => "()".to_owned(),
        ExpressionKind::Bool(value) => value.to_string(),
        ExpressionKind::Int(value) => value.to_string(),
        ExpressionKind::Text(text) => format!("{text:?}"),
        ExpressionKind::Interpolated(parts) => {
            let mut whole = String::from("`");
            for part in parts {
                match &part.kind {
                    ExpressionKind::Text(text) => whole.push_str(text),
                    _ => whole.push_str(&format!("${{{}}}", expression(part))),
                }
            }
            whole.push('`');
            whole
        }
        ExpressionKind::List(items) => format!("[{}]", list(items)),
        ExpressionKind::Name(name) => name.clone(),
        ExpressionKind::Constant(module, name) => format!("{module}::{name}"),
        ExpressionKind::Property(of, name) => format!("{}.{name}", inner(of, 9)),
        ExpressionKind::Index(of, at) => format!("{}[{}]", inner(of, 9), expression(at)),
        ExpressionKind::Call {
            name,
            arguments,
            method: true,
        } if !arguments.is_empty() => {
            format!(
                "{}.{name}({})",
                inner(&arguments[0], 9),
                list(&arguments[1..])
            )
        }
        ExpressionKind::Call {
            name, arguments, ..
        } => format!("{name}({})", list(arguments)),
        ExpressionKind::Binary(operator, a, b) => {
            let least = strength(kind);
            format!(
                "{} {} {}",
                inner(a, least),
                operator.symbol(),
                inner(b, least + 1)
            )
        }
        ExpressionKind::Negate(of) => format!("-{}", inner(of, 8)),
        ExpressionKind::Not(of) => format!("!{}", inner(of, 8)),
        ExpressionKind::And(parts) => chain(parts, " && ", 2),
        ExpressionKind::Or(parts) => chain(parts, " || ", 1),
        ExpressionKind::Contains(of, item) => format!("{} in {}", inner(item, 5), inner(of, 5)),
        ExpressionKind::Range(from, to, inclusive) => {
            let dots = if *inclusive { "..=" } else { ".." };
            format!("{}{dots}{}", inner(from, 6), inner(to, 6))
        }
        ExpressionKind::Closure(names, statements) => {
            format!("|{}| {}", names.join(", "), body(statements))
        }
        ExpressionKind::Block(statements) => body(statements),
        ExpressionKind::If(condition, ..) => format!("if {} {{ … }}", expression(condition)),
        ExpressionKind::Refused => "…".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse_snippet;
    use super::super::syntax::StatementKind;
    use super::*;
    use crate::diag::{Report, Sources, Span};

    #[track_caller]
    fn check(written: &str, expected: &str) {
        let mut sources = Sources::new();
        let file = sources.add("x", written);
        let mut report = Report::new();
        let span = Span::new(file, 0, written.len());
        let statements = parse_snippet(&sources, span, written, &mut report);
        assert!(report.diagnostics.is_empty(), "{written}");
        let StatementKind::Expression(only) = &statements[0].kind else {
            panic!("`{written}` is no expression");
        };
        assert_eq!(expression(only), expected);
    }

    #[test]
    fn expressions_are_written_with_the_brackets_that_they_need() {
        for same in [
            "a + b * c",
            "(a + b) * c",
            "a - (b - c)",
            "a && (b || c)",
            "a && b || c",
            "!(a == b)",
            "!a.open[b.kind]",
            "-a",
            "a in b.list",
            "me.hand.some(|card| card.hue == hue::amber)",
            "[a, 2, \"x\"]",
            "f(a, g())",
            "(a + b).len()",
            "`${a} of ${b}`",
        ] {
            check(same, same);
        }
        check("((a))+(b*c)", "a + b * c");
        check("a.map(|x| { let y = x; y })", "a.map(|x| { … })");
    }
}
