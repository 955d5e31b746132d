//! Reads the text of `at`: names and arguments from the inside out, each checked against what it is given to.

use super::entry::{IN, callers, entry_called, example, given};
use super::{Around, Call, Entry, PiecePosition, Position};
use crate::codes;
use crate::field::{Players, not_playing, read_value, shown};
use crate::problem::{Problem, joined, with_article};
use crate::program::{KindId, ProcedureInfo, Program, SIDE, Shape};
use crate::source::Span;
use crate::yaml::Node;

/// What `at` is read with: a position of which everything else has been read.
pub(super) struct At<'a> {
    pub program: &'a Program,
    pub position: &'a Position,
    pub players: Players<'a>,
    pub span: Span,
    /// Of a recording made when positions could say nothing of the procedures around an entry.
    pub around_is_zero: bool,
}

/// A name and what is in the brackets behind it.
struct Level<'t> {
    name: &'t str,
    arguments: &'t str,
}

/// Why something cannot be what it is said to be, and a remark on its place.
struct Unfit {
    message: String,
    remark: &'static str,
}

type Checked<T> = Result<T, Box<Problem>>;

impl At<'_> {
    pub(super) fn read(&self, node: &Node, problems: &mut Vec<Problem>) -> Option<Entry> {
        let text = node.as_text(problems, "`at`")?;
        self.entry(text).map_err(|problem| problems.push(*problem)).ok()
    }

    fn entry(&self, text: &str) -> Checked<Entry> {
        let levels = self.levels(text)?;
        let (first, around) = levels.split_first().ok_or_else(|| self.wrong("`at` is empty".to_string(), "empty"))?;
        let info = entry_called(self.program, first.name).ok_or_else(|| Box::new(self.unknown_entry(first.name)))?;
        let call = self.call(info, info, first)?;
        self.check_complete(info, &call)?;
        let around = self.around(info, around)?;
        let entry = Entry { call, around, span: self.span };
        given(self.program, &entry)?;
        Ok(entry)
    }

    /// The parts of `strike(target: x) in turn(active: 1)`.
    fn levels<'t>(&self, text: &'t str) -> Checked<Vec<Level<'t>>> {
        text.trim().split(IN).map(|part| self.level(part.trim())).collect()
    }

    fn level<'t>(&self, part: &'t str) -> Checked<Level<'t>> {
        let Some((name, rest)) = part.split_once('(') else { return Ok(Level { name: part, arguments: "" }) };
        match rest.split_once(')') {
            Some((arguments, "")) => Ok(Level { name: name.trim_end(), arguments }),
            Some((_, more)) => Err(self.wrong(format!("there is something after the bracket of `{name}`"), &format!("`{more}`"))),
            None => Err(self.wrong(format!("`{part}` has no closing bracket"), "a `)` is missing")),
        }
    }

    /// What the procedures around an entry are said to have been given.
    fn around(&self, entry: &ProcedureInfo, levels: &[Level]) -> Checked<Around> {
        if self.around_is_zero {
            return Ok(Around::Zeros);
        }
        let mut callers = callers(self.program, entry).map(|(caller, _)| caller);
        let mut calls = Vec::new();
        for level in levels {
            // Each further out than the one before it.
            let caller = callers.find(|caller| caller.name == level.name).ok_or_else(|| self.not_around(entry, level.name))?;
            calls.push(self.call(entry, caller, level)?);
        }
        Ok(Around::Given(calls))
    }

    fn not_around(&self, entry: &ProcedureInfo, name: &str) -> Box<Problem> {
        let names: Vec<String> = callers(self.program, entry).map(|(caller, _)| format!("`{}`", caller.name)).collect();
        let message = match names.iter().any(|known| *known == format!("`{name}`")) {
            true => format!("`{name}` is named twice, or in the wrong order"),
            false => format!("`{}` does not happen inside `{name}`", entry.name),
        };
        let problem = Problem::error(codes::POSITION_ENTRY, message).at(self.span, "not around it");
        Box::new(problem.help(match names.is_empty() {
            true => format!("nothing is around it: write `{}`", example(self.program, entry)),
            false => format!("from the inside out, it happens inside {}", joined(&names, "and")),
        }))
    }

    /// What a procedure is given, in the order of its parameters, whatever the order of writing.
    fn call(&self, entry: &ProcedureInfo, info: &ProcedureInfo, level: &Level) -> Checked<Call> {
        let mut found: Vec<(String, String)> = Vec::new();
        let parts = level.arguments.split(',').map(str::trim).filter(|part| !part.is_empty());
        for (index, part) in parts.enumerate() {
            // A value alone stands for the parameter in its place.
            let (name, words) = match part.split_once(':') {
                Some((name, words)) => (name.trim(), words.trim()),
                None => (info.params.get(index).map_or("", |(name, _)| name.as_str()), part),
            };
            let words = self.argument(info, name, words, part).map_err(|unfit| self.unfit(entry, unfit))?;
            if found.iter().any(|(known, _)| known == name) {
                return Err(self.unfit(entry, Unfit { message: format!("`{name}` is given twice"), remark: "given twice" }));
            }
            found.push((name.to_string(), words));
        }
        found.sort_by_key(|(name, _)| info.params.iter().position(|(known, _)| known == name));
        Ok(Call { procedure: info.name.clone(), arguments: found })
    }

    /// The words of an argument in the one form that is compared.
    fn argument(&self, info: &ProcedureInfo, name: &str, words: &str, part: &str) -> Result<String, Unfit> {
        match info.params.iter().find(|(known, _)| known == name) {
            Some((_, shape)) => self.value(shape, words),
            None => {
                let message = format!("`{}` does not take `{part}`", info.name);
                Err(Unfit { message, remark: "one value too many, or a wrong name" })
            }
        }
    }

    fn check_complete(&self, info: &ProcedureInfo, call: &Call) -> Checked<()> {
        let missing = info.params.iter().filter(|(name, _)| call.argument(name).is_none());
        let missing: Vec<String> = missing.map(|(name, _)| format!("`{name}`")).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!("`{}` needs {}", info.name, joined(&missing, "and"));
        Err(self.unfit(info, Unfit { message, remark: "not given here" }))
    }

    // --- values ------------------------------------------------------------------------

    fn value(&self, shape: &Shape, words: &str) -> Result<String, Unfit> {
        match shape {
            Shape::OrNone(_) if words == "none" => Ok(words.to_string()),
            Shape::OrNone(inner) => self.value(inner, words),
            Shape::Entity(SIDE) => self.side(words),
            Shape::Entity(kind) if self.program.is_piece(shape) => self.piece(*kind, words),
            Shape::Entity(kind) => match not_playing(words, *kind, self.program, self.players) {
                None => Ok(words.to_string()),
                Some(problem) => Err(Unfit { message: problem.message, remark: "not among those who play" }),
            },
            Shape::Number => number(words, "not a number").map(|number| number.to_string()),
            _ => match read_value(self.program, shape, words) {
                Some(value) => Ok(shown(self.program, shape, value)),
                None => Err(self.wanted(shape, words)),
            },
        }
    }

    /// What a value of this shape should be.
    fn wanted(&self, shape: &Shape, words: &str) -> Unfit {
        let wanted = match shape {
            Shape::Flag => "`yes` or `no`".to_string(),
            Shape::Word(of) => {
                let known = self.program.words.get(usize::from(*of)).map_or(&[][..], |known| &known.words);
                joined(&known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>(), "or")
            }
            _ => "a number, or one and a half such as `1.5`".to_string(),
        };
        Unfit { message: format!("`{words}` should be {wanted}"), remark: "not one of these values" }
    }

    fn side(&self, words: &str) -> Result<String, Unfit> {
        let side = number(words, "sides are given by their numbers, from 0")?;
        match usize::try_from(side).is_ok_and(|side| side < self.players.sides) {
            true => Ok(side.to_string()),
            false => Err(Unfit { message: format!("there is no side {side}"), remark: "sides are numbered from 0" }),
        }
    }

    fn piece(&self, kind: KindId, words: &str) -> Result<String, Unfit> {
        match piece_called(self.position, words) {
            Some(piece) if self.program.is_kind(piece.piece.kind, kind) => Ok(words.to_string()),
            Some(_) => {
                let wanted = &self.program.kind(kind).name;
                Err(Unfit { message: format!("`{words}` is not {}", with_article(wanted)), remark: "another kind of piece" })
            }
            None => Err(Unfit {
                message: format!("no piece has the id `{words}`"),
                remark: "use the `id` that the position gives to a piece",
            }),
        }
    }

    // --- what is wrong -------------------------------------------------------------------

    fn unfit(&self, entry: &ProcedureInfo, unfit: Unfit) -> Box<Problem> {
        let problem = self.wrong(unfit.message, unfit.remark);
        Box::new(problem.help(format!("write it as `{}`", example(self.program, entry))))
    }

    fn wrong(&self, message: String, remark: &str) -> Box<Problem> {
        Box::new(Problem::error(codes::POSITION_ENTRY, message).at(self.span, remark))
    }

    fn unknown_entry(&self, name: &str) -> Problem {
        let entries: Vec<&ProcedureInfo> = self.program.procedures.iter().filter(|procedure| procedure.entry).collect();
        let problem = match self.program.procedure(name) {
            Some(_) => self.wrong(format!("play cannot start at `{name}`"), "not an `entry` of the rules"),
            None => self.wrong(format!("there is no entry `{name}`"), "not known"),
        };
        let problem = problem.suggest(name, entries.iter().map(|entry| entry.name.as_str()));
        if problem.help.is_some() {
            return problem;
        }
        let examples: Vec<String> = entries.iter().map(|entry| format!("`{}`", example(self.program, entry))).collect();
        match examples.is_empty() {
            true => problem.help("the rules have no `entry`: leave `at` out, and play starts from the beginning"),
            false => problem.help(format!("play can start at {}", joined(&examples, "or"))),
        }
    }
}

fn number(words: &str, remark: &'static str) -> Result<i64, Unfit> {
    let number: i64 = words.parse().map_err(|_| Unfit { message: format!("`{words}` is not a number"), remark })?;
    match i32::try_from(number).is_ok_and(|number| number > i32::MIN) {
        true => Ok(number),
        false => Err(Unfit { message: format!("`{number}` is too large"), remark: "too large" }),
    }
}

/// The piece to which a position gives a name.
fn piece_called<'p>(position: &'p Position, id: &str) -> Option<&'p PiecePosition> {
    let own = position.sides.iter().flat_map(|side| &side.zones);
    let of_entrants = position.sides.iter().flat_map(|side| &side.settings).flat_map(|setting| &setting.zones);
    let zones = own.chain(of_entrants).chain(&position.table_zones);
    zones.flat_map(|(_, pieces)| pieces).find_map(|piece| in_stack(piece, id))
}

/// The same among a piece and those that lie with it.
fn in_stack<'p>(piece: &'p PiecePosition, id: &str) -> Option<&'p PiecePosition> {
    if piece.id.as_deref() == Some(id) {
        return Some(piece);
    }
    piece.under.values().flatten().find_map(|piece| in_stack(piece, id))
}
