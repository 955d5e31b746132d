//! Has the parsers of tree-sitter read all rules and scripts that come with Ludex. No part of any may be an error or be missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tree_sitter::{Node, Parser, Range};
use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_ludex() -> *const ();
    fn tree_sitter_ludex_script() -> *const ();
}

/// What is read: the bundled library, the classic games, and what `new` begins a game with.
const FOLDERS: [&str; 4] = ["rules", "scripts", "examples/classics", "cli/src/making"];

fn main() -> ExitCode {
    // The generated C has these functions, of which each gives a language that lives as long as the program.
    let rules = unsafe { LanguageFn::from_raw(tree_sitter_ludex) };
    let scripts = unsafe { LanguageFn::from_raw(tree_sitter_ludex_script) };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut wrong = wrong_is_told(rules);
    let [mut texts, mut headers] = [0, 0];
    for file in FOLDERS.iter().flat_map(|folder| files(&root.join(folder))) {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let shown = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("ludex") => {
                texts += 1;
                wrong.extend(read(rules, &text, &[]).into_iter().map(|what| format!("{shown}:{what}")));
            }
            Some("rhai") => {
                headers += 1;
                wrong.extend(script(scripts, rules, &text).into_iter().map(|what| format!("{shown}:{what}")));
            }
            _ => {}
        }
    }
    if texts == 0 || headers == 0 {
        wrong.push(format!("{texts} files of rules and {headers} scripts were found"));
    }
    wrong.iter().for_each(|what| eprintln!("{what}"));
    println!("{texts} files of rules and {headers} scripts with their headers: {} wrong", wrong.len());
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// That a bracket is missing is noticed: otherwise nothing here would mean anything.
fn wrong_is_told(rules: LanguageFn) -> Vec<String> {
    let noticed = !read(rules, "game pig \"Pig\"\nto play { roll tray\n", &[]).is_empty();
    if noticed { Vec::new() } else { vec!["a bracket that is not closed was taken for right".to_string()] }
}

/// A script, and what its header says in the language of the rules, as editors read it: all lines together.
fn script(scripts: LanguageFn, rules: LanguageFn, text: &str) -> Vec<String> {
    let mut parser = Parser::new();
    parser.set_language(&scripts.into()).expect("the parser is of this version of tree-sitter");
    let tree = parser.parse(text, None).expect("a parser without a limit gives a tree");
    let mut headers = Vec::new();
    each(tree.root_node(), &mut |node| {
        if node.kind() == "header_text" {
            headers.push(node.range());
        }
    });
    if headers.is_empty() {
        return vec![" it has no header".to_string()];
    }
    let mut wrong = mistakes(tree.root_node());
    wrong.extend(read(rules, text, &headers));
    wrong
}

/// What is wrong in a text, or in parts of it.
fn read(language: LanguageFn, text: &str, parts: &[Range]) -> Vec<String> {
    let mut parser = Parser::new();
    parser.set_language(&language.into()).expect("the parser is of this version of tree-sitter");
    parser.set_included_ranges(parts).expect("the parts stand in their order");
    let tree = parser.parse(text, None).expect("a parser without a limit gives a tree");
    mistakes(tree.root_node())
}

fn mistakes(root: Node) -> Vec<String> {
    let mut found = Vec::new();
    each(root, &mut |node| {
        if node.is_error() || node.is_missing() {
            let (place, what) = (node.start_position(), if node.is_error() { "an error" } else { "missing" });
            found.push(format!("{}:{}: {what}: {}", place.row + 1, place.column + 1, node.kind()));
        }
    });
    found
}

fn each<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>)) {
    visit(node);
    for place in 0..node.child_count() {
        if let Some(child) = node.child(place as u32) {
            each(child, visit);
        }
    }
}

/// All files of a folder and of those in it, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
