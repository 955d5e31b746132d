//! Reads the text of `at`: names and arguments from the inside out, each checked against the parameters.

use super::entry::{IN, Param, callers, example};
use super::{Around, Entry, Given, PiecePosition, Position, SidePosition};
use crate::field::{Players, Stated, not_playing, read_value};
use ludex_program::{KindId, NONE, ProcedureId, ProcedureInfo, Program, SIDE, Shape, Slot, Value};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, joined, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::Node;
use std::collections::BTreeMap;

/// The context for reading `at`: the position, of which everything else has been read.
pub(super) struct At<'a> {
    pub program: &'a Program,
    pub position: &'a Position,
    pub players: Players<'a>,
    pub span: Span,
    /// For a recording from before positions had arguments of the procedures around an entry.
    pub around_is_zero: bool,
}

/// A name and the text in the brackets after it.
struct Level<'t> {
    name: &'t str,
    arguments: &'t str,
}

/// The reason why a value is unfit, and a remark on its place.
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
        let mut procedures = self.program.procedures.iter().enumerate();
        let found = procedures.find(|(_, procedure)| procedure.entry && procedure.name == first.name);
        let (procedure, info) = found.ok_or_else(|| Box::new(self.unknown_entry(first.name)))?;
        let arguments = self.complete(info, self.call(info, info, first)?)?;
        let around = match self.around_is_zero {
            true => Around::Zeros,
            false => Around::Given(self.around(info, &arguments, around)?),
        };
        Ok(Entry { procedure: procedure as ProcedureId, arguments, around, span: self.span })
    }

    /// Splits `strike(target: x) in turn(active: 1)` into its parts.
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

    /// The arguments of each procedure around an entry, from the inside out. An omitted argument takes the value of the
    /// parameter with the same name further inside.
    fn around(&self, entry: &ProcedureInfo, arguments: &[Stated], levels: &[Level]) -> Checked<Vec<Given>> {
        let mut known = vec![(&entry.params, arguments.iter().cloned().map(Some).collect())];
        for ((caller, site), mut given) in callers(self.program, entry).zip(self.said(entry, levels)?) {
            for (slot, param) in caller.params.iter().enumerate() {
                match (&given[slot], implied(&known, param)) {
                    (Some(stated), Some(implied)) if stated != implied => {
                        return Err(self.unfit(entry, self.contradiction(caller, param, [stated, implied])));
                    }
                    (None, None) if site.needs.contains(&(slot as Slot)) => {
                        return Err(self.unfit(entry, not_said(entry, caller, param)));
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
    fn said(&self, entry: &ProcedureInfo, levels: &[Level]) -> Checked<Vec<Given>> {
        let callers: Vec<&ProcedureInfo> = callers(self.program, entry).map(|(caller, _)| caller).collect();
        let mut said: Vec<Given> = callers.iter().map(|caller| vec![None; caller.params.len()]).collect();
        let mut further_out = callers.iter().zip(&mut said);
        for level in levels {
            // Each is further out than the one before.
            let found = further_out.find(|(caller, _)| caller.name == level.name);
            let (caller, given) = found.ok_or_else(|| self.not_around(entry, level.name))?;
            *given = self.call(entry, caller, level)?;
        }
        Ok(said)
    }

    fn contradiction(&self, caller: &ProcedureInfo, (name, shape): &Param, values: [&Stated; 2]) -> Unfit {
        let [stated, implied] = values.map(|value| value.words(self.program, shape));
        let message = format!("`{name}` of `{}` cannot be {stated}, because it is {implied} further inside", caller.name);
        Unfit { message, remark: "two values for one name" }
    }

    fn not_around(&self, entry: &ProcedureInfo, name: &str) -> Box<Problem> {
        let names: Vec<String> = callers(self.program, entry).map(|(caller, _)| format!("`{}`", caller.name)).collect();
        let message = match names.iter().any(|known| *known == format!("`{name}`")) {
            true => format!("`{name}` is named twice, or in the wrong order"),
            false => format!("`{}` does not happen inside `{name}`", entry.name),
        };
        let problem = Problem::error(codes::POSITION_ENTRY, message).at(self.span, "not around it");
        Box::new(problem.help(match names.is_empty() {
            true => format!("it has no procedures around it: write `{}`", example(self.program, entry)),
            false => format!("from the inside out, it happens inside {}", joined(&names, "and")),
        }))
    }

    /// The arguments in a call, in any order.
    fn call(&self, entry: &ProcedureInfo, info: &ProcedureInfo, level: &Level) -> Checked<Given> {
        let mut given: Given = vec![None; info.params.len()];
        let parts = level.arguments.split(',').map(str::trim).filter(|part| !part.is_empty());
        for (index, part) in parts.enumerate() {
            // A value without a name belongs to the parameter at its index.
            let (slot, words) = match part.split_once(':') {
                Some((name, words)) => (info.params.iter().position(|(known, _)| known == name.trim()), words.trim()),
                None => (Some(index), part),
            };
            let Some((slot, (name, shape))) = slot.and_then(|slot| Some((slot, info.params.get(slot)?))) else {
                let message = format!("`{}` does not take `{part}`", info.name);
                return Err(self.unfit(entry, Unfit { message, remark: "one value too many, or a wrong name" }));
            };
            let stated = self.value(shape, words).map_err(|unfit| self.unfit(entry, unfit))?;
            if given[slot].replace(stated).is_some() {
                return Err(self.unfit(entry, Unfit { message: format!("`{name}` is given twice"), remark: "given twice" }));
            }
        }
        Ok(given)
    }

    fn complete(&self, info: &ProcedureInfo, given: Given) -> Checked<Vec<Stated>> {
        let missing = info.params.iter().zip(&given).filter(|(_, stated)| stated.is_none());
        let missing: Vec<String> = missing.map(|((name, _), _)| format!("`{name}`")).collect();
        if missing.is_empty() {
            return Ok(given.into_iter().flatten().collect());
        }
        let message = format!("`{}` needs {}", info.name, joined(&missing, "and"));
        Err(self.unfit(info, Unfit { message, remark: "not given here" }))
    }

    // --- values ------------------------------------------------------------------------

    fn value(&self, shape: &Shape, words: &str) -> Result<Stated, Unfit> {
        match shape {
            Shape::OrNone(_) if words == "none" => Ok(Stated::Value(NONE)),
            Shape::OrNone(inner) => self.value(inner, words),
            Shape::Entity(SIDE) => self.side(words),
            Shape::Entity(kind) if self.program.is_piece(shape) => self.piece(*kind, words),
            Shape::Entity(kind) => match not_playing(words, *kind, self.program, self.players) {
                None => Ok(Stated::Entrant(words.to_string())),
                Some(problem) => Err(Unfit { message: problem.message.to_string(), remark: "not among those who play" }),
            },
            Shape::Number => number(words, "not a number").map(Stated::Value),
            _ => read_value(self.program, shape, words).map(Stated::Value).ok_or_else(|| self.wanted(shape, words)),
        }
    }

    /// The error for an unfit value of this shape.
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

    fn side(&self, words: &str) -> Result<Stated, Unfit> {
        let number = number(words, "sides are given by their numbers, from 0")?;
        match usize::try_from(number).ok().filter(|side| *side < self.players.sides) {
            Some(side) => Ok(Stated::Side(side)),
            None => Err(Unfit { message: format!("there is no side {number}"), remark: "sides are numbered from 0" }),
        }
    }

    fn piece(&self, kind: KindId, words: &str) -> Result<Stated, Unfit> {
        match piece_called(self.position, words) {
            Some(piece) if self.program.is_kind(piece.piece.kind, kind) => Ok(Stated::Piece(words.to_string())),
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

    // --- errors --------------------------------------------------------------------------

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

/// The argument of the nearest inner procedure with the same parameter.
fn implied<'k>(known: &'k [(&Vec<Param>, Given)], param: &Param) -> Option<&'k Stated> {
    let all = known.iter().flat_map(|(params, given)| params.iter().zip(given));
    all.filter(|(other, _)| *other == param).find_map(|(_, stated)| stated.as_ref())
}

fn not_said(entry: &ProcedureInfo, caller: &ProcedureInfo, (name, _): &Param) -> Unfit {
    let message = format!("`{}` happens inside `{}`, which needs its `{name}`", entry.name, caller.name);
    Unfit { message, remark: "not given here" }
}

fn number(words: &str, remark: &'static str) -> Result<Value, Unfit> {
    let number: i64 = words.parse().map_err(|_| Unfit { message: format!("`{words}` is not a number"), remark })?;
    let small = Value::try_from(number).ok().filter(|number| *number != NONE);
    small.ok_or_else(|| Unfit { message: format!("`{number}` is too large"), remark: "too large" })
}

/// The piece with this name in a position.
fn piece_called<'p>(position: &'p Position, id: &str) -> Option<&'p PiecePosition> {
    let zones = position.sides.iter().flat_map(SidePosition::all_zones).chain([&position.table_zones]);
    zones.flat_map(BTreeMap::values).flatten().find_map(|piece| in_stack(piece, id))
}

/// The piece with this name among a piece and those in its zones.
fn in_stack<'p>(piece: &'p PiecePosition, id: &str) -> Option<&'p PiecePosition> {
    if piece.id.as_deref() == Some(id) {
        return Some(piece);
    }
    piece.under.iter().flat_map(|(_, pieces)| pieces).find_map(|piece| in_stack(piece, id))
}
