//! What people call players and items: by key, by title, and with what belongs together in either order.

use crate::flow::Item;
use crate::flow::listing::titled;
use crate::script::evaluate::Name;
use crate::script::types::Type;
use crate::table::Value;
use crate::table::ids::PlayerId;

use super::session::Session;
use super::text::{Line, Paint};

/// A name in lower case with spaces between its words.
fn spoken(text: &str) -> String {
    text.trim().to_lowercase().replace('_', " ")
}

impl Session {
    /// Those who play.
    pub(super) fn players(&self) -> impl Iterator<Item = PlayerId> + use<> {
        (0..self.game.setup.players).map(PlayerId)
    }

    /// The player of a key or a title.
    pub(super) fn player_called(&self, text: &str) -> Option<PlayerId> {
        let layout = self.game.rules.layout();
        let wanted = spoken(text);
        self.players().find(|player| {
            let value = Value::from(*player);
            spoken(&layout.key(value)) == wanted || spoken(&layout.title(value)) == wanted
        })
    }

    /// Which key is whose, where names do not say it; nothing if all do.
    pub(super) fn who_is_who(&self) -> Option<Line> {
        let words = self.words(self.viewer());
        let mut line = Line::new();
        for player in self.players() {
            let Some(key) = words.player_key(player) else {
                continue;
            };
            line.push(if line.is_empty() { "" } else { ", " }, Paint::Dim);
            line.push(format!("{key} is "), Paint::Dim);
            line.append(words.player(player));
        }
        (!line.is_empty()).then_some(line)
    }

    /// The players as expressions may name them: by key, and by title where that can be a name.
    pub(super) fn player_names(&self) -> Vec<Name> {
        let layout = self.game.rules.layout();
        let mut names: Vec<Name> = Vec::new();
        for player in self.players() {
            let value = Value::from(player);
            let title = spoken(&layout.title(value)).replace(' ', "_");
            let is_name = title.starts_with(|first: char| first.is_ascii_lowercase())
                && title.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let title = is_name.then_some(title);
            for name in [layout.key(value)].into_iter().chain(title) {
                if names.iter().all(|known| known.name != name) {
                    names.push(Name {
                        name,
                        of: Type::PLAYER,
                        value,
                    });
                }
            }
        }
        names
    }

    /// The path of the item that a text means: a path as files have it, with titles for keys, or with its
    /// owner in brackets.
    pub(super) fn path_meant(&self, text: &str) -> Option<String> {
        let layout = self.game.rules.layout();
        let table = &self.game.state.table;
        let text = text.trim();
        let is_path = |path: &str| Item::parse(layout, table, path).is_ok();
        if is_path(text) {
            return Some(text.to_owned());
        }
        let (head, rest) = text.split_at(text.find('[').unwrap_or(text.len()));
        let rest = rest.strip_suffix(']').unwrap_or(rest);
        let mut indexes: Vec<&str> = rest
            .split(']')
            .filter_map(|at| at.strip_prefix('['))
            .collect();
        let (owner, family) = match head.rsplit_once('.') {
            Some((owner, family)) => (owner, family),
            None if indexes.is_empty() => return self.own_path(text),
            None => (indexes.remove(0), head),
        };
        let keys = |word: &str| -> Vec<String> {
            let named = titled(layout, table, &spoken(word)).into_iter();
            let titled = named.map(|value| layout.key(value));
            [word.trim().to_owned()].into_iter().chain(titled).collect()
        };
        let family = spoken(family).replace(' ', "_");
        // What stands in brackets is tried as it is, then by title.
        let brackets = |titles: bool| -> String {
            let one = |word: &&str| {
                let mut keys = keys(word);
                let at = if titles { keys.len() - 1 } else { 0 };
                format!("[{}]", keys.swap_remove(at))
            };
            indexes.iter().map(one).collect()
        };
        let owners = keys(owner);
        let paths = owners.iter().flat_map(|owner| {
            [false, true].map(|titles| format!("{owner}.{family}{}", brackets(titles)))
        });
        paths.into_iter().find(|path| is_path(path))
    }

    /// The path of what the player to decide has of a name, unless a parameter has it too.
    fn own_path(&self, name: &str) -> Option<String> {
        let player = self.game.state.run.ask?.player;
        let family = spoken(name).replace(' ', "_");
        let mut parameters = self.game.rules.pack.parameters.iter();
        if parameters.any(|known| known.name.id == family) {
            return None;
        }
        let layout = self.game.rules.layout();
        let path = format!("{}.{family}", layout.key(Value::from(player)));
        Item::parse(layout, &self.game.state.table, &path)
            .is_ok()
            .then_some(path)
    }

    /// Words with the paths that they mean, one by one or all together.
    pub(super) fn words_meant(&self, words: &[&str]) -> Vec<String> {
        let has_path = |text: &str| text.contains(['.', '[']);
        let whole = words.join(" ");
        if has_path(&whole)
            && let Some(path) = self.path_meant(&whole)
        {
            return vec![path];
        }
        let meant = |word: &&str| {
            let path = has_path(word).then(|| self.path_meant(word)).flatten();
            path.unwrap_or_else(|| (*word).to_owned())
        };
        words.iter().map(meant).collect()
    }
}
