//! Looking at single things, and why something cannot be chosen.

use crate::diag::nearest;
use crate::flow::decision;
use crate::repl::answer;
use crate::repl::command::{self, Args, Candidates, Info};
use crate::repl::listing;
use crate::repl::narrate::Narrator;
use crate::repl::session::{Reply, Session};
use crate::repl::text::{Line, indented, render};
use crate::table::event::Event;
use crate::table::view::Viewer;

/// Answers that `log` tells without a number.
const LOGGED: usize = 10;

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "state",
        arguments: "[ITEM].. [--all]",
        about: "list zones, counters, dials and toggles",
        examples: &[
            ("state", "everything that is not as it was at the start"),
            (
                "state hand",
                "the zones, counters, dials or toggles of this name",
            ),
            (
                "state player_1",
                "all that belongs to a player, a node or another thing",
            ),
            ("state hand player_1", "both at once"),
        ],
        run: state,
        complete: |session, text| {
            Candidates::words(text, listing::names(&session.words(session.viewer())))
        },
    },
    Info {
        name: "why",
        arguments: "not CHOICE",
        about: "say why something cannot be chosen",
        examples: &[("why not X", "the reason why X is refused, with its numbers")],
        run: why,
        complete: complete_why,
    },
    Info {
        name: "log",
        arguments: "[N] [--all]",
        about: "tell the last answers and what came of them",
        examples: &[
            ("log", "the last ten answers"),
            ("log 50", "the last fifty"),
            ("log --all", "nothing is hidden"),
        ],
        run: log,
        complete: command::no_candidates,
    },
];

fn state(session: &mut Session, args: &Args<'_>) -> Reply {
    let viewer = if args.all {
        Viewer::All
    } else {
        session.viewer()
    };
    match listing::list(&session.words(viewer), &args.words) {
        Ok(lines) => Reply::ok(render(&lines, session.look)),
        Err(error) => Reply::failed(error),
    }
}

fn why(session: &mut Session, args: &Args<'_>) -> Reply {
    match args.text.strip_prefix("not ") {
        Some(choice) => session.why_not(choice.trim()),
        None => Reply::failed("`why not CHOICE` is meant"),
    }
}

fn complete_why(session: &Session, text: &str) -> Candidates {
    let Some(choice) = text.strip_prefix("not ") else {
        return Candidates::first(text, vec!["not".to_owned()]);
    };
    let key = |event: &Event| match event {
        Event::Refused { parts, .. } => Some(
            parts
                .iter()
                .map(|part| decision::key(&session.game.rules, &session.game.state, *part))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        _ => None,
    };
    Candidates {
        start: text.len() - choice.trim_start().len(),
        words: session.game.notices.iter().filter_map(key).collect(),
    }
}

fn log(session: &mut Session, args: &Args<'_>) -> Reply {
    match args.number(LOGGED) {
        Ok(number) => {
            let viewer = if args.all {
                Viewer::All
            } else {
                session.viewer()
            };
            Reply::ok(session.log(number, viewer))
        }
        Err(error) => Reply::failed(error),
    }
}

impl Session {
    fn why_not(&self, choice: &str) -> Reply {
        let Some(decision) = self.game.decision() else {
            return Reply::failed("nothing is asked");
        };
        let words = self.words(Viewer::Player(decision.player));
        let state = &self.game.state;
        let wanted = choice.to_lowercase();
        let names = |parts: &[crate::table::Value]| -> [String; 2] {
            let keys: Vec<String> = parts
                .iter()
                .map(|part| decision::key(&self.game.rules, state, *part))
                .collect();
            let labels: Vec<String> = parts
                .iter()
                .map(|part| {
                    words
                        .value(*part)
                        .characters()
                        .map(|(letter, _)| letter)
                        .collect()
                })
                .collect();
            [keys.join(" "), labels.join(", ")]
        };
        let refused: Vec<(&Event, [String; 2])> = self
            .game
            .notices
            .iter()
            .filter_map(|event| match event {
                Event::Refused { parts, .. } => Some((event, names(parts))),
                _ => None,
            })
            .collect();
        let find = |test: &dyn Fn(&str) -> bool| -> Vec<Line> {
            let mut lines: Vec<Line> = Vec::new();
            for (event, names) in &refused {
                if names.iter().any(|name| test(&name.to_lowercase()))
                    && let Some(line) = self.refusal(&words, event)
                    && !lines.contains(&line)
                {
                    lines.push(line);
                }
            }
            lines
        };
        let mut lines = find(&|name| name == wanted);
        if lines.is_empty() {
            if let Ok(answer) = answer::parse(&decision, choice) {
                let written = decision.write(&answer);
                return Reply::ok(format!("it can be chosen: `{written}`\n"));
            }
            lines = find(&|name| name.starts_with(&wanted));
        }
        if lines.is_empty() {
            lines = find(&|name| name.contains(&wanted));
        }
        if !lines.is_empty() {
            return Reply::ok(render(&lines, self.look));
        }
        let keys = decision
            .choices
            .iter()
            .flat_map(|choice| [choice.key.as_str(), choice.label.as_str()]);
        let known = refused
            .iter()
            .flat_map(|(_, names)| names.iter().map(String::as_str))
            .chain(keys);
        Reply::failed(match nearest(&wanted, known) {
            Some(near) => format!("`{choice}` is no choice here; did you mean `{near}`?"),
            None => format!("`{choice}` is no choice of this decision"),
        })
    }

    fn log(&self, number: usize, viewer: Viewer) -> String {
        let answered = self.game.history.len();
        let first = answered.saturating_sub(number);
        let mut text = String::new();
        if first == 0 {
            let after = match self.game.history.first() {
                Some(step) => &step.before.table,
                None => &self.game.state.table,
            };
            let narrator = Narrator::new(&self.game.rules, &self.view, after, viewer, self.look);
            text.push_str("Before the first decision:\n");
            text.push_str(&render(
                &indented(narrator.events(&self.game.opening)),
                self.look,
            ));
        }
        text.push_str(&self.tell(first..answered, viewer, false));
        text
    }
}
