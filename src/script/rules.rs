//! Rules: a pack with its scripts lowered, ready to be played.

use crate::pack::Pack;
use crate::pack::model::ModifierOp;
use crate::table::Layout;
use crate::table::exchange::Exchange;
use crate::table::ids::FunctionId;

use super::code::Program;

/// A number known at load, or a function that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Known.
    Known(i64),
    /// Computed.
    Computed(FunctionId),
}

/// A modifier, lowered.
#[derive(Clone, Copy, Debug)]
pub struct ModifierCode {
    /// Its position in [`Pack::modifiers`].
    pub index: usize,
    /// How it changes the value.
    pub op: ModifierOp,
    /// By how much.
    pub amount: Amount,
    /// While this holds.
    pub when: Option<FunctionId>,
}

/// A parameter, lowered: its modifiers in the order in which they apply.
#[derive(Clone, Debug, Default)]
pub struct ParameterCode {
    /// Value before any modifier.
    pub base: i64,
    /// What changes it.
    pub modifiers: Vec<ModifierCode>,
}

/// A scoring term, lowered.
#[derive(Clone, Copy, Debug)]
pub struct TermCode {
    /// How many points.
    pub points: FunctionId,
    /// Only if this holds.
    pub when: Option<FunctionId>,
}

/// An exchange, lowered: resources spread over the members of their sets.
#[derive(Clone, Debug)]
pub struct ExchangeCode {
    /// For each slot, how much there is at first, and the member its function is given.
    pub starts: Vec<(Amount, Option<crate::table::Value>)>,
    /// For each slot, the most that can be had.
    pub mosts: Vec<Option<Amount>>,
    /// What the rules' amounts are.
    pub amounts: Vec<Amount>,
    /// What must be reached: slot and amount.
    pub goal: Vec<(usize, Amount)>,
    /// The rules.
    pub exchange: Exchange,
}

/// A pack that can be played.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What was read.
    pub pack: Pack,
    /// The bytecode.
    pub program: Program,
    /// The function that is the whole flow.
    pub root: FunctionId,
    /// The functions of the flow's blocks, by block.
    pub blocks: Vec<FunctionId>,
    /// Parameters by id.
    pub parameters: Vec<ParameterCode>,
    /// Parameters that were set beside the pack's files, in the order of their names.
    pub changed: Vec<(String, i64)>,
    /// Effects by id.
    pub effects: Vec<FunctionId>,
    /// Scoring terms in the pack's order.
    pub terms: Vec<TermCode>,
    /// Tie-breaks in the pack's order.
    pub ties: Vec<TermCode>,
    /// Exchanges by id.
    pub exchanges: Vec<ExchangeCode>,
}

impl Rules {
    /// What the pack's table is made of.
    pub fn layout(&self) -> &Layout {
        &self.pack.layout
    }

    /// Gives a parameter another base than its file does.
    ///
    /// # Errors
    /// When there is no such parameter, or the value is beyond its limits.
    pub fn set_parameter(&mut self, name: &str, value: i64) -> Result<(), String> {
        let known = &mut self.pack.parameters;
        let Some(index) = known.iter().position(|known| known.name.id == name) else {
            let names = known.iter().map(|known| known.name.id.as_str());
            return Err(match crate::diag::nearest(name, names) {
                Some(near) => format!("there is no parameter `{name}`; did you mean `{near}`?"),
                None => format!("there is no parameter `{name}`"),
            });
        };
        let parameter = &mut known[index];
        if parameter.least.is_some_and(|least| value < least)
            || parameter.most.is_some_and(|most| value > most)
        {
            let limits = match (parameter.least, parameter.most) {
                (Some(least), Some(most)) => format!("from {least} to {most}"),
                (Some(least), None) => format!("at least {least}"),
                (None, Some(most)) => format!("at most {most}"),
                (None, None) => "a number".to_owned(),
            };
            return Err(format!("`{name}` cannot be {value}: it must be {limits}"));
        }
        parameter.base = value;
        self.parameters[index].base = value;
        match self
            .changed
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
        {
            Ok(at) => self.changed[at].1 = value,
            Err(at) => self.changed.insert(at, (name.to_owned(), value)),
        }
        Ok(())
    }
}
