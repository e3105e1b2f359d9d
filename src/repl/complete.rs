//! What could stand at the end of a line.

use super::command::{self, Candidates, Info};
use super::session::Session;

impl Session {
    /// What could stand at the end of a line: where the word to be completed begins, and the words.
    pub fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let candidates = self.candidates(line);
        let begun = &line[candidates.start..];
        let mut words = candidates.words;
        words.retain(|word| word.starts_with(begun));
        words.sort();
        words.dedup();
        (candidates.start, words)
    }

    fn candidates(&self, line: &str) -> Candidates {
        let first = line.len() - line.trim_start().len();
        let typed = &line[first..];
        if let Some((name, text)) = typed.split_once(char::is_whitespace)
            && let Some(info) = self.command_meant(name)
        {
            let text_start = line.len() - text.len();
            let lead = text.len() - text.trim_start().len();
            let mut candidates = (info.complete)(self, &text[lead..]);
            candidates.start += text_start + lead;
            return candidates;
        }
        self.answers(line, first)
    }

    /// The command that a first word names: cut short only where no choice begins so.
    pub(super) fn command_meant(&self, name: &str) -> Option<&'static Info> {
        command::exact(name).or_else(|| {
            let decision = self.game.decision();
            let choices = decision.iter().flat_map(|decision| &decision.choices);
            let mut names = choices.flat_map(|choice| [&choice.key, &choice.label]);
            let name_begins = |known: &String| known.to_lowercase().starts_with(name);
            (!names.any(name_begins)).then(|| command::begun(name))?
        })
    }

    /// Keys of choices, and commands where no word is finished yet.
    fn answers(&self, line: &str, first: usize) -> Candidates {
        let keys: Vec<String> = match self.game.decision() {
            Some(decision) => decision.choices.into_iter().map(|it| it.key).collect(),
            None => Vec::new(),
        };
        let typed = &line[first..];
        // A key of several words is completed as a whole.
        let long = |key: &String| key.contains(' ') && key.starts_with(typed);
        if !typed.is_empty() && keys.iter().any(long) {
            return Candidates {
                start: first,
                words: keys,
            };
        }
        let separates = |letter: char| letter.is_whitespace() || letter == ',';
        match typed.rfind(separates) {
            Some(at) => Candidates {
                start: first + at + 1,
                words: keys,
            },
            None => Candidates {
                start: first,
                words: keys.into_iter().chain(command::names()).collect(),
            },
        }
    }
}
