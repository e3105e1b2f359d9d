//! Reading what must hold.

use crate::flow::item::player_of;
use crate::pack::doc::{Item as Toml, Node, Table};
use crate::pack::fields::{Fields, as_int, wrong_type};

use super::super::keys::EXPECT;
use super::super::model::{Expectation, Wanted};
use super::super::sight::Sight;
use super::{Reader, in_order};

impl Reader<'_> {
    /// What must hold after an entry of `play`, or at the end.
    pub(super) fn expectations(&mut self, node: &Node, at_end: bool) -> Vec<Expectation> {
        let Toml::Table(table) = &node.item else {
            wrong_type(self.report, "`expect`", "a table", node);
            return Vec::new();
        };
        let mut items = table.clone();
        items.retain(|key, _| EXPECT.get(key).is_none());
        let mut expectations: Vec<Expectation> = self
            .settings(&items, false)
            .into_iter()
            .map(|(setting, span)| Expectation {
                span,
                what: Wanted::Item(setting),
            })
            .collect();
        let mut fields = Fields::new("`expect`", node.span, table, &EXPECT);
        if let Some(text) = fields.text("asked", self.report)
            && let Some(asked) = self.asked(text)
        {
            expectations.push(Expectation {
                span: text.span,
                what: Wanted::Asked(asked),
            });
        }
        for text in fields.texts("not_asked", self.report) {
            expectations.extend(self.asked(text).map(|asked| Expectation {
                span: text.span,
                what: Wanted::NotAsked {
                    asked,
                    ever: at_end,
                },
            }));
        }
        if let Some(over) = fields.bool("over", self.report) {
            expectations.push(Expectation {
                span: over.span,
                what: Wanted::Over(over.value),
            });
        }
        for (key, scores) in [("scores", true), ("winner", false)] {
            let span = fields.key_span(key);
            let Some(list) = fields.list(key, self.report) else {
                continue;
            };
            let numbers = list
                .iter()
                .filter_map(|node| {
                    as_int(
                        &format!("an element of `{key}`"),
                        node,
                        i64::MIN..=i64::MAX,
                        self.report,
                    )
                })
                .map(|at| at.value)
                .collect();
            expectations.push(Expectation {
                span,
                what: if scores {
                    Wanted::Scores(numbers)
                } else {
                    Wanted::Winner(numbers)
                },
            });
        }
        if let Some(sees) = fields.table("sees", self.report) {
            expectations.extend(self.sights(sees));
        }
        expectations
    }

    /// What players are to see: `player_2 = { ITEM = [...] }`.
    fn sights(&mut self, table: &Table) -> Vec<Expectation> {
        let rules = self.rules;
        let mut sights = Vec::new();
        for (player, span, node) in in_order(table) {
            let Some(player) = player_of(player, self.table.players) else {
                self.error(span, format!("there is no player `{player}`"));
                continue;
            };
            let Toml::Table(items) = &node.item else {
                wrong_type(self.report, "what a player sees", "a table of items", node);
                continue;
            };
            for (setting, span) in self.settings(items, false) {
                match Sight::new(rules.layout(), &self.table, player, &setting) {
                    Ok(sight) => sights.push(Expectation {
                        span,
                        what: Wanted::Sees(sight),
                    }),
                    Err(text) => self.error(span, text),
                }
            }
        }
        sights
    }
}
