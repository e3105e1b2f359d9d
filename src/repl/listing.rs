//! The state of a table as lists: zones, counters, dials and toggles.

use crate::diag::nearest;
use crate::table::ids::{CounterId, DialId, PlayerId, ToggleId, ZoneId};
use crate::table::layout::Dimension;
use crate::table::{Layout, Value};

use super::board::{Form, Words};
use super::narrate::{coordinates, is_absent, join};
use super::text::{Line, Paint};

/// What to list: everything, a family, or all that belongs to something.
#[derive(Debug, Default)]
struct Filter {
    family: Option<String>,
    of: Vec<Value>,
}

/// Lists what lies there and every number; without items, what is not empty or as it was at the start.
///
/// # Errors
/// When an item names nothing.
pub fn list(words: &Words<'_>, items: &[&str]) -> Result<Vec<Line>, String> {
    let mut filter = Filter::default();
    let joined = items.join(" ");
    let wanted: Vec<&str> = if find(words, &joined).is_some() {
        vec![&joined]
    } else {
        items.to_vec()
    };
    for item in wanted.into_iter().filter(|item| !item.is_empty()) {
        match find(words, item) {
            Some(Found::Family(id)) => filter.family = Some(id),
            Some(Found::Value(value)) => filter.of.push(value),
            None => return Err(unknown(words, item)),
        }
    }
    let all = !items.is_empty();
    let mut lines = Vec::new();
    let layout = words.layout;
    for family in &layout.zone_families {
        for at in 0..family.size {
            let values = coordinates(layout, &family.dimensions, at);
            let zone = ZoneId(family.base.0 + at);
            let len = words.sight.len(zone);
            if (len > 0 || all) && filter.takes(words, &family.name.id, &family.dimensions, &values)
            {
                let mut line = heading(words, &family.name.id, &values);
                if len == 0 {
                    line.push("empty", Paint::Dim);
                } else {
                    line.push(format!("{len}: "), Paint::Dim);
                    line.append(join(words.lying(zone, Form::Text, false)));
                }
                lines.push(line);
            }
        }
    }
    for (index, family) in layout.counters.iter().enumerate() {
        for at in 0..family.size {
            let values = coordinates(layout, &family.dimensions, at);
            let cell = words.state.cells[usize::from(family.base + at)];
            if (cell != family.start || all)
                && filter.takes(words, &family.name.id, &family.dimensions, &values)
                && let Some(value) = words.sight.counter(CounterId::from_index(index), at)
            {
                let mut line = heading(words, &family.name.id, &values);
                line.append(words.value(value));
                lines.push(line);
            }
        }
    }
    for (index, family) in layout.dials.iter().enumerate() {
        for at in 0..family.size {
            let values = coordinates(layout, &family.dimensions, at);
            let cell = words.state.cells[usize::from(family.base + at)];
            if (cell != family.start || all)
                && filter.takes(words, &family.name.id, &family.dimensions, &values)
                && let Some(face) = words.sight.dial(DialId::from_index(index), at)
            {
                let mut line = heading(words, &family.name.id, &values);
                line.push(face.to_string(), Paint::Plain);
                lines.push(line);
            }
        }
    }
    for (index, family) in layout.toggles.iter().enumerate() {
        for at in 0..family.size {
            let values = coordinates(layout, &family.dimensions, at);
            let cell = words.state.cells[usize::from(family.base + at)];
            if (cell != i32::from(family.start) || all)
                && filter.takes(words, &family.name.id, &family.dimensions, &values)
                && let Some(on) = words.sight.toggle(ToggleId::from_index(index), at)
            {
                let mut line = heading(words, &family.name.id, &values);
                line.push(if on { "on" } else { "off" }, Paint::Plain);
                lines.push(line);
            }
        }
    }
    if lines.is_empty() {
        lines.push(Line::of("nothing", Paint::Dim));
    }
    Ok(lines)
}

impl Filter {
    fn takes(
        &self,
        words: &Words<'_>,
        id: &str,
        dimensions: &[Dimension],
        values: &[Value],
    ) -> bool {
        self.family.as_ref().is_none_or(|wanted| wanted == id)
            && self.of.iter().all(|value| values.contains(value))
            && !is_absent(dimensions, values, words.state.players)
            // What belongs to a hidden piece would tell which it is.
            && values.iter().all(|value| match value {
                Value::Piece(piece) => words.sight.can_see(*piece),
                _ => true,
            })
    }
}

/// The path of a family's member.
fn heading(words: &Words<'_>, id: &str, values: &[Value]) -> Line {
    let mut text = id.to_owned();
    for value in values {
        text.push('[');
        text.push_str(&words.layout.key(*value));
        text.push(']');
    }
    text.push_str(" = ");
    Line::plain(text)
}

enum Found {
    Family(String),
    Value(Value),
}

/// Families by id or title, and things that families belong to by key or title.
fn find(words: &Words<'_>, item: &str) -> Option<Found> {
    let wanted = item.to_lowercase();
    let family = families(words.layout)
        .find(|(id, title)| *id == wanted || title.to_lowercase() == wanted)
        .map(|(id, _)| Found::Family(id.to_owned()));
    family.or_else(|| {
        things(words).into_iter().find_map(|value| {
            let layout = words.layout;
            (layout.key(value) == wanted || layout.title(value).to_lowercase() == wanted)
                .then_some(Found::Value(value))
        })
    })
}

fn families(layout: &Layout) -> impl Iterator<Item = (&str, &str)> {
    let zones = layout.zone_families.iter().map(|family| &family.name);
    let counters = layout.counters.iter().map(|family| &family.name);
    let dials = layout.dials.iter().map(|family| &family.name);
    let toggles = layout.toggles.iter().map(|family| &family.name);
    zones
        .chain(counters)
        .chain(dials)
        .chain(toggles)
        .map(|name| (name.id.as_str(), name.title.as_str()))
}

/// Players, nodes, members and groups.
fn things(words: &Words<'_>) -> Vec<Value> {
    let layout = words.layout;
    let players = (0..words.state.players).map(|player| Value::Player(PlayerId(player)));
    let nodes =
        (0..layout.nodes.len() as u16).map(|node| Value::Node(crate::table::ids::NodeId(node)));
    let members = (0..layout.members.len() as u16)
        .map(|member| Value::Member(crate::table::ids::MemberId(member)));
    let groups = (0..layout.groups.len() as u16)
        .map(|group| Value::Group(crate::table::ids::GroupId(group)));
    players.chain(nodes).chain(members).chain(groups).collect()
}

/// All names that can be listed, for completion.
pub fn names(words: &Words<'_>) -> Vec<String> {
    let mut names: Vec<String> = families(words.layout)
        .map(|(id, _)| id.to_owned())
        .chain(
            things(words)
                .into_iter()
                .map(|value| words.layout.key(value)),
        )
        .collect();
    names.sort();
    names.dedup();
    names
}

fn unknown(words: &Words<'_>, item: &str) -> String {
    let names = names(words);
    match nearest(item, names.iter().map(String::as_str)) {
        Some(near) => format!("there is no `{item}`; did you mean `{near}`?"),
        None => format!(
            "there is no `{item}`: name a zone, counter, dial or toggle, a player or a place"
        ),
    }
}
