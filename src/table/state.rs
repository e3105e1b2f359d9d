//! The changing data of a table: one plain value.

use serde::Serialize;

use super::ids::{BlockId, FunctionId, PieceId, PlayerId, ZoneId};
use super::layout::{Layout, PieceInfo};

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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
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
