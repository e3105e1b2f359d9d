//! Other rules for the game at hand: variants and parameters. The game is played again by them, answer by
//! answer; where one is no longer accepted, the game stays as it is until somebody says otherwise.

use std::sync::Arc;

use crate::pack::Selection;
use crate::pack::variant::heads;
use crate::repl::again::{Begin, Fresh, Wanted};
use crate::repl::command::{Args, Candidates, Info, whole};
use crate::repl::session::{Reply, Session};

pub(super) const COMMANDS: &[Info] = &[VARIANT, super::reload::RELOAD];

const VARIANT: Info = Info {
    name: "variant",
    arguments: "[add V.. | drop V.. | accept]",
    about: "list the variants, or play the game again with others",
    examples: &[
        ("variant", "those that are played with, and the others"),
        ("variant add V", "play with V; all answers are given again"),
        ("variant drop V", "play without it"),
        (
            "variant accept",
            "go on where other rules stopped the game; the answers after it wait for the next change",
        ),
    ],
    run: variant,
    complete: complete_variant,
};

/// What a parameter is set to for the value that the pack gives it.
pub(super) const DEFAULT: &str = "default";

fn variant(session: &mut Session, args: &Args<'_>) -> Reply {
    match args.words[..] {
        [] => session.variants(),
        ["accept"] => session.accept("`variant add V` tries other rules"),
        ["add", ref wanted @ ..] if !wanted.is_empty() => session.add_variants(wanted),
        ["drop", ref unwanted @ ..] if !unwanted.is_empty() => session.drop_variants(unwanted),
        _ => Reply::failed("`variant`, `variant add V`, `variant drop V` or `variant accept`"),
    }
}

fn complete_variant(session: &Session, text: &str) -> Candidates {
    let played = || session.selection().variants;
    let Some((what, _)) = text.split_once(char::is_whitespace) else {
        let words = ["accept", "add", "drop"].map(str::to_owned);
        return Candidates::first(text, words.into());
    };
    let words = match what {
        "drop" => played(),
        "add" => {
            let files = session.source.files();
            let variants = files.map_or_else(|_| Vec::new(), |files| files.variants);
            let ids = variants.into_iter().map(|variant| variant.id);
            ids.filter(|id| !played().contains(id)).collect()
        }
        _ => Vec::new(),
    };
    Candidates::words(text, words)
}

impl Session {
    /// What is chosen of the pack in this game.
    pub(in crate::repl) fn selection(&self) -> Selection {
        self.game.rules.selection()
    }

    /// Plays the game again with something else chosen of the pack.
    fn play_by(&mut self, selection: &Selection, what: String) -> Reply {
        self.play_with(
            selection,
            Wanted {
                what,
                accept: "variant accept",
                is_act: true,
            },
        )
    }

    /// Plays the game again with what was chosen of the pack before, by its files as they are now.
    pub(in crate::repl) fn go_back_to(&mut self, selection: &Selection) -> Reply {
        let what = format!(
            "back to {}, with the files as they are now",
            told(selection)
        );
        self.play_with(
            selection,
            Wanted {
                what,
                accept: "variant accept",
                is_act: false,
            },
        )
    }

    fn play_with(&mut self, selection: &Selection, wanted: Wanted) -> Reply {
        match self.source.read(selection, self.style()) {
            Ok((rules, view)) => self.play_again(
                Fresh {
                    begin: Begin::Rules(Arc::new(rules)),
                    view,
                },
                wanted,
            ),
            Err(why) => {
                self.proposal = None;
                Reply::failed(why)
            }
        }
    }

    fn variants(&self) -> Reply {
        let files = match self.source.files() {
            Ok(files) => files,
            Err(why) => return Reply::failed(why.message),
        };
        let selection = self.selection();
        let mut text = format!("played with {}\n", told(&selection));
        let heads = heads(&files);
        let widest = heads.iter().map(|head| head.id.len()).max().unwrap_or(0);
        for head in heads {
            let mark = match selection.variants.contains(&head.id) {
                true => '*',
                false => ' ',
            };
            text.push_str(&format!(
                "{mark} {:widest$}  {}: {}\n",
                head.id, head.title, head.reason
            ));
        }
        Reply::ok(text)
    }

    fn add_variants(&mut self, wanted: &[&str]) -> Reply {
        let mut selection = self.selection();
        for id in wanted {
            if selection.variants.iter().any(|known| known == id) {
                return Reply::failed(format!("`{id}` is played with already"));
            }
            selection.variants.push((*id).to_owned());
        }
        self.play_by(&selection, format!("with {}", list(wanted)))
    }

    fn drop_variants(&mut self, unwanted: &[&str]) -> Reply {
        let mut selection = self.selection();
        for id in unwanted {
            let Some(at) = selection.variants.iter().position(|known| known == id) else {
                return Reply::failed(format!(
                    "`{id}` is not played with: the game is played with {}",
                    told(&self.selection())
                ));
            };
            selection.variants.remove(at);
        }
        self.play_by(&selection, format!("without {}", list(unwanted)))
    }

    /// Gives a parameter another value for the whole game.
    pub(super) fn set_parameter(&mut self, name: &str, value: &str) -> Reply {
        let mut selection = self.selection();
        selection.parameters.retain(|(known, _)| known != name);
        if value != DEFAULT {
            let number = match whole(value, "whole number") {
                Ok(number) => number,
                Err(why) => {
                    return Reply::failed(format!(
                        "{why}: a value of parameter `{name}` is wanted, and `{DEFAULT}` is that of the pack"
                    ));
                }
            };
            selection.parameters.push((name.to_owned(), number));
        }
        self.play_by(&selection, format!("with {name} = {value}"))
    }
}

/// What is chosen of a pack, in words.
pub(super) fn told(selection: &Selection) -> String {
    let set = selection.parameters.iter();
    let set = set.map(|(name, value)| format!("{name} = {value}"));
    let all: Vec<String> = selection.variants.iter().cloned().chain(set).collect();
    match all.is_empty() {
        true => "the base game's rules".to_owned(),
        false => all.join(", "),
    }
}

fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
