//! The pending question, its choices, and what is refused.

use crate::flow::{Answer, Decision, decision};
use crate::script::code::AskKind;
use crate::table::Value;
use crate::table::event::{Event, hint};
use crate::table::view::Viewer;

use super::answer;
use super::board::Words;
use super::narrate::{join, reason};
use super::session::Session;
use super::text::{Line, Paint, columns, render};

/// Fewer choices are not worth to be grouped.
const FEW: usize = 8;

impl Session {
    /// The pending question with its choices.
    pub(super) fn question(&self, long: bool) -> String {
        let Some(decision) = self.game.decision() else {
            let told = self.verdict().and_then(|verdict| {
                let mut lines = vec![verdict];
                lines.extend(self.score_lines()?);
                Ok(render(&lines, self.look))
            });
            return told.unwrap_or_else(|fault| fault);
        };
        let words = self.words(Viewer::Player(decision.player));
        let mut head = self.board().header();
        head.push("  ", Paint::Plain);
        head.push(decision.prompt.clone(), Paint::Bold);
        if let Some(what) = wanted(&decision) {
            head.push(format!(" ({what})"), Paint::Dim);
        }
        let mut lines = vec![head];
        lines.extend(how_to_type(&decision));
        let room = self.look.width.saturating_sub(2);
        let list = List {
            session: self,
            decision: &decision,
            words,
        };
        let entries = if long {
            list.with_keys()
        } else {
            list.grouped(room).unwrap_or_else(|| list.one_by_one())
        };
        lines.extend(columns(&entries, 3, room).into_iter().map(set_in));
        if long {
            let refused = self.refusals(&words);
            if !refused.is_empty() {
                lines.push(Line::of("Cannot be chosen:", Paint::Dim));
                lines.extend(refused.into_iter().map(set_in));
            }
        }
        render(&lines, self.look)
    }

    /// Reads an answer by keys and labels, or else as the question shows its choices.
    pub(super) fn read_answer(&self, decision: &Decision, text: &str) -> Result<Answer, String> {
        answer::parse(decision, text).or_else(|error| {
            let words = self.words(Viewer::Player(decision.player));
            let mut shown = decision.clone();
            for choice in &mut shown.choices {
                let parts = choice.parts.iter().map(|part| words.value(*part));
                choice.label = join(parts.collect()).text();
            }
            answer::parse(&shown, text).map_err(|_| error)
        })
    }

    /// What is refused at this question, each with its reason.
    fn refusals(&self, words: &Words<'_>) -> Vec<Line> {
        let mut refused: Vec<Line> = Vec::new();
        for event in &self.game.notices {
            if let Some(line) = self.refusal(words, event)
                && !refused.contains(&line)
            {
                refused.push(line);
            }
        }
        refused
    }

    /// Why what a text names is refused, if it names something that is: by key or label, or by the
    /// beginning of one where that names one thing only.
    pub(super) fn refused(&self, decision: &Decision, text: &str) -> Option<String> {
        let words = self.words(Viewer::Player(decision.player));
        let wanted = answer::bare(text);
        let mut exact: Vec<String> = Vec::new();
        let mut begun: Vec<String> = Vec::new();
        for event in &self.game.notices {
            let Event::Refused { parts, .. } = event else {
                continue;
            };
            let Some(line) = self.refusal(&words, event) else {
                continue;
            };
            let keys = parts
                .iter()
                .map(|part| decision::key(&self.game.rules, &self.game.state, *part));
            let labels = parts.iter().map(|part| words.value(*part).text());
            let names = [
                keys.collect::<Vec<_>>().join(" "),
                labels.collect::<Vec<_>>().join(", "),
            ];
            let names = names.map(|name| answer::bare(&name));
            let reason = line.text();
            if names.contains(&wanted) && !exact.contains(&reason) {
                exact.push(reason);
            } else if names.iter().any(|name| name.starts_with(&wanted)) && !begun.contains(&reason)
            {
                begun.push(reason);
            }
        }
        let found = match (exact.is_empty(), begun.len()) {
            (false, _) => exact,
            (true, 1) => begun,
            _ => return None,
        };
        Some(format!("cannot be chosen: {}", found.join("; ")))
    }

    /// A refusal with its reason.
    pub(super) fn refusal(&self, words: &Words<'_>, event: &Event) -> Option<Line> {
        let Event::Refused { parts, .. } = event else {
            return None;
        };
        let mut line = Line::new();
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                line.push(", ", Paint::Plain);
            }
            line.append(words.value(*part));
        }
        let reason = reason(&self.game.rules, words, event)?;
        line.push(format!(": {reason}"), Paint::Plain);
        Some(line)
    }
}

/// The choices of a question, to be listed.
struct List<'a> {
    session: &'a Session,
    decision: &'a Decision,
    words: Words<'a>,
}

impl List<'_> {
    /// A choice's number, some of its parts, and how often and to what it can be chosen.
    fn entry(&self, at: usize, parts: &[Value]) -> Line {
        let choice = &self.decision.choices[at];
        let digits = self.decision.choices.len().to_string().len();
        let mut line = Line::new();
        if !answer::by_number(self.decision) {
            line.push(format!("{:>digits$} ", at + 1), Paint::Bold);
        }
        line.append(self.joined(parts));
        let alike = (choice.count > 1).then(|| format!("{} alike", choice.count));
        let hint = hint(&self.session.game.notices, choice.offer).map(str::to_owned);
        let aside: Vec<String> = alike.into_iter().chain(hint).collect();
        if !aside.is_empty() {
            line.push(format!(" ({})", aside.join("; ")), Paint::Dim);
        }
        line
    }

    fn joined(&self, parts: &[Value]) -> Line {
        join(parts.iter().map(|part| self.words.value(*part)).collect())
    }

    fn one_by_one(&self) -> Vec<Line> {
        let choices = self.decision.choices.iter().enumerate();
        choices
            .map(|(at, choice)| self.entry(at, &choice.parts))
            .collect()
    }

    fn with_keys(&self) -> Vec<Line> {
        let mut lines = self.one_by_one();
        let widest = lines.iter().map(Line::width).max().unwrap_or(0);
        for (line, choice) in lines.iter_mut().zip(&self.decision.choices) {
            line.pad(widest + 2);
            line.push(choice.key.clone(), Paint::Dim);
        }
        lines
    }

    /// Choices that differ in their last part only, together on a line; nothing if that spares little, or
    /// if such a line takes more than so many columns.
    fn grouped(&self, room: usize) -> Option<Vec<Line>> {
        let choices = &self.decision.choices;
        let lead = |at: usize| {
            let parts = &choices[at].parts;
            &parts[..parts.len().saturating_sub(1)]
        };
        let all: Vec<usize> = (0..choices.len()).collect();
        let groups: Vec<&[usize]> = all
            .chunk_by(|a, b| !lead(*a).is_empty() && lead(*a) == lead(*b))
            .collect();
        if choices.len() < FEW || groups.len() * 3 > choices.len() * 2 {
            return None;
        }
        let leads: Vec<Line> = groups
            .iter()
            .map(|group| self.joined(lead(group[0])))
            .collect();
        let members: Vec<Vec<Line>> = groups
            .iter()
            .map(|group| {
                let last = |at: &usize| self.entry(*at, &choices[*at].parts[lead(*at).len()..]);
                group.iter().map(last).collect()
            })
            .collect();
        let wide = leads.iter().map(Line::width).max().unwrap_or(0);
        let widest = members.iter().flatten().map(Line::width).max().unwrap_or(0);
        let line = |(lead, members): (Line, Vec<Line>)| {
            let mut line = lead;
            for (at, member) in members.into_iter().enumerate() {
                line.pad(wide + 2 + at * (widest + 2));
                line.append(member);
            }
            line
        };
        let lines: Vec<Line> = leads.into_iter().zip(members).map(line).collect();
        lines
            .iter()
            .all(|line| line.width() <= room)
            .then_some(lines)
    }
}

fn set_in(line: Line) -> Line {
    let mut whole = Line::plain("  ");
    whole.append(line);
    whole
}

/// How texts are typed, and commands where any line could be a text; nothing where something else is wanted.
fn how_to_type(decision: &Decision) -> Option<Line> {
    if decision.kind != AskKind::Texts {
        return None;
    }
    let bar = answer::BETWEEN_TEXTS;
    let taken = match decision.most {
        1 => "The line is taken as the text".to_owned(),
        _ => format!("The line is taken as the texts, with `{bar}` between them"),
    };
    Some(set_in(Line::of(
        format!(
            "{taken}. If it begins with the whole name of a command, such as `undo`, it is that command: end it \
             with `{bar}` to have it taken even so."
        ),
        Paint::Dim,
    )))
}

/// What sort of answer is wanted, where it is not simply one of the choices.
fn wanted(decision: &Decision) -> Option<String> {
    let mut text = match decision.kind {
        AskKind::One => return None,
        AskKind::Confirm => "yes or no".to_owned(),
        AskKind::Number => format!("{} to {}", decision.least, decision.most),
        AskKind::Texts => decision.texts_in_words(),
        AskKind::Some => match (decision.least, decision.most) {
            (least, most) if least == most => format!("{least} of them"),
            (0, most) => format!("up to {most}"),
            (least, most) => format!("{least} to {most} of them"),
        },
    };
    if let Some(distinct) = decision.distinct_in_words() {
        text.push_str(&format!(", {distinct}"));
    }
    Some(text)
}
