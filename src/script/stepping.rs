//! Walking through a run that was watched: statement by statement, over calls, out of functions, back, and
//! to breakpoints.

use crate::diag::{Sources, Span};
use crate::table::event::Event;
use crate::table::ids::{
    CounterId, DialId, FunctionId, ParameterId, PieceId, ToggleId, ZoneFamilyId, ZoneId,
};

use super::evaluate::{Name, frame_names};
use super::machine::{Point, Watch, in_words};
use super::rules::Rules;
use super::state::{Frame, State};

/// Where a run is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// At the first statement of a function.
    Function(FunctionId),
    /// At a statement, by its position among the program's.
    Statement(u32),
    /// Before a statement that reads a parameter.
    Parameter(ParameterId),
    /// After a change of an item of a family.
    Change(Family),
    /// After a change of a counter, a dial or a toggle, by its cell in the table.
    Cell(u16),
    /// After a change of what lies in a zone, or of its order.
    Zone(ZoneId),
    /// After a piece has moved, been turned over, or shows another face.
    Piece(PieceId),
}

/// A family of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Counters.
    Counter(CounterId),
    /// Zones.
    Zone(ZoneFamilyId),
    /// Dials.
    Dial(DialId),
    /// Toggles.
    Toggle(ToggleId),
}

/// A function that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name with its arguments: `f(a = 1)`.
    pub function: String,
    /// Where it is: at which statement, or at which call in it.
    pub at: Span,
}

/// A run that was watched, by its rules.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// What was seen.
    pub watch: &'a Watch,
}

impl Walk<'_> {
    fn point(&self, at: usize) -> Option<&Point> {
        self.watch.points.get(at)
    }

    /// The place of a statement that ran.
    pub fn span(&self, at: usize) -> Span {
        let point = self.point(at);
        point.map_or_else(Span::default, |point| {
            let span = self.rules.program.statements[point.statement as usize].span;
            whole(&self.rules.pack.sources, span)
        })
    }

    /// How deep a statement is: the functions around it, and the closures in its own.
    fn depth(&self, point: &Point) -> (u16, u8) {
        let statement = &self.rules.program.statements[point.statement as usize];
        (point.depth, statement.closures)
    }

    /// The next statement that is no deeper than one: what it calls is passed over.
    pub fn over(&self, at: usize) -> Option<usize> {
        let here = self.depth(self.point(at)?);
        self.find(at + 1, |point| self.depth(point) <= here)
    }

    /// The next statement outside of the function of one.
    pub fn out(&self, at: usize) -> Option<usize> {
        let depth = self.point(at)?.depth;
        self.find(at + 1, |point| point.depth < depth)
    }

    /// The statement before one that is no deeper than it.
    pub fn back(&self, at: usize) -> Option<usize> {
        let here = self.depth(self.point(at)?);
        let earlier = &self.watch.points[..at];
        earlier.iter().rposition(|point| self.depth(point) <= here)
    }

    fn find(&self, from: usize, wanted: impl Fn(&Point) -> bool) -> Option<usize> {
        let later = self.watch.points.get(from..)?;
        later.iter().position(wanted).map(|after| from + after)
    }

    /// The next statement from one on at which some of the breakpoints stop, with the positions of these.
    pub fn next_stop(&self, from: usize, stops: &[Stop]) -> Option<(usize, Vec<usize>)> {
        (from..self.watch.points.len()).find_map(|at| {
            let own = (0..stops.len()).filter(|stop| self.stops(at, stops[*stop]));
            let own: Vec<usize> = own.collect();
            (!own.is_empty()).then_some((at, own))
        })
    }

    fn stops(&self, at: usize, stop: Stop) -> bool {
        let point = &self.watch.points[at];
        match stop {
            Stop::Function(function) => point.entered && point.function == function,
            Stop::Statement(statement) => point.statement == statement,
            Stop::Parameter(parameter) => {
                let reads = &self.watch.reads;
                let first = reads.partition_point(|(reader, _)| *reader < at);
                let own = reads[first..]
                    .iter()
                    .take_while(|(reader, _)| *reader == at);
                own.into_iter().any(|(_, read)| *read == parameter)
            }
            Stop::Change(_) | Stop::Cell(_) | Stop::Zone(_) | Stop::Piece(_) => {
                // What the last statement changes is told before it: nothing comes after.
                self.changer(at, stop).is_some()
                    || at + 1 == self.watch.points.len() && self.changes(at, stop)
            }
        }
    }

    /// The statement before this one, if it made the change after which there is a stop.
    pub fn changer(&self, at: usize, stop: Stop) -> Option<usize> {
        let before = at.checked_sub(1)?;
        self.changes(before, stop).then_some(before)
    }

    fn changes(&self, at: usize, stop: Stop) -> bool {
        let mut events = self.events(at).iter();
        events.any(|event| changes(self.rules, event, stop))
    }

    /// What happened from a statement to the next.
    pub fn events(&self, at: usize) -> &[Event] {
        let begin = |at: usize| self.point(at).map(|point| point.events as usize);
        let end = begin(at + 1).unwrap_or(self.watch.events.len());
        &self.watch.events[begin(at).unwrap_or(end)..end]
    }

    /// The functions that run in a state before a statement, the innermost first.
    pub fn calls(&self, at: usize, state: &State) -> Vec<Call> {
        let frames = state.run.frames.iter().rev();
        frames
            .enumerate()
            .map(|(outwards, frame)| Call {
                function: called(self.rules, state, frame),
                at: match outwards {
                    0 => self.span(at),
                    _ => self.rules.program.spans[(frame.pc as usize).saturating_sub(1)],
                },
            })
            .collect()
    }

    /// The variables of the function of a statement, with their values in words.
    pub fn locals(&self, state: &State) -> Vec<(String, String)> {
        let names = match state.run.frames.last() {
            Some(frame) => frame_names(self.rules, state, frame),
            None => Vec::new(),
        };
        let told = |name: Name| (name.name, in_words(self.rules, state, name.value));
        names.into_iter().map(told).collect()
    }
}

/// A statement to its end, or to the block that it opens. Where an expression stands in TOML, its place is
/// whole already.
fn whole(sources: &Sources, span: Span) -> Span {
    let source = sources.get(span.file);
    let rest = source.text.get(span.start as usize..);
    let Some(rest) = rest.filter(|_| !source.name.ends_with(".toml")) else {
        return span;
    };
    let mut open = 0_u32;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' | '[' => open += 1,
            ')' | ']' if open > 0 => open -= 1,
            ';' | '{' | '}' | ')' | ']' if open == 0 => {
                let end = span.start + rest[..at].trim_end().len() as u32;
                return Span {
                    end: end.max(span.end),
                    ..span
                };
            }
            _ => {}
        }
    }
    span
}

/// A function with its arguments.
fn called(rules: &Rules, state: &State, frame: &Frame) -> String {
    let name = &rules.program.functions[frame.function.index()].name;
    let parameters = &rules.program.signatures[frame.function.index()].parameters;
    let base = frame.base as usize;
    let arguments: Vec<String> = parameters
        .iter()
        .zip(state.run.stack.get(base..).unwrap_or_default())
        .map(|((name, _), value)| format!("{name} = {}", in_words(rules, state, *value)))
        .collect();
    match rules.program.signatures[frame.function.index()].script {
        true => format!("{name}({})", arguments.join(", ")),
        false if arguments.is_empty() => name.clone(),
        false => format!("{name} ({})", arguments.join(", ")),
    }
}

/// Whether an event changes what a stop waits for.
fn changes(rules: &Rules, event: &Event, stop: Stop) -> bool {
    let layout = rules.layout();
    let family = |family: Family| stop == Stop::Change(family);
    let zone =
        |zone: ZoneId| family(Family::Zone(layout.zones[zone.index()])) || stop == Stop::Zone(zone);
    let is_cell = |cell: u16| stop == Stop::Cell(cell);
    let is_piece = |piece: PieceId| stop == Stop::Piece(piece);
    match event {
        Event::Counted { counter, cell, .. } => family(Family::Counter(*counter)) || is_cell(*cell),
        Event::Dialled { dial, cell, .. } => family(Family::Dial(*dial)) || is_cell(*cell),
        Event::Toggled { toggle, cell, .. } => family(Family::Toggle(*toggle)) || is_cell(*cell),
        Event::Moved {
            piece, from, to, ..
        } => zone(*from) || zone(*to) || is_piece(*piece),
        Event::Made { zone: place, .. } | Event::Shuffled { zone: place, .. } => zone(*place),
        Event::Turned { piece, .. } | Event::Rolled { piece, .. } | Event::Set { piece, .. } => {
            is_piece(*piece)
        }
        _ => false,
    }
}
