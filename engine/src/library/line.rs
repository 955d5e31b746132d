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
            problems.extend(game.extends.iter().enumerate().filter_map(|(nth, name)| self.wrong_parent(game, nth, name)));
        }
        if problems.len() == before {
            let circle = circle(&line);
            problems.extend(circle.or_else(|| line.iter().find_map(|game| self.different_bases(game))));
        }
        (problems.len() == before).then_some(line)
    }

    fn wrong_parent(&self, game: &Game, nth: usize, name: &Name) -> Option<Problem> {
        let (id, parent) = (&game.id, &name.text);
        if let Some(first) = game.extends.iter().take(nth).find(|other| other.text == *parent) {
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

    /// The game that a package changes in the end; nothing extends itself.
    fn base<'l>(&'l self, game: &str) -> Option<&'l str> {
        let parent = |game: &&'l Game| game.extends.iter().find_map(|name| self.games.get(&name.text));
        let games = std::iter::successors(self.games.get(game), parent);
        games.take(limits::LINE + 1).last().map(|base| base.id.as_str())
    }

    fn different_bases(&self, game: &Game) -> Option<Problem> {
        let first = game.extends.first()?;
        let base = self.base(&first.text)?;
        let other = game.extends.iter().find(|name| self.base(&name.text) != Some(base))?;
        let goes_back = |name: &Name, base: &str| match name.text == base {
            true => "a game".to_string(),
            false => format!("goes back to `{base}`"),
        };
        let message = format!("`{}` and `{}` belong to different games", first.text, other.text);
        let problem = Problem::error(codes::BASES_DIFFER, message)
            .at(other.span, goes_back(other, self.base(&other.text).unwrap_or_default()))
            .at(first.span, goes_back(first, base));
        Some(problem.help("leave one of the two out; a package extends packages of one game only"))
    }
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

/// For each game of a line the places of those that it descends from.
pub(super) fn ancestors(line: &[&Game]) -> Vec<BTreeSet<LayerId>> {
    let mut ancestors: Vec<BTreeSet<LayerId>> = Vec::new();
    for game in line {
        let mut own = BTreeSet::new();
        for parent in game.extends.iter().filter_map(|name| line.iter().position(|known| known.id == name.text)) {
            own.insert(parent);
            own.extend(ancestors.get(parent).into_iter().flatten());
        }
        ancestors.push(own);
    }
    ancestors
}

pub(super) fn layers(line: &[&Game]) -> Layers {
    Layers::new(line.iter().map(|game| game.id.clone()).zip(ancestors(line)))
}
