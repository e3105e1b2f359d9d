//! The table changed from outside: kept in the record as interventions.

use crate::diag::nearest;
use crate::flow::item::{self, Item, ItemValue, Word};
use crate::flow::record::Setting;
use crate::repl::command::{Args, Candidates, Info, whole};
use crate::repl::session::{Reply, Session};
use crate::table::ids::{PieceId, ZoneId};
use crate::table::{Layout, TableState, Value};

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "set",
        arguments: "ITEM VALUE",
        about: "give a number, a switch, a zone or a parameter of the rules another value",
        examples: &[
            ("set price 3", "a parameter: all answers are given again"),
            ("set price default", "the parameter as the pack has it"),
            (
                "set parameter.coins 3",
                "a parameter that has the name of an item",
            ),
            ("set player_1.coins 5", "a counter or a dial of player 1"),
            ("set coins 5", "that of the player to decide"),
            ("set player_1.hand red, red, blue", "all pieces of a zone"),
            ("set player_1.hand none", "no piece"),
        ],
        run: set,
        complete: complete_set,
    },
    Info {
        name: "put",
        arguments: "PIECE ZONE",
        about: "lay a piece into a zone, on top of what lies there",
        examples: &[
            ("put red player_1.hand", "a piece of the key `red`"),
            ("put ~red pile", "face down"),
        ],
        run: put,
        complete: complete_put,
    },
];

fn set(session: &mut Session, args: &Args<'_>) -> Reply {
    let (item, value) = session.split_setting(args.text);
    let item = item.as_str();
    if item.is_empty() || value.is_empty() {
        return Reply::failed("an item and a value are wanted: `set player_1.coins 5`");
    }
    let parsed = match session.meant(item) {
        Ok(Meant::Parameter(name)) => return session.set_parameter(&name, value),
        Ok(Meant::Item(parsed)) => parsed,
        Err(error) => return Reply::failed(error),
    };
    match read_value(parsed, value) {
        Ok(value) => session.change(Setting {
            item: item.to_owned(),
            value,
        }),
        Err(error) => Reply::failed(error),
    }
}

impl Session {
    /// What is to be set, and to what. Titles may have spaces: the first part counts that means an item.
    fn split_setting<'t>(&self, text: &'t str) -> (String, &'t str) {
        let ends = |letter: char| letter.is_whitespace() || letter == '=';
        let value = |at: usize| text[at..].trim().trim_start_matches('=').trim();
        let mut splits = text
            .match_indices(ends)
            .map(|(at, _)| at)
            .chain([text.len()]);
        let meant = splits.find_map(|at| Some((self.path_meant(&text[..at])?, value(at))));
        meant.unwrap_or_else(|| {
            let (item, value) = text.split_once(ends).unwrap_or((text, ""));
            (item.to_owned(), value.trim().trim_start_matches('=').trim())
        })
    }
}

/// What is to be set.
enum Meant {
    /// An item of the table.
    Item(Item),
    /// A parameter of the rules.
    Parameter(String),
}

/// What comes before the name of a parameter where an item has the same name.
const PARAMETER: &str = "parameter.";

/// A value as people type it for an item.
fn read_value(item: Item, text: &str) -> Result<ItemValue, String> {
    let truth = match text {
        "true" | "on" | "yes" => Some(true),
        "false" | "off" | "no" => Some(false),
        _ => None,
    };
    Ok(match (item, truth, whole::<i64>(text, "whole number")) {
        (Item::Zone(_), _, _) => ItemValue::List(names(text)),
        (Item::Toggle(..), None, _) => {
            return Err(format!("`{text}` is neither `on` nor `off`"));
        }
        (Item::Dial(..) | Item::Face(_), _, Err(why)) => return Err(why),
        (Item::Counter(..) | Item::Toggle(..), Some(truth), _) => ItemValue::Bool(truth),
        (Item::Counter(..) | Item::Dial(..) | Item::Face(_), _, Ok(number)) => {
            ItemValue::Int(number)
        }
        _ => ItemValue::Text(text.to_owned()),
    })
}

/// Pieces that one name stands for at most.
const MOST_LIKE: usize = 1000;

/// Names of pieces with commas or spaces between them, with or without brackets.
fn names(text: &str) -> Vec<String> {
    let text = text.trim_start_matches('[').trim_end_matches(']');
    if text == "none" {
        return Vec::new();
    }
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    let mut names: Vec<String> = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        // As `state` writes it: `red x3`.
        let times = word.strip_prefix('x').and_then(|times| times.parse().ok());
        match (times, names.last().cloned()) {
            (Some(1..=MOST_LIKE), Some(last)) => {
                names.extend(std::iter::repeat_n(last, times.unwrap_or(1) - 1));
            }
            _ => names.push(word.to_owned()),
        }
    }
    names
}

fn put(session: &mut Session, args: &Args<'_>) -> Reply {
    let (piece, zone) = match args.words[..] {
        [] | [_] => {
            return Reply::failed("a piece and a zone are wanted: `put red player_1.hand`");
        }
        [piece, ref zone @ ..] => (
            session.meant_or_same(piece),
            session.meant_or_same(&zone.join(" ")),
        ),
    };
    let (piece, zone) = (piece.as_str(), zone.as_str());
    let layout = session.game.rules.layout();
    let state = &session.game.state.table;
    let setting = match (
        Item::parse(layout, state, piece),
        Item::parse(layout, state, zone),
    ) {
        (_, Err(error)) => return Reply::failed(error),
        (Ok(Item::Place(_)), Ok(Item::Zone(_))) => Setting {
            item: piece.to_owned(),
            value: ItemValue::Text(zone.to_owned()),
        },
        (_, Ok(Item::Zone(target))) => Setting {
            item: zone.to_owned(),
            value: ItemValue::Top {
                top: vec![from_elsewhere(layout, state, piece, target)],
                rest: None,
            },
        },
        (_, Ok(_)) => return Reply::failed(format!("`{zone}` is no zone")),
    };
    session.change(setting)
}

/// The word for a piece, or that of an equal one if this would name one that lies in the zone already.
fn from_elsewhere(layout: &Layout, state: &TableState, word: &str, zone: ZoneId) -> String {
    let wanted = Word::parse(word);
    let lies = |piece: PieceId| state.pieces[piece.index()].zone;
    let meant: Vec<PieceId> = (0..layout.pieces.len())
        .map(PieceId::from_index)
        .filter(|piece| wanted.means(layout, state, *piece))
        .collect();
    let kind = |piece: &PieceId| layout.pieces[piece.index()].kind;
    let one_kind = meant.iter().all(|piece| kind(piece) == kind(&meant[0]));
    let elsewhere = meant.iter().filter(|piece| lies(**piece) != zone);
    // Rather one that nobody uses yet.
    let best = elsewhere.min_by_key(|piece| lies(**piece) != layout.pieces[piece.index()].start);
    match best {
        Some(best) if one_kind => {
            let hidden = if wanted.face_down { "~" } else { "" };
            let face = wanted.face.map_or(String::new(), |face| format!("@{face}"));
            let kind = &layout.kinds[kind(best).index()].name.id;
            format!(
                "{hidden}{kind}:{}{face}",
                layout.pieces[best.index()].name.id
            )
        }
        _ => word.to_owned(),
    }
}

impl Session {
    /// What a word names that is to be set. Items of the table and parameters have names of their own; where
    /// one has the other's, nothing is guessed.
    fn meant(&self, word: &str) -> Result<Meant, String> {
        let rules = &self.game.rules;
        let item = Item::parse(rules.layout(), &self.game.state.table, word);
        let name = word.strip_prefix(PARAMETER).unwrap_or(word);
        let mut parameters = rules.pack.parameters.iter().map(|known| &known.name.id);
        let parameter = parameters.any(|known| known == name);
        match (item, parameter) {
            (Ok(_), true) if name == word => Err(format!(
                "`{word}` is an item of the table and a parameter of the rules: `table.{word}` or `{PARAMETER}{word}`"
            )),
            (_, true) => Ok(Meant::Parameter(name.to_owned())),
            (Ok(item), false) => Ok(Meant::Item(item)),
            (Err(error), false) if word.contains('.') && name == word => Err(error),
            (Err(_), false) => {
                let near = self.near_names(name);
                Err(match near.is_empty() {
                    false => format!("there is no item or parameter `{word}`; {near}"),
                    true => format!(
                        "there is no item or parameter `{word}`: `state --all` lists the items, `why` the parameters"
                    ),
                })
            }
        }
    }

    /// Which parameter and which item of the table may have been meant by a word that is the name of neither, in words;
    /// empty if none is near.
    pub(super) fn near_names(&self, word: &str) -> String {
        let rules = &self.game.rules;
        let parameters = rules.pack.parameters.iter();
        let parameter = nearest(word, parameters.map(|known| known.name.id.as_str()));
        let paths = self.paths(true);
        // Who leaves the owner out means the item of the player who is asked.
        let layout = rules.layout();
        let mine = self
            .game
            .state
            .run
            .ask
            .map(|ask| layout.key(Value::from(ask.player)));
        let own = mine.and_then(|mine| {
            let begin = format!("{mine}.");
            let families = paths.iter().filter_map(|path| path.strip_prefix(&begin));
            nearest(word, families).map(|near| format!("{begin}{near}"))
        });
        let item = own.or_else(|| {
            let near = nearest(word, paths.iter().map(String::as_str));
            near.map(str::to_owned)
        });
        match (parameter, item) {
            (None, None) => String::new(),
            (Some(near), None) => format!("did you mean the parameter `{near}`?"),
            (None, Some(near)) => format!("did you mean the item `{near}`?"),
            (Some(near), Some(item)) => {
                format!("did you mean the parameter `{near}` or the item `{item}`?")
            }
        }
    }

    fn meant_or_same(&self, text: &str) -> String {
        self.path_meant(text).unwrap_or_else(|| text.to_owned())
    }

    fn change(&mut self, setting: Setting) -> Reply {
        if let Err(error) = self.game.intervene(std::slice::from_ref(&setting)) {
            return Reply::failed(self.error(&error));
        }
        let layout = self.game.rules.layout();
        let state = &self.game.state.table;
        let now = match Item::parse(layout, state, &setting.item) {
            Ok(item) => item.read(layout, state),
            Err(_) => setting.value,
        };
        Reply::ok(format!(
            "{} = {now}; what is asked stays as it was asked\n",
            setting.item
        ))
    }

    /// The paths of all zones, and with `all` those of all numbers.
    fn paths(&self, all: bool) -> Vec<String> {
        let layout = self.game.rules.layout();
        let state = &self.game.state.table;
        let zones =
            (0..layout.zones.len()).map(|zone| item::zone_path(layout, ZoneId::from_index(zone)));
        let cells = Item::all_cells(layout);
        let absent = |path: &String| {
            let word = path.split('.').next().unwrap_or_default();
            word.starts_with("player_") && item::player_of(word, state.players).is_none()
        };
        zones
            .chain(cells.filter(|_| all).map(|cell| cell.path(layout, state)))
            .filter(|path| !absent(path))
            .collect()
    }
}

fn complete_set(session: &Session, text: &str) -> Candidates {
    if !text.contains(char::is_whitespace) {
        let parameters = session.game.rules.pack.parameters.iter();
        let names = parameters.map(|known| known.name.id.clone());
        return Candidates::first(text, session.paths(true).into_iter().chain(names).collect());
    }
    Candidates::words(text, session.piece_words())
}

fn complete_put(session: &Session, text: &str) -> Candidates {
    if !text.contains(char::is_whitespace) {
        return Candidates::first(text, session.piece_words());
    }
    Candidates::words(text, session.paths(false))
}

impl Session {
    /// What pieces are called.
    fn piece_words(&self) -> Vec<String> {
        let layout = self.game.rules.layout();
        let state = &self.game.state.table;
        (0..layout.pieces.len())
            .map(|piece| item::piece_word(layout, state, PieceId::from_index(piece)))
            .collect()
    }
}
