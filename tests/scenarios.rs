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
    let paths = match find(&[PathBuf::from("scenarios")]) {
        Ok(paths) => paths,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let trials = paths
        .into_iter()
        .map(|path| {
            let packs = Arc::clone(&packs);
            let name = path.with_extension("").to_string_lossy().replace('\\', "/");
            Trial::test(name, move || {
                let result = run(&path, &packs, &Options::default());
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
