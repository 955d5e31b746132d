//! Recordings: whatever a file holds, what is sound of it is read, written again as it was, and played.

use super::game;
use super::problems::{are_sound, is_sound};
use super::with_room;
use ludex_engine::program::Program;
use ludex_engine::recording::{Chain, FORMAT, ParsedRecording, Recording, recording_text, replay_recording};
use ludex_engine::source::{SourceId, Sources};
use std::sync::Arc;

/// A file as it stands, and its lines with the checksums that they should have.
pub fn recordings(input: &[u8]) {
    with_room(|| {
        read(input);
        read(sealed(input).as_bytes());
    });
}

/// The lines with new checksums: chance would never find them.
fn sealed(input: &[u8]) -> String {
    let mut chain = Chain::default();
    let plain = |line: &str| line.split_once(",\"sum\":").map_or(line.to_string(), |(line, _)| format!("{line}}}"));
    String::from_utf8_lossy(input).lines().map(|line| chain.seal_line(&plain(line))).collect()
}

fn read(bytes: &[u8]) {
    let mut sources = Sources::default();
    let source = sources.add("input.ludexrec", String::from_utf8_lossy(bytes));
    match Recording::parse(source, bytes) {
        Ok(reading) => {
            // Places are in the bytes of the file, which are those of the text only if it is one.
            if std::str::from_utf8(bytes).is_ok() {
                are_sound(&reading.notes, &sources);
            }
            is_read_again(&reading);
            is_salvaged(bytes, &reading.recording);
            plays(&reading.recording, &game::program());
        }
        Err(problem) if std::str::from_utf8(bytes).is_ok() => is_sound(&problem, &sources),
        Err(_) => {}
    }
}

/// What is written is what was read, and nothing of it is left out.
fn is_read_again(reading: &ParsedRecording) {
    let Recording { mut header, entries, ending } = reading.recording.clone();
    header.format = FORMAT;
    let (written, chain) = recording_text(&header, &entries, ending.as_ref());
    let again = Recording::parse(SourceId(0), written.as_bytes()).expect("what was written is read");
    assert_eq!(again.notes, []);
    assert_eq!(again.chain, Some(chain));
    assert_eq!(again.recording, Recording { header, entries, ending });
}

/// Of a file that was cut off, everything up to there is read.
fn is_salvaged(bytes: &[u8], whole: &Recording) {
    let Ok(reading) = Recording::parse(SourceId(0), &bytes[..bytes.len() / 2]) else { return };
    let part = reading.recording;
    assert_eq!(part.header, whole.header);
    // Where a line is damaged, the cut may leave what is sound of it.
    let (first, second) = (&whole.entries, &part.entries);
    assert!(first.starts_with(second) || second.starts_with(first) || part.ending.is_some());
    assert!(part.ending.is_none() || part.ending == whole.ending);
}

/// What can be played again is written down as it is played, and that is played again to the same state.
fn plays(recording: &Recording, program: &Arc<Program>) {
    let Ok(session) = replay_recording(recording, program.clone(), None) else { return };
    assert_eq!(session.verify_state(), Ok(()));
    let again = replay_recording(recording, program.clone(), None).expect("what was played is played again");
    assert!(session.same_state(&again), "played again it goes another way");
}
