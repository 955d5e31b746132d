//! The last pass: fuses frequent expressions and statements into single steps of the machine.
//!
//! Fusing comes last, so that every other part of the compiler sees plain expressions.
//!
//! Called once all code is complete, including that of scripts. Also prepares the search for the moves of actions: the key (a
//! number read from a candidate), the tests of a role, and sets of candidates that are computed once for several roles.

use super::aggregates::find_aggregates;
use super::needs;
use super::pairings::find_pairing;
use super::simplify::simplify_expression;
use ludex_program::operands::Operand;
use ludex_program::{
    ActionInfo, Expr, FieldSource, Filling, Instruction, MOST_ROLES, Program, RoleAmount, RoleInfo, SearchPlan, Slot, TextPart,
};

/// Fuses all code and expressions of a program. The order for an action matters: its keys and tests are made of fused expressions,
/// and needs come last because they read the fillings.
pub(super) fn fuse_all(program: &mut Program) {
    for instruction in &mut program.code {
        // Questions stay unfused: code that counts answers without listing them reads their plain expressions.
        if instruction.ask_code().is_none() {
            instruction.visit_operands_mut(&mut |operand| {
                if let Operand::Part(expr) = operand {
                    simplify_and_fuse(expr);
                }
            });
        }
        fuse_single_move(instruction);
    }
    fuse_loops(program);
    for action in &mut program.actions {
        action.guard.iter_mut().for_each(simplify_and_fuse);
        for role in &mut action.roles {
            simplify_and_fuse(&mut role.from);
            prepare_tests(role);
            if let RoleAmount::Some(least, most) = &mut role.amount {
                simplify_and_fuse(least);
                most.iter_mut().for_each(simplify_and_fuse);
            }
        }
        give_keys(action);
        for field in &mut action.fields {
            match field {
                FieldSource::Computed(Expr::ListOf(members)) if members.is_empty() => *field = FieldSource::EmptyList,
                FieldSource::Computed(expr) => simplify_and_fuse(expr),
                _ => {}
            }
        }
        if let SearchPlan::Walk(conditions) = &mut action.search {
            conditions.iter_mut().for_each(|condition| simplify_and_fuse(&mut condition.expr));
        }
        find_aggregates(action);
        find_pairing(action);
    }
    share_candidates(program);
    program.actions.iter_mut().for_each(needs::add_needs);
    program.sides.admission.iter_mut().for_each(|admission| simplify_and_fuse(&mut admission.when));
    for clause in &mut program.clauses {
        clause.guard.iter_mut().for_each(simplify_and_fuse);
        clause.value.iter_mut().for_each(simplify_and_fuse);
    }
    for restriction in &mut program.restrictions {
        simplify_and_fuse(&mut restriction.when);
    }
    for hook in &mut program.hooks {
        if let Some((_, formula)) = &mut hook.value {
            simplify_and_fuse(&mut formula.expr);
        }
    }
    for line in program.policies.iter_mut().flat_map(|policy| &mut policy.lines) {
        line.when.iter_mut().for_each(simplify_and_fuse);
        simplify_and_fuse(&mut line.prefer);
    }
    for part in program.texts.iter_mut().flatten() {
        if let TextPart::Hole(expr, _) | TextPart::Written(expr) | TextPart::Choice { condition: expr, .. } = part {
            simplify_and_fuse(expr);
        }
    }
}

/// Fuses `each x in list { move x to zone }` into one instruction.
fn fuse_loops(program: &mut Program) {
    let code = &mut program.code;
    for at in 0..code.len().saturating_sub(3) {
        let [
            Instruction::EachBegin { list, .. },
            Instruction::EachNext { variable, .. },
            Instruction::MoveOne { piece, to, bottom, naming },
            Instruction::Jump(back),
            ..,
        ] = &code[at..]
        else {
            continue;
        };
        let of_variable = matches!(piece, Expr::Local(slot) if slot == variable);
        if of_variable && *back as usize == at + 1 {
            let fused = Instruction::MoveEach {
                list: list.clone(),
                variable: *variable,
                to: to.clone(),
                bottom: *bottom,
                naming: *naming,
            };
            // The loop's end is the next instruction; the instructions in between are never reached.
            code[at] = fused;
            code[at + 1] = Instruction::Jump(at as u32 + 4);
            program.places[at] = program.places[at + 2].clone();
            let points = program.script_points.iter_mut();
            points.filter(|point| point.at as usize == at + 2).for_each(|point| point.at = at as u32);
        }
    }
}

/// Fuses a role's tests, and divides them: marks that a candidate must not bear go into one bitmask, others into `tests`.
fn prepare_tests(role: &mut RoleInfo) {
    role.filter.iter_mut().for_each(simplify_and_fuse);
    for test in &role.filter {
        match excluded_mark(test, role.filter_slot) {
            Some(mark) => role.excluded_marks |= 1 << mark,
            None => role.tests.push(test.clone()),
        }
    }
}

/// The mark, if a test is `it is not MARK` of the candidate in a slot.
fn excluded_mark(test: &Expr, slot: u16) -> Option<u16> {
    let Expr::Not(inner) = test else { return None };
    match inner.as_ref() {
        Expr::HasMark { of, mark } if matches!(of.as_ref(), Expr::Local(s) if *s == slot) => Some(*mark),
        _ => None,
    }
}

/// Sets for each role the number that the search will read from its candidates.
fn give_keys(action: &mut ActionInfo) {
    let mut keys = Vec::new();
    match &action.search {
        SearchPlan::Compare { left, right, left_key, right_key, .. } => keys.extend([(*left, *left_key), (*right, *right_key)]),
        SearchPlan::SumEqual { set, set_key, joker, target, target_key } => {
            keys.extend([(*set, *set_key), (*target, *target_key)]);
            keys.extend(*joker);
        }
        SearchPlan::Product | SearchPlan::Walk(_) => {}
    }
    for (role, key) in keys {
        action.roles[role].key = Some(key);
    }
}

/// Lets the actions of a family share equal candidate sets, which a question then computes once. Roles whose candidates depend on
/// other roles or have further tests keep sets of their own.
fn share_candidates(program: &mut Program) {
    const MOST_SHARED: usize = 64;
    for family in &mut program.families {
        let mut distinct: Vec<RoleInfo> = Vec::new();
        for id in &family.actions {
            let action = &mut program.actions[*id as usize];
            family.slots = family.slots.max(action.slots);
            for (index, role) in action.roles.iter_mut().enumerate() {
                if role.after > 0 || role.sorts || !role.tests.is_empty() {
                    continue;
                }
                let same = |other: &RoleInfo| {
                    (&other.from, other.excluded_marks, other.key) == (&role.from, role.excluded_marks, role.key)
                };
                let place = distinct.iter().position(same).unwrap_or(distinct.len());
                if place < MOST_SHARED {
                    role.shared = Some(place as u16);
                    if place == distinct.len() {
                        distinct.push(role.clone());
                        family.shared.push((*id, index as u16));
                    }
                }
            }
            action.fillings = role_fillings(action);
        }
        let is_plain = |action: &ActionInfo| action.fillings.is_some() && action.obliges.is_none();
        family.plain = family.actions.iter().all(|action| is_plain(&program.actions[*action as usize]));
    }
}

/// The set and the size limits of each role, if only the candidates change between questions. None if the action has a guard, is
/// searched by walking, or has a role with an amount that is not constant or a set that is not shared.
fn role_fillings(action: &ActionInfo) -> Option<[Filling; MOST_ROLES]> {
    if !action.guard.is_empty() || matches!(action.search, SearchPlan::Walk(_)) {
        return None;
    }
    let mut fillings = [Filling::default(); MOST_ROLES];
    for (role, filling) in action.roles.iter().zip(&mut fillings) {
        let amount = |expr: &Expr| match expr {
            Expr::Constant(amount) => Some((*amount).max(0) as u32),
            _ => None,
        };
        let (single, optional, least, most) = match &role.amount {
            RoleAmount::One => (true, false, 1, 1),
            RoleAmount::OneOrNone => (true, true, 0, 1),
            RoleAmount::Some(least, None) => (false, false, amount(least)?, u32::MAX),
            RoleAmount::Some(least, Some(most)) => (false, false, amount(least)?, amount(most)?),
        };
        *filling = Filling { set: role.shared?, single, optional, least, most };
    }
    Some(fillings)
}

/// Turns a move of a list of one piece into [`Instruction::MoveOne`].
fn fuse_single_move(instruction: &mut Instruction) {
    if let Instruction::Move { what: Expr::Single(piece), to, bottom, naming } = instruction
        && !matches!(piece.as_ref(), Expr::Constant(_))
    {
        *instruction = Instruction::MoveOne { piece: piece.as_ref().clone(), to: to.clone(), bottom: *bottom, naming: *naming };
    }
}

/// The slot, if an expression is one.
fn local_slot(expr: &Expr) -> Option<Slot> {
    match expr {
        Expr::Local(slot) => Some(*slot),
        _ => None,
    }
}

/// Simplifies an expression, and fuses it.
fn simplify_and_fuse(expr: &mut Expr) {
    simplify_expression(expr);
    fuse_bottom_up(expr);
}

/// Fuses an expression that is simplified already: first its parts, because some forms are made of fused parts, then the expression
/// itself.
fn fuse_bottom_up(expr: &mut Expr) {
    expr.visit_parts_mut(&mut fuse_bottom_up);
    let fused = match &*expr {
        Expr::Field { of, field } => match of.as_ref() {
            Expr::Local(slot) => Some(Expr::LocalField { slot: *slot, field: *field }),
            Expr::Table => Some(Expr::TableField(*field)),
            _ => None,
        },
        // A negated comparison is one step instead of two.
        Expr::Not(inner) => match inner.as_ref() {
            Expr::Compare(comparison, left, right) => Some(Expr::Compare(comparison.negate(), left.clone(), right.clone())),
            _ => None,
        },
        // A field of each piece of a zone, without making the zone's list.
        Expr::Map { list, slot, value } => match (list.as_ref(), value.as_ref()) {
            (Expr::ZoneList(zone), Expr::LocalField { slot: of, field }) if of == slot => {
                Some(Expr::FieldList { zone: zone.clone(), field: *field, sorted: false, down: false })
            }
            _ => None,
        },
        Expr::Sorted { down, list } => match list.as_ref() {
            Expr::FieldList { zone, field, sorted: false, .. } => {
                Some(Expr::FieldList { zone: zone.clone(), field: *field, sorted: true, down: *down })
            }
            _ => None,
        },
        Expr::PlaceOf(piece) => local_slot(piece).map(Expr::LocalPlace),
        Expr::Foe(side) => local_slot(side).map(Expr::LocalFoe),
        Expr::MoveField { of, index } => local_slot(of).map(|slot| Expr::LocalMoveField { slot, index: *index }),
        Expr::Zone { of, zone } => match of.as_ref() {
            Expr::Local(slot) => Some(Expr::LocalZone { slot: *slot, zone: *zone }),
            // A zone of the thing that a field of the side in the slot refers to.
            Expr::LocalField { slot, field } => Some(Expr::LentZone { slot: *slot, foe: false, field: *field, zone: *zone }),
            Expr::Field { of, field } => match of.as_ref() {
                Expr::LocalFoe(slot) => Some(Expr::LentZone { slot: *slot, foe: true, field: *field, zone: *zone }),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    if let Some(fused) = fused {
        *expr = fused;
    }
}
