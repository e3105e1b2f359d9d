//! Why a parameter has its value: its base, what each modifier does to it, and what comes out.

use serde::Serialize;

use crate::diag::Span;
use crate::pack::model::ModifierOp;
use crate::table::ids::ParameterId;
use crate::table::{Case, Value};

use super::machine::{Io, Limits, Machine, Scratch, in_words};
use super::rules::{Amount, Rules};
use super::state::State;

/// How a parameter comes to its value; without a table, what could act on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chain {
    /// The parameter's id.
    pub parameter: String,
    /// What it means.
    pub doc: String,
    /// For which player it was asked, by key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// About what it was asked, by key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The value that the pack's files give it, before any modifier.
    pub base: i64,
    /// Where the base stands: `file:line`.
    pub place: String,
    /// What it was set to for this game, instead of the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<i64>,
    /// Where the base comes from: `printed`, `inferred`, `reconstructed` or `house rule`.
    pub provenance: &'static str,
    /// What changes it, in the order in which it applies.
    pub modifiers: Vec<Link>,
    /// What comes out; nothing without a table, or if there is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<i64>,
    /// Why nothing comes out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A modifier in a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The modifier's id.
    pub modifier: String,
    /// What it does: `set`, `add`, `min` (at least) or `max` (at most).
    pub op: &'static str,
    /// By how much, as it is written.
    pub amount: String,
    /// By how much now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// The ability that the player must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ability: Option<String>,
    /// While what holds, as it is written; nothing is always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Whether the player has the ability and that holds now; nothing without a table, or if it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The value after it, if it acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// Where it stands: `file:line`.
    pub place: String,
    /// Where it comes from.
    pub provenance: &'static str,
    /// What is wrong with it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What could act on a parameter, without a table.
pub fn declared(rules: &Rules, parameter: ParameterId) -> Chain {
    let pack = &rules.pack;
    let info = &pack.parameters[parameter.index()];
    let code = &rules.parameters[parameter.index()];
    Chain {
        parameter: info.name.id.clone(),
        doc: info.doc.clone(),
        player: None,
        subject: None,
        base: info.own_base,
        place: line_of(rules, info.span),
        set: pack
            .changed
            .iter()
            .any(|(name, _)| *name == info.name.id)
            .then_some(info.base),
        provenance: info.provenance.word(),
        modifiers: code
            .modifiers
            .iter()
            .map(|modifier| {
                let info = &pack.modifiers[modifier.index];
                Link {
                    modifier: info.name.id.clone(),
                    op: match info.op {
                        ModifierOp::Set => "set",
                        ModifierOp::Add => "add",
                        ModifierOp::Min => "min",
                        ModifierOp::Max => "max",
                    },
                    amount: info.amount.text.trim().to_owned(),
                    number: match modifier.amount {
                        Amount::Known(number) => Some(number),
                        Amount::Computed(_) => None,
                    },
                    ability: info
                        .ability
                        .map(|ability| pack.abilities[ability.index()].name.id.clone()),
                    when: info.when.as_ref().map(|when| when.text.trim().to_owned()),
                    holds: None,
                    value: None,
                    place: line_of(rules, info.span),
                    provenance: info.provenance.word(),
                    error: None,
                }
            })
            .collect(),
        result: None,
        error: None,
    }
}

/// Why a parameter has its value for a player (or nobody, `()`), about a subject (or nothing).
pub fn chain(
    rules: &Rules,
    state: &State,
    parameter: ParameterId,
    player: Value,
    subject: Value,
) -> Chain {
    let mut chain = declared(rules, parameter);
    let word = |value: Value| (value != Value::UNIT).then(|| in_words(rules, state, value));
    chain.player = word(player);
    chain.subject = word(subject);
    let about = [player, subject];
    let mut copy = state.clone();
    let (mut io, mut scratch) = (Io::default(), Scratch::default());
    let mut machine = Machine::new(rules, &mut copy, &mut io, &mut scratch, Limits::default());
    let mut value = Some(chain.set.unwrap_or(chain.base));
    let mut set_by: Option<String> = None;
    let code = &rules.parameters[parameter.index()];
    for (link, modifier) in chain.modifiers.iter_mut().zip(&code.modifiers) {
        // Without the ability the condition is not asked, as where scripts ask for the value.
        let able = modifier.holder.is_none_or(
            |holder| matches!(player.case(), Case::Player(player) if holder.is_with(&state.table, player)),
        );
        let holds = match modifier.when {
            _ if !able => Ok(false),
            None => Ok(true),
            Some(when) => match machine.evaluate(when, &about).map(Value::case) {
                Ok(Case::Bool(holds)) => Ok(holds),
                Ok(other) => Err(format!("expected a boolean, found {}", other.type_name())),
                Err(fault) => Err(fault.message),
            },
        };
        match holds {
            Ok(holds) => link.holds = Some(holds),
            Err(error) => {
                link.error = Some(error);
                value = None;
                continue;
            }
        }
        // What does not hold may have no amount either: it is not asked for.
        if link.holds != Some(true) {
            link.number = None;
            continue;
        }
        let amount = match modifier.amount {
            Amount::Known(number) => Ok(number),
            Amount::Computed(function) => match machine.evaluate(function, &about).map(Value::case)
            {
                Ok(Case::Int(number)) => Ok(number),
                Ok(other) => Err(format!("expected a number, found {}", other.type_name())),
                Err(fault) => Err(fault.message),
            },
        };
        let amount = match amount {
            Ok(amount) => amount,
            Err(error) => {
                link.error = Some(error);
                value = None;
                continue;
            }
        };
        link.number = Some(amount);
        value = match (modifier.op, value) {
            (ModifierOp::Set, value) => match &set_by {
                Some(other) => {
                    link.error = Some(format!("`{other}` has set it already"));
                    None
                }
                None => {
                    set_by = Some(link.modifier.clone());
                    value.map(|_| amount)
                }
            },
            (op, Some(value)) => op.apply(value, amount),
            (_, None) => None,
        };
        link.value = value;
    }
    // What comes out is what scripts are given, not what was added up here.
    match machine.parameter_of(parameter, player, subject) {
        Ok(result) => chain.result = Some(result),
        Err(fault) => chain.error = Some(fault.message),
    }
    chain
}

/// `file:line` of a span's start.
pub(super) fn line_of(rules: &Rules, span: Span) -> String {
    let sources = &rules.pack.sources;
    format!(
        "{}:{}",
        sources.get(span.file).name,
        sources.position(span).line
    )
}

impl Chain {
    /// The chain for people, a thing a line; what belongs to a modifier is set in below it.
    pub fn lines(&self) -> Vec<String> {
        let mut first = self.parameter.clone();
        if let Some(player) = &self.player {
            first.push_str(&format!(" of {player}"));
        }
        if let Some(subject) = &self.subject {
            first.push_str(&format!(" for {subject}"));
        }
        match (self.result, &self.error) {
            (Some(result), _) => first.push_str(&format!(" = {result}")),
            (None, Some(error)) => first.push_str(&format!(" has no value: {error}")),
            (None, None) => first.push_str(&format!(" = {}", self.set.unwrap_or(self.base))),
        }
        let mut lines = vec![first];
        if !self.doc.is_empty() {
            lines.push(format!("  {}", self.doc));
        }
        let mut rows: Vec<[String; 2]> = Vec::new();
        let mut place = self.place.clone();
        if self.provenance != "printed" {
            place.push_str(&format!(", {}", self.provenance));
        }
        rows.push([format!("base {}", self.base), place]);
        if let Some(set) = self.set {
            rows.push([format!("set to {set} for this game"), String::new()]);
        }
        for link in &self.modifiers {
            let mut place = link.place.clone();
            if link.provenance != "printed" {
                place.push_str(&format!(", {}", link.provenance));
            }
            let value = link
                .value
                .map_or(String::new(), |value| format!(" -> {value}"));
            rows.push([format!("{}: {}{value}", link.modifier, link.does()), place]);
            if let Some(holds) = link.condition() {
                rows.push([format!("    {holds}"), String::new()]);
            }
            if let Some(error) = &link.error {
                rows.push([format!("    fails: {error}"), String::new()]);
            }
        }
        let widest = rows
            .iter()
            .filter(|[_, place]| !place.is_empty())
            .map(|[text, _]| text.chars().count())
            .max()
            .unwrap_or(0);
        lines.extend(rows.into_iter().map(|[text, place]| {
            let gap = " ".repeat(widest.saturating_sub(text.chars().count()) + 2);
            format!("  {text}{gap}{place}").trim_end().to_owned()
        }));
        lines
    }
}

impl Link {
    /// What it does, while what, and where it stands, in one line.
    pub fn told(&self) -> String {
        let condition = self.condition().map(|condition| format!(", {condition}"));
        let (condition, place) = (condition.unwrap_or_default(), &self.place);
        format!("{}: {}{condition}  ({place})", self.modifier, self.does())
    }

    /// What it does, in words; the number where it is more than the text.
    fn does(&self) -> String {
        let amount = match self.number {
            Some(number) if number.to_string() != self.amount => {
                format!("{number} ({})", self.amount)
            }
            _ => self.amount.clone(),
        };
        match self.op {
            "min" => format!("at least {amount}"),
            "max" => format!("at most {amount}"),
            op => format!("{op} {amount}"),
        }
    }

    /// While what it acts, and whether that holds.
    fn condition(&self) -> Option<String> {
        let ability = self.ability.as_ref().map(|id| format!("with ability {id}"));
        let all: Vec<String> = ability.into_iter().chain(self.when.clone()).collect();
        if all.is_empty() {
            return None;
        }
        let when = all.join(", and ");
        Some(match self.holds {
            Some(true) => format!("holds: {when}"),
            Some(false) => format!("does not hold: {when}"),
            None if self.error.is_some() => format!("when {when}"),
            None => format!("while {when}"),
        })
    }
}
