//! What a library may hold, so that reading it ends soon and takes little memory, whatever is in it.
//!
//! The table in `rules/LIMITS.md` lists the same numbers. Whoever reads the files keeps those of files; the others are kept
//! here, before anything is compared with anything else.

mod inheritance;

use super::Game;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Member, MemberKind};

pub use ludex_syntax::limits::{DECLARATION_BYTES, NAMES};

/// The largest file, in bytes.
pub const FILE_BYTES: usize = ludex_syntax::yaml::LARGEST;
/// All files of one library together, in bytes.
pub const LIBRARY_BYTES: usize = 4 << 20;
/// The files of rules of one library together, in bytes.
pub const RULES_BYTES: usize = 1 << 20;
/// Values of all files of YAML of one library: each takes memory. Counted are the signs behind which one may stand.
pub const VALUES: usize = 750_000;
/// The rules of a game with what it extends, once for the game and once for each of its modes, in bytes.
pub const MODES_BYTES: usize = 2 << 20;
/// Files of one library that are read.
pub const FILES: usize = 2_000;
/// Files and folders of one library that are looked at.
pub const ENTRIES: usize = 20_000;
/// How deep folders may be in each other.
pub const FOLDERS_DEEP: usize = 8;
/// Games and packages that start in one library.
pub const GAMES: usize = 200;
/// The packages of one line.
pub const LINE: usize = 100;
/// Modes of a game, with those of what it extends.
pub const MODES: usize = 32;
/// Families that one is part of, and sheets that one builds on.
pub const BASES: usize = 16;
/// Fields of all families and sheets of a game, each with those of what it is part of or builds on.
pub const INHERITED: usize = 20_000;
/// The work that the games of a library may do for their sheets before play, in equal shares: each sheet in each mode, what the rules
/// work out for it, and `sides … where`.
pub const WORK_ON_SHEETS: u64 = 100_000_000;

/// At least as many values as a text of YAML has: each stands behind one of these signs.
pub fn most_values(yaml: &[u8]) -> usize {
    yaml.iter().filter(|sign| b"\n,:[{-".contains(sign)).count()
}

/// More declarations than can be compared with each other, in rules of so many bytes.
pub(super) fn too_many_names(game: &Game, items: &[&Item], bytes: usize) -> Option<Problem> {
    let names: usize = items.iter().map(|item| names_in(item)).sum();
    let modes = items.iter().filter(|item| matches!(item.kind, ItemKind::Mode { .. })).count();
    let help = "move some into other games, or leave out what is not used";
    exceeded(game.header, names, NAMES, "names", help)
        .or_else(|| exceeded(game.header, modes, MODES, "modes", "turn some into options"))
        .or_else(|| {
            let what = "bytes of rules, counted once for each mode";
            exceeded(game.header, bytes * (modes + 1), MODES_BYTES, what, "turn some modes into options")
        })
        .or_else(|| inheritance::too_much(items))
}

/// Says that there is more of something than there may be.
pub(super) fn exceeded(place: Span, count: usize, most: usize, what: &str, help: &str) -> Option<Problem> {
    (count > most).then(|| {
        let message = format!("there are {count} {what}, but at most {most} are allowed");
        Problem::error(codes::TOO_MANY, message).at(place, "here").help(help)
    })
}

/// How many names a declaration brings.
fn names_in(item: &Item) -> usize {
    let inner = match &item.kind {
        ItemKind::Piece { members, .. } | ItemKind::Sheet { members, .. } | ItemKind::Has { members, .. } => in_members(members),
        ItemKind::Family { fields, params, .. } => in_members(fields) + params.len(),
        ItemKind::Words { words, .. } => words.len(),
        ItemKind::DieSizes { sizes } => sizes.len(),
        ItemKind::DieKind { faces, .. } => faces.len(),
        ItemKind::Mode { items, .. } => items.iter().map(names_in).sum(),
        ItemKind::Replace(item) => return names_in(item),
        _ => 0,
    };
    1 + inner
}

fn in_members(members: &[Member]) -> usize {
    let names = |member: &Member| match &member.kind {
        MemberKind::Zone { names, .. } | MemberKind::Counter { names, .. } | MemberKind::Field { names, .. } => names.len(),
        MemberKind::Mark { fields, .. } => 1 + in_members(fields),
    };
    members.iter().map(names).sum()
}
