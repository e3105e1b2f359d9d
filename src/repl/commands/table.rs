//! The board, the question, the points.

use crate::diag::nearest;
use crate::flow::score::Score;
use crate::flow::scores;
use crate::repl::board::Panel;
use crate::repl::command::{Args, Candidates, Info, no_candidates};
use crate::repl::session::{Reply, Session};
use crate::repl::text::{Line, Paint, beside, render, width};
use crate::script::Scratch;
use crate::table::view::Viewer;

pub(super) const COMMANDS: &[Info] = &[
    Info {
        name: "board",
        arguments: "[PANEL] [--all]",
        about: "draw the board as the player to decide sees it",
        examples: &[
            (
                "board",
                "the whole board; * marks what changed since the last prompt",
            ),
            (
                "board map",
                "only the panel of this id or heading, or of its beginning",
            ),
            ("board --all", "nothing is hidden"),
        ],
        run: board,
        complete: |session, text| {
            let panels = session.view.panels.iter();
            Candidates::first(text, panels.map(|panel| panel.id.clone()).collect())
        },
    },
    Info {
        name: "options",
        arguments: "",
        about: "show the question again, with keys and with what is refused",
        examples: &[(
            "options",
            "the choices, their keys, and what cannot be chosen and why",
        )],
        run: |session, _| Reply::ok(session.question(true)),
        complete: no_candidates,
    },
    Info {
        name: "scores",
        arguments: "",
        about: "count the points as if the game ended now",
        examples: &[(
            "scores",
            "a line for each way to score, a column for each player",
        )],
        run: |session, _| match session.score_lines() {
            Ok(lines) => Reply::ok(render(&lines, session.look)),
            Err(fault) => Reply::failed(fault),
        },
        complete: no_candidates,
    },
];

fn board(session: &mut Session, args: &Args<'_>) -> Reply {
    let mut board = session.board_for(if args.all {
        Viewer::All
    } else {
        session.viewer()
    });
    if let Some(before) = &session.before {
        board = board.marked_since(before);
    }
    if args.words.is_empty() {
        return Reply::ok(render(&board.all(), session.look));
    }
    match session.panel(&args.words.join(" ")) {
        Ok(panel) => Reply::ok(render(&board.panel(panel), session.look)),
        Err(error) => Reply::failed(error),
    }
}

/// What a panel is called where its heading does not say it: its id, with its heading.
fn called(panel: &Panel) -> String {
    match panel.title.as_str() {
        "" => panel.id.clone(),
        title if title.to_lowercase() == panel.id => panel.id.clone(),
        title => format!("{} ({title})", panel.id),
    }
}

impl Session {
    /// The panel of an id or a heading, or of the beginning of one where that names one panel only.
    fn panel(&self, text: &str) -> Result<&Panel, String> {
        let wanted = text.to_lowercase();
        let panels = &self.view.panels;
        let names = |panel: &Panel| [panel.id.to_lowercase(), panel.title.to_lowercase()];
        let exact = panels.iter().find(|panel| names(panel).contains(&wanted));
        if let Some(panel) = exact {
            return Ok(panel);
        }
        let begins = |panel: &&Panel| names(panel).iter().any(|name| name.starts_with(&wanted));
        let begun: Vec<&Panel> = panels.iter().filter(begins).collect();
        if let [only] = begun[..] {
            return Ok(only);
        }
        let list = |panels: &[&Panel]| {
            let called: Vec<String> = panels.iter().map(|panel| called(panel)).collect();
            called.join(", ")
        };
        if !begun.is_empty() {
            return Err(format!("`{text}` could be {}", list(&begun)));
        }
        let known: Vec<String> = panels.iter().flat_map(names).collect();
        let known = known.iter().map(String::as_str);
        Err(
            match nearest(&wanted, known.filter(|name| !name.is_empty())) {
                Some(near) => format!("there is no panel `{text}`; did you mean `{near}`?"),
                None => {
                    let all: Vec<&Panel> = panels.iter().collect();
                    format!("there is no panel `{text}`; the panels are {}", list(&all))
                }
            },
        )
    }

    /// Who has won, and by what where points alone do not tell it.
    pub(in crate::repl) fn verdict(&self) -> Result<Line, String> {
        let rules = &self.game.rules;
        let all = scores(rules, &self.game.state, &mut Scratch::default())
            .map_err(|fault| self.fault(&fault))?;
        let words = self.words(self.viewer());
        let winners: Vec<&Score> = all.iter().filter(|score| score.place == 1).collect();
        let mut line = Line::plain("The game is over. ");
        for (at, winner) in winners.iter().enumerate() {
            line.push(
                match at {
                    0 => "",
                    at if at + 1 == winners.len() => " and ",
                    _ => ", ",
                },
                Paint::Plain,
            );
            line.append(words.player_with_key(winner.player));
        }
        let total = winners.first().map_or(0, |winner| winner.total);
        line.push(
            match winners.len() {
                1 if all.len() == 1 => format!(" has {total}."),
                1 => format!(" wins with {total}"),
                _ => format!(" share the win with {total} each."),
            },
            Paint::Plain,
        );
        if winners.len() == 1 && all.len() > 1 {
            let tie = parted(&all).map(|(at, own, other)| {
                let title = &rules.pack.scoring.ties[at].name.title;
                format!(" by the tie-break {title}: {own} to {other}")
            });
            line.push(format!("{}.", tie.unwrap_or_default()), Paint::Plain);
        }
        Ok(line)
    }

    /// A table of the points of all players.
    pub(in crate::repl) fn score_lines(&self) -> Result<Vec<Line>, String> {
        let rules = &self.game.rules;
        let all = scores(rules, &self.game.state, &mut Scratch::default())
            .map_err(|fault| self.fault(&fault))?;
        let scoring = &rules.pack.scoring;
        let words = self.words(self.viewer());
        let mut rows: Vec<Row> = Vec::new();
        for (at, term) in scoring.terms.iter().enumerate() {
            let points = all.iter().map(|score| score.terms[at]).collect();
            rows.push((term.name.title.clone(), points, false));
        }
        rows.push((
            "Total".to_owned(),
            all.iter().map(|score| score.total).collect(),
            true,
        ));
        for (at, tie) in scoring.ties.iter().enumerate() {
            let points = all.iter().map(|score| score.ties[at]).collect();
            rows.push((format!("Tie: {}", tie.name.title), points, false));
        }
        rows.push((
            "Place".to_owned(),
            all.iter().map(|score| i64::from(score.place)).collect(),
            true,
        ));
        let names: Vec<[Line; 2]> = all
            .iter()
            .map(|score| {
                let key = words.player_key(score.player).unwrap_or_default();
                [words.player(score.player), Line::of(key, Paint::Dim)]
            })
            .collect();
        let lines = side_by_side(&names, &rows);
        let fits = lines.iter().all(|line| line.width() <= self.look.width);
        Ok(match fits {
            true => lines,
            false => one_below_another(&names, &rows, self.look.width),
        })
    }
}

/// What is counted, for each player how much, and whether it stands out.
type Row = (String, Vec<i64>, bool);

fn paint(strong: bool) -> Paint {
    if strong { Paint::Bold } else { Paint::Plain }
}

/// A table of points with a column for each player.
fn side_by_side(names: &[[Line; 2]], rows: &[Row]) -> Vec<Line> {
    let first = rows.iter().map(|(title, ..)| width(title)).max();
    let first = first.unwrap_or(0);
    let widest = names.iter().flatten().map(Line::width).max();
    let column = widest.unwrap_or(0).max(5) + 2;
    let mut lines = Vec::new();
    for at in 0..2 {
        let mut head = Line::new();
        head.pad(first);
        for name in names {
            head.push(" ".repeat(column - name[at].width()), Paint::Plain);
            head.append(name[at].clone());
        }
        // Keys are left out where names say them.
        if at == 0 || names.iter().any(|name| !name[at].is_empty()) {
            lines.push(head);
        }
    }
    for (title, points, strong) in rows {
        let mut line = Line::of(title.clone(), paint(*strong));
        line.pad(first);
        for number in points {
            line.push(format!("{number:>column$}"), paint(*strong));
        }
        lines.push(line);
    }
    lines
}

/// The same where the columns do not fit: a block for each player.
fn one_below_another(names: &[[Line; 2]], rows: &[Row], columns: usize) -> Vec<Line> {
    let blocks = names.iter().enumerate().map(|(at, [name, key])| {
        let mut head = name.clone();
        if !key.is_empty() {
            head.push(" ", Paint::Plain);
            head.append(key.clone());
        }
        let mut block = vec![head];
        block.extend(rows.iter().map(|(title, points, strong)| {
            Line::of(format!("{:>4}  {title}", points[at]), paint(*strong))
        }));
        block
    });
    beside(blocks.collect(), 3, columns)
}

/// The tie-break that leaves one of those with the most points, with what the winner has of it and the most that
/// another has; nothing if nobody else has as many points.
fn parted(all: &[Score]) -> Option<(usize, i64, i64)> {
    let most = all.iter().map(|score| score.total).max()?;
    let mut rivals: Vec<&Score> = all.iter().filter(|score| score.total == most).collect();
    for at in 0..rivals.first()?.ties.len() {
        let best = rivals.iter().map(|score| score.ties[at]).max()?;
        let others = rivals.iter().filter(|score| score.ties[at] < best);
        let other = others.map(|score| score.ties[at]).max();
        rivals.retain(|score| score.ties[at] == best);
        if let (1, Some(other)) = (rivals.len(), other) {
            return Some((at, best, other));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ids::PlayerId;

    #[test]
    fn the_tie_break_that_decides_is_the_first_that_leaves_one() {
        #[track_caller]
        fn check(all: &[(i64, [i64; 2])], expected: Option<(usize, i64, i64)>) {
            let score = |(at, (total, ties)): (usize, &(i64, [i64; 2]))| Score {
                player: PlayerId(at as u8),
                terms: Vec::new(),
                total: *total,
                ties: ties.to_vec(),
                place: 0,
            };
            let all: Vec<Score> = all.iter().enumerate().map(score).collect();
            assert_eq!(parted(&all), expected);
        }
        // More points, or nothing that parts them.
        check(&[(9, [1, 1]), (8, [2, 2])], None);
        check(&[(9, [1, 1]), (9, [1, 1])], None);
        check(&[(9, [1, 7]), (9, [2, 1]), (3, [8, 8])], Some((0, 2, 1)));
        // The first drops one of three, the second parts the others.
        check(&[(9, [2, 7]), (9, [1, 9]), (9, [2, 5])], Some((1, 7, 5)));
    }
}
