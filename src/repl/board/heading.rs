//! Where the game stands, in a line: round, phase, and whose turn it is.

use crate::script::Rules;
use crate::table::ids::{BlockId, PlayerId};

use super::View;
use super::draw::Board;
use crate::repl::text::{Line, Paint};

impl Board<'_> {
    /// Round, phase and whose turn it is.
    pub fn header(&self) -> Line {
        self.header_with(|player| self.words.player(player))
    }

    pub(super) fn header_with(&self, name: impl Fn(PlayerId) -> Line) -> Line {
        let position = &self.words.state.position;
        let mut line = place(self.rules, self.view, position.round, position.phase);
        if let Some(player) = self.asked.or(position.player) {
            if !line.is_empty() {
                line.push(" · ", Paint::Dim);
            }
            line.append(name(player));
        }
        line
    }
}

/// A round and a phase in words; empty before the first of both.
pub(in crate::repl) fn place(
    rules: &Rules,
    view: &View,
    round: u16,
    phase: Option<BlockId>,
) -> Line {
    let mut line = Line::new();
    if let Some(at) = usize::from(round).checked_sub(1) {
        let name = view.rounds.get(at).map(|name| format!(": {name}"));
        let round = format!("Round {round}{}", name.unwrap_or_default());
        line.push(round, Paint::Bold);
    }
    if let Some(phase) = phase {
        if !line.is_empty() {
            line.push(" · ", Paint::Dim);
        }
        line.push(
            rules.pack.blocks[phase.index()].name.title.clone(),
            Paint::Bold,
        );
    }
    line
}
