//! Policies of the rules.
//!
//! A policy is the rules' advice to bots for choosing a move of one family. Its lines are applied in turn: each leaves the moves to
//! which it gives the highest value.

use crate::runtime::context::Context;
use crate::runtime::decision::Lots;
use crate::runtime::eval::Eval;
use crate::runtime::eval::question::{Group, GroupKind, Question};
use crate::runtime::limits::MOST_WEIGHED;
use ludex_program::{PolicyInfo, PolicyLine, Value};

impl Eval {
    /// The index of the preferred move. Each line with a chance draws a number, even if it does not apply, so that lines do not
    /// affect each other. `None` if the question has no moves of the policy's family, or if no line applies to any. The index is
    /// that of the option.
    pub fn preferred_move(
        &mut self,
        context: &Context,
        question: &mut Question,
        policy: &str,
        lots: &mut dyn Lots,
    ) -> Option<u64> {
        let (policy, bound) = question.groups().iter().find_map(|group| {
            let policy = policy_of(context, group, policy)?;
            let params = context.program.families[policy.family as usize].params.len();
            Some((policy, question.context_of(group).get(..params).unwrap_or(&[]).to_vec()))
        })?;
        let mut moves = self.moves_to_weigh(context, question, &policy.name);
        let mut decided = false;
        for line in &policy.lines {
            if line.chance.is_some_and(|(times, out_of)| lots.draw_below(out_of) >= times) {
                continue;
            }
            let values: Vec<Option<Value>> =
                moves.iter().map(|(_, chosen)| self.line_value(context, policy.slots, line, &bound, *chosen)).collect();
            let Some(best) = values.iter().flatten().max().copied() else { continue };
            decided = true;
            let mut kept = values.iter().map(|value| *value == Some(best));
            moves.retain(|_| kept.next().unwrap_or(false));
        }
        moves.first().filter(|_| decided).map(|(index, _)| *index)
    }

    /// The moves that a policy weighs, with their indexes: all of them, or the first ones of each action.
    fn moves_to_weigh(&mut self, context: &Context, question: &mut Question, policy: &str) -> Vec<(u64, Value)> {
        let concerned = |group: &Group| policy_of(context, group, policy).is_some();
        let counts: Vec<u64> = question.groups().iter().filter(|group| concerned(group)).map(|group| group.count).collect();
        let most = match counts.iter().sum::<u64>() {
            ..=MOST_WEIGHED => MOST_WEIGHED,
            _ => MOST_WEIGHED / counts.len() as u64,
        };
        let (mut moves, mut first) = (Vec::new(), 0);
        for place in 0..question.groups().len() {
            if concerned(&question.groups()[place]) {
                question.list_moves(place, most);
                let group = &question.groups()[place];
                for local in 0..group.count.min(most) {
                    let Some(chosen) = question.move_arguments(group, local) else { break };
                    moves.push((first + local, self.record_move(context, question, group, &chosen)));
                }
            }
            first += question.groups()[place].count;
        }
        moves
    }

    /// The value that a line gives a move, if it applies. `bound` are the family's arguments.
    fn line_value(&mut self, context: &Context, slots: u16, line: &PolicyLine, bound: &[Value], chosen: Value) -> Option<Value> {
        let values: Vec<Value> = bound.iter().copied().chain([chosen]).collect();
        let applies = line.when.as_ref().is_none_or(|when| self.evaluate_separately(context, when, slots, &values) != 0);
        applies.then(|| self.evaluate_separately(context, &line.prefer, slots, &values))
    }
}

/// The policy with a name for the family of a group's action.
fn policy_of<'a>(context: &'a Context<'a>, group: &Group, policy: &str) -> Option<&'a PolicyInfo> {
    if !matches!(group.kind, GroupKind::Action | GroupKind::Grant) {
        return None;
    }
    let family = context.program.actions[group.action as usize].family?;
    context.program.policies.iter().find(|found| found.family == family && found.name == policy)
}
