//! Packs read for playing: their rules, and how their board is drawn; and where a session reads them again.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::diag::{Diagnostic, Report, Severity, Sources, Style, render, render_one};
use crate::flow::Record;
use crate::pack::files::read_file;
use crate::pack::{PackFiles, Place, Selection, read_draft};
use crate::script::{Rules, lower_draft};

use super::board::View;
use super::culprit::blame;

/// A pack that was read, as far as it could be.
pub struct Loaded {
    /// Its rules, if there are no errors.
    pub rules: Option<Rules>,
    /// How its board is drawn.
    pub view: View,
    /// All its texts.
    pub sources: Sources,
    /// What was found wrong.
    pub report: Report,
}

/// Reads a record's file.
///
/// # Errors
/// When the file cannot be read, such as a pipe, which has no end, or is no record; the message names it.
pub fn read_record(path: &Path) -> Result<Record, String> {
    let name = path.display();
    let cannot = |why: &dyn Display| format!("cannot read {name}: {why}");
    let bytes = read_file(path).map_err(|error| cannot(&error))?;
    let text = str::from_utf8(&bytes).map_err(|error| cannot(&error))?;
    let is_toml = path.extension().is_some_and(|end| end == "toml");
    Record::from_json(text).map_err(|error| match is_toml {
        true => format!(
            "{name} is no record, as `save` writes it; if it is a scenario, `yukon repl {name}` opens it"
        ),
        false => format!("{name} is no record: {error}"),
    })
}

/// Reads and lowers a pack and its view.
pub fn load(files: &PackFiles, selection: &Selection) -> Loaded {
    load_without(files, selection, &[])
}

/// The same for a pack from which files have gone: the names of these.
pub(super) fn load_without(files: &PackFiles, selection: &Selection, gone: &[String]) -> Loaded {
    let mut draft = read_draft(files, selection);
    let mut view = View::default();
    match View::read(&draft.pack) {
        Ok(read) => view = read,
        Err(found) => {
            let found = draft.doubts.independent(found, &draft.sources);
            for diagnostic in found.diagnostics {
                draft.report.push(diagnostic);
            }
        }
    }
    let (rules, sources, mut report) = lower_draft(draft);
    blame(&mut report, files, gone);
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

/// Where a session finds its pack, to read it with other variants and parameters.
#[derive(Clone, Debug)]
pub enum Source {
    /// Where it was found at first; read again each time, so that what was edited since counts.
    Place(Place),
    /// These files.
    Files(PackFiles),
}

impl Source {
    /// The files of the pack as they are now.
    ///
    /// # Errors
    /// When they are no longer there.
    pub fn files(&self) -> Result<PackFiles, Box<Diagnostic>> {
        match self {
            Self::Place(place) => place.read(),
            Self::Files(files) => Ok(files.clone()),
        }
    }

    /// The folders from which it is read, also when they are gone; none if it is part of the program.
    pub fn folders(&self) -> Vec<PathBuf> {
        match self {
            Self::Place(place) => place.folders(),
            Self::Files(_) => Vec::new(),
        }
    }

    /// Whether what is read can be something else the next time.
    pub fn can_change(&self) -> bool {
        !self.folders().is_empty()
    }

    /// The folder of the project that the pack belongs to: where `rules/` is, or the pack's own; none for a pack of the
    /// program itself.
    pub fn project(&self) -> Option<&Path> {
        match self {
            Self::Place(place) => place.project(),
            Self::Files(_) => None,
        }
    }

    /// The rules for a selection, with how the board is drawn.
    ///
    /// # Errors
    /// Says, with excerpts, what is wrong with the pack.
    pub fn read(&self, selection: &Selection, style: Style) -> Result<(Rules, View), String> {
        let unreadable = |why: Box<Diagnostic>| render_one(&why, &Sources::new(), style);
        let mut loaded = load(&self.files().map_err(unreadable)?, selection);
        let errors = &mut loaded.report.diagnostics;
        errors.retain(|found| found.severity == Severity::Error);
        match loaded.rules {
            Some(rules) => Ok((rules, loaded.view)),
            None => Err(render(&loaded.report, &loaded.sources, style)),
        }
    }
}
