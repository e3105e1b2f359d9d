//! What a pack's table is made of, with every name resolved: sets, graphs, kinds, pieces, families of
//! zones, counters, dials and toggles. Immutable while a game runs; all changing data is in
//! [`TableState`](super::TableState).

use std::ops::Range;

use super::ids::{
    CounterId, DialId, GraphId, GroupKindId, KindId, MemberId, NodeId, PieceId, PlayerId,
    PropertyId, SetId, ToggleId, ZoneFamilyId, ZoneId,
};
use super::value::{Case, Value};

/// An id for files and scripts, and a title for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Snake-case id, unique among its like.
    pub id: String,
    /// What people read.
    pub title: String,
}

/// A set over which families are spread, and over which scripts loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// All players.
    Players,
    /// The nodes of a graph.
    Graph(GraphId),
    /// The members of an enumerated set.
    Set(SetId),
    /// The pieces of a kind.
    Kind(KindId),
    /// The groups of a kind.
    Groups(GroupKindId),
}

/// One dimension of a family: the values `base .. base + size` of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// What it ranges over.
    pub domain: Domain,
    /// The first id of the domain.
    pub base: u16,
    /// How many.
    pub size: u16,
}

impl Dimension {
    /// The position of a value in it, from 0; `None` if the value is none of its domain.
    #[inline]
    pub fn offset(&self, value: Value) -> Option<u16> {
        value
            .id_in(self.domain)?
            .checked_sub(self.base)
            .filter(|offset| *offset < self.size)
    }
}

/// A set of the pack.
#[derive(Clone, Debug)]
pub struct SetInfo {
    /// Names.
    pub name: Name,
    /// Its members, in the byte order of their ids (selections: in the order of the whole).
    pub members: Vec<Value>,
    /// Whether the members are its own (an enumeration), or chosen from elsewhere.
    pub enumerated: bool,
}

/// A member of an enumerated set.
#[derive(Clone, Debug)]
pub struct MemberInfo {
    /// Names.
    pub name: Name,
    /// Its set.
    pub set: SetId,
    /// Declared attributes, in the order of the set's [`Layout::set_attributes`].
    pub attributes: Vec<Value>,
}

/// A graph with costs on its edges.
#[derive(Clone, Debug)]
pub struct GraphInfo {
    /// Names.
    pub name: Name,
    /// Its nodes.
    pub nodes: Range<u16>,
    /// Its edges.
    pub edges: Vec<EdgeInfo>,
    /// Cheapest cost from node to node, row by row; [`UNREACHABLE`] where there is no route.
    pub distances: Vec<u16>,
    /// Attributes of its nodes.
    pub attributes: Vec<AttributeInfo>,
}

/// The distance between nodes that no route joins.
pub const UNREACHABLE: u16 = u16::MAX;

/// An edge, usable in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeInfo {
    /// One end.
    pub a: NodeId,
    /// The other end.
    pub b: NodeId,
    /// What it costs to pass, at least 0.
    pub cost: u16,
}

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// Names.
    pub name: Name,
    /// Its graph.
    pub graph: GraphId,
    /// Attribute values in the order of the graph's attributes.
    pub attributes: Vec<Value>,
    /// Where to draw it, in percent from the left and the top.
    pub at: Option<(u8, u8)>,
}

/// A declared attribute of nodes, members or pieces.
#[derive(Clone, Debug)]
pub struct AttributeInfo {
    /// The property it is read by.
    pub property: PropertyId,
    /// Its type.
    pub holds: Holds,
}

/// What an attribute or a counter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holds {
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// One of a domain, or nothing.
    One(Domain),
    /// An effect named in data, or nothing.
    Effect,
    /// A text, or nothing. The value of such an attribute is [`Value::int`] with the position in
    /// [`Layout::texts`], because a [`Value::from`] points into the memory of a running script.
    Text,
    /// A dial, or nothing; attributes only.
    Dial,
    /// A toggle, or nothing; attributes only.
    Toggle,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// Names.
    pub name: Name,
    /// Its pieces. An unlimited kind has its one pattern here.
    pub pieces: Range<u16>,
    /// Its attributes.
    pub attributes: Vec<AttributeInfo>,
    /// Number of faces, if its pieces are dice; 0 otherwise.
    pub faces: u8,
    /// Whether each player owns one.
    pub per_player: bool,
    /// Whether more are made when a supply runs out.
    pub unlimited: bool,
}

/// A piece, or the pattern of the pieces of an unlimited kind.
#[derive(Clone, Debug)]
pub struct PieceInfo {
    /// Names; for one of several equal copies the id ends in `_N`.
    pub name: Name,
    /// How choices name it: equal copies share it.
    pub key: String,
    /// Its kind.
    pub kind: KindId,
    /// Equal for pieces that nobody can tell apart when they lie in one place.
    pub class: u16,
    /// Attribute values in the order of the kind's attributes.
    pub attributes: Vec<Value>,
    /// Whose it is, where each player has one.
    pub owner: Option<PlayerId>,
    /// Where it starts: the family, which is shared, or per player for an owned piece.
    pub start: ZoneId,
    /// Whether it starts face down.
    pub face_down: bool,
    /// Made from its id: the address of its chance.
    pub salt: u64,
}

/// Who may see which pieces lie in a zone. Their number is always public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    /// Everybody, except pieces that lie face down.
    All,
    /// The player of the zone's first player dimension.
    Owner,
    /// Nobody.
    Nobody,
}

/// A family of zones.
#[derive(Clone, Debug)]
pub struct ZoneFamily {
    /// Names.
    pub name: Name,
    /// Its dimensions; none for a single shared zone.
    pub dimensions: Vec<Dimension>,
    /// Its first zone.
    pub base: ZoneId,
    /// How many zones.
    pub size: u16,
    /// Whether the order of the pieces matters; else they lie by id.
    pub ordered: bool,
    /// How many pieces fit, if limited.
    pub capacity: Option<u16>,
    /// Who sees what lies in it.
    pub visible: Visible,
    /// The only kind that may lie in it, if declared.
    pub holds: Option<KindId>,
    /// Where pieces come from (shuffled) when one is needed and none is left.
    pub refill: Option<ZoneId>,
}

/// When a counter returns to its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Never.
    Game,
    /// At the start of each round.
    Round,
    /// At the start of each phase.
    Phase,
    /// At the start of each turn.
    Turn,
    /// At the start of each step.
    Step,
}

/// A family of counters.
#[derive(Clone, Debug)]
pub struct CounterFamily {
    /// Names.
    pub name: Name,
    /// Its dimensions.
    pub dimensions: Vec<Dimension>,
    /// Its first cell.
    pub base: u16,
    /// How many cells.
    pub size: u16,
    /// What it holds.
    pub holds: Holds,
    /// When it returns to its start.
    pub scope: Scope,
    /// The cell value at the start.
    pub start: i32,
    /// Smallest value, if limited.
    pub least: Option<i32>,
    /// Largest value, if limited.
    pub most: Option<i32>,
    /// Who may see it.
    pub visible: Visible,
}

/// A family of dials: a cell holds the position of the needle, from 0.
#[derive(Clone, Debug)]
pub struct DialFamily {
    /// Names.
    pub name: Name,
    /// Its dimensions.
    pub dimensions: Vec<Dimension>,
    /// Its first cell.
    pub base: u16,
    /// How many cells.
    pub size: u16,
    /// The printed faces, in order.
    pub faces: Vec<i32>,
    /// Position at the start.
    pub start: i32,
    /// Its tags.
    pub tags: Vec<super::ids::TagId>,
}

/// A family of toggles: a cell holds 0 or 1.
#[derive(Clone, Debug)]
pub struct ToggleFamily {
    /// Names.
    pub name: Name,
    /// Its dimensions.
    pub dimensions: Vec<Dimension>,
    /// Its first cell.
    pub base: u16,
    /// How many cells.
    pub size: u16,
    /// Whether it starts on.
    pub start: bool,
    /// Its tags.
    pub tags: Vec<super::ids::TagId>,
}

/// What a zone takes: what its family says of it in many places, in one, for each piece that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// Only pieces of this kind.
    pub holds: Option<KindId>,
    /// The cell that says whether its group is alive, if it is of a group.
    pub alive: Option<u16>,
    /// So many pieces at most; the largest number is no limit.
    pub capacity: u16,
    /// Whether its pieces have an order of their own.
    pub ordered: bool,
}

/// A kind of group.
#[derive(Clone, Debug)]
pub struct GroupKindInfo {
    /// Names.
    pub name: Name,
    /// Its groups: as many as can be alive at once.
    pub groups: Range<u16>,
    /// First of the cells that say which are alive.
    pub alive: u16,
    /// The families of zones that a group has.
    pub zones: Vec<ZoneFamilyId>,
    /// The families of counters that a group has.
    pub counters: Vec<CounterId>,
}

/// What has a property: every value has one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(pub u16);

/// How a property is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Accessor {
    /// The shape has no such property.
    #[default]
    None,
    /// A zone of a family.
    Zone(ZoneFamilyId),
    /// A counter of a family.
    Counter(CounterId),
    /// A dial's face.
    Dial(DialId),
    /// A toggle.
    Toggle(ToggleId),
    /// A fixed attribute, by its position.
    Attribute(u16),
    /// The player's own piece of a kind.
    Own(KindId),
    /// Something every value of the shape has.
    Builtin(Builtin),
}

/// Properties that need no declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// A piece's zone.
    Zone,
    /// The first thing that the zone of a piece, or a zone, belongs to: a player, a node, ...
    At,
    /// Whose a piece or a zone is.
    Owner,
    /// A die's face.
    Face,
    /// Whether a piece lies face down.
    FaceDown,
    /// A player's number, from 1.
    Number,
    /// The next player clockwise.
    Next,
    /// How many pieces lie in a zone.
    Len,
    /// The piece on top of a zone, or nothing.
    Top,
    /// The piece at the bottom of a zone, or nothing.
    Bottom,
    /// A title, as a text.
    Title,
}

/// The whole table of a pack.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Fewest players.
    pub min_players: u8,
    /// Most players: families per player have room for this many.
    pub max_players: u8,
    /// What the players are called when nobody gives names.
    pub player_titles: Vec<String>,
    /// Sets.
    pub sets: Vec<SetInfo>,
    /// Attributes of the members of each set.
    pub set_attributes: Vec<Vec<AttributeInfo>>,
    /// Members of enumerated sets.
    pub members: Vec<MemberInfo>,
    /// Graphs.
    pub graphs: Vec<GraphInfo>,
    /// Nodes.
    pub nodes: Vec<NodeInfo>,
    /// Kinds of pieces.
    pub kinds: Vec<KindInfo>,
    /// Pieces.
    pub pieces: Vec<PieceInfo>,
    /// Kinds of groups.
    pub group_kinds: Vec<GroupKindInfo>,
    /// For each group, its kind.
    pub groups: Vec<GroupKindId>,
    /// Families of zones.
    pub zone_families: Vec<ZoneFamily>,
    /// For each zone, its family.
    pub zones: Vec<ZoneFamilyId>,
    /// For each zone, what it takes.
    pub takes: Vec<Takes>,
    /// For each zone, a number made from its key: the address of its chance.
    pub zone_salts: Vec<u64>,
    /// For each cell, a number made from its key: its place in the digests of games.
    pub cell_salts: Vec<u64>,
    /// Families of counters.
    pub counters: Vec<CounterFamily>,
    /// Families of dials.
    pub dials: Vec<DialFamily>,
    /// Families of toggles.
    pub toggles: Vec<ToggleFamily>,
    /// Number of cells of all families.
    pub cells: u16,
    /// Plain choices, such as "done".
    pub choices: Vec<Name>,
    /// Texts of attributes that hold texts.
    pub texts: Vec<String>,
    /// Names of tags.
    pub tags: Vec<String>,
    /// Names of streams of chance with their salts.
    pub streams: Vec<(String, u64)>,
    /// Names of properties.
    pub properties: Vec<String>,
    /// How each shape reads each property: `accessors[shape * properties + property]`.
    pub accessors: Vec<Accessor>,
    /// Counters by scope, so that a scope is reset without a search.
    pub scoped: Vec<(Scope, CounterId)>,
    /// The cells of these counters, for when nobody is to be told which of them change.
    pub resets: Vec<Reset>,
}

/// Cells that return to their start together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reset {
    /// When a scope begins that is as wide as this, or wider.
    pub scope: Scope,
    /// The first cell.
    pub base: u16,
    /// Number of cells.
    pub size: u16,
    /// What is in them at the start.
    pub start: i32,
}

/// The shapes that do not depend on the pack; graphs, sets, kinds and group kinds follow.
pub mod shape {
    use super::ShapeId;

    /// The table.
    pub const TABLE: ShapeId = ShapeId(0);
    /// A player.
    pub const PLAYER: ShapeId = ShapeId(1);
    /// A zone.
    pub const ZONE: ShapeId = ShapeId(2);
    /// Dials, toggles, and other names that have only a title.
    pub const NAMED: ShapeId = ShapeId(3);
    /// What has no properties.
    pub const PLAIN: ShapeId = ShapeId(4);
    /// The first shape of the pack.
    pub const FIRST: u16 = 5;
}

impl Layout {
    /// Notes what each zone takes, once all families and groups are known.
    pub fn note_what_zones_take(&mut self) {
        let takes = |zone: usize| {
            let zone = ZoneId::from_index(zone);
            let family = self.family(zone);
            let alive = match family.dimensions.first().map(|first| first.domain) {
                Some(Domain::Groups(kind)) => {
                    let info = &self.group_kinds[kind.index()];
                    // The zones of one group follow each other.
                    let stride = (family.size / info.groups.len().max(1) as u16).max(1);
                    Some(info.alive + (zone.0 - family.base.0) / stride)
                }
                _ => None,
            };
            Takes {
                holds: family.holds,
                alive,
                capacity: family.capacity.unwrap_or(u16::MAX),
                ordered: family.ordered,
            }
        };
        self.takes = (0..self.zones.len()).map(takes).collect();
    }

    /// Notes that a counter returns to its start with its scope.
    pub fn reset_with_scope(&mut self, counter: CounterId, family: &CounterFamily) {
        let CounterFamily {
            scope,
            base,
            size,
            start,
            ..
        } = *family;
        self.scoped.push((scope, counter));
        match self.resets.last_mut() {
            Some(last)
                if (last.scope, last.start) == (scope, start) && last.base + last.size == base =>
            {
                last.size += size;
            }
            _ => self.resets.push(Reset {
                scope,
                base,
                size,
                start,
            }),
        }
    }

    /// Number of shapes.
    pub fn shapes(&self) -> usize {
        usize::from(shape::FIRST)
            + self.graphs.len()
            + self.sets.len()
            + self.kinds.len()
            + self.group_kinds.len()
    }

    /// The shape of a domain's values.
    pub fn shape_of_domain(&self, domain: Domain) -> ShapeId {
        let offset = match domain {
            Domain::Players => return shape::PLAYER,
            Domain::Graph(graph) => graph.index(),
            Domain::Set(set) => self.graphs.len() + set.index(),
            Domain::Kind(kind) => self.graphs.len() + self.sets.len() + kind.index(),
            Domain::Groups(kind) => {
                self.graphs.len() + self.sets.len() + self.kinds.len() + kind.index()
            }
        };
        ShapeId(shape::FIRST + offset as u16)
    }

    /// How a shape reads a property.
    pub fn accessor(&self, shape: ShapeId, property: PropertyId) -> Accessor {
        self.accessors[usize::from(shape.0) * self.properties.len() + property.index()]
    }

    /// The dimension of a domain.
    pub fn dimension(&self, domain: Domain) -> Dimension {
        let range = match domain {
            Domain::Players => 0..u16::from(self.max_players),
            Domain::Graph(graph) => self.graphs[graph.index()].nodes.clone(),
            Domain::Set(set) => match self.sets[set.index()]
                .members
                .first()
                .map(|first| first.case())
            {
                Some(Case::Member(first)) => {
                    first.0..first.0 + self.sets[set.index()].members.len() as u16
                }
                _ => 0..0,
            },
            Domain::Kind(kind) => self.kinds[kind.index()].pieces.clone(),
            Domain::Groups(kind) => self.group_kinds[kind.index()].groups.clone(),
        };
        Dimension {
            domain,
            base: range.start,
            size: range.end - range.start,
        }
    }

    /// The value at a position of a domain.
    pub fn value_of(&self, domain: Domain, id: u16) -> Value {
        match domain {
            Domain::Players => Value::from(PlayerId(id as u8)),
            Domain::Graph(_) => Value::from(NodeId(id)),
            Domain::Set(_) => Value::from(MemberId(id)),
            Domain::Kind(_) => Value::from(PieceId(id)),
            Domain::Groups(_) => Value::from(super::ids::GroupId(id)),
        }
    }

    /// The family of a zone.
    pub fn family(&self, zone: ZoneId) -> &ZoneFamily {
        &self.zone_families[self.zones[zone.index()].index()]
    }

    /// The things that a zone belongs to, one for each dimension.
    pub fn coordinates(&self, zone: ZoneId) -> Vec<Value> {
        let family = self.family(zone);
        let mut rest = zone.0 - family.base.0;
        let mut values = Vec::with_capacity(family.dimensions.len());
        for dimension in family.dimensions.iter().rev() {
            values.push(self.value_of(dimension.domain, dimension.base + rest % dimension.size));
            rest /= dimension.size;
        }
        values.reverse();
        values
    }

    /// The first thing that a zone belongs to.
    pub fn first_coordinate(&self, zone: ZoneId) -> Value {
        let family = self.family(zone);
        match family.dimensions.first() {
            None => Value::TABLE,
            Some(dimension) => {
                let stride = family.size / dimension.size;
                let position = (zone.0 - family.base.0) / stride;
                self.value_of(dimension.domain, dimension.base + position)
            }
        }
    }

    /// The player that a zone belongs to, if any.
    pub fn zone_owner(&self, zone: ZoneId) -> Option<PlayerId> {
        if !self
            .family(zone)
            .dimensions
            .iter()
            .any(|dimension| dimension.domain == Domain::Players)
        {
            return None;
        }
        self.coordinates(zone)
            .into_iter()
            .find_map(|value| match value.case() {
                Case::Player(player) => Some(player),
                _ => None,
            })
    }

    /// A zone's id for people and files: the family's, with what it belongs to in brackets.
    pub fn zone_key(&self, zone: ZoneId) -> String {
        let mut key = self.family(zone).name.id.clone();
        for value in self.coordinates(zone) {
            key.push('[');
            key.push_str(&self.key(value));
            key.push(']');
        }
        key
    }

    /// The key of a value, as scenarios and records write it. Values without one give "".
    pub fn key(&self, value: Value) -> String {
        match value.case() {
            Case::Unit => "nothing".to_owned(),
            Case::Bool(value) => value.to_string(),
            Case::Int(value) => value.to_string(),
            Case::Table => "table".to_owned(),
            Case::Player(player) => format!("player_{}", player.0 + 1),
            Case::Piece(piece) => match self.pieces.get(piece.index()) {
                Some(info) => info.key.clone(),
                None => "piece".to_owned(),
            },
            Case::Zone(zone) => self.zone_key(zone),
            Case::Node(node) => self.nodes[node.index()].name.id.clone(),
            Case::Member(member) => self.members[member.index()].name.id.clone(),
            Case::Group(group) => {
                let kind = self.groups[group.index()];
                let info = &self.group_kinds[kind.index()];
                format!("{}_{}", info.name.id, group.0 - info.groups.start + 1)
            }
            Case::Dial(dial) => self.dials[dial.index()].name.id.clone(),
            Case::Toggle(toggle) => self.toggles[toggle.index()].name.id.clone(),
            Case::Graph(graph) => self.graphs[graph.index()].name.id.clone(),
            Case::Set(set) => self.sets[set.index()].name.id.clone(),
            Case::Kind(kind) => self.kinds[kind.index()].name.id.clone(),
            Case::GroupKind(kind) => self.group_kinds[kind.index()].name.id.clone(),
            Case::Stream(stream) => self.streams[stream.index()].0.clone(),
            Case::Choice(choice) => self.choices[choice.index()].id.clone(),
            Case::Tag(tag) => self.tags[tag.index()].clone(),
            Case::Attribute(property) => self.properties[property.index()].clone(),
            _ => String::new(),
        }
    }

    /// The title of a value, for people.
    pub fn title(&self, value: Value) -> String {
        match value.case() {
            Case::Player(player) => match self.player_titles.get(player.index()) {
                Some(title) => title.clone(),
                None => format!("Player {}", player.0 + 1),
            },
            Case::Piece(piece) => match self.pieces.get(piece.index()) {
                Some(info) => info.name.title.clone(),
                None => "piece".to_owned(),
            },
            Case::Node(node) => self.nodes[node.index()].name.title.clone(),
            Case::Member(member) => self.members[member.index()].name.title.clone(),
            Case::Dial(dial) => self.dials[dial.index()].name.title.clone(),
            Case::Toggle(toggle) => self.toggles[toggle.index()].name.title.clone(),
            Case::Choice(choice) => self.choices[choice.index()].title.clone(),
            Case::Graph(graph) => self.graphs[graph.index()].name.title.clone(),
            Case::Kind(kind) => self.kinds[kind.index()].name.title.clone(),
            Case::Group(group) => {
                let kind = self.groups[group.index()];
                let info = &self.group_kinds[kind.index()];
                format!("{} {}", info.name.title, group.0 - info.groups.start + 1)
            }
            _ => self.key(value),
        }
    }
}
