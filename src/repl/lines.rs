//! Lines as they are typed or come from a pipe: of any length and of any bytes, so that what cannot be a
//! command or an answer is said in a line, and the lines after it count.

use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 16 * 1024;

/// What a file may begin with that says nothing but that it is UTF-8.
const MARK: char = '\u{feff}';

/// Says what is wrong with a line, if something is.
///
/// # Errors
/// When it is longer than [`LONGEST`], or has a control character that is no space.
pub(super) fn check(line: &str) -> Result<(), String> {
    if line.len() > LONGEST {
        return Err(too_long());
    }
    let strange = |c: &char| c.is_control() && !c.is_whitespace();
    let inner = line.trim();
    let found = inner
        .chars()
        .position(|c| strange(&c) || matches!(c, '\r' | '\n'));
    match found.and_then(|at| Some((at, inner.chars().nth(at)?))) {
        Some((at, c)) => Err(format!(
            "the line has the control character U+{:04X} as its character {}: leave it out",
            u32::from(c),
            at + 1
        )),
        None => Ok(()),
    }
}

/// The next line without its end, or in words why it cannot be read; `None` where there are no more.
/// Of a line that is too long no more is kept than the limit.
///
/// # Errors
/// When nothing can be read at all.
pub(super) fn next(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let most = LONGEST as u64 + 2;
    if input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let ended = bytes.last() == Some(&b'\n');
    if !ended && bytes.len() as u64 == most {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(too_long())));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Some(Err("the line is not UTF-8".to_owned())));
    };
    let line = text.trim_end_matches(['\n', '\r']);
    Ok(Some(Ok(line.trim_start_matches(MARK).to_owned())))
}

/// Characters of what was typed that a complaint repeats.
const REPEATED: usize = 60;

/// A complaint in which long parts of the line that it is about are cut short.
pub(super) fn shortened(complaint: String, line: &str) -> String {
    let is_long = |part: &&str| part.chars().count() > REPEATED;
    let rest = |(at, _): (usize, char)| line[at..].trim();
    // All that a command may have taken as one: the line, what follows one of its first words, and each word.
    let spaces = line.char_indices().filter(|(_, c)| c.is_whitespace());
    let parts = [line.trim()]
        .into_iter()
        .chain(spaces.take(4).map(rest))
        .chain(line.split_whitespace())
        .filter(is_long);
    let mut text = complaint;
    for part in parts {
        let head: String = part.chars().take(REPEATED).collect();
        for part in [part.to_owned(), part.to_lowercase()] {
            text = text.replace(&format!("`{part}"), &format!("`{head}..."));
        }
    }
    text
}

fn too_long() -> String {
    format!("the line is too long: {LONGEST} bytes are the most")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_line_is_said_and_the_next_line_counts() {
        let long = "x".repeat(3 * LONGEST);
        let just = "y".repeat(LONGEST);
        let mut input = b"\xef\xbb\xbfone\r\n\n\xff\xfe\n".to_vec();
        input.extend(format!("{long}\n{just}\nlast").bytes());
        let mut input = input.as_slice();
        let mut read = || next(&mut input).expect("it reads from memory");
        assert_eq!(read(), Some(Ok("one".to_owned())));
        assert_eq!(read(), Some(Ok(String::new())));
        assert_eq!(read(), Some(Err("the line is not UTF-8".to_owned())));
        assert_eq!(read(), Some(Err(too_long())));
        assert_eq!(read(), Some(Ok(just)));
        assert_eq!(read(), Some(Ok("last".to_owned())));
        assert_eq!(read(), None);
        assert_eq!(check(&long), Err(too_long()));
    }

    #[test]
    fn a_complaint_repeats_the_beginning_of_a_long_line_only() {
        let long = "x".repeat(1000);
        let head = format!("`{}...`", "x".repeat(REPEATED));
        for line in [
            long.clone(),
            format!("set {long} 3"),
            format!("goto {long}"),
        ] {
            let complaint = format!("there is no `{long}`; did you mean `y`?");
            let expected = format!("there is no {head}; did you mean `y`?");
            assert_eq!(shortened(complaint, &line), expected);
        }
        let just = "y".repeat(REPEATED);
        assert_eq!(shortened(format!("`{just}`"), &just), format!("`{just}`"));
    }

    #[test]
    fn control_characters_are_named_not_echoed() {
        assert_eq!(check("lake_1\t2 é \u{3000}"), Ok(()));
        assert_eq!(check("undo\r"), Ok(()));
        for (line, expected) in [
            ("é\u{1b}[31m", "U+001B as its character 2"),
            ("1\rundo", "U+000D as its character 2"),
            ("a\0", "U+0000 as its character 2"),
        ] {
            let error = check(line).expect_err("it has one");
            assert!(error.contains(expected), "{error}");
        }
    }
}
