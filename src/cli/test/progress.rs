//! What is shown while scenarios run, and how they are stopped.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use crate::scenario::ScenarioResult;

use super::super::screen::target;
use super::super::watch::INTERRUPTED;
use super::super::{Failure, output};

/// A line for each scenario, and on a terminal a bar below them.
pub(super) struct Progress {
    bar: ProgressBar,
    colour: bool,
    /// The first line that could not be written.
    trouble: Option<io::Error>,
}

impl Progress {
    /// Nothing is done yet of so many.
    pub(super) fn new(total: usize) -> Self {
        let bar = match io::stdout().is_terminal() {
            true => ProgressBar::with_draw_target(Some(total as u64), target()),
            false => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len}") {
            bar.set_style(style);
        }
        Self {
            bar,
            colour: output::look(false, None).colour,
            trouble: None,
        }
    }

    /// A scenario is done.
    pub(super) fn tell(&mut self, result: &ScenarioResult) {
        let (word, colour) = match result.passed() {
            true => ("ok", "\u{1b}[32m"),
            false => ("FAILED", "\u{1b}[31m"),
        };
        let (on, off) = match self.colour {
            true => (colour, "\u{1b}[0m"),
            false => ("", ""),
        };
        let line = format!(
            "{on}{word:<6}{off} {:>5} ms  {}\n",
            result.elapsed.as_millis(),
            result.found.name
        );
        let said = self.bar.suspend(|| output::say(&line));
        if let Err(error) = said {
            self.trouble.get_or_insert(error);
        }
        self.bar.inc(1);
    }

    /// All are done.
    ///
    /// # Errors
    /// When a line could not be written.
    pub(super) fn end(self) -> io::Result<()> {
        self.bar.finish_and_clear();
        self.trouble.map_or(Ok(()), Err)
    }
}

/// Ctrl-C: the first one lets what runs come to its end, a second one, or one at a question, leaves at once.
pub(super) struct Interrupt {
    stop: Arc<AtomicBool>,
    asking: Arc<AtomicBool>,
}

impl Interrupt {
    /// From now on Ctrl-C is minded.
    ///
    /// # Errors
    /// When the system does not let it be.
    pub(super) fn watch() -> Result<Self, Failure> {
        let (stop, asking) = (Arc::default(), Arc::default());
        let own = Self {
            stop: Arc::clone(&stop),
            asking: Arc::clone(&asking),
        };
        ctrlc::set_handler(move || {
            if asking.load(Ordering::Relaxed) || stop.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
        })
        .map_err(|error| Failure::Message(format!("Ctrl-C cannot be minded: {error}")))?;
        Ok(own)
    }

    /// Whether to stop.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Does something that waits for a person.
    pub(super) fn while_asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.asking.store(true, Ordering::Relaxed);
        let answer = ask();
        self.asking.store(false, Ordering::Relaxed);
        answer
    }
}
