//! The only place where something unforeseeable comes in.

/// A seed below 2^53, which every reader of JSON holds exactly.
pub fn new_seed() -> u64 {
    let mut bytes = [0; 8];
    fill(&mut bytes);
    u64::from_le_bytes(bytes) >> 11
}

/// Thirty-two hexadecimal digits that hide a seed in its commitment.
pub fn new_salt() -> String {
    let mut bytes = [0; 16];
    fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fill(bytes: &mut [u8]) {
    if getrandom::fill(bytes).is_err() {
        // A system without a source of randomness: the clock is not unforeseeable, but play can go on.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let clock = now.as_nanos().to_le_bytes();
        bytes.iter_mut().zip(clock.iter().cycle()).for_each(|(byte, tick)| *byte = *tick);
    }
}
