//! Rule ids after `@`: letters, a hyphen, a number.

use crate::codes;
use crate::language::syntax::{
    Ability, Action, Block, Cite, Clause, ClauseKind, Item, ItemKind, Member, MemberKind, Part, PartKind, Statement,
};
use crate::problem::Problem;
use crate::source::SourceId;

/// Warnings for ids that do not look like `DC-021`.
pub fn check(items: &[Item], abilities: &[(String, SourceId, Ability)], problems: &mut Vec<Problem>) {
    let mut odd = Vec::new();
    for item in items {
        of_item(item, &mut odd);
    }
    for (_, _, ability) in abilities {
        of_ability(ability, &mut odd);
    }
    for cite in odd {
        let message = format!("`@{}` does not look like the number of a rule", cite.rule);
        let problem = Problem::warning(codes::RULE_FORM, message).at(cite.span, "written oddly");
        problems.push(problem.help("capital letters, a hyphen and a number, as in `@DC-021` or `@TS-A14`"));
    }
}

/// `DC-021`, `S3-001`, `TS-A14`.
fn is_well_formed(rule: &str) -> bool {
    let Some((book, number)) = rule.split_once('-') else { return false };
    let digits = number.strip_prefix(|first: char| first.is_ascii_uppercase()).unwrap_or(number);
    book.starts_with(|first: char| first.is_ascii_uppercase())
        && book.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && !digits.is_empty()
        && digits.chars().all(|c| c.is_ascii_digit())
}

fn of_cites<'a>(cites: &'a [Cite], odd: &mut Vec<&'a Cite>) {
    odd.extend(cites.iter().filter(|cite| !is_well_formed(&cite.rule)));
}

fn of_item<'a>(item: &'a Item, odd: &mut Vec<&'a Cite>) {
    of_cites(&item.cites, odd);
    match &item.kind {
        ItemKind::Piece { members, .. } | ItemKind::Sheet { members, .. } | ItemKind::Has { members, .. } => of_members(members, odd),
        ItemKind::Family { fields, .. } => of_members(fields, odd),
        ItemKind::Action(action) => of_action(action, odd),
        ItemKind::Procedure(procedure) => of_block(&procedure.body, odd),
        ItemKind::Mode { items, .. } => items.iter().for_each(|item| of_item(item, odd)),
        ItemKind::Replace(item) => of_item(item, odd),
        ItemKind::Ability(ability) => of_ability(ability, odd),
        _ => {}
    }
}

fn of_members<'a>(members: &'a [Member], odd: &mut Vec<&'a Cite>) {
    for member in members {
        of_cites(&member.cites, odd);
        if let MemberKind::Mark { fields, parts, .. } = &member.kind {
            of_members(fields, odd);
            parts.iter().for_each(|part| of_part(part, odd));
        }
    }
}

fn of_ability<'a>(ability: &'a Ability, odd: &mut Vec<&'a Cite>) {
    of_cites(&ability.cites, odd);
    ability.parts.iter().for_each(|part| of_part(part, odd));
}

fn of_part<'a>(part: &'a Part, odd: &mut Vec<&'a Cite>) {
    of_cites(&part.cites, odd);
    match &part.kind {
        PartKind::Trigger { clauses, .. } | PartKind::Offer { clauses, .. } | PartKind::Instead { clauses, .. } => of_clauses(clauses, odd),
        PartKind::Grant { action } => of_action(action, odd),
        _ => {}
    }
}

fn of_action<'a>(action: &'a Action, odd: &mut Vec<&'a Cite>) {
    of_clauses(&action.clauses, odd);
}

fn of_clauses<'a>(clauses: &'a [Clause], odd: &mut Vec<&'a Cite>) {
    for clause in clauses {
        of_cites(&clause.cites, odd);
        if let ClauseKind::Do(block) = &clause.kind {
            of_block(block, odd);
        }
    }
}

fn of_block<'a>(block: &'a Block, odd: &mut Vec<&'a Cite>) {
    super::flow::each_statement(block, &mut |statement: &'a Statement| of_cites(&statement.cites, odd));
}
