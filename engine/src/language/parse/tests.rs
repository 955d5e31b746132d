use super::*;

const RULES: [&str; 4] = [
    include_str!("../../../../rules/dice-challenge/attacks.ludex"),
    include_str!("../../../../rules/dice-challenge/game.ludex"),
    include_str!("../../../../rules/dice-challenge/play.ludex"),
    include_str!("../../../../rules/dice-challenge/scoring.ludex"),
];

#[test]
fn the_bundled_rules_have_no_problems() {
    for text in RULES {
        let (items, problems) = parse_rules(SourceId(0), text);
        assert_eq!(problems, [], "{text}");
        assert!(!items.is_empty());
    }
}
