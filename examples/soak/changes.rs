//! Random changes of bytes and of numbers.

use ludex_engine::runtime::random::{Generator, random_below};

/// Boundary values.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "255",
    "65536",
    "2147483648",
    "4294967297",
    "281474976710657",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e400",
    "0.5",
];

/// A random number below a bound, which may be 0.
pub fn some(luck: &mut Generator, bound: usize) -> usize {
    random_below(luck, bound.clamp(1, u32::MAX as usize) as u32) as usize
}

pub fn one_of<'t, T>(luck: &mut Generator, things: &'t [T]) -> &'t T {
    &things[some(luck, things.len())]
}

pub fn number(luck: &mut Generator) -> &'static str {
    NUMBERS[some(luck, NUMBERS.len())]
}

/// Flips a bit.
pub fn flip(bytes: &mut [u8], luck: &mut Generator) {
    let place = some(luck, bytes.len());
    if let Some(byte) = bytes.get_mut(place) {
        *byte ^= 1 << some(luck, 8);
    }
}

/// Removes, duplicates or inserts bytes.
pub fn shift(bytes: &mut Vec<u8>, luck: &mut Generator) {
    let (one, other) = (some(luck, bytes.len() + 1), some(luck, bytes.len() + 1));
    let (from, to) = (one.min(other), one.max(other));
    match some(luck, 4) {
        0 => drop(bytes.drain(from..to)),
        1 => bytes.truncate(from),
        2 => bytes.splice(from..from, bytes[from..to].to_vec()).for_each(drop),
        _ => bytes.splice(from..from, (0..some(luck, 9)).map(|_| some(luck, 256) as u8).collect::<Vec<u8>>()).for_each(drop),
    }
}

/// Replaces a number somewhere in a text by another one.
pub fn renumber(text: &str, luck: &mut Generator) -> String {
    let is_start = |place: usize| {
        let bytes = text.as_bytes();
        bytes[place].is_ascii_digit() && (place == 0 || !bytes[place - 1].is_ascii_digit())
    };
    let starts: Vec<usize> = (0..text.len()).filter(|place| is_start(*place)).collect();
    if starts.is_empty() {
        return text.to_string();
    }
    let start = *one_of(luck, &starts);
    let length = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let own = some(luck, 400).to_string();
    let new = if some(luck, 2) == 0 { &own } else { number(luck) };
    format!("{}{new}{}", &text[..start], &text[start + length..])
}
