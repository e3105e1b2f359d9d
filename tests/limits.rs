//! Whatever a script does, it is stopped: with its place and a reason, and the game is as before.

mod kit;

use std::sync::Arc;

use yukon::flow::game::{Game, GameError, Setup};
use yukon::flow::{Answer, Decision, Written};
use yukon::script::{Limits, Rules, Scratch};
use yukon::sim::{Batch, BotKind, Lineup, Trouble, play};
use yukon::table::Value;
use yukon::table::value::LEAST;

const TOY: &str = "[game]
title = 'Toy'
players = [1, 4]
flow = 'main'
[flow.main]
do = ['work']
[decision.what]
prompt = 'What?'
[choice.leave]
[choice.stay]
[counter.total]
per = []
[counter.money]
per = ['player']
[stream.luck]
[reason.no]
text = 'No'
[parameter.deep]
doc = 'A number that asks for itself.'
value = 1
[modifier.deeper]
parameter = 'deep'
add = 'value(parameter::deep, me)'
[kind.card]
pieces = [{ id = 'card', copies = 60 }]
start = 'deck'
[zone.deck]
holds = 'card'
ordered = true
refill = 'discard'
[zone.discard]
holds = 'card'
ordered = true
";

fn start(rules: &Arc<Rules>) -> Result<Game, GameError> {
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    Game::start(Arc::clone(rules), setup, None, None)
}

/// Asks once, does what follows the answer, and gives the fault: the game must be as before.
fn stopped(rest: &str, more: &str) -> String {
    let script = format!(
        "fn work() {{
    let me = players()[0];
    let l = [1, 2];
    let t = `${{me.money}}x`;
    if choose(decision::what, me, [choice::leave, choice::stay]) == choice::stay {{ return; }}
    table.total += 5;
    {rest}
}}
{more}"
    );
    let rules = kit::rules(TOY, &script);
    let mut game = start(&rules).expect("the first question");
    let (before, digest) = (game.state.clone(), game.state.digest());
    let decision = game.decision().expect("a decision");
    let go = decision
        .read(&Written::One("leave".to_owned()))
        .expect("it is offered");
    let fault = match game.answer(&go) {
        Err(GameError::Fault(fault)) => fault,
        other => panic!("{rest}: not stopped but {other:?}"),
    };
    assert_eq!(game.state, before, "{rest}");
    assert_eq!(game.state.digest(), digest, "{rest}");
    assert!(game.history.is_empty() && game.future.is_empty());
    // The other answer is still open.
    let stay = decision
        .read(&Written::One("stay".to_owned()))
        .expect("it is offered");
    game.answer(&stay).expect("the game goes on");
    assert!(game.is_over());
    kit::described(&rules, &fault)
}

fn check(rest: &str, more: &str, expected: &str) {
    assert_eq!(stopped(rest, more), expected, "{rest}\n{more}");
}

const INSTRUCTIONS: &str = "Y0402: stopped after about 20000000 instructions without a question";
const DEEP: &str = "Y0417: more than 128 calls inside each other";
const TEXTS: &str = "Y0410: all texts together are longer than 1048576 bytes";
const LISTS: &str = "Y0407: all lists together are longer than 1000000";

#[test]
fn endless_loops() {
    let endless = |place: &str| format!("{place} {INSTRUCTIONS}");
    check("loop { }", "", &endless("toy.rhai:7:5"));
    check("while true { t = `x`; }", "", &endless("toy.rhai:7:5"));
    check("loop { continue; }", "", &endless("toy.rhai:7:12"));
    check("for i in 0..4000000000 { }", "", &endless("toy.rhai:7:9"));
    check(
        "for i in 0..36028797018963967 { me.money = 1; }",
        "",
        &endless("toy.rhai:7:9"),
    );
    check("loop { l.some(|x| x > 5); }", "", &endless("toy.rhai:7:14"));
    check("loop { f(); }", "fn f() { 1 }", &endless("toy.rhai:7:12"));
    check(
        "loop { what_if(|| { me.money += 1; me.money }); }",
        "",
        &endless("toy.rhai:7:5"),
    );
}

#[test]
fn work_that_grows_with_data_is_paid_for() {
    let stops = |rest: &str| {
        let found = stopped(rest, "");
        assert!(found.ends_with(INSTRUCTIONS), "{rest}: {found}");
    };
    let long = "for i in 0..9000 { l.push(i); }";
    stops(&format!("{long} loop {{ -1 in l; }}"));
    stops(&format!("{long} let m = l; loop {{ l == m; }}"));
    stops(&format!("{long} loop {{ let m = l; m.pop(); }}"));
    let text = "for i in 0..15 { t = t + t; } let u = t + \"a\"; let v = t + \"a\";";
    stops(&format!("{text} loop {{ u == v; }}"));
    stops(&format!("{text} loop {{ t.len(); }}"));
    stops("loop { say(`again`); }");
    stops("loop { refuse(choice::leave, reason::no); }");
    stops("loop { me.money += 1; }");
    stops("loop { pick(stream::luck, l); }");
    // What one instruction does may be long. These are ended by what they cost, not by their number.
    stops("for i in 0..40 { draw(table.deck, table.discard, 65535); }");
    stops("for i in 0..50000 { shuffle(table.deck); }");
    stops(&format!(
        "{long} for i in 0..9000 {{ pick(stream::luck, l); }}"
    ));
    stops("for i in 0..9000 { draw(table.deck, table.discard, 60); take_top(table.deck); }");
}

#[test]
fn texts_and_lists() {
    check("loop { t = t + t; }", "", &format!("toy.rhai:7:5 {TEXTS}"));
    check(
        "loop { t += `${t}`; }",
        "",
        &format!("toy.rhai:7:14 {TEXTS}"),
    );
    check(
        "for i in 0..12 { t = t + t; } for i in 0..9000 { l[0] = 1; } let m = [t, t, t, t]; loop { t = `${m}`; m = [t, t, t, t]; }",
        "",
        &format!("toy.rhai:7:88 {TEXTS}"),
    );
    check(
        "loop { l = l + l; }",
        "",
        "toy.rhai:7:18 Y0407: a list is longer than 10000",
    );
    check(
        "loop { l.push(1); }",
        "",
        "toy.rhai:7:14 Y0407: a list is longer than 10000",
    );
    check(
        "let m = []; loop { m = [m]; }",
        "",
        "toy.rhai:7:29 Y0407: more than 32 lists inside each other",
    );
    check(
        "let m = [1]; loop { m = f(m); }",
        "fn f(x) { [x] }",
        "toy.rhai:7:31 Y0407: more than 32 lists inside each other",
    );
    check(
        "let m = [1]; loop { m.push(m); }",
        "",
        &format!("toy.rhai:7:18 {LISTS}"),
    );
    check(
        "for i in 0..9000 { l.push(i); } let m = []; loop { m.push(l); }",
        "",
        &format!("toy.rhai:7:49 {LISTS}"),
    );
}

#[test]
fn recursion() {
    check(
        "f(1);",
        "fn f(n) { f(n + 1) }",
        &format!("toy.rhai:9:11 {DEEP}"),
    );
    check(
        "f();",
        "fn f() { g(); }\nfn g() { f(); }",
        &format!("toy.rhai:10:10 {DEEP}"),
    );
    check(
        "f([1]);",
        "fn f(list) { list.map(|x| f(list)) }",
        &format!("toy.rhai:9:27 {DEEP}"),
    );
    check(
        "f();",
        "fn f() { what_if(|| f()) }",
        "toy.rhai:9:10 Y0405: `what_if` is nested too deeply",
    );
    check(
        "value(parameter::deep, me);",
        "",
        "toy.toml:23:8 Y0417: more than 16 values are computed inside each other",
    );
}

#[test]
fn a_decision_for_ever() {
    check(
        "loop { choose(decision::what, me, [choice::leave]); }",
        "",
        "toy.rhai:7:12 Y0422: stopped after 1000 decisions with one answer each",
    );
    // Forced answers give no new instructions.
    check(
        "loop { choose(decision::what, me, [choice::leave]); for i in 0..1000000 { } }",
        "",
        &format!("toy.rhai:7:61 {INSTRUCTIONS}"),
    );
    check(
        "loop { offer(choice::leave); table.total += 1; }",
        "",
        "toy.rhai:7:12 Y0419: more than 4096 choices are offered",
    );
    // Bots can go on answering: a cap on decisions ends that.
    let rules = kit::rules(
        TOY,
        "fn work() { loop { choose(decision::what, players()[0], [choice::leave, choice::stay]); } }",
    );
    let batch = Batch {
        most_decisions: 500,
        ..batch()
    };
    let played = play(&rules, &batch, 0, &mut Scratch::default());
    assert_eq!(played.trouble, Some(Trouble::Endless));
    assert_eq!(played.decisions + played.forced, 500);
    let mut game = start(&rules).expect("a question");
    for _ in 0..100 {
        game.answer(&Answer::One(1)).expect("answered");
    }
    assert_eq!(game.history.len(), 100);
}

fn batch() -> Batch {
    Batch {
        players: 2,
        games: 1,
        seed: 1,
        lineup: Lineup::all(BotKind::Random),
        check_invariants: true,
        statistics: false,
        most_decisions: 1000,
        threads: 1,
    }
}

#[test]
fn a_flow_that_never_asks() {
    let counted = "Y0423: there are more rounds than can be counted";
    for (block, expected) in [
        ("while = 'true'", INSTRUCTIONS),
        ("while = 'table.total == 0'\nscope = 'phase'", INSTRUCTIONS),
        ("while = 'true'\nscope = 'round'", counted),
        ("times = '9000000000'", INSTRUCTIONS),
    ] {
        let toml = format!("{}{block}\n[counter.total]\nper = []\n", kit::GAME);
        let rules = kit::rules(&toml, "fn work() { }");
        match start(&rules) {
            Err(GameError::Fault(fault)) => {
                let found = kit::described(&rules, &fault);
                assert!(found.ends_with(expected), "{block}: {found}");
                assert!(found.starts_with("toy.toml:"), "{block}: {found}");
            }
            other => panic!("{block}: not stopped but {other:?}"),
        }
    }
}

#[test]
fn what_cannot_be_asked() {
    for (rest, expected) in [
        (
            "choose(decision::what, me);",
            "Y0406: decision `what` offers nothing",
        ),
        (
            "offer(choice::leave); choose_some(decision::what, me, 2, 3);",
            "Y0406: decision `what` wants at least 2 of 1 choice",
        ),
        (
            "offer(choice::leave); choose_some(decision::what, me, 1, 0);",
            "Y0406: decision `what` wants at least 1 and at most 0",
        ),
        (
            "offer(choice::leave); choose_some(decision::what, me, -5, -1);",
            "Y0406: decision `what` wants at most -1 choices",
        ),
        (
            "offer(choice::leave, me); choose_some(decision::what, me, 0, 1);",
            "Y0406: decision `what` takes choices of one part",
        ),
        (
            "offer(choice::leave); confirm(decision::what, me);",
            "Y0406: decision `what` takes no offered choices",
        ),
        (
            "choose_number(decision::what, me, 3, 2);",
            "Y0406: decision `what` wants at least 3 and at most 2",
        ),
        ("offer(t);", "Y0419: a text cannot be offered"),
    ] {
        let found = stopped(rest, "");
        assert!(found.ends_with(expected), "{rest}: {found}");
    }
}

#[test]
fn numbers_may_be_as_large_as_values_can_be() {
    let rules = kit::rules(
        TOY,
        "fn work() {
    let n = choose_number(decision::what, players()[0], -36028797018963967 - 1, 36028797018963967);
    choose(decision::what, players()[0], [0, 281474976710656, n]);
}",
    );
    for seed in 0..20 {
        let batch = Batch { seed, ..batch() };
        assert_eq!(
            play(&rules, &batch, 0, &mut Scratch::default()).trouble,
            None
        );
    }
    let mut game = start(&rules).expect("a question");
    game.answer(&Answer::Number(LEAST)).expect("answered");
    let decision = Decision::pending(&rules, &game.state).expect("a question");
    let keys: Vec<_> = decision
        .choices
        .iter()
        .map(|choice| choice.key.as_str())
        .collect();
    assert_eq!(keys, ["0", "281474976710656", "-36028797018963968"]);
}

#[test]
fn a_failed_look_leaves_the_table() {
    let rules = kit::rules(
        TOY,
        "fn work() { }\nfn look(n) { what_if(|| { table.total = 7; [1][n] }) }",
    );
    let mut state = rules.start(2, 1);
    let before = state.clone();
    let found = kit::evaluate(
        &rules,
        &mut state,
        "look",
        &[Value::int(3)],
        Limits::default(),
    );
    assert_eq!(found.expect_err("out of range").code, "Y0416");
    assert_eq!(state.table, before.table);
    assert_eq!(state.run.frames, before.run.frames);
    assert_eq!(state.run.stack, before.run.stack);
}

#[test]
fn long_sources_are_refused() {
    let refused = |script: &str| match kit::load(&kit::files(TOY, script)) {
        Ok(_) => panic!("{} bytes are taken", script.len()),
        Err(problems) => problems,
    };
    let begins = |script: &str, expected: &str| {
        let found = refused(script);
        assert!(
            found.starts_with(expected),
            "{}",
            &found[..found.len().min(300)]
        );
    };
    let work = "fn work() { }\n";
    let parameters = (0..300)
        .map(|n| format!("p{n}"))
        .collect::<Vec<_>>()
        .join(", ");
    begins(
        &format!("{work}fn f({parameters}) {{ p1 }}"),
        "toy.rhai:2:4 Y0209: function `f` takes 300 parameters: at most 32",
    );
    let items = vec!["1"; 10_000].join(", ");
    begins(
        &format!("{work}fn f() {{ [{items}] }}"),
        "toy.rhai:2:4 Y0210: `f` holds more than 254 values at once",
    );
    let variables = (0..400)
        .map(|n| format!("let v{n} = {n};\n"))
        .collect::<String>();
    begins(
        &format!("{work}fn f() {{ {variables} v7 }}"),
        "toy.rhai:2:4 Y0210: `f` holds more than 254 values at once",
    );
    let constants = (0..3000)
        .map(|n| {
            let first = 10_000_000_000_i64 + n * 24;
            let list: Vec<String> = (first..first + 24).map(|n| n.to_string()).collect();
            format!("fn f{n}() {{ [{}] }}\n", list.join(", "))
        })
        .collect::<String>();
    begins(
        &format!("{work}{constants}"),
        "- Y0211: the scripts have more than 60000",
    );
    let functions = (0..5000)
        .map(|n| format!("fn f{n}() {{ }}\n"))
        .collect::<String>();
    begins(
        &format!("{work}{functions}"),
        "toy.rhai:4001:4 Y0212: the scripts define 5001 functions: at most 4000",
    );
    let statements = "1;\n".repeat(40_000);
    begins(
        &format!("{work}fn f() {{ {statements} }}"),
        "toy.rhai:2:4 Y0207: function `f` is too long",
    );
    for deep in [
        format!("fn work() {{ {}1{} }}", "(".repeat(5000), ")".repeat(5000)),
        format!("fn work() {{ {}1{} }}", "[".repeat(5000), "]".repeat(5000)),
        format!("fn work() {{ {}1{} }}", "{".repeat(5000), "}".repeat(5000)),
        format!("fn work() {{ {}1 }}", "-".repeat(5000)),
        format!("fn work() {{ {}true }}", "!".repeat(5000)),
        format!("fn work() {{ {} {{ }} }}", "if true { } else ".repeat(3000)),
    ] {
        let found = refused(&deep);
        assert!(
            found.contains("Y0201"),
            "{}",
            &found[..found.len().min(300)]
        );
    }
}

#[test]
fn long_chains_overflow_nothing() {
    for chain in [
        format!("1{}", " + 1".repeat(20_000)),
        format!("true{}", " && true".repeat(20_000)),
        format!("[1]{}", "[0]".repeat(20_000)),
        format!("[1]{}", ".first()".repeat(20_000)),
        format!("table{}", ".total".repeat(20_000)),
    ] {
        // Either way is right; the process must live.
        let _ = kit::load(&kit::files(TOY, &format!("fn work() {{ {chain} }}")));
    }
}

#[test]
fn what_is_said_changes_nothing() {
    let script = "fn work() {
    let me = players()[0];
    let l = [1, 2];
    let answer = say(`${l}`);
    if answer == () { table.total += 1; }
    tell(spend(me));
    tell(l.pop());
    table.total += l.len();
    say(`${l.map(|x| x + 1)}`);
    for i in 0..40 { tell(`${i}`); }
    choose(decision::what, me, [choice::leave, choice::stay]);
}
fn tell(what) { say(`so ${what}`); }
fn spend(me) { me.money -= 3; me.money }";
    let rules = kit::rules(TOY, script);
    let game = start(&rules).expect("a question");
    let mut quiet = rules.start(2, 1);
    let (mut io, mut scratch) = (yukon::script::Io::default(), Scratch::default());
    yukon::script::Machine::new(&rules, &mut quiet, &mut io, &mut scratch, Limits::default())
        .run()
        .expect("a question");
    assert_eq!(game.state, quiet);
    assert_eq!(game.state.digest(), quiet.digest());
    let look = "fn work() { }\nfn look() { [table.total, players()[0].money] }";
    let looking = kit::rules(TOY, look);
    let found = kit::evaluate(&looking, &mut quiet, "look", &[], Limits::default());
    assert_eq!(found.expect("a look"), "[2, -3]");
}
