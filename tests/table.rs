//! A game of cards at the terminal: what lies on the table, and why a card cannot be played.

use crate::support::{Folder, ludex_in};

/// Moon's turn, with a hand that holds a card of each kind that cannot be played, and some that can.
const POSITION: &str = "sides:
  - entrants: [moon]
    zones:
      hand: [sailor-moon-1, sailor-moon-3, sailor-mercury-1, zoycite, alan, queen-beryl, luna, luna-pen, run-away,
        damage-transfer, reborn-in-the-future, power-soul, power-soul]
      allies: [{card: sailor-moon-1, power: {power-soul: 2}, damage: 20, marks: [rested]}]
      enemies: [titus, {card: racy, marks: [fresh]}]
      pie: [luna]
      draw_pile: {power-soul: 9}
      discard_pile: {power-soul: 1, titus: 1, power-body: 2}
    counters: {turns_had: 1}
  - entrants: [mercury]
    zones:
      enemies: [{card: racy, gear: [knight-armor], site: [airport]}]
      allies: [sailor-mercury-1]
      hand: [love-letter]
      draw_pile: {power-soul: 9}
    counters: {turns_had: 0}
table: {on_turn: 0, next_up: 1}
at: \"play_and_use(active: 0)\"
";

const SEATS: [&str; 4] = ["--seat", "0=moon:human", "--seat", "1=mercury:random"];

fn play(name: &str, position: &str, input: &str) -> String {
    let folder = Folder::new(name);
    let file = folder.write("position.yaml", position);
    let args: Vec<&str> =
        ["play", "sailor-moon-ccg", "--plain", "--seed", "1", "--position", &file].into_iter().chain(SEATS).collect();
    let run = ludex_in(&folder, &args, input);
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    run.stdout
}

/// What is answered to each line of `why`.
#[track_caller]
fn answers_why(position: &str, name: &str, asked: &[(&str, &str)]) {
    let input: String = asked.iter().map(|(card, _)| format!("why {card}\n")).collect();
    let told = play(name, position, &format!("{input}quit\n"));
    for (card, answer) in asked {
        let question = format!("> why {card}\n{answer}\n");
        assert!(told.contains(&question), "{question}is not in\n{told}");
    }
}

#[test]
fn the_table_is_read_card_by_card() {
    let told = play("table-plain", POSITION, "quit\n");
    let board = told.split("\n\n").filter(|part| part.starts_with("M") && part.contains("Points 0")).collect::<Vec<_>>();
    insta::assert_snapshot!(board.join("\n\n"), @r"
        Mercury (random bot)
          Victory Points 0
          draw pile: 9 hidden
          hand: 1 hidden
          allies: Sailor Mercury; level 1, health 40
          enemies: Racy #2; health 90, points 2; gear: Knight Armor; site: Airport

        Moon (you)
          Victory Points 0
          draw pile: 9 hidden
          hand: Sailor Moon (level 1), Sailor Moon (level 3), Sailor Mercury (level 1), Zoycite, Alan, Queen Beryl, Luna, Luna Pen, Run Away!, Damage Transfer, Reborn in the Future, 2 × Soul Power
          allies: Sailor Moon; level 1, health 50, damage 20; power: 2 × Soul Power; may rejuvenate and attack this turn
          enemies: Titus; health 50, points 1
          enemies: Racy; health 90, points 2
          pie: Luna
          discard pile: Soul Power, Titus, 2 × Body Power
    ");
}

#[test]
fn each_card_of_the_hand_that_is_not_offered_is_told_why() {
    answers_why(
        POSITION,
        "table-why",
        &[
            (
                "sailor moon",
                "Sailor Moon (level 1), play ally: Sailor Moon is in play already (CCG-099, CCG-100, AMB-15)\n\
                 Sailor Moon (level 3), advance: Level 3 of Sailor Moon is not laid on Level 1 of Sailor Moon (CCG-093)",
            ),
            ("sailor mercury", "Sailor Mercury can be chosen now: play Sailor Mercury"),
            ("zoycite", "Zoycite, play villain: no Villain comes before everybody has had a turn (CCG-106, AMB-07)"),
            ("queen", "Queen Beryl, play villain: none of your Enemies is of the rank that it takes the place of (CCG-112)"),
            ("Luna?", "Luna, play person: Luna is in play already (CCG-114)"),
            ("luna pen", "Luna Pen can be chosen now: play Luna Pen"),
            (
                "run away",
                "Run Away!: not now; it can act when one of your Enemies is attacked (CCG-123, CCG-161). \
                 Win a challenge: the target goes to the discard pile.",
            ),
            ("damage transfer", "Damage Transfer: none of your Enemies has damage (CCG-122)"),
            ("reborn", "Reborn in the Future: there is no ally for it (CCG-101, CCG-122)"),
        ],
    );
}

#[test]
fn a_card_that_may_not_take_the_place_of_another_is_told_why() {
    let later =
        POSITION.replace("turns_had: 0", "turns_had: 1").replace("enemies: [titus,", "enemies: [{card: titus, marks: [fresh]},");
    let fresh = ("zoycite", "Zoycite, play villain: Titus has come into play this turn (CCG-107, AMB-16)");
    answers_why(&later, "table-fresh", &[fresh]);
}

#[test]
fn allies_that_cannot_act_are_told_why() {
    // Beside one that can: one that has attacked, and one that has too little Power and no damage.
    let allies = "allies: [{card: sailor-mars-1, marks: [fought]}, {card: sailor-venus-1, power: {power-soul: 1}}, {";
    let acting = POSITION.replace("play_and_use(active: 0)", "actions(active: 0)").replace("turns_had: 0", "turns_had: 1");
    answers_why(
        &acting.replacen("allies: [{", allies, 1),
        "table-acting",
        &[
            ("zoycite", "Zoycite: not now; it can be chosen when you are asked: Play a card"),
            (
                "mars",
                "Sailor Mars, attack: it has attacked this turn (CCG-140, CCG-141)\n\
                 Sailor Mars, rejuvenate: it has no damage (CCG-210, CCG-141)",
            ),
            (
                "venus",
                "Sailor Venus, attack: its Power is too little for Venus Crescent Beam Smash (CCG-154, CCG-155)\n\
                 Sailor Venus, rejuvenate: it has no damage (CCG-210, CCG-141)\n\
                 Sailor Venus, give up: none of its attacks is paid for (CCG-181)",
            ),
            ("titus", "Titus, give up: there is an Enemy that you can attack (AMB-40)"),
            ("sailor moon", "Sailor Moon can be chosen now: Sailor Moon attacks Racy #2 with Moon Tiara Magic"),
        ],
    );
}

/// What one hand holds is not shown before the other has taken the screen, and what is dealt to one may be read before; a pipe
/// cannot be wiped, and says so.
#[test]
fn hands_are_handed_over() {
    let folder = Folder::new("table-shared");
    let seats = ["--seat", "0=moon:human", "--seat", "1=mercury:human"];
    let args: Vec<&str> = ["play", "sailor-moon-ccg", "--plain", "--seed", "1"].into_iter().chain(seats).collect();
    let run = ludex_in(&folder, &args, "\n1\n\n1\n\n\nquit\n");
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("this terminal cannot be wiped"), "{}", run.stdout);
    assert_eq!(run.stderr.matches("hand over to Moon").count(), 2, "{}", run.stderr);
    assert_eq!(run.stderr.matches("hand over to Mercury").count(), 1, "{}", run.stderr);
    assert_eq!(run.stderr.matches("Mercury, press Enter when you have read").count(), 1, "{}", run.stderr);
}

#[test]
fn a_card_can_be_read() {
    let told = play("table-look", POSITION, "look luna pen\nlook racy\nlook unicorn\nquit\n");
    let read = told.split("> look luna pen\n").nth(1).and_then(|rest| rest.split("> quit").next()).unwrap_or_default();
    insta::assert_snapshot!(read, @r"
    Luna Pen: item, number 87
      Luna Pen: When an Enemy strikes back at your Allies: it does not.
    > look racy
    Racy: monster, number 23, clan doom tree, health 90, points 2, weak mind, strong soul
      Claws: damage 40
      Rob (cost soul, picker the robbed): The attacking player discards Persons or Items in play.
    > look unicorn
    no card, ability or die has `unicorn` in its name
    ");
}
