//! What lasts, and what may be done how often: marks, uses and scopes.

use crate::Compile;
use crate::runtime::Viewer;
use crate::testing::{Table, Texts, game, setup};
use ludex_compiler::library::CompileRequest;

// --- marks -------------------------------------------------------------------------

/// Three rounds of a turn for each side; the first side is marked before the rules named here go on.
fn marked(until: &str) -> Vec<String> {
    let rules = format!(
        "sides 2
         each side has {{ mark tired \"is tired\"  counter turns }}
         to play {{ repeat 3 times {{ do round }}  finish with nobody }}
         scope round {{ do turn(first of sides)  do turn(last of sides) }}
         scope turn(active: side) {{
           add 1 to active.turns
           say \"{{first of sides is tired}}\"
           if active.turns = 1 and active is first of sides {{ mark active as tired {until} }}
         }}"
    );
    game(&rules).play().new_said_texts()
}

#[test]
fn a_mark_without_an_end_stays() {
    assert_eq!(marked(""), ["no", "yes", "yes", "yes", "yes", "yes"]);
}

#[test]
fn a_mark_ends_with_the_running_scope() {
    assert_eq!(marked("until end of this turn"), ["no"; 6]);
    assert_eq!(marked("until end of turn"), ["no"; 6]);
    assert_eq!(marked("until end of round"), ["no", "yes", "no", "no", "no", "no"]);
}

#[test]
fn a_mark_ends_with_the_next_run_of_a_scope() {
    assert_eq!(marked("until end of next turn"), ["no", "yes", "no", "no", "no", "no"]);
    assert_eq!(marked("until end of next round"), ["no", "yes", "yes", "yes", "no", "no"]);
}

#[test]
fn a_mark_ends_with_the_next_run_that_is_somebodys() {
    assert_eq!(marked("until end of next turn of active"), ["no", "yes", "yes", "no", "no", "no"]);
    assert_eq!(marked("until end of next turn of active.foe"), ["no", "yes", "no", "no", "no", "no"]);
}

#[test]
fn a_mark_put_again_has_the_end_put_last() {
    let table = |first: &str, last: &str| {
        let rules = format!(
            "sides 2
             each side has {{ mark tired \"is tired\" }}
             to play {{ repeat 2 times {{ do turn }}  finish with nobody }}
             scope turn {{
               say \"{{first of sides is tired}}\"
               mark first of sides as tired {first}
               mark first of sides as tired {last}
             }}"
        );
        game(&rules).play().new_said_texts()
    };
    assert_eq!(table("until end of turn", ""), ["no", "yes"]);
    assert_eq!(table("", "until end of turn"), ["no", "no"]);
}

#[test]
fn taking_a_mark_off_is_told_once() {
    let mut table = game(
        "sides 2
         die sizes 6
         each side has { zone bag: dice, open }
         piece die (dice) { mark barred \"cannot be used\" }
         to play { create die(size: 6) in (first of sides).bag for first of sides as die  do turn(die)  finish with nobody }
         scope turn(die: die) {
           mark die as barred until end of turn
           unmark die as barred
           unmark die as barred
           mark die as barred until end of turn
         }",
    )
    .play();
    let news = table.new_event_texts();
    assert_eq!(
        news[1..5],
        ["marked(0, barred by 0)", "unmarked(0, barred by 0)", "marked(0, barred by 0)", "unmarked(0, barred by 0)"]
    );
    table.check();
}

// --- uses --------------------------------------------------------------------------

const TURNS: &str = r#"
sides 2 of 1 hero
sheet hero (heroes) { }
hook turn_begins(active: side)
to play { do match }
scope match { repeat 2 times { do round }  finish with nobody }
scope round {
  repeat 2 times { do turn(first of sides) }
  RESTORE
}
scope turn(active: side) { open turn_begins(active)  say "turn" }
"#;

fn turns(uses: &str, restore: &str) -> Texts {
    game(&TURNS.replace("RESTORE", restore))
        .sheet("otter", "name: Otter\nabilities: [dive]\n")
        .script("dive", &format!("//! ability dive \"Dive\"\n//! {uses}\n//! offer dive at turn_begins(active)\n//!   when active is me\n//!   do {{ say \"splash\" }}\n"))
}

/// How often the ability can be used in each of the four turns if it is used whenever it can be.
fn used(uses: &str, restore: &str) -> Vec<usize> {
    let mut table = turns(uses, restore).play_with_sheets(&["otter", "otter"]);
    let mut times = vec![0];
    for _ in 0..40 {
        let Some(decision) = table.open_decisions().first().cloned() else { break };
        let last = times.len() - 1;
        let key = if times[last] < 6 { "dive" } else { "pass" };
        table.answer(decision.seat, key);
        for said in table.new_said_texts() {
            match said.as_str() {
                "splash" => *times.last_mut().expect("a turn") += 1,
                _ => times.push(0),
            }
        }
    }
    // Turns in which nobody was asked pass by at once; after the last turn nothing follows.
    times.pop();
    times
}

#[test]
fn uses_are_counted_in_the_scope_they_name() {
    assert_eq!(used("uses 1 per turn", ""), [1, 1, 1, 1]);
    assert_eq!(used("uses 3 per round", ""), [3, 0, 3, 0]);
    assert_eq!(used("uses 3 per match", ""), [3, 0, 0, 0]);
    assert_eq!(used("uses 3 per match, 1 per turn", ""), [1, 1, 1, 0]);
    assert_eq!(used("uses 3 per match, 2 per round, 1 per turn", ""), [1, 1, 1, 0]);
    assert_eq!(used("", ""), [6, 6, 6, 6]);
}

#[test]
fn uses_of_a_scope_are_restored() {
    assert_eq!(used("uses 3 per match", "restore uses of round"), [3, 0, 3, 0]);
    assert_eq!(used("uses 3 per match, 1 per turn", "restore uses of round"), [1, 1, 1, 1]);
    assert_eq!(used("uses 3 per match, 1 per turn", "restore uses of match"), [1, 1, 1, 1]);
}

#[test]
fn uses_left_are_seen_in_views() {
    let mut table = turns("uses 2 per match, 1 per turn", "").play_with_sheets(&["otter", "otter"]);
    let left = |table: &Table| table.session.view(Viewer::Spectator).sides[0].uses["dive"].left;
    assert_eq!(left(&table), 2);
    table.answer(0, "dive");
    assert_eq!(left(&table), 1);
    assert_eq!(table.session.view(Viewer::Spectator).sides[1].uses["dive"].left, 2);
}

#[test]
fn entrants_of_one_side_with_the_same_ability_have_uses_of_their_own() {
    let texts = game(&TURNS.replace("RESTORE", "").replace("of 1 hero", "of 1..3 hero"))
        .sheet("otter", "name: Otter\nabilities: [dive]\n")
        .sheet("newt", "name: Newt\nabilities: [dive]\n")
        .script("dive", "//! ability dive \"Dive\"\n//! uses 2 per match\n//! offer dive at turn_begins(active)\n//!   when active is me\n//!   do { say \"splash\" }\n");
    let mut table = Table::new(&texts.program(), &setup(&[&["otter", "newt", "otter"], &["otter"]]));
    let left = |table: &Table| -> (Vec<(String, i32)>, Vec<i32>) {
        let side = table.session.view(Viewer::Spectator).sides.swap_remove(0);
        let of_each = side.each.iter().map(|entrant| entrant.uses["dive"].left).collect();
        (side.uses.into_iter().map(|(key, uses)| (key, uses.left)).collect(), of_each)
    };
    let all = |lefts: [i32; 3]| {
        let keys = ["dive", "dive#2", "dive#3"].map(str::to_string);
        (keys.into_iter().zip(lefts).collect::<Vec<_>>(), lefts.to_vec())
    };
    assert_eq!(left(&table), all([2, 2, 2]));
    table.answer(0, "dive#2");
    assert_eq!(left(&table), all([2, 1, 2]));
}

#[test]
fn a_use_is_spent_by_a_trigger_unless_it_is_free() {
    let said = |clause: &str| {
        let text = format!(
            "//! ability dive \"Dive\"\n//! uses 1 per round\n//! trigger dive at turn_begins(active)\n//!   {clause}\n//!   do {{ say \"splash\" }}\n"
        );
        let texts = game(&TURNS.replace("RESTORE", ""))
            .sheet("otter", "name: Otter\nabilities: [dive]\n")
            .sheet("heron", "name: Heron\n")
            .script("dive", &text);
        texts.play_with_sheets(&["otter", "heron"]).new_said_texts().into_iter().filter(|said| said == "splash").count()
    };
    assert_eq!(said(""), 2);
    assert_eq!(said("free"), 4);
}

// --- positions -----------------------------------------------------------------------

#[test]
fn play_may_start_at_an_entry() {
    let rules = TURNS
        .replace("RESTORE", "say \"round over\"")
        .replace("scope turn", "entry scope turn")
        .replace("repeat 2 times { do turn(first of sides) }", "do turn(first of sides)\n  do other");
    let texts = game(&format!("{rules}\nscope other {{ say \"other\" }}")).sheet("otter", "name: Otter\nabilities: [dive]\n").script(
        "dive",
        "//! ability dive \"Dive\"\n//! uses 2 per match\n//! offer dive at turn_begins(active)\n//!   when active is me\n//!   do { say \"splash\" }\n",
    );
    let side = |used: u8| format!("{{entrants: [otter], used: {{dive: {used}}}}}");
    let mut table = texts.play_from_position(&format!("sides: [{}, {}]\nat: turn(active: 1)\n", side(2), side(1)));
    // The first side has used up its own; the second has one use left, for its turn.
    assert_eq!(table.asked_seats(), [1]);
    assert_eq!(table.options(1), ["dive", "pass"]);
    table.answer(1, "dive");
    // Play goes on after the place where the rules call the entry; loops around it count what comes after.
    assert_eq!(
        table.new_said_texts(),
        ["splash", "turn", "other", "round over", "turn", "other", "round over", "turn", "other", "round over"]
    );
    table.check();
}

#[test]
fn a_mode_need_not_come_to_the_entries_of_the_game() {
    let rules = "sides 2
         to play { do turn(first of sides) }
         entry scope turn(active: side) { say \"turn\" }
         mode brief \"Brief\" { replace to play { do hop }  entry scope hop { say \"hop\" } }
         mode broken \"Broken\" { replace to play { }  entry scope skip_off { say \"off\" } }";
    let brief = game(rules).in_mode("brief");
    let entries = |wanted: bool| brief.procedures.iter().filter(move |procedure| procedure.entry == wanted);
    assert!(entries(true).map(|procedure| procedure.name.as_str()).eq(["hop"]));
    assert!(entries(false).any(|procedure| procedure.name == "turn"));
    // One of its own must be reached, as in the game itself.
    let wanted = CompileRequest { mode: Some("broken".to_string()), ..CompileRequest::default() };
    let (program, problems) = game(rules).library().compile("pond", &wanted);
    assert!(program.is_none());
    let told = problems.iter().filter(|problem| problem.is_error()).map(|problem| problem.message.to_string());
    assert!(told.eq(["play never reaches `skip_off`: no code that it reaches calls `skip_off`"]));
}
