//! `yukon replay`: plays a record again.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diag::count;
use crate::flow::record::replay;
use crate::repl::load::read_record;

use super::{Failure, load, output};

/// Plays a record again, and says whether it still goes the same way
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A record, as the REPL's `save` writes it
    record: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let name = args.record.display();
    let record = read_record(&args.record).map_err(Failure::Message)?;
    let (rules, _) = load::need_selected(&record.pack, &record.selection(), "")?;
    let game = replay(&record, Arc::new(rules))
        .map_err(|error| Failure::Message(format!("{name}: {error}")))?;
    output::print(&format!(
        "{name}: {} replayed, the same game\n",
        count(game.history.len(), "answer")
    ))?;
    Ok(())
}
