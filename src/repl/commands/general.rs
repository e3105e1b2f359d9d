//! Help, the seed, and the way out.

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
        arguments: "",
        about: "say which seed and how many players the game has",
        examples: &[(
            "seed",
            "start with `--seed` and this number to play it again",
        )],
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

fn help(_: &mut Session, args: &Args<'_>) -> Reply {
    match args.words.first() {
        None => Reply::ok(command::help()),
        Some(name) => match command::exact(name).or_else(|| command::begun(name)) {
            Some(info) => Reply::ok(command::help_for(info)),
            None => Reply::failed(command::unknown(name)),
        },
    }
}

fn seed(session: &mut Session, _: &Args<'_>) -> Reply {
    let setup = session.game.setup;
    Reply::ok(format!("seed {}, {} players\n", setup.seed, setup.players))
}
