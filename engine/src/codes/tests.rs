use super::*;

#[test]
fn codes_are_in_order_and_each_belongs_to_a_block() {
    for pair in CODES.windows(2) {
        assert!(pair[0].code < pair[1].code, "{} before {}", pair[0].code, pair[1].code);
    }
    for entry in CODES {
        assert_eq!(entry.code.len(), 6, "{}", entry.code);
        assert!(BLOCKS.iter().any(|block| entry.code.starts_with(block.prefix)), "{}", entry.code);
    }
}

#[test]
fn every_code_has_words_and_an_example() {
    for entry in CODES {
        let code = entry.code;
        assert!(entry.title.starts_with(|first: char| first.is_lowercase()), "{code}");
        assert!(!entry.title.ends_with('.'), "{code}");
        assert!(entry.explanation.ends_with('.'), "{code}");
        assert!(!entry.explanation.contains('\n'), "{code}: renderers wrap it");
        assert!(!entry.example.trim().is_empty(), "{code}");
    }
}

#[test]
fn codes_are_found_in_any_case() {
    assert_eq!(find("lx0202").map(|entry| entry.code), Some(YAML_TAB));
    assert_eq!(find("LX0299"), None);
}
