//! What keeps a game that was left, by a crash or by a closed terminal: after each line that changed it, the
//! whole session is written to a file of the user's state folder, and offered again later.
//!
//! A file belongs to one running session, which holds a lock on it; it is replaced as a whole, so that it is
//! never half written. Numbers in the names tell which is the newest.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::DateTime;
use serde::{Deserialize, Serialize};

use crate::flow::Record;
use crate::table::chance::salt;

/// Left games of one pack that are kept.
const MOST_KEPT: usize = 5;

/// The version of the format.
const FORMAT: u32 = 2;

/// A session as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Saved {
    /// The version of the format.
    format: u32,
    /// Who answers for each player: a bot's name, or that of somebody who types.
    pub(super) actors: Vec<String>,
    /// Every way that was tried, to its end.
    pub(super) ways: Vec<SavedWay>,
    /// The position of the way on which the game was.
    pub(super) way: usize,
    /// How many acts of this way had been done.
    pub(super) depth: usize,
    /// Which decision was asked, counted from 1.
    pub(super) decision: usize,
    /// Where in the flow that was, in words; empty in files of before this was kept.
    #[serde(default)]
    pub(super) place: String,
}

/// A way as a file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedWay {
    /// Its name.
    pub(super) name: String,
    /// Whether somebody gave it this name.
    pub(super) named: bool,
    /// The game to the end of this way.
    pub(super) record: Record,
    /// The same by earlier rules, where it was longer by them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) longer: Option<Record>,
}

impl Saved {
    /// A session with these actors and ways.
    pub(super) fn new(actors: Vec<String>, ways: Vec<SavedWay>) -> Self {
        Self {
            format: FORMAT,
            actors,
            ways,
            way: 0,
            depth: 0,
            decision: 1,
            place: String::new(),
        }
    }
}

/// A session that was left.
#[derive(Debug)]
pub(super) struct Left {
    path: PathBuf,
    /// What it is called as long as this program runs, from 1: the newest at its start is the first.
    pub(super) number: usize,
    /// When something was done in it last, if that is known.
    pub(super) when: Option<SystemTime>,
    /// What it was.
    pub(super) saved: Saved,
}

/// Keeps a running session, and knows those that were left before.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    pack: String,
    /// The file of this session, locked, once there is something to keep.
    own: Option<(PathBuf, File)>,
    /// Those left before, the newest first.
    left: Vec<Left>,
    /// Files with something in them that is no session of this format, each with the reason.
    broken: Vec<(PathBuf, String)>,
    /// How many games were given a number.
    numbered: usize,
    /// A file whose game this session goes on with.
    continued: Option<PathBuf>,
    /// What was written last.
    written: String,
}

impl Journal {
    /// The journal of a pack in a folder, which is made when it is wanted. Files that are no sessions are left alone, and
    /// told of.
    pub fn open(folder: &Path, pack: &str) -> Self {
        let mut journal = Self {
            folder: folder.to_owned(),
            pack: pack.to_owned(),
            own: None,
            left: Vec::new(),
            broken: Vec::new(),
            numbered: 0,
            continued: None,
            written: String::new(),
        };
        let mut files = journal.files();
        files.sort_unstable_by(|a, b| b.cmp(a));
        for (_, path) in files {
            // One with nothing in it yet was taken by a session that did not come to keep anything.
            let Some(text) = read_unlocked(&path).filter(|text| !text.is_empty()) else {
                continue;
            };
            if journal.left.len() >= MOST_KEPT {
                // Nobody looks so far back.
                let _ = fs::remove_file(&path);
                continue;
            }
            match read_saved(&text) {
                Ok(saved) => {
                    let left = journal.number(path, saved);
                    journal.left.push(left);
                }
                Err(why) => journal.broken.push((path, why)),
            }
        }
        journal
    }

    /// A game that was left, with the next number.
    fn number(&mut self, path: PathBuf, saved: Saved) -> Left {
        self.numbered += 1;
        Left {
            when: fs::metadata(&path).and_then(|data| data.modified()).ok(),
            number: self.numbered,
            path,
            saved,
        }
    }

    /// The pack's files with their numbers.
    fn files(&self) -> Vec<(u64, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let name = path.file_name()?.to_str()?;
                let number = name
                    .strip_prefix(&self.pack)?
                    .strip_prefix('-')?
                    .strip_suffix(".json")?;
                Some((number.parse().ok()?, path.clone()))
            })
            .collect()
    }

    /// Sessions that were left, the newest first.
    pub(super) fn left(&self) -> &[Left] {
        &self.left
    }

    /// Files of games that cannot be gone on with, each with the reason.
    pub(super) fn broken(&self) -> &[(PathBuf, String)] {
        &self.broken
    }

    /// How many games were given a number since the program began.
    pub(super) fn numbered(&self) -> usize {
        self.numbered
    }

    /// Says that the session of a number goes on in this one: its file is no longer wanted once this one is kept.
    pub(super) fn go_on_with(&mut self, number: usize) {
        if let Some(at) = self.left.iter().position(|left| left.number == number) {
            self.continued = Some(self.left.remove(at).path);
        }
    }

    /// Leaves the game that was kept so far as it is: another begins.
    pub(super) fn turn_the_page(&mut self) {
        let Some((path, file)) = self.own.take() else {
            return;
        };
        drop(file);
        if let Ok(saved) = serde_json::from_str(&self.written) {
            let left = self.number(path, saved);
            self.left.insert(0, left);
        }
        self.written.clear();
    }

    /// Writes the session, if it is not as it was written last.
    ///
    /// # Errors
    /// When the folder cannot be made or the file not be written.
    pub(super) fn keep(&mut self, saved: &Saved) -> io::Result<()> {
        let text = serde_json::to_string(saved)?;
        if text == self.written {
            return Ok(());
        }
        let path = match &self.own {
            Some((path, _)) => path.clone(),
            None => {
                fs::create_dir_all(&self.folder)?;
                self.new_path()?
            }
        };
        let beside = path.with_extension("new");
        let mut file = File::create(&beside)?;
        // Where files cannot be locked, two sessions might offer the same game.
        let _ = file.try_lock();
        file.write_all(text.as_bytes())?;
        fs::rename(&beside, &path)?;
        self.own = Some((path, file));
        self.written = text;
        if let Some(old) = self.continued.take() {
            let _ = fs::remove_file(old);
        }
        Ok(())
    }

    /// A path that no file has; it is taken at once.
    fn new_path(&self) -> io::Result<PathBuf> {
        let last = self.files().iter().map(|(number, _)| *number).max();
        let mut number = last.unwrap_or(0);
        loop {
            number += 1;
            let path = self.folder.join(format!("{}-{number}.json", self.pack));
            match File::create_new(&path) {
                Ok(_) => return Ok(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Forgets the session: its game is over and was left in order.
    pub(super) fn forget(&mut self) {
        if let Some((path, _)) = self.own.take() {
            let _ = fs::remove_file(path);
        }
    }
}

/// A time as a date and hours and minutes of UTC.
pub(super) fn date(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    // What no calendar has is told as the first of all times.
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    time.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// What is in a file that no running session holds.
fn read_unlocked(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => None,
        _ => fs::read(path).ok(),
    }
}

/// A session as it was kept.
fn read_saved(text: &[u8]) -> Result<Saved, String> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let version: Version = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    match version.format {
        FORMAT => serde_json::from_slice(text).map_err(|error| error.to_string()),
        other => Err(format!(
            "it has format {other}; this program reads format {FORMAT}"
        )),
    }
}

/// The folder for the left games of a project, which is known by its own folder: clones of it, and other projects
/// with packs of the same names, have games of their own. Those of packs that belong to no project lie above.
pub fn games_folder(state: &Path, project: Option<&Path>) -> PathBuf {
    let games = state.join("games");
    let Some(project) = project else {
        return games;
    };
    let project = fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
    // The name is for people, the hash of the whole path tells folders of one name apart.
    let name = project.file_name().unwrap_or_default().to_string_lossy();
    let hash = salt(&project.to_string_lossy());
    games.join(format!("{name}-{hash:016x}"))
}

/// The folder in which this program keeps what lasts between runs, if the environment says where.
pub fn state_folder() -> Option<PathBuf> {
    let set = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let base = set
        .filter(|path| path.is_absolute())
        .or_else(|| Some(std::env::home_dir()?.join(".local/state")));
    Some(base?.join("yukon"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_000_000_000, "2001-09-09 01:46 UTC"),
            (1_735_689_599, "2024-12-31 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
            (i64::MAX as u64, "1970-01-01 00:00 UTC"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
