//! Golden transcripts: what a game gave, decision by decision, for people to read in a diff.
//!
//! A line never holds a path, a version, a hash, the number of an id, a time, or an order that comes from a
//! seed: equal things are counted and sorted, and a shuffle says only that it happened.

use std::collections::BTreeMap;

use crate::diag::count;
use crate::flow::item::{piece_word, shown_piece, zone_path};
use crate::flow::listing::counted;
use crate::flow::story::{Happened, story};
use crate::flow::{Game, Item, ItemValue, Step, Written, scores};
use crate::script::code::AskKind;
use crate::script::fault::describe_position;
use crate::script::{Rules, Scratch, State};
use crate::table::ids::{BlockId, PieceId, PlayerId};
use crate::table::layout::{Layout, Scope};
use crate::table::{Case, Event, TableState, Value};

/// Longer lines are continued.
const WIDTH: usize = 110;

/// The refused choice of an event with the reason and its numbers, if it is a refusal.
pub fn refusal(rules: &Rules, state: &State, event: &Event) -> Option<(String, String)> {
    let Event::Refused {
        parts,
        reason,
        numbers,
    } = event
    else {
        return None;
    };
    let layout = rules.layout();
    let key = |value: &Value| match value.case() {
        Case::Piece(piece) => piece_word(layout, &state.table, piece),
        _ => layout.key(*value),
    };
    let keys: Vec<String> = parts.iter().map(key).collect();
    let mut words = vec![rules.pack.reasons[reason.index()].name.id.clone()];
    words.extend(numbers.iter().map(key));
    Some((keys.join(" "), words.join(" ")))
}

/// The transcript of a game.
pub fn transcript(title: &str, game: &Game) -> String {
    let rules = &game.rules;
    let mut writer = Writer {
        layout: rules.layout(),
        rules,
        text: String::new(),
        place: None,
    };
    writer.line(title);
    let players = count(game.setup.players, "player");
    let mut about = format!("{}, {players}", rules.pack.id);
    for variant in &rules.pack.variants {
        about.push_str(&format!(", variant {}", variant.id));
    }
    for (name, value) in &rules.pack.changed {
        about.push_str(&format!(", {name} = {value}"));
    }
    writer.line(&about);
    // What the set-up of a start elsewhere did is not told: the table was arranged after it.
    let (begun, told) = match game.set_up() {
        None => (0, &game.opening[..]),
        Some(set_up) => {
            let events = match set_up.answers.checked_sub(1) {
                Some(last) => &game.history[last].events,
                None => &game.opening,
            };
            (set_up.answers, &events[set_up.events.min(events.len())..])
        }
    };
    let first = match game.history.get(begun) {
        Some(step) => &step.before,
        None => &game.state,
    };
    if !told.is_empty() {
        let before = writer.text.len();
        let heading = "\n== before the first decision\n";
        writer.text.push_str(heading);
        writer.events(told, &first.table);
        if writer.text.len() == before + heading.len() {
            writer.text.truncate(before);
        }
    }
    let mut changes = game.interventions.iter().peekable();
    for (index, step) in game.history.iter().enumerate().skip(begun) {
        while let Some(change) = changes.next_if(|change| change.at == index) {
            writer.change(change.settings.as_slice());
        }
        let after = game
            .history
            .get(index + 1)
            .map_or(&game.state, |next| &next.before);
        writer.step(step, after);
    }
    for change in changes {
        writer.change(change.settings.as_slice());
    }
    writer.end(game);
    writer.text
}

struct Writer<'a> {
    layout: &'a Layout,
    rules: &'a Rules,
    text: String,
    /// Round and phase of the last heading.
    place: Option<(u16, Option<BlockId>)>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A list under a word, continued on further lines where it is long.
    fn list(&mut self, word: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        let mut line = format!("  {word:<9}");
        let mut begun = false;
        for (index, item) in items.iter().enumerate() {
            let comma = if index + 1 < items.len() { "," } else { "" };
            if begun && line.chars().count() + item.chars().count() + 2 > WIDTH {
                self.line(&line);
                line = " ".repeat(11);
                begun = false;
            }
            if begun {
                line.push(' ');
            }
            line.push_str(item);
            line.push_str(comma);
            begun = true;
        }
        self.line(&line);
    }

    fn heading(&mut self, round: u16, phase: Option<BlockId>) {
        if self.place == Some((round, phase)) {
            return;
        }
        self.place = Some((round, phase));
        let phase = phase.map(|block| self.rules.pack.blocks[block.index()].name.id.as_str());
        let text = match (round, phase) {
            (0, None) => "== before the first round".to_owned(),
            (0, Some(phase)) => format!("== {phase}"),
            (round, None) => format!("== round {round}"),
            (round, Some(phase)) => format!("== round {round}, {phase}"),
        };
        self.text.push('\n');
        self.line(&text);
    }

    fn change(&mut self, settings: &[crate::flow::Setting]) {
        self.text.push('\n');
        let items: Vec<String> = settings
            .iter()
            .map(|setting| format!("{} = {}", setting.item, setting.value))
            .collect();
        self.line("changed from outside");
        self.list("set", &items);
    }

    fn asked(&mut self, state: &State, player: PlayerId, decision: &str) {
        let position = &state.table.position;
        self.heading(position.round, position.phase);
        let step = match position.step {
            Some(step) => self.rules.program.functions[step.index()].name.clone(),
            None => describe_position(self.rules, state),
        };
        self.text.push('\n');
        let player = self.layout.key(Value::from(player));
        self.line(&format!("{player}.{decision}  ({step})"));
    }

    fn step(&mut self, step: &Step, after: &State) {
        self.asked(&step.before, step.decision.player, &step.decision.key);
        self.offers(&step.decision, &step.notices, &step.before);
        let written = match step.decision.write(&step.answer) {
            Written::Some(texts) if step.decision.kind == AskKind::Texts => {
                let texts: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
                self.list("answer", &texts);
                self.events(&step.events, &after.table);
                return;
            }
            Written::Confirm(_) if step.decision.kind == AskKind::Texts => {
                "given without words".to_owned()
            }
            Written::Some(mut keys) => {
                keys.sort();
                counted(keys).join(", ")
            }
            other => other.to_string(),
        };
        let written = if written.is_empty() {
            "nothing".to_owned()
        } else {
            written
        };
        let forced = if step.forced { "  (forced)" } else { "" };
        self.line(&format!("  {:<9}{written}{forced}", "answer"));
        self.events(&step.events, &after.table);
    }

    fn offers(&mut self, decision: &crate::flow::Decision, notices: &[Event], before: &State) {
        let mut keys: Vec<String> = decision
            .choices
            .iter()
            .map(|choice| match choice.count {
                1 => choice.key.clone(),
                count => format!("{} x{count}", choice.key),
            })
            .collect();
        // Offers stand in the order of the script, and hands in the order of their pieces: both are fixed,
        // but equal pieces may stand anywhere among the others.
        keys.sort();
        match decision.kind {
            AskKind::Confirm => keys = vec!["yes".to_owned(), "no".to_owned()],
            AskKind::Number => keys = vec![format!("{} to {}", decision.least, decision.most)],
            AskKind::Texts => keys = vec![decision.texts_in_words()],
            _ => {}
        }
        self.list("offered", &keys);
        if decision.kind == AskKind::Some {
            let mut many = match (decision.least, decision.most) {
                (least, most) if least == most => format!("{least}"),
                (least, most) => format!("{least} to {most}"),
            };
            if let Some(distinct) = decision.distinct_in_words() {
                many.push_str(&format!(", {distinct}"));
            }
            self.list("how many", &[many]);
        }
        let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for event in notices {
            if let Some((key, reason)) = refusal(self.rules, before, event) {
                refused.entry(reason).or_default().push(key);
            }
        }
        for (reason, mut keys) in refused {
            keys.sort();
            let mut keys = counted(keys);
            keys[0] = format!("{reason}: {}", keys[0]);
            self.list("refused", &keys);
        }
    }

    /// What happened: chance, movements, numbers.
    fn events(&mut self, events: &[Event], after: &TableState) {
        let layout = self.layout;
        let mut rolls = Vec::new();
        let mut moves: Vec<String> = Vec::new();
        let mut cells: Vec<(Item, ItemValue)> = Vec::new();
        let mut lines: Vec<(&str, String)> = Vec::new();
        for happened in story(layout, events) {
            match happened {
                Happened::Rolled(piece, face) => {
                    rolls.push(format!("{} {face}", piece_word(layout, after, piece)));
                }
                Happened::Set(piece, face) => {
                    let word = piece_word(layout, after, piece);
                    lines.push(("set", format!("{word}.face {face}")));
                }
                Happened::Shuffled(zone, _) => lines.push(("shuffled", zone_path(layout, zone))),
                Happened::Picked(stream, value) => {
                    let key = self.value(after, value);
                    let name = &layout.streams[stream.index()].0;
                    lines.push(("picked", format!("{name} {key}")));
                }
                Happened::Moved { from, to, pieces } => {
                    let word = |(piece, face_down): &(PieceId, bool)| {
                        let word = piece_word(layout, after, *piece);
                        if *face_down { format!("~{word}") } else { word }
                    };
                    let mut words: Vec<String> = pieces.iter().map(word).collect();
                    if !layout.family(to).ordered {
                        words.sort();
                    }
                    moves.push(format!(
                        "{}: {} -> {}",
                        counted(words).join(", "),
                        zone_path(layout, from),
                        zone_path(layout, to)
                    ));
                }
                Happened::Turned(piece, _) => {
                    lines.push(("turned", shown_piece(layout, after, piece)));
                }
                Happened::Changed { item, from, .. } => {
                    cells.push((item, item.of_cell(layout, after, from)));
                }
                Happened::Formed(group) => {
                    lines.push(("formed", layout.key(Value::from(group))));
                }
                Happened::Ceased(group) => {
                    lines.push(("ceased", layout.key(Value::from(group))));
                }
                Happened::Said(text) => lines.push(("said", text)),
            }
        }
        rolls.sort();
        self.list("rolled", &counted(rolls));
        for (word, text) in lines {
            self.list(word, &[text]);
        }
        for text in moves {
            self.list("moved", &[text]);
        }
        let (mut changed, mut reset) = (Vec::new(), Vec::new());
        for (item, before) in cells {
            let now = item.read(layout, after);
            if now == before {
                continue;
            }
            let path = item.path(layout, after);
            if self.is_reset(item, after) {
                reset.push(path);
            } else {
                changed.push(format!("{path} {before} -> {now}"));
            }
        }
        self.list("changed", &changed);
        self.list("reset", &reset);
    }

    /// Whether a counter of a scope is at its start.
    fn is_reset(&self, item: Item, after: &TableState) -> bool {
        let Item::Counter(counter, position) = item else {
            return false;
        };
        let family = &self.layout.counters[counter.index()];
        family.scope != Scope::Game
            && after.cells[usize::from(family.base + position)] == family.start
    }

    fn value(&self, state: &TableState, value: Value) -> String {
        match value.case() {
            Case::Piece(piece) => piece_word(self.layout, state, piece),
            _ => self.layout.key(value),
        }
    }

    fn end(&mut self, game: &Game) {
        if let Some(decision) = game.decision() {
            self.asked(&game.state, decision.player, &decision.key);
            self.offers(&decision, &game.notices, &game.state);
            self.list("open", &["not answered".to_owned()]);
            return;
        }
        if !game.is_over() {
            return;
        }
        self.text.push_str("\n== the end\n");
        let Ok(scores) = scores(self.rules, &game.state, &mut Scratch::default()) else {
            return;
        };
        let scoring = &self.rules.pack.scoring;
        for score in scores {
            let terms: Vec<String> = scoring
                .terms
                .iter()
                .zip(&score.terms)
                .map(|(term, points)| format!("{} {points}", term.name.id))
                .collect();
            let ties: Vec<String> = scoring
                .ties
                .iter()
                .zip(&score.ties)
                .map(|(term, points)| format!("{} {points}", term.name.id))
                .collect();
            let player = self.layout.key(Value::from(score.player));
            let mut line = format!(
                "{player}  place {}, total {}: {}",
                score.place,
                score.total,
                terms.join(", ")
            );
            if !ties.is_empty() {
                line.push_str(&format!("; ties by {}", ties.join(", ")));
            }
            self.line(&line);
        }
    }
}
