//! Finds the dice in an expression: `3 d6`, `(1 + 2) d10`, `legs d4`, `d20`, `2 dice of size 7`.
//!
//! The grammar of the rules has no dice in expressions, which have no effects. So each pool is replaced by a name of the same
//! length, and all other places in the text stay the same.
//!
//! A *pool* is dice of one size that are thrown together; their number and size may be expressions with dice of their own.
//! `phrase` turns the result into a procedure.

use ludex_compiler::builtins::find_builtin;
use ludex_syntax::codes;
use ludex_syntax::parse::{BEFORE_NUMBER_OF, is_reserved, parse_expression};
use ludex_syntax::problem::Problem;
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Expr, ExprKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// Maximum length of an expression, in bytes.
const LONGEST: usize = 4_096;

/// Maximum depth of dice whose number is given by other dice.
const DEEPEST: usize = 16;

/// Dice thrown together.
pub struct Pool {
    pub count: Expr,
    pub size: Expr,
    pub span: Span,
}

/// An expression with its pools of dice, by the places where they begin.
pub struct Phrase {
    pub expr: Expr,
    pub pools: BTreeMap<u32, Pool>,
}

/// Parses an expression.
pub fn parse_phrase(source: SourceId, text: &str) -> Result<Phrase, Problem> {
    if text.trim().is_empty() {
        let problem =
            Problem::error(codes::SYNTAX, "there is no expression").with_label(Span::new(source, 0, text.len()), "this is empty");
        return Err(problem.help("write an expression, such as `2d6 + 1 >= 8`"));
    }
    if text.len() > LONGEST {
        let message = format!("an expression of {} bytes is too long to be read", text.len());
        let most = format!("at most {LONGEST} bytes");
        let problem = Problem::error(codes::FILE_TOO_LARGE, message).with_label(Span::new(source, 0, 0), most);
        return Err(problem.help("write it as a procedure, and ask for its value"));
    }
    let mut reader = Reader { source, text, words: scan_words(text), pools: BTreeMap::new(), depth: 0 };
    let expr = reader.parse_range(0..text.len())?;
    Ok(Phrase { expr, pools: reader.pools })
}

/// The sorts of words in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordKind {
    Number,
    Name,
    /// Six in `d6`.
    Die,
    Open,
    Close,
    Other,
}

/// A word, a number or a sign, with its range in the text.
#[derive(Clone, Debug)]
struct Word {
    sort: WordKind,
    range: Range<usize>,
}

/// The words, numbers and signs of a text, without quoted texts.
fn scan_words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((start, first)) = letters.next() {
        if first.is_whitespace() {
            continue;
        }
        if first == '"' {
            letters.by_ref().find(|(_, letter)| *letter == '"');
            continue;
        }
        let mut end = start + first.len_utf8();
        let goes_on: fn(char) -> bool = match first {
            '0'..='9' => |next| next.is_ascii_digit(),
            'a'..='z' | 'A'..='Z' | '_' => |next| next.is_ascii_alphanumeric() || next == '_',
            _ => |_| false,
        };
        while let Some((at, next)) = letters.next_if(|(_, next)| goes_on(*next)) {
            end = at + next.len_utf8();
        }
        let sort = match first {
            '0'..='9' => WordKind::Number,
            'a'..='z' | 'A'..='Z' | '_' if face_count(&text[start..end]).is_some() => WordKind::Die,
            'a'..='z' | 'A'..='Z' | '_' => WordKind::Name,
            '(' => WordKind::Open,
            ')' => WordKind::Close,
            _ => WordKind::Other,
        };
        words.push(Word { sort, range: start..end });
    }
    words
}

/// The number of faces in `d6` or `D6`.
fn face_count(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['d', 'D'])?;
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(i64::MAX))
}

/// A plain number that is small enough to be valid anywhere, and so needs no grammar.
fn plain_number(text: &str) -> Option<i64> {
    let is_plain = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

/// The ranges of some dice and their parts.
struct FoundDice {
    whole: Range<usize>,
    /// The number of dice; `None` means one.
    count: Option<Range<usize>>,
    /// The word `d6`, or the expression after `dice of size`.
    size: Range<usize>,
    /// The size is a word like `d6`.
    word: bool,
}

/// Parses an expression. `depth` is the number of pools around the current part.
struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    words: Vec<Word>,
    pools: BTreeMap<u32, Pool>,
    depth: usize,
}

impl Reader<'_> {
    /// Parses a range of the text as an expression: the dice in it get placeholders, all other text is blanked, and so places
    /// stay the same.
    fn parse_range(&mut self, stretch: Range<usize>) -> Result<Expr, Problem> {
        if let Some(number) = plain_number(&self.text[stretch.clone()]) {
            return Ok(Expr { kind: ExprKind::Number(number), span: Span::new(self.source, stretch.start, stretch.end) });
        }
        let mut blanked: Vec<u8> = self.text.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }).collect();
        blanked[stretch.clone()].copy_from_slice(&self.text.as_bytes()[stretch.clone()]);
        let found = self.outermost_dice(&stretch);
        self.refuse_shared_operands(&found)?;
        let mut names = Vec::new();
        for (index, pool) in found.iter().enumerate() {
            let name = placeholder_name(index, &pool.whole);
            blanked[pool.whole.clone()].copy_from_slice(name.as_bytes());
            names.push((name, &self.text[pool.whole.clone()]));
        }
        let text = String::from_utf8(blanked).unwrap_or_default();
        let expr =
            parse_expression(self.source, &text).map_err(|problem| with_dice(self.with_brackets(problem, &found), &names))?;
        for pool in found {
            self.add_pool(pool)?;
        }
        Ok(expr)
    }

    /// Refuses shared operands: in `2 dice of size 3d6`, the 3 would be the size of some dice and the number of others.
    fn refuse_shared_operands(&self, found: &[FoundDice]) -> Result<(), Problem> {
        let mut ranges: Vec<&Range<usize>> = found.iter().map(|found| &found.whole).collect();
        ranges.sort_by_key(|range| range.start);
        let Some(pair) = ranges.windows(2).find(|pair| pair[0].end > pair[1].start) else { return Ok(()) };
        let shared = Span::new(self.source, pair[1].start, pair[0].end);
        let number = &self.text[pair[1].start..pair[0].end];
        let message = format!("`{number}` cannot be the size of some dice and the number of others");
        let (inner, after) = (&self.text[pair[1].clone()], &self.text[pair[0].start..pair[1].start]);
        Err(Problem::error(codes::SYNTAX, message)
            .with_label(shared, "both")
            .help(format!("put the dice that give the size in brackets, as in `{after}({inner})`")))
    }

    /// Adds help about brackets to a problem right after `dice of size half`.
    fn with_brackets(&self, problem: Problem, found: &[FoundDice]) -> Problem {
        let place = problem.labels.first().map_or(0, |(span, _)| span.start as usize);
        let is_before = |pool: &&FoundDice| {
            let between = self.text.get(pool.whole.end..place);
            !pool.word
                && find_builtin(&self.text[pool.size.clone()]).is_some()
                && between.is_some_and(|text| text.trim().is_empty())
        };
        match found.iter().any(|pool| is_before(&pool)) {
            true => problem.help("put a size that is worked out in brackets, as in `2 dice of size (half of a)`"),
            false => problem,
        }
    }

    /// Parses the number and the size of some dice, and adds them to the pools.
    fn add_pool(&mut self, found: FoundDice) -> Result<(), Problem> {
        let span = Span::new(self.source, found.whole.start, found.whole.end);
        if self.depth >= DEEPEST {
            let message = "dice that decide the number of other dice are nested too deeply";
            let problem = Problem::error(codes::TOO_DEEP, message).with_label(span, "too deep here");
            return Err(problem.help("write a part of it as a procedure"));
        }
        self.depth += 1;
        let number = |number: i64, span: Span| Expr { kind: ExprKind::Number(number), span };
        let count = match found.count {
            Some(count) => self.parse_range(count)?,
            None => number(1, span),
        };
        let size = match found.word {
            // A number of faces that overflows is too large anyway.
            true => {
                number(face_count(&self.text[found.size.clone()]).unwrap_or(i64::from(i32::MAX)).min(i64::from(i32::MAX)), span)
            }
            false => self.parse_range(found.size)?,
        };
        self.depth -= 1;
        self.pools.insert(span.start, Pool { count, size, span });
        Ok(())
    }

    /// The dice in a range that are not part of the number or size of others.
    fn outermost_dice(&self, stretch: &Range<usize>) -> Vec<FoundDice> {
        let inside = |index: usize| self.words.get(index).filter(|word| is_within(&word.range, stretch));
        let mut found: Vec<FoundDice> = (0..self.words.len())
            .filter(|index| inside(*index).is_some())
            .filter_map(|index| self.dice_at(index))
            .filter(|found| is_within(&found.whole, stretch))
            .collect();
        let ranges: Vec<Range<usize>> = found.iter().map(|found| found.whole.clone()).collect();
        found.retain(|found| !ranges.iter().any(|other| *other != found.whole && is_within(&found.whole, other)));
        found
    }

    /// The dice whose size word is at this index.
    fn dice_at(&self, index: usize) -> Option<FoundDice> {
        let word = self.words.get(index)?;
        if word.sort == WordKind::Die {
            let first = self.operand_before(index);
            let start = first.map_or(word.range.start, |first| self.words[first].range.start);
            let count = first.map(|_| start..self.words[index - 1].range.end);
            return Some(FoundDice { whole: start..word.range.end, count, size: word.range.clone(), word: true });
        }
        let words = ["dice", "of", "size"];
        let named = words.iter().enumerate().all(|(offset, word)| self.word_at(index + offset) == Some(word));
        let first = self.operand_before(index).filter(|_| named)?;
        let last = self.operand_from(index + 3)?;
        let size = self.words[index + 3].range.start..self.words[last].range.end;
        let start = self.words[first].range.start;
        Some(FoundDice { whole: start..size.end, count: Some(start..self.words[index - 1].range.end), size, word: false })
    }

    /// The text of the word at an index.
    fn word_at(&self, index: usize) -> Option<&str> {
        self.words.get(index).map(|word| &self.text[word.range.clone()])
    }

    /// Whether the word at an index is a name that rules can give.
    fn is_name(&self, index: usize) -> bool {
        self.words.get(index).is_some_and(|word| word.sort == WordKind::Name && !is_reserved(&self.text[word.range.clone()]))
    }

    /// The index of the first word of a number, name, call or bracket that ends right before the word at an index.
    fn operand_before(&self, index: usize) -> Option<usize> {
        let last = index.checked_sub(1)?;
        let mut first = match self.words[last].sort {
            WordKind::Number => return Some(last),
            WordKind::Name if self.is_name(last) => last,
            WordKind::Close => {
                let open = self.opening_bracket(last)?;
                // `but at least (1) d6` and `member (1) d6 of xs`: the bracket is not part of a call.
                let is_bound = open > 1 && self.word_at(open - 2) == Some("at");
                let is_before_of = self.word_at(index + 1) == Some("of");
                let is_form =
                    is_before_of && open > 0 && self.word_at(open - 1).is_some_and(|word| BEFORE_NUMBER_OF.contains(&word));
                if open > 0 && self.is_name(open - 1) && !is_bound && !is_form { open - 1 } else { open }
            }
            _ => return None,
        };
        while first > 1 && self.word_at(first - 1) == Some(".") && self.is_name(first - 2) {
            first -= 2;
        }
        Some(first)
    }

    /// The index of the last word of a number, name, call or bracket that begins at the word at an index.
    fn operand_from(&self, index: usize) -> Option<usize> {
        let closing = |open: usize| (open..self.words.len()).find(|close| self.opening_bracket(*close) == Some(open));
        let is_open = |index: usize| self.words.get(index).is_some_and(|word| word.sort == WordKind::Open);
        let mut last = match self.words.get(index)?.sort {
            WordKind::Number => return Some(index),
            WordKind::Open => return closing(index),
            WordKind::Name if self.is_name(index) && is_open(index + 1) => closing(index + 1)?,
            WordKind::Name if self.is_name(index) => index,
            _ => return None,
        };
        while self.word_at(last + 1) == Some(".") && self.is_name(last + 2) {
            last += 2;
        }
        Some(last)
    }

    /// The index of the bracket that the closing one at an index closes.
    fn opening_bracket(&self, close: usize) -> Option<usize> {
        if self.words.get(close)?.sort != WordKind::Close {
            return None;
        }
        let mut depth = 0;
        (0..=close).rev().find(|index| {
            match self.words[*index].sort {
                WordKind::Close => depth += 1,
                WordKind::Open => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }
}

fn is_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// A placeholder as long as the dice that it stands for: the first `3 d6` becomes `A___`.
fn placeholder_name(index: usize, whole: &Range<usize>) -> String {
    let mut name = String::from(char::from(b'A' + (index % 26) as u8));
    name.extend(std::iter::repeat_n('_', whole.len() - 1));
    name
}

/// Translates a problem back to the reader's text: with dice instead of placeholders.
fn with_dice(problem: Problem, names: &[(String, &str)]) -> Problem {
    let is_end = |sign: char| !sign.is_ascii_alphanumeric() && sign != '_';
    problem.translate_texts(|text| {
        let dice = |piece: &str| {
            let word = piece.trim_end_matches(is_end);
            let named = names.iter().find(|(name, _)| name == word);
            named.map_or(piece.to_string(), |(_, dice)| format!("{dice}{}", &piece[word.len()..]))
        };
        text.split_inclusive(is_end).map(dice).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number and size of each pool, as they stand in the text.
    fn pools(text: &str) -> Vec<(String, String)> {
        let phrase = parse_phrase(SourceId(0), text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
        let words = |expr: &Expr| text[expr.span.start as usize..expr.span.end as usize].trim().to_string();
        phrase.pools.values().map(|pool| (words(&pool.count), words(&pool.size))).collect()
    }

    fn pair(count: &str, size: &str) -> (String, String) {
        (count.to_string(), size.to_string())
    }

    #[test]
    fn dice_are_found_wherever_they_stand() {
        assert_eq!(pools("3d6"), [pair("3", "3d6")]);
        assert_eq!(pools("3 D6 + d20 >= 10"), [pair("3", "3 D6"), pair("d20", "d20")]);
        assert_eq!(pools("(1 + legs) d10"), [pair("(1 + legs)", "(1 + legs) d10")]);
        assert_eq!(pools("rank(3) d10 * 2"), [pair("rank(3)", "rank(3) d10")]);
        assert_eq!(pools("count of (4d6 where it >= 5) = 2"), [pair("4", "4d6")]);
        assert_eq!(pools("2 dice of size (3 + 4) + 1"), [pair("2", "(3 + 4)")]);
        assert_eq!(pools("half of 1d4"), [pair("1", "1d4")]);
        assert_eq!(pools("2 but at least (1) d4"), [pair("(1)", "(1) d4")]);
        assert_eq!(pools("sum of member (1) d3 of [4, 5, 6]"), [pair("(1)", "(1) d3")]);
        assert_eq!(pools("highest (1) d2 of [4, 5]"), [pair("(1)", "(1) d2")]);
        assert_eq!(pools("member(1) d2"), [pair("member(1)", "member(1) d2")]);
        assert_eq!(pools("frog.legs d4 - 1"), [pair("frog.legs", "frog.legs d4")]);
    }

    #[test]
    fn dice_may_tell_how_many_dice() {
        assert_eq!(pools("(1d4 + 1) d6"), [pair("(1d4 + 1)", "(1d4 + 1) d6"), pair("1", "1d4")]);
        assert_eq!(pools("2 dice of size (1d6)"), [pair("2", "(1d6)"), pair("1", "1d6")]);
    }

    #[test]
    fn a_size_that_is_worked_out_needs_brackets() {
        let help = |text: &str| parse_phrase(SourceId(0), text).err().unwrap().help;
        let brackets = Some("put a size that is worked out in brackets, as in `2 dice of size (half of a)`".to_string());
        assert_eq!(help("2 dice of size half of 7"), brackets);
        assert_eq!(help("1 + 2 dice of size highest 2 of [3, 4]"), brackets);
        assert_eq!(help("2 dice of size half 7"), brackets);
        assert_eq!(help("2 dice of size 6 7"), None);
    }

    #[test]
    fn a_number_belongs_to_one_throw() {
        let help = |text: &str| parse_phrase(SourceId(0), text).err().and_then(|problem| problem.help).unwrap_or_default();
        let brackets = |example: &str| format!("put the dice that give the size in brackets, as in `{example}`");
        assert_eq!(help("2 dice of size 3d6"), brackets("2 dice of size (3d6)"));
        assert_eq!(help("highest of (2 dice of size 3 d6) + 1"), brackets("2 dice of size (3 d6)"));
        assert_eq!(help("2 dice of size n dice of size 4"), brackets("2 dice of size (n dice of size 4)"));
        assert_eq!(help("(1d4) dice of size rank(2) d6 >= 15"), brackets("(1d4) dice of size (rank(2) d6)"));
    }

    #[test]
    fn mistakes_are_told_in_the_words_of_the_reader() {
        let problem = parse_phrase(SourceId(0), "2 + 3 d6 4").err().unwrap();
        let span = problem.labels[0].0;
        assert_eq!((span.start, span.end), (9, 10), "{problem:?}");
        for text in ["", "3d6 +", "(3d6", "3d6 d6", "d6 6", "2 dice of size", "é d6"] {
            let problem = parse_phrase(SourceId(0), text).err().unwrap_or_else(|| panic!("{text} is read"));
            let words = format!("{} {:?} {:?}", problem.message, problem.labels, problem.help).replace("`_`", "");
            assert!(!words.contains('_'), "{text}: {words}");
        }
        let help = |text: &str| parse_phrase(SourceId(0), text).err().and_then(|problem| problem.help).unwrap_or_default();
        assert_eq!(help("1d6 + 2d8 / 3"), "write `2d8 divided by 3 rounded down`, or `rounded up`");
        assert_eq!(help("(1d6 + 2d8) / 3"), "write `(1d6 + 2d8) divided by 3 rounded down`, or `rounded up`");
        assert_eq!(help("2d6 / 2"), "write `2d6 divided by 2 rounded down`, or `half of 2d6` to keep the half that may be left");
    }
}
