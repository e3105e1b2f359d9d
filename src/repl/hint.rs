//! What is shown behind a line while it is typed: what a choice is and does, what a command takes.

use crate::flow::Answer;
use crate::table::event::hint;

use super::command;
use super::session::Session;

impl Session {
    /// A hint behind a line, if it names one choice or a command.
    pub fn hint(&self, line: &str) -> Option<String> {
        if line.trim().is_empty() {
            return None;
        }
        self.hint_for_answer(line)
            .or_else(|| self.hint_for_command(line))
    }

    fn hint_for_answer(&self, line: &str) -> Option<String> {
        let decision = self.game.decision()?;
        let offers = match self.read_answer(&decision, line).ok()? {
            Answer::One(offer) => vec![offer],
            Answer::Some(offers) => offers,
            Answer::Number(_) | Answer::Confirm(_) | Answer::Texts(_) => return None,
        };
        let typed = line.trim().to_lowercase();
        let mut texts = Vec::new();
        for offer in offers {
            let choice = decision
                .choices
                .iter()
                .find(|choice| choice.offer == offer)?;
            let said = hint(&self.game.notices, offer);
            match said {
                Some(said) => texts.push(format!("{} ({said})", choice.label)),
                None => texts.push(choice.label.clone()),
            }
        }
        let text = texts.join(", ");
        (text.to_lowercase() != typed && !text.is_empty()).then(|| format!("  {text}"))
    }

    fn hint_for_command(&self, line: &str) -> Option<String> {
        let typed = line.trim_start();
        let info = match typed.split_once(char::is_whitespace) {
            None => command::exact(typed).or_else(|| self.command_meant(typed)),
            Some((name, rest)) if rest.trim().is_empty() => self.command_meant(name),
            Some(_) => None,
        }?;
        let name = match info.name == typed.trim_end() {
            true => String::new(),
            false => format!("{}: ", info.name),
        };
        let takes = match info.arguments {
            "" => String::new(),
            arguments => format!("{arguments}  "),
        };
        Some(format!("  {name}{takes}{}", info.about))
    }
}
