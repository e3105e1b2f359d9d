//! The codes of diagnostics: each is explained, its wrong example gives it, and its right one nothing.
//!
//! What a person sees of a wrong example stands in `tests/diagnostics/codes/CODE.txt`. With `BLESS=1` in
//! the environment these texts are written anew, and what changed is printed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use yukon::diag::{Diagnostic, Report, Sources, Style, render, render_one};
use yukon::docs::codes::{ExampleFile, Explanation, all, pack_of};
use yukon::flow::decision::random;
use yukon::flow::{Game, GameError, Setup};
use yukon::pack::{PackFiles, Selection, read, read_draft};
use yukon::script::{Rules, lower_draft};

/// Codes that no small file shows, and where they are tested.
const WITHOUT_EXAMPLE: &[(&str, &str)] = &[
    ("Y0102", "bytes that are no text: tests/codes.rs"),
    ("Y0103", "too large for a page: tests/codes.rs"),
    (
        "Y0181",
        "of the choice, not a file: tests/diagnostics/overlay_requires/expected.txt",
    ),
    ("Y0188", "an argument, not a file: tests/cli.rs"),
    ("Y0190", "the name of a pack, not a file: tests/codes.rs"),
    ("Y0191", "a folder without rights, not a file"),
    ("Y0207", "too long for a page: tests/limits.rs"),
    ("Y0210", "too long for a page: tests/limits.rs"),
    ("Y0211", "too long for a page: tests/limits.rs"),
    ("Y0212", "too long for a page: tests/limits.rs"),
    ("Y0301", "Rhai's parser is first, with Y0201"),
    ("Y0423", "takes too long to happen: tests/limits.rs"),
    ("Y0501", "a scenario, not a pack"),
];

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
    if let Some((_, why)) = WITHOUT_EXAMPLE.iter().find(|(known, _)| *known == code) {
        if !explanation.wrong.is_empty() {
            return Err("it has an example after all: take it off the list".into());
        }
        return match why.split_once(": ") {
            Some((_, test)) if !fs::read_to_string(root().join(test))?.contains(code) => {
                Err(format!("`{test}` does not speak of it").into())
            }
            _ => Ok(()),
        };
    }
    let (right, sources) = problems(&explanation.right);
    if explanation.right.is_empty() || !right.diagnostics.is_empty() {
        let text = render(&right, &sources, Style::Plain);
        return Err(format!("the right example is not right:\n{text}").into());
    }
    let (wrong, sources) = problems(&explanation.wrong);
    let found = render(&wrong, &sources, Style::Plain);
    if !wrong.diagnostics.iter().any(|one| one.code == code) {
        return Err(format!("the wrong example does not give {code}, but:\n{found}").into());
    }
    if let Some(other) = wrong.diagnostics.iter().find(|one| one.code != code) {
        return Err(format!("the wrong example gives {} too:\n{found}", other.code).into());
    }
    same(
        &root().join(format!("tests/diagnostics/codes/{code}.txt")),
        &found,
    )
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
        render(&report, &sources, Style::Plain)
    };
    // A byte-order mark and lines that end with CR LF are no fault.
    let marked = b"\xEF\xBB\xBF[zone.bag]\r\n".to_vec();
    check(&found("bag.toml", marked), "")?;
    check(
        &found("bag.toml", b"[zone.bag]\ntitle = \"b\xFFg\"\n".to_vec()),
        "error[Y0102]: the file is not UTF-8
 --> bag.toml:2:11
  |
2 | title = \"b\u{FFFD}g\"
  |           ^ byte 0xff
  |
  = help: save the file as UTF-8
",
    )?;
    check(
        &found("bag.toml", vec![b'#'; 50_000_000]),
        "error[Y0103]: `bag.toml` has 50000000 bytes: a file has at most 16777216\n",
    )?;
    let unknown = PackFiles::find("airwayz", root()).expect_err("no such pack");
    let unknown = render_one(&unknown, &Sources::new(), Style::Plain);
    match unknown.starts_with("error[Y0190]: ") && unknown.contains("did you mean `airways`?") {
        true => Ok(()),
        false => Err(unknown.into()),
    }
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
