//! The table `game`, and what every entry may have: title, doc and provenance.

use crate::diag::{Diagnostic, Span};
use crate::table::layout::Name;

use super::doc::{Item, Node, Table};
use super::fields::{At, Fields, as_int, provenance_word, refuse_empty, wrong_type};
use super::keys;
use super::model::{Provenance, Snippet};
use super::names::{Declared, GAME, Section, default_title};
use super::read::Reader;

/// What the table `game` says.
pub(super) struct Game<'a> {
    pub(super) title: String,
    /// The block in which the flow begins.
    pub(super) flow: Option<At<&'a str>>,
    /// How well a player stands, for bots.
    pub(super) evaluate: Option<Snippet>,
}

impl<'a> Reader<'a> {
    /// Reads the table `game`.
    pub(super) fn read_game(&mut self) -> Game<'a> {
        // Families per player need some size, even while the number of players is wrong.
        let most = keys::GAME.get("players").and_then(|key| key.shape.range());
        let most = most.map_or(1, |range| *range.end());
        (self.layout.min_players, self.layout.max_players) = (1, most as u8);
        let Some(entry) = self.document.root.get(GAME) else {
            self.report.push(
                Diagnostic::placeless(super::codes::MISSING_KEY, "the pack has no table `game`")
                    .help("add `[game]` with `title`, `players` and `flow`"),
            );
            return Game {
                title: String::new(),
                flow: None,
                evaluate: None,
            };
        };
        let what = "`game`";
        let Some(mut fields) =
            Fields::of(what, entry.key, &entry.value, &keys::GAME, &mut self.report)
        else {
            return Game {
                title: String::new(),
                flow: None,
                evaluate: None,
            };
        };
        self.common(&mut fields, "game", None);
        fields.need("title", &mut self.report);
        let title = fields.title("title", &mut self.report);
        self.read_players(&mut fields);
        let flow = fields.need_text("flow", &mut self.report);
        let evaluate = fields.snippet("evaluate", self.sources, &mut self.report);
        for title in fields.texts("player_titles", &mut self.report) {
            refuse_empty("a title of players", title, &mut self.report);
            self.layout.player_titles.push(title.value.to_owned());
        }
        fields.finish(&mut self.report);
        Game {
            title: title.map_or(String::new(), |title| title.value.to_owned()),
            flow,
            evaluate,
        }
    }

    fn read_players(&mut self, fields: &mut Fields<'a>) {
        let Some(node) = fields.node("players") else {
            return;
        };
        let Item::List(list) = &node.item else {
            wrong_type(
                &mut self.report,
                "`players` of `game`",
                "the least and most number of players, such as `[2, 4]`",
                node,
            );
            return;
        };
        let [least, most] = list.as_slice() else {
            self.out_of_range(
                node.span,
                "`players` of `game` must have two numbers",
                format!("found {}", list.len()),
            );
            return;
        };
        let range = fields.range("players");
        let what = "the least number of players";
        let least = as_int(what, least, range.clone(), &mut self.report);
        let most = as_int("the most number of players", most, range, &mut self.report);
        if let (Some(least), Some(most)) = (least, most) {
            if least.value > most.value {
                self.out_of_range(
                    node.span,
                    "the least number of players is more than the most",
                    format!("{} is more than {}", least.value, most.value),
                );
            }
            self.layout.min_players = least.value.min(most.value) as u8;
            self.layout.max_players = most.value as u8;
        }
    }

    /// Reports a number that is out of its range.
    pub(super) fn out_of_range(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.report
            .push(Diagnostic::error(super::codes::OUT_OF_RANGE, span, message).label(label));
    }

    /// The fields of a declared entry.
    pub(super) fn fields(&self, section: Section, declared: Declared<'a>) -> Fields<'a> {
        let what = format!("{} `{}`", section.noun(), declared.id);
        Fields::new(
            what,
            declared.key,
            declared.table,
            keys::entry_keys(section),
        )
    }

    /// Reads what every entry may have. `what` names the datum in the list of provenances; the title
    /// is that of `id`, if one is wanted.
    pub(super) fn common(
        &mut self,
        fields: &mut Fields<'a>,
        what: &str,
        id: Option<&str>,
    ) -> (Name, Provenance) {
        let name = match id {
            Some(id) => Name {
                id: id.to_owned(),
                title: match fields.title("title", &mut self.report) {
                    Some(title) => {
                        self.filled_by_nothing(title, "a title");
                        title.value.to_owned()
                    }
                    None => default_title(id),
                },
            },
            None => Name {
                id: String::new(),
                title: String::new(),
            },
        };
        fields.text("doc", &mut self.report);
        let house = self.document.provenance_of(fields.span, fields.given());
        let given = match fields.node("provenance") {
            Some(Node {
                item: Item::Table(keys),
                ..
            }) => {
                self.provenance_of_keys(fields, what, keys);
                None
            }
            Some(node) => provenance_word(node, &mut self.report),
            None => None,
        };
        // What a variant changes of an entry is not what the entry was said to be.
        let provenance = match given {
            Some(given) if house != Provenance::House => given,
            _ => house,
        };
        self.provenance.push((what.to_owned(), provenance));
        (name, provenance)
    }

    /// Reads where some keys of an entry come from, where they differ from the rest of it.
    fn provenance_of_keys(&mut self, fields: &Fields<'a>, what: &str, keys: &'a Table) {
        for (key, entry) in keys {
            let word = provenance_word(&entry.value, &mut self.report);
            if !fields.has(key) {
                self.report.push(
                    Diagnostic::error(
                        super::codes::UNKNOWN_KEY,
                        entry.key,
                        format!("{} gives no key `{key}`", fields.what),
                    )
                    .label("there is nothing whose provenance this could be"),
                );
            } else if let Some(word) = word {
                self.provenance.push((format!("{what}.{key}"), word));
            }
        }
    }
}
