//! The parts of the command for the tools of the repository, such as `cargo xtask self-test`. Not an interface for other
//! programs: they play games with the crate in `engine/`.

pub use crate::args::{CommonArgs, Format, pair};
pub use crate::checking::LibraryCheck;
pub use crate::exit::{DONE, PROBLEMS};
pub use crate::guard::catch_panic;
pub use crate::layout::{Table, count_text};
pub use crate::load::{LoadedLibraries, open_libraries};
pub use crate::mutation::{Change, Family};
pub use crate::output::{keep_for_programs, print_json, print_text};
pub use crate::shared::map_parallel;
pub use crate::simulation::{Plan, test_short_game};
pub use crate::stop::Stop;
pub use crate::verbs::schema::file_schema;
pub use crate::work::{exit_status, is_stopped, keep_what_is_done, progress_bar};

use crate::cli::{self, PriorReport};
use std::process::ExitCode;

/// Runs a tool like a verb: with a large stack, and with a report if it stops or Ludex itself fails.
pub fn run_tool(tool: impl FnOnce() -> Result<u8, Stop> + Send + 'static) -> ExitCode {
    crate::run_guarded(|| tool().unwrap_or_else(|stop| cli::report_stop(&stop, PriorReport::Nowhere)))
}
