//! The keys of `view.toml`.

use crate::pack::keys::{Key, Keys, Names, Shape, key};

/// The colours in which something can be written.
const COLOUR: Shape = Shape::Word(&[
    "red", "green", "yellow", "blue", "magenta", "cyan", "strong", "grey",
]);

/// How the board is drawn.
pub static VIEW: Keys = Keys::plain(
    "How the board is drawn.",
    &[
        key(
            "rounds",
            Shape::List(&Shape::Prose),
            "The names of rounds, for people.",
        ),
        key(
            "panel",
            Shape::Map(Names::New("panel"), &Shape::Table(&PANEL)),
            "The parts of the board.",
        ),
        key(
            "piece",
            Shape::Map(Names::Known("kind"), &Shape::Table(&PIECE)),
            "How pieces are written, by kind.",
        ),
        key(
            "paint",
            Shape::Map(Names::Known("member of a set, or `player_1`, ..."), &COLOUR),
            "Colours of members and players.",
        ),
        key("log", Shape::Table(&LOG), "What is told of changes."),
    ],
);

pub(super) static LOG: Keys = Keys::plain(
    "What is told of changes.",
    &[key(
        "hide",
        Shape::List(&Shape::Name("counter or zone")),
        "Counters and zones whose changes are not told.",
    )],
);

pub(super) static PANEL: Keys = Keys::plain(
    "A part of the board.",
    &[
        key("title", Shape::Prose, "Its heading: the id if left out, none if empty."),
        key("order", Shape::Int(0, 1000), "Panels are drawn by it, then by id.").or("1000"),
        key(
            "kind",
            Shape::Word(&["list", "grid", "cards", "map"]),
            "`list`: lines; `grid`: a column for each; `cards`: a block for each; `map`: a graph's nodes.",
        )
        .must(),
        key(
            "each",
            Shape::Name("`player`, a graph, set, kind or group"),
            "Of what a grid has a column, or cards a block, for each.",
        ),
        key("graph", Shape::Name("graph"), "The graph that a map draws."),
        key(
            "show",
            Shape::List(&Shape::Either(&[
                Shape::Table(&ITEM),
                Shape::List(&Shape::Table(&ITEM)),
            ])),
            "Its lines: items, or lists of items.",
        ),
    ],
);

pub(super) static ITEM: Keys = Keys::plain(
    "What is shown: exactly one of `zone`, `counter`, `dial`, `toggle` and `attribute`.",
    &[
        key("zone", Shape::Name("zone"), "What lies in a zone."),
        key("counter", Shape::Name("counter"), "The value of a counter."),
        key("dial", Shape::Name("dial"), "The faces of a dial with its needle."),
        key("toggle", Shape::Name("toggle"), "Whether a toggle is on."),
        key("attribute", Shape::Name("attribute"), "An attribute of the panel's member."),
        key("title", Shape::Prose, "What it is called; nothing if empty."),
        key("before", Shape::Prose, "What is written before the value, such as `$`."),
        key(
            "as",
            Shape::Word(&["text", "short", "long", "count"]),
            "How a zone is written: in words, in letters, with all that is printed, or as a number.",
        )
        .or("\"text\""),
        key("sparse", Shape::Bool, "Whether it is left out when there is nothing to show.").or("false"),
        key("from_top", Shape::Bool, "Whether a zone is read from the top.").or("false"),
    ],
);

/// A text for a piece.
const fn written(name: &'static str, doc: &'static str) -> Key {
    key(name, Shape::Template, doc)
}

pub(super) static PIECE: Keys = Keys::plain(
    "How pieces of a kind are written: attributes in braces, `{colour:1}` for the first letter of one.",
    &[
        written("text", "In words.").or("\"{title}\""),
        written("short", "In letters; as in words if left out."),
        written(
            "long",
            "With all that is printed on it; as in words if left out.",
        ),
        key(
            "paint",
            Shape::Name("attribute, or `owner`"),
            "What its colour depends on.",
        ),
        key(
            "hidden",
            Shape::Prose,
            "What one is called whose face nobody shows.",
        ),
        key(
            "with",
            Shape::Name("zone"),
            "The zone of the piece whose contents are named with it.",
        ),
    ],
);
