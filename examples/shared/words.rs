//! The words behind the name of an example.

/// The number behind a word such as `--lines`; the usual one where there is none.
pub fn number(name: &str, usual: u64) -> u64 {
    let mut words = std::env::args().skip_while(|word| word != name);
    words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(usual)
}
