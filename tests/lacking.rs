//! Keys that are left out: a piece that lacks what the others of its kind have is reported where it stands.

use std::path::Path;

use yukon::diag::Diagnostic;
use yukon::pack::{PackFiles, Selection, read_draft};
use yukon::script::lower_draft;

fn salon() -> PackFiles {
    PackFiles::find("salon", Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the pack is here")
}

/// A file of a pack by the end of its name.
fn file<'a>(files: &'a mut [(String, Vec<u8>)], name: &str) -> &'a mut Vec<u8> {
    let found = files.iter_mut().find(|(known, _)| known.ends_with(name));
    &mut found.expect("the file is there").1
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// What is found wrong with a pack, with the lines at which it is told.
fn found(files: &PackFiles) -> Vec<(Diagnostic, String, usize)> {
    let (_, sources, report) = lower_draft(read_draft(files, &Selection::default()));
    let found = report.diagnostics.into_iter();
    found
        .map(|found| {
            let span = found.span.expect("it stands somewhere");
            let source = sources.get(span.file);
            let line = source.text[..span.start as usize].matches('\n').count();
            (found, source.name.clone(), line)
        })
        .collect()
}

/// How many things are found lacking.
fn lacking(files: &PackFiles) -> usize {
    let found = found(files);
    found
        .iter()
        .filter(|(found, ..)| found.code == "Y0354")
        .count()
}

#[test]
fn each_value_that_is_left_out_of_a_card_is_missed_there() {
    let cards = [
        ("clients.toml", &["folk", "value", "colour"][..]),
        (
            "styles.toml",
            &["beard", "beard_bonus", "hairdo", "hairdo_bonus"],
        ),
    ];
    let (mut tried, mut warned) = (0, 0);
    for (name, keys) in cards {
        let whole = text(file(&mut salon().rules, name)).to_owned();
        let lines: Vec<&str> = whole.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(key) = keys
                .iter()
                .find(|key| line.starts_with(&format!("{key} = ")))
            else {
                continue;
            };
            let piece = lines[..at]
                .iter()
                .rposition(|line| line.starts_with("id = "));
            let piece = piece.expect("a piece has an id first");
            let rest = [&lines[..at], &lines[at + 1..]].concat().join("\n");
            let mut files = salon();
            *file(&mut files.rules, name) = rest.into_bytes();
            let found = found(&files);
            let [(told, there, line)] = &found[..] else {
                panic!("{name}:{}: {found:?}", at + 1);
            };
            assert!(there.ends_with(name), "{name}:{}: {told:?}", at + 1);
            if told.code == "Y0354" {
                assert_eq!(*line, piece, "{name}:{}", at + 1);
                assert!(
                    told.message.contains(&format!("has no `{key}`")),
                    "{}",
                    told.message
                );
                warned += 1;
            } else {
                // It has a provenance, and is missed there.
                assert!(
                    (piece..piece + 9).contains(line),
                    "{name}:{}: {told:?}",
                    at + 1
                );
                assert!(
                    told.message.contains(&format!("`{key}`")),
                    "{}",
                    told.message
                );
            }
            tried += 1;
        }
    }
    // 18 Clients with three values each, 32 Styles with four.
    assert_eq!(tried, 18 * 3 + 32 * 4);
    assert!(warned > 32 * 4, "{warned}");
}

#[test]
fn what_scripts_ask_for_may_lack() {
    let mut files = salon();
    let styles = file(&mut files.rules, "styles.toml");
    *styles = text(styles)
        .replacen("\nhairdo = \"v3\"\n", "\n", 1)
        .into_bytes();
    assert_eq!(lacking(&files), 1);
    for asks in [
        "fn bare(style) { style.hairdo == () }",
        "fn bare(style) { let half = style.hairdo; if () != half { 1 } else { 0 } }",
    ] {
        let mut files = files.clone();
        let script = file(&mut files.scripts, "styling.rhai");
        script.extend_from_slice(format!("\n{asks}\n").as_bytes());
        assert_eq!(lacking(&files), 0, "{asks}");
    }
    // Another attribute that is asked for says nothing of this one.
    let script = file(&mut files.scripts, "styling.rhai");
    script.extend_from_slice(b"\nfn bare(style) { style.beard == () }\n");
    assert_eq!(lacking(&files), 1);
}
