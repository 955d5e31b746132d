//! The numbers of each game that a comparison uses.
//!
//! Each number belongs to a [`Measure`]. The tally of a single game has nearly all of them, so they are read from it.

use super::plan::{LineUp, Plan};
use super::request::PreparedRequest;
use super::tally::Tally;
use super::{game, mean::Sums};

/// The quantity that a number measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A side won alone; a side shared a win.
    Wins(usize),
    Shared(usize),
    /// An entrant of all pairs or drawn teams was on the side that won alone.
    Entrant(String),
    /// Several sides won, in games without sole winners; and no side won.
    Together,
    Nobody,
    /// The game ended in a tie; and without a winner.
    Tied,
    Unwon,
    /// It reached a cap on its length.
    CalledOff,
    /// The payoff of a side.
    Payoff(usize),
    Turns,
    /// Number of times a scope of the rules began.
    Begun(String),
    Answers,
    /// A counter at the end, of a side or of the table.
    Counter(String, Option<usize>),
}

impl Measure {
    /// Whether the number is 0 or 1 in each game, so that the mean is a share.
    pub fn is_share(&self) -> bool {
        match self {
            Measure::Wins(_)
            | Measure::Shared(_)
            | Measure::Entrant(_)
            | Measure::Together
            | Measure::Nobody
            | Measure::Tied
            | Measure::Unwon
            | Measure::CalledOff => true,
            Measure::Payoff(_) | Measure::Turns | Measure::Begun(_) | Measure::Answers | Measure::Counter(..) => false,
        }
    }
}

/// All measures of a game, in a fixed order.
pub fn list_measures(prepared: &PreparedRequest<'_>) -> Vec<Measure> {
    let (plan, program) = (&prepared.plan, &prepared.program);
    let sides = 0..plan.players.len();
    let mut all: Vec<Measure> = sides.clone().map(Measure::Wins).collect();
    all.extend(sides.clone().map(Measure::Shared));
    all.extend([Measure::Together, Measure::Nobody, Measure::Tied, Measure::Unwon, Measure::CalledOff]);
    all.extend(sides.clone().map(Measure::Payoff));
    all.push(Measure::Turns);
    all.extend(game::declared_scopes(program).map(|(_, name)| Measure::Begun(name.to_string())));
    all.push(Measure::Answers);
    for (name, counter) in prepared.report_parts().counters {
        let of = |side| Measure::Counter((*name).to_string(), side);
        match counter.of_table {
            true => all.push(of(None)),
            false => all.extend(sides.clone().map(|side| of(Some(side)))),
        }
    }
    all.extend(separate_entrants(plan).iter().cloned().map(Measure::Entrant));
    all
}

/// The entrants that are counted separately. They are counted only if each game draws or pairs them.
fn separate_entrants(plan: &Plan) -> &[String] {
    match &plan.line_up {
        LineUp::Pairs(all) => all,
        _ => plan.entrant_pool(),
    }
}

/// The numbers of one game in halves, in the order of [`list_measures`]; `None` if a measure does not apply to it. `index` is
/// the number of the game, and `one` the tally of this game alone.
pub fn game_numbers(prepared: &PreparedRequest<'_>, index: u64, one: &Tally) -> Vec<Option<i64>> {
    let plan = &prepared.plan;
    let whole = |number: u64| Some(2 * number as i64);
    let by_side = |counts: &[u64]| counts.iter().map(|count| whole(*count)).collect::<Vec<_>>();
    let of_sums = |sums: &Sums| (sums.games == 1).then(|| sums.sum_in_halves() as i64);
    let sides = plan.players.len();
    let score = &one.all;
    let mut numbers = by_side(&score.wins);
    numbers.extend(by_side(&score.shared));
    numbers.extend([score.together, score.nobody, score.ties, score.unwon_games(), score.capped].map(whole));
    numbers.extend((0..sides).map(|side| one.payoffs.get(side).and_then(of_sums)));
    numbers.push(whole(score.turns.sum));
    numbers.extend(game::declared_scopes(&prepared.program).enumerate().map(|(place, _)| whole(score.scopes.get(place)?.sum)));
    numbers.push(whole(score.answers.sum));
    for (place, (_, counter)) in prepared.report_parts().counters.iter().enumerate() {
        let of_sides = if counter.of_table { 1 } else { sides };
        let sums = |side: usize| one.counted.get(place).and_then(|sums| sums.get(side));
        numbers.extend((0..of_sides).map(|side| sums(side).and_then(of_sums)));
    }
    let from = numbers.len();
    numbers.resize(from + separate_entrants(plan).len(), None);
    for (place, side) in entrant_sides(plan, index) {
        let won = score.wins.get(side).is_some_and(|wins| *wins > 0);
        // An entrant on both sides wins and loses at once, which means nothing.
        let is_on_both = entrant_sides(plan, index).iter().any(|(other, of)| *other == place && *of != side);
        if let Some(number) = numbers.get_mut(from + place).filter(|_| !is_on_both) {
            *number = whole(u64::from(won));
        }
    }
    numbers
}

/// The separately counted entrants in a game, by index, each with its side.
fn entrant_sides(plan: &Plan, index: u64) -> Vec<(usize, usize)> {
    if let Some([one, other]) = plan.draw_teams(index) {
        let of = |side: usize| move |place: u64| (place as usize, side);
        return one.into_iter().map(of(0)).chain(other.into_iter().map(of(1))).collect();
    }
    let LineUp::Pairs(all) = &plan.line_up else { return Vec::new() };
    plan.pair_of_game(index).map_or(Vec::new(), |pair| vec![(pair / all.len(), 0), (pair % all.len(), 1)])
}
