//! Compares variants of a game, game by game from the same seeds.
//!
//! A measure is a number that each game gives, such as a side's win or the number of turns. Because both games of a pair have
//! the same seed, their difference varies less than the numbers themselves. `sim --compare` uses this.

use super::difference::Difference;
use super::mean::{self, Sums};
use super::numbers::{Measure, game_numbers, list_measures};
use super::request::PreparedRequest;
use super::run::{Counting, MOST_AT_ONCE, Settings, Sharing, Worker};
use super::tally::Tally;
use crate::stop::Stop;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::Counter;
use std::num::NonZero;
use std::ops::Range;

/// The results of variants, in the order given. All are compared with the first.
#[derive(Debug)]
pub struct Comparison {
    /// The measures that any variant has.
    pub measures: Vec<Measure>,
    pub counted: ComparisonCounts,
}

/// Sums over some of the games. They can be added up in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonCounts {
    /// Games that ended normally in every variant. Only these are compared.
    pub games: u64,
    /// Games that ended with a fault in some variant.
    pub left_out: u64,
    /// For each variant: its faults, and the digest of all its games.
    pub tallies: Vec<Tally>,
    /// Sums by variant and measure.
    values: Vec<Vec<Sums>>,
    /// Sums of the differences from the first variant.
    differences: Vec<Vec<Sums>>,
}

/// Plays some of the games in every variant. `progress` receives the number of games just played. A variant has its own program
/// or plan; all have the same number of games.
pub fn compare_variants(
    variants: &[PreparedRequest<'_>],
    games: Range<u64>,
    threads: Option<NonZero<usize>>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Comparison, Stop> {
    let places = MeasureIndices::from_variants(variants);
    let counters: Vec<Vec<Counter>> = variants.iter().map(counters_of).collect();
    let begin = || VariantsWorker::new(variants, &counters, &places);
    // One index stands for a game of each variant.
    let most_at_once = (MOST_AT_ONCE / variants.len().max(1) as u64).max(1);
    let sharing = Sharing { games, threads, most_at_once, progress };
    let counted = sharing.play_all_games(begin, ComparisonCounts::add_counts);
    // Only a program at a seat can fail here, which has no location in a file.
    let counted = counted.map_err(|problem| Stop::from(*problem))?;
    Ok(Comparison { measures: places.measures, counted })
}

/// The counters that a variant reports.
fn counters_of(prepared: &PreparedRequest<'_>) -> Vec<Counter> {
    prepared.report_parts().counters.iter().map(|(_, counter)| *counter).collect()
}

impl Comparison {
    /// The sums of a variant for a measure, both by index; `None` if the variant lacks it.
    pub fn measure_sums(&self, variant: usize, measure: usize) -> Option<Sums> {
        self.counted.values.get(variant)?.get(measure).copied().filter(|sums| sums.games > 0)
    }

    /// The difference of a variant from the first one. None if no game has the measure in both.
    pub fn difference_from_first(&self, variant: usize, measure: usize) -> Option<Difference> {
        let sums = *self.counted.differences.get(variant)?.get(measure)?;
        match self.measures.get(measure)?.is_share() {
            true => Difference::of_shares(sums),
            false => Difference::of_means(sums),
        }
    }
}

/// Maps the measures of each variant to indices among all measures.
struct MeasureIndices {
    measures: Vec<Measure>,
    /// For each variant, the index of each of its measures.
    of_variants: Vec<Vec<usize>>,
}

impl MeasureIndices {
    fn from_variants(variants: &[PreparedRequest<'_>]) -> MeasureIndices {
        let mut all: Vec<Measure> = Vec::new();
        let mut place = |measure: Measure| {
            all.iter().position(|known| *known == measure).unwrap_or_else(|| {
                all.push(measure);
                all.len() - 1
            })
        };
        let of_variants = variants.iter().map(|variant| list_measures(variant).into_iter().map(&mut place).collect()).collect();
        MeasureIndices { measures: all, of_variants }
    }

    /// Moves the numbers of a variant to the indices of all measures. `None` stands for measures that it lacks.
    fn align_numbers(&self, variant: usize, numbers: &[Option<i64>]) -> Vec<Option<i64>> {
        let mut all = vec![None; self.measures.len()];
        for (place, number) in self.of_variants.get(variant).into_iter().flatten().zip(numbers) {
            if let Some(spot) = all.get_mut(*place) {
                *spot = *number;
            }
        }
        all
    }
}

/// Plays each game in every variant, one after the other.
struct VariantsWorker<'a> {
    variants: &'a [PreparedRequest<'a>],
    places: &'a MeasureIndices,
    workers: Vec<Worker<'a>>,
    /// An empty tally for each worker to start a game with.
    blanks: Vec<Tally>,
    counted: ComparisonCounts,
}

impl<'a> VariantsWorker<'a> {
    fn new(variants: &'a [PreparedRequest<'a>], counters: &'a [Vec<Counter>], places: &'a MeasureIndices) -> VariantsWorker<'a> {
        let blanks: Vec<Tally> = variants.iter().map(|variant| Tally::without_groups(&variant.plan)).collect();
        let worker = |((variant, counters), blank): ((&'a PreparedRequest<'a>, &'a Vec<Counter>), &Tally)| {
            let settings = Settings { counters, ..Settings::default() };
            let mut worker = Worker::new(&variant.program, &variant.plan, settings);
            worker.tally = blank.clone();
            worker
        };
        let workers = variants.iter().zip(counters).zip(&blanks).map(worker).collect();
        let none = vec![vec![Sums::default(); places.measures.len()]; variants.len()];
        let counted =
            ComparisonCounts { games: 0, left_out: 0, tallies: blanks.clone(), values: none.clone(), differences: none };
        VariantsWorker { variants, places, workers, blanks, counted }
    }
}

impl Counting for VariantsWorker<'_> {
    type Counted = ComparisonCounts;

    fn play_game(&mut self, index: u64) -> Result<(), Box<Problem>> {
        let mut numbers = Vec::new();
        for (place, (worker, blank)) in self.workers.iter_mut().zip(&self.blanks).enumerate() {
            worker.play_game(index)?;
            let one = std::mem::replace(&mut worker.tally, blank.clone());
            if let (Some(variant), 1) = (self.variants.get(place), one.all.games) {
                numbers.push(self.places.align_numbers(place, &game_numbers(variant, index, &one)));
            }
            if let Some(tally) = self.counted.tallies.get_mut(place) {
                tally.add_tally(one);
            }
        }
        match numbers.len() == self.variants.len() {
            true => self.counted.add_game(&numbers),
            false => self.counted.left_out += 1,
        }
        Ok(())
    }

    fn into_counts(self) -> ComparisonCounts {
        self.counted
    }
}

impl ComparisonCounts {
    /// Adds one game, with the numbers of each variant.
    fn add_game(&mut self, variants: &[Vec<Option<i64>>]) {
        self.games += 1;
        let Some(first) = variants.first() else { return };
        for ((sums, differences), numbers) in self.values.iter_mut().zip(&mut self.differences).zip(variants) {
            for (((sums, difference), number), first) in sums.iter_mut().zip(differences).zip(numbers).zip(first) {
                number.iter().for_each(|number| sums.add_value(*number));
                number.zip(*first).iter().for_each(|(number, first)| difference.add_value(number - first));
            }
        }
    }

    fn add_counts(&mut self, other: ComparisonCounts) {
        self.games += other.games;
        self.left_out += other.left_out;
        self.tallies.iter_mut().zip(other.tallies).for_each(|(tally, more)| tally.add_tally(more));
        for (sums, more) in [(&mut self.values, &other.values), (&mut self.differences, &other.differences)] {
            sums.iter_mut().zip(more).for_each(|(sums, more)| mean::merge_sums(sums, more));
        }
    }
}
