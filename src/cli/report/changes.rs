//! What is changed of a pack, for who reads a page without its files.

use crate::script::Rules;

/// A variant, or a parameter with the values that it was given.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) struct Change {
    /// What it is called, with the values.
    pub(super) name: String,
    /// What it is about.
    pub(super) words: String,
}

/// What is changed in any of some rules: first their variants, then their parameters.
pub(in crate::cli) fn changes<'a>(rules: impl IntoIterator<Item = &'a Rules>) -> Vec<Change> {
    let mut variants: Vec<Change> = Vec::new();
    let mut parameters: Vec<(String, Vec<i64>, String)> = Vec::new();
    for rules in rules {
        for variant in &rules.pack.variants {
            if variants.iter().all(|known| known.name != variant.id) {
                variants.push(Change {
                    name: variant.id.clone(),
                    words: format!("{}. {}", variant.title, variant.reason),
                });
            }
        }
        for (id, value) in &rules.pack.changed {
            match parameters.iter_mut().find(|(known, ..)| known == id) {
                Some((_, values, _)) if values.contains(value) => {}
                Some((_, values, _)) => values.push(*value),
                None => parameters.push((id.clone(), vec![*value], about(rules, id))),
            }
        }
    }
    let parameters = parameters.into_iter().map(|(id, values, words)| {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        Change {
            name: format!("{id} = {}", values.join(", ")),
            words,
        }
    });
    variants.into_iter().chain(parameters).collect()
}

/// What a parameter means, and what it is where nobody sets it.
fn about(rules: &Rules, id: &str) -> String {
    let mut all = rules.pack.parameters.iter();
    let Some(info) = all.find(|info| info.name.id == id) else {
        return String::new();
    };
    format!("{} By the rules it is {}.", info.doc, info.own_base)
}
