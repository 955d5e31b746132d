//! What holds in every game of DiceWing, whatever is rolled and picked. The rules are data like any other.

use crate::support::bundled;
use ludex_engine::Compile;
use ludex_engine::library::CompileRequest;
use ludex_engine::position::Position;
use ludex_engine::program::Program;
use ludex_engine::recording::{Header, RecordedSession, Step};
use ludex_engine::runtime::{Choice, Decision, Dice, Event, EventKind, Form, Pending, Session, Setup, Viewer, ZoneView};
use ludex_engine::source::SourceId;
use ludex_engine::yaml;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

static PROGRAM: LazyLock<Arc<Program>> = LazyLock::new(|| {
    let (program, problems) = bundled("dicewing").compile("dicewing", &CompileRequest::default());
    Arc::new(program.unwrap_or_else(|| panic!("{problems:#?}")))
});

fn setup(seed: u64, position: Option<Position>) -> Setup {
    Setup {
        sides: vec![Vec::new(), Vec::new()],
        seed: seed.into(),
        dice: Dice::Seeded,
        position,
        names: Vec::new(),
        watched: true,
    }
}

/// Numbers to choose with, different for each seed.
struct Luck(u64);

impl Luck {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Any answer that a decision allows.
    fn answer(&mut self, decision: &Decision) -> Choice {
        match decision.form {
            Form::One => Choice::Option(self.below(decision.count)),
            Form::Number { min, max } => Choice::Number(min + self.below((max - min + 1) as u64) as i64),
            Form::Some { min, .. } => {
                let mut all: Vec<u64> = (0..decision.count).collect();
                let mut chosen: Vec<u64> = (0..min).map(|_| all.remove(self.below(all.len() as u64) as usize)).collect();
                chosen.sort_unstable();
                Choice::Options(chosen)
            }
            _ => decision.answers().first_answer(),
        }
    }
}

fn open(session: &Session) -> Vec<Decision> {
    match session.pending() {
        Pending::Decisions(open) => open.to_vec(),
        _ => Vec::new(),
    }
}

/// One whole game: after each answer, `look` sees the session and what has happened since.
fn play(seed: u64, mut look: impl FnMut(&Session, &[Event])) -> Vec<Event> {
    let mut session = Session::start(PROGRAM.clone(), &setup(seed, None)).unwrap();
    let mut luck = Luck(seed);
    let mut events = session.take_events();
    look(&session, &events);
    while let Some(decision) = open(&session).pop() {
        session.choose(decision.id, luck.answer(&decision)).unwrap();
        let fresh = session.take_events();
        look(&session, &fresh);
        events.extend(fresh);
    }
    assert_eq!(session.verify_events(&events), Ok(()));
    events
}

/// Id, kind, size, value and owner of every die, all of which lie open.
fn dice(session: &Session) -> BTreeMap<usize, (String, i32, i32, usize)> {
    let view = session.view(Viewer::Spectator);
    let zones = view.table.zones.values().chain(view.sides.iter().flat_map(|side| side.zones.values()));
    let mut found = BTreeMap::new();
    for zone in zones {
        let ZoneView::Seen(pieces) = zone else { panic!("everything is open") };
        for die in pieces {
            let facts = (die.kind.clone(), die.size.unwrap(), die.value.unwrap(), die.owner.unwrap());
            assert!(found.insert(die.id, facts).is_none(), "die {} lies in two places", die.id);
        }
    }
    found
}

// --- dice ------------------------------------------------------------------------------

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn fourteen_dice_keep_their_sets_and_show_what_they_can(seed: u64) {
        let set = ["4", "6", "8", "10", "percentile", "12", "20"];
        play(seed, |session, _| {
            assert_eq!(session.verify_state(), Ok(()));
            let dice = dice(session);
            assert_eq!(dice.len(), 14);
            for (id, (kind, size, value, owner)) in dice {
                assert_eq!(owner, id / 7);
                let (wanted, faces) = (set[id % 7], (1..=size).collect::<Vec<i32>>());
                match wanted {
                    "percentile" => {
                        assert_eq!((kind.as_str(), size), ("percentile", 10));
                        assert!(faces.contains(&(value / 10)) && value % 10 == 0, "{value}");
                    }
                    _ => {
                        assert_eq!((kind.as_str(), size.to_string().as_str()), ("die", wanted));
                        assert!(faces.contains(&value), "{value}");
                    }
                }
            }
        });
    }
}

// --- attacks ---------------------------------------------------------------------------

/// What one attack did.
#[derive(Clone, Debug, Default)]
struct Attack {
    part: usize,
    launched: usize,
    /// Dice captured by each side.
    captured: [usize; 2],
    used: usize,
    nobody: bool,
    damaged: usize,
    initial: [i64; 2],
    power: [i64; 2],
    bonuses: [Vec<i64>; 2],
}

fn attacks(events: &[Event]) -> Vec<Attack> {
    let (mut found, mut part, mut running) = (Vec::new(), 1, None);
    for event in events {
        match &event.kind {
            EventKind::Began { scope } if scope == "attack_run" => running = Some(Attack { part, ..Attack::default() }),
            EventKind::Ended { scope } if scope == "attack_run" => found.extend(running.take()),
            EventKind::Set { name, raw, .. } if name == "part" => part = *raw as usize,
            _ => {}
        }
        let Some(attack) = &mut running else { continue };
        match &event.kind {
            EventKind::Moved { from, to, .. } => match (from.zone.as_str(), to.zone.as_str()) {
                ("squadron", "bay") => attack.launched += 1,
                ("bay", "trophies") => attack.captured[to.side.unwrap()] += 1,
                ("bay", "used") => attack.used += 1,
                other => panic!("{other:?} in an attack"),
            },
            EventKind::Set { raw, .. } if event.name == "damaged" => {
                attack.damaged += 1;
                assert!(*raw >= 1);
            }
            EventKind::Set { raw, name, .. } if name == "power" => {
                let (side, raw) = (event.by.unwrap(), i64::from(*raw));
                match event.name.as_str() {
                    "initial_power" => attack.initial[side] = raw,
                    bonus => {
                        assert!(bonus.ends_with("_bonus"), "{bonus}");
                        attack.bonuses[side].push(raw - attack.power[side]);
                    }
                }
                attack.power[side] = raw;
            }
            EventKind::Said if event.text == "nobody wins this attack" => attack.nobody = true,
            _ => {}
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_attack_adds_up(seed: u64) {
        let events = play(seed, |_, _| {});
        let attacks = attacks(&events);
        for attack in &attacks {
            let taken: usize = attack.captured.iter().sum();
            prop_assert_eq!(attack.launched, 4, "{:?}", attack);
            prop_assert_eq!(attack.used, 4 - taken, "{:?}", attack);
            prop_assert_eq!(taken, if attack.nobody { 0 } else { attack.part }, "{:?}", attack);
            prop_assert!(attack.captured.contains(&0), "{:?}", attack);
            prop_assert!(!attack.nobody || attack.damaged == 0, "{:?}", attack);
            prop_assert!(attack.damaged <= 1, "{:?}", attack);
            for side in [0, 1] {
                let bonuses: i64 = attack.bonuses[side].iter().sum();
                prop_assert!(attack.bonuses[side].len() <= 3, "{:?}", attack);
                prop_assert!(attack.bonuses[side].iter().all(|bonus| *bonus > 0), "{:?}", attack);
                prop_assert_eq!(attack.initial[side] + bonuses, attack.power[side], "{:?}", attack);
                prop_assert!((3..=440).contains(&attack.power[side]), "{:?}", attack);
            }
        }
        let of_part = |part: usize| attacks.iter().filter(move |attack| attack.part == part);
        let lost = of_part(1).filter(|attack| !attack.nobody).count();
        let won = of_part(2).filter(|attack| !attack.nobody).count();
        prop_assert_eq!(of_part(1).count(), 3);
        prop_assert_eq!(of_part(2).count(), if lost == 3 { 2 } else { 3 });
        let trophies = |side: usize| attacks.iter().map(|attack| attack.captured[side]).sum::<usize>();
        prop_assert_eq!(trophies(0) + trophies(1), lost + 2 * won);
        prop_assert!(lost + 2 * won <= [6, 7, 8, 7][lost]);
        prop_assert!(trophies(0) != trophies(1) || lost % 2 == 0, "trophies are equal only after one or three draws");
    }
}

/// A die in words of a position, of one of the sets.
fn die(luck: &mut Luck, owner: u64) -> String {
    let size = [4, 6, 8, 10, 100, 12, 20][luck.below(7) as usize];
    let (kind, value) = match size {
        100 => ("die: percentile".to_string(), 10 * (1 + luck.below(10))),
        size => (format!("size: {size}"), 1 + luck.below(size)),
    };
    format!("{kind}, value: {value}, owner: {owner}")
}

/// Four squadron dice of each side, of which the first two are launched: what comes of it.
fn duel(squadrons: [&[String]; 2], leader: usize) -> (Attack, Vec<Option<usize>>) {
    let list = |dice: &[String]| {
        dice.iter().enumerate().map(|(index, die)| format!("{{id: {}{index}, {die}}}", "ab")).collect::<Vec<_>>().join(", ")
    };
    let named = |side: usize| list(squadrons[side]).replace("ab", ["p", "q"][side]);
    let text = format!(
        "sides:\n  - zones: {{squadron: [{}]}}\n  - zones: {{squadron: [{}]}}\ntable: {{leader: {leader}}}\nat: attack_run\n",
        named(0),
        named(1)
    );
    let (node, mut problems) = yaml::parse_document(&text, SourceId(0));
    let position = Position::read(&node.unwrap(), &PROGRAM, &mut problems);
    assert!(position.is_some(), "{problems:?}\n{text}");
    let mut session = Session::start(PROGRAM.clone(), &setup(1, position)).unwrap();
    for _ in 0..2 {
        let decision = open(&session).remove(0);
        session.choose(decision.id, Choice::Options(vec![0, 1])).unwrap();
    }
    let mut events = session.take_events();
    let mut asked = Vec::new();
    // Collateral Damage and the capture, until the next launch.
    while let Some(decision) = open(&session).into_iter().next().filter(|decision| !decision.secret) {
        asked.push(Some(decision.seat));
        session.choose(decision.id, Choice::Option(0)).unwrap();
        events.extend(session.take_events());
    }
    (attacks(&events).remove(0), asked)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Who sits where, and who is first, changes nothing but the names.
    #[test]
    fn an_attack_is_the_same_from_the_other_side(seed: u64) {
        let mut luck = Luck(seed);
        let mut squadron = |_: usize| -> Vec<(String, u64)> {
            (0..4).map(|_| { let owner = luck.below(2); (die(&mut luck, owner), owner) }).collect()
        };
        let (p, q) = (squadron(0), squadron(1));
        let plain = |dice: &[(String, u64)]| dice.iter().map(|(die, _)| die.clone()).collect::<Vec<_>>();
        // Seen from the other side, the owners change too.
        let turned = |dice: &[(String, u64)]| {
            dice.iter().map(|(die, owner)| die.replace(&format!("owner: {owner}"), &format!("owner: {}", 1 - owner))).collect::<Vec<_>>()
        };
        let (here, asked) = duel([&plain(&p), &plain(&q)], 0);
        let (later, _) = duel([&plain(&p), &plain(&q)], 1);
        let (there, asked_there) = duel([&turned(&q), &turned(&p)], 1);
        prop_assert_eq!(here.power, later.power);
        prop_assert_eq!(here.captured, later.captured);
        prop_assert_eq!(here.damaged, later.damaged);
        prop_assert_eq!([here.power[1], here.power[0]], there.power);
        prop_assert_eq!([here.captured[1], here.captured[0]], there.captured);
        prop_assert_eq!((here.nobody, here.damaged), (there.nobody, there.damaged));
        let other = |seat: &Option<usize>| seat.map(|seat| 1 - seat);
        prop_assert_eq!(asked.iter().map(other).collect::<Vec<_>>(), asked_there);
    }
}

// --- secrets ---------------------------------------------------------------------------

/// Everything that reaches a seat while the other's answer is out. The recording, which has it already, is the table's.
fn told(game: &RecordedSession, step: &Step, seat: usize, seed: u64) -> String {
    let session = game.session();
    let mine: Vec<Decision> = open(session).into_iter().filter(|decision| decision.seat == seat).collect();
    let asked: Vec<_> =
        mine.iter().map(|decision| (session.prompt(decision.id), session.options(decision.id, 0, decision.count))).collect();
    let views = [Viewer::Seat(seat), Viewer::Spectator].map(|viewer| ludex_engine::json::view_json(&session.view(viewer)));
    let refusal = mine.first().map(|decision| format!("{:?}", session.find_choice(decision.id, "choose(99)")));
    let imagined = session.imagine(seat, seed).state_json();
    format!("{:?} {mine:?} {asked:?} {views:?} {refusal:?} {imagined}", step.events)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nobody_can_tell_two_secret_picks_apart(seed: u64) {
        let header = |setup: &Setup| Header::new(&PROGRAM, setup, Vec::new(), "salt".to_string());
        let setup = setup(seed, None);
        let (mut game, _) = RecordedSession::start(PROGRAM.clone(), &setup, header(&setup)).unwrap();
        let mut luck = Luck(seed);
        let mut secrets = 0;
        while let Some(decision) = open(game.session()).into_iter().next() {
            let group: Vec<Decision> = open(game.session());
            if group.len() == 2 && decision.secret {
                for picking in &group {
                    let other = 1 - picking.seat;
                    let after = |choice: Choice| {
                        let mut game = game.clone();
                        let step = game.answer_decision(picking.id, choice).unwrap();
                        told(&game, &step, other, seed)
                    };
                    prop_assert_eq!(after(luck.answer(picking)), after(luck.answer(picking)));
                    secrets += 1;
                }
            }
            let any = &group[luck.below(group.len() as u64) as usize];
            game.answer_decision(any.id, luck.answer(any)).unwrap();
        }
        prop_assert!(secrets >= 8, "{secrets}");
    }
}
