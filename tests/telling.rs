//! `check` warns of questions that tell whoever is asked something they cannot see: by their choices, by their words, by being asked
//! at all, or by whom they ask.

use ludex_engine::Compile;
use ludex_engine::codes::QUESTION_TELLS;
use ludex_engine::library::{CompileRequest, File, Library};

const TAKE: &str = "action take_it(card in active.shown) is act says \"take {card}\" do { add 1 to active.score }";
const ACT: &str = "active may choose act as deed \"What?\"";

/// What is warned of in a game with these marks of cards, declarations, and statements of a turn of `active`.
#[track_caller]
fn warnings(marks: &str, declared: &str, turn: &str) -> Vec<String> {
    let rules = format!(
        "ludex 1
game tale \"Tale\"
sides 2
piece card (cards) {{ counter rank in 1..6  {marks} }}
each side has {{ zone hand: cards, seen by owner  zone shown: cards, open  counter score in 0..99 }}
the table has {{ zone deck: cards, seen by nobody, in order  total: number }}
family act(active: side) {{ card: card }}
hook worth(side: side): number = 1
{declared}
to play {{
  each side in sides {{ create card(rank: 3) in side.hand for side  create card(rank: 2) in side.shown for side }}
  create card(rank: 4) in table.deck for first of sides
  each side in sides {{ do turn(side) }}
  finish with nobody
}}
scope turn(active: side) {{
  {turn}
}}
"
    );
    let file = File { path: "rules/tale/tale.ludex".to_string(), text: rules, library: "test".to_string() };
    let (library, problems) = Library::new(vec![file]);
    let (program, more) = library.compile("tale", &CompileRequest::default());
    assert!(program.is_some(), "{problems:#?} {more:#?}");
    more.into_iter().filter(|problem| problem.code == QUESTION_TELLS).map(|problem| problem.message.to_string()).collect()
}

#[track_caller]
fn tells(marks: &str, declared: &str, turn: &str, message: &str) {
    let found = warnings(marks, declared, turn);
    assert!(found.iter().any(|found| found.contains(message)), "`{message}` is not in {found:?}");
}

#[track_caller]
fn tells_nothing(marks: &str, declared: &str, turn: &str) {
    assert_eq!(warnings(marks, declared, turn), [""; 0]);
}

const CHOICES: &str = "depend on pieces that the player who is asked cannot see";
const WORDS: &str = "depend on things that the player who is asked cannot see";
const ASKED: &str = "is asked depends on things that the player who is asked cannot see";

#[test]
fn a_hidden_card_that_forbids_a_move_tells_of_itself() {
    tells("mark worn { forbid act when active is not me and holder in me.hand }", TAKE, ACT, CHOICES);
    tells_nothing("mark worn { forbid act when active is me and holder in me.hand }", TAKE, ACT);
}

#[test]
fn so_does_one_that_changes_a_number_to_choose_from() {
    let ask = "active may choose number in 0..worth(active) as wish \"How many?\"";
    tells("mark worn { modify worth(side) when holder in side.foe.hand: it + 1 }", TAKE, ask, CHOICES);
    tells_nothing("mark worn { modify worth(side) when holder in side.shown: it + 1 }", TAKE, ask);
}

#[test]
fn a_mark_that_was_set_because_of_a_hidden_card_tells_of_it() {
    let unworn = TAKE.replace("active.shown)", "active.shown where it is not worn)");
    tells(
        "mark worn",
        &unworn,
        &format!("if any of active.foe.hand has it.rank > 3 {{ mark active.shown as worn }}\n  {ACT}"),
        CHOICES,
    );
    tells(
        "mark worn",
        &unworn,
        &format!("mark (active.shown where it.rank < highest of active.foe.hand.rank) as worn\n  {ACT}"),
        CHOICES,
    );
    tells_nothing("mark worn", &unworn, &format!("if active.score > 3 {{ mark active.shown as worn }}\n  {ACT}"));
}

#[test]
fn so_does_a_number_that_rules_keep() {
    let ask = |before: &str, most: &str| format!("{before}\n  active may choose number in 0..{most} as wish \"How many?\"");
    tells("", TAKE, &ask("set total to highest of active.foe.hand.rank", "total"), CHOICES);
    tells("", TAKE, &ask("let most = 1\n  if any of active.foe.hand has it.rank > 3 { set most to 3 }", "most"), CHOICES);
    tells_nothing("", TAKE, &ask("set total to highest of active.hand.rank", "total"));
}

#[test]
fn words_tell() {
    tells("", TAKE, "active may choose number in 0..3 as wish \"How many, of {highest of active.foe.hand.rank}?\"", WORDS);
    tells("", &TAKE.replace("{card}", "{card} for {highest of table.deck.rank}"), ACT, WORDS);
    let refused = TAKE.replace(" says", " when card.rank > 1 else \"the deck has {highest of table.deck.rank}\" says");
    tells("", &refused, ACT, WORDS);
    tells_nothing("", TAKE, "active may choose number in 0..3 as wish \"How many, of {highest of active.hand.rank}?\"");
}

#[test]
fn that_something_is_asked_tells() {
    let ask = "active must choose number in 1..2 as wish \"Which?\"";
    for turn in [
        format!("count n from 1 to highest of active.foe.hand.rank {{ {ask} }}"),
        format!("each card in active.foe.hand where it.rank > 3 {{ {ask} }}"),
        format!("if any of table.deck has it.rank > 3 {{ {ask} }}"),
        format!("let high = any of table.deck has it.rank > 3\n  if high {{ {ask} }}"),
        format!("if any of table.deck has it.rank > 3 {{ stop turn }}\n  {ask}"),
        format!("repeat at most 5 times {{ {ask}  if any of table.deck has it.rank = wish {{ leave }} }}"),
    ] {
        tells("", TAKE, &turn, ASKED);
    }
    let asks = format!("{TAKE}\nto wonder(side: side) {{ side must choose number in 1..2 as wish \"Which?\" }}");
    tells("", &asks, "count n from 1 to highest of active.foe.hand.rank { do wonder(active) }", ASKED);
    tells_nothing("", TAKE, &format!("if any of active.hand has it.rank > 3 {{ {ask} }}"));
    tells_nothing(
        "",
        TAKE,
        "each side in sides { if any of side.hand has it.rank > 2 { side must choose number in 1..2 as wish \"Which?\" } }",
    );
    tells_nothing("", TAKE, &format!("if table.deck is not empty {{ {ask} }}"));
}

#[test]
fn so_does_who_is_asked() {
    let best = "let best = the one of sides with highest sum of it.hand.rank\n  \
                if best is not none { best must choose number in 1..2 as wish \"Which?\" }";
    tells("", TAKE, best, "who is asked this question depends");
    let all = "each side in sides where any of it.hand has it.rank > 3 at once must choose number in 1..2 as wish \"Which?\"";
    tells("", TAKE, all, "who is asked this question depends");
}

#[test]
fn what_rules_mean_to_tell_is_not_warned_of() {
    tells_nothing(
        "",
        TAKE,
        "if any of table.deck has it.rank > 3 { active must choose number in 1..2 as wish \"Which?\" tells }",
    );
    let drawn = "let drawn = first of top 1 of table.deck\n  if drawn is not none {\n    move drawn to active.hand\n    \
                 if drawn.rank > 3 { active must choose number in 1..2 as wish \"Which?\" }\n  }";
    tells_nothing("", TAKE, drawn);
}

#[test]
fn a_zone_that_all_but_its_owner_see_is_hidden_unless_it_is_certainly_anothers() {
    let brow = "each side has { zone brow: cards, seen by all but owner }";
    let bid = |zone: &str| format!("active may choose number in 0..sum of {zone}.rank as bid");
    tells("", brow, &bid("active.brow"), CHOICES);
    // One of these is the side that is asked.
    tells("", brow, &bid("(first of sides).brow"), CHOICES);
    tells("", brow, &bid("sides.brow"), CHOICES);
    tells_nothing("", brow, &bid("active.foe.brow"));
}
