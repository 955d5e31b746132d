//! The part of the sources that is shipped: every package except tools, without tests and comments. `cargo xtask lines` and
//! `cargo xtask names` count over it. A file is read as tokens, which is enough to find tests: an item with `#[test]` or
//! `#[cfg(test)]`, up to its closing brace.

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, tokenize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with nothing that is shipped.
const NOT_SHIPPED: &[&str] = &["target", "tests", "benches", "examples", "fuzz", "tools", "python"];

/// The shipped part of a Rust file.
pub struct File {
    /// From the root of the repository.
    pub path: PathBuf,
    /// The number of lines with something on them that is neither a comment nor part of a test.
    pub lines: usize,
    /// The names of its functions.
    pub functions: Vec<String>,
}

/// All files that are shipped, by their paths.
///
/// # Errors
///
/// A file that cannot be read.
pub fn files(root: &Path) -> Result<Vec<File>, String> {
    let mut paths = Vec::new();
    sources_below(root, &mut paths).map_err(|error| format!("{}: {error}", root.display()))?;
    paths.sort();
    let mut test_modules = BTreeSet::new();
    let mut read = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let shipped = Shipped::read(&text);
        test_modules.extend(shipped.test_modules.iter().map(|module| folder_of(&path).join(module)));
        read.push((path, shipped));
    }
    // A test module has its file, and may have files below it.
    let is_of_test =
        |path: &Path| test_modules.iter().any(|module| path.with_extension("") == *module || path.starts_with(module));
    let shipped = read.into_iter().filter(|(path, _)| !is_of_test(path));
    Ok(shipped
        .map(|(path, shipped)| File {
            path: path.strip_prefix(root).map(Path::to_path_buf).unwrap_or(path),
            lines: shipped.lines.len(),
            functions: shipped.functions,
        })
        .collect())
}

/// Collects the Rust files in a folder and below it, except for folders with nothing that is shipped.
fn sources_below(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (path, name) = {
            let entry = entry?;
            (entry.path(), entry.file_name().to_string_lossy().into_owned())
        };
        if path.is_dir() {
            // Test modules are found by their `#[cfg(test)]`; a folder of this name within a crate's sources may be one.
            let is_shipped = !NOT_SHIPPED.contains(&name.as_str()) || folder.components().any(|part| part.as_os_str() == "src");
            if is_shipped && !name.starts_with('.') {
                sources_below(&path, found)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") && name != "build.rs" {
            found.push(path);
        }
    }
    Ok(())
}

/// The folder with the modules of a file.
fn folder_of(path: &Path) -> PathBuf {
    let is_root = path.file_name().is_some_and(|name| name == "lib.rs" || name == "main.rs" || name == "mod.rs");
    if is_root { path.parent().unwrap_or(path).to_path_buf() } else { path.with_extension("") }
}

/// A token that is no comment, with its line and the line on which it ends, both from 1.
struct Token<'t> {
    text: &'t str,
    first: usize,
    last: usize,
}

/// The tokens of a text, without comments and blanks.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    for token in tokenize(text, FrontmatterAllowed::No) {
        let piece = &text[at..at + token.len as usize];
        at += piece.len();
        let last = line + piece.matches('\n').count();
        let is_comment = matches!(token.kind, TokenKind::LineComment { .. } | TokenKind::BlockComment { .. });
        if !is_comment && token.kind != TokenKind::Whitespace {
            found.push(Token { text: piece, first: line, last });
        }
        line = last;
    }
    found
}

/// What counts in a file.
#[derive(Default)]
struct Shipped {
    lines: BTreeSet<usize>,
    functions: Vec<String>,
    /// Test modules that have files of their own.
    test_modules: Vec<String>,
}

impl Shipped {
    /// Reads a file; tests in it are skipped.
    fn read(text: &str) -> Shipped {
        let tokens = tokens(text);
        let mut shipped = Shipped::default();
        let mut rest = tokens.as_slice();
        while let [token, after @ ..] = rest {
            let attributes = attributes_length(rest);
            if rest[..attributes].windows(3).any(is_for_tests) {
                let item = &rest[attributes..];
                let length = item_length(item);
                let item_words: Vec<&str> = item[..length].iter().map(|token| token.text).collect();
                if let [.., "mod", name, ";"] = item_words.as_slice() {
                    shipped.test_modules.push((*name).to_string());
                }
                rest = &item[length..];
                continue;
            }
            // Other attributes count as any other line.
            shipped.lines.extend(token.first..=token.last);
            if let ("fn", [name, ..]) = (token.text, after)
                && name.text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
            {
                shipped.functions.push(name.text.to_string());
            }
            rest = after;
        }
        shipped
    }
}

/// The number of tokens in the attributes with which some tokens begin: `#[…] #[…]`.
fn attributes_length(tokens: &[Token]) -> usize {
    let mut length = 0;
    while let [sign, open, ..] = &tokens[length..] {
        if (sign.text, open.text) != ("#", "[") {
            break;
        }
        length += 1 + group_length(&tokens[length + 1..]);
    }
    length
}

/// The number of tokens from an opening bracket to the one that closes it.
fn group_length(tokens: &[Token]) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The number of tokens of an item, which ends with its braces or with a semicolon.
fn item_length(tokens: &[Token]) -> usize {
    let mut length = 0;
    while let Some(token) = tokens.get(length) {
        match token.text {
            ";" => return length + 1,
            "{" => {
                // `use a::{b, c};` has a semicolon after its braces.
                let end = length + group_length(&tokens[length..]);
                return end + usize::from(tokens.get(end).is_some_and(|token| token.text == ";"));
            }
            "(" | "[" => length += group_length(&tokens[length..]),
            _ => length += 1,
        }
    }
    length
}

/// Whether three tokens of an attribute make its item a test: `[test]`, or `cfg(test`, or `all(test`.
fn is_for_tests(tokens: &[Token]) -> bool {
    let words = [0, 1, 2].map(|index| tokens[index].text);
    matches!(words, ["[", "test", "]"] | ["cfg" | "all", "(", "test"])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! A file.\n\n/// A word.\npub fn one_word(x: u8) -> u8 {\n    // why\n    x + 1 /* so */\n}\n\n\
                        #[cfg(test)]\nmod tests {\n    fn two() {}\n}\n\n#[doc(hidden)]\npub const TEXT: &str = \"a\n\nb\";\n";

    #[test]
    fn comments_tests_and_blank_lines_do_not_count() {
        let root = std::env::temp_dir().join(format!("ludex-xtask-{}", std::process::id()));
        for (path, text) in [
            ("src/lib.rs", TEXT.replace("mod tests {\n    fn two() {}\n}", "mod tests;")),
            ("src/tests.rs", "fn three() {}\n".into()),
            ("src/tests/more.rs", "fn four() {}\n".into()),
            ("src/other.rs", TEXT.into()),
            ("tests/outside.rs", "fn five() {}\n".into()),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found: Vec<_> =
            files(&root).unwrap().into_iter().map(|file| (file.path, file.lines, file.functions.join(" "))).collect();
        fs::remove_dir_all(root).unwrap();
        // Three lines of the function, the attribute, and three of the constant.
        let expected = |path: &str| (PathBuf::from(path), 7, "one_word".to_string());
        assert_eq!(found, [expected("src/lib.rs"), expected("src/other.rs")]);
    }

    #[test]
    fn an_item_for_tests_ends_with_its_braces() {
        let text = "#[test]\n#[ignore = \"]\"]\nfn long(x: [u8; 3]) {\n  if x { '}' } else { \"}\" }\n}\nfn kept() {}\n";
        assert_eq!(Shipped::read(text).functions, ["kept"]);
        assert_eq!(Shipped::read("#[cfg(all(test, unix))]\nuse a::{b, c};\nuse d;\n").lines, [3].into());
        assert_eq!(Shipped::read("#[derive(Debug)]\nstruct S {\n  #[cfg(not(test))]\n  f: fn(u8),\n}\n").lines.len(), 5);
    }
}
