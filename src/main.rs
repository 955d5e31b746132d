//! The `ludex` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ludex::run()
}
