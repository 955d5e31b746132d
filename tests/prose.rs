//! Pages, messages, help and doc comments read like English: words and turns of phrase that make text hard to read are not
//! in them.

use crate::engine_names_no_game::{files, shipped};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that have a plainer one.
const BANNED: [(&str, &str); 21] = [
    ("anew", "again"),
    ("are said", "are stated"),
    ("are told", "are reported"),
    ("come of it", "result"),
    ("comes of it", "results"),
    ("foretell", "predict"),
    ("holds against", "is compared with"),
    ("is said", "is stated"),
    ("is told", "is reported"),
    ("lies", "is"),
    ("likewise", "also"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("mends", "fixes"),
    ("so many", "at most, up to"),
    ("stands", "is"),
    ("was told", "was reported"),
    ("were told", "were reported"),
    ("whatever", "any, or a plain condition"),
    ("whoever", "the player who"),
    ("wholly", "completely"),
];

/// Sentences that begin with a clause instead of the thing they are about.
const BANNED_OPENERS: [&str; 8] =
    ["What a ", "What an ", "What is ", "What may ", "What can ", "What cannot ", "What comes ", "What was "];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a page without code, which keeps its lines.
fn prose(text: &str) -> Vec<String> {
    let mut in_block = false;
    let mut line_of = |line: &str| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        let outside_code = |(index, piece): (usize, &str)| if index % 2 == 0 { piece.to_string() } else { "x".to_string() };
        if fence || in_block { String::new() } else { line.split('`').enumerate().map(outside_code).collect() }
    };
    text.lines().map(&mut line_of).collect()
}

/// Whether a phrase is in a line as whole words.
fn has_phrase(line: &str, phrase: &str) -> bool {
    let is_letter = |sign: char| sign.is_alphanumeric() || sign == '-';
    line.match_indices(phrase)
        .any(|(at, _)| !line[..at].ends_with(is_letter) && !line[at + phrase.len()..].starts_with(is_letter))
}

/// Every banned phrase of a text, with the number of its line.
fn banned(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in prose(text).iter().enumerate() {
        let lower = line.to_lowercase().replace("stands for", "");
        for (phrase, instead) in BANNED {
            if has_phrase(&lower, phrase) {
                found.push(format!("{name}:{}: `{phrase}`, write {instead}", number + 1));
            }
        }
        let begins =
            |opener: &&&str| !line.contains('?') && (line.starts_with(**opener) || line.contains(&format!(". {opener}")));
        if let Some(opener) = BANNED_OPENERS.iter().find(begins) {
            found.push(format!("{name}:{}: a sentence begins with `{opener}…`; name the thing first", number + 1));
        }
    }
    found
}

#[test]
fn pages_are_in_plain_english() {
    let folders = ["characters", "cli", "docs", "examples", "rules", "scripts", "tests", "tools", "validator"];
    let pages = folders.iter().flat_map(|folder| files(&root().join(folder), &["md"]));
    let at_the_top = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| root().join(page));
    let is_ours =
        |path: &PathBuf| !path.components().any(|part| ["target", "node_modules"].iter().any(|name| part.as_os_str() == *name));
    let mut found = Vec::new();
    for page in pages.chain(at_the_top).filter(is_ours) {
        let name = page.strip_prefix(root()).unwrap_or(&page).display().to_string();
        found.extend(banned(&name, &fs::read_to_string(&page).unwrap()));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The texts of a Rust file that people read, each on its line: doc comments, and the strings of more than one word. Doc
/// comments of arguments are their help.
fn texts_of_source(source: &str) -> String {
    let strings = |line: &str| {
        let pieces = line.replace("\\\"", "'");
        // What braces hold is put in later.
        let strings = pieces.split('"').skip(1).step_by(2).filter(|string| string.contains(' '));
        let strings =
            strings.map(|string| string.split('{').map(|part| part.split('}').next_back().unwrap_or(part)).collect::<String>());
        strings.collect::<Vec<_>>().join(" | ")
    };
    let text = |line: &str| match line.trim_start() {
        comment if comment.starts_with("///") || comment.starts_with("//!") => comment[3..].trim_start().to_string(),
        comment if comment.starts_with("//") => String::new(),
        code => strings(code),
    };
    shipped(source).lines().map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn messages_help_and_doc_comments_are_in_plain_english() {
    let is_test = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
    let sources = ["cli/src", "engine", "validator/src"].iter().flat_map(|folder| files(&root().join(folder), &["rs"]));
    let mut found = Vec::new();
    for source in sources.filter(|path| !is_test(path)) {
        let name = source.strip_prefix(root()).unwrap_or(&source).display().to_string();
        found.extend(banned(&name, &texts_of_source(&fs::read_to_string(&source).unwrap())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn texts_of_a_source_are_its_doc_comments_and_strings() {
    let source =
        "/// A die.\n// whoever\nlet whoever = complain(\"it is told\", \"whoever\"); // mend\n#[cfg(test)]\nmod tests {\n";
    assert_eq!(texts_of_source(source), "A die.\n\nit is told");
}

#[test]
fn banned_words_are_found_in_prose_only() {
    let text = "The die is told.\n```text\nwhoever\n```\nA `stands` is code. What may be rolled is here.\nupstands\n";
    let found = banned("page.md", text);
    assert_eq!(
        found,
        ["page.md:1: `is told`, write is reported", "page.md:5: a sentence begins with `What may …`; name the thing first"]
    );
}
