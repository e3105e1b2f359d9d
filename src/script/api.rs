//! The one table of everything that scripts can call: lowering resolves from it, the documentation is
//! printed from it, and its examples are tested.

/// What a parameter of a verb must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Anything.
    Any,
    /// A number.
    Int,
    /// A boolean.
    Bool,
    /// A text.
    Text,
    /// A player.
    Player,
    /// A piece.
    Piece,
    /// A zone.
    Zone,
    /// A node.
    Node,
    /// A list or a zone.
    Sequence,
    /// A dial.
    Dial,
    /// A parameter.
    Parameter,
    /// A decision.
    Decision,
    /// A reason.
    Reason,
    /// A stream.
    Stream,
    /// An exchange.
    Exchange,
    /// A tag.
    Tag,
    /// A set or a graph.
    SetOrGraph,
    /// A kind of piece.
    Kind,
    /// A kind of group.
    GroupKind,
    /// A statistic.
    Statistic,
    /// An attribute's name.
    Attribute,
    /// An effect.
    Effect,
    /// An event.
    Event,
    /// A closure with one parameter.
    Closure,
    /// A closure without parameters.
    Thunk,
}

impl Want {
    /// What is wanted, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Any => "anything",
            Self::Int => "a number",
            Self::Bool => "a boolean",
            Self::Text => "a text",
            Self::Player => "a player",
            Self::Piece => "a piece",
            Self::Zone => "a zone",
            Self::Node => "a node",
            Self::Sequence => "a list or a zone",
            Self::Dial => "a dial",
            Self::Parameter => "a parameter",
            Self::Decision => "a decision",
            Self::Reason => "a reason",
            Self::Stream => "a stream",
            Self::Exchange => "an exchange",
            Self::Tag => "a tag",
            Self::SetOrGraph => "a set or a graph",
            Self::Kind => "a kind",
            Self::GroupKind => "a kind of group",
            Self::Statistic => "a statistic",
            Self::Attribute => "an attribute",
            Self::Effect => "an effect",
            Self::Event => "an event",
            Self::Closure => "a closure `|x| …`",
            Self::Thunk => "a closure `|| …`",
        }
    }
}

/// What a verb gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// `()`
    Nothing,
    /// A number.
    Int,
    /// A boolean.
    Bool,
    /// A list of players.
    Players,
    /// An element of the first argument.
    Element,
    /// An element of the second argument.
    ElementOfSecond,
    /// A list of the elements of the first argument.
    Elements,
    /// A list of the members of a set or the nodes of a graph.
    Members,
    /// A list of pieces of the kind.
    Pieces,
    /// A list of groups of the kind.
    Groups,
    /// A group of the kind.
    Group,
    /// A list of nodes.
    Nodes,
    /// What the closure gives.
    OfClosure,
    /// A list of what the closure gives.
    ListOfClosure,
    /// What the decision's choices are.
    Choice,
    /// A list of what the decision's choices are.
    Choices,
    /// Anything.
    Any,
}

impl Gives {
    /// What is given, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Int => "number",
            Self::Bool => "boolean",
            Self::Players => "players",
            Self::Element => "element of the first argument",
            Self::ElementOfSecond => "element of the second argument",
            Self::Elements => "list of elements of the first argument",
            Self::Members => "list of members or nodes",
            Self::Pieces => "list of pieces",
            Self::Groups => "list of groups",
            Self::Group => "group",
            Self::Nodes => "list of nodes",
            Self::OfClosure => "what the closure gives",
            Self::ListOfClosure => "list of what the closure gives",
            Self::Choice => "what was chosen",
            Self::Choices => "list of what was chosen",
            Self::Any => "anything",
        }
    }
}

/// How a verb acts on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acts {
    /// It only looks.
    Looks,
    /// It changes something, asks or uses chance.
    Changes,
    /// It speaks to those who listen; left out, arguments and all, when nobody does.
    Speaks,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Which verb.
    pub verb: Verb,
    /// How scripts call it.
    pub name: &'static str,
    /// Its parameters: name and what they must be.
    pub parameters: &'static [(&'static str, Want)],
    /// How many of them may be left out at the end.
    pub optional: usize,
    /// Whether the last may be repeated.
    pub repeats: bool,
    /// What it gives.
    pub gives: Gives,
    /// Whether it changes anything.
    pub acts: Acts,
    /// What it does.
    pub doc: &'static str,
    /// A use of it.
    pub example: &'static str,
}

macro_rules! verbs {
    ($($verb:ident $name:literal ($($parameter:literal : $want:ident),*) $optional:literal $repeats:literal -> $gives:ident, $acts:ident, $doc:literal, $example:literal;)*) => {
        /// A verb of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Verb {
            $(
                #[doc = $doc]
                $verb,
            )*
        }

        /// All verbs.
        pub const TABLE: &[Entry] = &[
            $(Entry {
                verb: Verb::$verb,
                name: $name,
                parameters: &[$(($parameter, Want::$want)),*],
                optional: $optional,
                repeats: $repeats,
                gives: Gives::$gives,
                acts: Acts::$acts,
                doc: $doc,
                example: $example,
            },)*
        ];
    };
}

verbs! {
    // What there is.
    Players "players"() 0 false -> Players, Looks, "All players, in the order of places round the table.", "for p in players() { p.coins += 1; }";
    Members "members"("set": SetOrGraph) 0 false -> Members, Looks, "The members of a set, or the nodes of a graph, in the byte order of their ids.", "for suit in members(set::suit) { }";
    Pieces "pieces"("kind": Kind) 0 false -> Pieces, Looks, "All declared pieces of a kind, wherever they lie.", "pieces(kind::die).len()";
    Groups "groups"("kind": GroupKind) 0 false -> Groups, Looks, "The groups of a kind that are alive.", "groups(group::trick).filter(|t| t.taker == me)";
    Tagged "tagged"("tag": Tag) 0 false -> Any, Looks, "The dials and toggles with a tag.", "for part in tagged(tag::upgrade) { }";
    ValueOf "value"("parameter": Parameter, "player": Player, "subject": Any) 2 false -> Int, Looks, "A parameter's value for a player, and about a subject where it matters, after all modifiers that hold.", "value(parameter::stride, me)";
    // Moving pieces.
    Put "put"("piece": Piece, "zone": Zone) 0 false -> Nothing, Changes, "Puts a piece on top of a zone, face up. Error if the zone is full or holds another kind.", "put(me.pawn, table.track)";
    PutBottom "put_bottom"("piece": Piece, "zone": Zone) 0 false -> Nothing, Changes, "Puts a piece at the bottom of a zone, face up.", "put_bottom(card, table.deck)";
    PutFaceDown "put_face_down"("piece": Piece, "zone": Zone) 0 false -> Nothing, Changes, "Puts a piece on top of a zone, face down.", "put_face_down(card, set.laid)";
    PutAll "put_all"("pieces": Sequence, "zone": Zone) 0 false -> Int, Changes, "Puts each piece of a list or a zone on top of a zone, face up; gives how many.", "put_all(me.played, table.pile)";
    TurnUp "turn_up"("piece": Piece) 0 false -> Nothing, Changes, "Turns a piece face up.", "turn_up(card)";
    TurnDown "turn_down"("piece": Piece) 0 false -> Nothing, Changes, "Turns a piece face down.", "turn_down(card)";
    Draw "draw"("from": Zone, "to": Zone, "count": Int) 0 false -> Int, Changes, "Draws up to `count` pieces from the top of a zone to another, refilling as the zone declares; gives how many came.", "draw(table.deck, me.hand, 2)";
    TopOf "take_top"("zone": Zone) 0 false -> Element, Changes, "The piece on top of a zone, after refilling as the zone declares; `()` if none comes. It stays there.", "put(take_top(table.supply), me.collected)";
    // Chance.
    Shuffle "shuffle"("zone": Zone) 0 false -> Nothing, Changes, "Shuffles a zone.", "shuffle(table.deck)";
    Roll "roll"("die": Piece) 0 false -> Int, Changes, "Rolls a die and gives its face, from 1.", "let face = roll(die)";
    Pick "pick"("stream": Stream, "values": Sequence) 0 false -> ElementOfSecond, Changes, "One of several values by chance. Error if there are none.", "pick(stream::first_player, players())";
    // Dials.
    Advance "advance"("player": Player, "dial": Dial, "steps": Int) 0 false -> Int, Changes, "Moves a dial's needle by steps (back if negative) and gives by how many it moved before an end.", "advance(me, dial::heat, 2)";
    AtEnd "at_end"("player": Player, "dial": Dial) 0 false -> Bool, Looks, "Whether a dial's needle is on its last face.", "at_end(me, dial::heat)";
    LastFace "last_face"("dial": Dial) 0 false -> Int, Looks, "What is printed on the last face of a dial.", "last_face(dial::heat)";
    IsDial "is_dial"("value": Any) 0 false -> Bool, Looks, "Whether a value is a dial.", "is_dial(part)";
    // Graphs.
    Distance "distance"("from": Node, "to": Node) 0 false -> Int, Looks, "The cheapest cost from a node to another of its graph; `()` if no route joins them.", "distance(me.pawn.at, node::harbour)";
    Neighbours "neighbours"("node": Node) 0 false -> Nodes, Looks, "The nodes next to a node, in the byte order of their ids.", "neighbours(die.at)";
    // Groups.
    Form "form"("kind": GroupKind) 0 false -> Group, Changes, "Brings a group to life; it ceases when its last piece is taken.", "let t = form(group::trick)";
    // Numbers.
    Min "min"("a": Int, "b": Int) 0 false -> Int, Looks, "The smaller of two numbers.", "min(2, 3)";
    Max "max"("a": Int, "b": Int) 0 false -> Int, Looks, "The larger of two numbers.", "max(2, 3)";
    Abs "abs"("a": Int) 0 false -> Int, Looks, "A number without its sign.", "abs(-3)";
    // Planning.
    Reaches "reaches"("exchange": Exchange, "player": Player, "subject": Any) 1 false -> Bool, Looks, "Whether the goal of an exchange can be reached from what the player has.", "reaches(exchange::trade, me, node::harbour)";
    WhatIf "what_if"("closure": Thunk) 0 false -> OfClosure, Looks, "What a closure gives; whatever it changed is as before afterwards. It cannot ask.", "what_if(|| { me.coins -= 1; me.coins >= 0 })";
    // Speaking.
    Say "say"("text": Text) 0 false -> Nothing, Speaks, "A notice for the log.", "say(`${me.title} lands`)";
    Refuse "refuse"("what": Any, "reason": Reason, "number": Any) 1 true -> Nothing, Speaks, "What a player might expect and may not choose (a value, or a list of parts), with a reason and its numbers.", "refuse(node::harbour, reason::too_far, 10, me.heat)";
    Hint "hint"("text": Text) 0 false -> Nothing, Speaks, "What the choice offered last does.", "hint(`${cost} heat`)";
    HintFor "hint_for"("text": Text, "part": Any, "part": Any, "part": Any) 2 false -> Nothing, Speaks, "What a choice does that was offered, which its parts name; nothing if it was not.", "hint_for(`${cost} heat`, die, die.at)";
    Note "note"("statistic": Statistic, "player": Player, "what": Any) 1 false -> Nothing, Speaks, "Tells those who count statistics that a player did something, and with what, where the statistic tells that apart. Nothing changes.", "note(statistic::wishes_met, me, card)";
    // Deciding.
    Offer "offer"("part": Any, "part": Any, "part": Any) 2 false -> Nothing, Changes, "Offers a choice of one to three parts. Equal pieces in one place become one choice with a count.", "offer(die, die.at)";
    OfferAll "offer_all"("values": Any, "values": Any, "values": Any) 2 false -> Nothing, Changes, "Offers each value of a list or a zone; of several, each combination, where a plain value stands for itself.", "offer_all(from.dice, from, neighbours(from))";
    LimitDistinct "limit_distinct"("attribute": Attribute, "count": Int) 0 false -> Nothing, Changes, "For the coming `choose_some`: at most so many different values of an attribute among what is chosen.", "limit_distinct(attribute::suit, 2)";
    Choose "choose"("decision": Decision, "player": Player, "values": Sequence) 1 false -> Choice, Changes, "Asks a player for one of the offered choices (and of a list): gives it, or the list of its parts. Error if there are none.", "let r = choose(decision::room, me, members(graph::house))";
    ChooseSome "choose_some"("decision": Decision, "player": Player, "least": Int, "most": Int) 0 false -> Choices, Changes, "Asks for at least and at most so many of the offered choices; gives them as a list.", "choose_some(decision::give, me, 2, 2)";
    ChooseNumber "choose_number"("decision": Decision, "player": Player, "least": Int, "most": Int) 0 false -> Int, Changes, "Asks for a number in a range.", "choose_number(decision::bid, me, 0, me.coins)";
    Confirm "confirm"("decision": Decision, "player": Player) 0 false -> Bool, Changes, "Asks for yes or no.", "if confirm(decision::buy, me) { }";
    ChooseTexts "choose_texts"("decision": Decision, "player": Player, "least": Int, "most": Int) 0 false -> Int, Changes, "Asks for at least and at most so many texts, none empty and none like one given to this decision before (letters and digits count, in lower case); gives how many. Bots answer without texts, which counts as the least.", "choose_texts(decision::wish, me, 1, 3)";
    Run "run"("effect": Effect, "argument": Any) 1 true -> Any, Changes, "Calls an effect that data name.", "run(card.effect, me)";
    Trigger "trigger"("event": Event, "player": Player, "subject": Any) 1 false -> Nothing, Changes, "Something happens to a player, about a subject: what the abilities of the player do then is done, in the byte order of their ids.", "trigger(event::landed, me, node::harbour)";
    // Lists.
    Len "len"("list": Any) 0 false -> Int, Looks, "How many elements a list, pieces a zone or characters a text has.", "me.hand.len()";
    IsEmpty "is_empty"("list": Any) 0 false -> Bool, Looks, "Whether a list, a zone or a text is empty.", "me.hand.is_empty()";
    First "first"("list": Sequence) 0 false -> Element, Looks, "The first element, or `()`.", "[1, 2].first()";
    Last "last"("list": Sequence) 0 false -> Element, Looks, "The last element, or `()`.", "[1, 2].last()";
    Push "push"("list": Any, "value": Any) 0 false -> Nothing, Looks, "Appends to a list in a variable.", "list.push(3)";
    Pop "pop"("list": Any) 0 false -> Element, Looks, "Takes the last element off a list in a variable; `()` if it is empty.", "list.pop()";
    Filter "filter"("list": Sequence, "closure": Closure) 0 false -> Elements, Looks, "The elements for which a closure gives true.", "me.hand.filter(|c| c.suit == suit::hearts)";
    Map "map"("list": Sequence, "closure": Closure) 0 false -> ListOfClosure, Looks, "What a closure gives for each element.", "table.track.map(|m| m.owner)";
    Some "some"("list": Sequence, "closure": Closure) 0 false -> Bool, Looks, "Whether a closure gives true for some element.", "me.hand.some(|c| c.suit == suit::hearts)";
    All "all"("list": Sequence, "closure": Closure) 0 false -> Bool, Looks, "Whether a closure gives true for all elements.", "players().all(|p| p.out)";
    Find "find"("list": Sequence, "closure": Closure) 0 false -> Element, Looks, "The first element for which a closure gives true, or `()`.", "me.cup.find(|d| d.suit == suit::spades)";
    Count "count"("list": Sequence, "closure": Closure) 0 false -> Int, Looks, "For how many elements a closure gives true.", "me.hand.count(|c| c.suit == suit::hearts)";
    Sum "sum"("list": Sequence, "closure": Closure) 0 false -> Int, Looks, "The sum of what a closure gives for each element.", "players().sum(|p| p.coins)";
    MaxBy "max_by"("list": Sequence, "closure": Closure) 0 false -> Element, Looks, "The element for which a closure gives the largest number, the first of equals; `()` if there is none.", "members(graph::map).max_by(|n| n.number)";
    MinBy "min_by"("list": Sequence, "closure": Closure) 0 false -> Element, Looks, "The element for which a closure gives the smallest number, the first of equals; `()` if there is none.", "members(graph::map).min_by(|n| n.number)";
    SortBy "sort_by"("list": Sequence, "closure": Closure) 0 false -> Elements, Looks, "The elements in ascending order of the numbers that a closure gives; equals keep their order.", "table.goals.sort_by(|o| o.number)";
}

/// The entry of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.name == name)
}

/// The entry of a verb.
pub fn entry(verb: Verb) -> &'static Entry {
    &TABLE[verb as usize]
}
