//! The README's tour: what it shows is what the program prints.
//!
//! A block `console` holds command lines after `$ `, a block `session` answers and commands of the REPL after
//! its prompt. What follows them must be printed: a line `...` stands for any lines, `[..]` for anything
//! in a line. The second word of a session's head is what the REPL is started with; what stands after
//! `after`, with `|` between, is typed first, unseen.

mod kit;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use kit::program;
const README: &str = include_str!("../README.md");

/// The blocks of a kind: what stands behind the kind, and the lines.
fn blocks(kind: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    README
        .split("\n```")
        .filter_map(|part| part.strip_prefix(kind))
        .filter_map(|part| part.split_once('\n'))
        .map(|(head, body)| (head.trim(), body.lines().collect()))
        .collect()
}

/// Runs `yukon` in the project with some input; gives what it prints.
fn yukon(arguments: &[&str], input: &str) -> String {
    let mut child = program()
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaints}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Whether a line is as a pattern says, where `[..]` stands for anything.
fn line_fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let ends = (0..=line.len()).filter(|at| line.is_char_boundary(*at));
            ends.into_iter().any(|at| line_fits(rest, &line[at..]))
        }),
    }
}

/// Whether lines are as patterns say, where `...` stands for any lines.
fn fits(patterns: &[&str], lines: &[&str]) -> bool {
    match patterns.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((pattern, rest)) => match lines.split_first() {
            Some((line, others)) => line_fits(pattern, line) && fits(rest, others),
            None => false,
        },
    }
}

fn assert_fits(patterns: &[&str], printed: &str) {
    let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    assert!(
        fits(patterns, &lines),
        "the README shows\n{}\nbut printed is\n{printed}",
        patterns.join("\n")
    );
}

#[test]
fn the_commands_print_what_is_shown() {
    let mut commands = 0;
    for (_, lines) in blocks("console") {
        let mut lines = lines.into_iter().peekable();
        while let Some(line) = lines.next() {
            let command = line.strip_prefix("$ ").expect("a command comes first");
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                shown.push(line);
            }
            let words: Vec<&str> = command.split_whitespace().collect();
            match words.as_slice() {
                ["yukon", arguments @ ..] => {
                    commands += 1;
                    assert_fits(&shown, &yukon(arguments, ""));
                }
                ["cat", file] => {
                    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
                    let text = std::fs::read_to_string(root.join(file)).expect("the file");
                    assert_fits(&shown, &text.replace("\r\n", "\n"));
                }
                _ => panic!("`{command}` is no command of ours"),
            }
        }
    }
    assert!(commands >= 4, "only {commands} commands are shown");
}

/// What is typed after a prompt such as `[3] White> ` or `[3: a_function] White> `.
fn typed(line: &str) -> Option<&str> {
    let (place, rest) = line.strip_prefix('[')?.split_once("] ")?;
    let number = place.split_once(':').map_or(place, |(number, _)| number);
    number.parse::<u32>().ok()?;
    rest.split_once("> ").map(|(_, typed)| typed)
}

#[test]
fn the_sessions_print_what_is_shown() {
    let mut sessions = 0;
    for (head, lines) in blocks("session") {
        sessions += 1;
        let (start, before) = head.split_once(" after ").unwrap_or((head, ""));
        let mut input = before.replace('|', "\n");
        // What was typed unseen has printed something.
        let mut shown = if before.is_empty() {
            Vec::new()
        } else {
            input.push('\n');
            vec!["..."]
        };
        for line in lines {
            match typed(line) {
                Some(typed) => {
                    input.push_str(typed);
                    input.push('\n');
                }
                None => shown.push(line),
            }
        }
        let mut arguments = vec!["repl"];
        arguments.extend(start.split_whitespace());
        assert_fits(&shown, &yukon(&arguments, &input));
    }
    assert!(sessions >= 2, "only {sessions} sessions are shown");
}
