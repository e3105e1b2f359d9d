//! Where the flow stands: rounds and other scopes, blocks, steps.

use crate::table::ids::{BlockId, FunctionId};
use crate::table::layout::Scope;
use crate::table::{Case, Event, Value};

use super::trouble::{Trouble, wrong};
use super::{CHANGE, Machine};

impl Machine<'_, '_> {
    /// Counters of a scope return to their starts; a round is counted.
    #[inline(never)]
    pub(super) fn begin_scope(&mut self, scope: Scope) -> Result<(), Trouble> {
        self.pay(CHANGE);
        if scope == Scope::Round {
            let position = &mut self.state.table.position;
            position.round = position.round.checked_add(1).ok_or_else(|| {
                Trouble::new("Y0423", "there are more rounds than can be counted")
                    .help("a loop here probably never ends")
            })?;
            self.tell_place(None);
        }
        self.table().reset(scope);
        Ok(())
    }

    pub(super) fn begin_block(&mut self, block: BlockId) {
        if self.rules.pack.blocks[block.index()].scope == Some(Scope::Phase) {
            self.state.table.position.phase = Some(block);
            self.tell_place(Some(block));
        }
    }

    /// Tells those who listen where the flow is now.
    fn tell_place(&mut self, phase: Option<BlockId>) {
        let round = self.state.table.position.round;
        if let Some(events) = &mut self.io.events {
            events.push(Event::Entered { round, phase });
        }
    }

    #[inline(never)]
    pub(super) fn begin_step(
        &mut self,
        function: FunctionId,
        player: Option<Value>,
    ) -> Result<(), Trouble> {
        let whose = match player.map(Value::case) {
            None => None,
            Some(Case::Player(player)) => Some(player),
            Some(other) => return Err(wrong("a player", other)),
        };
        let position = &mut self.state.table.position;
        position.step = Some(function);
        position.player = whose;
        if self.rules.step_counters {
            self.table().reset(Scope::Step);
        }
        Ok(())
    }
}
