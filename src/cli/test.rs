//! `yukon test`: scenarios against their goldens.

use std::io;
use std::path::PathBuf;

use crate::scenario::{Options, report};

use super::{Failure, output};

/// Run scenarios and compare their transcripts with the goldens.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scenario files or folders [default: scenarios].
    paths: Vec<PathBuf>,
    /// Accept the transcripts as goldens, and print what was accepted; refused where `CI` is set.
    #[arg(long)]
    bless: bool,
    /// Only scenarios whose name contains this.
    #[arg(long)]
    filter: Option<String>,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut paths = args.paths.clone();
    if paths.is_empty() {
        paths.push(PathBuf::from("scenarios"));
    }
    let options = Options {
        filter: args.filter.clone(),
        bless: args.bless,
        style: output::complaint_style(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        ..Options::default()
    };
    let done = report(&paths, &options, &mut io::stdout(), &mut io::stderr())?;
    match done {
        Some(report) if report.failed() == 0 => Ok(()),
        _ => Err(Failure::Told),
    }
}
