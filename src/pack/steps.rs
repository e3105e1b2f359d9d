//! How a variant changes the steps of a block: `insert`, `drop`, `replace`, `wrap`.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Span};

use super::codes;
use super::doc::{Item, Node, Table};
use super::fields::{At, Fields, as_text, list};
use super::keys;
use super::overlay::Marks;

/// Takes the changes of steps out of the changes of a block and does them. `block` is its id, `old`
/// its fields, `span` the place of the changes.
pub(super) fn change(
    old: &mut Table,
    block: &str,
    span: Span,
    new: &mut Table,
    marks: &mut Marks<'_>,
) {
    let taken: Table = keys::VARIANT_STEPS
        .names()
        .filter_map(|key| Some((key.to_owned(), new.remove(key)?)))
        .collect();
    if taken.is_empty() {
        return;
    }
    let what = format!("block `{block}`");
    let Some(Item::List(list)) = old.get_mut("do").map(|entry| &mut entry.value.item) else {
        return;
    };
    let mut steps = Steps {
        what: what.clone(),
        block,
        list,
    };
    let mut fields = Fields::new(what, span, &taken, &keys::VARIANT_STEPS);
    // Inserting comes last, so that one can insert beside what was put in another's place.
    steps.drop(&mut fields, marks);
    steps.replace(&mut fields, "replace", marks);
    steps.replace(&mut fields, "wrap", marks);
    steps.insert(&mut fields, marks);
}

/// Whether a step is called so.
fn is_step(node: &Node, name: &str) -> bool {
    matches!(&node.item, Item::Text(text) if text == name)
}

/// The steps of a block.
struct Steps<'a> {
    what: String,
    block: &'a str,
    list: &'a mut Vec<Node>,
}

impl Steps<'_> {
    /// The path of the list.
    fn list_path(&self) -> [String; 3] {
        ["flow", self.block, "do"].map(str::to_owned)
    }

    /// The path of a step, as variants set it.
    fn path(&self, step: &str) -> Vec<String> {
        let mut path = self.list_path().to_vec();
        path.push(step.to_owned());
        path
    }

    /// Where a step is; reports it if it is not there, or there more than once.
    fn find(&self, step: At<&str>, marks: &mut Marks<'_>) -> Option<usize> {
        let mut found = (0..self.list.len()).filter(|at| is_step(&self.list[*at], step.value));
        let first = found.next();
        if first.is_none() {
            let known: Vec<String> = self
                .list
                .iter()
                .filter_map(|node| match &node.item {
                    Item::Text(text) => Some(text.clone()),
                    _ => None,
                })
                .collect();
            marks.absent(step.span, &self.path(step.value), &known, "among its steps");
        } else if found.next().is_some() {
            let message = format!("{} does `{}` more than once", self.what, step.value);
            marks.report.push(
                Diagnostic::error(codes::STEP_CHANGE, step.span, message)
                    .label("which one is meant?")
                    .help("give the whole list of steps: `do = [...]`"),
            );
            return None;
        }
        first
    }

    fn drop(&mut self, fields: &mut Fields<'_>, marks: &mut Marks<'_>) {
        for step in fields.texts("drop", marks.report) {
            if let Some(at) = self.find(step, marks) {
                marks.set(&self.path(step.value), step.span);
                marks.change_list(&self.list_path(), step.span);
                self.list.remove(at);
            }
        }
    }

    /// Puts others in the place of steps. A table gives the other by the name of the step.
    fn replace(&mut self, fields: &mut Fields<'_>, key: &'static str, marks: &mut Marks<'_>) {
        let Some(table) = fields.table(key, marks.report) else {
            return;
        };
        for (step, entry) in table {
            let what = format!("what `{key}` puts in the place of `{step}`");
            let Some(other) = as_text(&what, &entry.value, marks.report) else {
                continue;
            };
            let at = At {
                value: step.as_str(),
                span: entry.key,
            };
            if let Some(at) = self.find(at, marks) {
                marks.set(&self.path(step), entry.key);
                marks.change_list(&self.list_path(), entry.key);
                self.list[at] = entry.value.clone();
                if key == "wrap" {
                    marks
                        .wrapped
                        .push((step.clone(), other.value.to_owned(), other.span));
                }
            }
        }
    }

    /// Puts steps beside others; several behind the same one stand in the order given.
    fn insert(&mut self, fields: &mut Fields<'_>, marks: &mut Marks<'_>) {
        let mut behind: BTreeMap<&str, usize> = BTreeMap::new();
        let what = format!("an insertion into {}", self.what);
        let inserted = fields.list("insert", marks.report).unwrap_or_default();
        for node in inserted {
            let Some(mut given) = Fields::of(
                what.clone(),
                node.span,
                node,
                &keys::INSERTION,
                marks.report,
            ) else {
                continue;
            };
            let step = given.node("step");
            let before = given.text("before", marks.report);
            let after = given.text("after", marks.report);
            given.finish(marks.report);
            let (anchor, offset) = match (before, after) {
                (Some(before), None) => (before, 0),
                (None, Some(after)) => {
                    let others = behind.entry(after.value).or_default();
                    *others += 1;
                    (after, *others)
                }
                _ => {
                    let keys = list(["before", "after"]);
                    marks.report.push(
                        Diagnostic::error(
                            codes::EXACTLY_ONE,
                            node.span,
                            format!("{what} must say beside which step"),
                        )
                        .label(format!("expected one of {keys}")),
                    );
                    continue;
                }
            };
            if let (Some(step), Some(at)) = (step, self.find(anchor, marks)) {
                marks.change_list(&self.list_path(), node.span);
                self.list.insert(at + offset, step.clone());
            }
        }
    }
}

/// Checks that the blocks that were put around steps do these steps themselves.
pub(super) fn check_wraps(root: &Table, marks: &mut Marks<'_>) {
    for (step, block, span) in std::mem::take(&mut marks.wrapped) {
        let field = |table: &Table, key: &str| match table.get(key).map(|entry| &entry.value.item) {
            Some(Item::Table(table)) => Some(table.clone()),
            _ => None,
        };
        let around = field(root, "flow").and_then(|flow| field(&flow, &block));
        let Some(around) = around else {
            let message = format!("there is no block `{block}` to be put around `{step}`");
            marks.report.push(
                Diagnostic::error(codes::STEP_CHANGE, span, message)
                    .label("not there")
                    .help(format!(
                        "add it: `[add.flow.{block}]` with `do = [..., \"{step}\", ...]`"
                    )),
            );
            continue;
        };
        let does = match around.get("do").map(|entry| &entry.value.item) {
            Some(Item::List(list)) => list.iter().any(|node| is_step(node, &step)),
            _ => false,
        };
        if !does {
            let message = format!("block `{block}` is put around `{step}` and does not do it");
            marks.report.push(
                Diagnostic::error(codes::STEP_CHANGE, span, message)
                    .label(format!("expected a block with `{step}` among its steps"))
                    .help("what takes the place of a step stands under `replace`"),
            );
        }
    }
}
