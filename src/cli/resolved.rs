//! `yukon show --resolved`: the merged rules as TOML, with where each value comes from.

use std::collections::BTreeMap;

use serde_json::json;

use crate::diag::{Sources, Span, count, nearest};
use crate::pack::Resolved;
use crate::pack::compare::toml;
use crate::pack::doc::{Document, Item, Node, Table, element_key};
use crate::pack::model::Provenance;

/// A value with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Value {
    /// Table, id, and on to the field.
    path: Vec<String>,
    /// As TOML writes it.
    text: String,
    span: Span,
    provenance: Provenance,
    /// Whether `--set` gave it.
    set: bool,
    /// Where variants changed parts of it, if it is a list.
    changed: Vec<Span>,
    /// The elements of it that variants gave, as TOML writes them.
    added: Vec<String>,
}

/// The merged rules of a pack, value by value.
pub(super) struct Values<'a> {
    sources: &'a Sources,
    document: &'a Document,
    values: Vec<Value>,
}

impl<'a> Values<'a> {
    /// All values of resolved rules, and parameters that were set for now.
    pub(super) fn new(resolved: &'a Resolved, sources: &'a Sources, set: &[(String, i64)]) -> Self {
        let mut all = Self {
            sources,
            document: &resolved.document,
            values: Vec::new(),
        };
        let mut path = Vec::new();
        all.table(&resolved.document.root, &mut path, None);
        if let Some(view) = &resolved.document.view {
            path.push("view".to_owned());
            all.node(view, view.span, &mut path, None);
        }
        for (name, value) in set {
            let path = ["parameter", name, "value"];
            for known in all.values.iter_mut().filter(|known| known.path == path) {
                known.text = value.to_string();
                known.set = true;
            }
        }
        all
    }

    fn table(&mut self, table: &Table, path: &mut Vec<String>, above: Option<Provenance>) {
        // What an entry says of itself holds for all in it.
        let said = match table.get("provenance").map(|entry| &entry.value.item) {
            Some(Item::Text(word)) => Provenance::ALL.into_iter().find(|of| of.word() == word),
            _ => None,
        };
        for (key, entry) in table {
            path.push(key.clone());
            self.node(&entry.value, entry.key, path, said.or(above));
            path.pop();
        }
    }

    fn node(&mut self, node: &Node, key: Span, path: &mut Vec<String>, said: Option<Provenance>) {
        match &node.item {
            Item::Table(table) if !table.is_empty() => self.table(table, path, said),
            Item::List(list)
                if !list.is_empty() && list.iter().all(|of| element_key(of).is_some()) =>
            {
                for element in list {
                    path.extend(element_key(element));
                    self.node(element, element.span, path, said);
                    path.pop();
                }
            }
            item => {
                let variants = &self.document.variants;
                let changed = self.document.changed_lists.get(path.as_slice());
                let changed = changed.cloned().unwrap_or_default();
                let added = match item {
                    Item::List(list) if !changed.is_empty() => list
                        .iter()
                        .filter(|of| of.span.file != key.file)
                        .filter(|of| variants.contains_key(&of.span.file))
                        .map(|of| toml(&of.item))
                        .collect(),
                    _ => Vec::new(),
                };
                let house = !changed.is_empty() || variants.contains_key(&key.file);
                let provenance = match house {
                    true => Provenance::House,
                    false => said
                        .or_else(|| self.document.provenance.get(&key.file).copied())
                        .unwrap_or(Provenance::Printed),
                };
                self.values.push(Value {
                    path: path.clone(),
                    text: toml(item),
                    span: key,
                    provenance,
                    set: false,
                    changed,
                    added,
                });
            }
        }
    }

    /// Leaves only what is at a path, or under an id.
    ///
    /// # Errors
    /// When there is nothing, with the nearest name.
    pub(super) fn only(&mut self, item: &str) -> Result<(), String> {
        // A section may be named as a whole, as in `parameters`.
        let root = &self.document.root;
        let section = item.strip_suffix('s').filter(|one| root.contains_key(*one));
        let wanted: Vec<&str> = section.unwrap_or(item).split('.').collect();
        let fits = |value: &Value| {
            let path: Vec<&str> = value.path.iter().map(String::as_str).collect();
            path.starts_with(&wanted) || path.len() > 1 && path[1..].starts_with(&wanted)
        };
        if !self.values.iter().any(fits) {
            let paths: Vec<String> = self
                .values
                .iter()
                .flat_map(|value| {
                    (1..=value.path.len()).map(|length| value.path[..length].join("."))
                })
                .collect();
            let ids = self.values.iter().filter_map(|value| value.path.get(1));
            let known = paths.iter().chain(ids).map(String::as_str);
            return Err(match nearest(item, known) {
                Some(near) => format!("there is no `{item}`; did you mean `{near}`?"),
                None => format!("there is no `{item}`"),
            });
        }
        self.values.retain(fits);
        Ok(())
    }

    fn place(&self, value: &Value) -> String {
        match value.set {
            true => "--set".to_owned(),
            false => self.place_of(value.span),
        }
    }

    fn place_of(&self, span: Span) -> String {
        let line = self.sources.position(span).line;
        format!("{}:{line}", self.sources.get(span.file).name)
    }

    /// Which variants changed parts of a list, and where.
    fn changes(&self, value: &Value) -> Vec<(&str, String)> {
        let mut changes = Vec::new();
        for span in &value.changed {
            if let Some(variant) = self.document.variants.get(&span.file) {
                changes.push((variant.as_str(), self.place_of(*span)));
            }
        }
        // Several elements may stand in one line.
        changes.dedup();
        changes
    }

    /// Where a value comes from, in words.
    fn origin(&self, value: &Value) -> String {
        let changes: Vec<String> = self
            .changes(value)
            .into_iter()
            .map(|(variant, place)| format!("changed by variant {variant} at {place}"))
            .collect();
        let own = match self.variant(value) {
            Some(variant) => format!("variant {variant}"),
            None if changes.is_empty() => return value.provenance.word().to_owned(),
            None => String::new(),
        };
        let mut origin: Vec<String> = (!own.is_empty()).then_some(own).into_iter().collect();
        origin.extend(changes);
        if !value.added.is_empty() {
            origin.push(format!("which added {}", value.added.join(", ")));
        }
        origin.join(", ")
    }

    fn variant(&self, value: &Value) -> Option<&str> {
        let variant = self.document.variants.get(&value.span.file);
        variant.filter(|_| !value.set).map(String::as_str)
    }

    /// As a TOML file with the origins as comments, and last how many there are of each provenance.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut heading: &[String] = &[];
        for value in &self.values {
            let length = value.path.len().saturating_sub(1).min(2);
            let (table, keys) = value.path.split_at(length);
            if table != heading {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&format!("[{}]\n", table.join(".")));
                heading = table;
            }
            text.push_str(&format!(
                "{} = {}  # {}, {}\n",
                keys.join("."),
                value.text,
                self.place(value),
                self.origin(value)
            ));
        }
        let mut counts: BTreeMap<Provenance, usize> = BTreeMap::new();
        for value in &self.values {
            *counts.entry(value.provenance).or_default() += 1;
        }
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(provenance, count)| format!("{count} {}", provenance.word()))
            .collect();
        text.push_str(&format!(
            "\n# {}: {}\n",
            count(self.values.len(), "value"),
            counts.join(", ")
        ));
        text
    }

    /// As a list of objects.
    pub(super) fn json(&self) -> serde_json::Value {
        self.values
            .iter()
            .map(|value| {
                let changes = self.changes(value).into_iter();
                let changes =
                    changes.map(|(variant, place)| json!({ "variant": variant, "place": place }));
                json!({
                    "path": value.path.join("."),
                    "value": value.text,
                    "place": self.place(value),
                    "variant": self.variant(value),
                    "changed": changes.collect::<Vec<_>>(),
                    "added": value.added,
                    "provenance": value.provenance.word(),
                })
            })
            .collect()
    }
}
