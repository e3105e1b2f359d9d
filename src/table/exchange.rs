//! What can be turned into what: whether a goal can be reached by rules that use some things up and
//! give others.
//!
//! The answer is exact: a depth-first search over small states with a memory of those seen, and with
//! bounds once there are many. What follows from the rules and their amounts alone is kept from query
//! to query, for these hardly ever change; so are the last answers. Names, sets and expressions are the
//! caller's: here are only slots and amounts.

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashSet;

/// Most slots of an exchange.
pub const MOST_SLOTS: usize = 48;

/// Most different states that one query may visit.
pub const MOST_STATES: usize = 200_000;

/// The most work for one answer, in the unit of [`Scratch::work`]: a rule that takes any of many things has
/// more uses than there may be states.
const MOST_WORK: u64 = 32_000_000;

/// What can be turned into what.
#[derive(Clone, Debug)]
pub struct Exchange {
    slots: usize,
    rules: Vec<Rule>,
    /// Tells it from any other exchange of this process, save copies of it.
    identity: u64,
}

impl Exchange {
    /// An exchange with this number of slots, at most [`MOST_SLOTS`], and these rules; those that come
    /// first are tried first.
    pub fn new(slots: usize, rules: Vec<Rule>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            slots,
            rules,
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
        }
    }
}

/// A way to turn things into others. Amounts are given by their position among those of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// (slot, amount) that must be there and stay: they are not among what is taken.
    pub need: Vec<(usize, usize)>,
    /// (slot, amount) that are used up.
    pub take: Vec<(usize, usize)>,
    /// (slot, amount) that come; what exceeds a slot's most is lost.
    pub give: Vec<(usize, usize)>,
    /// An amount taken from any of several different slots together.
    pub take_any: Option<(Vec<usize>, usize)>,
    /// Whether it goes before all rules that are not automatic, whenever it can and changes
    /// something.
    pub automatic: bool,
}

/// What is asked of an exchange.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// What is in each slot at first; what exceeds the slot's most is lost.
    pub start: &'a [i64],
    /// The most that each slot can hold; `i64::MAX` is no limit but that of the search, 255.
    pub most: &'a [i64],
    /// The amounts that the rules name.
    pub amounts: &'a [i64],
    /// (slot, how much of it must be there at once).
    pub goal: &'a [(usize, i64)],
}

/// Why a query has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeError {
    /// More than [`MOST_STATES`] states would have to be visited.
    TooLarge,
    /// More than [`MOST_SLOTS`] slots.
    TooManySlots,
    /// This amount is negative.
    Negative(usize),
    /// This slot would start with more than 255.
    TooMuch(usize),
}

impl ExchangeError {
    /// The error in words.
    pub fn describe(self) -> String {
        match self {
            Self::TooLarge => {
                format!("more than {MOST_STATES} positions would have to be looked at")
            }
            Self::TooManySlots => format!("more than {MOST_SLOTS} resources"),
            Self::Negative(_) => "an amount is negative".to_owned(),
            Self::TooMuch(_) => "a resource starts with more than 255".to_owned(),
        }
    }
}

/// Memory that queries use again, so that they allocate nothing once it has grown.
#[derive(Debug, Default)]
pub struct Scratch {
    small: Search<8>,
    medium: Search<16>,
    large: Search<32>,
    huge: Search<MOST_SLOTS>,
    /// What queries have cost since this was last set to 0: 1 for each use of a rule that was looked at,
    /// some nanoseconds.
    pub work: u64,
}

/// A slot and how much of it.
#[derive(Clone, Copy, Debug)]
struct Part {
    slot: u8,
    amount: u8,
}

/// A range of the scratch's parts.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    start: u32,
    end: u32,
}

impl Parts {
    fn of(self, parts: &[Part]) -> &[Part] {
        &parts[self.start as usize..self.end as usize]
    }
}

/// A rule with its amounts filled in.
#[derive(Clone, Copy, Debug)]
struct Resolved {
    /// What must be there: needed and taken together.
    floor: Parts,
    take: Parts,
    give: Parts,
    /// Slots to take any of; the amount is what must stay in each.
    any: Parts,
    /// How much to take of them together.
    any_count: u8,
    automatic: bool,
}

/// The same with all slots side by side, as the search compares and adds them.
#[derive(Clone, Copy, Debug)]
struct Dense<const N: usize> {
    floor: [u8; N],
    take: [u8; N],
    give: [u8; N],
    any: Parts,
    any_count: u8,
}

impl<const N: usize> Dense<N> {
    fn of(rule: &Resolved, parts: &[Part]) -> Self {
        let spread = |list: Parts| {
            let mut amounts = [0; N];
            for part in list.of(parts) {
                amounts[usize::from(part.slot)] = part.amount;
            }
            amounts
        };
        Self {
            floor: spread(rule.floor),
            take: spread(rule.take),
            give: spread(rule.give),
            any: rule.any,
            any_count: rule.any_count,
        }
    }
}

/// Plans that are kept at once.
const PLANS: usize = 8;

/// Answers that each plan remembers.
const ANSWERS: usize = 16;

/// What follows from an exchange, its amounts, and the slots that the goal is about.
#[derive(Debug)]
struct Plan<const N: usize> {
    /// Which exchange it is of.
    identity: u64,
    amounts: Vec<i64>,
    /// The goal's slots.
    goals: u64,
    /// The rules that can matter, automatic ones first.
    rules: Vec<Resolved>,
    dense: Vec<Dense<N>>,
    /// How many of them are automatic.
    automatic: usize,
    parts: Vec<Part>,
    /// The slots that matter have all bits set, the others none.
    relevant: [u8; N],
    worths: Option<[u64; N]>,
    /// The last questions and their answers.
    answers: Vec<Answer<N>>,
    /// Which of them is overwritten next.
    next_answer: usize,
}

/// A question that was answered.
#[derive(Clone, Copy, Debug)]
struct Answer<const N: usize> {
    start: [u8; N],
    most: [u8; N],
    goal: [u8; N],
    reached: bool,
}

impl<const N: usize> Plan<N> {
    fn of(exchange: &Exchange, amounts: &[i64], goals: u64) -> Self {
        let (mut rules, mut parts) = (Vec::new(), Vec::new());
        for rule in &exchange.rules {
            resolve(rule, exchange.slots, amounts, &mut parts, &mut rules);
        }
        let relevant = relevance(&mut rules, &parts, goals);
        rules.sort_by_key(|rule| !rule.automatic);
        Self {
            identity: exchange.identity,
            amounts: amounts.to_vec(),
            goals,
            dense: rules.iter().map(|rule| Dense::of(rule, &parts)).collect(),
            automatic: rules.iter().filter(|rule| rule.automatic).count(),
            relevant: std::array::from_fn(|slot| if relevant >> slot & 1 > 0 { 255 } else { 0 }),
            worths: worths(&rules, &parts, goals),
            rules,
            parts,
            answers: Vec::new(),
            next_answer: 0,
        }
    }

    fn fits(&self, exchange: &Exchange, amounts: &[i64], goals: u64) -> bool {
        self.identity == exchange.identity && self.goals == goals && self.amounts == amounts
    }

    fn remembered(&self, start: &[u8; N], most: &[u8; N], goal: &[u8; N]) -> Option<bool> {
        self.answers
            .iter()
            .find(|answer| answer.start == *start && answer.goal == *goal && answer.most == *most)
            .map(|answer| answer.reached)
    }

    fn remember(&mut self, answer: Answer<N>) {
        match self.answers.get_mut(self.next_answer) {
            Some(old) => *old = answer,
            None => self.answers.push(answer),
        }
        self.next_answer = (self.next_answer + 1) % ANSWERS;
    }
}

impl Resolved {
    /// The slots whose contents decide whether and how the rule can be used.
    fn reads(&self, parts: &[Part]) -> u64 {
        mask(self.floor.of(parts)) | mask(self.any.of(parts))
    }

    fn gives(&self, parts: &[Part]) -> u64 {
        mask(self.give.of(parts))
    }
}

fn mask(parts: &[Part]) -> u64 {
    parts.iter().fold(0, |mask, part| mask | 1 << part.slot)
}

/// Whether the goal can be reached: whether some sequence of rules, none of them included, comes by a
/// state that has all of it.
///
/// # Errors
/// When the exchange or the search is too large, or an amount makes no sense.
///
/// # Panics
/// When the query's slices are shorter than the exchange's slots, or the exchange names slots or
/// amounts that are not there.
pub fn reaches(
    exchange: &Exchange,
    scratch: &mut Scratch,
    query: Query<'_>,
) -> Result<bool, ExchangeError> {
    let Scratch {
        small,
        medium,
        large,
        huge,
        work,
    } = scratch;
    match exchange.slots {
        0..=8 => small.answer(exchange, query, work),
        9..=16 => medium.answer(exchange, query, work),
        17..=32 => large.answer(exchange, query, work),
        33..=MOST_SLOTS => huge.answer(exchange, query, work),
        _ => Err(ExchangeError::TooManySlots),
    }
}

/// Fills in a rule's amounts. A rule that can never be used is left out.
fn resolve(
    rule: &Rule,
    slots: usize,
    amounts: &[i64],
    parts: &mut Vec<Part>,
    rules: &mut Vec<Resolved>,
) {
    let before = parts.len();
    let mut impossible = false;
    let mut list = |lists: &[&[(usize, usize)]], wanted: bool| {
        let start = parts.len();
        for (slot, amount) in lists.iter().copied().flatten() {
            assert!(*slot < slots, "a rule names one of the slots");
            let amount = amounts[*amount];
            if amount == 0 {
                continue;
            }
            // No slot holds more than 255, so more can be neither had nor kept.
            impossible |= wanted && amount > 255;
            let amount = amount.min(255) as u8;
            let known = parts[start..]
                .iter()
                .position(|part| usize::from(part.slot) == *slot);
            match known {
                Some(known) => {
                    let part = &mut parts[start + known];
                    impossible |= wanted && part.amount.checked_add(amount).is_none();
                    part.amount = part.amount.saturating_add(amount);
                }
                None => parts.push(Part {
                    slot: *slot as u8,
                    amount,
                }),
            }
        }
        Parts {
            start: start as u32,
            end: parts.len() as u32,
        }
    };
    let floor = list(&[&rule.need, &rule.take], true);
    let take = list(&[&rule.take], true);
    let give = list(&[&rule.give], false);
    let start = parts.len();
    let mut any_count = 0;
    if let Some((from, amount)) = &rule.take_any
        && amounts[*amount] > 0
    {
        impossible |= amounts[*amount] > 255;
        any_count = amounts[*amount].min(255) as u8;
        for slot in from {
            assert!(*slot < slots, "a rule names one of the slots");
            let stays: i64 = rule
                .need
                .iter()
                .filter(|(needed, _)| needed == slot)
                .map(|(_, amount)| amounts[*amount])
                .sum();
            parts.push(Part {
                slot: *slot as u8,
                amount: stays.min(255) as u8,
            });
        }
        impossible |= from.is_empty();
    }
    let any = Parts {
        start: start as u32,
        end: parts.len() as u32,
    };
    if impossible {
        parts.truncate(before);
        return;
    }
    rules.push(Resolved {
        floor,
        take,
        give,
        any,
        any_count,
        automatic: rule.automatic,
    });
}

/// Keeps the rules that can matter for the goal; returns the slots that they read.
///
/// A rule left out gives nothing that a kept one reads, and touches nothing that decides whether an
/// automatic rule can be used. So a way to the goal stays one when its uses are struck out.
fn relevance(rules: &mut Vec<Resolved>, parts: &[Part], goals: u64) -> u64 {
    let mut slots = goals;
    let automatic = rules
        .iter()
        .filter(|rule| rule.automatic)
        .fold(0, |mask, rule| mask | rule.reads(parts) | rule.gives(parts));
    slots |= automatic;
    let matters = |rule: &Resolved, slots: u64| {
        rule.automatic
            || rule.gives(parts) & slots != 0
            || (mask(rule.take.of(parts)) | mask(rule.any.of(parts))) & automatic != 0
    };
    loop {
        let wider = rules
            .iter()
            .filter(|rule| matters(rule, slots))
            .fold(slots, |mask, rule| mask | rule.reads(parts));
        if wider == slots {
            break;
        }
        slots = wider;
    }
    rules.retain(|rule| matters(rule, slots));
    slots
}

/// Whether there is as much of everything as is wanted. Written so that it takes many slots at once.
#[inline]
fn holds<const N: usize>(state: &[u8; N], wanted: &[u8; N]) -> bool {
    let mut greater = *wanted;
    for (greater, have) in greater.iter_mut().zip(state) {
        *greater = (*greater).max(*have);
    }
    greater == *state
}

/// More than any slot can ever have had.
const BEYOND: u64 = 1 << 24;

/// Whether the goal is within an optimistic bound: every rule may use everything that was ever there,
/// whatever the others use. Never false if the goal can be reached.
fn hopeful<const N: usize>(
    rules: &[Resolved],
    parts: &[Part],
    start: &[u8; N],
    most: &[u8; N],
    goal: &[u8; N],
) -> bool {
    // For each slot, no more than this is there in the whole course of any way.
    let mut total: [u64; N] = std::array::from_fn(|slot| u64::from(start[slot]));
    for round in 0.. {
        let mut next: [u64; N] = std::array::from_fn(|slot| u64::from(start[slot]));
        for rule in rules {
            let mut times = BEYOND;
            for part in rule.floor.of(parts) {
                let slot = usize::from(part.slot);
                if total[slot].min(u64::from(most[slot])) < u64::from(part.amount) {
                    times = 0;
                }
            }
            for part in rule.take.of(parts) {
                times = times.min(total[usize::from(part.slot)] / u64::from(part.amount));
            }
            if rule.any_count > 0 {
                let any: u64 = rule
                    .any
                    .of(parts)
                    .iter()
                    .map(|part| total[usize::from(part.slot)])
                    .sum();
                times = times.min(any / u64::from(rule.any_count));
            }
            if times > 0 {
                for part in rule.give.of(parts) {
                    let slot = &mut next[usize::from(part.slot)];
                    *slot = (*slot + times * u64::from(part.amount)).min(BEYOND);
                }
            }
        }
        let mut grows = false;
        for (total, next) in total.iter_mut().zip(next) {
            if next > *total {
                grows = true;
                // What still grows may grow for long: any bound above the least one is as true.
                *total = if round < 8 { next } else { BEYOND };
            }
        }
        if !grows {
            break;
        }
    }
    (0..N).all(|slot| total[slot].min(u64::from(most[slot])) >= u64::from(goal[slot]))
}

/// The worth of one of a goal's own slots; a number that many others divide.
const WORTH: u64 = 5040;

/// What one of each slot is worth at most, in goals: no rule gives more than it takes. So the worth of a
/// state never grows, and one worth less than the goal leads to none. `None` if no such worths are
/// found soon, as where something comes for nothing.
fn worths<const N: usize>(rules: &[Resolved], parts: &[Part], goals: u64) -> Option<[u64; N]> {
    let mut worths: [u64; N] =
        std::array::from_fn(|slot| if goals >> slot & 1 > 0 { WORTH } else { 0 });
    for _ in 0..16 {
        let mut stable = true;
        for rule in rules {
            let (take, any) = (rule.take.of(parts), rule.any.of(parts));
            let count = u64::from(rule.any_count);
            let sum = |parts: &[Part]| -> u64 {
                parts
                    .iter()
                    .map(|part| worths[usize::from(part.slot)] * u64::from(part.amount))
                    .sum()
            };
            let least = any.iter().map(|part| worths[usize::from(part.slot)]).min();
            let taken = sum(take) + count * least.unwrap_or(0);
            let missing = sum(rule.give.of(parts)).saturating_sub(taken);
            if missing == 0 {
                continue;
            }
            stable = false;
            let units = take.iter().map(|part| u64::from(part.amount)).sum::<u64>() + count;
            if units == 0 || missing > BEYOND * WORTH {
                return None;
            }
            for part in take.iter().chain(any) {
                worths[usize::from(part.slot)] += missing.div_ceil(units);
            }
        }
        if stable {
            return Some(worths);
        }
    }
    None
}

fn worth<const N: usize>(state: &[u8; N], worths: &[u64; N]) -> u64 {
    state
        .iter()
        .zip(worths)
        .map(|(amount, worth)| u64::from(*amount) * worth)
        .sum()
}

/// States that are cheaper to visit than to bound.
const VISITED_WITHOUT_BOUND: usize = 256;

/// Sets that grew beyond this in one query are given back before the next: clearing them costs as
/// much as they once held.
const KEPT_CAPACITY: usize = 8192;

/// A search over states of up to `N` slots.
#[derive(Debug)]
struct Search<const N: usize> {
    plans: Vec<Plan<N>>,
    /// Which of them is overwritten next.
    next_plan: usize,
    visited: FxHashSet<[u8; N]>,
    open: Vec<[u8; N]>,
}

impl<const N: usize> Default for Search<N> {
    fn default() -> Self {
        Self {
            plans: Vec::new(),
            next_plan: 0,
            visited: FxHashSet::default(),
            open: Vec::new(),
        }
    }
}

impl<const N: usize> Search<N> {
    fn answer(
        &mut self,
        exchange: &Exchange,
        query: Query<'_>,
        work: &mut u64,
    ) -> Result<bool, ExchangeError> {
        let slots = exchange.slots;
        let (mut start, mut most, mut goal) = ([0_u8; N], [0_u8; N], [0_u8; N]);
        for slot in 0..slots {
            most[slot] = query.most[slot].clamp(0, 255) as u8;
            let first = query.start[slot].clamp(0, query.most[slot].max(0));
            start[slot] = u8::try_from(first).map_err(|_| ExchangeError::TooMuch(slot))?;
        }
        if let Some(amount) = query.amounts.iter().position(|amount| *amount < 0) {
            return Err(ExchangeError::Negative(amount));
        }
        let mut goals = 0_u64;
        for (slot, amount) in query.goal {
            assert!(*slot < slots, "a goal is one of the slots");
            match u8::try_from((*amount).max(0)) {
                Ok(amount) if amount <= most[*slot] => goal[*slot] = goal[*slot].max(amount),
                _ => return Ok(false),
            }
            goals |= u64::from(goal[*slot] > 0) << slot;
        }
        if holds(&start, &goal) {
            return Ok(true);
        }
        let plan = self.plan(exchange, query.amounts, goals);
        let Self {
            plans,
            visited,
            open,
            ..
        } = self;
        let plan = &mut plans[plan];
        for slot in 0..N {
            // Nothing that matters reads the others: states that differ in them alone are one state.
            start[slot] &= plan.relevant[slot];
            most[slot] &= plan.relevant[slot];
        }
        if let Some(reached) = plan.remembered(&start, &most, &goal) {
            return Ok(reached);
        }
        let reached = plan.run(visited, open, work, start, &most, &goal)?;
        plan.remember(Answer {
            start,
            most,
            goal,
            reached,
        });
        Ok(reached)
    }

    /// The plan that a query needs: a kept one, or a new one in the place of the oldest.
    fn plan(&mut self, exchange: &Exchange, amounts: &[i64], goals: u64) -> usize {
        let known = self
            .plans
            .iter()
            .position(|plan| plan.fits(exchange, amounts, goals));
        if let Some(known) = known {
            return known;
        }
        let plan = Plan::of(exchange, amounts, goals);
        let place = self.next_plan;
        match self.plans.get_mut(place) {
            Some(old) => *old = plan,
            None => self.plans.push(plan),
        }
        self.next_plan = (place + 1) % PLANS;
        place
    }
}

impl<const N: usize> Plan<N> {
    fn run(
        &self,
        visited: &mut FxHashSet<[u8; N]>,
        open: &mut Vec<[u8; N]>,
        work: &mut u64,
        start: [u8; N],
        most: &[u8; N],
        goal: &[u8; N],
    ) -> Result<bool, ExchangeError> {
        let wanted = self.worths.map_or(0, |worths| worth(goal, &worths));
        let worthless = |state: &[u8; N]| {
            self.worths
                .as_ref()
                .is_some_and(|worths| worth(state, worths) < wanted)
        };
        if worthless(&start) {
            return Ok(false);
        }
        visited.clear();
        if visited.capacity() > KEPT_CAPACITY {
            visited.shrink_to(KEPT_CAPACITY / 2);
        }
        open.clear();
        visited.insert(start);
        open.push(start);
        let enough = work.saturating_add(MOST_WORK);
        let (automatic, others) = self.dense.split_at(self.automatic);
        while let Some(state) = open.pop() {
            if visited.len() > VISITED_WITHOUT_BOUND {
                *work += self.rules.len() as u64;
                if !hopeful(&self.rules, &self.parts, &state, most, goal) {
                    continue;
                }
            }
            let kept = open.len();
            for rules in [automatic, others] {
                let (mut changed, mut found) = (false, false);
                let mut meet = |next: [u8; N]| {
                    *work += 1;
                    if *work > enough || visited.len() > MOST_STATES {
                        return true;
                    }
                    if next == state {
                        return false;
                    }
                    changed = true;
                    if !worthless(&next) && visited.insert(next) {
                        if holds(&next, goal) {
                            found = true;
                            return true;
                        }
                        open.push(next);
                    }
                    false
                };
                let stopped = rules
                    .iter()
                    .any(|rule| rule.uses(&self.parts, &state, most, &mut meet));
                match (stopped, found) {
                    (true, true) => return Ok(true),
                    (true, false) => return Err(ExchangeError::TooLarge),
                    (false, _) if changed => break,
                    (false, _) => {}
                }
            }
            // What comes first is to be popped first.
            open[kept..].reverse();
        }
        Ok(false)
    }
}

impl<const N: usize> Dense<N> {
    /// Meets every state that one use of the rule leads to, until `meet` says that it is enough.
    #[inline]
    fn uses(
        &self,
        parts: &[Part],
        state: &[u8; N],
        most: &[u8; N],
        meet: &mut impl FnMut([u8; N]) -> bool,
    ) -> bool {
        if !holds(state, &self.floor) {
            return false;
        }
        let mut next = *state;
        for (next, take) in next.iter_mut().zip(&self.take) {
            *next = next.saturating_sub(*take);
        }
        let mut end = |mut next: [u8; N]| {
            for ((next, give), most) in next.iter_mut().zip(&self.give).zip(most) {
                *next = next.saturating_add(*give).min(*most);
            }
            meet(next)
        };
        if self.any_count == 0 {
            return end(next);
        }
        take_any(self.any.of(parts), self.any_count, &mut next, &mut end)
    }
}

/// Goes through all ways to take an amount from several slots, of each of which something stays.
fn take_any<const N: usize>(
    slots: &[Part],
    left: u8,
    state: &mut [u8; N],
    end: &mut impl FnMut([u8; N]) -> bool,
) -> bool {
    if left == 0 {
        return end(*state);
    }
    let free =
        |part: &Part, state: &[u8; N]| state[usize::from(part.slot)].saturating_sub(part.amount);
    let Some((first, rest)) = slots.split_first() else {
        return false;
    };
    let others: u32 = rest.iter().map(|part| u32::from(free(part, state))).sum();
    let slot = usize::from(first.slot);
    let least = u32::from(left).saturating_sub(others).min(255) as u8;
    let most = free(first, state).min(left);
    for count in (least..=most).rev() {
        state[slot] -= count;
        let enough = take_any(rest, left - count, state, end);
        state[slot] += count;
        if enough {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Amounts 0 to 9 by themselves, so that rules read as they are.
    const AMOUNTS: [i64; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const NO_LIMIT: i64 = i64::MAX;

    const WOOD: usize = 0;
    const STONE: usize = 1;
    const TOOL: usize = 2;
    const HUT: usize = 3;
    const FIRE: usize = 4;
    const RAIN: usize = 5;

    /// A camp: two wood and a stone make a tool; with a tool at hand, three of wood and stone make a
    /// hut; rain puts a fire out.
    fn camp() -> Exchange {
        let rule = Rule::default();
        Exchange::new(
            6,
            vec![
                Rule {
                    take: vec![(WOOD, 2), (STONE, 1)],
                    give: vec![(TOOL, 1)],
                    ..rule.clone()
                },
                Rule {
                    need: vec![(TOOL, 1)],
                    take_any: Some((vec![WOOD, STONE], 3)),
                    give: vec![(HUT, 1)],
                    ..rule.clone()
                },
                Rule {
                    take: vec![(WOOD, 1)],
                    give: vec![(FIRE, 1)],
                    ..rule.clone()
                },
                Rule {
                    take: vec![(FIRE, 1), (RAIN, 1)],
                    automatic: true,
                    ..rule
                },
            ],
        )
    }

    fn ask(
        exchange: &Exchange,
        start: &[i64],
        most: &[i64],
        goal: &[(usize, i64)],
    ) -> Result<bool, ExchangeError> {
        let query = Query {
            start,
            most,
            amounts: &AMOUNTS,
            goal,
        };
        reaches(exchange, &mut Scratch::default(), query)
    }

    #[track_caller]
    fn check(start: [i64; 6], goal: &[(usize, i64)], expected: bool) {
        let answer = ask(&camp(), &start, &[NO_LIMIT; 6], goal);
        assert_eq!(answer, Ok(expected), "{start:?} to {goal:?}");
    }

    #[test]
    fn worths_bound_what_can_be_had() {
        let of = |goal: usize, start: [u8; 8]| {
            let (mut rules, mut parts) = (Vec::new(), Vec::new());
            for rule in &camp().rules {
                resolve(rule, 6, &AMOUNTS, &mut parts, &mut rules);
            }
            worths(&rules, &parts, 1 << goal).map(|worths| worth(&start, &worths))
        };
        // A third of a hut for each wood and stone, which are also worth a tool.
        assert_eq!(of(HUT, [3, 0, 0, 0, 0, 0, 0, 0]), Some(WORTH));
        assert_eq!(of(FIRE, [1, 9, 9, 9, 0, 9, 0, 0]), Some(WORTH));
        assert_eq!(of(TOOL, [1, 1, 0, 0, 0, 0, 0, 0]), Some(2 * WORTH / 3));
    }

    #[test]
    fn what_is_there_is_reached() {
        check([1, 0, 0, 0, 0, 0], &[(WOOD, 1)], true);
        check([0, 0, 0, 0, 0, 0], &[], true);
        check([0, 0, 0, 0, 0, 0], &[(HUT, 0)], true);
        check([0, 0, 0, 0, 0, 0], &[(HUT, 1)], false);
    }

    #[test]
    fn what_is_taken_is_gone() {
        check([2, 1, 0, 0, 0, 0], &[(TOOL, 1)], true);
        check([2, 1, 0, 0, 0, 0], &[(TOOL, 1), (WOOD, 1)], false);
        check([3, 1, 0, 0, 0, 0], &[(TOOL, 1), (FIRE, 1)], true);
    }

    #[test]
    fn a_need_stays() {
        check([3, 0, 1, 0, 0, 0], &[(HUT, 1), (TOOL, 1)], true);
        check([3, 0, 0, 0, 0, 0], &[(HUT, 1)], false);
        check([3, 3, 1, 0, 0, 0], &[(HUT, 2), (TOOL, 1)], true);
    }

    #[test]
    fn a_need_is_not_what_is_taken() {
        let exchange = Exchange::new(
            2,
            vec![Rule {
                need: vec![(0, 1)],
                take_any: Some((vec![0], 1)),
                give: vec![(1, 1)],
                ..Rule::default()
            }],
        );
        let most = [NO_LIMIT; 2];
        assert_eq!(ask(&exchange, &[1, 0], &most, &[(1, 1)]), Ok(false));
        assert_eq!(ask(&exchange, &[2, 0], &most, &[(1, 1)]), Ok(true));
        assert_eq!(ask(&exchange, &[2, 0], &most, &[(1, 2)]), Ok(false));
    }

    #[test]
    fn any_of_several_are_taken_in_every_way() {
        check([5, 1, 0, 0, 0, 0], &[(HUT, 1)], true);
        check([4, 1, 0, 0, 0, 0], &[(HUT, 1)], false);
        check([2, 2, 1, 0, 0, 0], &[(HUT, 1), (WOOD, 1)], true);
        check([2, 2, 1, 0, 0, 0], &[(HUT, 1), (STONE, 1)], true);
        check(
            [2, 2, 1, 0, 0, 0],
            &[(HUT, 1), (WOOD, 1), (STONE, 1)],
            false,
        );
    }

    #[test]
    fn an_automatic_rule_goes_first() {
        check([1, 0, 0, 0, 0, 1], &[(FIRE, 1)], true);
        // The first fire is out before the second burns.
        check([2, 0, 0, 0, 0, 1], &[(FIRE, 2)], false);
        check([3, 0, 0, 0, 0, 1], &[(FIRE, 2)], true);
        check([2, 0, 0, 0, 0, 1], &[(FIRE, 1), (RAIN, 1), (WOOD, 0)], true);
        check([0, 0, 0, 0, 1, 1], &[(FIRE, 0), (RAIN, 1)], true);
    }

    #[test]
    fn an_automatic_rule_that_changes_nothing_does_not_block() {
        let exchange = Exchange::new(
            3,
            vec![
                Rule {
                    need: vec![(0, 1)],
                    give: vec![(1, 1)],
                    automatic: true,
                    ..Rule::default()
                },
                Rule {
                    take: vec![(1, 2)],
                    give: vec![(2, 1)],
                    ..Rule::default()
                },
            ],
        );
        let most = [1, 2, NO_LIMIT];
        assert_eq!(ask(&exchange, &[1, 0, 0], &most, &[(2, 5)]), Ok(true));
        assert_eq!(ask(&exchange, &[1, 0, 0], &[1, 1, 9], &[(2, 1)]), Ok(false));
    }

    #[test]
    fn what_exceeds_the_most_is_lost() {
        let most = [NO_LIMIT, NO_LIMIT, 1, NO_LIMIT, NO_LIMIT, NO_LIMIT];
        let many = [8, 4, 0, 0, 0, 0];
        assert_eq!(ask(&camp(), &many, &most, &[(TOOL, 2)]), Ok(false));
        assert_eq!(
            ask(&camp(), &[0, 0, 5, 0, 0, 0], &most, &[(TOOL, 1)]),
            Ok(true)
        );
        assert_eq!(ask(&camp(), &many, &[NO_LIMIT; 6], &[(TOOL, 2)]), Ok(true));
    }

    #[test]
    fn senseless_queries_are_errors() {
        let exchange = camp();
        let query = Query {
            start: &[0; 6],
            most: &[NO_LIMIT; 6],
            amounts: &[0, 1, -2, 3],
            goal: &[(HUT, 1)],
        };
        let mut scratch = Scratch::default();
        assert_eq!(
            reaches(&exchange, &mut scratch, query),
            Err(ExchangeError::Negative(2))
        );
        assert_eq!(
            ask(&exchange, &[256, 0, 0, 0, 0, 0], &[NO_LIMIT; 6], &[]),
            Err(ExchangeError::TooMuch(WOOD))
        );
        let wide = Exchange::new(49, Vec::new());
        assert_eq!(
            ask(&wide, &[0; 49], &[0; 49], &[]),
            Err(ExchangeError::TooManySlots)
        );
        assert_eq!(
            ask(&exchange, &[0; 6], &[NO_LIMIT; 6], &[(HUT, 300)]),
            Ok(false)
        );
    }

    #[test]
    fn a_search_without_end_is_given_up() {
        // Four slots fill up to 255 each in any order; two more would have to hold at once what is in
        // one or the other, which no bound sees.
        let fill = |slot| Rule {
            give: vec![(slot, 1)],
            ..Rule::default()
        };
        let swap = Rule {
            take: vec![(4, 1)],
            give: vec![(5, 1)],
            ..Rule::default()
        };
        let goal = Rule {
            need: vec![(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)],
            give: vec![(6, 1)],
            ..Rule::default()
        };
        let exchange = Exchange::new(7, vec![fill(0), fill(1), fill(2), fill(3), swap, goal]);
        assert_eq!(
            ask(&exchange, &[0, 0, 0, 0, 1, 0, 0], &[NO_LIMIT; 7], &[(6, 1)]),
            Err(ExchangeError::TooLarge)
        );
    }

    #[test]
    fn one_rule_of_too_many_uses_is_given_up() {
        // Ten of any of thirty things can be taken in more than 10^8 ways, and what is needed then is never there.
        let slots = 32;
        let amounts = [1, 10, 6];
        let exchange = Exchange::new(
            slots,
            vec![
                Rule {
                    take_any: Some(((0..30).collect(), 1)),
                    give: vec![(30, 0)],
                    ..Rule::default()
                },
                Rule {
                    need: vec![(0, 2)],
                    take: vec![(30, 0)],
                    give: vec![(31, 0)],
                    ..Rule::default()
                },
            ],
        );
        let mut start = [5; 32];
        start[30..].fill(0);
        let mut scratch = Scratch::default();
        let answer = reaches(
            &exchange,
            &mut scratch,
            Query {
                start: &start,
                most: &[NO_LIMIT; 32],
                amounts: &amounts,
                goal: &[(31, 1)],
            },
        );
        assert_eq!(answer, Err(ExchangeError::TooLarge));
        assert!(scratch.work <= MOST_WORK + 1, "{}", scratch.work);
    }

    /// All states in breadth, by the definition, without any bound.
    fn oracle(exchange: &Exchange, start: &[i64], most: &[i64], goal: &[(usize, i64)]) -> bool {
        fn ways(slots: &[usize], count: i64, free: &[i64], way: &[i64], found: &mut Vec<Vec<i64>>) {
            match slots.split_first() {
                None if count == 0 => found.push(way.to_vec()),
                None => {}
                Some((slot, rest)) => {
                    for taken in 0..=count.min(free[*slot]) {
                        let mut way = way.to_vec();
                        way[*slot] -= taken;
                        ways(rest, count - taken, free, &way, found);
                    }
                }
            }
        }
        let uses = |rule: &Rule, state: &[i64]| -> Vec<Vec<i64>> {
            let mut after = state.to_vec();
            for (slot, amount) in &rule.take {
                after[*slot] -= AMOUNTS[*amount];
            }
            let mut free = after.clone();
            for (slot, amount) in &rule.need {
                free[*slot] -= AMOUNTS[*amount];
            }
            if free.iter().any(|free| *free < 0) {
                return Vec::new();
            }
            let mut found = Vec::new();
            match &rule.take_any {
                None => found.push(after),
                Some((slots, amount)) => ways(slots, AMOUNTS[*amount], &free, &after, &mut found),
            }
            for way in &mut found {
                for (slot, amount) in &rule.give {
                    way[*slot] = (way[*slot] + AMOUNTS[*amount]).min(most[*slot]);
                }
            }
            found.retain(|way| way != state);
            found
        };
        let start: Vec<i64> = start.iter().zip(most).map(|(a, b)| *a.min(b)).collect();
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            if goal.iter().all(|(slot, amount)| state[*slot] >= *amount) {
                return true;
            }
            let all = |automatic: bool| -> Vec<Vec<i64>> {
                exchange
                    .rules
                    .iter()
                    .filter(|rule| rule.automatic == automatic)
                    .flat_map(|rule| uses(rule, &state))
                    .collect()
            };
            let mut next = all(true);
            if next.is_empty() {
                next = all(false);
            }
            for next in next {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        false
    }

    const SLOTS: usize = 5;

    fn amounts() -> impl Strategy<Value = Vec<(usize, usize)>> {
        prop::collection::vec((0..SLOTS, 0..3_usize), 0..3)
    }

    fn rule() -> impl Strategy<Value = Rule> {
        let any = prop::option::of((
            prop::sample::subsequence((0..SLOTS).collect::<Vec<_>>(), 1..=3),
            0..4_usize,
        ));
        (amounts(), amounts(), amounts(), any, 0..5_u8).prop_map(
            |(need, take, give, take_any, automatic)| Rule {
                need,
                take,
                give,
                take_any,
                automatic: automatic == 0,
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_search_agrees_with_its_definition(
            rules in prop::collection::vec(rule(), 0..6),
            start in prop::collection::vec(0..5_i64, SLOTS),
            most in prop::collection::vec(0..6_i64, SLOTS),
            goal in prop::collection::vec((0..SLOTS, 0..5_i64), 1..3),
        ) {
            let exchange = Exchange::new(SLOTS, rules);
            let expected = oracle(&exchange, &start, &most, &goal);
            prop_assert_eq!(ask(&exchange, &start, &most, &goal), Ok(expected));
            // The same in wider states, whose other slots stay empty.
            for slots in [12, 20, 40] {
                let wide = Exchange::new(slots, exchange.rules.clone());
                let (mut start, mut most) = (start.clone(), most.clone());
                start.resize(slots, 0);
                most.resize(slots, 9);
                prop_assert_eq!(ask(&wide, &start, &most, &goal), Ok(expected));
            }
        }

        #[test]
        fn the_bounds_turn_away_nothing_that_can_be_reached(
            rules in prop::collection::vec(rule(), 0..6),
            start in prop::collection::vec(0..5_u8, SLOTS),
            most in prop::collection::vec(0..6_u8, SLOTS),
            goal in (0..SLOTS, 1..5_u8),
        ) {
            let exchange = Exchange::new(SLOTS, rules);
            let wide = |row: &[u8]| row.iter().map(|amount| i64::from(*amount)).collect::<Vec<_>>();
            if oracle(&exchange, &wide(&start), &wide(&most), &[(goal.0, i64::from(goal.1))]) {
                let fixed = |row: &[u8]| -> [u8; 8] {
                    std::array::from_fn(|slot| row.get(slot).copied().unwrap_or(0))
                };
                let most = fixed(&most);
                let mut start = fixed(&start);
                for (start, most) in start.iter_mut().zip(most) {
                    *start = (*start).min(most);
                }
                let mut wanted = [0; 8];
                wanted[goal.0] = goal.1;
                let plan = Plan::<8>::of(&exchange, &AMOUNTS, 1 << goal.0);
                prop_assert!(hopeful(&plan.rules, &plan.parts, &start, &most, &wanted));
                if let Some(worths) = plan.worths {
                    prop_assert!(worth(&start, &worths) >= worth(&wanted, &worths));
                }
            }
        }

        #[test]
        fn scratch_that_was_used_changes_nothing(
            rules in prop::collection::vec(prop::collection::vec(rule(), 1..4), 2),
            queries in prop::collection::vec(
                (
                    0..2_usize,
                    prop::collection::vec(0..3_i64, SLOTS),
                    3..5_i64,
                    0..4_usize,
                    (0..3_usize, 0..4_i64),
                ),
                1..3 * ANSWERS,
            ),
        ) {
            let exchanges: Vec<_> =
                rules.into_iter().map(|rules| Exchange::new(SLOTS, rules)).collect();
            let mut scratch = Scratch::default();
            // Each query once more, when others have been asked.
            for (which, start, most, shift, goal) in queries.iter().chain(&queries) {
                let query = Query {
                    start,
                    most: &[*most; SLOTS],
                    amounts: &AMOUNTS[*shift..],
                    goal: &[*goal],
                };
                prop_assert_eq!(
                    reaches(&exchanges[*which], &mut scratch, query),
                    reaches(&exchanges[*which], &mut Scratch::default(), query)
                );
            }
        }
    }
}
