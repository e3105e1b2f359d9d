//! Types that are inferred at load, so that wrong properties are found before anybody plays.

use crate::pack::model::TypeName;
use crate::table::Layout;
use crate::table::ids::{GraphId, GroupKindId, KindId, SetId};
use crate::table::layout::{Domain, Holds, ShapeId, shape};

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// Nothing yet: no value has come here.
    Never,
    /// Could be anything.
    Any,
    /// `()`
    Unit,
    /// A boolean.
    Bool,
    /// A number.
    Int,
    /// A text.
    Text,
    /// The table.
    Table,
    /// A player.
    Player,
    /// A zone, of pieces of a kind if known.
    Zone(Option<KindId>),
    /// A piece, of a kind if known.
    Piece(Option<KindId>),
    /// A node, of a graph if known.
    Node(Option<GraphId>),
    /// A member, of a set if known.
    Member(Option<SetId>),
    /// A group, of a kind if known.
    Group(Option<GroupKindId>),
    /// A dial.
    Dial,
    /// A toggle.
    Toggle,
    /// A parameter.
    Parameter,
    /// A decision.
    Decision,
    /// A plain choice.
    Choice,
    /// A reason.
    Reason,
    /// An effect.
    Effect,
    /// A stream.
    Stream,
    /// An exchange.
    Exchange,
    /// A tag.
    Tag,
    /// A statistic.
    Statistic,
    /// A set.
    Set(SetId),
    /// A graph.
    Graph(GraphId),
    /// A kind.
    Kind(KindId),
    /// A kind of group.
    GroupKind(GroupKindId),
    /// An attribute's name.
    Attribute,
}

/// A type: a base, in so many lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The innermost type.
    pub base: Base,
    /// 0 for a plain value, 1 for a list of them, ...
    pub lists: u8,
}

impl Type {
    /// No value yet.
    pub const NEVER: Self = Self::of(Base::Never);
    /// Anything.
    pub const ANY: Self = Self::of(Base::Any);
    /// `()`
    pub const UNIT: Self = Self::of(Base::Unit);
    /// A boolean.
    pub const BOOL: Self = Self::of(Base::Bool);
    /// A number.
    pub const INT: Self = Self::of(Base::Int);
    /// A text.
    pub const TEXT: Self = Self::of(Base::Text);
    /// A player.
    pub const PLAYER: Self = Self::of(Base::Player);

    /// A plain type.
    pub const fn of(base: Base) -> Self {
        Self { base, lists: 0 }
    }

    /// A list of this.
    pub fn list(self) -> Self {
        Self {
            base: self.base,
            lists: self.lists.saturating_add(1).min(4),
        }
    }

    /// The elements of this list or zone, if it is known to be one.
    pub fn element(self) -> Option<Self> {
        match self {
            Self { lists: 1.., base } => Some(Self {
                base,
                lists: self.lists - 1,
            }),
            Self {
                base: Base::Zone(kind),
                ..
            } => Some(Self::of(Base::Piece(kind))),
            Self {
                base: Base::Any | Base::Never,
                ..
            } => Some(self),
            _ => None,
        }
    }

    /// Whether nothing is known.
    pub fn is_open(self) -> bool {
        self.lists == 0 && matches!(self.base, Base::Any | Base::Never)
    }

    /// The narrowest type that holds both. "Nothing" is held by every type, as `()` stands for a
    /// value that is not there.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        match (self, other) {
            (Self::NEVER | Self::UNIT, known) | (known, Self::NEVER | Self::UNIT) => known,
            (
                Self {
                    base: Base::Never,
                    lists,
                },
                known,
            )
            | (
                known,
                Self {
                    base: Base::Never,
                    lists,
                },
            ) if known.lists >= lists => known,
            _ if self.lists == other.lists => {
                let base = match (self.base, other.base) {
                    (a, b) if a == b => a,
                    (Base::Never, known) | (known, Base::Never) => known,
                    (Base::Piece(_), Base::Piece(_)) => Base::Piece(None),
                    (Base::Zone(_), Base::Zone(_)) => Base::Zone(None),
                    (Base::Node(_), Base::Node(_)) => Base::Node(None),
                    (Base::Member(_), Base::Member(_)) => Base::Member(None),
                    (Base::Group(_), Base::Group(_)) => Base::Group(None),
                    _ => Base::Any,
                };
                Self {
                    base,
                    lists: if base == Base::Any && self.lists == 0 {
                        0
                    } else {
                        self.lists
                    },
                }
            }
            _ => Self::ANY,
        }
    }

    /// Whether values of the two types can be compared.
    pub fn comparable(self, other: Self) -> bool {
        if self.is_open() || other.is_open() || self == Self::UNIT || other == Self::UNIT {
            return true;
        }
        if self.lists != other.lists {
            // The elements of an empty list, or of one of unlike things, may be lists as well.
            let open = |of: Self| matches!(of.base, Base::Any | Base::Never);
            return open(self) || open(other);
        }
        // A choice such as "done" may stand among other things.
        if self.base == Base::Choice || other.base == Base::Choice {
            return true;
        }
        std::mem::discriminant(&self.base) == std::mem::discriminant(&other.base)
            || self.base == Base::Any
            || other.base == Base::Any
            || self.base == Base::Never
            || other.base == Base::Never
    }

    /// The shape whose properties a value has, if one is known.
    pub fn shape(self, layout: &Layout) -> Option<ShapeId> {
        if self.lists > 0 {
            return Some(shape::PLAIN);
        }
        Some(match self.base {
            Base::Table => shape::TABLE,
            Base::Player => shape::PLAYER,
            Base::Zone(_) => shape::ZONE,
            Base::Piece(Some(kind)) => layout.shape_of_domain(Domain::Kind(kind)),
            Base::Node(Some(graph)) => layout.shape_of_domain(Domain::Graph(graph)),
            Base::Member(Some(set)) => layout.shape_of_domain(Domain::Set(set)),
            Base::Group(Some(kind)) => layout.shape_of_domain(Domain::Groups(kind)),
            Base::Dial | Base::Toggle | Base::Graph(_) | Base::Kind(_) | Base::Choice => {
                shape::NAMED
            }
            Base::Bool | Base::Int | Base::Text | Base::Unit => shape::PLAIN,
            _ => return None,
        })
    }

    /// The type of a domain's values.
    pub fn of_domain(domain: Domain) -> Self {
        Self::of(match domain {
            Domain::Players => Base::Player,
            Domain::Graph(graph) => Base::Node(Some(graph)),
            Domain::Set(set) => Base::Member(Some(set)),
            Domain::Kind(kind) => Base::Piece(Some(kind)),
            Domain::Groups(kind) => Base::Group(Some(kind)),
        })
    }

    /// The type of what a counter or an attribute holds.
    pub fn of_holds(holds: Holds) -> Self {
        match holds {
            Holds::Int => Self::INT,
            Holds::Bool => Self::BOOL,
            Holds::One(domain) => Self::of_domain(domain),
            Holds::Effect => Self::of(Base::Effect),
            Holds::Text => Self::TEXT,
            Holds::Dial => Self::of(Base::Dial),
            Holds::Toggle => Self::of(Base::Toggle),
        }
    }

    /// A declared type.
    pub fn of_name(name: TypeName) -> Self {
        match name {
            TypeName::Int => Self::INT,
            TypeName::Bool => Self::BOOL,
            TypeName::Text => Self::TEXT,
            TypeName::One(domain) => Self::of_domain(domain),
            TypeName::Dial => Self::of(Base::Dial),
            TypeName::Toggle => Self::of(Base::Toggle),
        }
    }

    /// The type in words.
    pub fn describe(self, layout: &Layout) -> String {
        let inner = match self.base {
            Base::Never | Base::Any => "anything".to_owned(),
            Base::Unit => "nothing".to_owned(),
            Base::Bool => "a boolean".to_owned(),
            Base::Int => "a number".to_owned(),
            Base::Text => "a text".to_owned(),
            Base::Table => "the table".to_owned(),
            Base::Player => "a player".to_owned(),
            Base::Zone(_) => "a zone".to_owned(),
            Base::Piece(Some(kind)) => {
                format!("a piece of `{}`", layout.kinds[kind.index()].name.id)
            }
            Base::Piece(None) => "a piece".to_owned(),
            Base::Node(Some(graph)) => {
                format!("a node of `{}`", layout.graphs[graph.index()].name.id)
            }
            Base::Node(None) => "a node".to_owned(),
            Base::Member(Some(set)) => {
                format!("a member of `{}`", layout.sets[set.index()].name.id)
            }
            Base::Member(None) => "a member of a set".to_owned(),
            Base::Group(Some(kind)) => {
                format!("a group `{}`", layout.group_kinds[kind.index()].name.id)
            }
            Base::Group(None) => "a group".to_owned(),
            Base::Dial => "a dial".to_owned(),
            Base::Toggle => "a toggle".to_owned(),
            Base::Parameter => "a parameter".to_owned(),
            Base::Decision => "a decision".to_owned(),
            Base::Choice => "a choice".to_owned(),
            Base::Reason => "a reason".to_owned(),
            Base::Effect => "an effect".to_owned(),
            Base::Stream => "a stream".to_owned(),
            Base::Exchange => "an exchange".to_owned(),
            Base::Tag => "a tag".to_owned(),
            Base::Statistic => "a statistic".to_owned(),
            Base::Set(_) => "a set".to_owned(),
            Base::Graph(_) => "a graph".to_owned(),
            Base::Kind(_) => "a kind".to_owned(),
            Base::GroupKind(_) => "a kind of group".to_owned(),
            Base::Attribute => "an attribute".to_owned(),
        };
        match self.lists {
            0 => inner,
            1 if self.base == Base::Never => "an empty list".to_owned(),
            1 => format!("a list of {inner}"),
            _ => format!("a list of lists of {inner}"),
        }
    }
}
