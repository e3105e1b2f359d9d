//! Where two transcripts of a scenario part, and in what, in words.

use std::collections::BTreeSet;

use serde::Serialize;

/// Lines at the top of a transcript that say what is played, not how it goes.
const HEADING: usize = 2;

/// What a line begins with that goes on with the list of the line before it.
const CONTINUED: &str = "           ";

/// The word for a question that the scenario leaves open.
const UNANSWERED: &str = "open";

/// Where two games of a scenario part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// The name of the scenario's file, without the ending.
    pub scenario: String,
    /// What it shows.
    pub title: String,
    /// Where in the flow, such as `round 1, market`; nothing before the first decision.
    pub place: Option<String>,
    /// The number of the decision, from 1, and who decides what; nothing before the first.
    pub decision: Option<(usize, String)>,
    /// The first line that is different, as it was; a list that takes several lines is one.
    pub old: Option<String>,
    /// The first line that is different, as it is.
    pub new: Option<String>,
    /// What kind of difference that is, without what only this scenario has: equal for those that belong together.
    pub kind: String,
    /// What is different up to the next decision, in words.
    pub words: Vec<String>,
    /// Why the scenario cannot be played to its end by the new rules, if it cannot.
    pub trouble: Option<String>,
    /// Where in the pack a script failed, as `file:line:column`, if that is why.
    pub fault: Option<String>,
}

impl Parting {
    /// At which decision, for people.
    pub fn at(&self) -> String {
        let place = self.place.as_deref().map(|place| format!(" ({place})"));
        match &self.decision {
            Some((number, name)) => {
                format!(
                    "at decision {number}, `{name}`{}",
                    place.unwrap_or_default()
                )
            }
            None => "before the first decision".to_owned(),
        }
    }
}

/// What a reason of a refusal says, by its id and its numbers as a transcript writes them.
pub type Says<'a> = &'a dyn Fn(&str) -> String;

/// Where two transcripts part; nothing if they are the same but for their headings. Reasons are told as the
/// transcripts write them.
pub fn part(old: &str, new: &str) -> Option<Parting> {
    part_in_words(old, new, [&str::to_owned, &str::to_owned])
}

/// Where two transcripts part; `says` tells reasons of the old and of the new one in words.
pub fn part_in_words(old: &str, new: &str, says: [Says<'_>; 2]) -> Option<Parting> {
    let (olds, news) = (lines(old), lines(new));
    let at = (HEADING..olds.len().max(news.len())).find(|at| olds.get(*at) != news.get(*at))?;
    let mut parting = Parting {
        old: olds.get(at).cloned(),
        new: news.get(at).cloned(),
        ..Parting::default()
    };
    let mut decisions = 0;
    for line in olds.iter().take(at).skip(HEADING) {
        if let Some(place) = line.strip_prefix("== ") {
            parting.place = Some(place.to_owned());
        } else if let Some(name) = decision_name(line) {
            decisions += 1;
            parting.decision = Some((decisions, name.to_owned()));
        }
    }
    // The decision itself may be what is different.
    if let Some(name) = olds.get(at).and_then(|line| decision_name(line)) {
        parting.decision = Some((decisions + 1, name.to_owned()));
    }
    let decision = parting.decision.as_ref().map(|(_, name)| bare(name));
    (parting.kind, parting.words) = told(
        olds.get(at..).unwrap_or_default(),
        news.get(at..).unwrap_or_default(),
        decision.as_deref(),
        says,
    );
    Some(parting)
}

/// The lines of a transcript, each list put together.
fn lines(transcript: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in transcript.lines() {
        match (line.strip_prefix(CONTINUED), lines.last_mut()) {
            (Some(rest), Some(last)) => {
                last.push(' ');
                last.push_str(rest);
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// Who decides what, if a line begins a decision.
fn decision_name(line: &str) -> Option<&str> {
    let (name, step) = line.split_once("  ")?;
    let begins = line.starts_with("player_") && name.contains('.') && step.starts_with('(');
    begins.then_some(name)
}

/// A path without the player or the number of the group before it.
fn bare(path: &str) -> String {
    let Some((owner, rest)) = path.split_once('.') else {
        return path.to_owned();
    };
    let kind = owner.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match kind.strip_suffix('_') {
        Some("player") => rest.to_owned(),
        Some(kind) if kind.len() + 1 < owner.len() => format!("{kind}.{rest}"),
        _ => path.to_owned(),
    }
}

/// The kind of what is different from here on, and what is, up to the next decision.
fn told(
    olds: &[String],
    news: &[String],
    decision: Option<&str>,
    says: [Says<'_>; 2],
) -> (String, Vec<String>) {
    let (old, new) = (entry(olds), entry(news));
    let mut words: Vec<&str> = Vec::new();
    for (word, _) in old.iter().chain(&new) {
        // What is set back is a change like others.
        let word = if *word == "reset" { "changed" } else { word };
        if word != UNANSWERED && !words.contains(&word) {
            words.push(word);
        }
    }
    // What is said follows from what happens.
    words.sort_by_key(|word| *word == "said");
    let mut kinds: Vec<String> = Vec::new();
    let mut told: Vec<String> = Vec::new();
    for word in words {
        let (kind, more) = match word {
            "changed" => changes(&old, &new),
            "moved" => moves(&texts(&old, word), &texts(&new, word)),
            "offered" => offers(&texts(&old, word), &texts(&new, word), decision),
            "refused" => refusals(&texts(&old, word), &texts(&new, word), decision, says),
            word => others(word, &texts(&old, word), &texts(&new, word)),
        };
        kinds.extend(kind);
        told.extend(more);
    }
    let (after_old, after_new) = (&olds[old.len()..], &news[new.len()..]);
    let Some(mut kind) = kinds.into_iter().next() else {
        return next(after_old, after_new, says);
    };
    let (other, words) = next(after_old, after_new, says);
    told.extend(words);
    // What is asked next tells more than by which chance or numbers it came to that.
    let choosing = old.iter().chain(&new).any(|(word, _)| *word == "offered");
    let (was, is) = (asked(after_old), asked(after_new));
    let ends = |lines: &[String]| head(lines) == Some("== the end");
    let asks = was.is_some() && is.is_some() && was != is;
    if !choosing && (asks || ends(after_old) != ends(after_new)) {
        kind = other;
    }
    (kind, told)
}

/// The lines up to the end of an entry: their first words, and what follows.
fn entry(lines: &[String]) -> Vec<(&str, &str)> {
    lines
        .iter()
        .map_while(|line| line.strip_prefix("  "))
        .map(|line| match line.split_once(' ') {
            Some(("how", text)) => ("how many", text.trim_start_matches("many").trim()),
            Some((word, text)) => (word, text.trim()),
            None => (line, ""),
        })
        .collect()
}

fn texts<'a>(entry: &[(&str, &'a str)], wanted: &str) -> Vec<&'a str> {
    entry
        .iter()
        .filter(|(word, _)| *word == wanted)
        .map(|(_, text)| *text)
        .collect()
}

/// The elements of a list; commas in brackets are their own.
fn elements(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 && text[at..].starts_with(", ") => {
                found.push(&text[begin..at]);
                begin = at + 2;
            }
            _ => {}
        }
    }
    if begin < text.len() {
        found.push(&text[begin..]);
    }
    found
}

fn elements_of<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    texts.iter().flat_map(|text| elements(text)).collect()
}

/// What is in the first list and not in the second.
fn without<'a>(list: &[&'a str], other: &[&str]) -> Vec<&'a str> {
    let other: BTreeSet<&str> = other.iter().copied().collect();
    let mut seen = BTreeSet::new();
    list.iter()
        .copied()
        .filter(|element| !other.contains(element) && seen.insert(*element))
        .collect()
}

/// A kind, if there is anything to tell, and what there is.
type Told = (Option<String>, Vec<String>);

fn offers(old: &[&str], new: &[&str], decision: Option<&str>) -> Told {
    let (old, new) = (elements_of(old), elements_of(new));
    let (gone, come) = (without(&old, &new), without(&new, &old));
    let mut told = Vec::new();
    if !come.is_empty() {
        told.push(format!("now offered: {}", come.join(", ")));
    }
    if !gone.is_empty() {
        told.push(format!("no longer offered: {}", gone.join(", ")));
    }
    let at = decision.unwrap_or("a decision");
    let kind = match (come.is_empty(), gone.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("more is offered at `{at}`")),
        (true, false) => Some(format!("less is offered at `{at}`")),
        (false, false) => Some(format!("other choices are offered at `{at}`")),
    };
    (kind, told)
}

/// Refused choices with their reasons: `reason 1 2: a, b`.
fn refusals(old: &[&str], new: &[&str], decision: Option<&str>, says: [Says<'_>; 2]) -> Told {
    fn pairs<'a>(texts: &[&'a str]) -> Vec<(&'a str, &'a str)> {
        let split = |text: &'a str| text.split_once(": ").unwrap_or((text, ""));
        texts
            .iter()
            .map(|text| split(text))
            .flat_map(|(reason, keys)| elements(keys).into_iter().map(move |key| (key, reason)))
            .collect()
    }
    let (old, new) = (pairs(old), pairs(new));
    let reason_of = |pairs: &[(&str, &str)], wanted: &str| -> Option<String> {
        let found = pairs.iter().find(|(key, _)| *key == wanted);
        found.map(|(_, reason)| (*reason).to_owned())
    };
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in old.iter().chain(&new) {
        if !keys.contains(key) {
            keys.push(key);
        }
    }
    // Choices with which the same happens are told together.
    let mut told: Vec<(Option<String>, Option<String>, Vec<&str>)> = Vec::new();
    for key in keys {
        let (was, is) = (reason_of(&old, key), reason_of(&new, key));
        if was == is {
            continue;
        }
        match told
            .iter_mut()
            .find(|(old, new, _)| (old, new) == (&was, &is))
        {
            Some((_, _, keys)) => keys.push(key),
            None => told.push((was, is, vec![key])),
        }
    }
    let at = decision.unwrap_or("a decision");
    let name = |reason: &str| {
        reason
            .split(' ')
            .next()
            .unwrap_or_default()
            .trim_end_matches(':')
            .to_owned()
    };
    let kind = told.first().map(|(was, is, _)| match (was, is) {
        (Some(was), Some(is)) if name(was) == name(is) => {
            format!("`{}` refuses with other numbers at `{at}`", name(is))
        }
        (Some(_), Some(is)) => format!("`{}` is now the reason at `{at}`", name(is)),
        (None, Some(is)) => format!("`{}` refuses more at `{at}`", name(is)),
        (Some(was), None) => format!("`{}` refuses less at `{at}`", name(was)),
        (None, None) => String::new(),
    });
    let words = told.iter().map(|(was, is, keys)| {
        let keys = keys.join(", ");
        let [was, is] =
            [(was, says[0]), (is, says[1])].map(|(reason, says)| reason.as_deref().map(says));
        match (was, is) {
            (Some(was), Some(is)) => format!("refused with {is}, not {was}: {keys}"),
            (None, Some(is)) => format!("now refused with {is}: {keys}"),
            (Some(was), None) => format!("no longer refused with {was}: {keys}"),
            (None, None) => keys,
        }
    });
    (kind, words.collect())
}

/// What became of an item: `path a -> b`, or set back.
fn changes(old: &[(&str, &str)], new: &[(&str, &str)]) -> Told {
    fn items<'a>(entry: &[(&str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let mut items = Vec::new();
        for (word, text) in entry {
            match *word {
                "changed" => items.extend(
                    elements(text)
                        .into_iter()
                        .map(|one| one.split_once(' ').unwrap_or((one, ""))),
                ),
                "reset" => items.extend(elements(text).into_iter().map(|path| (path, "reset"))),
                _ => {}
            }
        }
        items
    }
    let (old, new) = (items(old), items(new));
    let find = |items: &[(&'_ str, &'_ str)], wanted: &str| -> Option<String> {
        let found = items.iter().find(|(path, _)| *path == wanted);
        found.map(|(_, how)| (*how).to_owned())
    };
    let mut paths: Vec<&str> = Vec::new();
    for (path, _) in old.iter().chain(&new) {
        if !paths.contains(path) {
            paths.push(path);
        }
    }
    let mut told = Vec::new();
    let mut first = None;
    for path in paths {
        let (was, is) = (find(&old, path), find(&new, path));
        if was == is {
            continue;
        }
        first.get_or_insert(path);
        let reset = |how: &str| how == "reset";
        told.push(match (was.as_deref(), is.as_deref()) {
            (Some(was), Some(is)) if reset(was) => format!("`{path}` goes {is} and is not reset"),
            (Some(was), Some(is)) if reset(is) => format!("`{path}` is reset, and was {was}"),
            (Some(was), Some(is)) => format!("`{path}` goes {is}, not {was}"),
            (None, Some(is)) if reset(is) => format!("`{path}` is reset, and was not"),
            (None, Some(is)) => format!("`{path}` was unchanged, now {is}"),
            (Some(was), None) if reset(was) => format!("`{path}` is not reset here"),
            (Some(was), None) => format!("`{path}` was {was}, now unchanged"),
            (None, None) => continue,
        });
    }
    let kind = first.map(|path| format!("`{}` comes out otherwise", bare(path)));
    (kind, told)
}

/// Pieces that went from zone to zone: `a, b: from -> to`.
fn moves(old: &[&str], new: &[&str]) -> Told {
    fn ways<'a>(texts: &[&'a str]) -> Vec<(&'a str, &'a str)> {
        let split = |text: &&'a str| text.rsplit_once(": ").unwrap_or(("", text));
        texts
            .iter()
            .map(split)
            .map(|(pieces, way)| (way, pieces))
            .collect()
    }
    let (old, new) = (ways(old), ways(new));
    let mut known: Vec<&str> = Vec::new();
    for (way, _) in old.iter().chain(&new) {
        if !known.contains(way) {
            known.push(way);
        }
    }
    let pieces = |ways: &[(&'_ str, &'_ str)], wanted: &str| -> Vec<String> {
        ways.iter()
            .filter(|(way, _)| *way == wanted)
            .flat_map(|(_, pieces)| elements(pieces))
            .map(str::to_owned)
            .collect()
    };
    let (mut told, mut others) = (Vec::new(), Vec::new());
    let mut kind = None;
    for way in known {
        let (was, is) = (pieces(&old, way), pieces(&new, way));
        if was == is {
            continue;
        }
        let shown = |pieces: &[String]| pieces.join(", ");
        let (from, to) = way.split_once(" -> ").unwrap_or((way, ""));
        let (from, to) = (bare(from), bare(to));
        let (what, words) = match (was.is_empty(), is.is_empty()) {
            (true, _) => ("goes", format!("now moved {way}: {}", shown(&is))),
            (_, true) => (
                "no longer goes",
                format!("no longer moved {way}: {}", shown(&was)),
            ),
            _ => (
                "other than before goes",
                format!("moved {way}: {}, not {}", shown(&is), shown(&was)),
            ),
        };
        // What happens anew says most.
        match what {
            "goes" => told.push(words),
            _ => others.push(words),
        }
        kind.get_or_insert(match what {
            "goes" => format!("something goes from `{from}` to `{to}`"),
            "no longer goes" => format!("nothing goes from `{from}` to `{to}`"),
            _ => format!("other pieces go from `{from}` to `{to}`"),
        });
    }
    told.append(&mut others);
    (kind, told)
}

/// Whatever else a transcript tells.
fn others(word: &str, old: &[&str], new: &[&str]) -> Told {
    if old == new {
        return (None, Vec::new());
    }
    let (gone, come) = (without(old, new).join("; "), without(new, old).join("; "));
    let (kind, name) = match word {
        "shuffled" | "rolled" | "picked" => ("chance is asked otherwise".to_owned(), word),
        "answer" => ("an answer is forced otherwise".to_owned(), "answered"),
        word => (format!("`{word}` is otherwise"), word),
    };
    let told = match (gone.is_empty(), come.is_empty()) {
        (false, false) => format!("{name}: {come}, not {gone}"),
        (true, false) => format!("now {name}: {come}"),
        (false, true) => format!("no longer {name}: {gone}"),
        (true, true) => format!("{name}: in another order, or more often"),
    };
    (Some(kind), vec![told])
}

/// The line with which what comes next begins.
fn head(lines: &[String]) -> Option<&str> {
    lines
        .iter()
        .map(String::as_str)
        .find(|line| !line.is_empty() && !line.starts_with("  "))
}

/// The line of the next decision.
fn asked(lines: &[String]) -> Option<&str> {
    let heads = lines.iter().map(String::as_str);
    heads.into_iter().find(|line| decision_name(line).is_some())
}

/// The round and phase that begin next, in words, if the next line says so.
fn begins(lines: &[String]) -> Option<&str> {
    head(lines)?.strip_prefix("== ")
}

/// What comes next, where the entries so far are the same: its kind, and what is different in words if anything is.
fn next(olds: &[String], news: &[String], says: [Says<'_>; 2]) -> (String, Vec<String>) {
    let (old, new) = (head(olds), head(news));
    let mut words = Vec::new();
    // What happens under a heading that only one of them has is told as what happens in an entry.
    for (lines, other) in [(news, olds), (olds, news)] {
        if begins(lines).is_none() || begins(lines) == begins(other) {
            continue;
        }
        let inside = lines.iter().skip_while(|line| !line.starts_with("== "));
        let inside: Vec<String> = inside
            .skip(1)
            .take_while(|line| line.starts_with("  "))
            .cloned()
            .collect();
        match std::ptr::eq(lines, news) {
            _ if inside.is_empty() => {}
            true => return told(&[], &inside, None, says),
            false => return told(&inside, &[], None, says),
        }
    }
    let in_words = |line: Option<&str>| match line {
        None => "the scenario stops".to_owned(),
        Some("== the end") => "the game ends".to_owned(),
        Some(line) => match (decision_name(line), line.strip_prefix("== ")) {
            (Some(name), _) => format!("`{name}` is asked"),
            (None, Some(place)) => format!("{place} begins"),
            (None, None) => line.to_owned(),
        },
    };
    if old != new {
        words.push(format!(
            "then {}, where it was: {}",
            in_words(new),
            in_words(old)
        ));
    }
    let is_score = |line: Option<&str>| {
        line.is_some_and(|line| line.starts_with("player_") && decision_name(line).is_none())
    };
    let (was, is) = (asked(olds), asked(news));
    let key = |line: &str| decision_name(line).map(bare);
    if let (Some(was), Some(is)) = (was, is)
        && was != is
    {
        let step = |line: &str| {
            line.split_once("  ")
                .map_or("", |(_, step)| step)
                .to_owned()
        };
        if decision_name(was) == decision_name(is) {
            let name = decision_name(is).unwrap_or_default();
            words = vec![format!(
                "then `{name}` is asked in {}, not {}",
                step(is),
                step(was)
            )];
            return (format!("`{}` is asked in another step", bare(name)), words);
        }
        if (old, new) != (Some(was), Some(is)) {
            words.push(format!(
                "then {}, where it was: {}",
                in_words(Some(is)),
                in_words(Some(was))
            ));
        }
        let kind = match (key(was), key(is)) {
            (Some(was), Some(is)) if was == is => format!("`{is}` is asked of somebody else"),
            (Some(was), Some(is)) => format!("`{is}` is asked, where it was: `{was}` is asked"),
            _ => String::new(),
        };
        return (kind, words);
    }
    let general = |line: Option<&str>| match line.and_then(key) {
        Some(name) => format!("`{name}` is asked"),
        None => in_words(line),
    };
    let kind = match is_score(old) && is_score(new) {
        true => "the points at the end are others".to_owned(),
        false => format!("{}, where it was: {}", general(new), general(old)),
    };
    (kind, words)
}

#[cfg(test)]
mod tests {
    use super::part;

    const OLD: &str = "A story\ntoy, 2 players\n\n== round 1, market\n\n\
                       player_1.field  (sow)\n  offered  a, b\n  refused  dear 3 2: c, d\n  answer   a\n  \
                       moved    x, y: bag -> player_1.hand\n  \
                       changed  player_1.coins 3 -> 5, player_1.list [a, b] -> [a]\n  reset    player_1.used\n\n\
                       player_2.field  (sow)\n  offered  a, b\n  answer   b\n\n\
                       == the end\nplayer_1  place 1, total 5: coins 5\n";

    #[track_caller]
    fn check(from: &str, to: &str, kind: &str, words: &[&str]) {
        let new = OLD.replace(from, to);
        let parting = part(OLD, &new).expect("they part");
        assert_eq!(parting.kind, kind);
        assert_eq!(parting.words, words);
    }

    #[test]
    fn the_first_line_that_differs_is_found_with_its_decision() {
        let new = OLD.replace("answer   b", "answer   a");
        let parting = part(OLD, &new).expect("they part");
        assert_eq!(parting.place.as_deref(), Some("round 1, market"));
        assert_eq!(parting.decision, Some((2, "player_2.field".to_owned())));
        assert_eq!(parting.old.as_deref(), Some("  answer   b"));
        assert_eq!(parting.new.as_deref(), Some("  answer   a"));
        assert_eq!(
            parting.at(),
            "at decision 2, `player_2.field` (round 1, market)"
        );
    }

    #[test]
    fn a_game_that_stops_early_parts_where_it_stops() {
        let end = OLD.find("player_2.field").expect("a second decision");
        let parting = part(OLD, &OLD[..end]).expect("they part");
        assert_eq!(parting.decision, Some((2, "player_2.field".to_owned())));
        assert_eq!(parting.new, None);
        assert_eq!(
            parting.kind,
            "the scenario stops, where it was: `field` is asked"
        );
    }

    #[test]
    fn headings_do_not_count() {
        assert_eq!(part(OLD, &OLD.replace("toy, 2", "toy, wet, 2")), None);
    }

    #[test]
    fn choices_that_come_and_go_are_named() {
        check(
            "offered  a, b\n  refused",
            "offered  a, b, e\n  refused",
            "more is offered at `field`",
            &["now offered: e"],
        );
        check(
            "offered  a, b\n  refused",
            "offered  b, c,\n           e\n  refused",
            "other choices are offered at `field`",
            &["now offered: c, e", "no longer offered: a"],
        );
        check(
            "dear 3 2: c, d",
            "dear 2 2: c, d",
            "`dear` refuses with other numbers at `field`",
            &["refused with dear 2 2, not dear 3 2: c, d"],
        );
        check(
            "dear 3 2: c, d",
            "dear 3 2: d",
            "`dear` refuses less at `field`",
            &["no longer refused with dear 3 2: c"],
        );
    }

    #[test]
    fn items_and_pieces_are_compared_one_by_one() {
        check(
            "3 -> 5",
            "3 -> 4",
            "`coins` comes out otherwise",
            &["`player_1.coins` goes 3 -> 4, not 3 -> 5"],
        );
        check(
            "[a, b] -> [a]\n  reset    player_1.used",
            "[a, b] -> [b], player_1.used 1 -> 2",
            "`list` comes out otherwise",
            &[
                "`player_1.list` goes [a, b] -> [b], not [a, b] -> [a]",
                "`player_1.used` goes 1 -> 2 and is not reset",
            ],
        );
        check(
            "x, y: bag",
            "x, z: bag",
            "other pieces go from `bag` to `hand`",
            &["moved bag -> player_1.hand: x, z, not x, y"],
        );
        check(
            "  moved    x, y: bag -> player_1.hand\n",
            "",
            "nothing goes from `bag` to `hand`",
            &["no longer moved bag -> player_1.hand: x, y"],
        );
    }

    #[test]
    fn what_is_said_comes_after_what_happens() {
        let old = OLD.replace("  moved    x", "  said     five\n  moved    x");
        let new = old
            .replace("said     five", "said     four")
            .replace("3 -> 5", "3 -> 4");
        let parting = part(&old, &new).expect("they part");
        assert_eq!(parting.kind, "`coins` comes out otherwise");
        assert_eq!(
            parting.words,
            [
                "`player_1.coins` goes 3 -> 4, not 3 -> 5",
                "said: four, not five"
            ]
        );
    }

    #[test]
    fn what_changes_only_now_or_only_before_says_so() {
        check(
            "player_1.coins 3 -> 5, ",
            "",
            "`coins` comes out otherwise",
            &["`player_1.coins` was 3 -> 5, now unchanged"],
        );
        check(
            "player_1.coins 3 -> 5, ",
            "player_1.coins 3 -> 5, player_1.wood 0 -> 1, ",
            "`wood` comes out otherwise",
            &["`player_1.wood` was unchanged, now 0 -> 1"],
        );
    }

    #[test]
    fn what_comes_next_and_the_points_are_compared() {
        check(
            "player_2.field  (sow)\n  offered  a, b\n  answer   b\n\n",
            "",
            "the game ends, where it was: `field` is asked",
            &["then the game ends, where it was: `player_2.field` is asked"],
        );
        check(
            "player_2.field  (sow)",
            "player_1.field  (sow)",
            "`field` is asked of somebody else",
            &["then `player_1.field` is asked, where it was: `player_2.field` is asked"],
        );
        check(
            "player_2.field  (sow)",
            "player_2.field  (reap)",
            "`field` is asked in another step",
            &["then `player_2.field` is asked in (reap), not (sow)"],
        );
        check(
            "total 5: coins 5",
            "total 4: coins 4",
            "the points at the end are others",
            &[
                "then player_1  place 1, total 4: coins 4, where it was: player_1  place 1, total 5: coins 5",
            ],
        );
    }
}
