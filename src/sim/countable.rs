//! What a statistic can count apart, known before anything is played: so that what nobody used is told, too.

use std::collections::BTreeMap;

use crate::pack::model::{Observed, StatisticInfo, TypeName};
use crate::script::Rules;
use crate::table::layout::{Dimension, Domain, Holds, Name};
use crate::table::{Layout, Value};

/// What a statistic can count apart: keys with what people read.
pub(super) fn countable(rules: &Rules, statistic: &StatisticInfo) -> BTreeMap<String, String> {
    let layout = rules.layout();
    let mut known = BTreeMap::new();
    match statistic.of {
        Observed::Counter(counter) => {
            let family = &layout.counters[counter.index()];
            let mut dimensions = places(&family.dimensions);
            if let Holds::One(domain) = family.holds {
                dimensions.push(layout.dimension(domain));
            }
            add_all(layout, &dimensions, &mut known);
        }
        Observed::Dial(dial) => {
            let family = &layout.dials[dial.index()];
            add_all(layout, &places(&family.dimensions), &mut known);
        }
        Observed::Tag(tag) => {
            let mut add = |name: &Name| known.insert(name.id.clone(), name.title.clone());
            for dial in layout.dials.iter().filter(|own| own.tags.contains(&tag)) {
                add(&dial.name);
            }
            for toggle in layout.toggles.iter().filter(|own| own.tags.contains(&tag)) {
                add(&toggle.name);
            }
        }
        Observed::Zone { zone, by_piece } => {
            let family = &layout.zone_families[zone.index()];
            match (by_piece, family.holds) {
                (false, _) => add_all(layout, &places(&family.dimensions), &mut known),
                (true, Some(kind)) => {
                    add_all(layout, &[layout.dimension(Domain::Kind(kind))], &mut known)
                }
                // Whatever comes there.
                (true, None) => {}
            }
        }
        Observed::Decision(decision) => {
            add_type(
                layout,
                rules.pack.decisions[decision.index()].of,
                &mut known,
            );
        }
        // Only how often, even if it never was.
        Observed::Noted(None) => {
            known.insert(String::new(), String::new());
        }
        Observed::Noted(of) => add_type(layout, of, &mut known),
    }
    known
}

/// Adds the values of a type, if there is an end to them.
fn add_type(layout: &Layout, of: Option<TypeName>, known: &mut BTreeMap<String, String>) {
    let mut add = |name: &Name| known.insert(name.id.clone(), name.title.clone());
    match of {
        Some(TypeName::One(domain)) => add_all(layout, &[layout.dimension(domain)], known),
        Some(TypeName::Dial) => layout.dials.iter().for_each(|own| {
            add(&own.name);
        }),
        Some(TypeName::Toggle) => layout.toggles.iter().for_each(|own| {
            add(&own.name);
        }),
        Some(TypeName::Int | TypeName::Bool | TypeName::Text) | None => {}
    }
}

/// What people read for keys that are not known before they are seen: a choice may have several parts, and
/// its parts can be anything.
pub(super) struct Titles(BTreeMap<String, String>);

impl Titles {
    pub(super) fn of(layout: &Layout) -> Self {
        let mut titles = BTreeMap::new();
        let mut add = |name: &Name| {
            titles
                .entry(name.id.clone())
                .or_insert_with(|| name.title.clone());
        };
        layout.choices.iter().for_each(&mut add);
        layout.nodes.iter().for_each(|own| add(&own.name));
        layout.members.iter().for_each(|own| add(&own.name));
        layout.dials.iter().for_each(|own| add(&own.name));
        layout.toggles.iter().for_each(|own| add(&own.name));
        for piece in &layout.pieces {
            let title = || piece.name.title.clone();
            titles.entry(piece.key.clone()).or_insert_with(title);
        }
        Self(titles)
    }

    /// The title of a key; of what has none, the key.
    pub(super) fn title(&self, key: &str) -> String {
        let parts: Vec<&str> = key
            .split(' ')
            .map(|part| self.0.get(part).map_or(part, String::as_str))
            .collect();
        parts.join(", ")
    }
}

/// The dimensions of a family besides players.
fn places(dimensions: &[Dimension]) -> Vec<Dimension> {
    let others = dimensions.iter();
    others
        .filter(|dimension| dimension.domain != Domain::Players)
        .copied()
        .collect()
}

/// Adds every combination of the values of dimensions.
fn add_all(layout: &Layout, dimensions: &[Dimension], known: &mut BTreeMap<String, String>) {
    let mut rows: Vec<(Vec<String>, Vec<String>)> = vec![Default::default()];
    for dimension in dimensions {
        let values: Vec<Value> = (0..dimension.size)
            .map(|offset| layout.value_of(dimension.domain, dimension.base + offset))
            .collect();
        let longer = rows.iter().flat_map(|(keys, titles)| {
            values.iter().map(|value| {
                let (mut keys, mut titles) = (keys.clone(), titles.clone());
                keys.push(layout.key(*value));
                titles.push(layout.title(*value));
                (keys, titles)
            })
        });
        rows = longer.collect();
    }
    for (keys, titles) in rows {
        known
            .entry(keys.join(" "))
            .or_insert_with(|| titles.join(", "));
    }
}
