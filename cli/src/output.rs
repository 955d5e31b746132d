//! What leaves the process: results on stdout, everything else on stderr.
//!
//! Nothing else writes to a terminal. Every text becomes harmless here ([`visible`]), and its colours are put in behind
//! that; what the validator has drawn is harmless already.

mod pager;
pub mod taken;
mod tone;

pub use tone::{Tone, painted, unmarked};

use crate::{exit, running};
use ludex_engine::problem::Problem;
use ludex_engine::source::Sources;
use ludex_engine::visible;
use ludex_validator::{Look, Report, Theme};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The columns that text is written for where nothing else is known.
pub const USUAL_WIDTH: usize = 80;
/// In fewer columns no table can be read.
const LEAST_WIDTH: usize = 40;
/// Longer lines are hard to read.
const MOST_WIDTH: usize = 120;

/// Whether stdout is for programs alone.
static FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

/// From now on what people read goes to stderr, all of it: stdout is for JSON.
pub fn keep_for_programs() {
    FOR_PROGRAMS.store(true, Ordering::Relaxed);
}

fn is_for_programs() -> bool {
    FOR_PROGRAMS.load(Ordering::Relaxed)
}

/// Whether people read results on a terminal.
pub fn is_terminal() -> bool {
    if is_for_programs() { io::stderr().is_terminal() } else { io::stdout().is_terminal() }
}

/// The columns that text is written for: as many as `COLUMNS` says, else as many as the terminal has.
pub fn width() -> usize {
    static WIDTH: OnceLock<usize> = OnceLock::new();
    // Tests read the same text wherever they run.
    if cfg!(test) { USUAL_WIDTH } else { *WIDTH.get_or_init(look_at_width) }
}

fn look_at_width() -> usize {
    let named = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok()).filter(|columns| *columns > 0);
    let of_terminal = || terminal_size::terminal_size().filter(|_| is_terminal()).map(|(width, _)| usize::from(width.0));
    named.or_else(of_terminal).unwrap_or(USUAL_WIDTH).clamp(LEAST_WIDTH, MOST_WIDTH)
}

/// Whether people read results on a terminal that can be taken over as a whole.
pub fn can_be_taken() -> bool {
    !is_for_programs() && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Gives the terminal back if it was taken over, and tells what was kept meanwhile.
pub fn give_back() {
    taken::release();
    beside(&taken::kept());
}

/// Whether results are drawn in colour.
pub fn colour() -> bool {
    wants_colour(is_terminal())
}

/// The same for stderr.
pub fn error_colour() -> bool {
    wants_colour(io::stderr().is_terminal())
}

/// What people have agreed on: `NO_COLOR` forbids colours, `CLICOLOR_FORCE` asks for them everywhere, and `CLICOLOR=0` forbids
/// them on terminals, too.
fn wants_colour(on_terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, value: &str| std::env::var_os(name).is_some_and(|known| known == value);
    !set("NO_COLOR") && (set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") || on_terminal && !is("CLICOLOR", "0"))
}

/// Writes results to where people read, and adds no line end. A reader that has closed the pipe has seen enough: the process
/// ends, with status 0; with any other failure it ends as with a problem.
pub fn print(text: &str) {
    show(&tone::dressed(text));
}

/// Writes results that may be long: on a terminal that they do not fit on through a pager, unless all is wanted at once.
pub fn print_paged(text: &str, at_once: bool) {
    let text = tone::dressed(text);
    let is_for_pager = !at_once && !is_for_programs() && io::stdout().is_terminal() && pager::is_of_use(&text);
    if !(is_for_pager && pager::show(&text)) {
        show(&text);
    }
}

/// Writes to where people read.
fn show(text: &str) {
    if is_for_programs() { beside(text) } else { write(text) }
}

/// Writes harmless text to stdout; the process ends if that fails, as [`print`] says.
fn write(text: &str) {
    if taken::hold(text) {
        return;
    }
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written {
        running::leave(unwritten(&error));
    }
}

/// Says why results could not be written, unless nobody reads them any more; gives the exit status.
pub fn unwritten(error: &io::Error) -> u8 {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return exit::DONE;
    }
    failure(format!("the results cannot be written: {error}"), Some("make room, or send them somewhere else"));
    exit::PROBLEMS
}

/// A heading: bold where there is colour.
pub fn heading(text: &str) -> String {
    if colour() { painted(Tone::Strong, text) } else { text.to_string() }
}

/// One line of results.
pub fn line(text: &str) {
    print(&format!("{text}\n"));
}

/// A report for programs: one object on one line.
pub fn json(value: &serde_json::Value) {
    json_lines(&format!("{value}\n"));
}

/// Lines of JSON. What a terminal would obey is escaped in them as JSON does it, so that values stay what they are.
pub fn json_lines(text: &str) {
    write(&visible::json(text));
}

/// A table for spreadsheets, its header first. What a terminal would obey is shown by name.
pub fn csv(header: &[&str], rows: &[Vec<String>]) {
    let mut table = csv::Writer::from_writer(Vec::new());
    // Rows as long as the header, written into memory: neither can fail.
    let mut written = table.write_record(header);
    for row in rows {
        let harmless = row.iter().map(|cell| visible::line(cell).into_owned());
        written = written.and_then(|()| table.write_record(harmless));
    }
    debug_assert!(written.is_ok(), "{written:?}");
    write(&String::from_utf8_lossy(&table.into_inner().unwrap_or_default()));
}

/// Writes a report that is harmless already to stdout, as it is.
pub fn plain(text: &str) {
    write(text);
}

/// Draws problems on stdout, where they are the result, with how many there are.
pub fn report(report: &Report, sources: &Sources) {
    write(&report.to_text(sources, &look(colour())));
}

/// Wipes the screen, and what was scrolled off it.
pub fn wipe() {
    show("\x1b[2J\x1b[3J\x1b[H");
}

/// Draws problems on stderr, with how many there are; nothing if there are none.
pub fn problems(problems: &[Problem], sources: &Sources) {
    if problems.is_empty() {
        return;
    }
    let text = Report::new(problems.to_vec()).to_text(sources, &look(error_colour()));
    beside(&text);
}

/// Writes to stderr. Nobody is left to tell if it is gone.
fn beside(text: &str) {
    if taken::hold(text) {
        return;
    }
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Draws the errors in a game's files. Of the warnings only how many there are is said: `check` is there to tell them.
pub fn errors(found: &[Problem], sources: &Sources) {
    let (errors, warnings): (Vec<Problem>, Vec<Problem>) = found.iter().cloned().partition(Problem::is_error);
    problems(&errors, sources);
    let warned = Report::new(warnings);
    if !warned.problems().is_empty() {
        let them = if warned.warnings() == 1 { "it" } else { "them" };
        remark(&format!("{} in the files of the game; `ludex check` shows {them}", warned.summary()));
    }
}

/// How problems are drawn.
fn look(colour: bool) -> Look {
    Look { theme: if colour { Theme::Colour } else { Theme::Plain }, width: width() }
}

/// A line on stderr beside the results. Play goes on without it where stderr cannot be written.
pub fn remark(text: &str) {
    prompt(text, "\n");
}

/// Words on stderr that an answer is to follow, and what stands between the two.
pub fn prompt(text: &str, end: &str) {
    beside(&format!("{}{end}", tone::dressed(text)));
}

/// Says on stderr what went wrong where no file is to blame, and what to do about it.
pub fn failure(message: impl Display, help: Option<&str>) {
    let help = help.map_or(String::new(), |help| format!("\n  help: {help}"));
    remark(&format!("ludex: {message}{help}"));
}
