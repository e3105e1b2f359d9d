//! Bots by their names.

use super::Failure;
use crate::diag::noun;
use crate::sim::{BotKind, Lineup};

/// Whether some of the bots go by time, and so do not play the same again.
pub(super) fn by_time(bots: &str) -> bool {
    let names = bots.split(',').map(str::trim);
    names
        .flat_map(BotKind::parse)
        .any(|kind| kind.goes_by_time())
}

/// Reads one bot for all players, or one for each with commas between them.
///
/// # Errors
/// When there is no such bot, or there are not as many as players.
pub(super) fn lineup(bots: &str, players: u8, rotates: bool) -> Result<Lineup, Failure> {
    let mut kinds = Vec::new();
    for name in bots.split(',').map(str::trim) {
        kinds.push(BotKind::parse(name).map_err(Failure::Message)?);
    }
    let mut lineup = match kinds[..] {
        [one] => Lineup::all(one),
        _ if kinds.len() == usize::from(players) => Lineup::of(&kinds),
        _ => {
            return Err(Failure::Message(format!(
                "{} bots for {players} {}: expected one for all, or one for each",
                kinds.len(),
                noun(players, "player", "players")
            )));
        }
    };
    lineup.rotates = rotates;
    Ok(lineup)
}
