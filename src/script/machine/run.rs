//! Running instructions.

use crate::diag::count;
use crate::script::api::Verb;
use crate::script::code::{MOST_ARGUMENTS, NO_REGISTER, Op, Register, WINDOW};
use crate::script::state::Frame;
use crate::table::ids::{FunctionId, PieceId, ZoneId};
use crate::table::state::NO_PIECE;
use crate::table::{Case, Value};

use super::properties::place;
use super::start::Way;
use super::trouble::{Trouble, mismatch, number, overflow, too_deep, wrong};
use super::{Machine, Outcome};

/// What a turn of a loop or a call is counted as: code between them does not repeat itself.
const TURN: u64 = 8;

/// The generic instructions behind one that looks at one index: they move the owner and the index, and
/// read.
const GENERIC_AT: usize = 3;

impl Machine<'_, '_> {
    /// Runs until a question, the end, or the end of the frame above a floor.
    pub(super) fn execute(&mut self, floor: usize, nested: bool) -> Result<Outcome, Trouble> {
        match self.io.watch {
            None => self.run_ops::<false>(floor, nested),
            Some(_) => self.run_ops::<true>(floor, nested),
        }
    }

    /// The loop itself: once for those whom nobody watches, who pay nothing for it.
    fn run_ops<const WATCHED: bool>(
        &mut self,
        floor: usize,
        nested: bool,
    ) -> Result<Outcome, Trouble> {
        let rules = self.rules;
        let ops = rules.program.ops.as_slice();
        let constants = rules.program.constants.as_slice();
        let Some(frame) = self.state.run.frames.last() else {
            return Ok(Outcome::Over);
        };
        let mut pc = frame.pc as usize;
        let mut base = frame.base as usize;
        // The stack is held here while instructions run, and given back to whoever else needs it.
        let mut stack = std::mem::take(&mut self.state.run.stack);
        let mut regs = window(&mut stack, base);
        macro_rules! reg {
            ($register:expr) => {
                regs[usize::from($register)]
            };
        }
        macro_rules! give {
            () => {
                self.state.run.stack = std::mem::take(&mut stack)
            };
        }
        macro_rules! with_stack {
            ($use:expr) => {{
                give!();
                let result = $use;
                stack = std::mem::take(&mut self.state.run.stack);
                regs = window(&mut stack, base);
                result
            }};
        }
        // Where code can repeat itself, it is paid for; and lists that nobody holds any more are thrown
        // away when there are too many.
        macro_rules! again {
            ($more:expr) => {
                let cost = TURN + $more as u64;
                if self.budget < cost || self.crowded {
                    sync!();
                    check!(with_stack!(self.turn(cost, nested)));
                } else {
                    self.budget -= cost;
                }
            };
        }
        // Errors and nested runs need to know where the machine is.
        macro_rules! sync {
            () => {
                if let Some(frame) = self.state.run.frames.last_mut() {
                    frame.pc = pc as u32;
                }
            };
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(trouble) => fail!(trouble),
                }
            };
        }
        macro_rules! call_verb {
            ($verb:expr, $arguments:expr) => {{
                let verb = $verb;
                // Some verbs evaluate expressions of the pack, on the same stack; a refusal may be kept with it.
                if matches!(verb, Verb::ValueOf | Verb::Reaches | Verb::Refuse) {
                    sync!();
                    match with_stack!(self.host(verb, $arguments)) {
                        Ok(value) => value,
                        // The frame that failed is the innermost, and knows where it is.
                        Err(trouble) => {
                            give!();
                            return Err(trouble);
                        }
                    }
                } else {
                    check!(self.host(verb, $arguments))
                }
            }};
        }
        // Back to whoever called.
        macro_rules! leave {
            () => {
                let frames = &mut self.state.run.frames;
                frames.pop();
                match frames.last() {
                    Some(frame) if frames.len() > floor => {
                        pc = frame.pc as usize;
                        base = frame.base as usize;
                        regs = window(&mut stack, base);
                    }
                    _ => {
                        give!();
                        return Ok(Outcome::Over);
                    }
                }
            };
        }
        macro_rules! whole {
            ($checked:expr) => {
                match $checked {
                    Some(shifted) => Value::from_shifted(shifted),
                    None => fail!(overflow()),
                }
            };
        }
        // As they lie in their words: shifted up. What is done with them is done so.
        macro_rules! integers {
            ($a:expr, $b:expr, $symbol:literal) => {
                match Value::shifted(reg!($a), reg!($b)) {
                    Some(both) => both,
                    None => fail!(mismatch($symbol, reg!($a), reg!($b))),
                }
            };
        }
        // What nobody reads has no register.
        macro_rules! keep {
            ($dst:expr, $value:expr) => {
                if $dst != NO_REGISTER {
                    reg!($dst) = $value;
                }
            };
        }
        macro_rules! unless {
            ($holds:expr, $to:expr) => {
                if !$holds {
                    pc = $to as usize;
                }
            };
        }
        macro_rules! unless_int {
            ($a:expr, $value:expr, $symbol:literal, $holds:expr, $to:expr) => {
                let constant = Value::from(i32::from($value));
                match Value::shifted(reg!($a), constant) {
                    Some((a, b)) => unless!($holds(a, b), $to),
                    None => fail!(mismatch($symbol, reg!($a), constant)),
                }
            };
        }
        macro_rules! equal {
            ($left:expr, $right:expr) => {
                match plainly_equal($left, $right) {
                    Some(equal) => equal,
                    None => check!(self.equal($left, $right)),
                }
            };
        }
        macro_rules! test {
            ($dst:expr, $holds:expr, $to:expr) => {
                let holds = $holds;
                reg!($dst) = Value::from(holds);
                pc = if holds { pc + 1 } else { $to as usize };
            };
        }
        let trouble = 'run: loop {
            // One way out for all that fails.
            macro_rules! fail {
                ($trouble:expr) => {
                    break 'run $trouble
                };
            }
            // Matched where it lies: each arm reads the operands that it has.
            let op = &ops[pc];
            pc += 1;
            if WATCHED {
                sync!();
                with_stack!(self.look(pc - 1));
            }
            match *op {
                Op::Constant { dst, index } => {
                    reg!(dst) = constants[usize::from(index)];
                }
                Op::Int { dst, value } => reg!(dst) = Value::from(value),
                Op::Copy { dst, src } => {
                    reg!(dst) = check!(self.own(reg!(src)));
                }
                Op::Take { dst, src } => reg!(dst) = reg!(src),
                Op::Add { dst, a, b } => {
                    reg!(dst) = match Value::shifted(reg!(a), reg!(b)) {
                        Some((left, right)) => whole!(left.checked_add(right)),
                        None => check!(self.join(reg!(a), reg!(b))),
                    };
                }
                Op::Sub { dst, a, b } => {
                    let (left, right) = integers!(a, b, "-");
                    reg!(dst) = whole!(left.checked_sub(right));
                }
                Op::Mul { dst, a, b } => {
                    let (left, right) = integers!(a, b, "*");
                    reg!(dst) = whole!(Value::unshift(left).checked_mul(right));
                }
                Op::Div { dst, a, b } => {
                    let (left, right) = integers!(a, b, "/");
                    if right == 0 {
                        fail!(Trouble::new("Y0403", "division by zero"));
                    }
                    // Shifted both, they give what is not shifted.
                    reg!(dst) = match Value::checked_int(left / right) {
                        Some(value) => value,
                        None => fail!(overflow()),
                    };
                }
                Op::Rem { dst, a, b } => {
                    let (left, right) = integers!(a, b, "%");
                    if right == 0 {
                        fail!(Trouble::new("Y0403", "division by zero"));
                    }
                    reg!(dst) = whole!(left.checked_rem(right));
                }
                Op::Eq { dst, a, b } => {
                    let (left, right) = (reg!(a), reg!(b));
                    reg!(dst) = Value::from(equal!(left, right));
                }
                Op::Ne { dst, a, b } => {
                    let (left, right) = (reg!(a), reg!(b));
                    reg!(dst) = Value::from(!equal!(left, right));
                }
                Op::TestEq { dst, a, b, to } => {
                    let (left, right) = (reg!(a), reg!(b));
                    test!(dst, equal!(left, right), to);
                }
                Op::TestNe { dst, a, b, to } => {
                    let (left, right) = (reg!(a), reg!(b));
                    test!(dst, !equal!(left, right), to);
                }
                Op::EqConstant { dst, a, index } => {
                    let (left, right) = (reg!(a), constants[usize::from(index)]);
                    reg!(dst) = Value::from(equal!(left, right));
                }
                Op::NeConstant { dst, a, index } => {
                    let (left, right) = (reg!(a), constants[usize::from(index)]);
                    reg!(dst) = Value::from(!equal!(left, right));
                }
                Op::TestEqConstant {
                    dst,
                    a,
                    index,
                    further,
                } => {
                    let (left, right) = (reg!(a), constants[usize::from(index)]);
                    test!(dst, equal!(left, right), pc + usize::from(further));
                }
                Op::TestNeConstant {
                    dst,
                    a,
                    index,
                    further,
                } => {
                    let (left, right) = (reg!(a), constants[usize::from(index)]);
                    test!(dst, !equal!(left, right), pc + usize::from(further));
                }
                Op::TestLt { dst, a, b, to } => {
                    let (left, right) = integers!(a, b, "<");
                    test!(dst, left < right, to);
                }
                Op::TestLe { dst, a, b, to } => {
                    let (left, right) = integers!(a, b, "<=");
                    test!(dst, left <= right, to);
                }
                Op::TestGt { dst, a, b, to } => {
                    let (left, right) = integers!(a, b, ">");
                    test!(dst, left > right, to);
                }
                Op::TestGe { dst, a, b, to } => {
                    let (left, right) = integers!(a, b, ">=");
                    test!(dst, left >= right, to);
                }
                Op::Min { dst, a, b } => {
                    reg!(dst) = match Value::shifted(reg!(a), reg!(b)) {
                        Some((left, right)) => Value::from_shifted(left.min(right)),
                        None => check!(self.host(Verb::Min, &[reg!(a), reg!(b)])),
                    };
                }
                Op::Max { dst, a, b } => {
                    reg!(dst) = match Value::shifted(reg!(a), reg!(b)) {
                        Some((left, right)) => Value::from_shifted(left.max(right)),
                        None => check!(self.host(Verb::Max, &[reg!(a), reg!(b)])),
                    };
                }
                Op::UnlessEq { a, b, to } => {
                    let (left, right) = (reg!(a), reg!(b));
                    unless!(equal!(left, right), to);
                }
                Op::UnlessNe { a, b, to } => {
                    let (left, right) = (reg!(a), reg!(b));
                    unless!(!equal!(left, right), to);
                }
                Op::UnlessLt { a, b, to } => {
                    let (left, right) = integers!(a, b, "<");
                    unless!(left < right, to);
                }
                Op::UnlessLe { a, b, to } => {
                    let (left, right) = integers!(a, b, "<=");
                    unless!(left <= right, to);
                }
                Op::UnlessGt { a, b, to } => {
                    let (left, right) = integers!(a, b, ">");
                    unless!(left > right, to);
                }
                Op::UnlessGe { a, b, to } => {
                    let (left, right) = integers!(a, b, ">=");
                    unless!(left >= right, to);
                }
                Op::UnlessEqConstant { a, index, to } => {
                    let (left, right) = (reg!(a), constants[usize::from(index)]);
                    unless!(equal!(left, right), to);
                }
                Op::UnlessNeConstant { a, index, to } => {
                    let (left, right) = (reg!(a), constants[usize::from(index)]);
                    unless!(!equal!(left, right), to);
                }
                Op::UnlessLtInt { a, value, to } => {
                    unless_int!(a, value, "<", |a, b| a < b, to);
                }
                Op::UnlessLeInt { a, value, to } => {
                    unless_int!(a, value, "<=", |a, b| a <= b, to);
                }
                Op::UnlessGtInt { a, value, to } => {
                    unless_int!(a, value, ">", |a, b| a > b, to);
                }
                Op::UnlessGeInt { a, value, to } => {
                    unless_int!(a, value, ">=", |a, b| a >= b, to);
                }
                Op::Lt { dst, a, b } => {
                    let (left, right) = integers!(a, b, "<");
                    reg!(dst) = Value::from(left < right);
                }
                Op::Le { dst, a, b } => {
                    let (left, right) = integers!(a, b, "<=");
                    reg!(dst) = Value::from(left <= right);
                }
                Op::Gt { dst, a, b } => {
                    let (left, right) = integers!(a, b, ">");
                    reg!(dst) = Value::from(left > right);
                }
                Op::Ge { dst, a, b } => {
                    let (left, right) = integers!(a, b, ">=");
                    reg!(dst) = Value::from(left >= right);
                }
                Op::AddInt { dst, a, value } => {
                    match Value::shifted(reg!(a), Value::from(i32::from(value))) {
                        Some((left, right)) => reg!(dst) = whole!(left.checked_add(right)),
                        None => fail!(wrong("a number", reg!(a))),
                    }
                }
                Op::Negate { dst, src } => match reg!(src).as_int() {
                    Some(value) => match Value::checked_int(-value) {
                        Some(value) => reg!(dst) = value,
                        None => fail!(overflow()),
                    },
                    None => fail!(wrong("a number", reg!(src))),
                },
                Op::Not { dst, src } => match reg!(src).as_bool() {
                    Some(value) => reg!(dst) = Value::from(!value),
                    None => fail!(wrong("a boolean", reg!(src))),
                },
                Op::Jump { to } => {
                    // A long way back is a long turn.
                    again!(pc.saturating_sub(to as usize) / 8);
                    pc = to as usize;
                }
                Op::Skip { to } => pc = to as usize,
                Op::JumpIf { condition, to } => match reg!(condition).as_bool() {
                    Some(true) => pc = to as usize,
                    Some(false) => {}
                    None => fail!(wrong("a boolean", reg!(condition))),
                },
                Op::JumpUnless { condition, to } => match reg!(condition).as_bool() {
                    Some(true) => {}
                    Some(false) => pc = to as usize,
                    None => fail!(wrong("a boolean", reg!(condition))),
                },
                Op::JumpIfQuiet { to } => {
                    if self.quiet() {
                        pc = to as usize;
                    } else {
                        self.begin_speech(regs);
                    }
                }
                Op::Spoken => {
                    self.end_speech(regs);
                }
                Op::Call {
                    base: first,
                    function,
                } => {
                    sync!();
                    let code = &rules.program.functions[function.index()];
                    again!(code.length / 8);
                    if self.start_at.is_some() && !nested {
                        match self.on_the_way(function) {
                            Way::Enter => {}
                            Way::LeaveOut => continue,
                            Way::Stop => {
                                pc -= 1;
                                sync!();
                                give!();
                                return Ok(Outcome::SetUp);
                            }
                        }
                    }
                    base += usize::from(first);
                    regs = window(&mut stack, base);
                    check!(self.enter(regs, function, base));
                    pc = code.entry as usize;
                }
                Op::Run {
                    base: first,
                    arguments,
                } => {
                    sync!();
                    let function = check!(self.effect(regs, first, arguments));
                    base += usize::from(first);
                    regs = window(&mut stack, base);
                    check!(self.enter(regs, function, base));
                    pc = rules.program.functions[function.index()].entry as usize;
                }
                Op::Return { src } => {
                    regs[0] = reg!(src);
                    leave!();
                }
                Op::ReturnConstant { index } => {
                    regs[0] = constants[usize::from(index)];
                    leave!();
                }
                Op::Host {
                    verb,
                    base: first,
                    arguments,
                } => {
                    let mut values = [Value::UNIT; MOST_ARGUMENTS];
                    let (count, at) = (usize::from(arguments), usize::from(first));
                    values[..count].copy_from_slice(&regs[at..at + count]);
                    reg!(first) = call_verb!(verb, &values[..count]);
                }
                Op::Host1 { verb, dst, a } => {
                    let values = [reg!(a)];
                    let value = call_verb!(verb, &values);
                    keep!(dst, value);
                }
                Op::Host2 { verb, dst, a, b } => {
                    let values = [reg!(a), reg!(b)];
                    let value = call_verb!(verb, &values);
                    keep!(dst, value);
                }
                Op::Host3 { verb, dst, a, b, c } => {
                    let values = [reg!(a), reg!(b), reg!(c)];
                    let value = call_verb!(verb, &values);
                    keep!(dst, value);
                }
                Op::HostConstant { verb, dst, index } => {
                    let values = [constants[usize::from(index)]];
                    let value = call_verb!(verb, &values);
                    keep!(dst, value);
                }
                Op::HostWith {
                    verb,
                    dst,
                    a,
                    index,
                } => {
                    let values = [constants[usize::from(index)], reg!(a)];
                    let value = call_verb!(verb, &values);
                    keep!(dst, value);
                }
                Op::HostTo {
                    verb,
                    dst,
                    a,
                    index,
                } => {
                    let values = [reg!(a), constants[usize::from(index)]];
                    let value = call_verb!(verb, &values);
                    keep!(dst, value);
                }
                Op::Value {
                    dst,
                    parameter,
                    player,
                    subject,
                } => {
                    let about = [player, subject].map(|register| match register {
                        NO_REGISTER => Value::UNIT,
                        register => reg!(register),
                    });
                    if let Some(value) = self.plain_parameter(parameter, &about) {
                        reg!(dst) = value;
                        continue;
                    }
                    sync!();
                    match with_stack!(self.parameter(parameter, about[0], about[1])) {
                        Ok(value) => reg!(dst) = check!(number(value)),
                        Err(trouble) => {
                            give!();
                            return Err(trouble);
                        }
                    }
                }
                Op::AskFor {
                    kind,
                    base: first,
                    player,
                    decision,
                } => {
                    let player = reg!(player);
                    reg!(first) = Value::from(decision);
                    reg!(first + 1) = player;
                    sync!();
                    give!();
                    return self
                        .ask(kind, base + usize::from(first))
                        .map(|()| Outcome::Decision);
                }
                Op::Ask { kind, base: first } => {
                    sync!();
                    give!();
                    return self
                        .ask(kind, base + usize::from(first))
                        .map(|()| Outcome::Decision);
                }
                Op::GetZone {
                    dst,
                    object,
                    offset,
                    of,
                } => {
                    if let Some(id) = self.id_of(reg!(object), of) {
                        reg!(dst) = Value::from(ZoneId(id.wrapping_add(offset)));
                        pc += 1;
                    }
                }
                Op::GetNumber {
                    dst,
                    object,
                    offset,
                    of,
                } => {
                    if let Some(id) = self.id_of(reg!(object), of) {
                        let cell = usize::from(id.wrapping_add(offset));
                        reg!(dst) = Value::from(self.state.table.cells[cell]);
                        pc += 1;
                    }
                }
                Op::GetFlag {
                    dst,
                    object,
                    offset,
                    of,
                } => {
                    if let Some(id) = self.id_of(reg!(object), of) {
                        let cell = usize::from(id.wrapping_add(offset));
                        reg!(dst) = Value::from(self.state.table.cells[cell] != 0);
                        pc += 1;
                    }
                }
                Op::GetAttribute {
                    dst,
                    object,
                    index,
                    of,
                } => {
                    if let Some(value) = self.attribute(reg!(object), index, of) {
                        reg!(dst) = value;
                        pc += 1;
                    }
                }
                Op::Has {
                    dst,
                    player,
                    ability,
                } => match reg!(player).case() {
                    Case::Player(player) => {
                        let holder = rules.abilities[usize::from(ability)];
                        reg!(dst) = Value::from(holder.is_with(&self.state.table, player));
                    }
                    other => fail!(wrong("a player", other)),
                },
                Op::GetCell { dst, cell } => {
                    let number = self.state.table.cells[usize::from(cell)];
                    reg!(dst) = Value::from(number);
                }
                Op::GetCellFlag { dst, cell } => {
                    let set = self.state.table.cells[usize::from(cell)] != 0;
                    reg!(dst) = Value::from(set);
                }
                Op::GetCounter {
                    dst,
                    from,
                    count,
                    counter,
                } => {
                    let places = &regs[from.into()..];
                    if let Some(value) = self.counter(counter, places, count) {
                        reg!(dst) = value;
                        pc += 1;
                    }
                }
                Op::GetDial {
                    dst,
                    from,
                    count,
                    dial,
                } => {
                    if let Some(shown) = self.dial(dial, &regs[from.into()..], count) {
                        reg!(dst) = Value::from(shown);
                        pc += 1;
                    }
                }
                Op::GetCounterAt {
                    dst,
                    owner,
                    index,
                    counter,
                } => {
                    let places = [reg!(owner), reg!(index)];
                    if let Some(value) = self.counter(counter, &places, 2) {
                        reg!(dst) = value;
                        pc += GENERIC_AT;
                    }
                }
                Op::GetZoneAt {
                    dst,
                    owner,
                    index,
                    family,
                } => {
                    let family = &rules.pack.layout.zone_families[family.index()];
                    let places = [reg!(owner), reg!(index)];
                    if let Some(position) = place(&family.dimensions, &places, 2) {
                        reg!(dst) = Value::from(ZoneId(family.base.0 + position));
                        pc += GENERIC_AT;
                    }
                }
                Op::GetOwn { dst, object, first } => {
                    if let Some(player) = reg!(object).as_player() {
                        reg!(dst) = Value::from(PieceId(first.0 + u16::from(player.0)));
                        pc += 1;
                    }
                }
                Op::GetBuiltin {
                    dst,
                    object,
                    builtin,
                } => {
                    if let Some(value) = self.plain_builtin(reg!(object), builtin) {
                        reg!(dst) = value;
                        pc += 1;
                    }
                }
                Op::SetCounter {
                    from,
                    count,
                    src,
                    counter,
                } => {
                    let places = &regs[from.into()..];
                    if check!(self.assign(counter, places, count, reg!(src))) {
                        pc += 1;
                    }
                }
                Op::Len { dst, src } => {
                    reg!(dst) = match reg!(src).case() {
                        Case::List(list) => Value::from(list.len),
                        Case::Zone(zone) => Value::from(self.state.table.len(zone) as u16),
                        _ => check!(self.host(Verb::Len, &[reg!(src)])),
                    };
                }
                Op::IsEmpty { dst, src } => {
                    reg!(dst) = match reg!(src).case() {
                        Case::List(list) => Value::from(list.len == 0),
                        Case::Zone(zone) => Value::from(self.state.table.len(zone) == 0),
                        _ => check!(self.host(Verb::IsEmpty, &[reg!(src)])),
                    };
                }
                Op::LenOf { dst, zone } => {
                    reg!(dst) = Value::from(self.state.table.len(zone) as u16);
                }
                Op::IsEmptyOf { dst, zone } => {
                    reg!(dst) = Value::from(self.state.table.len(zone) == 0);
                }
                Op::JumpIfEmpty { zone, to } => {
                    unless!(self.state.table.len(zone) != 0, to);
                }
                Op::JumpUnlessEmpty { zone, to } => {
                    unless!(self.state.table.len(zone) == 0, to);
                }
                Op::Get {
                    dst,
                    object,
                    property,
                } => reg!(dst) = check!(self.get(reg!(object), property, &[])),
                Op::GetIndexed {
                    dst,
                    base: first,
                    property,
                    indexes,
                } => {
                    let (owner, indexes) = row(regs, first, indexes);
                    reg!(dst) = check!(self.get(owner, property, indexes));
                }
                Op::SetIndexed {
                    base: first,
                    property,
                    src,
                    indexes,
                } => {
                    let (owner, indexes) = row(regs, first, indexes);
                    check!(self.set(owner, property, indexes, reg!(src)));
                }
                Op::Index { dst, list, index } => {
                    let (list, index) = (reg!(list), reg!(index));
                    reg!(dst) = check!(self.index(list, index));
                }
                Op::SetIndex { list, index, src } => {
                    let (list, index, value) = (reg!(list), reg!(index), reg!(src));
                    check!(self.set_index(list, index, value));
                }
                Op::List {
                    dst,
                    base: first,
                    items,
                } => {
                    let from = usize::from(first);
                    reg!(dst) = check!(self.list_of(&regs[from..from + usize::from(items)]));
                }
                Op::Iterate { dst, src } => {
                    let value = reg!(src);
                    let list = check!(self.sequence(value));
                    reg!(dst) = Value::from(list);
                    reg!(dst + 1) = Value::from(0);
                }
                Op::Walk { dst, src } => match reg!(src).as_zone() {
                    Some(zone) => {
                        let first = self.state.table.zones[zone.index()].first;
                        reg!(dst) = reg!(src);
                        reg!(dst + 1) = Value::from(i32::from(first));
                    }
                    None => {
                        let list = check!(self.sequence(reg!(src)));
                        reg!(dst) = Value::from(list);
                        reg!(dst + 1) = Value::from(0);
                    }
                },
                Op::Next {
                    item,
                    iterator,
                    back,
                } => {
                    let Some(at) = reg!(iterator + 1).as_int() else {
                        fail!(wrong("a list", reg!(iterator)));
                    };
                    let at = at as usize;
                    match reg!(iterator).case() {
                        Case::List(list) if at < usize::from(list.len) => {
                            again!(back / 8);
                            // Tidying may have moved the list.
                            let Some(list) = reg!(iterator).as_list() else {
                                fail!(wrong("a list", reg!(iterator)));
                            };
                            let element = self.state.run.heap[list.start as usize + at];
                            reg!(item) = check!(self.own(element));
                            pc -= usize::from(back);
                            reg!(iterator + 1) = Value::from(at as i32 + 1);
                        }
                        Case::Zone(_) if at != usize::from(NO_PIECE) => {
                            again!(back / 8);
                            let next = self.state.table.pieces[at].next;
                            reg!(item) = Value::from(PieceId(at as u16));
                            pc -= usize::from(back);
                            reg!(iterator + 1) = Value::from(next);
                        }
                        Case::List(_) | Case::Zone(_) => {}
                        other => fail!(wrong("a list", other)),
                    }
                }
                Op::NextInt {
                    item,
                    iterator,
                    back,
                } => {
                    let (at, end) = integers!(iterator, iterator + 1, "..");
                    if at < end {
                        again!(back / 8);
                        pc -= usize::from(back);
                        reg!(item) = Value::from_shifted(at);
                        reg!(iterator) = Value::from_shifted(at + Value::shift(1));
                    }
                }
                Op::Push { list, src } => {
                    let (target, value) = (reg!(list), reg!(src));
                    reg!(list) = check!(self.push(target, value));
                }
                Op::Pop { dst, list } => match reg!(list).case() {
                    Case::List(mut target) => {
                        reg!(dst) = if target.len == 0 {
                            Value::UNIT
                        } else {
                            target.len -= 1;
                            let value = self.state.run.heap
                                [target.start as usize + usize::from(target.len)];
                            reg!(list) = Value::from(target);
                            value
                        };
                    }
                    other => fail!(wrong("a list", other)),
                },
                Op::Text {
                    dst,
                    base: first,
                    items,
                } => {
                    let from = usize::from(first);
                    let parts = &regs[from..from + usize::from(items)];
                    let text = check!(self.interpolate(parts));
                    reg!(dst) = text;
                }
                Op::Contains { dst, list, item } => {
                    let (list, item) = (reg!(list), reg!(item));
                    reg!(dst) = Value::from(check!(self.contains(list, item)));
                }
                Op::Better { dst, best, key } => {
                    let (best, key) = (reg!(best), reg!(key));
                    reg!(dst) = match Value::shifted(best, key) {
                        Some((best, key)) => Value::from(key > best),
                        None if best == Value::UNIT && key.as_int().is_some() => Value::from(true),
                        None => fail!(wrong("a number", key)),
                    };
                }
                Op::WhatIf => check!(self.begin_what_if()),
                Op::WhatIfEnd => {
                    self.end_what_if();
                }
                Op::Scope { scope } => check!(self.begin_scope(scope)),
                Op::Block { block } => self.begin_block(block),
                Op::Step { function, player } => {
                    if self.start_at.is_some() && self.set_up {
                        // The call of the step follows.
                        pc += 1;
                    } else {
                        let player = (player != NO_REGISTER).then(|| reg!(player));
                        check!(self.begin_step(function, player));
                    }
                }
            }
        };
        sync!();
        give!();
        Err(trouble)
    }

    /// The function of the effect that is to be run. Its arguments move down by one, so that the value
    /// comes back where it is wanted.
    #[inline(never)]
    fn effect(
        &self,
        registers: &mut [Value; WINDOW],
        first: Register,
        arguments: u8,
    ) -> Result<FunctionId, Trouble> {
        let at = usize::from(first);
        let Some(effect) = registers[at].as_effect() else {
            return Err(wrong("an effect", registers[at]));
        };
        let function = self.rules.effects[effect.index()];
        let code = &self.rules.program.functions[function.index()];
        if code.parameters != arguments {
            return Err(Trouble::new(
                "Y0404",
                format!(
                    "`{}` takes {}, found {arguments}",
                    code.name,
                    count(usize::from(code.parameters), "argument")
                ),
            ));
        }
        registers.copy_within(at + 1..=at + usize::from(arguments), at);
        Ok(function)
    }

    /// Pays for a turn, and throws away the lists that nobody holds any more when there are too many.
    #[cold]
    #[inline(never)]
    pub(super) fn turn(&mut self, cost: u64, nested: bool) -> Result<(), Trouble> {
        if self.budget < cost {
            return Err(self.endless());
        }
        self.budget -= cost;
        if !nested && self.scratch.speeches.is_empty() {
            // Else lists must stay where they are: it is seen to later.
            if self.untidy() {
                self.tidy()?;
            }
            self.crowded = false;
        }
        Ok(())
    }

    /// A frame for a function whose arguments lie in the first of its registers.
    pub(super) fn enter(
        &mut self,
        registers: &mut [Value; WINDOW],
        function: FunctionId,
        base: usize,
    ) -> Result<(), Trouble> {
        let run = &mut self.state.run;
        if run.frames.len() >= self.limits.depth {
            return Err(too_deep(self.limits.depth));
        }
        let code = &self.rules.program.functions[function.index()];
        // What earlier calls left there is none of this function's: no list must hang on it.
        clear(registers, code.parameters.into(), code.registers.into());
        run.frames.push(Frame {
            function,
            pc: code.entry,
            base: base as u32,
        });
        Ok(())
    }
}

/// The registers of a frame, and those that its calls will use. The stack grows as deep as calls go.
pub(super) fn window(stack: &mut Vec<Value>, base: usize) -> &mut [Value; WINDOW] {
    // Twice the window: the frame of a call begins within it and has a window of its own.
    if stack.len() < base + 2 * WINDOW {
        deepen(stack, base);
    }
    match stack[base..].first_chunk_mut() {
        Some(window) => window,
        None => unreachable!("the stack was just made long enough"),
    }
}

/// Registers that hold nothing.
static NOTHING: [Value; WINDOW] = [Value::UNIT; WINDOW];

/// Empties registers. They are copied from others: written one by one it would take many instructions, as
/// only their first byte says what they are.
fn clear(registers: &mut [Value; WINDOW], from: usize, to: usize) {
    if from < to {
        registers[from..to].copy_from_slice(&NOTHING[from..to]);
    }
}

/// Makes the stack deeper: by more than is needed now, so that it is rarely done.
#[cold]
#[inline(never)]
pub(super) fn deepen(stack: &mut Vec<Value>, base: usize) {
    stack.resize(base + 4 * WINDOW, Value::UNIT);
}

/// Whether two values are equal, if that is seen from them alone: texts and lists must be read, and unlike
/// things cannot be compared.
#[inline]
pub(in crate::script) fn plainly_equal(a: Value, b: Value) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    let apart = |value: Value| value == Value::UNIT || value.as_choice().is_some();
    match a.case() {
        Case::Text(_) | Case::List(_) if a.is_like(b) => None,
        _ => (a.is_like(b) || apart(a) || apart(b)).then_some(false),
    }
}

/// A value and so many that stand after it.
fn row(registers: &[Value; WINDOW], first: Register, more: u8) -> (Value, &[Value]) {
    let at = usize::from(first);
    (registers[at], &registers[at + 1..=at + usize::from(more)])
}
