//! Small packs in memory, and what is done with them in tests.
#![allow(
    dead_code,
    reason = "each test binary uses its own part of what is here"
)]

use std::process::Command;
use std::sync::Arc;

use yukon::diag::{Severity, Sources};
use yukon::pack::{PackFiles, read};
use yukon::script::{Fault, Io, Limits, Machine, Rules, Scratch, State, lower};
use yukon::table::Value;
use yukon::table::ids::FunctionId;

/// What `yukon`, or a crate that it is made of, reads of its environment and answers otherwise for.
const READ: [&str; 13] = [
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LINES",
    "NO_COLOR",
    "RAYON_NUM_THREADS",
    "RUST_BACKTRACE",
    "TERM",
    "XDG_STATE_HOME",
];

/// The program that is tested, the same wherever its tests run: it knows nothing of the environment, and what
/// it keeps goes into the target folder.
pub(crate) fn program() -> Command {
    plain(Command::new(env!("CARGO_BIN_EXE_yukon")))
}

/// A command that runs `yukon`, with what [`program`] says.
pub(crate) fn plain(mut command: Command) -> Command {
    for name in READ {
        command.env_remove(name);
    }
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// What must stand in every pack. The flow calls `work`.
pub(crate) const GAME: &str = "[game]
title = 'Toy'
players = [1, 4]
flow = 'main'
[flow.main]
do = ['work']
";

/// Files of a pack `toy`: its TOML and its script.
pub(crate) fn files(toml: &str, script: &str) -> PackFiles {
    PackFiles {
        id: "toy".to_owned(),
        rules: vec![("rules/toy/toy.toml".to_owned(), toml.as_bytes().to_vec())],
        scripts: vec![(
            "scripts/toy/toy.rhai".to_owned(),
            script.as_bytes().to_vec(),
        )],
        ..PackFiles::default()
    }
}

/// The rules of a pack, or its errors one a line: place, code, message, help.
pub(crate) fn load(files: &PackFiles) -> Result<Rules, String> {
    let (pack, sources, mut report) = read(files);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    report.sort();
    let problems = problems(&report, &sources, Severity::Error);
    match rules {
        Some(rules) if problems.is_empty() => Ok(rules),
        Some(_) => panic!("rules in spite of errors: {problems}"),
        None => Err(problems),
    }
}

/// Diagnostics of a severity, one a line: place, code, message, help.
pub(crate) fn problems(
    report: &yukon::diag::Report,
    sources: &Sources,
    severity: Severity,
) -> String {
    let mut lines = Vec::new();
    for diagnostic in &report.diagnostics {
        if diagnostic.severity != severity {
            continue;
        }
        let place = diagnostic
            .span
            .map_or_else(|| "-".to_owned(), |span| sources.place(span));
        let place = place
            .strip_prefix("scripts/toy/")
            .or_else(|| place.strip_prefix("rules/toy/"))
            .unwrap_or(&place);
        let mut line = format!("{place} {}: {}", diagnostic.code, diagnostic.message);
        for help in &diagnostic.help {
            line.push_str(" | ");
            line.push_str(help);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Rules that must be right.
pub(crate) fn rules(toml: &str, script: &str) -> Arc<Rules> {
    match load(&files(toml, script)) {
        Ok(rules) => Arc::new(rules),
        Err(problems) => panic!("{problems}\n{toml}\n{script}"),
    }
}

/// The function with a name.
pub(crate) fn function(rules: &Rules, name: &str) -> FunctionId {
    let index = rules
        .program
        .functions
        .iter()
        .position(|code| code.name == name);
    FunctionId::from_index(index.unwrap_or_else(|| panic!("no function `{name}`")))
}

/// Evaluates a function in a state; gives the value in words.
pub(crate) fn evaluate(
    rules: &Rules,
    state: &mut State,
    name: &str,
    arguments: &[Value],
    limits: Limits,
) -> Result<String, Box<Fault>> {
    let (mut io, mut scratch) = (Io::default(), Scratch::default());
    let mut machine = Machine::new(rules, state, &mut io, &mut scratch, limits);
    machine
        .evaluate(function(rules, name), arguments)
        .map(|value| machine.in_words(value))
}

/// Evaluates a function of a script in a pack with nothing else. The error is `place code: message`,
/// or `load: ` with the diagnostics.
pub(crate) fn eval(script: &str, name: &str, arguments: &[Value]) -> Result<String, String> {
    let rules = load(&files(GAME, script)).map_err(|problems| format!("load: {problems}"))?;
    let look = |rules: &Rules| {
        let mut state = rules.start(2, 1);
        evaluate(rules, &mut state, name, arguments, Limits::default())
            .map_err(|fault| described(rules, &fault))
    };
    let (found, inlined) = (look(&rules), look(&rules.inlined()));
    // As batches are played it is the same, but for limits, which calls come to sooner.
    let limited = |found: &Result<String, String>| {
        let limits = ["Y0402", "Y0407", "Y0410", "Y0417"];
        matches!(found, Err(why) if limits.iter().any(|limit| why.contains(limit)))
    };
    if !limited(&found) && !limited(&inlined) {
        assert_eq!(
            found, inlined,
            "built into their callers, functions differ:\n{script}"
        );
    }
    found
}

/// A fault in one line: place, code, message.
pub(crate) fn described(rules: &Rules, fault: &Fault) -> String {
    let place = rules.pack.sources.place(fault.span);
    let place = place
        .strip_prefix("scripts/toy/")
        .or_else(|| place.strip_prefix("rules/toy/"))
        .unwrap_or(&place);
    format!("{place} {}: {}", fault.code, fault.message)
}
