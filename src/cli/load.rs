//! Packs from the command line: found, read with variants and `--set`, lowered.

use std::path::Path;

use clap::Args;

use super::Failure;
use super::output::{complain, complaint_style};
use crate::diag::{Diagnostic, Report, Severity, Sources, render, render_one};
use crate::pack::{PackFiles, Selection, read_with};
use crate::repl::board::View;
use crate::script::{Rules, lower};

/// What every command takes that plays or shows a pack.
#[derive(Clone, Debug, Args)]
pub(super) struct PackArgs {
    /// The name of a folder under `rules/`, found from here upwards, or a path
    pub(super) pack: String,

    #[command(flatten)]
    pub(super) changes: Changes,
}

/// What is changed of a pack before it is used.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Changes {
    /// Play with a variant of the pack; may be repeated, and they apply in this order
    #[arg(long = "variant", value_name = "VARIANT")]
    pub(super) variant: Vec<String>,

    /// Give a parameter another value; may be repeated
    #[arg(long = "set", value_name = "PARAM=VALUE")]
    pub(super) set: Vec<String>,
}

impl Changes {
    /// What is chosen of the pack.
    ///
    /// # Errors
    /// When a parameter is not given as PARAM=VALUE with a whole number.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        let parameters = self.set.iter().map(|change| set_parameter(change));
        Ok(Selection {
            variants: self.variant.clone(),
            parameters: parameters.collect::<Result<_, _>>()?,
        })
    }
}

/// A pack that was read, as far as it could be.
pub(super) struct Loaded {
    /// Its rules, if there are no errors.
    pub(super) rules: Option<Rules>,
    /// How its board is drawn.
    pub(super) view: View,
    /// All its texts.
    pub(super) sources: Sources,
    /// What was found wrong.
    pub(super) report: Report,
}

/// Finds a pack.
///
/// # Errors
/// When there is none, with the message already made.
pub(super) fn find(pack: &str) -> Result<PackFiles, Box<Diagnostic>> {
    // Paths in messages are those of the project, and searching upwards needs all of this one.
    let here = std::env::current_dir();
    PackFiles::find(pack, here.as_deref().unwrap_or(Path::new(".")))
}

/// Reads and lowers a pack and its view.
pub(super) fn load(files: &PackFiles, selection: &Selection) -> Loaded {
    let (pack, sources, mut report) = read_with(files, selection);
    let mut view = View::default();
    let mut rules = None;
    if let Some(pack) = pack {
        match View::read(&pack) {
            Ok(read) => view = read,
            Err(found) => {
                for diagnostic in found.diagnostics {
                    report.push(diagnostic);
                }
            }
        }
        rules = lower(pack, &mut report);
    }
    report.sort();
    if report.has_errors() {
        rules = None;
    }
    // What a variant no longer uses of the base game may stay there unused.
    if let Some(rules) = rules
        .as_ref()
        .filter(|rules| !rules.pack.variants.is_empty())
    {
        report.diagnostics.retain(|warning| {
            let file = warning.span.map(|span| span.file);
            let variants = &mut rules.pack.variants.iter();
            variants.any(|variant| file == Some(variant.file) || file == variant.script)
        });
    }
    Loaded {
        rules,
        view,
        sources,
        report,
    }
}

/// Reads a pack that must be right; what is wrong with it is written to the standard error.
///
/// # Errors
/// When it cannot be played.
pub(super) fn need(args: &PackArgs) -> Result<(Rules, View), Failure> {
    need_selected(&args.pack, &args.changes.selection()?)
}

/// The same for what is chosen already.
///
/// # Errors
/// When it cannot be played.
pub(super) fn need_selected(pack: &str, selection: &Selection) -> Result<(Rules, View), Failure> {
    let files = find(pack).map_err(|unknown| tell(&unknown))?;
    let loaded = load(&files, selection);
    let mut errors = loaded.report.clone();
    // Warnings are for `check`: here they would only be in the way.
    errors
        .diagnostics
        .retain(|diagnostic| diagnostic.severity == Severity::Error);
    complain(&render(&errors, &loaded.sources, complaint_style()));
    match loaded.rules {
        Some(rules) => Ok((rules, loaded.view)),
        None => Err(Failure::Told),
    }
}

/// Writes a diagnostic without a place to the standard error.
pub(super) fn tell(diagnostic: &Diagnostic) -> Failure {
    complain(&render_one(diagnostic, &Sources::new(), complaint_style()));
    Failure::Told
}

/// A parameter and its value, as `--set` gives them.
pub(super) fn set_parameter(change: &str) -> Result<(String, i64), Failure> {
    let (name, value) = change.split_once('=').ok_or_else(|| {
        Failure::Message(format!("`--set {change}` has no `=`: expected PARAM=VALUE"))
    })?;
    let (name, value) = (name.trim(), value.trim());
    let number: i64 = value.parse().map_err(|_| {
        Failure::Message(format!(
            "`{value}` is no whole number, as parameter `{name}` wants"
        ))
    })?;
    Ok((name.to_owned(), number))
}
