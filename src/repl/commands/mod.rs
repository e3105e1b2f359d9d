//! The commands: one file for each group, in one table.
//!
//! A command is an [`Info`](super::command::Info) in its group's list: name, arguments, help, examples,
//! what it does to the [`Session`](super::Session), and how its arguments are completed. A new group is a
//! file here and a line in [`GROUPS`].

mod bots;
pub(super) mod breaks;
mod change;
mod files;
mod general;
mod history;
mod inspect;
mod log;
pub(super) mod reload;
pub(super) mod resume;
pub(super) mod rules;
mod scenario;
pub(super) mod step;
mod table;
mod why;

use super::command::Group;

/// All groups, in the order of the help.
pub const GROUPS: &[Group] = &[
    Group {
        title: "The table",
        commands: table::COMMANDS,
    },
    Group {
        title: "Looking closer",
        commands: inspect::COMMANDS,
    },
    Group {
        title: "Why",
        commands: why::COMMANDS,
    },
    Group {
        title: "Back and forth",
        commands: history::COMMANDS,
    },
    Group {
        title: "Playing on",
        commands: bots::COMMANDS,
    },
    Group {
        title: "Statement by statement",
        commands: step::COMMANDS,
    },
    Group {
        title: "Changing the table",
        commands: change::COMMANDS,
    },
    Group {
        title: "Changing the rules",
        commands: rules::COMMANDS,
    },
    Group {
        title: "Files",
        commands: files::COMMANDS,
    },
    Group {
        title: "Scenarios",
        commands: scenario::COMMANDS,
    },
    Group {
        title: "Games that were left",
        commands: resume::COMMANDS,
    },
    Group {
        title: "The session",
        commands: general::COMMANDS,
    },
];
