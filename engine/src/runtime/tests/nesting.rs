//! Three abilities of two players inside each other, each of which asks.

use crate::runtime::{Choice, Decision, Form, random};
use crate::testing::{Table, Texts, game, setup};

const RULES: &str = r#"
sides 2 of 1 hero
die sizes 4, 6, 8, 10
sheet hero (heroes) { zone bag: dice, open }
each side has { fighter: hero = first of heroes, lending bag   counter score }

hook turn_begins(active: side)
hook struck(die: die) answers parried
hook healed(side: side)

to play {
  repeat 2 times { do turn(first of sides) }
  finish with nobody "over"
}

scope turn(active: side) {
  open turn_begins(active)
  say "{active} has {active.score} and {active.foe} has {active.foe.score}"
}

to strike(die: die): number {
  open struck(die) {
    when nothing { roll die because "struck" }
    when parried { say "{die} parries" }
  }
  add 1 to die.owner.score
  give die.value
}

to heal(side: side) {
  open healed(side)
  add 2 to side.score
}
"#;

const ALPHA: &str = r#"//! ability alpha "Alpha"
//! uses 1 per turn
//! offer alpha at turn_begins(active)
//!   when active is me

fn alpha(me) {
    let die = choose(me, "Which die is struck?", me.foe.bag);
    roll(die, "about to be struck");
    let shown = strike(die);
    let more = choose_number(me, "How much?", 1, 3);
    add(me, "score", more + shown);
}
"#;

const BETA: &str = r#"//! ability beta "Beta"
//! offer beta at struck(die)
//!   when die.owner is me

fn beta(die, me) {
    let parries = may(me, "Parry?");
    heal(me);
    let other = choose(me, "Which die is rolled?", me.bag);
    roll(other, "beta");
    if parries { answer("parried"); }
}
"#;

const GAMMA: &str = r#"//! ability gamma "Gamma"
//! uses 2 per turn
//! offer gamma at healed(side)
//!   when side is not me

fn gamma(me, side) {
    let dice = choose_some(me, "Which dice?", me.bag, 1, 2);
    roll(dice, "gamma");
    let die = choose(side, "Which is set to 1?", me.bag);
    set(die, "value", 1);
    GO_WRONG
}
"#;

fn texts(last: &str) -> Texts {
    game(RULES)
        .sheet("otter", "name: Otter\nabilities: [alpha, gamma]\nbag: [4, 6, 8]\n")
        .sheet("heron", "name: Heron\nabilities: [beta]\nbag: [6, 10]\n")
        .script("alpha", ALPHA)
        .script("beta", BETA)
        .script("gamma", &GAMMA.replace("GO_WRONG", last))
}

fn start(last: &str) -> Table {
    texts(last).play_with_sheets(&["otter", "heron"])
}

/// The answers that lead to the innermost question.
const INWARDS: [(usize, &str); 7] =
    [(0, "alpha"), (0, "choose(3)"), (1, "beta"), (1, "yes"), (0, "gamma"), (0, "choose(0+2)"), (1, "choose(1)")];

#[test]
fn each_asks_at_its_depth() {
    let mut table = start("");
    let mut prompts = Vec::new();
    for (seat, key) in INWARDS {
        assert_eq!(table.asked_seats(), [seat]);
        prompts.push(table.prompt(seat));
        table.answer(seat, key);
    }
    let expected = [
        "Turn begins: use an ability?",
        "Which die is struck?",
        "Struck: use an ability?",
        "Parry?",
        "Healed: use an ability?",
        "Which dice?",
        "Which is set to 1?",
    ];
    assert_eq!(prompts, expected);
    // The innermost is over, its hook open once more; then the middle one, then the outermost.
    assert_eq!(table.prompt(0), "Healed: use an ability?");
    table.answer(0, "pass");
    assert_eq!(table.prompt(1), "Which die is rolled?");
    table.answer(1, "choose(4)");
    assert_eq!(table.prompt(0), "How much?");
    table.new_event_texts();
    table.answer(0, "number(3)");
    let shown = table.session.view(crate::runtime::Viewer::Trusted).sides[0].counters["score"].clone();
    let news = table.new_event_texts();
    assert_eq!(news[..2], ["chose(number(3) by 0)".to_string(), format!("set(score, {shown} by 0)")]);
    table.check();
}

#[test]
fn events_tell_the_ability_that_led_to_them() {
    let mut table = start("");
    for (seat, key) in INWARDS {
        table.answer(seat, key);
    }
    table.answer(0, "pass").answer(1, "choose(4)").answer(0, "number(2)");
    let of = |table: &Table, kind: &str| -> Vec<String> {
        let events = table.events.iter().filter(|event| event.name == kind);
        events.map(|event| format!("{}:{}", event.cause.ability.as_deref().unwrap_or("rules"), event.cause.line)).collect()
    };
    assert_eq!(of(&table, "rolled"), ["alpha:8", "gamma:8", "gamma:8", "beta:9"]);
    assert_eq!(of(&table, "set"), ["gamma:10", "beta:34", "alpha:28", "alpha:11"]);
    assert_eq!(
        of(&table, "said").first().map(String::as_str),
        Some("alpha:26"),
        "what parrying means is done on behalf of the attacker"
    );
}

// --- at every prompt ---------------------------------------------------------------

/// Any answer to a decision, by key.
fn any_key(table: &Table, decision: &Decision, luck: &mut random::Generator) -> String {
    let mut below = |bound: u64| u64::from(random::random_below(luck, bound as u32));
    let choice = match decision.form {
        Form::One => Choice::Option(below(decision.count)),
        Form::Number { min, max } => Choice::Number(min + below((max - min + 1) as u64) as i64),
        Form::Some { min, max } => {
            let wanted = min + below(max - min + 1);
            let skipped = below(decision.count - wanted + 1);
            Choice::Options((skipped..skipped + wanted).collect())
        }
        _ => decision.answers().first_answer(),
    };
    table.session.choice_key(decision.id, &choice).expect("an open decision")
}

/// The state that the same answers lead to from the beginning, as a recording does.
fn rebuilt(answers: &[(usize, String)]) -> Table {
    let mut table = start("");
    for (seat, key) in answers {
        table.answer(*seat, key);
    }
    table
}

#[track_caller]
fn assert_same(one: &Table, other: &Table) {
    assert!(one.session.same_state(&other.session));
    assert_eq!(one.events, other.events);
    assert_eq!(one.open_decisions(), other.open_decisions());
    for decision in one.open_decisions() {
        assert_eq!(one.prompt(decision.seat), other.prompt(decision.seat));
        let options = |table: &Table| table.session.options(decision.id, 0, decision.count);
        assert_eq!(options(one), options(other));
    }
}

#[test]
fn every_prompt_can_be_saved_resumed_copied_and_undone() {
    for seed in 0..8 {
        let mut luck = random::seeded_generator(seed);
        let mut table = start("");
        let mut earlier = vec![table.clone()];
        while let Some(decision) = table.open_decisions().first().cloned() {
            table.check();
            assert_same(&table, &rebuilt(&table.answers));
            let key = any_key(&table, &decision, &mut luck);
            let mut copy = table.clone();
            copy.answer(decision.seat, &key);
            table.answer(decision.seat, &key);
            assert_same(&table, &copy);
            // Undone: the answers but the last lead to where the session was before it.
            let all_but_last = &table.answers[..table.answers.len() - 1];
            assert_same(&rebuilt(all_but_last), earlier.last().expect("the beginning"));
            earlier.push(table.clone());
        }
        // A run that nothing interrupted is the same.
        assert_eq!(rebuilt(&table.answers).events, table.events);
        assert!(table.answers.len() >= 2, "there was something to answer");
        table.check();
    }
}

#[test]
fn a_copy_goes_its_own_way() {
    let mut table = start("");
    for (seat, key) in &INWARDS[..5] {
        table.answer(*seat, key);
    }
    let mut copy = table.clone();
    copy.answer(0, "choose(1)");
    table.answer(0, "choose(0+1)");
    assert!(!table.session.same_state(&copy.session));
    copy.answer(1, "choose(0)").answer(0, "pass").answer(1, "choose(4)").answer(0, "number(1)").check();
    table.answer(1, "choose(2)").answer(0, "pass").answer(1, "choose(3)").answer(0, "number(1)").check();
}

#[test]
fn a_fault_in_the_innermost_takes_everything_back() {
    let mut table = start("let three = [1, 2, 3]; say(`${three[7]}`);");
    let (last, first) = INWARDS.split_last().expect("some");
    for (seat, key) in first {
        table.answer(*seat, key);
    }
    let before = table.clone();
    let problem = table.try_answer(last.0, last.1).expect_err("the script goes wrong");
    assert_eq!(problem.message.to_string(), "the list has no place 7: its length is 3, and the first place is 0");
    let sources = &table.session.program().sources;
    let (span, _) = &problem.labels[0];
    assert_eq!((sources.get(span.source).name.as_str(), sources.line_column(*span).0), ("scripts/pond/gamma.rhai", 11));
    assert_same(&table, &before);
    assert!(table.session.take_events().is_empty());
    // Still open, and the fault comes again: the abilities before it are not used up twice.
    assert!(table.try_answer(1, "choose(0)").is_err());
    assert_same(&table, &before);
}

#[test]
fn randomness_after_a_take_back_is_fresh_inside_a_script() {
    let mut table = start("");
    table.answer(0, "alpha");
    let rolled = |seed: Option<u64>| {
        let mut copy = table.clone();
        seed.iter().for_each(|seed| copy.session.reseed(*seed));
        copy.answer(0, "choose(4)");
        copy.new_event_texts().into_iter().find(|event| event.starts_with("rolled")).expect("a roll")
    };
    assert_eq!(rolled(None), rolled(None));
    let fresh: std::collections::BTreeSet<String> = (0..30).map(|seed| rolled(Some(seed))).collect();
    assert!(fresh.len() > 4, "{fresh:?}");
}

#[test]
fn an_imagined_session_does_not_know_the_dice_to_come() {
    let mut table = start("");
    table.answer(0, "alpha");
    let shown = |seed: u64| {
        let mut imagined = table.session.imagine(0, seed);
        let decision = table.decision(0);
        let choice = imagined.find_choice(decision.id, "choose(4)").expect("a die");
        imagined.choose(decision.id, choice).expect("legal");
        imagined.view(crate::runtime::Viewer::Trusted).sides[1].zones.clone()
    };
    let mut seen: Vec<String> = (0..30).map(|seed| format!("{:?}", shown(seed))).collect();
    seen.sort();
    seen.dedup();
    assert!(seen.len() > 4, "{seen:?}");
}

#[test]
fn what_is_rolled_in_a_script_stays_rolled_after_a_reseed() {
    let mut table = start("");
    table.answer(0, "alpha").answer(0, "choose(3)");
    let before = table.session.view(crate::runtime::Viewer::Trusted);
    table.session.reseed(77);
    table.answer(1, "beta");
    assert_eq!(table.session.view(crate::runtime::Viewer::Trusted), before, "the die struck keeps its value");
    table.check();
}

#[test]
fn external_dice_are_asked_for_inside_scripts() {
    use crate::runtime::Dice;
    use crate::runtime::Pending;
    use crate::runtime::Setup;
    let setup = Setup { dice: Dice::External, ..setup(&[&["otter"], &["heron"]]) };
    let mut table = Table::new(&texts("").program(), &setup);
    table.answer(0, "alpha").answer(0, "choose(4)");
    let Pending::Random(request) = table.session.pending() else { panic!("a roll is wanted") };
    assert_eq!((request.draws.len(), request.draws[0].piece, request.draws[0].size), (1, Some(4), 10));
    assert_eq!(request.reason, "about to be struck");
    assert!(table.session.supply(&[11]).is_err(), "a d10 shows no 11");
    assert!(table.session.supply(&[1, 2]).is_err(), "one result is wanted");
    table.supply(&[7]).answer(1, "beta").answer(1, "no").answer(0, "gamma").answer(0, "choose(0+1)");
    let Pending::Random(request) = table.session.pending() else { panic!("a roll is wanted") };
    assert_eq!(request.draws.len(), 2);
    table.supply(&[3, 5]).answer(1, "choose(0)").answer(0, "pass").answer(1, "choose(3)").supply(&[6]);
    table.answer(1, "pass").supply(&[9]);
    assert_eq!(table.prompt(0), "How much?");
    table.answer(0, "number(1)");
    let rolled: Vec<String> = table.new_event_texts().into_iter().filter(|event| event.starts_with("rolled")).collect();
    assert_eq!(rolled, ["rolled(4, 7 by 1)", "rolled(0, 3 by 0)", "rolled(1, 5 by 0)", "rolled(3, 6 by 1)", "rolled(4, 9 by 1)"]);
    table.check();
}
