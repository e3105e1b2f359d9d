//! Pieces with all their attributes: titles, keys, classes, and where they start.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Span};
use crate::table::chance::salt;
use crate::table::ids::{KindId, PieceId, ZoneId};
use crate::table::layout::{Domain, Holds, Name, PieceInfo};
use crate::table::value::{Case, Value};

use super::codes;
use super::fields::At;
use super::kinds::{KindDraft, PieceDraft};
use super::names::{Section, default_title};
use super::read::Reader;

/// A part of a template such as `{ATTRIBUTE} card`.
enum Part {
    Text(String),
    Attribute(usize),
}

/// What nobody can tell apart: kind, owner, attributes (as they print), key and title.
type Look = (KindId, Option<u8>, String, String, String);

impl<'a> Reader<'a> {
    /// Makes the layout's pieces from the drafts.
    pub(super) fn finish_pieces(&mut self) {
        let mut classes: BTreeMap<Look, u16> = BTreeMap::new();
        for (index, kind) in std::mem::take(&mut self.kind_drafts)
            .into_iter()
            .enumerate()
        {
            let key = kind.key.and_then(|key| self.template(index, key));
            let title = kind
                .piece_title
                .and_then(|title| self.template(index, title));
            let start = self.start_zone(index, &kind);
            let id = KindId::from_index(index);
            for piece in self.layout.kinds[index].pieces.clone() {
                let draft = self.drafts[usize::from(piece)].clone();
                let attributes = self.attributes_of(index, &draft);
                let fill = |parts: &[Part], titles| self.fill(parts, index, &attributes, titles);
                let given = draft.entry.and_then(|entry| self.entries[entry].title);
                let piece_title = match (given, &title) {
                    (Some(given), _) => given.to_owned(),
                    (None, Some(parts)) => fill(parts, true),
                    (None, None) => default_title(&draft.base),
                };
                let piece_key = match (&key, draft.owner) {
                    (Some(parts), _) => fill(parts, false),
                    (None, None) => draft.base.clone(),
                    (None, Some(_)) => draft.id.clone(),
                };
                let bad_key = piece_key.is_empty() || piece_key.contains(char::is_whitespace);
                if let (true, Some(template), true) = (bad_key, kind.key, key.is_some()) {
                    self.report.push(
                        Diagnostic::error(
                            codes::BAD_PLACEHOLDER,
                            template.span,
                            format!("the key of piece `{}` would be `{piece_key}`", draft.id),
                        )
                        .label("expected a key without spaces"),
                    );
                }
                let look = (
                    id,
                    draft.owner.map(|owner| owner.0),
                    format!("{attributes:?}"),
                    piece_key.clone(),
                    piece_title.clone(),
                );
                let next = classes.len() as u16;
                let class = *classes.entry(look).or_insert(next);
                let owner = draft.owner.map_or(0, |owner| u16::from(owner.0));
                let start = start.map_or(ZoneId(0), |(first, shared)| match shared {
                    true => first,
                    false => ZoneId(first.0 + owner),
                });
                self.layout.pieces.push(PieceInfo {
                    salt: salt(&format!(
                        "{}/{}",
                        self.layout.kinds[index].name.id, draft.id
                    )),
                    name: Name {
                        id: draft.id,
                        title: piece_title,
                    },
                    key: piece_key,
                    kind: id,
                    class,
                    attributes,
                    owner: draft.owner,
                    start,
                    face_down: kind.face_down,
                });
            }
            if start.is_some() {
                self.starts
                    .push((index, kind.start.map_or(kind.span, |at| at.span)));
            }
        }
        self.check_room();
        self.salt_zones();
    }

    /// The attributes of a piece: those of its entry, then those of the sets it was generated from.
    fn attributes_of(&self, kind: usize, draft: &PieceDraft) -> Vec<Value> {
        let decls = &self.kind_attributes[kind];
        let mut values = match draft.entry {
            Some(entry) => self.entries[entry].values.clone(),
            None => decls.iter().map(|decl| decl.default_value()).collect(),
        };
        for (attribute, value) in &draft.each {
            values[*attribute] = *value;
        }
        values
    }

    /// Takes a template apart; reports placeholders that name no attribute.
    fn template(&mut self, kind: usize, template: At<&str>) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut known_all = true;
        let mut rest = template.value;
        while let Some((before, after)) = rest.split_once('{') {
            parts.push(Part::Text(before.to_owned()));
            let Some((name, after)) = after.split_once('}') else {
                self.report.push(
                    Diagnostic::error(
                        codes::BAD_PLACEHOLDER,
                        template.span,
                        "a placeholder is not closed",
                    )
                    .label("expected `}` after `{`"),
                );
                return None;
            };
            let decls = &self.kind_attributes[kind];
            match decls.iter().position(|decl| decl.name == name) {
                Some(attribute) => parts.push(Part::Attribute(attribute)),
                None => {
                    known_all = false;
                    let id = At {
                        value: name,
                        span: template.span,
                    };
                    let known = decls.iter().map(|decl| decl.name.as_str());
                    let unknown = super::names::unknown("attribute", id, known);
                    self.report.push(Diagnostic {
                        code: codes::BAD_PLACEHOLDER,
                        ..unknown
                    });
                }
            }
            rest = after;
        }
        parts.push(Part::Text(rest.to_owned()));
        known_all.then_some(parts)
    }

    /// A template with its placeholders filled, with titles or with keys.
    fn fill(&self, parts: &[Part], kind: usize, values: &[Value], titles: bool) -> String {
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Attribute(attribute) => {
                    let holds = self.kind_attributes[kind][*attribute].holds;
                    let value = values[*attribute];
                    text.push_str(&match (holds, value.case()) {
                        (Holds::Text, Case::Int(index)) => {
                            self.layout.texts[index as usize].clone()
                        }
                        // Pieces are not in the layout yet while these are made.
                        (_, Case::Piece(PieceId(piece))) => {
                            self.drafts[usize::from(piece)].id.clone()
                        }
                        _ if titles => self.layout.title(value),
                        _ => self.layout.key(value),
                    });
                }
            }
        }
        text
    }

    /// The first zone of the family in which a kind starts, and whether it is shared by all players.
    fn start_zone(&mut self, kind: usize, draft: &KindDraft<'a>) -> Option<(ZoneId, bool)> {
        let start = draft.start?;
        let family = self.names.resolve(Section::Zone, start, &mut self.report)?;
        let info = &self.layout.kinds[kind];
        let zone = &self.layout.zone_families[family];
        let domains: Vec<Domain> = zone.dimensions.iter().map(|part| part.domain).collect();
        let fits = match domains.as_slice() {
            [] => true,
            [Domain::Players] => info.per_player,
            _ => false,
        };
        let problem = if !fits {
            Some(match info.per_player {
                true => "expected a shared zone, or one of each player",
                false => "expected a shared zone, one with `per = []`",
            })
        } else if zone.holds.is_some_and(|held| held.index() != kind) {
            Some("this zone holds another kind")
        } else if info.unlimited && zone.holds.is_none() {
            Some("an unlimited supply must say so: `holds` this kind")
        } else {
            None
        };
        if let Some(problem) = problem {
            let span = self.names.list(Section::Zone)[family].key;
            self.report.push(
                Diagnostic::error(
                    codes::START_ZONE,
                    start.span,
                    format!(
                        "the pieces of `{}` cannot start in `{}`",
                        info.name.id, start.value
                    ),
                )
                .label(problem)
                .other(span, "the zone is declared here"),
            );
            return None;
        }
        Some((zone.base, domains.is_empty()))
    }

    /// Reports zones in which more pieces start than fit.
    fn check_room(&mut self) {
        let starts: BTreeMap<usize, Span> = std::mem::take(&mut self.starts).into_iter().collect();
        let mut counts: BTreeMap<ZoneId, (u32, usize)> = BTreeMap::new();
        for piece in &self.layout.pieces {
            if starts.contains_key(&piece.kind.index()) {
                let count = counts.entry(piece.start).or_default();
                *count = (count.0 + 1, piece.kind.index());
            }
        }
        for (zone, (count, kind)) in counts {
            let Some(family) = self.layout.zones.get(zone.index()) else {
                continue;
            };
            let info = &self.layout.zone_families[family.index()];
            let Some(capacity) = info.capacity else {
                continue;
            };
            if count > u32::from(capacity) {
                let span = self.names.list(Section::Zone)[family.index()].key;
                self.report.push(
                    Diagnostic::error(
                        codes::OVERFULL,
                        starts[&kind],
                        format!("more pieces start in `{}` than fit", info.name.id),
                    )
                    .label(format!("{count} pieces start here"))
                    .other(span, format!("its capacity is {capacity}")),
                );
            }
        }
    }
}
