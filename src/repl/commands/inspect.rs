//! Looking at single things: items, expressions, changes, what happened.

use crate::flow::Item;
use crate::flow::listing;
use crate::repl::command::{Args, Candidates, Info, whole};
use crate::repl::commands::log::LOG;
use crate::repl::session::{Reply, Session};
use crate::repl::text::{Line, Paint, render};
use crate::script::evaluate::{Name, evaluate_with, known_names, waiting_names};
use crate::script::types::Type;
use crate::table::ids::PlayerId;
use crate::table::view::{View as Sight, Viewer};
use crate::table::{Case, TableState, Value};

/// Items of which `state` tells those that are as at the start as well.
const MUCH: usize = 30;

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "state",
        arguments: "[ITEM].. [--all]",
        about: "list zones, counters, dials and toggles by their paths",
        examples: &[
            ("state", "everything that is not as it was at the start"),
            ("state player_1.hand", "one item"),
            (
                "state hand",
                "all zones, counters, dials or toggles of a name",
            ),
            (
                "state player_1",
                "all that belongs to a player, a node or another thing",
            ),
            ("state hand player_1", "both at once"),
            ("state --all", "nothing is hidden"),
        ],
        run: state,
        complete: |session, text| {
            let layout = session.game.rules.layout();
            Candidates::words(text, listing::names(layout, &session.game.state.table))
        },
    },
    Info {
        name: "diff",
        arguments: "[N [M]] [--all]",
        about: "tell what changed on the table, by the paths of its items",
        examples: &[
            ("diff", "what the last answer or command changed"),
            ("diff 3", "from decision 3, as `log` numbers it, to now"),
            ("diff 3 9", "from decision 3 to decision 9"),
        ],
        run: diff,
        complete: |_, _| Candidates::default(),
    },
    Info {
        name: "eval",
        arguments: "[as PLAYER:] EXPRESSION",
        about: "compute an expression of the rules; nothing changes",
        examples: &[
            ("eval me.number + 1", "`me` is the player to decide"),
            ("eval as player_2: me.next", "for another player"),
            (
                "eval player_2.number",
                "players by their keys, or their names",
            ),
            (
                "eval players().map(|p| p.number)",
                "all that scripts can look at, and the variables of the step that asks",
            ),
        ],
        run: eval,
        complete: complete_eval,
    },
    LOG,
    Info {
        name: "view",
        arguments: "[as PLAYER | as all]",
        about: "see board, state and log as somebody else does",
        examples: &[
            (
                "view as player_2",
                "what player 2 sees, until told otherwise",
            ),
            ("view as all", "nothing is hidden"),
            ("view", "as the player to decide again"),
        ],
        run: view,
        complete: complete_view,
    },
];

fn state(session: &mut Session, args: &Args<'_>) -> Reply {
    let layout = session.game.rules.layout();
    let table = &session.game.state.table;
    let sight = session.sight(table, args.all);
    let words = session.words_meant(&args.words);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut items = match words.is_empty() {
        true => listing::all(layout, table),
        false => match listing::named(layout, table, &sight, &words) {
            Ok(items) => items,
            Err(error) => return Reply::failed(error),
        },
    };
    let named = items.len();
    // Of much, what is as at the start would hide the rest: all of it, or that of whole tables.
    let whole = args.words.is_empty();
    let much = whole || named > MUCH;
    if much {
        items.retain(|item| {
            let single = !whole && listing::belongs_to(layout, *item).len() < 2;
            single || !listing::is_at_start(layout, table, *item)
        });
    }
    let at_start = named - items.len();
    let mut lines: Vec<Line> = session.who_is_who().into_iter().filter(|_| whole).collect();
    let names = lines.len();
    let items = items.into_iter().filter_map(|item| {
        let mut line = Line::plain(listing::heading(layout, table, item));
        match listing::shown(layout, table, &sight, item) {
            Some(value) => line.push(format!(" = {value}"), Paint::Plain),
            // Asked for by its name, a hidden item is worth a word.
            None if words.len() == 1 && !is_of_hidden(session, &sight, item) => {
                line.push(" is hidden", Paint::Dim);
            }
            None => return None,
        }
        Some(line)
    });
    lines.extend(items);
    if much && at_start > 0 {
        let more = format!("and {at_start} as at the start: name a family or a path to see them");
        lines.push(Line::of(more, Paint::Dim));
    } else if lines.len() == names {
        lines.push(Line::of("nothing", Paint::Dim));
    }
    Reply::ok(render(&lines, session.look))
}

/// Whether naming an item would tell which a hidden piece is.
fn is_of_hidden(session: &Session, sight: &Sight<'_>, item: Item) -> bool {
    let layout = session.game.rules.layout();
    let of = listing::belongs_to(layout, item);
    of.iter()
        .any(|value| matches!(value.case(), Case::Piece(piece) if !sight.can_see(piece)))
}

fn diff(session: &mut Session, args: &Args<'_>) -> Reply {
    let point = |word: &str| -> Result<usize, String> {
        let last = session.game.history.len() + 1;
        match whole::<usize>(word, "number") {
            Ok(number) if (1..=last).contains(&number) => Ok(number),
            Ok(_) => Err(format!("there is no decision {word}: they are 1 to {last}")),
            Err(why) => Err(format!("{why}: `diff 3 9` is meant")),
        }
    };
    let now = &session.game.state.table;
    let found = match args.words[..] {
        [] => {
            let before = session.before.as_ref().map_or(now, |state| &state.table);
            Ok((before, now))
        }
        [from] => point(from).map(|from| (session.table_at(from), now)),
        [from, to] => point(from)
            .and_then(|from| point(to).map(|to| (session.table_at(from), session.table_at(to)))),
        _ => Err("at most two decisions: `diff 3 9` is meant".to_owned()),
    };
    let (before, after) = match found {
        Ok(found) => found,
        Err(error) => return Reply::failed(error),
    };
    let sights = [before, after].map(|table| session.sight(table, args.all));
    let changes = listing::changes(
        session.game.rules.layout(),
        (before, &sights[0]),
        (after, &sights[1]),
    );
    let lines: Vec<Line> = match changes.is_empty() {
        true => vec![Line::of("no changes", Paint::Dim)],
        false => changes
            .into_iter()
            .map(|change| Line::plain(format!("{}: {}", change.path, change.text)))
            .collect(),
    };
    Reply::ok(render(&lines, session.look))
}

fn eval(session: &mut Session, args: &Args<'_>) -> Reply {
    let mut player = session.game.state.run.ask.map(|ask| ask.player);
    let mut text = args.text;
    if let Some((name, rest)) = text
        .strip_prefix("as ")
        .and_then(|after| after.split_once(':'))
    {
        match session.player_named(name.trim()) {
            Ok(found) => player = Some(found),
            Err(error) => return Reply::failed(error),
        }
        text = rest.trim();
    }
    if text.is_empty() {
        return Reply::failed("an expression is wanted: `eval me.number + 1`");
    }
    let game = &session.game;
    match evaluate_with(&game.rules, &game.state, text, &session.names(player)) {
        Ok(found) => {
            let layout = game.rules.layout();
            let text = match found.value.case() {
                // Of a zone its name is less than what lies in it.
                Case::Zone(zone) => {
                    let item = Item::Zone(zone);
                    let sight = Sight::new(layout, &game.state.table, Viewer::All);
                    let pieces = listing::shown(layout, &game.state.table, &sight, item);
                    let path = item.path(layout, &game.state.table);
                    format!("{path} = {}", pieces.unwrap_or_default())
                }
                _ => found.words,
            };
            Reply::ok(render(&[Line::plain(text)], session.look))
        }
        Err(wrong) => match session.item_in_words(text, Viewer::All) {
            Some(line) => Reply::ok(render(&[line], session.look)),
            None => Reply::failed(format!(
                "{}{}",
                wrong.render(session.style()),
                session.how_to_name(text)
            )),
        },
    }
}

fn complete_eval(session: &Session, text: &str) -> Candidates {
    if let Some(name) = text.strip_prefix("as ")
        && !name.contains(':')
    {
        let players = session.player_keys().into_iter();
        return Candidates::words(text, players.map(|key| format!("{key}:")).collect());
    }
    let of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let start = text.rfind(|letter: char| !of_name(letter)).map_or(0, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    let rules = &session.game.rules;
    let words = match text[..start].ends_with('.') {
        true => rules
            .layout()
            .properties
            .iter()
            .cloned()
            .chain(
                known_names(rules)
                    .into_iter()
                    .filter(|it| !it.contains(':')),
            )
            .collect(),
        false => known_names(rules)
            .into_iter()
            .chain(session.names(None).into_iter().map(|name| name.name))
            .chain(["me".to_owned()])
            .collect(),
    };
    Candidates { start, words }
}

fn view(session: &mut Session, args: &Args<'_>) -> Reply {
    session.seen_by = match args.words[..] {
        [] => None,
        ["as", "all"] | ["all"] => Some(Viewer::All),
        ["as", ref name @ ..] if !name.is_empty() => match session.player_named(&name.join(" ")) {
            Ok(player) => Some(Viewer::Player(player)),
            Err(error) => return Reply::failed(error),
        },
        _ => return Reply::failed("`view as PLAYER`, `view as all` or `view` is meant"),
    };
    Reply::ok(render(&session.board().all(), session.look))
}

fn complete_view(session: &Session, text: &str) -> Candidates {
    match text.contains(char::is_whitespace) {
        true => {
            let mut words = session.player_keys();
            words.push("all".to_owned());
            Candidates::words(text, words)
        }
        false => Candidates::first(text, vec!["as".to_owned()]),
    }
}

impl Session {
    /// What is seen of a table: by who looks, or all of it.
    pub(super) fn sight<'a>(&'a self, table: &'a TableState, all: bool) -> Sight<'a> {
        let viewer = if all { Viewer::All } else { self.viewer() };
        Sight::new(self.game.rules.layout(), table, viewer)
    }

    /// The table when a decision was asked, by its number from 1; the present one after the last.
    pub(in crate::repl) fn table_at(&self, number: usize) -> &TableState {
        match self.game.history.get(number - 1) {
            Some(step) => &step.before.table,
            None => &self.game.state.table,
        }
    }

    /// The keys of those who play.
    pub(super) fn player_keys(&self) -> Vec<String> {
        let layout = self.game.rules.layout();
        (0..self.game.setup.players)
            .map(|player| layout.key(Value::from(PlayerId(player))))
            .collect()
    }

    /// The player of a key, a title or a number.
    ///
    /// # Errors
    /// Says who plays.
    pub(super) fn player_named(&self, text: &str) -> Result<PlayerId, String> {
        let numbered = |player: &PlayerId| (player.0 + 1).to_string() == text;
        let found = self.player_called(text);
        found
            .or_else(|| self.players().find(numbered))
            .ok_or_else(|| {
                let words = self.words(Viewer::Spectator);
                let players = self.players().map(|player| match words.player_key(player) {
                    Some(key) => format!("{key} ({})", words.player(player).text()),
                    None => words.layout.key(Value::from(player)),
                });
                let players: Vec<String> = players.collect();
                format!(
                    "there is no player `{text}`; there are {}",
                    players.join(", ")
                )
            })
    }

    /// An item that a text means, with what it is for somebody who looks; nothing if it means none.
    pub(super) fn item_in_words(&self, text: &str, viewer: Viewer) -> Option<Line> {
        let path = self.path_meant(text)?;
        let layout = self.game.rules.layout();
        let table = &self.game.state.table;
        let item = Item::parse(layout, table, &path).ok()?;
        let sight = Sight::new(layout, table, viewer);
        let mut line = Line::plain(listing::heading(layout, table, item));
        match listing::shown(layout, table, &sight, item) {
            Some(value) => line.push(format!(" = {value}"), Paint::Plain),
            None => line.push(" is hidden", Paint::Dim),
        }
        Some(line)
    }

    /// How players are named, if an expression seems to name one.
    fn how_to_name(&self, text: &str) -> String {
        match text.contains("player") {
            true => format!(
                "a player is `me`, {}\n",
                self.player_keys()
                    .iter()
                    .map(|key| format!("`{key}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            false => String::new(),
        }
    }

    /// What an expression can name: the variables of the step that asks, and who is `me`.
    pub(super) fn names(&self, me: Option<PlayerId>) -> Vec<Name> {
        let mut names = waiting_names(&self.game.rules, &self.game.state);
        if let Some(player) = me {
            names.retain(|name| name.name != "me");
            names.push(Name {
                name: "me".to_owned(),
                of: Type::PLAYER,
                value: Value::from(player),
            });
        }
        // What the step that asks calls so goes first.
        for player in self.player_names() {
            if names.iter().all(|known| known.name != player.name) {
                names.push(player);
            }
        }
        names
    }
}
