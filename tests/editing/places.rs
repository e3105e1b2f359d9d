//! Where the rules of a running game come from, when that place is gone.

use super::{Project, says};

#[test]
fn a_folder_that_is_gone_does_not_become_the_pack_of_the_program() {
    let salon = Project::with("salon");
    salon.edit(
        "rules/salon/game.toml",
        "title = \"Yukon Salon\"",
        "title = \"Mine\"",
    );
    let mut repl = salon.repl(&["salon", "--watch"]);
    repl.types("1");
    let before = repl.types("eval players().len()");
    for (folder, away) in [
        ("rules/salon", "rules/elsewhere"),
        ("scripts/salon", "away"),
        ("rules", "away"),
    ] {
        salon.moves(folder, away);
        let folder = match folder {
            "rules" => "rules/salon",
            folder => folder,
        };
        let gone = format!(
            "error[Y0190]: the folder `{}` is gone, from which the pack was read\n |\n \
             = help: put it back: another pack of this name is not read in its place\n\
             the game goes on by the rules as they were\n",
            salon.path(folder).display()
        );
        // Watched, it is told once; asked for, each time.
        assert_eq!(
            repl.types("eval players().len()"),
            format!("{gone}{before}")
        );
        assert_eq!(repl.types("eval players().len()"), before);
        assert_eq!(repl.types("reload"), gone);
        let folder = match folder {
            "rules/salon" if away == "away" => "rules",
            folder => folder,
        };
        salon.moves(away, folder);
        let back =
            "with the files as they are now: 1 answer given again\nnothing comes out differently\n";
        assert_eq!(
            repl.types("eval players().len()"),
            format!("{back}{before}")
        );
    }
}

#[test]
fn a_folder_without_rules_is_no_longer_the_pack() {
    let salon = Project::with("salon");
    let mut repl = salon.repl(&["salon"]);
    std::fs::remove_dir_all(salon.path("rules/salon")).expect("removed");
    salon.write("rules/salon/notes.md", "Nothing here.");
    let said = repl.types("reload");
    let left = format!(
        "error[Y0190]: no TOML files are left in `{}`, from which the pack was read\n",
        salon.path("rules/salon").display()
    );
    assert!(said.starts_with(&left), "{said}");
    // Nothing else takes its place either.
    for line in ["variant", "variant add short"] {
        let said = repl.types(line);
        assert!(said.contains("no TOML files are left in"), "{line}: {said}");
    }
}

#[test]
fn a_variant_that_is_gone_is_missed_by_name() {
    let toy = Project::toy();
    toy.write(
        "rules/toy/variants/rich.toml",
        "[variant]\ntitle = 'Rich'\nreason = 'To take more.'\n[parameter.limit]\nvalue = 9\n",
    );
    let mut repl = toy.repl(&["toy", "--variant", "rich"]);
    repl.types("9");
    toy.moves("rules/toy/variants/rich.toml", "rich.toml");
    let said = repl.types("reload");
    assert!(
        said.starts_with("error[Y0180]: pack `toy` has no variant `rich`\n")
            && said.ends_with("the game goes on by the rules as they were\n"),
        "{said}"
    );
    toy.moves("rich.toml", "rules/toy/variants/rich.toml");
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 1 answer given again\nnothing comes out differently",
    );
}
