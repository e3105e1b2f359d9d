//! How far a long command is, and Ctrl-C.

use std::fmt::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::Failure;
use super::screen::target;

/// What the bar shows: done and left, how fast, and the time that is left.
const BAR: &str = "{wide_bar} {human_pos}/{human_len} {rate}, {eta} left";

/// What a process exits with that Ctrl-C ended early, as shells expect it, whatever it has told until then.
pub(super) const INTERRUPTED: u8 = 130;

/// Whether Ctrl-C was pressed.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C is caught already.
static CAUGHT: OnceLock<Result<(), String>> = OnceLock::new();

/// Lets Ctrl-C end a command early with what it has; a second one ends it at once.
///
/// # Errors
/// When the system does not allow it.
pub(super) fn stop() -> Result<&'static AtomicBool, Failure> {
    let catch = || {
        let pressed = || {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
        };
        ctrlc::set_handler(pressed).map_err(|error| error.to_string())
    };
    match CAUGHT.get_or_init(catch) {
        Ok(()) => Ok(&STOP),
        Err(error) => Err(Failure::Message(format!(
            "Ctrl-C cannot be caught: {error}"
        ))),
    }
}

/// Whether Ctrl-C ended this command early.
pub(super) fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// A bar on a terminal, nothing in a pipe.
pub(super) fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), target());
    match ProgressStyle::with_template(BAR) {
        Ok(style) => bar.with_style(style.with_key("rate", rate)),
        Err(_) => bar,
    }
}

/// How many games a second: with a digit more where they are few.
fn rate(state: &ProgressState, out: &mut dyn Write) {
    let rate = state.per_sec();
    let digits = if rate < 10.0 { 1 } else { 0 };
    // What cannot be drawn is not missed.
    let _ = write!(out, "{rate:.digits$}/s");
}

/// As many threads as the machine has cores, unless a number is given.
pub(super) fn threads(given: Option<usize>) -> usize {
    given.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}
