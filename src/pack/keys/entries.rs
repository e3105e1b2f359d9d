//! The entries of the tables of a pack.

use crate::pack::model::MOST_NUMBER;

use super::{Key, Keys, Names, Others, Shape, key};

/// The range of what a counter or dial holds.
const CELL: Shape = Shape::Int(i32::MIN as i64 + 1, i32::MAX as i64 - 1);

/// The range of the numbers of rules.
const NUMBER: Shape = Shape::Int(-MOST_NUMBER, MOST_NUMBER);

/// The place of an entry among its like.
const ORDER: Shape = Shape::Int(-1_000_000, 1_000_000);

/// How many things a term can ask for.
const MOST_COUNTED: i64 = 1_000_000;

const PER: Shape = Shape::List(&Shape::Name("`player`, a graph, set, kind or group"));
const TAGS: Shape = Shape::List(&Shape::NewName("tag"));
const ATTRIBUTES: Shape = Shape::Map(Names::New("attribute"), &Shape::Type);
const VISIBLE: Shape = Shape::Word(&["all", "owner", "nobody"]);

/// The attributes that an entry has besides its keys.
const fn attributes(doc: &'static str) -> Others {
    Others {
        prefix: "",
        doc,
        shape: Shape::Value,
    }
}

pub(in crate::pack) static GAME: Keys = Keys {
    doc: "The game itself.",
    keys: &[
        key("title", Shape::Prose, "What the game is called.").must(),
        key(
            "players",
            Shape::List(&Shape::Int(1, 8)),
            "The least and the most number of players.",
        )
        .must(),
        key(
            "flow",
            Shape::Name("block"),
            "The block in which the game begins.",
        )
        .must(),
        key(
            "evaluate",
            Shape::Script,
            "How well a player stands, for bots: a pure expression over `me`; the scores if left out.",
        ),
        key(
            "player_titles",
            Shape::List(&Shape::Prose),
            "What the players are called, for people.",
        ),
    ],
    common: true,
    others: None,
};

pub(super) static GRAPH: Keys = Keys::entry(
    "A graph: nodes, edges with costs, and what is known of the nodes.",
    &[
        key(
            "attributes",
            ATTRIBUTES,
            "What each node may say of itself: names and types.",
        ),
        key(
            "nodes",
            Shape::Map(Names::New("node"), &Shape::Table(&NODE)),
            "The nodes by id.",
        )
        .must(),
        key(
            "edges",
            Shape::List(&Shape::Table(&EDGE)),
            "What joins the nodes.",
        ),
        key(
            "check",
            Shape::Table(&COST_CHECK),
            "A promise that an attribute is the cost of the cheapest route.",
        ),
    ],
);

pub(in crate::pack) static NODE: Keys = Keys::entry(
    "A node of a graph, with its attributes.",
    &[key(
        "at",
        Shape::List(&Shape::Int(0, 100)),
        "Where it is drawn: percent from the left and from the top.",
    )],
)
.with(attributes("An attribute that the graph declares."));

pub(in crate::pack) static EDGE: Keys = Keys::plain(
    "An edge, which can be used both ways.",
    &[
        key(
            "between",
            Shape::List(&Shape::Name("node")),
            "Its two ends.",
        )
        .must(),
        key("cost", Shape::Int(0, 100), "What it costs to go along it.").or("1"),
    ],
);

pub(in crate::pack) static COST_CHECK: Keys = Keys::plain(
    "An attribute of the nodes that must be the cost of the cheapest route from one of them.",
    &[
        key(
            "from",
            Shape::Name("node"),
            "The node from which routes begin.",
        )
        .must(),
        key(
            "attribute",
            Shape::Name("attribute"),
            "The attribute that is compared.",
        )
        .must(),
    ],
);

pub(super) static SET: Keys = Keys::entry(
    "A set: either `members`, or nodes of a `graph`.",
    &[
        key(
            "members",
            Shape::Either(&[
                Shape::List(&Shape::NewName("member")),
                Shape::Map(Names::New("member"), &Shape::Table(&MEMBER)),
            ]),
            "Its members: a list of ids, or tables by id.",
        ),
        key(
            "attributes",
            ATTRIBUTES,
            "What each member may say of itself: names and types.",
        ),
        key(
            "graph",
            Shape::Name("graph"),
            "The graph whose nodes are selected.",
        ),
        key(
            "except",
            Shape::List(&Shape::Name("node")),
            "Nodes that are left out.",
        ),
        key(
            "only",
            Shape::List(&Shape::Name("node")),
            "The nodes that are selected.",
        ),
    ],
);

pub(in crate::pack) static MEMBER: Keys =
    Keys::entry("A member of a set, with its attributes.", &[])
        .with(attributes("An attribute that the set declares."));

pub(super) static KIND: Keys = Keys::entry(
    "A kind of pieces, and which pieces of it there are.",
    &[
        key(
            "attributes",
            ATTRIBUTES,
            "What each piece may say of itself: names and types.",
        ),
        key(
            "count",
            Shape::Int(1, 32_000),
            "How many pieces of it there must be; nobody counts if left out.",
        ),
        key(
            "faces",
            Shape::Int(2, 100),
            "How many faces it has, if its pieces are dice.",
        ),
        key(
            "start",
            Shape::Name("zone"),
            "The zone in which its pieces begin.",
        )
        .must(),
        key(
            "face_down",
            Shape::Bool,
            "Whether its pieces begin face down.",
        )
        .or("false"),
        key(
            "per_player",
            Shape::Bool,
            "Whether each player owns one piece of it.",
        )
        .or("false"),
        key(
            "unlimited",
            Shape::Bool,
            "Whether its one piece never runs out.",
        )
        .or("false"),
        key(
            "key",
            Shape::Template,
            "How its pieces are called in answers, from attributes in braces; alike pieces are one choice.",
        ),
        key(
            "piece_title",
            Shape::Template,
            "What its pieces are called, from attributes in braces.",
        ),
        key(
            "pieces",
            Shape::List(&Shape::Table(&PIECE)),
            "Its pieces, one by one.",
        ),
        key(
            "generate",
            Shape::List(&Shape::Table(&GENERATED)),
            "Pieces made from sets: one for each combination of members.",
        ),
    ],
);

/// How many pieces are alike.
const COPIES: Shape = Shape::Int(1, 10_000);

pub(in crate::pack) static PIECE: Keys = Keys::entry(
    "A piece with its attributes, or several that are alike.",
    &[
        key("id", Shape::NewName("piece"), "Its id.").must(),
        key("copies", COPIES, "How many of it there are.").or("1"),
    ],
)
.with(attributes("An attribute that the kind declares."));

pub(in crate::pack) static GENERATED: Keys = Keys::entry(
    "Pieces made from sets, with the attributes that they share.",
    &[
        key(
            "each",
            Shape::List(&Shape::Either(&[
                Shape::Name("set or graph"),
                Shape::Table(&EACH),
            ])),
            "The sets or graphs of whose members each combination makes a piece.",
        ),
        key("copies", COPIES, "How many of each there are.").or("1"),
    ],
)
.with(attributes("An attribute that the kind declares."));

pub(in crate::pack) static EACH: Keys = Keys::plain(
    "A set whose members an attribute of another name holds.",
    &[
        key(
            "attribute",
            Shape::Name("attribute"),
            "The attribute that holds the member.",
        )
        .must(),
        key("set", Shape::Name("set or graph"), "The set or graph.").must(),
    ],
);

pub(super) static GROUP: Keys = Keys::entry(
    "A kind of groups, which are made during play and cease when they are emptied.",
    &[key(
        "most",
        Shape::Int(1, 1000),
        "How many of them there can be at once.",
    )
    .must()],
);

pub(super) static ZONE: Keys = Keys::entry(
    "A family of zones, in which pieces lie.",
    &[
        key(
            "per",
            PER,
            "Over what it is spread; one shared zone if empty.",
        )
        .or("[]"),
        key(
            "holds",
            Shape::Name("kind"),
            "The only kind whose pieces may lie there.",
        ),
        key(
            "ordered",
            Shape::Bool,
            "Whether the order of its pieces matters, as in a deck.",
        )
        .or("false"),
        key(
            "capacity",
            Shape::Int(1, 32_000),
            "How many pieces fit; as many as there are if left out.",
        ),
        key("visible", VISIBLE, "Who sees the faces of what lies there.").or("\"all\""),
        key(
            "refill",
            Shape::Name("zone"),
            "The zone whose pieces are shuffled into it when it runs out.",
        ),
    ],
);

pub(super) static COUNTER: Keys = Keys::entry(
    "A family of counters, each of which holds one value.",
    &[
        key(
            "per",
            PER,
            "Over what it is spread; one shared counter if empty.",
        )
        .or("[]"),
        key(
            "holds",
            Shape::Type,
            "What it holds: a number, a truth value, a player, a member or a piece.",
        )
        .or("\"int\""),
        key(
            "scope",
            Shape::Word(&["game", "round", "phase", "turn", "step"]),
            "At whose end it returns to its start.",
        )
        .or("\"game\""),
        key(
            "start",
            Shape::Either(&[CELL, Shape::Bool, Shape::Name("member")]),
            "What it holds at first; 0, `false` or nothing if left out.",
        ),
        key("least", CELL, "The least number that it can hold."),
        key("most", CELL, "The most that it can hold."),
        key("visible", VISIBLE, "Who sees it.").or("\"all\""),
    ],
);

pub(super) static DIAL: Keys = Keys::entry(
    "A family of dials, whose needles stand on printed faces.",
    &[
        key(
            "per",
            PER,
            "Over what it is spread; one shared dial if empty.",
        )
        .or("[]"),
        key("faces", Shape::List(&CELL), "Its faces in their order.").must(),
        key(
            "start",
            CELL,
            "The face on which it begins; the first if left out.",
        ),
        key(
            "tags",
            TAGS,
            "Names under which dials and toggles are found together.",
        ),
    ],
);

pub(super) static TOGGLE: Keys = Keys::entry(
    "A family of toggles, each off or on.",
    &[
        key(
            "per",
            PER,
            "Over what it is spread; one shared toggle if empty.",
        )
        .or("[]"),
        key("start", Shape::Bool, "Whether it is on at first.").or("false"),
        key(
            "tags",
            TAGS,
            "Names under which dials and toggles are found together.",
        ),
    ],
);

pub(super) static PARAMETER: Keys = Keys::entry(
    "A number of the rules.",
    &[
        key("doc", Shape::Prose, "What the number means.").must(),
        key(
            "value",
            Shape::Either(&[NUMBER, Shape::Bool]),
            "The number; `true` and `false` are 1 and 0.",
        )
        .must(),
        key("least", NUMBER, "The least that it can be set to."),
        key("most", NUMBER, "The most that it can be set to."),
    ],
);

/// What a modifier says, in `[modifier]` and in an ability.
const CHANGE: [Key; 6] = [
    key(
        "parameter",
        Shape::Name("parameter"),
        "The parameter that is changed.",
    )
    .must(),
    key("set", Shape::Script, "What the parameter is instead."),
    key("add", Shape::Script, "What is added to the parameter."),
    key("min", Shape::Script, "What the parameter is at least."),
    key("max", Shape::Script, "What the parameter is at most."),
    key(
        "when",
        Shape::Script,
        "When it holds: a pure expression over `me`, `subject` and the table; always if left out.",
    ),
];

pub(super) static MODIFIER: Keys = Keys::entry(
    "What changes a parameter: exactly one of `set`, `add`, `min` and `max`.",
    &CHANGE,
);

pub(in crate::pack) static MODIFY: Keys = Keys::plain(
    "What changes a parameter for whoever has the ability: exactly one of `set`, `add`, `min` and `max`.",
    &CHANGE,
);

pub(super) static EVENT: Keys = Keys::entry(
    "What can happen; scripts say `trigger(event::ID, ...)`.",
    &[],
);

pub(super) static ABILITY: Keys = Keys::entry(
    "What a player has while a piece lies in a zone of theirs: one or more of `modify`, `trigger` and `score`.",
    &[
        key("piece", Shape::Name("piece"), "The piece that gives it.").must(),
        key(
            "zone",
            Shape::Name("zone"),
            "The zone in which it gives it: with `per = [\"player\"]`, and one that `holds` a kind.",
        )
        .must(),
        key("modify", Shape::Either(&[Shape::Table(&MODIFY), Shape::List(&Shape::Table(&MODIFY))]), "Changes of parameters."),
        key("trigger", Shape::Either(&[Shape::Table(&TRIGGER), Shape::List(&Shape::Table(&TRIGGER))]), "What is done when something happens."),
        key("score", Shape::Either(&[Shape::Table(&ABILITY_SCORE), Shape::List(&Shape::Table(&ABILITY_SCORE))]), "Points at the end."),
    ],
);

pub(in crate::pack) static TRIGGER: Keys = Keys::plain(
    "What whoever has the ability does when an event happens to them.",
    &[
        key("on", Shape::Name("event"), "The event.").must(),
        key(
            "when",
            Shape::Script,
            "When it does: a pure expression over `me`, `subject` and the table; always if left out.",
        ),
        key(
            "effect",
            Shape::Script,
            "What is done: a function that takes `me` and `subject`, or a script over them.",
        )
        .must(),
    ],
);

pub(super) static DECISION: Keys = Keys::entry(
    "What players are asked.",
    &[
        key("prompt", Shape::Prose, "The question, for people.").must(),
        key(
            "of",
            Shape::Type,
            "The type of what is chosen, where scripts cannot tell it.",
        ),
        key(
            "secret",
            Shape::Bool,
            "Whether the others do not see the answer.",
        )
        .or("false"),
    ],
);

pub(super) static CHOICE: Keys = Keys::entry(
    "A plain choice, such as passing; scripts say `choice::ID`.",
    &[],
);

pub(super) static REASON: Keys = Keys::entry(
    "Why something cannot be chosen; scripts say `reason::ID`.",
    &[key(
        "text",
        Shape::Prose,
        "The reason, with `{0}`, `{1}`, ... for its numbers.",
    )
    .must()],
);

pub(super) static STREAM: Keys = Keys::entry("A stream of chance; scripts say `stream::ID`.", &[]);

pub(super) static BLOCK: Keys = Keys::entry(
    "A block of the flow: steps, done once, or as `times`, `while` or `each` says.",
    &[
        key(
            "do",
            Shape::List(&Shape::Name("block or function")),
            "Its steps: blocks and functions.",
        )
        .must(),
        key("times", Shape::Script, "How often it is done."),
        key("while", Shape::Script, "It is done as long as this holds."),
        key(
            "each",
            Shape::Script,
            "It is done for each of these: a list, such as `players()`.",
        ),
        key("when", Shape::Script, "It is done only if this holds."),
        key(
            "scope",
            Shape::Word(&["round", "phase", "turn"]),
            "What it is: counters with this scope return to their starts at its end.",
        ),
    ],
);

/// What a scoring term counts.
const TERM: [Key; 9] = [
    key("order", ORDER, "Terms are listed by it, then by id.").or("0"),
    key(
        "count",
        Shape::Name("zone"),
        "The zone whose pieces are counted: the player's, or the shared one.",
    ),
    key(
        "with",
        Shape::Map(Names::Known("attribute"), &Shape::Value),
        "Only pieces with these attributes are counted.",
    ),
    key(
        "which",
        Shape::Script,
        "Only pieces for which this holds: a pure expression over `me` and `piece`.",
    ),
    key(
        "distinct",
        Shape::Name("attribute"),
        "The different values of this attribute are counted instead of pieces.",
    ),
    key(
        "least",
        Shape::Int(0, MOST_COUNTED),
        "Nothing is given for fewer than that.",
    )
    .or("0"),
    key(
        "every",
        Shape::Int(1, MOST_COUNTED),
        "So many of them count once; those left over do not.",
    )
    .or("1"),
    key(
        "flat",
        Shape::Bool,
        "Whether the points are given once, however many count.",
    )
    .or("false"),
    key(
        "points",
        Shape::Script,
        "Points for each that counts; without `count`, so many: a pure expression over `me`.",
    ),
];

/// The condition of a scoring term.
const WHEN_SCORED: Key = key(
    "when",
    Shape::Script,
    "Points are given only if this holds: a pure expression over `me`.",
);

const SCORE_TERM: [Key; 10] = {
    let mut keys = [WHEN_SCORED; 10];
    let mut at = 0;
    while at < TERM.len() {
        keys[at] = TERM[at];
        at += 1;
    }
    keys
};

pub(super) static SCORE: Keys = Keys::entry("Points at the end.", &SCORE_TERM);

pub(in crate::pack) static ABILITY_SCORE: Keys = Keys::plain(
    "Points at the end for whoever has the ability.",
    &SCORE_TERM,
);

pub(super) static TIE: Keys = Keys::entry(
    "A tie-break: who has the most is before the others. Each is asked of those who are still tied.",
    &TERM,
);

pub(super) static EXCHANGE: Keys = Keys::entry(
    "What can be turned into what, and what must come out; scripts say `reaches(exchange::ID, ...)`.",
    &[
        key(
            "subject",
            Shape::Table(&SUBJECT),
            "What it is asked about, besides the player.",
        ),
        key(
            "resource",
            Shape::Map(Names::New("resource"), &Shape::Table(&RESOURCE)),
            "What there can be some of.",
        ),
        key(
            "rule",
            Shape::Map(Names::New("rule"), &Shape::Table(&RULE)),
            "What can be done, any number of times.",
        ),
        key(
            "goal",
            AMOUNTS,
            "How much of which resources must come out.",
        )
        .must(),
    ],
);

const AMOUNTS: Shape = Shape::Map(Names::Known("resource"), &Shape::Script);

pub(in crate::pack) static SUBJECT: Keys = Keys::plain(
    "What an exchange is asked about.",
    &[
        key(
            "name",
            Shape::NewName("variable"),
            "How expressions call it.",
        )
        .must(),
        key("type", Shape::Type, "Its type.").must(),
    ],
);

pub(in crate::pack) static RESOURCE: Keys = Keys::entry(
    "Something that there can be some of.",
    &[
        key(
            "each",
            Shape::Name("set"),
            "A set: there is one such resource for each member.",
        ),
        key("start", Shape::Script, "How much there is at first.").must(),
        key(
            "most",
            Shape::Script,
            "How much there can be; what is more is lost.",
        ),
    ],
);

pub(in crate::pack) static RULE: Keys = Keys::entry(
    "Something that can be done with resources.",
    &[
        key(
            "each",
            Shape::Name("set"),
            "A set: the rule is there for each member.",
        ),
        key("need", AMOUNTS, "What must be there, and stays."),
        key("take", AMOUNTS, "What must be there, and goes."),
        key("give", AMOUNTS, "What comes."),
        key(
            "take_any",
            Shape::Table(&TAKE_ANY),
            "So many of any of several resources go.",
        ),
        key(
            "automatic",
            Shape::Bool,
            "Whether it is done whenever it can be.",
        )
        .or("false"),
    ],
);

pub(in crate::pack) static TAKE_ANY: Keys = Keys::plain(
    "What is taken from any of several resources.",
    &[
        key(
            "from",
            Shape::List(&Shape::Name("resource")),
            "The resources.",
        )
        .must(),
        key("count", Shape::Script, "How many are taken together.").must(),
    ],
);

pub(super) static STATISTIC: Keys = Keys::entry(
    "What simulations count: exactly one of `counter`, `decision`, `dial`, `noted`, `tag` and `zone`.",
    &[
        key(
            "counter",
            Shape::Name("counter"),
            "Rises of a counter, and what it comes to hold.",
        ),
        key(
            "decision",
            Shape::Name("decision"),
            "What is chosen at a decision.",
        ),
        key("dial", Shape::Name("dial"), "Steps forward of a dial."),
        key(
            "noted",
            Shape::Type,
            "What scripts note with `note(statistic::NAME, me, what)`: the type of what is told apart, or `nothing`.",
        ),
        key(
            "tag",
            Shape::Name("tag"),
            "Steps of dials with a tag, and its toggles turned on.",
        ),
        key("zone", Shape::Name("zone"), "Pieces that come into a zone."),
        key(
            "by",
            Shape::Word(&["piece", "place"]),
            "Whether pieces that come into a zone are told apart by piece or by place.",
        ),
    ],
);
