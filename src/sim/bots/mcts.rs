//! A bot that searches: Monte Carlo tree search over what its player can know.
//!
//! One tree is grown over many deals of what is hidden (Cowling, Powley and Whitehouse 2012, "Information Set
//! Monte Carlo Tree Search"): its branches are answers as everybody can tell them, and in each deal only those
//! that are offered there can be taken.

use std::time::{Duration, Instant};

use crate::flow::{Answer, decision};
use crate::script::code::AskKind;
use crate::script::{Io, Machine, Outcome, Rules, Scratch, State};
use crate::table::chance::{Draw, salt};
use crate::table::ids::PlayerId;

use super::hidden::dealt;
use super::tries::{LIMITS, numbers, worth};
use super::{Bot, MOST_PLAYERS, Question};

/// How much is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Budget {
    /// So many answers in tries, forced ones included. The same question gets the same answer.
    Decisions(u32),
    /// So many milliseconds. What is answered depends on the machine.
    Milliseconds(u32),
}

impl Budget {
    /// Reads `decisions=500`, `time=20ms` or `time=2s`.
    ///
    /// # Errors
    /// Says what is expected.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|number: &u32| *number > 0);
        let read = match text.split_once('=') {
            Some(("decisions", most)) => number(most).map(Self::Decisions),
            Some(("time", most)) => {
                let (most, unit) = match most.strip_suffix("ms") {
                    Some(most) => (Some(most), 1),
                    None => (most.strip_suffix('s'), 1000),
                };
                let most = most.and_then(number);
                most.and_then(|most| most.checked_mul(unit))
                    .map(Self::Milliseconds)
            }
            _ => None,
        };
        read.ok_or_else(|| {
            format!(
                "`{text}` is no budget: expected `decisions=N`, `time=Nms` or `time=Ns` with a whole N above 0"
            )
        })
    }
}

/// What is not said otherwise.
pub(super) const USUAL: Budget = Budget::Decisions(1000);

/// How much branches are tried that were rarely tried, against those that did well.
const CURIOSITY: f64 = 0.15;

/// A node may have this many branches at first, and more as it is visited more: this often the root of its
/// visits.
const FIRST_BRANCHES: usize = 3;
const MORE_BRANCHES: f64 = 1.5;

/// How often a new set of choices is drawn until one comes that is not in the tree.
const DRAWS_OF_SET: usize = 4;

/// Answers after the tree at most, where the pack says how well a player stands, and where it does not.
const MOST_AHEAD: u64 = 40;
const MOST_TO_END: u64 = 1_000;

/// What a player answers, as it is told apart in all deals: by the signatures of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Branch {
    One(u64),
    Some(Vec<u64>),
    Number(i64),
    Confirm(bool),
}

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Went {
    /// There is another question.
    On,
    /// The game is over.
    Over,
    /// A script failed.
    Failed,
}

/// A branch of the tree, and what came of it.
#[derive(Clone, Debug)]
struct Tried {
    branch: Branch,
    /// The node that it leads to.
    to: usize,
    visits: u32,
    /// How often it could have been taken.
    offered: u32,
    /// By how much each player was ahead of the best other, summed over the visits.
    ahead: [i64; MOST_PLAYERS],
}

#[derive(Clone, Debug, Default)]
struct Node {
    visits: u32,
    tried: Vec<Tried>,
}

/// Searches in deals of what is hidden from its player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mcts(pub(super) Budget);

impl Bot for Mcts {
    fn name(&self) -> String {
        match self.0 {
            own if own == USUAL => "mcts".to_owned(),
            Budget::Decisions(number) => format!("mcts:decisions={number}"),
            Budget::Milliseconds(number) => format!("mcts:time={number}ms"),
        }
    }

    fn answer(&self, question: &Question<'_>, scratch: &mut Scratch) -> Option<Answer> {
        let ask = question.state.run.ask?;
        let address = question.player();
        let draw = Draw::at(question.seed, salt("mcts"), address, question.nth);
        let mut search = Search {
            rules: question.rules,
            player: ask.player,
            nodes: vec![Node::default()],
            least: i64::MAX,
            most: i64::MIN,
            answers: 0,
            draw,
            scratch,
        };
        let begun = Instant::now();
        loop {
            search.try_once(question.state);
            let is_over = match self.0 {
                Budget::Decisions(most) => search.answers >= most.into(),
                Budget::Milliseconds(most) => begun.elapsed() >= Duration::from_millis(most.into()),
            };
            if is_over || question.is_stopped() {
                break;
            }
        }
        search.chosen(question.state)
    }
}

/// A search for one answer.
struct Search<'a> {
    rules: &'a Rules,
    /// Who is asked.
    player: PlayerId,
    /// The root is the first.
    nodes: Vec<Node>,
    /// What players were ahead at the least and at the most so far.
    least: i64,
    most: i64,
    /// Answers given in tries.
    answers: u64,
    draw: Draw,
    scratch: &'a mut Scratch,
}

impl Search<'_> {
    /// Deals what is hidden, goes down the tree to a new branch and on at random, and keeps what came of it.
    fn try_once(&mut self, from: &State) {
        let mut state = dealt(self.rules, from, self.player, &mut self.draw);
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut node = 0;
        let mut went = Went::On;
        while went == Went::On {
            let Some(ask) = state.run.ask else {
                break;
            };
            if let Some(answer) = decision::only_for_bots(&state) {
                went = self.give(&mut state, &answer);
                continue;
            }
            let Some((taken, answer, is_new)) = self.descend(node, &state, ask.player) else {
                break;
            };
            path.push((node, taken));
            node = self.nodes[node].tried[taken].to;
            went = self.give(&mut state, &answer);
            if is_new {
                if went == Went::On {
                    went = self.play_on(&mut state);
                }
                break;
            }
        }
        let ahead = match went {
            // Whoever led there does not want to go there again.
            Went::Failed => [self.least.min(0); MOST_PLAYERS],
            Went::On | Went::Over => self.ahead(&mut state),
        };
        for (node, taken) in path {
            self.nodes[node].visits += 1;
            let tried = &mut self.nodes[node].tried[taken];
            tried.visits += 1;
            for (sum, own) in tried.ahead.iter_mut().zip(ahead) {
                *sum = sum.saturating_add(own);
            }
        }
    }

    /// Gives an answer and plays to the next question.
    fn give(&mut self, state: &mut State, answer: &Answer) -> Went {
        self.answers += 1;
        decision::apply(state, answer);
        let mut io = Io::default();
        match Machine::new(self.rules, state, &mut io, self.scratch, LIMITS).run() {
            Ok(Outcome::Decision) => Went::On,
            Ok(Outcome::Over | Outcome::SetUp) => Went::Over,
            Err(_) => Went::Failed,
        }
    }

    /// Lets all answer at random: until the player is asked again if the pack says how well one stands then,
    /// or to the end.
    fn play_on(&mut self, state: &mut State) -> Went {
        let most = match self.rules.evaluate {
            Some(_) => MOST_AHEAD,
            None => MOST_TO_END,
        };
        for _ in 0..most {
            let forced = decision::only_for_bots(state);
            let asked = state.run.ask.map(|ask| ask.player);
            let own = self.rules.evaluate.is_some() && asked == Some(self.player);
            if forced.is_none() && own {
                break;
            }
            let draw = &mut self.draw;
            let random = || decision::random(self.rules, state, |bound| draw.below(bound));
            let Some(answer) = forced.or_else(random) else {
                break;
            };
            match self.give(state, &answer) {
                Went::On => {}
                went => return went,
            }
        }
        Went::On
    }

    /// By how much each player is ahead of the best of the others.
    fn ahead(&mut self, state: &mut State) -> [i64; MOST_PLAYERS] {
        let players = usize::from(state.table.players).min(MOST_PLAYERS);
        let mut own = [0; MOST_PLAYERS];
        for (player, own) in own.iter_mut().enumerate().take(players) {
            let player = PlayerId(player as u8);
            *own = worth(self.rules, state, player, self.scratch).unwrap_or(0);
        }
        let mut ahead = [0; MOST_PLAYERS];
        for player in 0..players {
            let others = (0..players).filter(|other| *other != player);
            let best = others.map(|other| own[other]).max().unwrap_or(0);
            ahead[player] = own[player].saturating_sub(best);
            self.least = self.least.min(ahead[player]);
            self.most = self.most.max(ahead[player]);
        }
        ahead
    }

    /// The branch to take from a node in a deal: a new one while there may be more, else the most promising
    /// of those that are offered. Its position, the answer in this deal, and whether it is new.
    fn descend(
        &mut self,
        node: usize,
        state: &State,
        player: PlayerId,
    ) -> Option<(usize, Answer, bool)> {
        let offered = offered(state);
        let tried = &self.nodes[node].tried;
        let mut open: Vec<(usize, Answer)> = Vec::new();
        for (at, tried) in tried.iter().enumerate() {
            if let Some(answer) = in_deal(self.rules, &tried.branch, &offered, state) {
                open.push((at, answer));
            }
        }
        let visits = f64::from(self.nodes[node].visits);
        let room = FIRST_BRANCHES + (MORE_BRANCHES * visits.sqrt()) as usize;
        if (node == 0 || open.len() < room)
            && let Some((branch, answer)) = self.new_branch(node, &offered, state)
        {
            open.iter()
                .for_each(|(at, _)| self.nodes[node].tried[*at].offered += 1);
            let to = self.nodes.len();
            self.nodes.push(Node::default());
            let tried = &mut self.nodes[node].tried;
            tried.push(Tried {
                branch,
                to,
                visits: 0,
                offered: 1,
                ahead: [0; MOST_PLAYERS],
            });
            return Some((tried.len() - 1, answer, true));
        }
        let mut best: Option<(f64, usize)> = None;
        for (position, (at, _)) in open.iter().enumerate() {
            let tried = &mut self.nodes[node].tried[*at];
            tried.offered += 1;
            let spread = self.most.saturating_sub(self.least).max(1) as f64;
            let mean = tried.ahead[player.index()] as f64 / f64::from(tried.visits.max(1));
            let did = (mean - self.least as f64) / spread;
            let promise =
                did + CURIOSITY * f64::from(tried.offered).sqrt() / f64::from(1 + tried.visits);
            if best.is_none_or(|(most, _)| promise > most) {
                best = Some((promise, position));
            }
        }
        let (_, position) = best?;
        let (at, answer) = open.swap_remove(position);
        Some((at, answer, false))
    }

    /// A branch that is offered in this deal and was not tried yet: any, each as likely as the others.
    fn new_branch(
        &mut self,
        node: usize,
        offered: &[(u64, u16)],
        state: &State,
    ) -> Option<(Branch, Answer)> {
        let ask = state.run.ask?;
        let tried = &self.nodes[node].tried;
        let is_new = |branch: &Branch| tried.iter().all(|own| own.branch != *branch);
        let mut all: Vec<(Branch, Answer)> = match ask.kind {
            AskKind::One => offered
                .iter()
                .map(|(signature, offer)| (Branch::One(*signature), Answer::One(*offer)))
                .collect(),
            AskKind::Confirm => [true, false]
                .map(|yes| (Branch::Confirm(yes), Answer::Confirm(yes)))
                .to_vec(),
            AskKind::Number => numbers(&ask)
                .map(|number| (Branch::Number(number), Answer::Number(number)))
                .collect(),
            // Bots have but one answer to it.
            AskKind::Texts => return None,
            AskKind::Some => {
                // There may be too many sets to list.
                let draw = &mut self.draw;
                let drawn = (0..DRAWS_OF_SET).filter_map(|_| {
                    let set = decision::random(self.rules, state, |bound| draw.below(bound))?;
                    let Answer::Some(mut offers) = set else {
                        return None;
                    };
                    offers.sort_unstable();
                    let signature = |offer: &u16| state.run.offers[usize::from(*offer)].signature;
                    let mut signatures: Vec<u64> = offers.iter().map(signature).collect();
                    signatures.sort_unstable();
                    Some((Branch::Some(signatures), Answer::Some(offers)))
                });
                let mut drawn = drawn.filter(|(branch, _)| is_new(branch));
                return drawn.next();
            }
        };
        all.retain(|(branch, _)| is_new(branch));
        match all.len() {
            0 => None,
            number => Some(all.swap_remove(self.draw.below(number as u64) as usize)),
        }
    }

    /// The answer that was tried most; of several the one that did best.
    fn chosen(&self, state: &State) -> Option<Answer> {
        let offered = offered(state);
        let player = self.player.index();
        let tried = self.nodes[0].tried.iter();
        let open =
            tried.filter_map(|own| Some((own, in_deal(self.rules, &own.branch, &offered, state)?)));
        // Of equal ones the first: the order of branches comes from the deals alone.
        let mut best: Option<(&Tried, Answer)> = None;
        for (own, answer) in open {
            let rank = |own: &Tried| (own.visits, own.ahead[player] / i64::from(own.visits.max(1)));
            if best.as_ref().is_none_or(|(most, _)| rank(own) > rank(most)) {
                best = Some((own, answer));
            }
        }
        best.map(|(_, answer)| answer)
    }
}

/// The choices that are offered, by signature.
fn offered(state: &State) -> Vec<(u64, u16)> {
    decision::leaders(state)
        .map(|offer| (state.run.offers[usize::from(offer)].signature, offer))
        .collect()
}

/// A branch as an answer in a deal, if it is offered there.
fn in_deal(
    rules: &Rules,
    branch: &Branch,
    offered: &[(u64, u16)],
    state: &State,
) -> Option<Answer> {
    let ask = state.run.ask?;
    let offer = |signature: &u64| {
        let found = offered.iter().find(|(own, _)| own == signature);
        found.map(|(_, offer)| *offer)
    };
    match (branch, ask.kind) {
        (Branch::One(signature), AskKind::One) => offer(signature).map(Answer::One),
        (Branch::Number(number), AskKind::Number) => (ask.least..=ask.most)
            .contains(number)
            .then_some(Answer::Number(*number)),
        (Branch::Confirm(yes), AskKind::Confirm) => Some(Answer::Confirm(*yes)),
        (Branch::Some(signatures), AskKind::Some) => {
            let number = signatures.len() as i64;
            if !(ask.least..=ask.most).contains(&number) {
                return None;
            }
            let mut offers: Vec<u16> = signatures.iter().map(offer).collect::<Option<_>>()?;
            offers.sort_unstable();
            // No more of like ones than there are.
            let alike = offers.chunk_by(|a, b| a == b);
            let mut fits = alike
                .map(|all| all.len() <= usize::from(state.run.offers[usize::from(all[0])].count));
            let fits = fits.all(|fits| fits) && !decision::too_varied(rules, state, &offers);
            fits.then_some(Answer::Some(offers))
        }
        _ => None,
    }
}
