//! Each word of each pack misspelt, one at a time: `check` says so at the place, or where a name is given,
//! at it or at a use of it.
//!
//! Misspelt is every key, id, property, variable and function of all files, variants included; not texts
//! for people, nor names that nothing can speak of, such as those of modifiers: any is as good as another.

#[path = "misspelling/words.rs"]
mod words;

use std::collections::BTreeMap;
use std::sync::Mutex;

use rayon::prelude::*;
use yukon::diag::{Diagnostic, Sources, Span};
use yukon::pack::variant::with_required;
use yukon::pack::{PackFiles, Selection};
use yukon::repl::load::load;

use words::{Kind, Types, Word};

/// A file of a pack, by where it stands in it.
#[derive(Clone, Copy, Debug)]
enum Place {
    Rules(usize),
    Script(usize),
    VariantRules(usize),
    VariantScript(usize),
}

impl Place {
    fn all(pack: &PackFiles) -> Vec<Self> {
        let variants = 0..pack.variants.len();
        let scripted = variants.clone();
        let scripted = scripted.filter(|at| pack.variants[*at].script.is_some());
        (0..pack.rules.len())
            .map(Self::Rules)
            .chain((0..pack.scripts.len()).map(Self::Script))
            .chain(variants.map(Self::VariantRules))
            .chain(scripted.map(Self::VariantScript))
            .collect()
    }

    fn file(self, pack: &PackFiles) -> &(String, Vec<u8>) {
        match self {
            Self::Rules(at) => &pack.rules[at],
            Self::Script(at) => &pack.scripts[at],
            Self::VariantRules(at) => &pack.variants[at].rules,
            Self::VariantScript(at) => pack.variants[at].script.as_ref().expect("a script"),
        }
    }

    fn file_mut(self, pack: &mut PackFiles) -> &mut (String, Vec<u8>) {
        match self {
            Self::Rules(at) => &mut pack.rules[at],
            Self::Script(at) => &mut pack.scripts[at],
            Self::VariantRules(at) => &mut pack.variants[at].rules,
            Self::VariantScript(at) => pack.variants[at].script.as_mut().expect("a script"),
        }
    }

    /// What is played to check the file.
    fn selection(self, pack: &PackFiles) -> Selection {
        match self {
            Self::Rules(_) | Self::Script(_) => Selection::default(),
            Self::VariantRules(at) | Self::VariantScript(at) => Selection {
                variants: with_required(pack, &pack.variants[at].id),
                parameters: Vec::new(),
            },
        }
    }

    fn words(self, pack: &PackFiles, types: &Types) -> Vec<Word> {
        let (name, bytes) = self.file(pack);
        let kind = match self {
            Self::Script(_) | Self::VariantScript(_) => return words::of_script(bytes),
            Self::VariantRules(_) => Kind::Variant,
            Self::Rules(_) if name.ends_with("/view.toml") => Kind::View,
            Self::Rules(_) => Kind::Pack,
        };
        words::of_toml(name, bytes, kind, types)
    }
}

/// A way to misspell a word; nothing if it is too short for it.
type Slip = fn(&str) -> Option<String>;

/// A letter too many before the last.
fn extra(word: &str) -> Option<String> {
    let (start, end) = word.split_at(word.len() - 1);
    Some(format!("{start}x{end}"))
}

/// A letter left out in the middle.
fn dropped(word: &str) -> Option<String> {
    let middle = word.len() / 2;
    (word.len() > 3).then(|| format!("{}{}", &word[..middle], &word[middle + 1..]))
}

/// Two letters in the middle exchanged.
fn swapped(word: &str) -> Option<String> {
    let middle = word.len() / 2;
    let (a, b) = (
        word.get(middle.checked_sub(1)?..middle)?,
        word.get(middle..=middle)?,
    );
    (word.len() > 3 && a != b)
        .then(|| format!("{}{b}{a}{}", &word[..middle - 1], &word[middle + 1..]))
}

/// Whether a text holds a word.
fn holds(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|part| part == word)
}

/// What `check` says first instead, if it does not tell a misspelt word; `Ok` if it does, or if there is
/// nothing to tell.
fn told(pack: &mut PackFiles, place: Place, word: Word, slip: Slip) -> Result<bool, String> {
    let (name, bytes) = place.file(pack);
    let (name, right) = (name.clone(), bytes.clone());
    let old = str::from_utf8(&right[word.start..word.end]).expect("ASCII");
    let Some(new) = slip(old) else {
        return Ok(false);
    };
    let mut wrong = right.clone();
    wrong.splice(word.start..word.end, new.bytes());
    place.file_mut(pack).1 = wrong;
    let selection = place.selection(pack);
    let loaded = load(pack, &selection);
    let end = word.start + new.len();
    let is_told = |found: &Diagnostic| {
        found.span.is_some_and(|span| {
            let here = loaded.sources.get(span.file).name == name
                && (span.start as usize) < end
                && span.end as usize > word.start;
            let text = loaded.sources.text(span);
            here || word.defines && (holds(text, old) || holds(text, &new))
        })
    };
    let found = loaded.report.diagnostics.iter().any(is_told);
    let message = || {
        let first = loaded.report.diagnostics.first();
        let first = first.map_or("nothing".to_owned(), |first| {
            let at = first.span.map(|span| loaded.sources.place(span));
            format!(
                "{} {}: {}",
                at.unwrap_or_default(),
                first.code,
                first.message
            )
        });
        let mut sources = Sources::new();
        let file = sources.add(&name, str::from_utf8(&right).expect("UTF-8"));
        let at = sources.place(Span::new(file, word.start, word.end));
        format!("{at}: `{old}` as `{new}`: {first}")
    };
    let result = match found {
        true => Ok(true),
        false => Err(message()),
    };
    place.file_mut(pack).1 = right;
    result
}

/// How often each word stands in a pack.
fn counts(pack: &PackFiles, jobs: &[(Place, Word)]) -> BTreeMap<Vec<u8>, usize> {
    let mut counts = BTreeMap::new();
    for (place, word) in jobs {
        let text = &place.file(pack).1[word.start..word.end];
        *counts.entry(text.to_vec()).or_default() += 1;
    }
    counts
}

/// Misspells the words of a pack and sees that at least 99 of 100 are told.
fn misspell(name: &str) {
    let pack = PackFiles::embedded(name).expect("a pack");
    let scripts = pack.scripts.iter().map(|(_, bytes)| bytes);
    let named = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("ability::");
    assert!(!scripts.clone().any(named), "abilities can be misspelt");
    let mut types = Types::new();
    for (name, bytes) in &pack.rules {
        words::types(name, bytes, &mut types);
    }
    let all: Vec<(Place, Word)> = Place::all(&pack)
        .into_iter()
        .flat_map(|place| {
            let words = place.words(&pack, &types);
            words.into_iter().map(move |word| (place, word))
        })
        .collect();
    // A name that stands nowhere else is right however it is spelt.
    let counts = counts(&pack, &all);
    let alone = |place: &Place, word: &Word| {
        word.defines && counts[&place.file(&pack).1[word.start..word.end]] == 1
    };
    let (unspoken, spoken): (Vec<_>, Vec<_>) = all
        .iter()
        .partition(|(place, word)| word.unspoken || alone(place, word));
    let jobs: Vec<(Place, Word, Slip)> = spoken
        .into_iter()
        .step_by(nth())
        .flat_map(|(place, word)| slips().iter().map(move |slip| (place, word, *slip)))
        .collect();
    let missed = Mutex::new(Vec::new());
    let told = jobs
        .par_iter()
        .map_init(
            || pack.clone(),
            |pack, (place, word, slip)| match told(pack, *place, *word, *slip) {
                Ok(told) => usize::from(told),
                Err(message) => {
                    missed.lock().expect("no panic").push(message);
                    0
                }
            },
        )
        .sum::<usize>();
    let mut missed = missed.into_inner().expect("no panic");
    missed.sort();
    let tried = told + missed.len();
    println!(
        "{name}: {told} of {tried} told, {} missed; {} names that nothing speaks of were left out",
        missed.len(),
        unspoken.len()
    );
    for message in &missed {
        println!("  {message}");
    }
    assert!(
        tried * nth() > 1000,
        "only {tried} words were found in {name}"
    );
    assert!(
        missed.len() * 100 <= tried,
        "{name}: {} of {tried} misspelt words are not told",
        missed.len()
    );
}

/// What `MISSPELL` in the environment asks for.
fn asked() -> String {
    std::env::var("MISSPELL").unwrap_or_default()
}

/// The ways to misspell: with `MISSPELL=all` or `MISSPELL=all/20` all of them, else one, which is what
/// there is time for at every change.
fn slips() -> &'static [Slip] {
    const ALL: &[Slip] = &[extra, dropped, swapped];
    match asked().starts_with("all") {
        true => ALL,
        false => &ALL[..1],
    }
}

/// Every how many words one is misspelt: `MISSPELL=20` and `MISSPELL=all/20` take each twentieth. All are,
/// unless it is said.
fn nth() -> usize {
    let asked = asked();
    let nth = asked.trim_start_matches("all").trim_start_matches('/');
    nth.parse().unwrap_or(1).max(1)
}

#[test]
fn airways() {
    misspell("airways");
}

#[test]
fn salon() {
    misspell("salon");
}
