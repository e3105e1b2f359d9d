//! Boards of a small pack, drawn.

use std::sync::Arc;

use super::{Board, View};
use crate::diag::{Report, Style, render};
use crate::flow::{Game, Setup};
use crate::pack::{PackFiles, read};
use crate::repl::text::{self, Look};
use crate::script::{Rules, lower};
use crate::table::ids::PlayerId;
use crate::table::view::Viewer;

const RULES: &str = "
[game]
title = 'Market'
players = [2, 3]
flow = 'main'
player_titles = ['Ann', 'Bob', 'Cid']

[flow.main]
do = ['deal', 'trading']

[flow.trading]
do = ['trade']
each = 'players()'
scope = 'turn'

[graph.road]
attributes = { toll = 'int' }
edges = [{ between = ['inn', 'mill'], cost = 3 }, { between = ['inn', 'pond'], cost = 12 }]
[graph.road.nodes]
inn = { title = 'Inn', at = [10, 10] }
mill = { title = 'Mill', at = [90, 20], toll = 4 }
pond = { title = 'Pond', at = [50, 90] }

[set.hue]
members = { red = { title = 'Red' }, green = { title = 'Green' } }

[kind.gem]
attributes = { hue = 'hue' }
start = 'bag'
key = '{hue}'
piece_title = '{hue} gem'
generate = [{ each = ['hue'], copies = 3 }]

[zone.bag]
holds = 'gem'
visible = 'nobody'
[zone.hand]
per = ['player']
holds = 'gem'
visible = 'owner'
[zone.field]
per = ['road']
holds = 'gem'

[counter.coins]
per = ['player']
start = 2
[dial.mood]
per = ['player']
faces = [0, 5, 10]
start = 5
[toggle.open]
per = ['player']

[decision.where]
prompt = 'Where?'
of = 'road'
";

const SCRIPT: &str = "
fn deal() {
    for player in players() {
        draw(table.bag, player.hand, 1);
    }
    for place in members(graph::road) {
        draw(table.bag, place.field, 1);
    }
}
fn trade(me) {
    let place = choose(decision::where, me, members(graph::road));
    put_all(me.hand, place.field);
}
";

const VIEW: &str = "
[panel.map]
title = 'Road'
order = 1
kind = 'map'
graph = 'road'
show = [[{ attribute = 'toll', sparse = true }], [{ zone = 'field', title = '', as = 'short' }]]
[panel.fields]
title = 'Fields'
order = 2
kind = 'grid'
each = 'road'
show = [{ zone = 'field', title = 'Gems' }, { attribute = 'toll', title = 'Toll', sparse = true }]
[panel.people]
title = 'People'
order = 3
kind = 'cards'
each = 'player'
show = [[{ counter = 'coins', before = '$' }, { zone = 'hand' }], [{ dial = 'mood' }], [{ toggle = 'open' }]]
[panel.yours]
title = ''
order = 4
kind = 'list'
show = [[{ zone = 'hand', title = 'You hold' }]]
[piece.gem]
short = '{hue:1}'
paint = 'hue'
hidden = 'a gem'
[paint]
red = 'red'
";

fn files(view: &str) -> PackFiles {
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    PackFiles {
        id: "market".to_owned(),
        rules: vec![
            file("rules/market/game.toml", RULES),
            file("rules/market/view.toml", view),
        ],
        scripts: vec![file("scripts/market/market.rhai", SCRIPT)],
        ..PackFiles::default()
    }
}

fn load(view: &str) -> (Rules, Result<View, String>) {
    let (pack, sources, mut report) = read(&files(view));
    let rules = pack.and_then(|pack| lower(pack, &mut report));
    let text = render(&report, &sources, Style::PLAIN);
    assert!(!report.has_errors(), "{text}");
    let rules = rules.expect("no errors");
    let view =
        View::read(&rules.pack).map_err(|report: Report| render(&report, &sources, Style::PLAIN));
    (rules, view)
}

/// The files of a small pack.
pub(in crate::repl) fn market_files() -> PackFiles {
    files(VIEW)
}

/// The board of a new game, as the first player sees it.
pub(in crate::repl) fn market() -> (Arc<Rules>, View) {
    let (rules, view) = load(VIEW);
    (
        Arc::new(rules),
        view.unwrap_or_else(|text| panic!("{text}")),
    )
}

#[track_caller]
fn check(viewer: Viewer, look: Look, expected: &str) {
    let (rules, view) = market();
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let game = Game::start(Arc::clone(&rules), setup, None, None).expect("a game");
    let board = Board::new(&rules, &game.state, &view, viewer, look);
    let drawn = text::render(&board.all(), look);
    assert_eq!(drawn, expected, "{drawn}");
}

#[test]
fn a_board_is_drawn_for_a_player() {
    check(
        Viewer::Player(PlayerId(0)),
        Look::default(),
        include_str!("testdata/player.txt"),
    );
}

#[test]
fn a_board_is_drawn_where_it_is_narrow_and_ascii() {
    let look = Look {
        unicode: false,
        width: 40,
        ..Look::default()
    };
    check(Viewer::All, look, include_str!("testdata/narrow.txt"));
}

#[test]
fn a_board_fits_where_it_is_very_narrow() {
    let (rules, view) = market();
    let setup = Setup {
        players: 2,
        seed: 1,
        start: None,
    };
    let game = Game::start(Arc::clone(&rules), setup, None, None).expect("a game");
    for width in 20..=62 {
        let look = Look {
            width,
            ..Look::default()
        };
        let board = Board::new(&rules, &game.state, &view, Viewer::All, look);
        let drawn = text::render(&board.all(), look);
        for line in drawn.lines() {
            assert!(text::width(line) <= width, "{width}: {line}");
        }
        // Nothing is cut off: the last words of the longest lines are there.
        for word in ["Pond", "0[5]10", "Ann Red gem", "Bob Red gem"] {
            let folded = drawn.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(folded.contains(word), "{width}: {word}\n{drawn}");
        }
    }
}

#[track_caller]
fn refused(from: &str, to: &str, expected: &[&str]) {
    assert!(VIEW.contains(from));
    let (_, view) = load(&VIEW.replacen(from, to, 1));
    let text = view.expect_err(to);
    for part in expected {
        assert!(text.contains(part), "`{part}` in\n{text}");
    }
}

#[test]
fn what_a_view_names_must_exist() {
    refused(
        "graph = 'road'",
        "graph = 'raod'",
        &["view.toml:6:9", "`road`"],
    );
    refused(
        "counter = 'coins'",
        "counter = 'coin'",
        &["no counter `coin`", "`coins`"],
    );
    refused(
        "zone = 'hand' }]",
        "zone = 'hnad' }]",
        &["no zone `hnad`", "`hand`"],
    );
    refused(
        "each = 'player'",
        "each = 'hueue'",
        &["no graph, set, kind or group"],
    );
    refused("[piece.gem]", "[piece.gen]", &["no kind `gen`", "`gem`"]);
    refused("red = 'red'", "red = 'rod'", &["cannot be `rod`", "`red`"]);
    refused("red = 'red'", "rod = 'red'", &["`rod`", "`red`"]);
    refused(
        "attribute = 'toll', sparse",
        "attribute = 'tool', sparse",
        &["`toll`"],
    );
    refused("{hue:1}", "{hue:x}", &["no number of letters"]);
    refused("{hue:1}", "{hue", &["not closed"]);
}

#[test]
fn keys_and_kinds_must_fit() {
    refused("order = 1", "odrer = 1", &["no key `odrer`", "`order`"]);
    refused("kind = 'grid'", "kind = 'gird'", &["`grid`"]);
    refused("graph = 'road'", "each = 'road'", &["`graph`"]);
    refused("each = 'player'", "graph = 'road'", &["`each`"]);
    refused(
        "{ dial = 'mood' }",
        "{ dial = 'mood', zone = 'hand' }",
        &["exactly one"],
    );
    refused("{ dial = 'mood' }", "{ title = 'x' }", &["exactly one"]);
}
