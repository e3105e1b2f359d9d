//! The board, the question, the points.

use crate::diag::nearest;
use crate::flow::scores;
use crate::repl::command::{Args, Candidates, Info, no_candidates};
use crate::repl::session::{Reply, Session};
use crate::repl::text::{Line, Paint, render, width};
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
            ("board map", "only the panel `map`, if the game has one"),
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
    let Some(id) = args.words.first() else {
        return Reply::ok(render(&board.all(), session.look));
    };
    match session.view.panels.iter().find(|panel| panel.id == *id) {
        Some(panel) => Reply::ok(render(&board.panel(panel), session.look)),
        None => {
            let ids = || session.view.panels.iter().map(|panel| panel.id.as_str());
            Reply::failed(match nearest(id, ids()) {
                Some(near) => format!("there is no panel `{id}`; did you mean `{near}`?"),
                None => format!(
                    "there is no panel `{id}`; the panels are {}",
                    ids().collect::<Vec<_>>().join(", ")
                ),
            })
        }
    }
}

impl Session {
    /// A table of the points of all players.
    pub(in crate::repl) fn score_lines(&self) -> Result<Vec<Line>, String> {
        let rules = &self.game.rules;
        let all = scores(rules, &self.game.state, &mut Scratch::default())
            .map_err(|fault| self.fault(&fault))?;
        let scoring = &rules.pack.scoring;
        let words = self.words(self.viewer());
        let mut rows: Vec<(String, Vec<i64>, bool)> = Vec::new();
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
        let first = rows
            .iter()
            .map(|(title, _, _)| width(title))
            .max()
            .unwrap_or(0);
        let names: Vec<Line> = all.iter().map(|score| words.player(score.player)).collect();
        let column = names.iter().map(Line::width).max().unwrap_or(0).max(5) + 2;
        let mut head = Line::new();
        head.pad(first);
        for name in &names {
            head.push(" ".repeat(column - name.width()), Paint::Plain);
            head.append(name.clone());
        }
        let mut lines = vec![head];
        for (title, points, strong) in rows {
            let paint = if strong { Paint::Bold } else { Paint::Plain };
            let mut line = Line::of(title, paint);
            line.pad(first);
            for number in points {
                line.push(format!("{number:>column$}"), paint);
            }
            lines.push(line);
        }
        Ok(lines)
    }
}
