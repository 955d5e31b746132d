//! Files of somebody's own that the command changes: they keep how their lines end, their rights, and the mark they begin with.

use crate::whole_file::{Readers, replace, with_ending};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use similar::{ChangeTag, TextDiff};
use std::collections::VecDeque;
use std::io;
use std::path::Path;

/// The mark with which some editors begin a text.
const MARK: &str = "\u{feff}";

/// What is changed in a file, as a unified diff.
pub fn diff(name: &str, old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().header(name, name).to_string()
}

/// Puts a text in the place of a file, by way of a draft beside it. Lines that are not changed end as they did. If the file says
/// something else by now, it is left alone, and whoever has asked for `command` is told to do so again.
pub fn write(path: &Path, old: &str, new: &str, command: &str) -> Result<(), Problem> {
    let unwritten = |message: String| Problem::error(codes::FILE_NOT_WRITTEN, message);
    let failed = |error: io::Error| unwritten(format!("`{}` cannot be written: {error}", path.display()));
    let raw = std::fs::read(path).map_err(failed)?;
    let raw = String::from_utf8(raw).ok().filter(|raw| as_read(raw) == old);
    let Some(raw) = raw else {
        let message = format!("`{}` has been changed meanwhile, and is left alone", path.display());
        return Err(unwritten(message).help(format!("run `{command}` again")));
    };
    let rights = std::fs::metadata(path).map_err(failed)?.permissions();
    replace(path, &with_ending(path, "draft"), &with_line_ends_of(&raw, old, new), Readers::All).map_err(failed)?;
    std::fs::set_permissions(path, rights).map_err(failed)
}

/// A file's text as it is read: without a mark, and with `\n` at the end of lines.
pub fn as_read(raw: &str) -> String {
    raw.strip_prefix(MARK).unwrap_or(raw).replace("\r\n", "\n")
}

/// The new text with the mark of the file. A line ends as the one does whose place it takes; one that is added, as most do.
pub fn with_line_ends_of(raw: &str, old: &str, new: &str) -> String {
    let (mark, body) = raw.strip_prefix(MARK).map_or(("", raw), |body| (MARK, body));
    let lines = lines_of(body);
    let is_windows = |line: &&&str| line.ends_with("\r\n");
    let most = 2 * lines.iter().filter(is_windows).count() > lines.len();
    let mut text = mark.to_string();
    // How the lines end that are taken out, as long as none takes their place.
    let mut gone = VecDeque::new();
    let (old, new) = (lines_of(old), lines_of(new));
    let compared = TextDiff::from_slices(&old, &new);
    for change in compared.iter_all_changes() {
        match (change.tag(), change.old_index().and_then(|index| lines.get(index))) {
            (ChangeTag::Equal, Some(line)) => {
                gone.clear();
                text.push_str(line);
            }
            (ChangeTag::Delete, line) => gone.push_back(line.is_some_and(|line| is_windows(&line))),
            _ => match gone.pop_front().unwrap_or(most) {
                true => text.push_str(&change.value().replace('\n', "\r\n")),
                false => text.push_str(change.value()),
            },
        }
    }
    text
}

fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_did() {
        let raw = "\u{feff}ä: 1\r\nb: 2\r\nc: 3\nd: 4";
        let new = "ä: 1\nbe: 2\nc: 3\ndé: 4";
        let written = with_line_ends_of(raw, &as_read(raw), new);
        assert_eq!(written, "\u{feff}ä: 1\r\nbe: 2\r\nc: 3\ndé: 4");
    }
}
