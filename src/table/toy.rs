//! A table built by hand, with one of everything, for the tests of this layer.

use std::ops::Range;

use proptest::prelude::*;

use super::chance::salt;
use super::graph;
use super::ids::{
    CounterId, DialId, GraphId, GroupId, GroupKindId, KindId, MemberId, NodeId, PieceId, PlayerId,
    SetId, StreamId, ToggleId, ZoneFamilyId, ZoneId,
};
use super::layout::{
    CounterFamily, DialFamily, Dimension, Domain, EdgeInfo, GraphInfo, GroupKindInfo, Holds,
    KindInfo, Layout, MemberInfo, Name, NodeInfo, PieceInfo, Scope, SetInfo, ToggleFamily, Visible,
    ZoneFamily,
};
use super::ops::{Table, TableError};
use super::state::TableState;
use super::value::Value;

pub(super) const ANN: PlayerId = PlayerId(0);
pub(super) const BOB: PlayerId = PlayerId(1);

pub(super) const CARD: KindId = KindId(0);
pub(super) const TOKEN: KindId = KindId(1);
pub(super) const DIE: KindId = KindId(2);
pub(super) const PILE: GroupKindId = GroupKindId(0);

/// The first card; five more follow.
pub(super) const CARDS: Range<u16> = 0..6;
/// The pattern of the tokens.
pub(super) const CUBE_PATTERN: PieceId = PieceId(6);
/// Two amber dice, then two jade ones.
pub(super) const DICE: Range<u16> = 7..11;

pub(super) const BAG: ZoneId = ZoneId(0);
pub(super) const DECK: ZoneId = ZoneId(1);
pub(super) const DISCARD: ZoneId = ZoneId(2);
pub(super) const HANDS: ZoneId = ZoneId(3);
pub(super) const PILE_CARDS: ZoneId = ZoneId(5);
pub(super) const PILE_CUBES: ZoneId = ZoneId(7);
pub(super) const SPOTS: ZoneId = ZoneId(9);
pub(super) const SUPPLY: ZoneId = ZoneId(17);
pub(super) const VAULT: ZoneId = ZoneId(18);

/// Who is active: a player or nothing.
pub(super) const ACTIVE: CounterId = CounterId(0);
/// Whether a player has passed, this round.
pub(super) const PASSED: CounterId = CounterId(1);
/// A card that only its player knows.
pub(super) const SECRET: CounterId = CounterId(2);
/// A number of a group.
pub(super) const MARK: CounterId = CounterId(3);
/// A player's coins, 0 to 10, 2 at the start.
pub(super) const COINS: CounterId = CounterId(4);
/// Steps of a turn, without limits.
pub(super) const USED: CounterId = CounterId(5);
/// A number of a card.
pub(super) const WEAR: CounterId = CounterId(6);

pub(super) const HEAT: DialId = DialId(0);
pub(super) const BOOST: ToggleId = ToggleId(0);
pub(super) const LOTS: StreamId = StreamId(0);

fn name(id: &str) -> Name {
    Name {
        id: id.to_owned(),
        title: id.to_owned(),
    }
}

/// Hands out zones and cells while families are declared.
struct Builder(Layout);

impl Builder {
    fn dimensions(&self, domains: &[Domain]) -> (Vec<Dimension>, u16) {
        let dimensions: Vec<Dimension> = domains
            .iter()
            .map(|domain| self.0.dimension(*domain))
            .collect();
        let size = dimensions.iter().map(|dimension| dimension.size).product();
        (dimensions, size)
    }

    fn zone(&mut self, id: &str, domains: &[Domain], change: impl FnOnce(&mut ZoneFamily)) {
        let (dimensions, size) = self.dimensions(domains);
        let mut family = ZoneFamily {
            name: name(id),
            dimensions,
            base: ZoneId::from_index(self.0.zones.len()),
            size,
            ordered: false,
            capacity: None,
            visible: Visible::All,
            holds: None,
            refill: None,
        };
        change(&mut family);
        let number = ZoneFamilyId::from_index(self.0.zone_families.len());
        for position in 0..size {
            self.0.zones.push(number);
            self.0.zone_salts.push(salt(&format!("{id}/{position}")));
        }
        self.0.zone_families.push(family);
    }

    fn cells(&mut self, size: u16) -> u16 {
        let base = self.0.cells;
        self.0.cells += size;
        base
    }

    fn counter(
        &mut self,
        id: &str,
        domains: &[Domain],
        holds: Holds,
        change: impl FnOnce(&mut CounterFamily),
    ) {
        let (dimensions, size) = self.dimensions(domains);
        let mut family = CounterFamily {
            name: name(id),
            dimensions,
            base: self.cells(size),
            size,
            holds,
            scope: Scope::Game,
            start: 0,
            least: None,
            most: None,
            visible: Visible::All,
        };
        change(&mut family);
        let number = CounterId::from_index(self.0.counters.len());
        self.0.reset_with_scope(number, &family);
        self.0.counters.push(family);
    }

    fn piece(&mut self, id: &str, kind: KindId, class: u16, start: ZoneId, attribute: Value) {
        self.0.pieces.push(PieceInfo {
            name: name(id),
            key: id.to_owned(),
            kind,
            class,
            attributes: vec![attribute],
            owner: None,
            start,
            face_down: false,
            salt: salt(id),
        });
    }

    fn kind(&mut self, id: &str, pieces: Range<u16>, faces: u8, unlimited: bool) {
        self.0.kinds.push(KindInfo {
            name: name(id),
            pieces,
            attributes: Vec::new(),
            faces,
            per_player: false,
            unlimited,
        });
    }
}

/// For two; a map of four nodes in a row; two shades; cards, tokens without end and dice; piles
/// made during play.
pub(super) fn layout() -> Layout {
    let mut builder = Builder(Layout {
        min_players: 2,
        max_players: 2,
        streams: vec![("lots".to_owned(), salt("lots"))],
        ..Layout::default()
    });
    let shades = SetId(0);
    builder.0.sets.push(SetInfo {
        name: name("shade"),
        members: vec![Value::from(MemberId(0)), Value::from(MemberId(1))],
        enumerated: true,
    });
    builder.0.set_attributes.push(Vec::new());
    for id in ["amber", "jade"] {
        builder.0.members.push(MemberInfo {
            name: name(id),
            set: shades,
            attributes: Vec::new(),
        });
    }
    let map = GraphId(0);
    let edges: Vec<EdgeInfo> = [(0, 1, 1), (1, 2, 2), (2, 3, 1)]
        .into_iter()
        .map(|(a, b, cost)| EdgeInfo {
            a: NodeId(a),
            b: NodeId(b),
            cost,
        })
        .collect();
    builder.0.graphs.push(GraphInfo {
        name: name("map"),
        nodes: 0..4,
        distances: graph::distances(4, 0, &edges),
        edges,
        attributes: Vec::new(),
    });
    for id in ["east", "north", "south", "west"] {
        builder.0.nodes.push(NodeInfo {
            name: name(id),
            graph: map,
            attributes: Vec::new(),
            at: None,
        });
    }
    builder.kind("card", CARDS, 0, false);
    builder.kind("token", 6..7, 0, true);
    builder.kind("die", DICE, 6, false);
    for (class, id) in ["ace", "bee", "cat", "dog", "eel", "fox"]
        .iter()
        .enumerate()
    {
        builder.piece(id, CARD, class as u16, DECK, Value::UNIT);
    }
    builder.piece("token", TOKEN, 6, SUPPLY, Value::UNIT);
    for (number, id) in ["amber_1", "amber_2", "jade_1", "jade_2"]
        .iter()
        .enumerate()
    {
        let shade = number as u16 / 2;
        let attribute = Value::from(MemberId(shade));
        builder.piece(id, DIE, 7 + shade, BAG, attribute);
    }
    let alive = builder.cells(2);
    builder.0.group_kinds.push(GroupKindInfo {
        name: name("pile"),
        groups: 0..2,
        alive,
        zones: vec![ZoneFamilyId(4), ZoneFamilyId(5)],
        counters: vec![MARK],
    });
    builder.0.groups = vec![PILE, PILE];

    let piles = Domain::Groups(PILE);
    builder.zone("bag", &[], |zone| zone.ordered = true);
    builder.zone("deck", &[], |zone| {
        zone.ordered = true;
        zone.visible = Visible::Nobody;
        zone.holds = Some(CARD);
        zone.refill = Some(DISCARD);
    });
    builder.zone("discard", &[], |zone| zone.ordered = true);
    builder.zone("hand", &[Domain::Players], |zone| {
        zone.capacity = Some(4);
        zone.visible = Visible::Owner;
        zone.holds = Some(CARD);
    });
    builder.zone("pile_cards", &[piles], |zone| zone.ordered = true);
    builder.zone("pile_tokens", &[piles], |_| {});
    builder.zone("spot", &[Domain::Players, Domain::Graph(map)], |zone| {
        zone.capacity = Some(2);
    });
    builder.zone("supply", &[], |zone| zone.holds = Some(TOKEN));
    builder.zone("vault", &[], |zone| {
        zone.ordered = true;
        zone.visible = Visible::Nobody;
    });

    builder.counter("active", &[], Holds::One(Domain::Players), |_| {});
    builder.counter("passed", &[Domain::Players], Holds::Bool, |counter| {
        counter.scope = Scope::Round;
    });
    builder.counter(
        "secret",
        &[Domain::Players],
        Holds::One(Domain::Kind(CARD)),
        |counter| counter.visible = Visible::Owner,
    );
    builder.counter("mark", &[piles], Holds::Int, |counter| counter.start = 5);
    builder.counter("coins", &[Domain::Players], Holds::Int, |counter| {
        counter.start = 2;
        counter.least = Some(0);
        counter.most = Some(10);
    });
    builder.counter("used", &[], Holds::Int, |counter| {
        counter.scope = Scope::Turn;
    });
    builder.counter("wear", &[Domain::Kind(CARD)], Holds::Int, |_| {});
    let players = builder.dimensions(&[Domain::Players]).0;
    let base = builder.cells(2);
    builder.0.dials.push(DialFamily {
        name: name("heat"),
        dimensions: players.clone(),
        base,
        size: 2,
        faces: vec![0, 2, 4, 8],
        start: 1,
        tags: Vec::new(),
    });
    let base = builder.cells(2);
    builder.0.toggles.push(ToggleFamily {
        name: name("boost"),
        dimensions: players,
        base,
        size: 2,
        start: false,
        tags: Vec::new(),
    });
    builder.0.note_what_zones_take();
    builder.0
}

/// The hand of a player.
pub(super) fn hand(player: PlayerId) -> ZoneId {
    ZoneId(HANDS.0 + u16::from(player.0))
}

/// The spot of a player at a node.
pub(super) fn spot(player: PlayerId, node: u16) -> ZoneId {
    ZoneId(SPOTS.0 + u16::from(player.0) * 4 + node)
}

/// Where the cards of a pile lie.
pub(super) fn pile_cards(group: GroupId) -> ZoneId {
    ZoneId(PILE_CARDS.0 + group.0)
}

/// Where the tokens of a pile lie.
pub(super) fn pile_tokens(group: GroupId) -> ZoneId {
    ZoneId(PILE_CUBES.0 + group.0)
}

/// A table over a state, to which nobody listens.
pub(super) fn table<'a>(layout: &'a Layout, state: &'a mut TableState) -> Table<'a> {
    Table {
        layout,
        state,
        events: None,
        dealer: None,
    }
}

/// What lies in a zone, by the names of the pieces.
pub(super) fn names(layout: &Layout, state: &TableState, zone: ZoneId) -> Vec<String> {
    state
        .lying(zone)
        .map(|piece| state.info(layout, piece).name.id.clone())
        .collect()
}

/// A change drawn at random: what to do, and three numbers that say to what.
pub(super) type Change = (u8, u16, u16, i64);

/// The number of the change that forms a pile and puts something into it.
pub(super) const FORM: u8 = 15;

/// Many changes.
pub(super) fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((0..18_u8, any::<u16>(), any::<u16>(), -3..12_i64), 0..60)
}

/// Does a change; most make sense, some are refused.
pub(super) fn apply(table: &mut Table<'_>, change: Change) -> Result<(), TableError> {
    let (what, a, b, n) = change;
    let layout = table.layout;
    let piece = PieceId(a % table.state.pieces.len() as u16);
    let zone = ZoneId(b % layout.zones.len() as u16);
    let player = a % 2;
    match what {
        0 | 1 => table.put(piece, zone)?,
        2 => table.place(piece, zone, n % 2 == 0, true)?,
        3 => table.turn(piece, n % 2 == 0),
        4 => drop(table.draw(DECK, zone, n)?),
        5 => drop(table.draw(ZoneId(a % layout.zones.len() as u16), zone, n)?),
        6 => drop(table.draw(SUPPLY, zone, n)?),
        7 => table.shuffle(zone)?,
        8 => drop(table.roll(piece)?),
        9 => table.set_face(piece, n)?,
        10 => drop(table.pick(LOTS, &[Value::int(1), Value::int(2)])?),
        11 => table.set_cell(COINS, player, n)?,
        12 => drop(table.advance(HEAT, player, n)),
        13 => table.toggle(BOOST, player, n % 2 == 0),
        14 => table.reset([Scope::Round, Scope::Turn, Scope::Step][usize::from(a % 3)]),
        FORM => {
            let group = table.form(PILE)?;
            table.draw(DECK, pile_cards(group), n)?;
            table.draw(SUPPLY, pile_tokens(group), 1)?;
        }
        16 => table.set_counter(SECRET, player, Value::from(piece))?,
        _ => table.set_cell(WEAR, a % 6, n)?,
    }
    Ok(())
}

/// The table as the box is opened, for a game with a seed.
pub(super) fn opened(layout: &Layout, seed: u64) -> TableState {
    TableState::new(layout, 2, seed)
}

/// The table after some changes.
pub(super) fn played(layout: &Layout, seed: u64, changes: &[Change]) -> TableState {
    let mut state = opened(layout, seed);
    for change in changes {
        // What is refused changes nothing.
        let _ = apply(&mut table(layout, &mut state), *change);
    }
    state
}
