//! Reading a pack: its files merged to a document, checked as a whole, and lowered.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, FileId, Report, Severity, Sources, Span};
use crate::table::Layout;
use crate::table::ids::BlockId;

use super::attributes::{AttributeDecl, PendingEffect, PendingValues};
use super::codes;
use super::doc::Document;
use super::doubts::{Doubts, Stage};
use super::fields::At;
use super::files::PackFiles;
use super::graphs::CostCheck;
use super::kinds::{KindDraft, PieceDraft, PieceEntry};
use super::model::{Pack, Provenance};
use super::names::Names;
use super::parse;
use super::variant::{self, Variant};

/// Ids of one sort are at most this many, so that they and one value more fit their type.
pub(super) const MOST_IDS: usize = 32_000;

/// A top-level table has at most this many entries, so that the table of properties stays small.
pub(super) const MOST_ENTRIES: usize = 1_000;

/// A graph has at most this many nodes, because every pair has a distance.
pub(super) const MOST_NODES: usize = 400;

/// What is chosen of a pack besides its base game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Selection {
    /// The ids of variants; they apply in this order, but each after those that it names.
    pub variants: Vec<String>,
    /// Parameters with the values that they get in place of those of the files.
    pub parameters: Vec<(String, i64)>,
}

/// Reads the base game of a pack; see [`read_with`].
pub fn read(files: &PackFiles) -> (Option<Pack>, Sources, Report) {
    read_with(files, &Selection::default())
}

/// Reads a pack from the bytes of its files, with variants and parameters. All problems are reported,
/// sorted by place; there is a pack only if none of them is an error.
pub fn read_with(files: &PackFiles, selection: &Selection) -> (Option<Pack>, Sources, Report) {
    let Draft {
        pack,
        sources,
        report,
        ..
    } = read_draft(files, selection);
    match report.has_errors() {
        true => (None, sources, report),
        false => (Some(pack), sources, report),
    }
}

/// A pack as far as it could be read, so that its scripts can be looked at whatever is wrong with its
/// data.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The pack. If there are errors, it cannot be played: parts of it are left out or made up.
    pub pack: Pack,
    /// Its texts.
    pub sources: Sources,
    /// What was found wrong, sorted by place.
    pub report: Report,
    /// What is in doubt because of that.
    pub doubts: Doubts,
}

/// Reads a pack as far as it can be read. What is reported are all problems that do not follow from each
/// other.
pub fn read_draft(files: &PackFiles, selection: &Selection) -> Draft {
    let Merged {
        resolved,
        sources,
        mut report,
        mut doubts,
    } = merge(files, &selection.variants);
    let (mut pack, found) = lower(&files.id, resolved, sources.clone());
    let mut found = doubts.keep(found, Stage::Data, &sources);
    for (name, value) in &selection.parameters {
        if let Err(message) = pack.set_parameter(name, *value) {
            found.push(Diagnostic::placeless(codes::SET_PARAMETER, message));
        }
    }
    doubts.of_errors(&found.diagnostics, &sources);
    for diagnostic in found.diagnostics {
        report.push(diagnostic);
    }
    report.sort();
    Draft {
        pack,
        sources,
        report,
        doubts,
    }
}

/// A pack's rules as one tree, before they are checked.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The tree: the base game's, with the variants laid over it.
    pub document: Document,
    /// The script files of the base game.
    pub scripts: Vec<FileId>,
    /// The variants, in the order in which they apply.
    pub variants: Vec<Variant>,
}

/// Merges the files of a pack and lays variants over them. There is nothing if a file is not TOML or a
/// variant does not fit.
pub fn resolve(files: &PackFiles, variants: &[String]) -> (Option<Resolved>, Sources, Report) {
    let merged = merge(files, variants);
    let resolved = (!merged.report.has_errors()).then_some(merged.resolved);
    (resolved, merged.sources, merged.report)
}

/// The files of a pack, merged as far as they could be.
struct Merged {
    resolved: Resolved,
    sources: Sources,
    /// What is wrong with the texts, and how variants lie over the pack.
    report: Report,
    doubts: Doubts,
}

/// Merges the files of a pack and lays variants over them, as far as that can be done.
fn merge(files: &PackFiles, variants: &[String]) -> Merged {
    let mut sources = Sources::new();
    let mut report = Report::new();
    let mut doubts = Doubts::default();
    let (mut document, scripts) = parse_files(files, &mut sources, &mut report, &mut doubts);
    for stray in &files.strays {
        let message = format!("nobody reads `{}`", stray.name);
        let stray = Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::placeless(codes::STRAY, message).help(stray.help.clone())
        };
        report.push(stray);
    }
    let applied = variant::apply(
        files,
        variants,
        &mut document,
        &mut sources,
        &mut report,
        &mut doubts,
    );
    for variant in &applied {
        document.variants.insert(variant.file, variant.id.clone());
    }
    report.sort();
    Merged {
        resolved: Resolved {
            document,
            scripts,
            variants: applied,
        },
        sources,
        report,
        doubts,
    }
}

/// Parses all files and merges those of the rules, in the order of their names.
fn parse_files(
    files: &PackFiles,
    sources: &mut Sources,
    report: &mut Report,
    doubts: &mut Doubts,
) -> (Document, Vec<FileId>) {
    let mut rules: Vec<_> = files.rules.iter().collect();
    rules.sort();
    let mut scripts: Vec<_> = files.scripts.iter().collect();
    scripts.sort();
    for (name, bytes) in rules.iter().chain(&scripts) {
        if bytes.trim_ascii().is_empty() {
            report.push(Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::placeless(codes::EMPTY_FILE, format!("`{name}` is empty"))
            });
        }
    }
    let mut document = Document::default();
    for (name, bytes) in rules {
        let Some(tree) = parse::read_text(name, bytes, sources, report, doubts) else {
            continue;
        };
        let before = report.diagnostics.len();
        document.merge(name, tree, report);
        doubts.of_errors(&report.diagnostics[before..], sources);
    }
    let mut files = Vec::new();
    for (name, bytes) in scripts {
        match parse::add_text(name, bytes, sources, report) {
            Some(file) => files.push(file),
            None => doubts.of_lost_script(),
        }
    }
    (document, files)
}

/// Checks a document and lowers it to a pack, as far as that can be done.
fn lower(id: &str, resolved: Resolved, sources: Sources) -> (Pack, Report) {
    let Resolved {
        document,
        scripts,
        variants,
    } = resolved;
    let document = &document;
    let mut report = Report::new();
    let names = Names::collect(document, &mut report);
    let mut reader = Reader {
        document,
        sources: &sources,
        names,
        report,
        layout: Layout::default(),
        kind_attributes: Vec::new(),
        graph_attributes: Vec::new(),
        set_attributes: Vec::new(),
        node_spans: Vec::new(),
        pending: Vec::new(),
        checks: Vec::new(),
        kind_drafts: Vec::new(),
        entries: Vec::new(),
        drafts: Vec::new(),
        starts: Vec::new(),
        refills: Vec::new(),
        effects: Vec::new(),
        tags: BTreeMap::new(),
        provenance: Vec::new(),
    };
    let game = reader.read_game();
    reader.read_properties();
    reader.read_graphs();
    reader.read_sets();
    reader.read_groups();
    reader.read_kinds();
    reader.read_families();
    reader.read_values();
    reader.finish_pieces();
    reader.check_costs();
    reader.fill_accessors();
    reader.read_plain();
    let parameters = reader.read_parameters();
    let mut modifiers = reader.read_modifiers();
    let events = reader.read_events();
    let given = reader.read_abilities();
    modifiers.extend(given.modifiers);
    let decisions = reader.read_decisions();
    let reasons = reader.read_reasons();
    let blocks = reader.read_flow();
    let root = reader.check_flow(&blocks, game.flow);
    let scoring = reader.read_scoring(given.terms);
    let exchanges = reader.read_exchanges();
    let statistics = reader.read_statistics();
    let effects = reader.number_effects();
    let declared = reader.names.declarations();
    let lacking = reader.lacking();
    let Reader {
        report,
        layout,
        tags,
        mut provenance,
        ..
    } = reader;
    provenance.sort();
    let pack = Pack {
        id: id.to_owned(),
        variants,
        title: game.title,
        sources: sources.clone(),
        layout,
        parameters,
        changed: Vec::new(),
        modifiers,
        events,
        abilities: given.abilities,
        triggers: given.triggers,
        decisions,
        reasons,
        effects,
        exchanges,
        blocks,
        root: root.unwrap_or(BlockId(0)),
        scoring,
        evaluate: game.evaluate,
        statistics,
        scripts,
        view: document.view.clone(),
        tags,
        declared,
        lacking,
        provenance,
    };
    (pack, report)
}

/// What is known while a pack is lowered. Each concern fills its part of the layout, in the order in
/// which [`lower`] calls them.
pub(super) struct Reader<'a> {
    pub(super) document: &'a Document,
    pub(super) sources: &'a Sources,
    pub(super) names: Names<'a>,
    pub(super) report: Report,
    pub(super) layout: Layout,
    /// Declared attributes of the pieces of each kind, of the nodes of each graph, of the members of
    /// each set.
    pub(super) kind_attributes: Vec<Vec<AttributeDecl>>,
    pub(super) graph_attributes: Vec<Vec<AttributeDecl>>,
    pub(super) set_attributes: Vec<Vec<AttributeDecl>>,
    /// Where each node stands.
    pub(super) node_spans: Vec<Span>,
    /// Nodes and members whose attributes wait until everything they can name is known.
    pub(super) pending: Vec<PendingValues<'a>>,
    /// Graphs whose costs are to be compared with an attribute.
    pub(super) checks: Vec<CostCheck>,
    /// What each kind says about its pieces.
    pub(super) kind_drafts: Vec<KindDraft<'a>>,
    /// Entries of `pieces` and `generate`, over all kinds.
    pub(super) entries: Vec<PieceEntry<'a>>,
    /// Pieces as declared, one for each piece of the layout.
    pub(super) drafts: Vec<PieceDraft>,
    /// Kinds whose pieces have a place, with where it is named.
    pub(super) starts: Vec<(usize, Span)>,
    /// Families of zones that are refilled, with the zone they name.
    pub(super) refills: Vec<(usize, At<&'a str>)>,
    /// Effects that data name, in the order they were read.
    pub(super) effects: Vec<PendingEffect>,
    /// Tags, with the first place of each.
    pub(super) tags: BTreeMap<String, Span>,
    pub(super) provenance: Vec<(String, Provenance)>,
}
