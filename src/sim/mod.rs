//! Simulation: bots, and batches of games that they play.
//!
//! A batch gives the same results for any number of threads: game i depends on the seed and on i only, and
//! all that is kept of a game is added up in whole numbers. Memory does not grow with the number of games.
//!
//! # Bots
//!
//! `random` gives any answer. `greedy` tries each answer on a copy of the game in which what its player does not
//! see is dealt anew, lets others answer at random until its player is asked again, and takes the answer after
//! which the player stands best: by the pack's `evaluate`, or by the scores as if the game ended there.
//!
//! `mcts` searches: in one tree over many deals of what its player does not see it tries answers of all players, more
//! often those that did well for whoever gives them, then plays on at random to its player's next question (or to
//! the end, where a pack has no `evaluate`). `mcts:decisions=N` tries so many answers (1000 if nothing is said),
//! `mcts:time=Nms` or `mcts:time=Ns` for so long. Where many answers are possible, more of them are looked at the longer it searches.
//!
//! The same question with the same seed gets the same answer on every machine, but for `mcts` with a time. A swap of what
//! is hidden from a bot's player changes no answer.
//!
//! # `yukon sim`
//!
//! A game that fails (a script's error, no legal answer, or more decisions than `--most-decisions`) is played
//! again with its history; the first five are told and saved as records, up to the answer that failed, and of the
//! others how many they are. The batch goes on and ends with 1. Ctrl-C drops the games under way, long searches
//! included, and tells what was played; then it ends with 130, as `compare`, `sweep` and `test` do.
//!
//! `--format json` prints one object. `format` is 1, and rises when a field changes or goes.
//!
//! - `rules`: which were played: `pack`, `variants` (a list, in the order in which they apply) and `parameters` (an object
//!   of those that `--set` gave other values); `seed`;
//! - `games`, `unfinished`: games played, and those of them that did not come to their end;
//! - `decisions`, `forced`: in all games, those with more than one answer and those with one;
//! - `rounds_min`, `rounds_max` of all games; `violations` of invariants (null without `--check-invariants`); `elapsed_s`,
//!   `cpu_s`, `games_per_s` (of processor time; both null where it cannot be measured);
//! - `players`: a list by place round the table; `bots`: a list by bot as given, if not all are the same and
//!   then in that order. Each has `bot` (its name, `*` where bots change places), `mean_score`, `win_rate`
//!   (a shared win counts as its share), `wins` (a share), `scores` (a distribution), `score_counts` (pairs of a
//!   score and how often it came);
//! - `rounds` (of all games), `length` (decisions of a finished game), `margin` (points of the first ahead of the second):
//!   distributions; `ties`: the share of games whose first place is shared; `branching`: choices of a decision of a
//!   finished game;
//! - `digest`: a hash over all games; `failures`: the first five, in words.
//!
//! - `statistics` (with `--statistics`): for each that the pack declares `id`, `title`, `doc` (if it has one) and `rows`, each of which has
//!   `key` (what is counted apart) with its `title`, `times`, `per_game`, `games` (the share of games in which it came), `with` and
//!   `without` (how many of the players won who used it, and of the others), `score_with`, `score_without`. Used
//!   and won go together; that is no proof that one is the cause.
//!
//! A distribution has `count`, `mean` with its 95 % interval `low` to `high` by Student's distribution (null for fewer
//! than two values, of which there is none), `deviation`, `least`, `q05`, `q25`, `median`, `q75`, `q95`, `most`. From 2048
//! on, and from -2048 down, quantiles, and scores with how often they came, have eleven binary digits and are rounded down, so
//! that memory does not grow; all else is exact. A share has `rate`, `of` (how many), and Wilson's 95 % interval `low`
//! to `high`.
//!
//! `--format csv` prints a line for each place, after one of names: what is said of the batch again in each line, then
//! `player`, `bot`, `mean_score`, `win_rate`, `win_low`, `win_high`, the distribution of scores as `score_...`, and
//! `format` as above, `rules` (variants and parameters joined by `+`; nothing for the game as it is) and `seed`. What is
//! null in JSON is an empty field. If no game came to its end there are no lines. New columns come at the end.
//!
//! `--html FILE` writes one page, too, which needs nothing else: scores and wins by place, and for each statistic
//! what was used and who won with it and without; on the map, if its nodes are what is counted. It counts
//! statistics without being asked, and says what the variants that were played say of themselves.
//!
//! # `yukon compare` and `yukon sweep`
//!
//! Each pair of games has the same seed and the same bots, who move on by one place from pair to pair. Chance is
//! addressed by names, so what the rules have in common they draw alike. A game compared with itself differs by
//! exactly 0.
//!
//! `--format json` prints one object: `format` (1), `base` (which rules all are compared with, as `rules` above),
//! `players`, `seed`, `bots`, `elapsed_s`, and `variants`, each with `variant` (as given), `pairs`, `left_out` (pairs of which a game did not come to its end), `same` (that went the
//! same way to the end), `scores` (a list by place: `base` and `variant`, each pairs of a score and how often it
//! came) and `metrics`: `id`, `title`, the means `base` and `variant`, `difference` with its 95 % interval `low` to
//! `high` by Student's distribution (null for fewer than two pairs), `deviation` (of single games), `p`, `p_holm` (corrected for all that the object holds), and
//! `width_of_unpaired` (how wide the interval is beside that of as many games without common chance).
//!
//! `--format csv` prints a line for each metric of each variant, with the same names, `format` as above, and `base`, joined
//! as `rules` above; where there is no interval, `low` is `-inf` and `high` is `inf`, and of a variant whose pairs were all
//! left out there are no lines. `--until-clear METRIC=WIDTH` looks
//! after 500 pairs, and each time after twice as many. It goes by how wide the interval is, never by where it
//! lies: looking often makes no difference out of chance.
//!
//! The metrics are `score` (the mean of the players), `first` (the winning score), `margin`, `ties`, `rounds`,
//! `decisions`, `branching`, `score_N` and `wins_N` of each place round the table, and with `--statistics`
//! `STATISTIC.KEY`: how often it was used in a game. `--html FILE` draws all differences, in standard deviations of
//! single games, those that are clear first, and scores with and without; `sweep --html FILE` draws a part for each
//! metric that its table shows, and for whatever else is clearly different in some row.

pub mod batch;
pub mod bots;
pub mod chosen;
pub mod compare;
pub mod failure;
pub mod game;
pub mod numbers;
pub mod summary;
pub mod uses;

mod clock;
mod countable;
mod metrics;
mod tally;

pub use batch::{Batch, Watch, run};
pub use bots::{Bot, BotKind, Lineup};
pub use chosen::Chosen;
pub use failure::Failure;
pub use game::{Played, Trouble, play};
pub use summary::{PlayerSummary, Summary};
