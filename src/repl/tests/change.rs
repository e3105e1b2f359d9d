//! The table changed from outside.

use super::{says, session};
use crate::flow::record::replay;

#[test]
fn the_table_is_changed_from_outside_and_the_record_knows_it() {
    let mut session = session();
    says(&mut session, "mill");
    for (line, expected) in [
        ("set player_1.coins 7", "player_1.coins = 7;"),
        ("set player_2.mood = 10", "player_2.mood = 10;"),
        ("set player_2.open on", "player_2.open = true;"),
        (
            "set player_1.hand red, green",
            "player_1.hand = [green, red];",
        ),
        (
            "put red player_1.hand",
            "player_1.hand = [green, red, red];",
        ),
        (
            "set player_1.hand [green x2, red]",
            "player_1.hand = [green, green, red];",
        ),
        ("set player_1.hand none", "player_1.hand = [];"),
        (
            "set player_2.mood 7",
            "error: `player_2.mood`: dial `mood` does not show 7",
        ),
        (
            "set player_2.open 3",
            "error: `3` is neither `on` nor `off`",
        ),
        ("set player_2.mood x", "error: `x` is no whole number"),
        ("set player_9.mood 5", "error: there is no player, node"),
        ("set coins", "error: an item and a value are wanted"),
        (
            "put red player_1.coins",
            "error: `player_1.coins` is no zone",
        ),
        ("put red", "error: a piece and a zone are wanted"),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    says(&mut session, "inn");
    let game = session.game();
    let record = game.record();
    assert_eq!(record.steps[1].interventions.len(), 7);
    let again = replay(&record, game.rules.clone()).expect("it can be replayed");
    assert_eq!(again.state, game.state);
    // A change is an act like an answer: taken back, it is kept on its way.
    let changed = game.state.clone();
    says(&mut session, "undo 8");
    assert_eq!(session.game().interventions.len(), 0);
    says(&mut session, "redo 8");
    assert_eq!(session.game().state, changed);
}
