//! How fast the shipped rules play, held against the same game written straight into Rust.
//!
//! Both play random matches in turn, in one thread and in one run; what counts is processor time, and the ratio of
//! medians. Run it with `cargo bench --bench speed`, or with `-- ROUNDS` for more rounds than nine.

mod native;

use ludex_engine::library::{File, Library, Wanted};
use ludex_engine::program::Program;
use ludex_engine::runtime::random::{below, derive, generator};
use ludex_engine::runtime::{Choice, Dice, Form, Pending, Session, Setup};
use native::SideDice;
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::sync::Arc;

/// Matches of one measurement: of the rules, and of the native program.
const MATCHES: u64 = 4_000;
const NATIVE_MATCHES: u64 = 40_000;

/// Pairings with abilities; the first two sheets have abilities that are never used without them.
const PAIRINGS: [(&str, &str); 6] = [
    ("sailor-mercury", "kunzite"),
    ("kunzite", "kunzite"),
    ("tuxedo-mask", "tuxedo-mask"),
    ("luna-and-artemis", "queen-beryl"),
    ("droids", "wiseman"),
    ("sailor-moon", "prince-dimande"),
];

fn main() {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(9usize).max(1);
    let program = compile();
    let mut contests = vec![Contest::new(&program, "plain-a", "plain-b")];
    contests.extend(PAIRINGS.iter().map(|(one, other)| Contest::new(&program, one, other)));
    let mut native = Vec::new();
    for round in 0..rounds {
        native.push(time_native(round as u64));
        contests.iter_mut().for_each(|contest| contest.measure(round as u64));
    }
    let reference = median(&mut native);
    println!("native: {:.0} matches a second of processor time (median of {rounds})", reference);
    let mut product = 1.0;
    for (index, contest) in contests.iter_mut().enumerate() {
        let ratio = median(&mut contest.speeds) / reference;
        println!("{:<34} {:>9.0} matches a second, ratio {ratio:.3}", contest.name, median(&mut contest.speeds));
        if index > 0 {
            product *= ratio;
        }
    }
    println!("with abilities, geometric mean: {:.3}", f64::powf(product, 1.0 / PAIRINGS.len() as f64));
}

struct Contest {
    name: String,
    session: Session,
    speeds: Vec<f64>,
}

impl Contest {
    fn new(program: &Arc<Program>, one: &str, other: &str) -> Contest {
        let setup = Setup {
            sides: vec![vec![one.to_string()], vec![other.to_string()]],
            seed: 1,
            dice: Dice::Seeded,
            position: None,
            watched: false,
        };
        let session = Session::start(Arc::clone(program), &setup).expect("the bundled characters play");
        Contest { name: format!("{one} against {other}"), session, speeds: Vec::new() }
    }

    fn measure(&mut self, round: u64) {
        let before = processor_time();
        for index in 0..MATCHES {
            play(&mut self.session, derive(round, index));
        }
        self.speeds.push(MATCHES as f64 / (processor_time() - before));
    }
}

/// One match in which every answer is drawn from all that may be given.
fn play(session: &mut Session, seed: u64) {
    session.restart(seed).expect("play begins again");
    let mut chance = generator(derive(seed, 0));
    loop {
        let Pending::Decisions([decision, ..]) = session.pending() else { return };
        let choice = match decision.form {
            Form::One => Choice::Option(u64::from(below(&mut chance, decision.count as u32))),
            Form::Some { min, .. } => {
                let mask = below(&mut chance, 1 << decision.count.min(16));
                let chosen: Vec<u64> = (0..decision.count).filter(|index| mask >> index & 1 == 1).collect();
                Choice::Options(if (chosen.len() as u64) < min { (0..min).collect() } else { chosen })
            }
            Form::Number { min, .. } => Choice::Number(min),
        };
        let id = decision.id;
        session.choose(id, choice).expect("a listed option is legal");
    }
}

fn time_native(seed: u64) -> f64 {
    let sides = [
        SideDice { starting: &[8, 8, 10, 20], reserve: &[6, 10, 12, 20] },
        SideDice { starting: &[8, 10, 20, 20], reserve: &[8, 10, 12, 12] },
    ];
    let before = processor_time();
    let tally = native::play(&sides, NATIVE_MATCHES, seed + 1);
    assert!(tally.matches == NATIVE_MATCHES && tally.turns > 0);
    NATIVE_MATCHES as f64 / (processor_time() - before)
}

/// Seconds of processor time that this process has taken.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The shipped game, with two characters that have the reference dice and no abilities.
fn compile() -> Arc<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["rules", "characters", "scripts"] {
        let path = root.join(folder).join("dice-challenge");
        let mut names: Vec<_> =
            std::fs::read_dir(&path).expect("the bundled library").flatten().map(|entry| entry.path()).collect();
        names.sort();
        for name in names.into_iter().filter(|name| name.is_file()) {
            let text = std::fs::read_to_string(&name).expect("a bundled file");
            let stem = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push(File { path: format!("{folder}/dice-challenge/{stem}"), text, library: "bundled".to_string() });
        }
    }
    for (name, starting, reserve) in
        [("plain-a", "[8, 8, 10, 20]", "[6, 10, 12, 20]"), ("plain-b", "[8, 10, 20, 20]", "[8, 10, 12, 12]")]
    {
        let text = format!("name: {name}\nstarting: {starting}\nreserve: {reserve}\n");
        files.push(File { path: format!("characters/dice-challenge/{name}.yaml"), text, library: "bundled".to_string() });
    }
    let (library, problems) = Library::new(files);
    let (program, more) = library.compile("dice-challenge", &Wanted::default());
    Arc::new(program.unwrap_or_else(|| panic!("the bundled game compiles: {problems:?} {more:?}")))
}
