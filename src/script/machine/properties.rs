//! Properties: what an object says of itself, and what can be assigned to.

use crate::table::ids::{CounterId, DialId, PieceId, PlayerId, PropertyId, ZoneId};
use crate::table::layout::{Accessor, Builtin, Dimension, Domain, ShapeId, shape};
use crate::table::ops::counter_value;
use crate::table::state::NO_PIECE;
use crate::table::{Case, Value};

use super::Machine;
use super::trouble::{Trouble, wrong};

impl Machine<'_, '_> {
    pub(in crate::script) fn shape_of(&self, value: Value) -> ShapeId {
        let layout = &self.rules.pack.layout;
        match value.case() {
            Case::Table => shape::TABLE,
            Case::Player(_) => shape::PLAYER,
            Case::Zone(_) => shape::ZONE,
            Case::Node(node) => {
                layout.shape_of_domain(Domain::Graph(layout.nodes[node.index()].graph))
            }
            Case::Member(member) => {
                layout.shape_of_domain(Domain::Set(layout.members[member.index()].set))
            }
            Case::Piece(piece) => {
                layout.shape_of_domain(Domain::Kind(self.state.table.info(layout, piece).kind))
            }
            Case::Group(group) => {
                layout.shape_of_domain(Domain::Groups(layout.groups[group.index()]))
            }
            Case::Dial(_) | Case::Toggle(_) | Case::Graph(_) | Case::Kind(_) | Case::Choice(_) => {
                shape::NAMED
            }
            _ => shape::PLAIN,
        }
    }

    /// The id of a value of a shape, if it can own a family's zone or cell.
    #[inline]
    pub(super) fn id_of(&self, value: Value, of: ShapeId) -> Option<u16> {
        match value.case() {
            Case::Player(player) => (of == shape::PLAYER).then_some(u16::from(player.0)),
            _ => self.other_id_of(value, of),
        }
    }

    #[inline(never)]
    fn other_id_of(&self, value: Value, of: ShapeId) -> Option<u16> {
        if self.shape_of(value) != of {
            return None;
        }
        match value.case() {
            Case::Node(node) => Some(node.0),
            Case::Member(member) => Some(member.0),
            Case::Group(group) => Some(group.0),
            // Pieces made during play have no place in families: the generic way tells.
            _ => None,
        }
    }

    /// A fixed attribute of a piece, node or member that is of the shape that was inferred.
    #[inline]
    pub(super) fn attribute(&self, object: Value, index: u16, of: ShapeId) -> Option<Value> {
        let rules = self.rules;
        match object.case() {
            Case::Piece(piece) if piece.index() < rules.pieces.len() => {
                let row = &rules.pieces[piece.index()];
                let place = row.first as usize + usize::from(index);
                (row.shape == of).then(|| rules.attributes[place])
            }
            _ => {
                let attributes = self.other_attributes(object, of)?;
                attributes.get(usize::from(index)).copied()
            }
        }
    }

    #[inline(never)]
    fn other_attributes(&self, object: Value, of: ShapeId) -> Option<&[Value]> {
        let layout = &self.rules.pack.layout;
        if self.shape_of(object) != of {
            return None;
        }
        match object.case() {
            Case::Piece(piece) => Some(&self.state.table.info(layout, piece).attributes),
            Case::Node(node) => Some(&layout.nodes[node.index()].attributes),
            Case::Member(member) => Some(&layout.members[member.index()].attributes),
            _ => None,
        }
    }

    /// Reads a property.
    #[inline(never)]
    pub(in crate::script) fn get(
        &mut self,
        object: Value,
        property: PropertyId,
        indexes: &[Value],
    ) -> Result<Value, Trouble> {
        let layout = &self.rules.pack.layout;
        let of = self.shape_of(object);
        let own = (of != shape::TABLE).then_some(object);
        match layout.accessor(of, property) {
            Accessor::Zone(family) => {
                let info = &layout.zone_families[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                Ok(Value::from(ZoneId(info.base.0 + position)))
            }
            Accessor::Counter(family) => {
                let info = &layout.counters[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                Ok(counter_value(layout, &self.state.table, family, position))
            }
            Accessor::Dial(family) => {
                let info = &layout.dials[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                let needle = self.state.table.cells[usize::from(info.base + position)];
                Ok(Value::from(info.faces[needle as usize]))
            }
            Accessor::Toggle(family) => {
                let info = &layout.toggles[family.index()];
                let position = position(&info.dimensions, own, indexes)?;
                Ok(Value::from(
                    self.state.table.cells[usize::from(info.base + position)] != 0,
                ))
            }
            Accessor::Attribute(index) => {
                let index = usize::from(index);
                Ok(match object.case() {
                    Case::Piece(piece) => self.state.table.info(layout, piece).attributes[index],
                    Case::Node(node) => layout.nodes[node.index()].attributes[index],
                    Case::Member(member) => layout.members[member.index()].attributes[index],
                    _ => Value::UNIT,
                })
            }
            Accessor::Own(kind) => match object.case() {
                Case::Player(player) => Ok(Value::from(PieceId(
                    layout.kinds[kind.index()].pieces.start + u16::from(player.0),
                ))),
                other => Err(wrong("a player", other)),
            },
            Accessor::Builtin(builtin) => self.builtin(object, builtin),
            Accessor::None => Err(self.no_property(object, property)),
        }
    }

    pub(super) fn no_property(&self, object: Value, property: PropertyId) -> Trouble {
        let name = &self.rules.pack.layout.properties[property.index()];
        let what = match object.case() {
            Case::Unit | Case::Bool(_) | Case::Int(_) | Case::Text(_) | Case::List(_) => {
                object.type_name().to_owned()
            }
            _ => format!("{} (`{}`)", object.type_name(), self.in_words(object)),
        };
        let trouble = Trouble::new("Y0411", format!("{what} has no property `{name}`"));
        if object == Value::UNIT {
            trouble.help("test for `()` first: nothing was found here")
        } else {
            trouble
        }
    }

    pub(super) fn builtin(&mut self, object: Value, builtin: Builtin) -> Result<Value, Trouble> {
        if builtin == Builtin::Title {
            let title = self.title(object);
            return self.new_text(&title);
        }
        self.plain_builtin(object, builtin).ok_or_else(|| {
            Trouble::new(
                "Y0411",
                format!("{} has no such property", object.type_name()),
            )
        })
    }

    /// What every object of a sort has, if it can be told without making a text.
    #[inline(never)]
    pub(super) fn plain_builtin(&self, object: Value, builtin: Builtin) -> Option<Value> {
        let layout = &self.rules.pack.layout;
        let table = &self.state.table;
        Some(match (builtin, object.case()) {
            (Builtin::Zone, Case::Piece(piece)) => Value::from(table.pieces[piece.index()].zone),
            (Builtin::At, Case::Piece(piece)) => {
                layout.first_coordinate(table.pieces[piece.index()].zone)
            }
            (Builtin::At, Case::Zone(zone)) => layout.first_coordinate(zone),
            (Builtin::Owner, Case::Piece(piece)) => table
                .info(layout, piece)
                .owner
                .map_or(Value::UNIT, Value::from),
            (Builtin::Owner, Case::Zone(zone)) => {
                layout.zone_owner(zone).map_or(Value::UNIT, Value::from)
            }
            (Builtin::Face, Case::Piece(piece)) => Value::from(table.pieces[piece.index()].face),
            (Builtin::FaceDown, Case::Piece(piece)) => {
                Value::from(table.pieces[piece.index()].face_down)
            }
            (Builtin::Number, Case::Player(player)) => Value::from(i32::from(player.0) + 1),
            (Builtin::Next, Case::Player(player)) => {
                Value::from(PlayerId((player.0 + 1) % table.players))
            }
            (Builtin::Len, Case::Zone(zone)) => Value::from(table.len(zone) as u16),
            (Builtin::Top, Case::Zone(zone)) => match table.zones[zone.index()].last {
                NO_PIECE => Value::UNIT,
                piece => Value::from(PieceId(piece)),
            },
            (Builtin::Bottom, Case::Zone(zone)) => match table.zones[zone.index()].first {
                NO_PIECE => Value::UNIT,
                piece => Value::from(PieceId(piece)),
            },
            _ => return None,
        })
    }

    /// Assigns to a property.
    #[inline(never)]
    pub(in crate::script) fn set(
        &mut self,
        object: Value,
        property: PropertyId,
        indexes: &[Value],
        value: Value,
    ) -> Result<(), Trouble> {
        let layout = &self.rules.pack.layout;
        let of = self.shape_of(object);
        let own = (of != shape::TABLE).then_some(object);
        match layout.accessor(of, property) {
            Accessor::Counter(family) => {
                let position = position(&layout.counters[family.index()].dimensions, own, indexes)?;
                self.set_counter(family, position, value)
            }
            Accessor::Toggle(family) => {
                let position = position(&layout.toggles[family.index()].dimensions, own, indexes)?;
                let Some(on) = value.as_bool() else {
                    return Err(wrong("a boolean", value));
                };
                self.table().toggle(family, position, on);
                Ok(())
            }
            Accessor::Builtin(Builtin::Face) => {
                let (Case::Piece(piece), Case::Int(face)) = (object.case(), value.case()) else {
                    return Err(wrong("a number", value));
                };
                let result = self.table().set_face(piece, face);
                result.map_err(|error| self.trouble(&error))
            }
            Accessor::None => Err(self.no_property(object, property)),
            _ => Err(Trouble::new(
                "Y0408",
                format!(
                    "`{}` cannot be assigned to",
                    layout.properties[property.index()]
                ),
            )),
        }
    }

    /// What a counter counts, if its owner and indexes have a place in it.
    #[inline(never)]
    pub(super) fn counter(&self, counter: CounterId, places: &[Value], count: u8) -> Option<Value> {
        let layout = &self.rules.pack.layout;
        let position = place(&layout.counters[counter.index()].dimensions, places, count)?;
        Some(counter_value(layout, &self.state.table, counter, position))
    }

    /// What a dial shows, if its owner and indexes have a place in it.
    #[inline(never)]
    pub(super) fn dial(&self, dial: DialId, places: &[Value], count: u8) -> Option<i32> {
        let info = &self.rules.pack.layout.dials[dial.index()];
        let position = place(&info.dimensions, places, count)?;
        let needle = self.state.table.cells[usize::from(info.base + position)];
        Some(info.faces[needle as usize])
    }

    /// Sets a counter; `false` if its owner and indexes have no place in it.
    #[inline(never)]
    pub(super) fn assign(
        &mut self,
        counter: CounterId,
        places: &[Value],
        count: u8,
        value: Value,
    ) -> Result<bool, Trouble> {
        let info = &self.rules.pack.layout.counters[counter.index()];
        let Some(position) = place(&info.dimensions, places, count) else {
            return Ok(false);
        };
        self.set_counter(counter, position, value)?;
        Ok(true)
    }

    pub(super) fn set_counter(
        &mut self,
        counter: CounterId,
        position: u16,
        value: Value,
    ) -> Result<(), Trouble> {
        let result = self.table().set_counter(counter, position, value);
        result.map_err(|error| self.trouble(&error))
    }
}

/// The position in a family, from its owner and indexes, which stand in registers that follow each
/// other; nothing if one of them has no place there.
#[inline]
pub(super) fn place(dimensions: &[Dimension], registers: &[Value], count: u8) -> Option<u16> {
    if dimensions.len() != usize::from(count) {
        return None;
    }
    // Most have one or two.
    match (dimensions, registers) {
        ([], _) => Some(0),
        ([one], [first, ..]) => one.offset(*first),
        ([one, two], [first, second, ..]) => {
            Some(one.offset(*first)? * two.size + two.offset(*second)?)
        }
        _ => {
            let mut places = dimensions.iter().zip(registers);
            places.try_fold(0, |position, (dimension, value)| {
                Some(position * dimension.size + dimension.offset(*value)?)
            })
        }
    }
}

/// The position in a family, from its owner (none for the table's) and the indexes.
pub(super) fn position(
    dimensions: &[Dimension],
    own: Option<Value>,
    indexes: &[Value],
) -> Result<u16, Trouble> {
    let given = indexes.len() + usize::from(own.is_some());
    if given != dimensions.len() {
        return Err(Trouble::new(
            "Y0412",
            format!(
                "this needs {} in brackets, found {}",
                dimensions.len() - usize::from(own.is_some()),
                indexes.len()
            ),
        ));
    }
    let mut position = 0;
    for (dimension, value) in dimensions
        .iter()
        .zip(own.into_iter().chain(indexes.iter().copied()))
    {
        let Some(offset) = dimension.offset(value) else {
            return Err(Trouble::new(
                "Y0412",
                format!("{} has no place here", value.type_name()),
            ));
        };
        position = position * dimension.size + offset;
    }
    Ok(position)
}

/// The cell of a player's own dial or toggle.
pub(in crate::script) fn own_cell(
    dimensions: &[Dimension],
    base: u16,
    player: PlayerId,
) -> Result<u16, Trouble> {
    match dimensions {
        [dimension] if dimension.domain == Domain::Players => Ok(base + u16::from(player.0)),
        _ => Err(Trouble::new("Y0412", "this is not one of a player's own")),
    }
}
