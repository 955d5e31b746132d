//! `save --scenario`, `save --position`: the course of play as a file, for a test (a scenario) or for a new start (a
//! position). The work is done by `retelling`.

use super::Terminal;
use super::command::RetellingKind;
use super::screen::printable_line;
use crate::retelling::{ScenarioStart, Story};
use crate::whole_file::{Readers, replace_file, with_ending};
use ludex_engine::problem::Problem;
use std::path::{Path, PathBuf};

impl Terminal<'_> {
    /// Writes the scenario or position to a new file. Refused while players at one screen hide something from each other.
    pub(super) fn save_retelling(&self, what: RetellingKind, path: Option<PathBuf>) {
        let word = if what == RetellingKind::Scenario { "scenario" } else { "position" };
        let Some(path) = path else {
            return self.print_error(&format!("name a file: `save --{word} FILE`"));
        };
        // The file contains everything the table knows.
        let hides = self.has_secrets();
        if hides && self.is_shared() {
            let message = "the file would show what you hide from each other";
            return self.print_error(&format!(
                "{message}; when the game is over, `ludex replay FILE --as-{word}` makes it from the recording"
            ));
        }
        if path.symlink_metadata().is_ok() {
            return self
                .print_error(&format!("`{}` exists already; choose another name", printable_line(&path.display().to_string())));
        }
        match self.retelling_text(what).and_then(|(text, remark)| write_new_file(&path, &text).map(|()| remark)) {
            Ok(remark) => {
                self.face.print_text(&format!("{word} saved in {}{remark}", printable_line(&path.display().to_string())));
                if hides {
                    self.face.print_text("it shows what the others hide: read it when the game is over");
                }
            }
            Err(problem) => {
                self.print_error(&printable_line(&problem.message.to_string()));
                problem.help.iter().for_each(|help| self.face.print_text(&printable_line(help)));
            }
        }
    }

    /// The text of the file, and a remark to print with it.
    fn retelling_text(&self, what: RetellingKind) -> Result<(String, String), Problem> {
        let story = Story::from_recording(self.game.recorded_session())?;
        let now = story.answer_count();
        if what == RetellingKind::Scenario {
            let told = story.write_scenario(&story.default_name(), ScenarioStart::Step(now), now)?;
            let from =
                told.why_earlier.map(|why| format!("; it starts before this turn (or similar) began: {why}")).unwrap_or_default();
            return Ok((told.text, format!("; `ludex test FILE` runs it{from}")));
        }
        let told = story.write_position(now)?;
        let since = match told.answers {
            0 => String::new(),
            1 => ", one answer ago".to_string(),
            answers => format!(", {answers} answers ago"),
        };
        Ok((told.text, format!(": play starts at {}{since}", told.at.trim_matches('"'))))
    }
}

fn write_new_file(path: &Path, text: &str) -> Result<(), Problem> {
    replace_file(path, &with_ending(path, "draft"), text, Readers::Owner)
        .map_err(|error| Problem::error("", format!("the file cannot be written: {error}")))
}
