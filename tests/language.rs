//! The language of rules from the outside: what is refused, what to write instead, and what fails.
//!
//! `tests/language/cases.txt` holds cases: a title after `##`; lines `toml: OLD => NEW` that change the toy
//! pack; lines of script; and after `->` what an author is told, one diagnostic a line: place, code,
//! message, and advice after `|`. A script without problems is run: `look` is given the first player, and
//! what it fails with or gives is what is told. With `BLESS=1` in the environment, what is told is written
//! anew.

mod kit;

use std::fs;
use std::path::Path;

use yukon::diag::Severity;
use yukon::pack::{PackFiles, read};
use yukon::script::{Limits, lower};
use yukon::table::Value;
use yukon::table::ids::PlayerId;

const TOY: &str = include_str!("../src/pack/testdata/toy.toml");

/// Functions that the toy pack names; those that a case does not define do nothing.
const NAMED: &[(&str, &str)] = &[
    ("work", "me"),
    ("tidy", ""),
    ("one", "me"),
    ("swim", "me, other"),
];

struct Case<'a> {
    head: &'a str,
    changes: Vec<(&'a str, &'a str)>,
    script: String,
    expected: &'a str,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    text.split("## ")
        .skip(1)
        .map(|part| {
            let (head, expected) = part.split_once("\n->\n").expect("`->` in each case");
            let mut changes = Vec::new();
            let mut script = String::new();
            for line in head.lines().skip(1) {
                match line.strip_prefix("toml: ") {
                    Some(change) => {
                        changes.push(change.split_once(" => ").expect("`=>` in each change"));
                    }
                    None => {
                        script.push_str(&line.replace("\\r", "\r"));
                        script.push('\n');
                    }
                }
            }
            Case {
                head,
                changes,
                script,
                expected: expected.trim(),
            }
        })
        .collect()
}

fn told(case: &Case<'_>) -> String {
    let mut toml = TOY.to_owned();
    for (old, new) in &case.changes {
        assert!(toml.contains(old), "`{old}` is not in the toy pack");
        toml = toml.replacen(old, &new.replace("\\n", "\n"), 1);
    }
    let mut script = case.script.clone();
    let alone = script.contains("// alone");
    for (name, parameters) in NAMED {
        if !alone && !script.contains(&format!("fn {name}(")) {
            script.push_str(&format!("fn {name}({parameters}) {{ }}\n"));
        }
    }
    let files: PackFiles = kit::files(&toml, &script);
    let (pack, sources, mut report) = read(&files);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    report.sort();
    let mut lines = kit::problems(&report, &sources, Severity::Error);
    for warning in kit::problems(&report, &sources, Severity::Warning).lines() {
        // `look` is called by the test; what is hardly meant (Y0350 and on) is what cases are made of.
        if !warning.contains("`look` is never called") && !warning.contains(" Y035") {
            lines.push_str(&format!("\nwarning {warning}"));
        }
    }
    if let Some(rules) = rules
        && script.contains("fn look(")
    {
        let mut state = rules.start(2, 1);
        let me = Value::from(PlayerId(0));
        let found = kit::evaluate(&rules, &mut state, "look", &[me], Limits::default());
        lines.push_str("\nlook: ");
        match found {
            Ok(value) => lines.push_str(&value),
            Err(fault) => {
                lines.push_str(&kit::described(&rules, &fault));
                if let Some(help) = &fault.help {
                    lines.push_str(&format!(" | {help}"));
                }
            }
        }
    }
    lines.trim().to_owned()
}

#[test]
fn an_author_is_told_what_to_write_instead() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/cases.txt");
    let text = fs::read_to_string(&path)
        .expect("the cases")
        .replace("\r\n", "\n");
    let (mut whole, mut different) = (String::new(), String::new());
    for case in cases(&text) {
        let found = told(&case);
        whole.push_str(&format!("## {}\n->\n{found}\n\n", case.head));
        if found != case.expected {
            different.push_str(&format!(
                "## {}\nexpected:\n{}\nfound:\n{found}\n\n",
                case.head, case.expected
            ));
        }
    }
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&path, whole.trim_end().to_owned() + "\n").expect("written");
        eprintln!("accepted:\n{different}");
        return;
    }
    assert!(
        different.is_empty(),
        "\n{different}BLESS=1 accepts what was found"
    );
}
