//! A graph on a grid of characters: names at their places, edges as dots with their costs.

use crate::table::Value;
use crate::table::ids::{GraphId, NodeId};

use super::Panel;
use super::draw::Board;
use crate::repl::text::{Line, Paint};

/// Rows that a map takes at most.
const MOST_ROWS: usize = 40;
/// Rows that a map takes beyond those it needs.
const SPARE_ROWS: usize = 3;
/// Columns beyond which a map only gets thinner.
const MOST_COLUMNS: usize = 110;

/// A name with what lies there, and its place on the grid.
struct Label {
    node: NodeId,
    lines: Vec<Line>,
    left: usize,
    top: usize,
}

impl Label {
    fn width(&self) -> usize {
        self.lines.iter().map(Line::width).max().unwrap_or(0)
    }

    fn covers(&self, column: usize, row: usize) -> bool {
        row >= self.top
            && row < self.top + self.lines.len()
            && column + 1 >= self.left
            && column < self.left + self.width() + 1
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.top < other.top + other.lines.len()
            && other.top < self.top + self.lines.len()
            && self.left < other.left + other.width() + 2
            && other.left < self.left + self.width() + 2
    }

    fn centre(&self) -> (i32, i32) {
        (
            (self.left + self.width() / 2) as i32,
            (self.top + (self.lines.len() - 1) / 2) as i32,
        )
    }
}

impl Board<'_> {
    /// The nodes of a graph at their places; as a list if some have none, or if they do not fit.
    pub(super) fn map(&self, panel: &Panel, graph: GraphId) -> Vec<Line> {
        let layout = self.words.layout;
        let nodes: Vec<NodeId> = layout.graphs[graph.index()]
            .nodes
            .clone()
            .map(NodeId)
            .collect();
        let columns = self.look.width.saturating_sub(2).min(MOST_COLUMNS);
        let labels: Vec<(NodeId, Vec<Line>)> = nodes
            .iter()
            .map(|node| (*node, self.label(panel, *node)))
            .collect();
        // A little more room than needed, for the costs.
        let fewest = (columns / 5).min(2 * nodes.len()).clamp(8, MOST_ROWS);
        let placed = (fewest..=MOST_ROWS)
            .find(|rows| self.place(&labels, columns, *rows).is_some())
            .and_then(|rows| {
                (rows..=rows + SPARE_ROWS)
                    .rev()
                    .find_map(|rows| self.place(&labels, columns, rows))
            });
        match placed {
            Some((labels, rows)) => self.draw(graph, &labels, columns, rows),
            None => labels
                .into_iter()
                .map(|(_, lines)| {
                    let mut whole = Line::new();
                    for line in lines {
                        if !whole.is_empty() {
                            whole.push("  ", Paint::Plain);
                        }
                        whole.append(line);
                    }
                    whole
                })
                .collect(),
        }
    }

    /// The name of a node, and below it what lies there.
    fn label(&self, panel: &Panel, node: NodeId) -> Vec<Line> {
        let value = Value::from(node);
        let mut lines = vec![Line::of(self.words.layout.title(value), Paint::Bold)];
        for (at, items) in panel.show.iter().enumerate() {
            let mut line = Line::new();
            for part in items.iter().flat_map(|item| self.item(item, &[value])) {
                if !line.is_empty() {
                    line.push(" ", Paint::Plain);
                }
                line.append(part);
            }
            // What stands on the first line is written beside the name.
            if at == 0 && !line.is_empty() {
                lines[0].push(" ", Paint::Plain);
                lines[0].append(line);
            } else if !line.is_empty() {
                lines.push(line);
            }
        }
        lines
    }

    /// Places all labels in so many rows, if no two come too near.
    fn place(
        &self,
        labels: &[(NodeId, Vec<Line>)],
        columns: usize,
        rows: usize,
    ) -> Option<(Vec<Label>, usize)> {
        let mut placed: Vec<Label> = Vec::new();
        for (node, lines) in labels {
            let (x, y) = self.words.layout.nodes[node.index()].at?;
            let mut label = Label {
                node: *node,
                lines: lines.clone(),
                left: 0,
                top: 0,
            };
            let (wide, high) = (label.width(), label.lines.len());
            if wide > columns || high > rows {
                return None;
            }
            let centre = usize::from(x) * columns / 100;
            label.left = centre.saturating_sub(wide / 2).min(columns - wide);
            label.top = (usize::from(y) * rows / 100)
                .saturating_sub(high / 2)
                .min(rows - high);
            if placed.iter().any(|other| other.overlaps(&label)) {
                return None;
            }
            placed.push(label);
        }
        Some((placed, rows))
    }

    fn draw(&self, graph: GraphId, labels: &[Label], columns: usize, rows: usize) -> Vec<Line> {
        let mut grid: Vec<Vec<(char, Paint)>> = vec![vec![(' ', Paint::Plain); columns]; rows];
        let info = &self.words.layout.graphs[graph.index()];
        let dot = if self.look.unicode { '·' } else { '.' };
        let mut costs: Vec<(usize, usize, String)> = Vec::new();
        for edge in &info.edges {
            let ends = labels
                .iter()
                .find(|label| label.node == edge.a)
                .zip(labels.iter().find(|label| label.node == edge.b));
            let Some((a, b)) = ends else { continue };
            let free: Vec<(usize, usize)> = walk(a.centre(), b.centre())
                .into_iter()
                .filter(|(column, row)| !labels.iter().any(|label| label.covers(*column, *row)))
                .collect();
            for (column, row) in &free {
                grid[*row][*column] = (dot, Paint::Dim);
            }
            let cost = edge.cost.to_string();
            let middle = free.len() / 2;
            let mut order: Vec<usize> = (0..free.len()).collect();
            order.sort_by_key(|at| at.abs_diff(middle));
            let fits = |(column, row): &(usize, usize)| {
                column + cost.len() <= columns
                    && !costs.iter().any(|(left, top, _)| {
                        row.abs_diff(*top) <= 1 && column.abs_diff(*left) <= 2
                    })
            };
            // A cost right beside a name would be read as part of it.
            let apart = |(column, row): &(usize, usize)| {
                let near = [column.saturating_sub(2), *column, column + cost.len() + 1];
                !labels
                    .iter()
                    .any(|label| near.iter().any(|column| label.covers(*column, *row)))
            };
            let places = || order.iter().map(|at| free[*at]).filter(fits);
            let place = places().find(apart).or_else(|| places().next());
            if let Some((column, row)) = place {
                costs.push((column, row, cost));
            }
        }
        for (left, top, cost) in &costs {
            for (at, digit) in cost.chars().enumerate() {
                grid[*top][left + at] = (digit, Paint::Plain);
            }
        }
        for label in labels {
            for (down, line) in label.lines.iter().enumerate() {
                for (along, cell) in line.characters().enumerate() {
                    if let Some(place) = grid[label.top + down].get_mut(label.left + along) {
                        *place = cell;
                    }
                }
            }
        }
        let mut lines: Vec<Line> = grid.into_iter().map(collect).collect();
        while lines.last().is_some_and(Line::is_empty) {
            lines.pop();
        }
        let first = lines.iter().take_while(|line| line.is_empty()).count();
        lines.split_off(first)
    }
}

/// Characters as a line.
fn collect(cells: Vec<(char, Paint)>) -> Line {
    let mut line = Line::new();
    let mut text = String::new();
    let mut paint = Paint::Plain;
    for (character, wanted) in cells {
        if wanted != paint {
            line.push(std::mem::take(&mut text), paint);
            paint = wanted;
        }
        text.push(character);
    }
    line.push(text.trim_end().to_owned(), paint);
    line
}

/// Cells from one place to another, on flat ways only every other one.
fn walk(from: (i32, i32), to: (i32, i32)) -> Vec<(usize, usize)> {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    // A row is about as high as two columns are wide.
    let steps = (across.abs() / 2).max(down.abs()).max(1);
    (0..=steps)
        .map(|step| {
            let at = |start: i32, way: i32| {
                let place = start + (way * step * 2 + steps).div_euclid(steps * 2);
                place.max(0) as usize
            };
            (at(from.0, across), at(from.1, down))
        })
        .collect()
}
