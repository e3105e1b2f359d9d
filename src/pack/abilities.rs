//! Abilities: what a player has while a piece lies in a zone of theirs; and the events they answer to.

use crate::diag::Diagnostic;
use crate::table::ids::{AbilityId, EventId, PieceId, ZoneFamilyId};
use crate::table::layout::{Domain, Name};
use crate::table::value::Case;

use super::codes;
use super::doc::Item;
use super::fields::{Fields, wrong_type};
use super::keys::{self, Keys};
use super::model::{Ability, EffectRef, EventInfo, Modifier, Trigger};
use super::names::{Declared, Section};
use super::read::Reader;
use super::scoring::Ordered;

/// What abilities can do.
const DEEDS: [&str; 3] = ["modify", "trigger", "score"];

/// All abilities, and what they do.
#[derive(Debug, Default)]
pub(super) struct Abilities {
    pub(super) abilities: Vec<Ability>,
    pub(super) modifiers: Vec<Modifier>,
    pub(super) triggers: Vec<Trigger>,
    pub(super) terms: Vec<Ordered>,
}

impl<'a> Reader<'a> {
    /// Reads what can happen.
    pub(super) fn read_events(&mut self) -> Vec<EventInfo> {
        let mut events = Vec::new();
        for declared in self.names.list(Section::Event).to_vec() {
            let mut fields = self.fields(Section::Event, declared);
            let path = format!("event.{}", declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            fields.finish(&mut self.report);
            events.push(EventInfo {
                name,
                span: declared.key,
            });
        }
        events
    }

    /// Reads abilities.
    pub(super) fn read_abilities(&mut self) -> Abilities {
        let mut given = Abilities::default();
        for (index, declared) in self
            .names
            .list(Section::Ability)
            .to_vec()
            .into_iter()
            .enumerate()
        {
            self.read_ability(AbilityId::from_index(index), declared, &mut given);
        }
        given
    }

    fn read_ability(&mut self, id: AbilityId, declared: Declared<'a>, given: &mut Abilities) {
        let mut fields = self.fields(Section::Ability, declared);
        let path = format!("ability.{}", declared.id);
        let (mut name, provenance) = self.common(&mut fields, &path, Some(declared.id));
        let holder = self.read_holder(&mut fields);
        if let Some((piece, _)) = holder
            && !fields.has("title")
        {
            name.title = self.layout.pieces[piece.index()].name.title.clone();
        }
        let (piece, zone) = holder.unwrap_or((PieceId(0), ZoneFamilyId(0)));
        given.abilities.push(Ability {
            name: name.clone(),
            piece,
            zone,
            span: declared.key,
        });
        for mut own in self.deeds(&mut fields, "modify", &keys::MODIFY) {
            let about = (name.clone(), provenance, own.span);
            let modifier = self.read_modifier(&mut own, about, Some(id));
            given.modifiers.extend(modifier);
        }
        for mut own in self.deeds(&mut fields, "trigger", &keys::TRIGGER) {
            let trigger = self.read_trigger(&mut own, id);
            given.triggers.extend(trigger);
        }
        for mut own in self.deeds(&mut fields, "score", &keys::ABILITY_SCORE) {
            let about = (name.clone(), own.span);
            let term = self.read_term(&mut own, Section::Score, about, Some(id));
            given.terms.extend(term);
        }
        self.check_deeds(&fields, declared, &name);
        fields.finish(&mut self.report);
    }

    /// Reports an ability that does nothing, and one whose id other terms or modifiers have: whoever
    /// reads of it could not tell which is meant.
    fn check_deeds(&mut self, fields: &Fields<'a>, declared: Declared<'a>, name: &Name) {
        if !DEEDS.iter().any(|key| fields.has(key)) {
            self.report.push(
                Diagnostic::error(
                    codes::EXACTLY_ONE,
                    declared.key,
                    format!("{} does nothing", fields.what),
                )
                .label("expected `modify`, `trigger` or `score`"),
            );
        }
        for (key, section) in [("modify", Section::Modifier), ("score", Section::Score)] {
            let other = self.names.find(section, &name.id);
            if let (true, Some(other)) = (fields.has(key), other) {
                let other = self.names.list(section)[other].key;
                self.report.push(
                    Diagnostic::error(
                        codes::ID_TWICE,
                        declared.key,
                        format!("two things are called `{}`", name.id),
                    )
                    .label("called so again here")
                    .other(other, "called so here"),
                );
            }
        }
    }

    /// The piece that gives an ability, and the zone in which it does.
    fn read_holder(&mut self, fields: &mut Fields<'a>) -> Option<(PieceId, ZoneFamilyId)> {
        let piece = fields.need_text("piece", &mut self.report);
        let zone = fields.need_text("zone", &mut self.report)?;
        let family = self.names.resolve(Section::Zone, zone, &mut self.report)?;
        let info = &self.layout.zone_families[family];
        let domains: Vec<Domain> = info.dimensions.iter().map(|of| of.domain).collect();
        let problem = match (domains.as_slice(), info.holds) {
            ([Domain::Players], Some(_)) => None,
            ([Domain::Players], None) => Some("expected a zone that `holds` one kind"),
            _ => Some("expected a zone with `per = [\"player\"]`"),
        };
        if let Some(problem) = problem {
            self.report.push(
                Diagnostic::error(
                    codes::ABILITY_ZONE,
                    zone.span,
                    format!("no piece in `{}` can give an ability", zone.value),
                )
                .label(problem),
            );
            return None;
        }
        match self.member_named(Domain::Kind(info.holds?), piece?)?.case() {
            Case::Piece(piece) => Some((piece, ZoneFamilyId::from_index(family))),
            _ => None,
        }
    }

    /// The tables of a key that holds one table or a list of them.
    fn deeds(
        &mut self,
        fields: &mut Fields<'a>,
        key: &'static str,
        keys: &'static Keys,
    ) -> Vec<Fields<'a>> {
        let what = format!("`{key}` of {}", fields.what);
        let Some(node) = fields.node(key) else {
            return Vec::new();
        };
        let nodes = match &node.item {
            Item::List(list) => list.as_slice(),
            Item::Table(_) => std::slice::from_ref(node),
            _ => {
                wrong_type(
                    &mut self.report,
                    &what,
                    "a table, or a list of tables",
                    node,
                );
                return Vec::new();
            }
        };
        nodes
            .iter()
            .filter_map(|node| Fields::of(what.as_str(), node.span, node, keys, &mut self.report))
            .collect()
    }

    fn read_trigger(&mut self, fields: &mut Fields<'a>, ability: AbilityId) -> Option<Trigger> {
        let on = fields.need_text("on", &mut self.report);
        let event = on.and_then(|on| self.names.resolve(Section::Event, on, &mut self.report));
        let when = fields.snippet("when", self.sources, &mut self.report);
        let code = fields.snippet("effect", self.sources, &mut self.report);
        fields.finish(&mut self.report);
        Some(Trigger {
            ability,
            event: EventId::from_index(event?),
            when,
            effect: EffectRef {
                code: code?,
                parameters: vec!["me".to_owned(), "subject".to_owned()],
            },
        })
    }
}
