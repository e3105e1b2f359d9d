//! Packs from the command line: found, read with variants and `--set`, lowered.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::output::{complain, complaint_style};
use crate::diag::{Diagnostic, Severity, Sources, render, render_one};
use crate::pack::{PackFiles, Selection, codes, read_draft};
use crate::repl::board::View;
use crate::repl::command::whole;
pub(super) use crate::repl::load::Loaded;
use crate::script::Rules;

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
    /// Use a variant of the pack; may be repeated, and they apply in this order
    #[arg(long = "variant", value_name = "VARIANT")]
    pub(super) variant: Vec<String>,

    /// Give a parameter another value; may be repeated
    #[arg(
        long = "set",
        value_name = "PARAM=VALUE",
        allow_negative_numbers = true
    )]
    pub(super) set: Vec<String>,
}

impl Changes {
    /// What is chosen of the pack.
    ///
    /// # Errors
    /// When a parameter is not given as PARAM=VALUE with a whole number, or something is given twice.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        let parameters = self.set.iter().map(|change| set_parameter(change));
        let selection = Selection {
            variants: self.variant.clone(),
            parameters: parameters.collect::<Result<_, _>>()?,
        };
        once(&selection)?;
        Ok(selection)
    }
}

/// Finds a pack.
///
/// # Errors
/// When there is none, with the message already made.
pub(super) fn find(pack: &str) -> Result<PackFiles, Box<Diagnostic>> {
    PackFiles::find(pack, &here())
}

/// The folder from which packs are looked for.
pub(super) fn here() -> PathBuf {
    // Paths in messages are those of the project, and searching upwards needs all of this one.
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// Reads a pack that must be right; what is wrong with it is written to the standard error.
///
/// # Errors
/// When it cannot be played.
pub(super) fn need(args: &PackArgs) -> Result<(Rules, View), Failure> {
    need_selected(&args.pack, &args.changes.selection()?, SET)
}

/// The option that gives a parameter another value, as it stands before PARAM=VALUE.
pub(super) const SET: &str = "--set ";

/// The same for what is chosen already: `option` stands before the parameters where they are given.
///
/// # Errors
/// When it cannot be played.
pub(super) fn need_selected(
    pack: &str,
    selection: &Selection,
    option: &str,
) -> Result<(Rules, View), Failure> {
    let files = find(pack).map_err(|unknown| tell(&unknown))?;
    let loaded = load(&files, selection, option);
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

/// Reads and lowers a pack and its view. A parameter that cannot be set is told as it is given, after `option`.
pub(super) fn load(files: &PackFiles, selection: &Selection, option: &str) -> Loaded {
    let mut loaded = crate::repl::load::load(files, selection);
    let report = &mut loaded.report;
    let all = report.diagnostics.len();
    let is_set = |found: &Diagnostic| found.code == codes::SET_PARAMETER;
    report.diagnostics.retain(|found| !is_set(found));
    if report.diagnostics.len() == all {
        return loaded;
    }
    let unset = Selection {
        variants: selection.variants.clone(),
        parameters: Vec::new(),
    };
    let mut pack = read_draft(files, &unset).pack;
    for (name, value) in &selection.parameters {
        if let Err(why) = pack.set_parameter(name, *value) {
            report.push(Diagnostic::placeless(
                codes::SET_PARAMETER,
                format!("`{option}{name}={value}`: {why}"),
            ));
        }
    }
    report.sort();
    loaded
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
    if value.is_empty() {
        return Err(Failure::Message(format!(
            "`{change}` has no value: expected PARAM=VALUE with a whole number"
        )));
    }
    let number = whole(value, "whole number")
        .map_err(|why| Failure::Message(format!("{why}: `{name}=VALUE` wants a whole number")))?;
    Ok((name.to_owned(), number))
}

/// Refuses what is chosen twice: of two values one would be lost without a word.
///
/// # Errors
/// Says what it is.
pub(super) fn once(selection: &Selection) -> Result<(), Failure> {
    if let Some(id) = twice(selection.variants.iter()) {
        return Err(Failure::Message(format!(
            "variant `{id}` is given twice: once is enough"
        )));
    }
    match twice(selection.parameters.iter().map(|(name, _)| name)) {
        Some(name) => Err(Failure::Message(format!(
            "`{name}` is given twice: a parameter has one value in a game"
        ))),
        None => Ok(()),
    }
}

/// The first name that stood before.
fn twice<'n>(names: impl Iterator<Item = &'n String>) -> Option<&'n String> {
    let mut seen = Vec::new();
    names.into_iter().find(|name| {
        let known = seen.contains(name);
        seen.push(*name);
        known
    })
}
