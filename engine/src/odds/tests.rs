//! A pond whose frogs throw dice.

mod best;
mod brute;
mod forms;
mod kept;
mod pools_of_six;
mod programs;
mod reasons;

use super::{Effort, Odds, OddsMethod, compute_odds};
use crate::testing::{Texts, game};
use ludex_compiler::library::CompileRequest;
use ludex_syntax::problem::Problem;

/// Procedures that read their dice in many ways.
const POND: &str = r#"
sides 2
type weather is one of sunny, rainy, foggy
the table has { counter flies  counter rain in 0..9 }
option deep = 2 in 1..9
mode dry "Dry" { replace define bonus = 10  to only_dry: number { give 7 } }
define bonus = 1
table gaps(frogs) { 1: 7 }
table legs(frogs) { 0: 0  1: 4  otherwise: 8 }
define over(values: list of number, least: number) = count of (values where it >= least)
define those_over(values: list of number, least: number) = values where it >= least
define different(values: list of number) = count of ((1..6) where it in values)
define faces_shown(values: list of number) = count of ((1..6) where is_among(values, it))
define named(values: list of number) = count of ((1..6) as face where any of values has it = face)
define is_among(values: list of number, face: number) = count of (values where it = face) > 0
define commonest(values: list of number) = highest of those of (1..6) as face with highest count of (values where it = face)
to found_again: number {
  roll 2 d6 as shown
  let found = count of ((1..6) where is_among(shown, it))
  roll found d6 as more
  give sum of more
}
to play { do hops(2, 6) as far  finish with nobody "{far}" }
to hops(count: number, size: number): number { roll count dice of size size as shown  give sum of shown }
to again(count: number): number {
  roll count d3 because "{count} frogs" as shown
  repeat 2 times { roll count of (shown where it < 3) d3 as shown }
  give sum of shown
}
to climbs(count: number): number {
  roll count d3 as shown
  let before = 0
  let ups = 0
  each number in shown {
    if number > before { add 1 to ups }
    set before to number
  }
  give ups
}
to kept(count: number): number {
  roll count d4 as one
  roll count d4 as two
  let best = highest of one
  give count of (two where it >= best) + count of one
}
to changes(count: number): number {
  let least = 1
  roll count d4 as shown
  set least to 3
  let other = shown
  give over(other, least) * 10 + over(shown, least - 1)
}
to of_itself(count: number): number {
  roll count d4 as shown
  give over(shown, highest of shown) + over(those_over(shown, 2), 3)
}
to total(values: list of number): number { give sum of values - lowest of values }
to handed_on(count: number): number { roll count d4 as shown  do total(shown) as sum  give sum }
to pool(count: number): list of number { roll count d4 as shown  give shown }
to handed_back(count: number): number { do pool(count) as shown  give over(shown, 3) }
to first_of(values: list of number): number {
  each value in values { give value }
  give 0
}
to leads(count: number): number { roll count d4 as shown  do first_of(shown) as first  give first }
to counted(count: number): number {
  roll count d4 as shown
  add highest of shown to flies
  roll 1 d4 as more
  add sum of more to flies
  give flies
}
to bursts(most: number): number {
  let sum = 0
  let done = no
  repeat most times {
    roll 1 d3 as shown
    add sum of shown to sum
    if sum of shown < 3 { leave }
  }
  give sum
}
to sky(count: number): weather {
  roll count d6 as shown
  if highest of shown = 6 { give sunny }
  if lowest of shown = 1 { give foggy }
  give rainy
}
to asks(side: side): number { side must choose number in 1..6 as far  give far }
to ends: number { roll 1 d2 as shown  if sum of shown = 1 { finish with nobody "over" }  give 3 }
to nothing_given { do hops(1, 6) as far  say "{far}" }
to floods: number { roll 4 d6 as shown  add sum of shown to rain  give rain }
to late_roll: number {
  roll 2 d4 as shown
  let least = lowest of shown
  roll 2 d4 as more
  give count of (shown where it > least) + over(more, least)
}
to until_two(most: number): number {
  let last = 0
  repeat most times {
    roll 1 d2 as shown
    set last to sum of shown
    if last = 2 { leave }
  }
  give last
}
to doubles(most: number): number {
  let stake = 1
  repeat most times {
    roll 1 d2 as coin
    if sum of coin = 2 { leave }
    add stake to stake
  }
  give stake
}
to apart(most: number): number {
  let place = 1
  repeat most times {
    roll 1 d6 as shown
    if sum of shown * 1000 = place { leave }
    set place to place * 3 + sum of shown - (if place > 1000000 then place * 3 else 0)
  }
  give place divided by 6 rounded down
}
to tries: number {
  let done = 0
  let last = 0
  repeat at most 2000 times until last = 2 {
    roll 1 d2 as shown
    set last to sum of shown
    add 1 to done
  } otherwise { give 0 }
  give done
}
to unsure(count: number): number {
  do perhaps(count) as got
  roll 1 d2 as shown
  give sum of shown + got
}
to perhaps(count: number): number {
  roll count d4 as shown
  if highest of shown > 2 { give 5 }
  give 1
}
"#;

fn pond() -> Texts {
    game(POND)
}

fn ask_with(texts: &Texts, wanted: &CompileRequest, expression: &str, effort: &Effort) -> Result<Odds, Vec<Problem>> {
    let mut library = texts.library();
    let source = library.sources.add("expression", expression);
    compute_odds(&library, "pond", wanted, &[], source, effort)
}

fn ask(expression: &str) -> Result<Odds, Vec<Problem>> {
    ask_with(&pond(), &CompileRequest::default(), expression, &Effort::default())
}

/// Each value with its share.
fn told(odds: &Odds) -> Vec<String> {
    odds.values.iter().map(|value| format!("{}: {}", value.shown, value.share)).collect()
}

#[track_caller]
fn shares(expression: &str) -> Vec<String> {
    match ask(expression) {
        Ok(odds) => {
            assert!(matches!(odds.found, OddsMethod::Exactly { .. }), "{expression}");
            told(&odds)
        }
        Err(problems) => panic!("{expression}: {:#?}", errors(problems)),
    }
}

fn errors(problems: Vec<Problem>) -> Vec<Problem> {
    problems.into_iter().filter(Problem::is_error).collect()
}

/// The first problem: its message, and what it points at.
#[track_caller]
fn problem(expression: &str) -> (String, String) {
    let problems = ask(expression).err().unwrap_or_else(|| panic!("{expression} has odds"));
    let problem = problems.iter().find(|problem| problem.is_error()).unwrap();
    let mut library = pond().library();
    library.sources.add("expression", expression);
    let place = problem.labels.first().map_or("", |(span, _)| library.sources.span_text(*span));
    (problem.message.to_string(), place.to_string())
}

#[test]
fn dice_are_summed_where_a_number_is_wanted() {
    assert_eq!(shares("2d2"), ["2: 1/4", "3: 1/2", "4: 1/4"]);
    assert_eq!(shares("2d2 + d2 - 1"), ["2: 1/8", "3: 3/8", "4: 3/8", "5: 1/8"]);
    assert_eq!(shares("2d6 >= 10"), ["no: 5/6", "yes: 1/6"]);
    assert_eq!(shares("count of (3 d6 where it >= 5)"), ["0: 8/27", "1: 4/9", "2: 2/9", "3: 1/27"]);
    assert_eq!(shares("2d6 is odd"), ["no: 1/2", "yes: 1/2"]);
    assert_eq!(shares("sorted 2d2 = [1, 2]"), ["no: 1/2", "yes: 1/2"]);
    assert_eq!(shares("6 in 2d6"), ["no: 25/36", "yes: 11/36"]);
    assert_eq!(shares("any of 2d6 has it = 6"), shares("6 in 2d6"));
    assert_eq!(shares("all of 2d6 has it > 3"), ["no: 3/4", "yes: 1/4"]);
    assert_eq!(shares("half of 1d2"), ["0.5: 1/2", "1: 1/2"]);
    assert_eq!(shares("sum of (1d2 + 1d2)"), shares("2d2"));
}

#[test]
fn what_happens_only_at_times_happens_only_then() {
    assert_eq!(shares("if 1d2 = 1 then 1d2 else 4"), ["1: 1/4", "2: 1/4", "4: 1/2"]);
    assert_eq!(shares("1d2 = 1 and 2 divided by 1d2 rounded down = 1"), ["no: 3/4", "yes: 1/4"]);
    // A table without `otherwise` may give none.
    assert_eq!(shares("if 1d2 = 1 then gaps(1) else gaps(2)"), ["none: 1/2", "7: 1/2"]);
    assert_eq!(shares("1d2 = 1 or 1d4 = 1"), ["no: 3/8", "yes: 5/8"]);
    // The number of dice is thrown too.
    assert_eq!(shares("(1d2) d2"), ["1: 1/4", "2: 3/8", "3: 1/4", "4: 1/8"]);
    assert_eq!(shares("1 dice of size (1d2)"), ["1: 3/4", "2: 1/4"]);
}

#[test]
fn procedures_tables_definitions_and_options_are_those_of_the_game() {
    assert_eq!(shares("hops(2, 2)"), shares("2d2"));
    assert_eq!(shares("hops(1d2, 2) > legs(1) - deep"), ["no: 5/8", "yes: 3/8"]);
    assert_eq!(shares("over([1, 2, 3], 1d3)"), ["1: 1/3", "2: 1/3", "3: 1/3"]);
    assert_eq!(shares("over(2d6, 4) + bonus"), ["1: 1/4", "2: 1/2", "3: 1/4"]);
    assert_eq!(shares("sky(1)"), ["sunny: 1/6", "rainy: 2/3", "foggy: 1/6"]);
    assert_eq!(shares("sky(2) is rainy"), ["no: 5/9", "yes: 4/9"]);
    let dry =
        CompileRequest { mode: Some("dry".to_string()), options: [("deep".to_string(), "5".to_string())].into(), open: false };
    let told_dry = |text: &str| told(&ask_with(&pond(), &dry, text, &Effort::default()).unwrap());
    assert_eq!(told_dry("bonus + deep + only_dry"), ["22: 1"]);
}

/// How much work an expression is that has exact odds.
fn work(expression: &str) -> u64 {
    match ask(expression).unwrap().found {
        OddsMethod::Exactly { work, .. } => work,
        found => panic!("{expression}: {found:?}"),
    }
}

#[test]
fn equal_states_become_one() {
    // Each would be millions of throws.
    assert!(work("count of (100d6 where it >= 4)") < 25_000);
    assert!(work("10d6 + 10d6") < 40_000);
    assert!(work("hops(10, 6) + hops(10, 6) + hops(10, 6)") < 150_000);
    assert!(work("again(20)") < 200_000);
    assert!(work("bursts(50)") < 50_000);
    // The list is remembered, but not its order.
    assert!(work("sorted 10d2 = [1]") < 200);
    assert!(work("climbs(4)") < 2_000);
}

#[test]
fn procedures_are_worked_out_once_for_equal_arguments() {
    // A second time only adds the two numbers. With another argument it is all to do again, though it is less.
    assert!(work("again(20) + again(20) = 40") < work("again(20) + again(19) = 40"));
}

#[test]
fn a_loop_is_followed_until_its_cap_hardly_matters() {
    let cut = |expression: &str| match ask(expression).unwrap().found {
        OddsMethod::Exactly { cut, .. } => cut,
        found => panic!("{expression}: {found:?}"),
    };
    // 1 in 2 goes on: the cap of 2,000 rounds is far away.
    assert_eq!((shares("until_two(2000)"), cut("until_two(2000)")), (vec!["2: 1".to_string()], Some(-602)));
    // With 3 rounds it is not, and all three are followed.
    assert_eq!((shares("until_two(3)"), cut("until_two(3)")), (vec!["1: 1/8".to_string(), "2: 7/8".to_string()], None));
    assert_eq!(cut("until_two(20)"), None);
    // What would happen beyond a cap does not matter: here a number would be too large, and there would be too many values.
    assert_eq!(shares("doubles(3)"), ["1: 1/2", "2: 1/4", "4: 1/8", "8: 1/8"]);
    assert_eq!(shares("apart(2)").len(), 4);
    // How often it was tried has no end, and every number of tries has its share.
    let tries = ask("tries").unwrap();
    assert_eq!(&told(&tries)[..3], ["1: 1/2", "2: 1/4", "3: 1/8"]);
    assert!(matches!(tries.found, OddsMethod::Exactly { cut: Some(..-29), .. }));
    // Of at least three only so much is asked.
    assert_eq!((shares("tries >= 3"), cut("tries >= 3")), (vec!["no: 3/4".to_string(), "yes: 1/4".to_string()], Some(-602)));
}

#[test]
fn a_throw_is_looked_at_for_each_member_of_another_list() {
    let different = ["1: 1/6", "2: 5/6"];
    assert_eq!(shares("different(2d6)"), different);
    assert_eq!(shares("faces_shown(2d6)"), different);
    assert_eq!(shares("named(2d6)"), different);
    assert_eq!(shares("commonest(3d6)"), ["1: 2/27", "2: 2/27", "3: 11/108", "4: 17/108", "5: 13/54", "6: 19/54"]);
    assert_eq!(ask("found_again").unwrap().mean().unwrap().to_string(), "77/12");
}

#[test]
fn the_mean_and_the_variance_are_exact() {
    let odds = ask("3d6").unwrap();
    assert_eq!((odds.mean().unwrap().to_string(), odds.variance().unwrap().to_string()), ("21/2".into(), "35/4".into()));
    let odds = ask("half of 1d2 - 3").unwrap();
    assert_eq!((odds.mean().unwrap().to_string(), odds.variance().unwrap().to_string()), ("-9/4".into(), "1/16".into()));
    assert!(ask("2d6 = 7").unwrap().mean().is_none());
}

#[test]
fn above_the_limit_chance_is_tried() {
    let effort = Effort { limit: 1_000, samples: 4_000, seed: 3, ..Effort::default() };
    let tried = |effort: &Effort| ask_with(&pond(), &CompileRequest::default(), "climbs(9) > 4", effort).unwrap();
    let odds = tried(&effort);
    assert_eq!(odds.found, OddsMethod::ByTrying { samples: 4_000 });
    assert_eq!(odds.values.iter().map(|value| value.times).sum::<u64>(), 4_000);
    assert_eq!(told(&odds), told(&tried(&effort)));
    assert_ne!(told(&odds), told(&tried(&Effort { seed: 4, ..effort })));
    let exact = tried(&Effort { limit: 1_000_000, ..effort });
    assert!(matches!(exact.found, OddsMethod::Exactly { cut: None, .. }));
    let (about, exact) = (odds.values[1].share.to_f64(), exact.values[1].share.to_f64());
    assert!((about - exact).abs() < 0.03, "{about} {exact}");
}

#[test]
fn what_has_no_odds_is_told_in_its_place() {
    let pair = |message: &str, place: &str| (message.to_string(), place.to_string());
    assert_eq!(problem("hopps(2, 6)"), pair("nothing is defined as `hopps`", "hopps"));
    assert_eq!(problem("2d6 + wings"), pair("nothing here is called `wings`", "wings"));
    assert_eq!(problem("1d6 + nothing_given"), pair("`nothing_given` gives no value, so it has no odds", "nothing_given"));
    assert_eq!(
        problem("1 + asks(first of sides)"),
        pair("side 0 is asked here, but odds have no players", "side must choose number in 1..6 as far")
    );
    assert_eq!(problem("6 divided by (1d6 - 3) rounded up").0, "a number is divided by zero");
    assert_eq!(problem("floods"), pair("`rain` would become 10, but it goes from 0 to 9", "add sum of shown to rain"));
    assert_eq!(problem("ends"), pair("the match ends before there is a value", "finish with nobody \"over\""));
    assert_eq!(
        problem("count of ([1, 2] where it > 1d2)"),
        pair("dice and procedures cannot run for each member of a list", "it > 1d2")
    );
    assert_eq!(problem("hops(2)").0, "`hops` takes 2 values, but 1 is given");
    assert_eq!(problem("only_dry").0, "nothing here is called `only_dry`");
    assert_eq!(problem("first of flowers").0, "nothing here is called `flowers`");
    assert_eq!(problem("3d6 = yes").0, "a number cannot be compared with yes or no");
    assert_eq!(problem("none"), pair("this has no value, so it has no odds", "none"));
    assert_eq!(problem(""), pair("there is no expression", ""));
}

/// Dice that are pieces, some with faces of their own, and a zone to shuffle.
const ORCHARD: &str = r#"
sides 2
die sizes 2, 4
die primes "dp" with faces 2, 3, 3
piece die (dice) {}
each side has { zone basket: dice, open, in order  counter apples }
to play { finish with nobody }
to harvest(side: side): number {
  create die(size: 2) in side.basket for side
  create primes() in side.basket for side
  roll side.basket because "harvest"
  give sum of side.basket.value
}
to topmost(side: side): number {
  create die(size: 2) in side.basket for side
  create die(size: 2) in side.basket for side
  create die(size: 4) in side.basket for side
  shuffle side.basket
  give sum of (top 1 of side.basket).size
}
to picked(side: side): number {
  create die(size: 4) in side.basket for side as apple
  repeat 5 times {
    roll apple
    if apple.value > 2 { add 1 to side.apples }
  }
  remove apple
  give side.apples
}
"#;

#[test]
fn dice_that_are_pieces_and_shuffles_are_chance_too() {
    let ask = |text: &str| ask_with(&game(ORCHARD), &CompileRequest::default(), text, &Effort::default()).unwrap();
    assert_eq!(told(&ask("harvest(first of sides)")), ["3: 1/6", "4: 1/2", "5: 1/3"]);
    assert_eq!(told(&ask("topmost(last of sides)")), ["2: 2/3", "4: 1/3"]);
    let picked = ask("picked(first of sides)");
    assert_eq!(told(&picked), ["0: 1/32", "1: 5/32", "2: 5/16", "3: 5/16", "4: 5/32", "5: 1/32"]);
}
