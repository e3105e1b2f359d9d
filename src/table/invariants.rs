//! What holds of every table at any moment.

use crate::diag::count;

use super::ids::{CounterId, DialId, GroupId, GroupKindId, PieceId, ToggleId, ZoneId};
use super::layout::{Domain, Holds, Layout};
use super::state::{NO_PIECE, TableState};

/// Something that can never be: a bug of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The state has not as many zones, cells, streams or pieces as its layout asks for, or a number
    /// of players that the layout has no room for.
    Sizes,
    /// A piece made during play is a copy of one of which there is no unlimited supply.
    Copy(PieceId),
    /// The links of a zone's chain contradict each other, or the pieces in it.
    Chain(ZoneId),
    /// A zone says that more or fewer pieces lie in it than do.
    Length {
        /// The zone.
        zone: ZoneId,
        /// How many do.
        lying: u16,
    },
    /// A piece lies in no zone.
    Lost(PieceId),
    /// A piece does not lie where its id belongs, in a zone without an order of its own.
    Unsorted(PieceId),
    /// More pieces lie in a zone than fit.
    Full(ZoneId),
    /// A piece lies in a zone that holds only another kind.
    WrongKind(PieceId),
    /// A piece shows a face that it has not.
    Face(PieceId),
    /// A counter's cell is beyond its limits or its type.
    Counter {
        /// The counter.
        counter: CounterId,
        /// The position in its family.
        position: u16,
    },
    /// A dial points at no face.
    Dial {
        /// The dial.
        dial: DialId,
        /// The position in its family.
        position: u16,
    },
    /// A toggle is neither on nor off.
    Toggle {
        /// The toggle.
        toggle: ToggleId,
        /// The position in its family.
        position: u16,
    },
    /// A group is neither alive nor not.
    Alive(GroupId),
    /// Pieces lie with a group that is not alive.
    Ceased {
        /// The group.
        group: GroupId,
        /// Where they lie.
        zone: ZoneId,
    },
}

impl Violation {
    /// The violation in words.
    pub fn describe(&self, layout: &Layout, state: &TableState) -> String {
        let piece = |piece: PieceId| {
            let pattern = match piece.index().checked_sub(layout.pieces.len()) {
                None => Some(piece),
                Some(copy) => state.copies.get(copy).copied(),
            };
            match pattern.and_then(|pattern| layout.pieces.get(pattern.index())) {
                Some(info) => format!("piece `{}` ({})", info.name.id, piece.0),
                None => format!("piece {}", piece.0),
            }
        };
        let zone = |zone: ZoneId| format!("`{}`", layout.zone_key(zone));
        let cell = |base: u16, position: u16| state.cells[usize::from(base + position)];
        match self {
            Self::Sizes => "the state does not fit its layout".to_owned(),
            Self::Copy(what) => format!("{} is a copy of what is not unlimited", piece(*what)),
            Self::Chain(of) => format!("the chain of {} is broken", zone(*of)),
            Self::Length { zone: of, lying } => format!(
                "{} says it has {}, and {lying} lie there",
                zone(*of),
                state.zones[of.index()].len
            ),
            Self::Lost(what) => format!("{} lies in no zone", piece(*what)),
            Self::Unsorted(what) => format!("{} does not lie where its id belongs", piece(*what)),
            Self::Full(of) => format!(
                "{} has room for {} and holds {}",
                zone(*of),
                layout.family(*of).capacity.unwrap_or(u16::MAX),
                state.zones[of.index()].len
            ),
            Self::WrongKind(what) => format!(
                "{} lies in {}, which holds another kind",
                piece(*what),
                zone(state.pieces[what.index()].zone)
            ),
            Self::Face(what) => format!(
                "{} has no face {}",
                piece(*what),
                state.pieces[what.index()].face
            ),
            Self::Counter { counter, position } => {
                let family = &layout.counters[counter.index()];
                format!(
                    "counter `{}` holds {} at position {position}",
                    family.name.id,
                    cell(family.base, *position)
                )
            }
            Self::Dial { dial, position } => {
                let family = &layout.dials[dial.index()];
                format!(
                    "dial `{}` points at {} at position {position}, of {}",
                    family.name.id,
                    cell(family.base, *position),
                    count(family.faces.len(), "face")
                )
            }
            Self::Toggle { toggle, position } => {
                let family = &layout.toggles[toggle.index()];
                format!(
                    "toggle `{}` holds {} at position {position}",
                    family.name.id,
                    cell(family.base, *position)
                )
            }
            Self::Alive(group) => format!("group {} is neither alive nor not", group.0),
            Self::Ceased { group, zone: of } => format!(
                "pieces lie in {}, though group {} is not alive",
                zone(*of),
                group.0
            ),
        }
    }
}

/// Everything about a state that can never be. Of several faults of one zone's chain only the first is
/// told, and nothing that follows from it.
pub fn check(layout: &Layout, state: &TableState) -> Vec<Violation> {
    if state.zones.len() != layout.zones.len()
        || state.cells.len() != usize::from(layout.cells)
        || state.draws.len() != layout.streams.len()
        || state.pieces.len() != layout.pieces.len() + state.copies.len()
        || state.players > layout.max_players
    {
        return vec![Violation::Sizes];
    }
    let mut violations = Vec::new();
    for (copy, pattern) in state.copies.iter().enumerate() {
        let unlimited = layout
            .pieces
            .get(pattern.index())
            .is_some_and(|info| layout.kinds[info.kind.index()].unlimited);
        if !unlimited {
            let piece = PieceId::from_index(layout.pieces.len() + copy);
            violations.push(Violation::Copy(piece));
        }
    }
    if !violations.is_empty() {
        // The kind of such a piece is not known, so nothing more can be said of where it lies.
        return violations;
    }
    pieces(layout, state, &mut violations);
    cells(layout, state, &mut violations);
    groups(layout, state, &mut violations);
    violations
}

/// Where pieces lie.
fn pieces(layout: &Layout, state: &TableState, violations: &mut Vec<Violation>) {
    let mut seen = vec![false; state.pieces.len()];
    let mut sound = vec![true; layout.zones.len()];
    for (index, sound) in sound.iter_mut().enumerate() {
        let zone = ZoneId::from_index(index);
        let Some(lying) = chain(state, zone, &mut seen) else {
            *sound = false;
            violations.push(Violation::Chain(zone));
            continue;
        };
        let family = layout.family(zone);
        if lying.len() != usize::from(state.zones[index].len) {
            violations.push(Violation::Length {
                zone,
                lying: lying.len() as u16,
            });
        } else if family
            .capacity
            .is_some_and(|capacity| lying.len() > usize::from(capacity))
        {
            violations.push(Violation::Full(zone));
        }
        if !family.ordered {
            let unsorted = lying.windows(2).filter(|pair| pair[0] > pair[1]);
            violations.extend(unsorted.map(|pair| Violation::Unsorted(pair[1])));
        }
        if let Some(kind) = family.holds {
            let wrong = lying
                .iter()
                .filter(|piece| state.info(layout, **piece).kind != kind);
            violations.extend(wrong.map(|piece| Violation::WrongKind(*piece)));
        }
    }
    for (index, piece) in state.pieces.iter().enumerate() {
        let id = PieceId::from_index(index);
        if !seen[index] && sound.get(piece.zone.index()).copied().unwrap_or(true) {
            violations.push(Violation::Lost(id));
        }
        if piece.face > layout.kinds[state.info(layout, id).kind.index()].faces {
            violations.push(Violation::Face(id));
        }
    }
}

/// The pieces of a zone, if its links agree with each other and with the pieces.
fn chain(state: &TableState, zone: ZoneId, seen: &mut [bool]) -> Option<Vec<PieceId>> {
    let ends = &state.zones[zone.index()];
    let mut lying = Vec::new();
    let (mut below, mut next) = (NO_PIECE, ends.first);
    while next != NO_PIECE {
        let piece = state.pieces.get(usize::from(next))?;
        // A piece of this zone that was seen before is one of a cycle.
        if piece.zone != zone
            || piece.previous != below
            || std::mem::replace(&mut seen[usize::from(next)], true)
        {
            return None;
        }
        lying.push(PieceId(next));
        below = next;
        next = piece.next;
    }
    (ends.last == below).then_some(lying)
}

/// Counters, dials and toggles.
fn cells(layout: &Layout, state: &TableState, violations: &mut Vec<Violation>) {
    for (index, family) in layout.counters.iter().enumerate() {
        let counter = CounterId::from_index(index);
        let (mut least, mut most) = match family.holds {
            Holds::Int => (i32::MIN, i32::MAX),
            Holds::Bool => (0, 1),
            Holds::One(domain) => (0, i32::from(layout.dimension(domain).size)),
            Holds::Effect => (0, i32::from(u16::MAX)),
            Holds::Text | Holds::Dial | Holds::Toggle => (0, 0),
        };
        least = family.least.map_or(least, |limit| limit.max(least));
        most = family.most.map_or(most, |limit| limit.min(most));
        for position in 0..family.size {
            let cell = state.cells[usize::from(family.base + position)];
            if cell < least || cell > most {
                violations.push(Violation::Counter { counter, position });
            }
        }
    }
    for (index, family) in layout.dials.iter().enumerate() {
        let dial = DialId::from_index(index);
        for position in 0..family.size {
            let cell = state.cells[usize::from(family.base + position)];
            if usize::try_from(cell).map_or(true, |cell| cell >= family.faces.len()) {
                violations.push(Violation::Dial { dial, position });
            }
        }
    }
    for (index, family) in layout.toggles.iter().enumerate() {
        let toggle = ToggleId::from_index(index);
        for position in 0..family.size {
            if !matches!(state.cells[usize::from(family.base + position)], 0 | 1) {
                violations.push(Violation::Toggle { toggle, position });
            }
        }
    }
}

/// Groups. One that is alive may be empty: it was just formed.
fn groups(layout: &Layout, state: &TableState, violations: &mut Vec<Violation>) {
    let alive = |group: GroupId| {
        let info = &layout.group_kinds[layout.groups[group.index()].index()];
        state.cells[usize::from(info.alive + group.0 - info.groups.start)]
    };
    for index in 0..layout.groups.len() {
        let group = GroupId::from_index(index);
        if !matches!(alive(group), 0 | 1) {
            violations.push(Violation::Alive(group));
        }
    }
    for (index, zone) in state.zones.iter().enumerate() {
        let id = ZoneId::from_index(index);
        if zone.first == NO_PIECE {
            continue;
        }
        if let Some(group) = group_of(layout, id).filter(|group| alive(*group) == 0) {
            violations.push(Violation::Ceased { group, zone: id });
        }
    }
}

/// The group that a zone belongs to first.
fn group_of(layout: &Layout, zone: ZoneId) -> Option<GroupId> {
    let dimension = layout.family(zone).dimensions.first()?;
    match dimension.domain {
        Domain::Groups(GroupKindId(_)) => match layout.first_coordinate(zone).case() {
            super::Case::Group(group) => Some(group),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::toy::{self, *};
    use super::super::{Layout, TableState, Value};
    use super::*;

    /// A table in the midst of a game: cards in the first hand, a pile with a token, a die on a spot.
    fn midst(layout: &Layout) -> TableState {
        let mut state = toy::opened(layout, 1);
        let mut table = toy::table(layout, &mut state);
        table.draw(DECK, hand(ANN), 3).unwrap();
        let pile = table.form(PILE).unwrap();
        table.draw(SUPPLY, pile_tokens(pile), 2).unwrap();
        table.put(PieceId(DICE.start), spot(BOB, 2)).unwrap();
        table.roll(PieceId(DICE.start)).unwrap();
        table.set_counter(ACTIVE, 0, Value::from(BOB)).unwrap();
        state
    }

    #[track_caller]
    fn check_corrupted(corrupt: impl FnOnce(&Layout, &mut TableState), expected: &[Violation]) {
        let layout = toy::layout();
        let mut state = midst(&layout);
        assert_eq!(check(&layout, &state), []);
        corrupt(&layout, &mut state);
        let found = check(&layout, &state);
        assert_eq!(found, expected);
        for violation in found {
            assert!(!violation.describe(&layout, &state).is_empty());
        }
    }

    /// The cell of a counter's family.
    fn counter(layout: &Layout, counter: CounterId, position: u16) -> usize {
        usize::from(layout.counters[counter.index()].base + position)
    }

    const AMBER: PieceId = PieceId(DICE.start);

    #[test]
    fn sizes() {
        check_corrupted(|_, state| state.cells.truncate(1), &[Violation::Sizes]);
        check_corrupted(|_, state| state.pieces.truncate(1), &[Violation::Sizes]);
        check_corrupted(|_, state| state.copies.clear(), &[Violation::Sizes]);
        check_corrupted(|_, state| state.players = 3, &[Violation::Sizes]);
    }

    #[test]
    fn copies() {
        let copy = PieceId(DICE.end);
        check_corrupted(|_, state| state.copies[0] = AMBER, &[Violation::Copy(copy)]);
    }

    #[test]
    fn chains() {
        // A link backwards, a link forwards, an end, a cycle, and a piece of another zone.
        let spot = spot(BOB, 2);
        check_corrupted(
            |_, state| state.pieces[AMBER.index()].previous = 8,
            &[Violation::Chain(spot)],
        );
        check_corrupted(
            |_, state| state.pieces[AMBER.index()].next = 900,
            &[Violation::Chain(spot)],
        );
        check_corrupted(
            |_, state| state.zones[spot.index()].last = NO_PIECE,
            &[Violation::Chain(spot)],
        );
        check_corrupted(
            |_, state| state.pieces[AMBER.index()].next = AMBER.0,
            &[Violation::Chain(spot)],
        );
        check_corrupted(
            |_, state| {
                state.zones[VAULT.index()].first = AMBER.0;
                state.zones[VAULT.index()].last = AMBER.0;
            },
            &[Violation::Chain(VAULT)],
        );
    }

    #[test]
    fn lengths() {
        check_corrupted(
            |_, state| state.zones[BAG.index()].len = 7,
            &[Violation::Length {
                zone: BAG,
                lying: 3,
            }],
        );
    }

    #[test]
    fn lost_pieces() {
        check_corrupted(|_, state| state.unlink(AMBER), &[Violation::Lost(AMBER)]);
        check_corrupted(
            |_, state| {
                state.unlink(AMBER);
                state.pieces[AMBER.index()].zone = ZoneId(999);
            },
            &[Violation::Lost(AMBER)],
        );
    }

    #[test]
    fn order_capacity_and_kind() {
        check_corrupted(
            |_, state| {
                let lowest = PieceId(state.zones[hand(ANN).index()].first);
                state.unlink(lowest);
                state.link_top(lowest, hand(ANN));
            },
            &[Violation::Unsorted(PieceId(3))],
        );
        check_corrupted(
            |_, state| {
                for piece in 8..10 {
                    state.unlink(PieceId(piece));
                    state.link_top(PieceId(piece), spot(BOB, 2));
                }
            },
            &[Violation::Full(spot(BOB, 2))],
        );
        check_corrupted(
            |_, state| {
                state.unlink(AMBER);
                state.link_top(AMBER, DECK);
            },
            &[Violation::WrongKind(AMBER)],
        );
    }

    #[test]
    fn faces() {
        check_corrupted(
            |_, state| state.pieces[AMBER.index()].face = 7,
            &[Violation::Face(AMBER)],
        );
        check_corrupted(
            |_, state| state.pieces[0].face = 1,
            &[Violation::Face(PieceId(0))],
        );
    }

    #[test]
    fn counters_dials_and_toggles() {
        for (of, position, value) in [
            (ACTIVE, 0, 3),
            (ACTIVE, 0, -1),
            (PASSED, 1, 2),
            (SECRET, 0, 7),
            (COINS, 1, 11),
            (COINS, 0, -1),
        ] {
            check_corrupted(
                |layout, state| state.cells[counter(layout, of, position)] = value,
                &[Violation::Counter {
                    counter: of,
                    position,
                }],
            );
        }
        for value in [-1, 4] {
            check_corrupted(
                |layout, state| state.cells[usize::from(layout.dials[0].base)] = value,
                &[Violation::Dial {
                    dial: HEAT,
                    position: 0,
                }],
            );
        }
        check_corrupted(
            |layout, state| state.cells[usize::from(layout.toggles[0].base + 1)] = 2,
            &[Violation::Toggle {
                toggle: BOOST,
                position: 1,
            }],
        );
    }

    #[test]
    fn groups_that_are_not_alive() {
        check_corrupted(
            |layout, state| state.cells[usize::from(layout.group_kinds[0].alive)] = 0,
            &[Violation::Ceased {
                group: GroupId(0),
                zone: pile_tokens(GroupId(0)),
            }],
        );
        check_corrupted(
            |layout, state| state.cells[usize::from(layout.group_kinds[0].alive)] = 2,
            &[Violation::Alive(GroupId(0))],
        );
    }

    proptest! {
        #[test]
        fn no_change_violates_them(changes in toy::changes()) {
            let layout = toy::layout();
            let mut state = toy::opened(&layout, 9);
            for change in changes {
                let _ = toy::apply(&mut toy::table(&layout, &mut state), change);
                let violations = check(&layout, &state);
                prop_assert!(violations.is_empty(), "{change:?}: {violations:?}");
            }
        }
    }
}
