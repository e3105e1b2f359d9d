//! What happened, in words, for somebody who looks.
//!
//! Events that belong together are told together: all that went from one place to another, all dice
//! rolled, the first and the last value of a number that changed several times.

use crate::flow::listing::coordinates;
use crate::flow::story::{Happened, story};
use crate::flow::{Answer, Item, Step};
use crate::script::Rules;
use crate::table::event::Event;
use crate::table::ids::{BlockId, PieceId, ZoneId};
use crate::table::layout::{Dimension, Visible};
use crate::table::ops::decode;
use crate::table::view::Viewer;
use crate::table::{Case, Layout, TableState, Value};

use super::board::{self, Form, View, Words};
use super::text::{Line, Look, Paint, indented};

/// A round and a phase that somebody was told of last, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Told(Option<(u16, Option<BlockId>)>);

impl Told {
    /// The place of an answer.
    pub(super) fn of(step: &Step) -> Self {
        Self(Some((step.position.round, step.position.phase)))
    }
}

/// Tells about events to a viewer.
#[derive(Debug)]
pub(super) struct Narrator<'a> {
    view: &'a View,
    rules: &'a Rules,
    /// The table after the events.
    words: Words<'a>,
    viewer: Viewer,
    look: Look,
}

impl<'a> Narrator<'a> {
    /// Somebody who tells about what led to a table.
    pub(super) fn new(
        rules: &'a Rules,
        view: &'a View,
        after: &'a TableState,
        viewer: Viewer,
        look: Look,
    ) -> Self {
        Self {
            view,
            rules,
            words: Words::new(rules.layout(), after, view, viewer),
            viewer,
            look,
        }
    }

    fn layout(&self) -> &'a Layout {
        self.words.layout
    }

    /// Who answered what, and whether there was a choice.
    pub(super) fn answer(&self, step: &Step) -> Line {
        let mut line = self.words.player(step.decision.player);
        line.push(": ", Paint::Plain);
        line.push(format!("{} ", step.decision.prompt), Paint::Dim);
        let secret = self.rules.pack.decisions[step.decision.id.index()].secret;
        let own = Viewer::Player(step.decision.player);
        match secret && self.viewer != own && self.viewer != Viewer::All {
            true => line.push("(sealed)", Paint::Dim),
            false => line.append(self.answer_words(step)),
        }
        if step.forced {
            line.push(" (the only answer)", Paint::Dim);
        }
        line
    }

    /// An answer in words. What the viewer saw neither before nor after it stays hidden.
    fn answer_words(&self, step: &Step) -> Line {
        let before = Words::new(self.layout(), &step.before.table, self.view, self.viewer);
        let choice = |offer: u16| -> Line {
            let mut line = Line::new();
            let found = step
                .decision
                .choices
                .iter()
                .find(|choice| choice.offer == offer);
            let Some(found) = found else { return line };
            for (at, part) in found.parts.iter().enumerate() {
                if at > 0 {
                    line.push(", ", Paint::Plain);
                }
                line.append(match part.case() {
                    Case::Piece(piece) if !before.sight.can_see(piece) => {
                        self.words.piece(piece, Form::Text)
                    }
                    _ => before.value(*part),
                });
            }
            line
        };
        match &step.answer {
            Answer::One(offer) => choice(*offer),
            Answer::Number(number) => Line::plain(number.to_string()),
            Answer::Confirm(yes) => Line::plain(if *yes { "yes" } else { "no" }),
            Answer::Texts(None) => Line::of("without words", Paint::Dim),
            Answer::Texts(Some(texts)) => {
                let texts: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
                Line::plain(texts.join(", "))
            }
            Answer::Some(offers) if offers.is_empty() => Line::plain("none"),
            Answer::Some(offers) => {
                let all = offers.iter().map(|offer| choice(*offer)).collect();
                join(board::counted(all, true))
            }
        }
    }

    /// The heading of a place, unless it was told last.
    fn heading(&self, told: &mut Told, now: Told) -> Option<Line> {
        let known = std::mem::replace(told, now);
        let (round, phase) = now.0.filter(|_| known != now)?;
        let line = board::place(self.rules, self.view, round, phase);
        (!line.is_empty()).then_some(line)
    }

    /// Who answered what, under the heading of where, unless that was told last. `before` stands before it.
    pub(super) fn step(&self, step: &Step, before: Line, told: &mut Told) -> Vec<Line> {
        let mut lines: Vec<Line> = self.heading(told, Told::of(step)).into_iter().collect();
        let mut line = before;
        line.append(self.answer(step));
        lines.push(line);
        lines
    }

    /// What happened, set in, with headings where another round or phase began.
    pub(super) fn happened(&self, events: &[Event], told: &mut Told) -> Vec<Line> {
        let mut lines = Vec::new();
        let begins = |event: &Event| matches!(event, Event::Entered { .. });
        for events in events.chunk_by(|_, next| !begins(next)) {
            let found = self.events(events);
            if found.is_empty() {
                continue;
            }
            if let Some(Event::Entered { round, phase }) = events.first() {
                lines.extend(self.heading(told, Told(Some((*round, *phase)))));
            }
            lines.extend(indented(found));
        }
        lines
    }

    /// What happened, one thing a line.
    fn events(&self, events: &[Event]) -> Vec<Line> {
        let story = story(self.layout(), events);
        let moves = |wanted: PieceId| {
            story.iter().any(|happened| {
                matches!(happened, Happened::Moved { pieces, .. }
                    if pieces.iter().any(|(piece, _)| *piece == wanted))
            })
        };
        let mut lines = Vec::new();
        // All dice together, where the first was rolled.
        let mut rolls: Vec<Line> = Vec::new();
        let mut rolled_at = 0;
        for happened in &story {
            match happened {
                // A die that is set where it is put only follows its move.
                Happened::Set(piece, _) if moves(*piece) => {}
                Happened::Rolled(piece, face) | Happened::Set(piece, face) => {
                    if self.words.sight.can_see(*piece) {
                        if rolls.is_empty() {
                            rolled_at = lines.len();
                        }
                        let mut line = self.words.known_piece(*piece, Form::Text);
                        line.push(format!(" {face}"), Paint::Plain);
                        rolls.push(line);
                    }
                }
                happened => lines.extend(self.tell(happened)),
            }
        }
        if !rolls.is_empty() {
            let mut line = Line::plain("Dice: ");
            line.append(join(rolls));
            lines.insert(rolled_at, line);
        }
        lines
    }

    /// A piece that moved: known if it can be seen where it came to, or was seen where it lay.
    fn moved_piece(&self, piece: PieceId, from: ZoneId, to: ZoneId, face_down: bool) -> Line {
        let layout = self.layout();
        let owns = |zone: ZoneId| {
            layout.family(zone).visible == Visible::Owner && self.words.sight.can_look_into(zone)
        };
        let known = self.viewer == Viewer::All
            || owns(from)
            || owns(to)
            || !face_down && self.words.sight.can_look_into(to);
        match known {
            true => self.words.known_piece(piece, Form::Text),
            false => self
                .words
                .hidden_piece(self.words.state.info(layout, piece).kind),
        }
    }

    fn tell(&self, happened: &Happened) -> Option<Line> {
        let layout = self.layout();
        let arrow = self.look.either(" → ", " -> ");
        match happened {
            Happened::Moved { from, to, pieces } => {
                let quiet = |zone: &ZoneId| {
                    let family = layout.zones[zone.index()];
                    self.view.quiet_zones.contains(&family)
                };
                if quiet(from) || quiet(to) {
                    return None;
                }
                let pieces = pieces
                    .iter()
                    .map(|(piece, face_down)| self.moved_piece(*piece, *from, *to, *face_down))
                    .collect();
                let mut line = join(board::counted(pieces, true));
                line.push(
                    format!(
                        ": {}{arrow}{}",
                        self.words.zone(*from),
                        self.words.zone(*to)
                    ),
                    Paint::Plain,
                );
                Some(line)
            }
            Happened::Changed { item, from, to } if from != to => self.changed(*item, *from, *to),
            // To shuffle one piece, or none, is not worth a word.
            Happened::Shuffled(zone, pieces) if *pieces > 1 => {
                Some(Line::plain(format!("{}: shuffled", self.words.zone(*zone))))
            }
            Happened::Picked(stream, value) => {
                let mut line =
                    Line::plain(format!("{}: ", in_words(&layout.streams[stream.index()].0)));
                line.append(self.words.value(*value));
                Some(line)
            }
            Happened::Turned(piece, face_down) => {
                let mut line = self.words.piece(*piece, Form::Text);
                line.push(
                    if *face_down {
                        ": face down"
                    } else {
                        ": face up"
                    },
                    Paint::Plain,
                );
                Some(line)
            }
            Happened::Said(text) => Some(Line::of(text.clone(), Paint::Bold)),
            Happened::Changed { .. }
            | Happened::Shuffled(..)
            | Happened::Rolled(..)
            | Happened::Set(..)
            | Happened::Formed(_)
            | Happened::Ceased(_) => None,
        }
    }

    /// A number that changed, if it may be seen.
    fn changed(&self, item: Item, from: i32, to: i32) -> Option<Line> {
        let layout = self.layout();
        let arrow = self.look.either(" → ", " -> ");
        match item {
            Item::Counter(counter, position) => {
                if self.view.quiet_counters.contains(&counter) {
                    return None;
                }
                self.words.sight.counter(counter, position)?;
                let family = &layout.counters[counter.index()];
                let mut line = self.owner(&family.name.title, &family.dimensions, position);
                line.append(self.words.value(decode(layout, family.holds, from)));
                line.push(arrow, Paint::Plain);
                line.append(self.words.value(decode(layout, family.holds, to)));
                Some(line)
            }
            Item::Dial(dial, position) => {
                self.words.sight.dial(dial, position)?;
                let family = &layout.dials[dial.index()];
                let face = |needle| item.of_cell(layout, self.words.state, needle);
                let mut line = self.owner(&family.name.title, &family.dimensions, position);
                line.push(format!("{}{arrow}{}", face(from), face(to)), Paint::Plain);
                Some(line)
            }
            Item::Toggle(toggle, position) => {
                self.words.sight.toggle(toggle, position)?;
                let family = &layout.toggles[toggle.index()];
                let mut line = self.owner(&family.name.title, &family.dimensions, position);
                line.push(if to != 0 { "on" } else { "off" }, Paint::Plain);
                Some(line)
            }
            Item::Zone(_) | Item::Face(_) | Item::Place(_) => None,
        }
    }

    /// Whose number it is, and its title.
    fn owner(&self, title: &str, dimensions: &[Dimension], position: u16) -> Line {
        let mut line = Line::new();
        let mut others = Vec::new();
        for value in coordinates(self.layout(), dimensions, position) {
            match value.case() {
                Case::Player(_) if line.is_empty() => {
                    line = self.words.value(value);
                    line.push(": ", Paint::Plain);
                }
                // A hidden piece is named by its kind only.
                Case::Piece(piece) if !self.words.sight.can_see(piece) => {}
                _ => others.push(value),
            }
        }
        line.push(
            format!("{} ", self.words.with_coordinates(title, &others)),
            Paint::Plain,
        );
        line
    }
}

/// Lines with commas between them.
pub(super) fn join(lines: Vec<Line>) -> Line {
    let mut whole = Line::new();
    for line in lines {
        if !whole.is_empty() {
            whole.push(", ", Paint::Plain);
        }
        whole.append(line);
    }
    whole
}

/// An id as words: "first_player" is "First player".
pub(super) fn in_words(id: &str) -> String {
    let words = id.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// The reason of a refusal, with its numbers.
pub(super) fn reason(rules: &Rules, words: &Words<'_>, event: &Event) -> Option<String> {
    let Event::Refused {
        reason, numbers, ..
    } = event
    else {
        return None;
    };
    let plain = |number: &Value| -> String {
        let value = words.value(*number);
        value.characters().map(|(character, _)| character).collect()
    };
    let numbers: Vec<String> = numbers.iter().map(plain).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    Some(rules.pack.reasons[reason.index()].says(&numbers))
}
