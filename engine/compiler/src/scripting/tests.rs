use super::{api, compile};

#[test]
fn the_readme_lists_the_table() {
    let readme = include_str!("../../../../scripts/README.md");
    for part in [api::table(), api::parameters(), compile::methods_table()] {
        assert!(readme.contains(&part), "scripts/README.md must hold this table:\n\n{part}");
    }
}
