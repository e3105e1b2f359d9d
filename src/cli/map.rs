//! `yukon map`.

use clap::ValueEnum;

use super::load::{PackArgs, need};
use super::map_svg::svg;
use super::output::look;
use super::{Failure, print};
use crate::diag::nearest;
use crate::repl::text::width;
use crate::script::Rules;
use crate::table::Layout;
use crate::table::ids::{GraphId, NodeId};
use crate::table::layout::{GraphInfo, Name};

/// Shows a graph with the cheapest routes from a node
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pack: PackArgs,

    /// The node to start from, by id or title [default: the first of the graph]
    #[arg(long)]
    from: Option<String>,

    /// Which graph, if there are several [default: the one of `--from`, or `map`, or the largest]
    #[arg(long)]
    graph: Option<String>,

    /// How it is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table with the routes spelled out
    Text,
    /// For each other node its name, a tab and the cost; the cheapest first
    Tsv,
    /// A drawing
    Svg,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (rules, _) = need(&args.pack)?;
    let (graph, from) = choose(args, &rules).map_err(Failure::Message)?;
    let text = match args.format {
        Format::Text => text(&rules, graph, from),
        Format::Tsv => tsv(&rules, graph, from),
        Format::Svg => svg(&rules, graph, from),
    };
    Ok(print(&text)?)
}

/// Whether a name is meant, by id or title.
fn is(name: &Name, written: &str) -> bool {
    let written = written.trim().to_lowercase();
    name.id.to_lowercase() == written || name.title.to_lowercase() == written
}

fn unknown<'n>(what: &str, written: &str, names: impl Iterator<Item = &'n Name>) -> String {
    let names: Vec<&Name> = names.collect();
    let near = nearest(
        written,
        names
            .iter()
            .flat_map(|name| [name.title.as_str(), name.id.as_str()]),
    );
    match near {
        Some(near) => format!("there is no {what} `{written}`; did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = names.iter().map(|name| name.title.as_str()).collect();
            format!(
                "there is no {what} `{written}`; there are {}",
                all.join(", ")
            )
        }
    }
}

/// The graph and the node that are meant.
fn choose(args: &Args, rules: &Rules) -> Result<(GraphId, NodeId), String> {
    let layout = rules.layout();
    if layout.graphs.is_empty() {
        return Err(format!("{} has no graph", rules.pack.title));
    }
    let mut graph = match &args.graph {
        None => None,
        Some(written) => Some(
            layout
                .graphs
                .iter()
                .position(|graph| is(&graph.name, written))
                .ok_or_else(|| {
                    unknown(
                        "graph",
                        written,
                        layout.graphs.iter().map(|graph| &graph.name),
                    )
                })?,
        ),
    };
    let mut from = None;
    if let Some(written) = &args.from {
        let wanted = |node: &usize| {
            let info = &layout.nodes[*node];
            is(&info.name, written) && graph.is_none_or(|graph| info.graph.index() == graph)
        };
        let found = (0..layout.nodes.len()).find(wanted).ok_or_else(|| {
            let nodes = layout
                .nodes
                .iter()
                .filter(|node| graph.is_none_or(|graph| node.graph.index() == graph));
            unknown("node", written, nodes.map(|node| &node.name))
        })?;
        graph = Some(layout.nodes[found].graph.index());
        from = Some(NodeId::from_index(found));
    }
    let graph = graph
        .or_else(|| {
            layout
                .graphs
                .iter()
                .position(|graph| graph.name.id == "map")
        })
        .or_else(|| (0..layout.graphs.len()).max_by_key(|at| layout.graphs[*at].nodes.len()))
        .unwrap_or(0);
    let info = &layout.graphs[graph];
    // Without a wish the node from which the most can be reached at the least cost is the centre.
    let from = from.or_else(|| {
        info.nodes.clone().map(NodeId).min_by_key(|node| {
            info.nodes
                .clone()
                .map(|to| {
                    info.distance(*node, NodeId(to))
                        .map_or(u32::MAX / 1000, u32::from)
                })
                .sum::<u32>()
        })
    });
    match from {
        Some(from) => Ok((GraphId::from_index(graph), from)),
        None => Err(format!("graph `{}` has no nodes", info.name.id)),
    }
}

/// The other nodes with their costs, the cheapest first and then by name; those out of reach last.
pub(super) fn sorted(
    layout: &Layout,
    info: &GraphInfo,
    from: NodeId,
) -> Vec<(NodeId, Option<u16>)> {
    let mut others: Vec<(NodeId, Option<u16>)> = info
        .nodes
        .clone()
        .map(NodeId)
        .filter(|node| *node != from)
        .map(|node| (node, info.distance(from, node)))
        .collect();
    others.sort_by_key(|(node, cost)| {
        (
            cost.unwrap_or(u16::MAX),
            layout.nodes[node.index()].name.title.clone(),
        )
    });
    others
}

fn tsv(rules: &Rules, graph: GraphId, from: NodeId) -> String {
    let layout = rules.layout();
    let info = &layout.graphs[graph.index()];
    sorted(layout, info, from)
        .into_iter()
        .filter_map(|(node, cost)| Some((node, cost?)))
        .map(|(node, cost)| format!("{}\t{cost}\n", layout.nodes[node.index()].name.title))
        .collect()
}

fn text(rules: &Rules, graph: GraphId, from: NodeId) -> String {
    let layout = rules.layout();
    let info = &layout.graphs[graph.index()];
    let title = |node: NodeId| layout.nodes[node.index()].name.title.as_str();
    let arrow = if look(false, None).unicode {
        "→"
    } else {
        ">"
    };
    let others = sorted(layout, info, from);
    let widest = others
        .iter()
        .map(|(node, _)| width(title(*node)))
        .max()
        .unwrap_or(0)
        .max(2);
    let mut text = format!(
        "{}: {}, cheapest routes from {}\n\n{:<widest$}  cost  route\n",
        rules.pack.title,
        info.name.title,
        title(from),
        "to"
    );
    for (node, cost) in others {
        let name = title(node);
        let gap = " ".repeat(widest - width(name));
        let Some(cost) = cost else {
            text.push_str(&format!("{name}{gap}     -  out of reach\n"));
            continue;
        };
        let route: Vec<String> = info
            .route(from, node)
            .unwrap_or_default()
            .windows(2)
            .map(|step| {
                let paid = info.distance(step[0], step[1]).unwrap_or(0);
                format!("{arrow} {} {paid}", title(step[1]))
            })
            .collect();
        text.push_str(&format!("{name}{gap}  {cost:>4}  {}\n", route.join(" ")));
    }
    text
}
