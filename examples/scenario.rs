//! For those who write scenarios: `run [--bless] [PATH]...` runs them, `random PACK PLAYERS SEED TITLE` prints one
//! that plays a random game.

use std::path::PathBuf;
use std::process::ExitCode;

use yukon::flow::decision::random;
use yukon::flow::{Game, Setup};
use yukon::scenario::runner::Packs;
use yukon::scenario::{Options, from_game, report};
use yukon::table::chance::Draw;

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("run") => {
            let bless = args.iter().any(|arg| arg == "--bless");
            args.retain(|arg| arg != "--bless");
            let mut paths: Vec<PathBuf> = args.iter().skip(1).map(PathBuf::from).collect();
            if paths.is_empty() {
                paths.push(PathBuf::from("scenarios"));
            }
            let options = Options {
                bless,
                threads: 2,
                ..Options::default()
            };
            let done = report(
                &paths,
                &options,
                &mut std::io::stdout(),
                &mut std::io::stderr(),
            );
            match done {
                Ok(Some(report)) if report.failed() == 0 => ExitCode::SUCCESS,
                Ok(_) => ExitCode::FAILURE,
                Err(error) => {
                    eprintln!("{error}");
                    ExitCode::FAILURE
                }
            }
        }
        Some("random") if args.len() == 5 => match play(&args) {
            Ok(text) => {
                print!("{text}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("run [--bless] [PATH]... | random PACK PLAYERS SEED TITLE");
            ExitCode::FAILURE
        }
    }
}

fn play(args: &[String]) -> Result<String, String> {
    let number = |text: &String| text.parse::<u64>().map_err(|error| error.to_string());
    let (players, seed) = (number(&args[2])? as u8, number(&args[3])?);
    let rules = Packs::new(".").load(&args[1])?;
    let setup = Setup {
        players,
        seed,
        start: None,
    };
    let mut game =
        Game::start(rules.clone(), setup, None, None).map_err(|error| error.to_string())?;
    let mut nth = 0;
    while !game.is_over() {
        let mut draw = Draw::at(seed, 1, 2, nth);
        nth += 1;
        let answer =
            random(&rules, &game.state, |bound| draw.below(bound)).ok_or("no answer was found")?;
        game.answer(&answer).map_err(|error| error.to_string())?;
    }
    Ok(from_game(&game, &args[4]))
}
