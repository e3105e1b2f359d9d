//! Reading a scenario: all problems at once, each with its place.

use std::sync::Arc;

use crate::diag::{Diagnostic, Report, Sources, Span};
use crate::flow::game::check_players;
use crate::flow::item::player_of;
use crate::flow::record::find_block;
use crate::flow::{Item, ItemValue, Setting, Setup, Written};
use crate::pack::codes;
use crate::pack::doc::{Item as Toml, Node, Table};
use crate::pack::fields::{At, Fields, as_int, as_text, wrong_type};
use crate::pack::parse;
use crate::script::Rules;
use crate::script::machine::StartAt;
use crate::table::TableState;
use crate::table::ids::StreamId;

use super::keys;
use super::model::{About, Act, Asked, Chance, Given, Play, Scenario};

mod expect;

/// Something that a scenario names is not in its pack, or cannot be.
pub const UNKNOWN: &str = "Y0501";

/// Where rules come from: the name of a pack and its variants to its rules.
pub type Loader<'a> = &'a mut dyn FnMut(&str, &[String]) -> Result<Arc<Rules>, NoRules>;

/// Why there are no rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRules {
    /// The position of the variant that is not there; `None` if it is the pack itself.
    pub variant: Option<usize>,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Reads a scenario from the bytes of its file. All problems are reported; there is a scenario only if
/// there are none.
pub fn read(
    name: &str,
    bytes: &[u8],
    sources: &mut Sources,
    report: &mut Report,
    load: Loader<'_>,
) -> Option<Scenario> {
    let file = parse::add_text(name, bytes, sources, report)?;
    let tree = parse::parse(file, sources, report);
    if report.has_errors() {
        return None;
    }
    let mut fields = Fields::of("a scenario", tree.span, &tree, &keys::SCENARIO, report)?;
    fields.int("format", report);
    let title = fields.need_text("title", report);
    let pack = fields.need_text("pack", report);
    let variants = fields.texts("variants", report);
    let chosen: Vec<String> = variants.iter().map(|at| at.value.to_owned()).collect();
    let rules = pack.and_then(|pack| match load(pack.value, &chosen) {
        Ok(rules) => Some(rules),
        Err(none) => {
            let variant = none.variant.and_then(|at| variants.get(at));
            let span = variant.map_or(pack.span, |variant| variant.span);
            report.push(Diagnostic::error(UNKNOWN, span, none.message));
            None
        }
    });
    let parameters = fields.table("parameters", report);
    let players = fields.int("players", report);
    let seed = fields.int("seed", report);
    let clauses = fields.texts("clauses", report);
    let start = fields.node("start");
    let set_up = fields.list("set_up", report);
    let table = fields.table("table", report);
    let chance = fields.node("chance");
    let plays = fields.list("play", report);
    let expect = fields.node("expect");
    fields.finish(report);
    let rules = with_parameters(rules?, parameters, report);
    let players = players?;
    if let Err(error) = check_players(&rules, players.value as u8) {
        report.push(Diagnostic::error(UNKNOWN, players.span, error.to_string()));
        return None;
    }
    let seed = seed.map_or(1, |seed| seed.value as u64);
    let mut reader = Reader {
        table: TableState::new(rules.layout(), players.value as u8, seed),
        rules: &rules,
        report,
    };
    let table = table.map_or(Vec::new(), |table| reader.settings(table, true));
    let starts = start.is_some() || !table.is_empty();
    let start = start.and_then(|node| reader.start(node));
    let set_up = set_up.map_or(Vec::new(), |list| reader.set_up(list, starts));
    let chance = chance.map_or_else(Chance::default, |node| reader.chance(node));
    let plays: Vec<Play> = plays
        .unwrap_or_default()
        .iter()
        .filter_map(|node| reader.play(node))
        .collect();
    let end = expect.map_or(tree.span, |node| node.span);
    let expect = expect.map_or(Vec::new(), |node| reader.expectations(node, true));
    if report.has_errors() {
        return None;
    }
    let start = start.or((!table.is_empty()).then_some(StartAt {
        block: None,
        round: 1,
    }));
    Some(Scenario {
        title: title?.value.to_owned(),
        setup: Setup {
            players: players.value as u8,
            seed,
            start,
        },
        clauses: clauses.iter().map(|at| at.value.to_owned()).collect(),
        rules,
        table,
        set_up,
        chance,
        plays,
        expect,
        end,
    })
}

fn with_parameters(
    rules: Arc<Rules>,
    parameters: Option<&Table>,
    report: &mut Report,
) -> Arc<Rules> {
    let Some(parameters) = parameters.filter(|table| !table.is_empty()) else {
        return rules;
    };
    let mut pack = rules.pack.clone();
    let mut set = Vec::new();
    for (name, entry) in parameters {
        let what = format!("parameter `{name}`");
        let Some(value) = as_int(&what, &entry.value, i64::MIN..=i64::MAX, report) else {
            continue;
        };
        match pack.set_parameter(name, value.value) {
            Ok(()) => set.push((name.as_str(), value.value)),
            Err(text) => report.push(Diagnostic::error(UNKNOWN, entry.key, text)),
        }
    }
    match rules.with_parameters(set) {
        Ok(changed) => Arc::new(changed),
        Err(_) => rules,
    }
}

struct Reader<'a> {
    rules: &'a Rules,
    /// A table of so many players, for names that depend on it.
    table: TableState,
    report: &'a mut Report,
}

/// The entries of a table in the order in which they stand in the file.
fn in_order(table: &Table) -> Vec<(&str, Span, &Node)> {
    let mut entries: Vec<(&str, Span, &Node)> = table
        .iter()
        .map(|(key, entry)| (key.as_str(), entry.key, &entry.value))
        .collect();
    entries.sort_by_key(|(_, span, _)| span.start);
    entries
}

impl Reader<'_> {
    fn error(&mut self, span: Span, text: impl Into<String>) {
        self.report.push(Diagnostic::error(UNKNOWN, span, text));
    }

    fn start(&mut self, node: &Node) -> Option<StartAt> {
        let mut fields = Fields::of("`start`", node.span, node, &keys::START, self.report)?;
        let block = fields.text("block", self.report);
        let round = fields.int("round", self.report);
        fields.finish(self.report);
        let block = match block {
            None => None,
            Some(block) => match find_block(self.rules, block.value) {
                Ok(found) => Some(found),
                Err(text) => {
                    self.error(block.span, text);
                    None
                }
            },
        };
        let round = round.map_or(1, |round| round.value as u16);
        Some(StartAt { block, round })
    }

    /// Answers to what the set-up asks.
    fn set_up(&mut self, list: &[Node], starts: bool) -> Vec<(Asked, Written, Span)> {
        let mut answers = Vec::new();
        for node in list {
            if !starts {
                self.report.push(
                    Diagnostic::error(UNKNOWN, node.span, "there is no start after the set-up")
                        .help("without `[start]` and `[table]` the set-up is played like the rest: answer it in `play`"),
                );
                break;
            }
            let Some(play) = self.play(node) else {
                continue;
            };
            match play.act {
                Act::Answer(asked, answer) if play.about.is_empty() && play.expect.is_empty() => {
                    answers.push((asked, answer, play.span));
                }
                _ => self.error(
                    node.span,
                    "`set_up` takes only answers: `player_N.DECISION = ANSWER`",
                ),
            }
        }
        answers
    }

    /// Items with values. Unquoted paths are tables in tables; such as have an owner and a family are taken too.
    fn settings(&mut self, table: &Table, for_setting: bool) -> Vec<(Setting, Span)> {
        let mut settings = Vec::new();
        for (key, span, node) in in_order(table) {
            match &node.item {
                Toml::Table(inner) if !inner.contains_key("top") => {
                    for (family, span, node) in in_order(inner) {
                        let path = format!("{key}.{family}");
                        settings.extend(self.setting(path, span, node, for_setting));
                    }
                }
                _ => settings.extend(self.setting(key.to_owned(), span, node, for_setting)),
            }
        }
        settings.sort_by_key(|(_, span)| span.start);
        settings
    }

    fn setting(
        &mut self,
        path: String,
        span: Span,
        node: &Node,
        for_setting: bool,
    ) -> Option<(Setting, Span)> {
        let item = match Item::parse(self.rules.layout(), &self.table, &path) {
            Ok(item) => item,
            Err(text) => {
                self.error(span, text);
                return None;
            }
        };
        let value = self.value(&path, node)?;
        let expected = match (item, &value) {
            (Item::Zone(_), ItemValue::Int(_)) if !for_setting => None,
            (Item::Zone(_), ItemValue::Top { rest: Some(_), .. }) if !for_setting => {
                Some("a list of pieces or `top` alone: `rest` says where pieces go")
            }
            (Item::Zone(_), ItemValue::List(_) | ItemValue::Top { .. }) => None,
            (Item::Zone(_), _) => Some("a list of pieces"),
            (Item::Dial(..) | Item::Face(_), ItemValue::Int(_)) => None,
            (Item::Dial(..) | Item::Face(_), _) => Some("a whole number"),
            (Item::Toggle(..), ItemValue::Bool(_)) => None,
            (Item::Toggle(..), _) => Some("`true` or `false`"),
            (Item::Place(_), ItemValue::Text(_)) => None,
            (Item::Place(_), _) => Some("the path of a zone"),
            (Item::Counter(..), ItemValue::List(_) | ItemValue::Top { .. }) => {
                Some("a number, `true`, `false` or a key")
            }
            (Item::Counter(..), _) => None,
        };
        if let Some(expected) = expected {
            wrong_type(self.report, &format!("`{path}`"), expected, node);
            return None;
        }
        Some((Setting { item: path, value }, span))
    }

    fn value(&mut self, path: &str, node: &Node) -> Option<ItemValue> {
        let what = format!("`{path}`");
        match &node.item {
            Toml::Int(value) => Some(ItemValue::Int(*value)),
            Toml::Bool(value) => Some(ItemValue::Bool(*value)),
            Toml::Text(text) => Some(ItemValue::Text(text.clone())),
            Toml::List(list) => Some(ItemValue::List(self.texts(&what, list))),
            Toml::Table(_) => {
                let mut fields =
                    Fields::of(what.clone(), node.span, node, &keys::TOP, self.report)?;
                let top = fields.list("top", self.report);
                let rest = fields
                    .text("rest", self.report)
                    .map(|rest| rest.value.to_owned());
                fields.finish(self.report);
                let top = self.texts(&what, top?);
                Some(ItemValue::Top { top, rest })
            }
            Toml::Other(_) => {
                wrong_type(self.report, &what, "a number, a key or a list", node);
                None
            }
        }
    }

    fn texts(&mut self, what: &str, list: &[Node]) -> Vec<String> {
        let what = format!("an element of {what}");
        list.iter()
            .filter_map(|node| as_text(&what, node, self.report))
            .map(|at| at.value.to_owned())
            .collect()
    }

    fn chance(&mut self, node: &Node) -> Chance {
        let mut chance = Chance::default();
        let Some(mut fields) = Fields::of("`chance`", node.span, node, &keys::CHANCE, self.report)
        else {
            return chance;
        };
        chance.all_given = fields
            .bool("all_given", self.report)
            .is_some_and(|at| at.value);
        let rolls = fields.table("rolls", self.report);
        let shuffles = fields.table("shuffles", self.report);
        let picks = fields.table("picks", self.report);
        fields.finish(self.report);
        let layout = self.rules.layout();
        for (name, span, node) in rolls.map_or(Vec::new(), in_order) {
            let dice: Vec<u8> = layout
                .pieces
                .iter()
                .filter(|info| info.name.id == name || info.key == name)
                .map(|info| layout.kinds[info.kind.index()].faces)
                .filter(|faces| *faces > 0)
                .collect();
            let Some(faces) = dice.first() else {
                self.error(span, format!("there is no die `{name}`"));
                continue;
            };
            let what = format!("a face of `{name}`");
            let outcomes = self
                .outcomes(&what, node)
                .iter()
                .filter_map(|node| as_int(&what, node, 1..=i64::from(*faces), self.report))
                .map(|at| (at.value as u8, at.span))
                .collect();
            chance.rolls.push(Given {
                key: name.to_owned(),
                outcomes,
            });
        }
        for (path, span, node) in shuffles.map_or(Vec::new(), in_order) {
            let zone = match Item::parse(layout, &self.table, path) {
                Ok(Item::Zone(zone)) => zone,
                Ok(_) => {
                    self.error(span, format!("`{path}` is no zone"));
                    continue;
                }
                Err(text) => {
                    self.error(span, text);
                    continue;
                }
            };
            let what = format!("a shuffle of `{path}`");
            let mut outcomes = Vec::new();
            for order in self.outcomes(&what, node) {
                match &order.item {
                    Toml::List(list) => outcomes.push((self.texts(&what, list), order.span)),
                    _ => wrong_type(self.report, &what, "a list of pieces", order),
                }
            }
            chance.shuffles.push(Given {
                key: zone,
                outcomes,
            });
        }
        for (name, span, node) in picks.map_or(Vec::new(), in_order) {
            let Some(stream) = layout.streams.iter().position(|(known, _)| known == name) else {
                self.error(span, format!("there is no stream `{name}`"));
                continue;
            };
            let what = format!("a draw from `{name}`");
            let outcomes = self
                .outcomes(&what, node)
                .iter()
                .filter_map(|node| as_text(&what, node, self.report))
                .map(|at| (at.value.to_owned(), at.span))
                .collect();
            chance.picks.push(Given {
                key: StreamId::from_index(stream),
                outcomes,
            });
        }
        chance
    }

    fn outcomes<'n>(&mut self, what: &str, node: &'n Node) -> &'n [Node] {
        match &node.item {
            Toml::List(list) => list,
            _ => {
                wrong_type(
                    self.report,
                    &format!("the outcomes of {what}"),
                    "a list",
                    node,
                );
                &[]
            }
        }
    }

    /// `player_1.field`.
    fn asked(&mut self, text: At<&str>) -> Option<Asked> {
        let Some((player, decision)) = text.value.split_once('.') else {
            let message = format!("`{}` must be `player_N.DECISION`", text.value);
            self.error(text.span, message);
            return None;
        };
        self.decision(player, decision, text.span)
    }

    fn decision(&mut self, player: &str, decision: &str, span: Span) -> Option<Asked> {
        let Some(player) = player_of(player, self.table.players) else {
            let message = format!("there is no player `{player}`");
            self.error(span, message);
            return None;
        };
        let known = &self.rules.pack.decisions;
        if !known.iter().any(|known| known.name.id == decision) {
            self.report.push(
                Diagnostic::error(UNKNOWN, span, format!("there is no decision `{decision}`"))
                    .suggest(decision, known.iter().map(|known| known.name.id.as_str())),
            );
            return None;
        }
        Some(Asked {
            player,
            decision: decision.to_owned(),
        })
    }

    fn play(&mut self, node: &Node) -> Option<Play> {
        let Toml::Table(table) = &node.item else {
            wrong_type(self.report, "an entry of `play`", "a table", node);
            return None;
        };
        let mut rest = table.clone();
        rest.retain(|key, _| !key.starts_with("player_"));
        let mut acts = Vec::new();
        let mut span = node.span;
        for (player, key, value) in in_order(table) {
            if !player.starts_with("player_") {
                continue;
            }
            let Toml::Table(decisions) = &value.item else {
                wrong_type(
                    self.report,
                    &format!("`{player}`"),
                    "a table: `player_N.DECISION = ANSWER`",
                    value,
                );
                continue;
            };
            for (decision, _, answer) in in_order(decisions) {
                let asked = self.decision(player, decision, key);
                let answer = self.answer(answer);
                if let (Some(asked), Some(answer)) = (asked, answer) {
                    span = key;
                    acts.push(Act::Answer(asked, answer));
                }
            }
        }
        let mut fields = Fields::new("an entry of `play`", node.span, &rest, &keys::PLAY);
        if let Some(text) = fields.text("asked", self.report) {
            let asked = self.asked(text);
            span = text.span;
            acts.extend(asked.map(Act::Look));
        }
        if let Some(table) = fields.table("set", self.report) {
            span = fields.key_span("set");
            acts.push(Act::Set(self.settings(table, true)));
        }
        if acts.len() > 1 {
            self.report.push(
                Diagnostic::error(
                    codes::EXACTLY_ONE,
                    node.span,
                    "an entry of `play` does several things",
                )
                .help("give each answer an entry of its own"),
            );
        }
        let about = self.about(&mut fields);
        let expect = fields
            .node("expect")
            .map_or(Vec::new(), |node| self.expectations(node, false));
        fields.finish(self.report);
        Some(Play {
            span,
            act: acts.pop().unwrap_or(Act::Nothing),
            about,
            expect,
        })
    }

    fn about(&mut self, fields: &mut Fields<'_>) -> Vec<About> {
        let mut about = Vec::new();
        match fields.node("offered").map(|node| (&node.item, node)) {
            Some((Toml::List(list), _)) => {
                for node in list {
                    if let Some(at) = as_text("an element of `offered`", node, self.report) {
                        about.push(About::Offered {
                            key: at.value.to_owned(),
                            count: None,
                            span: at.span,
                        });
                    }
                }
            }
            Some((Toml::Table(table), _)) => {
                for (key, span, node) in in_order(table) {
                    let count = as_int("the number of a choice", node, 1..=10_000, self.report);
                    about.push(About::Offered {
                        key: key.to_owned(),
                        count: count.map(|at| at.value),
                        span,
                    });
                }
            }
            Some((_, node)) => wrong_type(self.report, "`offered`", "a list or a table", node),
            None => {}
        }
        for at in fields.texts("not_offered", self.report) {
            about.push(About::NotOffered {
                key: at.value.to_owned(),
                span: at.span,
            });
        }
        if let Some(node) = fields.node("choices") {
            let mut keys: Vec<String> = fields
                .texts("choices", self.report)
                .iter()
                .map(|at| at.value.to_owned())
                .collect();
            keys.sort();
            about.push(About::Choices {
                keys,
                span: node.span,
            });
        }
        if let Some(table) = fields.table("refused", self.report) {
            for (key, span, node) in in_order(table) {
                let Some(reason) = as_text("a reason", node, self.report) else {
                    continue;
                };
                let id = reason.value.split(' ').next().unwrap_or_default();
                let known = &self.rules.pack.reasons;
                if !known.iter().any(|known| known.name.id == id) {
                    self.report.push(
                        Diagnostic::error(
                            UNKNOWN,
                            reason.span,
                            format!("there is no reason `{id}`"),
                        )
                        .suggest(id, known.iter().map(|known| known.name.id.as_str())),
                    );
                }
                about.push(About::Refused {
                    key: key.to_owned(),
                    reason: reason.value.to_owned(),
                    span,
                });
            }
        }
        if let Some(table) = fields.table("hints", self.report) {
            for (key, span, node) in in_order(table) {
                if let Some(text) = as_text("a hint", node, self.report) {
                    about.push(About::Hint {
                        key: key.to_owned(),
                        text: text.value.to_owned(),
                        span,
                    });
                }
            }
        }
        for node in fields.list("rejected", self.report).unwrap_or_default() {
            if let Some(answer) = self.answer(node) {
                about.push(About::Rejected {
                    answer,
                    span: node.span,
                });
            }
        }
        about
    }

    fn answer(&mut self, node: &Node) -> Option<Written> {
        match &node.item {
            Toml::Text(text) => Some(Written::One(text.clone())),
            Toml::Int(number) => Some(Written::Number(*number)),
            Toml::Bool(yes) => Some(Written::Confirm(*yes)),
            Toml::List(list) => Some(Written::Some(self.texts("an answer", list))),
            _ => {
                wrong_type(
                    self.report,
                    "an answer",
                    "a key, a list of keys, a number, `true` or `false`",
                    node,
                );
                None
            }
        }
    }
}
