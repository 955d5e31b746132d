//! Whether two statements touch nothing of each other, so that either order leads to the same table: to exchange them breaks
//! nothing.
//!
//! It is read off the words. What a statement changes and what it looks at is followed into definitions and procedures, and
//! whatever cannot be followed (hooks, questions, dice) counts as touching everything.

use super::corpus::{Corpus, Text};
use super::tokens::{Sort as TokenSort, Token, Tokens};
use super::vocabulary::{Sort, Vocabulary};
use ludex_engine::library::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Statements that nobody can follow from their words alone: others decide, or chance does, or play goes on elsewhere.
const FAR: &[&str] = &[
    "open", "choose", "ask", "roll", "draw", "shuffle", "create", "remove", "show", "hide", "finish", "give", "leave", "skip",
    "can", "may", "must", "return", "break", "continue", "throw",
];

/// Words that begin a declaration.
const DECLARING: &[&str] = &[
    "to",
    "scope",
    "entry",
    "define",
    "table",
    "hook",
    "family",
    "action",
    "each",
    "the",
    "piece",
    "sheet",
    "mark",
    "type",
    "mode",
    "replace",
    "option",
    "policy",
    "standing",
    "abilities",
];

/// Functions of the script API that do what statements of the rules do.
const CHANGING_CALLS: &[&str] = &["set", "add", "mark", "unmark"];

/// What a stretch of statements does, as far as its words tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effects {
    /// Names whose value changes: fields, counters, marks, locals, and zones that are emptied or filled.
    changed: BTreeSet<String>,
    /// Something moves from a zone that is not named.
    moves_from_anywhere: bool,
    /// Every word, those of what is called included.
    words: BTreeSet<String>,
}

impl Effects {
    fn change(&mut self, name: &str) {
        self.changed.insert(name.to_string());
    }
}

/// The bodies of definitions and procedures, by their names.
pub struct Bodies<'c> {
    vocabulary: &'c Vocabulary,
    bodies: BTreeMap<&'c str, Vec<(&'c Tokens, Range<usize>)>>,
}

impl<'c> Bodies<'c> {
    /// Those that a text knows. Of a name that several packages declare, all bodies count.
    pub fn known_in(corpus: &'c Corpus, text: &Text) -> Bodies<'c> {
        let vocabulary = corpus.vocabulary(text);
        let mut bodies: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for text in corpus.rules() {
            let tokens = &text.tokens;
            let declared = |index: &usize| matches!(tokens.before(*index), "define" | "table" | "to" | "scope");
            for index in text.declared.iter().copied().filter(declared) {
                let end = end_of_declaration(tokens, index);
                bodies.entry(tokens.word(index)).or_default().push((tokens, index + 1..end));
            }
        }
        Bodies { vocabulary, bodies }
    }

    /// Whether two stretches of one text can be exchanged, and nothing comes of it.
    pub fn are_apart(&self, text: &Text, one: Range<usize>, other: Range<usize>) -> bool {
        if text.role == Role::Script {
            let (first, second) = (text.tokens.word(one.start), text.tokens.word(other.start));
            let free = |stretch: Range<usize>| !stretch.into_iter().any(|at| matches!(text.tokens.word(at), "return" | "answer"));
            // What a script answers counts when it has ended.
            if first == "answer" && free(other.clone()) || second == "answer" && free(one.clone()) {
                return true;
            }
        }
        let script = text.role == Role::Script;
        let effects = |stretch| match script {
            true => self.effects_of_script(&text.tokens, stretch),
            false => self.effects(&text.tokens, stretch, true, &mut BTreeSet::new()),
        };
        let (Some(one), Some(other)) = (effects(one), effects(other)) else { return false };
        !self.touches(&one, &other) && !self.touches(&other, &one)
    }

    fn touches(&self, one: &Effects, other: &Effects) -> bool {
        let looks_at_zones =
            |word: &String| word == "leaves" || self.vocabulary.is_plural(word) || self.vocabulary.is(word, Sort::Zone);
        !one.changed.is_disjoint(&other.words) || one.moves_from_anywhere && other.words.iter().any(looks_at_zones)
    }

    /// What statements of rules do; nothing if that cannot be followed. Only in what is called may a `stop` stand.
    fn effects<'t>(
        &'t self,
        tokens: &'t Tokens,
        stretch: Range<usize>,
        stops_matter: bool,
        followed: &mut BTreeSet<&'t str>,
    ) -> Option<Effects> {
        let mut effects = Effects::default();
        for index in stretch.filter(|index| tokens.is_word(*index)) {
            let word = tokens.word(index);
            effects.words.insert(word.to_string());
            if tokens.before(index) == "." {
                continue;
            }
            if FAR.contains(&word) || self.vocabulary.is(word, Sort::Hook) {
                return None;
            }
            match word {
                "set" => effects.change(place(tokens, index + 1)?),
                "add" | "take" => {
                    let to = next_of_depth(tokens, index, &["to", "from"])?;
                    effects.change(place(tokens, to + 1)?);
                }
                // A mark, or a name for what a procedure gives.
                "as" => effects.change(tokens.word(index + 1)),
                "move" => {
                    let to = next_of_depth(tokens, index, &["to"])?;
                    effects.change(place(tokens, to + 1)?);
                    match place(tokens, index + 1).filter(|from| self.vocabulary.is(from, Sort::Zone)) {
                        Some(from) => effects.change(from),
                        None => effects.moves_from_anywhere = true,
                    }
                }
                "do" if !self.bodies.contains_key(tokens.word(index + 1)) => return None,
                "stop" if stops_matter || self.vocabulary.is(tokens.word(index + 1), Sort::Procedure) => return None,
                _ => {}
            }
            // `until end of turn` names a scope that it does not run.
            let names_time = matches!(tokens.before(index), "of" | "next" | "this") && self.vocabulary.is(word, Sort::Procedure);
            if !names_time {
                self.follow(word, &mut effects, followed)?;
            }
        }
        Some(effects)
    }

    /// What one statement of a script does: a call of the API that changes something, or of what the rules declare.
    fn effects_of_script(&self, tokens: &Tokens, stretch: Range<usize>) -> Option<Effects> {
        let mut effects = Effects::default();
        for index in stretch {
            if matches!(tokens.word(index), "=" | "+=" | "-=") {
                return None;
            }
            let Some(word) = named(tokens, index) else { continue };
            effects.words.insert(word.to_string());
            if tokens.word(index + 1) == "(" && tokens.before(index) != "." {
                match word {
                    _ if CHANGING_CALLS.contains(&word) => effects.change(second_text(tokens, index + 1)?),
                    _ if !self.bodies.contains_key(word) => return None,
                    _ => self.follow(word, &mut effects, &mut BTreeSet::new())?,
                }
            } else if FAR.contains(&word) {
                return None;
            }
        }
        Some(effects)
    }

    /// Adds what a definition or procedure does, if a word names one.
    fn follow<'t>(&'t self, word: &str, effects: &mut Effects, followed: &mut BTreeSet<&'t str>) -> Option<()> {
        let Some((name, bodies)) = self.bodies.get_key_value(word) else { return Some(()) };
        if followed.insert(name) {
            for (tokens, body) in bodies {
                let inner = self.effects(tokens, body.clone(), false, followed)?;
                effects.changed.extend(inner.changed);
                effects.words.extend(inner.words);
                effects.moves_from_anywhere |= inner.moves_from_anywhere;
            }
        }
        Some(())
    }
}

/// Where a declaration ends whose name stands at a token.
fn end_of_declaration(tokens: &Tokens, name: usize) -> usize {
    let depth = tokens.get(name).map_or(0, |token| token.depth);
    let ends = |(index, token): &(usize, &Token)| {
        let begins = DECLARING.contains(&tokens.word(*index)) && tokens.starts_with_its_line(*index);
        token.depth < depth || token.depth == depth && begins
    };
    tokens.iter().skip(name + 1).find(ends).map_or(tokens.iter().count(), |(index, _)| index)
}

/// A word, or a text that can name a field or a mark in a script.
fn named(tokens: &Tokens, index: usize) -> Option<&str> {
    match tokens.get(index)?.sort {
        TokenSort::Word => Some(tokens.word(index)),
        TokenSort::Text => Some(tokens.word(index).trim_matches('"')),
        _ => None,
    }
}

/// The last name of `fighter.pending` or of `struck`, if nothing but such a path begins there.
fn place(tokens: &Tokens, first: usize) -> Option<&str> {
    let mut at = first;
    while tokens.is_word(at) && tokens.word(at + 1) == "." {
        at += 2;
    }
    tokens.is_word(at).then(|| tokens.word(at))
}

/// The first of some words behind a token that stands in no further brackets.
fn next_of_depth(tokens: &Tokens, from: usize, words: &[&str]) -> Option<usize> {
    let depth = tokens.get(from)?.depth;
    (from + 1..from + 100).find(|at| {
        let here = tokens.get(*at).is_some_and(|token| token.depth == depth);
        here && words.contains(&tokens.word(*at))
    })
}

/// The text that the second argument of a call is.
fn second_text(tokens: &Tokens, open: usize) -> Option<&str> {
    let part = tokens.parts(open).into_iter().nth(1)?;
    let written = tokens.text().get(part)?;
    written.strip_prefix('"')?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::library::{File, Library};

    const RULES: &str = "ludex 1
game pond \"Pond\"
sides 2
piece frog (frogs) { counter flies, eggs  mark wet  mark tired }
each side has { zone nest, lake, bank: frogs  counter points  last: frog or none }
hook hopped(frog: frog)
define resting(side: side) = side.nest where it is tired
define soaked(side: side) = any of resting(side) has it is wet
to dry(frog: frog) { unmark frog as wet }
to hop(frog: frog) { open hopped(frog) }
to count_up(side: side) { if soaked(side) { add 1 to side.points } }
scope day { open hopped(first of frogs) }
to play { finish with nobody }
to tried(side: side, frog: frog) {
";

    /// Whether two statements are apart in rules, and as what they are called there.
    fn apart(one: &str, other: &str) -> bool {
        let rules = format!("{RULES}{one}\n{other}\n}}\n");
        let (library, _) = Library::new(vec![File {
            path: "rules/pond/pond.ludex".to_string(),
            text: rules.clone(),
            library: "pond".to_string(),
        }]);
        let corpus = Corpus::new(&library);
        let text = corpus.rules().next().expect("the rules");
        let stretch = |statement: &str, from: usize| {
            let begin = from + rules[from..].find(statement).expect("the statement");
            let before = |end: usize| text.tokens.iter().take_while(|(_, token)| token.at.start < end).count();
            (before(begin)..before(begin + statement.len()), begin + statement.len())
        };
        let (first, end) = stretch(one, RULES.len());
        let (second, _) = stretch(other, end);
        let bodies = Bodies::known_in(&corpus, text);
        assert_eq!(
            bodies.are_apart(text, first.clone(), second.clone()),
            bodies.are_apart(text, second.clone(), first.clone()),
            "either order"
        );
        bodies.are_apart(text, first, second)
    }

    #[test]
    fn what_touches_different_things_can_be_exchanged() {
        assert!(apart("add 1 to frog.flies", "add 1 to frog.eggs"));
        assert!(apart("mark frog as wet", "unmark frog as tired"));
        assert!(apart("mark frog as wet", "move frog to side.lake"));
        assert!(apart("move side.nest to side.lake", "add 1 to side.points"));
        assert!(apart("do dry(frog)", "add 1 to frog.flies"));
        assert!(apart("mark frog as wet until end of day", "move frog to side.lake"));
        assert!(apart("set side.last to frog", "if frog is wet { add 1 to frog.flies }"));
    }

    #[test]
    fn what_one_changes_and_the_other_looks_at_cannot() {
        assert!(!apart("add 1 to frog.flies", "set frog.eggs to frog.flies"));
        assert!(!apart("add 1 to frog.flies", "add 2 to frog.flies"));
        assert!(!apart("mark frog as wet", "if frog is wet { add 1 to frog.flies }"));
        assert!(!apart("mark frog as wet until it leaves", "move frog to side.lake"));
        assert!(!apart("move frog to side.lake", "move side.nest to side.bank"));
        assert!(!apart("move frog to side.lake", "if side.nest is empty { add 1 to frog.flies }"));
        // Through a procedure and two definitions.
        assert!(!apart("do dry(frog)", "do count_up(side)"));
        assert!(!apart("move frog to side.lake", "do count_up(side)"));
    }

    #[test]
    fn what_cannot_be_followed_cannot() {
        assert!(!apart("do hop(frog)", "add 1 to frog.flies"));
        assert!(!apart("open hopped(frog)", "add 1 to frog.flies"));
        assert!(!apart("add 1 to frog.flies", "stop"));
        assert!(!apart("side may choose 1 in side.nest as found", "add 1 to frog.flies"));
    }
}
