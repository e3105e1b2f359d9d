//! Better code for batches of games: what the lowering wrote plainly is said in fewer instructions.
//!
//! A function is taken apart into units: an instruction with what stands behind it in case it does not
//! apply. What is known of registers at each unit ([`known`]) turns operands into constants and copies
//! into what they are copies of; what nobody reads then ([`live`]) goes; what is left is joined
//! ([`join`]) and written down again. Games, faults and their places are the same.

mod join;
mod known;
mod live;
#[cfg(test)]
mod tests;
mod units;
mod walk;

use crate::table::Value;

use super::code::Program;

use units::Function;

/// Most rounds in which one change makes way for another.
const MOST_ROUNDS: usize = 4;

/// Constants of a program, to which more can be added.
struct Constants {
    values: Vec<Value>,
    places: rustc_hash::FxHashMap<Value, u16>,
}

impl Constants {
    fn new(values: Vec<Value>) -> Self {
        let mut places = rustc_hash::FxHashMap::default();
        for (place, value) in values.iter().enumerate() {
            places.entry(*value).or_insert(place as u16);
        }
        Self { values, places }
    }

    /// Where a value stands; nothing if there is no room for it.
    fn place(&mut self, value: Value) -> Option<u16> {
        if let Some(place) = self.places.get(&value) {
            return Some(*place);
        }
        let place = u16::try_from(self.values.len()).ok()?;
        self.values.push(value);
        self.places.insert(value, place);
        Some(place)
    }
}

/// Improves all functions of a program. What is only for those who look at running functions, statements
/// and variables, is not kept.
pub(super) fn optimise(program: &mut Program) {
    let mut constants = Constants::new(std::mem::take(&mut program.constants));
    let (mut ops, mut spans) = (Vec::new(), Vec::new());
    for at in 0..program.functions.len() {
        let mut function = Function::read(program, at);
        for _ in 0..MOST_ROUNDS {
            let known = known::improve(&mut function, &mut constants);
            let live = live::improve(&mut function);
            if !known && !live {
                break;
            }
        }
        join::join(&mut function, &constants);
        walk::walk(&mut function);
        live::improve(&mut function);
        live::drop_unread(&mut function);
        let code = &mut program.functions[at];
        code.entry = ops.len() as u32;
        function.write(&mut ops, &mut spans);
        code.length = ops.len() as u32 - code.entry;
    }
    program.ops = ops;
    program.spans = spans;
    program.constants = constants.values;
    program.statements.clear();
    program.built_in.clear();
    for signature in &mut program.signatures {
        signature.variables.clear();
    }
}
