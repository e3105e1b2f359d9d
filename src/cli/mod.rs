//! The command line: its types, and what the process exits with.

mod bots;
mod check;
mod compare;
mod diff;
mod docs;
mod load;
mod map;
mod map_svg;
mod number;
mod output;
mod project;
mod repl;
mod replay;
mod report;
mod resolved;
mod screen;
mod show;
mod show_abilities;
mod show_functions;
mod show_statistics;
mod sim;
mod sweep;
mod test;
mod watch;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use output::print;

/// An interpreter for board-game rules kept as data.
#[derive(Debug, Parser)]
#[command(name = "yukon", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Repl(repl::Args),
    Check(check::Args),
    Show(show::Args),
    Diff(diff::Args),
    Map(map::Args),
    Sim(sim::Args),
    Compare(compare::Args),
    Sweep(sweep::Args),
    Test(test::Args),
    Replay(replay::Args),
    Docs(docs::Args),
}

/// Why a command failed.
#[derive(Debug)]
enum Failure {
    /// What to write to the standard error.
    Message(String),
    /// All was said already.
    Told,
    /// Ctrl-C was pressed; all was said already.
    Interrupted,
    /// A result could not be written, or input not read.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = error.exit_code();
            // Help is a result, anything else a complaint: clap knows which.
            let _ = error.print();
            return ExitCode::from(u8::try_from(code).unwrap_or(2));
        }
    };
    let result = match cli.command {
        Command::Repl(args) => repl::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Docs(args) => docs::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Told) => ExitCode::FAILURE,
        Err(Failure::Interrupted) => ExitCode::from(watch::INTERRUPTED),
        Err(Failure::Message(message)) => {
            output::complain(&format!("error: {}\n", message.trim_end()));
            ExitCode::FAILURE
        }
        // Whoever closes a pipe has read enough: that is no failure.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => {
            output::complain(&format!("error: {error}\n"));
            ExitCode::FAILURE
        }
    }
}
