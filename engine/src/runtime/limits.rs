//! Limits on numbered, tested and listed moves, and the budgets of play. `rules/LIMITS.md` gives the numbers of moves under
//! "Large choices". A *role of several* is a part of a move that takes a set of things. `eval::meter` charges the work and tests
//! the budgets.

/// Maximum number of moves of one action that have a number; further moves are chosen by key, by arguments or in steps. Even a
/// question with several such actions has no number beyond 2^53, which every JSON reader can hold exactly.
pub const MOST_NUMBERED: u64 = 1 << 48;

// Maximum number of candidates of a role of several, by the conditions that combine it with other roles.

/// No conditions: each candidate is one bit of a number.
pub const MOST_FREE: usize = 64;
/// A sum equals a number: sets are counted without testing them.
pub const MOST_SUMMED: usize = 1_000;
/// Any other condition: all sets are tested, regardless of their size.
pub const MOST_SEARCHED: usize = 20;
/// Maximum number of sets tested when there are more candidates, but limited set sizes.
pub const MOST_SETS_SEARCHED: u64 = 1 << MOST_SEARCHED;

/// Maximum number of cells of a table of sums: the possible set sizes times the sums up to the highest one wanted.
pub const MOST_CELLS: usize = 1 << 17;

// For sets that are read member by member.

/// Maximum number of ways to fill the roles beside the set.
pub const MOST_COMBINED: usize = 10_000;
/// Maximum number of states of a set.
pub const MOST_STATES: usize = 1 << 15;
/// Maximum number of cells of the tables that count such sets, over all members.
pub const MOST_SET_CELLS: usize = 1 << 21;

/// Maximum number of pairs of things tested with bitmasks; beyond it, each pair is tested by itself.
pub(crate) const MOST_PAIRED: usize = 1 << 20;
/// Maximum number of moves of one action that are tested one by one.
pub const MOST_LOOKED_AT: u64 = 100_000;
/// Up to this count, moves are tested one by one, which is fast, even if a faster method exists for large counts.
pub const FEW_MOVES: u64 = 1_000;
/// Maximum number of moves that a policy weighs for one decision; it ignores later ones.
pub const MOST_WEIGHED: u64 = 20_000;

/// Maximum number of sets offered as options of one step; beyond it, members are chosen one by one.
pub const MOST_LISTED_SETS: u64 = 100;

// Budgets of one answer and one match. A unit of work is about the cost of testing one member of a list, some 10 nanoseconds.
// `rules/LIMITS.md` explains the units under "Budgets in play".

/// Maximum work between an answer and the next question.
pub const MOST_WORK: u64 = 40_000_000;
/// Minimum work of reading one sheet for which something is computed.
pub(crate) const WORK_OF_SHEET: u64 = 500;
/// Maximum work in a match.
pub(crate) const MOST_WORK_IN_MATCH: u64 = 1_000_000_000;
/// Maximum work of looking ahead, for one answer of a bot, one hint or one preview.
pub const MOST_WORK_AHEAD: u64 = 100_000_000;
/// Maximum number of changes between an answer and the next question. In a watched game each one is an event.
pub(crate) const MOST_CHANGES: u64 = 10_000;
/// Maximum number of changes and answers in a match. A table keeps an event of about 500 bytes for each.
pub(crate) const MOST_CHANGES_IN_MATCH: u64 = 250_000;
/// Maximum number of dice in a pool, and of faces of one of its dice.
pub(crate) const MOST_IN_POOL: i32 = 1_000;
pub(crate) const MOST_FACES: i32 = 1_000_000;
/// Number of dice of a pool, or of shuffled pieces, in one event that cost one more change.
pub(crate) const TOLD_PER_CHANGE: usize = 25;
/// Maximum number of values that lists hold at a time; the length of each list counts too.
pub(crate) const MOST_LISTED: usize = 500_000;
/// Maximum number of pieces, with sides and entrants.
pub(crate) const MOST_PIECES: usize = 10_000;
/// Maximum nesting depth of pieces.
pub(crate) const MOST_BORNE: usize = 50;
/// Maximum number of zones, including those of pieces, and of fields of all things.
pub(crate) const MOST_ZONES: usize = 50_000;
pub(crate) const MOST_FIELDS_HELD: usize = 1_000_000;
/// Maximum number of marks at a time that end by themselves or have an effect.
pub(crate) const MOST_MARKS_HELD: usize = 20_000;
/// Maximum number of recorded uses of abilities, kept so that they can be given back.
pub(crate) const MOST_USES_NOTED: usize = 100_000;
/// Maximum number of values in the variables of nested running procedures.
pub(crate) const MOST_SLOTS: usize = 500_000;

/// Factor by which a scenario's budget exceeds that of an answer.
pub(crate) const SCENARIO_TIMES: u64 = 100;
/// Maximum number of changes and answers in a scenario.
pub(crate) const MOST_CHANGES_IN_SCENARIO: u64 = 1_000_000;

// Output that is only displayed has no share in the budget: it is cut.

/// Maximum number of characters of one text.
pub(crate) const MOST_TEXT: usize = 1_000;
/// Maximum number of sentences of the rules and of scripts, and of bytes of texts, between two questions.
pub(crate) const MOST_SAID: u64 = 2_000;
pub(crate) const MOST_TOLD_BYTES: usize = 4 << 20;
/// Bytes that a sentence of the rules costs in addition to its text: its event, which is not limited by any change.
pub(crate) const BYTES_OF_SENTENCE: usize = 256;
/// Maximum number of bytes of texts in a match.
pub(crate) const MOST_TOLD_BYTES_IN_MATCH: usize = 32 << 20;
/// Maximum work for texts between two questions.
pub(crate) const MOST_WORK_ON_TEXTS: u64 = 4_000_000;

// Units of work.

/// One step of the rules.
pub(crate) const WORK_OF_STEP: u64 = 8;
/// One change: it is applied, perhaps announced, and kept by any watchers.
pub(crate) const WORK_OF_CHANGE: u64 = 100;
/// Number of things in the game that add one unit to each change, because its audience is looked up among them.
pub(crate) const THINGS_PER_WORK: u64 = 8;
/// One answer, given or forced: a question is built, and watchers keep the choice.
pub(crate) const WORK_OF_ANSWER: u64 = 400;
/// A move that is tested by itself, and one that is recorded.
pub(crate) const WORK_OF_MOVE: u64 = 4;
pub(crate) const WORK_OF_FOUND: u64 = 200;
/// An option that is put into words for a reader.
pub(crate) const WORK_OF_VIEW: u64 = 50;
/// Number of pairs, sums or cells that a tight loop processes for one unit.
pub(crate) const PAIRS_PER_WORK: u64 = 16;
pub(crate) const SUMS_PER_WORK: u64 = 64;
pub(crate) const CELLS_PER_WORK: u64 = 128;

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the table of budgets in `rules/LIMITS.md`: each row by its name, with all numbers of its ceiling.
    #[test]
    fn the_reference_tells_the_budgets_of_play() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/LIMITS.md")).unwrap();
        let rows = [
            ("work between two questions", vec![MOST_WORK]),
            ("work in a match", vec![MOST_WORK_IN_MATCH]),
            ("changes between two questions", vec![MOST_CHANGES]),
            ("changes in a match, with all answers", vec![MOST_CHANGES_IN_MATCH]),
            ("values in lists", vec![MOST_LISTED as u64]),
            ("pieces, with sides and entrants", vec![MOST_PIECES as u64]),
            ("zones of all things, fields of all things", vec![MOST_ZONES as u64, MOST_FIELDS_HELD as u64]),
            ("marks that end by themselves or do something", vec![MOST_MARKS_HELD as u64]),
            ("recorded uses of abilities in a match", vec![MOST_USES_NOTED as u64]),
            ("pieces nested in each other", vec![MOST_BORNE as u64]),
        ];
        for (name, ceilings) in rows {
            let row = page.lines().find(|line| line.starts_with(&format!("| {name} |"))).expect(name);
            let cells: Vec<Vec<u64>> = row.split('|').skip(2).map(numbers).collect();
            assert_eq!(cells[0], ceilings, "{row}");
            // No game that comes with Ludex is near a ceiling.
            assert!(cells[1].iter().all(|used| ceilings[0] >= 2 * used), "{row}");
        }
        for (what, cost) in [("one step of the rules", WORK_OF_STEP), ("looking at one move by itself", WORK_OF_MOVE)] {
            assert!(page.contains(&format!("| {what} | {cost} |")), "{what}");
        }
        assert!(page.contains(&format!("| {WORK_OF_CHANGE}, and 1 more for every {THINGS_PER_WORK} pieces there are |")));
        assert!(page.contains(&format!("| {WORK_OF_FOUND}; {WORK_OF_ANSWER} |")));
    }

    /// `50,000, 1,000,000`
    fn numbers(cell: &str) -> Vec<u64> {
        let digits = |word: &str| word.replace(',', "").parse().ok();
        cell.split([' ', '|']).filter_map(digits).collect()
    }
}
