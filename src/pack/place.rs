//! The place of a pack: where it was found, to be read there again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::diag::Diagnostic;

use super::codes;
use super::fields::list;
use super::files::{PackFiles, holds_rules, is_name, unreadable};

/// Where a pack is read from. Who keeps it reads the same pack again, or learns that it is gone: another of its
/// name never takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Folders.
    Folder {
        /// That of its rules.
        rules: PathBuf,
        /// That of its scripts.
        scripts: PathBuf,
        /// Whether there were scripts when the pack was found.
        scripted: bool,
        /// That of the project that it belongs to: where `rules/` is, or its own if it was given by its path.
        project: PathBuf,
    },
    /// The binary, under this name.
    Program(String),
}

impl Place {
    /// Where a pack is: a folder `rules/NAME` found from `from` upwards, else the path of such a folder, else a pack
    /// in the binary. Scripts lie in `scripts/NAME` beside `rules`.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn find(pack: &str, from: &Path) -> Result<Self, Box<Diagnostic>> {
        if let Some(root) = PackFiles::root(pack, from) {
            let rules = root.join("rules").join(pack);
            return Ok(Self::folder(rules, &root, root.clone()));
        }
        let path = from.join(pack);
        if !is_name(pack) && !pack.is_empty() && path.is_dir() {
            return match holds_rules(&path) {
                true => Self::of(&path),
                false => Err(Box::new(
                    Diagnostic::placeless(
                        codes::UNKNOWN_PACK,
                        format!("there is no pack in `{pack}`"),
                    )
                    .help("the folder of a pack's rules holds TOML files, such as `rules/NAME`"),
                )),
            };
        }
        if PackFiles::embedded(pack).is_some() {
            return Ok(Self::Program(pack.to_owned()));
        }
        // A bare name can also be a folder here, but a pack that was found by name comes first.
        if path.is_dir() && holds_rules(&path) {
            return Self::of(&path);
        }
        Err(unknown(pack, from))
    }

    /// The pack in a folder of rules.
    ///
    /// # Errors
    /// When there is no such folder.
    fn of(rules: &Path) -> Result<Self, Box<Diagnostic>> {
        let folder = fs::canonicalize(rules).map_err(|error| unreadable(rules, &error))?;
        let root = folder.parent().and_then(Path::parent);
        let root = root.unwrap_or(&folder).to_owned();
        Ok(Self::folder(folder.clone(), &root, folder))
    }

    fn folder(rules: PathBuf, root: &Path, project: PathBuf) -> Self {
        let scripts = root
            .join("scripts")
            .join(rules.file_name().unwrap_or_default());
        Self::Folder {
            scripted: scripts.is_dir(),
            rules,
            scripts,
            project,
        }
    }

    /// The files as they are now.
    ///
    /// # Errors
    /// When the pack is no longer there, or a folder cannot be read.
    pub fn read(&self) -> Result<PackFiles, Box<Diagnostic>> {
        let (rules, scripts, scripted) = match self {
            Self::Program(name) => {
                let none = || unknown(name, Path::new(""));
                return PackFiles::embedded(name).ok_or_else(none);
            }
            Self::Folder {
                rules,
                scripts,
                scripted,
                ..
            } => (rules, scripts, *scripted),
        };
        if !holds_rules(rules) {
            return Err(gone(rules, "TOML files"));
        }
        if scripted && !scripts.is_dir() {
            return Err(gone(scripts, "scripts"));
        }
        PackFiles::read_folder(rules, scripts)
    }

    /// The folders from which the pack is read, with those in them; none if it is part of the binary.
    pub fn folders(&self) -> Vec<PathBuf> {
        match self {
            Self::Program(_) => Vec::new(),
            Self::Folder { rules, scripts, .. } => vec![rules.clone(), scripts.clone()],
        }
    }

    /// The folder of the project that the pack belongs to; none for a pack of the program itself.
    pub fn project(&self) -> Option<&Path> {
        match self {
            Self::Program(_) => None,
            Self::Folder { project, .. } => Some(project),
        }
    }
}

/// That there is no such pack, with those that there are.
fn unknown(pack: &str, from: &Path) -> Box<Diagnostic> {
    let known = PackFiles::known(from);
    let unknown = Diagnostic::placeless(codes::UNKNOWN_PACK, format!("there is no pack `{pack}`"))
        .suggest(pack, known.iter().map(String::as_str));
    Box::new(match known.is_empty() {
        true => unknown.help("there are no packs: `yukon new DIR` makes one"),
        false => unknown.help(format!(
            "the packs are {}; a path to a folder of TOML files works too",
            list(known.iter().map(String::as_str))
        )),
    })
}

/// That a folder of a pack is no longer there, or holds no more what it held.
fn gone(folder: &Path, what: &str) -> Box<Diagnostic> {
    let shown = folder.display();
    let message = match folder.is_dir() {
        true => format!("no {what} are left in `{shown}`, from which the pack was read"),
        false => format!("the folder `{shown}` is gone, from which the pack was read"),
    };
    let help = "put it back: another pack of this name is not read in its place";
    Box::new(Diagnostic::placeless(codes::UNKNOWN_PACK, message).help(help))
}
