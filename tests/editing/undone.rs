//! What is taken back after the rules have changed, and what is kept for when they change again.

use super::{Project, says};

/// A toy of which three numbers were taken, with another limit then.
fn played(toy: &Project, limit: &str) -> super::Repl {
    let mut repl = toy.repl(&["toy"]);
    for number in ["1", "5", "3"] {
        repl.types(number);
    }
    toy.edit("rules/toy/game.toml", "value = 5", limit);
    repl
}

#[test]
fn undo_goes_over_answers_and_leaves_a_reload() {
    let toy = Project::toy();
    let mut repl = played(&toy, "value = 7");
    repl.types("reload");
    let said = repl.types("undo");
    assert!(
        said.starts_with("took back: Player 1: How many? 3\n"),
        "{said}"
    );
    says(&mut repl, "eval value(parameter::limit)", "7");
    // Also watched, the answer is taken back.
    let mut repl = toy.repl(&["toy", "--watch"]);
    repl.types("4");
    toy.edit("rules/toy/game.toml", "value = 7", "value = 8");
    let said = repl.types("undo");
    assert!(
        said.contains("took back: Player 1: How many? 4\n"),
        "{said}"
    );
    says(&mut repl, "eval value(parameter::limit)", "8");
    says(&mut repl, "undo", "there is nothing to undo");
}

#[test]
fn a_variant_is_taken_back_by_the_files_as_they_are() {
    let toy = Project::toy();
    toy.write(
        "rules/toy/variants/rich.toml",
        "[variant]\ntitle = 'Rich'\nreason = 'To take more.'\n[parameter.limit]\nvalue = 9\n",
    );
    let mut repl = toy.repl(&["toy"]);
    repl.types("2");
    repl.types("variant add rich");
    let said = repl.types("undo");
    assert!(said.starts_with("took back: with `rich`\n"), "{said}");
    says(&mut repl, "eval value(parameter::limit)", "5");
    repl.types("variant add rich");
    toy.edit("rules/toy/game.toml", "value = 5", "value = 6");
    let said = repl.types("undo");
    assert!(
        said.starts_with(
            "back to the base game's rules, with the files as they are now: 1 answer given again\n"
        ),
        "{said}"
    );
    says(&mut repl, "eval value(parameter::limit)", "6");
    // What was taken back is not the next to be taken back.
    let said = repl.types("undo");
    assert!(
        said.starts_with("took back: Player 1: How many? 2\n"),
        "{said}"
    );
    // Files that cannot be read leave all as it is.
    repl.types("variant add rich");
    toy.edit("rules/toy/game.toml", "value = 6", "value = 'six'");
    let said = repl.types("undo");
    assert!(said.ends_with("\nnothing was taken back\n"), "{said}");
    says(&mut repl, "eval value(parameter::limit)", "9");
    toy.edit("rules/toy/game.toml", "value = 'six'", "value = 6");
    let said = repl.types("undo");
    assert!(said.starts_with("took back: with `rich`\n"), "{said}");
}

#[test]
fn a_game_that_is_kept_says_that_its_rules_are_not_those_of_the_files() {
    let toy = Project::toy();
    toy.write("scenarios/toy/notes.md", "");
    let mut repl = played(&toy, "value = 7");
    let note = "the files of the pack have changed since this game's rules were read: by them it may come out \
                differently, as `reload` would tell\n";
    assert_eq!(
        repl.types("save game.json"),
        format!("saved game.json\n{note}")
    );
    let said = repl.types("record three");
    assert!(
        said.starts_with("recorded ") && said.ends_with(note),
        "{said}"
    );
    repl.types("reload");
    says(&mut repl, "save game.json", "saved game.json");
    says(
        &mut repl,
        "load game.json",
        "loaded game.json\n\nPlayer 2  How many? (1 to 7)",
    );
}

#[test]
fn answers_that_were_accepted_away_come_back_with_the_rules() {
    let toy = Project::toy();
    let mut repl = played(&toy, "value = 4");
    repl.types("reload");
    let said = repl.types("reload accept");
    assert!(
        said.starts_with(
            "with the files as they are now: 1 answer given again\n\
             it comes out differently from decision 1 on:\n  from 1 to 5 -> from 1 to 4\n"
        ) && said.contains(
            "way `main` ends before decision 2: `take` of player 2: 5 is out of range: answer a number from 1 to 4\n\
             what was answered there is tried again when the rules change again\n"
        ),
        "{said}"
    );
    says(&mut repl, "timeline", "* main  1 to 2");
    toy.edit("rules/toy/game.toml", "value = 4", "value = 5");
    let said = repl.types("reload");
    assert!(
        said.contains("way `main` has its answers up to decision 4 again\n"),
        "{said}"
    );
    says(&mut repl, "timeline", "* main  1 to 4  (you are at 2)");
    repl.types("goto end");
    says(&mut repl, "eval table.taken", "3");
}

#[test]
fn what_earlier_rules_cut_off_survives_a_crash() {
    let toy = Project::toy();
    let kept = &["toy", "--journal", "on"];
    let mut repl = toy.repl(kept);
    for line in ["1", "5", "3", "goto 1"] {
        repl.types(line);
    }
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    repl.types("reload");
    says(&mut repl, "timeline", "* main  1 to 2  (you are at 1)");
    // Killed, and gone on with by the same rules: they are not as they were when it was longer.
    drop(repl);
    let mut repl = toy.repl(kept);
    repl.types("resume");
    says(&mut repl, "timeline", "* main  1 to 2  (you are at 1)");
    toy.edit("rules/toy/game.toml", "value = 4", "value = 5");
    let said = repl.types("reload");
    assert!(
        said.contains("way `main` has its answers up to decision 4 again\n"),
        "{said}"
    );
    says(&mut repl, "timeline", "* main  1 to 4  (you are at 1)");
    // Killed while it is shorter, and mended before it is gone on with.
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    repl.types("reload");
    drop(repl);
    toy.edit("rules/toy/game.toml", "value = 4", "value = 5");
    let mut repl = toy.repl(kept);
    let said = repl.types("resume");
    assert!(
        said.ends_with("`resume accept` goes on there, with 3 of 3 answers\n"),
        "{said}"
    );
    repl.types("resume accept");
    says(&mut repl, "timeline", "* main  1 to 4  (you are at 1)");
    // Killed again, by rules that cut it when it is gone on with: still it is not lost.
    drop(repl);
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    let mut repl = toy.repl(kept);
    repl.types("resume");
    repl.types("resume accept");
    says(&mut repl, "timeline", "* main  1 to 2  (you are at 1)");
    toy.edit("rules/toy/game.toml", "value = 4", "value = 5");
    repl.types("reload");
    says(&mut repl, "timeline", "* main  1 to 4  (you are at 1)");
}

#[test]
fn what_was_cut_off_a_way_stays_with_it_under_another_name() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    for line in ["1", "5", "goto 2", "3", "5", "goto 1"] {
        repl.types(line);
    }
    toy.edit("rules/toy/game.toml", "value = 5", "value = 4");
    repl.types("reload");
    let said = repl.types("timeline");
    assert!(said.contains("*   way_2  2 to 3"), "{said}");
    says(&mut repl, "branch early", "this way is `early`");
    toy.edit("rules/toy/game.toml", "value = 4", "value = 5");
    let said = repl.types("reload");
    assert!(
        said.contains("way `main` has its answers up to decision 3 again\n")
            && said.contains("way `early` has its answers up to decision 4 again\n"),
        "{said}"
    );
}
