//! The terminal as bars of progress are drawn on it.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressDrawTarget, TermLike};

use super::output::COLUMNS;

/// Columns that are left free beside a bar: a terminal shows `^C` there. In a full line that would begin another, and
/// what is cleared is this other line only.
const FREE: u16 = 3;

/// How often in a second a bar is drawn at most.
const TIMES: u8 = 20;

/// Where bars are drawn: the standard error if it is a terminal, else nowhere.
pub(super) fn target() -> ProgressDrawTarget {
    match io::stderr().is_terminal() {
        true => ProgressDrawTarget::term_like_with_hz(Box::new(Screen::default()), TIMES),
        false => ProgressDrawTarget::hidden(),
    }
}

/// The standard error, which is a terminal. What is written comes there at once when it is flushed.
#[derive(Debug, Default)]
struct Screen(Mutex<Vec<u8>>);

impl Screen {
    fn waiting(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the cursor by so many, in the direction of a letter.
    fn moved(&self, by: usize, letter: char) -> io::Result<()> {
        match by {
            0 => Ok(()),
            by => write!(self.waiting(), "\u{1b}[{by}{letter}"),
        }
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        let size = terminal_size::terminal_size_of(io::stderr());
        let columns = size.map_or(COLUMNS as u16, |(columns, _)| columns.0);
        columns.saturating_sub(FREE)
    }

    fn height(&self) -> u16 {
        let size = terminal_size::terminal_size_of(io::stderr());
        size.map_or(24, |(_, lines)| lines.0)
    }

    fn move_cursor_up(&self, by: usize) -> io::Result<()> {
        self.moved(by, 'A')
    }

    fn move_cursor_down(&self, by: usize) -> io::Result<()> {
        self.moved(by, 'B')
    }

    fn move_cursor_right(&self, by: usize) -> io::Result<()> {
        self.moved(by, 'C')
    }

    fn move_cursor_left(&self, by: usize) -> io::Result<()> {
        self.moved(by, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        writeln!(self.waiting(), "{text}")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.waiting().write_all(text.as_bytes())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\u{1b}[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let drawn = std::mem::take(&mut *self.waiting());
        let mut out = io::stderr().lock();
        out.write_all(&drawn)?;
        out.flush()
    }
}
