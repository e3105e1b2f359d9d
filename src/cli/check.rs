//! `yukon check`.

use std::collections::BTreeSet;
use std::path::Path;

use clap::ValueEnum;

use super::load::{Changes, Loaded, SET, find, load};
use super::output::{complain, complaint_style};
use super::{Failure, print};
use crate::diag::{Report, Severity, Sources, count, render, render_one, to_json};
use crate::pack::variant::with_required;
use crate::pack::{PackFiles, Selection};

/// Reports all that is wrong with packs and their variants
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
    let mut checked = Checked::default();
    for pack in &packs {
        let files = match find(pack) {
            Ok(files) => files,
            Err(unknown) => {
                let mut report = Report::new();
                report.push(*unknown);
                checked.add(pack, &report, &Sources::new(), args.format, NONE);
                continue;
            }
        };
        let Loaded {
            sources,
            mut report,
            ..
        } = load(&files, &selection, SET);
        checked.add(pack, &report, &sources, args.format, NONE);
        if selection != Selection::default() {
            continue;
        }
        // Each variant is looked at with those that it requires; what is said of the base game, or of
        // one of those, is not said again.
        let none = match report.diagnostics.is_empty() {
            true => NONE,
            false => "no problems besides those of the base game",
        };
        let mut told = Told::default();
        told.tell(&mut report, &sources);
        for variant in &files.variants {
            let selection = Selection {
                variants: with_required(&files, &variant.id),
                parameters: Vec::new(),
            };
            let mut loaded = load(&files, &selection, SET);
            told.tell(&mut loaded.report, &loaded.sources);
            let name = format!("{pack} with {}", variant.id);
            checked.add(&name, &loaded.report, &loaded.sources, args.format, none);
        }
    }
    let failed = checked.errors > 0 || args.deny_warnings && checked.warnings > 0;
    match args.format {
        Format::Text => print(&checked.summary)?,
        Format::Json => {
            let text =
                serde_json::to_string_pretty(&checked.found).map_err(std::io::Error::from)?;
            print(&format!("{text}\n"))?;
        }
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
}

/// What is said where nothing was found.
const NONE: &str = "no problems";

/// What was told of a pack: codes with the places that they were told of.
#[derive(Default)]
struct Told(BTreeSet<(&'static str, String, u32, u32)>);

impl Told {
    /// Takes from a report what was told before, and notes the rest.
    fn tell(&mut self, report: &mut Report, sources: &Sources) {
        report.diagnostics.retain(|found| {
            let (file, start, end) = match found.span {
                Some(span) => (sources.get(span.file).name.clone(), span.start, span.end),
                None => (found.message.clone(), 0, 0),
            };
            self.0.insert((found.code, file, start, end))
        });
    }
}

/// What was found in all that was checked.
#[derive(Default)]
struct Checked {
    errors: usize,
    warnings: usize,
    /// A line for each pack and variant.
    summary: String,
    /// Diagnostics as JSON.
    found: Vec<serde_json::Value>,
}

impl Checked {
    /// Tells what was found in a pack, or in a variant; `none` stands for nothing.
    fn add(&mut self, name: &str, report: &Report, sources: &Sources, format: Format, none: &str) {
        let of = |severity| {
            let found = report.diagnostics.iter();
            found.filter(|found| found.severity == severity).count()
        };
        let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
        self.errors += errors;
        self.warnings += warnings;
        match format {
            Format::Text if sources.iter().next().is_none() => {
                for diagnostic in &report.diagnostics {
                    complain(&render_one(diagnostic, sources, complaint_style()));
                }
            }
            Format::Text => complain(&render(report, sources, complaint_style())),
            Format::Json => {
                if let Ok(serde_json::Value::Array(found)) =
                    serde_json::from_str(&to_json(report, sources))
                {
                    self.found.extend(found);
                }
            }
        }
        self.summary.push_str(&match (errors, warnings) {
            (0, 0) => format!("{name}: {none}\n"),
            (errors, 0) => format!("{name}: {}\n", count(errors, "error")),
            (0, warnings) => format!("{name}: {}\n", count(warnings, "warning")),
            (errors, warnings) => format!(
                "{name}: {}, {}\n",
                count(errors, "error"),
                count(warnings, "warning")
            ),
        });
    }
}
