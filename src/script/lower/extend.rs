//! One more expression for rules that are lowered already.
//!
//! It is lowered against what is known of their functions, and its code, constants and texts are added at
//! the ends of theirs: what a running game holds of the rules stays as it is, save texts made while
//! running, which lie behind those of the constants.

use rustc_hash::FxHashMap;

use crate::diag::{Diagnostic, Report, Span};
use crate::script::code::{Program, Signature};
use crate::script::rules::Rules;
use crate::script::syntax::Statement;
use crate::script::types::Type;
use crate::table::ids::FunctionId;

use super::{Body, Calls, Lowering, MOST_CONSTANTS, MOST_PASSES, Unit, modules};

/// An expression that was added to rules.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Extended {
    /// The function that it became.
    pub(in crate::script) function: FunctionId,
    /// What it gives.
    pub(in crate::script) result: Type,
}

/// Adds the statements of a function body, which may only look, with the names that it takes. `what` is
/// what it is called where something is wrong with it.
///
/// # Errors
/// What is wrong with it; the rules are then as before.
pub(in crate::script) fn extend(
    rules: &mut Rules,
    what: &str,
    span: Span,
    body: Vec<Statement>,
    names: &[(String, Type)],
) -> Result<Extended, Report> {
    let before = Lengths::of(&rules.program);
    let program = &mut rules.program;
    let mut lowering = Lowering {
        report: Report::new(),
        units: program
            .functions
            .iter()
            .zip(&program.signatures)
            .map(|(code, signature)| known(&code.name, code.span, signature))
            .collect(),
        by_name: FxHashMap::default(),
        modules: modules(&rules.pack),
        constant_ids: program
            .constants
            .iter()
            .enumerate()
            .map(|(index, value)| (*value, index as u16))
            .collect(),
        constants: std::mem::take(&mut program.constants),
        texts: std::mem::take(&mut program.texts),
        text_ids: FxHashMap::default(),
        block_units: Vec::new(),
        effect_units: rules
            .effects
            .iter()
            .map(|function| Some(function.index()))
            .collect(),
        triggers: rules.triggers.clone(),
        effects_of: std::collections::BTreeMap::new(),
        changed: false,
        calls: Calls::Kept,
        pack: &rules.pack,
    };
    lowering.by_name = lowering
        .units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.script)
        .map(|(index, unit)| (unit.name.clone(), index))
        .collect();
    lowering.find_effects();
    let unit = lowering.add_unit(Unit {
        name: what.to_owned(),
        span,
        parameters: names.iter().map(|(name, _)| name.clone()).collect(),
        types: names.iter().map(|(_, of)| *of).collect(),
        body: Body::Statements(body),
        ..known(what, span, &NOTHING)
    });
    for _ in 0..MOST_PASSES {
        lowering.changed = false;
        lowering.lower_unit(unit);
        lowering.report = Report::new();
        if !lowering.changed {
            break;
        }
    }
    lowering.build(unit, program);
    let added = &lowering.units[unit];
    if added.alters || added.asks {
        lowering.report.push(
            Diagnostic::error(
                "Y0330",
                span,
                format!("{what} must not change, ask or use chance"),
            )
            .help("only look: call functions that change nothing"),
        );
    }
    if lowering.constants.len() >= MOST_CONSTANTS {
        lowering.report.push(Diagnostic::error(
            "Y0211",
            span,
            format!("there are more than {MOST_CONSTANTS} different constants"),
        ));
    }
    let extended = Extended {
        function: FunctionId::from_index(unit),
        result: added.result,
    };
    program.constants = std::mem::take(&mut lowering.constants);
    program.texts = std::mem::take(&mut lowering.texts);
    let report = std::mem::take(&mut lowering.report);
    if report.has_errors() {
        before.restore(program);
        return Err(report);
    }
    Ok(extended)
}

/// What is known of a function that takes and gives nothing.
const NOTHING: Signature = Signature {
    parameters: Vec::new(),
    result: Type::NEVER,
    script: false,
    pure: true,
    asks: false,
    alters: false,
    variables: Vec::new(),
};

/// A function that is lowered already; its body is not needed any more.
fn known(name: &str, span: Span, signature: &Signature) -> Unit {
    let (parameters, types) = signature.parameters.iter().cloned().unzip();
    Unit {
        base: None,
        calls_base: false,
        name: name.to_owned(),
        span,
        parameters,
        types,
        result: signature.result,
        body: Body::Statements(Vec::new()),
        script: signature.script,
        pure: signature.pure,
        asks: signature.asks,
        alters: signature.alters,
        called: true,
        wanted: None,
        locals: std::collections::BTreeMap::new(),
    }
}

/// How long the parts of a program are.
struct Lengths {
    functions: usize,
    ops: usize,
    statements: usize,
    built_in: usize,
    constants: usize,
    texts: usize,
}

impl Lengths {
    fn of(program: &Program) -> Self {
        Self {
            functions: program.functions.len(),
            ops: program.ops.len(),
            statements: program.statements.len(),
            built_in: program.built_in.len(),
            constants: program.constants.len(),
            texts: program.texts.len(),
        }
    }

    fn restore(&self, program: &mut Program) {
        program.functions.truncate(self.functions);
        program.signatures.truncate(self.functions);
        program.ops.truncate(self.ops);
        program.spans.truncate(self.ops);
        program.statements.truncate(self.statements);
        program.built_in.truncate(self.built_in);
        program.constants.truncate(self.constants);
        program.texts.truncate(self.texts);
    }
}
