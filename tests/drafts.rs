//! Each table and each function of the packs broken, one at a time: that is told, and nothing that only
//! follows from it.

use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;
use yukon::pack::{PackFiles, Selection};
use yukon::repl::load::load;

/// Where lines of a text begin with a word.
fn lines(text: &str, word: &str) -> Vec<usize> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0)
        .chain(starts)
        .filter(|at| text[*at..].starts_with(word))
        .collect()
}

/// The codes of all that is said of a pack.
fn codes(pack: &PackFiles) -> Vec<&'static str> {
    let loaded = load(pack, &Selection::default());
    let found = loaded.report.diagnostics.iter();
    found.map(|found| found.code).collect()
}

/// Files by their names.
type Files = Vec<(String, Vec<u8>)>;

/// Which file, where in it, and what is put there.
type Slip = (usize, usize, &'static str);

/// Breaks files of a pack and tells where more is said than one error with a code.
fn broken(pack: &PackFiles, files: fn(&mut PackFiles) -> &mut Files, slips: &[Slip], code: &str) {
    let wrong = Mutex::new(Vec::new());
    slips.par_iter().for_each(|(file, at, text)| {
        let mut pack = pack.clone();
        let (name, bytes) = &mut files(&mut pack)[*file];
        let line = bytes[..*at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let place = format!("{name}:{line} with {text:?}");
        bytes.splice(*at..*at, text.bytes());
        let found = codes(&pack);
        if found != [code] {
            let mut wrong = wrong.lock().expect("no panic");
            wrong.push(format!("{place}: {found:?}"));
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        slips.len(),
        wrong.join("\n")
    );
}

fn packs() -> Vec<PackFiles> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packs = PackFiles::known(root);
    let find = |pack: &String| PackFiles::find(pack, root).expect("the pack is there");
    packs.iter().map(find).collect()
}

fn text(file: &(String, Vec<u8>)) -> &str {
    str::from_utf8(&file.1).expect("UTF-8")
}

#[test]
fn a_table_that_cannot_be_parsed_is_all_that_is_told() {
    for pack in packs() {
        let mut slips: Vec<Slip> = Vec::new();
        for (index, file) in pack.rules.iter().enumerate() {
            let headers = lines(text(file), "[").into_iter();
            let next = |at: usize| at + text(file)[at..].find('\n').expect("a line") + 1;
            slips.extend(headers.map(|at| (index, next(at), "broken = = 1\n")));
        }
        let every = slips.len().div_ceil(60);
        let some: Vec<Slip> = slips.into_iter().step_by(every).collect();
        broken(&pack, |pack| &mut pack.rules, &some, "Y0101");
    }
}

#[test]
fn a_function_that_cannot_be_parsed_is_all_that_is_told() {
    for pack in packs() {
        let mut slips: Vec<Slip> = Vec::new();
        for (index, file) in pack.scripts.iter().enumerate() {
            let functions = lines(text(file), "fn ").into_iter();
            let body = |at: usize| at + text(file)[at..].find('{').expect("a body") + 1;
            slips.extend(functions.map(|at| (index, body(at), " let broken = 1 +; ")));
        }
        let every = slips.len().div_ceil(60);
        let some: Vec<Slip> = slips.into_iter().step_by(every).collect();
        broken(&pack, |pack| &mut pack.scripts, &some, "Y0201");
    }
}

#[test]
fn a_pack_without_one_of_its_tables_or_files_is_refused_or_plays() {
    for pack in packs() {
        let mut without: Vec<(usize, usize, usize)> = Vec::new();
        for (index, file) in pack.rules.iter().enumerate() {
            let mut ends = lines(text(file), "[");
            ends.push(text(file).len());
            without.push((index, 0, text(file).len()));
            without.extend(ends.windows(2).map(|ends| (index, ends[0], ends[1])));
        }
        let every = without.len().div_ceil(120);
        let some: Vec<_> = without.into_iter().step_by(every).collect();
        some.par_iter().for_each(|(index, start, end)| {
            let mut pack = pack.clone();
            pack.rules[*index].1.drain(*start..*end);
            codes(&pack);
        });
    }
}
