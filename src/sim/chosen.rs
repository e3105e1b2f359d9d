//! Which rules were played, as results name them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::script::Rules;

/// A pack with what was chosen of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chosen {
    /// The pack.
    pub pack: String,
    /// Its variants, in the order in which they apply.
    pub variants: Vec<String>,
    /// The parameters that were given other values than the files say.
    pub parameters: BTreeMap<String, i64>,
}

impl Chosen {
    /// What is chosen in some rules.
    pub fn of(rules: &Rules) -> Self {
        let chosen = rules.selection();
        Self {
            pack: rules.pack.id.clone(),
            variants: chosen.variants,
            parameters: chosen.parameters.into_iter().collect(),
        }
    }

    /// The variants and the parameters with their values, as `yukon compare` takes them; nothing for the game as it is.
    pub fn joined(&self) -> String {
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, value)| format!("{name}={value}"));
        let all: Vec<String> = self.variants.iter().cloned().chain(parameters).collect();
        all.join("+")
    }
}
