//! The order of files and entries, and what a game does not touch, change no digest of the packs' games.

use std::path::Path;

use yukon::diag::{Style, render};
use yukon::pack::{PackFiles, VariantFiles, read};
use yukon::script::{Rules, lower};
use yukon::sim::{Batch, BotKind, Lineup, Watch, run};
use yukon::table::chance::Draw;

const PACKS: [&str; 2] = ["airways", "salon"];
const GAMES: u64 = 20;

fn files(pack: &str) -> PackFiles {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    PackFiles::find(pack, root).expect("a pack")
}

fn rules(files: &PackFiles) -> Rules {
    let (pack, sources, mut report) = read(files);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    rules.unwrap_or_else(|| panic!("{}", render(&report, &sources, Style::PLAIN)))
}

fn batch(players: u8) -> Batch {
    Batch {
        players,
        games: GAMES,
        seed: 5,
        lineup: Lineup::all(BotKind::Random),
        check_invariants: true,
        most_decisions: 5000,
        statistics: false,
        threads: 1,
    }
}

/// The digest of a batch with so many players.
fn digest(rules: &Rules, players: u8) -> String {
    let summary = run(rules, &batch(players), &Watch::default()).expect("threads");
    assert_eq!((summary.unfinished, summary.violations), (0, Some(0)));
    format!("{:?}", summary.digest)
}

/// The digests of batches of each number of players.
fn digests(files: &PackFiles) -> Vec<String> {
    let rules = rules(files);
    let layout = rules.layout();
    let all = layout.min_players..=layout.max_players;
    all.map(|players| digest(&rules, players)).collect()
}

/// The parts of a text that begin with such a line, in another order; what comes before the first stays.
fn shuffled(text: &str, begins: &str, draw: &mut Draw) -> String {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        if line.starts_with(begins) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    for at in (2..parts.len()).rev() {
        let other = 1 + draw.below(at as u64) as usize;
        parts.swap(at, other);
    }
    parts.concat()
}

/// The pack with its files named otherwise, so that they are read in another order, and their entries and
/// functions in another order.
fn reordered(mut files: PackFiles, seed: u64) -> PackFiles {
    let mut draw = Draw::at(seed, 1, 0, 0);
    for (all, begins) in [(&mut files.rules, "["), (&mut files.scripts, "fn ")] {
        for (name, bytes) in all.iter_mut() {
            let (folder, file) = name.rsplit_once('/').expect("a folder");
            // How the board is drawn stands in a file of this name.
            if file != "view.toml" {
                *name = format!("{folder}/{:03}_{file}", draw.below(1000));
            }
            let text = String::from_utf8(bytes.clone()).expect("UTF-8");
            *bytes = shuffled(&text, begins, &mut draw).into_bytes();
        }
    }
    files
}

#[test]
fn the_order_of_files_and_entries_changes_no_digest() {
    for pack in PACKS {
        let before = digests(&files(pack));
        for seed in [1, 2] {
            let other = reordered(files(pack), seed);
            assert_ne!(other.rules, files(pack).rules);
            assert_eq!(digests(&other), before, "{pack}, order {seed}");
        }
    }
}

/// Entries that nothing uses and that no state holds.
fn unused_rules(name: &str) -> String {
    format!(
        "[parameter.{name}_number]
value = 3
doc = 'Used by nobody.'
[decision.{name}_question]
prompt = 'Why?'
[reason.{name}_reason]
text = 'because'
[event.{name}_event]
"
    )
}

/// Entries that nothing uses and for which a state has room, or which it could name.
fn unused_things(name: &str) -> String {
    format!(
        "[stream.{name}_luck]
[choice.{name}_answer]
[counter.{name}_count]
per = ['player']
[counter.{name}_shared]
start = 4
[dial.{name}_dial]
faces = [1, 2, 3]
start = 2
[toggle.{name}_toggle]
per = ['player']
[zone.{name}_attic]
holds = '{name}_card'
ordered = true
[zone.{name}_pocket]
per = ['player']
[set.{name}_colour]
members = ['{name}_black', '{name}_white']
[kind.{name}_card]
attributes = {{ {name}_colour = '{name}_colour' }}
start = '{name}_attic'
generate = [{{ each = ['{name}_colour'], copies = 2 }}]
"
    )
}

/// A pack with more entries, functions and variants, whose names come before or after all others.
fn with(pack: &str, name: &str, entries: String) -> PackFiles {
    let mut files = files(pack);
    let text = |path: String, text: String| (path, text.into_bytes());
    files
        .rules
        .push(text(format!("rules/{pack}/{name}.toml"), entries));
    files.scripts.push(text(
        format!("scripts/{pack}/{name}.rhai"),
        format!("fn {name}_function(x) {{ x + 1 }}\n"),
    ));
    files.variants.push(VariantFiles {
        unread: Vec::new(),
        id: format!("{name}-variant"),
        rules: text(
            format!("rules/{pack}/variants/{name}-variant.toml"),
            "[variant]\ntitle = 'A'\nreason = 'A test.'\n".to_owned(),
        ),
        script: None,
    });
    files
}

#[test]
fn rules_that_nobody_uses_change_no_digest() {
    for pack in PACKS {
        let before = digests(&files(pack));
        for name in ["aaa", "zzz"] {
            let other = with(pack, name, unused_rules(name));
            assert_eq!(digests(&other), before, "{pack} with {name}");
        }
    }
}

#[test]
fn things_that_nobody_uses_change_no_digest() {
    for pack in PACKS {
        let before = digests(&files(pack));
        for name in ["aaa", "zzz"] {
            let entries = [unused_rules(name), unused_things(name)].concat();
            let other = with(pack, name, entries);
            assert_eq!(digests(&other), before, "{pack} with {name}");
        }
    }
}

/// Points are counted after the last state, which knows nothing of them.
#[test]
fn a_rule_of_scoring_changes_the_digest() {
    for (pack, from, to) in [
        (
            "airways",
            "points = \"me.money\"",
            "points = \"me.money + 1\"",
        ),
        ("salon", "points = \"", "points = \"1 + "),
    ] {
        let mut other = files(pack);
        for (_, bytes) in &mut other.rules {
            let text = String::from_utf8(bytes.clone()).expect("UTF-8");
            *bytes = text.replace(from, to).into_bytes();
        }
        assert_ne!(other.rules, files(pack).rules, "{pack}");
        assert_ne!(digest(&rules(&files(pack)), 2), digest(&rules(&other), 2));
    }
}

#[test]
fn a_rule_that_is_played_changes_the_digest() {
    for (pack, parameter, value) in [("airways", "seats", 3), ("salon", "hand_of_first", 2)] {
        let base = rules(&files(pack));
        let other = base
            .with_parameters([(parameter, value)])
            .expect("a parameter");
        assert_ne!(digest(&base, 2), digest(&other, 2));
    }
}
