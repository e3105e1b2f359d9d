//! Bots that answer instead of whoever types.

use crate::repl::command::{Args, Candidates, Info};
use crate::repl::session::{MOST_ANSWERS, Reply, Session};

/// Answers that are told one by one at most: a whole game would fill the screen many times.
const MOST_TOLD: usize = 10;

pub(super) const COMMANDS: &[Info] = &[Info {
    name: "bot",
    arguments: "[N | all]",
    about: "let a bot answer at random, once, N times or to the end",
    examples: &[
        ("bot", "this decision"),
        ("bot 10", "ten decisions"),
        ("bot all", "the rest of the game"),
    ],
    run: |session, args| session.bot(args),
    complete: |_, text| Candidates::first(text, vec!["all".to_owned()]),
}];

impl Session {
    fn bot(&mut self, args: &Args<'_>) -> Reply {
        if self.game.is_over() {
            return Reply::failed("the game is over: nothing is asked");
        }
        let all = args.words.first() == Some(&"all");
        let times = match all {
            true => MOST_ANSWERS,
            false => match args.number(1) {
                Ok(times) => times.min(MOST_ANSWERS),
                Err(error) => return Reply::failed(error),
            },
        };
        let begun = self.game.history.len();
        let mut given = 0;
        let mut trouble = None;
        while given < times && !self.game.is_over() {
            if let Err(error) = self.answer_at_random() {
                trouble = Some(error);
                break;
            }
            given += 1;
        }
        if trouble.is_none() && !self.game.is_over() {
            trouble = match all {
                true => Some("the bot gave too many answers: is there an end?".to_owned()),
                false => self.play_bots().err(),
            };
        }
        let mut text = String::new();
        if given > MOST_TOLD {
            // A whole game would fill the screen many times: `log` has it.
            let count = self.game.history.len() - begun;
            text.push_str(&format!(
                "{count} decisions were answered; `log` tells them\n"
            ));
            self.told = self.game.history.len();
        } else {
            text.push_str(&self.news());
        }
        text.push_str(&self.question(false));
        Reply {
            text,
            error: trouble,
            quit: false,
        }
    }
}
