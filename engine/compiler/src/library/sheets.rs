//! The sheets of a line of packages: for each id, the version that counts.
//!
//! A file of one sheet with `replaces` replaces the sheet of its id, in any file. The same goes for a sheet among several in
//! one file. A file of several sheets with `replaces` replaces the file of its name.
//!
//! The id of a sheet is the stem of its file, or its key under `sheets:`. The packages of the line are layers, as for declarations,
//! see `compose`.

use super::{Game, Library};
use crate::compose::{ChangeKind, ClashRemedy, ContestedThing, History, LayerId, Layers, Version, any_present, clash_problem};
use crate::sheet::{SheetEntry, entries_in_file};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::yaml::{Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The sheets of a game.
pub(super) struct LineSheets<'l> {
    /// The sheets, sorted by file name.
    pub entries: Vec<SheetEntry<'l>>,
    /// Their files, and those that cannot be read.
    pub files: BTreeSet<SourceId>,
}

/// A file of sheets.
#[derive(Clone, Copy)]
struct SheetFile<'l> {
    stem: &'l str,
    source: SourceId,
    node: &'l Node,
    /// It has `replaces`.
    replaces: bool,
}

/// A sheet with the stem of its file.
type Sheet<'l> = (&'l str, SheetEntry<'l>);

impl Library {
    /// The sheets of a line. Reports clashes.
    pub(super) fn sheets_of_line<'l>(
        &'l self,
        line: &[&'l Game],
        layers: &Layers,
        problems: &mut Vec<Problem>,
    ) -> LineSheets<'l> {
        let mut gathered = SheetHistories { histories: BTreeMap::new(), in_files: BTreeMap::new(), layers, problems };
        let mut files = BTreeSet::new();
        for (layer, game) in line.iter().enumerate() {
            for (stem, source) in &game.sheets {
                match self.sheet_node(*source) {
                    Some(node) => gathered.add_sheet_file(
                        layer,
                        SheetFile { stem, source: *source, node, replaces: self.has_replaces_note(*source) },
                    ),
                    None => drop(files.insert(*source)),
                }
            }
        }
        let entries = gathered.counting_sheets();
        files.extend(entries.iter().map(|entry| entry.source));
        LineSheets { entries, files }
    }

    /// Whether a file has the note `replaces`.
    pub(super) fn has_replaces_note(&self, source: SourceId) -> bool {
        self.loaded_text(source).is_some_and(|text| text.notes.replaces.is_some())
    }

    /// The ids of a game's own sheets.
    pub(super) fn own_sheet_ids(&self, game: &Game) -> Vec<String> {
        let ids = game.sheets.iter().flat_map(|(stem, source)| {
            let entries = self.sheet_node(*source).map_or(Vec::new(), |node| entries_in_file(stem, *source, node));
            entries.into_iter().map(|entry| entry.id)
        });
        ids.collect()
    }

    /// The syntax problems of some files.
    pub(super) fn problems_of_files(&self, files: &BTreeSet<SourceId>) -> impl Iterator<Item = &Problem> {
        files.iter().flat_map(|source| self.source_problems(*source))
    }
}

/// The versions of all sheets of a line, by id.
struct SheetHistories<'l, 'p> {
    histories: BTreeMap<String, History<Sheet<'l>>>,
    /// The ids of all sheets that any package has in a file of this name.
    in_files: BTreeMap<&'l str, BTreeSet<String>>,
    layers: &'p Layers,
    problems: &'p mut Vec<Problem>,
}

impl<'l> SheetHistories<'l, '_> {
    /// Adds the sheets of a file to their histories. With `replaces`, the file also removes the sheets of the old file that it does
    /// not have.
    fn add_sheet_file(&mut self, layer: LayerId, file: SheetFile<'l>) {
        let sheets = entries_in_file(file.stem, file.source, file.node);
        let kept: BTreeSet<&str> = sheets.iter().map(|sheet| sheet.id.as_str()).collect();
        let replaced = if file.replaces { self.sheets_of_file(layer, file) } else { Vec::new() };
        for id in replaced.into_iter().filter(|id| !kept.contains(id.as_str())) {
            let gone = Version { layer, how: ChangeKind::Removes, place: file.node.span, what: None };
            self.histories.entry(id).or_default().push(gone);
        }
        for sheet in sheets {
            let place = replaces_span(&sheet).filter(|_| !file.replaces);
            let (id, replaces) = (sheet.id.clone(), file.replaces || place.is_some());
            let history = self.histories.entry(id.clone()).or_default();
            match sheet_version(layer, (file.stem, sheet), replaces, history, self.layers) {
                Ok(version) => {
                    let nothing = place.filter(|_| version.how == ChangeKind::Declares);
                    self.problems.extend(nothing.map(|place| replaces_nothing_problem(&id, place)));
                    history.push(version);
                    self.in_files.entry(file.stem).or_default().insert(id);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    /// The sheets in a file of this name that exist below a layer.
    fn sheets_of_file(&self, layer: LayerId, file: SheetFile) -> Vec<String> {
        let is_in = |version: &&Version<Sheet>| version.what.as_ref().is_some_and(|(stem, _)| *stem == file.stem);
        let found = |history: &History<Sheet>| history.versions_below(layer, self.layers).iter().any(is_in);
        let ids = self.in_files.get(file.stem).into_iter().flatten();
        ids.filter(|id| self.histories.get(*id).is_some_and(found)).cloned().collect()
    }

    /// The version of each sheet that counts. Reports clashes.
    fn counting_sheets(self) -> Vec<SheetEntry<'l>> {
        let mut sheets: Vec<(LayerId, &Sheet)> = Vec::new();
        for (id, history) in &self.histories {
            let counting = history.counting_versions(self.layers);
            let first = counting.first().map(|version| version.layer);
            if any_present(&counting) && counting.iter().any(|version| Some(version.layer) != first) {
                let contested = ContestedThing { what: format!("the sheet `{id}`"), settle: ClashRemedy::Sheet(id.clone()) };
                self.problems.push(clash_problem(&counting, &contested, self.layers));
            }
            // Two sheets with one id in one package are reported when they are read.
            let own = counting.into_iter().filter(|version| Some(version.layer) == first);
            sheets.extend(own.filter_map(|version| Some((version.layer, version.what.as_ref()?))));
        }
        sheets.sort_by_key(|(layer, (stem, entry))| (*stem, *layer, entry.span));
        sheets.into_iter().map(|(_, (_, entry))| entry.clone()).collect()
    }
}

/// The version of a sheet, in relation to those of its id that exist below its package.
fn sheet_version<'l>(
    layer: LayerId,
    sheet: Sheet<'l>,
    replaces: bool,
    history: &History<Sheet<'l>>,
    layers: &Layers,
) -> Result<Version<Sheet<'l>>, Problem> {
    let found = history.versions_below(layer, layers);
    let old = found.iter().find_map(|version| Some((version.layer, &version.what.as_ref()?.1)));
    let how = match (old, replaces) {
        (Some(_), true) => ChangeKind::Replaces,
        (None, _) => ChangeKind::Declares,
        (Some((owner, old)), false) => return Err(sheet_taken_problem(&sheet.1, &layers.layer_text(owner), old)),
    };
    Ok(Version { layer, how, place: sheet.1.span, what: Some(sheet) })
}

/// The error for a sheet whose id a package below has.
fn sheet_taken_problem(sheet: &SheetEntry, owner: &str, old: &SheetEntry) -> Problem {
    Problem::error(codes::NAME_TAKEN, format!("the name `{}` is taken", sheet.id))
        .with_label(sheet.span, format!("{owner} has a sheet of this name"))
        .with_label(old.span, "written here")
        .help("rename the sheet, or add a line `replaces: true` to replace the other")
}

/// The span of a sheet's `replaces`.
fn replaces_span(sheet: &SheetEntry) -> Option<Span> {
    sheet.find_line("replaces").filter(|node| node.value != Value::Flag(false)).map(|node| node.span)
}

/// The error for a sheet among several that replaces nothing. For a sheet alone in its file, it is reported when the file is
/// read.
fn replaces_nothing_problem(id: &str, place: Span) -> Problem {
    Problem::error(codes::REPLACES_NOTHING, format!("there is no other `{id}` to replace"))
        .with_label(place, "replaces nothing")
        .help("remove this, or give the sheet the name of the one it replaces")
}
