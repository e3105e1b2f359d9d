//! The tables of a pack and of a variant.

use super::super::names::Section;
use super::entries::*;
use super::{Key, Keys, Names, Need, Shape, key};

/// The top-level tables of a pack: their names and what they hold.
pub static PACK_TABLES: &[Key] = &[
    key("game", Shape::Table(&GAME), "The game itself."),
    key(
        "provenance",
        super::PROVENANCES,
        "Where all entries of the file come from that do not say it themselves.",
    )
    .or("\"printed\""),
    table("graph", &Shape::Table(&GRAPH), "Graphs of nodes and edges."),
    table(
        "set",
        &Shape::Table(&SET),
        "Sets: of listed members, or of nodes of a graph.",
    ),
    table("kind", &Shape::Table(&KIND), "Kinds of pieces."),
    table(
        "group",
        &Shape::Table(&GROUP),
        "Kinds of groups that are made during play.",
    ),
    table(
        "zone",
        &Shape::Table(&ZONE),
        "Families of zones, in which pieces lie.",
    ),
    table("counter", &Shape::Table(&COUNTER), "Families of counters."),
    table(
        "dial",
        &Shape::Table(&DIAL),
        "Families of dials with printed faces.",
    ),
    table(
        "toggle",
        &Shape::Table(&TOGGLE),
        "Families of toggles: printed switches that are off or on.",
    ),
    table(
        "parameter",
        &Shape::Table(&PARAMETER),
        "The numbers of the rules.",
    ),
    table(
        "modifier",
        &Shape::Table(&MODIFIER),
        "What changes parameters.",
    ),
    table(
        "event",
        &Shape::Table(&EVENT),
        "What can happen that abilities answer to.",
    ),
    table(
        "ability",
        &Shape::Table(&ABILITY),
        "What a player has while a piece lies in a zone of theirs.",
    ),
    table(
        "decision",
        &Shape::Table(&DECISION),
        "What players are asked.",
    ),
    table(
        "choice",
        &Shape::Table(&CHOICE),
        "Plain choices, such as passing.",
    ),
    table(
        "reason",
        &Shape::Table(&REASON),
        "Why something cannot be chosen.",
    ),
    table("stream", &Shape::Table(&STREAM), "Streams of chance."),
    table("flow", &Shape::Table(&BLOCK), "Blocks of the flow."),
    table("score", &Shape::Table(&SCORE), "Scoring terms."),
    table("tie", &Shape::Table(&TIE), "Tie-breaks."),
    table(
        "exchange",
        &Shape::Table(&EXCHANGE),
        "Exchanges: what can be turned into what.",
    ),
    table(
        "statistic",
        &Shape::Table(&STATISTIC),
        "What simulations count besides scores.",
    ),
];

/// A table of entries by id.
const fn table(name: &'static str, shape: &'static Shape, doc: &'static str) -> Key {
    Key {
        name,
        shape: Shape::Map(Names::New("id"), shape),
        need: Need::Never,
        doc,
    }
}

/// The keys of an entry of a table.
pub(in crate::pack) fn entry_keys(section: Section) -> &'static Keys {
    let found = PACK_TABLES.iter().find(|key| key.name == section.name());
    match found.map(|key| key.shape) {
        Some(Shape::Map(_, Shape::Table(keys))) => keys,
        _ => unreachable!("each table of entries is declared"),
    }
}

/// The tables whose entries have a key of their own with this name.
pub(in crate::pack) fn tables_with(name: &str) -> Vec<&'static str> {
    let has = |key: &&Key| match key.shape {
        Shape::Map(_, Shape::Table(keys)) => keys.keys.iter().any(|key| key.name == name),
        _ => false,
    };
    PACK_TABLES.iter().filter(has).map(|key| key.name).collect()
}

/// The table that says what a variant is.
pub static VARIANT: Keys = Keys::plain(
    "What the variant is.",
    &[
        key("title", Shape::Prose, "What it is called.").must(),
        key(
            "reason",
            Shape::Prose,
            "Why one would play so, in one line.",
        )
        .must(),
        key(
            "requires",
            VARIANTS,
            "Variants without which it cannot be played; it comes after them.",
        ),
        key(
            "excludes",
            VARIANTS,
            "Variants with which it cannot be played.",
        ),
        key(
            "after",
            VARIANTS,
            "Variants over which it has the last word, if they are chosen too.",
        ),
        key(
            "remove",
            Shape::List(&Shape::Path),
            "Paths of what is taken out of the rules, such as `toggle.drought`.",
        ),
        key(
            "override",
            FUNCTIONS,
            "Functions of the variant's script that take the place of the pack's.",
        ),
        key(
            "wrap",
            FUNCTIONS,
            "Functions of the variant's script that call the pack's as `base(...)`.",
        ),
    ],
);

const VARIANTS: Shape = Shape::List(&Shape::Name("variant"));
const FUNCTIONS: Shape = Shape::List(&Shape::Name("function"));
const STEP: Shape = Shape::Name("step");
const STEPS_BY_STEP: Shape = Shape::Map(Names::Known("step"), &STEP);

/// What a variant can change of the steps of a block, besides the block's own keys.
pub static VARIANT_STEPS: Keys = Keys::plain(
    "Changes of the steps of a block.",
    &[
        key(
            "insert",
            Shape::List(&Shape::Table(&INSERTION)),
            "Steps that are put beside others.",
        ),
        key("drop", Shape::List(&STEP), "Steps that are left out."),
        key(
            "replace",
            STEPS_BY_STEP,
            "Steps, and what takes their places.",
        ),
        key(
            "wrap",
            STEPS_BY_STEP,
            "Steps, and the blocks that are put around them and do them.",
        ),
    ],
);

/// A step that is put beside another.
pub(in crate::pack) static INSERTION: Keys = Keys::plain(
    "A step that is put beside another; either `before` or `after` says where.",
    &[
        key("step", STEP, "The block or function that is done.").must(),
        key("before", STEP, "The step before which it is done."),
        key("after", STEP, "The step after which it is done."),
    ],
);
