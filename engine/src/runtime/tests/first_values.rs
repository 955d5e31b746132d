//! What is there from the beginning says what its fields begin as, where their types do not.

use crate::testing::game;
use ludex_syntax::codes;

const RULES: &str = "sides 2 of 1 racer
sheet racer (racers) { speed: number }
sheet card { rank: number }
piece card (cards) from card { }
die sizes 6";

#[track_caller]
fn told(declaration: &str) -> Vec<(&'static str, String, String)> {
    game(&format!("{RULES}\n{declaration}\nto play {{ }}"))
        .sheet("otter", "sheet: racer\nname: Otter\nspeed: 3\n")
        .error_details()
}

#[test]
fn a_field_that_must_be_somebody_or_something_needs_a_first_value() {
    let cases = [
        ("the table has { next_up: side }", "next_up", "side"),
        ("each side has { leader: racer }", "leader", "racer"),
        ("each side has { last_seen: card }", "last_seen", "card"),
        ("each racer has { stable: zone of dice }", "stable", "zone of dice"),
        ("each racer has { motto: text }", "motto", "text"),
        ("each card has { seen_by: side }", "seen_by", "side"),
    ];
    for (declaration, name, of) in cases {
        let message = format!("`{name}` is a {of} from the beginning, but it is not clear which one");
        let help = format!("write `{of} or none`, or give it a first value: `{name}: {of} = …`");
        assert_eq!(told(declaration), [(codes::NO_FIRST_VALUE, message, help)], "{declaration}");
    }
}

#[test]
fn what_begins_by_itself_or_is_made_with_its_value_needs_none() {
    let fine = [
        "the table has { next_up: side or none }",
        "the table has { next_up: side = first of sides }",
        "each side has { lives: number  half_lives: halves  tired: flag  counter laps }",
        "type sign is one of rock, paper\neach side has { shown_sign: sign }",
        "piece die (dice) { home: zone of dice }",
    ];
    for declaration in fine {
        assert_eq!(told(declaration), [], "{declaration}");
    }
}
