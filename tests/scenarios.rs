//! Every scenario of this repository, each as a test of its own.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use yukon::scenario::runner::{Packs, run};
use yukon::scenario::{Options, find};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let packs = Arc::new(Packs::new("."));
    let found = match find(&[PathBuf::from("scenarios")], &[]) {
        Ok(found) => found,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let trials = found
        .into_iter()
        .map(|found| {
            let packs = Arc::clone(&packs);
            let name = found.name.trim_end_matches(".toml").to_owned();
            Trial::test(name, move || {
                let result = run(&found, &packs, Options::default());
                if result.passed() {
                    Ok(())
                } else {
                    Err(Failed::from(result.complaints.join("\n")))
                }
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
