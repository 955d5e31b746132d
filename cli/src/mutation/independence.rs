//! Decides whether two statements are independent, so that either order leads to the same table. Exchanging them then breaks
//! nothing.
//!
//! Reads and writes are followed into definitions and procedures. Anything that cannot be followed (hooks, questions, dice)
//! counts as depending on everything. Texts are compared word by word, by name: two things of the same name count as the same.
//! So the answer errs on the safe side, that of dependence.

use super::code::{Code, Text};
use ludex_engine::library::FileRole;
use ludex_engine::scripting::PieceKind;
use std::collections::BTreeSet;
use std::ops::Range;

/// The effects of a stretch of statements, as far as its words show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effects {
    /// Names whose value changes: fields, counters, marks, locals, and zones that lose or gain pieces.
    changed: BTreeSet<String>,
    /// Whether something moves from an unnamed zone.
    moves_from_anywhere: bool,
    /// Every word, including those of called definitions and procedures.
    words: BTreeSet<String>,
}

impl Code<'_> {
    /// Whether two stretches of one text can be exchanged without a difference.
    pub fn are_independent(&self, text: &Text, one: Range<usize>, other: Range<usize>) -> bool {
        if answers_last(text, &one, &other) || answers_last(text, &other, &one) {
            return true;
        }
        let effects = |stretch| self.find_effects(text, &stretch, true, &mut BTreeSet::new());
        let (Some(one), Some(other)) = (effects(one), effects(other)) else { return false };
        !self.affects_other(&one, &other) && !self.affects_other(&other, &one)
    }

    /// Whether the first statements may change something that the others read or change.
    fn affects_other(&self, one: &Effects, other: &Effects) -> bool {
        let looks_at_zones = |word: &String| word == "leaves" || self.names.is_of_pieces(word);
        !one.changed.is_disjoint(&other.words) || one.moves_from_anywhere && other.words.iter().any(looks_at_zones)
    }

    /// The effects of statements; `None` if they cannot be followed. A `stop` is allowed only in called procedures. `stops`
    /// says that a `stop` would end these statements, as it does outside a called procedure. `followed` has the names whose
    /// bodies were already added.
    fn find_effects(&self, text: &Text, stretch: &Range<usize>, stops: bool, followed: &mut BTreeSet<String>) -> Option<Effects> {
        let mut effects = Effects::default();
        let is_rules = text.role == FileRole::Rules;
        for piece in text.pieces_in(stretch) {
            let word = text.piece_word(piece);
            match piece.kind {
                PieceKind::Far => return None,
                PieceKind::Stop if stops => return None,
                PieceKind::Run if !self.bodies.contains_key(word) => return None,
                PieceKind::Name if is_rules && self.names.hooks.contains(word) => return None,
                PieceKind::Moved if !self.names.is_zone(word) => effects.moves_from_anywhere = true,
                PieceKind::Moved | PieceKind::Changed => drop(effects.changed.insert(word.to_string())),
                PieceKind::Name | PieceKind::Member | PieceKind::Mentioned | PieceKind::Run => {
                    effects.words.insert(word.to_string());
                }
                _ => {}
            }
            if piece.kind == PieceKind::Run || piece.kind == PieceKind::Name && is_rules {
                self.follow_word(word, &mut effects, followed)?;
            }
        }
        Some(effects)
    }

    /// Adds the effects of a definition or procedure, if a word names one. Bodies that were followed before are skipped, also
    /// in recursion.
    fn follow_word(&self, word: &str, effects: &mut Effects, followed: &mut BTreeSet<String>) -> Option<()> {
        let bodies = self.bodies.get(word).filter(|_| !followed.contains(word));
        followed.insert(word.to_string());
        for (text, body) in bodies.into_iter().flatten() {
            let inner = self.find_effects(self.texts.get(*text)?, body, false, followed)?;
            effects.changed.extend(inner.changed);
            effects.words.extend(inner.words);
            effects.moves_from_anywhere |= inner.moves_from_anywhere;
        }
        Some(())
    }
}

/// Whether one statement of a script is its answer, which takes effect at the end of the script, and the other does not end the
/// script.
fn answers_last(text: &Text, one: &Range<usize>, other: &Range<usize>) -> bool {
    let written = |stretch: &Range<usize>| text.text.get(stretch.clone()).unwrap_or("");
    let ends = |word: &str| matches!(word, "return" | "answer");
    let mut words = written(other).split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    text.role == FileRole::Script && written(one).starts_with("answer") && !words.any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::Compile;
    use ludex_engine::library::{CompileRequest, File, Library};

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
scope day { each side in sides { each frog in side.nest { open hopped(frog) } } }
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
        let (program, problems) = library.compile("pond", &CompileRequest::default());
        let code = Code::new(&library, &[program.unwrap_or_else(|| panic!("{problems:?}"))]);
        let text = &code.texts[0];
        let stretch = |statement: &str, from: usize| {
            let begin = from + rules[from..].find(statement).expect("the statement");
            begin..begin + statement.len()
        };
        let first = stretch(one, RULES.len());
        let second = stretch(other, first.end);
        let apart = code.are_independent(text, first.clone(), second.clone());
        assert_eq!(apart, code.are_independent(text, second, first), "either order");
        apart
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
