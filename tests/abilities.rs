//! Abilities in play, scoring terms that count, and answers in words.

mod kit;

use std::sync::Arc;

use yukon::flow::game::{Game, GameError, Setup};
use yukon::flow::{Answer, Setting, Written, item::ItemValue, scores};
use yukon::script::{Limits, Rules, Scratch};
use yukon::table::Event;
use yukon::table::Value;
use yukon::table::ids::PlayerId;

const TOY: &str = "[game]
title = 'Toy'
players = [2, 4]
flow = 'main'
[flow.main]
do = ['work']
[set.suit]
members = ['pearls', 'silk', 'tin']
[kind.good]
attributes = { suit = 'suit', weight = 'int' }
start = 'quay'
pieces = [
    { id = 'ace', suit = 'pearls', weight = 1 },
    { id = 'bee', suit = 'pearls', weight = 2 },
    { id = 'cat', suit = 'silk', weight = 3 },
    { id = 'dog', suit = 'tin', weight = 4 },
]
[zone.quay]
holds = 'good'
[zone.cargo]
per = ['player']
holds = 'good'
[counter.coins]
per = ['player']
[parameter.stride]
doc = 'How far.'
value = 2
[event.landed]
[decision.what]
prompt = 'What?'
[decision.wish]
prompt = 'What do you wish?'
[decision.name]
prompt = 'A name?'
[choice.leave]
[choice.stay]
";

fn start(rules: &Arc<Rules>, cargo: &[(u8, &[&str])]) -> Game {
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let mut game = Game::start(Arc::clone(rules), setup, None, None).expect("a game");
    let settings: Vec<Setting> = cargo
        .iter()
        .map(|(player, goods)| Setting {
            item: format!("player_{player}.cargo"),
            value: ItemValue::List(goods.iter().map(|good| (*good).to_owned()).collect()),
        })
        .collect();
    game.intervene(&settings).expect("the goods lie there");
    game
}

const ASKS: &str = "fn work() {
    let me = players()[0];
    choose(decision::what, me, [choice::leave, choice::stay]);
    for player in players() { trigger(event::landed, player, player.number); }
}";

fn coins(game: &Game) -> Vec<i32> {
    let family = &game.rules.layout().counters[0];
    game.state.table.cells[usize::from(family.base)..][..2].to_vec()
}

#[test]
fn abilities_modify_for_their_owner_alone() {
    let rules = kit::rules(
        &format!(
            "{TOY}[ability.ace]\npiece = 'ace'\nzone = 'cargo'\n\
             modify = [{{ parameter = 'stride', add = 3 }}, {{ parameter = 'stride', max = 4, when = 'subject == 9' }}]\n"
        ),
        &format!(
            "{ASKS}\nfn far(me, of) {{ value(parameter::stride, me, of) }}\nfn plain() {{ value(parameter::stride) }}\nfn seen() {{ far(players()[0], 1) + plain() }}"
        ),
    );
    let mut game = start(&rules, &[(2, &["ace"])]);
    let mut far = |player: u8, of: i64| {
        let arguments = [Value::from(PlayerId(player)), Value::int(of)];
        kit::evaluate(
            &rules,
            &mut game.state,
            "far",
            &arguments,
            Limits::default(),
        )
        .expect("a number")
    };
    assert_eq!([far(0, 1), far(1, 1), far(1, 9)], ["2", "5", "4"]);
    let plain = kit::evaluate(&rules, &mut game.state, "plain", &[], Limits::default());
    assert_eq!(plain.expect("a number"), "2");
}

#[test]
fn abilities_answer_to_events_in_the_order_of_their_ids() {
    let rules = kit::rules(
        &format!(
            "{TOY}[ability.b_doubles]\npiece = 'ace'\nzone = 'cargo'\ntrigger = {{ on = 'landed', effect = 'me.coins *= 2' }}\n\
             [ability.a_pays]\npiece = 'bee'\nzone = 'cargo'\ntrigger = {{ on = 'landed', effect = 'pay' }}\n\
             [ability.c_only_second]\npiece = 'cat'\nzone = 'cargo'\n\
             trigger = {{ on = 'landed', when = 'subject == 2', effect = 'me.coins += 100' }}\n"
        ),
        &format!("{ASKS}\nfn pay(me, subject) {{ me.coins += subject + 2; }}"),
    );
    let leave = Answer::One(0);
    for (cargo, expected) in [
        (&[(1, &["ace", "bee"][..])][..], [6, 0]),
        (&[(1, &["bee"]), (2, &["ace"])], [3, 0]),
        (&[(1, &["cat"]), (2, &["bee"])], [0, 4]),
        (&[(2, &["ace", "bee", "cat"])], [0, 108]),
    ] {
        let mut game = start(&rules, cargo);
        game.answer(&leave).expect("it is offered");
        assert_eq!(coins(&game), expected, "{cargo:?}");
    }
}

#[test]
fn an_ability_can_take_away_the_next() {
    let rules = kit::rules(
        &format!(
            "{TOY}[ability.a]\npiece = 'ace'\nzone = 'cargo'\ntrigger = {{ on = 'landed', effect = 'put(good::bee, table.quay)' }}\n\
             [ability.b]\npiece = 'bee'\nzone = 'cargo'\ntrigger = {{ on = 'landed', effect = 'me.coins += 1' }}\n"
        ),
        ASKS,
    );
    let mut game = start(&rules, &[(1, &["ace", "bee"])]);
    game.answer(&Answer::One(0)).expect("it is offered");
    assert_eq!(coins(&game), [0, 0]);
}

#[test]
fn events_must_be_declared_and_effects_be_right() {
    let errors = |script: &str, toml: &str| {
        kit::load(&kit::files(&format!("{TOY}{toml}"), script)).expect_err("it is wrong")
    };
    assert_eq!(
        errors("fn work() { trigger(event::lended, players()[0]); }", ""),
        "toy.rhai:1:21 Y0341: there is no event `lended` | did you mean `landed`? | \
         events are declared in TOML: `[event.NAME]`"
    );
    assert_eq!(
        errors("fn work() { trigger(1, players()[0]); }", ""),
        "toy.rhai:1:21 Y0323: `trigger` wants an event: `event::name`"
    );
    let ability = "[ability.a]\npiece = 'ace'\nzone = 'cargo'\n";
    let found = errors(
        "fn work() { trigger(event::landed, players()[0]); }",
        &format!("{ability}trigger = {{ on = 'landed', when = 'me.coins', effect = 'nobody' }}\n"),
    );
    assert!(
        found.contains("Y0335: no function is called `nobody`")
            && found
                .contains("Y0304: the condition of ability `a` must be a boolean, found a number"),
        "{found}"
    );
    let found = errors(
        "fn work() { }",
        &format!("{ability}score = {{ count = 'cargo', which = 'piece.colour == 1' }}\n"),
    );
    assert!(found.contains("`colour`"), "{found}");
}

#[track_caller]
fn points(term: &str, cargo: &[(u8, &[&str])], expected: [i64; 2]) {
    let rules = kit::rules(&format!("{TOY}{term}"), ASKS);
    let game = start(&rules, cargo);
    let scores = scores(&rules, &game.state, &mut Scratch::default()).expect("scores");
    let found: Vec<i64> = scores.iter().map(|score| score.total).collect();
    assert_eq!(found, expected, "{term}");
}

#[test]
fn terms_count_what_they_say() {
    let both: &[(u8, &[&str])] = &[(1, &["ace", "bee", "cat"]), (2, &["dog"])];
    let score = |rest: &str| format!("[score.s]\ncount = 'cargo'\n{rest}\n");
    points(&score(""), both, [3, 1]);
    points(&score("points = 3"), both, [9, 3]);
    points(&score("points = 'me.number'"), both, [3, 2]);
    points(&score("with = { suit = 'pearls' }"), both, [2, 0]);
    points(
        &score("with = { suit = 'pearls', weight = 2 }"),
        both,
        [1, 0],
    );
    points(&score("which = 'piece.weight > me.number'"), both, [2, 1]);
    points(&score("distinct = 'suit'"), both, [2, 1]);
    points(&score("least = 2"), both, [3, 0]);
    points(&score("every = 2"), both, [1, 0]);
    points(&score("every = 2\nleast = 3\npoints = 5"), both, [5, 0]);
    points(&score("flat = true\npoints = 4"), both, [4, 4]);
    points(
        &score("distinct = 'suit'\nleast = 2\nflat = true\npoints = 4"),
        both,
        [4, 0],
    );
    points(&score("when = 'me.number == 2'"), both, [0, 1]);
    points("[score.s]\ncount = 'quay'\n", &[(1, &["ace"])], [3, 3]);
    let ability =
        "[ability.a]\npiece = 'ace'\nzone = 'cargo'\nscore = { count = 'cargo', points = 10 }\n";
    points(ability, both, [30, 0]);
    points(ability, &[(2, &["ace"])], [0, 10]);
    points(ability, &[], [0, 0]);
}

const WISHES: &str = "fn work() {
    let me = players()[0];
    me.coins = choose_texts(decision::wish, me, 2, 2);
    me.next.coins = choose_texts(decision::wish, me.next, 1, 3);
    choose_texts(decision::name, me, 1, 1);
    choose(decision::what, me, [choice::leave, choice::stay]);
}";

fn texts(texts: &[&str]) -> Written {
    Written::Some(texts.iter().map(|text| (*text).to_owned()).collect())
}

/// Gives texts; the rejection, if they are not accepted.
fn give(game: &mut Game, written: &Written) -> Result<(), String> {
    let decision = game.decision().expect("something is asked");
    let answer = decision
        .read(written)
        .map_err(|rejection| rejection.to_string())?;
    let before = game.state.clone();
    match game.answer(&answer) {
        Ok(()) => Ok(()),
        Err(GameError::Rejected(rejection)) => {
            assert_eq!(game.state, before);
            Err(rejection.to_string())
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn texts_are_new_and_as_many_as_asked() {
    let rules = kit::rules(TOY, WISHES);
    let mut game = start(&rules, &[]);
    let wanted = "answer 2 texts, none of them empty or like one that was given before";
    for (wrong, why) in [
        (&[][..], "0 given, which is too few"),
        (&["rain"], "1 given, which is too few"),
        (&["rain", "snow", "ice"], "3 given, which is too many"),
        (&["rain", "  "], "`  ` has no letter and no digit"),
        (&["rain", "?!"], "`?!` has no letter and no digit"),
        (
            &["Much rain", "much-RAIN!"],
            "`much-RAIN!` was given before, as `Much rain`",
        ),
        (
            &["rain", "a\nb"],
            "a text is one line of at most 500 letters",
        ),
    ] {
        assert_eq!(
            give(&mut game, &texts(wrong)),
            Err(format!("{why}: {wanted}"))
        );
    }
    give(&mut game, &texts(&["Été 1", "rain"])).expect("new texts");
    // Accents count, the case of letters does not; another decision has texts of its own.
    let again = give(&mut game, &texts(&["éTÉ1"])).expect_err("given before");
    assert!(
        again.starts_with("`éTÉ1` was given before, as `Été 1`"),
        "{again}"
    );
    give(&mut game, &texts(&["Ete 1", "straße", "STRASSE"])).expect("new texts");
    give(&mut game, &Written::One("Rain".to_owned())).expect("a new name");
    assert_eq!(coins(&game), [2, 3]);
    assert_eq!(game.state.told.len(), 6);
    assert!(game.undo() && game.undo());
    assert_eq!(game.state.told.len(), 2);
    give(&mut game, &texts(&["straße"])).expect("it was taken back");
}

#[test]
fn who_has_no_words_binds_nobody() {
    let rules = kit::rules(TOY, WISHES);
    let mut game = start(&rules, &[]);
    give(&mut game, &Written::Confirm(true)).expect("without words");
    assert!(give(&mut game, &Written::Confirm(false)).is_err());
    assert!(game.state.told.is_empty());
    give(&mut game, &texts(&["rain"])).expect("nobody said it");
    assert_eq!(coins(&game), [2, 1]);
    // The record tells both apart and plays them again.
    let record = game.record();
    assert_eq!(record.steps[0].answer, Written::Confirm(true));
    assert_eq!(record.steps[1].answer, texts(&["rain"]));
    let again = yukon::flow::record::replay(&record, Arc::clone(&rules)).expect("the same game");
    assert_eq!(again.state, game.state);
}

#[test]
fn hints_find_the_choice_they_are_for() {
    let rules = kit::rules(
        TOY,
        "fn work() {
    let me = players()[0];
    offer_all(table.quay, players());
    offer(choice::stay);
    hint_for(`heavy`, good::dog, me.next);
    hint_for(`not offered`, good::dog);
    choose(decision::what, me);
}",
    );
    let game = start(&rules, &[]);
    let decision = game.decision().expect("a decision");
    let hints: Vec<(&str, &str)> = game
        .notices
        .iter()
        .filter_map(|event| match event {
            Event::Hinted { choice, text } => {
                let found = decision.choices.iter().find(|known| known.offer == *choice);
                Some((found.expect("a choice").key.as_str(), text.as_str()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(hints, [("dog player_2", "heavy")]);
}
