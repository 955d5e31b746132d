//! The bot that looks ahead plays against its rivals, and not only for itself.

use crate::support::{Folder, run};

/// Whoever holds most rope at the end wins: one's own may be made longer, or a rival's shorter by more.
const RULES: &str = r#"ludex 1
game ropes "Ropes"

sides 2..3

each side has { counter rope }

the table has { next_up: side = first of sides }

standing of side = side.rope

to play {
  repeat 9 times { do turn(next_up) }
  finish with those of sides with highest it.rope
}

entry scope turn(active: side) {
  set next_up to first of active.opponents
  active must choose deed as chosen "Splice or cut?" else { stop }
  do chosen
}

family deed(active: side) {}

action splice is deed
  says "splice the own rope"
  do { add 2 to active.rope }

action cut(rival in active.opponents) is deed
  says "cut the rope of {rival}"
  do { take 5 from rival.rope }
"#;

/// What the greedy bot does first, where the sides have so much rope.
fn first_deed(name: &str, ropes: &[u32]) -> String {
    let folder = Folder::outside(name);
    folder.write("rules/ropes/ropes.ludex", RULES);
    let sides: String = ropes.iter().map(|rope| format!("  - counters: {{rope: {rope}}}\n")).collect();
    folder.write("middle.yaml", &format!("ludex-position: 1\ngame: ropes\nsides:\n{sides}at: \"turn(active: 0)\"\n"));
    let seats = ["0=:greedy", "1=:random", "2=:random"];
    let seats = seats.iter().take(ropes.len()).flat_map(|seat| ["--seat", *seat]);
    let args = ["play", "ropes", "--plain", "--seed", "3", "--position", "middle.yaml"].into_iter().chain(seats);
    let story = run(&folder, &args.collect::<Vec<_>>(), "").stdout;
    let told = story.lines().find_map(|line| line.strip_prefix("Player 1: "));
    told.unwrap_or_else(|| panic!("{story}")).to_string()
}

#[test]
fn what_a_rival_loses_counts_as_what_the_side_gains() {
    assert_eq!(first_deed("greedy-two", &[9, 9]), "cut the rope of Player 2");
}

#[test]
fn of_several_rivals_the_strongest_is_the_one_to_beat() {
    assert_eq!(first_deed("greedy-three", &[9, 12, 40]), "cut the rope of Player 3");
    assert_eq!(first_deed("greedy-three", &[9, 40, 12]), "cut the rope of Player 2");
}

/// A sure point, or a wager that is won one time in three, and a rival who gains by everything.
const WAGER: &str = r#"ludex 1
game wager "Wager"
sides 2
die sizes 3
each side has { counter won }
the table has { zone tray: dice, open }
family deed(active: side) {}
action keep is deed
  says "keep a point"
action bet is deed
  says "bet"
to play {
  let me = first of sides
  me must choose deed(me) as chosen else { stop }
  if chosen is keep { set me.won to SURE }
  else {
    create die(size: 3) in tray as die
    roll die
    set me.won to if die.value = 3 then 9 else -1
    set me.foe.won to 20
  }
  END
}
"#;

/// What the greedy bot does in so many games, where a point kept is worth so much and the match ends like this.
fn deeds(sure: &str, end: &str) -> Vec<String> {
    let folder = Folder::outside("greedy-payoffs");
    folder.write("rules/wager/wager.ludex", &WAGER.replace("SURE", sure).replace("END", end));
    let deed = |seed: u32| {
        let seed = seed.to_string();
        let story =
            run(&folder, &["play", "wager", "--plain", "--seed", &seed, "--seat", "0=:greedy", "--seat", "1=:random"], "");
        let told = story.stdout.lines().find_map(|line| line.strip_prefix("Player 1: ")).map(str::to_string);
        told.unwrap_or_else(|| panic!("{}", story.stdout))
    };
    (1..=5).map(deed).collect()
}

#[test]
fn payoffs_count_more_than_who_wins() {
    let paid = "finish with payoff of side = side.won";
    assert_eq!(deeds("1", paid), ["bet"; 5], "7/3 on average, though the rival has more");
    assert_eq!(deeds("3", paid), ["keep a point"; 5], "3 are more than 7/3");
    // Without payoffs it is who wins that counts, and whoever bets loses.
    assert_eq!(deeds("1", "finish with those of sides with highest it.won"), ["keep a point"; 5]);
}
