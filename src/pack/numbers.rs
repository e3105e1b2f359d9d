//! The numbers of the rules, and what changes them.

use crate::diag::{Diagnostic, Span};
use crate::table::ids::{AbilityId, ParameterId};
use crate::table::layout::Name;

use super::codes;
use super::doc::Item;
use super::fields::{Fields, list, range_in_words, wrong_type};
use super::model::{Modifier, ModifierOp, Parameter, Provenance};
use super::names::Section;
use super::read::Reader;

/// How modifiers can change a parameter.
const OPS: [(&str, ModifierOp); 4] = [
    ("set", ModifierOp::Set),
    ("add", ModifierOp::Add),
    ("min", ModifierOp::Min),
    ("max", ModifierOp::Max),
];

impl<'a> Reader<'a> {
    /// Reads parameters.
    pub(super) fn read_parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for declared in self.names.list(Section::Parameter).to_vec() {
            let mut fields = self.fields(Section::Parameter, declared);
            let path = format!("parameter.{}", declared.id);
            let (name, provenance) = self.common(&mut fields, &path, Some(declared.id));
            let doc = fields.text("doc", &mut self.report);
            let report = &mut self.report;
            let least = fields.int("least", report).map(|least| least.value);
            let most = fields.int("most", report).map(|most| most.value);
            let span = fields.node("value").map_or(fields.span, |node| node.span);
            let base = match fields.node("value").map(|node| &node.item) {
                Some(Item::Bool(value)) => Some(i64::from(*value)),
                _ => fields.int("value", report).map(|base| base.value),
            };
            if let Some(base) = base
                && (least.is_some_and(|least| base < least) || most.is_some_and(|most| base > most))
            {
                self.out_of_range(
                    span,
                    format!("parameter `{}` is out of its range", declared.id),
                    format!("expected {}, found {base}", range_in_words(least, most)),
                );
            }
            fields.finish(&mut self.report);
            parameters.push(Parameter {
                name,
                doc: doc.map_or(String::new(), |doc| doc.value.to_owned()),
                base: base.unwrap_or(0),
                own_base: base.unwrap_or(0),
                least,
                most,
                span,
                provenance,
            });
        }
        parameters
    }

    /// Reads modifiers.
    pub(super) fn read_modifiers(&mut self) -> Vec<Modifier> {
        let mut modifiers = Vec::new();
        for declared in self.names.list(Section::Modifier).to_vec() {
            let mut fields = self.fields(Section::Modifier, declared);
            let path = format!("modifier.{}", declared.id);
            let (name, provenance) = self.common(&mut fields, &path, Some(declared.id));
            let about = (name, provenance, declared.key);
            let modifier = self.read_modifier(&mut fields, about, None);
            modifiers.extend(modifier);
        }
        modifiers
    }

    /// Reads what a modifier changes, and when; `about` is its name, its provenance and its place.
    pub(super) fn read_modifier(
        &mut self,
        fields: &mut Fields<'a>,
        about: (Name, Provenance, Span),
        ability: Option<AbilityId>,
    ) -> Option<Modifier> {
        let parameter = fields.need_text("parameter", &mut self.report);
        let parameter = parameter.and_then(|parameter| {
            self.names
                .resolve(Section::Parameter, parameter, &mut self.report)
        });
        let change = self.read_change(fields);
        let when = fields.snippet("when", self.sources, &mut self.report);
        fields.finish(&mut self.report);
        let (op, amount) = change?;
        let (name, provenance, span) = about;
        Some(Modifier {
            name,
            parameter: ParameterId::from_index(parameter?),
            ability,
            op,
            amount,
            when,
            span,
            provenance,
        })
    }

    fn read_change(
        &mut self,
        fields: &mut Fields<'a>,
    ) -> Option<(ModifierOp, super::model::Snippet)> {
        let mut changes = Vec::new();
        for (key, op) in OPS {
            if let Some(node) = fields.node(key) {
                if let Item::Bool(value) = node.item {
                    let what = format!("`{key}` of {}", fields.what);
                    let expected = format!("a number: `{}`", i64::from(value));
                    wrong_type(&mut self.report, &what, &expected, node);
                    continue;
                }
                let amount = fields.snippet(key, self.sources, &mut self.report);
                changes.push((key, op, amount));
            }
        }
        let names = list(OPS.iter().map(|(key, _)| *key));
        match changes.as_slice() {
            [] if OPS.iter().any(|(key, _)| fields.has(key)) => None,
            [] => {
                self.report.push(
                    Diagnostic::error(
                        codes::EXACTLY_ONE,
                        fields.span,
                        format!("{} changes nothing", fields.what),
                    )
                    .label(format!("expected one of {names}")),
                );
                None
            }
            [(_, op, amount)] => Some((*op, amount.clone()?)),
            [(first, ..), (second, ..), ..] => {
                self.report.push(
                    Diagnostic::error(
                        codes::EXACTLY_ONE,
                        fields.key_span(second),
                        format!("{} changes its parameter twice", fields.what),
                    )
                    .label(format!("expected only one of {names}"))
                    .other(fields.key_span(first), "the other one"),
                );
                None
            }
        }
    }
}
