//! Cards and decks of one's own, in a folder outside of the repository.

use crate::support::{Folder, Run, ludex_in};

const MONSTERS: &str = "sheets:
  paper-crane:
    sheet: monster
    name: Paper Crane
    clan: negaverse
    health: 30
    points: 1
    weak: [soul]
    strong: [body]
    attacks:
      - {name: Folded Wing, damage: 10}
    number: 1
    abilities: [{avoid: {cost: [mind]}}]
  mirror-knight:
    sheet: monster
    name: Mirror Knight
    clan: dark_moon
    health: 60
    points: 2
    weak: [mind]
    strong: [soul]
    number: 2
    abilities: [second-thoughts]
";

const SECOND_THOUGHTS: &str = "//! ability second-thoughts \"Second Thoughts\"
//!   \"Discard a Mind Power and win a challenge: the attackers have 10 more damage.\"
//! uses 1 per fight
//!
//! offer second_thoughts at defending(strike)
//!   when strike.target is holder and can_defend(strike, [mind])
//!   says \"{holder} makes the attackers think again\"

fn second_thoughts(strike, me) {
    pay_defence(strike, [\"mind\"]);
    if challenge(me, attacking_side(strike)) == \"win\" {
        for ally in attackers() { wound(ally, 10, me); }
    }
}
";

/// Sailor Moon attacks an Enemy that bears one Mind Power; what happens then.
fn scenario(name: &str, enemy: &str, then: &str) -> String {
    format!(
        "- name: {name}
  position:
    sides:
      - entrants: [moon]
        zones: {{allies: [{{card: sailor-moon-1, id: moon, power: {{power-soul: 2}}}}], hand: [luna]}}
        counters: {{turns_had: 1}}
      - entrants: [mercury]
        zones: {{allies: [sailor-mercury-1], enemies: [{{card: {enemy}, id: enemy, power: {{power-mind: 1}}}}]}}
        counters: {{turns_had: 1}}
    table: {{on_turn: 0, next_up: 1}}
    at: \"actions(active: 0)\"
  play:
    - 0: \"attack(moon > moon-tiara-magic > enemy)\"
{then}"
    )
}

const FLIES_AWAY: &str = "    - 1: avoid
    - expect: [\"said(\\\"the attack is avoided\\\")\"]
";
const THINKS_AGAIN: &str = "    - 1: second_thoughts
    - 1: rock
    - 0: scissors
    - expect: [\"struck_for(moon, 10)\"]
";

fn check_deck(name: &str, cards: &str) -> Run {
    let folder = Folder::new(name);
    folder.write("characters/sailor-moon-ccg/decks/mine.yaml", &format!("name: Mine\nsheet: deck\ndraw_pile: {{{cards}}}\n"));
    ludex_in(&folder, &["check"], "")
}

#[track_caller]
fn is_refused(name: &str, cards: &str, why: &str) {
    let run = check_deck(name, cards);
    assert_eq!(run.status, 1, "{}{}", run.stdout, run.stderr);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains(why), "`{why}` is not in\n{told}");
}

#[test]
fn a_new_card_is_an_entry_and_a_new_effect_a_script() {
    let folder = Folder::new("cards");
    folder.write("characters/sailor-moon-ccg/mine.yaml", MONSTERS);
    folder.write("scripts/sailor-moon-ccg/second-thoughts.rhai", SECOND_THOUGHTS);
    let crane = scenario("The Crane flies away for a Mind Power", "paper-crane", FLIES_AWAY);
    let knight = scenario("The Knight makes the attacker think again", "mirror-knight", THINKS_AGAIN);
    let scenarios = format!("{crane}{knight}");
    let file = folder.write("rules/sailor-moon-ccg/scenarios/mine.yaml", &scenarios);
    let run = ludex_in(&folder, &["check"], "");
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    let run = ludex_in(&folder, &["test", &file], "");
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("2 scenarios, 0 failed"), "{}", run.stdout);
}

#[test]
fn a_deck_of_ones_own_is_judged() {
    let fine = check_deck("deck-fine", "sailor-moon-1: 1, titus: 4, power-soul: 55");
    assert_eq!(fine.status, 0, "{}{}", fine.stdout, fine.stderr);
    is_refused("deck-small", "sailor-moon-1: 1, titus: 1, power-soul: 20", "`cards_in_deck` of `mine` is worked out as 22");
    is_refused("deck-five", "sailor-moon-1: 1, titus: 5, power-soul: 54", "`cards_too_many` of `mine` is worked out as 5");
    is_refused(
        "deck-pluto",
        "sailor-moon-1: 1, titus: 1, sailor-pluto: 2, power-soul: 56",
        "`cards_too_many` of `mine` is worked out as 2",
    );
    is_refused(
        "deck-combined",
        "sailor-moon-1: 1, titus: 1, power-all: 5, power-soul: 53",
        "`cards_too_many` of `mine` is worked out as 5",
    );
    is_refused(
        "deck-no-ally",
        "sailor-moon-2: 1, titus: 1, power-soul: 58",
        "`allies_to_start_with` of `mine` is worked out as 0",
    );
    is_refused(
        "deck-no-monster",
        "sailor-moon-1: 1, racy: 1, power-soul: 58",
        "`monsters_to_start_with` of `mine` is worked out as 0",
    );
}
