//! `yukon show`: abilities, the events they answer to, and what scoring terms count.

use super::show::Shown;
use crate::pack::model::Tally;
use crate::table::ids::AbilityId;

impl Shown<'_> {
    /// Whose ability something needs.
    pub(super) fn only_with(&self, ability: AbilityId) -> String {
        let ability = &self.pack.abilities[ability.index()];
        let layout = self.layout;
        format!(
            "while {} lies in {}",
            layout.pieces[ability.piece.index()].name.id,
            layout.zone_families[ability.zone.index()].name.id
        )
    }

    /// What a scoring term counts.
    pub(super) fn counted(&self, tally: &Tally) -> String {
        let family = &self.layout.zone_families[tally.zone.index()];
        let attribute = |at: usize| {
            let kind = family.holds.map(|kind| &self.layout.kinds[kind.index()]);
            kind.map_or("", |kind| {
                &self.layout.properties[kind.attributes[at].property.index()]
            })
        };
        let mut text = match tally.distinct {
            Some(at) => format!("for each different {} in {}", attribute(at), family.name.id),
            None => format!("for each in {}", family.name.id),
        };
        for (at, value) in &tally.with {
            let value = self.layout.key(*value);
            text.push_str(&format!(", {} {value}", attribute(*at)));
        }
        if let Some(which) = &tally.which {
            text.push_str(&format!(", if {}", which.text));
        }
        if tally.every > 1 {
            text.push_str(&format!(", {} counting as one", tally.every));
        }
        if tally.least > 0 {
            text.push_str(&format!(", at least {}", tally.least));
        }
        if tally.flat {
            text.push_str(", only once");
        }
        text
    }

    /// Events and abilities.
    pub(super) fn add_abilities(&mut self) {
        let pack = self.pack;
        for event in &pack.events {
            let line = self.named("event", &event.name);
            self.add("event", &event.name.id, vec![line]);
        }
        for (index, ability) in pack.abilities.iter().enumerate() {
            let id = AbilityId::from_index(index);
            let mut lines = vec![self.named("ability", &ability.name), self.only_with(id)];
            for modifier in pack.modifiers.iter().filter(|of| of.ability == Some(id)) {
                let parameter = &pack.parameters[modifier.parameter.index()].name.id;
                lines.push(format!("changes parameter {parameter}"));
            }
            for trigger in pack.triggers.iter().filter(|of| of.ability == id) {
                let event = &pack.events[trigger.event.index()].name.id;
                let mut line = format!("at {event}: {}", trigger.effect.code.text);
                if let Some(when) = &trigger.when {
                    line.push_str(&format!(", if {}", when.text));
                }
                lines.push(line);
            }
            for term in pack
                .scoring
                .terms
                .iter()
                .filter(|of| of.ability == Some(id))
            {
                let count = term.count.as_ref().map(|count| self.counted(count));
                let count = count.unwrap_or_default();
                lines.push(format!("at the end {} {count}", term.points.text));
            }
            lines.push(self.place(ability.span));
            self.add("ability", &ability.name.id, lines);
        }
    }
}
