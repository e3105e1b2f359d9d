//! Reading `view.toml` against a pack.

use crate::diag::{Diagnostic, Report, Span};
use crate::pack::doc::{Item as DocItem, Node, Table};
use crate::pack::fields::{At, Fields, as_text, list, one_word};
use crate::pack::keys::Keys;
use crate::pack::{Pack, codes};
use crate::repl::text::Colour;
use crate::table::Layout;
use crate::table::ids::{
    CounterId, DialId, GraphId, GroupKindId, KindId, SetId, ToggleId, ZoneFamilyId,
};
use crate::table::layout::{AttributeInfo, Dimension, Domain, Name};

use super::keys;
use super::{
    Each, Form, Item, PaintBy, Panel, PanelKind, Part, PartValue, PieceStyle, Source, View,
};

impl View {
    /// Reads how a pack's board is drawn. A pack without `view.toml` has no panels.
    ///
    /// # Errors
    /// All that is wrong with it, sorted by place.
    pub fn read(pack: &Pack) -> Result<Self, Report> {
        let mut reader = Reader {
            layout: &pack.layout,
            report: Report::new(),
        };
        let view = match &pack.view {
            Some(node) => reader.view(node),
            None => Self::default(),
        };
        if reader.report.has_errors() {
            reader.report.sort();
            return Err(reader.report);
        }
        Ok(view)
    }
}

struct Reader<'a> {
    layout: &'a Layout,
    report: Report,
}

/// The position of a name.
fn position<'n>(mut names: impl Iterator<Item = &'n Name>, id: &str) -> Option<usize> {
    names.position(|name| name.id == id)
}

impl Reader<'_> {
    fn view(&mut self, node: &Node) -> View {
        let mut view = View::default();
        let Some(mut fields) =
            Fields::of("the view", node.span, node, &keys::VIEW, &mut self.report)
        else {
            return view;
        };
        view.rounds = fields
            .texts("rounds", &mut self.report)
            .into_iter()
            .map(|text| text.value.to_owned())
            .collect();
        let mut panels: Vec<(i64, Panel)> = Vec::new();
        for (id, mut fields) in self.entries(&mut fields, "panel", &keys::PANEL) {
            if let Some(panel) = self.panel(id, &mut fields) {
                panels.push(panel);
            }
            fields.finish(&mut self.report);
        }
        panels.sort_by(|a, b| (a.0, &a.1.id).cmp(&(b.0, &b.1.id)));
        view.panels = panels.into_iter().map(|(_, panel)| panel).collect();
        for (id, mut fields) in self.entries(&mut fields, "piece", &keys::PIECE) {
            let kinds = self.layout.kinds.iter().map(|kind| &kind.name);
            match position(kinds.clone(), id) {
                Some(kind) => {
                    let style = self.piece(KindId::from_index(kind), &mut fields);
                    view.pieces.insert(KindId::from_index(kind), style);
                    fields.finish(&mut self.report);
                }
                None => {
                    let known = kinds.map(|name| name.id.as_str()).collect();
                    self.unknown("kind", id, fields.span, known);
                }
            }
        }
        self.paints(&mut fields, &mut view);
        if let Some(node) = fields.node("log")
            && let Some(mut log) =
                Fields::of("the log", node.span, node, &keys::LOG, &mut self.report)
        {
            for text in log.texts("hide", &mut self.report) {
                self.hide(text, &mut view);
            }
            log.finish(&mut self.report);
        }
        fields.finish(&mut self.report);
        view
    }

    /// The entries of a table of tables, by id.
    fn entries<'b>(
        &mut self,
        fields: &mut Fields<'b>,
        key: &'static str,
        keys: &'static Keys,
    ) -> Vec<(&'b str, Fields<'b>)> {
        let Some(table): Option<&'b Table> = fields.table(key, &mut self.report) else {
            return Vec::new();
        };
        table
            .iter()
            .filter_map(|(id, entry)| {
                let what = format!("{key} `{id}`");
                let fields = Fields::of(what, entry.key, &entry.value, keys, &mut self.report)?;
                Some((id.as_str(), fields))
            })
            .collect()
    }

    fn unknown(&mut self, what: &str, id: &str, span: Span, known: Vec<&str>) {
        let mut known = known;
        known.sort_unstable();
        known.dedup();
        let diagnostic = Diagnostic::error(
            codes::UNKNOWN_ID,
            span,
            format!("there is no {what} `{id}`"),
        )
        .label("not declared")
        .suggest(id, known.iter().copied());
        self.report.push(match diagnostic.help.is_empty() {
            true => diagnostic.help(format!("known are {}", list(known))),
            false => diagnostic,
        });
    }

    fn paints(&mut self, fields: &mut Fields<'_>, view: &mut View) {
        let Some(table) = fields.table("paint", &mut self.report) else {
            return;
        };
        let players: Vec<String> = (1..=self.layout.max_players)
            .map(|player| format!("player_{player}"))
            .collect();
        for (id, entry) in table {
            let members = self.layout.members.iter().map(|member| &member.name.id);
            if !members.clone().chain(&players).any(|known| known == id) {
                let known = members.chain(&players).map(String::as_str).collect();
                self.unknown("player or member of a set", id, entry.key, known);
            }
            let what = format!("the paint of `{id}`");
            if let Some(text) = as_text(&what, &entry.value, &mut self.report)
                && let Some(colour) = one_word(&what, text, Colour::WORDS, &mut self.report)
            {
                view.paints.insert(id.clone(), colour);
            }
        }
    }

    fn hide(&mut self, text: At<&str>, view: &mut View) {
        let layout = self.layout;
        let counters = layout.counters.iter().map(|family| &family.name);
        let zones = layout.zone_families.iter().map(|family| &family.name);
        if let Some(counter) = position(counters.clone(), text.value) {
            view.quiet_counters.push(CounterId::from_index(counter));
        } else if let Some(zone) = position(zones.clone(), text.value) {
            view.quiet_zones.push(ZoneFamilyId::from_index(zone));
        } else {
            let known = counters.chain(zones).map(|name| name.id.as_str()).collect();
            self.unknown("counter or zone", text.value, text.span, known);
        }
    }

    fn panel(&mut self, id: &str, fields: &mut Fields<'_>) -> Option<(i64, Panel)> {
        let title = fields
            .text("title", &mut self.report)
            .map(|title| title.value);
        let order = fields
            .int("order", &mut self.report)
            .map_or(1000, |order| order.value);
        let each = fields.text("each", &mut self.report);
        let graph = fields.text("graph", &mut self.report);
        let word = fields.need_text("kind", &mut self.report);
        let words = [("list", 0_u8), ("grid", 1), ("cards", 2), ("map", 3)];
        let lines = fields.list("show", &mut self.report).unwrap_or_default();
        let kind = one_word("the kind of a panel", word?, &words, &mut self.report)?;
        let (wanted, other) = match kind {
            0 => (None, each.or(graph)),
            3 => (Some("graph"), each),
            _ => (Some("each"), graph),
        };
        if let Some(other) = other {
            let what = format!("a panel of this kind has no `{}`", other.value);
            let what = match kind {
                0 => what,
                3 => "a map has `graph`, not `each`".to_owned(),
                _ => "such a panel has `each`, not `graph`".to_owned(),
            };
            self.report
                .push(Diagnostic::error(codes::UNKNOWN_KEY, other.span, what));
        }
        let kind = match wanted {
            None => PanelKind::List,
            Some("graph") => {
                let Some(graph) = graph else {
                    fields.missing("graph", &mut self.report);
                    return None;
                };
                PanelKind::Map(self.graph(graph)?)
            }
            Some(_) => {
                let Some(each) = each else {
                    fields.missing("each", &mut self.report);
                    return None;
                };
                let each = self.each(each)?;
                match kind {
                    1 => PanelKind::Grid(each),
                    _ => PanelKind::Cards(each),
                }
            }
        };
        let of = match kind {
            PanelKind::List => None,
            PanelKind::Grid(each) | PanelKind::Cards(each) => Some(each),
            PanelKind::Map(graph) => Some(Each::Domain(Domain::Graph(graph))),
        };
        let show = lines
            .iter()
            .map(|line| match &line.item {
                DocItem::List(items) => items
                    .iter()
                    .filter_map(|item| self.item(item, of))
                    .collect(),
                _ => self.item(line, of).into_iter().collect(),
            })
            .collect();
        let panel = Panel {
            id: id.to_owned(),
            title: title.unwrap_or(id).to_owned(),
            kind,
            show,
        };
        Some((order, panel))
    }

    fn graph(&mut self, text: At<&str>) -> Option<GraphId> {
        let graphs = self.layout.graphs.iter().map(|graph| &graph.name);
        let found = position(graphs.clone(), text.value);
        if found.is_none() {
            let known = graphs.map(|name| name.id.as_str()).collect();
            self.unknown("graph", text.value, text.span, known);
        }
        found.map(GraphId::from_index)
    }

    fn each(&mut self, text: At<&str>) -> Option<Each> {
        let layout = self.layout;
        let graphs = layout.graphs.iter().map(|graph| &graph.name);
        let sets = layout.sets.iter().map(|set| &set.name);
        let kinds = layout.kinds.iter().map(|kind| &kind.name);
        let groups = layout.group_kinds.iter().map(|group| &group.name);
        let id = text.value;
        if id == "player" {
            return Some(Each::Domain(Domain::Players));
        }
        if let Some(at) = position(graphs.clone(), id) {
            return Some(Each::Domain(Domain::Graph(GraphId::from_index(at))));
        }
        if let Some(at) = position(sets.clone(), id) {
            let set = SetId::from_index(at);
            return Some(match layout.sets[at].enumerated {
                true => Each::Domain(Domain::Set(set)),
                false => Each::Selection(set),
            });
        }
        if let Some(at) = position(kinds.clone(), id) {
            return Some(Each::Domain(Domain::Kind(KindId::from_index(at))));
        }
        if let Some(at) = position(groups.clone(), id) {
            return Some(Each::Domain(Domain::Groups(GroupKindId::from_index(at))));
        }
        let known = graphs.chain(sets).chain(kinds).chain(groups);
        let known = known
            .map(|name| name.id.as_str())
            .chain(["player"])
            .collect();
        self.unknown("graph, set, kind or group", id, text.span, known);
        None
    }

    /// Attributes of the members of a panel.
    fn attributes(&self, each: Option<Each>) -> &[AttributeInfo] {
        let layout = self.layout;
        match each {
            Some(Each::Domain(Domain::Graph(graph))) => &layout.graphs[graph.index()].attributes,
            Some(Each::Domain(Domain::Set(set))) => &layout.set_attributes[set.index()],
            Some(Each::Domain(Domain::Kind(kind))) => &layout.kinds[kind.index()].attributes,
            Some(Each::Selection(set)) => match layout.sets[set.index()]
                .members
                .first()
                .map(|first| first.case())
            {
                Some(crate::table::Case::Node(node)) => {
                    let graph = layout.nodes[node.index()].graph;
                    &layout.graphs[graph.index()].attributes
                }
                _ => &[],
            },
            _ => &[],
        }
    }

    fn item(&mut self, node: &Node, each: Option<Each>) -> Option<Item> {
        let mut fields = Fields::of("an item", node.span, node, &keys::ITEM, &mut self.report)?;
        let layout = self.layout;
        let mut sources: Vec<(Option<Source>, String, Span)> = Vec::new();
        let zone = fields.text("zone", &mut self.report);
        let counter = fields.text("counter", &mut self.report);
        let dial = fields.text("dial", &mut self.report);
        let toggle = fields.text("toggle", &mut self.report);
        let attribute = fields.text("attribute", &mut self.report);
        if let Some(text) = zone {
            let at = self.family(
                text,
                "zone",
                layout
                    .zone_families
                    .iter()
                    .map(|f| (&f.name, &f.dimensions)),
                each,
            );
            let source = at.as_ref().map(|at| ZoneFamilyId::from_index(at.0));
            sources.push((source.map(Source::Zone), title(&at), text.span));
        }
        if let Some(text) = counter {
            let families = layout.counters.iter().map(|f| (&f.name, &f.dimensions));
            let at = self.family(text, "counter", families, each);
            let source = at.as_ref().map(|at| CounterId::from_index(at.0));
            sources.push((source.map(Source::Counter), title(&at), text.span));
        }
        if let Some(text) = dial {
            let families = layout.dials.iter().map(|f| (&f.name, &f.dimensions));
            let at = self.family(text, "dial", families, each);
            let source = at.as_ref().map(|at| DialId::from_index(at.0));
            sources.push((source.map(Source::Dial), title(&at), text.span));
        }
        if let Some(text) = toggle {
            let families = layout.toggles.iter().map(|f| (&f.name, &f.dimensions));
            let at = self.family(text, "toggle", families, each);
            let source = at.as_ref().map(|at| ToggleId::from_index(at.0));
            sources.push((source.map(Source::Toggle), title(&at), text.span));
        }
        if let Some(text) = attribute {
            let found = self.attribute(self.attributes(each), text.value);
            if found.is_none() {
                let known = self.attribute_names(each);
                let known = known.iter().map(String::as_str).collect();
                self.unknown("attribute of it", text.value, text.span, known);
            }
            sources.push((found.map(Source::Attribute), String::new(), text.span));
        }
        let title = fields.text("title", &mut self.report);
        let before = fields.text("before", &mut self.report);
        let forms = [
            ("text", Form::Text),
            ("short", Form::Short),
            ("long", Form::Long),
            ("count", Form::Count),
        ];
        let form = fields.word("as", &forms, &mut self.report);
        let sparse = fields.bool("sparse", &mut self.report);
        let from_top = fields.bool("from_top", &mut self.report);
        fields.finish(&mut self.report);
        if sources.len() != 1 {
            self.report.push(Diagnostic::error(
                codes::EXACTLY_ONE,
                node.span,
                "an item shows exactly one of `zone`, `counter`, `dial`, `toggle` and `attribute`",
            ));
            return None;
        }
        let (source, default_title, _) = sources.pop()?;
        Some(Item {
            source: source?,
            title: title.map_or(default_title, |title| title.value.to_owned()),
            before: before.map_or(String::new(), |before| before.value.to_owned()),
            form: form.unwrap_or_default(),
            sparse: sparse.is_some_and(|sparse| sparse.value),
            from_top: from_top.is_some_and(|from_top| from_top.value),
        })
    }

    /// A family by its id. At most one of its dimensions may be neither fixed by the panel nor that of
    /// players.
    fn family<'n>(
        &mut self,
        text: At<&str>,
        what: &str,
        families: impl Iterator<Item = (&'n Name, &'n Vec<Dimension>)>,
        each: Option<Each>,
    ) -> Option<(usize, String)> {
        let families: Vec<_> = families.collect();
        let Some(at) = position(families.iter().map(|(name, _)| *name), text.value) else {
            let known = families.iter().map(|(name, _)| name.id.as_str()).collect();
            self.unknown(what, text.value, text.span, known);
            return None;
        };
        let (name, dimensions) = families[at];
        let fixed = match each {
            Some(Each::Domain(domain)) => Some(domain),
            Some(Each::Selection(set)) => match self.layout.sets[set.index()]
                .members
                .first()
                .map(|first| first.case())
            {
                Some(crate::table::Case::Node(node)) => {
                    Some(Domain::Graph(self.layout.nodes[node.index()].graph))
                }
                _ => None,
            },
            None => None,
        };
        let free = dimensions
            .iter()
            .filter(|dimension| {
                dimension.domain != Domain::Players && Some(dimension.domain) != fixed
            })
            .count();
        if free > 1 {
            self.report.push(
                Diagnostic::error(
                    codes::EXACTLY_ONE,
                    text.span,
                    format!(
                        "{what} `{}` is spread over more than this panel can show",
                        name.id
                    ),
                )
                .help("at most one dimension may be neither the panel's nor that of players"),
            );
            return None;
        }
        Some((at, name.title.clone()))
    }

    fn attribute(&self, attributes: &[AttributeInfo], id: &str) -> Option<u16> {
        attributes
            .iter()
            .position(|attribute| self.layout.properties[attribute.property.index()] == id)
            .map(|at| at as u16)
    }

    fn attribute_names(&self, each: Option<Each>) -> Vec<String> {
        self.attributes(each)
            .iter()
            .map(|attribute| self.layout.properties[attribute.property.index()].clone())
            .collect()
    }

    fn piece(&mut self, kind: KindId, fields: &mut Fields<'_>) -> PieceStyle {
        let text = fields.text("text", &mut self.report);
        let short = fields.text("short", &mut self.report);
        let long = fields.text("long", &mut self.report);
        let paint = fields.text("paint", &mut self.report);
        let hidden = fields.text("hidden", &mut self.report);
        let with = fields.text("with", &mut self.report);
        let with = with.and_then(|zone| self.zone_of(kind, zone));
        let each = Some(Each::Domain(Domain::Kind(kind)));
        let paint = paint.and_then(|text| {
            if text.value == "owner" {
                return Some(PaintBy::Owner);
            }
            let found = self.attribute(self.attributes(each), text.value);
            if found.is_none() {
                let mut known = self.attribute_names(each);
                known.push("owner".to_owned());
                let known = known.iter().map(String::as_str).collect();
                self.unknown("attribute of it", text.value, text.span, known);
            }
            found.map(PaintBy::Attribute)
        });
        PieceStyle {
            text: text.map_or(Vec::new(), |text| self.template(kind, text)),
            short: short.map_or(Vec::new(), |text| self.template(kind, text)),
            long: long.map_or(Vec::new(), |text| self.template(kind, text)),
            paint,
            hidden: hidden.map_or(String::new(), |text| text.value.to_owned()),
            with,
        }
    }

    /// The zones of which there is one for each piece of a kind.
    fn zone_of(&mut self, kind: KindId, zone: At<&str>) -> Option<ZoneFamilyId> {
        let own = [Domain::Kind(kind)];
        let families = self.layout.zone_families.iter().enumerate();
        let families: Vec<(usize, &str)> = families
            .filter(|(_, family)| family.dimensions.iter().map(|of| of.domain).eq(own))
            .map(|(at, family)| (at, family.name.id.as_str()))
            .collect();
        let found = families.iter().find(|(_, id)| *id == zone.value);
        if found.is_none() {
            let known = families.iter().map(|(_, id)| *id).collect();
            self.unknown("zone of each such piece", zone.value, zone.span, known);
        }
        found.map(|(at, _)| ZoneFamilyId::from_index(*at))
    }

    /// The parts of a text with placeholders in braces.
    fn template(&mut self, kind: KindId, text: At<&str>) -> Vec<Part> {
        let each = Some(Each::Domain(Domain::Kind(kind)));
        let mut parts = Vec::new();
        let mut rest = text.value;
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            let Some((inside, after)) = after.split_once('}') else {
                self.report.push(
                    Diagnostic::error(
                        codes::BAD_PLACEHOLDER,
                        text.span,
                        "a placeholder is not closed",
                    )
                    .label("expected `}`"),
                );
                return parts;
            };
            rest = after;
            let (name, letters) = match inside.split_once(':') {
                None => (inside, None),
                Some((name, letters)) => match letters.parse::<usize>() {
                    Ok(letters) if (1..=40).contains(&letters) => (name, Some(letters)),
                    _ => {
                        self.report.push(Diagnostic::error(
                            codes::BAD_PLACEHOLDER,
                            text.span,
                            format!("`{letters}` is no number of letters from 1 to 40"),
                        ));
                        continue;
                    }
                },
            };
            let value = match name {
                "title" => Some(PartValue::Title),
                "face" => Some(PartValue::Face),
                "owner" => Some(PartValue::Owner),
                _ => self
                    .attribute(self.attributes(each), name)
                    .map(PartValue::Attribute),
            };
            match value {
                Some(value) => parts.push(Part::Value(value, letters)),
                None => {
                    let mut known = self.attribute_names(each);
                    known.extend(["title", "face", "owner"].map(str::to_owned));
                    let diagnostic = Diagnostic::error(
                        codes::BAD_PLACEHOLDER,
                        text.span,
                        format!("`{{{name}}}` names no attribute"),
                    )
                    .suggest(name, known.iter().map(String::as_str));
                    self.report.push(match diagnostic.help.is_empty() {
                        true => diagnostic.help(format!(
                            "known are {}",
                            list(known.iter().map(String::as_str))
                        )),
                        false => diagnostic,
                    });
                }
            }
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        parts
    }
}

/// The title of a family that was found.
fn title(found: &Option<(usize, String)>) -> String {
    found
        .as_ref()
        .map_or(String::new(), |(_, title)| title.clone())
}
