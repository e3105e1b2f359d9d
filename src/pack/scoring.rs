//! How points are counted at the end: expressions, and what is counted where.

use crate::diag::{Diagnostic, Span};
use crate::table::ids::{AbilityId, KindId, ZoneFamilyId};
use crate::table::layout::{Domain, Holds, Name};
use crate::table::value::Value;

use super::codes;
use super::doc::{Entry, Item};
use super::fields::{At, Fields, as_int, as_text, wrong_type};
use super::model::{Scoring, ScoringTerm, Snippet, Tally};
use super::names::{Section, unknown};
use super::read::Reader;

/// A term with the number by which it is sorted.
pub(super) type Ordered = (i64, ScoringTerm);

/// The keys that say more of a `count`.
const OF_COUNT: [&str; 6] = ["with", "which", "distinct", "least", "every", "flat"];

impl<'a> Reader<'a> {
    /// Reads scoring terms and tie-breaks, in the order that they give; some terms come from abilities.
    pub(super) fn read_scoring(&mut self, given: Vec<Ordered>) -> Scoring {
        let mut terms = self.read_terms(Section::Score);
        terms.extend(given);
        Scoring {
            terms: sorted(terms),
            ties: sorted(self.read_terms(Section::Tie)),
        }
    }

    fn read_terms(&mut self, section: Section) -> Vec<Ordered> {
        let mut terms = Vec::new();
        for declared in self.names.list(section).to_vec() {
            let mut fields = self.fields(section, declared);
            let path = format!("{}.{}", section.name(), declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            terms.extend(self.read_term(&mut fields, section, (name, declared.key), None));
        }
        terms
    }

    /// Reads what a term counts and gives; `about` is its name and its place.
    pub(super) fn read_term(
        &mut self,
        fields: &mut Fields<'a>,
        section: Section,
        about: (Name, Span),
        ability: Option<AbilityId>,
    ) -> Option<Ordered> {
        let order = fields.int("order", &mut self.report);
        let counts = fields.has("count");
        let count = self.read_count(fields);
        if !counts && !fields.has("points") {
            fields.missing("points", &mut self.report);
        }
        let mut points = fields.snippet("points", self.sources, &mut self.report);
        if counts && !fields.has("points") {
            points = Some(Snippet {
                text: "1".to_owned(),
                span: fields.key_span("count"),
            });
        }
        // A tie-break that does not apply gives everybody the same, so it needs no condition.
        let when = match section {
            Section::Tie => None,
            _ => fields.snippet("when", self.sources, &mut self.report),
        };
        fields.finish(&mut self.report);
        if counts && count.is_none() {
            return None;
        }
        let (name, span) = about;
        let term = ScoringTerm {
            name,
            ability,
            points: points?,
            count,
            when,
            span,
        };
        Some((order.map_or(0, |order| order.value), term))
    }

    /// Reads what is counted, if anything is.
    fn read_count(&mut self, fields: &mut Fields<'a>) -> Option<Tally> {
        let zone = fields.text("count", &mut self.report);
        let with = fields.table("with", &mut self.report);
        let which = fields.snippet("which", self.sources, &mut self.report);
        let distinct = fields.text("distinct", &mut self.report);
        let least = fields.int("least", &mut self.report);
        let every = fields.int("every", &mut self.report);
        let flat = fields.bool("flat", &mut self.report);
        if !fields.has("count") {
            if let Some(key) = OF_COUNT.iter().find(|key| fields.has(key)) {
                let message = format!("`{key}` of {} says nothing without `count`", fields.what);
                self.report.push(
                    Diagnostic::error(codes::MISSING_KEY, fields.key_span(key), message)
                        .label("what should be counted?")
                        .help("name the zone: `count = \"ZONE\"`"),
                );
            }
            return None;
        }
        let zone = zone?;
        let family = self
            .names
            .resolve(Section::Zone, zone, &mut self.report)
            .map(ZoneFamilyId::from_index)?;
        let info = &self.layout.zone_families[family.index()];
        let first = info.dimensions.first().map(|dimension| dimension.domain);
        if first.is_some_and(|domain| domain != Domain::Players) {
            self.report.push(
                Diagnostic::error(
                    codes::COUNT_ZONE,
                    zone.span,
                    format!("`{}` is no zone of a player", zone.value),
                )
                .label("expected a zone whose `per` is empty or begins with `player`"),
            );
            return None;
        }
        let kind = info.holds;
        if let (None, Some(key)) = (
            kind,
            ["with", "distinct"].iter().find(|key| fields.has(key)),
        ) {
            self.report.push(
                Diagnostic::error(
                    codes::COUNT_ZONE,
                    fields.key_span(key),
                    format!(
                        "the pieces in `{}` have no attributes in common",
                        zone.value
                    ),
                )
                .label("only for a zone that `holds` one kind")
                .help("test the pieces with `which` instead"),
            );
            return None;
        }
        let with = with.into_iter().flatten();
        let with = with
            .filter_map(|(name, entry)| self.wanted_attribute(kind?, name, entry))
            .collect();
        let distinct = match distinct {
            Some(name) => Some(self.counted_attribute(kind?, name)?),
            None => None,
        };
        Some(Tally {
            zone: family,
            with,
            which,
            distinct,
            least: least.map_or(0, |least| least.value),
            every: every.map_or(1, |every| every.value),
            flat: flat.is_some_and(|flat| flat.value),
        })
    }

    /// The position of an attribute of a kind.
    fn counted_attribute(&mut self, kind: KindId, name: At<&str>) -> Option<usize> {
        let decls = &self.kind_attributes[kind.index()];
        let found = decls.iter().position(|decl| decl.name == name.value);
        if found.is_none() {
            let known: Vec<&str> = decls.iter().map(|decl| decl.name.as_str()).collect();
            self.report.push(unknown("attribute", name, known));
        }
        found
    }

    /// An attribute and the value that a piece must have there to be counted.
    fn wanted_attribute(
        &mut self,
        kind: KindId,
        name: &str,
        entry: &'a Entry,
    ) -> Option<(usize, Value)> {
        let at = At {
            value: name,
            span: entry.key,
        };
        let position = self.counted_attribute(kind, at)?;
        let what = format!("`{name}` of `with`");
        let holds = self.kind_attributes[kind.index()][position].holds;
        let value = match (holds, &entry.value.item) {
            (Holds::Int, _) => {
                let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
                Value::int(as_int(&what, &entry.value, range, &mut self.report)?.value)
            }
            (Holds::Bool, Item::Bool(value)) => Value::from(*value),
            (Holds::Bool, _) => {
                wrong_type(&mut self.report, &what, "`true` or `false`", &entry.value);
                return None;
            }
            (Holds::One(domain), _) => {
                let id = as_text(&what, &entry.value, &mut self.report)?;
                self.member_named(domain, id)?
            }
            _ => {
                self.report.push(
                    Diagnostic::error(
                        codes::COUNT_ZONE,
                        entry.key,
                        format!("attribute `{name}` cannot be compared here"),
                    )
                    .label("expected one that holds a number, a truth value or an id")
                    .help("test the pieces with `which` instead"),
                );
                return None;
            }
        };
        Some((position, value))
    }
}

/// Terms in the order that they give. The sort is stable: those of the same order stay as they come.
fn sorted(mut terms: Vec<Ordered>) -> Vec<ScoringTerm> {
    terms.sort_by_key(|(order, _)| *order);
    terms.into_iter().map(|(_, term)| term).collect()
}
