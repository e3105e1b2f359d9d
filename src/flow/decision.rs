//! Decisions as people, scenarios and bots see them, and their answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::diag::{count, count_between};
use crate::script::code::AskKind;
use crate::script::state::{Ask, Told};
use crate::script::{Rules, State};
use crate::table::ids::{DecisionId, PlayerId, PropertyId};
use crate::table::layout::Accessor;
use crate::table::value::ListRef;
use crate::table::{Case, Value};

/// One choice of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its position among what the script offered: what an [`Answer`] names.
    pub offer: u16,
    /// Its stable key: its parts' keys, joined by spaces.
    pub key: String,
    /// What people read.
    pub label: String,
    /// What it is made of.
    pub parts: Vec<Value>,
    /// How many there are that nobody can tell apart.
    pub count: u16,
}

/// A pending decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which.
    pub id: DecisionId,
    /// Its id in files.
    pub key: String,
    /// The question.
    pub prompt: String,
    /// Who decides.
    pub player: PlayerId,
    /// What sort of answer.
    pub kind: AskKind,
    /// At least so many choices, or this number.
    pub least: i64,
    /// At most so many choices, or this number.
    pub most: i64,
    /// At most so many different values of an attribute: its name and the number; nothing if that forbids nothing.
    pub distinct: Option<(String, u16)>,
    /// What can be chosen.
    pub choices: Vec<Choice>,
}

/// An answer, by positions of offers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// One choice.
    One(u16),
    /// Some choices; one with a count may be named as often.
    Some(Vec<u16>),
    /// A number.
    Number(i64),
    /// Yes or no.
    Confirm(bool),
    /// Some texts; `None` is an answer without them, as bots give it: it counts, and binds nobody.
    Texts(Option<Vec<String>>),
}

/// An answer as files have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Written {
    /// Yes or no.
    Confirm(bool),
    /// A number.
    Number(i64),
    /// The key of a choice.
    One(String),
    /// The keys of some choices, or texts.
    Some(Vec<String>),
}

impl fmt::Display for Written {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Confirm(true) => write!(formatter, "yes"),
            Self::Confirm(false) => write!(formatter, "no"),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::One(key) => write!(formatter, "{key}"),
            Self::Some(keys) if keys.is_empty() => write!(formatter, "nothing"),
            Self::Some(keys) => write!(formatter, "{}", keys.join(", ")),
        }
    }
}

/// Why an answer is not accepted. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// What is wrong with it.
    pub message: String,
    /// What may have been meant, if it was misspelt.
    pub near: Option<String>,
    /// What would do.
    pub would_do: String,
}

impl Rejection {
    /// The same of an answer that was right when it was given: it cannot be misspelt.
    #[must_use]
    pub fn of_old_answer(self) -> Self {
        Self { near: None, ..self }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            message, would_do, ..
        } = self;
        match &self.near {
            Some(near) => write!(formatter, "{message}; did you mean `{near}`? {would_do}"),
            None => write!(formatter, "{message}: {would_do}"),
        }
    }
}

/// The parts of an offer.
pub fn parts(state: &State, offer: u16) -> &[Value] {
    let offer = &state.run.offers[usize::from(offer)];
    let first = usize::from(offer.first);
    &state.run.parts[first..first + usize::from(offer.parts)]
}

/// The offers that stand for themselves and all like them.
pub fn leaders(state: &State) -> impl Iterator<Item = u16> + '_ {
    state
        .run
        .offers
        .iter()
        .enumerate()
        .filter(|(index, offer)| usize::from(offer.leader) == *index)
        .map(|(index, _)| index as u16)
}

/// The key of a value, as choices and scenarios name it.
pub fn key(rules: &Rules, state: &State, value: Value) -> String {
    let layout = rules.layout();
    layout.key(state.table.declared(layout, value))
}

fn label(rules: &Rules, state: &State, value: Value) -> String {
    let layout = rules.layout();
    layout.title(state.table.declared(layout, value))
}

impl Decision {
    /// The pending decision of a state.
    pub fn pending(rules: &Rules, state: &State) -> Option<Self> {
        let ask = state.run.ask?;
        let info = &rules.pack.decisions[ask.decision.index()];
        let (most, distinct) = reachable(rules, state, &ask);
        let choices = leaders(state)
            .map(|offer| {
                let parts = parts(state, offer).to_vec();
                let keys: Vec<String> = parts.iter().map(|part| key(rules, state, *part)).collect();
                let labels: Vec<String> = parts
                    .iter()
                    .map(|part| label(rules, state, *part))
                    .collect();
                Choice {
                    offer,
                    key: keys.join(" "),
                    label: labels.join(", "),
                    parts,
                    count: state.run.offers[usize::from(offer)].count,
                }
            })
            .collect();
        Some(Self {
            id: ask.decision,
            key: info.name.id.clone(),
            prompt: info.prompt.clone(),
            player: ask.player,
            kind: ask.kind,
            least: ask.least,
            most,
            distinct: distinct.map(|(property, most)| {
                (rules.layout().properties[property.index()].clone(), most)
            }),
            choices,
        })
    }

    /// What would do as an answer, in words.
    pub fn would_do(&self) -> String {
        match self.kind {
            AskKind::Confirm => "answer yes or no".to_owned(),
            AskKind::Number => format!("answer a number from {} to {}", self.least, self.most),
            AskKind::One => format!("answer one of: {}", self.keys()),
            AskKind::Texts => format!(
                "answer {}, none of them empty or like one that was given before",
                self.texts_in_words()
            ),
            AskKind::Some => {
                let many = match (self.least, self.most) {
                    (least, most) if least == most => format!("exactly {least}"),
                    (0, most) => format!("up to {most}"),
                    (least, most) => format!("{least} to {most}"),
                };
                let what = match self.distinct_in_words() {
                    Some(distinct) => format!(", {distinct}, out of"),
                    None => " of".to_owned(),
                };
                format!("answer {many}{what}: {}", self.keys())
            }
        }
    }

    /// How many different values of an attribute would do, in words: `all of one size`, `of at most 2 sizes`;
    /// nothing where that forbids nothing.
    pub fn distinct_in_words(&self) -> Option<String> {
        let (attribute, most) = self.distinct.as_ref()?;
        let attribute = attribute.replace('_', " ");
        match most {
            most if self.most <= i64::from(*most) => None,
            1 => Some(format!("all of one {attribute}")),
            most => Some(format!("of at most {most} {}", plural(&attribute))),
        }
    }

    /// How many texts would do, in words: `4 texts`, `1 to 3 texts`.
    pub fn texts_in_words(&self) -> String {
        count_between(self.least, self.most, "text")
    }

    fn keys(&self) -> String {
        let keys: Vec<String> = self
            .choices
            .iter()
            .map(|choice| match choice.count {
                1 => choice.key.clone(),
                count => format!("{} ({count} alike)", choice.key),
            })
            .collect();
        keys.join(", ")
    }

    fn reject<T>(&self, what: &str) -> Result<T, Rejection> {
        Err(Rejection {
            message: what.to_owned(),
            near: None,
            would_do: self.would_do(),
        })
    }

    fn find(&self, written: &str) -> Result<u16, Rejection> {
        let wanted = written.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(choice) = self.choices.iter().find(|choice| choice.key == wanted) {
            return Ok(choice.offer);
        }
        let keys = self.choices.iter().map(|choice| choice.key.as_str());
        let near = crate::diag::nearest(&wanted, keys).map(str::to_owned);
        Err(Rejection {
            message: format!("`{wanted}` is not offered"),
            near,
            would_do: self.would_do(),
        })
    }

    /// Reads an answer as files have it.
    ///
    /// # Errors
    /// When it is of the wrong sort or names what is not offered.
    pub fn read(&self, written: &Written) -> Result<Answer, Rejection> {
        match (self.kind, written) {
            (AskKind::One, Written::One(key)) => Ok(Answer::One(self.find(key)?)),
            // Numbers can be choices.
            (AskKind::One, Written::Number(number)) => {
                Ok(Answer::One(self.find(&number.to_string())?))
            }
            (AskKind::Some, Written::Some(keys)) => Ok(Answer::Some(
                keys.iter()
                    .map(|key| self.find(key))
                    .collect::<Result<_, _>>()?,
            )),
            (AskKind::Some, Written::One(key)) => Ok(Answer::Some(vec![self.find(key)?])),
            (AskKind::Number, Written::Number(number)) => Ok(Answer::Number(*number)),
            (AskKind::Texts, Written::Some(texts)) => Ok(Answer::Texts(Some(texts.clone()))),
            (AskKind::Texts, Written::One(text)) => Ok(Answer::Texts(Some(vec![text.clone()]))),
            (AskKind::Texts, Written::Confirm(true)) => Ok(Answer::Texts(None)),
            (AskKind::Confirm, Written::Confirm(yes)) => Ok(Answer::Confirm(*yes)),
            (AskKind::Confirm, Written::One(text)) if matches!(text.as_str(), "yes" | "y") => {
                Ok(Answer::Confirm(true))
            }
            (AskKind::Confirm, Written::One(text)) if matches!(text.as_str(), "no" | "n") => {
                Ok(Answer::Confirm(false))
            }
            _ => self.reject(&format!("`{written}` is no answer to `{}`", self.key)),
        }
    }

    /// Writes an answer as files have it.
    pub fn write(&self, answer: &Answer) -> Written {
        let key = |offer: u16| {
            self.choices
                .iter()
                .find(|choice| choice.offer == offer)
                .map_or(String::new(), |choice| choice.key.clone())
        };
        match answer {
            Answer::One(offer) => Written::One(key(*offer)),
            Answer::Some(offers) => Written::Some(offers.iter().map(|offer| key(*offer)).collect()),
            Answer::Number(number) => Written::Number(*number),
            Answer::Confirm(yes) => Written::Confirm(*yes),
            Answer::Texts(None) => Written::Confirm(true),
            Answer::Texts(Some(texts)) => Written::Some(texts.clone()),
        }
    }

    /// Checks an answer against the state the decision was made from.
    ///
    /// # Errors
    /// Says what is wrong with it and what would do.
    pub fn check(&self, rules: &Rules, state: &State, answer: &Answer) -> Result<(), Rejection> {
        let Some(ask) = state.run.ask else {
            return self.reject("nothing is asked");
        };
        match (ask.kind, answer) {
            (AskKind::One, Answer::One(offer)) => match state.run.offers.get(usize::from(*offer)) {
                Some(known) if known.leader == *offer => Ok(()),
                _ => self.reject("this is not offered"),
            },
            (AskKind::Number, Answer::Number(number)) => {
                if (ask.least..=ask.most).contains(number) {
                    Ok(())
                } else {
                    self.reject(&format!("{number} is out of range"))
                }
            }
            (AskKind::Confirm, Answer::Confirm(_)) | (AskKind::Texts, Answer::Texts(None)) => {
                Ok(())
            }
            (AskKind::Texts, Answer::Texts(Some(texts))) => self.check_texts(state, texts),
            (AskKind::Some, Answer::Some(offers)) => {
                let number = offers.len() as i64;
                if number < ask.least || number > ask.most {
                    return self.reject(&format!("{number} chosen"));
                }
                for offer in offers {
                    let wanted = offers.iter().filter(|other| *other == offer).count();
                    match state.run.offers.get(usize::from(*offer)) {
                        Some(known) if known.leader == *offer => {
                            if wanted > usize::from(known.count) {
                                return self.reject(&format!(
                                    "only {} like the one chosen {}",
                                    known.count,
                                    count(wanted, "time")
                                ));
                            }
                        }
                        _ => return self.reject("this is not offered"),
                    }
                }
                if too_varied(rules, state, offers) {
                    return self.reject("too many different ones");
                }
                Ok(())
            }
            _ => self.reject("this is no answer to it"),
        }
    }
}

impl Decision {
    /// Checks texts: how many there are, and that each says something that nobody said before.
    fn check_texts(&self, state: &State, texts: &[String]) -> Result<(), Rejection> {
        let number = texts.len() as i64;
        if !(self.least..=self.most).contains(&number) {
            let few = if number < self.least { "few" } else { "many" };
            return self.reject(&format!("{number} given, which is too {few}"));
        }
        let before = state.told.iter().filter(|told| told.decision == self.id);
        let mut known: Vec<(String, &str)> = before
            .map(|told| (bare(&told.text), told.text.as_str()))
            .collect();
        for text in texts {
            if text.chars().count() > MOST_LETTERS || text.chars().any(char::is_control) {
                return self.reject(&format!(
                    "a text is one line of at most {MOST_LETTERS} letters"
                ));
            }
            let own = bare(text);
            if own.is_empty() {
                return self.reject(&format!("`{text}` has no letter and no digit"));
            }
            if let Some((_, other)) = known.iter().find(|(other, _)| *other == own) {
                return self.reject(&format!("`{text}` was given before, as `{other}`"));
            }
            known.push((own, text));
        }
        Ok(())
    }
}

/// The plural of a noun, by rule.
fn plural(noun: &str) -> String {
    let vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|end| noun.ends_with(end)) =>
        {
            format!("{noun}es")
        }
        _ => format!("{noun}s"),
    }
}

/// Most letters of a text that is an answer.
const MOST_LETTERS: usize = 500;

/// What counts when texts are compared: letters and digits in lower case.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The attribute that a limit looks at, of an offer's first part.
fn limited(rules: &Rules, state: &State, ask: &Ask, offer: u16) -> Value {
    let Some((property, _)) = ask.distinct else {
        return Value::UNIT;
    };
    let layout = rules.layout();
    match parts(state, offer).first().map(|first| first.case()) {
        Some(Case::Piece(piece)) => {
            let info = state.table.info(layout, piece);
            let shape = layout.shape_of_domain(crate::table::layout::Domain::Kind(info.kind));
            match layout.accessor(shape, property) {
                Accessor::Attribute(index) => info.attributes[usize::from(index)],
                _ => Value::UNIT,
            }
        }
        Some(Case::Node(node)) => {
            let info = &layout.nodes[node.index()];
            let shape = layout.shape_of_domain(crate::table::layout::Domain::Graph(info.graph));
            match layout.accessor(shape, property) {
                Accessor::Attribute(index) => info.attributes[usize::from(index)],
                _ => Value::UNIT,
            }
        }
        _ => Value::UNIT,
    }
}

/// How many can be chosen at most with a limit on different values, and the limit if it forbids anything.
fn reachable(rules: &Rules, state: &State, ask: &Ask) -> (i64, Option<(PropertyId, u16)>) {
    let (AskKind::Some, Some((_, most_values))) = (ask.kind, ask.distinct) else {
        return (ask.most, ask.distinct);
    };
    let mut counts: Vec<(Value, i64)> = Vec::new();
    for offer in leaders(state) {
        let value = limited(rules, state, ask, offer);
        let count = i64::from(state.run.offers[usize::from(offer)].count);
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, sum)) => *sum += count,
            None => counts.push((value, count)),
        }
    }
    let most_values = usize::from(most_values);
    if counts.len() <= most_values {
        return (ask.most, None);
    }
    let mut sums: Vec<i64> = counts.into_iter().map(|(_, sum)| sum).collect();
    sums.sort_unstable_by(|a, b| b.cmp(a));
    let reach: i64 = sums.iter().take(most_values).sum();
    (ask.most.min(reach).max(ask.least), ask.distinct)
}

/// How many different values of the limited attribute some offers have.
fn different(rules: &Rules, state: &State, ask: &Ask, offers: &[u16]) -> usize {
    if ask.distinct.is_none() {
        return 0;
    }
    let mut values: Vec<Value> = Vec::new();
    for offer in offers {
        let value = limited(rules, state, ask, *offer);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values.len()
}

/// Whether offers have more different values of the limited attribute than may be chosen together.
pub fn too_varied(rules: &Rules, state: &State, offers: &[u16]) -> bool {
    let limited = state.run.ask.and_then(|ask| Some((ask, ask.distinct?.1)));
    limited.is_some_and(|(ask, most)| different(rules, state, &ask, offers) > usize::from(most))
}

/// The only legal answer, if there is just one.
pub fn forced(state: &State) -> Option<Answer> {
    let ask = state.run.ask?;
    match ask.kind {
        AskKind::Confirm | AskKind::Texts => None,
        AskKind::Number => (ask.least == ask.most).then_some(Answer::Number(ask.least)),
        AskKind::One => {
            // The first offer is like no earlier one.
            (ask.choices == 1).then_some(Answer::One(0))
        }
        AskKind::Some => {
            if ask.most == 0 {
                return Some(Answer::Some(Vec::new()));
            }
            if ask.least != ask.most {
                return None;
            }
            let all = state.run.offers.len() as i64;
            if ask.choices == 1 {
                return Some(Answer::Some(vec![0; ask.least as usize]));
            }
            (ask.least == all && ask.distinct.is_none())
                .then(|| Answer::Some(state.run.offers.iter().map(|offer| offer.leader).collect()))
        }
    }
}

/// The only answer that a bot has, if there is just one: bots have no words of their own.
pub fn only_for_bots(state: &State) -> Option<Answer> {
    match state.run.ask?.kind {
        AskKind::Texts => Some(Answer::Texts(None)),
        _ => forced(state),
    }
}

/// Writes a checked answer into the state: the machine can go on.
pub fn apply(state: &mut State, answer: &Answer) {
    let Some(ask) = state.run.ask.take() else {
        return;
    };
    let run = &mut state.run;
    let value = match answer {
        Answer::Number(number) => Value::int(*number),
        Answer::Confirm(yes) => Value::from(*yes),
        Answer::Texts(texts) => {
            for text in texts.iter().flatten() {
                state.told.push(Told {
                    decision: ask.decision,
                    player: ask.player,
                    text: text.clone(),
                });
            }
            Value::int(texts.as_ref().map_or(ask.least, |texts| texts.len() as i64))
        }
        Answer::One(offer) => {
            let offer = run.offers[usize::from(*offer)];
            let first = usize::from(offer.first);
            if offer.parts == 1 {
                run.parts[first]
            } else {
                let start = run.heap.len() as u32;
                run.heap
                    .extend_from_slice(&run.parts[first..first + usize::from(offer.parts)]);
                Value::from(ListRef {
                    start,
                    len: u16::from(offer.parts),
                    room: u16::from(offer.parts),
                })
            }
        }
        Answer::Some(offers) => {
            let start = run.heap.len() as u32;
            for (position, wanted) in offers.iter().enumerate() {
                // The nth naming of a choice is the nth piece offered under it.
                let nth = offers[..position]
                    .iter()
                    .filter(|other| *other == wanted)
                    .count();
                let found = run
                    .offers
                    .iter()
                    .filter(|offer| offer.leader == *wanted)
                    .nth(nth);
                if let Some(offer) = found {
                    let part = run.parts[usize::from(offer.first)];
                    run.heap.push(part);
                }
            }
            let len = offers.len() as u16;
            Value::from(ListRef {
                start,
                len,
                room: len,
            })
        }
    };
    run.stack[ask.register as usize] = value;
    run.offers.clear();
    run.parts.clear();
}

/// A random legal answer; `below(n)` gives a number from 0 to n - 1.
pub fn random(rules: &Rules, state: &State, mut below: impl FnMut(u64) -> u64) -> Option<Answer> {
    let ask = state.run.ask?;
    Some(match ask.kind {
        AskKind::Texts => Answer::Texts(None),
        AskKind::Confirm => Answer::Confirm(below(2) == 1),
        AskKind::Number => {
            let span = ask.most.abs_diff(ask.least).saturating_add(1);
            Answer::Number(ask.least.saturating_add_unsigned(below(span)))
        }
        AskKind::One => {
            let nth = below(u64::from(ask.choices)) as usize;
            let all_differ = usize::from(ask.choices) == state.run.offers.len();
            Answer::One(if all_differ {
                nth as u16
            } else {
                leaders(state).nth(nth)?
            })
        }
        AskKind::Some => {
            let mut left: Vec<u16> = state.run.offers.iter().map(|offer| offer.leader).collect();
            let wanted = ask.least + below((ask.most - ask.least + 1) as u64) as i64;
            let mut chosen: Vec<u16> = Vec::with_capacity(wanted as usize);
            let most = ask
                .distinct
                .map_or(usize::MAX, |(_, most)| usize::from(most));
            while (chosen.len() as i64) < wanted && !left.is_empty() {
                let offer = left.swap_remove(below(left.len() as u64) as usize);
                chosen.push(offer);
                if different(rules, state, &ask, &chosen) > most {
                    chosen.pop();
                }
            }
            if (chosen.len() as i64) < ask.least {
                return None;
            }
            Answer::Some(chosen)
        }
    })
}
