//! Answers taken back and given again.

use crate::repl::command::{Args, Info, no_candidates};
use crate::repl::session::{Actor, Reply, Session};

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "undo",
        arguments: "[N]",
        about: "take back the last answer, or the last N",
        examples: &[("undo", "one answer"), ("undo 3", "three answers")],
        run: |session, args| session.times(args, |session| session.undo()),
        complete: no_candidates,
    },
    Info {
        name: "redo",
        arguments: "[N]",
        about: "give the answer again that was taken back last",
        examples: &[("redo", "one answer")],
        run: |session, args| session.times(args, |session| session.redo()),
        complete: no_candidates,
    },
];

impl Session {
    fn times(
        &mut self,
        args: &Args<'_>,
        mut once: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Reply {
        let times = match args.number(1) {
            Ok(times) => times,
            Err(error) => return Reply::failed(error),
        };
        let mut error = None;
        for _ in 0..times {
            if let Err(problem) = once(self) {
                error = Some(problem);
                break;
            }
        }
        self.told = self.game.history.len();
        Reply {
            text: self.question(false),
            error,
            quit: false,
        }
    }

    /// Takes back the last answer that was typed, with those of bots after it.
    fn undo(&mut self) -> Result<(), String> {
        loop {
            if !self.game.undo() {
                return Err("there is nothing to undo".to_owned());
            }
            let player = self.game.state.run.ask.map(|ask| ask.player.index());
            match player.and_then(|player| self.actors.get(player)) {
                Some(Actor::Random) => {}
                _ => return Ok(()),
            }
        }
    }

    fn redo(&mut self) -> Result<(), String> {
        loop {
            match self.game.redo() {
                Ok(true) => {}
                Ok(false) => return Err("there is nothing to redo".to_owned()),
                Err(error) => return Err(self.error(&error)),
            }
            let player = self.game.state.run.ask.map(|ask| ask.player.index());
            match player.and_then(|player| self.actors.get(player)) {
                Some(Actor::Random) if !self.game.future.is_empty() => {}
                _ => return Ok(()),
            }
        }
    }
}
