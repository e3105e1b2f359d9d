//! Where packs come from: folders found from the current directory upwards, paths, or the binary.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use crate::diag::Diagnostic;

use super::codes;
use super::place::Place;

static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");
static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scripts");

/// The bytes of a pack's files, wherever they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackFiles {
    /// The name of the pack's folder.
    pub id: String,
    /// TOML files: the name shown to people, such as `rules/NAME/map.toml`, and the bytes.
    pub rules: Vec<(String, Vec<u8>)>,
    /// Rhai files: the name shown to people, such as `scripts/NAME/effects.rhai`, and the bytes.
    pub scripts: Vec<(String, Vec<u8>)>,
    /// The variants that can be chosen, by name.
    pub variants: Vec<VariantFiles>,
    /// Files in its folders that look like parts of it and are read by nobody.
    pub strays: Vec<Stray>,
    /// Rules and scripts of the base game that could not be read: without them it cannot be played.
    pub unread: Vec<Unread>,
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The name shown to people, such as `rules/NAME/map.toml`.
    pub name: String,
    /// Why.
    pub problem: Diagnostic,
}

/// A file that nobody reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stray {
    /// The name shown to people, such as `scripts/NAME/variants/old.rhai`.
    pub name: String,
    /// Why nobody reads it, and what to do.
    pub help: String,
}

/// The files of a variant: `rules/PACK/variants/NAME.toml`, and perhaps `scripts/PACK/variants/NAME.rhai`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantFiles {
    /// The name of the variant: that of its file without the ending.
    pub id: String,
    /// Its TOML file: the name shown to people, and the bytes.
    pub rules: (String, Vec<u8>),
    /// Its Rhai file, if it has one.
    pub script: Option<(String, Vec<u8>)>,
    /// Those of its files that could not be read; they have no bytes here.
    pub unread: Vec<Unread>,
}

/// The folder of variants among the rules and among the scripts.
const VARIANTS: &str = "variants";

impl PackFiles {
    /// The files of a pack, wherever [`Place::find`] finds it.
    ///
    /// # Errors
    /// When there is no such pack, or a folder cannot be read.
    pub fn find(pack: &str, from: &Path) -> Result<Self, Box<Diagnostic>> {
        Place::find(pack, from)?.read()
    }

    /// The nearest directory from a directory upwards that holds the folder `rules/NAME` of a pack.
    pub fn root(pack: &str, from: &Path) -> Option<PathBuf> {
        is_name(pack).then(|| root_with(pack, from)).flatten()
    }

    /// The files of a pack that is part of the binary.
    pub fn embedded(pack: &str) -> Option<Self> {
        let read = |dir: &Dir<'_>, folder: &str, under: &str, extension: &str| {
            let files = dir.get_dir(under).into_iter().flat_map(Dir::files);
            let mut files: Vec<(String, Vec<u8>)> = files
                .filter(|file| file.path().extension().is_some_and(|end| end == extension))
                .filter_map(|file| {
                    let name = file.path().file_name()?.to_str()?;
                    let shown = format!("{folder}/{under}/{name}");
                    Some((shown, file.contents().to_vec()))
                })
                .collect();
            files.sort();
            files
        };
        let rules = read(&RULES, "rules", pack, "toml");
        let mut strays = Vec::new();
        if !is_name(pack) || rules.is_empty() {
            return None;
        }
        Some(Self {
            id: pack.to_owned(),
            rules,
            scripts: read(&SCRIPTS, "scripts", pack, "rhai"),
            variants: pair(
                read(&RULES, "rules", &format!("{pack}/{VARIANTS}"), "toml"),
                read(&SCRIPTS, "scripts", &format!("{pack}/{VARIANTS}"), "rhai"),
                &mut strays,
            ),
            strays,
            unread: Vec::new(),
        })
    }

    /// The names of all packs: those of the folders `rules` from a directory upwards, and those in
    /// the binary.
    pub fn known(from: &Path) -> BTreeSet<String> {
        let mut known: BTreeSet<String> = RULES
            .dirs()
            .filter_map(|dir| Some(dir.path().file_name()?.to_str()?.to_owned()))
            .filter(|name| Self::embedded(name).is_some())
            .collect();
        for root in from.ancestors() {
            let Ok(entries) = fs::read_dir(root.join("rules")) else {
                continue;
            };
            known.extend(
                entries
                    .filter_map(Result::ok)
                    .filter(|entry| holds_rules(&entry.path()))
                    .filter_map(|entry| entry.file_name().into_string().ok()),
            );
        }
        known
    }

    /// Reads the folder of rules, and the folder of scripts.
    pub(super) fn read_folder(folder: &Path, scripts: &Path) -> Result<Self, Box<Diagnostic>> {
        let id = folder
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let parent = folder.parent().and_then(Path::file_name);
        // A folder that is not under `rules` is named as it is.
        let shown = match parent.is_some_and(|parent| parent == "rules") {
            true => format!("rules/{id}"),
            false => id.clone(),
        };
        let shown_scripts = format!("scripts/{id}");
        let mut strays = strays(folder, &shown, "toml")?;
        strays.extend(self::strays(scripts, &shown_scripts, "rhai")?);
        let mut unread = Vec::new();
        let rules = read_files(folder, &shown, "toml", &mut unread)?;
        let of_scripts = read_files(scripts, &shown_scripts, "rhai", &mut unread)?;
        Ok(Self {
            rules,
            scripts: of_scripts,
            variants: read_variants((folder, &shown), (scripts, &shown_scripts), &mut strays)?,
            id,
            strays,
            unread,
        })
    }
}

/// The files of variants: each TOML file with the script of the same name. Scripts that are left over are strays.
pub(crate) fn pair(
    rules: Vec<(String, Vec<u8>)>,
    scripts: Vec<(String, Vec<u8>)>,
    strays: &mut Vec<Stray>,
) -> Vec<VariantFiles> {
    let stem = |shown: &str| {
        let name = shown.rsplit('/').next().unwrap_or(shown);
        name.split_once('.')
            .map_or(name, |(stem, _)| stem)
            .to_owned()
    };
    let mut scripts: BTreeMap<String, _> = scripts
        .into_iter()
        .map(|script| (stem(&script.0), script))
        .collect();
    let variants = rules
        .into_iter()
        .map(|rules| {
            let id = stem(&rules.0);
            let script = scripts.remove(&id);
            VariantFiles {
                id,
                rules,
                script,
                unread: Vec::new(),
            }
        })
        .collect();
    strays.extend(scripts.into_iter().map(|(id, (name, _))| Stray {
        name,
        help: format!("a variant is a TOML file first: write `variants/{id}.toml` among the rules"),
    }));
    variants
}

/// What looks like rules or scripts in a folder of a pack and lies where nobody reads it: rules among scripts and the
/// other way round, endings in capitals, folders other than that of the variants. Notes of other kinds may lie anywhere.
fn strays(folder: &Path, shown: &str, extension: &str) -> Result<Vec<Stray>, Box<Diagnostic>> {
    let mut found = Vec::new();
    for (path, name) in entries(folder, shown)? {
        if path.is_dir() {
            let is_variants = path.file_name().is_some_and(|name| name == VARIANTS);
            for (path, name) in entries(&path, &name)? {
                let misplaced = misplaced(&path, extension);
                if path.is_file() && (misplaced || !is_variants && is_ours(&path)) {
                    found.push(stray(name, extension));
                }
            }
        } else if misplaced(&path, extension) {
            found.push(stray(name, extension));
        }
    }
    found.sort();
    Ok(found)
}

fn stray(name: String, extension: &str) -> Stray {
    let folder = if extension == "toml" {
        "rules"
    } else {
        "scripts"
    };
    Stray {
        name,
        help: format!(
            "of `{folder}/PACK` and `{folder}/PACK/{VARIANTS}` the files `*.{extension}` are read, and no others"
        ),
    }
}

/// Whether a file is rules or a script by its ending, in whatever letters.
fn is_ours(path: &Path) -> bool {
    let end = path.extension().map(|end| end.to_ascii_lowercase());
    end.is_some_and(|end| end == "toml" || end == "rhai")
}

/// Whether a file is one of ours that is not read in a folder whose files have an ending.
fn misplaced(path: &Path, extension: &str) -> bool {
    is_ours(path) && path.extension().is_none_or(|end| end != extension)
}

/// What lies in a folder, with its names as people are shown them; nothing if there is no such folder.
fn entries(folder: &Path, shown: &str) -> Result<Vec<(PathBuf, String)>, Box<Diagnostic>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        let name = path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // Hidden files are those of editors, such as the locks of what is open in them.
        if !name.starts_with('.') {
            found.push((path, format!("{shown}/{name}")));
        }
    }
    Ok(found)
}

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read, or is no file with an end: a pipe or a device would be waited for without one.
pub fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?;
    if !kind.is_file() {
        let text = match kind.is_dir() {
            true => "it is a folder, and a file is expected",
            false => "it is no regular file",
        };
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, text));
    }
    fs::read(path)
}

/// Whether a pack is given by name rather than by path.
pub(super) fn is_name(pack: &str) -> bool {
    !pack.is_empty() && pack != "." && pack != ".." && !pack.contains(['/', '\\'])
}

/// The nearest directory upwards with rules of this name.
fn root_with(pack: &str, from: &Path) -> Option<PathBuf> {
    from.ancestors()
        .find(|root| holds_rules(&root.join("rules").join(pack)))
        .map(Path::to_path_buf)
}

/// Whether a folder holds a TOML file.
pub(super) fn holds_rules(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| {
        entries
            .filter_map(Result::ok)
            .any(|entry| entry.path().extension().is_some_and(|end| end == "toml"))
    })
}

/// The variants in the folders of rules and of scripts, each with how people are shown it. What cannot be read of
/// one is for those who choose it: others can be played without.
fn read_variants(
    rules: (&Path, &str),
    scripts: (&Path, &str),
    strays: &mut Vec<Stray>,
) -> Result<Vec<VariantFiles>, Box<Diagnostic>> {
    let mut unread = Vec::new();
    let mut read = |(folder, shown): (&Path, &str), extension| {
        let mut lost = Vec::new();
        let (folder, shown) = (folder.join(VARIANTS), format!("{shown}/{VARIANTS}"));
        let mut files = read_files(&folder, &shown, extension, &mut lost)?;
        files.extend(lost.iter().map(|lost| (lost.name.clone(), Vec::new())));
        files.sort();
        unread.extend(lost);
        Ok::<_, Box<Diagnostic>>(files)
    };
    let mut variants = pair(read(rules, "toml")?, read(scripts, "rhai")?, strays);
    for variant in &mut variants {
        let names =
            [Some(&variant.rules), variant.script.as_ref()].map(|file| file.map(|(name, _)| name));
        let own = unread.extract_if(.., |lost| names.contains(&Some(&lost.name)));
        variant.unread.extend(own);
    }
    Ok(variants)
}

/// The files of a folder with an extension, sorted by name; none if there is no such folder.
fn read_files(
    folder: &Path,
    shown: &str,
    extension: &str,
    unread: &mut Vec<Unread>,
) -> Result<Vec<(String, Vec<u8>)>, Box<Diagnostic>> {
    let mut files = Vec::new();
    for (path, name) in entries(folder, shown)? {
        if path.extension().is_none_or(|end| end != extension) {
            continue;
        }
        match read_file(&path) {
            Ok(bytes) => files.push((name, bytes)),
            Err(error) => unread.push(Unread {
                problem: *unreadable(Path::new(&name), &error),
                name,
            }),
        }
    }
    files.sort();
    unread.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Box<Diagnostic> {
    let message = format!("cannot read `{}`: {error}", path.display());
    let help = "see that it is there, that it is no link to nowhere, and that you may read it";
    Box::new(Diagnostic::placeless(codes::UNREADABLE, message).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary folder");
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "x = 1\n").expect("written");
        }
        root
    }

    fn names(files: &[(String, Vec<u8>)]) -> Vec<&str> {
        files.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn a_pack_is_found_by_name_from_any_folder_below() {
        let root = tree(&[
            "rules/toy/b.toml",
            "rules/toy/a.toml",
            "rules/toy/notes.md",
            "rules/toy/variants/v.toml",
            "scripts/toy/variants/v.rhai",
            "scripts/toy/a.rhai",
            "deep/er/file",
        ]);
        for from in ["", "deep", "deep/er", "rules/toy"] {
            let pack = PackFiles::find("toy", &root.path().join(from)).expect("a pack");
            assert_eq!(pack.id, "toy");
            assert_eq!(names(&pack.rules), ["rules/toy/a.toml", "rules/toy/b.toml"]);
            assert_eq!(names(&pack.scripts), ["scripts/toy/a.rhai"]);
            let variants: Vec<_> = pack
                .variants
                .iter()
                .map(|variant| (variant.id.as_str(), variant.rules.0.as_str()))
                .collect();
            assert_eq!(variants, [("v", "rules/toy/variants/v.toml")]);
            let script = pack.variants[0].script.as_ref();
            assert_eq!(
                script.map(|(name, _)| name.as_str()),
                Some("scripts/toy/variants/v.rhai")
            );
        }
    }

    #[test]
    fn files_that_nobody_reads_are_noted() {
        let root = tree(&[
            "rules/toy/a.toml",
            "rules/toy/notes.md",
            "rules/toy/B.TOML",
            "rules/toy/lost.rhai",
            "rules/toy/varients/v.toml",
            "rules/toy/variants/w.toml",
            "rules/toy/variants/w.rhai",
            "scripts/toy/a.rhai",
            "scripts/toy/foo.txt",
            "scripts/toy/c.toml",
            "scripts/toy/variants/v.rhai",
            "scripts/toy/variants/w.rhai",
        ]);
        let pack = PackFiles::find("toy", root.path()).expect("a pack");
        let strays: Vec<&str> = pack
            .strays
            .iter()
            .map(|stray| stray.name.as_str())
            .collect();
        assert_eq!(
            strays,
            [
                "rules/toy/B.TOML",
                "rules/toy/lost.rhai",
                "rules/toy/variants/w.rhai",
                "rules/toy/varients/v.toml",
                "scripts/toy/c.toml",
                "scripts/toy/variants/v.rhai",
            ]
        );
        assert!(pack.strays[5].help.contains("`variants/v.toml`"));
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        for own in PackFiles::known(repository) {
            let own = PackFiles::find(&own, repository).expect("a pack");
            assert_eq!(own.strays, []);
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_and_links_to_them_are_read() {
        let root = tree(&["rules/toy/a.toml", "elsewhere/b.toml"]);
        let link = |to: &str, name: &str| {
            let name = root.path().join("rules/toy").join(name);
            std::os::unix::fs::symlink(to, name).expect("linked");
        };
        link("../../elsewhere/b.toml", "b.toml");
        let pack = PackFiles::find("toy", root.path()).expect("a pack");
        assert_eq!(names(&pack.rules), ["rules/toy/a.toml", "rules/toy/b.toml"]);
        // Of a device, as of a pipe, there would be no end.
        link("/dev/zero", "c.toml");
        // Nobody means those of editors.
        link("nowhere", ".#a.toml");
        let pack = PackFiles::find("toy", root.path()).expect("a pack");
        assert_eq!(names(&pack.rules), ["rules/toy/a.toml", "rules/toy/b.toml"]);
        let told: Vec<_> = pack
            .unread
            .iter()
            .map(|unread| unread.problem.message.as_str())
            .collect();
        assert_eq!(
            told,
            ["cannot read `rules/toy/c.toml`: it is no regular file"]
        );
    }

    #[test]
    fn a_folder_where_a_file_is_expected_is_named_and_the_other_way_round() {
        for (file, named) in [
            (
                "scripts/toy/b.rhai/notes.md",
                "scripts/toy/b.rhai`: it is a folder, and a file is expected",
            ),
            (
                "rules/toy/b.toml/notes.md",
                "rules/toy/b.toml`: it is a folder, and a file is expected",
            ),
            ("rules/toy/variants", "rules/toy/variants`: Not a directory"),
        ] {
            let root = tree(&["rules/toy/a.toml", "scripts/toy/a.rhai", file]);
            let told = match PackFiles::find("toy", root.path()) {
                Ok(pack) => pack.unread[0].problem.message.clone(),
                Err(refused) => refused.message,
            };
            assert!(told.contains(named), "{told}");
        }
    }

    #[test]
    fn a_pack_is_found_by_its_path() {
        let root = tree(&["rules/toy/a.toml", "scripts/toy/a.rhai", "loose/a.toml"]);
        for path in [
            "rules/toy",
            "./rules/toy",
            "rules/toy/",
            "rules/../rules/toy",
        ] {
            let pack = PackFiles::find(path, root.path()).expect("a pack");
            assert_eq!(names(&pack.rules), ["rules/toy/a.toml"]);
            assert_eq!(names(&pack.scripts), ["scripts/toy/a.rhai"]);
        }
        let pack = PackFiles::find("loose", root.path()).expect("a pack");
        assert_eq!(names(&pack.rules), ["loose/a.toml"]);
    }

    #[test]
    fn an_unknown_pack_is_told_with_those_that_exist() {
        let root = tree(&["rules/toyland/a.toml", "rules/empty/notes.md"]);
        let unknown = PackFiles::find("toylend", root.path()).expect_err("no such pack");
        assert_eq!(unknown.message, "there is no pack `toylend`");
        assert_eq!(unknown.help[0], "did you mean `toyland`?");
        assert!(!unknown.help[1].contains("empty"));
        // What lies around the folder of this test is not its matter.
        let within = root.path().join("rules/empty");
        for odd in ["", ".", "..", "no/such/path", "\0"] {
            assert!(PackFiles::find(odd, &within).is_err(), "{odd:?}");
        }
    }
}
