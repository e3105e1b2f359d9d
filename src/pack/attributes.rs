//! Types by name, declared attributes, and the values that data give them.

use crate::diag::{Diagnostic, Span};
use crate::table::ids::{
    DialId, EffectId, GraphId, MemberId, NodeId, PieceId, PropertyId, SetId, ToggleId,
};
use crate::table::layout::{AttributeInfo, Domain, Holds};
use crate::table::value::{Case, Value};

use super::codes;
use super::doc::{Item, Node};
use super::fields::{At, Fields, as_int, as_snippet, as_text, list, wrong_type};
use super::keys::{self, Keys};
use super::kinds::PieceEntry;
use super::model::{EffectRef, Lacking, Snippet, TypeName};
use super::names::{Section, check_id, unknown};
use super::read::{MOST_IDS, Reader};

/// An attribute is one that pieces are given if no more than one of so many lacks it.
const ONE_IN: usize = 8;

/// A declared attribute.
#[derive(Clone, Debug)]
pub(super) struct AttributeDecl {
    pub(super) name: String,
    /// Where the name stands.
    pub(super) key: Span,
    pub(super) property: PropertyId,
    pub(super) holds: Holds,
    /// Whether its type was understood; values of other types would only repeat the complaint.
    pub(super) understood: bool,
    /// The names of an effect's parameters.
    pub(super) parameters: Vec<String>,
}

impl AttributeDecl {
    /// The attribute as the layout knows it.
    pub(super) fn info(&self) -> AttributeInfo {
        AttributeInfo {
            property: self.property,
            holds: self.holds,
        }
    }

    /// The value where none is given.
    pub(super) fn default_value(&self) -> Value {
        match self.holds {
            Holds::Int => Value::int(0),
            Holds::Bool => Value::from(false),
            _ => Value::UNIT,
        }
    }
}

/// Whose attributes wait until everything that they can name is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holder {
    Node(usize),
    Member(usize),
}

/// Attributes that wait to be read.
#[derive(Clone, Debug)]
pub(super) struct PendingValues<'a> {
    pub(super) holder: Holder,
    pub(super) fields: Fields<'a>,
    /// The owner in the order of effects, such as `graph.map.nodes.x`.
    pub(super) path: String,
}

/// An effect named in data; its number follows from its path and attribute once all are known.
#[derive(Clone, Debug)]
pub(super) struct PendingEffect {
    path: String,
    attribute: String,
    effect: EffectRef,
}

/// What the name of a type says.
#[derive(Clone, Debug)]
pub(super) enum TypeText {
    /// A type of values.
    Of(TypeName),
    /// An effect with these parameters.
    Effect(Vec<String>),
}

impl<'a> Reader<'a> {
    /// The domain that a type's name means. A selection is of the type of what it selects from.
    pub(super) fn domain_of_type(&self, id: &str) -> Option<Domain> {
        match self.names.domain(id)? {
            Domain::Set(set) => Some(match self.selected_graph(set) {
                Some(graph) => Domain::Graph(graph),
                None => Domain::Set(set),
            }),
            domain => Some(domain),
        }
    }

    /// The graph from which a set selects nodes.
    pub(super) fn selected_graph(&self, set: SetId) -> Option<GraphId> {
        let declared = self.names.list(Section::Set).get(set.index())?;
        match &declared.table.get("graph")?.value.item {
            Item::Text(graph) => self
                .names
                .find(Section::Graph, graph)
                .map(GraphId::from_index),
            _ => None,
        }
    }

    /// The type that a text names.
    pub(super) fn type_named(&mut self, what: &str, text: At<&str>) -> Option<TypeText> {
        let simple = match text.value {
            "int" => Some(TypeName::Int),
            "bool" => Some(TypeName::Bool),
            "text" => Some(TypeName::Text),
            "player" => Some(TypeName::One(Domain::Players)),
            "dial" => Some(TypeName::Dial),
            "toggle" => Some(TypeName::Toggle),
            id => self.domain_of_type(id).map(TypeName::One),
        };
        if let Some(simple) = simple {
            return Some(TypeText::Of(simple));
        }
        let parameters = text
            .value
            .strip_prefix("effect(")
            .and_then(|rest| rest.strip_suffix(')'));
        if let Some(parameters) = parameters {
            let mut names: Vec<String> = Vec::new();
            for name in parameters.split(',').map(str::trim) {
                if name.is_empty() {
                    continue;
                }
                check_id(name, text.span, &mut self.report);
                if names.iter().any(|other| other == name) {
                    self.report.push(
                        Diagnostic::error(
                            codes::LISTED_TWICE,
                            text.span,
                            format!("{what} has two parameters `{name}`"),
                        )
                        .label("listed twice"),
                    );
                }
                names.push(name.to_owned());
            }
            return Some(TypeText::Effect(names));
        }
        let mut known = vec!["int", "bool", "text", "player", "dial", "toggle"];
        known.extend(self.names.domain_ids());
        let suggested = Diagnostic::error(
            codes::UNKNOWN_TYPE,
            text.span,
            format!("there is no type `{}`", text.value),
        )
        .label("unknown type")
        .suggest(text.value, known.iter().copied());
        known.push("effect(me)");
        self.report.push(match suggested.help.is_empty() {
            true => suggested.help(format!("the types are {}", list(known))),
            false => suggested,
        });
        None
    }

    /// The type of values that a text names; effects are none.
    pub(super) fn value_type(&mut self, what: &str, text: At<&str>) -> Option<TypeName> {
        match self.type_named(what, text)? {
            TypeText::Of(name) => Some(name),
            TypeText::Effect(_) => {
                self.report.push(
                    Diagnostic::error(
                        codes::UNKNOWN_TYPE,
                        text.span,
                        format!("{what} cannot be an effect"),
                    )
                    .label("only attributes can hold effects"),
                );
                None
            }
        }
    }

    /// The `attributes` of a graph, set or kind, in the byte order of their names.
    pub(super) fn attribute_decls(
        &mut self,
        fields: &mut Fields<'a>,
        of: &Keys,
    ) -> Vec<AttributeDecl> {
        let mut decls = Vec::new();
        let Some(table) = fields.table("attributes", &mut self.report) else {
            return decls;
        };
        for (name, entry) in table {
            check_id(name, entry.key, &mut self.report);
            // Pieces that are generated have a key more than those that are listed.
            if of.get(name).is_some() || keys::GENERATED.get(name).is_some() {
                self.report.push(
                    Diagnostic::error(
                        codes::KEYWORD_ID,
                        entry.key,
                        format!("an attribute of {} cannot be called `{name}`", fields.what),
                    )
                    .label("the engine uses this key itself"),
                );
                continue;
            }
            let what = format!("attribute `{name}` of {}", fields.what);
            let Some(text) = as_text(&what, &entry.value, &mut self.report) else {
                continue;
            };
            let type_text = self.type_named(&what, text);
            let understood = type_text.is_some();
            let (holds, parameters) = match type_text {
                Some(TypeText::Of(name)) => (holds_of(name), Vec::new()),
                Some(TypeText::Effect(parameters)) => (Holds::Effect, parameters),
                None => (Holds::Text, Vec::new()),
            };
            let Some(property) = self.property(name) else {
                continue;
            };
            decls.push(AttributeDecl {
                name: name.clone(),
                key: entry.key,
                property,
                holds,
                understood,
                parameters,
            });
        }
        decls
    }

    /// Reads the attributes that waited, and those of the pieces.
    pub(super) fn read_values(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            match pending.holder {
                Holder::Node(node) => {
                    let graph = self.layout.nodes[node].graph.index();
                    let decls = self.graph_attributes[graph].clone();
                    self.layout.nodes[node].attributes =
                        self.values(&pending.fields, &decls, &pending.path);
                }
                Holder::Member(member) => {
                    let set = self.layout.members[member].set.index();
                    let decls = self.set_attributes[set].clone();
                    self.layout.members[member].attributes =
                        self.values(&pending.fields, &decls, &pending.path);
                }
            }
        }
        for index in 0..self.entries.len() {
            let entry = self.entries[index].clone();
            let decls = self.kind_attributes[entry.kind].clone();
            self.entries[index].values = self.values(&entry.fields, &decls, &entry.path);
        }
    }

    /// The listed pieces that lack an attribute which nearly all others of their kind are given: that is most likely
    /// forgotten; what many lack is meant to be so.
    pub(super) fn lacking(&self) -> Vec<Lacking> {
        let mut found = Vec::new();
        for (kind, decls) in self.kind_attributes.iter().enumerate() {
            let own = || {
                self.entries
                    .iter()
                    .filter(|entry| entry.kind == kind && entry.listed)
            };
            let all = own().count();
            for decl in decls {
                let lacks =
                    |entry: &&PieceEntry<'_>| entry.fields.rest().all(|(key, _)| *key != decl.name);
                let lacking: Vec<&PieceEntry<'_>> = own().filter(lacks).collect();
                if lacking.len() * ONE_IN > all {
                    continue;
                }
                let given = all - lacking.len();
                found.extend(lacking.into_iter().map(|entry| Lacking {
                    attribute: decl.name.clone(),
                    message: format!(
                        "{} has no `{}`, which {given} of {all} of its kind are given",
                        entry.fields.what, decl.name
                    ),
                    default: match decl.holds {
                        Holds::Int => Some("0"),
                        Holds::Bool => Some("false"),
                        _ => None,
                    },
                    span: entry.fields.span,
                }));
            }
        }
        found
    }

    /// The values of the declared attributes, from the keys of a table that have no other meaning.
    fn values(&mut self, fields: &Fields<'a>, decls: &[AttributeDecl], path: &str) -> Vec<Value> {
        let mut values: Vec<Value> = decls.iter().map(AttributeDecl::default_value).collect();
        for (key, entry) in fields.rest() {
            match decls.iter().position(|decl| decl.name == key) {
                Some(position) => {
                    let what = format!("`{key}` of {}", fields.what);
                    let value = self.value(&what, &decls[position], &entry.value, path);
                    if let Some(value) = value {
                        values[position] = value;
                    }
                }
                None => {
                    let known: Vec<&str> = decls.iter().map(|decl| decl.name.as_str()).collect();
                    let mut near = known.clone();
                    for key in fields.known() {
                        near.push(key);
                    }
                    let suggested = Diagnostic::error(
                        codes::UNDECLARED_ATTRIBUTE,
                        entry.key,
                        format!("{} has no attribute `{key}`", fields.what),
                    )
                    .label("not declared")
                    .suggest(key, near);
                    let missing = match known.is_empty() {
                        true => "declare it under `attributes`".to_owned(),
                        false => format!(
                            "the declared attributes are {}; others go under `attributes`",
                            list(known)
                        ),
                    };
                    self.report.push(match suggested.help.is_empty() {
                        true => suggested.help(missing),
                        false => suggested,
                    });
                }
            }
        }
        values
    }

    /// One value of an attribute.
    fn value(
        &mut self,
        what: &str,
        decl: &AttributeDecl,
        node: &'a Node,
        path: &str,
    ) -> Option<Value> {
        if !decl.understood {
            return None;
        }
        match decl.holds {
            Holds::Int => {
                let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
                as_int(what, node, range, &mut self.report).map(|at| Value::int(at.value))
            }
            Holds::Bool => match node.item {
                Item::Bool(value) => Some(Value::from(value)),
                _ => {
                    wrong_type(&mut self.report, what, "`true` or `false`", node);
                    None
                }
            },
            Holds::Text => {
                let text = as_text(what, node, &mut self.report)?.value;
                let known = self.layout.texts.iter().position(|other| other == text);
                let index = known.unwrap_or_else(|| {
                    self.layout.texts.push(text.to_owned());
                    self.layout.texts.len() - 1
                });
                Some(Value::int(index as i64))
            }
            Holds::Effect => {
                let code = match node.item {
                    Item::Text(_) => as_snippet(what, node, self.sources, &mut self.report)?,
                    _ => {
                        let expected = "the name of a function, or a script, in quotes";
                        wrong_type(&mut self.report, what, expected, node);
                        return None;
                    }
                };
                self.pend_effect(path, decl, code, node.span)
            }
            Holds::Dial => {
                let id = as_text(what, node, &mut self.report)?;
                let index = self.names.resolve(Section::Dial, id, &mut self.report)?;
                Some(Value::from(DialId::from_index(index)))
            }
            Holds::Toggle => {
                let id = as_text(what, node, &mut self.report)?;
                let index = self.names.resolve(Section::Toggle, id, &mut self.report)?;
                Some(Value::from(ToggleId::from_index(index)))
            }
            Holds::One(domain) => {
                let id = as_text(what, node, &mut self.report)?;
                self.member_named(domain, id)
            }
        }
    }

    fn pend_effect(
        &mut self,
        path: &str,
        decl: &AttributeDecl,
        code: Snippet,
        span: Span,
    ) -> Option<Value> {
        if self.effects.len() >= MOST_IDS {
            self.too_many("effects", MOST_IDS, span);
            return None;
        }
        self.effects.push(PendingEffect {
            path: path.to_owned(),
            attribute: decl.name.clone(),
            effect: EffectRef {
                code,
                parameters: decl.parameters.clone(),
            },
        });
        Some(Value::from(EffectId::from_index(self.effects.len() - 1)))
    }

    /// The value of a domain that an id names; reports it if there is none.
    pub(super) fn member_named(&mut self, domain: Domain, id: At<&str>) -> Option<Value> {
        let layout = &self.layout;
        let (noun, found, known): (String, Option<Value>, Vec<&str>) = match domain {
            Domain::Graph(graph) => {
                let info = &layout.graphs[graph.index()];
                let ids = info.nodes.clone().map(|node| {
                    let name = layout.nodes[usize::from(node)].name.id.as_str();
                    (name, Value::from(NodeId(node)))
                });
                let (found, known) = pick(ids, id.value);
                (format!("node of `{}`", info.name.id), found, known)
            }
            Domain::Set(set) => {
                let info = &layout.sets[set.index()];
                let ids = info.members.iter().map(|member| match member.case() {
                    Case::Member(MemberId(number)) => (
                        layout.members[usize::from(number)].name.id.as_str(),
                        *member,
                    ),
                    _ => ("", *member),
                });
                let (found, known) = pick(ids, id.value);
                (format!("member of `{}`", info.name.id), found, known)
            }
            Domain::Kind(kind) => {
                let info = &layout.kinds[kind.index()];
                let ids = info.pieces.clone().filter_map(|piece| {
                    let draft = self.drafts.get(usize::from(piece))?;
                    Some((draft.id.as_str(), Value::from(PieceId(piece))))
                });
                let (found, known) = pick(ids, id.value);
                (format!("piece of `{}`", info.name.id), found, known)
            }
            Domain::Players | Domain::Groups(_) => {
                self.report.push(
                    Diagnostic::error(
                        codes::WRONG_TYPE,
                        id.span,
                        "players and groups cannot be named in data",
                    )
                    .label("leave it out: it holds nothing at first"),
                );
                return None;
            }
        };
        if found.is_none() {
            let diagnostic = unknown(&noun, id, known);
            self.report.push(diagnostic);
        }
        found
    }

    /// Gives effects their numbers, in the byte order of their owner and attribute.
    pub(super) fn number_effects(&mut self) -> Vec<EffectRef> {
        let effects = std::mem::take(&mut self.effects);
        let mut order: Vec<usize> = (0..effects.len()).collect();
        order.sort_by(|a, b| {
            let key = |index: &usize| (&effects[*index].path, &effects[*index].attribute);
            key(a).cmp(&key(b))
        });
        let mut numbers = vec![EffectId(0); effects.len()];
        for (number, index) in order.iter().enumerate() {
            numbers[*index] = EffectId::from_index(number);
        }
        let layout = &mut self.layout;
        let nodes = layout.nodes.iter_mut().map(|info| &mut info.attributes);
        let members = layout.members.iter_mut().map(|info| &mut info.attributes);
        let pieces = layout.pieces.iter_mut().map(|info| &mut info.attributes);
        for value in nodes.chain(members).chain(pieces).flatten() {
            if let Some(effect) = value.as_effect() {
                *value = numbers[effect.index()].into();
            }
        }
        order
            .into_iter()
            .map(|index| effects[index].effect.clone())
            .collect()
    }

    /// Reports that there is more of something than the engine can hold.
    pub(super) fn too_many(&mut self, what: &str, most: usize, span: Span) {
        self.report.push(
            Diagnostic::error(
                codes::TOO_MANY,
                span,
                format!("the pack has too many {what}"),
            )
            .label(format!("at most {most} fit")),
        );
    }
}

/// The value with an id, and all ids.
fn pick<'b>(
    ids: impl Iterator<Item = (&'b str, Value)>,
    id: &str,
) -> (Option<Value>, Vec<&'b str>) {
    let mut found = None;
    let mut known = Vec::new();
    for (name, value) in ids {
        if name == id {
            found = Some(value);
        }
        known.push(name);
    }
    (found, known)
}

/// What an attribute of a type holds.
pub(super) fn holds_of(name: TypeName) -> Holds {
    match name {
        TypeName::Int => Holds::Int,
        TypeName::Bool => Holds::Bool,
        TypeName::Text => Holds::Text,
        TypeName::One(domain) => Holds::One(domain),
        TypeName::Dial => Holds::Dial,
        TypeName::Toggle => Holds::Toggle,
    }
}
