//! Removes a line that cannot be parsed from a chunk, so that the rest can be parsed.

use crate::source::line_around;
use std::ops::Range;

/// A statement that replaces one whose block continues after its line.
const STAND_IN: &[u8] = b"if yes";

/// The last non-blank line before a byte. `code` is the text without comments; places are the same in both.
pub(super) fn line_before(text: &str, code: &str, at: usize) -> Option<Range<usize>> {
    let last = code.get(..at)?.trim_end().len().checked_sub(1)?;
    Some(line_around(text, last))
}

/// The code with one line blanked, except for brackets that belong to other lines; `None` if that is impossible. `brackets`
/// are all brackets of the code, in order. A line that opens a block becomes `if yes {`, so that the block stays in place.
pub(super) fn without_line(code: &str, line: Range<usize>, brackets: &[(usize, u8)]) -> Option<String> {
    let mut open = Vec::new();
    let mut kept = Vec::new();
    for (place, bracket) in brackets.iter().copied().filter(|(place, _)| line.contains(place)) {
        match bracket {
            b'(' | b'[' | b'{' => open.push((place, bracket)),
            _ if open.pop().is_none() => kept.push((place, bracket)),
            _ => {}
        }
    }
    let mut bytes = code.as_bytes().to_vec();
    let end = line.end.min(bytes.len());
    let blanked = bytes.get_mut(line.start..end)?;
    blanked.fill(b' ');
    if let Some(last) = blanked.last_mut() {
        *last = b'\n';
    }
    if let [(place, b'{')] = open[..] {
        let start = place.checked_sub(STAND_IN.len())?;
        let free = kept.last().map_or(line.start, |(closer, _)| closer + 1);
        bytes.get_mut(start..place).filter(|_| start >= free)?.copy_from_slice(STAND_IN);
    } else if !open.is_empty() {
        return None;
    }
    for (place, bracket) in kept.into_iter().chain(open) {
        if bracket != b'{' && bracket != b'}' {
            return None;
        }
        *bytes.get_mut(place)? = bracket;
    }
    String::from_utf8(bytes).ok()
}
