//! The cost of play: one count of work and one of changes, with a limit for each answer and for the match.
//!
//! The meter is not part of the state: sessions can be in the same state at different costs. It is copied with the session, so
//! that play that is taken back costs nothing.
//!
//! The *stand* of the meter is its count of work at some time. Texts are not part of play: they have their own limits, and are cut
//! instead of stopping play.

use crate::runtime::eval::Eval;
use crate::runtime::limits::{
    BYTES_OF_SENTENCE, MOST_CHANGES, MOST_CHANGES_IN_MATCH, MOST_CHANGES_IN_SCENARIO, MOST_LISTED, MOST_SAID, MOST_TEXT,
    MOST_TOLD_BYTES, MOST_TOLD_BYTES_IN_MATCH, MOST_WORK, MOST_WORK_IN_MATCH, MOST_WORK_ON_TEXTS, PAIRS_PER_WORK,
    THINGS_PER_WORK, WORK_OF_ANSWER, WORK_OF_CHANGE,
};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;

/// The cost of a match so far, and its limits.
#[derive(Clone, Debug)]
pub struct Meter {
    /// Work since the match began, and its current limit.
    work: u64,
    most_work: u64,
    /// Changes since the match began, and their current limit.
    changes: u64,
    most_changes: u64,
    /// The largest number of values in lists so far.
    listed: usize,
    /// The budgets of an answer and of the match.
    budgets: Budgets,
    /// Work and changes at the start of the current answer.
    began: (u64, u64),
    /// Work on texts since the match began. It counts towards no budget of play.
    on_texts: u64,
    /// The output since the last question.
    told: OutputCounts,
    /// Bytes of texts since the match began.
    told_in_match: usize,
    /// The largest use of each budget so far.
    largest: Usage,
}

#[derive(Clone, Copy, Debug)]
struct Budgets {
    work: u64,
    work_of_match: u64,
    changes: u64,
    /// Includes answers.
    changes_of_match: u64,
}

/// The output since the last question.
#[derive(Clone, Copy, Debug, Default)]
struct OutputCounts {
    /// Number of sentences that the rules have said.
    said: u64,
    bytes: usize,
    work: u64,
}

/// The largest use of each budget, in one match or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Usage {
    /// Work from one question to the next.
    pub work_of_answer: u64,
    /// Work in a whole match.
    pub work_of_match: u64,
    /// Changes of the state from one question to the next.
    pub changes_of_answer: u64,
    /// Changes of the state in a whole match.
    pub changes_of_match: u64,
    /// Values in lists at one time.
    pub listed: u64,
    /// Things at one time: sides, the table, entrants and pieces, including those that left the game.
    pub pieces: u64,
}

impl Usage {
    /// Each budget by name, with its largest use and its limit.
    pub fn budget_rows(&self) -> [(&'static str, u64, u64); 6] {
        [
            ("work between two questions", self.work_of_answer, MOST_WORK),
            ("work in a match", self.work_of_match, MOST_WORK_IN_MATCH),
            ("changes between two questions", self.changes_of_answer, MOST_CHANGES),
            ("changes in a match", self.changes_of_match, MOST_CHANGES_IN_MATCH),
            ("values in lists", self.listed, MOST_LISTED as u64),
            ("pieces", self.pieces, crate::runtime::limits::MOST_PIECES as u64),
        ]
    }

    /// The larger use of each budget.
    #[must_use]
    pub fn maximum_of_each(self, other: Usage) -> Usage {
        Usage {
            work_of_answer: self.work_of_answer.max(other.work_of_answer),
            work_of_match: self.work_of_match.max(other.work_of_match),
            changes_of_answer: self.changes_of_answer.max(other.changes_of_answer),
            changes_of_match: self.changes_of_match.max(other.changes_of_match),
            listed: self.listed.max(other.listed),
            pieces: self.pieces.max(other.pieces),
        }
    }
}

impl Default for Meter {
    fn default() -> Meter {
        Meter {
            work: 0,
            most_work: MOST_WORK,
            changes: 0,
            most_changes: MOST_CHANGES,
            listed: 0,
            budgets: Budgets {
                work: MOST_WORK,
                work_of_match: MOST_WORK_IN_MATCH,
                changes: MOST_CHANGES,
                changes_of_match: MOST_CHANGES_IN_MATCH,
            },
            began: (0, 0),
            on_texts: 0,
            told: OutputCounts::default(),
            told_in_match: 0,
            largest: Usage::default(),
        }
    }
}

impl Meter {
    /// The meter for the next match of a session, with the largest use so far.
    pub fn for_next_match(&self, largest: Usage) -> Meter {
        let budgets = self.budgets;
        // The maximum carries over, because only new maximums are recorded.
        let listed = self.listed.min(MOST_LISTED);
        Meter { largest, budgets, listed, ..Meter::default() }
    }

    /// Starts an answer with its own budget, as far as the match has any left.
    #[inline]
    pub fn begin_answer(&mut self) {
        self.record_largest();
        self.began = (self.work, self.changes);
        self.most_work = (self.work + self.budgets.work).min(self.budgets.work_of_match);
        self.most_changes = (self.changes + self.budgets.changes).min(self.budgets.changes_of_match);
        self.told = OutputCounts::default();
    }

    /// Counts a given or forced answer as a change, since each has an event. Beyond the limit, the match stops.
    #[inline]
    pub fn count_answer(&mut self) {
        self.add_work(WORK_OF_ANSWER);
        self.changes += 1;
        if self.changes > self.most_changes {
            self.stop_work();
        }
    }

    /// Multiplies the budgets of answers and the match. Only scenarios use a factor above 1.
    pub fn multiply_budgets(&mut self, times: u64) {
        let Budgets { work, work_of_match, changes, .. } = &mut self.budgets;
        for budget in [work, work_of_match, changes] {
            *budget *= times;
        }
        if times > 1 {
            self.budgets.changes_of_match = MOST_CHANGES_IN_SCENARIO;
        }
        self.begin_answer();
    }

    /// Limits the work of each answer.
    pub fn limit_work(&mut self, work: u64) {
        self.budgets.work = work.min(MOST_WORK);
        self.begin_answer();
    }

    /// Limits the work of the match.
    pub fn limit_match(&mut self, work: u64) {
        self.budgets.work_of_match = work;
    }

    /// Limits the answers and changes of the match.
    #[cfg(test)]
    pub fn limit_changes_of_match(&mut self, changes: u64) {
        self.budgets.changes_of_match = changes;
    }

    /// Starts a look at the question, which has its own budget even if the match has none left.
    pub fn begin_look(&mut self) {
        (self.most_work, self.most_changes) = (self.work + MOST_WORK, self.changes + MOST_CHANGES);
        self.told = OutputCounts::default();
    }

    /// Records the cost of the answer if it is the largest so far.
    #[inline]
    fn record_largest(&mut self) {
        let largest = &mut self.largest;
        largest.work_of_answer = largest.work_of_answer.max(self.work - self.began.0);
        largest.changes_of_answer = largest.changes_of_answer.max(self.changes - self.began.1);
    }

    /// All work since the match began, including that on texts.
    pub fn total_work(&self) -> u64 {
        self.work + self.on_texts
    }

    /// The remaining work of the answer.
    pub fn work_left(&self) -> u64 {
        self.most_work.saturating_sub(self.work)
    }

    /// Counts work that is too small to check the budget for.
    #[inline(always)]
    pub fn add_work(&mut self, work: u64) {
        self.work += work;
    }

    /// Counts work if the budget allows it; false if not.
    #[inline(always)]
    pub fn may_add(&mut self, work: u64) -> bool {
        let may = work <= self.work_left();
        self.work += if may { work } else { 0 };
        may
    }

    /// Stops all work until the next answer, because another limit was exceeded.
    fn stop_work(&mut self) {
        self.most_work = 0;
    }

    /// Whether the work is beyond its limit.
    #[inline(always)]
    pub fn is_spent(&self) -> bool {
        self.work > self.most_work
    }

    /// Whether lists have held this many values in total before.
    #[inline]
    pub fn has_listed(&self, values: usize) -> bool {
        values <= self.listed
    }

    /// Whether the budget of the whole match is spent, not only that of the answer.
    pub fn is_match_spent(&self) -> bool {
        self.work > self.budgets.work_of_match
    }

    /// The current count of work, for [`Meter::restore_work`].
    #[inline]
    pub fn work_so_far(&self) -> u64 {
        self.work
    }

    /// Takes back the work of an attempt to save other work.
    #[inline]
    pub fn restore_work(&mut self, stand: u64) {
        self.work = stand;
    }

    // --- output -----------------------------------------------------------------------

    /// Starts a text, whose work does not count. Returns the state to restore in [`Meter::end_text`].
    pub fn begin_text(&mut self) -> (u64, u64) {
        let before = (self.work, self.most_work);
        self.most_work = self.work.saturating_add(MOST_WORK_ON_TEXTS.saturating_sub(self.told.work));
        before
    }

    /// Ends a text, which may have been cut.
    pub fn end_text(&mut self, (work, most_work): (u64, u64)) {
        self.told.work += self.work - work;
        self.on_texts += self.work - work;
        (self.work, self.most_work) = (work, most_work);
    }

    /// The text of an event, shortened if it is too long. If too much text has been output, only `…` is left.
    pub fn shorten_output(&mut self, text: &str) -> String {
        let text = shorten_text(text);
        self.told.bytes += text.len();
        self.told_in_match += text.len();
        let is_too_much = self.told.bytes > MOST_TOLD_BYTES || self.told_in_match > MOST_TOLD_BYTES_IN_MATCH;
        if is_too_much && !text.is_empty() { "…".to_string() } else { text }
    }

    /// Gives the output from here on its own limits, independent of earlier output.
    pub fn begin_output(&mut self) {
        (self.told, self.told_in_match) = (OutputCounts::default(), 0);
    }

    /// Whether the rules may say one more sentence before the next question. Counts its event as text, because the limit of
    /// changes does not cover it.
    pub fn may_say(&mut self) -> bool {
        self.told.said += 1;
        let may = self.told.said <= MOST_SAID && self.told_in_match <= MOST_TOLD_BYTES_IN_MATCH;
        self.told_in_match += if may { BYTES_OF_SENTENCE } else { 0 };
        may
    }
}

impl Eval {
    /// Counts work; raises a fault and returns false if it exceeds the budget.
    #[inline(always)]
    #[must_use]
    pub fn spend_work(&mut self, work: u64) -> bool {
        self.meter.add_work(work);
        if self.meter.is_spent() {
            self.too_much_work();
            return false;
        }
        true
    }

    /// Like [`Eval::spend_work`], for a number of members that are about to be visited.
    #[inline(always)]
    #[must_use]
    pub fn spend_on(&mut self, members: usize) -> bool {
        self.spend_work(members as u64)
    }

    /// Like [`Eval::spend_work`], for all pairs of members of two lists.
    #[inline(always)]
    #[must_use]
    pub fn spend_on_pairs(&mut self, one: usize, other: usize) -> bool {
        self.spend_work(one as u64 + one as u64 * other as u64 / PAIRS_PER_WORK)
    }

    /// Whether work that was counted without a check is within the budget.
    #[inline(always)]
    #[must_use]
    pub fn may_go_on_working(&mut self) -> bool {
        self.spend_work(0)
    }

    /// Counts changes of the board, each with the work of recording and announcing it; false if there are too many.
    #[inline(always)]
    #[must_use]
    pub fn spend_on_changes(&mut self, changes: usize) -> bool {
        let things = self.state.board.entities.len() as u64;
        self.memory.invalidate_all();
        self.meter.changes += changes as u64;
        if self.meter.changes > self.meter.most_changes {
            self.too_many_changes();
            return false;
        }
        self.spend_work(changes as u64 * (WORK_OF_CHANGE + things / THINGS_PER_WORK))
    }

    #[cold]
    #[inline(never)]
    fn too_much_work(&mut self) {
        if self.fault.is_some() {
            return;
        }
        if self.meter.changes > self.meter.most_changes {
            return self.too_many_changes();
        }
        let problem = match self.meter.is_match_spent() {
            true => Problem::error(codes::STEP_LIMIT, "this match has used up its budget of work")
                .help("a match must end at some point: for example, write `finish with nobody` after 1,000 rounds"),
            false => Problem::error(codes::STEP_LIMIT, "the rules do too much work before they ask a player").help(
                "each step, each member of a list and each candidate counts: repeat less often, or go through fewer things",
            ),
        };
        self.raise_with(problem);
    }

    #[cold]
    #[inline(never)]
    fn too_many_changes(&mut self) {
        let Budgets { changes, changes_of_match, .. } = self.meter.budgets;
        let message = match self.meter.changes > changes_of_match {
            true => format!("this match has more than {} answers and changes", group_thousands(changes_of_match)),
            false => format!("the rules make more than {} changes before they ask a player", group_thousands(changes)),
        };
        self.raise_as(codes::PIECE_LIMIT, message);
        self.meter.stop_work();
    }

    /// Records a new maximum of values in lists, and checks it against the limit.
    #[cold]
    #[inline(never)]
    fn record_list_maximum(&mut self) {
        self.meter.listed = self.state.lists.len();
        if self.state.lists.len() > MOST_LISTED {
            let most = group_thousands(MOST_LISTED as u64);
            self.raise_as(codes::PIECE_LIMIT, format!("all lists together hold more than {most} values"));
            self.meter.stop_work();
        }
    }

    /// Checks the size of all lists after a new one.
    #[inline(always)]
    pub fn check_list_sizes(&mut self) {
        if self.state.lists.len() > self.meter.listed {
            self.record_list_maximum();
        }
    }

    /// The largest use of each budget since the first match of this session.
    pub fn budget_usage(&self) -> Usage {
        let mut meter = self.meter.clone();
        meter.record_largest();
        let (work_of_match, changes_of_match) = (meter.work, meter.changes);
        let (listed, pieces) = (meter.listed as u64, self.state.board.entities.len() as u64);
        meter.largest.maximum_of_each(Usage { work_of_match, changes_of_match, listed, pieces, ..Usage::default() })
    }
}

/// The first characters of a text, followed by `…` if it is longer.
pub fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}

/// A number with separators between thousands: `10,000`.
pub fn group_thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}
