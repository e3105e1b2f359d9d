//! `yukon sweep`.

use super::Failure;
use super::compare::{
    Format, Other, Pairs, Told, base, clear, narrowed, stands_out, tell, usual_width,
};
use super::load::{SET, need_selected, once, set_parameter};
use super::output::columns;
use super::report::{Origin, changes, chosen, sweep_page, word};
use crate::diag::noun;
use crate::pack::Selection;
use crate::sim::compare::{Comparison, Difference};

/// Larger grids are refused: a slip of the hand would run for days.
const MOST_ROWS: usize = 1_000;

/// What a row shows: ids of metrics.
const COLUMNS: [&str; 7] = [
    "score",
    "first",
    "margin",
    "ties",
    "rounds",
    "decisions",
    "wins_1",
];

/// Plays the same games with each combination of some values of parameters, a row each
///
/// Every row is compared with the game as it is without `--set`, by pairs of games on common chance, as
/// `yukon compare` does; it exits with what that does.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of a folder under `rules/`, found from here upwards, or a path
    pack: String,

    /// Use a variant of the pack; may be repeated, and they apply in this order
    #[arg(long = "variant", value_name = "VARIANT")]
    variant: Vec<String>,

    /// Values of a parameter; may be repeated for a grid
    #[arg(
        long = "set",
        value_name = "PARAM=A,B,C",
        required = true,
        allow_negative_numbers = true
    )]
    set: Vec<String>,

    #[command(flatten)]
    pairs: Pairs,

    /// How results are told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let selection = |parameters: Vec<(String, i64)>| Selection {
        variants: args.variant.clone(),
        parameters,
    };
    once(&selection(Vec::new()))?;
    let (rules, _) = need_selected(&args.pack, &selection(Vec::new()), SET)?;
    let mut others = Vec::new();
    for parameters in grid(&args.set)? {
        let words: Vec<String> = parameters
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let (rules, _) = need_selected(&args.pack, &selection(parameters), SET)?;
        let name = words.join("+");
        others.push(Other { name, rules });
    }
    let sets: String = args
        .set
        .iter()
        .map(|set| format!(" --set {}", word(set)))
        .collect();
    let variants = chosen(&selection(Vec::new()));
    let origin = Origin {
        title: &rules.pack.title,
        changes: changes(others.iter().map(|own| &own.rules)),
        command: format!(
            "yukon sweep {}{variants}{sets}{}",
            word(&args.pack),
            args.pairs.command()
        ),
        by_time: args.pairs.by_time(),
    };
    let told = Told {
        text: &|told| text(told, columns()),
        page: &|told| sweep_page(told, &COLUMNS, &origin),
    };
    tell(&rules, &others, &args.pairs, args.format, &told)
}

/// All combinations, the last parameter changing fastest.
fn grid(sets: &[String]) -> Result<Vec<Vec<(String, i64)>>, Failure> {
    let mut rows: Vec<Vec<(String, i64)>> = vec![Vec::new()];
    let mut names = Vec::new();
    for set in sets {
        let (name, values) = set.split_once('=').ok_or_else(|| {
            Failure::Message(format!("`--set {set}` has no `=`: expected PARAM=A,B,C"))
        })?;
        if names.contains(&name.trim()) {
            return Err(Failure::Message(format!(
                "`{0}` is given twice: write all its values in one `--set {0}=A,B,C`",
                name.trim()
            )));
        }
        names.push(name.trim());
        let values = values
            .split(',')
            .map(|value| set_parameter(&format!("{name}={value}")));
        let mut values: Vec<(String, i64)> = values.collect::<Result<_, _>>()?;
        let mut seen = Vec::new();
        values.retain(|value| {
            let new = !seen.contains(value);
            seen.push(value.clone());
            new
        });
        if rows.len().saturating_mul(values.len()) > MOST_ROWS {
            return Err(Failure::Message(format!(
                "the grid has more than {MOST_ROWS} combinations"
            )));
        }
        let longer = rows.iter().flat_map(|row| {
            values.iter().map(|value| {
                let mut row = row.clone();
                row.push(value.clone());
                row
            })
        });
        rows = longer.collect();
    }
    Ok(rows)
}

/// The columns of one metric.
const CELL: usize = 21;

/// The grid in so many columns, or however wide it is.
fn text(told: &Comparison, columns: Option<usize>) -> String {
    let names = told.variants.iter().map(|row| row.variant.chars().count());
    let width = names.max().unwrap_or(0).max(4);
    let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(width));
    let tables = COLUMNS.chunks((room / (2 + CELL)).clamp(1, COLUMNS.len()));
    let tables: Vec<String> = tables.map(|metrics| table(told, metrics, width)).collect();
    format!("{}{}{}", base(told), tables.join("\n"), beside(told))
}

/// Some of the metrics, a row for each combination.
fn table(told: &Comparison, metrics: &[&str], width: usize) -> String {
    let mut text = format!("{:<width$}", "");
    for title in metrics {
        text.push_str(&format!("  {title:>CELL$}"));
    }
    text.push('\n');
    for row in &told.variants {
        text.push_str(&format!("{:<width$}", row.variant));
        for id in metrics {
            let cell = match row.metrics.iter().find(|own| own.id == *id) {
                None => "-".to_owned(),
                Some(own) => format!(
                    "{:.2} ({:+.2}{}){}",
                    own.variant,
                    own.difference,
                    half(own),
                    if stands_out(own) { "*" } else { " " }
                ),
            };
            text.push_str(&format!("  {cell:>CELL$}"));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// What else there is to say of a grid.
fn beside(told: &Comparison) -> String {
    let mut text = String::new();
    let others: Vec<String> = told
        .variants
        .iter()
        .flat_map(|row| {
            let shown = |own: &&Difference| COLUMNS.contains(&own.id.as_str());
            let others = clear(row).into_iter().filter(move |own| !shown(own));
            others.map(|own| format!("  {}: {} {:+.3}\n", row.variant, own.title, own.difference))
        })
        .collect();
    if !others.is_empty() {
        text.push_str(&format!("\nClearly different, too:\n{}", others.concat()));
    }
    text.push_str(&format!(
        "\n{} of games each. In brackets: the difference from the game without `--set`, and how far its 95 % \
         interval goes to both sides. `*`: chance alone makes as much in less than 5 % of cases, corrected for all \
         that is looked at here. `yukon docs simulation` says what the columns are.\n",
        pairs(told)
    ));
    text.push_str(&left_out(told));
    // Of all rows the one that gains least.
    let widest = told.variants.iter().max_by(|a, b| {
        let width = |row| usual_width(row).unwrap_or(0.0);
        width(a).total_cmp(&width(b))
    });
    text.push_str(&widest.map_or(String::new(), narrowed));
    text
}

/// How many pairs of games each row has: as many, or from the fewest to the most.
fn pairs(told: &Comparison) -> String {
    let all = || told.variants.iter().map(|row| row.pairs);
    let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let many = noun(most, "pair", "pairs");
    match least == most {
        true => format!("{most} {many}"),
        false => format!("{least} to {most} {many}"),
    }
}

/// The rows of which pairs are left out, a line each.
fn left_out(told: &Comparison) -> String {
    let rows = told.variants.iter().filter(|row| row.left_out > 0);
    let rows: String = rows
        .map(|row| {
            let (pairs, many) = (row.pairs, noun(row.pairs, "pair", "pairs"));
            format!(
                "  {}: {pairs} {many}, {} left out\n",
                row.variant, row.left_out
            )
        })
        .collect();
    match rows.as_str() {
        "" => rows,
        _ => format!("\nPairs of which a game did not come to its end are left out:\n{rows}"),
    }
}

/// Half of an interval, if there is one.
fn half(own: &Difference) -> String {
    match (own.high - own.low) / 2.0 {
        half if half.is_finite() => format!("±{half:.2}"),
        _ => String::new(),
    }
}
