//! The long text of a code, and the list of all.

use ludex_engine::codes::{self, BLOCKS, CODES, Code};
use ludex_engine::problem::nearest;

/// The text of one code, or what to try instead.
pub fn explain(code: &str, width: usize) -> Result<String, String> {
    match codes::find(code.trim()) {
        Some(entry) => Ok(page(entry, width)),
        None => {
            let near = nearest(&code.trim().to_uppercase(), CODES.iter().map(|entry| entry.code));
            let advice = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Err(format!("no code is called `{code}`{advice}"))
        }
    }
}

fn page(entry: &Code, width: usize) -> String {
    let example = entry.example.replace('\0', "␀").replace('\t', "→   ");
    let example: Vec<String> = example.lines().map(|line| format!("    {line}").trim_end().to_string()).collect();
    format!(
        "{}: {}\n\n{}\n\nFor example:\n\n{}\n",
        entry.code,
        entry.title,
        wrapped(entry.explanation, width),
        example.join("\n")
    )
}

/// Every code with its title, by subject.
pub fn list() -> String {
    let mut text = String::new();
    for block in BLOCKS {
        text.push_str(&format!("{}xx  {}\n", block.prefix, block.title));
        for entry in CODES.iter().filter(|entry| entry.code.starts_with(block.prefix)) {
            text.push_str(&format!("  {}  {}\n", entry.code, entry.title));
        }
        text.push('\n');
    }
    text.push_str("`ludex explain CODE` tells more about one of them.\n");
    text
}

/// Words in lines of at most `width` columns, where they fit.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
