//! Variants: house rules laid over a pack.
//!
//! A variant `V` of a pack is `rules/PACK/variants/V.toml`, and perhaps `scripts/PACK/variants/V.rhai`:
//!
//! ```toml
//! [variant]
//! title = "Second harvest"
//! reason = "Does a longer year let slow builders catch up?"
//! requires = ["long-year"]        # only together with these, and after them
//! excludes = ["short-year"]       # never together with these
//! after = ["rich-soil"]           # if that is chosen too, this one has the last word
//! remove = ["toggle.drought", "graph.fields.edges.barn-mill"]
//! override = ["sow"]              # functions of V.rhai that take the place of the pack's
//! wrap = ["reap"]                 # functions of V.rhai that call the pack's as `base(...)`
//!
//! [parameter.harvests]            # a change: the tables of the pack, with what is there already
//! value = 2
//!
//! [add.parameter.second_price]    # an addition: what is not there yet; lists grow
//! value = 3
//!
//! [flow.year]                     # the steps of a block
//! insert = [{ step = "fair", after = "harvest" }]
//! drop = ["tithe"]
//! replace = { market = "auction" }
//! wrap = { harvest = "long_harvest" }    # a block, added by the variant, that does `harvest` itself
//! ```
//!
//! Elements of lists are called by their `id`, edges by their ends with a hyphen between. How the board
//! is drawn is under `view`. Functions of `V.rhai` that the pack does not have are added.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, FileId, Report, Sources, Span, nearest};

use super::codes;
use super::doc::{Document, Item, Node, Table};
use super::doubts::{Doubts, Stage};
use super::fields::{At, Fields, list, wrong_type};
use super::files::{PackFiles, VariantFiles};
use super::keys;
use super::names::is_table;
use super::overlay::{ADD, Overlay, Owner, VIEW};
use super::parse;

/// The table that says what a variant is.
const HEAD: &str = "variant";

/// A name that a variant lists, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// Where it is listed.
    pub span: Span,
}

/// A variant that a pack was read with.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its id: the name of its files without the ending.
    pub id: String,
    /// What people read.
    pub title: String,
    /// Why one would play it: one line.
    pub reason: String,
    /// Its TOML file.
    pub file: FileId,
    /// Its script, if it has one.
    pub script: Option<FileId>,
    /// Functions that take the place of others.
    pub overrides: Vec<Listed>,
    /// Functions that call those whose place they take.
    pub wraps: Vec<Listed>,
    /// Variants it knows of: what it requires, and what it comes after.
    pub knows: BTreeSet<String>,
}

/// A variant while it is read.
struct Draft {
    variant: Variant,
    requires: Vec<Listed>,
    excludes: Vec<Listed>,
    after: Vec<Listed>,
    remove: Vec<Listed>,
    tree: Node,
}

/// Reads the variants that were chosen, lays them over a document, and returns them in the order in
/// which they apply: as given, but each after those that it names. If there is no such order, or no such
/// variant, none is laid.
pub(super) fn apply(
    files: &PackFiles,
    chosen: &[String],
    document: &mut Document,
    sources: &mut Sources,
    report: &mut Report,
    doubts: &mut Doubts,
) -> Vec<Variant> {
    let before = report.diagnostics.len();
    let mut drafts = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let mut found = true;
    for id in chosen {
        if names.contains(&id.as_str()) {
            continue;
        }
        match files.variants.iter().find(|variant| variant.id == *id) {
            Some(variant) => {
                names.push(id);
                drafts.extend(read(files, variant, sources, report, doubts));
            }
            None => {
                report.push(unknown(files, id, None));
                found = false;
            }
        }
    }
    if found {
        check_company(files, &drafts, report);
    }
    let order = order(&drafts, report).filter(|_| found);
    let variants = match order {
        Some(order) => {
            let mut laid = Report::new();
            let variants = lay(drafts, &order, document, &mut laid);
            for found in doubts.keep(laid, Stage::Data, sources).diagnostics {
                report.push(found);
            }
            variants
        }
        None => {
            // What they would do is not known.
            doubts.of_lost_data();
            doubts.of_lost_script();
            Vec::new()
        }
    };
    doubts.of_errors(&report.diagnostics[before..], sources);
    variants
}

/// Lays variants over a document in an order.
fn lay(
    drafts: Vec<Draft>,
    order: &[usize],
    document: &mut Document,
    report: &mut Report,
) -> Vec<Variant> {
    let owners: Vec<Owner> = order
        .iter()
        .map(|index| &drafts[*index].variant)
        .map(|variant| Owner {
            id: variant.id.clone(),
            knows: variant.knows.clone(),
        })
        .collect();
    let mut drafts: Vec<Option<Draft>> = drafts.into_iter().map(Some).collect();
    let mut overlay = Overlay::new(document, owners, report);
    let mut variants = Vec::new();
    for (place, index) in order.iter().enumerate() {
        let Some(draft) = drafts[*index].take() else {
            continue;
        };
        overlay.lay(place, draft.tree, &draft.remove);
        variants.push(draft.variant);
    }
    overlay.finish();
    variants
}

/// A variant with all that it requires, as far as its files say it: what is to be chosen to play it.
pub fn with_required(files: &PackFiles, id: &str) -> Vec<String> {
    let (mut sources, mut report) = (Sources::new(), Report::new());
    let mut wanted = vec![id.to_owned()];
    let mut at = 0;
    while let Some(id) = wanted.get(at) {
        let variant = files.variants.iter().find(|variant| variant.id == *id);
        let mut doubts = Doubts::default();
        let draft = variant
            .and_then(|variant| read(files, variant, &mut sources, &mut report, &mut doubts));
        for required in draft.map_or_else(Vec::new, |draft| draft.requires) {
            // One that does not exist is told where it is required.
            let exists = files.variants.iter().any(|other| other.id == required.name);
            if exists && !wanted.contains(&required.name) {
                wanted.push(required.name);
            }
        }
        at += 1;
    }
    wanted
}

/// What a variant says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its id.
    pub id: String,
    /// What people read; empty if its file is not right.
    pub title: String,
    /// Why one would play it.
    pub reason: String,
}

/// What the variants of a pack say of themselves, in the order of their ids.
pub fn heads(files: &PackFiles) -> Vec<Head> {
    let mut heads: Vec<Head> = files
        .variants
        .iter()
        .map(|variant| {
            let (mut sources, mut report) = (Sources::new(), Report::new());
            let mut doubts = Doubts::default();
            let draft = read(files, variant, &mut sources, &mut report, &mut doubts);
            let (title, reason) = draft.map_or_else(Default::default, |draft| {
                (draft.variant.title, draft.variant.reason)
            });
            Head {
                id: variant.id.clone(),
                title,
                reason,
            }
        })
        .collect();
    heads.sort_by(|a, b| a.id.cmp(&b.id));
    heads
}

/// A variant that does not exist.
fn unknown(files: &PackFiles, id: &str, span: Option<Span>) -> Diagnostic {
    let known = files.variants.iter().map(|variant| variant.id.as_str());
    let message = format!("pack `{}` has no variant `{id}`", files.id);
    let unknown = match span {
        Some(span) => Diagnostic::error(codes::UNKNOWN_VARIANT, span, message),
        None => Diagnostic::placeless(codes::UNKNOWN_VARIANT, message),
    };
    let suggested = unknown.suggest(id, known.clone());
    match (suggested.help.is_empty(), files.variants.is_empty()) {
        (false, _) => suggested,
        (true, true) => suggested.help(format!(
            "it has none: they are files `rules/{}/variants/NAME.toml`",
            files.id
        )),
        (true, false) => suggested.help(format!("its variants are {}", list(known))),
    }
}

/// Reads the texts of a variant and its head, as far as they can be read.
fn read(
    files: &PackFiles,
    variant: &VariantFiles,
    sources: &mut Sources,
    report: &mut Report,
    doubts: &mut Doubts,
) -> Option<Draft> {
    let (name, bytes) = &variant.rules;
    if !variant.unread.is_empty() {
        let problems = variant.unread.iter().map(|unread| unread.problem.clone());
        problems.for_each(|problem| report.push(problem));
        // What it would do is not known.
        doubts.of_lost_data();
        doubts.of_lost_script();
        return None;
    }
    let before = report.diagnostics.len();
    let tree = parse::read_text(name, bytes, sources, report, doubts);
    let parsed = report.diagnostics.len() == before;
    let script = match &variant.script {
        Some((name, bytes)) => match parse::add_text(name, bytes, sources, report) {
            Some(file) => Some(file),
            None => {
                doubts.of_lost_script();
                None
            }
        },
        None => None,
    };
    let Some(mut tree) = tree else {
        // Nobody calls its functions then, nor can others.
        doubts.of_lost_script();
        return None;
    };
    let file = tree.span.file;
    let Item::Table(tables) = &mut tree.item else {
        return None;
    };
    let head = tables.remove(HEAD);
    if head.is_none() {
        doubts.of_lost_data();
        if parsed {
            report.push(headless(variant, file, tables));
        }
        // What is meant as the head is no table of a pack.
        tables.retain(|table, _| is_table(table) || table == ADD || table == VIEW);
    }
    let said = head.map_or_else(Said::default, |head| {
        let what = format!("variant `{}`", variant.id);
        Said::read(files, variant, what, (head.key, &head.value), report)
    });
    for (name, entry) in tables.iter() {
        if !matches!(entry.value.item, Item::Table(_)) {
            wrong_type(report, &format!("`{name}`"), "a table", &entry.value);
        }
    }
    let knows = said.requires.iter().chain(&said.after);
    let knows = knows.map(|named| named.name.clone()).collect();
    Some(Draft {
        variant: Variant {
            id: variant.id.clone(),
            title: said.title,
            reason: said.reason,
            file,
            script,
            overrides: said.overrides,
            wraps: said.wraps,
            knows,
        },
        requires: said.requires,
        excludes: said.excludes,
        after: said.after,
        remove: said.remove,
        tree,
    })
}

/// A variant that does not say what it is, or says it under a misspelt name.
fn headless(variant: &VariantFiles, file: FileId, tables: &Table) -> Diagnostic {
    let others = tables.keys().map(String::as_str);
    if let Some(near) = nearest(HEAD, others.filter(|table| !is_table(table))) {
        let message = format!("variants have no table `{near}`");
        return Diagnostic::error(codes::UNKNOWN_TABLE, tables[near].key, message)
            .label("unknown table")
            .help(format!("did you mean `{HEAD}`?"));
    }
    Diagnostic::error(
        codes::MISSING_KEY,
        Span::new(file, 0, 0),
        format!("variant `{}` does not say what it is", variant.id),
    )
    .label("expected `[variant]` with `title` and `reason`")
}

/// What the head of a variant says.
#[derive(Default)]
struct Said {
    title: String,
    reason: String,
    requires: Vec<Listed>,
    excludes: Vec<Listed>,
    after: Vec<Listed>,
    remove: Vec<Listed>,
    overrides: Vec<Listed>,
    wraps: Vec<Listed>,
}

impl Said {
    /// Reads a head, as far as it can be read.
    fn read(
        files: &PackFiles,
        variant: &VariantFiles,
        what: String,
        (key, head): (Span, &Node),
        report: &mut Report,
    ) -> Self {
        let Some(mut fields) = Fields::of(what, key, head, &keys::VARIANT, report) else {
            return Self::default();
        };
        fields.need("title", report);
        let title = fields.title("title", report);
        let reason = fields.need_text("reason", report);
        if let Some(reason) = reason
            && (reason.value.trim().is_empty() || reason.value.contains('\n'))
        {
            report.push(
                Diagnostic::error(
                    codes::OUT_OF_RANGE,
                    reason.span,
                    format!("the reason of variant `{}` is not one line", variant.id),
                )
                .label("expected one line: why one would play so"),
            );
        }
        let mut names = |key| -> Vec<Listed> {
            let texts = fields.texts(key, report).into_iter();
            texts
                .map(|At { value, span }| Listed {
                    name: value.to_owned(),
                    span,
                })
                .collect()
        };
        let said = Self {
            title: title.map_or_else(String::new, |title| title.value.to_owned()),
            reason: reason.map_or_else(String::new, |reason| reason.value.to_owned()),
            requires: names("requires"),
            excludes: names("excludes"),
            after: names("after"),
            remove: names("remove"),
            overrides: names("override"),
            wraps: names("wrap"),
        };
        fields.finish(report);
        let listed = said.requires.iter().chain(&said.excludes);
        for named in listed.chain(&said.after) {
            if !files.variants.iter().any(|other| other.id == named.name) {
                report.push(unknown(files, &named.name, Some(named.span)));
            }
        }
        said
    }
}

/// Checks that all that a variant requires is chosen, and nothing that it excludes.
fn check_company(files: &PackFiles, drafts: &[Draft], report: &mut Report) {
    let chosen: BTreeSet<&str> = drafts
        .iter()
        .map(|draft| draft.variant.id.as_str())
        .collect();
    for draft in drafts {
        let id = &draft.variant.id;
        for required in &draft.requires {
            // One that there is not was told already.
            let exists = files.variants.iter().any(|other| other.id == required.name);
            if exists && !chosen.contains(required.name.as_str()) {
                report.push(
                    Diagnostic::error(
                        codes::REQUIRED_VARIANT,
                        required.span,
                        format!("variant `{id}` requires `{}`", required.name),
                    )
                    .label("it is not chosen")
                    .help(format!("add `--variant {}`", required.name)),
                );
            }
        }
        for excluded in &draft.excludes {
            if chosen.contains(excluded.name.as_str()) {
                report.push(
                    Diagnostic::error(
                        codes::EXCLUDED_VARIANT,
                        excluded.span,
                        format!(
                            "the variants `{id}` and `{}` of `{}` cannot be played together",
                            excluded.name, files.id
                        ),
                    )
                    .label(format!("`{id}` excludes it"))
                    .help("leave one of them out"),
                );
            }
        }
    }
}

/// The order in which variants apply: as given, but each after those that it requires or comes after.
/// A circle is reported, and there is no order.
fn order(drafts: &[Draft], report: &mut Report) -> Option<Vec<usize>> {
    let places: BTreeMap<&str, usize> = drafts
        .iter()
        .enumerate()
        .map(|(place, draft)| (draft.variant.id.as_str(), place))
        .collect();
    let before = |place: usize| -> Vec<(usize, &Listed)> {
        let draft: &Draft = &drafts[place];
        let named = draft.requires.iter().chain(&draft.after);
        named
            .filter_map(|named| Some((*places.get(named.name.as_str())?, named)))
            .collect()
    };
    let mut order: Vec<usize> = Vec::new();
    while order.len() < drafts.len() {
        let next = (0..drafts.len()).find(|place| {
            !order.contains(place)
                && before(*place)
                    .iter()
                    .all(|(other, _)| order.contains(other))
        });
        match next {
            Some(next) => order.push(next),
            None => {
                let start = (0..drafts.len()).find(|place| !order.contains(place))?;
                report.push(circle(drafts, start, |place| {
                    before(place)
                        .into_iter()
                        .find(|(other, _)| !order.contains(other))
                }));
                return None;
            }
        }
    }
    Some(order)
}

/// Describes the circle that is reached from a variant by going from each to one that must come first.
fn circle<'d>(
    drafts: &'d [Draft],
    start: usize,
    waits_for: impl Fn(usize) -> Option<(usize, &'d Listed)>,
) -> Diagnostic {
    let mut path = vec![start];
    let mut span = drafts[start].tree.span;
    let mut at = start;
    while let Some((next, named)) = waits_for(at) {
        span = named.span;
        if let Some(from) = path.iter().position(|place| *place == next) {
            path.drain(..from);
            path.push(next);
            break;
        }
        path.push(next);
        at = next;
    }
    let chain: Vec<String> = path
        .iter()
        .map(|place| format!("`{}`", drafts[*place].variant.id))
        .collect();
    Diagnostic::error(
        codes::VARIANT_ORDER,
        span,
        format!("variant {} comes after itself", chain[0]),
    )
    .label(chain.join(" comes after "))
    .help("take one of them out of `requires` or `after`")
}
