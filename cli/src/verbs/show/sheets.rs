//! Groups of sheets: those that sides bring, those of a kind, and those with the same name.
//!
//! A print is the data of one sheet. A kind is a sheet that the rules declare, such as `character` or `monster`; a kind may
//! build on another.

use super::{Description, Subject};
use crate::layout::{paragraph_text, readable_name};
use crate::output;
use ludex_engine::problem::capitalise_first;
use ludex_engine::program::{FieldInfo, Print, PrintedLine, SheetId, SheetInfo};
use serde_json::Value;

impl Subject {
    // --- selections ------------------------------------------------------------------

    /// Every sheet of the game: entrants first, then the others in the order of the kinds, each by id.
    pub(super) fn every_sheet(&self) -> impl Iterator<Item = &Print> {
        self.entrant_sheets().into_iter().chain(self.piece_sheets())
    }

    /// The sheets that sides bring.
    pub(super) fn entrant_sheets(&self) -> Vec<&Print> {
        self.program.sheets.values().filter_map(|sheet| self.program.prints.find_print(sheet.print)).collect()
    }

    /// The sheets printed on pieces.
    pub(super) fn piece_sheets(&self) -> Vec<&Print> {
        let prints = &self.program.prints;
        let mut others: Vec<&Print> = prints.ids.values().filter_map(|number| prints.find_print(*number)).collect();
        others.sort_by_key(|print| print.sheet);
        others
    }

    /// The sheet of an entrant or of a card, by its id.
    pub(super) fn sheet_by_id(&self, id: &str) -> Option<&Print> {
        let entrant = self.program.sheets.get(id).map(|sheet| sheet.print);
        self.program.prints.find_print(entrant.or_else(|| self.program.prints.ids.get(id).copied())?)
    }

    /// Whether sides can bring a sheet.
    pub(super) fn is_entrant(&self, print: &Print) -> bool {
        self.program.sheets.contains_key(&print.id)
    }

    /// The name of a sheet for players.
    pub(super) fn sheet_name(&self, print: &Print) -> &str {
        self.program.prints.printed_text(print.name)
    }

    // --- kinds of sheets -------------------------------------------------------------

    /// The declared sheets that a file can be, without parts of other sheets and settings of abilities.
    pub(super) fn sheet_kinds(&self) -> impl Iterator<Item = (SheetId, &SheetInfo)> {
        let sheets = self.program.prints.sheets.iter().enumerate().filter(|(_, info)| info.kind.is_some());
        sheets.map(|(sheet, info)| (sheet as SheetId, info))
    }

    /// Finds a kind by its name: `monster` or `monsters`.
    pub(super) fn kind_by_name(&self, name: &str) -> Option<SheetId> {
        let is_named = |info: &SheetInfo| [&info.name, &info.plural].into_iter().any(|known| known == name);
        self.sheet_kinds().find(|(_, info)| is_named(info)).map(|(sheet, _)| sheet)
    }

    /// The name of a kind in readable form: `night owl`.
    pub(super) fn kind_noun(&self, sheet: SheetId) -> String {
        self.program.prints.sheets.get(usize::from(sheet)).map_or(String::new(), |info| readable_name(&info.name))
    }

    /// The plural of a kind in readable form.
    pub(super) fn kind_plural(&self, sheet: SheetId) -> String {
        self.program.prints.sheets.get(usize::from(sheet)).map_or(String::new(), |info| readable_name(&info.plural))
    }

    /// The nearest common kind of some sheets.
    pub(super) fn common_kind(&self, prints: &[&Print]) -> Option<SheetId> {
        let is_of_all = |kind: &SheetId| prints.iter().all(|print| self.program.prints.is_sheet(print.sheet, *kind));
        self.base_kinds(prints.first()?.sheet).find(is_of_all)
    }

    /// A kind and those that it builds on, the nearest first.
    fn base_kinds(&self, kind: SheetId) -> impl Iterator<Item = SheetId> {
        let base = |kind: &SheetId| self.program.prints.sheets.get(usize::from(*kind)).and_then(|info| info.base);
        std::iter::successors(Some(kind), base)
    }

    /// All lines of a kind's files: its own before those of the kinds that it builds on.
    pub(super) fn kind_columns(&self, kind: SheetId) -> Vec<(PrintedLine, &FieldInfo)> {
        let declared = &self.program.prints;
        let own = |kind: SheetId| declared.sheets.get(usize::from(kind)).map_or(&[][..], |info| &info.prints);
        let all = declared.sheet_columns(kind);
        let column = |printed| all.iter().find(|(known, _)| known == printed).copied();
        self.base_kinds(kind).flat_map(own).filter_map(column).collect()
    }

    // --- output ----------------------------------------------------------------------

    /// The subject `characters`: the sheets that sides bring.
    pub(super) fn describe_characters(&self) -> Description {
        let title = self.entrants_title().unwrap_or_else(|| "Characters".to_string());
        let body = match self.sheets_table(&self.entrant_sheets()) {
            none if none.is_empty() => "  Sides bring no sheets.\n".to_string(),
            body => body,
        };
        Description {
            what: "characters",
            text: format!("{}\n{body}", output::heading_text(&title)),
            json: self.entrants_json(),
            source: None,
        }
    }

    /// `Decks`, if sides bring decks.
    pub(super) fn entrants_title(&self) -> Option<String> {
        let kind = self.program.kinds.get(usize::from(self.program.sides.entrant?))?;
        Some(capitalise_first(&readable_name(&kind.plural)))
    }

    pub(super) fn entrants_json(&self) -> Value {
        self.entrant_sheets().into_iter().map(|print| self.sheet_json(print)).collect()
    }

    /// The sheets of a kind and of those that build on it.
    pub(super) fn describe_kind(&self, kind: SheetId) -> Description {
        let prints: Vec<&Print> = self.every_sheet().filter(|print| self.program.prints.is_sheet(print.sheet, kind)).collect();
        let title = output::heading_text(&capitalise_first(&self.kind_plural(kind)));
        let body = if prints.is_empty() { "  There are none.\n".to_string() } else { self.sheets_table(&prints) };
        let json = prints.into_iter().map(|print| self.sheet_json(print)).collect();
        Description { what: "sheets", text: format!("{title}\n{body}"), json, source: None }
    }

    /// The sheets with the same name, from which one can be chosen by its id.
    pub(super) fn describe_namesakes(&self, prints: &[&Print]) -> Description {
        let name = prints.first().map_or("", |print| self.sheet_name(print));
        let hint = paragraph_text(&format!("Several sheets have this name. `ludex show {} ID` shows one.", self.program.game), 0);
        let text = format!("{}\n{}\n{hint}", output::heading_text(name), self.sheets_table(prints));
        let json = prints.iter().map(|print| self.sheet_json(print)).collect();
        Description { what: "sheets", text, json, source: None }
    }
}
