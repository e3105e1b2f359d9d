//! Bots and batches: the same for any number of threads, blind for what is hidden, and what fails is kept.

mod kit;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use yukon::flow::record::replay;
use yukon::flow::{Answer, Decision, Written, decision};
use yukon::pack::{PackFiles, read};
use yukon::script::{Io, Limits, Machine, Outcome, Rules, Scratch, State, lower};
use yukon::sim::bots::{Budget, Question};
use yukon::sim::compare::{Clear, Comparison, Variant, compare};
use yukon::sim::{Batch, Bot, BotKind, Lineup, Summary, Trouble, Watch, play, run};
use yukon::table::chance::Draw;
use yukon::table::ids::PlayerId;
use yukon::table::view::{Viewer, permute_hidden};

fn pack(name: &str) -> Rules {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = PackFiles::find(name, root).expect("the pack is there");
    let (pack, _, mut report) = read(&files);
    pack.and_then(|pack| lower(pack, &mut report))
        .expect("no errors")
}

fn batch(games: u64, lineup: Lineup) -> Batch {
    Batch {
        players: 2,
        games,
        seed: 1,
        lineup,
        check_invariants: false,
        statistics: false,
        most_decisions: 5_000,
        threads: 2,
    }
}

fn played(rules: &Rules, batch: &Batch) -> Summary {
    run(rules, batch, &Watch::default()).expect("threads")
}

/// Greedy against random, moving on by one place from game to game.
fn against() -> Lineup {
    let mut lineup = Lineup::of(&[BotKind::Greedy, BotKind::Random]);
    lineup.rotates = true;
    lineup
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let rules = pack("salon");
    let told = |threads: usize| {
        let batch = Batch {
            threads,
            ..batch(150, Lineup::all(BotKind::Random))
        };
        let mut summary = played(&rules, &batch);
        (summary.elapsed_s, summary.cpu_s, summary.games_per_s) = (0.0, None, None);
        assert_eq!(summary.games, 150);
        serde_json::to_string(&summary).expect("JSON")
    };
    let one = told(1);
    assert_eq!(told(2), one);
    assert_eq!(told(8), one);
}

#[test]
fn small_functions_built_into_their_callers_change_no_game() {
    for (name, players) in [("airways", 3), ("salon", 4)] {
        let rules = pack(name);
        let inlined = rules.inlined();
        assert!(inlined.program.ops.len() != rules.program.ops.len());
        let batch = Batch {
            players,
            ..batch(30, Lineup::all(BotKind::Random))
        };
        let mut scratch = Scratch::default();
        for game in 0..batch.games {
            let kept = play(&rules, &batch, game, &mut scratch);
            assert_eq!(play(&inlined, &batch, game, &mut scratch), kept);
        }
    }
}

#[test]
fn greedy_wins_more_than_its_share() {
    for (name, games) in [("airways", 10), ("salon", 20)] {
        let rules = pack(name);
        assert!(rules.evaluate.is_some());
        let summary = played(&rules, &batch(games, against()));
        let greedy = &summary.bots[0];
        assert_eq!(greedy.bot, "greedy");
        assert!(greedy.wins.low > 0.5, "{name}: {:?}", greedy.wins);
        // What one wins the other does not.
        assert!((greedy.win_rate + summary.bots[1].win_rate - 1.0).abs() < 1e-9);
    }
}

/// Without `evaluate` the scores say who stands well: the bot takes most each time, and never pays for nothing.
#[test]
fn greedy_goes_by_the_scores_where_nothing_else_is_said() {
    let toml = format!(
        "{}[counter.money]\nper = ['player']\n[decision.what]\nprompt = 'What?'\n[decision.pay]\nprompt = 'Pay?'\n\
         [score.money]\npoints = 'me.money'\n",
        kit::GAME
    );
    let script = "fn work() {
        for round in 0..3 {
            for me in players() {
                me.money += choose(decision::what, me, [1, 5, 3]);
                me.money -= choose_number(decision::what, me, 0, 1000);
                if confirm(decision::pay, me) { me.money -= 1; }
            }
        }
    }";
    let rules = kit::rules(&toml, script);
    let summary = played(&rules, &batch(4, against()));
    let scores = &summary.bots[0].scores;
    assert_eq!((scores.least, scores.most), (15, 15));
    assert!(summary.bots[1].scores.most < 15);
}

/// A bot that cannot be told how well it stands would play on badly: its game fails, with the place.
#[test]
fn an_evaluation_that_fails_is_told() {
    let toml = format!(
        "{}[counter.coins]\nper = ['player']\n[decision.what]\nprompt = 'What?'\n\
         [score.coins]\npoints = 'me.coins'\n",
        kit::GAME.replace(
            "flow = 'main'",
            "flow = 'main'\nevaluate = '10 / (me.coins - 3)'"
        )
    );
    let script = "fn work() {
        for me in players() { me.coins += choose(decision::what, me, [1, 3, 5]); }
    }";
    let rules = kit::rules(&toml, script);
    let summary = played(&rules, &batch(3, Lineup::all(BotKind::Greedy)));
    assert_eq!(summary.unfinished, 3);
    let text = &summary.failures[0];
    assert!(
        text.contains("Y0403") || text.contains("division by zero"),
        "{text}"
    );
    // Who does not ask for it is not stopped by it.
    let summary = played(&rules, &batch(3, Lineup::all(BotKind::Random)));
    assert_eq!(summary.unfinished, 0);
}

/// Points beyond the numbers of scripts are a fault at their place, and never a wrong score.
#[test]
fn points_that_are_too_many_are_told() {
    let score = |terms: &str| {
        let toml = format!(
            "{}[zone.bag]\n[kind.cube]\nstart = 'bag'\npieces = [{{ id = 'cube', copies = 300 }}]\n{terms}",
            kit::GAME
        );
        let rules = kit::rules(&toml, "fn work() { }");
        let batch = batch(1, Lineup::all(BotKind::Random));
        let played = play(&rules, &batch, 0, &mut Scratch::default());
        match played.trouble {
            None => Ok(played.scores[0]),
            Some(Trouble::Fault(fault)) => Err(kit::described(&rules, &fault)),
            Some(other) => panic!("{other:?}"),
        }
    };
    let most = 36_028_797_018_963_967;
    assert_eq!(score(&format!("[score.a]\npoints = '{most}'\n")), Ok(most));
    for (terms, line) in [
        (format!("[score.a]\ncount = 'bag'\npoints = '{most}'\n"), 13),
        (
            format!("[score.a]\npoints = '{most}'\n[score.b]\npoints = '1'\n"),
            14,
        ),
    ] {
        let found = score(&terms).expect_err("it is too large");
        assert!(found.contains("Y0415: the number is too large"), "{found}");
        assert!(found.contains(&format!("toy.toml:{line}:")), "{found}");
    }
}

/// Plays to the next question of more than one answer; whether there is one.
fn to_question(rules: &Rules, state: &mut State, scratch: &mut Scratch) -> bool {
    loop {
        let mut io = Io::default();
        let outcome = Machine::new(rules, state, &mut io, scratch, Limits::default()).run();
        if outcome.expect("no faults") != Outcome::Decision {
            return false;
        }
        match decision::only_for_bots(state) {
            Some(answer) => decision::apply(state, &answer),
            None => return true,
        }
    }
}

fn words(rules: &Rules, state: &State, answer: &Answer) -> Written {
    let asked = Decision::pending(rules, state).expect("a decision");
    asked.write(answer)
}

/// The state as it could be as well for all that a player knows: what is hidden lies in another order, and
/// chance will bring something else.
fn swapped(rules: &Rules, state: &State, player: PlayerId, draw: &mut Draw) -> State {
    let mut other = state.clone();
    let viewer = Viewer::Player(player);
    let renaming = permute_hidden(rules.layout(), &mut other.table, viewer, |pieces| {
        // All lie elsewhere than they did, if there are two.
        if pieces.len() > 1 {
            pieces.rotate_left(1 + draw.below(pieces.len() as u64 - 1) as usize);
        }
    });
    let run = &mut other.run;
    let values = run.stack.iter_mut().chain(&mut run.heap);
    for value in values.chain(&mut run.parts) {
        *value = renaming.value(*value);
    }
    // Nobody knows what chance will bring.
    other.table.seed ^= draw.bits() | 1;
    other
}

/// Plays a game to its end at random. At each question that is the `every`th a bot is asked in two states that
/// its player cannot tell apart, and must answer the same. Gives how many questions that were, with something
/// hidden in them.
fn asked_blind(rules: &Rules, kind: BotKind, players: u8, every: u64) -> u64 {
    let (mut scratch, mut asked) = (Scratch::default(), 0);
    let mut state = rules.start(players, 8 + u64::from(players));
    let mut draw = Draw::at(3, 1, 4, u64::from(players));
    let mut nth = 0;
    while to_question(rules, &mut state, &mut scratch) {
        let decision = Decision::pending(rules, &state).expect("a decision");
        if nth % every == 0 {
            let other = swapped(rules, &state, decision.player, &mut draw);
            asked += u64::from(other.table.pieces != state.table.pieces);
            let mut answer = |state: &State| {
                let question = Question {
                    rules,
                    state,
                    seed: 5,
                    nth,
                    stop: None,
                };
                kind.answer(&question, &mut scratch).expect("an answer")
            };
            let (one, two) = (answer(&state), answer(&other));
            assert_eq!(
                words(rules, &state, &one),
                words(rules, &other, &two),
                "{}, {players} players, question {nth}: {}",
                kind.name(),
                decision.key
            );
            assert_eq!(decision.check(rules, &state, &one), Ok(()));
        }
        let random = decision::random(rules, &state, |bound| draw.below(bound));
        decision::apply(&mut state, &random.expect("an answer"));
        nth += 1;
    }
    asked
}

/// In whole games of all numbers of players.
#[test]
fn what_is_hidden_does_not_change_an_answer() {
    // A search is slow where nothing is optimised, and the same in small.
    let search = BotKind::Mcts(Budget::Decisions(80));
    for (name, greedy, mcts) in [
        ("airways", (2, 200), (5, 75)),
        ("salon", (1, 180), (1, 180)),
    ] {
        let rules = pack(name);
        for (kind, (every, least)) in [
            (BotKind::Random, (1, 180)),
            (BotKind::Greedy, greedy),
            (search, mcts),
        ] {
            let asked: u64 = (2..=4)
                .map(|players| asked_blind(&rules, kind, players, every))
                .sum();
            assert!(
                asked >= least,
                "{}, {name}: asked {asked} times",
                kind.name()
            );
        }
    }
}

/// The same seed, the same answers: mcts counts what it tries, not how long it takes.
#[test]
fn a_search_is_the_same_each_time() {
    let rules = pack("salon");
    let told = |threads: usize| {
        let mcts = BotKind::parse("mcts:decisions=60").expect("a bot");
        let batch = Batch {
            threads,
            ..batch(6, Lineup::of(&[mcts, BotKind::Random]))
        };
        let summary = played(&rules, &batch);
        assert_eq!(summary.players[0].bot, "mcts:decisions=60");
        (summary.digest, summary.unfinished)
    };
    let one = told(1);
    assert_eq!(one.1, 0);
    assert_eq!(told(2), one);
}

#[test]
fn budgets_are_read_as_they_are_written() {
    for name in [
        "random",
        "greedy",
        "mcts",
        "mcts:decisions=7",
        "mcts:time=20ms",
    ] {
        assert_eq!(BotKind::parse(name).expect("a bot").name(), name);
    }
    let seconds = BotKind::Mcts(Budget::Milliseconds(2000));
    assert_eq!(BotKind::parse("mcts:time=2s"), Ok(seconds));
    for (name, why) in [
        (
            "mcts:decisions=0",
            "`decisions=0` is no budget: expected `decisions=N`",
        ),
        ("mcts:decisions=abc", "`decisions=abc` is no budget: "),
        ("mcts:foo=1", "`foo=1` is no budget: "),
        ("mcts:time=", "`time=` is no budget: "),
        ("mcts:time=20", "`time=20` is no budget"),
        ("mcts:time=5000000s", "`time=5000000s` is no budget"),
        ("mtcs", "there is no bot `mtcs`: did you mean `mcts`?"),
        ("mcts:", "`` is no budget"),
        ("greedy:time=20ms", "the bot `greedy` has no budget"),
        (
            "clever:time=20ms",
            "there is no bot `clever:time=20ms`; the bots are: random, greedy, mcts",
        ),
    ] {
        let error = BotKind::parse(name).expect_err("no bot");
        assert!(error.starts_with(why), "{error}");
    }
}

/// A bot with time stops in time, and finds an answer in the shortest.
#[test]
fn a_search_by_time_ends() {
    let rules = pack("salon");
    let batch = batch(1, Lineup::all(BotKind::Mcts(Budget::Milliseconds(1))));
    let summary = played(&rules, &batch);
    assert_eq!((summary.games, summary.unfinished), (1, 0));
    // A loaded machine may take longer, but not for ever.
    let most = 0.2 * summary.decisions as f64;
    assert!(
        summary.elapsed_s < most,
        "{} for {}",
        summary.elapsed_s,
        summary.decisions
    );
}

/// Whoever stops a batch does not wait for the answers that are searched; games that were cut short count
/// nowhere.
#[test]
fn a_long_search_is_stopped_at_once() {
    let rules = pack("salon");
    let slow = batch(4, Lineup::all(BotKind::Mcts(Budget::Milliseconds(600_000))));
    let stop = AtomicBool::new(false);
    let watch = Watch {
        stop: Some(&stop),
        played: None,
    };
    let begun = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let summary = run(&rules, &slow, &watch).expect("threads");
        assert_eq!((summary.games, summary.unfinished), (0, 0));
    });
    let variant = Variant {
        name: "variant",
        rules: &rules,
    };
    stop.store(false, Ordering::Relaxed);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let clear = Clear {
            metric: "score".to_owned(),
            width: 0.1,
        };
        let told = compare(&rules, &[variant], &slow, Some(&clear), &watch).expect("threads");
        assert_eq!((told.variants[0].pairs, told.variants[0].left_out), (0, 0));
    });
    assert!(begun.elapsed() < Duration::from_secs(60), "{begun:?}");
}

#[test]
fn mcts_wins_more_than_its_share_against_greedy() {
    let rules = pack("salon");
    let mcts = BotKind::parse("mcts:decisions=200").expect("a bot");
    let mut lineup = Lineup::of(&[mcts, BotKind::Greedy]);
    lineup.rotates = true;
    let summary = played(&rules, &batch(60, lineup));
    assert!(summary.bots[0].wins.low > 0.5, "{:?}", summary.bots[0].wins);
}

/// What pays at once is a trap: who takes 3 gets nothing for the rest of the game, who takes 1 gets 5 twice. The
/// bot that looks one question ahead falls in; the one that searches does not. Nothing says how well one
/// stands but the scores, so it plays to the end.
#[test]
fn mcts_sees_what_comes_later() {
    let toml = format!(
        "{}[counter.money]\nper = ['player']\n[decision.what]\nprompt = 'What?'\n[score.money]\npoints = 'me.money'\n",
        kit::GAME
    );
    let script = "fn work() {
        for me in players() {
            let taken = choose(decision::what, me, [1, 3]);
            me.money += taken;
            for round in 0..2 {
                let more = choose(decision::what, me, [0, 5]);
                if taken == 1 { me.money += more; }
            }
        }
    }";
    let rules = kit::rules(&toml, script);
    let summary = played(
        &rules,
        &batch(4, {
            let mut lineup = Lineup::of(&[
                BotKind::parse("mcts:decisions=1000").expect("a bot"),
                BotKind::Greedy,
            ]);
            lineup.rotates = true;
            lineup
        }),
    );
    let scores = |at: usize| (summary.bots[at].scores.least, summary.bots[at].scores.most);
    assert_eq!((scores(0), scores(1)), ((11, 11), (3, 3)));
}

const ASKS: &str = "[counter.money]
per = ['player']
[decision.what]
prompt = 'What?'
[decision.more]
prompt = 'More?'
";

#[test]
fn a_game_that_fails_is_kept_up_to_there_and_the_others_go_on() {
    let toml = format!("{}{ASKS}", kit::GAME);
    let script = "fn work() {
        for me in players() {
            let what = choose(decision::what, me, [1, 2, 3, 4]);
            me.money = 12 / (what - 1);
        }
    }";
    let rules = kit::rules(&toml, script);
    let summary = played(&rules, &batch(64, Lineup::all(BotKind::Random)));
    // Seven of sixteen pairs of answers have a 1 among them.
    assert_eq!(summary.games, 64);
    assert!(
        (10..50).contains(&summary.unfinished),
        "{}",
        summary.unfinished
    );
    assert_eq!(summary.failed.len(), 5);
    for failure in &summary.failed {
        let text = &failure.text;
        assert!(
            text.contains("toy.rhai:4:") && text.ends_with("answered `what` with `1`"),
            "{text}"
        );
        let record = failure.record.as_ref().expect("a record");
        assert_eq!(record.seed, failure.seed);
        let mut game = replay(record, rules.clone()).expect("it goes the same way");
        let asked = game.decision().expect("the question that failed");
        let fatal = asked.read(&Written::Number(1)).expect("offered");
        assert!(game.answer(&fatal).is_err());
    }
}

/// Who chooses 1 has ten choices more, and then the game fails: of those that end each decision has two.
#[test]
fn choices_of_a_finished_game_are_those_of_finished_games() {
    let toml = format!("{}{ASKS}", kit::GAME);
    let script = "fn work() {
        let me = players()[0];
        if choose(decision::what, me, [1, 2]) == 1 {
            choose(decision::more, me, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
            me.money = 12 / me.money;
        }
    }";
    let rules = kit::rules(&toml, script);
    let summary = played(&rules, &batch(64, Lineup::all(BotKind::Random)));
    assert!((10..50).contains(&summary.unfinished));
    assert_eq!(summary.decisions, 64 + summary.unfinished);
    assert_eq!((summary.length.mean, summary.branching), (1.0, 2.0));
}

#[test]
fn a_game_without_an_end_is_stopped_and_the_loop_told() {
    let toml = format!("{}{ASKS}", kit::GAME);
    let script = "fn work() {
        let me = players()[0];
        loop {
            choose(decision::what, me, [1, 2]);
            choose(decision::more, me.next, [1, 2]);
        }
    }";
    let rules = kit::rules(&toml, script);
    let batch = Batch {
        most_decisions: 100,
        ..batch(2, Lineup::all(BotKind::Random))
    };
    let summary = played(&rules, &batch);
    assert_eq!((summary.games, summary.unfinished), (2, 2));
    let text = &summary.failures[0];
    let told = "too many decisions; asked over and over: player 1 `what`, player 2 `more`";
    assert!(text.ends_with(told), "{text}");
    let record = summary.failed[0].record.as_ref().expect("a record");
    assert_eq!(record.steps.len(), 100);
}

#[test]
fn a_batch_can_be_stopped_and_tells_what_was_played() {
    let rules = pack("salon");
    let stop = AtomicBool::new(false);
    let seen = AtomicU64::new(0);
    let watch_played = |games: u64| {
        seen.fetch_add(games, Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
    };
    let watch = Watch {
        stop: Some(&stop),
        played: Some(&watch_played),
    };
    let batch = batch(3_000, Lineup::all(BotKind::Random));
    let summary = run(&rules, &batch, &watch).expect("threads");
    assert_eq!(summary.games, seen.load(Ordering::Relaxed));
    assert!((1..3_000).contains(&summary.games));
    assert_eq!(summary.unfinished, 0);
    assert_eq!(summary.players[0].scores.count, summary.games);
}

#[test]
fn everybody_sits_everywhere_when_bots_rotate() {
    let lineup = against();
    let seats = |game: u64| [0, 1, 2].map(|place| lineup.entry(place, 3, game));
    assert_eq!(
        [seats(0), seats(1), seats(2)],
        [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    );
    assert_eq!(Lineup::all(BotKind::Random).entry(2, 3, 1), 2);
}

const COUNTED: &str = "[set.place]
members = ['here', 'there']
[kind.card]
start = 'deck'
pieces = [{ id = 'ace' }, { id = 'king' }]
[zone.deck]
holds = 'card'
[zone.hand]
per = ['player']
holds = 'card'
[counter.visited]
per = ['player', 'place']
holds = 'bool'
[counter.best]
per = ['player']
holds = 'place'
[counter.coins]
per = ['player']
[dial.heat]
per = ['player']
faces = [0, 1, 2, 3]
start = 0
tags = ['upgrade']
[toggle.wings]
per = ['player']
tags = ['upgrade']
[decision.what]
prompt = 'What?'
[score.coins]
points = 'me.coins'
[statistic.visits]
counter = 'visited'
[statistic.bests]
counter = 'best'
[statistic.earned]
counter = 'coins'
[statistic.warmth]
dial = 'heat'
[statistic.upgrades]
tag = 'upgrade'
[statistic.answers]
decision = 'what'
[statistic.cards]
zone = 'hand'
";

/// Only player 1 turns the wings on, and wins by a coin each time.
#[test]
fn what_a_pack_declares_is_counted() {
    let toml = format!("{}{COUNTED}", kit::GAME);
    let script = "fn work() {
        for me in players() {
            me.visited[place::here] = true;
            me.visited[place::here] = true;
            me.best = place::there;
            me.best = ();
            me.coins += 2;
            me.coins += choose(decision::what, me, [3]);
            me.coins -= 1;
            advance(me, dial::heat, 5);
            advance(me, dial::heat, -2);
            if me.number == 1 { me.wings = true; me.coins += 1; }
            put(card::ace, me.hand);
        }
    }";
    let rules = kit::rules(&toml, script);
    let mut asked = batch(4, Lineup::all(BotKind::Random));
    assert!(played(&rules, &asked).statistics.is_empty());
    asked.statistics = true;
    let summary = played(&rules, &asked);
    let mut told = Vec::new();
    for statistic in &summary.statistics {
        for row in &statistic.rows {
            told.push((
                statistic.id.as_str(),
                row.key.as_str(),
                row.per_game,
                row.with.of,
            ));
        }
    }
    // Eight players in four games. What could be used and never was is told, too.
    let expected = [
        ("answers", "3", 2.0, 8),
        ("bests", "here", 0.0, 0),
        ("bests", "there", 2.0, 8),
        ("cards", "ace", 2.0, 8),
        ("cards", "king", 0.0, 0),
        ("earned", "", 11.0, 8),
        ("upgrades", "heat", 6.0, 8),
        ("upgrades", "wings", 1.0, 4),
        ("visits", "here", 2.0, 8),
        ("visits", "there", 0.0, 0),
        ("warmth", "", 6.0, 8),
    ];
    assert_eq!(told, expected);
    let wings = &summary.statistics[4].rows[1];
    assert_eq!((wings.with.rate, wings.without.rate), (1.0, 0.0));
    assert_eq!((wings.score_with, wings.score_without), (5.0, 4.0));
}

#[test]
fn what_cannot_be_counted_is_told() {
    let said = |statistic: &str| {
        let toml = format!("{}{COUNTED}[statistic.odd]\n{statistic}\n", kit::GAME);
        kit::load(&kit::files(&toml, "fn work() {}")).expect_err("an error")
    };
    for (statistic, expected) in [
        ("", "statistic `odd` counts nothing"),
        ("dial = 'heat'\nzone = 'hand'", "counts `dial` and `zone`"),
        ("dial = 'head'", "there is no dial `head`"),
        ("tag = 'upgrad'", "there is no tag `upgrad`"),
        ("dial = 'heat'\nby = 'piece'", "says nothing without `zone`"),
        ("zone = 'hand'\nby = 'colour'", "`by`"),
        ("event = 'fall'", "`event`"),
    ] {
        let said = said(statistic);
        assert!(said.contains(expected), "{statistic}: {said}");
    }
}

fn compared(base: &Rules, variant: &Rules, batch: &Batch) -> Comparison {
    let variant = Variant {
        name: "variant",
        rules: variant,
    };
    compare(base, &[variant], batch, None, &Watch::default()).expect("threads")
}

#[test]
fn a_game_compared_with_itself_differs_by_exactly_nothing() {
    let rules = pack("salon");
    let told = |threads: usize| {
        let mut batch = batch(30, Lineup::all(BotKind::Random));
        (batch.threads, batch.statistics) = (threads, true);
        let mut told = compared(&rules, &rules, &batch);
        told.elapsed_s = 0.0;
        told
    };
    let one = told(1);
    let variant = &one.variants[0];
    assert_eq!((variant.pairs, variant.same, variant.left_out), (30, 30, 0));
    assert!(variant.metrics.len() > 30);
    for own in &variant.metrics {
        let numbers = (own.difference, own.low, own.high, own.p, own.p_holm);
        assert_eq!(numbers, (0.0, 0.0, 0.0, 1.0, 1.0), "{}", own.id);
    }
    let json = |told: &Comparison| serde_json::to_string(told).expect("JSON");
    assert_eq!(json(&told(2)), json(&one));
    assert_eq!(json(&told(8)), json(&one));
}

/// All luck is common: the variant pays two coins more in each pair, whatever the cards bring.
#[test]
fn pairs_take_common_luck_out() {
    let toml = format!(
        "{}[counter.money]\nper = ['player']\n[stream.luck]\n[decision.what]\nprompt = 'What?'\n\
         [parameter.bonus]\ndoc = 'More.'\nvalue = 1\n[score.money]\npoints = 'me.money'\n",
        kit::GAME
    );
    let script = "fn work() {
        for me in players() {
            me.money += pick(stream::luck, [1, 5, 9, 20]) + choose(decision::what, me, [1, 2, 3]);
            me.money += value(parameter::bonus, me);
        }
    }";
    let rules = kit::rules(&toml, script);
    let richer = rules
        .with_parameters([("bonus", 3)])
        .expect("it can be set");
    let told = compared(&rules, &richer, &batch(50, Lineup::all(BotKind::Random)));
    let variant = &told.variants[0];
    let metric = |id: &str| {
        let mut known = variant.metrics.iter();
        known.find(|own| own.id == id).expect("a metric")
    };
    let score = metric("score");
    assert_eq!(
        (score.difference, score.low, score.high, score.p),
        (2.0, 2.0, 2.0, 0.0)
    );
    assert_eq!(score.width_of_unpaired, Some(0.0));
    assert_eq!((score.variant - score.base, variant.same), (2.0, 0));
    // Who wins does not change by it.
    assert_eq!(
        (metric("wins_1").difference, metric("wins_1").p_holm),
        (0.0, 1.0)
    );
}

#[test]
fn it_stops_when_a_difference_is_clear() {
    let rules = pack("salon");
    let shorter = rules
        .with_parameters([("actions_per_turn", 2)])
        .expect("it can be set");
    let variant = Variant {
        name: "variant",
        rules: &shorter,
    };
    let batch = batch(2_000, Lineup::all(BotKind::Random));
    let stopped = |metric: &str, width: f64| {
        let clear = Clear {
            metric: metric.to_owned(),
            width,
        };
        compare(&rules, &[variant], &batch, Some(&clear), &Watch::default())
    };
    let told = stopped("rounds", 50.0).expect("a metric");
    assert_eq!(told.variants[0].pairs, 500);
    let error = stopped("round", 1.0).expect_err("no metric");
    assert!(
        error.contains("there is no metric `round`; did you mean `rounds`?"),
        "{error}"
    );
}
