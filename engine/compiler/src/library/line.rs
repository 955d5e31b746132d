//! The line of a package: the packages it extends, each once and after its own parents, and itself last.
//!
//! A parent is a package that another one names after `extends`. Lines are computed when a library is gathered; their errors are
//! reported when the game is compiled.

use super::{Game, Library, limits};
use crate::compose::{LayerId, Layers};
use crate::resolve::find_cycles;
use ludex_syntax::codes;
use ludex_syntax::problem::{MOST_SUGGESTED, Problem};
use ludex_syntax::tree::Name;
use std::collections::BTreeMap;

impl Library {
    /// The line of a game: the packages it extends in written order, itself last. Leaves out missing ones.
    pub fn package_line(&self, game: &str) -> Vec<&Game> {
        let line = self.games.get(game).map_or(&[][..], |game| &game.line);
        line.iter().filter_map(|id| self.games.get(id)).collect()
    }

    /// Computes the lines of all games known so far.
    pub(super) fn compute_lines(&mut self) {
        let ids: Vec<&String> = self.games.keys().collect();
        let places: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
        let place = |name: &Name| places.get(name.text.as_str()).copied();
        let parents: Vec<Vec<usize>> = self.games.values().map(|game| game.extends.iter().filter_map(place).collect()).collect();
        let named = |line: Vec<usize>| line.into_iter().map(|place| ids[place].clone()).collect();
        let lines: Vec<Vec<String>> = (0..ids.len()).map(|game| named(line_indices(game, &parents))).collect();
        self.games.values_mut().zip(lines).for_each(|(game, line)| game.line = line);
    }

    /// The packages that a game extends.
    pub(super) fn extended_packages(&self, game: &Game) -> impl Iterator<Item = &Game> {
        let mut line = self.package_line(&game.id);
        line.pop();
        line.into_iter()
    }

    /// The line of a game, or none if its parents have errors.
    pub(super) fn checked_line(&self, game: &str, problems: &mut Vec<Problem>) -> Option<Vec<&Game>> {
        let line = self.package_line(game);
        if line.is_empty() {
            let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{game}`"));
            let games = self.game_ids();
            problems.push(problem.suggest(game, games.iter().map(String::as_str)));
            return None;
        }
        let before = problems.len();
        problems.extend(line_limit_problem(&line));
        if problems.len() > before {
            return None;
        }
        // Only the first faulty parent is reported: others may be faulty because of it.
        let (own, others) = line.split_last()?;
        let first = others.iter().find(|game| !game.wrong_parents.is_empty());
        problems.extend(first.into_iter().chain([own]).flat_map(|game| game.wrong_parents.iter().cloned()));
        if problems.len() == before {
            let circle = circle_problem(&line);
            problems.extend(circle.or_else(|| different_bases_problem(&line)));
        }
        (problems.len() == before).then_some(line)
    }

    /// The errors in each game's parents, by the game's id.
    pub(super) fn all_parent_problems(&self) -> BTreeMap<String, Vec<Problem>> {
        let mut found: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        let mut unknown = 0;
        for game in self.games.values() {
            let mut named = BTreeMap::new();
            for name in &game.extends {
                let first = *named.entry(&name.text).or_insert(name);
                let problem = self.parent_problem(game, name, first, unknown < MOST_SUGGESTED);
                unknown += usize::from(problem.is_some());
                problem.into_iter().for_each(|problem| found.entry(game.id.clone()).or_default().push(problem));
            }
        }
        found
    }

    /// The error in a parent of a game. `first` is the first place that names this parent.
    fn parent_problem(&self, game: &Game, name: &Name, first: &Name, suggests: bool) -> Option<Problem> {
        let (id, parent) = (&game.id, &name.text);
        if first.span != name.span {
            let problem = Problem::error(codes::DECLARED_TWICE, format!("`{id}` extends `{parent}` twice"));
            let problem = problem.with_label(name.span, "again here").with_label(first.span, "first here");
            return Some(problem.help("name it once"));
        }
        if self.games.contains_key(parent) {
            return None;
        }
        let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{parent}` to extend"));
        let games = self.game_ids();
        let others = games.iter().map(String::as_str).filter(|other| suggests && other != id);
        Some(problem.with_label(name.span, "not found in any library").suggest(parent, others))
    }
}

/// The line of a game by indices, given the parents of each game.
fn line_indices(game: usize, parents: &[Vec<usize>]) -> Vec<usize> {
    let (mut line, mut path) = (Vec::new(), vec![(game, 0)]);
    let mut seen = vec![false; parents.len()];
    seen[game] = true;
    while let Some((game, next)) = path.pop() {
        let Some(parent) = parents[game].get(next).copied() else {
            line.push(game);
            continue;
        };
        path.push((game, next + 1));
        if !std::mem::replace(&mut seen[parent], true) {
            path.push((parent, 0));
        }
    }
    line
}

/// The error for a game of a line that extends packages of different base games.
fn different_bases_problem(line: &[&Game]) -> Option<Problem> {
    // No game extends itself, so each comes after all that it extends.
    let mut bases: BTreeMap<&str, &str> = BTreeMap::new();
    for game in line {
        let base = |name: &Name| bases.get(name.text.as_str()).copied().unwrap_or_default();
        let first = game.extends.first();
        let other = first.and_then(|first| game.extends.iter().find(|name| base(name) != base(first)));
        if let Some((first, other)) = first.zip(other) {
            let goes_back = |name: &Name| match base(name) {
                id if name.text == id => "a game".to_string(),
                id => format!("a package of `{id}`"),
            };
            let message = format!("`{}` and `{}` belong to different games", first.text, other.text);
            let problem = Problem::error(codes::BASES_DIFFER, message)
                .with_label(other.span, goes_back(other))
                .with_label(first.span, goes_back(first));
            return Some(problem.help("leave one of the two out; a package extends packages of one game only"));
        }
        let base = first.map_or(game.id.as_str(), base);
        bases.insert(&game.id, base);
    }
    None
}

/// The error for a game that extends itself through its parents: in a line, each game comes after its parents.
fn circle_problem(line: &[&Game]) -> Option<Problem> {
    let games: BTreeMap<&str, &Game> = line.iter().map(|game| (game.id.as_str(), *game)).collect();
    let extended = |game: &Game| {
        let ids = game.extends.iter().filter_map(|name| games.get_key_value(name.text.as_str()));
        ids.map(|(id, _)| *id).collect()
    };
    let edges = games.iter().map(|(id, game)| (*id, extended(game))).collect();
    let circle = find_cycles(&edges).into_iter().next()?;
    let id = *circle.first()?;
    let leads_on = circle.get(1).copied().unwrap_or(id);
    let name = games.get(id)?.extends.iter().find(|name| name.text == leads_on)?;
    let way: Vec<String> = circle.iter().chain([&id]).map(|id| format!("`{id}`")).collect();
    let (by, remark) = match circle.len() {
        1 => (String::new(), "itself".to_string()),
        _ => (format!(": {}", way.join(" → ")), format!("which extends `{id}` in the end")),
    };
    let problem = Problem::error(codes::GOES_IN_CIRCLES, format!("the game `{id}` extends itself{by}"));
    let help = match line.iter().find(|game| game.extends.is_empty()) {
        Some(base) => format!("let `{id}` extend a game that is not in the circle, such as `{}`", base.id),
        None => format!("let `{id}` extend another game; or write `game {id} \"…\"` if it is a game of its own"),
    };
    Some(problem.with_label(name.span, remark).help(help))
}

/// The error for a line of too many packages.
fn line_limit_problem(line: &[&Game]) -> Option<Problem> {
    let last = line.last().filter(|_| line.len() > limits::LINE)?;
    let message = format!("`{}` extends {} packages, but at most {} are allowed", last.id, line.len() - 1, limits::LINE);
    Some(Problem::error(codes::TOO_MANY, message).with_label(last.header, "here").help("combine some of them"))
}

/// The games of a line as layers.
pub(super) fn line_layers(line: &[&Game]) -> Layers {
    let places: BTreeMap<&str, LayerId> = line.iter().enumerate().map(|(place, game)| (game.id.as_str(), place)).collect();
    let place = |name: &Name| places.get(name.text.as_str()).copied();
    Layers::new(line.iter().map(|game| (game.id.clone(), game.extends.iter().filter_map(place).collect())))
}
