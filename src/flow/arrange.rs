//! Arranging a table: items are set to given values, as scenarios and interventions want it.
//!
//! What lay in a zone that is set goes back to where it starts, at the bottom; where that is the same zone, it
//! stays below. Of equal copies those are taken first that are still where they start, then those of hidden
//! stacks, then others. Pieces named by id are taken by nobody else.

use std::collections::BTreeSet;

use crate::diag::nearest;
use crate::table::ids::{GroupId, PieceId, ZoneId};
use crate::table::invariants;
use crate::table::layout::{Layout, Visible};
use crate::table::{Table, TableError, TableState, Value};

use super::item::{Item, ItemValue, Word};

/// Sets items, all together.
///
/// # Errors
/// The position of the item that cannot be set so, and why. The table is then to be thrown away.
pub fn arrange(
    layout: &Layout,
    state: &mut TableState,
    settings: &[(Item, ItemValue)],
) -> Result<(), (usize, String)> {
    let mut arranger = Arranger {
        layout,
        state,
        taken: BTreeSet::new(),
    };
    for (index, (item, value)) in settings.iter().enumerate() {
        arranger
            .reserve(*item, value)
            .map_err(|text| (index, text))?;
    }
    for (index, (item, value)) in settings.iter().enumerate() {
        if let (Item::Zone(zone), ItemValue::List(_)) = (item, value) {
            arranger.clear(*zone).map_err(|text| (index, text))?;
        }
    }
    for (index, (item, value)) in settings.iter().enumerate() {
        arranger.set(*item, value).map_err(|text| (index, text))?;
    }
    // Zones first: a group that was emptied on the way returns its counters to their starts.
    for (index, (item, value)) in settings.iter().enumerate() {
        arranger
            .set_cell(*item, value)
            .map_err(|text| (index, text))?;
    }
    match invariants::check(layout, arranger.state).first() {
        None => Ok(()),
        Some(violation) => Err((
            settings.len().saturating_sub(1),
            violation.describe(layout, arranger.state),
        )),
    }
}

struct Arranger<'a> {
    layout: &'a Layout,
    state: &'a mut TableState,
    /// Pieces that have their place, or are named by id.
    taken: BTreeSet<PieceId>,
}

impl Arranger<'_> {
    fn table(&mut self) -> Table<'_> {
        Table {
            layout: self.layout,
            state: self.state,
            events: None,
            dealer: None,
        }
    }

    fn describe(&self, error: &TableError) -> String {
        error.describe(self.layout, self.state)
    }

    fn pieces(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.state.pieces.len()).map(PieceId::from_index)
    }

    /// The piece that a name picks by id, if it does.
    fn by_id(&self, name: &str, zone: ZoneId) -> Option<PieceId> {
        let word = Word::parse(name);
        let mut found = self.pieces().filter(|piece| {
            let info = self.state.info(self.layout, *piece);
            let exact = info.name.id == word.name && info.key != word.name;
            (exact || info.owner.is_some())
                && piece.index() < self.layout.pieces.len()
                && self.fits(*piece, zone)
                && word.means(self.layout, self.state, *piece)
        });
        found.next()
    }

    fn fits(&self, piece: PieceId, zone: ZoneId) -> bool {
        let kind = self.state.info(self.layout, piece).kind;
        self.layout
            .family(zone)
            .holds
            .is_none_or(|held| held == kind)
    }

    /// Takes the pieces that are named by id.
    fn reserve(&mut self, item: Item, value: &ItemValue) -> Result<(), String> {
        let Item::Zone(zone) = item else {
            return Ok(());
        };
        let (ItemValue::List(names) | ItemValue::Top { top: names, .. }) = value else {
            return Err("expected a list of pieces".to_owned());
        };
        for name in names {
            if let Some(piece) = self.by_id(name, zone)
                && !self.taken.insert(piece)
            {
                return Err(format!("`{name}` is named twice"));
            }
        }
        Ok(())
    }

    /// Sends what lies in a zone back to where it starts.
    fn clear(&mut self, zone: ZoneId) -> Result<(), String> {
        let lying: Vec<PieceId> = self.state.lying(zone).collect();
        for piece in lying {
            let info = self.state.info(self.layout, piece);
            let (start, face_down) = (info.start, info.face_down);
            if start != zone {
                let moved = self.table().place(piece, start, true, face_down);
                moved.map_err(|error| self.describe(&error))?;
            }
        }
        Ok(())
    }

    /// Sets a zone, or where a piece lies.
    fn set(&mut self, item: Item, value: &ItemValue) -> Result<(), String> {
        match (item, value) {
            (Item::Zone(zone), ItemValue::List(names)) => {
                self.wake(zone)?;
                for name in names {
                    let piece = self.pick(name, zone)?;
                    self.lay(piece, zone, name)?;
                }
                Ok(())
            }
            (Item::Zone(zone), ItemValue::Top { top, rest }) => {
                self.wake(zone)?;
                let mut pieces = Vec::with_capacity(top.len());
                for name in top {
                    pieces.push((self.pick(name, zone)?, name));
                }
                for (piece, name) in pieces.iter().rev() {
                    self.lay(*piece, zone, name)?;
                }
                let kept: Vec<PieceId> = pieces.into_iter().map(|(piece, _)| piece).collect();
                rest.as_ref()
                    .map_or(Ok(()), |rest| self.send_rest(zone, &kept, rest))
            }
            (Item::Place(piece), ItemValue::Text(path)) => {
                match Item::parse(self.layout, self.state, path)? {
                    Item::Zone(zone) => self.lay(piece, zone, ""),
                    _ => Err(format!("`{path}` is no zone")),
                }
            }
            (Item::Place(_), _) => Err("expected the path of a zone, in quotes".to_owned()),
            _ => Ok(()),
        }
    }

    /// Sends what lies in a zone besides some pieces to another zone, under what lies there.
    fn send_rest(&mut self, zone: ZoneId, kept: &[PieceId], rest: &str) -> Result<(), String> {
        let target = match Item::parse(self.layout, self.state, rest)? {
            Item::Zone(target) if target != zone => target,
            _ => return Err(format!("`{rest}` is no other zone for the rest")),
        };
        let lying: Vec<PieceId> = self.state.lying(zone).collect();
        for piece in lying
            .into_iter()
            .rev()
            .filter(|piece| !kept.contains(piece))
        {
            let face_down = self.state.pieces[piece.index()].face_down;
            let moved = self.table().place(piece, target, true, face_down);
            moved.map_err(|error| self.describe(&error))?;
        }
        Ok(())
    }

    fn lay(&mut self, piece: PieceId, zone: ZoneId, name: &str) -> Result<(), String> {
        let word = Word::parse(name);
        let mut table = self.table();
        let mut done = table.place(piece, zone, false, word.face_down);
        if let (Ok(()), Some(face)) = (&done, word.face) {
            done = table.set_face(piece, i64::from(face));
        }
        done.map_err(|error| self.describe(&error))
    }

    /// Brings the group of a zone to life.
    fn wake(&mut self, zone: ZoneId) -> Result<(), String> {
        let Some(group) = self.layout.first_coordinate(zone).as_group() else {
            return Ok(());
        };
        let kind = self.layout.groups[group.index()];
        let info = &self.layout.group_kinds[kind.index()];
        let alive = usize::from(info.alive + (group.0 - info.groups.start));
        while self.state.cells[alive] == 0 {
            let formed: Result<GroupId, TableError> = self.table().form(kind);
            formed.map_err(|error| self.describe(&error))?;
        }
        Ok(())
    }

    /// A piece of a name that is not taken yet.
    fn pick(&mut self, name: &str, zone: ZoneId) -> Result<PieceId, String> {
        if let Some(piece) = self.by_id(name, zone) {
            return Ok(piece);
        }
        let word = Word::parse(name);
        let meant: Vec<PieceId> = self
            .pieces()
            .filter(|piece| self.fits(*piece, zone) && word.means(self.layout, self.state, *piece))
            .collect();
        let Some(first) = meant.first() else {
            return Err(self.unknown(word.name, zone));
        };
        let kind = self.state.info(self.layout, *first).kind;
        if let Some(other) = meant
            .iter()
            .map(|piece| self.state.info(self.layout, *piece).kind)
            .find(|other| *other != kind)
        {
            let id = |kind: crate::table::ids::KindId| &self.layout.kinds[kind.index()].name.id;
            return Err(format!(
                "`{0}` can be a `{1}` or a `{2}`: write `{1}:{0}` or `{2}:{0}`",
                word.name,
                id(kind),
                id(other)
            ));
        }
        let best = meant
            .iter()
            .filter(|piece| !self.taken.contains(piece))
            .min_by_key(|piece| (self.distance(**piece, zone), piece.0))
            .copied();
        let piece = match best {
            Some(piece) => piece,
            None if self.layout.kinds[kind.index()].unlimited => {
                let start = self.layout.pieces[first.index()].start;
                match self.table().top(start) {
                    Ok(Some(piece)) => piece,
                    Ok(None) => return Err(format!("no more of `{name}` can be made")),
                    Err(error) => return Err(self.describe(&error)),
                }
            }
            None => {
                return Err(format!(
                    "there are only {} of `{}`, and all have their places",
                    meant.len(),
                    word.name
                ));
            }
        };
        self.taken.insert(piece);
        Ok(piece)
    }

    /// How readily a piece is taken from where it lies.
    fn distance(&self, piece: PieceId, target: ZoneId) -> u8 {
        let zone = self.state.pieces[piece.index()].zone;
        let family = self.layout.family(zone);
        if zone == target {
            0
        } else if zone == self.state.info(self.layout, piece).start {
            1
        } else if family.ordered && family.visible == Visible::Nobody {
            2
        } else {
            3
        }
    }

    fn unknown(&self, name: &str, zone: ZoneId) -> String {
        let known: Vec<&str> = self
            .layout
            .pieces
            .iter()
            .enumerate()
            .filter(|(index, _)| self.fits(PieceId::from_index(*index), zone))
            .map(|(_, info)| info.key.as_str())
            .collect();
        let place = Item::Zone(zone).path(self.layout, self.state);
        match nearest(name, known) {
            Some(near) => format!(
                "there is no piece `{name}` that can lie in `{place}`; did you mean `{near}`?"
            ),
            None => format!("there is no piece `{name}` that can lie in `{place}`"),
        }
    }

    /// Sets a counter, a dial, a toggle or a face.
    fn set_cell(&mut self, item: Item, value: &ItemValue) -> Result<(), String> {
        match (item, value) {
            (Item::Zone(_) | Item::Place(_), _) => Ok(()),
            (Item::Counter(counter, position), value) => {
                let holds = self.layout.counters[counter.index()].holds;
                let value = match value {
                    ItemValue::Int(value) => Value::int(*value),
                    ItemValue::Bool(value) => Value::from(*value),
                    ItemValue::Text(key) => Item::counter_key(self.layout, self.state, holds, key)?,
                    _ => return Err("expected a number, true, false or a key".to_owned()),
                };
                let set = self.table().set_counter(counter, position, value);
                set.map_err(|error| self.describe(&error))
            }
            (Item::Dial(dial, position), ItemValue::Int(face)) => {
                let family = &self.layout.dials[dial.index()];
                let Some(wanted) = family
                    .faces
                    .iter()
                    .position(|known| i64::from(*known) == *face)
                else {
                    let faces: Vec<String> = family.faces.iter().map(i32::to_string).collect();
                    return Err(format!(
                        "dial `{}` does not show {face}; its faces are {}",
                        family.name.id,
                        faces.join(", ")
                    ));
                };
                let now = self.state.cells[usize::from(family.base + position)];
                self.table()
                    .advance(dial, position, wanted as i64 - i64::from(now));
                Ok(())
            }
            (Item::Dial(..), _) => Err("expected the number that a dial shows".to_owned()),
            (Item::Toggle(toggle, position), ItemValue::Bool(on)) => {
                self.table().toggle(toggle, position, *on);
                Ok(())
            }
            (Item::Toggle(..), _) => Err("expected true or false".to_owned()),
            (Item::Face(piece), ItemValue::Int(face)) => {
                let set = self.table().set_face(piece, *face);
                set.map_err(|error| self.describe(&error))
            }
            (Item::Face(_), _) => Err("expected the number of a face".to_owned()),
        }
    }
}
