//! `ludex sim --all-pairs --html FILE`: who wins against whom, as a page.

use crate::output;
use crate::simulation::pairs::{BEGINNING, html};
use crate::simulation::{Plan, Prepared, Tally};
use crate::stop::Stop;
use crate::whole_file::{Readers, is_something_else, replace_again};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use std::path::Path;

/// Refuses what could not be written, before any game is played.
pub fn check(path: &Path, plan: &Plan) -> Result<(), Stop> {
    if plan.pairs() == 0 {
        let message = "teams are drawn for each game, so there are no pairs to show on a page";
        let help = "leave out `--html`, or let sides bring one each";
        return Err(Stop::usage(Problem::error(codes::COMMAND_LINE, message).help(help)));
    }
    if is_something_else(path, BEGINNING.as_bytes()) {
        let help = "choose another name; Ludex overwrites only its own pages";
        return Err(unwritten(path, "there is already something else").help(help).into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(unwritten(path, "its folder is not there").help("make the folder, or choose another").into());
    }
    Ok(())
}

/// Writes the page whole, or leaves what was there.
pub fn write(path: &Path, prepared: &Prepared<'_>, tally: &Tally) -> Result<(), Stop> {
    let page = html(&prepared.program, &prepared.plan, tally);
    replace_again(path, &page, Readers::All)
        .map_err(|error| unwritten(path, &error.to_string()).help("choose a folder that is there and that you may write to"))?;
    output::remark(&format!("the page is in {}", path.display()));
    Ok(())
}

fn unwritten(path: &Path, why: &str) -> Problem {
    Problem::error(codes::FILE_NOT_WRITTEN, format!("the page `{}` cannot be written: {why}", path.display()))
}
