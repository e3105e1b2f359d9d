//! What is different between two documents: entry by entry, field by field.

use std::collections::BTreeSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::diag::Span;

use super::doc::{Document, Item, Node, Table, element_key};
use super::overlay::VIEW;

/// One thing that is different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where it is: table, id, and on to the field or the element.
    pub path: Vec<String>,
    /// What it was, if it was there.
    pub old: Option<Node>,
    /// What it is, if it is there.
    pub new: Option<Node>,
    /// The element of the list before it, if it is one without a name that came or went.
    pub after: Option<String>,
    /// The element behind it, likewise.
    pub before: Option<String>,
}

impl Difference {
    /// Where the key or value stands that makes the difference: in the new document, or else in the old.
    pub fn span(&self) -> Option<Span> {
        self.new
            .as_ref()
            .or(self.old.as_ref())
            .map(|node| node.span)
    }
}

/// All differences from a document to another, in the byte order of their paths.
pub fn differences(old: &Document, new: &Document) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut path = Vec::new();
    tables(&old.root, &new.root, &mut path, &mut found);
    if let (Some(old), Some(new)) = (&old.view, &new.view) {
        path.push(VIEW.to_owned());
        nodes(old, new, &mut path, &mut found);
    }
    pair_wraps(&mut found, new);
    pair_moves(&mut found);
    found
}

/// Whether a difference is of a step of the same block as another.
fn is_step_beside(one: &Difference, other: &Difference) -> bool {
    match (one.path.as_slice(), other.path.as_slice()) {
        ([section, block, field, _], [.., other_block, other_field, _]) => {
            section == "flow" && field == "do" && other_field == "do" && block == other_block
        }
        _ => false,
    }
}

/// Whether a block of the document does a step itself.
pub fn does(document: &Document, block: &Item, step: &Item) -> bool {
    let field = |table: &Table, key: &str| match table.get(key).map(|entry| &entry.value.item) {
        Some(Item::Table(table)) => Some(table.clone()),
        _ => None,
    };
    let Item::Text(block) = block else {
        return false;
    };
    let block = field(&document.root, "flow").and_then(|flow| field(&flow, block));
    match block
        .as_ref()
        .and_then(|block| block.get("do"))
        .map(|steps| &steps.value.item)
    {
        Some(Item::List(steps)) => steps.iter().any(|known| toml(&known.item) == toml(step)),
        _ => false,
    }
}

/// Where a block came that does a step which went, it is around this step, whatever else went beside it.
fn pair_wraps(found: &mut Vec<Difference>, new: &Document) {
    let wraps = |one: &Difference, other: &Difference| match (&one.old, &other.new) {
        (Some(step), Some(block)) => does(new, &block.item, &step.item),
        _ => false,
    };
    for at in 0..found.len() {
        if wraps(&found[at], &found[at]) {
            continue;
        }
        let around = (0..found.len()).find(|other| {
            is_step_beside(&found[at], &found[*other]) && wraps(&found[at], &found[*other])
        });
        if let Some(around) = around {
            let (ours, theirs) = (found[at].new.take(), found[around].new.take());
            (found[at].new, found[around].new) = (theirs, ours);
            // What is only there now is called by itself.
            if let (None, Some(node)) = (&found[around].old, &found[around].new)
                && let Some(last) = found[around].path.last().map(|_| toml(&node.item))
            {
                found[around].path.pop();
                found[around].path.push(last);
            }
        }
    }
    found.retain(|difference| difference.old.is_some() || difference.new.is_some());
}

/// A step that went and came in the same block has moved.
fn pair_moves(found: &mut Vec<Difference>) {
    for at in 0..found.len() {
        if found[at].new.is_some() {
            continue;
        }
        let came = (0..found.len()).find(|other| {
            found[*other].old.is_none()
                && found[*other].path == found[at].path
                && is_step_beside(&found[at], &found[*other])
        });
        if let Some(came) = came {
            let old = found[at].old.take();
            found[came].old = old;
        }
    }
    found.retain(|difference| difference.old.is_some() || difference.new.is_some());
}

fn tables(old: &Table, new: &Table, path: &mut Vec<String>, found: &mut Vec<Difference>) {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys {
        path.push(key.clone());
        match (old.get(key), new.get(key)) {
            (Some(old), Some(new)) => nodes(&old.value, &new.value, path, found),
            (old, new) => {
                // A whole new section is as many new entries.
                let section = path.len() == 1;
                match (
                    section,
                    old.map(|old| &old.value.item),
                    new.map(|new| &new.value.item),
                ) {
                    (true, Some(Item::Table(old)), None) => tables(old, &Table::new(), path, found),
                    (true, None, Some(Item::Table(new))) => tables(&Table::new(), new, path, found),
                    _ => found.push(change(
                        path,
                        old.map(|old| keyed(&old.value, old.key)),
                        new.map(|new| keyed(&new.value, new.key)),
                    )),
                }
            }
        }
        path.pop();
    }
}

/// A node that is told by the place of its key.
fn keyed(node: &Node, key: Span) -> Node {
    Node {
        span: key,
        item: node.item.clone(),
    }
}

fn change(path: &[String], old: Option<Node>, new: Option<Node>) -> Difference {
    Difference {
        path: path.to_vec(),
        old,
        new,
        after: None,
        before: None,
    }
}

fn nodes(old: &Node, new: &Node, path: &mut Vec<String>, found: &mut Vec<Difference>) {
    match (&old.item, &new.item) {
        (Item::Table(old), Item::Table(new)) => tables(old, new, path, found),
        (Item::List(old), Item::List(new)) => lists(old, new, path, found),
        _ if toml(&old.item) != toml(&new.item) => {
            found.push(change(path, Some(old.clone()), Some(new.clone())));
        }
        _ => {}
    }
}

/// Lists: elements with names by these, others by how they follow each other.
fn lists(old: &[Node], new: &[Node], path: &mut Vec<String>, found: &mut Vec<Difference>) {
    let names = |list: &[Node]| -> Vec<String> {
        list.iter()
            .map(|node| element_key(node).unwrap_or_else(|| toml(&node.item)))
            .collect()
    };
    let (old_names, new_names) = (names(old), names(new));
    for op in capture_diff_slices(Algorithm::Myers, &old_names, &new_names) {
        match op {
            DiffOp::Equal {
                old_index,
                new_index,
                len,
            } => {
                for offset in 0..len {
                    path.push(old_names[old_index + offset].clone());
                    nodes(
                        &old[old_index + offset],
                        &new[new_index + offset],
                        path,
                        found,
                    );
                    path.pop();
                }
            }
            op => {
                let (gone, come) = (op.old_range(), op.new_range());
                // Where as many come as go, each takes the place of one.
                let pairs = if gone.len() == come.len() {
                    gone.len()
                } else {
                    0
                };
                for offset in 0..pairs {
                    let (from, to) = (gone.start + offset, come.start + offset);
                    path.push(old_names[from].clone());
                    found.push(change(path, Some(old[from].clone()), Some(new[to].clone())));
                    path.pop();
                }
                for at in gone.skip(pairs) {
                    path.push(old_names[at].clone());
                    found.push(beside(
                        change(path, Some(old[at].clone()), None),
                        &old_names,
                        at,
                    ));
                    path.pop();
                }
                for at in come.skip(pairs) {
                    path.push(new_names[at].clone());
                    found.push(beside(
                        change(path, None, Some(new[at].clone())),
                        &new_names,
                        at,
                    ));
                    path.pop();
                }
            }
        }
    }
}

/// Notes the neighbours of an element.
fn beside(difference: Difference, names: &[String], at: usize) -> Difference {
    Difference {
        after: at.checked_sub(1).map(|before| names[before].clone()),
        before: names.get(at + 1).cloned(),
        ..difference
    }
}

/// A value as TOML writes it in one line.
pub fn toml(item: &Item) -> String {
    match item {
        Item::Text(text) => format!("{text:?}"),
        Item::Int(number) => number.to_string(),
        Item::Bool(value) => value.to_string(),
        Item::List(list) => {
            let inner: Vec<String> = list.iter().map(|node| toml(&node.item)).collect();
            format!("[{}]", inner.join(", "))
        }
        Item::Table(table) if table.is_empty() => "{}".to_owned(),
        Item::Table(table) => {
            let inner: Vec<String> = table
                .iter()
                .map(|(key, entry)| format!("{key} = {}", toml(&entry.value.item)))
                .collect();
            format!("{{ {} }}", inner.join(", "))
        }
        Item::Other(name) => (*name).to_owned(),
    }
}
