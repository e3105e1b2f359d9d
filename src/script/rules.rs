//! Rules: a pack with its scripts lowered, ready to be played.

use crate::diag::Report;
use crate::pack::model::ModifierOp;
use crate::pack::{Pack, Selection};
use crate::table::exchange::Exchange;
use crate::table::ids::{EventId, FunctionId, PieceId, PlayerId, ZoneFamilyId, ZoneId};
use crate::table::layout::ShapeId;
use crate::table::{Case, Layout, TableState, Value};

use super::code::Program;
use super::lower::Calls;
use super::optimise::optimise;

/// A number known at load, or a function that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Known.
    Known(i64),
    /// Computed.
    Computed(FunctionId),
}

/// Where the piece of an ability must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The piece.
    pub piece: PieceId,
    /// The zone of the first player; those of the others follow it.
    pub zone: ZoneId,
}

impl Holder {
    /// Whether a player has the ability.
    pub fn is_with(self, table: &TableState, player: PlayerId) -> bool {
        table.pieces[self.piece.index()].zone.0 == self.zone.0 + u16::from(player.0)
    }
}

/// A modifier, lowered.
#[derive(Clone, Copy, Debug)]
pub struct ModifierCode {
    /// Its position in [`Pack::modifiers`].
    pub index: usize,
    /// Only for who has this.
    pub holder: Option<Holder>,
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

/// What a scoring term counts, lowered.
#[derive(Clone, Debug)]
pub struct TallyCode {
    /// The zones.
    pub zone: ZoneFamilyId,
    /// Attributes, by position, and the values they must have.
    pub with: Vec<(usize, Value)>,
    /// What must hold for a player and a piece.
    pub which: Option<FunctionId>,
    /// The attribute whose different values are counted.
    pub distinct: Option<usize>,
    /// So many at least.
    pub least: i64,
    /// So many count as one.
    pub every: i64,
    /// Whether the points come once.
    pub flat: bool,
}

/// What an ability does at an event, lowered.
#[derive(Clone, Copy, Debug)]
pub struct TriggerCode {
    /// The event.
    pub event: EventId,
    /// The ability, by its position.
    pub ability: u16,
    /// Only if this holds for the player and the subject.
    pub when: Option<FunctionId>,
    /// What it does.
    pub effect: FunctionId,
}

/// A scoring term, lowered.
#[derive(Clone, Debug)]
pub struct TermCode {
    /// Only for who has this.
    pub holder: Option<Holder>,
    /// What is counted; the points are for each.
    pub count: Option<TallyCode>,
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

/// What quick instructions need of a declared piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceRow {
    /// The shape of its kind.
    pub shape: ShapeId,
    /// Which others it cannot be told from.
    pub class: u16,
    /// Its first attribute in [`Rules::attributes`].
    pub first: u32,
}

/// A pack that can be played.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What was read.
    pub pack: Pack,
    /// The bytecode.
    pub program: Program,
    /// The table as the box is opened; the players and the seed are still to be said.
    pub opening: TableState,
    /// The function that is the whole flow.
    pub root: FunctionId,
    /// The functions of the flow's blocks, by block.
    pub blocks: Vec<FunctionId>,
    /// For each declared piece, what is often asked of it.
    pub pieces: Vec<PieceRow>,
    /// The fixed attributes of all declared pieces, one piece after the other.
    pub attributes: Vec<Value>,
    /// For each node, those next to it.
    pub neighbours: Vec<Vec<Value>>,
    /// Whether counters return to their starts at each step.
    pub step_counters: bool,
    /// Parameters by id.
    pub parameters: Vec<ParameterCode>,
    /// Effects by id.
    pub effects: Vec<FunctionId>,
    /// Where the pieces of abilities must lie, by ability.
    pub abilities: Vec<Holder>,
    /// What abilities do at events.
    pub triggers: Vec<TriggerCode>,
    /// Scoring terms in the pack's order.
    pub terms: Vec<TermCode>,
    /// Tie-breaks in the pack's order.
    pub ties: Vec<TermCode>,
    /// How well a player stands, for bots.
    pub evaluate: Option<FunctionId>,
    /// Exchanges by id.
    pub exchanges: Vec<ExchangeCode>,
}

impl Rules {
    /// What the pack's table is made of.
    pub fn layout(&self) -> &Layout {
        &self.pack.layout
    }

    /// What they have of their pack besides its base game.
    pub fn selection(&self) -> Selection {
        let variants = self.pack.variants.iter();
        Selection {
            variants: variants.map(|variant| variant.id.clone()).collect(),
            parameters: self.pack.changed.clone(),
        }
    }

    /// These rules lowered for batches of games: small functions stand in the place of their calls. The
    /// games are the same; errors tell fewer of the functions that were running.
    #[must_use]
    pub fn inlined(&self) -> Self {
        let lowered =
            super::lower::lower_with(self.pack.clone(), Calls::Inlined, &mut Report::new());
        let Some(mut rules) = lowered else {
            return self.clone();
        };
        optimise(&mut rules.program);
        rules.settle();
        rules
    }

    /// What is computed, and turns out to be always the same, is known from now on.
    fn settle(&mut self) {
        let Self {
            program,
            parameters,
            exchanges,
            ..
        } = self;
        let known = |function: FunctionId| match program.constant(function).map(Value::case) {
            Some(Case::Int(value)) => Some(value),
            _ => None,
        };
        for modifier in parameters.iter_mut().flat_map(|code| &mut code.modifiers) {
            if let Amount::Computed(function) = modifier.amount
                && let Some(value) = known(function)
            {
                modifier.amount = Amount::Known(value);
            }
        }
        for exchange in exchanges {
            let (starts, mosts) = (&mut exchange.starts, &mut exchange.mosts);
            for numbers in [starts, mosts, &mut exchange.amounts, &mut exchange.goal.1] {
                let row = &mut numbers.known;
                numbers
                    .computed
                    .retain(|(place, function, _)| match known(*function) {
                        Some(value) => {
                            row[*place] = value;
                            false
                        }
                        None => true,
                    });
            }
        }
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
