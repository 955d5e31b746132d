use super::*;
use ludex_engine::program::{Sheet, SidesInfo};
use ludex_engine::source::SourceId;

fn program() -> Program {
    let sheet = |id: &str| Sheet {
        id: id.to_string(),
        name: id.to_string(),
        kind: 2,
        zones: Vec::new(),
        abilities: Vec::new(),
        provenance: Default::default(),
        note: None,
        source: SourceId(0),
    };
    let sheets = ["cat", "dog", "fox"].into_iter().map(|id| (id.to_string(), sheet(id))).collect();
    let sides = SidesInfo { least: 2, most: 2, entrants_least: 1, entrants_most: 1, entrant: Some(2), ring: false };
    Program { game: "tag".to_string(), sides, sheets, ..Program::default() }
}

fn seat(text: &str) -> SeatSpec {
    text.parse().unwrap()
}

fn sides(plan: &Plan, index: u64) -> Vec<Vec<String>> {
    let mut setup = plan.setup();
    plan.prepare(&mut setup, index);
    setup.sides
}

#[test]
fn a_game_is_the_same_whenever_it_is_played() {
    let plan = Plan::new(&program(), &[seat("1=fox")], 10, 7).unwrap();
    assert_eq!(sides(&plan, 3), sides(&plan, 3));
    assert_eq!(sides(&plan, 3)[1], ["fox"]);
    assert_ne!(plan.seed_of(3), plan.seed_of(4));
}

#[test]
fn open_sides_are_drawn_for_each_game() {
    let plan = Plan::new(&program(), &[], 10, 7).unwrap();
    let firsts: std::collections::BTreeSet<_> = (0..50).map(|index| sides(&plan, index)[0][0].clone()).collect();
    assert_eq!(firsts.len(), 3);
}

#[test]
fn all_ordered_pairs_play_in_turn() {
    let plan = Plan::all_pairs(&program(), &[seat("1=:random")], 18, 7).unwrap();
    assert_eq!(plan.pairs(), 9);
    let pairs: std::collections::BTreeSet<_> = (0..9).map(|index| sides(&plan, index)).collect();
    assert_eq!(pairs.len(), 9);
    assert_eq!(sides(&plan, 1), sides(&plan, 10));
    assert_eq!(plan.pair(plan.pair_of(10).unwrap()), Some(("cat", "dog")));
}

#[test]
fn what_cannot_be_played_is_refused_with_help() {
    let wrong = |seats: &[&str]| {
        let seats: Vec<SeatSpec> = seats.iter().map(|text| seat(text)).collect();
        Plan::new(&program(), &seats, 1, 1).unwrap_err()
    };
    assert_eq!(wrong(&["0=fxo"]).help.as_deref(), Some("did you mean `fox`?"));
    assert_eq!(wrong(&["2=fox"]).message, "`tag` has no side 2");
    assert_eq!(wrong(&["0=fox,cat"]).message, "side 0 has 2 entrants and needs 1");
    assert_eq!(wrong(&["0=fox:human"]).message, "nobody is asked here, so no human can play");
    assert!(Plan::all_pairs(&program(), &[seat("0=fox")], 1, 1).is_err());
}
