//! Results as JUnit XML, for the pages of a CI.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use crate::scenario::{Report, ScenarioResult};

use super::Failure;

/// Writes the results: a suite a folder, a case a scenario.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(file: &Path, report: &Report) -> Result<(), Failure> {
    let fail = |error: &dyn std::fmt::Display| {
        Failure::Message(format!("cannot write `{}`: {error}", file.display()))
    };
    let text = document(report).to_string().map_err(|error| fail(&error))?;
    fs::write(file, text).map_err(|error| fail(&error))
}

fn document(report: &Report) -> Xml {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    let mut xml = Xml::new("yukon");
    for result in &report.results {
        let (folder, name) = split(&result.found.name);
        let suite = suites
            .entry(folder)
            .or_insert_with(|| TestSuite::new(folder));
        suite.add_test_case(case(result, folder, name));
    }
    for suite in suites.values_mut() {
        let time = suite
            .test_cases
            .iter()
            .filter_map(|case| case.time)
            .sum::<std::time::Duration>();
        suite.set_time(time);
    }
    xml.set_time(suites.values().filter_map(|suite| suite.time).sum());
    xml.add_test_suites(suites.into_values());
    xml
}

/// The folder and the name of a scenario, without its ending.
fn split(name: &str) -> (&str, &str) {
    let (folder, file) = name.rsplit_once('/').unwrap_or((".", name));
    (folder, file.strip_suffix(".toml").unwrap_or(file))
}

fn case(result: &ScenarioResult, folder: &str, name: &str) -> TestCase {
    let status = match result.complaints.first() {
        None => TestCaseStatus::success(),
        Some(first) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(first.lines().next().unwrap_or_default());
            status.set_type("scenario");
            status.set_description(result.complaints.join("\n"));
            status
        }
    };
    let mut case = TestCase::new(name, status);
    case.set_classname(folder);
    case.set_time(result.elapsed);
    case
}
