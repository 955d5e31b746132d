//! Undamaged recordings.

use super::changes::some;
use super::games::{PLAYS, Play};
use ludex_engine::library::Library;
use ludex_engine::program::Program;
use ludex_engine::recording::{FIRST_FORMAT, Header, RecordedSession, Recording, SeatRecord};
use ludex_engine::runtime::policy::default_answer;
use ludex_engine::runtime::random::{Generator, derive_seed, random_below, seeded_generator};
use ludex_engine::runtime::{Choice, Form};
use ludex_engine::source::SourceId;
use std::path::Path;
use std::sync::Arc;

/// Maximum number of entries in a game.
const MOST_ENTRIES: usize = 120;
/// Number of games of each line-up.
const GAMES_OF_EACH: u64 = 4;

/// An undamaged recording.
pub struct Original {
    pub name: String,
    pub text: Vec<u8>,
    pub recording: Recording,
    pub program: Arc<Program>,
}

impl Original {
    fn new(name: String, text: Vec<u8>, program: Arc<Program>) -> Original {
        let reading = Recording::parse(SourceId(0), &text).expect("it is a recording");
        assert!(reading.notes.is_empty(), "{name} is damaged: {:?}", reading.notes);
        Original { name, text, recording: reading.recording, program }
    }

    /// Whether its lines have checksums.
    pub fn is_sealed(&self) -> bool {
        self.recording.header.format != FIRST_FORMAT
    }
}

/// The stored recordings of format 1, and new ones of every game.
pub fn originals(library: &Library) -> Vec<Original> {
    let mut originals = of_first_format(library);
    for play in PLAYS {
        let program = play.compile(library);
        originals.extend((0..GAMES_OF_EACH).map(|seed| {
            let text = recorded(play, &program, seed).into_bytes();
            Original::new(format!("{}, game {seed}", play.name()), text, program.clone())
        }));
    }
    originals
}

fn of_first_format(library: &Library) -> Vec<Original> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recordings-1");
    let files = std::fs::read_dir(folder).expect("they are kept").flatten();
    let original = |path: &Path| {
        let text = std::fs::read(path).expect("it can be read");
        let program = super::recordings::program(library, &Recording::parse(SourceId(0), &text).ok()?.recording.header)?;
        Some(Original::new(path.file_name()?.to_string_lossy().into_owned(), text, program))
    };
    let mut found: Vec<Original> = files.filter_map(|file| original(&file.path())).collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// Records a game with random answers, some of which are taken back.
fn recorded(play: &Play, program: &Arc<Program>, seed: u64) -> String {
    let setup = play.setup(seed);
    let mut luck = seeded_generator(derive_seed(seed, 15));
    let seat = |(seat, entrants): (usize, &Vec<String>)| {
        let (entrants, player) = (entrants.clone(), "stdin".to_string());
        SeatRecord { seat, side: Some(seat), entrants, player }
    };
    let mut seats: Vec<SeatRecord> = setup.sides.iter().enumerate().map(seat).collect();
    if program.referee.is_some() {
        seats.push(SeatRecord { seat: seats.len(), side: None, entrants: Vec::new(), player: "auto".into() });
    }
    let header = Header::new(program, &setup, seats, "5a17".into());
    let (mut recorded, _) = RecordedSession::start(program.clone(), &setup, header).expect("it starts");
    while recorded.ending().is_none() && recorded.entries().len() < MOST_ENTRIES {
        while recorded.answer_forced().is_some() {}
        answer(&mut recorded, &mut luck);
    }
    recorded.recording_text()
}

fn answer(recorded: &mut RecordedSession, luck: &mut Generator) {
    let open = recorded.open_decisions();
    let Some(decision) = open.get(some(luck, open.len())).cloned() else { return };
    let undo = recorded.possible_take_back(decision.seat).filter(|_| random_below(luck, 12) == 0);
    match undo {
        Some(undo) => drop(recorded.carry_out_take_back(undo)),
        None if random_below(luck, 12) == 0 && recorded.withdraw_pick(decision.seat).is_some() => {}
        None => {
            let choice = match decision.form {
                Form::One => Choice::Option(u64::from(random_below(luck, decision.count.clamp(1, 1 << 20) as u32))),
                _ => default_answer(recorded.session(), &decision),
            };
            recorded.answer_decision(decision.id, choice).expect("what is offered can be chosen");
        }
    }
}
