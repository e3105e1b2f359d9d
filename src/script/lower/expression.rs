//! Expressions, properties and places that can be assigned to.

use crate::diag::{Diagnostic, Span, nearest};
use crate::script::code::{Op, Register};
use crate::script::syntax::{Binary, Expression, ExpressionKind};
use crate::script::types::{Base, Type};
use crate::table::ids::{PieceId, PropertyId, ZoneId};
use crate::table::layout::{Accessor, Builtin, Dimension, Holds, ShapeId, shape};
use crate::table::{Case, Value};

use super::builder::Builder;

/// A value in a register, and what is known of it.
pub(super) type Typed = (Register, Type);

/// What the table has one of.
#[derive(Clone, Copy)]
enum Place {
    Zone(ZoneId),
    Number(u16),
    Flag(u16),
}

impl Builder<'_, '_> {
    /// Evaluates an expression: a variable's own register, or a fresh one.
    pub(super) fn any(&mut self, expression: &Expression) -> Typed {
        if let ExpressionKind::Name(name) = &expression.kind
            && let Some(local) = self.find_local(name)
        {
            return (local.register, self.type_of_local(&local));
        }
        let register = self.fresh();
        let of = self.to(expression, register);
        self.top = register + 1;
        (register, of)
    }

    /// Evaluates an expression that is read after others are evaluated: if one of them can change the
    /// variable that it is, its value is taken before.
    pub(super) fn before(&mut self, expression: &Expression, later: &[&Expression]) -> Typed {
        if let ExpressionKind::Name(name) = &expression.kind
            && later.iter().any(|other| other.changes(name))
        {
            let register = self.fresh();
            let of = self.to(expression, register);
            return (register, of);
        }
        self.any(expression)
    }

    /// Puts a known value into a register.
    pub(super) fn load(&mut self, value: Value, dst: Register, span: Span) {
        match value.case() {
            Case::Int(value) if i32::try_from(value).is_ok() => {
                self.emit(
                    Op::Int {
                        dst,
                        value: value as i32,
                    },
                    span,
                );
            }
            _ => {
                let index = self.lowering.constant(value);
                self.emit(Op::Constant { dst, index }, span);
            }
        }
    }

    /// Evaluates an expression into a register. Lists of variables are copied: each list has one
    /// owner.
    pub(super) fn to(&mut self, expression: &Expression, dst: Register) -> Type {
        let span = expression.span;
        let top = self.top;
        let of = match &expression.kind {
            ExpressionKind::Unit => {
                self.load(Value::UNIT, dst, span);
                Type::UNIT
            }
            ExpressionKind::Refused => {
                self.load(Value::UNIT, dst, span);
                Type::ANY
            }
            ExpressionKind::Bool(value) => {
                self.load(Value::from(*value), dst, span);
                Type::BOOL
            }
            ExpressionKind::Int(value) => {
                self.load(Value::int(*value), dst, span);
                Type::INT
            }
            ExpressionKind::Text(text) => {
                let text = self.lowering.text(text);
                self.load(Value::from(text), dst, span);
                Type::TEXT
            }
            ExpressionKind::Interpolated(parts) => {
                let base = self.fresh_block(parts.len().max(1));
                for (index, part) in parts.iter().enumerate() {
                    self.to(part, base + index as u8);
                }
                self.emit(
                    Op::Text {
                        dst,
                        base,
                        items: parts.len() as u16,
                    },
                    span,
                );
                Type::TEXT
            }
            ExpressionKind::List(items) => {
                let base = self.fresh_block(items.len().max(1));
                let mut element = Type::NEVER;
                for (index, item) in items.iter().enumerate() {
                    let of = self.to(item, base + index as u8);
                    element = element.join(of);
                }
                self.emit(
                    Op::List {
                        dst,
                        base,
                        items: items.len() as u16,
                    },
                    span,
                );
                element.list()
            }
            ExpressionKind::Name(name) => match self.find_local(name) {
                Some(local) => {
                    if local.register != dst {
                        self.emit(
                            Op::Copy {
                                dst,
                                src: local.register,
                            },
                            span,
                        );
                    }
                    self.type_of_local(&local)
                }
                None if name == "table" => {
                    self.load(Value::TABLE, dst, span);
                    Type::of(Base::Table)
                }
                None => {
                    self.unknown_name(name, span);
                    self.load(Value::UNIT, dst, span);
                    Type::ANY
                }
            },
            ExpressionKind::Constant(module, name) => match self.lowering.named(module, name) {
                Ok((value, of)) => {
                    self.load(value, dst, span);
                    of
                }
                Err(diagnostic) => {
                    self.error(Diagnostic {
                        span: Some(span),
                        ..*diagnostic
                    });
                    self.load(Value::UNIT, dst, span);
                    Type::ANY
                }
            },
            ExpressionKind::Property(..) | ExpressionKind::Index(..) => self.place(expression, dst),
            ExpressionKind::Call {
                name,
                arguments,
                method,
            } => self.call(name, arguments, *method, dst, span),
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(*operator, left, right, dst, span)
            }
            ExpressionKind::Negate(inner) => {
                let (src, of) = self.any(inner);
                self.expect(of, Type::INT, inner);
                self.emit(Op::Negate { dst, src }, span);
                Type::INT
            }
            ExpressionKind::Not(inner) => {
                let (src, of) = self.any(inner);
                self.expect_bool(of, inner);
                self.emit(Op::Not { dst, src }, span);
                Type::BOOL
            }
            ExpressionKind::And(sides) | ExpressionKind::Or(sides) => {
                let and = matches!(expression.kind, ExpressionKind::And(_));
                let target = self.target_for(dst);
                let inner = self.top;
                let mut jumps = Vec::new();
                for (index, side) in sides.iter().enumerate() {
                    let of = self.to(side, target);
                    self.expect_bool(of, side);
                    self.top = inner;
                    let jump = if and {
                        Op::JumpUnless {
                            condition: target,
                            to: 0,
                        }
                    } else {
                        Op::JumpIf {
                            condition: target,
                            to: 0,
                        }
                    };
                    // The last side is tested as well: it must be a boolean.
                    let at = self.emit(jump, side.span);
                    if index + 1 < sides.len() {
                        jumps.push(at);
                    } else {
                        self.patch(at);
                    }
                }
                for jump in jumps {
                    self.patch(jump);
                }
                self.take(dst, target, span);
                Type::BOOL
            }
            ExpressionKind::Contains(list, item) => {
                let (list_register, of) = self.before(list, &[item]);
                if of != Type::TEXT {
                    let element = self.element_of(of, list);
                    let (item_register, item_type) = self.any(item);
                    self.comparable(element, item_type, span);
                    self.emit(
                        Op::Contains {
                            dst,
                            list: list_register,
                            item: item_register,
                        },
                        span,
                    );
                } else {
                    self.element_of(of, list);
                }
                Type::BOOL
            }
            ExpressionKind::Range(..) => {
                self.error(
                    Diagnostic::error("Y0306", span, "a range stands only in a `for`")
                        .help("write `for i in a..b { … }`, or compare: `x >= a && x < b`"),
                );
                Type::ANY
            }
            ExpressionKind::Closure(..) => {
                self.error(
                    Diagnostic::error(
                        "Y0307",
                        span,
                        "a closure stands only as the argument of a verb that takes one",
                    )
                    .help("give it to `filter`, `map`, `some`, `all`, `find`, `count`, `sum`, `max_by`, `min_by`, `sort_by` or `what_if`; else write a function"),
                );
                Type::ANY
            }
            ExpressionKind::Block(body) => {
                let target = self.target_for(dst);
                let of = self.block(body, Some(target));
                self.take(dst, target, span);
                of
            }
            ExpressionKind::If(condition, then, otherwise) => {
                let target = self.target_for(dst);
                let of = self.branch(condition, then, otherwise, Some(target), span);
                self.take(dst, target, span);
                of
            }
        };
        self.top = top;
        of
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: &Expression,
        right: &Expression,
        dst: Register,
        span: Span,
    ) -> Type {
        let first = self.before(left, &[right]);
        if self.add_number(operator, first, right, dst, span) {
            return Type::INT;
        }
        if let Some((index, of)) = self.constant_of(operator, right) {
            self.comparable(first.1, of, span);
            let a = first.0;
            let op = match operator {
                Binary::Eq => Op::EqConstant { dst, a, index },
                _ => Op::NeConstant { dst, a, index },
            };
            self.emit(op, span);
            return Type::BOOL;
        }
        let second = self.any(right);
        self.arithmetic(operator, first, second, dst, right, span)
    }

    /// Adds or takes away a number that is written out, if that is what is to be done.
    pub(super) fn add_number(
        &mut self,
        operator: Binary,
        (a, of): Typed,
        right: &Expression,
        dst: Register,
        span: Span,
    ) -> bool {
        let ExpressionKind::Int(value) = right.kind else {
            return false;
        };
        let value = match operator {
            Binary::Add => Some(value),
            Binary::Sub => value.checked_neg(),
            _ => None,
        };
        let value = value.and_then(|value| i16::try_from(value).ok());
        let Some(value) = value.filter(|_| of == Type::INT) else {
            return false;
        };
        self.emit(Op::AddInt { dst, a, value }, span);
        true
    }

    /// The constant on the right of `==` or `!=`, if there is one that is equal only to itself.
    fn constant_of(&mut self, operator: Binary, right: &Expression) -> Option<(u16, Type)> {
        if !matches!(operator, Binary::Eq | Binary::Ne) {
            return None;
        }
        let (value, of) = match &right.kind {
            ExpressionKind::Bool(value) => (Value::from(*value), Type::BOOL),
            ExpressionKind::Int(value) => (Value::int(*value), Type::INT),
            ExpressionKind::Unit => (Value::UNIT, Type::UNIT),
            ExpressionKind::Constant(module, name) => self.lowering.named(module, name).ok()?,
            _ => return None,
        };
        Some((self.lowering.constant(value), of))
    }

    /// One operation on two registers.
    pub(super) fn arithmetic(
        &mut self,
        operator: Binary,
        (a, left): Typed,
        (b, right): Typed,
        dst: Register,
        right_side: &Expression,
        span: Span,
    ) -> Type {
        let number = |of: Type| of.is_open() || of == Type::INT;
        let result = match operator {
            Binary::Eq | Binary::Ne => {
                self.comparable(left, right, span);
                Type::BOOL
            }
            Binary::Add if left.lists > 0 && right.lists > 0 => left.join(right),
            Binary::Add if left.lists > 0 && right.is_open() => left,
            Binary::Add if right.lists > 0 && left.is_open() => right,
            Binary::Add if left == Type::TEXT && right == Type::TEXT => Type::TEXT,
            Binary::Add if left.is_open() && right.is_open() => Type::ANY,
            Binary::Add if left.is_open() => right,
            Binary::Add if right.is_open() => left,
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                if !number(left) || !number(right) {
                    self.mismatch(operator, left, right, span);
                }
                Type::BOOL
            }
            _ => {
                if !number(left) || !number(right) {
                    self.mismatch(operator, left, right, span);
                }
                if let (Binary::Div | Binary::Rem, ExpressionKind::Int(0)) =
                    (operator, &right_side.kind)
                {
                    self.error(Diagnostic::error("Y0308", span, "division by zero"));
                }
                Type::INT
            }
        };
        let op = match operator {
            Binary::Add => Op::Add { dst, a, b },
            Binary::Sub => Op::Sub { dst, a, b },
            Binary::Mul => Op::Mul { dst, a, b },
            Binary::Div => Op::Div { dst, a, b },
            Binary::Rem => Op::Rem { dst, a, b },
            Binary::Eq => Op::Eq { dst, a, b },
            Binary::Ne => Op::Ne { dst, a, b },
            Binary::Lt => Op::Lt { dst, a, b },
            Binary::Le => Op::Le { dst, a, b },
            Binary::Gt => Op::Gt { dst, a, b },
            Binary::Ge => Op::Ge { dst, a, b },
        };
        self.emit(op, span);
        result
    }

    fn mismatch(&mut self, operator: Binary, left: Type, right: Type, span: Span) {
        let layout = &self.lowering.pack.layout;
        let message = format!(
            "`{}` cannot be used on {} and {}",
            operator.symbol(),
            left.describe(layout),
            right.describe(layout)
        );
        self.error(Diagnostic::error("Y0309", span, message));
    }

    pub(super) fn comparable(&mut self, left: Type, right: Type, span: Span) {
        if !left.comparable(right) {
            let layout = &self.lowering.pack.layout;
            let message = format!(
                "{} is never equal to {}",
                left.describe(layout),
                right.describe(layout)
            );
            self.error(
                Diagnostic::error("Y0310", span, message)
                    .help("compare like with like; `x == ()` tests for nothing"),
            );
        }
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span) {
        let mut names: Vec<&str> = self
            .locals
            .iter()
            .map(|local| local.name.as_str())
            .collect();
        names.push("table");
        let mut diagnostic = Diagnostic::error("Y0311", span, format!("unknown variable `{name}`"));
        if let Some(near) = nearest(name, names) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else if self.lowering.modules.contains_key(name) {
            diagnostic = diagnostic.help(format!("constants are written `{name}::NAME`"));
        } else if let Some(module) = self.lowering.module_of(name) {
            diagnostic = diagnostic.help(format!("did you mean `{module}::{name}`?"));
        } else {
            diagnostic = diagnostic.help("declare it with `let`, or take it as a parameter");
        }
        self.error(diagnostic);
    }

    /// How many indexes a property takes, by what is known of its owner; reports what is unknown.
    fn property(&mut self, of: Type, name: &str, span: Span) -> Option<(PropertyId, usize, Type)> {
        let layout = &self.lowering.pack.layout;
        let known = layout
            .properties
            .binary_search_by(|known| known.as_str().cmp(name))
            .ok();
        if let Some(shape) = of.shape(layout) {
            let accessor = known.map_or(Accessor::None, |index| {
                layout.accessor(shape, PropertyId::from_index(index))
            });
            if let (Some(index), false) = (known, accessor == Accessor::None) {
                let (dimensions, result) = self.accessor_type(accessor, of);
                let own = usize::from(!self.is_table(shape));
                return Some((
                    PropertyId::from_index(index),
                    dimensions.saturating_sub(own),
                    result,
                ));
            }
            let what = of.describe(layout);
            let names: Vec<&str> = layout
                .properties
                .iter()
                .enumerate()
                .filter(|(index, _)| {
                    layout.accessor(shape, PropertyId::from_index(*index)) != Accessor::None
                })
                .map(|(_, name)| name.as_str())
                .collect();
            let mut diagnostic =
                Diagnostic::error("Y0312", span, format!("{what} has no property `{name}`"));
            match nearest(name, names.iter().copied()) {
                Some(near) => diagnostic = diagnostic.help(format!("did you mean `{near}`?")),
                None if names.is_empty() => {}
                None => diagnostic = diagnostic.help(format!("it has: {}", names.join(", "))),
            }
            self.error(diagnostic);
            return None;
        }
        let Some(index) = known else {
            let diagnostic =
                Diagnostic::error("Y0312", span, format!("nothing has a property `{name}`"))
                    .suggest(name, layout.properties.iter().map(String::as_str));
            self.error(diagnostic);
            return None;
        };
        let property = PropertyId::from_index(index);
        let mut indexes = None;
        let mut result = Type::NEVER;
        for shape in 0..layout.shapes() {
            let shape = ShapeId(shape as u16);
            let accessor = self.lowering.pack.layout.accessor(shape, property);
            if accessor == Accessor::None {
                continue;
            }
            let (dimensions, gives) = self.accessor_type(accessor, of);
            let extra = dimensions.saturating_sub(usize::from(!self.is_table(shape)));
            if indexes.is_some_and(|known| known != extra) {
                self.error(
                    Diagnostic::error(
                        "Y0313",
                        span,
                        format!("which `{name}` is meant is not known here"),
                    )
                    .help("give the function's parameter one type: call it with the same sort of value everywhere"),
                );
                return None;
            }
            indexes = Some(extra);
            result = result.join(gives);
        }
        Some((property, indexes.unwrap_or(0), result))
    }

    fn is_table(&self, of: ShapeId) -> bool {
        of == shape::TABLE
    }

    fn accessor_type(&self, accessor: Accessor, owner: Type) -> (usize, Type) {
        let layout = &self.lowering.pack.layout;
        match accessor {
            Accessor::None => (0, Type::ANY),
            Accessor::Zone(family) => {
                let family = &layout.zone_families[family.index()];
                (family.dimensions.len(), Type::of(Base::Zone(family.holds)))
            }
            Accessor::Counter(family) => {
                let family = &layout.counters[family.index()];
                (family.dimensions.len(), Type::of_holds(family.holds))
            }
            Accessor::Dial(family) => (layout.dials[family.index()].dimensions.len(), Type::INT),
            Accessor::Toggle(family) => {
                (layout.toggles[family.index()].dimensions.len(), Type::BOOL)
            }
            Accessor::Attribute(index) => (1, self.attribute_type(owner, index)),
            Accessor::Own(kind) => (1, Type::of(Base::Piece(Some(kind)))),
            Accessor::Builtin(builtin) => (
                1,
                match builtin {
                    Builtin::Zone => Type::of(Base::Zone(None)),
                    Builtin::At => Type::ANY,
                    Builtin::Owner | Builtin::Next => Type::PLAYER,
                    Builtin::Face | Builtin::Number | Builtin::Len => Type::INT,
                    Builtin::FaceDown => Type::BOOL,
                    Builtin::Top | Builtin::Bottom => owner.element().unwrap_or(Type::ANY),
                    Builtin::Title => Type::TEXT,
                },
            ),
        }
    }

    fn attribute_type(&self, owner: Type, index: u16) -> Type {
        let layout = &self.lowering.pack.layout;
        let index = usize::from(index);
        let attribute = match owner.base {
            Base::Piece(Some(kind)) => layout.kinds[kind.index()].attributes.get(index),
            Base::Node(Some(graph)) => layout.graphs[graph.index()].attributes.get(index),
            Base::Member(Some(set)) => layout.set_attributes[set.index()].get(index),
            _ => None,
        };
        attribute.map_or(Type::ANY, |attribute| {
            // Attributes may be dials or toggles, which no counter can hold.
            self.lowering.attribute_type(attribute)
        })
    }

    /// Splits `object.property[i][j]` into its links.
    fn links(expression: &Expression) -> (&Expression, Vec<(&Expression, Span)>) {
        let mut indexes = Vec::new();
        let mut root = expression;
        while let ExpressionKind::Index(inner, index) = &root.kind {
            indexes.push((&**index, root.span));
            root = inner;
        }
        indexes.reverse();
        (root, indexes)
    }

    /// A property or an element into a register.
    fn place(&mut self, expression: &Expression, dst: Register) -> Type {
        let (root, indexes) = Self::links(expression);
        let later: Vec<&Expression> = indexes.iter().map(|(index, _)| *index).collect();
        let (mut register, mut of, used);
        if let ExpressionKind::Property(object, name) = &root.kind {
            let base = self.fresh();
            let here = self.ops.len();
            let (object_register, object_type) = self.before(object, &later);
            let Some((property, wanted, result)) = self.property(object_type, name, root.span)
            else {
                for (index, _) in &indexes {
                    self.any(index);
                }
                return Type::ANY;
            };
            if let Some(place) = self.place_on_table(object_type, property) {
                // Nothing has to be looked up, not even the table.
                self.ops.truncate(here);
                self.spans.truncate(here);
                register = if indexes.is_empty() { dst } else { base };
                let dst = register;
                let op = match place {
                    Place::Zone(zone) => Op::Constant {
                        dst,
                        index: self.lowering.constant(Value::from(zone)),
                    },
                    Place::Number(cell) => Op::GetCell { dst, cell },
                    Place::Flag(cell) => Op::GetCellFlag { dst, cell },
                };
                self.emit(op, root.span);
            } else if wanted == 0 {
                let target = if indexes.is_empty() { dst } else { base };
                self.quick_get(object_type, property, object_register, target, root.span);
                self.emit(
                    Op::Get {
                        dst: target,
                        object: object_register,
                        property,
                    },
                    root.span,
                );
                register = target;
            } else {
                if indexes.len() < wanted {
                    self.wrong_indexes(name, wanted, indexes.len(), root.span);
                    return result;
                }
                let target = if indexes.len() == wanted { dst } else { base };
                let block = self.fresh_block(wanted + 1);
                let quick = self.quick_get_at(object_type, property);
                if let Some(quick) = quick.filter(|_| wanted == 1) {
                    let (index, found) = self.any(indexes[0].0);
                    self.check_index(property, object_type, 0, found, indexes[0].1);
                    self.emit(quick(target, object_register, index), root.span);
                    let moved = [(block, object_register), (block + 1, index)];
                    for (dst, src) in moved {
                        self.emit(Op::Take { dst, src }, root.span);
                    }
                } else {
                    self.emit(
                        Op::Take {
                            dst: block,
                            src: object_register,
                        },
                        root.span,
                    );
                    self.family_indexes(property, object_type, &indexes[..wanted], block + 1);
                    self.quick_get_indexed(object_type, property, block, wanted, target, root.span);
                }
                self.emit(
                    Op::GetIndexed {
                        dst: target,
                        base: block,
                        property,
                        indexes: wanted as u8,
                    },
                    root.span,
                );
                register = target;
            }
            of = result;
            used = wanted;
        } else {
            let (root_register, root_type) = self.before(root, &later);
            register = root_register;
            of = root_type;
            used = 0;
        }
        let rest = &indexes[used.min(indexes.len())..];
        for (position, (index, span)) in rest.iter().enumerate() {
            let (index_register, index_type) = self.any(index);
            let result = self.element_by_index(of, index_type, index, *span);
            let target = if position + 1 == rest.len() {
                dst
            } else {
                self.fresh()
            };
            self.emit(
                Op::Index {
                    dst: target,
                    list: register,
                    index: index_register,
                },
                *span,
            );
            register = target;
            of = result;
        }
        of
    }

    /// The type of `of[index]`.
    fn element_by_index(
        &mut self,
        of: Type,
        index_type: Type,
        index: &Expression,
        span: Span,
    ) -> Type {
        let named = matches!(index_type.base, Base::Dial | Base::Toggle) && index_type.lists == 0;
        if of == Type::PLAYER || named && of.is_open() {
            return match index_type.base {
                Base::Dial => Type::INT,
                Base::Toggle => Type::BOOL,
                Base::Any | Base::Never => Type::ANY,
                _ => {
                    self.error(Diagnostic::error(
                        "Y0314",
                        span,
                        "a player is indexed by a dial or a toggle",
                    ));
                    Type::ANY
                }
            };
        }
        self.expect(index_type, Type::INT, index);
        match of.element() {
            Some(element) => element,
            None => {
                let found = of.describe(&self.lowering.pack.layout);
                self.error(Diagnostic::error(
                    "Y0305",
                    span,
                    format!("expected a list or a zone, found {found}"),
                ));
                Type::ANY
            }
        }
    }

    /// Where a property of the table is that there is one of.
    fn place_on_table(&self, owner: Type, property: PropertyId) -> Option<Place> {
        let layout = &self.lowering.pack.layout;
        let of = owner.shape(layout).filter(|of| self.is_table(*of))?;
        let (dimensions, place) = match layout.accessor(of, property) {
            Accessor::Zone(family) => {
                let family = &layout.zone_families[family.index()];
                (&family.dimensions, Place::Zone(family.base))
            }
            Accessor::Counter(family) => {
                let family = &layout.counters[family.index()];
                let place = match family.holds {
                    Holds::Int => Place::Number(family.base),
                    Holds::Bool => Place::Flag(family.base),
                    _ => return None,
                };
                (&family.dimensions, place)
            }
            _ => return None,
        };
        dimensions.is_empty().then_some(place)
    }

    /// The one shape that has a property: what is not known is most likely of that.
    fn only_shape(&self, property: PropertyId) -> Option<ShapeId> {
        let layout = &self.lowering.pack.layout;
        let mut shapes = (0..layout.shapes())
            .map(|shape| ShapeId(shape as u16))
            .filter(|shape| layout.accessor(*shape, property) != Accessor::None);
        let only = shapes.next()?;
        shapes.next().is_none().then_some(only)
    }

    /// A quicker instruction before the generic one, where the owner's type is known.
    fn quick_get(
        &mut self,
        owner: Type,
        property: PropertyId,
        object: Register,
        dst: Register,
        span: Span,
    ) {
        let layout = &self.lowering.pack.layout;
        let Some(of) = owner.shape(layout).or_else(|| self.only_shape(property)) else {
            return;
        };
        let offset = |dimensions: &[Dimension], base: u16| match dimensions {
            [dimension] => Some(base.wrapping_sub(dimension.base)),
            _ => None,
        };
        let op = match layout.accessor(of, property) {
            Accessor::Zone(family) => {
                let family = &layout.zone_families[family.index()];
                offset(&family.dimensions, family.base.0).map(|offset| Op::GetZone {
                    dst,
                    object,
                    offset,
                    of,
                })
            }
            Accessor::Counter(family) => {
                let family = &layout.counters[family.index()];
                offset(&family.dimensions, family.base).and_then(|offset| match family.holds {
                    Holds::Int => Some(Op::GetNumber {
                        dst,
                        object,
                        offset,
                        of,
                    }),
                    Holds::Bool => Some(Op::GetFlag {
                        dst,
                        object,
                        offset,
                        of,
                    }),
                    _ => None,
                })
            }
            Accessor::Toggle(family) => {
                let family = &layout.toggles[family.index()];
                offset(&family.dimensions, family.base).map(|offset| Op::GetFlag {
                    dst,
                    object,
                    offset,
                    of,
                })
            }
            Accessor::Attribute(index) => Some(Op::GetAttribute {
                dst,
                object,
                index,
                of,
            }),
            Accessor::Own(kind) => Some(Op::GetOwn {
                dst,
                object,
                first: PieceId(layout.kinds[kind.index()].pieces.start),
            }),
            Accessor::Builtin(Builtin::Title) => None,
            Accessor::Builtin(builtin) => Some(Op::GetBuiltin {
                dst,
                object,
                builtin,
            }),
            _ => None,
        };
        match op {
            Some(op) => {
                self.emit(op, span);
            }
            None => self.quick_get_indexed(owner, property, object, 0, dst, span),
        }
    }

    /// The registers, from the first on, that say where in a family something is: its owner's, unless
    /// it is the table, and those of the indexes after it.
    fn whereabouts(&self, of: ShapeId, base: Register, indexes: usize) -> (Register, u8) {
        let skipped = u8::from(self.is_table(of));
        (base + skipped, indexes as u8 + 1 - skipped)
    }

    /// A quicker instruction before the generic one for a counter or dial, whose owner and indexes
    /// stand in registers that follow each other.
    fn quick_get_indexed(
        &mut self,
        owner: Type,
        property: PropertyId,
        base: Register,
        indexes: usize,
        dst: Register,
        span: Span,
    ) {
        let layout = &self.lowering.pack.layout;
        let Some(of) = owner.shape(layout) else {
            return;
        };
        let (from, count) = self.whereabouts(of, base, indexes);
        let op = match layout.accessor(of, property) {
            Accessor::Counter(counter) => Op::GetCounter {
                dst,
                from,
                count,
                counter,
            },
            Accessor::Dial(dial) => Op::GetDial {
                dst,
                from,
                count,
                dial,
            },
            _ => return,
        };
        self.emit(op, span);
    }

    /// The same for what an owner has at one index: what makes the instruction from the registers of the
    /// value, the owner and the index.
    fn quick_get_at(
        &self,
        owner: Type,
        property: PropertyId,
    ) -> Option<impl Fn(Register, Register, Register) -> Op + use<>> {
        let layout = &self.lowering.pack.layout;
        let of = owner.shape(layout).filter(|of| !self.is_table(*of))?;
        let accessor = layout.accessor(of, property);
        matches!(accessor, Accessor::Counter(_) | Accessor::Zone(_)).then_some(
            move |dst, owner, index| match accessor {
                Accessor::Zone(family) => Op::GetZoneAt {
                    dst,
                    owner,
                    index,
                    family,
                },
                Accessor::Counter(counter) => Op::GetCounterAt {
                    dst,
                    owner,
                    index,
                    counter,
                },
                _ => unreachable!("only these are quick"),
            },
        )
    }

    /// The same for an assignment to a counter.
    fn quick_set(
        &mut self,
        owner: Type,
        property: PropertyId,
        base: Register,
        indexes: usize,
        src: Register,
        span: Span,
    ) {
        let layout = &self.lowering.pack.layout;
        let Some(of) = owner.shape(layout) else {
            return;
        };
        let (from, count) = self.whereabouts(of, base, indexes);
        if let Accessor::Counter(counter) = layout.accessor(of, property) {
            self.emit(
                Op::SetCounter {
                    from,
                    count,
                    src,
                    counter,
                },
                span,
            );
        }
    }

    fn wrong_indexes(&mut self, name: &str, wanted: usize, given: usize, span: Span) {
        self.error(
            Diagnostic::error(
                "Y0315",
                span,
                format!("`{name}` needs {wanted} in brackets, found {given}"),
            )
            .help(match wanted {
                0 => format!("write `{name}` without brackets"),
                _ => format!("write `{name}[…]`: there is one for each"),
            }),
        );
    }

    /// The indexes of a family into registers that follow each other, checked against its domains.
    fn family_indexes(
        &mut self,
        property: PropertyId,
        owner: Type,
        indexes: &[(&Expression, Span)],
        first: Register,
    ) {
        for (position, (index, span)) in indexes.iter().enumerate() {
            let of = self.to(index, first + position as u8);
            self.check_index(property, owner, position, of, *span);
        }
    }

    /// Reports an index that has no place in a family's domain.
    fn check_index(
        &mut self,
        property: PropertyId,
        owner: Type,
        position: usize,
        of: Type,
        span: Span,
    ) {
        if let Some(dimension) = self.dimensions_of(property, owner).get(position) {
            let wanted = Type::of_domain(dimension.domain);
            let fits = of.is_open()
                || of.lists == 0
                    && (of.base == wanted.base
                        || matches!(
                            (of.base, wanted.base),
                            (Base::Piece(None), Base::Piece(_))
                                | (Base::Node(None), Base::Node(_))
                                | (Base::Member(None), Base::Member(_))
                                | (Base::Group(None), Base::Group(_))
                                | (Base::Any, _)
                        ));
            if !fits {
                let layout = &self.lowering.pack.layout;
                let message = format!(
                    "expected {} in the brackets, found {}",
                    wanted.describe(layout),
                    of.describe(layout)
                );
                self.error(Diagnostic::error("Y0316", span, message));
            }
        }
    }

    /// The dimensions of a family besides its owner, where the owner is known.
    fn dimensions_of(&self, property: PropertyId, owner: Type) -> Vec<Dimension> {
        let layout = &self.lowering.pack.layout;
        let Some(of) = owner.shape(layout) else {
            return Vec::new();
        };
        let dimensions = match layout.accessor(of, property) {
            Accessor::Zone(family) => &layout.zone_families[family.index()].dimensions,
            Accessor::Counter(family) => &layout.counters[family.index()].dimensions,
            Accessor::Dial(family) => &layout.dials[family.index()].dimensions,
            Accessor::Toggle(family) => &layout.toggles[family.index()].dimensions,
            _ => return Vec::new(),
        };
        let own = usize::from(!self.is_table(of));
        dimensions.get(own..).unwrap_or(&[]).to_vec()
    }

    /// `target = value` or `target += value` for a property or an element.
    pub(super) fn assign_place(
        &mut self,
        target: &Expression,
        operator: Option<Binary>,
        value: &Expression,
        span: Span,
    ) {
        let (root, indexes) = Self::links(target);
        let ExpressionKind::Property(object, name) = &root.kind else {
            self.assign_element(root, &indexes, operator, value, span);
            return;
        };
        // The value comes first, as in Rhai: what it changes is seen by the target.
        let mut later: Vec<&Expression> = indexes.iter().map(|(index, _)| *index).collect();
        later.push(object);
        let written = matches!(value.kind, ExpressionKind::Int(_));
        let given = (!written).then(|| self.before(value, &later));
        later.pop();
        let (object_register, object_type) = self.before(object, &later);
        let Some((property, wanted, of)) = self.property(object_type, name, root.span) else {
            return;
        };
        if !self.assignable(object_type, property, name, root.span) {
            return;
        }
        if indexes.len() != wanted {
            self.wrong_indexes(name, wanted, indexes.len(), root.span);
            return;
        }
        let block = self.fresh_block(wanted + 1);
        self.emit(
            Op::Take {
                dst: block,
                src: object_register,
            },
            root.span,
        );
        self.family_indexes(property, object_type, &indexes, block + 1);
        let (src, found) = match operator {
            None => given.unwrap_or_else(|| self.any(value)),
            Some(operator) => {
                let src = self.fresh();
                self.quick_get_indexed(object_type, property, block, wanted, src, root.span);
                self.emit(
                    Op::GetIndexed {
                        dst: src,
                        base: block,
                        property,
                        indexes: wanted as u8,
                    },
                    root.span,
                );
                let found = if self.add_number(operator, (src, of), value, src, span) {
                    Type::INT
                } else {
                    let right = given.unwrap_or_else(|| self.any(value));
                    self.arithmetic(operator, (src, of), right, src, value, span)
                };
                (src, found)
            }
        };
        if !found.comparable(of) || found == Type::UNIT && of == Type::INT {
            let layout = &self.lowering.pack.layout;
            let message = format!(
                "`{name}` holds {}, found {}",
                of.describe(layout),
                found.describe(layout)
            );
            self.error(Diagnostic::error("Y0317", value.span, message));
        }
        self.changes();
        self.quick_set(object_type, property, block, wanted, src, span);
        self.emit(
            Op::SetIndexed {
                base: block,
                property,
                src,
                indexes: wanted as u8,
            },
            span,
        );
    }

    /// Whether an assignment can change a property; reports if none can.
    fn assignable(&mut self, owner: Type, property: PropertyId, name: &str, span: Span) -> bool {
        let layout = &self.lowering.pack.layout;
        let Some(of) = owner.shape(layout) else {
            return true;
        };
        let help = match layout.accessor(of, property) {
            Accessor::Counter(_)
            | Accessor::Toggle(_)
            | Accessor::Builtin(Builtin::Face)
            | Accessor::None => return true,
            Accessor::Dial(_) => "a dial is moved by `advance(player, dial, steps)`",
            Accessor::Zone(_) => "zones are changed by `put`, `draw` and their like",
            _ => "it is fixed; only counters, toggles and the face of a die can be assigned to",
        };
        self.error(
            Diagnostic::error("Y0303", span, format!("`{name}` cannot be assigned to")).help(help),
        );
        false
    }

    fn assign_element(
        &mut self,
        root: &Expression,
        indexes: &[(&Expression, Span)],
        operator: Option<Binary>,
        value: &Expression,
        span: Span,
    ) {
        let ([(index, index_span)], ExpressionKind::Name(_)) = (indexes, &root.kind) else {
            self.error(
                Diagnostic::error("Y0303", root.span, "this cannot be assigned to")
                    .help("assign to an element of a list in a variable: `list[i] = x`"),
            );
            self.any(value);
            return;
        };
        // The value comes first, as in Rhai: what it changes is seen by the target.
        let (given, given_type) = self.before(value, &[*index]);
        let (list, of) = self.any(root);
        let (index_register, index_type) = self.any(index);
        let element = self.element_by_index(of, index_type, index, *index_span);
        let (src, found) = match operator {
            None => (given, given_type),
            Some(operator) => {
                let src = self.fresh();
                self.emit(
                    Op::Index {
                        dst: src,
                        list,
                        index: index_register,
                    },
                    span,
                );
                let right = (given, given_type);
                let found = self.arithmetic(operator, (src, element), right, src, value, span);
                (src, found)
            }
        };
        if of == Type::PLAYER || of.is_open() {
            self.changes();
        }
        if let (ExpressionKind::Name(name), true) = (&root.kind, of.lists > 0)
            && let Some(local) = self.find_local(name)
        {
            self.note_type(local.span, found.list());
        }
        self.emit(
            Op::SetIndex {
                list,
                index: index_register,
                src,
            },
            span,
        );
    }
}
