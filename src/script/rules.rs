//! Rules: a pack with its scripts lowered, ready to be played.

use crate::diag::Report;
use crate::pack::Pack;
use crate::pack::model::ModifierOp;
use crate::table::exchange::Exchange;
use crate::table::ids::FunctionId;
use crate::table::{Layout, Value};

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

/// A row of numbers, some of which must be computed.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The numbers, 0 for those that are computed.
    pub known: Vec<i64>,
    /// What is computed: where it goes, the function, and the member that it is given.
    pub computed: Vec<(usize, FunctionId, Value)>,
}

impl Numbers {
    /// Adds a number; returns its position.
    pub(super) fn push(&mut self, amount: Amount, member: Value) -> usize {
        let place = self.known.len();
        match amount {
            Amount::Known(value) => self.known.push(value),
            Amount::Computed(function) => {
                self.known.push(0);
                self.computed.push((place, function, member));
            }
        }
        place
    }
}

/// An exchange, lowered: resources spread over the members of their sets.
#[derive(Clone, Debug)]
pub struct ExchangeCode {
    /// For each slot, how much there is at first.
    pub starts: Numbers,
    /// For each slot, the most that can be had.
    pub mosts: Numbers,
    /// What the rules' amounts are; no two of them are the same text about the same member.
    pub amounts: Numbers,
    /// The slots of the goal, and how much of each must be reached.
    pub goal: (Vec<usize>, Numbers),
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
    /// For each node, those next to it.
    pub neighbours: Vec<Vec<Value>>,
    /// Whether counters return to their starts at each step.
    pub step_counters: bool,
    /// Parameters by id.
    pub parameters: Vec<ParameterCode>,
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

    /// These rules with other numbers: the pack is lowered again, because numbers that nothing modifies
    /// are built into its scripts.
    ///
    /// # Errors
    /// When there is no such parameter, or a value is beyond its limits.
    pub fn with_parameters<'a>(
        &self,
        parameters: impl IntoIterator<Item = (&'a str, i64)>,
    ) -> Result<Self, String> {
        let mut pack = self.pack.clone();
        for (name, value) in parameters {
            pack.set_parameter(name, value)?;
        }
        let mut report = Report::new();
        super::lower(pack, &mut report)
            .ok_or_else(|| "the pack cannot be lowered with these parameters".to_owned())
    }
}
