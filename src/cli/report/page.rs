//! The frame of a page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Origin;
use crate::cli::watch::is_stopped;

/// Colours, sizes and places: for light and dark, wide and narrow.
const STYLE: &str = include_str!("report.css");

/// A short fact at the top: what, and how much of it.
pub(super) struct Fact {
    pub(super) what: &'static str,
    pub(super) value: String,
    /// More about it.
    pub(super) note: String,
}

/// A part of a page.
pub(super) struct Section {
    /// What links point to.
    pub(super) id: String,
    pub(super) title: String,
    /// What is to be seen, in a sentence or two.
    pub(super) says: String,
    pub(super) body: Markup,
}

/// A whole page.
pub(super) fn page(origin: &Origin<'_>, lead: &str, facts: &[Fact], parts: &[Section]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (origin.title) ": " (lead) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (origin.title) }
                    p.lead { (lead) }
                    @if !origin.changes.is_empty() {
                        ul.changes { @for change in &origin.changes { li { b { (change.name) } " " (change.words) } } }
                    }
                    dl.facts {
                        @for fact in facts {
                            div {
                                dt { (fact.what) }
                                dd { (fact.value) @if !fact.note.is_empty() { small { (fact.note) } } }
                            }
                        }
                    }
                    @if parts.len() > 2 {
                        nav aria-label="Sections" {
                            @for part in parts {
                                a href=(format!("#{}", part.id)) { (part.title) }
                            }
                        }
                    }
                }
                main {
                    @for part in parts {
                        section id=(part.id) aria-labelledby=(format!("{}-title", part.id)) {
                            h2 id=(format!("{}-title", part.id)) { (part.title) }
                            @if !part.says.is_empty() { p.says { (part.says) } }
                            (part.body)
                        }
                    }
                }
                footer {
                    @if is_stopped() { p { b { "Stopped early: " } "this is what was played until then, not all that was asked for." } }
                    @match (is_stopped(), origin.by_time) {
                        (true, _) => { p { "Asked for: " code { (origin.command) } } }
                        (false, true) => {
                            p { "Made by: " code { (origin.command) } }
                            p { "Bots that go by time answer otherwise each time, so the numbers will differ." }
                        }
                        (false, false) => { p { "The same again: " code { (origin.command) } } }
                    }
                }
            }
        }
    };
    page.into_string()
}
