//! What a table has more or less of than another: what follows from a change of rules without being written there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::flow::item::zone_path;
use crate::flow::listing::counted;
use crate::table::Layout;
use crate::table::layout::{Dimension, Name};

/// Something of which there is more or less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Following {
    /// What: a set, pieces of a kind in the zone where they start, or what there is one of for each of something.
    pub what: String,
    /// What came.
    pub come: Vec<String>,
    /// What went.
    pub gone: Vec<String>,
}

/// What a table has more or less of than an older one: members of sets, pieces, and what there is for each of something.
/// Entries that only one of them has are not told, nor those of which `told` knows by their table and id.
pub fn following(old: &Layout, new: &Layout, told: &dyn Fn(&str, &str) -> bool) -> Vec<Following> {
    let mut found = Vec::new();
    for set in &new.sets {
        let known = old.sets.iter().find(|known| known.name.id == set.name.id);
        if let Some(known) = known.filter(|_| !told("set", &set.name.id)) {
            let members = |layout: &Layout, values: &[crate::table::Value]| -> BTreeSet<String> {
                values.iter().map(|value| layout.key(*value)).collect()
            };
            let (old, new) = (members(old, &known.members), members(new, &set.members));
            push(&mut found, format!("set `{}`", set.name.id), &old, &new);
        }
    }
    for (at, kind) in new.kinds.iter().enumerate() {
        let known = old
            .kinds
            .iter()
            .position(|known| known.name.id == kind.name.id);
        if let Some(known) = known.filter(|_| !told("kind", &kind.name.id)) {
            let (old, new) = (pieces(old, known), pieces(new, at));
            let places: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for place in places {
                let more = |one: &BTreeMap<_, Vec<String>>, other: &BTreeMap<_, Vec<String>>| {
                    surplus(one.get(place), other.get(place))
                };
                let (come, gone) = (more(&new, &old), more(&old, &new));
                if !come.is_empty() || !gone.is_empty() {
                    found.push(Following {
                        what: format!(
                            "kind `{}`, {} in `{place}`",
                            kind.name.id,
                            difference(come.len(), gone.len())
                        ),
                        come: counted(come),
                        gone: counted(gone),
                    });
                }
            }
        }
    }
    found.extend(for_each(old, new));
    found
}

/// How many more or fewer there are.
fn difference(come: usize, gone: usize) -> String {
    match (come, gone) {
        (come, 0) => format!("{come} more"),
        (0, gone) => format!("{gone} fewer"),
        _ => "others".to_owned(),
    }
}

fn push(found: &mut Vec<Following>, what: String, old: &BTreeSet<String>, new: &BTreeSet<String>) {
    if old != new {
        found.push(Following {
            what,
            come: new.difference(old).cloned().collect(),
            gone: old.difference(new).cloned().collect(),
        });
    }
}

/// The keys of a kind's pieces by where they start, each sorted.
fn pieces(layout: &Layout, kind: usize) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for at in layout.kinds[kind].pieces.clone() {
        let piece = &layout.pieces[usize::from(at)];
        let place = zone_path(layout, piece.start);
        found.entry(place).or_default().push(piece.key.clone());
    }
    for keys in found.values_mut() {
        keys.sort();
    }
    found
}

/// What a sorted list has more of than another.
fn surplus(list: Option<&Vec<String>>, other: Option<&Vec<String>>) -> Vec<String> {
    let mut other = other.cloned().unwrap_or_default();
    let mut more = Vec::new();
    for key in list.into_iter().flatten() {
        match other.iter().position(|known| known == key) {
            Some(at) => {
                other.remove(at);
            }
            None => more.push(key.clone()),
        }
    }
    more
}

/// Zones, counters, dials and toggles of which there is one for each of something that came or went.
fn for_each(old: &Layout, new: &Layout) -> Vec<Following> {
    let mut found: Vec<Following> = Vec::new();
    let mut compare = |noun: &str, olds: Vec<Family<'_>>, news: Vec<Family<'_>>| {
        for (name, dimensions) in news {
            let known = olds.iter().find(|(known, _)| known.id == name.id);
            let Some((_, known)) = known else {
                continue;
            };
            let (was, is) = (ranges(old, known), ranges(new, dimensions));
            if was == is {
                continue;
            }
            let what = format!("{noun} `{}`", name.id);
            let (come, gone): (Vec<String>, Vec<String>) = (
                is.difference(&was).cloned().collect(),
                was.difference(&is).cloned().collect(),
            );
            // What is for the same things is told together.
            match found
                .iter_mut()
                .find(|known| known.come == come && known.gone == gone)
            {
                Some(known) => known.what.push_str(&format!(", {what}")),
                None => found.push(Following { what, come, gone }),
            }
        }
    };
    macro_rules! families {
        ($list:expr) => {
            $list
                .iter()
                .map(|family| (&family.name, family.dimensions.as_slice()))
                .collect()
        };
    }
    compare(
        "zone",
        families!(old.zone_families),
        families!(new.zone_families),
    );
    compare("counter", families!(old.counters), families!(new.counters));
    compare("dial", families!(old.dials), families!(new.dials));
    compare("toggle", families!(old.toggles), families!(new.toggles));
    found
}

/// A family's name and over what it ranges.
type Family<'a> = (&'a Name, &'a [Dimension]);

/// For what all there is one of a family.
fn ranges(layout: &Layout, dimensions: &[Dimension]) -> BTreeSet<String> {
    dimensions
        .iter()
        .flat_map(|dimension| {
            (0..dimension.size).map(move |at| {
                let value = layout.value_of(dimension.domain, dimension.base + at);
                layout.key(value)
            })
        })
        .collect()
}
