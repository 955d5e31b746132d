//! Which file of a crate uses which other, by the paths that are written in it.

use crate::engine_names_no_game::files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name of a file's module: `game/undo`; of the crate itself: nothing.
pub type Module = Vec<String>;

/// What each file uses of the others, apart from its tests. Re-exports count as what they lead to.
pub fn uses(root: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let sources: BTreeMap<Module, Source> =
        files(root, &["rs"]).into_iter().filter_map(|path| Some((module(root, &path)?, Source::read(&path)))).collect();
    let house = House(&sources);
    let used = |(module, source): (&Module, &Source)| {
        let paths = source.paths.iter().chain(source.imports.values().filter(|import| !import.public).map(|import| &import.path));
        let leads = paths.filter_map(|path| house.home(&house.absolute(module, path)?, 0));
        (module.clone(), leads.filter(|home| home != module && !home.is_empty()).collect())
    };
    sources.iter().map(used).collect()
}

/// None of what only tests are made of.
fn module(root: &Path, path: &Path) -> Option<Module> {
    let path = path.strip_prefix(root).ok()?.with_extension("");
    let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["main"] => None,
        ["lib"] => Some(Vec::new()),
        names if names.iter().any(|name| matches!(*name, "tests" | "testing")) => None,
        _ => Some(names),
    }
}

type Segments = Vec<String>;

struct Import {
    path: Segments,
    public: bool,
}

/// What is written in a file.
struct Source {
    /// By the names that they have in the file.
    imports: BTreeMap<String, Import>,
    /// Paths of two or more names anywhere else.
    paths: Vec<Segments>,
}

impl Source {
    fn read(path: &Path) -> Source {
        let text = std::fs::read_to_string(path).unwrap();
        let (mut imports, mut paths) = (BTreeMap::new(), Vec::new());
        let mut rest = String::new();
        for statement in without_tests(&text).split_inclusive(';') {
            let start = statement.rfind("use ").filter(|start| begins_an_import(statement, *start));
            let Some(start) = start else {
                rest.push_str(statement);
                continue;
            };
            let public = statement[..start].trim_end().ends_with(['b', ')']);
            for (name, path) in tree(statement[start + 4..].trim_end_matches(';'), &[]) {
                imports.insert(name, Import { path, public });
            }
        }
        for word in rest.split(|sign: char| !(sign.is_alphanumeric() || sign == '_' || sign == ':')) {
            let path: Segments = word.split("::").map(str::to_string).collect();
            if path.len() > 1 && !path[0].is_empty() {
                // A path that begins with an imported name goes on from there.
                let begun = imports.get(&path[0]).map(|import: &Import| import.path.clone());
                paths.push(
                    begun
                        .into_iter()
                        .flatten()
                        .chain(path[usize::from(imports.contains_key(&path[0]))..].iter().cloned())
                        .collect(),
                );
            }
        }
        Source { imports, paths }
    }
}

/// Whether `use ` at this place begins a statement, after `pub` or nothing.
fn begins_an_import(statement: &str, start: usize) -> bool {
    let line = statement[..start].rsplit('\n').next().unwrap_or_default().trim();
    line.is_empty() || line.starts_with("pub")
}

/// Without comments, and without what follows the first module of tests.
fn without_tests(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let lines: Vec<&str> = lines.collect();
    let is_tests =
        |pair: &[&str]| pair[0].trim().starts_with("#[cfg(") && pair[0].contains("test") && pair[1].contains("mod tests {");
    let end = lines.windows(2).position(is_tests).unwrap_or(lines.len());
    lines[..end].join("\n")
}

/// The names that an import brings with their paths: `a::{b, c as d}` is `b` with `a::b` and `d` with `a::c`.
fn tree(text: &str, before: &[String]) -> Vec<(String, Segments)> {
    let text = text.trim();
    let Some((head, list)) = text.split_once('{') else {
        let (path, name) = text.split_once(" as ").map_or((text, None), |(path, name)| (path, Some(name.trim())));
        let mut path: Segments = before.iter().cloned().chain(path.split("::").map(|name| name.trim().to_string())).collect();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.map(str::to_string).or(path.last().cloned()).unwrap_or_default();
        return vec![(name, path)];
    };
    let head = head.trim_end().trim_end_matches("::");
    let before: Segments = before
        .iter()
        .cloned()
        .chain(head.split("::").filter(|name| !name.is_empty()).map(|name| name.trim().to_string()))
        .collect();
    parts(list.trim_end().trim_end_matches('}')).into_iter().flat_map(|part| tree(part, &before)).collect()
}

/// What commas outside braces part.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, sign) in list.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

struct House<'a>(&'a BTreeMap<Module, Source>);

impl House<'_> {
    /// A path from the crate's root; none if it leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Segments> {
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "super" | "self" => {
                let ups = path.iter().take_while(|name| *name == "super" || *name == "self");
                let up = ups.clone().filter(|name| *name == "super").count();
                let base = &module[..module.len().checked_sub(up)?];
                Some(base.iter().chain(&path[ups.count()..]).cloned().collect())
            }
            name => {
                let child: Module = module.iter().cloned().chain([name.to_string()]).collect();
                self.0.contains_key(&child).then(|| module.iter().chain(path).cloned().collect())
            }
        }
    }

    /// The file in which a path ends; none if it names nothing but a module.
    fn home(&self, path: &[String], steps: usize) -> Option<Module> {
        let most = (0..=path.len()).rev().find(|most| self.0.contains_key(&path[..*most]))?;
        let (module, name) = (&path[..most], path.get(most)?);
        let import = self.0[module].imports.get(name).filter(|import| import.public && steps < 8);
        match import.and_then(|import| self.absolute(module, &import.path)) {
            Some(further) => self.home(&[further, path[most + 1..].to_vec()].concat(), steps + 1),
            None => Some(module.to_vec()),
        }
    }
}
