//! What happened, for those who listen.

use super::ids::{
    BlockId, CounterId, DecisionId, DialId, GroupId, PieceId, PlayerId, ReasonId, StatisticId,
    StreamId, ToggleId, ZoneId,
};
use super::value::Value;

/// A change of the table or a notice of a script. Simulations listen to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A piece went from one zone to another.
    Moved {
        /// The piece.
        piece: PieceId,
        /// Where it was.
        from: ZoneId,
        /// Where it is.
        to: ZoneId,
        /// Whether it lies face down there.
        face_down: bool,
    },
    /// A piece was turned over.
    Turned {
        /// The piece.
        piece: PieceId,
        /// Whether it lies face down now.
        face_down: bool,
    },
    /// A piece was made for an unlimited supply.
    Made {
        /// The piece.
        piece: PieceId,
        /// Where.
        zone: ZoneId,
    },
    /// A die was rolled.
    Rolled {
        /// The die.
        piece: PieceId,
        /// The face.
        face: u8,
    },
    /// A die was set to a face without chance.
    Set {
        /// The die.
        piece: PieceId,
        /// The face.
        face: u8,
    },
    /// A zone was shuffled.
    Shuffled {
        /// The zone.
        zone: ZoneId,
        /// Its order now, from the bottom to the top.
        order: Vec<PieceId>,
    },
    /// Something was drawn from a stream.
    Picked {
        /// The stream.
        stream: StreamId,
        /// What came.
        value: Value,
    },
    /// A counter changed.
    Counted {
        /// The family.
        counter: CounterId,
        /// The cell.
        cell: u16,
        /// The cell's value before.
        from: i32,
        /// The cell's value now.
        to: i32,
    },
    /// A dial's needle moved.
    Dialled {
        /// The family.
        dial: DialId,
        /// The cell.
        cell: u16,
        /// Position before.
        from: i32,
        /// Position now.
        to: i32,
    },
    /// A toggle was turned.
    Toggled {
        /// The family.
        toggle: ToggleId,
        /// The cell.
        cell: u16,
        /// Whether it is on now.
        on: bool,
    },
    /// A group came to life.
    Formed {
        /// The group.
        group: GroupId,
    },
    /// A group was emptied and is no more.
    Ceased {
        /// The group.
        group: GroupId,
    },
    /// A script refuses what a player might expect.
    Refused {
        /// What is refused.
        parts: Vec<Value>,
        /// Why.
        reason: ReasonId,
        /// The reason's numbers.
        numbers: Vec<Value>,
    },
    /// A script says what an offered choice does.
    Hinted {
        /// The position of the choice among those offered.
        choice: u16,
        /// What it does.
        text: String,
    },
    /// A script says something to the players.
    Said {
        /// What.
        text: String,
    },
    /// A script notes something for those who count.
    Noted {
        /// For which statistic.
        statistic: StatisticId,
        /// Who did it.
        player: PlayerId,
        /// What is told apart; `()` where nothing is.
        what: Value,
    },
    /// A round or a phase begins.
    Entered {
        /// The round, from 1; 0 before the first.
        round: u16,
        /// The phase, if one has begun in this round.
        phase: Option<BlockId>,
    },
    /// A decision is about to be asked.
    Asked {
        /// Which.
        decision: DecisionId,
        /// Whom.
        player: PlayerId,
    },
}

/// What a script said about an offered choice, by its position among the offered ones.
pub fn hint(notices: &[Event], offer: u16) -> Option<&str> {
    notices.iter().find_map(|notice| match notice {
        Event::Hinted { choice, text } if *choice == offer => Some(text.as_str()),
        _ => None,
    })
}
