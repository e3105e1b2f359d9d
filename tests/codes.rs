//! The codes of diagnostics: each is explained, its wrong example gives it, and its right one nothing.
//!
//! What a person sees of a wrong example stands in `tests/diagnostics/codes/CODE.txt`. With `BLESS=1` in
//! the environment these texts are written anew, and what changed is printed.

mod kit;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use yukon::diag::{Diagnostic, Report, Sources, Style, render};
use yukon::docs::codes::{ExampleFile, Explanation, all, pack_of};
use yukon::flow::decision::random;
use yukon::flow::{Game, GameError, Setup};
use yukon::pack::{Selection, read, read_draft};
use yukon::script::{Rules, lower_draft};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = all()
        .into_iter()
        .map(|explanation| Trial::test(explanation.code, move || shown(&explanation)))
        .collect();
    trials.push(Trial::test("each code is explained", each_is_explained));
    trials.push(Trial::test("what no page can show", what_no_page_can_show));
    libtest_mimic::run(&arguments, trials).exit();
}

/// What is found wrong with an example: on reading, or else on playing it with the first answer always.
fn problems(files: &[ExampleFile]) -> (Report, Sources) {
    let files = pack_of(files);
    let variants = files.variants.iter().map(|variant| variant.id.clone());
    let selection = Selection {
        variants: variants.collect(),
        parameters: Vec::new(),
    };
    let (rules, sources, mut report) = lower_draft(read_draft(&files, &selection));
    if let Some(rules) = rules
        && let Some(fault) = fault(Arc::new(rules))
    {
        report.push(fault);
    }
    (report, sources)
}

/// What stops a game in which nobody answers anything unusual.
fn fault(rules: Arc<Rules>) -> Option<Diagnostic> {
    let told = |error: GameError| match error {
        GameError::Fault(fault) => Some(fault.diagnostic(&rules)),
        other => panic!("{other}"),
    };
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let mut game = match Game::start(Arc::clone(&rules), setup, None, None) {
        Ok(game) => game,
        Err(error) => return told(error),
    };
    for _ in 0..50 {
        let answer = random(&rules, &game.state, |_| 0)?;
        if let Err(error) = game.answer(&answer) {
            return told(error);
        }
    }
    None
}

fn shown(explanation: &Explanation) -> Result<(), Failed> {
    let code = explanation.code;
    if explanation.right.is_empty() || explanation.wrong.is_empty() {
        return Err("there is no wrong example, or no right one".into());
    }
    if explanation.wrong.iter().any(is_shell) {
        return shown_in_a_shell(explanation);
    }
    let (right, sources) = problems(&explanation.right);
    if !right.diagnostics.is_empty() {
        let text = render(&right, &sources, Style::PLAIN);
        return Err(format!("the right example is not right:\n{text}").into());
    }
    let (wrong, sources) = problems(&explanation.wrong);
    let found = render(&wrong, &sources, Style::PLAIN);
    if !wrong.diagnostics.iter().any(|one| one.code == code) {
        return Err(format!("the wrong example does not give {code}, but:\n{found}").into());
    }
    if let Some(other) = wrong.diagnostics.iter().find(|one| one.code != code) {
        return Err(format!("the wrong example gives {} too:\n{found}", other.code).into());
    }
    same(&fixture(code), &found)
}

/// The whole text that a person sees of a wrong example.
fn fixture(code: &str) -> PathBuf {
    root().join(format!("tests/diagnostics/codes/{code}.txt"))
}

/// Whether a file of an example is commands.
fn is_shell(file: &ExampleFile) -> bool {
    file.name.ends_with(".sh")
}

/// Does what an example says in a folder of its own.
fn shown_in_a_shell(explanation: &Explanation) -> Result<(), Failed> {
    if !cfg!(unix) {
        return Ok(());
    }
    let code = explanation.code;
    let (status, right) = in_a_shell(&explanation.right)?;
    if status != 0 || right.contains("error") || right.contains("warning") {
        return Err(format!("the right example is not right:\n{right}").into());
    }
    let (status, wrong) = in_a_shell(&explanation.wrong)?;
    let told = |line: &str| line.starts_with("error[") || line.starts_with("warning[");
    let told: Vec<&str> = wrong.lines().filter(|line| told(line)).collect();
    let own = |line: &&str| line.contains(&format!("[{code}]"));
    if status != 1 || told.is_empty() || !told.iter().all(own) {
        return Err(format!("the wrong example gives not {code} alone, but:\n{wrong}").into());
    }
    same(&fixture(code), &wrong)
}

/// The exit code of an example's commands in the project that its other files are, and all that is written.
fn in_a_shell(files: &[ExampleFile]) -> Result<(i32, String), Failed> {
    let project = tempfile::tempdir()?;
    let pack = pack_of(files);
    let rules = pack
        .rules
        .iter()
        .chain(pack.variants.iter().map(|variant| &variant.rules));
    let rules = rules.map(|file| ("rules", file));
    for (folder, (name, bytes)) in rules.chain(pack.scripts.iter().map(|file| ("scripts", file))) {
        let path = project.path().join(folder).join(&pack.id).join(name);
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        fs::write(path, bytes)?;
    }
    let commands: String = files
        .iter()
        .filter(|file| is_shell(file))
        .map(|file| file.text.as_str())
        .collect();
    let program = Path::new(env!("CARGO_BIN_EXE_yukon"));
    let mut path = vec![program.parent().ok_or("no folder")?.to_path_buf()];
    path.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    let output = kit::plain(Command::new("sh"))
        .arg("-c")
        .arg(format!("exec 2>&1\n{commands}"))
        .current_dir(project.path())
        .env("PATH", std::env::join_paths(path)?)
        .output()?;
    let status = output.status.code().unwrap_or(-1);
    Ok((status, String::from_utf8(output.stdout)?))
}

/// Compares what is found with a file.
fn same(path: &PathBuf, found: &str) -> Result<(), Failed> {
    let expected = fs::read_to_string(path).unwrap_or_default();
    let expected = expected.replace("\r\n", "\n");
    if found == expected {
        return Ok(());
    }
    let difference = similar::TextDiff::from_lines(expected.as_str(), found);
    let difference = difference
        .unified_diff()
        .header("expected", "found")
        .to_string();
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        fs::write(path, found)?;
        eprintln!("accepted for {}:\n{difference}", path.display());
        return Ok(());
    }
    Err(format!("{difference}\nBLESS=1 accepts what was found").into())
}

/// Files and names that a page cannot hold, with all that an author is told of them.
fn what_no_page_can_show() -> Result<(), Failed> {
    let found = |name: &str, bytes: Vec<u8>| {
        let mut pack = pack_of(&[]);
        pack.rules.push((name.to_owned(), bytes));
        let (_, sources, report) = read(&pack);
        render(&report, &sources, Style::PLAIN)
    };
    // A byte-order mark and lines that end with CR LF are no fault.
    let marked = b"\xEF\xBB\xBF[zone.bag]\r\n".to_vec();
    check(&found("bag.toml", marked), "")?;
    // An editor of another system.
    check(
        &found("bag.toml", b"\xFF\xFE[\0z\0".to_vec()),
        "error[Y0102]: the file is not UTF-8
 --> bag.toml:1:1
  |
1 | \u{FFFD}\u{FFFD}[\u{2400}z\u{2400}
  | ^ byte 0xff
  |
  = help: the file looks like UTF-16: save it as UTF-8
",
    )
}

fn check(found: &str, expected: &str) -> Result<(), Failed> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("expected:\n{expected}\nfound:\n{found}").into()),
    }
}

/// The codes in the sources are those that are explained.
fn each_is_explained() -> Result<(), Failed> {
    fn collect(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            if path.extension().is_some_and(|end| end == "rs") {
                for (at, _) in text.match_indices("\"Y") {
                    let code = text.get(at + 1..at + 6).unwrap_or_default();
                    let digits = code.strip_prefix('Y').unwrap_or_default();
                    // Codes from 1 to 99 are those of tests.
                    if digits.chars().all(|digit| digit.is_ascii_digit())
                        && digits.parse::<u32>().is_ok_and(|number| number >= 100)
                    {
                        found.insert(code.to_owned());
                    }
                }
            }
        }
    }
    let mut used = BTreeSet::new();
    collect(&root().join("src"), &mut used);
    let explained: Vec<String> = all()
        .iter()
        .map(|explanation| explanation.code.to_owned())
        .collect();
    if explained.windows(2).any(|codes| codes[0] == codes[1]) {
        return Err("a code is explained twice".into());
    }
    let explained: BTreeSet<String> = explained.into_iter().collect();
    let missing: Vec<_> = used.difference(&explained).collect();
    let stale: Vec<_> = explained.difference(&used).collect();
    match (missing.is_empty(), stale.is_empty()) {
        (true, true) => Ok(()),
        _ => Err(format!("not explained: {missing:?}; explained but not used: {stale:?}").into()),
    }
}
