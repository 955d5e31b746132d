//! The README and the pages of `docs/` are true: what they quote is where they say, and what they show is what happens.
//!
//! Each `##` section plays in a folder of its own, outside the repository, from top to bottom:
//! - A block whose paragraph ends with a name in backticks and a colon is a file, and is written.
//! - In a `console` block, `$ ludex …` is run, lines with `>` are typed in, and the others are what is printed. A `…`
//!   stands for anything: for lines where it stands alone, else within the line. Empty lines do not count.
//! - A `ludex` block that is no file is quoted from the rules.
//! - `examples/…` is the folder of the repository.

use crate::engine_names_no_game::files;
use crate::support::{Folder, ludex_in};
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, File, Library};
use std::path::{Path, PathBuf};

/// A block between fences.
struct Block {
    /// The word behind the fence.
    language: String,
    lines: Vec<String>,
    /// The `##` heading above it.
    section: String,
    /// The file it is, if the line above says so.
    file: Option<String>,
}

/// One command of a block, with what is typed and printed.
struct Example {
    command: String,
    input: String,
    printed: Vec<String>,
}

#[test]
fn every_example_is_what_happens() {
    let try_out = |page: String| try_out_all(&page.replace(['/', '.'], "-"), &read(&page));
    let run: usize = std::thread::scope(|scope| {
        let pages: Vec<_> = pages().into_iter().map(|page| scope.spawn(move || try_out(page))).collect();
        pages.into_iter().map(|page| page.join().expect("a page is true")).sum()
    });
    assert!(run >= EXAMPLES, "only {run} examples were found");
}

/// So many commands are shown at least; one that is lost is missed.
const EXAMPLES: usize = 46;

/// The README and the pages of the book.
pub fn pages() -> Vec<String> {
    let pages = files(&root().join("docs"), &["md"]).into_iter();
    let pages = pages.map(|page| page.strip_prefix(root()).unwrap().to_string_lossy().into_owned());
    std::iter::once("README.md".to_string()).chain(pages).collect()
}

#[test]
fn the_expansion_of_the_language_is_one() {
    assert_eq!(try_out_all("expansion", &read("rules/EXPANSION.md")), 3);
}

#[test]
fn each_step_of_the_tutorial_is_a_game() {
    assert_eq!(try_out_all("tutorial", &read("rules/TUTORIAL.md")), 18);
}

#[test]
fn each_page_of_a_classic_game_is_true() {
    let found = files(&root().join("examples/classics/rules"), &["md"]);
    let found = found.iter().map(|page| page.strip_prefix(root()).unwrap().to_string_lossy().into_owned());
    assert_eq!(found.map(|page| try_out_all(&page.replace(['/', '.'], "-"), &read(&page))).sum::<usize>(), 4);
}

#[test]
fn a_game_needs_no_less_than_the_tutorial_says() {
    let page = read("rules/TUTORIAL.md");
    let (_, least) = page.split_once("`least.ludex`:\n\n```ludex\n").expect("the smallest game");
    let least: Vec<&str> = least.split("```").next().unwrap().lines().collect();
    for (left_out, needed) in [("ludex 1", false), ("game ", true), ("sides ", false), ("to play ", true)] {
        let rest: Vec<&str> = least.iter().filter(|line| !line.starts_with(left_out)).copied().collect();
        assert_eq!(rest.len() + 1, least.len(), "{left_out}");
        assert_eq!(is_a_game(rest.join("\n")), !needed, "without `{left_out}`");
    }
}

fn is_a_game(text: String) -> bool {
    let (library, _) = Library::new(vec![File { path: "least.ludex".to_string(), text, library: "test".to_string() }]);
    library.game_ids().iter().any(|game| library.compile(game, &CompileRequest::default()).0.is_some())
}

/// Tries out each section of a page in a folder of its own; gives how many commands that were.
fn try_out_all(name: &str, page: &str) -> usize {
    let blocks = blocks(page);
    let mut sections: Vec<&str> = blocks.iter().map(|block| block.section.as_str()).collect();
    sections.dedup();
    let mut run = 0;
    for (number, section) in sections.into_iter().enumerate() {
        let folder = Folder::outside(&format!("{name}-{number}"));
        for block in blocks.iter().filter(|block| block.section == section) {
            if let Some(file) = &block.file {
                folder.write(file, &format!("{}\n", block.lines.join("\n")));
            }
            for example in examples(block) {
                try_out(&example, &folder);
                run += 1;
            }
        }
    }
    run
}

#[test]
fn quoted_rules_stand_in_the_rules() {
    let places = ["rules/dice-challenge", "examples/classics/rules/pig"];
    let rules = places.map(|place| texts_in(&root().join(place), "ludex").concat()).concat();
    let pages = pages().into_iter().chain(["rules/README.md".to_string()]);
    let blocks: Vec<Block> = pages.flat_map(|page| blocks(&read(&page))).collect();
    let quoted: Vec<&Block> = blocks.iter().filter(|block| block.language == "ludex" && block.file.is_none()).collect();
    assert!(quoted.len() >= 2);
    for block in quoted {
        let text = block.lines.join("\n");
        assert!(rules.contains(&text), "this is not in {places:?}:\n{text}");
    }
}

#[test]
fn the_example_of_a_sheet_is_a_real_one() {
    let sheet = read("characters/dice-challenge/sailor-mercury.yaml");
    assert!(read("characters/README.md").contains(&format!("```yaml\n{sheet}```")));
}

#[test]
fn the_two_commands_stand_first_and_are_checked() {
    let readme = read("README.md");
    let first_screen: String = readme.lines().take(20).map(|line| format!("{line}\n")).collect();
    assert!(first_screen.contains("\ncargo run --release -- play dice-challenge "));
    assert!(first_screen.contains("\ncargo test "));
    assert!(read(".ci/run").contains("\nstep cargo test --workspace\n"));
}

// --- reading the page ----------------------------------------------------------

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut section, mut above, mut inside) = (String::new(), "", false);
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(language) => {
                inside = true;
                let file = file_named(above);
                above = "";
                blocks.push(Block { language: language.to_string(), lines: Vec::new(), section: section.clone(), file });
            }
            None if inside => blocks.last_mut().unwrap().lines.push(line.to_string()),
            None => {
                if let Some(heading) = line.strip_prefix("## ") {
                    section = heading.to_string();
                }
                above = if line.is_empty() { above } else { line };
            }
        }
    }
    blocks
}

/// ``Write `otter.yaml`:``
fn file_named(line: &str) -> Option<String> {
    let name = line.strip_suffix("`:")?.rsplit('`').next()?;
    name.contains('.').then(|| name.to_string())
}

fn examples(block: &Block) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in block.lines.iter().filter(|_| block.language == "console") {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example { command: command.to_string(), input: String::new(), printed: Vec::new() });
            continue;
        }
        let example = examples.last_mut().expect("a block begins with a command");
        match line.strip_prefix("> ") {
            Some(typed) => example.input.push_str(&format!("{typed}\n")),
            None if line.is_empty() => {}
            None => example.printed.push(line.clone()),
        }
    }
    examples
}

// --- trying it out -------------------------------------------------------------

fn try_out(example: &Example, folder: &Folder) {
    let words: Vec<String> = words(&example.command).into_iter().map(in_the_repository).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some(("ludex", words)) = words.split_first().map(|(first, rest)| (*first, rest)) else {
        panic!("`{}` is not run by this test", example.command);
    };
    let run = ludex_in(folder, words, &example.input);
    let told = format!("$ {}\n{}\n{}", example.command, run.stdout, run.stderr);
    let refused = example.printed.last().is_some_and(|line| line.ends_with("error") || line.ends_with("errors"));
    assert_eq!(run.status, i32::from(refused), "{told}");
    // A terminal shows what is typed; in a pipe `play` repeats it.
    let printed: Vec<&str> = run.stdout.lines().filter(|line| !line.is_empty() && !line.starts_with("> ")).collect();
    if let Err(line) = compare(&example.printed, &printed) {
        panic!("the README shows\n    {line}\nbut this is what happens:\n{told}");
    }
}

/// The words of a command; what stands in quotes is one of them.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    parts.flat_map(|(place, part)| if place % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// A page is written for somebody who is in the folder of the repository, and tried out elsewhere.
fn in_the_repository(word: &str) -> String {
    if word.starts_with("examples/") { root().join(word).to_string_lossy().into_owned() } else { word.to_string() }
}

/// Whether the lines are those printed; if not, the passage that is not found in its place.
fn compare(shown: &[String], printed: &[&str]) -> Result<(), String> {
    let mut passages = shown.split(|line| line == "…");
    let first = passages.next().unwrap_or_default();
    let follows = |passage: &[String], lines: &[&str]| {
        let alike = |(line, printed): (&String, &&str)| is_like(line, printed);
        passage.len() <= lines.len() && passage.iter().zip(lines).all(alike)
    };
    if !follows(first, printed) {
        return Err(first.join("\n    "));
    }
    let (mut rest, mut open_end) = (&printed[first.len()..], false);
    for passage in passages {
        let at = (0..=rest.len()).find(|&at| follows(passage, &rest[at..])).ok_or(passage.join("\n    "))?;
        rest = &rest[at + passage.len()..];
        open_end = passage.is_empty();
    }
    if open_end || rest.is_empty() { Ok(()) } else { Err("… and nothing more".to_string()) }
}

/// A line with `…` for whatever stands there.
fn is_like(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[test]
fn dots_stand_for_anything() {
    assert!(is_like("wins …", "wins 9 of 10"));
    assert!(is_like("{\"a\":1,…\"b\":2,…}", "{\"a\":1,\"x\":0,\"b\":2,\"c\":3}"));
    assert!(!is_like("{\"a\":1,…\"b\":2}", "{\"a\":1,\"b\":3}"));
    assert!(!is_like("wins", "wins 9"));
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(compare(&lines("a\n…\nd"), &["a", "b", "c", "d"]), Ok(()));
    assert_eq!(compare(&lines("…\nb\nd"), &["a", "b", "c", "b", "d"]), Ok(()));
    assert!(compare(&lines("a\nc"), &["a", "b", "c"]).is_err());
    assert!(compare(&lines("a"), &["a", "b"]).is_err());
}

// --- files of the repository ---------------------------------------------------

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn texts_in(folder: &Path, ending: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let wanted = files.filter(|path| path.extension().is_some_and(|found| found == ending));
    wanted.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}
