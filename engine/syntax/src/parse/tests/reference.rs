//! The examples of the language's own description.

use super::*;
use crate::source::SourceId;

const REFERENCE: &str = include_str!("../../../../../rules/REFERENCE.md");

/// The blocks of a text between fences: what stands behind the fence, and what it holds.
fn fenced(text: &str) -> Vec<(&str, &str)> {
    let blocks = text.split("\n```").skip(1).step_by(2);
    blocks.map(|block| block.split_once('\n').expect("a fence ends its line")).collect()
}

#[test]
fn every_example_of_the_reference_is_read() {
    let examples = fenced(REFERENCE);
    assert!(examples.len() > 50);
    for (kind, text) in examples {
        let inner = text.replace('\n', "\n ");
        let problems = match kind {
            "ludex" => parse_rules(SourceId(0), text).problems,
            "ludex statements" => parse_rules(SourceId(0), &format!("to example {{\n {inner}\n}}\n")).problems,
            "ludex members" => parse_rules(SourceId(0), &format!("each side has {{\n {inner}\n}}\n")).problems,
            "rhai" => parse_ability(SourceId(0), text).1,
            // What is printed is held against the program where it is run.
            "text" => continue,
            other => panic!("`{other}` is not a kind of example: {text}"),
        };
        assert_eq!(problems, [], "{text}");
    }
}
