//! Bots that answer up to a goal, and the end of a game.

use super::super::text::Look;
use super::{says, session};

#[test]
fn a_game_ends_with_the_points() {
    let mut session = session();
    let said = says(&mut session, "bot all");
    assert!(said.contains("The game is over."), "{said}");
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
    let said = says(&mut session, "bot until bob");
    assert!(
        said.starts_with("error: the game ended before that"),
        "{said}"
    );
    says(&mut session, "restart");
    let said = says(&mut session, "run to end");
    assert!(said.contains("The game is over."), "{said}");
    // A condition is about the player who is asked.
    says(&mut session, "restart");
    let said = says(&mut session, "run to me.number == 2");
    assert!(said.contains("Bob  Where?"), "{said}");
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
        ("bot x", "error: `x` is no number above 0"),
        ("bot 1 2", "error: `bot`, `bot 10`"),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    assert!(session.game().history.is_empty());
}
