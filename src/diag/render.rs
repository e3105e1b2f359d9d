//! How diagnostics are printed: as text with excerpts, and as JSON.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

use super::{Diagnostic, FileId, Report, Severity, Sources, Span};

/// How text is decorated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Style {
    /// Whether to use the colours of a terminal.
    pub colour: bool,
    /// Into how many columns a line of an excerpt is cut, around what is marked; `None` where nothing breaks
    /// lines, which cuts only very long ones.
    pub columns: Option<usize>,
}

impl Style {
    /// Characters only, and excerpts as wide as they are.
    pub const PLAIN: Self = Self {
        colour: false,
        columns: None,
    };
}

/// Narrower than this an excerpt says nothing, whatever the terminal.
const LEAST_COLUMNS: usize = 40;

/// All diagnostics of a report, with an empty line between two; "" if there are none.
pub fn render(report: &Report, sources: &Sources, style: Style) -> String {
    report
        .diagnostics
        .iter()
        .map(|diagnostic| render_one(diagnostic, sources, style))
        .collect::<Vec<_>>()
        .join("\n")
}

/// One diagnostic: severity, code, message, place, excerpt with labels, advice; ends in a newline.
pub fn render_one(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(printable(&diagnostic.message))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    if let Some(span) = diagnostic.span {
        for (file, marks) in marks_by_file(diagnostic, span) {
            let source = sources.get(file);
            let mut snippet = Snippet::source(source.text.as_str()).path(source.name.as_str());
            for (kind, span, label) in marks {
                let mark = kind.span(shown(span, &source.text));
                snippet = snippet.annotation(match label {
                    "" => mark,
                    label => mark.label(label),
                });
            }
            group = group.element(snippet);
        }
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    let renderer = match style.colour {
        false => Renderer::plain(),
        true => Renderer::styled(),
    };
    let renderer = match style.columns {
        Some(columns) => renderer.term_width(columns.max(LEAST_COLUMNS)),
        None => renderer,
    };
    let text = renderer.render(&[group]);
    let mut lines: String = text
        .lines()
        .map(|line| line.trim_end())
        .collect::<Vec<_>>()
        .join("\n");
    lines.push('\n');
    lines
}

/// A mark in an excerpt.
type Mark<'a> = (AnnotationKind, Span, &'a str);

/// The marks of a diagnostic by file, the file of the place itself first.
fn marks_by_file(diagnostic: &Diagnostic, span: Span) -> Vec<(FileId, Vec<Mark<'_>>)> {
    let mut files = vec![(
        span.file,
        vec![(AnnotationKind::Primary, span, diagnostic.label.as_str())],
    )];
    for other in &diagnostic.others {
        let mark = (AnnotationKind::Context, other.span, other.text.as_str());
        match files.iter_mut().find(|(file, _)| *file == other.span.file) {
            Some((_, marks)) => marks.push(mark),
            None => files.push((other.span.file, vec![mark])),
        }
    }
    files
}

/// The bytes to underline: within the text, at whole characters, and not past the first line, because
/// a table of many lines would bury the message.
fn shown(span: Span, text: &str) -> Range<usize> {
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    if let Some(newline) = text[start..end].find(['\n', '\r']) {
        end = start + newline;
    }
    start..end
}

/// A text without control characters, which could steer a terminal.
fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && character != '\n' {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// A diagnostic as JSON shows it. Lines and columns count from 1, columns in characters; ends are
/// exclusive.
#[derive(Serialize)]
struct Shown<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    label: &'a str,
    help: &'a [String],
    others: Vec<ShownLabel<'a>>,
}

/// A secondary place as JSON shows it.
#[derive(Serialize)]
struct ShownLabel<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    label: &'a str,
}

/// A place as JSON shows it; all `null` where no file can be blamed.
#[derive(Serialize)]
struct Place<'a> {
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
}

impl<'a> Place<'a> {
    fn new(span: Option<Span>, sources: &'a Sources) -> Self {
        let start = span.map(|span| sources.position(span));
        let end = span.map(|span| {
            sources.position(Span {
                start: span.end,
                ..span
            })
        });
        Self {
            file: span.map(|span| sources.get(span.file).name.as_str()),
            line: start.map(|at| at.line),
            column: start.map(|at| at.column),
            end_line: end.map(|at| at.line),
            end_column: end.map(|at| at.column),
        }
    }
}

/// All diagnostics of a report as a JSON array of objects; ends in a newline.
pub fn to_json(report: &Report, sources: &Sources) -> String {
    let shown: Vec<Shown<'_>> = report
        .diagnostics
        .iter()
        .map(|diagnostic| Shown {
            code: diagnostic.code,
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &diagnostic.message,
            place: Place::new(diagnostic.span, sources),
            label: &diagnostic.label,
            help: &diagnostic.help,
            others: diagnostic
                .others
                .iter()
                .map(|other| ShownLabel {
                    place: Place::new(Some(other.span), sources),
                    label: &other.text,
                })
                .collect(),
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&shown).unwrap_or_else(|_| "[]".to_owned());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, start: usize, end: usize) -> String {
        let mut sources = Sources::new();
        let file = sources.add("rules/toy/game.toml", text);
        let diagnostic = Diagnostic::error("Y0000", Span::new(file, start, end), "it is `wrong`")
            .label("here")
            .help("do right");
        render_one(&diagnostic, &sources, Style::PLAIN)
    }

    #[test]
    fn a_diagnostic_shows_its_place_excerpt_and_advice() {
        let text = one("a = 1\nb = 2\n", 10, 11);
        assert_eq!(
            text,
            "error[Y0000]: it is `wrong`\n \
             --> rules/toy/game.toml:2:5\n  \
             |\n\
             2 | b = 2\n  \
             |     ^ here\n  \
             |\n  \
             = help: do right\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_what_is_marked() {
        let mut sources = Sources::new();
        let text = format!("do = [{} \"wrong\", \"right\"]", "\"right\",".repeat(9));
        let at = text.find("wrong").expect("it is there");
        let file = sources.add("rules/toy/flow.toml", &text);
        let diagnostic = Diagnostic::error("Y0000", Span::new(file, at, at + 5), "wrong");
        let shown = |columns| {
            let style = Style {
                columns,
                ..Style::PLAIN
            };
            render_one(&diagnostic, &sources, style)
        };
        assert!(shown(None).contains(&text));
        for columns in [40, 60, 80] {
            let shown = shown(Some(columns));
            let lines: Vec<&str> = shown.lines().collect();
            assert!(lines.iter().all(|line| line.len() <= columns), "{shown}");
            let mark = lines[4].find("^^^^^").expect("a mark");
            assert_eq!(&lines[3][mark..mark + 5], "wrong", "{shown}");
        }
    }

    #[test]
    fn no_place_in_any_text_is_a_panic() {
        let texts = [
            "",
            "\n",
            "a",
            "a\r\nb\r\n",
            "\tä = \"日本\"\n\t# é",
            "x\u{7}y",
            "é\n",
        ];
        for text in texts {
            for start in 0..text.len() + 3 {
                for end in start.saturating_sub(1)..text.len() + 4 {
                    let shown = one(text, start, end);
                    assert!(shown.contains("it is `wrong`"), "{text:?} {start} {end}");
                }
            }
        }
    }

    #[test]
    fn json_has_a_fixed_set_of_keys() {
        let mut sources = Sources::new();
        let file = sources.add("f.toml", "a = 1\nbé = 2\n");
        let mut report = Report::new();
        report.push(
            Diagnostic::error("Y0001", Span::new(file, 6, 9), "m")
                .label("l")
                .help("h")
                .other(Span::new(file, 0, 1), "o"),
        );
        report.push(Diagnostic::placeless("Y0002", "n"));
        let shown: serde_json::Value =
            serde_json::from_str(&to_json(&report, &sources)).expect("valid JSON");
        assert_eq!(
            shown,
            serde_json::json!([
                {"code": "Y0001", "severity": "error", "message": "m", "file": "f.toml",
                 "line": 2, "column": 1, "end_line": 2, "end_column": 3, "label": "l",
                 "help": ["h"], "others": [{"file": "f.toml", "line": 1, "column": 1,
                 "end_line": 1, "end_column": 2, "label": "o"}]},
                {"code": "Y0002", "severity": "error", "message": "n", "file": null,
                 "line": null, "column": null, "end_line": null, "end_column": null,
                 "label": "", "help": [], "others": []},
            ])
        );
    }
}
