//! Breakpoints: where answers stop on their way.

use std::fmt;

use crate::diag::{Span, nearest};
use crate::flow::Game;
use crate::flow::item::Item;
use crate::repl::command::{Args, Candidates, Info, whole};
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
        (
            "break take_step",
            "at the first statement of a function, or of a block of the flow; never before the first decision",
        ),
        ("break steps.rhai:12", "at a line"),
        ("break parameter price", "where a parameter is read"),
        (
            "break change coins",
            "after a counter, a zone, a dial or a toggle has changed, whosever it is",
        ),
        (
            "break change player_2.coins",
            "after this one has changed, named as `state` names it",
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
    /// What it means in a game; nothing if its rules have no such thing.
    pub(super) fn stops(&self, game: &Game) -> Vec<Stop> {
        let rules = &*game.rules;
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
            Self::Change(name) => {
                let family = families(rules).find(|(_, known)| known == name);
                let stop = match family {
                    Some((family, _)) => Some(Stop::Change(family)),
                    None => one_item(game, name).ok(),
                };
                stop.into_iter().collect()
            }
            Self::Line(file, line) => statements(rules)
                .filter(|(_, span)| lies_in(rules, *span, file) && line_of(rules, *span) == *line)
                .map(|(at, _)| Stop::Statement(at))
                .collect(),
        }
    }
}

/// The functions of scripts, and those that the blocks of the flow are, with their names.
fn functions(rules: &Rules) -> impl Iterator<Item = (FunctionId, &str)> {
    let program = &rules.program;
    let known = program.functions.iter().zip(&program.signatures);
    known
        .enumerate()
        .map(|(at, known)| (FunctionId::from_index(at), known))
        .filter(|(function, (_, signature))| {
            signature.script || rules.block_of(*function).is_some()
        })
        .map(|(function, (code, _))| (function, code.name.as_str()))
}

/// The stop after changes of the item of a path.
fn one_item(game: &Game, path: &str) -> Result<Stop, String> {
    let layout = game.rules.layout();
    let cell = |base: u16, position: u16| Stop::Cell(base + position);
    Ok(match Item::parse(layout, &game.state.table, path)? {
        Item::Zone(zone) => Stop::Zone(zone),
        Item::Counter(counter, at) => cell(layout.counters[counter.index()].base, at),
        Item::Dial(dial, at) => cell(layout.dials[dial.index()].base, at),
        Item::Toggle(toggle, at) => cell(layout.toggles[toggle.index()].base, at),
        Item::Face(piece) | Item::Place(piece) => Stop::Piece(piece),
    })
}

fn parameters(rules: &Rules) -> impl Iterator<Item = &str> {
    let known = rules.pack.parameters.iter();
    known.map(|known| known.name.id.as_str())
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
        [what @ ("parameter" | "change")] => session.without_name(what),
        ["parameter", name] => session.add_break(Break::Parameter(name.to_owned())),
        ["change", name] => session.add_break(Break::Change(name.to_owned())),
        [name] => match name.rsplit_once(':') {
            Some((file, line)) => match whole(line, "number of a line") {
                Ok(number) if number > 0 => session.break_at_line(file, Some(number)),
                Ok(_) => no_line(file, &format!("`{line}` is no number of a line")),
                Err(why) => no_line(file, &why),
            },
            None if name.ends_with(".rhai") || name.ends_with(".toml") => {
                session.break_at_line(name, None)
            }
            None => session.add_break(Break::Function(name.to_owned())),
        },
        _ => Reply::failed(
            "`break FUNCTION`, `break FILE:LINE`, `break parameter NAME` or `break change NAME` is meant",
        ),
    }
}

fn no_line(file: &str, why: &str) -> Reply {
    Reply::failed(format!(
        "{why}: they are counted from 1, as in `break {file}:12`"
    ))
}

fn complete_break(session: &Session, text: &str) -> Candidates {
    let rules = &session.game.rules;
    let words: Vec<String> = match text.split_once(char::is_whitespace) {
        None => functions(rules)
            .map(|(_, name)| name.to_owned())
            .chain(["change", "clear", "parameter"].map(str::to_owned))
            .collect(),
        Some(("parameter", _)) => parameters(rules).map(str::to_owned).collect(),
        Some(("change", _)) => families(rules).map(|(_, name)| name.to_owned()).collect(),
        Some(_) => Vec::new(),
    };
    Candidates::words(text, words)
}

impl Session {
    fn breakpoints(&self) -> Reply {
        let mut text = String::new();
        for (at, known) in self.breaks.iter().enumerate() {
            let lost = match known.stops(&self.game).is_empty() {
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

    /// `break parameter` and `break change` want a name.
    fn without_name(&self, what: &str) -> Reply {
        let rules = &self.game.rules;
        let (kind, does, example) = match what {
            "parameter" => (
                "parameter",
                "stops where it is read",
                parameters(rules).next(),
            ),
            _ => (
                "counter, zone, dial or toggle",
                "stops after it has changed",
                families(rules).map(|(_, name)| name).next(),
            ),
        };
        Reply::failed(match example {
            Some(name) => format!("the name of a {kind} is wanted: `break {what} {name}` {does}"),
            None => format!("the name of a {kind} is wanted, and these rules have none"),
        })
    }

    /// What is wrong with a breakpoint that stops nothing, and what could be meant.
    fn no_such_break(&self, wanted: &Break) -> String {
        let rules = &self.game.rules;
        let (what, name, known): (_, _, Vec<&str>) = match wanted {
            Break::Function(name) => {
                // A bare name can be that of something else.
                let others = [
                    Break::Parameter(name.to_owned()),
                    Break::Change(name.to_owned()),
                ];
                let other = others
                    .iter()
                    .find(|other| !other.stops(&self.game).is_empty());
                if let Some(other) = other {
                    return format!("there is no function `{name}`; is `break {other}` meant?");
                }
                let known = functions(rules).map(|(_, known)| known).collect();
                ("function or block of the flow", name, known)
            }
            Break::Parameter(name) => ("parameter", name, parameters(rules).collect()),
            Break::Change(name) => {
                let path = name.contains(['.', '[']);
                if let (true, Err(error)) = (path, one_item(&self.game, name)) {
                    return error;
                }
                let known = families(rules).map(|(_, known)| known).collect();
                ("counter, zone, dial or toggle", name, known)
            }
            Break::Line(name, _) => ("file", name, Vec::new()),
        };
        match nearest(name, known) {
            Some(near) => format!("there is no {what} `{name}`; did you mean `{near}`?"),
            None => format!("there is no {what} `{name}`"),
        }
    }

    fn add_break(&mut self, wanted: Break) -> Reply {
        if wanted.stops(&self.game).is_empty() {
            return Reply::failed(self.no_such_break(&wanted));
        }
        let known = self.breaks.iter().position(|known| *known == wanted);
        let at = known.unwrap_or(self.breaks.len());
        let text = format!("breakpoint {}: {wanted}\n", at + 1);
        if known.is_none() {
            self.breaks.push(wanted);
        }
        Reply::ok(text)
    }

    /// A breakpoint at the first line from one on at which a statement begins; without a line, what is to be typed.
    fn break_at_line(&mut self, file: &str, line: Option<usize>) -> Reply {
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
            let sources = rules.pack.sources.iter();
            // Names as they are typed: with as many folders as there are in the one that was.
            let folders = file.matches('/').count() + 1;
            let names: Vec<&str> = sources
                .map(|(_, source)| last_parts(&source.name, folders))
                .collect();
            return Reply::failed(match nearest(file, names.iter().copied()) {
                _ if names.contains(&file) => format!("no statement is in `{file}`"),
                Some(near) => format!("there is no file `{file}`; did you mean `{near}`?"),
                None => format!("there is no file `{file}`"),
            });
        };
        if let Some((other, _)) = lines.iter().find(|(name, _)| *name != first) {
            return Reply::failed(format!("`{file}` could be `{first}` or `{other}`"));
        }
        let numbers = lines.iter().map(|(_, known)| *known);
        let (least, most) = (numbers.clone().min(), numbers.max());
        let Some(line) = line else {
            return Reply::failed(format!(
                "a line of `{first}` is wanted: its first statement is `break {file}:{}`",
                least.unwrap_or(1)
            ));
        };
        match lines.into_iter().find(|(_, known)| *known >= line) {
            Some((name, found)) => self.add_break(Break::Line(name, found)),
            None => Reply::failed(format!(
                "no statement begins at line {line} of `{first}` or after it: its last is `break {file}:{}`",
                most.unwrap_or(1)
            )),
        }
    }
}

/// The last parts of a path, with slashes between them.
fn last_parts(path: &str, count: usize) -> &str {
    let cut = path.rmatch_indices('/').nth(count - 1);
    cut.map_or(path, |(at, _)| &path[at + 1..])
}
