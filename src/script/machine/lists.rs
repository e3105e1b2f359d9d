//! Lists of a running script: each is owned by one register and lies in the heap.

use crate::table::ops::players;
use crate::table::value::{ListRef, TextRef};
use crate::table::{Case, Value};

use super::properties::own_cell;
use super::run::plainly_equal;
use super::texts::text_bytes;
use super::trouble::{Trouble, mismatch, out_of_range, too_long, wrong};
use super::{Machine, Run};

/// Most lists inside each other.
const MOST_NESTED: usize = 32;

impl Machine<'_, '_> {
    #[inline(never)]
    pub(in crate::script) fn copy_list(&mut self, list: ListRef) -> Result<Value, Trouble> {
        self.copy_nested(list, 1)
    }

    /// A value that is to stand in a second place: a list is copied.
    #[inline]
    pub(in crate::script) fn own(&mut self, value: Value) -> Result<Value, Trouble> {
        match value.as_list() {
            Some(list) => self.copy_list(list),
            None => Ok(value),
        }
    }

    pub(super) fn copy_nested(&mut self, list: ListRef, depth: usize) -> Result<Value, Trouble> {
        if depth > MOST_NESTED {
            return Err(Trouble::new(
                "Y0407",
                format!("more than {MOST_NESTED} lists inside each other"),
            ));
        }
        let start = self.state.run.heap.len();
        self.grow(usize::from(list.len))?;
        self.pay(1);
        let from = list.start as usize;
        let heap = &mut self.state.run.heap;
        heap.extend_from_within(from..from + usize::from(list.len));
        for at in start..start + usize::from(list.len) {
            if let Some(inner) = self.state.run.heap[at].as_list() {
                let copy = self.copy_nested(inner, depth + 1)?;
                self.state.run.heap[at] = copy;
            }
        }
        Ok(Value::from(ListRef {
            start: start as u32,
            len: list.len,
            room: list.len,
        }))
    }

    /// Makes sure that so many elements more are allowed, and pays for them.
    pub(super) fn grow(&mut self, more: usize) -> Result<(), Trouble> {
        self.budget = self.budget.saturating_sub(more as u64 / 8);
        if more > self.limits.list {
            return Err(too_long(self.limits.list));
        }
        self.room(self.state.run.heap.len() + more)
    }

    /// Makes sure that the heap may have so many elements.
    #[inline]
    pub(super) fn room(&mut self, elements: usize) -> Result<(), Trouble> {
        if elements > self.limits.heap / 2 {
            self.crowded = true;
            if elements > self.limits.heap {
                return Err(self.too_much());
            }
        }
        Ok(())
    }

    /// A list of values.
    #[inline(never)]
    pub(in crate::script) fn list_of(&mut self, values: &[Value]) -> Result<Value, Trouble> {
        self.grow(values.len())?;
        let start = self.state.run.heap.len();
        self.state.run.heap.extend_from_slice(values);
        Ok(Value::from(ListRef {
            start: start as u32,
            len: values.len() as u16,
            room: values.len() as u16,
        }))
    }

    /// The elements of a list, or of a zone as a list of its own.
    #[inline(never)]
    pub(in crate::script) fn sequence(&mut self, value: Value) -> Result<ListRef, Trouble> {
        match value.case() {
            Case::List(list) => Ok(list),
            Case::Zone(zone) => {
                let len = self.state.table.len(zone);
                self.grow(len)?;
                let (table, heap) = (&self.state.table, &mut self.state.run.heap);
                let start = heap.len();
                heap.extend(table.lying(zone).map(Value::from));
                Ok(ListRef {
                    start: start as u32,
                    len: len as u16,
                    room: len as u16,
                })
            }
            other => Err(wrong("a list or a zone", other)),
        }
    }

    #[inline(never)]
    pub(super) fn push(&mut self, list: Value, value: Value) -> Result<Value, Trouble> {
        let Some(mut list) = list.as_list() else {
            return Err(wrong("a list", list));
        };
        if usize::from(list.len) >= self.limits.list {
            return Err(too_long(self.limits.list));
        }
        let value = self.own(value)?;
        if list.len < list.room {
            self.state.run.heap[list.start as usize + usize::from(list.len)] = value;
            list.len += 1;
            return Ok(Value::from(list));
        }
        let end = list.start as usize + usize::from(list.room);
        if end == self.state.run.heap.len() && list.room > 0 {
            self.room(self.state.run.heap.len() + 1)?;
            self.state.run.heap.push(value);
            list.len += 1;
            list.room += 1;
            return Ok(Value::from(list));
        }
        let room = (usize::from(list.len) * 2).max(4).min(self.limits.list);
        self.room(self.state.run.heap.len() + room)?;
        let start = self.state.run.heap.len();
        let heap = &mut self.state.run.heap;
        heap.extend_from_within(list.start as usize..list.start as usize + usize::from(list.len));
        heap.push(value);
        heap.resize(start + room, Value::UNIT);
        self.budget = self.budget.saturating_sub(room as u64 / 8);
        Ok(Value::from(ListRef {
            start: start as u32,
            len: list.len + 1,
            room: room as u16,
        }))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn endless(&self) -> Trouble {
        Trouble::new(
            "Y0402",
            format!(
                "stopped after about {} instructions without a question",
                self.limits.instructions
            ),
        )
        .help("a loop here probably never ends")
    }

    #[cold]
    #[inline(never)]
    pub(super) fn too_much(&self) -> Trouble {
        Trouble::new(
            "Y0407",
            format!("all lists together are longer than {}", self.limits.heap),
        )
    }

    /// Between two instructions of the outermost run every list in use is in a register: those that
    /// nobody holds any more can go.
    #[cold]
    #[inline(never)]
    pub(super) fn tidy(&mut self) -> Result<(), Trouble> {
        self.pay(self.state.run.heap.len() / 8 + self.state.run.text.len() / 32);
        self.compact();
        if self.state.run.heap.len() > self.limits.heap / 2 {
            return Err(self.too_much());
        }
        if self.state.run.text.len() > self.limits.text / 2 {
            return Err(self.too_much_text());
        }
        Ok(())
    }

    pub(super) fn untidy(&self) -> bool {
        self.state.run.heap.len() > self.limits.heap / 2
            || self.state.run.text.len() > self.limits.text / 2
    }

    #[inline(never)]
    pub(super) fn index(&mut self, list: Value, index: Value) -> Result<Value, Trouble> {
        match (list.case(), index.case()) {
            (Case::List(list), Case::Int(at)) => {
                if at < 0 || at >= i64::from(list.len) {
                    return Err(out_of_range(at, usize::from(list.len)));
                }
                self.own(self.state.run.heap[list.start as usize + at as usize])
            }
            (Case::Zone(zone), Case::Int(at)) => {
                let len = self.state.table.len(zone);
                self.pay(len / 8);
                usize::try_from(at)
                    .ok()
                    .and_then(|at| self.state.table.lying(zone).nth(at))
                    .map(Value::from)
                    .ok_or_else(|| out_of_range(at, len))
            }
            (Case::Player(player), Case::Dial(dial)) => {
                let family = &self.rules.pack.layout.dials[dial.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let position = self.state.table.cells[usize::from(cell)];
                Ok(Value::int(i64::from(family.faces[position as usize])))
            }
            (Case::Player(player), Case::Toggle(toggle)) => {
                let family = &self.rules.pack.layout.toggles[toggle.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                Ok(Value::from(self.state.table.cells[usize::from(cell)] != 0))
            }
            (Case::List(_) | Case::Zone(_), other) => Err(wrong("a number", other)),
            (other, _) => Err(wrong("a list or a zone", other)),
        }
    }

    #[inline(never)]
    pub(super) fn set_index(
        &mut self,
        list: Value,
        index: Value,
        value: Value,
    ) -> Result<(), Trouble> {
        match (list.case(), index.case(), value.case()) {
            (Case::List(list), Case::Int(at), _) => {
                if at < 0 || at >= i64::from(list.len) {
                    return Err(out_of_range(at, usize::from(list.len)));
                }
                let value = self.own(value)?;
                self.state.run.heap[list.start as usize + at as usize] = value;
                Ok(())
            }
            (Case::Player(player), Case::Toggle(toggle), Case::Bool(on)) => {
                let family = &self.rules.pack.layout.toggles[toggle.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let position = cell - family.base;
                self.table().toggle(toggle, position, on);
                Ok(())
            }
            (Case::Player(_), Case::Toggle(_), other) => Err(wrong("a boolean", other)),
            (Case::Player(_), Case::Dial(_), _) => {
                Err(Trouble::new("Y0408", "a dial cannot be assigned to")
                    .help("move it with `advance(player, dial, steps)`"))
            }
            (other, ..) => Err(wrong("a list in a variable", other)),
        }
    }

    #[inline(never)]
    pub(in crate::script) fn contains(
        &mut self,
        list: Value,
        item: Value,
    ) -> Result<bool, Trouble> {
        match (list.case(), item.case()) {
            (Case::Zone(zone), Case::Piece(piece)) => {
                Ok(self.state.table.pieces[piece.index()].zone == zone)
            }
            (Case::Zone(_), Case::Unit) => Ok(false),
            (Case::Zone(_), other) => Err(wrong("a piece", other)),
            (Case::List(list), _) => {
                self.pay(usize::from(list.len) / 4);
                for at in 0..usize::from(list.len) {
                    let element = self.state.run.heap[list.start as usize + at];
                    let equal = match plainly_equal(element, item) {
                        Some(equal) => equal,
                        None => self.equal(element, item)?,
                    };
                    if equal {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (other, _) => Err(wrong("a list or a zone", other)),
        }
    }

    /// `==`: comparing unlike things is an error, except with nothing and with plain choices.
    #[inline(never)]
    pub(in crate::script) fn equal(&mut self, a: Value, b: Value) -> Result<bool, Trouble> {
        match (a.case(), b.case()) {
            (Case::Int(a), Case::Int(b)) => Ok(a == b),
            (Case::Text(a), Case::Text(b)) => {
                self.pay(a.len.min(b.len) as usize / 32);
                let run = &self.state.run;
                Ok(text_bytes(self.rules, run, a) == text_bytes(self.rules, run, b))
            }
            (Case::List(a), Case::List(b)) => {
                if a.len != b.len {
                    return Ok(false);
                }
                self.pay(usize::from(a.len) / 4);
                for at in 0..usize::from(a.len) {
                    let heap = &self.state.run.heap;
                    let (left, right) = (heap[a.start as usize + at], heap[b.start as usize + at]);
                    if !self.equal(left, right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => plainly_equal(a, b).ok_or_else(|| {
                Trouble::new(
                    "Y0409",
                    format!("{} is compared with {}", a.type_name(), b.type_name()),
                )
                .help("compare like with like; `x == ()` tests for nothing")
            }),
        }
    }

    /// `+` on texts and lists.
    #[inline(never)]
    pub(super) fn join(&mut self, a: Value, b: Value) -> Result<Value, Trouble> {
        match (a.case(), b.case()) {
            (Case::Text(a), Case::Text(b)) => {
                let len = (a.len + b.len) as usize;
                self.grow_text(len)?;
                let start = self.begin_text();
                for part in [a, b] {
                    self.append_text(part);
                }
                Ok(self.end_text(start))
            }
            (Case::List(a), Case::List(b)) => {
                let len = usize::from(a.len) + usize::from(b.len);
                self.grow(len)?;
                let start = self.state.run.heap.len();
                for part in [a, b] {
                    let from = part.start as usize;
                    self.state
                        .run
                        .heap
                        .extend_from_within(from..from + usize::from(part.len));
                }
                for at in start..start + len {
                    if let Some(inner) = self.state.run.heap[at].as_list() {
                        let copy = self.copy_list(inner)?;
                        self.state.run.heap[at] = copy;
                    }
                }
                Ok(Value::from(ListRef {
                    start: start as u32,
                    len: len as u16,
                    room: len as u16,
                }))
            }
            (a, b) => Err(mismatch("+", a.into(), b.into())),
        }
    }

    /// Throws away lists and texts that no register holds.
    #[cold]
    #[inline(never)]
    pub(in crate::script) fn compact(&mut self) {
        let top = self.top_of_stack();
        let run = &mut self.state.run;
        let constants = self.rules.program.texts.len();
        let mut heap = std::mem::take(&mut self.scratch.heap);
        let mut text = std::mem::take(&mut self.scratch.text);
        heap.clear();
        text.clear();
        fn keep(
            value: &mut Value,
            old: (&[Value], &[u8]),
            heap: &mut Vec<Value>,
            text: &mut Vec<u8>,
            constants: usize,
        ) {
            match value.case() {
                Case::List(list) => {
                    let start = heap.len();
                    let from = list.start as usize;
                    heap.extend_from_slice(&old.0[from..from + usize::from(list.len)]);
                    *value = Value::from(ListRef {
                        start: start as u32,
                        len: list.len,
                        room: list.len,
                    });
                    for at in start..start + usize::from(list.len) {
                        let mut inner = heap[at];
                        if matches!(inner.case(), Case::List(_) | Case::Text(_)) {
                            keep(&mut inner, old, heap, text, constants);
                            heap[at] = inner;
                        }
                    }
                }
                Case::Text(old_text) if old_text.start as usize >= constants => {
                    let from = old_text.start as usize - constants;
                    let start = text.len();
                    text.extend_from_slice(&old.1[from..from + old_text.len as usize]);
                    *value = Value::from(TextRef {
                        start: (constants + start) as u32,
                        ..old_text
                    });
                }
                _ => {}
            }
        }
        for value in run.stack.iter_mut().take(top) {
            keep(
                value,
                (&run.heap, &run.text),
                &mut heap,
                &mut text,
                constants,
            );
        }
        std::mem::swap(&mut run.heap, &mut heap);
        std::mem::swap(&mut run.text, &mut text);
        self.scratch.heap = heap;
        self.scratch.text = text;
    }

    /// The players, as a list.
    pub(in crate::script) fn players(&mut self) -> Result<Value, Trouble> {
        let mut values = std::mem::take(&mut self.scratch.values);
        values.clear();
        values.extend(players(&self.state.table).map(Value::from));
        let list = self.list_of(&values);
        self.scratch.values = values;
        list
    }
}

/// The elements of a list.
pub fn elements(run: &Run, list: ListRef) -> &[Value] {
    let start = list.start as usize;
    &run.heap[start..start + usize::from(list.len)]
}
