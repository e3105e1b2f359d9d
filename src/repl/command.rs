//! What a command is, how it is found by its name, and how it is explained. The commands themselves are
//! in [`commands`](super::commands).

use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use crate::diag::nearest;

use super::commands::GROUPS;
use super::commands::step::only_inside;
use super::session::{Reply, Session};
use super::text::wrap;

/// A command: how it is called and explained, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name.
    pub name: &'static str,
    /// What may follow the name.
    pub arguments: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Examples, each with what it does.
    pub examples: &'static [(&'static str, &'static str)],
    /// Does it.
    pub run: fn(&mut Session, &Args<'_>) -> Reply,
    /// What could stand at the end of its arguments, of which the text up to the cursor is given.
    pub complete: fn(&Session, &str) -> Candidates,
}

/// Commands that belong together in the help.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What they have in common.
    pub title: &'static str,
    /// The commands, in the order of the help.
    pub commands: &'static [Info],
}

/// What was typed after a command's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args<'a> {
    /// All of it, without space around it.
    pub text: &'a str,
    /// Its words, without `--all`.
    pub words: Vec<&'a str>,
    /// Whether `--all` is among them: nothing is hidden.
    pub all: bool,
}

impl<'a> Args<'a> {
    /// Reads what follows a name.
    pub fn new(text: &'a str) -> Self {
        let text = text.trim();
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let before = words.len();
        words.retain(|word| *word != "--all");
        Self {
            text,
            all: words.len() < before,
            words,
        }
    }

    /// The first word as a number above 0, or a default where there is none.
    ///
    /// # Errors
    /// When it is no such number.
    pub fn number(&self, default: usize) -> Result<usize, String> {
        match self.words.first() {
            None => Ok(default),
            Some(word) => above_0(word),
        }
    }
}

/// A text as a number above 0.
///
/// # Errors
/// When it is none.
pub fn above_0(text: &str) -> Result<usize, String> {
    let what = "number above 0";
    match whole(text, what)? {
        0 => Err(format!("`{text}` is no {what}")),
        number => Ok(number),
    }
}

/// A text as a number.
///
/// # Errors
/// That it is too large or too small a number, or that it is no `what`.
pub fn whole<T: FromStr<Err = ParseIntError>>(text: &str, what: &str) -> Result<T, String> {
    text.parse()
        .map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => format!("`{text}` is too large a number"),
            IntErrorKind::NegOverflow => format!("`{text}` is too small a number"),
            _ => format!("`{text}` is no {what}"),
        })
}

/// What could stand at the end of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The byte at which what is to be completed begins.
    pub start: usize,
    /// What could stand there. What does not begin as typed is left out later.
    pub words: Vec<String>,
}

impl Candidates {
    /// Words that could stand where the last word of a text stands.
    pub fn words(text: &str, words: Vec<String>) -> Self {
        Self {
            start: text.rfind(char::is_whitespace).map_or(0, |at| {
                at + text[at..].chars().next().map_or(1, char::len_utf8)
            }),
            words,
        }
    }

    /// Words that could be the first of a text.
    pub fn first(text: &str, words: Vec<String>) -> Self {
        match text.contains(char::is_whitespace) {
            true => Self::default(),
            false => Self { start: 0, words },
        }
    }
}

/// Completes nothing.
pub fn no_candidates(_: &Session, _: &str) -> Candidates {
    Candidates::default()
}

/// All commands, in the order of the help.
pub fn all() -> impl Iterator<Item = &'static Info> {
    GROUPS.iter().flat_map(|group| group.commands)
}

/// The names of all commands.
pub fn names() -> Vec<String> {
    all().map(|info| info.name.to_owned()).collect()
}

/// The command of this name.
pub fn exact(name: &str) -> Option<&'static Info> {
    let name = match name {
        "exit" => "quit",
        "?" => "help",
        name => name,
    };
    all().find(|info| info.name == name)
}

/// The only command whose name begins so.
pub fn begun(name: &str) -> Option<&'static Info> {
    if name.is_empty() {
        return None;
    }
    let usual = all().filter(|info| !only_inside(info.name));
    let mut found = usual.filter(|info| info.name.starts_with(name));
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The commands whose names begin so, in words; nothing if there are not several.
pub fn several(name: &str) -> Option<String> {
    let usual = names().into_iter().filter(|known| !only_inside(known));
    let begun = usual.filter(|known| known.starts_with(name));
    let begun: Vec<String> = begun.map(|known| format!("`{known}`")).collect();
    (begun.len() > 1 && !name.is_empty()).then(|| begun.join(", "))
}

/// Says that there is no command of a name, and which may have been meant.
pub fn unknown(name: &str) -> String {
    if let Some(several) = several(name) {
        return format!("`{name}` could be {several}");
    }
    match nearest(name, all().map(|info| info.name)) {
        Some(near) => format!("there is no command `{name}`; did you mean `{near}`?"),
        None => format!("there is no command `{name}`; `help` lists them"),
    }
}

/// The general help, in so many columns.
pub fn help(columns: usize) -> String {
    let mut text = String::new();
    let paragraph = |text: &mut String, words: &str| {
        for line in wrap(words, columns) {
            text.push_str(&format!("{line}\n"));
        }
    };
    paragraph(
        &mut text,
        "Answer with the number of an option, with its key, its label, or the beginning of these. \
         Where several may be chosen: `1 3 3`, or keys and labels with commas between them; `none` \
         for none. A line that begins with # is left out.",
    );
    for group in GROUPS {
        text.push_str(&format!("\n{}\n", group.title));
        let entries = group.commands.iter().map(|info| (usage(info), info.about));
        text.push_str(&two_columns(entries, columns));
    }
    text.push('\n');
    paragraph(
        &mut text,
        "Commands can be cut short: `o` is `options`. `help COMMAND` shows examples.",
    );
    text
}

/// Entries with what they do beside them, or below where they are long.
fn two_columns<'a>(entries: impl IntoIterator<Item = (String, &'a str)>, columns: usize) -> String {
    /// Longer entries stand on a line of their own.
    const WIDEST: usize = 26;
    /// Columns that what they do wants beside them.
    const BESIDE: usize = 24;
    let mut text = String::new();
    let below = columns < WIDEST + 4 + BESIDE;
    for (entry, about) in entries {
        if below {
            text.push_str(&format!("  {entry}\n"));
            for line in wrap(about, columns.saturating_sub(4)) {
                text.push_str(&format!("    {line}\n"));
            }
            continue;
        }
        let lines = wrap(about, columns - WIDEST - 4);
        let mut beside = entry;
        if beside.len() > WIDEST {
            text.push_str(&format!("  {beside}\n"));
            beside = String::new();
        }
        for line in lines {
            text.push_str(&format!("  {beside:WIDEST$}  {line}\n"));
            beside = String::new();
        }
    }
    text
}

/// A command with its arguments.
pub fn usage(info: &Info) -> String {
    format!("{} {}", info.name, info.arguments)
        .trim_end()
        .to_owned()
}

/// The help of one command, in so many columns.
pub fn help_for(info: &Info, columns: usize) -> String {
    let mut text = String::new();
    for line in wrap(&format!("{}: {}", usage(info), info.about), columns) {
        text.push_str(&format!("{line}\n"));
    }
    let examples = info.examples.iter();
    text.push_str(&two_columns(
        examples.map(|(example, about)| ((*example).to_owned(), *about)),
        columns,
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_cut_short() {
        assert_eq!(begun("o").map(|info| info.name), Some("options"));
        assert_eq!(begun("b").map(|info| info.name), None);
        assert_eq!(begun("bo").map(|info| info.name), None);
        assert_eq!(begun("boa").map(|info| info.name), Some("board"));
        assert_eq!(begun("").map(|info| info.name), None);
        assert_eq!(
            unknown("re"),
            "`re` could be `redo`, `restart`, `reload`, `record`, `resume`"
        );
        assert_eq!(exact("exit").map(|info| info.name), Some("quit"));
    }

    #[test]
    fn every_command_is_explained_once_with_an_example_of_its_own() {
        let mut names = names();
        for info in all() {
            assert!(!info.about.is_empty(), "{}", info.name);
            assert!(!info.examples.is_empty(), "{}", info.name);
            for (example, about) in info.examples {
                let first = example.split_whitespace().next();
                assert_eq!(first, Some(info.name), "{example}");
                assert!(!about.is_empty(), "{example}");
            }
        }
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn arguments_are_words_without_the_flag() {
        let args = Args::new(" a  --all b ");
        assert_eq!((args.words, args.all), (vec!["a", "b"], true));
        assert_eq!(Args::new("").number(4), Ok(4));
        assert_eq!(Args::new("7 x").number(4), Ok(7));
        assert!(Args::new("0").number(4).is_err());
    }
}
