//! Help, the seed, and the way out.

use std::sync::Arc;

use crate::diag::count;
use crate::flow::Game;
use crate::repl::command::{self, Args, Candidates, Info, no_candidates};
use crate::repl::session::{Reply, Session};

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "help",
        arguments: "[COMMAND]",
        about: "explain the commands, or one of them",
        examples: &[("help undo", "explain `undo`")],
        run: help,
        complete: |_, text| Candidates::first(text, command::names()),
    },
    Info {
        name: "seed",
        arguments: "[N]",
        about: "say which seed and how many players the game has, or begin another with a seed",
        examples: &[
            (
                "seed",
                "start with `--seed` and this number to play it again",
            ),
            (
                "seed 7",
                "begin another game of as many; the one at hand is left, with all its ways",
            ),
        ],
        run: seed,
        complete: no_candidates,
    },
    Info {
        name: "quit",
        arguments: "",
        about: "leave (also Ctrl-D)",
        examples: &[("quit", "`exit` does the same")],
        run: |_, _| Reply {
            quit: true,
            ..Reply::default()
        },
        complete: no_candidates,
    },
];

fn help(session: &mut Session, args: &Args<'_>) -> Reply {
    match args.words.first() {
        None => Reply::ok(command::help(session.look.width)),
        Some(name) => match command::exact(name).or_else(|| command::begun(name)) {
            Some(info) => Reply::ok(command::help_for(info, session.look.width)),
            None => Reply::failed(command::unknown(name)),
        },
    }
}

fn seed(session: &mut Session, args: &Args<'_>) -> Reply {
    let mut setup = session.game.setup;
    let Some(word) = args.words.first() else {
        let players = count(setup.players, "player");
        return Reply::ok(format!("seed {}, {players}\n", setup.seed));
    };
    let Ok(seed) = word.parse() else {
        return Reply::failed(format!("`{word}` is no seed: a number from 0 is wanted"));
    };
    setup.seed = seed;
    let rules = Arc::clone(&session.game.rules);
    match Game::arranged(rules, setup, &session.game.arranged, None) {
        Ok(game) => {
            session.begin(game);
            session.greeting()
        }
        Err(error) => Reply::failed(session.error(&error)),
    }
}
