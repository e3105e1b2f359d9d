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
        "nothing is stepped through: `into ANSWER` begins; for the answer given last, `undo` comes before",
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
        "there is no function or block of the flow `mark_on`; did you mean `mark_one`?",
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
        "there is no file `nowhere.rhai`",
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
    // It goes on in the caller, but it was made here.
    assert!(
        said.starts_with(
            "breakpoint 1: change taken\n  changed at scripts/toy/toy.rhai:11:5  mark_one\n"
        ),
        "{said}"
    );
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
    // However it was come to, what fails is where one stands then: `back` is the statement before.
    let fails = repl.types("where");
    for there in ["over 99", "out"] {
        repl.types(there);
        let said = repl.types("locals");
        assert!(said.contains("number  3"), "{there}: {said}");
        let said = repl.types("where");
        assert!(
            said.contains("share(me = player_1, number = 3)"),
            "{there}: {said}"
        );
        let said = repl.types("back");
        assert!(said.contains("share(me, number)"), "{there}: {said}");
        assert_eq!(repl.types("where"), fails, "{there}");
    }
    let said = repl.types("continue");
    assert!(said.ends_with("the answer is not given\n"), "{said}");
    repl.types("2");
    says(&mut repl, "eval table.taken", "3");
}

#[test]
fn breakpoints_stop_what_is_stepped_over_to_the_next_decision() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "more(me, number);",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn more(me, number) {\n    me.coins += number;\n    me.coins += choose_number(decision::take, me, 1, 3);\n}\n\nfn take(me) {",
    );
    // The second question is asked inside the call, so that nothing of `take` runs after it.
    for steps in ["over", "over 9", "out"] {
        let mut repl = toy.repl(&["toy"]);
        repl.types("into 3");
        repl.types("break more");
        let said = repl.types(steps);
        assert!(said.starts_with("breakpoint 1: more\n"), "{steps}: {said}");
        repl.types("break change coins");
        let said = repl.types("out");
        assert!(
            said.starts_with("breakpoint 2: change coins\n  player_1.coins: 0 -> 3\n"),
            "{steps}: {said}"
        );
        let said = repl.types("over");
        assert!(said.contains("Player 1"), "{steps}: {said}");
        says(&mut repl, "eval me.coins", "3");
    }
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

#[test]
fn what_a_breakpoint_wants_is_told_with_an_example() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for (line, expected) in [
        (
            "break parameter",
            "the name of a parameter is wanted: `break parameter limit` stops where it is read",
        ),
        (
            "break change",
            "the name of a counter, zone, dial or toggle is wanted: `break change coins` stops after it has changed",
        ),
        (
            "break limit",
            "there is no function `limit`; is `break parameter limit` meant?",
        ),
        (
            "break taken",
            "there is no function `taken`; is `break change taken` meant?",
        ),
        (
            "break toy.rhai",
            "a line of `scripts/toy/toy.rhai` is wanted: its first statement is `break toy.rhai:3`",
        ),
        (
            "break toy.rhai:0",
            "`0` is no number of a line: they are counted from 1, as in `break toy.rhai:12`",
        ),
        (
            "break toy.rhai:end",
            "`end` is no number of a line: they are counted from 1, as in `break toy.rhai:12`",
        ),
        (
            "break toy.rhai:99999",
            "no statement begins at line 99999 of `scripts/toy/toy.rhai` or after it: its last is `break toy.rhai:13`",
        ),
        (
            "break toys.rhai:3",
            "there is no file `toys.rhai`; did you mean `toy.rhai`?",
        ),
        (
            "break change player_2.coin",
            "`player_2` has no `coin`; did you mean `coins`?",
        ),
        (
            "break change player_3.coins",
            "there is no player, node, member, piece or group `player_3` in `player_3.coins`; did you mean `player_1`?",
        ),
    ] {
        says(&mut repl, line, expected);
    }
    says(
        &mut repl,
        "break",
        "no breakpoints: `break FUNCTION` sets one",
    );
}

#[test]
fn one_item_stops_answers_and_others_of_its_family_do_not() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    says(
        &mut repl,
        "break change player_2.coins",
        "breakpoint 1: change player_2.coins",
    );
    // The first player's are others.
    let said = repl.types("1");
    assert!(said.contains("Player 2  How many?"), "{said}");
    let said = repl.types("4");
    assert!(
        said.starts_with("breakpoint 1: change player_2.coins\n  player_2.coins: 0 -> 4\n"),
        "{said}"
    );
}

#[test]
fn a_block_of_the_flow_stops_answers_also_where_its_condition_runs_first() {
    let toy = Project::toy();
    toy.edit(
        "rules/toy/game.toml",
        "do = ['work']",
        "do = ['day', 'night']\n[flow.day]\ndo = ['work']\n[flow.night]\nwhile = 'is_open()'\ndo = ['work']",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "for round in 0..3 {",
        "for round in 0..1 {",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn is_open() {\n    table.taken < 4\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    says(&mut repl, "break night", "breakpoint 1: night");
    repl.types("1");
    let said = repl.types("2");
    assert!(
        said.starts_with("breakpoint 1: night\n")
            && said.contains("rules/toy/game.toml:13:8  night\n"),
        "{said}"
    );
    let said = repl.types("continue");
    assert!(said.contains("Player 1  How many?"), "{said}");
    // It is entered once: its second round is no other.
    repl.types("1");
    let said = repl.types("2");
    assert!(said.contains("The game is over"), "{said}");
}

#[test]
fn in_the_middle_of_an_answer_nothing_is_asked() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    let here = at_take(12, "me.coins += number;", "me = player_1, number = 3");
    says(&mut repl, "into 3", &here);
    let stands = format!(
        "no decision is asked: the answer `3` to `take` is stepped through, here\n{here}\n\
         `over`, `into` and `out` step on, `continue` goes to the next decision, `leave` back to this one"
    );
    says(&mut repl, "options", &stands);
    says(&mut repl, "why not 2", &stands);
    says(
        &mut repl,
        "into take 2",
        "`into take 2`: an answer is stepped through already; `into` goes on, `leave` goes back to the decision",
    );
    // So many statements: the second is the last but one of the answer.
    let said = repl.types("into 2");
    assert!(
        said.starts_with("  taken: 0 -> 1\n  player_1.coins: 0 -> 3\n"),
        "{said}"
    );
    // Another game in its place ends the walk.
    let said = repl.types("seed 7");
    assert!(said.starts_with("the answer is not given\n"), "{said}");
    says(
        &mut repl,
        "continue",
        "nothing is stepped through: `into ANSWER` begins; for the answer given last, `undo` comes before",
    );
    // What changes nothing does not.
    repl.types("into 3");
    toy.edit("rules/toy/game.toml", "value = 5", "value = 'five'");
    let said = repl.types("reload");
    assert!(said.ends_with("as they were\n"), "{said}");
    says(&mut repl, "eval number", "3");
    toy.edit("rules/toy/game.toml", "value = 'five'", "value = 4");
    let said = repl.types("reload");
    assert!(said.starts_with("the answer is not given\n"), "{said}");
    let said = repl.types("options");
    assert!(said.contains("How many? (1 to 4)"), "{said}");
}

#[test]
fn restart_says_that_breakpoints_do_not_stop_before_the_first_decision() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    let note = "what comes before the first decision is not done again";
    let said = repl.types("restart");
    assert!(!said.contains(note), "{said}");
    repl.types("break parameter limit");
    let said = repl.types("restart");
    assert!(said.contains(note), "{said}");
}

#[test]
fn all_breakpoints_of_a_place_are_named() {
    let toy = Project::toy();
    toy.edit(
        "scripts/toy/toy.rhai",
        "    table.taken += 1;",
        "    mark();",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "fn take(me) {",
        "fn mark() {\n    table.taken += 1;\n}\n\nfn take(me) {",
    );
    let mut repl = toy.repl(&["toy"]);
    for place in ["change coins", "toy.rhai:17", "mark", "toy.rhai:11"] {
        repl.types(&format!("break {place}"));
    }
    let said = repl.types("3");
    let begin = "breakpoint 1: change coins\nbreakpoint 2: scripts/toy/toy.rhai:17\n  player_1.coins: 0 -> 3\n";
    assert!(said.starts_with(begin), "{said}");
    let said = repl.types("continue");
    let begin = "breakpoint 3: mark\nbreakpoint 4: scripts/toy/toy.rhai:11\nscripts/toy/toy.rhai:11:5  mark < take";
    assert!(said.starts_with(begin), "{said}");
    let said = repl.types("continue");
    assert!(said.contains("Player 2  How many?"), "{said}");
}
