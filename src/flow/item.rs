//! Items of a table by path, for any pack: what scenarios set and expect, and what goldens print.
//!
//! A path is `OWNER.FAMILY[INDEX]...`: the owner is a player (`player_1`), a node, a member of a set, a
//! piece or a group, and is left out (or `table`) where the family belongs to nobody. The family is a
//! zone, a counter, a dial, a toggle, a die's `face`, or a kind of which each player owns one piece, which
//! stands for where that piece lies. Pieces are named by their keys, or by their ids, which pick one of
//! several equal copies; `kind:` before it says of which kind, `player_1.` whose it is, `~` that it
//! lies face down, and `@5` behind it that a die shows this face.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::diag::{self, nearest};
use crate::table::ids::{
    CounterId, DialId, KindId, PieceId, PlayerId, PropertyId, SetId, ToggleId, ZoneId,
};
use crate::table::layout::{Accessor, Dimension, Domain, Holds, Layout, ShapeId, shape};
use crate::table::ops::{counter_value, decode, players};
use crate::table::{Case, TableState, Value};

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// What lies in a zone.
    Zone(ZoneId),
    /// A counter's cell, by its position in the family.
    Counter(CounterId, u16),
    /// A dial's face, by its position in the family.
    Dial(DialId, u16),
    /// A toggle, by its position in the family.
    Toggle(ToggleId, u16),
    /// The face of a die.
    Face(PieceId),
    /// Where a piece lies.
    Place(PieceId),
}

/// What an item is, or is to be, as files have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ItemValue {
    /// A toggle, or a counter that holds true or false.
    Bool(bool),
    /// A dial's printed face, a number, a die's face; of a zone, how many pieces lie in it.
    Int(i64),
    /// The key of what a counter holds (`nothing` if it holds nothing), or a zone's path.
    Text(String),
    /// All pieces of a zone, from the bottom to the top.
    List(Vec<String>),
    /// The uppermost pieces of a zone.
    Top {
        /// As they will be drawn, the first first.
        top: Vec<String>,
        /// The path of a zone to which what lay below goes, under what lies there; else it stays.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<String>,
    },
}

impl fmt::Display for ItemValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Int(value) => write!(formatter, "{value}"),
            Self::Text(value) => write!(formatter, "{value}"),
            Self::List(names) => write!(formatter, "[{}]", names.join(", ")),
            Self::Top { top, rest: None } => {
                write!(formatter, "[..., {}] from the top", top.join(", "))
            }
            Self::Top {
                top,
                rest: Some(rest),
            } => {
                let top = top.join(", ");
                write!(formatter, "[{top}] from the top, the rest to `{rest}`")
            }
        }
    }
}

/// The keys that a domain has at a table, with their values.
fn domain_keys(layout: &Layout, state: &TableState, domain: Domain) -> Vec<(String, Value)> {
    if domain == Domain::Players {
        return players(state)
            .map(|player| (layout.key(Value::from(player)), Value::from(player)))
            .collect();
    }
    let dimension = layout.dimension(domain);
    (dimension.base..dimension.base + dimension.size)
        .map(|id| {
            let value = layout.value_of(domain, id);
            let key = match value.case() {
                Case::Piece(piece) => layout.pieces[piece.index()].name.id.clone(),
                _ => layout.key(value),
            };
            (key, value)
        })
        .collect()
}

/// All domains of a layout.
pub(super) fn domains(layout: &Layout) -> Vec<Domain> {
    let mut all = vec![Domain::Players];
    for (index, _) in layout.graphs.iter().enumerate() {
        all.push(Domain::Graph(crate::table::ids::GraphId::from_index(index)));
    }
    for (index, set) in layout.sets.iter().enumerate() {
        if set.enumerated {
            all.push(Domain::Set(SetId::from_index(index)));
        }
    }
    for (index, _) in layout.kinds.iter().enumerate() {
        all.push(Domain::Kind(KindId::from_index(index)));
    }
    for (index, _) in layout.group_kinds.iter().enumerate() {
        all.push(Domain::Groups(crate::table::ids::GroupKindId::from_index(
            index,
        )));
    }
    all
}

/// The owners that a word can mean, with their shapes.
pub(super) fn owners(layout: &Layout, state: &TableState, word: &str) -> Vec<(Value, ShapeId)> {
    if word == "table" {
        return vec![(Value::TABLE, shape::TABLE)];
    }
    let (kind, word) = match word.split_once(':') {
        Some((kind, word)) => (Some(kind), word),
        None => (None, word),
    };
    let mut found = Vec::new();
    for domain in domains(layout) {
        if let Some(wanted) = kind {
            match domain {
                Domain::Kind(kind) if layout.kinds[kind.index()].name.id == wanted => {}
                _ => continue,
            }
        }
        for (key, value) in domain_keys(layout, state, domain) {
            if key == word {
                found.push((value, layout.shape_of_domain(domain)));
            }
        }
    }
    found
}

/// The dimensions of what an accessor reads.
fn dimensions(layout: &Layout, accessor: Accessor) -> &[Dimension] {
    match accessor {
        Accessor::Zone(family) => &layout.zone_families[family.index()].dimensions,
        Accessor::Counter(family) => &layout.counters[family.index()].dimensions,
        Accessor::Dial(family) => &layout.dials[family.index()].dimensions,
        Accessor::Toggle(family) => &layout.toggles[family.index()].dimensions,
        _ => &[],
    }
}

/// The number of a value in its domain's table.
fn number(value: Value) -> u16 {
    match value.case() {
        Case::Player(player) => u16::from(player.0),
        Case::Node(node) => node.0,
        Case::Member(member) => member.0,
        Case::Piece(piece) => piece.0,
        Case::Group(group) => group.0,
        _ => 0,
    }
}

/// `, did you mean ...` if something is near.
pub(super) fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}

impl Item {
    /// The item of a path.
    ///
    /// # Errors
    /// Says which word of it names nothing, and what could be meant.
    pub fn parse(layout: &Layout, state: &TableState, path: &str) -> Result<Self, String> {
        let path = path.trim();
        let (head, rest) = path.split_at(path.find('[').unwrap_or(path.len()));
        let (owner, family) = match head.rsplit_once('.') {
            Some((owner, family)) => (owner, family),
            None => ("table", head),
        };
        let indexes = split_indexes(path, rest)?;
        let mut owners = owners(layout, state, owner);
        if owners.is_empty() {
            let all: Vec<String> = domains(layout)
                .into_iter()
                .flat_map(|domain| domain_keys(layout, state, domain))
                .map(|(key, _)| key)
                .collect();
            return Err(format!(
                "there is no player, node, member, piece or group `{owner}` in `{path}`{}",
                near(owner, all.iter().map(String::as_str))
            ));
        }
        if family == "face" {
            let dice = owners.iter().find_map(|(value, _)| match value.case() {
                Case::Piece(piece) => {
                    let kind = layout.pieces[piece.index()].kind;
                    (layout.kinds[kind.index()].faces > 0).then_some(piece)
                }
                _ => None,
            });
            return match dice {
                Some(piece) => Ok(Self::Face(piece)),
                None => Err(format!("`{owner}` has no faces")),
            };
        }
        let property = layout
            .properties
            .iter()
            .position(|property| property == family)
            .map(PropertyId::from_index);
        owners.retain(|(_, shape)| {
            property.is_some_and(|property| {
                matches!(
                    layout.accessor(*shape, property),
                    Accessor::Zone(_)
                        | Accessor::Counter(_)
                        | Accessor::Dial(_)
                        | Accessor::Toggle(_)
                        | Accessor::Own(_)
                )
            })
        });
        let (Some((value, shape)), Some(property)) = (owners.first().copied(), property) else {
            return Err(unknown_family(layout, state, owner, family, path));
        };
        let accessor = layout.accessor(shape, property);
        if let (Accessor::Own(kind), Case::Player(player)) = (accessor, value.case()) {
            let first = layout.kinds[kind.index()].pieces.start;
            return Ok(Self::Place(PieceId(first + u16::from(player.0))));
        }
        let own = (value != Value::TABLE).then_some(value);
        let position = position(layout, state, path, accessor, own, &indexes)?;
        Ok(match accessor {
            Accessor::Zone(family) => Self::Zone(ZoneId(
                layout.zone_families[family.index()].base.0 + position,
            )),
            Accessor::Counter(family) => Self::Counter(family, position),
            Accessor::Dial(family) => Self::Dial(family, position),
            Accessor::Toggle(family) => Self::Toggle(family, position),
            _ => return Err(unknown_family(layout, state, owner, family, path)),
        })
    }

    /// The path of an item.
    pub fn path(self, layout: &Layout, state: &TableState) -> String {
        match self {
            Self::Zone(zone) => zone_path(layout, zone),
            Self::Counter(counter, position) => {
                let family = &layout.counters[counter.index()];
                family_path(layout, &family.name.id, &family.dimensions, position)
            }
            Self::Dial(dial, position) => {
                let family = &layout.dials[dial.index()];
                family_path(layout, &family.name.id, &family.dimensions, position)
            }
            Self::Toggle(toggle, position) => {
                let family = &layout.toggles[toggle.index()];
                family_path(layout, &family.name.id, &family.dimensions, position)
            }
            Self::Face(piece) => format!("{}.face", state.info(layout, piece).name.id),
            Self::Place(piece) => piece_word(layout, state, piece),
        }
    }

    /// What an item is.
    pub fn read(self, layout: &Layout, state: &TableState) -> ItemValue {
        match self {
            Self::Zone(zone) => {
                let mut names: Vec<String> = state
                    .lying(zone)
                    .map(|piece| shown_piece(layout, state, piece))
                    .collect();
                if !layout.family(zone).ordered {
                    names.sort();
                }
                ItemValue::List(names)
            }
            Self::Counter(counter, position) => {
                let base = layout.counters[counter.index()].base;
                self.of_cell(layout, state, state.cells[usize::from(base + position)])
            }
            Self::Dial(dial, position) => {
                let base = layout.dials[dial.index()].base;
                self.of_cell(layout, state, state.cells[usize::from(base + position)])
            }
            Self::Toggle(toggle, position) => {
                let base = layout.toggles[toggle.index()].base;
                self.of_cell(layout, state, state.cells[usize::from(base + position)])
            }
            Self::Face(piece) => ItemValue::Int(i64::from(state.pieces[piece.index()].face)),
            Self::Place(piece) => {
                ItemValue::Text(Self::Zone(state.pieces[piece.index()].zone).path(layout, state))
            }
        }
    }

    /// What a counter, a dial or a toggle is when its cell has a number.
    pub fn of_cell(self, layout: &Layout, state: &TableState, number: i32) -> ItemValue {
        match self {
            Self::Counter(counter, _) => {
                let value = decode(layout, layout.counters[counter.index()].holds, number);
                match value.case() {
                    Case::Int(value) => ItemValue::Int(value),
                    Case::Bool(value) => ItemValue::Bool(value),
                    Case::Piece(piece) => ItemValue::Text(piece_word(layout, state, piece)),
                    _ => ItemValue::Text(layout.key(value)),
                }
            }
            Self::Dial(dial, _) => {
                let face = usize::try_from(number)
                    .ok()
                    .and_then(|needle| layout.dials[dial.index()].faces.get(needle));
                ItemValue::Int(face.copied().map_or(0, i64::from))
            }
            Self::Toggle(..) => ItemValue::Bool(number != 0),
            Self::Zone(_) | Self::Face(_) | Self::Place(_) => ItemValue::Int(i64::from(number)),
        }
    }

    /// Compares an item with what is expected of it.
    ///
    /// # Errors
    /// Says what was found.
    pub fn expect(
        self,
        layout: &Layout,
        state: &TableState,
        expected: &ItemValue,
    ) -> Result<(), String> {
        let found = self.read(layout, state);
        let ok = match (self, expected) {
            (Self::Zone(zone), ItemValue::Int(count)) => {
                if state.len(zone) as i64 == *count {
                    return Ok(());
                }
                return Err(format!(
                    "{}: {found}",
                    diag::count(state.len(zone), "piece")
                ));
            }
            (Self::Zone(zone), ItemValue::List(names)) => {
                let lying: Vec<PieceId> = state.lying(zone).collect();
                names.len() == lying.len()
                    && if layout.family(zone).ordered {
                        names
                            .iter()
                            .zip(&lying)
                            .all(|(name, piece)| is_called(layout, state, name, *piece))
                    } else {
                        all_found(layout, state, names, lying)
                    }
            }
            (Self::Zone(zone), ItemValue::Top { top, .. }) => {
                let lying: Vec<PieceId> = state.lying(zone).collect();
                top.len() <= lying.len()
                    && top
                        .iter()
                        .zip(lying.iter().rev())
                        .all(|(name, piece)| is_called(layout, state, name, *piece))
            }
            (Self::Counter(counter, position), ItemValue::Text(text)) => {
                match counter_value(layout, state, counter, position).case() {
                    Case::Piece(piece) => is_called(layout, state, text, piece),
                    _ => found == *expected,
                }
            }
            _ => found == *expected,
        };
        if ok { Ok(()) } else { Err(found.to_string()) }
    }

    /// All zones, counters, dials and toggles of a layout.
    pub fn all(layout: &Layout) -> impl Iterator<Item = Self> + '_ {
        let zones = (0..layout.zones.len()).map(|zone| Self::Zone(ZoneId::from_index(zone)));
        zones.chain(cells(layout).map(|(item, ..)| item))
    }

    /// The counters, dials and toggles that are not as at the start, in a fixed order.
    pub fn changed_cells(layout: &Layout, state: &TableState) -> Vec<Self> {
        let cells = cells(layout);
        let changed = cells.filter(|(_, cell, start)| state.cells[*cell] != *start);
        changed.map(|(item, ..)| item).collect()
    }

    /// All counters, dials and toggles, in a fixed order.
    pub fn all_cells(layout: &Layout) -> impl Iterator<Item = Self> + '_ {
        cells(layout).map(|(item, ..)| item)
    }

    /// The value for a counter that files give as a key.
    pub(super) fn counter_key(
        layout: &Layout,
        state: &TableState,
        holds: Holds,
        key: &str,
    ) -> Result<Value, String> {
        let Holds::One(domain) = holds else {
            return Err(format!("`{key}` cannot be held here"));
        };
        if key == "nothing" {
            return Ok(Value::UNIT);
        }
        let known = domain_keys(layout, state, domain);
        match known.iter().find(|(known, _)| known == key) {
            Some((_, value)) => Ok(*value),
            None => Err(format!(
                "there is no `{key}` that can be held here{}",
                near(key, known.iter().map(|(known, _)| known.as_str()))
            )),
        }
    }
}

/// Counters, dials and toggles with the positions of their cells and their starts.
fn cells(layout: &Layout) -> impl Iterator<Item = (Item, usize, i32)> + '_ {
    let counters = layout.counters.iter().enumerate().flat_map(|(at, family)| {
        let item = move |position| Item::Counter(CounterId::from_index(at), position);
        (0..family.size).map(move |position| (item(position), family.base + position, family.start))
    });
    let dials = layout.dials.iter().enumerate().flat_map(|(at, family)| {
        let item = move |position| Item::Dial(DialId::from_index(at), position);
        (0..family.size).map(move |position| (item(position), family.base + position, family.start))
    });
    let toggles = layout.toggles.iter().enumerate().flat_map(|(at, family)| {
        let item = move |position| Item::Toggle(ToggleId::from_index(at), position);
        let start = i32::from(family.start);
        (0..family.size).map(move |position| (item(position), family.base + position, start))
    });
    let all = counters.chain(dials).chain(toggles);
    all.map(|(item, cell, start)| (item, usize::from(cell), start))
}

/// Whether every name has a piece of its own; ids choose before keys.
fn all_found(
    layout: &Layout,
    state: &TableState,
    names: &[String],
    mut lying: Vec<PieceId>,
) -> bool {
    let mut names: Vec<&String> = names.iter().collect();
    names.sort_by_key(|name| {
        let word = Word::parse(name);
        !lying
            .iter()
            .any(|piece| state.info(layout, *piece).name.id == word.name)
    });
    names.into_iter().all(|name| {
        let found = lying
            .iter()
            .position(|piece| is_called(layout, state, name, *piece));
        found.map(|at| lying.remove(at)).is_some()
    })
}

/// `[a][b]` to its words.
fn split_indexes<'p>(path: &str, rest: &'p str) -> Result<Vec<&'p str>, String> {
    let mut words = Vec::new();
    let mut rest = rest;
    while let Some(inner) = rest.strip_prefix('[') {
        let Some((word, after)) = inner.split_once(']') else {
            return Err(format!("a bracket of `{path}` is not closed"));
        };
        words.push(word.trim());
        rest = after;
    }
    if rest.is_empty() {
        Ok(words)
    } else {
        Err(format!("`{rest}` at the end of `{path}` is not understood"))
    }
}

fn unknown_family(
    layout: &Layout,
    state: &TableState,
    owner: &str,
    family: &str,
    path: &str,
) -> String {
    let shapes: Vec<ShapeId> = owners(layout, state, owner)
        .into_iter()
        .map(|(_, shape)| shape)
        .collect();
    let known: Vec<&str> = layout
        .properties
        .iter()
        .enumerate()
        .filter(|(index, _)| {
            shapes.iter().any(|shape| {
                matches!(
                    layout.accessor(*shape, PropertyId::from_index(*index)),
                    Accessor::Zone(_)
                        | Accessor::Counter(_)
                        | Accessor::Dial(_)
                        | Accessor::Toggle(_)
                        | Accessor::Own(_)
                )
            })
        })
        .map(|(_, name)| name.as_str())
        .collect();
    let what = match owner {
        "table" => "the table".to_owned(),
        other => format!("`{other}`"),
    };
    match nearest(family, known.iter().copied()) {
        Some(near) => format!("{what} has no `{family}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("{what} has no items, found `{path}`"),
        None => format!("{what} has no `{family}`; it has {}", known.join(", ")),
    }
}

/// The position in a family.
fn position(
    layout: &Layout,
    state: &TableState,
    path: &str,
    accessor: Accessor,
    own: Option<Value>,
    indexes: &[&str],
) -> Result<u16, String> {
    let dimensions = dimensions(layout, accessor);
    let wanted = dimensions.len() - usize::from(own.is_some());
    if indexes.len() != wanted {
        return Err(format!(
            "`{path}` needs {wanted} in brackets, found {}",
            indexes.len()
        ));
    }
    let mut position = 0;
    let mut words = indexes.iter();
    for (at, dimension) in dimensions.iter().enumerate() {
        let value = match own {
            Some(own) if at == 0 => own,
            _ => {
                let word = words.next().copied().unwrap_or_default();
                let known = domain_keys(layout, state, dimension.domain);
                match known.iter().find(|(key, _)| key == word) {
                    Some((_, value)) => *value,
                    None => {
                        return Err(format!(
                            "`{word}` has no place in `{path}`{}",
                            near(word, known.iter().map(|(key, _)| key.as_str()))
                        ));
                    }
                }
            }
        };
        position = position * dimension.size + (number(value) - dimension.base);
    }
    Ok(position)
}

/// The path of a zone.
pub fn zone_path(layout: &Layout, zone: ZoneId) -> String {
    let family = layout.family(zone);
    family_path(
        layout,
        &family.name.id,
        &family.dimensions,
        zone.0 - family.base.0,
    )
}

fn family_path(layout: &Layout, id: &str, dimensions: &[Dimension], position: u16) -> String {
    let mut rest = position;
    let mut keys = Vec::with_capacity(dimensions.len());
    for dimension in dimensions.iter().rev() {
        let value = layout.value_of(dimension.domain, dimension.base + rest % dimension.size);
        keys.push(match value.case() {
            Case::Piece(piece) => layout.pieces[piece.index()].name.id.clone(),
            _ => layout.key(value),
        });
        rest /= dimension.size;
    }
    let mut path = match keys.pop() {
        Some(owner) => format!("{owner}.{id}"),
        None => id.to_owned(),
    };
    for key in keys.iter().rev() {
        path.push('[');
        path.push_str(key);
        path.push(']');
    }
    path
}

/// What a piece is called: its key, or whose it is and its kind.
pub fn piece_word(layout: &Layout, state: &TableState, piece: PieceId) -> String {
    let info = state.info(layout, piece);
    match info.owner {
        Some(owner) => format!(
            "{}.{}",
            layout.key(Value::from(owner)),
            layout.kinds[info.kind.index()].name.id
        ),
        None => info.key.clone(),
    }
}

/// What a piece is called, with `~` if it lies face down.
pub fn shown_piece(layout: &Layout, state: &TableState, piece: PieceId) -> String {
    let word = piece_word(layout, state, piece);
    if state.pieces[piece.index()].face_down {
        format!("~{word}")
    } else {
        word
    }
}

/// How files name a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Whether it lies face down.
    pub face_down: bool,
    /// Its kind, if said.
    pub kind: Option<&'a str>,
    /// Its key, its id, or `player_N.KIND`.
    pub name: &'a str,
    /// The face it shows, if said.
    pub face: Option<u8>,
}

impl<'a> Word<'a> {
    /// Takes a name apart.
    pub fn parse(text: &'a str) -> Self {
        let text = text.trim();
        let (face_down, text) = match text.strip_prefix('~') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (text, face) = match text.rsplit_once('@') {
            Some((before, face)) => match face.parse() {
                Ok(face) => (before, Some(face)),
                Err(_) => (text, None),
            },
            None => (text, None),
        };
        let (kind, name) = match text.split_once(':') {
            Some((kind, name)) => (Some(kind), name),
            None => (None, text),
        };
        Self {
            face_down,
            kind,
            name,
            face,
        }
    }

    /// Whether it can mean a piece, however that lies.
    pub fn means(&self, layout: &Layout, state: &TableState, piece: PieceId) -> bool {
        let info = state.info(layout, piece);
        if let Some(kind) = self.kind
            && layout.kinds[info.kind.index()].name.id != kind
        {
            return false;
        }
        if info.owner.is_some() {
            return info.name.id == self.name || piece_word(layout, state, piece) == self.name;
        }
        info.key == self.name || info.name.id == self.name
    }
}

/// Whether a piece is called so, and lies so.
fn is_called(layout: &Layout, state: &TableState, name: &str, piece: PieceId) -> bool {
    let word = Word::parse(name);
    let lies = state.pieces[piece.index()];
    word.face_down == lies.face_down
        && word.face.is_none_or(|face| face == lies.face)
        && word.means(layout, state, piece)
}

/// The player of a word such as `player_1`.
pub fn player_of(word: &str, players: u8) -> Option<PlayerId> {
    let number: u8 = word.strip_prefix("player_")?.parse().ok()?;
    (1..=players)
        .contains(&number)
        .then(|| PlayerId(number - 1))
}
