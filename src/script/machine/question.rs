//! Making a decision pending.

use crate::diag::count;
use crate::script::code::AskKind;
use crate::script::state::Ask;
use crate::table::Case;
use crate::table::event::Event;

use super::Machine;
use super::trouble::{Trouble, wrong};

impl Machine<'_, '_> {
    /// Makes the decision pending.
    #[inline(never)]
    pub(super) fn ask(&mut self, kind: AskKind, at: usize) -> Result<(), Trouble> {
        if self.scratch.what_ifs > 0 {
            return Err(Trouble::new(
                "Y0405",
                "nothing can be asked inside `what_if`",
            ));
        }
        let stack = &self.state.run.stack;
        let Some(decision) = stack[at].as_decision() else {
            return Err(wrong("a decision", stack[at]));
        };
        let Some(player) = stack[at + 1].as_player() else {
            return Err(wrong("a player", stack[at + 1]));
        };
        let (least, most) = match kind {
            AskKind::One | AskKind::Confirm => (1, 1),
            AskKind::Some | AskKind::Number | AskKind::Texts => {
                match (stack[at + 2].case(), stack[at + 3].case()) {
                    (Case::Int(least), Case::Int(most)) => (least, most),
                    (Case::Int(_), other) | (other, _) => return Err(wrong("a number", other)),
                }
            }
        };
        let offered = self.state.run.offers.len() as i64;
        let several = || self.state.run.offers.iter().any(|offer| offer.parts > 1);
        let name = &self.rules.pack.decisions[decision.index()].name.id;
        match kind {
            AskKind::One if offered == 0 => {
                return Err(
                    Trouble::new("Y0406", format!("decision `{name}` offers nothing"))
                        .help("test whether there is something to choose before asking"),
                );
            }
            AskKind::Some if least > offered => {
                return Err(Trouble::new(
                    "Y0406",
                    format!(
                        "decision `{name}` wants at least {least} of {}",
                        count(offered, "choice")
                    ),
                ));
            }
            AskKind::Some if several() => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` takes choices of one part"),
                )
                .help("offer one value at a time to `choose_some`"));
            }
            AskKind::Some | AskKind::Texts if most < 0 => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` wants at most {most} choices"),
                ));
            }
            AskKind::Some | AskKind::Number | AskKind::Texts if least > most => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` wants at least {least} and at most {most}"),
                ));
            }
            AskKind::Number | AskKind::Confirm | AskKind::Texts if offered > 0 => {
                return Err(Trouble::new(
                    "Y0406",
                    format!("decision `{name}` takes no offered choices"),
                ));
            }
            _ => {}
        }
        let run = &mut self.state.run;
        // Each choice that is like an earlier one is counted with that.
        let choices = run.offers.iter().filter(|offer| offer.count > 0).count();
        run.ask = Some(Ask {
            kind,
            decision,
            player,
            least: match kind {
                AskKind::Some | AskKind::Texts => least.max(0),
                _ => least,
            },
            most: if kind == AskKind::Some {
                most.min(offered)
            } else {
                most
            },
            distinct: run.distinct.take(),
            choices: choices as u16,
            register: at as u32,
        });
        if let Some(events) = &mut self.io.events {
            events.push(Event::Asked { decision, player });
        }
        Ok(())
    }
}
