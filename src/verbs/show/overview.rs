//! A game at a glance: sides, options, characters, abilities and where play can start.

use super::{Shown, Subject};
use crate::layout::{Table, counted, paragraph};
use crate::output;
use crate::verbs::list::place;
use ludex_engine::position::example;
use ludex_engine::program::{Faces, GameOption, GameOptionKind, PrintedPiece, Sheet};
use serde_json::{Value, json};

/// How lists are marked that are not from the rules.
const MARKS: [(&str, &str, &str); 4] = [
    ("deduced", "~", "worked out from what the rules say elsewhere"),
    ("third-party", "^", "from somebody other than the makers"),
    ("placeholder", "*", "a stand-in: the true list is not known"),
    ("ours", "+", "made by whoever wrote the file"),
];

impl Subject {
    pub(super) fn overview(&self) -> Shown {
        let program = &self.program;
        let library = self.loaded.library.game(&program.game);
        let from = library.map_or("", |game| place(&game.library));
        let mut text = format!("{} ({})\n", output::heading(&program.title), program.game);
        text.push_str(&paragraph(&format!("{}; {from}", self.sides()), 0));
        for (title, body) in [
            ("Options", self.options_text()),
            ("Characters", self.characters_text()),
            ("Abilities", self.abilities_text()),
            ("Play can start at", self.entries_text()),
        ] {
            if !body.is_empty() {
                text.push_str(&format!("\n{}\n{body}", output::heading(title)));
            }
        }
        text.push_str(&format!("\n`ludex show {} NAME` tells more about a character or an ability.\n", program.game));
        Shown { what: "overview", text, json: self.overview_json() }
    }

    fn overview_json(&self) -> Value {
        let program = &self.program;
        let library = self.loaded.library.game(&program.game);
        let characters: Vec<Value> = program.sheets.values().map(|sheet| self.character_json(sheet)).collect();
        let abilities: Vec<Value> = program.abilities.iter().map(|ability| self.ability_json(ability)).collect();
        let entries = program.procedures.iter().filter(|procedure| procedure.entry).map(example);
        json!({
            "title": program.title,
            "from": library.map(|game| &game.library),
            "extends": library.and_then(|game| game.extends.as_ref()),
            "package_hash": program.hash,
            "sides": { "least": program.sides.least, "most": program.sides.most },
            "entrants": { "least": program.sides.entrants_least, "most": program.sides.entrants_most },
            "die_sizes": program.die_sizes,
            "dice_with_faces": program.faces.iter().map(|faces| self.faces_json(faces)).collect::<Vec<_>>(),
            "options": self.options_json(),
            "characters": characters,
            "abilities": abilities,
            "entries": entries.collect::<Vec<_>>(),
        })
    }

    fn faces_json(&self, faces: &Faces) -> Value {
        json!({ "name": self.program.kind(faces.kind).name, "title": faces.title, "faces": faces.values })
    }

    /// `2 sides of 1 character`.
    fn sides(&self) -> String {
        let sides = &self.program.sides;
        let range = |least: usize, most: usize| match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        let plain = range(sides.least, sides.most);
        let word = if sides.most == 1 { "side" } else { "sides" };
        let kind = sides.entrant.and_then(|kind| self.program.kinds.get(kind as usize));
        match kind {
            Some(kind) => {
                let noun = if sides.entrants_most == 1 { &kind.name } else { &kind.plural };
                format!("{plain} {word} of {} {noun}", range(sides.entrants_least, sides.entrants_most))
            }
            None => format!("{plain} {word}"),
        }
    }

    // --- options -------------------------------------------------------------------

    pub(super) fn options(&self) -> Shown {
        let body = match self.options_text() {
            none if none.is_empty() => "  The game has no options.\n".to_string(),
            body => body,
        };
        let hint = "Set one with `--option NAME=VALUE`; values that differ from the usual one are marked.";
        let text = format!("{}\n{body}\n{}", output::heading("Options"), paragraph(hint, 0));
        Shown { what: "options", text, json: self.options_json() }
    }

    fn options_text(&self) -> String {
        let mut table = Table::default();
        for option in &self.program.options {
            let changed = if option.value == option.default { "" } else { " (changed)" };
            table.row([option.name.clone(), format!("{}{changed}", option.shown(option.value)), possible(option)]);
            if !option.text.is_empty() {
                table.row(["", "", &option.text]);
            }
        }
        table.text()
    }

    fn options_json(&self) -> Value {
        let options = self.program.options.iter().map(|option| {
            let values = match &option.kind {
                GameOptionKind::Number { least, most } => json!({ "least": least, "most": most }),
                GameOptionKind::Words(words) => json!(words),
            };
            json!({
                "name": option.name,
                "value": option.shown(option.value),
                "default": option.shown(option.default),
                "values": values,
                "text": option.text,
                "rules": option.rules,
            })
        });
        Value::Array(options.collect())
    }

    // --- characters ------------------------------------------------------------------

    pub(super) fn characters(&self) -> Shown {
        let text = format!("{}\n{}", output::heading("Characters"), self.characters_text());
        let json = self.program.sheets.values().map(|sheet| self.character_json(sheet)).collect();
        Shown { what: "characters", text, json: Value::Array(json) }
    }

    fn characters_text(&self) -> String {
        let Some(kind) = self.program.sides.entrant.and_then(|kind| self.program.kinds.get(kind as usize)) else {
            return String::new();
        };
        let sheets = &self.program.sheets;
        let used = |index: usize| sheets.values().any(|sheet| sheet.zones.iter().any(|(zone, _)| usize::from(*zone) == index));
        let zones: Vec<usize> = (0..kind.zones.len()).filter(|index| used(*index)).collect();
        let home = self.loaded.library.game(&self.program.game).map_or("", |game| &game.library);
        // What every sheet must say; the rest is for `show GAME NAME`.
        let values: Vec<&str> =
            kind.fields.iter().filter(|field| field.printed && !field.optional).map(|field| field.name.as_str()).collect();
        let mut table = Table::default();
        if !sheets.is_empty() {
            let names = zones.iter().filter_map(|zone| kind.zones.get(*zone)).map(|zone| zone.name.as_str());
            table.row(std::iter::once("").chain(names).chain(values.iter().copied()));
        }
        for sheet in sheets.values() {
            let mut cells = vec![sheet.id.clone()];
            cells.extend(zones.iter().map(|zone| self.marked_list(sheet, *zone)));
            let lines = self.values(sheet);
            let line = |name: &&str| lines.iter().find(|line| line.name == *name);
            let marked = |name| line(name).map_or_else(String::new, |line| format!("{}{}", line.words, mark(sheet, name)));
            cells.extend(values.iter().map(marked));
            let origin = self.loaded.library.origin(sheet.source);
            if origin != home {
                cells.push(format!("from {}", place(origin)));
            }
            table.row(cells);
        }
        let mut text = table.text();
        let legend = self.legend();
        if !legend.is_empty() {
            let what = if self.has_values() {
                "Lines of sheets that are not from the rules:"
            } else {
                "Lists that are not from the rules:"
            };
            text.push_str(&format!("\n{}", paragraph(what, 2)));
            text.push_str(&legend);
        }
        text
    }

    /// `4 8 8 12~`: the sizes of a list, marked if they are not from the rules.
    fn marked_list(&self, sheet: &Sheet, zone: usize) -> String {
        let Some((_, pieces)) = sheet.zones.iter().find(|(index, _)| usize::from(*index) == zone) else {
            return String::new();
        };
        let sizes: Vec<String> = pieces.iter().map(|piece| self.size_words(piece)).collect();
        let name = self.program.kinds.get(sheet.kind as usize).and_then(|kind| kind.zones.get(zone)).map(|zone| &zone.name);
        format!("{}{}", sizes.join(" "), name.map_or("", |name| mark(sheet, name)))
    }

    /// `8`, or what a die with faces of its own is called.
    fn size_words(&self, piece: &PrintedPiece) -> String {
        self.program.faces_of(piece.kind).map_or_else(|| piece.size.to_string(), |faces| faces.title.clone())
    }

    /// Whether sheets of the game print more than lists.
    fn has_values(&self) -> bool {
        self.program.sheets.values().any(|sheet| !sheet.fields.is_empty())
    }

    /// The marks that are used.
    fn legend(&self) -> String {
        let mut table = Table::default();
        for (word, mark, meaning) in MARKS {
            let lists = self.program.sheets.values().flat_map(|sheet| sheet.provenance.values());
            let count = lists.filter(|known| *known == word).count();
            if count > 0 {
                let count = if self.has_values() { counted(count, "line", "lines") } else { counted(count, "list", "lists") };
                table.row([mark.to_string(), word.to_string(), count, meaning.to_string()]);
            }
        }
        table.text()
    }

    // --- abilities and entries -------------------------------------------------------

    pub(super) fn abilities(&self) -> Shown {
        let text = format!("{}\n{}", output::heading("Abilities"), self.abilities_text());
        let json = self.program.abilities.iter().map(|ability| self.ability_json(ability)).collect();
        Shown { what: "abilities", text, json: Value::Array(json) }
    }

    fn abilities_text(&self) -> String {
        let mut table = Table::default();
        for ability in &self.program.abilities {
            let uses = match self.uses(ability) {
                none if none.is_empty() => "always".to_string(),
                uses => uses,
            };
            let owners = self.owners(ability);
            let owners = if owners.is_empty() { "nobody".to_string() } else { owners.join(", ") };
            table.row([ability.id.clone(), uses, owners]);
        }
        table.text()
    }

    fn entries_text(&self) -> String {
        let mut table = Table::default();
        for procedure in self.program.procedures.iter().filter(|procedure| procedure.entry) {
            table.row([example(procedure)]);
        }
        table.text()
    }
}

/// The mark of a line of a sheet that is not from the rules.
fn mark(sheet: &Sheet, name: &str) -> &'static str {
    let word = sheet.provenance.get(name);
    MARKS.iter().find(|(known, _, _)| word.is_some_and(|word| word == known)).map_or("", |(_, mark, _)| mark)
}

/// What a list's provenance means.
pub(super) fn meaning(word: &str) -> &'static str {
    MARKS.iter().find(|(known, _, _)| *known == word).map_or("from the rules", |(_, _, meaning)| meaning)
}

/// The values an option may have: `1 to 9`, `first, last`.
fn possible(option: &GameOption) -> String {
    match &option.kind {
        GameOptionKind::Number { least, most } => format!("{least} to {most}"),
        GameOptionKind::Words(words) => words.join(", "),
    }
}
