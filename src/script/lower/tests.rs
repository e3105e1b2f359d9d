//! What the numbers of an exchange become.

use crate::diag::{Style, render};
use crate::pack::{PackFiles, Selection, read, read_draft};
use crate::script::Rules;

use super::{lower, lower_draft};

const PACK: &str = r#"
[game]
title = "Toy"
players = [2, 4]
flow = "main"

[flow.main]
do = ["work"]

[set.icon]
members = ["sun", "moon"]

[exchange.trade]
subject = { name = "extra", type = "int" }
goal = { gold = "extra" }
resource.gold = { start = 0 }
resource.held = { each = "icon", start = "if icon == icon::sun { 1 } else { 2 }", most = 5 }

[exchange.trade.rule.sell]
each = "icon"
take = { held = 1 }
give = { gold = "if icon == icon::sun { 3 } else { 0 }" }

[exchange.trade.rule.sell_more]
each = "icon"
take = { held = "extra + 1" }
give = { gold = "if icon == icon::sun { 3 } else { 0 }" }

[exchange.trade.rule.swap]
take_any = { from = ["held"], count = "extra + 1" }
give = { gold = 1 }
"#;

fn rules() -> Rules {
    let files = PackFiles {
        id: "toy".to_owned(),
        rules: vec![("rules/toy/toy.toml".to_owned(), PACK.as_bytes().to_vec())],
        scripts: vec![(
            "scripts/toy/toy.rhai".to_owned(),
            b"fn work() { reaches(exchange::trade, players()[0], 1); }".to_vec(),
        )],
        ..PackFiles::default()
    };
    let (pack, sources, mut report) = read(&files);
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    assert_eq!(render(&report, &sources, Style::PLAIN), "");
    rules.expect("the pack is right")
}

#[test]
fn amounts_are_told_the_member_and_computed_once() {
    let rules = rules();
    let icons = &rules.layout().sets[0].members;
    let trade = &rules.exchanges[0];
    let places = |numbers: &crate::script::rules::Numbers| -> Vec<_> {
        numbers
            .computed
            .iter()
            .map(|(place, _, member)| (*place, *member))
            .collect()
    };
    assert_eq!(trade.starts.known, [0, 0, 0]);
    assert_eq!(places(&trade.starts), [(1, icons[0]), (2, icons[1])]);
    assert_eq!(trade.mosts.known, [i64::MAX, 5, 5]);
    // 1; what gold there is for each icon; one more than is asked for, whatever the icon.
    assert_eq!(trade.amounts.known, [1, 0, 0, 0]);
    let unit = crate::table::Value::UNIT;
    assert_eq!(
        places(&trade.amounts),
        [(1, icons[0]), (2, icons[1]), (3, unit)]
    );
    assert_eq!(trade.goal.0, [0]);
    assert_eq!(places(&trade.goal.1), [(0, unit)]);
}

mod properties {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use crate::pack::tests::properties::mangled;

    use super::*;

    const TOY: &str = include_str!("../../pack/testdata/toy.toml");

    const SCRIPT: &str = "fn work(me) {
    let best = choose(me, decision::travel, node::inn, node::lake);
    me.coins += value(parameter::price, me);
    for place in nodes(graph::map) { earn(me, place); }
}

fn earn(me, place) {
    if place == node::hill { me.coins += 2; }
}
";

    /// What stands in a pack with something in it left out, doubled or replaced.
    fn draft(text: &'static str) -> impl Strategy<Value = String> {
        mangled(text, "[a-z0-9\\[\\](){}=\"'.,\n-]{0,4}", 0..3)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default() })]

        /// Scripts are looked at whatever is wrong with the data, and the other way round.
        #[test]
        fn nothing_makes_the_lowering_of_a_draft_panic(data in draft(TOY), script in draft(SCRIPT)) {
            looked_at(data, script);
        }
    }

    /// What is told of a pack.
    fn looked_at(data: String, script: String) -> String {
        let files = PackFiles {
            id: "toy".to_owned(),
            rules: vec![("rules/toy/toy.toml".to_owned(), data.into_bytes())],
            scripts: vec![("scripts/toy/toy.rhai".to_owned(), script.into_bytes())],
            ..PackFiles::default()
        };
        let draft = read_draft(&files, &Selection::default());
        let (_, sources, report) = lower_draft(draft);
        render(&report, &sources, Style::PLAIN)
    }

    #[test]
    fn an_exchange_of_what_a_broken_set_has_is_looked_at() {
        let data = TOY
            .replace("members = { star", "members = 3 # { star")
            .replace("rule.burn = { each = \"rune\", take", "rule.burn = { take");
        let told = looked_at(data, SCRIPT.to_owned());
        assert!(told.contains("toy.toml:14:"), "{told}");
    }
}
