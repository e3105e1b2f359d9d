//! Diagnostics for the authors of packs: sources, spans, messages, and how they are printed.
//!
//! A [`Diagnostic`] points into the files of a [`Sources`] by [`Span`]. Many are collected in a
//! [`Report`], so that an author sees all problems at once.

mod render;
mod source;
mod words;

pub use render::{Style, render, render_one, to_json};
pub use source::{Excerpt, FileId, LineColumn, Source, Sources, Span};
pub use words::{count, count_between, noun};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The pack cannot be played.
    Error,
    /// The pack can be played, but probably not as meant.
    Warning,
}

/// A secondary place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where it points.
    pub span: Span,
    /// What is there, in lower case without a full stop.
    pub text: String,
}

/// One problem in a pack, a script or a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, such as `Y0101`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong: lower case, names in backquotes, no full stop.
    pub message: String,
    /// The place; `None` where no file can be blamed.
    pub span: Option<Span>,
    /// What stands at the place, shown under the excerpt; may be empty.
    pub label: String,
    /// Other places that matter.
    pub others: Vec<Label>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A new error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            others: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A new warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }

    /// A new error that belongs to no file.
    pub fn placeless(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            span: None,
            ..Self::error(code, Span::default(), message)
        }
    }

    /// Says what stands at the place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn other(mut self, span: Span, text: impl Into<String>) -> Self {
        self.others.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds "did you mean" advice when one of the candidates is near to what was written.
    #[must_use]
    pub fn suggest<'a>(self, written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(written, candidates) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }
}

/// The candidate nearest to what was written, if one is near enough to be meant.
pub fn nearest<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let lower = written.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= 1.max(written.len().max(candidate.len()) / 3))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Problems collected while reading; everything is looked at before anything is refused.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The problems, in the order they were found.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Sorts by file, place and code, so that the output does not depend on the order of checks.
    pub fn sort(&mut self) {
        self.diagnostics
            .sort_by(|a, b| (a.span, a.code, &a.message).cmp(&(b.span, b.code, &b.message)));
    }
}
