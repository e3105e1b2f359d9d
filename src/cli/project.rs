//! The project in which the command was started, and its scenarios.

use std::fs;
use std::path::{Path, PathBuf};

use super::Failure;

/// The folder of a project that holds its scenarios.
const SCENARIOS: &str = "scenarios";

/// Where the command was started.
pub(super) struct Here {
    pub(super) folder: PathBuf,
    /// The nearest folder upwards that holds scenarios.
    project: Option<PathBuf>,
}

impl Here {
    pub(super) fn find() -> Self {
        let folder = std::env::current_dir()
            .and_then(fs::canonicalize)
            .unwrap_or_else(|_| PathBuf::from("."));
        let project = folder
            .ancestors()
            .find(|folder| folder.join(SCENARIOS).is_dir())
            .map(Path::to_path_buf);
        Self { folder, project }
    }

    /// The folders from which paths are shown.
    pub(super) fn bases(&self) -> Vec<PathBuf> {
        self.project.iter().chain([&self.folder]).cloned().collect()
    }

    /// The folder of all scenarios.
    pub(super) fn all(&self) -> Result<PathBuf, Failure> {
        let project = self.project.as_ref().ok_or_else(|| {
            Failure::Message(format!(
                "there is no folder `{SCENARIOS}` here or above: go into a project, or name a scenario"
            ))
        })?;
        Ok(project.join(SCENARIOS))
    }

    /// A path as it is from here; else as it is from the project, or within its scenarios.
    pub(super) fn resolve(&self, path: &Path) -> Result<PathBuf, Failure> {
        let project = self.project.iter();
        let elsewhere = project.flat_map(|root| [root.join(path), root.join(SCENARIOS).join(path)]);
        let found = [self.folder.join(path)]
            .into_iter()
            .chain(elsewhere)
            .find(|path| path.exists());
        let Some(found) = found else {
            return Err(Failure::Message(format!(
                "there is no scenario or folder `{}`: `yukon test --list` shows the scenarios",
                path.display()
            )));
        };
        // A project stands for its scenarios: what else lies in it is none.
        let found = match found.join(SCENARIOS) {
            scenarios if scenarios.is_dir() => scenarios,
            _ => found,
        };
        // The folder is made plain, so that it can be shown from the project; a file keeps its name.
        match (found.is_dir(), found.parent(), found.file_name()) {
            (false, Some(folder), Some(name)) => Ok(fs::canonicalize(folder)?.join(name)),
            _ => Ok(fs::canonicalize(found)?),
        }
    }
}
