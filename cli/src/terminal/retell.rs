//! `save --scenario`, `save --position`: the course of play as a file for a test or for a new start.

use super::Terminal;
use super::command::Retold;
use super::screen::printable;
use crate::retelling::{From, Story};
use crate::whole_file::{Readers, replace, with_ending};
use ludex_engine::problem::Problem;
use std::path::{Path, PathBuf};

impl Terminal<'_> {
    pub(super) fn retell(&self, what: Retold, path: Option<PathBuf>) {
        let word = if what == Retold::Scenario { "scenario" } else { "position" };
        let Some(path) = path else {
            return self.tell_wrong(&format!("name a file: `save --{word} FILE`"));
        };
        // The file contains everything the table knows.
        let hides = self.hides();
        if hides && self.is_shared() {
            let message = "the file would show what you hide from each other";
            return self.tell_wrong(&format!(
                "{message}; when the game is over, `ludex replay FILE --as-{word}` makes it from the recording"
            ));
        }
        if path.symlink_metadata().is_ok() {
            return self
                .tell_wrong(&format!("`{}` exists already; choose another name", printable(&path.display().to_string())));
        }
        match self.told(what).and_then(|(text, remark)| write(&path, &text).map(|()| remark)) {
            Ok(remark) => {
                self.face.say(&format!("{word} saved in {}{remark}", printable(&path.display().to_string())));
                if hides {
                    self.face.say("it shows what the others hide: read it when the game is over");
                }
            }
            Err(problem) => {
                self.tell_wrong(&printable(&problem.message.to_string()));
                problem.help.iter().for_each(|help| self.face.say(&printable(help)));
            }
        }
    }

    /// The text of the file, and a remark to print with it.
    fn told(&self, what: Retold) -> Result<(String, String), Problem> {
        let story = Story::of(self.game.recorded())?;
        let now = story.answers();
        if what == Retold::Scenario {
            let told = story.scenario(&story.name(), From::Step(now), now)?;
            let from =
                told.why_earlier.map(|why| format!("; it starts before this turn (or similar) began: {why}")).unwrap_or_default();
            return Ok((told.text, format!("; `ludex test FILE` runs it{from}")));
        }
        let told = story.position(now)?;
        let since = match told.answers {
            0 => String::new(),
            1 => ", one answer ago".to_string(),
            answers => format!(", {answers} answers ago"),
        };
        Ok((told.text, format!(": play starts at {}{since}", told.at.trim_matches('"'))))
    }
}

fn write(path: &Path, text: &str) -> Result<(), Problem> {
    replace(path, &with_ending(path, "draft"), text, Readers::Owner)
        .map_err(|error| Problem::error("", format!("the file cannot be written: {error}")))
}
