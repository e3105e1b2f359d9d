//! Answers that are stepped through, breakpoints, and scripts that fail.

use super::{Project, STORY, says};

/// Where a walk through the toy's `take` stands.
fn at_take(line: usize, source: &str, locals: &str) -> String {
    format!(
        "scripts/toy/toy.rhai:{line}:5  take < work < main\n{line} |     {source}\n   |     {}\n    {locals}",
        "^".repeat(source.len() - 1)
    )
}

#[test]
fn an_answer_is_stepped_through_forwards_and_back() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    let adds = at_take(12, "me.coins += number;", "me = player_1, number = 3");
    let counts = at_take(13, "table.taken += 1;", "me = player_1, number = 3");
    says(&mut repl, "into 3", &adds);
    says(
        &mut repl,
        "eval [me.coins, number, table.taken]",
        "[0, 3, 0]",
    );
    let there = format!("  player_1.coins: 0 -> 3\n{counts}");
    says(&mut repl, "over", &there);
    says(&mut repl, "eval me.coins", "3");
    says(&mut repl, "state player_1.coins", "player_1.coins = 3");
    says(
        &mut repl,
        "where",
        " 0 take(me = player_1)  scripts/toy/toy.rhai:13:5\n \
          1 work()  scripts/toy/toy.rhai:5:13\n \
          2 main  rules/toy/game.toml:8:8",
    );
    says(&mut repl, "locals", "me      player_1\nnumber  3");
    // The state is again as it was, as often as one likes.
    says(&mut repl, "back", &adds);
    says(&mut repl, "eval me.coins", "0");
    says(
        &mut repl,
        "back",
        "nothing ran before this: `leave` goes back to the decision",
    );
    says(&mut repl, "over", &there);
    says(
        &mut repl,
        "out",
        "  taken: 0 -> 1\n\
         scripts/toy/toy.rhai:4:9  work < main\n\
         4 |         for me in players() {\n  |         ^^^^^^^^^^^^^^^^^^^\n    round = 0, me = player_1",
    );
    let back_into = repl.types("back into");
    assert_eq!(back_into.trim_end(), counts);
    // An empty line is the last step again: one back.
    says(&mut repl, "", &adds);
    let said = repl.types("continue");
    assert!(
        said.contains("Player 1") && said.contains("Player 2"),
        "{said}"
    );
    says(&mut repl, "eval table.taken", "1");
    says(
        &mut repl,
        "over",
        "nothing is stepped through: `into ANSWER` begins",
    );
}

#[test]
fn what_is_left_was_not_answered() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    repl.types("into 3");
    repl.types("over");
    says(
        &mut repl,
        "undo",
        "`undo` is for decisions: `continue` goes on to the next, `leave` back to the last",
    );
    let said = repl.types("4");
    assert!(said.contains("answers are for decisions"), "{said}");
    says(&mut repl, "o", "`o` could be `over`, `out`");
    let said = repl.types("leave");
    assert!(said.contains("Player 1  How many? (1 to 5)"), "{said}");
    says(&mut repl, "eval table.taken", "0");
    says(
        &mut repl,
        "into 9",
        "9 is out of range: answer a number from 1 to 5",
    );
    // Past the last statement the answer is given.
    repl.types("into 3");
    repl.types("over 2");
    let said = repl.types("into 9");
    assert!(said.contains("Player 2  How many? (1 to 5)"), "{said}");
    says(&mut repl, "eval table.taken", "1");
}

#[test]
fn a_walk_goes_into_calls_and_shows_what_is_only_tried() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "    me.coins += number;",
        "    let rich = what_if(|| { pay(me, 9); me.coins }) + [1, 2].filter(|x| x > 1).len();\n    pay(me, number);",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn pay(me, coins) {\n    me.coins += coins;\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    let said = repl.types("into 1");
    assert!(
        said.starts_with("scripts/toy/toy.rhai:16:5  take"),
        "{said}"
    );
    // Inside of what is tried, statement by statement.
    let said = repl.types("into");
    assert!(
        said.contains("toy.rhai:16:29  take < work < main  (tried: the table is put back)"),
        "{said}"
    );
    let said = repl.types("into");
    assert!(said.contains("toy.rhai:11:5  pay < take < work"), "{said}");
    assert!(said.ends_with("me = player_1, coins = 9\n"), "{said}");
    let said = repl.types("into");
    assert!(said.starts_with("  player_1.coins: 0 -> 9\n"), "{said}");
    // Past all that the statement does, closures and calls.
    repl.types("leave");
    repl.types("into 1");
    let said = repl.types("over");
    assert!(
        said.starts_with("scripts/toy/toy.rhai:17:5  take"),
        "{said}"
    );
    says(&mut repl, "eval [rich, me.coins]", "[10, 0]");
    let said = repl.types("over");
    assert!(said.starts_with("  player_1.coins: 0 -> 1\n"), "{said}");
}

#[test]
fn answers_stop_at_breakpoints() {
    let toy = Project::toy();
    toy.edit("scripts/toy/toy.rhai", "table.taken += 1;", "mark_one();");
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn mark_one() {\n    table.taken += 1;\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    says(
        &mut repl,
        "break",
        "no breakpoints: `break FUNCTION` sets one",
    );
    says(
        &mut repl,
        "break mark_on",
        "there is no function `mark_on`; did you mean `mark_one`?",
    );
    says(
        &mut repl,
        "break parameter limits",
        "there is no parameter `limits`; did you mean `limit`?",
    );
    says(
        &mut repl,
        "break change coin",
        "there is no counter, zone, dial or toggle `coin`; did you mean `coins`?",
    );
    says(
        &mut repl,
        "break nowhere.rhai:3",
        "no statement is in `nowhere.rhai`",
    );
    says(&mut repl, "break mark_one", "breakpoint 1: mark_one");
    let said = repl.types("2");
    assert!(
        said.starts_with(
            "breakpoint 1: mark_one\n  player_1.coins: 0 -> 2\nscripts/toy/toy.rhai:11:5  mark_one < take"
        ),
        "{said}"
    );
    let said = repl.types("continue");
    assert!(said.contains("Player 2  How many?"), "{said}");
    repl.types("break clear");
    // Where it is read, though its value is built into the code: for the next question.
    says(
        &mut repl,
        "break parameter limit",
        "breakpoint 1: parameter limit",
    );
    let said = repl.types("1");
    assert!(
        said.starts_with("breakpoint 1: parameter limit\n") && said.contains("toy.rhai:15:5  take"),
        "{said}"
    );
    assert!(said.ends_with("    me = player_1\n"), "{said}");
    repl.types("continue");
    repl.types("break clear 1");
    // After the change.
    says(
        &mut repl,
        "break change taken",
        "breakpoint 1: change taken",
    );
    let said = repl.types("1");
    assert!(said.contains("  taken: 2 -> 3\n"), "{said}");
    repl.types("continue");
    repl.types("break clear");
    // A line without a statement means the next that has one; bots stop too.
    says(
        &mut repl,
        "break toy.rhai:14",
        "breakpoint 1: scripts/toy/toy.rhai:15",
    );
    let said = repl.types("bot all");
    assert!(
        said.contains("breakpoint 1: scripts/toy/toy.rhai:15\n"),
        "{said}"
    );
    repl.types("leave");
    // They stay when rules are read again.
    toy.edit("scripts/toy/toy.rhai", "fn mark_one() {", "fn mark_two() {");
    toy.edit("scripts/toy/toy.rhai", "    mark_one();", "    mark_two();");
    repl.types("break clear");
    repl.types("break mark_one");
    repl.types("reload");
    says(
        &mut repl,
        "break",
        "1 mark_one  (by these rules it stops nothing)",
    );
}

#[test]
fn a_failing_script_is_told_with_all_that_led_there() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += share(me, number);",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn share(me, number) {\n    12 / (7 - number - me.coins)\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    repl.types("2");
    repl.types("1");
    repl.types("set player_1.coins = 4");
    let said = repl.types("3");
    assert!(said.contains("error[Y0403]: division by zero"), "{said}");
    for part in [
        "`take` calls `share` here",
        "= help: in `share(player_1, 3)`, step work",
        "= help: after decision 3: player 1 answered `take` with `3`",
        "= help: the table was changed by hand at decision 3: player_1.coins = 4",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // The game is as before the answer, and goes on.
    says(&mut repl, "eval table.taken", "2");
    // What led there can be walked through, up to the statement that fails, and back.
    repl.types("into 3");
    let said = repl.types("into");
    assert!(said.contains("toy.rhai:11:5  share < take"), "{said}");
    let said = repl.types("into");
    assert!(said.contains("division by zero"), "{said}");
    assert!(
        said.ends_with("`back` looks at what led there, `leave` goes back to the decision\n"),
        "{said}"
    );
    says(&mut repl, "eval 7 - number - me.coins", "0");
    repl.types("back");
    let said = repl.types("continue");
    assert!(said.ends_with("the answer is not given\n"), "{said}");
    repl.types("2");
    says(&mut repl, "eval table.taken", "3");
}

#[test]
fn an_entry_of_a_scenario_is_stepped_through() {
    let toy = Project::toy();
    toy.write("scenarios/toy/three.toml", STORY);
    let mut repl = toy.repl(&["scenarios/toy/three.toml"]);
    says(
        &mut repl,
        "into",
        &at_take(12, "me.coins += number;", "me = player_1, number = 1"),
    );
    let said = repl.types("continue");
    assert!(said.contains("The scenario's next, 2 of 3"), "{said}");
    repl.types("next 2");
    let said = repl.types("into");
    assert_eq!(
        said,
        "The scenario has come to its end, and all that it expects holds.\nThere is no golden yet: `yukon test scenarios/toy/three.toml --bless` shows and writes it.\n"
    );
}

#[test]
fn a_fault_names_how_a_scenario_arranged_the_table() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += 12 / (7 - number - me.coins);",
    );
    toy.edit(
        "rules/toy/game.toml",
        "do = ['work']",
        "do = ['day']\n[flow.day]\nscope = 'round'\ndo = ['work']",
    );
    let arranged = STORY.replace(
        "[[play]]\nplayer_1.take = 1\n",
        "[table]\n'player_1.coins' = 6\n[[play]]\nplayer_1.take = 1\n",
    );
    toy.write("scenarios/toy/three.toml", &arranged);
    let mut repl = toy.repl(&["scenarios/toy/three.toml"]);
    let said = repl.types("next");
    for part in [
        "error[Y0403]: division by zero",
        "= help: after decision 1: player 1 answered `take` with `1`",
        "= help: the table was arranged: player_1.coins = 6",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    says(&mut repl, "eval table.taken", "0");
}
