//! Writing a scenario from a game that was played.

use std::fmt::Write;

use crate::flow::{Game, ItemValue, Written, scores};
use crate::script::Scratch;

/// A text in quotes, as TOML wants it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if other.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(other)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// An item's value as TOML.
fn value(value: &ItemValue) -> String {
    match value {
        ItemValue::Bool(value) => value.to_string(),
        ItemValue::Int(value) => value.to_string(),
        ItemValue::Text(text) => quoted(text),
        ItemValue::List(words) => list(words),
        ItemValue::Top { top } => format!("{{ top = {} }}", list(top)),
    }
}

fn answer(written: &Written) -> String {
    match written {
        Written::Confirm(value) => value.to_string(),
        Written::Number(value) => value.to_string(),
        Written::One(key) => quoted(key),
        Written::Some(keys) => list(keys),
    }
}

/// A scenario that plays a game again: its answers without the forced ones, chance from its seed, and at the end its
/// scores or the decision it stops at.
pub fn from_game(game: &Game, title: &str) -> String {
    let rules = &game.rules;
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = from_game_to(game, title, rules, &mut text);
    text
}

fn from_game_to(
    game: &Game,
    title: &str,
    rules: &crate::script::Rules,
    text: &mut String,
) -> std::fmt::Result {
    writeln!(text, "format = 1")?;
    writeln!(text, "title = {}", quoted(title))?;
    writeln!(text, "pack = {}", quoted(&rules.pack.id))?;
    if !rules.pack.changed.is_empty() {
        let set: Vec<String> = rules
            .pack
            .changed
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        writeln!(text, "parameters = {{ {} }}", set.join(", "))?;
    }
    writeln!(text, "players = {}", game.setup.players)?;
    writeln!(text, "seed = {}", game.setup.seed)?;
    writeln!(text, "clauses = []")?;
    writeln!(text, "\nplay = [")?;
    let mut place = None;
    for (index, step) in game.history.iter().enumerate() {
        for change in game
            .interventions
            .iter()
            .filter(|change| change.at == index)
        {
            write_change(text, change)?;
        }
        if step.forced {
            continue;
        }
        let here = (step.position.round, step.position.phase);
        if place != Some(here) {
            place = Some(here);
            let phase = here.1.map_or("", |block| {
                rules.pack.blocks[block.index()].name.id.as_str()
            });
            writeln!(text, "    # round {}: {phase}", here.0)?;
        }
        writeln!(
            text,
            "    {{ player_{}.{} = {} }},",
            step.decision.player.0 + 1,
            step.decision.key,
            answer(&step.decision.write(&step.answer))
        )?;
    }
    let after = game.history.len();
    for change in game
        .interventions
        .iter()
        .filter(|change| change.at == after)
    {
        write_change(text, change)?;
    }
    writeln!(text, "]")?;
    if let Some(start) = game.setup.start {
        writeln!(text, "\n[start]")?;
        if let Some(block) = start.block {
            let block = &rules.pack.blocks[block.index()].name.id;
            writeln!(text, "block = {}", quoted(block))?;
        }
        writeln!(text, "round = {}", start.round)?;
    }
    if !game.arranged.is_empty() {
        writeln!(text, "\n[table]")?;
        for setting in &game.arranged {
            writeln!(
                text,
                "{} = {}",
                quoted(&setting.item),
                value(&setting.value)
            )?;
        }
    }
    writeln!(text, "\n[expect]")?;
    if let Some(decision) = game.decision() {
        let asked = format!("player_{}.{}", decision.player.0 + 1, decision.key);
        return writeln!(text, "asked = {}", quoted(&asked));
    }
    writeln!(text, "over = true")?;
    if let Ok(scores) = scores(rules, &game.state, &mut Scratch::default()) {
        let totals: Vec<String> = scores.iter().map(|score| score.total.to_string()).collect();
        let winners: Vec<String> = scores
            .iter()
            .filter(|score| score.place == 1)
            .map(|score| (score.player.0 + 1).to_string())
            .collect();
        writeln!(text, "scores = [{}]", totals.join(", "))?;
        writeln!(text, "winner = [{}]", winners.join(", "))?;
    }
    Ok(())
}

fn write_change(text: &mut String, change: &crate::flow::Intervention) -> std::fmt::Result {
    let set: Vec<String> = change
        .settings
        .iter()
        .map(|setting| format!("{} = {}", quoted(&setting.item), value(&setting.value)))
        .collect();
    writeln!(text, "    {{ set = {{ {} }} }},", set.join(", "))
}
