//! Files that are gone, empty, or no files: they are named first, without what follows from them.

use std::fs;

use super::{Project, says};

/// What is wrong, without what follows it.
fn first_lines(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("error"))
        .collect()
}

#[test]
fn an_emptied_file_is_told_first_and_what_follows_is_counted() {
    let toy = Project::toy();
    let mut repl = toy.repl(&["toy"]);
    repl.types("4");
    let script = fs::read_to_string(toy.path("scripts/toy/toy.rhai")).expect("read");
    toy.write("scripts/toy/toy.rhai", "\n");
    let told = "error[Y0192]: `scripts/toy/toy.rhai` is empty\n |\n \
                = help: 1 problem is left out that may follow from it\n";
    assert_eq!(toy.check("toy"), told);
    says(
        &mut repl,
        "reload",
        &format!("{told}the game goes on by the rules as they were"),
    );
    // Gone, it is known only to the game that was read from it.
    fs::remove_file(toy.path("scripts/toy/toy.rhai")).expect("removed");
    says(
        &mut repl,
        "reload",
        "error[Y0191]: `scripts/toy/toy.rhai` is gone, from which the rules were read before\n |\n \
         = help: 1 problem is left out that may follow from it\n\
         the game goes on by the rules as they were",
    );
    assert_eq!(
        toy.check("toy"),
        "error[Y0191]: there are no scripts: the folder `scripts/toy` is missing, or holds no `*.rhai`\n |\n \
         = help: 1 problem is left out that may follow from it\n"
    );
    // A folder in its place is none of both.
    fs::create_dir(toy.path("scripts/toy/toy.rhai")).expect("made");
    let named = "error[Y0191]: cannot read `scripts/toy/toy.rhai`: it is a folder, and a file is expected\n |\n \
                 = help: see that it is there, that it is no link to nowhere, and that you may read it\n";
    assert_eq!(toy.check("toy"), named);
    says(
        &mut repl,
        "reload",
        &format!("{named}the game goes on by the rules as they were"),
    );
    fs::remove_dir(toy.path("scripts/toy/toy.rhai")).expect("removed");
    toy.write("scripts/toy/toy.rhai", &script);
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 1 answer given again\nnothing comes out differently",
    );
}

#[test]
fn what_an_empty_file_does_not_explain_is_told_after_it() {
    let airways = Project::with("airways");
    airways.write("rules/airways/tickets.toml", "");
    airways.edit(
        "rules/airways/parameters.toml",
        "[parameter.seats]\n",
        "[parameter.seats]\nleest = 1\n",
    );
    let said = airways.check("airways");
    let errors = first_lines(&said);
    assert_eq!(errors.len(), 2, "{said}");
    assert_eq!(
        errors[0],
        "error[Y0192]: `rules/airways/tickets.toml` is empty"
    );
    assert!(errors[1].starts_with("error[Y0106]: "), "{said}");
    assert!(
        said.contains("problems are left out that may follow from it"),
        "{said}"
    );
}

#[test]
fn every_file_that_is_emptied_is_named() {
    for pack in ["airways", "salon"] {
        let project = Project::with(pack);
        // Checking the variants, too, takes its time.
        for folder in ["rules", "scripts"] {
            let variants = project.path(folder).join(pack).join("variants");
            fs::remove_dir_all(variants).expect("removed");
        }
        for folder in ["rules", "scripts"] {
            let folder = project.path(folder).join(pack);
            for entry in fs::read_dir(&folder).expect("read") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    continue;
                }
                let text = fs::read(&path).expect("read");
                fs::write(&path, "").expect("written");
                let said = project.check(pack);
                fs::write(&path, text).expect("written");
                let name = path.strip_prefix(project.folder.path()).expect("within");
                let first = format!("[Y0192]: `{}` is empty", name.display());
                let begin = said.lines().next().unwrap_or_default();
                assert!(begin.ends_with(&first), "{said}");
                // Where it is missed, it is the only error but for what is no matter of names.
                assert!(first_lines(&said).len() <= 2, "{said}");
            }
        }
    }
}

/// A variant that cannot be read is a matter of those who choose it.
#[cfg(unix)]
#[test]
fn all_files_that_cannot_be_read_are_named() {
    let salon = Project::with("salon");
    let lost = [
        "rules/salon/flow.toml",
        "rules/salon/variants/apprentice.toml",
        "rules/salon/variants/no-claims.toml",
        "scripts/salon/turns.rhai",
        "scripts/salon/variants/costly-claims.rhai",
    ];
    let kept = lost.map(|name| (name, fs::read(salon.path(name)).ok()));
    for name in lost {
        let _ = fs::remove_file(salon.path(name));
        std::os::unix::fs::symlink("nowhere", salon.path(name)).expect("linked");
    }
    let said = salon.check("salon");
    for name in lost {
        let named = format!("error[Y0191]: cannot read `{name}`: ");
        assert_eq!(said.matches(&named).count(), 1, "{name}: {said}");
    }
    assert_eq!(first_lines(&said).len(), lost.len(), "{said}");
    // Without them the base game can be played.
    for (name, bytes) in &kept {
        if !name.contains("variants") {
            fs::remove_file(salon.path(name)).expect("removed");
            fs::write(salon.path(name), bytes.as_ref().expect("read")).expect("written");
        }
    }
    let sim = |args: &[&str]| {
        let output = salon
            .yukon()
            .args(["sim", "salon", "--games", "1"])
            .args(args)
            .output();
        let output = output.expect("it runs");
        (
            output.status.code(),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    };
    assert_eq!(sim(&[]), (Some(0), String::new()));
    let (code, said) = sim(&["--variant", "no-claims"]);
    assert_eq!((code, first_lines(&said).len()), (Some(1), 1), "{said}");
    assert!(
        said.contains("cannot read `rules/salon/variants/no-claims.toml`"),
        "{said}"
    );
}

#[test]
fn all_scenarios_that_are_missing_are_named() {
    let toy = Project::toy();
    toy.write("scenarios/toy/take.toml", "");
    let output = toy
        .yukon()
        .args(["test", "first", "take", "second"])
        .output()
        .expect("it runs");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1));
    let named: Vec<&str> = said
        .lines()
        .map(|line| line.split('`').nth(1).unwrap_or_default())
        .collect();
    assert_eq!(named, ["first", "second"], "{said}");
}
