//! What scripts compute with: small, copyable, without pointers.

use serde::Serialize;

use super::ids::{
    ChoiceId, DecisionId, DialId, EffectId, ExchangeId, GraphId, GroupId, GroupKindId, KindId,
    MemberId, NodeId, ParameterId, PieceId, PlayerId, PropertyId, ReasonId, SetId, StatisticId,
    StreamId, TagId, ToggleId, ZoneId,
};

/// A list in the heap of a running script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Default)]
pub struct ListRef {
    /// First element.
    pub start: u32,
    /// Number of elements.
    pub len: u16,
    /// Number of elements that fit without moving the list.
    pub room: u16,
}

/// A text: below the constants' length it lies there, beyond it in the heap of the running script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Default)]
pub struct TextRef {
    /// First byte.
    pub start: u32,
    /// Number of bytes.
    pub len: u32,
}

/// A value of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Default)]
pub enum Value {
    /// Nothing, `()`.
    #[default]
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
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
    /// What the value is, as a script's author would say it.
    pub fn type_name(self) -> &'static str {
        match self {
            Self::Unit => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Table => "the table",
            Self::Player(_) => "a player",
            Self::Piece(_) => "a piece",
            Self::Zone(_) => "a zone",
            Self::Node(_) => "a node",
            Self::Member(_) => "a member of a set",
            Self::Group(_) => "a group",
            Self::Dial(_) => "a dial",
            Self::Toggle(_) => "a toggle",
            Self::Graph(_) => "a graph",
            Self::Set(_) => "a set",
            Self::Kind(_) => "a kind",
            Self::GroupKind(_) => "a kind of group",
            Self::Parameter(_) => "a parameter",
            Self::Decision(_) => "a decision",
            Self::Choice(_) => "a choice",
            Self::Reason(_) => "a reason",
            Self::Effect(_) => "an effect",
            Self::Stream(_) => "a stream",
            Self::Exchange(_) => "an exchange",
            Self::Tag(_) => "a tag",
            Self::Attribute(_) => "an attribute",
            Self::Statistic(_) => "a statistic",
        }
    }
}
