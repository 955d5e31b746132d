//! Translates the notation of other dice programs (AnyDice, icepool, roll20).
//!
//! `OddsQuery::new` asks for a translation if an expression cannot be parsed or compiled. A pattern of the table is matched word
//! by word, and its *parts* are the words that fill `#`, `die`, `dice` and `{}`.

use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use std::ops::Range;

/// Forms of other programs with their translation: an expression, or advice with code in it.
///
/// `#` is a number, `die` is `d6`, `dice` are `d6` or `3d6`, and `{}` are numbers in braces. `$1` is the first of these as
/// written, `$keep` is how many dice of `$1` are left without `$2` of them, and `$many` is how many numbers `$1` has.
const TABLE: [(&str, &str); 39] = [
    ("dice kh #", "sum of highest $2 of $1"),
    ("dice kl #", "sum of lowest $2 of $1"),
    ("dice k #", "sum of highest $2 of $1"),
    ("dice kh", "sum of highest 1 of $1"),
    ("dice kl", "sum of lowest 1 of $1"),
    ("dice dl #", "sum of highest $keep of $1"),
    ("dice dh #", "sum of lowest $keep of $1"),
    ("dice d #", "sum of highest $keep of $1"),
    ("die . pool ( # ) . highest ( # )", "sum of highest $3 of $2$1"),
    ("die . pool ( # ) . lowest ( # )", "sum of lowest $3 of $2$1"),
    ("die . highest ( # )", "highest 1 of $2$1"),
    ("die . lowest ( # )", "lowest 1 of $2$1"),
    ("best of dice", "highest 1 of $1"),
    ("worst of dice", "lowest 1 of $1"),
    ("[ count {} in dice ]", "count of ($2 where it in [$1])"),
    ("[ count # in dice ]", "count of ($2 where it = $1)"),
    ("sum dice", "sum of $1"),
    ("count dice", "count of $1"),
    ("highest dice", "highest of $1"),
    ("lowest dice", "lowest of $1"),
    ("roll dice", "$1"),
    ("random ( # )", "1d$1"),
    ("# dF", "$1d3 - 2 * $1"),
    ("dF", "1d3 - 2"),
    ("# d %", "$1d100"),
    ("d %", "1d100"),
    ("d {}", "sum of member 1d$many of [$1]"),
    ("Die (", "a die with faces of your own is written `sum of member 1d3 of [1, 1, 2]`"),
    ("Pool (", "dice of several sizes are written in brackets, as in `highest 2 of (2d6 + 2d8)`"),
    ("# @ die", "$1$2"),
    ("# @ dice", "sum of member $1 of sorted down $2"),
    ("# @ (", "count the dice that fit, as in `count of (6d6 where it >= 5)`"),
    ("dice between # and #", "$1 in $2..$3"),
    ("abs (", "pass the dice to a definition, such as `define distance(a: number, b: number) = highest of [a - b, b - a]`"),
    ("dice !", AGAIN),
    ("dice r #", AGAIN),
    ("explode", AGAIN),
    ("reroll", AGAIN),
    ("output", "leave out `output`"),
];

/// Rerolling a die needs a loop.
const AGAIN: &str = "use a procedure to roll dice again, with `repeat at most 100 times { … } otherwise {}`";

/// Returns the problem, or a translation if the expression is in another program's notation. `source` is the expression, and
/// `text` its text.
pub fn or_translation(problem: Problem, source: SourceId, text: &str) -> Problem {
    let is_unread = [codes::SYNTAX, codes::RULE_ID, codes::UNKNOWN_NAME].contains(&problem.code);
    let Some((stop, _)) = problem.labels.first().filter(|(span, _)| is_unread && span.source == source) else { return problem };
    let Some((place, help)) = find_translation(text, stop.start as usize..stop.end as usize) else { return problem };
    let message = format!("`{}` is written differently here", &text[place.clone()]);
    Problem::error(codes::FOREIGN_FORM, message).with_label(Span::new(source, place.start, place.end), "not like this").help(help)
}

/// The first form of the table at or right before the place where parsing stopped, with its translation.
fn find_translation(text: &str, stop: Range<usize>) -> Option<(Range<usize>, String)> {
    let words = split_words(text);
    // An operator begins something else.
    let goes_on = text.get(stop.start..)?.starts_with(|sign: char| sign.is_alphanumeric() || "([{".contains(sign));
    let before = text[..stop.start].trim_end().len();
    TABLE.iter().find_map(|(pattern, here)| {
        (0..words.len()).find_map(|first| {
            let (end, parts) = match_pattern(text, &words[first..], pattern)?;
            let is_there = words[first].start <= stop.end && (stop.start < end || goes_on && before <= end);
            let end = words[first].start + text[words[first].start..end].trim_end_matches(['(', ' ']).len();
            let help = fill_translation(here, &parts).filter(|_| is_there)?;
            let help = if here.contains('`') { help } else { format!("write `{help}`") };
            Some((words[first].start..end, help))
        })
    })
}

/// The words of a text: runs of letters, runs of digits, and signs.
fn split_words(text: &str) -> Vec<Range<usize>> {
    let sort = |letter: char| (letter.is_alphabetic(), letter.is_ascii_digit());
    let mut words: Vec<Range<usize>> = Vec::new();
    for (start, letter) in text.char_indices().filter(|(_, letter)| !letter.is_whitespace()) {
        let end = start + letter.len_utf8();
        let goes_on = |word: &Range<usize>| {
            let before = text[word.clone()].chars().next_back().unwrap_or(letter);
            word.end == start
                && (sort(before) == sort(letter) && sort(letter) != (false, false) || (before, letter) == ('!', '='))
        };
        match words.last_mut().filter(|word| goes_on(word)) {
            Some(word) => word.end = end,
            None => words.push(start..end),
        }
    }
    words
}

/// Matches a pattern of the table at the beginning of the words. Returns the end of the match in the text, and its parts.
fn match_pattern<'t>(text: &'t str, words: &[Range<usize>], pattern: &str) -> Option<(usize, Vec<&'t str>)> {
    let word = |index: usize| words.get(index).map_or("", |word| &text[word.clone()]);
    let is_number = |index: usize| word(index).starts_with(|first: char| first.is_ascii_digit());
    let is_die = |index: usize| {
        word(index).eq_ignore_ascii_case("d") && is_number(index + 1) && words[index].end == words[index + 1].start
    };
    let (mut next, mut parts) = (0, Vec::new());
    for wanted in pattern.split(' ') {
        let end = match wanted {
            "#" if is_number(next) => next + 1,
            "die" | "dice" if is_die(next) => next + 2,
            "dice" if is_number(next) && is_die(next + 1) => next + 3,
            "{}" if word(next) == "{" => {
                let close = (next..words.len()).find(|index| word(*index) == "}")?;
                (next + 1..close).all(|index| is_number(index) || matches!(word(index), "," | "-")).then_some(close + 1)?
            }
            "#" | "die" | "dice" | "{}" => return None,
            _ if word(next).eq_ignore_ascii_case(wanted) => {
                next += 1;
                continue;
            }
            _ => return None,
        };
        let part = &text[words[next].start..words[end - 1].end];
        parts.push(part.trim_matches(['{', '}', ' ']));
        next = end;
    }
    Some((words[next - 1].end, parts))
}

/// The translation, filled with the parts of the original. `None` if no dice would be left.
fn fill_translation(here: &str, parts: &[&str]) -> Option<String> {
    let mut help = here.to_string();
    if here.contains("$keep") {
        let number = |part: &str| part.split(|sign: char| !sign.is_ascii_digit()).next().and_then(|digits| digits.parse().ok());
        let (dice, dropped): (u32, u32) = (number(parts[0])?, number(parts[1])?);
        help = help.replace("$keep", &dice.checked_sub(dropped).filter(|kept| *kept > 0)?.to_string());
    }
    let many = parts.first().map_or(0, |part| part.split(',').count());
    help = help.replace("$many", &many.to_string());
    Some(parts.iter().enumerate().fold(help, |help, (index, part)| help.replace(&format!("${}", index + 1), part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::pools;

    #[test]
    fn forms_of_other_programs_are_answered_with_what_to_write() {
        let forms = [
            "4d6kh3",
            "2d20 kl 1",
            "2d20kh",
            "4d6k3 + 2",
            "4d6dl1",
            "4d6dh1",
            "4d6d1",
            "d6.pool(4).highest(3).sum()",
            "d20.highest(2)",
            "best of 2d20",
            "output [count {5, 6} in 6d6]",
            "[count 6 in 3d6]",
            "sum 3d6",
            "roll 2 d6",
            "random(6)",
            "4dF",
            "dF + 1",
            "2d% > 50",
            "d%",
            "d{1,1,2}",
            "Die([1, 1, 2])",
            "3 @ d6",
            "2@3d6",
            "6 @ (d6 >= 5)",
            "2d6 between 5 and 9",
            "abs(2d6 - 7)",
            "1d6!",
            "1d100r1",
            "[explode d6]",
            "d6.explode()",
            "output 3d6",
        ];
        let told = forms.map(|form| {
            let (place, help) = find_translation(form, 0..form.len()).unwrap_or_else(|| panic!("{form}"));
            let code = help.split('`').nth(1).unwrap_or_default();
            let is_sentence = help.starts_with(|first: char| first != 'w');
            assert!(is_sentence || pools::parse_phrase(SourceId(0), code).is_ok(), "{form}: {help}");
            format!("{form}: `{}`: {help}", &form[place])
        });
        insta::assert_snapshot!(told.join("\n"), @r"
        4d6kh3: `4d6kh3`: write `sum of highest 3 of 4d6`
        2d20 kl 1: `2d20 kl 1`: write `sum of lowest 1 of 2d20`
        2d20kh: `2d20kh`: write `sum of highest 1 of 2d20`
        4d6k3 + 2: `4d6k3`: write `sum of highest 3 of 4d6`
        4d6dl1: `4d6dl1`: write `sum of highest 3 of 4d6`
        4d6dh1: `4d6dh1`: write `sum of lowest 3 of 4d6`
        4d6d1: `4d6d1`: write `sum of highest 3 of 4d6`
        d6.pool(4).highest(3).sum(): `d6.pool(4).highest(3)`: write `sum of highest 3 of 4d6`
        d20.highest(2): `d20.highest(2)`: write `highest 1 of 2d20`
        best of 2d20: `best of 2d20`: write `highest 1 of 2d20`
        output [count {5, 6} in 6d6]: `[count {5, 6} in 6d6]`: write `count of (6d6 where it in [5, 6])`
        [count 6 in 3d6]: `[count 6 in 3d6]`: write `count of (3d6 where it = 6)`
        sum 3d6: `sum 3d6`: write `sum of 3d6`
        roll 2 d6: `roll 2 d6`: write `2 d6`
        random(6): `random(6)`: write `1d6`
        4dF: `4dF`: write `4d3 - 2 * 4`
        dF + 1: `dF`: write `1d3 - 2`
        2d% > 50: `2d%`: write `2d100`
        d%: `d%`: write `1d100`
        d{1,1,2}: `d{1,1,2}`: write `sum of member 1d3 of [1,1,2]`
        Die([1, 1, 2]): `Die`: a die with faces of your own is written `sum of member 1d3 of [1, 1, 2]`
        3 @ d6: `3 @ d6`: write `3d6`
        2@3d6: `2@3d6`: write `sum of member 2 of sorted down 3d6`
        6 @ (d6 >= 5): `6 @`: count the dice that fit, as in `count of (6d6 where it >= 5)`
        2d6 between 5 and 9: `2d6 between 5 and 9`: write `2d6 in 5..9`
        abs(2d6 - 7): `abs`: pass the dice to a definition, such as `define distance(a: number, b: number) = highest of [a - b, b - a]`
        1d6!: `1d6!`: use a procedure to roll dice again, with `repeat at most 100 times { … } otherwise {}`
        1d100r1: `1d100r1`: use a procedure to roll dice again, with `repeat at most 100 times { … } otherwise {}`
        [explode d6]: `explode`: use a procedure to roll dice again, with `repeat at most 100 times { … } otherwise {}`
        d6.explode(): `explode`: use a procedure to roll dice again, with `repeat at most 100 times { … } otherwise {}`
        output 3d6: `output`: leave out `output`
        ");
    }

    #[test]
    fn what_is_written_as_here_is_left() {
        for text in
            ["2d6 != 7", "4d6 + kh3", "(2d6) d4", "1d6 d2", "sum dice", "d{a, b}", "d{1..3}", "é d6", "{", "d", "3 @", "4d6d4"]
        {
            assert_eq!(find_translation(text, 0..text.len()), None, "{text}");
        }
    }

    #[test]
    fn only_the_form_where_reading_stopped_is_told() {
        let told = |text: &str| {
            pools::parse_phrase(SourceId(0), text).map_err(|found| or_translation(found, SourceId(0), text).message.to_string())
        };
        assert_eq!(told("output 3d6").err().unwrap(), "`output` is written differently here");
        assert_eq!(told("[output 3d6]").err().unwrap(), "`output` is written differently here");
        assert_eq!(told("explode + 2 2").err().unwrap(), "expected an operator or the end of the expression, found `2`");
        assert_eq!(told("explode >=").err().unwrap(), "expected a value after `>=`");
        assert!(told("explode + 2").is_ok());
    }
}
