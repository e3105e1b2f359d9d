//! The one way to change a table. Every change goes through [`Table`], which tells those who listen.

use std::fmt;

use super::chance::Draw;
use super::event::Event;
use super::ids::{
    CounterId, DialId, GroupId, GroupKindId, KindId, PieceId, PlayerId, StreamId, ToggleId, ZoneId,
};
use super::layout::{Domain, Holds, Layout, Scope};
use super::state::{NO_PIECE, PieceState, TableState};
use super::value::{Case, Value};

/// Gives outcomes of chance from outside, as scenarios and records do.
pub trait Dealer {
    /// The face for a die's `nth` roll, from 0; `None` leaves it to the seed.
    ///
    /// # Errors
    /// Says why the given outcome cannot be.
    fn roll(&mut self, piece: PieceId, nth: u16, faces: u8) -> Result<Option<u8>, String>;

    /// The order for a zone's `nth` shuffle, from 0: from the bottom to the top, as a permutation of
    /// the pieces; `None` leaves it to the seed.
    ///
    /// # Errors
    /// Says why the given order cannot be.
    fn shuffle(
        &mut self,
        zone: ZoneId,
        nth: u16,
        pieces: &[PieceId],
    ) -> Result<Option<Vec<PieceId>>, String>;

    /// The position of the value to pick at a stream's `nth` draw, from 0; `None` leaves it to the
    /// seed.
    ///
    /// # Errors
    /// Says why the given value cannot be.
    fn pick(
        &mut self,
        stream: StreamId,
        nth: u16,
        values: &[Value],
    ) -> Result<Option<usize>, String>;

    /// The set-up is over and the table arranged: what is dealt from now on belongs to the game.
    fn begin(&mut self) {}

    /// How far it has dealt.
    fn place(&self) -> Vec<u16> {
        Vec::new()
    }

    /// Goes to a place where it was before: what it dealt since is dealt again.
    fn go(&mut self, _place: &[u16]) {}
}

/// Why a change is impossible. The table is as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// A zone has no room left.
    Full(ZoneId),
    /// A zone holds only one kind, and this piece is of another.
    WrongKind(PieceId, ZoneId),
    /// A zone belongs to a group that is not alive.
    Ceased(ZoneId),
    /// A zone without an order of its own cannot be shuffled.
    Unordered(ZoneId),
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
            Self::Ceased(zone) => format!(
                "nothing can lie in `{}`: its group was emptied and is no more",
                layout.zone_key(*zone)
            ),
            Self::Unordered(zone) => format!(
                "`{}` has no order to shuffle; it would have to be `ordered = true`",
                layout.zone_key(*zone)
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

/// Pieces that one draw may move.
const MOST_DRAWN: i64 = u16::MAX as i64;

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
        self.check_kind(piece, to)?;
        if from != to {
            self.check_alive(to)?;
            self.check_room(to, 1)?;
        }
        self.state.unlink(piece);
        if !self.layout.takes[to.index()].ordered {
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
        if self.state.zones[from.index()].len == 0
            && self.layout.takes[from.index()].alive.is_some()
        {
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
            let pieces: Vec<PieceId> = self.state.lying(source).collect();
            if pieces.is_empty() {
                return Ok(());
            }
            // All that could go wrong is found before anything changes.
            for piece in &pieces {
                self.check_kind(*piece, zone)?;
            }
            self.check_room(zone, pieces.len())?;
            let order = self.order(zone, pieces.clone())?;
            for piece in pieces {
                self.place(piece, zone, false, false)?;
            }
            self.lay(zone, order);
            return Ok(());
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

    /// Draws up to `count` pieces from the top of one zone to another; returns how many came. From a
    /// zone to itself nothing comes.
    ///
    /// # Errors
    /// When the target has no room for all that come or holds only another kind, or too many pieces
    /// would be made. When a given shuffle cannot be, what came before it has come.
    pub fn draw(&mut self, from: ZoneId, to: ZoneId, count: i64) -> Result<i64, TableError> {
        // A supply that refills itself, or from the target, could go on for ever.
        let count = count.clamp(0, MOST_DRAWN);
        if from == to {
            return Ok(0);
        }
        self.check_draw(from, to, count as usize)?;
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

    /// Whether a draw can be carried out to its end, so that a draw that cannot changes nothing.
    fn check_draw(&self, from: ZoneId, to: ZoneId, count: usize) -> Result<(), TableError> {
        let (source, target) = (self.layout.family(from), self.layout.family(to));
        let ready = self.state.len(from);
        let missing = count.saturating_sub(ready);
        let mut coming = count.min(ready);
        if missing > 0 {
            if let Some(refill) = source.refill {
                let more = self.state.len(refill);
                for piece in self.state.lying(refill) {
                    self.check_kind(piece, from)?;
                }
                if source
                    .capacity
                    .is_some_and(|capacity| more > usize::from(capacity))
                {
                    return Err(TableError::Full(from));
                }
                coming += missing.min(more);
            } else if let Some(kind) = source.holds
                && self.layout.kinds[kind.index()].unlimited
            {
                if missing > MOST_COPIES - self.state.copies.len() {
                    return Err(TableError::TooManyPieces(kind));
                }
                coming = count;
            }
        }
        if coming == 0 {
            return Ok(());
        }
        self.check_alive(to)?;
        self.check_room(to, coming)?;
        if target.holds.is_none() || source.holds == target.holds {
            return Ok(());
        }
        if let Some(other) = source.holds {
            let any = PieceId(self.layout.kinds[other.index()].pieces.start);
            return Err(TableError::WrongKind(any, to));
        }
        let skipped = ready - count.min(ready);
        for piece in self.state.lying(from).skip(skipped) {
            self.check_kind(piece, to)?;
        }
        if let Some(refill) = source.refill.filter(|_| missing > 0) {
            // Any of them may come: the order after the shuffle is not known yet.
            for piece in self.state.lying(refill) {
                self.check_kind(piece, to)?;
            }
        }
        Ok(())
    }

    fn check_kind(&self, piece: PieceId, to: ZoneId) -> Result<(), TableError> {
        match self.layout.takes[to.index()].holds {
            Some(kind) if self.state.info(self.layout, piece).kind != kind => {
                Err(TableError::WrongKind(piece, to))
            }
            _ => Ok(()),
        }
    }

    fn check_room(&self, to: ZoneId, coming: usize) -> Result<(), TableError> {
        let capacity = self.layout.takes[to.index()].capacity;
        if self.state.len(to) + coming > usize::from(capacity) {
            return Err(TableError::Full(to));
        }
        Ok(())
    }

    /// A zone of a group that ceased can take nothing: a script may still hold the group's name.
    fn check_alive(&self, to: ZoneId) -> Result<(), TableError> {
        match self.layout.takes[to.index()].alive {
            Some(alive) if self.state.cells[usize::from(alive)] == 0 => Err(TableError::Ceased(to)),
            _ => Ok(()),
        }
    }

    /// Shuffles a zone: its pieces are sorted by keys that depend on the seed, the zone, the number
    /// of the shuffle and the piece alone, so that one piece more leaves the order of the others.
    ///
    /// # Errors
    /// When the zone has no order, or a given order cannot be.
    pub fn shuffle(&mut self, zone: ZoneId) -> Result<(), TableError> {
        let order = self.order(zone, self.state.lying(zone).collect())?;
        self.lay(zone, order);
        Ok(())
    }

    /// The order of a zone's next shuffle, if these pieces lie in it.
    fn order(&mut self, zone: ZoneId, mut order: Vec<PieceId>) -> Result<Vec<PieceId>, TableError> {
        if !self.layout.family(zone).ordered {
            return Err(TableError::Unordered(zone));
        }
        if let Some(dealer) = &mut self.dealer
            && let Some(given) = dealer
                .shuffle(zone, self.state.zones[zone.index()].shuffles, &order)
                .map_err(TableError::Chance)?
        {
            return Ok(given);
        }
        let (seed, stream) = (self.state.seed, self.layout.zone_salts[zone.index()]);
        let nth = u64::from(self.state.zones[zone.index()].shuffles);
        order.sort_by_cached_key(|piece| {
            let key = self.salt(*piece);
            (Draw::at(seed, stream, key, nth).bits(), *piece)
        });
        Ok(order)
    }

    /// Lays a zone's pieces out in the order of a shuffle.
    fn lay(&mut self, zone: ZoneId, order: Vec<PieceId>) {
        let shuffles = &mut self.state.zones[zone.index()].shuffles;
        *shuffles = shuffles.wrapping_add(1);
        self.state.arrange(zone, &order);
        if self.events.is_some() {
            self.tell(Event::Shuffled { zone, order });
        }
    }

    /// The address of a piece's chance. Those made during play have addresses of their own.
    fn salt(&self, piece: PieceId) -> u64 {
        let salt = self.state.info(self.layout, piece).salt;
        if piece.index() < self.layout.pieces.len() {
            salt
        } else {
            salt ^ u64::from(piece.0)
        }
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
            Some(dealer) => dealer
                .roll(piece, self.state.pieces[piece.index()].rolls, faces)
                .map_err(TableError::Chance)?,
            None => None,
        };
        let salt = self.salt(piece);
        let state = &mut self.state.pieces[piece.index()];
        let face = given.unwrap_or_else(|| {
            1 + Draw::at(self.state.seed, salt, 0, u64::from(state.rolls)).below(u64::from(faces))
                as u8
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
            Some(dealer) => dealer
                .pick(stream, self.state.draws[stream.index()], values)
                .map_err(TableError::Chance)?,
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
        if self.events.is_none() {
            for reset in layout.resets.iter().filter(|reset| reset.scope >= scope) {
                let cells = usize::from(reset.base)..usize::from(reset.base + reset.size);
                self.state.cells[cells].fill(reset.start);
            }
            return;
        }
        for (of, counter) in &layout.scoped {
            if *of < scope {
                continue;
            }
            let family = &layout.counters[counter.index()];
            for position in 0..family.size {
                let cell = family.base + position;
                let from =
                    std::mem::replace(&mut self.state.cells[usize::from(cell)], family.start);
                if from != family.start {
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
        let Some(group) = self.layout.first_coordinate(zone).as_group() else {
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
    Some(match (holds, value.case()) {
        (Holds::Int, Case::Int(value)) => value,
        (Holds::Bool, Case::Bool(value)) => i64::from(value),
        (Holds::One(_) | Holds::Effect, Case::Unit) => 0,
        (Holds::Effect, Case::Effect(effect)) => 1 + i64::from(effect.0),
        (Holds::One(domain), _) => 1 + i64::from(layout.dimension(domain).offset(value)?),
        _ => return None,
    })
}

/// The value of a cell of a type.
#[inline]
pub fn decode(layout: &Layout, holds: Holds, cell: i32) -> Value {
    match holds {
        Holds::Int => Value::from(cell),
        Holds::Bool => Value::from(cell != 0),
        Holds::One(_) | Holds::Effect | Holds::Text if cell == 0 => Value::UNIT,
        Holds::One(domain) => {
            let base = match domain {
                Domain::Players => 0,
                other => layout.dimension(other).base,
            };
            layout.value_of(domain, base + (cell - 1) as u16)
        }
        Holds::Effect => Value::from(super::ids::EffectId((cell - 1) as u16)),
        Holds::Text | Holds::Dial | Holds::Toggle => Value::UNIT,
    }
}

/// The value in a counter's cell, given as the position in its family.
#[inline]
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::toy::{self, *};
    use super::*;

    /// A table with its layout, as the box is opened.
    fn opened() -> (Layout, TableState) {
        let layout = toy::layout();
        let state = toy::opened(&layout, 1);
        (layout, state)
    }

    /// A dealer that gives one outcome of each sort.
    struct Given {
        roll: Result<Option<u8>, String>,
        shuffle: Result<Option<Vec<PieceId>>, String>,
        pick: Result<Option<usize>, String>,
    }

    impl Dealer for Given {
        fn roll(&mut self, _: PieceId, _: u16, _: u8) -> Result<Option<u8>, String> {
            self.roll.clone()
        }

        fn shuffle(
            &mut self,
            _: ZoneId,
            _: u16,
            _: &[PieceId],
        ) -> Result<Option<Vec<PieceId>>, String> {
            self.shuffle.clone()
        }

        fn pick(&mut self, _: StreamId, _: u16, _: &[Value]) -> Result<Option<usize>, String> {
            self.pick.clone()
        }
    }

    #[test]
    fn pieces_are_put_on_top_at_the_bottom_or_by_id() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        table.put(PieceId(2), DISCARD).unwrap();
        table.put(PieceId(0), DISCARD).unwrap();
        table.place(PieceId(1), DISCARD, true, true).unwrap();
        for piece in [5, 3, 4] {
            table.put(PieceId(piece), hand(ANN)).unwrap();
        }
        assert_eq!(names(&layout, &state, DISCARD), ["bee", "cat", "ace"]);
        assert_eq!(names(&layout, &state, hand(ANN)), ["dog", "eel", "fox"]);
        assert!(state.pieces[1].face_down);
        let mut table = toy::table(&layout, &mut state);
        table.put(PieceId(1), DISCARD).unwrap();
        assert_eq!(names(&layout, &state, DISCARD), ["cat", "ace", "bee"]);
        assert!(!state.pieces[1].face_down);
    }

    #[test]
    fn a_draw_refills_and_tells_how_many_came() {
        let (layout, mut state) = opened();
        let mut events = Vec::new();
        let mut table = toy::table(&layout, &mut state);
        assert_eq!(table.draw(DECK, DISCARD, 5), Ok(5));
        table.events = Some(&mut events);
        assert_eq!(table.draw(DECK, hand(ANN), 3), Ok(3));
        assert_eq!(table.draw(DECK, VAULT, 9), Ok(3));
        assert_eq!(table.draw(DECK, VAULT, 1), Ok(0));
        assert_eq!(table.draw(VAULT, BAG, -1), Ok(0));
        let shuffles = events
            .iter()
            .filter(|event| matches!(event, Event::Shuffled { zone: DECK, .. }))
            .count();
        assert_eq!((shuffles, state.zones[DECK.index()].shuffles), (1, 1));
        assert_eq!((state.len(DECK), state.len(hand(ANN))), (0, 3));
        assert_eq!((state.len(VAULT), state.len(DISCARD)), (3, 0));
    }

    #[test]
    fn a_draw_without_end_ends() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        assert_eq!(table.draw(DECK, DECK, i64::MAX), Ok(0));
        assert_eq!(table.draw(DECK, DISCARD, i64::MAX), Ok(MOST_DRAWN));
        assert_eq!(
            table.draw(SUPPLY, VAULT, i64::MAX),
            Err(TableError::TooManyPieces(TOKEN))
        );
        assert_eq!(state.len(VAULT), 0);
    }

    #[test]
    fn a_supply_without_limit_never_ends() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        assert_eq!(table.draw(SUPPLY, VAULT, 3), Ok(3));
        assert_eq!(names(&layout, &state, VAULT), ["token"; 3]);
        assert_eq!(state.copies, [CUBE_PATTERN; 2]);
        assert_eq!(state.pattern(&layout, PieceId(12)), CUBE_PATTERN);
        // What came back is used before more is made.
        let mut table = toy::table(&layout, &mut state);
        table.put(PieceId(11), SUPPLY).unwrap();
        assert_eq!(table.top(SUPPLY), Ok(Some(PieceId(11))));
        assert_eq!(state.copies.len(), 2);
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        table.draw(DECK, hand(ANN), 3).unwrap();
        let pile = table.form(PILE).unwrap();
        table.draw(SUPPLY, pile_tokens(pile), 1).unwrap();
        let before = state.clone();
        let mut table = toy::table(&layout, &mut state);
        let (ann, die) = (hand(ANN), PieceId(DICE.start));
        assert_eq!(table.draw(DECK, ann, 2), Err(TableError::Full(ann)));
        assert_eq!(table.put(die, ann), Err(TableError::WrongKind(die, ann)));
        assert_eq!(
            table.draw(BAG, ann, 1),
            Err(TableError::WrongKind(PieceId(10), ann))
        );
        assert_eq!(
            table.draw(SUPPLY, ann, 1),
            Err(TableError::WrongKind(CUBE_PATTERN, ann))
        );
        let ceased = pile_cards(GroupId(1));
        assert_eq!(table.put(die, ceased), Err(TableError::Ceased(ceased)));
        assert_eq!(table.draw(DECK, ceased, 1), Err(TableError::Ceased(ceased)));
        assert_eq!(table.shuffle(ann), Err(TableError::Unordered(ann)));
        assert_eq!(table.roll(PieceId(0)), Err(TableError::NoDie(PieceId(0))));
        assert_eq!(table.set_face(die, 7), Err(TableError::NoFace(die, 7)));
        assert_eq!(table.set_face(die, 0), Err(TableError::NoFace(die, 0)));
        assert_eq!(table.pick(LOTS, &[]), Err(TableError::NothingToPick(LOTS)));
        for value in [-1, 11, i64::MAX] {
            let range = TableError::Range {
                counter: COINS,
                value,
            };
            assert!(!range.describe(table.layout, table.state).is_empty());
            assert_eq!(table.set_cell(COINS, 0, value), Err(range));
        }
        for value in [Value::from(true), Value::from(PieceId(0)), Value::UNIT] {
            assert_eq!(
                table.set_counter(COINS, 0, value),
                Err(TableError::Holds(COINS, value))
            );
        }
        assert_eq!(state, before);
    }

    proptest! {
        #[test]
        fn no_refused_change_leaves_a_trace(changes in toy::changes()) {
            let (layout, mut state) = opened();
            for change in changes {
                let before = state.clone();
                let done = toy::apply(&mut toy::table(&layout, &mut state), change);
                // Forming a pile is several changes, of which the first may be done.
                if let Err(error) = done && change.0 != FORM {
                    prop_assert!(!error.describe(&layout, &state).is_empty());
                    prop_assert_eq!(&state, &before, "{:?}: {:?}", change, error);
                }
            }
        }
    }

    #[test]
    fn one_card_more_leaves_the_order_of_the_others() {
        let (layout, mut state) = opened();
        for _ in 0..20 {
            let mut fewer = state.clone();
            toy::table(&layout, &mut fewer)
                .put(PieceId(2), VAULT)
                .unwrap();
            for state in [&mut state, &mut fewer] {
                toy::table(&layout, state).shuffle(DECK).unwrap();
            }
            let mut all = names(&layout, &state, DECK);
            all.retain(|name| name != "cat");
            assert_eq!(names(&layout, &fewer, DECK), all);
        }
    }

    #[test]
    fn a_shuffle_depends_on_its_number_and_not_on_the_order_before() {
        let (layout, mut state) = opened();
        let mut other = state.clone();
        toy::table(&layout, &mut other)
            .place(PieceId(5), DECK, true, false)
            .unwrap();
        let mut orders = Vec::new();
        for _ in 0..3 {
            for state in [&mut state, &mut other] {
                toy::table(&layout, state).shuffle(DECK).unwrap();
            }
            assert_eq!(names(&layout, &other, DECK), names(&layout, &state, DECK));
            orders.push(names(&layout, &state, DECK));
        }
        orders.dedup();
        assert_eq!(orders.len(), 3);
    }

    #[test]
    fn rolls_are_addressed_by_die_and_number() {
        let (layout, mut state) = opened();
        let roll = |state: &mut TableState, die: u16| {
            let die = PieceId(DICE.start + die);
            toy::table(&layout, state).roll(die).unwrap()
        };
        let mut alone = state.clone();
        let expected: Vec<u8> = (0..30).map(|_| roll(&mut alone, 0)).collect();
        let mut others = Vec::new();
        for face in &expected {
            others.push(roll(&mut state, 1));
            assert_eq!(roll(&mut state, 0), *face);
            assert_eq!(state.pieces[usize::from(DICE.start)].face, *face);
        }
        assert_ne!(others, expected);
        assert!(expected.iter().all(|face| (1..=6).contains(face)));
        // Where it lies and what face it was set to change nothing.
        let die = PieceId(DICE.start);
        let mut moved = alone.clone();
        let mut table = toy::table(&layout, &mut moved);
        table.put(die, VAULT).unwrap();
        table.set_face(die, 3).unwrap();
        assert_eq!(roll(&mut moved, 0), roll(&mut alone, 0));
    }

    #[test]
    fn dice_made_during_play_roll_by_themselves() {
        let (mut layout, _) = opened();
        layout.kinds[TOKEN.index()].faces = 6;
        let mut state = toy::opened(&layout, 1);
        let mut table = toy::table(&layout, &mut state);
        table.draw(SUPPLY, VAULT, 3).unwrap();
        let mut rolls = |piece: u16| -> Vec<u8> {
            (0..20)
                .map(|_| table.roll(PieceId(piece)).unwrap())
                .collect()
        };
        let (pattern, first, second) = (rolls(6), rolls(11), rolls(12));
        assert!(pattern != first && first != second && pattern != second);
    }

    #[test]
    fn picks_are_counted_by_stream() {
        let (layout, mut state) = opened();
        let values: Vec<Value> = (0..4).map(Value::int).collect();
        let picks: Vec<Value> = (0..30)
            .map(|_| toy::table(&layout, &mut state).pick(LOTS, &values).unwrap())
            .collect();
        assert!(values.iter().all(|value| picks.contains(value)));
        assert_eq!(state.draws, [30]);
    }

    #[test]
    fn given_chance_comes_before_the_seed() {
        let (layout, mut state) = opened();
        let order: Vec<PieceId> = [1, 5, 0, 2, 4, 3].map(PieceId).to_vec();
        let mut given = Given {
            roll: Ok(Some(5)),
            shuffle: Ok(Some(order.clone())),
            pick: Ok(Some(1)),
        };
        let die = PieceId(DICE.start);
        let mut table = toy::table(&layout, &mut state);
        table.dealer = Some(&mut given);
        assert_eq!(table.roll(die), Ok(5));
        assert_eq!(table.shuffle(DECK), Ok(()));
        let values = [Value::int(7), Value::int(8)];
        assert_eq!(table.pick(LOTS, &values), Ok(Value::int(8)));
        assert_eq!(state.lying(DECK).collect::<Vec<_>>(), order);
        // The seed's own outcomes are used up all the same, so that what follows is as it would be.
        let (rolls, shuffles) = (state.pieces[die.index()].rolls, state.zones[1].shuffles);
        assert_eq!((rolls, shuffles, state.draws[0]), (1, 1, 1));
    }

    #[test]
    fn chance_that_cannot_be_given_changes_nothing() {
        let (layout, mut state) = opened();
        toy::table(&layout, &mut state)
            .draw(DECK, DISCARD, 6)
            .unwrap();
        let before = state.clone();
        let mut given = Given {
            roll: Err("no".to_owned()),
            shuffle: Err("no".to_owned()),
            pick: Err("no".to_owned()),
        };
        let mut table = toy::table(&layout, &mut state);
        table.dealer = Some(&mut given);
        let no = TableError::Chance("no".to_owned());
        assert_eq!(table.roll(PieceId(DICE.start)), Err(no.clone()));
        assert_eq!(table.shuffle(DISCARD), Err(no.clone()));
        assert_eq!(table.draw(DECK, VAULT, 2), Err(no.clone()));
        assert_eq!(table.pick(LOTS, &[Value::UNIT]), Err(no));
        assert_eq!(state, before);
    }

    #[test]
    fn a_group_ceases_when_all_its_zones_are_empty() {
        let (layout, mut state) = opened();
        let mut events = Vec::new();
        let mut table = toy::table(&layout, &mut state);
        let pile = table.form(PILE).unwrap();
        assert_eq!(table.form(PILE), Ok(GroupId(1)));
        assert_eq!(table.form(PILE), Err(TableError::TooManyGroups(PILE)));
        table.draw(DECK, pile_cards(pile), 1).unwrap();
        table.draw(SUPPLY, pile_tokens(pile), 1).unwrap();
        table.set_cell(MARK, 0, 9).unwrap();
        table.events = Some(&mut events);
        let card = table.top(pile_cards(pile)).unwrap().unwrap();
        table.put(card, pile_cards(GroupId(1))).unwrap();
        table.put(card, VAULT).unwrap();
        let token = table.top(pile_tokens(pile)).unwrap().unwrap();
        assert_eq!(table.counter(MARK, 0), Value::int(9));
        table.put(token, VAULT).unwrap();
        assert_eq!(table.counter(MARK, 0), Value::int(5));
        assert_eq!(table.form(PILE), Ok(pile));
        let ceased: Vec<&Event> = events
            .iter()
            .filter(|event| matches!(event, Event::Ceased { .. }))
            .collect();
        let expected = [GroupId(1), pile].map(|group| Event::Ceased { group });
        assert_eq!(ceased, expected.iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_group_lives_while_its_last_piece_moves_within_it() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        let pile = table.form(PILE).unwrap();
        table.draw(SUPPLY, pile_tokens(pile), 1).unwrap();
        table.put(CUBE_PATTERN, pile_cards(pile)).unwrap();
        table.put(CUBE_PATTERN, pile_cards(pile)).unwrap();
        assert_eq!(table.form(PILE), Ok(GroupId(1)));
    }

    #[test]
    fn a_scope_resets_itself_and_the_finer_ones() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        let mut check = |scope: Scope, passed: bool, used: i64| {
            table.set_cell(PASSED, 1, 1).unwrap();
            table.set_cell(USED, 0, 7).unwrap();
            table.set_cell(COINS, 0, 9).unwrap();
            table.reset(scope);
            assert_eq!(table.counter(PASSED, 1), Value::from(passed), "{scope:?}");
            assert_eq!(table.counter(USED, 0), Value::int(used), "{scope:?}");
            assert_eq!(table.counter(COINS, 0), Value::int(9), "{scope:?}");
        };
        check(Scope::Step, true, 7);
        check(Scope::Turn, true, 0);
        check(Scope::Phase, true, 0);
        check(Scope::Round, false, 0);
    }

    #[test]
    fn counters_keep_what_they_hold() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        for (counter, value) in [
            (COINS, Value::int(10)),
            (PASSED, Value::from(true)),
            (ACTIVE, Value::from(BOB)),
            (ACTIVE, Value::UNIT),
            (SECRET, Value::from(PieceId(5))),
            (USED, Value::int(-5)),
        ] {
            assert_eq!(table.set_counter(counter, 0, value), Ok(()));
            assert_eq!(table.counter(counter, 0), value);
        }
        let die = Value::from(PieceId(DICE.start));
        assert_eq!(
            table.set_counter(SECRET, 0, die),
            Err(TableError::Holds(SECRET, die))
        );
    }

    #[test]
    fn a_needle_stops_at_the_ends() {
        let (layout, mut state) = opened();
        let mut table = toy::table(&layout, &mut state);
        let moved: Vec<i64> = [1, 5, 1, -2, i64::MIN, i64::MAX]
            .map(|steps| table.advance(HEAT, 1, steps))
            .to_vec();
        assert_eq!(moved, [1, 1, 0, -2, -1, 3]);
        assert_eq!(table.advance(HEAT, 0, -1), -1);
    }

    #[test]
    fn only_changes_are_told() {
        let (layout, mut state) = opened();
        let mut events = Vec::new();
        let mut table = toy::table(&layout, &mut state);
        table.events = Some(&mut events);
        table.toggle(BOOST, 1, false);
        table.turn(PieceId(0), false);
        table.set_cell(COINS, 0, 2).unwrap();
        table.advance(HEAT, 0, 0);
        table.reset(Scope::Round);
        table.toggle(BOOST, 1, true);
        let cell = layout.toggles[0].base + 1;
        let on = true;
        let toggle = BOOST;
        assert_eq!(events, [Event::Toggled { toggle, cell, on }]);
    }
}
