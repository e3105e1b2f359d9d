//! What the verbs of the API do.

use crate::table::event::Event;
use crate::table::exchange::Query;
use crate::table::ids::{ParameterId, PieceId, PlayerId, StatisticId, ZoneId};
use crate::table::layout::Domain;
use crate::table::value::ListRef;
use crate::table::{TableError, Value};

use super::api::Verb;
use super::machine::{CHANGE, Machine, Trouble, own_cell, text_bytes, wrong};
use super::rules::{Amount, Holder, Numbers};
use super::state::Offer;
use super::types::Type;
use crate::pack::model::{ModifierOp, Observed, TypeName};

/// What an event is counted as, since somebody keeps it.
const SPOKEN: usize = 64;

/// What a search for a way through an exchange is counted as.
const SEARCH: usize = 512;

/// Instructions that a piece in a shuffle costs.
const SHUFFLED: usize = 8;

impl Machine<'_, '_> {
    fn done<T>(&self, result: Result<T, TableError>) -> Result<T, Trouble> {
        result.map_err(|error| self.trouble(&error))
    }

    /// Does what a verb says.
    #[inline(never)]
    pub(super) fn host(&mut self, verb: Verb, arguments: &[Value]) -> Result<Value, Trouble> {
        let argument = |index: usize| arguments.get(index).copied().unwrap_or_default();
        let (first, second, third) = (|| argument(0), || argument(1), || argument(2));
        match verb {
            Verb::Players => self.players(),
            Verb::Members => self.members(first()),
            Verb::Pieces => match first() {
                Value::Kind(kind) => {
                    let range = self.rules.pack.layout.kinds[kind.index()].pieces.clone();
                    self.gather(range.map(|piece| Value::Piece(PieceId(piece))))
                }
                other => Err(wrong("a kind", other)),
            },
            Verb::Groups => match first() {
                Value::GroupKind(kind) => {
                    let info = &self.rules.pack.layout.group_kinds[kind.index()];
                    let start = usize::from(info.alive);
                    let mut values = std::mem::take(&mut self.scratch.values);
                    values.clear();
                    for (offset, group) in info.groups.clone().enumerate() {
                        if self.state.table.cells[start + offset] != 0 {
                            values.push(Value::Group(crate::table::ids::GroupId(group)));
                        }
                    }
                    let list = self.list_of(&values);
                    self.scratch.values = values;
                    list
                }
                other => Err(wrong("a kind of group", other)),
            },
            Verb::ValueOf => match first() {
                Value::Parameter(parameter) => {
                    self.parameter(parameter, second(), third()).map(Value::Int)
                }
                other => Err(wrong("a parameter", other)),
            },
            Verb::Put | Verb::PutBottom | Verb::PutFaceDown => {
                let (piece, zone) = (piece(first())?, zone(second())?);
                let result = self.table().place(
                    piece,
                    zone,
                    verb == Verb::PutBottom,
                    verb == Verb::PutFaceDown,
                );
                self.done(result)?;
                Ok(Value::Unit)
            }
            Verb::PutAll => {
                let to = zone(second())?;
                let list = self.sequence(first())?;
                for offset in 0..usize::from(list.len) {
                    let piece = piece(self.state.run.heap[list.start as usize + offset])?;
                    let result = self.table().put(piece, to);
                    self.done(result)?;
                }
                Ok(Value::Int(i64::from(list.len)))
            }
            Verb::TurnUp | Verb::TurnDown => {
                let piece = piece(first())?;
                self.table().turn(piece, verb == Verb::TurnDown);
                Ok(Value::Unit)
            }
            Verb::Draw => {
                let (from, to, number) = (zone(first())?, zone(second())?, int(third())?);
                let ready = self.state.table.len(from);
                let result = self.table().draw(from, to, number);
                let drawn = self.done(result)?;
                let came = drawn as usize;
                self.pay(CHANGE * came);
                self.pay_refill(from, came > ready, came.saturating_sub(ready));
                Ok(Value::Int(drawn))
            }
            Verb::TopOf => {
                let zone = zone(first())?;
                let empty = self.state.table.len(zone) == 0;
                let result = self.table().top(zone);
                let top = self.done(result)?;
                self.pay_refill(zone, empty, 0);
                Ok(top.map_or(Value::Unit, Value::Piece))
            }
            Verb::Shuffle => {
                let zone = zone(first())?;
                self.pay(SHUFFLED * self.state.table.len(zone));
                let result = self.table().shuffle(zone);
                self.done(result)?;
                Ok(Value::Unit)
            }
            Verb::Roll => {
                let piece = piece(first())?;
                let result = self.table().roll(piece);
                self.done(result).map(|face| Value::Int(i64::from(face)))
            }
            Verb::Pick => {
                let Value::Stream(stream) = first() else {
                    return Err(wrong("a stream", first()));
                };
                let list = self.sequence(second())?;
                self.pay(usize::from(list.len) / 4);
                let mut values = std::mem::take(&mut self.scratch.values);
                values.clear();
                values.extend_from_slice(super::machine::elements(&self.state.run, list));
                let result = self.table().pick(stream, &values);
                self.scratch.values = values;
                self.done(result)
            }
            Verb::Advance => {
                let (player, dial, steps) = (player(first())?, second(), int(third())?);
                let Value::Dial(dial) = dial else {
                    return Err(wrong("a dial", dial));
                };
                let family = &self.rules.pack.layout.dials[dial.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let position = cell - family.base;
                Ok(Value::Int(self.table().advance(dial, position, steps)))
            }
            Verb::AtEnd => {
                let (player, dial) = (player(first())?, second());
                let Value::Dial(dial) = dial else {
                    return Err(wrong("a dial", dial));
                };
                let family = &self.rules.pack.layout.dials[dial.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let needle = self.state.table.cells[usize::from(cell)];
                Ok(Value::Bool(needle as usize + 1 == family.faces.len()))
            }
            Verb::LastFace => match first() {
                Value::Dial(dial) => {
                    let faces = &self.rules.pack.layout.dials[dial.index()].faces;
                    Ok(Value::Int(faces.last().copied().map_or(0, i64::from)))
                }
                other => Err(wrong("a dial", other)),
            },
            Verb::IsDial => Ok(Value::Bool(matches!(first(), Value::Dial(_)))),
            Verb::Distance => match (first(), second()) {
                (Value::Node(from), Value::Node(to)) => {
                    let layout = &self.rules.pack.layout;
                    let graph = layout.nodes[from.index()].graph;
                    if layout.nodes[to.index()].graph != graph {
                        return Err(Trouble::new("Y0418", "the nodes are of different graphs"));
                    }
                    let cost = layout.graphs[graph.index()].distance(from, to);
                    Ok(cost.map_or(Value::Unit, |cost| Value::Int(i64::from(cost))))
                }
                (Value::Node(_), other) | (other, _) => Err(wrong("a node", other)),
            },
            Verb::Neighbours => match first() {
                Value::Node(node) => {
                    let rules = self.rules;
                    self.list_of(&rules.neighbours[node.index()])
                }
                other => Err(wrong("a node", other)),
            },
            Verb::Form => match first() {
                Value::GroupKind(kind) => {
                    let result = self.table().form(kind);
                    self.done(result).map(Value::Group)
                }
                other => Err(wrong("a kind of group", other)),
            },
            Verb::Min => Ok(Value::Int(int(first())?.min(int(second())?))),
            Verb::Max => Ok(Value::Int(int(first())?.max(int(second())?))),
            Verb::Abs => match int(first())?.checked_abs() {
                Some(value) => Ok(Value::Int(value)),
                None => Err(Trouble::new("Y0415", "the number is too large")),
            },
            Verb::Reaches => self.reaches(first(), second(), third()),
            Verb::Say => {
                let text = self.text_of(first())?;
                self.pay(SPOKEN + text.len());
                self.tell(Event::Said { text });
                Ok(Value::Unit)
            }
            Verb::Hint => {
                let text = self.text_of(first())?;
                self.pay(SPOKEN + text.len());
                if let Some(offer) = self.state.run.offers.last() {
                    let choice = offer.leader;
                    self.tell(Event::Hinted { choice, text });
                }
                Ok(Value::Unit)
            }
            Verb::HintFor => {
                let text = self.text_of(first())?;
                self.pay(SPOKEN + text.len());
                let signature = self.signature(&arguments[1..]);
                let offers = &self.state.run.offers;
                let found = offers.iter().find(|offer| offer.signature == signature);
                if let Some(choice) = found.map(|offer| offer.leader) {
                    self.tell(Event::Hinted { choice, text });
                }
                Ok(Value::Unit)
            }
            Verb::Refuse => self.refuse(arguments),
            Verb::Note => self.note(first(), second(), third()),
            Verb::Offer => {
                self.offer_parts(arguments)?;
                Ok(Value::Unit)
            }
            Verb::OfferAll => {
                self.offer_all(arguments)?;
                Ok(Value::Unit)
            }
            Verb::LimitDistinct => match (first(), second()) {
                (Value::Attribute(property), Value::Int(most)) => {
                    let most = u16::try_from(most).unwrap_or(0);
                    self.state.run.distinct = Some((property, most));
                    Ok(Value::Unit)
                }
                (Value::Attribute(_), other) => Err(wrong("a number", other)),
                (other, _) => Err(wrong("an attribute", other)),
            },
            Verb::Len => match first() {
                Value::List(list) => Ok(Value::Int(i64::from(list.len))),
                Value::Zone(zone) => Ok(Value::Int(self.state.table.len(zone) as i64)),
                Value::Text(text) => {
                    self.pay(text.len as usize / 8);
                    let bytes = text_bytes(self.rules, &self.state.run, text);
                    Ok(Value::Int(
                        String::from_utf8_lossy(bytes).chars().count() as i64
                    ))
                }
                other => Err(wrong("a list or a zone", other)),
            },
            Verb::IsEmpty => match first() {
                Value::List(list) => Ok(Value::Bool(list.len == 0)),
                Value::Zone(zone) => Ok(Value::Bool(self.state.table.len(zone) == 0)),
                Value::Text(text) => Ok(Value::Bool(text.len == 0)),
                other => Err(wrong("a list or a zone", other)),
            },
            Verb::First | Verb::Last => {
                let list = self.sequence(first())?;
                let offset = if verb == Verb::First {
                    0
                } else {
                    usize::from(list.len).saturating_sub(1)
                };
                if list.len == 0 {
                    return Ok(Value::Unit);
                }
                match self.state.run.heap[list.start as usize + offset] {
                    Value::List(inner) => self.copy_list(inner),
                    value => Ok(value),
                }
            }
            Verb::SortBy => self.sort(first(), second()),
            // Built in place by the lowering.
            Verb::Tagged
            | Verb::WhatIf
            | Verb::Choose
            | Verb::ChooseSome
            | Verb::ChooseNumber
            | Verb::ChooseTexts
            | Verb::Confirm
            | Verb::Trigger
            | Verb::Run
            | Verb::Push
            | Verb::Pop
            | Verb::Filter
            | Verb::Map
            | Verb::Some
            | Verb::All
            | Verb::Find
            | Verb::Count
            | Verb::Sum
            | Verb::MaxBy
            | Verb::MinBy => Ok(Value::Unit),
        }
    }

    fn tell(&mut self, event: Event) {
        if let Some(events) = &mut self.io.events {
            events.push(event);
        }
    }

    fn gather(&mut self, values: impl Iterator<Item = Value>) -> Result<Value, Trouble> {
        let mut gathered = std::mem::take(&mut self.scratch.values);
        gathered.clear();
        gathered.extend(values);
        let list = self.list_of(&gathered);
        self.scratch.values = gathered;
        list
    }

    fn members(&mut self, of: Value) -> Result<Value, Trouble> {
        let rules = self.rules;
        match of {
            Value::Set(set) => self.list_of(&rules.pack.layout.sets[set.index()].members),
            Value::Graph(graph) => {
                let nodes = rules.pack.layout.graphs[graph.index()].nodes.clone();
                self.gather(nodes.map(|node| Value::Node(crate::table::ids::NodeId(node))))
            }
            other => Err(wrong("a set or a graph", other)),
        }
    }

    fn text_of(&self, value: Value) -> Result<String, Trouble> {
        match value {
            Value::Text(text) => {
                Ok(
                    String::from_utf8_lossy(text_bytes(self.rules, &self.state.run, text))
                        .into_owned(),
                )
            }
            other => Err(wrong("a text", other)),
        }
    }

    fn refuse(&mut self, arguments: &[Value]) -> Result<Value, Trouble> {
        let parts = match arguments[0] {
            Value::List(list) => super::machine::elements(&self.state.run, list).to_vec(),
            value => vec![value],
        };
        let Value::Reason(reason) = arguments[1] else {
            return Err(wrong("a reason", arguments[1]));
        };
        let numbers = arguments[2..].to_vec();
        self.pay(SPOKEN + parts.len());
        if let Some(refusals) = &mut self.io.refusals {
            refusals.push(self.state.clone());
        }
        self.tell(Event::Refused {
            parts,
            reason,
            numbers,
        });
        Ok(Value::Unit)
    }

    fn note(&mut self, statistic: Value, who: Value, what: Value) -> Result<Value, Trouble> {
        let Value::Statistic(statistic) = statistic else {
            return Err(wrong("a statistic", statistic));
        };
        let player = player(who)?;
        if matches!(what, Value::List(_) | Value::Text(_) | Value::Table) {
            return Err(wrong("one thing that is declared", what));
        }
        self.check_noted(statistic, what)?;
        self.pay(SPOKEN);
        self.tell(Event::Noted {
            statistic,
            player,
            what,
        });
        Ok(Value::Unit)
    }

    /// Fails where a statistic does not tell such things apart, as far as that was not known on reading.
    fn check_noted(&self, statistic: StatisticId, what: Value) -> Result<(), Trouble> {
        let layout = &self.rules.pack.layout;
        let Observed::Noted(Some(TypeName::One(domain))) =
            self.rules.pack.statistics[statistic.index()].of
        else {
            return Ok(());
        };
        let fits = match (domain, what) {
            (_, Value::Unit) => true,
            // There may be more pieces than the pack lists.
            (Domain::Kind(kind), Value::Piece(piece)) => {
                self.state.table.info(layout, piece).kind == kind
            }
            _ => layout.dimension(domain).offset(&what).is_some(),
        };
        match fits {
            true => Ok(()),
            false => {
                let wanted = Type::of_name(TypeName::One(domain)).describe(layout);
                let found = layout.title(self.state.table.declared(layout, what));
                Err(Trouble::new(
                    "Y0413",
                    format!("expected {wanted}, found {found}"),
                ))
            }
        }
    }

    /// Offers one choice.
    fn offer_parts(&mut self, parts: &[Value]) -> Result<(), Trouble> {
        for part in parts {
            offerable(*part)?;
        }
        if !self.room_for_offers(1, parts.len())? {
            return Ok(());
        }
        let signature = self.signature(parts);
        let mut offering = self.offering(1);
        match *parts {
            [a] => offering.add([a], signature),
            [a, b] => offering.add([a, b], signature),
            [a, b, c] => offering.add([a, b, c], signature),
            // The lowering lets no other numbers of parts through.
            _ => {}
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

    /// Where choices are added, for which there is room.
    #[inline]
    fn offering(&mut self, more: usize) -> Offering<'_> {
        let run = &mut self.state.run;
        self.scratch.leaders.make_room(&run.offers, more);
        Offering {
            offers: &mut run.offers,
            parts: &mut run.parts,
            leaders: &mut self.scratch.leaders,
        }
    }

    /// A number that is equal for choices that nobody can tell apart.
    fn signature(&self, parts: &[Value]) -> u64 {
        parts.iter().fold(parts.len() as u64, |sum, part| {
            mix(sum, self.identity(*part))
        })
    }

    /// Offers each combination of the values of lists and zones; a plain value stands for itself.
    fn offer_all(&mut self, arguments: &[Value]) -> Result<(), Trouble> {
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
        // The rows of values one after the other, each value with its identity.
        marked.clear();
        let mut ends = [0; 3];
        let mut total = 1;
        for (end, argument) in ends.iter_mut().zip(arguments) {
            let before = marked.len();
            match *argument {
                Value::Zone(zone) => {
                    let pieces = self.state.table.lying(zone).map(Value::Piece);
                    marked.extend(pieces.map(|piece| (piece, self.identity(piece))));
                }
                Value::List(list) => {
                    for value in super::machine::elements(&self.state.run, list) {
                        offerable(*value)?;
                        marked.push((*value, self.identity(*value)));
                    }
                }
                plain => {
                    offerable(plain)?;
                    marked.push((plain, self.identity(plain)));
                }
            }
            *end = marked.len();
            total *= marked.len() - before;
        }
        if total == 0 || !self.room_for_offers(total, arguments.len())? {
            return Ok(());
        }
        let (first, rest) = marked.split_at(ends[0]);
        let (second, third) = rest.split_at(ends[1].saturating_sub(ends[0]));
        let mut offering = self.offering(total);
        for (a, mark) in first {
            let sum = mix(arguments.len() as u64, *mark);
            if arguments.len() == 1 {
                offering.add([*a], sum);
            }
            for (b, mark) in second {
                let sum = mix(sum, *mark);
                if arguments.len() == 2 {
                    offering.add([*a, *b], sum);
                }
                for (c, mark) in third {
                    offering.add([*a, *b, *c], mix(sum, *mark));
                }
            }
        }
        Ok(())
    }

    /// A number that is equal for values that nobody can tell apart: the same value, or equal pieces
    /// in one place that show the same.
    fn identity(&self, value: Value) -> u64 {
        let (tag, id) = match value {
            Value::Piece(piece) => {
                let table = &self.state.table;
                let state = &table.pieces[piece.index()];
                let class = table.info(&self.rules.pack.layout, piece).class;
                return 1
                    | u64::from(class) << 8
                    | u64::from(state.zone.0) << 24
                    | u64::from(state.face) << 40
                    | u64::from(state.face_down) << 48;
            }
            // A number may need all bits.
            Value::Int(number) => return mix(2, number as u64) | 1 << 63,
            Value::Bool(value) => (3, u64::from(value)),
            Value::Player(player) => (4, u64::from(player.0)),
            Value::Zone(zone) => (5, u64::from(zone.0)),
            Value::Node(node) => (6, u64::from(node.0)),
            Value::Member(member) => (7, u64::from(member.0)),
            Value::Group(group) => (8, u64::from(group.0)),
            Value::Dial(dial) => (9, u64::from(dial.0)),
            Value::Toggle(toggle) => (10, u64::from(toggle.0)),
            Value::Choice(choice) => (11, u64::from(choice.0)),
            Value::Graph(graph) => (12, u64::from(graph.0)),
            Value::Set(set) => (13, u64::from(set.0)),
            Value::Kind(kind) => (14, u64::from(kind.0)),
            Value::GroupKind(kind) => (15, u64::from(kind.0)),
            Value::Parameter(parameter) => (16, u64::from(parameter.0)),
            Value::Effect(effect) => (17, u64::from(effect.0)),
            Value::Attribute(property) => (18, u64::from(property.0)),
            Value::Tag(tag) => (19, u64::from(tag.0)),
            Value::Stream(stream) => (20, u64::from(stream.0)),
            Value::Exchange(exchange) => (21, u64::from(exchange.0)),
            Value::Decision(decision) => (22, u64::from(decision.0)),
            Value::Reason(reason) => (23, u64::from(reason.0)),
            Value::Statistic(statistic) => (24, u64::from(statistic.0)),
            Value::Unit | Value::Text(_) | Value::List(_) | Value::Table => (0, 0),
        };
        id << 8 | tag
    }

    fn sort(&mut self, list: Value, keys: Value) -> Result<Value, Trouble> {
        let (Value::List(list), Value::List(keys)) = (list, keys) else {
            return Err(wrong("a list", list));
        };
        let mut pairs: Vec<(i64, Value)> = Vec::with_capacity(usize::from(list.len));
        for offset in 0..usize::from(list.len) {
            let key = int(self.state.run.heap[keys.start as usize + offset])?;
            pairs.push((key, self.state.run.heap[list.start as usize + offset]));
        }
        pairs.sort_by_key(|(key, _)| *key);
        let values: Vec<Value> = pairs.into_iter().map(|(_, value)| value).collect();
        let sorted = self.list_of(&values)?;
        match sorted {
            Value::List(sorted) if values.iter().any(|value| matches!(value, Value::List(_))) => {
                self.copy_list(ListRef { ..sorted })
            }
            sorted => Ok(sorted),
        }
    }

    /// A parameter's value about a player and a subject, if it is found without running anything.
    #[inline]
    pub(super) fn plain_parameter(
        &self,
        parameter: ParameterId,
        about: &[Value; 2],
    ) -> Option<i64> {
        let code = &self.rules.parameters[parameter.index()];
        let mut value = code.base;
        for modifier in &code.modifiers {
            if !self.has(modifier.holder, about[0]) {
                continue;
            }
            if let Some(when) = modifier.when {
                match self.glance(when, about)? {
                    Value::Bool(true) => {}
                    Value::Bool(false) => continue,
                    _ => return None,
                }
            }
            let amount = match modifier.amount {
                Amount::Known(amount) => amount,
                Amount::Computed(function) => match self.glance(function, about)? {
                    Value::Int(amount) => amount,
                    _ => return None,
                },
            };
            // It may be set twice: the long way tells.
            if modifier.op == ModifierOp::Set {
                return None;
            }
            value = modifier.op.apply(value, amount)?;
        }
        Some(value)
    }

    /// Whether a player has the ability that something hangs on, if it hangs on one.
    #[inline]
    fn has(&self, holder: Option<Holder>, player: Value) -> bool {
        let table = &self.state.table;
        holder.is_none_or(
            |holder| matches!(player, Value::Player(player) if holder.is_with(table, player)),
        )
    }

    /// A parameter's value for a player (or nobody), about a subject (or nothing).
    pub(super) fn parameter(
        &mut self,
        parameter: ParameterId,
        player: Value,
        subject: Value,
    ) -> Result<i64, Trouble> {
        let rules = self.rules;
        let code = &rules.parameters[parameter.index()];
        let mut value = code.base;
        if code.modifiers.is_empty() {
            return Ok(value);
        }
        let about = [player, subject];
        let mut set_by: Option<usize> = None;
        for modifier in &code.modifiers {
            if !self.has(modifier.holder, player) {
                continue;
            }
            if let Some(when) = modifier.when {
                match self.call_pure(when, &about)? {
                    Value::Bool(true) => {}
                    Value::Bool(false) => continue,
                    other => return Err(wrong("a boolean", other)),
                }
            }
            let amount = self.amount(modifier.amount, &about)?;
            if modifier.op == ModifierOp::Set
                && let Some(other) = set_by.replace(modifier.index)
            {
                let modifiers = &rules.pack.modifiers;
                return Err(Trouble::new(
                    "Y0420",
                    format!(
                        "modifiers `{}` and `{}` both set `{}`",
                        modifiers[other].name.id,
                        modifiers[modifier.index].name.id,
                        rules.pack.parameters[parameter.index()].name.id
                    ),
                )
                .help("let one of them hold at a time, or use add, min or max"));
            }
            value = modifier
                .op
                .apply(value, amount)
                .ok_or_else(|| Trouble::new("Y0415", "the number is too large"))?;
        }
        Ok(value)
    }

    /// Computes a row of numbers about a player and a subject.
    fn fill(
        &mut self,
        row: &mut Vec<i64>,
        numbers: &Numbers,
        me: Value,
        subject: Value,
    ) -> Result<(), Trouble> {
        row.clone_from(&numbers.known);
        for (place, function, member) in &numbers.computed {
            row[*place] = int(self.call_pure(*function, &[me, subject, *member])?)?;
        }
        Ok(())
    }

    /// Pays for pieces that came into a zone because it was empty: those that lie in it, and those that
    /// have gone on since.
    fn pay_refill(&mut self, zone: ZoneId, refilled: bool, gone: usize) {
        if refilled {
            self.pay((CHANGE + SHUFFLED) * (self.state.table.len(zone) + gone));
        }
    }

    fn reaches(&mut self, exchange: Value, me: Value, subject: Value) -> Result<Value, Trouble> {
        let Value::Exchange(id) = exchange else {
            return Err(wrong("an exchange", exchange));
        };
        let rules = self.rules;
        let code = &rules.exchanges[id.index()];
        self.pay(SEARCH);
        let mut starts = std::mem::take(&mut self.scratch.starts);
        let mut mosts = std::mem::take(&mut self.scratch.mosts);
        let mut amounts = std::mem::take(&mut self.scratch.amounts);
        let mut goals = std::mem::take(&mut self.scratch.goals);
        let mut wanted = std::mem::take(&mut self.scratch.wanted);
        let (slots, wants) = &code.goal;
        self.fill(&mut starts, &code.starts, me, subject)?;
        self.fill(&mut mosts, &code.mosts, me, subject)?;
        self.fill(&mut amounts, &code.amounts, me, subject)?;
        self.fill(&mut wanted, wants, me, subject)?;
        goals.clear();
        goals.extend(slots.iter().copied().zip(wanted.iter().copied()));
        self.scratch.exchange.work = 0;
        let result = crate::table::exchange::reaches(
            &code.exchange,
            &mut self.scratch.exchange,
            Query {
                start: &starts,
                most: &mosts,
                amounts: &amounts,
                goal: &goals,
            },
        );
        self.scratch.starts = starts;
        self.scratch.mosts = mosts;
        self.scratch.amounts = amounts;
        self.scratch.goals = goals;
        self.scratch.wanted = wanted;
        self.pay(self.scratch.exchange.work as usize);
        match result {
            Ok(reached) => Ok(Value::Bool(reached)),
            Err(error) => Err(Trouble::new(
                "Y0421",
                format!(
                    "exchange `{}`: {}",
                    rules.pack.exchanges[id.index()].name.id,
                    error.describe()
                ),
            )),
        }
    }
}

/// Most choices of one decision.
const MOST_OFFERS: usize = 4096;

/// Finds the first of the choices that nobody can tell apart, by their signatures.
///
/// A hash table of positions among the offers, of a size that is a power of two.
#[derive(Debug, Default)]
pub(super) struct Leaders {
    slots: Vec<u16>,
    /// Whether the table is of these offers, all of which came by [`Offering::add`].
    known: bool,
}

/// Where choices are added.
struct Offering<'a> {
    offers: &'a mut Vec<Offer>,
    parts: &'a mut Vec<Value>,
    leaders: &'a mut Leaders,
}

impl Offering<'_> {
    /// Adds a choice for which there is room.
    #[inline]
    fn add<const N: usize>(&mut self, parts: [Value; N], signature: u64) {
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

/// Slots of a table that is used for the first time.
const SLOTS: usize = 64;

impl Leaders {
    /// What comes next are other offers.
    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    /// Makes sure that the table knows these offers and has slots for so many more.
    #[inline]
    fn make_room(&mut self, offers: &[Offer], more: usize) {
        if !self.known || (offers.len() + more) * 2 > self.slots.len() {
            self.renew(offers, more);
        }
    }

    #[cold]
    #[inline(never)]
    fn renew(&mut self, offers: &[Offer], more: usize) {
        let size = ((offers.len() + more) * 4).next_power_of_two().max(SLOTS);
        self.slots.clear();
        self.slots.resize(size, u16::MAX);
        self.known = true;
        for (position, offer) in offers.iter().enumerate() {
            self.look_up(&offers[..position], offer.signature);
        }
    }

    /// The first of these offers with a signature; if there is none, the next position is noted.
    #[inline]
    fn look_up(&mut self, offers: &[Offer], signature: u64) -> usize {
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
fn offerable(part: Value) -> Result<(), Trouble> {
    if matches!(
        part,
        Value::Unit | Value::List(_) | Value::Text(_) | Value::Table
    ) {
        return Err(
            Trouble::new("Y0419", format!("{} cannot be offered", part.type_name()))
                .help("offer pieces, nodes, members, players, dials, toggles, numbers or choices declared in TOML"),
        );
    }
    Ok(())
}

/// Mixes a number into a running one, so that different rows of numbers give different sums.
fn mix(sum: u64, number: u64) -> u64 {
    let mixed = (sum ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

fn piece(value: Value) -> Result<PieceId, Trouble> {
    match value {
        Value::Piece(piece) => Ok(piece),
        other => Err(wrong("a piece", other)),
    }
}

fn zone(value: Value) -> Result<ZoneId, Trouble> {
    match value {
        Value::Zone(zone) => Ok(zone),
        other => Err(wrong("a zone", other)),
    }
}

fn player(value: Value) -> Result<PlayerId, Trouble> {
    match value {
        Value::Player(player) => Ok(player),
        other => Err(wrong("a player", other)),
    }
}

fn int(value: Value) -> Result<i64, Trouble> {
    match value {
        Value::Int(value) => Ok(value),
        other => Err(wrong("a number", other)),
    }
}
