//! Answers and what came of them, told to whoever looks.

use crate::flow::Item;
use crate::table::Event;
use crate::table::view::Viewer;

use crate::flow::Step;

use super::narrate::{Narrator, Told};
use super::session::Session;
use super::text::{Line, Paint, render};

/// How answers are told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner<'a> {
    /// As what is new: without numbers.
    News,
    /// With their numbers.
    Log,
    /// With their numbers, and only what happened to some items.
    About(&'a [Item]),
}

impl Session {
    /// What happened since it was told last. An empty line ends it, if there was something.
    pub(super) fn news(&mut self) -> String {
        // Where the first was asked stood above the question.
        let told = self.game.history.get(self.told);
        let told = told.map_or_else(Told::default, |first| Told::of(first));
        self.news_after(told)
    }

    /// The same where no question stood above it.
    pub(super) fn first_news(&mut self) -> String {
        self.news_after(Told::default())
    }

    fn news_after(&mut self, told: Told) -> String {
        let steps: Vec<usize> = (self.told..self.game.history.len()).collect();
        self.told = self.game.history.len();
        if steps.is_empty() {
            return String::new();
        }
        let mut text = self.tell(&steps, self.viewer(), Manner::News, told);
        text.push('\n');
        text
    }

    /// Tells some answers and what came of them, under headings where round or phase are not those told last.
    pub(super) fn tell(
        &self,
        steps: &[usize],
        viewer: Viewer,
        manner: Manner<'_>,
        mut told: Told,
    ) -> String {
        let mut lines = Vec::new();
        for at in steps {
            let step = &self.game.history[*at];
            let after = self.table_at(at + 2);
            let narrator = Narrator::new(&self.game.rules, &self.view, after, viewer, self.look);
            let number = match manner {
                Manner::News => Line::new(),
                Manner::Log | Manner::About(_) => Line::of(format!("{:>3} ", at + 1), Paint::Dim),
            };
            if let Manner::About(items) = manner
                && let Some(from) = self.begins_later(step, items)
            {
                lines.extend(self.tell_later(&narrator, step, (*at, from), items, &mut told));
                continue;
            }
            let mut own = told;
            let mut part = narrator.step(step, number, &mut own);
            let answer = part.len();
            part.extend(match manner {
                Manner::About(items) => {
                    let about = |event: &&Event| {
                        matches!(event, Event::Entered { .. }) || self.touches(event, items)
                    };
                    let events: Vec<Event> = step.events.iter().filter(about).cloned().collect();
                    narrator.happened(&events, &mut own)
                }
                Manner::News | Manner::Log => narrator.happened(&step.events, &mut own),
            });
            // What happened to the items may not be seen.
            if matches!(manner, Manner::About(_)) && part.len() == answer {
                continue;
            }
            told = own;
            lines.extend(part);
        }
        render(&lines, self.look)
    }

    /// The position of the event that began the part of the flow in which some items were changed, if that came after the
    /// part in which an answer was given: then it was not this answer that changed them.
    fn begins_later(&self, step: &Step, items: &[Item]) -> Option<usize> {
        let first = step
            .events
            .iter()
            .position(|event| self.touches(event, items))?;
        let asked = (step.position.round, step.position.phase);
        step.events[..first].iter().rposition(
            |event| matches!(event, Event::Entered { round, phase } if (*round, *phase) != asked),
        )
    }

    /// What happened to some items in a later part of the flow than that of the answer before it.
    fn tell_later(
        &self,
        narrator: &Narrator<'_>,
        step: &Step,
        (at, from): (usize, usize),
        items: &[Item],
        told: &mut Told,
    ) -> Vec<Line> {
        let about =
            |event: &&Event| matches!(event, Event::Entered { .. }) || self.touches(event, items);
        let events: Vec<Event> = step.events[from..].iter().filter(about).cloned().collect();
        let mut part = narrator.happened(&events, told);
        // What happened to the items may not be seen.
        if !part.is_empty() {
            let mut after = Line::of(format!("    by the rules, after {}, ", at + 1), Paint::Dim);
            after.append(narrator.answer(step));
            part.push(after);
        }
        part
    }

    /// Whether an event changed one of some items.
    pub(super) fn touches(&self, event: &Event, items: &[Item]) -> bool {
        let layout = self.game.rules.layout();
        let has = |item: Item| items.contains(&item);
        match event {
            Event::Moved {
                piece, from, to, ..
            } => has(Item::Zone(*from)) || has(Item::Zone(*to)) || has(Item::Place(*piece)),
            Event::Turned { piece, .. } => has(Item::Place(*piece)),
            Event::Rolled { piece, .. } | Event::Set { piece, .. } => has(Item::Face(*piece)),
            Event::Shuffled { zone, .. } => has(Item::Zone(*zone)),
            Event::Counted { counter, cell, .. } => {
                let base = layout.counters[counter.index()].base;
                has(Item::Counter(*counter, cell - base))
            }
            Event::Dialled { dial, cell, .. } => {
                has(Item::Dial(*dial, cell - layout.dials[dial.index()].base))
            }
            Event::Toggled { toggle, cell, .. } => has(Item::Toggle(
                *toggle,
                cell - layout.toggles[toggle.index()].base,
            )),
            _ => false,
        }
    }
}
