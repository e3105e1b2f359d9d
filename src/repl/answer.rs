//! Answers as people type them: numbers, keys, labels, or the beginnings of these.

use crate::diag::nearest;
use crate::flow::{Answer, Decision};
use crate::script::code::AskKind;

use super::command::whole;

/// Reads an answer to a decision.
///
/// # Errors
/// Says what is wrong with it and what would do.
pub fn parse(decision: &Decision, text: &str) -> Result<Answer, String> {
    let text = text.trim();
    match decision.kind {
        AskKind::Confirm => match text.to_lowercase().as_str() {
            "yes" | "y" => Ok(Answer::Confirm(true)),
            "no" | "n" => Ok(Answer::Confirm(false)),
            _ => Err(format!("`{text}` is no answer: {}", would_do(decision))),
        },
        AskKind::Number => whole(text, "number")
            .map(Answer::Number)
            .map_err(|why| format!("{why}: {}", would_do(decision))),
        AskKind::One => pick(decision, text).map(Answer::One),
        AskKind::Texts => Ok(Answer::Texts(Some(texts(text)))),
        AskKind::Some => some(decision, text).map(|offers| Answer::Some(spread(decision, offers))),
    }
}

/// What stands between texts that are typed in one line.
pub const BETWEEN_TEXTS: char = '|';

/// Texts as they are typed in one line. One after the last bar may be left out.
fn texts(line: &str) -> Vec<String> {
    let mut texts: Vec<String> = line
        .split(BETWEEN_TEXTS)
        .map(|text| text.trim().to_owned())
        .collect();
    texts.pop_if(|last| last.is_empty());
    texts
}

/// Whether a line can only be texts: no command has what stands between them.
pub fn is_texts(decision: &Decision, line: &str) -> bool {
    decision.kind == AskKind::Texts && line.contains(BETWEEN_TEXTS)
}

/// Choices that a complaint lists at most.
const MOST_LISTED: usize = 12;

/// What would be an answer, without a wall of keys.
fn would_do(decision: &Decision) -> String {
    let choices = &decision.choices;
    match choices.first() {
        Some(first) if choices.len() > MOST_LISTED => {
            let number = match by_number(decision) {
                true => String::new(),
                false => format!("1 to {}, or ", choices.len()),
            };
            let key = &first.key;
            format!("answer {number}a key such as `{key}`; `options` shows them")
        }
        _ => decision.would_do(),
    }
}

/// Whether a text is the key of a choice, letter by letter.
pub fn is_key(decision: &Decision, text: &str) -> bool {
    decision.choices.iter().any(|choice| choice.key == text)
}

/// Choices may share a key (dice of one colour with different faces): who names a key more often than
/// its first choice has pieces means the next one too.
fn spread(decision: &Decision, offers: Vec<u16>) -> Vec<u16> {
    let mut chosen: Vec<u16> = Vec::with_capacity(offers.len());
    for offer in offers {
        let taken = |offer: u16| chosen.iter().filter(|other| **other == offer).count();
        let key = decision
            .choices
            .iter()
            .find(|choice| choice.offer == offer)
            .map(|choice| choice.key.as_str());
        let free = decision
            .choices
            .iter()
            .filter(|choice| Some(choice.key.as_str()) == key)
            .skip_while(|choice| choice.offer != offer)
            .find(|choice| taken(choice.offer) < usize::from(choice.count));
        let wanted = free.map_or(offer, |choice| choice.offer);
        chosen.push(wanted);
    }
    chosen
}

fn some(decision: &Decision, text: &str) -> Result<Vec<u16>, String> {
    if matches!(text, "none" | "nothing" | "-") && !is_key(decision, text) {
        return Ok(Vec::new());
    }
    if text.contains(',') {
        let tokens = text.split(',').map(str::trim);
        let each = tokens
            .filter(|token| !token.is_empty())
            .map(|token| pick(decision, token));
        let each: Result<Vec<u16>, String> = each.collect();
        // A label may have commas of its own.
        return each.or_else(|error| {
            pick(decision, text)
                .map(|offer| vec![offer])
                .map_err(|_| error)
        });
    }
    match pick(decision, text) {
        Ok(offer) => Ok(vec![offer]),
        Err(whole) => {
            let words: Result<Vec<u16>, String> = text
                .split_whitespace()
                .map(|token| pick(decision, token))
                .collect();
            match words {
                Ok(offers) if offers.len() > 1 => Ok(offers),
                Err(word) if text.contains(char::is_whitespace) => Err(word),
                _ => Err(whole),
            }
        }
    }
}

/// Whether the choices are numbers themselves: then a number names its choice, not its position.
pub fn by_number(decision: &Decision) -> bool {
    decision
        .choices
        .iter()
        .any(|choice| choice.key.parse::<i64>().is_ok())
}

/// What counts of a name: its words in lower case. The commas between the parts of a choice do not.
pub(super) fn bare(text: &str) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
}

/// The one choice that a text names.
fn pick(decision: &Decision, text: &str) -> Result<u16, String> {
    let wanted = bare(text);
    let choices = &decision.choices;
    if let Some(choice) = choices.iter().find(|choice| bare(&choice.key) == wanted) {
        return Ok(choice.offer);
    }
    if !by_number(decision)
        && let Ok(number) = wanted.parse::<usize>()
    {
        return match number.checked_sub(1).and_then(|at| choices.get(at)) {
            Some(choice) => Ok(choice.offer),
            None => Err(format!(
                "there is no option {number}: they are numbered from 1 to {}",
                choices.len()
            )),
        };
    }
    let named = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..choices.len())
            .filter(|at| test(&bare(&choices[*at].label)) || test(&bare(&choices[*at].key)))
            .collect()
    };
    let exact = named(&|name| name == wanted);
    if let [only] = exact[..] {
        return Ok(choices[only].offer);
    }
    let begun = match wanted.is_empty() {
        true => Vec::new(),
        false => named(&|name| name.starts_with(&wanted)),
    };
    match begun[..] {
        [only] => return Ok(choices[only].offer),
        [] => {}
        _ => {
            let keys: Vec<String> = begun
                .iter()
                .map(|at| format!("`{}`", choices[*at].key))
                .collect();
            return Err(format!("`{text}` could be {}", keys.join(", ")));
        }
    }
    // Keys come first: what is suggested can be typed as it is.
    let keys = choices.iter().map(|choice| choice.key.as_str());
    let labels = choices.iter().map(|choice| choice.label.as_str());
    let near = nearest(&wanted, keys).or_else(|| nearest(&wanted, labels));
    Err(match near {
        Some(near) => format!("`{text}` is not offered; did you mean `{near}`?"),
        None => format!("`{text}` is not offered: {}", would_do(decision)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Choice;
    use crate::table::ids::{DecisionId, PlayerId};

    fn decision(kind: AskKind, choices: &[(&str, &str, u16)]) -> Decision {
        Decision {
            id: DecisionId(0),
            key: "stall".to_owned(),
            prompt: "Which stall?".to_owned(),
            player: PlayerId(0),
            kind,
            least: 0,
            most: 3,
            distinct: None,
            choices: choices
                .iter()
                .enumerate()
                .map(|(at, (key, label, count))| Choice {
                    offer: at as u16 * 2,
                    key: (*key).to_owned(),
                    label: (*label).to_owned(),
                    parts: Vec::new(),
                    count: *count,
                })
                .collect(),
        }
    }

    const FRUIT: &[(&str, &str, u16)] = &[
        ("apple_red", "Red apple", 2),
        ("apple_green", "Green apple", 1),
        ("pear", "Pear", 2),
        ("fig tree", "Fig, Tree", 1),
    ];

    #[track_caller]
    fn check(kind: AskKind, text: &str, expected: Result<Answer, &str>) {
        let found = parse(&decision(kind, FRUIT), text);
        assert_eq!(found, expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn a_choice_is_named_by_number_key_label_or_beginning() {
        for text in ["3", "pear", "Pear", "PEAR", "pe", " p "] {
            check(AskKind::One, text, Ok(Answer::One(4)));
        }
        check(AskKind::One, "apple_g", Ok(Answer::One(2)));
        check(AskKind::One, "green", Ok(Answer::One(2)));
        check(AskKind::One, "fig   tree", Ok(Answer::One(6)));
        check(AskKind::One, "Fig, Tree", Ok(Answer::One(6)));
        // The comma of a label need not be typed.
        for text in ["fig tree", "Fig Tree", "fig t", "fig,t"] {
            check(AskKind::One, text, Ok(Answer::One(6)));
        }
    }

    #[test]
    fn a_wrong_answer_says_what_would_do() {
        check(
            AskKind::One,
            "5",
            Err("there is no option 5: they are numbered from 1 to 4"),
        );
        check(
            AskKind::One,
            "apple",
            Err("`apple` could be `apple_red`, `apple_green`"),
        );
        check(
            AskKind::One,
            "peer",
            Err("`peer` is not offered; did you mean `pear`?"),
        );
        check(
            AskKind::One,
            "",
            Err(
                "`` is not offered: answer one of: apple_red (2 alike), apple_green, pear (2 alike), fig tree",
            ),
        );
        check(
            AskKind::Confirm,
            "maybe",
            Err("`maybe` is no answer: answer yes or no"),
        );
        check(
            AskKind::Number,
            "x",
            Err("`x` is no number: answer a number from 0 to 3"),
        );
    }

    #[test]
    fn many_choices_are_not_listed_in_a_complaint() {
        let names: Vec<String> = (0..13).map(|at| format!("k{at}")).collect();
        let choices: Vec<(&str, &str, u16)> = names
            .iter()
            .map(|name| (name.as_str(), name.as_str(), 1))
            .collect();
        let found = parse(&decision(AskKind::One, &choices), "pear");
        let expected =
            "`pear` is not offered: answer 1 to 13, or a key such as `k0`; `options` shows them";
        assert_eq!(found, Err(expected.to_owned()));
    }

    #[test]
    fn several_are_named_at_once() {
        for text in [
            "1 3 3",
            "1,3,3",
            "red apple, pear, pear",
            "apple_red pear pear",
        ] {
            check(AskKind::Some, text, Ok(Answer::Some(vec![0, 4, 4])));
        }
        check(AskKind::Some, "red apple", Ok(Answer::Some(vec![0])));
        check(AskKind::Some, "Fig, Tree", Ok(Answer::Some(vec![6])));
        check(AskKind::Some, "none", Ok(Answer::Some(Vec::new())));
        check(
            AskKind::Some,
            "pear plum",
            Err(
                "`plum` is not offered: answer up to 3 of: apple_red (2 alike), apple_green, pear (2 alike), fig tree",
            ),
        );
    }

    #[test]
    fn how_different_they_may_be_is_said_in_words_where_it_matters() {
        #[track_caller]
        fn check(attribute: &str, most: u16, expected: Option<&str>) {
            let mut decision = decision(AskKind::Some, FRUIT);
            decision.distinct = Some((attribute.to_owned(), most));
            let found = decision.distinct_in_words();
            assert_eq!(found.as_deref(), expected);
        }
        check("hue", 1, Some("all of one hue"));
        check("hue", 2, Some("of at most 2 hues"));
        check("body", 2, Some("of at most 2 bodies"));
        check("tray", 2, Some("of at most 2 trays"));
        check("box_size", 2, Some("of at most 2 box sizes"));
        check("class", 2, Some("of at most 2 classes"));
        // Of three at most, three are no limit.
        check("hue", 3, None);
        check("hue", 4, None);
    }

    #[test]
    fn a_key_that_choices_share_names_one_after_the_other() {
        let dice = decision(AskKind::Some, &[("red", "Red", 1), ("red", "Red", 2)]);
        let given = |text: &str| parse(&dice, text);
        assert_eq!(given("red, red, red"), Ok(Answer::Some(vec![0, 2, 2])));
        assert_eq!(given("2 2"), Ok(Answer::Some(vec![2, 2])));
    }

    #[test]
    fn choices_that_are_numbers_are_named_by_them() {
        let numbers = decision(AskKind::One, &[("7", "7", 1), ("1", "1", 1)]);
        assert_eq!(parse(&numbers, "1"), Ok(Answer::One(2)));
    }

    #[test]
    fn texts_are_typed_with_bars_between_them() {
        let of = |texts: &[&str]| {
            let texts = texts.iter().map(|text| (*text).to_owned()).collect();
            Ok(Answer::Texts(Some(texts)))
        };
        check(
            AskKind::Texts,
            "one, two | three",
            of(&["one, two", "three"]),
        );
        check(AskKind::Texts, "quit |", of(&["quit"]));
        check(AskKind::Texts, "a || b", of(&["a", "", "b"]));
        assert!(is_texts(&decision(AskKind::Texts, &[]), "quit |"));
        assert!(!is_texts(&decision(AskKind::Texts, &[]), "quit"));
        assert!(!is_texts(&decision(AskKind::One, FRUIT), "quit |"));
    }

    #[test]
    fn yes_and_no_and_numbers() {
        check(AskKind::Confirm, "Y", Ok(Answer::Confirm(true)));
        check(AskKind::Confirm, "no", Ok(Answer::Confirm(false)));
        check(AskKind::Number, "-2", Ok(Answer::Number(-2)));
    }
}
