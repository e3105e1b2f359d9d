//! The rules read again: what is told, and what becomes of the game.

use tempfile::TempDir;

use super::{Project, STORY, says};

#[test]
fn a_good_change_rebuilds_the_game_and_says_what_is_different() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "2", "3"] {
        repl.types(number);
    }
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\nnothing comes out differently",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += number * 2;",
    );
    // 1 and 3 for the first player, 2 for the second.
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  player_1.coins: 1 -> 2\n\
         and now:\n  player_1.coins: 4 -> 8\n  player_2.coins: 2 -> 4",
    );
    says(&mut repl, "eval players().first().coins", "8");
    // What is declared anew changes ids, not what came out.
    toy.edit(
        "rules/toy/game.toml",
        "[counter.coins]",
        "[counter.aaa]\n[counter.coins]",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "table.taken += 1;",
        "table.taken += 1; table.aaa += 1;",
    );
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\nnothing comes out differently",
    );
    says(&mut repl, "eval table.aaa", "3");
}

#[test]
fn another_range_of_an_answer_is_told_where_it_is_asked() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    repl.types("2");
    toy.edit("rules/toy/game.toml", "value = 5", "value = 7");
    let said = repl.types("reload");
    assert!(
        said.contains(
            "it comes out differently from decision 1 on:\n  from 1 to 5 -> from 1 to 7\n"
        ),
        "{said}"
    );
}

#[test]
fn an_answer_become_illegal_keeps_the_game_until_it_is_accepted() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "5", "3"] {
        repl.types(number);
    }
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    let said = repl.types("reload");
    assert!(
        said.starts_with(
            "with the files as they are now the game stops at decision 2: `take` of player 2: 5 is out of range: answer a number from 1 to 4\n"
        ),
        "{said}"
    );
    assert!(
        said.ends_with("the game stays as it is, by the rules as they were; `reload accept` goes on there, with 1 of 3 answers\n"),
        "{said}"
    );
    says(&mut repl, "eval table.taken", "3");
    says(&mut repl, "eval value(parameter::limit)", "5");
    let said = repl.types("reload accept");
    assert!(
        said.starts_with("with the files as they are now: 1 answer given again\n"),
        "{said}"
    );
    says(&mut repl, "eval table.taken", "1");
    says(&mut repl, "eval value(parameter::limit)", "4");
    says(
        &mut repl,
        "reload accept",
        "nothing waits to be accepted: `reload` reads the rules again",
    );
}

#[test]
fn of_an_answer_become_illegal_nobody_asks_whether_it_was_misspelt() {
    let toy = Project::toy();
    toy.edit(
        "rules/toy/game.toml",
        "[counter.taken]",
        "[counter.taken]\n[set.gate]\nmembers = ['gate_1', 'gate_2', 'gate_3']",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "choose_number(decision::take, me, 1, value(parameter::limit))",
        "choose(decision::take, me, members(set::gate).filter(|gate| gate != gate::gate_3 || value(parameter::limit) > 4)); let number = 1",
    );
    let mut repl = toy.repl(&["toy"]);
    says(
        &mut repl,
        "gate_4",
        "`gate_4` is not offered; did you mean `gate_1`?",
    );
    repl.types("gate_3");
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    let said = repl.types("reload");
    assert!(
        said.contains(
            "with the files as they are now the game stops at decision 1: `take` of player 1: `gate_3` is not offered: answer one of: gate_1, gate_2\n"
        ),
        "{said}"
    );
}

#[test]
fn answers_that_a_change_takes_away_come_back_with_the_rules() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for line in ["1", "5", "3", "goto 1"] {
        repl.types(line);
    }
    for _ in 0..2 {
        toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
        let said = repl.types("reload");
        assert!(
            said.contains(
                "way `main` ends before decision 2: `take` of player 2: 5 is out of range: answer a number from 1 to 4\n\
                 what was answered there is tried again when the rules change again\n"
            ),
            "{said}"
        );
        says(&mut repl, "timeline", "* main  1 to 2  (you are at 1)");
        toy.edit("rules/toy/game.toml", "value = 4", "value = 5");
        repl.types("reload");
        says(&mut repl, "timeline", "* main  1 to 4  (you are at 1)");
    }
    // Whoever answers at the end of what is left goes on from there.
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    for line in ["reload", "goto 2", "2"] {
        repl.types(line);
    }
    toy.edit("rules/toy/game.toml", "value = 4", "value = 5");
    repl.types("reload");
    says(&mut repl, "timeline", "* main  1 to 3");
}

#[test]
fn a_bad_change_is_told_as_by_check_and_changes_nothing() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    repl.types("4");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coinz += number;",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "for me in players()",
        "for me in payers()",
    );
    let said = repl.types("reload");
    let complaints = toy.check("toy");
    assert!(
        complaints.contains("coinz") && complaints.contains("payers"),
        "{complaints}"
    );
    assert_eq!(
        said,
        format!("{complaints}the game goes on by the rules as they were\n")
    );
    // It can still be played.
    repl.types("2");
    says(&mut repl, "eval table.taken", "2");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coinz += number;",
        "me.coins += number;",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "for me in payers()",
        "for me in players()",
    );
    let said = repl.types("reload");
    assert!(said.ends_with("nothing comes out differently\n"), "{said}");
}

#[test]
fn a_script_that_fails_now_stops_the_game_at_the_answer() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "2", "3"] {
        repl.types(number);
    }
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += 6 / (2 - number);",
    );
    let said = repl.types("reload");
    assert!(
        said.contains("the game stops at decision 2: `take` of player 2: division by zero\n"),
        "{said}"
    );
    // The same is told as where it happens in play, and for ways that the game does not stand on.
    assert!(
        said.contains("error[Y0403]: division by zero\n  --> scripts/toy/toy.rhai:12:19\n"),
        "{said}"
    );
    let excerpt = said[said.find("error[").expect("it is told")..]
        .split("\nthe game stays ")
        .next()
        .expect("a text")
        .to_owned();
    says(&mut repl, "eval table.taken", "3");
    for line in ["goto 2", "3"] {
        repl.types(line);
    }
    let said = repl.types("reload");
    assert!(
        said.contains(&format!(
            "way `main` ends before decision 2: `take` of player 2: division by zero\n{excerpt}"
        )),
        "{said}"
    );
}

#[test]
fn a_forced_decision_that_comes_in_between_is_told() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "2", "3"] {
        repl.types(number);
    }
    toy.edit(
        "rules/toy/game.toml",
        "[decision.take]",
        "[decision.pay]\nprompt = 'Pay?'\n[decision.take]",
    );
    toy.edit(
        "scripts/toy/toy.rhai",
        "    let number = choose",
        "    if table.taken == 1 { choose_number(decision::pay, me, 2, 2); }\n    let number = choose",
    );
    // Nothing of the table and of what is asked else is another.
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  \
           asked now: `pay` of player 2, who can only answer `2`",
    );
    // Its number is asked for, and nobody chose there.
    let said = repl.types("goto 2");
    assert!(
        said.starts_with(
            "nobody chose at decision 2: `pay` of player 2 could only be answered `2`; this is decision 1\n"
        ),
        "{said}"
    );
    let said = repl.types("goto 3");
    assert!(said.starts_with("Player 2  How many?"), "{said}");
    let said = repl.types("goto 0");
    assert!(
        said.starts_with("there is no decision 0: this is decision 1\n"),
        "{said}"
    );
    says(&mut repl, "goto 9", "this way has come to decision 5");
    repl.types("goto end");
    toy.edit(
        "scripts/toy/toy.rhai",
        "table.taken == 1",
        "table.taken == 7",
    );
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  \
           no longer asked: `pay` of player 2, who could only answer `2`",
    );
}

#[test]
fn watched_files_are_read_before_the_next_line() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy", "--watch"]);
    repl.types("1");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += number + 10;",
    );
    let said = repl.types("eval players().first().coins");
    assert!(
        said.starts_with("with the files as they are now: 1 answer given again\n"),
        "{said}"
    );
    assert!(said.ends_with("\n11\n"), "{said}");
    // Once is enough.
    says(&mut repl, "eval players().first().coins", "11");
    // Without being asked to, nothing is read.
    let mut blind = toy.repl(&["toy"]);
    blind.types("1");
    toy.edit("scripts/toy/toy.rhai", "number + 10;", "number + 20;");
    says(&mut blind, "eval players().first().coins", "11");
}

#[test]
fn a_pack_of_the_program_has_no_files() {
    let empty = Project {
        folder: TempDir::new().expect("a folder"),
    };
    let mut repl = empty.repl(&["airways"]);
    says(
        &mut repl,
        "reload",
        "the pack is part of the program: there are no files to read again",
    );
    let output = empty
        .yukon()
        .args(["repl", "airways", "--watch"])
        .output()
        .expect("it runs");
    assert!(!output.status.success());
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        complaint.contains("there is nothing to watch"),
        "{complaint}"
    );
}

#[test]
fn a_scenario_whose_file_was_cut_and_is_whole_again_goes_on() {
    let toy = Project::toy();
    let name = "scenarios/toy/three.toml";
    toy.write(name, STORY);
    let mut repl = toy.repl(&[name]);
    repl.types("next");
    repl.types("next");
    let expected = repl.types("expected");
    assert!(expected.contains("next, 3 of 3"), "{expected}");
    let entries: Vec<usize> = STORY.match_indices("\n[[").map(|(at, _)| at + 1).collect();
    // Written piece by piece, as a slow program does.
    toy.write(name, &STORY[..entries[1]]);
    repl.types("reload");
    let said = repl.types("next end");
    assert!(said.contains("not the scenario's way any more"), "{said}");
    toy.write(name, &STORY[..entries[2]]);
    repl.types("reload");
    toy.write(name, STORY);
    repl.types("reload");
    assert_eq!(repl.types("expected"), expected);
    let said = repl.types("next end");
    assert!(said.contains("has come to its end, and all"), "{said}");
}

#[test]
fn an_opened_scenario_goes_on_after_a_reload() {
    let toy = Project::toy();
    toy.write("scenarios/toy/three.toml", STORY);
    let mut repl = toy.repl(&["scenarios/toy/three.toml"]);
    repl.types("next 2");
    toy.edit(
        "scripts/toy/toy.rhai",
        "me.coins += number;",
        "me.coins += number * 2;",
    );
    toy.edit(
        "scenarios/toy/three.toml",
        "'player_1.coins' = 4",
        "'player_1.coins' = 8",
    );
    let said = repl.types("reload");
    assert!(
        said.contains("decision 2 on:\n  player_1.coins: 1 -> 2\n"),
        "{said}"
    );
    let said = repl.types("expected");
    assert!(
        said.starts_with("The scenario's next, 3 of 3 (scenarios/toy/three.toml:12:1)"),
        "{said}"
    );
    repl.types("next");
    let said = repl.types("next");
    assert_eq!(
        said,
        "The scenario has come to its end, and all that it expects holds.\nThere is no golden yet: `yukon test scenarios/toy/three.toml --bless` shows and writes it.\n"
    );
    toy.edit(
        "scenarios/toy/three.toml",
        "player_2.take = 2",
        "player_2.tak = 2",
    );
    let said = repl.types("reload");
    assert!(
        said.contains("three.toml:10:1") && said.ends_with("as they were\n"),
        "{said}"
    );
}
