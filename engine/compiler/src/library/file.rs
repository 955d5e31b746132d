//! Reads a single file on its own, so that files can be read in parallel.

use super::manifest::Manifest;
use super::notes::{self, Notes};
use super::place::{Role, place};
use super::{BUNDLED, Content, File, Rules, Text};
use ludex_syntax::parse::outline;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::SourceId;
use ludex_syntax::yaml::{self, Node, Value};
use std::sync::OnceLock;

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
    pub(super) read: Text,
    /// The manifest, if this is a manifest file.
    pub(super) manifest: Option<Manifest>,
    pub(super) problems: Vec<Problem>,
}

/// Numbers files in library order.
pub fn numbered(files: Vec<File>) -> impl Iterator<Item = NumberedFile> {
    files.into_iter().enumerate().map(|(number, file)| NumberedFile { source: SourceId(number as u32), file })
}

/// Reads files one after another.
pub(super) fn read_all(files: Vec<File>) -> Vec<ReadFile> {
    numbered(files).map(NumberedFile::read).collect()
}

impl NumberedFile {
    /// Reads the file. Errors in sheets, rules and scripts are reported when their game is compiled.
    pub fn read(self) -> ReadFile {
        let NumberedFile { source, file } = self;
        let (name, text) = (shown_name(&file), with_plain_line_ends(file.text));
        let found = place(&file.path);
        let (mut role, loose) = (found.role, found.game.is_none());
        let (mut manifest, mut problems) = (None, Vec::new());
        let content = match role {
            Role::Rules => Content::Rules(Rules { outline: outline(source, &text), whole: OnceLock::new() }),
            Role::Sheet => {
                let (node, problems) = yaml::read(&text, source);
                role = node.as_ref().map_or(role, |node| role_of_yaml(node, &file.path));
                Content::Sheet(node, problems)
            }
            // Scenarios in the folder of a game need not name it.
            Role::Scenario if loose => {
                let (node, problems) = yaml::read(&text, source);
                Content::Sheet(node, problems)
            }
            Role::Manifest => {
                let (node, miswritten) = yaml::read(&text, source);
                problems.extend(miswritten);
                manifest = node.and_then(|node| Manifest::read(&node, &mut problems));
                Content::Unread
            }
            Role::Script | Role::Scenario | Role::Unnoticed | Role::Readme | Role::Rulebook | Role::Other => Content::Unread,
        };
        let notes = match (&content, role) {
            (Content::Sheet(Some(node), _), _) => notes::of_sheet(node),
            (_, Role::Rules | Role::Script) => notes::of_text(&text, source, role),
            _ => Notes::default(),
        };
        let read = Text { path: file.path, library: file.library, role, content, notes };
        ReadFile { name, text, read, manifest, problems }
    }
}

/// The role of a YAML file. A loose one may be a position or hold scenarios instead of a sheet.
fn role_of_yaml(node: &Node, path: &str) -> Role {
    match &node.value {
        Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "ludex-position") => Role::Other,
        Value::List(_) if place(path).game.is_none() => Role::Scenario,
        _ => Role::Sheet,
    }
}

/// The path of a file shown to users.
fn shown_name(file: &File) -> String {
    match file.library.as_str() {
        BUNDLED | "." | "" => file.path.clone(),
        folder => format!("{}/{}", folder.trim_end_matches('/'), file.path),
    }
}

fn with_plain_line_ends(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n") } else { text }
}
