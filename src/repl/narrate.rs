//! What happened, in words, for somebody who looks.
//!
//! Events that belong together are told together: all that went from one place to another, all dice
//! rolled, the first and the last value of a number that changed several times.

use crate::flow::{Answer, Step};
use crate::pack::model::DecisionInfo;
use crate::script::Rules;
use crate::table::event::Event;
use crate::table::ids::{CounterId, DialId, PieceId, ToggleId, ZoneId};
use crate::table::layout::{Dimension, Domain, Visible};
use crate::table::ops::decode;
use crate::table::view::Viewer;
use crate::table::{Layout, TableState, Value};

use super::board::{Form, View, Words};
use super::text::{Line, Look, Paint};

/// Tells about events to a viewer.
#[derive(Debug)]
pub(super) struct Narrator<'a> {
    view: &'a View,
    decisions: &'a [DecisionInfo],
    /// The table after the events.
    words: Words<'a>,
    viewer: Viewer,
    look: Look,
}

/// What is told, in the order in which each first happened.
enum Told {
    Moves {
        from: ZoneId,
        to: ZoneId,
        pieces: Vec<Line>,
    },
    Rolls(Vec<Line>),
    Counter {
        counter: CounterId,
        cell: u16,
        from: i32,
        to: i32,
    },
    Dial {
        dial: DialId,
        cell: u16,
        from: i32,
        to: i32,
    },
    Toggle {
        toggle: ToggleId,
        cell: u16,
        on: bool,
    },
    Text(Line),
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
            decisions: &rules.pack.decisions,
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
        let secret = self.decisions[step.decision.id.index()].secret;
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
                line.append(match part {
                    Value::Piece(piece) if !before.sight.can_see(*piece) => {
                        self.words.piece(*piece, Form::Text)
                    }
                    part => before.value(*part),
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
                join(super::board::counted(all, true))
            }
        }
    }

    /// What happened, one thing a line.
    pub(super) fn events(&self, events: &[Event]) -> Vec<Line> {
        let mut told: Vec<Told> = Vec::new();
        let moves = |wanted: &PieceId| {
            events
                .iter()
                .any(|event| matches!(event, Event::Moved { piece, .. } if piece == wanted))
        };
        for event in events {
            // A die that is set where it is put only follows its move.
            if !matches!(event, Event::Set { piece, .. } if moves(piece)) {
                self.take(event, &mut told);
            }
        }
        told.into_iter()
            .filter_map(|told| self.tell(told))
            .collect()
    }

    fn take(&self, event: &Event, told: &mut Vec<Told>) {
        let layout = self.layout();
        match event {
            Event::Moved {
                piece,
                from,
                to,
                face_down,
            } => {
                let families = [from, to].map(|zone| layout.zones[zone.index()]);
                if families
                    .iter()
                    .any(|family| self.view.quiet_zones.contains(family))
                {
                    return;
                }
                let line = self.moved_piece(*piece, *from, *to, *face_down);
                let same = told.iter_mut().find_map(|known| match known {
                    Told::Moves {
                        from: a,
                        to: b,
                        pieces,
                    } if (*a, *b) == (*from, *to) => Some(pieces),
                    _ => None,
                });
                match same {
                    Some(pieces) => pieces.push(line),
                    None => told.push(Told::Moves {
                        from: *from,
                        to: *to,
                        pieces: vec![line],
                    }),
                }
            }
            Event::Rolled { piece, face } | Event::Set { piece, face } => {
                if !self.words.sight.can_see(*piece) {
                    return;
                }
                let mut line = self.words.known_piece(*piece, Form::Text);
                line.push(format!(" {face}"), Paint::Plain);
                let same = told.iter_mut().find_map(|known| match known {
                    Told::Rolls(rolls) => Some(rolls),
                    _ => None,
                });
                match same {
                    Some(rolls) => rolls.push(line),
                    None => told.push(Told::Rolls(vec![line])),
                }
            }
            Event::Counted {
                counter,
                cell,
                from,
                to,
            } => {
                if self.view.quiet_counters.contains(counter) {
                    return;
                }
                let same = told.iter_mut().find_map(|known| match known {
                    Told::Counter {
                        counter: a,
                        cell: b,
                        to,
                        ..
                    } if (*a, *b) == (*counter, *cell) => Some(to),
                    _ => None,
                });
                match same {
                    Some(last) => *last = *to,
                    None => told.push(Told::Counter {
                        counter: *counter,
                        cell: *cell,
                        from: *from,
                        to: *to,
                    }),
                }
            }
            Event::Dialled {
                dial,
                cell,
                from,
                to,
            } => {
                let same = told.iter_mut().find_map(|known| match known {
                    Told::Dial {
                        dial: a,
                        cell: b,
                        to,
                        ..
                    } if (*a, *b) == (*dial, *cell) => Some(to),
                    _ => None,
                });
                match same {
                    Some(last) => *last = *to,
                    None => told.push(Told::Dial {
                        dial: *dial,
                        cell: *cell,
                        from: *from,
                        to: *to,
                    }),
                }
            }
            Event::Toggled { toggle, cell, on } => told.push(Told::Toggle {
                toggle: *toggle,
                cell: *cell,
                on: *on,
            }),
            Event::Shuffled { zone, order } => {
                // To shuffle one piece, or none, is not worth a word.
                if order.len() > 1 {
                    told.push(Told::Text(Line::plain(format!(
                        "{}: shuffled",
                        self.words.zone(*zone)
                    ))));
                }
            }
            Event::Picked { stream, value } => {
                let mut line =
                    Line::plain(format!("{}: ", in_words(&layout.streams[stream.index()].0)));
                line.append(self.words.value(*value));
                told.push(Told::Text(line));
            }
            Event::Turned { piece, face_down } => {
                let mut line = self.words.piece(*piece, Form::Text);
                line.push(
                    if *face_down {
                        ": face down"
                    } else {
                        ": face up"
                    },
                    Paint::Plain,
                );
                told.push(Told::Text(line));
            }
            Event::Said { text } => told.push(Told::Text(Line::of(text.clone(), Paint::Bold))),
            Event::Made { .. }
            | Event::Formed { .. }
            | Event::Ceased { .. }
            | Event::Refused { .. }
            | Event::Hinted { .. }
            | Event::Asked { .. } => {}
        }
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

    fn tell(&self, told: Told) -> Option<Line> {
        let layout = self.layout();
        let arrow = self.look.either(" → ", " -> ");
        match told {
            Told::Moves { from, to, pieces } => {
                let mut line = join(super::board::counted(pieces, true));
                line.push(
                    format!(": {}{arrow}{}", self.words.zone(from), self.words.zone(to)),
                    Paint::Plain,
                );
                Some(line)
            }
            Told::Rolls(rolls) => {
                let mut line = Line::plain("Dice: ");
                line.append(join(rolls));
                Some(line)
            }
            Told::Counter {
                counter,
                cell,
                from,
                to,
            } => {
                let family = &layout.counters[counter.index()];
                let position = position(cell, family.base);
                if from == to || self.words.sight.counter(counter, position).is_none() {
                    return None;
                }
                let mut line = self.owner(&family.name.title, &family.dimensions, position);
                line.append(self.words.value(decode(layout, family.holds, from)));
                line.push(arrow, Paint::Plain);
                line.append(self.words.value(decode(layout, family.holds, to)));
                Some(line)
            }
            Told::Dial {
                dial,
                cell,
                from,
                to,
            } => {
                let family = &layout.dials[dial.index()];
                let position = position(cell, family.base);
                if from == to || self.words.sight.dial(dial, position).is_none() {
                    return None;
                }
                let face = |needle: i32| {
                    usize::try_from(needle)
                        .ok()
                        .and_then(|needle| family.faces.get(needle))
                        .map_or(String::new(), i32::to_string)
                };
                let mut line = self.owner(&family.name.title, &family.dimensions, position);
                line.push(format!("{}{arrow}{}", face(from), face(to)), Paint::Plain);
                Some(line)
            }
            Told::Toggle { toggle, cell, on } => {
                let family = &layout.toggles[toggle.index()];
                let position = position(cell, family.base);
                self.words.sight.toggle(toggle, position)?;
                let mut line = self.owner(&family.name.title, &family.dimensions, position);
                line.push(if on { "on" } else { "off" }, Paint::Plain);
                Some(line)
            }
            Told::Text(line) => Some(line),
        }
    }

    /// Whose number it is, and its title.
    fn owner(&self, title: &str, dimensions: &[Dimension], position: u16) -> Line {
        let mut line = Line::new();
        let mut others = Vec::new();
        for value in coordinates(self.layout(), dimensions, position) {
            match value {
                Value::Player(_) if line.is_empty() => {
                    line = self.words.value(value);
                    line.push(": ", Paint::Plain);
                }
                // A hidden piece is named by its kind only.
                Value::Piece(piece) if !self.words.sight.can_see(piece) => {}
                value => others.push(value),
            }
        }
        line.push(
            format!("{} ", self.words.with_coordinates(title, &others)),
            Paint::Plain,
        );
        line
    }
}

/// Cells of events are those of the table; positions are those of a family.
fn position(cell: u16, base: u16) -> u16 {
    cell.saturating_sub(base)
}

/// The things that a member of a family belongs to.
pub(super) fn coordinates(layout: &Layout, dimensions: &[Dimension], position: u16) -> Vec<Value> {
    let mut rest = position;
    let mut values: Vec<Value> = dimensions
        .iter()
        .rev()
        .map(|dimension| {
            let at = rest % dimension.size.max(1);
            rest /= dimension.size.max(1);
            layout.value_of(dimension.domain, dimension.base + at)
        })
        .collect();
    values.reverse();
    values
}

/// Whether a member of a family belongs to a player who does not play.
pub(super) fn is_absent(dimensions: &[Dimension], values: &[Value], players: u8) -> bool {
    dimensions.iter().zip(values).any(|(dimension, value)| {
        dimension.domain == Domain::Players
            && matches!(value, Value::Player(player) if player.0 >= players)
    })
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
    let mut text = rules.pack.reasons[reason.index()].name.title.clone();
    for (at, number) in numbers.iter().enumerate() {
        let number: String = words
            .value(*number)
            .characters()
            .map(|(character, _)| character)
            .collect();
        text = text.replace(&format!("{{{at}}}"), &number);
    }
    Some(text)
}
