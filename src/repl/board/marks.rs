//! Marks on what is not as it was before.

use super::draw::Board;
use super::words::Words;
use crate::repl::text::{Line, Paint};
use crate::script::State;

/// What stands behind that which is not as it was.
pub(super) const CHANGED: &str = "*";

impl<'a> Board<'a> {
    /// The board on which is marked what was not so in another state.
    pub fn marked_since(self, before: &'a State) -> Self {
        let words = &self.words;
        let viewer = words.sight.viewer();
        Self {
            before: Some(Words::new(words.layout, &before.table, self.view, viewer)),
            ..self
        }
    }

    /// The board as it was before, if that is known.
    pub(super) fn earlier(&self) -> Option<Self> {
        Some(Self {
            words: self.before?,
            before: None,
            ..*self
        })
    }
}

/// Marks the parts that were not there before; if some only went, a mark stands alone.
pub(super) fn mark_changes(parts: &mut Vec<Line>, before: &[Line]) {
    let text = |part: &Line| part.text().trim_end_matches(',').to_owned();
    let known: Vec<String> = before.iter().map(text).collect();
    let mut new = 0;
    for part in parts.iter_mut() {
        let now = text(part);
        // What stands for nothing was there before if nothing was.
        let still_nothing = now == "-" && known.is_empty();
        if !still_nothing && !known.contains(&now) {
            new += 1;
            mark(part);
        }
    }
    if new == 0 && parts.len() < known.len() {
        parts.push(Line::of(CHANGED, Paint::Bold));
    }
}

/// Columns that a part takes without its mark.
pub(super) fn unmarked_width(part: &Line) -> usize {
    let marked = part.text().len() > CHANGED.len() && part.text().ends_with(CHANGED);
    part.width() - if marked { CHANGED.len() } else { 0 }
}

/// Puts the mark at the end of a part, before its comma.
fn mark(part: &mut Line) {
    let ends = part.characters().last().map(|(last, _)| last);
    if ends == Some(',') {
        *part = part.cut(part.width() - 1);
        part.push(CHANGED, Paint::Bold);
        part.push(",", Paint::Plain);
    } else {
        part.push(CHANGED, Paint::Bold);
    }
}
