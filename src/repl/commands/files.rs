//! Games in files.

use std::sync::Arc;

use crate::flow::Game;
use crate::flow::record::{Record, replay};
use crate::repl::command::{Info, no_candidates};
use crate::repl::session::{Reply, Session};
use crate::script::Rules;

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "save",
        arguments: "FILE",
        about: "keep the game in a file, as a record",
        examples: &[("save game.json", "write the record `game.json`")],
        run: |session, args| session.save(args.text),
        complete: no_candidates,
    },
    Info {
        name: "load",
        arguments: "FILE",
        about: "go on with a game from a file; the one at hand is left",
        examples: &[(
            "load game.json",
            "play the record `game.json` again and go on",
        )],
        run: |session, args| session.load(args.text),
        complete: no_candidates,
    },
];

impl Session {
    fn save(&self, file: &str) -> Reply {
        if file.is_empty() {
            return Reply::failed("a file is wanted: `save game.json`");
        }
        let text = match self.game.record().to_json() {
            Ok(text) => text,
            Err(error) => return Reply::failed(format!("the game cannot be written: {error}")),
        };
        match std::fs::write(file, text) {
            Ok(()) => Reply::ok(format!("saved {file}\n")),
            Err(error) => Reply::failed(format!("cannot write {file}: {error}")),
        }
    }

    /// The game at hand stays if the file cannot be replayed exactly.
    fn load(&mut self, file: &str) -> Reply {
        if file.is_empty() {
            return Reply::failed("a file is wanted: `load game.json`");
        }
        match load_game(file, &self.game.rules) {
            Ok(game) if usize::from(game.setup.players) == self.actors.len() => {
                self.game = game;
                self.told = self.game.history.len();
                Reply::ok(format!("loaded {file}\n\n{}", self.question(true)))
            }
            Ok(game) => Reply::failed(format!(
                "{file} is a game of {} players: start with `--players {}`",
                game.setup.players, game.setup.players
            )),
            Err(error) => Reply::failed(error),
        }
    }
}

/// A game from a record, played again by these rules.
fn load_game(file: &str, rules: &Arc<Rules>) -> Result<Game, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let record =
        Record::from_json(&text).map_err(|error| format!("{file} is no record: {error}"))?;
    if record.pack != rules.pack.id {
        return Err(format!(
            "{file} is a game of `{}`, not of `{}`",
            record.pack, rules.pack.id
        ));
    }
    let rules = record.rules(rules)?;
    replay(&record, Arc::new(rules)).map_err(|error| format!("{file}: {error}"))
}
