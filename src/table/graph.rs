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
    /// Cheapest cost from a node to another of this graph, or `None` if no route joins them.
    pub fn distance(&self, from: NodeId, to: NodeId) -> Option<u16> {
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

    /// A cheapest route, both ends included; of several the one whose nodes come first.
    pub fn route(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        self.distance(from, to)?;
        let mut route = vec![from];
        let mut here = from;
        while here != to {
            let rest = self.distance(here, to)?;
            here = *self.neighbours(here).iter().find(|next| {
                let step = self
                    .edges
                    .iter()
                    .filter(|edge| {
                        (edge.a, edge.b) == (here, **next) || (edge.b, edge.a) == (here, **next)
                    })
                    .map(|edge| edge.cost)
                    .min();
                !route.contains(*next)
                    && step
                        .zip(self.distance(**next, to))
                        .is_some_and(|(step, after)| {
                            u32::from(step) + u32::from(after) == u32::from(rest)
                        })
            })?;
            route.push(here);
        }
        Some(route)
    }
}
