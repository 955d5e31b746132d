//! Finds the dice in an expression: `3 d6`, `(1 + 2) d10`, `legs d4`, `d20`, `2 dice of size 7`.
//!
//! The grammar of the rules has no dice in expressions, where nothing may happen. So a name of the same length takes
//! their place, which leaves every other place in the text where it is.

use crate::codes;
use crate::language::parse::{is_reserved, parse_expression};
use crate::language::syntax::{Expr, ExprKind};
use crate::problem::Problem;
use crate::source::{SourceId, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// Dice that are thrown together.
pub struct Pool {
    pub count: Expr,
    pub size: Expr,
    pub span: Span,
}

/// An expression with the dice in it, by the places where they begin.
pub struct Phrase {
    pub expr: Expr,
    pub pools: BTreeMap<u32, Pool>,
}

/// Reads an expression.
pub fn read(source: SourceId, text: &str) -> Result<Phrase, Problem> {
    if text.trim().is_empty() {
        let problem =
            Problem::error(codes::SYNTAX, "there is no expression").at(Span::new(source, 0, text.len()), "nothing stands here");
        return Err(problem.help("write what the odds are wanted of, such as `2d6 + 1 >= 8`"));
    }
    let mut reader = Reader { source, text, tokens: tokens(text), pools: BTreeMap::new() };
    let expr = reader.read(0..text.len())?;
    Ok(Phrase { expr, pools: reader.pools })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Number,
    Word,
    /// Six in `d6`.
    Die,
    Open,
    Close,
    Sign,
}

#[derive(Clone, Debug)]
struct Token {
    sort: Sort,
    range: Range<usize>,
}

/// Words, numbers and signs; texts in quotes are left out.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
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
            '0'..='9' => Sort::Number,
            'a'..='z' | 'A'..='Z' | '_' if faces(&text[start..end]).is_some() => Sort::Die,
            'a'..='z' | 'A'..='Z' | '_' => Sort::Word,
            '(' => Sort::Open,
            ')' => Sort::Close,
            _ => Sort::Sign,
        };
        tokens.push(Token { sort, range: start..end });
    }
    tokens
}

/// The number of faces that `d6` or `D6` names.
fn faces(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['d', 'D'])?;
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// Where the parts of some dice stand.
struct Found {
    whole: Range<usize>,
    /// None: one.
    count: Option<Range<usize>>,
    /// The word `d6`, or the expression behind `dice of size`.
    size: Range<usize>,
    word: bool,
}

struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    tokens: Vec<Token>,
    pools: BTreeMap<u32, Pool>,
}

impl Reader<'_> {
    /// Reads a stretch of the text as an expression.
    fn read(&mut self, stretch: Range<usize>) -> Result<Expr, Problem> {
        let mut masked: Vec<u8> = self.text.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }).collect();
        masked[stretch.clone()].copy_from_slice(&self.text.as_bytes()[stretch.clone()]);
        let found = self.outermost(&stretch);
        let mut names = Vec::new();
        for pool in &found {
            let name = self.name_for(&pool.whole);
            masked[pool.whole.clone()].copy_from_slice(name.as_bytes());
            names.push((name, &self.text[pool.whole.clone()]));
        }
        let text = String::from_utf8(masked).unwrap_or_default();
        let expr = parse_expression(self.source, &text).map_err(|problem| with_dice(problem, &names))?;
        for pool in found {
            self.add(pool)?;
        }
        Ok(expr)
    }

    /// A name as long as the dice it stands for: `3 d6` becomes `d6__`.
    fn name_for(&self, whole: &Range<usize>) -> String {
        let mut name = String::from("d");
        name.extend(std::iter::repeat_n('_', whole.len() - 1));
        name
    }

    fn add(&mut self, found: Found) -> Result<(), Problem> {
        let span = Span::new(self.source, found.whole.start, found.whole.end);
        let number = |number: i64, span: Span| Expr { kind: ExprKind::Number(number), span };
        let count = match found.count {
            Some(count) => self.read(count)?,
            None => number(1, span),
        };
        let size = match found.word {
            // More faces than can be counted are too many too.
            true => number(faces(&self.text[found.size.clone()]).unwrap_or(i64::from(i32::MAX)).min(i64::from(i32::MAX)), span),
            false => self.read(found.size)?,
        };
        self.pools.insert(span.start, Pool { count, size, span });
        Ok(())
    }

    /// The dice in a stretch that are not within the number or size of others.
    fn outermost(&self, stretch: &Range<usize>) -> Vec<Found> {
        let inside = |index: usize| self.tokens.get(index).filter(|token| within(&token.range, stretch));
        let mut found: Vec<Found> = (0..self.tokens.len())
            .filter(|index| inside(*index).is_some())
            .filter_map(|index| self.dice_at(index))
            .filter(|found| within(&found.whole, stretch))
            .collect();
        let ranges: Vec<Range<usize>> = found.iter().map(|found| found.whole.clone()).collect();
        found.retain(|found| !ranges.iter().any(|other| *other != found.whole && within(&found.whole, other)));
        found
    }

    /// The dice whose word for the size stands at a token.
    fn dice_at(&self, index: usize) -> Option<Found> {
        let token = self.tokens.get(index)?;
        if token.sort == Sort::Die {
            let first = self.operand_before(index);
            let start = first.map_or(token.range.start, |first| self.tokens[first].range.start);
            let count = first.map(|_| start..self.tokens[index - 1].range.end);
            return Some(Found { whole: start..token.range.end, count, size: token.range.clone(), word: true });
        }
        let words = ["dice", "of", "size"];
        let named = words.iter().enumerate().all(|(offset, word)| self.word(index + offset) == Some(word));
        let first = self.operand_before(index).filter(|_| named)?;
        let last = self.operand_from(index + 3)?;
        let size = self.tokens[index + 3].range.start..self.tokens[last].range.end;
        let start = self.tokens[first].range.start;
        Some(Found { whole: start..size.end, count: Some(start..self.tokens[index - 1].range.end), size, word: false })
    }

    fn word(&self, index: usize) -> Option<&str> {
        self.tokens.get(index).map(|token| &self.text[token.range.clone()])
    }

    fn is_name(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.sort == Sort::Word && !is_reserved(&self.text[token.range.clone()]))
    }

    /// The first token of a number, name, call or bracket that ends before a token.
    fn operand_before(&self, index: usize) -> Option<usize> {
        let last = index.checked_sub(1)?;
        let mut first = match self.tokens[last].sort {
            Sort::Number => return Some(last),
            Sort::Word if self.is_name(last) => last,
            Sort::Close => {
                let open = self.opening(last)?;
                if open > 0 && self.is_name(open - 1) { open - 1 } else { open }
            }
            _ => return None,
        };
        while first > 1 && self.word(first - 1) == Some(".") && self.is_name(first - 2) {
            first -= 2;
        }
        Some(first)
    }

    /// The last token of a number, name, call or bracket that begins at a token.
    fn operand_from(&self, index: usize) -> Option<usize> {
        let closing = |open: usize| (open..self.tokens.len()).find(|close| self.opening(*close) == Some(open));
        let is_open = |index: usize| self.tokens.get(index).is_some_and(|token| token.sort == Sort::Open);
        let mut last = match self.tokens.get(index)?.sort {
            Sort::Number => return Some(index),
            Sort::Open => return closing(index),
            Sort::Word if self.is_name(index) && is_open(index + 1) => closing(index + 1)?,
            Sort::Word if self.is_name(index) => index,
            _ => return None,
        };
        while self.word(last + 1) == Some(".") && self.is_name(last + 2) {
            last += 2;
        }
        Some(last)
    }

    /// The bracket that one closes.
    fn opening(&self, close: usize) -> Option<usize> {
        if self.tokens.get(close)?.sort != Sort::Close {
            return None;
        }
        let mut depth = 0;
        (0..=close).rev().find(|index| {
            match self.tokens[*index].sort {
                Sort::Close => depth += 1,
                Sort::Open => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// A problem in the words of the reader: with the dice instead of the names that took their places.
fn with_dice(mut problem: Problem, names: &[(String, &str)]) -> Problem {
    for (name, dice) in names {
        let (name, dice) = (format!("`{name}`"), format!("`{dice}`"));
        problem.message = problem.message.replacen(&name, &dice, 1);
        for (_, remark) in &mut problem.labels {
            *remark = remark.replacen(&name, &dice, 1);
        }
        problem.help = problem.help.map(|help| help.replacen(&name, &dice, 1));
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number and size of each pool, as they stand in the text.
    fn pools(text: &str) -> Vec<(String, String)> {
        let phrase = read(SourceId(0), text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
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
        assert_eq!(pools("frog.legs d4 - 1"), [pair("frog.legs", "frog.legs d4")]);
    }

    #[test]
    fn dice_may_tell_how_many_dice() {
        assert_eq!(pools("(1d4 + 1) d6"), [pair("(1d4 + 1)", "(1d4 + 1) d6"), pair("1", "1d4")]);
        assert_eq!(pools("2 dice of size (1d6)"), [pair("2", "(1d6)"), pair("1", "1d6")]);
    }

    #[test]
    fn mistakes_are_told_in_the_words_of_the_reader() {
        let problem = read(SourceId(0), "2 + 3 d6 4").err().unwrap();
        let span = problem.labels[0].0;
        assert_eq!((span.start, span.end), (9, 10), "{problem:?}");
        for text in ["", "3d6 +", "(3d6", "3d6 d6", "d6 6", "2 dice of size", "é d6"] {
            let problem = read(SourceId(0), text).err().unwrap_or_else(|| panic!("{text} is read"));
            let words = format!("{} {:?} {:?}", problem.message, problem.labels, problem.help);
            assert!(!words.contains("d_"), "{text}: {words}");
        }
    }
}
