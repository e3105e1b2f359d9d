//! The changing data of a table: one plain value.

use serde::Serialize;

use super::ids::{BlockId, FunctionId, PieceId, PlayerId, ZoneId};
use super::layout::{Layout, PieceInfo};
use super::value::{Case, Value};

/// "No piece" in the links of a zone.
pub const NO_PIECE: u16 = u16::MAX;

/// Where a piece is and how it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PieceState {
    /// Its zone.
    pub zone: ZoneId,
    /// The piece below it in the zone, or [`NO_PIECE`].
    pub previous: u16,
    /// The piece above it in the zone, or [`NO_PIECE`].
    pub next: u16,
    /// How often it was rolled: the address of its next roll.
    pub rolls: u16,
    /// The face that shows; 0 before the first roll.
    pub face: u8,
    /// Whether it lies face down.
    pub face_down: bool,
}

/// What lies in a zone, as the ends of a chain of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct ZoneState {
    /// The lowest piece, or [`NO_PIECE`].
    pub first: u16,
    /// The piece on top, or [`NO_PIECE`].
    pub last: u16,
    /// Number of pieces.
    pub len: u16,
    /// How often it was shuffled: the address of its next shuffle.
    pub shuffles: u16,
}

/// Where the flow stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Default)]
pub struct Position {
    /// The round, from 1; 0 before the first.
    pub round: u16,
    /// The innermost block with the scope of a phase.
    pub phase: Option<BlockId>,
    /// The step.
    pub step: Option<FunctionId>,
    /// Whose turn it is.
    pub player: Option<PlayerId>,
}

/// The table: where everything lies, and every number on it.
#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TableState {
    /// The seed from which all chance comes.
    pub seed: u64,
    /// How many play.
    pub players: u8,
    /// Where the flow stands.
    pub position: Position,
    /// Pieces by id; pieces made during play follow the layout's.
    pub pieces: Vec<PieceState>,
    /// For each piece made during play, the piece it is a copy of.
    pub copies: Vec<PieceId>,
    /// Zones by id.
    pub zones: Vec<ZoneState>,
    /// Counters, dials, toggles and the life of groups.
    pub cells: Vec<i32>,
    /// For each stream of chance, how often it was drawn from.
    pub draws: Vec<u16>,
}

impl Clone for TableState {
    fn clone(&self) -> Self {
        Self {
            seed: self.seed,
            players: self.players,
            position: self.position,
            pieces: self.pieces.clone(),
            copies: self.copies.clone(),
            zones: self.zones.clone(),
            cells: self.cells.clone(),
            draws: self.draws.clone(),
        }
    }

    // Tables are remembered and played again all the time: into memory that is there.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            seed,
            players,
            position,
            pieces,
            copies,
            zones,
            cells,
            draws,
        } = source;
        (self.seed, self.players, self.position) = (*seed, *players, *position);
        self.pieces.clone_from(pieces);
        self.copies.clone_from(copies);
        self.zones.clone_from(zones);
        self.cells.clone_from(cells);
        self.draws.clone_from(draws);
    }
}

impl TableState {
    /// The table as the box is opened: every piece at its start, every cell at its start.
    pub fn new(layout: &Layout, players: u8, seed: u64) -> Self {
        let mut state = Self {
            seed,
            players,
            position: Position::default(),
            pieces: Vec::with_capacity(layout.pieces.len()),
            copies: Vec::new(),
            zones: vec![
                ZoneState {
                    first: NO_PIECE,
                    last: NO_PIECE,
                    len: 0,
                    shuffles: 0,
                };
                layout.zones.len()
            ],
            cells: vec![0; usize::from(layout.cells)],
            draws: vec![0; layout.streams.len()],
        };
        for (index, piece) in layout.pieces.iter().enumerate() {
            state.pieces.push(PieceState {
                zone: piece.start,
                previous: NO_PIECE,
                next: NO_PIECE,
                rolls: 0,
                face: 0,
                face_down: piece.face_down,
            });
            state.link_top(PieceId::from_index(index), piece.start);
        }
        for family in &layout.counters {
            state.fill(family.base, family.size, family.start);
        }
        for family in &layout.dials {
            state.fill(family.base, family.size, family.start);
        }
        for family in &layout.toggles {
            state.fill(family.base, family.size, i32::from(family.start));
        }
        state
    }

    fn fill(&mut self, base: u16, size: u16, value: i32) {
        self.cells[usize::from(base)..usize::from(base + size)].fill(value);
    }

    /// The fixed data of a piece, made during play or not.
    pub fn info<'a>(&self, layout: &'a Layout, piece: PieceId) -> &'a PieceInfo {
        &layout.pieces[self.pattern(layout, piece).index()]
    }

    /// The piece of the layout that a piece is, or is a copy of.
    pub fn pattern(&self, layout: &Layout, piece: PieceId) -> PieceId {
        let declared = layout.pieces.len();
        if piece.index() < declared {
            piece
        } else {
            self.copies[piece.index() - declared]
        }
    }

    /// A value as the layout knows it: a piece made during play is the piece it is a copy of.
    pub fn declared(&self, layout: &Layout, value: Value) -> Value {
        match value.case() {
            Case::Piece(piece) => Value::from(self.pattern(layout, piece)),
            _ => value,
        }
    }

    /// The pieces of a zone, from the bottom to the top.
    pub fn lying(&self, zone: ZoneId) -> Lying<'_> {
        Lying {
            state: self,
            next: self.zones[zone.index()].first,
        }
    }

    /// Number of pieces in a zone.
    pub fn len(&self, zone: ZoneId) -> usize {
        usize::from(self.zones[zone.index()].len)
    }

    /// Takes a piece out of its zone's chain.
    pub(super) fn unlink(&mut self, piece: PieceId) {
        let PieceState {
            zone,
            previous,
            next,
            ..
        } = self.pieces[piece.index()];
        match previous {
            NO_PIECE => self.zones[zone.index()].first = next,
            below => self.pieces[usize::from(below)].next = next,
        }
        match next {
            NO_PIECE => self.zones[zone.index()].last = previous,
            above => self.pieces[usize::from(above)].previous = previous,
        }
        self.zones[zone.index()].len -= 1;
    }

    /// Puts an unlinked piece between two neighbours of a zone.
    fn link(&mut self, piece: PieceId, zone: ZoneId, previous: u16, next: u16) {
        match previous {
            NO_PIECE => self.zones[zone.index()].first = piece.0,
            below => self.pieces[usize::from(below)].next = piece.0,
        }
        match next {
            NO_PIECE => self.zones[zone.index()].last = piece.0,
            above => self.pieces[usize::from(above)].previous = piece.0,
        }
        let state = &mut self.pieces[piece.index()];
        state.zone = zone;
        state.previous = previous;
        state.next = next;
        self.zones[zone.index()].len += 1;
    }

    /// Puts an unlinked piece on top of a zone.
    pub(super) fn link_top(&mut self, piece: PieceId, zone: ZoneId) {
        let last = self.zones[zone.index()].last;
        self.link(piece, zone, last, NO_PIECE);
    }

    /// Puts an unlinked piece at the bottom of a zone.
    pub(super) fn link_bottom(&mut self, piece: PieceId, zone: ZoneId) {
        let first = self.zones[zone.index()].first;
        self.link(piece, zone, NO_PIECE, first);
    }

    /// Lays the pieces of a zone out anew: they lie in it from the bottom to the top in this order.
    pub(super) fn arrange(&mut self, zone: ZoneId, order: &[PieceId]) {
        let ends = &mut self.zones[zone.index()];
        ends.first = NO_PIECE;
        ends.last = NO_PIECE;
        ends.len = 0;
        for piece in order {
            self.link_top(*piece, zone);
        }
    }

    /// Puts an unlinked piece where its id belongs, in a zone without an order of its own.
    pub(super) fn link_by_id(&mut self, piece: PieceId, zone: ZoneId) {
        let mut above = NO_PIECE;
        let mut below = self.zones[zone.index()].last;
        while below != NO_PIECE && below > piece.0 {
            above = below;
            below = self.pieces[usize::from(below)].previous;
        }
        self.link(piece, zone, below, above);
    }
}

/// The pieces of a zone, from the bottom to the top.
#[derive(Clone, Debug)]
pub struct Lying<'a> {
    state: &'a TableState,
    next: u16,
}

impl Iterator for Lying<'_> {
    type Item = PieceId;

    fn next(&mut self) -> Option<PieceId> {
        if self.next == NO_PIECE {
            return None;
        }
        let piece = PieceId(self.next);
        self.next = self.state.pieces[piece.index()].next;
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::{self, *};
    use super::super::{Value, invariants, ops};
    use super::*;

    #[test]
    fn a_new_table_is_as_declared() {
        let layout = toy::layout();
        let state = TableState::new(&layout, 2, 7);
        assert_eq!(invariants::check(&layout, &state), []);
        assert_eq!(
            names(&layout, &state, DECK),
            ["ace", "bee", "cat", "dog", "eel", "fox"]
        );
        assert_eq!(state.len(BAG), 4);
        assert_eq!(names(&layout, &state, SUPPLY), ["token"]);
        let coins = ops::counter_value(&layout, &state, COINS, 1);
        let active = ops::counter_value(&layout, &state, ACTIVE, 0);
        assert_eq!((coins, active), (Value::int(2), Value::UNIT));
        assert_eq!(ops::players(&state).collect::<Vec<_>>(), [ANN, BOB]);
    }

    #[test]
    fn pieces_are_linked_and_unlinked_anywhere() {
        let layout = toy::layout();
        let mut state = TableState::new(&layout, 2, 7);
        let lying =
            |state: &TableState| -> Vec<u16> { state.lying(DECK).map(|piece| piece.0).collect() };
        for piece in [0, 5, 3] {
            state.unlink(PieceId(piece));
        }
        assert_eq!((lying(&state), state.len(DECK)), (vec![1, 2, 4], 3));
        state.link_by_id(PieceId(3), DECK);
        state.link_by_id(PieceId(0), DECK);
        state.link_by_id(PieceId(5), DECK);
        assert_eq!(lying(&state), [0, 1, 2, 3, 4, 5]);
        state.unlink(PieceId(2));
        state.link_bottom(PieceId(2), DECK);
        state.unlink(PieceId(1));
        state.link_top(PieceId(1), DECK);
        assert_eq!(lying(&state), [2, 0, 3, 4, 5, 1]);
        state.arrange(DECK, &[5, 4, 3, 2, 1, 0].map(PieceId));
        assert_eq!(lying(&state), [5, 4, 3, 2, 1, 0]);
        assert_eq!(invariants::check(&layout, &state), []);
    }

    #[test]
    fn equal_play_gives_equal_states() {
        let layout = toy::layout();
        let changes = [(4, 0, 3, 2), (8, 7, 0, 0), (6, 0, 18, 3), (7, 0, 1, 0)];
        let state = toy::played(&layout, 1, &changes);
        assert_eq!(state, toy::played(&layout, 1, &changes));
        assert_ne!(state, toy::played(&layout, 2, &changes));
    }
}
