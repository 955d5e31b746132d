//! Numbers and words that sheets print.

use crate::runtime::session::setup::first_values;
use crate::testing::{Table, Texts, game, setup};
use ludex_syntax::codes;

const RULES: &str = "sides 2 of 1..3 racer
type coat is one of fur, feathers
each racer has { counter breath = stamina  tired: number = 10 - breath }
sheet racer (racers) {
  speed: number in 1..12
  coat: coat = fur
  tame: flag = no
  stamina: number = 2 * speed in 0..20
}
to play { each racer in racers { say \"{racer}: {racer.speed} {racer.coat} {racer.tame} {racer.stamina} {racer.breath} {racer.tired}\" } }";

fn racers() -> Texts {
    game(RULES)
        .sheet("otter", "name: Otter\nspeed: 4\n")
        .sheet("heron", "name: Heron\nspeed: 3\ncoat: feathers\ntame: true\nstamina: 1\n")
}

#[test]
fn a_number_on_the_sheet_takes_the_place_of_a_formula() {
    let mut table = racers().play_with_sheets(&["otter", "heron"]);
    assert_eq!(table.new_said_texts(), ["Otter: 4 fur no 8 8 2", "Heron: 3 feathers yes 1 1 9"]);
    table.check();
}

#[test]
fn first_values_are_known_without_a_match() {
    let program = racers().program();
    assert_eq!(first_values(&program, "otter").map(|values| values.len()), Ok(6));
}

#[test]
fn first_values_are_worked_out_once_when_the_library_is_read() {
    let mut program = std::sync::Arc::unwrap_or_clone(racers().program());
    let known = program.sheets.get_mut("otter").and_then(|sheet| sheet.before_play.as_mut()).expect("rules work something out");
    assert_eq!(known.values.as_ref().map(Vec::len), Ok(6));
    known.values = Ok(vec![1; 6]);
    assert_eq!(first_values(&program, "otter"), Ok(vec![1; 6]));
}

#[test]
fn a_first_value_out_of_range_is_told_with_its_sheet() {
    let texts = racers().sheet("hare", "name: Hare\nspeed: 11\n");
    let problems = texts.compile().err().unwrap_or_default();
    let told: Vec<(&str, String)> = problems.iter().map(|problem| (problem.code, problem.message.to_string())).collect();
    assert_eq!(told, [(codes::FIRST_VALUE, "`stamina` of `hare` is worked out as 22, but must be from 0 to 20".to_string())]);
    assert_eq!(problems.first().map(|problem| problem.labels.len()), Some(1));
}

#[test]
fn a_line_worked_out_from_a_list_keeps_to_the_sheet_wherever_the_pieces_lie() {
    let texts = game(
        "sides 2 of 1 burrow
         die sizes 4, 6
         piece die (dice) {}
         sheet burrow (burrows) { zone store: dice, open  amount: number = count of store in 2..9 }
         each burrow has { counter spare = amount + 1 }
         to play { do look }
         entry to look { each burrow in burrows { say \"{burrow.amount} {burrow.spare} {count of burrow.store}\" } }",
    )
    .sheet("deep", "name: Deep\nstore: [4, 4, 6]\n");
    let empty = "{entrants: [deep], zones: {store: []}}";
    assert_eq!(texts.play_from_position(&format!("sides: [{empty}, {empty}]\nat: look\n")).new_said_texts(), ["3 4 0", "3 4 0"]);
}

#[test]
fn a_sheet_must_say_what_the_rules_cannot() {
    let told = racers().sheet("hare", "name: Hare\n").problems();
    assert_eq!(told, ["the racer has no `speed`"]);
}

#[test]
fn a_sheet_cannot_declare_what_every_sheet_says() {
    let told = game("sides 2 of 1 racer\nsheet racer (racers) { note: number = 1 }\nto play { }").problems();
    assert_eq!(told, ["every sheet has a line `note` already"]);
}

#[test]
fn views_show_each_of_several_entrants() {
    let texts = racers();
    let table = Table::new(&texts.program(), &setup(&[&["otter", "otter"], &["otter"]]));
    let view = table.session.view(crate::runtime::Viewer::Spectator);
    let breaths = |side: usize| -> Vec<String> {
        view.sides[side].each.iter().filter_map(|entrant| entrant.counters.get("breath").cloned()).collect()
    };
    assert_eq!((breaths(0), breaths(1)), (vec!["8".to_string(); 2], vec!["8".to_string()]));
    assert_eq!(view.sides[1].counters.get("breath").map(String::as_str), Some("8"));
    assert_eq!(view.sides[0].each[1].fields.get("speed").map(String::as_str), Some("4"));
}

const MEADOW: &str = "sides 2 of 1..3 racer
each racer has { counter breath = 9  rival: racer or none  mark tired }
sheet racer (racers) { }
family step(racer: racer) { }
action chase(past in racers where it is not racer) is step says \"{racer} chases {past}\" do {
  take 2 from past.breath as panted  set racer.rival to past  mark past as tired
}
action rest() is step
to play { each racer in racers { racer must choose step(racer) as step else { skip } do step } }";

#[test]
fn entrants_are_called_by_their_sheets() {
    let texts = game(MEADOW).sheet("otter", "name: Otter\n").sheet("heron", "name: Heron\n");
    let mut table = Table::new(&texts.program(), &setup(&[&["otter", "heron"], &["otter"]]));
    assert_eq!(table.options(0), ["chase(heron)", "chase(otter#2)", "rest"]);
    assert_eq!(table.prompt(0), "Otter: Choose: step");
    table.answer(0, "chase(otter#2)");
    let told = ["chose(chase(otter#2) by 0)", "panted(otter#2, breath, 7 by 1)", "set(otter, rival, otter#2 by 0)"];
    assert_eq!(table.new_event_texts().iter().map(String::as_str).collect::<Vec<_>>()[..3], told);
    assert_eq!(
        table.events.iter().find(|event| event.name == "chose").map(|event| event.text.as_str()),
        Some("Otter: Otter chases Otter (2)")
    );
    assert_eq!(table.prompt(0), "Heron: Choose: step");
    table.answer(0, "rest").check();
}

#[test]
fn an_unknown_entrant_in_a_key_is_refused_by_its_name() {
    let texts = game(MEADOW).sheet("otter", "name: Otter\n").sheet("heron", "name: Heron\n");
    let table = Table::new(&texts.program(), &setup(&[&["otter", "heron"], &["otter"]]));
    let refused = table.session.find_choice(table.decision(0).id, "chase(otter#3)").err().map(|refusal| refusal.reason);
    assert_eq!(refused.as_deref(), Some("`otter#3` cannot be the past"));
}

#[test]
fn questions_put_at_once_name_each_that_is_asked() {
    let one = "each racer in racers { racer must choose step(racer) as step else { skip } do step }";
    let all = "each racer in racers at once must choose number in 1..3 as bids \"Go, {racer}\"";
    let rules = MEADOW.replace(one, all);
    let texts = game(&rules).sheet("otter", "name: Otter\n").sheet("heron", "name: Heron\n");
    let table = Table::new(&texts.program(), &setup(&[&["otter", "heron"], &["otter"]]));
    let prompts: Vec<String> = table.open_decisions().iter().map(|decision| table.session.prompt(decision.id)).collect();
    assert_eq!(prompts, ["Go, Otter", "Go, Heron", "Go, Otter (2)"]);
}
