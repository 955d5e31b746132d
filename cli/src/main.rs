//! The `ludex` command.

use ludex_memory as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    ludex::run()
}
