//! Best play is worth what plain recursion over every answer and every throw finds.

use super::*;
use crate::odds::{Best, OddsQuery, Rows, Worth};
use crate::runtime::{Pending, Session};
use proptest::prelude::*;
use std::collections::HashMap;

/// Turns and hands of well-known games.
const TURNS: &str = r#"
sides 2 named "North", "South"
die sizes 6
each side has { counter points }
the table has { counter pot  on_turn: side = first of sides }
family decision(active: side) {}
action again() is decision says "roll again"
action hold() is decision says "hold"
policy at_six for decision {
  when it is hold and pot >= 6 prefer highest 2
  when it is again prefer highest 1
}

option goal = 12 in 1..100
to play {
  repeat at most 2000 times {
    do turn(on_turn)
    set on_turn to on_turn.foe
  } otherwise { finish with nobody }
}
to turn(active: side) {
  set pot to 0
  repeat at most 100 times {
    roll 1 d6 as shown
    if sum of shown = 1 { stop turn }
    add sum of shown to pot
    active must choose decision as decision else { stop turn }
    if decision is hold { leave }
  } otherwise {}
  add pot to active.points
  if active.points >= goal { finish with active }
}

to pig_turn(active: side): number {
  let sum = 0
  repeat at most 50 times {
    roll 1 d6 as shown
    if sum of shown = 1 { give 0 }
    set sum to sum + sum of shown
    active may "Roll again?" as again
    if not again { give sum }
  } otherwise {}
  give sum
}

to sure(active: side): number {
  active must choose number in 1..3 as n
  if n = 2 { give 1 }
  roll 2 d6 as shown
  give if count of (shown where it = 6) >= n then 1 else 0
}

to waited_for: number {
  let active = first of sides
  repeat at most 90 times {
    active may "Go on?" as more
    if not more { give 1 }
  } otherwise { give 1000 }
}
to until_even(active: side): flag {
  repeat at most 900 times {
    roll 1 d2 as coin
    if sum of coin = 2 { leave }
  } otherwise {}
  active may "Stop?" as stops
  give stops
}

to five_alike(active: side): flag {
  roll 5 d6 as first
  let shown = sorted first
  repeat 2 times {
    active may choose 1 to 5 in shown as kept "Keep which dice?" "keep none"
    roll 5 - count of kept d6 as more
    set shown to sorted (kept + more)
  }
  give all of shown has it = first of shown
}

define copies(kept: list of number, face: number) = count of (kept where it = face)
define threes(kept: list of number, face: number) = copies(kept, face) divided by 3 rounded down
define singles(kept: list of number, face: number) = copies(kept, face) - 3 * threes(kept, face)
define worth_of(kept: list of number) =
  if any of [2, 3, 4, 6] has singles(kept, it) > 0 then 0
  else 100 * singles(kept, 1) + 50 * singles(kept, 5) + 1000 * threes(kept, 1) + 200 * threes(kept, 2)
    + 300 * threes(kept, 3) + 400 * threes(kept, 4) + 500 * threes(kept, 5) + 600 * threes(kept, 6)

to farkle_turn(active: side, aim: number): number {
  let sum = 0
  let dice = 6
  repeat at most 30 times {
    roll dice d6 as fallen
    let shown = sorted fallen
    active must choose 1 to 6 in shown as kept "Keep which dice?"
    if worth_of(kept) = 0 { give 0 }
    set sum to sum + worth_of(kept)
    set dice to if dice = count of kept then 6 else dice - count of kept
    if sum >= aim { give sum }
    active may "Roll again?" as again
    if not again { give sum }
  } otherwise {}
  give sum
}

define points(rank: number) = if rank > 10 then 10 else rank
define total(hard: number, ace: flag) = if ace and hard <= 11 then hard + 10 else hard
to dealer(hard: number, ace: flag): number {
  let own = hard
  let has_ace = ace
  repeat at most 20 times until total(own, has_ace) >= 17 {
    roll 1 d13 as card
    set own to own + points(sum of card)
    set has_ace to has_ace or sum of card = 1
  } otherwise {}
  give total(own, has_ace)
}
to blackjack(active: side): number {
  roll 1 d13 as up
  let hard = 0
  let ace = no
  repeat 2 times {
    roll 1 d13 as card
    set hard to hard + points(sum of card)
    set ace to ace or sum of card = 1
  }
  repeat at most 20 times {
    active may "Another card?" as more
    if not more { leave }
    roll 1 d13 as next
    set hard to hard + points(sum of next)
    set ace to ace or sum of next = 1
    if hard > 21 { give 0 - 1 }
  } otherwise {}
  do dealer(points(sum of up), sum of up = 1) as theirs
  give if theirs > 21 or total(hard, ace) > theirs then 1 else if total(hard, ace) = theirs then 0 else 0 - 1
}
"#;

fn asked(texts: &Texts, expression: &str) -> OddsQuery {
    let mut library = texts.library();
    let source = library.sources.add("expression", expression);
    OddsQuery::new(&library, "pond", &CompileRequest::default(), &[], source)
        .unwrap_or_else(|problems| panic!("{expression}: {problems:#?}"))
}

fn best_of(texts: &Texts, expression: &str, policy: Option<&str>) -> Result<Best, Box<Problem>> {
    asked(texts, expression).find_best_play(&Effort::default(), policy, Rows::Likeliest(5))
}

#[track_caller]
fn best(expression: &str) -> Best {
    best_of(&game(TURNS), expression, None).unwrap_or_else(|problem| panic!("{expression}: {problem:#?}"))
}

#[track_caller]
fn is_exactly(best: &Best, wanted: f64) {
    assert!(matches!(best.worth, Worth::Exactly(_)), "{:?}", best.worth);
    let mean = best.odds.as_ref().and_then(Odds::mean);
    let worth = best.worth.to_f64();
    assert!((worth - wanted).abs() < 1e-9, "{worth} is not {wanted}");
    assert!(mean.is_none_or(|mean| (mean.to_f64() - worth).abs() < 1e-12));
}

#[test]
fn three_throws_for_five_of_a_kind() {
    is_exactly(&best("five_alike(first of sides)"), 347_897.0 / 7_558_272.0);
}

#[test]
fn a_turn_of_pig() {
    // Rolling on from a sum is worth it as long as what may be lost is less than what may be won.
    fn turn(sum: u32) -> f64 {
        let roll = (2..=6).map(|face| turn_or_hold(sum + face)).sum::<f64>() / 6.0;
        if sum == 0 { roll } else { roll.max(f64::from(sum)) }
    }
    fn turn_or_hold(sum: u32) -> f64 {
        if sum >= 20 { f64::from(sum) } else { turn(sum) }
    }
    is_exactly(&best("pig_turn(first of sides)"), turn(0));
}

#[test]
fn a_turn_of_farkle() {
    /// What dice that are kept are worth; 0 if some of them count for nothing.
    fn worth(kept: [usize; 6]) -> usize {
        let single = [100, 0, 0, 0, 50, 0];
        let is_dead = (0..6).any(|face| !kept[face].is_multiple_of(3) && single[face] == 0);
        let triple = |face: usize| if face == 0 { 1_000 } else { 100 * (face + 1) };
        let all = (0..6).map(|face| kept[face] / 3 * triple(face) + kept[face] % 3 * single[face]).sum();
        if is_dead { 0 } else { all }
    }
    fn throws(dice: usize) -> HashMap<[usize; 6], f64> {
        let mut found = HashMap::from([([0; 6], 1.0)]);
        for _ in 0..dice {
            let mut next = HashMap::new();
            for (counts, chance) in found {
                for face in 0..6 {
                    let mut counts: [usize; 6] = counts;
                    counts[face] += 1;
                    *next.entry(counts).or_insert(0.0) += chance / 6.0;
                }
            }
            found = next;
        }
        found
    }
    fn subsets(of: [usize; 6]) -> Vec<[usize; 6]> {
        let mut found = vec![[0; 6]];
        for face in 0..6 {
            found = found
                .iter()
                .flat_map(|kept| {
                    (0..=of[face]).map(|count| {
                        let mut kept = *kept;
                        kept[face] = count;
                        kept
                    })
                })
                .collect();
        }
        found
    }
    fn turn(sum: usize, dice: usize, aim: usize, known: &mut HashMap<(usize, usize), f64>) -> f64 {
        if let Some(known) = known.get(&(sum, dice)) {
            return *known;
        }
        let mut mean = 0.0;
        for (counts, chance) in throws(dice) {
            let mut best = 0.0f64;
            for kept in subsets(counts).into_iter().filter(|kept| worth(*kept) > 0) {
                let (sum, left) = (sum + worth(kept), dice - kept.iter().sum::<usize>());
                best = best.max(sum as f64);
                if sum < aim {
                    best = best.max(turn(sum, if left == 0 { 6 } else { left }, aim, known));
                }
            }
            mean += chance * best;
        }
        known.insert((sum, dice), mean);
        mean
    }
    is_exactly(&best("farkle_turn(first of sides, 250)"), turn(0, 6, 250, &mut HashMap::new()));
}

#[test]
fn a_hand_of_blackjack() {
    const CARDS: [(u32, f64); 10] =
        [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (5, 1.0), (6, 1.0), (7, 1.0), (8, 1.0), (9, 1.0), (10, 4.0)];
    fn total(hard: u32, ace: bool) -> u32 {
        if ace && hard <= 11 { hard + 10 } else { hard }
    }
    /// What a hand wins if it stops at `mine`, with the dealer's cards.
    fn dealt(mine: u32, hard: u32, ace: bool) -> f64 {
        let theirs = total(hard, ace);
        match theirs {
            22.. => 1.0,
            17.. => f64::from(mine.cmp(&theirs) as i8),
            _ => CARDS.iter().map(|(card, times)| times / 13.0 * dealt(mine, hard + card, ace || *card == 1)).sum(),
        }
    }
    fn hand(up: u32, hard: u32, ace: bool, known: &mut HashMap<(u32, u32, bool), f64>) -> f64 {
        if hard > 21 {
            return -1.0;
        }
        if let Some(known) = known.get(&(up, hard, ace)) {
            return *known;
        }
        let stop = dealt(total(hard, ace), up, up == 1);
        let more: f64 = CARDS.iter().map(|(card, times)| times / 13.0 * hand(up, hard + card, ace || *card == 1, known)).sum();
        known.insert((up, hard, ace), stop.max(more));
        stop.max(more)
    }
    let mut known = HashMap::new();
    let mut mean = 0.0;
    for (up, times) in CARDS {
        for (one, more) in CARDS {
            for (other, most) in CARDS {
                mean += times * more * most / 13f64.powi(3) * hand(up, one + other, one == 1 || other == 1, &mut known);
            }
        }
    }
    is_exactly(&best("blackjack(first of sides)"), mean);
}

/// How likely the first side wins a match of Pig, by value iteration over the points of the side on turn, those of the other and
/// the sum of the turn. `holds_at`: the first side holds as soon as the sum is so high.
fn pig(goal: usize, holds_at: Option<usize>) -> f64 {
    let mut wins = vec![vec![vec![[0.5f64; 2]; goal + 7]; goal]; goal];
    for _ in 0..400 {
        for (own, other) in (0..goal).rev().flat_map(|own| (0..goal).rev().map(move |other| (own, other))) {
            for (sum, side) in (0..goal + 7).rev().flat_map(|sum| [(sum, 0), (sum, 1)]) {
                let after = |own: usize| if own >= goal { 1.0 } else { 1.0 - wins[other][own][0][1 - side] };
                let rolled = |face: usize| wins[own][other].get(sum + face).map_or(after(own + sum + face), |next| next[side]);
                let roll = (after(own) + (2..=6).map(rolled).sum::<f64>()) / 6.0;
                wins[own][other][sum][side] = match holds_at {
                    _ if sum == 0 => roll,
                    Some(least) if side == 0 && sum < least => roll,
                    Some(_) if side == 0 => after(own + sum),
                    _ => roll.max(after(own + sum)),
                };
            }
        }
    }
    wins[0][0][0][0]
}

#[test]
fn a_match_of_pig() {
    let found = best_of(&game(TURNS), "play", Some("at_six")).unwrap();
    let wanted = pig(12, None);
    let Worth::About { value, within } = found.worth else { panic!("{:?}", found.worth) };
    assert!((value - wanted).abs() <= within && within < 1e-7, "{value} ± {within} is not {wanted}");
    assert_eq!(found.sides, ["North", "South"]);
    let (followed, wanted) = (found.policy.unwrap().to_f64(), pig(12, Some(6)));
    assert!((followed - wanted).abs() < 1e-7, "{followed} is not {wanted}");
}

fn with_limit(expression: &str, limit: u64) -> Result<Best, Box<Problem>> {
    let effort = Effort { limit, ..Effort::default() };
    asked(&game(TURNS), expression).find_best_play(&effort, None, Rows::All)
}

#[test]
fn every_answer_has_its_worth() {
    let worths = |expression: &str| {
        let found = with_limit(expression, Effort::default().limit).unwrap();
        let [question] = &found.questions[..] else { panic!("{:?}", found.questions) };
        let worths: Vec<f64> = question.answers.iter().map(|answer| answer.worth).collect();
        (worths, question.best, question.left_out)
    };
    // Although no answer is better than the second.
    assert_eq!(worths("sure(first of sides) = 1"), (vec![1.0, 11.0 / 36.0, 0.0], 1, 0));
    assert_eq!(worths("sure(first of sides) >= 0"), (vec![1.0, 1.0, 1.0], 3, 0));
    // There is too little work to follow all of them, and enough for the one that is certain.
    let found = with_limit("sure(first of sides) = 1", 100).unwrap();
    assert_eq!((found.questions[0].answers.len(), found.questions[0].left_out), (1, 2));
}

#[test]
fn what_a_cap_leads_to_counts() {
    is_exactly(&best("waited_for"), 1000.0);
    // Too little to count the rounds, and enough to go round without: that says nothing of the cap.
    let problem = with_limit("waited_for", 200).err().unwrap();
    assert!(problem.message.to_string().contains("a cap that decides its value"), "{}", problem.message);
}

#[test]
fn a_question_behind_a_loop_is_come_to_for_certain() {
    let found = with_limit("until_even(first of sides)", 400).unwrap();
    let [question] = &found.questions[..] else { panic!("{:?}", found.questions) };
    assert!((question.chance - 1.0).abs() < 1e-6, "{question:?}");
}

// --- any rules ------------------------------------------------------------------

/// What stands before the statements of a generated procedure.
const BEFORE: &str = r#"
sides 2 named "North", "South"
die sizes 3
each side has { counter points }
the table has { zone tray: dice, open  counter pot }
family decision(active: side) {}
action stay() is decision says "stay"
action go() is decision when pot < 3 says "go"
action give_up() is decision says "give up"
to play { finish with sides }
to tried(north: side, south: side): number {
  repeat 2 times { create die(size: 3) in tray }
  let a = 0
  let b = 1
  let xs = [1, 2]
"#;

const BEHIND: &str = "
  give a * 3 - b + sum of xs + sum of tray.value - 2 * pot + north.points
}";

#[derive(Clone, Debug)]
enum Statement {
    Set(&'static str),
    Roll(u8, u8, &'static str),
    RollTray,
    RollSome(bool),
    YesNo(bool, Vec<Statement>, Vec<Statement>),
    Number(bool, &'static str),
    Members(bool, u8, &'static str),
    Order(bool),
    Move(bool, Vec<Statement>),
    If(&'static str, Vec<Statement>),
    Repeat(bool, Vec<Statement>),
}

fn statement() -> impl Strategy<Value = Statement> {
    let sets = prop::sample::select(vec![
        "set a to a + b but at most 4",
        "set b to count of xs - a",
        "set a to sum of highest 1 of xs",
        "set b to sum of first of xs",
        "set xs to xs + [a but at most 3]",
        "set xs to sorted down xs",
        "set pot to pot + 1 but at most 3",
        "add 1 to north.points",
        "set a to sum of tray.value",
        "if pot > 1 { give a }",
    ]);
    let lists = || {
        prop::sample::select(vec![
            "set xs to NAME",
            "set xs to sorted NAME",
            "set a to sum of NAME but at most 5",
            "set b to highest of NAME",
        ])
    };
    let numbers = prop::sample::select(vec!["set a to a - NAME", "set b to NAME", "set pot to NAME"]);
    let who = any::<bool>;
    let leaf = prop_oneof![
        3 => sets.prop_map(Statement::Set),
        2 => (1u8..3, 2u8..4, lists()).prop_map(|(count, size, then)| Statement::Roll(count, size, then)),
        1 => Just(Statement::RollTray),
        2 => who().prop_map(Statement::RollSome),
        2 => (who(), numbers).prop_map(|(who, then)| Statement::Number(who, then)),
        2 => (who(), 0u8..3, lists()).prop_map(|(who, least, then)| Statement::Members(who, least, then)),
        1 => who().prop_map(Statement::Order),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            2 => (any::<bool>(), block(), block()).prop_map(|(who, yes, no)| Statement::YesNo(who, yes, no)),
            2 => (any::<bool>(), block()).prop_map(|(who, then)| Statement::Move(who, then)),
            1 => (prop::sample::select(vec!["a > 2", "count of xs < 3", "pot = 1", "highest of tray.value = 3"]), block())
                .prop_map(|(condition, then)| Statement::If(condition, then)),
            2 => (any::<bool>(), block()).prop_map(|(is_long, then)| Statement::Repeat(is_long, then)),
        ]
    })
}

/// Writes statements as rules; each answer and throw has a name of its own.
fn written(statements: &[Statement], next: &mut usize, text: &mut String) {
    for statement in statements {
        *next += 1;
        let name = format!("v{next}");
        let who = |is_north: &bool| if *is_north { "north" } else { "south" };
        let mut block = |text: &mut String, statements: &[Statement]| {
            text.push_str("{\n");
            written(statements, next, text);
            text.push_str("}\n");
        };
        match statement {
            Statement::Set(line) => text.push_str(&format!("{line}\n")),
            Statement::Roll(count, size, then) => {
                text.push_str(&format!("roll {count} d{size} as {name}\n{}\n", then.replace("NAME", &name)))
            }
            Statement::RollTray => text.push_str("roll tray\n"),
            Statement::RollSome(side) => {
                text.push_str(&format!("{} may choose 1 to 2 in tray as {name}\nroll {name}\n", who(side)))
            }
            Statement::YesNo(side, yes, no) => {
                text.push_str(&format!("{} may \"Really?\" as {name}\nif {name} ", who(side)));
                block(text, yes);
                text.push_str("else ");
                block(text, no);
            }
            Statement::Number(side, then) => {
                text.push_str(&format!("{} must choose number in 0..2 as {name}\n{}\n", who(side), then.replace("NAME", &name)));
            }
            Statement::Members(side, least, then) => {
                let then = then.replace("NAME", &format!("({name} + [2])"));
                text.push_str(&format!("{} may choose {least} to 2 in xs as {name}\n{then}\n", who(side)));
            }
            Statement::Order(side) => text.push_str(&format!("{} may order xs as {name}\nset xs to {name} + [1]\n", who(side))),
            Statement::Move(side, then) => {
                text.push_str(&format!("{} must choose decision as {name} else {{ give 7 }}\nif {name} is go ", who(side)));
                block(text, then);
                text.push_str(&format!("if {name} is give_up {{ give 0 - a }}\n"));
            }
            Statement::If(condition, then) => {
                text.push_str(&format!("if {condition} "));
                block(text, then);
            }
            Statement::Repeat(is_long, then) => {
                // A long loop whose rounds have no influence but on the pot.
                let head = if *is_long { "repeat at most 40 times until pot > 1 " } else { "repeat 2 times " };
                let mut inner = then.clone();
                if *is_long {
                    inner.push(Statement::Set("set pot to pot + 1 but at most 3"));
                }
                text.push_str(head);
                block(text, &inner);
                if *is_long {
                    text.push_str("otherwise {}\n");
                }
            }
        }
    }
}

/// What play is worth from here on, by looking at everything that can be answered and thrown; none if that is too much.
fn by_recursion(session: &Session, asked: &OddsQuery, first: usize, left: &mut u32) -> Option<f64> {
    *left = left.checked_sub(1)?;
    if let Some(value) = asked.value_at_end(session.machine()).unwrap() {
        return Some(f64::from(value[0]));
    }
    match session.pending() {
        Pending::Random(request) => {
            let sizes: Vec<i64> = request.draws.iter().map(|draw| draw.size).collect();
            let ways: i64 = sizes.iter().product();
            let mut sum = 0.0;
            for way in 0..ways {
                let mut rest = way;
                let results: Vec<i64> = sizes
                    .iter()
                    .map(|size| {
                        let shown = rest % size + 1;
                        rest /= size;
                        shown
                    })
                    .collect();
                let mut session = session.clone();
                session.supply(&results).unwrap();
                sum += by_recursion(&session, asked, first, left)?;
            }
            Some(sum / ways as f64)
        }
        Pending::Decisions(decisions) => {
            let decision = &decisions[0];
            let sign = if decision.seat == first { 1.0 } else { -1.0 };
            let mut best = f64::NEG_INFINITY;
            for answer in decision.answers().list_answers() {
                let mut session = session.clone();
                session.choose(decision.id, answer).unwrap();
                best = best.max(sign * by_recursion(&session, asked, first, left)?);
            }
            Some(sign * best)
        }
        Pending::Finished(_) => unreachable!(),
    }
}

/// How many rules are tried; more if the environment says so.
fn cases() -> u32 {
    std::env::var("LUDEX_JUDGED").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]
    #[test]
    fn any_rules_are_worth_what_recursion_finds(statements in prop::collection::vec(statement(), 2..6)) {
        let mut rules = BEFORE.to_string();
        written(&statements, &mut 0, &mut rules);
        rules.push_str(BEHIND);
        let asked = asked(&game(&rules), "tried(first of sides, last of sides)").without_stops().unwrap();
        let effort = Effort { limit: 2_000_000, ..Effort::default() };
        let found = asked.find_best_play(&effort, None, Rows::All);
        let first = usize::from(found.as_ref().is_ok_and(|found| found.sides.first().is_some_and(|side| side == "South")));
        if let Some(wanted) = by_recursion(&asked.start_session().unwrap(), &asked, first, &mut 20_000) {
            let found = found.map_err(|problem| TestCaseError::fail(format!("{problem:?}\n{rules}")))?;
            let worth = found.worth.to_f64();
            prop_assert!((worth - wanted).abs() < 1e-9, "{worth} is not {wanted}: {rules}");
            let is_exact = matches!(found.worth, Worth::Exactly(_));
            prop_assert!(is_exact, "{:?}: {rules}", found.worth);
            if let Some(mean) = found.odds.as_ref().and_then(Odds::mean) {
                prop_assert!((mean.to_f64() - wanted).abs() < 1e-9, "{mean} on average, and not {wanted}: {rules}");
            }
            for question in &found.questions {
                let worths: Vec<f64> = question.answers.iter().map(|answer| answer.worth).collect();
                prop_assert!(question.second_best_loss().is_none_or(|loss| loss >= 0.0) && question.best >= 1 && !worths.is_empty(), "{question:?}");
            }
        }
    }
}
