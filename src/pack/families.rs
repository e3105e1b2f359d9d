//! Families of zones, counters, dials and toggles: over what they are spread, and how they start.

use crate::diag::Diagnostic;
use crate::table::chance::salt;
use crate::table::ids::{CounterId, KindId, TagId, ZoneFamilyId, ZoneId};
use crate::table::layout::{
    CounterFamily, DialFamily, Dimension, Domain, Holds, Scope, ToggleFamily, Visible, ZoneFamily,
};
use crate::table::ops::encode;
use crate::table::value::{Case, Value};

use super::attributes::holds_of;
use super::codes;
use super::doc::{Item, Node};
use super::fields::{At, Fields, as_int, range_in_words, wrong_type};
use super::model::TypeName;
use super::names::{Declared, Section, check_id};
use super::read::{MOST_IDS, Reader};

const CELL: std::ops::RangeInclusive<i64> = i32::MIN as i64 + 1..=i32::MAX as i64 - 1;

impl<'a> Reader<'a> {
    /// Reads all families.
    pub(super) fn read_families(&mut self) {
        for declared in self.names.list(Section::Zone).to_vec() {
            self.read_zone(declared);
        }
        self.link_refills();
        for declared in self.names.list(Section::Counter).to_vec() {
            self.read_counter(declared);
        }
        for declared in self.names.list(Section::Dial).to_vec() {
            self.read_dial(declared);
        }
        for declared in self.names.list(Section::Toggle).to_vec() {
            self.read_toggle(declared);
        }
        self.link_groups();
    }

    /// What a family is spread over, and how many things it makes.
    fn read_per(&mut self, fields: &mut Fields<'a>, room: usize) -> (Vec<Dimension>, u16) {
        let mut dimensions = Vec::new();
        let mut size: u64 = 1;
        for text in fields.texts("per", &mut self.report) {
            let Some(domain) = self.domain_named(text) else {
                continue;
            };
            let dimension = self.layout.dimension(domain);
            // An empty domain is reported where it is declared.
            if dimension.size > 0 {
                size = size.saturating_mul(u64::from(dimension.size));
                dimensions.push(dimension);
            }
        }
        if size > room as u64 {
            self.report.push(
                Diagnostic::error(
                    codes::TOO_MANY,
                    fields.span,
                    format!("{} is too large", fields.what),
                )
                .label(format!("{size} of them, but only {room} fit")),
            );
            return (Vec::new(), u16::from(room > 0));
        }
        (dimensions, size as u16)
    }

    /// The domain over which something can be spread.
    pub(super) fn domain_named(&mut self, text: At<&str>) -> Option<Domain> {
        if text.value == "player" {
            return Some(Domain::Players);
        }
        let domain = self.names.domain(text.value);
        match domain {
            Some(Domain::Set(set)) if !self.layout.sets[set.index()].enumerated => {
                let graph = self.selected_graph(set);
                let graph = graph.map(|graph| self.layout.graphs[graph.index()].name.id.clone());
                let diagnostic = Diagnostic::error(
                    codes::UNKNOWN_TYPE,
                    text.span,
                    format!("nothing can be spread over the selection `{}`", text.value),
                )
                .label("expected `player`, a graph, an enumeration, a kind or a group");
                self.report.push(match graph {
                    Some(graph) => diagnostic.help(format!("use its graph, `{graph}`")),
                    None => diagnostic,
                });
                None
            }
            Some(domain) => Some(domain),
            None => {
                let mut known = vec!["player"];
                known.extend(self.names.domain_ids());
                let diagnostic = super::names::unknown("graph, set, kind or group", text, known);
                self.report.push(diagnostic);
                None
            }
        }
    }

    /// Who may see a family.
    fn read_visible(&mut self, fields: &mut Fields<'a>, dimensions: &[Dimension]) -> Visible {
        let words = [
            ("all", Visible::All),
            ("owner", Visible::Owner),
            ("nobody", Visible::Nobody),
        ];
        let visible = fields.word("visible", &words, &mut self.report);
        let visible = visible.unwrap_or(Visible::All);
        let owned = dimensions
            .iter()
            .any(|dimension| dimension.domain == Domain::Players);
        if visible == Visible::Owner && !owned {
            self.report.push(
                Diagnostic::error(
                    codes::VISIBLE,
                    fields.node("visible").map_or(fields.span, |node| node.span),
                    format!("{} has no owner who could see it", fields.what),
                )
                .label("only for what is `per` player")
                .help("add \"player\" to `per`, or write \"all\" or \"nobody\""),
            );
        }
        visible
    }

    fn read_zone(&mut self, declared: Declared<'a>) {
        let mut fields = self.fields(Section::Zone, declared);
        let path = format!("zone.{}", declared.id);
        let (name, _) = self.common(&mut fields, &path, Some(declared.id));
        let first = self.layout.zones.len();
        let (dimensions, size) = self.read_per(&mut fields, MOST_IDS - first);
        let holds = fields.text("holds", &mut self.report).and_then(|kind| {
            self.names
                .resolve(Section::Kind, kind, &mut self.report)
                .map(KindId::from_index)
        });
        let ordered = fields.bool("ordered", &mut self.report);
        let capacity = fields.int("capacity", &mut self.report);
        let visible = self.read_visible(&mut fields, &dimensions);
        let refill = fields.text("refill", &mut self.report);
        if let Some(refill) = refill {
            self.refills.push((self.layout.zone_families.len(), refill));
        }
        fields.finish(&mut self.report);
        let family = ZoneFamilyId::from_index(self.layout.zone_families.len());
        self.layout
            .zones
            .extend(std::iter::repeat_n(family, usize::from(size)));
        self.layout.zone_families.push(ZoneFamily {
            name,
            dimensions,
            base: ZoneId(first as u16),
            size,
            ordered: ordered.is_some_and(|ordered| ordered.value),
            capacity: capacity.map(|capacity| capacity.value as u16),
            visible,
            holds,
            refill: None,
        });
    }

    /// Resolves the zones from which others are refilled.
    fn link_refills(&mut self) {
        for (family, from) in std::mem::take(&mut self.refills) {
            let Some(source) = self.names.resolve(Section::Zone, from, &mut self.report) else {
                continue;
            };
            let (to, by) = (
                &self.layout.zone_families[family],
                &self.layout.zone_families[source],
            );
            let problem = if source == family {
                Some("a zone cannot refill itself")
            } else if !to.dimensions.is_empty() {
                Some("only a shared zone, one with `per = []`, can be refilled")
            } else if !by.dimensions.is_empty() {
                Some("expected a shared zone, one with `per = []`")
            } else if to.holds.is_some() && by.holds.is_some() && to.holds != by.holds {
                Some("this zone holds another kind")
            } else {
                None
            };
            if let Some(problem) = problem {
                self.report.push(
                    Diagnostic::error(
                        codes::REFILL,
                        from.span,
                        format!("`{}` cannot be refilled from `{}`", to.name.id, from.value),
                    )
                    .label(problem),
                );
                continue;
            }
            let base = by.base;
            self.layout.zone_families[family].refill = Some(base);
        }
    }

    fn read_counter(&mut self, declared: Declared<'a>) {
        let mut fields = self.fields(Section::Counter, declared);
        let path = format!("counter.{}", declared.id);
        let (name, _) = self.common(&mut fields, &path, Some(declared.id));
        let (dimensions, size) = self.read_cells(&mut fields);
        let holds = self.read_counter_type(&mut fields);
        let words = [
            ("game", Scope::Game),
            ("round", Scope::Round),
            ("phase", Scope::Phase),
            ("turn", Scope::Turn),
            ("step", Scope::Step),
        ];
        let scope = fields.word("scope", &words, &mut self.report);
        let scope = scope.unwrap_or(Scope::Game);
        let start = fields.node("start");
        let start_value = start.and_then(|start| self.read_start(&fields, holds, start));
        let least = self.read_limit(&mut fields, "least", holds);
        let most = self.read_limit(&mut fields, "most", holds);
        let visible = self.read_visible(&mut fields, &dimensions);
        let default = match holds {
            // Zero may be out of reach; then the nearest number that is not.
            Holds::Int => 0.max(least.unwrap_or(0)).min(most.unwrap_or(i32::MAX)),
            _ => 0,
        };
        let value = start_value.unwrap_or(default);
        let low = least.is_some_and(|least| value < least);
        if low || most.is_some_and(|most| value > most) {
            let span = start.map_or(fields.span, |start| start.span);
            self.report.push(
                Diagnostic::error(
                    codes::START_VALUE,
                    span,
                    format!("{} cannot start at {value}", fields.what),
                )
                .label(format!(
                    "expected {}",
                    range_in_words(least.map(i64::from), most.map(i64::from))
                )),
            );
        }
        fields.finish(&mut self.report);
        let id = CounterId::from_index(self.layout.counters.len());
        let base = self.take_cells(size);
        let family = CounterFamily {
            name,
            dimensions,
            base,
            size,
            holds,
            scope,
            start: value,
            least,
            most,
            visible,
        };
        if scope != Scope::Game {
            self.layout.reset_with_scope(id, &family);
        }
        self.layout.counters.push(family);
    }

    fn read_counter_type(&mut self, fields: &mut Fields<'a>) -> Holds {
        let Some(text) = fields.text("holds", &mut self.report) else {
            return Holds::Int;
        };
        let what = format!("`holds` of {}", fields.what);
        match self.value_type(&what, text) {
            Some(TypeName::Text | TypeName::Dial | TypeName::Toggle) => {
                self.report.push(
                    Diagnostic::error(
                        codes::UNKNOWN_TYPE,
                        text.span,
                        format!("a counter cannot hold a {}", text.value),
                    )
                    .label("expected `int`, `bool`, `player`, or a graph, set, kind or group"),
                );
                Holds::Int
            }
            Some(name) => holds_of(name),
            None => Holds::Int,
        }
    }

    /// The cell of a counter's start.
    fn read_start(&mut self, fields: &Fields<'a>, holds: Holds, node: &'a Node) -> Option<i32> {
        let what = format!("`start` of {}", fields.what);
        let value = match (holds, &node.item) {
            (Holds::Int, _) => {
                let value = as_int(&what, node, CELL, &mut self.report)?;
                Value::int(value.value)
            }
            (Holds::Bool, Item::Bool(value)) => Value::from(*value),
            (Holds::One(domain), Item::Text(id)) => {
                let span = node.span;
                self.member_named(domain, At { value: id, span })?
            }
            _ => {
                let expected = match holds {
                    Holds::Bool => "`true` or `false`",
                    _ => "an id of the type that it holds",
                };
                wrong_type(&mut self.report, &what, expected, node);
                return None;
            }
        };
        encode(&self.layout, holds, value).and_then(|cell| i32::try_from(cell).ok())
    }

    /// The least or most of a counter of numbers.
    fn read_limit(
        &mut self,
        fields: &mut Fields<'a>,
        key: &'static str,
        holds: Holds,
    ) -> Option<i32> {
        let limit = fields.int(key, &mut self.report)?;
        if holds != Holds::Int {
            self.report.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    limit.span,
                    format!(
                        "{} has no `{key}`, because it holds no numbers",
                        fields.what
                    ),
                )
                .label("only for numbers"),
            );
            return None;
        }
        Some(limit.value as i32)
    }

    fn read_dial(&mut self, declared: Declared<'a>) {
        let mut fields = self.fields(Section::Dial, declared);
        let path = format!("dial.{}", declared.id);
        let (name, _) = self.common(&mut fields, &path, Some(declared.id));
        let (dimensions, size) = self.read_cells(&mut fields);
        let faces = self.read_faces(&mut fields);
        let start = fields.int("start", &mut self.report);
        let tags = self.read_tags(&mut fields);
        fields.finish(&mut self.report);
        let position = start.and_then(|start| {
            let found = faces
                .iter()
                .position(|face| i64::from(*face) == start.value);
            if found.is_none() && !faces.is_empty() {
                let faces: Vec<String> = faces.iter().map(i32::to_string).collect();
                self.report.push(
                    Diagnostic::error(
                        codes::START_VALUE,
                        start.span,
                        format!("dial `{}` has no face {}", declared.id, start.value),
                    )
                    .label(format!("expected one of {}", faces.join(", "))),
                );
            }
            found
        });
        let base = self.take_cells(size);
        self.layout.dials.push(DialFamily {
            name,
            dimensions,
            base,
            size,
            faces,
            start: position.unwrap_or(0) as i32,
            tags,
        });
    }

    fn read_faces(&mut self, fields: &mut Fields<'a>) -> Vec<i32> {
        let what = format!("a face of {}", fields.what);
        let mut faces: Vec<At<i64>> = Vec::new();
        let Some(list) = fields.list("faces", &mut self.report) else {
            return Vec::new();
        };
        if list.is_empty() || list.len() > MOST_IDS {
            let message = format!("{} needs at least one face", fields.what);
            self.out_of_range(fields.key_span("faces"), message, "a list of numbers");
        }
        for face in list.iter().take(MOST_IDS) {
            let Some(face) = as_int(&what, face, CELL, &mut self.report) else {
                continue;
            };
            match faces.iter().find(|other| other.value == face.value) {
                Some(first) => self.report.push(
                    Diagnostic::error(
                        codes::LISTED_TWICE,
                        face.span,
                        format!("{} has the face {} twice", fields.what, face.value),
                    )
                    .label("again here")
                    .other(first.span, "here before"),
                ),
                None => faces.push(face),
            }
        }
        faces.iter().map(|face| face.value as i32).collect()
    }

    fn read_toggle(&mut self, declared: Declared<'a>) {
        let mut fields = self.fields(Section::Toggle, declared);
        let path = format!("toggle.{}", declared.id);
        let (name, _) = self.common(&mut fields, &path, Some(declared.id));
        let (dimensions, size) = self.read_cells(&mut fields);
        let start = fields.bool("start", &mut self.report);
        let tags = self.read_tags(&mut fields);
        fields.finish(&mut self.report);
        let base = self.take_cells(size);
        self.layout.toggles.push(ToggleFamily {
            name,
            dimensions,
            base,
            size,
            start: start.is_some_and(|start| start.value),
            tags,
        });
    }

    fn read_tags(&mut self, fields: &mut Fields<'a>) -> Vec<TagId> {
        let texts = fields.texts("tags", &mut self.report);
        self.no_doubles(&texts, &format!("the tags of {}", fields.what));
        let mut tags: Vec<TagId> = Vec::new();
        for text in texts {
            check_id(text.value, text.span, &mut self.report);
            let first = self.tags.entry(text.value.to_owned()).or_insert(text.span);
            *first = (*first).min(text.span);
            let known = &self.layout.tags;
            if let Ok(tag) = known.binary_search_by(|tag| tag.as_str().cmp(text.value)) {
                tags.push(TagId::from_index(tag));
            }
        }
        tags.sort();
        tags.dedup();
        tags
    }

    /// What a family of cells is spread over.
    fn read_cells(&mut self, fields: &mut Fields<'a>) -> (Vec<Dimension>, u16) {
        let room = MOST_IDS - usize::from(self.layout.cells).min(MOST_IDS);
        self.read_per(fields, room)
    }

    fn take_cells(&mut self, size: u16) -> u16 {
        let base = self.layout.cells;
        self.layout.cells += size;
        base
    }

    /// Tells kinds of groups which families their groups have, and gives them cells for their life.
    fn link_groups(&mut self) {
        for index in 0..self.layout.group_kinds.len() {
            let domain = Domain::Groups(crate::table::ids::GroupKindId::from_index(index));
            let first = |dimensions: &[Dimension]| {
                dimensions.first().map(|dimension| dimension.domain) == Some(domain)
            };
            let families = self.layout.zone_families.iter().enumerate();
            let zones = families
                .filter(|(_, family)| first(&family.dimensions))
                .map(|(family, _)| ZoneFamilyId::from_index(family))
                .collect();
            let families = self.layout.counters.iter().enumerate();
            let counters = families
                .filter(|(_, family)| first(&family.dimensions))
                .map(|(family, _)| CounterId::from_index(family))
                .collect();
            let size = self.layout.group_kinds[index].groups.len() as u16;
            let alive = self.take_cells(size);
            let kind = &mut self.layout.group_kinds[index];
            (kind.alive, kind.zones, kind.counters) = (alive, zones, counters);
        }
    }

    /// Gives every zone the address of its chance, and every cell its number in digests, and notes what zones
    /// take.
    pub(super) fn salt_zones(&mut self) {
        self.layout.note_what_zones_take();
        self.layout.zone_salts = (0..self.layout.zones.len())
            .map(|zone| salt(&self.layout.zone_key(ZoneId::from_index(zone))))
            .collect();
        let layout = &self.layout;
        let mut salts = vec![0; usize::from(layout.cells)];
        let mut family = |noun: &str, id: &str, dimensions: &[Dimension], base: u16, size: u16| {
            for position in 0..size {
                let key = cell_key(layout, noun, id, dimensions, position);
                salts[usize::from(base + position)] = salt(&key);
            }
        };
        for own in &layout.counters {
            family("counter", &own.name.id, &own.dimensions, own.base, own.size);
        }
        for own in &layout.dials {
            family("dial", &own.name.id, &own.dimensions, own.base, own.size);
        }
        for own in &layout.toggles {
            family("toggle", &own.name.id, &own.dimensions, own.base, own.size);
        }
        for own in &layout.group_kinds {
            for position in 0..own.groups.len() as u16 {
                let key = format!("group {}[{position}]", own.name.id);
                salts[usize::from(own.alive + position)] = salt(&key);
            }
        }
        self.layout.cell_salts = salts;
    }
}

/// What a cell of a family is called, by names alone.
fn cell_key(
    layout: &crate::table::Layout,
    noun: &str,
    id: &str,
    dimensions: &[Dimension],
    position: u16,
) -> String {
    let mut key = format!("{noun} {id}");
    let mut rest = position;
    for dimension in dimensions.iter().rev() {
        let value = layout.value_of(dimension.domain, dimension.base + rest % dimension.size);
        key.push('[');
        match value.case() {
            // Equal copies share their key.
            Case::Piece(piece) => key.push_str(&layout.pieces[piece.index()].name.id),
            _ => key.push_str(&layout.key(value)),
        }
        key.push(']');
        rest /= dimension.size;
    }
    key
}
