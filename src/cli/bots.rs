//! Bots by their names.

use super::Failure;
use crate::sim::{BotKind, Lineup};

/// Reads one bot for all players, or one for each with commas between them.
///
/// # Errors
/// When there is no such bot, or there are not as many as players.
pub(super) fn lineup(bots: &str, players: u8, rotates: bool) -> Result<Lineup, Failure> {
    let mut kinds = Vec::new();
    for name in bots.split(',').map(str::trim) {
        match BotKind::named(name) {
            Some(kind) => kinds.push(kind),
            None => return Err(Failure::Message(unknown_bot(name))),
        }
    }
    let mut lineup = match kinds[..] {
        [one] => Lineup::all(one),
        _ if kinds.len() == usize::from(players) => Lineup::of(&kinds),
        _ => {
            return Err(Failure::Message(format!(
                "{} bots for {players} players: expected one for all, or one for each",
                kinds.len()
            )));
        }
    };
    lineup.rotates = rotates;
    Ok(lineup)
}

/// Says that there is no such bot, and which there are.
fn unknown_bot(name: &str) -> String {
    let known: Vec<&str> = BotKind::ALL.iter().map(|kind| kind.bot().name()).collect();
    format!(
        "there is no bot `{name}`; the bots are: {}",
        known.join(", ")
    )
}
