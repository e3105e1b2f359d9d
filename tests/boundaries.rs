//! What `src/` must not know: the games of the packs, and the layers above a layer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use yukon::diag::Severity;
use yukon::pack::{Pack, PackFiles, read};
use yukon::table::layout::Name;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files under `src`, by path from there, with their texts.
fn sources() -> BTreeMap<String, String> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    let src = root().join("src");
    let mut files = Vec::new();
    collect(&src, &mut files);
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&src).expect("under src");
            let name = name.to_string_lossy().replace('\\', "/");
            (name, fs::read_to_string(&path).expect("UTF-8"))
        })
        .collect()
}

/// The words of DESIGN's vocabulary: the engine's own.
const VOCABULARY: &[&str] = &[
    "player",
    "zone",
    "piece",
    "kind",
    "attribute",
    "counter",
    "dial",
    "toggle",
    "graph",
    "node",
    "edge",
    "route",
    "phase",
    "round",
    "step",
    "decision",
    "choice",
    "answer",
    "refusal",
    "effect",
    "parameter",
    "modifier",
    "event",
    "stream",
    "pack",
    "variant",
    "overlay",
    "scenario",
    "expectation",
    "golden",
    "record",
    "clause",
    "group",
    "die",
    "dice",
    "deck",
    "turn",
    "game",
];

/// Words that packs use as ids or titles and that the engine needs as plain English or Rust, each with
/// its reason.
const PLAIN: &[(&str, &str)] = &[
    ("blue", "a colour of a terminal"),
    ("green", "a colour of a terminal"),
    ("grey", "a colour of a terminal"),
    ("icon", "an attribute in the examples of verbs"),
    ("pink", "what a terminal shows as magenta"),
    ("red", "a colour of a terminal"),
    ("red_1", "a die in the description of scenarios"),
    ("red_2", "a die in a test of answers"),
    ("yellow", "a colour of a terminal"),
    ("board", "board games, and the board that is drawn"),
    ("colour", "of a terminal"),
    ("discard", "where a toy deck is refilled from, in tests"),
    ("done", "what has come to its end"),
    ("face_down", "how a piece lies"),
    ("map", "a verb of lists, and Rust's"),
    ("pair", "two of something"),
    ("pass", "over all functions, and along an edge"),
    ("pay", "for work, out of what a script may do"),
    ("rounds", "more than one round"),
    ("side", "of an operator"),
];

fn packs() -> Vec<Pack> {
    PackFiles::known(root())
        .iter()
        .map(|pack| {
            let files = PackFiles::find(pack, root()).expect("the pack is there");
            let (pack, _, report) = read(&files);
            let errors = report
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == Severity::Error);
            assert_eq!(errors.count(), 0);
            pack.expect("a pack without errors")
        })
        .collect()
}

/// Everything with a name in a pack: what it is, id and title.
fn names(pack: &Pack) -> Vec<(&'static str, String)> {
    let layout = &pack.layout;
    let mut names: Vec<(&'static str, String)> = Vec::new();
    let mut add = |what: &'static str, name: &Name| {
        names.push((what, name.id.clone()));
        names.push((what, name.title.clone()));
    };
    layout.nodes.iter().for_each(|of| add("node", &of.name));
    layout.members.iter().for_each(|of| add("member", &of.name));
    layout.pieces.iter().for_each(|of| add("piece", &of.name));
    layout.kinds.iter().for_each(|of| add("kind", &of.name));
    layout.dials.iter().for_each(|of| add("dial", &of.name));
    layout.toggles.iter().for_each(|of| add("toggle", &of.name));
    layout.graphs.iter().for_each(|of| add("graph", &of.name));
    layout.sets.iter().for_each(|of| add("set", &of.name));
    layout
        .group_kinds
        .iter()
        .for_each(|of| add("group", &of.name));
    layout.choices.iter().for_each(|of| add("choice", of));
    pack.blocks.iter().for_each(|of| add("block", &of.name));
    pack.decisions
        .iter()
        .for_each(|of| add("decision", &of.name));
    pack.reasons.iter().for_each(|of| add("reason", &of.name));
    pack.parameters
        .iter()
        .for_each(|of| add("parameter", &of.name));
    pack.modifiers
        .iter()
        .for_each(|of| add("modifier", &of.name));
    pack.exchanges
        .iter()
        .for_each(|of| add("exchange", &of.name));
    pack.events.iter().for_each(|of| add("event", &of.name));
    pack.abilities
        .iter()
        .for_each(|of| add("ability", &of.name));
    let terms = pack.scoring.terms.iter().chain(&pack.scoring.ties);
    terms.for_each(|of| add("term", &of.name));
    names.push(("pack", pack.id.clone()));
    names.push(("pack", pack.title.clone()));
    names
}

/// The places at which a name stands as a whole word, by line.
fn lines_with<'t>(text: &'t str, name: &str) -> Vec<(usize, &'t str)> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let name = name.to_lowercase();
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let lower = line.to_lowercase();
        let stands = lower.match_indices(&name).any(|(at, _)| {
            !lower[..at].chars().next_back().is_some_and(word)
                && !lower[at + name.len()..].chars().next().is_some_and(word)
        });
        if stands {
            found.push((number + 1, line));
        }
    }
    found
}

#[test]
fn nothing_of_the_packs_is_named() {
    let mut names: BTreeMap<String, &'static str> = BTreeMap::new();
    for pack in packs() {
        for (what, name) in self::names(&pack) {
            names.entry(name.to_lowercase()).or_insert(what);
        }
    }
    let mut found = Vec::new();
    let mut needed = BTreeSet::new();
    for (path, text) in sources() {
        for (name, what) in &names {
            // Numbers and single letters stand for nothing.
            if name.len() < 2 || name.chars().all(|c| !c.is_alphabetic()) {
                continue;
            }
            if VOCABULARY.contains(&name.as_str()) {
                continue;
            }
            for (line, text) in lines_with(&text, name) {
                match PLAIN.iter().find(|(plain, _)| plain == name) {
                    Some((plain, _)) => {
                        needed.insert(*plain);
                    }
                    None => found.push(format!(
                        "src/{path}:{line}: the {what} `{name}`: {}",
                        text.trim()
                    )),
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    for (plain, reason) in PLAIN {
        assert!(needed.contains(plain), "`{plain}` ({reason}) is not needed");
    }
}

/// The layers, the lowest first. Those of one row do not know each other.
const LAYERS: &[&[&str]] = &[
    &["diag"],
    &["table"],
    &["pack"],
    &["script"],
    &["flow"],
    &["scenario", "sim"],
    &["repl"],
    &["docs"],
    &["cli"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// The code of a file: without comments and the tests at its end.
fn code(text: &str) -> Vec<(usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .map(|(number, line)| (number + 1, line))
        .collect()
}

#[test]
fn imports_point_downwards() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        let module = path.split(['/', '.']).next().unwrap_or_default().to_owned();
        let Some(own) = layer(&module) else {
            assert!(
                matches!(path.as_str(), "lib.rs" | "main.rs"),
                "src/{path} is in no layer"
            );
            continue;
        };
        for (number, line) in code(&text) {
            for (at, _) in line.match_indices("crate::") {
                let rest = &line[at + "crate::".len()..];
                let end = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len());
                let other = &rest[..end];
                let fits = other == module || layer(other).is_some_and(|other| other < own);
                if !fits {
                    found.push(format!("src/{path}:{number}: {}", line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Who may use what: a word that stands for it, and the files or folders that may.
const USES: &[(&str, &[&str])] = &[
    // The pack reader asks which ids Rhai cannot read.
    (
        "rhai::",
        &["script/parse.rs", "script/recover.rs", "pack/names.rs"],
    ),
    ("toml::", &["pack/", "scenario/"]),
    (
        "std::fs",
        &[
            "cli/",
            "repl/",
            "pack/files.rs",
            "pack/place.rs",
            "scenario/",
            // Reads how much processor time a thread has had.
            "sim/clock.rs",
        ],
    ),
    (
        "std::io",
        &[
            "cli/",
            "repl/",
            "pack/files.rs",
            "scenario/runner.rs",
            "scenario/difference.rs",
        ],
    ),
    ("println!", &["cli/", "repl/"]),
    ("print!", &["cli/", "repl/"]),
    ("rustyline", &["repl/"]),
    ("clap::", &["cli/"]),
    ("indicatif::", &["cli/"]),
    ("ctrlc::", &["cli/"]),
    ("rayon::", &["sim/batch.rs"]),
    ("statrs::", &["sim/numbers.rs"]),
    ("std::env", &["cli/", "repl/"]),
    ("std::process", &["cli/", "repl/", "main.rs"]),
    (
        "SystemTime",
        &[
            "cli/repl.rs",
            // When a game was left.
            "repl/journal.rs",
        ],
    ),
    ("Instant", &["cli/", "sim/", "scenario/runner.rs"]),
];

#[test]
fn only_some_touch_files_and_the_terminal() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        for (number, line) in code(&text) {
            for (word, allowed) in USES {
                if line.contains(word) && !allowed.iter().any(|own| path.starts_with(own)) {
                    found.push(format!("src/{path}:{number}: {}", line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
