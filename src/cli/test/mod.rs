//! `yukon test`: scenarios against their goldens.

mod bless;
mod junit;
mod progress;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::diag::{count, nearest, noun};
use crate::scenario::{Found, Options, Packs, Report, find, run_all};

use super::project::Here;
use super::{Failure, output};
use progress::{Interrupt, Progress};

/// Runs scenarios and compares their transcripts with the goldens
///
/// Prints a line for each file with its time in milliseconds, then on the standard error what failed: of several
/// the first that differs of each, of one all of it. Last comes `N passed, N failed`. Exits with 1 if a scenario
/// failed or there was none, with 130 if it was interrupted.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Scenarios or folders of them, from here or within the project's `scenarios`, or names of scenarios, or parts of
    /// them [default: all of the project]
    #[arg(value_name = "PATH|NAME")]
    paths: Vec<PathBuf>,

    /// Only those whose path contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Tell all that is different, as diffs, of several scenarios too
    #[arg(long, visible_alias = "diff")]
    full: bool,

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
    if let Some(file) = &args.junit {
        output::need_path(file, "--junit", "a file, such as `junit.xml`")?;
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
        tell_hindered(&report);
    }
    tell_failures(&report, args.full || found.len() == 1);
    if stopped {
        output::complain(&format!(
            "stopped: {} of {} {} run\n",
            report.results.len(),
            count(found.len(), "scenario"),
            noun(report.results.len(), "was", "were")
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

/// Tells of what no golden can be made, and what to mend first.
fn tell_hindered(report: &Report) {
    for result in &report.results {
        if let Some(hindrance) = &result.hindrance {
            let name = &result.found.name;
            output::complain(&format!(
                "cannot bless {name}: {hindrance}; mend it first\n"
            ));
        }
    }
}

/// Tells what failed: in full, or the first of each with how to see the rest.
fn tell_failures(report: &Report, full: bool) {
    let mut shortened = false;
    for result in report.results.iter().filter(|result| !result.passed()) {
        output::complain(&format!("FAILED {}\n", result.found.name));
        if full || result.brief.is_empty() {
            for complaint in &result.complaints {
                output::complain(&format!("{complaint}\n"));
            }
        } else {
            shortened = true;
            for line in &result.brief {
                output::complain(&format!("  {line}\n"));
            }
        }
    }
    if shortened {
        output::complain(
            "\nall that is different: `yukon test SCENARIO` of one, `yukon test --full` of all\n",
        );
    }
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

/// What is at a path; if nothing is, the scenarios of the project with such a name, else with it in their names.
fn named(here: &Here, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let missing = match here.resolve(path) {
        Ok(found) => return Ok(vec![found]),
        Err(missing) => missing,
    };
    let (Some(name), Ok(all)) = (path.to_str(), here.all()) else {
        return Err(missing);
    };
    let all: Vec<PathBuf> = find(&[all], &here.bases())?
        .into_iter()
        .map(|found| found.path)
        .collect();
    let stem = |path: &Path| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let whose = |fits: &dyn Fn(&str) -> bool| -> Vec<PathBuf> {
        let fits = |path: &&PathBuf| stem(path).is_some_and(|stem| fits(&stem));
        all.iter().filter(fits).cloned().collect()
    };
    let mut found = whose(&|stem| stem == name);
    if found.is_empty() {
        found = whose(&|stem| stem.contains(name));
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let stems: Vec<String> = all.iter().filter_map(|path| stem(path)).collect();
    let near = match nearest(name, stems.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? "),
        None => String::new(),
    };
    Err(Failure::Message(format!(
        "there is no scenario or folder `{name}`, and no scenario with that in its name: {near}`yukon test --list` \
         shows the scenarios"
    )))
}

/// What all the arguments name.
///
/// # Errors
/// Names all that name nothing.
fn all_named(here: &Here, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for path in paths {
        match named(here, path) {
            Ok(paths) => found.extend(paths),
            Err(Failure::Message(message)) => missing.push(message),
            Err(failure) => return Err(failure),
        }
    }
    match missing.is_empty() {
        true => Ok(found),
        false => Err(Failure::Message(missing.join("\nerror: "))),
    }
}

/// The scenarios that the arguments mean; at least one.
fn scenarios(here: &Here, args: &Args) -> Result<Vec<Found>, Failure> {
    let paths = match args.paths.as_slice() {
        [] => vec![here.all()?],
        paths => all_named(here, paths)?,
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
