//! Marks with fields and parts, what is forbidden and demanded, and marks that end where a piece leaves.

use crate::testing::{Table, Texts, game};

const RULES: &str = r#"
sides 2
die sizes 4, 6, 8
family leap(active: side) { die: die  far: number = 1 }
action hop(die in active.nest) is leap says "hop with {die}"
action vault(die in active.nest, over in active.foe.nest) is leap says "vault {over}" gives far = 2
hook reach(side: side): number = 1 in layers plain, capped
each side has {
  zone nest, shore: dice, open
  mark bound "must leap far" { least: number  demand leap when it.far >= least }
  mark long "reaches far" { modify reach(side) in plain when side is holder: it + 5 }
  mark short { most: number = 3  modify reach(side) in capped when side is me: it but at most most }
}
piece die (dice) {
  mark stuck "cannot leap" { forbid leap when it.die is holder }
  mark wet
}
"#;

const SETTING: &str = "let me = first of sides  let you = last of sides
    create die(size: 4) in me.nest for me as four  create die(size: 6) in me.nest for me as six
    create die(size: 8) in you.nest for you as eight ";

fn with(statements: &str) -> Texts {
    game(&format!("{RULES}\nto play {{ {SETTING} {statements} }}"))
}

#[track_caller]
fn options(statements: &str) -> Vec<String> {
    with(&format!("{statements}  me may choose leap as leap")).play().options(0)
}

#[test]
fn a_mark_forbids_moves_while_it_lasts() {
    assert_eq!(options(""), ["hop(0)", "hop(1)", "vault(0>2)", "vault(1>2)", "pass"]);
    assert_eq!(options("mark four as stuck"), ["hop(1)", "vault(1>2)", "pass"]);
    assert_eq!(options("mark four as stuck  unmark four as stuck").len(), 5);
    let all = with("mark [four, six] as stuck  if can leap(me) { say \"can\" } else { say \"cannot\" }").play().new_said_texts();
    assert_eq!(all, ["cannot"]);
}

#[test]
fn a_mark_of_a_side_demands_of_that_side_only() {
    assert_eq!(options("mark me as bound(least: 2)"), ["vault(0>2)", "vault(1>2)", "pass"]);
    assert_eq!(options("mark you as bound(least: 2)").len(), 5);
}

#[test]
fn marks_change_values_in_their_layers() {
    let told = with(
        "mark me as short  mark me as long  say \"{reach(me)} {reach(you)}\"
                     mark me as short(most: 5)  say \"{reach(me)}\"  unmark me as short  say \"{reach(me)}\"",
    )
    .play()
    .new_said_texts();
    assert_eq!(told, ["3 1", "5", "6"]);
}

#[test]
fn why_a_move_is_forbidden_is_told() {
    let table = with("mark four as stuck  me may choose leap as leap").play();
    let refused = table.session.find_choice(table.decision(0).id, "hop(0)").err().map(|refusal| refusal.reason);
    assert_eq!(refused.as_deref(), Some("`stuck` does not allow it: cannot leap"));
}

#[test]
fn of_several_marks_the_one_that_forbids_the_move_is_told() {
    let table = with("mark four as stuck  mark me as bound(least: 2)  me may choose leap as leap").play();
    let refused = |key: &str| table.session.find_choice(table.decision(0).id, key).err().map(|refusal| refusal.reason);
    assert_eq!(refused("hop(1)").as_deref(), Some("`bound` does not allow it: must leap far"));
    assert_eq!(refused("vault(0>2)").as_deref(), Some("`stuck` does not allow it: cannot leap"));
    assert_eq!(refused("vault(1>2)"), None);
}

#[test]
fn abilities_forbid_and_demand() {
    let rules = RULES.replace("sides 2", "sides 2 of 1 frog\nsheet frog (frogs) { weight: number = 1 }");
    let ability = |header: &str| {
        let texts = game(&format!("{rules}\nto play {{ {SETTING} me may choose leap as leap }}"))
            .sheet("one", "name: One\nabilities: [rule]\n")
            .sheet("two", "name: Two\n")
            .script("rule", &format!("//! ability rule \"Rule\"\n//! {header}\n"));
        texts.play_with_sheets(&["two", "one"]).options(0)
    };
    assert_eq!(ability("forbid leap when active is not me and it.far > 1"), ["hop(0)", "hop(1)", "pass"]);
    assert_eq!(ability("demand leap when it is vault and holder.weight = 1"), ["vault(0>2)", "vault(1>2)", "pass"]);
}

#[test]
fn a_mark_may_last_until_its_piece_leaves() {
    let mut table: Table = with(
        "mark four as wet until it leaves  move four to me.nest  say \"{four is wet}\"
                          move four to me.shore  say \"{four is wet}\"",
    )
    .play();
    assert_eq!(table.new_said_texts(), ["yes", "no"]);
    table.check();
}

#[test]
fn wrong_marks_are_told() {
    let told = |statements: &str| with(statements).problems();
    assert_eq!(told("mark me as bound"), ["the mark `bound` needs a value for `least`"]);
    assert_eq!(told("mark me as bound(least: 1, most: 2)"), ["the mark `bound` has nothing called `most`"]);
    assert_eq!(told("mark me as stuck"), ["`stuck` is a mark of a die, but this is a side"]);
    assert_eq!(told("mark me as long until it leaves"), ["a side is not in a zone that it could leave"]);
    let acting = RULES
        .replace("forbid leap when it.die is holder", "trigger hop at dawn()")
        .replace("hook reach", "hook dawn()\nhook reach");
    assert_eq!(
        game(&format!("{acting}\nto play {{ open dawn() }}")).problems(),
        ["a mark can only change values, forbid and demand"]
    );
    let lists = RULES.replace("least: number ", "least: list of number ");
    assert_eq!(game(&format!("{lists}\nto play {{ }}")).problems()[0], "a field cannot keep a list");
}

#[test]
fn a_position_says_what_a_side_bears() {
    let shown = "to play { do look }  entry to look { say \"{reach(first of sides)} {reach(last of sides)}\" }";
    let texts = game(&format!("{RULES}\n{shown}"));
    assert_eq!(texts.play_from_position("sides: [{marks: [long]}, {}]\nat: look\n").new_said_texts(), ["6 1"]);
}

#[test]
fn what_a_side_bears_is_told_of_the_side() {
    let told = with("mark you as long  unmark you as long  mark four as wet").play().new_event_texts();
    let told: Vec<&String> = told.iter().filter(|news| news.contains("marked")).collect();
    assert_eq!(told, ["marked(side 1, long by 1)", "unmarked(side 1, long by 1)", "marked(0, wet by 0)"]);
}
