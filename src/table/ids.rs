//! Small ids: every name is resolved to one of these once, at load.

use serde::Serialize;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
            #[serde(transparent)]
            pub struct $name(pub $inner);

            impl $name {
                /// The id of a position in its table.
                ///
                /// # Panics
                /// When the table is larger than the id can say; the pack reader refuses such packs.
                pub fn from_index(index: usize) -> Self {
                    Self(<$inner>::try_from(index).expect("ids fit their type"))
                }

                /// The position in its table.
                pub fn index(self) -> usize {
                    usize::from(self.0)
                }
            }
        )*
    };
}

ids! {
    /// A player, counted from 0 in the order of places round the table.
    PlayerId(u8);
    /// A member of an enumerated set, over all sets.
    MemberId(u16);
    /// A set: an enumeration, or a selection of other things.
    SetId(u16);
    /// A graph.
    GraphId(u16);
    /// A node, over all graphs; the nodes of one graph follow each other.
    NodeId(u16);
    /// A kind of piece.
    KindId(u16);
    /// A piece; the pieces of one kind follow each other.
    PieceId(u16);
    /// A kind of group.
    GroupKindId(u16);
    /// A group that may be alive, over all kinds.
    GroupId(u16);
    /// A family of zones, such as the hands of all players.
    ZoneFamilyId(u16);
    /// One zone.
    ZoneId(u16);
    /// A family of counters.
    CounterId(u16);
    /// A family of dials.
    DialId(u16);
    /// A family of toggles.
    ToggleId(u16);
    /// A named number of the rules.
    ParameterId(u16);
    /// A decision that the pack declares.
    DecisionId(u16);
    /// A plain choice, such as "done".
    ChoiceId(u16);
    /// A reason for a refusal.
    ReasonId(u16);
    /// An effect named in data.
    EffectId(u16);
    /// A stream of chance.
    StreamId(u16);
    /// An exchange: what can be turned into what.
    ExchangeId(u16);
    /// A tag on dials and toggles.
    TagId(u16);
    /// A name of a property, over all shapes.
    PropertyId(u16);
    /// Something that can happen, to which abilities answer.
    EventId(u16);
    /// What a player has while a piece lies in a zone of theirs.
    AbilityId(u16);
    /// What simulations count besides scores.
    StatisticId(u16);
    /// A block of the flow.
    BlockId(u16);
    /// A function of the scripts.
    FunctionId(u16);
}
