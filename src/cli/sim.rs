//! `yukon sim`.

use clap::ValueEnum;

use super::load::{PackArgs, need};
use super::{Failure, print};
use crate::flow::game::check_players;
use crate::sim::{Batch, Summary};

/// Decisions after which a game counts as unfinished.
const MOST_DECISIONS: u64 = 20_000;

/// The bots that exist.
pub(super) const BOTS: &[&str] = &["random"];

/// Plays many games with bots
///
/// Exits with 1 if a game does not come to its end or a check fails.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pack: PackArgs,

    /// How many play [default: the fewest that can]
    #[arg(long)]
    players: Option<u8>,

    /// How many games
    #[arg(long, default_value_t = 100)]
    games: u64,

    /// The seed: game i derives from it and i
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// One bot for all, or one for each player with commas between them
    #[arg(long, default_value = "random")]
    bots: String,

    /// Threads [default: 1]
    #[arg(long, default_value_t = 1)]
    threads: usize,

    /// Check at every decision that nothing on the table is lost or twice there
    #[arg(long)]
    check_invariants: bool,

    /// How results are told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One object
    Json,
    /// A line for each place at the table, after a line of names
    Csv,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (rules, _) = need(&args.pack)?;
    let players = args.players.unwrap_or(rules.layout().min_players);
    check_players(&rules, players).map_err(|error| Failure::Message(error.to_string()))?;
    check_bots(&args.bots, players)?;
    if args.threads == 0 {
        return Err(Failure::Message("at least one thread is needed".to_owned()));
    }
    let summary = crate::sim::run(
        &rules,
        &Batch {
            players,
            games: args.games,
            seed: args.seed,
            check_invariants: args.check_invariants,
            most_decisions: MOST_DECISIONS,
            threads: args.threads,
        },
    );
    print(&match args.format {
        Format::Text => text(&summary),
        Format::Json => {
            let json = serde_json::to_string_pretty(&summary).map_err(std::io::Error::from)?;
            format!("{json}\n")
        }
        Format::Csv => csv(&summary),
    })?;
    if summary.unfinished > 0 || summary.violations > 0 {
        if args.format != Format::Text {
            let what = summary.failures.join("\n  ");
            return Err(Failure::Message(format!(
                "{} unfinished, {} violations\n  {what}",
                summary.unfinished, summary.violations
            )));
        }
        return Err(Failure::Told);
    }
    Ok(())
}

/// Whether all bots exist and are as many as must be.
fn check_bots(bots: &str, players: u8) -> Result<(), Failure> {
    let names: Vec<&str> = bots.split(',').map(str::trim).collect();
    for name in &names {
        if !BOTS.contains(name) {
            return Err(Failure::Message(unknown_bot(name)));
        }
    }
    if names.len() != 1 && names.len() != usize::from(players) {
        return Err(Failure::Message(format!(
            "{} bots for {players} players: expected one for all, or one for each",
            names.len()
        )));
    }
    Ok(())
}

/// Says that there is no such bot, and which there are.
pub(super) fn unknown_bot(name: &str) -> String {
    format!(
        "there is no bot `{name}`; the bots are: {}",
        BOTS.join(", ")
    )
}

fn text(summary: &Summary) -> String {
    let mut text = format!(
        "{} games, {} unfinished, {} violations\n\
         {} decisions, and {} with one answer only\n\
         {} to {} rounds\n\
         {:.2} s, {:.0} games per second of processor time\n\
         digest {}\n",
        summary.games,
        summary.unfinished,
        summary.violations,
        summary.decisions,
        summary.forced,
        summary.rounds_min,
        summary.rounds_max,
        summary.elapsed_s,
        summary.games_per_s,
        summary.digest
    );
    text.push_str("\nplayer  bot       mean score  win rate\n");
    for (at, player) in summary.players.iter().enumerate() {
        text.push_str(&format!(
            "{:>6}  {:<8}  {:>10.2}  {:>7.1}%\n",
            at + 1,
            player.bot,
            player.mean_score,
            player.win_rate * 100.0
        ));
    }
    for failure in &summary.failures {
        text.push_str(&format!("{failure}\n"));
    }
    text
}

fn csv(summary: &Summary) -> String {
    let mut text = String::from(
        "games,decisions,forced,unfinished,rounds_min,rounds_max,violations,elapsed_s,cpu_s,games_per_s,digest,player,bot,mean_score,win_rate\n",
    );
    for (at, player) in summary.players.iter().enumerate() {
        text.push_str(&format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            summary.games,
            summary.decisions,
            summary.forced,
            summary.unfinished,
            summary.rounds_min,
            summary.rounds_max,
            summary.violations,
            summary.elapsed_s,
            summary.cpu_s,
            summary.games_per_s,
            summary.digest,
            at + 1,
            player.bot,
            player.mean_score,
            player.win_rate
        ));
    }
    text
}
