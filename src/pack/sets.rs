//! Sets and groups: enumerations, selections of nodes, and how many groups can be alive.

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::table::ids::{GraphId, GroupKindId, MemberId, NodeId, SetId};
use crate::table::layout::{Domain, GroupKindInfo, MemberInfo, SetInfo};
use crate::table::value::{Case, Value};

use super::attributes::{Holder, PendingValues};
use super::codes;
use super::doc::{Item, Table};
use super::fields::{At, Fields, as_text, wrong_type};
use super::keys;
use super::names::{Section, check_id, plain_name};
use super::read::{MOST_IDS, Reader};

impl<'a> Reader<'a> {
    /// Reads all sets.
    pub(super) fn read_sets(&mut self) {
        for (index, declared) in self
            .names
            .list(Section::Set)
            .to_vec()
            .into_iter()
            .enumerate()
        {
            let mut fields = self.fields(Section::Set, declared);
            let (name, _) = self.common(
                &mut fields,
                &format!("set.{}", declared.id),
                Some(declared.id),
            );
            let enumerated = fields.has("members") || !fields.has("graph");
            if fields.has("members") && fields.has("graph") {
                self.report.push(
                    Diagnostic::error(
                        codes::EXACTLY_ONE,
                        fields.key_span("members"),
                        format!("set `{}` has both `members` and `graph`", declared.id),
                    )
                    .other(fields.key_span("graph"), "`graph` stands here")
                    .help("members are listed, or selected from a graph, not both"),
                );
            }
            let mut decls = Vec::new();
            let members = if enumerated {
                decls = self.attribute_decls(&mut fields, &keys::MEMBER);
                fields.node("graph");
                self.only_for(
                    &mut fields,
                    &["except", "only"],
                    "a set that lists its members",
                );
                self.read_members(index, declared.id, &mut fields)
            } else {
                self.only_for(&mut fields, &["attributes"], "a set that selects nodes");
                fields.node("members");
                self.read_selection(declared.id, &mut fields)
            };
            self.layout.sets.push(SetInfo {
                name,
                members,
                enumerated,
            });
            self.layout
                .set_attributes
                .push(decls.iter().map(|decl| decl.info()).collect());
            self.set_attributes.push(decls);
            fields.finish(&mut self.report);
        }
    }

    /// Reports keys that say nothing in a set of this kind.
    fn only_for(&mut self, fields: &mut Fields<'a>, keys: &[&'static str], what: &str) {
        for key in keys {
            if fields.node(key).is_some() && !(fields.has("members") && fields.has("graph")) {
                self.report.push(
                    Diagnostic::error(
                        codes::UNKNOWN_KEY,
                        fields.key_span(key),
                        format!("{} has no key `{key}`: it is {what}", fields.what),
                    )
                    .label("says nothing here"),
                );
            }
        }
    }

    fn read_members(&mut self, set: usize, id: &'a str, fields: &mut Fields<'a>) -> Vec<Value> {
        let Some(node) = fields.node("members") else {
            fields.missing("members", &mut self.report);
            return Vec::new();
        };
        let first = self.layout.members.len();
        match &node.item {
            Item::List(list) => {
                let what = format!("a member of set `{id}`");
                let mut names: Vec<At<&'a str>> = list
                    .iter()
                    .filter_map(|member| as_text(&what, member, &mut self.report))
                    .collect();
                names.sort_by_key(|name| (name.value, name.span));
                self.no_doubles(&names, &format!("the members of set `{id}`"));
                names.dedup_by_key(|name| name.value);
                if self.layout.members.len() + names.len() > MOST_IDS {
                    self.too_many("members of sets", MOST_IDS, node.span);
                    return Vec::new();
                }
                for name in names {
                    check_id(name.value, name.span, &mut self.report);
                    let values = self.set_decl_defaults(fields);
                    self.layout.members.push(MemberInfo {
                        name: plain_name(name.value),
                        set: SetId::from_index(set),
                        attributes: values,
                    });
                }
            }
            Item::Table(table) => self.read_member_table(set, id, table),
            _ => {
                let expected = "a list of ids, or a table by id";
                wrong_type(
                    &mut self.report,
                    &format!("`members` of set `{id}`"),
                    expected,
                    node,
                );
                return Vec::new();
            }
        }
        let last = self.layout.members.len();
        if first == last {
            self.out_of_range(
                node.span,
                format!("set `{id}` has no members"),
                "expected one at least",
            );
        }
        (first..last)
            .map(|member| Value::from(MemberId::from_index(member)))
            .collect()
    }

    /// The values of members that are only listed. They wait with an empty table, so that the
    /// defaults come from the one place that knows them.
    fn set_decl_defaults(&mut self, fields: &Fields<'a>) -> Vec<Value> {
        static EMPTY: Table = Table::new();
        self.pending.push(PendingValues {
            holder: Holder::Member(self.layout.members.len()),
            fields: Fields::new(String::new(), fields.span, &EMPTY, &keys::MEMBER),
            path: String::new(),
        });
        Vec::new()
    }

    fn read_member_table(&mut self, set: usize, id: &str, table: &'a Table) {
        for (member, entry) in table {
            if self.layout.members.len() >= MOST_IDS {
                self.too_many("members of sets", MOST_IDS, entry.key);
                return;
            }
            check_id(member, entry.key, &mut self.report);
            let what = format!("member `{member}`");
            let own = Fields::of(
                what,
                entry.key,
                &entry.value,
                &keys::MEMBER,
                &mut self.report,
            );
            let Some(mut own) = own else {
                continue;
            };
            let (name, _) = self.common(&mut own, &format!("{id}.members.{member}"), Some(member));
            self.pending.push(PendingValues {
                holder: Holder::Member(self.layout.members.len()),
                fields: own,
                path: format!("set.{id}.members.{member}"),
            });
            self.layout.members.push(MemberInfo {
                name,
                set: SetId::from_index(set),
                attributes: Vec::new(),
            });
        }
    }

    /// Reads a selection of a graph's nodes.
    fn read_selection(&mut self, id: &str, fields: &mut Fields<'a>) -> Vec<Value> {
        let graph = fields.text("graph", &mut self.report);
        let except = fields.texts("except", &mut self.report);
        let only = fields.texts("only", &mut self.report);
        if fields.has("except") && fields.has("only") {
            self.report.push(
                Diagnostic::error(
                    codes::EXACTLY_ONE,
                    fields.key_span("only"),
                    format!("set `{id}` has both `except` and `only`"),
                )
                .other(fields.key_span("except"), "`except` stands here"),
            );
        }
        let graph = graph.and_then(|graph| {
            self.names
                .resolve(Section::Graph, graph, &mut self.report)
                .map(GraphId::from_index)
        });
        let Some(graph) = graph else {
            return Vec::new();
        };
        self.no_doubles(&except, &format!("`except` of set `{id}`"));
        self.no_doubles(&only, &format!("`only` of set `{id}`"));
        let mut named = BTreeSet::new();
        for node in except.iter().chain(&only) {
            if let Some(Case::Node(node)) = self
                .member_named(Domain::Graph(graph), *node)
                .map(Value::case)
            {
                named.insert(node);
            }
        }
        let keep_named = fields.has("only");
        let members: Vec<Value> = self.layout.graphs[graph.index()]
            .nodes
            .clone()
            .map(NodeId)
            .filter(|node| named.contains(node) == keep_named)
            .map(Value::from)
            .collect();
        if members.is_empty() {
            let message = format!("set `{id}` selects no nodes");
            self.out_of_range(fields.span, message, "expected one at least");
        }
        members
    }

    /// Reports what is listed twice.
    pub(super) fn no_doubles(&mut self, texts: &[At<&str>], what: &str) {
        for (index, text) in texts.iter().enumerate() {
            let first = texts[..index]
                .iter()
                .find(|other| other.value == text.value);
            if let Some(first) = first {
                self.report.push(
                    Diagnostic::error(
                        codes::LISTED_TWICE,
                        text.span,
                        format!("{what} list `{}` twice", text.value),
                    )
                    .label("listed again here")
                    .other(first.span, "listed here"),
                );
            }
        }
    }

    /// Reads the kinds of groups.
    pub(super) fn read_groups(&mut self) {
        for (index, declared) in self
            .names
            .list(Section::Group)
            .to_vec()
            .into_iter()
            .enumerate()
        {
            let mut fields = self.fields(Section::Group, declared);
            let path = format!("group.{}", declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            let most = fields.int("most", &mut self.report);
            fields.finish(&mut self.report);
            let first = self.layout.groups.len();
            let most = most.map_or(1, |most| most.value as usize);
            if first + most > MOST_IDS {
                self.too_many("groups", MOST_IDS, fields.span);
                self.layout.group_kinds.push(GroupKindInfo {
                    name,
                    groups: first as u16..first as u16,
                    alive: 0,
                    zones: Vec::new(),
                    counters: Vec::new(),
                });
                continue;
            }
            let kind = GroupKindId::from_index(index);
            self.layout.groups.extend(std::iter::repeat_n(kind, most));
            self.layout.group_kinds.push(GroupKindInfo {
                name,
                groups: first as u16..(first + most) as u16,
                alive: 0,
                zones: Vec::new(),
                counters: Vec::new(),
            });
        }
    }
}
