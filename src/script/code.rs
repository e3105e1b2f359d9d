//! Bytecode: what scripts, snippets and the flow are lowered to.

use crate::diag::Span;
use crate::table::Value;
use crate::table::ids::{
    BlockId, CounterId, DecisionId, DialId, FunctionId, ParameterId, PieceId, PropertyId,
    ZoneFamilyId, ZoneId,
};
use crate::table::layout::{Builtin, Scope, ShapeId};

use super::api::Verb;
use super::types::Type;

/// Most arguments of a verb.
pub const MOST_ARGUMENTS: usize = 10;

/// A register of a function's frame.
pub type Register = u8;

/// No register.
pub const NO_REGISTER: Register = u8::MAX;

/// Registers that a frame can have: every index of a [`Register`] is one of them.
pub const WINDOW: usize = 256;

/// What is asked of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub enum AskKind {
    /// One of the choices.
    One,
    /// Some of the choices.
    Some,
    /// A number.
    Number,
    /// Yes or no.
    Confirm,
    /// Texts.
    Texts,
}

/// One instruction: eight bytes.
#[expect(
    missing_docs,
    reason = "the line above each instruction says what its operands do"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `dst = constants[index]`
    Constant { dst: Register, index: u16 },
    /// `dst = value`
    Int { dst: Register, value: i32 },
    /// `dst = src`; a list is copied, so that each list has one owner.
    Copy { dst: Register, src: Register },
    /// `dst = src`, of a value that is not used again, or only read.
    Take { dst: Register, src: Register },
    /// `dst = a + b`
    Add {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a - b`
    Sub {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a * b`
    Mul {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a / b`
    Div {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a % b`
    Rem {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a == b`
    Eq {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a != b`
    Ne {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a < b`
    Lt {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a <= b`
    Le {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a > b`
    Gt {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a >= b`
    Ge {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst` = the smaller of both
    Min {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst` = the larger of both
    Max {
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = a + value`
    AddInt {
        dst: Register,
        a: Register,
        value: i16,
    },
    /// `dst = -src`
    Negate { dst: Register, src: Register },
    /// `dst = !src`
    Not { dst: Register, src: Register },
    /// Go on at `to`.
    Jump { to: u32 },
    /// Go on at `to` if the condition holds.
    JumpIf { condition: Register, to: u32 },
    /// Go on at `to` unless the condition holds.
    JumpUnless { condition: Register, to: u32 },
    /// `dst = a == b`, and go on at `to` unless that holds: what stands in the place of [`Op::Eq`] when
    /// its jump follows, which is then left out.
    TestEq {
        dst: Register,
        a: Register,
        b: Register,
        to: u32,
    },
    /// The same for `a != b`.
    TestNe {
        dst: Register,
        a: Register,
        b: Register,
        to: u32,
    },
    /// The same for `a < b`.
    TestLt {
        dst: Register,
        a: Register,
        b: Register,
        to: u32,
    },
    /// The same for `a <= b`.
    TestLe {
        dst: Register,
        a: Register,
        b: Register,
        to: u32,
    },
    /// The same for `a > b`.
    TestGt {
        dst: Register,
        a: Register,
        b: Register,
        to: u32,
    },
    /// The same for `a >= b`.
    TestGe {
        dst: Register,
        a: Register,
        b: Register,
        to: u32,
    },
    /// `dst = a == constants[index]`
    EqConstant {
        dst: Register,
        a: Register,
        index: u16,
    },
    /// `dst = a != constants[index]`
    NeConstant {
        dst: Register,
        a: Register,
        index: u16,
    },
    /// `dst = a == constants[index]`, and go on so many further unless that holds.
    TestEqConstant {
        dst: Register,
        a: Register,
        index: u16,
        further: u16,
    },
    /// The same for `a != constants[index]`.
    TestNeConstant {
        dst: Register,
        a: Register,
        index: u16,
        further: u16,
    },
    /// Go on at `to` unless `a == b`. Unlike those above, this and what follows it here leave no trace but
    /// the jump, and nothing stands behind them.
    UnlessEq { a: Register, b: Register, to: u32 },
    /// The same for `a != b`.
    UnlessNe { a: Register, b: Register, to: u32 },
    /// The same for `a < b`.
    UnlessLt { a: Register, b: Register, to: u32 },
    /// The same for `a <= b`.
    UnlessLe { a: Register, b: Register, to: u32 },
    /// The same for `a > b`.
    UnlessGt { a: Register, b: Register, to: u32 },
    /// The same for `a >= b`.
    UnlessGe { a: Register, b: Register, to: u32 },
    /// The same for `a == constants[index]`.
    UnlessEqConstant { a: Register, index: u16, to: u32 },
    /// The same for `a != constants[index]`.
    UnlessNeConstant { a: Register, index: u16, to: u32 },
    /// The same for `a < value`.
    UnlessLtInt { a: Register, value: i16, to: u32 },
    /// The same for `a <= value`.
    UnlessLeInt { a: Register, value: i16, to: u32 },
    /// The same for `a > value`.
    UnlessGtInt { a: Register, value: i16, to: u32 },
    /// The same for `a >= value`.
    UnlessGeInt { a: Register, value: i16, to: u32 },
    /// Go on at `to`, which is further on.
    Skip { to: u32 },
    /// Go on at `to` if nobody listens. Else what follows speaks, up to [`Op::Spoken`].
    JumpIfQuiet { to: u32 },
    /// Registers, lists and texts are as before the speaking began: whether somebody listens changes
    /// nothing.
    Spoken,
    /// `base = function(base, base + 1, ...)`
    Call {
        base: Register,
        function: FunctionId,
    },
    /// `base + 1 = effect in base (base + 1, ...)`
    Run { base: Register, arguments: u8 },
    /// Back to the caller with a value.
    Return { src: Register },
    /// Back to the caller with `constants[index]`.
    ReturnConstant { index: u16 },
    /// `base = verb(base, base + 1, ...)`
    Host {
        verb: Verb,
        base: Register,
        arguments: u8,
    },
    /// `dst = verb(a)`
    Host1 {
        verb: Verb,
        dst: Register,
        a: Register,
    },
    /// `dst = verb(a, b)`
    Host2 {
        verb: Verb,
        dst: Register,
        a: Register,
        b: Register,
    },
    /// `dst = verb(a, b, c)`; of this and the others that call verbs, nothing is kept where `dst` is
    /// [`NO_REGISTER`].
    Host3 {
        verb: Verb,
        dst: Register,
        a: Register,
        b: Register,
        c: Register,
    },
    /// `dst = verb(constants[index])`
    HostConstant {
        verb: Verb,
        dst: Register,
        index: u16,
    },
    /// `dst = verb(constants[index], a)`
    HostWith {
        verb: Verb,
        dst: Register,
        a: Register,
        index: u16,
    },
    /// `dst = verb(a, constants[index])`
    HostTo {
        verb: Verb,
        dst: Register,
        a: Register,
        index: u16,
    },
    /// `dst` = the value of a parameter for the player in a register, about the subject in another; where
    /// that is [`NO_REGISTER`], for nobody and about nothing.
    Value {
        dst: Register,
        parameter: ParameterId,
        player: Register,
        subject: Register,
    },
    /// `base = ask(...)`: decision, player and limits from `base`; the machine stops here.
    Ask { kind: AskKind, base: Register },
    /// The same without limits, the decision and the player brought to `base` first.
    AskFor {
        kind: AskKind,
        base: Register,
        player: Register,
        decision: DecisionId,
    },
    /// `dst` = the zone `offset` further than the id of the object, if that is of the shape that was
    /// inferred; the generic instruction that follows is left out. Anything else falls through to it.
    GetZone {
        dst: Register,
        object: Register,
        offset: u16,
        of: ShapeId,
    },
    /// The same for a counter of numbers in the cell `offset` further.
    GetNumber {
        dst: Register,
        object: Register,
        offset: u16,
        of: ShapeId,
    },
    /// The same for a counter of booleans or a toggle.
    GetFlag {
        dst: Register,
        object: Register,
        offset: u16,
        of: ShapeId,
    },
    /// The same for a fixed attribute of a piece, node or member, by its position.
    GetAttribute {
        dst: Register,
        object: Register,
        index: u16,
        of: ShapeId,
    },
    /// `dst` = the number in a cell of the table
    GetCell { dst: Register, cell: u16 },
    /// `dst` = whether a cell of the table is set
    GetCellFlag { dst: Register, cell: u16 },
    /// The same for a counter whose owner and indexes stand in `count` registers from `from`.
    GetCounter {
        dst: Register,
        from: Register,
        count: u8,
        counter: CounterId,
    },
    /// The same for what a dial shows.
    GetDial {
        dst: Register,
        from: Register,
        count: u8,
        dial: DialId,
    },
    /// The same for the one piece of a kind that a player has; the first player's is `first`.
    GetOwn {
        dst: Register,
        object: Register,
        first: PieceId,
    },
    /// The same for what every object of its sort has.
    GetBuiltin {
        dst: Register,
        object: Register,
        builtin: Builtin,
    },
    /// `dst` = the counter of an owner at one index. The three generic instructions that follow are left
    /// out, unless one of both has no place there.
    GetCounterAt {
        dst: Register,
        owner: Register,
        index: Register,
        counter: CounterId,
    },
    /// The same for a zone.
    GetZoneAt {
        dst: Register,
        owner: Register,
        index: Register,
        family: ZoneFamilyId,
    },
    /// A counter is assigned to, its owner and indexes in `count` registers from `from`; the generic
    /// instruction that follows is left out.
    SetCounter {
        from: Register,
        count: u8,
        src: Register,
        counter: CounterId,
    },
    /// `dst` = the number of elements or pieces
    Len { dst: Register, src: Register },
    /// `dst` = whether there are none
    IsEmpty { dst: Register, src: Register },
    /// `dst` = the number of pieces in a zone
    LenOf { dst: Register, zone: ZoneId },
    /// `dst` = whether a zone is empty
    IsEmptyOf { dst: Register, zone: ZoneId },
    /// Go on at `to` if a zone is empty.
    JumpIfEmpty { zone: ZoneId, to: u32 },
    /// Go on at `to` unless a zone is empty.
    JumpUnlessEmpty { zone: ZoneId, to: u32 },
    /// `dst = object.property`
    Get {
        dst: Register,
        object: Register,
        property: PropertyId,
    },
    /// `dst` = whether a player has an ability, by its position.
    Has {
        dst: Register,
        player: Register,
        ability: u16,
    },
    /// `dst = base.property[base + 1]...`
    GetIndexed {
        dst: Register,
        base: Register,
        property: PropertyId,
        indexes: u8,
    },
    /// `base.property[base + 1]... = src`
    SetIndexed {
        base: Register,
        property: PropertyId,
        src: Register,
        indexes: u8,
    },
    /// `dst = list[index]`; also the face of a player's dial, the state of a player's toggle
    Index {
        dst: Register,
        list: Register,
        index: Register,
    },
    /// `list[index] = src`
    SetIndex {
        list: Register,
        index: Register,
        src: Register,
    },
    /// `dst = [base, base + 1, ...]`
    List {
        dst: Register,
        base: Register,
        items: u16,
    },
    /// `dst` = the pieces of a zone, or a list itself; ready to be iterated with `dst + 1`
    Iterate { dst: Register, src: Register },
    /// The same without a list of the pieces of a zone, which stay where they are while they are gone through.
    Walk { dst: Register, src: Register },
    /// `item` = the next of the list in `iterator`, and go back so many instructions; at its end
    /// go on.
    Next {
        item: Register,
        iterator: Register,
        back: u16,
    },
    /// `item` = the next number from `iterator` to `iterator + 1`, and go back; at the end go on.
    NextInt {
        item: Register,
        iterator: Register,
        back: u16,
    },
    /// Appends to a list in a register.
    Push { list: Register, src: Register },
    /// `dst` = the last of a list, which is taken from it.
    Pop { dst: Register, list: Register },
    /// `dst` = the texts of `base, base + 1, ...` joined
    Text {
        dst: Register,
        base: Register,
        items: u16,
    },
    /// `dst = item in list`
    Contains {
        dst: Register,
        list: Register,
        item: Register,
    },
    /// `dst` = whether the number in `key` is larger than the one in `best`, or is the first.
    Better {
        dst: Register,
        best: Register,
        key: Register,
    },
    /// Remembers the table; what follows is rolled back at [`Op::WhatIfEnd`].
    WhatIf,
    /// The table is again as it was remembered.
    WhatIfEnd,
    /// Counters of a scope, and of finer ones, return to their starts; the round is counted.
    Scope { scope: Scope },
    /// A block of the flow begins.
    Block { block: BlockId },
    /// A step begins, for the player in a register unless it is [`NO_REGISTER`].
    Step {
        function: FunctionId,
        player: Register,
    },
}

/// An instruction is as small as it is said to be.
const _: () = assert!(size_of::<Op>() == 8);

/// A lowered function.
#[derive(Clone, Debug)]
pub struct Code {
    /// Its name, for people.
    pub name: String,
    /// First instruction.
    pub entry: u32,
    /// Number of instructions.
    pub length: u32,
    /// Number of parameters.
    pub parameters: u8,
    /// Registers of its frame.
    pub registers: u16,
    /// Where its name stands.
    pub span: Span,
    /// Whether it changes nothing, asks nothing and uses no chance.
    pub pure: bool,
}

/// A variable of a lowered function, for those who look at a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where in the frame its value is.
    pub register: Register,
    /// What is known of its values.
    pub of: Type,
    /// The first instruction of the program at which it is there.
    pub from: u32,
    /// One past the last.
    pub to: u32,
}

/// What is known of a lowered function besides its code. It is apart from [`Code`], which calls read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its parameters, with what its callers give.
    pub parameters: Vec<(String, Type)>,
    /// What it gives.
    pub result: Type,
    /// Whether scripts can call it by its name.
    pub script: bool,
    /// Whether it only looks.
    pub pure: bool,
    /// Whether it asks players.
    pub asks: bool,
    /// Whether it does more than look and speak.
    pub alters: bool,
    /// Its variables, in the order of their declarations.
    pub variables: Vec<Variable>,
}

/// Where the code of a statement begins, for those who step through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The first instruction.
    pub pc: u32,
    /// The statement in its source.
    pub span: Span,
    /// How many closures of its function it is in.
    pub closures: u8,
    /// Whether it is a further turn of a loop.
    pub turn: bool,
}

impl Program {
    /// The value that a function always gives, if that is all that it does.
    pub fn constant(&self, function: FunctionId) -> Option<Value> {
        let entry = self.functions[function.index()].entry as usize;
        match self.ops[entry] {
            Op::ReturnConstant { index } => Some(self.constants[usize::from(index)]),
            _ => None,
        }
    }
}

/// All lowered code of a pack.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Functions: the scripts', the snippets' and the flow's.
    pub functions: Vec<Code>,
    /// For each function, what else is known of it.
    pub signatures: Vec<Signature>,
    /// Instructions of all functions.
    pub ops: Vec<Op>,
    /// For each instruction, the source it comes from.
    pub spans: Vec<Span>,
    /// The statements of all functions, in the order of their first instructions.
    pub statements: Vec<Beginning>,
    /// Parameters whose values are built in, by the instructions that have them.
    pub built_in: Vec<(u32, ParameterId)>,
    /// Constants.
    pub constants: Vec<Value>,
    /// Texts of constants, one after the other.
    pub texts: Vec<u8>,
}
