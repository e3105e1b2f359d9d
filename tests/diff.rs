//! `yukon diff`: what variants change, in words. Each run plays all scenarios of a pack twice.

mod kit;

use kit::program;

/// Exit status, standard output, standard error.
fn output(args: &[&str]) -> (i32, String, String) {
    let output = program()
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("yukon runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_diff_tells_what_a_variant_changes_and_which_scenarios_part() {
    let (code, told, _) = output(&["diff", "airways", "wild-two"]);
    assert_eq!(code, 0);
    assert!(
        told.contains(
            "parameter `wild_ticket_cost` 3 -> 2  (rules/airways/variants/wild-two.toml:8)"
        ),
        "{told}"
    );
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(
            "refused with \"no ticket for it, and needs 2 cards face down; 1 in hand\", not \"no ticket for it, and needs 3 cards face down; 1 in hand\": cinnamon_strip"
        ),
        "{told}"
    );
    // Switch 6 makes two cards do as well: it is worth nothing now.
    assert!(
        words.contains("changed further by switch_6: set value(parameter::two_face_down_cost)")
            && words.contains("where two_face_down_cost is 2"),
        "{told}"
    );
    let (_, told, _) = output(&["diff", "airways", "fuel-auction"]);
    assert!(
        told.contains("phase `auction` added before `boarding` in block `week`"),
        "{told}"
    );
    assert!(told.contains("function `award_fuel` added"), "{told}");
    let (_, told, _) = output(&["diff", "airways", "gate-seven"]);
    assert!(
        told.contains("function `move_die` wrapped")
            && told.contains("the pack's own still runs, called as `base`:"),
        "{told}"
    );
    assert!(
        told.contains("graph `gates` nodes: `gate_7` added"),
        "{told}"
    );

    assert!(
        told.contains("zone `dice`, zone `markers`: with gate_7"),
        "{told}"
    );

    let (code, told, _) = output(&["diff", "airways", "big-tank", "--format", "json"]);
    assert_eq!(code, 0);
    let found: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let parted = found["scenarios"]["different"].as_array().expect("a list");
    let fuel = parted
        .iter()
        .find(|parted| parted["scenario"] == "gate_5_fills_the_tank_to_7");
    let fuel = fuel.expect("the tank is larger");
    assert_eq!(fuel["decision"], serde_json::json!([3, "player_1.board"]));
    assert_eq!(
        fuel["old"],
        "  said     Yellow: the tank is full, 5 fuel lost"
    );
    assert_eq!(
        fuel["new"],
        "  said     Yellow: the tank is full, 3 fuel lost"
    );
    assert_eq!(
        fuel["words"],
        // 12 fuel in a tank for 9 leave 3, in one for 7 they leave 5.
        serde_json::json!([
            "`player_1.fuel` goes 6 -> 9, not 6 -> 7",
            "said: Yellow: the tank is full, 3 fuel lost, not Yellow: the tank is full, 5 fuel lost"
        ])
    );
    let groups = found["scenarios"]["groups"].as_array().expect("a list");
    assert_eq!(groups[0]["kind"], "`fuel` comes out otherwise");
    let all: usize = groups
        .iter()
        .map(|group| group["scenarios"].as_array().expect("a list").len())
        .sum();
    assert_eq!(all, parted.len());

    let (code, _, err) = output(&["diff", "airways"]);
    assert!(code == 1 && err.contains("which variant?"), "{err}");
}

#[test]
fn a_diff_tells_what_follows_without_being_written() {
    // Two edges and a node: tickets are made for each destination and icon, and cubes lie at each destination.
    let (_, told, _) = output(&["diff", "airways", "new-strip"]);
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "set `destination`: with mayo",
        "kind `ticket`, 6 more in `deck`: with mayo_barrel x2, mayo_dollar x2, mayo_wrench x2",
        "zone `cubes`, zone `planes`, counter `visited_today`: with mayo",
        "now moved cube_bag -> mayo.cubes: red x2",
        "now offered: mayo",
    ] {
        assert!(words.contains(expected), "{expected}: {told}");
    }
}

#[test]
fn each_diff_of_a_variant_names_its_groups_within_80_columns() {
    let groups = [
        ("airways", "big-tank", "`fuel` comes out otherwise"),
        (
            "airways",
            "draft-objectives",
            "`objective` is asked, where it was: `gate` is asked",
        ),
        (
            "airways",
            "fuel-auction",
            "`bid` is asked, where it was: `gate` is asked",
        ),
        ("airways", "gate-seven", "more is offered at `gate`"),
        (
            "airways",
            "snake-boarding",
            "`boardings` comes out otherwise",
        ),
        (
            "airways",
            "wild-two",
            "`needs_tickets` refuses with other numbers at `flight`",
        ),
        (
            "salon",
            "apprentice",
            "other choices are offered at `next_action`",
        ),
        ("salon", "costly-claims", "less is offered at `failed_roll`"),
        ("salon", "lobby-five", "more is offered at `next_action`"),
        ("salon", "no-claims", "less is offered at `failed_roll`"),
        (
            "salon",
            "three-actions",
            "`next_action` is asked of somebody else",
        ),
    ];
    for (pack, variant, group) in groups {
        let (code, told, err) = output(&["diff", pack, variant]);
        assert_eq!((code, err.as_str()), (0, ""));
        let heads = told.lines().filter_map(|line| line.strip_prefix("  "));
        let mut heads = heads.filter_map(|line| line.split_once(": "));
        assert!(
            heads.any(|(many, kind)| many.parse::<u32>().is_ok() && kind == group),
            "{group}: {told}"
        );
        for line in told.lines() {
            assert!(line.chars().count() <= 80, "{variant}: {line}");
        }
    }
}

#[test]
fn a_diff_with_all_tells_each_scenario() {
    let (_, told, _) = output(&["diff", "salon", "no-claims", "--all"]);
    let (head, list) = told
        .split_once("Scenarios that come out differently: ")
        .expect("scenarios");
    assert!(head.contains("parameter `claim_rounds` 1 -> 0"), "{head}");
    let many: usize = list
        .split(' ')
        .next()
        .and_then(|many| many.parse().ok())
        .expect("a number");
    let each = list
        .lines()
        .filter(|line| line.starts_with("      at "))
        .count();
    assert_eq!(each, many);
    assert!(!list.contains("more there"), "{list}");
}
