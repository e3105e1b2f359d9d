//! Small broken packs, and beside each the whole text that its author sees.
//!
//! A case is a folder under `tests/diagnostics`: its TOML and Rhai files, its `variants` if it has any
//! (played are all of them, or those that `chosen.txt` names, one a line), and `expected.txt`. With
//! `BLESS=1` in the environment, `expected.txt` is written anew and what changed is printed.

use std::fs;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use yukon::diag::{Style, render};
use yukon::pack::{PackFiles, Selection, VariantFiles, read_draft};
use yukon::script::lower_draft;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let mut cases: Vec<_> = fs::read_dir(&root)
        .expect("the folder of cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| path.is_dir() && !path.ends_with("codes"))
        .collect();
    cases.sort();
    let trials = cases
        .into_iter()
        .map(|case| {
            let name = case.file_name().expect("a name").to_string_lossy();
            Trial::test(name.into_owned(), move || run(&case))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// The files of a case with an extension, named by themselves; none if there is no such folder.
fn files(case: &Path, extension: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(case)
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == extension))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

/// The variants of a case, each with its script if there is one.
fn variants(case: &Path) -> Vec<VariantFiles> {
    let folder = case.join("variants");
    let scripts = files(&folder, "rhai");
    let named = |(name, bytes): (String, Vec<u8>)| (format!("variants/{name}"), bytes);
    files(&folder, "toml")
        .into_iter()
        .map(|rules| {
            let id = rules.0.trim_end_matches(".toml").to_owned();
            let script = format!("{id}.rhai");
            let script = scripts.iter().find(|(name, _)| *name == script);
            VariantFiles {
                unread: Vec::new(),
                script: script.cloned().map(named),
                rules: named(rules),
                id,
            }
        })
        .collect()
}

fn run(case: &Path) -> Result<(), Failed> {
    let pack = PackFiles {
        id: "case".to_owned(),
        rules: files(case, "toml"),
        scripts: files(case, "rhai"),
        variants: variants(case),
        strays: Vec::new(),
        unread: Vec::new(),
    };
    let chosen = match fs::read_to_string(case.join("chosen.txt")) {
        Ok(chosen) => chosen.lines().map(str::to_owned).collect(),
        Err(_) => pack
            .variants
            .iter()
            .map(|variant| variant.id.clone())
            .collect(),
    };
    let selection = Selection {
        variants: chosen,
        parameters: Vec::new(),
    };
    let (_, sources, report) = lower_draft(read_draft(&pack, &selection));
    let found = render(&report, &sources, Style::PLAIN);
    let path = case.join("expected.txt");
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    let difference = similar::TextDiff::from_lines(&expected, &found);
    let difference = difference
        .unified_diff()
        .header("expected", "found")
        .to_string();
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&path, &found)?;
        eprintln!("accepted for {}:\n{difference}", case.display());
        return Ok(());
    }
    Err(format!("{difference}\nBLESS=1 accepts what was found").into())
}
