//! Running scenario files: in parallel, results in the order of their paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::diag::{Report as Problems, Sources, Style, nearest, render};
use crate::flow::Game;
use crate::pack::files::read_file;
use crate::pack::{PackFiles, Selection, read_with};
use crate::script::Rules;

use super::difference::Difference;
use super::golden::transcript;
use super::play::{Failure, play};
use super::read::{NoRules, read};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How complaints are decorated.
    pub style: Style,
    /// How many files are run at the same time.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            style: Style::PLAIN,
            threads: 1,
        }
    }
}

/// A scenario's file, or a golden without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it lies.
    pub path: PathBuf,
    /// How it is called: its path as people are shown it, with forward slashes.
    pub name: String,
}

/// What became of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioResult {
    /// Its file, or the golden without one.
    pub found: Found,
    /// What it shows; empty if it could not be read.
    pub title: String,
    /// What is wrong, in full; empty if it passed.
    pub complaints: Vec<String>,
    /// What is wrong, in a few lines: what does not hold first, and where the golden differs first.
    pub brief: Vec<String>,
    /// How its golden differs, if that is all that is wrong.
    pub difference: Option<Difference>,
    /// Why no golden can be made of what was found, in a few words: what has to be mended first.
    pub hindrance: Option<String>,
    /// What it covers.
    pub clauses: Vec<String>,
    /// How long it took, without the loading of its pack.
    pub elapsed: Duration,
    loading: Duration,
}

impl ScenarioResult {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.complaints.is_empty()
    }

    /// Makes what was found the golden: then it has passed.
    ///
    /// # Errors
    /// When the golden cannot be written; it is then as before.
    pub fn accept(&mut self) -> io::Result<()> {
        if let Some(difference) = &self.difference {
            difference.accept()?;
            self.difference = None;
            self.complaints.clear();
            self.brief.clear();
        }
        Ok(())
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

/// A path as people are shown it: from the first of some folders that it lies in, with forward slashes.
pub fn shown(path: &Path, bases: &[PathBuf]) -> String {
    let inside = bases.iter().find_map(|base| path.strip_prefix(base).ok());
    let text = inside.unwrap_or(path).to_string_lossy().replace('\\', "/");
    match text.strip_prefix("./") {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// The scenarios and the goldens without one at paths: files, or folders with all that lies in them. They are called by
/// their paths from the first of the bases that they lie in.
///
/// # Errors
/// When a path cannot be read.
pub fn find(paths: &[PathBuf], bases: &[PathBuf]) -> io::Result<Vec<Found>> {
    let mut found = BTreeSet::new();
    for path in paths {
        walk(path, true, &mut found).map_err(|error| {
            let text = format!("cannot read `{}`: {error}", shown(path, bases));
            io::Error::new(error.kind(), text)
        })?;
    }
    // A golden stands for its scenario; one without is a result of its own.
    let mut all: BTreeSet<PathBuf> = BTreeSet::new();
    for path in found {
        let scenario = path.with_extension("toml");
        all.insert(if scenario.is_file() { scenario } else { path });
    }
    let named = |path: PathBuf| Found {
        name: shown(&path, bases),
        path,
    };
    Ok(all.into_iter().map(named).collect())
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

/// Rules by the folder that holds them (none: the binary), the pack's name, and its variants.
type Loaded = BTreeMap<(Option<PathBuf>, String, Vec<String>), Result<Arc<Rules>, NoRules>>;

/// Packs, each loaded once.
#[derive(Debug, Default)]
pub struct Packs {
    from: PathBuf,
    loaded: Mutex<Loaded>,
}

impl Packs {
    /// No packs yet; they are looked for from a directory upwards.
    pub fn new(from: impl AsRef<Path>) -> Self {
        Self {
            from: absolute(from.as_ref()),
            loaded: Mutex::default(),
        }
    }

    /// The rules of a pack without variants.
    ///
    /// # Errors
    /// When there is no such pack, or it has errors.
    pub fn load(&self, pack: &str) -> Result<Arc<Rules>, String> {
        self.load_near(&self.from, pack, &[])
            .map_err(|none| none.message)
    }

    /// The rules of a pack with variants. It is looked for from a folder upwards first: a scenario means the pack of its
    /// own project.
    ///
    /// # Errors
    /// When there is no such pack or variant, or they have errors.
    pub fn load_near(
        &self,
        folder: &Path,
        pack: &str,
        variants: &[String],
    ) -> Result<Arc<Rules>, NoRules> {
        let root = self.root(folder, pack);
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded
            .entry((root.clone(), pack.to_owned(), variants.to_vec()))
            .or_insert_with(|| load(pack, variants, root.as_deref().unwrap_or(&self.from)))
            .clone()
    }
}

impl Packs {
    fn root(&self, folder: &Path, pack: &str) -> Option<PathBuf> {
        PackFiles::root(pack, &absolute(folder)).or_else(|| PackFiles::root(pack, &self.from))
    }

    /// From where the pack is found that a scenario in a folder means.
    pub fn root_near(&self, folder: &Path, pack: &str) -> PathBuf {
        self.root(folder, pack).unwrap_or_else(|| self.from.clone())
    }
}

fn absolute(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

fn load(pack: &str, variants: &[String], from: &Path) -> Result<Arc<Rules>, NoRules> {
    let none = |message: String| NoRules {
        variant: None,
        message,
    };
    let files = PackFiles::find(pack, from).map_err(|problem| none(problem.message))?;
    let known = || files.variants.iter().map(|known| known.id.as_str());
    let unknown = |variant: &String| !known().any(|known| known == variant.as_str());
    if let Some(at) = variants.iter().position(unknown) {
        let variant = &variants[at];
        let near = match nearest(variant, known()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        return Err(NoRules {
            variant: Some(at),
            message: format!("pack `{pack}` has no variant `{variant}`{near}"),
        });
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
            let with: String = variants
                .iter()
                .map(|variant| format!(" --variant {variant}"))
                .collect();
            Err(none(format!(
                "pack `{pack}` has errors: `yukon check {pack}{with}` shows them"
            )))
        }
    }
}

/// Results that came before those of paths before theirs.
struct Waiting<'a> {
    early: BTreeMap<usize, ScenarioResult>,
    report: Report,
    told: &'a mut (dyn FnMut(&ScenarioResult) + Send),
}

impl Waiting<'_> {
    fn take(&mut self, index: usize, result: ScenarioResult) {
        self.early.insert(index, result);
        while let Some(result) = self.early.remove(&self.report.results.len()) {
            (self.told)(&result);
            self.report.results.push(result);
        }
    }
}

/// Runs the scenarios that [`find`] gave, and tells what became of each, in their order. When it is to stop, what has begun
/// is run to its end, and the report has what was run.
pub fn run_all(
    found: &[Found],
    packs: &Packs,
    options: Options,
    stop: &AtomicBool,
    told: &mut (dyn FnMut(&ScenarioResult) + Send),
) -> Report {
    let next = AtomicUsize::new(0);
    let waiting = Mutex::new(Waiting {
        early: BTreeMap::new(),
        report: Report::default(),
        told,
    });
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, found.len().max(1)) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(found) = found.get(index) else {
                        return;
                    };
                    let result = run(found, packs, options);
                    let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                    waiting.take(index, result);
                }
            });
        }
    });
    let waiting = waiting.into_inner();
    waiting.unwrap_or_else(PoisonError::into_inner).report
}

/// Runs one scenario.
pub fn run(found: &Found, packs: &Packs, options: Options) -> ScenarioResult {
    let begun = Instant::now();
    let mut result = ScenarioResult {
        found: found.clone(),
        title: String::new(),
        complaints: Vec::new(),
        brief: Vec::new(),
        difference: None,
        hindrance: None,
        clauses: Vec::new(),
        elapsed: Duration::ZERO,
        loading: Duration::ZERO,
    };
    if let Err(complaint) = examine(packs, options, &mut result) {
        result.brief.extend(first_lines(&complaint));
        result.complaints.push(complaint);
        result.hindrance = Some("it cannot be played".to_owned());
    }
    result.elapsed = begun.elapsed().saturating_sub(result.loading);
    result
}

/// The file beside another with another extension, as people are shown it.
fn beside(name: &str, extension: &str) -> String {
    shown(&Path::new(name).with_extension(extension), &[])
}

fn examine(packs: &Packs, options: Options, result: &mut ScenarioResult) -> Result<(), String> {
    let Found { path, name } = result.found.clone();
    if path.extension().is_some_and(|end| end == "golden") {
        return Err(format!(
            "{name}: there is no scenario `{}` for this golden; write it, or delete the golden\n",
            beside(&name, "toml")
        ));
    }
    let bytes = read_file(&path).map_err(|error| format!("cannot read `{name}`: {error}\n"))?;
    let mut sources = Sources::new();
    let mut problems = Problems::new();
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut loading = Duration::ZERO;
    let mut load = |pack: &str, variants: &[String]| {
        let begun = Instant::now();
        let rules = packs.load_near(folder, pack, variants);
        loading += begun.elapsed();
        rules
    };
    let scenario = read(&name, &bytes, &mut sources, &mut problems, &mut load);
    result.loading = loading;
    let Some(scenario) = scenario else {
        problems.sort();
        return Err(render(&problems, &sources, options.style));
    };
    let scenario = Arc::new(scenario);
    result.title.clone_from(&scenario.title);
    result.clauses.clone_from(&scenario.clauses);
    let played = play(&scenario);
    for failure in &played.failures {
        result.complaints.push(complain(failure, &sources));
    }
    result.hindrance = played
        .failures
        .first()
        .map(|failure| hindrance(failure, &sources));
    if let Some(first) = result.complaints.first() {
        result.brief = first_lines(first);
        match result.complaints.len() {
            1 => {}
            2 => result
                .brief
                .push("and 1 more that does not hold".to_owned()),
            all => result
                .brief
                .push(format!("and {} more that do not hold", all - 1)),
        }
    }
    let Some(game) = &played.game else {
        return Ok(());
    };
    let Some(difference) = against_golden(&path, &name, &scenario.title, game)? else {
        return Ok(());
    };
    // What does not hold any more is a consequence of what is different.
    let brief = difference.brief();
    if difference.wanted.is_some() {
        result.complaints.insert(0, brief.join("\n") + "\n");
    }
    result.brief.splice(0..0, brief);
    result.complaints.push(match &difference.wanted {
        None => format!(
            "{name}: there is no golden `{}`; `yukon test {name} --bless` shows and writes it\n",
            difference.name
        ),
        Some(_) => difference.text(options.style),
    });
    // What does not hold is never made golden.
    if played.failures.is_empty() {
        result.difference = Some(difference);
    }
    Ok(())
}

/// How a game of a scenario differs from the golden beside its file; nothing if it does not.
///
/// # Errors
/// When there is a golden that cannot be read.
pub fn against_golden(
    path: &Path,
    name: &str,
    title: &str,
    game: &Game,
) -> Result<Option<Difference>, String> {
    let path = path.with_extension("golden");
    let golden = beside(name, "golden");
    let wanted = match read_file(&path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("cannot read `{golden}`: {error}\n")),
    };
    let found = transcript(title, game);
    if wanted.as_deref() == Some(found.as_str()) {
        return Ok(None);
    }
    Ok(Some(Difference {
        path,
        name: golden,
        wanted,
        found,
    }))
}

/// The first lines of a complaint that may be long.
fn first_lines(complaint: &str) -> Vec<String> {
    const MOST: usize = 8;
    let mut lines = complaint.trim_end().lines().map(str::to_owned);
    let mut first: Vec<String> = lines.by_ref().take(MOST).collect();
    if lines.next().is_some() {
        first.push("...".to_owned());
    }
    first
}

/// What has to be mended before a golden can be made.
fn hindrance(failure: &Failure, sources: &Sources) -> String {
    let line = sources.position(failure.span).line;
    match failure.unoffered {
        true => format!("line {line} answers what is not offered"),
        false => format!("what line {line} says does not hold"),
    }
}

fn complain(failure: &Failure, sources: &Sources) -> String {
    let mut text = format!("{}: {}\n", sources.place(failure.span), failure.message);
    text.push_str(&failure.detail);
    text
}
