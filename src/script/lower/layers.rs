//! The functions of a pack's scripts, with those of its variants laid over them: overridden, wrapped,
//! added.

use rustc_hash::FxHashMap;

use crate::diag::{Diagnostic, Report, Span, count};
use crate::pack::Pack;
use crate::pack::variant::{Listed, Variant};
use crate::script::parse::parse_file;
use crate::script::syntax::Function;

/// What a wrapping function calls the one whose place it takes.
pub(super) const BASE: &str = "base";

/// The functions of one name: the first is the innermost, and each other wraps the one before it.
pub(super) type Stack = Vec<Function>;

/// How a function of a variant stands to the functions below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Its name is new.
    Added,
    /// It takes the place of another.
    Overridden,
    /// It takes the place of another, and calls it.
    Wrapped,
}

/// A function that a variant adds or whose place it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionChange {
    /// Its name.
    pub name: String,
    /// The id of the variant.
    pub variant: String,
    /// What the variant does.
    pub how: How,
    /// The source of the function below, if there is one.
    pub old: Option<String>,
    /// Where the name of the function below stands, and the id of its variant, if it is a variant's.
    pub below: Option<(Span, Option<String>)>,
    /// The source of the variant's function.
    pub new: String,
    /// Where its name stands.
    pub span: Span,
}

/// What the variants of a pack do to its functions, in the order in which they apply.
pub fn changes(pack: &Pack) -> Vec<FunctionChange> {
    let mut report = Report::new();
    let layers = Layers::of(pack, &mut report);
    let source = |span: Span| source_of(pack, &layers.starts, span);
    layers
        .changes
        .iter()
        .map(|(name, variant, how, below, new)| FunctionChange {
            name: name.clone(),
            variant: variant.id.clone(),
            how: *how,
            old: below.map(|(span, _)| source(span)),
            below: below.map(|(span, owner)| (span, owner.map(|owner| owner.id.clone()))),
            new: source(*new),
            span: *new,
        })
        .collect()
}

/// A function that scripts of a pack define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Where its name stands, and the id of the variant whose it is, if it is a variant's: first the one
    /// that is called, then each that the one before it wraps.
    pub places: Vec<(Span, Option<String>)>,
}

/// The functions of a pack's scripts with its variants, by name.
pub fn declared(pack: &Pack) -> Vec<Declared> {
    let owner = |span: Span| {
        let mut variants = pack.variants.iter();
        let own = variants.find(|variant| variant.script == Some(span.file));
        own.map(|variant| variant.id.clone())
    };
    let mut declared: Vec<Declared> = functions(pack, &mut Report::new())
        .into_iter()
        .filter_map(|stack| {
            let last = stack.last()?;
            let places = stack.iter().rev().map(|layer| layer.span);
            Some(Declared {
                name: last.name.clone(),
                parameters: last.parameters.clone(),
                places: places.map(|span| (span, owner(span))).collect(),
            })
        })
        .collect();
    declared.sort_by(|one, other| one.name.cmp(&other.name));
    declared
}

/// The text of a function whose name stands at a place: from its `fn` to its end. What stands between it
/// and the next function belongs to that one.
fn source_of(pack: &Pack, starts: &[Span], name: Span) -> String {
    let text = &pack.sources.get(name.file).text;
    let line = |at: u32| text[..at as usize].rfind('\n').map_or(0, |end| end + 1);
    let start = line(name.start);
    let next = starts
        .iter()
        .filter(|other| other.file == name.file && other.start > name.start)
        .map(|other| line(other.start))
        .min()
        .unwrap_or(text.len());
    let mut lines: Vec<&str> = text[start..next.max(start)].lines().collect();
    while lines.len() > 1
        && lines
            .last()
            .is_some_and(|last| last.trim().is_empty() || last.starts_with("//"))
    {
        lines.pop();
    }
    lines.join("\n") + "\n"
}

/// The functions of the base game and of the variants, a stack for each name.
pub(super) fn functions(pack: &Pack, report: &mut Report) -> Vec<Stack> {
    Layers::of(pack, report).stacks
}

/// A change of a function: its name, whose, how, where the one below stands and whose that is, and where
/// the new one stands.
type Change<'p> = (
    String,
    &'p Variant,
    How,
    Option<(Span, Option<&'p Variant>)>,
    Span,
);

struct Layers<'p> {
    stacks: Vec<Stack>,
    by_name: FxHashMap<String, usize>,
    /// For each stack, the variant whose function is on top.
    owners: Vec<Option<&'p Variant>>,
    /// Where the names of all functions stand.
    starts: Vec<Span>,
    changes: Vec<Change<'p>>,
}

impl<'p> Layers<'p> {
    fn of(pack: &'p Pack, report: &mut Report) -> Self {
        let mut layers = Self {
            stacks: Vec::new(),
            by_name: FxHashMap::default(),
            owners: Vec::new(),
            starts: Vec::new(),
            changes: Vec::new(),
        };
        for file in &pack.scripts {
            for function in parse_file(&pack.sources, *file, report) {
                layers.add(function, None, report);
            }
        }
        for variant in &pack.variants {
            let functions = match variant.script {
                Some(file) => parse_file(&pack.sources, file, report),
                None => Vec::new(),
            };
            layers.lay(pack, variant, functions, report);
        }
        layers
    }

    /// Adds a function with a name of its own; reports one that is there already.
    fn add(&mut self, function: Function, owner: Option<&'p Variant>, report: &mut Report) {
        if function.name == BASE {
            report.push(
                Diagnostic::error(
                    "Y0221",
                    function.span,
                    format!("no function can be called `{BASE}`"),
                )
                .help("that is how a variant's function calls the one that it wraps"),
            );
            return;
        }
        let Some(known) = self.by_name.get(&function.name) else {
            self.by_name
                .insert(function.name.clone(), self.stacks.len());
            self.starts.push(function.span);
            if let Some(owner) = owner {
                self.changes.push((
                    function.name.clone(),
                    owner,
                    How::Added,
                    None,
                    function.span,
                ));
            }
            self.stacks.push(vec![function]);
            self.owners.push(owner);
            return;
        };
        let there = self.stacks[*known].last().map(|there| there.span);
        let name = &function.name;
        let same_owner = self.owners[*known].map(|owner| &owner.id) == owner.map(|owner| &owner.id);
        let mut diagnostic = match owner {
            Some(owner) if !same_owner => Diagnostic::error(
                "Y0220",
                function.span,
                format!("variant `{}` defines `{name}`, which is there already", owner.id),
            )
            .help(format!(
                "list it in the variant's `[variant]`: `override = [\"{name}\"]` to take its place, `wrap = [\"{name}\"]` to call it as `{BASE}(...)`"
            )),
            _ => Diagnostic::error(
                "Y0206",
                function.span,
                format!("function `{name}` is defined twice"),
            )
            .help("functions of all script files share their names, whatever their parameters"),
        };
        if let Some(there) = there {
            diagnostic = diagnostic.other(there, "it is defined here as well");
        }
        report.push(diagnostic);
    }

    /// Lays the functions of a variant over those that are there.
    fn lay(
        &mut self,
        pack: &Pack,
        variant: &'p Variant,
        functions: Vec<Function>,
        report: &mut Report,
    ) {
        for listed in &variant.wraps {
            if let Some(other) = find(&variant.overrides, &listed.name) {
                report.push(
                    Diagnostic::error(
                        "Y0222",
                        listed.span,
                        format!(
                            "`{}` is listed under both `override` and `wrap`",
                            listed.name
                        ),
                    )
                    .other(other.span, "the other one"),
                );
            }
        }
        for listed in variant.overrides.iter().chain(&variant.wraps) {
            self.check_listed(pack, variant, listed, &functions, report);
        }
        for function in functions {
            let over = find(&variant.overrides, &function.name);
            let around = find(&variant.wraps, &function.name);
            let stack = self.by_name.get(&function.name).copied();
            match (stack, over.is_some() || around.is_some()) {
                (Some(stack), true) if self.fits(stack, &function, report) => {
                    let owner = self.owners[stack];
                    let below = self.stacks[stack].last().map(|below| (below.span, owner));
                    let mut how = How::Wrapped;
                    if let Some(over) = over {
                        self.check_order(stack, variant, over, report);
                        self.stacks[stack].clear();
                        how = How::Overridden;
                    }
                    let (name, span) = (function.name.clone(), function.span);
                    self.starts.push(span);
                    self.changes.push((name, variant, how, below, span));
                    self.stacks[stack].push(function);
                    self.owners[stack] = Some(variant);
                }
                // What is listed and not there was reported above.
                (Some(_) | None, true) => {}
                (_, false) => self.add(function, Some(variant), report),
            }
        }
    }

    /// Checks that a listed name is that of a function, in the variant and below it.
    fn check_listed(
        &self,
        pack: &Pack,
        variant: &Variant,
        listed: &Listed,
        functions: &[Function],
        report: &mut Report,
    ) {
        let name = &listed.name;
        if !functions.iter().any(|function| function.name == *name) {
            let place = match variant.script {
                Some(file) => format!("`{}`", pack.sources.get(file).name),
                None => format!(
                    "its script `scripts/{}/variants/{}.rhai`",
                    pack.id, variant.id
                ),
            };
            let names = functions.iter().map(|function| function.name.as_str());
            report.push(
                Diagnostic::error(
                    "Y0223",
                    listed.span,
                    format!(
                        "variant `{}` lists `{name}` and does not define it",
                        variant.id
                    ),
                )
                .label(format!("expected in {place}"))
                .suggest(name, names),
            );
        } else if !self.by_name.contains_key(name) {
            let names = self.by_name.keys().map(String::as_str);
            report.push(
                Diagnostic::error(
                    "Y0224",
                    listed.span,
                    format!(
                        "there is no function `{name}` under variant `{}`",
                        variant.id
                    ),
                )
                .label("nothing to take the place of")
                .suggest(name, names)
                .help("a new function is not listed"),
            );
        }
    }

    /// Whether a function takes what the one below it takes.
    fn fits(&self, stack: usize, function: &Function, report: &mut Report) -> bool {
        let Some(below) = self.stacks[stack].last() else {
            return true;
        };
        let (wanted, found) = (below.parameters.len(), function.parameters.len());
        if wanted == found {
            return true;
        }
        let takes = |parameters: &[String]| parameters.join(", ");
        report.push(
            Diagnostic::error(
                "Y0225",
                function.span,
                format!(
                    "`{}` must take {} ({}), found ({})",
                    function.name,
                    count(wanted, "parameter"),
                    takes(&below.parameters),
                    takes(&function.parameters)
                ),
            )
            .other(below.span, "the one whose place it takes"),
        );
        false
    }

    /// Reports an override of what another variant did, if neither names the other.
    fn check_order(&self, stack: usize, variant: &Variant, listed: &Listed, report: &mut Report) {
        let Some(other) = self.owners[stack] else {
            return;
        };
        if variant.knows.contains(&other.id) {
            return;
        }
        let name = &listed.name;
        let mut diagnostic = Diagnostic::error(
            crate::pack::codes::VARIANTS_CONFLICT,
            listed.span,
            format!(
                "`{}` and `{}` both set function `{name}`",
                variant.id, other.id
            ),
        )
        .label(format!("overridden by `{}`", variant.id))
        .help(format!(
            "say `after = [\"{}\"]` in `{}`, or wrap it",
            other.id, variant.id
        ));
        if let Some(there) = self.stacks[stack].last() {
            diagnostic = diagnostic.other(there.span, format!("defined by `{}`", other.id));
        }
        report.push(diagnostic);
    }
}

/// The entry of a list with a name.
fn find<'l>(list: &'l [Listed], name: &str) -> Option<&'l Listed> {
    list.iter().find(|listed| listed.name == name)
}

/// Where a variant lists a function that it wraps.
pub(super) fn wrap_span(pack: &Pack, function: Span) -> Option<(&Variant, Span)> {
    let variant = pack
        .variants
        .iter()
        .find(|variant| variant.script == Some(function.file))?;
    let name = pack.sources.text(function);
    let listed = find(&variant.wraps, name)?;
    Some((variant, listed.span))
}
