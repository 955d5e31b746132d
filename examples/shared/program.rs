//! The program built beside the examples.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs `ludex` in a folder that also holds its state, with pipes for its streams.
pub fn ludex(folder: &Path) -> Command {
    let mut command = Command::new(path());
    command.current_dir(folder).env_remove("LUDEX_LIBRARY").env_remove("LUDEX_KEEP");
    command.env("XDG_STATE_HOME", folder).env("HOME", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn path() -> PathBuf {
    let here = std::env::current_exe().expect("an example knows where it is");
    let folder = here.ancestors().nth(2).expect("examples lie in a folder");
    let path = folder.join(format!("ludex{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "there is no `{}`; `cargo build --release` makes it", path.display());
    path
}
