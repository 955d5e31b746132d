//! The parts of the command for the tools of the repository, such as `cargo xtask self-test`. Not an interface for other
//! programs: they play games with the crate in `engine/`.

pub use crate::args::{Common, Format, pair};
pub use crate::checking::Checking;
pub use crate::exit::{DONE, PROBLEMS};
pub use crate::guard::guarded;
pub use crate::layout::{Table, counted};
pub use crate::load::{Loaded, load};
pub use crate::mutation::{Change, Family};
pub use crate::output::{json as print_json, keep_for_programs, print};
pub use crate::shared::shared;
pub use crate::simulation::{Plan, short};
pub use crate::stop::Stop;
pub use crate::verbs::schema::schema;
pub use crate::work::{bar, is_stopped, keep_what_is_done, status};

use crate::cli::{self, Told};
use std::process::ExitCode;

/// Runs a tool like a verb: with a large stack, and with a report if it stops or Ludex itself fails.
pub fn run(tool: impl FnOnce() -> Result<u8, Stop> + Send + 'static) -> ExitCode {
    crate::run_guarded(|| tool().unwrap_or_else(|stop| cli::report(&stop, Told::Nowhere)))
}
