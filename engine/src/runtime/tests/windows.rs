//! Hooks: who hears of them, in which order, and what becomes of what they answer.

use crate::runtime::{Session, Viewer};
use crate::testing::{Table, Texts, game, setup};

const RULES: &str = r#"
sides 2 of 1 hero
sheet hero (heroes) { }
each side has { counter points }
hook moment(active: side) answers stopped
hook turns() goes round
hook after(active: side)
to play { BODY  finish with nobody }
"#;

/// A game whose body opens hooks, with abilities of both sides.
fn texts(body: &str, first: &[(&str, &str)], second: &[(&str, &str)]) -> Texts {
    let mut texts = game(&RULES.replace("BODY", body));
    for (sheet, abilities) in [("otter", first), ("heron", second)] {
        let ids: Vec<&str> = abilities.iter().map(|(id, _)| *id).collect();
        texts = texts.sheet(sheet, &format!("name: {sheet}\nabilities: [{}]\n", ids.join(", ")));
    }
    for (id, parts) in first.iter().chain(second) {
        let header: String = parts.lines().map(|line| format!("//! {line}\n")).collect();
        texts = texts.script(id, &format!("//! ability {id} \"{id}\"\n{header}"));
    }
    texts
}

fn table(body: &str, first: &[(&str, &str)], second: &[(&str, &str)]) -> Table {
    texts(body, first, second).play_with_sheets(&["otter", "heron"])
}

const OPEN: &str = "open moment(first of sides) { when nothing { say \"nothing\" } when stopped { say \"stopped\" } }";

fn says(kind: &str, name: &str, more: &str) -> String {
    format!("{kind} {name} at moment(active)\n  {more}\n  do {{ say \"{name} of {{me}}\" }}")
}

#[test]
fn instead_comes_before_triggers_and_triggers_before_offers() {
    let (offer, trigger, instead) =
        (says("offer", "offered", ""), says("trigger", "triggered", ""), says("instead", "changed", ""));
    let all: [(&str, &str); 3] = [("offering", &offer), ("triggering", &trigger), ("changing", &instead)];
    let mut table = table(OPEN, &all, &[]);
    assert_eq!(table.new_said_texts(), ["changed of otter", "triggered of otter"]);
    assert_eq!(table.options(0), ["offered", "pass"]);
    table.answer(0, "offered").answer(0, "pass");
    assert_eq!(table.new_said_texts(), ["offered of otter", "nothing"]);
}

#[test]
fn priorities_come_before_sides_and_sides_before_the_order_on_the_sheet() {
    let clause = |name: &str, more: &str| says("trigger", name, more);
    let (plain, late, early, third) =
        (clause("plain", ""), clause("last", "late"), clause("soon", "early"), clause("third", "priority 3"));
    let first: [(&str, &str); 4] = [("a", &late), ("b", &third), ("c", &plain), ("d", &early)];
    let theirs = (clause("theirs", ""), clause("sooner", "early"));
    let second: [(&str, &str); 2] = [("e", &theirs.0), ("f", &theirs.1)];
    let order =
        ["soon of otter", "sooner of heron", "plain of otter", "theirs of heron", "third of otter", "last of otter", "nothing"];
    assert_eq!(table(OPEN, &first, &second).new_said_texts(), order);
    let asking = OPEN.replace("moment(first of sides)", "moment(first of sides) asking last of sides first");
    let order =
        ["sooner of heron", "soon of otter", "theirs of heron", "plain of otter", "third of otter", "last of otter", "nothing"];
    assert_eq!(table(&asking, &first, &second).new_said_texts(), order);
}

#[test]
fn after_an_answer_nobody_else_is_asked() {
    let stop = "instead halt at moment(active)\n  do { say \"halt\"  answer stopped }";
    let (trigger, offer) = (says("trigger", "triggered", ""), says("offer", "offered", ""));
    let mut one = table(OPEN, &[("a", stop), ("b", &trigger)], &[("c", &offer)]);
    assert_eq!(one.new_said_texts(), ["halt", "stopped"]);
    let stop = "offer halt at moment(active)\n  do { answer stopped }";
    let mut other = table(OPEN, &[("a", stop)], &[("c", &offer)]);
    other.answer(0, "halt");
    assert_eq!(other.new_said_texts(), ["stopped"]);
}

#[test]
fn each_side_is_asked_until_it_passes() {
    let (mine, yours) = (says("offer", "mine", ""), says("offer", "yours", ""));
    let mut table = table(OPEN, &[("a", &mine)], &[("b", &yours)]);
    table.answer(0, "mine").answer(0, "mine").answer(0, "pass").answer(1, "yours").answer(1, "pass");
    let said = table.new_said_texts();
    assert_eq!(said, ["mine of otter", "mine of otter", "yours of heron", "nothing"]);
}

#[test]
fn a_hook_that_goes_round_ends_when_all_have_passed_in_a_row() {
    let offer = |name: &str| format!("offer {name} at turns()\n  do {{ say \"{name}\" }}");
    let (mine, yours) = (offer("mine"), offer("yours"));
    let mut table = table(
        "open turns() asking last of sides first after each use { say \"used\" }  say \"over\"",
        &[("a", &mine)],
        &[("b", &yours)],
    );
    assert_eq!(table.asked_seats(), [1]);
    table.answer(1, "pass").answer(0, "mine").answer(1, "yours").answer(0, "pass");
    assert_eq!(table.new_said_texts(), ["mine", "used", "yours", "used"]);
    assert_eq!(table.asked_seats(), [1], "the first passed before something happened");
    table.answer(1, "pass");
    assert_eq!(table.new_said_texts(), ["over"]);
    table.check();
}

#[test]
fn who_has_nothing_to_offer_is_passed_by() {
    let once = "uses 1 per match\noffer once at turns()\n  do { say \"once\" }";
    let rules = "do match";
    let mut table = game(&format!("{}\nscope match {{ open turns()  say \"over\" }}", RULES.replace("BODY", rules)))
        .sheet("otter", "name: Otter\nabilities: [a]\n")
        .sheet("heron", "name: Heron\n")
        .script("a", &format!("//! ability a \"A\"\n{}", once.lines().map(|line| format!("//! {line}\n")).collect::<String>()))
        .play_with_sheets(&["otter", "heron"]);
    table.answer(0, "once");
    assert_eq!(table.new_said_texts(), ["once", "over"], "with its use spent it has nothing left to offer");
}

#[test]
fn conditions_of_offers_and_triggers_decide() {
    let (guarded, never) = (says("offer", "guarded", "when active is me"), says("trigger", "never", "when active is not me"));
    let mut table = table(OPEN, &[("a", &guarded), ("b", &never)], &[("c", &guarded.replace("guarded", "other"))]);
    assert_eq!(table.asked_seats(), [0]);
    table.answer(0, "pass");
    assert_eq!(table.new_said_texts(), ["nothing"]);
}

#[test]
fn offers_stand_in_the_decision_they_are_open_during() {
    let body = "let active = first of sides
      active must choose deed during moment(active) as deed else { say \"no deed\" }
      if deed is little { say \"little\" }";
    let rules = format!(
        "{}\nfamily deed(active: side) {{ }}\naction little() is deed when active.points = 1\naction large() is deed when active.points = 2",
        RULES.replace("BODY", body)
    );
    let ability = "//! ability a \"A\"\n//! trigger begun at moment(active)\n//!   do { say \"begun\" }\n//! offer more at moment(active)\n//!   when active is me and active.points < 2\n//!   do { add 1 to me.points }\n";
    let mut table =
        game(&rules).sheet("otter", "name: Otter\nabilities: [a]\n").script("a", ability).play_with_sheets(&["otter", "otter"]);
    // The other side's trigger happens too, but its offer is not this side's.
    assert_eq!(table.new_said_texts(), ["begun", "begun"]);
    assert_eq!(table.options(0), ["more", "pass"]);
    table.answer(0, "more");
    assert_eq!(table.options(0), ["little", "more"]);
    assert_eq!(table.new_said_texts(), [""; 0], "triggers do not happen again");
    table.answer(0, "little");
    assert_eq!(table.new_said_texts(), ["little"]);
}

// --- values ------------------------------------------------------------------------

#[test]
fn modifiers_apply_layer_by_layer() {
    let rules = r#"
sides 2 of 1 hero
sheet hero (heroes) { }
hook damage(side: side): number = 10 in layers bonus, armour, fixed
define seen(side: side) = damage(side)
to play { say "{seen(first of sides)} {damage(last of sides)}"  finish with nobody }
"#;
    let part = |text: &str| format!("//! {text}\n");
    let otter = [
        part("modify damage(side) in fixed when it > 100: 100"),
        part("modify damage(side) in armour when side is me: it - 3"),
        part("modify damage(side) in bonus when side is me: it * 2"),
        part("modify damage(side) in bonus when side is me: it + 5"),
    ];
    let heron = [part("modify damage(side) in bonus: it + 1")];
    let mut table = game(rules)
        .sheet("otter", "name: Otter\nabilities: [shell]\n")
        .sheet("heron", "name: Heron\nabilities: [beak]\n")
        .script("shell", &format!("//! ability shell \"Shell\"\n{}", otter.concat()))
        .script("beak", &format!("//! ability beak \"Beak\"\n{}", heron.concat()))
        .play_with_sheets(&["otter", "heron"]);
    assert_eq!(table.new_said_texts(), [format!("{} {}", 10 * 2 + 5 + 1 - 3, 10 + 1)]);
}

// --- stopping ------------------------------------------------------------------------

#[test]
fn stop_leaves_windows_inside_each_other() {
    let rules = r#"
sides 2 of 1 hero
sheet hero (heroes) { }
hook outer()
hook inner()
to play { do match }
scope match { repeat 2 times { do round }  say "match over"  finish with nobody }
scope round { open outer() after each use { say "not reached" }  say "not reached" }
to deeper { say "deeper"  open inner()  say "not reached" }
to end_it { say "stop"  stop round }
"#;
    let offer = "//! ability a \"A\"\n//! offer strike at outer()\n//!   do { do deeper  say \"not reached\" }\n//! trigger stops at inner()\n//!   do { do end_it  say \"not reached\" }\n";
    let mut table =
        game(rules).sheet("otter", "name: Otter\nabilities: [a]\n").script("a", offer).play_with_sheets(&["otter", "otter"]);
    table.answer(0, "strike").answer(0, "strike");
    assert_eq!(table.new_said_texts(), ["deeper", "stop", "deeper", "stop", "match over"]);
    table.check();
}

#[test]
fn stop_leaves_scripts_inside_each_other() {
    let rules = r#"
sides 2 of 1 hero
sheet hero (heroes) { }
each side has { counter points }
hook outer()
hook inner(side: side)
to play { do match }
scope match { repeat 3 times { do round }  say "match over"  finish with nobody }
scope round { open outer()  say "round goes on" }
scope fight(side: side) { open inner(side)  say "fight goes on" }
to end_round { stop round }
to end_fight { stop fight }
"#;
    let a = r#"//! ability a "A"
//! uses 1 per round
//! offer strike at outer()
//!   when me is first of sides
fn strike(me) {
    say("go");
    fight(me);
    let more = choose_number(me, "How many?", 1, 9);
    add(me, "points", more);
}
"#;
    let b = r#"//! ability b "B"
//! trigger ends at inner(side)
//!   when side is not me
fn ends(me) {
    let what = choose_number(me, "What ends?", 1, 3);
    if what == 1 { end_fight(); }
    if what == 2 { end_round(); }
    say("inner goes on");
}
"#;
    let mut table = game(rules)
        .sheet("otter", "name: Otter\nabilities: [a]\n")
        .sheet("heron", "name: Heron\nabilities: [b]\n")
        .script("a", a)
        .script("b", b)
        .play_with_sheets(&["otter", "heron"]);
    // Nothing ends.
    table.answer(0, "strike").answer(1, "number(3)");
    assert_eq!(table.new_said_texts(), ["go", "inner goes on", "fight goes on"]);
    table.answer(0, "number(5)");
    let cause = table.events.iter().rev().find(|event| event.name == "set").expect("points").cause.clone();
    assert_eq!((cause.ability.as_deref(), cause.line), (Some("a"), 9));
    assert_eq!(table.new_said_texts(), ["round goes on"]);
    // The fight ends and with it the inner script; the outer goes on in its own name.
    table.answer(0, "strike").answer(1, "number(1)");
    assert_eq!(table.new_said_texts(), ["go"]);
    assert_eq!(table.prompt(0), "How many?");
    let copy = table.clone();
    table.answer(0, "number(4)");
    let cause = table.events.iter().rev().find(|event| event.name == "set").expect("points").cause.clone();
    assert_eq!((cause.ability.as_deref(), cause.line), (Some("a"), 9));
    assert_eq!(copy.session.view(Viewer::Trusted).sides[0].counters["points"], "5");
    assert_eq!(table.new_said_texts(), ["round goes on"]);
    // The round ends and with it both scripts.
    table.answer(0, "strike").answer(1, "number(2)");
    assert_eq!(table.new_said_texts(), ["go", "match over"]);
    table.check();
}

#[test]
fn an_answer_belongs_to_the_hook_that_is_open() {
    let rules = r#"
sides 2 of 1 hero
sheet hero (heroes) { }
hook one() answers dodged, parried
hook two() answers parried, dodged
to play {
  open one() { when dodged { say "dodged" } when parried { say "parried" } when nothing { say "nothing" } }
  open two() { when parried { say "parried" } when dodged { say "dodged" } when nothing { say "nothing" } }
  finish with nobody
}
"#;
    let ability = "//! ability a \"A\"\n//! trigger p at one()\n//!   do { answer parried }\n//! trigger q at two()\n//!   do { answer parried }\n";
    let mut table =
        game(rules).sheet("otter", "name: Otter\nabilities: [a]\n").script("a", ability).play_with_sheets(&["otter", "otter"]);
    assert_eq!(table.new_said_texts(), ["parried", "parried"]);
}

#[test]
fn only_what_runs_while_a_hook_is_open_may_answer() {
    let rules = "sides 2 of 1 hero\nsheet hero (heroes) { }\nhook one() answers parried\nto play { do wrong  open one() { when parried { } when nothing { } } }\nto wrong { answer parried }";
    let started = Session::start(game(rules).sheet("otter", "name: Otter\n").program(), &setup(&[&["otter"], &["otter"]]));
    assert_eq!(
        started.err().map(|problem| problem.message.to_string()).as_deref(),
        Some("an ability answers `parried`, but no open hook takes this answer")
    );
}

#[test]
fn an_offer_may_be_put_to_somebody_else() {
    let offer = "offer ransom at moment(active)\n  to active.foe\n  do { say \"{me} is paid\" answer stopped }";
    let mut paid = table(OPEN, &[("ransoming", offer)], &[]);
    assert_eq!((paid.asked_seats(), paid.options(1)), (vec![1], vec!["ransom".to_string(), "pass".to_string()]));
    assert_eq!(paid.answer(1, "ransom").new_said_texts(), ["otter is paid", "stopped"]);
    assert_eq!(table(OPEN, &[("ransoming", offer)], &[]).answer(1, "pass").new_said_texts(), ["nothing"]);
}

#[test]
fn an_offer_to_nobody_is_not_made() {
    let offer = "offer gift at moment(active)\n  to if active is me then none else active\n  do { say \"{me} gives\" }";
    assert_eq!(table(OPEN, &[("giving", offer)], &[]).new_said_texts(), ["nothing"]);
    assert_eq!(table(OPEN, &[], &[("giving", offer)]).options(0), ["gift", "pass"]);
}

#[test]
fn an_offer_is_put_to_a_side() {
    assert_eq!(
        texts(OPEN, &[("giving", "offer gift at moment(active) to 3 do { say \"x\" }")], &[]).problems(),
        ["a side or none is needed here, but this is a number"]
    );
}

#[test]
fn of_options_with_one_key_the_second_is_numbered() {
    let rules = RULES.replace("sides 2 of 1 hero", "sides 2 of 2 hero").replace("BODY", OPEN);
    let texts = game(&rules).sheet("otter", "name: Otter\nabilities: [giving]\n").sheet("heron", "name: Heron\n").script(
        "giving",
        "//! ability giving \"Giving\"\n//! offer gift at moment(active)\n//!   do { say \"{holder} gives\" }\n//! offer loan(side in sides) at moment(active)\n//!   do { say \"{holder} lends to {side}\" }\n",
    );
    let table = Table::new(&texts.program(), &setup(&[&["otter", "otter"], &["heron", "heron"]]));
    assert_eq!(table.options(0), ["gift", "loan(0)", "loan(1)", "gift#2", "loan#2(0)", "loan#2(1)", "pass"]);
    let after = |key: &str| table.clone().answer(0, key).new_said_texts();
    assert_eq!([after("gift"), after("gift#2")], [["Otter gives"], ["Otter (2) gives"]]);
    assert_eq!(after("loan#2(1)"), ["Otter (2) lends to 2 × Heron"]);
    let refused = |key: &str| {
        let id = table.decision(0).id;
        table.clone().session.find_choice(id, key).err().map(|refusal| refusal.reason)
    };
    assert_eq!(refused("loan#2(7)"), refused("loan#1(7)"));
    assert_eq!(refused("loan(0").as_deref(), Some("`loan(0` is cut off"));
    assert_eq!(refused("loan#two(0)").as_deref(), Some("there is no number after `#` in `loan#two(0)`"));
}
