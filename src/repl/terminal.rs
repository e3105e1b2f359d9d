//! Lines from a terminal, with history and completion, or from a pipe.

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Write};
use std::rc::Rc;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::session::{Reply, Session};

/// Completes what is typed from the running session.
struct Completion {
    session: Rc<RefCell<Session>>,
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = self.session.borrow().complete(&line[..at]);
        let pairs = words
            .into_iter()
            .map(|word| Pair {
                display: word.clone(),
                replacement: word,
            })
            .collect();
        Ok((start, pairs))
    }
}

impl Hinter for Completion {
    type Hint = String;
}
impl Highlighter for Completion {}
impl Validator for Completion {}
impl Helper for Completion {}

/// Plays a session until it is left. Gives whether a command failed.
///
/// # Errors
/// When lines cannot be read or written.
pub fn run(session: Session) -> io::Result<bool> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        interactive(session).map(|()| false)
    } else {
        piped(session)
    }
}

fn show(reply: &Reply) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(reply.text.as_bytes())?;
    out.flush()?;
    if let Some(error) = &reply.error {
        let mut complaint = io::stderr().lock();
        complaint.write_all(error.trim_end().as_bytes())?;
        complaint.write_all(b"\n")?;
    }
    Ok(())
}

fn interactive(mut session: Session) -> io::Result<()> {
    show(&session.greeting())?;
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(true)
        .build();
    let mut editor: Editor<Completion, DefaultHistory> =
        Editor::with_config(config).map_err(other)?;
    let session = Rc::new(RefCell::new(session));
    editor.set_helper(Some(Completion {
        session: Rc::clone(&session),
    }));
    loop {
        let prompt = session.borrow().prompt();
        match editor.readline(&prompt) {
            Ok(line) => {
                if let Some((columns, _)) = editor.dimensions()
                    && columns > 20
                {
                    session.borrow_mut().look.width = columns as usize;
                }
                let reply = session.borrow_mut().run(&line);
                show(&reply)?;
                if reply.quit {
                    return Ok(());
                }
            }
            // Ctrl-C drops the line, never the game.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(other(error)),
        }
    }
}

fn other(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// The same from a pipe: no prompts, and whether a command failed.
fn piped(mut session: Session) -> io::Result<bool> {
    let reply = session.greeting();
    let mut failed = reply.error.is_some();
    show(&reply)?;
    for line in io::stdin().lock().lines() {
        let reply = session.run(&line?);
        failed |= reply.error.is_some();
        show(&reply)?;
        if reply.quit {
            break;
        }
    }
    Ok(failed)
}
