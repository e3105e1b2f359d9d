//! Lines that are typed while an answer is stepped through.

use crate::repl::command::{self, Args, Info};
use crate::repl::session::{Reply, Session};

use super::{COMMANDS, nothing};

/// Commands that look at the table, also in the middle of an effect.
const LOOKING: &[&str] = &[
    "board", "options", "scores", "state", "diff", "eval", "log", "view", "why",
];

/// Commands that are for stepping and the session, whatever the game does.
const ALWAYS: &[&str] = &[
    "break", "help", "quit", "seed", "variant", "timeline", "reload",
];

impl Session {
    /// What a line does while an answer is stepped through.
    pub(in crate::repl) fn obey_stepping(&mut self, line: &str) -> Reply {
        let again = self
            .stepping
            .as_ref()
            .map(|stepping| stepping.again.clone());
        let line = match (line.trim(), &again) {
            ("", Some(again)) => again.as_str(),
            (line, _) => line,
        };
        if line.starts_with('#') {
            return Reply::default();
        }
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let info = match inside(name) {
            Ok(info) => info,
            Err(error) => return Reply::failed(error),
        };
        if let Some(stepping) = &mut self.stepping
            && matches!(info.name, "into" | "over" | "out" | "back")
        {
            stepping.again = format!("{} {rest}", info.name);
        }
        let args = Args::new(rest);
        let mut reply = self.step_command(info, &args);
        // What was stepped through belongs to the game that was there.
        let games = self.games;
        if self
            .stepping
            .take_if(|stepping| stepping.game != games)
            .is_some()
        {
            reply.text.insert_str(0, "the answer is not given\n");
        }
        reply
    }

    /// What a command does while an answer is stepped through.
    fn step_command(&mut self, info: &Info, args: &Args<'_>) -> Reply {
        match info.name {
            "options" => self.nothing_asked(),
            "why" if args.words.first() == Some(&"not") => self.nothing_asked(),
            name if LOOKING.contains(&name) => {
                self.in_the_middle(|session| (info.run)(session, args))
            }
            name if ALWAYS.contains(&name) || COMMANDS.iter().any(|own| own.name == name) => {
                (info.run)(self, args)
            }
            name => Reply::failed(format!(
                "`{name}` is for decisions: `continue` goes on to the next, `leave` back to the last"
            )),
        }
    }

    /// In the middle of an answer nothing is asked: where it stands instead, and what leads on.
    fn nothing_asked(&self) -> Reply {
        let Some(stepping) = &self.stepping else {
            return nothing();
        };
        let decision = self.game.decision();
        let answer = decision.map_or_else(String::new, |decision| {
            let written = decision.write(stepping.cause.answer());
            format!(" `{written}` to `{}`", decision.key)
        });
        let mut text =
            format!("no decision is asked: the answer{answer} is stepped through, here\n");
        if let (Some(walk), Some(state)) = (self.stepped(), stepping.state()) {
            text.push_str(&self.place(&walk, stepping, state));
        }
        text.push_str("`over`, `into` and `out` step on, `continue` goes to the next decision, `leave` back to this one\n");
        Reply::ok(text)
    }

    /// Does something with the game as it stands in the middle of what is stepped through.
    fn in_the_middle(&mut self, look: impl FnOnce(&mut Self) -> Reply) -> Reply {
        let Some(state) = self.stepping.as_ref().and_then(|stepping| stepping.state()) else {
            return nothing();
        };
        let mut state = state.clone();
        let (seen_by, viewer) = (self.seen_by, self.viewer());
        self.seen_by = Some(viewer);
        std::mem::swap(&mut self.game.state, &mut state);
        let reply = look(self);
        std::mem::swap(&mut self.game.state, &mut state);
        // `view` means to change it for good.
        if self.seen_by == Some(viewer) {
            self.seen_by = seen_by;
        }
        reply
    }
}

/// The command that a word means while stepping: one for that, or else any.
fn inside(name: &str) -> Result<&'static Info, String> {
    if let Some(info) = command::exact(name) {
        return Ok(info);
    }
    let begun: Vec<&Info> = COMMANDS
        .iter()
        .filter(|info| info.name.starts_with(name))
        .collect();
    match begun[..] {
        [only] => Ok(only),
        [] => command::begun(name).ok_or_else(|| {
            format!(
                "{}; answers are for decisions: `continue` goes on to the next, `leave` back to the last",
                command::unknown(name)
            )
        }),
        _ => {
            let names: Vec<String> = begun.iter().map(|info| format!("`{}`", info.name)).collect();
            Err(format!("`{name}` could be {}", names.join(", ")))
        }
    }
}
