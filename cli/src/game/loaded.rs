//! Opening a game: the program, a position, and the entrants of each side.
//!
//! A program is a game compiled for one mode and one value of each option. A position is a state written in YAML from which
//! play can start; its heading may name game, mode and options. An entrant is a character or deck, by the id of its sheet,
//! that a side brings.

use super::Seat;
use super::seats::make_seats;
use crate::args::{CommonArgs, PlayerSpec, SeatSpec};
use crate::exit::USAGE;
use crate::load::Purpose;
use crate::stop::Stop;
use crate::{load, output};
use ludex_bots::rng::BotRng;
use ludex_engine::codes;
use ludex_engine::library::CompileRequest;
use ludex_engine::position::{Heading, Position};
use ludex_engine::problem::{Problem, closest_match, join_words};
use ludex_engine::program::{Program, Sheet};
use ludex_engine::recording::Header;
use ludex_engine::runtime::{Lots, Session};
use ludex_engine::source::Sources;
use ludex_engine::yaml;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A compiled game and its starting position.
pub struct LoadedGame {
    pub program: Arc<Program>,
    pub position: Option<Position>,
    /// The position's text, for the recording.
    pub position_text: Option<String>,
    /// The warnings of `check` about the game's files.
    pub warnings: Vec<Problem>,
    /// Other remarks that stop nothing.
    pub notes: Vec<Problem>,
    pub sources: Sources,
    /// The folders of the libraries that the game has files from, to remember them beside its recording.
    pub libraries: Vec<PathBuf>,
}

/// The game to open. A position file may supply the parts that are left open.
#[derive(Default)]
pub struct GameRequest<'a> {
    pub game: Option<&'a str>,
    /// The mode and options of the command line; they override those of the position.
    pub wanted: CompileRequest,
    pub position: Option<PositionText<'a>>,
}

/// Where a position's text comes from.
#[derive(Clone, Copy)]
pub enum PositionText<'a> {
    File(&'a Path),
    /// From a recording, whose header says how to read it.
    Kept(&'a str, &'a Header),
}

/// Compiles a game and reads its starting position.
pub fn open_requested_game(common: &CommonArgs, request: GameRequest) -> Result<LoadedGame, Stop> {
    let mut loaded = common.load_libraries();
    let mut sources = loaded.library.sources.clone();
    let mut problems = Vec::new();
    let node = match request.position {
        Some(text) => match read_position_text(text, &mut sources, &mut problems) {
            Some(read) => Some(read),
            None => return Err(Stop::new(problems, sources)),
        },
        None => None,
    };
    let heading = node.as_ref().map(|(_, node)| Heading::from_node(node)).unwrap_or_default();
    let game = match choose_game(request.game, &heading, &loaded.library.game_ids()) {
        Ok(game) => game,
        Err(problem) => return Err(loaded.unknown_game_stop(problem)),
    };
    if problems.iter().any(Problem::is_error) {
        return Err(Stop::new(problems, sources));
    }
    let wanted = fill_from_heading(request.wanted, &heading);
    let (program, found) = loaded
        .compile_game(&game, &wanted, (Purpose::Playing, &common.seat_entrants()))
        .map_err(|found| Stop::new([problems.as_slice(), &found].concat(), sources.clone()))?;
    let warned = loaded.problems.iter().filter(|problem| !problem.is_error()).cloned();
    let warnings = warned.chain(std::mem::take(&mut problems)).chain(found).collect();
    let position = node.as_ref().and_then(|(_, node)| match request.position {
        Some(PositionText::Kept(_, header)) => header.read_position(node, &program, &mut problems),
        _ => Position::read(node, &program, &mut problems),
    });
    if problems.iter().any(Problem::is_error) {
        return Err(Stop::new(problems, sources));
    }
    let libraries = loaded.libraries_of(&game);
    let position_text = node.map(|(text, _)| text);
    Ok(LoadedGame { program: Arc::new(program), position, position_text, warnings, notes: problems, sources, libraries })
}

impl LoadedGame {
    /// Prints the number of warnings, and the notes.
    pub fn print_warnings(&self) {
        output::print_errors(&self.warnings, &self.sources);
        output::print_problems(&self.notes, &self.sources);
    }

    /// Wraps a problem of this game as the reason why the verb stops, with the texts that the problem points into.
    pub fn stop_with_problem(&self, problem: Problem) -> Stop {
        Stop::new(vec![problem], self.sources.clone())
    }

    /// The entrants that the position and the command line give to each side. The command line wins. Sides without any are empty.
    pub fn choose_entrants(&self, specs: &[SeatSpec]) -> Result<Vec<Vec<String>>, Stop> {
        let info = &self.program.sides;
        let named = count_named_sides(specs, info.most).map_err(|problem| self.stop_with_problem(problem))?;
        let placed = self.position.as_ref().map_or(0, |position| position.sides.len());
        let count = info.least.max(named).max(placed);
        if count > info.most {
            return Err(self.stop_with_problem(unknown_seat_problem(count - 1, info.most)));
        }
        let sides: Vec<Vec<String>> = (0..count).map(|side| self.entrants_of(side, specs)).collect::<Result<_, _>>()?;
        info.check_chosen_sides(&sides).map_err(|problem| self.stop_with_problem(problem))?;
        Ok(sides)
    }

    /// The entrants of one side: of its last `--seat` that names any, or else of the position.
    fn entrants_of(&self, side: usize, specs: &[SeatSpec]) -> Result<Vec<String>, Stop> {
        let given = specs.iter().rev().find(|spec| spec.side == side && !spec.entrants.is_empty());
        let Some(spec) = given else {
            let placed = self.position.as_ref().and_then(|position| position.sides.get(side));
            return Ok(placed.map(|side| side.entrants.iter().map(|id| id.value.clone()).collect()).unwrap_or_default());
        };
        check_entrants(&self.program, spec).map_err(|problem| self.stop_with_problem(problem))?;
        Ok(spec.entrants.clone())
    }

    /// Draws `count` entrants for a side that is left to chance. `sides` are the entrants chosen so far: if enough others
    /// remain, it brings none of them.
    pub fn draw_entrants(&self, count: usize, sides: &[Vec<String>], rng: &mut BotRng) -> Vec<String> {
        any_entrants(&playable_sheets(&self.program), count, sides, rng)
    }

    /// The team size of a side that is still open: that of the others if all bring equally many, and otherwise the minimum of the
    /// game.
    pub fn team_size(&self, sides: &[Vec<String>]) -> usize {
        let named = sides.iter().map(Vec::len).find(|named| *named > 0);
        named.filter(|_| self.program.sides.equally_many).unwrap_or(*self.program.sides.team_sizes().start())
    }

    /// The seats with their players. A seat without a chosen player gets the `default` of its number. People are
    /// players outside the game, recorded under the name `outside`: `human`, or `stdin` for a program behind `host`. `seed` is
    /// that of the bots. An error if a referee is named in a game without one.
    pub fn assign_seats(
        &self,
        sides: &[Vec<String>],
        specs: &[SeatSpec],
        referee: Option<&PlayerSpec>,
        outside: &str,
        default: impl Fn(usize) -> PlayerSpec,
        seed: u64,
    ) -> Result<Vec<Seat>, Stop> {
        if referee.is_some() && self.program.referee.is_none() {
            return Err(Stop { status: USAGE, ..self.stop_with_problem(no_referee_problem(&self.program)) });
        }
        let referee = referee.cloned().unwrap_or_default();
        make_seats(&self.program, sides, specs, &referee, outside, default, seed)
            .map_err(|problem| self.stop_with_problem(problem))
    }
}

/// The number of sides needed for all sides that the command line names. An error if that is more than `most`, the game's
/// maximum.
pub fn count_named_sides(specs: &[SeatSpec], most: usize) -> Result<usize, Problem> {
    match specs.iter().map(|spec| spec.side).max() {
        Some(last) if last >= most => Err(unknown_seat_problem(last, most)),
        last => Ok(last.map_or(0, |last| last + 1)),
    }
}

/// Draws `count` of the sheets. If one of them is in `sides` already and enough others are free, only free ones are drawn.
fn any_entrants(sheets: &[&Sheet], count: usize, sides: &[Vec<String>], rng: &mut BotRng) -> Vec<String> {
    let is_free = |id: &String| !sides.iter().any(|side| side.contains(id));
    let mut drawn = |from: &[&Sheet]| -> Vec<String> {
        let indexes = rng.draw_sample(from.len() as u64, count as u64);
        indexes.iter().filter_map(|&index| from.get(index as usize)).map(|sheet| sheet.id.clone()).collect()
    };
    let first = drawn(sheets);
    let free: Vec<&Sheet> = sheets.iter().copied().filter(|sheet| is_free(&sheet.id)).collect();
    if first.iter().all(is_free) || free.len() < count { first } else { drawn(&free) }
}

/// The sheets that sides can play with, of those that the rules admit.
pub fn playable_sheets(program: &Program) -> Vec<&Sheet> {
    sheets_of_sides(program).filter(|sheet| Session::check_entrant(program, &sheet.id).is_ok()).collect()
}

/// The sheets of the kind that sides bring.
fn sheets_of_sides(program: &Program) -> impl Iterator<Item = &Sheet> {
    program.sheets.values().filter(|sheet| Some(sheet.kind) == program.sides.entrant)
}

/// Refuses an entrant without a sheet, and any entrant in a game whose sides bring nothing. In the latter case a player may have
/// been meant.
pub fn check_entrants(program: &Program, spec: &SeatSpec) -> Result<(), Problem> {
    if program.sides.entrant.is_none() && !spec.entrants.is_empty() {
        let message = format!("the sides of {} bring no entrants, so `{}` cannot play", program.title, spec.entrants.join(","));
        let help = format!("name only the player, after a colon: `--seat {}=:greedy`", spec.side);
        return Err(Problem::error(codes::SEATS, message).help(help));
    }
    let known: Vec<&str> = sheets_of_sides(program).map(|sheet| sheet.id.as_str()).collect();
    let unknown = spec.entrants.iter().find(|id| !known.contains(&id.as_str()));
    unknown.map_or(Ok(()), |id| Err(unknown_entrant(program, id, &known)))
}

/// The problem with an entrant that is not among the `known` ones.
fn unknown_entrant(program: &Program, id: &str, known: &[&str]) -> Problem {
    let message = format!("there is no {} `{id}` in {}", entrant_word(program), program.title);
    let problem = Problem::error(codes::UNKNOWN_ENTRANT, message);
    match closest_match(id, known.iter().copied()) {
        Some(near) => problem.suggest_near(near),
        None => problem.help(format!("`ludex show {}` lists them", program.game)),
    }
}

/// The problem with naming a referee in a game without one.
pub fn no_referee_problem(program: &Program) -> Problem {
    Problem::error(codes::SEATS, format!("{} has no referee", program.title)).help("leave out `--referee`")
}

/// The game's word for an entrant.
pub fn entrant_word(program: &Program) -> &str {
    let kind = program.sides.entrant.and_then(|kind| program.kinds.get(usize::from(kind)));
    kind.map_or("entrant", |kind| &kind.name)
}

/// The problem with a seat's number in a game with `seats` seats.
pub fn unknown_seat_problem(seat: usize, seats: usize) -> Problem {
    let numbers: Vec<String> = (0..seats).map(|seat| seat.to_string()).collect();
    let help = format!("the seats are {}", join_words(&numbers, "and"));
    Problem::error(codes::SEATS, format!("there is no seat {seat}")).help(help)
}

/// Reads a position: its text and its parsed form. `None` if it cannot be read; the reasons are added to `problems`.
fn read_position_text(text: PositionText, sources: &mut Sources, problems: &mut Vec<Problem>) -> Option<(String, yaml::Node)> {
    let source = match text {
        PositionText::Kept(text, _) => sources.add("the recording's position", text),
        PositionText::File(path) => match load::load_source(path, sources) {
            Ok(source) => source,
            Err(problem) => {
                problems.push(problem);
                return None;
            }
        },
    };
    let text = sources.get(source).text.clone();
    let (node, found) = yaml::parse_document(&text, source);
    problems.extend(found);
    node.map(|node| (text, node))
}

/// The requested game, or that of the position, or the only one. `games` are the ids of all games.
fn choose_game(asked: Option<&str>, heading: &Heading, games: &[String]) -> Result<String, Problem> {
    if let (Some(asked), Some(named)) = (asked, &heading.game)
        && asked != named.value
    {
        let message = format!("the position is for `{}`, not for `{asked}`", named.value);
        return Err(Problem::error(codes::UNKNOWN_GAME, message).with_label(named.span, "here"));
    }
    let request = asked.map(str::to_string).or_else(|| heading.game.as_ref().map(|game| game.value.clone()));
    match (request, games) {
        (Some(game), _) => load::refuse_unknown_game(&game, games).map(|()| game),
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(Problem::error(codes::UNKNOWN_GAME, "no game is named").help("`ludex list` shows the games")),
    }
}

/// Fills in from the position what the command line leaves open.
fn fill_from_heading(wanted: CompileRequest, heading: &Heading) -> CompileRequest {
    let mut options = heading.options.clone();
    options.extend(wanted.options);
    CompileRequest { mode: wanted.mode.or_else(|| heading.mode.clone()), options, open: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::Compile;
    use ludex_engine::library::{File, Library};

    fn program() -> Program {
        let file = |path: &str, text: &str| File { path: path.to_string(), text: text.to_string(), library: "test".to_string() };
        let rules =
            "ludex 1\ngame pond \"Pond\"\nsides 2..4 of 1 player\nsheet player (players) { }\nto play { finish with nobody }\n";
        let mut files = vec![file("rules/pond/pond.ludex", rules)];
        for name in ["north", "east", "south", "west"] {
            files.push(file(&format!("characters/pond/{name}.yaml"), &format!("name: {name}\n")));
        }
        Library::new(files).0.compile("pond", &CompileRequest::default()).0.expect("the game compiles")
    }

    fn dealt(seats: usize, each: usize, seed: u64) -> Vec<Vec<String>> {
        let (program, mut rng) = (program(), BotRng::new(seed, 0));
        let mut sides = vec![Vec::new(); seats];
        for side in 0..seats {
            sides[side] = any_entrants(&playable_sheets(&program), each, &sides, &mut rng);
        }
        sides
    }

    #[test]
    fn each_name_is_dealt_to_one_seat_where_there_are_enough() {
        for seed in 0..20 {
            let mut names = dealt(4, 1, seed).concat();
            names.sort();
            assert_eq!(names, ["east", "north", "south", "west"]);
        }
        let several = dealt(3, 2, 1);
        assert!(several.iter().all(|side| side.len() == 2 && side[0] != side[1]), "{several:?}");
    }
}
