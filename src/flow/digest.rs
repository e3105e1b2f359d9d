//! A hash of a state by names: what a game did not touch is not in it, and no number of an id.

use std::hash::{Hash, Hasher};

use crate::script::state::Digest;
use crate::script::{Rules, State};
use crate::table::chance::salt;
use crate::table::ids::{PieceId, ZoneId};
use crate::table::layout::{Holds, Layout};
use crate::table::ops::decode;
use crate::table::{Case, TableState};

use super::Decision;

/// A hash of what can be seen of a state: zones that are not as they started, numbers that are not at their starts,
/// the chance that was used, and what is asked. It is the same on every machine, and stays when things are added that
/// the game does not touch.
pub fn digest(rules: &Rules, state: &State) -> u64 {
    let layout = rules.layout();
    let table = &state.table;
    let mut hasher = Digest::default();
    (table.seed, table.players, table.position.round).hash(&mut hasher);
    zones(layout, table, &mut hasher);
    cells(layout, table, &mut hasher);
    for (drawn, (_, salt)) in table.draws.iter().zip(&layout.streams) {
        if *drawn > 0 {
            (salt, drawn).hash(&mut hasher);
        }
    }
    for told in &state.told {
        told.text.hash(&mut hasher);
    }
    if let Some(decision) = Decision::pending(rules, state) {
        decision.key.hash(&mut hasher);
        decision.player.hash(&mut hasher);
        (decision.least, decision.most).hash(&mut hasher);
        for choice in &decision.choices {
            choice.key.hash(&mut hasher);
            choice.count.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Zones with what lies in them; ids follow names, so that those in between change no order.
fn zones(layout: &Layout, table: &TableState, hasher: &mut Digest) {
    let mut starting = vec![0_u16; layout.zones.len()];
    for piece in &layout.pieces {
        starting[piece.start.index()] += 1;
    }
    for (at, ends) in table.zones.iter().enumerate() {
        let zone = ZoneId::from_index(at);
        if ends.shuffles == 0 && ends.len == starting[at] && untouched(layout, table, zone) {
            continue;
        }
        (layout.zone_salts[at], ends.shuffles, ends.len).hash(hasher);
        for piece in table.lying(zone) {
            let lies = &table.pieces[piece.index()];
            let salt = table.info(layout, piece).salt;
            (salt, lies.face, lies.face_down, lies.rolls).hash(hasher);
        }
    }
}

/// Whether a zone, with as many pieces as start in it, holds just these as they started.
fn untouched(layout: &Layout, table: &TableState, zone: ZoneId) -> bool {
    let mut before: Option<PieceId> = None;
    table.lying(zone).all(|piece| {
        let lies = &table.pieces[piece.index()];
        let info = layout.pieces.get(piece.index());
        let in_order = before.is_none_or(|before| before < piece);
        before = Some(piece);
        in_order
            && (lies.face, lies.rolls) == (0, 0)
            && info.is_some_and(|info| info.start == zone && info.face_down == lies.face_down)
    })
}

/// Counters, dials, toggles and living groups that are not at their starts.
fn cells(layout: &Layout, table: &TableState, hasher: &mut Digest) {
    let counters = layout
        .counters
        .iter()
        .map(|family| (family.base, family.size, family.start, family.holds));
    let dials = layout
        .dials
        .iter()
        .map(|family| (family.base, family.size, family.start, Holds::Int));
    let toggles = layout.toggles.iter().map(|family| {
        (
            family.base,
            family.size,
            i32::from(family.start),
            Holds::Bool,
        )
    });
    let groups = layout
        .group_kinds
        .iter()
        .map(|kind| (kind.alive, kind.groups.len() as u16, 0, Holds::Bool));
    for (base, size, start, holds) in counters.chain(dials).chain(toggles).chain(groups) {
        for at in usize::from(base)..usize::from(base + size) {
            let cell = table.cells[at];
            if cell == start {
                continue;
            }
            (layout.cell_salts[at], by_name(layout, table, holds, cell)).hash(hasher);
        }
    }
}

/// What a cell holds, without the number of an id.
fn by_name(layout: &Layout, table: &TableState, holds: Holds, cell: i32) -> u64 {
    let named = match holds {
        Holds::Int | Holds::Bool => return cell as u32 as u64,
        _ => decode(layout, holds, cell),
    };
    match named.case() {
        Case::Piece(piece) => table.info(layout, piece).salt,
        // Effects have no names.
        Case::Effect(_) => cell as u32 as u64,
        _ => salt(&layout.key(named)),
    }
}
