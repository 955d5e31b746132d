//! Whatever packages declare, replace and remove, the order in which they are named decides nothing but orders.

use crate::library::{File, Library};
use ludex_syntax::problem::{Problem, capitalise_first};
use ludex_syntax::tree::{Item, ItemKind};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::borrow::Cow;
use std::collections::BTreeSet;

const POND: &str = "\
sides 2
die sizes 4, 6
each side has { counter flies  counter eggs }
define reach: number = 1
define depth: number = 2
to play { finish with sides }
mode dry \"Dry\" { replace define depth: number = 0 }
";

/// What a package may say; much of it makes sense only where another has said something.
const LINES: [&str; 16] = [
    "replace define reach: number = 10",
    "remove define reach",
    "define reach: number = 11",
    "replace define depth: number = 20",
    "define mud: number = 30",
    "replace define mud: number = 31",
    "remove define mud",
    "die sizes 8",
    "die sizes 10, 4",
    "replace die sizes 12",
    "each side has { replace counter flies = 3 in 0..9 }",
    "each side has { counter tadpoles }",
    "each side has { replace counter tadpoles  replace eggs: number }",
    "mode wet \"Wet\" { define rain: number = 1 }",
    "replace mode dry { replace define depth: number = 5 }",
    "replace mode dry { replace define reach: number = 6 }",
];

/// For each package which of those before it it extends, by number, and what it says.
fn packages() -> impl Strategy<Value = Vec<(Vec<usize>, Vec<&'static str>)>> {
    let package = |number: usize| {
        let before: Vec<usize> = (0..number).collect();
        (subsequence(before, 0..=number), subsequence(LINES.to_vec(), 0..4))
    };
    (package(0), package(1), package(2), package(3)).prop_map(|(a, b, c, d)| vec![a, b, c, d])
}

fn composed(packages: &[(Vec<usize>, Vec<&str>)], order: &[usize], own: &str) -> Library {
    let id = |number: &usize| format!("p{number}");
    let file = |id: &str, header: &str, rules: &str| File {
        path: format!("rules/{id}/game.ludex"),
        text: format!("ludex 1\n{header}\n{rules}"),
        library: "test".to_string(),
    };
    let package = |id: &str, extends: &str, rules: &str| {
        file(id, &format!("package {id} \"{}\" extends {extends}", capitalise_first(id)), rules)
    };
    let mut files = vec![file("pond", "game pond \"Pond\"", POND)];
    for (number, (extends, lines)) in packages.iter().enumerate() {
        let parents: Vec<String> = std::iter::once("pond".to_string()).chain(extends.iter().map(id)).collect();
        files.push(package(&id(&number), &parents.join(", "), &format!("{}\n", lines.join("\n"))));
    }
    let parents: Vec<String> = order.iter().map(id).collect();
    files.push(package("all", &parents.join(", "), &format!("{own}\n")));
    Library::new(files).0
}

/// What is wrong, whichever place comes first. Where several packages could settle it, the help names the first.
fn told(problems: &[Problem]) -> BTreeSet<String> {
    let shown = |problem: &Problem| {
        let mut labels = problem.labels.clone();
        labels.sort();
        format!("{} {labels:?}", problem.code)
    };
    problems.iter().filter(|problem| problem.is_error()).map(shown).collect()
}

/// What is declared, in no order.
fn declared(items: &[Cow<Item>]) -> BTreeSet<String> {
    let mut declared = BTreeSet::new();
    for item in items {
        match &item.kind {
            ItemKind::Game { .. } => {}
            ItemKind::DieSizes { sizes } => {
                let sizes: BTreeSet<i64> = sizes.iter().map(|(size, _)| *size).collect();
                declared.insert(format!("{sizes:?}"));
            }
            ItemKind::Has { owner, members } => {
                declared.extend(members.iter().map(|member| format!("{} {member:?}", owner.text)))
            }
            kind => drop(declared.insert(format!("{kind:?}"))),
        }
    }
    declared
}

/// What is wrong with a game that extends all, or what is declared in it and in its modes.
fn outcome(library: &Library) -> Result<Vec<(String, BTreeSet<String>)>, BTreeSet<String>> {
    let mut problems = Vec::new();
    let line = library.read_packages("all", &mut problems).expect("the line is clear");
    let parts = library.combine_packages(&line, &mut problems);
    problems.extend(parts.composed.modes.iter().flat_map(|mode| mode.problems.clone()));
    if problems.iter().any(Problem::is_error) {
        return Err(told(&problems));
    }
    let mut modes: Vec<_> = parts.composed.modes.iter().map(|mode| (mode.name.text.clone(), declared(&mode.items))).collect();
    modes.sort();
    modes.push(("standard".to_string(), declared(&parts.composed.standard)));
    Ok(modes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_order_decides_nothing(
        packages in packages(),
        order in Just(vec![0usize, 1, 2, 3]).prop_shuffle(),
        own in select(&["", "replace define reach: number = 99", "replace die sizes 2", "replace mode dry { replace define depth: number = 98 }"][..]),
    ) {
        prop_assert_eq!(outcome(&composed(&packages, &order, own)), outcome(&composed(&packages, &[0, 1, 2, 3], own)));
    }

    /// A package that extends one alone and says nothing is that one.
    #[test]
    fn who_says_nothing_changes_nothing(packages in packages()) {
        let mut chain = packages.clone();
        chain[3] = (vec![2], Vec::new());
        let (with, without) = (composed(&chain, &[3], ""), composed(&chain, &[2], ""));
        let wrong = |library: &Library| outcome(library).is_err();
        prop_assert_eq!(wrong(&with), wrong(&without));
        if let (Ok(with), Ok(without)) = (outcome(&with), outcome(&without)) {
            prop_assert_eq!(with, without);
        }
    }
}

#[test]
fn some_of_these_go_together_and_some_clash() {
    let of = |lines: [&[&'static str]; 2]| {
        let packages: Vec<_> = lines.iter().map(|lines| (Vec::new(), lines.to_vec())).chain(vec![(vec![], vec![]); 2]).collect();
        outcome(&composed(&packages, &[0, 1, 2, 3], ""))
    };
    assert!(of([&[LINES[0], LINES[7], LINES[10]], &[LINES[4], LINES[8], LINES[14]]]).is_ok());
    assert_eq!(of([&[LINES[0]], &[LINES[1]]]).unwrap_err().len(), 1);
    assert_eq!(of([&[LINES[11], LINES[3]], &[LINES[11]]]).unwrap_err().len(), 2);
}
