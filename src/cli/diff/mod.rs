//! `yukon diff`: what variants change of a pack, in words.

mod scenarios;
mod words;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use serde_json::json;
use similar::ChangeTag;

use super::load::{Changes, SET, find, need_selected, once, tell};
use super::output::look;
use super::show::SECTIONS;
use super::{Failure, print};
use crate::diag::{Sources, Span};
use crate::flow::contents::{Following, following};
use crate::pack::compare::differences;
use crate::pack::doc::Document;
use crate::pack::{Resolved, Selection, resolve};
use crate::repl::text::{Colour, Line, Paint, render};
use crate::scenario::compare::{Comparison, compare};
use crate::script::Rules;
use crate::script::chain::declared;
use crate::script::lower::{FunctionChange, How, function_changes};
use crate::table::ids::ParameterId;
use words::{Change, changes};

/// Tells in words what variants change of a pack
///
/// The numbers, the flow, the functions, and what follows from them; and which scenarios of the pack come out
/// differently, from which decision on and in what.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of a folder under `rules/`, found from here upwards, or a path
    pack: String,

    /// Variants of the pack
    #[arg(value_name = "VARIANT")]
    variants: Vec<String>,

    #[command(flatten)]
    changes: Changes,

    /// Where the scenarios are [default: `scenarios/PACK`, found from here upwards]
    #[arg(long)]
    scenarios: Option<PathBuf>,

    /// Tell each scenario that comes out differently, with all that differs up to its next decision
    #[arg(long)]
    all: bool,

    /// How it is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One object
    Json,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut selection = args.changes.selection()?;
    selection
        .variants
        .splice(0..0, args.variants.iter().cloned());
    once(&selection)?;
    if selection == Selection::default() {
        return Err(Failure::Message(
            "which variant? name one or more, or give `--set PARAM=VALUE`".to_owned(),
        ));
    }
    let files = find(&args.pack).map_err(|unknown| tell(&unknown))?;
    let (base, _) = need_selected(&args.pack, &Selection::default(), SET)?;
    let (rules, _) = need_selected(&args.pack, &selection, SET)?;
    let (Some(old), _, _) = resolve(&files, &[]) else {
        return Err(Failure::Told);
    };
    let (Some(new), sources, _) = resolve(&files, &selection.variants) else {
        return Err(Failure::Told);
    };
    let mut changes = all_changes(&old.document, &new, &selection, &base);
    tell_modifiers(&mut changes, &rules);
    let told = Told {
        new: &new,
        sources: &sources,
        following: follows(&changes, &base, &rules),
        changes,
        functions: function_changes(&rules.pack),
    };
    let folder = args.scenarios.clone().or_else(|| scenarios(&base.pack.id));
    let compared = match folder {
        Some(folder) => {
            let found = crate::scenario::find(&[folder], &[])?;
            let paths: Vec<PathBuf> = found.into_iter().map(|found| found.path).collect();
            compare(&paths, &Arc::new(base), &Arc::new(rules)).map_err(Failure::Message)?
        }
        None => Comparison::default(),
    };
    print(&match args.format {
        Format::Text => {
            let look = look(false, None);
            render(&told.lines(&compared, args.all, look.width), look)
        }
        Format::Json => {
            let json = serde_json::to_string_pretty(&told.json(&compared));
            format!("{}\n", json.map_err(std::io::Error::from)?)
        }
    })?;
    Ok(())
}

/// The folder of a pack's scenarios, found from the current directory upwards.
fn scenarios(pack: &str) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .map(|root| root.join("scenarios").join(pack))
        .find(|folder| Path::is_dir(folder))
}

struct Told<'a> {
    new: &'a Resolved,
    sources: &'a Sources,
    changes: Vec<Change>,
    following: Vec<Following>,
    functions: Vec<FunctionChange>,
}

/// All differences in words, those of `--set` as well.
fn all_changes(old: &Document, new: &Resolved, selection: &Selection, base: &Rules) -> Vec<Change> {
    let mut changes = changes(&differences(old, &new.document), old, &new.document);
    for (name, value) in &selection.parameters {
        let known = base.pack.parameters.iter();
        let was = known.clone().find(|known| known.name.id == *name);
        let was = was.map(|known| known.base.to_string());
        changes.push(Change {
            section: "parameter".to_owned(),
            text: format!(
                "parameter `{name}` {} -> {value} (--set)",
                was.as_deref().unwrap_or("?")
            ),
            more: Vec::new(),
            place: None,
            path: format!("parameter.{name}.value"),
            old: was,
            new: Some(value.to_string()),
            aside: false,
            modifiers: Vec::new(),
        });
    }
    changes
}

/// Tells of each parameter whose value is changed what else changes it.
fn tell_modifiers(changes: &mut [Change], rules: &Rules) {
    for (index, parameter) in rules.pack.parameters.iter().enumerate() {
        let path = format!("parameter.{}.value", parameter.name.id);
        for change in changes.iter_mut().filter(|change| change.path == path) {
            let chain = declared(rules, ParameterId::from_index(index));
            change.modifiers = chain.modifiers;
            for link in &change.modifiers {
                let more = &mut change.more;
                more.push(format!("changed further by {}", link.told()));
                // An amount that is another parameter says little without its number.
                let named = rules.pack.parameters.iter().filter(|other| {
                    let name = format!("parameter::{}", other.name.id);
                    link.amount
                        .split(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter))
                        .any(|word| word == name)
                });
                more.extend(
                    named.map(|other| format!("  where {} is {}", other.name.id, other.base)),
                );
            }
        }
    }
}

/// What a table has more or less of, besides what is told of it already.
fn follows(changes: &[Change], old: &Rules, new: &Rules) -> Vec<Following> {
    let told = |section: &str, id: &str| {
        let path = format!("{section}.{id}.");
        changes.iter().any(|change| change.path.starts_with(&path))
    };
    following(old.layout(), new.layout(), &told)
}

impl Told<'_> {
    fn place(&self, span: Option<Span>) -> Option<String> {
        let span = span?;
        let line = self.sources.position(span).line;
        Some(format!("{}:{line}", self.sources.get(span.file).name))
    }

    /// The differences by section, in the order in which `show` tells them; what it does not tell last.
    fn sections(&self) -> Vec<(String, Vec<&Change>)> {
        let mut headings: Vec<(&str, &str)> = SECTIONS.to_vec();
        headings.push(("view", "How the board is drawn"));
        for change in &self.changes {
            if headings.iter().all(|(id, _)| *id != change.section) {
                headings.push((&change.section, &change.section));
            }
        }
        let of = |id: &str| -> Vec<&Change> {
            let own = self.changes.iter().filter(|change| change.section == id);
            own.filter(|change| !change.aside).collect()
        };
        headings
            .iter()
            .map(|(id, heading)| (short(heading).to_owned(), of(id)))
            .filter(|(_, changes)| !changes.is_empty())
            .collect()
    }

    /// What people are told, in so many columns.
    fn lines(&self, compared: &Comparison, all: bool, columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for variant in &self.new.variants {
            let mut title = Line::of(&variant.id, Paint::Bold);
            title.push(format!(": {}", variant.title), Paint::Plain);
            lines.extend([title, Line::plain(format!("  {}", variant.reason))]);
        }
        for (heading, changes) in self.sections() {
            lines.extend([Line::new(), Line::of(heading, Paint::Bold)]);
            for change in changes {
                lines.push(self.placed(format!("  {}", change.text), change.place));
                let own = change.place.filter(|span| self.is_variant(*span));
                let comment = own.map(|span| self.sources.comment_above(span));
                let comment = comment.into_iter().flatten();
                lines.extend(comment.map(|line| Line::plain(format!("    {line}"))));
                let more = change.more.iter();
                lines.extend(more.map(|more| Line::plain(format!("    {more}"))));
            }
        }
        if !self.following.is_empty() {
            let heading = Line::of("What follows for the table", Paint::Bold);
            lines.extend([Line::new(), heading]);
        }
        for following in &self.following {
            let list = |word: &str, list: &[String]| match list {
                [] => String::new(),
                list => format!(" {word} {}", list.join(", ")),
            };
            let (come, gone) = (
                list("with", &following.come),
                list("without", &following.gone),
            );
            lines.push(Line::plain(format!("  {}:{come}{gone}", following.what)));
        }
        if !self.functions.is_empty() {
            lines.extend([Line::new(), Line::of("Functions", Paint::Bold)]);
        }
        for function in &self.functions {
            let text = format!("  function `{}` {}", function.name, how(function.how));
            lines.push(self.placed(text, Some(function.span)));
            let comment = self.sources.comment_above(function.span);
            lines.extend(
                comment
                    .iter()
                    .map(|line| Line::plain(format!("    {line}"))),
            );
            lines.extend(self.below(function));
            lines.extend(source_diff(function, columns));
        }
        lines.extend(scenarios::told(compared, all));
        lines
    }

    /// Whether a place is in a variant's file.
    fn is_variant(&self, span: Span) -> bool {
        self.new.document.variants.contains_key(&span.file)
    }

    /// Which function a wrapping one still calls.
    fn below(&self, function: &FunctionChange) -> Option<Line> {
        let (span, variant) = function.below.as_ref()?;
        if function.how != How::Wrapped {
            return None;
        }
        let whose = match variant {
            Some(variant) => format!("that of variant {variant}"),
            None => "the pack's own".to_owned(),
        };
        let text = format!("    {whose} still runs, called as `base`:");
        Some(self.placed(text, Some(*span)))
    }

    /// A text and where what it tells is written.
    fn placed(&self, text: String, span: Option<Span>) -> Line {
        let mut line = Line::plain(text);
        if let Some(place) = self.place(span) {
            line.push(format!("  ({place})"), Paint::Dim);
        }
        line
    }

    fn json(&self, compared: &Comparison) -> serde_json::Value {
        let variants: Vec<_> = self
            .new
            .variants
            .iter()
            .map(|variant| json!({ "id": variant.id, "title": variant.title, "reason": variant.reason }))
            .collect();
        let data: Vec<_> = self
            .changes
            .iter()
            .map(|change| {
                json!({
                    "path": change.path,
                    "words": change.text,
                    "old": change.old,
                    "new": change.new,
                    "place": self.place(change.place),
                    "modifiers": change.modifiers,
                })
            })
            .collect();
        let functions: Vec<_> = self
            .functions
            .iter()
            .map(|function| {
                json!({
                    "name": function.name,
                    "variant": function.variant,
                    "how": how(function.how),
                    "old": function.old,
                    "new": function.new,
                    "place": self.place(Some(function.span)),
                    "below": function.below.as_ref().map(|(span, variant)| json!({
                        "place": self.place(Some(*span)),
                        "variant": variant,
                        "runs_as_base": function.how == How::Wrapped,
                    })),
                })
            })
            .collect();
        json!({
            "variants": variants,
            "data": data,
            "following": self.following,
            "functions": functions,
            "scenarios": {
                "compared": compared.compared,
                "different": compared.different,
                "groups": compared.groups(),
            },
        })
    }
}

fn how(how: How) -> &'static str {
    match how {
        How::Added => "added",
        How::Overridden => "overridden",
        How::Wrapped => "wrapped",
    }
}

/// A heading without its explanation.
fn short(heading: &str) -> &str {
    heading.split(':').next().unwrap_or(heading)
}

/// The source of a function, with what is different from the one whose place it takes; a wrapper takes
/// nobody's, since the one below still runs.
fn source_diff(function: &FunctionChange, columns: usize) -> Vec<Line> {
    const SET_IN: &str = "    ";
    let old = match function.how {
        How::Wrapped => "",
        How::Added | How::Overridden => function.old.as_deref().unwrap_or_default(),
    };
    let diff = similar::TextDiff::from_lines(old, &function.new);
    diff.iter_all_changes()
        .flat_map(|change| {
            let paint = match change.tag() {
                ChangeTag::Delete => Paint::In(Colour::Red),
                ChangeTag::Insert => Paint::In(Colour::Green),
                ChangeTag::Equal => Paint::Plain,
            };
            let text = change.value().trim_end_matches('\n');
            let sign = change.tag();
            let room = columns.saturating_sub(SET_IN.len() + 1).max(1);
            // Each part of a long line has its sign.
            let parts = Line::of(text, paint).fold(room).into_iter();
            parts.map(move |part| {
                let mut line = Line::plain(SET_IN);
                line.push(sign.to_string(), paint);
                line.append(part);
                line
            })
        })
        .collect()
}
