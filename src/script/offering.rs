//! Offering choices, and telling which of them are alike.

use crate::table::ids::PieceId;
use crate::table::{Case, TableState, Value};

use super::machine::{Machine, Trouble, elements};
use super::rules::Rules;
use super::state::{Offer, Run};

/// Most choices of one decision.
const MOST_OFFERS: usize = 4096;

/// Most parts of a choice.
const MOST_PARTS: usize = 3;

impl Machine<'_, '_> {
    /// Offers one choice.
    pub(super) fn offer(&mut self, parts: &[Value]) -> Result<(), Trouble> {
        for part in parts {
            offerable(*part)?;
        }
        // The lowering lets no other numbers of parts through.
        let Some((last, first)) = parts.split_last() else {
            return Ok(());
        };
        if !self.room_for_offers(1, parts.len())? {
            return Ok(());
        }
        let signature = self.signature(parts);
        Offering::new(&mut self.state.run, &mut self.scratch.leaders, 1)
            .add(first, *last, signature);
        Ok(())
    }

    /// Offers each combination of the values of lists and zones; a plain value stands for itself.
    pub(super) fn offer_all(&mut self, arguments: &[Value]) -> Result<(), Trouble> {
        let Some((last, first)) = arguments.split_last() else {
            return Ok(());
        };
        let is_row = |value: &Value| value.as_zone().is_some() || value.as_list().is_some();
        if first.iter().any(is_row) {
            return self.offer_combinations(arguments);
        }
        // Most are of this sort: one row, and what stands before each of its values.
        for part in first {
            offerable(*part)?;
        }
        if let Some(zone) = last.as_zone() {
            let len = self.state.table.len(zone);
            if len == 0 || !self.room_for_offers(len, arguments.len())? {
                return Ok(());
            }
            let before = self.sum(first, arguments.len());
            let (rules, table) = (self.rules, &self.state.table);
            let mut offering = Offering::new(&mut self.state.run, &mut self.scratch.leaders, len);
            for piece in table.lying(zone) {
                let signature = mix(before, identity_of(rules, table, piece));
                offering.add(first, piece.into(), signature);
            }
            return Ok(());
        }
        let Some(list) = last.as_list() else {
            return self.offer(arguments);
        };
        for value in elements(&self.state.run, list) {
            offerable(*value)?;
        }
        let len = usize::from(list.len);
        if len == 0 || !self.room_for_offers(len, arguments.len())? {
            return Ok(());
        }
        let before = self.sum(first, arguments.len());
        let (rules, table) = (self.rules, &self.state.table);
        let heap = std::mem::take(&mut self.state.run.heap);
        let values = &heap[list.start as usize..][..len];
        let mut offering = Offering::new(&mut self.state.run, &mut self.scratch.leaders, len);
        for value in values {
            let signature = mix(before, identity(rules, table, *value));
            offering.add(first, *value, signature);
        }
        self.state.run.heap = heap;
        Ok(())
    }

    /// Offers the combinations of several rows.
    #[inline(never)]
    fn offer_combinations(&mut self, arguments: &[Value]) -> Result<(), Trouble> {
        let mut marked = std::mem::take(&mut self.scratch.marked);
        let result = self.offer_rows(arguments, &mut marked);
        self.scratch.marked = marked;
        result
    }

    fn offer_rows(
        &mut self,
        arguments: &[Value],
        marked: &mut Vec<(Value, u64)>,
    ) -> Result<(), Trouble> {
        // The rows one after the other, each value with what tells it from others.
        marked.clear();
        let mut ends = [0; MOST_PARTS];
        let mut total = 1;
        let (rules, table) = (self.rules, &self.state.table);
        for (end, argument) in ends.iter_mut().zip(arguments) {
            let before = marked.len();
            if let Some(zone) = argument.as_zone() {
                let mark = |piece| (Value::from(piece), identity_of(rules, table, piece));
                marked.extend(table.lying(zone).map(mark));
            } else {
                let one = [*argument];
                let values = match argument.as_list() {
                    Some(list) => elements(&self.state.run, list),
                    None => &one,
                };
                for value in values {
                    offerable(*value)?;
                    marked.push((*value, identity(rules, table, *value)));
                }
            }
            *end = marked.len();
            total *= marked.len() - before;
        }
        let parts = arguments.len();
        if total == 0 || !self.room_for_offers(total, parts)? {
            return Ok(());
        }
        let (first, rest) = marked.split_at(ends[0]);
        let (second, third) = rest.split_at(ends[1].saturating_sub(ends[0]));
        let mut offering = Offering::new(&mut self.state.run, &mut self.scratch.leaders, total);
        for (a, mark) in first {
            let sum = mix(parts as u64, *mark);
            for (b, mark) in second {
                let sum = mix(sum, *mark);
                if third.is_empty() {
                    offering.add_parts([*a, *b], sum);
                }
                for (c, mark) in third {
                    offering.add_parts([*a, *b, *c], mix(sum, *mark));
                }
            }
        }
        Ok(())
    }

    /// Makes room for so many choices more; whether anything is offered at all: inside `what_if` nothing
    /// can be asked.
    fn room_for_offers(&mut self, more: usize, parts: usize) -> Result<bool, Trouble> {
        let run = &mut self.state.run;
        if run.offers.len() + more > MOST_OFFERS {
            return Err(Trouble::new(
                "Y0419",
                format!("more than {MOST_OFFERS} choices are offered"),
            ));
        }
        if self.scratch.what_ifs > 0 {
            return Ok(false);
        }
        run.offers.reserve(more);
        run.parts.reserve(more * parts);
        Ok(true)
    }

    /// A number that is equal for choices that nobody can tell apart.
    pub(super) fn signature(&self, parts: &[Value]) -> u64 {
        self.sum(parts, parts.len())
    }

    /// The signature of the first of so many parts.
    #[inline]
    fn sum(&self, parts: &[Value], all: usize) -> u64 {
        let (rules, table) = (self.rules, &self.state.table);
        parts.iter().fold(all as u64, |sum, part| {
            mix(sum, identity(rules, table, *part))
        })
    }
}

/// Where choices are added.
struct Offering<'a> {
    offers: &'a mut Vec<Offer>,
    parts: &'a mut Vec<Value>,
    leaders: &'a mut Leaders,
}

impl<'a> Offering<'a> {
    /// Where so many choices are added, for which there is room.
    #[inline]
    fn new(run: &'a mut Run, leaders: &'a mut Leaders, more: usize) -> Self {
        leaders.make_room(&run.offers, more);
        Self {
            offers: &mut run.offers,
            parts: &mut run.parts,
            leaders,
        }
    }

    /// Adds a choice for which there is room.
    #[inline]
    fn add(&mut self, first: &[Value], last: Value, signature: u64) {
        match *first {
            [] => self.add_parts([last], signature),
            [a] => self.add_parts([a, last], signature),
            [a, b] => self.add_parts([a, b, last], signature),
            _ => {}
        }
    }

    /// Adds a choice for which there is room. How many parts it has is known where it is made: their place is
    /// looked for once.
    #[inline(always)]
    fn add_parts<const N: usize>(&mut self, parts: [Value; N], signature: u64) {
        let leader = self.leaders.look_up(self.offers, signature);
        let position = self.offers.len();
        self.offers.push(Offer {
            first: self.parts.len() as u16,
            parts: N as u8,
            leader: leader as u16,
            count: u16::from(leader == position),
            signature,
        });
        self.parts.extend_from_slice(&parts);
        if leader != position {
            self.offers[leader].count += 1;
        }
    }
}

/// Finds the first of the choices that nobody can tell apart, by their signatures.
///
/// Of few, six bits of each signature are noted, with the first that has them: most are new, or alike to that one,
/// and only else they are looked through. For more there is a hash table of positions, of a size that is a power of
/// two.
#[derive(Debug)]
pub(super) struct Leaders {
    /// Whether these offers are known, all of which came by [`Offering::add_parts`].
    known: bool,
    /// Which six bits are among their signatures.
    seen: u64,
    /// For those, the first offer that has them.
    first: [u16; 64],
    /// Whether they are in the table.
    in_table: bool,
    slots: Vec<u16>,
}

/// Most choices without a table.
const FEW: usize = 32;

/// Slots of a table that is used for the first time.
const SLOTS: usize = 64;

impl Default for Leaders {
    fn default() -> Self {
        Self {
            known: false,
            seen: 0,
            first: [0; 64],
            in_table: false,
            slots: Vec::new(),
        }
    }
}

impl Leaders {
    /// What comes next are other offers.
    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    /// Makes sure that these offers are known, and that there is room for so many more.
    #[inline]
    fn make_room(&mut self, offers: &[Offer], more: usize) {
        if !self.known {
            self.known = true;
            self.in_table = false;
            self.seen = 0;
            for (position, offer) in offers.iter().enumerate() {
                self.look_up(&offers[..position], offer.signature);
            }
        }
        let all = offers.len() + more;
        if all > FEW && !(self.in_table && all * 2 <= self.slots.len()) {
            self.fill_table(offers, more);
        }
    }

    #[cold]
    #[inline(never)]
    fn fill_table(&mut self, offers: &[Offer], more: usize) {
        let size = ((offers.len() + more) * 4).next_power_of_two().max(SLOTS);
        self.slots.clear();
        self.slots.resize(size, u16::MAX);
        self.in_table = true;
        for (position, offer) in offers.iter().enumerate() {
            self.in_slots(&offers[..position], offer.signature);
        }
    }

    /// The first of these offers with a signature; if there is none, the next position.
    #[inline]
    fn look_up(&mut self, offers: &[Offer], signature: u64) -> usize {
        if self.in_table {
            return self.in_slots(offers, signature);
        }
        // The upper bits depend on all parts.
        let six = (signature >> 58) as usize;
        if self.seen & 1 << six == 0 {
            self.seen |= 1 << six;
            self.first[six] = offers.len() as u16;
            return offers.len();
        }
        let first = usize::from(self.first[six]);
        let alike = |offer: &Offer| offer.signature == signature;
        let after = offers[first..].iter().position(alike);
        after.map_or(offers.len(), |after| first + after)
    }

    /// The same by the table, which takes note of a next position.
    #[inline(never)]
    fn in_slots(&mut self, offers: &[Offer], signature: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (signature ^ signature >> 32) as usize & mask;
        loop {
            match offers.get(usize::from(self.slots[slot])) {
                Some(offer) if offer.signature == signature => return usize::from(offer.leader),
                Some(_) => slot = (slot + 1) & mask,
                None => {
                    self.slots[slot] = offers.len() as u16;
                    return offers.len();
                }
            }
        }
    }
}

/// Reports what cannot be part of a choice.
#[inline]
fn offerable(part: Value) -> Result<(), Trouble> {
    match part.case() {
        Case::Unit | Case::List(_) | Case::Text(_) | Case::Table => Err(not_offerable(part)),
        _ => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn not_offerable(part: Value) -> Trouble {
    Trouble::new("Y0419", format!("{} cannot be offered", part.type_name()))
        .help("offer pieces, nodes, members, players, dials, toggles, numbers or choices declared in TOML")
}

/// A number that is equal for values that nobody can tell apart: the same value, or equal pieces in one place
/// that show the same.
#[inline]
fn identity(rules: &Rules, table: &TableState, value: Value) -> u64 {
    match value.as_piece() {
        Some(piece) => identity_of(rules, table, piece),
        None => value.word(),
    }
}

/// What tells a piece from others, in a word that is none of a value that can be offered.
#[inline]
fn identity_of(rules: &Rules, table: &TableState, piece: PieceId) -> u64 {
    let class = match rules.pieces.get(piece.index()) {
        Some(row) => row.class,
        None => table.info(&rules.pack.layout, piece).class,
    };
    let state = &table.pieces[piece.index()];
    Value::UNIT.word()
        | u64::from(class) << 8
        | u64::from(state.zone.0) << 24
        | u64::from(state.face) << 40
        | u64::from(state.face_down) << 48
}

/// Mixes a number into a running one, so that different rows of numbers give different sums.
#[inline]
fn mix(sum: u64, number: u64) -> u64 {
    let mixed = (sum ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn offer(signature: u64, leader: usize) -> Offer {
        Offer {
            first: 0,
            parts: 1,
            leader: leader as u16,
            count: 1,
            signature,
        }
    }

    proptest! {
        /// Signatures that differ in the six bits, in others, or not at all; in parts of some size, known before or
        /// not, up to more than a table is made for.
        #[test]
        fn the_first_alike_leads(
            signatures in prop::collection::vec((0_u64..5, 0_u64..3), 0..3 * FEW),
            part in 1_usize..2 * FEW,
            forgets in any::<bool>(),
        ) {
            let mut leaders = Leaders::default();
            let mut offers: Vec<Offer> = Vec::new();
            let signatures: Vec<u64> = signatures.iter().map(|(high, low)| high << 58 | low).collect();
            for part in signatures.chunks(part) {
                if forgets {
                    leaders.forget();
                }
                leaders.make_room(&offers, part.len());
                for signature in part {
                    let expected = offers.iter().position(|offer| offer.signature == *signature);
                    let found = leaders.look_up(&offers, *signature);
                    prop_assert_eq!(found, expected.unwrap_or(offers.len()));
                    offers.push(offer(*signature, found));
                }
            }
        }
    }
}
