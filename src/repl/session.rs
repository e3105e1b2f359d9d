//! A session: a game, and what is said about it. It reads lines and gives texts; where these come from
//! and go to is not its concern.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::diag::{Style, count, nearest, render_one};
use crate::flow::timeline::MomentId;
use crate::flow::{Answer, Decision, Game, GameError, Setup, Timeline};
use crate::script::{Fault, Rules, Scratch, State};
use crate::sim::bots::{Bot, BotKind, Question};
use crate::table::view::Viewer;

use super::again::{Former, Later, Longer, Proposal};
use super::answer;
use super::board::{Board, View, Words};
use super::command::{self, Args, Info};
use super::commands::breaks::Break;
use super::commands::reload::Known;
use super::commands::resume::Changed;
use super::commands::step::{Cause, Stepping};
use super::journal::{Journal, SavedWay};
use super::lines;
use super::load::Source;
use super::story::Story;
use super::text::{Line, Look, Paint, render, wrap_message};

/// Who answers for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Whoever types.
    Human,
    /// A bot.
    Bot(BotKind),
}

impl Actor {
    /// What somebody is called who types.
    const HUMAN: &'static str = "human";

    /// Its name, as people give it.
    pub fn name(self) -> String {
        match self {
            Self::Human => Self::HUMAN.to_owned(),
            Self::Bot(kind) => kind.name(),
        }
    }

    /// Who is called so.
    ///
    /// # Errors
    /// Says who there is.
    pub fn parse(name: &str) -> Result<Self, String> {
        if name == Self::HUMAN {
            return Ok(Self::Human);
        }
        if BotKind::is_meant(name) {
            return BotKind::parse(name).map(Self::Bot);
        }
        let (human, bots) = (Self::HUMAN, BotKind::names());
        Err(format!(
            "nobody is called `{name}` here: a player is `{human}` or a bot: {bots}"
        ))
    }
}

/// Decisions that bots answer in one go at most: a game that never ends is left, not played for ever.
pub(super) const MOST_ANSWERS: usize = 100_000;

/// What came of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// What to show.
    pub text: String,
    /// What is wrong, if something is.
    pub error: Option<String>,
    /// Whether to leave.
    pub quit: bool,
}

impl Reply {
    pub(super) fn ok(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    pub(super) fn failed(error: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            ..Self::default()
        }
    }

    /// Breaks lines at words where a terminal would break them anywhere.
    fn wrap(&mut self, look: Look) {
        if !look.wraps {
            return;
        }
        // What is for programs is copied from the terminal.
        if !is_for_programs(&self.text) {
            self.text = wrap_message(&self.text, look.width);
        }
        if let Some(error) = &mut self.error {
            *error = wrap_message(error, look.width);
        }
    }
}

/// Whether a text is a file's: JSON, or a scenario.
fn is_for_programs(text: &str) -> bool {
    ["{\n", "[\n", "[]\n", "#", "format = "]
        .iter()
        .any(|begin| text.starts_with(begin))
}

/// A game that is being played.
#[derive(Debug)]
pub struct Session {
    pub(super) game: Game,
    pub(super) view: View,
    /// Where the rules are read again, with other variants or parameters.
    pub(super) source: Source,
    /// The answer that is stepped through.
    pub(super) stepping: Option<Box<Stepping>>,
    /// Where answers stop on their way.
    pub(super) breaks: Vec<Break>,
    /// The files as they were read last, if they are watched.
    pub(super) watched: Option<Known>,
    /// The game by other rules, where not all its answers can be given.
    pub(super) proposal: Option<Proposal>,
    /// A game of before, by rules that have changed since, that waits to be accepted.
    pub(super) changed: Option<Box<Changed>>,
    /// The game by the rules before these, as long as nothing was done since.
    pub(super) former: Option<Box<Former>>,
    /// The game by the rules that were taken back last.
    pub(super) later: Option<Box<Later>>,
    pub(super) actors: Vec<Actor>,
    /// Whether whoever types does not want to wait for bots any more, if somebody looks for it.
    pub stop: Option<&'static AtomicBool>,
    /// How texts are to look. May be changed between lines.
    pub look: Look,
    /// Answered decisions that were told already.
    pub(super) told: usize,
    /// The ways that the game was played.
    pub(super) timeline: Timeline,
    /// The state at the prompt before the last line that changed the game.
    pub(super) before: Option<State>,
    /// Who looks, where somebody else than the player to decide was wanted.
    pub(super) seen_by: Option<Viewer>,
    /// How often another game was begun.
    pub(super) games: usize,
    /// What keeps the session from one run to the next, if anything does. To be put in before the greeting.
    pub journal: Option<Journal>,
    /// The ways as they were kept last, with their ends.
    pub(super) kept_ways: Vec<(MomentId, SavedWay)>,
    /// Ways that were longer by earlier rules.
    pub(super) longer: Vec<Longer>,
    /// What was shown, and the scenario that was opened.
    pub(super) story: Story,
}

impl Session {
    /// Starts a game by rules that were read from a source. `actors` has one for each player.
    ///
    /// # Errors
    /// When the number of players does not fit or a script fails.
    pub fn start(
        (rules, view): (Arc<Rules>, View),
        source: Source,
        setup: Setup,
        actors: Vec<Actor>,
        look: Look,
    ) -> Result<Self, GameError> {
        let game = Game::start(rules, setup, None, None)?;
        Ok(Self::of(game, view, source, actors, look))
    }

    /// Goes on with a game. `actors` has one for each player.
    pub(super) fn of(
        game: Game,
        view: View,
        source: Source,
        actors: Vec<Actor>,
        look: Look,
    ) -> Self {
        Self {
            told: game.history.len(),
            timeline: Timeline::new(&game),
            before: None,
            seen_by: None,
            games: 0,
            journal: None,
            kept_ways: Vec::new(),
            longer: Vec::new(),
            story: Story::default(),
            game,
            view,
            source,
            stepping: None,
            breaks: Vec::new(),
            watched: None,
            proposal: None,
            changed: None,
            former: None,
            later: None,
            actors,
            stop: None,
            look,
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Where its rules are read.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What is shown before the first line: the board and the first question.
    pub fn greeting(&mut self) -> Reply {
        let setup = self.game.setup;
        let mut text = format!(
            "{}, {}, seed {}. `help` explains the commands.\n",
            self.game.rules.pack.title,
            count(setup.players, "player"),
            setup.seed
        );
        if let Some(opened) = &self.story.opened {
            text.push_str(&format!("Scenario: {}\n", opened.scenario.title));
        }
        if self.watched.is_some() {
            text.push_str("Its files are watched: what is saved counts at once.\n");
        }
        text.push_str(&self.offer().unwrap_or_default());
        text.push('\n');
        let played = self.play_bots();
        self.timeline.follow(&self.game);
        // The board is the one after what the bots did: this comes first.
        text.push_str(&self.first_news());
        text.push_str(&render(&self.board().all(), self.look));
        text.push('\n');
        text.push_str(&self.question(false));
        text.push_str(&self.outlook());
        self.see_question();
        let mut reply = Reply {
            text,
            error: played.err(),
            quit: false,
        };
        reply.wrap(self.look);
        reply
    }

    /// What stands before a line that is typed: the number of the decision and who decides.
    pub fn prompt(&self) -> Line {
        let mut line = Line::new();
        match self.game.state.run.ask {
            None => line.push("game over", Paint::Dim),
            Some(ask) => {
                let number = self.game.history.len() + 1;
                let place = match self.stepping_in() {
                    Some(function) => format!("[{number}: {function}] "),
                    None => format!("[{number}] "),
                };
                line.push(place, Paint::Dim);
                line.append(self.words(self.viewer()).player(ask.player));
            }
        }
        line.push("> ", Paint::Bold);
        line
    }

    /// Reads a line and does what it says.
    pub fn run(&mut self, line: &str) -> Reply {
        if let Err(error) = lines::check(line) {
            return Reply::failed(error);
        }
        let mut reply = self.act(|session| match session.stepping {
            Some(_) => session.obey_stepping(line),
            None => session.obey(line),
        });
        reply.error = reply.error.map(|error| lines::shortened(error, line));
        reply
    }

    /// The same for a line of somebody who may not want to wait: what was not waited for before is no matter of it.
    pub(super) fn run_stoppable(&mut self, line: &str) -> Reply {
        if let Some(stop) = self.stop {
            stop.store(false, Ordering::Relaxed);
        }
        self.run(line)
    }

    /// Does something that may change the game, and keeps up with it.
    pub(super) fn act(&mut self, what: impl FnOnce(&mut Self) -> Reply) -> Reply {
        let (games, before) = (self.games, self.game.state.clone());
        let mut reply = what(self);
        self.timeline.follow(&self.game);
        if self.games != games {
            self.before = None;
            self.changed = None;
            self.story.leave();
        } else if self.game.state != before {
            self.before = Some(before);
            // It was made of the game as it was.
            self.proposal = None;
            self.former = None;
        }
        self.follow_scenario();
        self.see_question();
        if let Some(trouble) = self.journal_now() {
            reply.text.push_str(&trouble);
        }
        reply.wrap(self.look);
        reply
    }

    /// Called when the session is left: a game that is over need not be offered again.
    pub fn leave(&mut self) {
        if let Some(journal) = &mut self.journal
            && self.game.is_over()
        {
            journal.forget();
        }
    }

    fn obey(&mut self, line: &str) -> Reply {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Reply::default();
        }
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let pending = self.game.decision();
        if let Some(decision) = &pending
            && (answer::is_key(decision, line) || answer::is_texts(decision, line))
        {
            return self.answer(decision, line);
        }
        let parsed = pending
            .as_ref()
            .map(|decision| self.read_answer(decision, line));
        // A whole line that begins a label is an answer, even if its first word is a command's name. Any
        // line could be a text: one that begins so has a bar after it.
        let labelled =
            matches!(parsed, Some(Ok(ref answer)) if !matches!(answer, Answer::Texts(_)));
        if let Some(info) = command::exact(name)
            && (rest.is_empty() || !labelled)
        {
            return self.command(info, rest);
        }
        if let (Some(decision), Some(Ok(_))) = (&pending, &parsed) {
            return self.answer(decision, line);
        }
        if let Some(info) = command::begun(name) {
            return self.command(info, rest);
        }
        if let Some(decision) = &pending
            && let Some(reason) = self.refused(decision, line)
        {
            return Reply::failed(reason);
        }
        let Some(Err(error)) = parsed else {
            return Reply::failed(format!(
                "the game is over: nothing is asked\n{}",
                command::unknown(name)
            ));
        };
        if let Some(several) = command::several(name) {
            return Reply::failed(format!("{error}\nor one of the commands {several}"));
        }
        let near = nearest(name, command::all().map(|info| info.name));
        Reply::failed(match near {
            Some(near) if !error.contains("did you mean") => {
                format!("{error}\nor did you mean the command `{near}`?")
            }
            _ => error,
        })
    }

    fn command(&mut self, info: &Info, rest: &str) -> Reply {
        let reply = (info.run)(self, &Args::new(rest));
        if reply.error.is_none() {
            self.see_command(info.name, rest);
        }
        reply
    }

    /// Who looks: whoever was wanted, or the player to decide; when nothing is asked, somebody who plays no part.
    pub(super) fn viewer(&self) -> Viewer {
        match (self.seen_by, self.game.state.run.ask) {
            (Some(viewer), _) => viewer,
            (None, Some(ask)) => Viewer::Player(ask.player),
            (None, None) => Viewer::Spectator,
        }
    }

    pub(super) fn words(&self, viewer: Viewer) -> Words<'_> {
        let rules = &self.game.rules;
        Words::new(rules.layout(), &self.game.state.table, &self.view, viewer)
    }

    pub(super) fn board(&self) -> Board<'_> {
        self.board_for(self.viewer())
    }

    pub(super) fn board_for(&self, viewer: Viewer) -> Board<'_> {
        Board::new(
            &self.game.rules,
            &self.game.state,
            &self.view,
            viewer,
            self.look,
        )
    }

    fn answer(&mut self, decision: &Decision, line: &str) -> Reply {
        match self.read_answer(decision, line) {
            Ok(answer) => self.give(&answer),
            Err(error) => Reply::failed(error),
        }
    }

    /// Gives an answer, lets the bots answer what follows, and tells what happened.
    pub(super) fn give(&mut self, answer: &Answer) -> Reply {
        match self.stopped_by_break(Cause::Answer(answer.clone())) {
            Some(reply) => reply,
            None => self.give_now(answer),
        }
    }

    /// The same, whatever breakpoints there are.
    pub(super) fn give_now(&mut self, answer: &Answer) -> Reply {
        if let Err(error) = self.game.answer(answer) {
            return Reply::failed(self.error(&error));
        }
        let played = self.play_bots();
        let mut text = self.news();
        text.push_str(&self.question(false));
        self.after_bots(text, played.err())
    }

    /// A reply after bots have answered. A breakpoint that stopped them is no error.
    pub(super) fn after_bots(&self, mut text: String, stopped: Option<String>) -> Reply {
        match (stopped, &self.stepping) {
            (Some(stop), Some(_)) => {
                text.push_str(&stop);
                Reply::ok(text)
            }
            (error, _) => Reply {
                text,
                error,
                quit: false,
            },
        }
    }

    /// Lets bots answer for the players they play for.
    pub(super) fn play_bots(&mut self) -> Result<(), String> {
        for _ in 0..MOST_ANSWERS {
            let Some(ask) = self.game.state.run.ask else {
                return Ok(());
            };
            let Some(Actor::Bot(kind)) = self.actors.get(ask.player.index()) else {
                return Ok(());
            };
            self.answer_by(*kind)?;
        }
        Err("the bots gave too many answers: is there an end?".to_owned())
    }

    /// Gives the answer of a bot. What it is depends on the seed and on how many answers were given, so
    /// that the same lines lead to the same game.
    pub(super) fn answer_by(&mut self, kind: BotKind) -> Result<(), String> {
        let given = self.game.history.iter().filter(|step| !step.forced);
        let question = Question {
            stop: self.stop,
            rules: &self.game.rules,
            state: &self.game.state,
            seed: self.game.setup.seed,
            nth: given.count() as u64,
        };
        let answer = kind.answer(&question, &mut Scratch::default());
        if self.is_stopped() {
            return Err(self.not_answered(kind));
        }
        let answer = answer.ok_or("the bot found no legal answer")?;
        if let Some(stop) = self.stopped_by_break(Cause::Answer(answer.clone())) {
            return Err(stop.text);
        }
        self.game
            .answer(&answer)
            .map_err(|error| self.error(&error))
    }

    /// Whether whoever types does not want to wait any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Says that the answer of a bot was not waited for.
    fn not_answered(&self, kind: BotKind) -> String {
        let asked = self.game.state.run.ask.map(|ask| ask.player);
        let who = asked.map(|player| self.words(self.viewer()).player(player).text());
        format!(
            "stopped before `{}` has answered for {}: `bot` lets it answer, `bot random` another, or answer yourself; \
             what was answered before stays, and `undo` takes it back",
            kind.name(),
            who.unwrap_or_default()
        )
    }

    /// How diagnostics look.
    pub(super) fn style(&self) -> Style {
        Style {
            colour: self.look.colour,
            columns: self.look.wraps.then_some(self.look.width),
        }
    }

    pub(super) fn error(&self, error: &GameError) -> String {
        match error {
            GameError::Fault(fault) => self.fault(fault),
            other => other.to_string(),
        }
    }

    pub(super) fn fault(&self, fault: &Fault) -> String {
        self.fault_by(fault, &self.game.rules)
    }

    /// A fault by some rules, as it is told when it happens.
    pub(super) fn fault_by(&self, fault: &Fault, rules: &Rules) -> String {
        render_one(&fault.diagnostic(rules), &rules.pack.sources, self.style())
    }
}
