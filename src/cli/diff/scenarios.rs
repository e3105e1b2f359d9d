//! Which scenarios come out differently, those together that do so in one way.

use crate::repl::text::{Line, Paint};
use crate::scenario::compare::Comparison;
use crate::scenario::parting::Parting;

/// How many of a group are named, unless all are wanted.
const NAMED: usize = 6;

/// How much of what differs in one scenario is told, unless all is wanted.
const WORDS: usize = 4;

/// The scenarios that come out differently: by what differs first, or each with all that differs up to its next decision.
pub(super) fn told(compared: &Comparison, all: bool) -> Vec<Line> {
    let (many, of) = (compared.different.len(), compared.compared);
    let mut lines = vec![
        Line::new(),
        Line::of(
            format!("Scenarios that come out differently: {many} of {of}"),
            Paint::Bold,
        ),
    ];
    if all {
        for parting in &compared.different {
            lines.push(Line::plain(format!(
                "  {}: {}",
                parting.scenario, parting.title
            )));
            if parting.words.is_empty() {
                lines.push(Line::plain(format!("      {}", parting.kind)));
            }
            lines.extend(parted(parting, usize::MAX));
        }
        return lines;
    }
    if many > 0 {
        lines.push(Line::of(
            "  by the first thing that differs; `--all` tells each",
            Paint::Dim,
        ));
    }
    for group in compared.groups() {
        let many = group.partings.len();
        let mut line = Line::plain("  ");
        line.push(format!("{many}: {}", group.kind), Paint::Bold);
        lines.push(line);
        let [first, others @ ..] = group.partings.as_slice() else {
            continue;
        };
        lines.push(Line::plain(format!("    {}", first.scenario)));
        lines.extend(parted(first, WORDS));
        if others.is_empty() {
            continue;
        }
        let named = others.iter().take(NAMED - 1);
        let mut names: Vec<&str> = named.map(|parting| parting.scenario.as_str()).collect();
        let more = match others.len() - names.len() {
            0 => String::new(),
            more => {
                names.push("");
                format!("and {more} more")
            }
        };
        lines.push(Line::plain(format!("    also {}{more}", names.join(", "))));
        let broken = group
            .partings
            .iter()
            .filter(|parting| parting.trouble.is_some());
        match broken.count() {
            0 => {}
            1 => lines.push(Line::plain("    1 of them no longer holds")),
            broken => lines.push(Line::plain(format!("    {broken} of them no longer hold"))),
        }
    }
    lines
}

/// Where a scenario goes another way, and how: so much of it, and how much more there is.
fn parted(parting: &Parting, most: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if parting.old.is_some() || parting.new.is_some() {
        lines.push(Line::plain(format!("      {}:", parting.at())));
    }
    for word in parting.words.iter().take(most) {
        lines.push(Line::plain(format!("        {word}")));
    }
    match parting.words.len().saturating_sub(most) {
        0 => {}
        more => lines.push(Line::of(
            format!("        and {more} more there"),
            Paint::Dim,
        )),
    }
    if let Some(trouble) = &parting.trouble {
        lines.push(Line::plain(format!("      it no longer holds: {trouble}")));
    }
    lines
}
