//! Sides that bring several: how many and which, whose abilities work, and what they share.

use crate::runtime::Session;
use crate::testing::{Table, Texts, game, setup};
use ludex_syntax::codes;

/// Each side has a runner; what an ability does is said aloud.
const RULES: &str = "sides 2 of 1..3 racer, equally many, all different
sheet racer (racers)
each side has { runner: racer = first of racers }
hook starts(active: side)
family deed(active: side) {}
action run is deed
to play { repeat at most 9 times { do lap(first of sides) } otherwise { finish with nobody } }
scope lap(active: side) {
  active must choose deed during starts(active) as chosen else { say \"{active} rests\" }
}
";

const SPRINT: &str = "//! ability sprint \"Sprint\"\n//! uses 2 per play_all, 1 per lap\n//! offer sprint at starts(active)
//!   when active is me\n//!   do { say \"{holder} sprints\" }\n";

/// Two racers who sprint and one who barks at every start.
fn racers(more: &str) -> Texts {
    let rules = format!("{RULES}{more}\n").replace("to play {", "to play { do play_all }\nscope play_all {");
    game(&rules)
        .sheet("hare", "name: Hare\nabilities: [sprint]\n")
        .sheet("newt", "name: Newt\nabilities: [sprint]\n")
        .sheet("hound", "name: Hound\nabilities: [bark]\n")
        .script("sprint", SPRINT)
        .script(
            "bark",
            "//! ability bark \"Bark\"\n//! trigger bark at starts(active)\n//!   when active is me\n//!   do { say \"wuff\" }\n",
        )
}

#[track_caller]
fn table(more: &str, sides: &[&[&str]]) -> Table {
    Table::new(&racers(more).program(), &setup(sides))
}

#[track_caller]
fn refusal(sides: &[&[&str]]) -> (&'static str, String) {
    let problem = Session::start(racers("").program(), &setup(sides)).map(|_| ()).unwrap_err();
    (problem.code, problem.message.to_string())
}

#[test]
fn sides_must_bring_equally_many() {
    let message = "side 0 brings 2 and side 1 brings 1, but all sides must bring the same number";
    assert_eq!(refusal(&[&["hare", "newt"], &["hound"]]), (codes::SEATS, message.to_string()));
}

#[test]
fn a_side_brings_nobody_twice_but_both_may_bring_the_same() {
    let message = "`hare` appears twice on one side".to_string();
    assert_eq!(refusal(&[&["newt", "newt"], &["hare", "hare"]]).1, "`newt` appears twice on one side");
    assert_eq!(refusal(&[&["hare", "hare"], &["newt", "hare"]]), (codes::SEATS, message));
    table("", &[&["hare", "newt"], &["newt", "hare"]]).check();
}

#[test]
fn the_abilities_of_all_work_where_nothing_is_said() {
    let mut table = table("", &[&["hare", "newt"], &["hound", "hare"]]);
    assert_eq!(table.options(0), ["run", "sprint", "sprint#2"]);
    table.answer(0, "sprint#2");
    assert_eq!(table.new_said_texts(), ["Newt sprints"]);
}

#[test]
fn where_several_may_use_one_ability_each_sentence_names_its_own() {
    let sentences = |says: &str, runners: &[&str]| -> Vec<String> {
        let texts = game(RULES).sheet("hare", "name: Hare\nabilities: [dash]\n").sheet("newt", "name: Newt\nabilities: [dash]\n").sheet("hound", "name: Hound\n").script(
            "dash",
            &format!("//! ability dash \"Dash\"\n//! offer dash at starts(active)\n//!   when active is me\n//!   says \"{says}\"\n//!   do {{ say \"!\" }}\n"),
        );
        let table = Table::new(&texts.program(), &setup(&[runners, &["hare", "hound"]]));
        let decision = table.decision(0).id;
        let count = table.options(0).len() as u64;
        (1..count).filter_map(|index| Some(table.session.option(decision, index)?.text)).collect()
    };
    assert_eq!(sentences("run faster", &["hare", "newt"]), ["run faster (Hare)", "run faster (Newt)"]);
    assert_eq!(sentences("{holder} runs faster", &["hare", "newt"]), ["Hare runs faster", "Newt runs faster"]);
    assert_eq!(sentences("run faster", &["hare", "hound"]), ["run faster"], "only one may");
}

#[test]
fn the_abilities_of_whom_the_rules_name_work_and_no_others() {
    let mut table = table("abilities work when holder is me.runner", &[&["newt", "hare"], &["hound", "hare"]]);
    assert_eq!(table.options(0), ["run", "sprint"]);
    table.answer(0, "sprint");
    assert_eq!(table.new_said_texts(), ["Newt sprints"]);
    table.check();
}

#[test]
fn one_ability_may_be_said_to_work_under_a_condition_of_its_own() {
    let rules = "ability sprint works when holder is me.runner";
    assert_eq!(table(rules, &[&["newt", "hare"], &["hound", "hare"]]).options(0), ["run", "sprint"]);
    let idle = table(rules, &[&["hound", "hare"], &["newt", "hare"]]);
    assert_eq!(idle.open_decisions(), [], "there is nothing but to run, so nobody is asked");
}

#[test]
fn both_conditions_must_hold() {
    let rules = "abilities work when holder is me.runner\nability sprint works when me is last of sides";
    assert_eq!(table(rules, &[&["newt", "hare"], &["hound", "hare"]]).open_decisions(), []);
}

#[test]
fn uses_are_counted_for_each_who_has_the_ability() {
    let mut table = table("", &[&["hare", "newt"], &["hound", "hare"]]);
    table.answer(0, "sprint");
    assert_eq!(table.options(0), ["run", "sprint"], "Hare has sprinted in this lap, Newt has not");
}

#[test]
fn what_is_shared_is_counted_for_the_whole_side() {
    let mut table = table("abilities share uses per lap", &[&["hare", "newt"], &["hound", "hare"]]);
    table.answer(0, "sprint");
    assert_eq!(table.options(0), ["run", "sprint", "sprint#2"], "nobody is left to sprint in this lap, and in the next both may");
    table.answer(0, "sprint#2").answer(0, "sprint").answer(0, "sprint");
    assert_eq!(table.new_said_texts(), ["Hare sprints", "Newt sprints", "Hare sprints", "Newt sprints"]);
    assert_eq!(table.open_decisions(), [], "each has sprinted twice, which is counted for each alone");
    table.check();
}

#[test]
fn what_works_must_be_there() {
    let told = racers("ability sprnit works when holder is me.runner").error_details();
    let help = "did you mean `sprint`?".to_string();
    assert_eq!(told, [(codes::UNKNOWN_ABILITY, "there is no ability `sprnit`".to_string(), help)]);
}

#[test]
fn each_is_said_once() {
    let twice = "abilities work when holder is me.runner\nabilities work when me is first of sides";
    assert_eq!(racers(twice).problems(), ["`abilities work` is given twice"]);
    let twice = "ability bark works when me is first of sides\nability bark works when me is last of sides";
    assert_eq!(racers(twice).problems(), ["`bark` is declared twice"]);
}

// --- moves that nobody is obliged to -----------------------------------------------

#[test]
fn nobody_must_make_a_move_that_does_not_oblige() {
    let rules = "action trot is deed\n  obliges when active.runner is first of active.racers and 1 > 2";
    let game = racers(rules);
    let free = game.clone();
    let mut table = Table::new(&free.program(), &setup(&[&["hound", "hare"], &["newt", "hare"]]));
    assert_eq!(table.options(0), ["run", "trot", "sprint"]);
    table.answer(0, "trot");
}

/// `can` asks whether there is a move that leaves no passing, `may` whether there is any.
#[test]
fn whether_a_side_may_make_a_move_counts_what_does_not_oblige() {
    let said = |clauses: &str, ask: &str| {
        let rules = format!(
            "sides 2 of 1 racer\nsheet racer (racers)\nfamily deed(active: side) {{ far: number }}
            to play {{ each side in sides {{ say \"{{can deed(side){ask}}} {{may deed(side){ask}}}\" }} }}"
        );
        let texts = game(&rules).sheet("frog", "name: Frog\nabilities: [hop]\n").sheet("newt", "name: Newt\n").script(
            "hop",
            &format!(
                "//! ability hop \"Hop\"\n//! grant hop(far in (1..3)) is deed\n//!   says \"hop {{far}}\" do {{ }}\n{clauses}"
            ),
        );
        texts.play_with_sheets(&["frog", "newt"]).new_said_texts()
    };
    assert_eq!(said("", ""), ["no yes", "no no"], "what is granted obliges to nothing, and is the owner's");
    assert_eq!(said("//!   obliges when active is me\n", ""), ["yes yes", "no no"]);
    assert_eq!(said("", " where it.far = 3"), ["no yes", "no no"]);
    assert_eq!(said("", " where it.far = 4"), ["no no", "no no"]);
}

#[test]
fn an_action_of_the_rules_that_does_not_oblige_may_be_made() {
    let rules = "sides 2\nfamily deed(active: side) {}\naction trot is deed\n  obliges when active is last of sides
        to play { each side in sides { say \"{can deed(side)} {may deed(side)}\" } }";
    assert_eq!(game(rules).play().new_said_texts(), ["no yes", "yes yes"]);
}

#[test]
fn who_has_only_such_moves_may_pass() {
    let rules = "sides 2\nfamily deed(active: side) {}\naction trot is deed\n  obliges when active is last of sides
        to play { each side in sides { side must choose deed(side) as chosen else { say \"{side} rests\" } say \"{can deed(side)}\" } }";
    let mut table = game(rules).play();
    assert_eq!(table.options(0), ["trot", "pass"]);
    table.answer(0, "pass");
    assert_eq!(table.new_said_texts(), ["side 0 rests", "no", "yes"], "and who must trot is not asked");
}
