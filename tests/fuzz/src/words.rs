//! Changes word by word: a game in which bytes were changed at random is hardly ever a game any more.

use ludex_engine::runtime::random::{Generator, derive_seed, random_below, seeded_generator};

/// Numbers at which something may go wrong.
const NUMBERS: [&str; 9] = ["0", "1", "2", "7", "1000", "65536", "2147483647", "4294967297", "9223372036854775807"];

/// So many words are changed at most.
const MOST_CHANGES: u32 = 4;

/// Changes words of the text in the first `size` bytes, where there is room for `most`; gives the new size. Every other time, and
/// where there is no text, it does nothing.
pub fn change(data: &mut [u8], size: usize, most: usize, seed: u32) -> Option<usize> {
    let mut luck = seeded_generator(derive_seed(u64::from(seed), 1));
    if random_below(&mut luck, 2) == 0 {
        return None;
    }
    let text = changed(std::str::from_utf8(&data[..size]).ok()?, &mut luck)?;
    let room = data.len().min(most);
    (text.len() <= room).then(|| data[..text.len()].copy_from_slice(text.as_bytes()))?;
    Some(text.len())
}

fn changed(text: &str, luck: &mut Generator) -> Option<String> {
    let mut words: Vec<&str> = words(text);
    for _ in 0..=random_below(luck, MOST_CHANGES) {
        let any = |luck: &mut Generator| random_below(luck, words.len() as u32) as usize;
        if words.is_empty() {
            return None;
        }
        let (at, other) = (any(luck), any(luck));
        match random_below(luck, 6) {
            0 => drop(words.remove(at)),
            1 => words.swap(at, other),
            2 => words[at] = words[other],
            3 => words.insert(at, words[other]),
            4 => drop(words.splice(at..at, words[other..].iter().take(8).copied().collect::<Vec<_>>())),
            _ => number(&mut words, at, luck),
        }
    }
    Some(words.concat())
}

/// Puts another in place of the first number from there on.
fn number(words: &mut [&str], from: usize, luck: &mut Generator) {
    let number = words[from..].iter_mut().find(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(number) = number {
        *number = NUMBERS[random_below(luck, NUMBERS.len() as u32) as usize];
    }
}

/// Words, blanks, and signs one by one, which together are the text.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next().map(kind) {
        let end = rest.char_indices().skip(1).find(|(_, c)| first == 2 || kind(*c) != first);
        let (word, behind) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        words.push(word);
        rest = behind;
    }
    words
}
