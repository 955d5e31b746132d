//! A package that extends a game and changes nothing yet, with examples of parts that it may replace.

use super::game::refuse_taken_game;
use super::sheet_text::comment_text;
use super::{Name, NewFile, NewFiles, Workshop, trial};
use crate::game::loaded::playable_sheets;
use crate::stop::Stop;
use ludex_engine::library::WordSort;

/// Number of parts of the rules shown as examples.
const EXAMPLES: usize = 3;

impl Workshop<'_> {
    /// Creates a variant of the game.
    pub fn create_variant(&self, name: &Name) -> Result<NewFiles, Stop> {
        refuse_taken_game(self.loaded, name)?;
        let (id, base) = (&name.id, &self.game);
        let rules = NewFile::new(format!("rules/{id}/{id}.ludex"), self.package_text(name));
        let program = self.compile_game_with_files(id, std::slice::from_ref(&rules))?;
        let first = playable_sheets(&program).first().map(|sheet| sheet.id.clone());
        let story = trial::play_trial(&program, first.as_deref(), 1)?;
        let text = trial::scenario_text(
            &story,
            &format!("{} begins as {} does", name.title, self.program.title),
            0,
            story.answer_count().min(1),
        )?;
        let head = comment_text(&format!(
            "Scenarios of the variant. Those of {base} run with them, by the rules of the variant. To replace one that is no longer true, write a scenario with a line `replaces: its name`."
        ));
        let scenario = NewFile::new(format!("rules/{id}/scenarios/{id}.yaml"), format!("{head}\n{text}"));
        let next = vec![
            (format!("ludex play {id}"), "play it"),
            (format!("ludex test {id}"), "run its scenarios, and those of what it extends"),
        ];
        Ok(NewFiles { files: vec![rules, scenario], next })
    }

    /// The rules of the variant: a header, and examples as comments.
    fn package_text(&self, name: &Name) -> String {
        let (id, base, title) = (&name.id, &self.game, &self.program.title);
        let mut text = format!("ludex 1\npackage {id} \"{}\" extends {base}\n\n", name.title);
        text.push_str(&comment_text(&format!("{}, a variant of {title}: it has everything that {title} has, and changes only what is written here. New declarations are added; a line that begins with `replace` replaces the declaration with its name. `ludex show {base} words` lists every name.", name.title)));
        let options = self
            .program
            .options
            .iter()
            .map(|option| format!("replace option {} = {}", option.name, option.value_text(option.value)));
        let options: Vec<String> = options.take(EXAMPLES).collect();
        if !options.is_empty() {
            text.push_str("#\n");
            text.push_str(&comment_text("Another value for an option, with the same range and text as in the rules:"));
            text.extend(options.iter().map(|option| format!("#   {option} …\n")));
        }
        let definitions = self.sample_definitions();
        if !definitions.is_empty() {
            text.push_str("#\n");
            text.push_str(&comment_text(
                "A value computed in another way. This is the current definition; remove the `#` and change it:",
            ));
            text.extend(definitions.iter().map(|definition| format!("#   replace {}\n", definition.replace('\n', "\n#   "))));
        }
        text.push_str("#\n");
        text.push_str(&comment_text(&format!("Sheets and abilities of its own go into `characters/{id}/` and `scripts/{id}/`: `ludex new character NAME --game {id}`. `ludex explain expansion` shows a complete example.")));
        text
    }

    /// The text of some definitions in the game's rules.
    fn sample_definitions(&self) -> Vec<String> {
        let library = &self.loaded.library;
        let words = library.declared_words(&self.game, &ludex_engine::library::CompileRequest::default());
        let names = words.iter().filter(|word| word.sort == WordSort::Definition).map(|word| word.name.as_str());
        let units = library.game_units(&self.game, None);
        let definition = |name: &str| units.iter().find(|unit| unit.sort == "define" && unit.name == name);
        let written = |text: &str| text.lines().map(without_cites).collect::<Vec<_>>().join("\n");
        names.filter_map(|name| definition(name).map(|unit| written(unit.text))).take(EXAMPLES).collect()
    }
}

/// A line without rule ids and notes at its end: they belong to the base game.
fn without_cites(line: &str) -> String {
    let end = line.find(" @").or(line.find(" #")).unwrap_or(line.len());
    line[..end].trim_end().to_string()
}
