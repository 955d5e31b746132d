use super::*;
use crate::program::Parent;
use crate::source::SourceId;
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
        generator: GENERATOR.into(),
        game: "pig".into(),
        mode: "standard".into(),
        options: serde_json::from_str(r#"{"goal":100,"begins":"first"}"#).unwrap(),
        package_hash: "00ff".into(),
        parents: Vec::new(),
        files: BTreeMap::from([("rules/pig/pig.ludex".to_string(), "aa".to_string())]),
        sides: vec![vec!["ann".into()], vec!["bob".into()]],
        seats: vec![seat(0, "ann"), seat(1, "bob")],
        position: None,
        entry: None,
        seed: 7,
        salt: "5a17".into(),
        dice: DiceRecord::Seeded,
    }
}

fn answer(decision: u64, seat: usize, key: &str) -> Entry {
    Entry::Answer { decision, seat, key: key.to_string() }
}

fn recording() -> Recording {
    let undo = TakeBack { seat: 1, to: 2, seed: Some(12) };
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
            outcome: OutcomeRecord { result: "abandoned".into(), winners: vec![0] },
            events: 12,
            digest: "0123456789abcdef".into(),
        }),
    }
}

fn text(recording: &Recording) -> String {
    let mut text = recording.header.to_line();
    text.extend(recording.entries.iter().map(Entry::to_line));
    text.extend(recording.ending.iter().map(Ending::to_line));
    text
}

fn refused(bytes: &[u8]) -> String {
    Recording::parse(SOURCE, bytes).expect_err("this should be refused").message
}

fn with_line(line: &str) -> String {
    format!("{}{line}\n", header().to_line())
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let (read, notes) = Recording::parse(SOURCE, text(&recording()).as_bytes()).unwrap();
    assert_eq!(read, recording());
    assert!(notes.is_empty());
}

#[test]
fn the_lines_are_those_of_the_format() {
    insta::assert_snapshot!(text(&recording()), @r#"
    {"ludex-recording":1,"ludex":"0.1.0","generator":"pcg32","game":"pig","mode":"standard","options":{"goal":100,"begins":"first"},"package_hash":"00ff","files":{"rules/pig/pig.ludex":"aa"},"sides":[["ann"],["bob"]],"seats":[{"seat":0,"side":0,"entrants":["ann"],"player":"human"},{"seat":1,"side":1,"entrants":["bob"],"player":"human"}],"seed":7,"salt":"5a17","dice":"seeded"}
    {"decision":1,"seat":0,"key":"hold"}
    {"decision":2,"seat":1,"key":"choose(1+2)"}
    {"random":1,"result":[6,2]}
    {"undo":{"seat":1,"to":2,"seed":12}}
    {"resign":1}
    {"outcome":{"result":"abandoned","winners":[0]},"events":12,"digest":"0123456789abcdef"}
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
    assert_eq!(Recording::parse(SOURCE, line.as_bytes()).unwrap().0.header, header);
}

#[test]
fn a_torn_last_line_is_dropped_with_a_note() {
    let whole = text(&recording());
    let start = whole.lines().next().unwrap().len() + 1;
    for end in start..whole.len() {
        let (read, notes) = Recording::parse(SOURCE, &whole.as_bytes()[..end]).unwrap();
        assert!(recording().entries.starts_with(&read.entries));
        assert!(notes.len() <= 1);
    }
    let (_, notes) = Recording::parse(SOURCE, &whole.as_bytes()[..whole.len() - 10]).unwrap();
    assert_eq!(notes[0].message, "the last line was cut off while it was written, and is left out");
    assert_eq!(notes[0].labels[0].1, "line 7");
}

#[test]
fn a_character_cut_in_two_is_a_torn_line() {
    let mut bytes = header().to_line().into_bytes();
    bytes.extend_from_slice(b"{\"decision\":1,\"seat\":0,\"key\":\"\xe2\x82");
    let (read, notes) = Recording::parse(SOURCE, &bytes).unwrap();
    assert!(read.entries.is_empty());
    assert_eq!(notes.len(), 1);
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
    let problem = Recording::parse(SOURCE, b"{\"ludex-recording\":2}\n").unwrap_err();
    assert_eq!(problem.message, "recordings of format 2 cannot be read");
    assert!(problem.help.unwrap().contains("reads format 1"));
}

#[test]
fn a_bad_line_is_told_with_its_number() {
    let problem = Recording::parse(SOURCE, with_line("{\"decision\":1,\"seat\":0}").as_bytes()).unwrap_err();
    assert_eq!(problem.message, "`key` must be the key of an option, as text");
    assert_eq!(problem.labels[0].1, "line 2");
    assert_eq!(
        refused(with_line("{\"decision\":-1,\"seat\":0,\"key\":\"a\"}").as_bytes()),
        "`decision` must be a whole number, 0 or more"
    );
    assert_eq!(refused(with_line("{\"decision\":1,\"seat\":9,\"key\":\"a\"}").as_bytes()), "there is no seat 9");
    assert_eq!(refused(with_line("{\"undo\":{\"seat\":0,\"to\":1}}").as_bytes()), "there is no answer number 1 to go back to");
    assert_eq!(refused(with_line("{\"random\":1,\"result\":[\"x\"]}").as_bytes()), "`result` must be a list of whole numbers");
}

#[test]
fn nothing_follows_the_outcome() {
    let more = format!("{}{}", text(&recording()), answer(3, 0, "hold").to_line());
    assert_eq!(refused(more.as_bytes()), "nothing may follow the outcome");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = with_line(&"[".repeat(100_000));
    assert!(refused(deep.as_bytes()).starts_with("this line is not JSON"));
}

#[test]
fn line_ends_of_windows_and_empty_lines_do_no_harm() {
    let windows = text(&recording()).replace('\n', "\r\n\r\n");
    assert_eq!(Recording::parse(SOURCE, windows.as_bytes()).unwrap().0, recording());
}

#[test]
fn the_commitment_can_be_checked_by_anybody() {
    // printf 7:5a17 | sha256sum
    assert_eq!(header().commitment(), "dd9a3a1a411400b8f85649592ddd10fd2143e5abaf0e945f1217ea7ded2fe89f");
}

#[test]
fn fresh_seeds_are_numbers_every_reader_of_json_holds() {
    assert!((1..1000).all(|entry| fresh_seed(7, entry) < 1 << 53));
    assert_ne!(fresh_seed(7, 1), fresh_seed(7, 2));
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
        let _ = Recording::parse(SOURCE, with_line(&line).as_bytes());
    }

    #[test]
    fn any_key_survives(key in "\\PC{0,40}") {
        let mut played = recording();
        played.entries[0] = answer(1, 0, &key);
        let (read, _) = Recording::parse(SOURCE, text(&played).as_bytes()).unwrap();
        prop_assert_eq!(read, played);
    }
}
