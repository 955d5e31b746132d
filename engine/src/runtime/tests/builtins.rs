//! The examples of the table of builtins.

use crate::testing::game;
use ludex_compiler::builtins::BUILTINS;

fn shown(value: &str) -> Vec<String> {
    game(&format!("sides 2\nto play {{ say \"{{{value}}}\"\n finish with nobody }}")).play().new_said_texts()
}

#[test]
fn every_builtin_gives_what_its_examples_say() {
    for (value, text) in BUILTINS.iter().flat_map(|builtin| builtin.examples) {
        assert_eq!(shown(value), [*text], "{value}");
    }
}

#[test]
fn every_builtin_has_an_example_of_its_own() {
    for builtin in BUILTINS {
        let phrase = format!("{} of ", builtin.word);
        assert!(builtin.examples.iter().any(|(value, _)| value.contains(&phrase)), "{}", builtin.word);
    }
}
