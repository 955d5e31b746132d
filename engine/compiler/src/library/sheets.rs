//! The sheets of a line of packages: for each id, the version that counts.
//!
//! A file of one sheet with `replaces` replaces the sheet of its id, in any file. The same goes for a sheet among several in
//! one file. A file of several sheets with `replaces` replaces the file of its name.

use super::{Game, Library};
use crate::compose::{Contested, History, How, LayerId, Layers, Settle, Version, clash, is_there};
use crate::sheet::{Entry, entries};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::yaml::{Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The sheets of a game.
pub(super) struct Sheets<'l> {
    /// The sheets, sorted by file name.
    pub entries: Vec<Entry<'l>>,
    /// Their files, and those that cannot be read.
    pub files: BTreeSet<SourceId>,
}

/// A file of sheets.
#[derive(Clone, Copy)]
struct File<'l> {
    stem: &'l str,
    source: SourceId,
    node: &'l Node,
    /// It has `replaces`.
    replaces: bool,
}

/// A sheet with the stem of its file.
type Sheet<'l> = (&'l str, Entry<'l>);

impl Library {
    /// The sheets of a line. Reports clashes.
    pub(super) fn sheets_of<'l>(&'l self, line: &[&'l Game], layers: &Layers, problems: &mut Vec<Problem>) -> Sheets<'l> {
        let mut gathered = Gathered { histories: BTreeMap::new(), in_files: BTreeMap::new(), layers, problems };
        let mut files = BTreeSet::new();
        for (layer, game) in line.iter().enumerate() {
            for (stem, source) in &game.sheets {
                match self.sheet(*source) {
                    Some(node) => gathered.add(layer, File { stem, source: *source, node, replaces: self.replaces(*source) }),
                    None => drop(files.insert(*source)),
                }
            }
        }
        let entries = gathered.settled();
        files.extend(entries.iter().map(|entry| entry.source));
        Sheets { entries, files }
    }

    /// Whether a file has the note `replaces`.
    pub(super) fn replaces(&self, source: SourceId) -> bool {
        self.text(source).is_some_and(|text| text.notes.replaces.is_some())
    }

    /// The ids of a game's own sheets.
    pub(super) fn own_sheet_ids(&self, game: &Game) -> Vec<String> {
        let ids = game.sheets.iter().flat_map(|(stem, source)| {
            let entries = self.sheet(*source).map_or(Vec::new(), |node| entries(stem, *source, node));
            entries.into_iter().map(|entry| entry.id)
        });
        ids.collect()
    }

    /// The syntax problems of some files.
    pub(super) fn unreadable(&self, files: &BTreeSet<SourceId>) -> impl Iterator<Item = &Problem> {
        files.iter().flat_map(|source| self.miswritten(*source))
    }
}

struct Gathered<'l, 'p> {
    histories: BTreeMap<String, History<Sheet<'l>>>,
    /// The ids of all sheets that any package has in a file of this name.
    in_files: BTreeMap<&'l str, BTreeSet<String>>,
    layers: &'p Layers,
    problems: &'p mut Vec<Problem>,
}

impl<'l> Gathered<'l, '_> {
    fn add(&mut self, layer: LayerId, file: File<'l>) {
        let sheets = entries(file.stem, file.source, file.node);
        let kept: BTreeSet<&str> = sheets.iter().map(|sheet| sheet.id.as_str()).collect();
        let replaced = if file.replaces { self.of_file(layer, file) } else { Vec::new() };
        for id in replaced.into_iter().filter(|id| !kept.contains(id.as_str())) {
            let gone = Version { layer, how: How::Removes, place: file.node.span, what: None };
            self.histories.entry(id).or_default().push(gone);
        }
        for sheet in sheets {
            let place = replaces(&sheet).filter(|_| !file.replaces);
            let (id, replaces) = (sheet.id.clone(), file.replaces || place.is_some());
            let history = self.histories.entry(id.clone()).or_default();
            match version(layer, (file.stem, sheet), replaces, history, self.layers) {
                Ok(version) => {
                    let nothing = place.filter(|_| version.how == How::Declares);
                    self.problems.extend(nothing.map(|place| replaces_nothing(&id, place)));
                    history.push(version);
                    self.in_files.entry(file.stem).or_default().insert(id);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    /// The sheets in a file of this name that exist below a layer.
    fn of_file(&self, layer: LayerId, file: File) -> Vec<String> {
        let is_in = |version: &&Version<Sheet>| version.what.as_ref().is_some_and(|(stem, _)| *stem == file.stem);
        let found = |history: &History<Sheet>| history.found_by(layer, self.layers).iter().any(is_in);
        let ids = self.in_files.get(file.stem).into_iter().flatten();
        ids.filter(|id| self.histories.get(*id).is_some_and(found)).cloned().collect()
    }

    fn settled(self) -> Vec<Entry<'l>> {
        let mut sheets: Vec<(LayerId, &Sheet)> = Vec::new();
        for (id, history) in &self.histories {
            let counting = history.counting(self.layers);
            let first = counting.first().map(|version| version.layer);
            if is_there(&counting) && counting.iter().any(|version| Some(version.layer) != first) {
                let contested = Contested { what: format!("the sheet `{id}`"), settle: Settle::Sheet(id.clone()) };
                self.problems.push(clash(&counting, &contested, self.layers));
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
fn version<'l>(
    layer: LayerId,
    sheet: Sheet<'l>,
    replaces: bool,
    history: &History<Sheet<'l>>,
    layers: &Layers,
) -> Result<Version<Sheet<'l>>, Problem> {
    let found = history.found_by(layer, layers);
    let old = found.iter().find_map(|version| Some((version.layer, &version.what.as_ref()?.1)));
    let how = match (old, replaces) {
        (Some(_), true) => How::Replaces,
        (None, _) => How::Declares,
        (Some((owner, old)), false) => return Err(taken(&sheet.1, &layers.words(owner), old)),
    };
    Ok(Version { layer, how, place: sheet.1.span, what: Some(sheet) })
}

fn taken(sheet: &Entry, owner: &str, old: &Entry) -> Problem {
    Problem::error(codes::NAME_TAKEN, format!("the name `{}` is taken", sheet.id))
        .at(sheet.span, format!("{owner} has a sheet of this name"))
        .at(old.span, "written here")
        .help("rename the sheet, or add a line `replaces: true` to replace the other")
}

/// The span of a sheet's `replaces`.
fn replaces(sheet: &Entry) -> Option<Span> {
    sheet.line("replaces").filter(|node| node.value != Value::Flag(false)).map(|node| node.span)
}

/// The error for a sheet among several that replaces nothing. For a sheet alone in its file, it is reported when the file is
/// read.
fn replaces_nothing(id: &str, place: Span) -> Problem {
    Problem::error(codes::REPLACES_NOTHING, format!("there is no other `{id}` to replace"))
        .at(place, "replaces nothing")
        .help("remove this, or give the sheet the name of the one it replaces")
}
