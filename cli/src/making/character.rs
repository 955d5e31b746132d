//! A new entrant, in the game's own terms: a character, a deck, a fighter.
//!
//! A model is an existing entrant whose values the new one gets. Some are too special for another to share their values, so
//! several are tried.

use super::sheet_text::{SheetText, comment_text};
use super::{Name, NewFile, NewFiles, Workshop, trial};
use crate::game::loaded::entrant_word;
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::program::Program;
use ludex_engine::runtime::Session;
use ludex_engine::sheet::{SheetEntry, SheetFiles};
use ludex_engine::yaml::OutputValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of sheets tried as a model before one is made up.
const MOST_TRIED: usize = 6;

/// An entrant's sheet, and the game compiled with it.
pub struct Entrant {
    pub file: NewFile,
    pub program: Arc<Program>,
}

impl Workshop<'_> {
    /// Creates a new entrant that resembles an existing one, with a scenario. `like` is the id of the model, if the user names
    /// one.
    pub fn create_character(&self, name: &Name, like: Option<&str>) -> Result<NewFiles, Stop> {
        self.refuse_taken_name(name)?;
        let made = self.create_entrant(name, like, &[], &BTreeMap::new(), &[])?;
        let story = trial::play_trial(&made.program, Some(&name.id), 1)?;
        let to = story.answer_count().min(1);
        let title = format!("{} begins a game", name.title);
        let scenario = trial::scenario_text(&story, &title, 0, to)?;
        let head = comment_text(
            "A scenario is a test: what the dice show, what the players answer, and what must result. Change the sheet, then check that this is still what you want. `ludex explain scenarios` explains every line.",
        );
        let scenario = NewFile::new(format!("rules/{}/scenarios/{}.yaml", self.game, name.id), format!("{head}\n{scenario}"));
        let play = (
            format!("ludex play {} --seat 0={}", self.game, trial::trial_team(&made.program, &name.id).join(",")),
            "play it against a bot",
        );
        Ok(self.with_next_steps(vec![made.file, scenario], vec![play]))
    }

    /// Creates the sheet of a new entrant, with some abilities and with lines that replace those of the model. `other` has
    /// these lines by name; `beside` are other new files to compile with it, such as the script of an ability. Returns the
    /// first sheet with which the game compiles and can be played.
    pub fn create_entrant(
        &self,
        name: &Name,
        like: Option<&str>,
        abilities: &[String],
        other: &BTreeMap<String, OutputValue>,
        beside: &[NewFile],
    ) -> Result<Entrant, Stop> {
        let word = entrant_word(&self.program);
        if self.program.sides.entrant.is_none() {
            let message = format!("the sides of {} bring no entrants, so there is no sheet to make", self.program.title);
            let problem = Problem::error(codes::NEW_NAME, message);
            return Err(problem
                .help("name another game, or declare in the rules what sides bring: `sides 2 of 1 character`")
                .into());
        }
        let entries = self.sheet_entries();
        let models = self.possible_models(&entries, like)?;
        let mut first_wrong = None;
        for model in models.into_iter().map(Some).chain(like.is_none().then_some(None)) {
            let files = self.files_of(model);
            let mut head = self.heading_comment(name, word, model);
            head.push(format!("`ludex show {} {}` shows how Ludex reads it.", self.game, name.id));
            let sheet = SheetText { workshop: self, files, name, head, abilities: abilities.to_vec(), other: other.clone() };
            let file = NewFile::new(format!("characters/{}/{}.yaml", self.game, name.id), sheet.sheet_text(model));
            let mut all = beside.to_vec();
            all.push(file.clone());
            match self.compile_playable(&all, &name.id) {
                Ok(program) => return Ok(Entrant { file, program }),
                Err(wrong) => first_wrong = first_wrong.or(Some(wrong)),
            }
        }
        Err(first_wrong.unwrap_or_else(Stop::user_left))
    }

    /// Compiles the game with some files, and checks that their entrant can play it.
    fn compile_playable(&self, files: &[NewFile], id: &str) -> Result<Arc<Program>, Stop> {
        let program = self.compile_with_files(files)?;
        Session::check_entrant(&program, id)?;
        trial::play_trial(&program, Some(id), 1)?;
        Ok(program)
    }

    /// The possible models, plainest first. Plain ones have few abilities. An error if the named model does not exist.
    fn possible_models<'e, 'n>(
        &self,
        entries: &'e [SheetEntry<'n>],
        like: Option<&str>,
    ) -> Result<Vec<&'e SheetEntry<'n>>, Problem> {
        let plays = |entry: &&SheetEntry| {
            self.program.sheets.contains_key(&entry.id) && Session::check_entrant(&self.program, &entry.id).is_ok()
        };
        let mut models: Vec<&SheetEntry> = entries.iter().filter(plays).collect();
        if let Some(like) = like {
            let ids: Vec<String> = models.iter().map(|entry| entry.id.clone()).collect();
            models.retain(|entry| entry.id == like);
            if models.is_empty() {
                let message = format!("there is no {} `{like}` in {}", entrant_word(&self.program), self.program.title);
                let problem = Problem::error(codes::UNKNOWN_ENTRANT, message);
                return Err(problem.suggest(like, ids.iter().map(String::as_str)));
            }
        }
        let abilities = |entry: &&SheetEntry| self.program.sheets.get(&entry.id).map_or(0, |sheet| sheet.abilities.len());
        models.sort_by_key(abilities);
        models.truncate(MOST_TRIED);
        Ok(models)
    }

    /// The declared sheet of a model's file; without a model the first that sides bring.
    fn files_of(&self, model: Option<&SheetEntry>) -> SheetFiles {
        let sheet = model.and_then(|model| self.program.sheets.get(&model.id));
        let declared = sheet.and_then(|sheet| self.program.prints.find_print(sheet.print)).map(|print| print.sheet);
        let usual = || {
            let all = ludex_engine::sheet::sheet_files(&self.program);
            all.into_iter().map(|(files, _)| files).find(|files| matches!(files, SheetFiles::Entrant(_)))
        };
        match model {
            Some(_) => SheetFiles::Entrant(declared),
            None => usual().unwrap_or(SheetFiles::Entrant(None)),
        }
    }
}
