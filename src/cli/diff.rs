//! `yukon diff`: what variants change of a pack, in words.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use serde_json::json;

use super::load::{Changes, find, need_selected, tell};
use super::show::SECTIONS;
use super::{Failure, print};
use crate::diag::Sources;
use crate::pack::compare::{Difference, differences, does, toml};
use crate::pack::doc::{Document, Item};
use crate::pack::{Resolved, Selection, resolve};
use crate::scenario::compare::{Comparison, compare};
use crate::scenario::parting::Parting;
use crate::script::Rules;
use crate::script::lower::{FunctionChange, How, function_changes};

/// Tells in words what variants change of a pack
///
/// The numbers, the flow, the functions; and which scenarios of the pack come out differently, from
/// which decision on.
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
    if selection == Selection::default() {
        return Err(Failure::Message(
            "which variant? name one or more, or give `--set PARAM=VALUE`".to_owned(),
        ));
    }
    let files = find(&args.pack).map_err(|unknown| tell(&unknown))?;
    let (base, _) = need_selected(&args.pack, &Selection::default())?;
    let (rules, _) = need_selected(&args.pack, &selection)?;
    let (Some(old), _, _) = resolve(&files, &[]) else {
        return Err(Failure::Told);
    };
    let (Some(new), sources, _) = resolve(&files, &selection.variants) else {
        return Err(Failure::Told);
    };
    let told = Told {
        new: &new,
        sources: &sources,
        lines: lines(&old.document, &new, &selection, &base),
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
        Format::Text => told.text(&compared),
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

/// A difference in words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// The table it belongs to.
    section: String,
    /// The words.
    text: String,
    /// What belongs to it, set in.
    more: Vec<String>,
    /// Where it is written.
    place: Option<crate::diag::Span>,
    /// The path, the old and the new value, for machines.
    path: String,
    old: Option<String>,
    new: Option<String>,
}

struct Told<'a> {
    new: &'a Resolved,
    sources: &'a Sources,
    lines: Vec<Line>,
    functions: Vec<FunctionChange>,
}

/// All differences in words, those of `--set` as well.
fn lines(old: &Document, new: &Resolved, selection: &Selection, base: &Rules) -> Vec<Line> {
    let mut lines: Vec<Line> = differences(old, &new.document)
        .iter()
        .map(|difference| line(difference, &new.document))
        .collect();
    for (name, value) in &selection.parameters {
        let known = base.pack.parameters.iter();
        let was = known.clone().find(|known| known.name.id == *name);
        let was = was.map(|known| known.base.to_string());
        lines.push(Line {
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
        });
    }
    lines
}

/// What entries of a table are called.
fn noun(section: &str) -> &str {
    match section {
        "flow" => "block",
        "score" => "scoring term",
        "tie" => "tie-break",
        "view" => "the drawing of the board:",
        other => other,
    }
}

/// What a block or function is called where it is a step.
fn step_noun(document: &Document, step: &str) -> &'static str {
    let Some(Item::Table(flow)) = document.root.get("flow").map(|flow| &flow.value.item) else {
        return "step";
    };
    let Some(Item::Table(block)) = flow.get(step).map(|block| &block.value.item) else {
        return "step";
    };
    match block.get("scope").map(|scope| &scope.value.item) {
        Some(Item::Text(scope)) if scope == "phase" => "phase",
        _ => "block",
    }
}

/// A difference in words.
fn line(difference: &Difference, document: &Document) -> Line {
    let path = &difference.path;
    let section = path.first().map_or("", String::as_str);
    let value = |node: &Option<crate::pack::doc::Node>| node.as_ref().map(|node| toml(&node.item));
    let (old, new) = (value(&difference.old), value(&difference.new));
    let mut more = Vec::new();
    let text = match path.as_slice() {
        [section, block, field, step] if section == "flow" && field == "do" => {
            steps(difference, document, block, step)
        }
        [_, id] if section != "view" => {
            let what = format!("{} `{id}`", noun(section));
            if let (Some(node), None) = (&difference.new, &difference.old)
                && let Item::Table(table) = &node.item
            {
                let field = |(key, entry): (&String, &crate::pack::doc::Entry)| {
                    format!("{key} = {}", toml(&entry.value.item))
                };
                more = table.iter().map(field).collect();
            }
            changed(&what, &None, &None, difference)
        }
        [section, id, field] if section == "parameter" && field == "value" => {
            more.extend(meaning(document, section, id));
            changed(&format!("parameter `{id}`"), &old, &new, difference)
        }
        [section, id, inner @ ..] => {
            let (last, inside) = inner
                .split_last()
                .map_or(("", &[][..]), |(last, inside)| (last.as_str(), inside));
            let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
            let inside = match inside.is_empty() {
                true => String::new(),
                false => format!(" {}", inside.join(" ")),
            };
            let what = format!("{} `{id}`{inside}: `{}`", noun(section), bare(last));
            changed(&what, &old, &new, difference)
        }
        other => changed(&format!("`{}`", other.join(".")), &old, &new, difference),
    };
    Line {
        section: section.to_owned(),
        text,
        more,
        place: difference.span(),
        path: path.join("."),
        old,
        new,
    }
}

/// What an entry says that it is, for who does not know its id.
fn meaning(document: &Document, section: &str, id: &str) -> Option<String> {
    let table = |item: &Item, key: &str| match item {
        Item::Table(table) => table.get(key).map(|entry| entry.value.item.clone()),
        _ => None,
    };
    let section = &document.root.get(section)?.value.item;
    match table(&table(section, id)?, "doc")? {
        Item::Text(doc) => Some(doc),
        _ => None,
    }
}

/// An element of a list without the quotes of a text.
fn bare(text: &str) -> &str {
    text.strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(text)
}

/// What came, went, or became something else.
fn changed(
    what: &str,
    old: &Option<String>,
    new: &Option<String>,
    difference: &Difference,
) -> String {
    // An element of a list that is its own name says nothing more.
    let says = |value: &Option<String>| match (value, difference.path.last()) {
        (Some(value), Some(last)) if value != last => Some(value.clone()),
        _ => None,
    };
    match (&difference.old, &difference.new) {
        (Some(_), Some(_)) => match (says(old).or(old.clone()), new) {
            (Some(old), Some(new)) => format!("{what} {old} -> {new}"),
            _ => format!("{what} changed"),
        },
        (None, _) => match says(new) {
            Some(new) => format!("{what} added: {new}"),
            None => format!("{what} added"),
        },
        (Some(_), None) => match says(old) {
            Some(old) => format!("{what} removed: {old}"),
            None => format!("{what} removed"),
        },
    }
}

/// A change of the steps of a block.
fn steps(difference: &Difference, document: &Document, block: &str, step: &str) -> String {
    let step = bare(step);
    let what = format!("{} `{step}`", step_noun(document, step));
    let beside = match (&difference.after, &difference.before) {
        (Some(after), _) => format!(" after `{}`", bare(after)),
        (None, Some(before)) => format!(" before `{}`", bare(before)),
        (None, None) => String::new(),
    };
    match (&difference.old, &difference.new) {
        (None, _) => format!("{what} added{beside} in block `{block}`"),
        (Some(_), None) => format!("{what} dropped from block `{block}`"),
        (Some(_), Some(new)) => {
            let is_around = difference
                .old
                .as_ref()
                .is_some_and(|old| does(document, &new.item, &old.item));
            let new = toml(&new.item);
            let new = bare(&new);
            if new == step {
                return format!("{what} moved{beside} in block `{block}`");
            }
            let how = match is_around {
                true => "wrapped by",
                false => "replaced by",
            };
            format!(
                "{what} {how} {} `{new}` in block `{block}`",
                step_noun(document, new)
            )
        }
    }
}

impl Told<'_> {
    fn place(&self, span: Option<crate::diag::Span>) -> Option<String> {
        let span = span?;
        let line = self.sources.position(span).line;
        Some(format!("{}:{line}", self.sources.get(span.file).name))
    }

    /// The differences by section, in the order in which `show` tells them; what it does not tell last.
    fn sections(&self) -> Vec<(&str, Vec<&Line>)> {
        let mut sections: Vec<(&str, Vec<&Line>)> = Vec::new();
        let known = SECTIONS.iter().map(|(id, heading)| (*id, *heading));
        for (id, heading) in known.chain([("view", "How the board is drawn")]) {
            let lines: Vec<&Line> = self
                .lines
                .iter()
                .filter(|line| line.section == id)
                .collect();
            if !lines.is_empty() {
                sections.push((heading.split(':').next().unwrap_or(heading), lines));
            }
        }
        sections
    }

    fn text(&self, compared: &Comparison) -> String {
        let mut text = String::new();
        for variant in &self.new.variants {
            text.push_str(&format!(
                "{}: {}\n  {}\n",
                variant.id, variant.title, variant.reason
            ));
        }
        for (heading, lines) in self.sections() {
            text.push_str(&format!("\n{heading}\n"));
            for line in lines {
                let place = self.place(line.place);
                let place = place.map_or_else(String::new, |place| format!("  ({place})"));
                text.push_str(&format!("  {}{place}\n", line.text));
                for more in &line.more {
                    text.push_str(&format!("    {more}\n"));
                }
            }
        }
        if !self.functions.is_empty() {
            text.push_str("\nFunctions\n");
        }
        for function in &self.functions {
            let place = self.place(Some(function.span)).unwrap_or_default();
            let how = how(function.how);
            text.push_str(&format!(
                "  function `{}` {how}  ({place})\n",
                function.name
            ));
            for line in source_diff(function).lines() {
                text.push_str(&format!("    {line}\n"));
            }
        }
        text.push_str(&format!(
            "\nScenarios that come out differently: {} of {}\n",
            compared.different.len(),
            compared.compared
        ));
        for parting in &compared.different {
            text.push_str(&parted(parting));
        }
        text
    }

    fn json(&self, compared: &Comparison) -> serde_json::Value {
        let variants: Vec<_> = self
            .new
            .variants
            .iter()
            .map(|variant| json!({ "id": variant.id, "title": variant.title, "reason": variant.reason }))
            .collect();
        let data: Vec<_> = self
            .lines
            .iter()
            .map(|line| {
                json!({
                    "path": line.path,
                    "words": line.text,
                    "old": line.old,
                    "new": line.new,
                    "place": self.place(line.place),
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
                })
            })
            .collect();
        json!({
            "variants": variants,
            "data": data,
            "functions": functions,
            "scenarios": compared,
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

/// The source of a function, with what is different from the one below it.
fn source_diff(function: &FunctionChange) -> String {
    let old = function.old.as_deref().unwrap_or_default();
    let diff = similar::TextDiff::from_lines(old, &function.new);
    diff.iter_all_changes()
        .map(|change| format!("{}{}", change.tag(), change.value()))
        .collect()
}

/// Where a scenario goes another way.
fn parted(parting: &Parting) -> String {
    let mut text = format!("  {}: {}\n", parting.scenario, parting.title);
    let place = parting.place.as_deref();
    match (&parting.decision, place) {
        (Some((number, name)), Some(place)) => {
            text.push_str(&format!("    at decision {number}, `{name}` ({place})\n"));
        }
        (Some((number, name)), None) => {
            text.push_str(&format!("    at decision {number}, `{name}`\n"));
        }
        (None, _) if parting.old.is_some() => text.push_str("    before the first decision\n"),
        (None, _) => {}
    }
    for (sign, line) in [('-', &parting.old), ('+', &parting.new)] {
        if let Some(line) = line {
            text.push_str(&format!("    {sign} {}\n", line.trim()));
        }
    }
    if let Some(trouble) = &parting.trouble {
        text.push_str(&format!(
            "    it does not hold any more: {}\n",
            shortened(trouble)
        ));
    }
    text
}

/// A text that fits two lines; what follows the last whole word is left out.
fn shortened(text: &str) -> String {
    const MOST: usize = 150;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MOST).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{} ...", &cut[..end])
}
