//! Moves put together in steps, and moves found by their keys.

use crate::runtime::{Choice, Draft, Drafted, Form, MoveStep, Session};
use crate::testing::{Table, Texts, game, setup};

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
    session.step(1, draft).expect("a step")
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

fn whole_moves(session: &Session, draft: &Draft, into: &mut Vec<u64>) {
    let step = step(session, draft);
    assert!(step.number <= step.of, "step {} of {}", step.number, step.of);
    for answer in answers(&step) {
        match session.drafted(1, draft, answer).expect("an answer that may be given") {
            Drafted::Further(further) => whole_moves(session, &further, into),
            Drafted::Whole(Choice::Option(index)) => into.push(index),
            Drafted::Whole(other) => panic!("{other:?} is no move"),
        }
    }
}

#[test]
fn steps_lead_to_every_move_and_to_each_once() {
    for racers in [[1, 1], [2, 3], [1, 5]] {
        let table = meadow(racers);
        let mut reached = Vec::new();
        whole_moves(&table.session, &Draft::default(), &mut reached);
        reached.sort_unstable();
        let count = table.open()[0].count;
        assert_eq!(reached, (0..count).collect::<Vec<u64>>(), "{racers:?}");
    }
}

#[test]
fn keys_name_every_move() {
    let table = meadow([2, 3]);
    for index in 0..table.open()[0].count {
        let key = table.session.option(1, index).expect("an option").key;
        assert_eq!(table.session.find(1, &key), Ok(Choice::Option(index)), "{key}");
    }
}

#[test]
fn members_of_a_free_set_come_in_any_order() {
    let table = meadow([1, 3]);
    let found = |key: &str| table.session.find(1, key).map_err(|refusal| refusal.reason);
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
        let Some(Drafted::Further(further)) = table.session.drafted(1, &draft, Choice::Option(answer)) else { panic!("a step") };
        draft = further;
        let step = step(&table.session, &draft);
        told.push(format!("{} of {}: {}", step.number, step.of, step.about));
    }
    assert_eq!(told, ["2 of 4: dash: level", "3 of 4: dash: length", "4 of 4: dash: targets"]);
    assert_eq!(step(&table.session, &draft).form, Form::Some { min: 1, max: 3 });
    let Some(Drafted::Whole(choice)) = table.session.drafted(1, &draft, Choice::Options(vec![0, 2])) else { panic!("a move") };
    assert_eq!(Ok(choice), table.session.find(1, "dash(1>heron+heron#3>5)"));
    draft.back();
    assert_eq!(step(&table.session, &draft).number, 3);
}

#[test]
fn an_answer_that_may_not_be_given_is_none() {
    let table = meadow([1, 3]);
    let draft = Draft::default();
    assert_eq!(table.session.drafted(1, &draft, Choice::Option(5)), None);
    assert_eq!(table.session.drafted(1, &draft, Choice::Number(1)), None);
    assert_eq!(table.session.drafted(2, &draft, Choice::Option(0)), None);
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
    assert_eq!(table.open()[0].count, 1_835_237_017_323);
    let key = "dash(otter#13+otter#40+otter#72)";
    let Ok(Choice::Option(index)) = table.session.find(1, key) else { panic!("a move") };
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

#[test]
fn a_great_many_sums_are_put_in_steps_and_found_by_key() {
    let table = game(CROWD).play();
    assert_eq!(table.open()[0].count, 9_151);
    // No die is high enough to bite, so that there is one kind of move.
    let first = step(&table.session, &Draft::default());
    assert_eq!((first.about.as_str(), first.options.len()), ("crowd: prey", 2));
    let Some(Drafted::Further(draft)) = table.session.drafted(1, &Draft::default(), Choice::Option(1)) else { panic!("a step") };
    let dice = step(&table.session, &draft);
    assert_eq!(dice.about, "crowd: dice");
    let last = dice.options.len() as u64 - 1;
    let Some(Drafted::Whole(Choice::Option(index))) = table.session.drafted(1, &draft, Choice::Option(last)) else {
        panic!("a move")
    };
    let key = table.session.option(1, index).expect("an option").key;
    assert_eq!(table.session.find(1, &key), Ok(Choice::Option(index)));
}
