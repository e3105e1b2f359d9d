//! The files of the pack, and of the opened scenario, read again under the running game.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Diagnostic, FileId, Report, Sources, Style, render, render_one};
use crate::flow::record::fingerprint;
use crate::pack::{PackFiles, Selection};
use crate::repl::again::{Begin, Fresh, Wanted};
use crate::repl::board::View;
use crate::repl::command::{Args, Candidates, Info};
use crate::repl::load::load_without;
use crate::repl::session::{Reply, Session};
use crate::repl::story::{Opened, Opening};
use crate::scenario::NoRules;
use crate::script::Rules;

pub(super) const RELOAD: Info = Info {
    name: "reload",
    arguments: "[accept]",
    about: "read the files of the pack again, and give all answers again by them",
    examples: &[
        (
            "reload",
            "says what comes out differently, or what is wrong; then the game stays as it is",
        ),
        (
            "reload accept",
            "go on where an answer is not accepted any more; those after it wait for the next change",
        ),
    ],
    run: reload,
    complete: |_, text| Candidates::first(text, vec!["accept".to_owned()]),
};

fn reload(session: &mut Session, args: &Args<'_>) -> Reply {
    match args.words[..] {
        [] => session.reload(),
        ["accept"] => session.accept("`reload` reads the rules again"),
        _ => Reply::failed("`reload` or `reload accept`"),
    }
}

impl Session {
    /// Reads the rules again and plays the session again by them.
    pub(in crate::repl) fn reload(&mut self) -> Reply {
        if !self.source.can_change() {
            return Reply::failed(
                "the pack is part of the program: there are no files to read again",
            );
        }
        let read = match self.source.files() {
            Ok(files) => self.read_again(&files),
            Err(why) => Err(render_one(&why, &Sources::new(), self.style())),
        };
        let (fresh, warnings) = match read {
            Ok(read) => read,
            Err(why) => {
                self.proposal = None;
                return Reply::failed(format!(
                    "{}\nthe game goes on by the rules as they were",
                    why.trim_end()
                ));
            }
        };
        let wanted = Wanted {
            what: "with the files as they are now".to_owned(),
            accept: "reload accept",
            is_act: false,
        };
        let mut reply = self.play_again(fresh, wanted);
        reply.text.insert_str(0, &warnings);
        reply
    }

    /// The rules of files as the session has chosen them, with the warnings about them.
    ///
    /// # Errors
    /// All that is wrong, as `yukon check` shows it.
    fn read_again(&self, files: &PackFiles) -> Result<(Fresh, String), String> {
        if let Some(opened) = &self.story.opened {
            return self.reopen(opened, files);
        }
        let loaded = load_without(files, &self.selection(), &self.gone(files));
        match loaded.rules {
            Some(rules) => Ok((
                Fresh {
                    begin: Begin::Rules(Arc::new(rules)),
                    view: loaded.view,
                },
                warnings(&loaded.report, &files.id),
            )),
            None => Err(render(&loaded.report, &loaded.sources, self.style())),
        }
    }

    /// The names of files from which the rules of the game were read, and which are no longer there; those of variants are
    /// missed by the names of these.
    fn gone(&self, files: &PackFiles) -> Vec<String> {
        let pack = &self.game.rules.pack;
        let of_variant = |file: FileId| {
            let mut variants = pack.variants.iter();
            variants.any(|variant| variant.file == file || variant.script == Some(file))
        };
        let is_there = |name: &str| {
            let mut known = files.rules.iter().chain(&files.scripts);
            known.any(|(known, _)| known == name)
        };
        let sources = pack.sources.iter();
        sources
            .filter(|(file, source)| !of_variant(*file) && !is_there(&source.name))
            .map(|(_, source)| source.name.clone())
            .collect()
    }

    /// The same for an opened scenario, whose file is read again too.
    fn reopen(&self, opened: &Opened, files: &PackFiles) -> Result<(Fresh, String), String> {
        let bytes = fs::read(&opened.path)
            .map_err(|error| format!("cannot read `{}`: {error}", opened.path.display()))?;
        let (mut wrong, mut warned) = (String::new(), String::new());
        let mut view = View::default();
        let gone = self.gone(files);
        let mut rules = |pack: &str, variants: &[String]| {
            let none = |message: String| NoRules {
                variant: None,
                message,
            };
            if pack != files.id {
                return Err(none(format!("the session plays `{}`", files.id)));
            }
            let selection = Selection {
                variants: variants.to_vec(),
                parameters: Vec::new(),
            };
            let loaded = load_without(files, &selection, &gone);
            view = loaded.view;
            match loaded.rules {
                Some(rules) => {
                    warned = warnings(&loaded.report, pack);
                    Ok(Arc::new(rules))
                }
                None => {
                    wrong = render(&loaded.report, &loaded.sources, self.style());
                    Err(none(format!("pack `{pack}` has errors")))
                }
            }
        };
        let opening = Opening::read(opened.path.clone(), &opened.name(), &bytes, &mut rules);
        match opening {
            Ok(opening) => Ok((
                Fresh {
                    begin: Begin::Scenario(Box::new(opening)),
                    view,
                },
                warned,
            )),
            // What is wrong with the pack is all there is to say.
            Err(_) if !wrong.is_empty() => Err(wrong),
            Err((report, sources)) => Err(render(&report, &sources, self.style())),
        }
    }
}

impl Session {
    /// Whether the files say something else than some rules that were read from them.
    pub(in crate::repl) fn is_outdated(&self, rules: &Rules) -> bool {
        self.source.can_change()
            && self
                .source
                .read(&rules.selection(), Style::PLAIN)
                .map_or(true, |(now, _)| fingerprint(&now) != fingerprint(rules))
    }

    /// What is to know of a game that is kept in a file, where its rules are no longer those of the pack's files.
    pub(in crate::repl) fn outdated_note(&self) -> &'static str {
        match self.is_outdated(&self.game.rules) {
            true => {
                "the files of the pack have changed since this game's rules were read: by them it may come out \
                 differently, as `reload` would tell\n"
            }
            false => "",
        }
    }
}

/// How many warnings there are, if there are any: they need not be read after each change.
fn warnings(report: &Report, pack: &str) -> String {
    match report.diagnostics.len() {
        0 => String::new(),
        1 => format!("1 warning: `yukon check {pack}` shows it\n"),
        some => format!("{some} warnings: `yukon check {pack}` shows them\n"),
    }
}

/// The files that a session was read from, to see whether they have changed.
#[derive(Debug)]
pub(in crate::repl) struct Known {
    /// As they are, or why they cannot be read.
    files: Result<PackFiles, Box<Diagnostic>>,
    scenario: Option<Vec<u8>>,
}

impl Session {
    fn known(&self) -> Known {
        let opened = self.story.opened.as_ref();
        Known {
            files: self.source.files(),
            scenario: opened.and_then(|opened| fs::read(&opened.path).ok()),
        }
    }

    /// From now on [`Session::reload_if_changed`] looks at the files.
    ///
    /// # Errors
    /// When there are no files.
    pub fn watch(&mut self) -> Result<(), String> {
        if !self.source.can_change() {
            return Err(
                "there is nothing to watch: the pack is part of the program, not a folder here"
                    .to_owned(),
            );
        }
        self.watched = Some(self.known());
        Ok(())
    }

    /// The paths of what is watched: folders, and the file of the opened scenario.
    pub fn watched_paths(&self) -> Vec<std::path::PathBuf> {
        let scenario = self.story.opened.as_ref().map(|opened| &opened.path);
        let folder = scenario
            .and_then(|path| path.parent())
            .map(Path::to_path_buf);
        self.source.folders().into_iter().chain(folder).collect()
    }

    /// Reads the rules again if they are watched and have changed.
    pub fn reload_if_changed(&mut self) -> Option<Reply> {
        // What is stepped through is so by the rules as they are.
        let watched = self.watched.as_ref().filter(|_| self.stepping.is_none())?;
        let now = self.known();
        let changed = now.files != watched.files
            || self.story.opened.is_some() && now.scenario != watched.scenario;
        self.watched = Some(now);
        changed.then(|| self.act(Session::reload))
    }
}
