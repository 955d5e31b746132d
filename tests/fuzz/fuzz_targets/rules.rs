#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|input: &[u8]| ludex_fuzz::rules(input));

fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    ludex_fuzz::words::change(data, size, most, seed).unwrap_or_else(|| fuzzer_mutate(data, size, most))
});
