//! Moves made in steps.

use crate::runtime::eval::question::QuestionForm;
use crate::runtime::limits::MOST_LISTED_SETS;
use crate::runtime::question::steps::{Draft, Drafted, Followed, Led, MoveStep};
use crate::runtime::{Choice, DecisionId, Session};

impl Session {
    /// The next step of a move that answers a decision; `None` if the decision has no moves, or the draft does not belong to it.
    pub fn step(&self, decision: DecisionId, draft: &Draft) -> Option<MoveStep> {
        match self.followed(decision, draft, MOST_LISTED_SETS)? {
            Led::To(step) => Some(step),
            Led::Whole(_) => None,
        }
    }

    /// A draft with an answer to its next step; `None` if the answer is not possible.
    pub fn drafted(&self, decision: DecisionId, draft: &Draft, answer: Choice) -> Option<Drafted> {
        let mut further = draft.clone();
        further.answers.push(answer);
        match self.followed(decision, &further, MOST_LISTED_SETS)? {
            Led::To(_) => Some(Drafted::Further(further)),
            Led::Whole(choice) => Some(Drafted::Whole(choice)),
        }
    }

    /// The result of a draft. Up to `most_listed` sets are listed; beyond it, members are chosen one by one.
    pub fn followed(&self, decision: DecisionId, draft: &Draft, most_listed: u64) -> Option<Led> {
        let (place, _) = self.decision(decision)?;
        let mut machine = self.ready_for(place);
        let context = &self.game.context();
        let mut question = std::mem::take(machine.scratch.questions.get_mut(place)?);
        if question.form != QuestionForm::Options {
            return None;
        }
        question.rank_sums();
        Some(match machine.follow(context, &question, &draft.answers, most_listed)? {
            Followed::To(step) => Led::To(step),
            Followed::Whole(index) => Led::Whole(Choice::Option(index)),
            Followed::Beyond(group, filled) => {
                let index = question.add_beyond(context, group, &filled);
                Led::Whole(Choice::Key(machine.make_option(context, &question, index)?.key))
            }
        })
    }
}
