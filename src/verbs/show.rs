//! `ludex show`: what the compiler made of a game.

mod ability;
mod character;
mod order;
mod overview;

use crate::cli::{Common, DONE, PROBLEMS};
use crate::load::Loaded;
use crate::output;
use ludex_engine::problem::nearest;
use ludex_engine::program::{AbilityInfo, Program, Sheet};
use serde_json::{Value, json};
use std::sync::Arc;

/// Describe a game, a character, an ability, its order of hooks or its options
#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// A character or an ability by its id, or `order`, `options`, `characters` or `abilities`
    subject: Option<String>,
}

/// A game with the library it was compiled from.
struct Subject {
    loaded: Loaded,
    program: Arc<Program>,
}

/// A part of a game, as text and as JSON.
struct Shown {
    what: &'static str,
    text: String,
    json: Value,
}

pub fn run(args: Args, common: &Common) -> u8 {
    let loaded = common.load();
    let program = match common.compile_from(&loaded, &args.game, &common.wanted()) {
        Ok(program) => program,
        Err(status) => return status,
    };
    let subject = Subject { loaded, program };
    let shown = match args.subject.as_deref() {
        None => subject.overview(),
        Some("options") => subject.options(),
        Some("order") => subject.order(),
        Some("characters") => subject.characters(),
        Some("abilities" | "ability") => subject.abilities(),
        Some(name) => match subject.named(name) {
            Some(shown) => shown,
            None => return subject.unknown(name),
        },
    };
    if common.json() {
        let program = &subject.program;
        let mut report = json!({ "ludex": 1, "command": "show", "game": program.game, "mode": program.mode });
        report[shown.what] = shown.json;
        output::json(&report);
    } else {
        output::print(&shown.text);
    }
    DONE
}

impl Subject {
    /// A character or an ability, by id or by name.
    fn named(&self, name: &str) -> Option<Shown> {
        let program = &self.program;
        let sheet = program.sheets.get(name);
        let ability = program.abilities.iter().find(|ability| ability.id == name);
        let sheet = sheet.or_else(|| match ability {
            Some(_) => None,
            None => program.sheets.values().find(|sheet| sheet.name.eq_ignore_ascii_case(name)),
        });
        if let Some(sheet) = sheet {
            return Some(self.character(sheet));
        }
        let titled = || program.abilities.iter().find(|ability| ability.title.eq_ignore_ascii_case(name));
        ability.or_else(titled).map(|ability| self.ability(ability))
    }

    fn unknown(&self, name: &str) -> u8 {
        let program = &self.program;
        let sheets = program.sheets.keys().map(String::as_str);
        let abilities = program.abilities.iter().map(|ability| ability.id.as_str());
        let words = ["order", "options", "characters", "abilities"];
        let help = match nearest(name, sheets.chain(abilities).chain(words)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`ludex show {}` tells what there is", program.game),
        };
        output::failure(&format!("`{}` has neither a character nor an ability `{name}`", program.game), Some(&help));
        PROBLEMS
    }

    /// The file of a text and the library it came from.
    fn file(&self, source: ludex_engine::source::SourceId) -> String {
        let name = &self.program.sources.get(source).name;
        format!("{name}, {}", super::list::place(self.loaded.library.origin(source)))
    }

    /// `2 per match, 1 per turn`, or nothing for an ability that may be used at any time.
    fn uses(&self, ability: &AbilityInfo) -> String {
        let scope = |id: u16| self.program.procedures.get(id as usize).map_or("match", |procedure| &procedure.name);
        let limits: Vec<String> = ability.uses.iter().map(|limit| format!("{} per {}", limit.times, scope(limit.per))).collect();
        limits.join(", ")
    }

    /// The ids of the sheets that have an ability.
    fn owners(&self, ability: &AbilityInfo) -> Vec<&str> {
        let id = self.program.ability(&ability.id);
        let has = |sheet: &Sheet| sheet.abilities.iter().any(|listed| Some(listed.ability) == id);
        self.program.sheets.values().filter(|sheet| has(sheet)).map(|sheet| sheet.id.as_str()).collect()
    }
}
