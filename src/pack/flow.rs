//! The flow: blocks that do steps and other blocks.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Span};
use crate::table::ids::BlockId;
use crate::table::layout::Scope;

use super::codes;
use super::doc::Item;
use super::fields::{At, Fields, as_snippet, wrong_type};
use super::model::{Block, Repeat, Snippet};
use super::names::{Section, check_id};
use super::read::Reader;

/// A key that says how often a block is done, and what it makes of its expression.
type RepeatKey = (&'static str, fn(Snippet) -> Repeat);

/// The keys that say how often a block is done.
const REPEATS: [RepeatKey; 3] = [
    ("times", Repeat::Times),
    ("while", Repeat::While),
    ("each", Repeat::Each),
];

impl<'a> Reader<'a> {
    /// Reads the blocks of the flow.
    pub(super) fn read_flow(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for declared in self.names.list(Section::Flow).to_vec() {
            let mut fields = self.fields(Section::Flow, declared);
            let path = format!("flow.{}", declared.id);
            let (name, _) = self.common(&mut fields, &path, Some(declared.id));
            let steps = self.read_steps(&mut fields);
            let repeat = self.read_repeat(&mut fields);
            let when = fields.snippet("when", self.sources, &mut self.report);
            let words = [
                ("round", Scope::Round),
                ("phase", Scope::Phase),
                ("turn", Scope::Turn),
            ];
            let scope = fields.word("scope", &words, &mut self.report);
            fields.finish(&mut self.report);
            blocks.push(Block {
                name,
                steps,
                repeat,
                when,
                scope,
                span: declared.key,
            });
        }
        blocks
    }

    fn read_steps(&mut self, fields: &mut Fields<'a>) -> Vec<Snippet> {
        let what = format!("a step of {}", fields.what);
        let Some(list) = fields.list("do", &mut self.report) else {
            return Vec::new();
        };
        if list.is_empty() {
            let message = format!("{} does nothing", fields.what);
            self.out_of_range(fields.key_span("do"), message, "expected one step at least");
        }
        let mut steps = Vec::new();
        for node in list {
            let Item::Text(text) = &node.item else {
                let expected = "the name of a block or a function";
                wrong_type(&mut self.report, &what, expected, node);
                continue;
            };
            check_id(text, node.span, &mut self.report);
            steps.extend(as_snippet(&what, node, self.sources, &mut self.report));
        }
        steps
    }

    fn read_repeat(&mut self, fields: &mut Fields<'a>) -> Repeat {
        let mut found: Option<(&str, Repeat)> = None;
        for (key, repeat) in REPEATS {
            let Some(snippet) = fields.snippet(key, self.sources, &mut self.report) else {
                continue;
            };
            if let Some((first, _)) = &found {
                self.report.push(
                    Diagnostic::error(
                        codes::EXACTLY_ONE,
                        fields.key_span(key),
                        format!("{} has both `{first}` and `{key}`", fields.what),
                    )
                    .label("expected only one of `times`, `while` and `each`")
                    .other(fields.key_span(first), "the other one")
                    .help("put a block inside a block to do both"),
                );
                continue;
            }
            found = Some((key, repeat(snippet)));
        }
        found.map_or(Repeat::Once, |(_, repeat)| repeat)
    }

    /// Finds the block in which the flow begins. Reports blocks that contain themselves, and warns
    /// of those that are never done.
    pub(super) fn check_flow(
        &mut self,
        blocks: &[Block],
        root: Option<At<&str>>,
    ) -> Option<BlockId> {
        let inner: Vec<Vec<(usize, Span)>> = blocks
            .iter()
            .map(|block| {
                let steps = block.steps.iter();
                let inner = steps.filter_map(|step| {
                    let index = self.names.find(Section::Flow, &step.text)?;
                    Some((index, step.span))
                });
                inner.collect()
            })
            .collect();
        let mut marks = BTreeMap::new();
        for block in 0..blocks.len() {
            self.visit(block, blocks, &inner, &mut marks);
        }
        let root = self.names.resolve(Section::Flow, root?, &mut self.report)?;
        // A block whose steps could not be read may do any other.
        if blocks.iter().any(|block| block.steps.is_empty()) {
            return Some(BlockId::from_index(root));
        }
        let mut done = vec![false; blocks.len()];
        let mut open = vec![root];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut done[block], true) {
                open.extend(inner[block].iter().map(|(index, _)| *index));
            }
        }
        for (block, _) in blocks.iter().zip(&done).filter(|(_, done)| !**done) {
            self.report.push(
                Diagnostic::warning(
                    codes::UNUSED_BLOCK,
                    block.span,
                    format!("block `{}` is never done", block.name.id),
                )
                .label("no block that is done names it"),
            );
        }
        Some(BlockId::from_index(root))
    }

    /// Goes down from a block without recursion, since packs may nest as deep as they like. A mark is
    /// `false` while the inside of a block is looked at, and `true` after that.
    fn visit(
        &mut self,
        start: usize,
        blocks: &[Block],
        inner: &[Vec<(usize, Span)>],
        marks: &mut BTreeMap<usize, bool>,
    ) {
        if marks.contains_key(&start) {
            return;
        }
        marks.insert(start, false);
        let mut path = vec![(start, 0)];
        while let Some((block, next)) = path.last_mut() {
            let Some((child, span)) = inner[*block].get(*next).copied() else {
                marks.insert(*block, true);
                path.pop();
                continue;
            };
            *next += 1;
            match marks.get(&child) {
                Some(true) => {}
                Some(false) => {
                    let from = path.iter().position(|(block, _)| *block == child);
                    let chain: Vec<String> = path[from.unwrap_or(0)..]
                        .iter()
                        .chain([&(child, 0)])
                        .map(|(block, _)| format!("`{}`", blocks[*block].name.id))
                        .collect();
                    self.report.push(
                        Diagnostic::error(
                            codes::CYCLE,
                            span,
                            format!("block `{}` contains itself", blocks[child].name.id),
                        )
                        .label(chain.join(" does "))
                        .help("repeat a block with `while` or `times`"),
                    );
                }
                None => {
                    marks.insert(child, false);
                    path.push((child, 0));
                }
            }
        }
    }
}
