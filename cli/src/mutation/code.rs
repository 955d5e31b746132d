//! The rules and scripts of a library in pieces, and the names that a game declares.
//!
//! A piece is a word, number or sign of a text with its meaning, such as a declared name or a guard; see [`PieceKind`].

use ludex_engine::library::{FileRole, Library};
use ludex_engine::program::{Kind, Program, SIDE};
use ludex_engine::scripting::{Piece, PieceKind, Pieces, pieces_of_rules, pieces_of_script};
use ludex_engine::source::SourceId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One text of rules, or one script.
pub struct Text<'l> {
    pub source: SourceId,
    pub role: FileRole,
    pub text: &'l str,
    pub pieces: Pieces,
}

impl Text<'_> {
    /// The text of a piece.
    pub fn piece_word(&self, piece: &Piece) -> &str {
        self.text.get(piece.at.clone()).unwrap_or("")
    }

    /// The pieces that start within a stretch.
    pub fn pieces_in(&self, stretch: &Range<usize>) -> &[Piece] {
        let before = |end: usize| self.pieces.list.partition_point(|piece| piece.at.start < end);
        self.pieces.list.get(before(stretch.start)..before(stretch.end)).unwrap_or_default()
    }
}

/// The texts of a library, with the bodies of definitions and procedures by name.
pub struct Code<'l> {
    pub texts: Vec<Text<'l>>,
    pub names: Names,
    /// Each body, with the index of its text. If several packages declare a name, all bodies are listed.
    pub bodies: BTreeMap<String, Vec<(usize, Range<usize>)>>,
}

impl<'l> Code<'l> {
    pub fn new(library: &'l Library, programs: &[Program]) -> Code<'l> {
        let text = |(source, text): (SourceId, &'l str)| {
            let role = library.source_role(source);
            let pieces = match role {
                FileRole::Rules => pieces_of_rules(text),
                FileRole::Script => pieces_of_script(text),
                _ => return None,
            };
            Some(Text { source, role, text, pieces })
        };
        let sources = library.sources.iter().map(|(source, file)| (source, file.text.as_str()));
        let texts: Vec<Text> = sources.filter_map(text).collect();
        Code { names: Names::from_programs(programs), bodies: collect_bodies(&texts), texts }
    }
}

/// The bodies of all declarations, by name.
fn collect_bodies(texts: &[Text]) -> BTreeMap<String, Vec<(usize, Range<usize>)>> {
    let mut bodies: BTreeMap<String, Vec<(usize, Range<usize>)>> = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        for piece in &text.pieces.list {
            if let PieceKind::Declared(end) = piece.kind {
                bodies.entry(text.piece_word(piece).to_string()).or_default().push((index, piece.at.end..end));
            }
        }
    }
    bodies
}

/// The names that a game declares, in all its modes.
#[derive(Default)]
pub struct Names {
    /// Fields and zones by name, which several kinds of things may share.
    members: BTreeMap<String, BTreeSet<Member>>,
    pub hooks: BTreeSet<String>,
    /// The plurals of kinds: words for all things of a kind, such as `cards`.
    plurals: BTreeSet<String>,
}

/// A field or zone of a kind.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    of_sides: bool,
    /// For a zone: the kind of pieces in it.
    holds: Option<String>,
}

impl Names {
    fn from_programs(programs: &[Program]) -> Names {
        let mut names = Names::default();
        for program in programs {
            names.hooks.extend(program.hooks.iter().map(|hook| hook.name.clone()));
            for (index, kind) in program.kinds.iter().enumerate() {
                names.plurals.insert(kind.plural.clone());
                names.add_members(kind, index == usize::from(SIDE), program);
            }
        }
        names
    }

    /// Adds the fields and zones of a kind. `of_sides` says that it is the kind of sides.
    fn add_members(&mut self, kind: &Kind, of_sides: bool, program: &Program) {
        let fields = kind.fields.iter().map(|field| (&field.name, None));
        let holds = |holds: usize| program.kinds.get(holds).map(|kind| kind.name.clone());
        let zones = kind.zones.iter().map(|zone| (&zone.name, holds(usize::from(zone.holds))));
        for (name, holds) in fields.chain(zones) {
            self.members.entry(name.clone()).or_default().insert(Member { of_sides, holds });
        }
    }

    pub fn is_zone(&self, name: &str) -> bool {
        self.members.get(name).is_some_and(|members| members.iter().any(|member| member.holds.is_some()))
    }

    /// Whether a word refers to several pieces.
    pub fn is_of_pieces(&self, word: &str) -> bool {
        self.plurals.contains(word) || self.is_zone(word)
    }

    /// Whether only sides have a member of this name.
    pub fn belongs_only_to_sides(&self, name: &str) -> bool {
        self.members.get(name).is_some_and(|members| members.iter().all(|member| member.of_sides))
    }

    /// Another zone for the same pieces. `None` if the name is not only that of zones for one kind of pieces.
    pub fn other_zone(&self, name: &str) -> Option<&str> {
        let zones = self.members.get(name)?;
        let zone = zones.first().filter(|first| first.holds.is_some())?;
        let is_clear = zones.iter().all(|other| other.holds == zone.holds);
        let mut others = self.members.iter().filter(|(other, members)| *other != name && members.contains(zone));
        others.next().filter(|_| is_clear).map(|(other, _)| other.as_str())
    }
}
