//! `yukon repl`.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::load::{Changes, PackArgs, here, need, tell};
use super::number::{MOST, number, players, seed};
use super::output::{complain, complaint_style, look};
use super::project::Here;
use super::{Failure, watch};
use crate::diag::{noun, render, render_one};
use crate::flow::game::check_players;
use crate::flow::{GameError, Setup};
use crate::pack::Place;
use crate::repl::board::View;
use crate::repl::journal::{Journal, games_folder, state_folder};
use crate::repl::load::Source;
use crate::repl::story::Opening;
use crate::repl::{Actor, Session, terminal};
use crate::scenario::Packs;
use crate::scenario::runner::shown;

/// Plays a game step by step, from a terminal or from a pipe
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of a folder under `rules/`, found from here upwards, or a path; or a scenario, perhaps with a colon and
    /// the number of a decision
    #[arg(required = true, value_name = "PACK|SCENARIO")]
    pack: String,

    #[command(flatten)]
    changes: Changes,

    /// How many play [default: the fewest that can]
    #[arg(long, value_parser = players(), allow_negative_numbers = true)]
    players: Option<u8>,

    /// The seed of all chance [default: from the clock in a terminal, 1 in a pipe]
    #[arg(long, value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Who answers: `human` or a bot for each player with commas between them, or one bot for all but the first
    #[arg(long)]
    bots: Option<String>,

    /// The decision at which a scenario is opened, as prompts number them [default: its first]
    #[arg(
        long,
        value_name = "DECISION",
        value_parser = number::<usize>("the number of a decision", 1..=MOST),
        allow_negative_numbers = true
    )]
    at: Option<usize>,

    /// Write ASCII only
    #[arg(long)]
    ascii: bool,

    /// Whether to keep the game against crashes and to offer games that were left
    #[arg(long, value_enum, default_value_t = Keep::Auto)]
    journal: Keep,

    /// Read the files of the pack again whenever they are saved
    #[arg(long)]
    watch: bool,

    /// Columns [default: those of the terminal, 80 in a pipe]
    #[arg(
        long,
        value_parser = number::<usize>("how many columns", 1..=MOST),
        allow_negative_numbers = true
    )]
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
    if let Some((file, at)) = scenario(&args.pack) {
        return run_scenario(args, file, args.at.or(at));
    }
    if args.at.is_some() {
        return Err(Failure::Message(
            "`--at` needs a scenario: `yukon repl scenarios/PACK/NAME.toml --at 3`".to_owned(),
        ));
    }
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
    let place = Place::find(&args.pack, &here()).map_err(|unknown| tell(&unknown))?;
    let source = Source::Place(place);
    let session = Session::start((Arc::clone(&rules), view), source, setup, actors, look);
    let session = session.map_err(|error| match error {
        GameError::Fault(fault) => {
            let diagnostic = fault.diagnostic(&rules);
            let sources = &rules.pack.sources;
            complain(&render_one(&diagnostic, sources, complaint_style()));
            Failure::Told
        }
        error => Failure::Message(error.to_string()),
    })?;
    play(args, session)
}

/// Plays a session from here on.
fn play(args: &Args, mut session: Session) -> Result<(), Failure> {
    let terminal = terminal::is_interactive();
    if terminal {
        session.stop = Some(watch::stop()?);
    }
    let folder = state_folder();
    if args.journal == Keep::On && folder.is_none() {
        return Err(Failure::Message(
            "no journal can be kept: XDG_STATE_HOME names no folder".to_owned(),
        ));
    }
    if args.journal == Keep::On || args.journal == Keep::Auto && terminal {
        let project = session.source().project();
        let games = folder.as_ref().map(|folder| games_folder(folder, project));
        session.journal = games.map(|games| Journal::open(&games, &session.game().rules.pack.id));
    }
    if args.watch {
        session.watch().map_err(Failure::Message)?;
    }
    let settings = terminal::Settings {
        watch: args.watch,
        history: folder.map(|folder| folder.join("history")),
        follow_width: args.width.is_none(),
    };
    match terminal::run(session, &settings)? {
        true => Err(Failure::Told),
        false => Ok(()),
    }
}

/// The file of a scenario, and the decision that is named with it, if an argument is one.
fn scenario(text: &str) -> Option<(&str, Option<usize>)> {
    let (file, at) = match text.rsplit_once(':') {
        Some((file, at)) if at.parse::<usize>().is_ok() => (file, at.parse().ok()),
        _ => (text, None),
    };
    file.ends_with(".toml").then_some((file, at))
}

fn run_scenario(args: &Args, file: &str, at: Option<usize>) -> Result<(), Failure> {
    let changes = &args.changes;
    if !changes.set.is_empty()
        || args.players.is_some()
        || args.seed.is_some()
        || args.bots.is_some()
    {
        return Err(Failure::Message(
            "a scenario says itself how it is played: `--variant`, `--set`, `--players`, `--seed` and `--bots` are for packs"
                .to_owned(),
        ));
    }
    let here = Here::find();
    let path = here.resolve(Path::new(file))?;
    let name = shown(&path, &here.bases());
    let bytes = std::fs::read(&path)
        .map_err(|error| Failure::Message(format!("cannot read `{name}`: {error}")))?;
    let packs = Packs::new(&here.folder);
    let folder = path.parent().unwrap_or(Path::new("."));
    let opening = Opening::read(path.clone(), &name, &bytes, |pack, variants| {
        packs.load_near(folder, pack, variants)
    });
    let opening = opening.map_err(|(report, sources)| {
        complain(&render(&report, &sources, complaint_style()));
        Failure::Told
    })?;
    let pack = &opening.scenario.rules.pack;
    // What is wrong with a view is for `check`: the game can be played without it.
    let view = View::read(pack).unwrap_or_default();
    let place = Place::find(&pack.id, &packs.root_near(folder, &pack.id));
    let source = Source::Place(place.map_err(|unknown| tell(&unknown))?);
    let session = Session::open(opening, view, source, look(args.ascii, args.width));
    let mut session = session.map_err(Failure::Message)?;
    if let Some(at) = at
        && let Err(failures) = session.go_to_decision(at)
    {
        complain(&format!("{failures}\n"));
    }
    play(args, session)
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
        actors.push(Actor::parse(name).map_err(Failure::Message)?);
    }
    match (actors.len(), players) {
        (1, _) => {
            let mut all = vec![actors[0]; players];
            all[0] = Actor::Human;
            Ok(all)
        }
        (given, wanted) if given == wanted => Ok(actors),
        (given, wanted) => Err(Failure::Message(format!(
            "{given} {} for {wanted} {}: expected one for each, or one bot for all but the first",
            noun(given, "name", "names"),
            noun(wanted, "player", "players")
        ))),
    }
}
