//! Kinds of pieces, and which pieces there are: listed, generated from sets, or one for each player.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, Span};
use crate::table::ids::{MemberId, NodeId, PlayerId};
use crate::table::layout::{Domain, Holds, KindInfo};
use crate::table::value::{Case, Value};

use super::codes;
use super::doc::{Item, Node};
use super::fields::{At, Fields, as_text, wrong_type};
use super::keys;
use super::names::{Section, check_id};
use super::read::{MOST_IDS, Reader};

/// What a kind says about all its pieces, used once their attributes are known.
#[derive(Clone, Debug)]
pub(super) struct KindDraft<'a> {
    pub(super) start: Option<At<&'a str>>,
    pub(super) face_down: bool,
    pub(super) key: Option<At<&'a str>>,
    pub(super) piece_title: Option<At<&'a str>>,
    /// Where the kind stands.
    pub(super) span: Span,
}

/// An entry of `pieces` or `generate`: all its pieces share what it gives.
#[derive(Clone, Debug)]
pub(super) struct PieceEntry<'a> {
    pub(super) kind: usize,
    /// Whether it is a piece under `pieces`, and no pattern of many.
    pub(super) listed: bool,
    pub(super) fields: Fields<'a>,
    /// The owner in the order of effects, such as `kind.card.pieces.x`.
    pub(super) path: String,
    pub(super) title: Option<&'a str>,
    /// Filled once everything that attributes can name is known.
    pub(super) values: Vec<Value>,
}

/// A piece before its attributes are known.
#[derive(Clone, Debug)]
pub(super) struct PieceDraft {
    pub(super) id: String,
    /// The id without the number of the copy.
    pub(super) base: String,
    pub(super) copy: u16,
    /// Its entry, if it has one.
    pub(super) entry: Option<usize>,
    /// Attributes that follow from the sets it was generated from.
    pub(super) each: Vec<(usize, Value)>,
    pub(super) owner: Option<PlayerId>,
    pub(super) span: Span,
}

/// A set that pieces are generated from.
struct Each {
    attribute: usize,
    members: Vec<(String, Value)>,
}

/// One of each of several sets: their ids, and the attributes that hold them.
type Product = (Vec<String>, Vec<(usize, Value)>);

impl<'a> Reader<'a> {
    /// Reads all kinds and makes their pieces.
    pub(super) fn read_kinds(&mut self) {
        for (index, declared) in self
            .names
            .list(Section::Kind)
            .to_vec()
            .into_iter()
            .enumerate()
        {
            let mut fields = self.fields(Section::Kind, declared);
            let id = declared.id;
            let (name, _) = self.common(&mut fields, &format!("kind.{id}"), Some(id));
            let decls = self.attribute_decls(&mut fields, &keys::PIECE);
            self.kind_attributes.push(decls);
            let report = &mut self.report;
            let count = fields.int("count", report);
            let faces = fields.int("faces", report);
            let start = fields.need_text("start", report);
            let is_set = |flag: Option<At<bool>>| flag.is_some_and(|flag| flag.value);
            let face_down = is_set(fields.bool("face_down", report));
            let per_player = is_set(fields.bool("per_player", report));
            let unlimited = is_set(fields.bool("unlimited", report));
            self.kind_drafts.push(KindDraft {
                start,
                face_down,
                key: fields.text("key", report),
                piece_title: fields.title("piece_title", report),
                span: fields.span,
            });
            if per_player && unlimited {
                self.pieces_error(
                    fields.key_span("unlimited"),
                    format!("kind `{id}` cannot be both `per_player` and `unlimited`"),
                    "each player owns one piece of the kind",
                );
            }
            let mut drafts = self.read_pieces(index, id, &mut fields);
            drafts.extend(self.read_generated(index, id, &mut fields));
            fields.finish(&mut self.report);
            if per_player {
                drafts = self.own_pieces(id, &fields, &drafts);
            } else if unlimited {
                if drafts.is_empty() {
                    drafts.push(plain_piece(id.to_owned(), None, fields.span));
                }
                if drafts.len() > 1 {
                    self.pieces_error(
                        drafts[1].span,
                        format!("the unlimited kind `{id}` must have exactly one piece"),
                        format!("found {}", drafts.len()),
                    );
                }
            } else if drafts.is_empty() {
                self.pieces_error(
                    fields.span,
                    format!("kind `{id}` has no pieces"),
                    "expected `pieces`, `generate`, `per_player` or `unlimited`",
                );
            }
            if let Some(count) = count {
                self.check_count(id, count, drafts.len(), per_player || unlimited);
            }
            if !per_player {
                // Copies are ordered by their number, not by its bytes: `x_2` comes before `x_10`.
                drafts.sort_by(|a, b| (&a.base, a.copy).cmp(&(&b.base, b.copy)));
            }
            self.check_piece_ids(&drafts);
            let first = self.drafts.len();
            self.drafts.extend(drafts);
            self.layout.kinds.push(KindInfo {
                name,
                pieces: first as u16..self.drafts.len() as u16,
                attributes: self.kind_attributes[index]
                    .iter()
                    .map(|decl| decl.info())
                    .collect(),
                faces: faces.map_or(0, |faces| faces.value as u8),
                per_player,
                unlimited,
            });
        }
    }

    /// Sees that there are as many pieces as the data say that there must be.
    fn check_count(&mut self, id: &str, count: At<i64>, found: usize, by_rule: bool) {
        if count.value == found as i64 && !by_rule {
            return;
        }
        let diagnostic = Diagnostic::error(
            codes::WRONG_COUNT,
            count.span,
            format!("the pieces of kind `{id}` do not add up to {}", count.value),
        );
        self.report.push(match by_rule {
            true => diagnostic.label("a kind that is `per_player` or `unlimited` has no count"),
            false => diagnostic
                .label(format!("expected {}, found {found}", count.value))
                .help("mend `pieces` and `generate` with their `copies`, or `count`"),
        });
    }

    /// One piece for each player, in their order, from at most one entry.
    fn own_pieces(
        &mut self,
        id: &str,
        fields: &Fields<'a>,
        drafts: &[PieceDraft],
    ) -> Vec<PieceDraft> {
        if let Some(second) = drafts.get(1) {
            self.pieces_error(
                second.span,
                format!("each player owns exactly one piece of kind `{id}`"),
                format!("found {}", drafts.len()),
            );
        }
        (0..self.layout.max_players)
            .map(|player| PieceDraft {
                owner: Some(PlayerId(player)),
                id: format!("{id}_{}", player + 1),
                ..match drafts.first() {
                    Some(draft) => draft.clone(),
                    None => plain_piece(id.to_owned(), None, fields.span),
                }
            })
            .collect()
    }

    /// Reads the `pieces` of a kind.
    fn read_pieces(&mut self, kind: usize, id: &str, fields: &mut Fields<'a>) -> Vec<PieceDraft> {
        let mut drafts = Vec::new();
        let list = fields.list("pieces", &mut self.report).unwrap_or_default();
        for node in list {
            let what = format!("a piece of kind `{id}`");
            let Some(mut own) = Fields::of(what, node.span, node, &keys::PIECE, &mut self.report)
            else {
                continue;
            };
            let base = own.need_text("id", &mut self.report);
            let Some(base) = base else {
                continue;
            };
            check_id(base.value, base.span, &mut self.report);
            own.what = format!("piece `{}`", base.value);
            own.span = base.span;
            let copies = self.read_copies(&mut own);
            let path = format!("{id}.pieces.{}", base.value);
            let title = own
                .title("title", &mut self.report)
                .map(|title| title.value);
            self.common(&mut own, &path, None);
            let entry = self.entries.len();
            self.entries.push(PieceEntry {
                kind,
                listed: true,
                fields: own,
                path: format!("kind.{path}"),
                title,
                values: Vec::new(),
            });
            self.add_copies(&mut drafts, base.value, copies, entry, &[], base.span);
        }
        drafts
    }

    /// Reads what a kind generates from sets.
    fn read_generated(
        &mut self,
        kind: usize,
        id: &str,
        fields: &mut Fields<'a>,
    ) -> Vec<PieceDraft> {
        let mut drafts = Vec::new();
        let list = fields
            .list("generate", &mut self.report)
            .unwrap_or_default();
        for node in list {
            let what = format!("`generate` of kind `{id}`");
            let Some(mut own) =
                Fields::of(what, node.span, node, &keys::GENERATED, &mut self.report)
            else {
                continue;
            };
            let copies = self.read_copies(&mut own);
            let title = own
                .title("title", &mut self.report)
                .map(|title| title.value);
            let each = self.read_each(kind, &mut own);
            let mut products: Vec<Product> = vec![Product::default()];
            for set in &each {
                if products.len() * set.members.len() > MOST_IDS {
                    self.too_many("pieces", MOST_IDS, node.span);
                    products.clear();
                    break;
                }
                products = products
                    .iter()
                    .flat_map(|(ids, values)| {
                        set.members.iter().map(move |(member, value)| {
                            let mut ids = ids.clone();
                            ids.push(member.clone());
                            let mut values = values.clone();
                            values.push((set.attribute, *value));
                            (ids, values)
                        })
                    })
                    .collect();
            }
            // The effects of an entry are ordered by its first piece, never by its place in the list.
            let bases = products.iter().map(|(ids, _)| base_id(id, ids));
            let first = bases.min().unwrap_or_else(|| id.to_owned());
            self.common(&mut own, &format!("{id}.pieces.{first}"), None);
            for key in each.iter().map(|set| set.attribute) {
                let name = &self.kind_attributes[kind][key].name;
                if own.has(name) {
                    let diagnostic = Diagnostic::error(
                        codes::EXACTLY_ONE,
                        own.key_span(name),
                        format!("`{name}` is given, and generated from a set"),
                    )
                    .label("given here")
                    .other(own.key_span("each"), "generated because of this");
                    self.report.push(diagnostic);
                }
            }
            let entry = self.entries.len();
            self.entries.push(PieceEntry {
                kind,
                listed: false,
                fields: own,
                path: format!("kind.{id}.pieces.{first}"),
                title,
                values: Vec::new(),
            });
            for (ids, values) in products {
                self.add_copies(
                    &mut drafts,
                    &base_id(id, &ids),
                    copies,
                    entry,
                    &values,
                    node.span,
                );
            }
        }
        drafts
    }

    fn read_copies(&mut self, own: &mut Fields<'a>) -> u16 {
        own.int("copies", &mut self.report)
            .map_or(1, |copies| copies.value as u16)
    }

    /// The sets that pieces are generated from, with the attributes that hold their members.
    fn read_each(&mut self, kind: usize, own: &mut Fields<'a>) -> Vec<Each> {
        let mut each: Vec<Each> = Vec::new();
        let list = own.list("each", &mut self.report).unwrap_or_default();
        let what = format!("an element of `each` of {}", own.what);
        for node in list {
            let Some((attribute, set)) = self.each_names(&what, node) else {
                continue;
            };
            let members = self.members_of(set);
            let decls = &self.kind_attributes[kind];
            let position = decls.iter().position(|decl| decl.name == attribute.value);
            let (Some(position), Some(members)) = (position, members) else {
                if position.is_none() {
                    self.report.push(
                        Diagnostic::error(
                            codes::UNDECLARED_ATTRIBUTE,
                            attribute.span,
                            format!("the kind has no attribute `{}`", attribute.value),
                        )
                        .label("not declared")
                        .suggest(attribute.value, decls.iter().map(|decl| decl.name.as_str()))
                        .help(format!(
                            "declare it under `attributes`, or write \
                             `{{ attribute = \"NAME\", set = \"{}\" }}`",
                            set.value
                        )),
                    );
                }
                continue;
            };
            let domain = self.domain_of_type(set.value);
            let decl = &decls[position];
            if decl.understood && domain.is_some_and(|domain| decl.holds != Holds::One(domain)) {
                self.report.push(
                    Diagnostic::error(
                        codes::WRONG_TYPE,
                        set.span,
                        format!("attribute `{}` cannot hold a `{}`", decl.name, set.value),
                    )
                    .label("a set of another type")
                    .other(decl.key, "declared here"),
                );
                continue;
            }
            if each.iter().any(|other| other.attribute == position) {
                self.report.push(
                    Diagnostic::error(
                        codes::LISTED_TWICE,
                        attribute.span,
                        format!("`each` gives `{}` twice", attribute.value),
                    )
                    .label("given again here"),
                );
                continue;
            }
            each.push(Each {
                attribute: position,
                members,
            });
        }
        each
    }

    fn each_names(&mut self, what: &str, node: &'a Node) -> Option<(At<&'a str>, At<&'a str>)> {
        match &node.item {
            Item::Text(_) => {
                let set = as_text(what, node, &mut self.report)?;
                Some((set, set))
            }
            Item::Table(_) => {
                let mut fields = Fields::of(what, node.span, node, &keys::EACH, &mut self.report)?;
                let attribute = fields.need_text("attribute", &mut self.report);
                let set = fields.need_text("set", &mut self.report);
                fields.finish(&mut self.report);
                Some((attribute?, set?))
            }
            _ => {
                let expected = "a set, or `{ attribute = \"NAME\", set = \"SET\" }`";
                wrong_type(&mut self.report, what, expected, node);
                None
            }
        }
    }

    /// The members of a set or the nodes of a graph, with their ids; reports what is neither.
    fn members_of(&mut self, set: At<&str>) -> Option<Vec<(String, Value)>> {
        let values: Vec<Value> = match self.names.domain(set.value) {
            Some(Domain::Set(id)) => self.layout.sets[id.index()].members.clone(),
            Some(Domain::Graph(id)) => self.layout.graphs[id.index()]
                .nodes
                .clone()
                .map(|node| Value::from(NodeId(node)))
                .collect(),
            _ => {
                let known: Vec<&str> = self
                    .names
                    .ids(Section::Set)
                    .chain(self.names.ids(Section::Graph))
                    .collect();
                let diagnostic = super::names::unknown("set or graph", set, known);
                self.report.push(diagnostic);
                return None;
            }
        };
        let id = |value: &Value| match value.case() {
            Case::Node(NodeId(node)) => self.layout.nodes[usize::from(node)].name.id.clone(),
            Case::Member(MemberId(member)) => {
                self.layout.members[usize::from(member)].name.id.clone()
            }
            _ => String::new(),
        };
        Some(values.iter().map(|value| (id(value), *value)).collect())
    }

    fn add_copies(
        &mut self,
        drafts: &mut Vec<PieceDraft>,
        base: &str,
        copies: u16,
        entry: usize,
        each: &[(usize, Value)],
        span: Span,
    ) {
        if self.drafts.len() + drafts.len() + usize::from(copies) > MOST_IDS {
            self.too_many("pieces", MOST_IDS, span);
            return;
        }
        for copy in 1..=copies {
            drafts.push(PieceDraft {
                id: match copies {
                    1 => base.to_owned(),
                    _ => format!("{base}_{copy}"),
                },
                copy,
                each: each.to_vec(),
                ..plain_piece(base.to_owned(), Some(entry), span)
            });
        }
    }

    /// Reports pieces of the same id, once for each entry, however many copies it has.
    fn check_piece_ids(&mut self, drafts: &[PieceDraft]) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut told: BTreeSet<Span> = BTreeSet::new();
        for draft in drafts {
            let Some(first) = seen.insert(draft.id.as_str(), draft.span) else {
                continue;
            };
            let (first, again) = (first.min(draft.span), first.max(draft.span));
            if told.insert(again) {
                self.report.push(
                    Diagnostic::error(
                        codes::ID_TWICE,
                        again,
                        format!("two pieces are called `{}`", draft.id),
                    )
                    .label("called so again here")
                    .other(first, "called so here")
                    .help("equal pieces are one entry with `copies`"),
                );
            }
        }
    }

    fn pieces_error(&mut self, span: Span, message: String, label: impl Into<String>) {
        self.report
            .push(Diagnostic::error(codes::PIECES, span, message).label(label));
    }
}

fn plain_piece(base: String, entry: Option<usize>, span: Span) -> PieceDraft {
    PieceDraft {
        id: base.clone(),
        base,
        copy: 0,
        entry,
        each: Vec::new(),
        owner: None,
        span,
    }
}

/// The id of a generated piece without the number of its copy.
fn base_id(kind: &str, members: &[String]) -> String {
    match members {
        [] => kind.to_owned(),
        _ => members.join("_"),
    }
}
