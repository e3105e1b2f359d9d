//! Ctrl-C on a terminal: what it stops, and what is to be seen afterwards.
#![cfg(unix)]

mod kit;

use std::path::Path;
use std::thread;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{ControlCode, Eof, Expect, Session};
use kit::program;

const COLUMNS: usize = 90;

/// `yukon` with some arguments in a terminal of its own.
fn terminal(args: &str) -> OsSession {
    let mut command = program();
    command
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(args.split_whitespace())
        .env("NO_COLOR", "1")
        .env("TERM", "xterm");
    let mut session = Session::spawn(command).expect("yukon runs");
    session.set_expect_timeout(Some(Duration::from_secs(60)));
    let process = session.get_process_mut();
    process.set_window_size(COLUMNS as u16, 40).expect("a size");
    // As terminals do, also for `^C`.
    process.set_echo(true, None).expect("it echoes");
    session
}

fn press_ctrl_c(session: &mut OsSession) {
    session.send(ControlCode::EndOfText).expect("Ctrl-C");
}

/// What a terminal shows after some bytes: lines as long as it is wide, the cursor moved by the few sequences that are used.
fn screen(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut letters = text.chars().peekable();
    let (mut lines, mut row, mut column) = (vec![Vec::new()], 0, 0);
    while let Some(letter) = letters.next() {
        if column == COLUMNS && !letter.is_control() {
            (row, column) = (row + 1, 0);
        }
        while lines.len() <= row {
            lines.push(Vec::new());
        }
        match letter {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                let mut number = String::new();
                letters.next_if_eq(&'[');
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                match letters.next() {
                    Some('A') => row -= number.parse().unwrap_or(1),
                    Some('B') => row += number.parse().unwrap_or(1),
                    Some('K') => lines[row].clear(),
                    other => panic!("{other:?} after {number}"),
                }
            }
            letter => {
                let line: &mut Vec<char> = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = letter;
                column += 1;
            }
        }
    }
    let lines = lines.into_iter();
    lines
        .map(|line| line.into_iter().collect::<String>().trim_end().to_owned())
        .collect()
}

/// The terminal shows `^C` where the bar ends.
#[test]
fn nothing_is_left_of_the_bar_after_ctrl_c() {
    for (args, told) in [
        ("sim airways --games 100000000", "stopped after "),
        (
            "compare airways big-tank --games 100000000",
            "stopped after ",
        ),
    ] {
        let mut session = terminal(args);
        let begun = session.expect(" left").expect("a bar");
        let mut seen = begun.as_bytes().to_vec();
        press_ctrl_c(&mut session);
        let rest = session.expect(Eof).expect("it ends");
        seen.extend(rest.as_bytes());
        let lines = screen(&seen);
        assert!(lines[0].starts_with(told), "{args}: {lines:#?}");
        let bar =
            |line: &String| line.contains(" left") || line.contains('░') || line.contains("^C");
        assert!(!lines.iter().any(bar), "{args}: {lines:#?}");
        let status = session.get_process().wait().expect("it ends");
        assert!(matches!(status, WaitStatus::Exited(_, 130)), "{status:?}");
    }
}

#[test]
fn an_answer_of_a_bot_is_stopped_and_the_session_goes_on() {
    let mut session = terminal("repl airways --seed 3 --journal off");
    session.expect("[1] ").expect("a prompt");
    session
        .send_line("bot mcts:decisions=1000000000")
        .expect("typed");
    // Until it is the bot's turn, Ctrl-C would only drop the line.
    thread::sleep(Duration::from_secs(1));
    press_ctrl_c(&mut session);
    let stopped = "stopped before `mcts:decisions=1000000000` has answered for ";
    session.expect(stopped).expect("it is stopped");
    // Nothing was answered.
    session.expect("[1] ").expect("the same prompt");
    session.send_line("bot").expect("typed");
    session.expect("[2] ").expect("the next prompt");
    session.send_line("quit").expect("typed");
    session.expect(Eof).expect("it ends");
    let status = session.get_process().wait().expect("it ends");
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
}
