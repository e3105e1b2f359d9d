//! The keys of scenario files.

use crate::pack::keys::{Keys, Names, Others, Shape, key};

/// A text that names an answer.
const CHOICE: Shape = Shape::Name("choice");

/// What somebody answers.
const ANSWER: Shape = Shape::Either(&[
    CHOICE,
    Shape::List(&CHOICE),
    Shape::Int(i64::MIN, i64::MAX),
    Shape::Bool,
]);

/// What an item holds.
const VALUE: Shape = Shape::Either(&[
    Shape::Int(i64::MIN, i64::MAX),
    Shape::Bool,
    Shape::Name("piece, member or zone"),
    Shape::List(&Shape::Name("piece")),
    Shape::Table(&TOP),
]);

/// An item's value, or those of the items of one owner.
const ITEMS_OR_VALUE: Shape = Shape::Either(&[VALUE, Shape::Map(Names::Known("item"), &VALUE)]);

/// Values of items by path.
const ITEMS: Shape = Shape::Map(Names::Known("item"), &ITEMS_OR_VALUE);

const ASKED: Shape = Shape::Path;

/// Texts by the key of a choice.
const BY_CHOICE: Shape = Shape::Map(Names::Known("choice"), &Shape::Prose);

/// A scenario.
pub static SCENARIO: Keys = Keys::plain(
    "A small story of a game, with what must hold in it.",
    &[
        key("format", Shape::Int(1, 1), "The version of this format.").must(),
        key("title", Shape::Prose, "What it shows.").must(),
        key("pack", Shape::Name("pack"), "The pack that is played.").must(),
        key(
            "variants",
            Shape::List(&Shape::Name("variant")),
            "Its variants, in the order in which they apply.",
        )
        .or("[]"),
        key(
            "parameters",
            Shape::Map(Names::Known("parameter"), &Shape::Int(i64::MIN, i64::MAX)),
            "Numbers of the rules with other values.",
        ),
        key("players", Shape::Int(1, 255), "How many players there are.").must(),
        key(
            "seed",
            Shape::Int(0, i64::MAX),
            "The seed of all chance that is not given.",
        )
        .or("1"),
        key(
            "clauses",
            Shape::List(&Shape::Prose),
            "What it covers: free words.",
        )
        .or("[]"),
        key(
            "set_up",
            Shape::List(&Shape::Table(&SET_UP)),
            "Answers to what the set-up asks before a start elsewhere.",
        ),
        key(
            "start",
            Shape::Table(&START),
            "Where in the flow it begins; at the beginning if left out.",
        ),
        key(
            "table",
            ITEMS,
            "Items by path, set together after the set-up.",
        ),
        key(
            "chance",
            Shape::Table(&CHANCE),
            "Outcomes instead of the seed's, in order.",
        ),
        key(
            "play",
            Shape::List(&Shape::Table(&PLAY)),
            "What is done and looked at, one after the other.",
        ),
        key(
            "expect",
            Shape::Table(&EXPECT),
            "What must hold at the end.",
        ),
    ],
);

/// The pieces on top of a zone.
pub(super) static TOP: Keys = Keys::plain(
    "Only what lies on top of a zone.",
    &[
        key(
            "top",
            Shape::List(&Shape::Name("piece")),
            "The pieces on top, the first to be drawn first.",
        ),
        key(
            "rest",
            Shape::Path,
            "The path of a zone to which what lay below goes; else it stays below.",
        ),
    ],
);

pub(super) static START: Keys = Keys::plain(
    "Where in the flow the scenario begins.",
    &[
        key(
            "block",
            Shape::Name("block"),
            "The block; the first round, after the set-up, if left out.",
        ),
        key("round", Shape::Int(1, 1000), "The number of the round.").or("1"),
    ],
);

pub(super) static CHANCE: Keys = Keys::plain(
    "Outcomes instead of the seed's, in order.",
    &[
        key(
            "all_given",
            Shape::Bool,
            "Whether nothing may come from the seed.",
        )
        .or("false"),
        key(
            "rolls",
            Shape::Map(Names::Known("die"), &Shape::List(&Shape::Int(1, 100))),
            "Faces that dice show, by a die's id or by the key that equal dice share.",
        ),
        key(
            "shuffles",
            Shape::Map(
                Names::Known("zone"),
                &Shape::List(&Shape::List(&Shape::Name("piece"))),
            ),
            "Orders in which zones lie after a shuffle, the first to be drawn first.",
        ),
        key(
            "picks",
            Shape::Map(Names::Known("stream"), &Shape::List(&CHOICE)),
            "What is drawn from streams of chance.",
        ),
    ],
);

/// Who answers what.
const ANSWERS: Others = Others {
    prefix: "player_",
    doc: "What the player answers: `player_1.DECISION = ANSWER`.",
    shape: Shape::Map(Names::Known("decision"), &ANSWER),
};

/// An answer to what the set-up asks. Only answers may be given there, which is told with its reason.
static SET_UP: Keys = Keys::plain("An answer.", &[]).with(ANSWERS);

pub(super) static PLAY: Keys = Keys::plain(
    "An answer, a look or a change; with what must hold before and after it.",
    &[
        key(
            "asked",
            ASKED,
            "`player_N.DECISION`: this is asked now, and not answered.",
        ),
        key("set", ITEMS, "Items that are changed from outside."),
        key(
            "offered",
            Shape::Either(&[
                Shape::List(&CHOICE),
                Shape::Map(Names::Known("choice"), &Shape::Int(1, 10_000)),
            ]),
            "Choices that are offered; with the numbers of equal ones, or without.",
        ),
        key(
            "not_offered",
            Shape::List(&CHOICE),
            "Choices that are not offered.",
        ),
        key("choices", Shape::List(&CHOICE), "All that is offered."),
        key(
            "refused",
            BY_CHOICE,
            "What is refused, each with its reason and perhaps its numbers.",
        ),
        key("hints", BY_CHOICE, "What scripts say of offered choices."),
        key(
            "rejected",
            Shape::List(&ANSWER),
            "Answers that are not accepted.",
        ),
        key(
            "expect",
            Shape::Table(&EXPECT),
            "What must hold after it and the forced answers that follow.",
        ),
    ],
)
.with(ANSWERS);

pub(super) static EXPECT: Keys = Keys::plain(
    "What must hold.",
    &[
        key("asked", ASKED, "`player_N.DECISION`: what is asked now."),
        key(
            "not_asked",
            Shape::List(&ASKED),
            "What is not asked, nor was since the answer; at the end: never in the whole scenario.",
        ),
        key("over", Shape::Bool, "Whether the game is over."),
        key(
            "scores",
            Shape::List(&Shape::Int(i64::MIN, i64::MAX)),
            "The scores of all players.",
        ),
        key(
            "winner",
            Shape::List(&Shape::Int(1, 255)),
            "The numbers of those who won.",
        ),
        key(
            "sees",
            Shape::Map(Names::Known("player"), &ITEMS),
            "What players know of items; a piece that is hidden is `?`.",
        ),
    ],
)
.with(Others {
    prefix: "",
    doc: "An item by its path, and what it holds.",
    shape: ITEMS_OR_VALUE,
});
