//! `yukon show`: what simulations count besides scores.

use super::show::Shown;
use crate::pack::model::Observed;

impl Shown<'_> {
    /// Statistics with what they count.
    pub(super) fn add_statistics(&mut self) {
        for statistic in &self.pack.statistics {
            let mut lines = vec![
                self.named("statistic", &statistic.name),
                self.observed(statistic.of),
                self.place(statistic.span),
            ];
            if !statistic.doc.is_empty() {
                lines.insert(1, statistic.doc.clone());
            }
            self.add("statistic", &statistic.name.id, lines);
        }
    }

    fn observed(&self, of: Observed) -> String {
        let layout = self.layout;
        match of {
            Observed::Counter(id) => {
                format!("rises of counter {}", layout.counters[id.index()].name.id)
            }
            Observed::Decision(id) => {
                let decision = &self.pack.decisions[id.index()].name.id;
                format!("what is chosen at decision {decision}")
            }
            Observed::Dial(id) => format!("steps of dial {}", layout.dials[id.index()].name.id),
            Observed::Tag(id) => {
                let tag = &layout.tags[id.index()];
                format!("steps of dials and toggles turned on that have tag {tag}")
            }
            Observed::Zone { zone, by_piece } => format!(
                "pieces that come into zone {}, by {}",
                layout.zone_families[zone.index()].name.id,
                if by_piece { "piece" } else { "place" }
            ),
            Observed::Noted(None) => "what scripts note".to_owned(),
            Observed::Noted(Some(of)) => format!("what scripts note, by {}", self.type_name(of)),
        }
    }
}
