//! Long results through the pager of whoever reads them. Crates that page bring a pager of their own, or split the process in two;
//! what is wanted here is no more than to start a program and wait for it.

use std::io::Write;
use std::process::{Command, Stdio};

/// The variables that name a pager, the first that is set counts; nothing in it means none.
const VARIABLES: [&str; 2] = ["LUDEX_PAGER", "PAGER"];
/// Leaves at once what fits on the screen, shows colours, and keeps on the screen what was read.
const USUAL: &str = "less -FRX";
/// What `less` does if its own variable says nothing.
const LESS: &str = "FRX";

/// Whether a text is longer than the terminal, which is one that a pager can draw on.
pub fn is_of_use(text: &str) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    let fits = terminal_size::terminal_size().is_some_and(|(_, height)| text.lines().count() < usize::from(height.0));
    !dumb && !fits
}

/// Shows a text through the pager, and waits until it was read; false if there is none, and nothing was shown.
pub fn show(text: &str) -> bool {
    let Some(words) = words() else { return false };
    let Some((program, arguments)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    // Ctrl-C belongs to the pager, which would be left alone with the terminal otherwise.
    let _ = ctrlc::set_handler(|| {});
    let Ok(mut pager) = command.spawn() else { return false };
    if let Some(mut input) = pager.stdin.take() {
        // Whoever has seen enough leaves before the end.
        let _ = input.write_all(text.as_bytes());
    }
    let _ = pager.wait();
    true
}

/// The program and what it is started with; none if none is wanted.
fn words() -> Option<Vec<String>> {
    let named = VARIABLES.iter().find_map(std::env::var_os);
    let named = named.map_or_else(|| USUAL.to_string(), |named| named.to_string_lossy().into_owned());
    shlex::split(&named).filter(|words| !words.is_empty())
}
