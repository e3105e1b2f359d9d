//! The commands of the REPL, with their help.

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Explains commands.
    Help,
    /// Draws the board.
    Board,
    /// Lists what lies there and every number.
    State,
    /// Shows the question again.
    Options,
    /// Says why something cannot be chosen.
    Why,
    /// Takes an answer back.
    Undo,
    /// Gives an answer again.
    Redo,
    /// Tells what happened.
    Log,
    /// Answers at random.
    Bot,
    /// Keeps the game in a file.
    Save,
    /// Takes a game from a file.
    Load,
    /// Counts the points.
    Scores,
    /// Says which seed the game has.
    Seed,
    /// Leaves.
    Quit,
}

/// A command and how it is explained.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// What it does.
    pub command: Command,
    /// Its name.
    pub name: &'static str,
    /// What may follow the name.
    pub arguments: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Examples, each with what it does.
    pub examples: &'static [(&'static str, &'static str)],
}

/// All commands, in the order of the help.
pub const COMMANDS: &[Info] = &[
    Info {
        command: Command::Help,
        name: "help",
        arguments: "[COMMAND]",
        about: "explain the commands, or one of them",
        examples: &[("help why", "explain `why`")],
    },
    Info {
        command: Command::Board,
        name: "board",
        arguments: "[PANEL] [--all]",
        about: "draw the board as the player to decide sees it",
        examples: &[
            ("board", "the whole board"),
            ("board map", "only the panel `map`, if the game has one"),
            ("board --all", "nothing is hidden"),
        ],
    },
    Info {
        command: Command::State,
        name: "state",
        arguments: "[ITEM].. [--all]",
        about: "list zones, counters, dials and toggles",
        examples: &[
            ("state", "everything that is not as it was at the start"),
            (
                "state hand",
                "the zones, counters, dials or toggles of this name",
            ),
            (
                "state player_1",
                "all that belongs to a player, a node or another thing",
            ),
            ("state hand player_1", "both at once"),
        ],
    },
    Info {
        command: Command::Options,
        name: "options",
        arguments: "",
        about: "show the question again, with keys and with what is refused",
        examples: &[(
            "options",
            "the choices, their keys, and what cannot be chosen and why",
        )],
    },
    Info {
        command: Command::Why,
        name: "why",
        arguments: "not CHOICE",
        about: "say why something cannot be chosen",
        examples: &[("why not X", "the reason why X is refused, with its numbers")],
    },
    Info {
        command: Command::Undo,
        name: "undo",
        arguments: "[N]",
        about: "take back the last answer, or the last N",
        examples: &[("undo", "one answer"), ("undo 3", "three answers")],
    },
    Info {
        command: Command::Redo,
        name: "redo",
        arguments: "[N]",
        about: "give the answer again that was taken back last",
        examples: &[("redo", "one answer")],
    },
    Info {
        command: Command::Log,
        name: "log",
        arguments: "[N] [--all]",
        about: "tell the last answers and what came of them",
        examples: &[
            ("log", "the last ten answers"),
            ("log 50", "the last fifty"),
            ("log --all", "nothing is hidden"),
        ],
    },
    Info {
        command: Command::Bot,
        name: "bot",
        arguments: "[N | all]",
        about: "let a bot answer at random, once, N times or to the end",
        examples: &[
            ("bot", "this decision"),
            ("bot 10", "ten decisions"),
            ("bot all", "the rest of the game"),
        ],
    },
    Info {
        command: Command::Save,
        name: "save",
        arguments: "FILE",
        about: "keep the game in a file, as a record",
        examples: &[("save game.json", "write the record `game.json`")],
    },
    Info {
        command: Command::Load,
        name: "load",
        arguments: "FILE",
        about: "go on with a game from a file; the one at hand is left",
        examples: &[(
            "load game.json",
            "play the record `game.json` again and go on",
        )],
    },
    Info {
        command: Command::Scores,
        name: "scores",
        arguments: "",
        about: "count the points as if the game ended now",
        examples: &[],
    },
    Info {
        command: Command::Seed,
        name: "seed",
        arguments: "",
        about: "say which seed and how many players the game has",
        examples: &[],
    },
    Info {
        command: Command::Quit,
        name: "quit",
        arguments: "",
        about: "leave (also Ctrl-D)",
        examples: &[],
    },
];

/// The command of this name.
pub fn exact(name: &str) -> Option<&'static Info> {
    let name = match name {
        "exit" => "quit",
        "?" => "help",
        name => name,
    };
    COMMANDS.iter().find(|info| info.name == name)
}

/// The only command whose name begins so.
pub fn begun(name: &str) -> Option<&'static Info> {
    if name.is_empty() {
        return None;
    }
    let mut found = COMMANDS.iter().filter(|info| info.name.starts_with(name));
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The general help.
pub fn help() -> String {
    let mut text = String::from(
        "Answer with the number of an option, with its key, its label, or the beginning of these.\n\
         Where several may be chosen: `1 3 3`, or keys and labels with commas between them; `none`\n\
         for none. A line that begins with # is left out.\n\n",
    );
    let widest = COMMANDS
        .iter()
        .map(|info| usage(info).len())
        .max()
        .unwrap_or(0);
    for info in COMMANDS {
        text.push_str(&format!("  {:widest$}  {}\n", usage(info), info.about));
    }
    text.push_str(
        "\nCommands can be cut short: `o` is `options`. `help COMMAND` shows examples.\n",
    );
    text
}

/// A command with its arguments.
pub fn usage(info: &Info) -> String {
    format!("{} {}", info.name, info.arguments)
        .trim_end()
        .to_owned()
}

/// The help of one command.
pub fn help_for(info: &Info) -> String {
    let mut text = format!("{}: {}\n", usage(info), info.about);
    let widest = info
        .examples
        .iter()
        .map(|(example, _)| example.len())
        .max()
        .unwrap_or(0);
    for (example, about) in info.examples {
        text.push_str(&format!("  {example:widest$}  {about}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_cut_short() {
        assert_eq!(begun("o").map(|info| info.name), Some("options"));
        assert_eq!(begun("b").map(|info| info.name), None);
        assert_eq!(begun("bo").map(|info| info.name), None);
        assert_eq!(begun("boa").map(|info| info.name), Some("board"));
        assert_eq!(begun("").map(|info| info.name), None);
        assert_eq!(exact("exit").map(|info| info.name), Some("quit"));
    }
}
