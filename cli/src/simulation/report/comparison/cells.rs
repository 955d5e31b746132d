//! The readable numbers of a comparison.
//!
//! A measure is a number that each game gives, and is called by its index in the comparison.

use crate::simulation::compare::Comparison;
use crate::simulation::difference::{Difference, Evidence};
use crate::simulation::mean::format_decimals;
use crate::simulation::numbers::Measure;
use crate::simulation::request::PreparedRequest;
use crate::simulation::sides::{describe_side, side_name};

/// Variants with their names and results.
pub struct ComparisonReport<'a> {
    pub names: &'a [String],
    pub variants: &'a [PreparedRequest<'a>],
    pub comparison: &'a Comparison,
}

/// A row of the table.
pub struct Row {
    pub label: String,
    pub values: Vec<String>,
    /// Differences from the first variant, in the order of the others.
    pub differences: Vec<String>,
}

impl ComparisonReport<'_> {
    /// The sides that have the same players and entrants in all variants.
    pub fn sides_alike(&self) -> Vec<usize> {
        let Some((first, others)) = self.variants.split_first() else { return Vec::new() };
        let is_alike = |side: &usize| {
            let name = describe_side(&first.plan, *side);
            others.iter().all(|other| *side < other.plan.players.len() && describe_side(&other.plan, *side) == name)
        };
        (0..first.plan.players.len()).filter(is_alike).collect()
    }

    /// The indices of interesting measures: those that were not the same in all games of all variants, and the wins.
    pub fn interesting_measures(&self) -> Vec<usize> {
        let comparison = self.comparison;
        let cooperative = self.is_cooperative();
        let tells = |place: &usize| {
            let Some(measure) = comparison.measures.get(*place) else { return false };
            let values = || (0..self.variants.len()).filter_map(|variant| comparison.measure_sums(variant, *place));
            let varies =
                values().any(|sums| sums.mean().and_then(|mean| mean.spread).is_none_or(|spread| spread.deviation > 0.0));
            let differs = values().zip(values().skip(1)).any(|(one, other)| one != other);
            match measure {
                Measure::Wins(_) => !cooperative,
                Measure::Together | Measure::Nobody => cooperative,
                // Shared wins are reported as ties or as joint wins.
                Measure::Shared(_) => !cooperative && (0..self.variants.len()).any(|variant| self.has_shared_wins(variant)),
                Measure::Entrant(_) => true,
                Measure::Begun(name) if name == "turn" => false,
                _ => values().next().is_some() && (varies || differs),
            }
        };
        (0..comparison.measures.len()).filter(tells).collect()
    }

    fn has_shared_wins(&self, variant: usize) -> bool {
        self.comparison.counted.tallies.get(variant).is_some_and(|tally| tally.all.some_shared)
    }

    /// Whether sides win only together in the games of all variants.
    fn is_cooperative(&self) -> bool {
        let tallies = &self.comparison.counted.tallies;
        tallies.iter().any(|tally| tally.all.is_cooperative())
            && tallies.iter().all(|tally| tally.all.wins.iter().all(|wins| *wins == 0))
    }

    /// The row for a measure: its value in each variant, and the differences.
    pub fn measure_row(&self, measure: usize) -> Row {
        let value = |variant: usize| {
            let mean = self.comparison.measure_sums(variant, measure).and_then(|sums| sums.mean());
            mean.map_or("-".to_string(), |mean| self.number_text(measure, mean.mean))
        };
        let difference = |variant: usize| {
            let difference = self.comparison.difference_from_first(variant, measure);
            difference.map_or("-".to_string(), |difference| self.signed_difference_text(measure, &difference))
        };
        let all = self.variants.len();
        let unit = if self.is_share(measure) { ", %" } else { "" };
        Row {
            label: format!("{}{unit}", self.measure_label(measure)),
            values: (0..all).map(value).collect(),
            differences: (1..all).map(difference).collect(),
        }
    }

    pub fn is_share(&self, measure: usize) -> bool {
        self.comparison.measures.get(measure).is_some_and(Measure::is_share)
    }

    pub fn measure_label(&self, measure: usize) -> String {
        self.comparison.measures.get(measure).map_or(String::new(), |measure| self.measure_text(measure))
    }

    /// Formats a number; shares are in per cent.
    fn number_text(&self, measure: usize, number: f64) -> String {
        match self.comparison.measures.get(measure) {
            Some(measure) if measure.is_share() => format_decimals(100.0 * number, 1),
            Some(Measure::Payoff(_) | Measure::Counter(..)) => format_decimals(number, 4),
            _ => format_decimals(number, 2),
        }
    }

    /// Formats a difference with its sign: `+0.4 (-3.1 to 3.9)`.
    fn signed_difference_text(&self, measure: usize, difference: &Difference) -> String {
        let sign = if difference.mean > 0.0 { "+" } else { "" };
        format!("{sign}{}", self.difference_text(measure, difference))
    }

    pub fn difference_text(&self, measure: usize, difference: &Difference) -> String {
        let mean = self.number_text(measure, difference.mean);
        let bound = |number: f64| self.number_text(measure, number);
        difference.bounds.map_or(mean.clone(), |(low, high)| format!("{mean} ({} to {})", bound(low), bound(high)))
    }

    pub fn difference_and_evidence(&self, variant: usize, measure: usize) -> Option<(Difference, Evidence)> {
        self.comparison.difference_from_first(variant, measure).map(|difference| (difference, difference.evidence()))
    }

    /// Whether more of it is better for a side: payoffs, or wins in games without payoffs.
    pub fn is_decisive(&self, measure: usize) -> bool {
        let measures = &self.comparison.measures;
        let is_worth = |place: usize| {
            matches!(measures.get(place), Some(Measure::Payoff(_))) && self.comparison.measure_sums(0, place).is_some()
        };
        match measures.get(measure) {
            Some(Measure::Payoff(_) | Measure::Entrant(_)) => true,
            Some(Measure::Wins(_) | Measure::Together) => !(0..measures.len()).any(is_worth),
            _ => false,
        }
    }

    /// The side or entrant that a decisive measure is about.
    pub fn measure_owner(&self, measure: usize) -> String {
        match self.comparison.measures.get(measure) {
            Some(Measure::Payoff(of) | Measure::Wins(of)) => self.variant_side_name(*of),
            Some(Measure::Entrant(name)) => name.clone(),
            _ => "all together".to_string(),
        }
    }

    /// The name of a side in the first variant that has it.
    fn variant_side_name(&self, side: usize) -> String {
        let having = self.variants.iter().find(|variant| side < variant.plan.players.len());
        having.map_or_else(String::new, |variant| side_name(&variant.program, side))
    }

    /// The label of a measure for readers.
    fn measure_text(&self, measure: &Measure) -> String {
        let spaced = |name: &str| name.replace('_', " ");
        match measure {
            Measure::Wins(of) => format!("{} wins", self.variant_side_name(*of)),
            Measure::Shared(of) => format!("{} wins with others", self.variant_side_name(*of)),
            Measure::Entrant(name) => format!("{name} wins"),
            Measure::Together => "won together".to_string(),
            Measure::Nobody => "lost together".to_string(),
            Measure::Tied => "tied".to_string(),
            Measure::Unwon => "without a winner".to_string(),
            Measure::CalledOff => "called off".to_string(),
            Measure::Payoff(of) => format!("payoff of {}", self.variant_side_name(*of)),
            Measure::Turns => "turns".to_string(),
            Measure::Begun(name) => spaced(name),
            Measure::Answers => "answers".to_string(),
            Measure::Counter(name, Some(of)) => format!("{} of {}", spaced(name), self.variant_side_name(*of)),
            Measure::Counter(name, None) => format!("{} of the table", spaced(name)),
        }
    }
}
