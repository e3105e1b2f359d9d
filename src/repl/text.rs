//! Lines of text with paint, laid out for a terminal.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

/// How text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether to colour.
    pub colour: bool,
    /// Whether characters beyond ASCII can be shown.
    pub unicode: bool,
    /// Columns to fill at most.
    pub width: usize,
    /// Whether messages are wrapped too, as for a terminal. Else each is one line, however long.
    pub wraps: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            colour: false,
            unicode: true,
            width: 80,
            wraps: false,
        }
    }
}

impl Look {
    /// One of two texts: where Unicode can be shown, and where it cannot.
    pub fn either(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }
}

/// The colours that packs may name. They are those of the terminal, which fit its background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Magenta, for pink and violet.
    Magenta,
    /// Cyan, for light blue.
    Cyan,
    /// The terminal's own, for white or black.
    Strong,
    /// Grey.
    Grey,
}

impl Colour {
    /// The words by which a pack names colours.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("red", Self::Red),
        ("green", Self::Green),
        ("yellow", Self::Yellow),
        ("blue", Self::Blue),
        ("magenta", Self::Magenta),
        ("cyan", Self::Cyan),
        ("strong", Self::Strong),
        ("grey", Self::Grey),
    ];
}

/// How a piece of text is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Paint {
    /// As it is.
    #[default]
    Plain,
    /// Headings, and what stands out.
    Bold,
    /// What is of less weight.
    Dim,
    /// A colour of the pack.
    In(Colour),
}

impl Paint {
    /// What a terminal is sent before such text.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold | Self::In(Colour::Strong) => "\u{1b}[1m",
            Self::Dim | Self::In(Colour::Grey) => "\u{1b}[2m",
            Self::In(Colour::Red) => "\u{1b}[31m",
            Self::In(Colour::Green) => "\u{1b}[32m",
            Self::In(Colour::Yellow) => "\u{1b}[33m",
            Self::In(Colour::Blue) => "\u{1b}[34m",
            Self::In(Colour::Magenta) => "\u{1b}[35m",
            Self::In(Colour::Cyan) => "\u{1b}[36m",
        }
    }
}

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// A line, or a part of one: texts with their paint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    spans: Vec<(String, Paint)>,
}

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of one text.
    pub fn of(text: impl Into<String>, paint: Paint) -> Self {
        let mut line = Self::new();
        line.push(text, paint);
        line
    }

    /// A line of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::of(text, Paint::Plain)
    }

    /// Adds a text. Control characters, which could steer a terminal, are left out.
    pub fn push(&mut self, text: impl Into<String>, paint: Paint) {
        let mut text: String = text.into();
        if text.chars().any(char::is_control) {
            text.retain(|character| !character.is_control());
        }
        if !text.is_empty() {
            self.spans.push((text, paint));
        }
    }

    /// Adds another line's texts.
    pub fn append(&mut self, other: Self) {
        self.spans.extend(other.spans);
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Columns that it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|(text, _)| width(text)).sum()
    }

    /// Fills it with spaces up to a width.
    pub fn pad(&mut self, columns: usize) {
        let missing = columns.saturating_sub(self.width());
        self.push(" ".repeat(missing), Paint::Plain);
    }

    /// Its first columns, at most so many.
    pub fn cut(&self, columns: usize) -> Self {
        let mut cut = Self::new();
        let mut left = columns;
        for (text, paint) in &self.spans {
            let mut part = String::new();
            for character in text.chars() {
                let wide = unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
                if wide > left {
                    cut.push(part, *paint);
                    return cut;
                }
                left -= wide;
                part.push(character);
            }
            cut.push(part, *paint);
        }
        cut
    }

    /// Its text without paint.
    pub fn text(&self) -> String {
        self.spans.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// Its texts with their paint, character by character.
    pub fn characters(&self) -> impl Iterator<Item = (char, Paint)> + '_ {
        self.spans
            .iter()
            .flat_map(|(text, paint)| text.chars().map(|character| (character, *paint)))
    }

    /// The line folded at spaces; what follows the first is set in two columns deeper.
    pub fn fold(&self, columns: usize) -> Vec<Self> {
        let cells: Vec<(char, Paint)> = self.characters().collect();
        let letters: Vec<char> = cells.iter().map(|(letter, _)| *letter).collect();
        let folds = folds(&letters, columns);
        if folds.len() == 1 {
            return vec![self.clone()];
        }
        let part = |fold: Fold| {
            let mut part = Self::plain(" ".repeat(fold.set_in));
            for (letter, paint) in &cells[fold.letters] {
                match part.spans.last_mut() {
                    Some((text, last)) if last == paint => text.push(*letter),
                    _ => part.push(letter.to_string(), *paint),
                }
            }
            part
        };
        folds.into_iter().map(part).collect()
    }

    /// The line as a terminal shows it, without spaces at its end.
    pub fn render(&self, look: Look) -> String {
        let mut text = String::new();
        let mut spans: Vec<(&str, Paint)> = self
            .spans
            .iter()
            .map(|(text, paint)| (text.as_str(), *paint))
            .collect();
        while let Some((last, paint)) = spans.pop() {
            let trimmed = last.trim_end_matches(' ');
            if !trimmed.is_empty() {
                spans.push((trimmed, paint));
                break;
            }
        }
        for (part, paint) in spans {
            if look.colour && paint != Paint::Plain {
                text.push_str(paint.code());
                text.push_str(part);
                text.push_str("\u{1b}[0m");
            } else {
                text.push_str(part);
            }
        }
        if look.unicode {
            return text;
        }
        text.chars().map(ascii).collect()
    }
}

/// A part of a line that was folded.
struct Fold {
    /// Spaces before it.
    set_in: usize,
    /// Which of the line's letters are in it.
    letters: Range<usize>,
}

/// Where a line is folded: at spaces, or within a word that is wider than all columns. What follows the
/// first part is set in two columns deeper. A line that fits is one part.
fn folds(letters: &[char], columns: usize) -> Vec<Fold> {
    let wide = |letter: char| unicode_width::UnicodeWidthChar::width(letter).unwrap_or(0);
    let spaces = letters.iter().take_while(|letter| **letter == ' ').count();
    let deep = spaces + 2;
    let mut folds = Vec::new();
    let mut start = 0;
    while start < letters.len() {
        let set_in = if start == 0 { 0 } else { deep.min(columns / 2) };
        let mut end = start;
        let mut filled = set_in;
        let mut space = None;
        while end < letters.len() {
            filled += wide(letters[end]);
            if filled > columns {
                break;
            }
            if letters[end] == ' ' && end >= start + deep {
                space = Some(end);
            }
            end += 1;
        }
        let mut stop = end.max(start + 1);
        if end < letters.len() && letters[end] != ' ' {
            stop = space.unwrap_or(stop);
        }
        folds.push(Fold {
            set_in,
            letters: start..stop,
        });
        start = stop;
        while start < letters.len() && letters[start] == ' ' {
            start += 1;
        }
    }
    if folds.is_empty() {
        folds.push(Fold {
            set_in: 0,
            letters: 0..0,
        });
    }
    folds
}

/// A message as it fits into so many columns. Codes for a terminal take none. Excerpts of files, which have
/// `|` at their left, are left as they are: what is marked in them must stand below it.
pub fn wrap_message(text: &str, columns: usize) -> String {
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        wrapped.push_str(&wrap_line(line, columns));
        wrapped.push_str(end);
    }
    wrapped
}

fn wrap_line(line: &str, columns: usize) -> String {
    // Each letter with the codes before it.
    let mut cells: Vec<(&str, char)> = Vec::new();
    let (mut codes, mut inside) = (0, false);
    for (at, letter) in line.char_indices() {
        match (inside, letter) {
            (false, '\u{1b}') => inside = true,
            (true, _) => inside = !letter.is_ascii_alphabetic(),
            (false, _) => {
                cells.push((&line[codes..at], letter));
                codes = at + letter.len_utf8();
            }
        }
    }
    let rest = &line[codes..];
    let letters: Vec<char> = cells.iter().map(|(_, letter)| *letter).collect();
    let margin = letters
        .iter()
        .position(|letter| !letter.is_ascii_digit() && *letter != ' ');
    if margin.is_some_and(|at| letters[at] == '|') {
        return line.to_owned();
    }
    let folds = folds(&letters, columns);
    if folds.len() == 1 {
        return line.to_owned();
    }
    let mut wrapped = String::new();
    let mut begun = 0;
    for (at, fold) in folds.into_iter().enumerate() {
        if at > 0 {
            wrapped.push('\n');
        }
        wrapped.push_str(&" ".repeat(fold.set_in));
        // Codes among the spaces where the line breaks count still.
        for (codes, _) in &cells[begun..fold.letters.start] {
            wrapped.push_str(codes);
        }
        begun = fold.letters.end;
        for (codes, letter) in &cells[fold.letters] {
            wrapped.push_str(codes);
            wrapped.push(*letter);
        }
    }
    wrapped.push_str(rest);
    wrapped
}

/// What stands for a character where only ASCII can be shown.
fn ascii(character: char) -> &'static str {
    const PRINTABLE: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    match character {
        '\u{1b}' => "\u{1b}",
        '\n' => "\n",
        '×' => "x",
        '→' => ">",
        '·' | '•' => ".",
        '–' | '—' | '─' => "-",
        '…' => "...",
        '“' | '”' => "\"",
        '‘' | '’' => "'",
        'ä' => "a",
        'é' | 'è' => "e",
        'ö' => "o",
        'ü' => "u",
        other => match PRINTABLE.find(other) {
            Some(at) => &PRINTABLE[at..at + 1],
            None => "?",
        },
    }
}

/// Lines as a terminal shows them, each ending in a newline; too long ones are folded.
pub fn render(lines: &[Line], look: Look) -> String {
    let mut text = String::new();
    for line in lines {
        for part in line.fold(look.width) {
            text.push_str(&part.render(look));
            text.push('\n');
        }
    }
    text
}

/// Parts side by side with a gap between them, in as many lines as they need.
pub fn flow(parts: Vec<Line>, gap: usize, columns: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.width() + gap + part.width() <= columns => {
                line.push(" ".repeat(gap), Paint::Plain);
                line.append(part);
            }
            _ => lines.push(part),
        }
    }
    lines
}

/// Entries in columns of equal width, read from the top to the bottom and then to the right.
pub fn columns(entries: &[Line], gap: usize, columns: usize) -> Vec<Line> {
    let widest = entries.iter().map(Line::width).max().unwrap_or(0);
    let across = ((columns + gap) / (widest + gap).max(1)).clamp(1, entries.len().max(1));
    let down = entries.len().div_ceil(across);
    (0..down)
        .map(|row| {
            let mut line = Line::new();
            for (column, entry) in entries.iter().skip(row).step_by(down.max(1)).enumerate() {
                line.pad(column * (widest + gap));
                line.append(entry.clone());
            }
            line
        })
        .collect()
}

/// Blocks of lines side by side, as many as fit, with a gap between them and an empty line below each
/// row of blocks but the last.
pub fn beside(blocks: Vec<Vec<Line>>, gap: usize, columns: usize) -> Vec<Line> {
    let widest = blocks.iter().flatten().map(Line::width).max().unwrap_or(0);
    let across = ((columns + gap) / (widest + gap).max(1)).max(1);
    let mut lines = Vec::new();
    for row in blocks.chunks(across) {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut line = Line::new();
            for (column, block) in row.iter().enumerate() {
                if let Some(part) = block.get(at) {
                    line.pad(column * (widest + gap));
                    line.append(part.clone());
                }
            }
            lines.push(line);
        }
    }
    lines
}

/// Wraps a text at spaces.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else {
            break;
        };
        if line.is_empty() {
            line.push_str(word);
        } else if width(line) + 1 + width(word) <= columns {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Lines set in.
pub(super) fn indented(lines: Vec<Line>) -> Vec<Line> {
    let set_in = |line| {
        let mut whole = Line::plain("    ");
        whole.append(line);
        whole
    };
    lines.into_iter().map(set_in).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|text| Line::plain(*text)).collect()
    }

    #[track_caller]
    fn check(lines: &[Line], expected: &str) {
        assert_eq!(render(lines, Look::default()), expected);
    }

    #[test]
    fn columns_are_as_many_as_fit() {
        let five = entries(&["one", "two", "three", "four", "five"]);
        check(&columns(&five, 2, 80), "one    two    three  four   five\n");
        check(&columns(&five, 2, 19), "one    three  five\ntwo    four\n");
        check(&columns(&five, 2, 3), "one\ntwo\nthree\nfour\nfive\n");
        check(&columns(&[], 2, 80), "");
    }

    #[test]
    fn long_lines_are_folded() {
        let look = Look {
            width: 12,
            ..Look::default()
        };
        let mut line = Line::plain("  one two ");
        line.push("three four", Paint::Bold);
        assert_eq!(render(&[line], look), "  one two\n    three\n    four\n");
        let long = Line::plain("abcdefghijklmnop");
        assert_eq!(render(&[long], look), "abcdefghijkl\n  mnop\n");
    }

    #[test]
    fn messages_are_wrapped_at_words_and_excerpts_are_not() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(wrap_message(text, 12), expected);
        }
        check("", "");
        check("one two three\nfour\n", "one two\n  three\nfour\n");
        check("  one two three", "  one two\n    three");
        check("abcdefghijklmnop q", "abcdefghijkl\n  mnop q");
        let excerpt = "12 | let number = coins;\n   | ^^^^^^^^^^^^^^^^^\n";
        check(excerpt, excerpt);
        // Codes take no columns, and none is lost where the line breaks.
        check(
            "\u{1b}[1mone two \u{1b}[31mthree\u{1b}[0m",
            "\u{1b}[1mone two\n  \u{1b}[31mthree\u{1b}[0m",
        );
        check(
            "\u{1b}[1mone two 345\u{1b}[0m",
            "\u{1b}[1mone two 345\u{1b}[0m",
        );
        check(
            "one two\u{1b}[0m three\u{1b}[1m",
            "one two\n  \u{1b}[0mthree\u{1b}[1m",
        );
    }

    #[test]
    fn blocks_stand_side_by_side() {
        let blocks = vec![entries(&["a", "bb"]), entries(&["c"]), entries(&["d"])];
        check(&beside(blocks, 1, 5), "a  c\nbb\n\nd\n");
    }

    #[test]
    fn paint_is_shown_only_in_colour_and_letters_only_where_they_can_be() {
        let mut line = Line::of("ré×", Paint::In(Colour::Red));
        line.push("  ", Paint::Plain);
        let plain = Look::default();
        assert_eq!(line.render(plain), "ré×");
        let ascii = Look {
            unicode: false,
            ..plain
        };
        assert_eq!(line.render(ascii), "rex");
        let colour = Look {
            colour: true,
            ..plain
        };
        assert_eq!(line.render(colour), "\u{1b}[31mré×\u{1b}[0m");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(
            Line::plain("a\u{1b}[2Jb\u{7}").render(Look::default()),
            "a[2Jb"
        );
    }
}
