//! `yukon check`.

use std::path::Path;

use clap::ValueEnum;

use super::load::{Changes, find, load};
use super::output::{complain, complaint_style};
use super::{Failure, print};
use crate::diag::{Report, Severity, Sources, render, render_one, to_json};
use crate::pack::PackFiles;

/// Reports all that is wrong with packs
///
/// Exits with 1 if there is an error, or a warning and --deny-warnings.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Packs by name or path; all that are known if none is given
    packs: Vec<String>,

    /// How problems are told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Exit with 1 for warnings too
    #[arg(long)]
    deny_warnings: bool,

    #[command(flatten)]
    changes: Changes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Excerpts on the standard error, a line for each pack on the standard output
    Text,
    /// A list of objects on the standard output
    Json,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let packs = match args.packs.is_empty() {
        false => args.packs.clone(),
        true => {
            let here = std::env::current_dir();
            PackFiles::known(here.as_deref().unwrap_or(Path::new(".")))
                .into_iter()
                .collect()
        }
    };
    let selection = args.changes.selection()?;
    let mut failed = false;
    let mut summary = String::new();
    let mut all: Vec<serde_json::Value> = Vec::new();
    for pack in &packs {
        let (sources, report) = match find(pack) {
            Ok(files) => {
                let loaded = load(&files, &selection);
                (loaded.sources, loaded.report)
            }
            Err(unknown) => {
                let mut report = Report::new();
                report.push(*unknown);
                (Sources::new(), report)
            }
        };
        let count = |severity| {
            report
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == severity)
                .count()
        };
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        failed |= errors > 0 || args.deny_warnings && warnings > 0;
        match args.format {
            Format::Text if sources.iter().next().is_none() => {
                for diagnostic in &report.diagnostics {
                    complain(&render_one(diagnostic, &sources, complaint_style()));
                }
            }
            Format::Text => complain(&render(&report, &sources, complaint_style())),
            Format::Json => {
                if let Ok(serde_json::Value::Array(found)) =
                    serde_json::from_str(&to_json(&report, &sources))
                {
                    all.extend(found);
                }
            }
        }
        summary.push_str(&match (errors, warnings) {
            (0, 0) => format!("{pack}: no problems\n"),
            (errors, 0) => format!("{pack}: {}\n", many(errors, "error")),
            (0, warnings) => format!("{pack}: {}\n", many(warnings, "warning")),
            (errors, warnings) => format!(
                "{pack}: {}, {}\n",
                many(errors, "error"),
                many(warnings, "warning")
            ),
        });
    }
    match args.format {
        Format::Text => print(&summary)?,
        Format::Json => {
            let text = serde_json::to_string_pretty(&all).map_err(std::io::Error::from)?;
            print(&format!("{text}\n"))?;
        }
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
}

/// A number of things.
fn many(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
