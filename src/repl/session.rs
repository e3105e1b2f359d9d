//! A session: a game, and what is said about it. It reads lines and gives texts; where these come from
//! and go to is not its concern.

use std::sync::Arc;

use crate::diag::{Style, nearest, render_one};
use crate::flow::decision;
use crate::flow::record::{Record, replay};
use crate::flow::{Answer, Decision, Game, GameError, Setup, scores};
use crate::script::code::AskKind;
use crate::script::{Fault, Rules, Scratch};
use crate::table::chance::{Draw, salt};
use crate::table::event::Event;
use crate::table::view::Viewer;

use super::answer;
use super::board::{Board, View, Words};
use super::command::{self, Command, Info};
use super::listing;
use super::narrate::{Narrator, hint, reason};
use super::text::{Line, Look, Paint, columns, render};

/// Who answers for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Whoever types.
    Human,
    /// A bot that answers at random.
    Random,
}

/// Decisions that bots answer in one go at most: a game that never ends is left, not played for ever.
const MOST_ANSWERS: usize = 100_000;

/// Answers that `log` tells without a number.
const LOGGED: usize = 10;

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
    fn ok(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    fn failed(error: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            ..Self::default()
        }
    }
}

/// A game that is being played.
#[derive(Debug)]
pub struct Session {
    game: Game,
    view: View,
    actors: Vec<Actor>,
    /// How texts are to look. May be changed between lines.
    pub look: Look,
    /// Answered decisions that were told already.
    told: usize,
}

impl Session {
    /// Starts a game. `actors` has one for each player.
    ///
    /// # Errors
    /// When the number of players does not fit or a script fails.
    pub fn start(
        rules: Arc<Rules>,
        view: View,
        setup: Setup,
        actors: Vec<Actor>,
        look: Look,
    ) -> Result<Self, GameError> {
        let game = Game::start(rules, setup, None, None)?;
        Ok(Self {
            told: game.history.len(),
            game,
            view,
            actors,
            look,
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What is shown before the first line: the board and the first question.
    pub fn greeting(&mut self) -> Reply {
        let setup = self.game.setup;
        let mut text = format!(
            "{}, {} players, seed {}. `help` explains the commands.\n\n",
            self.game.rules.pack.title, setup.players, setup.seed
        );
        let played = self.play_bots();
        text.push_str(&render(&self.board().all(), self.look));
        text.push('\n');
        text.push_str(&self.news());
        text.push_str(&self.question(false));
        Reply {
            text,
            error: played.err(),
            quit: false,
        }
    }

    /// What stands before a line that is typed.
    pub fn prompt(&self) -> String {
        let header = self.board().header();
        let plain: String = header.characters().map(|(letter, _)| letter).collect();
        if self.game.is_over() {
            "game over> ".to_owned()
        } else if plain.is_empty() {
            "> ".to_owned()
        } else if self.look.unicode {
            format!("{plain}> ")
        } else {
            format!("{}> ", plain.replace('·', "-"))
        }
    }

    /// Reads a line and does what it says.
    pub fn run(&mut self, line: &str) -> Reply {
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
        if let Some(info) = command::exact(name) {
            return self.command(info, rest);
        }
        let parsed = pending
            .as_ref()
            .map(|decision| answer::parse(decision, line));
        if let (Some(decision), Some(Ok(_))) = (&pending, &parsed) {
            return self.answer(decision, line);
        }
        if let Some(info) = command::begun(name) {
            return self.command(info, rest);
        }
        let names = command::COMMANDS.iter().map(|info| info.name);
        match parsed {
            Some(Err(error)) => {
                let near = nearest(name, names);
                Reply::failed(match near {
                    Some(near) if !error.contains("did you mean") => {
                        format!("{error}\nor did you mean the command `{near}`?")
                    }
                    _ => error,
                })
            }
            _ => Reply::failed(match nearest(name, names) {
                Some(near) => format!("there is no command `{name}`; did you mean `{near}`?"),
                None => format!("there is no command `{name}`; `help` lists them"),
            }),
        }
    }

    fn command(&mut self, info: &Info, rest: &str) -> Reply {
        let mut words: Vec<&str> = rest.split_whitespace().collect();
        let before = words.len();
        words.retain(|word| *word != "--all");
        let all = words.len() < before;
        match info.command {
            Command::Help => match words.first() {
                None => Reply::ok(command::help()),
                Some(name) => match command::exact(name).or_else(|| command::begun(name)) {
                    Some(info) => Reply::ok(command::help_for(info)),
                    None => Reply::failed(format!("there is no command `{name}`")),
                },
            },
            Command::Board => self.draw(&words, all),
            Command::State => {
                let viewer = if all { Viewer::All } else { self.viewer() };
                match listing::list(&self.words(viewer), &words) {
                    Ok(lines) => Reply::ok(render(&lines, self.look)),
                    Err(error) => Reply::failed(error),
                }
            }
            Command::Options => Reply::ok(self.question(true)),
            Command::Why => match rest.strip_prefix("not ") {
                Some(choice) => self.why_not(choice.trim()),
                None => Reply::failed(format!("`{}` is meant", command::usage(info))),
            },
            Command::Undo => self.times(&words, |session| session.undo()),
            Command::Redo => self.times(&words, |session| session.redo()),
            Command::Log => match number(&words, LOGGED) {
                Ok(number) => {
                    let viewer = if all { Viewer::All } else { self.viewer() };
                    Reply::ok(self.log(number, viewer))
                }
                Err(error) => Reply::failed(error),
            },
            Command::Bot => self.bot(&words),
            Command::Save => self.save(rest.trim()),
            Command::Load => self.load(rest.trim()),
            Command::Scores => match self.score_lines() {
                Ok(lines) => Reply::ok(render(&lines, self.look)),
                Err(fault) => Reply::failed(fault),
            },
            Command::Seed => Reply::ok(format!(
                "seed {}, {} players\n",
                self.game.setup.seed, self.game.setup.players
            )),
            Command::Quit => Reply {
                quit: true,
                ..Reply::default()
            },
        }
    }

    fn save(&self, file: &str) -> Reply {
        if file.is_empty() {
            return Reply::failed("a file is wanted: `save game.json`");
        }
        let text = match self.game.record().to_json() {
            Ok(text) => text,
            Err(error) => return Reply::failed(format!("the game cannot be written: {error}")),
        };
        match std::fs::write(file, text) {
            Ok(()) => Reply::ok(format!("saved {file}\n")),
            Err(error) => Reply::failed(format!("cannot write {file}: {error}")),
        }
    }

    /// The game at hand stays if the file cannot be replayed exactly.
    fn load(&mut self, file: &str) -> Reply {
        if file.is_empty() {
            return Reply::failed("a file is wanted: `load game.json`");
        }
        match load_game(file, &self.game.rules) {
            Ok(game) if usize::from(game.setup.players) == self.actors.len() => {
                self.game = game;
                self.told = self.game.history.len();
                Reply::ok(format!("loaded {file}\n\n{}", self.question(true)))
            }
            Ok(game) => Reply::failed(format!(
                "{file} is a game of {} players: start with `--players {}`",
                game.setup.players, game.setup.players
            )),
            Err(error) => Reply::failed(error),
        }
    }

    /// Who looks: the player to decide; when nothing is asked, somebody who plays no part.
    fn viewer(&self) -> Viewer {
        match self.game.state.run.ask {
            Some(ask) => Viewer::Player(ask.player),
            None => Viewer::Spectator,
        }
    }

    fn words(&self, viewer: Viewer) -> Words<'_> {
        let rules = &self.game.rules;
        Words::new(rules.layout(), &self.game.state.table, &self.view, viewer)
    }

    fn board(&self) -> Board<'_> {
        self.board_for(self.viewer())
    }

    fn board_for(&self, viewer: Viewer) -> Board<'_> {
        Board::new(
            &self.game.rules,
            &self.game.state,
            &self.view,
            viewer,
            self.look,
        )
    }

    fn draw(&self, words: &[&str], all: bool) -> Reply {
        let board = self.board_for(if all { Viewer::All } else { self.viewer() });
        let Some(id) = words.first() else {
            return Reply::ok(render(&board.all(), self.look));
        };
        match self.view.panels.iter().find(|panel| panel.id == *id) {
            Some(panel) => Reply::ok(render(&board.panel(panel), self.look)),
            None => {
                let ids = || self.view.panels.iter().map(|panel| panel.id.as_str());
                Reply::failed(match nearest(id, ids()) {
                    Some(near) => format!("there is no panel `{id}`; did you mean `{near}`?"),
                    None => format!(
                        "there is no panel `{id}`; the panels are {}",
                        ids().collect::<Vec<_>>().join(", ")
                    ),
                })
            }
        }
    }

    /// The pending question with its choices.
    fn question(&self, long: bool) -> String {
        let Some(decision) = self.game.decision() else {
            return match self.score_lines() {
                Ok(lines) => format!("The game is over.\n{}", render(&lines, self.look)),
                Err(fault) => fault,
            };
        };
        let words = self.words(Viewer::Player(decision.player));
        let mut head = self.board().header();
        head.push("  ", Paint::Plain);
        head.push(decision.prompt.clone(), Paint::Bold);
        if let Some(what) = wanted(&decision) {
            head.push(format!(" ({what})"), Paint::Dim);
        }
        let mut lines = vec![head];
        let numbered = !answer::by_number(&decision);
        let digits = decision.choices.len().to_string().len();
        let entries: Vec<Line> = decision
            .choices
            .iter()
            .enumerate()
            .map(|(at, choice)| {
                let mut line = Line::new();
                if numbered {
                    line.push(format!("{:>digits$} ", at + 1), Paint::Bold);
                }
                for (at, part) in choice.parts.iter().enumerate() {
                    if at > 0 {
                        line.push(", ", Paint::Plain);
                    }
                    line.append(words.value(*part));
                }
                if choice.count > 1 {
                    line.push(format!(" ×{}", choice.count), Paint::Plain);
                }
                if let Some(hint) = hint(&self.game.notices, choice.offer) {
                    line.push(format!(" ({hint})"), Paint::Dim);
                }
                if long {
                    line.push(format!("  {}", choice.key), Paint::Dim);
                }
                line
            })
            .collect();
        let room = self.look.width.saturating_sub(2);
        for line in columns(&entries, 3, room) {
            let mut indented = Line::plain("  ");
            indented.append(line);
            lines.push(indented);
        }
        if long {
            let mut refused: Vec<Line> = Vec::new();
            for event in &self.game.notices {
                if let Some(line) = self.refusal(&words, event)
                    && !refused.contains(&line)
                {
                    refused.push(line);
                }
            }
            if !refused.is_empty() {
                lines.push(Line::of("Cannot be chosen:", Paint::Dim));
                for line in refused {
                    let mut indented = Line::plain("  ");
                    indented.append(line);
                    lines.push(indented);
                }
            }
        }
        render(&lines, self.look)
    }

    /// A refusal with its reason.
    fn refusal(&self, words: &Words<'_>, event: &Event) -> Option<Line> {
        let Event::Refused { parts, .. } = event else {
            return None;
        };
        let mut line = Line::new();
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                line.push(", ", Paint::Plain);
            }
            line.append(words.value(*part));
        }
        let reason = reason(&self.game.rules, words, event)?;
        line.push(format!(": {reason}"), Paint::Plain);
        Some(line)
    }

    fn why_not(&self, choice: &str) -> Reply {
        let Some(decision) = self.game.decision() else {
            return Reply::failed("nothing is asked");
        };
        let words = self.words(Viewer::Player(decision.player));
        let state = &self.game.state;
        let wanted = choice.to_lowercase();
        let names = |parts: &[crate::table::Value]| -> [String; 2] {
            let keys: Vec<String> = parts
                .iter()
                .map(|part| decision::key(&self.game.rules, state, *part))
                .collect();
            let labels: Vec<String> = parts
                .iter()
                .map(|part| {
                    words
                        .value(*part)
                        .characters()
                        .map(|(letter, _)| letter)
                        .collect()
                })
                .collect();
            [keys.join(" "), labels.join(", ")]
        };
        let refused: Vec<(&Event, [String; 2])> = self
            .game
            .notices
            .iter()
            .filter_map(|event| match event {
                Event::Refused { parts, .. } => Some((event, names(parts))),
                _ => None,
            })
            .collect();
        let find = |test: &dyn Fn(&str) -> bool| -> Vec<Line> {
            let mut lines: Vec<Line> = Vec::new();
            for (event, names) in &refused {
                if names.iter().any(|name| test(&name.to_lowercase()))
                    && let Some(line) = self.refusal(&words, event)
                    && !lines.contains(&line)
                {
                    lines.push(line);
                }
            }
            lines
        };
        let mut lines = find(&|name| name == wanted);
        if lines.is_empty() {
            if let Ok(answer) = answer::parse(&decision, choice) {
                let written = decision.write(&answer);
                return Reply::ok(format!("it can be chosen: `{written}`\n"));
            }
            lines = find(&|name| name.starts_with(&wanted));
        }
        if lines.is_empty() {
            lines = find(&|name| name.contains(&wanted));
        }
        if !lines.is_empty() {
            return Reply::ok(render(&lines, self.look));
        }
        let keys = decision
            .choices
            .iter()
            .flat_map(|choice| [choice.key.as_str(), choice.label.as_str()]);
        let known = refused
            .iter()
            .flat_map(|(_, names)| names.iter().map(String::as_str))
            .chain(keys);
        Reply::failed(match nearest(&wanted, known) {
            Some(near) => format!("`{choice}` is no choice here; did you mean `{near}`?"),
            None => format!("`{choice}` is no choice of this decision"),
        })
    }

    fn answer(&mut self, decision: &Decision, line: &str) -> Reply {
        match answer::parse(decision, line) {
            Ok(answer) => self.give(&answer),
            Err(error) => Reply::failed(error),
        }
    }

    /// Gives an answer, lets the bots answer what follows, and tells what happened.
    fn give(&mut self, answer: &Answer) -> Reply {
        if let Err(error) = self.game.answer(answer) {
            return Reply::failed(self.error(&error));
        }
        let played = self.play_bots();
        let mut text = self.news();
        text.push_str(&self.question(false));
        Reply {
            text,
            error: played.err(),
            quit: false,
        }
    }

    /// Lets bots answer for the players they play for.
    fn play_bots(&mut self) -> Result<(), String> {
        for _ in 0..MOST_ANSWERS {
            let Some(ask) = self.game.state.run.ask else {
                return Ok(());
            };
            if self.actors.get(ask.player.index()) != Some(&Actor::Random) {
                return Ok(());
            }
            self.answer_at_random()?;
        }
        Err("the bots gave too many answers: is there an end?".to_owned())
    }

    /// Gives one random answer. What it is depends on the seed and on how many answers were given, so
    /// that the same lines lead to the same game.
    fn answer_at_random(&mut self) -> Result<(), String> {
        let state = &self.game.state;
        let player = state.run.ask.map_or(0, |ask| u64::from(ask.player.0));
        let given = self.game.history.iter().filter(|step| !step.forced).count() as u64;
        let mut draw = Draw::at(self.game.setup.seed, salt("bot"), player, given);
        let answer = decision::random(&self.game.rules, state, |bound| draw.below(bound))
            .ok_or("no legal answer was found at random")?;
        self.game
            .answer(&answer)
            .map_err(|error| self.error(&error))
    }

    fn bot(&mut self, words: &[&str]) -> Reply {
        if self.game.is_over() {
            return Reply::failed("the game is over: nothing is asked");
        }
        let all = words.first() == Some(&"all");
        let times = match all {
            true => MOST_ANSWERS,
            false => match number(words, 1) {
                Ok(times) => times.min(MOST_ANSWERS),
                Err(error) => return Reply::failed(error),
            },
        };
        let begun = self.game.history.len();
        let mut given = 0;
        let mut trouble = None;
        while given < times && !self.game.is_over() {
            if let Err(error) = self.answer_at_random() {
                trouble = Some(error);
                break;
            }
            given += 1;
        }
        if trouble.is_none() && !self.game.is_over() {
            trouble = match all {
                true => Some("the bot gave too many answers: is there an end?".to_owned()),
                false => self.play_bots().err(),
            };
        }
        let mut text = String::new();
        if given > LOGGED {
            // A whole game would fill the screen many times: `log` has it.
            let count = self.game.history.len() - begun;
            text.push_str(&format!(
                "{count} decisions were answered; `log` tells them\n"
            ));
            self.told = self.game.history.len();
        } else {
            text.push_str(&self.news());
        }
        text.push_str(&self.question(false));
        Reply {
            text,
            error: trouble,
            quit: false,
        }
    }

    fn times(
        &mut self,
        words: &[&str],
        mut once: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Reply {
        let times = match number(words, 1) {
            Ok(times) => times,
            Err(error) => return Reply::failed(error),
        };
        let mut error = None;
        for _ in 0..times {
            if let Err(problem) = once(self) {
                error = Some(problem);
                break;
            }
        }
        self.told = self.game.history.len();
        Reply {
            text: self.question(false),
            error,
            quit: false,
        }
    }

    /// Takes back the last answer that was typed, with those of bots after it.
    fn undo(&mut self) -> Result<(), String> {
        loop {
            if !self.game.undo() {
                return Err("there is nothing to undo".to_owned());
            }
            let player = self.game.state.run.ask.map(|ask| ask.player.index());
            match player.and_then(|player| self.actors.get(player)) {
                Some(Actor::Random) => {}
                _ => return Ok(()),
            }
        }
    }

    fn redo(&mut self) -> Result<(), String> {
        loop {
            match self.game.redo() {
                Ok(true) => {}
                Ok(false) => return Err("there is nothing to redo".to_owned()),
                Err(error) => return Err(self.error(&error)),
            }
            let player = self.game.state.run.ask.map(|ask| ask.player.index());
            match player.and_then(|player| self.actors.get(player)) {
                Some(Actor::Random) if !self.game.future.is_empty() => {}
                _ => return Ok(()),
            }
        }
    }

    /// What happened since it was told last. An answer just typed is not told back.
    fn news(&mut self) -> String {
        let begun = self.told;
        self.told = self.game.history.len();
        self.tell(begun..self.told, self.viewer(), true)
    }

    fn log(&self, number: usize, viewer: Viewer) -> String {
        let answered = self.game.history.len();
        let first = answered.saturating_sub(number);
        let mut text = String::new();
        if first == 0 {
            let after = match self.game.history.first() {
                Some(step) => &step.before.table,
                None => &self.game.state.table,
            };
            let narrator = Narrator::new(&self.game.rules, &self.view, after, viewer, self.look);
            text.push_str("Before the first decision:\n");
            text.push_str(&render(
                &indented(narrator.events(&self.game.opening)),
                self.look,
            ));
        }
        text.push_str(&self.tell(first..answered, viewer, false));
        text
    }

    /// Tells some answers and what came of them.
    fn tell(&self, steps: std::ops::Range<usize>, viewer: Viewer, briefly: bool) -> String {
        let history = &self.game.history;
        let mut lines = Vec::new();
        for at in steps.clone() {
            let after = match history.get(at + 1) {
                Some(step) => &step.before.table,
                None => &self.game.state.table,
            };
            let narrator = Narrator::new(&self.game.rules, &self.view, after, viewer, self.look);
            let step = &history[at];
            let mut line = Line::new();
            if !briefly {
                line.push(format!("{:>3} ", at + 1), Paint::Dim);
            }
            line.append(narrator.answer(step));
            lines.push(line);
            lines.extend(indented(narrator.events(&step.events)));
        }
        if briefly && !lines.is_empty() {
            lines.push(Line::new());
        }
        render(&lines, self.look)
    }

    /// A table of the points of all players.
    fn score_lines(&self) -> Result<Vec<Line>, String> {
        let rules = &self.game.rules;
        let all = scores(rules, &self.game.state, &mut Scratch::default())
            .map_err(|fault| self.fault(&fault))?;
        let scoring = &rules.pack.scoring;
        let words = self.words(self.viewer());
        let mut rows: Vec<(String, Vec<i64>, bool)> = Vec::new();
        for (at, term) in scoring.terms.iter().enumerate() {
            let points = all.iter().map(|score| score.terms[at]).collect();
            rows.push((term.name.title.clone(), points, false));
        }
        rows.push((
            "Total".to_owned(),
            all.iter().map(|score| score.total).collect(),
            true,
        ));
        for (at, tie) in scoring.ties.iter().enumerate() {
            let points = all.iter().map(|score| score.ties[at]).collect();
            rows.push((format!("Tie: {}", tie.name.title), points, false));
        }
        rows.push((
            "Place".to_owned(),
            all.iter().map(|score| i64::from(score.place)).collect(),
            true,
        ));
        let first = rows
            .iter()
            .map(|(title, _, _)| super::text::width(title))
            .max()
            .unwrap_or(0);
        let names: Vec<Line> = all.iter().map(|score| words.player(score.player)).collect();
        let column = names.iter().map(Line::width).max().unwrap_or(0).max(5) + 2;
        let mut head = Line::new();
        head.pad(first);
        for name in &names {
            head.push(" ".repeat(column - name.width()), Paint::Plain);
            head.append(name.clone());
        }
        let mut lines = vec![head];
        for (title, points, strong) in rows {
            let paint = if strong { Paint::Bold } else { Paint::Plain };
            let mut line = Line::of(title, paint);
            line.pad(first);
            for number in points {
                line.push(format!("{number:>column$}"), paint);
            }
            lines.push(line);
        }
        Ok(lines)
    }

    fn error(&self, error: &GameError) -> String {
        match error {
            GameError::Fault(fault) => self.fault(fault),
            other => other.to_string(),
        }
    }

    fn fault(&self, fault: &Fault) -> String {
        let style = match self.look.colour {
            true => Style::Colour,
            false => Style::Plain,
        };
        let rules = &self.game.rules;
        render_one(&fault.diagnostic(rules), &rules.pack.sources, style)
    }

    /// What could stand at the end of a line: where the word to be completed begins, and the words.
    pub fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ends = line.is_empty() || line.ends_with(char::is_whitespace);
        let first = words.first().copied().unwrap_or("");
        let command = (words.len() > 1 || (ends && !words.is_empty()))
            .then(|| command::exact(first))
            .flatten();
        let start = line
            .rfind(|letter: char| letter.is_whitespace() || letter == ',')
            .map_or(0, |at| at + 1);
        let mut candidates: Vec<String> = match command.map(|info| info.command) {
            Some(Command::Help) => command_names(),
            Some(Command::Board) => self
                .view
                .panels
                .iter()
                .map(|panel| panel.id.clone())
                .collect(),
            Some(Command::State) => listing::names(&self.words(self.viewer())),
            Some(Command::Bot) => vec!["all".to_owned()],
            Some(Command::Why) if words.len() < 2 || (words.len() == 2 && !ends) => {
                vec!["not".to_owned()]
            }
            Some(Command::Why) => {
                let state = &self.game.state;
                let notices = self.game.notices.iter();
                let keys = notices.filter_map(|event| match event {
                    Event::Refused { parts, .. } => Some(
                        parts
                            .iter()
                            .map(|part| decision::key(&self.game.rules, state, *part))
                            .collect::<Vec<_>>()
                            .join(" "),
                    ),
                    _ => None,
                });
                keys.collect()
            }
            Some(_) => Vec::new(),
            None => {
                // A key of several words is completed as a whole.
                let begun = match self.game.decision() {
                    Some(decision) => decision.choices.into_iter().map(|c| c.key).collect(),
                    None => Vec::new(),
                };
                let whole = line.trim_start();
                let long: Vec<String> = begun
                    .iter()
                    .filter(|key| key.contains(' ') && key.starts_with(whole))
                    .cloned()
                    .collect();
                if !long.is_empty() && !whole.is_empty() {
                    return (line.len() - whole.len(), long);
                }
                let mut all: Vec<String> = begun;
                if words.len() <= 1 && !(ends && words.len() == 1) {
                    all.extend(command_names());
                }
                all
            }
        };
        let begun = &line[start..];
        candidates.retain(|candidate| candidate.starts_with(begun));
        candidates.sort();
        candidates.dedup();
        (start, candidates)
    }
}

/// A game from a record, played again by these rules.
fn load_game(file: &str, rules: &Arc<Rules>) -> Result<Game, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let record =
        Record::from_json(&text).map_err(|error| format!("{file} is no record: {error}"))?;
    if record.pack != rules.pack.id {
        return Err(format!(
            "{file} is a game of `{}`, not of `{}`",
            record.pack, rules.pack.id
        ));
    }
    let rules = record.rules(rules)?;
    replay(&record, Arc::new(rules)).map_err(|error| format!("{file}: {error}"))
}

fn command_names() -> Vec<String> {
    command::COMMANDS
        .iter()
        .map(|info| info.name.to_owned())
        .collect()
}

/// A number among a command's words.
fn number(words: &[&str], default: usize) -> Result<usize, String> {
    match words.first() {
        None => Ok(default),
        Some(word) => match word.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("`{word}` is no number above 0")),
        },
    }
}

/// What sort of answer is wanted, where it is not simply one of the choices.
fn wanted(decision: &Decision) -> Option<String> {
    let mut text = match decision.kind {
        AskKind::One => return None,
        AskKind::Confirm => "yes or no".to_owned(),
        AskKind::Number => format!("{} to {}", decision.least, decision.most),
        AskKind::Texts => format!(
            "{}, with `{}` between them",
            decision.texts_in_words(),
            answer::BETWEEN_TEXTS
        ),
        AskKind::Some => match (decision.least, decision.most) {
            (least, most) if least == most => format!("{least} of them"),
            (0, most) => format!("up to {most}"),
            (least, most) => format!("{least} to {most} of them"),
        },
    };
    if let Some((attribute, most)) = &decision.distinct {
        text.push_str(&format!(", at most {most} different {attribute}"));
    }
    Some(text)
}

/// Lines set in.
fn indented(lines: Vec<Line>) -> Vec<Line> {
    let set_in = |line| {
        let mut whole = Line::plain("    ");
        whole.append(line);
        whole
    };
    lines.into_iter().map(set_in).collect()
}
