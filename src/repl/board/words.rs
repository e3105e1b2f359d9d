//! Pieces and values in words, as a viewer may see them.

use crate::table::ids::{KindId, PieceId, PlayerId, ZoneId};
use crate::table::view::{Seen, View as Sight, Viewer};
use crate::table::{Case, Layout, TableState, Value};

use super::{Form, PaintBy, Part, PartValue, View};
use crate::repl::text::{Line, Paint};

/// Writes what lies on a table for a viewer.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// What the table is made of.
    pub layout: &'a Layout,
    /// The table.
    pub state: &'a TableState,
    /// How pieces are written.
    pub view: &'a View,
    /// What may be seen.
    pub sight: Sight<'a>,
}

impl<'a> Words<'a> {
    /// Words about a table for a viewer.
    pub fn new(layout: &'a Layout, state: &'a TableState, view: &'a View, viewer: Viewer) -> Self {
        Self {
            layout,
            state,
            view,
            sight: Sight::new(layout, state, viewer),
        }
    }

    /// The paint of a player.
    pub fn player_paint(&self, player: PlayerId) -> Paint {
        self.paint(&self.layout.key(Value::from(player)))
    }

    fn paint(&self, key: &str) -> Paint {
        match self.view.paints.get(key) {
            Some(colour) => Paint::In(*colour),
            None => Paint::Plain,
        }
    }

    /// A player's name.
    pub fn player(&self, player: PlayerId) -> Line {
        Line::of(
            self.layout.title(Value::from(player)),
            self.player_paint(player),
        )
    }

    /// A player's key, which paths and commands have, unless the name says it already.
    pub fn player_key(&self, player: PlayerId) -> Option<String> {
        let value = Value::from(player);
        let key = self.layout.key(value);
        let title = self.layout.title(value).to_lowercase().replace(' ', "_");
        (title != key).then_some(key)
    }

    /// A player's name, with the key that it stands for.
    pub fn player_with_key(&self, player: PlayerId) -> Line {
        let mut line = self.player(player);
        if let Some(key) = self.player_key(player) {
            line.push(format!(" ({key})"), Paint::Dim);
        }
        line
    }

    /// A piece that is known.
    pub fn known_piece(&self, piece: PieceId, form: Form) -> Line {
        let info = self.state.info(self.layout, piece);
        let style = self.view.pieces.get(&info.kind);
        let paint = match style.and_then(|style| style.paint) {
            None => Paint::Plain,
            Some(PaintBy::Owner) => info
                .owner
                .map_or(Paint::Plain, |owner| self.player_paint(owner)),
            Some(PaintBy::Attribute(at)) => match info.attributes.get(usize::from(at)) {
                Some(value) => self.paint(&self.layout.key(*value)),
                None => Paint::Plain,
            },
        };
        let parts = style.map(|style| match form {
            Form::Short if !style.short.is_empty() => &style.short,
            Form::Long if !style.long.is_empty() => &style.long,
            _ => &style.text,
        });
        let text = match parts {
            Some(parts) if !parts.is_empty() => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => text.clone(),
                    Part::Value(value, letters) => {
                        let text = self.part(piece, *value);
                        match letters {
                            Some(letters) => text.chars().take(*letters).collect(),
                            None => text,
                        }
                    }
                })
                .collect(),
            _ => info.name.title.clone(),
        };
        Line::of(text, paint)
    }

    /// A piece in words, with what lies in the zone that its kind is shown with.
    fn laden_piece(&self, piece: PieceId, form: Form) -> Line {
        let mut line = self.known_piece(piece, form);
        let info = self.state.info(self.layout, piece);
        let zone = self
            .view
            .pieces
            .get(&info.kind)
            .and_then(|style| style.with);
        let Some(family) = zone.map(|zone| &self.layout.zone_families[zone.index()]) else {
            return line;
        };
        let offset = family.dimensions[0].offset(piece.into());
        let zone = offset.map(|offset| ZoneId(family.base.0 + offset));
        for seen in zone.into_iter().flat_map(|zone| self.sight.zone(zone)) {
            line.push(" + ", Paint::Plain);
            line.append(match seen {
                Seen::Piece(piece) => self.known_piece(piece, Form::Short),
                Seen::Hidden(kind) => self.hidden_piece(kind),
            });
        }
        line
    }

    fn part(&self, piece: PieceId, value: PartValue) -> String {
        let info = self.state.info(self.layout, piece);
        match value {
            PartValue::Title => info.name.title.clone(),
            PartValue::Face => match self.sight.face(piece) {
                Some(face) if face > 0 => face.to_string(),
                _ => String::new(),
            },
            PartValue::Owner => info
                .owner
                .map_or(String::new(), |owner| self.layout.title(Value::from(owner))),
            PartValue::Attribute(at) => match info.attributes.get(usize::from(at)) {
                Some(value) => self.layout.title(*value),
                None => String::new(),
            },
        }
    }

    /// A piece of which only the kind is known.
    pub fn hidden_piece(&self, kind: KindId) -> Line {
        let called = self.view.pieces.get(&kind).map(|style| &style.hidden);
        Line::of(
            match called {
                Some(called) if !called.is_empty() => called.clone(),
                _ => self.layout.kinds[kind.index()].name.title.clone(),
            },
            Paint::Dim,
        )
    }

    /// A piece as the viewer sees it now.
    pub fn piece(&self, piece: PieceId, form: Form) -> Line {
        match self.sight.can_see(piece) {
            true => self.known_piece(piece, form),
            false => self.hidden_piece(self.state.info(self.layout, piece).kind),
        }
    }

    /// A value; what is hidden is named by its kind.
    pub fn value(&self, value: Value) -> Line {
        match value.case() {
            Case::Unit => Line::of("nothing", Paint::Dim),
            Case::Bool(true) => Line::plain("yes"),
            Case::Bool(false) => Line::plain("no"),
            Case::Player(player) => self.player(player),
            Case::Piece(piece) => self.piece(piece, Form::Text),
            Case::Member(_) => Line::of(
                self.layout.title(value),
                self.paint(&self.layout.key(value)),
            ),
            Case::Zone(zone) => Line::plain(self.zone(zone)),
            _ => Line::plain(self.layout.title(value)),
        }
    }

    /// The name of a zone: its family's title, with what it belongs to.
    pub fn zone(&self, zone: ZoneId) -> String {
        self.with_coordinates(
            &self.layout.family(zone).name.title,
            &self.layout.coordinates(zone),
        )
    }

    /// A title with what it belongs to.
    pub fn with_coordinates(&self, title: &str, coordinates: &[Value]) -> String {
        if coordinates.is_empty() {
            return title.to_owned();
        }
        let of: Vec<String> = coordinates
            .iter()
            .map(|value| self.layout.title(*value))
            .collect();
        format!("{title} ({})", of.join(", "))
    }

    /// What lies in a zone, equal ones together: "Red ×2".
    pub fn lying(&self, zone: ZoneId, form: Form, from_top: bool) -> Vec<Line> {
        let mut seen: Vec<Seen> = self.sight.zone(zone).collect();
        if from_top {
            seen.reverse();
        }
        let each = seen.into_iter().map(|seen| match seen {
            Seen::Piece(piece) if form == Form::Short => self.known_piece(piece, form),
            Seen::Piece(piece) => self.laden_piece(piece, form),
            Seen::Hidden(kind) => self.hidden_piece(kind),
        });
        match form {
            Form::Short => {
                let mut together = Line::new();
                for line in each {
                    together.append(line);
                }
                vec![together]
            }
            _ => counted(each.collect(), !self.layout.family(zone).ordered),
        }
    }
}

/// Equal lines together with how many they are: those that follow each other, or all.
pub(in crate::repl) fn counted(lines: Vec<Line>, all: bool) -> Vec<Line> {
    let mut groups: Vec<(Line, usize)> = Vec::new();
    for line in lines {
        let last = groups.len().saturating_sub(1);
        let same = groups
            .iter()
            .enumerate()
            .position(|(at, (known, _))| *known == line && (all || at == last));
        match same {
            Some(at) => groups[at].1 += 1,
            None => groups.push((line, 1)),
        }
    }
    groups
        .into_iter()
        .map(|(mut line, count)| {
            if count > 1 {
                line.push(format!(" ×{count}"), Paint::Plain);
            }
            line
        })
        .collect()
}
