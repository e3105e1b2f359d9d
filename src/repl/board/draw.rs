//! Drawing panels.

use crate::script::{Rules, State};
use crate::table::ids::{GroupId, PlayerId, ZoneId};
use crate::table::layout::{Dimension, Domain};
use crate::table::view::Viewer;
use crate::table::{Case, Layout, Value};

use super::marks::{CHANGED, mark_changes, unmarked_width};
use super::words::Words;
use super::{Each, Form, Item, Panel, PanelKind, Source, View};
use crate::repl::text::{Line, Look, Paint, beside};

/// Columns of a block of cards, at least.
const CARD: usize = 38;
/// Columns between blocks.
const GAP: usize = 2;

/// A board, ready to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Board<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// How it is drawn.
    pub view: &'a View,
    /// Words about what lies there.
    pub words: Words<'a>,
    /// Words about what lay there before: what is not so any more is marked.
    pub before: Option<Words<'a>>,
    /// Who is asked, if anybody.
    pub asked: Option<PlayerId>,
    /// How it is to look.
    pub look: Look,
}

/// A value that an item shows, in parts that are not broken, and whether it is nothing to speak of.
struct Shown {
    parts: Vec<Line>,
    empty: bool,
}

impl<'a> Board<'a> {
    /// The board of a state as a viewer may see it.
    pub fn new(
        rules: &'a Rules,
        state: &'a State,
        view: &'a View,
        viewer: Viewer,
        look: Look,
    ) -> Self {
        Self {
            rules,
            view,
            words: Words::new(rules.layout(), &state.table, view, viewer),
            before: None,
            asked: state.run.ask.map(|ask| ask.player),
            look,
        }
    }

    /// All panels.
    pub fn all(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let header = self.header_with(|player| self.words.player_with_key(player));
        if !header.is_empty() {
            lines.push(header);
        }
        for panel in &self.view.panels {
            let drawn = self.panel(panel);
            if !drawn.is_empty() {
                if !lines.is_empty() {
                    lines.push(Line::new());
                }
                lines.extend(drawn);
            }
        }
        lines
    }

    /// One panel; nothing if it has nothing to show.
    pub fn panel(&self, panel: &Panel) -> Vec<Line> {
        let body = match panel.kind {
            PanelKind::List => self.block(&panel.show, &[], self.look.width.saturating_sub(2)),
            PanelKind::Grid(each) => self.grid(panel, &self.members(each)),
            PanelKind::Cards(each) => self.cards(panel, &self.members(each)),
            PanelKind::Map(graph) => self.map(panel, graph),
        };
        if body.is_empty() {
            return body;
        }
        let mut lines = Vec::new();
        if !panel.title.is_empty() {
            lines.push(Line::of(panel.title.clone(), Paint::Bold));
        }
        for line in body {
            let mut indented = Line::new();
            if !line.is_empty() {
                indented.push("  ", Paint::Plain);
                indented.append(line);
            }
            lines.push(indented);
        }
        lines
    }

    fn layout(&self) -> &'a Layout {
        self.words.layout
    }

    /// The members of what a panel shows one of for each.
    fn members(&self, each: Each) -> Vec<Value> {
        match each {
            Each::Selection(set) => self.layout().sets[set.index()].members.clone(),
            Each::Domain(Domain::Players) => (0..self.words.state.players)
                .map(|player| Value::from(PlayerId(player)))
                .collect(),
            Each::Domain(Domain::Groups(kind)) => {
                let info = &self.layout().group_kinds[kind.index()];
                info.groups
                    .clone()
                    .filter(|group| {
                        let cell = usize::from(info.alive + group - info.groups.start);
                        self.words.state.cells[cell] != 0
                    })
                    .map(|group| Value::from(GroupId(group)))
                    .collect()
            }
            Each::Domain(domain) => {
                let dimension = self.layout().dimension(domain);
                (0..dimension.size)
                    .map(|at| self.layout().value_of(domain, dimension.base + at))
                    .collect()
            }
        }
    }

    /// The cells of a family that an item shows: what is not fixed, and the position.
    fn cells(&self, dimensions: &[Dimension], fixed: &[Value]) -> Vec<(Option<Value>, u16)> {
        let mut cells: Vec<(Option<Value>, u16)> = vec![(None, 0)];
        for dimension in dimensions {
            let offset = fixed
                .iter()
                .find_map(|value| offset(self.layout(), dimension, *value))
                .or(match (dimension.domain, self.words.sight.viewer()) {
                    (Domain::Players, Viewer::Player(player)) => Some(u16::from(player.0)),
                    _ => None,
                });
            let size = match dimension.domain {
                Domain::Players => u16::from(self.words.state.players),
                _ => dimension.size,
            };
            let wanted = match offset {
                Some(offset) => offset..offset + 1,
                None => 0..size,
            };
            cells = cells
                .iter()
                .flat_map(|(free, position)| {
                    wanted.clone().map(move |at| {
                        let free = match offset {
                            Some(_) => *free,
                            None => Some(
                                self.layout()
                                    .value_of(dimension.domain, dimension.base + at),
                            ),
                        };
                        (free, position * dimension.size + at)
                    })
                })
                .collect();
        }
        cells
    }

    /// A block of lines, wrapped to a width.
    fn block(&self, show: &[Vec<Item>], fixed: &[Value], columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for items in show {
            let mut current = Line::new();
            for item in items {
                for (at, part) in self.item(item, fixed).into_iter().enumerate() {
                    let gap = if at == 0 { 2 } else { 1 };
                    if current.is_empty() {
                        current = part;
                    } else if current.width() + gap + part.width() <= columns {
                        current.push(" ".repeat(gap), Paint::Plain);
                        current.append(part);
                    } else {
                        lines.push(std::mem::take(&mut current));
                        if at > 0 {
                            current.push("  ", Paint::Plain);
                        }
                        current.append(part);
                    }
                }
            }
            if !current.is_empty() {
                lines.push(current);
            }
        }
        lines
            .into_iter()
            .flat_map(|line| line.fold(columns))
            .collect()
    }

    /// An item in parts that are not broken; no parts if it is left out.
    pub(super) fn item(&self, item: &Item, fixed: &[Value]) -> Vec<Line> {
        if let Source::Toggle(toggle) = item.source {
            let cells = self.cells(&self.layout().toggles[toggle.index()].dimensions, fixed);
            return cells
                .into_iter()
                .filter_map(|(_, at)| {
                    let on = self.words.sight.toggle(toggle, at)?;
                    let was = match self.before {
                        Some(before) => before.sight.toggle(toggle, at),
                        None => Some(on),
                    };
                    let mut line = self.toggle(item, on);
                    if was != Some(on) {
                        line.push(CHANGED, Paint::Bold);
                    }
                    (on || !item.sparse || was != Some(on)).then_some(line)
                })
                .collect();
        }
        let shown = self.shown(item, fixed);
        let earlier = self.earlier().map(|board| board.shown(item, fixed));
        if shown.empty && item.sparse && earlier.as_ref().is_none_or(|earlier| earlier.empty) {
            return Vec::new();
        }
        let mut parts = shown.parts;
        if parts.is_empty() {
            parts.push(Line::of("-", Paint::Dim));
        }
        if let Some(earlier) = earlier {
            mark_changes(&mut parts, &earlier.parts);
        }
        let mut first = Line::new();
        if !item.title.is_empty() {
            first.push(format!("{} ", item.title), Paint::Dim);
        }
        first.append(parts.remove(0));
        parts.insert(0, first);
        parts
    }

    fn toggle(&self, item: &Item, on: bool) -> Line {
        let mut line = Line::new();
        let (mark, paint) = match on {
            true => (self.look.either("■", "[x]"), Paint::Bold),
            false => (self.look.either("□", "[ ]"), Paint::Dim),
        };
        line.push(mark, paint);
        if !item.title.is_empty() {
            line.push(format!(" {}", item.title), paint);
        }
        line
    }

    /// What an item shows, without its title.
    fn shown(&self, item: &Item, fixed: &[Value]) -> Shown {
        let layout = self.layout();
        let dimensions = match item.source {
            Source::Zone(family) => &layout.zone_families[family.index()].dimensions,
            Source::Counter(family) => &layout.counters[family.index()].dimensions,
            Source::Dial(family) => &layout.dials[family.index()].dimensions,
            Source::Toggle(_) => {
                return Shown {
                    parts: Vec::new(),
                    empty: true,
                };
            }
            Source::Attribute(at) => return self.attribute(item, at, fixed),
        };
        let mut all = Shown {
            parts: Vec::new(),
            empty: true,
        };
        for (free, position) in self.cells(dimensions, fixed) {
            let mut one = self.one(item, position);
            let Some(free) = free else {
                return one;
            };
            if one.empty {
                continue;
            }
            if let Some(last) = all.parts.last_mut() {
                last.push(",", Paint::Plain);
            }
            let mut first = self.words.value(free);
            first.push(" ", Paint::Plain);
            first.append(one.parts.remove(0));
            all.parts.push(first);
            all.parts.extend(one.parts);
            all.empty = false;
        }
        all
    }

    fn attribute(&self, item: &Item, at: u16, fixed: &[Value]) -> Shown {
        let layout = self.layout();
        let attributes = match fixed.first().map(|first| first.case()) {
            Some(Case::Node(node)) => &layout.nodes[node.index()].attributes,
            Some(Case::Member(member)) => &layout.members[member.index()].attributes,
            Some(Case::Piece(piece)) => &self.words.state.info(layout, piece).attributes,
            _ => {
                return Shown {
                    parts: Vec::new(),
                    empty: true,
                };
            }
        };
        let value = attributes.get(usize::from(at)).copied().unwrap_or_default();
        self.value(item, value)
    }

    fn value(&self, item: &Item, value: Value) -> Shown {
        let empty = matches!(value.case(), Case::Unit | Case::Int(0) | Case::Bool(false));
        let mut line = Line::new();
        if value != Value::UNIT {
            line.push(item.before.clone(), Paint::Plain);
        }
        line.append(match value.case() {
            Case::Unit => Line::of("-", Paint::Dim),
            _ => self.words.value(value),
        });
        Shown {
            parts: vec![line],
            empty,
        }
    }

    /// What one cell or zone shows.
    fn one(&self, item: &Item, position: u16) -> Shown {
        let layout = self.layout();
        match item.source {
            Source::Zone(family) => {
                let zone = ZoneId(layout.zone_families[family.index()].base.0 + position);
                let len = self.words.sight.len(zone);
                if item.form == Form::Count {
                    return Shown {
                        parts: vec![Line::plain(format!("{}{len}", item.before))],
                        empty: len == 0,
                    };
                }
                let mut lying = self.words.lying(zone, item.form, item.from_top);
                lying.retain(|line| !line.is_empty());
                let last = lying.len().saturating_sub(1);
                for (at, line) in lying.iter_mut().enumerate() {
                    if at == 0 && !item.before.is_empty() {
                        let mut first = Line::plain(item.before.clone());
                        first.append(std::mem::take(line));
                        *line = first;
                    }
                    if at < last {
                        line.push(",", Paint::Plain);
                    }
                }
                Shown {
                    parts: lying,
                    empty: len == 0,
                }
            }
            Source::Counter(counter) => match self.words.sight.counter(counter, position) {
                Some(value) => self.value(item, value),
                None => Shown {
                    parts: vec![Line::of("hidden", Paint::Dim)],
                    empty: false,
                },
            },
            Source::Dial(dial) => {
                let family = &layout.dials[dial.index()];
                let Some(face) = self.words.sight.dial(dial, position) else {
                    return Shown {
                        parts: vec![Line::of("hidden", Paint::Dim)],
                        empty: false,
                    };
                };
                if item.form == Form::Count {
                    return self.value(item, Value::int(i64::from(face)));
                }
                let needle = self.words.state.cells[usize::from(family.base + position)];
                // The needle's brackets take the place of the spaces beside its face, so that nothing shifts.
                let mut line = Line::plain(item.before.clone());
                for (at, face) in family.faces.iter().enumerate() {
                    let at = at as i32;
                    let space = match (at == needle, at - 1 == needle) {
                        (true, _) => "[",
                        (_, true) => "]",
                        _ => " ",
                    };
                    line.push(space, Paint::Bold);
                    let paint = if at == needle {
                        Paint::Bold
                    } else {
                        Paint::Dim
                    };
                    line.push(face.to_string(), paint);
                }
                if needle + 1 == family.faces.len() as i32 {
                    line.push("]", Paint::Bold);
                }
                Shown {
                    parts: vec![line],
                    empty: needle == 0,
                }
            }
            Source::Toggle(_) | Source::Attribute(_) => Shown {
                parts: Vec::new(),
                empty: true,
            },
        }
    }

    /// A column for each member if they fit, else a line for each.
    fn grid(&self, panel: &Panel, members: &[Value]) -> Vec<Line> {
        if members.is_empty() {
            return Vec::new();
        }
        let items: Vec<&Item> = panel.show.iter().flatten().collect();
        let headings = items
            .iter()
            .map(|item| crate::repl::text::width(&item.title))
            .max()
            .unwrap_or(0);
        let stacks: Vec<Vec<Vec<Line>>> = items
            .iter()
            .map(|item| {
                members
                    .iter()
                    .map(|member| self.stack(item, *member))
                    .collect()
            })
            .collect();
        let titles: Vec<Line> = members
            .iter()
            .map(|member| self.words.value(*member))
            .collect();
        let widest = stacks
            .iter()
            .flatten()
            .flatten()
            .chain(&titles)
            .map(unmarked_width)
            .max()
            .unwrap_or(0)
            .max(6);
        let left = if headings > 0 { headings + GAP } else { 0 };
        let room = self.look.width.saturating_sub(2);
        if left + members.len() * (widest + 1) <= room + 1 {
            let column = (widest + GAP)
                .max(10)
                .min((room + 1 - left) / members.len());
            let mut lines = vec![row(&Line::new(), &titles, left, column)];
            for (item, stacks) in items.iter().zip(&stacks) {
                let height = stacks.iter().map(Vec::len).max().unwrap_or(0);
                for at in 0..height {
                    let cells: Vec<Line> = stacks
                        .iter()
                        .map(|stack| stack.get(at).cloned().unwrap_or_default())
                        .collect();
                    let heading = match at {
                        0 => Line::of(item.title.clone(), Paint::Dim),
                        _ => Line::new(),
                    };
                    lines.push(row(&heading, &cells, left, column));
                }
            }
            return lines;
        }
        let title = titles.iter().map(Line::width).max().unwrap_or(0);
        members
            .iter()
            .zip(titles)
            .flat_map(|(member, mut line)| {
                line.pad(title + GAP);
                let inner = room.saturating_sub(title + GAP);
                let mut drawn = self.block(&panel.show.concat_lines(), &[*member], inner);
                if drawn.is_empty() {
                    drawn.push(Line::of("-", Paint::Dim));
                }
                drawn
                    .into_iter()
                    .enumerate()
                    .map(|(at, part)| {
                        let mut whole = match at {
                            0 => line.clone(),
                            _ => Line::plain(" ".repeat(title + GAP)),
                        };
                        whole.append(part);
                        whole
                    })
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// The values of an item, one below the other, without its title.
    fn stack(&self, item: &Item, member: Value) -> Vec<Line> {
        let bare = Item {
            title: match item.source {
                Source::Toggle(_) => item.title.clone(),
                _ => String::new(),
            },
            ..item.clone()
        };
        let stack = self.item(&bare, &[member]);
        stack
            .into_iter()
            .map(|line| {
                // One below the other they need no commas.
                let text = line.width();
                let ends = line
                    .characters()
                    .last()
                    .is_some_and(|(last, _)| last == ',');
                if ends { line.cut(text - 1) } else { line }
            })
            .collect()
    }

    /// A block for each member, side by side.
    fn cards(&self, panel: &Panel, members: &[Value]) -> Vec<Line> {
        let room = self.look.width.saturating_sub(2);
        let across = ((room + GAP) / (CARD + GAP)).clamp(1, members.len().max(1));
        let columns = ((room + GAP) / across).saturating_sub(GAP);
        let blocks: Vec<Vec<Line>> = members
            .iter()
            .map(|member| {
                let mut heading = match member.case() {
                    Case::Player(player) => self.words.player_with_key(player),
                    _ => self.words.value(*member),
                };
                if self.asked.map(Value::from) == Some(*member) {
                    heading.push(
                        self.look.either(" ◂ to decide", " < to decide"),
                        Paint::Bold,
                    );
                }
                let mut block = vec![heading];
                block.extend(self.block(&panel.show, &[*member], columns));
                if let Some(first) = block.first_mut() {
                    first.pad(columns);
                }
                block
            })
            .collect();
        beside(blocks, GAP, room)
    }
}

/// The lines of a panel as one line.
trait ConcatLines {
    fn concat_lines(&self) -> Vec<Vec<Item>>;
}

impl ConcatLines for Vec<Vec<Item>> {
    fn concat_lines(&self) -> Vec<Vec<Item>> {
        vec![self.concat()]
    }
}

/// A heading and cells in columns.
fn row(heading: &Line, cells: &[Line], left: usize, column: usize) -> Line {
    let mut line = heading.clone();
    for (at, cell) in cells.iter().enumerate() {
        line.pad(left + at * column);
        // A mark may take the space between columns, so that it never changes how the board is laid out.
        line.append(match unmarked_width(cell) < cell.width() {
            true => cell.cut(column),
            false => cell.cut(column - 1),
        });
    }
    line
}

/// Where a value is in a dimension, if it belongs to it.
pub(in crate::repl) fn offset(layout: &Layout, dimension: &Dimension, value: Value) -> Option<u16> {
    (0..dimension.size).find(|at| layout.value_of(dimension.domain, dimension.base + at) == value)
}
