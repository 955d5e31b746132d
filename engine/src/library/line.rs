//! The line of a package: all that it extends, each once and after what it extends itself, and the package last.

use super::{Game, Library, limits};
use crate::codes;
use crate::language::compose::{LayerId, Layers};
use crate::language::syntax::Name;
use crate::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};

impl Library {
    /// A game after all that it extends, in the order written, the game itself last. Leaves out what is not there.
    pub fn line(&self, game: &str) -> Vec<&Game> {
        let mut line: Vec<&Game> = Vec::new();
        let mut path: Vec<(&Game, usize)> = self.games.get(game).map(|game| (game, 0)).into_iter().collect();
        let mut seen: BTreeSet<&str> = path.iter().map(|(game, _)| game.id.as_str()).collect();
        while let Some((game, next)) = path.pop() {
            let Some(parent) = game.extends.get(next) else {
                line.push(game);
                continue;
            };
            path.push((game, next + 1));
            let parent = self.games.get(&parent.text).filter(|parent| seen.insert(&parent.id));
            path.extend(parent.map(|parent| (parent, 0)));
        }
        line
    }

    /// All that a game extends.
    pub(super) fn parents(&self, game: &Game) -> impl Iterator<Item = &Game> {
        let mut line = self.line(&game.id);
        line.pop();
        line.into_iter()
    }

    /// The line of a game, or nothing where it is not clear what it is.
    pub(super) fn checked_line(&self, game: &str, problems: &mut Vec<Problem>) -> Option<Vec<&Game>> {
        let line = self.line(game);
        if line.is_empty() {
            let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{game}`"));
            let games = self.games();
            problems.push(problem.suggest(game, games.iter().map(String::as_str)));
            return None;
        }
        let before = problems.len();
        problems.extend(too_many(&line));
        if problems.len() > before {
            return None;
        }
        for game in &line {
            let mut named = BTreeMap::new();
            problems.extend(game.extends.iter().filter_map(|name| self.wrong_parent(game, name, &mut named)));
        }
        if problems.len() == before {
            let circle = circle(&line);
            problems.extend(circle.or_else(|| different_bases(&line)));
        }
        (problems.len() == before).then_some(line)
    }

    /// What is wrong with something that a game extends, beside what it has named before.
    fn wrong_parent<'l>(&self, game: &Game, name: &'l Name, named: &mut BTreeMap<&'l str, &'l Name>) -> Option<Problem> {
        let (id, parent) = (&game.id, &name.text);
        let first = *named.entry(parent).or_insert(name);
        if first.span != name.span {
            let problem = Problem::error(codes::DECLARED_TWICE, format!("`{id}` extends `{parent}` twice"));
            let problem = problem.at(name.span, "again here").at(first.span, "first here");
            return Some(problem.help("name it once"));
        }
        if self.games.contains_key(parent) {
            return None;
        }
        let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{parent}` to extend"));
        let games = self.games();
        let others = games.iter().map(String::as_str).filter(|other| other != id);
        Some(problem.at(name.span, "not found in any library").suggest(parent, others))
    }
}

/// A game of a line that extends two which change different games in the end.
fn different_bases(line: &[&Game]) -> Option<Problem> {
    // Nothing extends itself, so each stands behind all that it extends.
    let mut bases: BTreeMap<&str, &str> = BTreeMap::new();
    for game in line {
        let base = |name: &Name| bases.get(name.text.as_str()).copied().unwrap_or_default();
        let first = game.extends.first();
        let other = first.and_then(|first| game.extends.iter().find(|name| base(name) != base(first)));
        if let Some((first, other)) = first.zip(other) {
            let goes_back = |name: &Name| match base(name) {
                id if name.text == id => "a game".to_string(),
                id => format!("goes back to `{id}`"),
            };
            let message = format!("`{}` and `{}` belong to different games", first.text, other.text);
            let problem =
                Problem::error(codes::BASES_DIFFER, message).at(other.span, goes_back(other)).at(first.span, goes_back(first));
            return Some(problem.help("leave one of the two out; a package extends packages of one game only"));
        }
        let base = first.map_or(game.id.as_str(), base);
        bases.insert(&game.id, base);
    }
    None
}

/// What a game extends must not extend the game: each stands in its line behind all that it extends.
fn circle(line: &[&Game]) -> Option<Problem> {
    let places: BTreeMap<&str, usize> = line.iter().enumerate().map(|(place, game)| (game.id.as_str(), place)).collect();
    let (id, name) = line.iter().enumerate().find_map(|(place, game)| {
        let name = game.extends.iter().find(|name| places.get(name.text.as_str()).is_some_and(|parent| *parent >= place))?;
        Some((&game.id, name))
    })?;
    let remark = if name.text == *id { "itself".to_string() } else { format!("which extends `{id}`") };
    let problem = Problem::error(codes::GOES_IN_CIRCLES, format!("the game `{id}` extends itself"));
    Some(problem.at(name.span, remark).help("one game of the circle must start with `game` instead of `package`"))
}

fn too_many(line: &[&Game]) -> Option<Problem> {
    let last = line.last().filter(|_| line.len() > limits::LINE)?;
    let message = format!("`{}` extends {} packages, but at most {} are allowed", last.id, line.len() - 1, limits::LINE);
    Some(Problem::error(codes::TOO_MANY, message).at(last.header, "here").help("put some of them together into one"))
}

/// The games of a line as layers.
pub(super) fn layers(line: &[&Game]) -> Layers {
    let places: BTreeMap<&str, LayerId> = line.iter().enumerate().map(|(place, game)| (game.id.as_str(), place)).collect();
    let place = |name: &Name| places.get(name.text.as_str()).copied();
    Layers::new(line.iter().map(|game| (game.id.clone(), game.extends.iter().filter_map(place).collect())))
}
