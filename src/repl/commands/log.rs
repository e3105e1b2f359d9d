//! What happened, told again.

use crate::diag::nearest;
use crate::flow::listing;
use crate::flow::{Item, Step};
use crate::repl::command::{Args, Candidates, Info, above_0};
use crate::repl::narrate::{Narrator, Told};
use crate::repl::session::{Reply, Session};
use crate::repl::telling::Manner;
use crate::repl::text::render;
use crate::table::ids::PlayerId;
use crate::table::view::Viewer;

/// Answers that `log` tells without a number.
const LOGGED: usize = 10;

/// What is told where nothing happened.
pub(super) const NOTHING: &str = "nothing\n";

pub(super) const LOG: Info = Info {
    name: "log",
    arguments: "[N] [for PLAYER] [of ITEM]",
    about: "tell the last answers and what came of them",
    examples: &[
        ("log", "the last ten answers"),
        ("log 50", "the last fifty"),
        ("log for player_2", "only the answers of a player"),
        (
            "log of hand",
            "only what happened to an item, a family of them, or a thing's items",
        ),
        (
            "log 5 for player_1 of setup",
            "all at once; `setup` may be a phase",
        ),
        ("log --all", "nothing is hidden"),
    ],
    run: log,
    complete: complete_log,
};

/// What `log` is to tell.
#[derive(Default)]
struct Filter {
    number: Option<usize>,
    player: Option<PlayerId>,
    of: Option<Of>,
}

/// What `log of` is about.
enum Of {
    Phase(usize),
    Decision(usize),
    Items(Vec<Item>),
}

fn log(session: &mut Session, args: &Args<'_>) -> Reply {
    let filter = match session.filter(&args.words) {
        Ok(filter) => filter,
        Err(error) => return Reply::failed(error),
    };
    let viewer = match args.all {
        true => Viewer::All,
        false => session.viewer(),
    };
    Reply::ok(session.log(&filter, viewer))
}

fn complete_log(session: &Session, text: &str) -> Candidates {
    let typed: Vec<&str> = text.split_whitespace().collect();
    let after = match text.ends_with(char::is_whitespace) {
        true => typed.last().copied(),
        false => typed.iter().rev().nth(1).copied(),
    };
    let pack = &session.game.rules.pack;
    let words = match after {
        Some("for") => session.player_keys(),
        Some("of") => {
            let phases = pack.blocks.iter().map(|block| block.name.id.clone());
            let decisions = pack.decisions.iter().map(|it| it.name.id.clone());
            let items = listing::names(&pack.layout, &session.game.state.table);
            phases.chain(decisions).chain(items).collect()
        }
        _ => vec!["for".to_owned(), "of".to_owned()],
    };
    Candidates::words(text, words)
}

impl Session {
    fn filter(&self, words: &[&str]) -> Result<Filter, String> {
        let mut filter = Filter::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "for" | "of" => {
                    let mut about: Vec<&str> = Vec::new();
                    while let Some(next) = words.next_if(|next| !matches!(*next, "for" | "of")) {
                        about.push(next);
                    }
                    if about.is_empty() {
                        return Err(format!(
                            "after `{word}` something is missing: `log for player_1`, `log of hand`"
                        ));
                    }
                    match word {
                        "for" => filter.player = Some(self.player_named(&about.join(" "))?),
                        _ => filter.of = Some(self.of_named(&about)?),
                    }
                }
                number => filter.number = Some(above_0(number)?),
            }
        }
        Ok(filter)
    }

    /// A phase, a decision, or items.
    fn of_named(&self, words: &[&str]) -> Result<Of, String> {
        let pack = &self.game.rules.pack;
        let wanted = words.join(" ").to_lowercase();
        let is = |name: &crate::table::layout::Name| {
            name.id == wanted || name.title.to_lowercase() == wanted
        };
        if let Some(phase) = pack.blocks.iter().position(|block| is(&block.name)) {
            return Ok(Of::Phase(phase));
        }
        if let Some(decision) = pack.decisions.iter().position(|known| is(&known.name)) {
            return Ok(Of::Decision(decision));
        }
        let layout = &pack.layout;
        let table = &self.game.state.table;
        let words = self.words_meant(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        listing::named(layout, table, &self.sight(table, false), &words)
            .map(Of::Items)
            .map_err(|error| {
                let blocks = pack.blocks.iter().map(|block| block.name.id.as_str());
                let decisions = pack.decisions.iter().map(|known| known.name.id.as_str());
                match nearest(&wanted, blocks.chain(decisions)) {
                    Some(near) => format!("there is no `{wanted}`; did you mean `{near}`?"),
                    None => error,
                }
            })
    }

    /// The last answers that changed an item, at most so many, with what they did to it.
    pub(super) fn changes_of(&self, item: Item, most: usize) -> String {
        let filter = Filter {
            number: Some(most),
            of: Some(Of::Items(vec![item])),
            ..Filter::default()
        };
        self.log(&filter, self.viewer())
    }

    fn log(&self, filter: &Filter, viewer: Viewer) -> String {
        let history = &self.game.history;
        let wanted = |step: &Step| {
            filter
                .player
                .is_none_or(|player| step.decision.player == player)
                && match &filter.of {
                    None => true,
                    Some(Of::Phase(phase)) => step
                        .position
                        .phase
                        .is_some_and(|block| block.index() == *phase),
                    Some(Of::Decision(decision)) => step.decision.id.index() == *decision,
                    Some(Of::Items(items)) => {
                        step.events.iter().any(|event| self.touches(event, items))
                    }
                }
        };
        let steps: Vec<usize> = (0..history.len())
            .filter(|at| wanted(&history[*at]))
            .collect();
        let first = steps.len().saturating_sub(filter.number.unwrap_or(LOGGED));
        let plain = filter.player.is_none() && filter.of.is_none();
        let mut told = Told::default();
        let mut text = String::new();
        if first == 0 && plain {
            let after = self.table_at(1);
            let narrator = Narrator::new(&self.game.rules, &self.view, after, viewer, self.look);
            text.push_str("Before the first decision:\n");
            let opening = narrator.happened(&self.game.opening, &mut told);
            text.push_str(&render(&opening, self.look));
        }
        let manner = match &filter.of {
            Some(Of::Items(items)) => Manner::About(items),
            _ => Manner::Log,
        };
        text.push_str(&self.tell(&steps[first..], viewer, manner, told));
        if text.is_empty() {
            text.push_str(NOTHING);
        }
        text
    }
}
