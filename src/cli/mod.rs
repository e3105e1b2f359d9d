//! The command line.

use crate::diag::{Report, Style, render};
use crate::pack::{PackFiles, read};
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let files = match PackFiles::find(&args[2], std::path::Path::new(".")) {
        Ok(f) => f,
        Err(d) => {
            eprintln!("{d:?}");
            return ExitCode::FAILURE;
        }
    };
    let begun = std::time::Instant::now();
    let (pack, sources, mut report): (_, _, Report) = read(&files);
    let rules = pack.and_then(|pack| crate::script::lower(pack, &mut report));
    println!("{:?}", begun.elapsed());
    report.sort();
    println!("{}", render(&report, &sources, Style::Plain));
    let Some(rules) = rules else {
        return ExitCode::FAILURE;
    };
    if args[1] == "sim" {
        let batch = crate::sim::Batch {
            players: args[3].parse().unwrap(),
            games: args[4].parse().unwrap(),
            seed: 1,
            check_invariants: args.len() > 5,
            most_decisions: 20000,
            threads: 1,
        };
        println!(
            "{}",
            serde_json::to_string_pretty(&crate::sim::run(&rules, &batch)).unwrap()
        );
    }
    ExitCode::SUCCESS
}
