#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ludex_fuzz::recordings(input));
