//! Files watched while somebody types: what is saved is read at once, and told above the prompt.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use rustyline::ExternalPrinter;

use super::session::{Reply, Session};

/// Editors save in several steps: a change is over when nothing happens for so long.
const QUIET: Duration = Duration::from_millis(40);

/// A session that is shared by who types and who watches.
pub(super) type Shared = Arc<Mutex<Session>>;

/// The session, for a moment.
pub(super) fn lock(session: &Shared) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches the files of a session until what it gives is dropped.
///
/// # Errors
/// When the system does not allow it.
pub(super) fn watch(
    session: &Shared,
    printer: impl ExternalPrinter + Send + 'static,
) -> notify::Result<RecommendedWatcher> {
    let (told, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading files is no change of them, and would be told for ever.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = told.send(());
        }
    })?;
    for path in lock(session).watched_paths() {
        watcher.watch(&path, RecursiveMode::Recursive)?;
    }
    let session = Arc::clone(session);
    thread::spawn(move || follow(&session, &changes, printer));
    Ok(watcher)
}

/// Reads the rules again after each change, as long as there is somebody to tell.
fn follow(session: &Shared, changes: &Receiver<()>, mut printer: impl ExternalPrinter) {
    while changes.recv().is_ok() {
        while changes.recv_timeout(QUIET).is_ok() {}
        // The session is free again before anything is printed: the prompt is drawn from it.
        let reply = lock(session).reload_if_changed();
        if let Some(reply) = reply
            && printer.print(in_one(reply)).is_err()
        {
            return;
        }
    }
}

/// What is told and what is wrong as one text.
fn in_one(reply: Reply) -> String {
    let mut text = reply.text;
    if let Some(error) = reply.error {
        text.push_str(error.trim_end());
        text.push('\n');
    }
    text
}
