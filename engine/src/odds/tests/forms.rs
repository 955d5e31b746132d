//! No form of expressions passes a throw by: whichever part of it is the throw, the reading says so.

use crate::odds::readings::{Kinds, ListKind, read_step};
use crate::testing::game;
use ludex_program::{
    Address, BestKey, BoardOperation as Asked, Calculation, Comparison, Expr, Instruction, Program, Slot, SupposedField,
};
use ludex_syntax::tree::Quantifier;
use std::collections::BTreeSet;

/// Holds the throw.
const THROW: Slot = 7;

/// Forms without a part that could be a throw.
const WITHOUT_PARTS: &[&str] = &["Constant", "Every", "Option", "Referee", "Sides", "Table", "TableField"];

/// One expression of each other form. Slots that are read hold the throw.
fn forms() -> Vec<Expr> {
    use Expr::*;
    let one = || Box::new(Constant(1));
    let pair = || vec![Constant(1), Constant(1)];
    let key = || vec![BestKey { highest: true, value: Constant(1), list: false, short_is_high: false }];
    let of_slot = [
        Local(THROW),
        LocalField { slot: THROW, field: 0 },
        LocalFoe(THROW),
        LocalMoveField { slot: THROW, index: 0 },
        LocalPlace(THROW),
        LocalZone { slot: THROW, zone: 0 },
        LentZone { slot: THROW, foe: false, field: 0, zone: 0 },
    ];
    let of_one = [
        AsMove { of: one(), family: 0 },
        CountList(one()),
        CountZone(one()),
        EndOf { last: false, list: one() },
        EntrantsOf(one()),
        ExtremeOf { highest: true, list: one() },
        Field { of: one(), field: 0 },
        FieldList { zone: one(), field: 0, sorted: false, down: false },
        Foe(one()),
        HasMark { of: one(), mark: 0 },
        Held { of: one(), field: 0 },
        IsOdd(one()),
        KindIs { of: one(), kind: 0 },
        MapZone { list: one(), zone: 0 },
        MoveField { of: one(), index: 0 },
        MoveIn { of: one(), family: 0 },
        MoveIs { of: one(), action: 0 },
        Neighbour { of: one(), left: true },
        Neighbours(one()),
        Not(one()),
        PlaceOf(one()),
        PrintOf(one()),
        Printed { of: one(), column: 0 },
        PrintedList { of: one(), column: 0 },
        PrintedName(one()),
        Remembered { which: 0, arguments: Vec::new(), value: one() },
        SheetIs { of: one(), sheet: 0 },
        SideOf(one()),
        Single(one()),
        Sorted { down: false, list: one() },
        Sorts { list: one(), pieces: false },
        SumList(one()),
        SumZone { zone: one(), field: 0 },
        Zone { of: one(), zone: 0 },
        ZoneList(one()),
    ];
    let of_several = [
        Add(one(), one()),
        And(one(), one()),
        AnswerOf { answers: one(), members: one(), of: one() },
        AtLeast(one(), one()),
        AtMost(one(), one()),
        BestAll { list: one(), slot: 0, keys: key() },
        BestOne { list: one(), slot: 0, keys: key() },
        Calculated(Calculation::Nth, pair()),
        Calculated(Calculation::Power, pair()),
        Can { family: 0, obliging: true, arguments: pair() },
        CanWhere { family: 0, obliging: true, arguments: pair(), slot: 0, condition: one() },
        Compare(Comparison::Less, one(), one()),
        CompareLists(Comparison::Less, one(), one()),
        Concatenate(one(), one()),
        Divide { left: one(), right: one(), up: true },
        Fold { hook: 0, arguments: pair() },
        If(one(), one(), one()),
        InList { item: one(), list: one() },
        InZone { item: one(), zone: one() },
        Keep { highest: true, count: one(), list: one() },
        SumList(Box::new(Keep { highest: true, count: one(), list: one() })),
        ListOf(pair()),
        Map { list: one(), slot: 0, value: one() },
        MapList { list: one(), slot: 0, value: one() },
        Multiply(one(), one()),
        OnBoard(Asked::CellAt, pair()),
        Or(one(), one()),
        Quantified { which: Quantifier::Any, list: one(), slot: 0, condition: one() },
        Quantified { which: Quantifier::All, list: one(), slot: 0, condition: one() },
        Quantified { which: Quantifier::NoneOf, list: one(), slot: 0, condition: one() },
        Range(one(), one()),
        Subtract(one(), one()),
        Supposing { changes: vec![SupposedField { of: Constant(1), field: 0, value: Constant(1) }], then: one() },
        Top { count: one(), zone: one() },
        Where { list: one(), slot: 0, condition: one() },
        With { slot: 0, value: one(), then: Box::new(SumList(Box::new(Local(0)))) },
        Without(one(), one()),
    ];
    of_slot.into_iter().chain(of_one).chain(of_several).collect()
}

/// Whether a reading says anything of an expression.
fn is_looked_at(program: &mut Program, expr: Expr) -> bool {
    program.code.push(Instruction::Let { list: false, slot: 0, value: expr });
    let at = program.code.len() as Address - 1;
    let looks = read_step(program, at, &Kinds::from([(THROW, ListKind::Bag { plain: true })]));
    looks.everything || !looks.folds.is_empty() || !looks.members.is_empty()
}

#[test]
fn no_form_passes_by_a_throw() {
    let mut program = Program::clone(&game("sides 2\nto play { finish with nobody }").program());
    for form in forms() {
        let mut parts = 0;
        form.visit_parts(&mut |_| parts += 1);
        assert!(parts > 0 || is_looked_at(&mut program, form.clone()), "{form:?}");
        for place in 0..parts {
            let (mut expr, mut next) = (form.clone(), 0);
            expr.visit_parts_mut(&mut |part| {
                if next == place {
                    *part = Expr::Local(THROW);
                }
                next += 1;
            });
            assert!(is_looked_at(&mut program, expr.clone()), "{expr:?}");
        }
    }
}

#[test]
fn every_form_of_the_table_is_tried() {
    let name = |text: &str| text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("").to_string();
    let tried: BTreeSet<String> = forms().iter().map(|form| name(&format!("{form:?}"))).collect();
    let table = include_str!("../readings.rs").split("fn form_role(").nth(1).and_then(|text| text.split("\n}\n").next()).unwrap();
    let named: BTreeSet<String> = table.split("Expr::").skip(1).map(name).collect();
    let missing: Vec<&String> = named.iter().filter(|name| !tried.contains(*name)).collect();
    assert_eq!(missing, WITHOUT_PARTS);
}
