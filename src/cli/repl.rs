//! `yukon repl`.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Failure;
use super::load::{Changes, PackArgs, need};
use super::output::{complaint_style, look};
use crate::diag::render_one;
use crate::flow::game::check_players;
use crate::flow::{GameError, Setup};
use crate::repl::journal::{Journal, state_folder};
use crate::repl::{Actor, Session, terminal};

/// Plays a game step by step, from a terminal or from a pipe
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of a folder under `rules/`, found from here upwards, or a path
    #[arg(required = true)]
    pack: String,

    #[command(flatten)]
    changes: Changes,

    /// How many play [default: the fewest that can]
    #[arg(long)]
    players: Option<u8>,

    /// The seed of all chance [default: from the clock in a terminal, 1 in a pipe]
    #[arg(long)]
    seed: Option<u64>,

    /// Who answers: `human` or a bot for each player with commas between them, or one bot for all but the first
    #[arg(long)]
    bots: Option<String>,

    /// Write ASCII only
    #[arg(long)]
    ascii: bool,

    /// Whether to keep the game against crashes and to offer games that were left
    #[arg(long, value_enum, default_value_t = Keep::Auto)]
    journal: Keep,

    /// Columns [default: those of the terminal, 80 in a pipe]
    #[arg(long)]
    width: Option<usize>,
}

/// When a journal is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Keep {
    /// In a terminal, not in a pipe
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (rules, view) = need(&PackArgs {
        pack: args.pack.clone(),
        changes: args.changes.clone(),
    })?;
    let players = args.players.unwrap_or(rules.layout().min_players);
    check_players(&rules, players).map_err(|error| Failure::Message(error.to_string()))?;
    let actors = actors(args.bots.as_deref(), players)?;
    let terminal = terminal::is_interactive();
    let setup = Setup {
        players,
        seed: args
            .seed
            .unwrap_or_else(|| if terminal { clock() } else { 1 }),
        start: None,
    };
    let rules = Arc::new(rules);
    let look = look(args.ascii, args.width);
    let session = Session::start(Arc::clone(&rules), view, setup, actors, look);
    let mut session = session.map_err(|error| match error {
        GameError::Fault(fault) => {
            let diagnostic = fault.diagnostic(&rules);
            let sources = &rules.pack.sources;
            super::output::complain(&render_one(&diagnostic, sources, complaint_style()));
            Failure::Told
        }
        error => Failure::Message(error.to_string()),
    })?;
    let folder = state_folder();
    if args.journal == Keep::On && folder.is_none() {
        return Err(Failure::Message(
            "no journal can be kept: XDG_STATE_HOME names no folder".to_owned(),
        ));
    }
    if args.journal == Keep::On || args.journal == Keep::Auto && terminal {
        let games = folder.as_ref().map(|folder| folder.join("games"));
        session.journal = games.map(|games| Journal::open(&games, &rules.pack.id));
    }
    let settings = terminal::Settings {
        history: folder.map(|folder| folder.join("history")),
        follow_width: args.width.is_none(),
    };
    match terminal::run(session, &settings)? {
        true => Err(Failure::Told),
        false => Ok(()),
    }
}

/// A short seed for a game that nobody named one for.
fn clock() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |since| since.as_millis() as u64 % 1_000_000)
}

fn actors(bots: Option<&str>, players: u8) -> Result<Vec<Actor>, Failure> {
    let players = usize::from(players);
    let Some(bots) = bots else {
        return Ok(vec![Actor::Human; players]);
    };
    let mut actors = Vec::new();
    for name in bots.split(',').map(str::trim) {
        actors.push(match name {
            "human" => Actor::Human,
            "random" => Actor::Random,
            name => {
                return Err(Failure::Message(format!(
                    "nobody is called `{name}` here: a player is `human` or `random`"
                )));
            }
        });
    }
    match (actors.len(), players) {
        (1, _) => {
            let mut all = vec![actors[0]; players];
            all[0] = Actor::Human;
            Ok(all)
        }
        (given, wanted) if given == wanted => Ok(actors),
        (given, wanted) => Err(Failure::Message(format!(
            "{given} names for {wanted} players: expected one for each, or one bot for all but the first"
        ))),
    }
}
