use super::*;
use crate::exit::USAGE;
use ludex_engine::program::{Sheet, SidesInfo};
use ludex_engine::source::SourceId;
use std::collections::BTreeMap;

fn program() -> Program {
    let sheet = |id: &str| Sheet {
        id: id.to_string(),
        name: id.to_string(),
        kind: 2,
        zones: Vec::new(),
        fields: Vec::new(),
        abilities: Vec::new(),
        print: 0,
        provenance: Default::default(),
        note: None,
        source: SourceId(0),
        before_play: None,
    };
    let sheets = ["cat", "dog", "fox"].into_iter().map(|id| (id.to_string(), sheet(id))).collect();
    game(SidesInfo::with_two_sides(Some(2)), sheets)
}

fn game(sides: SidesInfo, sheets: BTreeMap<String, Sheet>) -> Program {
    let mut program = Program::default();
    program.game.push_str("tag");
    program.title.push_str("Tag");
    program.sides = sides;
    program.sheets = sheets;
    program
}

fn seat(text: &str) -> SeatSpec {
    text.parse().unwrap()
}

fn sides(plan: &Plan, index: u64) -> Vec<Vec<String>> {
    let mut setup = plan.setup_template();
    plan.prepare_setup(&mut setup, index);
    setup.sides
}

#[test]
fn a_game_is_the_same_whenever_it_is_played() {
    let plan = Plan::new(&program(), &[seat("1=fox")], None, 10, 7).unwrap();
    assert_eq!(sides(&plan, 3), sides(&plan, 3));
    assert_eq!(sides(&plan, 3)[1], ["fox"]);
    assert_ne!(plan.seed_of(3), plan.seed_of(4));
}

#[test]
fn sides_that_bring_nothing_are_not_drawn() {
    let bare = game(SidesInfo { least: 2, most: 2, ..SidesInfo::default() }, BTreeMap::new());
    let plan = Plan::new(&bare, &[seat("1=:greedy")], None, 10, 7).unwrap();
    assert_eq!(plan.line_up, LineUp::Same(vec![Vec::new(), Vec::new()]));
    assert_eq!(sides(&plan, 3), [Vec::<String>::new(), Vec::new()]);
    let named = Plan::new(&bare, &[seat("1=greedy")], None, 10, 7).unwrap_err();
    assert_eq!(named.main_problem().message.to_string(), "the sides of Tag bring no entrants, so `greedy` cannot play");
    assert_eq!(named.main_problem().help.as_deref(), Some("name only the player, after a colon: `--seat 1=:greedy`"));
    assert_eq!(Plan::all_pairs(&bare, &[], None, 10, 7).unwrap_err().status, USAGE);
}

#[test]
fn open_sides_are_drawn_for_each_game() {
    let plan = Plan::new(&program(), &[], None, 10, 7).unwrap();
    let firsts: std::collections::BTreeSet<_> = (0..50).map(|index| sides(&plan, index)[0][0].clone()).collect();
    assert_eq!(firsts.len(), 3);
}

#[test]
fn all_ordered_pairs_play_as_often() {
    let plan = Plan::all_pairs(&program(), &[seat("1=:random")], None, 20, 7).unwrap();
    assert_eq!(plan.pair_count(), 9);
    let mut games = [0; 9];
    for index in 0..20 {
        games[plan.pair_of_game(index).unwrap()] += 1;
    }
    assert_eq!((games.iter().min(), games.iter().max()), (Some(&2), Some(&3)));
    assert_eq!(plan.pair_entrants(1), Some(("cat", "dog")));
    assert_eq!(sides(&plan, 0), [["cat"], ["cat"]]);
    assert_eq!(sides(&plan, 19), [["fox"], ["fox"]]);
}

#[test]
fn what_cannot_be_played_is_refused_with_help() {
    let wrong = |seats: &[&str]| {
        let seats: Vec<SeatSpec> = seats.iter().map(|text| seat(text)).collect();
        Plan::new(&program(), &seats, None, 1, 1).unwrap_err().main_problem()
    };
    assert_eq!(wrong(&["0=fxo"]).help.as_deref(), Some("did you mean `fox`?"));
    assert_eq!(wrong(&["2=fox"]).message.to_string(), "there is no seat 2");
    assert_eq!(wrong(&["0=fox,cat"]).message.to_string(), "a side brings 1, not 2");
    assert_eq!(wrong(&["0=fox:human"]).message.to_string(), "a human cannot play here: this command asks no questions");
    assert!(Plan::all_pairs(&program(), &[seat("0=fox")], None, 1, 1).is_err());
}
