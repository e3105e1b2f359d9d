//! Items of a table as somebody may see them: all of them, those that a few words name, and how they changed.

use std::collections::BTreeMap;

use crate::diag::{count, nearest};
use crate::table::ids::{CounterId, DialId, PieceId, PlayerId, ToggleId, ZoneId};
use crate::table::layout::{Dimension, Domain};
use crate::table::view::{Seen, View};
use crate::table::{Case, Layout, TableState, Value};

use super::item::{Item, domains, owners, piece_word, shown_piece};

/// Zones of more pieces than this are told by what came and went.
const LONG: usize = 6;

/// Items that belong together by what they are of.
#[derive(Clone, Copy)]
struct Family<'a> {
    id: &'a str,
    title: &'a str,
    dimensions: &'a [Dimension],
}

/// The family of an item that has one.
fn family(layout: &Layout, item: Item) -> Option<(Family<'_>, u16)> {
    let (name, dimensions, position) = match item {
        Item::Zone(zone) => {
            let family = layout.family(zone);
            (&family.name, &family.dimensions, zone.0 - family.base.0)
        }
        Item::Counter(counter, position) => {
            let family = &layout.counters[counter.index()];
            (&family.name, &family.dimensions, position)
        }
        Item::Dial(dial, position) => {
            let family = &layout.dials[dial.index()];
            (&family.name, &family.dimensions, position)
        }
        Item::Toggle(toggle, position) => {
            let family = &layout.toggles[toggle.index()];
            (&family.name, &family.dimensions, position)
        }
        Item::Face(_) | Item::Place(_) => return None,
    };
    let family = Family {
        id: &name.id,
        title: &name.title,
        dimensions,
    };
    Some((family, position))
}

/// The things that a member of a family belongs to, its owner first.
pub fn coordinates(layout: &Layout, dimensions: &[Dimension], position: u16) -> Vec<Value> {
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

/// What an item belongs to: its owner and what stands in brackets.
pub fn belongs_to(layout: &Layout, item: Item) -> Vec<Value> {
    match family(layout, item) {
        Some((family, position)) => coordinates(layout, family.dimensions, position),
        None => Vec::new(),
    }
}

/// All zones, counters, dials and toggles of those who play: the table's first, then by owner.
pub fn all(layout: &Layout, state: &TableState) -> Vec<Item> {
    let zones = (0..layout.zones.len()).map(|zone| Item::Zone(ZoneId::from_index(zone)));
    let counters = layout.counters.iter().enumerate().flat_map(|(at, family)| {
        (0..family.size).map(move |position| Item::Counter(CounterId::from_index(at), position))
    });
    let dials = layout.dials.iter().enumerate().flat_map(|(at, family)| {
        (0..family.size).map(move |position| Item::Dial(DialId::from_index(at), position))
    });
    let toggles = layout.toggles.iter().enumerate().flat_map(|(at, family)| {
        (0..family.size).map(move |position| Item::Toggle(ToggleId::from_index(at), position))
    });
    let mut items: Vec<(Option<Value>, Item)> = zones
        .chain(counters)
        .chain(dials)
        .chain(toggles)
        .filter_map(|item| {
            let (family, position) = family(layout, item)?;
            let of = coordinates(layout, family.dimensions, position);
            let absent = family.dimensions.iter().zip(&of).any(|(dimension, value)| {
                dimension.domain == Domain::Players
                    && matches!(value.case(), Case::Player(player) if player.0 >= state.players)
            });
            (!absent).then(|| (of.first().copied(), item))
        })
        .collect();
    items.sort_by_key(|(owner, _)| rank(*owner));
    items.into_iter().map(|(_, item)| item).collect()
}

/// The order of owners: the table, players, nodes, members, groups, pieces.
fn rank(owner: Option<Value>) -> (u8, u16) {
    match owner.map(Value::case) {
        None => (0, 0),
        Some(Case::Player(player)) => (1, u16::from(player.0)),
        Some(Case::Node(node)) => (2, node.0),
        Some(Case::Member(member)) => (3, member.0),
        Some(Case::Group(group)) => (4, group.0),
        Some(Case::Piece(piece)) => (5, piece.0),
        Some(_) => (6, 0),
    }
}

/// Whether an item is empty or as at the start.
pub fn is_at_start(layout: &Layout, state: &TableState, item: Item) -> bool {
    let cell = |base: u16, position: u16| state.cells[usize::from(base + position)];
    match item {
        Item::Zone(zone) => state.len(zone) == 0,
        Item::Counter(counter, position) => {
            let family = &layout.counters[counter.index()];
            cell(family.base, position) == family.start
        }
        Item::Dial(dial, position) => {
            let family = &layout.dials[dial.index()];
            cell(family.base, position) == family.start
        }
        Item::Toggle(toggle, position) => {
            let family = &layout.toggles[toggle.index()];
            cell(family.base, position) == i32::from(family.start)
        }
        Item::Face(_) | Item::Place(_) => false,
    }
}

/// The pieces of a zone as somebody sees them.
fn pieces(layout: &Layout, state: &TableState, sight: &View<'_>, zone: ZoneId) -> Vec<String> {
    let mut words: Vec<String> = sight
        .zone(zone)
        .map(|seen| match seen {
            Seen::Piece(piece) => with_face(layout, state, piece),
            Seen::Hidden(kind) => format!("hidden {}", layout.kinds[kind.index()].name.id),
        })
        .collect();
    if !layout.family(zone).ordered {
        words.sort();
    }
    words
}

/// A piece as files name it, a die with its face.
fn with_face(layout: &Layout, state: &TableState, piece: PieceId) -> String {
    let word = shown_piece(layout, state, piece);
    match state.pieces[piece.index()].face {
        0 => word,
        face => format!("{word}@{face}"),
    }
}

/// Equal neighbours as one, with their number.
pub fn counted(words: Vec<String>) -> Vec<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for word in words {
        match counted.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            _ => counted.push((word, 1)),
        }
    }
    counted
        .into_iter()
        .map(|(word, count)| match count {
            1 => word,
            count => format!("{word} x{count}"),
        })
        .collect()
}

/// What an item is, as somebody sees it; nothing if it is hidden.
pub fn shown(layout: &Layout, state: &TableState, sight: &View<'_>, item: Item) -> Option<String> {
    // What belongs to a hidden piece would tell which it is.
    let hidden = belongs_to(layout, item)
        .iter()
        .any(|value| matches!(value.case(), Case::Piece(piece) if !sight.can_see(piece)));
    let seen = match item {
        _ if hidden => false,
        Item::Zone(_) => true,
        Item::Counter(counter, position) => sight.counter(counter, position).is_some(),
        Item::Dial(dial, position) => sight.dial(dial, position).is_some(),
        Item::Toggle(toggle, position) => sight.toggle(toggle, position).is_some(),
        Item::Face(piece) | Item::Place(piece) => sight.can_see(piece),
    };
    seen.then(|| match item {
        Item::Zone(zone) => {
            let pieces = counted(pieces(layout, state, sight, zone));
            format!("[{}]", pieces.join(", "))
        }
        item => item.read(layout, state).to_string(),
    })
}

/// What stands before an item's value: its path, and of a piece which of several equal ones it is.
pub fn heading(layout: &Layout, state: &TableState, item: Item) -> String {
    match item {
        Item::Place(piece) => {
            let info = state.info(layout, piece);
            match info.owner {
                Some(_) => piece_word(layout, state, piece),
                None => info.name.id.clone(),
            }
        }
        item => item.path(layout, state),
    }
}

/// The items that words name: paths, families by id or title, and what belongs to a player, a node, a
/// member, a group or a piece, by its key or title. Several narrow each other down.
///
/// # Errors
/// When a word names nothing.
pub fn named(
    layout: &Layout,
    state: &TableState,
    sight: &View<'_>,
    words: &[&str],
) -> Result<Vec<Item>, String> {
    let whole = words.join(" ");
    if let Some(items) = find(layout, state, sight, &whole) {
        return Ok(items);
    }
    let mut found: Option<Vec<Item>> = None;
    for word in words {
        let Some(items) = find(layout, state, sight, word) else {
            return Err(unknown(layout, state, word));
        };
        found = Some(match found {
            None => items,
            Some(known) => known
                .into_iter()
                .filter(|item| items.contains(item))
                .collect(),
        });
    }
    Ok(found.unwrap_or_default())
}

/// The items that one text names, if it names any.
fn find(layout: &Layout, state: &TableState, sight: &View<'_>, text: &str) -> Option<Vec<Item>> {
    let wanted = text.to_lowercase();
    let all = all(layout, state);
    let of_family: Vec<Item> = all
        .iter()
        .copied()
        .filter(|item| {
            family(layout, *item).is_some_and(|(family, _)| {
                family.id == wanted || family.title.to_lowercase() == wanted
            })
        })
        .collect();
    if !of_family.is_empty() {
        return Some(of_family);
    }
    if let Ok(item) = Item::parse(layout, state, text) {
        return Some(vec![item]);
    }
    let mut things: Vec<Value> = owners(layout, state, &wanted)
        .into_iter()
        .map(|(value, _)| value)
        .collect();
    things.extend(titled(layout, state, &wanted));
    let mut items: Vec<Item> = Vec::new();
    for piece in (0..state.pieces.len()).map(PieceId::from_index) {
        let info = state.info(layout, piece);
        let called = info.key == wanted
            || info.name.id == wanted
            || piece_word(layout, state, piece) == wanted;
        if called && sight.can_see(piece) {
            items.push(Item::Place(piece));
            if layout.kinds[info.kind.index()].faces > 0 {
                items.push(Item::Face(piece));
            }
        }
    }
    items.extend(all.into_iter().filter(|item| {
        let of = belongs_to(layout, *item);
        match of.is_empty() {
            true => things.contains(&Value::TABLE),
            false => of.iter().any(|value| things.contains(value)),
        }
    }));
    (!items.is_empty()).then_some(items)
}

/// Players, nodes and members of a title, which is given in lower case.
pub fn titled(layout: &Layout, state: &TableState, wanted: &str) -> Vec<Value> {
    let players = (0..state.players).map(|player| Value::from(PlayerId(player)));
    let rest = domains(layout)
        .into_iter()
        .filter(|domain| !matches!(domain, Domain::Players | Domain::Kind(_)))
        .flat_map(|domain| {
            let dimension = layout.dimension(domain);
            (dimension.base..dimension.base + dimension.size)
                .map(move |id| layout.value_of(domain, id))
        });
    players
        .chain(rest)
        .filter(|value| layout.title(*value).to_lowercase() == wanted)
        .collect()
}

/// Everything that names items, for completion: paths, families, owners.
pub fn names(layout: &Layout, state: &TableState) -> Vec<String> {
    let mut names = Vec::new();
    for item in all(layout, state) {
        names.push(item.path(layout, state));
        if let Some((family, _)) = family(layout, item) {
            names.push(family.id.to_owned());
        }
        let owner = belongs_to(layout, item).first().copied();
        names.extend(owner.map(|owner| layout.key(state.declared(layout, owner))));
    }
    names.push("table".to_owned());
    names.sort();
    names.dedup();
    names
}

fn unknown(layout: &Layout, state: &TableState, word: &str) -> String {
    let known = names(layout, state);
    match nearest(word, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no `{word}`; did you mean `{near}`?"),
        None => format!(
            "there is no `{word}`: name an item such as `player_1.{}`, a family, or what items belong to",
            known_family(layout)
        ),
    }
}

/// A family of players, for an example.
fn known_family(layout: &Layout) -> &str {
    let of_players =
        |dimensions: &[Dimension]| dimensions.len() == 1 && dimensions[0].domain == Domain::Players;
    let counters = layout
        .counters
        .iter()
        .find(|family| of_players(&family.dimensions));
    let zones = layout
        .zone_families
        .iter()
        .find(|family| of_players(&family.dimensions));
    counters
        .map(|family| family.name.id.as_str())
        .or_else(|| zones.map(|family| family.name.id.as_str()))
        .unwrap_or("x")
}

/// An item that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path.
    pub path: String,
    /// What it was and is: `old -> new`, or of a long zone what came and went.
    pub text: String,
}

/// How a table changed from one moment to another, in the eyes of somebody, in a fixed order.
pub fn changes(
    layout: &Layout,
    before: (&TableState, &View<'_>),
    after: (&TableState, &View<'_>),
) -> Vec<Change> {
    let dice = (0..after.0.pieces.len().min(before.0.pieces.len()))
        .map(PieceId::from_index)
        .filter(|piece| layout.kinds[after.0.info(layout, *piece).kind.index()].faces > 0)
        // Dice that lie in one zone show their faces there.
        .filter(|piece| before.0.pieces[piece.index()].zone == after.0.pieces[piece.index()].zone)
        .map(Item::Face);
    let items = all(layout, after.0).into_iter().chain(dice);
    let pairs: Vec<(Item, Item)> = items.map(|item| (item, item)).collect();
    differences(
        &pairs,
        (layout, before.0, before.1),
        (layout, after.0, after.1),
    )
}

/// A table with what it is made of, in the eyes of somebody.
pub type Looked<'a> = (&'a Layout, &'a TableState, &'a View<'a>);

/// The items that two tables have in common, by their paths: what each is in one and in the other.
pub fn in_common(
    (old_layout, old): (&Layout, &TableState),
    (new_layout, new): (&Layout, &TableState),
) -> Vec<(Item, Item)> {
    let by_path: BTreeMap<String, Item> = all(old_layout, old)
        .into_iter()
        .map(|item| (item.path(old_layout, old), item))
        .collect();
    let items = all(new_layout, new).into_iter();
    items
        .filter_map(|item| Some((*by_path.get(&item.path(new_layout, new))?, item)))
        .collect()
}

/// How items differ between two tables, each given as what it is in one and in the other.
pub fn differences(
    items: &[(Item, Item)],
    (old_layout, old, old_sight): Looked<'_>,
    (new_layout, new, new_sight): Looked<'_>,
) -> Vec<Change> {
    let text = |item: (Item, Item)| match item {
        (Item::Zone(was), Item::Zone(is)) => zone_change(
            pieces(old_layout, old, old_sight, was),
            pieces(new_layout, new, new_sight, is),
            new_layout.family(is).ordered,
        ),
        (was, is) => {
            let was = shown(old_layout, old, old_sight, was)?;
            let is = shown(new_layout, new, new_sight, is)?;
            (was != is).then(|| format!("{was} -> {is}"))
        }
    };
    let changes = items.iter().filter_map(|item| {
        Some(Change {
            text: text(*item)?,
            path: item.1.path(new_layout, new),
        })
    });
    changes.collect()
}

fn zone_change(old: Vec<String>, new: Vec<String>, ordered: bool) -> Option<String> {
    if old == new {
        return None;
    }
    let list = |words: Vec<String>| format!("[{}]", counted(words).join(", "));
    if old.len() <= LONG && new.len() <= LONG {
        return Some(format!("{} -> {}", list(old), list(new)));
    }
    let mut went = old.clone();
    let mut came = Vec::new();
    for word in &new {
        match went.iter().position(|known| known == word) {
            Some(at) => {
                went.remove(at);
            }
            None => came.push(word.clone()),
        }
    }
    let mut text = format!("{} -> {}", old.len(), count(new.len(), "piece"));
    for (sign, words) in [("+", came), ("-", went)] {
        if !words.is_empty() {
            text.push_str(&format!(", {sign} {}", counted(words).join(", ")));
        }
    }
    if ordered && old.len() == new.len() && !text.contains(", ") {
        text.push_str(" in another order");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(old: &str, new: &str, ordered: bool, expected: Option<&str>) {
        let found = zone_change(words(old), words(new), ordered);
        assert_eq!(found.as_deref(), expected, "{old} to {new}");
    }

    #[test]
    fn a_zone_is_told_whole_or_by_what_came_and_went() {
        check("a b", "a b", true, None);
        check("a", "a b b", false, Some("[a] -> [a, b x2]"));
        check("a b", "b a", true, Some("[a, b] -> [b, a]"));
        check(
            "a a b c d e f",
            "a c d e f g",
            false,
            Some("7 -> 6 pieces, + g, - a, b"),
        );
        check(
            "a b c d e f g",
            "b a c d e f g",
            true,
            Some("7 -> 7 pieces in another order"),
        );
    }

    #[test]
    fn equal_neighbours_are_counted() {
        assert_eq!(counted(words("a a b a")), ["a x2", "b", "a"]);
        assert!(counted(Vec::new()).is_empty());
    }
}
