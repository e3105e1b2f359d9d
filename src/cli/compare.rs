//! `yukon compare`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::bots::{by_time, lineup};
use super::load::{PackArgs, SET, need_selected, once, set_parameter};
use super::number::{games, players, seed, threads};
use super::output::{complain, fitted};
use super::report::{self, Origin, changes, chosen, compare_page, word};
use super::sim::{MOST_DECISIONS, TOO_FEW};
use super::{Failure, watch};
use crate::diag::{count, noun};
use crate::flow::game::check_players;
use crate::pack::Selection;
use crate::script::Rules;
use crate::sim::compare::{Clear, Comparison, Difference, Differences, Variant, compare};
use crate::sim::{Batch, Watch};

/// A difference is marked if chance alone makes it as rarely as this.
const RARE: f64 = 0.05;

/// Plays pairs of games with and without variants, on common chance, and tells what is different
///
/// Each pair has the same seed and the same bots, who move on by one place from pair to pair. Without a
/// variant the game is compared with itself: every difference must be exactly 0. Ctrl-C stops it and tells
/// what was played until then. Exits with 1 if a game does not come to its end, with 130 if it was stopped early.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pack: PackArgs,

    /// What to compare with the game as `--variant` and `--set` give it: variants of the pack or
    /// PARAM=VALUE, several joined by `+`
    #[arg(value_name = "VARIANT")]
    with: Vec<String>,

    #[command(flatten)]
    pairs: Pairs,

    /// How results are told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How pairs of games are played.
#[derive(Debug, clap::Args)]
pub(super) struct Pairs {
    /// How many play [default: the fewest that can]
    #[arg(long, value_parser = players(), allow_negative_numbers = true)]
    players: Option<u8>,

    /// How many pairs of games
    #[arg(long, default_value_t = 1000, value_parser = games(), allow_negative_numbers = true)]
    games: u64,

    /// The seed: pair i derives from it and i
    #[arg(long, default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,

    /// One bot for all, or one for each player with commas between them: random, greedy,
    /// mcts, or mcts with a budget: mcts:decisions=500, mcts:time=20ms
    #[arg(long, default_value = "random")]
    bots: String,

    /// Threads [default: one for each core]
    #[arg(long, value_parser = threads(), allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Compare what the pack declares in `[statistic]`, too
    #[arg(long)]
    statistics: bool,

    /// Stop when the interval of a metric's difference is as narrow as this for each variant, such as
    /// `score=0.5`; `--games` is then the most
    #[arg(long, value_name = "METRIC=WIDTH", allow_negative_numbers = true)]
    until_clear: Option<String>,

    /// Write one page with plots, too, which counts what the pack declares in `[statistic]`; `-` writes it to
    /// the standard output in place of the results
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// One object; `yukon docs simulation` describes it
    Json,
    /// A line for each metric of each variant, after a line of names
    Csv,
}

/// Something to compare with the base game.
pub(super) struct Other {
    /// What it is called.
    pub(super) name: String,
    /// Its rules.
    pub(super) rules: Rules,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let pack = &args.pack.pack;
    let base = args.pack.changes.selection()?;
    let (rules, _) = need_selected(pack, &base, SET)?;
    let mut others = Vec::new();
    for (name, selection) in distinct(&base, &args.with)? {
        let (rules, _) = need_selected(pack, &selection, "")?;
        others.push(Other { name, rules });
    }
    if others.is_empty() {
        let name = "the same game".to_owned();
        let rules = rules.clone();
        others.push(Other { name, rules });
    }
    let name = &args.pack.pack;
    let with: String = args
        .with
        .iter()
        .map(|with| format!(" {}", word(with)))
        .collect();
    let origin = Origin {
        title: &rules.pack.title,
        changes: changes(others.iter().map(|own| &own.rules)),
        command: format!(
            "yukon compare {}{}{with}{}",
            word(name),
            chosen(&base),
            args.pairs.command()
        ),
        by_time: args.pairs.by_time(),
    };
    let told = Told {
        text: &text,
        page: &|told| compare_page(told, &origin),
    };
    tell(&rules, &others, &args.pairs, args.format, &told)
}

/// How results are told.
pub(super) struct Told<'a> {
    /// To people who read a terminal.
    pub(super) text: &'a dyn Fn(&Comparison) -> String,
    /// As a page.
    pub(super) page: &'a dyn Fn(&Comparison) -> String,
}

impl Pairs {
    /// Whether some of the bots go by time.
    pub(super) fn by_time(&self) -> bool {
        by_time(&self.bots)
    }

    /// The options that give what a page shows: the same pairs, and what is counted of them, since chances are
    /// corrected for all of it.
    pub(super) fn command(&self) -> String {
        let players = self.players.map(|players| format!(" --players {players}"));
        let clear = self.until_clear.as_ref();
        let clear = clear.map(|clear| format!(" --until-clear {}", word(clear)));
        format!(
            "{} --games {} --seed {} --bots {} --statistics{}",
            players.unwrap_or_default(),
            self.games,
            self.seed,
            word(&self.bots),
            clear.unwrap_or_default()
        )
    }
}

/// Plays pairs of the base game with others, tells what came out, and fails if a game did.
pub(super) fn tell(
    rules: &Rules,
    others: &[Other],
    pairs: &Pairs,
    format: Format,
    as_told: &Told<'_>,
) -> Result<(), Failure> {
    pairs.html.as_deref().map(report::can_write).transpose()?;
    let told = play(rules, others, pairs)?;
    let results = || {
        Ok(match format {
            Format::Text => fitted(&(as_told.text)(&told)),
            Format::Json => json(&told)?,
            Format::Csv => csv(&told),
        })
    };
    report::write(pairs.html.as_deref(), || Ok((as_told.page)(&told)), results)?;
    judge(&told)
}

/// What each is chosen to be that is compared with the base game.
///
/// # Errors
/// When one cannot be read, or two are the same game: of their equal rows one would say nothing, and each chance
/// would be corrected for both.
fn distinct(base: &Selection, with: &[String]) -> Result<Vec<(String, Selection)>, Failure> {
    let mut all: Vec<(String, Selection)> = Vec::new();
    for name in with {
        let own = self::with(base, name)?;
        // The order in which variants are given changes nothing.
        let game = |own: &Selection| {
            let mut own = own.clone();
            own.variants.sort();
            own.parameters.sort();
            own
        };
        let mut before = all.iter();
        if let Some((known, _)) = before.find(|(_, known)| game(known) == game(&own)) {
            return Err(Failure::Message(match known == name {
                true => format!("`{name}` is compared twice: once is enough"),
                false => format!("`{known}` and `{name}` are the same game: compare one of them"),
            }));
        }
        all.push((name.clone(), own));
    }
    Ok(all)
}

/// What is chosen of the pack, and more.
fn with(base: &Selection, more: &str) -> Result<Selection, Failure> {
    let mut own = Selection::default();
    for part in more.split('+').map(str::trim) {
        match part.contains('=') {
            true => own.parameters.push(set_parameter(part)?),
            false => own.variants.push(part.to_owned()),
        }
    }
    once(&own)?;
    if let Some(id) = own.variants.iter().find(|id| base.variants.contains(id)) {
        return Err(Failure::Message(format!(
            "`{id}` is a variant of both games: leave it out here, or out of `--variant`"
        )));
    }
    let mut selection = base.clone();
    selection.variants.extend(own.variants);
    // What is set here is so instead of what both are given.
    let set = |name: &String| own.parameters.iter().any(|(known, _)| known == name);
    selection.parameters.retain(|(name, _)| !set(name));
    selection.parameters.extend(own.parameters);
    Ok(selection)
}

/// Plays the pairs.
fn play(rules: &Rules, others: &[Other], pairs: &Pairs) -> Result<Comparison, Failure> {
    let players = pairs.players.unwrap_or(rules.layout().min_players);
    for rules in others.iter().map(|other| &other.rules).chain([rules]) {
        check_players(rules, players).map_err(|error| Failure::Message(error.to_string()))?;
    }
    let clear = pairs.until_clear.as_deref().map(read_clear).transpose()?;
    let batch = Batch {
        players,
        games: pairs.games,
        seed: pairs.seed,
        lineup: lineup(&pairs.bots, players, true)?,
        check_invariants: false,
        statistics: pairs.statistics || pairs.html.is_some(),
        most_decisions: MOST_DECISIONS,
        threads: watch::threads(pairs.threads),
    };
    let variants: Vec<Variant<'_>> = others
        .iter()
        .map(|other| Variant {
            name: &other.name,
            rules: &other.rules,
        })
        .collect();
    if let (Some(clear), Some(given)) = (&clear, &pairs.until_clear) {
        let known = clear.need_metric(rules, &variants, &batch);
        known.map_err(|why| Failure::Message(format!("`--until-clear {given}`: {why}")))?;
    }
    let bar = watch::bar(pairs.games);
    let played = |games: u64| bar.inc(games);
    let look = Watch {
        stop: Some(watch::stop()?),
        played: Some(&played),
    };
    let told = compare(rules, &variants, &batch, clear.as_ref(), &look);
    bar.finish_and_clear();
    let told = told.map_err(Failure::Message)?;
    if watch::is_stopped() {
        let pairs = told.variants.iter().map(|own| own.pairs + own.left_out);
        let (played, wanted) = (pairs.max().unwrap_or(0), batch.games);
        complain(&format!(
            "stopped after {played} of {} of games\n",
            count(wanted, "pair")
        ));
    } else if let Some(clear) = &clear {
        complain(&still_wide(clear, &told));
    }
    Ok(told)
}

/// Says that all pairs were played and the interval to wait for is wider than was wanted; nothing if it is not.
fn still_wide(clear: &Clear, told: &Comparison) -> String {
    let wide = |variant: &Differences| {
        let own = variant.metrics.iter().find(|own| own.id == clear.metric)?;
        Some((own.high - own.low, variant.pairs, variant.variant.clone()))
    };
    let widest = told.variants.iter().filter_map(wide);
    let Clear {
        metric,
        width: wanted,
    } = clear;
    let Some((width, pairs, name)) = widest.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return format!("`--until-clear {metric}={wanted}` was not reached: it came in no game\n");
    };
    if width <= clear.width {
        return String::new();
    }
    let found = match width.is_finite() {
        true => {
            // An interval narrows with the root of the number of pairs.
            let need = (pairs as f64 * (width / wanted).powi(2)).ceil();
            format!(
                "after {pairs} {} of games the interval of `{name}` is {width:.3} wide, and about {need:.0} pairs \
                 would be needed",
                noun(pairs, "pair", "pairs")
            )
        }
        false => format!("so few pairs of games leave no interval of `{name}`"),
    };
    format!(
        "`--until-clear {metric}={wanted}` was not reached: {found}; `--games` says how many may be played\n"
    )
}

/// Reads METRIC=WIDTH.
fn read_clear(text: &str) -> Result<Clear, Failure> {
    let read = text.split_once('=').and_then(|(metric, width)| {
        let width: f64 = width.trim().parse().ok()?;
        (width > 0.0 && width.is_finite()).then(|| Clear {
            metric: metric.trim().to_owned(),
            width,
        })
    });
    let expected = "expected METRIC=WIDTH with a width above 0, such as `score=0.5`";
    read.ok_or_else(|| Failure::Message(format!("`--until-clear {text}`: {expected}")))
}

/// Fails if it was stopped early, or games did not come to their ends.
fn judge(told: &Comparison) -> Result<(), Failure> {
    let left_out: u64 = told.variants.iter().map(|variant| variant.left_out).sum();
    match left_out {
        _ if watch::is_stopped() => Err(Failure::Interrupted),
        0 => Ok(()),
        _ => {
            complain(&format!(
                "{left_out} {} left out, because a game of them did not come to its end: `yukon sim` \
                 with the same seed tells which\n",
                noun(left_out, "pair is", "pairs are")
            ));
            Err(Failure::Told)
        }
    }
}

fn json(told: &Comparison) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(told).map_err(std::io::Error::from)?;
    Ok(format!("{json}\n"))
}

/// Whether a difference is more than chance makes of so many.
pub(super) fn stands_out(difference: &Difference) -> bool {
    difference.p_holm < RARE
}

fn text(told: &Comparison) -> String {
    let mut text = base(told);
    for variant in &told.variants {
        text.push_str(&table(variant));
        text.push('\n');
    }
    text.push_str(
        "Brackets hold the 95 % interval of the difference. p: in what share of cases chance alone makes as much, \
         corrected for all that is looked at here; `*` where that is less than 5 %.\n",
    );
    text
}

/// What is chosen of the game that all others are compared with, in a line; nothing if nothing is.
pub(super) fn base(told: &Comparison) -> String {
    match told.base.joined() {
        chosen if chosen.is_empty() => chosen,
        chosen => format!("the base game is played with {chosen}\n\n"),
    }
}

fn table(told: &Differences) -> String {
    let mut text = format!(
        "{}: {} {} of games, {} of them the same to the end\n",
        told.variant,
        told.pairs,
        noun(told.pairs, "pair", "pairs"),
        told.same
    );
    if told.pairs == 0 {
        return text;
    }
    let wide = |own: &Difference| own.title.chars().count();
    let width = told.metrics.iter().map(wide).max().unwrap_or(0).max(6);
    let interval = |own: &Difference| match own.low.is_finite() {
        true => format!("({:+.3} to {:+.3})", own.low, own.high),
        false => format!("({TOO_FEW})"),
    };
    let intervals = told.metrics.iter().map(|own| interval(own).len());
    let between = intervals.max().unwrap_or(0);
    text.push_str(&format!(
        "\n{:<width$} {:>8} {:>8}  {:>10} {:<between$} {:>7}\n",
        "", "base", "variant", "difference", "", "p"
    ));
    for own in &told.metrics {
        text.push_str(&format!(
            "{:<width$} {:>8.3} {:>8.3}  {:>+10.3} {:<between$} {:>7}{}\n",
            own.title,
            own.base,
            own.variant,
            own.difference,
            interval(own),
            chance(own.p_holm),
            if stands_out(own) { " *" } else { "" },
        ));
    }
    if told.metrics.iter().all(Difference::is_nothing) {
        text.push_str("\nEvery difference is exactly 0.\n");
    } else {
        text.push_str(&summary(told));
        text.push_str(&narrowed(told));
    }
    text
}

/// How much narrower pairs make intervals, in a line.
pub(super) fn narrowed(told: &Differences) -> String {
    let width = usual_width(told).filter(|width| *width > 0.0);
    width.map_or(String::new(), |width| {
        format!(
            "\nIntervals are {width:.2} times as wide as those of as many games without common chance (the median).\n"
        )
    })
}

/// The differences that stand out, the largest first: in standard deviations of single games.
pub(super) fn clear(told: &Differences) -> Vec<&Difference> {
    let mut clear: Vec<&Difference> = told.metrics.iter().filter(|own| stands_out(own)).collect();
    let size = |own: &Difference| own.difference.abs() / own.deviation.max(f64::MIN_POSITIVE);
    clear.sort_by(|a, b| size(b).total_cmp(&size(a)));
    clear
}

/// What stands out, in a line for those who do not read all.
fn summary(told: &Differences) -> String {
    let clear = clear(told);
    if clear.is_empty() {
        return "\nNothing is clearly different: it differs by less than so many pairs can show, or not at all.\n".to_owned();
    }
    let words: Vec<String> = clear
        .iter()
        .map(|own| format!("  {} {:+.3}\n", own.title, own.difference))
        .collect();
    format!(
        "\nClearly different, the largest first:\n{}",
        words.concat()
    )
}

/// A probability, in words that do not say never.
fn chance(p: f64) -> String {
    match p < 0.0001 {
        true => "<0.0001".to_owned(),
        false => format!("{p:.4}"),
    }
}

/// How wide intervals are compared with those of unpaired games: the median over the metrics.
pub(super) fn usual_width(told: &Differences) -> Option<f64> {
    let widths = told.metrics.iter().filter_map(|own| own.width_of_unpaired);
    let mut widths: Vec<f64> = widths.collect();
    widths.sort_by(f64::total_cmp);
    widths.get(widths.len() / 2).copied()
}

fn csv(told: &Comparison) -> String {
    let mut text = String::from(
        "variant,pairs,left_out,same,metric,base,variant_mean,difference,low,high,p,p_holm,width_of_unpaired,format,base\n",
    );
    for variant in &told.variants {
        for own in &variant.metrics {
            let width = own
                .width_of_unpaired
                .map_or(String::new(), |width| width.to_string());
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{},{},{},{},{},{width},{},{}\n",
                quoted(&variant.variant),
                variant.pairs,
                variant.left_out,
                variant.same,
                quoted(&own.id),
                own.base,
                own.variant,
                own.difference,
                own.low,
                own.high,
                own.p,
                own.p_holm,
                told.format,
                told.base.joined(),
            ));
        }
    }
    text
}

/// A field of CSV: in quotes where it must be.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
