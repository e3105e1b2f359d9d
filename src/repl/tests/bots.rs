//! Bots that answer up to a goal, and the end of a game.

use std::sync::atomic::AtomicBool;

use super::super::Actor;
use super::super::text::{Look, render};
use super::{quiet, says, session};
use crate::sim::{Bot, BotKind};

#[test]
fn a_game_ends_with_the_points() {
    let mut session = session();
    let said = says(&mut session, "bot all");
    // Nobody has any points.
    let verdict =
        "The game is over. Ann (player_1) and Bob (player_2) share the win with 0 each.\n";
    assert!(said.contains(verdict), "{said}");
    assert!(said.contains("Place"), "{said}");
    assert_eq!(
        says(&mut session, "inn"),
        "error: the game is over: nothing is asked\n\
         there is no command `inn`; `help` lists them\n"
    );
    assert!(says(&mut session, "bot").starts_with("error: the game is over"));
    assert_eq!(session.prompt().render(Look::default()), "game over>");
}

#[test]
fn bots_answer_until_a_goal() {
    let mut session = session();
    let said = says(&mut session, "run to bob");
    assert!(said.contains("Bob  Where?"), "{said}");
    assert_eq!(session.game().history.len(), 1);
    // What is not reached leaves the game where it was.
    let before = session.game().state.clone();
    for (line, wanted) in [
        ("bot until bob", "bob"),
        ("bot until me", "me"),
        ("run to round 99", "round 99"),
        ("run to me.coins > 99", "me.coins > 99"),
    ] {
        let said = says(&mut session, line);
        assert_eq!(
            said,
            format!(
                "error: `{wanted}` is not reached: the game would end before, after 1 more decision; \
                 it stays where it is, and `run to end` plays it\n"
            )
        );
        assert_eq!(session.game().state, before);
        assert_eq!(says(&mut session, "timeline"), "* main  1 to 2\n");
    }
    says(&mut session, "restart");
    let said = says(&mut session, "run to end");
    assert!(said.contains("The game is over."), "{said}");
    // A condition is about the player who is asked.
    says(&mut session, "restart");
    for condition in [
        "me.number == 2",
        "player_1.hand.len() == 0",
        "ann.hand.len() == 0",
    ] {
        let said = says(&mut session, &format!("run to {condition}"));
        assert!(said.contains("Bob  Where?"), "{said}");
        says(&mut session, "undo");
    }
    says(&mut session, "bot");
    let said = says(&mut session, "run to me.coins >= 2");
    assert_eq!(said, "error: `me.coins >= 2` holds already\n");
    let said = says(&mut session, "run to me.coinz > 5");
    assert!(said.contains("coinz") && said.contains("coins"), "{said}");
    says(&mut session, "restart");
    for (line, expected) in [
        ("run to bbo", "error: `bbo` is no goal"),
        (
            "run to playr_2",
            "error: `playr_2` is no goal; did you mean `player_2`?",
        ),
        ("run to round x", "error: `x` is no number of a round"),
        ("run", "error: a goal is wanted"),
        (
            "bot x",
            "error: `x` is neither a number above 0 nor a bot: ",
        ),
        ("bot random 0", "error: `0` is neither"),
        ("bot 1 2", "error: `bot`, `bot 10`"),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    assert!(session.game().history.is_empty());
}

#[test]
fn any_bot_can_be_asked_to_answer() {
    for kind in BotKind::ALL {
        let name = kind.name();
        let mut session = session();
        let said = says(&mut session, &format!("bot {name} 1"));
        assert!(said.contains("Bob  Where?"), "{name}: {said}");
        // The same lines give the same answers.
        let first = session.game().state.clone();
        says(&mut session, "restart");
        says(&mut session, &format!("bot {name} until bob"));
        assert_eq!(session.game().state, first, "{name}");
        says(&mut session, &format!("bot {name} all"));
        assert!(session.game().is_over(), "{name}");
    }
    let (start, words) = session().complete("bot gre");
    assert_eq!((start, words), (4, vec!["greedy".to_owned()]));
    let (start, words) = session().complete("bot greedy u");
    assert_eq!((start, words), (11, vec!["until".to_owned()]));
}

#[test]
fn players_are_played_by_the_bots_they_are_given() {
    for kind in BotKind::ALL {
        let mut session = quiet();
        session.actors[1] = Actor::Bot(kind);
        session.greeting();
        let said = says(&mut session, "mill");
        assert!(said.contains("Bob: Where? "), "{said}");
        assert!(session.game().is_over());
        // Bob's answer goes with Ann's.
        let said = says(&mut session, "undo");
        assert!(
            said.starts_with("took back: Ann: Where? Mill\nAnn  Where?"),
            "{said}"
        );
        assert_eq!(Actor::parse(&kind.name()), Ok(Actor::Bot(kind)));
    }
    assert_eq!(Actor::parse("human"), Ok(Actor::Human));
    let error = Actor::parse("mcts:time=").expect_err("no budget");
    assert!(error.starts_with("`time=` is no budget: "), "{error}");
    let said = says(&mut session(), "bot mcts:foo=1 10");
    assert!(said.starts_with("error: `foo=1` is no budget: "), "{said}");
    let error = Actor::parse("nobody").expect_err("there is no such bot");
    assert!(
        error.starts_with("nobody is called `nobody` here"),
        "{error}"
    );
}

#[test]
fn nobody_plays_for_you_on_the_way_to_your_own_decision() {
    let mut session = session();
    let begun = session.game().state.clone();
    let said = says(&mut session, "run to me");
    assert!(
        said.starts_with(
            "error: it is your decision (Ann: Where?): answer it, or `bot` plays it; `bot until me`"
        ),
        "{said}"
    );
    assert_eq!(session.game().state, begun);
    // Who looks is me.
    says(&mut session, "view as bob");
    let said = says(&mut session, "run to me");
    assert!(said.starts_with("answers by random for Ann"), "{said}");
    assert!(said.contains("Bob  Where?"), "{said}");
    assert_eq!(session.game().history.len(), 1);
}

#[test]
fn where_others_have_bots_your_decisions_stay_yours_and_the_bots_are_named() {
    let mut session = quiet();
    session.actors[1] = Actor::Bot(BotKind::Greedy);
    session.greeting();
    let begun = session.game().state.clone();
    for line in ["run to end", "run to bob", "run to me"] {
        let said = says(&mut session, line);
        assert!(
            said.starts_with("error: it is your decision (Ann"),
            "{line}: {said}"
        );
        assert_eq!(session.game().state, begun, "{line}");
    }
    // Who is told to plays for everybody: by the bot that was given.
    let said = says(&mut session, "bot until end");
    assert!(
        said.starts_with("answers by greedy for Ann and Bob\n"),
        "{said}"
    );
    says(&mut session, "restart");
    let said = says(&mut session, "bot random until end");
    assert!(
        said.starts_with("answers by random for Ann, by greedy for Bob\n"),
        "{said}"
    );
}

#[test]
fn undo_says_how_to_go_to_before_the_answers_of_bots() {
    let mut session = quiet();
    session.actors[0] = Actor::Bot(BotKind::Greedy);
    let greeting = session.greeting().text;
    // What the bot did stands above the board that it led to.
    let told = greeting.find("Ann: Where? ").expect("it is told");
    let board = render(&session.board().all(), session.look);
    let board = greeting.find(&board).expect("a board");
    assert!(told < board, "{greeting}");
    let said = says(&mut session, "undo");
    assert_eq!(
        said,
        "error: there is nothing of yours to undo: the answers before are those of bots, and `goto 1` goes to before \
         them\n"
    );
    says(&mut session, "mill");
    let said = says(&mut session, "undo 3");
    assert!(
        said.contains("\nthere is no more of yours to take back: the answers before are those of bots,\n  and `goto 1`"),
        "{said}"
    );
    says(&mut session, "goto 1");
    assert!(session.game().history.is_empty());
}

#[test]
fn a_bot_that_is_not_waited_for_has_not_answered() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let mut session = session();
    says(&mut session, "2");
    let before = session.game().state.clone();
    session.stop = Some(&STOP);
    for line in [
        "bot mcts:decisions=4000000000",
        "bot mcts:decisions=4000000000 10",
        "run to end",
    ] {
        let reply = session.run(line);
        let error = reply.error.expect("it is stopped");
        assert!(error.starts_with("stopped before `"), "{line}: {error}");
        assert!(error.contains("has answered for Bob"), "{line}: {error}");
        assert_eq!(session.game().state, before, "{line}");
    }
    // It is a matter of one line.
    let reply = session.run_stoppable("bot");
    assert_eq!(reply.error, None);
    assert_ne!(session.game().state, before);
}
