//! Pages of results: whole, readable without a network, and, where there is a browser, drawn by one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin_cmd;
use roxmltree::{Document, Node, ParsingOptions};

/// The pages, each with the command that makes it and headings that it has.
const PAGES: &[(&str, &[&str], &[&str])] = &[
    (
        "sim",
        &[
            "sim",
            "airways",
            "--players",
            "3",
            "--games",
            "12",
            "--bots",
            "greedy,random,random",
        ],
        &[
            "Scores by place",
            "Wins by place",
            "Wins by bot",
            "Objectives met",
            "Visits by destination",
        ],
    ),
    (
        "compare",
        &[
            "compare",
            "salon",
            "three-actions",
            "costly-claims",
            "--games",
            "30",
        ],
        &[
            "three-actions",
            "What is clearly different",
            "Failed attempts by Client",
            "Scores, three-actions",
            "costly-claims",
        ],
    ),
    (
        "sweep",
        &[
            "sweep",
            "salon",
            "--set",
            "actions_per_turn=1,2",
            "--games",
            "10",
        ],
        &["Mean score", "Rounds"],
    ),
];

/// Makes all pages in a folder.
fn pages(folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let make = |(name, args, _): &(&'static str, &[&str], &[&str])| {
        let path = folder.join(format!("{name}.html"));
        let mut command = cargo_bin_cmd!("yukon");
        command.args(*args).arg("--html").arg(&path);
        command.assert().success();
        (*name, path)
    };
    PAGES.iter().map(make).collect()
}

/// A page as XML: it has no other elements without an end than `meta`.
fn as_xml(page: &str) -> String {
    let mut xml = String::new();
    for (at, part) in page.split("<meta ").enumerate() {
        match at {
            0 => xml.push_str(part),
            _ => {
                xml.push_str("<meta ");
                xml.push_str(&part.replacen('>', "/>", 1));
            }
        }
    }
    xml
}

fn text_of(node: Node<'_, '_>) -> String {
    let texts = node
        .descendants()
        .filter(Node::is_text)
        .filter_map(|node| node.text());
    texts.collect()
}

fn check_structure(name: &str, page: &str, headings: &[&str]) {
    // What would be loaded, or run.
    for word in [
        "http:", "https:", "<script", "<link", "@import", "url(", "src=",
    ] {
        assert!(!page.contains(word), "{name} has `{word}`");
    }
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let xml = as_xml(page);
    let document = Document::parse_with_options(&xml, options).expect("well-formed");
    let all = || document.descendants().filter(Node::is_element);
    let named = |tag: &'static str| all().filter(move |node| node.has_tag_name(tag));
    let told: Vec<String> = named("h2").chain(named("h3")).map(text_of).collect();
    for heading in headings {
        assert!(
            told.iter().any(|own| own == heading),
            "{name}: {heading} in {told:?}"
        );
    }
    let ids: Vec<&str> = all().filter_map(|node| node.attribute("id")).collect();
    let different: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), different.len(), "{name}: {ids:?}");
    for link in named("a") {
        let to = link.attribute("href").expect("a link");
        assert!(
            different.contains(to.trim_start_matches('#')),
            "{name}: {to}"
        );
    }
    // What is drawn stands in words, too: beside it in its row, or as its label.
    let mut drawings = 0;
    for svg in named("svg") {
        let inner = svg.ancestors().skip(1).any(|node| node.has_tag_name("svg"));
        if inner {
            continue;
        }
        drawings += 1;
        if svg.attribute("role") == Some("img") {
            assert!(!svg.attribute("aria-label").unwrap_or_default().is_empty());
            continue;
        }
        assert_eq!(svg.attribute("aria-hidden"), Some("true"), "{name}");
        let mut rows = svg.ancestors().filter(|node| node.has_tag_name("tr"));
        let row = rows.next().expect("a drawing stands in a row");
        if row.parent().is_some_and(|part| part.has_tag_name("tbody")) {
            let numbers = row.children().filter(|cell| cell.has_tag_name("td"));
            let numbers = numbers.filter(|cell| text_of(*cell).contains(char::is_numeric));
            assert!(numbers.count() > 0, "{name}: {}", text_of(row));
        }
    }
    assert!(drawings > 10, "{name}: {drawings} drawings");
    for number in ["NaN", "inf"] {
        let found = all().flat_map(|node| node.attributes());
        let found = found.filter(|own| own.value().contains(number) && own.name() != "href");
        assert_eq!(found.count(), 0, "{name}: {number}");
    }
    let title = format!("{name}: the title");
    assert!(named("title").next().is_some(), "{title}");
}

#[test]
fn pages_are_whole_and_need_no_network() {
    let folder = tempfile::tempdir().expect("a folder");
    for ((name, path), (_, _, headings)) in pages(folder.path()).iter().zip(PAGES) {
        let page = std::fs::read_to_string(path).expect("a page");
        check_structure(name, &page, headings);
    }
}

#[test]
fn numbers_of_a_page_are_those_of_the_batch() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("page.html");
    let mut command = cargo_bin_cmd!("yukon");
    command.args([
        "sim", "airways", "--games", "8", "--format", "json", "--html",
    ]);
    let told = command.arg(&path).output().expect("it runs");
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
    let page = std::fs::read_to_string(&path).expect("a page");
    let xml = as_xml(&page);
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&xml, options).expect("well-formed");
    let section = |id: &str| {
        let mut all = document.descendants();
        all.find(|node| node.attribute("id") == Some(id))
            .expect("a section")
    };
    // Each node of the map stands on it, and its row says how often it was visited.
    let visits = &told["statistics"];
    let visits = visits.as_array().expect("a list").iter();
    let mut visits = visits.filter(|own| own["id"] == "visits");
    let rows = visits.next().expect("visits")["rows"]
        .as_array()
        .expect("rows")
        .clone();
    assert!(rows.len() > 10);
    let drawn = section("visits");
    let names = drawn
        .descendants()
        .filter(|node| node.attribute("class") == Some("name"));
    let names: BTreeSet<String> = names.map(text_of).collect();
    let titles = rows
        .iter()
        .map(|row| row["title"].as_str().expect("a title"));
    let titles: BTreeSet<String> = titles.map(str::to_owned).collect();
    assert_eq!(names, titles);
    let row_of = |title: &str| {
        let mut rows = drawn.descendants().filter(|node| node.has_tag_name("tr"));
        let heads = |row: &Node<'_, '_>| {
            row.first_element_child()
                .is_some_and(|head| text_of(head) == title)
        };
        rows.find(heads).map(text_of).expect("a row")
    };
    for row in &rows {
        let (title, a_game) = (row["title"].as_str().expect("a title"), &row["per_game"]);
        let a_game = format!("{:.2}", a_game.as_f64().expect("a number"));
        assert!(
            row_of(title).contains(&a_game),
            "{title}: {a_game}, {}",
            row_of(title)
        );
    }
    let wins = text_of(section("wins"));
    for player in told["players"].as_array().expect("players") {
        let rate = player["win_rate"].as_f64().expect("a number");
        assert!(wins.contains(&format!("{:.1}%", rate * 100.0)), "{wins}");
    }
}

#[test]
fn a_page_says_what_is_changed_of_the_rules() {
    let said = |args: &[&str]| {
        let mut command = cargo_bin_cmd!("yukon");
        command.args(args).args(["--games", "2", "--html", "-"]);
        let page = command.output().expect("it runs").stdout;
        let page = String::from_utf8(page).expect("UTF-8");
        let list = page.split_once("<ul class=\"changes\">");
        list.and_then(|(_, rest)| rest.split_once("</ul>"))
            .map(|(list, _)| list.to_owned())
    };
    assert_eq!(said(&["sim", "airways"]), None);
    assert_eq!(said(&["compare", "airways"]), None);
    let wild = "<li><b>wild-two</b> Two wild cards. With cheaper wild tickets, do players still wait for the right card?</li>";
    let fuel = |values: &str| {
        format!("<li><b>gate_5_fuel = {values}</b> Fuel at gate 5. By the rules it is 2.</li>")
    };
    assert_eq!(
        said(&[
            "sim",
            "airways",
            "--variant",
            "wild-two",
            "--set",
            "gate_5_fuel=4"
        ]),
        Some(format!("{wild}{}", fuel("4")))
    );
    // Each thing once, however many of what is compared have it.
    assert_eq!(
        said(&["compare", "airways", "wild-two", "wild-two+gate_5_fuel=4"]),
        Some(format!("{wild}{}", fuel("4")))
    );
    assert_eq!(
        said(&["sweep", "airways", "--set", "gate_5_fuel=1,4"]),
        Some(fuel("1, 4"))
    );
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_anything_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, why) in [
        (folder.path().join("no/page.html"), "there is no folder"),
        (folder.path().to_owned(), "it is a folder"),
    ] {
        let mut command = cargo_bin_cmd!("yukon");
        // So many games would never end.
        command.args(["sim", "salon", "--games", "1000000000", "--html"]);
        let told = command.arg(&path).output().expect("it runs");
        let said = String::from_utf8(told.stderr).expect("UTF-8");
        assert!(!told.status.success() && told.stdout.is_empty());
        assert!(said.contains(why), "{said}");
    }
}

/// A browser, if there is one on this machine.
fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut paths =
        std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    paths.find(|path| path.is_file())
}

/// Lets a browser show pages, each in a frame of a width, and look at each of them by a script; what was seen,
/// and what was written on the console.
fn browse(
    browser: &Path,
    pages: &[(String, u32)],
    script: &str,
    dark: bool,
) -> (Vec<serde_json::Value>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = serde_json::to_string(pages).expect("JSON");
    let pages = pages.replace('<', "\\u003c");
    // A frame can be narrower than a window.
    let frames = format!(
        "<html><head><meta name='color-scheme' content='light dark'></head><body><script>
            const pages = {pages}, told = pages.map(() => null);
            pages.forEach(([text, wide], at) => {{
                const frame = document.createElement('iframe');
                frame.width = wide;
                frame.height = 2000;
                frame.onload = () => {{
                    told[at] = frame.contentWindow.eval(`({script})`);
                    document.body.dataset.told = JSON.stringify(told);
                }};
                frame.style = 'border: 0';
                frame.srcdoc = text;
                document.body.append(frame);
            }});
        </script></body></html>"
    );
    let path = folder.path().join("frames.html");
    std::fs::write(&path, frames).expect("written");
    let profile = folder.path().join("profile");
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
    ]);
    command.args([
        "--enable-logging=stderr",
        "--dump-dom",
        "--virtual-time-budget=9000",
    ]);
    command.args([
        "--no-first-run",
        "--disable-extensions",
        "--window-size=1400,2000",
    ]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    if dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    command.arg(format!("file://{}", path.display()));
    let Output { stdout, stderr, .. } = command.output().expect("the browser runs");
    let (dom, log) = (
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr),
    );
    let told = dom
        .split("data-told=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let told = told.unwrap_or_else(|| panic!("the pages were not shown:\n{log}"));
    let told = serde_json::from_str(&told.replace("&quot;", "\"")).expect("JSON");
    let console = log.lines().filter(|line| line.contains("CONSOLE"));
    (told, console.map(str::to_owned).collect())
}

/// Asks what a reader sees: the width of window and page, drawings and texts that have no size, and the colours.
const SEEN: &str = "{
    wide: innerWidth, page: document.documentElement.scrollWidth,
    maps: document.querySelectorAll('svg.map').length,
    maps_shown: [...document.querySelectorAll('svg.map')].filter(own => own.getClientRects().length > 0).length,
    cut: [...document.querySelectorAll('svg.map text, svg.map circle')].filter(own => {
        const [part, whole] = [own, own.closest('svg')].map(of => of.getBoundingClientRect());
        return whole.width > 0 && (part.left < whole.left || part.right > Math.min(whole.right, innerWidth)
            || part.top < whole.top || part.bottom > whole.bottom);
    }).length,
    tiny: [...document.querySelectorAll('svg.map .name')].filter(own => {
        const high = own.getBoundingClientRect().height;
        return high > 0 && high < 11;
    }).length,
    empty: [...document.querySelectorAll('svg.row, svg.axis, h1, h2, td.numbers')]
        .filter(own => own.getBoundingClientRect().width < 20 || own.getBoundingClientRect().height < 5).length,
    shown: document.querySelectorAll('svg.row').length,
    small: [...document.querySelectorAll('td, th, p, .axis text')]
        .filter(own => parseFloat(getComputedStyle(own).fontSize) < 11).length,
    ground: getComputedStyle(document.body).backgroundColor, ink: getComputedStyle(document.body).color
}";

#[test]
fn a_browser_shows_the_pages() {
    let Some(browser) = browser() else {
        println!("skipped: there is no browser (`apt-get install chromium`)");
        return;
    };
    let broken = "<body><script>no_such_function()</script></body>";
    let (_, console) = browse(&browser, &[(broken.to_owned(), 400)], "1", false);
    assert_eq!(console.len(), 1, "an error is seen: {console:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let mut shown = Vec::new();
    for (_, path) in pages(folder.path()) {
        let page = std::fs::read_to_string(path).expect("a page");
        shown.extend([400, 1280].map(|wide| (page.clone(), wide)));
    }
    let mut grounds = BTreeSet::new();
    for dark in [false, true] {
        let (told, console) = browse(&browser, &shown, SEEN, dark);
        assert_eq!(console, Vec::<String>::new());
        assert_eq!(told.len(), shown.len());
        for (told, (page, wide)) in told.iter().zip(&shown) {
            let title = page.split("<title>").nth(1).unwrap_or_default();
            let what = format!("{told} {:.60}", title);
            assert_eq!(told["wide"], *wide, "{what}");
            // Nothing makes the page wider than its window.
            assert_eq!(told["page"], *wide, "{what}");
            assert_eq!(
                (&told["empty"], &told["small"]),
                (&0.into(), &0.into()),
                "{what}"
            );
            assert!(told["shown"].as_u64() > Some(5), "{what}");
            // Each map is drawn twice, and shown once: whole, and so that it can be read.
            let maps = ["maps", "maps_shown"].map(|of| told[of].as_u64().expect("a number"));
            assert_eq!(maps[0], 2 * maps[1], "{what}");
            assert_eq!(maps[1] > 0, page.contains("<svg class=\"map "), "{what}");
            assert_eq!(
                (&told["cut"], &told["tiny"]),
                (&0.into(), &0.into()),
                "{what}"
            );
            assert_ne!(told["ground"], told["ink"], "{what}");
            grounds.insert(told["ground"].to_string());
        }
    }
    assert_eq!(grounds.len(), 2, "light and dark: {grounds:?}");
}
