//! What players see of zones, as scenarios expect it.

use crate::flow::item::{Word, piece_word};
use crate::flow::{Item, ItemValue, Setting};
use crate::table::TableState;
use crate::table::ids::{PieceId, PlayerId, ZoneId};
use crate::table::layout::Layout;
use crate::table::view::{Seen, View, Viewer};

/// How files write a piece that is hidden.
const HIDDEN: &str = "?";

/// What a player is to see of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Who looks.
    player: PlayerId,
    zone: ZoneId,
    /// The path of the zone, as it was written.
    path: String,
    /// All that lies there, in any order: names of the known pieces, and one `?` for each hidden one.
    pieces: Vec<String>,
}

impl std::fmt::Display for Sight {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (player, pieces) = (self.player.0 + 1, self.pieces.join(", "));
        write!(
            formatter,
            "player_{player} sees [{pieces}] in {}",
            self.path
        )
    }
}

impl Sight {
    /// The sight that a file describes.
    ///
    /// # Errors
    /// Says what is wrong: only lists of what lies in zones can be seen.
    pub fn new(
        layout: &Layout,
        state: &TableState,
        player: PlayerId,
        setting: &Setting,
    ) -> Result<Self, String> {
        let item = Item::parse(layout, state, &setting.item)?;
        let (Item::Zone(zone), ItemValue::List(pieces)) = (item, &setting.value) else {
            return Err(format!(
                "`{}` is no list of the pieces of a zone, and only zones can be hidden",
                setting.item
            ));
        };
        Ok(Self {
            player,
            zone,
            path: setting.item.clone(),
            pieces: pieces.clone(),
        })
    }

    /// Compares it with what the player sees.
    ///
    /// # Errors
    /// Says what is seen instead.
    pub fn check(&self, layout: &Layout, state: &TableState) -> Result<(), String> {
        let view = View::new(layout, state, Viewer::Player(self.player));
        let seen: Vec<Seen> = view.zone(self.zone).collect();
        let mut known: Vec<PieceId> = seen
            .iter()
            .filter_map(|seen| match seen {
                Seen::Piece(piece) => Some(*piece),
                Seen::Hidden(_) => None,
            })
            .collect();
        let fits = seen.len() == self.pieces.len()
            && self.names().all(|name| {
                let word = Word::parse(name);
                let at = known
                    .iter()
                    .position(|piece| word.means(layout, state, *piece));
                at.map(|at| known.remove(at)).is_some()
            })
            && known.is_empty();
        if fits {
            return Ok(());
        }
        let mut words: Vec<String> = seen
            .iter()
            .map(|seen| match seen {
                Seen::Piece(piece) => piece_word(layout, state, *piece),
                Seen::Hidden(_) => HIDDEN.to_owned(),
            })
            .collect();
        words.sort();
        Err(format!(
            "player_{} sees [{}] in `{}`, not [{}]",
            self.player.0 + 1,
            words.join(", "),
            self.path,
            self.pieces.join(", ")
        ))
    }

    /// The names of the pieces that are to be known.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces
            .iter()
            .map(String::as_str)
            .filter(|name| *name != HIDDEN)
    }
}
