//! Playing a scenario: its answers are given, its expectations checked.

use std::sync::Arc;

use crate::diag::{self, Report, Span};
use crate::flow::decision;
use crate::flow::{Decision, Game, GameError, Item, Setting, Written, scores};
use crate::script::{Rules, Scratch, State};
use crate::table::Event;
use crate::table::chance::{Draw, salt};
use crate::table::event::hint;

use super::dealer::Hand;
use super::golden::refusal;
use super::model::{About, Act, Asked, Chance, Expectation, Play, Scenario, Wanted};

/// What did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where it stands in the scenario.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// A script's failure as its author sees it; empty otherwise.
    pub detail: String,
    /// Where in the pack a script failed, as `file:line:column`; nothing otherwise.
    pub fault: Option<String>,
    /// Whether it is an answer that is not offered.
    pub unoffered: bool,
}

/// A scenario that was played, as far as it went.
#[derive(Debug)]
pub struct Played {
    /// The game; there is none if it could not begin.
    pub game: Option<Game>,
    /// What did not hold, in the order in which it was found.
    pub failures: Vec<Failure>,
}

/// Most answers that a set-up may take before the wanted start.
const MOST_SET_UP: usize = 1000;

/// Plays a scenario to its end, or to the first answer that cannot be given.
pub fn play(scenario: &Arc<Scenario>) -> Played {
    let (mut course, game) = Course::begin(Arc::clone(scenario));
    let Some(mut game) = game else {
        return Played {
            game: None,
            failures: course.failures,
        };
    };
    if (0..scenario.plays.len()).all(|at| course.entry(&mut game, at)) {
        course.end(&mut game);
    }
    Played {
        game: Some(game),
        failures: course.failures,
    }
}

/// A scenario while it is played, entry by entry.
#[derive(Debug)]
pub struct Course {
    scenario: Arc<Scenario>,
    hand: Hand,
    /// What did not hold so far.
    pub failures: Vec<Failure>,
    /// The first answer in the game's history that no entry has given yet: a forced one.
    pub next: usize,
}

impl Course {
    /// Begins a scenario; there is no game if it cannot begin.
    pub fn begin(scenario: Arc<Scenario>) -> (Self, Option<Game>) {
        let mut course = Self {
            hand: Hand::new(&scenario.chance, Arc::clone(&scenario.rules)),
            scenario,
            failures: Vec::new(),
            next: 0,
        };
        let game = course.game();
        (course, game)
    }

    /// The chance that was dealt so far.
    pub fn dealt(&self) -> Chance {
        self.hand.dealt()
    }

    fn fail(&mut self, span: Span, message: impl Into<String>) {
        self.failures.push(Failure {
            span,
            message: message.into(),
            detail: String::new(),
            fault: None,
            unoffered: false,
        });
    }

    /// Reports an answer that is not offered.
    fn unoffered(&mut self, span: Span, message: String) {
        self.failures.push(Failure {
            span,
            message,
            detail: String::new(),
            fault: None,
            unoffered: true,
        });
    }

    /// Reports an error of the game.
    fn error(&mut self, span: Span, error: &GameError) {
        let span = self.hand.impossible().unwrap_or(span);
        let (detail, fault) = match error {
            GameError::Fault(fault) => {
                let mut report = Report::new();
                report.push(fault.diagnostic(&self.scenario.rules));
                let sources = &self.scenario.rules.pack.sources;
                let detail = crate::diag::render(&report, sources, crate::diag::Style::PLAIN);
                (detail, Some(sources.place(fault.span)))
            }
            _ => (String::new(), None),
        };
        self.failures.push(Failure {
            span,
            message: error.to_string(),
            detail,
            fault,
            unoffered: false,
        });
    }

    fn game(&mut self) -> Option<Game> {
        let scenario = Arc::clone(&self.scenario);
        if scenario.setup.start.is_none() {
            self.hand.wake();
        }
        let settings: Vec<Setting> = scenario
            .table
            .iter()
            .map(|(setting, _)| setting.clone())
            .collect();
        let begun = Game::arranged(
            Arc::clone(&scenario.rules),
            scenario.setup,
            &settings,
            Some(Box::new(self.hand.clone())),
        );
        let begun = begun.and_then(|mut game| match self.set_up(&mut game) {
            Ok(true) => Ok(Some(game)),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        });
        match begun {
            Ok(game) => {
                let game = game?;
                self.next = game.set_up().map_or(0, |set_up| set_up.answers);
                Some(game)
            }
            Err(GameError::Setting { index, message, .. }) => {
                let span = scenario.table.get(index);
                self.fail(span.map_or(scenario.end, |(_, span)| *span), message);
                None
            }
            Err(error) => {
                self.error(scenario.end, &error);
                None
            }
        }
    }

    /// Answers what the set-up asks; `false` if an answer cannot be given.
    fn set_up(&mut self, game: &mut Game) -> Result<bool, GameError> {
        let scenario = Arc::clone(&self.scenario);
        let mut left: Vec<&(Asked, Written, Span)> = scenario.set_up.iter().collect();
        for nth in 0..MOST_SET_UP {
            let Some(decision) = game.decision().filter(|_| game.setting_up()) else {
                break;
            };
            let given = left.iter().position(|(asked, _, _)| {
                asked.decision == decision.key && asked.player == decision.player
            });
            let answer = match given.map(|at| left.remove(at)) {
                Some((asked, answer, span)) => match decision.read(answer) {
                    Ok(answer) => answer,
                    Err(rejection) => {
                        self.unoffered(*span, format!("`{asked}`: {rejection}"));
                        return Ok(false);
                    }
                },
                None => {
                    let player = u64::from(decision.player.0);
                    let mut draw =
                        Draw::at(scenario.setup.seed, salt("set_up"), player, nth as u64);
                    decision::random(&scenario.rules, &game.state, |bound| draw.below(bound))
                        .ok_or_else(|| GameError::Start("the set-up has no answer".to_owned()))?
                }
            };
            game.answer(&answer)?;
        }
        if game.setting_up() {
            return Err(GameError::Start(
                "the wanted start is never reached: the set-up asks on and on".to_owned(),
            ));
        }
        for (asked, _, span) in left {
            self.fail(*span, format!("the set-up does not ask `{asked}`"));
        }
        Ok(true)
    }

    /// Plays an entry; `false` if what follows makes no sense any more.
    pub fn entry(&mut self, game: &mut Game, at: usize) -> bool {
        let scenario = Arc::clone(&self.scenario);
        match scenario.plays.get(at) {
            Some(play) => self.play(game, play),
            None => false,
        }
    }

    /// Plays an entry; `false` if what follows makes no sense any more.
    fn play(&mut self, game: &mut Game, play: &Play) -> bool {
        let done = match &play.act {
            Act::Nothing => true,
            Act::Set(settings) => self.set(game, settings),
            Act::Look(asked) => self.look(game, play, asked),
            Act::Answer(asked, answer) => self.answer(game, play, asked, answer),
        };
        if done {
            for expectation in &play.expect {
                self.expect(game, expectation);
            }
        }
        done
    }

    fn set(&mut self, game: &mut Game, settings: &[(Setting, Span)]) -> bool {
        let Some((_, span)) = settings.first() else {
            return true;
        };
        let settings: Vec<Setting> = settings
            .iter()
            .map(|(setting, _)| setting.clone())
            .collect();
        match game.intervene(&settings) {
            Ok(()) => true,
            Err(error) => {
                self.error(*span, &error);
                false
            }
        }
    }

    fn look(&mut self, game: &mut Game, play: &Play, asked: &Asked) -> bool {
        self.next = game.history.len();
        let Some(decision) = self.pending(game, play.span, asked) else {
            return false;
        };
        let state = game.state.clone();
        let notices = game.notices.clone();
        self.about(play, &decision, &notices, &state);
        true
    }

    fn answer(&mut self, game: &mut Game, play: &Play, asked: &Asked, answer: &Written) -> bool {
        // Forced answers may be left out; the first that is the same is the one that is meant.
        let forced = (self.next..game.history.len()).find(|index| {
            let step = &game.history[*index];
            step.decision.key == asked.decision
                && step.decision.player == asked.player
                && step.decision.read(answer).is_ok_and(|read| {
                    step.decision.write(&read) == step.decision.write(&step.answer)
                })
        });
        if let Some(index) = forced {
            self.next = index + 1;
            let step = &game.history[index];
            let (decision, notices, before) = (
                step.decision.clone(),
                step.notices.clone(),
                step.before.clone(),
            );
            self.about(play, &decision, &notices, &before);
            return true;
        }
        let Some(decision) = self.pending(game, play.span, asked) else {
            return false;
        };
        let state = game.state.clone();
        let notices = game.notices.clone();
        self.about(play, &decision, &notices, &state);
        for about in &play.about {
            if let About::Rejected { answer, span } = about
                && let Ok(read) = decision.read(answer)
                && game.answer(&read).is_ok()
            {
                if self.failures.iter().all(|failure| failure.span != *span) {
                    self.fail(*span, format!("`{answer}` is accepted"));
                }
                return false;
            }
        }
        if game.state != state {
            self.fail(play.span, "a rejected answer has changed the game");
            return false;
        }
        let read = match decision.read(answer) {
            Ok(read) => read,
            Err(rejection) => {
                let why = why_not(game, answer);
                self.unoffered(play.span, format!("`{asked}`: {rejection}{why}"));
                return false;
            }
        };
        self.next = game.history.len() + 1;
        match game.answer(&read) {
            Ok(()) => true,
            Err(error) => {
                self.error(play.span, &error);
                false
            }
        }
    }

    /// The pending decision, if it is the one that is meant.
    fn pending(&mut self, game: &Game, span: Span, asked: &Asked) -> Option<Decision> {
        let forced: Vec<String> = game.history[self.next.min(game.history.len())..]
            .iter()
            .map(|step| {
                format!(
                    "`player_{}.{}` was forced to be `{}`",
                    step.decision.player.0 + 1,
                    step.decision.key,
                    step.decision.write(&step.answer)
                )
            })
            .collect();
        let aside = match forced.as_slice() {
            [] => String::new(),
            some => format!("; {}", some.join(", ")),
        };
        match game.decision() {
            Some(decision) if decision.key == asked.decision && decision.player == asked.player => {
                Some(decision)
            }
            Some(decision) => {
                let message = format!(
                    "`{asked}` is not asked: now it is `player_{}.{}`{aside}",
                    decision.player.0 + 1,
                    decision.key
                );
                self.fail(span, message);
                None
            }
            None => {
                let message = format!("`{asked}` is not asked: the game is over{aside}");
                self.fail(span, message);
                None
            }
        }
    }

    fn about(&mut self, play: &Play, decision: &Decision, notices: &[Event], before: &State) {
        let count = |key: &str| {
            decision
                .choices
                .iter()
                .find(|choice| choice.key == key)
                .map(|choice| choice.count)
        };
        for about in &play.about {
            match about {
                About::Offered {
                    key,
                    count: wanted,
                    span,
                } => match (count(key), wanted) {
                    (None, _) => {
                        let reasons = refusals(&self.scenario.rules, before, notices, key);
                        let why = match reasons.first() {
                            Some(reason) => format!(", but refused: {reason}"),
                            None => String::new(),
                        };
                        self.fail(*span, format!("`{key}` is not offered{why}"));
                    }
                    (Some(found), Some(wanted)) if i64::from(found) != *wanted => {
                        self.fail(
                            *span,
                            format!("`{key}` is offered {}", diag::count(found, "time")),
                        );
                    }
                    _ => {}
                },
                About::NotOffered { key, span } => {
                    if count(key).is_some() {
                        self.fail(*span, format!("`{key}` is offered"));
                    }
                }
                About::Choices { keys, span } => {
                    let mut found: Vec<&str> = decision
                        .choices
                        .iter()
                        .map(|choice| choice.key.as_str())
                        .collect();
                    found.sort_unstable();
                    if found != *keys {
                        self.fail(*span, format!("the choices are {}", found.join(", ")));
                    }
                }
                About::Refused { key, reason, span } => {
                    let found = refusals(&self.scenario.rules, before, notices, key);
                    let fits = found.iter().any(|found| {
                        found == reason
                            || !reason.contains(' ') && found.split(' ').next() == Some(reason)
                    });
                    if count(key).is_some() {
                        self.fail(*span, format!("`{key}` is offered"));
                    } else if found.is_empty() {
                        self.fail(*span, format!("`{key}` is not refused"));
                    } else if !fits {
                        let found = found.join(", ");
                        self.fail(
                            *span,
                            format!("`{key}` is refused for another reason: {found}"),
                        );
                    }
                }
                About::Hint { key, text, span } => {
                    let choice = decision.choices.iter().find(|choice| choice.key == *key);
                    let said = choice.map(|choice| hint(notices, choice.offer));
                    match said {
                        Some(Some(said)) if said == text => {}
                        Some(Some(said)) => {
                            self.fail(*span, format!("of `{key}` it says `{said}`"))
                        }
                        Some(None) => self.fail(*span, format!("nothing is said of `{key}`")),
                        None => self.fail(*span, format!("`{key}` is not offered")),
                    }
                }
                About::Rejected { answer, span } => {
                    let accepted = decision.read(answer).is_ok_and(|read| {
                        decision.check(&self.scenario.rules, before, &read).is_ok()
                    });
                    if accepted {
                        self.fail(*span, format!("`{answer}` is accepted"));
                    }
                }
            }
        }
    }

    fn expect(&mut self, game: &mut Game, expectation: &Expectation) {
        let rules = Arc::clone(&self.scenario.rules);
        let layout = rules.layout();
        let span = expectation.span;
        match &expectation.what {
            Wanted::Item(setting) => {
                let state = &game.state.table;
                let found = Item::parse(layout, state, &setting.item)
                    .and_then(|item| item.expect(layout, state, &setting.value));
                if let Err(found) = found {
                    let message = format!("`{}` is {found}, not {}", setting.item, setting.value);
                    self.fail(span, message);
                }
            }
            Wanted::Sees(sight) => {
                if let Err(text) = sight.check(layout, &game.state.table) {
                    self.fail(span, text);
                }
            }
            Wanted::Asked(asked) => {
                self.pending(game, span, asked);
            }
            Wanted::NotAsked { asked, ever } => {
                let from = match ever {
                    true => game.set_up().map_or(0, |set_up| set_up.answers),
                    false => self.next.min(game.history.len()),
                };
                let is = |decision: &Decision| {
                    decision.key == asked.decision && decision.player == asked.player
                };
                if game.decision().is_some_and(|decision| is(&decision)) {
                    self.fail(span, format!("`{asked}` is asked"));
                } else if let Some(step) =
                    game.history[from..].iter().find(|step| is(&step.decision))
                {
                    let answer = step.decision.write(&step.answer);
                    self.fail(
                        span,
                        format!("`{asked}` was asked, and answered by `{answer}`"),
                    );
                }
            }
            Wanted::Over(over) => {
                if game.is_over() != *over {
                    let message = if *over {
                        "the game is not over"
                    } else {
                        "the game is over"
                    };
                    self.fail(span, message);
                }
            }
            Wanted::Scores(wanted) => {
                match scores(&self.scenario.rules, &game.state, &mut Scratch::default()) {
                    Ok(scores) => {
                        let found: Vec<i64> = scores.iter().map(|score| score.total).collect();
                        if found != *wanted {
                            self.fail(span, format!("the scores are {found:?}, not {wanted:?}"));
                        }
                    }
                    Err(fault) => self.error(span, &GameError::Fault(fault)),
                }
            }
            Wanted::Winner(wanted) => {
                match scores(&self.scenario.rules, &game.state, &mut Scratch::default()) {
                    Ok(scores) => {
                        let found: Vec<i64> = scores
                            .iter()
                            .filter(|score| score.place == 1)
                            .map(|score| i64::from(score.player.0) + 1)
                            .collect();
                        if found != *wanted {
                            self.fail(span, format!("the winner is {found:?}, not {wanted:?}"));
                        }
                    }
                    Err(fault) => self.error(span, &GameError::Fault(fault)),
                }
            }
        }
    }

    /// Checks what holds at the end: nothing may be left over.
    pub fn end(&mut self, game: &mut Game) {
        let scenario = Arc::clone(&self.scenario);
        self.next = game.history.len();
        for expectation in &scenario.expect {
            self.expect(game, expectation);
        }
        let says = scenario
            .expect
            .iter()
            .any(|expectation| matches!(expectation.what, Wanted::Asked(_)));
        if let Some(decision) = game.decision()
            && !says
        {
            let message = format!(
                "no answer is given to `player_{}.{}`: {}",
                decision.player.0 + 1,
                decision.key,
                decision.would_do()
            );
            let span = scenario.plays.last().map_or(scenario.end, |play| play.span);
            self.fail(span, message);
        }
        for (message, span) in self.hand.unused() {
            self.fail(span, message);
        }
    }
}

/// The reasons for which a choice is refused.
fn refusals(rules: &Rules, state: &State, notices: &[Event], key: &str) -> Vec<String> {
    notices
        .iter()
        .filter_map(|event| refusal(rules, state, event))
        .filter(|(refused, _)| refused == key)
        .map(|(_, reason)| reason)
        .collect()
}

/// Why an answer is refused, if scripts said so.
fn why_not(game: &Game, answer: &Written) -> String {
    let keys = match answer {
        Written::One(key) => std::slice::from_ref(key),
        Written::Some(keys) => keys.as_slice(),
        _ => &[],
    };
    let reasons: Vec<String> = keys
        .iter()
        .flat_map(|key| refusals(&game.rules, &game.state, &game.notices, key))
        .collect();
    match reasons.first() {
        Some(reason) => format!(" (refused: {reason})"),
        None => String::new(),
    }
}
