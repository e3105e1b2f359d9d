//! Errors of running scripts.

use crate::diag::{Diagnostic, Span};
use crate::table::ids::FunctionId;

use super::rules::Rules;
use super::state::State;

/// A script failed. The state it failed in is to be thrown away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Stable code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it, if there is something to say.
    pub help: Option<String>,
    /// Where.
    pub span: Span,
    /// Who called whom, the innermost first: function and place of the call in it.
    pub trace: Vec<(FunctionId, Span)>,
    /// The arguments of the innermost function, in words.
    pub arguments: Vec<String>,
    /// Where the game stood, in words.
    pub position: String,
    /// What led there, a thing a line: the answer that was given, changes of the table by hand.
    pub led: Vec<String>,
}

/// Whether what runs has no name and is described instead: an expression of data, or one that was typed.
fn is_described(name: &str) -> bool {
    name.contains(' ')
}

/// What runs, by its name or in words.
fn called(name: &str) -> String {
    match is_described(name) {
        true => name.to_owned(),
        false => format!("`{name}`"),
    }
}

impl Fault {
    /// The fault as a diagnostic with its excerpt.
    pub fn diagnostic(&self, rules: &Rules) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code, self.span, self.message.clone());
        for (depth, (function, span)) in self.trace.iter().enumerate().skip(1).take(6) {
            let inner = &rules.program.functions[self.trace[depth - 1].0.index()].name;
            let outer = &rules.program.functions[function.index()].name;
            let text = format!("{} calls {} here", called(outer), called(inner));
            // What calls itself does so at the same place again and again.
            if !diagnostic
                .others
                .iter()
                .any(|other| other.span == *span && other.text == text)
            {
                diagnostic = diagnostic.other(*span, text);
            }
        }
        if let Some((function, _)) = self.trace.first() {
            let name = &rules.program.functions[function.index()].name;
            let place = match is_described(name) {
                true => name.clone(),
                false => format!("`{name}({})`", self.arguments.join(", ")),
            };
            diagnostic = diagnostic.help(format!("in {place}, {}", self.position));
        }
        for led in &self.led {
            diagnostic = diagnostic.help(led.clone());
        }
        if let Some(help) = &self.help {
            diagnostic = diagnostic.help(help.clone());
        }
        diagnostic
    }
}

/// Where a game stands, in words: round, phase, step, player.
pub fn describe_position(rules: &Rules, state: &State) -> String {
    let position = &state.table.position;
    let mut parts = Vec::new();
    if position.round > 0 {
        parts.push(format!("round {}", position.round));
    }
    if let Some(phase) = position.phase {
        parts.push(rules.pack.blocks[phase.index()].name.id.clone());
    }
    if let Some(step) = position.step {
        parts.push(format!(
            "step {}",
            rules.program.functions[step.index()].name
        ));
    }
    if let Some(player) = position.player {
        parts.push(format!("player {}", player.0 + 1));
    }
    if parts.is_empty() {
        "before the first step".to_owned()
    } else {
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_name_is_quoted_and_what_is_described_is_not() {
        assert_eq!(called("work"), "`work`");
        assert_eq!(called("the points of `coins`"), "the points of `coins`");
    }
}
