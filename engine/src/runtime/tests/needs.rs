//! What conditions on moves need is asked before what takes longer, and of as few things as can be.

use crate::testing::game;
use ludex_compiler::compile::is_simple_read;
use ludex_program::{Expr, SearchPlan};

const RULES: &str = r#"
    sides 2
    type form is one of nothing, single, straight
    piece card (cards) { rank: number }
    each side has { zone hand: cards, open }
    the table has {
      lead: form, shown
      lowest: number, shown
      length: number, shown
    }
    family play_of(active: side) {}
    define beats(form: form, rank: number) = lead is nothing or (lead is form and rank > lowest)
    define follow(active: side, rank: number) = count of (active.hand where it.rank > rank)
    action single(card in active.hand) is play_of when beats(single, card.rank) says "{card.rank}"
    action straight(card in active.hand, far in (1..3)) is play_of
      when follow(active, card.rank) >= far
      when lead is nothing or (lead is straight and card.rank > lowest and length = far)
      says "{far} from {card.rank}"
    to play {
      let me = first of sides
      count rank from 1 to 3 { create card(rank: rank) in me.hand for me }
      BEFORE
      me may choose play_of as played "Well?"
      say "{played is none}"
    }"#;

/// The moves that are offered.
fn offered(before: &str) -> Vec<String> {
    let mut options = game(&RULES.replace("BEFORE", before)).play().options(0);
    options.retain(|option| option != "pass");
    options
}

#[test]
fn the_part_that_no_role_decides_is_a_guard() {
    let program = game(&RULES.replace("BEFORE", "")).program();
    let guards = |name: &str| program.actions.iter().find(|action| action.name == name).map(|action| action.guard.len());
    assert_eq!((guards("single"), guards("straight")), (Some(1), Some(1)));
    let SearchPlan::Walk(conditions) = &program.actions[1].search else { panic!("pairs are looked at one by one") };
    assert!(is_simple_read(&conditions[0].expr), "what is read at once is asked first");
}

#[test]
fn a_role_is_told_what_it_needs_whatever_fills_the_others() {
    let bids = RULES
        .replace("card in active.hand, far in (1..3)", "far in (1..3), card in active.hand")
        .replace(
            "lead is nothing or (lead is straight and card.rank > lowest and length = far)",
            "far > length or (far = length and card.rank + card.rank > lowest + lowest)",
        )
        .replace("when follow(active, card.rank) >= far", "");
    let program = game(&bids.replace("BEFORE", "")).program();
    assert_eq!(program.actions[1].roles[0].tests.len(), 1, "`far` is not below `length`");
    let offered = |length: u8| {
        let rules = bids.replace("BEFORE", &format!("set length to {length} set lowest to 2"));
        game(&rules).play().options(0).iter().filter(|option| option.contains("straight")).count()
    };
    // Lengths above the last with each of three cards, and the same length with the one that is higher.
    assert_eq!([offered(0), offered(1), offered(2), offered(3)], [9, 7, 4, 1]);
}

#[test]
fn where_enough_is_known_the_last_role_takes_whatever_there_is() {
    let rules = |condition: &str| {
        RULES
            .replace("card in active.hand, far in (1..3)", "far in (1..3), card in active.hand")
            .replace("lead is nothing or (lead is straight and card.rank > lowest and length = far)", condition)
            .replace("when follow(active, card.rank) >= far", "")
    };
    let enough = |condition: &str| game(&rules(condition).replace("BEFORE", "")).program().actions[1].enough.clone();
    assert!(matches!(enough("far > length or (far = length and card.rank > lowest)"), Some(Expr::Compare(..))));
    assert_eq!(enough("far > length and card.rank > lowest"), None);
    // What might fail first is asked first.
    assert_eq!(enough("follow(active, card.rank) > 1 or far > length"), None);
}

#[test]
fn what_lets_all_candidates_pass_is_asked_once() {
    let rules = |condition: &str| RULES.replace("beats(single, card.rank)", condition);
    let settled = |condition: &str| game(&rules(condition).replace("BEFORE", "")).program().actions[0].roles[0].settled.clone();
    let condition = "lead is nothing or follow(active.foe, 0) > 2 or card.rank > lowest or length = 2";
    let [Some(found)] = &settled(condition)[..] else { panic!("{:?}", settled(condition)) };
    assert!(matches!(found.by, Expr::Or(..)) && matches!(found.rest, Expr::Or(..)), "{found:?}");
    // What a candidate decides is asked first, and what is asked behind it might fail.
    assert_eq!(settled("card.rank > lowest or follow(active, 0) > 2"), [None]);
    let offered = |condition: &str, before: &str| {
        let table = game(&rules(condition).replace("BEFORE", before)).play();
        table.options(0).iter().filter(|option| option.starts_with("single")).count()
    };
    assert_eq!(offered(condition, "set lowest to 2"), 3);
    assert_eq!(offered(condition, "set lead to single set lowest to 2"), 1);
    assert_eq!(offered(condition, "set lead to single set lowest to 2 set length to 2"), 3);
    let fill = "set lead to single set lowest to 2 count rank from 1 to 3 { create card(rank: rank) in me.foe.hand for me.foe }";
    assert_eq!(offered(condition, fill), 3);
    // Nobody asks what fails where nothing is to be chosen.
    let failing = "6 divided by lowest rounded up > 2 or card.rank > 1";
    assert_eq!(offered(failing, "set lowest to 1"), 3);
    game(&rules(failing).replace("BEFORE", "each card in me.hand { remove card }")).play();
    game(&rules(failing).replace("BEFORE", "")).fault();
}

#[test]
fn the_moves_are_those_that_the_conditions_leave() {
    assert_eq!(offered("").len(), 6);
    assert_eq!(offered("set lead to single set lowest to 2").len(), 1);
    assert_eq!(offered("set lead to straight set length to 1").len(), 2);
    assert_eq!(offered("set lead to straight set length to 2").len(), 1);
}
