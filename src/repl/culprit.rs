//! What is missing of a pack as a whole, told before all that follows from it.

use crate::diag::{Diagnostic, Report, Severity};
use crate::pack::{PackFiles, codes};

/// Problems of the data that a file of rules explains by what it no longer declares.
const NAMES: &[&str] = &[
    codes::MISSING_KEY,
    codes::UNKNOWN_ID,
    codes::UNKNOWN_TYPE,
    codes::UNDECLARED_ATTRIBUTE,
    codes::ABILITY_ZONE,
    codes::COUNT_ZONE,
    codes::ABSENT,
];

/// Problems that a script explains by the functions that it no longer has.
const FUNCTIONS: &[&str] = &["Y0322", "Y0333", "Y0335"];

/// What is missing of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    Rules,
    Script,
}

impl Missing {
    /// What is missing if a file of this name is.
    fn of(name: &str) -> Self {
        match name.ends_with(".rhai") {
            true => Self::Script,
            false => Self::Rules,
        }
    }

    /// Whether a problem may follow from it.
    fn explains(self, found: &Diagnostic) -> bool {
        let code = found.code;
        found.severity == Severity::Error
            && match self {
                Self::Script => FUNCTIONS.contains(&code),
                // What scripts make of the data is of the codes from 300 on, but for how they are written.
                Self::Rules => {
                    let of_scripts = code.starts_with("Y03") && !matches!(code, "Y0301" | "Y0308");
                    NAMES.contains(&code) || of_scripts && !FUNCTIONS.contains(&code)
                }
            }
    }
}

/// Names the files that are gone or empty, and scripts that are missing altogether, before all else; what they explain is
/// counted and left out.
pub(super) fn blame(report: &mut Report, files: &PackFiles, gone: &[String]) {
    let mut culprits: Vec<(Diagnostic, Missing)> = Vec::new();
    for name in gone {
        let message = format!("`{name}` is gone, from which the rules were read before");
        let culprit = Diagnostic::placeless(codes::UNREADABLE, message);
        culprits.push((culprit, Missing::of(name)));
    }
    let names = files.rules.iter().chain(&files.scripts);
    for (name, bytes) in names {
        if bytes.trim_ascii().is_empty() {
            let message = format!("`{name}` is empty");
            let culprit = Diagnostic::placeless(codes::EMPTY_FILE, message);
            culprits.push((culprit, Missing::of(name)));
        }
    }
    if files.scripts.is_empty() && gone.is_empty() {
        let message = format!(
            "there are no scripts: the folder `scripts/{}` is missing, or holds no `*.rhai`",
            files.id
        );
        let culprit = Diagnostic::placeless(codes::UNREADABLE, message);
        culprits.push((culprit, Missing::Script));
    }
    culprits.retain(|(_, missing)| {
        let mut found = report.diagnostics.iter();
        found.any(|found| missing.explains(found))
    });
    let before = report.diagnostics.len();
    report.diagnostics.retain(|found| {
        let mut all = culprits.iter();
        !all.any(|(_, missing)| missing.explains(found))
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
