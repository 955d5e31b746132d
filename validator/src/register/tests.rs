use super::*;
use ludex_engine::codes::{ALL, YAML_TAB};

#[test]
fn every_code_has_a_page_and_a_subject() {
    assert_eq!(CODES.iter().map(|entry| entry.code).collect::<Vec<_>>(), ALL);
    for entry in CODES.iter() {
        assert!(SUBJECTS.iter().any(|subject| entry.code.starts_with(subject.prefix)), "{}", entry.code);
    }
}

#[test]
fn every_page_has_all_of_its_parts() {
    for entry in CODES.iter() {
        let code = entry.code;
        assert!(entry.title.starts_with(|first: char| first.is_lowercase() || first == '`'), "{code}");
        assert!(!entry.title.ends_with('.'), "{code}");
        assert!(entry.explanation.ends_with('.'), "{code}");
        for block in entry.failing.iter().chain(&entry.mended) {
            assert!(["ludex", "yaml", "rhai", "markdown", "console"].contains(&block.language), "{code}: {}", block.language);
            assert!(block.text.ends_with('\n'), "{code}");
        }
        assert!(!entry.failing.is_empty() && !entry.mended.is_empty(), "{code}");
        assert_ne!(entry.failing, entry.mended, "{code}");
    }
}

#[test]
fn a_page_is_read_as_it_is_written() {
    let page = "# a thing is wrong\n\nOne line\nand another.\n\nA second\nparagraph.\n\n## Example\n\n```yaml otter\nnest: 4\n```\n\
                \n## Fixed\n\n```yaml otter\nnest: [4]\n```\n\n```console\n$ ludex list\n```\n";
    let block = |language, file, text| Block { language, file, text };
    let read = page::read_page("LX9999", page);
    assert_eq!(read.title, "a thing is wrong");
    assert_eq!(read.explanation, "One line and another.\n\nA second paragraph.");
    assert_eq!(read.failing, [block("yaml", Some("otter"), "nest: 4\n")]);
    assert_eq!(read.mended, [block("yaml", Some("otter"), "nest: [4]\n"), block("console", None, "$ ludex list\n")]);
    assert_eq!(read.example, "nest: 4");
}

#[test]
fn codes_are_found_in_any_case() {
    assert_eq!(find_code("lx0202").map(|entry| entry.code), Some(YAML_TAB));
    assert_eq!(find_code("LX0299"), None);
}
