//! What may be seen of a table, and by whom.
//!
//! A [`View`] shows what lies there now, not what somebody remembers. How many pieces lie in a zone,
//! and of which kinds, is public; which pieces they are depends on the zone and on how they lie.

use std::ops::Range;

use super::ids::{CounterId, DialId, KindId, PieceId, PlayerId, ToggleId, ZoneId};
use super::layout::{Dimension, Domain, Holds, Layout, Visible};
use super::ops::counter_value;
use super::state::{NO_PIECE, PieceState, TableState};
use super::value::{Case, Value};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player.
    Player(PlayerId),
    /// Somebody who plays no part.
    Spectator,
    /// Somebody to whom nothing is hidden.
    All,
}

/// A piece as a viewer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    /// A piece that is known.
    Piece(PieceId),
    /// One of this kind; which one is hidden.
    Hidden(KindId),
}

/// A table in the eyes of a viewer.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    layout: &'a Layout,
    state: &'a TableState,
    viewer: Viewer,
}

impl<'a> View<'a> {
    /// What a viewer sees of a table.
    pub fn new(layout: &'a Layout, state: &'a TableState, viewer: Viewer) -> Self {
        Self {
            layout,
            state,
            viewer,
        }
    }

    /// Who looks.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Whether something with an owner may be seen.
    fn sees(&self, visible: Visible, owner: impl FnOnce() -> Option<PlayerId>) -> bool {
        match (self.viewer, visible) {
            (Viewer::All, _) | (_, Visible::All) => true,
            (Viewer::Player(player), Visible::Owner) => owner() == Some(player),
            _ => false,
        }
    }

    /// Whether the rule of a zone lets the viewer look into it.
    pub fn can_look_into(&self, zone: ZoneId) -> bool {
        let visible = self.layout.family(zone).visible;
        self.sees(visible, || self.layout.zone_owner(zone))
    }

    /// Whether the viewer knows which piece this is, and its face.
    pub fn can_see(&self, piece: PieceId) -> bool {
        let state = &self.state.pieces[piece.index()];
        // In a zone of one's own, face down means hidden from the others.
        let turned = state.face_down
            && self.viewer != Viewer::All
            && self.layout.family(state.zone).visible != Visible::Owner;
        !turned && self.can_look_into(state.zone)
    }

    /// The face that a piece shows, 0 before the first roll; `None` if it is hidden.
    pub fn face(&self, piece: PieceId) -> Option<u8> {
        self.can_see(piece)
            .then(|| self.state.pieces[piece.index()].face)
    }

    /// Number of pieces in a zone.
    pub fn len(&self, zone: ZoneId) -> usize {
        self.state.len(zone)
    }

    /// Whether a zone is empty.
    pub fn is_empty(&self, zone: ZoneId) -> bool {
        self.len(zone) == 0
    }

    /// What lies in a zone, from the bottom to the top.
    ///
    /// Hidden pieces of an ordered zone that the viewer may look into are shown where they lie. In all
    /// other zones they follow the known ones and are sorted by kind, so that their order tells nothing.
    pub fn zone(&self, zone: ZoneId) -> impl Iterator<Item = Seen> + use<> {
        let mut seen: Vec<Seen> = self
            .state
            .lying(zone)
            .map(|piece| {
                if self.can_see(piece) {
                    Seen::Piece(piece)
                } else {
                    Seen::Hidden(self.state.info(self.layout, piece).kind)
                }
            })
            .collect();
        if !self.keeps_order(zone) {
            seen.sort_by_key(|seen| match seen {
                Seen::Piece(_) => None,
                Seen::Hidden(kind) => Some(*kind),
            });
        }
        seen.into_iter()
    }

    /// Whether the order of hidden pieces in a zone is seen.
    fn keeps_order(&self, zone: ZoneId) -> bool {
        self.layout.family(zone).ordered && self.can_look_into(zone)
    }

    /// The value of a counter, given as the position in its family; `None` if it is hidden, is a hidden
    /// piece, or belongs to one.
    pub fn counter(&self, counter: CounterId, position: u16) -> Option<Value> {
        if self.hides(counter, position) {
            return None;
        }
        let value = counter_value(self.layout, self.state, counter, position);
        Some(value).filter(|value| match value.case() {
            Case::Piece(piece) => self.can_see(piece),
            _ => true,
        })
    }

    /// Whether all is hidden of a counter's cell.
    fn hides(&self, counter: CounterId, position: u16) -> bool {
        let family = &self.layout.counters[counter.index()];
        let owner = || {
            // The first of several players, as for zones.
            self.coordinates(&family.dimensions, position)
                .filter_map(|value| match value.case() {
                    Case::Player(player) => Some(player),
                    _ => None,
                })
                .last()
        };
        !self.sees(family.visible, owner) || self.is_of_hidden(&family.dimensions, position)
    }

    /// The face of a dial, given as the position in its family; `None` if it belongs to a hidden piece.
    pub fn dial(&self, dial: DialId, position: u16) -> Option<i32> {
        let family = &self.layout.dials[dial.index()];
        let needle = self.state.cells[usize::from(family.base + position)];
        let face = usize::try_from(needle)
            .ok()
            .and_then(|needle| family.faces.get(needle).copied());
        face.filter(|_| !self.is_of_hidden(&family.dimensions, position))
    }

    /// Whether a toggle is on, given as the position in its family; `None` if it belongs to a hidden
    /// piece.
    pub fn toggle(&self, toggle: ToggleId, position: u16) -> Option<bool> {
        let family = &self.layout.toggles[toggle.index()];
        let on = self.state.cells[usize::from(family.base + position)] != 0;
        Some(on).filter(|_| !self.is_of_hidden(&family.dimensions, position))
    }

    /// The things that a member of a family belongs to, the last first.
    fn coordinates<'b>(
        &'b self,
        dimensions: &'b [Dimension],
        position: u16,
    ) -> impl Iterator<Item = Value> + 'b {
        let mut rest = position;
        dimensions.iter().rev().map(move |dimension| {
            let offset = rest % dimension.size;
            rest /= dimension.size;
            self.layout
                .value_of(dimension.domain, dimension.base + offset)
        })
    }

    /// Whether a member of a family belongs to a hidden piece: to show it would tell which it is.
    fn is_of_hidden(&self, dimensions: &[Dimension], position: u16) -> bool {
        self.coordinates(dimensions, position)
            .any(|value| match value.case() {
                Case::Piece(piece) => !self.can_see(piece),
                _ => false,
            })
    }

    /// For each kind, its hidden pieces in the order of where they lie.
    fn hidden(&self) -> Vec<Vec<PieceId>> {
        let mut hidden = vec![Vec::new(); self.layout.kinds.len()];
        for zone in 0..self.layout.zones.len() {
            for piece in self.state.lying(ZoneId::from_index(zone)) {
                if !self.can_see(piece) {
                    let kind = self.state.info(self.layout, piece).kind;
                    hidden[kind.index()].push(piece);
                }
            }
        }
        hidden
    }

    /// The renaming that deals the hidden pieces of each kind anew. `order` is given them sorted by id,
    /// so that nothing it does depends on where they lie.
    fn deal(&self, mut order: impl FnMut(&mut [PieceId])) -> Renaming {
        let mut renaming = Renaming::none(self.layout, self.state);
        for lying in self.hidden() {
            if lying.len() < 2 {
                continue;
            }
            let mut dealt = lying.clone();
            dealt.sort_unstable();
            order(&mut dealt);
            for (from, to) in lying.iter().zip(dealt) {
                renaming.pieces[from.index()] = to;
            }
        }
        renaming.rename_zones(self.layout);
        renaming
    }
}

/// A permutation of pieces, and of the zones that belong to pieces.
///
/// It holds for the whole state: what else names pieces or zones, such as the frames of a running
/// script, must be renamed with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    pieces: Vec<PieceId>,
    zones: Vec<ZoneId>,
}

impl Renaming {
    /// The renaming that changes nothing.
    fn none(layout: &Layout, state: &TableState) -> Self {
        Self {
            pieces: (0..state.pieces.len()).map(PieceId::from_index).collect(),
            zones: (0..layout.zones.len()).map(ZoneId::from_index).collect(),
        }
    }

    /// What a piece becomes.
    pub fn piece(&self, piece: PieceId) -> PieceId {
        self.pieces[piece.index()]
    }

    /// What a zone becomes.
    pub fn zone(&self, zone: ZoneId) -> ZoneId {
        self.zones[zone.index()]
    }

    /// What a value becomes. The elements of lists lie elsewhere and are renamed there.
    pub fn value(&self, value: Value) -> Value {
        match value.case() {
            Case::Piece(piece) => Value::from(self.piece(piece)),
            Case::Zone(zone) => Value::from(self.zone(zone)),
            _ => value,
        }
    }

    fn link(&self, link: u16) -> u16 {
        match link {
            NO_PIECE => NO_PIECE,
            piece => self.piece(PieceId(piece)).0,
        }
    }

    fn rename_zones(&mut self, layout: &Layout) {
        for family in &layout.zone_families {
            for position in 0..family.size {
                let renamed = self.position(layout, &family.dimensions, position);
                self.zones[usize::from(family.base.0 + position)] = ZoneId(family.base.0 + renamed);
            }
        }
    }

    /// What a position in a family becomes.
    fn position(&self, layout: &Layout, dimensions: &[Dimension], position: u16) -> u16 {
        let (mut rest, mut unit, mut renamed) = (position, 1, 0);
        for dimension in dimensions.iter().rev() {
            let offset = self.offset(layout, dimension, rest % dimension.size);
            rest /= dimension.size;
            renamed += offset * unit;
            unit *= dimension.size;
        }
        renamed
    }

    /// What an offset in a domain becomes. Of an unlimited kind only the pattern has cells and zones of
    /// its own, and it keeps them.
    fn offset(&self, layout: &Layout, dimension: &Dimension, offset: u16) -> u16 {
        match dimension.domain {
            Domain::Kind(kind) if !layout.kinds[kind.index()].unlimited => {
                self.piece(PieceId(dimension.base + offset)).0 - dimension.base
            }
            _ => offset,
        }
    }

    /// Renames a table's pieces. How often each was rolled stays with it: it is the address of its
    /// chance.
    fn apply(&self, layout: &Layout, state: &mut TableState) {
        let old = state.pieces.clone();
        for (index, piece) in old.iter().enumerate() {
            let to = self.pieces[index].index();
            state.pieces[to] = PieceState {
                zone: self.zone(piece.zone),
                previous: self.link(piece.previous),
                next: self.link(piece.next),
                rolls: old[to].rolls,
                ..*piece
            };
        }
        let old = state.zones.clone();
        for (index, zone) in old.iter().enumerate() {
            let to = self.zones[index].index();
            state.zones[to].first = self.link(zone.first);
            state.zones[to].last = self.link(zone.last);
            state.zones[to].len = zone.len;
        }
        for zone in 0..layout.zones.len() {
            let zone = ZoneId::from_index(zone);
            if !layout.family(zone).ordered {
                sort(state, zone);
            }
        }
        self.apply_to_cells(layout, state);
    }

    fn apply_to_cells(&self, layout: &Layout, state: &mut TableState) {
        let old = state.cells.clone();
        for family in &layout.counters {
            for position in 0..family.size {
                let mut cell = old[usize::from(family.base + position)];
                if let Holds::One(domain @ Domain::Kind(_)) = family.holds
                    && cell > 0
                {
                    let dimension = layout.dimension(domain);
                    cell = 1 + i32::from(self.offset(layout, &dimension, (cell - 1) as u16));
                }
                let to = self.position(layout, &family.dimensions, position);
                state.cells[usize::from(family.base + to)] = cell;
            }
        }
        let dials = layout
            .dials
            .iter()
            .map(|family| (family.base, family.size, &family.dimensions));
        let toggles = layout
            .toggles
            .iter()
            .map(|family| (family.base, family.size, &family.dimensions));
        for (base, size, dimensions) in dials.chain(toggles) {
            for position in 0..size {
                let to = self.position(layout, dimensions, position);
                state.cells[usize::from(base + to)] = old[usize::from(base + position)];
            }
        }
    }
}

/// Lays the pieces of a zone out by their ids, if they do not lie so.
fn sort(state: &mut TableState, zone: ZoneId) {
    let mut lying: Vec<PieceId> = state.lying(zone).collect();
    if !lying.is_sorted() {
        lying.sort_unstable();
        state.arrange(zone, &lying);
    }
}

/// Deals what is hidden from a viewer anew among the same places: the hidden pieces of each kind, which
/// the viewer cannot tell apart, are put into an order (`order` is given them sorted by id) and laid
/// where such pieces lay. Returns the renaming, for what else names pieces.
///
/// The seed stays: whoever must not foresee chance sets another.
pub fn permute_hidden(
    layout: &Layout,
    state: &mut TableState,
    viewer: Viewer,
    order: impl FnMut(&mut [PieceId]),
) -> Renaming {
    let renaming = View::new(layout, state, viewer).deal(order);
    renaming.apply(layout, state);
    renaming
}

/// A state in which all that is hidden from a viewer is replaced by something canonical: it is equal for
/// states that the viewer cannot tell apart. The seed and all counts of chance are 0, hidden counters
/// are as at the start, and hidden pieces lie by their ids.
pub fn redact(layout: &Layout, state: &TableState, viewer: Viewer) -> TableState {
    let mut redacted = state.clone();
    redacted.seed = 0;
    redacted.draws.fill(0);
    for zone in &mut redacted.zones {
        zone.shuffles = 0;
    }
    for piece in &mut redacted.pieces {
        piece.rolls = 0;
    }
    if viewer == Viewer::All {
        return redacted;
    }
    permute_hidden(layout, &mut redacted, viewer, |_| {});
    // Which pieces and counters are hidden does not change from here on.
    let known = redacted.clone();
    let view = View::new(layout, &known, viewer);
    for (index, piece) in redacted.pieces.iter_mut().enumerate() {
        if !view.can_see(PieceId::from_index(index)) {
            piece.face = 0;
            piece.face_down = true;
        }
    }
    for zone in 0..layout.zones.len() {
        let zone = ZoneId::from_index(zone);
        if !view.can_look_into(zone) {
            sort(&mut redacted, zone);
        }
    }
    redact_cells(layout, &view, &mut redacted);
    redacted
}

fn redact_cells(layout: &Layout, view: &View<'_>, redacted: &mut TableState) {
    let cells = |base: u16, size: u16| -> Range<u16> { base..base + size };
    let hidden = view.hidden();
    for (index, family) in layout.counters.iter().enumerate() {
        let counter = CounterId::from_index(index);
        for cell in cells(family.base, family.size) {
            let position = cell - family.base;
            let to = &mut redacted.cells[usize::from(cell)];
            if view.hides(counter, position) {
                *to = family.start;
            } else if view.counter(counter, position).is_none()
                && let Holds::One(Domain::Kind(kind)) = family.holds
                && let Some(lowest) = hidden[kind.index()].iter().min()
            {
                // That it names a hidden piece is seen, and no more.
                *to = 1 + i32::from(lowest.0 - layout.kinds[kind.index()].pieces.start);
            }
        }
    }
    for family in &layout.dials {
        for cell in cells(family.base, family.size) {
            if view.is_of_hidden(&family.dimensions, cell - family.base) {
                redacted.cells[usize::from(cell)] = family.start;
            }
        }
    }
    for family in &layout.toggles {
        for cell in cells(family.base, family.size) {
            if view.is_of_hidden(&family.dimensions, cell - family.base) {
                redacted.cells[usize::from(cell)] = i32::from(family.start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::chance::Draw;
    use super::super::invariants;
    use super::super::toy::{self, *};
    use super::*;

    /// Everything that a view shows.
    fn shown(layout: &Layout, state: &TableState, viewer: Viewer) -> String {
        let view = View::new(layout, state, viewer);
        let zones: Vec<Vec<Seen>> = (0..layout.zones.len())
            .map(|zone| view.zone(ZoneId::from_index(zone)).collect())
            .collect();
        let faces: Vec<Option<u8>> = (0..state.pieces.len())
            .map(|piece| view.face(PieceId::from_index(piece)))
            .collect();
        let counters: Vec<Option<Value>> = layout
            .counters
            .iter()
            .enumerate()
            .flat_map(|(index, family)| (0..family.size).map(move |at| (index, at)))
            .map(|(index, at)| view.counter(CounterId::from_index(index), at))
            .collect();
        let dials = [view.dial(HEAT, 0), view.dial(HEAT, 1)];
        let toggles = [view.toggle(BOOST, 0), view.toggle(BOOST, 1)];
        format!("{zones:?} {faces:?} {counters:?} {dials:?} {toggles:?}")
    }

    fn seen(layout: &Layout, state: &TableState, viewer: Viewer, zone: ZoneId) -> Vec<Seen> {
        View::new(layout, state, viewer).zone(zone).collect()
    }

    const CARD_BACK: Seen = Seen::Hidden(CARD);

    #[test]
    fn a_hand_is_seen_by_its_owner_alone() {
        let layout = toy::layout();
        let mut state = toy::opened(&layout, 1);
        let mut table = toy::table(&layout, &mut state);
        table.draw(DECK, hand(ANN), 1).unwrap();
        table.place(PieceId(2), hand(ANN), false, true).unwrap();
        let hand = hand(ANN);
        let open = vec![Seen::Piece(PieceId(2)), Seen::Piece(PieceId(5))];
        let hidden = vec![CARD_BACK; 2];
        assert_eq!(seen(&layout, &state, Viewer::Player(ANN), hand), open);
        assert_eq!(seen(&layout, &state, Viewer::All, hand), open);
        assert_eq!(seen(&layout, &state, Viewer::Player(BOB), hand), hidden);
        assert_eq!(seen(&layout, &state, Viewer::Spectator, hand), hidden);
        let deck = vec![CARD_BACK; 4];
        assert_eq!(seen(&layout, &state, Viewer::Player(ANN), DECK), deck);
    }

    #[test]
    fn what_lies_face_down_is_shown_where_it_lies() {
        let layout = toy::layout();
        let mut state = toy::opened(&layout, 1);
        let mut table = toy::table(&layout, &mut state);
        table.put(PieceId(0), DISCARD).unwrap();
        table.place(PieceId(1), DISCARD, false, true).unwrap();
        table.put(PieceId(2), DISCARD).unwrap();
        assert_eq!(
            seen(&layout, &state, Viewer::Player(ANN), DISCARD),
            [Seen::Piece(PieceId(0)), CARD_BACK, Seen::Piece(PieceId(2))]
        );
        // A spot has no order, and the place by id would tell which card it is.
        let mut table = toy::table(&layout, &mut state);
        table.put(PieceId(3), spot(ANN, 0)).unwrap();
        table.place(PieceId(1), spot(ANN, 0), false, true).unwrap();
        assert_eq!(
            seen(&layout, &state, Viewer::Player(ANN), spot(ANN, 0)),
            [Seen::Piece(PieceId(3)), CARD_BACK]
        );
    }

    #[test]
    fn kinds_in_a_hidden_zone_come_in_no_order() {
        let layout = toy::layout();
        let mut state = toy::opened(&layout, 1);
        let mut table = toy::table(&layout, &mut state);
        for piece in [8, 0, 9, 1] {
            table.put(PieceId(piece), VAULT).unwrap();
        }
        assert_eq!(
            seen(&layout, &state, Viewer::Spectator, VAULT),
            [CARD_BACK, CARD_BACK, Seen::Hidden(DIE), Seen::Hidden(DIE)]
        );
        let view = View::new(&layout, &state, Viewer::Spectator);
        assert_eq!(view.len(VAULT), 4);
        assert!(view.is_empty(DISCARD));
        assert!(!view.can_see(PieceId(8)));
    }

    #[test]
    fn counters_hide_themselves_and_what_they_name() {
        let layout = toy::layout();
        let mut state = toy::opened(&layout, 1);
        let mut table = toy::table(&layout, &mut state);
        table.put(PieceId(0), DISCARD).unwrap();
        let secret = |card: u16| Value::from(PieceId(card));
        table.set_counter(SECRET, 0, secret(0)).unwrap();
        table.set_counter(SECRET, 1, secret(1)).unwrap();
        table.set_cell(WEAR, 1, 3).unwrap();
        let view = View::new(&layout, &state, Viewer::Player(ANN));
        assert_eq!(view.counter(SECRET, 0), Some(secret(0)));
        assert_eq!(view.counter(SECRET, 1), None);
        assert_eq!(view.counter(WEAR, 0), Some(Value::int(0)));
        assert_eq!(view.counter(WEAR, 1), None);
        assert_eq!(view.counter(COINS, 1), Some(Value::int(2)));
        assert_eq!(view.dial(HEAT, 1), Some(2));
        assert_eq!(view.toggle(BOOST, 1), Some(false));
        let view = View::new(&layout, &state, Viewer::Player(BOB));
        // Bob's secret is a card of the deck: to name it would show it.
        assert_eq!(view.counter(SECRET, 1), None);
        let view = View::new(&layout, &state, Viewer::All);
        assert_eq!(view.counter(SECRET, 1), Some(secret(1)));
    }

    #[test]
    fn faces_are_hidden_with_their_dice() {
        let layout = toy::layout();
        let mut state = toy::opened(&layout, 1);
        let die = PieceId(DICE.start);
        let mut table = toy::table(&layout, &mut state);
        table.set_face(die, 4).unwrap();
        let face = |state: &TableState| View::new(&layout, state, Viewer::Spectator).face(die);
        assert_eq!(face(&state), Some(4));
        toy::table(&layout, &mut state).put(die, VAULT).unwrap();
        assert_eq!(face(&state), None);
        assert_eq!(redact(&layout, &state, Viewer::Spectator).pieces[7].face, 0);
    }

    #[test]
    fn a_renaming_takes_along_what_belongs_to_a_card() {
        let layout = toy::layout();
        let mut state = toy::opened(&layout, 1);
        let mut table = toy::table(&layout, &mut state);
        table.set_cell(WEAR, 0, 3).unwrap();
        table
            .set_counter(SECRET, 0, Value::from(PieceId(0)))
            .unwrap();
        let renaming = permute_hidden(&layout, &mut state, Viewer::Spectator, |pieces| {
            pieces.reverse();
        });
        assert_eq!(
            names(&layout, &state, DECK),
            ["fox", "eel", "dog", "cat", "bee", "ace"]
        );
        assert_eq!(renaming.piece(PieceId(0)), PieceId(5));
        assert_eq!(
            renaming.value(Value::from(PieceId(1))),
            Value::from(PieceId(4))
        );
        assert_eq!(renaming.value(Value::from(VAULT)), Value::from(VAULT));
        let view = View::new(&layout, &state, Viewer::All);
        assert_eq!(view.counter(WEAR, 5), Some(Value::int(3)));
        assert_eq!(view.counter(WEAR, 0), Some(Value::int(0)));
        assert_eq!(view.counter(SECRET, 0), Some(Value::from(PieceId(5))));
    }

    fn viewer() -> impl Strategy<Value = Viewer> {
        prop::sample::select(vec![
            Viewer::Player(ANN),
            Viewer::Player(BOB),
            Viewer::Spectator,
            Viewer::All,
        ])
    }

    /// Deals anew by chance.
    fn shuffle(seed: u64) -> impl FnMut(&mut [PieceId]) {
        move |pieces| {
            pieces.sort_by_cached_key(|piece| Draw::at(seed, 0, u64::from(piece.0), 0).bits());
        }
    }

    proptest! {
        #[test]
        fn nobody_sees_that_the_hidden_was_dealt_anew(
            changes in toy::changes(), viewer in viewer(), seed in any::<u64>(),
        ) {
            let layout = toy::layout();
            let state = toy::played(&layout, 3, &changes);
            let mut dealt = state.clone();
            permute_hidden(&layout, &mut dealt, viewer, shuffle(seed));
            prop_assert_eq!(invariants::check(&layout, &dealt), []);
            prop_assert_eq!(shown(&layout, &dealt, viewer), shown(&layout, &state, viewer));
            prop_assert_eq!(redact(&layout, &dealt, viewer), redact(&layout, &state, viewer));
            if viewer == Viewer::All {
                prop_assert_eq!(dealt, state);
            }
        }

        #[test]
        fn a_redacted_table_shows_the_same(changes in toy::changes(), viewer in viewer()) {
            let layout = toy::layout();
            let state = toy::played(&layout, 3, &changes);
            let redacted = redact(&layout, &state, viewer);
            prop_assert_eq!(invariants::check(&layout, &redacted), []);
            prop_assert_eq!(&redact(&layout, &redacted, viewer), &redacted);
            let shown_before = shown(&layout, &state, viewer);
            prop_assert_eq!(shown(&layout, &redacted, viewer), shown_before);
        }

        #[test]
        fn how_it_is_dealt_depends_on_nothing_hidden(
            changes in toy::changes(), viewer in viewer(), seed in any::<u64>(),
        ) {
            let layout = toy::layout();
            let mut state = toy::played(&layout, 3, &changes);
            let mut other = state.clone();
            permute_hidden(&layout, &mut other, viewer, shuffle(seed ^ 1));
            permute_hidden(&layout, &mut other, viewer, shuffle(seed));
            permute_hidden(&layout, &mut state, viewer, shuffle(seed));
            let lying = |state: &TableState| -> Vec<Vec<PieceId>> {
                (0..layout.zones.len())
                    .map(|zone| state.lying(ZoneId::from_index(zone)).collect())
                    .collect()
            };
            prop_assert_eq!(lying(&other), lying(&state));
        }

        #[test]
        fn chance_to_come_is_not_seen(changes in toy::changes(), viewer in viewer()) {
            let layout = toy::layout();
            let state = toy::played(&layout, 3, &changes);
            let mut other = state.clone();
            other.seed = 4;
            other.draws[0] += 1;
            other.zones[0].shuffles += 1;
            other.pieces[0].rolls += 1;
            prop_assert_eq!(redact(&layout, &other, viewer), redact(&layout, &state, viewer));
        }
    }
}
