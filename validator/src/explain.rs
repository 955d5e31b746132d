//! The explanation of a code, and the list of all codes.

use crate::register::{Block, CODES, Code, SUBJECTS, Subject, find_code};
use ludex_engine::codes::RETIRED;
use ludex_engine::problem::nearest_word;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, fill};

/// The width of a page of the book, in columns.
const PAGE: usize = 140;

/// The explanation of a code, or advice for an unknown one.
pub fn explain_code(code: &str, width: usize) -> Result<String, String> {
    let wanted = code.trim().to_uppercase();
    match find_code(&wanted) {
        Some(entry) => Ok(code_page(entry, width)),
        None if RETIRED.contains(&wanted.as_str()) => Err(format!("`{wanted}` is no longer in use")),
        None => {
            let near = nearest_word(&wanted, CODES.iter().map(|entry| entry.code));
            let advice = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Err(format!("there is no code `{code}`{advice}"))
        }
    }
}

/// The text of one code, with its example before and after the fix.
fn code_page(entry: &Code, width: usize) -> String {
    let Code { code, title, explanation, failing, mended, .. } = entry;
    let paragraphs: Vec<String> = explanation.split("\n\n").map(|paragraph| wrap_text(paragraph, width)).collect();
    let (failing, mended) = (example_text(failing), example_text(mended));
    format!("{code}: {title}\n\n{}\n\nFor example:\n\n{failing}\nFixed:\n\n{mended}", paragraphs.join("\n\n"))
}

/// The files and commands of an example, indented. Several files are labelled with their paths.
fn example_text(blocks: &[Block]) -> String {
    let shown: Vec<&Block> = blocks.iter().filter(|block| !block.is_before()).collect();
    let named = |block: &&Block| match block.file {
        Some(file) if file.contains('.') => format!("  {file}\n{}", indent_text(block.text)),
        _ => indent_text(block.text),
    };
    shown.iter().map(named).collect::<Vec<_>>().join("\n")
}

/// Each line indented for display; a tab is shown as an arrow.
fn indent_text(text: &str) -> String {
    let text = text.replace('\t', "→   ");
    text.lines().map(|line| format!("{}\n", format!("    {line}").trim_end())).collect()
}

/// All codes with their titles, by subject.
pub fn list_codes() -> String {
    let mut text = String::new();
    for Subject { prefix, title } in SUBJECTS {
        text.push_str(&format!("{prefix}xx  {title}\n"));
        for entry in CODES.iter().filter(|entry| entry.code.starts_with(prefix)) {
            text.push_str(&format!("  {}  {}\n", entry.code, entry.title));
        }
        text.push('\n');
    }
    text.push_str("`ludex explain CODE` explains one of them.\n");
    text
}

/// All explanations, by subject, as one page of Markdown.
pub fn reference_page() -> String {
    let mut page = String::from("# Codes of messages\n\n");
    let about = "Every message has a code, which never gets a second meaning. `ludex explain CODE` shows its text, and \
                 `ludex explain --all` writes this page. The first two digits of a number are its subject.";
    page.push_str(&wrap_text(about, PAGE));
    page.push('\n');
    for Subject { prefix, title } in SUBJECTS {
        page.push_str(&format!("\n## {prefix}xx: {title}\n"));
        for entry in CODES.iter().filter(|entry| entry.code.starts_with(prefix)) {
            page.push_str(&code_section(entry));
        }
    }
    page
}

/// The section of the page for one code.
fn code_section(entry: &Code) -> String {
    let paragraphs: Vec<String> = entry.explanation.split("\n\n").map(|paragraph| wrap_text(paragraph, PAGE)).collect();
    let shown = |blocks: &[Block]| blocks.iter().filter(|block| !block.is_before()).map(fenced_block).collect::<String>();
    let Code { code, title, failing, mended, .. } = entry;
    format!("\n### {code}: {title}\n\n{}\n\n{}Fixed:\n\n{}", paragraphs.join("\n\n"), shown(failing), shown(mended).trim_end())
        + "\n"
}

/// A file or commands as a fenced block. A file's path is above the block.
fn fenced_block(block: &Block) -> String {
    let path = block.file.filter(|file| file.contains('.')).map_or(String::new(), |file| format!("`{file}`:\n\n"));
    format!("{path}```{}\n{}```\n\n", block.language, block.text)
}

/// Wraps text to at most `width` columns, without breaking words.
fn wrap_text(text: &str, width: usize) -> String {
    let whole_words = Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let words: Vec<&str> = text.split_whitespace().collect();
    fill(&words.join(" "), whole_words)
}

#[cfg(test)]
mod tests;
