//! Results as one page that needs nothing else: no network, no scripts, light and dark.
//!
//! Plots are rows of tables: each row has its numbers beside its drawing, so that they are read where nothing
//! is drawn. Drawings are SVG with places in percent: they are as wide as there is room, and their text keeps
//! its size.

mod changes;
mod compare;
mod map;
mod page;
mod plot;
mod scores;
mod sim;
mod uses;

use std::path::Path;

use super::output::is_standard;
use super::{Failure, print};
use crate::pack::Selection;

pub(super) use changes::{Change, changes};
pub(super) use compare::{compare_page, sweep_page};
pub(super) use sim::sim_page;

/// What a page tells of how it came to be.
pub(super) struct Origin<'a> {
    /// What the rules are called.
    pub(super) title: &'a str,
    /// What is changed of them.
    pub(super) changes: Vec<Change>,
    /// The command with all that changes the results.
    pub(super) command: String,
    /// Whether bots go by time: then no command gives the same again.
    pub(super) by_time: bool,
}

/// Complains before anything is played if a page could not be written.
///
/// # Errors
/// When its folder is not there, or the path is a folder.
pub(super) fn can_write(path: &Path) -> Result<(), Failure> {
    if is_standard(path) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let why = match (path.is_dir(), folder.is_dir()) {
        (true, _) => "it is a folder; expected a file, such as `report.html`".to_owned(),
        (_, false) => format!("there is no folder {}", folder.display()),
        (false, true) => return Ok(()),
    };
    let path = path.display();
    Err(Failure::Message(format!("cannot write {path}: {why}")))
}

/// Writes a page, and then the results as they are told; a page on the standard output is told in their place.
///
/// # Errors
/// When one of them cannot be written.
pub(super) fn write(
    path: Option<&Path>,
    page: impl FnOnce() -> Result<String, Failure>,
    told: impl FnOnce() -> Result<String, Failure>,
) -> Result<(), Failure> {
    match path {
        Some(path) if is_standard(path) => return Ok(print(&page()?)?),
        Some(path) => std::fs::write(path, page()?).map_err(|error| {
            Failure::Message(format!("cannot write {}: {error}", path.display()))
        })?,
        None => {}
    }
    Ok(print(&told()?)?)
}

/// Variants and parameters as they are given on the command line.
pub(super) fn chosen(selection: &Selection) -> String {
    let variants = selection.variants.iter();
    let variants = variants.map(|variant| format!(" --variant {}", word(variant)));
    let parameters = selection.parameters.iter();
    let parameters =
        parameters.map(|(name, value)| format!(" --set {}", word(&format!("{name}={value}"))));
    variants.chain(parameters).collect()
}

/// A word of a command line as shells read it: in quotes where they would take it apart.
pub(super) fn word(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=+,:@%".contains(letter);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
