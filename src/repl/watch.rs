//! Files watched while somebody types: what is saved is read at once, and told above the prompt.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
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

/// What watches files, as long as somebody holds it.
pub(super) type Watching = Arc<Mutex<RecommendedWatcher>>;

/// Watches the files of a session until what it gives is dropped.
///
/// # Errors
/// When the system does not allow it.
pub(super) fn watch(
    session: &Shared,
    printer: impl ExternalPrinter + Send + 'static,
) -> notify::Result<Watching> {
    let (told, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading files is no change of them, and would be told for ever.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = told.send(());
        }
    })?;
    look_at(&mut watcher, &lock(session).watched_paths())?;
    let watching = Arc::new(Mutex::new(watcher));
    let (session, held) = (Arc::clone(session), Arc::downgrade(&watching));
    thread::spawn(move || follow(&session, &held, &changes, printer));
    Ok(watching)
}

/// Watches folders; of one that is gone the nearest above it that is there, to see it come back.
fn look_at(watcher: &mut RecommendedWatcher, folders: &[PathBuf]) -> notify::Result<()> {
    for folder in folders {
        let there = folder.ancestors().find(|above| above.is_dir());
        match there {
            Some(there) if there == folder => watcher.watch(folder, RecursiveMode::Recursive)?,
            Some(above) => watcher.watch(above, RecursiveMode::NonRecursive)?,
            None => {}
        }
    }
    Ok(())
}

/// Reads the rules again after each change, as long as there is somebody to tell.
fn follow(
    session: &Shared,
    watching: &Weak<Mutex<RecommendedWatcher>>,
    changes: &Receiver<()>,
    mut printer: impl ExternalPrinter,
) {
    while changes.recv().is_ok() {
        while changes.recv_timeout(QUIET).is_ok() {}
        let Some(watcher) = watching.upgrade() else {
            return;
        };
        let paths = lock(session).watched_paths();
        // Folders may have gone, come back, or be others of the same names. One that cannot be watched is looked at before
        // each line still.
        let _ = look_at(
            &mut watcher.lock().unwrap_or_else(PoisonError::into_inner),
            &paths,
        );
        drop(watcher);
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
