//! What the numbers of an exchange become.

use crate::diag::{Style, render};
use crate::pack::{PackFiles, read};
use crate::script::Rules;

use super::lower;

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
    assert_eq!(render(&report, &sources, Style::Plain), "");
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
    let unit = crate::table::Value::Unit;
    assert_eq!(
        places(&trade.amounts),
        [(1, icons[0]), (2, icons[1]), (3, unit)]
    );
    assert_eq!(trade.goal.0, [0]);
    assert_eq!(places(&trade.goal.1), [(0, unit)]);
}
