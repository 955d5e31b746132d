//! How many moves are numbered, looked at and listed at most. `rules/LIMITS.md` gives the same numbers under "Large choices".

/// So many moves of one action have a number; those beyond are chosen by key, by arguments or in steps. A question with several
/// such actions still has no number beyond 2^53, which every reader of JSON holds exactly.
pub const MOST_NUMBERED: u64 = 1 << 48;

// Candidates of a role of several, by what is asked of it together with other roles.

/// Nothing: each candidate is one bit of a number.
pub const MOST_FREE: usize = 64;
/// That a sum equals a number: sets are counted without looking at them.
pub const MOST_SUMMED: usize = 1_000;
/// Anything else: all sets are looked at, whatever their size.
pub const MOST_SEARCHED: usize = 20;
/// The same of more things, where the sizes of the sets leave no more of them than all sets of those.
pub const MOST_SETS_SEARCHED: u64 = 1 << MOST_SEARCHED;

/// The most cells of a table of sums: how many members a set can have, times the sums up to the highest one that is wanted.
pub const MOST_CELLS: usize = 1 << 17;

// Of sets that are read member by member.

/// In so many ways the roles beside the set can be filled.
pub const MOST_COMBINED: usize = 10_000;
/// So many states a set can be in.
pub const MOST_STATES: usize = 1 << 15;
/// The most cells of the tables by which such sets are counted, of all members together.
pub const MOST_SET_CELLS: usize = 1 << 21;

/// So many pairs of things are told apart by bits; of more each is looked at by itself.
pub(crate) const MOST_PAIRED: usize = 1 << 20;
/// So many moves of one action are looked at one by one at most.
pub const MOST_LOOKED_AT: u64 = 100_000;
/// Up to so many are looked at one by one, which is fast, even where they could be told apart without that.
pub const FEW_MOVES: u64 = 1_000;
/// So many moves a policy looks at for one decision; it leaves out those that come after them.
pub const MOST_WEIGHED: u64 = 20_000;

/// So many sets are the options of one step; of more, the members are chosen one by one.
pub const MOST_LISTED_SETS: u64 = 100;

// What one answer and one match may cost. A unit of work is about what it takes to look at one member of a list, some 10
// nanoseconds. `rules/LIMITS.md` tells the units under "Budgets in play".

/// The most work between an answer and the next question.
pub const MOST_WORK: u64 = 40_000_000;
/// Reading one sheet for which something is worked out is at least this much work.
pub(crate) const WORK_OF_SHEET: u64 = 500;
/// The most work in a match.
pub(crate) const MOST_WORK_IN_MATCH: u64 = 1_000_000_000;
/// The most work of looking ahead, for one answer of a bot, one hint or one preview.
pub const MOST_WORK_AHEAD: u64 = 100_000_000;
/// The most changes between an answer and the next question: each is told in one event if anybody watches.
pub(crate) const MOST_CHANGES: u64 = 10_000;
/// The most changes and answers in a match. A table keeps an event of about 500 bytes for each.
pub(crate) const MOST_CHANGES_IN_MATCH: u64 = 250_000;
/// The most dice of one pool, and the most faces of one of its dice.
pub(crate) const MOST_IN_POOL: i32 = 1_000;
pub(crate) const MOST_FACES: i32 = 1_000_000;
/// So many things that one event tells of, dice of a pool or shuffled pieces, count as one change more.
pub(crate) const TOLD_PER_CHANGE: usize = 25;
/// The most values that lists hold at a time, with the length of each.
pub(crate) const MOST_LISTED: usize = 500_000;
/// The most pieces, with sides and entrants.
pub(crate) const MOST_PIECES: usize = 10_000;
/// How many pieces may lie in each other.
pub(crate) const MOST_BORNE: usize = 50;
/// The most zones, those of pieces among them, and the most fields of all things.
pub(crate) const MOST_ZONES: usize = 50_000;
pub(crate) const MOST_FIELDS_HELD: usize = 1_000_000;
/// The most marks that end by themselves, or do something, at a time.
pub(crate) const MOST_MARKS_HELD: usize = 20_000;
/// The most uses of abilities that are noted, so that they can be given back.
pub(crate) const MOST_USES_NOTED: usize = 100_000;
/// The most values that variables of procedures hold which are running inside each other.
pub(crate) const MOST_SLOTS: usize = 500_000;

/// A scenario may do so many times as much as an answer.
pub(crate) const SCENARIO_TIMES: u64 = 100;
/// The most changes and answers in a scenario.
pub(crate) const MOST_CHANGES_IN_SCENARIO: u64 = 1_000_000;

// What is only told is no part of the budget: it is cut.

/// So many characters of one text are told.
pub(crate) const MOST_TEXT: usize = 1_000;
/// So many sentences of the rules and of scripts, and so many bytes of texts, are told between two questions.
pub(crate) const MOST_SAID: u64 = 2_000;
pub(crate) const MOST_TOLD_BYTES: usize = 4 << 20;
/// A sentence that the rules say counts as so many bytes beside its text: its event, which no change bounds.
pub(crate) const BYTES_OF_SENTENCE: usize = 256;
/// The most bytes of texts in a match.
pub(crate) const MOST_TOLD_BYTES_IN_MATCH: usize = 32 << 20;
/// So much work goes into texts between two questions.
pub(crate) const MOST_WORK_ON_TEXTS: u64 = 4_000_000;

// Units of work.

/// One step of the rules.
pub(crate) const WORK_OF_STEP: u64 = 8;
/// One change: it is written down, perhaps told, and kept by whoever watches.
pub(crate) const WORK_OF_CHANGE: u64 = 100;
/// Every so many things in the game make each change cost one more: who may be told of it is looked up among them.
pub(crate) const THINGS_PER_WORK: u64 = 8;
/// One answer, given or forced: a question is made, and what is chosen is kept by whoever watches.
pub(crate) const WORK_OF_ANSWER: u64 = 400;
/// A move that is looked at by itself, and one that is written down.
pub(crate) const WORK_OF_MOVE: u64 = 4;
pub(crate) const WORK_OF_FOUND: u64 = 200;
/// An option that is made out for somebody to read.
pub(crate) const WORK_OF_VIEW: u64 = 50;
/// Something that is done to so many pairs or cells in a tight loop costs one.
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
