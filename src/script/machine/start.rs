//! Starting in the middle of the flow.

use crate::table::ids::{BlockId, FunctionId};
use crate::table::layout::Scope;

use super::{Machine, Rules};

/// Where to start in the flow. What comes before is left out, save whole blocks that stand before the
/// first round: the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartAt {
    /// The block to start with; `None` stays at the first block with the scope of a round.
    pub block: Option<BlockId>,
    /// In which round, from 1.
    pub round: u16,
}

/// What to do with a block on the way to a wanted start.
pub(super) enum Way {
    Enter,
    LeaveOut,
    Stop,
}

impl Rules {
    /// Whether a block is another, or leads to it.
    fn leads_to(&self, from: BlockId, to: BlockId) -> bool {
        from == to
            || self.pack.blocks[from.index()].steps.iter().any(|step| {
                self.pack
                    .blocks
                    .iter()
                    .position(|block| block.name.id == step.text)
                    .is_some_and(|next| self.leads_to(BlockId::from_index(next), to))
            })
    }

    /// The block that a function of the flow does.
    pub fn block_of(&self, function: FunctionId) -> Option<BlockId> {
        self.blocks
            .iter()
            .position(|known| *known == function)
            .map(BlockId::from_index)
    }
}

impl Machine<'_, '_> {
    /// On the way to a wanted start: whether to enter a block, leave it out, or stop before it.
    #[cold]
    #[inline(never)]
    pub(super) fn on_the_way(&mut self, function: FunctionId) -> Way {
        let Some(start) = self.start_at else {
            return Way::Enter;
        };
        let Some(block) = self.rules.block_of(function) else {
            return Way::Enter;
        };
        let round = self.rules.pack.blocks[block.index()].scope == Some(Scope::Round);
        let ahead = match start.block {
            Some(target) => self.rules.leads_to(block, target),
            None => round,
        };
        if !self.set_up {
            if !ahead {
                return Way::Enter;
            }
            self.set_up = true;
            return Way::Stop;
        }
        let there = match start.block {
            Some(target) => target == block,
            None => round,
        };
        let reached = self.state.table.position.round >= start.round || round && start.round <= 1;
        if there && reached {
            // Once more before the wanted block itself: rounds begun on the way have reset their counters.
            self.start_at = None;
            return Way::Stop;
        }
        if ahead { Way::Enter } else { Way::LeaveOut }
    }
}
