//! Shows long results through the user's pager. The available crates bring a pager of their own or split the process in two; this
//! only needs to start a program and wait for it.

use std::io::Write;
use std::process::{Command, Stdio};

/// The environment variables that name a pager. The first one that is set counts; an empty value means no pager.
const VARIABLES: [&str; 2] = ["LUDEX_PAGER", "PAGER"];
/// The default: exits at once if the text fits on the screen, shows colours, and leaves the text on the screen.
const USUAL: &str = "less -FRX";
/// The options of `less` if its own variable is not set.
const LESS: &str = "FRX";

/// Whether a text is longer than the terminal, and the terminal can run a pager.
pub fn needs_pager(text: &str) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    let fits = terminal_size::terminal_size().is_some_and(|(_, height)| text.lines().count() < usize::from(height.0));
    !dumb && !fits
}

/// Shows a text through the pager and waits for it. Returns false if there is no pager; the text is not shown then.
pub fn show_in_pager(text: &str) -> bool {
    let Some(words) = pager_command() else { return false };
    let Some((program, arguments)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    // Ctrl-C belongs to the pager. Otherwise the pager would be left running alone on the terminal.
    let _ = ctrlc::set_handler(|| {});
    let Ok(mut pager) = command.spawn() else { return false };
    if let Some(mut input) = pager.stdin.take() {
        // Readers may quit before the end.
        let _ = input.write_all(text.as_bytes());
    }
    let _ = pager.wait();
    true
}

/// The program and its arguments; `None` if no pager is wanted.
fn pager_command() -> Option<Vec<String>> {
    let named = VARIABLES.iter().find_map(std::env::var_os);
    let named = named.map_or_else(|| USUAL.to_string(), |named| named.to_string_lossy().into_owned());
    shlex::split(&named).filter(|words| !words.is_empty())
}
