//! What scripts compute with: small, copyable, without pointers.

use serde::{Serialize, Serializer};

use super::ids::{
    ChoiceId, DecisionId, DialId, EffectId, ExchangeId, GraphId, GroupId, GroupKindId, KindId,
    MemberId, NodeId, ParameterId, PieceId, PlayerId, PropertyId, ReasonId, SetId, StatisticId,
    StreamId, TagId, ToggleId, ZoneId,
};
use super::layout::Domain;

/// The bits of a value that say what it is. What it says of itself lies above them.
const TAG: u32 = 8;

/// The largest number.
pub const MOST: i64 = i64::MAX >> TAG;

/// The smallest number.
pub const LEAST: i64 = i64::MIN >> TAG;

/// A list in the heap of a running script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Default)]
pub struct ListRef {
    /// First element, below 2²⁴.
    pub start: u32,
    /// Number of elements.
    pub len: u16,
    /// Number of elements that fit without moving the list.
    pub room: u16,
}

/// A text: below the constants' length it lies there, beyond it in the heap of the running script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Default)]
pub struct TextRef {
    /// First byte, below 2²⁸.
    pub start: u32,
    /// Number of bytes, below 2²⁸.
    pub len: u32,
}

/// A value of a script, in one word of the processor: equal words are the same value. [`Value::case`] takes it
/// apart.
///
/// Values were an enum of 16 bytes once. Its tag and what it holds are written one after the other and then read
/// as a whole, which processors wait for; and to copy a register took two words.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(u64);

/// What can be the case with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Case {
    /// A whole number, from [`LEAST`] to [`MOST`].
    Int(i64),
    /// Nothing, `()`.
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// A text.
    Text(TextRef),
    /// A list.
    List(ListRef),
    /// The table: what belongs to nobody.
    Table,
    /// A player.
    Player(PlayerId),
    /// A piece.
    Piece(PieceId),
    /// A zone.
    Zone(ZoneId),
    /// A node of a graph.
    Node(NodeId),
    /// A member of an enumerated set.
    Member(MemberId),
    /// A group made during play.
    Group(GroupId),
    /// A dial, whoever's.
    Dial(DialId),
    /// A toggle, whoever's.
    Toggle(ToggleId),
    /// A graph.
    Graph(GraphId),
    /// A set.
    Set(SetId),
    /// A kind of piece.
    Kind(KindId),
    /// A kind of group.
    GroupKind(GroupKindId),
    /// A parameter.
    Parameter(ParameterId),
    /// A declared decision.
    Decision(DecisionId),
    /// A plain choice.
    Choice(ChoiceId),
    /// A reason for a refusal.
    Reason(ReasonId),
    /// An effect named in data.
    Effect(EffectId),
    /// A stream of chance.
    Stream(StreamId),
    /// An exchange.
    Exchange(ExchangeId),
    /// A tag.
    Tag(TagId),
    /// The name of an attribute.
    Attribute(PropertyId),
    /// A statistic.
    Statistic(StatisticId),
}

impl Value {
    /// Nothing, `()`.
    pub const UNIT: Self = Self(tag::UNIT as u64);
    /// The table.
    pub const TABLE: Self = Self(tag::TABLE as u64);

    const fn new(tag: u8, payload: u64) -> Self {
        Self(payload << TAG | tag as u64)
    }

    /// A number; one beyond what a value can hold becomes the nearest that it can.
    #[inline]
    pub const fn int(number: i64) -> Self {
        let number = if number > MOST {
            MOST
        } else if number < LEAST {
            LEAST
        } else {
            number
        };
        Self::new(tag::INT, number as u64)
    }

    /// A number, if a value can hold it.
    #[inline]
    pub const fn checked_int(number: i64) -> Option<Self> {
        if number > MOST || number < LEAST {
            return None;
        }
        Some(Self::new(tag::INT, number as u64))
    }

    /// What is the case with it.
    #[inline]
    pub const fn case(self) -> Case {
        let payload = self.0 >> TAG;
        match self.0 as u8 {
            tag::INT => Case::Int(self.0 as i64 >> TAG),
            tag::BOOL => Case::Bool(payload != 0),
            tag::TEXT => Case::Text(TextRef {
                start: (payload & 0xfff_ffff) as u32,
                len: (payload >> 28) as u32,
            }),
            tag::LIST => Case::List(ListRef {
                start: (payload & 0xff_ffff) as u32,
                len: (payload >> 24) as u16,
                room: (payload >> 40) as u16,
            }),
            tag::TABLE => Case::Table,
            _ => self.id_case(),
        }
    }

    /// The number that it is, if it is one.
    #[inline]
    pub const fn as_int(self) -> Option<i64> {
        match self.0 as u8 {
            tag::INT => Some(self.0 as i64 >> TAG),
            _ => None,
        }
    }

    /// The truth that it is, if it is one.
    #[inline]
    pub const fn as_bool(self) -> Option<bool> {
        match self.0 as u8 {
            tag::BOOL => Some(self.0 >> TAG != 0),
            _ => None,
        }
    }

    /// The list that it is, if it is one.
    #[inline]
    pub const fn as_list(self) -> Option<ListRef> {
        match self.case() {
            Case::List(list) => Some(list),
            _ => None,
        }
    }

    /// The id that it is in a domain, if it is one of such things.
    #[inline]
    pub(super) const fn id_in(self, domain: Domain) -> Option<u16> {
        // One of these numbers is loaded by the domain: nothing is jumped to.
        let tag = match domain {
            Domain::Players => tag::PLAYER,
            Domain::Kind(_) => tag::PIECE,
            Domain::Graph(_) => tag::NODE,
            Domain::Set(_) => tag::MEMBER,
            Domain::Groups(_) => tag::GROUP,
        };
        if self.0 as u8 == tag {
            Some((self.0 >> TAG) as u16)
        } else {
            None
        }
    }

    /// The word itself: another one for each other value.
    #[inline]
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Of two numbers, each as it lies in its word: shifted up, in the same order as the numbers are.
    #[inline]
    pub(crate) const fn shifted(a: Self, b: Self) -> Option<(i64, i64)> {
        match (a.0 | b.0) as u8 {
            tag::INT => Some((a.0 as i64, b.0 as i64)),
            _ => None,
        }
    }

    /// A number as [`Value::shifted`] gives it.
    #[inline]
    pub(crate) const fn shift(number: i32) -> i64 {
        (number as i64) << TAG
    }

    /// A number from one that was shifted up once more than it is to be.
    #[inline]
    pub(crate) const fn unshift(shifted: i64) -> i64 {
        shifted >> TAG
    }

    /// The number of which this is what [`Value::shifted`] gives.
    #[inline]
    pub(crate) const fn from_shifted(shifted: i64) -> Self {
        Self(shifted as u64)
    }

    /// What the value is, as a script's author would say it.
    pub fn type_name(self) -> &'static str {
        self.case().type_name()
    }

    /// Whether both are of one sort: both numbers, both pieces.
    #[inline]
    pub fn is_like(self, other: Self) -> bool {
        self.0 as u8 == other.0 as u8
    }
}

impl Case {
    /// What it is, as a script's author would say it.
    pub fn type_name(self) -> &'static str {
        match self {
            Case::Unit => "nothing",
            Case::Bool(_) => "a boolean",
            Case::Int(_) => "a number",
            Case::Text(_) => "a text",
            Case::List(_) => "a list",
            Case::Table => "the table",
            Case::Player(_) => "a player",
            Case::Piece(_) => "a piece",
            Case::Zone(_) => "a zone",
            Case::Node(_) => "a node",
            Case::Member(_) => "a member of a set",
            Case::Group(_) => "a group",
            Case::Dial(_) => "a dial",
            Case::Toggle(_) => "a toggle",
            Case::Graph(_) => "a graph",
            Case::Set(_) => "a set",
            Case::Kind(_) => "a kind",
            Case::GroupKind(_) => "a kind of group",
            Case::Parameter(_) => "a parameter",
            Case::Decision(_) => "a decision",
            Case::Choice(_) => "a choice",
            Case::Reason(_) => "a reason",
            Case::Effect(_) => "an effect",
            Case::Stream(_) => "a stream",
            Case::Exchange(_) => "an exchange",
            Case::Tag(_) => "a tag",
            Case::Attribute(_) => "an attribute",
            Case::Statistic(_) => "a statistic",
        }
    }
}

impl From<Case> for Value {
    fn from(case: Case) -> Self {
        match case {
            Case::Int(number) => Self::int(number),
            Case::Unit => Self::UNIT,
            Case::Bool(holds) => Self::from(holds),
            Case::Text(text) => Self::from(text),
            Case::List(list) => Self::from(list),
            Case::Table => Self::TABLE,
            Case::Player(id) => Self::from(id),
            Case::Piece(id) => Self::from(id),
            Case::Zone(id) => Self::from(id),
            Case::Node(id) => Self::from(id),
            Case::Member(id) => Self::from(id),
            Case::Group(id) => Self::from(id),
            Case::Dial(id) => Self::from(id),
            Case::Toggle(id) => Self::from(id),
            Case::Graph(id) => Self::from(id),
            Case::Set(id) => Self::from(id),
            Case::Kind(id) => Self::from(id),
            Case::GroupKind(id) => Self::from(id),
            Case::Parameter(id) => Self::from(id),
            Case::Decision(id) => Self::from(id),
            Case::Choice(id) => Self::from(id),
            Case::Reason(id) => Self::from(id),
            Case::Effect(id) => Self::from(id),
            Case::Stream(id) => Self::from(id),
            Case::Exchange(id) => Self::from(id),
            Case::Tag(id) => Self::from(id),
            Case::Attribute(id) => Self::from(id),
            Case::Statistic(id) => Self::from(id),
        }
    }
}

impl Default for Value {
    fn default() -> Self {
        Self::UNIT
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.case().fmt(formatter)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.case().serialize(serializer)
    }
}

impl From<bool> for Value {
    #[inline]
    fn from(holds: bool) -> Self {
        Self::new(tag::BOOL, u64::from(holds))
    }
}

impl From<i32> for Value {
    #[inline]
    fn from(number: i32) -> Self {
        Self::new(tag::INT, number as i64 as u64)
    }
}

impl From<u16> for Value {
    #[inline]
    fn from(number: u16) -> Self {
        Self::new(tag::INT, u64::from(number))
    }
}

impl From<u8> for Value {
    #[inline]
    fn from(number: u8) -> Self {
        Self::new(tag::INT, u64::from(number))
    }
}

impl From<TextRef> for Value {
    #[inline]
    fn from(text: TextRef) -> Self {
        Self::new(tag::TEXT, u64::from(text.len) << 28 | u64::from(text.start))
    }
}

impl From<ListRef> for Value {
    #[inline]
    fn from(list: ListRef) -> Self {
        let ListRef { start, len, room } = list;
        Self::new(
            tag::LIST,
            u64::from(room) << 40 | u64::from(len) << 24 | u64::from(start),
        )
    }
}

/// The tags: those of ids in one table with what is made of them.
macro_rules! tags {
    ($($tag:ident = $number:literal $case:ident($id:ident) $get:ident;)*) => {
        mod tag {
            /// Numbers: two words are added as they are.
            pub(super) const INT: u8 = 0;
            pub(super) const UNIT: u8 = 1;
            pub(super) const BOOL: u8 = 2;
            pub(super) const TEXT: u8 = 3;
            pub(super) const LIST: u8 = 4;
            pub(super) const TABLE: u8 = 5;
            $(pub(super) const $tag: u8 = $number;)*
        }

        impl Value {
            /// Which id it is; nothing if it is none.
            #[inline]
            const fn id_case(self) -> Case {
                match self.0 as u8 {
                    $(tag::$tag => Case::$case($id((self.0 >> TAG) as _)),)*
                    _ => Case::Unit,
                }
            }

            $(
                /// The id that it is, if it is one of these.
                #[inline]
                pub const fn $get(self) -> Option<$id> {
                    match self.0 as u8 {
                        tag::$tag => Some($id((self.0 >> TAG) as _)),
                        _ => None,
                    }
                }
            )*
        }

        $(
            impl From<$id> for Value {
                #[inline]
                fn from(id: $id) -> Self {
                    Self::new(tag::$tag, u64::from(id.0))
                }
            }
        )*
    };
}

tags! {
    PLAYER = 6 Player(PlayerId) as_player;
    PIECE = 7 Piece(PieceId) as_piece;
    ZONE = 8 Zone(ZoneId) as_zone;
    NODE = 9 Node(NodeId) as_node;
    MEMBER = 10 Member(MemberId) as_member;
    GROUP = 11 Group(GroupId) as_group;
    DIAL = 12 Dial(DialId) as_dial;
    TOGGLE = 13 Toggle(ToggleId) as_toggle;
    GRAPH = 14 Graph(GraphId) as_graph;
    SET = 15 Set(SetId) as_set;
    KIND = 16 Kind(KindId) as_kind;
    GROUP_KIND = 17 GroupKind(GroupKindId) as_group_kind;
    PARAMETER = 18 Parameter(ParameterId) as_parameter;
    DECISION = 19 Decision(DecisionId) as_decision;
    CHOICE = 20 Choice(ChoiceId) as_choice;
    REASON = 21 Reason(ReasonId) as_reason;
    EFFECT = 22 Effect(EffectId) as_effect;
    STREAM = 23 Stream(StreamId) as_stream;
    EXCHANGE = 24 Exchange(ExchangeId) as_exchange;
    TAG = 25 Tag(TagId) as_tag;
    ATTRIBUTE = 26 Attribute(PropertyId) as_attribute;
    STATISTIC = 27 Statistic(StatisticId) as_statistic;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Case> {
        let list = ListRef {
            start: (1 << 24) - 1,
            len: u16::MAX,
            room: u16::MAX - 1,
        };
        let text = TextRef {
            start: (1 << 28) - 1,
            len: (1 << 28) - 2,
        };
        vec![
            Case::Int(0),
            Case::Int(-1),
            Case::Int(MOST),
            Case::Int(LEAST),
            Case::Unit,
            Case::Bool(false),
            Case::Bool(true),
            Case::Text(text),
            Case::List(list),
            Case::Table,
            Case::Player(PlayerId(u8::MAX)),
            Case::Piece(PieceId(u16::MAX)),
            Case::Zone(ZoneId(3)),
            Case::Node(NodeId(3)),
            Case::Member(MemberId(3)),
            Case::Group(GroupId(3)),
            Case::Dial(DialId(3)),
            Case::Toggle(ToggleId(3)),
            Case::Graph(GraphId(3)),
            Case::Set(SetId(3)),
            Case::Kind(KindId(3)),
            Case::GroupKind(GroupKindId(3)),
            Case::Parameter(ParameterId(3)),
            Case::Decision(DecisionId(3)),
            Case::Choice(ChoiceId(3)),
            Case::Reason(ReasonId(3)),
            Case::Effect(EffectId(3)),
            Case::Stream(StreamId(3)),
            Case::Exchange(ExchangeId(3)),
            Case::Tag(TagId(3)),
            Case::Attribute(PropertyId(3)),
            Case::Statistic(StatisticId(3)),
        ]
    }

    #[test]
    fn what_goes_into_a_word_comes_out_of_it() {
        let values: Vec<Value> = all().into_iter().map(Value::from).collect();
        for (at, (case, value)) in all().into_iter().zip(&values).enumerate() {
            assert_eq!(value.case(), case);
            let same = values.iter().filter(|other| *other == value).count();
            assert_eq!(same, 1, "{at}: {value:?}");
            let names = values.iter().filter(|other| other.is_like(*value));
            assert!(
                names
                    .clone()
                    .all(|other| other.type_name() == value.type_name())
            );
        }
        assert_eq!(Value::default(), Value::UNIT);
    }

    #[test]
    fn a_getter_tells_its_own_case_only() {
        for case in all() {
            let value = Value::from(case);
            assert_eq!(value.as_piece().is_some(), matches!(case, Case::Piece(_)));
            assert_eq!(value.as_player().is_some(), matches!(case, Case::Player(_)));
            assert_eq!(value.as_bool().is_some(), matches!(case, Case::Bool(_)));
            assert_eq!(value.as_list().is_some(), matches!(case, Case::List(_)));
            assert_eq!(value.as_int().is_some(), matches!(case, Case::Int(_)));
        }
        assert_eq!(Value::from(PieceId(7)).as_piece(), Some(PieceId(7)));
        assert_eq!(Value::int(-7).as_int(), Some(-7));
    }

    #[test]
    fn numbers_end_where_words_do() {
        assert_eq!(Value::checked_int(MOST).and_then(Value::as_int), Some(MOST));
        assert_eq!(
            Value::checked_int(LEAST).and_then(Value::as_int),
            Some(LEAST)
        );
        assert_eq!(Value::checked_int(MOST + 1), None);
        assert_eq!(Value::checked_int(LEAST - 1), None);
        assert_eq!(Value::int(i64::MAX).as_int(), Some(MOST));
        assert_eq!(Value::int(i64::MIN).as_int(), Some(LEAST));
        assert_eq!(Value::from(-5), Value::int(-5));
        assert_eq!(Value::shifted(Value::int(1), Value::UNIT), None);
        let (a, b) = Value::shifted(Value::int(-3), Value::int(4)).expect("both numbers");
        assert!(a < b);
        assert_eq!(Value::from_shifted(a + b), Value::int(1));
        assert_eq!(Value::unshift(a), -3);
    }
}
