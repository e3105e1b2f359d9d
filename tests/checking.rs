//! `yukon check` on small packs in a folder of their own, as a shell and an editor see it.

mod kit;

use std::fs;
use std::path::Path;

use kit::program;
use serde_json::{Value, json};
use tempfile::TempDir;

const GAME: &str = "\
[game]
title = \"Toy\"
players = [2, 4]
flow = \"year\"

[flow.year]
each = \"players()\"
do = [\"sow\"]

[counter.coins]
per = [\"player\"]
";

const SOW: &str = "fn sow(me) { me.coins += 1; }\n";

/// A project with these files.
fn project(files: &[(&str, &[u8])]) -> TempDir {
    let root = TempDir::new().expect("a folder");
    for (name, bytes) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    }
    root
}

/// What `yukon` answers in a folder: its exit code, its results, its complaints.
fn yukon(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = program()
        .args(args)
        .current_dir(folder)
        .output()
        .expect("yukon runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().unwrap_or(-1);
    (code, text(output.stdout), text(output.stderr))
}

/// What `check --format json` finds in a pack, each as its code and its place.
fn places(files: &[(&str, &[u8])]) -> Vec<Value> {
    let root = project(files);
    let (code, out, complaints) = yukon(root.path(), &["check", "toy", "--format", "json"]);
    assert_eq!((code, complaints.as_str()), (1, ""));
    let found: Vec<Value> = serde_json::from_str(&out).expect("a list");
    let keys = ["code", "file", "line", "column", "end_line", "end_column"];
    let place = |found: &Value| json!(keys.map(|key| found[key].clone()));
    found.iter().map(place).collect()
}

#[test]
fn base_game_and_variants_are_told_in_one_run_and_nothing_twice() {
    let wet = "[variant]\ntitle = 'Wet'\nreason = 'Does rain help?'\nrequires = ['mild']\n\n\
               [counter.coins]\nstrat = 2\n";
    let mild = "[variant]\ntitle = 'Mild'\nreason = 'Is it too easy?'\noverride = ['sow']\n\n\
                [add.parameter.mildness]\nvalue = 3\n";
    let root = project(&[
        ("rules/toy/game.toml", GAME.as_bytes()),
        ("rules/toy/barn.toml", b"[zone.barn]\nordred = true\n"),
        ("scripts/toy/sow.rhai", b"fn sow(me) { me.coinz += 1; }\n"),
        ("rules/toy/variants/wet.toml", wet.as_bytes()),
        ("rules/toy/variants/mild.toml", mild.as_bytes()),
        (
            "scripts/toy/variants/mild.rhai",
            b"fn sow(me) { me.coins += value(parameter::mild, me); }\n",
        ),
    ]);
    let (code, summary, told) = yukon(root.path(), &["check", "toy"]);
    let lines = |text: &str, start: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim_start);
        let lines = lines.filter(|line| line.starts_with(start));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        lines(&told, "error["),
        [
            "error[Y0106]: zone `barn` has no key `ordred`",
            "error[Y0312]: a player has no property `coinz`",
            "error[Y0108]: parameter `mildness` needs a key `doc`",
            "error[Y0341]: `parameter` has no `mild`",
            "error[Y0184]: `counter.coins` has no `strat` to be changed",
        ]
    );
    assert_eq!(
        lines(&told, "-->"),
        [
            "--> rules/toy/barn.toml:2:1",
            "--> scripts/toy/sow.rhai:1:17",
            "--> rules/toy/variants/mild.toml:6:16",
            "--> scripts/toy/variants/mild.rhai:1:32",
            "--> rules/toy/variants/wet.toml:7:1",
        ]
    );
    assert_eq!(code, 1);
    assert_eq!(
        summary,
        "toy: 2 errors\ntoy with mild: 2 errors\ntoy with wet: 1 error\n"
    );
}

#[test]
fn columns_count_characters_after_tabs_letters_and_windows_line_ends() {
    // A tab is one character, so is a letter of several bytes; a carriage return ends no column.
    let barn = "[zone.barn]\r\n\ttitle = \"Früchte, 水\"\r\n\t\"ordred\" = true # é\r\n";
    let sow = "fn sow(me) {\r\n\t/* Öl: 水 */ me.coinz += 1;\r\n}\r\n";
    let bom = [b"\xEF\xBB\xBF".as_slice(), GAME.as_bytes()].concat();
    let strat = String::from_utf8(bom).expect("UTF-8") + "strat = 3\n";
    assert_eq!(
        places(&[
            ("rules/toy/game.toml", strat.as_bytes()),
            ("rules/toy/barn.toml", barn.as_bytes()),
            ("scripts/toy/sow.rhai", sow.as_bytes()),
        ]),
        [
            json!(["Y0106", "rules/toy/barn.toml", 3, 2, 3, 10]),
            json!(["Y0106", "rules/toy/game.toml", 12, 1, 12, 6]),
            json!(["Y0312", "scripts/toy/sow.rhai", 2, 17, 2, 22]),
        ]
    );
}

#[test]
fn what_belongs_to_no_file_has_no_place() {
    let root = project(&[
        ("rules/toy/game.toml", GAME.as_bytes()),
        ("scripts/toy/sow.rhai", SOW.as_bytes()),
    ]);
    let args = ["check", "toy", "--set", "price=3", "--format", "json"];
    let (code, out, _) = yukon(root.path(), &args);
    let found: Value = serde_json::from_str(&out).expect("a list");
    assert_eq!((code, &found[0]["code"]), (1, &json!("Y0188")));
    for key in ["file", "line", "column", "end_line", "end_column"] {
        assert_eq!(found[0][key], Value::Null, "{key}");
    }
    assert_eq!(yukon(root.path(), &["check"]).0, 0);
}

#[test]
fn a_file_that_cannot_be_read_hides_no_error_of_another() {
    // What the folder hides may declare `goods`, and nothing that could be meant by `orderd`.
    let game = format!("{GAME}[zone.shed]\nper = [\"goods\"]\n[zone.yard]\norderd = true\n");
    let found = places(&[
        ("rules/toy/game.toml", game.as_bytes()),
        ("rules/toy/goods.toml/notes.md", b""),
        (
            "scripts/toy/sow.rhai",
            b"fn sow(me) { me.coins += 1; break; }\n",
        ),
    ]);
    let codes: Vec<&Value> = found.iter().map(|place| &place[0]).collect();
    assert_eq!(codes, ["Y0191", "Y0106", "Y0301"]);
}

/// The names of what lies in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_page_is_written_to_the_standard_output_and_no_file_is_called_minus() {
    let score = "[score.coins]\npoints = 'me.coins'\n";
    let asks = "fn sow(me) { if confirm(decision::more, me) { me.coins += 1; } }\n";
    let game = format!("{GAME}\n{score}\n[decision.more]\nprompt = 'More?'\n");
    let root = project(&[
        ("rules/toy/game.toml", game.as_bytes()),
        ("scripts/toy/sow.rhai", asks.as_bytes()),
    ]);
    let folder = root.path();
    let (code, out, complaints) = yukon(folder, &["sim", "toy", "--games", "2", "--html", "-"]);
    assert_eq!((code, complaints.as_str()), (0, ""));
    assert!(out.to_lowercase().starts_with("<!doctype html>"), "{out}");
    assert!(out.trim_end().ends_with("</html>"), "{out}");
    for args in [
        &["docs", "--write", "-"][..],
        &["docs", "--schema", "-"],
        &["test", "--junit", "-"],
        &["sim", "toy", "--save-failures", "-"],
    ] {
        let (code, out, complaints) = yukon(folder, args);
        assert_eq!((code, out.as_str()), (1, ""), "{args:?}");
        let option = args[args.len() - 2];
        let start = format!("error: `{option} -`: ");
        assert!(complaints.starts_with(&start), "{complaints}");
        assert!(complaints.contains("; expected a "), "{complaints}");
    }
    assert_eq!(names(folder), ["rules", "scripts"]);
}
