//! The codes of diagnostics: what each means, with a wrong and a right example.
//!
//! The texts lie in `codes/*.md`, a section a code:
//!
//! ````text
//! # Y0106 an entry has a key that such entries do not have
//!
//! What it means and what to do.
//!
//! ```toml wrong
//! ```
//!
//! ```toml right
//! ```
//! ````
//!
//! An example is a whole pack together with [`BASE`]: a file of an example with a name (`toml wrong
//! game.toml`) stands for the one of that name, and a script that defines `work` for the empty one. What no
//! text shows (bytes that are none, a very large file, an argument) is a `sh wrong`: commands in the folder of
//! a project with that pack. Tests see that the wrong example gives its code and the right one nothing.

use crate::pack::PackFiles;
use crate::pack::files::pair;

/// The texts.
const PAGES: [&str; 4] = [
    include_str!("codes/data.md"),
    include_str!("codes/scripts.md"),
    include_str!("codes/variants.md"),
    include_str!("codes/running.md"),
];

/// The file `game.toml` that examples have unless they give their own.
pub const BASE: &str = "\
[game]
title = \"Market\"
players = [2, 4]
flow = \"main\"

[flow.main]
do = [\"work\"]
each = \"players()\"
";

/// What the names of the files of variants begin with. An example is played with all of them.
const VARIANTS: &str = "variants/";

/// The script that examples have unless they define `work` themselves.
const WORK: &str = "fn work(me) { }\n";

/// What a code means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code, such as `Y0106`.
    pub code: &'static str,
    /// What is wrong, in one line: lower case, no full stop.
    pub title: &'static str,
    /// What it means and what to do about it; paragraphs in Markdown.
    pub text: String,
    /// Files that give the code, or commands that make them and look at them.
    pub wrong: Vec<ExampleFile>,
    /// The same mended.
    pub right: Vec<ExampleFile>,
}

/// A file of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleFile {
    /// Its name, such as `counters.toml`; what ends in `.sh` are commands.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// All codes with their explanations, in order.
pub fn all() -> Vec<Explanation> {
    let mut all: Vec<Explanation> = PAGES
        .iter()
        .flat_map(|page| {
            page.split("\n# ")
                .map(|section| section.trim_start_matches("# "))
        })
        .filter_map(read_section)
        .collect();
    // What variants do wrong has codes among those of data and among those of scripts.
    all.sort_by_key(|explanation| explanation.code);
    all
}

/// What a code means; the code may be written in any case, with or without its `Y`.
pub fn explain(code: &str) -> Option<Explanation> {
    let digits = code.trim_start_matches(['y', 'Y']);
    all()
        .into_iter()
        .find(|explanation| explanation.code.trim_start_matches('Y') == digits)
}

/// Reads a section without its `# `.
fn read_section(section: &'static str) -> Option<Explanation> {
    let (head, body) = section.split_once('\n')?;
    let (code, title) = head.split_once(' ')?;
    let mut explanation = Explanation {
        code,
        title: title.trim(),
        text: String::new(),
        wrong: Vec::new(),
        right: Vec::new(),
    };
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        let mut words = line
            .strip_prefix("```")
            .map(|info| info.split_whitespace())
            .into_iter()
            .flatten();
        let (language, side) = (words.next(), words.next());
        let files = match side {
            Some("wrong") => &mut explanation.wrong,
            Some("right") => &mut explanation.right,
            _ => {
                explanation.text.push_str(line);
                explanation.text.push('\n');
                continue;
            }
        };
        let name = words.next().map_or_else(
            || format!("example.{}", language.unwrap_or_default()),
            str::to_owned,
        );
        let mut text = String::new();
        for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
            text.push_str(line);
            text.push('\n');
        }
        files.push(ExampleFile { name, text });
    }
    explanation.text = explanation.text.trim().to_owned();
    Some(explanation)
}

/// The pack that an example is.
pub fn pack_of(files: &[ExampleFile]) -> PackFiles {
    let bytes = |file: &ExampleFile| (file.name.clone(), file.text.clone().into_bytes());
    let of = |end: &str| -> Vec<(String, Vec<u8>)> {
        files
            .iter()
            .filter(|file| file.name.ends_with(end) && !file.name.starts_with(VARIANTS))
            .map(bytes)
            .collect()
    };
    let of_variants = |end: &str| -> Vec<(String, Vec<u8>)> {
        let own = files
            .iter()
            .filter(|file| file.name.starts_with(VARIANTS) && file.name.ends_with(end));
        own.map(bytes).collect()
    };
    let mut strays = Vec::new();
    let variants = pair(of_variants(".toml"), of_variants(".rhai"), &mut strays);
    let (mut rules, mut scripts) = (of(".toml"), of(".rhai"));
    if !rules.iter().any(|(name, _)| name == "game.toml") {
        rules.push(("game.toml".to_owned(), BASE.as_bytes().to_vec()));
    }
    if !scripts
        .iter()
        .any(|(_, text)| String::from_utf8_lossy(text).contains("fn work("))
    {
        scripts.push(("work.rhai".to_owned(), WORK.as_bytes().to_vec()));
    }
    PackFiles {
        id: "market".to_owned(),
        rules,
        scripts,
        variants,
        strays,
        unread: Vec::new(),
    }
}

impl Explanation {
    /// The explanation as Markdown, with a heading of the given level.
    pub fn markdown(&self, level: usize) -> String {
        let mut page = format!(
            "{} {}: {}\n\n{}\n",
            "#".repeat(level),
            self.code,
            self.title,
            self.text
        );
        for (side, files) in [("Wrong", &self.wrong), ("Right", &self.right)] {
            for file in files {
                let language = file.name.rsplit('.').next().unwrap_or_default();
                let place = match language {
                    "sh" => "in a shell".to_owned(),
                    _ => format!("`{}`", file.name),
                };
                page.push_str(&format!(
                    "\n{side}, {place}:\n\n```{language}\n{}```\n",
                    file.text
                ));
            }
        }
        page
    }
}
