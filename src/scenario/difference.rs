//! What a game gave against its golden.

use std::fs;
use std::io;
use std::path::PathBuf;

use similar::{ChangeTag, TextDiff};

use crate::diag::Style;

use super::parting::part;

/// A golden that is not what the game gave, or is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where the golden lies, or will.
    pub path: PathBuf,
    /// Its path as people are shown it.
    pub name: String,
    /// What it says, with the line ends of Unix; `None` if there is none yet.
    pub wanted: Option<String>,
    /// What the game gave.
    pub found: String,
}

impl Difference {
    /// The unified diff from the golden to what was found; all of it is new if there is no golden.
    pub fn text(&self, style: Style) -> String {
        let diff = TextDiff::from_lines(self.wanted.as_deref().unwrap_or(""), &self.found);
        let mut unified = diff.unified_diff();
        let unified = unified.context_radius(3);
        let mut text = match self.wanted {
            Some(_) => format!("--- {0}\n+++ {0} (found)\n", self.name),
            None => format!("+++ {} (new)\n", self.name),
        };
        for hunk in unified.iter_hunks() {
            text.push_str(&format!("{}\n", hunk.header()));
            for change in hunk.iter_changes() {
                let (sign, colour) = match change.tag() {
                    ChangeTag::Delete => ('-', "\u{1b}[31m"),
                    ChangeTag::Insert => ('+', "\u{1b}[32m"),
                    ChangeTag::Equal => (' ', ""),
                };
                let line = change.value().trim_end_matches('\n');
                if style.colour && !colour.is_empty() {
                    text.push_str(&format!("{colour}{sign}{line}\u{1b}[0m\n"));
                } else {
                    text.push_str(&format!("{sign}{line}\n"));
                }
            }
        }
        text
    }

    /// Where the golden differs first, and in what, in a few lines.
    pub fn brief(&self) -> Vec<String> {
        const MOST: usize = 5;
        let Some(wanted) = &self.wanted else {
            return vec!["there is no golden yet: `--bless` shows and writes it".to_owned()];
        };
        let Some(parting) = part(wanted, &self.found) else {
            let first = |text: &str| text.lines().take(2).collect::<Vec<_>>().join(" / ");
            let (old, new) = (first(wanted), first(&self.found));
            return vec![format!(
                "its golden differs in its first lines: {new}, not {old}"
            )];
        };
        let mut lines = vec![format!("its golden differs {}:", parting.at())];
        let more = parting.words.len().saturating_sub(MOST);
        lines.extend(
            parting
                .words
                .iter()
                .take(MOST)
                .map(|word| format!("  {word}")),
        );
        if more > 0 {
            lines.push(format!("  and {more} more there"));
        }
        lines
    }

    /// Writes what was found as the golden, all at once: who reads it meanwhile sees the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written; the golden is then as before.
    pub fn accept(&self) -> io::Result<()> {
        let about = |error: io::Error| {
            let text = format!("cannot write `{}`: {error}", self.name);
            io::Error::new(error.kind(), text)
        };
        let new = self.path.with_extension("golden.new");
        fs::write(&new, &self.found).map_err(about)?;
        fs::rename(&new, &self.path).map_err(|error| {
            let _ = fs::remove_file(&new);
            about(error)
        })
    }
}
