//! `yukon show`: the rules of a pack in words, by concern.

use std::collections::BTreeMap;

use clap::ValueEnum;

use super::load::{PackArgs, find, need, tell};
use super::resolved::Values;
use super::{Failure, print};
use crate::diag::{Span, count, count_between, nearest};
use crate::pack::fields::range_in_words;
use crate::pack::model::{ModifierOp, Provenance, Repeat, TypeName};
use crate::pack::{Pack, resolve};
use crate::script::Rules;
use crate::script::chain::declared;
use crate::table::ids::{BlockId, GroupKindId, ParameterId};
use crate::table::layout::{
    AttributeInfo, Dimension, Domain, Holds, Name, Scope, UNREACHABLE, Visible,
};
use crate::table::{Case, Layout, Value};

/// Tells a pack's rules in words
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pack: PackArgs,

    /// What to tell: a section such as `parameter` or `flow`, or one thing, such as `dial.speed`
    item: Option<String>,

    /// Tell the merged rules value by value, with where each comes from
    #[arg(long)]
    resolved: bool,

    /// How it is told; without `--resolved`, `json` is for parameters: one, or all
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people; resolved rules as TOML, with comments
    Text,
    /// For programs
    Json,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (rules, _) = need(&args.pack)?;
    if args.resolved {
        return Ok(print(&resolved(args)?)?);
    }
    if args.format == Format::Json {
        let text = json(&rules, args.item.as_deref()).map_err(Failure::Message)?;
        return Ok(print(&text)?);
    }
    let shown = Shown::new(&rules);
    let text = match &args.item {
        None => shown.all(),
        // What is not told in words is told value by value, so that both know the same items.
        Some(item) => match (shown.item(item), resolved(args)) {
            (Ok(text), _) | (Err(_), Ok(text)) => text,
            (Err(unknown), Err(_)) => return Err(Failure::Message(unknown)),
        },
    };
    Ok(print(&text)?)
}

/// Parameters with all that could act on them, as JSON: the one named, or a list of all.
fn json(rules: &Rules, item: Option<&str>) -> Result<String, String> {
    let parameters = &rules.pack.parameters;
    let chains = || (0..parameters.len()).map(|at| declared(rules, ParameterId::from_index(at)));
    let told = match item {
        None | Some("parameter" | "parameters") => {
            serde_json::to_string_pretty(&chains().collect::<Vec<_>>())
        }
        Some(item) => {
            let id = item.strip_prefix("parameter.").unwrap_or(item);
            match chains().find(|chain| chain.parameter == id) {
                Some(chain) => serde_json::to_string_pretty(&chain),
                None => {
                    let known = parameters.iter().map(|known| known.name.id.as_str());
                    return Err(match nearest(id, known) {
                        Some(near) => {
                            format!("there is no parameter `{id}`; did you mean `{near}`?")
                        }
                        None => format!(
                            "there is no parameter `{id}`: only parameters are told as JSON"
                        ),
                    });
                }
            }
        }
    };
    told.map(|text| text + "\n")
        .map_err(|error| error.to_string())
}

/// The merged rules of a pack that can be played, value by value.
fn resolved(args: &Args) -> Result<String, Failure> {
    let files = find(&args.pack.pack).map_err(|unknown| tell(&unknown))?;
    let selection = args.pack.changes.selection()?;
    let (Some(resolved), sources, _) = resolve(&files, &selection.variants) else {
        return Err(Failure::Told);
    };
    let mut values = Values::new(&resolved, &sources, &selection.parameters);
    if let Some(item) = &args.item {
        values.only(item).map_err(Failure::Message)?;
    }
    Ok(match args.format {
        Format::Text => values.text(),
        Format::Json => {
            let json = serde_json::to_string_pretty(&values.json());
            format!("{}\n", json.map_err(std::io::Error::from)?)
        }
    })
}

/// The section of what scripts define.
const FUNCTIONS: &str = "function";

/// The sections in the order in which they are told, with their headings.
pub(super) const SECTIONS: &[(&str, &str)] = &[
    ("game", "The game"),
    ("parameter", "Parameters: the numbers of the rules"),
    ("modifier", "Modifiers: what changes parameters, and when"),
    ("event", "Events: what can happen"),
    (
        "ability",
        "Abilities: what players have while a piece lies in a zone of theirs",
    ),
    ("dial", "Dials"),
    ("toggle", "Toggles"),
    ("counter", "Counters"),
    ("zone", "Zones: where pieces lie"),
    ("kind", "Kinds of pieces"),
    ("group", "Groups made during play"),
    ("set", "Sets"),
    ("graph", "Graphs"),
    ("flow", "Flow"),
    (FUNCTIONS, "Functions of the scripts"),
    ("decision", "Decisions"),
    ("choice", "Plain choices"),
    ("reason", "Reasons why something cannot be chosen"),
    ("exchange", "Exchanges: what can be turned into what"),
    ("score", "Points at the end"),
    ("tie", "Ties are broken by"),
    ("stream", "Streams of chance"),
    ("statistic", "Statistics: what simulations count"),
    ("provenance", "Where the data come from"),
];

/// One thing of a pack in words.
struct Entry {
    section: &'static str,
    id: String,
    /// The first says what it is, the others are set in.
    lines: Vec<String>,
    /// Whether its section tells it within another entry.
    nested: bool,
}

/// A pack in words.
pub(super) struct Shown<'a> {
    pub(super) pack: &'a Pack,
    pub(super) layout: &'a Layout,
    provenance: BTreeMap<&'a str, Provenance>,
    entries: Vec<Entry>,
}

impl<'a> Shown<'a> {
    fn new(rules: &'a Rules) -> Self {
        let pack = &rules.pack;
        let mut shown = Self {
            pack,
            layout: &pack.layout,
            provenance: pack
                .provenance
                .iter()
                .map(|(path, provenance)| (path.as_str(), *provenance))
                .collect(),
            entries: Vec::new(),
        };
        shown.add_game();
        shown.add_numbers(rules);
        shown.add_abilities();
        shown.add_table();
        shown.add_graphs();
        shown.add_flow();
        shown.add_functions();
        shown.add_words();
        shown.add_statistics();
        shown.add_provenance();
        shown
    }

    fn all(&self) -> String {
        let mut text = String::new();
        // Functions are told when they are asked for: most of them say how, not what.
        for (section, _) in SECTIONS.iter().filter(|(id, _)| *id != FUNCTIONS) {
            let told = self.section(section);
            if !text.is_empty() && !told.is_empty() {
                text.push('\n');
            }
            text.push_str(&told);
        }
        text
    }

    /// A whole section with its heading; nothing if it is empty.
    fn section(&self, section: &str) -> String {
        let mut text = String::new();
        let own = self.entries.iter().filter(|entry| entry.section == section);
        for entry in own.filter(|entry| !entry.nested) {
            if text.is_empty() {
                let heading = SECTIONS.iter().find(|(id, _)| *id == section);
                text.push_str(heading.map_or(section, |(_, heading)| heading));
                text.push('\n');
            }
            text.push_str(&told(entry, "  "));
        }
        text
    }

    fn item(&self, item: &str) -> Result<String, String> {
        let wanted = item.to_lowercase();
        let section = SECTIONS
            .iter()
            .map(|(id, _)| *id)
            .find(|id| *id == wanted || format!("{id}s") == wanted);
        if let Some(section) = section {
            let told = self.section(section);
            return match told.is_empty() {
                true => Err(format!("{} has no {section}", self.pack.title)),
                false => Ok(told),
            };
        }
        let path = |entry: &Entry| format!("{}.{}", entry.section, entry.id);
        let found: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| path(entry) == wanted || entry.id == wanted)
            .collect();
        if found.is_empty() {
            let paths: Vec<String> = self.entries.iter().map(path).collect();
            let known = paths
                .iter()
                .map(String::as_str)
                .chain(self.entries.iter().map(|entry| entry.id.as_str()))
                .chain(SECTIONS.iter().map(|(id, _)| *id));
            return Err(match nearest(&wanted, known) {
                Some(near) => format!("there is no `{item}`; did you mean `{near}`?"),
                None => {
                    let sections: Vec<&str> = SECTIONS.iter().map(|(id, _)| *id).collect();
                    format!(
                        "there is no `{item}`; the sections are {}",
                        sections.join(", ")
                    )
                }
            });
        }
        Ok(found
            .into_iter()
            .map(|entry| {
                let mut whole = format!("{}.", entry.section);
                whole.push_str(&told(entry, ""));
                whole
            })
            .collect::<Vec<_>>()
            .join("\n"))
    }

    pub(super) fn add(&mut self, section: &'static str, id: &str, lines: Vec<String>) {
        self.entries.push(Entry {
            section,
            id: id.to_owned(),
            lines,
            nested: false,
        });
    }

    /// A mark for what is not printed.
    fn mark(&self, path: &str) -> &'static str {
        match self.provenance.get(path) {
            Some(Provenance::Inferred) => " (inferred)",
            Some(Provenance::Reconstructed) => " (reconstructed)",
            Some(Provenance::House) => " (house rule)",
            _ => "",
        }
    }

    /// An id with its title, if that says more, and a mark for what is not printed.
    pub(super) fn named(&self, section: &str, name: &Name) -> String {
        let mark = self.mark(&format!("{section}.{}", name.id));
        let same = name.title.to_lowercase() == name.id.replace('_', " ");
        match same || name.title.is_empty() {
            true => format!("{}{mark}", name.id),
            false => format!("{}: {}{mark}", name.id, name.title),
        }
    }

    pub(super) fn place(&self, span: Span) -> String {
        let at = self.pack.sources.position(span);
        format!("{}:{}", self.pack.sources.get(span.file).name, at.line)
    }

    fn add_game(&mut self) {
        let layout = self.layout;
        let mut lines = vec![format!(
            "{}: {}, for {}",
            self.pack.id,
            self.pack.title,
            count_between(layout.min_players, layout.max_players, "player")
        )];
        if !layout.player_titles.is_empty() {
            lines.push(format!("players are {}", layout.player_titles.join(", ")));
        }
        for variant in &self.pack.variants {
            lines.push(format!(
                "variant {}: {}. {}",
                variant.id, variant.title, variant.reason
            ));
        }
        let id = self.pack.id.clone();
        self.add("game", &id, lines);
    }

    fn add_numbers(&mut self, rules: &Rules) {
        let pack = self.pack;
        for (index, parameter) in pack.parameters.iter().enumerate() {
            let chain = declared(rules, ParameterId::from_index(index));
            let mut lines: Vec<String> = chain
                .lines()
                .into_iter()
                .map(|line| match line.strip_prefix("  ") {
                    Some(inner) => inner.to_owned(),
                    None => line,
                })
                .collect();
            if parameter.least.is_some() || parameter.most.is_some() {
                lines.push(range_in_words(parameter.least, parameter.most));
            }
            self.add("parameter", &parameter.name.id, lines);
        }
        for modifier in &pack.modifiers {
            let parameter = &pack.parameters[modifier.parameter.index()].name.id;
            let amount = &modifier.amount.text;
            let what = match modifier.op {
                ModifierOp::Set => format!("sets {parameter} to {amount}"),
                ModifierOp::Add => format!("adds {amount} to {parameter}"),
                ModifierOp::Min => format!("makes {parameter} at least {amount}"),
                ModifierOp::Max => format!("makes {parameter} at most {amount}"),
            };
            let mut lines = vec![format!(
                "{}: {what}",
                self.named("modifier", &modifier.name)
            )];
            lines.extend(modifier.ability.map(|id| self.only_with(id)));
            if let Some(when) = &modifier.when {
                lines.push(format!("while {}", when.text));
            }
            lines.push(self.place(modifier.span));
            self.add("modifier", &modifier.name.id, lines);
        }
    }

    fn add_table(&mut self) {
        let layout = self.layout;
        for family in &layout.dials {
            let faces: Vec<String> = family
                .faces
                .iter()
                .enumerate()
                .map(|(at, face)| match at as i32 == family.start {
                    true => format!("[{face}]"),
                    false => face.to_string(),
                })
                .collect();
            let mut first = self.named("dial", &family.name);
            first.push_str(&self.spread(&family.dimensions));
            let mut lines = vec![first, format!("faces {}", faces.join(" "))];
            lines.extend(self.tags(&family.tags));
            self.add("dial", &family.name.id, lines);
        }
        for family in &layout.toggles {
            let mut first = self.named("toggle", &family.name);
            first.push_str(&self.spread(&family.dimensions));
            first.push_str(if family.start { ", on at first" } else { "" });
            let mut lines = vec![first];
            lines.extend(self.tags(&family.tags));
            self.add("toggle", &family.name.id, lines);
        }
        for family in &layout.counters {
            let mut first = self.named("counter", &family.name);
            first.push_str(&self.spread(&family.dimensions));
            let mut about = format!("holds {}", self.holds(family.holds));
            if family.least.is_some() || family.most.is_some() {
                let range = range_in_words(family.least.map(i64::from), family.most.map(i64::from));
                about.push_str(&format!(", {range}"));
            }
            about.push_str(match family.scope {
                Scope::Game => "",
                Scope::Round => ", set back each round",
                Scope::Phase => ", set back each phase",
                Scope::Turn => ", set back each turn",
                Scope::Step => ", set back each step",
            });
            about.push_str(seen_by(family.visible));
            self.add("counter", &family.name.id, vec![first, about]);
        }
        for family in &layout.zone_families {
            let mut first = self.named("zone", &family.name);
            first.push_str(&self.spread(&family.dimensions));
            let mut about = match family.holds {
                Some(kind) => format!("for {}", layout.kinds[kind.index()].name.id),
                None => "for any pieces".to_owned(),
            };
            if family.ordered {
                about.push_str(", in order");
            }
            if let Some(capacity) = family.capacity {
                about.push_str(&format!(", room for {capacity}"));
            }
            if let Some(refill) = family.refill {
                about.push_str(&format!(", refilled from {}", layout.zone_key(refill)));
            }
            about.push_str(seen_by(family.visible));
            self.add("zone", &family.name.id, vec![first, about]);
        }
        for kind in &layout.kinds {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for piece in kind.pieces.clone() {
                let info = &layout.pieces[usize::from(piece)];
                *counts.entry(info.key.as_str()).or_default() += 1;
            }
            let number = match (kind.unlimited, kind.per_player) {
                (true, _) => "as many as are needed".to_owned(),
                (_, true) => "one for each player".to_owned(),
                _ => count(kind.pieces.len(), "piece"),
            };
            let mut lines = vec![format!("{}; {number}", self.named("kind", &kind.name))];
            if kind.faces > 0 {
                lines.push(format!("dice with {}", count(kind.faces, "face")));
            }
            lines.extend(self.attributes(&kind.attributes));
            if !kind.per_player && !kind.unlimited {
                let keys: Vec<String> = counts
                    .into_iter()
                    .map(|(key, count)| match count {
                        1 => key.to_owned(),
                        count => format!("{key} x{count}"),
                    })
                    .collect();
                lines.extend(crate::repl::text::wrap(&keys.join(", "), 90));
            }
            self.add("kind", &kind.name.id, lines);
        }
        for (index, kind) in layout.group_kinds.iter().enumerate() {
            let domain = Domain::Groups(GroupKindId::from_index(index));
            let first = format!(
                "{}; at most {} at once",
                self.named("group", &kind.name),
                layout.dimension(domain).size
            );
            let zones = kind
                .zones
                .iter()
                .map(|zone| &layout.zone_families[zone.index()].name);
            let counters = kind
                .counters
                .iter()
                .map(|counter| &layout.counters[counter.index()].name);
            let has: Vec<&str> = zones.chain(counters).map(|name| name.id.as_str()).collect();
            self.add(
                "group",
                &kind.name.id,
                vec![first, format!("each has {}", has.join(", "))],
            );
        }
        for (index, set) in layout.sets.iter().enumerate() {
            let members: Vec<String> = set
                .members
                .iter()
                .map(|member| layout.key(*member))
                .collect();
            let mut lines = vec![format!(
                "{}; {}",
                self.named("set", &set.name),
                count(members.len(), "member")
            )];
            lines.extend(self.attributes(&layout.set_attributes[index]));
            lines.extend(crate::repl::text::wrap(&members.join(", "), 90));
            self.add("set", &set.name.id, lines);
        }
    }

    fn add_graphs(&mut self) {
        let layout = self.layout;
        for graph in &layout.graphs {
            let mut lines = vec![format!(
                "{}; {}, {}",
                self.named("graph", &graph.name),
                count(graph.nodes.len(), "node"),
                count(graph.edges.len(), "edge")
            )];
            lines.extend(self.attributes(&graph.attributes));
            for node in graph.nodes.clone() {
                let info = &layout.nodes[usize::from(node)];
                let path = format!("graph.{}.nodes.{}", graph.name.id, info.name.id);
                let values: Vec<String> = graph
                    .attributes
                    .iter()
                    .zip(&info.attributes)
                    .filter(|(_, value)| {
                        !matches!(value.case(), Case::Unit | Case::Int(0) | Case::Bool(false))
                    })
                    .map(|(attribute, value)| self.attribute_value(attribute, *value))
                    .collect();
                let mut line = format!("{}: {}", info.name.id, info.name.title);
                if !values.is_empty() {
                    line.push_str(&format!(" ({})", values.join(", ")));
                }
                line.push_str(self.mark(&path));
                lines.push(line);
            }
            for edge in &graph.edges {
                let ends = [edge.a, edge.b].map(|node| &layout.nodes[node.index()].name.title);
                let cost = match edge.cost {
                    UNREACHABLE => "-".to_owned(),
                    cost => cost.to_string(),
                };
                lines.push(format!("{} - {}: {cost}", ends[0], ends[1]));
            }
            self.add("graph", &graph.name.id, lines);
        }
    }

    fn add_flow(&mut self) {
        let mut lines = Vec::new();
        self.block(self.pack.root, 0, &mut lines);
        let root = self.pack.blocks[self.pack.root.index()].name.id.clone();
        self.add("flow", &root, lines);
        for (index, block) in self.pack.blocks.iter().enumerate() {
            let mut lines = Vec::new();
            self.block(BlockId::from_index(index), 0, &mut lines);
            if index != self.pack.root.index() {
                self.entries.push(Entry {
                    section: "flow",
                    id: block.name.id.clone(),
                    lines,
                    nested: true,
                });
            }
        }
    }

    /// A block and what it does, set in by its depth.
    fn block(&self, block: BlockId, depth: usize, lines: &mut Vec<String>) {
        let info = &self.pack.blocks[block.index()];
        let set_in = "  ".repeat(depth);
        let mut line = format!("{set_in}{}", self.named("flow", &info.name));
        line.push_str(&match &info.repeat {
            Repeat::Once => String::new(),
            Repeat::Times(times) => format!(", {} times", times.text),
            Repeat::While(condition) => format!(", while {}", condition.text),
            Repeat::Each(list) => format!(", for each of {}", list.text),
        });
        if let Some(when) = &info.when {
            line.push_str(&format!(", only if {}", when.text));
        }
        line.push_str(match info.scope {
            Some(Scope::Round) => " [round]",
            Some(Scope::Phase) => " [phase]",
            Some(Scope::Turn) => " [turn]",
            Some(Scope::Step) => " [step]",
            Some(Scope::Game) | None => "",
        });
        line.push_str(&format!("  {}", self.place(info.span)));
        lines.push(line);
        for step in &info.steps {
            let inner = self
                .pack
                .blocks
                .iter()
                .position(|block| block.name.id == step.text);
            match inner {
                // The reader refuses blocks that contain themselves.
                Some(inner) => self.block(BlockId::from_index(inner), depth + 1, lines),
                None => lines.push(format!("{set_in}  {}", step.text)),
            }
        }
    }

    fn add_words(&mut self) {
        let pack = self.pack;
        for decision in &pack.decisions {
            let mut first = format!("{}: {}", decision.name.id, decision.prompt);
            if let Some(of) = decision.of {
                first.push_str(&format!(" (one or some of {})", self.type_name(of)));
            }
            let place = self.place(decision.span);
            self.add("decision", &decision.name.id, vec![first, place]);
        }
        for choice in &self.layout.choices {
            let line = format!("{}: {}", choice.id, choice.title);
            self.add("choice", &choice.id, vec![line]);
        }
        for reason in &pack.reasons {
            let lines = vec![
                format!("{}: {}", reason.name.id, reason.name.title),
                self.place(reason.span),
            ];
            self.add("reason", &reason.name.id, lines);
        }
        for exchange in &pack.exchanges {
            let names: Vec<&str> = exchange
                .resources
                .iter()
                .map(|resource| resource.id.as_str())
                .collect();
            let amounts = |amounts: &[crate::pack::model::Amount]| -> String {
                let each: Vec<String> = amounts
                    .iter()
                    .map(|amount| format!("{} {}", amount.amount.text, names[amount.resource]))
                    .collect();
                each.join(" + ")
            };
            let mut lines = vec![
                self.named("exchange", &exchange.name),
                self.place(exchange.span),
                format!("goal: {}", amounts(&exchange.goal)),
            ];
            for rule in &exchange.rules {
                let mut line = format!("{}: {}", rule.id, amounts(&rule.take));
                if let Some((from, count)) = &rule.take_any {
                    let from: Vec<&str> = from.iter().map(|at| names[*at]).collect();
                    line.push_str(&format!(" + {} of {}", count.text, from.join(" or ")));
                }
                line.push_str(&format!(" -> {}", amounts(&rule.give)));
                if !rule.need.is_empty() {
                    line.push_str(&format!("  needs {}", amounts(&rule.need)));
                }
                lines.push(line);
            }
            self.add("exchange", &exchange.name.id, lines);
        }
        let scoring = [("score", &pack.scoring.terms), ("tie", &pack.scoring.ties)];
        for (section, terms) in scoring {
            for term in terms {
                let mut lines = vec![format!(
                    "{}: {}",
                    self.named(section, &term.name),
                    term.points.text
                )];
                lines.extend(term.count.as_ref().map(|count| self.counted(count)));
                lines.extend(term.ability.map(|id| self.only_with(id)));
                if let Some(when) = &term.when {
                    lines.push(format!("only if {}", when.text));
                }
                lines.push(self.place(term.span));
                self.add(section, &term.name.id, lines);
            }
        }
        for (stream, _) in &self.layout.streams {
            self.add("stream", stream, vec![stream.clone()]);
        }
    }

    fn add_provenance(&mut self) {
        for provenance in Provenance::ALL {
            let word = provenance.word();
            let paths: Vec<&str> = self
                .provenance
                .iter()
                .filter(|(_, of)| **of == provenance)
                .map(|(path, _)| *path)
                .collect();
            // Without variants there are no house rules.
            if provenance == Provenance::House && paths.is_empty() {
                continue;
            }
            let mut lines = vec![format!("{word}: {}", paths.len())];
            // What is printed is the rule; the others are worth a look.
            if provenance != Provenance::Printed && !paths.is_empty() {
                lines.extend(crate::repl::text::wrap(&paths.join(", "), 90));
            }
            self.add("provenance", word, lines);
        }
    }

    fn tags(&self, tags: &[crate::table::ids::TagId]) -> Option<String> {
        let tags: Vec<String> = tags
            .iter()
            .map(|tag| self.layout.key(Value::from(*tag)))
            .collect();
        (!tags.is_empty()).then(|| format!("tagged {}", tags.join(", ")))
    }

    fn spread(&self, dimensions: &[Dimension]) -> String {
        let over: Vec<String> = dimensions
            .iter()
            .map(|dimension| self.domain(dimension.domain))
            .collect();
        match over.is_empty() {
            true => String::new(),
            false => format!(", for each {}", over.join(" and ")),
        }
    }

    fn domain(&self, domain: Domain) -> String {
        let layout = self.layout;
        match domain {
            Domain::Players => "player".to_owned(),
            Domain::Graph(graph) => {
                format!("node of {}", layout.graphs[graph.index()].name.id)
            }
            Domain::Set(set) => layout.sets[set.index()].name.id.clone(),
            Domain::Kind(kind) => layout.kinds[kind.index()].name.id.clone(),
            Domain::Groups(kind) => layout.group_kinds[kind.index()].name.id.clone(),
        }
    }

    fn holds(&self, holds: Holds) -> String {
        match holds {
            Holds::Int => "a number".to_owned(),
            Holds::Bool => "yes or no".to_owned(),
            Holds::One(domain) => format!("a {}", self.domain(domain)),
            Holds::Effect => "an effect".to_owned(),
            Holds::Text => "a text".to_owned(),
            Holds::Dial => "a dial".to_owned(),
            Holds::Toggle => "a toggle".to_owned(),
        }
    }

    pub(super) fn type_name(&self, of: TypeName) -> String {
        match of {
            TypeName::Int => "numbers".to_owned(),
            TypeName::Bool => "yes and no".to_owned(),
            TypeName::Text => "texts".to_owned(),
            TypeName::One(domain) => self.domain(domain),
            TypeName::Dial => "dials".to_owned(),
            TypeName::Toggle => "toggles".to_owned(),
        }
    }

    fn attributes(&self, attributes: &[AttributeInfo]) -> Option<String> {
        let each: Vec<String> = attributes
            .iter()
            .map(|attribute| {
                format!(
                    "{}: {}",
                    self.layout.properties[attribute.property.index()],
                    self.holds(attribute.holds)
                )
            })
            .collect();
        (!each.is_empty()).then(|| format!("attributes {}", each.join(", ")))
    }

    fn attribute_value(&self, attribute: &AttributeInfo, value: Value) -> String {
        let name = &self.layout.properties[attribute.property.index()];
        match value.case() {
            Case::Effect(effect) => {
                format!("{name} {}", self.pack.effects[effect.index()].code.text)
            }
            Case::Int(at) if attribute.holds == Holds::Text => match usize::try_from(at)
                .ok()
                .and_then(|at| self.layout.texts.get(at))
            {
                Some(text) => format!("{name} {text}"),
                None => name.clone(),
            },
            _ => format!("{name} {}", self.layout.key(value)),
        }
    }
}

fn seen_by(visible: Visible) -> &'static str {
    match visible {
        Visible::All => "",
        Visible::Owner => ", seen by its player only",
        Visible::Nobody => ", seen by nobody",
    }
}

/// An entry with its lines set in.
fn told(entry: &Entry, set_in: &str) -> String {
    let mut text = String::new();
    for (at, line) in entry.lines.iter().enumerate() {
        let more = if at == 0 { "" } else { "    " };
        text.push_str(&format!("{set_in}{more}{line}\n"));
    }
    text
}
