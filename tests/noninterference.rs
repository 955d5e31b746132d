//! A seat gets the same, byte for byte, whatever lies where it cannot see, until a rule tells it something.
//!
//! At a decision of a game that is under way, a twin is dealt: a session that agrees with all a seat has seen, and where
//! everything else is another way. Both are looked at as the seat would: what it sees and is asked, what it is told of every
//! key with every piece in every role, and of every card by name. Then both go on with the same answers.

use crate::classics::program;
use crate::private_fields;
use crate::support::{Luck, bundled};
use ludex::protocol::messages::{self, MOST_WHOLE};
use ludex::protocol::steps;
use ludex_bots::updates::{EventLog, Update};
use ludex_engine::Compile;
use ludex_engine::json;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::program::Program;
use ludex_engine::runtime::{
    Decision, Dice, Event, EventKind, Pending, Session, SessionOptions, Setup, Viewer, ZoneName, ZoneView,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How far a run goes: games, answers of each, answers between two twins, keys tried and answers gone on with.
#[derive(Clone, Copy)]
struct Effort {
    games: u64,
    answers: usize,
    between: usize,
    keys: usize,
    further: usize,
}

const FEW: Effort = Effort { games: 1, answers: 60, between: 9, keys: 60, further: 4 };
const MANY: Effort = Effort { games: 20, answers: 400, between: 7, keys: 2_000, further: 12 };

/// All that a seat can see and is asked, in whole lines of the protocol.
fn sight(session: &Session, seat: usize) -> Vec<String> {
    let mut lines = vec![json::view_json(&session.view(Viewer::Seat(seat))).to_string()];
    for open in open(session).iter().filter(|open| open.seat == seat) {
        let step = steps::current_step(session, open, &Default::default(), MOST_WHOLE);
        let line = messages::remove_private_fields(messages::decision_message(session, open, step.as_ref(), None));
        lines.push(format!("{open:?} {line}"));
    }
    lines
}

fn open(session: &Session) -> Vec<Decision> {
    match session.pending() {
        Pending::Decisions(open) => open.to_vec(),
        _ => Vec::new(),
    }
}

/// What a seat is told of a key.
fn told_of(session: &Session, decision: &Decision, key: &str) -> String {
    match session.find_choice(decision.id, key) {
        Ok(choice) => format!("{choice:?}"),
        Err(refusal) => format!("{refusal:?}"),
    }
}

/// A key of some action with a piece in one of its roles, and in the others what some option has there. Whether that role
/// takes pieces: elsewhere the number may be a side's.
fn some_key(session: &Session, decision: &Decision, luck: &mut Luck) -> Option<(String, usize, bool)> {
    let program = session.program();
    let actions: Vec<&str> =
        program.actions.iter().filter(|info| !info.roles.is_empty()).map(|info| info.name.as_str()).collect();
    let name = *luck.one_of(&actions)?;
    let found = &program.actions.iter().find(|info| info.name == name)?.roles;
    let roles = found.len();
    let piece = luck.below(session.piece_count() as u64) as usize;
    let role = luck.below(roles as u64) as usize;
    let like = session.options(decision.id, 0, decision.count.min(60)).into_iter().find(|option| option.action == name);
    let mut words: Vec<String> = match &like {
        Some(option) => option.key.split_once('(')?.1.trim_end_matches(')').split('>').map(str::to_string).collect(),
        None => vec![piece.to_string(); roles],
    };
    *words.get_mut(role)? = "NUMBER".to_string();
    Some((format!("{name}({})", words.join(">")), piece, program.is_piece(&found[role].item)))
}

fn no_key_tells(session: &Session, twin: &Session, decision: &Decision, luck: &mut Luck, keys: usize) {
    for _ in 0..keys {
        let Some((key, piece, takes_pieces)) = some_key(session, decision, luck) else { return };
        let of = |session: &Session, number: usize| told_of(session, decision, &key.replace("NUMBER", &number.to_string()));
        assert_eq!(of(session, piece), of(twin, piece), "`{key}` with piece {piece} tells seat {} something", decision.seat);
        let is_alone = !key.contains(&piece.to_string());
        if is_alone
            && takes_pieces
            && !session.can_see(decision.seat, piece)
            && session.find_choice(decision.id, &key.replace("NUMBER", &piece.to_string())).is_err()
        {
            let nameless = |number: usize| {
                let (number, told) = (number.to_string(), of(session, number));
                told.replace(&key.replace("NUMBER", &number), "KEY").replace(&format!("`{number}`"), "it")
            };
            assert_eq!(nameless(piece), nameless(99_999), "piece {piece} is answered like none in `{key}`");
        }
    }
}

/// Whether an event is one by which a rule tells something to those who may know of it.
fn tells(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Began { .. } | EventKind::Ended { .. } | EventKind::Set { .. })
}

/// What a seat hears of some events, in whole lines of the protocol, each with its number.
fn heard(events: Vec<Event>, log: &mut EventLog, seat: usize) -> Vec<(String, bool)> {
    let viewer = Viewer::Seat(seat);
    let place = |zone: &ZoneName| format!("{} of {:?}", zone.zone, (zone.side, &zone.entrant));
    let line = |update: Update| {
        let Update::Event { numbers, event } = update else { return None };
        let (_, line) = messages::event_messages(&event, &numbers).into_iter().find(|(to, _)| to.includes_seat(seat))?;
        let line = messages::remove_private_fields(line).to_string();
        // How many pieces lie in a zone is public, so that where unseen ones go is told.
        Some(match &event.kind {
            EventKind::Moved { from, to, .. } if event.seen_by(viewer).is_none() => {
                (format!("{line} from {} to {}", place(from), place(to)), true)
            }
            _ => (line, event.seen_by(viewer).is_some_and(tells)),
        })
    };
    log.number_updates(None, events, 0).into_iter().filter_map(line).collect()
}

/// Plays on with the same answers on both sides, as long as nothing has told the seat which of them it is in.
fn both_go_on(mut session: Session, mut twin: Session, seat: usize, luck: &mut Luck, further: usize) {
    let seats = session.view(Viewer::Trusted).sides.len();
    let (mut log, mut log_there) = (EventLog::new(seats), EventLog::new(seats));
    for _ in 0..further {
        let Some(decision) = open(&session).into_iter().next() else { return };
        let choice = luck.answer(&decision);
        let key = session.choice_key(decision.id, &choice);
        // What the others answer is theirs to tell; the same answer is wanted of both.
        let same = open(&twin).into_iter().find(|open| open.id == decision.id && open.seat == decision.seat);
        let answer = same.zip(key).and_then(|(open, key)| twin.find_choice(open.id, &key).ok());
        assert!(decision.seat != seat || answer.is_some(), "an answer of seat {seat} is legal in one world alone");
        let Some(answer) = answer else { return };
        if session.choose(decision.id, choice).is_err() || twin.choose(decision.id, answer).is_err() {
            return;
        }
        let (told, told_there) = (session.take_events(), twin.take_events());
        let (one, other) = (heard(told.clone(), &mut log, seat), heard(told_there.clone(), &mut log_there, seat));
        if let Some(place) = one.iter().zip(&other).position(|(one, other)| one.0 != other.0) {
            assert!(one[place].1 || other[place].1, "without a word:\n  {}\n  {}", one[place].0, other[place].0);
            return;
        }
        if one.len() != other.len() {
            // The shorter world waits for somebody else, who had no choice in the other one and was not asked there.
            let shorter = if one.len() < other.len() { &session } else { &twin };
            assert!(open(shorter).iter().all(|open| open.seat != seat), "one world has more lines: {told:#?}\n{told_there:#?}");
            return;
        }
        let asks = |session: &Session| open(session).iter().any(|open| open.seat == seat);
        if asks(&session) != asks(&twin) {
            // Another is asked something first: that is a question which only one of the worlds has.
            return;
        }
        assert_eq!(sight(&session, seat), sight(&twin, seat));
    }
}

/// What each seat saw a piece show last.
type LastSeen = BTreeMap<(usize, usize), Option<i32>>;

/// A seat that knows a piece where it cannot see it knows of what it shows no more than it has seen.
fn known_dice_show_what_was_seen(session: &Session, events: &[Event], seen: &mut LastSeen) {
    for seat in 0..session.view(Viewer::Trusted).sides.len() {
        let viewer = Viewer::Seat(seat);
        for event in events.iter().filter_map(|event| event.seen_by(viewer)) {
            if let EventKind::Moved { piece, .. } | EventKind::Rolled { piece, .. } = &event.kind {
                seen.insert((seat, piece.id), piece.value);
            }
        }
        let view = session.view(viewer);
        for zone in view.sides.iter().flat_map(|side| side.zones.values()).chain(view.table.zones.values()) {
            match zone {
                ZoneView::Seen(pieces) => seen.extend(pieces.iter().map(|piece| ((seat, piece.id), piece.value))),
                ZoneView::Hidden { known, .. } => {
                    for piece in known.iter().map(|known| &known.piece).filter(|piece| piece.value.is_some()) {
                        assert_eq!(seen.get(&(seat, piece.id)), Some(&piece.value), "seat {seat} knows {piece:?}");
                    }
                }
            }
        }
    }
}

/// A game as people play it: what is shuffled exchanges numbers.
fn started(program: &Arc<Program>, sides: &[Vec<String>], seed: u64) -> Session {
    let setup =
        Setup { sides: sides.to_vec(), seed: seed.into(), dice: Dice::Seeded, position: None, names: Vec::new(), watched: true };
    Session::start_with(program.clone(), &setup, SessionOptions { renumbers: true, ..SessionOptions::default() }).unwrap()
}

fn play(program: &Arc<Program>, sides: &[Vec<String>], effort: Effort) {
    for seed in 0..effort.games {
        let mut session = started(program, sides, seed);
        let mut luck = Luck(seed);
        let mut seen = LastSeen::new();
        for answers in 0..effort.answers {
            let events = session.take_events();
            known_dice_show_what_was_seen(&session, &events, &mut seen);
            let Some(decision) = luck.one_of(&open(&session)).cloned() else { break };
            if answers % effort.between == 0 {
                for seat in 0..sides.len() {
                    let chance = luck.below(1 << 30);
                    let twin = || {
                        let mut twin = session.imagine(seat, chance);
                        twin.start_watching();
                        twin
                    };
                    let mut same = twin();
                    same.take_events();
                    assert_eq!(sight(&session, seat), sight(&same, seat));
                    if decision.seat == seat {
                        no_key_tells(&session, &same, &decision, &mut luck, effort.keys);
                    }
                    // The dice to come are equal in both; all else may differ.
                    let mut one = session.clone();
                    one.reseed(seed);
                    same.reseed(seed);
                    both_go_on(one, same, seat, &mut luck, effort.further);
                }
            }
            session.choose(decision.id, luck.answer(&decision)).unwrap();
        }
    }
}

fn compiled(library: &Library, game: &str, mode: &str) -> Arc<Program> {
    let wanted = CompileRequest { mode: (!mode.is_empty()).then(|| mode.to_string()), ..CompileRequest::default() };
    let (program, problems) = library.compile(game, &wanted);
    Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")))
}

fn sides(sides: &[&[&str]]) -> Vec<Vec<String>> {
    sides.iter().map(|ids| ids.iter().map(ToString::to_string).collect()).collect()
}

fn bundled_games(effort: Effort) {
    let cards = bundled("sailor-moon-ccg");
    play(&compiled(&cards, "sailor-moon-ccg", ""), &sides(&[&["moon"], &["mercury"]]), effort);
    play(&compiled(&cards, "sailor-moon-ccg", ""), &sides(&[&["moon"], &["mercury"], &["past"]]), effort);
    play(&compiled(&cards, "sailor-moon-ccg", "basic"), &sides(&[&["moon"], &["mercury"]]), effort);
    let dice = bundled("dice-challenge");
    play(&compiled(&dice, "dice-challenge", ""), &sides(&[&["sailor-moon"], &["kunzite"]]), effort);
    play(
        &compiled(&dice, "dice-challenge", "single-combat"),
        &sides(&[&["sailor-moon", "rubeus"], &["kunzite", "jadeite"]]),
        effort,
    );
}

/// The classics in which not everything lies open.
fn classics(effort: Effort) {
    let players = |names: &[&str]| names.iter().map(|name| vec![(*name).to_string()]).collect::<Vec<_>>();
    let three = players(&["north", "east", "south"]);
    let four = players(&["north", "east", "south", "west"]);
    play(&program("liars-dice"), &[Vec::new(), Vec::new()], effort);
    play(&program("hearts"), &four, effort);
    play(&program("president"), &four, effort);
    play(&program("kuhn-poker"), &[Vec::new(), Vec::new()], effort);
    play(&program("love-letter"), &three, effort);
    play(&program("coup"), &three, effort);
    play(&program("hanabi"), &three, effort);
}

#[test]
fn no_seat_can_tell_what_only_others_may_read() {
    let nobody = vec![Vec::new(); 3];
    play(&private_fields::program(), &nobody, Effort { games: 4, answers: 60, between: 1, keys: 8, further: 8 });
}

#[test]
fn no_seat_can_tell_what_it_cannot_see() {
    bundled_games(FEW);
}

#[test]
fn no_seat_of_a_classic_can_tell_what_it_cannot_see() {
    classics(Effort { answers: 40, between: 13, keys: 30, ..FEW });
}

#[test]
#[ignore = "takes minutes; run by hand with `--release`"]
fn no_seat_can_tell_what_it_cannot_see_in_many_games() {
    bundled_games(MANY);
    classics(MANY);
}
