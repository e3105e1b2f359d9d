//! Batches: many games on all threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::script::{Rules, Scratch};
use crate::table::ids::PlayerId;

use super::bots::{BotKind, Lineup};
use super::clock;
use super::failure::Failure;
use super::game::{Trouble, play_watched};
use super::summary::Summary;
use super::tally::Tally;

/// Threads that are begun at most.
const MOST_THREADS: usize = 256;

/// Games that a thread plays at most before it tells how far it is.
const MOST_IN_BLOCK: u64 = 256;

/// What a batch is.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// How many play.
    pub players: u8,
    /// How many games.
    pub games: u64,
    /// The seed: game i derives from it and i.
    pub seed: u64,
    /// Who plays.
    pub lineup: Lineup,
    /// Whether the table's invariants are checked at every decision.
    pub check_invariants: bool,
    /// Whether what the pack declares as statistics is counted: it takes longer.
    pub statistics: bool,
    /// Decisions, forced ones included, after which a game counts as unfinished.
    pub most_decisions: u64,
    /// Threads.
    pub threads: usize,
}

impl Batch {
    /// The bot that answers for a player in a game.
    pub(super) fn bot(&self, player: PlayerId, game: u64) -> BotKind {
        let entry = self.lineup.entry(player.0, self.players, game);
        self.lineup.kind(entry)
    }
}

/// Who looks on while a batch is played, and may stop it.
#[derive(Default)]
pub struct Watch<'a> {
    /// Once it is true no more games are begun, and those under way are dropped; what was played is told.
    pub stop: Option<&'a AtomicBool>,
    /// Called with a number of games that were played since the last call.
    pub played: Option<&'a (dyn Fn(u64) + Sync)>,
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Watch")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl Watch<'_> {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    pub(super) fn tell(&self, games: u64) {
        if let Some(played) = self.played {
            played(games);
        }
    }
}

/// Plays games in blocks on a number of threads and brings the results of the blocks together. It must
/// not matter in which order they are.
///
/// # Errors
/// When the threads cannot be started.
pub(super) fn in_blocks<T: Send + Default>(
    games: std::ops::Range<u64>,
    threads: usize,
    watch: &Watch<'_>,
    block: impl Fn(std::ops::Range<u64>) -> T + Sync,
    merge: impl Fn(T, T) -> T + Send + Sync,
) -> Result<T, String> {
    let number = games.end.saturating_sub(games.start);
    // More threads than this only wait for each other; the results are the same.
    let threads = threads.clamp(1, MOST_THREADS).min(number.max(1) as usize);
    // Some blocks for each thread, so that none waits long for the others at the end.
    let size = (number / (threads as u64 * 16)).clamp(1, MOST_IN_BLOCK);
    let block = &|nth: u64| {
        // Of a batch that is stopped there may be millions of blocks to come.
        if watch.is_stopped() {
            return T::default();
        }
        let first = games.start + nth * size;
        block(first..games.end.min(first + size))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| format!("the threads cannot be started: {error}"))?;
    Ok(pool.install(|| {
        let blocks = (0..number.div_ceil(size)).into_par_iter();
        blocks.map(block).reduce(T::default, merge)
    }))
}

/// Plays a batch. The results are the same for any number of threads.
///
/// # Errors
/// When the threads cannot be started.
pub fn run(rules: &Rules, batch: &Batch, watch: &Watch<'_>) -> Result<Summary, String> {
    let begun = Instant::now();
    let quick = rules.inlined();
    let block = |games: std::ops::Range<u64>| {
        let cpu = clock::thread_time();
        let mut tally = Tally::default();
        let mut scratch = Scratch::default();
        for index in games {
            if watch.is_stopped() {
                break;
            }
            let played = play_watched(&quick, batch, index, watch, &mut scratch);
            if played.trouble == Some(Trouble::Stopped) {
                break;
            }
            tally.add(rules, batch, index, &played);
        }
        tally.time(clock::since(cpu));
        watch.tell(tally.games);
        tally
    };
    let tally = in_blocks(0..batch.games, batch.threads, watch, block, Tally::merge)?;
    let failures = tally.failures.iter();
    let failures = failures
        .map(|(game, why)| Failure::of(rules, batch, watch, *game, why))
        .collect();
    Ok(Summary::of(rules, batch, tally, failures, begun.elapsed()))
}
