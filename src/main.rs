//! The `yukon` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    yukon::cli::main()
}
