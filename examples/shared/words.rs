//! Command-line arguments of examples.

/// The number after an argument such as `--lines`; `usual` by default.
pub fn number(name: &str, usual: u64) -> u64 {
    let mut words = std::env::args().skip_while(|word| word != name);
    words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(usual)
}
