//! A game's digest tells how it went, not what else stands in the pack.

mod kit;

use yukon::script::{Io, Limits, Machine, Rules, Scratch, State};
use yukon::sim::{Batch, BotKind, Lineup, Summary, Watch, run};

const TOY: &str = "[counter.money]
per = ['player']
[decision.what]
prompt = 'What?'
[choice.more]
[choice.less]
[stream.luck]
[parameter.most]
doc = 'How much at most.'
value = 3
[modifier.luckier]
parameter = 'most'
add = 1
when = 'me.money > 5'
";

const SCRIPT: &str = "fn work() {
    for round in 0..5 {
        for me in players() {
            let said = `${me} has ${me.money}`;
            let numbers = [1, 2, 3].filter(|n| n <= value(parameter::most, me));
            let won = pick(stream::luck, numbers);
            offer(choice::less);
            for n in numbers { offer(n); }
            let chosen = choose(decision::what, me);
            me.money += if chosen == choice::less { -1 } else { chosen + won };
            say(said);
        }
    }
}
";

fn batch(rules: &Rules) -> Summary {
    let batch = Batch {
        players: 2,
        games: 20,
        seed: 7,
        lineup: Lineup::all(BotKind::Random),
        check_invariants: true,
        statistics: false,
        most_decisions: 1000,
        threads: 1,
    };
    run(rules, &batch, &Watch::default()).expect("threads")
}

fn first_question(rules: &Rules) -> State {
    let mut state = rules.start(2, 1);
    let (mut io, mut scratch) = (Io::default(), Scratch::default());
    Machine::new(rules, &mut state, &mut io, &mut scratch, Limits::default())
        .run()
        .expect("a question");
    state
}

#[test]
fn what_is_not_used_changes_no_digest() {
    let toml = format!("{}{TOY}", kit::GAME);
    let rules = kit::rules(&toml, SCRIPT);
    let more = format!(
        "{toml}[parameter.aim]
doc = 'Used by nobody.'
value = 9
[modifier.aimless]
parameter = 'aim'
add = 'me.money'
"
    );
    // It comes before the others, with a text and a constant of its own.
    let script = format!("fn aaa(x) {{ say(\"never\"); x + 1000000007 }}\n{SCRIPT}");
    for (toml, script) in [(&more, SCRIPT), (&toml, &script), (&more, &script)] {
        let other = kit::rules(toml, script);
        assert_eq!(
            first_question(&other).digest(),
            first_question(&rules).digest()
        );
        let (before, after) = (batch(&rules), batch(&other));
        assert_eq!((before.unfinished, before.decisions), (0, 200));
        assert_eq!(after.digest, before.digest);
    }
}

#[test]
fn what_is_played_changes_the_digest() {
    let toml = format!("{}{TOY}", kit::GAME);
    let rules = kit::rules(&toml, SCRIPT);
    let others = [
        SCRIPT.replace("{ -1 }", "{ -2 }"),
        SCRIPT.replace("offer(choice::less)", "offer(choice::more)"),
        SCRIPT.replace(
            "players()",
            "players().filter(|player| player.number > 0 && round > 0)",
        ),
    ];
    for script in &others {
        let other = kit::rules(&toml, script);
        assert_ne!(batch(&other).digest, batch(&rules).digest, "{script}");
    }
    let other = kit::rules(&toml, &others[1]);
    assert_ne!(
        first_question(&other).digest(),
        first_question(&rules).digest()
    );
}
