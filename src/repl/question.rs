//! The pending question, its choices, and what is refused.

use crate::flow::Decision;
use crate::script::code::AskKind;
use crate::table::event::Event;
use crate::table::view::Viewer;

use super::answer;
use super::board::Words;
use super::narrate::{hint, reason};
use super::session::Session;
use super::text::{Line, Paint, columns, render};

impl Session {
    /// The pending question with its choices.
    pub(super) fn question(&self, long: bool) -> String {
        let Some(decision) = self.game.decision() else {
            return match self.score_lines() {
                Ok(lines) => format!("The game is over.\n{}", render(&lines, self.look)),
                Err(fault) => fault,
            };
        };
        let words = self.words(Viewer::Player(decision.player));
        let mut head = self.board().header();
        head.push("  ", Paint::Plain);
        head.push(decision.prompt.clone(), Paint::Bold);
        if let Some(what) = wanted(&decision) {
            head.push(format!(" ({what})"), Paint::Dim);
        }
        let mut lines = vec![head];
        let numbered = !answer::by_number(&decision);
        let digits = decision.choices.len().to_string().len();
        let entries: Vec<Line> = decision
            .choices
            .iter()
            .enumerate()
            .map(|(at, choice)| {
                let mut line = Line::new();
                if numbered {
                    line.push(format!("{:>digits$} ", at + 1), Paint::Bold);
                }
                for (at, part) in choice.parts.iter().enumerate() {
                    if at > 0 {
                        line.push(", ", Paint::Plain);
                    }
                    line.append(words.value(*part));
                }
                if choice.count > 1 {
                    line.push(format!(" ×{}", choice.count), Paint::Plain);
                }
                if let Some(hint) = hint(&self.game.notices, choice.offer) {
                    line.push(format!(" ({hint})"), Paint::Dim);
                }
                if long {
                    line.push(format!("  {}", choice.key), Paint::Dim);
                }
                line
            })
            .collect();
        let room = self.look.width.saturating_sub(2);
        for line in columns(&entries, 3, room) {
            let mut indented = Line::plain("  ");
            indented.append(line);
            lines.push(indented);
        }
        if long {
            let mut refused: Vec<Line> = Vec::new();
            for event in &self.game.notices {
                if let Some(line) = self.refusal(&words, event)
                    && !refused.contains(&line)
                {
                    refused.push(line);
                }
            }
            if !refused.is_empty() {
                lines.push(Line::of("Cannot be chosen:", Paint::Dim));
                for line in refused {
                    let mut indented = Line::plain("  ");
                    indented.append(line);
                    lines.push(indented);
                }
            }
        }
        render(&lines, self.look)
    }

    /// A refusal with its reason.
    pub(super) fn refusal(&self, words: &Words<'_>, event: &Event) -> Option<Line> {
        let Event::Refused { parts, .. } = event else {
            return None;
        };
        let mut line = Line::new();
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                line.push(", ", Paint::Plain);
            }
            line.append(words.value(*part));
        }
        let reason = reason(&self.game.rules, words, event)?;
        line.push(format!(": {reason}"), Paint::Plain);
        Some(line)
    }
}

/// What sort of answer is wanted, where it is not simply one of the choices.
fn wanted(decision: &Decision) -> Option<String> {
    let mut text = match decision.kind {
        AskKind::One => return None,
        AskKind::Confirm => "yes or no".to_owned(),
        AskKind::Number => format!("{} to {}", decision.least, decision.most),
        AskKind::Some => match (decision.least, decision.most) {
            (least, most) if least == most => format!("{least} of them"),
            (0, most) => format!("up to {most}"),
            (least, most) => format!("{least} to {most} of them"),
        },
    };
    if let Some((attribute, most)) = &decision.distinct {
        text.push_str(&format!(", at most {most} different {attribute}"));
    }
    Some(text)
}
