//! `yukon sim`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::bots::{by_time, lineup};
use super::load::{PackArgs, need};
use super::number::{games, number, players, seed, threads};
use super::output::{complain, fitted, need_path};
use super::report::{self, Origin, chosen, sim_page, word};
use super::{Failure, watch};
use crate::diag::{count, noun};
use crate::flow::Record;
use crate::flow::game::check_players;
use crate::repl::text::width;
use crate::sim::numbers::{Distribution, Share};
use crate::sim::uses::UsesSummary;
use crate::sim::{Batch, PlayerSummary, Summary, Watch};

/// Decisions after which a game counts as unfinished.
pub(super) const MOST_DECISIONS: u64 = 20_000;

/// Said where there are not enough games for an interval.
pub(super) const TOO_FEW: &str = "too few for an interval";

/// Plays many games with bots
///
/// Ctrl-C stops it and tells what was played until then. Exits with 1 if a game does not come to its end
/// or a check fails, with 130 if it was stopped early.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pack: PackArgs,

    /// How many play [default: the fewest that can]
    #[arg(long, value_parser = players(), allow_negative_numbers = true)]
    players: Option<u8>,

    /// How many games
    #[arg(long, default_value_t = 100, value_parser = games(), allow_negative_numbers = true)]
    games: u64,

    /// The seed: game i derives from it and i
    #[arg(long, default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,

    /// One bot for all, or one for each player with commas between them: random, greedy,
    /// mcts, or mcts with a budget: mcts:decisions=500, mcts:time=20ms
    #[arg(long, default_value = "random")]
    bots: String,

    /// Let the bots move on by one place from game to game
    #[arg(long)]
    rotate: bool,

    /// Threads [default: one for each core]
    #[arg(long, value_parser = threads(), allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Check at every decision that nothing on the table is lost or twice there
    #[arg(long)]
    check_invariants: bool,

    /// Count what the pack declares in `[statistic]`, too
    #[arg(long)]
    statistics: bool,

    /// Decisions, forced ones included, after which a game counts as endless
    #[arg(
        long,
        value_name = "N",
        default_value_t = MOST_DECISIONS,
        value_parser = number::<u64>("how many decisions", 1..=u64::MAX),
        allow_negative_numbers = true
    )]
    most_decisions: u64,

    /// Where to save records of the first games that fail
    #[arg(long, value_name = "DIR", default_value = ".")]
    save_failures: PathBuf,

    /// How results are told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write one page with plots, too, which counts what the pack declares in `[statistic]`; `-` writes it to
    /// the standard output in place of the results
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One object; `yukon docs simulation` describes it
    Json,
    /// A line for each place at the table, after a line of names
    Csv,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    args.html.as_deref().map(report::can_write).transpose()?;
    need_path(&args.save_failures, "--save-failures", "a folder")?;
    no_file(&args.save_failures)?;
    let (rules, _) = need(&args.pack)?;
    let players = args.players.unwrap_or(rules.layout().min_players);
    check_players(&rules, players).map_err(|error| Failure::Message(error.to_string()))?;
    let batch = Batch {
        players,
        games: args.games,
        seed: args.seed,
        lineup: lineup(&args.bots, players, args.rotate)?,
        check_invariants: args.check_invariants,
        statistics: args.statistics || args.html.is_some(),
        most_decisions: args.most_decisions,
        threads: watch::threads(args.threads),
    };
    if args.statistics && args.format == Format::Csv && args.html.is_none() {
        complain("statistics are no part of CSV: `--format json` tells them, and `--html FILE`\n");
    }
    let bar = watch::bar(args.games);
    let played = |games: u64| bar.inc(games);
    let look = Watch {
        stop: Some(watch::stop()?),
        played: Some(&played),
    };
    let summary = crate::sim::run(&rules, &batch, &look).map_err(Failure::Message)?;
    bar.finish_and_clear();
    let stopped = summary.games < args.games;
    if stopped {
        let (played, wanted) = (summary.games, args.games);
        let wanted = count(wanted, "game");
        complain(&format!("stopped after {played} of {wanted}\n"));
    }
    let page = || {
        let origin = Origin {
            title: &rules.pack.title,
            changes: report::changes([&rules]),
            command: args.command(players)?,
            by_time: by_time(&args.bots),
        };
        Ok(sim_page(&rules, &summary, &origin))
    };
    let told = || {
        Ok(match args.format {
            Format::Text => fitted(&text(&summary)),
            Format::Json => {
                let json = serde_json::to_string_pretty(&summary).map_err(std::io::Error::from)?;
                format!("{json}\n")
            }
            Format::Csv => csv(&summary),
        })
    };
    report::write(args.html.as_deref(), page, told)?;
    let saved = save(&summary, &rules.pack.id, &args.save_failures);
    let failed = summary.unfinished > 0 || summary.violations.is_some_and(|number| number > 0);
    if failed && !stopped {
        if args.format != Format::Text {
            let what = failures(&summary).join("\n  ");
            let failed = failed_games(&summary);
            return Err(Failure::Message(format!("{failed}\n  {what}\n{saved}")));
        }
        complain(&saved);
        return Err(Failure::Told);
    }
    complain(&saved);
    match stopped {
        true => Err(Failure::Interrupted),
        false => Ok(()),
    }
}

impl Args {
    /// The command that gives what a page shows, with every option that changes it.
    fn command(&self, players: u8) -> Result<String, Failure> {
        let mut command = format!(
            "yukon sim {}{} --players {players} --games {} --seed {} --bots {}",
            word(&self.pack.pack),
            chosen(&self.pack.changes.selection()?),
            self.games,
            self.seed,
            word(&self.bots)
        );
        if self.most_decisions != MOST_DECISIONS {
            command.push_str(&format!(" --most-decisions {}", self.most_decisions));
        }
        for (given, option) in [
            (self.rotate, " --rotate"),
            (self.check_invariants, " --check-invariants"),
            // A page counts them without being asked.
            (true, " --statistics"),
        ] {
            command.push_str(if given { option } else { "" });
        }
        Ok(command)
    }
}

/// Saves the first games that failed; says where, or why not: what was played is told in any case.
fn save(summary: &Summary, pack: &str, folder: &Path) -> String {
    let mut said = String::new();
    let mut any = false;
    for failure in &summary.failed {
        let record = match &failure.record {
            Ok(record) => record,
            Err(why) => {
                said.push_str(&format!("game {} is not saved: {why}\n", failure.game));
                continue;
            }
        };
        let path = folder.join(format!("failed-{pack}-{}.json", failure.seed));
        match write_record(record, folder, &path) {
            Ok(()) => {
                said.push_str(&format!("saved {}\n", path.display()));
                any = true;
            }
            Err(error) => {
                said.push_str(&format!(
                    "{error}: it is not saved; `--save-failures DIR` names another folder\n"
                ));
                break;
            }
        }
    }
    if any {
        said.push_str(&format!(
            "`load FILE` in `yukon repl {pack}` opens one before the answer with which it failed\n"
        ));
    }
    said
}

/// Refuses a file where a folder is wanted: nothing should be played for hours to be lost then.
fn no_file(folder: &Path) -> Result<(), Failure> {
    match folder.exists() && !folder.is_dir() {
        true => Err(Failure::Message(format!(
            "`--save-failures {0}`: {0} is a file; expected a folder, which may be a new one",
            folder.display()
        ))),
        false => Ok(()),
    }
}

fn write_record(record: &Record, folder: &Path, path: &Path) -> Result<(), String> {
    // A folder of its own may be made for them, but no path of folders that is perhaps misspelt.
    if !folder.is_dir() {
        std::fs::create_dir(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    let json = record.to_json().map_err(|error| error.to_string())?;
    std::fs::write(path, json).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The first games that failed, a line each, and how many more there are.
pub(super) fn failures(summary: &Summary) -> Vec<String> {
    let mut lines = summary.failures.clone();
    let more = summary.unfinished.saturating_sub(lines.len() as u64);
    if more > 0 {
        lines.push(format!(
            "and {more} more that did not come to {} end",
            noun(more, "its", "their")
        ));
    }
    lines
}

fn text(summary: &Summary) -> String {
    let mut text = match summary.rules.joined() {
        chosen if chosen.is_empty() => chosen,
        chosen => format!("played with {chosen}\n"),
    };
    text.push_str(&format!(
        "{} {}, {}\n\
         {} {}, and {} with one answer only\n\
         {} to {} {}, {:.1} on average\n\
         {:.2} s{}\n\
         digest {}\n",
        summary.games,
        noun(summary.games, "game", "games"),
        failed_games(summary),
        summary.decisions,
        noun(summary.decisions, "decision", "decisions"),
        summary.forced,
        summary.rounds_min,
        summary.rounds_max,
        noun(summary.rounds_max, "round", "rounds"),
        summary.rounds.mean,
        summary.elapsed_s,
        summary.games_per_s.map_or(String::new(), speed),
        summary.digest
    ));
    // Of nothing there is no mean.
    if summary.length.count > 0 {
        text.push_str(&finished(summary));
    }
    for failure in failures(summary) {
        text.push_str(&format!("{failure}\n"));
    }
    text
}

/// How many games did not come to their end, and how many violations there were, if they were looked for.
pub(super) fn failed_games(summary: &Summary) -> String {
    let violations = summary.violations.map(|number| {
        let violations = noun(number, "violation", "violations");
        format!(", {number} {violations}")
    });
    format!(
        "{} unfinished{}",
        summary.unfinished,
        violations.unwrap_or_default()
    )
}

/// How fast games were played: of long ones how long each took, for there is less than one in a second.
fn speed(games_per_s: f64) -> String {
    match games_per_s {
        slow if slow < 1.0 => format!(", {:.1} s of processor time a game", 1.0 / slow),
        few if few < 10.0 => format!(", {few:.1} games per second of processor time"),
        many => format!(", {many:.0} games per second of processor time"),
    }
}

/// The interval of a mean; one value has none.
fn interval(of: &Distribution) -> String {
    match of.low.is_finite() {
        true => format!("{:.2} to {:.2}", of.low, of.high),
        false => TOO_FEW.to_owned(),
    }
}

/// What came of the games that came to their ends.
fn finished(summary: &Summary) -> String {
    let (length, margin, ties) = (&summary.length, &summary.margin, &summary.ties);
    let mut text = format!(
        "\nof a finished game: {:.1} decisions ({} to {}), {:.1} choices each\n\
         the first is ahead by {:.2} ({}); {:.1}% ({:.1} to {:.1}) end in a tie\n",
        length.mean,
        length.least,
        length.most,
        summary.branching,
        margin.mean,
        interval(margin),
        ties.rate * 100.0,
        ties.low * 100.0,
        ties.high * 100.0,
    );
    text.push_str(&table("player", &summary.players));
    if !summary.bots.is_empty() {
        text.push_str(&table("given", &summary.bots));
    }
    text.push_str(
        "\n5% to 95%: so many of the scores are no higher. Brackets hold 95 % intervals, of means by Student's distribution, of shares those of Wilson.\n",
    );
    for statistic in &summary.statistics {
        text.push_str(&uses(statistic));
    }
    if !summary.statistics.is_empty() {
        text.push_str(
            "\nA game: how often, by all players together. Won with: how many of the players won who did it at least \
             once; without: how many of those who did not, or could not. What was done and who won go together; \
             that is no proof that one is the cause.\n",
        );
    }
    text
}

/// Scores and wins, a line for each place or bot. Intervals are those of 95 %.
fn table(of: &str, rows: &[PlayerSummary]) -> String {
    let names = rows.iter().map(|row| row.bot.len());
    let wide = names.max().unwrap_or(0).max(8);
    let mut text = format!(
        "\n{of:>6}  {:<wide$}  mean score  5%  25%  50%  75%  95%      win rate\n",
        "bot"
    );
    for (at, row) in rows.iter().enumerate() {
        let scores = &row.scores;
        text.push_str(&format!(
            "{:>6}  {:<wide$}  {:>10.2} {:>3} {:>4} {:>4} {:>4} {:>4}  {:>6.1}% ({:.1} to {:.1})\n",
            at + 1,
            row.bot,
            row.mean_score,
            scores.q05,
            scores.q25,
            scores.median,
            scores.q75,
            scores.q95,
            row.win_rate * 100.0,
            row.wins.low * 100.0,
            row.wins.high * 100.0,
        ));
    }
    text
}

/// What one statistic counts, a line for each thing: how often in a game, and who won with and without it.
fn uses(statistic: &UsesSummary) -> String {
    let widths = statistic.rows.iter().map(|row| width(&row.title));
    let wide = widths.max().unwrap_or(0).max(3);
    let mut text = format!(
        "\n{}\n{:<wide$}  a game  in games  won with            won without\n",
        statistic.title, ""
    );
    for row in &statistic.rows {
        let title = if row.key.is_empty() {
            "all"
        } else {
            &row.title
        };
        let gap = " ".repeat(wide.saturating_sub(width(title)));
        let won = |share: &Share| {
            let [rate, low, high] = [share.rate, share.low, share.high].map(|part| part * 100.0);
            match share.of {
                0 => "-".to_owned(),
                _ => format!("{rate:.1}% ({low:.1} to {high:.1})"),
            }
        };
        text.push_str(&format!(
            "{title}{gap}  {:>6.2}  {:>7.1}%  {:<18}  {}\n",
            row.per_game,
            row.games.rate * 100.0,
            won(&row.with),
            won(&row.without)
        ));
    }
    text
}

/// A field of CSV: empty where there is nothing to tell.
fn field(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn csv(summary: &Summary) -> String {
    let mut text = String::from(
        "games,decisions,forced,unfinished,rounds_min,rounds_max,violations,elapsed_s,cpu_s,games_per_s,digest,player,bot,mean_score,win_rate,win_low,win_high,score_deviation,score_least,score_q05,score_q25,score_median,score_q75,score_q95,score_most,format,rules,seed\n",
    );
    for (at, player) in summary.players.iter().enumerate() {
        text.push_str(&format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            summary.games,
            summary.decisions,
            summary.forced,
            summary.unfinished,
            summary.rounds_min,
            summary.rounds_max,
            field(summary.violations),
            summary.elapsed_s,
            field(summary.cpu_s),
            field(summary.games_per_s),
            summary.digest,
            at + 1,
            player.bot,
            player.mean_score,
            player.win_rate
        ));
        let (wins, scores) = (&player.wins, &player.scores);
        text.push_str(&format!(
            ",{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            wins.low,
            wins.high,
            scores.deviation,
            scores.least,
            scores.q05,
            scores.q25,
            scores.median,
            scores.q75,
            scores.q95,
            scores.most,
            summary.format,
            summary.rules.joined(),
            summary.seed,
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_games_are_not_none_in_a_second() {
        let told = [0.25, 4.04, 12_345.6].map(speed);
        assert_eq!(
            told,
            [
                ", 4.0 s of processor time a game",
                ", 4.0 games per second of processor time",
                ", 12346 games per second of processor time"
            ]
        );
        // What cannot be measured is an empty field.
        assert_eq!([field(None::<f64>), field(Some(0.5))], ["", "0.5"]);
    }
}
