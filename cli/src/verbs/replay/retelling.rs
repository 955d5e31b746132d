//! `ludex replay FILE --as-scenario`, `--as-position`: the recording as a file for a test or for a new start.

use crate::args::CommonArgs;
use crate::exit::DONE;
use crate::game::ReopenedRecording;
use crate::output;
use crate::retelling::{ScenarioStart, Story};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use serde_json::json;

#[derive(clap::Args)]
pub struct Retelling {
    /// Write the game as a scenario, which passes `ludex test`, under this name
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with = "as_position")]
    as_scenario: Option<String>,
    /// Write the position at the last entry of the rules, such as the start of a turn
    #[arg(long)]
    as_position: bool,
    /// For a scenario: start at the last entry of the rules that had begun after this many answers, not where play
    /// began
    #[arg(long, value_name = "N", requires = "as_scenario")]
    from: Option<usize>,
    /// Stop after the answer with this number and its events; without it, at the end
    #[arg(long, value_name = "N")]
    to: Option<usize>,
}

impl Retelling {
    pub fn is_wanted(&self) -> bool {
        self.as_scenario.is_some() || self.as_position
    }
}

/// Prints the scenario or the position. It was tried before, so that a test passes and play can start.
pub fn run(wanted: &Retelling, reopened: &ReopenedRecording, common: &CommonArgs) -> Result<u8, Stop> {
    let story = story_of_recording(reopened)?;
    let answers = story.answer_count();
    let to = check_limit("--to", wanted.to.unwrap_or(answers), answers)?;
    if wanted.as_position {
        let told = story.write_position(to).map_err(|problem| reopened.loaded.stop_with_problem(problem))?;
        let result = json!({ "ludex": 1, "command": "replay", "position": told.text, "at": told.at, "answers": told.answers });
        return Ok(print_text(&told.text, &result, common));
    }
    let from = match wanted.from {
        Some(from) => ScenarioStart::Step(check_limit("--from", from, to)?),
        None => ScenarioStart::Beginning,
    };
    let name = match wanted.as_scenario.as_deref() {
        None | Some("") => story.default_name(),
        Some(name) => name.to_string(),
    };
    let told = story.write_scenario(&name, from, to).map_err(|problem| reopened.loaded.stop_with_problem(problem))?;
    if let Some(why) = &told.why_earlier {
        output::print_remark(&format!("the scenario starts earlier than requested: {why}"));
    }
    if story.resigned && to == answers {
        output::print_remark("a player gave up at the end, which a scenario cannot contain");
    }
    Ok(print_text(
        &told.text,
        &json!({ "ludex": 1, "command": "replay", "scenario": told.text, "why_earlier": told.why_earlier }),
        common,
    ))
}

/// Prints the file, or an object with it.
fn print_text(text: &str, result: &serde_json::Value, common: &CommonArgs) -> u8 {
    match common.is_json() {
        true => output::print_json(result),
        false => output::print_sanitised(text),
    }
    DONE
}

/// The game without the answers that were taken back.
pub fn story_of_recording(reopened: &ReopenedRecording) -> Result<Story, Stop> {
    let bad = |problem: Problem| reopened.loaded.stop_with_problem(problem);
    let (mut replay, _) = reopened.start_replay().map_err(|divergence| bad(divergence.into()))?;
    while replay.play_next().map_err(|divergence| bad(divergence.into()))?.is_some() {}
    let recorded = reopened.finish_replay(replay).map_err(|divergence| bad(divergence.into()))?;
    Story::from_recording(&recorded).map_err(bad)
}

/// Refuses a number of answers beyond the end, for a flag.
fn check_limit(flag: &str, number: usize, most: usize) -> Result<usize, Stop> {
    if number <= most {
        return Ok(number);
    }
    let message = format!("`{flag} {number}` is beyond the end: there are {most} answers");
    Err(Stop::usage_error(Problem::error(codes::COMMAND_LINE, message).help(format!("give a number from 0 to {most}"))))
}
