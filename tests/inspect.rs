//! What a designer looks at in a running game: expressions, parameters, refusals.

mod kit;

use std::sync::Arc;

use yukon::diag::Style;
use yukon::flow::{Game, Setup};
use yukon::script::Rules;
use yukon::script::evaluate::{Expression, evaluate, evaluate_with, waiting_names};
use yukon::table::ids::PlayerId;

const ANN: PlayerId = PlayerId(0);
const BOB: PlayerId = PlayerId(1);

/// A market: stalls on a road, coins, and a step that asks where to go.
const PACK: &str = r#"
[game]
title = "Market"
players = [2, 3]
flow = "main"

[graph.road]
attributes = { price = "int" }
edges = [
    { between = ["barn", "mill"], cost = 2 },
    { between = ["mill", "pond"], cost = 3 },
]
nodes.barn = { price = 1 }
nodes.mill = { price = 3 }
nodes.pond = { price = 9 }

[set.hue]
members = ["amber", "jade"]

[kind.bead]
attributes = { hue = "hue" }
start = "bag"
key = "{hue}"
piece_title = "{hue} bead"
generate = [{ each = ["hue"], copies = 2 }]

[kind.cart]
per_player = true
start = "yard"

[zone.bag]

[zone.yard]

[zone.purse]
per = ["player"]
visible = "owner"

[counter.coins]
per = ["player"]
start = 5

[counter.tired]
holds = "bool"
per = ["player"]

[parameter.step_cost]
value = 2
doc = "Coins for a step on the road."
provenance = "inferred"

[modifier.late]
parameter = "step_cost"
add = 1
when = "me.tired"

[modifier.rich]
parameter = "step_cost"
add = "me.coins / 2"
when = "me.coins > 6"

[modifier.floor]
parameter = "step_cost"
max = 4

[modifier.free]
parameter = "step_cost"
set = 0
when = "subject == node::barn"

[decision.place]
prompt = "Where to?"
of = "road"

[reason.too_dear]
text = "costs {0} coins, there are {1}"

[reason.tired]
text = "nobody walks to {0} when tired"

[stream.lot]

[flow.main]
do = ["turn"]

[flow.turn]
do = ["walk"]
each = "players()"
"#;

const SCRIPT: &str = r#"
fn walk(me) {
    let word = `to ${me.coins}`;
    let far = [node::mill, node::pond];
    for place in members(graph::road) {
        let cost = price_of(me, place);
        if cost <= me.coins && !me.tired {
            offer(place);
        } else {
            say_no(me, place, cost);
        }
    }
    let chosen = choose(decision::place, me);
    me.coins -= price_of(me, chosen);
}

fn say_no(me, place, cost) {
    if me.tired {
        refuse(place, reason::tired, place);
        return;
    }
    refuse(place, reason::too_dear, cost, me.coins);
}

fn price_of(me, place) {
    place.price + value(parameter::step_cost, me, place)
}

fn spend(me) {
    me.coins -= 1;
    me.coins
}
"#;

fn rules() -> Arc<Rules> {
    kit::rules(PACK, SCRIPT)
}

fn game() -> Game {
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    Game::start(rules(), setup, None, None).expect("a game")
}

#[track_caller]
fn check(text: &str, player: Option<PlayerId>, expected: Result<&str, &str>) {
    let game = game();
    let before = game.state.clone();
    let found = evaluate(&game.rules, &game.state, text, player);
    let found = found
        .map(|found| found.words)
        .map_err(|wrong| wrong.render(Style::Plain));
    assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
    assert_eq!(game.state, before, "{text}");
}

#[test]
fn expressions_are_looked_at() {
    check("1 + 2", None, Ok("3"));
    check("me.coins", Some(BOB), Ok("5"));
    check("me.number", Some(BOB), Ok("2"));
    check("me.next", Some(BOB), Ok("player_1"));
    check("price_of(me, node::mill)", Some(ANN), Ok("5"));
    check("members(graph::road)", None, Ok("[barn, mill, pond]"));
    check(
        "members(graph::road).filter(|n| n.price > 2).map(|n| [n, n.price])",
        None,
        Ok("[[mill, 3], [pond, 9]]"),
    );
    check(
        "table.bag.map(|b| b.hue)",
        None,
        Ok("[amber, amber, jade, jade]"),
    );
    check("table.bag", None, Ok("bag"));
    check(
        "`${me.title} has ${me.coins}`",
        Some(ANN),
        Ok("\"Player 1 has 5\""),
    );
    check("let n = 3; let m = n * n; m - 1", None, Ok("8"));
    check("distance(node::barn, node::pond)", None, Ok("5"));
    check("reason::tired", None, Ok("tired"));
    check("()", None, Ok("()"));
    check(
        "what_if(|| { me.coins -= 2; me.coins })",
        Some(ANN),
        Ok("3"),
    );
}

#[test]
fn what_is_wrong_with_an_expression_is_shown_in_it() {
    check(
        "me.coinz > 1",
        Some(ANN),
        Err("error[Y0312]: a player has no property `coinz`
 --> expression:1:4
  |
1 | me.coinz > 1
  |    ^^^^^
  |
  = help: did you mean `coins`?
"),
    );
    check(
        "me.coins",
        None,
        Err("error[Y0311]: unknown variable `me`
 --> expression:1:1
  |
1 | me.coins
  | ^^
  |
  = help: declare it with `let`, or take it as a parameter
"),
    );
    check(
        "me.coins = 4",
        Some(ANN),
        Err(
            "error[Y0330]: the expression must not change, ask or use chance
 --> expression:1:1
  |
1 | me.coins = 4
  | ^^^^^^^^^^^^
  |
  = help: only look: call functions that change nothing
",
        ),
    );
    check(
        "1 / (me.coins - 5)",
        Some(ANN),
        Err("error[Y0403]: division by zero
 --> expression:1:3
  |
1 | 1 / (me.coins - 5)
  |   ^
  |
  = help: in `the expression(player_1)`, step walk, player 1
"),
    );
    let impure = evaluate(&game().rules, &game().state, "spend(me)", Some(ANN));
    assert!(impure.is_err());
    let asks = evaluate(
        &game().rules,
        &game().state,
        "confirm(decision::place, me)",
        Some(ANN),
    );
    assert!(asks.is_err());
    assert!(evaluate(&game().rules, &game().state, "", Some(ANN)).is_err());
    assert!(evaluate(&game().rules, &game().state, "me.coins +", Some(ANN)).is_err());
}

#[test]
fn a_condition_is_lowered_once_and_asked_of_many_states() {
    let mut game = game();
    let rich = Expression::condition(&game.rules, "me.coins >= 5").expect("a condition");
    assert_eq!(rich.holds(&game.state, Some(ANN)).ok(), Some(true));
    let answer = yukon::flow::Answer::One(0);
    game.answer(&answer).expect("an answer");
    // To the barn: its price of 1 and nothing for the step.
    assert_eq!(rich.holds(&game.state, Some(ANN)).ok(), Some(false));
    assert_eq!(rich.holds(&game.state, Some(BOB)).ok(), Some(true));
    let number = Expression::condition(&game.rules, "me.coins").map(|_| ());
    let text = number.expect_err("no condition").render(Style::Plain);
    assert!(
        text.starts_with("error[Y0304]: expected a boolean, found a number"),
        "{text}"
    );
}

#[test]
fn the_variables_of_the_waiting_step_can_be_named() {
    let game = game();
    let names = waiting_names(&game.rules, &game.state);
    let known: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
    // Those of the loop have ended, and what is chosen is not there yet.
    assert_eq!(known, ["me", "word", "far"]);
    let look = |text: &str| {
        evaluate_with(&game.rules, &game.state, text, &names)
            .map(|found| found.words)
            .map_err(|wrong| wrong.render(Style::Plain))
    };
    assert_eq!(look("word").as_deref(), Ok("\"to 5\""));
    // A new text of the expression's own leaves those of the game where they are.
    assert_eq!(
        look("[`${word}!`, \"a text that the pack does not have\", word]").as_deref(),
        Ok("[\"to 5!\", \"a text that the pack does not have\", \"to 5\"]")
    );
    assert_eq!(look("far.len() + me.coins").as_deref(), Ok("7"));
}
