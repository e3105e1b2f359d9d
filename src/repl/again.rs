//! The session played again by other rules, with all ways that it was played. Where its answers are no
//! longer accepted it stays as it is until somebody says otherwise.

use std::sync::Arc;

use crate::diag::count;
use crate::flow::drift::{Difference, Drift, drift};
use crate::flow::rebuild::{Rebuilt, Stop, give_again, rebuild};
use crate::flow::timeline::{MomentId, Way};
use crate::flow::{Game, GameError, Record, Timeline};
use crate::scenario::Course;
use crate::script::{Fault, Rules};

use super::board::View;
use super::journal::SavedWay;
use super::session::{Reply, Session};
use super::story::{Cut, Mark, Opened, Opening, failures};

/// Differences that are told at most; the rest is counted.
const MOST_TOLD: usize = 10;

/// Rules to play the session by, with how their board is drawn.
pub(super) struct Fresh {
    pub(super) begin: Begin,
    pub(super) view: View,
}

/// How a game begins by these rules.
pub(super) enum Begin {
    /// As its record says.
    Rules(Arc<Rules>),
    /// As the opened scenario does, which deals the chance that it gives.
    Scenario(Box<Opening>),
}

impl Begin {
    fn rules(&self) -> &Arc<Rules> {
        match self {
            Self::Rules(rules) => rules,
            Self::Scenario(opening) => &opening.scenario.rules,
        }
    }
}

/// What was to be changed.
#[derive(Debug)]
pub(super) struct Wanted {
    /// In words: `with ...`.
    pub(super) what: String,
    /// The command that goes on where the game stops by them.
    pub(super) accept: &'static str,
    /// Whether it was done to the game, so that `undo` takes it back. What was done to files is not.
    pub(super) is_act: bool,
}

/// The game by other rules, up to an answer that they do not accept.
#[derive(Debug)]
pub(super) struct Proposal {
    replayed: Replayed,
    wanted: Wanted,
}

/// A game before it was played by other rules.
#[derive(Debug)]
pub(super) struct Former {
    grown: Grown,
    view: View,
    /// The scenario that was opened.
    opened: Option<Opened>,
    /// What was changed then.
    what: String,
}

/// A game by other rules that were taken back: it can be gone to again as long as nothing was done since.
#[derive(Debug)]
pub(super) struct Later {
    former: Former,
    /// Where the game of before stood when they were taken back.
    pub(super) at: MomentId,
    /// How many moments that game had, and which of the session's it was: with more, something was done.
    moments: usize,
    games: usize,
}

/// A way that was longer by earlier rules: its answers are tried again when the rules change again, as long
/// as nothing else was answered at its end.
#[derive(Clone, Debug)]
pub(super) struct Longer {
    /// Its end by the rules that did not take all of it.
    pub(super) tip: MomentId,
    /// Its name.
    pub(super) name: String,
    /// All of it.
    pub(super) record: Record,
}

/// Ways that were played one by one, as one timeline.
#[derive(Debug)]
pub(super) struct Grown {
    /// The game, where it stands.
    pub(super) game: Game,
    pub(super) timeline: Timeline,
    /// Those of the ways that were longer.
    pub(super) longer: Vec<Longer>,
}

/// A session played again by other rules.
#[derive(Debug)]
struct Replayed {
    grown: Grown,
    view: View,
    /// How many answers were given again.
    given: usize,
    /// Why it goes no further than it does.
    stopped: Option<Stop>,
    /// Ways that became shorter, by their positions, and why.
    cut: Vec<(usize, Stop)>,
    /// Ways that were shorter by the rules before, by their positions.
    regrown: Vec<usize>,
    /// Whether chance was not that of the seed, and is now.
    other_chance: bool,
    /// What came out differently.
    drift: Option<Drift>,
    /// The scenario that was opened, if it goes on.
    opened: Option<Opened>,
}

impl Session {
    /// Plays the session again by other rules. Where they do not accept an answer it stays as it is.
    pub(super) fn play_again(&mut self, fresh: Fresh, wanted: Wanted) -> Reply {
        self.proposal = None;
        let mut replayed = match self.replayed(fresh) {
            Ok(replayed) => replayed,
            Err(why) => return Reply::failed(why),
        };
        let Some(stop) = replayed.stopped.clone() else {
            return self.adopt(replayed, &wanted);
        };
        let Wanted { what, accept, .. } = &wanted;
        let why = self.why_stopped(&mut replayed, &stop);
        let answers = self.game.history.iter().filter(|step| !step.forced);
        let mut message = format!(
            "{what} the game stops at decision {}: {why}\n",
            stop.step + 1
        );
        if let Some(drift) = &replayed.drift {
            message.push_str(&told(drift));
        }
        message.push_str(&format!(
            "the game stays as it is, by the rules as they were; `{accept}` goes on there, with {} of {}",
            replayed.given,
            count(answers.count(), "answer")
        ));
        self.proposal = Some(Proposal { replayed, wanted });
        Reply::failed(message)
    }

    /// Why a game stopped, with the reason for which its rules refuse the answer.
    fn why_stopped(&mut self, replayed: &mut Replayed, stop: &Stop) -> String {
        let (Some(decision), Some(answer)) = (replayed.grown.game.decision(), &stop.rejected)
        else {
            return stop.message.clone();
        };
        // Reasons are told of the game at hand.
        let mut swap = |session: &mut Self| {
            std::mem::swap(&mut session.game, &mut replayed.grown.game);
            std::mem::swap(&mut session.view, &mut replayed.view);
        };
        swap(self);
        let refused = self.refused(&decision, &answer.to_string());
        swap(self);
        let rules = &replayed.grown.game.rules;
        match (refused, &stop.fault) {
            (_, Some(fault)) => self.failed(stop, fault, rules),
            (Some(reason), None) => format!("{}; {reason}", stop.message),
            (None, None) => stop.message.clone(),
        }
    }

    /// Goes on where other rules stopped the game; `else_try` says what makes it stop.
    pub(super) fn accept(&mut self, else_try: &str) -> Reply {
        let Some(Proposal { replayed, wanted }) = self.proposal.take() else {
            return Reply::failed(format!("nothing waits to be accepted: {else_try}"));
        };
        // Answers are lost: the game as it was can be resumed.
        if let Some(journal) = &mut self.journal {
            journal.turn_the_page();
        }
        self.adopt(replayed, &wanted)
    }

    /// Goes on with a game that was played again.
    fn adopt(&mut self, replayed: Replayed, wanted: &Wanted) -> Reply {
        let what = &wanted.what;
        let mut text = format!("{what}: {} given again\n", answers(replayed.given));
        text.push_str(&match &replayed.drift {
            Some(drift) => told(drift),
            None => "nothing comes out differently\n".to_owned(),
        });
        let Grown { timeline, .. } = &replayed.grown;
        for (at, stop) in &replayed.cut {
            // Of the way at hand it was told before this was accepted.
            let why = match &stop.fault {
                Some(fault) if *at != timeline.way() || replayed.stopped.is_none() => {
                    self.failed(stop, fault, &replayed.grown.game.rules)
                }
                _ => stop.message.clone(),
            };
            text.push_str(&format!(
                "way `{}` ends before decision {}: {why}\n",
                timeline.ways()[*at].name,
                stop.step + 1,
            ));
        }
        if !replayed.cut.is_empty() {
            text.push_str("what was answered there is tried again when the rules change again\n");
        }
        for at in &replayed.regrown {
            let Way { name, tip, .. } = &timeline.ways()[*at];
            text.push_str(&format!(
                "way `{name}` has its answers up to decision {} again\n",
                timeline.answers(*tip) + 1
            ));
        }
        if replayed.other_chance {
            text.push_str(
                "chance is that of the seed now: what a file gave of it is not given again\n",
            );
        }
        let asked = self.question(false);
        let former = self.exchange(replayed.grown, replayed.view);
        let (what, opened) = (what.clone(), self.story.opened.take());
        self.former = wanted.is_act.then(|| {
            Box::new(Former {
                what,
                opened,
                ..former
            })
        });
        self.story.reopened = replayed.opened;
        let played = self.play_bots();
        let mut more = self.news();
        more.push_str(&self.question(false));
        // What is asked as it was stands above already.
        if more != asked {
            text.push('\n');
            text.push_str(&more);
        }
        self.after_bots(text, played.err())
    }

    /// Puts another game in the place of the one at hand, which is handed back.
    fn exchange(&mut self, grown: Grown, view: View) -> Former {
        let Grown {
            game,
            timeline,
            longer,
        } = grown;
        self.told = game.history.len();
        self.games += 1;
        self.kept_ways.clear();
        self.proposal = None;
        self.later = None;
        let grown = Grown {
            game: std::mem::replace(&mut self.game, game),
            timeline: std::mem::replace(&mut self.timeline, timeline),
            longer: std::mem::replace(&mut self.longer, longer),
        };
        Former {
            grown,
            view: std::mem::replace(&mut self.view, view),
            opened: None,
            what: String::new(),
        }
    }

    /// Goes back to the rules before the last choice of others, if nothing was done since. Says what was changed.
    ///
    /// # Errors
    /// The whole reply where the files are not as they were then: the game has come to be played by those that they hold.
    pub(super) fn take_back_rules(&mut self) -> Result<Option<String>, Reply> {
        let Some(former) = self.former.take() else {
            return Ok(None);
        };
        if let Some(reply) = self.by_files_of_now(&former, "taken back") {
            if reply.error.is_some() {
                self.former = Some(former);
            }
            return Err(reply);
        }
        let what = former.what.clone();
        let later = self.put_back(*former);
        self.later = Some(Box::new(Later {
            former: later,
            at: self.timeline.now(),
            moments: self.timeline.len(),
            games: self.games,
        }));
        Ok(Some(what))
    }

    /// Where the files are not as they were for a game of before, goes back to what was chosen for it by those of
    /// now; `done` is what did not come about if they do not allow it.
    fn by_files_of_now(&mut self, former: &Former, done: &str) -> Option<Reply> {
        let rules = &former.grown.game.rules;
        if !self.is_outdated(rules) {
            return None;
        }
        let selection = rules.selection();
        let mut reply = self.go_back_to(&selection);
        if self.proposal.is_none()
            && let Some(error) = &mut reply.error
        {
            error.push_str(&format!("\nnothing was {done}"));
        }
        Some(reply)
    }

    /// Puts a game of before in the place of the one at hand, which is handed back to be put back in turn.
    fn put_back(&mut self, former: Former) -> Former {
        let opened = self.story.opened.take();
        let own = self.exchange(former.grown, former.view);
        self.story.reopened = former.opened;
        Former {
            opened,
            what: former.what,
            ..own
        }
    }

    /// The rules that were taken back, if nothing was done since.
    pub(super) fn rules_ahead(&self) -> Option<&Later> {
        let later = self.later.as_deref();
        later.filter(|later| later.moments == self.timeline.len() && later.games == self.games)
    }

    /// Goes on by the rules that were taken back, if the game stands where they were. Says what was changed.
    ///
    /// # Errors
    /// The whole reply where the files are not as they were then: the game has come to be played by those that they hold.
    pub(super) fn redo_rules(&mut self) -> Result<Option<String>, Reply> {
        let now = self.timeline.now();
        if self.rules_ahead().is_none_or(|later| later.at != now) {
            return Ok(None);
        }
        let Some(later) = self.later.take() else {
            return Ok(None);
        };
        if let Some(reply) = self.by_files_of_now(&later.former, "done again") {
            if reply.error.is_some() {
                self.later = Some(later);
            }
            return Err(reply);
        }
        let what = later.former.what.clone();
        let former = self.put_back(later.former);
        self.former = Some(Box::new(former));
        Ok(Some(what))
    }

    /// What earlier rules cut off a way stays with it when it gets another name.
    pub(super) fn rename_longer(&mut self, before: &str, now: &str) {
        for longer in &mut self.longer {
            if longer.name == before {
                longer.name = now.to_owned();
            }
        }
    }

    /// The session by other rules: where the game is now, and every way as far as it goes.
    fn replayed(&mut self, fresh: Fresh) -> Result<Replayed, String> {
        let Fresh { begin, view } = fresh;
        let saved = self.saved();
        let record = self.game.record();
        let (now, mut own_course) = self.build(&record, &begin)?;
        // The way at hand, if the game stands at its end: it need not be played twice.
        let mut own = None;
        let (mut games, mut cut, mut regrown) = (Vec::new(), Vec::new(), Vec::new());
        let mut first_course = None;
        for (at, mut way) in saved.ways.into_iter().enumerate() {
            let short = way.longer.take().map(|longer| {
                let short = way.record.steps.len();
                way.record = longer;
                short
            });
            if at == saved.way && way.record == record {
                first_course = first_course.or(own_course.take());
                if let Some(stop) = now.stopped.clone() {
                    way.longer = Some(way.record.clone());
                    cut.push((at, stop));
                }
                own = Some(way);
                continue;
            }
            let (built, course) = self.build(&way.record, &begin)?;
            // The first game's dealer is the one that stays.
            first_course = first_course.or(course);
            if short.is_some_and(|short| built.game.history.len() > short) {
                regrown.push(at);
            }
            if let Some(stop) = built.stopped {
                way.longer = Some(way.record.clone());
                cut.push((at, stop));
            }
            games.push((way, built.game));
        }
        let other_chance = match &begin {
            Begin::Scenario(_) => false,
            Begin::Rules(_) if same_chance(&record, &now.game.record()) => false,
            Begin::Rules(_) => {
                let as_it_was = Begin::Rules(Arc::clone(&self.game.rules));
                let (same, _) = self.build(&record, &as_it_was)?;
                same.game.state != self.game.state
            }
        };
        let drift = drift(&self.game, &now, self.viewer());
        let opened = match (begin, first_course) {
            (Begin::Scenario(opening), Some(course)) => self.reopened(*opening, course, &now),
            _ => None,
        };
        let depth = now.game.history.len() + now.game.interventions.len();
        let Rebuilt {
            game,
            given,
            stopped,
            ..
        } = now;
        if let Some(way) = own {
            games.insert(saved.way, (way, game));
        }
        Ok(Replayed {
            grown: grow(games, saved.way, depth)?,
            view,
            given,
            stopped,
            cut,
            regrown,
            other_chance,
            drift,
            opened,
        })
    }

    /// A game from a record, with what deals its chance if a scenario does.
    fn build(&self, record: &Record, begin: &Begin) -> Result<(Rebuilt, Option<Course>), String> {
        let opening = match begin {
            Begin::Rules(rules) => {
                let built = rebuild(record, Arc::clone(rules));
                let built = built.map_err(|error| self.cannot_begin(&error, begin.rules()))?;
                return Ok((built, None));
            }
            Begin::Scenario(opening) => opening,
        };
        let (mut course, game) = Course::begin(Arc::clone(&opening.scenario));
        let failures = failures(&mut course, &opening.sources);
        match game.filter(|_| failures.is_empty()) {
            Some(game) => Ok((give_again(record, game), Some(course))),
            None => Err(failures),
        }
    }

    /// Why a script failed on the way, as when it is played.
    fn failed(&self, stop: &Stop, fault: &Fault, rules: &Rules) -> String {
        let shown = self.fault_by(fault, rules);
        format!("{}\n{}", stop.message, shown.trim_end())
    }

    pub(super) fn cannot_begin(&self, error: &GameError, rules: &Rules) -> String {
        match error {
            GameError::Fault(fault) => self.fault_by(fault, rules),
            other => format!("the game cannot begin by these rules: {other}"),
        }
    }

    /// The opened scenario in a game that was built again: its entries as far as the game came by them.
    fn reopened(&self, opening: Opening, course: Course, built: &Rebuilt) -> Option<Opened> {
        let opened = self.story.opened.as_ref()?;
        let (old, new) = (&self.game, &built.game);
        let ends = (old.history.len(), new.history.len());
        let place = |answers: usize| {
            let ends = built.stopped.is_none().then_some(ends);
            let mut places = built.same.iter().copied().chain(ends);
            places.find_map(|(was, is)| (was == answers).then_some(is))
        };
        // Where the game has gone another way since, what was cut off no longer follows.
        let cut = opened.cut.as_deref();
        let cut = cut.and_then(|cut| Some((cut, cut.following(&opened.marks)?)));
        let beyond = cut.map_or(&[][..], |(_, marks)| marks);
        let moved = |mark: &Mark| {
            let passed = old.came_by(mark.answers, mark.changes, mark.digest);
            let answers = place(mark.answers).filter(|_| passed)?;
            Some(Mark {
                answers,
                digest: new.state_at(answers, mark.changes).digest(),
                next: place(mark.next).unwrap_or(answers),
                changes: mark.changes,
            })
        };
        let all = opened.marks.iter().chain(beyond);
        let mut marks: Vec<Mark> = all.map_while(moved).collect();
        let whole = cut.map_or(&opened.text, |(cut, _)| &cut.text);
        // Other entries than those that the game came by may stand where some were cut off.
        let known = match opening.text == *whole {
            true => marks.len(),
            false => opened.marks.len(),
        };
        let after = known.min(opening.scenario.plays.len() + 1).min(marks.len());
        let rest = marks.split_off(after);
        if marks.is_empty() {
            return None;
        }
        let cut = (!rest.is_empty()).then(|| Cut {
            text: whole.clone(),
            marks: rest,
            after,
        });
        let mut now = opening.opened(course, marks);
        now.cut = cut.map(Box::new);
        Some(now)
    }
}

/// Whether chance brought the same in two games of the same answers.
fn same_chance(one: &Record, other: &Record) -> bool {
    let steps = |record: &Record| record.steps.len();
    let mut pairs = one.steps.iter().zip(&other.steps);
    one.chance == other.chance
        && steps(one) == steps(other)
        && pairs.all(|(one, other)| one.chance == other.chance)
}

/// What came out differently, in words.
fn told(drift: &Drift) -> String {
    let mut text = format!(
        "it comes out differently from decision {} on:\n",
        drift.decision + 1
    );
    let list = |text: &mut String, differences: &[Difference]| {
        for difference in differences.iter().take(MOST_TOLD) {
            text.push_str(&format!("  {difference}\n"));
        }
        if differences.len() > MOST_TOLD {
            text.push_str(&format!("  and {} more\n", differences.len() - MOST_TOLD));
        }
    };
    list(&mut text, &drift.there);
    if !drift.now.is_empty() {
        text.push_str("and now:\n");
        list(&mut text, &drift.now);
    }
    text
}

/// Ways that were played one by one as a timeline, with the game at a depth of one of them.
///
/// # Errors
/// When there is no such way, or two have the same name.
pub(super) fn grow(ways: Vec<(SavedWay, Game)>, way: usize, depth: usize) -> Result<Grown, String> {
    let mut grown: Option<(Game, Timeline)> = None;
    let mut longer = Vec::new();
    for (saved, game) in ways {
        let timeline = match &mut grown {
            None => {
                let mut timeline = Timeline::new(&game);
                timeline.rename(&saved.name, saved.named);
                &mut grown.insert((game, timeline)).1
            }
            Some((_, timeline)) => {
                timeline.graft(&game, &saved.name, saved.named)?;
                timeline
            }
        };
        let tip = timeline.ways().last().map(|way| way.tip);
        longer.extend(tip.zip(saved.longer).map(|(tip, record)| Longer {
            tip,
            name: saved.name,
            record,
        }));
    }
    let (mut game, mut timeline) = grown.ok_or("it is empty")?;
    if way >= timeline.ways().len() {
        return Err("it is damaged".to_owned());
    }
    timeline.switch(&mut game, way);
    let moment = timeline.at_depth(way, depth);
    timeline.go(&mut game, moment);
    Ok(Grown {
        game,
        timeline,
        longer,
    })
}

/// So many answers, in words.
pub(super) fn answers(number: usize) -> String {
    count(number, "answer")
}
