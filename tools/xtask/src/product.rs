//! The part of the sources that is shipped: every package except tools, without tests and comments.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Folders without shipped sources.
const NOT_SHIPPED: &[&str] = &["target", "tests", "benches", "examples", "fuzz", "tools", "python"];

/// The shipped part of a Rust file.
pub struct File {
    /// Relative to the root of the repository.
    pub path: PathBuf,
    /// Number of lines with code that is not part of a test.
    pub lines: usize,
    pub functions: Vec<String>,
}

/// All files that are shipped, by their paths.
///
/// # Errors
///
/// A file cannot be read, or is not valid Rust.
pub fn files(root: &Path) -> Result<Vec<File>, String> {
    let mut paths = Vec::new();
    sources_below(root, &mut paths).map_err(|error| format!("{}: {error}", root.display()))?;
    paths.sort();
    let mut of_tests = BTreeSet::new();
    let mut read = Vec::new();
    for path in paths {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
        let tree = syn::parse_file(&text).map_err(|error| wrong(&error))?;
        let mut seen = Seen::default();
        seen.visit_file(&tree);
        of_tests.extend(seen.test_modules.iter().map(|module| folder_of(&path).join(module)));
        let tokens: TokenStream = text.parse().map_err(|error| wrong(&error))?;
        let mut lines = BTreeSet::new();
        mark_lines(tokens, &mut lines);
        lines.retain(|line| !seen.test_lines.iter().any(|(first, last)| (*first..=*last).contains(line)));
        read.push((path, lines.len(), seen.functions));
    }
    // A module of tests has its own file, and may have files below it.
    let is_of_test = |path: &Path| of_tests.iter().any(|module| path.with_extension("") == *module || path.starts_with(module));
    let shipped = read.into_iter().filter(|(path, ..)| !is_of_test(path));
    Ok(shipped
        .map(|(path, lines, functions)| File {
            path: path.strip_prefix(root).map(Path::to_path_buf).unwrap_or(path),
            lines,
            functions,
        })
        .collect())
}

fn sources_below(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (path, name) = {
            let entry = entry?;
            (entry.path(), entry.file_name().to_string_lossy().into_owned())
        };
        if path.is_dir() {
            // Within a crate's sources, such a folder may be a module. Test modules are recognised by `#[cfg(test)]`.
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

/// Marks the lines of all tokens except documentation, which the compiler reads as attributes.
fn mark_lines(tokens: TokenStream, lines: &mut BTreeSet<usize>) {
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        if matches!(&tree, TokenTree::Punct(sign) if sign.as_char() == '#') {
            if matches!(trees.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == '!') {
                trees.next();
            }
            if matches!(trees.peek(), Some(TokenTree::Group(group)) if is_documentation(group)) {
                trees.next();
                continue;
            }
        }
        let span = tree.span();
        match tree {
            TokenTree::Group(group) => {
                lines.extend([group.span_open().start().line, group.span_close().end().line]);
                mark_lines(group.stream(), lines);
            }
            _ => lines.extend(span.start().line..=span.end().line),
        }
    }
}

/// Whether an attribute is `[doc = "…"]`, the form of `///`. `[doc(hidden)]` is not.
fn is_documentation(group: &proc_macro2::Group) -> bool {
    let mut inside = group.stream().into_iter();
    let is_doc = matches!(inside.next(), Some(TokenTree::Ident(name)) if name == "doc");
    is_doc && matches!(inside.next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '=')
}

/// The tests and functions of a file.
#[derive(Default)]
struct Seen {
    /// The first and the last line of each test-only item.
    test_lines: Vec<(usize, usize)>,
    /// Test modules with files of their own.
    test_modules: Vec<String>,
    functions: Vec<String>,
}

impl Seen {
    /// Whether an item is only for tests. If so, its lines are recorded.
    fn leaves_out(&mut self, attributes: &[syn::Attribute], item: &impl Spanned) -> bool {
        let is_test = attributes.iter().any(is_for_tests);
        if is_test {
            // The span of an item starts with its attributes.
            self.test_lines.push((item.span().start().line, item.span().end().line));
        }
        is_test
    }
}

/// Whether an attribute is `#[cfg(test)]`, `#[cfg(all(test, …))]` or `#[test]`.
fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return attribute.path().is_ident("test") };
    let words = list.tokens.to_string();
    attribute.path().is_ident("cfg") && (words == "test" || words.starts_with("all (test ,") || words.starts_with("all(test"))
}

impl<'ast> Visit<'ast> for Seen {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Enum(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Macro(item) => &item.attrs,
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Static(item) => &item.attrs,
            syn::Item::Struct(item) => &item.attrs,
            syn::Item::Trait(item) => &item.attrs,
            syn::Item::Type(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if !self.leaves_out(attributes, item) {
            visit::visit_item(self, item);
        } else if let syn::Item::Mod(syn::ItemMod { ident, content: None, .. }) = item {
            self.test_modules.push(ident.to_string());
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.functions.push(function.sig.ident.to_string());
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !self.leaves_out(&function.attrs, function) {
            self.functions.push(function.sig.ident.to_string());
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.functions.push(function.sig.ident.to_string());
        visit::visit_trait_item_fn(self, function);
    }
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
}
