//! Cheapest routes.

use super::ids::NodeId;
use super::layout::{EdgeInfo, GraphInfo, UNREACHABLE};

/// Cheapest cost from every node to every other of a graph (Floyd and Warshall), row by row.
/// `nodes` is the number of nodes, `first` the id of the first.
pub fn distances(nodes: usize, first: u16, edges: &[EdgeInfo]) -> Vec<u16> {
    let mut costs = vec![UNREACHABLE; nodes * nodes];
    for node in 0..nodes {
        costs[node * nodes + node] = 0;
    }
    for edge in edges {
        let a = usize::from(edge.a.0 - first);
        let b = usize::from(edge.b.0 - first);
        for (from, to) in [(a, b), (b, a)] {
            let cost = &mut costs[from * nodes + to];
            *cost = (*cost).min(edge.cost);
        }
    }
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                let (first, second) = (costs[from * nodes + via], costs[via * nodes + to]);
                if first != UNREACHABLE && second != UNREACHABLE {
                    let cost = &mut costs[from * nodes + to];
                    *cost = (*cost).min(first.saturating_add(second).min(UNREACHABLE - 1));
                }
            }
        }
    }
    costs
}

impl GraphInfo {
    /// Cheapest cost from a node to another, or `None` if no route joins them or one of them is of
    /// another graph.
    pub fn distance(&self, from: NodeId, to: NodeId) -> Option<u16> {
        if !self.nodes.contains(&from.0) || !self.nodes.contains(&to.0) {
            return None;
        }
        let size = self.nodes.len();
        let row = usize::from(from.0 - self.nodes.start);
        let column = usize::from(to.0 - self.nodes.start);
        Some(self.distances[row * size + column]).filter(|cost| *cost != UNREACHABLE)
    }

    /// The nodes next to a node, in the order of their ids.
    pub fn neighbours(&self, node: NodeId) -> Vec<NodeId> {
        let mut next: Vec<NodeId> = self
            .edges
            .iter()
            .filter_map(|edge| match (edge.a == node, edge.b == node) {
                (true, false) => Some(edge.b),
                (false, true) => Some(edge.a),
                _ => None,
            })
            .collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// A cheapest route, both ends included; of several one with the fewest nodes, and of these the one
    /// whose nodes come first.
    pub fn route(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        self.distance(from, to)?;
        // Steps still to go, along edges that lie on a cheapest route. Without them a walk could go
        // astray over edges that cost nothing.
        let mut steps: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let at = |node: NodeId| usize::from(node.0 - self.nodes.start);
        steps[at(to)] = Some(0);
        let mut queue = vec![to];
        let mut done = 0;
        while let Some(here) = queue.get(done).copied() {
            done += 1;
            for before in self.neighbours(here) {
                if steps[at(before)].is_none() && self.nears(before, here, to) {
                    steps[at(before)] = steps[at(here)].map(|steps| steps + 1);
                    queue.push(before);
                }
            }
        }
        let mut route = vec![from];
        let mut here = from;
        while here != to {
            let left = steps[at(here)]?;
            here = self
                .neighbours(here)
                .into_iter()
                .find(|next| steps[at(*next)] == Some(left - 1) && self.nears(here, *next, to))?;
            route.push(here);
        }
        Some(route)
    }

    /// Whether a cheapest route from `here` can begin with the edge to `next`.
    fn nears(&self, here: NodeId, next: NodeId, to: NodeId) -> bool {
        let step = self
            .edges
            .iter()
            .filter(|edge| (edge.a, edge.b) == (here, next) || (edge.b, edge.a) == (here, next))
            .map(|edge| edge.cost)
            .min();
        match (step, self.distance(here, to), self.distance(next, to)) {
            (Some(step), Some(all), Some(rest)) => {
                u32::from(step) + u32::from(rest) == u32::from(all)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Name;
    use super::*;

    /// A graph whose first node is 10, of `nodes` nodes, with edges between positions.
    fn graph(nodes: u16, edges: &[(u16, u16, u16)]) -> GraphInfo {
        let edges: Vec<EdgeInfo> = edges
            .iter()
            .map(|(a, b, cost)| EdgeInfo {
                a: NodeId(10 + a),
                b: NodeId(10 + b),
                cost: *cost,
            })
            .collect();
        GraphInfo {
            name: Name {
                id: "graph".to_owned(),
                title: "Graph".to_owned(),
            },
            nodes: 10..10 + nodes,
            distances: distances(usize::from(nodes), 10, &edges),
            edges,
            attributes: Vec::new(),
        }
    }

    #[track_caller]
    fn check(graph: &GraphInfo, from: u16, to: u16, expected: Option<(u16, &[u16])>) {
        let (from, to) = (NodeId(10 + from), NodeId(10 + to));
        let route: Option<Vec<u16>> = graph
            .route(from, to)
            .map(|route| route.iter().map(|node| node.0 - 10).collect());
        let found = graph.distance(from, to).zip(route);
        assert_eq!(
            found,
            expected.map(|(cost, route)| (cost, route.to_vec())),
            "{from:?} to {to:?}"
        );
    }

    #[test]
    fn the_cheapest_route_is_found_in_both_directions() {
        let graph = graph(4, &[(0, 1, 1), (1, 2, 2), (0, 2, 5), (2, 3, 1), (0, 1, 7)]);
        check(&graph, 0, 0, Some((0, &[0])));
        check(&graph, 0, 3, Some((4, &[0, 1, 2, 3])));
        check(&graph, 3, 0, Some((4, &[3, 2, 1, 0])));
    }

    #[test]
    fn of_equal_routes_the_shortest_and_then_the_first_is_taken() {
        let graph = graph(5, &[(0, 1, 1), (1, 4, 1), (0, 2, 1), (2, 4, 1), (0, 3, 1)]);
        check(&graph, 0, 4, Some((2, &[0, 1, 4])));
        let graph = self::graph(3, &[(0, 1, 1), (1, 2, 1), (0, 2, 2)]);
        check(&graph, 0, 2, Some((2, &[0, 2])));
    }

    #[test]
    fn edges_that_cost_nothing_lead_nowhere_astray() {
        let graph = graph(4, &[(0, 1, 0), (0, 2, 0), (2, 3, 3), (1, 1, 0)]);
        check(&graph, 0, 3, Some((3, &[0, 2, 3])));
        check(&graph, 1, 3, Some((3, &[1, 0, 2, 3])));
    }

    #[test]
    fn where_no_route_leads_there_is_no_distance() {
        let graph = graph(4, &[(0, 1, 1), (2, 3, 1)]);
        check(&graph, 0, 2, None);
        check(&graph, 3, 1, None);
        assert_eq!(graph.distance(NodeId(10), NodeId(14)), None);
        assert_eq!(graph.distance(NodeId(3), NodeId(10)), None);
        assert_eq!(graph.route(NodeId(10), NodeId(14)), None);
    }

    #[test]
    fn neighbours_are_told_once_in_the_order_of_their_ids() {
        let graph = graph(4, &[(3, 1, 1), (1, 0, 1), (0, 1, 4), (1, 1, 0)]);
        assert_eq!(graph.neighbours(NodeId(11)), [NodeId(10), NodeId(13)]);
        assert_eq!(graph.neighbours(NodeId(12)), []);
    }
}
