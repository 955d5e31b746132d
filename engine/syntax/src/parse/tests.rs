use super::*;
use crate::codes;
use crate::problem::Severity;
use crate::source::Sources;

mod forms;
mod hardening;
mod mistakes;
mod outlines;
mod reference;
mod shape;
mod trees;

const RULES: [&str; 4] = [
    include_str!("../../../../rules/dice-challenge/attacks.ludex"),
    include_str!("../../../../rules/dice-challenge/game.ludex"),
    include_str!("../../../../rules/dice-challenge/play.ludex"),
    include_str!("../../../../rules/dice-challenge/scoring.ludex"),
];

const SCRIPTS: [&str; 11] = [
    include_str!("../../../../scripts/dice-challenge/command-centre.rhai"),
    include_str!("../../../../scripts/dice-challenge/crystal-ball.rhai"),
    include_str!("../../../../scripts/dice-challenge/crystal-tokyo.rhai"),
    include_str!("../../../../scripts/dice-challenge/dark-kingdom.rhai"),
    include_str!("../../../../scripts/dice-challenge/death-phantom.rhai"),
    include_str!("../../../../scripts/dice-challenge/droid-dice.rhai"),
    include_str!("../../../../scripts/dice-challenge/kings-hologram.rhai"),
    include_str!("../../../../scripts/dice-challenge/legendary-silver-crystal.rhai"),
    include_str!("../../../../scripts/dice-challenge/malefic-black-crystal.rhai"),
    include_str!("../../../../scripts/dice-challenge/masked-defender.rhai"),
    include_str!("../../../../scripts/dice-challenge/planet-power.rhai"),
];

/// Each problem in a line: where, what, and the place's words with the remark.
fn told(text: &str, problems: &[Problem]) -> Vec<String> {
    let mut sources = Sources::default();
    sources.add("pond.ludex", text);
    let told = |problem: &Problem| {
        let (span, remark) = problem.labels.first().expect("every problem has a place");
        let (line, column) = sources.line_column(*span);
        let mark = if problem.severity == Severity::Warning { "warning: " } else { "" };
        format!("{line}:{column} {mark}{} [{}: {remark}]", problem.message, sources.span_text(*span))
    };
    problems.iter().map(told).collect()
}

/// The problems of some rules.
fn problems(text: &str) -> Vec<String> {
    told(text, &parse_rules(SourceId(0), text).problems)
}

/// The items of rules without problems.
fn items(text: &str) -> Vec<Item> {
    let ParsedRules { items, problems, .. } = parse_rules(SourceId(0), text);
    assert_eq!(told(text, &problems), Vec::<String>::new(), "{text}");
    items
}

/// The ability of a script without problems.
fn ability(text: &str) -> Ability {
    let (ability, problems) = parse_ability(SourceId(0), text);
    assert_eq!(told(text, &problems), Vec::<String>::new(), "{text}");
    ability.expect("a header without problems has an ability")
}
