//! Checks of the entrants that sides bring. An entrant is a character, deck or fighter from a sheet, given by its id. They
//! are checked when a match is set up, and before, while players choose.

use super::{Program, SidesInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, range_text};
use std::ops::RangeInclusive;

impl SidesInfo {
    /// The number of entrants of a side that brings any. In a game without entrants it is 1.
    pub fn team_sizes(&self) -> RangeInclusive<usize> {
        self.entrants_least.max(1)..=self.entrants_most.max(1)
    }

    /// Checks the entrants of these sides, each given with its number.
    pub fn check_all_sides<'a>(&self, sides: impl Iterator<Item = (usize, &'a Vec<String>)>) -> Result<(), Problem> {
        let mut first: Option<(usize, usize)> = None;
        for (side, entrants) in sides {
            self.check_side(entrants)?;
            let (other, count) = *first.get_or_insert((side, entrants.len()));
            if self.equally_many && entrants.len() != count {
                return Err(uneven_problem((other, count), (side, entrants.len())));
            }
        }
        Ok(())
    }

    /// Checks sides of which the undecided ones are still empty.
    pub fn check_chosen_sides(&self, sides: &[Vec<String>]) -> Result<(), Problem> {
        self.check_all_sides(sides.iter().enumerate().filter(|(_, entrants)| !entrants.is_empty()))
    }

    /// Checks the entrants of one side.
    pub fn check_side(&self, entrants: &[String]) -> Result<(), Problem> {
        let (least, most, count) = (self.entrants_least, self.entrants_most, entrants.len());
        if self.entrant.is_some() && !(least..=most).contains(&count) {
            return Err(Problem::error(codes::SEATS, format!("a side brings {}, not {count}", range_text(least, most))));
        }
        let twice = entrants.iter().enumerate().find(|(place, id)| entrants[..*place].contains(id));
        match twice.filter(|_| self.all_different) {
            Some((_, id)) => Err(Problem::error(codes::SEATS, format!("`{id}` appears twice on one side"))
                .help("in this game, a side brings each of them only once")),
            None => Ok(()),
        }
    }
}

/// Each side is given by its number and the number of its entrants.
fn uneven_problem((first, few): (usize, usize), (other, many): (usize, usize)) -> Problem {
    let message = format!("side {first} brings {few} and side {other} brings {many}, but all sides must bring the same number");
    Problem::error(codes::SEATS, message)
}

impl Program {
    /// Checks that every entrant has a sheet.
    pub fn check_sheets_exist(&self, sides: &[Vec<String>]) -> Result<(), Problem> {
        let Some(id) = sides.iter().flatten().find(|id| !self.sheets.contains_key(*id)) else { return Ok(()) };
        let problem = Problem::error(codes::UNKNOWN_ENTRANT, format!("there is no `{id}` in `{}`", self.game));
        Err(problem.suggest(id, self.sheets.keys().map(String::as_str)))
    }
}
