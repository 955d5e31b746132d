//! The pages of the language's own description: every example is read, and every name of its five games is found.

use super::{ScriptWords, resolve, words_of};
use crate::language::compose::{Package, ability_item, compose};
use crate::language::parse::{parse_ability, parse_rules};
use crate::problem::Problem;
use crate::source::{SourceId, Sources};

const README: &str = include_str!("../../../../rules/README.md");

/// The game that a page builds on, in the order in which its files are read.
const BASE: [&str; 4] = [
    include_str!("../../../../rules/dice-challenge/game.ludex"),
    include_str!("../../../../rules/dice-challenge/attacks.ludex"),
    include_str!("../../../../rules/dice-challenge/play.ludex"),
    include_str!("../../../../rules/dice-challenge/scoring.ludex"),
];

const BASE_ABILITIES: [&str; 11] = [
    include_str!("../../../../scripts/dice-challenge/command-centre.rhai"),
    include_str!("../../../../scripts/dice-challenge/crystal-ball.rhai"),
    include_str!("../../../../scripts/dice-challenge/crystal-tokyo.rhai"),
    include_str!("../../../../scripts/dice-challenge/dark-kingdom.rhai"),
    include_str!("../../../../scripts/dice-challenge/death-phantom.rhai"),
    include_str!("../../../../scripts/dice-challenge/droid-dice.rhai"),
    include_str!("../../../../scripts/dice-challenge/kings-hologram.rhai"),
    include_str!("../../../../scripts/dice-challenge/legendary-silver-crystal.rhai"),
    include_str!("../../../../scripts/dice-challenge/malefic-black-crystal.rhai"),
    include_str!("../../../../scripts/dice-challenge/masked-defender.rhai"),
    include_str!("../../../../scripts/dice-challenge/planet-power.rhai"),
];

/// One fenced block: what stands behind the fence, and its bytes within the whole text.
struct Fenced {
    info: &'static str,
    start: usize,
    end: usize,
}

fn fenced(from: usize, to: usize) -> Vec<Fenced> {
    let mut blocks = Vec::new();
    let mut open: Option<(&'static str, usize)> = None;
    let mut at = 0;
    for line in README.split_inclusive('\n') {
        let end = at + line.len();
        if let Some(info) = line.strip_prefix("```").filter(|_| (from..to).contains(&at)) {
            match open.take() {
                Some((info, start)) => blocks.push(Fenced { info, start, end: at }),
                None => open = Some((info.trim(), end)),
            }
        }
        at = end;
    }
    blocks
}

/// Everything but some blocks blanked, so that each letter keeps its place.
fn only(blocks: &[&Fenced]) -> String {
    let shown = |at: usize| blocks.iter().any(|block| (block.start..block.end).contains(&at));
    let blank = |(at, c): (usize, char)| match c {
        '\n' => "\n".to_string(),
        c if shown(at) => c.to_string(),
        c => " ".repeat(c.len_utf8()),
    };
    README.char_indices().map(blank).collect()
}

/// The games that a page puts together, its own last.
struct Page {
    line: Vec<Package>,
    abilities: usize,
    scripts: ScriptWords,
    problems: Vec<Problem>,
    sources: Sources,
}

/// A page from its heading to the next.
fn page(number: usize) -> Page {
    let heading = |number: usize| README.find(&format!("\n## Page {number}."));
    let (from, to) = (heading(number).expect("the page is there"), heading(number + 1).unwrap_or(README.len()));
    let mut sources = Sources::default();
    let blocks = fenced(from, to);
    let rules: Vec<&Fenced> = blocks.iter().filter(|block| block.info == "ludex").collect();
    let text = only(&rules);
    let source = sources.add("README.md", text.as_str());
    let (items, problems) = parse_rules(source, &text);
    let own = Package { items, ..Package::default() };
    let mut page = Page { line: vec![own], abilities: 0, scripts: ScriptWords::new(), problems, sources };
    for block in blocks.iter().filter(|block| block.info == "rhai") {
        page.add_ability(0, &only(&[block]));
    }
    page
}

impl Page {
    fn add_ability(&mut self, package: usize, text: &str) {
        let source = self.sources.add("ability", text);
        let (ability, problems) = parse_ability(source, text);
        self.problems.extend(problems);
        self.scripts.insert(source, words_of(text));
        self.abilities += usize::from(ability.is_some());
        self.line[package].items.extend(ability.map(ability_item));
    }
}

/// What is wrong with a page, each with its line.
fn told(page: &Page) -> Vec<String> {
    let mut problems = page.problems.clone();
    let game = compose(&page.line, &mut problems);
    problems.extend(resolve(&game, &page.scripts));
    let line = |problem: &Problem| problem.labels.first().map_or(0, |(span, _)| page.sources.line_column(*span).0);
    problems.iter().map(|problem| format!("line {}: {} ({:?})", line(problem), problem.message, problem.help)).collect()
}

#[test]
fn the_pages_that_are_games_resolve() {
    for number in [1, 3, 4, 5] {
        let page = page(number);
        assert!(!page.line[0].items.is_empty(), "page {number}");
        assert_eq!(told(&page), Vec::<String>::new(), "page {number}");
    }
}

#[test]
fn the_package_resolves_on_top_of_the_base_game() {
    let mut page = page(2);
    let mut base = Package::default();
    for text in BASE {
        let source = page.sources.add("dice-challenge", text);
        let (own, problems) = parse_rules(source, text);
        assert_eq!(problems, []);
        base.items.extend(own);
    }
    page.line[0].ancestors.insert(0);
    page.line.insert(0, base);
    BASE_ABILITIES.iter().for_each(|text| page.add_ability(0, text));
    assert_eq!(told(&page), Vec::<String>::new());
}

#[test]
fn no_ability_of_a_page_is_overlooked() {
    let counts: Vec<usize> = (1..=5).map(|number| page(number).abilities).collect();
    assert_eq!(counts, [5, 6, 0, 9, 0]);
}

#[test]
fn every_example_of_the_reference_is_read() {
    let to = README.find("\n# Part 2.").expect("there is a second part");
    for block in fenced(0, to) {
        let text = README.get(block.start..block.end).unwrap_or_default();
        let problems = match block.info {
            "ludex" => parse_rules(SourceId(0), text).1,
            "ludex statements" => parse_rules(SourceId(0), &format!("to example {{\n {}\n}}\n", text.replace('\n', "\n "))).1,
            "ludex members" => parse_rules(SourceId(0), &format!("each side has {{\n {}\n}}\n", text.replace('\n', "\n "))).1,
            "rhai" => parse_ability(SourceId(0), text).1,
            // What is printed is held against the program where it is run.
            "text" => continue,
            other => panic!("`{other}` is not a kind of example: {text}"),
        };
        assert_eq!(problems, [], "{text}");
    }
}
