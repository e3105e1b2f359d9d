//! What can still be read of a script file in which Rhai finds an error: all functions but those that are
//! wrong, each of which is told.

use rhai::{AST, Engine, ParseError, Position};

/// A function that Rhai cannot read.
pub(super) struct Unread {
    /// Its name.
    pub(super) name: String,
    /// The byte at which its name begins.
    pub(super) start: usize,
    /// Its parameters, as far as they can be told.
    pub(super) parameters: Vec<String>,
}

/// What could be read of a file.
pub(super) struct Recovered {
    /// The functions that are right.
    pub(super) ast: AST,
    /// Those that are not.
    pub(super) unread: Vec<Unread>,
    /// What is wrong, each with its place in the file.
    pub(super) errors: Vec<(String, Position)>,
}

/// Reads each function of a text alone. A function begins where a line begins with `fn`; where that is not
/// how the text is written, the first error is all that is told, and no function is known but by its name.
pub(super) fn recover(engine: &Engine, text: &str, first: &ParseError) -> Recovered {
    let mut whole = Recovered {
        ast: AST::default(),
        unread: Vec::new(),
        errors: vec![(first.err_type().to_string(), first.position())],
    };
    let chunks = chunks(text);
    whole.unread = chunks
        .iter()
        .filter_map(|(start, end)| outline(text, *start, *end))
        .collect();
    // A comment of many lines can hold anything.
    if text.contains("/*") {
        return whole;
    }
    let mut parts = Recovered {
        ast: AST::default(),
        unread: Vec::new(),
        errors: Vec::new(),
    };
    let mut rest = text.as_bytes().to_vec();
    for (start, end) in chunks {
        let chunk = without_last_comment(&text[start..end]);
        let Err(error) = engine.compile(chunk) else {
            continue;
        };
        let line = text[..start].matches('\n').count();
        let position = below(error.position(), line, chunk);
        parts.errors.push((error.err_type().to_string(), position));
        parts.unread.extend(outline(text, start, end));
        for byte in &mut rest[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    match engine.compile(String::from_utf8_lossy(&rest)) {
        Ok(ast) if !parts.errors.is_empty() => Recovered { ast, ..parts },
        _ => whole,
    }
}

/// The functions that begin after a place, none of which can be read.
pub(super) fn unread_after(text: &str, from: usize) -> Vec<Unread> {
    let chunks = chunks(text).into_iter();
    let after = chunks.filter(|(start, _)| *start >= from && from < text.len());
    after
        .filter_map(|(start, end)| outline(text, start, end))
        .collect()
}

/// Where a comment of several lines begins that nobody closes.
pub(super) fn open_comment(text: &str) -> Option<usize> {
    let mut rest = text;
    let at = |rest: &str| text.len() - rest.len();
    loop {
        let next = rest.find(['/', '"', '`', '\''])?;
        rest = &rest[next..];
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n')?..];
        } else if rest.starts_with("/*") {
            let open = at(rest);
            rest = match after_comment(rest) {
                Some(after) => after,
                None => return Some(open),
            };
        } else if rest.starts_with('/') {
            rest = &rest[1..];
        } else {
            rest = after_text(rest)?;
        }
    }
}

/// What follows a comment of several lines, which may hold others.
fn after_comment(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut rest = text;
    loop {
        rest = &rest[rest.find(['/', '*'])?..];
        if rest.starts_with("/*") {
            depth += 1;
            rest = &rest[2..];
        } else if rest.starts_with("*/") {
            depth -= 1;
            rest = &rest[2..];
            if depth == 0 {
                return Some(rest);
            }
        } else {
            rest = &rest[1..];
        }
    }
}

/// What follows a text, whose first character is its quote.
fn after_text(text: &str) -> Option<&str> {
    let quote = text.chars().next()?;
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = quote != '`',
            _ if character == quote => return Some(&text[at + character.len_utf8()..]),
            _ => {}
        }
    }
    None
}

/// A position in a part of a text as one in the text; without one, the end of the part.
fn below(position: Position, lines: usize, part: &str) -> Position {
    let last = part.lines().last().map_or(0, |line| line.chars().count());
    let end = (part.lines().count().max(1), last + 1);
    let (line, column) = match (position.line(), position.position()) {
        (Some(line), Some(column)) => (line, column),
        _ => end,
    };
    let number = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    Position::new(number(line + lines), number(column))
}

/// The parts of a text: what stands before the first function, and each function with what follows it.
fn chunks(text: &str) -> Vec<(usize, usize)> {
    let lines = text.match_indices('\n').map(|(at, _)| at + 1);
    let mut starts = vec![0];
    starts.extend(lines.filter(|at| after_fn(text, *at).is_some()));
    let ends: Vec<usize> = starts.iter().copied().skip(1).chain([text.len()]).collect();
    starts.into_iter().zip(ends).collect()
}

/// A function without the comment after it, which belongs to the next.
fn without_last_comment(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some(line) = text.rfind('\n')
        && text[line..].trim_start().starts_with("//")
    {
        text = text[..line].trim_end();
    }
    text
}

/// Where a line goes on after its `fn`, if it begins with that.
fn after_fn(text: &str, line: usize) -> Option<usize> {
    // What other languages say is what was meant.
    let mut words = ["fn ", "private fn ", "function ", "func ", "def "].into_iter();
    words.find_map(|word| text[line..].starts_with(word).then_some(line + word.len()))
}

/// Name and parameters of the function in a part of a text, if it can be told.
fn outline(text: &str, start: usize, end: usize) -> Option<Unread> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let rest = text[after_fn(text, start)?..end].trim_start();
    let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(length);
    if name.is_empty() {
        return None;
    }
    let inside = rest.trim_start().strip_prefix('(');
    let inside = inside.and_then(|rest| rest.split_once(')'));
    let parameters = inside.map_or("", |(inside, _)| inside).split(',');
    Some(Unread {
        name: name.to_owned(),
        start: end - rest.len() - name.len(),
        parameters: parameters
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty() && name.chars().all(is_word))
            .collect(),
    })
}
