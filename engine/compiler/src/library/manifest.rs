//! The manifest of a library, `ludex.yaml`: its name, version, author and licence, and the state of the games it was made
//! for.
//!
//! A base is a game of another library that this one adds to or extends. When a library is packed, the digests of its bases are
//! written into the manifest; if they differ later, the author should check that the library still works.

use super::Library;
use super::hashes::{hash_game_files, hash_own_files};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::yaml::Node;
use std::collections::{BTreeMap, BTreeSet};

/// The name of the manifest, in the library's top folder.
pub const MANIFEST: &str = "ludex.yaml";
/// Its first key, which holds the format version.
pub const MANIFEST_KEY: &str = "ludex-library";

/// The rule for names, for messages.
pub const NAME_HELP: &str = "use small letters, digits and hyphens, as in `my-dice`";
/// The rule for versions, for messages.
pub const VERSION_HELP: &str = "use letters, digits and dots, as in `1.0.2`";

/// Maximum number of changed files in a message.
const MOST_NAMED: usize = 4;
/// Maximum number of characters of a manifest line.
const LONGEST_LINE: usize = 200;

/// The manifest of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Its name: small letters, digits and hyphens.
    pub name: String,
    /// Its version, such as `1.0.2`.
    pub version: String,
    /// Its author.
    pub author: String,
    /// Its licence.
    pub licence: String,
    /// A description in one sentence.
    pub about: Option<String>,
    /// The games of other libraries that it adds to or extends, in their state when it was packed.
    pub made_for: Vec<Base>,
}

/// A game that a library adds to or extends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// Its id.
    pub game: String,
    /// Digest over all of its files.
    pub hash: String,
    /// The digest of each file, by path.
    pub files: BTreeMap<String, String>,
    /// The span of its entry in the manifest.
    place: Option<Span>,
}

/// The difference between a game and the one that a library was made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseChange {
    /// Its id.
    pub game: String,
    /// The game no longer exists.
    pub gone: bool,
    /// The paths of files with changed contents.
    pub changed: Vec<String>,
    /// The paths of new files.
    pub added: Vec<String>,
    /// The paths of removed files.
    pub removed: Vec<String>,
    /// The place of the game's entry in the manifest.
    place: Option<Span>,
}

/// A manifest with its place.
#[derive(Clone, Debug)]
pub(super) struct ManifestFile {
    pub source: SourceId,
    pub manifest: Option<Manifest>,
}

impl Manifest {
    /// Reads a manifest. Returns none if it lacks a required line.
    pub fn from_node(node: &Node, problems: &mut Vec<Problem>) -> Option<Manifest> {
        let mut map = node.as_map(problems, "the manifest")?;
        if let Some(version) = map.required_value(MANIFEST_KEY) {
            version.as_number(problems, "the version of the manifest", 1..=1);
        }
        let mut line = |node: Option<&Node>, what: &str| read_line(node?, what, problems);
        let name = line(map.required_value("name"), "`name`");
        let version = line(map.required_value("version"), "`version`");
        let author = line(map.required_value("author"), "`author`");
        let licence = line(map.required_value("licence"), "`licence`");
        let about = line(map.optional_value("about"), "`about`");
        let made_for = map.optional_value("made-for").map(|node| read_bases(node, problems)).unwrap_or_default();
        let place = |key: &str| map.find_entry(key).map_or(node.span, |(_, node)| node.span);
        let (at_name, at_version) = (place("name"), place("version"));
        map.finish(problems);
        let name = name?;
        let mut wrong = |place, message: String, help| {
            problems.push(Problem::error(codes::MANIFEST, message).with_label(place, "here").help(help))
        };
        if !is_library_name(&name) {
            wrong(at_name, format!("a library cannot be called `{name}`"), NAME_HELP);
        }
        if let Some(version) = version.as_ref().filter(|version| !is_library_version(version)) {
            wrong(at_version, format!("`{version}` cannot be a version"), VERSION_HELP);
        }
        Some(Manifest { name, version: version?, author: author?, licence: licence?, about, made_for })
    }

    /// The manifest as a YAML text.
    pub fn yaml_text(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut text = format!("{MANIFEST_KEY}: 1\nname: {}\n", self.name);
        for (key, value) in [("version", &self.version), ("author", &self.author), ("licence", &self.licence)] {
            text.push_str(&format!("{key}: {}\n", quoted(value)));
        }
        if let Some(about) = &self.about {
            text.push_str(&format!("about: {}\n", quoted(about)));
        }
        if !self.made_for.is_empty() {
            text.push_str("\n# The games it was made for, as they were when it was packed. `ludex show` and `ludex check` report later changes.\nmade-for:\n");
        }
        for base in &self.made_for {
            text.push_str(&format!("  {}:\n    hash: \"{}\"\n    files:\n", base.game, base.hash));
            for (path, hash) in &base.files {
                text.push_str(&format!("      {}: \"{hash}\"\n", quoted(path)));
            }
        }
        text
    }
}

/// Whether a text is a valid library name.
pub fn is_library_name(name: &str) -> bool {
    let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    !name.is_empty() && name.len() <= 60 && !name.starts_with('-') && name.chars().all(fits)
}

/// Whether a text is a valid library version.
pub fn is_library_version(version: &str) -> bool {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '+' | '_');
    (1..=40).contains(&version.len())
        && version.starts_with(|sign: char| sign.is_ascii_alphanumeric())
        && version.chars().all(fits)
}

/// The reason why a text cannot be a line of a manifest; none if it can.
pub fn unfit_line_reason(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("must not be empty");
    }
    (text.chars().count() > LONGEST_LINE || text.chars().any(char::is_control))
        .then_some("must be one line of at most 200 characters")
}

/// A single line: words or a number, since versions may be numbers.
fn read_line(node: &Node, what: &str, problems: &mut Vec<Problem>) -> Option<String> {
    let text = node.as_text(problems, what)?.trim();
    if let Some(reason) = unfit_line_reason(text) {
        problems.push(Problem::error(codes::MANIFEST, format!("{what} {reason}")).with_label(node.span, "here"));
        return None;
    }
    Some(text.to_string())
}

/// Reads the games under `made-for`.
fn read_bases(node: &Node, problems: &mut Vec<Problem>) -> Vec<Base> {
    let Some(games) = node.as_entries(problems, "`made-for`") else { return Vec::new() };
    let mut found = Vec::new();
    for (key, node) in games {
        let Some(mut map) = node.as_map(problems, "a game that the library was made for") else { continue };
        let hash = map.required_value("hash").and_then(|node| node.as_text(problems, "`hash`")).unwrap_or_default().to_string();
        let mut files = BTreeMap::new();
        for (path, hash) in map.required_value("files").and_then(|node| node.as_entries(problems, "`files`")).unwrap_or_default()
        {
            files.extend(hash.as_text(problems, "the hash of a file").map(|hash| (path.name.clone(), hash.to_string())));
        }
        map.finish(problems);
        found.push(Base { game: key.name.clone(), hash, files, place: Some(key.span) });
    }
    found
}

impl Library {
    /// The manifest of a library, if it has one.
    pub fn library_manifest(&self, library: &str) -> Option<&Manifest> {
        self.manifests.get(library)?.manifest.as_ref()
    }

    /// The libraries that have manifests, with them.
    pub fn all_manifests(&self) -> impl Iterator<Item = (&str, &Manifest)> {
        self.manifests.iter().filter_map(|(library, told)| Some((library.as_str(), told.manifest.as_ref()?)))
    }

    /// The manifest file of a library.
    pub fn manifest_file(&self, library: &str) -> Option<SourceId> {
        self.manifests.get(library).map(|told| told.source)
    }

    /// The games of other libraries that a library adds to or extends, in their state without it.
    pub fn current_bases(&self, library: &str) -> Vec<Base> {
        let without = self.without_library(library);
        let concerned = self.games_of_library(library);
        let ids: BTreeSet<&str> =
            concerned.iter().flat_map(|game| self.package_line(game)).map(|game| game.id.as_str()).collect();
        ids.into_iter().filter_map(|id| without.current_base(id)).collect()
    }

    /// The games that start in a library or contain a file of it.
    pub fn games_of_library(&self, library: &str) -> Vec<String> {
        let has = |source: SourceId| self.source_library(source) == library;
        self.games.values().filter(|game| game.game_files().any(has)).map(|game| game.id.clone()).collect()
    }

    /// The digests of a game's own files as they are now; none if there is no such game.
    fn current_base(&self, game: &str) -> Option<Base> {
        let files = hash_own_files(self, self.games.get(game)?);
        let hash = hash_game_files(game, &files).hash;
        Some(Base { game: game.to_string(), hash, files: files.into_iter().collect(), place: None })
    }

    /// The changes to the games that a library was made for, since it was packed.
    pub fn base_changes(&self, library: &str) -> Vec<BaseChange> {
        let Some(manifest) = self.library_manifest(library).filter(|manifest| !manifest.made_for.is_empty()) else {
            return Vec::new();
        };
        let without = self.without_library(library);
        let change = |then: &Base| base_change(then, without.current_base(&then.game));
        manifest.made_for.iter().filter_map(change).collect()
    }

    /// Warnings of such changes, for all libraries.
    pub fn base_change_problems(&self) -> Vec<Problem> {
        let of_library = |library: &String| {
            let name = self.library_manifest(library).map_or(library.as_str(), |manifest| &manifest.name);
            self.base_changes(library).into_iter().map(move |change| change.change_problem(name)).collect::<Vec<_>>()
        };
        self.manifests.keys().flat_map(of_library).collect()
    }
}

/// The difference between a game then and now; none if it is the same.
fn base_change(then: &Base, now: Option<Base>) -> Option<BaseChange> {
    let mut change = BaseChange { game: then.game.clone(), place: then.place, ..BaseChange::default() };
    let Some(now) = now else { return Some(BaseChange { gone: true, ..change }) };
    for (path, hash) in &then.files {
        match now.files.get(path) {
            None => change.removed.push(path.clone()),
            Some(other) if other != hash => change.changed.push(path.clone()),
            Some(_) => {}
        }
    }
    change.added = now.files.keys().filter(|path| !then.files.contains_key(*path)).cloned().collect();
    (now.hash != then.hash).then_some(change)
}

impl BaseChange {
    /// Describes the change: `rules/pond/play.ludex has changed; characters/pond/newt.yaml is new`.
    pub fn change_text(&self) -> String {
        if self.gone {
            return "the game is no longer there".to_string();
        }
        let told =
            [(&self.changed, "has", "have", "changed"), (&self.added, "is", "are", "new"), (&self.removed, "is", "are", "gone")];
        let told: Vec<String> = told
            .into_iter()
            .filter(|(files, ..)| !files.is_empty())
            .map(|(files, one, many, what)| {
                format!("{} {} {what}", file_names_text(files), if files.len() == 1 { one } else { many })
            })
            .collect();
        match told.is_empty() {
            true => "its files are the same, but the hash over them is not: the manifest was changed by hand".to_string(),
            false => told.join("; "),
        }
    }

    /// The warning for the author of a library with this name.
    fn change_problem(&self, library: &str) -> Problem {
        let message = match self.gone {
            true => format!("`{library}` was made for `{}`, which is not there", self.game),
            false => format!("`{library}` was made for another version of `{}`", self.game),
        };
        let problem = Problem::probable_warning(codes::BASE_CHANGED, message);
        let problem = self.place.into_iter().fold(problem, |problem, place| problem.with_label(place, self.change_text()));
        problem.help("check that it still works, then pack it again with `ludex pack`")
    }
}

/// The first few of some files, and the number of further ones.
fn file_names_text(files: &[String]) -> String {
    let mut words: Vec<String> = files.iter().take(MOST_NAMED).map(|path| format!("`{path}`")).collect();
    if let Some(more) = files.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        words.push(format!("{more} more"));
    }
    join_words(&words, "and")
}
