//! Breakpoints: where answers stop on their way.

use std::fmt;

use crate::diag::{Span, nearest};
use crate::repl::command::{Args, Candidates, Info};
use crate::repl::session::{Reply, Session};
use crate::script::Rules;
use crate::script::stepping::{Family, Stop};
use crate::table::ids::{CounterId, DialId, FunctionId, ParameterId, ToggleId, ZoneFamilyId};

pub(super) const BREAK: Info = Info {
    name: "break",
    arguments: "[WHERE | clear [N]]",
    about: "stop answers on their way: at a function, a line, a read or a change; or list the breakpoints",
    examples: &[
        ("break", "list them"),
        ("break take_step", "at the first statement of a function"),
        ("break steps.rhai:12", "at a line"),
        ("break parameter price", "where a parameter is read"),
        (
            "break change coins",
            "after a counter, a zone, a dial or a toggle has changed",
        ),
        (
            "break clear 2",
            "forget the second of them; without a number, all",
        ),
    ],
    run: set_break,
    complete: complete_break,
};

/// A breakpoint, by names: it stays when rules are read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::repl) enum Break {
    Function(String),
    /// A file and a line, from 1.
    Line(String, usize),
    Parameter(String),
    Change(String),
}

impl fmt::Display for Break {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(name) => write!(formatter, "{name}"),
            Self::Line(file, line) => write!(formatter, "{file}:{line}"),
            Self::Parameter(name) => write!(formatter, "parameter {name}"),
            Self::Change(name) => write!(formatter, "change {name}"),
        }
    }
}

impl Break {
    /// What it means by some rules; nothing if they have no such thing.
    pub(super) fn stops(&self, rules: &Rules) -> Vec<Stop> {
        match self {
            Self::Function(name) => functions(rules)
                .filter(|(_, known)| known == name)
                .map(|(function, _)| Stop::Function(function))
                .collect(),
            Self::Parameter(name) => {
                let at = rules
                    .pack
                    .parameters
                    .iter()
                    .position(|known| known.name.id == *name);
                let stop = at.map(|at| Stop::Parameter(ParameterId::from_index(at)));
                stop.into_iter().collect()
            }
            Self::Change(name) => families(rules)
                .filter(|(_, known)| known == name)
                .map(|(family, _)| Stop::Change(family))
                .collect(),
            Self::Line(file, line) => statements(rules)
                .filter(|(_, span)| lies_in(rules, *span, file) && line_of(rules, *span) == *line)
                .map(|(at, _)| Stop::Statement(at))
                .collect(),
        }
    }
}

/// The functions of scripts with their names.
fn functions(rules: &Rules) -> impl Iterator<Item = (FunctionId, &str)> {
    let program = &rules.program;
    let known = program.functions.iter().zip(&program.signatures);
    known
        .enumerate()
        .filter(|(_, (_, signature))| signature.script)
        .map(|(at, (code, _))| (FunctionId::from_index(at), code.name.as_str()))
}

/// The families of items with their names.
fn families(rules: &Rules) -> impl Iterator<Item = (Family, &str)> {
    let layout = rules.layout();
    let counters = layout.counters.iter().enumerate();
    let zones = layout.zone_families.iter().enumerate();
    let dials = layout.dials.iter().enumerate();
    let toggles = layout.toggles.iter().enumerate();
    counters
        .map(|(at, known)| {
            (
                Family::Counter(CounterId::from_index(at)),
                known.name.id.as_str(),
            )
        })
        .chain(zones.map(|(at, known)| {
            (
                Family::Zone(ZoneFamilyId::from_index(at)),
                known.name.id.as_str(),
            )
        }))
        .chain(
            dials.map(|(at, known)| (Family::Dial(DialId::from_index(at)), known.name.id.as_str())),
        )
        .chain(toggles.map(|(at, known)| {
            (
                Family::Toggle(ToggleId::from_index(at)),
                known.name.id.as_str(),
            )
        }))
}

/// The statements with their positions among the program's.
fn statements(rules: &Rules) -> impl Iterator<Item = (u32, Span)> {
    let statements = rules.program.statements.iter().enumerate();
    statements.map(|(at, statement)| (at as u32, statement.span))
}

fn line_of(rules: &Rules, span: Span) -> usize {
    rules.pack.sources.position(span).line
}

/// Whether a place is in a file of this name, or of one that ends so.
fn lies_in(rules: &Rules, span: Span, file: &str) -> bool {
    let name = &rules.pack.sources.get(span.file).name;
    name == file
        || name
            .strip_suffix(file)
            .is_some_and(|rest| rest.ends_with('/'))
}

fn set_break(session: &mut Session, args: &Args<'_>) -> Reply {
    match args.words[..] {
        [] => session.breakpoints(),
        ["clear"] => {
            session.breaks.clear();
            Reply::ok("no breakpoints\n".to_owned())
        }
        ["clear", number] => match number.parse::<usize>() {
            Ok(number) if (1..=session.breaks.len()).contains(&number) => {
                session.breaks.remove(number - 1);
                session.breakpoints()
            }
            _ => Reply::failed(format!(
                "there is no breakpoint `{number}`: `break` lists them"
            )),
        },
        ["parameter", name] => session.add_break(Break::Parameter(name.to_owned())),
        ["change", name] => session.add_break(Break::Change(name.to_owned())),
        [name] => match name.rsplit_once(':') {
            Some((file, line)) => match line.parse() {
                Ok(line) => session.break_at_line(file, line),
                Err(_) => Reply::failed(format!("`{line}` is no number of a line")),
            },
            None => session.add_break(Break::Function(name.to_owned())),
        },
        _ => Reply::failed(
            "`break FUNCTION`, `break FILE:LINE`, `break parameter NAME` or `break change NAME` is meant",
        ),
    }
}

fn complete_break(session: &Session, text: &str) -> Candidates {
    let rules = &session.game.rules;
    let words: Vec<String> = match text.split_once(char::is_whitespace) {
        None => functions(rules)
            .map(|(_, name)| name.to_owned())
            .chain(["change", "clear", "parameter"].map(str::to_owned))
            .collect(),
        Some(("parameter", _)) => {
            let known = rules.pack.parameters.iter();
            known.map(|known| known.name.id.clone()).collect()
        }
        Some(("change", _)) => families(rules).map(|(_, name)| name.to_owned()).collect(),
        Some(_) => Vec::new(),
    };
    Candidates::words(text, words)
}

impl Session {
    fn breakpoints(&self) -> Reply {
        let mut text = String::new();
        for (at, known) in self.breaks.iter().enumerate() {
            let lost = match known.stops(&self.game.rules).is_empty() {
                true => "  (by these rules it stops nothing)",
                false => "",
            };
            text.push_str(&format!("{} {known}{lost}\n", at + 1));
        }
        match text.is_empty() {
            true => Reply::ok("no breakpoints: `break FUNCTION` sets one\n".to_owned()),
            false => Reply::ok(text),
        }
    }

    fn add_break(&mut self, wanted: Break) -> Reply {
        let rules = &self.game.rules;
        if wanted.stops(rules).is_empty() {
            let (what, name, known): (_, _, Vec<&str>) = match &wanted {
                Break::Function(name) => (
                    "function",
                    name,
                    functions(rules).map(|(_, known)| known).collect(),
                ),
                Break::Parameter(name) => {
                    let known = rules.pack.parameters.iter();
                    (
                        "parameter",
                        name,
                        known.map(|known| known.name.id.as_str()).collect(),
                    )
                }
                Break::Change(name) => (
                    "counter, zone, dial or toggle",
                    name,
                    families(rules).map(|(_, known)| known).collect(),
                ),
                Break::Line(name, _) => ("file", name, Vec::new()),
            };
            return Reply::failed(match nearest(name, known) {
                Some(near) => format!("there is no {what} `{name}`; did you mean `{near}`?"),
                None => format!("there is no {what} `{name}`"),
            });
        }
        let known = self.breaks.iter().position(|known| *known == wanted);
        let at = known.unwrap_or(self.breaks.len());
        let text = format!("breakpoint {}: {wanted}\n", at + 1);
        if known.is_none() {
            self.breaks.push(wanted);
        }
        Reply::ok(text)
    }

    /// A breakpoint at the first line from one on at which a statement begins.
    fn break_at_line(&mut self, file: &str, line: usize) -> Reply {
        let rules = &self.game.rules;
        let mut lines: Vec<(String, usize)> = statements(rules)
            .filter(|(_, span)| lies_in(rules, *span, file))
            .map(|(_, span)| {
                let name = rules.pack.sources.get(span.file).name.clone();
                (name, line_of(rules, span))
            })
            .collect();
        lines.sort();
        let Some((first, _)) = lines.first().cloned() else {
            let names = rules
                .pack
                .sources
                .iter()
                .map(|(_, source)| source.name.as_str());
            return Reply::failed(match nearest(file, names) {
                Some(near) => format!("no statement is in `{file}`; did you mean `{near}`?"),
                None => format!("no statement is in `{file}`"),
            });
        };
        if let Some((other, _)) = lines.iter().find(|(name, _)| *name != first) {
            return Reply::failed(format!("`{file}` could be `{first}` or `{other}`"));
        }
        match lines.into_iter().find(|(_, known)| *known >= line) {
            Some((name, found)) => self.add_break(Break::Line(name, found)),
            None => Reply::failed(format!(
                "no statement begins at line {line} of `{first}`, or after it"
            )),
        }
    }
}
