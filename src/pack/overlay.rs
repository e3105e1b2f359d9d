//! Laying the tables of variants over a document: changes, additions, removals; and what two of them
//! set alike.

use std::collections::{BTreeMap, BTreeSet, btree_map};

use crate::diag::{Diagnostic, Report, Span};

use super::codes;
use super::doc::{Document, Entry, Item, Node, Table, element_key};
use super::fields::list;
use super::names::{is_table, unknown_table};
use super::steps;
use super::variant::Listed;

/// The table under which a document's drawing of the board is changed.
pub(super) const VIEW: &str = "view";

/// The table of a variant that holds its additions.
pub(super) const ADD: &str = "add";

/// A variant, as far as an overlay must know it.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub(super) id: String,
    /// The variants it names, so that it may set what they set.
    pub(super) knows: BTreeSet<String>,
}

/// A document while variants are laid over it.
pub(super) struct Overlay<'a> {
    document: &'a mut Document,
    root: Table,
    marks: Marks<'a>,
}

/// Which variant set what, and what is wrong with that.
pub(super) struct Marks<'a> {
    owners: Vec<Owner>,
    /// The variant that is laid now.
    place: usize,
    /// Every path that was set, by whom and where.
    set: BTreeMap<Vec<String>, (usize, Span)>,
    /// Steps around which blocks were put: the step, the block, and where it is said.
    pub(super) wrapped: Vec<(String, String, Span)>,
    /// Lists of which a part was changed, and where each change is written.
    changed_lists: BTreeMap<Vec<String>, Vec<Span>>,
    pub(super) report: &'a mut Report,
}

impl<'a> Overlay<'a> {
    /// Begins to lay variants, in the order in which they apply, over a document.
    pub(super) fn new(
        document: &'a mut Document,
        owners: Vec<Owner>,
        report: &'a mut Report,
    ) -> Self {
        let mut root = std::mem::take(&mut document.root);
        if let Some(view) = document.view.take() {
            let key = view.span;
            root.insert(VIEW.to_owned(), Entry { key, value: view });
        }
        let marks = Marks {
            owners,
            place: 0,
            set: BTreeMap::new(),
            wrapped: Vec::new(),
            changed_lists: BTreeMap::new(),
            report,
        };
        Self {
            document,
            root,
            marks,
        }
    }

    /// Lays a variant over what is there: first it removes, then it changes, then it adds.
    pub(super) fn lay(&mut self, place: usize, tree: Node, remove: &[Listed]) {
        self.marks.place = place;
        for path in remove {
            self.remove(path);
        }
        let Item::Table(mut tables) = tree.item else {
            return;
        };
        let added = tables.remove(ADD);
        let mut path = Vec::new();
        change_table(
            &mut self.root,
            tree.span,
            tables,
            &mut path,
            &mut self.marks,
        );
        if let Some(Item::Table(added)) = added.map(|added| added.value.item) {
            // Told here, since what follows from it would be told instead.
            for (name, entry) in &added {
                if name != VIEW && !is_table(name) {
                    self.marks.report.push(unknown_table(name, entry.key));
                }
            }
            add_table(&mut self.root, added, &mut path, &mut self.marks);
        }
        steps::check_wraps(&self.root, &mut self.marks);
    }

    /// Gives the document back.
    pub(super) fn finish(mut self) {
        self.document.view = self.root.remove(VIEW).map(|entry| entry.value);
        self.document.root = self.root;
        self.document.changed_lists = self.marks.changed_lists;
    }

    /// Removes the entry at a path such as `toggle.drought`.
    fn remove(&mut self, listed: &Listed) {
        let path: Vec<String> = listed.name.split('.').map(str::to_owned).collect();
        let Some((last, inner)) = path.split_last() else {
            return;
        };
        let mut known = Vec::new();
        let mut table = Some(&mut self.root);
        let mut elements: Option<&mut Vec<Node>> = None;
        for (depth, part) in inner.iter().enumerate() {
            let node = match (table.take(), elements.take()) {
                (Some(table), _) => {
                    known = table.keys().cloned().collect();
                    table.get_mut(part).map(|entry| &mut entry.value)
                }
                (None, Some(list)) => {
                    known = list.iter().filter_map(element_key).collect();
                    list.iter_mut().find(|node| is_called(node, part))
                }
                (None, None) => None,
            };
            match node.map(|node| &mut node.item) {
                Some(Item::Table(inner)) => table = Some(inner),
                Some(Item::List(inner)) => elements = Some(inner),
                _ => {
                    self.marks
                        .absent(listed.span, &path[..=depth], &known, "to be removed");
                    return;
                }
            }
        }
        let found = match (table, elements) {
            (Some(table), _) => {
                known = table.keys().cloned().collect();
                table.remove(last).is_some()
            }
            (None, Some(list)) => {
                known = list.iter().filter_map(element_key).collect();
                let at = list.iter().position(|node| is_called(node, last));
                at.map(|at| list.remove(at)).is_some()
            }
            (None, None) => false,
        };
        if found || self.marks.was_set(&path) {
            self.marks.set(&path, listed.span);
        } else {
            self.marks
                .absent(listed.span, &path, &known, "to be removed");
        }
    }
}

impl Marks<'_> {
    /// Notes that the variant sets what is at a path; reports another that set it, or something of it,
    /// before, unless this one names it.
    pub(super) fn set(&mut self, path: &[String], span: Span) {
        let inside = self.set.range(path.to_vec()..);
        let inside = inside.take_while(|(other, _)| other.starts_with(path));
        let around = (1..path.len()).filter_map(|length| self.set.get_key_value(&path[..length]));
        let own = &self.owners[self.place];
        let clash = inside.chain(around).find(|(_, (other, _))| {
            *other != self.place && !own.knows.contains(&self.owners[*other].id)
        });
        if let Some((_, (other, first))) = clash {
            let other = &self.owners[*other].id;
            let message = format!("`{}` and `{other}` both set `{}`", own.id, path.join("."));
            self.report.push(
                Diagnostic::error(codes::VARIANTS_CONFLICT, span, message)
                    .label(format!("set by `{}`", own.id))
                    .other(*first, format!("set by `{other}`"))
                    .help(format!(
                        "which of them has the last word? say `after = [\"{other}\"]` in `{}`, or the other way round",
                        own.id
                    )),
            );
        }
        self.set.insert(path.to_vec(), (self.place, span));
    }

    /// Notes that the variant changes a part of the list at a path.
    pub(super) fn change_list(&mut self, path: &[String], span: Span) {
        let changes = self.changed_lists.entry(path.to_vec()).or_default();
        changes.push(span);
    }

    /// Whether a variant before this one set what is at a path.
    fn was_set(&self, path: &[String]) -> bool {
        self.set
            .get(path)
            .is_some_and(|(other, _)| *other != self.place)
    }

    /// Reports a path whose last part is not there.
    pub(super) fn absent(&mut self, span: Span, path: &[String], known: &[String], what: &str) {
        let Some((last, inner)) = path.split_last() else {
            return;
        };
        let message = match inner.is_empty() {
            true => format!("the pack has no table `{last}` {what}"),
            false => format!("`{}` has no `{last}` {what}", inner.join(".")),
        };
        let mut diagnostic = Diagnostic::error(codes::ABSENT, span, message)
            .label("not there")
            .suggest(last, known.iter().map(String::as_str));
        if let Some((other, at)) = self.set.get(path) {
            let by = format!("variant `{}` took it away", self.owners[*other].id);
            diagnostic = diagnostic.other(*at, by);
        } else if diagnostic.help.is_empty() && !known.is_empty() && known.len() <= 8 {
            let known = list(known.iter().map(String::as_str));
            diagnostic = diagnostic.help(format!("there are {known}"));
        }
        if what == TO_CHANGE {
            let parent = match inner.is_empty() {
                true => ADD.to_owned(),
                false => format!("{ADD}.{}", inner.join(".")),
            };
            diagnostic = diagnostic.help(format!("what is new stands under `[{parent}]`"));
        }
        self.report.push(diagnostic);
    }

    /// Reports an addition of what is there.
    fn present(&mut self, path: &[String], span: Span, there: Span) {
        let by = match self.set.get(path) {
            Some((other, _)) => format!("added by variant `{}`", self.owners[*other].id),
            None => "given here".to_owned(),
        };
        let parent = path[..path.len() - 1].join(".");
        let message = format!("`{}` is there already and cannot be added", path.join("."));
        self.report.push(
            Diagnostic::error(codes::PRESENT, span, message)
                .label("added again")
                .other(there, by)
                .help(format!(
                    "to change it, write it under `[{parent}]` without `{ADD}`"
                )),
        );
    }
}

/// What a change wants of what it names.
const TO_CHANGE: &str = "to be changed";

/// Changes what is in a table; `span` is where the table of changes stands.
fn change_table(
    old: &mut Table,
    span: Span,
    new: Table,
    path: &mut Vec<String>,
    marks: &mut Marks<'_>,
) {
    let mut new = new;
    if let [section, block] = path.as_slice()
        && section == "flow"
    {
        let block = block.clone();
        steps::change(old, &block, span, &mut new, marks);
    }
    for (key, entry) in new {
        path.push(key);
        match old.get_mut(&path[path.len() - 1]) {
            Some(there) => change(there, entry, path, marks),
            None => {
                let known: Vec<String> = old.keys().cloned().collect();
                marks.absent(entry.key, path, &known, TO_CHANGE);
            }
        }
        path.pop();
    }
}

/// Changes an entry: tables by their keys, lists by the names of their elements, all else as a whole.
fn change(old: &mut Entry, new: Entry, path: &mut Vec<String>, marks: &mut Marks<'_>) {
    let span = new.value.span;
    match (&mut old.value.item, new.value.item) {
        (Item::Table(there), Item::Table(changes)) => {
            change_table(there, new.key, changes, path, marks);
        }
        (Item::List(there), Item::Table(changes)) => {
            change_elements(there, changes, path, marks);
        }
        (_, item) => {
            marks.set(path, new.key);
            marks.changed_lists.remove(path.as_slice());
            *old = Entry {
                key: new.key,
                value: Node { span, item },
            };
        }
    }
}

/// Changes elements of a list of tables.
fn change_elements(old: &mut [Node], new: Table, path: &mut Vec<String>, marks: &mut Marks<'_>) {
    for (key, entry) in new {
        path.push(key);
        let name = &path[path.len() - 1];
        let found = old.iter_mut().find(|node| is_called(node, name));
        match (found.map(|node| &mut node.item), entry.value.item) {
            (Some(Item::Table(there)), Item::Table(changes)) => {
                change_table(there, entry.key, changes, path, marks);
            }
            (Some(_), other) => {
                let message = format!("the change of `{}` must be a table", path.join("."));
                let found = format!("found {}", other.describe());
                marks.report.push(
                    Diagnostic::error(codes::WRONG_TYPE, entry.value.span, message).label(found),
                );
            }
            (None, _) => {
                let known: Vec<String> = old.iter().filter_map(element_key).collect();
                marks.absent(entry.key, path, &known, TO_CHANGE);
            }
        }
        path.pop();
    }
}

/// Adds entries to a table: those of tables that are there to these, elements of lists at the end.
fn add_table(old: &mut Table, new: Table, path: &mut Vec<String>, marks: &mut Marks<'_>) {
    for (key, entry) in new {
        path.push(key.clone());
        match old.entry(key) {
            btree_map::Entry::Vacant(vacant) => {
                marks.set(path, entry.key);
                vacant.insert(entry);
            }
            btree_map::Entry::Occupied(mut there) => {
                let there = there.get_mut();
                match (&mut there.value.item, entry.value.item) {
                    (Item::Table(old), Item::Table(new)) if !new.is_empty() => {
                        add_table(old, new, path, marks);
                    }
                    (Item::List(old), Item::List(new)) => add_elements(old, new, path, marks),
                    _ => marks.present(path, entry.key, there.key),
                }
            }
        }
        path.pop();
    }
}

/// Adds elements at the end of a list; none may have the name of another.
fn add_elements(
    old: &mut Vec<Node>,
    new: Vec<Node>,
    path: &mut Vec<String>,
    marks: &mut Marks<'_>,
) {
    for node in new {
        let Some(key) = element_key(&node) else {
            marks.change_list(path, node.span);
            old.push(node);
            continue;
        };
        path.push(key);
        let name = &path[path.len() - 1];
        match old.iter().find(|there| is_called(there, name)) {
            Some(there) => marks.present(path, node.span, there.span),
            None => {
                marks.set(path, node.span);
                old.push(node);
            }
        }
        path.pop();
    }
}

/// Whether an element of a list has a name; the ends of an edge may be named in either order.
fn is_called(node: &Node, name: &str) -> bool {
    element_key(node).is_some_and(|key| {
        let turned = key.split_once('-').map(|(a, b)| format!("{b}-{a}"));
        key == name || turned.is_some_and(|turned| turned == name)
    })
}
