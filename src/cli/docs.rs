//! `yukon docs`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use super::output::need_path;
use super::{Cli, Failure, print};
use crate::diag::nearest;
use crate::docs::schema::{schemas, taplo};
use crate::docs::{Topic, codes, topics};
use crate::repl::command::help_for;
use crate::repl::commands::GROUPS;

/// Explains the language of scripts, the formats of files, and the codes of problems
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A topic, or a code such as Y0106; the list of topics if none is given
    topic: Option<String>,

    /// Write all topics as Markdown files into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "topic")]
    write: Option<PathBuf>,

    /// Write a JSON Schema for each kind of TOML files into this folder, for editors
    #[arg(long, value_name = "DIR", conflicts_with_all = ["topic", "write"])]
    schema: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let folders = [("--write", &args.write), ("--schema", &args.schema)];
    for (option, folder) in folders {
        let wanted = "a folder for several files, such as `docs`";
        folder
            .as_deref()
            .map(|folder| need_path(folder, option, wanted))
            .transpose()?;
    }
    if let Some(folder) = &args.write {
        return write(folder);
    }
    if let Some(folder) = &args.schema {
        return write_schemas(folder);
    }
    let topics = all();
    let Some(wanted) = &args.topic else {
        let mut list = "Topics, for `yukon docs TOPIC`:\n\n".to_owned();
        for topic in &topics {
            list.push_str(&format!("  {:<11} {}\n", topic.name, topic.title));
        }
        list.push_str("\nA code, such as Y0106, is explained by `yukon docs Y0106`.\n");
        print(&list)?;
        return Ok(());
    };
    if let Some(explanation) = codes::explain(wanted) {
        print(&explanation.markdown(1))?;
        return Ok(());
    }
    match topics
        .iter()
        .find(|topic| topic.name == wanted.to_lowercase())
    {
        Some(topic) => {
            print(&topic.markdown())?;
            Ok(())
        }
        None => {
            let names: Vec<&str> = topics.iter().map(|topic| topic.name).collect();
            let hint = match nearest(wanted, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the topics are {}", names.join(", ")),
            };
            Err(Failure::Message(format!(
                "there is no topic and no code `{wanted}`\n{hint}"
            )))
        }
    }
}

/// The topics of the library, and the commands, which only these layers know.
fn all() -> Vec<Topic> {
    let mut all = topics();
    all.push(Topic {
        name: "repl",
        title: "The commands in a running game",
        text: in_a_game(),
    });
    all.push(Topic {
        name: "commands",
        title: "The command line",
        text: commands(),
    });
    all
}

/// Columns of help in a page.
const COLUMNS: usize = 100;

/// The help of each command of the REPL, by groups.
fn in_a_game() -> String {
    let mut text = "What `yukon repl` understands besides answers, as `help` and `help COMMAND` say it there. Commands can \
                    be cut short. `yukon repl --help` says how a game is begun.\n"
        .to_owned();
    for group in GROUPS {
        let commands = group.commands.iter();
        let help: Vec<String> = commands.map(|info| help_for(info, COLUMNS)).collect();
        text.push_str(&format!(
            "\n## {}\n\n```text\n{}```\n",
            group.title,
            help.join("\n")
        ));
    }
    text
}

/// The help of each command.
fn commands() -> String {
    let mut cli = Cli::command().term_width(COLUMNS);
    cli.build();
    let mut text = "What each command takes, as `yukon COMMAND --help` says it.\n".to_owned();
    for command in cli.get_subcommands_mut() {
        if command.get_name() == "help" {
            continue;
        }
        let help = command.render_long_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        text.push_str(&format!(
            "\n## `yukon {}`\n\n```text\n{}\n```\n",
            command.get_name(),
            help.join("\n").trim_end()
        ));
    }
    text
}

/// Writes the schemas of TOML files, and says how an editor finds them.
fn write_schemas(folder: &Path) -> Result<(), Failure> {
    make(folder)?;
    for schema in schemas() {
        let mut text =
            serde_json::to_string_pretty(&schema.schema).map_err(std::io::Error::from)?;
        text.push('\n');
        write_to(&folder.join(schema.file), &text)?;
    }
    let shown = folder.to_string_lossy().replace('\\', "/");
    print(&format!(
        "# Written. For Taplo, and editors that use it, put this into `.taplo.toml` at the root of the\n\
         # project; or begin a file with a line such as `#:schema PATH/pack.schema.json`.\n\n{}",
        taplo(shown.trim_end_matches('/'))
    ))?;
    Ok(())
}

/// Writes all topics, and all codes on one page.
fn write(folder: &Path) -> Result<(), Failure> {
    make(folder)?;
    for topic in all() {
        let mut page = topic.markdown();
        if topic.name == "codes" {
            for explanation in codes::all() {
                page.push_str(&format!("\n{}", explanation.markdown(2)));
            }
        }
        write_to(&folder.join(format!("{}.md", topic.name)), &page)?;
    }
    Ok(())
}

/// Makes a folder, if it is not there.
fn make(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Message(format!("cannot make {}: {error}", folder.display())))
}

fn write_to(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .map_err(|error| Failure::Message(format!("cannot write {}: {error}", path.display())))
}
