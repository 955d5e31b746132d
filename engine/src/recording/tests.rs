use super::*;
use crate::runtime::{Pending, Viewer};
use ludex_program::Parent;
use ludex_syntax::source::SourceId;
use proptest::prelude::*;

const SOURCE: SourceId = SourceId(0);

fn header() -> Header {
    let seat = |seat: usize, entrant: &str| SeatRecord {
        seat,
        side: Some(seat),
        entrants: vec![entrant.to_string()],
        player: "human".to_string(),
    };
    Header {
        format: FORMAT,
        ludex: "0.1.0".into(),
        generator: "pcg32".into(),
        game: "pig".into(),
        mode: "standard".into(),
        options: serde_json::from_str(r#"{"goal":100,"begins":"first"}"#).unwrap(),
        package_hash: "00ff".into(),
        parents: Vec::new(),
        files: BTreeMap::from([("rules/pig/pig.ludex".to_string(), "aa".to_string())]),
        sides: vec![vec!["ann".into()], vec!["bob".into()]],
        seats: vec![seat(0, "ann"), seat(1, "bob")],
        names: Vec::new(),
        position: None,
        entry: None,
        seed: Seed::Number(7),
        shares: None,
        salt: "5a17".into(),
        dice: DiceRecord::Seeded,
        renumbers: false,
    }
}

fn answer(decision: u64, seat: usize, key: &str) -> Entry {
    Entry::Answer { decision, seat, key: key.to_string() }
}

fn recording() -> Recording {
    let undo = TakeBack { seat: 1, to: 2, seed: Some(Seed::Number(12)), redeals: false };
    Recording {
        header: header(),
        entries: vec![
            answer(1, 0, "hold"),
            answer(2, 1, "choose(1+2)"),
            Entry::Thrown { random: 1, result: vec![6, 2] },
            Entry::TakenBack { undo },
            Entry::Resigned { resign: 1 },
        ],
        ending: Some(Ending {
            outcome: OutcomeRecord { result: "abandoned".into(), winners: vec![0], payoffs: None },
            events: 12,
            digest: "0123456789abcdef".into(),
        }),
    }
}

fn text(recording: &Recording) -> String {
    crate::recording::recording_text(&recording.header, &recording.entries, recording.ending.as_ref()).0
}

/// The same game as format 1 had it.
fn of_old(recording: &Recording) -> String {
    let header = Header { format: FIRST_FORMAT, ..recording.header.clone() };
    let entries = recording.entries.iter().map(Entry::to_line);
    std::iter::once(header.to_line()).chain(entries).chain(recording.ending.iter().map(Ending::to_line)).collect()
}

fn read(text: impl AsRef<[u8]>) -> ParsedRecording {
    Recording::parse(SOURCE, text.as_ref()).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    Recording::parse(SOURCE, bytes).expect_err("this should be refused").message.to_string()
}

/// Why a line is left out that is whole and in its place.
fn left_out(line: &str) -> String {
    let mut chain = Chain::default();
    let text = chain.seal_line(&header().to_line()) + chain.seal_line(line).as_str();
    let notes = read(text).notes;
    notes[0].message.to_string().strip_prefix("the last line is left out: ").unwrap_or_else(|| panic!("{notes:?}")).to_string()
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let reading = read(text(&recording()));
    assert_eq!(reading.recording, recording());
    assert!(reading.notes.is_empty());
}

#[test]
fn more_lines_can_follow_a_whole_recording() {
    let open = Recording { ending: None, ..recording() };
    let (text, chain) = crate::recording::recording_text(&open.header, &open.entries, None);
    assert_eq!(read(&text).chain, Some(chain.clone()));
    let more = chain.clone().seal_line(&answer(3, 0, "hold").to_line());
    assert_eq!(read(text.clone() + more.as_str()).recording.entries.len(), 6);
    assert_eq!(read(text.trim_end()).chain, None, "without its line end");
    assert_eq!(read(of_old(&open)).chain, None, "of format 1");
}

#[test]
fn format_1_is_read() {
    let reading = read(of_old(&recording()));
    assert_eq!(reading.recording.header.format, FIRST_FORMAT);
    assert_eq!((reading.recording.entries, reading.recording.ending), (recording().entries, recording().ending));
}

#[test]
fn an_option_is_a_whole_number_or_a_word() {
    let with = |value: &str| Recording::parse(SourceId(0), of_old(&recording()).replace(":100", &format!(":{value}")).as_bytes());
    assert!(with("-3").is_ok());
    for wrong in ["1.5", "184006272135252777360599", "true", "[3]"] {
        let problem = with(wrong).expect_err("no option");
        assert!(
            problem.message.to_string().contains("the option `goal` is neither a whole number nor a word"),
            "{}",
            problem.message.to_string()
        );
    }
}

/// Whatever happens to one line, what stood before it is read and nothing else.
#[test]
fn what_stands_before_damage_is_kept() {
    let whole = text(&recording());
    let lines: Vec<&str> = whole.lines().collect();
    for at in 1..lines.len() {
        let changed = lines[at].replacen(':', ": ", 1);
        let without = [&lines[..at], &lines[at + 1..]].concat();
        let doubled = [&lines[..=at], &lines[at..]].concat();
        let altered = [&lines[..at], &[changed.as_str()], &lines[at + 1..]].concat();
        for (damaged, sound) in [(without, at), (doubled, at + 1), (altered, at)] {
            let reading = read(damaged.join("\n") + "\n");
            let is_cut = damaged.len() == sound;
            assert_eq!(reading.recording.entries, recording().entries[..(sound - 1).min(5)]);
            assert_eq!((reading.notes.len(), reading.chain.is_some()), (usize::from(!is_cut), is_cut), "line {at}");
        }
    }
    let reading = read(whole.replace("choose(1+2)", "choose(1+3)"));
    let note = &reading.notes[0];
    assert!(
        note.message.to_string().starts_with("line 3 and the 4 after it are left out: its checksum does not fit"),
        "{note:?}"
    );
    assert_eq!(note.labels[0].1, "line 3");
}

#[test]
fn a_flipped_bit_is_noticed_wherever_it_is() {
    let whole = text(&recording()).into_bytes();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        let noticed = match Recording::parse(SOURCE, &bytes) {
            Ok(reading) => !reading.notes.is_empty() && recording().entries.starts_with(&reading.recording.entries),
            Err(_) => true,
        };
        assert!(noticed, "byte {at}");
    }
}

#[test]
fn a_damaged_line_of_format_1_ends_what_is_read() {
    let reading = read(of_old(&recording()).replace("\"random\":1", "\"random\":x"));
    assert_eq!(reading.recording.entries, recording().entries[..2]);
    assert!(reading.notes[0].message.to_string().starts_with("line 4 and the 3 after it are left out: this line is not JSON"));
}

#[test]
fn the_lines_are_those_of_the_format() {
    insta::assert_snapshot!(text(&recording()), @r#"
    {"ludex-recording":2,"ludex":"0.1.0","generator":"pcg32","game":"pig","mode":"standard","options":{"goal":100,"begins":"first"},"package_hash":"00ff","files":{"rules/pig/pig.ludex":"aa"},"sides":[["ann"],["bob"]],"seats":[{"seat":0,"side":0,"entrants":["ann"],"player":"human"},{"seat":1,"side":1,"entrants":["bob"],"player":"human"}],"seed":7,"salt":"5a17","dice":"seeded","sum":"6cda1e7c2c706b6f"}
    {"decision":1,"seat":0,"key":"hold","sum":"b9d8a04bb168d58b"}
    {"decision":2,"seat":1,"key":"choose(1+2)","sum":"e3e271bdc577aa2e"}
    {"random":1,"result":[6,2],"sum":"8139568594fbd4bd"}
    {"undo":{"seat":1,"to":2,"seed":12},"sum":"7b148e2c996c183a"}
    {"resign":1,"sum":"59700ca2957a477a"}
    {"outcome":{"result":"abandoned","winners":[0]},"events":12,"digest":"0123456789abcdef","sum":"e9238d1cf0877b27"}
    "#);
}

#[test]
fn what_a_package_extends_is_kept_in_order() {
    let parent = |id: &str, hash: &str| Parent { id: id.to_string(), hash: hash.to_string() };
    let header = Header { parents: vec![parent("dice", "0a"), parent("big-dice", "0b")], ..header() };
    let line = header.to_line();
    assert!(
        line.contains(r#""package_hash":"00ff","parents":[{"id":"dice","hash":"0a"},{"id":"big-dice","hash":"0b"}],"files""#)
    );
    assert_eq!(read(Chain::default().seal_line(&line)).recording.header, header);
}

#[test]
fn a_torn_last_line_is_dropped_with_a_note() {
    for whole in [text(&recording()), of_old(&recording())] {
        let start = whole.lines().next().unwrap().len() + 1;
        for end in start..whole.len() {
            let reading = read(&whole.as_bytes()[..end]);
            assert!(recording().entries.starts_with(&reading.recording.entries));
            assert!(reading.notes.len() <= 1);
        }
        let notes = read(&whole.as_bytes()[..whole.len() - 10]).notes;
        assert_eq!(notes[0].message.to_string(), "the last line was cut off while it was written, and is left out");
        assert_eq!(notes[0].labels[0].1, "line 7");
    }
}

#[test]
fn a_character_cut_in_two_is_a_torn_line() {
    let mut bytes = Chain::default().seal_line(&header().to_line()).into_bytes();
    bytes.extend_from_slice(b"{\"decision\":1,\"seat\":0,\"key\":\"\xe2\x82");
    let reading = read(bytes);
    assert!(reading.recording.entries.is_empty());
    assert_eq!(reading.notes.len(), 1);
}

#[test]
fn what_is_no_recording_is_refused() {
    assert_eq!(refused(b""), "the file is empty");
    assert_eq!(refused(b"\x7fELF\x00\n"), "this is not a recording: this line is not JSON: expected value at column 1");
    assert_eq!(refused(b"[1,2]\n"), "this is not a recording: this line is not an object in braces");
    assert_eq!(refused(b"{\"a\":1}\n"), "this is not a recording: its first line has no `ludex-recording`");
    assert_eq!(refused(b"\xff\xfe\n"), "this is not a recording: this line is not text");
}

#[test]
fn another_format_is_refused() {
    let problem = Recording::parse(SOURCE, b"{\"ludex-recording\":3}\n").unwrap_err();
    assert_eq!(problem.message.to_string(), "recordings of format 3 cannot be read");
    assert!(problem.help.unwrap().contains("reads formats 1 and 2"));
}

#[test]
fn a_bad_line_is_told_with_its_reason() {
    assert_eq!(left_out("{\"decision\":1,\"seat\":0}"), "`key` must be the key of an option, as text");
    assert_eq!(left_out("{\"decision\":-1,\"seat\":0,\"key\":\"a\"}"), "`decision` must be a whole number, 0 or more");
    assert_eq!(left_out("{\"decision\":1,\"seat\":9,\"key\":\"a\"}"), "there is no seat 9");
    assert_eq!(left_out("{\"undo\":{\"seat\":0,\"to\":1}}"), "entry 1 is not an answer that can be taken back");
    assert_eq!(left_out("{\"random\":1,\"result\":[\"x\"]}"), "`result` must be a list of whole numbers");
    assert_eq!(left_out("{\"withdraw\":2}"), "there is no seat 2");
}

#[test]
fn nothing_follows_the_outcome() {
    let (text, mut chain) = crate::recording::recording_text(&header(), &recording().entries, recording().ending.as_ref());
    let reading = read(text + chain.seal_line(&answer(3, 0, "hold").to_line()).as_str());
    assert_eq!(reading.notes[0].message.to_string(), "the last line is left out: no line may follow the outcome");
    assert_eq!(reading.recording, recording());
}

#[test]
fn deep_nesting_is_left_out() {
    let deep = format!("{}{}\n", Chain::default().seal_line(&header().to_line()), "[".repeat(100_000));
    assert_eq!(read(deep).notes.len(), 1);
    let deep = format!("{}{}\n", Header { format: FIRST_FORMAT, ..header() }.to_line(), "[".repeat(100_000));
    assert!(read(deep).notes[0].message.to_string().contains("this line is not JSON"));
}

#[test]
fn line_ends_of_windows_and_empty_lines_do_no_harm() {
    let windows = text(&recording()).replace('\n', "\r\n\r\n");
    assert_eq!(read(windows).recording, recording());
}

#[test]
fn the_commitment_can_be_checked_by_anybody() {
    // printf 7:5a17 | sha256sum
    assert_eq!(header().published_commitment(), "dd9a3a1a411400b8f85649592ddd10fd2143e5abaf0e945f1217ea7ded2fe89f");
}

#[test]
fn fresh_seeds_are_numbers_every_reader_of_json_holds() {
    let is_held = |seed| matches!(seed, Seed::Number(number) if number < 1 << 53);
    assert!((1..1000).all(|entry| is_held(fresh_seed(Seed::Number(7), entry))));
    assert_ne!(fresh_seed(Seed::Number(7), 1), fresh_seed(Seed::Number(7), 2));
    let key = Seed::Key([7; 32]);
    assert!(!fresh_seed(key, 1).is_foreseeable() && fresh_seed(key, 1) != fresh_seed(key, 2));
    assert_ne!(seed_of_bots(key), seed_of_bots(fresh_seed(key, 1)));
}

/// Two pick a number each in secret; a die is rolled when both have.
const PICKS: &str = "
sides 2
die sizes 6
type pick is one of low, high
each side has { counter points }
the table has { zone board: dice, open }
to play {
  create die(size: 6) in table.board for first of sides
  repeat at most 30000 times {
    each side in sides at once in secret must choose a pick as shown \"Low or high?\"
    roll table.board because \"a round\"
    each side in sides { if shown(side) is high { add sum of table.board.value to side.points } }
  } otherwise { finish with nobody \"enough\" }
}
";

fn started() -> RecordedSession {
    started_by(PICKS)
}

fn started_by(rules: &str) -> RecordedSession {
    let program = crate::testing::game(rules).program();
    let setup = crate::testing::setup(&[&[], &[]]);
    let header = Header::new(&program, &setup, header().seats, "5a17".to_string());
    RecordedSession::start(program, &setup, header).unwrap().0
}

fn pick(session: &mut RecordedSession, seat: usize, key: &str) {
    let decision = session.open_decisions().iter().find(|open| open.seat == seat).unwrap().id;
    session.answer_key(decision, key).unwrap();
}

/// As its own recording leads to.
fn again(session: &RecordedSession) -> RecordedSession {
    let reading = read(session.recording_text());
    let program = session.session().program().clone();
    let Recording { header, entries, ending } = reading.recording;
    let (mut replay, _) = Replay::start(&header, entries.into_iter(), program, None).unwrap();
    while replay.play_next().unwrap().is_some() {}
    replay.check_ending(ending.as_ref()).unwrap()
}

fn assert_same(one: &RecordedSession, other: &RecordedSession) {
    assert!(one.session().same_state(other.session()));
    assert_eq!((one.entries(), one.open_decisions()), (other.entries(), other.open_decisions()));
    assert_eq!(
        (one.possible_take_back(0), one.possible_take_back(1)),
        (other.possible_take_back(0), other.possible_take_back(1))
    );
}

#[test]
fn a_pick_that_others_wait_for_is_kept() {
    let mut session = started();
    pick(&mut session, 1, "choose(high)");
    assert_eq!(session.entries().len(), 1);
    assert_eq!(session.public_entry_count(), 0);
    let after = again(&session);
    assert_same(&after, &session);
    assert_eq!(after.open_decisions().iter().map(|open| open.seat).collect::<Vec<_>>(), [0]);
}

#[test]
fn a_withdrawn_pick_leads_nowhere() {
    let (mut one, mut other) = (started(), started());
    pick(&mut one, 0, "choose(high)");
    pick(&mut one, 1, "choose(low)");
    pick(&mut one, 1, "choose(high)");
    assert!(one.withdraw_pick(1).is_some());
    assert!(one.withdraw_pick(1).is_none());
    pick(&mut one, 1, "choose(low)");
    pick(&mut one, 0, "choose(low)");
    for (seat, key) in [(0, "choose(high)"), (1, "choose(low)"), (1, "choose(low)"), (0, "choose(low)")] {
        pick(&mut other, seat, key);
    }
    assert!(one.session().same_state(other.session()));
    assert_eq!(one.public_entry_count(), other.public_entry_count());
    // What is drawn after a take-back does not tell whether a pick was withdrawn.
    assert_eq!(one.possible_take_back(1).unwrap().seed, other.possible_take_back(1).unwrap().seed);
    let undo = one.possible_take_back(1).unwrap();
    one.carry_out_take_back(undo).unwrap();
    assert_same(&again(&one), &one);
}

#[test]
fn nothing_follows_the_end_of_play() {
    let mut session = started();
    session.apply_entry(&Entry::Resigned { resign: 0 }).unwrap();
    let wrong = session.apply_entry(&Entry::Resigned { resign: 1 }).unwrap_err();
    assert_eq!((wrong.expected.as_str(), wrong.found.as_str()), ("seat 1 gives up", "play is over"));
    assert_eq!(session.entries().len(), 1);
}

#[test]
fn only_the_first_line_may_be_very_long() {
    let long = format!("{{\"random\":1,\"result\":[{}1]}}\n", "1,".repeat(600_000));
    let first = text(&recording()).lines().next().unwrap().replace("\"ludex-recording\":2", "\"ludex-recording\":1");
    let reading = Recording::parse(SOURCE, format!("{first}\n{long}").as_bytes()).unwrap();
    assert!(reading.recording.entries.is_empty());
    assert!(reading.notes[0].message.to_string().ends_with("a line of 1200025 bytes is too long"), "{:?}", reading.notes);
}

#[test]
fn a_game_is_rewound_to_any_of_its_entries() {
    let mut session = started();
    let mut before = vec![session.clone()];
    for (seat, key) in [(0, "choose(high)"), (1, "choose(low)"), (1, "choose(high)"), (0, "choose(low)"), (0, "choose(high)")] {
        pick(&mut session, seat, key);
        before.push(session.clone());
    }
    session.withdraw_pick(0).unwrap();
    before.push(session.clone());
    let undo = session.possible_take_back(1).unwrap();
    session.carry_out_take_back(undo).unwrap();
    before.push(session.clone());
    session.resign(0);
    for (entries, expected) in before.iter().enumerate() {
        assert_same(&session.rewind_to(entries).unwrap(), expected);
    }
}

#[test]
fn take_backs_lead_where_answers_alone_would() {
    let mut session = started();
    let mut luck = crate::runtime::random::seeded_generator(3);
    let mut draw = |bound| crate::runtime::random::random_below(&mut luck, bound);
    for _ in 0..600 {
        let seat = draw(2) as usize;
        let is_open = session.open_decisions().iter().any(|open| open.seat == seat);
        match (draw(4), session.possible_take_back(seat)) {
            (0, _) if session.withdraw_pick(seat).is_some() => {}
            (0, Some(undo)) => drop(session.carry_out_take_back(undo).unwrap()),
            _ if is_open => pick(&mut session, seat, if draw(2) == 0 { "choose(low)" } else { "choose(high)" }),
            _ => {}
        }
    }
    assert!(session.entries().take_backs().count() > 50);
    assert_same(&again(&session), &session);
}

/// Going far back costs memory for a few sessions only, and each step no more than what it takes back.
#[test]
fn a_long_game_is_taken_back_answer_by_answer() {
    let mut session = started();
    for round in 0..1_500 {
        pick(&mut session, round % 2, "choose(low)");
        pick(&mut session, 1 - round % 2, "choose(high)");
    }
    let start = started();
    while let Some(undo) = session.possible_take_back(0) {
        session.carry_out_take_back(undo).unwrap();
        assert!(session.history.session_count() < 40, "{}", session.history.session_count());
    }
    assert_eq!(session.open_decisions(), start.open_decisions());
}

/// Somebody chooses two dice at once, round by round; one of them is counted.
const PAIRS: &str = "
sides 2
die sizes 6
each side has { counter points }
the table has { zone board: dice, open }
to play {
  repeat 3 times { create die(size: 6) in table.board for first of sides }
  repeat at most 30000 times {
    first of sides must choose 2 in table.board as pair else { finish with nobody \"no dice\" }
    if first of table.board in pair { add 1 to (first of sides).points }
  } otherwise { finish with nobody \"enough\" }
}
";

/// Going back plays answers again, of whatever form they are.
#[test]
fn answers_that_choose_several_are_there_after_a_take_back() {
    let mut session = started_by(PAIRS);
    let keys = ["choose(0+1)", "choose(1+2)", "choose(0+2)"];
    keys.iter().cycle().take(60).for_each(|key| pick(&mut session, 0, key));
    for _ in 0..20 {
        let undo = session.possible_take_back(0).unwrap();
        session.carry_out_take_back(undo).unwrap();
        let mut other = started_by(PAIRS);
        let left = session.entries_in_force().into_iter().filter(|entry| matches!(entry, Entry::Answer { .. })).count();
        keys.iter().cycle().take(left).for_each(|key| pick(&mut other, 0, key));
        assert_eq!(
            session.session().view(Viewer::Spectator).sides,
            other.session().view(Viewer::Spectator).sides,
            "{left} answers"
        );
    }
    assert_same(&again(&session), &session);
}

#[test]
fn an_answer_that_is_not_in_force_is_not_taken_back_again() {
    let mut session = started();
    for _ in 0..4 {
        pick(&mut session, 0, "choose(low)");
        pick(&mut session, 1, "choose(low)");
    }
    let back = |to| TakeBack { seat: 0, to, seed: Some(Seed::Number(5)), redeals: false };
    assert!(session.carry_out_take_back(back(3)).is_some());
    assert!(session.carry_out_take_back(back(5)).is_none());
    assert!(session.carry_out_take_back(back(9)).is_none(), "that is the take-back itself");
    assert!((0..3).all(|_| session.carry_out_take_back(back(3)).is_some()), "play stands where it was given");
    assert!(session.carry_out_take_back(back(1)).is_some());
    assert_same(&again(&session), &session);
}

/// A card is drawn, and the hand of the other is shown.
const DRAW: &str = "
sides 2
piece card (cards) shown as \"{number}\" { counter number in 1..40 }
each side has { zone hand: cards, seen by owner }
the table has { zone deck: cards, seen by nobody, in order }
to play {
  count n from 1 to 40 { create card(number: n) in deck }
  shuffle deck
  each side in sides { move top 4 of deck to side.hand }
  let me = first of sides
  repeat at most 30 times {
    me must choose number in 1..2 as now
    move top 1 of deck to me.hand
    show me.foe.hand to me
  } otherwise { finish with nobody \"enough\" }
}
";

/// A session of the first side, with what it sees after each of some take-backs.
fn drawn_again(players: [&str; 2], redeals: bool) -> (RecordedSession, Vec<String>) {
    let program = crate::testing::game(DRAW).program();
    let setup = crate::testing::setup(&[&[], &[]]);
    let seats = header().seats.into_iter().zip(players).map(|(seat, player)| SeatRecord { player: player.to_string(), ..seat });
    let header = Header::new(&program, &setup, seats.collect(), "5a17".to_string());
    let mut session = RecordedSession::start(program, &setup, header).unwrap().0;
    let mut seen = Vec::new();
    for _ in 0..8 {
        pick(&mut session, 0, "number(1)");
        let shown = session.session().view(Viewer::Seat(0)).sides.into_iter().map(|side| format!("{:?}", side.zones));
        seen.push(shown.collect::<Vec<_>>().join("\n"));
        let undo = session.possible_take_back(0).unwrap();
        assert!(undo.redeals);
        session.carry_out_take_back(TakeBack { redeals, ..undo }).unwrap();
    }
    assert_same(&again(&session), &session);
    (session, seen)
}

#[test]
fn what_nobody_has_seen_is_dealt_again_after_a_take_back() {
    let (_, seen) = drawn_again(["human", "random"], true);
    let different: std::collections::BTreeSet<&String> = seen.iter().collect();
    assert!(different.len() > 4, "{different:?}");
}

#[test]
fn what_was_dealt_again_cannot_be_told_from_the_start() {
    let way = |redeals: bool| {
        let (session, _) = drawn_again(["human", "random"], redeals);
        session.shortest_path(session.session().program().clone(), None).map_err(|problem| problem.message.to_string())
    };
    assert!(way(false).is_ok());
    assert_eq!(way(true).unwrap_err(), "hidden things were dealt again after an answer was taken back");
}

#[test]
fn the_hand_of_another_person_stays_theirs() {
    let hand = |session: &RecordedSession| format!("{:?}", session.session().view(Viewer::Seat(1)).sides[1].zones);
    let (one, _) = drawn_again(["human", "human"], true);
    let (other, _) = drawn_again(["human", "human"], false);
    assert_eq!(hand(&one), hand(&other));
    let (bots, _) = drawn_again(["human", "random"], true);
    assert_ne!(hand(&bots), hand(&other));
}

#[test]
fn recordings_from_before_it_was_dealt_again_go_on_as_they_were() {
    let (_, seen) = drawn_again(["human", "random"], false);
    assert!(seen.iter().all(|view| *view == seen[0]));
}

#[test]
fn whoever_goes_back_to_a_secret_pick_lets_all_pick_again() {
    let mut session = started();
    pick(&mut session, 1, "choose(high)");
    pick(&mut session, 0, "choose(low)");
    let undo = session.possible_take_back(0).unwrap();
    assert_eq!((undo.seat, undo.to), (0, 1));
    session.carry_out_take_back(undo).unwrap();
    assert_eq!(session.open_decisions().iter().map(|open| open.seat).collect::<Vec<_>>(), [0, 1]);
    assert_same(&again(&session), &session);
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_fail(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Recording::parse(SOURCE, &bytes);
    }

    #[test]
    fn no_damage_makes_the_reader_fail(at in 0usize..2000, byte: u8) {
        let mut bytes = text(&recording()).into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = Recording::parse(SOURCE, &bytes);
    }

    #[test]
    fn no_line_makes_the_reader_fail(line in "\\PC{0,200}") {
        let old = Header { format: FIRST_FORMAT, ..header() }.to_line();
        let _ = Recording::parse(SOURCE, format!("{old}{line}\n").as_bytes());
    }

    #[test]
    fn any_key_survives(key in "\\PC{0,40}") {
        let mut played = recording();
        played.entries[0] = answer(1, 0, &key);
        prop_assert_eq!(read(text(&played)).recording, played);
    }
}

#[test]
fn an_end_without_a_winner_may_be_recorded_as_it_was_called_before() {
    let mut session =
        started_by("sides 2\nto play { (first of sides) must choose number in 1..2 as now  finish with nobody \"so be it\" }");
    pick(&mut session, 0, "number(1)");
    assert!(session.recording_text().contains(r#""result":"nobody""#), "{}", session.recording_text());
    let program = session.session().program().clone();
    let ended = |result: &str| {
        let mut recording = read(session.recording_text()).recording;
        recording.ending.as_mut().expect("it has ended").outcome.result = result.to_string();
        replay_recording(&recording, program.clone(), None).map(|_| ()).map_err(|divergence| format!("{divergence:?}"))
    };
    assert_eq!(ended("capped"), Ok(()));
    assert!(ended("tie").is_err());
}

const TOSSES: &str = r#"sides 2
die sizes 1, 6
die stamp "stamp" with faces 7
the table has { zone bag: dice, open }
to play {
  create die(size: 1) in bag  create die(size: 6) in bag  create stamp() in bag
  roll 2 dice of size 1 as ones
  roll bag
  draw 1 in top 1 of bag at random as drawn
  (first of sides) must choose number in 1..2 as many
  roll bag
  finish with nobody "{sum of bag.value}"
}"#;

/// Written by the version before results that are certain stopped being asked for.
const OF_ALL_TOSSES: &str = r#"{"ludex-recording":2,"ludex":"0.1.0","generator":"pcg32","game":"tosses","mode":"standard","options":{},"package_hash":"7f0e30c2fb65e3812910a10326ffb05be168e10fe5cd07aeb781ca618fdbdea7","files":{"rules/tosses/tosses.ludex":"51ba12097c8f1e95102ec77d367562d73968a16ca364b0b16593f796a8a15f7c"},"sides":[[],[]],"seats":[{"seat":0,"side":0,"entrants":[],"player":"human"},{"seat":1,"side":1,"entrants":[],"player":"greedy"}],"names":["Player 1","Player 2"],"seed":3,"salt":"ca90caed118613ab2cff0d0e502e4d00","dice":"external","sum":"02b455af7afac9e1"}
{"random":1,"result":[1,1],"sum":"0e3c6567e7fb7b23"}
{"random":3,"result":[1,5,7],"sum":"4391f27ea733d4ee"}
{"random":6,"result":[1],"sum":"c2845b316907f1b1"}
{"decision":1,"seat":0,"key":"number(2)","sum":"4390063e32851670"}
{"random":7,"result":[1,6,7],"sum":"f5df69cae26dcb25"}
{"outcome":{"result":"nobody","winners":[]},"events":13,"digest":"970551463c443df3","sum":"7a200bfc4b07b7c1"}
"#;

#[test]
fn a_recording_that_lists_results_of_dice_with_one_face_is_played_to_its_end() {
    let ParsedRecording { recording, notes, .. } = read(OF_ALL_TOSSES);
    assert!(notes.is_empty(), "{notes:?}");
    let program = crate::testing::game(TOSSES).program();
    let session = replay_recording(&recording, program.clone(), None).unwrap_or_else(|gone| panic!("{gone}"));
    assert!(matches!(session.pending(), Pending::Finished(_)));

    // Without its last throw and its end it goes on, and still asks for all results.
    let cut = recording.entries.len() - 1;
    let (mut going_on, _) = Replay::start(&recording.header, recording.entries.into_iter().take(cut), program, None).unwrap();
    while going_on.play_next().unwrap().is_some() {}
    let mut going_on = going_on.check_ending(None).unwrap();
    assert_eq!(asked_for(&going_on), [1, 6, 1]);
    going_on.supply(&[1, 2, 7]).unwrap();
    assert_same(&going_on, &again(&going_on));
}

#[test]
fn a_new_recording_of_real_dice_lists_only_results_that_could_be_others() {
    let program = crate::testing::game(TOSSES).program();
    let setup = Setup { dice: Dice::External, ..crate::testing::setup(&[&[], &[]]) };
    let header = Header::new(&program, &setup, header().seats, "5a17".to_string());
    let mut session = RecordedSession::start(program, &setup, header).unwrap().0;
    assert_eq!(asked_for(&session), [6]);
    session.supply(&[5]).unwrap();
    pick(&mut session, 0, "number(2)");
    session.supply(&[6]).unwrap();
    assert_eq!(session.entries().len(), 3, "{}", session.recording_text());
    assert!(session.recording_text().contains(r#""dice":"thrown""#), "{}", session.recording_text());
    assert_same(&session, &again(&session));
}

/// How many results each draw has that is asked for.
fn asked_for(session: &RecordedSession) -> Vec<i64> {
    match session.session().pending() {
        Pending::Random(request) => request.draws.iter().map(|draw| draw.size).collect(),
        _ => Vec::new(),
    }
}
