//! The state of a game: the table and the running script, as one plain value.

use serde::Serialize;

use crate::table::ids::{DecisionId, FunctionId, PlayerId, PropertyId};
use crate::table::{TableState, Value};

use super::code::AskKind;
use super::rules::Rules;

/// A function that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Frame {
    /// Which.
    pub function: FunctionId,
    /// The next instruction.
    pub pc: u32,
    /// Its first register on the stack.
    pub base: u32,
}

/// A choice as a script offered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Offer {
    /// Its first part among the offered parts.
    pub first: u16,
    /// Number of parts, from 1 to 3.
    pub parts: u8,
    /// The first offer that nobody can tell from this one: itself, if it is the first.
    pub leader: u16,
    /// For a leader, how many there are with it.
    pub count: u16,
    /// Equal for offers that nobody can tell apart.
    pub signature: u64,
}

/// What a player is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Ask {
    /// What sort of answer.
    pub kind: AskKind,
    /// Which decision.
    pub decision: DecisionId,
    /// Who decides.
    pub player: PlayerId,
    /// At least so many, or this number.
    pub least: i64,
    /// At most so many, or this number.
    pub most: i64,
    /// At most so many different values of an attribute.
    pub distinct: Option<(PropertyId, u16)>,
    /// How many choices can be told apart.
    pub choices: u16,
    /// Where on the stack the answer goes.
    pub register: u32,
}

/// The running script: frames, registers, lists, and the pending decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Default)]
pub struct Run {
    /// Functions that are running, the outermost first.
    pub frames: Vec<Frame>,
    /// Registers of all frames.
    pub stack: Vec<Value>,
    /// Elements of lists.
    pub heap: Vec<Value>,
    /// Texts made while running.
    pub text: Vec<u8>,
    /// Choices offered so far.
    pub offers: Vec<Offer>,
    /// Their parts.
    pub parts: Vec<Value>,
    /// The limit set for the coming decision.
    pub distinct: Option<(PropertyId, u16)>,
    /// The pending decision.
    pub ask: Option<Ask>,
}

/// A text that a player gave as an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Told {
    /// To which decision.
    pub decision: DecisionId,
    /// Who.
    pub player: PlayerId,
    /// The text.
    pub text: String,
}

/// A whole game: equal states behave equally for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// The table.
    pub table: TableState,
    /// The running script.
    pub run: Run,
    /// Texts that players gave, in order; nothing is ever taken off. Empty as long as only bots play.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Told>,
}

impl std::hash::Hash for State {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.table.hash(hasher);
        self.run.hash(hasher);
        // Games without words hash as if there were none.
        if !self.told.is_empty() {
            self.told.hash(hasher);
        }
    }
}

impl Run {
    /// Nothing runs any more, and nothing is asked. What memory there is stays.
    fn clear(&mut self) {
        let Self {
            frames,
            stack,
            heap,
            text,
            offers,
            parts,
            distinct,
            ask,
        } = self;
        frames.clear();
        stack.clear();
        heap.clear();
        text.clear();
        offers.clear();
        parts.clear();
        (*distinct, *ask) = (None, None);
    }
}

impl State {
    /// The state before the first step, in the memory of another.
    pub(super) fn renew(&mut self, rules: &Rules, players: u8, seed: u64) {
        self.table.clone_from(&rules.opening);
        (self.table.players, self.table.seed) = (players, seed);
        self.told.clear();
        self.run.clear();
        let root = &rules.program.functions[rules.root.index()];
        self.run.frames.push(Frame {
            function: rules.root,
            pc: root.entry,
            base: 0,
        });
        let registers = usize::from(root.registers);
        self.run.stack.resize(registers, Value::UNIT);
    }

    /// A short hash of what can be seen of the state: the table, and what is asked. It is the same on
    /// every machine, and stays when functions, parameters or blocks are added that the game does not
    /// come by: where in the code the game stands is left out.
    pub fn digest(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = Digest::default();
        let TableState {
            seed,
            players,
            position,
            pieces,
            copies,
            zones,
            cells,
            draws,
        } = &self.table;
        (seed, players, position.round, position.player).hash(&mut hasher);
        (pieces, copies, zones, cells, draws).hash(&mut hasher);
        let asked = self
            .run
            .ask
            .map(|ask| (ask.kind, ask.player, ask.least, ask.most));
        asked.hash(&mut hasher);
        self.run.parts.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.run.frames.is_empty() && self.run.ask.is_none()
    }
}

/// FNV-1a over little-endian words: a hash that does not change between versions of libraries.
#[derive(Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}

impl std::hash::Hasher for Digest {
    fn finish(&self) -> u64 {
        let mut x = self.0;
        x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        x ^ (x >> 33)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.word(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.word(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.word(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.word(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.word(value);
    }

    fn write_i32(&mut self, value: i32) {
        self.word(value as u32 as u64);
    }

    fn write_i64(&mut self, value: i64) {
        self.word(value as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.word(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.word(value as i64 as u64);
    }
}
