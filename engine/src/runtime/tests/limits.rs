//! What there may be only so many of is told where it is too many, with what to write instead.

use crate::codes;
use crate::testing::game;

/// Names such as `a1`, each made into a part of a text.
fn listed(count: usize, part: &str, between: &str) -> String {
    let parts: Vec<String> = (1..=count).map(|number| part.replace('@', &format!("a{number}"))).collect();
    parts.join(between)
}

fn marks(count: usize) -> String {
    format!("sides 2\neach side has {{ {} }}\nto play {{ }}", listed(count, "mark @", " "))
}

fn roles(count: usize) -> String {
    let roles = listed(count, "@ in sides", ", ");
    format!("sides 2\nfamily hop(side: side) {{ }}\naction leap({roles}) is hop\nto play {{ }}")
}

fn parameters(count: usize) -> String {
    let numbers = vec!["1"; count].join(", ");
    format!("sides 2\nto play {{ do hop({numbers}) }}\nto hop({}) {{ }}", listed(count, "@: number", ", "))
}

#[test]
fn as_many_as_there_may_be_are_fine() {
    for rules in [marks(32), roles(6), parameters(8)] {
        assert_eq!(game(&rules).told(), [], "{rules}");
    }
}

#[test]
fn one_more_is_told_with_the_limit_and_what_to_write_instead() {
    let cases = [
        (marks(33), "the game has 33 marks, and there may be 32", "make fields of some: `tired: flag` instead of `mark tired`"),
        (
            roles(7),
            "`leap` has 7 roles, and there may be 6",
            "choose several things in one role, `dice: 2 in …`, or ask for the rest in its `do { … }`",
        ),
        (parameters(9), "`hop` has 9 parameters, and there may be 8", "keep some of what they tell in fields or counters"),
    ];
    for (rules, message, help) in cases {
        assert_eq!(game(&rules).told(), [(codes::TOO_MANY, message.to_string(), help.to_string())]);
        let problems = game(&rules).compile().err().unwrap_or_default();
        assert!(problems.iter().filter(|problem| problem.is_error()).all(|problem| !problem.labels.is_empty()), "{message}");
    }
}
