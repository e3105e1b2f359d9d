//! Answers taken back and given again, and the tree of ways that the game was played.

use std::sync::Arc;

use crate::diag::{count, nearest};
use crate::flow::game::Step;
use crate::flow::timeline::{Act, MomentId};
use crate::pack::Selection;
use crate::repl::again::answers;
use crate::repl::command::{Args, Candidates, Info, no_candidates, whole};
use crate::repl::commands::rules::told;
use crate::repl::narrate::Narrator;
use crate::repl::session::{Actor, Reply, Session};
use crate::repl::text::{Line, Paint, render, width};

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "undo",
        arguments: "[N]",
        about: "take back the last answer, or the last N",
        examples: &[
            (
                "undo",
                "one answer, with those of bots after it; or a `set`, a `put`, a `variant`; never a `reload`",
            ),
            ("undo 3", "three answers; as many as there are"),
        ],
        run: undo,
        complete: no_candidates,
    },
    Info {
        name: "redo",
        arguments: "[N]",
        about: "do again what was taken back last, or the last N",
        examples: &[
            (
                "redo",
                "one answer; or a `set`, a `put`, a `variant`, as long as nothing was done since",
            ),
            ("redo 3", "three answers"),
        ],
        run: redo,
        complete: no_candidates,
    },
    Info {
        name: "goto",
        arguments: "N | start | end",
        about: "go to where decision N is asked, on this way",
        examples: &[
            ("goto 12", "before the answer that `log` numbers 12"),
            ("goto start", "to the first decision"),
            ("goto end", "to where this way has come"),
        ],
        run: go_to,
        complete: |_, text| Candidates::first(text, vec!["start".to_owned(), "end".to_owned()]),
    },
    Info {
        name: "timeline",
        arguments: "",
        about: "show the ways that were tried, and where each leaves another",
        examples: &[(
            "timeline",
            "`undo` and another answer begin a new way; the old one is kept",
        )],
        run: |session, _| Reply::ok(session.timeline_text()),
        complete: no_candidates,
    },
    Info {
        name: "branch",
        arguments: "NAME",
        about: "name the way you are on, or begin one here if it has a name",
        examples: &[("branch early", "`switch early` comes back to it later")],
        run: branch,
        complete: no_candidates,
    },
    Info {
        name: "switch",
        arguments: "NAME",
        about: "go to the end of another way",
        examples: &[("switch main", "the way that the game took first")],
        run: switch,
        complete: |session, text| {
            let ways = session.timeline.ways().iter();
            Candidates::first(text, ways.map(|way| way.name.clone()).collect())
        },
    },
    Info {
        name: "restart",
        arguments: "",
        about: "go back to the beginning; this way is kept",
        examples: &[(
            "restart",
            "`redo` or `switch` come back; `seed N` deals anew",
        )],
        run: |session, _| session.go_to_start(),
        complete: no_candidates,
    },
];

/// Acts that `undo` and `redo` name one by one at most.
const MOST_NAMED: usize = 5;

/// What is to know of breakpoints at the first decision.
const NOT_AGAIN: &str = "breakpoints stop answers on their way: what comes before the first decision is not done again, \
                         and never stops\n";

fn undo(session: &mut Session, args: &Args<'_>) -> Reply {
    let times = match args.number(1) {
        Ok(times) => times,
        Err(error) => return Reply::failed(error),
    };
    // Other rules are no act of the timeline: they are what was done last, if they are known still.
    let rules = match session.take_back_rules() {
        Ok(rules) => rules,
        Err(reply) => return reply,
    };
    let left = times - usize::from(rules.is_some());
    let begun = session.timeline.now();
    let back = session.to_undo(left);
    if back.is_empty() && rules.is_none() {
        return session.nothing_to_undo();
    }
    let mut lines: Vec<Line> = Vec::new();
    lines.extend(rules.map(|what| Line::plain(format!("took back: {what}"))));
    if let Some(to) = back.last() {
        let mut acts: Vec<MomentId> = session.timeline.back(begun, *to).collect();
        acts.reverse();
        lines.extend(session.acts_told("took back", &acts));
    }
    let reply = match back.last() {
        Some(to) => {
            session.timeline.take_back(&mut session.game, *to);
            session.arrived()
        }
        None => session.arrived(),
    };
    if back.len() < left {
        lines.push(Line::plain(match session.further_back() {
            Some(more) => format!("there is no more of yours to take back: {more}"),
            None => "there is no more to take back: this is the start".to_owned(),
        }));
    }
    session.told_above(&lines, reply)
}

fn redo(session: &mut Session, args: &Args<'_>) -> Reply {
    let times = match args.number(1) {
        Ok(times) => times,
        Err(error) => return Reply::failed(error),
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut left = times;
    // Rules that were taken back stand between the answers that were taken back after them and those of their own game.
    let until = session.rules_ahead().map(|later| later.at);
    left -= session.answer_again(left, until, &mut lines);
    if left > 0 {
        match session.redo_rules() {
            Ok(None) => {}
            Ok(Some(what)) => {
                lines.push(Line::plain(format!("did again: {what}")));
                left -= 1;
                let more = session.answer_again(left, None, &mut lines);
                if more > 0 {
                    // The rules are not what was done last any more.
                    session.former = None;
                }
                left -= more;
            }
            Err(reply) => return session.told_above(&lines, reply),
        }
    }
    if left == times {
        return Reply::failed("there is nothing to redo");
    }
    if left > 0 {
        lines.push(Line::plain(
            "there is no more to do again: this way ends here",
        ));
    }
    let reply = session.arrived();
    session.told_above(&lines, reply)
}

fn go_to(session: &mut Session, args: &Args<'_>) -> Reply {
    let stands = session.timeline.stands();
    let (Some(first), Some(last)) = (stands.first(), stands.last()) else {
        return Reply::failed("nothing was asked yet");
    };
    let wanted = match args.words[..] {
        ["start"] => return session.go_to_start(),
        ["end"] => *last,
        [number] => match whole::<usize>(number, "number") {
            Ok(number) => {
                let before = |moment: &MomentId| session.timeline.answers(*moment) < number;
                let over = session.timeline.state(*last).is_over();
                let most = session.timeline.answers(*last) + usize::from(!over);
                if number > most {
                    return Reply::failed(format!("this way has come to decision {most}"));
                }
                let wanted = *stands
                    .iter()
                    .rfind(|moment| before(moment))
                    .unwrap_or(first);
                let why = session.why_elsewhere(number, wanted);
                let mut reply = session.stand(wanted);
                if let Some(why) = why {
                    reply.text.insert_str(0, &format!("{why}\n"));
                }
                return reply;
            }
            Err(why) => {
                return Reply::failed(match session.timeline.find(number) {
                    Some(_) => format!("`{number}` is a way: `switch {number}`"),
                    None => format!("{why}: `goto 12`, `goto start`, `goto end`"),
                });
            }
        },
        _ => return Reply::failed("a number is wanted: `goto 12`, `goto start`, `goto end`"),
    };
    session.stand(wanted)
}

fn branch(session: &mut Session, args: &Args<'_>) -> Reply {
    let [name] = args.words[..] else {
        return Reply::failed("a name of one word is wanted: `branch early`");
    };
    let way = session.timeline.way();
    let before = session.timeline.ways()[way].name.clone();
    if let Err(error) = session.timeline.branch(name) {
        return Reply::failed(error);
    }
    // The game by the rules that were taken back knows nothing of this name.
    session.later = None;
    if session.timeline.ways()[way].name == name {
        session.rename_longer(&before, name);
    }
    Reply::ok(format!("this way is `{name}`\n"))
}

fn switch(session: &mut Session, args: &Args<'_>) -> Reply {
    let ways = || session.timeline.ways().iter().map(|way| way.name.as_str());
    let [name] = args.words[..] else {
        let all: Vec<&str> = ways().collect();
        return Reply::failed(format!("a way is wanted: {}", all.join(", ")));
    };
    match session.timeline.find(name) {
        Some(way) => {
            session.timeline.switch(&mut session.game, way);
            let changes = session.changes_told(way);
            let reply = session.arrived();
            session.told_above(&changes, reply)
        }
        None => Reply::failed(match nearest(name, ways()) {
            Some(near) => format!("there is no way `{name}`; did you mean `{near}`?"),
            None => format!("there is no way `{name}`; `timeline` shows them"),
        }),
    }
}

impl Session {
    /// The moments before what whoever types did last, the latest first: answers, and changes from outside.
    fn to_undo(&self, most: usize) -> Vec<MomentId> {
        let path = self.timeline.path(self.timeline.now());
        let before = path.windows(2).filter_map(|pair| {
            let (after, before) = (pair[0], pair[1]);
            let own = self.is_change(after) || self.is_mine(before);
            (own && self.timeline.is_stand(before)).then_some(before)
        });
        before.take(most).collect()
    }

    /// The moments after what was taken back, in order.
    fn to_redo(&self, most: usize) -> Vec<MomentId> {
        let after = self.timeline.later();
        let own = after.filter(|moment| self.is_mine(*moment) || self.is_change(*moment));
        own.take(most).collect()
    }

    /// Does again what was taken back, so many acts at most and none after a moment. Says how many they are.
    fn answer_again(
        &mut self,
        most: usize,
        until: Option<MomentId>,
        lines: &mut Vec<Line>,
    ) -> usize {
        let begun = self.timeline.now();
        if until == Some(begun) {
            return 0;
        }
        let mut ahead = self.to_redo(most);
        if let Some(at) = ahead.iter().position(|moment| Some(*moment) == until) {
            ahead.truncate(at + 1);
        }
        let Some(to) = ahead.last() else {
            return 0;
        };
        let mut acts: Vec<MomentId> = self.timeline.back(*to, begun).collect();
        acts.reverse();
        lines.extend(self.acts_told("did again", &acts));
        self.timeline.go(&mut self.game, *to);
        ahead.len()
    }

    /// Whether a change from outside led to a moment.
    fn is_change(&self, moment: MomentId) -> bool {
        matches!(self.timeline.came(moment), Some((_, Act::Change(_))))
    }

    /// Why nothing can be taken back, and what leads further.
    fn nothing_to_undo(&self) -> Reply {
        Reply::failed(match self.further_back() {
            Some(more) => format!("there is nothing of yours to undo: {more}"),
            None => "there is nothing to undo".to_owned(),
        })
    }

    /// What leads to before the answers of bots that stand before all others, if there are any.
    fn further_back(&self) -> Option<&'static str> {
        let earlier = self.timeline.earlier().next();
        earlier.map(|_| "the answers before are those of bots, and `goto 1` goes to before them")
    }

    /// The acts that led to some moments, in order: one by one those of whoever types, or how many there are.
    fn acts_told(&self, what: &str, moments: &[MomentId]) -> Vec<Line> {
        let acts: Vec<(MomentId, &Act)> = moments
            .iter()
            .filter_map(|moment| self.timeline.came(*moment))
            .collect();
        let own: Vec<&(MomentId, &Act)> = acts
            .iter()
            .filter(|(from, act)| match act {
                Act::Answer(step) => !step.forced && self.is_mine(*from),
                Act::Change(_) => true,
            })
            .collect();
        if own.len() > MOST_NAMED {
            let changes = acts.iter().filter(|(_, act)| matches!(act, Act::Change(_)));
            let changes = changes.count();
            let with = match changes {
                0 => String::new(),
                some => format!(" and {}", count(some, "change")),
            };
            let answers = answers(acts.len() - changes);
            return vec![Line::plain(format!("{what}: {answers}{with}"))];
        }
        own.into_iter()
            .map(|(from, act)| {
                let mut line = Line::plain(format!("{what}: "));
                line.append(self.act_line(*from, act));
                line
            })
            .collect()
    }

    /// A reply with some lines above it.
    fn told_above(&self, lines: &[Line], mut reply: Reply) -> Reply {
        reply.text.insert_str(0, &render(lines, self.look));
        reply
    }

    /// Whether a moment is one at which whoever types is asked, or the end of the game.
    fn is_mine(&self, moment: MomentId) -> bool {
        match self.timeline.state(moment).run.ask {
            Some(ask) => self.actors.get(ask.player.index()) == Some(&Actor::Human),
            None => true,
        }
    }

    fn go_to_start(&mut self) -> Reply {
        let stands = self.timeline.stands();
        match stands.iter().find(|moment| self.is_mine(**moment)) {
            Some(first) => {
                let mut reply = self.stand(*first);
                if !self.breaks.is_empty() {
                    reply.text.push_str(NOT_AGAIN);
                }
                reply
            }
            None => Reply::failed("nothing was asked yet"),
        }
    }

    /// Why a decision of the present way that is wanted by its number is not the one that a moment stands at, if it is not.
    fn why_elsewhere(&self, number: usize, there: MomentId) -> Option<String> {
        let stands_at = self.timeline.answers(there) + 1;
        if stands_at == number {
            return None;
        }
        let tip = self.timeline.ways()[self.timeline.way()].tip;
        let mut path = self.timeline.path(tip).into_iter();
        let answered = path.find_map(|moment| match self.timeline.came(moment)? {
            (from, Act::Answer(step)) if self.timeline.answers(from) + 1 == number => {
                Some(Arc::clone(step))
            }
            _ => None,
        });
        Some(elsewhere(number, answered.as_deref(), stands_at))
    }

    /// Puts the game at a moment and asks what is asked there.
    fn stand(&mut self, moment: MomentId) -> Reply {
        self.timeline.go(&mut self.game, moment);
        self.arrived()
    }

    fn arrived(&mut self) -> Reply {
        self.told = self.game.history.len();
        Reply::ok(self.question(false))
    }

    fn timeline_text(&self) -> String {
        let ways = self.timeline.ways();
        let forks: Vec<_> = (0..ways.len()).map(|way| self.timeline.fork(way)).collect();
        let mut order = Vec::new();
        self.in_order(0, 0, &forks, &mut order);
        let deepest = |(way, depth): &(usize, usize)| 2 * depth + width(&ways[*way].name);
        let names = order.iter().map(deepest).max().unwrap_or(0);
        let mut lines = Vec::new();
        for (way, depth) in order {
            let here = way == self.timeline.way();
            let paint = if here { Paint::Bold } else { Paint::Plain };
            let mut line = Line::of(if here { "* " } else { "  " }, Paint::Bold);
            line.push("  ".repeat(depth), Paint::Plain);
            line.push(ways[way].name.clone(), paint);
            line.pad(names + 4);
            let asked = |moment: MomentId| self.timeline.answers(moment) + 1;
            let to = match self.timeline.state(ways[way].tip).is_over() {
                true => "the end".to_owned(),
                false => asked(ways[way].tip).to_string(),
            };
            match &forks[way] {
                None => line.push(format!("1 to {to}"), paint),
                Some(fork) => {
                    line.push(format!("{} to {to}", asked(fork.at)), paint);
                    if let Some(act) = &fork.act {
                        line.push("  ", Paint::Plain);
                        line.append(self.act_line(fork.at, act));
                    }
                }
            }
            if here && self.timeline.now() != ways[way].tip {
                let now = asked(self.timeline.now());
                line.push(format!("  (you are at {now})"), Paint::Bold);
            }
            lines.push(self.cut_to_width(line));
            for change in self.changes_told(way) {
                let mut line = Line::plain("  ".repeat(depth + 2));
                line.append(change);
                lines.push(self.cut_to_width(line));
            }
        }
        let selection = self.selection();
        if selection != Selection::default() {
            lines.push(Line::of(
                format!("all of it is played with {}", told(&selection)),
                Paint::Dim,
            ));
        }
        render(&lines, self.look)
    }

    fn cut_to_width(&self, line: Line) -> Line {
        if line.width() <= self.look.width {
            return line;
        }
        let mut line = line.cut(self.look.width.saturating_sub(3));
        line.push(self.look.either("…", "..."), Paint::Dim);
        line
    }

    /// The changes from outside on a way, each with the decision at which it was made: those of its own, without what it
    /// shares with an older way or does next after it.
    fn changes_told(&self, way: usize) -> Vec<Line> {
        let tip = self.timeline.ways()[way].tip;
        let fork = self.timeline.fork(way).map(|fork| fork.at);
        let mut own: Vec<MomentId> = match fork {
            Some(at) => self.timeline.back(tip, at).collect(),
            None => self.timeline.path(tip),
        };
        own.reverse();
        let changes = own.into_iter().filter_map(|moment| {
            let (from, act) = self.timeline.came(moment)?;
            let Act::Change(_) = act else { return None };
            let number = self.timeline.answers(from) + 1;
            let mut line = Line::of(format!("at {number} changed: "), Paint::Dim);
            line.append(self.act_line(from, act));
            Some(line)
        });
        changes.collect()
    }

    /// Ways below a way, each with how deep it is.
    fn in_order(
        &self,
        way: usize,
        depth: usize,
        forks: &[Option<crate::flow::timeline::Fork>],
        order: &mut Vec<(usize, usize)>,
    ) {
        order.push((way, depth));
        for (other, fork) in forks.iter().enumerate() {
            if fork.as_ref().is_some_and(|fork| fork.from == way) {
                self.in_order(other, depth + 1, forks, order);
            }
        }
    }

    /// What was done at a moment, in words.
    fn act_line(&self, at: MomentId, act: &Act) -> Line {
        match act {
            Act::Answer(step) => {
                let table = &self.timeline.state(at).table;
                let viewer = self.viewer();
                Narrator::new(&self.game.rules, &self.view, table, viewer, self.look).answer(step)
            }
            Act::Change(change) => {
                let set = change.settings.iter();
                let set: Vec<String> = set
                    .map(|setting| format!("{} = {}", setting.item, setting.value))
                    .collect();
                Line::plain(set.join(", "))
            }
        }
    }
}

/// That a decision that was wanted is not the one that is come to: only one answer was possible there.
pub(super) fn elsewhere(wanted: usize, answered: Option<&Step>, come_to: usize) -> String {
    match answered {
        Some(step) => format!(
            "nobody chose at decision {wanted}: `{}` of player {} could only be answered `{}`; this is decision {come_to}",
            step.decision.key,
            step.decision.player.0 + 1,
            step.decision.write(&step.answer)
        ),
        None => format!("there is no decision {wanted}: this is decision {come_to}"),
    }
}
