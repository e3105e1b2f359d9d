//! A graph as a drawing.

use std::fmt::Write;

use super::map::sorted;
use crate::script::Rules;
use crate::table::ids::{GraphId, NodeId};

/// Size of the drawing.
const WIDTH: f64 = FULL.width;
const HEIGHT: f64 = FULL.height;
/// Radius of a node.
const RADIUS: f64 = 17.0;
/// Half the height of a line of text.
const HALF_LINE: f64 = 11.0;

/// How large a drawing is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Room at its sides, and above and below the nodes.
    pub(super) side: f64,
    pub(super) above: f64,
    /// How near to the sides, and to the top and the bottom, a label may come.
    pub(super) margins: (f64, f64),
}

/// For pages and windows: above and below there is room for a heading and for a legend.
pub(super) const FULL: Frame = Frame {
    width: 1000.0,
    height: 760.0,
    side: 80.0,
    above: 90.0,
    margins: (4.0, 50.0),
};

/// A rectangle that is taken: left, top, right, bottom.
#[derive(Clone, Copy)]
struct Taken(f64, f64, f64, f64);

impl Taken {
    fn around(x: f64, y: f64, wide: f64, high: f64) -> Self {
        Self(
            x - wide / 2.0,
            y - high / 2.0,
            x + wide / 2.0,
            y + high / 2.0,
        )
    }

    fn overlap(&self, other: &Self) -> f64 {
        let across = self.2.min(other.2) - self.0.max(other.0);
        let down = self.3.min(other.3) - self.1.max(other.1);
        if across > 0.0 && down > 0.0 {
            across * down
        } else {
            0.0
        }
    }

    fn is_outside(&self, frame: &Frame) -> bool {
        let (aside, above) = frame.margins;
        let (width, height) = (frame.width - aside, frame.height - above);
        self.0 < aside || self.2 > width || self.1 < above || self.3 > height
    }

    /// How much of a line lies in it, roughly.
    fn crossed(&self, a: (f64, f64), b: (f64, f64)) -> f64 {
        let steps = 60;
        let inside = (0..=steps)
            .filter(|step| {
                let part = f64::from(*step) / f64::from(steps);
                let (x, y) = (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
                x > self.0 && x < self.2 && y > self.1 && y < self.3
            })
            .count();
        inside as f64
    }
}

/// Where the parts of a graph are drawn, and what room they take.
pub(super) struct Drawing {
    frame: Frame,
    /// Where each node lies, in the order of the graph.
    pub(super) places: Vec<(f64, f64)>,
    /// From where to where each edge goes.
    pub(super) edges: Vec<((f64, f64), (f64, f64))>,
    taken: Vec<Taken>,
}

impl Drawing {
    /// Places the nodes of a graph in the drawing, each with its radius.
    pub(super) fn of(
        rules: &Rules,
        graph: GraphId,
        frame: Frame,
        radius: impl Fn(NodeId) -> f64,
    ) -> Self {
        let layout = rules.layout();
        let info = &layout.graphs[graph.index()];
        let nodes = || info.nodes.clone().map(NodeId);
        let count = nodes().count().max(1) as f64;
        let place = |(at, node): (usize, NodeId)| {
            let (x, y) = match layout.nodes[node.index()].at {
                Some((x, y)) => (f64::from(x), f64::from(y)),
                // Nodes without a place stand in a circle.
                None => {
                    let turn = at as f64 / count * std::f64::consts::TAU;
                    (50.0 + 45.0 * turn.sin(), 50.0 - 45.0 * turn.cos())
                }
            };
            (
                frame.side + x / 100.0 * (frame.width - 2.0 * frame.side),
                frame.above + y / 100.0 * (frame.height - 2.0 * frame.above),
            )
        };
        let places: Vec<(f64, f64)> = nodes().enumerate().map(place).collect();
        let taken = nodes().zip(&places).map(|(node, (x, y))| {
            let wide = 2.0 * radius(node) + 6.0;
            Taken::around(*x, *y, wide, wide)
        });
        let taken = taken.collect();
        let end = |node: NodeId| places[usize::from(node.0 - info.nodes.start)];
        let edges = info.edges.iter();
        let edges = edges.map(|edge| (end(edge.a), end(edge.b))).collect();
        Self {
            frame,
            places,
            edges,
            taken,
        }
    }

    /// Finds the place for a label of a node where it hides the least, and takes it.
    pub(super) fn label(
        &mut self,
        (x, y): (f64, f64),
        radius: f64,
        (wide, high): (f64, f64),
    ) -> (f64, f64) {
        let aside = radius + 7.0 + wide / 2.0;
        let down = radius + 6.0 + high / 2.0;
        let options = [
            (0.0, down),
            (0.0, -down),
            (aside, 0.0),
            (-aside, 0.0),
            (aside * 0.85, down),
            (-aside * 0.85, down),
            (aside * 0.85, -down),
            (-aside * 0.85, -down),
        ];
        let cost = |option: &(f64, f64)| {
            let here = Taken::around(x + option.0, y + option.1, wide, high);
            let overlaps: f64 = self.taken.iter().map(|other| here.overlap(other)).sum();
            let crossed: f64 = self.edges.iter().map(|(a, b)| here.crossed(*a, *b)).sum();
            let outside = if here.is_outside(&self.frame) {
                1e6
            } else {
                0.0
            };
            outside + overlaps * 100.0 + crossed
        };
        let best = options
            .iter()
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .copied()
            .unwrap_or((0.0, down));
        let (x, y) = (x + best.0, y + best.1);
        self.taken.push(Taken::around(x, y, wide, high));
        (x, y)
    }
}

/// Draws a graph with the costs of its edges and of the cheapest routes from a node.
pub(super) fn svg(rules: &Rules, graph: GraphId, from: NodeId) -> String {
    let layout = rules.layout();
    let info = &layout.graphs[graph.index()];
    let nodes: Vec<NodeId> = info.nodes.clone().map(NodeId).collect();
    let on_route = |a: NodeId, b: NodeId, cost: u16| {
        let (x, y) = (info.distance(from, a), info.distance(from, b));
        match (x, y) {
            (Some(x), Some(y)) => x.abs_diff(y) == cost,
            _ => false,
        }
    };
    let mut drawing = Drawing::of(rules, graph, FULL, |_| RADIUS);
    let places = drawing.places.clone();
    let edges = drawing.edges.clone();
    let mut lines = String::new();
    for (edge, (a, b)) in info.edges.iter().zip(&edges) {
        let class = match on_route(edge.a, edge.b, edge.cost) {
            true => "edge route",
            false => "edge",
        };
        let _ = writeln!(
            lines,
            "  <line class=\"{class}\" x1=\"{:.0}\" y1=\"{:.0}\" x2=\"{:.0}\" y2=\"{:.0}\"/>",
            a.0, a.1, b.0, b.1
        );
    }
    let mut names = String::new();
    for (node, place) in nodes.iter().zip(&places) {
        let title = &layout.nodes[node.index()].name.title;
        let wide = 9.6 * crate::repl::text::width(title) as f64 + 6.0;
        let (x, y) = drawing.label(*place, RADIUS, (wide, 2.0 * HALF_LINE));
        let _ = writeln!(
            names,
            "  <text class=\"name\" x=\"{x:.0}\" y=\"{y:.0}\">{}</text>",
            escape(title)
        );
    }
    let mut taken = drawing.taken;
    let mut costs = String::new();
    for (edge, (a, b)) in info.edges.iter().zip(&edges) {
        let class = match on_route(edge.a, edge.b, edge.cost) {
            true => "cost route",
            false => "cost",
        };
        let at = |part: f64| (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
        let parts = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75];
        let cost = |part: &f64| {
            let (x, y) = at(*part);
            let here = Taken::around(x, y, 26.0, 26.0);
            let overlaps: f64 = taken.iter().map(|other| here.overlap(other)).sum();
            overlaps + (part - 0.5).abs()
        };
        let best = parts
            .iter()
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .copied()
            .unwrap_or(0.5);
        let (x, y) = at(best);
        taken.push(Taken::around(x, y, 26.0, 26.0));
        let _ = writeln!(
            costs,
            "  <circle class=\"{class}\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"11\"/>\n  \
             <text class=\"{class}\" x=\"{x:.0}\" y=\"{y:.0}\">{}</text>",
            edge.cost
        );
    }
    let mut dots = String::new();
    for (node, (x, y)) in nodes.iter().zip(&places) {
        let class = if *node == from { "node start" } else { "node" };
        let total = match info.distance(from, *node) {
            Some(cost) => cost.to_string(),
            None => "-".to_owned(),
        };
        let _ = writeln!(
            dots,
            "  <circle class=\"{class}\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{RADIUS:.0}\"/>\n  \
             <text class=\"{class}\" x=\"{x:.0}\" y=\"{y:.0}\">{total}</text>"
        );
    }
    let start = &layout.nodes[from.index()].name.title;
    let heading = format!("{}: {}", rules.pack.title, info.name.title);
    let said: Vec<String> = sorted(layout, info, from)
        .into_iter()
        .filter_map(|(node, cost)| {
            Some(format!(
                "{} {}",
                layout.nodes[node.index()].name.title,
                cost?
            ))
        })
        .collect();
    let key = key(start);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {HEIGHT:.0}\" role=\"img\" \
         aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{}</title>\n\
         <desc id=\"desc\">Cheapest routes from {}: {}</desc>\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH:.0}\" height=\"{HEIGHT:.0}\"/>\n\
         <text class=\"heading\" x=\"24\" y=\"34\">{}</text>\n\
         <g>\n{lines}</g>\n<g>\n{costs}</g>\n<g>\n{dots}</g>\n<g>\n{names}</g>\n\
         <g>\n{key}</g>\n</svg>\n",
        escape(&heading),
        escape(start),
        escape(&said.join(", ")),
        escape(&heading),
    )
}

/// The legend, as far to the right as the name of the start wants.
fn key(start: &str) -> String {
    let y = HEIGHT - 24.0;
    let after = 58.0 + 8.2 * crate::repl::text::width(start) as f64 + 90.0;
    let mut key = format!(
        "  <circle class=\"node start\" cx=\"40\" cy=\"{y:.0}\" r=\"10\"/>\n  \
         <text class=\"key\" x=\"58\" y=\"{y:.0}\">start: {}</text>\n",
        escape(start)
    );
    let _ = write!(
        key,
        "  <circle class=\"node\" cx=\"{:.0}\" cy=\"{y:.0}\" r=\"12\"/>\n  \
         <text class=\"node key-number\" x=\"{:.0}\" y=\"{y:.0}\">n</text>\n  \
         <text class=\"key\" x=\"{:.0}\" y=\"{y:.0}\">cost of the cheapest route</text>\n",
        after,
        after,
        after + 20.0
    );
    for (class, x, text) in [
        ("edge route", after + 250.0, "on such a route"),
        ("edge", after + 440.0, "not on one"),
    ] {
        let _ = write!(
            key,
            "  <line class=\"{class}\" x1=\"{x:.0}\" y1=\"{y:.0}\" x2=\"{:.0}\" y2=\"{y:.0}\"/>\n  \
             <text class=\"key\" x=\"{:.0}\" y=\"{y:.0}\">{text}</text>\n",
            x + 40.0,
            x + 50.0
        );
    }
    key
}

/// Colours for light and dark surroundings.
const STYLE: &str = "\
  svg { --ground: #fbfaf7; --ink: #1d2733; --soft: #8a94a0; --line: #b9c1ca; --route: #1f6f8b; --start: #b4441f; --paper: #ffffff; }
  @media (prefers-color-scheme: dark) { svg { --ground: #14191f; --ink: #e8edf2; --soft: #8d99a6; --line: #46515d; --route: #63b8d6; --start: #f0845a; --paper: #1f272f; } }
  text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; font-size: 16px; fill: var(--ink); text-anchor: middle; dominant-baseline: central; }
  .ground { fill: var(--ground); }
  .heading { font-size: 22px; font-weight: 600; text-anchor: start; }
  .edge { stroke: var(--line); stroke-width: 2; stroke-dasharray: 6 5; }
  .edge.route { stroke: var(--route); stroke-width: 3; stroke-dasharray: none; }
  circle.cost { fill: var(--ground); }
  text.cost { font-size: 14px; fill: var(--soft); }
  text.cost.route { fill: var(--route); font-weight: 600; }
  circle.node { fill: var(--paper); stroke: var(--route); stroke-width: 3; }
  circle.start { fill: var(--start); stroke: var(--start); }
  text.node { font-weight: 600; }
  text.start { fill: var(--paper); }
  text.name { paint-order: stroke; stroke: var(--ground); stroke-width: 5px; stroke-linejoin: round; }
  .key { font-size: 14px; text-anchor: start; }
  .key-number { font-size: 13px; }
";

/// A text as XML has it.
fn escape(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            letter if letter.is_control() => " ".to_owned(),
            letter => letter.to_string(),
        })
        .collect()
}
