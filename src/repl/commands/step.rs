//! Stepping through what comes of an answer, statement by statement.
//!
//! The answer is tried out, and what ran is watched; walking through it shows states that were kept. The game
//! itself stands before the answer until the walk has come to its end: then the answer is given.

mod inside;

use std::ops::Range;

use crate::flow::game::Trial;
use crate::flow::listing::changes;
use crate::flow::{Answer, GameError, decision};
use crate::repl::answer;
use crate::repl::command::{self, Args, Info, no_candidates};
use crate::repl::session::{Reply, Session};
use crate::repl::text::{Line, Paint, render};
use crate::scenario::golden::refusal;
use crate::scenario::model::Act;
use crate::script::machine::Watch;
use crate::script::state::State;
use crate::script::stepping::{Stop, Walk};
use crate::table::Value;
use crate::table::event::Event;
use crate::table::view::{View as Sight, Viewer};

use super::breaks::Break;

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "into",
        arguments: "[ANSWER | N]",
        about: "step through what comes of an answer, statement by statement; then to the next statement, into calls",
        examples: &[
            (
                "into 2",
                "stop at the first statement that runs when 2 is answered",
            ),
            (
                "into",
                "go on to the next statement; at first, step through what the opened scenario answers next",
            ),
            ("into 6", "while stepping: six statements"),
        ],
        run: into,
        complete: |session, text| session.keys_for_into(text),
    },
    Info {
        name: "over",
        arguments: "[N]",
        about: "while stepping: to the next statement, past calls",
        examples: &[
            ("over", "run the statement, and all that it calls"),
            ("over 3", "three statements"),
        ],
        run: |session, args| session.walk(args, |walk, at| walk.over(at)),
        complete: no_candidates,
    },
    Info {
        name: "out",
        arguments: "[N]",
        about: "while stepping: to the end of the function, and on in its caller",
        examples: &[("out", "leave the function")],
        run: |session, args| session.walk(args, |walk, at| walk.out(at)),
        complete: no_candidates,
    },
    Info {
        name: "back",
        arguments: "[into]",
        about: "while stepping: to the statement before, with the state as it was",
        examples: &[
            ("back", "past calls, as `over` forwards"),
            (
                "back into",
                "to the statement that ran last, in whatever function",
            ),
        ],
        run: back,
        complete: |_, text| command::Candidates::first(text, vec!["into".to_owned()]),
    },
    Info {
        name: "continue",
        arguments: "",
        about: "while stepping: on to the next breakpoint, or to the next decision",
        examples: &[(
            "continue",
            "the answer is given, unless a breakpoint comes first",
        )],
        run: |session, _| go_on(session),
        complete: no_candidates,
    },
    Info {
        name: "leave",
        arguments: "",
        about: "while stepping: back to the decision; the answer is not given",
        examples: &[("leave", "choose something else")],
        run: |session, _| match session.stepping.take() {
            Some(_) => Reply::ok(session.question(false)),
            None => nothing(),
        },
        complete: no_candidates,
    },
    Info {
        name: "locals",
        arguments: "",
        about: "while stepping: the variables of the function, with their values",
        examples: &[("locals", "one a line")],
        run: |session, _| session.stepping_shows(Session::locals),
        complete: no_candidates,
    },
    Info {
        name: "where",
        arguments: "",
        about: "while stepping: who called whom, with the arguments",
        examples: &[("where", "the innermost function first")],
        run: |session, _| session.stepping_shows(Session::calls),
        complete: no_candidates,
    },
    super::breaks::BREAK,
];

/// Whether a command is only for stepping. Elsewhere, what is cut short does not mean it.
pub(in crate::repl) fn only_inside(name: &str) -> bool {
    !matches!(name, "into" | "break") && COMMANDS.iter().any(|info| info.name == name)
}

/// States that are kept around the one that is looked at: stepping further runs the answer again.
const KEPT: usize = 128;

/// What is stepped through.
#[derive(Clone, Debug)]
pub(in crate::repl) enum Cause {
    /// An answer to the pending decision.
    Answer(Answer),
    /// The next entry of the opened scenario, which gives this answer.
    Entry(Answer),
}

impl Cause {
    fn answer(&self) -> &Answer {
        match self {
            Self::Answer(answer) | Self::Entry(answer) => answer,
        }
    }
}

/// An answer that is stepped through.
#[derive(Debug)]
pub(in crate::repl) struct Stepping {
    /// Of which of the session's games.
    game: usize,
    cause: Cause,
    trial: Trial,
    /// The statement that is about to run, by its position among all that run.
    at: usize,
    /// The statements before which the states are kept.
    kept: Range<usize>,
    /// The last line that stepped: an empty one is the same again.
    again: String,
}

impl Stepping {
    fn state(&self) -> Option<&State> {
        let place = self.at.checked_sub(self.kept.start)?;
        self.trial.watch.states.get(place)
    }
}

fn nothing() -> Reply {
    Reply::failed(
        "nothing is stepped through: `into ANSWER` begins; for the answer given last, `undo` comes before",
    )
}

fn into(session: &mut Session, args: &Args<'_>) -> Reply {
    if session.stepping.is_some() {
        if args.number(1).is_err() {
            return Reply::failed(format!(
                "`into {}`: an answer is stepped through already; `into` goes on, `leave` goes back to the decision",
                args.text
            ));
        }
        return session.walk(args, |_, at| Some(at + 1));
    }
    let Some(decision) = session.game.decision() else {
        return Reply::failed("the game is over: nothing is asked");
    };
    if args.text.is_empty() {
        return session.step_into_entry();
    }
    match answer::parse(&decision, args.text) {
        Ok(answer) => session.step_into(Cause::Answer(answer)),
        Err(error) => Reply::failed(session.refused(&decision, args.text).unwrap_or(error)),
    }
}

fn back(session: &mut Session, args: &Args<'_>) -> Reply {
    let Some(stepping) = &session.stepping else {
        return nothing();
    };
    let at = stepping.at;
    let to = match args.words[..] {
        [] => session.stepped().and_then(|walk| walk.back(at)),
        ["into"] => at.checked_sub(1),
        _ => return Reply::failed("`back` or `back into` is meant"),
    };
    match to {
        Some(to) => session.show_at(to, false),
        None => Reply::failed("nothing ran before this: `leave` goes back to the decision"),
    }
}

fn go_on(session: &mut Session) -> Reply {
    let Some(stepping) = &session.stepping else {
        return nothing();
    };
    let from = stepping.at + 1;
    match session.next_break(from) {
        Some((at, all)) => session.show_breaks(at, &all),
        None => session.finish(true),
    }
}

impl Session {
    fn keys_for_into(&self, text: &str) -> command::Candidates {
        let decision = self.game.decision();
        let choices = decision.into_iter().flat_map(|decision| decision.choices);
        match self.stepping {
            Some(_) => command::Candidates::default(),
            None => command::Candidates {
                start: 0,
                words: choices
                    .map(|choice| choice.key)
                    .filter(|key| key.starts_with(text))
                    .collect(),
            },
        }
    }

    /// Steps through the answer that the opened scenario gives next; other entries are done at once.
    fn step_into_entry(&mut self) -> Reply {
        if self.story.opened.is_none() {
            return Reply::failed("`into ANSWER` steps through what comes of an answer");
        }
        match self.entry_answer() {
            Some(answer) => self.step_into(Cause::Entry(answer)),
            None => super::scenario::next_now(self),
        }
    }

    /// The answer that the opened scenario gives next, if it gives one to what is asked.
    pub(super) fn entry_answer(&self) -> Option<Answer> {
        let opened = self.story.opened.as_ref()?;
        let play = opened.scenario.plays.get(self.entry()?)?;
        let Act::Answer(asked, written) = &play.act else {
            return None;
        };
        let decision = self.game.decision()?;
        let is_asked = decision.key == asked.decision && decision.player == asked.player;
        decision.read(written).ok().filter(|_| is_asked)
    }

    /// Begins to step through an answer.
    fn step_into(&mut self, cause: Cause) -> Reply {
        let stepping = self.tried(cause, 0..KEPT);
        if let Err(GameError::Rejected(rejection)) = &stepping.trial.outcome {
            return Reply::failed(rejection.to_string());
        }
        if stepping.trial.watch.points.is_empty() {
            self.stepping = Some(Box::new(stepping));
            return self.finish(true);
        }
        self.stepping = Some(Box::new(stepping));
        self.show_at(0, true)
    }

    fn tried(&mut self, cause: Cause, kept: Range<usize>) -> Stepping {
        let watch = Watch::new(&self.game.rules, kept.clone());
        let trial = self.game.try_out(cause.answer(), watch);
        Stepping {
            game: self.games,
            cause,
            trial,
            at: 0,
            kept,
            again: "into".to_owned(),
        }
    }

    /// Stops an answer that comes to a breakpoint before it is given; nothing if it comes to none.
    pub(in crate::repl) fn stopped_by_break(&mut self, cause: Cause) -> Option<Reply> {
        if self.breaks.is_empty() {
            return None;
        }
        let stepping = self.tried(cause, 0..KEPT);
        let before = self.stepping.replace(Box::new(stepping));
        match self.next_break(0) {
            Some((at, all)) => Some(self.show_breaks(at, &all)),
            None => {
                self.stepping = before;
                None
            }
        }
    }

    /// The next statement at which breakpoints stop, with the positions of all that do.
    fn next_break(&self, from: usize) -> Option<(usize, Vec<usize>)> {
        let stops: Vec<(usize, Stop)> = self
            .breaks
            .iter()
            .enumerate()
            .flat_map(|(which, known)| {
                let stops = known.stops(&self.game);
                stops.into_iter().map(move |stop| (which, stop))
            })
            .collect();
        let only: Vec<Stop> = stops.iter().map(|(_, stop)| *stop).collect();
        let (at, own) = self.stepped()?.next_stop(from, &only)?;
        let mut all: Vec<usize> = own.into_iter().map(|stop| stops[stop].0).collect();
        all.dedup();
        Some((at, all))
    }

    fn show_breaks(&mut self, at: usize, all: &[usize]) -> Reply {
        let mut told = String::new();
        for which in all {
            let Some(known) = self.breaks.get(*which) else {
                continue;
            };
            told.push_str(&format!("breakpoint {}: {known}\n", which + 1));
            if let Some(changed) = self.changed_elsewhere(at, known) {
                told.push_str(&render(&[Line::plain(changed)], self.look));
            }
        }
        let mut reply = self.show_at(at, true);
        reply.text.insert_str(0, &told);
        reply
    }

    /// Where the change was made after which a breakpoint stops, if that is not the function that goes on.
    fn changed_elsewhere(&self, at: usize, known: &Break) -> Option<String> {
        let walk = self.stepped()?;
        let mut stops = known.stops(&self.game).into_iter();
        let changer = stops.find_map(|stop| walk.changer(at, stop))?;
        let function = |at: usize| walk.watch.points[at].function;
        if function(changer) == function(at) {
            return None;
        }
        let rules = &self.game.rules;
        let place = rules.pack.sources.place(walk.span(changer));
        let name = &rules.program.functions[function(changer).index()].name;
        Some(format!("  changed at {place}  {name}"))
    }

    /// What was seen of the answer that is stepped through.
    fn stepped(&self) -> Option<Walk<'_>> {
        let stepping = self.stepping.as_ref()?;
        Some(Walk {
            rules: &self.game.rules,
            watch: &stepping.trial.watch,
        })
    }

    /// Goes on in some way, perhaps several times.
    fn walk(&mut self, args: &Args<'_>, next: impl Fn(&Walk<'_>, usize) -> Option<usize>) -> Reply {
        let Some(stepping) = &self.stepping else {
            return nothing();
        };
        let times = match args.number(1) {
            Ok(times) => times,
            Err(error) => return Reply::failed(error),
        };
        let mut at = stepping.at;
        let Some(walk) = self.stepped() else {
            return nothing();
        };
        let end = walk.watch.points.len();
        for _ in 0..times {
            at = next(&walk, at).unwrap_or(end);
            if at >= end {
                break;
            }
        }
        // A breakpoint on the way comes first, also on the way to the end.
        match self.next_break(stepping.at + 1) {
            Some((stop, all)) if stop < at => self.show_breaks(stop, &all),
            _ if at >= end => self.finish(false),
            _ => self.show_at(at, true),
        }
    }

    /// The end of what is stepped through: the answer is given. A script that fails is told of, and can be
    /// looked at further unless this is to go on whatever comes.
    fn finish(&mut self, whatever: bool) -> Reply {
        let Some(stepping) = self.stepping.take() else {
            return nothing();
        };
        if let Err(error) = &stepping.trial.outcome {
            let mut told = self.error(error);
            if whatever || stepping.trial.watch.points.is_empty() {
                told.push_str("the answer is not given\n");
            } else {
                told.push_str(
                    "`back` looks at what led there, `leave` goes back to the decision\n",
                );
                // It stands where it failed: `back` and `locals` are about what led there.
                let failing = stepping.trial.watch.points.len() - 1;
                self.stepping = Some(stepping);
                if self.state_before(failing).is_some()
                    && let Some(stepping) = &mut self.stepping
                {
                    stepping.at = failing;
                }
            }
            return Reply::failed(told);
        }
        match stepping.cause {
            Cause::Answer(answer) => self.give_now(&answer),
            Cause::Entry(_) => super::scenario::next_now(self),
        }
    }

    /// Shows a statement; forwards, with what happened since the one that was shown before.
    fn show_at(&mut self, at: usize, forwards: bool) -> Reply {
        let Some(before) = self.stepping.as_ref().map(|stepping| stepping.at) else {
            return nothing();
        };
        let was = self.state_before(before);
        let is = self.state_before(at);
        let (Some(was), Some(is)) = (was, is) else {
            return Reply::failed("the statement cannot be reached again");
        };
        if let Some(stepping) = &mut self.stepping {
            stepping.at = at;
        }
        let mut text = String::new();
        if forwards && at > before {
            text.push_str(&render(&self.happened(before..at, &was, &is), self.look));
        }
        if let (Some(walk), Some(stepping)) = (self.stepped(), &self.stepping) {
            text.push_str(&self.place(&walk, stepping, &is));
        }
        Reply::ok(text)
    }

    /// The state before a statement.
    fn state_before(&mut self, at: usize) -> Option<State> {
        let stepping = self.stepping.as_mut()?;
        if !stepping.kept.contains(&at) {
            let kept = at.saturating_sub(KEPT / 2)..at + KEPT;
            let watch = Watch::new(&self.game.rules, kept.clone());
            stepping.trial = self.game.try_out(stepping.cause.answer(), watch);
            stepping.kept = kept;
        }
        let place = at - stepping.kept.start;
        stepping.trial.watch.states.get(place).cloned()
    }

    /// What happened between two statements.
    fn happened(&self, between: Range<usize>, was: &State, is: &State) -> Vec<Line> {
        let Some(walk) = self.stepped() else {
            return Vec::new();
        };
        let rules = &self.game.rules;
        let layout = rules.layout();
        let mut lines = Vec::new();
        let mut tell = |text: String| lines.push(Line::of(format!("  {text}"), Paint::Bold));
        let before = Sight::new(layout, &was.table, Viewer::All);
        let after = Sight::new(layout, &is.table, Viewer::All);
        for change in changes(layout, (&was.table, &before), (&is.table, &after)) {
            tell(format!("{}: {}", change.path, change.text));
        }
        for event in between.clone().flat_map(|at| walk.events(at)) {
            match event {
                Event::Said { text } => tell(format!("said: {text}")),
                Event::Noted {
                    statistic, what, ..
                } => {
                    let mut text = rules.pack.statistics[statistic.index()].name.title.clone();
                    if *what != Value::UNIT {
                        text.push_str(": ");
                        text.push_str(&layout.title(is.table.declared(layout, *what)));
                    }
                    tell(format!("noted: {text}"));
                }
                Event::Refused { .. } => {
                    if let Some((key, reason)) = refusal(rules, is, event) {
                        tell(format!("refused: {key}: {reason}"));
                    }
                }
                _ => {}
            }
        }
        let offered = is.run.offers.len();
        for offer in was.run.offers.len()..offered {
            let parts = decision::parts(is, offer as u16).iter();
            let keys: Vec<String> = parts.map(|part| decision::key(rules, is, *part)).collect();
            tell(format!("offered: {}", keys.join(" ")));
        }
        if let Some(stepping) = &self.stepping {
            let ends = &stepping.trial.watch.stops;
            for (nth, end) in ends.iter().enumerate() {
                if *end > between.start
                    && *end <= between.end
                    && let Some(step) = stepping.trial.steps.get(nth + 1)
                {
                    let answer = step.decision.write(&step.answer);
                    tell(format!(
                        "asked: {} of player {}, who can only answer {answer}",
                        step.decision.key,
                        step.decision.player.0 + 1
                    ));
                }
            }
        }
        lines
    }

    /// Where the walk stands: functions, source line, variables.
    fn place(&self, walk: &Walk<'_>, stepping: &Stepping, state: &State) -> String {
        let sources = &self.game.rules.pack.sources;
        let span = walk.span(stepping.at);
        let mut head = Line::of(sources.place(span), Paint::Dim);
        let functions = &self.game.rules.program.functions;
        let frames = state.run.frames.iter().rev();
        let mut names: Vec<&str> = Vec::new();
        for frame in frames {
            names.push(&functions[frame.function.index()].name);
            // The flow around its innermost block is for `where`.
            if self.game.rules.block_of(frame.function).is_some() {
                break;
            }
        }
        head.push(format!("  {}", names.join(" < ")), Paint::Plain);
        if walk.watch.points[stepping.at].tried {
            head.push("  (tried: the table is put back)", Paint::Dim);
        }
        let mut text = render(&[head], self.look);
        let mut excerpt = sources.excerpt(span);
        let gutter = excerpt.line.to_string();
        // They stay below each other, where the terminal would break a long line.
        if self.look.wraps {
            excerpt = excerpt.cut(self.look.width.saturating_sub(gutter.len() + " | ".len()));
        }
        let mut line = Line::of(format!("{gutter} | "), Paint::Dim);
        line.push(excerpt.text, Paint::Plain);
        let mut mark = Line::of(
            format!("{:width$} | ", "", width = gutter.len()),
            Paint::Dim,
        );
        let marked = format!("{}{}", " ".repeat(excerpt.start), "^".repeat(excerpt.width));
        mark.push(marked, Paint::Bold);
        for line in [line, mark] {
            text.push_str(&line.render(self.look));
            text.push('\n');
        }
        let locals = walk.locals(state);
        if !locals.is_empty() {
            let words: Vec<String> = locals
                .into_iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let line = Line::plain(format!("    {}", words.join(", ")));
            text.push_str(&render(&[line], self.look));
        }
        text
    }

    fn locals(&self, walk: &Walk<'_>, stepping: &Stepping) -> Vec<Line> {
        let Some(state) = stepping.state() else {
            return Vec::new();
        };
        let locals = walk.locals(state);
        let widest = locals.iter().map(|(name, _)| name.chars().count()).max();
        let widest = widest.unwrap_or(0);
        let line =
            |(name, value): (String, String)| Line::plain(format!("{name:widest$}  {value}"));
        match locals.is_empty() {
            true => vec![Line::plain("no variables yet".to_owned())],
            false => locals.into_iter().map(line).collect(),
        }
    }

    fn calls(&self, walk: &Walk<'_>, stepping: &Stepping) -> Vec<Line> {
        let Some(state) = stepping.state() else {
            return Vec::new();
        };
        let sources = &self.game.rules.pack.sources;
        let calls = walk.calls(stepping.at, state);
        let line = |(nth, call): (usize, crate::script::stepping::Call)| {
            let mut line = Line::of(format!("{nth:>2} "), Paint::Dim);
            line.push(call.function, Paint::Plain);
            line.push(format!("  {}", sources.place(call.at)), Paint::Dim);
            line
        };
        calls.into_iter().enumerate().map(line).collect()
    }

    fn stepping_shows(&self, show: fn(&Self, &Walk<'_>, &Stepping) -> Vec<Line>) -> Reply {
        match (self.stepped(), &self.stepping) {
            (Some(walk), Some(stepping)) => {
                Reply::ok(render(&show(self, &walk, stepping), self.look))
            }
            _ => nothing(),
        }
    }

    /// The function that is stepped through, for the prompt.
    pub(in crate::repl) fn stepping_in(&self) -> Option<&str> {
        let stepping = self.stepping.as_ref()?;
        let point = stepping.trial.watch.points.get(stepping.at)?;
        let code = &self.game.rules.program.functions[point.function.index()];
        Some(&code.name)
    }
}
