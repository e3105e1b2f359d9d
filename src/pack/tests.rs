//! Tables of small packs and what reading them gives.

use crate::diag::{Severity, Style, render};
use crate::table::TableState;
use crate::table::layout::{Accessor, Builtin, Domain, Holds, Scope, Visible, shape};
use crate::table::value::Value;

use super::model::{ModifierOp, Provenance, Repeat, TypeName};
use super::{Pack, PackFiles, read};

/// A toy game that uses every section.
const TOY: &str = include_str!("testdata/toy.toml");

fn files(rules: &[(&str, &str)]) -> PackFiles {
    PackFiles {
        id: "toy".to_owned(),
        rules: rules
            .iter()
            .map(|(name, text)| (format!("rules/toy/{name}"), text.as_bytes().to_vec()))
            .collect(),
        scripts: vec![(
            "scripts/toy/toy.rhai".to_owned(),
            b"fn work(me) {}".to_vec(),
        )],
    }
}

fn toy() -> Pack {
    let (pack, sources, report) = read(&files(&[("toy.toml", TOY)]));
    let text = render(&report, &sources, Style::Plain);
    assert_eq!(text, "");
    pack.expect("the toy pack is right")
}

/// The diagnostics of a pack, one a line: place, code, message.
fn problems(rules: &[(&str, &str)]) -> Vec<String> {
    let (pack, sources, report) = read(&files(rules));
    assert_eq!(pack.is_none(), report.has_errors());
    // Whatever is reported must be printable.
    render(&report, &sources, Style::Colour);
    report
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let place = match diagnostic.span {
                Some(span) => sources.place(span).replace("rules/toy/", ""),
                None => "-".to_owned(),
            };
            let warning = match diagnostic.severity {
                Severity::Error => "",
                Severity::Warning => "warning: ",
            };
            format!(
                "{place} {} {warning}{}",
                diagnostic.code, diagnostic.message
            )
        })
        .collect()
}

/// What must stand in every pack, on lines 1 to 7; the text of a test begins on line 8.
const BASE: &str = "[game]
title = 'Toy'
players = [2, 4]
flow = 'main'
[flow.main]
do = ['work']
# The text of the test follows.
";

fn check(text: &str, expected: &[&str]) {
    let found = problems(&[("t.toml", &format!("{BASE}{text}"))]);
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_pack_is_read_whole() {
    let pack = toy();
    assert_eq!((pack.id.as_str(), pack.title.as_str()), ("toy", "Toy"));
}

#[test]
fn look_at() {
    let from = std::env::var("LOOK").unwrap_or_default();
    if let Ok(files) = PackFiles::open(std::path::Path::new(&from)) {
        let (_, sources, report) = read(&files);
        println!("{}", render(&report, &sources, Style::Plain));
    }
    check("", &[]);
}
