//! What a designer looks at in a running game: expressions, parameters, refusals.

mod kit;

use std::sync::Arc;

use yukon::diag::Style;
use yukon::flow::{Answer, Game, ItemValue, Setting, Setup, refusals};
use yukon::script::Rules;
use yukon::script::chain::{chain, declared};
use yukon::script::evaluate::{Expression, evaluate, evaluate_with, waiting_names};
use yukon::script::refusal::explain;
use yukon::table::Value;
use yukon::table::ids::{NodeId, ParameterId, PlayerId};

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
    if me.tired {
        offer_all(far);
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
        .map_err(|wrong| wrong.render(Style::PLAIN));
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
  = help: in the expression, step walk, player 1
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
    game.answer(&Answer::One(0)).expect("an answer");
    // To the barn: its price of 1 and nothing for the step.
    assert_eq!(rich.holds(&game.state, Some(ANN)).ok(), Some(false));
    assert_eq!(rich.holds(&game.state, Some(BOB)).ok(), Some(true));
    let number = Expression::condition(&game.rules, "me.coins").map(|_| ());
    let text = number.expect_err("no condition").render(Style::PLAIN);
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
            .map_err(|wrong| wrong.render(Style::PLAIN))
    };
    assert_eq!(look("word").as_deref(), Ok("\"to 5\""));
    // A new text of the expression's own leaves those of the game where they are.
    assert_eq!(
        look("[`${word}!`, \"a text that the pack does not have\", word]").as_deref(),
        Ok("[\"to 5!\", \"a text that the pack does not have\", \"to 5\"]")
    );
    assert_eq!(look("far.len() + me.coins").as_deref(), Ok("7"));
}

/// A chain as people read it.
fn chain_text(game: &Game, name: &str, player: Option<PlayerId>, subject: Value) -> String {
    let parameters = &game.rules.pack.parameters;
    let index = parameters
        .iter()
        .position(|known| known.name.id == name)
        .expect(name);
    let player = player.map_or(Value::UNIT, Value::from);
    let parameter = ParameterId::from_index(index);
    let chain = chain(&game.rules, &game.state, parameter, player, subject);
    chain.lines().join("\n")
}

fn set(game: &mut Game, item: &str, value: ItemValue) {
    let item = item.to_owned();
    game.intervene(&[Setting { item, value }])
        .expect("a change");
}

#[test]
fn a_parameter_is_told_with_all_that_changes_it() {
    let mut game = game();
    let found = chain_text(&game, "step_cost", Some(ANN), Value::UNIT);
    assert_eq!(
        found,
        "step_cost of player_1 = 2
  Coins for a step on the road.
  base 2                  rules/toy/toy.toml:48, inferred
  free: set 0             rules/toy/toy.toml:66
      does not hold: subject == node::barn
  late: add 1             rules/toy/toy.toml:52
      does not hold: me.tired
  rich: add me.coins / 2  rules/toy/toy.toml:57
      does not hold: me.coins > 6
  floor: at most 4 -> 2   rules/toy/toy.toml:62"
    );
    set(&mut game, "player_2.coins", ItemValue::Int(9));
    set(&mut game, "player_2.tired", ItemValue::Bool(true));
    // 2 + 1 + 9 / 2 = 7, at most 4.
    let found = chain_text(&game, "step_cost", Some(BOB), Value::UNIT);
    assert_eq!(
        found,
        "step_cost of player_2 = 4
  Coins for a step on the road.
  base 2                           rules/toy/toy.toml:48, inferred
  free: set 0                      rules/toy/toy.toml:66
      does not hold: subject == node::barn
  late: add 1 -> 3                 rules/toy/toy.toml:52
      holds: me.tired
  rich: add 4 (me.coins / 2) -> 7  rules/toy/toy.toml:57
      holds: me.coins > 6
  floor: at most 4 -> 4            rules/toy/toy.toml:62"
    );
}

#[test]
fn a_chain_without_a_value_says_why() {
    let game = game();
    let nobody = chain_text(&game, "step_cost", None, Value::UNIT);
    assert!(
        nobody.starts_with("step_cost has no value: nothing has no property `tired`\n"),
        "{nobody}"
    );
    assert!(
        nobody.contains("fails: nothing has no property `coins`"),
        "{nobody}"
    );
    let twice = PACK.replace(
        "[decision.place]",
        "[modifier.holiday]\nparameter = \"step_cost\"\nset = 1\n\n[decision.place]",
    );
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let game = Game::start(
        kit::rules(&twice, "fn walk(me) { confirm(decision::place, me); }"),
        setup,
        None,
        None,
    );
    let game = game.expect("a game");
    let barn = Value::from(NodeId(0));
    let found = chain_text(&game, "step_cost", Some(ANN), barn);
    assert!(
        found.starts_with(
            "step_cost of player_1 for barn has no value: modifiers `free` and `holiday` both set `step_cost`\n"
        ),
        "{found}"
    );
    assert!(
        found.contains("fails: `free` has set it already"),
        "{found}"
    );
}

#[test]
fn a_chain_is_written_for_programs() {
    let game = game();
    let parameter = ParameterId::from_index(0);
    let of = chain(
        &game.rules,
        &game.state,
        parameter,
        Value::from(ANN),
        Value::UNIT,
    );
    let json = serde_json::to_value(&of).expect("json");
    assert_eq!(json["result"], 2);
    assert_eq!(json["modifiers"][1]["modifier"], "late");
    assert_eq!(json["modifiers"][1]["holds"], false);
    assert_eq!(json["modifiers"][3]["number"], 4);
    let all = declared(&game.rules, parameter);
    let json = serde_json::to_value(&all).expect("json");
    assert_eq!(json["base"], 2);
    assert_eq!(json["modifiers"][1].get("holds"), None);
    assert_eq!(json.get("result"), None);
}

/// Why each refusal was made, as people read it.
fn refused(game: &Game) -> Vec<String> {
    let before = game.state.clone();
    let all = refusals(game).expect("played once more");
    assert_eq!(game.state, before);
    assert_eq!(
        all.iter()
            .map(|(event, _)| event.clone())
            .collect::<Vec<_>>(),
        game.notices
    );
    all.iter()
        .map(|(_, state)| {
            let told = explain(&game.rules, state).expect("a reason");
            told.lines().join("\n")
        })
        .collect()
}

#[test]
fn a_refusal_is_told_with_the_conditions_around_it() {
    let mut game = game();
    // The first question is asked before any answer: the opening is played once more.
    assert_eq!(
        refused(&game),
        ["refused at scripts/toy/toy.rhai:25
    refuse(place, reason::too_dear, cost, me.coins);
    place = pond, cost = 11, me.coins = 5
because
  not (cost <= me.coins)  scripts/toy/toy.rhai:7
    cost = 11, me.coins = 5
  not me.tired  scripts/toy/toy.rhai:21"]
    );
    let setting = Setting {
        item: "player_2.tired".to_owned(),
        value: ItemValue::Bool(true),
    };
    game.intervene(&[setting]).expect("a change");
    game.answer(&Answer::One(0)).expect("an answer");
    let told = refused(&game);
    assert_eq!(told.len(), 3);
    // Bob has the coins for the barn, but is tired: the part that decided is told.
    assert_eq!(
        told[0],
        "refused at scripts/toy/toy.rhai:22
    refuse(place, reason::tired, place);
    place = barn
because
  me.tired  scripts/toy/toy.rhai:7
  me.tired  scripts/toy/toy.rhai:21"
    );
}

#[test]
fn ways_out_filters_and_callers_are_conditions_too() {
    let script = r#"
fn walk(me) {
    for place in members(graph::road).filter(|n| n.price > 2) {
        if place == node::mill {
            offer(place);
            continue;
        }
        if me.coins > 3 || me.tired {
            judge(me, place);
        }
    }
    offer(node::barn);
    let chosen = choose(decision::place, me);
    me.coins -= chosen.price;
}

fn judge(me, place) {
    let near = [node::barn, node::mill];
    if !(place in near) && !(me.tired && me.coins < 2) {
        refuse([me, place], reason::tired, place);
    }
}
"#;
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let game = Game::start(kit::rules(PACK, script), setup, None, None).expect("a game");
    assert_eq!(
        refused(&game),
        ["refused at scripts/toy/toy.rhai:20
    refuse([me, place], reason::tired, place);
    me = player_1, place = pond
because
  |n| n.price > 2  scripts/toy/toy.rhai:3
  not (place == node::mill)  scripts/toy/toy.rhai:4
    place = pond
  me.coins > 3  scripts/toy/toy.rhai:8
    me.coins = 5
  not (place in near)  scripts/toy/toy.rhai:19
    place = pond, near = [barn, mill]
  not me.tired  scripts/toy/toy.rhai:19"]
    );
}

#[test]
fn chance_on_the_way_to_a_question_is_the_same_once_more() {
    let script = r#"
fn walk(me) {
    let lucky = pick(stream::lot, members(graph::road));
    for place in members(graph::road) {
        if place == lucky {
            refuse(place, reason::tired, place);
        } else {
            offer(place);
        }
    }
    choose(decision::place, me);
}
"#;
    for seed in 1..20 {
        let setup = Setup {
            players: 3,
            seed,
            start: None,
        };
        let mut game = Game::start(kit::rules(PACK, script), setup, None, None).expect("a game");
        while let Some(decision) = game.decision() {
            let told = refused(&game);
            let offered: Vec<&str> = decision.choices.iter().map(|it| it.key.as_str()).collect();
            let lucky = ["barn", "mill", "pond"]
                .into_iter()
                .find(|key| !offered.contains(key))
                .expect("one of three is refused");
            assert_eq!(told.len(), 1);
            assert!(
                told[0].contains(&format!("place = {lucky}, lucky = {lucky}")),
                "{}",
                told[0]
            );
            let first = decision.choices[0].offer;
            game.answer(&Answer::One(first)).expect("an answer");
        }
    }
}
