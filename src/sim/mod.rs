//! Batches of games played by bots.

use std::time::Instant;

use serde::Serialize;

use crate::flow::decision;
use crate::flow::scores;
use crate::script::machine::Limits;
use crate::script::{Fault, Io, Machine, Outcome, Rules, Scratch, State};
use crate::table::chance::{Draw, game_seed, salt};
use crate::table::invariants;

mod clock;

/// What a batch is.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// How many play.
    pub players: u8,
    /// How many games.
    pub games: u64,
    /// The seed: game i derives from it and i.
    pub seed: u64,
    /// Whether the table's invariants are checked at every decision.
    pub check_invariants: bool,
    /// Decisions, forced ones included, after which a game counts as unfinished.
    pub most_decisions: u64,
    /// Threads.
    pub threads: usize,
}

/// What one game came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Scores by player; empty if the game was not finished.
    pub scores: Vec<i64>,
    /// Places by player, from 1.
    pub places: Vec<u8>,
    /// Decisions with more than one answer.
    pub decisions: u64,
    /// Decisions with one answer.
    pub forced: u64,
    /// Rounds.
    pub rounds: u16,
    /// Violations of invariants.
    pub violations: u64,
    /// The digest of the last state.
    pub digest: u64,
    /// Why it was not finished.
    pub trouble: Option<Trouble>,
}

/// Why a game was not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A script failed.
    Fault(Box<Fault>),
    /// Too many decisions.
    Endless,
    /// The bot found no legal answer.
    Stuck,
}

/// Results of a batch, as `--format json` prints them.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// Decisions with more than one answer, in all games.
    pub decisions: u64,
    /// Decisions with one answer, in all games.
    pub forced: u64,
    /// Games that did not come to an end.
    pub unfinished: u64,
    /// Fewest rounds of a game.
    pub rounds_min: u16,
    /// Most rounds of a game.
    pub rounds_max: u16,
    /// Violations of invariants.
    pub violations: u64,
    /// Seconds that passed.
    pub elapsed_s: f64,
    /// Seconds of processor time.
    pub cpu_s: f64,
    /// Games a second of processor time.
    pub games_per_s: f64,
    /// By place round the table.
    pub players: Vec<PlayerSummary>,
    /// A hash over all results, equal on every run and for any number of threads.
    pub digest: String,
    /// The first failures, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
}

/// Results of one place at the table.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// Who played.
    pub bot: String,
    /// Mean score.
    pub mean_score: f64,
    /// Share of games won; a shared win counts as its share.
    pub win_rate: f64,
}

/// Plays one game with random answers.
pub fn play(rules: &Rules, batch: &Batch, index: u64, scratch: &mut Scratch) -> Played {
    let seed = game_seed(batch.seed, index);
    let mut state = rules.start(batch.players, seed);
    let mut played = Played {
        scores: Vec::new(),
        places: Vec::new(),
        decisions: 0,
        forced: 0,
        rounds: 0,
        violations: 0,
        digest: 0,
        trouble: None,
    };
    let stream = salt("bot");
    let trouble = loop {
        match step(rules, &mut state, scratch) {
            Err(fault) => break Some(Trouble::Fault(fault)),
            Ok(Outcome::Over | Outcome::SetUp) => break None,
            Ok(Outcome::Decision) => {}
        }
        if batch.check_invariants {
            played.violations += invariants::check(rules.layout(), &state.table).len() as u64;
        }
        if played.decisions + played.forced >= batch.most_decisions {
            break Some(Trouble::Endless);
        }
        if let Some(answer) = decision::only_for_bots(&state) {
            played.forced += 1;
            decision::apply(&mut state, &answer);
            continue;
        }
        let player = state.run.ask.map_or(0, |ask| u64::from(ask.player.0));
        // Bots have streams of their own: what they draw changes nothing of the game's chance.
        let mut draw = Draw::at(seed, stream, player, played.decisions);
        match decision::random(rules, &state, |bound| draw.below(bound)) {
            Some(answer) => decision::apply(&mut state, &answer),
            None => break Some(Trouble::Stuck),
        }
        played.decisions += 1;
    };
    played.rounds = state.table.position.round;
    played.digest = state.digest();
    played.trouble = trouble;
    if played.trouble.is_none() {
        match scores(rules, &state, scratch) {
            Ok(scores) => {
                played.scores = scores.iter().map(|score| score.total).collect();
                played.places = scores.iter().map(|score| score.place).collect();
            }
            Err(fault) => played.trouble = Some(Trouble::Fault(fault)),
        }
    }
    played
}

fn step(rules: &Rules, state: &mut State, scratch: &mut Scratch) -> Result<Outcome, Box<Fault>> {
    let mut io = Io::default();
    Machine::new(rules, state, &mut io, scratch, Limits::default()).run()
}

/// Sums that do not depend on the order in which games are added.
#[derive(Clone, Debug, Default)]
struct Tally {
    games: u64,
    decisions: u64,
    forced: u64,
    unfinished: u64,
    rounds: Option<(u16, u16)>,
    violations: u64,
    scores: Vec<i64>,
    wins: Vec<f64>,
    digest: u64,
    failures: Vec<(u64, String)>,
    cpu_s: f64,
}

/// Failures that are reported in words.
const MOST_FAILURES: usize = 5;

impl Tally {
    fn add(&mut self, rules: &Rules, index: u64, played: &Played) {
        self.games += 1;
        self.decisions += played.decisions;
        self.forced += played.forced;
        self.violations += played.violations;
        let rounds = self.rounds.get_or_insert((played.rounds, played.rounds));
        *rounds = (rounds.0.min(played.rounds), rounds.1.max(played.rounds));
        self.scores
            .resize(self.scores.len().max(played.scores.len()), 0);
        self.wins
            .resize(self.wins.len().max(played.scores.len()), 0.0);
        for (sum, score) in self.scores.iter_mut().zip(&played.scores) {
            *sum += score;
        }
        let winners = played.places.iter().filter(|place| **place == 1).count();
        for (sum, place) in self.wins.iter_mut().zip(&played.places) {
            if *place == 1 {
                // Twelfths are exact for any number of winners up to four.
                *sum += 1.0 / winners as f64;
            }
        }
        let mut own = Draw::at(played.digest, index, played.decisions, played.forced);
        self.digest = self.digest.wrapping_add(own.bits());
        if let Some(trouble) = &played.trouble {
            self.unfinished += 1;
            if self.failures.len() < MOST_FAILURES {
                let text = match trouble {
                    Trouble::Endless => "too many decisions".to_owned(),
                    Trouble::Stuck => "no legal answer was found".to_owned(),
                    Trouble::Fault(fault) => format!(
                        "{}: {} ({})",
                        rules.pack.sources.place(fault.span),
                        fault.message,
                        fault.position
                    ),
                };
                self.failures.push((index, format!("game {index}: {text}")));
            }
        }
    }

    fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.forced += other.forced;
        self.unfinished += other.unfinished;
        self.violations += other.violations;
        self.rounds = match (self.rounds, other.rounds) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        self.scores
            .resize(self.scores.len().max(other.scores.len()), 0);
        self.wins.resize(self.wins.len().max(other.wins.len()), 0.0);
        for (sum, value) in self.scores.iter_mut().zip(other.scores) {
            *sum += value;
        }
        for (sum, value) in self.wins.iter_mut().zip(other.wins) {
            *sum += value;
        }
        self.digest = self.digest.wrapping_add(other.digest);
        self.failures.extend(other.failures);
        self.cpu_s += other.cpu_s;
    }
}

/// Plays a batch with random bots, on as many threads as it says.
pub fn run(rules: &Rules, batch: &Batch) -> Summary {
    let begun = Instant::now();
    let threads = batch.threads.max(1) as u64;
    let worker = |thread: u64| {
        let cpu = clock::thread_time();
        let mut tally = Tally::default();
        let mut scratch = Scratch::default();
        let mut index = thread;
        while index < batch.games {
            let played = play(rules, batch, index, &mut scratch);
            tally.add(rules, index, &played);
            index += threads;
        }
        tally.cpu_s = clock::thread_time() - cpu;
        tally
    };
    let mut whole = Tally::default();
    if threads == 1 {
        whole.merge(worker(0));
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads)
                .map(|thread| {
                    let worker = &worker;
                    scope.spawn(move || worker(thread))
                })
                .collect();
            for handle in handles {
                if let Ok(tally) = handle.join() {
                    whole.merge(tally);
                }
            }
        });
    }
    whole.failures.sort();
    whole.failures.truncate(MOST_FAILURES);
    let finished = (whole.games - whole.unfinished).max(1) as f64;
    Summary {
        games: whole.games,
        decisions: whole.decisions,
        forced: whole.forced,
        unfinished: whole.unfinished,
        rounds_min: whole.rounds.map_or(0, |rounds| rounds.0),
        rounds_max: whole.rounds.map_or(0, |rounds| rounds.1),
        violations: whole.violations,
        elapsed_s: begun.elapsed().as_secs_f64(),
        cpu_s: whole.cpu_s,
        games_per_s: if whole.cpu_s > 0.0 {
            whole.games as f64 / whole.cpu_s
        } else {
            0.0
        },
        players: whole
            .scores
            .iter()
            .zip(&whole.wins)
            .map(|(score, wins)| PlayerSummary {
                bot: "random".to_owned(),
                mean_score: *score as f64 / finished,
                win_rate: wins / finished,
            })
            .collect(),
        digest: format!("{:016x}", whole.digest),
        failures: whole.failures.into_iter().map(|(_, text)| text).collect(),
    }
}
