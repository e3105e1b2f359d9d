//! What is missing of a pack as a whole, told before all that follows from it.

use crate::diag::{Diagnostic, Report, Severity};
use crate::pack::{PackFiles, codes};

/// Problems that a file of rules explains by what it no longer declares.
const NAMES: &[&str] = &[
    codes::MISSING_KEY,
    codes::UNKNOWN_ID,
    codes::UNKNOWN_TYPE,
    codes::ABILITY_ZONE,
    codes::COUNT_ZONE,
    codes::ABSENT,
    "Y0312",
    "Y0340",
    "Y0341",
];

/// Problems that a script explains by the functions that it no longer has.
const FUNCTIONS: &[&str] = &["Y0322", "Y0333", "Y0335"];

/// Names the files that are gone or empty, and scripts that are missing altogether, before all else; what they explain is
/// counted and left out.
pub(super) fn blame(report: &mut Report, files: &PackFiles, gone: &[String]) {
    let mut culprits: Vec<(Diagnostic, &[&str])> = Vec::new();
    for name in gone {
        let message = format!("`{name}` is gone, from which the rules were read before");
        let culprit = Diagnostic::placeless(codes::UNREADABLE, message);
        culprits.push((culprit, explained_by(name)));
    }
    let names = files.rules.iter().chain(&files.scripts);
    for (name, bytes) in names {
        if bytes.trim_ascii().is_empty() {
            let message = format!("`{name}` is empty");
            let culprit = Diagnostic::placeless(codes::EMPTY_FILE, message);
            culprits.push((culprit, explained_by(name)));
        }
    }
    if files.scripts.is_empty() && gone.is_empty() {
        let message = format!(
            "there are no scripts: the folder `scripts/{}` is missing, or holds no `*.rhai`",
            files.id
        );
        let culprit = Diagnostic::placeless(codes::UNREADABLE, message);
        culprits.push((culprit, FUNCTIONS));
    }
    let is_explained = |found: &Diagnostic, by: &[&str]| {
        found.severity == Severity::Error && by.contains(&found.code)
    };
    culprits.retain(|(_, by)| {
        let mut found = report.diagnostics.iter();
        found.any(|found| is_explained(found, by))
    });
    let before = report.diagnostics.len();
    report.diagnostics.retain(|found| {
        let mut all = culprits.iter();
        !all.any(|(_, by)| is_explained(found, by))
    });
    let left_out = before - report.diagnostics.len();
    let it = if culprits.len() == 1 { "it" } else { "them" };
    let Some((last, _)) = culprits.last_mut() else {
        return;
    };
    last.help.push(match left_out {
        1 => format!("1 problem is left out that may follow from {it}"),
        some => format!("{some} problems are left out that may follow from {it}"),
    });
    // Each is told once, and no longer as a warning.
    report.diagnostics.retain(|found| {
        culprits
            .iter()
            .all(|(culprit, _)| culprit.message != found.message)
    });
    let culprits = culprits.into_iter().map(|(culprit, _)| culprit);
    report.diagnostics.splice(0..0, culprits);
}

/// What is missing if a file of this name is.
fn explained_by(name: &str) -> &'static [&'static str] {
    match name.ends_with(".rhai") {
        true => FUNCTIONS,
        false => NAMES,
    }
}
