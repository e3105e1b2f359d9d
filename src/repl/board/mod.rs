//! The board of any game, drawn as its pack's `view.toml` says.
//!
//! # `view.toml`
//!
//! ```toml
//! rounds = ["Monday", "Tuesday"]      # names of rounds, for people
//!
//! [panel.market]                      # panels are drawn by `order`, then by id
//! title = "Market"                    # "" draws none
//! order = 1
//! kind = "grid"                       # list, grid, cards or map
//! each = "stalls"                     # player, a graph, a set, a kind or a group
//! show = [{ zone = "goods" }]
//!
//! [piece.good]                        # how pieces of a kind are written
//! text = "{colour}"                   # the default is "{title}"
//! short = "{colour:1}"                # where an item says `as = "short"`; `:1` is the first letter
//! long = "{title}: {colour} good"     # where an item says `as = "long"`
//! paint = "colour"                    # an attribute, or `owner`: its value's colour in [paint]
//! hidden = "good"                     # what one is called whose face nobody shows
//! with = "cargo"                      # a zone of the piece: what lies in it is named after the piece, in letters
//!
//! [paint]                             # by the ids of members, or player_1, player_2, ...
//! ruby = "red"                        # red green yellow blue magenta cyan strong grey
//!
//! [log]
//! hide = ["visits"]                   # counters and zones whose changes are not told
//! ```
//!
//! **Panels.** `list`: lines that belong to the table and, where a family is spread over the players, to
//! who looks. `grid`: a column for each member of `each`, if they fit, else a line. `cards`: a block
//! for each member of `each`, side by side. `map`: the nodes of `graph` at their places, with what
//! `show` says beneath the names.
//!
//! **Items.** `show` is a list of lines; a line is an item or a list of items:
//! `{ zone = ID }`, `{ counter = ID }`, `{ dial = ID }`, `{ toggle = ID }`, `{ attribute = NAME }` (of the
//! member of `each` or the node), each with `title` ("" for none) and `before` (written before the
//! value, such as "$"). A zone takes `as`: `text` (the default), `short`, `long`, or `count`. A dial shows its
//! faces with the needle; with `as = "count"` only the face under it. `sparse = true` leaves out what
//! is empty, 0, false or nothing. `from_top = true` reads a zone from the top. A dimension that the panel does not fix is the player who looks, if it
//! is that of players; any other is listed member by member, without the empty ones.
//!
//! Everything is drawn through a [`table::view::View`](crate::table::view::View): no panel can show what
//! a player may not see.

mod draw;
mod heading;
pub mod keys;
mod map;
mod marks;
mod read;
mod words;

#[cfg(test)]
pub(in crate::repl) mod tests;

use std::collections::BTreeMap;

use crate::table::ids::{CounterId, DialId, GraphId, KindId, SetId, ToggleId, ZoneFamilyId};
use crate::table::layout::Domain;

use super::text::Colour;

pub use draw::Board;
pub(in crate::repl) use heading::place;
pub use words::Words;
pub(in crate::repl) use words::counted;

/// What a family is spread over, or a panel shows one of for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// The values of a domain; of groups those that are alive.
    Domain(Domain),
    /// The members of a set that are chosen from elsewhere.
    Selection(SetId),
}

/// How much of a thing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// In words.
    #[default]
    Text,
    /// In letters.
    Short,
    /// With all that is printed on it.
    Long,
    /// As a number.
    Count,
}

/// What an item shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What lies in zones.
    Zone(ZoneFamilyId),
    /// A counter's value.
    Counter(CounterId),
    /// A dial's faces and needle.
    Dial(DialId),
    /// Whether a toggle is on.
    Toggle(ToggleId),
    /// A fixed attribute of the panel's member, by its position.
    Attribute(u16),
}

/// One thing that a panel shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What.
    pub source: Source,
    /// What it is called; "" for nothing.
    pub title: String,
    /// What is written before its value.
    pub before: String,
    /// How it is written.
    pub form: Form,
    /// Whether it is left out when there is nothing to show.
    pub sparse: bool,
    /// Whether a zone is read from the top to the bottom.
    pub from_top: bool,
}

/// How a panel is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelKind {
    /// Lines.
    List,
    /// A column for each member.
    Grid(Each),
    /// A block for each member.
    Cards(Each),
    /// The nodes of a graph at their places.
    Map(GraphId),
}

/// A part of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// Its id.
    pub id: String,
    /// Its heading; "" for none.
    pub title: String,
    /// How it is laid out.
    pub kind: PanelKind,
    /// Its lines.
    pub show: Vec<Vec<Item>>,
}

/// A part of the text for a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it is.
    Text(String),
    /// A value, cut to so many characters if a number is given.
    Value(PartValue, Option<usize>),
}

/// What is put into the text for a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartValue {
    /// The piece's title.
    Title,
    /// The face of a die.
    Face,
    /// Whose it is.
    Owner,
    /// An attribute, by its position.
    Attribute(u16),
}

/// What the colour of a piece depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaintBy {
    /// Whose it is.
    Owner,
    /// An attribute, by its position.
    Attribute(u16),
}

/// How the pieces of a kind are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PieceStyle {
    /// In words; empty for the title.
    pub text: Vec<Part>,
    /// In letters; empty for the words.
    pub short: Vec<Part>,
    /// With all that is printed on it; empty for the words.
    pub long: Vec<Part>,
    /// What its colour depends on.
    pub paint: Option<PaintBy>,
    /// What a hidden one is called; empty for the kind's title.
    pub hidden: String,
    /// The zone of the piece whose contents are named with it where it lies.
    pub with: Option<ZoneFamilyId>,
}

/// How a pack's board is drawn: its `view.toml`, checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Names of rounds.
    pub rounds: Vec<String>,
    /// The panels in their order.
    pub panels: Vec<Panel>,
    /// How pieces are written.
    pub pieces: BTreeMap<KindId, PieceStyle>,
    /// Colours of members and players, by key.
    pub paints: BTreeMap<String, Colour>,
    /// Counters whose changes are not told.
    pub quiet_counters: Vec<CounterId>,
    /// Zones into which moves are not told.
    pub quiet_zones: Vec<ZoneFamilyId>,
}
