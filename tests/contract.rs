//! What every pack of the repository keeps to under random play.

mod kit;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;

use yukon::diag::Severity;
use yukon::flow::decision::{self, Answer};
use yukon::flow::{Choice, Decision};
use yukon::pack::variant::with_required;
use yukon::pack::{PackFiles, Selection, read_with};
use yukon::script::code::AskKind;
use yukon::script::{Fault, Io, Limits, Machine, Outcome, Rules, Scratch, State, lower};
use yukon::sim::{Batch, BotKind, Lineup, Played, play};
use yukon::table::chance::Draw;
use yukon::table::ids::{CounterId, DialId, PlayerId, ToggleId, ZoneId};
use yukon::table::invariants;
use yukon::table::view::{Seen, View, Viewer, permute_hidden, redact};
use yukon::table::{Event, Value};

/// More decisions than any game has.
const MOST_DECISIONS: u64 = 20_000;

fn files() -> Vec<PackFiles> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packs: BTreeSet<String> = PackFiles::known(root);
    assert!(!packs.is_empty());
    packs
        .iter()
        .map(|pack| PackFiles::find(pack, root).expect("the pack is there"))
        .collect()
}

fn load(files: &PackFiles) -> Rules {
    load_with(files, Vec::new())
}

fn load_with(files: &PackFiles, variants: Vec<String>) -> Rules {
    let selection = Selection {
        variants,
        parameters: Vec::new(),
    };
    let (pack, sources, mut report) = read_with(files, &selection);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    match rules {
        Some(rules) => rules,
        None => panic!("{}", kit::problems(&report, &sources, Severity::Error)),
    }
}

/// Does something for each pack and number of players, and for each variant, with one number of players
/// after the other.
fn each(mut act: impl FnMut(&Rules, u8)) {
    for files in files() {
        let rules = load(&files);
        let numbers = numbers(&rules);
        for players in numbers.clone() {
            act(&rules, players);
        }
        for (variant, players) in files.variants.iter().zip(numbers.cycle()) {
            act(&load_variant(&files, &variant.id), players);
        }
    }
}

/// For how many players a game is.
fn numbers(rules: &Rules) -> RangeInclusive<u8> {
    rules.layout().min_players..=rules.layout().max_players
}

/// A pack with a variant, and what that requires.
fn load_variant(files: &PackFiles, variant: &str) -> Rules {
    load_with(files, with_required(files, variant))
}

fn run(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    events: Option<&mut Vec<Event>>,
) -> Result<Outcome, Box<Fault>> {
    let mut io = Io {
        events,
        ..Io::default()
    };
    Machine::new(rules, state, &mut io, scratch, Limits::default()).run()
}

/// The nth answer of a random game.
fn answer(rules: &Rules, state: &State, seed: u64, nth: u64) -> Answer {
    if let Some(forced) = decision::forced(state) {
        return forced;
    }
    let mut draw = Draw::at(seed, 17, 0, nth);
    decision::random(rules, state, |bound| draw.below(bound)).expect("there is an answer")
}

/// Plays on to the end or for so many decisions; looks at the state at each.
fn play_on(
    rules: &Rules,
    state: &mut State,
    seed: u64,
    from: u64,
    most: u64,
    mut look: impl FnMut(&mut State, u64),
) -> u64 {
    let mut scratch = Scratch::default();
    let mut nth = from;
    loop {
        match run(rules, state, &mut scratch, None) {
            Err(fault) => panic!("decision {nth}: {}", kit::described(rules, &fault)),
            Ok(Outcome::Decision) => {}
            Ok(_) => return nth,
        }
        look(state, nth);
        if nth - from >= most {
            return nth;
        }
        let answer = answer(rules, state, seed, nth);
        decision::apply(state, &answer);
        nth += 1;
    }
}

fn batch(players: u8, seed: u64) -> Batch {
    Batch {
        players,
        games: 1,
        seed,
        lineup: Lineup::all(BotKind::Random),
        check_invariants: true,
        statistics: false,
        most_decisions: MOST_DECISIONS,
        threads: 1,
    }
}

fn games(rules: &Rules, players: u8, number: u64) -> Vec<Played> {
    let mut scratch = Scratch::default();
    (0..number)
        .map(|index| play(rules, &batch(players, 3), index, &mut scratch))
        .collect()
}

/// Plays whole games until so many decisions with more than one answer were answered at random.
fn finish_games(rules: &Rules, players: u8, least: u64, name: &str) {
    let mut scratch = Scratch::default();
    let (mut decisions, mut index) = (0, 0);
    while decisions < least {
        let played = play(rules, &batch(players, 3), index, &mut scratch);
        let game = format!("{name}, {players} players, game {index}");
        assert_eq!(played.trouble, None, "{game}");
        assert_eq!(played.violations, 0, "{game}");
        assert!(played.decisions > 0, "{game}");
        assert_eq!(played.scores.len(), usize::from(players), "{game}");
        assert!(played.places.contains(&1), "{game}");
        decisions += played.decisions;
        index += 1;
    }
}

/// What `check` accepts, plays: every pack and every variant, with every number of players.
#[test]
fn games_finish_and_nothing_is_lost() {
    for files in files() {
        let rules = load(&files);
        for players in numbers(&rules) {
            finish_games(&rules, players, 3000, &files.id);
        }
        for variant in &files.variants {
            let rules = load_variant(&files, &variant.id);
            for players in numbers(&rules) {
                finish_games(&rules, players, 1000, &variant.id);
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    each(|rules, players| {
        let (once, again) = (games(rules, players, 4), games(rules, players, 4));
        assert_eq!(once, again);
        let different: BTreeSet<u64> = once.iter().map(|played| played.digest).collect();
        assert_eq!(different.len(), once.len());
    });
}

#[test]
fn a_clone_at_any_decision_goes_on_equally() {
    each(|rules, players| {
        let seed = 100 + u64::from(players);
        let mut kept: Vec<(u64, State, u64)> = Vec::new();
        let mut state = rules.start(players, seed);
        let total = play_on(rules, &mut state, seed, 0, MOST_DECISIONS, |state, nth| {
            let clone = state.clone();
            assert_eq!(clone, *state);
            assert_eq!(clone.digest(), state.digest());
            if nth % 11 == 0 {
                let text = |state: &State| serde_json::to_string(state).expect("plain data");
                assert_eq!(text(&clone), text(state));
                kept.push((nth, clone, state.digest()));
            }
        });
        for (nth, mut clone, digest) in kept {
            // Playing on left what was kept alone.
            assert_eq!(clone.digest(), digest);
            let end = play_on(rules, &mut clone, seed, nth, MOST_DECISIONS, |_, _| {});
            assert_eq!((end, clone.digest()), (total, state.digest()));
            assert_eq!(clone, state);
        }
    });
}

#[test]
fn listening_changes_nothing() {
    each(|rules, players| {
        let seed = 200 + u64::from(players);
        let (mut quiet, mut loud) = (rules.start(players, seed), rules.start(players, seed));
        let (mut one, mut other) = (Scratch::default(), Scratch::default());
        for nth in 0.. {
            let mut events = Vec::new();
            let ends = run(rules, &mut quiet, &mut one, None).expect("no fault");
            let same = run(rules, &mut loud, &mut other, Some(&mut events)).expect("no fault");
            assert_eq!(ends, same);
            assert_eq!(quiet.table, loud.table, "decision {nth}");
            if ends != Outcome::Decision {
                break;
            }
            let key = |state: &State| Decision::pending(rules, state);
            assert_eq!(key(&quiet), key(&loud), "decision {nth}");
            assert_eq!(quiet.digest(), loud.digest(), "decision {nth}");
            let answer = answer(rules, &quiet, seed, nth);
            decision::apply(&mut quiet, &answer);
            decision::apply(&mut loud, &answer);
        }
    });
}

/// Answers worth trying: each choice, both ends of a range, some of several.
fn answers(rules: &Rules, state: &State, seed: u64, nth: u64) -> Vec<Answer> {
    let Some(ask) = state.run.ask else {
        return Vec::new();
    };
    match ask.kind {
        AskKind::Confirm => vec![Answer::Confirm(false), Answer::Confirm(true)],
        AskKind::Number => vec![Answer::Number(ask.least), Answer::Number(ask.most)],
        AskKind::One => decision::leaders(state).map(Answer::One).collect(),
        AskKind::Texts => {
            let texts = (0..ask.least).map(|at| format!("text {at} of decision {nth}"));
            vec![Answer::Texts(None), Answer::Texts(Some(texts.collect()))]
        }
        AskKind::Some => (0..4)
            .filter_map(|turn| {
                let mut draw = Draw::at(seed, 18, turn, nth);
                decision::random(rules, state, |bound| draw.below(bound))
            })
            .collect(),
    }
}

#[test]
fn no_choice_leads_into_a_dead_end() {
    each(|rules, players| {
        let seed = 300 + u64::from(players);
        let mut state = rules.start(players, seed);
        play_on(rules, &mut state, seed, 0, MOST_DECISIONS, |state, nth| {
            if decision::forced(state).is_some() {
                return;
            }
            let asked = Decision::pending(rules, state).expect("a decision");
            for answer in answers(rules, state, seed, nth) {
                asked
                    .check(rules, state, &answer)
                    .expect("what is offered is accepted");
                let mut clone = state.clone();
                decision::apply(&mut clone, &answer);
                let mut scratch = Scratch::default();
                for ahead in 0..3 {
                    if let Err(fault) = run(rules, &mut clone, &mut scratch, None) {
                        panic!(
                            "decision {nth}, `{}` answered {}, {ahead} decisions later: {}",
                            asked.key,
                            asked.write(&answer),
                            kit::described(rules, &fault)
                        );
                    }
                    let violations = invariants::check(rules.layout(), &clone.table);
                    assert_eq!(violations, Vec::new());
                    if clone.is_over() {
                        break;
                    }
                    let next = self::answer(rules, &clone, seed + 1, nth * 4 + ahead);
                    decision::apply(&mut clone, &next);
                }
            }
        });
    });
}

/// All that a view shows.
fn shown(rules: &Rules, state: &State, viewer: Viewer) -> (Vec<Vec<Seen>>, Vec<Option<Value>>) {
    let layout = rules.layout();
    let view = View::new(layout, &state.table, viewer);
    let zones = (0..layout.zones.len())
        .map(|zone| view.zone(ZoneId::from_index(zone)).collect())
        .collect();
    let mut cells = Vec::new();
    for (index, family) in layout.counters.iter().enumerate() {
        for position in 0..family.size {
            cells.push(view.counter(CounterId::from_index(index), position));
        }
    }
    for (index, family) in layout.dials.iter().enumerate() {
        for position in 0..family.size {
            let face = view.dial(DialId::from_index(index), position);
            cells.push(face.map(|face| Value::int(face.into())));
        }
    }
    for (index, family) in layout.toggles.iter().enumerate() {
        for position in 0..family.size {
            let on = view.toggle(ToggleId::from_index(index), position);
            cells.push(on.map(Value::from));
        }
    }
    (zones, cells)
}

#[test]
fn a_view_tells_nothing_that_is_hidden() {
    each(|rules, players| {
        let layout = rules.layout();
        let seed = 400 + u64::from(players);
        let mut moved = 0;
        let mut state = rules.start(players, seed);
        play_on(rules, &mut state, seed, 0, MOST_DECISIONS, |state, nth| {
            if nth % 3 != 0 {
                return;
            }
            for player in 0..players {
                let player = PlayerId(player);
                let viewer = Viewer::Player(player);
                let mut dealt = state.clone();
                let renaming = permute_hidden(layout, &mut dealt.table, viewer, |order| {
                    order.reverse();
                });
                for value in dealt
                    .run
                    .stack
                    .iter_mut()
                    .chain(&mut dealt.run.heap)
                    .chain(&mut dealt.run.parts)
                {
                    *value = renaming.value(*value);
                }
                moved += usize::from(dealt.table != state.table);
                assert_eq!(
                    invariants::check(layout, &dealt.table),
                    Vec::new(),
                    "decision {nth}"
                );
                assert_eq!(
                    shown(rules, state, viewer),
                    shown(rules, &dealt, viewer),
                    "decision {nth}, {player:?}"
                );
                assert_eq!(
                    redact(layout, &state.table, viewer),
                    redact(layout, &dealt.table, viewer),
                    "decision {nth}, {player:?}"
                );
                let asked = Decision::pending(rules, state).expect("a decision");
                if asked.player == player {
                    let dealt = Decision::pending(rules, &dealt).expect("a decision");
                    let seen =
                        |choice: &Choice| (choice.key.clone(), choice.label.clone(), choice.count);
                    assert_eq!(
                        asked.choices.iter().map(seen).collect::<Vec<_>>(),
                        dealt.choices.iter().map(seen).collect::<Vec<_>>(),
                        "decision {nth}, `{}`",
                        asked.key
                    );
                }
            }
        });
        // It was no empty test, where something can be hidden.
        let hides = layout
            .zone_families
            .iter()
            .any(|family| family.visible != yukon::table::layout::Visible::All);
        assert!(moved > 0 || !hides);
    });
}

/// A TOML text with its tables in the opposite order; what stands before the first stays.
fn turned(text: &str) -> String {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        if line.starts_with('[') {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push_str(line);
            block.push('\n');
        }
    }
    let first = blocks.remove(0);
    blocks.reverse();
    first + blocks.concat().as_str()
}

#[test]
fn the_order_of_files_and_entries_does_not_matter() {
    for files in files() {
        let rules = load(&files);
        let mut other = files.clone();
        // How the board is drawn is a document of its own, known by its name.
        other
            .rules
            .retain(|(name, _)| !name.ends_with("/view.toml"));
        for (_, bytes) in &mut other.rules {
            let text = String::from_utf8(bytes.clone()).expect("UTF-8");
            *bytes = turned(&text).into_bytes();
        }
        // Other names of files are another order of files.
        let count = other.rules.len();
        for (index, (name, _)) in other.rules.iter_mut().enumerate() {
            *name = format!("rules/{}/{:03}.toml", files.id, count - index);
        }
        let count = other.scripts.len();
        for (index, (name, _)) in other.scripts.iter_mut().enumerate() {
            *name = format!("scripts/{}/{:03}.rhai", files.id, count - index);
        }
        other.rules.reverse();
        let other = load(&other);
        let players = rules.layout().min_players;
        for (one, two) in games(&rules, players, 4)
            .iter()
            .zip(games(&other, players, 4))
        {
            assert_eq!((one.decisions, one.forced), (two.decisions, two.forced));
            assert_eq!(one.scores, two.scores);
        }
        // The tables are equal at each decision; of the run, functions are numbered as they stand.
        let (mut tables, mut others) = (Vec::new(), Vec::new());
        for (rules, tables) in [(&rules, &mut tables), (&other, &mut others)] {
            let mut state = rules.start(players, 5);
            play_on(rules, &mut state, 5, 0, 400, |state, _| {
                let mut table = state.table.clone();
                table.position.step = None;
                tables.push(table);
            });
        }
        assert!(tables == others);
    }
}

#[test]
fn what_nobody_uses_changes_nothing() {
    for files in files() {
        let rules = load(&files);
        let players = rules.layout().max_players;
        let plain = games(&rules, players, 3);
        for name in ["aaa_unused", "zzz_unused"] {
            let mut more = files.clone();
            let text = format!(
                "[parameter.{name}]\ndoc = 'Nobody asks for it.'\nvalue = 7\n\
                 [set.{name}_set]\nmembers = ['{name}_one', '{name}_two']\n"
            );
            let path = format!("rules/{}/{name}.toml", files.id);
            more.rules.push((path, text.into_bytes()));
            for (one, two) in plain.iter().zip(games(&load(&more), players, 3)) {
                assert_eq!(one.scores, two.scores, "{name}");
                assert_eq!((one.decisions, one.forced), (two.decisions, two.forced));
                if name.starts_with('z') {
                    // Ids that come before keep their numbers.
                    assert_eq!(one.digest, two.digest, "{name}");
                }
            }
        }
    }
}
