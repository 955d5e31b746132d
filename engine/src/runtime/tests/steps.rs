//! Moves put together in steps, and moves found by their keys.

use crate::runtime::limits::MOST_LISTED_SETS;
use crate::runtime::question::steps::DraftOutcome;
use crate::runtime::{Choice, Draft, DraftProgress, Form, MoveStep, Session};
use crate::testing::{Table, Texts, game, setup};
use std::collections::BTreeSet;

const RULES: &str = "sides 2 of 1..12 racer
sheet racer (racers) { }
define rivals(racer: racer) = racers where it.owner is not racer.owner
family ploy(racer: racer) { }
action rest is ploy
action nudge(other: none or 1 in rivals(racer)) is ploy
action dash(level in (1..2), targets: 1 to 3 in rivals(racer), length in (4..5)) is ploy
action swap(one in racers, other in racers) is ploy
  when one is not other
action herd(flock: 2 or more in rivals(racer), shepherd in racers) is ploy
  when not (shepherd in flock)
to play { each racer in racers { racer must choose ploy(racer) as ploy else { } } }";

fn meadow(racers: [usize; 2]) -> Table {
    let texts: Texts = game(RULES).sheet("otter", "name: Otter\n").sheet("heron", "name: Heron\n");
    let sides = [vec!["otter"; racers[0]], vec!["heron"; racers[1]]];
    Table::new(&texts.program(), &setup(&[&sides[0], &sides[1]]))
}

fn step(session: &Session, draft: &Draft) -> MoveStep {
    session.next_draft_step(1, draft).expect("a step")
}

/// All answers to a step.
fn answers(step: &MoveStep) -> Vec<Choice> {
    let count = step.options.len() as u64;
    match step.form {
        Form::Some { min, max } => {
            let sets = (0..1u64 << count).map(|set| (0..count).filter(|bit| set >> bit & 1 == 1).collect::<Vec<_>>());
            sets.filter(|set| (min..=max).contains(&(set.len() as u64))).map(Choice::Options).collect()
        }
        _ => (0..count).map(Choice::Option).collect(),
    }
}

/// Gathers the moves to which a draft can lead, if of more sets than so many the members are chosen one by one.
fn whole_moves(session: &Session, answers_given: &[Choice], most_listed: u64, into: &mut Vec<u64>) {
    let draft = Draft::from_answers(answers_given.to_vec());
    let step = match session.draft_outcome(1, &draft, most_listed) {
        Some(DraftOutcome::To(step)) => step,
        Some(DraftOutcome::Whole(Choice::Option(index))) => return into.push(index),
        _ => panic!("{answers_given:?} leads nowhere"),
    };
    assert!(step.number == answers_given.len() + 1 && step.number <= step.of, "step {} of {}", step.number, step.of);
    assert!(step.options.len() > 1, "{step:?}");
    for answer in answers(&step) {
        whole_moves(session, &[answers_given, &[answer]].concat(), most_listed, into);
    }
}

#[test]
fn steps_lead_to_every_move_and_to_each_once() {
    for racers in [[1, 1], [2, 3], [1, 5]] {
        let table = meadow(racers);
        let mut reached = Vec::new();
        whole_moves(&table.session, &[], MOST_LISTED_SETS, &mut reached);
        reached.sort_unstable();
        let count = table.open_decisions()[0].count;
        assert_eq!(reached, (0..count).collect::<Vec<u64>>(), "{racers:?}");
    }
}

/// Some dice of a side against one of the other that shows 7 and one that shows 4.
fn swarm(small: &[i32], large: usize) -> Table {
    let dice: String = small.iter().map(|value| format!("create die(size: 20, value: {value}) in me.pond for me\n")).collect();
    let large = format!("repeat {large} times {{ create die(size: 20, value: 19) in me.pond for me }}\n");
    game(&format!(
        "sides 2
die sizes 20
each side has {{ zone pond: dice, open }}
family ploy(side: side) {{ }}
action crowd(dice: 1 or more in side.pond, prey in side.foe.pond) is ploy
  when sum of dice.value = prey.value
to play {{
  let me = first of sides
  {dice} {large}
  create die(size: 20, value: 7) in me.foe.pond for me.foe
  create die(size: 20, value: 4) in me.foe.pond for me.foe
  me must choose ploy(me) as ploy else {{ }}
}}"
    ))
    .play()
}

#[test]
fn members_that_are_chosen_one_by_one_lead_to_every_set() {
    // Searched, written down, found by rank, and moves that are looked through.
    let tables = [swarm(&[3, 4, 2, 1, 1], 1), swarm(&[3, 4, 2, 1, 1], 9), swarm(&[3, 4, 2, 1, 1], 18), meadow([1, 3])];
    for table in &tables {
        let count = table.open_decisions()[0].count;
        for most_listed in [0, 2, 5] {
            let mut reached = Vec::new();
            whole_moves(&table.session, &[], most_listed, &mut reached);
            let reached: BTreeSet<u64> = reached.into_iter().collect();
            assert_eq!(reached, (0..count).collect(), "at most {most_listed} sets are listed");
        }
    }
    assert_eq!(tables.each_ref().map(|table| table.open_decisions()[0].count), [8, 8, 8, 52]);
}

#[test]
fn keys_name_every_move() {
    let table = meadow([2, 3]);
    for index in 0..table.open_decisions()[0].count {
        let key = table.session.option(1, index).expect("an option").key;
        assert_eq!(table.session.find_choice(1, &key), Ok(Choice::Option(index)), "{key}");
    }
}

#[test]
fn members_of_a_free_set_come_in_any_order() {
    let table = meadow([1, 3]);
    let found = |key: &str| table.session.find_choice(1, key).map_err(|refusal| refusal.reason);
    assert_eq!(found("dash(2>heron#3+heron>4)"), found("dash(2>heron+heron#3>4)"));
    assert!(found("dash(2>heron#3+heron>4)").is_ok());
    assert!(found("nudge(none)").is_ok());
    for wrong in [
        "dash(2>heron+heron>4)",
        "dash(2>>4)",
        "dash(2>heron)",
        "dash(3>heron>4)",
        "rest(heron)",
        "nudge(otter)",
        "dash(2>none>4)",
    ] {
        assert!(found(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn single_roles_are_chosen_before_sets() {
    let table = meadow([1, 3]);
    let first = step(&table.session, &Draft::default());
    let texts: Vec<&str> = first.options.iter().map(|option| option.text.as_str()).collect();
    assert_eq!(texts, ["rest", "nudge …", "dash …", "swap …", "herd …"]);
    let mut draft = Draft::default();
    let mut told = Vec::new();
    for answer in [2, 0, 1] {
        let Some(DraftProgress::Further(further)) = table.session.add_to_draft(1, &draft, Choice::Option(answer)) else {
            panic!("a step")
        };
        draft = further;
        let step = step(&table.session, &draft);
        told.push(format!("{} of {}: {}", step.number, step.of, step.about));
    }
    assert_eq!(told, ["2 of 4: dash: level", "3 of 4: dash: length", "4 of 4: dash: targets"]);
    assert_eq!(step(&table.session, &draft).form, Form::Some { min: 1, max: 3 });
    let Some(DraftProgress::Whole(choice)) = table.session.add_to_draft(1, &draft, Choice::Options(vec![0, 2])) else {
        panic!("a move")
    };
    assert_eq!(Ok(choice), table.session.find_choice(1, "dash(1>heron+heron#3>5)"));
    draft.undo_answer();
    assert_eq!(step(&table.session, &draft).number, 3);
}

#[test]
fn an_answer_that_may_not_be_given_is_none() {
    let table = meadow([1, 3]);
    let draft = Draft::default();
    assert_eq!(table.session.add_to_draft(1, &draft, Choice::Option(5)), None);
    assert_eq!(table.session.add_to_draft(1, &draft, Choice::Number(1)), None);
    assert_eq!(table.session.add_to_draft(2, &draft, Choice::Option(0)), None);
}

#[test]
fn sets_of_up_to_64_things_are_counted() {
    let rules = "sides 6 of 12 racer
sheet racer (racers) { }
family ploy(racer: racer) { }
action dash(targets: 1 to 12 in racers where it.owner is not racer.owner) is ploy
to play { the first of racers must choose ploy(the first of racers) as ploy else { } }";
    let rules = rules.replace("the first of racers", "first of racers");
    let texts = game(&rules).sheet("otter", "name: Otter\n");
    let side = ["otter"; 12];
    let table = Table::new(&texts.program(), &setup(&[&side, &side, &side, &side, &side, &side]));
    assert_eq!(table.open_decisions()[0].count, 1_835_237_017_323);
    let key = "dash(otter#13+otter#40+otter#72)";
    let Ok(Choice::Option(index)) = table.session.find_choice(1, key) else { panic!("a move") };
    assert_eq!(table.session.option(1, index).map(|option| option.key).as_deref(), Some(key));
}

/// Many dice of a side against two of the other, which add up to a great many moves.
const CROWD: &str = "sides 2
die sizes 12, 20
each side has { zone pond: dice, open }
family ploy(side: side) { }
action bite(die in side.pond, prey in side.foe.pond) is ploy
  when die.value >= prey.value
action crowd(dice: 2 or more in side.pond, prey in side.foe.pond) is ploy
  when sum of dice.value = prey.value
to play {
  let me = first of sides
  repeat 8 times { create die(size: 12, value: 1) in me.pond for me  create die(size: 12, value: 2) in me.pond for me }
  create die(size: 20, value: 16) in me.foe.pond for me.foe
  create die(size: 20, value: 15) in me.foe.pond for me.foe
  me must choose ploy(me) as ploy else { }
}";

/// The step that some answers lead to.
fn after(table: &Table, given: &[u64]) -> MoveStep {
    step(&table.session, &Draft::from_answers(given.iter().copied().map(Choice::Option).collect()))
}

fn keys(step: &MoveStep) -> Vec<&str> {
    step.options.iter().map(|option| option.key.as_str()).collect()
}

#[test]
fn of_a_great_many_sets_the_members_are_chosen_one_by_one() {
    let table = game(CROWD).play();
    assert_eq!(table.open_decisions()[0].count, 9_151);
    // No die is high enough to bite, so that there is one kind of move.
    let first = step(&table.session, &Draft::default());
    assert_eq!((first.about.as_str(), first.options.len(), first.of), ("crowd: prey", 2, 13));
    let dice = after(&table, &[1]);
    assert_eq!((dice.about.as_str(), dice.number, dice.of, dice.options.len()), ("crowd: dice", 2, 13, 16));
    // With seven of the dice that show 2 there is only the choice of the one that shows 1.
    let further = after(&table, &[1, 15, 1, 2, 3, 4, 5]);
    assert_eq!(further.about, "crowd: dice, d12:2, d12:2, d12:2, d12:2, d12:2 and d12:2 so far");
}

/// Where some answers lead if the members of all sets are chosen one by one.
fn led(table: &Table, given: &[u64]) -> Option<DraftOutcome> {
    let given = given.iter().copied().map(Choice::Option).collect();
    table.session.draft_outcome(1, &Draft::from_answers(given), 0)
}

/// The key of the move that they lead to.
fn led_to(table: &Table, given: &[u64]) -> Option<String> {
    match led(table, given)? {
        DraftOutcome::Whole(choice) => table.session.choice_key(1, &choice),
        DraftOutcome::To(_) => None,
    }
}

#[test]
fn each_step_offers_the_members_that_can_still_lead_to_a_move() {
    let table = swarm(&[3, 4, 2, 1, 1], 18);
    let told = |given: &[u64]| match led(&table, given) {
        Some(DraftOutcome::To(step)) => format!("{} of {}: {}: {}", step.number, step.of, step.about, keys(&step).join(" ")),
        _ => panic!("{given:?} leads to no step"),
    };
    assert_eq!(told(&[]), "1 of 5: crowd: prey: choose(23) choose(24)");
    assert_eq!(told(&[1]), "2 of 4: crowd: dice: choose(0) choose(1) choose(2) choose(3) choose(4)");
    assert_eq!(told(&[1, 0]), "3 of 3: crowd: dice, d20:3 so far: choose(3) choose(4)");
    // What is left is one way to go on, or none.
    assert_eq!(led_to(&table, &[1, 1]).as_deref(), Some("crowd(1>24)"));
    assert_eq!(led_to(&table, &[1, 0, 1]).as_deref(), Some("crowd(0+4>24)"));
    assert_eq!(led_to(&table, &[0, 4, 2, 0]).as_deref(), Some("crowd(0+2+3+4>23)"));
}

#[test]
fn what_adds_nothing_to_a_sum_may_be_left_out() {
    let table = swarm(&[4, 0, 3], 20);
    let Some(DraftOutcome::To(step)) = led(&table, &[1, 0]) else { panic!("a step") };
    assert_eq!((keys(&step), step.options[1].text.as_str()), (vec!["choose(1)", "done"], "no more than d20:4"));
    assert_eq!(led_to(&table, &[1, 0, 1]).as_deref(), Some("crowd(0>24)"));
    assert_eq!(led_to(&table, &[1, 0, 0]).as_deref(), Some("crowd(0+1>24)"));
    assert!(led(&table, &[1, 0, 2]).is_none());
}
