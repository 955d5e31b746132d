//! Files that look meant for a game but are not read. They have the wrong extension, are in an unread folder, or lack the marks
//! of a sheet.
//!
//! `check` reports them, because a misnamed file would otherwise have no effect and no message. The parts of a library are its
//! folders `rules`, `characters` and `scripts`. Files directly beside them are loose.

use super::file::{is_yaml, path_text, read_text_file};
use super::folder::{PARTS, is_of_interest, lists_numbers, looks_like_a_sheet, looks_like_scenarios};
use ludex_engine::codes;
use ludex_engine::library::{MANIFEST, limits};
use ludex_engine::problem::{Problem, nearest_word};
use std::path::{Path, PathBuf};

/// The extensions that are read.
const ENDINGS: [&str; 4] = ["ludex", "rhai", "yaml", "yml"];
/// Extensions of plain texts, which editors add to others.
const TEXTS: [&str; 3] = ["txt", "text", ""];
/// Maximum depth of the search in folders beside those of a library.
const DEEP: usize = 3;

/// A file or folder that is not read.
#[derive(Clone, Debug)]
pub struct OverlookedFile {
    pub place: PathBuf,
    pub problem: Problem,
}

/// Finds everything in a library's folder that looks meant but is not read. The current folder may hold anything: `is_library`
/// says whether files of games were found in it.
pub fn find_overlooked(root: &Path, is_library: bool) -> Vec<OverlookedFile> {
    let mut search = Search { found: Vec::new(), entries: 0 };
    for (path, is_folder) in search.list_entries(root) {
        match (is_folder, is_part(&path)) {
            (true, true) => search.search_part(&path, 1),
            (true, false) => search.check_other_folder(&path),
            (false, _) => search.check_loose_file(&path, is_library),
        }
    }
    search.found
}

struct Search {
    found: Vec<OverlookedFile>,
    /// Number of files and folders examined.
    entries: usize,
}

impl Search {
    /// The contents of a folder by name, without links and hidden entries. Each has a flag for folders.
    fn list_entries(&mut self, folder: &Path) -> Vec<(PathBuf, bool)> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
        let left = limits::ENTRIES.saturating_sub(self.entries);
        let kinds = entries.take(left).filter_map(|entry| Some((entry.path(), entry.file_type().ok()?)));
        let mut found: Vec<(PathBuf, bool)> =
            kinds.filter(|(_, kind)| kind.is_dir() || kind.is_file()).map(|(path, kind)| (path, kind.is_dir())).collect();
        self.entries += found.len();
        found.sort();
        found
    }

    /// Searches a folder that is read: only the names of its files can be wrong. `depth` is 1 for the part itself.
    fn search_part(&mut self, folder: &Path, depth: usize) {
        if depth > limits::FOLDERS_DEEP {
            return;
        }
        for (path, is_folder) in self.list_entries(folder) {
            match is_folder {
                true => self.search_part(&path, depth + 1),
                false => self.found.extend(misnamed_file(&path).or_else(|| misplaced_file(&path))),
            }
        }
    }

    /// Checks a file beside the folders of a library. In a folder that is no library yet, files of unknown extension are
    /// reported only if their text is clearly meant.
    fn check_loose_file(&mut self, path: &Path, is_library: bool) {
        let name = name_of(path);
        if name == "ludex.yml" {
            return self.found.push(unread_file_report(
                path,
                "the manifest of a library has another name",
                format!("call it `{MANIFEST}`"),
            ));
        }
        if !is_of_interest(path) {
            let is_meant = is_library || readable_text(path).is_some_and(|text| kind_of(&text).is_some());
            self.found.extend(misnamed_file(path).filter(|_| is_meant));
        } else if is_yaml(path) && name != MANIFEST {
            self.found.extend(readable_text(path).and_then(|text| incomplete_sheet_report(path, &text, is_library)));
        }
    }

    /// Checks a folder that is not read. It is reported with the first file in it that is meant for games.
    fn check_other_folder(&mut self, folder: &Path) {
        let name = name_of(folder);
        let holds = |search: &mut Search, fits: &dyn Fn(&Path) -> bool| search.first_below(folder, DEEP, fits);
        let is_scenarios = |path: &Path| is_yaml(path) && readable_text(path).is_some_and(|text| looks_like_scenarios(&text));
        if matches!(name.as_str(), "scenarios" | "scenario") {
            if let Some(first) = holds(self, &is_scenarios) {
                let help = "put it into `rules/GAME/scenarios`, or beside the rules".to_string();
                self.found.push(unread_file_report(&first, "scenarios belong in the folders of their games", help));
            }
            return;
        }
        if let Some(part) = nearest_word(&name.to_lowercase(), PARTS).filter(|part| *part != name) {
            let fits = |path: &Path| match part {
                "rules" => ends_with(path, "ludex"),
                "scripts" => ends_with(path, "rhai"),
                _ => is_yaml(path) && readable_text(path).is_some_and(|text| looks_like_a_sheet(&text)),
            };
            if let Some(first) = holds(self, &fits) {
                self.found.push(unread_file_report(
                    &first,
                    &format!("`{}` is not a folder of a library", path_text(folder)),
                    format!("call the folder `{part}`"),
                ));
                return;
            }
        }
        if let Some(first) = self.first_below(folder, 1, &|path| ends_with(path, "ludex")) {
            let help = format!("put the folder into `rules`, or name it with `--library {}`", path_text(folder));
            self.found.push(unread_file_report(&first, &format!("`{}` is not a folder of a library", path_text(folder)), help));
        }
    }

    /// The first matching file in a folder or its subfolders. `deep` is the number of levels to search, 1 for the folder
    /// itself.
    fn first_below(&mut self, folder: &Path, deep: usize, fits: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
        let (folders, files): (Vec<_>, Vec<_>) = self.list_entries(folder).into_iter().partition(|(_, is_folder)| *is_folder);
        let first = files.into_iter().map(|(path, _)| path).find(|path| fits(path));
        let below = || folders.into_iter().filter(|_| deep > 1).find_map(|(path, _)| self.first_below(&path, deep - 1, fits));
        first.or_else(below)
    }
}

/// Reports a file that would be read under another name.
fn misnamed_file(path: &Path) -> Option<OverlookedFile> {
    let name = name_of(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    if ENDINGS.contains(&ending.to_lowercase().as_str()) || name.to_lowercase().ends_with(".md") {
        return None;
    }
    let cause = if ending.is_empty() { "its name has no extension".to_string() } else { format!("its name ends in `.{ending}`") };
    // Names such as `owl.yaml.txt` or `owl.yaml~`.
    let plain = name.strip_suffix('~').unwrap_or(stem);
    if plain.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending)) {
        return Some(unread_file_report(path, &cause, format!("call it `{plain}`, or put it somewhere else if it is a copy")));
    }
    let may_be_meant = TEXTS.contains(&ending) || nearest_word(ending, ENDINGS).is_some();
    let kind = may_be_meant.then(|| readable_text(path)).flatten().and_then(|text| kind_of(&text))?;
    Some(unread_file_report(path, &cause, format!("call it `{stem}.{kind}`")))
}

/// Reports scenarios or a sheet among rules and scripts.
fn misplaced_file(path: &Path) -> Option<OverlookedFile> {
    let is_below = |name: &str| path.ancestors().skip(1).any(|folder| name_of(folder) == name);
    if !is_yaml(path) || is_below("scenarios") || is_below("characters") {
        return None;
    }
    let text = readable_text(path)?;
    let (what, folder) = match (looks_like_scenarios(&text), looks_like_a_sheet(&text)) {
        (true, _) => ("scenarios belong in a folder of their own", "rules/GAME/scenarios"),
        (_, true) => ("sheets do not belong here", "characters/GAME"),
        _ => return None,
    };
    Some(unread_file_report(path, what, format!("put it into `{folder}`")))
}

/// Reports a YAML file that is nearly a sheet. `is_library` says that its folder has files of games, so that fewer signs are
/// enough.
fn incomplete_sheet_report(path: &Path, text: &str, is_library: bool) -> Option<OverlookedFile> {
    if looks_like_a_sheet(text) || looks_like_scenarios(text) || text.lines().any(|line| line.starts_with("ludex-position")) {
        return None;
    }
    if text.trim().is_empty() {
        return Some(unread_file_report(path, "it is empty", "write a sheet into it, or remove it".to_string()));
    }
    let keys = || text.lines().filter_map(|line| line.split_once(':')).map(|(key, _)| key);
    let has_name = keys().any(|key| key == "name");
    let meant = keys().find(|key| *key != "name" && *key != "game" && nearest_word(key, ["name"]).is_some());
    let (has_key, has_numbers) = (keys().any(|key| key == "abilities" || key == "game"), text.lines().any(lists_numbers));
    let is_near = has_key || has_numbers;
    // Without a library beside it, a single sign may be chance.
    let is_meant = is_near && is_library || has_key && has_numbers;
    match (has_name, meant) {
        (false, Some(key)) if is_near || is_library => Some(unread_file_report(
            path,
            &format!("it has a line `{key}:` but no line `name:`"),
            format!("write `name:` instead of `{key}:`"),
        )),
        (false, None) if is_meant => {
            Some(unread_file_report(path, "it has no line `name:`", "begin it with `name: NAME` if it is a sheet".to_string()))
        }
        (true, _) if is_library && !is_near => {
            let help = "add a line `game: NAME` if it is a sheet".to_string();
            Some(unread_file_report(path, "only its `name:` suggests a sheet", help))
        }
        _ => None,
    }
}

/// The extension that fits a text, if it is meant for a game.
fn kind_of(text: &str) -> Option<&'static str> {
    let is_rules = |line: &str| line.strip_prefix("ludex ").is_some_and(|rest| rest.trim().parse::<u32>().is_ok());
    if text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).is_some_and(is_rules) {
        Some("ludex")
    } else if text.lines().any(|line| line.starts_with("//! ability")) {
        Some("rhai")
    } else {
        (looks_like_a_sheet(text) || looks_like_scenarios(text)).then_some("yaml")
    }
}

/// The report of a file that is not read, with its cause and the fix.
fn unread_file_report(path: &Path, cause: &str, help: String) -> OverlookedFile {
    let message = format!("`{}` is not read: {cause}", path_text(path));
    let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    OverlookedFile { place, problem: Problem::warning(codes::FILE_UNUSED, message).help(help) }
}

fn readable_text(path: &Path) -> Option<String> {
    read_text_file(path).ok()
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn is_part(path: &Path) -> bool {
    PARTS.contains(&name_of(path).as_str())
}

fn ends_with(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own == ending)
}
