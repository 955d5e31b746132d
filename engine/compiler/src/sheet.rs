//! Reads a sheet's YAML as an entrant or a card of a compiled game. The game defines the lines of its sheets.
//!
//! The submodules use the reader of one sheet declared here.
//!
//! A sheet is a YAML file (or a part of one) that describes an entrant, which a side brings, or a card, which is a piece printed on
//! it. A print is the stored form of what cannot change in play: the name, and a value for each column. A column is a line of that
//! sort; other lines become fields and zones of the entrant. The library calls `read_all_sheets` once a program is compiled.

mod abilities;
mod cards;
mod columns;
mod dice;
mod files;
mod lines;
mod reader;
#[cfg(test)]
mod tests;

use abilities::NamedAbility;
use columns::{Columns, SheetValue};
use ludex_program::{ListedAbility, Print, PrintedPiece, Program, Sheet, SheetId, Value};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
use ludex_syntax::yaml::Node;
use std::collections::BTreeMap;

pub use cards::{read_card_id, read_cards as listed_cards};
pub use dice::{read_die, read_die_with_faces, read_plain_die};
pub use files::{AbilityHolders, SheetEntry, ability_holders, check_files, entries_in_file, read_all_sheets};
pub use lines::{SheetFiles, SheetLine, sheet_files, sheet_lines};

/// Maximum number of dice of a sheet.
pub const MOST_PIECES: usize = 20;
/// Maximum number of cards of a sheet.
pub const MOST_CARDS: usize = 400;
/// Maximum number of names in a message. If there are more, it only says where to find them.
const MOST_NAMED: usize = 8;

/// The allowed sources of a list.
pub const PROVENANCES: [&str; 5] = ["seed", "deduced", "third-party", "placeholder", "ours"];

/// Keys allowed in the sheets of every game.
pub const KEYS: [&str; 6] = ["name", "abilities", "provenance", "note", "game", "replaces"];
/// The keys that select one of several sheets, or hold several.
pub const SHEET_KEYS: [&str; 2] = ["sheet", "sheets"];

/// The values read from one file so far.
#[derive(Default)]
struct SheetReading {
    name: Option<String>,
    zones: Vec<(u16, Vec<PrintedPiece>)>,
    fields: Vec<(u16, Value)>,
    columns: Vec<(u16, SheetValue)>,
    abilities: Vec<NamedAbility>,
    provenance: BTreeMap<String, String>,
    note: Option<String>,
}

/// Reads sheets of one kind, by the game's declaration.
struct SheetReader<'p> {
    program: &'p Program,
    /// For an entrant: its kind in play.
    kind: Option<&'p ludex_program::Kind>,
    columns: Columns<'p>,
    /// Its name in messages: `the character`.
    what: String,
    /// It is nested in another sheet.
    part: bool,
}

/// Reads an entrant's sheet, as the declared sheet that its file names. Returns a sheet if it is complete enough to go on.
pub fn read_entrant_sheet(
    node: &Node,
    source: SourceId,
    id: &str,
    sheet: Option<SheetId>,
    program: &mut Program,
    problems: &mut Vec<Problem>,
) -> Option<Sheet> {
    let kind = program.sides.entrant?;
    let reader = SheetReader::of_entrant(program, kind, sheet)?;
    let SheetReading { name, zones, fields, columns, abilities, provenance, note } = reader.read_sheet(node, problems)?;
    let name = name.unwrap_or_else(|| id.to_string());
    let abilities = store_abilities(program, abilities, source);
    let print = match sheet {
        Some(sheet) => {
            let values = columns::row_values(&mut program.prints, sheet, columns, source);
            let name = program.prints.intern_text(&name);
            let print = Print {
                id: id.to_string(),
                name,
                sheet,
                values,
                abilities: abilities.clone(),
                provenance: provenance.clone(),
                note: note.clone(),
                source,
            };
            program.prints.add_print(print)
        }
        None => ludex_program::NONE,
    };
    Some(Sheet { id: id.to_string(), name, kind, zones, fields, abilities, print, provenance, note, source, before_play: None })
}

/// Reads a card and adds it to the prints.
pub fn read_card(
    node: &Node,
    source: SourceId,
    id: &str,
    sheet: SheetId,
    program: &mut Program,
    problems: &mut Vec<Problem>,
) -> Option<()> {
    let SheetReading { name, columns, abilities, provenance, note, .. } =
        SheetReader::of_card(program, sheet).read_sheet(node, problems)?;
    let abilities = store_abilities(program, abilities, source);
    let values = columns::row_values(&mut program.prints, sheet, columns, source);
    let name = program.prints.intern_text(&name.unwrap_or_else(|| id.to_string()));
    let print = Print { id: id.to_string(), name, sheet, values, abilities, provenance, note, source };
    let print = program.prints.add_print(print);
    program.prints.ids.insert(id.to_string(), print);
    Some(())
}

/// Adds the settings of listed abilities to the prints.
fn store_abilities(program: &mut Program, named: Vec<NamedAbility>, source: SourceId) -> Vec<ListedAbility> {
    let mut listed = Vec::new();
    for (ability, settings) in named {
        listed.push(ListedAbility { ability, settings: abilities::store_settings(program, ability, settings, source) });
    }
    listed
}
