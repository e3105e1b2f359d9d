//! A graph with how often its nodes were used drawn on it.

use maud::{Markup, html};

use super::plot::number;
use crate::cli::map_svg::{Drawing, FULL, Frame};
use crate::repl::text::width;
use crate::script::Rules;
use crate::sim::uses::UsesSummary;
use crate::table::ids::{GraphId, NodeId};

/// A map as it is drawn where there is so much room: text has one size on the screen, so that it needs more of a
/// smaller map.
struct Drawn {
    /// What the page's style calls it.
    class: &'static str,
    frame: Frame,
    /// Radius of a node that was never used, and how much the most used one is larger.
    least: f64,
    larger: f64,
    /// Width of a letter, and height of a line.
    letter: f64,
    line: f64,
}

/// On a page of its full width, and on one as narrow as a telephone.
const BOTH: [Drawn; 2] = [
    Drawn {
        class: "broad",
        frame: FULL,
        least: 8.0,
        larger: 26.0,
        letter: 11.5,
        line: 26.0,
    },
    Drawn {
        class: "narrow",
        frame: Frame {
            width: 420.0,
            height: 520.0,
            side: 36.0,
            above: 36.0,
            margins: (2.0, 2.0),
        },
        least: 5.0,
        larger: 14.0,
        letter: 8.2,
        line: 18.0,
    },
];
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

/// Draws a graph: the more a node was used the larger it is. Of two drawings a page shows the one that it has room for.
pub(super) fn used_map(rules: &Rules, graph: GraphId, statistic: &UsesSummary) -> Markup {
    html! { @for drawn in &BOTH { (map(rules, graph, statistic, drawn)) } }
}

fn map(rules: &Rules, graph: GraphId, statistic: &UsesSummary, drawn: &Drawn) -> Markup {
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
    let radius = |node: NodeId| drawn.least + drawn.larger * part(node);
    let mut drawing = Drawing::of(rules, graph, drawn.frame, radius);
    let places = drawing.places.clone();
    let labels: Vec<(f64, f64)> = nodes
        .iter()
        .zip(&places)
        .map(|(node, place)| {
            let wide = drawn.letter * width(&layout.nodes[node.index()].name.title) as f64;
            drawing.label(*place, radius(*node), (wide, drawn.line))
        })
        .collect();
    let says = format!("{}: {}", info.name.title, statistic.title);
    let heights = || places.iter().chain(&labels).map(|(_, y)| *y);
    let around = drawn.least + drawn.larger;
    let top = heights().fold(drawn.frame.height, f64::min) - around;
    let high = heights().fold(0.0, f64::max) + around - top;
    let shown = format!("0 {top:.0} {:.0} {high:.0}", drawn.frame.width);
    html! {
            svg class={ "map " (drawn.class) } viewBox=(shown) role="img" aria-label=(says) {
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

/// A length with one digit after the point.
fn tenth(length: f64) -> String {
    format!("{length:.1}")
}
