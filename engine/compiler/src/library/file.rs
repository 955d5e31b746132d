//! Reads a single file on its own, so that files can be read in parallel.
//!
//! The command reads files on several threads. A file is numbered before it is read, because the places in its problems contain the
//! number.

use super::manifest::Manifest;
use super::notes::{self, Notes};
use super::place::{FileRole, classify_path};
use super::{BUNDLED, Content, File, LoadedRules, LoadedText};
use ludex_syntax::parse::parse_outline;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{Source, SourceId};
use ludex_syntax::yaml::{self, Node, Value};
use std::sync::{Arc, OnceLock};

/// A file with the source id that it will get.
pub struct NumberedFile {
    source: SourceId,
    file: File,
}

/// A file that has been read far enough to determine its game.
pub struct ReadFile {
    /// The path shown to users.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) read: Arc<LoadedText>,
    /// The manifest, if this is a manifest file.
    pub(super) manifest: Option<Manifest>,
    pub(super) problems: Vec<Problem>,
}

/// Numbers files in library order.
pub fn number_files(files: Vec<File>) -> impl Iterator<Item = NumberedFile> {
    files.into_iter().enumerate().map(|(number, file)| NumberedFile::new(SourceId(number as u32), file))
}

/// Reads files one after another.
pub(super) fn read_all_files(files: Vec<File>) -> Vec<ReadFile> {
    number_files(files).map(NumberedFile::read).collect()
}

impl ReadFile {
    /// A file other than a manifest that an earlier library has read.
    pub(super) fn unchanged(source: &Source, read: &Arc<LoadedText>) -> ReadFile {
        let (name, text) = (source.name.clone(), source.text.clone());
        ReadFile { name, text, read: Arc::clone(read), manifest: None, problems: Vec::new() }
    }
}

impl NumberedFile {
    pub(super) fn new(source: SourceId, file: File) -> NumberedFile {
        NumberedFile { source, file }
    }

    /// Reads the file. Errors in sheets, rules and scripts are reported when their game is compiled.
    pub fn read(self) -> ReadFile {
        let NumberedFile { source, file } = self;
        let (name, text) = (display_name(&file), with_plain_line_ends(file.text));
        let found = classify_path(&file.path);
        let (mut role, loose) = (found.role, found.game.is_none());
        let (mut manifest, mut problems) = (None, Vec::new());
        let content = match role {
            FileRole::Rules => Content::Rules(LoadedRules { outline: parse_outline(source, &text), whole: OnceLock::new() }),
            FileRole::Sheet => {
                let (node, problems) = yaml::parse_document(&text, source);
                role = node.as_ref().map_or(role, |node| yaml_role(node, &file.path));
                Content::Sheet(node, problems)
            }
            // Scenarios in the folder of a game need not name it.
            FileRole::Scenario if loose => {
                let (node, problems) = yaml::parse_document(&text, source);
                Content::Sheet(node, problems)
            }
            FileRole::Manifest => {
                let (node, miswritten) = yaml::parse_document(&text, source);
                problems.extend(miswritten);
                manifest = node.and_then(|node| Manifest::from_node(&node, &mut problems));
                Content::Unread
            }
            FileRole::Script
            | FileRole::Scenario
            | FileRole::Unnoticed
            | FileRole::Readme
            | FileRole::Rulebook
            | FileRole::Other => Content::Unread,
        };
        let notes = match (&content, role) {
            (Content::Sheet(Some(node), _), _) => notes::sheet_notes(node),
            (_, FileRole::Rules | FileRole::Script) => notes::text_notes(&text, source, role),
            _ => Notes::default(),
        };
        let read = LoadedText { path: file.path, library: file.library, role, content, notes };
        ReadFile { name, text, read: Arc::new(read), manifest, problems }
    }
}

/// The role of a YAML file. A loose one may be a position or hold scenarios instead of a sheet.
fn yaml_role(node: &Node, path: &str) -> FileRole {
    match &node.value {
        Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "ludex-position") => FileRole::Other,
        Value::List(_) if classify_path(path).game.is_none() => FileRole::Scenario,
        _ => FileRole::Sheet,
    }
}

/// The path of a file shown to users.
fn display_name(file: &File) -> String {
    match file.library.as_str() {
        BUNDLED | "." | "" => file.path.clone(),
        folder => format!("{}/{}", folder.trim_end_matches('/'), file.path),
    }
}

/// The text with `\n` at the end of each line.
fn with_plain_line_ends(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n") } else { text }
}
