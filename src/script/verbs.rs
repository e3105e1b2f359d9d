//! What the verbs of the API do.

use crate::table::event::Event;
use crate::table::exchange::Query;
use crate::table::ids::{ParameterId, PieceId, PlayerId, StatisticId, ZoneId};
use crate::table::layout::Domain;
use crate::table::value::ListRef;
use crate::table::{Case, TableError, Value};

use super::api::Verb;
use super::machine::{CHANGE, Machine, Trouble, number, own_cell, text_bytes, wrong};
use super::rules::{Amount, Holder, Numbers};
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
            Verb::Pieces => match first().case() {
                Case::Kind(kind) => {
                    let range = self.rules.pack.layout.kinds[kind.index()].pieces.clone();
                    self.gather(range.map(|piece| Value::from(PieceId(piece))))
                }
                other => Err(wrong("a kind", other)),
            },
            Verb::Groups => match first().case() {
                Case::GroupKind(kind) => {
                    let info = &self.rules.pack.layout.group_kinds[kind.index()];
                    let start = usize::from(info.alive);
                    let mut values = std::mem::take(&mut self.scratch.values);
                    values.clear();
                    for (offset, group) in info.groups.clone().enumerate() {
                        if self.state.table.cells[start + offset] != 0 {
                            values.push(Value::from(crate::table::ids::GroupId(group)));
                        }
                    }
                    let list = self.list_of(&values);
                    self.scratch.values = values;
                    list
                }
                other => Err(wrong("a kind of group", other)),
            },
            Verb::ValueOf => match first().case() {
                Case::Parameter(parameter) => {
                    number(self.parameter(parameter, second(), third())?)
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
                Ok(Value::UNIT)
            }
            Verb::PutAll => {
                let to = zone(second())?;
                let list = self.sequence(first())?;
                for offset in 0..usize::from(list.len) {
                    let piece = piece(self.state.run.heap[list.start as usize + offset])?;
                    let result = self.table().put(piece, to);
                    self.done(result)?;
                }
                Ok(Value::int(i64::from(list.len)))
            }
            Verb::TurnUp | Verb::TurnDown => {
                let piece = piece(first())?;
                self.table().turn(piece, verb == Verb::TurnDown);
                Ok(Value::UNIT)
            }
            Verb::Draw => {
                let (from, to, number) = (zone(first())?, zone(second())?, int(third())?);
                let ready = self.state.table.len(from);
                let result = self.table().draw(from, to, number);
                let drawn = self.done(result)?;
                let came = drawn as usize;
                self.pay(CHANGE * came);
                self.pay_refill(from, came > ready, came.saturating_sub(ready));
                Ok(Value::int(drawn))
            }
            Verb::TopOf => {
                let zone = zone(first())?;
                let empty = self.state.table.len(zone) == 0;
                let result = self.table().top(zone);
                let top = self.done(result)?;
                self.pay_refill(zone, empty, 0);
                Ok(top.map_or(Value::UNIT, Value::from))
            }
            Verb::Shuffle => {
                let zone = zone(first())?;
                self.pay(SHUFFLED * self.state.table.len(zone));
                let result = self.table().shuffle(zone);
                self.done(result)?;
                Ok(Value::UNIT)
            }
            Verb::Roll => {
                let piece = piece(first())?;
                let result = self.table().roll(piece);
                self.done(result).map(|face| Value::int(i64::from(face)))
            }
            Verb::Pick => {
                let Some(stream) = first().as_stream() else {
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
                let Some(dial) = dial.as_dial() else {
                    return Err(wrong("a dial", dial));
                };
                let family = &self.rules.pack.layout.dials[dial.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let position = cell - family.base;
                Ok(Value::int(self.table().advance(dial, position, steps)))
            }
            Verb::AtEnd => {
                let (player, dial) = (player(first())?, second());
                let Some(dial) = dial.as_dial() else {
                    return Err(wrong("a dial", dial));
                };
                let family = &self.rules.pack.layout.dials[dial.index()];
                let cell = own_cell(&family.dimensions, family.base, player)?;
                let needle = self.state.table.cells[usize::from(cell)];
                Ok(Value::from(needle as usize + 1 == family.faces.len()))
            }
            Verb::LastFace => match first().case() {
                Case::Dial(dial) => {
                    let faces = &self.rules.pack.layout.dials[dial.index()].faces;
                    Ok(Value::int(faces.last().copied().map_or(0, i64::from)))
                }
                other => Err(wrong("a dial", other)),
            },
            Verb::IsDial => Ok(Value::from(matches!(first().case(), Case::Dial(_)))),
            Verb::Distance => match (first().case(), second().case()) {
                (Case::Node(from), Case::Node(to)) => {
                    let layout = &self.rules.pack.layout;
                    let graph = layout.nodes[from.index()].graph;
                    if layout.nodes[to.index()].graph != graph {
                        return Err(Trouble::new("Y0418", "the nodes are of different graphs"));
                    }
                    let cost = layout.graphs[graph.index()].distance(from, to);
                    Ok(cost.map_or(Value::UNIT, |cost| Value::int(i64::from(cost))))
                }
                (Case::Node(_), other) | (other, _) => Err(wrong("a node", other)),
            },
            Verb::Neighbours => match first().case() {
                Case::Node(node) => {
                    let rules = self.rules;
                    self.list_of(&rules.neighbours[node.index()])
                }
                other => Err(wrong("a node", other)),
            },
            Verb::Form => match first().case() {
                Case::GroupKind(kind) => {
                    let result = self.table().form(kind);
                    self.done(result).map(Value::from)
                }
                other => Err(wrong("a kind of group", other)),
            },
            Verb::Min => Ok(Value::int(int(first())?.min(int(second())?))),
            Verb::Max => Ok(Value::int(int(first())?.max(int(second())?))),
            Verb::Abs => number(int(first())?.abs()),
            Verb::Reaches => self.reaches(first(), second(), third()),
            Verb::Say => {
                let text = self.text_of(first())?;
                self.pay(SPOKEN + text.len());
                self.tell(Event::Said { text });
                Ok(Value::UNIT)
            }
            Verb::Hint => {
                let text = self.text_of(first())?;
                self.pay(SPOKEN + text.len());
                if let Some(offer) = self.state.run.offers.last() {
                    let choice = offer.leader;
                    self.tell(Event::Hinted { choice, text });
                }
                Ok(Value::UNIT)
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
                Ok(Value::UNIT)
            }
            Verb::Refuse => self.refuse(arguments),
            Verb::Note => self.note(first(), second(), third()),
            Verb::Offer => {
                self.offer(arguments)?;
                Ok(Value::UNIT)
            }
            Verb::OfferAll => {
                self.offer_all(arguments)?;
                Ok(Value::UNIT)
            }
            Verb::LimitDistinct => match (first().case(), second().case()) {
                (Case::Attribute(property), Case::Int(most)) => {
                    let most = u16::try_from(most).unwrap_or(0);
                    self.state.run.distinct = Some((property, most));
                    Ok(Value::UNIT)
                }
                (Case::Attribute(_), other) => Err(wrong("a number", other)),
                (other, _) => Err(wrong("an attribute", other)),
            },
            Verb::Len => match first().case() {
                Case::List(list) => Ok(Value::int(i64::from(list.len))),
                Case::Zone(zone) => Ok(Value::int(self.state.table.len(zone) as i64)),
                Case::Text(text) => {
                    self.pay(text.len as usize / 8);
                    let bytes = text_bytes(self.rules, &self.state.run, text);
                    Ok(Value::int(
                        String::from_utf8_lossy(bytes).chars().count() as i64
                    ))
                }
                other => Err(wrong("a list or a zone", other)),
            },
            Verb::IsEmpty => match first().case() {
                Case::List(list) => Ok(Value::from(list.len == 0)),
                Case::Zone(zone) => Ok(Value::from(self.state.table.len(zone) == 0)),
                Case::Text(text) => Ok(Value::from(text.len == 0)),
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
                    return Ok(Value::UNIT);
                }
                self.own(self.state.run.heap[list.start as usize + offset])
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
            | Verb::MinBy => Ok(Value::UNIT),
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
        match of.case() {
            Case::Set(set) => self.list_of(&rules.pack.layout.sets[set.index()].members),
            Case::Graph(graph) => {
                let nodes = rules.pack.layout.graphs[graph.index()].nodes.clone();
                self.gather(nodes.map(|node| Value::from(crate::table::ids::NodeId(node))))
            }
            other => Err(wrong("a set or a graph", other)),
        }
    }

    fn text_of(&self, value: Value) -> Result<String, Trouble> {
        match value.case() {
            Case::Text(text) => {
                Ok(
                    String::from_utf8_lossy(text_bytes(self.rules, &self.state.run, text))
                        .into_owned(),
                )
            }
            other => Err(wrong("a text", other)),
        }
    }

    fn refuse(&mut self, arguments: &[Value]) -> Result<Value, Trouble> {
        let parts = match arguments[0].case() {
            Case::List(list) => super::machine::elements(&self.state.run, list).to_vec(),
            _ => vec![arguments[0]],
        };
        let Some(reason) = arguments[1].as_reason() else {
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
        Ok(Value::UNIT)
    }

    fn note(&mut self, statistic: Value, who: Value, what: Value) -> Result<Value, Trouble> {
        let Some(statistic) = statistic.as_statistic() else {
            return Err(wrong("a statistic", statistic));
        };
        let player = player(who)?;
        if matches!(what.case(), Case::List(_) | Case::Text(_) | Case::Table) {
            return Err(wrong("one thing that is declared", what));
        }
        self.check_noted(statistic, what)?;
        self.pay(SPOKEN);
        self.tell(Event::Noted {
            statistic,
            player,
            what,
        });
        Ok(Value::UNIT)
    }

    /// Fails where a statistic does not tell such things apart, as far as that was not known on reading.
    fn check_noted(&self, statistic: StatisticId, what: Value) -> Result<(), Trouble> {
        let layout = &self.rules.pack.layout;
        let Observed::Noted(Some(TypeName::One(domain))) =
            self.rules.pack.statistics[statistic.index()].of
        else {
            return Ok(());
        };
        let fits = match (domain, what.case()) {
            (_, Case::Unit) => true,
            // There may be more pieces than the pack lists.
            (Domain::Kind(kind), Case::Piece(piece)) => {
                self.state.table.info(layout, piece).kind == kind
            }
            _ => layout.dimension(domain).offset(what).is_some(),
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

    fn sort(&mut self, list: Value, keys: Value) -> Result<Value, Trouble> {
        let (Case::List(list), Case::List(keys)) = (list.case(), keys.case()) else {
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
        match sorted.case() {
            Case::List(sorted)
                if values
                    .iter()
                    .any(|value| matches!(value.case(), Case::List(_))) =>
            {
                self.copy_list(ListRef { ..sorted })
            }
            _ => Ok(sorted),
        }
    }

    /// A parameter's value about a player and a subject, if it is found without running anything.
    #[inline]
    pub(super) fn plain_parameter(
        &self,
        parameter: ParameterId,
        about: &[Value; 2],
    ) -> Option<Value> {
        let code = &self.rules.parameters[parameter.index()];
        let mut value = code.base;
        for modifier in &code.modifiers {
            if !self.has(modifier.holder, about[0]) {
                continue;
            }
            if let Some(when) = modifier.when {
                match self.glance(when, about)?.case() {
                    Case::Bool(true) => {}
                    Case::Bool(false) => continue,
                    _ => return None,
                }
            }
            let amount = match modifier.amount {
                Amount::Known(amount) => amount,
                Amount::Computed(function) => match self.glance(function, about)?.case() {
                    Case::Int(amount) => amount,
                    _ => return None,
                },
            };
            // It may be set twice: the long way tells.
            if modifier.op == ModifierOp::Set {
                return None;
            }
            value = modifier.op.apply(value, amount)?;
        }
        Value::checked_int(value)
    }

    /// Whether a player has the ability that something hangs on, if it hangs on one.
    #[inline]
    fn has(&self, holder: Option<Holder>, player: Value) -> bool {
        let table = &self.state.table;
        holder.is_none_or(
            |holder| matches!(player.case(), Case::Player(player) if holder.is_with(table, player)),
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
                match self.call_pure(when, &about)?.case() {
                    Case::Bool(true) => {}
                    Case::Bool(false) => continue,
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
        let Some(id) = exchange.as_exchange() else {
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
            Ok(reached) => Ok(Value::from(reached)),
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

fn piece(value: Value) -> Result<PieceId, Trouble> {
    value.as_piece().ok_or_else(|| wrong("a piece", value))
}

fn zone(value: Value) -> Result<ZoneId, Trouble> {
    value.as_zone().ok_or_else(|| wrong("a zone", value))
}

fn player(value: Value) -> Result<PlayerId, Trouble> {
    value.as_player().ok_or_else(|| wrong("a player", value))
}

fn int(value: Value) -> Result<i64, Trouble> {
    value.as_int().ok_or_else(|| wrong("a number", value))
}
