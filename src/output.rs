//! What leaves the process: results on stdout, everything else on stderr.

use crate::{cli, running};
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ludex_validator::{Look, Report, Theme};
use std::io::{self, IsTerminal, Write};

/// The columns that text is written for.
pub const WIDTH: usize = 80;

/// Whether stdout is drawn in colour: on a terminal, and never under `NO_COLOR`.
pub fn colour() -> bool {
    io::stdout().is_terminal() && !no_colour()
}

/// The same for stderr.
pub fn error_colour() -> bool {
    io::stderr().is_terminal() && !no_colour()
}

fn no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Writes results to stdout. A reader that has closed the pipe has seen enough: the process ends, with status 0;
/// with any other failure it ends as with a problem.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written {
        running::leave(unwritten(&error));
    }
}

/// Says why results could not be written, unless nobody reads them any more; gives the exit status.
pub fn unwritten(error: &io::Error) -> u8 {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return cli::DONE;
    }
    failure(&format!("the results cannot be written: {error}"), Some("make room, or send them somewhere else"));
    cli::PROBLEMS
}

/// A heading: bold where there is colour.
pub fn heading(text: &str) -> String {
    if colour() { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_string() }
}

/// One line of stdout.
pub fn line(text: &str) {
    print(&format!("{text}\n"));
}

/// A report for programs: one object on one line.
pub fn json(value: &serde_json::Value) {
    line(&value.to_string());
}

/// Draws problems on stderr, with how many there are; nothing if there are none.
pub fn problems(problems: &[Problem], sources: &Sources) {
    if problems.is_empty() {
        return;
    }
    let text = Report::new(problems.to_vec()).to_text(sources, &look(error_colour()));
    // Nobody is left to tell if stderr is gone.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Draws the errors in a game's files. Of the warnings only how many there are is said: `check` is there to tell them.
pub fn errors(found: &[Problem], sources: &Sources) {
    let (errors, warnings): (Vec<Problem>, Vec<Problem>) = found.iter().cloned().partition(Problem::is_error);
    problems(&errors, sources);
    let warned = Report::new(warnings);
    if !warned.problems().is_empty() {
        let them = if warned.warnings() == 1 { "it" } else { "them" };
        let _ = writeln!(io::stderr().lock(), "{} in the files of the game; `ludex check` tells {them}", warned.summary());
    }
}

/// How problems are drawn.
pub fn look(colour: bool) -> Look {
    Look { theme: if colour { Theme::Colour } else { Theme::Plain }, width: WIDTH }
}

/// A line on stderr beside the results. Play goes on without it where stderr cannot be written.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Says on stderr what went wrong where no file is to blame, and what to do about it.
pub fn failure(message: &str, help: Option<&str>) {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "ludex: {message}");
    if let Some(help) = help {
        let _ = writeln!(out, "  help: {help}");
    }
}
