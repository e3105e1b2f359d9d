//! Where results and complaints go, and how they may look.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::Failure;
use crate::diag::Style;
use crate::repl::text::{Look, wrap_message};

/// Columns where no terminal says how many it has.
pub(super) const COLUMNS: usize = 80;

/// Writes a result.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a line of a result that is not all there is to a command: it goes on if nobody reads.
pub(super) fn say(text: &str) -> io::Result<()> {
    unless_closed(print(text))
}

/// A result of writing; a closed pipe is no error, since who closes it has read enough.
pub(super) fn unless_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Whether a path is what stands for the standard output.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses `-` where a folder or a file of its own is wanted, since whoever writes it means the standard
/// output.
///
/// # Errors
/// Says what to write instead.
pub(super) fn need_path(path: &Path, option: &str, wanted: &str) -> Result<(), Failure> {
    match is_standard(path) {
        true => Err(Failure::Message(format!(
            "`{option} -`: the standard output cannot be written to here; expected {wanted} (`./-` for one that is \
             called so)"
        ))),
        false => Ok(()),
    }
}

/// Writes a complaint. If nobody reads it, so be it.
pub(super) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether colour is not wanted, whatever the terminal can do.
fn no_colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    set("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// How diagnostics look.
pub(super) fn complaint_style() -> Style {
    let columns = || terminal_size::terminal_size_of(io::stderr());
    Style {
        colour: io::stderr().is_terminal() && !no_colour(),
        columns: columns().map(|(columns, _)| usize::from(columns.0)),
    }
}

/// How results look: as the terminal can, or the same everywhere in a pipe.
pub(super) fn look(ascii: bool, width: Option<usize>) -> Look {
    let terminal = io::stdout().is_terminal();
    let columns = || match terminal_size::terminal_size() {
        Some((columns, _)) if terminal => usize::from(columns.0),
        _ => COLUMNS,
    };
    Look {
        colour: terminal && !no_colour(),
        unicode: !ascii && (!terminal || is_utf8()),
        width: width.unwrap_or_else(columns).clamp(20, 400),
        wraps: terminal,
    }
}

/// The columns of the terminal that results go to; `None` in a pipe, where nothing breaks lines.
pub(super) fn columns() -> Option<usize> {
    let look = look(false, None);
    look.wraps.then_some(look.width)
}

/// A result as it is read: on a terminal folded at spaces.
pub(super) fn fitted(text: &str) -> String {
    match columns() {
        Some(columns) => wrap_message(text, columns),
        None => text.to_owned(),
    }
}

/// Whether the locale of the terminal can show more than ASCII.
fn is_utf8() -> bool {
    let value = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty());
    // Terminals without any locale are mostly containers, and these show UTF-8.
    value.is_none_or(|value| {
        let value = value.to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}
