//! Sessions of a small pack, line by line.

mod bots;
mod change;
mod history;
mod journal;
mod lines;
mod looking;

use super::board::tests::{market, market_files};
use super::load::Source;
use super::text::Look;
use super::{Actor, Session};
use crate::flow::Setup;

/// A session that has said nothing yet.
fn quiet() -> Session {
    let source = Source::Files(market_files());
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let actors = vec![Actor::Human; 2];
    Session::start(market(), source, setup, actors, Look::default()).expect("a session")
}

fn session() -> Session {
    let mut session = quiet();
    session.greeting();
    session
}

/// What a line gives: its text, or its error after "error: ".
fn says(session: &mut Session, line: &str) -> String {
    let reply = session.run(line);
    match reply.error {
        Some(error) => format!("error: {error}\n{}", reply.text),
        None => reply.text,
    }
}

/// A line that is told, as one text without its newline.
#[track_caller]
fn check(session: &mut Session, line: &str, expected: &str) {
    assert_eq!(says(session, line).trim_end(), expected, "{line}");
}
