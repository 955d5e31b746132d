//! A table that is told lines of JSON: each has its reply, and one that is refused changes nothing.

use super::game;
use super::with_room;
use ludex::fuzzing::{Heard, Others, Setting, Table};
use ludex_engine::recording::{Recording, replay_recording};
use ludex_engine::source::SourceId;
use serde_json::Value;

/// So many lines are read.
const MOST_LINES: usize = 60;

/// The first line tells with the words `bots`, `typed`, `trusted` and `alone` how the table is set; every other is said to it.
pub fn protocol(input: &[u8]) {
    with_room(|| {
        let mut lines = input.split(|byte| *byte == b'\n');
        let setting = setting(&String::from_utf8_lossy(lines.next().unwrap_or_default()));
        let mut table = Table::new(game::program(), setting.clone()).expect("the pond can be played");
        for line in lines.take(MOST_LINES) {
            let Some(heard) = table.pass_line(line) else { break };
            heard.told.iter().chain(&heard.replies).for_each(|sent| is_addressed(sent, &setting));
            is_answered(line, &heard);
            if heard.left {
                break;
            }
        }
        is_recorded(&table);
    });
}

fn setting(words: &str) -> Setting {
    let says = |word: &str| words.split_whitespace().any(|said| said == word);
    Setting {
        sides: vec![vec!["otter".to_string()], vec!["heron".to_string()]],
        others: if says("bots") { Others::Random } else { Others::Outside },
        typed: says("typed"),
        trusted: says("trusted"),
        as_seat: says("alone").then_some(0),
    }
}

/// Every line that is sent has a type, and is for those that it may be for.
fn is_addressed(sent: &Value, setting: &Setting) {
    assert!(sent["type"].is_string(), "{sent}");
    if setting.as_seat.is_some() {
        // Who else gets it is nobody's business.
        assert!(sent.get("to").is_none(), "{sent}");
        return;
    }
    let to: Vec<u64> = match &sent["to"] {
        Value::String(all) if all == "all" => return,
        to => to.as_array().expect("a list of seats").iter().filter_map(Value::as_u64).collect(),
    };
    assert!(!to.is_empty() && to.iter().all(|seat| *seat < 2), "{sent}");
}

fn is_answered(line: &[u8], heard: &Heard) {
    let types: Vec<&str> = heard.replies.iter().filter_map(|sent| sent["type"].as_str()).collect();
    let shown = || format!("{}\n{:#?}", String::from_utf8_lossy(line), heard.replies);
    if std::str::from_utf8(line).is_ok_and(|line| line.trim().is_empty()) {
        assert!(types.is_empty() && !heard.changed, "{}", shown());
    } else if types.contains(&"rejected") {
        assert!(types.len() == 1 && !heard.changed, "{}", shown());
        assert!(heard.replies[0]["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{}", shown());
    } else {
        // What has happened is told before the next line is read.
        let known = ["view", "state", "accepted", "consent", "hello", "decision", "random"];
        assert!(types.iter().all(|sent| known.contains(sent)), "{}", shown());
        assert!(serde_json::from_slice::<Value>(line).is_ok_and(|line| line.is_object()), "{}", shown());
    }
}

/// The recording of what was played leads to where play stands.
fn is_recorded(table: &Table) {
    let text = table.recording();
    let reading = Recording::parse(SourceId(0), text.as_bytes()).expect("a recording");
    assert_eq!(reading.notes, [], "{text}");
    let session = replay_recording(&reading.recording, game::program(), None);
    let session = session.unwrap_or_else(|divergence| panic!("{divergence:?}\n{text}"));
    assert!(session.same_state(table.session()), "{text}");
}
