//! Scenarios: small stories of a game, with what must hold in them, and the transcript that they give.
//!
//! A scenario is `scenarios/PACK/NAME.toml`; beside it lies its golden transcript, `NAME.golden`.
//!
//! ```toml
//! format = 1
//! title = "What it shows"
//! pack = "toy"
//! variants = []                              # of the pack, in the order in which they apply
//! parameters = { days = 1 }                  # numbers of the rules with other values
//! players = 2
//! seed = 1                                   # of all chance that is not given
//! clauses = ["market.price"]                 # what it covers; free words
//! set_up = [{ player_2.colour = "red" }]     # answers to what the set-up asks before a start elsewhere
//!
//! [start]                                    # where in the flow; left out: at the beginning
//! block = "market"                           # left out: the first round, after the set-up
//! round = 1
//!
//! [table]                                    # items by path, set together after the set-up (see flow::item)
//! "player_1.coins" = 3
//! "player_1.hand" = ["ace", "bee"]           # exactly these, from the bottom to the top
//! "deck" = { top = ["cat", "dog"] }          # on top, the first to be drawn first; the rest stays below
//! "stock" = { top = ["cat"], rest = "discard" } # only this stays there; the rest goes under the discards
//! "pile_1.cards" = ["~eel"]                  # face down
//! "field_1.dice" = ["red@3", "die:red_2"]    # a die that shows 3; one of several equal ones by its id
//!
//! [chance]                                   # outcomes instead of the seed's, in order
//! all_given = true                           # nothing may come from the seed
//! rolls = { red_1 = [3, 5], red = [2] }      # by a die's id, or by the key that equal dice share
//! shuffles = { deck = [["cat", "dog"]] }     # on top, the first to be drawn first; the rest below as it lay
//! picks = { starter = ["player_2"] }
//!
//! [[play]]
//! player_1.field = "field_5"                 # who answers what: a key, a list of keys, a number, true or false
//! offered = ["field_1"]                      # `{ KEY = COUNT }` for numbers of equal ones
//! not_offered = ["field_7"]
//! choices = ["field_1", "field_5"]           # all that is offered
//! hints = { field_1 = "costs 1, 3 left" }    # what scripts say of an offered choice
//! refused = { field_2 = "too_dear 3 2" }     # a reason with its numbers, or without
//! rejected = ["nonsense", ["red", "red"]]    # such answers are not accepted and change nothing
//! expect = { "player_1.coins" = 6 }          # after it, and after the forced answers that follow
//! # expect.not_asked = ["player_1.trade"]    # neither asked now nor forced since this answer
//!
//! [[play]]
//! asked = "player_1.trade"                   # this is asked now, and not answered; the same keys as above
//!
//! [[play]]
//! set = { "player_1.coins" = 9 }             # a change from outside; what is asked stays as it was asked
//!
//! [[play]]                                   # nothing is done, only looked at
//! [play.expect]
//! sees.player_2 = { "player_1.hand" = ["?", "?"] } # what a player knows of a zone, in any order; `?` is hidden
//!
//! [expect]                                   # at the end
//! "player_1.coins" = 7
//! not_asked = ["player_2.trade"]             # never in the whole scenario, not even with a forced answer
//! asked = "player_1.trade"                   # what the scenario leaves unanswered, or:
//! over = true
//! scores = [12, 9]
//! winner = [1]
//! ```
//!
//! `play` is one list: whole games write it as `play = [ { player_1.field = "field_5" }, ... ]`, a line for
//! each answer. Answers with only one possibility may be left out, and are checked if they are given. A
//! missing answer fails, and so does one that nobody asks for: at the end the game must be over, or
//! `asked` must say what is left open.
//!
//! With `[start]` or `[table]` the set-up of the pack comes from the seed, and `[chance]` begins after it. What the set-up
//! asks players is answered as `set_up` says, and the rest of it by the seed; the transcript begins after it.

pub mod compare;
pub mod dealer;
pub mod difference;
mod entry;
pub mod golden;
pub mod keys;
pub mod model;
pub mod parting;
pub mod play;
pub mod read;
pub mod runner;
pub mod sight;
pub mod write;

pub use difference::Difference;
pub use model::Scenario;
pub use play::{Course, Failure, Played, play};
pub use read::{NoRules, read};
pub use runner::{Found, Options, Packs, Report, ScenarioResult, find, run_all};
pub use write::{Kept, Luck, Seen, Sight, Telling, from_game};
