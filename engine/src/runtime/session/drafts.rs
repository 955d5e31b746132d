//! Moves made in steps.
//!
//! A *draft* is the answers to the first steps of a move among very many; the caller keeps it. The decision itself stays open,
//! and its options unchanged.

use crate::runtime::eval::question::QuestionForm;
use crate::runtime::limits::MOST_LISTED_SETS;
use crate::runtime::question::steps::{Draft, DraftOutcome, DraftProgress, FollowResult, MoveStep};
use crate::runtime::{Choice, DecisionId, Session};

impl Session {
    /// The next step of a move that answers a decision; `None` if the decision has no moves, or the draft does not belong to it.
    pub fn next_draft_step(&self, decision: DecisionId, draft: &Draft) -> Option<MoveStep> {
        match self.draft_outcome(decision, draft, MOST_LISTED_SETS)? {
            DraftOutcome::To(step) => Some(step),
            DraftOutcome::Whole(_) => None,
        }
    }

    /// A draft with an answer to its next step; `None` if the answer is not possible.
    pub fn add_to_draft(&self, decision: DecisionId, draft: &Draft, answer: Choice) -> Option<DraftProgress> {
        let mut further = draft.clone();
        further.answers.push(answer);
        match self.draft_outcome(decision, &further, MOST_LISTED_SETS)? {
            DraftOutcome::To(_) => Some(DraftProgress::Further(further)),
            DraftOutcome::Whole(choice) => Some(DraftProgress::Whole(choice)),
        }
    }

    /// The result of a draft. Up to `most_listed` sets are listed; beyond it, members are chosen one by one.
    pub fn draft_outcome(&self, decision: DecisionId, draft: &Draft, most_listed: u64) -> Option<DraftOutcome> {
        let (place, _) = self.find_decision(decision)?;
        let mut machine = self.ready_machine_for(place);
        let context = &self.game.play_context();
        let mut question = std::mem::take(machine.scratch.questions.get_mut(place)?);
        if question.form != QuestionForm::Options {
            return None;
        }
        question.rank_sums();
        Some(match machine.follow_answers(context, &question, &draft.answers, most_listed)? {
            FollowResult::To(step) => DraftOutcome::To(step),
            FollowResult::Whole(index) => DraftOutcome::Whole(Choice::Option(index)),
            FollowResult::Beyond(group, filled) => {
                let index = question.add_unnumbered_move(context, group, &filled);
                DraftOutcome::Whole(Choice::Key(machine.make_option(context, &question, index)?.key))
            }
        })
    }
}
