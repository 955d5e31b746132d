use super::*;
use ludex_engine::source::SourceId;

fn read_text(text: &str) -> (Vec<Scenario>, Vec<String>) {
    let (root, mut problems) = ludex_engine::yaml::parse_document(text, SourceId(0));
    let scenarios = root.map(|root| read_scenarios(&root, &mut problems)).unwrap_or_default();
    (scenarios, problems.into_iter().map(|problem| problem.message.to_string()).collect())
}

fn play(steps: &str) -> (Vec<Step>, Vec<String>) {
    let text = format!("- name: a hop\n  shows: [PO-1]\n  start: {{sides: [[otter], [duck]]}}\n  play:\n{steps}");
    let (mut scenarios, problems) = read_text(&text);
    (scenarios.pop().map(|scenario| scenario.steps).unwrap_or_default(), problems)
}

#[test]
fn a_scenario_is_read_with_all_its_parts() {
    let (scenarios, problems) = read_text(
        "- name: An otter hops
  shows: [PO-001, PO-002]
  start: {sides: [[otter], {entrants: [duck]}], options: {pebbles: 3}}
  random: [6, 3]
  play:
    - 0: hop(a > b)
    - 0: {legal: [pass], only: [pass, hop(b)], not: {hop(a): \"tired\"}}
    - 1: {action: swim, frogs: [a, b], to: 3}
    - expect: [hopped(a by 0), rolled(a, 6)]
    - exactly: ended
  then: {outcome: none}
",
    );
    assert_eq!(problems, [] as [String; 0]);
    let scenario = &scenarios[0];
    assert_eq!(scenario.name.value, "An otter hops");
    assert_eq!(scenario.heading.options["pebbles"], "3");
    assert_eq!(scenario.random.iter().map(|result| result.value).collect::<Vec<_>>(), [6, 3]);
    let Start::Beginning(sides) = &scenario.start else { panic!("{:?}", scenario.start) };
    assert_eq!(sides[1][0].value, "duck");
    assert_eq!(scenario.steps.len(), 5);
    let StepKind::Options { who: QuestionSeat::Seat(0), expected } = &scenario.steps[1].kind else { panic!() };
    assert_eq!(expected.only.as_ref().map(Vec::len), Some(2));
    assert_eq!((expected.not[0].0.value.as_str(), expected.not[0].1.as_str()), ("hop(a)", "tired"));
    let StepKind::Answer { who: QuestionSeat::Seat(1), answer: Answer::Arguments { action, roles } } = &scenario.steps[2].kind
    else {
        panic!()
    };
    assert_eq!(action.as_deref(), Some("swim"));
    assert_eq!(roles[0], ("frogs".to_string(), vec!["a".to_string(), "b".to_string()]));
    assert_eq!(roles[1], ("to".to_string(), vec!["3".to_string()]));
}

#[test]
fn a_comma_in_parentheses_parts_no_events() {
    let (steps, problems) = play("    - expect: [hopped(a by 0), rolled(a, 6, 7 by 0), ended]\n");
    assert_eq!(problems, [] as [String; 0]);
    let StepKind::Events { patterns, .. } = &steps[0].kind else { panic!() };
    let shown: Vec<String> = patterns.iter().map(|pattern| pattern.value.to_string()).collect();
    assert_eq!(shown, ["hopped(a by 0)", "rolled(a, 6, 7 by 0)", "ended"]);
}

#[test]
fn a_scenario_that_cannot_fail_is_an_error() {
    assert_eq!(play("    - 0: hop\n").1, ["the scenario `a hop` checks nothing"]);
}

#[test]
fn steps_that_are_none_are_told() {
    assert_eq!(play("    - expct: [ended]\n").1, ["a step cannot be `expct`"]);
    assert_eq!(play("    - {0: hop, 1: hop}\n").1, ["a step is one answer or one expectation"]);
    assert_eq!(play("    - expect: [rolled a 6]\n").1, ["this is not an event"]);
    assert_eq!(play("    - 0: {legl: [hop], not: [hop]}\n").1, ["an expectation of options has no key `legl`"]);
}

#[test]
fn the_rules_shown_are_one_to_four() {
    let shows = |list: &str| read_text(&format!("- name: a\n  shows: {list}\n  start: {{sides: []}}\n  then: {{}}\n")).1;
    assert_eq!(shows("[A, B, C, D]"), [] as [String; 0]);
    assert_eq!(shows("[A, B, C, D, E]"), ["a scenario shows one to 4 rules"]);
    assert_eq!(shows("[]"), ["a scenario shows one to 4 rules"]);
}

#[test]
fn play_starts_in_exactly_one_place() {
    let (_, problems) = read_text("- name: a\n  shows: [A]\n  then: {}\n");
    assert_eq!(problems, ["a scenario has neither `position` nor `start`"]);
    let (_, problems) = read_text("- name: a\n  shows: [A]\n  start: {sides: []}\n  position: {}\n  then: {}\n");
    assert_eq!(problems, ["a scenario has both `position` and `start`"]);
}

#[test]
fn a_side_that_brings_nothing_may_be_an_empty_map() {
    let starts = |sides: &str| read_text(&format!("- name: a\n  shows: [A]\n  start: {{sides: {sides}}}\n  then: {{}}\n"));
    assert_eq!(starts("[{}, {}]").1, starts("[[], []]").1);
    assert_eq!(starts("[{entrant: [b]}, {}]").1, ["a side has no key `entrant`"]);
}
