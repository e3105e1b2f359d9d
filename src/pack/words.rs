//! What players are told and asked: decisions, plain choices, reasons; and the streams of chance.

use crate::diag::Diagnostic;
use crate::table::chance::salt;

use super::codes;
use super::fields::At;
use super::model::{DecisionInfo, ReasonInfo};
use super::names::Section;
use super::read::Reader;

/// Most numbers in the text of a reason.
const MOST_NUMBERS: usize = 16;

impl Reader<'_> {
    /// Reads choices and streams.
    pub(super) fn read_plain(&mut self) {
        for declared in self.names.list(Section::Choice).to_vec() {
            let mut fields = self.fields(Section::Choice, declared);
            let path = format!("choice.{}", declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            fields.finish(&mut self.report);
            self.layout.choices.push(name);
        }
        for declared in self.names.list(Section::Stream).to_vec() {
            let mut fields = self.fields(Section::Stream, declared);
            let path = format!("stream.{}", declared.id);
            self.common(&mut fields, &path, Some(declared.id));
            fields.finish(&mut self.report);
            let stream = (declared.id.to_owned(), salt(declared.id));
            self.layout.streams.push(stream);
        }
    }

    /// Reads decisions.
    pub(super) fn read_decisions(&mut self) -> Vec<DecisionInfo> {
        let mut decisions = Vec::new();
        for declared in self.names.list(Section::Decision).to_vec() {
            let mut fields = self.fields(Section::Decision, declared);
            let path = format!("decision.{}", declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            let prompt = fields.need_text("prompt", &mut self.report);
            if let Some(prompt) = prompt {
                self.filled_by_nothing(prompt, "a prompt");
            }
            let what = format!("`of` of {}", fields.what);
            let of = fields.text("of", &mut self.report);
            let of = of.and_then(|of| self.value_type(&what, of));
            let secret = fields.bool("secret", &mut self.report);
            fields.finish(&mut self.report);
            decisions.push(DecisionInfo {
                name,
                prompt: prompt.map_or(String::new(), |prompt| prompt.value.to_owned()),
                of,
                secret: secret.is_some_and(|secret| secret.value),
                span: declared.key,
            });
        }
        decisions
    }

    /// Reads reasons for refusals.
    pub(super) fn read_reasons(&mut self) -> Vec<ReasonInfo> {
        let mut reasons = Vec::new();
        for declared in self.names.list(Section::Reason).to_vec() {
            let mut fields = self.fields(Section::Reason, declared);
            let path = format!("reason.{}", declared.id);
            let (mut name, _) = self.common(&mut fields, &path, Some(declared.id));
            let text = fields.need_text("text", &mut self.report);
            fields.finish(&mut self.report);
            let numbers = text.map_or(0, |text| self.count_numbers(text));
            if let Some(text) = text {
                name.title = text.value.to_owned();
            }
            reasons.push(ReasonInfo {
                name,
                numbers,
                span: declared.key,
            });
        }
        reasons
    }

    /// How many numbers a text has places for, such as `{0}` and `{1}`.
    fn count_numbers(&mut self, text: At<&str>) -> usize {
        let mut used = [false; MOST_NUMBERS];
        let mut rest = text.value;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((place, after)) = after.split_once('}') else {
                self.numbering(
                    text,
                    "a place for a number is not closed: expected `}`".into(),
                );
                return 0;
            };
            let number = place.parse::<usize>().ok();
            match number.and_then(|number| used.get_mut(number)) {
                Some(slot) => *slot = true,
                None => self.numbering(
                    text,
                    format!(
                        "`{{{place}}}` is no place for a number: expected `{{0}}`, `{{1}}`, ..."
                    ),
                ),
            }
            rest = after;
        }
        let count = used
            .iter()
            .rposition(|used| *used)
            .map_or(0, |last| last + 1);
        if let Some(missing) = used[..count].iter().position(|used| !used) {
            self.numbering(text, format!("`{{{missing}}}` is left out"));
        }
        count
    }

    /// Reports places in a text that is shown as it is written: people would see the braces.
    pub(super) fn filled_by_nothing(&mut self, text: At<&str>, what: &str) {
        let mut rest = text.value;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((place, after)) = after.split_once('}') else {
                return;
            };
            rest = after;
            let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if !place.is_empty() && place.chars().all(is_word) {
                self.report.push(
                    Diagnostic::error(
                        codes::BAD_PLACEHOLDER,
                        text.span,
                        format!("nothing fills `{{{place}}}`: {what} is shown as it is written"),
                    )
                    .help("numbers belong into the texts of reasons, attributes into `key` and `piece_title` of kinds"),
                );
            }
        }
    }

    fn numbering(&mut self, text: At<&str>, label: String) {
        self.report.push(
            Diagnostic::error(
                codes::BAD_NUMBERING,
                text.span,
                "the numbers of a reason are not `{0}`, `{1}`, ... without a gap",
            )
            .label(label),
        );
    }
}
