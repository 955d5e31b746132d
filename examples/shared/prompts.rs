//! Types input to `ludex play`.

use std::io::Read;

/// The end of every prompt.
const END: &[u8] = b"):";

/// Reads up to the end of the next prompt. Returns whether there was one.
pub fn wait_for_prompt(prompts: &mut impl Read) -> bool {
    let (mut byte, mut before) = ([0], [0; END.len()]);
    while before != END {
        if prompts.read_exact(&mut byte).is_err() {
            return false;
        }
        before = [before[1], byte[0]];
    }
    true
}
