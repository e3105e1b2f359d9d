//! Exchanges: what can be turned into what.

use crate::diag::{Diagnostic, Span};
use crate::table::ids::SetId;

use super::codes;
use super::doc::{Node, Table};
use super::fields::{At, Fields, as_snippet};
use super::keys;
use super::model::{Amount, ExchangeInfo, ResourceInfo, RuleInfo, Snippet, TypeName};
use super::names::{Section, check_id, unknown};
use super::read::Reader;

impl<'a> Reader<'a> {
    /// Reads exchanges.
    pub(super) fn read_exchanges(&mut self) -> Vec<ExchangeInfo> {
        let mut exchanges = Vec::new();
        for declared in self.names.list(Section::Exchange).to_vec() {
            let mut fields = self.fields(Section::Exchange, declared);
            let path = format!("exchange.{}", declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            let subject = self.read_subject(&mut fields);
            let resources = self.read_resources(&mut fields, &path);
            let rules = self.read_rules(&mut fields, &path, &resources);
            let goal = self.read_amounts(&mut fields, "goal", &resources, None);
            fields.finish(&mut self.report);
            exchanges.push(ExchangeInfo {
                name,
                subject,
                resources,
                rules,
                goal,
                span: declared.key,
            });
        }
        exchanges
    }

    fn read_subject(&mut self, fields: &mut Fields<'a>) -> Option<(String, TypeName)> {
        let node = fields.node("subject")?;
        let what = format!("`subject` of {}", fields.what);
        let mut subject = Fields::of(
            what.as_str(),
            node.span,
            node,
            &keys::SUBJECT,
            &mut self.report,
        )?;
        let name = subject.need_text("name", &mut self.report);
        let of = subject.need_text("type", &mut self.report);
        subject.finish(&mut self.report);
        if let Some(name) = name {
            check_id(name.value, name.span, &mut self.report);
            if name.value == "me" {
                self.report.push(
                    Diagnostic::error(
                        codes::KEYWORD_ID,
                        name.span,
                        "a subject cannot be called `me`",
                    )
                    .label("`me` is the player"),
                );
            }
        }
        let of = of.and_then(|of| self.value_type(&what, of));
        Some((name?.value.to_owned(), of?))
    }

    /// The set of an `each`.
    fn read_each_set(&mut self, fields: &mut Fields<'a>) -> Option<SetId> {
        let set = fields.text("each", &mut self.report)?;
        self.names
            .resolve(Section::Set, set, &mut self.report)
            .map(SetId::from_index)
    }

    fn read_resources(
        &mut self,
        fields: &mut Fields<'a>,
        exchange_path: &str,
    ) -> Vec<ResourceInfo> {
        let mut resources = Vec::new();
        let exchange = fields.what.clone();
        for (id, entry) in self.subtable(fields, "resource") {
            check_id(id, entry.key, &mut self.report);
            let what = format!("resource `{id}` of {exchange}");
            let own = Fields::of(
                what,
                entry.key,
                &entry.value,
                &keys::RESOURCE,
                &mut self.report,
            );
            let Some(mut own) = own else {
                continue;
            };
            let path = format!("{exchange_path}.resource.{id}");
            self.common(&mut own, &path, Some(id));
            let each = self.read_each_set(&mut own);
            let start = own.snippet("start", self.sources, &mut self.report);
            let most = own.snippet("most", self.sources, &mut self.report);
            own.finish(&mut self.report);
            resources.push(ResourceInfo {
                id: id.clone(),
                each,
                start: start.unwrap_or(Snippet {
                    text: String::new(),
                    span: entry.key,
                }),
                most,
            });
        }
        resources
    }

    fn read_rules(
        &mut self,
        fields: &mut Fields<'a>,
        exchange_path: &str,
        resources: &[ResourceInfo],
    ) -> Vec<RuleInfo> {
        let mut rules = Vec::new();
        let exchange = fields.what.clone();
        for (id, entry) in self.subtable(fields, "rule") {
            check_id(id, entry.key, &mut self.report);
            let what = format!("rule `{id}` of {exchange}");
            let own = Fields::of(what, entry.key, &entry.value, &keys::RULE, &mut self.report);
            let Some(mut own) = own else {
                continue;
            };
            let path = format!("{exchange_path}.rule.{id}");
            self.common(&mut own, &path, Some(id));
            let each = self.read_each_set(&mut own);
            let need = self.read_amounts(&mut own, "need", resources, each);
            let take = self.read_amounts(&mut own, "take", resources, each);
            let give = self.read_amounts(&mut own, "give", resources, each);
            let take_any = self.read_take_any(&mut own, resources);
            let automatic = own.bool("automatic", &mut self.report);
            own.finish(&mut self.report);
            rules.push(RuleInfo {
                id: id.clone(),
                each,
                need,
                take,
                give,
                take_any,
                automatic: automatic.is_some_and(|automatic| automatic.value),
            });
        }
        rules
    }

    fn subtable(
        &mut self,
        fields: &mut Fields<'a>,
        key: &'static str,
    ) -> impl Iterator<Item = (&'a String, &'a super::doc::Entry)> + use<'a> {
        static EMPTY: Table = Table::new();
        fields.table(key, &mut self.report).unwrap_or(&EMPTY).iter()
    }

    /// Amounts of resources. Those with a member need a rule that goes over the same set.
    fn read_amounts(
        &mut self,
        fields: &mut Fields<'a>,
        key: &'static str,
        resources: &[ResourceInfo],
        each: Option<SetId>,
    ) -> Vec<Amount> {
        let Some(table) = fields.table(key, &mut self.report) else {
            return Vec::new();
        };
        let mut amounts = Vec::new();
        for (id, entry) in table {
            let amount = self.amount(&entry.value, id);
            let at = At {
                value: id.as_str(),
                span: entry.key,
            };
            let Some(resource) = self.resource(at, resources) else {
                continue;
            };
            if let Some(set) = resources[resource].each
                && each != Some(set)
            {
                self.no_member(&fields.what, at, set);
            }
            if let Some(amount) = amount {
                amounts.push(Amount { resource, amount });
            }
        }
        amounts.sort_by_key(|amount| amount.resource);
        amounts
    }

    fn amount(&mut self, node: &'a Node, id: &str) -> Option<Snippet> {
        let what = format!("the amount of `{id}`");
        as_snippet(&what, node, self.sources, &mut self.report)
    }

    fn resource(&mut self, id: At<&str>, resources: &[ResourceInfo]) -> Option<usize> {
        let found = resources.iter().position(|other| other.id == id.value);
        if found.is_none() {
            let known = resources.iter().map(|resource| resource.id.as_str());
            self.report.push(unknown("resource", id, known));
        }
        found
    }

    fn no_member(&mut self, what: &str, id: At<&str>, set: SetId) {
        let set = &self.layout.sets[set.index()].name.id;
        self.report.push(
            Diagnostic::error(
                codes::EXCHANGE,
                id.span,
                format!(
                    "{what} does not say which `{set}` of `{}` it means",
                    id.value
                ),
            )
            .label(format!("there is one `{}` for each `{set}`", id.value))
            .help(format!(
                "give the rule `each = \"{set}\"`, or use `take_any` to take any of them"
            )),
        );
    }

    fn read_take_any(
        &mut self,
        fields: &mut Fields<'a>,
        resources: &[ResourceInfo],
    ) -> Option<(Vec<usize>, Snippet)> {
        let node = fields.node("take_any")?;
        let what = format!("`take_any` of {}", fields.what);
        let mut own = Fields::of(what, node.span, node, &keys::TAKE_ANY, &mut self.report)?;
        let from = own.texts("from", &mut self.report);
        self.no_doubles(&from, "the resources of `take_any`");
        if from.is_empty() {
            let span: Span = own.key_span("from");
            let message = format!("{} takes from nothing", own.what);
            self.out_of_range(span, message, "expected one resource at least in `from`");
        }
        let count = own.snippet("count", self.sources, &mut self.report);
        own.finish(&mut self.report);
        let mut found: Vec<usize> = from
            .into_iter()
            .filter_map(|id| self.resource(id, resources))
            .collect();
        found.sort_unstable();
        found.dedup();
        Some((found, count?))
    }
}
