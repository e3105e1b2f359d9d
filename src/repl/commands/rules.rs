//! Other rules for the game at hand: variants and parameters. The game is played again by them, answer by
//! answer; where one is no longer accepted, the game stays as it is until somebody says otherwise.

use std::sync::Arc;

use crate::diag::render_one;
use crate::flow::rebuild::{Rebuilt, Stop, rebuild};
use crate::flow::{Game, GameError, Record, Timeline};
use crate::pack::Selection;
use crate::pack::variant::heads;
use crate::repl::board::View;
use crate::repl::command::{Args, Candidates, Info};
use crate::repl::journal::SavedWay;
use crate::repl::session::{Reply, Session};
use crate::script::Rules;

pub(super) const COMMANDS: &[Info] = &[Info {
    name: "variant",
    arguments: "[add V.. | drop V.. | accept]",
    about: "list the variants, or play the game again with others",
    examples: &[
        ("variant", "those that are played with, and the others"),
        ("variant add V", "play with V; all answers are given again"),
        ("variant drop V", "play without it"),
        (
            "variant accept",
            "go on where other rules stopped the game; the answers after it are gone",
        ),
    ],
    run: variant,
    complete: complete_variant,
}];

/// What a parameter is set to for the value that the pack gives it.
pub(super) const DEFAULT: &str = "default";

/// The game by other rules, up to an answer that they do not accept.
#[derive(Debug)]
pub(in crate::repl) struct Proposal {
    replayed: Replayed,
    /// What was to be changed.
    what: String,
}

/// A game before it was played by other rules.
#[derive(Debug)]
pub(in crate::repl) struct Former {
    game: Game,
    timeline: Timeline,
    view: View,
    /// What was changed then.
    what: String,
}

/// A session played again by other rules.
#[derive(Debug)]
struct Replayed {
    game: Game,
    timeline: Timeline,
    view: View,
    /// How many answers were given again.
    given: usize,
    /// Why it goes no further than it does.
    stopped: Option<Stop>,
    /// Ways besides the one at hand that became shorter, with why.
    cut: Vec<(String, Stop)>,
    /// Whether chance was not that of the seed, and is now.
    other_chance: bool,
}

fn variant(session: &mut Session, args: &Args<'_>) -> Reply {
    match args.words[..] {
        [] => session.variants(),
        ["accept"] => session.accept(),
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
        self.play_by(&selection, &format!("with {}", list(wanted)))
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
        self.play_by(&selection, &format!("without {}", list(unwanted)))
    }

    /// Gives a parameter another value for the whole game.
    pub(super) fn set_parameter(&mut self, name: &str, value: &str) -> Reply {
        let mut selection = self.selection();
        selection.parameters.retain(|(known, _)| known != name);
        if value != DEFAULT {
            let Ok(number) = value.parse::<i64>() else {
                return Reply::failed(format!(
                    "`{value}` is no whole number, as parameter `{name}` wants; `{DEFAULT}` is that of the pack"
                ));
            };
            selection.parameters.push((name.to_owned(), number));
        }
        self.play_by(&selection, &format!("with {name} = {value}"))
    }

    /// Plays the game again by other rules. Where they do not accept an answer it stays as it is.
    fn play_by(&mut self, selection: &Selection, what: &str) -> Reply {
        self.proposal = None;
        let mut replayed = match self.play_again(selection) {
            Ok(replayed) => replayed,
            Err(why) => return Reply::failed(why),
        };
        let Some(stop) = replayed.stopped.clone() else {
            return self.adopt(replayed, what);
        };
        let why = self.why_stopped(&mut replayed, &stop);
        let answers = self.game.history.iter().filter(|step| !step.forced);
        let message = format!(
            "{what} the game stops at decision {}: {why}\nit stays as it is; `variant accept` goes on there, with {} of {} answers",
            stop.step + 1,
            replayed.given,
            answers.count()
        );
        self.proposal = Some(Proposal {
            replayed,
            what: what.to_owned(),
        });
        Reply::failed(message)
    }

    /// Why a game stopped, with the reason for which its rules refuse the answer.
    fn why_stopped(&mut self, replayed: &mut Replayed, stop: &Stop) -> String {
        let (Some(decision), Some(answer)) = (replayed.game.decision(), &stop.rejected) else {
            return stop.message.clone();
        };
        // Reasons are told of the game at hand.
        let mut swap = |session: &mut Self| {
            std::mem::swap(&mut session.game, &mut replayed.game);
            std::mem::swap(&mut session.view, &mut replayed.view);
        };
        swap(self);
        let refused = self.refused(&decision, &answer.to_string());
        swap(self);
        match refused {
            Some(reason) => format!("{}; {reason}", stop.message),
            None => stop.message.clone(),
        }
    }

    fn accept(&mut self) -> Reply {
        let Some(Proposal { replayed, what }) = self.proposal.take() else {
            return Reply::failed(
                "nothing waits to be accepted: `variant add V` tries other rules",
            );
        };
        // Answers are lost: the game as it was can be resumed.
        if let Some(journal) = &mut self.journal {
            journal.turn_the_page();
        }
        self.adopt(replayed, &what)
    }

    /// Goes on with a game that was played again.
    fn adopt(&mut self, replayed: Replayed, what: &str) -> Reply {
        let mut text = format!("{what}: {} given again\n", answers(replayed.given));
        for (way, stop) in &replayed.cut {
            text.push_str(&format!(
                "way `{way}` ends before decision {}: {}\n",
                stop.step + 1,
                stop.message
            ));
        }
        if replayed.other_chance {
            text.push_str(
                "chance is that of the seed now: what a file gave of it is not given again\n",
            );
        }
        let former = self.exchange(replayed.game, replayed.timeline, replayed.view);
        let what = what.to_owned();
        self.former = Some(Box::new(Former { what, ..former }));
        let played = self.play_bots();
        text.push('\n');
        text.push_str(&self.news());
        text.push_str(&self.question(false));
        Reply {
            text,
            error: played.err(),
            quit: false,
        }
    }

    /// Puts another game in the place of the one at hand, which is handed back.
    fn exchange(&mut self, game: Game, timeline: Timeline, view: View) -> Former {
        self.told = game.history.len();
        self.games += 1;
        self.kept_ways.clear();
        self.proposal = None;
        Former {
            game: std::mem::replace(&mut self.game, game),
            timeline: std::mem::replace(&mut self.timeline, timeline),
            view: std::mem::replace(&mut self.view, view),
            what: String::new(),
        }
    }

    /// Goes back to the rules before the last change of them, if nothing was done since. Says what was changed.
    pub(super) fn take_back_rules(&mut self) -> Option<String> {
        let former = self.former.take()?;
        self.exchange(former.game, former.timeline, former.view);
        Some(former.what)
    }

    /// The session by other rules: where the game is now, and every way as far as it goes.
    fn play_again(&mut self, selection: &Selection) -> Result<Replayed, String> {
        let (rules, view) = self.source.read(selection, self.style())?;
        let rules = Arc::new(rules);
        let saved = self.saved();
        let now = self.build(&self.game.record(), &rules)?;
        let (mut games, mut cut) = (Vec::new(), Vec::new());
        for (at, way) in saved.ways.into_iter().enumerate() {
            let built = self.build(&way.record, &rules)?;
            if let Some(stop) = built.stopped
                && (at != saved.way || now.stopped.is_none())
            {
                cut.push((way.name.clone(), stop));
            }
            games.push((way, built.game));
        }
        let same = self.build(&self.game.record(), &self.game.rules)?;
        let depth = now.game.history.len() + now.game.interventions.len();
        let (game, timeline) = grow(games, saved.way, depth)?;
        Ok(Replayed {
            game,
            timeline,
            view,
            given: now.given,
            stopped: now.stopped,
            cut,
            other_chance: same.game.state != self.game.state,
        })
    }

    fn build(&self, record: &Record, rules: &Arc<Rules>) -> Result<Rebuilt, String> {
        rebuild(record, Arc::clone(rules)).map_err(|error| match error {
            GameError::Fault(fault) => {
                let sources = &rules.pack.sources;
                render_one(&fault.diagnostic(rules), sources, self.style())
            }
            other => format!("the game cannot begin by these rules: {other}"),
        })
    }
}

/// The timeline of ways that were played one by one, and the game at a depth of one of them.
///
/// # Errors
/// When there is no such way, or two have the same name.
pub(super) fn grow(
    ways: Vec<(SavedWay, Game)>,
    way: usize,
    depth: usize,
) -> Result<(Game, Timeline), String> {
    let mut grown: Option<(Game, Timeline)> = None;
    for (saved, game) in ways {
        match &mut grown {
            None => {
                let mut timeline = Timeline::new(&game);
                timeline.rename(&saved.name, saved.named);
                grown = Some((game, timeline));
            }
            Some((_, timeline)) => timeline.graft(&game, &saved.name, saved.named)?,
        }
    }
    let (mut game, mut timeline) = grown.ok_or("it is empty")?;
    if way >= timeline.ways().len() {
        return Err("it is damaged".to_owned());
    }
    timeline.switch(&mut game, way);
    let moment = timeline.at_depth(way, depth);
    timeline.go(&mut game, moment);
    Ok((game, timeline))
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

/// So many answers, in words.
pub(super) fn answers(count: usize) -> String {
    match count {
        1 => "1 answer".to_owned(),
        some => format!("{some} answers"),
    }
}
