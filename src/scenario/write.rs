//! Writing a scenario from a game that was played.

use std::fmt::Write;

use toml_edit::{ArrayOfTables, DocumentMut, Item as Toml, Value};

use crate::flow::{Decision, Game, Item, ItemValue, Outcome, Setting, Step, scores};
use crate::script::{Scratch, State};
use crate::table::Event;

use super::entry::{Deed, Entry, key, list, quoted, settings};
use super::golden::refusal;
use super::model::{Asked, Chance};

/// What somebody was shown of a game: a scenario that is written from it expects the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// How many answers had been given, forced ones included.
    pub answers: usize,
    /// How many changes from outside had been made.
    pub changes: usize,
    /// The digest of the state: after another way to the same place it was not seen.
    pub digest: u64,
    /// What it was.
    pub seen: Seen,
}

/// What can be shown of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The choices of the pending decision.
    Choices,
    /// Why a choice, given by its key, is refused.
    Refused(String),
    /// What an item, given by its path, is.
    Item(String),
    /// How many pieces lie in a zone, given by its path.
    Count(String),
}

impl Sight {
    /// What is seen of a game as it stands.
    pub fn of(game: &Game, seen: Seen) -> Self {
        Self {
            answers: game.history.len(),
            changes: game.interventions.len(),
            digest: game.state.digest(),
            seen,
        }
    }
}

/// Where the chance of a written scenario comes from.
#[derive(Clone, Copy, Debug)]
pub enum Luck<'a> {
    /// From the seed, but for what is given.
    Seed(&'a Chance),
    /// All of it is given as it happened.
    Happened,
}

/// How a scenario is written from a game.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'a> {
    /// What the game is.
    pub game: &'a Game,
    /// What the scenario shows.
    pub title: &'a str,
    /// Where chance comes from.
    pub luck: Luck<'a>,
    /// What of it is expected.
    pub sights: &'a [Sight],
}

/// The beginning of a scenario that is kept when the rest of it is written anew.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    /// The text of its file.
    pub text: &'a str,
    /// How many entries of `play` are kept.
    pub entries: usize,
    /// Whether these are all it has.
    pub all: bool,
    /// How many answers they led to, forced ones included.
    pub answers: usize,
    /// How many changes from outside they made.
    pub changes: usize,
}

/// A scenario that plays a game again: its answers without the forced ones, and at the end its scores or the decision it
/// stops at.
pub fn from_game(game: &Game, title: &str) -> String {
    Telling {
        game,
        title,
        luck: Luck::Seed(&Chance::default()),
        sights: &[],
    }
    .scenario()
}

impl Telling<'_> {
    /// The whole scenario.
    pub fn scenario(&self) -> String {
        let begun = self.game.set_up().map_or(0, |set_up| set_up.answers);
        let entries = self.entries(begun, 0);
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = self.head(&mut text);
        if entries.iter().all(Entry::is_plain) {
            let _ = plain_list(&mut text, &entries);
            let _ = self.tables(&mut text);
        } else {
            let _ = self.tables(&mut text);
            for entry in &entries {
                let _ = entry.block(&mut text);
            }
        }
        let _ = self.end(&mut text);
        text
    }

    /// The beginning of a scenario with what was played after it.
    ///
    /// # Errors
    /// When the text is not TOML, or `play` is no list.
    pub fn after(&self, kept: Kept<'_>) -> Result<String, String> {
        let document = kept.text.parse::<DocumentMut>();
        let mut document = document.map_err(|error| error.to_string())?;
        let entries = self.entries(kept.answers, kept.changes);
        if entries.is_empty() && kept.all {
            return Ok(kept.text.to_owned());
        }
        document.remove("expect");
        if let Luck::Happened = self.luck {
            document.remove("chance");
        }
        let mut chance = String::new();
        let _ = self.chance(&mut chance);
        if !chance.is_empty() {
            let written = chance.parse::<DocumentMut>();
            let written = written.map_err(|error| error.to_string())?;
            document["chance"] = written["chance"].clone();
        } else {
            document.remove("chance");
        }
        let blocks = match document.get_mut("play") {
            None => true,
            Some(Toml::ArrayOfTables(tables)) => {
                truncate(tables, kept.entries);
                true
            }
            Some(Toml::Value(Value::Array(array))) => {
                while array.len() > kept.entries {
                    array.remove(array.len() - 1);
                }
                for entry in &entries {
                    let value = entry.element().parse::<Value>();
                    let mut value = value.map_err(|error| error.to_string())?;
                    value.decor_mut().set_prefix("\n    ");
                    array.push_formatted(value);
                }
                array.set_trailing("\n");
                array.set_trailing_comma(true);
                false
            }
            Some(_) => return Err("`play` is no list".to_owned()),
        };
        let mut text = document.to_string();
        if blocks {
            text = format!("{}\n", text.trim_end());
            for entry in &entries {
                let _ = entry.block(&mut text);
            }
        }
        let _ = self.end(&mut text);
        Ok(text)
    }

    fn head(&self, text: &mut String) -> std::fmt::Result {
        let game = self.game;
        let pack = &game.rules.pack;
        writeln!(text, "format = 1")?;
        writeln!(text, "title = {}", quoted(self.title))?;
        writeln!(text, "pack = {}", quoted(&pack.id))?;
        if !pack.variants.is_empty() {
            let ids: Vec<&str> = pack
                .variants
                .iter()
                .map(|variant| variant.id.as_str())
                .collect();
            writeln!(text, "variants = {}", list(&ids))?;
        }
        if !pack.changed.is_empty() {
            let set: Vec<String> = pack
                .changed
                .iter()
                .map(|(name, value)| format!("{} = {value}", key(name)))
                .collect();
            writeln!(text, "parameters = {{ {} }}", set.join(", "))?;
        }
        writeln!(text, "players = {}", game.setup.players)?;
        writeln!(text, "seed = {}", game.setup.seed)?;
        writeln!(text, "clauses = []")?;
        let set_up = game.set_up().map_or(0, |set_up| set_up.answers);
        let given: Vec<String> = game.history[..set_up]
            .iter()
            .filter(|step| !step.forced)
            .map(|step| Entry::new(deed(step)).element())
            .collect();
        if !given.is_empty() {
            writeln!(text, "set_up = [{}]", given.join(", "))?;
        }
        Ok(())
    }

    /// Start, table and chance.
    fn tables(&self, text: &mut String) -> std::fmt::Result {
        let game = self.game;
        if let Some(start) = game.setup.start {
            writeln!(text, "\n[start]")?;
            if let Some(block) = start.block {
                let block = &game.rules.pack.blocks[block.index()].name.id;
                writeln!(text, "block = {}", quoted(block))?;
            }
            writeln!(text, "round = {}", start.round)?;
        }
        if !game.arranged.is_empty() {
            writeln!(text, "\n[table]")?;
            for (item, value) in settings(&game.arranged) {
                writeln!(text, "{} = {value}", key(&item))?;
            }
        }
        self.chance(text)
    }

    fn chance(&self, text: &mut String) -> std::fmt::Result {
        let (all_given, rolls, shuffles, picks) = match self.luck {
            Luck::Seed(chance) => self.given(chance),
            Luck::Happened => self.happened(),
        };
        if !all_given && rolls.is_empty() && shuffles.is_empty() && picks.is_empty() {
            return Ok(());
        }
        writeln!(text, "\n[chance]")?;
        if all_given {
            writeln!(text, "all_given = true")?;
        }
        for (name, outcomes) in [("rolls", rolls), ("shuffles", shuffles), ("picks", picks)] {
            if outcomes.is_empty() {
                continue;
            }
            let outcomes: Vec<String> = outcomes
                .iter()
                .map(|(of, outcomes)| format!("{} = [{}]", key(of), outcomes.join(", ")))
                .collect();
            writeln!(text, "{name} = {{ {} }}", outcomes.join(", "))?;
        }
        Ok(())
    }

    fn given(&self, chance: &Chance) -> GivenTexts {
        let layout = self.game.rules.layout();
        let rolls = chance.rolls.iter().map(|given| {
            let faces = given.outcomes.iter().map(|(face, _)| face.to_string());
            (given.key.clone(), faces.collect())
        });
        let shuffles = chance.shuffles.iter().map(|given| {
            let orders = given.outcomes.iter().map(|(order, _)| list(order));
            let path = Item::Zone(given.key).path(layout, &self.game.state.table);
            (path, orders.collect())
        });
        let picks = chance.picks.iter().map(|given| {
            let keys = given.outcomes.iter().map(|(key, _)| quoted(key));
            (layout.streams[given.key.index()].0.clone(), keys.collect())
        });
        (
            chance.all_given,
            rolls.collect(),
            shuffles.collect(),
            picks.collect(),
        )
    }

    /// Every outcome since the scenario begins.
    fn happened(&self) -> GivenTexts {
        fn push(outcomes: &mut Outcomes, of: String, outcome: String) {
            match outcomes.iter_mut().find(|(known, _)| *known == of) {
                Some((_, all)) => all.push(outcome),
                None => outcomes.push((of, vec![outcome])),
            }
        }
        let mut texts: GivenTexts = (false, Vec::new(), Vec::new(), Vec::new());
        let bare = |name: &str| {
            name.split_once(':')
                .map_or_else(|| name.to_owned(), |(_, id)| id.to_owned())
        };
        for outcome in self
            .events()
            .iter()
            .filter_map(|event| Outcome::of(&self.game.rules, event))
        {
            match outcome {
                Outcome::Roll { roll, face } => push(&mut texts.1, bare(&roll), face.to_string()),
                Outcome::Shuffle { shuffle, mut order } => {
                    order.reverse();
                    push(&mut texts.2, shuffle, list(&order));
                }
                Outcome::Pick { pick, value } => {
                    push(&mut texts.3, pick, quoted(&bare(&value)));
                }
            }
        }
        texts
    }

    /// What happened since the scenario begins: without the set-up of a start elsewhere.
    fn events(&self) -> Vec<Event> {
        let game = self.game;
        let all = |events: &[Event], from: usize| events.iter().skip(from).cloned().collect();
        let (begun, mut events): (usize, Vec<Event>) = match game.set_up() {
            None => (0, all(&game.opening, 0)),
            Some(set_up) => match set_up.answers.checked_sub(1) {
                None => (0, all(&game.opening, set_up.events)),
                Some(last) => (
                    set_up.answers,
                    all(&game.history[last].events, set_up.events),
                ),
            },
        };
        for step in &game.history[begun..] {
            events.extend(step.events.iter().cloned());
        }
        events
    }

    /// The entries from so many answers and changes on.
    fn entries(&self, answers: usize, changes: usize) -> Vec<Entry> {
        let game = self.game;
        let mut entries: Vec<Entry> = Vec::new();
        let mut change = changes;
        let mut place = None;
        for at in answers..=game.history.len() {
            self.expect(&mut entries, at, change);
            while let Some(made) = game.interventions.get(change).filter(|made| made.at <= at) {
                change += 1;
                entries.push(Entry::new(Deed::Set(made.settings.clone())));
                self.expect(&mut entries, at, change);
            }
            let Some(step) = game.history.get(at) else {
                break;
            };
            if step.forced {
                if self.is_meant_by_later(at) {
                    entries.push(Entry::new(deed(step)));
                }
                continue;
            }
            let mut entry = Entry::new(deed(step));
            let here = (step.position.round, step.position.phase);
            if place != Some(here) {
                place = Some(here);
                entry.heading = Some(self.heading(step));
            }
            self.about(&mut entry, at, &step.decision, &step.notices, &step.before);
            entries.push(entry);
        }
        if let Some(decision) = game.decision() {
            let mut entry = Entry::new(Deed::Look(asked(&decision)));
            let at = game.history.len();
            self.about(&mut entry, at, &decision, &game.notices, &game.state);
            if !entry.refused.is_empty() {
                entries.push(entry);
            }
        }
        entries
    }

    fn heading(&self, step: &Step) -> String {
        let blocks = &self.game.rules.pack.blocks;
        let phase = step.position.phase.map(|block| &blocks[block.index()].name);
        match (step.position.round, phase) {
            (0, None) => "Before the first round".to_owned(),
            (0, Some(phase)) => phase.id.clone(),
            (round, None) => format!("Round {round}"),
            (round, Some(phase)) => format!("Round {round}, {}", phase.id),
        }
    }

    /// Whether an answer that was forced would be taken for the next one that was not, if it were left out.
    fn is_meant_by_later(&self, at: usize) -> bool {
        let forced = &self.game.history[at];
        let Some(next) = self.game.history[at..].iter().find(|step| !step.forced) else {
            return false;
        };
        let written = next.decision.write(&next.answer);
        forced.decision.key == next.decision.key
            && forced.decision.player == next.decision.player
            && forced.decision.read(&written).is_ok_and(|read| {
                forced.decision.write(&read) == forced.decision.write(&forced.answer)
            })
    }

    fn state(&self, answers: usize, changes: usize) -> &State {
        self.game.state_at(answers, changes)
    }

    /// What was seen after so many answers and changes, if the game came there on the way it was seen.
    fn seen(&self, answers: usize, changes: usize) -> impl Iterator<Item = &Seen> {
        let digest = self.state(answers, changes).digest();
        self.sights
            .iter()
            .filter(move |sight| {
                sight.answers == answers && sight.changes == changes && sight.digest == digest
            })
            .map(|sight| &sight.seen)
    }

    /// Lets the last entry expect the items that were looked at after it.
    fn expect(&self, entries: &mut Vec<Entry>, answers: usize, changes: usize) {
        let layout = self.game.rules.layout();
        let table = &self.state(answers, changes).table;
        let mut expected: Vec<Setting> = Vec::new();
        for seen in self.seen(answers, changes) {
            let (path, counted) = match seen {
                Seen::Item(path) => (path, false),
                Seen::Count(path) => (path, true),
                Seen::Choices | Seen::Refused(_) => continue,
            };
            let Ok(item) = Item::parse(layout, table, path) else {
                continue;
            };
            let value = match item {
                Item::Zone(zone) if counted => ItemValue::Int(table.len(zone) as i64),
                item => item.read(layout, table),
            };
            let known = expected.iter().any(|setting| setting.item == *path);
            if !known && item.expect(layout, table, &value).is_ok() {
                expected.push(Setting {
                    item: path.clone(),
                    value,
                });
            }
        }
        if expected.is_empty() {
            return;
        }
        match entries.last_mut() {
            Some(last) if last.expect.is_empty() => last.expect = expected,
            _ => {
                let mut entry = Entry::new(Deed::Nothing);
                entry.expect = expected;
                entries.push(entry);
            }
        }
    }

    /// Lets an entry expect what was shown of its decision.
    fn about(
        &self,
        entry: &mut Entry,
        answers: usize,
        decision: &Decision,
        notices: &[Event],
        before: &State,
    ) {
        let changes = self
            .game
            .interventions
            .iter()
            .filter(|change| change.at <= answers)
            .count();
        let offered = |key: &str| decision.choices.iter().any(|choice| choice.key == key);
        for seen in self.seen(answers, changes) {
            match seen {
                Seen::Choices if !decision.choices.is_empty() => {
                    let keys = decision.choices.iter().map(|choice| choice.key.clone());
                    entry.choices = Some(keys.collect());
                }
                Seen::Refused(key) if !offered(key) => {
                    let reason = notices
                        .iter()
                        .filter_map(|event| refusal(&self.game.rules, before, event))
                        .find(|(refused, _)| refused == key);
                    if let Some(reason) = reason
                        && !entry.refused.contains(&reason)
                    {
                        entry.refused.push(reason);
                    }
                }
                _ => {}
            }
        }
    }

    /// What holds at the end.
    fn end(&self, text: &mut String) -> std::fmt::Result {
        let game = self.game;
        writeln!(text, "\n[expect]")?;
        if let Some(decision) = game.decision() {
            let asked = asked(&decision).to_string();
            return writeln!(text, "asked = {}", quoted(&asked));
        }
        writeln!(text, "over = true")?;
        if let Ok(scores) = scores(&game.rules, &game.state, &mut Scratch::default()) {
            let totals: Vec<String> = scores.iter().map(|score| score.total.to_string()).collect();
            let winners: Vec<String> = scores
                .iter()
                .filter(|score| score.place == 1)
                .map(|score| (score.player.0 + 1).to_string())
                .collect();
            writeln!(text, "scores = [{}]", totals.join(", "))?;
            writeln!(text, "winner = [{}]", winners.join(", "))?;
        }
        Ok(())
    }
}

/// Outcomes as texts, by what they are for.
type Outcomes = Vec<(String, Vec<String>)>;

/// Whether all is given; rolls, shuffles and picks.
type GivenTexts = (bool, Outcomes, Outcomes, Outcomes);

fn asked(decision: &Decision) -> Asked {
    Asked {
        player: decision.player,
        decision: decision.key.clone(),
    }
}

fn deed(step: &Step) -> Deed {
    Deed::Answer(asked(&step.decision), step.decision.write(&step.answer))
}

/// `play` as a list with a line for each entry.
fn plain_list(text: &mut String, entries: &[Entry]) -> std::fmt::Result {
    writeln!(text, "\nplay = [")?;
    for entry in entries {
        if let Some(heading) = &entry.heading {
            writeln!(text, "    # {heading}")?;
        }
        writeln!(text, "    {},", entry.element())?;
    }
    writeln!(text, "]")
}

fn truncate(tables: &mut ArrayOfTables, entries: usize) {
    while tables.len() > entries {
        tables.remove(tables.len() - 1);
    }
}
