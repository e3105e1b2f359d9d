//! Why a parameter has its value, and why something cannot be chosen.

use serde::Serialize;

use crate::diag::nearest;
use crate::flow::{Item, decision, refusals};
use crate::repl::answer;
use crate::repl::board::Words;
use crate::repl::command::{Args, Candidates, Info};
use crate::repl::commands::log::NOTHING;
use crate::repl::narrate::reason;
use crate::repl::session::{Reply, Session};
use crate::repl::text::{Line, Paint, indented, render};
use crate::script::chain::{Chain, chain};
use crate::script::evaluate::evaluate_with;
use crate::script::refusal::{Refusal, explain};
use crate::table::Value;
use crate::table::event::Event;
use crate::table::ids::ParameterId;
use crate::table::view::Viewer;

/// Changes of an item that are told.
const MOST_CHANGES: usize = 3;

pub(super) const COMMANDS: &[Info] = &[Info {
    name: "why",
    arguments: "[not CHOICE | PARAMETER .. | ITEM]",
    about: "say why something cannot be chosen, or a number is what it is; alone it lists the parameters",
    examples: &[
        (
            "why",
            "all parameters of the rules, with their values for the player to decide",
        ),
        (
            "why not X",
            "the reason why X is refused, its numbers, and the script's conditions",
        ),
        (
            "why price",
            "the parameter `price` for the player to decide: base, modifiers, result",
        ),
        ("why price of player_2", "for another player"),
        (
            "why player_2.coins",
            "an item of the table: its value, and the last answers that changed it",
        ),
        (
            "why price for node::inn",
            "about something, as scripts name it",
        ),
        (
            "why price --json",
            "the same for programs; also with `why not`",
        ),
    ],
    run: why,
    complete: complete_why,
}];

fn why(session: &mut Session, args: &Args<'_>) -> Reply {
    let words: Vec<&str> = args
        .words
        .iter()
        .copied()
        .filter(|word| *word != "--json")
        .collect();
    let json = words.len() < args.words.len();
    match words[..] {
        ["not", _, ..] => session.why_not(&words[1..].join(" "), json),
        [] => session.parameters(json),
        ["not"] => Reply::failed("`why not CHOICE` or `why PARAMETER` is meant"),
        _ => session.why_parameter(&words, json),
    }
}

fn complete_why(session: &Session, text: &str) -> Candidates {
    if let Some(choice) = text.strip_prefix("not ") {
        return Candidates {
            start: text.len() - choice.trim_start().len(),
            words: session.refused_keys(),
        };
    }
    let pack = &session.game.rules.pack;
    let parameters = pack.parameters.iter().map(|known| known.name.id.clone());
    let typed: Vec<&str> = text.split_whitespace().collect();
    match typed[..] {
        [.., "of"] | [.., "of", _] => Candidates::words(text, session.player_keys()),
        _ if text.contains(char::is_whitespace) => {
            Candidates::words(text, ["of", "for"].map(str::to_owned).to_vec())
        }
        _ => Candidates::first(text, parameters.chain(["not".to_owned()]).collect()),
    }
}

/// A refusal for programs.
#[derive(Serialize)]
struct Refused {
    choice: String,
    reason: String,
    text: String,
    numbers: Vec<String>,
    #[serde(flatten)]
    script: Option<Refusal>,
}

impl Session {
    fn refused_keys(&self) -> Vec<String> {
        let refused = self.game.notices.iter();
        refused
            .filter_map(|event| self.refused_names(event))
            .map(|[key, _]| key)
            .collect()
    }

    /// The key and the label of what a refusal is about.
    fn refused_names(&self, event: &Event) -> Option<[String; 2]> {
        let Event::Refused { parts, .. } = event else {
            return None;
        };
        let player = self.game.state.run.ask?.player;
        let words = self.words(Viewer::Player(player));
        let key = |part: &Value| decision::key(&self.game.rules, &self.game.state, *part);
        let keys: Vec<String> = parts.iter().map(key).collect();
        let labels: Vec<String> = parts.iter().map(|part| words.value(*part).text()).collect();
        Some([keys.join(" "), labels.join(", ")])
    }

    fn why_not(&self, choice: &str, json: bool) -> Reply {
        let Some(decision) = self.game.decision() else {
            return Reply::failed("nothing is asked");
        };
        let wanted = answer::bare(choice);
        // Positions among the refusals of this decision.
        let refused: Vec<(&Event, [String; 2])> = self
            .game
            .notices
            .iter()
            .filter_map(|event| Some((event, self.refused_names(event)?)))
            .collect();
        let find = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..refused.len())
                .filter(|at| refused[*at].1.iter().any(|name| test(&answer::bare(name))))
                .collect()
        };
        let mut found = find(&|name| name == wanted);
        if found.is_empty() {
            if let Ok(answer) = self.read_answer(&decision, choice) {
                let written = decision.write(&answer);
                return Reply::ok(format!("it can be chosen: `{written}`\n"));
            }
            found = find(&|name| name.starts_with(&wanted));
        }
        if found.is_empty() {
            found = find(&|name| name.contains(&wanted));
        }
        if !found.is_empty() {
            let events: Vec<(usize, &Event)> =
                found.into_iter().map(|at| (at, refused[at].0)).collect();
            return self.tell_refused(&events, json);
        }
        let keys = decision
            .choices
            .iter()
            .flat_map(|choice| [choice.key.as_str(), choice.label.as_str()]);
        let known = refused
            .iter()
            .flat_map(|(_, names)| names.iter().map(String::as_str))
            .chain(keys);
        Reply::failed(match nearest(&wanted, known) {
            Some(near) => format!("`{choice}` is no choice here; did you mean `{near}`?"),
            None => format!(
                "`{choice}` is no choice of this decision, and nothing is said of it; `options` lists what is"
            ),
        })
    }

    /// Tells refusals with what the script says of them; equal ones once.
    fn tell_refused(&self, events: &[(usize, &Event)], json: bool) -> Reply {
        let player = self.game.state.run.ask.map(|ask| ask.player);
        let words = self.words(player.map_or(Viewer::Spectator, Viewer::Player));
        let kept = refusals(&self.game).unwrap_or_default();
        let mut lines: Vec<Line> = Vec::new();
        let mut told: Vec<Line> = Vec::new();
        let mut all: Vec<Refused> = Vec::new();
        for (at, event) in events {
            let Some(line) = self.refusal(&words, event) else {
                continue;
            };
            if told.contains(&line) {
                continue;
            }
            told.push(line.clone());
            let script = kept
                .get(*at)
                .and_then(|(_, state)| explain(&self.game.rules, state));
            all.extend(self.refused_for_programs(&words, event, script.clone()));
            lines.push(line);
            let script = script.map_or(Vec::new(), |script| script.lines());
            let script = script
                .into_iter()
                .map(|line| Line::of(line, Paint::Dim))
                .collect();
            lines.extend(indented(script));
        }
        match json {
            true => as_json(&all),
            false => Reply::ok(render(&lines, self.look)),
        }
    }

    fn refused_for_programs(
        &self,
        words: &Words<'_>,
        event: &Event,
        script: Option<Refusal>,
    ) -> Option<Refused> {
        let Event::Refused {
            reason: id,
            numbers,
            ..
        } = event
        else {
            return None;
        };
        let [choice, _] = self.refused_names(event)?;
        let rules = &self.game.rules;
        Some(Refused {
            choice,
            reason: rules.pack.reasons[id.index()].name.id.clone(),
            text: reason(rules, words, event)?,
            numbers: numbers
                .iter()
                .map(|number| decision::key(rules, &self.game.state, *number))
                .collect(),
            script,
        })
    }

    /// What an item is, and what made it so; nothing if none is meant.
    fn why_item(&self, text: &str) -> Option<Reply> {
        let path = self.path_meant(text)?;
        let line = self.item_in_words(&path, self.viewer())?;
        let item = Item::parse(self.game.rules.layout(), &self.game.state.table, &path).ok()?;
        let value = render(&[line], self.look);
        let mut changes = match self.changes_of(item, MOST_CHANGES) {
            changes if changes.starts_with(NOTHING) => String::new(),
            changes => changes,
        };
        let outside = self.set_from_outside(item);
        if changes.is_empty() && outside.is_empty() {
            let opening = &self.game.opening;
            changes = match opening.iter().any(|event| self.touches(event, &[item])) {
                true => "it is as it was before the first decision: no answer has changed it\n",
                false => "no answer has changed it\n",
            }
            .to_owned();
        }
        Some(Reply::ok(format!("{value}{changes}{outside}")))
    }

    /// When an item was changed from outside, a line each; the last times only.
    fn set_from_outside(&self, item: Item) -> String {
        let layout = self.game.rules.layout();
        let table = &self.game.state.table;
        let all = self.game.interventions.iter().flat_map(|change| {
            let settings = change.settings.iter();
            settings.map(|setting| (change.at + 1, setting))
        });
        let own: Vec<String> = all
            .filter(|(_, setting)| Item::parse(layout, table, &setting.item) == Ok(item))
            .map(|(number, setting)| {
                format!(
                    "changed from outside at decision {number}: {} = {}\n",
                    setting.item, setting.value
                )
            })
            .collect();
        own[own.len().saturating_sub(MOST_CHANGES)..].concat()
    }

    /// All parameters with what they are for the player to decide.
    fn parameters(&self, json: bool) -> Reply {
        let rules = &self.game.rules;
        let player = self.game.state.run.ask.map(|ask| ask.player);
        let of = player.map_or(Value::UNIT, Value::from);
        let chains: Vec<Chain> = (0..rules.pack.parameters.len())
            .map(ParameterId::from_index)
            .map(|parameter| chain(rules, &self.game.state, parameter, of, Value::UNIT))
            .collect();
        if json {
            return as_json(&chains);
        }
        if chains.is_empty() {
            return Reply::ok("the rules have no parameters\n".to_owned());
        }
        let rows: Vec<(String, String)> = chains
            .into_iter()
            .map(|chain| {
                let base = chain.set.unwrap_or(chain.base);
                // One that is about something has no value without it.
                let value = chain.result.unwrap_or(base).to_string();
                let own = match (chain.set, chain.result) {
                    (Some(_), _) => format!(" (set; the pack has {})", chain.base),
                    (None, Some(result)) if result != base => format!(" (base {base})"),
                    _ => String::new(),
                };
                (format!("{} = {value}{own}", chain.parameter), chain.doc)
            })
            .collect();
        let widest = rows.iter().map(|(value, _)| value.chars().count()).max();
        let mut lines: Vec<Line> = rows
            .into_iter()
            .map(|(value, doc)| {
                let mut line = Line::plain(value);
                line.pad(widest.unwrap_or(0) + 2);
                line.push(doc, Paint::Dim);
                line
            })
            .collect();
        let first = &rules.pack.parameters[0];
        lines.push(Line::of(
            format!(
                "`why {0}` says why, `set {0} {1}` plays with another",
                first.name.id, first.base
            ),
            Paint::Dim,
        ));
        Reply::ok(render(&lines, self.look))
    }

    fn why_parameter(&self, words: &[&str], json: bool) -> Reply {
        let rules = &self.game.rules;
        let parameters = &rules.pack.parameters;
        let Some(index) = parameters.iter().position(|it| it.name.id == words[0]) else {
            if let Some(reply) = self.why_item(&words.join(" ")) {
                return reply;
            }
            let word = words[0];
            let near = self.near_names(word);
            return Reply::failed(match near.is_empty() {
                false => format!("there is no parameter or item `{word}`; {near}"),
                true => format!(
                    "there is no parameter or item `{word}`: `why` alone lists the parameters, `state` the items, and \
                     `why not {word}` asks about a choice"
                ),
            });
        };
        let mut player = self.game.state.run.ask.map(|ask| ask.player);
        let mut subject = Value::UNIT;
        let mut rest = &words[1..];
        while !rest.is_empty() {
            let end = rest
                .iter()
                .skip(1)
                .position(|word| matches!(*word, "of" | "for"))
                .map_or(rest.len(), |at| at + 1);
            let text = rest[1..end].join(" ");
            match rest[0] {
                "of" => match self.player_named(&text) {
                    Ok(found) => player = Some(found),
                    Err(error) => return Reply::failed(error),
                },
                "for" => match evaluate_with(rules, &self.game.state, &text, &self.names(player)) {
                    Ok(found) => subject = found.value,
                    Err(wrong) => return Reply::failed(wrong.render(self.style())),
                },
                other => {
                    return Reply::failed(format!(
                        "`{other}` is not understood: `why PARAMETER of PLAYER for SUBJECT` is meant"
                    ));
                }
            }
            rest = &rest[end..];
        }
        let of = player.map_or(Value::UNIT, Value::from);
        let parameter = ParameterId::from_index(index);
        let chain = chain(rules, &self.game.state, parameter, of, subject);
        if json {
            return as_json(&chain);
        }
        let lines: Vec<Line> = chain.lines().into_iter().map(Line::plain).collect();
        Reply::ok(render(&lines, self.look))
    }
}

fn as_json<T: Serialize>(value: &T) -> Reply {
    match serde_json::to_string_pretty(value) {
        Ok(text) => Reply::ok(format!("{text}\n")),
        Err(error) => Reply::failed(error.to_string()),
    }
}
