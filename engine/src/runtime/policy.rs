//! Playing by the book: policies that rules declare, and what is usual where nobody decides.

use super::arrange::even_amounts;
use super::decision::{Choice, Decision, DecisionId, Form};
use super::limits::MOST_WEIGHED;
use super::machine::{Machine, Rules};
use super::question::{Group, GroupKind, Question};
use super::session::Session;
use crate::program::{PolicyInfo, PolicyLine, Program, Value};

/// The names of the policies that a program declares, each once.
pub fn names(program: &Program) -> Vec<&str> {
    let mut names: Vec<&str> = program.policies.iter().map(|policy| policy.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What is usual where nobody decides: to pass, `no`, nothing, the least, things as they stand, parts as even as can be; else
/// the first option.
pub fn usual(session: &Session, decision: &Decision) -> Choice {
    match decision.form {
        Form::One => {
            // Passing and `no` stand last.
            let last = decision.count.saturating_sub(1);
            let passes = session.option(decision.id, last).is_some_and(|option| matches!(option.key.as_str(), "pass" | "no"));
            Choice::Option(if passes { last } else { 0 })
        }
        _ if decision.may_pass => Choice::Options(Vec::new()),
        Form::Number { min, .. } => Choice::Number(min),
        Form::Some { min, .. } => Choice::Options((0..min).collect()),
        Form::Order => Choice::Options((0..decision.count).collect()),
        Form::Split { total, step } => Choice::Amounts(even_amounts(decision.count, total, step)),
    }
}

impl Session {
    /// The move that a policy prefers; none if it says nothing of this decision.
    pub fn preferred(&self, decision: DecisionId, policy: &str) -> Option<Choice> {
        let (place, found) = self.decision(decision)?;
        if found.form != Form::One {
            return None;
        }
        let mut machine = self.ready();
        let mut question = std::mem::take(machine.scratch.questions.get_mut(place)?);
        machine.preferred(&self.game.rules(), &mut question, policy).map(Choice::Option)
    }
}

impl Machine {
    fn preferred(&mut self, rules: Rules, question: &mut Question, policy: &str) -> Option<u64> {
        let (policy, context) = question.groups().iter().find_map(|group| {
            let policy = policy_of(rules, group, policy)?;
            let params = rules.program.families[policy.family as usize].params.len();
            Some((policy, question.context_of(group).get(..params).unwrap_or(&[]).to_vec()))
        })?;
        let mut moves = self.weighed(rules, question, &policy.name);
        let mut decided = false;
        for line in &policy.lines {
            let values: Vec<Option<Value>> =
                moves.iter().map(|(_, chosen)| self.value_by(rules, policy.slots, line, &context, *chosen)).collect();
            let Some(best) = values.iter().flatten().max().copied() else { continue };
            decided = true;
            let mut kept = values.iter().map(|value| *value == Some(best));
            moves.retain(|_| kept.next().unwrap_or(false));
        }
        moves.first().filter(|_| decided).map(|(index, _)| *index)
    }

    /// The moves that a policy looks at, by their indexes: all of them, or the first of each action.
    fn weighed(&mut self, rules: Rules, question: &mut Question, policy: &str) -> Vec<(u64, Value)> {
        let concerned = |group: &Group| policy_of(rules, group, policy).is_some();
        let counts: Vec<u64> = question.groups().iter().filter(|group| concerned(group)).map(|group| group.count).collect();
        let most = match counts.iter().sum::<u64>() {
            ..=MOST_WEIGHED => MOST_WEIGHED,
            _ => MOST_WEIGHED / counts.len() as u64,
        };
        let (mut moves, mut first) = (Vec::new(), 0);
        for place in 0..question.groups().len() {
            if concerned(&question.groups()[place]) {
                question.list(place, most);
                let group = &question.groups()[place];
                for local in 0..group.count.min(most) {
                    let Some(chosen) = question.chosen(group, local) else { break };
                    moves.push((first + local, self.record_move(rules, question, group, &chosen)));
                }
            }
            first += question.groups()[place].count;
        }
        moves
    }

    /// What a line prefers about a move, if it applies to it.
    fn value_by(&mut self, rules: Rules, slots: u16, line: &PolicyLine, context: &[Value], chosen: Value) -> Option<Value> {
        let values: Vec<Value> = context.iter().copied().chain([chosen]).collect();
        let applies = line.when.as_ref().is_none_or(|when| self.evaluate_apart(rules, when, slots, &values) != 0);
        applies.then(|| self.evaluate_apart(rules, &line.prefer, slots, &values))
    }
}

/// The policy of a name for the family of a group's action.
fn policy_of<'a>(rules: Rules<'a>, group: &Group, policy: &str) -> Option<&'a PolicyInfo> {
    if !matches!(group.kind, GroupKind::Action | GroupKind::Grant) {
        return None;
    }
    let family = rules.program.actions[group.action as usize].family?;
    rules.program.policies.iter().find(|found| found.family == family && found.name == policy)
}
