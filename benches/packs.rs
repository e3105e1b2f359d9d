//! How long things take with each pack of the repository: a game, a decision, a copy of a state, loading,
//! checking, the scenarios.
//!
//! `cargo bench` runs all; `cargo bench game` those whose names have that word.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use divan::Bencher;
use divan::counter::ItemsCount;

use yukon::flow::Setup;
use yukon::flow::decision;
use yukon::pack::variant::with_required;
use yukon::pack::{PackFiles, Place, Selection, read};
use yukon::repl::load::Source;
use yukon::repl::text::Look;
use yukon::repl::{Actor, Session};
use yukon::scenario::{Options, Packs, find, run_all};
use yukon::script::{Io, Limits, Machine, Outcome, Rules, Scratch, State, lower};
use yukon::sim::{Batch, BotKind, Lineup, play};
use yukon::table::chance::Draw;

fn main() {
    divan::main();
}

/// The packs under `rules/`.
fn packs() -> Vec<String> {
    PackFiles::known(root()).into_iter().collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(pack: &str) -> PackFiles {
    PackFiles::find(pack, root()).expect("the pack is there")
}

fn load(files: &PackFiles) -> Rules {
    let (pack, _, mut report) = read(files);
    pack.and_then(|pack| lower(pack, &mut report))
        .expect("a pack of the repository has no errors")
}

/// As many as a pack's middle number of players.
fn players(rules: &Rules) -> u8 {
    let layout = rules.layout();
    layout.min_players.midpoint(layout.max_players)
}

/// Runs up to the next question.
fn run(rules: &Rules, state: &mut State, scratch: &mut Scratch) -> Outcome {
    let mut io = Io::default();
    Machine::new(rules, state, &mut io, scratch, Limits::default())
        .run()
        .expect("the packs' scripts do not fail")
}

/// Answers at random what is asked; the draw is the nth of a game.
fn answer(rules: &Rules, state: &mut State, nth: u64) {
    let mut draw = Draw::at(1, 2, 3, nth);
    let answer = decision::forced(state)
        .or_else(|| decision::random(rules, state, |bound| draw.below(bound)))
        .expect("something can be answered");
    decision::apply(state, &answer);
}

/// A state in the middle of a random game.
fn middle(rules: &Rules) -> State {
    let (mut game, mut scratch) = (rules.start(players(rules), 7), Scratch::default());
    let mut states = Vec::new();
    while run(rules, &mut game, &mut scratch) == Outcome::Decision {
        states.push(game.clone());
        answer(rules, &mut game, states.len() as u64);
    }
    states.swap_remove(states.len() / 2)
}

/// A random game from the set-up to the scores.
#[divan::bench(args = packs())]
fn game(bencher: Bencher, pack: &str) {
    let rules = load(&files(pack));
    let batch = Batch {
        players: players(&rules),
        games: 1,
        seed: 1,
        lineup: Lineup::all(BotKind::Random),
        check_invariants: false,
        statistics: false,
        most_decisions: 20_000,
        threads: 1,
    };
    let (mut scratch, mut index) = (Scratch::default(), 0);
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        index += 1;
        play(&rules, &batch, index, &mut scratch)
    });
}

/// From one question to the next, the random answer included: the mean of all of a game.
#[divan::bench(args = packs())]
fn decision_to_decision(bencher: Bencher, pack: &str) {
    let rules = load(&files(pack));
    let mut scratch = Scratch::default();
    let (mut game, mut seed, mut nth) = (rules.start(players(&rules), 0), 0, 0);
    run(&rules, &mut game, &mut scratch);
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        nth += 1;
        answer(&rules, &mut game, nth);
        if run(&rules, &mut game, &mut scratch) != Outcome::Decision {
            seed += 1;
            game = rules.start(players(&rules), seed);
            run(&rules, &mut game, &mut scratch);
        }
    });
}

/// A copy of a state in the middle of a game.
#[divan::bench(args = packs())]
fn clone_of_a_state(bencher: Bencher, pack: &str) {
    let rules = load(&files(pack));
    let state = middle(&rules);
    bencher.bench_local(|| black_box(&state).clone());
}

/// The digest of a state in the middle of a game.
#[divan::bench(args = packs())]
fn digest_of_a_state(bencher: Bencher, pack: &str) {
    let rules = load(&files(pack));
    let state = middle(&rules);
    bencher.bench_local(|| black_box(&state).digest());
}

/// A session in the middle of a random game.
fn session(pack: &str) -> Session {
    let loaded = yukon::repl::load::load(&files(pack), &Selection::default());
    let rules = Arc::new(loaded.rules.expect("no errors"));
    let source = Source::Place(Place::find(pack, root()).expect("the pack is there"));
    let setup = Setup {
        players: players(&rules),
        seed: 7,
        start: None,
    };
    let actors = vec![Actor::Human; usize::from(setup.players)];
    let session = Session::start((rules, loaded.view), source, setup, actors, Look::default());
    let mut session = session.expect("a session");
    session.run("bot all");
    let middle = session.game().history.len() / 2;
    let reply = session.run(&format!("goto {middle}"));
    assert_eq!(reply.error, None);
    session
}

/// Reading the files again under a game of which half is played, and playing it again: both to the middle
/// and to its end.
#[divan::bench(args = packs())]
fn reload_in_a_game(bencher: Bencher, pack: &str) {
    let mut session = session(pack);
    bencher.bench_local(|| {
        let reply = session.run("reload");
        assert_eq!(reply.error, None);
        reply
    });
}

/// Reading, checking and lowering a pack whose files are in memory.
#[divan::bench(args = packs())]
fn load_a_pack(bencher: Bencher, pack: &str) {
    let files = files(pack);
    bencher.bench_local(|| Arc::new(load(black_box(&files))));
}

/// All that `yukon check PACK` looks at: the files on the disk, their board, and each variant.
#[divan::bench(args = packs())]
fn check(bencher: Bencher, pack: &str) {
    bencher.bench_local(|| {
        let files = files(pack);
        let alone = Selection::default();
        let variants = files.variants.iter().map(|variant| Selection {
            variants: with_required(&files, &variant.id),
            parameters: Vec::new(),
        });
        let mut clean = true;
        for selection in variants.chain([alone]) {
            let loaded = yukon::repl::load::load(&files, &selection);
            clean &= loaded.report.diagnostics.is_empty();
        }
        assert!(clean, "the packs of the repository have no problems");
    });
}

/// All scenarios of a pack against their goldens on one thread, as `yukon test scenarios/PACK` runs them.
#[divan::bench(args = packs())]
fn scenario_suite(bencher: Bencher, pack: &str) {
    let folder = root().join("scenarios").join(pack);
    let found = find(&[folder], &[root().to_owned()]).expect("the scenarios are there");
    bencher
        .counter(ItemsCount::new(found.len()))
        .bench_local(|| {
            let packs = Packs::new(root());
            let never = AtomicBool::new(false);
            let report = run_all(&found, &packs, Options::default(), &never, &mut |_| {});
            assert_eq!((report.passed(), report.failed()), (found.len(), 0));
        });
}
