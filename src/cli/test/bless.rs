//! Accepting what was found as goldens: all of it, or one by one.

use std::io::{self, BufRead, Write};

use crate::diag::{Style, count};
use crate::scenario::{Difference, Report, ScenarioResult};

use super::super::output;

/// Lines of a diff that are shown unless all are wanted.
const MOST: usize = 60;

/// Accepts goldens that differ: all, or those that a person at the terminal agrees to.
///
/// # Errors
/// When a golden cannot be written, or the terminal not be read.
pub(super) fn run(report: &mut Report, yes: bool, style: Style) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match yes {
        true => all(report, style, &mut out),
        false => ask(report, style, &mut io::stdin().lock(), &mut out),
    }
}

fn differing(report: &mut Report) -> Vec<(&mut ScenarioResult, Difference)> {
    report
        .results
        .iter_mut()
        .filter_map(|result| {
            let difference = result.difference.clone()?;
            Some((result, difference))
        })
        .collect()
}

fn all(report: &mut Report, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for (result, difference) in differing(report) {
        result.accept()?;
        // The golden is written whether or not anybody reads of it.
        output::unless_closed(write!(
            out,
            "blessed {}\n{}",
            difference.name,
            shortened(&difference.text(style))
        ))?;
    }
    Ok(())
}

/// What was answered to "accept it?".
enum Wish {
    Accept,
    Leave,
    AcceptRest,
    LeaveRest,
}

fn ask(
    report: &mut Report,
    style: Style,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut differing = differing(report);
    let many = differing.len();
    if many == 0 {
        return writeln!(out, "\nthere is nothing to bless");
    }
    let mut rest = None;
    for (at, (result, difference)) in differing.iter_mut().enumerate() {
        let wish = match rest {
            Some(true) => Wish::Accept,
            Some(false) => Wish::Leave,
            None => {
                writeln!(out, "\n{} of {many}: {}", at + 1, result.title)?;
                one(&difference.text(style), input, out)?
            }
        };
        match wish {
            Wish::AcceptRest => rest = Some(true),
            Wish::LeaveRest => rest = Some(false),
            Wish::Accept | Wish::Leave => {}
        }
        if matches!(wish, Wish::Accept | Wish::AcceptRest) {
            result.accept()?;
            writeln!(out, "blessed {}", difference.name)?;
        } else {
            let name = &result.found.name;
            result.brief.clear();
            result.complaints = vec![format!(
                "its golden was left as it is; `yukon test {name}` shows how it differs\n"
            )];
        }
    }
    Ok(())
}

/// Shows a diff and asks about it until there is an answer.
fn one(diff: &str, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<Wish> {
    let short = shortened(diff);
    let more = if short == diff {
        ""
    } else {
        ", d all of the diff"
    };
    write!(out, "{short}")?;
    loop {
        write!(
            out,
            "Accept it? (y yes, n no, a this and the rest, q neither this nor the rest{more}) "
        )?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Wish::LeaveRest);
        }
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(Wish::Accept),
            "n" | "no" => return Ok(Wish::Leave),
            "a" | "all" => return Ok(Wish::AcceptRest),
            "q" | "quit" => return Ok(Wish::LeaveRest),
            "d" | "diff" => write!(out, "{diff}")?,
            other => writeln!(out, "`{other}` is no answer")?,
        }
    }
}

/// The first lines of a long diff, and how many follow.
fn shortened(diff: &str) -> String {
    let mut lines = diff.split_inclusive('\n');
    let mut text: String = lines.by_ref().take(MOST).collect();
    match lines.count() {
        0 => {}
        more => text.push_str(&format!("... and {} more\n", count(more, "line"))),
    }
    text
}
