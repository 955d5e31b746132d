//! Play that nobody watches takes shorter ways, and comes to the same.

use crate::runtime::random::seeded_generator;
use crate::runtime::{Choice, Event, EventKind, Form, Pending, Session, SessionOptions, Setup, Viewer};
use crate::testing::{Table, game, setup};
use ludex_program::{Program, TextPart};
use std::collections::BTreeSet;
use std::sync::Arc;

const RULES: &str = r#"
sides 2 of 1 frog
die sizes 4, 6, 8, 10
sheet frog (frogs) {
  zone nest: dice, open
  zone bag: dice, open = none
}
each side has {
  frog: frog = first of frogs, lending nest, bag
  zone hand: dice, open
  zone shore: dice, open
  counter points
}
piece die (dice) { home: zone of dice = place  mark hidden  mark wet "is wet" }
the table has { leader: side or none }
hook leap(active: side, catch: catch) answers shaken
hook most(active: side): number = 2
family catch(active: side) { dice: dice  more: dice = none }
family keep(active: side) {}
action grab(dice: 1 or more in active.hand, other in active.foe.hand) is catch
  when sum of dice.value = other.value
  gives dice = dice
action swap(die in active.hand, other in active.foe.hand) is catch
  when die.value > other.value
  gives dice = die
action stow(dice: 1 to most(active) in active.bag) is keep
  do { each die in dice { set die.home to active.nest  move die to active.nest } }
scope play {
  each side in sides { each size in [4, 6, 8] { create die(size: size) in side.nest for side } }
  repeat 6 times {
    each side in sides { move side.nest to side.hand  move side.bag to side.bag }
    roll sides.hand
    each side in sides { do turn(side) }
    each side in sides { set side.points to sum of side.shore.size }
    each die in (first of sides).shore { move die to die.home }
    each die in dice where it.place is not it.home { move die to die.home }
    if leader is not none { leader may choose keep as keep  if keep is not none { do keep } }
    each side in sides { if count of side.nest > 2 { let last = last of side.nest  set last.home to side.bag  move last to side.bag } }
  }
  finish with nobody
}
scope turn(active: side) {
  active may choose catch as catch else { stop turn }
  move catch.more to active.bag
  roll catch.dice + catch.more
  move catch.dice to active.shore as landed "{active} lands"
  open leap(active, catch) { when shaken { add 1 to active.points as praised  say "well shaken" } when nothing { } }
}
to pick(side: side, die: die) {
  side may choose 1 in side.hand where it is not hidden as found
  if found is not none and die is hidden { roll found }
}
"#;

const HOPPER: &str = "//! ability hopper \"Hopper\"
//!   \"Leads after a leap of its own.\"
//! uses 2 per play
//!
//! offer lead at leap(active, catch)
//!   when active is me and table.leader is not me
//!   says \"lead\"
//!   do { set table.leader to me }
";

const GREEDY: &str = "//! ability greedy \"Greedy\"
//!   \"Takes one more, and a point when the other leaps.\"
//!
//! modify most(active) when active is me: it + 1
//!
//! trigger envy at leap(active, catch)
//!   when active is not me
//!   do { add 1 to me.points }
";

/// Functions of a script that only do one thing after the other, and one that does more.
const KEEN: &str = "//! ability keen \"Keen\"
//!   \"Does much at a leap of the other.\"
//! uses 9 per play
//!
//! offer again(die in me.hand) at leap(active, catch)
//!   when active is not me
//!   says \"roll {die} again\"
//!
//! offer hide(die in me.hand) at leap(active, catch)
//!   when active is not me
//!   says \"hide {die}\"
//!
//! offer doze at leap(active, catch)
//!   when active is not me
//!   says \"doze\"
fn again(die, me) {
    let more = choose(me, \"Which more?\", me.hand);
    roll(die, \"again\");
    roll(more);
    roll(me.hand);
    add(me, \"points\", 2);
    answer(\"shaken\");
}
fn hide(die, me) {
    mark(die, \"hidden\", end_of_this(\"turn\"));
    mark(me.hand, \"wet\", end_of_next(\"turn\", me.foe));
    unmark(die, \"wet\");
    set(die, \"home\", me.bag);
    pick(me, die);
    move_to(die, me.bag);
}
fn doze(me) {
    if me.points > 1 { add(me, \"points\", -1); }
}
";

fn program() -> Arc<Program> {
    let texts = game(RULES)
        .sheet("one", "name: One\nnest: [10]\nbag: [4]\nabilities: [hopper]\n")
        .sheet("other", "name: Other\nnest: [4, 10]\nabilities: [hopper, greedy, keen]\n");
    texts.script("hopper", HOPPER).script("greedy", GREEDY).script("keen", KEEN).program()
}

#[test]
fn watched_and_unwatched_play_agree() {
    let program = program();
    let (mut asked, mut offered) = (0, BTreeSet::new());
    for seed in 0..60 {
        let start = |watched| Table::new(&program, &Setup { watched, seed: seed.into(), ..setup(&[&["one"], &["other"]]) });
        let (mut watched, mut unwatched) = (start(true), start(false));
        for step in 0.. {
            assert_eq!(watched.session.view(Viewer::Trusted), unwatched.session.view(Viewer::Trusted), "seed {seed}");
            assert_eq!(watched.open_decisions(), unwatched.open_decisions(), "seed {seed}");
            unwatched.session.verify_state().expect("pieces lie where they think");
            let Pending::Decisions([decision, ..]) = watched.session.pending() else { break };
            let (id, count) = (decision.id, decision.count);
            assert_eq!(decision.form, Form::One);
            assert_eq!(watched.options(decision.seat), unwatched.options(decision.seat));
            offered.extend(watched.options(decision.seat).into_iter().filter(|key| key.starts_with("hide") || key == "doze"));
            let choice = Choice::Option((seed + step * 7) % count);
            for table in [&mut watched, &mut unwatched] {
                table.session.choose(id, choice.clone()).expect("a listed option is legal");
            }
            asked += 1;
        }
    }
    assert!(asked > 600, "{asked} questions were put");
    assert!(offered.len() > 3, "only {offered:?}");
}

/// Questions whose actions take one thing or none, some with conditions that mention no role, with fields that are worked out,
/// with things that are alike, and with moves that do something.
const STALLS: &str = r#"
sides 2
piece fruit (fruits) shown as "{size}" { size: number in 1..9  mark ripe }
each side has { zone stall: fruits, open  zone shelf: fruits, open, in order  counter coins = 3 }
the table has { zone heap: fruits, open }
family deal_of(active: side, most: number) { fruits: fruits = none  price: number = 1  much: list of number = none }
family rest_of(active: side) {}
action buy(fruit in heap where it.size <= most) is deal_of
  when active.coins > 0 and count of active.stall < 6
  says "buy {fruit}"
  gives fruits = fruit  gives price = dear(fruit)  gives much = [fruit.size, most]
action sort(fruit in sorts of active.stall where it.size < 9) is deal_of
  when any of active.stall has it.size > 4
  gives fruits = fruit  gives price = 1
action bid(price in (1..most)) is deal_of
  when count of (active.shelf where it.size > 2) < 2
  gives price = price
action rest is deal_of
  when active.foe.coins > 0 or active.coins = 0
  do { add 1 to active.coins  if most > 3 { each fruit in active.stall { move fruit to active.shelf } } }
action doze is rest_of when active.coins < 5 do { add 2 to active.coins }
action wake is rest_of when heap is not empty do { add 1 to active.foe.coins }
define dear(fruit: fruit) = if fruit.size > 5 then 2 else 1
to play {
  each side in sides { each size in [1, 1, 4, 6] { create fruit(size: size) in side.stall for side } }
  each size in [2, 3, 3, 5, 7, 8] { create fruit(size: size) in heap for first of sides }
  repeat 12 times {
    each side in sides {
      side must choose deal_of(side, 4 + count of side.shelf) as deal else { add 1 to side.coins }
      if deal is not none {
        each fruit in deal.fruits { move fruit to side.shelf }
        set side.coins to side.coins - count of deal.much but at least 0
        if deal is rest { do deal }
      }
      side may choose rest_of as rest
      if rest is not none { do rest }
    }
  }
  finish with nobody
}
"#;

/// Every form of question, of one side and of all at once.
const FORMS: &str = r#"
sides 2
die sizes 6
each side has { zone bag: dice, open  counter points }
to play {
  each side in sides { repeat 3 times { create die(size: 6) in side.bag for side } }
  roll sides.bag
  each side in sides {
    side may choose 1 to 2 in side.bag as dice
    roll dice
    side must order side.bag as ranks
    side must choose number in 1..5 as number
    side may "Again?" as again
    add number + (if again then 1 else 0) + sum of ranks.value to side.points
  }
  each side in sides at once in secret must divide 6 in steps of 2 among [1, 2, 3] as troops
  each side in sides { add troops(side, 1) to side.points }
  finish with those of sides with highest it.points
}
"#;

#[test]
fn answers_drawn_on_the_way_are_those_that_would_be_drawn_and_chosen() {
    let lots = |seed| [seeded_generator(seed), seeded_generator(seed + 1)];
    let players: [&[&str]; 2] = [&["one"], &["other"]];
    for (program, sides) in [(program(), players), (game(FORMS).program(), [&[], &[]])] {
        for seed in 0..40 {
            for watched in [true, false] {
                let start = || Session::start(program.clone(), &Setup { watched, seed: seed.into(), ..setup(&sides) }).unwrap();
                let (mut one, mut other) = (start(), start());
                let (mut drawn, mut answers) = (lots(seed), 0);
                while let Pending::Decisions([decision, ..]) = one.pending() {
                    let (id, choice) = (decision.id, decision.answers().draw_answer(&mut drawn[decision.seat]));
                    one.choose(id, choice).unwrap();
                    answers += 1;
                }
                // One answer and then all others.
                let mut inside = lots(seed);
                assert_eq!(other.play_out(&mut inside, 1).unwrap(), 1);
                assert_eq!(other.play_out(&mut inside, u64::MAX).unwrap(), answers - 1);
                assert!(one.same_state(&other), "seed {seed}");
                assert_eq!((inside, one.take_events()), (drawn, other.take_events()));
            }
        }
    }
}

#[test]
fn nobody_answers_who_has_no_lots() {
    let mut session = Session::start(game(FORMS).program(), &setup(&[&[], &[]])).unwrap();
    assert!(session.play_out(&mut [seeded_generator(1)], u64::MAX).unwrap() > 0);
    let Pending::Decisions([decision, ..]) = session.pending() else { panic!("the other side is asked") };
    assert_eq!(decision.seat, 1);
}

#[test]
fn questions_of_one_thing_or_none_are_the_same_where_nobody_watches() {
    let program = game(STALLS).program();
    let mut chosen = BTreeSet::new();
    for seed in 0..40 {
        let start = |watched| Table::new(&program, &Setup { watched, seed: seed.into(), ..setup(&[&[], &[]]) });
        let (mut watched, mut unwatched) = (start(true), start(false));
        for step in 0.. {
            assert_eq!(watched.session.view(Viewer::Trusted), unwatched.session.view(Viewer::Trusted), "seed {seed}");
            let Pending::Decisions([decision, ..]) = watched.session.pending() else { break };
            let (id, seat, index) = (decision.id, decision.seat, (seed * 3 + step * 7) % decision.count);
            let Pending::Decisions([other, ..]) = unwatched.session.pending() else { panic!("both ask") };
            assert_eq!((other.id, other.seat, other.count), (id, seat, decision.count), "seed {seed}");
            // A copy looks at the options, so that the session itself never does.
            assert_eq!(watched.options(seat), unwatched.clone().options(seat));
            chosen.extend(watched.options(seat)[index as usize].split('(').next().map(str::to_string));
            for table in [&mut watched, &mut unwatched] {
                table.session.choose(id, Choice::Option(index)).expect("a listed option is legal");
            }
        }
    }
    assert_eq!(Vec::from_iter(chosen), ["bid", "buy", "doze", "pass", "rest", "sort", "wake"]);
}

/// What is counted of some events: which they are, and what was chosen, used by whom, or said in always the same words.
fn counted(program: &Program, events: &[Event]) -> Vec<(String, String)> {
    let is_sentence =
        |text: &str| program.texts.iter().any(|parts| matches!(&parts[..], [TextPart::Words(words)] if words == text));
    let words = |event: &Event| match &event.kind {
        _ if program.event_names.contains(&event.name) => Some(String::new()),
        EventKind::Chose { key, decision } => Some(format!("{key} {decision} {:?}", event.by)),
        EventKind::Used { ability, .. } => Some(format!("{ability} {:?}", event.by)),
        EventKind::Said if is_sentence(&event.text) => Some(event.text.clone()),
        _ => None,
    };
    events.iter().filter_map(|event| Some((event.name.clone(), words(event)?))).collect()
}

#[test]
fn whoever_only_counts_is_told_what_the_rules_announce_and_nothing_else() {
    let program = program();
    assert!(!program.event_names.is_empty());
    let (mut all, mut some) = (0, 0);
    for seed in 0..20 {
        let setup = Setup { watched: true, seed: seed.into(), ..setup(&[&["one"], &["other"]]) };
        let mut watched = Session::start(Arc::clone(&program), &setup).unwrap();
        let options = SessionOptions { counts_only: true, ..SessionOptions::default() };
        let mut counting = Session::start_with(Arc::clone(&program), &setup, options).unwrap();
        for step in 0.. {
            let Pending::Decisions([decision, ..]) = watched.pending() else { break };
            let (id, choice) = (decision.id, Choice::Option((seed + step * 7) % decision.count));
            for session in [&mut watched, &mut counting] {
                session.choose(id, choice.clone()).expect("a listed option is legal");
            }
        }
        let [told, counts] = [&mut watched, &mut counting].map(Session::take_events);
        (all, some) = (all + told.len(), some + counts.len());
        assert_eq!(watched.view(Viewer::Trusted), counting.view(Viewer::Trusted));
        assert_eq!(watched.usage(), counting.usage());
        let counted_all = counted(&program, &counts);
        let names: Vec<&str> = counts.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(counted_all.len(), counts.len(), "nothing else is told: {names:?}");
        assert_eq!(counted_all, counted(&program, &told));
    }
    assert!(some * 2 < all, "{some} {all}");
}
