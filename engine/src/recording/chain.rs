//! The checksum at the end of each line of a recording, which ties it to all lines before it.
//!
//! The command's `game` seals the lines that it writes; `parse` verifies them.

use super::digest::hexadecimal_text;
use sha2::{Digest as _, Sha256};

/// The text between a line's own content and its checksum.
const BEFORE: &[u8] = b",\"sum\":\"";
/// The end of a line after its checksum.
const AFTER: &[u8] = b"\"}";
/// Number of hexadecimal digits of a checksum.
const DIGITS: usize = 16;

/// Seals lines, or verifies sealed lines, one after another. A changed byte breaks the chain there, and so does a line that is
/// lost, duplicated or out of place. This guards against accidents: anyone can change a line on purpose and seal the rest again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// The checksum of the previous line; empty at the start.
    last: String,
}

impl Chain {
    /// Seals a line, an object in braces: adds its checksum as the last member, and a line end.
    pub fn seal_line(&mut self, line: &str) -> String {
        let open = line.trim_end().strip_suffix('}').unwrap_or(line);
        self.last = self.line_checksum(open.as_bytes());
        format!("{open},\"sum\":\"{}\"}}\n", self.last)
    }

    /// Whether a line without its line end has the right checksum for its text and the lines before it. A line that fails leaves
    /// the chain unchanged.
    pub(crate) fn verify_line(&mut self, line: &[u8]) -> bool {
        let Some((open, sum)) = split_checksum(line) else { return false };
        let fits = self.line_checksum(open).as_bytes() == sum;
        if fits {
            self.last = String::from_utf8_lossy(sum).into_owned();
        }
        fits
    }

    /// The checksum of a line whose text up to its closing brace is `open`: the first digits of the SHA-256 of the previous
    /// checksum and that text. Same result as `printf '%s' 'CHECKSUM{"decision":1,…,"key":"pass"' | sha256sum`.
    fn line_checksum(&self, open: &[u8]) -> String {
        let mut digits = hexadecimal_text(&Sha256::new().chain_update(&self.last).chain_update(open).finalize());
        digits.truncate(DIGITS);
        digits
    }
}

/// Splits a line into its own text, up to the closing brace, and its checksum.
fn split_checksum(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(AFTER)?;
    let (line, sum) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
    Some((line.strip_suffix(BEFORE)?, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(lines: &[&str]) -> Vec<String> {
        let mut chain = Chain::default();
        lines.iter().map(|line| chain.seal_line(line).trim_end().to_string()).collect()
    }

    fn follow(lines: &[String]) -> usize {
        let mut chain = Chain::default();
        lines.iter().take_while(|line| chain.verify_line(line.as_bytes())).count()
    }

    #[test]
    fn anybody_can_check_a_line() {
        // printf '%s' '{"a":1' | sha256sum, and then with that checksum before it.
        assert_eq!(sealed(&["{\"a\":1}"]), ["{\"a\":1,\"sum\":\"8b0f0d75aabe01bb\"}"]);
    }

    #[test]
    fn a_lost_doubled_or_swapped_line_breaks_the_chain() {
        let lines = sealed(&["{\"a\":1}", "{\"a\":2}", "{\"a\":2}", "{\"a\":3}"]);
        assert_eq!(follow(&lines), 4);
        assert_eq!(follow(&[&lines[..1], &lines[2..]].concat()), 1);
        assert_eq!(follow(&[&lines[..2], &lines[1..]].concat()), 2);
        assert_eq!(follow(&[lines[0].clone(), lines[1].clone(), lines[3].clone(), lines[2].clone()]), 2);
    }

    #[test]
    fn every_flipped_bit_breaks_the_chain() {
        let lines = sealed(&["{\"a\":1}", "{\"key\":\"pass\"}"]);
        for at in 0..lines[1].len() {
            for bit in 0..8 {
                let mut bytes = lines[1].clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let mut chain = Chain::default();
                assert!(chain.verify_line(lines[0].as_bytes()));
                assert!(!chain.verify_line(&bytes), "bit {bit} of byte {at}");
            }
        }
    }
}
