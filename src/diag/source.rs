//! Source texts and places in them.

use unicode_width::UnicodeWidthChar;

/// What a tab is shown as.
const TAB: &str = "    ";

/// A file of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u16);

/// A range of bytes in a file; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of a file.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self {
            file,
            start: start as u32,
            end: end as u32,
        }
    }
}

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A line of a text with what is marked in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the line, from 1.
    pub line: usize,
    /// Its characters, tabs as spaces.
    pub text: String,
    /// The column of the mark, from 0.
    pub start: usize,
    /// The columns of the mark, at least 1.
    pub width: usize,
}

impl Excerpt {
    /// What stands where a line was cut.
    const CUT: &str = "...";

    /// As much of the line as fits into so many columns, with the mark in it; what is cut off is dots.
    pub fn cut(self, columns: usize) -> Self {
        let widths = self.text.chars().map(|letter| letter.width().unwrap_or(0));
        let whole: usize = widths.sum();
        let dots = Self::CUT.len();
        if whole <= columns || columns <= 2 * dots {
            return self;
        }
        // Around the mark, of which the beginning matters most; at the ends of the line nothing is wasted.
        let spare = columns.saturating_sub(self.width + 2 * dots);
        let from = self.start.saturating_sub(spare / 2 + dots);
        let from = from.min(whole - columns);
        let (first, last) = (from > 0, from + columns < whole);
        let low = from + if first { dots } else { 0 };
        let high = from + columns - if last { dots } else { 0 };
        let mut text = if first { Self::CUT } else { "" }.to_owned();
        let mut at = 0;
        for letter in self.text.chars() {
            let end = at + letter.width().unwrap_or(0);
            if at >= low && end <= high {
                text.push(letter);
            } else if at < high && end > low {
                // Half of a wide letter.
                text.push(' ');
            }
            at = end;
        }
        if last {
            text.push_str(Self::CUT);
        }
        let start = self.start.max(low) - from;
        let end = (self.start + self.width).min(high);
        Self {
            line: self.line,
            text,
            start,
            width: end.saturating_sub(from + start).max(1),
        }
    }
}

/// One text that was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown to people: a path relative to the project, with forward slashes.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All texts that were read, so that spans can be shown.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// No texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u16::try_from(self.files.len()).expect("fewer than 65536 files"));
        self.files.push(Source {
            name: name.into(),
            text: text.into(),
        });
        id
    }

    /// A text by its id.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[usize::from(file.0)]
    }

    /// All texts in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, source)| (FileId(index as u16), source))
    }

    /// The characters of a span.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file)
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column of a span's start.
    pub fn position(&self, span: Span) -> LineColumn {
        let text = &self.get(span.file).text;
        let mut start = (span.start as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        LineColumn {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// `file:line:column` of a span's start.
    pub fn place(&self, span: Span) -> String {
        let at = self.position(span);
        format!("{}:{}:{}", self.get(span.file).name, at.line, at.column)
    }

    /// What the lines of comment say that stand above the line of a span, or above the heading of the
    /// table whose first line it is: `//` in scripts, `#` in TOML.
    pub fn comment_above(&self, span: Span) -> Vec<&str> {
        let source = self.get(span.file);
        let mark = match source.name.ends_with(".toml") {
            true => "#",
            false => "//",
        };
        let above = self.position(span).line.saturating_sub(1);
        let mut lines: Vec<&str> = source.text.lines().take(above).map(str::trim).collect();
        if mark == "#" && lines.last().is_some_and(|last| last.starts_with('[')) {
            lines.pop();
        }
        let comment = |line: &&&str| line.starts_with(mark);
        let many = lines.iter().rev().take_while(comment).count();
        let own = lines.split_off(lines.len() - many).into_iter();
        let sign: &[char] = &['/', '#'];
        own.map(|line| line.trim_start_matches(sign).trim())
            .collect()
    }

    /// The line in which a span starts, where the part of the span is marked that is in it.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        let text = &self.get(span.file).text;
        let line = self.position(span).line;
        let whole = text.lines().nth(line - 1).unwrap_or("");
        let begin = self.offset(span.file, line, 1);
        let inside = |at: u32| {
            let at = (at as usize).saturating_sub(begin).min(whole.len());
            whole.get(..at).unwrap_or(whole)
        };
        let columns = |text: &str| -> usize {
            let spaced = text.replace('\t', TAB);
            unicode_width::UnicodeWidthStr::width(spaced.as_str())
        };
        let start = columns(inside(span.start));
        let end = columns(inside(span.end).trim_end());
        Excerpt {
            line,
            text: whole.trim_end().replace('\t', TAB),
            start,
            width: end.saturating_sub(start).max(1),
        }
    }

    /// The byte offset of a line and column, both from 1, clamped to the text.
    pub fn offset(&self, file: FileId, line: usize, column: usize) -> usize {
        let text = &self.get(file).text;
        let mut start = 0;
        for _ in 1..line {
            match text[start..].find('\n') {
                Some(at) => start += at + 1,
                None => return text.len(),
            }
        }
        text[start..]
            .char_indices()
            .nth(column.saturating_sub(1))
            .map_or(text.len(), |(at, _)| start + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, marked: &str, expected: (usize, &str, usize, usize)) {
        let mut sources = Sources::new();
        let file = sources.add("f", text);
        let start = text.find(marked).expect("it is there");
        let found = sources.excerpt(Span::new(file, start, start + marked.len()));
        let (line, text, start, width) = expected;
        let expected = Excerpt {
            line,
            text: text.to_owned(),
            start,
            width,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn a_long_excerpt_is_cut_around_its_mark() {
        let line = |marked: &str, columns: usize| {
            let text = r#"do = ["first", "second", "third", "fourth", "fifth"]"#;
            let mut sources = Sources::new();
            let file = sources.add("f", text);
            let at = text.find(marked).expect("it is there");
            let cut = sources
                .excerpt(Span::new(file, at, at + marked.len()))
                .cut(columns);
            assert!(cut.text.len() <= columns.max(1));
            let under = cut.text[cut.start..cut.start + cut.width].to_owned();
            (cut.text, under)
        };
        let whole = r#"do = ["first", "second", "third", "fourth", "fifth"]"#;
        assert_eq!(line("third", 52), (whole.to_owned(), "third".to_owned()));
        assert_eq!(
            line("do", 30),
            (
                r#"do = ["first", "second", "t..."#.to_owned(),
                "do".to_owned()
            )
        );
        assert_eq!(
            line("fifth", 30),
            (
                r#"..."third", "fourth", "fifth"]"#.to_owned(),
                "fifth".to_owned()
            )
        );
        let (text, under) = line("third", 30);
        assert!(text.starts_with("...") && text.ends_with("..."), "{text}");
        assert_eq!((text.len(), under.as_str()), (30, "third"));
        // Of what is wider than all there is the beginning is marked.
        let (text, under) = line(r#"["first", "second", "third", "fourth"#, 20);
        assert_eq!(text.len(), 20);
        assert!(under.starts_with(r#"["first"#), "{text}");
    }

    #[test]
    fn half_of_a_wide_letter_is_a_space() {
        let mut sources = Sources::new();
        let text = "日本日本日本日本x";
        let file = sources.add("f", text);
        let span = Span::new(file, text.len() - 1, text.len());
        let cut = sources.excerpt(span).cut(10);
        assert_eq!((cut.text.as_str(), cut.start), ("...本日本x".trim(), 9));
    }

    #[test]
    fn an_excerpt_is_the_line_with_columns() {
        check("a\nb = 1;\nc", "= 1", (2, "b = 1;", 2, 3));
        // Wide letters take two columns, a tab four.
        check(
            "\tx = \"日本\" + y",
            "y",
            (1, "    x = \"日本\" + y", 17, 1),
        );
        // Of several lines the first is marked.
        check(
            "if a {\r\n  b\r\n}",
            "if a {\r\n  b\r\n}",
            (1, "if a {", 0, 6),
        );
        check("", "", (1, "", 0, 1));
    }
}
