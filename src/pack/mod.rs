//! Packs: TOML files read as spanned documents, changed by variants, checked, and lowered to a typed
//! [`Pack`].
//!
//! # Abilities
//!
//! An ability is what a player has while a piece lies in a zone of theirs:
//!
//! ```toml
//! [event.landed]                             # what can happen; scripts say `trigger(event::landed, me, place)`
//!
//! [ability.compass]
//! piece = "compass"                          # the piece that gives it
//! zone = "cabin"                             # a zone with `per = ["player"]` that `holds` one kind
//! modify = { parameter = "stride", add = 1, when = "subject == node::harbour" }
//! trigger = { on = "landed", when = "subject != node::inn", effect = "me.coins += 1" }
//! score = { count = "cargo", with = { suit = "pearls" } }
//! ```
//!
//! It does one or more of three things, each given as a table or a list of tables:
//!
//! - `modify` changes a parameter, as an entry of `[modifier]` does, for whoever has the ability.
//! - `trigger` does an `effect` (a function that takes `me` and `subject`, or a script) when the event happens
//!   to whoever has the ability. Abilities answer one after the other, in the byte order of their ids, each
//!   if the player has it by then. `when` is a pure expression over `me`, `subject` and the table.
//! - `score` is a scoring term, as below, for whoever has the ability at the end.
//!
//! # Scoring
//!
//! An entry of `[score]`, the `score` of an ability, and an entry of `[tie]` (without `when`) say how many
//! points a player gets:
//!
//! ```toml
//! [score.sets]
//! order = 1                                  # terms are listed by it, then by id
//! count = "cargo"                            # pieces in this zone: the player's, or the shared one
//! with = { suit = "pearls", damaged = false } # only those with these attributes
//! which = "piece.hold.is_empty()"            # only those for which this holds, over `me` and `piece`
//! distinct = "suit"                          # the different values of this attribute instead of pieces
//! least = 3                                  # nothing for fewer than that
//! every = 2                                  # two of them count once; one that is left over does not
//! points = 4                                 # for each that counts; 1 if left out
//! flat = true                                # once instead, however many count
//! when = "me.out"                            # only if this holds, over `me`
//!
//! [score.coins]
//! points = "me.coins / 2"                    # without `count`: so many, an expression over `me`
//! ```
//!
//! All expressions are pure Rhai. Of tie-breaks each is asked of those who are still tied.
//!
//! # Bots
//!
//! `evaluate = "prospects(me)"` in `[game]` says how well a player stands: a pure expression over `me` that gives
//! a number, in whatever unit. Bots compare the numbers that it gives after different answers, in the middle of
//! a game as at its end; if it fails, a game of such a bot has failed. Without it they go by the scores as if the
//! game ended there.
//!
//! # Statistics
//!
//! An entry of `[statistic]` says what simulations count besides scores, when they are asked to. It names one
//! of six things:
//!
//! ```toml
//! [statistic.landings]
//! title = "Landings by harbour"              # for people
//! counter = "visited"                        # a counter rises, becomes true, or comes to hold something
//!
//! [statistic.rooms]
//! decision = "room"                          # what is chosen at a decision
//!
//! [statistic.heat]
//! dial = "heat"                              # steps forward of a dial
//!
//! [statistic.upgrades]
//! tag = "upgrade"                            # steps of dials with this tag, and its toggles turned on
//!
//! [statistic.cards]
//! zone = "played"                            # pieces that come into a zone
//! by = "piece"                               # told apart by piece, or by "place": what the zone belongs to
//!
//! [statistic.wishes_met]
//! noted = "wish"                             # what scripts note: `note(statistic::wishes_met, me, card)`
//! ```
//!
//! What a counter or a zone belongs to besides a player, and what a counter holds, is counted apart. What
//! returns to its start at a round, phase, turn or step does not count. Of texts that a decision asks for each
//! counts as one.
//!
//! `noted` is for what leaves no trace of its own on the table: a condition that was met, an attempt that failed.
//! It is the type of what is told apart (a kind, a set, `int`, `bool`, ...), or `"nothing"` where a note says only that
//! somebody did it: `note(statistic::falls, me)`. Notes are left out, arguments and all, when nobody counts; they
//! are in no record and no golden.
//!
//! # Provenance
//!
//! Every entry may say where it comes from: `provenance = "printed"` (the default), `"inferred"` or
//! `"reconstructed"`. At the top of a file it is that of all its entries. Where single keys differ from the
//! rest of their entry, `provenance = { title = "printed" }` says so.

pub mod codes;
pub mod compare;
pub mod doc;
pub mod files;
pub mod keys;
pub mod model;
pub mod parse;
pub mod read;
pub mod variant;

mod abilities;
mod attributes;
mod doubts;
mod exchange;
mod families;
pub(crate) mod fields;
mod flow;
mod game;
mod graphs;
mod kinds;
mod names;
mod numbers;
mod overlay;
mod pieces;
mod place;
mod properties;
mod scoring;
mod sets;
mod statistics;
mod steps;
#[cfg(test)]
pub(crate) mod tests;
mod words;

pub use doubts::Doubts;
pub use files::{PackFiles, VariantFiles};
pub use model::Pack;
pub use place::Place;
pub use read::{Draft, Resolved, Selection, read, read_draft, read_with, resolve};
pub use variant::Variant;
