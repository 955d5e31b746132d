//! Damages recordings, reads them, and replays the sound part.
//!
//! From a sealed recording, only original content may be read; nothing before the damage may be lost, and the rest must replay. A
//! recording of the first format, and one sealed again after the damage, may contain anything, but must do no harm.

use super::changes::{flip, one_of, renumber, shift, some};
use super::games;
use super::originals::{Original, originals};
use super::peak::peak;
use super::tally::{MOST_MEMORY, MOST_TIME, Tally};
use super::waiting::waited;
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, Library};
use ludex_engine::program::Program;
use ludex_engine::recording::{Chain, Header, ParsedRecording, Recording, Replay};
use ludex_engine::runtime::random::{Generator, derive_seed, seeded_generator};
use ludex_engine::source::SourceId;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// The results for damaged recordings.
#[derive(Debug, Default)]
struct Counts {
    /// No longer a recording.
    refused: u64,
    /// Replayed up to the damage.
    played: u64,
    /// Sound lines, but not the game that was played.
    diverged: u64,
    entries: u64,
}

/// Damages `count` recordings, starting with number `first`.
pub fn run(first: u64, count: u64) -> Tally {
    let library = games::library();
    let originals = originals(&library);
    let (mut tally, mut counts) = (Tally::default(), Counts::default());
    // Sound recordings take memory, too.
    for original in &originals {
        let judge = Judge { original, originals: &originals, library: &library, is_sealed: original.is_sealed() };
        judge.judge(&original.text, &mut counts).unwrap_or_else(|wrong| panic!("{}: {wrong}", original.name));
    }
    counts = Counts::default();
    let baseline = peak(std::process::id());
    for index in first..first + count {
        let luck = &mut seeded_generator(derive_seed(index, 15));
        let original = one_of(luck, &originals);
        let (text, is_sealed) = damaged(original, &originals, luck);
        let (own, begun) = (std::process::id(), Instant::now());
        let before = waited(own);
        let judge = Judge { original, originals: &originals, library: &library, is_sealed };
        let judged = catch_unwind(AssertUnwindSafe(|| judge.judge(&text, &mut counts)));
        // Time lost to other work on the machine does not count.
        let time = begun.elapsed().saturating_sub(waited(own).saturating_sub(before));
        tally.longest = tally.longest.max(time);
        match judged {
            Ok(Ok(())) if time <= MOST_TIME => {}
            Ok(Ok(())) => tally.wrong(format!("damage {index} of {}: it takes {time:.1?}", original.name)),
            Ok(Err(wrong)) => tally.wrong(format!("damage {index} of {}: {wrong}", original.name)),
            Err(_) => tally.wrong(format!("damage {index} of {}: a panic", original.name)),
        }
    }
    tally.memory = peak(std::process::id()).saturating_sub(baseline);
    if tally.memory > MOST_MEMORY {
        tally.wrong("too much memory".to_string());
    }
    let Counts { refused, played, diverged, entries } = counts;
    println!("{count} recordings damaged: {refused} refused, {played} played again ({entries} entries), {diverged} diverged");
    tally
}

/// The known facts about a text that may be damaged.
struct Judge<'o> {
    original: &'o Original,
    originals: &'o [Original],
    library: &'o Library,
    /// Whether its checksums reveal the damage.
    is_sealed: bool,
}

impl Judge<'_> {
    /// Reads and replays the text. The error describes what is wrong with the result.
    fn judge(&self, text: &[u8], counts: &mut Counts) -> Result<(), String> {
        let Ok(ParsedRecording { recording, .. }) = Recording::parse(SourceId(0), text) else {
            counts.refused += 1;
            let is_known = self.is_sealed && sound_lines(self.original, text) > 0;
            return if is_known { Err("its first line is sound, and it is refused".to_string()) } else { Ok(()) };
        };
        if self.is_sealed {
            compare(self.begun(&recording.header)?, text, &recording)?;
        }
        // The game of a changed first line may be another one, or none.
        let own = self.begun(&recording.header).map(|original| original.program.clone()).ok();
        let Some(program) = own.or_else(|| program(self.library, &recording.header)) else { return Ok(()) };
        match play_again(&recording, program) {
            Ok(entries) => {
                counts.played += 1;
                counts.entries += entries as u64;
            }
            Err(diverged) if self.is_sealed => return Err(diverged),
            Err(_) => counts.diverged += 1,
        }
        Ok(())
    }

    /// The recording with this first line. It is another one if its first line was copied into this one.
    fn begun(&self, header: &Header) -> Result<&Original, String> {
        let mut all = std::iter::once(self.original).chain(self.originals);
        all.find(|original| original.recording.header == *header).ok_or("a first line is read that nobody wrote".to_string())
    }
}

/// Checks that the lines read are a prefix of the original, at least up to the damage.
fn compare(original: &Original, text: &[u8], read: &Recording) -> Result<(), String> {
    let entries = &original.recording.entries;
    let least = sound_lines(original, text).saturating_sub(1).min(entries.len());
    match () {
        () if read.entries.len() < least => Err(format!("{} entries of {least} sound ones are read", read.entries.len())),
        () if !entries.starts_with(&read.entries) => Err("it has an answer that nobody gave".to_string()),
        () if read.ending.is_some() && (&read.ending, &read.entries) != (&original.recording.ending, entries) => {
            Err("it has another end".to_string())
        }
        () => Ok(()),
    }
}

/// Number of complete lines before the first difference.
fn sound_lines(original: &Original, text: &[u8]) -> usize {
    let same = original.text.iter().zip(text).take_while(|(one, other)| one == other).count();
    text[..same].iter().filter(|byte| **byte == b'\n').count()
}

fn play_again(recording: &Recording, program: Arc<Program>) -> Result<usize, String> {
    let diverged = |divergence: ludex_engine::recording::Divergence| divergence.to_string();
    let (mut replay, _) = Replay::start(&recording.header, recording.entries.iter().cloned(), program, None).map_err(diverged)?;
    while replay.play_next().map_err(diverged)?.is_some() {}
    Ok(replay.check_ending(recording.ending.as_ref()).map_err(diverged)?.entries().len())
}

/// The game that a first line names, if it still exists.
pub fn program(library: &Library, header: &Header) -> Option<Arc<Program>> {
    let wanted = CompileRequest { mode: Some(header.mode.clone()), options: header.option_texts(), open: false };
    let known = library.game_ids().contains(&header.game);
    let (program, problems) = if known { library.compile(&header.game, &wanted) } else { (None, Vec::new()) };
    program.filter(|_| !problems.iter().any(|problem| problem.is_error())).map(Arc::new)
}

// --- damage ---------------------------------------------------------------------------

/// A recording with up to three kinds of damage, and whether its checksums still reveal it.
fn damaged(original: &Original, others: &[Original], luck: &mut Generator) -> (Vec<u8>, bool) {
    let mut lines: Vec<Vec<u8>> = original.text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    for _ in 0..=some(luck, 3) {
        damage(&mut lines, others, luck);
    }
    match original.is_sealed() && some(luck, 3) == 0 {
        true => (sealed_anew(&lines), false),
        false => (lines.concat(), original.is_sealed()),
    }
}

fn damage(lines: &mut Vec<Vec<u8>>, others: &[Original], luck: &mut Generator) {
    let (at, other) = (some(luck, lines.len()), some(luck, lines.len()));
    if lines.is_empty() {
        return;
    }
    match some(luck, 9) {
        0 => lines.swap(at, other),
        1 => drop(lines.remove(at)),
        2 => lines.insert(at, lines[other].clone()),
        3 => lines[at] = line_of(one_of(luck, others), luck),
        4 => lines.insert(at, line_of(one_of(luck, others), luck)),
        5 => lines[at] = renumber(&String::from_utf8_lossy(&lines[at]), luck).into_bytes(),
        6 => lines.truncate(at + 1),
        7 => shift(&mut lines[at], luck),
        _ => flip(&mut lines[at], luck),
    }
}

fn line_of(original: &Original, luck: &mut Generator) -> Vec<u8> {
    let lines: Vec<&[u8]> = original.text.split_inclusive(|byte| *byte == b'\n').collect();
    one_of(luck, &lines).to_vec()
}

/// Seals the lines again, as an attacker could who knows the method.
fn sealed_anew(lines: &[Vec<u8>]) -> Vec<u8> {
    let mut chain = Chain::default();
    let unsealed = |line: &[u8]| {
        let line = String::from_utf8_lossy(line).trim_end().to_string();
        line.rsplit_once(",\"sum\":").map_or(line.clone(), |(open, _)| format!("{open}}}"))
    };
    lines.iter().flat_map(|line| chain.seal_line(&unsealed(line)).into_bytes()).collect()
}
