//! The README and the pages of `docs/` as a whole: how long, what is where, where links lead, and whose numbers they quote.

use crate::engine_names_no_game::files;
use crate::readme::{pages, read, root};
use ludex_engine::runtime::limits;
use std::path::{Path, PathBuf};

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 200, "{lines} lines: the rest belongs into docs/");
}

#[test]
fn every_page_is_in_the_book() {
    let summary = read("docs/SUMMARY.md");
    for page in pages().iter().filter_map(|page| page.strip_prefix("docs/")) {
        // A folder has a list of its pages, which is in the list of all.
        let (index, link) = match page.rsplit_once('/').filter(|(_, file)| *file != "README.md") {
            Some((folder, file)) => (format!("docs/{folder}/README.md"), file),
            None => ("docs/README.md".to_string(), page),
        };
        let is_listed = || summary.contains(&format!("]({page})")) && read(&index).contains(&format!("]({link})"));
        let is_list = ["SUMMARY.md", "README.md"].contains(&page);
        assert!(is_list || is_listed(), "{page} is not in the book");
    }
}

#[test]
fn every_place_on_the_map_is_there() {
    let page = read("docs/inside.md");
    let places: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert!(places.len() >= 10);
    for place in places {
        assert!(root().join(place).exists(), "there is no `{place}`");
    }
}

#[test]
fn the_limits_are_those_of_the_engine() {
    let page = read("rules/LIMITS.md");
    let section = page.split("\n## ").find(|section| section.starts_with("Large choices")).expect("the section");
    let numbers = [
        limits::MOST_NUMBERED,
        limits::MOST_FREE as u64,
        limits::MOST_SUMMED as u64,
        limits::MOST_SEARCHED as u64,
        limits::MOST_CELLS as u64,
        limits::MOST_LOOKED_AT,
        limits::FEW_MOVES,
        limits::MOST_LISTED_SETS,
    ];
    for number in numbers {
        assert!(
            section.split(|sign: char| !sign.is_ascii_digit() && sign != ',').any(|word| word == grouped(number)),
            "{number}"
        );
    }
    assert!(
        read("rules/REFERENCE.md")
            .replace('\n', " ")
            .contains(&format!("If there are more than {} moves, it looks only at the first", grouped(limits::MOST_WEIGHED)))
    );
    assert!(read("docs/protocol.md").contains(&grouped(limits::MOST_NUMBERED)));
}

/// `1,000`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

// --- links -----------------------------------------------------------------------

#[test]
fn every_link_leads_somewhere() {
    let folders = [
        "docs",
        "rules",
        "scripts",
        "characters",
        "validator",
        "examples",
        "tests/fuzz",
        "tests/benches",
        "tools/editors",
        "tools/python",
    ];
    let own = ["README.md", "SECURITY.md"].map(|page| root().join(page));
    let pages = folders.iter().flat_map(|folder| files(&root().join(folder), &["md"])).chain(own);
    let pages = pages.filter(|page| !page.components().any(|part| part.as_os_str() == "target"));
    let (mut broken, mut followed) = (Vec::new(), 0);
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            followed += 1;
            if !leads_somewhere(&page, &link) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(followed > 150, "only {followed} links were found");
}

/// In the book, too: it holds each page that one of its pages leads to.
#[test]
fn the_book_is_whole() {
    let summary = read("docs/SUMMARY.md");
    let pages: Vec<PathBuf> = links(&summary).iter().map(|link| plain(&root().join("docs").join(link))).collect();
    assert!(pages.len() > 20);
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        for link in links(&text).iter().filter_map(|link| link.split('#').next()).filter(|link| link.ends_with(".md")) {
            let leads_to = plain(&page.parent().unwrap().join(link));
            assert!(pages.contains(&leads_to), "{} leads to {link}, which is not in docs/SUMMARY.md", page.display());
        }
    }
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| panic!("there is no {}", path.display()))
}

/// What stands behind a text in brackets, outside of blocks; addresses elsewhere are left out.
fn links(page: &str) -> Vec<String> {
    let prose: String = page.split("\n```").step_by(2).collect();
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_string());
    targets.filter(|target| !target.starts_with("http")).collect()
}

fn leads_somewhere(page: &Path, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let file = if file.is_empty() { page.to_path_buf() } else { page.parent().unwrap().join(file) };
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    file.exists() && (heading.is_empty() || headings(&text).iter().any(|there| there == heading))
}

/// The headings of a page as links call them: in small letters, with hyphens for spaces and without other signs.
fn headings(page: &str) -> Vec<String> {
    let titles = page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let called = |title: &str| title.to_lowercase().replace(' ', "-");
    titles.map(called).map(|name| name.chars().filter(|sign| sign.is_alphanumeric() || "-_".contains(*sign)).collect()).collect()
}
