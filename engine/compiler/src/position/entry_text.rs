//! Reads the text of `at`: names and arguments from the inside out, each checked against the parameters.
//!
//! A level is the text of one procedure: its name, with arguments in brackets. The first one is the entry, and each further one is
//! a procedure around the one before.

use super::entry::{IN, Param, entry_callers, example_entry};
use super::{Around, Entry, GivenArguments, PiecePosition, Position, SidePosition};
use crate::field::{Players, StatedValue, not_playing_problem, parse_value};
use ludex_program::{KindId, NONE, ProcedureId, ProcedureInfo, Program, SIDE, Shape, Slot, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::Node;
use std::collections::BTreeMap;

/// The context for reading `at`: the position, of which everything else has been read.
pub(super) struct AtReader<'a> {
    pub program: &'a Program,
    pub position: &'a Position,
    pub players: Players<'a>,
    pub span: Span,
    /// For a recording from before positions had arguments of the procedures around an entry.
    pub around_is_zero: bool,
}

/// A name and the text in the brackets after it.
struct CallLevel<'t> {
    name: &'t str,
    arguments: &'t str,
}

/// The reason why a value is unfit, and a remark on its place.
struct UnfitValue {
    message: String,
    remark: &'static str,
}

type EntryResult<T> = Result<T, Box<Problem>>;

impl AtReader<'_> {
    /// Reads and checks the value of `at`.
    pub(super) fn read_entry(&self, node: &Node, problems: &mut Vec<Problem>) -> Option<Entry> {
        let text = node.as_text(problems, "`at`")?;
        self.parse_entry(text).map_err(|problem| problems.push(*problem)).ok()
    }

    /// Parses the whole text.
    fn parse_entry(&self, text: &str) -> EntryResult<Entry> {
        let levels = self.split_levels(text)?;
        let (first, around) = levels.split_first().ok_or_else(|| self.entry_problem("`at` is empty".to_string(), "empty"))?;
        let mut procedures = self.program.procedures.iter().enumerate();
        let found = procedures.find(|(_, procedure)| procedure.entry && procedure.name == first.name);
        let (procedure, info) = found.ok_or_else(|| Box::new(self.unknown_entry_problem(first.name)))?;
        let arguments = self.require_arguments(info, self.parse_arguments(info, info, first)?)?;
        let around = match self.around_is_zero {
            true => Around::Zeros,
            false => Around::Given(self.arguments_around(info, &arguments, around)?),
        };
        Ok(Entry { procedure: procedure as ProcedureId, arguments, around, span: self.span })
    }

    /// Splits `strike(target: x) in turn(active: 1)` into its parts.
    fn split_levels<'t>(&self, text: &'t str) -> EntryResult<Vec<CallLevel<'t>>> {
        text.trim().split(IN).map(|part| self.parse_level(part.trim())).collect()
    }

    /// Splits a level into its name and the text of its arguments.
    fn parse_level<'t>(&self, part: &'t str) -> EntryResult<CallLevel<'t>> {
        let Some((name, rest)) = part.split_once('(') else { return Ok(CallLevel { name: part, arguments: "" }) };
        match rest.split_once(')') {
            Some((arguments, "")) => Ok(CallLevel { name: name.trim_end(), arguments }),
            Some((_, more)) => {
                Err(self.entry_problem(format!("there is something after the bracket of `{name}`"), &format!("`{more}`")))
            }
            None => Err(self.entry_problem(format!("`{part}` has no closing bracket"), "a `)` is missing")),
        }
    }

    /// The arguments of each procedure around an entry, from the inside out. An omitted argument takes the value of the
    /// parameter with the same name further inside.
    fn arguments_around(
        &self,
        entry: &ProcedureInfo,
        arguments: &[StatedValue],
        levels: &[CallLevel],
    ) -> EntryResult<Vec<GivenArguments>> {
        let mut known = vec![(&entry.params, arguments.iter().cloned().map(Some).collect())];
        for ((caller, site), mut given) in entry_callers(self.program, entry).zip(self.stated_arguments(entry, levels)?) {
            for (slot, param) in caller.params.iter().enumerate() {
                match (&given[slot], implied_argument(&known, param)) {
                    (Some(stated), Some(implied)) if stated != implied => {
                        return Err(self.unfit_problem(entry, self.contradicting_value(caller, param, [stated, implied])));
                    }
                    (None, None) if site.needs.contains(&(slot as Slot)) => {
                        return Err(self.unfit_problem(entry, missing_argument(entry, caller, param)));
                    }
                    (None, Some(implied)) => given[slot] = Some(implied.clone()),
                    _ => {}
                }
            }
            known.push((&caller.params, given));
        }
        Ok(known.into_iter().skip(1).map(|(_, given)| given).collect())
    }

    /// The arguments that the position itself gives to each of them.
    fn stated_arguments(&self, entry: &ProcedureInfo, levels: &[CallLevel]) -> EntryResult<Vec<GivenArguments>> {
        let callers: Vec<&ProcedureInfo> = entry_callers(self.program, entry).map(|(caller, _)| caller).collect();
        let mut said: Vec<GivenArguments> = callers.iter().map(|caller| vec![None; caller.params.len()]).collect();
        let mut further_out = callers.iter().zip(&mut said);
        for level in levels {
            // Each is further out than the one before.
            let found = further_out.find(|(caller, _)| caller.name == level.name);
            let (caller, given) = found.ok_or_else(|| self.not_around_problem(entry, level.name))?;
            *given = self.parse_arguments(entry, caller, level)?;
        }
        Ok(said)
    }

    /// The error for an argument that differs from one further inside.
    fn contradicting_value(&self, caller: &ProcedureInfo, (name, shape): &Param, values: [&StatedValue; 2]) -> UnfitValue {
        let [stated, implied] = values.map(|value| value.value_text(self.program, shape));
        let message = format!("`{name}` of `{}` cannot be {stated}, because it is {implied} further inside", caller.name);
        UnfitValue { message, remark: "two values for one name" }
    }

    /// The error for a level that is no procedure around the entry, or is in the wrong order.
    fn not_around_problem(&self, entry: &ProcedureInfo, name: &str) -> Box<Problem> {
        let names: Vec<String> = entry_callers(self.program, entry).map(|(caller, _)| format!("`{}`", caller.name)).collect();
        let message = match names.iter().any(|known| *known == format!("`{name}`")) {
            true => format!("`{name}` is named twice, or in the wrong order"),
            false => format!("`{}` does not happen inside `{name}`", entry.name),
        };
        let problem = Problem::error(codes::POSITION_ENTRY, message).with_label(self.span, "not around it");
        Box::new(problem.help(match names.is_empty() {
            true => format!("it has no procedures around it: write `{}`", example_entry(self.program, entry)),
            false => format!("from the inside out, it happens inside {}", join_words(&names, "and")),
        }))
    }

    /// The arguments in a call of `info`, in any order, by parameter. `entry` is for the example in errors.
    fn parse_arguments(&self, entry: &ProcedureInfo, info: &ProcedureInfo, level: &CallLevel) -> EntryResult<GivenArguments> {
        let mut given: GivenArguments = vec![None; info.params.len()];
        let parts = level.arguments.split(',').map(str::trim).filter(|part| !part.is_empty());
        for (index, part) in parts.enumerate() {
            // A value without a name belongs to the parameter at its index.
            let (slot, words) = match part.split_once(':') {
                Some((name, words)) => (info.params.iter().position(|(known, _)| known == name.trim()), words.trim()),
                None => (Some(index), part),
            };
            let Some((slot, (name, shape))) = slot.and_then(|slot| Some((slot, info.params.get(slot)?))) else {
                let message = format!("`{}` does not take `{part}`", info.name);
                return Err(self.unfit_problem(entry, UnfitValue { message, remark: "one value too many, or a wrong name" }));
            };
            let stated = self.parse_argument(shape, words).map_err(|unfit| self.unfit_problem(entry, unfit))?;
            if given[slot].replace(stated).is_some() {
                return Err(
                    self.unfit_problem(entry, UnfitValue { message: format!("`{name}` is given twice"), remark: "given twice" })
                );
            }
        }
        Ok(given)
    }

    /// The arguments of the entry itself, all of which must be given.
    fn require_arguments(&self, info: &ProcedureInfo, given: GivenArguments) -> EntryResult<Vec<StatedValue>> {
        let missing = info.params.iter().zip(&given).filter(|(_, stated)| stated.is_none());
        let missing: Vec<String> = missing.map(|((name, _), _)| format!("`{name}`")).collect();
        if missing.is_empty() {
            return Ok(given.into_iter().flatten().collect());
        }
        let message = format!("`{}` needs {}", info.name, join_words(&missing, "and"));
        Err(self.unfit_problem(info, UnfitValue { message, remark: "not given here" }))
    }

    // --- values ------------------------------------------------------------------------

    /// Parses the value of a parameter.
    fn parse_argument(&self, shape: &Shape, words: &str) -> Result<StatedValue, UnfitValue> {
        match shape {
            Shape::OrNone(_) if words == "none" => Ok(StatedValue::Value(NONE)),
            Shape::OrNone(inner) => self.parse_argument(inner, words),
            Shape::Entity(SIDE) => self.parse_side(words),
            Shape::Entity(kind) if self.program.is_piece(shape) => self.parse_piece(*kind, words),
            Shape::Entity(kind) => match not_playing_problem(words, *kind, self.program, self.players) {
                None => Ok(StatedValue::Entrant(words.to_string())),
                Some(problem) => Err(UnfitValue { message: problem.message.to_string(), remark: "not among those who play" }),
            },
            Shape::Number => parse_number(words, "not a number").map(StatedValue::Value),
            _ => parse_value(self.program, shape, words).map(StatedValue::Value).ok_or_else(|| self.unfit_value(shape, words)),
        }
    }

    /// The error for an unfit value of this shape.
    fn unfit_value(&self, shape: &Shape, words: &str) -> UnfitValue {
        let wanted = match shape {
            Shape::Flag => "`yes` or `no`".to_string(),
            Shape::Word(of) => {
                let known = self.program.words.get(usize::from(*of)).map_or(&[][..], |known| &known.words);
                join_words(&known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>(), "or")
            }
            _ => "a number, or one and a half such as `1.5`".to_string(),
        };
        UnfitValue { message: format!("`{words}` should be {wanted}"), remark: "not one of these values" }
    }

    fn parse_side(&self, words: &str) -> Result<StatedValue, UnfitValue> {
        let number = parse_number(words, "sides are given by their numbers, from 0")?;
        match usize::try_from(number).ok().filter(|side| *side < self.players.sides) {
            Some(side) => Ok(StatedValue::Side(side)),
            None => Err(UnfitValue { message: format!("there is no side {number}"), remark: "sides are numbered from 0" }),
        }
    }

    fn parse_piece(&self, kind: KindId, words: &str) -> Result<StatedValue, UnfitValue> {
        match piece_by_id(self.position, words) {
            Some(piece) if self.program.is_kind(piece.piece.kind, kind) => Ok(StatedValue::Piece(words.to_string())),
            Some(_) => {
                let wanted = &self.program.kind(kind).name;
                Err(UnfitValue { message: format!("`{words}` is not {}", with_article(wanted)), remark: "another kind of piece" })
            }
            None => Err(UnfitValue {
                message: format!("no piece has the id `{words}`"),
                remark: "use the `id` that the position gives to a piece",
            }),
        }
    }

    // --- errors --------------------------------------------------------------------------

    /// The error for an unfit value, with an example of the entry.
    fn unfit_problem(&self, entry: &ProcedureInfo, unfit: UnfitValue) -> Box<Problem> {
        let problem = self.entry_problem(unfit.message, unfit.remark);
        Box::new(problem.help(format!("write it as `{}`", example_entry(self.program, entry))))
    }

    /// The error in the text of `at`.
    fn entry_problem(&self, message: String, remark: &str) -> Box<Problem> {
        Box::new(Problem::error(codes::POSITION_ENTRY, message).with_label(self.span, remark))
    }

    /// The error for a name that is no entry of the rules.
    fn unknown_entry_problem(&self, name: &str) -> Problem {
        let entries: Vec<&ProcedureInfo> = self.program.procedures.iter().filter(|procedure| procedure.entry).collect();
        let problem = match self.program.procedure_by_name(name) {
            Some(_) => self.entry_problem(format!("play cannot start at `{name}`"), "not an `entry` of the rules"),
            None => self.entry_problem(format!("there is no entry `{name}`"), "not known"),
        };
        let problem = problem.suggest(name, entries.iter().map(|entry| entry.name.as_str()));
        if problem.help.is_some() {
            return problem;
        }
        let examples: Vec<String> = entries.iter().map(|entry| format!("`{}`", example_entry(self.program, entry))).collect();
        match examples.is_empty() {
            true => problem.help("the rules have no `entry`: leave `at` out, and play starts from the beginning"),
            false => problem.help(format!("play can start at {}", join_words(&examples, "or"))),
        }
    }
}

/// The argument of the nearest inner procedure with the same parameter.
fn implied_argument<'k>(known: &'k [(&Vec<Param>, GivenArguments)], param: &Param) -> Option<&'k StatedValue> {
    let all = known.iter().flat_map(|(params, given)| params.iter().zip(given));
    all.filter(|(other, _)| *other == param).find_map(|(_, stated)| stated.as_ref())
}

/// The error for a parameter around the entry that must be given.
fn missing_argument(entry: &ProcedureInfo, caller: &ProcedureInfo, (name, _): &Param) -> UnfitValue {
    let message = format!("`{}` happens inside `{}`, which needs its `{name}`", entry.name, caller.name);
    UnfitValue { message, remark: "not given here" }
}

/// Parses a number of the rules. `remark` labels a text that is none.
fn parse_number(words: &str, remark: &'static str) -> Result<Value, UnfitValue> {
    let number: i64 = words.parse().map_err(|_| UnfitValue { message: format!("`{words}` is not a number"), remark })?;
    let small = Value::try_from(number).ok().filter(|number| *number != NONE);
    small.ok_or_else(|| UnfitValue { message: format!("`{number}` is too large"), remark: "too large" })
}

/// The piece with this name in a position.
fn piece_by_id<'p>(position: &'p Position, id: &str) -> Option<&'p PiecePosition> {
    let zones = position.sides.iter().flat_map(SidePosition::all_zones).chain([&position.table_zones]);
    zones.flat_map(BTreeMap::values).flatten().find_map(|piece| piece_in_stack(piece, id))
}

/// The piece with this name among a piece and those in its zones.
fn piece_in_stack<'p>(piece: &'p PiecePosition, id: &str) -> Option<&'p PiecePosition> {
    if piece.id.as_deref() == Some(id) {
        return Some(piece);
    }
    piece.under.iter().flat_map(|(_, pieces)| pieces).find_map(|piece| piece_in_stack(piece, id))
}
