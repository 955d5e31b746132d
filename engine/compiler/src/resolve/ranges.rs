//! Checks ranges: `in 1..9` goes from a whole number to the same or a higher one, and only numbers have a range.
//!
//! Called for each mode. Only literal numbers are compared, because options and definitions are not known here.

use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::tree::{
    Ability, Expr, ExprKind, Item, ItemKind, Member, MemberKind, Name, OptionKind, PartKind, TableRow, TypeKind, TypeName,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Reports empty ranges, and ranges of other types than numbers.
pub fn check_ranges(items: &[Cow<Item>], problems: &mut Vec<Problem>) {
    items.iter().for_each(|item| check_item(item, problems));
}

fn check_item(item: &Item, problems: &mut Vec<Problem>) {
    match &item.kind {
        ItemKind::Option(option) => {
            if let OptionKind::Number { default, range } = &option.kind {
                problems.extend(whole_number_problem(default));
                check_bounds(range.as_ref(), problems);
            }
        }
        ItemKind::Piece { members, .. } | ItemKind::Sheet { members, .. } | ItemKind::Has { members, .. } => {
            members.iter().for_each(|member| check_member(member, problems));
        }
        ItemKind::Family { fields, .. } => report_useless_ranges(fields, "a field of a move", problems),
        ItemKind::Ability(ability) => check_ability(ability, problems),
        ItemKind::Table(table) => check_rows(&table.rows, problems),
        _ => {}
    }
}

fn check_member(member: &Member, problems: &mut Vec<Problem>) {
    match &member.kind {
        MemberKind::Counter { names, of, range, .. } => check_range(names, of.as_ref(), range.as_ref(), problems),
        MemberKind::Field { names, of, range, .. } => check_range(names, Some(of), range.as_ref(), problems),
        MemberKind::Mark { fields, .. } => report_useless_ranges(fields, "a field of a mark", problems),
        MemberKind::Zone { .. } => {}
    }
}

fn check_ability(ability: &Ability, problems: &mut Vec<Problem>) {
    for part in &ability.parts {
        if let PartKind::Parameter { name, of, range, .. } = &part.kind {
            check_range(std::slice::from_ref(name), Some(of), range.as_ref(), problems);
        }
    }
}

/// Checks the range of a member or parameter, whose type must be a number. A counter without a type is a number.
fn check_range(names: &[Name], of: Option<&TypeName>, range: Option<&(Expr, Expr)>, problems: &mut Vec<Problem>) {
    let Some((least, most)) = range else { return };
    if let (Some(of), Some(name)) = (of.filter(|of| !is_number(of)), names.first()) {
        let problem =
            Problem::error(codes::WRONG_TYPE, format!("only a number has a range, and `{}` is not a number", name.text));
        let problem =
            problem.with_label(least.span.extend_to(most.span), "from one number to another").with_label(of.span, "not a number");
        problems.push(problem.help("leave the range out, or make it a number"));
        return;
    }
    check_bounds(range, problems);
}

/// Whether a type is a number or a list of numbers.
fn is_number(of: &TypeName) -> bool {
    match &of.kind {
        TypeKind::Named(name) => ["number", "numbers", "halves"].contains(&name.text.as_str()),
        TypeKind::OrNone(inner) | TypeKind::ListOf(inner) => is_number(inner),
        TypeKind::ZoneOf(_) => false,
        TypeKind::Whatever => true,
    }
}

/// Reports bounds that are not literal numbers, or in the wrong order.
fn check_bounds(range: Option<&(Expr, Expr)>, problems: &mut Vec<Problem>) {
    let Some((least, most)) = range else { return };
    let wrong: Vec<Problem> = [least, most].into_iter().filter_map(whole_number_problem).collect();
    if wrong.is_empty() {
        problems.extend(reversed_range_problem(least, most));
    }
    problems.extend(wrong);
}

/// The error if an expression is not a literal number.
fn whole_number_problem(bound: &Expr) -> Option<Problem> {
    if matches!(bound.kind, ExprKind::Number(_)) {
        return None;
    }
    let problem = Problem::error(codes::WRONG_TYPE, "this must be a whole number, so that it is known before play");
    Some(problem.with_label(bound.span, "not a whole number").help("write a number, as in `= 3 in 1..9`"))
}

/// The error if both bounds are literal numbers, and the first is the higher.
pub fn reversed_range_problem(least: &Expr, most: &Expr) -> Option<Problem> {
    let (ExprKind::Number(from), ExprKind::Number(to)) = (&least.kind, &most.kind) else { return None };
    (from > to)
        .then(|| empty_range_problem(*from, *to).with_label(least.span.extend_to(most.span), "the higher number comes first"))
}

/// The error for an empty range of numbers.
pub fn empty_range_problem(from: i64, to: i64) -> Problem {
    Problem::error(codes::BOUNDS, format!("there are no numbers from {from} to {to}"))
        .help(format!("write the lower number first: `{to}..{from}`"))
}

/// Reports ranges of short-lived fields, which are never checked.
fn report_useless_ranges(fields: &[Member], what: &str, problems: &mut Vec<Problem>) {
    for field in fields {
        if let MemberKind::Field { range: Some((least, most)), .. } = &field.kind {
            let problem = Problem::error(codes::WRONG_TYPE, format!("{what} cannot have a range"));
            problems.push(problem.with_label(least.span.extend_to(most.span), "never checked").help("leave the range out"));
        }
    }
}

/// Warns of rows that earlier rows cover in part: in play, the first match counts. Rows of one numeric key are compared by ranges,
/// others by spelling.
fn check_rows(rows: &[TableRow], problems: &mut Vec<Problem>) {
    let mut numbers: BTreeMap<i64, (i64, &TableRow)> = BTreeMap::new();
    let mut exact: BTreeMap<Vec<String>, &TableRow> = BTreeMap::new();
    for row in rows {
        problems.extend(row.keys.iter().filter_map(|(first, last)| reversed_range_problem(first, last.as_ref()?)));
        let before = match row_numbers(row) {
            Some((first, last)) => find_overlapping_row(&mut numbers, first, last, row),
            None => {
                let key = row.keys.iter().map(|(first, last)| {
                    let last = last.as_ref().map_or(String::new(), ludex_syntax::spelling::canonical_spelling);
                    format!("{}..{last}", ludex_syntax::spelling::canonical_spelling(first))
                });
                exact.insert(key.collect(), row)
            }
        };
        if let Some(before) = before {
            let problem = Problem::warning(codes::SAID_BEFORE, "an earlier row of the table covers this");
            let problem = problem.with_label(row_span(row), "the same again").with_label(row_span(before), "this row counts");
            problems.push(problem.help("remove one of the two, or change its keys: the first row that matches counts"));
        }
    }
}

/// The place of a row's keys.
fn row_span(row: &TableRow) -> ludex_syntax::source::Span {
    let first = row.keys.first().map_or(row.span, |(first, _)| first.span);
    row.keys.last().map_or(first, |(last, end)| first.extend_to(end.as_ref().unwrap_or(last).span))
}

/// The range of numbers of a row with one numeric key; none for other rows.
fn row_numbers(row: &TableRow) -> Option<(i64, i64)> {
    let number = |expr: &Expr| if let ExprKind::Number(number) = expr.kind { Some(number) } else { None };
    match row.keys.as_slice() {
        [(first, None)] => Some((number(first)?, number(first)?)),
        [(first, Some(last))] => Some((number(first)?, number(last)?)),
        _ => None,
    }
}

/// Records a row for the numbers from `first` to `last`, and returns an earlier row that takes numbers away from it. A row inside a
/// later one is allowed as an exception. A row that only overlaps is not, and neither are several that leave no numbers. `known`
/// are the rows so far by first number, disjoint.
fn find_overlapping_row<'a>(
    known: &mut BTreeMap<i64, (i64, &'a TableRow)>,
    first: i64,
    last: i64,
    row: &'a TableRow,
) -> Option<&'a TableRow> {
    if first > last {
        return None;
    }
    let reaches_in = known.range(..first).next_back().filter(|(_, (end, _))| *end >= first);
    let reaches_out = known.range(first..=last).next_back().filter(|(_, (end, _))| *end > last);
    if let Some((_, (_, before))) = reaches_in.or(reaches_out) {
        return Some(before);
    }
    let inside: Vec<i64> = known.range(first..=last).map(|(start, _)| *start).collect();
    let inside: Vec<(i64, (i64, &TableRow))> =
        inside.into_iter().filter_map(|start| known.remove(&start).map(|found| (start, found))).collect();
    let taken =
        inside.iter().fold(0i64, |sum, (start, (end, _))| sum.saturating_add(end.saturating_sub(*start).saturating_add(1)));
    known.insert(first, (last, row));
    inside.last().filter(|_| taken > last.saturating_sub(first)).map(|(_, (_, before))| *before)
}
