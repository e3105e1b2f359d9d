//! What a condition always is, as far as its text and the declared numbers tell.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::pack::Pack;
use crate::table::layout::Holds;

use super::syntax::{Binary, Expression, ExpressionKind};

/// From where to where numbers go that scripts read by a name.
pub(super) struct Ranges {
    /// How many players there can be.
    players: (i64, i64),
    /// Counters and dials by name.
    named: BTreeMap<String, (i64, i64)>,
}

impl Ranges {
    /// The ranges that a pack declares. A name that more than one thing has tells nothing.
    pub(super) fn of(pack: &Pack) -> Self {
        let layout = &pack.layout;
        let counters = layout
            .counters
            .iter()
            .filter(|family| family.holds == Holds::Int)
            .map(|family| {
                let least = family.least.map_or(i64::MIN, i64::from);
                let most = family.most.map_or(i64::MAX, i64::from);
                (&family.name.id, (least, most))
            });
        let dials = layout.dials.iter().filter_map(|family| {
            let (least, most) = (family.faces.iter().min()?, family.faces.iter().max()?);
            Some((&family.name.id, (i64::from(*least), i64::from(*most))))
        });
        let kinds = layout.kinds.iter().flat_map(|kind| &kind.attributes);
        let graphs = layout.graphs.iter().flat_map(|graph| &graph.attributes);
        let sets = layout.set_attributes.iter().flatten();
        let attributes: Vec<&String> = kinds
            .chain(graphs)
            .chain(sets)
            .map(|attribute| &layout.properties[attribute.property.index()])
            .collect();
        let named: Vec<_> = counters.chain(dials).collect();
        let alone = |id: &String| {
            let many = named.iter().filter(|(other, _)| *other == id).count();
            many == 1 && !attributes.contains(&id)
        };
        Self {
            players: (layout.min_players.into(), layout.max_players.into()),
            named: named
                .iter()
                .filter(|(id, _)| alone(id))
                .map(|(id, range)| ((*id).clone(), *range))
                .collect(),
        }
    }

    /// Between which numbers the value of an expression is, if that is declared or written out.
    fn range(&self, expression: &Expression) -> Option<(i64, i64)> {
        match &expression.kind {
            ExpressionKind::Property(_, name) => self.named.get(name).copied(),
            ExpressionKind::Call {
                name, arguments, ..
            } if name == "len" => match arguments.as_slice() {
                [
                    Expression {
                        kind: ExpressionKind::Call { name, .. },
                        ..
                    },
                ] if name == "players" => Some(self.players),
                _ => None,
            },
            _ => number(expression).map(|number| (number, number)),
        }
    }
}

/// What a condition always is, if that can be told without running anything.
pub(super) fn known(condition: &Expression, ranges: &Ranges) -> Option<bool> {
    let known = |condition: &Expression| known(condition, ranges);
    match &condition.kind {
        ExpressionKind::Bool(value) => Some(*value),
        ExpressionKind::Not(inner) => known(inner).map(|value| !value),
        ExpressionKind::And(list) => {
            let parts: Vec<Option<bool>> = list.iter().map(known).collect();
            if parts.contains(&Some(false)) || contradict(list) || opposed(list) {
                Some(false)
            } else {
                parts.iter().all(|part| *part == Some(true)).then_some(true)
            }
        }
        ExpressionKind::Or(list) => {
            let parts: Vec<Option<bool>> = list.iter().map(known).collect();
            if parts.contains(&Some(true)) || opposed(list) {
                Some(true)
            } else {
                parts
                    .iter()
                    .all(|part| *part == Some(false))
                    .then_some(false)
            }
        }
        ExpressionKind::Binary(operator, a, b) => match (ranges.range(a), ranges.range(b)) {
            _ if path(a).is_some() && path(a) == path(b) => compare(*operator, Ordering::Equal),
            (Some(a), Some(b)) => compare_ranges(*operator, a, b),
            _ => None,
        },
        ExpressionKind::Contains(list, _) => match &list.kind {
            ExpressionKind::List(elements) if elements.is_empty() => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// What a comparison gives, if the operator is one.
fn compare(operator: Binary, order: Ordering) -> Option<bool> {
    Some(match operator {
        Binary::Eq => order.is_eq(),
        Binary::Ne => order.is_ne(),
        Binary::Lt => order.is_lt(),
        Binary::Le => order.is_le(),
        Binary::Gt => order.is_gt(),
        Binary::Ge => order.is_ge(),
        _ => return None,
    })
}

/// What a comparison gives for all numbers of two ranges, if it gives the same for all.
fn compare_ranges(operator: Binary, a: (i64, i64), b: (i64, i64)) -> Option<bool> {
    let orders = match (a.0.cmp(&b.1), a.1.cmp(&b.0)) {
        (Ordering::Greater, _) => vec![Ordering::Greater],
        (_, Ordering::Less) => vec![Ordering::Less],
        (Ordering::Equal, Ordering::Equal) => vec![Ordering::Equal],
        (Ordering::Equal, _) => vec![Ordering::Equal, Ordering::Greater],
        (_, Ordering::Equal) => vec![Ordering::Equal, Ordering::Less],
        _ => return None,
    };
    let mut given = orders.into_iter().map(|order| compare(operator, order));
    let first = given.next()??;
    given.all(|other| other == Some(first)).then_some(first)
}

/// Whether one of some conditions is the opposite of another.
fn opposed(conditions: &[Expression]) -> bool {
    conditions.iter().any(|condition| {
        let ExpressionKind::Not(inner) = &condition.kind else {
            return false;
        };
        let inner = path(inner);
        inner.is_some() && conditions.iter().any(|other| path(other) == inner)
    })
}

/// A number that is written out.
fn number(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Int(value) => Some(*value),
        ExpressionKind::Negate(inner) => number(inner)?.checked_neg(),
        _ => None,
    }
}

/// A text that is the same for expressions that are the same within one condition: variables, constants
/// and properties.
fn path(expression: &Expression) -> Option<String> {
    Some(match &expression.kind {
        ExpressionKind::Name(name) => name.clone(),
        ExpressionKind::Constant(module, name) => format!("{module}::{name}"),
        ExpressionKind::Property(inner, name) => format!("{}.{name}", path(inner)?),
        ExpressionKind::Index(inner, index) => format!("{}[{}]", path(inner)?, path(index)?),
        _ => return None,
    })
}

/// Whether conditions that must all hold leave no value to something that they compare with numbers, or
/// want it to be two different constants.
fn contradict(conditions: &[Expression]) -> bool {
    let mut bounds: Vec<(String, i64, i64)> = Vec::new();
    let mut equals: Vec<(String, String)> = Vec::new();
    for condition in conditions {
        let ExpressionKind::Binary(operator, a, b) = &condition.kind else {
            continue;
        };
        let (what, operator, value) = match (path(a), number(b), number(a), path(b)) {
            (Some(what), Some(value), ..) => (what, *operator, value),
            (_, _, Some(value), Some(what)) => (what, mirrored(*operator), value),
            (Some(what), _, _, Some(constant)) if *operator == Binary::Eq => {
                let is_constant = matches!(b.kind, ExpressionKind::Constant(..));
                let other =
                    |(known, value): &(String, String)| *known == what && *value != constant;
                if is_constant && equals.iter().any(other) {
                    return true;
                }
                if is_constant {
                    equals.push((what, constant));
                }
                continue;
            }
            _ => continue,
        };
        let (least, most) = match operator {
            Binary::Eq => (value, value),
            Binary::Lt => (i64::MIN, value.saturating_sub(1)),
            Binary::Le => (i64::MIN, value),
            Binary::Gt => (value.saturating_add(1), i64::MAX),
            Binary::Ge => (value, i64::MAX),
            _ => continue,
        };
        match bounds.iter_mut().find(|(known, ..)| *known == what) {
            Some((_, low, high)) => {
                (*low, *high) = ((*low).max(least), (*high).min(most));
                if low > high {
                    return true;
                }
            }
            None => bounds.push((what, least, most)),
        }
    }
    false
}

/// The operator with its sides exchanged.
fn mirrored(operator: Binary) -> Binary {
    match operator {
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        other => other,
    }
}
