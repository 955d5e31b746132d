//! What there may be only so many of is told where it is too many, with what to write instead.

use crate::testing::game;
use ludex_syntax::codes;

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

/// A family that has half of its fields from another.
fn fields(count: usize) -> String {
    let own = listed(count - 6, "@: number = 1", "  ");
    let inherited = "u: number = 1  v: number = 1  w: number = 1  x: number = 1  y: number = 1  z: number = 1";
    format!("sides 2\nfamily deed(side: side) {{ {inherited} }}\nfamily hop(side: side) is deed {{ {own} }}\nto play {{ }}")
}

fn parameters(count: usize) -> String {
    let numbers = vec!["1"; count].join(", ");
    format!("sides 2\nto play {{ do hop({numbers}) }}\nto hop({}) {{ }}", listed(count, "@: number", ", "))
}

#[test]
fn as_many_as_there_may_be_are_fine() {
    for rules in [marks(32), roles(6), fields(12), parameters(8)] {
        assert_eq!(game(&rules).error_details(), [], "{rules}");
    }
}

#[test]
fn one_more_is_told_with_the_limit_and_what_to_write_instead() {
    let cases = [
        (
            marks(33),
            "the game has 33 marks, but at most 32 are allowed",
            "make fields of some: `tired: flag` instead of `mark tired`",
        ),
        (
            roles(7),
            "`leap` has 7 roles, but at most 6 are allowed",
            "choose several things in one role, `dice: 2 in …`, or ask for the rest in its `do { … }`",
        ),
        (
            fields(13),
            "the moves of `hop` have 13 fields, but at most 12 are allowed",
            "compute some of these values in a definition that takes the move's things",
        ),
        (parameters(9), "`hop` has 9 parameters, but at most 8 are allowed", "keep some of these values in fields or counters"),
    ];
    for (rules, message, help) in cases {
        assert_eq!(game(&rules).error_details(), [(codes::TOO_MANY, message.to_string(), help.to_string())]);
        let problems = game(&rules).compile().err().unwrap_or_default();
        assert!(problems.iter().filter(|problem| problem.is_error()).all(|problem| !problem.labels.is_empty()), "{message}");
    }
}

/// So many definitions, each of which needs the next as `needs` says.
fn definitions(count: usize, needs: &str) -> String {
    let define = |number: usize| format!("define a{number} = {}\n", needs.replace('@', &format!("a{}", number + 1)));
    let defines: String = (1..count).map(define).collect();
    format!("sides 2\n{defines}define a{count} = 1\nto play {{ say \"{{a1}}\" }}")
}

#[test]
fn definitions_that_come_to_too_much_are_told_at_once() {
    for rules in [definitions(100, "@ + 1"), definitions(12, "@ + @")] {
        assert_eq!(game(&rules).error_details(), []);
    }
    let help = "compute a part in a statement before, and give it a name: `let total = …`";
    for (rules, name) in
        [(definitions(101, "@ + 1"), "a101"), (definitions(4_000, "@ + 1"), "a101"), (definitions(40, "@ + @"), "a40")]
    {
        let message = format!("`{name}` is one definition too many in this expression");
        assert_eq!(game(&rules).error_details(), [(codes::TOO_MANY, message, help.to_string())]);
    }
}

#[test]
fn nobody_can_play_a_game_of_no_sides_or_of_too_many() {
    let told = |sides: &str| {
        game(&format!("sides {sides}\nsheet racer (racers) {{ }}\nto play {{ }}"))
            .error_details()
            .into_iter()
            .map(|(_, message, _)| message)
            .collect::<Vec<_>>()
    };
    assert_eq!(told("2..4 of 1..12 racer"), Vec::<String>::new());
    assert_eq!(told("0"), ["a game cannot be played with 0 sides"]);
    assert_eq!(told("5..2"), ["a game cannot be played with 5 to 2 sides"]);
    assert_eq!(told("100000"), ["a game cannot be played with 100000 sides"]);
    assert_eq!(told("2 of 3..1 racer"), ["a game cannot be played with 3 to 1 entrants"]);
    let option = game("sides 2\noption laps = 5 in 9..1\nto play { if laps = 3 { stop } }").error_details();
    assert_eq!(option[0].1, "there are no numbers from 9 to 1");
}
