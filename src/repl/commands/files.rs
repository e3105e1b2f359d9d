//! Games in files.

use std::path::Path;
use std::sync::Arc;

use crate::flow::record::replay;
use crate::flow::{Game, Timeline};
use crate::repl::board::View;
use crate::repl::command::{Candidates, Info};
use crate::repl::commands::rules::told;
use crate::repl::load::read_record;
use crate::repl::session::{Actor, Reply, Session};

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "save",
        arguments: "FILE",
        about: "keep the game in a file, as a record",
        examples: &[("save game.json", "write the record `game.json`")],
        run: |session, args| session.save(args.text),
        complete: |_, text| paths(text),
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
        complete: |_, text| paths(text),
    },
];

/// Folders and records where a path leads so far.
fn paths(text: &str) -> Candidates {
    let (folder, start) = match text.rfind('/') {
        Some(at) => (&text[..=at], at + 1),
        None => (".", 0),
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let words = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        match entry.path() {
            _ if name.starts_with('.') => None,
            path if path.is_dir() => Some(format!("{name}/")),
            _ => name.ends_with(".json").then_some(name),
        }
    });
    Candidates {
        start,
        words: words.collect(),
    }
}

/// Refuses `-` where a file is wanted: elsewhere it stands for the standard output or input, which a session has for
/// itself.
///
/// # Errors
/// Says what to type instead.
pub(super) fn need_file(command: &str, file: &str, instead: &str) -> Result<(), String> {
    match file {
        "-" => Err(format!(
            "`{command} -`: a file is wanted: {instead}, and `{command} ./-` means one that is called so"
        )),
        _ => Ok(()),
    }
}

impl Session {
    fn save(&self, file: &str) -> Reply {
        if file.is_empty() {
            return Reply::failed("a file is wanted: `save game.json`");
        }
        if let Err(error) = need_file("save", file, "`save game.json` writes one") {
            return Reply::failed(error);
        }
        let text = match self.game.record().to_json() {
            Ok(text) => text,
            Err(error) => return Reply::failed(format!("the game cannot be written: {error}")),
        };
        match std::fs::write(file, text) {
            Ok(()) => Reply::ok(format!("saved {file}\n{}", self.outdated_note())),
            Err(error) => Reply::failed(format!("cannot write {file}: {error}")),
        }
    }

    /// The game at hand stays if the file cannot be replayed exactly.
    fn load(&mut self, file: &str) -> Reply {
        if file.is_empty() {
            return Reply::failed("a file is wanted: `load game.json`");
        }
        if let Err(error) = need_file("load", file, "`load game.json` reads one") {
            return Reply::failed(error);
        }
        match self.load_game(file) {
            Ok((game, view)) => {
                let before = self.selection();
                self.begin(game);
                self.view = view;
                let selection = self.selection();
                let rules = match selection == before {
                    true => String::new(),
                    false => format!(", which is played with {}", told(&selection)),
                };
                Reply::ok(format!("loaded {file}{rules}\n\n{}", self.question(true)))
            }
            Err(error) => Reply::failed(error),
        }
    }

    /// Goes on with another game; the one at hand stays in the journal.
    pub(in crate::repl) fn begin(&mut self, game: Game) {
        let players = usize::from(game.setup.players);
        if players != self.actors.len() {
            self.actors = vec![Actor::Human; players];
        }
        if let Some(journal) = &mut self.journal {
            journal.turn_the_page();
        }
        self.games += 1;
        self.former = None;
        self.timeline = Timeline::new(&game);
        self.kept_ways.clear();
        self.longer.clear();
        self.told = game.history.len();
        self.game = game;
    }

    /// A game from a record, played again by the rules that it says, and how its board is drawn. Where the rules have changed
    /// since, it waits to be accepted as far as it comes by them.
    fn load_game(&mut self, file: &str) -> Result<(Game, View), String> {
        let record = read_record(Path::new(file))?;
        let pack = &self.game.rules.pack.id;
        if record.pack != *pack {
            return Err(format!(
                "{file} is a game of `{}`, not of `{pack}`",
                record.pack
            ));
        }
        let (rules, view) = self.source.read(&record.selection(), self.style())?;
        let rules = Arc::new(rules);
        match replay(&record, Arc::clone(&rules)) {
            Ok(game) => Ok((game, view)),
            Err(parts) => {
                let told = self.keep_changed(record, &parts, (&rules, view))?;
                Err(format!("{file}: {told}"))
            }
        }
    }
}
