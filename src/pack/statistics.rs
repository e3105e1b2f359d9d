//! What simulations count besides scores: entries of `[statistic]`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::diag::{Diagnostic, Span};
use crate::table::ids::{CounterId, DecisionId, DialId, TagId, ZoneFamilyId};

use super::codes;
use super::fields::{At, Fields, list};
use super::model::{Observed, StatisticInfo, TypeName};
use super::names::{Section, unknown};
use super::read::Reader;

/// The keys that say what is counted.
const SOURCES: [&str; 6] = ["counter", "decision", "dial", "noted", "tag", "zone"];

/// What `noted` holds where nothing is told apart.
const NOTHING: &str = "nothing";

impl<'a> Reader<'a> {
    /// Reads what is counted.
    pub(super) fn read_statistics(&mut self) -> Vec<StatisticInfo> {
        let mut statistics = Vec::new();
        let mut titles = BTreeMap::new();
        for declared in self.names.list(Section::Statistic).to_vec() {
            let mut fields = self.fields(Section::Statistic, declared);
            let path = format!("statistic.{}", declared.id);
            let doc = fields.text("doc", &mut self.report);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            let span = fields.node("title").map_or(declared.key, |node| node.span);
            match titles.entry(name.title.clone()) {
                Entry::Vacant(vacant) => {
                    vacant.insert(span);
                }
                Entry::Occupied(first) => {
                    self.title_twice(declared.id, first.key(), *first.get(), span)
                }
            }
            let of = self.read_observed(&mut fields);
            fields.finish(&mut self.report);
            if let Some(of) = of {
                let span = declared.key;
                statistics.push(StatisticInfo {
                    name,
                    doc: doc.map_or(String::new(), |doc| doc.value.to_owned()),
                    of,
                    span,
                });
            }
        }
        statistics
    }

    /// Reports a title that another statistic has, so that nobody could tell their tables apart.
    fn title_twice(&mut self, id: &str, title: &str, first: Span, span: Span) {
        let message = format!("statistic `{id}` is called `{title}`, as another is");
        self.report.push(
            Diagnostic::error(codes::TITLE_TWICE, span, message)
                .label("called so again")
                .other(first, "called so here")
                .help("give each a `title` of its own: reports show a table for each"),
        );
    }

    fn read_observed(&mut self, fields: &mut Fields<'a>) -> Option<Observed> {
        let mut given: Vec<(&'static str, Option<At<&str>>)> = Vec::new();
        for key in SOURCES {
            let text = fields.text(key, &mut self.report);
            if fields.has(key) {
                given.push((key, text));
            }
        }
        let words = [("piece", true), ("place", false)];
        let by = fields.word("by", &words, &mut self.report);
        let [(source, id)] = given[..] else {
            let given: Vec<&str> = given.iter().map(|(key, _)| *key).collect();
            self.not_one_source(fields, &given);
            return None;
        };
        if by.is_some() && source != "zone" {
            self.report.push(
                Diagnostic::error(
                    codes::MISSING_KEY,
                    fields.key_span("by"),
                    format!("`by` of {} says nothing without `zone`", fields.what),
                )
                .label("only pieces put into zones can be told by piece or by place"),
            );
        }
        let id = id?;
        match source {
            "counter" => self
                .resolve(Section::Counter, id)
                .map(|at| Observed::Counter(CounterId::from_index(at))),
            "decision" => self
                .resolve(Section::Decision, id)
                .map(|at| Observed::Decision(DecisionId::from_index(at))),
            "dial" => self
                .resolve(Section::Dial, id)
                .map(|at| Observed::Dial(DialId::from_index(at))),
            "noted" if id.value == NOTHING => Some(Observed::Noted(None)),
            "noted" => self
                .noted_type(&fields.what, id)
                .map(|of| Observed::Noted(Some(of))),
            "zone" => {
                let at = self.resolve(Section::Zone, id)?;
                Some(Observed::Zone {
                    zone: ZoneFamilyId::from_index(at),
                    by_piece: by.unwrap_or_else(|| !self.has_places(at)),
                })
            }
            _ => {
                let tags = &self.layout.tags;
                let found = tags.iter().position(|tag| tag == id.value);
                if found.is_none() {
                    let known = tags.iter().map(String::as_str);
                    self.report.push(unknown("tag", id, known));
                }
                found.map(|at| Observed::Tag(TagId::from_index(at)))
            }
        }
    }

    /// The type of what scripts note; a text is nothing that could be told apart.
    fn noted_type(&mut self, what: &str, text: At<&str>) -> Option<TypeName> {
        let of = self.value_type(&format!("what {what} notes"), text)?;
        if of == TypeName::Text {
            self.report.push(
                Diagnostic::error(
                    codes::UNKNOWN_TYPE,
                    text.span,
                    format!("what {what} notes cannot be a text"),
                )
                .label("texts cannot be counted apart"),
            );
            return None;
        }
        Some(of)
    }

    fn resolve(&mut self, section: Section, id: At<&str>) -> Option<usize> {
        self.names.resolve(section, id, &mut self.report)
    }

    /// Whether a family of zones is spread over more than players.
    fn has_places(&self, family: usize) -> bool {
        let dimensions = &self.layout.zone_families[family].dimensions;
        let players = crate::table::layout::Domain::Players;
        dimensions
            .iter()
            .any(|dimension| dimension.domain != players)
    }

    fn not_one_source(&mut self, fields: &Fields<'a>, given: &[&str]) {
        let what = &fields.what;
        let (span, message) = match given {
            [] => (fields.span, format!("{what} counts nothing")),
            [_, second, ..] => (
                fields.key_span(second),
                format!("{what} counts {}", list(given.iter().copied())),
            ),
            [_] => return,
        };
        self.report.push(
            Diagnostic::error(codes::MISSING_KEY, span, message)
                .label("expected one thing to count")
                .help(format!("give one of {}", list(SOURCES))),
        );
    }
}
