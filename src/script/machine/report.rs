//! What a fault says: where the script stood, and with which arguments.

use crate::script::fault::{Fault, describe_position};
use crate::script::rules::Rules;
use crate::script::state::State;
use crate::table::ids::{FunctionId, PlayerId};
use crate::table::{Case, Value};

use super::Machine;
use super::lists::elements;
use super::texts::text_bytes;
use super::trouble::{Trouble, overflow};

/// Most bytes of a value in a fault's list of arguments.
const MOST_WORDS: usize = 200;

impl Machine<'_, '_> {
    /// A fault at the pending decision: it cannot be gone on from here.
    pub fn stopped(&self, code: &'static str, message: String, help: &'static str) -> Fault {
        self.fault(Trouble::new(code, message).help(help))
    }

    /// The fault that what is made of a function's value for a player is too large a number.
    pub(crate) fn too_large(&self, function: FunctionId, player: PlayerId) -> Box<Fault> {
        let program = &self.rules.program;
        let span = program.spans[program.functions[function.index()].entry as usize];
        Box::new(Fault {
            span,
            trace: vec![(function, span)],
            arguments: vec![self.in_words(player.into())],
            ..self.fault(overflow())
        })
    }

    pub(super) fn fault(&self, trouble: Trouble) -> Fault {
        let trouble = trouble.words();
        let run = &self.state.run;
        let program = &self.rules.program;
        let trace: Vec<_> = run
            .frames
            .iter()
            .rev()
            .map(|frame| {
                let pc = (frame.pc as usize)
                    .saturating_sub(1)
                    .min(program.spans.len() - 1);
                (frame.function, program.spans[pc])
            })
            .collect();
        let arguments = match run.frames.last() {
            None => Vec::new(),
            Some(frame) => {
                let count = usize::from(program.functions[frame.function.index()].parameters);
                let base = frame.base as usize;
                run.stack[base.min(run.stack.len())..(base + count).min(run.stack.len())]
                    .iter()
                    .map(|value| {
                        let mut words = String::new();
                        if !write_words(self.rules, self.state, *value, &mut words, MOST_WORDS) {
                            let end = words.floor_char_boundary(MOST_WORDS);
                            words.truncate(end);
                            words.push('…');
                        }
                        words
                    })
                    .collect()
            }
        };
        Fault {
            code: trouble.code,
            message: trouble.message,
            help: trouble.help.map(str::to_owned),
            span: trace.first().map(|(_, span)| *span).unwrap_or_default(),
            trace,
            arguments,
            position: describe_position(self.rules, self.state),
            led: Vec::new(),
        }
    }

    /// A value for people, with its id where it has one.
    pub fn in_words(&self, value: Value) -> String {
        in_words(self.rules, self.state, value)
    }
}

/// A value of a state for people, with its id where it has one.
pub fn in_words(rules: &Rules, state: &State, value: Value) -> String {
    let mut words = String::new();
    write_words(rules, state, value, &mut words, usize::MAX);
    words
}

/// Writes a value for people; gives up, and says so, once there are more bytes than `most`: the
/// elements of a list may all be one long text.
pub(super) fn write_words(
    rules: &Rules,
    state: &State,
    value: Value,
    words: &mut String,
    most: usize,
) -> bool {
    match value.case() {
        Case::Unit => words.push_str("()"),
        Case::Text(text) => {
            words.push('"');
            words.push_str(&String::from_utf8_lossy(text_bytes(
                rules, &state.run, text,
            )));
            words.push('"');
        }
        Case::List(list) => {
            words.push('[');
            for (index, item) in elements(&state.run, list).iter().enumerate() {
                if index > 0 {
                    words.push_str(", ");
                }
                if !write_words(rules, state, *item, words, most) {
                    return false;
                }
            }
            words.push(']');
        }
        piece @ Case::Piece(_) => {
            let layout = rules.layout();
            words.push_str(&layout.key(state.table.declared(layout, piece.into())));
        }
        Case::Parameter(id) => {
            words.push_str(&rules.pack.parameters[id.index()].name.id);
        }
        Case::Decision(id) => words.push_str(&rules.pack.decisions[id.index()].name.id),
        Case::Statistic(id) => words.push_str(&rules.pack.statistics[id.index()].name.id),
        Case::Reason(id) => words.push_str(&rules.pack.reasons[id.index()].name.id),
        Case::Exchange(id) => words.push_str(&rules.pack.exchanges[id.index()].name.id),
        Case::Effect(id) => words.push_str(rules.pack.effects[id.index()].code.text.trim()),
        _ => words.push_str(&rules.layout().key(value)),
    }
    words.len() <= most
}
