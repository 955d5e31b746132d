//! A seed to which every player has contributed, so that no single player can choose it.
//!
//! The table commits to its own share first, then each player commits to one and reveals it, so that none can know the seed
//! before all are fixed. `play`, `host` and `serve` of the command collect them.

use crate::recording::digest::hexadecimal_text;
use crate::runtime::Seed;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Maximum length of a share, in characters.
pub const LONGEST_SHARE: usize = 128;

/// The shares that a seed is made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shares {
    /// The table's own share, committed before it knew any other.
    pub own: String,
    /// The shares of the seats, in order.
    pub seats: Vec<Share>,
}

/// The share of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The seat.
    pub seat: usize,
    /// Letters and digits, see [`is_share`].
    pub share: String,
}

impl Shares {
    /// The seed: the SHA-256 of all shares, joined with colons, the table's own first. Same result as
    /// `printf OWN:SHARE:SHARE | sha256sum`.
    pub fn combined_seed(&self) -> Seed {
        let parts: Vec<&str> =
            std::iter::once(&self.own).chain(self.seats.iter().map(|seat| &seat.share)).map(String::as_str).collect();
        Seed::Key(Sha256::digest(parts.join(":")).into())
    }
}

/// The commitment of a seat before it reveals its share. Same result as `printf SHARE | sha256sum`.
pub fn commitment_to_share(share: &str) -> String {
    hexadecimal_text(&Sha256::digest(share))
}

/// Whether a text is a valid share: 1 to 128 ASCII letters and digits, which need no quotes in any shell.
pub fn is_share(text: &str) -> bool {
    (1..=LONGEST_SHARE).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares() -> Shares {
        let share = |seat, share: &str| Share { seat, share: share.to_string() };
        Shares { own: "00ff".to_string(), seats: vec![share(0, "otter"), share(1, "4711")] }
    }

    #[test]
    fn anybody_can_check_a_seed() {
        // printf 00ff:otter:4711 | sha256sum
        assert_eq!(shares().combined_seed().to_string(), "a9e42df9b078a48ce1dd225a203cbaa46f41f77295abd26911f73aff7d21c805");
        // printf otter | sha256sum
        assert_eq!(commitment_to_share("otter"), "914cb64a1bfac4c6f9507c9d26b81ed91757fa051e3f8508140053834d1dda81");
    }

    #[test]
    fn every_share_counts() {
        let mut others = vec![shares(); 4];
        others[0].own = "00fe".to_string();
        others[1].seats[0].share = "heron".to_string();
        others[2].seats[1].share = "4712".to_string();
        others[3].seats.reverse();
        assert!(others.iter().all(|other| other.combined_seed() != shares().combined_seed()));
    }

    #[test]
    fn a_share_is_letters_and_digits() {
        assert!(is_share("a") && is_share(&"7".repeat(LONGEST_SHARE)));
        for text in ["", "a b", "a:b", "ä", "a'b", &"7".repeat(LONGEST_SHARE + 1)] {
            assert!(!is_share(text), "{text}");
        }
    }
}
