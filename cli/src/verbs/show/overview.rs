//! A game at a glance: sides, options, sheets, abilities and entries.
//!
//! An entry is a procedure at which play can start from a position. Sheets that sides bring are those of entrants; others are
//! printed on pieces. Kinds of sheets may build on others; a root builds on none.

use super::{Description, Subject};
use crate::layout::{Table, paragraph_text, readable_name};
use crate::output;
use crate::verbs::list::{extends_text, libraries, library_name, parent_ids};
use ludex_engine::position::example_entry;
use ludex_engine::problem::{capitalise_first, join_words, range_text, with_article};
use ludex_engine::program::{Faces, SheetId};
use serde_json::{Value, json};

impl Subject {
    /// The subject when none is named. Sections without content are left out.
    pub(super) fn describe_game(&self) -> Description {
        let program = &self.program;
        let library = self.loaded.library.find_game(&program.game);
        let from = library.map_or("", |game| library_name(&game.library));
        let mut text = paragraph_text(&format!("{} ({})", output::heading_text(&program.title), program.game), 0);
        text.push_str(&paragraph_text(&format!("{}; {from}", self.sides_text()), 0));
        let line = self.loaded.library.package_line(&program.game);
        text.push_str(&extends_text(&line).map_or(String::new(), |extends| paragraph_text(&extends, 0)));
        let of_libraries = libraries::game_library_lines(&self.loaded.library, &program.game);
        let libraries = of_libraries.iter().map(|line| paragraph_text(line, 2)).collect();
        let mut sections = vec![("Libraries".to_string(), libraries)];
        sections.extend([("Modes".to_string(), self.modes_text()), ("Options".to_string(), self.options_text())]);
        sections.extend(self.entrants_title().map(|title| (title, self.sheets_table(&self.entrant_sheets()))));
        sections.extend(self.others_text());
        sections.push(("Abilities".to_string(), self.abilities_text()));
        sections.push(("Play can start at".to_string(), self.entries_text()));
        for (title, body) in sections.iter().filter(|(_, body)| !body.is_empty()) {
            text.push_str(&format!("\n{}\n{body}", output::heading_text(title)));
        }
        let subjects = self.subjects_text();
        if !subjects.is_empty() {
            let hint = format!("`ludex show {} NAME` shows more about {subjects}.", program.game);
            text.push_str(&format!("\n{}", paragraph_text(&hint, 0)));
        }
        Description { what: "overview", text, json: self.overview_json(), source: None }
    }

    fn overview_json(&self) -> Value {
        let program = &self.program;
        let library = self.loaded.library.find_game(&program.game);
        let entries = program.procedures.iter().filter(|procedure| procedure.entry);
        let entries = entries.map(|procedure| example_entry(program, procedure));
        json!({
            "title": program.title,
            "from": library.map(|game| &game.library),
            "libraries": libraries::libraries_json(&self.loaded.library, Some(&program.game)),
            "extends": parent_ids(&self.loaded.library.package_line(&program.game)),
            "modes": program.modes.iter().map(|mode| json!({ "name": mode.name, "title": mode.title })).collect::<Vec<_>>(),
            "package_hash": program.hash,
            "sides": { "least": program.sides.least, "most": program.sides.most },
            "entrants": { "least": program.sides.entrants_least, "most": program.sides.entrants_most },
            "die_sizes": program.die_sizes,
            "dice_with_faces": program.faces.iter().map(|faces| self.faces_json(faces)).collect::<Vec<_>>(),
            "options": self.options_json(),
            "characters": self.entrants_json(),
            "sheets": self.piece_sheets().into_iter().map(|print| self.sheet_json(print)).collect::<Vec<_>>(),
            "kinds": self.kinds_json(),
            "abilities": self.abilities_json(),
            "entries": entries.collect::<Vec<_>>(),
        })
    }

    fn modes_text(&self) -> String {
        let mut table = Table::default();
        for mode in &self.program.modes {
            table.add_row([mode.name.clone(), mode.title.clone()]);
        }
        table.to_text()
    }

    fn faces_json(&self, faces: &Faces) -> Value {
        json!({ "name": self.program.kind(faces.kind).name, "title": faces.title, "faces": faces.values })
    }

    /// `2 sides of 1 character`.
    fn sides_text(&self) -> String {
        let sides = &self.program.sides;
        let plain = range_text(sides.least, sides.most);
        let word = if sides.most == 1 { "side" } else { "sides" };
        let kind = sides.entrant.and_then(|kind| self.program.kinds.get(kind as usize));
        match kind {
            Some(kind) => {
                let noun = readable_name(if sides.entrants_most == 1 { &kind.name } else { &kind.plural });
                format!("{plain} {word} of {} {noun}", range_text(sides.entrants_least, sides.entrants_most))
            }
            None => format!("{plain} {word}"),
        }
    }

    /// For each sort of printed pieces, the number of sheets and their kinds.
    fn others_text(&self) -> Vec<(String, String)> {
        let others = self.piece_sheets();
        let count = |kind: SheetId| others.iter().filter(|print| print.sheet == kind).count();
        let sort = |root: SheetId| {
            let kinds: Vec<SheetId> = self.sheet_kinds().filter(|(_, info)| info.root == root).map(|(kind, _)| kind).collect();
            let parts: Vec<String> =
                kinds.iter().filter(|kind| count(**kind) > 0).map(|kind| self.sheet_count_text(*kind, count(*kind))).collect();
            let total = self.sheet_count_text(root, kinds.iter().map(|kind| count(*kind)).sum());
            let text = if kinds.len() == 1 { total } else { format!("{total}: {}", join_words(&parts, "and")) };
            (capitalise_first(&self.kind_plural(root)), if parts.is_empty() { String::new() } else { paragraph_text(&text, 2) })
        };
        self.sheet_kinds()
            .filter(|(kind, info)| info.root == *kind && !self.is_brought(*kind))
            .map(|(kind, _)| sort(kind))
            .collect()
    }

    /// Whether sides bring sheets of a kind.
    fn is_brought(&self, kind: SheetId) -> bool {
        let info = self.program.prints.sheets.get(usize::from(kind));
        info.is_some_and(|info| info.kind.is_some() && info.kind == self.program.sides.entrant)
    }

    /// The kinds of sheets with the number of each; `is_a` is the kind it builds on.
    fn kinds_json(&self) -> Value {
        let kinds = self.sheet_kinds().map(|(kind, info)| {
            let base = info.base.and_then(|base| self.program.prints.sheets.get(usize::from(base)));
            let sheets = self.every_sheet().filter(|print| print.sheet == kind);
            json!({ "name": info.name, "plural": info.plural, "is_a": base.map(|base| &base.name), "sheets": sheets.count() })
        });
        kinds.collect()
    }

    /// The possible subjects of `show`: `a deck, a card, a kind of cards or an ability`.
    fn subjects_text(&self) -> String {
        let mut subjects = Vec::new();
        for (kind, info) in self.sheet_kinds().filter(|(kind, info)| info.root == *kind) {
            subjects.push(with_article(&readable_name(&info.name)));
            if !self.is_brought(kind) || self.sheet_kinds().any(|(other, info)| info.root == kind && other != kind) {
                subjects.push(format!("a kind of {}", self.kind_plural(kind)));
            }
        }
        if !self.program.abilities.is_empty() {
            subjects.push("an ability".to_string());
        }
        join_words(&subjects, "or")
    }

    /// The procedures at which play can start, each as written in a position.
    fn entries_text(&self) -> String {
        let mut table = Table::default();
        for procedure in self.program.procedures.iter().filter(|procedure| procedure.entry) {
            table.add_row([example_entry(&self.program, procedure)]);
        }
        table.to_text()
    }
}
