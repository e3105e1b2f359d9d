//! Texts made by a running script.

use crate::table::value::TextRef;
use crate::table::{Case, Value};

use super::report::write_words;
use super::trouble::Trouble;
use super::{Machine, Rules, Run};

impl Machine<'_, '_> {
    pub(super) fn too_much_text(&self) -> Trouble {
        Trouble::new(
            "Y0410",
            format!(
                "all texts together are longer than {} bytes",
                self.limits.text
            ),
        )
    }

    pub(super) fn grow_text(&mut self, more: usize) -> Result<(), Trouble> {
        self.budget = self.budget.saturating_sub(more as u64 / 32);
        let bytes = self.state.run.text.len() + more;
        if bytes > self.limits.text / 2 {
            self.crowded = true;
            if bytes > self.limits.text {
                return Err(self.too_much_text());
            }
        }
        Ok(())
    }

    pub(super) fn begin_text(&self) -> usize {
        self.state.run.text.len()
    }

    pub(super) fn append_text(&mut self, part: TextRef) {
        let constants = self.rules.program.texts.len();
        let (start, len) = (part.start as usize, part.len as usize);
        if start < constants {
            self.state
                .run
                .text
                .extend_from_slice(&self.rules.program.texts[start..start + len]);
        } else {
            let from = start - constants;
            self.state.run.text.extend_from_within(from..from + len);
        }
    }

    pub(super) fn end_text(&mut self, start: usize) -> Value {
        Value::from(TextRef {
            start: (self.rules.program.texts.len() + start) as u32,
            len: (self.state.run.text.len() - start) as u32,
        })
    }

    /// A text of its own.
    pub(in crate::script) fn new_text(&mut self, text: &str) -> Result<Value, Trouble> {
        self.grow_text(text.len())?;
        let start = self.begin_text();
        self.state.run.text.extend_from_slice(text.as_bytes());
        Ok(self.end_text(start))
    }

    #[inline(never)]
    pub(super) fn interpolate(&mut self, parts: &[Value]) -> Result<Value, Trouble> {
        let mut whole = String::new();
        for value in parts.iter().copied() {
            match value.case() {
                Case::Text(text) => whole.push_str(&String::from_utf8_lossy(text_bytes(
                    self.rules,
                    &self.state.run,
                    text,
                ))),
                Case::Int(_) | Case::Bool(_) | Case::Unit | Case::List(_) => {
                    write_words(self.rules, self.state, value, &mut whole, self.limits.text);
                }
                _ => whole.push_str(&self.title(value)),
            }
            if whole.len() > self.limits.text {
                return Err(self.too_much_text());
            }
        }
        self.new_text(&whole)
    }

    pub(in crate::script) fn title(&self, value: Value) -> String {
        let layout = self.rules.layout();
        layout.title(self.state.table.declared(layout, value))
    }
}

/// The bytes of a text.
pub fn text_bytes<'a>(rules: &'a Rules, run: &'a Run, text: TextRef) -> &'a [u8] {
    let constants = rules.program.texts.len();
    let (start, len) = (text.start as usize, text.len as usize);
    if start < constants {
        &rules.program.texts[start..start + len]
    } else {
        &run.text[start - constants..start - constants + len]
    }
}
