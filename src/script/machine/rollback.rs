//! What is put back afterwards: the table after `what_if`, registers and lists after speaking.

use crate::script::code::WINDOW;
use crate::table::Value;

use super::Machine;
use super::trouble::Trouble;

/// What remembering a table is counted as.
const SAVE: usize = 256;

/// Most `what_if` inside each other.
const MOST_WHAT_IFS: usize = 8;

/// What is put back when somebody has been told something.
#[derive(Debug)]
pub(super) struct Speech {
    registers: [Value; WINDOW],
    heap: usize,
    text: usize,
}

impl Machine<'_, '_> {
    /// Remembers the table.
    #[inline(never)]
    pub(super) fn begin_what_if(&mut self) -> Result<(), Trouble> {
        let table = &self.state.table;
        let size = table.cells.len() + table.pieces.len();
        self.pay(SAVE + size / 4);
        let scratch = &mut *self.scratch;
        if scratch.what_ifs >= MOST_WHAT_IFS {
            return Err(Trouble::new("Y0405", "`what_if` is nested too deeply"));
        }
        match scratch.saved.get_mut(scratch.what_ifs) {
            Some(saved) => saved.clone_from(&self.state.table),
            None => scratch.saved.push(self.state.table.clone()),
        }
        scratch.what_ifs += 1;
        Ok(())
    }

    /// The table is again as it was when the innermost `what_if` began.
    pub(super) fn end_what_if(&mut self) {
        let scratch = &mut *self.scratch;
        scratch.what_ifs -= 1;
        std::mem::swap(&mut self.state.table, &mut scratch.saved[scratch.what_ifs]);
    }

    /// Remembers what speaking may use. Kept apart from the instructions, since it needs much room.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_speech(&mut self, registers: &[Value; WINDOW]) {
        self.scratch.speeches.push(Speech {
            registers: *registers,
            heap: self.state.run.heap.len(),
            text: self.state.run.text.len(),
        });
    }

    /// Puts back what speaking used.
    #[cold]
    #[inline(never)]
    pub(super) fn end_speech(&mut self, registers: &mut [Value; WINDOW]) {
        if let Some(speech) = self.scratch.speeches.pop() {
            *registers = speech.registers;
            self.state.run.heap.truncate(speech.heap);
            self.state.run.text.truncate(speech.text);
        }
    }
}
