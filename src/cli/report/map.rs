//! A graph with how often its nodes were used drawn on it.

use maud::{Markup, html};

use super::plot::number;
use crate::cli::map_svg::{Drawing, HEIGHT, WIDTH};
use crate::repl::text::width;
use crate::script::Rules;
use crate::sim::uses::UsesSummary;
use crate::table::ids::{GraphId, NodeId};

/// Radius of a node that was never used, and how much the most used one is larger.
const LEAST: f64 = 8.0;
const LARGER: f64 = 26.0;
/// Size of the text, width of its letters, and height of a line.
const LETTER: f64 = 11.5;
const LINE: f64 = 26.0;
/// A graph is a map if its nodes lie in as many different rows.
const ROWS: usize = 3;

/// The graph whose nodes a statistic counts apart, if it does and the pack says where they lie.
pub(super) fn graph_of(rules: &Rules, statistic: &UsesSummary) -> Option<GraphId> {
    let layout = rules.layout();
    let graphs = layout.graphs.iter().enumerate();
    let mut graphs = graphs.filter(|(_, info)| {
        let mut rows: Vec<u8> = info
            .nodes
            .clone()
            .filter_map(|node| Some(layout.nodes[usize::from(node)].at?.1))
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let is_node = |key: &String| {
            let mut nodes = info.nodes.clone();
            nodes.any(|node| layout.nodes[usize::from(node)].name.id == *key)
        };
        rows.len() >= ROWS && statistic.rows.iter().all(|row| is_node(&row.key))
    });
    let (at, _) = graphs.next()?;
    (!statistic.rows.is_empty()).then(|| GraphId::from_index(at))
}

/// Draws a graph: the more a node was used the larger it is.
pub(super) fn used_map(rules: &Rules, graph: GraphId, statistic: &UsesSummary) -> Markup {
    let layout = rules.layout();
    let info = &layout.graphs[graph.index()];
    let used = |node: NodeId| {
        let id = &layout.nodes[node.index()].name.id;
        let mut rows = statistic.rows.iter();
        rows.find(|row| row.key == *id)
            .map_or(0.0, |row| row.per_game)
    };
    let nodes: Vec<NodeId> = info.nodes.clone().map(NodeId).collect();
    let most = nodes.iter().map(|node| used(*node)).fold(0.0, f64::max);
    // The area, not the radius, is as large as the number.
    let part = |node: NodeId| (used(node) / most.max(1e-9)).sqrt();
    let radius = |node: NodeId| LEAST + LARGER * part(node);
    let mut drawing = Drawing::of(rules, graph, radius);
    let places = drawing.places.clone();
    let labels: Vec<(f64, f64)> = nodes
        .iter()
        .zip(&places)
        .map(|(node, place)| {
            let wide = LETTER * width(&layout.nodes[node.index()].name.title) as f64;
            drawing.label(*place, radius(*node), (wide, LINE))
        })
        .collect();
    let says = format!("{}: {}", info.name.title, statistic.title);
    let heights = || places.iter().chain(&labels).map(|(_, y)| *y);
    let top = heights().fold(HEIGHT, f64::min) - LEAST - LARGER;
    let bottom = heights().fold(0.0, f64::max) + LEAST + LARGER;
    html! {
        div.wide tabindex="0" role="region" aria-label=(says) {
            svg.map viewBox=(format!("0 {top:.0} {WIDTH:.0} {:.0}", bottom - top)) role="img" aria-label=(says) {
                @for ((x1, y1), (x2, y2)) in &drawing.edges {
                    line.edge x1=(tenth(*x1)) y1=(tenth(*y1)) x2=(tenth(*x2)) y2=(tenth(*y2)) {}
                }
                @for (node, (x, y)) in nodes.iter().zip(&places) {
                    @let title = &layout.nodes[node.index()].name.title;
                    g {
                        title { (title) ": " (number(used(*node))) " a game" }
                        circle.ground cx=(tenth(*x)) cy=(tenth(*y)) r=(tenth(radius(*node))) {}
                        circle.node.unused[used(*node) == 0.0] cx=(tenth(*x)) cy=(tenth(*y)) r=(tenth(radius(*node)))
                            fill-opacity=(format!("{:.2}", 0.25 + 0.75 * part(*node))) {}
                        @if part(*node) > 0.55 {
                            text.inside x=(tenth(*x)) y=(tenth(*y)) { (number(used(*node))) }
                        }
                    }
                }
                @for (node, (x, y)) in nodes.iter().zip(&labels) {
                    text.name x=(tenth(*x)) y=(tenth(*y)) { (layout.nodes[node.index()].name.title) }
                }
            }
        }
    }
}

/// A length with one digit after the point.
fn tenth(length: f64) -> String {
    format!("{length:.1}")
}
