//! `sorts of`: pieces that nothing tells apart are offered once.

use crate::testing::{Table, game};

const NUTS: &str = r#"
sides 2 of 1 squirrel
sheet squirrel (squirrels) { zone hoard: nuts, open }
sheet nut { weight: number = 1 in 1..9 }
piece nut (nuts) from nut {
  counter worms
  zone inside: nuts, open
  mark cracked
  mark painted { shade: number = 0 }
}
each side has {
  squirrel: squirrel = first of squirrels, lending hoard
  zone hand: nuts, open
}
family deed(active: side) {}
action eat(nut in sorts of active.hand where it.weight < 3) is deed says "eat {nut}" do { move nut to active.hoard }
action stack(lower in sorts of active.hand, upper in sorts of active.hand without lower) is deed
  when upper.weight < lower.weight
  says "stack {upper} on {lower}"
  do { move upper to lower.inside }
define told(nuts: nuts): number = count of sorts of nuts
to play {
  let me = first of sides
  move me.hoard to me.hand
  WHAT
  me must choose deed as chosen else { stop }
  do chosen
  finish with nobody
}
"#;

fn table(what: &str) -> Table {
    game(&NUTS.replace("WHAT", what))
        .sheet("nuts", "sheets:\n  acorn: {sheet: nut, name: Acorn}\n  walnut: {sheet: nut, name: Walnut, weight: 5}\n")
        .sheet("red", "sheet: squirrel\nname: Red\nhoard: {acorn: 3, walnut: 2}\n")
        .sheet("grey", "sheet: squirrel\nname: Grey\nhoard: {acorn: 1}\n")
        .play_with_sheets(&["red", "grey"])
}

#[test]
fn of_alike_pieces_one_is_offered() {
    let table = table("");
    let decision = table.decision(0);
    let options = table.session.options(decision.id, 0, decision.count);
    let texts: Vec<&str> = options.iter().map(|option| option.text.as_str()).collect();
    assert_eq!(texts, ["eat Acorn", "stack Acorn on Walnut"]);
}

#[test]
fn counters_marks_and_what_lies_inside_tell_pieces_apart() {
    let sorts = |what: &str| {
        let mut table = table(&format!("{what}\nsay \"{{told(me.hand)}} sorts\""));
        table.new_event_texts().into_iter().find(|news| news.ends_with("sorts)")).unwrap_or_default()
    };
    let acorn = "(first of (me.hand where it.weight = 1))";
    assert_eq!(sorts(""), "said(2 sorts)");
    assert_eq!(sorts(&format!("let acorn = {acorn}  if acorn is none {{ stop }}  add 1 to acorn.worms")), "said(3 sorts)");
    assert_eq!(sorts(&format!("let acorn = {acorn}  if acorn is none {{ stop }}  mark acorn as cracked")), "said(3 sorts)");
    assert_eq!(sorts("mark me.hand as cracked"), "said(2 sorts)");
    // Four lie in the hand still, and the one that holds another is not like the rest.
    assert_eq!(
        sorts(&format!(
            "let acorn = {acorn}  if acorn is none {{ stop }}  move last of (me.hand where it.weight = 1) to acorn.inside"
        )),
        "said(3 sorts)"
    );
}

#[test]
fn fields_of_marks_tell_pieces_apart() {
    let sorts = |shades: [u8; 2]| {
        let [one, other] = shades;
        let paint = format!(
            "let acorns = me.hand where it.weight = 1
             let one = first of acorns
             let other = last of acorns
             mark one as painted(shade: {one})
             mark other as painted(shade: {other})
             say \"{{told(acorns)}} sorts\""
        );
        table(&paint).new_event_texts().into_iter().find(|news| news.ends_with("sorts)")).unwrap_or_default()
    };
    assert_eq!(sorts([3, 4]), "said(3 sorts)");
    assert_eq!(sorts([3, 3]), "said(2 sorts)");
}

#[test]
fn a_piece_is_among_the_sorts_if_it_stands_for_its_own() {
    let mut table = table(
        "let acorns = me.hand where it.weight = 1
         say \"{first of acorns in sorts of me.hand} {last of acorns in sorts of me.hand} {count of sorts of [2, 3, 2]}\"",
    );
    assert!(table.new_event_texts().contains(&"said(yes no 2)".to_string()));
}
