//! Running scenario files: in parallel, results in the order of their paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use similar::{ChangeTag, TextDiff};

use crate::diag::{Report as Problems, Sources, Style, render};
use crate::pack::{PackFiles, Selection, read_with};
use crate::script::Rules;

use super::golden::transcript;
use super::play::{Failure, play};
use super::read::{NoRules, read};

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only scenarios whose path has this in it.
    pub filter: Option<String>,
    /// Whether transcripts that differ are accepted.
    pub bless: bool,
    /// How complaints are decorated.
    pub style: Style,
    /// How many files are run at the same time.
    pub threads: usize,
    /// Where packs are looked for, upwards.
    pub from: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            filter: None,
            bless: false,
            style: Style::Plain,
            threads: 1,
            from: PathBuf::from("."),
        }
    }
}

/// What became of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioResult {
    /// The path of its file, or of a golden without one.
    pub path: PathBuf,
    /// What is wrong, in full; empty if it passed.
    pub complaints: Vec<String>,
    /// What was accepted: a new golden or a changed one, as a diff.
    pub blessed: Option<String>,
    /// What it covers.
    pub clauses: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

impl ScenarioResult {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.complaints.is_empty()
    }

    /// The path as it is shown, with forward slashes.
    pub fn name(&self) -> String {
        shown(&self.path)
    }
}

/// What became of all scenarios.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// In the order of their paths.
    pub results: Vec<ScenarioResult>,
}

impl Report {
    /// How many passed.
    pub fn passed(&self) -> usize {
        self.results.iter().filter(|result| result.passed()).count()
    }

    /// How many failed.
    pub fn failed(&self) -> usize {
        self.results.len() - self.passed()
    }
}

fn shown(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    match text.strip_prefix("./") {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// The scenarios and the goldens at paths: files, or folders with all that lies in them.
///
/// # Errors
/// When a path cannot be read.
pub fn find(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = BTreeSet::new();
    for path in paths {
        let about = |error: io::Error| {
            io::Error::new(
                error.kind(),
                format!("cannot read `{}`: {error}", shown(path)),
            )
        };
        walk(path, true, &mut found).map_err(about)?;
    }
    // A golden stands for its scenario; one without is a result of its own.
    let mut all: BTreeSet<PathBuf> = BTreeSet::new();
    for path in found {
        let scenario = path.with_extension("toml");
        all.insert(if scenario.is_file() { scenario } else { path });
    }
    Ok(all.into_iter().collect())
}

fn walk(path: &Path, named: bool, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if fs::metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            walk(&entry?.path(), false, found)?;
        }
    } else if named
        || path
            .extension()
            .is_some_and(|end| end == "toml" || end == "golden")
    {
        found.insert(path.to_owned());
    }
    Ok(())
}

/// Rules by the pack's name and its variants.
type Loaded = BTreeMap<(String, Vec<String>), Result<Arc<Rules>, NoRules>>;

/// Packs, each loaded once.
#[derive(Debug, Default)]
pub struct Packs {
    from: PathBuf,
    loaded: Mutex<Loaded>,
}

impl Packs {
    /// No packs yet; they are looked for from a directory upwards.
    pub fn new(from: impl Into<PathBuf>) -> Self {
        Self {
            from: from.into(),
            loaded: Mutex::default(),
        }
    }

    /// The rules of a pack without variants.
    ///
    /// # Errors
    /// When there is no such pack, or it has errors.
    pub fn load(&self, pack: &str) -> Result<Arc<Rules>, String> {
        self.load_with(pack, &[]).map_err(|none| none.message)
    }

    /// The rules of a pack with variants.
    ///
    /// # Errors
    /// When there is no such pack or variant, or they have errors.
    pub fn load_with(&self, pack: &str, variants: &[String]) -> Result<Arc<Rules>, NoRules> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded
            .entry((pack.to_owned(), variants.to_vec()))
            .or_insert_with(|| load(pack, variants, &self.from))
            .clone()
    }
}

fn load(pack: &str, variants: &[String], from: &Path) -> Result<Arc<Rules>, NoRules> {
    let none = |message: String| NoRules {
        variant: None,
        message,
    };
    let from = fs::canonicalize(from).unwrap_or_else(|_| from.to_owned());
    let files = PackFiles::find(pack, &from).map_err(|problem| none(problem.message))?;
    for (at, id) in variants.iter().enumerate() {
        if !files.variants.iter().any(|known| known.id == *id) {
            return Err(NoRules {
                variant: Some(at),
                message: format!("pack `{pack}` has no variant `{id}`"),
            });
        }
    }
    let selection = Selection {
        variants: variants.to_vec(),
        parameters: Vec::new(),
    };
    let (read, _, mut problems) = read_with(&files, &selection);
    let rules = read.and_then(|read| crate::script::lower(read, &mut problems));
    match rules {
        Some(rules) if !problems.has_errors() => Ok(Arc::new(rules)),
        _ => {
            let chosen: String = variants
                .iter()
                .map(|id| format!(" --variant {id}"))
                .collect();
            Err(none(format!(
                "pack `{pack}` has errors: `yukon check {pack}{chosen}` shows them"
            )))
        }
    }
}

/// Runs the scenarios at paths that [`find`] gave.
pub fn run_all(paths: &[PathBuf], options: &Options) -> Report {
    let packs = Packs::new(&options.from);
    let chosen: Vec<&PathBuf> = paths
        .iter()
        .filter(|path| {
            options
                .filter
                .as_ref()
                .is_none_or(|filter| shown(path).contains(filter.as_str()))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, ScenarioResult)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, chosen.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = chosen.get(index) else {
                        return;
                    };
                    let result = run(path, &packs, options);
                    results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    Report {
        results: results.into_iter().map(|(_, result)| result).collect(),
    }
}

/// Runs one scenario.
pub fn run(path: &Path, packs: &Packs, options: &Options) -> ScenarioResult {
    let begun = Instant::now();
    let mut result = ScenarioResult {
        path: path.to_owned(),
        complaints: Vec::new(),
        blessed: None,
        clauses: Vec::new(),
        elapsed: Duration::ZERO,
    };
    examine(path, packs, options, &mut result);
    result.elapsed = begun.elapsed();
    result
}

fn examine(path: &Path, packs: &Packs, options: &Options, result: &mut ScenarioResult) {
    if path.extension().is_some_and(|end| end == "golden") {
        let complaint = format!("{}: there is no scenario for this golden\n", shown(path));
        result.complaints.push(complaint);
        return;
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let complaint = format!("cannot read `{}`: {error}\n", shown(path));
            result.complaints.push(complaint);
            return;
        }
    };
    let mut sources = Sources::new();
    let mut problems = Problems::new();
    let mut load = |pack: &str, variants: &[String]| packs.load_with(pack, variants);
    let scenario = read(&shown(path), &bytes, &mut sources, &mut problems, &mut load);
    let Some(scenario) = scenario else {
        problems.sort();
        result
            .complaints
            .push(render(&problems, &sources, options.style));
        return;
    };
    result.clauses = scenario.clauses.clone();
    let played = play(&scenario);
    for failure in &played.failures {
        result.complaints.push(complain(failure, &sources));
    }
    let Some(game) = &played.game else {
        return;
    };
    let found = transcript(&scenario.title, game);
    let golden = path.with_extension("golden");
    let wanted = match fs::read(&golden) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            let complaint = format!("cannot read `{}`: {error}\n", shown(&golden));
            result.complaints.push(complaint);
            return;
        }
    };
    if wanted.as_deref() == Some(found.as_str()) {
        return;
    }
    // What does not hold is never made golden.
    if options.bless && played.failures.is_empty() {
        match fs::write(&golden, &found) {
            Ok(()) => {
                result.blessed = Some(match &wanted {
                    None => format!("{}: new\n", shown(&golden)),
                    Some(wanted) => {
                        shortened(&diff(wanted, &found, &shown(&golden), options.style))
                    }
                });
            }
            Err(error) => {
                let complaint = format!("cannot write `{}`: {error}\n", shown(&golden));
                result.complaints.push(complaint);
            }
        }
        return;
    }
    let complaint = match wanted {
        None => format!(
            "{}: there is no golden `{}`; `--bless` writes it\n",
            shown(path),
            shown(&golden)
        ),
        Some(wanted) => diff(&wanted, &found, &shown(&golden), options.style),
    };
    result.complaints.push(complaint);
}

fn complain(failure: &Failure, sources: &Sources) -> String {
    let mut text = format!("{}: {}\n", sources.place(failure.span), failure.message);
    text.push_str(&failure.detail);
    text
}

/// The first lines of a long diff, and how many follow.
fn shortened(diff: &str) -> String {
    const MOST: usize = 60;
    let lines: Vec<&str> = diff.lines().collect();
    let mut text = lines[..lines.len().min(MOST)].join("\n");
    text.push('\n');
    if lines.len() > MOST {
        text.push_str(&format!("... and {} lines more\n", lines.len() - MOST));
    }
    text
}

/// The unified diff from a golden to what was found.
fn diff(wanted: &str, found: &str, name: &str, style: Style) -> String {
    let diff = TextDiff::from_lines(wanted, found);
    let mut unified = diff.unified_diff();
    let unified = unified.context_radius(3);
    let mut text = format!("--- {name}\n+++ {name} (found)\n");
    for hunk in unified.iter_hunks() {
        text.push_str(&format!("{}\n", hunk.header()));
        for change in hunk.iter_changes() {
            let (sign, colour) = match change.tag() {
                ChangeTag::Delete => ('-', "\u{1b}[31m"),
                ChangeTag::Insert => ('+', "\u{1b}[32m"),
                ChangeTag::Equal => (' ', ""),
            };
            let line = change.value().trim_end_matches('\n');
            if style == Style::Colour && !colour.is_empty() {
                text.push_str(&format!("{colour}{sign}{line}\u{1b}[0m\n"));
            } else {
                text.push_str(&format!("{sign}{line}\n"));
            }
        }
    }
    text
}

/// Finds and runs scenarios and prints what became of them: what was accepted to `out`, complaints to `err`, and last
/// `N passed, N failed` to `out`. Returns whether all passed. No goldens are accepted where the
/// environment has `CI`.
///
/// # Errors
/// When a path cannot be read, or the output cannot be written.
pub fn report(
    paths: &[PathBuf],
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Option<Report>> {
    if options.bless && std::env::var_os("CI").is_some() {
        writeln!(err, "goldens are not blessed where `CI` is set")?;
        return Ok(None);
    }
    let report = run_all(&find(paths)?, options);
    for result in &report.results {
        if let Some(blessed) = &result.blessed {
            write!(out, "blessed {blessed}")?;
        }
        if !result.passed() {
            writeln!(err, "FAILED {}", result.name())?;
            for complaint in &result.complaints {
                writeln!(err, "{complaint}")?;
            }
        }
    }
    writeln!(
        out,
        "{} passed, {} failed",
        report.passed(),
        report.failed()
    )?;
    Ok(Some(report))
}
