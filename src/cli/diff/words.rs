//! What is different in the rules, in words.

use crate::diag::Span;
use crate::pack::compare::{Difference, does, toml};
use crate::pack::doc::{Document, Entry, Item, Node, Table};
use crate::script::chain::Link;

/// Fields that say nothing about how a game goes.
const ASIDE: &[&str] = &["doc", "provenance"];

/// A difference in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The table it belongs to.
    pub(super) section: String,
    /// The words.
    pub(super) text: String,
    /// What belongs to it, set in.
    pub(super) more: Vec<String>,
    /// Where it is written.
    pub(super) place: Option<Span>,
    /// The path, the old and the new value, for machines.
    pub(super) path: String,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    /// Whether it only describes what another change says already.
    pub(super) aside: bool,
    /// What else changes it, if it is the value of a parameter.
    pub(super) modifiers: Vec<Link>,
}

/// Differences in words.
pub(super) fn changes(
    differences: &[Difference],
    old: &Document,
    document: &Document,
) -> Vec<Change> {
    let mut faces = Vec::new();
    let whole = differences.iter().filter_map(|difference| {
        let dial = faces_of(difference)?;
        let first = !faces.contains(&dial);
        faces.push(dial);
        first.then(|| turned(difference, old, document)).flatten()
    });
    let mut whole: Vec<Change> = whole.collect();
    let others: Vec<Difference> = differences
        .iter()
        .filter(|difference| faces_of(difference).is_none())
        .cloned()
        .collect();
    let mut changes = one_by_one(&others, document);
    changes.append(&mut whole);
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    changes
}

/// The dial, if a difference is one of its faces.
fn faces_of(difference: &Difference) -> Option<&str> {
    match difference.path.as_slice() {
        [section, dial, field, _] if section == "dial" && field == "faces" => Some(dial),
        _ => None,
    }
}

/// A change of the faces of a dial: all of them, before and now.
fn turned(difference: &Difference, old: &Document, new: &Document) -> Option<Change> {
    let path = difference.path.get(..3)?;
    let [section, dial, field] = path else {
        return None;
    };
    let faces = |document: &Document| {
        let section = as_table(&document.root.get(section)?.value.item)?;
        let dial = as_table(&section.get(dial)?.value.item)?;
        Some(dial.get(field)?.value.item.clone())
    };
    let (was, is) = (faces(old)?, faces(new)?);
    Some(Change {
        section: section.clone(),
        text: format!("dial `{dial}`: faces {} -> {}", range(&was), range(&is)),
        more: meaning(new, section, dial).into_iter().collect(),
        place: difference.span(),
        path: path.join("."),
        old: Some(toml(&was)),
        new: Some(toml(&is)),
        aside: false,
        modifiers: Vec::new(),
    })
}

/// A list of numbers, by its ends if each is one more than the one before it.
fn range(item: &Item) -> String {
    let Item::List(list) = item else {
        return toml(item);
    };
    let number = |node: &Node| match node.item {
        Item::Int(number) => Some(number),
        _ => None,
    };
    let numbers: Option<Vec<i64>> = list.iter().map(number).collect();
    match numbers.as_deref() {
        Some([first, .., last])
            if numbers
                .iter()
                .flatten()
                .zip(*first..)
                .all(|(number, expected)| *number == expected) =>
        {
            format!("{first} to {last}")
        }
        _ => toml(item),
    }
}

/// Differences in words, each by itself.
fn one_by_one(differences: &[Difference], document: &Document) -> Vec<Change> {
    let mut changes: Vec<Change> = differences
        .iter()
        .map(|difference| change(difference, document))
        .collect();
    let entry = |difference: &Difference| difference.path.get(..2).map(<[String]>::to_vec);
    for at in 0..changes.len() {
        let path = &differences[at].path;
        let describes = path.len() > 2 && path.last().is_some_and(|last| is_aside(last));
        changes[at].aside = describes
            && differences.iter().enumerate().any(|(other, difference)| {
                other != at
                    && entry(difference) == entry(&differences[at])
                    && difference.path.last().is_some_and(|last| !is_aside(last))
            });
    }
    changes
}

fn is_aside(field: &str) -> bool {
    ASIDE.contains(&field)
}

/// What entries of a table are called.
fn noun(section: &str) -> &str {
    match section {
        "flow" => "block",
        "score" => "scoring term",
        "tie" => "tie-break",
        "view" => "the drawing of the board:",
        other => other,
    }
}

/// What a block or function is called where it is a step.
fn step_noun(document: &Document, step: &str) -> &'static str {
    let Some(Item::Table(flow)) = document.root.get("flow").map(|flow| &flow.value.item) else {
        return "step";
    };
    let Some(Item::Table(block)) = flow.get(step).map(|block| &block.value.item) else {
        return "step";
    };
    match block.get("scope").map(|scope| &scope.value.item) {
        Some(Item::Text(scope)) if scope == "phase" => "phase",
        _ => "block",
    }
}

/// A difference in words.
fn change(difference: &Difference, document: &Document) -> Change {
    let path = &difference.path;
    let section = path.first().map_or("", String::as_str);
    let value = |node: &Option<Node>| node.as_ref().map(|node| toml(&node.item));
    let (old, new) = (value(&difference.old), value(&difference.new));
    let mut more = Vec::new();
    let text = match path.as_slice() {
        [section, block, field, step] if section == "flow" && field == "do" => {
            steps(difference, document, block, step)
        }
        [_, id] if section != "view" => {
            let what = format!("{} `{id}`", noun(section));
            if let Some(table) = added(difference) {
                more.extend(described(table));
                let mut rest = table.clone();
                if section == "ability" {
                    more.extend(ability(&mut rest, id));
                }
                more.extend(fields(&rest, id));
            }
            changed(&what, &None, &None, difference)
        }
        [section, id, field] if section == "parameter" && field == "value" => {
            more.extend(meaning(document, section, id));
            changed(&format!("parameter `{id}`"), &old, &new, difference)
        }
        [section, id, inner @ ..] => {
            let (last, inside) = inner
                .split_last()
                .map_or(("", &[][..]), |(last, inside)| (last.as_str(), inside));
            let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
            let inside = match inside.is_empty() {
                true => String::new(),
                false => format!(" {}", inside.join(" ")),
            };
            let what = format!("{} `{id}`{inside}: `{}`", noun(section), bare(last));
            match (added(difference), removed(difference)) {
                (Some(table), _) => {
                    more.extend(described(table));
                    more.push(fields(table, last).join(", "));
                    changed(&what, &None, &None, difference)
                }
                (_, true) => format!("{what} removed"),
                _ => {
                    // Of an entry's element the entry says too little.
                    if inside.is_empty() && !is_aside(last) {
                        more.extend(meaning(document, section, id));
                    }
                    changed(&what, &old, &new, difference)
                }
            }
        }
        other => changed(&format!("`{}`", other.join(".")), &old, &new, difference),
    };
    more.retain(|more| !more.is_empty());
    Change {
        section: section.to_owned(),
        text,
        more,
        place: difference.span(),
        path: path.join("."),
        old,
        new,
        aside: false,
        modifiers: Vec::new(),
    }
}

/// The table that came, if one did.
fn added(difference: &Difference) -> Option<&Table> {
    match (&difference.old, &difference.new) {
        (None, Some(Node { item, .. })) => as_table(item),
        _ => None,
    }
}

/// Whether a table went.
fn removed(difference: &Difference) -> bool {
    matches!((&difference.old, &difference.new), (Some(old), None) if as_table(&old.item).is_some())
}

fn as_table(item: &Item) -> Option<&Table> {
    match item {
        Item::Table(table) => Some(table),
        _ => None,
    }
}

/// What an entry says about itself.
fn described(table: &Table) -> Option<String> {
    match table.get("doc").map(|entry| &entry.value.item) {
        Some(Item::Text(doc)) => Some(doc.clone()),
        _ => None,
    }
}

/// The fields of an entry that came, without those that its name or its description says.
fn fields(table: &Table, name: &str) -> Vec<String> {
    let says_name = |key: &str, entry: &Entry| match (key, &entry.value.item) {
        ("id", Item::Text(id)) => id == name,
        ("between", _) => true,
        _ => is_aside(key),
    };
    table
        .iter()
        .filter(|(key, entry)| !says_name(key, entry))
        .map(|(key, entry)| format!("{key} = {}", toml(&entry.value.item)))
        .collect()
}

/// What an ability does and while what, in words, for the fields that say so: these are taken away.
fn ability(table: &mut Table, id: &str) -> Vec<String> {
    let mut words = Vec::new();
    if let (Some(piece), Some(zone)) = (text(table, "piece"), text(table, "zone")) {
        words.push(match piece == id {
            true => format!("while it lies in `{zone}`"),
            false => format!("while `{piece}` lies in `{zone}`"),
        });
        table.retain(|key, _| key != "piece" && key != "zone");
    }
    for does in [modified, triggered] {
        words.extend(does(table));
    }
    words
}

/// A field in words, without the quotes of a text.
fn text(table: &Table, key: &str) -> Option<String> {
    let value = toml(&table.get(key)?.value.item);
    Some(bare(&value).to_owned())
}

/// Only if what, as the end of a sentence.
fn only_if(table: &Table) -> String {
    text(table, "when").map_or_else(String::new, |when| format!(", only if {when}"))
}

/// How an ability changes a parameter.
fn modified(ability: &mut Table) -> Option<String> {
    let table = as_table(&ability.get("modify")?.value.item)?;
    let parameter = text(table, "parameter")?;
    let amount = |key| text(table, key);
    let does = match (amount("set"), amount("add"), amount("min"), amount("max")) {
        (Some(set), ..) => format!("sets {parameter} to {set}"),
        (_, Some(add), ..) => format!("adds {add} to {parameter}"),
        (_, _, Some(least), _) => format!("makes {parameter} at least {least}"),
        (.., Some(most)) => format!("makes {parameter} at most {most}"),
        _ => return None,
    };
    let words = format!("{does}{}", only_if(table));
    ability.remove("modify");
    Some(words)
}

/// What an ability does when something happens.
fn triggered(ability: &mut Table) -> Option<String> {
    let table = as_table(&ability.get("trigger")?.value.item)?;
    let (event, effect) = (text(table, "on")?, text(table, "effect")?);
    let words = format!("at {event}: {effect}{}", only_if(table));
    ability.remove("trigger");
    Some(words)
}

/// What an entry says that it is, for who does not know its id.
fn meaning(document: &Document, section: &str, id: &str) -> Option<String> {
    let section = as_table(&document.root.get(section)?.value.item)?;
    described(as_table(&section.get(id)?.value.item)?)
}

/// An element of a list without the quotes of a text.
fn bare(text: &str) -> &str {
    text.strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(text)
}

/// What came, went, or became something else.
fn changed(
    what: &str,
    old: &Option<String>,
    new: &Option<String>,
    difference: &Difference,
) -> String {
    // An element of a list that is its own name says nothing more.
    let says = |value: &Option<String>| match (value, difference.path.last()) {
        (Some(value), Some(last)) if value != last => Some(value.clone()),
        _ => None,
    };
    match (&difference.old, &difference.new) {
        (Some(_), Some(_)) => match (says(old).or(old.clone()), new) {
            (Some(old), Some(new)) => format!("{what} {old} -> {new}"),
            _ => format!("{what} changed"),
        },
        (None, _) => match says(new) {
            Some(new) => format!("{what} added: {new}"),
            None => format!("{what} added"),
        },
        (Some(_), None) => match says(old) {
            Some(old) => format!("{what} removed: {old}"),
            None => format!("{what} removed"),
        },
    }
}

/// A change of the steps of a block.
fn steps(difference: &Difference, document: &Document, block: &str, step: &str) -> String {
    let step = bare(step);
    let what = format!("{} `{step}`", step_noun(document, step));
    let beside = match (&difference.after, &difference.before) {
        (Some(after), _) => format!(" after `{}`", bare(after)),
        (None, Some(before)) => format!(" before `{}`", bare(before)),
        (None, None) => String::new(),
    };
    match (&difference.old, &difference.new) {
        (None, _) => format!("{what} added{beside} in block `{block}`"),
        (Some(_), None) => format!("{what} dropped from block `{block}`"),
        (Some(_), Some(new)) => {
            let is_around = difference
                .old
                .as_ref()
                .is_some_and(|old| does(document, &new.item, &old.item));
            let new = toml(&new.item);
            let new = bare(&new);
            if new == step {
                return format!("{what} moved{beside} in block `{block}`");
            }
            let how = match is_around {
                true => "wrapped by",
                false => "replaced by",
            };
            format!(
                "{what} {how} {} `{new}` in block `{block}`",
                step_noun(document, new)
            )
        }
    }
}
