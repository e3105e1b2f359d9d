//! Records: a game as a file, from which it is played again exactly.
//!
//! A record names things by their ids and does not depend on numbers that change when data are added. Its
//! fingerprint is a hash over the pack's texts (comments included) and the parameters set: when it differs, the rules may have
//! changed, and a replay names the first decision at which the game goes another way.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::pack::Selection;
use crate::script::machine::StartAt;
use crate::script::state::Digest;
use crate::script::{Rules, State};
use crate::table::Event;
use crate::table::ids::BlockId;

use super::decision::Written;
use super::digest::digest;
use super::game::{Game, GameError, Intervention, Setup};
use super::item::ItemValue;
use super::outcome::{Feed, Outcome};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// A game as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the format.
    pub format: u32,
    /// The id of the pack.
    pub pack: String,
    /// The variants it was played with, in order.
    pub variants: Vec<String>,
    /// Parameters that were set for this game.
    pub parameters: Vec<(String, i64)>,
    /// A hash over the texts of the rules and the parameters set.
    pub fingerprint: String,
    /// How many play.
    pub players: u8,
    /// The seed of chance.
    pub seed: u64,
    /// Where in the flow it started, if not at the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<RecordStart>,
    /// How the table was arranged after the set-up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<Setting>,
    /// Chance before the first question.
    pub chance: Vec<Outcome>,
    /// The table's hash at the first question.
    pub hash: String,
    /// Every answer.
    pub steps: Vec<RecordStep>,
    /// Changes of the table after the last answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interventions: Vec<Setting>,
}

/// Where a recorded game started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordStart {
    /// The block of the flow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// The round.
    pub round: u16,
}

/// An item of the table with the value it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The item's path.
    pub item: String,
    /// Its value.
    pub value: ItemValue,
}

/// A recorded answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordStep {
    /// Changes of the table before the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interventions: Vec<Setting>,
    /// Who decided, from 1.
    pub player: u8,
    /// The id of the decision.
    pub decision: String,
    /// The answer.
    pub answer: Written,
    /// Whether it was the only one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// What chance brought after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Outcome>,
    /// The table's hash after it.
    pub hash: String,
}

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The position of the first answer that goes another way, from 0; `None` before the first.
    pub step: Option<usize>,
    /// What differs.
    pub message: String,
    /// Whether the rules are not those of the record.
    pub rules_changed: bool,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(formatter, "answer {}: {}", step + 1, self.message)?,
            None => write!(formatter, "{}", self.message)?,
        }
        if self.rules_changed {
            write!(formatter, " (the rules are not those of the record)")?;
        }
        Ok(())
    }
}

impl Record {
    /// A record from the text of a file.
    ///
    /// # Errors
    /// When the text is no record of this format.
    pub fn from_json(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            format: Option<u32>,
        }
        let version: Version = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match version.format {
            Some(FORMAT) => serde_json::from_str(text).map_err(|error| error.to_string()),
            Some(other) => Err(format!(
                "the record has format {other}; this program reads format {FORMAT}"
            )),
            None => Err("it has no `format`".to_owned()),
        }
    }

    /// The text of a record's file: one line for each answer.
    ///
    /// # Errors
    /// When it cannot be written as JSON, which cannot be.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// What must be chosen of the pack to play this record again.
    pub fn selection(&self) -> Selection {
        Selection {
            variants: self.variants.clone(),
            parameters: self.parameters.clone(),
        }
    }
}

/// A hash over the texts of rules and the parameters set; the ends of lines do not matter.
pub fn fingerprint(rules: &Rules) -> String {
    let mut hasher = Digest::default();
    let mut texts: Vec<(&str, &str)> = rules
        .pack
        .sources
        .iter()
        .map(|(_, source)| (source.name.as_str(), source.text.as_str()))
        .collect();
    texts.sort_unstable();
    for (name, text) in texts {
        name.hash(&mut hasher);
        text.replace('\r', "").hash(&mut hasher);
    }
    rules.pack.changed.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// A short hash of a state by names; see [`digest`].
pub fn mark(rules: &Rules, state: &State) -> String {
    format!("{:08x}", digest(rules, state) >> 32)
}

fn outcomes(rules: &Rules, events: &[Event]) -> Vec<Outcome> {
    events
        .iter()
        .filter_map(|event| Outcome::of(rules, event))
        .collect()
}

fn settings(interventions: &[Intervention], at: usize) -> Vec<Setting> {
    interventions
        .iter()
        .filter(|change| change.at == at)
        .flat_map(|change| change.settings.iter().cloned())
        .collect()
}

impl Game {
    /// The state after so many answers, before anybody intervened there.
    fn state_after(&self, answers: usize) -> &State {
        if let Some(change) = self
            .interventions
            .iter()
            .find(|change| change.at == answers)
        {
            return &change.before;
        }
        match self.history.get(answers) {
            Some(step) => &step.before,
            None => &self.state,
        }
    }

    /// The state after so many answers and changes from outside.
    pub fn state_at(&self, answers: usize, changes: usize) -> &State {
        if let Some(next) = self.interventions.get(changes)
            && next.at == answers
        {
            return &next.before;
        }
        match self.history.get(answers) {
            Some(step) => &step.before,
            None => &self.state,
        }
    }

    /// Whether it came by a state of this digest after so many answers and changes.
    pub fn came_by(&self, answers: usize, changes: usize, digest: u64) -> bool {
        answers <= self.history.len()
            && changes <= self.interventions.len()
            && self.state_at(answers, changes).digest() == digest
    }

    /// The game as a record.
    pub fn record(&self) -> Record {
        let rules = &self.rules;
        let steps = self
            .history
            .iter()
            .enumerate()
            .map(|(index, step)| RecordStep {
                interventions: settings(&self.interventions, index),
                player: step.decision.player.0 + 1,
                decision: step.decision.key.clone(),
                answer: step.decision.write(&step.answer),
                forced: step.forced,
                chance: outcomes(rules, &step.events),
                hash: mark(rules, self.state_after(index + 1)),
            });
        Record {
            format: FORMAT,
            pack: rules.pack.id.clone(),
            variants: rules.selection().variants,
            parameters: rules.pack.changed.clone(),
            fingerprint: fingerprint(rules),
            players: self.setup.players,
            seed: self.setup.seed,
            start: self.setup.start.map(|start| RecordStart {
                block: start
                    .block
                    .map(|block| rules.pack.blocks[block.index()].name.id.clone()),
                round: start.round,
            }),
            table: self.arranged.clone(),
            chance: outcomes(rules, &self.opening),
            hash: mark(rules, self.state_after(0)),
            steps: steps.collect(),
            interventions: settings(&self.interventions, self.history.len()),
        }
    }
}

/// Plays a record again, by rules with its variants and parameters (see [`Record::selection`]). The game goes on from its end, with chance
/// from its seed.
///
/// # Errors
/// Names the first decision that goes another way than recorded.
pub fn replay(record: &Record, rules: Arc<Rules>) -> Result<Game, ReplayError> {
    let rules_changed = fingerprint(&rules) != record.fingerprint;
    let fail = |step: Option<usize>, message: String| ReplayError {
        step,
        message,
        rules_changed,
    };
    if record.pack != rules.pack.id {
        let message = format!(
            "the record is of pack `{}`, not `{}`",
            record.pack, rules.pack.id
        );
        return Err(fail(None, message));
    }
    if record.variants != rules.selection().variants {
        let told = |variants: &[String]| match variants.is_empty() {
            true => "no variants".to_owned(),
            false => format!("the variants {}", variants.join(", ")),
        };
        let message = format!(
            "the record has {}, the rules have {}",
            told(&record.variants),
            told(&rules.selection().variants)
        );
        return Err(fail(None, message));
    }
    if let Some(message) = parameters_differ(&record.parameters, &rules.pack.changed) {
        return Err(fail(None, message));
    }
    let start = start_of(record, &rules).map_err(|text| fail(None, text))?;
    let setup = Setup {
        players: record.players,
        seed: record.seed,
        start,
    };
    let feed = Feed::default();
    feed.push(&record.chance);
    feed_to_choice(&feed, record, 0);
    let dealer = feed.dealer(Arc::clone(&rules));
    let mut game = Game::arranged(rules, setup, &record.table, Some(dealer))
        .map_err(|error| fail(None, told(&error)))?;
    let mut checked = 0;
    if mark(&game.rules, game.state_after(0)) != record.hash {
        return Err(fail(
            None,
            "the table at the first question is not the one of the record".to_owned(),
        ));
    }
    loop {
        checked = check(record, &game, checked).map_err(|(step, text)| fail(step, text))?;
        if let Some(left) = feed.left() {
            let at = checked.saturating_sub(1);
            return Err(fail(Some(at), format!("{left} is recorded and not wanted")));
        }
        let Some(step) = record.steps.get(checked) else {
            break;
        };
        for setting in &step.interventions {
            game.intervene(std::slice::from_ref(setting))
                .map_err(|error| fail(Some(checked), told(&error)))?;
        }
        let here = Some(checked);
        let Some(decision) = game.decision() else {
            let message = format!("the game is over where `{}` was asked", step.decision);
            return Err(fail(here, message));
        };
        if decision.key != step.decision || decision.player.0 + 1 != step.player {
            let message = format!(
                "player {} is asked `{}` where player {} was asked `{}`",
                decision.player.0 + 1,
                decision.key,
                step.player,
                step.decision
            );
            return Err(fail(here, message));
        }
        let answer = decision.read(&step.answer).map_err(|rejection| {
            let message = format!("`{}`: {}", step.decision, rejection.of_old_answer());
            fail(here, message)
        })?;
        feed.push(&step.chance);
        feed_to_choice(&feed, record, checked + 1);
        game.answer(&answer)
            .map_err(|error| fail(here, format!("`{}`: {}", step.decision, told(&error))))?;
    }
    for setting in &record.interventions {
        game.intervene(std::slice::from_ref(setting))
            .map_err(|error| fail(Some(record.steps.len()), told(&error)))?;
    }
    feed.free();
    Ok(game)
}

/// Where a record's game started, by the rules it is to be played by.
///
/// # Errors
/// When the flow has no such block.
pub(super) fn start_of(record: &Record, rules: &Rules) -> Result<Option<StartAt>, String> {
    let Some(start) = &record.start else {
        return Ok(None);
    };
    let block = match &start.block {
        None => None,
        Some(block) => Some(find_block(rules, block)?),
    };
    Ok(Some(StartAt {
        block,
        round: start.round,
    }))
}

/// The first parameter that two games have otherwise, in words.
fn parameters_differ(record: &[(String, i64)], rules: &[(String, i64)]) -> Option<String> {
    let of = |all: &[(String, i64)], name: &str| {
        let found = all.iter().find(|(known, _)| known == name);
        found.map_or("as the pack has it".to_owned(), |(_, value)| {
            value.to_string()
        })
    };
    let mut names: Vec<&String> = record.iter().chain(rules).map(|(name, _)| name).collect();
    names.sort();
    let name = names
        .into_iter()
        .find(|name| of(record, name) != of(rules, name))?;
    Some(format!(
        "in the record `{name}` is {}, in the rules it is {}",
        of(record, name),
        of(rules, name)
    ))
}

/// Puts in the chance of the forced answers from a position on.
fn feed_to_choice(feed: &Feed, record: &Record, from: usize) {
    for step in record
        .steps
        .iter()
        .skip(from)
        .take_while(|step| step.forced)
    {
        feed.push(&step.chance);
    }
}

/// Compares answers that were given with the record, from a position on.
fn check(record: &Record, game: &Game, from: usize) -> Result<usize, (Option<usize>, String)> {
    for (index, step) in game.history.iter().enumerate().skip(from) {
        let written = step.decision.write(&step.answer);
        let Some(recorded) = record.steps.get(index) else {
            let message = format!(
                "`{}` has only one answer left, `{written}`, where the record ends",
                step.decision.key
            );
            return Err((Some(index), message));
        };
        if recorded.decision != step.decision.key
            || recorded.player != step.decision.player.0 + 1
            || recorded.answer != written
        {
            let message = format!(
                "player {} answers `{}` with `{written}` where player {} answered `{}` with `{}`",
                step.decision.player.0 + 1,
                step.decision.key,
                recorded.player,
                recorded.decision,
                recorded.answer
            );
            return Err((Some(index), message));
        }
        if mark(&game.rules, game.state_after(index + 1)) != recorded.hash {
            let message = format!(
                "after `{}: {written}` of player {} the table is not the one of the record",
                step.decision.key, recorded.player
            );
            return Err((Some(index), message));
        }
    }
    Ok(game.history.len())
}

fn told(error: &GameError) -> String {
    error.to_string()
}

/// The block of the flow with an id.
///
/// # Errors
/// When there is none; says what could be meant.
pub fn find_block(rules: &Rules, id: &str) -> Result<BlockId, String> {
    let blocks = &rules.pack.blocks;
    match blocks.iter().position(|block| block.name.id == id) {
        Some(index) => Ok(BlockId::from_index(index)),
        None => Err(format!(
            "the flow has no block `{id}`{}",
            super::item::near(id, blocks.iter().map(|block| block.name.id.as_str()))
        )),
    }
}
