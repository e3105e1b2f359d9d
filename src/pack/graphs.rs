//! Graphs: nodes, edges, costs.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Span, count};
use crate::table::graph::distances;
use crate::table::ids::{GraphId, NodeId};
use crate::table::layout::{EdgeInfo, GraphInfo, Holds, NodeInfo, UNREACHABLE};
use crate::table::value::Case;

use super::attributes::{Holder, PendingValues};
use super::codes;
use super::doc::{Item, Node};
use super::fields::{At, Fields, as_int, as_text, wrong_type};
use super::keys;
use super::names::{Section, check_id, unknown};
use super::read::{MOST_IDS, MOST_NODES, Reader};

/// A promise of the data: an attribute of the nodes is the cheapest cost from one of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostCheck {
    graph: usize,
    from: usize,
    attribute: usize,
    span: Span,
}

impl<'a> Reader<'a> {
    /// Reads all graphs.
    pub(super) fn read_graphs(&mut self) {
        let mut seen: BTreeMap<&'a str, Span> = BTreeMap::new();
        for (index, declared) in self
            .names
            .list(Section::Graph)
            .to_vec()
            .into_iter()
            .enumerate()
        {
            let mut fields = self.fields(Section::Graph, declared);
            let path = format!("graph.{}", declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            let decls = self.attribute_decls(&mut fields, &keys::NODE);
            let first = self.layout.nodes.len();
            let spans = self.read_nodes(index, declared.id, &mut fields, &mut seen);
            let last = self.layout.nodes.len();
            let edges = self.read_edges(first..last, declared.id, &mut fields);
            let distances = distances(last - first, first as u16, &edges);
            if !fields.has("check") {
                self.check_routes(declared.id, first, &spans, &edges, &distances);
            }
            self.layout.graphs.push(GraphInfo {
                name,
                nodes: first as u16..last as u16,
                edges,
                distances,
                attributes: decls.iter().map(|decl| decl.info()).collect(),
            });
            self.graph_attributes.push(decls);
            self.read_check(index, &mut fields);
            fields.finish(&mut self.report);
            self.node_spans.extend(spans);
        }
    }

    /// Reads the nodes of a graph and returns where they stand.
    fn read_nodes(
        &mut self,
        graph: usize,
        id: &'a str,
        fields: &mut Fields<'a>,
        seen: &mut BTreeMap<&'a str, Span>,
    ) -> Vec<Span> {
        let mut spans = Vec::new();
        let Some(nodes) = fields.table("nodes", &mut self.report) else {
            return spans;
        };
        if nodes.len() > MOST_NODES || self.layout.nodes.len() + nodes.len() > MOST_IDS {
            self.too_many("nodes", MOST_NODES, fields.key_span("nodes"));
            return spans;
        }
        if nodes.is_empty() {
            let what = format!("graph `{id}` has no nodes");
            self.out_of_range(fields.key_span("nodes"), what, "expected one at least");
        }
        for (node, entry) in nodes {
            check_id(node, entry.key, &mut self.report);
            if let Some(first) = seen.insert(node, entry.key) {
                self.report.push(
                    Diagnostic::error(
                        codes::ID_TWICE,
                        entry.key,
                        format!("two nodes are called `{node}`"),
                    )
                    .label("called so again here")
                    .other(first, "called so here")
                    .help("nodes of all graphs share their names: scripts write `node::ID`"),
                );
            }
            let what = format!("node `{node}`");
            let own = Fields::of(what, entry.key, &entry.value, &keys::NODE, &mut self.report);
            let Some(mut own) = own else {
                continue;
            };
            let (name, _) = self.common(&mut own, &format!("{id}.nodes.{node}"), Some(node));
            let at = own.node("at").and_then(|at| self.read_at(node, at));
            self.pending.push(PendingValues {
                holder: Holder::Node(self.layout.nodes.len()),
                fields: own,
                path: format!("graph.{id}.nodes.{node}"),
            });
            self.layout.nodes.push(NodeInfo {
                name,
                graph: GraphId::from_index(graph),
                attributes: Vec::new(),
                at,
            });
            spans.push(entry.key);
        }
        spans
    }

    fn read_at(&mut self, node: &str, at: &Node) -> Option<(u8, u8)> {
        let what = format!("`at` of node `{node}`");
        let expected = "two numbers in percent, from the left and from the top";
        let Item::List(list) = &at.item else {
            wrong_type(&mut self.report, &what, expected, at);
            return None;
        };
        let [x, y] = list.as_slice() else {
            let message = format!("{what} must be {expected}");
            self.out_of_range(
                at.span,
                message,
                format!("found {}", count(list.len(), "element")),
            );
            return None;
        };
        let x = as_int(&what, x, 0..=100, &mut self.report);
        let y = as_int(&what, y, 0..=100, &mut self.report);
        Some((x?.value as u8, y?.value as u8))
    }

    /// Reads the edges of a graph, sorted by their ends.
    fn read_edges(
        &mut self,
        nodes: std::ops::Range<usize>,
        id: &str,
        fields: &mut Fields<'a>,
    ) -> Vec<EdgeInfo> {
        let mut edges: BTreeMap<(NodeId, NodeId), (u16, Span)> = BTreeMap::new();
        let what = format!("an edge of `{id}`");
        for node in fields.list("edges", &mut self.report).unwrap_or_default() {
            let Some(mut edge) = Fields::of(
                what.as_str(),
                node.span,
                node,
                &keys::EDGE,
                &mut self.report,
            ) else {
                continue;
            };
            let between = edge.node("between");
            let ends = between.and_then(|between| self.read_ends(&nodes, id, between));
            let cost = edge.int("cost", &mut self.report);
            edge.finish(&mut self.report);
            let Some((a, b)) = ends else {
                continue;
            };
            let cost = cost.map_or(1, |cost| cost.value as u16);
            let (a, b) = (a.min(b), a.max(b));
            let first = edges.insert((a, b), (cost, node.span));
            if let Some((_, first)) = first {
                let (a, b) = (&self.layout.nodes[a.index()], &self.layout.nodes[b.index()]);
                self.report.push(
                    Diagnostic::error(
                        codes::BAD_EDGE,
                        node.span,
                        format!("`{}` and `{}` are joined twice", a.name.id, b.name.id),
                    )
                    .label("joined again here")
                    .other(first, "joined here"),
                );
            }
        }
        edges
            .into_iter()
            .map(|((a, b), (cost, _))| EdgeInfo { a, b, cost })
            .collect()
    }

    fn read_ends(
        &mut self,
        nodes: &std::ops::Range<usize>,
        id: &str,
        between: &Node,
    ) -> Option<(NodeId, NodeId)> {
        let what = format!("`between` of an edge of `{id}`");
        let ends = match &between.item {
            Item::List(ends) if ends.len() == 2 => ends,
            _ => {
                wrong_type(&mut self.report, &what, "a list of two nodes", between);
                return None;
            }
        };
        let mut found = [None, None];
        for (slot, end) in found.iter_mut().zip(ends) {
            if let Some(end) = as_text(&what, end, &mut self.report) {
                *slot = self.node_of(nodes, id, end);
            }
        }
        let [Some(a), Some(b)] = found else {
            return None;
        };
        if a == b {
            let name = &self.layout.nodes[a.index()].name.id;
            self.report.push(
                Diagnostic::error(
                    codes::BAD_EDGE,
                    between.span,
                    format!("an edge leads from `{name}` to itself"),
                )
                .label("expected two different nodes"),
            );
            return None;
        }
        Some((a, b))
    }

    /// The node of a graph that an id names, while the graph is read.
    fn node_of(
        &mut self,
        nodes: &std::ops::Range<usize>,
        graph: &str,
        id: At<&str>,
    ) -> Option<NodeId> {
        let names = &self.layout.nodes[nodes.clone()];
        let found = names.iter().position(|node| node.name.id == id.value);
        if found.is_none() {
            let known = names.iter().map(|node| node.name.id.as_str());
            let diagnostic = unknown(&format!("node of `{graph}`"), id, known);
            self.report.push(diagnostic);
        }
        found.map(|position| NodeId::from_index(nodes.start + position))
    }

    /// Warns of nodes to which no route leads, in a graph that has edges.
    fn check_routes(
        &mut self,
        id: &str,
        first: usize,
        spans: &[Span],
        edges: &[EdgeInfo],
        distances: &[u16],
    ) {
        let Some(start) = edges.first().map(|edge| edge.a.index() - first) else {
            return;
        };
        for (node, span) in spans.iter().enumerate() {
            if distances[start * spans.len() + node] == UNREACHABLE {
                let names = &self.layout.nodes[first..];
                let (name, start) = (&names[node].name.id, &names[start].name.id);
                self.report.push(
                    Diagnostic::warning(
                        codes::UNREACHABLE,
                        *span,
                        format!("no route of `{id}` leads from `{start}` to `{name}`"),
                    )
                    .label("unreachable")
                    .help("add an edge to it"),
                );
            }
        }
    }

    /// Reads the promise that an attribute is the cheapest cost.
    fn read_check(&mut self, graph: usize, fields: &mut Fields<'a>) {
        let Some(node) = fields.node("check") else {
            return;
        };
        let what = format!("`check` of {}", fields.what);
        let Some(mut check) =
            Fields::of(what, node.span, node, &keys::COST_CHECK, &mut self.report)
        else {
            return;
        };
        let from = check.need_text("from", &mut self.report);
        let attribute = check.need_text("attribute", &mut self.report);
        check.finish(&mut self.report);
        let info = &self.layout.graphs[graph];
        let nodes = usize::from(info.nodes.start)..usize::from(info.nodes.end);
        let id = info.name.id.clone();
        let from = from.and_then(|from| self.node_of(&nodes, &id, from));
        let Some(attribute) = attribute else {
            return;
        };
        let decls = &self.graph_attributes[graph];
        let position = decls.iter().position(|decl| decl.name == attribute.value);
        match position {
            None => {
                let known = decls.iter().map(|decl| decl.name.as_str());
                let diagnostic = unknown(&format!("attribute of `{id}`"), attribute, known);
                self.report.push(diagnostic);
            }
            Some(position) if decls[position].understood && decls[position].holds != Holds::Int => {
                self.report.push(
                    Diagnostic::error(
                        codes::WRONG_TYPE,
                        attribute.span,
                        format!("`{}` must be a whole number to be checked", attribute.value),
                    )
                    .other(decls[position].key, "declared here"),
                )
            }
            Some(position) => {
                if let Some(from) = from {
                    self.checks.push(CostCheck {
                        graph,
                        from: from.index(),
                        attribute: position,
                        span: node.span,
                    });
                }
            }
        }
    }

    /// Keeps the data to their promises about costs.
    pub(super) fn check_costs(&mut self) {
        for check in std::mem::take(&mut self.checks) {
            let info = &self.layout.graphs[check.graph];
            let from = NodeId::from_index(check.from);
            let attribute = &self.graph_attributes[check.graph][check.attribute].name;
            for node in info.nodes.clone().map(NodeId).filter(|node| *node != from) {
                let name = &self.layout.nodes[node.index()].name.id;
                let start = &self.layout.nodes[check.from].name.id;
                let given = match self.layout.nodes[node.index()].attributes[check.attribute].case()
                {
                    Case::Int(given) => given,
                    _ => continue,
                };
                let span = self.node_spans[node.index()];
                let diagnostic = match info.distance(from, node) {
                    Some(cost) if i64::from(cost) == given => continue,
                    Some(cost) => Diagnostic::error(
                        codes::WRONG_COST,
                        span,
                        format!(
                            "`{attribute}` of `{name}` is {given}, but the cheapest route from \
                             `{start}` costs {cost}"
                        ),
                    )
                    .label(format!("expected {cost}, found {given}")),
                    None => Diagnostic::error(
                        codes::UNREACHABLE,
                        span,
                        format!("no route leads from `{start}` to `{name}`"),
                    )
                    .label("unreachable"),
                };
                self.report
                    .push(diagnostic.other(check.span, "checked because of this"));
            }
        }
    }
}
