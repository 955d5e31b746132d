//! All output of the process: results on stdout, everything else on stderr.
//!
//! No other module writes to a terminal. Every text is sanitised here ([`visible`]) before its colours are added. Text drawn by
//! the validator is already safe.

mod pager;
pub mod raw_terminal;
mod tone;

pub use tone::{Tone, paint_text, strip_tones};

use crate::{exit, running};
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ludex_engine::visible;
use ludex_validator::{Look, Report, Theme};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Default width in columns.
pub const USUAL_WIDTH: usize = 80;
/// Minimum width. Tables are unreadable in fewer columns.
const LEAST_WIDTH: usize = 40;
/// Maximum width. Longer lines are hard to read.
const MOST_WIDTH: usize = 120;

/// Whether stdout is reserved for programs.
static FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

/// Reserves stdout for JSON, and sends all text for people to stderr from now on.
pub fn keep_for_programs() {
    FOR_PROGRAMS.store(true, Ordering::Relaxed);
}

fn is_for_programs() -> bool {
    FOR_PROGRAMS.load(Ordering::Relaxed)
}

/// Whether people read results on a terminal: on stdout, or on stderr if stdout is for programs.
pub fn is_terminal() -> bool {
    if is_for_programs() { io::stderr().is_terminal() } else { io::stdout().is_terminal() }
}

/// The output width in columns: `COLUMNS`, or else that of the terminal.
pub fn output_width() -> usize {
    static WIDTH: OnceLock<usize> = OnceLock::new();
    // Tests get the same text on every machine.
    if cfg!(test) { USUAL_WIDTH } else { *WIDTH.get_or_init(measure_width) }
}

fn measure_width() -> usize {
    let named = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok()).filter(|columns| *columns > 0);
    let of_terminal = || terminal_size::terminal_size().filter(|_| is_terminal()).map(|(width, _)| usize::from(width.0));
    named.or_else(of_terminal).unwrap_or(USUAL_WIDTH).clamp(LEAST_WIDTH, MOST_WIDTH)
}

/// Whether people read results on a terminal that a full-screen interface can take over.
pub fn may_use_full_screen() -> bool {
    !is_for_programs() && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Releases the terminal if a full-screen interface has taken it over, and prints the text held back meanwhile.
pub fn restore_terminal() {
    raw_terminal::release_terminal();
    write_stderr(&raw_terminal::take_held_text());
}

/// Whether results are coloured.
pub fn uses_colour() -> bool {
    wants_colour(is_terminal())
}

/// Whether stderr is coloured.
pub fn uses_error_colour() -> bool {
    wants_colour(io::stderr().is_terminal())
}

/// Follows the usual conventions: `NO_COLOR` disables colours, `CLICOLOR_FORCE` enables them everywhere, and `CLICOLOR=0`
/// disables them on terminals too.
fn wants_colour(on_terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, value: &str| std::env::var_os(name).is_some_and(|known| known == value);
    !set("NO_COLOR") && (set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") || on_terminal && !is("CLICOLOR", "0"))
}

/// Prints results for people, without adding a line end. If the reader has closed the pipe, the process ends with status 0; on
/// any other failure it ends as with a problem.
pub fn print_text(text: &str) {
    write_result(&tone::render_tones(text));
}

/// Prints results that may be long. On a terminal that is too small for them it uses a pager, unless `at_once` is set.
pub fn print_paged(text: &str, at_once: bool) {
    let text = tone::render_tones(text);
    let is_for_pager = !at_once && !is_for_programs() && io::stdout().is_terminal() && pager::needs_pager(&text);
    if !(is_for_pager && pager::show_in_pager(&text)) {
        write_result(&text);
    }
}

/// Writes text for people.
fn write_result(text: &str) {
    if is_for_programs() { write_stderr(text) } else { write_stdout(text) }
}

/// Writes sanitised text to stdout. On failure the process ends, as [`print_text`] says.
fn write_stdout(text: &str) {
    if raw_terminal::hold_text(text) {
        return;
    }
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written {
        running::exit_process(report_unwritten(&error));
    }
}

/// Reports why results could not be written, unless the reader is gone. Returns the exit status.
pub fn report_unwritten(error: &io::Error) -> u8 {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return exit::DONE;
    }
    print_failure(
        format!("the results cannot be written: {error}"),
        Some("make room on the disk, or write them to another place"),
    );
    exit::PROBLEMS
}

/// A heading, in bold if coloured.
pub fn heading_text(text: &str) -> String {
    if uses_colour() { paint_text(Tone::Strong, text) } else { text.to_string() }
}

/// Prints one line of results.
pub fn print_line(text: &str) {
    print_text(&format!("{text}\n"));
}

/// Prints a report for programs: one object on one line.
pub fn print_json(value: &serde_json::Value) {
    print_json_lines(&format!("{value}\n"));
}

/// Prints lines of JSON. Terminal control characters are escaped as in JSON, so that values stay the same.
pub fn print_json_lines(text: &str) {
    write_stdout(&visible::clean_json(text));
}

/// Prints a table for spreadsheets, its header first. Terminal control characters are shown by name.
pub fn print_csv(header: &[&str], rows: &[Vec<String>]) {
    let mut table = csv::Writer::from_writer(Vec::new());
    // The rows are as long as the header and written to memory, so neither call can fail.
    let mut written = table.write_record(header);
    for row in rows {
        let harmless = row.iter().map(|cell| visible::clean_line(cell).into_owned());
        written = written.and_then(|()| table.write_record(harmless));
    }
    debug_assert!(written.is_ok(), "{written:?}");
    write_stdout(&String::from_utf8_lossy(&table.into_inner().unwrap_or_default()));
}

/// Writes text to stdout as it is. It must be sanitised already.
pub fn print_sanitised(text: &str) {
    write_stdout(text);
}

/// Prints problems on stdout as the result, with their number.
pub fn print_report(report: &Report, sources: &Sources) {
    write_stdout(&report.to_text(sources, &problem_look(uses_colour())));
}

/// Clears the screen and its scrollback.
pub fn wipe_screen() {
    write_result("\x1b[2J\x1b[3J\x1b[H");
}

/// Prints problems on stderr, with their number. Prints nothing if there are none.
pub fn print_problems(problems: &[Problem], sources: &Sources) {
    if problems.is_empty() {
        return;
    }
    let text = Report::new(problems.to_vec()).to_text(sources, &problem_look(uses_error_colour()));
    write_stderr(&text);
}

/// Writes to stderr. A failure cannot be reported.
fn write_stderr(text: &str) {
    if raw_terminal::hold_text(text) {
        return;
    }
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints the errors in a game's files, and only the number of warnings: `check` lists them.
pub fn print_errors(found: &[Problem], sources: &Sources) {
    let (errors, warnings): (Vec<Problem>, Vec<Problem>) = found.iter().cloned().partition(Problem::is_error);
    print_problems(&errors, sources);
    let warned = Report::new(warnings);
    if !warned.problems().is_empty() {
        let them = if warned.warning_count() == 1 { "it" } else { "them" };
        print_remark(&format!("{} in the files of the game; `ludex check` shows {them}", warned.summary()));
    }
}

/// The style of printed problems.
fn problem_look(colour: bool) -> Look {
    Look { theme: if colour { Theme::Colour } else { Theme::Plain }, width: output_width() }
}

/// Prints a line on stderr. Play goes on if stderr cannot be written.
pub fn print_remark(text: &str) {
    print_prompt(text, "\n");
}

/// Prints a prompt on stderr, followed by `end`.
pub fn print_prompt(text: &str, end: &str) {
    write_stderr(&format!("{}{end}", tone::render_tones(text)));
}

/// Prints on stderr a failure outside any file, with help if there is some.
pub fn print_failure(message: impl Display, help: Option<&str>) {
    let help = help.map_or(String::new(), |help| format!("\n  help: {help}"));
    print_remark(&format!("ludex: {message}{help}"));
}
