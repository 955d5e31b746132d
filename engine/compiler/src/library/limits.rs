//! Limits on a library, which bound the time and memory for reading any input.
//!
//! The table in `rules/LIMITS.md` lists the same numbers. The code that reads files enforces the limits on files. The others
//! are enforced here, before declarations are compared with each other.

mod inheritance;

use super::{Game, Library};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Member, MemberKind};
use std::collections::BTreeSet;

pub use ludex_syntax::limits::{DECLARATION_BYTES, NAMES};

/// Maximum size of a file, in bytes.
pub const FILE_BYTES: usize = ludex_syntax::yaml::LARGEST;
/// Maximum total size of a library's files, in bytes.
pub const LIBRARY_BYTES: usize = 4 << 20;
/// Maximum total size of a library's rules files, in bytes.
pub const RULES_BYTES: usize = 1 << 20;
/// Maximum number of values in all YAML files of a library, since each takes memory. It counts the signs that may precede a
/// value.
pub const VALUES: usize = 750_000;
/// Maximum size of a game's rules with those of the packages it extends, counted once for the game and once for each mode, in
/// bytes.
pub const MODES_BYTES: usize = 2 << 20;
/// Maximum total size of the rules of all games that are checked, each counted as for [`MODES_BYTES`], in bytes. Packages that
/// extend each other have their rules compiled again for each.
pub const CHECKED_BYTES: usize = 5 << 19;
/// Maximum number of files of a library that are read.
pub const FILES: usize = 2_000;
/// Maximum number of files and folders of a library that are visited.
pub const ENTRIES: usize = 20_000;
/// Maximum depth of nested folders.
pub const FOLDERS_DEEP: usize = 8;
/// Maximum number of games and packages that start in a library.
pub const GAMES: usize = 200;
/// Maximum number of packages of a line.
pub const LINE: usize = 100;
/// Maximum number of modes of a game, including those of the packages it extends.
pub const MODES: usize = 32;
/// Maximum number of families that a family is part of, and of sheets that a sheet builds on.
pub const BASES: usize = 16;
/// Maximum number of fields of all families and sheets of a game, including inherited ones.
pub const INHERITED: usize = 20_000;
/// The budget of work that the games of a library may spend on their sheets before play, in equal shares: the rules'
/// computations for each sheet in each mode, and `sides … where`.
pub const WORK_ON_SHEETS: u64 = 100_000_000;

/// An upper bound on the number of values in a YAML text: each value follows one of these signs.
pub fn most_values(yaml: &[u8]) -> usize {
    yaml.iter().filter(|sign| b"\n,:[{-".contains(sign)).count()
}

impl Library {
    /// The first of some games by id, as far as they can be checked together, and the error for the first that cannot.
    pub fn games_within_limit(&self, games: impl IntoIterator<Item = String>) -> (BTreeSet<String>, Option<Problem>) {
        let (mut within, mut bytes) = (BTreeSet::new(), 0);
        for game in games.into_iter().collect::<BTreeSet<String>>() {
            bytes += self.rules_size(&self.package_line(&game)) * (self.mode_names(&game).len() + 1);
            if let Some(game) = self.games.get(&game).filter(|_| bytes > CHECKED_BYTES) {
                return (within, Some(checked_limit_problem(game)));
            }
            within.insert(game);
        }
        (within, None)
    }
}

/// The error for the first game beyond [`CHECKED_BYTES`].
fn checked_limit_problem(first: &Game) -> Problem {
    let message = format!("there are more than {CHECKED_BYTES} bytes of rules to check, counted for each game");
    let problem = Problem::error(codes::TOO_MANY, message);
    problem.with_label(first.header, "this game and those after it are not checked").help(
        "a package counts with all that it extends, and again for each mode: let packages extend fewer others, or turn modes \
         into options",
    )
}

/// The error for more declarations than can be compared with each other, in rules of this size.
pub(super) fn names_limit_problem(game: &Game, items: &[&Item], bytes: usize) -> Option<Problem> {
    let names: usize = items.iter().map(|item| count_names(item)).sum();
    let modes = items.iter().filter(|item| matches!(item.kind, ItemKind::Mode { .. })).count();
    let help = "move some into other games, or leave out what is not used";
    limit_problem(game.header, names, NAMES, "names", help)
        .or_else(|| limit_problem(game.header, modes, MODES, "modes", "turn some into options"))
        .or_else(|| {
            let what = "bytes of rules, counted once for each mode";
            limit_problem(game.header, bytes * (modes + 1), MODES_BYTES, what, "turn some modes into options")
        })
        .or_else(|| inheritance::inheritance_problem(items))
}

/// The error for an exceeded limit; none if the count is within it.
pub(super) fn limit_problem(place: Span, count: usize, most: usize, what: &str, help: &str) -> Option<Problem> {
    (count > most).then(|| {
        let message = format!("there are {count} {what}, but at most {most} are allowed");
        Problem::error(codes::TOO_MANY, message).with_label(place, "here").help(help)
    })
}

/// Number of names that a declaration adds.
fn count_names(item: &Item) -> usize {
    let inner = match &item.kind {
        ItemKind::Piece { members, .. } | ItemKind::Sheet { members, .. } | ItemKind::Has { members, .. } => {
            count_member_names(members)
        }
        ItemKind::Family { fields, params, .. } => count_member_names(fields) + params.len(),
        ItemKind::Words { words, .. } => words.len(),
        ItemKind::DieSizes { sizes } => sizes.len(),
        ItemKind::DieKind { faces, .. } => faces.len(),
        ItemKind::Mode { items, .. } => items.iter().map(count_names).sum(),
        ItemKind::Replace(item) => return count_names(item),
        _ => 0,
    };
    1 + inner
}

/// Number of names that members add.
fn count_member_names(members: &[Member]) -> usize {
    let names = |member: &Member| match &member.kind {
        MemberKind::Zone { names, .. } | MemberKind::Counter { names, .. } | MemberKind::Field { names, .. } => names.len(),
        MemberKind::Mark { fields, .. } => 1 + count_member_names(fields),
    };
    members.iter().map(names).sum()
}
