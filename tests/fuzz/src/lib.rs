//! What the fuzz targets do with an input, one function a target. `cargo test` does the same with the inputs in `corpus/`.
//!
//! Each of them panics where Ludex breaks a promise; `README.md` tells which promises these are.

mod game;
mod lines;
mod played;
mod problems;
mod recorded;
mod secret_games;
mod texts;
pub mod twins;
pub mod words;

pub use lines::protocol;
pub use played::compile_then_play;
pub use recorded::recordings;
pub use texts::{positions, rules, scenarios, scripts, sheets};
pub use twins::twins;

/// What a target does with an input.
pub type Target = fn(&[u8]);

/// All targets by name, which are also the folders of their inputs.
pub const TARGETS: [(&str, Target); 9] = [
    ("rules", rules),
    ("sheets", sheets),
    ("scripts", scripts),
    ("positions", positions),
    ("scenarios", scenarios),
    ("recordings", recordings),
    ("protocol", protocol),
    ("compile_then_play", compile_then_play),
    ("twins", twins),
];

/// As much as the command gives itself.
const STACK: usize = 256 << 20;

/// Does the work where whatever is allowed to call whatever else has room for it.
fn with_room(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let ended = thread.expect("the system has room for a thread").join();
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
}
