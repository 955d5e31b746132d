//! Edits to users' own files, by `fmt`, `check --fix`, `test --update` and `record`. The files keep their line ends,
//! permissions and byte order mark.

use crate::whole_file::{Readers, replace_file, with_ending};
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use similar::udiff::UnifiedHunkHeader;
use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices, group_diff_ops};
use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::Path;

/// The byte order mark with which some editors begin a text.
const MARK: &str = "\u{feff}";

/// Number of context lines around a change.
const CONTEXT: usize = 3;

/// Follows a last line without a line end.
const NO_LINE_END: &str = "\n\\ No newline at end of file\n";

/// The changes to a file as a unified diff; empty if there are none.
pub fn diff_text(name: &str, old: &str, new: &str) -> String {
    let (old, new) = (split_lines(old), split_lines(new));
    let mut text = String::new();
    for group in group_diff_ops(compare_lines(&old, &new), CONTEXT) {
        if text.is_empty() {
            text.push_str(&format!("--- {name}\n+++ {name}\n"));
        }
        text.push_str(&format!("{}\n", UnifiedHunkHeader::new(&group)));
        for change in group.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let line = change.value();
            text.push_str(&format!("{sign}{line}{}", if line.ends_with('\n') { "" } else { NO_LINE_END }));
        }
    }
    text
}

/// Compares two texts line by line. A line that only one text has matches no line of the other, so only the remaining lines are
/// compared. If every line changed, this takes no time.
fn compare_lines(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let in_both = |lines: &[&str], others: &[&str]| -> Vec<usize> {
        let others: HashSet<&str> = others.iter().copied().collect();
        (0..lines.len()).filter(|place| others.contains(lines[*place])).collect()
    };
    let places = (in_both(old, new), in_both(new, old));
    let kept = |lines: &[&'_ str], places: &[usize]| places.iter().map(|place| lines[*place].to_string()).collect::<Vec<_>>();
    let mut operations = Vec::new();
    let (mut old_index, mut new_index) = (0, 0);
    // Adds what differs before the next equal lines, then `len` equal lines.
    let mut alike = |old_next: usize, new_next: usize, len: usize| {
        let (old_len, new_len) = (old_next - old_index, new_next - new_index);
        match (old_len, new_len) {
            (0, 0) => {}
            (_, 0) => operations.push(DiffOp::Delete { old_index, old_len, new_index }),
            (0, _) => operations.push(DiffOp::Insert { old_index, new_index, new_len }),
            _ => operations.push(DiffOp::Replace { old_index, old_len, new_index, new_len }),
        }
        match operations.last_mut() {
            Some(DiffOp::Equal { len: before, .. }) if old_len + new_len == 0 => *before += len,
            _ if len > 0 => operations.push(DiffOp::Equal { old_index: old_next, new_index: new_next, len }),
            _ => {}
        }
        (old_index, new_index) = (old_next + len, new_next + len);
    };
    for operation in capture_diff_slices(Algorithm::Myers, &kept(old, &places.0), &kept(new, &places.1)) {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            for (old_place, new_place) in places.0[old_index..].iter().zip(&places.1[new_index..]).take(len) {
                alike(*old_place, *new_place, 1);
            }
        }
    }
    alike(old.len(), new.len(), 0);
    operations
}

/// Replaces a file's text by way of a draft beside it. Unchanged lines keep their line ends. `old` is its text as it was read,
/// see [`normalise_text`]. If the file has changed since then, it is left alone, and the error asks to run `command` again.
pub fn write_edited(path: &Path, old: &str, new: &str, command: &str) -> Result<(), Problem> {
    let unwritten = |message: String| Problem::error(codes::FILE_NOT_WRITTEN, message);
    let failed = |error: io::Error| unwritten(format!("`{}` cannot be written: {error}", path.display()));
    let raw = std::fs::read(path).map_err(failed)?;
    let raw = String::from_utf8(raw).ok().filter(|raw| normalise_text(raw) == old);
    let Some(raw) = raw else {
        let message = format!("`{}` was changed meanwhile, so it is not overwritten", path.display());
        return Err(unwritten(message).help(format!("run `{command}` again")));
    };
    let rights = std::fs::metadata(path).map_err(failed)?.permissions();
    replace_file(path, &with_ending(path, "draft"), &with_line_ends_of(&raw, old, new), Readers::All).map_err(failed)?;
    std::fs::set_permissions(path, rights).map_err(failed)
}

/// Normalises a file's text as for reading: without a byte order mark, and with `\n` line ends.
pub fn normalise_text(raw: &str) -> String {
    raw.strip_prefix(MARK).unwrap_or(raw).replace("\r\n", "\n")
}

/// The new text with the line ends and the byte order mark of the file's `raw` text. A replaced line keeps its line end; an
/// added line gets the most common one. `old` is the normalised text of the file.
pub fn with_line_ends_of(raw: &str, old: &str, new: &str) -> String {
    let (mark, body) = raw.strip_prefix(MARK).map_or(("", raw), |body| (MARK, body));
    let lines = split_lines(body);
    let is_windows = |line: &&&str| line.ends_with("\r\n");
    let most = 2 * lines.iter().filter(is_windows).count() > lines.len();
    let mut text = mark.to_string();
    // Line ends of removed lines, until other lines replace them.
    let mut gone = VecDeque::new();
    let (old, new) = (split_lines(old), split_lines(new));
    for change in compare_lines(&old, &new).iter().flat_map(|op| op.iter_changes(&old, &new)) {
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

fn split_lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_did() {
        let raw = "\u{feff}ä: 1\r\nb: 2\r\nc: 3\nd: 4";
        let new = "ä: 1\nbe: 2\nc: 3\ndé: 4";
        let written = with_line_ends_of(raw, &normalise_text(raw), new);
        assert_eq!(written, "\u{feff}ä: 1\r\nbe: 2\r\nc: 3\ndé: 4");
    }

    #[test]
    fn a_diff_is_that_of_the_whole_texts() {
        let texts = ["", "a\n", "a\nb\na\nc\n", "  a\n  b\n}\n", "b\na\nx\nb", "a\n\nb\n}\nq\nr\ns\nt\nu\na\nc", "c\nb\na\n}\n"];
        for (old, new) in texts.iter().flat_map(|old| texts.map(|new| (*old, new))) {
            let (lines, others) = (split_lines(old), split_lines(new));
            let operations = compare_lines(&lines, &others);
            let changes = || operations.iter().flat_map(|op| op.iter_changes(&lines, &others));
            let without = |tag| changes().filter(|change| change.tag() != tag).map(|change| change.value()).collect::<String>();
            assert_eq!((without(ChangeTag::Insert).as_str(), without(ChangeTag::Delete).as_str()), (old, new));
            let whole = similar::TextDiff::from_lines(old, new);
            let alike = changes().filter(|change| change.tag() == ChangeTag::Equal).count();
            assert_eq!(
                alike,
                whole.iter_all_changes().filter(|change| change.tag() == ChangeTag::Equal).count(),
                "{old:?} {new:?}"
            );
        }
    }

    #[test]
    fn a_diff_shows_some_lines_around_each_change() {
        let old: String = (0..12).map(|line| format!("{line}\n")).collect();
        let new = old.replace("5\n", "five\n").replace("11\n", "11");
        let shown = "--- pond\n+++ pond\n@@ -3,10 +3,10 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n-11\n+11\n\\ No newline at end of file\n";
        assert_eq!(diff_text("pond", &old, &new), shown);
    }
}
