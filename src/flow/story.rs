//! What happened, as it is told: events that belong together are one.
//!
//! All that went one way is one movement, and a number that changed several times changed once, from its
//! first value to its last. Each stands where the first of its events was. Notices of the pending decision
//! are left out.

use crate::table::ids::{GroupId, PieceId, StreamId, ZoneId};
use crate::table::{Event, Layout, Value};

use super::item::Item;

/// A thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// Pieces went from one zone to another.
    Moved {
        /// Where they were.
        from: ZoneId,
        /// Where they came.
        to: ZoneId,
        /// Which, in order, and whether each came face down.
        pieces: Vec<(PieceId, bool)>,
    },
    /// A die was rolled.
    Rolled(PieceId, u8),
    /// A die was set to a face.
    Set(PieceId, u8),
    /// A counter, a dial or a toggle changed. The numbers are those of its cell.
    Changed {
        /// Which.
        item: Item,
        /// What it was at first.
        from: i32,
        /// What it was at last; perhaps the same.
        to: i32,
    },
    /// A zone of so many pieces was shuffled.
    Shuffled(ZoneId, usize),
    /// Something was drawn from a stream.
    Picked(StreamId, Value),
    /// A piece was turned, to lie face down or up.
    Turned(PieceId, bool),
    /// A group came to life.
    Formed(GroupId),
    /// A group is no more.
    Ceased(GroupId),
    /// A script said something.
    Said(String),
}

/// What some events tell.
pub fn story(layout: &Layout, events: &[Event]) -> Vec<Happened> {
    let mut story: Vec<Happened> = Vec::new();
    for event in events {
        match event {
            Event::Moved {
                piece,
                from,
                to,
                face_down,
            } => {
                let same = story.iter_mut().find_map(|known| match known {
                    Happened::Moved {
                        from: a,
                        to: b,
                        pieces,
                    } if (*a, *b) == (*from, *to) => Some(pieces),
                    _ => None,
                });
                match same {
                    Some(pieces) => pieces.push((*piece, *face_down)),
                    None => story.push(Happened::Moved {
                        from: *from,
                        to: *to,
                        pieces: vec![(*piece, *face_down)],
                    }),
                }
            }
            Event::Rolled { piece, face } => story.push(Happened::Rolled(*piece, *face)),
            Event::Set { piece, face } => story.push(Happened::Set(*piece, *face)),
            Event::Counted {
                counter,
                cell,
                from,
                to,
            } => {
                let position = cell - layout.counters[counter.index()].base;
                change(&mut story, Item::Counter(*counter, position), *from, *to);
            }
            Event::Dialled {
                dial,
                cell,
                from,
                to,
            } => {
                let position = cell - layout.dials[dial.index()].base;
                change(&mut story, Item::Dial(*dial, position), *from, *to);
            }
            Event::Toggled { toggle, cell, on } => {
                let position = cell - layout.toggles[toggle.index()].base;
                let (from, to) = (i32::from(!on), i32::from(*on));
                change(&mut story, Item::Toggle(*toggle, position), from, to);
            }
            Event::Shuffled { zone, order } => story.push(Happened::Shuffled(*zone, order.len())),
            Event::Picked { stream, value } => story.push(Happened::Picked(*stream, *value)),
            Event::Turned { piece, face_down } => story.push(Happened::Turned(*piece, *face_down)),
            Event::Formed { group } => story.push(Happened::Formed(*group)),
            Event::Ceased { group } => story.push(Happened::Ceased(*group)),
            Event::Said { text } => story.push(Happened::Said(text.clone())),
            Event::Made { .. }
            | Event::Refused { .. }
            | Event::Hinted { .. }
            | Event::Noted { .. }
            | Event::Entered { .. }
            | Event::Asked { .. } => {}
        }
    }
    story
}

/// Notes a change; a later one of the same item carries it on.
fn change(story: &mut Vec<Happened>, of: Item, before: i32, after: i32) {
    let same = story.iter_mut().find_map(|known| match known {
        Happened::Changed { item, to, .. } if *item == of => Some(to),
        _ => None,
    });
    match same {
        Some(to) => *to = after,
        None => story.push(Happened::Changed {
            item: of,
            from: before,
            to: after,
        }),
    }
}
