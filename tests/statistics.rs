//! What scripts note for statistics: counted as often as it happens, told where it cannot be, and nothing
//! that changes a game.

mod kit;

use std::path::Path;
use std::sync::Arc;

use yukon::diag::{Report, Severity, Sources};
use yukon::pack::{PackFiles, read};
use yukon::scenario::{self, Packs};
use yukon::script::{Rules, Scratch, lower};
use yukon::sim::{Batch, BotKind, Lineup, Summary, Watch, play, run};
use yukon::table::event::Event;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pack(name: &str) -> Rules {
    let files = PackFiles::find(name, root()).expect("the pack is there");
    let (pack, _, mut report) = read(&files);
    pack.and_then(|pack| lower(pack, &mut report))
        .expect("no errors")
}

fn batch(games: u64, players: u8) -> Batch {
    Batch {
        players,
        games,
        seed: 1,
        lineup: Lineup::all(BotKind::Random),
        check_invariants: false,
        statistics: true,
        most_decisions: 5_000,
        threads: 2,
    }
}

fn played(rules: &Rules, batch: &Batch) -> Summary {
    run(rules, batch, &Watch::default()).expect("threads")
}

const NOTED: &str = "[kind.wish]
pieces = [{ id = 'boat' }, { id = 'hat' }]
start = 'box'
[zone.box]
holds = 'wish'
[counter.coins]
per = ['player']
[decision.what]
prompt = 'What?'
[score.coins]
points = 'me.coins'
[statistic.falls]
noted = 'nothing'
[statistic.gained]
noted = 'int'
[statistic.wishes_met]
noted = 'wish'
";

/// Three rounds of two players, of whom the second falls in the last.
const NOTES: &str = "fn work() {
    for round in 1..=3 {
        for me in players() {
            let gain = choose(decision::what, me, [1, 2, 4]);
            me.coins += gain;
            note(statistic::wishes_met, me, wish::boat);
            note(statistic::gained, me, round);
            if me.number == 2 && round == 3 { fall(me); }
            let free = what_if(|| { fall(me); me.coins });
            me.coins = free;
        }
    }
}
fn fall(me) { note(statistic::falls, me); }
";

#[test]
fn notes_are_counted_as_often_as_they_are_made() {
    let rules = kit::rules(&format!("{}{NOTED}", kit::GAME), NOTES);
    let summary = played(&rules, &batch(5, 2));
    let mut told = Vec::new();
    for statistic in &summary.statistics {
        for row in &statistic.rows {
            let id = statistic.id.as_str();
            told.push((id, row.key.as_str(), row.times, row.with.of));
        }
    }
    // What happens in `what_if` does not happen. With whom: ten players in five games.
    let expected = [
        ("falls", "", 5.0, 5),
        ("gained", "1", 10.0, 10),
        ("gained", "2", 10.0, 10),
        ("gained", "3", 10.0, 10),
        ("wishes_met", "boat", 30.0, 10),
        ("wishes_met", "hat", 0.0, 0),
    ];
    assert_eq!(told, expected);
}

#[test]
fn nothing_is_told_apart_where_nobody_was() {
    let script = "fn work() { for me in players() { let gain = choose(decision::what, me, [1, 2]); me.coins += gain;
        if me.coins > 9 { note(statistic::falls, me); note(statistic::gained, me, gain);
            note(statistic::wishes_met, me, wish::hat); } } }";
    let rules = kit::rules(&format!("{}{NOTED}", kit::GAME), script);
    let summary = played(&rules, &batch(5, 2));
    let told: Vec<(&str, f64)> = summary
        .statistics
        .iter()
        .flat_map(|own| own.rows.iter().map(|row| (row.key.as_str(), row.times)))
        .collect();
    // Of numbers there is no end.
    assert_eq!(told, [("", 0.0), ("boat", 0.0), ("hat", 0.0)]);
}

#[test]
fn counting_changes_no_game() {
    for (name, players, games) in [("airways", 3, 8), ("salon", 4, 20)] {
        let rules = pack(name);
        let counted = batch(games, players);
        let quiet = Batch {
            statistics: false,
            ..batch(games, players)
        };
        let mut scratch = Scratch::default();
        let mut noted = 0;
        for game in 0..games {
            let mut told = play(&rules, &counted, game, &mut scratch);
            let plain = play(&rules, &quiet, game, &mut scratch);
            noted += usize::from(told.uses != plain.uses);
            told.uses.clone_from(&plain.uses);
            assert_eq!(told, plain, "game {game} of {name}");
        }
        assert_eq!(noted as u64, games);
    }
}

/// How often all that a statistic tells apart was used.
fn times(summary: &Summary, id: &str) -> f64 {
    let mut known = summary.statistics.iter();
    let own = known.find(|own| own.id == id).expect("a statistic");
    own.rows.iter().map(|row| row.times).sum()
}

/// Everybody has a gate in each of six rounds and one seaplane card; each card that is laid has one of three icons
/// and one of twelve destinations.
#[test]
fn what_each_player_does_once_is_counted_once() {
    let rules = pack("airways");
    let summary = played(&rules, &batch(8, 3));
    assert_eq!(times(&summary, "gates"), 8.0 * 3.0 * 6.0);
    assert_eq!(times(&summary, "seaplanes"), 8.0 * 3.0);
    let rows = |id: &str| {
        let mut known = summary.statistics.iter();
        known
            .find(|own| own.id == id)
            .expect("a statistic")
            .rows
            .len()
    };
    assert_eq!((rows("tickets"), rows("objectives_met")), (36, 9));
    assert!(times(&summary, "tickets") > times(&summary, "visits"));
}

/// Each attempt puts a Style on a Client, who is pleased or not.
#[test]
fn attempts_that_fail_are_those_that_please_nobody() {
    let rules = pack("salon");
    let summary = played(&rules, &batch(40, 3));
    let times = |id: &str| times(&summary, id);
    assert!(times("failed_attempts") > 40.0 && times("clients") > 40.0);
    assert_eq!(times("styles"), times("failed_attempts") + times("clients"));
    // Those with one Claim or more for a failed roll.
    let claims = times("claims") / 40.0;
    assert!((1.0..20.0).contains(&claims), "{claims}");
}

/// What scripts note in a scenario, as `player what`.
fn noted(name: &str) -> Vec<String> {
    let path = root().join("scenarios").join(name).with_extension("toml");
    let bytes = std::fs::read(&path).expect("the scenario is there");
    let packs = Packs::new(root());
    let (mut sources, mut report) = (Sources::new(), Report::new());
    let mut load = |pack: &str, variants: &[String]| packs.load_near(root(), pack, variants);
    let scenario = scenario::read(name, &bytes, &mut sources, &mut report, &mut load);
    let played = scenario::play(&Arc::new(scenario.expect("it can be read")));
    assert!(played.failures.is_empty(), "{name}: {:?}", played.failures);
    let game = played.game.expect("a game");
    let events = game.history.iter().flat_map(|step| &step.events);
    let layout = game.rules.layout();
    let told = |event: &Event| match event {
        Event::Noted { player, what, .. } => {
            Some(format!("{} {}", player.0 + 1, layout.key(*what)))
        }
        _ => None,
    };
    game.opening.iter().chain(events).filter_map(told).collect()
}

#[test]
fn games_with_a_script_note_what_happens_in_them() {
    for (name, expected) in [
        (
            "airways/objective_1_fuel_left",
            &["1 objective_1", "3 objective_1"][..],
        ),
        (
            "airways/objective_2_two_destinations",
            &["1 objective_2", "3 objective_2"],
        ),
        (
            "airways/objective_3_counts_cards_as_fuel",
            &["1 objective_3"],
        ),
        ("airways/objective_4_empty_seaplane", &["1 objective_4"]),
        (
            "airways/objective_5_remote_location",
            &["1 objective_5", "3 objective_5"],
        ),
        ("airways/objective_6_not_over_two_flights", &[]),
        ("airways/objective_6_once_a_round", &["1 objective_6"]),
        (
            "airways/objective_7_in_two_flights",
            &["1 objective_7", "1 objective_7"],
        ),
        // Of three dice two are yellow: it is met once, and pays for both.
        ("airways/objective_7_yellow_dice", &["1 objective_7"]),
        (
            "airways/objective_8_in_two_flights",
            &["1 objective_8", "1 objective_8"],
        ),
        (
            "airways/objective_9_green_dice",
            &["1 objective_9", "1 objective_9"],
        ),
        ("airways/objective_9_not_for_other_dice", &[]),
        ("airways/objective_not_in_play_pays_nothing", &[]),
        (
            "airways/objectives_pay_in_ascending_number",
            &["1 objective_4", "1 objective_6", "1 objective_7"],
        ),
        ("salon/failed_roll_is_given_up", &["1 doris"]),
        (
            "salon/style_failure_costs_the_action_and_can_be_tried_again",
            &["1 doris"],
        ),
        ("salon/discards_after_the_reroll", &[]),
        ("salon/ability_squeaky_george_keeps_the_style", &["1 hazel"]),
    ] {
        assert_eq!(noted(name), expected, "{name}");
    }
}

#[test]
fn notes_that_no_statistic_takes_are_told() {
    let toml = format!(
        "{}{NOTED}[statistic.answers]\ndecision = 'what'\n[set.hue]\nmembers = ['red', 'blue']\n",
        kit::GAME
    );
    for (note, expected) in [
        (
            "note(statistic::fals, me)",
            "did you mean `statistic::falls`?",
        ),
        ("note(statistics::falls, me)", "unknown module `statistics`"),
        (
            "note(wish::boat, me)",
            "`note` wants a statistic here, found a piece",
        ),
        (
            "note(statistic::falls, wish::boat)",
            "`note` wants a player here, found a piece",
        ),
        (
            "note(statistic::falls)",
            "`note` takes 2 to 3 arguments, found 1",
        ),
        (
            "note(statistic::falls, me, 3)",
            "`falls` tells nothing apart, found something",
        ),
        (
            "note(statistic::gained, me)",
            "`gained` wants a number, found nothing",
        ),
        (
            "note(statistic::gained, me, wish::boat)",
            "wants a number, found a piece of `wish`",
        ),
        (
            "note(statistic::wishes_met, me, hue::red)",
            "wants a piece of `wish`, found a member of `hue`",
        ),
        (
            "note(statistic::wishes_met, me, [wish::boat])",
            "wants a piece of `wish`, found a list of",
        ),
        (
            "note(statistic::answers, me)",
            "counts something else than what scripts note",
        ),
        (
            "note(statistic::gained, me, pay(me))",
            "must not change, ask or use chance",
        ),
    ] {
        let script = format!(
            "fn work() {{ for me in players() {{ {note}; }} }} fn pay(me) {{ me.coins -= 1; me.coins }}"
        );
        let said = kit::load(&kit::files(&toml, &script)).expect_err(note);
        assert!(said.contains(expected), "{note}: {said}");
    }
}

#[test]
fn what_a_statistic_does_not_tell_apart_is_not_counted_among_it() {
    // Called with pieces of two kinds, the function's parameter is known to be a piece and no more.
    let toml = format!(
        "{}{NOTED}[kind.tool]\npieces = [{{ id = 'saw', title = 'The saw' }}]\nstart = 'shed'\n[zone.shed]\nholds = 'tool'\n",
        kit::GAME
    );
    let script = |note: &str| {
        format!(
            "fn work() {{ for me in players() {{ me.coins += choose(decision::what, me, [1, 2]);
                note(statistic::falls, me); note(statistic::gained, me, 1);
                meet(me, wish::boat, true); meet(me, tool::saw, {note}); }} }}
            fn meet(me, what, noted) {{ if noted {{ note(statistic::wishes_met, me, what); }} }}"
        )
    };
    for (note, unfinished) in [("false", 0), ("me.coins > 0", 1)] {
        let rules = kit::load(&kit::files(&toml, &script(note))).expect("no errors");
        let summary = played(&rules, &batch(1, 2));
        let told = format!("{:?}", summary.failures);
        assert_eq!(summary.failures.len(), unfinished, "{told}");
        assert_eq!(
            told.contains("expected a piece of `wish`, found The saw"),
            unfinished == 1,
            "{told}"
        );
    }
}

#[test]
fn statistics_that_wait_for_notes_are_checked() {
    let warned = |statistic: &str| {
        let toml = format!("{}{NOTED}[statistic.odd]\n{statistic}\n", kit::GAME);
        let script = "fn work() { for me in players() { me.coins += choose(decision::what, me, [1, 2]);
            note(statistic::falls, me); note(statistic::gained, me, 1); note(statistic::wishes_met, me, wish::boat); } }";
        let (pack, sources, mut report) = read(&kit::files(&toml, script));
        pack.and_then(|pack| lower(pack, &mut report));
        let of = |severity| kit::problems(&report, &sources, severity);
        format!("{}{}", of(Severity::Error), of(Severity::Warning))
    };
    for (statistic, expected) in [
        (
            "noted = 'wish'",
            "nothing notes anything for statistic `odd`",
        ),
        ("noted = 'whish'", "there is no type `whish`"),
        ("noted = 'text'", "cannot be a text"),
        ("noted = 'effect(me)'", "cannot be an effect"),
        ("noted = 3", "`noted`"),
        (
            "noted = 'wish'\ndecision = 'what'",
            "counts `decision` and `noted`",
        ),
        (
            "noted = 'wish'\nby = 'piece'",
            "says nothing without `zone`",
        ),
    ] {
        let said = warned(statistic);
        assert!(said.contains(expected), "{statistic}: {said}");
    }
}

#[test]
fn stepping_tells_what_is_noted() {
    let mut yukon = assert_cmd::Command::cargo_bin("yukon").expect("the program");
    yukon
        .current_dir(root())
        .args(["repl", "scenarios/airways/objective_4_empty_seaplane.toml"]);
    let told = yukon
        .write_stdin("break reward_empty_plane\nskagway\nover\nover\n")
        .output();
    let text = String::from_utf8(told.expect("it runs").stdout).expect("UTF-8");
    assert!(
        text.contains("\n  noted: Objectives met: Objective 4: empty seaplane\n"),
        "{text}"
    );
}

#[test]
fn statistics_are_shown_with_what_they_count() {
    for (pack, item, expected) in [
        ("airways", "visits", "rises of counter visited_today"),
        (
            "airways",
            "objectives_met",
            "what scripts note, by objective",
        ),
        (
            "airways",
            "statistic.gates",
            "what is chosen at decision gate",
        ),
        (
            "salon",
            "statistic.styles",
            "pieces that come into zone worn, by piece",
        ),
    ] {
        let mut yukon = assert_cmd::Command::cargo_bin("yukon").expect("the program");
        let told = yukon
            .current_dir(root())
            .args(["show", pack, item])
            .output();
        let text = String::from_utf8(told.expect("it runs").stdout).expect("UTF-8");
        assert!(text.contains(expected), "{item}: {text}");
    }
}
