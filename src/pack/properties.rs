//! Properties: every name by which scripts read something of a value, and how each shape reads it.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, Span};
use crate::table::ids::{
    CounterId, DialId, GraphId, GroupKindId, KindId, PropertyId, SetId, ToggleId, ZoneFamilyId,
};
use crate::table::layout::{Accessor, Builtin, Dimension, Domain, ShapeId, shape};

use super::codes;
use super::doc::Item;
use super::names::Section;
use super::read::Reader;

/// Properties that need no declaration.
const BUILTINS: [(&str, Builtin); 11] = [
    ("zone", Builtin::Zone),
    ("at", Builtin::At),
    ("owner", Builtin::Owner),
    ("face", Builtin::Face),
    ("face_down", Builtin::FaceDown),
    ("number", Builtin::Number),
    ("next", Builtin::Next),
    ("len", Builtin::Len),
    ("top", Builtin::Top),
    ("bottom", Builtin::Bottom),
    ("title", Builtin::Title),
];

/// Names of properties are at most this many, because every shape has a row of them.
const MOST_PROPERTIES: usize = 4_000;

/// A property of a shape, while the table of accessors is filled.
struct Given {
    accessor: Accessor,
    /// Where it is declared; `None` for what needs no declaration.
    span: Option<Span>,
}

impl<'a> Reader<'a> {
    /// Collects the names of all properties and tags, before anything refers to them by number.
    pub(super) fn read_properties(&mut self) {
        let mut names: BTreeSet<&str> = BUILTINS.iter().map(|(name, _)| *name).collect();
        let mut tags: BTreeSet<&str> = BTreeSet::new();
        for section in [
            Section::Zone,
            Section::Counter,
            Section::Dial,
            Section::Toggle,
        ] {
            names.extend(self.names.ids(section));
            for declared in self.names.list(section) {
                if let Some(Item::List(list)) =
                    declared.table.get("tags").map(|entry| &entry.value.item)
                {
                    tags.extend(list.iter().filter_map(|tag| match &tag.item {
                        Item::Text(tag) => Some(tag.as_str()),
                        _ => None,
                    }));
                }
            }
        }
        for section in [Section::Graph, Section::Set, Section::Kind] {
            for declared in self.names.list(section) {
                let item = |key| declared.table.get(key).map(|entry| &entry.value.item);
                if let Some(Item::Table(attributes)) = item("attributes") {
                    names.extend(attributes.keys().map(String::as_str));
                }
                if item("per_player") == Some(&Item::Bool(true)) {
                    names.insert(declared.id);
                }
            }
        }
        let (names_len, tags_len) = (names.len(), tags.len());
        let names = names.into_iter().take(MOST_PROPERTIES);
        self.layout.properties = names.map(str::to_owned).collect();
        let tags = tags.into_iter().take(MOST_PROPERTIES);
        self.layout.tags = tags.map(str::to_owned).collect();
        for (what, len) in [("names of properties", names_len), ("tags", tags_len)] {
            if len > MOST_PROPERTIES {
                self.report.push(Diagnostic::placeless(
                    codes::TOO_MANY,
                    format!("the pack has {len} {what}: at most {MOST_PROPERTIES} fit"),
                ));
            }
        }
    }

    /// The number of a property's name.
    pub(super) fn property(&self, name: &str) -> Option<PropertyId> {
        self.layout
            .properties
            .binary_search_by(|other| other.as_str().cmp(name))
            .ok()
            .map(PropertyId::from_index)
    }

    /// Fills the table of accessors; reports shapes with two properties of one name.
    pub(super) fn fill_accessors(&mut self) {
        let mut given: BTreeMap<(ShapeId, PropertyId), Given> = BTreeMap::new();
        self.give_builtins(&mut given);
        self.give_attributes(&mut given);
        self.give_families(&mut given);
        let properties = self.layout.properties.len();
        let mut accessors = vec![Accessor::None; self.layout.shapes() * properties];
        for ((shape, property), given) in given {
            accessors[usize::from(shape.0) * properties + property.index()] = given.accessor;
        }
        self.layout.accessors = accessors;
    }

    fn give(
        &mut self,
        given: &mut BTreeMap<(ShapeId, PropertyId), Given>,
        shape: ShapeId,
        name: &str,
        accessor: Accessor,
        span: Option<Span>,
    ) {
        let Some(property) = self.property(name) else {
            return;
        };
        let old = given.get(&(shape, property));
        if let Some(old) = old {
            let message = format!("{} has two properties `{name}`", self.describe_shape(shape));
            let mut diagnostic = match span {
                Some(span) => Diagnostic::error(codes::PROPERTY_TWICE, span, message),
                None => Diagnostic::placeless(codes::PROPERTY_TWICE, message),
            };
            diagnostic = diagnostic.label("scripts could not tell them apart");
            self.report.push(match old.span {
                Some(old) => diagnostic.other(old, "the other one is declared here"),
                None => diagnostic.help(format!("`{name}` is there without a declaration")),
            });
            return;
        }
        given.insert((shape, property), Given { accessor, span });
    }

    /// What a shape is, for messages.
    fn describe_shape(&self, shape: ShapeId) -> String {
        let layout = &self.layout;
        let Some(mut index) = usize::from(shape.0).checked_sub(usize::from(shape::FIRST)) else {
            return match shape {
                shape::TABLE => "the table",
                shape::PLAYER => "a player",
                shape::ZONE => "a zone",
                _ => "a name",
            }
            .to_owned();
        };
        let groups = [
            (
                "node",
                layout
                    .graphs
                    .iter()
                    .map(|info| &info.name)
                    .collect::<Vec<_>>(),
            ),
            (
                "member",
                layout.sets.iter().map(|info| &info.name).collect(),
            ),
            (
                "piece",
                layout.kinds.iter().map(|info| &info.name).collect(),
            ),
            (
                "group",
                layout.group_kinds.iter().map(|info| &info.name).collect(),
            ),
        ];
        for (noun, names) in groups {
            match names.get(index) {
                Some(name) => return format!("a {noun} of `{}`", name.id),
                None => index -= names.len(),
            }
        }
        "a value".to_owned()
    }

    fn give_builtins(&mut self, given: &mut BTreeMap<(ShapeId, PropertyId), Given>) {
        let mut rows: Vec<(ShapeId, Vec<&str>)> = vec![
            (shape::PLAYER, vec!["number", "next", "title"]),
            (
                shape::ZONE,
                vec!["at", "owner", "len", "top", "bottom", "title"],
            ),
            (shape::NAMED, vec!["title"]),
        ];
        let layout = &self.layout;
        let domain = |domain| layout.shape_of_domain(domain);
        for index in 0..layout.graphs.len() {
            let graph = Domain::Graph(GraphId::from_index(index));
            rows.push((domain(graph), vec!["title"]));
        }
        for index in 0..layout.sets.len() {
            rows.push((domain(Domain::Set(SetId::from_index(index))), vec!["title"]));
        }
        for (index, kind) in layout.kinds.iter().enumerate() {
            let mut names = vec!["zone", "at", "face_down", "title"];
            if kind.per_player {
                names.push("owner");
            }
            if kind.faces > 0 {
                names.push("face");
            }
            rows.push((domain(Domain::Kind(KindId::from_index(index))), names));
        }
        for index in 0..layout.group_kinds.len() {
            let group = Domain::Groups(GroupKindId::from_index(index));
            rows.push((domain(group), vec!["title"]));
        }
        for (shape, names) in rows {
            for (name, builtin) in BUILTINS {
                if names.contains(&name) {
                    self.give(given, shape, name, Accessor::Builtin(builtin), None);
                }
            }
        }
    }

    fn give_attributes(&mut self, given: &mut BTreeMap<(ShapeId, PropertyId), Given>) {
        let graphs = self
            .graph_attributes
            .iter()
            .enumerate()
            .map(|(index, decls)| (Domain::Graph(GraphId::from_index(index)), decls.clone()));
        let sets = self.set_attributes.iter().enumerate();
        let sets =
            sets.map(|(index, decls)| (Domain::Set(SetId::from_index(index)), decls.clone()));
        let kinds = self.kind_attributes.iter().enumerate();
        let kinds =
            kinds.map(|(index, decls)| (Domain::Kind(KindId::from_index(index)), decls.clone()));
        for (domain, decls) in graphs.chain(sets).chain(kinds).collect::<Vec<_>>() {
            let shape = self.layout.shape_of_domain(domain);
            for (position, decl) in decls.iter().enumerate() {
                let accessor = Accessor::Attribute(position as u16);
                self.give(given, shape, &decl.name, accessor, Some(decl.key));
            }
        }
    }

    fn give_families(&mut self, given: &mut BTreeMap<(ShapeId, PropertyId), Given>) {
        let layout = &self.layout;
        let shape_of = |dimensions: &[Dimension]| match dimensions.first() {
            None => shape::TABLE,
            Some(dimension) => layout.shape_of_domain(dimension.domain),
        };
        let mut rows: Vec<(ShapeId, Section, usize, Accessor)> = Vec::new();
        for (index, family) in layout.zone_families.iter().enumerate() {
            let accessor = Accessor::Zone(ZoneFamilyId::from_index(index));
            rows.push((shape_of(&family.dimensions), Section::Zone, index, accessor));
        }
        for (index, family) in layout.counters.iter().enumerate() {
            let accessor = Accessor::Counter(CounterId::from_index(index));
            rows.push((
                shape_of(&family.dimensions),
                Section::Counter,
                index,
                accessor,
            ));
        }
        for (index, family) in layout.dials.iter().enumerate() {
            let accessor = Accessor::Dial(DialId::from_index(index));
            rows.push((shape_of(&family.dimensions), Section::Dial, index, accessor));
        }
        for (index, family) in layout.toggles.iter().enumerate() {
            let accessor = Accessor::Toggle(ToggleId::from_index(index));
            rows.push((
                shape_of(&family.dimensions),
                Section::Toggle,
                index,
                accessor,
            ));
        }
        for (index, kind) in layout.kinds.iter().enumerate() {
            if kind.per_player {
                let accessor = Accessor::Own(KindId::from_index(index));
                rows.push((shape::PLAYER, Section::Kind, index, accessor));
            }
        }
        for (shape, section, index, accessor) in rows {
            let declared = self.names.list(section)[index];
            self.give(given, shape, declared.id, accessor, Some(declared.key));
        }
    }
}
