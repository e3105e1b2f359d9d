//! Games that did not come to their end, as records that lead there.

use std::sync::Arc;

use crate::flow::{Answer, Decision, Game, GameError, Record, Setup, decision, scores};
use crate::script::{Rules, Scratch};
use crate::table::chance::game_seed;
use crate::table::ids::PlayerId;

use super::batch::{Batch, Watch};
use super::bots::{Bot, Question};

/// The last decisions in which a loop is looked for.
const LOOKED_AT: usize = 400;

/// A loop of more decisions than this is not told.
const LONGEST_LOOP: usize = 20;

/// How often decisions must come in the same order to be called a loop.
const TIMES: usize = 3;

/// A game that did not come to its end.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which game of the batch.
    pub game: u64,
    /// The seed of the game.
    pub seed: u64,
    /// What happened, in words.
    pub text: String,
    /// The game up to the answer at which it failed, or why there is none.
    pub record: Result<Record, String>,
}

/// What came of playing a game again that failed.
enum Again {
    /// It failed again, perhaps with more to say about it.
    Failed(Box<Game>, Option<String>),
    /// It came to its end this time.
    Fine,
    /// Nobody waits for it any more.
    Stopped,
}

impl Failure {
    /// Plays a game again that failed, and keeps its record.
    pub(super) fn of(
        rules: &Rules,
        batch: &Batch,
        watch: &Watch<'_>,
        game: u64,
        why: &str,
    ) -> Self {
        let seed = game_seed(batch.seed, game);
        let (record, more) = match again(rules, batch, watch, game) {
            Ok(Again::Failed(game, more)) => (Ok(game.record()), more),
            Ok(Again::Fine) => {
                let why = "played again it comes to its end: bots that go by time answer otherwise";
                (Err(why.to_owned()), None)
            }
            Ok(Again::Stopped) => (Err("stopped before it was played again".to_owned()), None),
            Err(_) => (Err("it fails before anything is asked".to_owned()), None),
        };
        let more = more.map_or(String::new(), |more| format!("; {more}"));
        Self {
            game,
            seed,
            text: format!("game {game} (seed {seed}): {why}{more}"),
            record,
        }
    }
}

/// Plays a game again with its history, as far as it goes; says what led to the end of it.
fn again(rules: &Rules, batch: &Batch, watch: &Watch<'_>, index: u64) -> Result<Again, GameError> {
    let seed = game_seed(batch.seed, index);
    let setup = Setup {
        players: batch.players,
        seed,
        start: None,
    };
    let mut game = Game::start(Arc::new(rules.clone()), setup, None, None)?;
    let failed = |game, more| Ok(Again::Failed(Box::new(game), more));
    let mut scratch = Scratch::default();
    let mut nth = 0;
    while let Some(ask) = game.state.run.ask {
        if watch.is_stopped() {
            return Ok(Again::Stopped);
        }
        if game.history.len() as u64 >= batch.most_decisions {
            let found = round_and_round(&game);
            return failed(game, found);
        }
        let answer = match decision::only_for_bots(&game.state) {
            Some(answer) => answer,
            None => {
                let question = Question {
                    rules,
                    state: &game.state,
                    seed,
                    nth,
                    stop: watch.stop,
                };
                nth += 1;
                let bot = batch.bot(PlayerId(ask.player.0), index);
                match bot.answer(&question, &mut scratch) {
                    Some(answer) if scratch.evaluation.is_none() => answer,
                    _ => return failed(game, None),
                }
            }
        };
        let asked = game.decision();
        if game.answer(&answer).is_err() {
            let led = asked.map(|asked| led_there(&asked, &answer));
            return failed(game, led);
        }
    }
    match scores(rules, &game.state, &mut scratch) {
        Ok(_) => Ok(Again::Fine),
        Err(_) => failed(game, None),
    }
}

/// The answer after which a game failed.
fn led_there(asked: &Decision, answer: &Answer) -> String {
    format!(
        "player {} answered `{}` with `{}`",
        asked.player.0 + 1,
        asked.key,
        asked.write(answer)
    )
}

/// What is asked over and over at the end of a game, if something is.
fn round_and_round(game: &Game) -> Option<String> {
    let last = game.history.iter().rev().take(LOOKED_AT);
    let asked: Vec<(u8, &str)> = last
        .map(|step| (step.decision.player.0, step.decision.key.as_str()))
        .collect();
    let most = LONGEST_LOOP.min(asked.len() / TIMES);
    let period = (1..=most).find(|period| {
        let end = period * TIMES;
        (*period..end).all(|at| asked[at] == asked[at - period])
    })?;
    let words: Vec<String> = asked[..period]
        .iter()
        .rev()
        .map(|(player, key)| format!("player {} `{key}`", player + 1))
        .collect();
    Some(format!("asked over and over: {}", words.join(", ")))
}
