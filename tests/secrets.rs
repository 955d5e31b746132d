//! No seat of the card game learns of a card that it cannot see: neither from what lies on the table, nor from what it is
//! asked, nor from what it is told.
//!
//! The decks share no card but basic Power and hold each other card once, so that a name tells which card is meant.

use crate::support::{Luck, bundled, bundled_with};
use ludex_engine::Compile;
use ludex_engine::json;
use ludex_engine::library::{BUNDLED, CompileRequest, File};
use ludex_engine::program::Program;
use ludex_engine::runtime::{Decision, Dice, Event, Pending, Session, Setup, Viewer};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// The cards that both decks hold.
const SHARED: [&str; 3] = ["power-body", "power-mind", "power-soul"];

struct Decks {
    program: Arc<Program>,
    /// What players call the other cards, the longest first: one name may be part of another.
    names: Vec<String>,
}

static DECKS: LazyLock<Decks> = LazyLock::new(|| {
    let (program, problems) = bundled("sailor-moon-ccg").compile("sailor-moon-ccg", &CompileRequest::default());
    let program = program.unwrap_or_else(|| panic!("{problems:#?}"));
    let prints = &program.prints;
    // Cards of one name are in one deck, so that a name tells whose card it is, too.
    let mut names: Vec<&str> = Vec::new();
    let mut lists = [String::new(), String::new()];
    for (id, print) in &prints.ids {
        let sheet = &prints.sheets[usize::from(prints.find_print(*print).unwrap().sheet)].name;
        if sheet == "deck" || SHARED.contains(&id.as_str()) {
            continue;
        }
        let name = prints.print_name(*print);
        let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        lists[place % 2].push_str(&format!("  {id}: 1\n"));
    }
    let mut names: Vec<String> = names.into_iter().map(str::to_string).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let power: String = SHARED.map(|id| format!("  {id}: 8\n")).concat();
    let decks = lists.into_iter().zip(["odd", "even"]).map(|(list, id)| File {
        path: format!("characters/sailor-moon-ccg/{id}.yaml"),
        text: format!("name: {id}\nsheet: deck\ndraw_pile:\n{power}{list}"),
        library: BUNDLED.to_string(),
    });
    let (program, problems) =
        bundled_with("sailor-moon-ccg", decks.collect()).compile("sailor-moon-ccg", &CompileRequest::default());
    Decks { program: Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}"))), names }
});

/// What a seat can see, in words.
fn sight(session: &Session, seat: usize) -> String {
    serde_json::to_string(&session.view(Viewer::Seat(seat))).unwrap()
}

/// The cards that a text names.
fn named(text: &str) -> BTreeSet<&'static str> {
    let mut text = text.to_string();
    let mut found = BTreeSet::new();
    for name in &DECKS.names {
        if text.contains(name.as_str()) {
            text = text.replace(name.as_str(), "");
            found.insert(name.as_str());
        }
    }
    found
}

/// All that an event says on the wire.
fn wire(event: &Event) -> String {
    format!("{} {}", serde_json::to_string(&json::event_facts(event)).unwrap(), event.text)
}

/// Cards that pass before a seat's eyes: what goes to or from a place it sees, and what it is shown.
fn passes(event: &Event) -> bool {
    let facts = json::event_facts(event);
    facts.contains_key("pieces") || facts.contains_key("from")
}

fn told_only_what_it_sees(before: &str, session: &Session, events: &[Event], seat: usize) {
    let told: Vec<&Event> = events.iter().filter_map(|event| event.seen_by(Viewer::Seat(seat))).collect();
    let mut seen = named(before);
    seen.extend(named(&sight(session, seat)));
    told.iter().filter(|event| passes(event)).for_each(|event| seen.extend(named(&wire(event))));
    for event in told {
        let unseen: Vec<&str> = named(&wire(event)).difference(&seen).copied().collect();
        assert!(unseen.is_empty(), "seat {seat} is told of {unseen:?}: {}", wire(event));
    }
}

/// With everything dealt afresh that a seat cannot know, it sees the same table and the same question.
fn depends_on_nothing_hidden(session: &Session, seat: usize, decision: &Decision, seed: u64) {
    let imagined = session.imagine(seat, seed);
    assert_eq!(imagined.view(Viewer::Seat(seat)), session.view(Viewer::Seat(seat)));
    if decision.seat == seat {
        let words = |session: &Session| (session.prompt(decision.id), session.options(decision.id, 0, decision.count.min(40)));
        assert_eq!(words(&imagined), words(session));
    }
}

#[test]
fn no_seat_is_told_of_a_card_it_cannot_see() {
    play(2, 120);
}

#[test]
#[ignore = "takes minutes; run by hand with `--release`"]
fn no_seat_is_told_of_a_card_it_cannot_see_in_many_games() {
    play(200, 1_000);
}

/// Plays so many games, looks at each answer of both seats, and leaves a game after the most answers.
fn play(games: u64, most_answers: usize) {
    let sides = vec![vec!["odd".to_string()], vec!["even".to_string()]];
    for seed in 0..games {
        let setup = Setup {
            sides: sides.clone(),
            seed: seed.into(),
            dice: Dice::Seeded,
            position: None,
            names: Vec::new(),
            watched: true,
        };
        let mut session = Session::start(DECKS.program.clone(), &setup).unwrap();
        session.take_events();
        let mut luck = Luck(seed);
        for answers in 0..most_answers {
            let Pending::Decisions([decision, ..]) = session.pending() else { break };
            let decision = decision.clone();
            let before = [0, 1].map(|seat| sight(&session, seat));
            if answers % 8 == 0 {
                (0..2).for_each(|seat| depends_on_nothing_hidden(&session, seat, &decision, answers as u64));
            }
            session.choose(decision.id, luck.answer(&decision)).unwrap();
            let events = session.take_events();
            (0..2).for_each(|seat| told_only_what_it_sees(&before[seat], &session, &events, seat));
        }
    }
}

#[test]
fn names_tell_hands_apart() {
    // The test above would see nothing if cards had no names.
    let hand = |seat| {
        let setup = Setup {
            sides: vec![vec!["odd".to_string()], vec!["even".to_string()]],
            seed: 1.into(),
            dice: Dice::Seeded,
            position: None,
            names: Vec::new(),
            watched: false,
        };
        named(&sight(&Session::start(DECKS.program.clone(), &setup).unwrap(), seat))
    };
    assert!(hand(0).len() > 40 && hand(1).len() > 40 && hand(0).is_disjoint(&hand(1)));
}
