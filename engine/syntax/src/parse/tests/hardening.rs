//! Nothing that is given as text brings the parser down, and places are always right.

use proptest::prelude::*;

use super::*;
use crate::tree::{ExprKind, ItemKind};

#[test]
fn places_are_exact_behind_letters_of_several_bytes() {
    let text = "# Größe\ndefine a = \"Zoë 🎲 {b}\"  @DC-021 # ∀\ndefine c = \u{a0}d = = e\n";
    let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), text);
    let [Item { kind: ItemKind::Define(define), span, cites, .. }] = &items[..] else { panic!("{items:?}") };
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(*span), "define a = \"Zoë 🎲 {b}\"");
    assert_eq!(slice(define.name.span), "a");
    assert_eq!(slice(define.value.span), "\"Zoë 🎲 {b}\"");
    assert_eq!(slice(cites[0].span), "@DC-021");
    let ExprKind::Text(words) = &define.value.kind else { panic!("{define:?}") };
    assert_eq!(words.plain_text(), None);
    assert_eq!(told(text, &problems), ["3:17 expected a value, found `=` [=: not expected here]"]);
}

#[test]
fn places_of_a_header_are_places_of_the_script() {
    let text = "// é\n  //! ability zoë-1 \"Zoë\"\r\n//! modify a(b): it + größe\nfn a() {}";
    let (_, problems) = parse_ability(SourceId(0), text);
    assert_eq!(
        told(text, &problems),
        [
            "2:17 expected a text in quotes, found `ë` [ë: not expected here]",
            "3:25 expected a part of the ability or the end of the declaration, found `öße` [öße: not expected here]",
        ]
    );
}

fn nested(open: &str, inside: &str, close: &str, times: usize) -> String {
    format!("{}{inside}{}", open.repeat(times), close.repeat(times))
}

/// Ways to put an expression in an expression.
const IN_EXPRESSIONS: [(&str, &str); 24] = [
    ("(", ")"),
    ("f(", ")"),
    ("f(1, a(2), ", ")"),
    ("if a then b else ", ""),
    ("if (", ") then 2 else 3"),
    ("top 1 of (", ")"),
    ("sorted (", ") missing lowest"),
    ("sum of (", ")"),
    ("any of (", ") has it > 3"),
    ("(none of ", " has it > 3)"),
    ("the one of (", ") with highest it"),
    ("[a, ", "]"),
    ("not (", ")"),
    ("(x where ", ")"),
    ("\"{", "}\""),
    ("(x in ", ")"),
    ("(x is not ", ")"),
    ("supposing x = (", ") then 3"),
    ("cell 1 + (", "), 2 of board"),
    ("row 2 of (", ")"),
    ("diagonals of (", ")"),
    ("lines of 4 through (", ")"),
    ("run 1, -(", ") from cell"),
    ("(1 < ", ")"),
];

/// Ways to put a statement in a statement.
const IN_STATEMENTS: [(&str, &str); 12] = [
    ("if x { ", "}"),
    ("if x {} else { ", "}"),
    ("if x {} else if y { ", "}"),
    ("each x in y { ", "}"),
    ("repeat at most 3 times until f(x) { ", "}"),
    ("repeat 3 times {} otherwise { ", "}"),
    ("active must choose x else { ", "}"),
    ("let x = active must choose x else { ", "}"),
    ("open x() after each use { ", "}"),
    ("each x in y at once must choose x else { ", "}"),
    ("while x { ", "}"),
    ("for x in y { ", "}"),
];

/// Were reading exponential anywhere, this would not end; were trees unlimited, it would overflow the stack.
#[test]
fn nested_expressions_are_read_or_refused() {
    for (open, close) in IN_EXPRESSIONS {
        for inside in ["x", "x x", ""] {
            for times in [30, 64, 65] {
                let text = nested(open, inside, close, times);
                let read = parse_expression(SourceId(0), &text);
                let expected = inside == "x" && times == 30;
                assert!(read.is_ok() || !expected, "{text}: {read:?}");
                assert!(read.is_err() || times < 65, "{text}");
            }
        }
    }
}

#[test]
fn dense_expressions_are_read_or_refused() {
    for times in 1..=64 {
        let text = nested("(a or b and not c + 2 * ", "x", ".d)", times);
        assert_eq!(parse_expression(SourceId(0), &text).is_ok(), times <= 25, "{times}");
    }
}

#[test]
fn nested_statements_are_read_or_refused() {
    for (open, close) in IN_STATEMENTS {
        for inside in ["leave", "x x", "if"] {
            for times in [30, 62, 65] {
                let text = format!("to a {{ {} }}", nested(open, inside, close, times));
                let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), &text);
                let expected = inside == "leave" && times == 30;
                assert!(items.len() == 1 || !expected, "{text}: {problems:?}");
                assert!(items.is_empty() || times < 65, "{text}");
            }
        }
    }
}

#[test]
fn brackets_nested_too_deeply_are_refused_at_their_place() {
    let text = format!("define a = {}\ndefine b = 3\n", nested("(", "1", ")", 65));
    let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), &text);
    assert_eq!(told(&text, &problems), ["1:76 this is nested too deeply [(: too deep here]"]);
    assert_eq!(items.len(), 1, "the next declaration is read");
}

#[test]
fn long_chains_are_refused() {
    for link in [" + 1", " * 1", " and 1", " or 1", ".a", " < 1", " divided by 2 rounded up", " without a"] {
        let chain = |times: usize| format!("define a = b{}", link.repeat(times));
        assert_eq!(problems(&chain(40)).iter().filter(|problem| problem.contains("too deeply")).count(), 0, "{link}");
        assert_eq!(problems(&chain(1000)).iter().filter(|problem| problem.contains("too deeply")).count(), 1, "{link}");
    }
    for link in ["not ", "- ", "half of ", "if a then b else ", "supposing a = 1 then ", "the one of ", "sorted "] {
        let text = format!("define a = {}b", link.repeat(1000));
        assert_eq!(problems(&text).len(), 1, "{link}");
    }
    for text in ["replace ".repeat(1000), format!("piece a {{ b: {} c }}", "list of ".repeat(1000))] {
        assert_eq!(problems(&text).len(), 1);
    }
    let many = format!("to a {{ if b {{}}{} }}", " else if c {}".repeat(1000));
    assert_eq!(problems(&many), Vec::<String>::new(), "a long list is not deep");
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let text = "#".repeat((1 << 20) + 1);
    assert_eq!(problems(&text).len(), 1);
    assert_eq!(problems(&text[1..]), ["1:1 this file of rules is empty [: nothing is declared]"]);
}

#[test]
fn large_texts_are_read() {
    let many = RULES[3].repeat(10);
    assert_eq!(parse_rules(SourceId(0), &many).items.len(), 10 * parse_rules(SourceId(0), RULES[3]).items.len());
    let long = format!("define a = [{}1]", "points(side, 2), ".repeat(500));
    assert_eq!(problems(&long), Vec::<String>::new());
    for noise in ["x\n", "to x {\n wehn x\n}\n", "\"{", "(", "}\n", "A-1 AA-1 ", "@A-1 ## ", "'", "{\n", "to a {\n"] {
        assert!(!problems(&noise.repeat(1_000)).is_empty());
    }
}

/// Every place lies in the text and does not cut a letter.
fn check_places(text: &str, problems: &[Problem]) {
    for (span, _) in problems.iter().flat_map(|problem| &problem.labels) {
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} in {text:?}");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {text:?}");
    }
    for problem in problems {
        assert!(!problem.labels.is_empty(), "{problem:?} in {text:?}");
    }
}

fn check_all(text: &str) {
    let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), text);
    check_places(text, &problems);
    for item in items {
        check_places(text, &[Problem::error(codes::SYNTAX, "an item").with_label(item.span, "")]);
    }
    check_places(text, &parse_ability(SourceId(0), text).1);
    let header = format!("//! ability a \"A\"\n//! {}", text.replace('\n', "\n//! "));
    check_places(&header, &parse_ability(SourceId(0), &header).1);
    if let Err(problem) = parse_expression(SourceId(0), text) {
        check_places(text, &[problem]);
    }
}

/// Words and signs of the language, and what else may get between them.
fn word() -> impl Strategy<Value = String> {
    let words: Vec<&str> = RULES.iter().chain(&SCRIPTS).flat_map(|text| text.split_inclusive(char::is_whitespace)).collect();
    let signs =
        "{ } ( ) [ ] \" ' “ ” # ## @ @A-1 A-1 ; // \\ . .. : = == += / é 🎲 \u{a0} \t \r \n \n\n 99999999999 // //! \n//! \n}\n";
    prop_oneof![
        4 => proptest::sample::select(words).prop_map(str::to_string),
        1 => proptest::sample::select(signs.split(' ').collect::<Vec<_>>()).prop_map(str::to_string),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_harm(text in "\\PC*|[ -~\n\t]*|(\\PC|\n){0,200}") {
        check_all(&text);
    }

    #[test]
    fn any_words_are_read_without_harm(words in prop::collection::vec(word(), 0..60)) {
        check_all(&words.concat());
    }

    #[test]
    fn any_damage_to_rules_is_told(file in 0..RULES.len(), at in 0..10_000usize, length in 0..20usize, noise in "\\PC{0,3}") {
        let mut letters: Vec<char> = RULES[file].chars().collect();
        let at = at % letters.len();
        let end = (at + length).min(letters.len());
        letters.splice(at..end, noise.chars());
        check_all(&letters.into_iter().collect::<String>());
    }
}
