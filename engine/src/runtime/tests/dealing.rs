//! Shuffles that are dealt as they are looked at: nobody can tell them from those that are dealt at once.

use crate::Compile;
use crate::runtime::encoding::{EncodedSession, Encoding};
use crate::runtime::random;
use crate::runtime::{Choice, Dice, Event, Form, Pending, RandomKind, Session, SessionOptions, Setup, Viewer};
use crate::testing::{Texts, game, setup};
use ludex_compiler::library::{BUNDLED, CompileRequest, File, Library};
use ludex_program::Program;
use ludex_syntax::problem::Problem;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

const RULES: &str = "sides 2
die sizes 4, 6
piece card (cards) shown as \"the {rank}\" { counter rank in 1..9 }
each side has { zone hand: cards, seen by owner  zone row: cards, open  zone cup: dice, seen by owner }
the table has {
  zone deck: cards, seen by nobody, in order
  zone heap: cards, seen by nobody
  zone pile: cards, open
  counter seen in 0..9
}
family play_of(active: side)
action show_it(card in active.hand) is play_of do { move card to active.row }
action go_on(number in [1, 2]) is play_of do { set seen to number }
family search_of(active: side)
action fetch(card in deck where it.rank > 2) is search_of do { move card to active.hand }
action leave_it(number in [1, 2]) is search_of do { set seen to number }
to play {
  count rank from 1 to CARDS { create card(rank: rank) in deck }
  do on(first of sides)
}
";

fn pond(then: &str) -> Texts {
    pond_of(4, then)
}

fn pond_of(cards: u8, then: &str) -> Texts {
    let rules = RULES.replace("CARDS", &cards.to_string());
    game(&format!("{rules}entry scope on(active: side) {{\n  {then}\n  finish with active\n}}"))
}

/// What may be done with a shuffled deck.
const WAYS: &[&str] = &[
    // Drawn, as far as needed.
    "shuffle deck  move top 1 of deck to active.hand  move top 1 of deck to active.foe.hand
     active may choose play_of as one  active.foe may choose play_of as other",
    "shuffle deck  each side in sides { move top 1 of deck to side.hand }
     repeat 2 times { active may choose play_of as one  move last of deck to active.foe.row }",
    "move top 1 of deck to active.row  shuffle deck  move top 2 of deck to heap  move heap to active.hand
     active must choose 1 in active.hand as one  move one to active.foe.row",
    // Looked at, by the rules or by players.
    "shuffle deck  if any of top 2 of deck has it.rank = 1 { say \"low\" }  move last of deck to active.row",
    "shuffle deck  let bottom = first of deck  if bottom is a card { if bottom.rank > 2 { say \"high\" } }  move top 1 of deck to active.row",
    "shuffle deck  show top 1 of deck to active  active may choose play_of as one  move top 1 of deck to active.hand
     active.foe may choose play_of as other  move top 1 of deck to pile",
    "shuffle deck  active must choose 1 in deck as one  move one to active.hand  shuffle deck  move top 1 of deck to active.foe.hand
     active.foe may choose play_of as other",
    "shuffle deck  active may choose search_of as one  move top 1 of deck to active.foe.hand  active.foe may choose search_of as other",
    "shuffle deck  active must order top 2 of deck as seen  move seen to deck  move top 1 of deck to active.row",
    "shuffle deck  show deck to active.foe  active.foe must choose 1 in [1, 2] as now  move top 1 of deck to active.foe.hand",
    // Asked for what does not depend on the order.
    "shuffle deck  say \"{count of deck}\"  if deck is not empty { move top 1 of deck to active.row }  say \"{sum of deck.rank}\"",
    "shuffle deck  say \"{count of (deck where it.rank > 2)}\"  move top 1 of deck to active.row",
    "shuffle deck  say \"{highest of deck.rank}\"  active must choose 1 in [1, 2] as now  move top now of deck to active.row",
    "shuffle deck  let found = first of (deck where it.rank > 1)  if found is a card { move found to active.row }",
    "shuffle deck  let found = last of (deck where it.rank < 4)  if found is a card { move found to active.row }",
    "shuffle deck  say \"{deck.rank}\" to active  active must choose 1 in [1, 2] as now  move top now of deck to active.row",
    "shuffle deck  let found = first of those of deck with lowest it.rank * 0  if found is a card { move found to active.row }",
    // Put back, put under, and shuffled again.
    "shuffle deck  move top 1 of deck to bottom of deck  active may choose play_of as one  move top 1 of deck to active.row",
    "shuffle deck  move top 1 of deck to active.row  move active.row to deck  show top 1 of deck to active
     active must choose 1 in [1, 2] as now  move top 2 of deck to active.foe.hand  active.foe may choose play_of as other",
    "repeat 2 times { shuffle deck  move top 1 of deck to active.row }  shuffle deck  active must choose 1 in [1, 2] as now
     if now = 2 { move last of deck to active.row }",
    "shuffle deck  move top 1 of deck to pile  active must choose 1 in [1, 2] as now  if now = 1 { move pile to deck  shuffle deck }
     move top 1 of deck to active.row  move pile to bottom of deck  move top 1 of deck to active.foe.row",
    "repeat 2 times { each side in sides { move side.hand to deck }  shuffle deck
     each side in sides { move top 1 of deck to side.hand }  active must choose 1 in [1, 2] as now  if now = 2 { show active.hand to active.foe } }",
    // Taken out by what they are, wherever they lie.
    "shuffle deck  each card in cards where it.rank = 2 { move card to active.row }  move top 1 of deck to active.foe.row",
    "let two = first of (deck where it.rank = 2)  shuffle deck  if two is a card { move two to active.hand }
     active may choose play_of as one  move top 1 of deck to active.foe.row",
    "shuffle deck  show top 1 of deck to active  each card in cards where it.rank = 2 { move card to pile }
     move last of deck to active.foe.hand  active.foe may choose play_of as one  show deck to active",
    "shuffle deck  each card in deck where it.rank > 2 { move card to heap }  move top 1 of deck to active.row  move last of heap to active.row",
    // Poured.
    "shuffle deck  move deck to heap  move first of heap to active.row",
    "shuffle deck  move deck to active.row  shuffle active.row",
    "move deck to pile  shuffle pile  active must choose 1 in pile as one  move one to active.row",
    "move deck to active.hand  shuffle active.hand  active may choose play_of as one",
    // Nothing is left of chance.
    "move top 3 of deck to pile  shuffle deck  move top 1 of deck to active.row",
    "move deck to pile  shuffle deck  shuffle heap",
    // With other chance before, between and after.
    "create die(size: 4) in active.cup for active  roll active.cup  shuffle deck  roll active.cup  move top 1 of deck to active.row
     active must choose 1 in active.cup as one  move top 1 of deck to active.row  roll active.cup",
    "shuffle deck  draw 1 in deck at random as one  move one to active.row  move top 1 of deck to active.row",
];

/// What each seat has been told, done and seen, the spectators last.
type Stories = [String; 3];

struct Walk {
    /// How the seats decide.
    habit: u64,
    shares: BTreeMap<Stories, u128>,
    /// How many ends there are.
    ends: usize,
}

/// All shares together: whatever chance is asked here divides it.
const WHOLE: u128 = (1 << 50) * 3u128.pow(20);

const VIEWERS: [Viewer; 3] = [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator];

impl Walk {
    fn tell(stories: &mut Stories, events: &[Event]) {
        for event in events {
            for (story, viewer) in stories.iter_mut().zip(VIEWERS) {
                match event.seen_by(viewer) {
                    Some(event) => *story += &format!("{}: {}\n", event.name, event.text),
                    None if event.reaches_viewer(viewer) => *story += "hidden\n",
                    None => {}
                }
            }
        }
    }

    fn go_on(&mut self, mut session: Session, mut stories: Stories, share: u128) {
        Walk::tell(&mut stories, &session.take_events());
        match session.pending() {
            Pending::Finished(outcome) => {
                let end = format!("{outcome:?}");
                for (story, viewer) in stories.iter_mut().zip(VIEWERS) {
                    *story += &format!("{end} {:?}", session.view(viewer));
                }
                *self.shares.entry(stories).or_default() += share;
                self.ends += 1;
            }
            Pending::Random(request) => {
                let sizes: Vec<i64> = request.draws.iter().map(|draw| draw.size).collect();
                let ways: i64 = sizes.iter().product();
                assert_eq!(share % ways as u128, 0, "{WHOLE} must have more factors");
                for way in 0..ways {
                    let mut left = way;
                    let results: Vec<i64> = sizes
                        .iter()
                        .map(|size| {
                            let result = left % size + 1;
                            left /= size;
                            result
                        })
                        .collect();
                    let mut session = session.clone();
                    session.supply(&results).expect("results are given as they are asked for");
                    self.go_on(session, stories.clone(), share / ways as u128);
                }
            }
            Pending::Decisions(open) => {
                let decision = open[0].clone();
                let (seat, count) = (decision.seat, decision.count + u64::from(decision.may_pass));
                let options: Vec<String> = session
                    .options(decision.id, 0, decision.count)
                    .into_iter()
                    .map(|option| option.key + option.text.as_str())
                    .collect();
                // In which order a seat reads what it may choose among must tell it nothing it does not know, and what is chosen
                // must not depend on it.
                let mut sorted: Vec<(String, u64)> = options.into_iter().zip(0..).collect();
                sorted.sort();
                let names: Vec<&String> = sorted.iter().map(|(name, _)| name).collect();
                stories[seat] += &format!("{} {names:?} {:?}\n", session.prompt(decision.id), session.view(Viewer::Seat(seat)));
                let mut hasher = DefaultHasher::new();
                (self.habit, &stories[seat]).hash(&mut hasher);
                let place = (hasher.finish() % count) as usize;
                let indexes: Vec<u64> = sorted.iter().map(|(_, index)| *index).collect();
                let choice = match (indexes.get(place), decision.form) {
                    (Some(index), Form::One) => Choice::Option(*index),
                    (Some(_), Form::Order) => Choice::Options([&indexes[place..], &indexes[..place]].concat()),
                    (Some(index), _) => Choice::Options(vec![*index]),
                    (None, _) => Choice::Options(Vec::new()),
                };
                session.choose(decision.id, choice).expect("it may be chosen");
                self.go_on(session, stories, share);
            }
        }
    }
}

fn start_dealing_late(program: Arc<Program>, setup: &Setup) -> Result<Session, Problem> {
    Session::start_with(program, setup, SessionOptions { deals_late: true, ..SessionOptions::default() })
}

fn walked(program: &Arc<Program>, late: bool, watched: bool, habit: u64) -> Walk {
    let setup = Setup { dice: Dice::External, watched, ..setup(&[&[], &[]]) };
    let session = match late {
        true => start_dealing_late(program.clone(), &setup),
        false => Session::start(program.clone(), &setup),
    };
    let mut walk = Walk { habit, shares: BTreeMap::new(), ends: 0 };
    walk.go_on(session.expect("play starts"), Stories::default(), WHOLE);
    walk
}

#[test]
fn nobody_can_tell_that_a_shuffle_is_dealt_late() {
    for way in WAYS {
        let program = pond(way).program();
        for (habit, watched) in [(0, true), (1, true), (2, false)] {
            let (late, at_once) = (walked(&program, true, watched, habit), walked(&program, false, watched, habit));
            assert!(late.ends <= at_once.ends, "{way}");
            assert_eq!(late.shares, at_once.shares, "{way}");
        }
    }
}

/// Deeds of which any may follow any other.
const DEEDS: &[&str] = &[
    "shuffle deck",
    "shuffle deck  move top 1 of deck to active.hand",
    "move top 1 of deck to active.foe.hand",
    "move top 2 of deck to heap",
    "move last of deck to active.row",
    "move first of deck to pile",
    "show top 1 of deck to active",
    "show deck to active.foe",
    "move active.row to deck",
    "move active.row to bottom of deck",
    "move pile to deck  shuffle deck",
    "move deck to heap",
    "shuffle heap  move heap to deck",
    "each card in cards where it.rank = 2 { move card to pile }",
    "each card in deck where it.rank > 1 { move card to bottom of heap }",
    "each side in sides { move side.hand to deck }",
    "shuffle active.hand",
    "shuffle pile  move top 1 of pile to deck",
    "active may choose play_of as PLAYED",
    "active.foe may choose search_of as SOUGHT",
    "active must choose 1 in [1, 2] as NUMBER  if NUMBER = 2 { shuffle deck }",
    "if count of deck > 1 { say \"{count of (deck where it.rank > 1)}\" to active }",
    "draw 1 in deck at random as DRAWN  move DRAWN to active.hand",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_done_nobody_can_tell_it(
        deeds in prop::collection::vec(prop::sample::select(DEEDS), 2..7),
        habit in any::<u64>(),
        watched in any::<bool>(),
    ) {
        let named = |(place, deed): (usize, &&str)| {
            ["PLAYED", "SOUGHT", "NUMBER", "DRAWN"].iter().fold(deed.to_string(), |deed, name| {
                deed.replace(name, &format!("{}_{place}", name.to_lowercase()))
            })
        };
        let deeds: Vec<String> = deeds.iter().enumerate().map(named).collect();
        prop_assume!(deeds.iter().map(|deed| deed.matches("shuffle").count()).sum::<usize>() < 5);
        let program = pond_of(3, &deeds.join("\n  ")).program();
        let (late, at_once) = (walked(&program, true, watched, habit), walked(&program, false, watched, habit));
        prop_assert_eq!(late.shares, at_once.shares);
    }
}

/// How many ends there are if a shuffle is dealt late, and if it is dealt at once.
#[track_caller]
fn ends(then: &str) -> (usize, usize) {
    let program = pond(then).program();
    (walked(&program, true, true, 0).ends, walked(&program, false, true, 0).ends)
}

#[test]
fn no_more_is_dealt_than_is_looked_at() {
    assert_eq!(ends("shuffle deck  say \"{count of deck} {sum of deck.rank}\""), (1, 24));
    assert_eq!(ends("shuffle deck  move top 1 of deck to active.hand"), (4, 24));
    assert_eq!(ends("shuffle deck  move top 1 of deck to active.hand  move top 1 of deck to active.foe.hand"), (12, 24));
    assert_eq!(ends("shuffle deck  show top 1 of deck to active  shuffle deck"), (4, 576));
    assert_eq!(ends("repeat 3 times { shuffle deck }  move last of deck to pile"), (4, 13824));
    // What only the seats see is looked at, too; and what leaves by what it is, is not.
    assert_eq!(ends("move deck to pile  shuffle pile  active must choose 1 in [1, 2] as now"), (24, 24));
    assert_eq!(ends("shuffle deck  each card in cards where it.rank = 2 { move card to pile }"), (1, 24));
    // What may be chosen stands in an order of its own.
    assert_eq!(ends("shuffle deck  active must choose search_of as one else { say \"nothing\" }"), (1, 24));
}

#[test]
fn a_card_that_is_looked_at_is_asked_for_before_the_answer_counts() {
    let program = pond("active must choose 1 in [1, 2] as now  shuffle deck  move top 1 of deck to active.hand").program();
    let mut session = start_dealing_late(program, &setup(&[&[], &[]])).expect("play starts");
    session.take_events();
    let Pending::Decisions(open) = session.pending() else { panic!("somebody is asked") };
    let decision = open[0].id;
    session.choose(decision, Choice::Option(1)).expect("it may be chosen");
    let Pending::Random(request) = session.pending() else { panic!("a card is wanted") };
    assert_eq!((request.kind, request.draws.len(), request.draws[0].size, request.id), (RandomKind::Shuffle, 1, 4, 1));
    // The shuffle has happened, and nothing after it; nothing can be answered before the card is there.
    assert_eq!(session.take_events().last().map(|event| event.name.clone()).as_deref(), Some("shuffled"));
    assert!(session.choose(decision, Choice::Option(1)).is_err());
    assert!(session.supply(&[5]).is_err() && session.supply(&[1, 1]).is_err());
    let mut imagined = session.imagine(0, 1);
    imagined.supply(&[1]).expect("a card is there");
    assert!(matches!(imagined.pending(), Pending::Finished(_)));
    session.supply(&[4]).expect("a card is there");
    assert!(matches!(session.pending(), Pending::Finished(_)));
}

/// The files of a library beside the engine.
fn library(root: &str) -> Library {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(root);
    let mut files = Vec::new();
    for folder in ["rules", "characters", "scripts"] {
        gather(&root, &root.join(folder), &mut files);
    }
    Library::new(files).0
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).expect("it lies there").to_string_lossy().into_owned();
        if path.is_dir() {
            gather(root, &path, files);
        } else if !["/scenarios/", "/positions/"].iter().any(|other| name.contains(other))
            && [".ludex", ".yaml", ".rhai"].iter().any(|ending| name.ends_with(ending))
        {
            let text = fs::read_to_string(&path).expect("it is text");
            files.push(File { path: name, text, library: BUNDLED.to_string() });
        }
    }
}

/// The first who may play.
fn seated(program: &Program) -> Setup {
    let info = &program.sides;
    let playing = program.sheets.values().filter(|sheet| Some(sheet.kind) == info.entrant);
    let mut ids =
        playing.filter(|sheet| Session::check_entrant(program, &sheet.id).is_ok()).map(|sheet| sheet.id.clone()).cycle();
    let each = if info.entrants_least == 0 { 0 } else { *info.team_sizes().start() };
    let sides = (0..info.least.max(1)).map(|_| ids.by_ref().take(each).collect()).collect();
    Setup { sides, ..setup(&[]) }
}

/// All that anybody sees and is asked, in words and in numbers.
fn sights(session: &Session, encoding: &Arc<Encoding>) -> Vec<String> {
    let seats = (0..encoding.seat_count()).map(Viewer::Seat).chain([Viewer::Spectator]);
    let mut sights: Vec<String> = seats.map(|viewer| format!("{:?}", session.view(viewer))).collect();
    if let Pending::Decisions(open) = session.pending() {
        for decision in open {
            let options = session.options(decision.id, 0, decision.count.min(40));
            sights.push(format!("{decision:?} {} {options:?}", session.prompt(decision.id)));
        }
    }
    let encoded = EncodedSession::new(session.clone(), encoding.clone());
    sights.push(format!("{:?}", encoded.legal_actions()));
    sights.extend((0..encoding.seat_count()).map(|seat| {
        let mut row = vec![0.0; encoding.observation_width()];
        encoded.write_observation(seat, &mut row);
        format!("{row:?}")
    }));
    sights
}

/// How often something was still to be dealt when somebody was asked.
fn played_beside_other_orders(program: &Arc<Program>, seed: u64, answers: usize) -> usize {
    let setup = seated(program);
    let begun = Session::start(program.clone(), &Setup { watched: false, ..setup.clone() }).expect("play starts");
    let encoding = Arc::new(Encoding::from_session(&begun).expect("it is encoded"));
    let late = start_dealing_late(program.clone(), &setup).expect("play starts");
    let mut game = EncodedSession::new(late, encoding.clone());
    let (mut luck, mut compared) = (random::seeded_generator(seed), 0);
    for _ in 0..answers {
        while let Pending::Random(request) = game.session().pending() {
            let results: Vec<i64> = request
                .draws
                .iter()
                .map(|draw| match &draw.faces {
                    Some(faces) => i64::from(faces.values[random::random_below(&mut luck, faces.values.len() as u32) as usize]),
                    None => i64::from(random::random_below(&mut luck, draw.size as u32)) + 1,
                })
                .collect();
            game.supply(&results).expect("results are given as they are asked for");
        }
        if game.session().machine.state.board.zones.are_undealt() {
            let mut other = game.session().clone();
            other.machine.board_mut().zones.reorder_undealt(&mut luck);
            assert_eq!(sights(&other, &encoding), sights(game.session(), &encoding), "{}", program.game);
            compared += 1;
        }
        assert_eq!(game.session().verify_state(), Ok(()));
        let Some(last) = game.legal_actions().len().checked_sub(1) else { break };
        game.play_at(random::random_below(&mut luck, last as u32 + 1) as usize).expect("it is legal");
    }
    compared
}

#[test]
fn nothing_that_anybody_sees_depends_on_what_is_still_to_be_dealt() {
    let mut with_decks = Vec::new();
    for root in ["", "examples/classics"] {
        let library = library(root);
        for id in library.game_ids() {
            let (program, problems) = library.compile(&id, &CompileRequest::default());
            let program = Arc::new(program.unwrap_or_else(|| panic!("{id}: {problems:?}")));
            if played_beside_other_orders(&program, 7, 40) > 0 {
                with_decks.push(id);
            }
        }
    }
    assert_eq!(with_decks, ["sailor-moon-ccg", "coup", "hanabi", "love-letter"], "the games with cards that are not dealt out");
}
