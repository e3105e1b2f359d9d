//! Saving, loading, undoing and redoing games of the repository's packs, at every prompt.

use std::sync::Arc;

use yukon::flow::decision::random;
use yukon::flow::{Game, ItemValue, Record, Setting, Setup, replay};
use yukon::scenario::runner::Packs;
use yukon::script::Rules;
use yukon::table::chance::Draw;

const PACK: &str = "airways";

fn rules() -> Arc<Rules> {
    Packs::new(".").load(PACK).expect("the pack has no errors")
}

fn start(rules: &Arc<Rules>, players: u8, seed: u64) -> Game {
    let setup = Setup {
        players,
        seed,
        start: None,
    };
    Game::start(Arc::clone(rules), setup, None, None).expect("a game starts")
}

/// Answers the pending decision by chance; `false` when the game is over.
fn go_on(game: &mut Game, nth: u64) -> bool {
    if game.is_over() {
        return false;
    }
    let mut draw = Draw::at(game.setup.seed, 3, 0, nth);
    let rules = Arc::clone(&game.rules);
    let answer = random(&rules, &game.state, |bound| draw.below(bound)).expect("an answer");
    game.answer(&answer).expect("it is accepted");
    true
}

fn saved(game: &Game) -> Record {
    let text = game.record().to_json().expect("JSON");
    Record::from_json(&text).expect("a record")
}

fn load(record: &Record, rules: &Arc<Rules>) -> Game {
    match replay(record, Arc::clone(rules)) {
        Ok(game) => game,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn saving_and_loading_at_every_prompt_changes_nothing() {
    let rules = rules();
    for (players, seed) in [(2, 5), (3, 6)] {
        let mut game = start(&rules, players, seed);
        let mut nth = 0;
        loop {
            let mut other = load(&saved(&game), &rules);
            assert_eq!(other.state, game.state);
            assert_eq!(other.state.digest(), game.state.digest());
            assert_eq!(other.record(), game.record());
            let more = go_on(&mut game, nth);
            assert_eq!(go_on(&mut other, nth), more);
            assert_eq!(other.state, game.state, "after prompt {nth}");
            if !more {
                break;
            }
            nth += 1;
        }
        assert!(nth > 50);
    }
}

#[test]
fn undo_and_redo_restore_the_state_at_every_prompt() {
    let rules = rules();
    let mut game = start(&rules, 4, 7);
    let mut digests = vec![game.state.digest()];
    let mut nth = 0;
    while go_on(&mut game, nth) {
        nth += 1;
        let here = game.state.digest();
        let asked = game.decision();
        assert!(game.undo());
        assert_eq!(Some(&game.state.digest()), digests.last());
        assert!(game.redo().expect("it was accepted before"));
        assert_eq!(game.state.digest(), here);
        assert_eq!(game.decision(), asked);
        digests.push(here);
    }
    let mut back = digests.clone();
    back.pop();
    while game.undo() {
        assert_eq!(Some(game.state.digest()), back.pop());
    }
    assert!(back.is_empty() && game.history.iter().all(|step| step.forced));
    for digest in &digests[1..] {
        assert!(game.redo().expect("it was accepted before"));
        assert_eq!(game.state.digest(), *digest);
    }
    assert!(!game.redo().expect("nothing is left"));
}

#[test]
fn a_rejected_answer_changes_nothing() {
    let rules = rules();
    let mut game = start(&rules, 2, 8);
    let before = (game.state.clone(), game.record());
    for answer in [
        yukon::flow::Answer::One(999),
        yukon::flow::Answer::Number(3),
        yukon::flow::Answer::Some(vec![0, 0]),
    ] {
        assert!(game.answer(&answer).is_err());
    }
    assert_eq!((game.state.clone(), game.record()), before);
}

#[test]
fn interventions_are_recorded_and_undone() {
    let rules = rules();
    let mut game = start(&rules, 2, 9);
    for nth in 0..5 {
        go_on(&mut game, nth);
    }
    let before = game.state.clone();
    let money = |value| Setting {
        item: "player_1.money".to_owned(),
        value: ItemValue::Int(value),
    };
    assert!(game.intervene(&[money(-3)]).is_err());
    assert_eq!(game.state, before);
    game.intervene(&[money(99)]).expect("there is so much");
    let other = load(&saved(&game), &rules);
    assert_eq!(other.state, game.state);
    for nth in 5..9 {
        go_on(&mut game, nth);
    }
    let other = load(&saved(&game), &rules);
    assert_eq!(other.state, game.state);
    for _ in 0..4 {
        assert!(game.undo());
    }
    assert_ne!(game.state, before);
    assert!(game.undo());
    assert_eq!(game.state, before);
}

#[test]
fn a_replay_by_other_rules_names_what_differs() {
    let rules = rules();
    let mut game = start(&rules, 2, 10);
    for nth in 0..40 {
        go_on(&mut game, nth);
    }
    let record = saved(&game);
    // As if a file had another number: the rules have changed under the record.
    let mut other = rules.with_parameters([("seats", 2)]).expect("a parameter");
    other.pack.changed.clear();
    other.pack.sources.add("rules/changed.toml", "seats = 2");
    let error = match replay(&record, Arc::new(other)) {
        Ok(_) => panic!("the game goes another way"),
        Err(error) => error,
    };
    assert!(error.rules_changed);
    assert!(error.step.is_some_and(|step| step > 0), "{error}");
    assert!(error.to_string().starts_with("answer "), "{error}");

    let mut same = Rules::clone(&rules);
    same.pack
        .sources
        .add("rules/comment.toml", "# only a comment");
    let again = load(&record, &Arc::new(same));
    assert_eq!(again.state, game.state);
}

#[test]
fn parameters_are_part_of_a_record() {
    let base = rules();
    let changed = Arc::new(base.with_parameters([("rounds", 1)]).expect("a parameter"));
    let mut game = start(&changed, 2, 11);
    let mut nth = 0;
    while go_on(&mut game, nth) {
        nth += 1;
    }
    assert_eq!(game.state.table.position.round, 1);
    let record = saved(&game);
    assert!(replay(&record, Arc::clone(&base)).is_err());
    let selection = record.selection();
    let set = selection.parameters.iter();
    let own = base.with_parameters(set.map(|(name, value)| (name.as_str(), *value)));
    let own = Arc::new(own.expect("the parameters exist"));
    assert_eq!(load(&record, &own).state, game.state);
}

#[test]
fn broken_records_are_refused() {
    let rules = rules();
    let game = start(&rules, 2, 12);
    let good = saved(&game);
    for text in ["", "{}", "[]", "{\"format\": 2}", "{\"format\": 1}"] {
        assert!(Record::from_json(text).is_err(), "{text}");
    }
    let mut bad = good.clone();
    bad.pack = "elsewhere".to_owned();
    assert!(replay(&bad, Arc::clone(&rules)).is_err());
    let mut bad = good.clone();
    bad.players = 9;
    assert!(replay(&bad, Arc::clone(&rules)).is_err());
    let mut bad = good.clone();
    bad.chance.pop();
    assert!(replay(&bad, Arc::clone(&rules)).is_err());
    let mut bad = good;
    bad.hash = "0".to_owned();
    assert!(replay(&bad, rules).is_err());
}
