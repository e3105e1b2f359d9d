//! Games that are recorded as scenarios hold when they are run: whole ones and begun ones, with answers taken back, given
//! again, and tables changed from outside.

mod kit;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kit::program;
use yukon::diag::{Report, Sources, Style, render};
use yukon::flow::decision::random;
use yukon::flow::{Game, Item, ItemValue, Setting, Setup};
use yukon::scenario::golden::{refusal, transcript};
use yukon::scenario::model::Chance;
use yukon::scenario::{Luck, Packs, Seen, Sight, Telling, from_game, play, read};
use yukon::script::Rules;
use yukon::script::machine::StartAt;
use yukon::table::chance::Draw;

fn rules() -> Arc<Rules> {
    Packs::new(".").load("airways").expect("no errors")
}

fn text(item: &str, value: ItemValue) -> Setting {
    Setting {
        item: item.to_owned(),
        value,
    }
}

fn answer(game: &mut Game, draw: &mut Draw) {
    let rules = Arc::clone(&game.rules);
    let given = random(&rules, &game.state, |bound| draw.below(bound)).expect("an answer");
    game.answer(&given).expect("it is accepted");
}

/// Looks at the question, at a refusal and at an item, all by chance.
fn look(game: &Game, draw: &mut Draw, sights: &mut Vec<Sight>) {
    let rules = &game.rules;
    if !game.is_over() && draw.below(2) == 0 {
        sights.push(Sight::of(game, Seen::Choices));
    }
    let refused: Vec<String> = game
        .notices
        .iter()
        .filter_map(|event| refusal(rules, &game.state, event))
        .map(|(key, _)| key)
        .collect();
    if !refused.is_empty() {
        let at = draw.below(refused.len() as u64) as usize;
        sights.push(Sight::of(game, Seen::Refused(refused[at].clone())));
    }
    let items: Vec<Item> = Item::all(rules.layout()).collect();
    for _ in 0..3 {
        let item = items[draw.below(items.len() as u64) as usize];
        let path = item.path(rules.layout(), &game.state.table);
        sights.push(Sight::of(game, Seen::Item(path.clone())));
        sights.push(Sight::of(game, Seen::Count(path)));
    }
}

/// Runs a recorded scenario: it holds, comes to the same state, and gives the same transcript.
#[track_caller]
fn check(game: &Game, text: &str) {
    let mut sources = Sources::new();
    let mut report = Report::new();
    let rules = rules();
    let scenario = read(
        "r.toml",
        text.as_bytes(),
        &mut sources,
        &mut report,
        &mut |_, _| Ok(Arc::clone(&rules)),
    );
    let Some(scenario) = scenario else {
        panic!("{}\n{text}", render(&report, &sources, Style::PLAIN));
    };
    let title = scenario.title.clone();
    let played = play(&Arc::new(scenario));
    let failures: Vec<String> = played
        .failures
        .iter()
        .map(|failure| format!("{}: {}", sources.place(failure.span), failure.message))
        .collect();
    assert!(failures.is_empty(), "{}\n{text}", failures.join("\n"));
    let again = played.game.expect("a game");
    assert_eq!(again.state, game.state);
    assert_eq!(transcript(&title, &again), transcript(&title, game));
}

#[track_caller]
fn check_both(game: &Game, sights: &[Sight]) {
    for luck in [Luck::Seed(&Chance::default()), Luck::Happened] {
        let telling = Telling {
            game,
            title: "Recorded",
            luck,
            sights,
        };
        check(game, &telling.scenario());
    }
    check(game, &from_game(game, "Recorded"));
}

/// A session by chance: answers, some taken back and given again or otherwise, some changes from outside.
fn session(mut game: Game, seed: u64, most: usize) -> usize {
    let mut draw = Draw::at(seed, 11, 0, 0);
    let mut sights = Vec::new();
    let mut checked = 0;
    let mut given = 0;
    while given < most {
        look(&game, &mut draw, &mut sights);
        match draw.below(12) {
            0 => {
                game.undo();
            }
            1 => {
                game.redo().expect("it was accepted before");
            }
            2 if !game.is_over() => {
                // What was offered must stay affordable: it stays as it was asked.
                let value = ItemValue::Int(50 + draw.below(9) as i64);
                game.intervene(&[text("player_1.money", value)])
                    .expect("it can be so");
            }
            3 if checked < 1 && given > 8 => {
                check_both(&game, &sights);
                checked += 1;
            }
            _ if game.is_over() => break,
            _ => {
                answer(&mut game, &mut draw);
                given += 1;
            }
        }
    }
    check_both(&game, &sights);
    checked + 1
}

#[test]
fn what_is_recorded_holds() {
    let rules = rules();
    let mut checked = 0;
    for (players, seed) in [(2, 1), (4, 3), (3, 4)] {
        let setup = Setup {
            players,
            seed,
            start: None,
        };
        let game = Game::start(Arc::clone(&rules), setup, None, None).expect("a game");
        checked += session(game, seed, 20);
    }
    assert!(checked > 3, "{checked}");
}

#[test]
fn a_whole_game_holds() {
    let setup = Setup {
        players: 2,
        seed: 20,
        start: None,
    };
    let mut game = Game::start(rules(), setup, None, None).expect("a game");
    let mut draw = Draw::at(20, 11, 0, 0);
    while !game.is_over() {
        answer(&mut game, &mut draw);
    }
    check(&game, &from_game(&game, "Recorded"));
}

#[test]
fn games_that_start_elsewhere_hold() {
    let rules = rules();
    let block = yukon::flow::record::find_block(&rules, "flight").expect("a block");
    for (seed, block) in [(5, None), (6, Some(block))] {
        let setup = Setup {
            players: 2,
            seed,
            start: Some(StartAt { block, round: 2 }),
        };
        let settings = [
            text("player_1.money", ItemValue::Int(5)),
            text(
                "player_1.hand",
                ItemValue::List(vec![
                    "inuvik_barrel".to_owned(),
                    "skagway_dollar".to_owned(),
                ]),
            ),
        ];
        let game = Game::arranged(Arc::clone(&rules), setup, &settings, None).expect("a game");
        session(game, seed, 20);
    }
}

/// A project of its own with the packs of the binary.
struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("scenarios/airways")).expect("made");
        Self(root)
    }

    fn path(&self, file: &str) -> std::path::PathBuf {
        self.0.path().join(file)
    }

    fn yukon(&self, args: &[&str], lines: &str) -> (i32, String, String) {
        let mut command = program();
        command.args(args).current_dir(self.0.path());
        let output = assert_cmd::Command::from_std(command)
            .write_stdin(lines)
            .output()
            .expect("yukon runs");
        (
            output.status.code().unwrap_or(-1),
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    }
}

#[test]
fn a_session_is_recorded_and_run_as_a_test() {
    let project = Project::new();
    let lines = "1\nbot 6\nundo 3\nbot 2\nwhy not inuvik\nstate player_1.money\nset player_1.money 7\nbot\n\
                 record short_day\nrecord short_day\n";
    let args = ["repl", "airways", "--players", "2", "--seed", "5"];
    let (_, out, err) = project.yukon(&args, lines);
    assert!(
        out.contains("recorded scenarios/airways/short_day.toml"),
        "{out}{err}"
    );
    let text = fs::read_to_string(project.path("scenarios/airways/short_day.toml")).expect("it");
    assert!(
        text.starts_with("format = 1\ntitle = \"Short day\"\npack = \"airways\"\n"),
        "{text}"
    );
    assert!(
        text.contains("\n# Round 1, boarding\n\n[[play]]\nplayer_"),
        "{text}"
    );
    // What was looked at is expected; what was offered only where that is wanted.
    assert!(text.contains("expect = { \"player_1.money\""), "{text}");
    assert!(!text.contains("choices"), "{text}");
    assert!(text.contains("set = { \"player_1.money\" = 7 }"), "{text}");
    assert!(!project.path("scenarios/airways/short_day.golden").exists());
    let (code, _, err) = project.yukon(&["test"], "");
    assert_eq!(code, 1);
    assert!(err.contains("there is no golden"), "{err}");
    assert_eq!(project.yukon(&["test", "--bless", "--yes"], "").0, 0);
    assert_eq!(project.yukon(&["test"], "").0, 0);
    let strict = lines.replace("record short_day", "record strict_day --choices");
    let (_, out, err) = project.yukon(&args, &strict);
    assert!(
        out.contains("recorded scenarios/airways/strict_day.toml"),
        "{out}{err}"
    );
    let text = fs::read_to_string(project.path("scenarios/airways/strict_day.toml")).expect("it");
    assert!(text.contains("choices = [\"gate_1\""), "{text}");
    assert_eq!(project.yukon(&["test", "--bless", "--yes"], "").0, 0);
    assert_eq!(project.yukon(&["test"], "").0, 0);
}

#[test]
fn a_scenario_is_opened_played_and_recorded_otherwise() {
    let project = Project::new();
    let name = "scenarios/airways/gate_6_sells_an_improvement.toml";
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = fs::read_to_string(source).expect("a scenario");
    fs::write(project.path(name), &text).expect("written");
    let (code, out, err) = project.yukon(&["repl", name], "next end\n");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("The scenario's next, 1 of"), "{out}");
    assert!(out.contains("all that it expects holds"), "{out}");
    assert!(out.contains("There is no golden yet: "), "{out}");
    assert_eq!(project.yukon(&["test", name, "--bless", "--yes"], "").0, 0);
    let (code, out, err) = project.yukon(&["repl", name], "next end\nexpected\n");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(out.matches("The golden is the same.\n").count(), 2, "{out}");
    // Where it differs, `yukon test` fails, and so does the end of the scenario here.
    let golden = project.path(&name.replace(".toml", ".golden"));
    let same = fs::read_to_string(&golden).expect("a golden");
    let (before, last) = same.trim_end().rsplit_once('\n').expect("lines");
    fs::write(&golden, format!("{before}\n{last} not\n")).expect("written");
    let (code, _, err) = project.yukon(&["repl", name], "next end\n");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("its golden differs at decision "), "{err}");
    fs::write(&golden, same).expect("written");

    // As far as it was played it is kept, with its comments; then the game goes another way.
    let (code, out, err) = project.yukon(
        &["repl", name],
        "next\nbot 3\nexpected\nrecord other\nundo 3\nnext\n",
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let other = fs::read_to_string(project.path("scenarios/airways/other.toml")).expect("it");
    let kept = text
        .split("[[play]]")
        .take(2)
        .collect::<Vec<_>>()
        .join("[[play]]");
    assert!(other.starts_with(kept.trim_end()), "{other}");
    let (code, out, err) = project.yukon(&["test", "airways/other.toml", "--bless", "--yes"], "");
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(project.yukon(&["test", "airways/other.toml"], "").0, 0);

    // Somebody else's file is not written over.
    let (code, _, err) = project.yukon(&["repl", "airways", "--seed", "1"], "1\nrecord other\n");
    assert_eq!(code, 1);
    assert!(err.contains("is there already"), "{err}");
    assert_eq!(
        project
            .yukon(
                &["repl", "airways", "--seed", "1"],
                "1\nrecord other --replace\n"
            )
            .0,
        0
    );
}

#[test]
fn what_does_not_hold_is_told_and_the_scenario_goes_on() {
    let project = Project::new();
    let name = "scenarios/airways/gate_2_draws_a_ticket.toml";
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = fs::read_to_string(source).expect("a scenario");
    let wrong = text.replacen(
        "player_1.gate = \"gate_2\"",
        "player_1.gate = \"gate_2\"\nnot_offered = [\"gate_2\"]",
        1,
    );
    assert_ne!(wrong, text);
    fs::write(project.path(name), wrong).expect("written");
    let (code, out, err) = project.yukon(&["repl", name], "next\nnext end\n");
    assert_eq!(code, 1, "{out}");
    assert!(err.contains("`gate_2` is offered"), "{err}");
    assert!(out.contains("all that it expects holds"), "{out}");
    let (code, _, err) = project.yukon(&["repl", "scenarios/airways/none.toml"], "");
    assert_eq!(code, 1);
    assert!(err.contains("there is no scenario or folder"), "{err}");
    let (code, _, err) = project.yukon(&["repl", &format!("{name}:99")], "");
    assert_eq!(code, 0);
    assert!(err.contains("does not come to decision 99"), "{err}");
    assert_eq!(project.yukon(&["repl", "airways", "--at", "3"], "").0, 1);
}

#[test]
fn what_people_wrote_about_a_scenario_stays_when_it_is_recorded_anew() {
    let project = Project::new();
    let file = project.path("scenarios/airways/mine.toml");
    let record = |more: &str| {
        let lines = format!("1\nrecord mine{more}\n");
        let (code, out, err) = project.yukon(&["repl", "airways", "--seed", "1"], &lines);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        fs::read_to_string(&file).expect("it is written")
    };
    let first = record(" The first gate");
    assert!(first.contains("title = \"The first gate\"\n"), "{first}");
    let edited =
        format!("# Why it matters.\n{first}").replace("clauses = []", "clauses = [\"a.b\"]");
    fs::write(&file, &edited).expect("written");
    assert_eq!(record(" --replace"), edited);
    let other = record(" Another --replace");
    assert_eq!(other, edited.replace("The first gate", "Another"));
}
