//! The command line.

use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
