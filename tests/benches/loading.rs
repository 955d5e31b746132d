//! Whether loading is linear: each kind of library that is made to be slow, in one size and in twice that.
//!
//! What is printed is the processor time of both and their ratio: about 2 is linear, 4 is quadratic. Very short times say
//! little. A package is read with all that it extends, so twice as many packages in a row are four times as many lines to read,
//! and a package that names all those before it grows with their number. Run it with `cargo bench --bench loading`, or with
//! `-- WORDS` for the kinds whose names hold one of them.

#[path = "../hostile_libraries/inputs.rs"]
mod inputs;

use inputs::{File as Input, KINDS, Kind};
use ludex_engine::Compile;
use ludex_engine::library::{CompileRequest, File, Library};
use rustix::time::{ClockId, clock_gettime};

/// The larger library is one in so many parts of what is far beyond what anybody writes: within the limits of a library,
/// as far as one file goes.
const PART: usize = 16;
const ROUNDS: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |kind: &&Kind| words.is_empty() || words.iter().any(|word| kind.name.contains(word.as_str()));
    for kind in KINDS.iter().filter(wanted) {
        let size = (kind.large / PART / 2).max(1);
        let (once, twice) = (shortest(kind, size), shortest(kind, size * 2));
        println!("{:>9.2} ms {:>9.2} ms  {:>5.2}  {} ({size}, {})", once * 1e3, twice * 1e3, twice / once, kind.name, size * 2);
    }
}

/// The shortest of some times: whatever disturbs makes it longer.
fn shortest(kind: &Kind, size: usize) -> f64 {
    (0..ROUNDS).map(|_| loading(&(kind.files)(size))).fold(f64::INFINITY, f64::min)
}

/// Seconds of processor time for reading a library and compiling all its games.
fn loading(files: &[Input]) -> f64 {
    let file = |(path, text): &Input| File { path: path.clone(), text: text.clone(), library: "hostile".to_string() };
    let files = files.iter().map(file).collect();
    let start = processor_time();
    let (library, _) = Library::new(files);
    for game in library.game_ids() {
        let _ = library.compile(&game, &CompileRequest::default());
    }
    processor_time() - start
}

fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
