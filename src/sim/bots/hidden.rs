//! What a bot does not know, dealt anew.

use crate::script::{Rules, State};
use crate::table::chance::Draw;
use crate::table::ids::PlayerId;
use crate::table::view::{Viewer, permute_hidden};

/// A state as it could be for all that a player knows: hidden pieces are dealt anew, and chance goes
/// another way. States that differ only in what is hidden from the player give the same.
///
/// Hidden counters stay as they are.
pub(super) fn dealt(rules: &Rules, state: &State, player: PlayerId, draw: &mut Draw) -> State {
    let mut dealt = state.clone();
    let viewer = Viewer::Player(player);
    let renaming = permute_hidden(rules.layout(), &mut dealt.table, viewer, |pieces| {
        for last in (1..pieces.len()).rev() {
            pieces.swap(last, draw.below(last as u64 + 1) as usize);
        }
    });
    let run = &mut dealt.run;
    let values = run.stack.iter_mut().chain(&mut run.heap);
    for value in values.chain(&mut run.parts) {
        *value = renaming.value(*value);
    }
    dealt.table.seed = draw.bits();
    dealt
}
