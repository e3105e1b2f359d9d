//! A game played again by other rules, answer by answer, as far as its answers are accepted.
//!
//! Unlike [`replay`](super::record::replay), which wants the very same game, this gives the answers that
//! players gave, and lets everything else come as the rules have it: chance from the seed, and answers
//! that are forced. A forced answer of the record is given only where it is asked and a player's follows
//! it; one that is forced now was not given by anybody.

use std::sync::Arc;

use crate::script::{Fault, Rules};

use super::decision::Written;
use super::game::{Game, GameError, Setup, Step};
use super::record::{Record, RecordStep, Setting, start_of};

/// A game that was built again.
#[derive(Debug)]
pub struct Rebuilt {
    /// The game: to where the record ends, or to where it stopped.
    pub game: Game,
    /// How many of the record's answers were given again, forced ones left out.
    pub given: usize,
    /// The record's answers that were given again: the position of each there, and in the game's history.
    pub same: Vec<(usize, usize)>,
    /// Why it goes no further, if it does not go to the end of the record.
    pub stopped: Option<Stop>,
}

/// Where a record does not go on by other rules, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The position in the record of the answer that cannot be given, from 0.
    pub step: usize,
    /// Why.
    pub message: String,
    /// The answer, if what was asked is asked still.
    pub rejected: Option<Written>,
    /// The failure of a script, if one failed.
    pub fault: Option<Box<Fault>>,
}

/// Plays a record again by other rules of its pack. What the record says of variants, parameters and
/// chance is not asked for.
///
/// # Errors
/// When not even the first question is reached: the rules are for other numbers of players, have no such
/// place to start at, or a script fails.
pub fn rebuild(record: &Record, rules: Arc<Rules>) -> Result<Rebuilt, GameError> {
    let setup = Setup {
        players: record.players,
        seed: record.seed,
        start: start_of(record, &rules).map_err(GameError::Start)?,
    };
    let game = Game::arranged(rules, setup, &record.table, None)?;
    Ok(give_again(record, game))
}

/// Gives the answers of a record in a game that has begun as the record does.
pub fn give_again(record: &Record, game: Game) -> Rebuilt {
    let mut walk = Walk {
        record,
        game,
        at: 0,
        seen: 0,
        changed: 0,
        given: 0,
        same: Vec::new(),
    };
    let stopped = walk.run().err();
    let Walk {
        game, given, same, ..
    } = walk;
    Rebuilt {
        game,
        given,
        same,
        stopped,
    }
}

/// A record on its way into a game.
struct Walk<'r> {
    record: &'r Record,
    game: Game,
    /// The record's next answer.
    at: usize,
    /// How many of the game's answers were compared with the record's.
    seen: usize,
    /// Before how many of the record's answers the table was changed as it says.
    changed: usize,
    given: usize,
    same: Vec<(usize, usize)>,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        while self.step()? {}
        self.change_up_to(self.record.steps.len())?;
        self.change(&self.record.interventions)
    }

    /// Gives an answer again; `false` when there is none left.
    fn step(&mut self) -> Result<bool, Stop> {
        self.compare_forced()?;
        let Some(wanted) = self.record.steps[self.at..]
            .iter()
            .find(|step| !step.forced)
        else {
            return Ok(false);
        };
        let Some(decision) = self.game.decision() else {
            return Err(self.stop_at_next(format!("the game is over where {}", asked(wanted))));
        };
        let is_asked = |step: &RecordStep| {
            step.decision == decision.key && step.player == decision.player.0 + 1
        };
        let Some(next) = self.find(is_asked) else {
            let message = format!(
                "player {} is asked `{}` where {}",
                decision.player.0 + 1,
                decision.key,
                asked(wanted)
            );
            return Err(self.stop_at_next(message));
        };
        self.at = next;
        self.change_up_to(next + 1)?;
        let step = &self.record.steps[next];
        let read = decision
            .read(&step.answer)
            .map_err(|why| GameError::Rejected(why.of_old_answer()));
        let given = read.and_then(|answer| self.game.answer(&answer));
        given.map_err(|why| Stop {
            rejected: Some(step.answer.clone()),
            fault: match &why {
                GameError::Fault(fault) => Some(fault.clone()),
                _ => None,
            },
            ..self.stop(
                next,
                format!("`{}` of player {}: {why}", step.decision, step.player),
            )
        })?;
        self.given += usize::from(!step.forced);
        self.same.push((next, self.seen));
        self.seen += 1;
        self.at += 1;
        Ok(true)
    }

    /// Passes by the answers of the record that the engine gave by itself.
    fn compare_forced(&mut self) -> Result<(), Stop> {
        while let Some(step) = self.game.history.get(self.seen).cloned() {
            self.seen += 1;
            let is_asked = |known: &RecordStep| {
                known.decision == step.decision.key && known.player == step.decision.player.0 + 1
            };
            if let Some(next) = self.find(is_asked) {
                self.check_forced(next, &step)?;
                self.same.push((next, self.seen - 1));
                self.at = next + 1;
            }
        }
        Ok(())
    }

    /// An answer that somebody chose must be the one that is left.
    fn check_forced(&mut self, at: usize, step: &Step) -> Result<(), Stop> {
        let known = &self.record.steps[at];
        let written = step.decision.write(&step.answer);
        if known.forced || known.answer == written {
            self.given += usize::from(!known.forced);
            return Ok(());
        }
        let message = format!(
            "`{}` of player {}: only `{written}` can be answered, and `{}` was",
            known.decision, known.player, known.answer
        );
        Err(self.stop(at, message))
    }

    /// The position of the next answer of the record for which something holds; only forced ones are
    /// passed over on the way.
    fn find(&self, wanted: impl Fn(&RecordStep) -> bool) -> Option<usize> {
        for (at, step) in self.record.steps.iter().enumerate().skip(self.at) {
            if wanted(step) {
                return Some(at);
            }
            if !step.forced {
                return None;
            }
        }
        None
    }

    /// Changes the table as it was changed before the record's answers up to a position.
    fn change_up_to(&mut self, to: usize) -> Result<(), Stop> {
        while self.changed < to {
            let record = self.record;
            self.change(&record.steps[self.changed].interventions)?;
            self.changed += 1;
        }
        Ok(())
    }

    fn change(&mut self, settings: &[Setting]) -> Result<(), Stop> {
        for setting in settings {
            let changed = self.game.intervene(std::slice::from_ref(setting));
            changed.map_err(|error| {
                let step = self.changed;
                self.stop(step, error.to_string())
            })?;
        }
        Ok(())
    }

    fn stop(&self, step: usize, message: String) -> Stop {
        Stop {
            step,
            message,
            rejected: None,
            fault: None,
        }
    }

    /// A stop at the next answer that somebody gave.
    fn stop_at_next(&self, message: String) -> Stop {
        let left = self.record.steps[self.at..].iter();
        let forced = left.take_while(|step| step.forced).count();
        self.stop(self.at + forced, message)
    }
}

/// Who was asked what, in words.
fn asked(step: &RecordStep) -> String {
    format!("player {} was asked `{}`", step.player, step.decision)
}
