//! What is forbidden, demanded and looked for: told without looking at each move, and the same as if each were looked at.

use crate::runtime::Session;
use crate::runtime::eval::question::{GroupKind, Question, QuestionForm};
use crate::runtime::flow::Machine;
use crate::testing::{game, position_setup};
use ludex_program::{Expr, NONE, Program, Value};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

const RULES: &str = "
sides 2
die sizes 20
each side has { zone pond, spare: dice, open }
family hunt(active: side) { pack: dice  helper: die or none = none  prey: die  effort: number = 0 }
action pounce(die in active.pond, prey in active.foe.pond) is hunt
  when die.value >= prey.value
  gives pack = die
action crowd(pack: 1 or more in active.pond, prey in active.foe.pond) is hunt
  when sum of pack.value = prey.value
  gives effort = 2
action lure(pack: any number in active.pond, helper in active.spare, prey in active.foe.pond) is hunt
  when sum of pack.value + helper.value = prey.value
action drive(pack: 1 to 3 in active.pond, helper: none or 1 in active.spare, prey in active.foe.pond) is hunt
  gives effort = count of pack
family nap(active: side) {}
action doze is nap
to play { do turn(first of sides) }
entry scope turn(active: side) { active may \"Wait?\" as waits }
";

/// What marks of a die forbid and demand, and what is looked for; and of how many of the four actions that is told without
/// looking at each move.
const CONDITIONS: [(&str, usize); 24] = [
    ("holder in it.pack", 4),
    ("holder not in it.pack", 3),
    ("it is crowd and holder in it.pack", 4),
    ("it is not pounce and holder not in it.pack", 3),
    ("it.prey is holder", 4),
    ("it.prey is not holder and it is crowd", 4),
    ("holder in it.pack and it.prey.value > 5", 2),
    ("it is lure or holder in it.pack and it.prey is not holder", 2),
    ("not (it is crowd and holder in it.pack and it.prey.size < 20)", 4),
    ("it.prey.value > 5", 4),
    ("it.prey.value = holder.value or holder in it.pack", 4),
    ("active is me", 4),
    ("active is me and it is crowd", 4),
    ("it.helper is none", 4),
    ("it.helper is not none and it.helper.value > 3", 4),
    ("it.helper is none or holder in it.pack or it.prey is first of active.foe.pond", 4),
    ("it.effort = 2 and it.prey is holder", 3),
    ("it is hunt and holder.value > 4", 4),
    ("first of active.spare is not none and first of active.spare in it.pack", 4),
    ("any of active.spare has it.value > 3 and it.prey is holder", 4),
    ("holder in it.pack and last of active.pond in it.pack and it.prey is not first of active.foe.pond", 2),
    ("count of it.pack > 1", 1),
    ("it.effort > 1 and holder in it.pack", 3),
    ("sum of it.pack.value > it.prey.value - 2", 0),
];

/// For each condition a game in which it is forbidden, demanded and looked for, and another is forbidden.
fn programs() -> &'static [Arc<Program>] {
    static PROGRAMS: LazyLock<Vec<Arc<Program>>> = LazyLock::new(|| {
        let program = |index: usize| {
            let ((when, _), (other, _)) = (CONDITIONS[index], CONDITIONS[(index * 5 + 7) % CONDITIONS.len()]);
            let marks = format!(
                "mark barred \"\" {{ forbid hunt when {when} }}
                 mark bound \"\" {{ demand hunt when {when} }}
                 mark also_barred \"\" {{ forbid hunt when {other} }}
                 mark sleepy \"\" {{ forbid nap when can hunt(me) where {when} }}"
            );
            game(&format!("{RULES}\npiece die (dice) {{ {marks} }}")).program()
        };
        (0..CONDITIONS.len()).map(program).collect()
    });
    &PROGRAMS
}

/// A die as it is drawn for a test: its value, 0 for none, and the marks that it bears.
type Drawn = (i32, Vec<&'static str>);

fn session(program: &Arc<Program>, mine: &[Drawn], yours: &[Drawn], spare: &[Drawn]) -> Session {
    let face = |value: &i32| if *value == 0 { "null".to_string() } else { value.to_string() };
    let die = |(value, marks): &Drawn| format!("{{size: 20, value: {}, marks: [{}]}}", face(value), marks.join(", "));
    let zone = |dice: &[Drawn]| dice.iter().map(die).collect::<Vec<_>>().join(", ");
    let side = |pond: &[Drawn], spare: &[Drawn]| format!("{{zones: {{pond: [{}], spare: [{}]}}}}", zone(pond), zone(spare));
    let text = format!("sides: [{}, {}]\nat: turn(active: 0)\n", side(mine, spare), side(yours, &[]));
    Session::start(program.clone(), &position_setup(program, &text)).expect("the position is sound")
}

/// A question of the moves of a family of the first side, in which nothing is forbidden yet; `look` gets it with each action
/// in turn as its last. What goes wrong with each is given back.
fn each_action(session: &Session, family: &str, mut look: impl FnMut(&mut Machine, &mut Question, usize)) -> Vec<Option<String>> {
    let mut faults = Vec::new();
    let rules = &session.game.play_context();
    let mut machine = session.ready_machine();
    let info = rules.program.families.iter().find(|info| info.name == family).expect("a family");
    let mut question = Question::default();
    question.begin_question(0, QuestionForm::Options);
    question.begin_context(&[0]);
    question.gathered.begin_family(info.shared.len());
    for action in &info.actions {
        let action_info = &rules.program.actions[usize::from(*action)];
        let base = machine.state.slots.len();
        machine.state.slots.push(0);
        machine.state.slots.resize(base + usize::from(action_info.slots), NONE);
        let (group, gathered) = question.next_group(GroupKind::Action);
        (group.action, group.roles) = (*action, action_info.roles.len());
        machine.count_moves(rules, base, action_info, gathered, &mut group.search);
        group.count = group.search.count;
        machine.state.slots.truncate(base);
        let place = question.groups().len() - 1;
        look(&mut machine, &mut question, place);
        faults.push(machine.fault.take().map(|fault| fault.message.to_string()));
    }
    faults
}

/// What is left of the moves of each action: what fills their roles, what goes wrong, and of how many actions and conditions
/// that was told at once.
struct Sifted {
    moves: Vec<Vec<Vec<Value>>>,
    faults: Vec<Option<String>>,
    told: usize,
}

fn sifted(session: &Session, watched: bool, at_once: bool) -> Sifted {
    let rules = &session.game.play_context();
    let hunt = rules.program.families.iter().position(|info| info.name == "hunt").expect("a family") as u16;
    let restrictions = session.machine.clone().restrictions_on(rules, hunt, 0);
    let (mut moves, mut told) = (Vec::new(), 0);
    let faults = each_action(session, "hunt", |machine, question, place| {
        machine.watched = watched;
        let mut restrictions: Vec<_> = restrictions.iter().collect();
        if at_once {
            let asked = restrictions.len();
            restrictions = machine.remove_forbidden(rules, &restrictions, question, place);
            told += asked - restrictions.len();
        }
        if !restrictions.is_empty() {
            machine.test_each_move(rules, &restrictions, question, place);
        }
        let group = &question.groups()[place];
        moves.extend((0..group.search.count).filter_map(|index| {
            let chosen = question.move_arguments(group, index)?;
            let filled = |role: usize| question.role_things(group, role, chosen[role]).collect();
            Some((0..group.roles).map(filled).collect::<Vec<Vec<Value>>>())
        }));
    });
    Sifted { moves, faults, told }
}

/// Whether each action has a move that fits what a sleepy die looks for: told at once, if that can be, and move by move.
fn found(session: &Session) -> Vec<(Option<bool>, Option<bool>)> {
    let rules = &session.game.play_context();
    let nap = rules.program.families.iter().position(|info| info.name == "nap").expect("a family") as u16;
    let restrictions = session.machine.clone().restrictions_on(rules, nap, 0);
    let Some(restriction) = restrictions.first() else { return Vec::new() };
    let info = rules.program.restrictions.iter().find(|info| info.family == nap).expect("what is forbidden");
    let Expr::CanWhere { slot, condition, .. } = &info.when else { panic!("a mark that looks for a move") };
    let mut found = Vec::new();
    each_action(session, "hunt", |machine, question, place| {
        let base = machine.state.slots.len();
        machine.state.slots.extend(restriction.condition_values(rules, question, &question.groups()[place]));
        machine.state.slots.resize(base + usize::from(info.slots), NONE);
        let told = machine.any_fits_by_narrowing(rules, base, question, place, (*slot, condition));
        let fits = machine.any_fits_by_test(rules, base, question, place, (*slot, condition), &mut u64::MAX.clone());
        found.push((told, machine.fault.is_none().then_some(fits)));
        machine.state.slots.truncate(base);
    });
    found
}

fn dice(most: usize) -> impl Strategy<Value = Vec<Drawn>> {
    let mark = prop::sample::select(vec!["barred", "bound", "also_barred", "sleepy"]);
    let marks = prop_oneof![3 => Just(Vec::new()), 1 => mark.prop_map(|mark| vec![mark])];
    prop::collection::vec((0..=9i32, marks), 0..=most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_left_out_at_once_is_what_is_forbidden_move_by_move(
        index in 0..CONDITIONS.len(),
        mine in dice(7),
        yours in dice(4),
        spare in dice(2),
        watched in any::<bool>(),
    ) {
        let session = session(&programs()[index], &mine, &yours, &spare);
        let (at_once, one_by_one) = (sifted(&session, watched, true), sifted(&session, watched, false));
        for (once, each) in at_once.faults.iter().zip(&one_by_one.faults) {
            // What another condition leaves no move of is asked of none.
            prop_assert!(once.is_none() || once == each, "{}", CONDITIONS[index].0);
        }
        if one_by_one.faults.iter().all(Option::is_none) {
            prop_assert_eq!(at_once.moves, one_by_one.moves, "{}", CONDITIONS[index].0);
        }
        for (told, found) in found(&session) {
            prop_assert!(told.is_none() || told == found, "{}", CONDITIONS[index].0);
        }
    }
}

#[test]
fn the_frequent_conditions_are_told_without_looking_at_each_move() {
    let many: Vec<Drawn> = (1..8).map(|value| (value, Vec::new())).collect();
    let barred = vec![(3, vec!["barred"])];
    let told = |index: usize| {
        let session = session(&programs()[index], &[many.clone(), barred.clone()].concat(), &many, &many[..2]);
        (CONDITIONS[index].0, sifted(&session, true, true).told)
    };
    assert_eq!((0..CONDITIONS.len()).map(told).collect::<Vec<_>>(), CONDITIONS);
}
