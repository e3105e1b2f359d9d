//! The one way to change a table. Every change goes through [`Table`], which tells those who listen.

use std::fmt;

use super::chance::Draw;
use super::event::Event;
use super::ids::{
    CounterId, DialId, GroupId, GroupKindId, KindId, PieceId, PlayerId, StreamId, ToggleId, ZoneId,
};
use super::layout::{Domain, Holds, Layout, Scope};
use super::state::{NO_PIECE, PieceState, TableState};
use super::value::Value;

/// Gives outcomes of chance from outside, as scenarios and records do.
pub trait Dealer {
    /// The face for the next roll of a die; `None` leaves it to the seed.
    ///
    /// # Errors
    /// Says why the given outcome cannot be.
    fn roll(&mut self, piece: PieceId, faces: u8) -> Result<Option<u8>, String>;

    /// The order for the next shuffle, from the bottom to the top, as a permutation of the pieces;
    /// `None` leaves it to the seed.
    ///
    /// # Errors
    /// Says why the given order cannot be.
    fn shuffle(&mut self, zone: ZoneId, pieces: &[PieceId])
    -> Result<Option<Vec<PieceId>>, String>;

    /// The position of the value to pick; `None` leaves it to the seed.
    ///
    /// # Errors
    /// Says why the given value cannot be.
    fn pick(&mut self, stream: StreamId, values: &[Value]) -> Result<Option<usize>, String>;
}

/// Why a change is impossible. The table is as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// A zone has no room left.
    Full(ZoneId),
    /// A zone holds only one kind, and this piece is of another.
    WrongKind(PieceId, ZoneId),
    /// The piece is not in the zone that the change needs.
    Elsewhere(PieceId, ZoneId),
    /// A counter would leave its limits.
    Range {
        /// The counter.
        counter: CounterId,
        /// What it would hold.
        value: i64,
    },
    /// A counter holds another type.
    Holds(CounterId, Value),
    /// No more groups of this kind can be alive.
    TooManyGroups(GroupKindId),
    /// Too many pieces were made.
    TooManyPieces(KindId),
    /// The piece is no die.
    NoDie(PieceId),
    /// A die has no such face.
    NoFace(PieceId, i64),
    /// A draw from nothing.
    NothingToPick(StreamId),
    /// A given outcome of chance cannot be.
    Chance(String),
}

impl TableError {
    /// The error in words.
    pub fn describe(&self, layout: &Layout, state: &TableState) -> String {
        let piece = |piece: PieceId| format!("`{}`", state.info(layout, piece).name.id);
        match self {
            Self::Full(zone) => format!(
                "`{}` is full: it has room for {}",
                layout.zone_key(*zone),
                layout.family(*zone).capacity.unwrap_or(0)
            ),
            Self::WrongKind(what, zone) => format!(
                "{} cannot lie in `{}`, which holds `{}` only",
                piece(*what),
                layout.zone_key(*zone),
                layout
                    .family(*zone)
                    .holds
                    .map_or("", |kind| &layout.kinds[kind.index()].name.id)
            ),
            Self::Elsewhere(what, zone) => {
                format!("{} is not in `{}`", piece(*what), layout.zone_key(*zone))
            }
            Self::Range { counter, value } => {
                let family = &layout.counters[counter.index()];
                let limits = match (family.least, family.most) {
                    (Some(least), Some(most)) => format!("from {least} to {most}"),
                    (Some(least), None) => format!("at least {least}"),
                    (None, Some(most)) => format!("at most {most}"),
                    (None, None) => "a 32-bit number".to_owned(),
                };
                format!(
                    "counter `{}` would be {value}; it must be {limits}",
                    family.name.id
                )
            }
            Self::Holds(counter, value) => format!(
                "counter `{}` cannot hold {}",
                layout.counters[counter.index()].name.id,
                value.type_name()
            ),
            Self::TooManyGroups(kind) => {
                let info = &layout.group_kinds[kind.index()];
                format!(
                    "no more than {} groups of `{}` can be alive",
                    info.groups.len(),
                    info.name.id
                )
            }
            Self::TooManyPieces(kind) => format!(
                "too many pieces of `{}` were made",
                layout.kinds[kind.index()].name.id
            ),
            Self::NoDie(what) => format!("{} has no faces to roll", piece(*what)),
            Self::NoFace(what, face) => format!("{} has no face {face}", piece(*what)),
            Self::NothingToPick(stream) => format!(
                "stream `{}` has nothing to pick from",
                layout.streams[stream.index()].0
            ),
            Self::Chance(text) => text.clone(),
        }
    }
}

/// A table under change.
pub struct Table<'a> {
    /// What the table is made of.
    pub layout: &'a Layout,
    /// How it stands.
    pub state: &'a mut TableState,
    /// Where events go, if somebody listens.
    pub events: Option<&'a mut Vec<Event>>,
    /// Where outcomes of chance come from, if not from the seed.
    pub dealer: Option<&'a mut dyn Dealer>,
}

impl fmt::Debug for Table<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Table")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Pieces that may be made during play, for all unlimited supplies together.
const MOST_COPIES: usize = 4096;

impl Table<'_> {
    fn tell(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }

    /// Puts a piece on top of a zone (in a zone without order, where its id belongs).
    ///
    /// # Errors
    /// When the zone is full or holds only another kind.
    pub fn put(&mut self, piece: PieceId, to: ZoneId) -> Result<(), TableError> {
        self.place(piece, to, false, false)
    }

    /// Puts a piece into a zone: on top or at the bottom, face up or face down.
    ///
    /// # Errors
    /// When the zone is full or holds only another kind.
    pub fn place(
        &mut self,
        piece: PieceId,
        to: ZoneId,
        bottom: bool,
        face_down: bool,
    ) -> Result<(), TableError> {
        let from = self.state.pieces[piece.index()].zone;
        let family = self.layout.family(to);
        if let Some(kind) = family.holds
            && self.state.info(self.layout, piece).kind != kind
        {
            return Err(TableError::WrongKind(piece, to));
        }
        if let Some(capacity) = family.capacity
            && from != to
            && self.state.zones[to.index()].len >= capacity
        {
            return Err(TableError::Full(to));
        }
        let ordered = family.ordered;
        self.state.unlink(piece);
        if !ordered {
            self.state.link_by_id(piece, to);
        } else if bottom {
            self.state.link_bottom(piece, to);
        } else {
            self.state.link_top(piece, to);
        }
        self.state.pieces[piece.index()].face_down = face_down;
        if self.events.is_some() {
            self.tell(Event::Moved {
                piece,
                from,
                to,
                face_down,
            });
        }
        if self.state.zones[from.index()].len == 0 {
            self.cease_if_empty(from);
        }
        Ok(())
    }

    /// Turns a piece face down or face up.
    pub fn turn(&mut self, piece: PieceId, face_down: bool) {
        if self.state.pieces[piece.index()].face_down != face_down {
            self.state.pieces[piece.index()].face_down = face_down;
            self.tell(Event::Turned { piece, face_down });
        }
    }

    /// The piece on top of a zone. An empty zone is first refilled from where it says, shuffled, or
    /// by making a piece if its kind is unlimited; `None` if nothing comes.
    ///
    /// # Errors
    /// When a given shuffle cannot be, or too many pieces were made.
    pub fn top(&mut self, zone: ZoneId) -> Result<Option<PieceId>, TableError> {
        if self.state.zones[zone.index()].last == NO_PIECE {
            self.refill(zone)?;
        }
        Ok(match self.state.zones[zone.index()].last {
            NO_PIECE => None,
            piece => Some(PieceId(piece)),
        })
    }

    fn refill(&mut self, zone: ZoneId) -> Result<(), TableError> {
        let family = self.layout.family(zone);
        if let Some(source) = family.refill {
            if self.state.zones[source.index()].len == 0 {
                return Ok(());
            }
            while self.state.zones[source.index()].len > 0 {
                let last = self.state.zones[source.index()].last;
                self.place(PieceId(last), zone, true, false)?;
            }
            return self.shuffle(zone);
        }
        if let Some(kind) = family.holds
            && self.layout.kinds[kind.index()].unlimited
        {
            self.make(kind, zone)?;
        }
        Ok(())
    }

    /// Makes one more piece of an unlimited kind, in a zone.
    fn make(&mut self, kind: KindId, zone: ZoneId) -> Result<PieceId, TableError> {
        if self.state.copies.len() >= MOST_COPIES {
            return Err(TableError::TooManyPieces(kind));
        }
        let pattern = PieceId(self.layout.kinds[kind.index()].pieces.start);
        let piece = PieceId::from_index(self.state.pieces.len());
        self.state.pieces.push(PieceState {
            zone,
            previous: NO_PIECE,
            next: NO_PIECE,
            rolls: 0,
            face: 0,
            face_down: false,
        });
        self.state.copies.push(pattern);
        self.state.link_top(piece, zone);
        self.tell(Event::Made { piece, zone });
        Ok(piece)
    }

    /// Draws up to `count` pieces from the top of one zone to another; returns how many came.
    ///
    /// # Errors
    /// When the target is full, holds only another kind, or a given shuffle cannot be.
    pub fn draw(&mut self, from: ZoneId, to: ZoneId, count: i64) -> Result<i64, TableError> {
        let mut drawn = 0;
        while drawn < count {
            match self.top(from)? {
                Some(piece) => self.put(piece, to)?,
                None => break,
            }
            drawn += 1;
        }
        Ok(drawn)
    }

    /// Shuffles a zone: its pieces are sorted by keys that depend on the seed, the zone, the number
    /// of the shuffle and the piece alone, so that one piece more leaves the order of the others.
    ///
    /// # Errors
    /// When a given order cannot be.
    pub fn shuffle(&mut self, zone: ZoneId) -> Result<(), TableError> {
        let mut order: Vec<PieceId> = self.state.lying(zone).collect();
        let given = match &mut self.dealer {
            Some(dealer) => dealer.shuffle(zone, &order).map_err(TableError::Chance)?,
            None => None,
        };
        let nth = self.state.zones[zone.index()].shuffles;
        self.state.zones[zone.index()].shuffles = nth.wrapping_add(1);
        match given {
            Some(given) => order = given,
            None => {
                let seed = self.state.seed;
                let stream = self.layout.zone_salts[zone.index()];
                order.sort_by_cached_key(|piece| {
                    let salt = self.state.info(self.layout, *piece).salt;
                    let key = if piece.index() < self.layout.pieces.len() {
                        salt
                    } else {
                        salt ^ u64::from(piece.0)
                    };
                    (Draw::at(seed, stream, key, u64::from(nth)).bits(), *piece)
                });
            }
        }
        for piece in &order {
            self.state.unlink(*piece);
            self.state.link_top(*piece, zone);
        }
        if self.events.is_some() {
            self.tell(Event::Shuffled { zone, order });
        }
        Ok(())
    }

    /// Rolls a die; returns the face, from 1.
    ///
    /// # Errors
    /// When the piece has no faces or a given face cannot be.
    pub fn roll(&mut self, piece: PieceId) -> Result<u8, TableError> {
        let info = self.state.info(self.layout, piece);
        let faces = self.layout.kinds[info.kind.index()].faces;
        if faces == 0 {
            return Err(TableError::NoDie(piece));
        }
        let given = match &mut self.dealer {
            Some(dealer) => dealer.roll(piece, faces).map_err(TableError::Chance)?,
            None => None,
        };
        let state = &mut self.state.pieces[piece.index()];
        let face = given.unwrap_or_else(|| {
            1 + Draw::at(self.state.seed, info.salt, 0, u64::from(state.rolls))
                .below(u64::from(faces)) as u8
        });
        state.rolls = state.rolls.wrapping_add(1);
        state.face = face;
        self.tell(Event::Rolled { piece, face });
        Ok(face)
    }

    /// Sets a die to a face.
    ///
    /// # Errors
    /// When the piece has no such face.
    pub fn set_face(&mut self, piece: PieceId, face: i64) -> Result<(), TableError> {
        let info = self.state.info(self.layout, piece);
        let faces = self.layout.kinds[info.kind.index()].faces;
        if faces == 0 {
            return Err(TableError::NoDie(piece));
        }
        if face < 1 || face > i64::from(faces) {
            return Err(TableError::NoFace(piece, face));
        }
        let face = face as u8;
        self.state.pieces[piece.index()].face = face;
        self.tell(Event::Set { piece, face });
        Ok(())
    }

    /// Picks one of several values by chance.
    ///
    /// # Errors
    /// When there are none, or a given value is not among them.
    pub fn pick(&mut self, stream: StreamId, values: &[Value]) -> Result<Value, TableError> {
        if values.is_empty() {
            return Err(TableError::NothingToPick(stream));
        }
        let given = match &mut self.dealer {
            Some(dealer) => dealer.pick(stream, values).map_err(TableError::Chance)?,
            None => None,
        };
        let nth = &mut self.state.draws[stream.index()];
        let position = given.unwrap_or_else(|| {
            let salt = self.layout.streams[stream.index()].1;
            Draw::at(self.state.seed, salt, 0, u64::from(*nth)).below(values.len() as u64) as usize
        });
        *nth = nth.wrapping_add(1);
        let value = values[position];
        self.tell(Event::Picked { stream, value });
        Ok(value)
    }

    /// Sets a counter's cell, given as the position in its family.
    ///
    /// # Errors
    /// When the value is beyond the counter's limits.
    pub fn set_cell(
        &mut self,
        counter: CounterId,
        position: u16,
        value: i64,
    ) -> Result<(), TableError> {
        let family = &self.layout.counters[counter.index()];
        let fits = i32::try_from(value).ok().filter(|value| {
            family.least.is_none_or(|least| *value >= least)
                && family.most.is_none_or(|most| *value <= most)
        });
        let Some(to) = fits else {
            return Err(TableError::Range { counter, value });
        };
        let cell = family.base + position;
        let from = std::mem::replace(&mut self.state.cells[usize::from(cell)], to);
        if from != to && self.events.is_some() {
            self.tell(Event::Counted {
                counter,
                cell,
                from,
                to,
            });
        }
        Ok(())
    }

    /// Stores a value in a counter's cell.
    ///
    /// # Errors
    /// When the counter cannot hold it.
    pub fn set_counter(
        &mut self,
        counter: CounterId,
        position: u16,
        value: Value,
    ) -> Result<(), TableError> {
        let holds = self.layout.counters[counter.index()].holds;
        match encode(self.layout, holds, value) {
            Some(cell) => self.set_cell(counter, position, cell),
            None => Err(TableError::Holds(counter, value)),
        }
    }

    /// The value in a counter's cell.
    pub fn counter(&self, counter: CounterId, position: u16) -> Value {
        counter_value(self.layout, self.state, counter, position)
    }

    /// Moves a dial's needle; returns by how many steps it moved before it came to an end.
    pub fn advance(&mut self, dial: DialId, position: u16, steps: i64) -> i64 {
        let family = &self.layout.dials[dial.index()];
        let cell = family.base + position;
        let from = self.state.cells[usize::from(cell)];
        let last = family.faces.len() as i64 - 1;
        let to = i64::from(from).saturating_add(steps).clamp(0, last) as i32;
        if from != to {
            self.state.cells[usize::from(cell)] = to;
            if self.events.is_some() {
                self.tell(Event::Dialled {
                    dial,
                    cell,
                    from,
                    to,
                });
            }
        }
        i64::from(to - from)
    }

    /// Turns a toggle on or off.
    pub fn toggle(&mut self, toggle: ToggleId, position: u16, on: bool) {
        let family = &self.layout.toggles[toggle.index()];
        let cell = family.base + position;
        let before = std::mem::replace(&mut self.state.cells[usize::from(cell)], i32::from(on));
        if before != i32::from(on) && self.events.is_some() {
            self.tell(Event::Toggled { toggle, cell, on });
        }
    }

    /// Returns the counters of a scope, and of all finer ones, to their starts.
    pub fn reset(&mut self, scope: Scope) {
        let layout = self.layout;
        for (of, counter) in &layout.scoped {
            if *of < scope {
                continue;
            }
            let family = &layout.counters[counter.index()];
            for position in 0..family.size {
                let cell = family.base + position;
                let from =
                    std::mem::replace(&mut self.state.cells[usize::from(cell)], family.start);
                if from != family.start && self.events.is_some() {
                    self.tell(Event::Counted {
                        counter: *counter,
                        cell,
                        from,
                        to: family.start,
                    });
                }
            }
        }
    }

    /// Brings a group of a kind to life.
    ///
    /// # Errors
    /// When as many as can be are alive.
    pub fn form(&mut self, kind: GroupKindId) -> Result<GroupId, TableError> {
        let info = &self.layout.group_kinds[kind.index()];
        for (offset, group) in info.groups.clone().enumerate() {
            let alive = &mut self.state.cells[usize::from(info.alive) + offset];
            if *alive == 0 {
                *alive = 1;
                let group = GroupId(group);
                self.tell(Event::Formed { group });
                return Ok(group);
            }
        }
        Err(TableError::TooManyGroups(kind))
    }

    /// Ends the group that a zone belongs to, if nothing lies in any of its zones.
    fn cease_if_empty(&mut self, zone: ZoneId) {
        let family = self.layout.family(zone);
        let Some(Domain::Groups(kind)) =
            family.dimensions.first().map(|dimension| dimension.domain)
        else {
            return;
        };
        let Value::Group(group) = self.layout.first_coordinate(zone) else {
            return;
        };
        let info = &self.layout.group_kinds[kind.index()];
        let offset = group.0 - info.groups.start;
        let empty = info.zones.iter().all(|family| {
            let family = &self.layout.zone_families[family.index()];
            let stride = family.size / info.groups.len() as u16;
            (0..stride).all(|at| {
                self.state.zones[usize::from(family.base.0 + offset * stride + at)].len == 0
            })
        });
        let alive = usize::from(info.alive + offset);
        if !empty || self.state.cells[alive] == 0 {
            return;
        }
        self.state.cells[alive] = 0;
        for counter in &info.counters {
            let family = &self.layout.counters[counter.index()];
            let stride = family.size / info.groups.len() as u16;
            for at in 0..stride {
                self.state.cells[usize::from(family.base + offset * stride + at)] = family.start;
            }
        }
        self.tell(Event::Ceased { group });
    }
}

/// The cell for a value, or `None` if the counter holds something else.
pub fn encode(layout: &Layout, holds: Holds, value: Value) -> Option<i64> {
    Some(match (holds, value) {
        (Holds::Int, Value::Int(value)) => value,
        (Holds::Bool, Value::Bool(value)) => i64::from(value),
        (Holds::One(_) | Holds::Effect, Value::Unit) => 0,
        (Holds::Effect, Value::Effect(effect)) => 1 + i64::from(effect.0),
        (Holds::One(domain), value) => {
            let id = match (domain, value) {
                (Domain::Players, Value::Player(player)) => u16::from(player.0),
                (Domain::Graph(_), Value::Node(node)) => node.0,
                (Domain::Set(_), Value::Member(member)) => member.0,
                (Domain::Kind(_), Value::Piece(piece)) => piece.0,
                (Domain::Groups(_), Value::Group(group)) => group.0,
                _ => return None,
            };
            let dimension = layout.dimension(domain);
            if !(dimension.base..dimension.base + dimension.size).contains(&id) {
                return None;
            }
            1 + i64::from(id - dimension.base)
        }
        _ => return None,
    })
}

/// The value of a cell of a type.
pub fn decode(layout: &Layout, holds: Holds, cell: i32) -> Value {
    match holds {
        Holds::Int => Value::Int(i64::from(cell)),
        Holds::Bool => Value::Bool(cell != 0),
        Holds::One(_) | Holds::Effect | Holds::Text if cell == 0 => Value::Unit,
        Holds::One(domain) => {
            let base = match domain {
                Domain::Players => 0,
                other => layout.dimension(other).base,
            };
            layout.value_of(domain, base + (cell - 1) as u16)
        }
        Holds::Effect => Value::Effect(super::ids::EffectId((cell - 1) as u16)),
        Holds::Text | Holds::Dial | Holds::Toggle => Value::Unit,
    }
}

/// The value in a counter's cell, given as the position in its family.
pub fn counter_value(
    layout: &Layout,
    state: &TableState,
    counter: CounterId,
    position: u16,
) -> Value {
    let family = &layout.counters[counter.index()];
    decode(
        layout,
        family.holds,
        state.cells[usize::from(family.base + position)],
    )
}

/// The players of a table, in the order of places.
pub fn players(state: &TableState) -> impl Iterator<Item = PlayerId> + use<> {
    (0..state.players).map(PlayerId)
}
