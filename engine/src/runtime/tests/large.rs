//! Choices of several among very many: counted, answered, forbidden, sought and put in steps without looking at all of them.

use crate::runtime::limits::{MOST_LISTED_SETS, MOST_NUMBERED};
use crate::runtime::question::steps::DraftOutcome;
use crate::runtime::random::{random_below, seeded_generator};
use crate::runtime::{Choice, Draft, DraftProgress, Pending, Session, Setup, Viewer};
use crate::testing::{Table, Texts, game, setup};
use ludex_syntax::codes;

const RULES: &str = "
sides 2
die sizes 2, 6, 20
each side has { zone pond, shore: dice, open }
family ploy(side: side) { dice: dice  prey: die }
action bite(die in side.pond, prey in side.foe.pond) is ploy
  when die.value >= prey.value
  gives dice = die
  do { move prey to side.shore }
action crowd(dice: 2 or more in side.pond, prey in side.foe.pond) is ploy
  when sum of dice.value = prey.value
  do { move prey to side.shore  each die in dice { set die.value to 1 + (die.value divided by 2 rounded down) } }
piece die (dice) {
  mark locked \"cannot be used\" { forbid ploy when holder in it.dice }
  mark needed \"must be used\" { demand ploy when it is bite or holder in it.dice }
}
";

/// What dice 0, 1, 2 … of the first side show.
fn value(die: usize) -> usize {
    1 + die * 5 % 6
}

/// So many dice against some preys, and what happens then.
fn shoal(dice: usize, preys: &[usize], then: &str) -> Texts {
    shoal_by(RULES, dice, preys, then)
}

/// The same by other rules.
fn shoal_by(rules: &str, dice: usize, preys: &[usize], then: &str) -> Texts {
    let die = |size: usize, value: usize, whose: &str| {
        format!("create die(size: {size}, value: {value}) in {whose}.pond for {whose}\n")
    };
    let mine: String = (0..dice).map(|number| die(6, value(number), "me")).collect();
    let theirs: String = preys.iter().map(|prey| die(20, *prey, "me.foe")).collect();
    game(&format!("{rules}\nto play {{ let me = first of sides\n{mine}{theirs} {then} }}"))
}

const CHOOSE: &str = "me must choose ploy(me) as ploy else { }";

/// How many sets of at least two, with so many things in each already, sum to a target; put together in another way.
fn sets_with(keys: &[usize], first: usize, target: usize) -> u64 {
    let mut ways = vec![0u64; target + 1];
    ways[0] = 1;
    for key in keys {
        for sum in (*key..=target).rev() {
            ways[sum] += ways[sum - key];
        }
    }
    let alone = keys.iter().filter(|key| first == 0 && **key == target).count() as u64;
    target.checked_sub(first).map_or(0, |left| ways[left]) - alone
}

#[test]
fn all_moves_among_25_dice_are_counted() {
    let table = shoal(25, &[14, 20], CHOOSE).play();
    let keys: Vec<usize> = (0..25).map(value).collect();
    let wanted = sets_with(&keys, 0, 14) + sets_with(&keys, 0, 20);
    assert_eq!(table.open_decisions()[0].count, wanted);
    assert_eq!(table.session.find_choice(1, "crowd(24+1+2+5 > 26)").map_err(|refusal| refusal.reason), Err(REFUSED.to_string()));
    let found = table.session.find_choice(1, "crowd(5+2+1+0 > 25)");
    let Ok(Choice::Option(index)) = found else { panic!("{found:?}") };
    assert_eq!(table.session.option(1, index).map(|option| option.key).as_deref(), Some("crowd(0+1+2+5>25)"));
}

const REFUSED: &str = "the rule `sum of dice.value = prey.value` does not hold";

#[test]
fn a_locked_die_is_in_no_move_and_a_needed_one_in_each() {
    for dice in [25, 70, 150] {
        let locked = "mark first of me.pond as locked  mark last of me.pond as needed";
        let table = shoal(dice, &[20, 3], &format!("{locked}  {CHOOSE}")).play();
        let free: Vec<usize> = (1..dice - 1).map(value).collect();
        let first = value(dice - 1);
        let crowds = sets_with(&free, first, 20) + sets_with(&free, first, 3);
        let bites = (1..dice).filter(|die| value(*die) >= 3).count() as u64;
        let count = table.open_decisions()[0].count;
        assert_eq!(count, crowds + bites, "{dice} dice");
        let needed = format!("{}", dice - 1);
        for index in [bites, bites + 1, bites + crowds / 3, count - 1] {
            let key = table.session.option(1, index).expect("an option").key;
            assert_eq!(table.session.find_choice(1, &key), Ok(Choice::Option(index)));
            let (_, things) = key.split_once('(').expect("brackets");
            let things: Vec<&str> = things.split(['+', '>']).collect();
            assert!(things.contains(&needed.as_str()) && !things.contains(&"0"), "{key}");
        }
        let reason = table.session.find_choice(1, "crowd(0+3 > 150)").expect_err("locked").reason;
        assert!(!reason.is_empty());
    }
}

/// Plays to the end by lot; the keys of all answers.
fn by_lot(session: &mut Session, seed: u64) -> Vec<String> {
    let mut luck = seeded_generator(seed);
    let mut keys = Vec::new();
    while let Pending::Decisions([decision, ..]) = session.pending() {
        let decision = decision.clone();
        let most = u32::try_from(decision.count).unwrap_or(u32::MAX);
        // The first and last ones, too, where there are more than a lot can tell apart.
        let index = match random_below(&mut luck, 4) {
            0 => decision.count - 1 - u64::from(random_below(&mut luck, most)),
            _ => u64::from(random_below(&mut luck, most)),
        };
        let choice = Choice::Option(index);
        let key = session.choice_key(decision.id, &choice).expect("a key");
        assert_eq!(session.find_choice(decision.id, &key), Ok(choice.clone()), "{key}");
        session.choose(decision.id, choice).unwrap_or_else(|problem| panic!("{key}: {problem:?}"));
        session.verify_state().expect("a sound board");
        keys.push(key);
    }
    keys
}

#[test]
fn games_with_very_many_dice_are_played_to_their_end_and_again() {
    for dice in [25, 70, 150] {
        let turns = "mark first of me.pond as locked
            let mine = me.pond where it.size > 0
            repeat at most 4 times until me.foe.pond is empty {
              unmark mine as needed  mark last of me.pond as needed
              me must choose ploy(me) as ploy else { leave }
              do ploy
            } otherwise { }";
        let texts = shoal(dice, &[20, 17, 20, 2], turns);
        for seed in 0..3 {
            let mut table = texts.play();
            let keys = by_lot(&mut table.session, seed);
            assert!(!keys.is_empty());
            table.events.extend(table.session.take_events());
            table.check();
            let mut again = texts.play();
            keys.iter().for_each(|key| {
                again.answer(0, key);
            });
            assert!(again.session.same_state(&table.session));
            assert_eq!(again.events, table.events);
        }
    }
}

#[test]
fn it_makes_no_difference_whether_anybody_watches() {
    let turns = "repeat at most 3 times until me.foe.pond is empty {
        me must choose ploy(me) as ploy else { leave }
        do ploy
      } otherwise { }";
    for dice in [19, 20, 21, 40] {
        let texts = shoal(dice, &[20, 9, 17, 2], turns);
        let unwatched = Setup { watched: false, ..setup(&[&[], &[]]) };
        let mut unseen = Session::start(texts.program(), &unwatched).expect("a sound game");
        let mut seen = texts.play().session;
        while let Pending::Decisions([decision, ..]) = seen.pending() {
            let (id, count) = (decision.id, decision.count);
            let Pending::Decisions([same, ..]) = unseen.pending() else { panic!("nobody is asked") };
            assert_eq!((same.id, same.count), (id, count), "{dice} dice");
            let choice = Choice::Option(count * 2 / 3);
            unseen.choose(id, choice.clone()).expect("a legal move");
            seen.choose(id, choice).expect("a legal move");
            assert_eq!(seen.view(Viewer::Trusted), unseen.view(Viewer::Trusted), "{dice} dice");
        }
    }
}

#[test]
fn an_imagined_session_asks_the_same() {
    let table = shoal(70, &[20], CHOOSE).play();
    let imagined = table.session.imagine(0, 5);
    let decision = &table.open_decisions()[0];
    assert_eq!(imagined.option(decision.id, decision.count - 1), table.session.option(decision.id, decision.count - 1));
}

// --- more moves than have numbers -------------------------------------------------------

/// Of 150 coins that show 1, twenty together are 20; many more than have a number.
fn coins(then: &str) -> Texts {
    let rules = RULES.replace("  when die.value >= prey.value\n", "  when die.value > prey.value\n");
    game(&format!(
        "{rules}\nto play {{ let me = first of sides
          repeat 150 times {{ create die(size: 2, value: 1) in me.pond for me }}
          create die(size: 20, value: 20) in me.foe.pond for me.foe
          {then} }}"
    ))
}

fn last_twenty() -> String {
    format!("crowd({}>150)", (130..150).map(|die| die.to_string()).collect::<Vec<_>>().join("+"))
}

#[test]
fn a_move_without_a_number_is_chosen_by_its_key() {
    let mut table = coins("me may choose ploy(me) as ploy  if ploy is not none { do ploy  say \"{count of ploy.dice}\" }").play();
    let key = last_twenty();
    assert_eq!(table.open_decisions()[0].count, MOST_NUMBERED + 1);
    let pass = table.session.option(1, MOST_NUMBERED).expect("the last option");
    assert_eq!(pass.key, "pass");
    assert_eq!(table.session.option(1, MOST_NUMBERED + 1), None);
    let choice = Choice::Key(key.clone());
    assert_eq!(table.session.choice_key(1, &Choice::Key("crowd(0+1>150)".to_string())), None);
    assert_eq!(table.session.find_choice(1, &key.replace("130+131", "131+130")), Ok(choice.clone()));
    assert_eq!(table.session.choice_key(1, &choice), Some(key.clone()));
    let wrong = table.session.choose(1, Choice::Key(key.replace("130", "151"))).expect_err("no such die");
    assert_eq!(wrong.code, codes::ILLEGAL_CHOICE);
    table.answer(0, &key);
    assert_eq!(table.new_said_texts(), ["20"]);
    assert_eq!(table.answers, [(0, key)]);
    table.check();
}

#[test]
fn a_key_may_be_given_for_a_move_that_has_a_number() {
    let table = shoal(25, &[14], CHOOSE).play();
    let mut session = table.session.clone();
    session.choose(1, Choice::Key("crowd(12+1+6 > 25)".to_string())).expect_err("twelve are wanted, or other dice");
    session.choose(1, Choice::Key("crowd(18+12+6+0+1>25)".to_string())).expect_err("not legal");
    let index = table.open_decisions()[0].count / 2;
    let key = table.session.option(1, index).expect("an option").key;
    session.choose(1, Choice::Key(key.clone())).expect("a legal move");
    let mut by_index = table.session.clone();
    by_index.choose(1, Choice::Option(index)).expect("a legal move");
    assert!(session.same_state(&by_index), "{key}");
}

#[test]
fn a_move_without_a_number_may_be_chosen_at_once_and_in_secret() {
    let both = "each side in sides at once in secret may choose ploy(side) as ploys
        each side in sides where ploys(it) is not none { do ploys(side)  say \"{side}: {count of ploys(side).dice}\" }";
    let mirrored = "repeat 150 times { create die(size: 2, value: 1) in me.foe.pond for me.foe }
        create die(size: 20, value: 20) in me.pond for me ";
    let mut table = coins(&format!("{mirrored}{both}")).play();
    let theirs: Vec<String> = (151..171).map(|die| die.to_string()).collect();
    table.answer(0, &last_twenty()).answer(1, &format!("crowd({}>301)", theirs.join("+")));
    assert_eq!(table.new_said_texts(), ["side 0: 20", "side 1: 20"]);
    table.check();
}

#[test]
fn steps_lead_to_moves_without_a_number() {
    let table = coins(CHOOSE).play();
    let mut draft = Draft::default();
    let mut steps = Vec::new();
    let choice = loop {
        let step = table.session.next_draft_step(1, &draft).expect("a step");
        steps.push(format!("{} of {}", step.number, step.of));
        let last = step.options.len() as u64 - 1;
        match table.session.add_to_draft(1, &draft, Choice::Option(last)).expect("an answer") {
            DraftProgress::Further(further) => draft = further,
            DraftProgress::Whole(choice) => break choice,
        }
    };
    assert_eq!(choice, Choice::Key(last_twenty()));
    assert_eq!((steps[0].as_str(), steps.last().map(String::as_str)), ("1 of 20", Some("20 of 20")));
    let first = table.session.draft_outcome(1, &Draft::from_answers(vec![Choice::Option(0); 20]), MOST_LISTED_SETS);
    assert!(matches!(first, Some(DraftOutcome::Whole(Choice::Option(0)))), "the first of all");
}

// --- what is sought and preferred ---------------------------------------------------------

#[test]
fn whether_there_is_a_move_is_told_among_very_many() {
    let can = |condition: &str| format!("if can ploy(me) where {condition} {{ say \"yes\" }} else {{ say \"no\" }}\n");
    let conditions = [
        "it is crowd and first of me.pond in it.dice",
        "it is crowd and first of me.pond in it.dice and it.prey is not last of me.foe.pond",
        "it.prey is last of me.foe.pond",
        "it is crowd and it.prey.value < 2",
        "it is crowd and me.foe in sides and not (last of me.pond in it.dice)",
        "it is crowd and first of me.foe.pond in it.dice",
    ];
    let asked: String = conditions.iter().map(|condition| can(condition)).collect();
    for dice in [30, 150] {
        assert_eq!(shoal(dice, &[20, 1], &asked).play().new_said_texts(), ["yes", "yes", "yes", "no", "yes", "no"]);
    }
}

#[test]
fn a_policy_weighs_the_first_moves_of_each_action() {
    let policy = "policy bold for ploy { prefer highest it.prey.value  prefer highest count of it.dice }\n";
    let table = shoal_by(&format!("{RULES}{policy}"), 70, &[20, 3], CHOOSE).play();
    assert!(table.open_decisions()[0].count > 1_000_000_000);
    let choice = table.session.preferred_move(1, "bold", &mut crate::runtime::random::seeded_generator(1)).expect("a preference");
    let key = table.session.choice_key(1, &choice).expect("a key");
    assert!(key.starts_with("crowd(") && key.ends_with(">70)"), "{key}");
}

// --- what is too much -----------------------------------------------------------------------

#[test]
fn a_condition_that_must_be_asked_of_too_many_moves_is_a_fault_that_names_it() {
    let asked = "forbid ploy when count of it.dice = 3";
    let rules = RULES.replace("mark locked", &format!("mark odd \"\" {{ {asked} }}\n  mark locked"));
    let with = |marks: &str| shoal_by(&rules, 40, &[20, 17], &format!("{marks}  {CHOOSE}"));
    let fault = with("mark first of me.pond as odd").fault();
    assert_eq!(fault.code, codes::TOO_MANY_MOVES);
    let (start, end) = ("`crowd` has ", " moves, too many to test whether each is allowed");
    assert!(fault.message.to_string().starts_with(start) && fault.message.to_string().ends_with(end), "{}", fault.message);
    let program = with("").program();
    assert_eq!(program.sources.span_text(fault.labels[0].0), asked);
    // Where what is told at once leaves few of them, each is asked: of seven fives and seven sixes, four fives are 20, and
    // three dice 17.
    let few = "mark (me.pond where it.value < 5) as locked";
    assert_eq!(with(few).play().open_decisions()[0].count, 35 + 7 * 21);
    assert_eq!(with(&format!("{few}  mark first of me.pond as odd")).play().open_decisions()[0].count, 35);
}

#[test]
fn a_move_that_must_be_sought_among_too_many_is_a_fault() {
    let fault = shoal(40, &[20], "if can ploy(me) where sum of it.dice.value > 50 { say \"yes\" }").fault();
    assert_eq!(fault.code, codes::TOO_MANY_MOVES);
    assert!(fault.message.to_string().ends_with(" moves, too many to test each against the `where`"), "{}", fault.message);
    assert!(fault.help.is_some() && !fault.labels.is_empty());
}

#[test]
fn sets_without_a_search_of_their_own_keep_their_limit() {
    let all_different = "when prey.value > 19 and all of dice as one has (none of dice as other has (one is not other and one.value = other.value))";
    let rules = RULES.replace("when sum of dice.value = prey.value", all_different);
    let with = |dice: usize| shoal_by(&rules, dice, &[19], CHOOSE);
    assert_eq!(with(20).play().open_decisions(), [], "there is no such move");
    let fault = with(21).fault();
    assert_eq!(fault.code, codes::TOO_MANY_MOVES);
    assert_eq!(fault.message.to_string(), "`dice` of `crowd` has 21 things to choose from, but at most 20 are allowed");
    assert!(fault.help.is_some_and(|help| help.contains("whether all or any of them match")));
}

#[test]
fn a_few_of_many_things_are_looked_through_whatever_is_asked_of_them() {
    let rules = RULES
        .replace("when sum of dice.value = prey.value", "when sum of dice.value > prey.value")
        .replace("dice: 2 or more in", "dice: 2 to 3 in");
    let keys: Vec<usize> = (0..40).map(value).collect();
    let mut wanted = 0;
    for one in 0..40 {
        for two in one + 1..40 {
            wanted += u64::from(keys[one] + keys[two] > 11);
            wanted += (two + 1..40).filter(|three| keys[one] + keys[two] + keys[*three] > 11).count() as u64;
        }
    }
    let table = shoal_by(&rules, 40, &[11], CHOOSE).play();
    assert_eq!(table.open_decisions()[0].count, wanted);
    let Ok(Choice::Option(index)) = table.session.find_choice(1, "crowd(1+7+39 > 40)") else {
        panic!("three fives are more than 11")
    };
    assert_eq!(table.session.option(1, index).map(|option| option.key).as_deref(), Some("crowd(1+7+39>40)"));
    // Of 64 dice there are 43,680 such sets; of more they are refused as before.
    assert!(shoal_by(&rules, 64, &[17], CHOOSE).play().open_decisions()[0].count > 0);
    let fault = shoal_by(&rules, 65, &[17], CHOOSE).fault();
    assert_eq!(fault.message.to_string(), "`dice` of `crowd` has 65 things to choose from, but at most 64 are allowed");
}

#[test]
fn how_many_moves_an_ability_bars_is_counted_for_those_who_watch() {
    let rules = RULES.replace("sides 2", "sides 2 of 1 frog\nsheet frog (frogs) { }");
    let ability = "//! ability wall \"Wall\"\n//! forbid ploy when first of me.pond in it.dice\n";
    for dice in [9, 30] {
        let count = |abilities: &str| {
            let texts = shoal_by(&rules, dice, &[9], CHOOSE).script("wall", ability);
            let texts = texts.sheet("frog", &format!("name: Frog\n{abilities}")).sheet("toad", "name: Toad\n");
            let table = Table::new(&texts.program(), &setup(&[&["frog"], &["toad"]]));
            (table.open_decisions()[0].count, table.session.ability_effects().map(|(.., times)| times).sum::<u64>())
        };
        let ((all, nothing), (left, barred)) = (count(""), count("abilities: [wall]\n"));
        assert_eq!((nothing, barred), (0, all - left), "{dice} dice");
        assert!(barred > 0);
    }
}
