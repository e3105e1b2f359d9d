//! Lines from a terminal, with history and completion, or from a pipe.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::lines;
use super::session::{Reply, Session};
use super::text::{Line, Look, Paint};
use super::watch::{Shared, lock, watch};

/// Lines that the history keeps.
const MOST_LINES: usize = 1000;

/// Completes, hints and paints what is typed, from the running session.
struct Assistant {
    session: Shared,
}

/// The prompt, with the space at its end that belongs to it.
fn prompt(session: &Session, look: Look) -> String {
    format!("{} ", session.prompt().render(look))
}

/// A look without colours.
fn plain(look: Look) -> Look {
    Look {
        colour: false,
        ..look
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = lock(&self.session).complete(&line[..at]);
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

impl Hinter for Assistant {
    type Hint = String;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<String> {
        match at == line.len() && at <= lines::LONGEST {
            true => lock(&self.session).hint(line),
            false => None,
        }
    }
}

impl Highlighter for Assistant {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, shown: &'p str, _: bool) -> Cow<'b, str> {
        let session = lock(&self.session);
        // A reload may have led elsewhere. The columns are those of the prompt that was given.
        match prompt(&session, plain(session.look)).len() == shown.len() {
            true => Cow::Owned(prompt(&session, session.look)),
            false => Cow::Borrowed(shown),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let look = lock(&self.session).look;
        Cow::Owned(Line::of(hint, Paint::Dim).render(look))
    }
}

impl Validator for Assistant {}
impl Helper for Assistant {}

/// How a terminal is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Where the lines typed are kept, if they are and it can be written.
    pub history: Option<PathBuf>,
    /// Whether texts are as wide as the terminal, whatever it becomes.
    pub follow_width: bool,
    /// Whether files that are saved are read at once.
    pub watch: bool,
}

/// Plays a session until it is left. Gives whether a command failed.
///
/// # Errors
/// When lines cannot be read or written.
pub fn run(session: Session, settings: &Settings) -> io::Result<bool> {
    if is_interactive() {
        interactive(session, settings).map(|()| false)
    } else {
        piped(session)
    }
}

/// Whether somebody types and reads, instead of pipes.
pub fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
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

/// Reads what was saved since, and tells what came of it: the next line is for the new rules.
fn show_reload(session: &mut Session) -> io::Result<bool> {
    match session.reload_if_changed() {
        Some(reply) => show(&reply).map(|()| reply.error.is_some()),
        None => Ok(false),
    }
}

/// Shows what came of something that may have been stopped: below the `^C` that the terminal has shown for it.
fn show_stopped(reply: &Reply, stopped: bool) -> io::Result<()> {
    if stopped {
        io::stdout().lock().write_all(b"\n")?;
    }
    show(reply)
}

fn interactive(mut session: Session, settings: &Settings) -> io::Result<()> {
    let greeting = session.greeting();
    show_stopped(&greeting, session.is_stopped())?;
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_prompt_limit(200)
        .auto_add_history(true)
        .max_history_size(MOST_LINES)
        .map_err(other)?
        .history_ignore_dups(true)
        .map_err(other)?
        .build();
    let mut editor: Editor<Assistant, DefaultHistory> =
        Editor::with_config(config).map_err(other)?;
    if let Some(file) = &settings.history {
        // There is none at the first start.
        let _ = editor.load_history(file);
    }
    let session = Arc::new(Mutex::new(session));
    editor.set_helper(Some(Assistant {
        session: Arc::clone(&session),
    }));
    let _watcher = match settings.watch {
        true => {
            let printer = editor.create_external_printer().map_err(other)?;
            Some(watch(&session, printer).map_err(io::Error::other)?)
        }
        false => None,
    };
    loop {
        let shown = {
            let mut session = lock(&session);
            // What was saved while something else was done.
            show_reload(&mut session)?;
            prompt(&session, plain(session.look))
        };
        match editor.readline(&shown) {
            Ok(line) => {
                if let Some((columns, _)) = editor.dimensions()
                    && columns >= 20
                    && settings.follow_width
                {
                    lock(&session).look.width = columns as usize;
                }
                if let Some(file) = &settings.history {
                    keep(&mut editor, file);
                }
                // What is pasted may have several lines.
                let mut left = false;
                // An empty line is one too.
                for line in line.lines().chain(line.is_empty().then_some("")) {
                    let (reply, stopped) = {
                        let mut session = lock(&session);
                        show_reload(&mut session)?;
                        (session.run_stoppable(line), session.is_stopped())
                    };
                    show_stopped(&reply, stopped)?;
                    left = reply.quit;
                    // What was pasted after it was for what it would have come to.
                    if left || stopped {
                        break;
                    }
                }
                if left {
                    break;
                }
            }
            // Ctrl-C drops the line, never the game.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(other(error)),
        }
    }
    lock(&session).leave();
    Ok(())
}

/// Keeps the lines typed. If they cannot be kept, so be it: the game goes on.
fn keep(editor: &mut Editor<Assistant, DefaultHistory>, file: &Path) {
    if let Some(folder) = file.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = editor.append_history(file);
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
    let mut input = io::stdin().lock();
    let (mut number, mut helped) = (0, false);
    while let Some(line) = lines::next(&mut input)? {
        number += 1;
        failed |= show_reload(&mut session)?;
        let mut reply = match line {
            Ok(line) => session.run(&line),
            Err(error) => Reply::failed(error),
        };
        if let Some(error) = &mut reply.error {
            *error = format!("line {number}: {}", error.trim_end());
            // Once: who reads the errors of a file of lines may never have seen a greeting.
            if !helped {
                error.push_str("\n`help` explains the commands, `options` the answers");
            }
            (failed, helped) = (true, true);
        }
        show(&reply)?;
        if reply.quit {
            break;
        }
    }
    session.leave();
    Ok(failed)
}
