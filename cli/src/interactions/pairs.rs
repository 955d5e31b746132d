//! Pairs of clauses that may meet at a hook, with the findings for each.
//!
//! A use is a clause with its owner. Two clauses are level if the rules leave their order to owners, sheets or players.

use ludex_engine::program::{ClauseKind, ListedAbility, Program};
use ludex_engine::runtime::{ClauseUse, have_equal_rank};
use std::collections::{BTreeMap, BTreeSet};

/// Two clauses, or one clause of two owners: their indices in the program, the lower first.
pub type Clauses = (u16, u16);

/// The findings in the games of a mode.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    pub game: String,
    pub mode: String,
    pub games: u64,
    pub seed: u64,
    /// Findings by possible pair, whether or not the two ever met.
    pub pairs: BTreeMap<Clauses, Pair>,
}

/// The findings for one pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Number of times both could act at one opening of their hook, or both were used there.
    pub met: u64,
    /// Number of times both orders were played.
    pub compared: u64,
    /// Number of times the results differed.
    pub differing: u64,
    /// Number of times a limit stopped one of the orders.
    pub looping: u64,
    /// What differed.
    pub differences: BTreeSet<String>,
    /// The first game, from 0, in which they differed or looped, and the number of answers before that.
    pub first: Option<(u64, usize)>,
}

impl Pair {
    pub fn add_findings(&mut self, other: Pair) {
        self.met += other.met;
        self.compared += other.compared;
        self.differing += other.differing;
        self.looping += other.looping;
        self.differences.extend(other.differences);
        self.first = [self.first, other.first].into_iter().flatten().min();
    }
}

/// The pair of clauses of two uses.
pub fn clause_pair(one: ClauseUse, other: ClauseUse) -> Clauses {
    (one.clause.min(other.clause), one.clause.max(other.clause))
}

/// All pairs of clauses whose order the rules leave open, from abilities that some sheet lists. Modifiers are left out, since
/// they only compute; so are clauses that marks bring.
pub fn possible_pairs(program: &Program) -> Vec<Clauses> {
    let of_entrants = program.sheets.values().flat_map(|sheet| &sheet.abilities);
    let of_cards = program.prints.prints.iter().flat_map(|print| &print.abilities);
    let listed: BTreeSet<usize> =
        of_entrants.chain(of_cards).map(|ListedAbility { ability, .. }| usize::from(*ability)).collect();
    let clauses = program.clauses.iter().enumerate();
    let acts = clauses.filter(|(_, clause)| {
        clause.kind != ClauseKind::Modifier && clause.mark.is_none() && listed.contains(&usize::from(clause.ability))
    });
    let acts: Vec<u16> = acts.map(|(index, _)| index as u16).collect();
    let with = |(place, one): (usize, &u16)| {
        let one = *one;
        acts[place..]
            .iter()
            .filter(move |other| have_equal_rank(program, one, **other))
            .map(move |other| (one, *other))
            .collect::<Vec<_>>()
    };
    acts.iter().enumerate().flat_map(with).collect()
}
