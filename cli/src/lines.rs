//! Reads untrusted lines of any length and content: from people, from programs, and from the other end of `host`.

use std::io::{BufRead, Read};

/// Maximum length of a line of JSON in bytes. The parsed value takes a hundred times as much memory.
pub const LONGEST_LINE: usize = 256 << 10;

/// The result of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its line end.
    Text(String),
    /// A line that is not valid UTF-8.
    NotText,
    /// A line with more bytes than are held; the next read skips its rest.
    TooLong,
    End,
}

/// Reads lines and never holds more than `most` bytes of one.
pub struct Lines<R> {
    reader: R,
    most: usize,
    /// The rest of an overlong line must still be skipped.
    skipping: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R, most: usize) -> Lines<R> {
        Lines { reader, most, skipping: false }
    }

    /// Reads the next line. A read error counts as the end.
    pub fn read_line(&mut self) -> Line {
        if self.skipping && !self.skip_line() {
            return Line::End;
        }
        let mut bytes = Vec::new();
        let most = self.most as u64 + 1;
        match self.reader.by_ref().take(most).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return Line::End,
            Ok(_) => {}
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() > self.most {
            self.skipping = true;
            return Line::TooLong;
        }
        match String::from_utf8(bytes) {
            Ok(text) => Line::Text(text),
            Err(_) => Line::NotText,
        }
    }

    /// Skips to the start of the next line. Returns whether there is one.
    fn skip_line(&mut self) -> bool {
        loop {
            let Ok(buffer) = self.reader.fill_buf() else { return false };
            if buffer.is_empty() {
                return false;
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(length);
            if end.is_some() {
                self.skipping = false;
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(bytes, 8);
        let mut all = Vec::new();
        while all.last() != Some(&Line::End) {
            all.push(lines.read_line());
        }
        all
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_string())
    }

    #[test]
    fn lines_come_one_by_one() {
        assert_eq!(read_all(b"one\n\ntwo"), [text("one"), text(""), text("two"), Line::End]);
        assert_eq!(read_all(b"12345678\n"), [text("12345678"), Line::End]);
    }

    #[test]
    fn a_long_line_is_skipped() {
        assert_eq!(read_all(b"123456789\nshort\n"), [Line::TooLong, text("short"), Line::End]);
        assert_eq!(read_all(b"this one never ends"), [Line::TooLong, Line::End]);
    }

    #[test]
    fn a_binary_line_is_told() {
        assert_eq!(read_all(b"\xff\xfe\nshort\n"), [Line::NotText, text("short"), Line::End]);
    }
}
