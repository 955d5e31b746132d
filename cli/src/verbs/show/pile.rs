//! A list of printed pieces: the count of each, grouped by kind.

use super::Subject;
use crate::layout::{Table, count_text, readable_name};
use crate::output;
use ludex_engine::problem::capitalise_first;
use ludex_engine::program::{Print, PrintedPiece, SheetId};

impl Subject {
    /// The printed pieces in the zones of an entrant, each zone under its name.
    pub(super) fn piles_text(&self, print: &Print) -> String {
        let Some(sheet) = self.program.sheets.get(&print.id) else { return String::new() };
        let zones = self.program.kinds.get(usize::from(sheet.kind)).map_or(&[][..], |kind| &kind.zones);
        let mut text = String::new();
        for (zone, pieces) in &sheet.zones {
            let pile = self.count_pieces(pieces);
            if let Some(zone) = zones.get(usize::from(*zone)).filter(|_| !pile.is_empty()) {
                let title = output::heading_text(&capitalise_first(&readable_name(&zone.name)));
                text.push_str(&format!("\n{title}\n{}", self.pile_text(&pile)));
            }
        }
        text
    }

    /// The count of each piece, in the order of the declared sheets, then of the file.
    fn count_pieces(&self, pieces: &[PrintedPiece]) -> Vec<(&Print, usize)> {
        let mut pile: Vec<(i32, usize)> = Vec::new();
        for number in pieces.iter().filter_map(|piece| piece.print) {
            match pile.iter_mut().find(|(known, _)| *known == number) {
                Some((_, count)) => *count += 1,
                None => pile.push((number, 1)),
            }
        }
        let prints = &self.program.prints;
        let mut pile: Vec<(&Print, usize)> =
            pile.into_iter().filter_map(|(number, count)| Some((prints.find_print(number)?, count))).collect();
        pile.sort_by_key(|(print, _)| print.sheet);
        pile
    }

    /// A line for each piece, in equal width. The first of each kind has the total of its kind.
    fn pile_text(&self, pile: &[(&Print, usize)]) -> String {
        let total = |of: SheetId| pile.iter().filter(|(print, _)| print.sheet == of).map(|(_, count)| count).sum::<usize>();
        let digits = pile.iter().map(|(_, count)| count.to_string().len()).max().unwrap_or(0);
        let mut table = Table::default();
        let mut last = None;
        for (print, count) in pile {
            let of = if last.replace(print.sheet) == Some(print.sheet) {
                String::new()
            } else {
                self.sheet_count_text(print.sheet, total(print.sheet))
            };
            table.add_row([of, format!("{count:>digits$}"), self.sheet_name(print).to_string(), print.id.clone()]);
        }
        table.to_text()
    }

    /// `1 monster`, `18 monsters`.
    pub(super) fn sheet_count_text(&self, sheet: SheetId, count: usize) -> String {
        count_text(count, &self.kind_noun(sheet), &self.kind_plural(sheet))
    }
}
