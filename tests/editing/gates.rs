//! Gates of a real pack, edited under a running game: with a mistake, mended, and stepped through.

use super::{Project, says};

#[test]
fn a_gate_is_edited_broken_and_mended_under_a_running_game() {
    let airways = Project::with("airways");
    let gates = "scripts/airways/gates.rhai";
    let mut repl = airways.repl(&["airways", "--players", "3", "--seed", "1"]);
    for line in ["gate 5", "done", "green"] {
        repl.types(line);
    }
    airways.edit(gates, "gate_5_fuel, me));", "gate_5_fuel, me) + 1);");
    // The tank holds 7, and the die added one: at the end it is full both ways.
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  player_2.fuel: 6 -> 7",
    );
    airways.edit(gates, "gate_5_fuel, me) + 1", "gate_5_feul, me) + 1");
    says(
        &mut repl,
        "reload",
        "error[Y0341]: `parameter` has no `gate_5_feul`\n  \
           --> scripts/airways/gates.rhai:22:24\n   |\n\
         22 |     add_fuel(me, value(parameter::gate_5_feul, me) + 1);\n   \
            |                        ^^^^^^^^^^^^^^^^^^^^^^\n   |\n   \
            = help: did you mean `parameter::gate_5_fuel`?\n\
         the game goes on by the rules as they were",
    );
    airways.edit(gates, "gate_5_feul, me) + 1);", "gate_5_fuel, me));");
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\n\
         it comes out differently from decision 2 on:\n  player_2.fuel: 7 -> 6",
    );
}

/// A change of a gate that is not quite right: the property is misspelt.
const FREE: &str = "    add_fuel(me, value(parameter::gate_4_fuel, me));\n";
const PAID: &str = "    if me.mony > 0 {
        me.money -= 1;
        advance(me, dial::fuel, value(parameter::gate_4_fuel, me) + 1);
    }
";

#[test]
fn a_gate_is_rewritten_mended_and_stepped_through() {
    let airways = Project::with("airways");
    let gates = "scripts/airways/gates.rhai";
    let mut repl = airways.repl(&["airways", "--players", "3", "--seed", "1", "--width", "120"]);
    for line in ["gate 5", "done", "green"] {
        repl.types(line);
    }
    airways.edit(gates, FREE, PAID);
    says(
        &mut repl,
        "reload",
        "error[Y0312]: a player has no property `mony`\n  \
           --> scripts/airways/gates.rhai:17:11\n   |\n\
         17 |     if me.mony > 0 {\n   \
            |           ^^^^\n   |\n   \
            = help: did you mean `money`?\n\
         the game goes on by the rules as they were",
    );
    airways.edit(gates, "mony", "money");
    // Nobody has been at this gate yet.
    says(
        &mut repl,
        "reload",
        "with the files as they are now: 3 answers given again\nnothing comes out differently",
    );
    repl.types("break gate_adds_little_fuel");
    let here = "gate_adds_little_fuel < an effect in TOML < take_gate_action < boarding_turns";
    says(
        &mut repl,
        "gate 4",
        &format!(
            "breakpoint 1: gate_adds_little_fuel\n  \
               turn_track: [player_3.marker, player_1.marker] -> [player_1.marker]\n  \
               player_3.gate: nothing -> gate_4\n  \
               gate_4.markers: [] -> [player_3.marker]\n\
             scripts/airways/gates.rhai:17:5  {here}\n\
             17 |     if me.money > 0 {{\n   \
                |     ^^^^^^^^^^^^^^^\n    me = player_3"
        ),
    );
    says(
        &mut repl,
        "over",
        &format!(
            "scripts/airways/gates.rhai:18:9  {here}\n\
             18 |         me.money -= 1;\n   \
                |         ^^^^^^^^^^^^^\n    me = player_3"
        ),
    );
    // White has 2 dollars and 4 fuel, and gets one more than the parameter says.
    let said = repl.types("over");
    assert!(said.starts_with("  player_3.money: 2 -> 1\n"), "{said}");
    says(&mut repl, "eval value(parameter::gate_4_fuel, me)", "1");
    let said = repl.types("over");
    assert!(said.starts_with("  player_3.fuel: 4 -> 6\n"), "{said}");
    repl.types("back into");
    says(&mut repl, "eval [me.money, me.fuel]", "[1, 4]");
    let said = repl.types("continue");
    assert!(said.contains("White: Which gate? Gate 4\n"), "{said}");
    says(&mut repl, "eval [me.money, me.fuel]", "[1, 6]");
    // The same gate, free again: what came of it is told.
    airways.edit(gates, "        me.money -= 1;\n", "");
    let said = repl.types("reload");
    assert!(
        said.starts_with(
            "with the files as they are now: 4 answers given again\n\
             it comes out differently from decision 5 on:\n  player_3.money: 1 -> 2\n"
        ),
        "{said}"
    );
    // What was done to files is not for the game to take back: an answer is.
    let said = repl.types("undo");
    assert!(
        said.starts_with("took back: White: Which gate? Gate 4\n"),
        "{said}"
    );
    says(&mut repl, "eval [me.money, me.fuel]", "[2, 4]");
    // By the rules of now the gate gives 2 fuel for nothing.
    repl.types("break clear");
    repl.types("gate 4");
    says(&mut repl, "eval [me.money, me.fuel]", "[2, 6]");
}
