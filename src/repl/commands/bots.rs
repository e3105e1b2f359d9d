//! Bots that answer instead of whoever types, once or until something is so.

use crate::diag::{nearest, noun};
use crate::repl::command::{Args, Candidates, Info, whole};
use crate::repl::session::{Actor, MOST_ANSWERS, Reply, Session};
use crate::script::evaluate::Expression;
use crate::script::types::Type;
use crate::sim::bots::{Bot, BotKind};
use crate::table::ids::{BlockId, DecisionId, PlayerId};
use crate::table::layout::{Name, Scope};
use crate::table::view::Viewer;
use crate::table::{Position, Value};

/// Answers that are told one by one at most: a whole game would fill the screen many times.
const MOST_TOLD: usize = 10;

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "bot",
        arguments: "[BOT] [N | all | until GOAL]",
        about: "let a bot answer, also for you, once, N times or until something is so: BOT, or else that of `--bots`, or else `random`",
        examples: &[
            ("bot", "this decision"),
            ("bot 10", "ten decisions, whoever is asked"),
            ("bot greedy 10", "ten decisions by another bot"),
            ("bot all", "the rest of the game"),
            (
                "bot until round 3",
                "as `run to round 3`, and your decisions too",
            ),
        ],
        run: bot,
        complete: complete_bot,
    },
    Info {
        name: "run",
        arguments: "to GOAL",
        about: "let bots answer (those of `--bots`, else `random`) until a round, a phase, a player, a condition or the end; where others have bots, your decisions stay yours",
        examples: &[
            ("run to round 3", "the first decision of round 3 or later"),
            ("run to player_2", "the next turn of player 2, also by name"),
            (
                "run to me",
                "your next decision, after those of others; you are who looks, else who is asked",
            ),
            ("run to end", "the end of the game"),
            (
                "run to PHASE",
                "the next decision in another phase of this id or title",
            ),
            (
                "run to me.coins > 5",
                "when this holds for the player who is asked",
            ),
            ("run to DECISION", "the next time that this is asked"),
        ],
        run,
        complete: |session, text| match text.strip_prefix("to ") {
            Some(goal) => session.complete_goal(text.len() - goal.len(), text),
            None => Candidates::first(text, vec!["to".to_owned()]),
        },
    },
];

/// Up to where bots answer.
#[derive(Clone, Debug)]
enum Goal {
    /// So many answers.
    Answers(usize),
    /// The end of the game.
    End,
    /// A round, or a later one.
    Round(u16),
    /// Another time in a phase than this.
    Phase(BlockId, Position),
    /// A decision, asked once more if it is asked now.
    Decision(DecisionId),
    /// A player's turn, after somebody else's if it is his now.
    Turn { of: PlayerId, left: bool },
    /// A condition over the player who is asked.
    Condition(Box<Expression>),
}

/// Who answers on the way to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answers {
    /// A bot for all who have none of their own.
    For(BotKind),
    /// Bots only for those who have one: whoever types answers the rest.
    ForOthers,
}

fn bot(session: &mut Session, args: &Args<'_>) -> Reply {
    let named = args.words.first().filter(|word| BotKind::is_meant(word));
    let kind = match named.map(|word| BotKind::parse(word)).transpose() {
        Ok(kind) => kind,
        Err(error) => return Reply::failed(error),
    };
    let words = &args.words[usize::from(kind.is_some())..];
    let kind = kind.unwrap_or_else(|| session.usual_bot());
    let goal = match words {
        ["all"] => Ok(Goal::End),
        ["until", goal @ ..] => return session.run_to(Answers::For(kind), goal),
        [] => Ok(Goal::Answers(1)),
        [word] => match word.parse() {
            Ok(number) if number > 0 => Ok(Goal::Answers(number)),
            _ => Err(format!(
                "`{word}` is neither a number above 0 nor a bot: {}",
                BotKind::names()
            )),
        },
        _ => Err(
            "`bot`, `bot 10`, `bot greedy 10`, `bot all` or `bot until GOAL` is meant".to_owned(),
        ),
    };
    match goal {
        Ok(goal) => session.play_to(Answers::For(kind), goal, ""),
        Err(error) => Reply::failed(error),
    }
}

fn complete_bot(session: &Session, text: &str) -> Candidates {
    let names = || BotKind::ALL.map(|kind| kind.name());
    let rest = match text.split_once(char::is_whitespace) {
        Some((name, rest)) if BotKind::named(name).is_some() => rest.trim_start(),
        _ => text,
    };
    let start = text.len() - rest.len();
    if let Some(goal) = rest.strip_prefix("until ") {
        return session.complete_goal(text.len() - goal.len(), text);
    }
    let mut words = vec!["all".to_owned(), "until".to_owned()];
    words.extend(names().into_iter().filter(|_| start == 0));
    match rest.contains(char::is_whitespace) {
        true => Candidates::default(),
        false => Candidates { start, words },
    }
}

fn run(session: &mut Session, args: &Args<'_>) -> Reply {
    let words = match args.words[..] {
        ["to" | "until", ..] => &args.words[1..],
        _ => &args.words[..],
    };
    let answers = match session.has_bots() {
        true => Answers::ForOthers,
        false => Answers::For(session.usual_bot()),
    };
    // Whose next decision is wanted does not want it played by somebody else.
    if words == ["me"]
        && let Some(ask) = session.game.state.run.ask
        && session.me() == Some(ask.player)
    {
        return Reply::failed(session.yours("me"));
    }
    session.run_to(answers, words)
}

/// Whether a letter can stand in a name.
fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

impl Session {
    /// The bot that answers where no other is named: that of the first player who has one.
    fn usual_bot(&self) -> BotKind {
        let mut bots = self.actors.iter().filter_map(|actor| match actor {
            Actor::Bot(kind) => Some(*kind),
            Actor::Human => None,
        });
        bots.next().unwrap_or(BotKind::Random)
    }

    /// Whether bots play for somebody.
    fn has_bots(&self) -> bool {
        self.actors
            .iter()
            .any(|actor| matches!(actor, Actor::Bot(_)))
    }

    /// Whoever types: who looks, or the only one without a bot, or who is asked.
    fn me(&self) -> Option<PlayerId> {
        if let Some(Viewer::Player(player)) = self.seen_by {
            return Some(player);
        }
        let mut humans = self
            .players()
            .filter(|player| self.actors.get(player.index()) == Some(&Actor::Human));
        match (humans.next(), humans.next()) {
            (Some(only), None) => Some(only),
            _ => self.game.state.run.ask.map(|ask| ask.player),
        }
    }

    /// Says that whoever types has to answer, and what else leads to a goal.
    fn yours(&self, goal: &str) -> String {
        let asked = self.game.decision();
        let asked = asked.map_or_else(String::new, |decision| {
            let who = self.words(self.viewer()).player(decision.player).text();
            format!(" ({who}: {})", decision.prompt)
        });
        format!(
            "it is your decision{asked}: answer it, or `bot` plays it; `bot until {goal}` plays yours too on the way"
        )
    }

    /// Reads a goal.
    fn goal(&self, words: &[&str]) -> Result<Goal, String> {
        let state = &self.game.state;
        let position = state.table.position;
        match words {
            [] => return Err("a goal is wanted: `round 3`, a phase, a player, `end`".to_owned()),
            ["end"] => return Ok(Goal::End),
            ["me"] => {
                let me = self.me().ok_or("the game is over: nothing is asked")?;
                return Ok(Goal::Turn {
                    of: me,
                    left: state.run.ask.is_some_and(|ask| ask.player != me),
                });
            }
            ["round", number] => {
                return match whole(number, "number of a round")? {
                    round if round > position.round => Ok(Goal::Round(round)),
                    _ => Err(format!("it is round {} already", position.round)),
                };
            }
            _ => {}
        }
        let name = words.join(" ").to_lowercase();
        let asked = state.run.ask.map(|ask| ask.player);
        if let Some(player) = self.player_called(&name) {
            return Ok(Goal::Turn {
                of: player,
                left: asked != Some(player),
            });
        }
        let phase = self
            .phases()
            .find(|(_, known)| known.id == name || known.title.to_lowercase() == name);
        let decisions = &self.game.rules.pack.decisions;
        let decision = decisions.iter().position(|info| info.name.id == name);
        match (phase, decision) {
            (Some((phase, _)), _) => Ok(Goal::Phase(phase, position)),
            (_, Some(decision)) => Ok(Goal::Decision(DecisionId::from_index(decision))),
            (None, None) if words.len() > 1 || name.contains(|letter| !is_of_name(letter)) => {
                self.condition(&words.join(" "))
            }
            (None, None) => {
                let known = self.goals();
                Err(match nearest(&name, known.iter().map(String::as_str)) {
                    Some(near) => format!("`{name}` is no goal; did you mean `{near}`?"),
                    None => format!("`{name}` is no goal: {}", known.join(", ")),
                })
            }
        }
    }

    /// A condition that does not hold yet.
    fn condition(&self, text: &str) -> Result<Goal, String> {
        let style = self.style();
        let names = self.player_names();
        let of: Vec<(String, Type)> = [("me".to_owned(), Type::PLAYER)]
            .into_iter()
            .chain(names.iter().map(|name| (name.name.clone(), name.of)))
            .collect();
        let condition = Expression::condition_with(&self.game.rules, text, &of);
        let condition = condition.map_err(|wrong| wrong.render(style))?;
        let goal = Goal::Condition(Box::new(condition));
        match self.is_reached(&mut goal.clone(), 0)? {
            true => Err(format!("`{text}` holds already")),
            false => Ok(goal),
        }
    }

    fn phases(&self) -> impl Iterator<Item = (BlockId, &Name)> {
        let blocks = self.game.rules.pack.blocks.iter().enumerate();
        blocks
            .filter(|(_, block)| block.scope == Some(Scope::Phase))
            .map(|(at, block)| (BlockId::from_index(at), &block.name))
    }

    /// Words that begin a goal.
    fn goals(&self) -> Vec<String> {
        let decisions = self.game.rules.pack.decisions.iter();
        let mut all: Vec<String> = ["end", "me", "round"]
            .map(str::to_owned)
            .into_iter()
            .chain(self.player_keys())
            .chain(self.phases().map(|(_, name)| name.id.clone()))
            .chain(decisions.map(|info| info.name.id.clone()))
            .collect();
        all.sort();
        all.dedup();
        all
    }

    fn complete_goal(&self, start: usize, text: &str) -> Candidates {
        match text[start..].contains(char::is_whitespace) {
            true => Candidates::default(),
            false => Candidates {
                start,
                words: self.goals(),
            },
        }
    }

    /// Whether a goal is reached, after so many answers.
    fn is_reached(&self, goal: &mut Goal, given: usize) -> Result<bool, String> {
        let state = &self.game.state;
        let position = state.table.position;
        Ok(match goal {
            Goal::Condition(condition) => {
                let me = state.run.ask.map(|ask| Value::from(ask.player));
                let names = self.player_names();
                let values: Vec<Value> = [me.unwrap_or(Value::UNIT)]
                    .into_iter()
                    .chain(names.iter().map(|name| name.value))
                    .collect();
                let holds = condition.holds_with(state, &values);
                holds.map_err(|wrong| wrong.render(self.style()))?
            }
            Goal::Answers(wanted) => given >= *wanted,
            Goal::End => false,
            Goal::Round(round) => position.round >= *round,
            Goal::Phase(phase, from) => {
                position.phase == Some(*phase)
                    && (position.round, position.phase) != (from.round, from.phase)
            }
            Goal::Decision(decision) => {
                given > 0 && state.run.ask.is_some_and(|ask| ask.decision == *decision)
            }
            Goal::Turn { of, left } => {
                let now = state.run.ask.is_some_and(|ask| ask.player == *of);
                *left |= !now;
                now && *left
            }
        })
    }

    fn run_to(&mut self, answers: Answers, words: &[&str]) -> Reply {
        match self.goal(words) {
            Ok(goal) => self.play_to(answers, goal, &words.join(" ")),
            Err(error) => Reply::failed(error),
        }
    }

    /// Lets bots answer up to a goal, and those who are bots anyway beyond it. A goal that is not reached
    /// leaves the game as it was: to play it all was not what was wanted.
    fn play_to(&mut self, answers: Answers, mut goal: Goal, wanted: &str) -> Reply {
        if self.game.is_over() {
            return Reply::failed("the game is over: nothing is asked");
        }
        let begun = self.game.history.len();
        let from = self.timeline.now();
        let mut trouble = None;
        let mut by: Vec<(PlayerId, BotKind)> = Vec::new();
        let mut given = 0;
        while trouble.is_none()
            && let Some(ask) = self.game.state.run.ask
        {
            match self.is_reached(&mut goal, given) {
                Ok(true) => break,
                Ok(false) if given == MOST_ANSWERS => {
                    trouble = Some("the bots gave too many answers: is there an end?".to_owned());
                }
                Ok(false) => {
                    let kind = match (self.actors.get(ask.player.index()), answers) {
                        (Some(Actor::Bot(own)), _) => *own,
                        (_, Answers::For(kind)) => kind,
                        (_, Answers::ForOthers) => {
                            trouble = Some(self.yours(wanted));
                            break;
                        }
                    };
                    if !by.contains(&(ask.player, kind)) {
                        by.push((ask.player, kind));
                    }
                    trouble = self.answer_by(kind).err();
                    given += 1;
                }
                Err(error) => trouble = Some(error),
            }
        }
        if self.game.is_over() && !matches!(goal, Goal::End | Goal::Answers(_)) {
            let round = match self.game.state.table.position.round {
                0 => String::new(),
                round => format!("in round {round}, "),
            };
            let more = self.game.history.len() - begun;
            self.timeline.go(&mut self.game, from);
            return Reply::failed(format!(
                "`{wanted}` is not reached: the game would end before, {round}after {more} more \
                 {}; it stays where it is, and `run to end` plays it",
                noun(more, "decision", "decisions")
            ));
        }
        if given == 0 && self.stepping.is_none() && trouble.is_some() {
            return Reply {
                error: trouble,
                ..Reply::default()
            };
        }
        let mut text = String::new();
        if !matches!(goal, Goal::Answers(1)) {
            text.push_str(&self.told_bots(&by));
        }
        if matches!(goal, Goal::Answers(_)) {
            trouble = trouble.or_else(|| self.play_bots().err());
        }
        if given > MOST_TOLD {
            let count = self.game.history.len() - begun;
            text.push_str(&format!(
                "{count} decisions were answered; `log` tells them\n"
            ));
            self.told = self.game.history.len();
        } else {
            text.push_str(&self.news());
        }
        text.push_str(&self.question(false));
        self.after_bots(text, trouble)
    }

    /// Which bot has answered for whom, in a line; nothing if none has.
    fn told_bots(&self, by: &[(PlayerId, BotKind)]) -> String {
        let words = self.words(self.viewer());
        let mut kinds: Vec<BotKind> = Vec::new();
        for (_, kind) in by {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        let parts = kinds.into_iter().map(|kind| {
            let mut players: Vec<PlayerId> = by
                .iter()
                .filter(|(_, of)| *of == kind)
                .map(|(player, _)| *player)
                .collect();
            players.sort_unstable();
            let names: Vec<String> = players
                .into_iter()
                .map(|player| words.player(player).text())
                .collect();
            let names = match names.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, others)) => format!("{} and {last}", others.join(", ")),
                None => String::new(),
            };
            format!("by {} for {names}", kind.name())
        });
        let parts: Vec<String> = parts.collect();
        match parts.is_empty() {
            true => String::new(),
            false => format!("answers {}\n", parts.join(", ")),
        }
    }
}
