//! `yukon test`: scenarios against their goldens.

mod bless;
mod junit;
mod progress;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::scenario::{Found, Options, Packs, Report, find, run_all};

use super::project::Here;
use super::{Failure, output};
pub(super) use progress::INTERRUPTED;
use progress::{Interrupt, Progress};

/// Runs scenarios and compares their transcripts with the goldens
///
/// Prints a line for each file with its time in milliseconds, complaints at the end on the standard error, and last
/// `N passed, N failed`. Exits with 1 if a scenario failed or there was none, with 130 if it was interrupted.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scenarios or folders of them, from here or within the project's `scenarios` [default: all of the project]
    paths: Vec<PathBuf>,

    /// Only those whose path contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Only list them, a line each
    #[arg(long, conflicts_with_all = ["bless", "junit"])]
    list: bool,

    /// Write the results as JUnit XML too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Show how each golden differs, and ask whether to accept it; refused where `CI` is set
    #[arg(long)]
    bless: bool,

    /// With --bless: accept all that differ, without asking
    #[arg(long, requires = "bless")]
    yes: bool,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.bless {
        may_bless(args.yes)?;
    }
    let here = Here::find();
    let found = scenarios(&here, args)?;
    if args.list {
        for found in found.iter().filter(|found| !is_golden(&found.path)) {
            output::say(&format!("{}\n", found.name))?;
        }
        return Ok(());
    }
    let interrupt = Interrupt::watch()?;
    let options = Options {
        style: output::complaint_style(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut progress = Progress::new(found.len());
    let packs = Packs::new(&here.folder);
    let mut report = run_all(&found, &packs, options, interrupt.flag(), &mut |result| {
        progress.tell(result);
    });
    progress.end()?;
    let stopped = report.results.len() < found.len();
    if args.bless && !stopped {
        let asked = interrupt.while_asking(|| bless::run(&mut report, args.yes, options.style));
        asked?;
    }
    for result in report.results.iter().filter(|result| !result.passed()) {
        output::complain(&format!("FAILED {}\n", result.found.name));
        for complaint in &result.complaints {
            output::complain(&format!("{complaint}\n"));
        }
    }
    if stopped {
        output::complain(&format!(
            "stopped: {} of {} scenarios were run\n",
            report.results.len(),
            found.len()
        ));
    }
    let written = match &args.junit {
        Some(file) if !stopped => junit::write(file, &report),
        _ => Ok(()),
    };
    output::say(&format!(
        "{} passed, {} failed\n",
        report.passed(),
        report.failed()
    ))?;
    written?;
    outcome(&report, stopped)
}

fn outcome(report: &Report, stopped: bool) -> Result<(), Failure> {
    match report.failed() {
        _ if stopped => Err(Failure::Interrupted),
        0 => Ok(()),
        _ => Err(Failure::Told),
    }
}

/// Whether goldens may be accepted here.
fn may_bless(yes: bool) -> Result<(), Failure> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        return Err(Failure::Message(
            "goldens are not blessed where `CI` is set: bless them where the change is made, and commit them with it"
                .to_owned(),
        ));
    }
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !yes && !terminal {
        return Err(Failure::Message(
            "`--bless` asks about each golden, and this is no terminal: `--bless --yes` accepts all that differ, \
             without `--bless` they are only shown"
                .to_owned(),
        ));
    }
    Ok(())
}

fn is_golden(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "golden")
}

/// The scenarios that the arguments mean; at least one.
fn scenarios(here: &Here, args: &Args) -> Result<Vec<Found>, Failure> {
    let paths = match args.paths.as_slice() {
        [] => vec![here.all()?],
        paths => paths
            .iter()
            .map(|path| here.resolve(path))
            .collect::<Result<_, _>>()?,
    };
    let mut found = find(&paths, &here.bases())?;
    if found.is_empty() {
        return Err(Failure::Message(
            "there are no scenarios: `scenarios/PACK/NAME.toml` is where they are looked for"
                .to_owned(),
        ));
    }
    if let Some(filter) = &args.filter {
        found.retain(|found| found.name.contains(filter.as_str()));
        if found.is_empty() {
            return Err(Failure::Message(format!(
                "no scenario has `{filter}` in its path: `yukon test --list` shows them"
            )));
        }
    }
    Ok(found)
}
