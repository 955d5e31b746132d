//! Reads a position from YAML and checks it against the compiled game.
//!
//! A file has a heading, `sides`, `table` and `at`. In errors, `also` are other keys that are allowed at the same place.

use super::entry_text::AtReader;
use super::{EntrantPosition, Fields, Heading, Owner, PiecePosition, Position, SidePosition, Spanned, Zones};
use crate::field::{NOT_PLAYING, Players, StatedValue, can_be_set, is_none, read_file_value, scalar_text};
use ludex_program::{BoardInfo, FieldInfo, KindId, PrintedPiece, Program, SIDE, Sheet, SheetId, TABLE, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, closest_match, join_words};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::{Key, Node, Value};
use std::collections::BTreeMap;

impl Heading {
    /// Reads the game, mode and options of a position file, which determine the program for reading the rest.
    pub fn from_node(node: &Node) -> Heading {
        let Value::Map(entries) = &node.value else { return Heading::default() };
        let mut heading = Heading::default();
        for (key, value) in entries {
            match (key.name.as_str(), &value.value) {
                ("game", Value::Text(game)) => {
                    heading.game = Some(Spanned { value: game.clone(), span: value.span });
                }
                ("mode", Value::Text(mode)) => heading.mode = Some(mode.clone()),
                ("options", Value::Map(options)) => {
                    heading.options.extend(options.iter().filter_map(|(key, node)| Some((key.name.clone(), scalar_text(node)?))));
                }
                _ => {}
            }
        }
        heading
    }
}

impl Position {
    /// Reads a position and checks it against the game. Returns none if it has errors.
    pub fn read(node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<Position> {
        PositionReader::new(program, problems, false).read_sound(node)
    }

    /// Reads the position of an old recording, which has no arguments of the procedures around an entry: all are 0.
    pub fn read_with_zeros(node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<Position> {
        PositionReader::new(program, problems, true).read_sound(node)
    }
}

/// Reads one position, and keeps what its parts refer to.
pub(super) struct PositionReader<'a> {
    pub(super) program: &'a Program,
    pub(super) problems: &'a mut Vec<Problem>,
    /// Names of pieces so far.
    ids: BTreeMap<String, Span>,
    /// The number of sides that the position has.
    sides: usize,
    /// The keys of the entrants.
    entrant_keys: Vec<String>,
    /// All arguments of procedures around the entry are 0.
    around_is_zero: bool,
}

impl<'a> PositionReader<'a> {
    fn new(program: &'a Program, problems: &'a mut Vec<Problem>, around_is_zero: bool) -> PositionReader<'a> {
        PositionReader { program, problems, ids: BTreeMap::new(), sides: 0, entrant_keys: Vec::new(), around_is_zero }
    }

    /// Reads the position. None if it has errors.
    fn read_sound(&mut self, node: &Node) -> Option<Position> {
        let before = self.problems.len();
        let position = self.read_position(node);
        self.drop_follow_ups(before);
        let sound = !self.problems.iter().skip(before).any(Problem::is_error);
        position.filter(|_| sound)
    }

    /// Drops errors about entrants that do not play if the list of players could not be read. `before` is the number of earlier
    /// problems.
    fn drop_follow_ups(&mut self, before: usize) {
        let says = |problem: &Problem, words: &str| problem.labels.iter().any(|(_, remark)| remark == words);
        let found = self.problems.split_off(before.min(self.problems.len()));
        let unread = found.iter().any(|problem| {
            let keys = [codes::YAML_UNKNOWN_KEY, codes::YAML_MISSING_KEY].contains(&problem.code);
            keys || problem.code == codes::UNKNOWN_ENTRANT && !says(problem, NOT_PLAYING)
        });
        self.problems.extend(found.into_iter().filter(|problem| !unread || !says(problem, NOT_PLAYING)));
    }

    /// Reads all keys. The sides come first, because fields and arguments can refer to players.
    fn read_position(&mut self, node: &Node) -> Option<Position> {
        let mut map = node.as_map(self.problems, "the position")?;
        if let Some(version) = map.optional_value("ludex-position") {
            version.as_number(self.problems, "`ludex-position`", 1..=1);
        }
        map.optional_value("game");
        map.optional_value("mode");
        map.optional_value("options");
        let sides = match map.optional_value("sides") {
            Some(node) => self.read_sides(node).unwrap_or_default(),
            // The unknown key was reported; the number of sides is unknown.
            None if map.has_near(&["sides"]) => {
                self.sides = self.program.sides.most;
                vec![SidePosition::default(); self.sides]
            }
            None => self.default_sides(map.span),
        };
        let mut position = Position { sides, ..Position::default() };
        if let Some(node) = map.optional_value("table") {
            self.read_table(node, &mut position);
        }
        let at = map.optional_value("at");
        position.at = at.and_then(|node| {
            let players = Players { sides: self.sides, entrants: &self.entrant_keys };
            let around_is_zero = self.around_is_zero;
            let at = AtReader { program: self.program, position: &position, players, span: node.span, around_is_zero };
            at.read_entry(node, self.problems)
        });
        map.finish(self.problems);
        Some(position)
    }

    /// Handles a position without `sides`, which are optional if sides bring nothing and their number is fixed.
    fn default_sides(&mut self, span: Span) -> Vec<SidePosition> {
        let (least, most) = (self.program.sides.least, self.program.sides.most);
        self.sides = least;
        let brings = self.program.sides.entrant.is_some();
        if brings || least != most {
            let problem = Problem::error(codes::YAML_MISSING_KEY, "the position has no `sides`");
            let side = if brings { "{entrants: [ID]}" } else { "{}" };
            let list = vec![side; least.max(1)].join(", ");
            let remark = format!("the game has {}", count_range_text(least, most, "side", "sides"));
            self.problems.push(
                problem.with_label(span, remark).help(format!("list the state of each side, from side 0: `sides: [{list}]`")),
            );
        }
        vec![SidePosition::default(); least]
    }

    /// Reads the state of each side.
    fn read_sides(&mut self, node: &Node) -> Option<Vec<SidePosition>> {
        let list = node.as_list(self.problems, "`sides`")?;
        self.sides = list.len();
        self.entrant_keys = super::entrants::keys_of_entrants(list);
        let (least, most) = (self.program.sides.least, self.program.sides.most);
        if !(least..=most).contains(&list.len()) {
            let wanted = count_range_text(least, most, "side", "sides");
            let problem = Problem::error(codes::POSITION_SIDES, format!("the game has {wanted}"));
            self.problems.push(problem.with_label(node.span, given_text(list.len())));
        }
        Some(list.iter().map(|node| self.read_side(node).unwrap_or_default()).collect())
    }

    /// Reads the state of one side.
    fn read_side(&mut self, node: &Node) -> Option<SidePosition> {
        let mut map = node.as_map(self.problems, "a side")?;
        let span = map.span;
        let entrants = match self.program.sides.entrant {
            Some(_) => map.required_value("entrants"),
            // If sides bring nothing, the key is optional.
            None => map.optional_value("entrants"),
        };
        let (entrants, settings) = entrants.and_then(|node| self.read_entrants(node)).unwrap_or_default();
        let zones = map.optional_value("zones").map(|node| self.read_side_zones(node, &entrants, &settings));
        let (zones, entrant_zones) = zones.unwrap_or_default();
        let counters = map.optional_value("counters").map(|node| self.read_fields(node, SIDE, "`counters`")).unwrap_or_default();
        let marks = map.optional_value("marks").map(|node| self.read_marks(node)).unwrap_or_default();
        let used = map.optional_value("used").map(|node| self.read_side_uses(node, &entrants, &settings)).unwrap_or_default();
        map.finish(self.problems);
        let side = SidePosition { entrants, settings, zones, entrant_zones, counters, marks, used };
        self.check_amount(&side, span);
        Some(side)
    }

    // --- zones and pieces --------------------------------------------------------

    /// Reads the zones of a side. The zones of a single entrant may be listed here, too.
    fn read_side_zones(&mut self, node: &Node, entrants: &[Spanned<String>], settings: &[EntrantPosition]) -> (Zones, Zones) {
        let mut kinds = vec![SIDE];
        kinds.extend(self.program.sides.entrant.filter(|_| entrants.len() <= 1));
        let only = entrants.first().and_then(|entrant| self.program.sheets.get(&entrant.value));
        let sheet = only.and_then(|sheet| self.declared_sheet(sheet));
        let entries = node.as_entries(self.problems, "`zones`").unwrap_or_default();
        let entries: Vec<&(Key, Node)> = entries.iter().filter(|(key, _)| self.is_side_zone(key, entrants, settings)).collect();
        let (mut own, mut of_entrant) = (Zones::new(), Zones::new());
        for (key, node) in entries {
            let Some((kind, zone, pieces)) = self.read_zone(key, node, &kinds, sheet) else { continue };
            let zones = if kind == SIDE { &mut own } else { &mut of_entrant };
            zones.insert(zone, pieces);
        }
        (own, of_entrant)
    }

    /// The declared sheet of an entrant.
    pub(super) fn declared_sheet(&self, sheet: &Sheet) -> Option<SheetId> {
        self.program.prints.find_print(sheet.print).map(|print| print.sheet)
    }

    /// Reads the pieces in the zones of one kind. `sheet` is an entrant's sheet, which may lack some of them.
    pub(super) fn read_zones(&mut self, node: &Node, kind: KindId, sheet: Option<SheetId>) -> Zones {
        let entries = node.as_entries(self.problems, "`zones`").unwrap_or_default();
        let zones = entries.iter().filter_map(|(key, node)| self.read_zone(key, node, &[kind], sheet));
        zones.map(|(_, zone, pieces)| (zone, pieces)).collect()
    }

    /// Reads the pieces of a zone. Returns the kind that has the zone, and the zone's index there.
    fn read_zone(
        &mut self,
        key: &Key,
        node: &Node,
        kinds: &[KindId],
        sheet: Option<SheetId>,
    ) -> Option<(KindId, u16, Vec<PiecePosition>)> {
        let program = self.program;
        let has = |zone: &ZoneInfo| sheet.is_none_or(|sheet| program.prints.matches_sheets(sheet, &zone.sheets));
        let all = kinds.iter().flat_map(|kind| (0..).zip(&program.kind(*kind).zones).map(|(place, zone)| (*kind, place, zone)));
        let zones: Vec<(KindId, u16, &ZoneInfo)> = all.filter(|(.., zone)| has(zone)).collect();
        let Some((kind, place, zone)) = zones.iter().copied().find(|(.., zone)| zone.name == key.name) else {
            if let Some(board) = kinds.iter().find_map(|kind| self.find_board(key, *kind)) {
                self.problems.push(unknown_cell_problem(board, key));
                return None;
            }
            let names: Vec<&str> =
                zones.iter().filter(|(.., zone)| zone.board.is_none()).map(|(.., zone)| zone.name.as_str()).collect();
            let problem = Problem::error(codes::POSITION_ZONE, format!("there is no zone `{}`", key.name));
            self.problems.push(with_choices(problem.with_label(key.span, "not known"), &key.name, &names, "there are"));
            return None;
        };
        Some((kind, place, self.read_pieces(zone, node)))
    }

    /// The board that a key refers to: `meadow`, `meadow.9.9`.
    fn find_board(&self, key: &Key, kind: KindId) -> Option<&'a BoardInfo> {
        let program = self.program;
        let name = key.name.split('.').next()?;
        program.boards.iter().find(|board| board.kind == kind && board.name == name)
    }

    /// Reads the name of a piece, which must be unique in the position.
    pub(super) fn read_id(&mut self, node: &Node) -> Option<String> {
        let id = match &node.value {
            Value::Number(number) => number.to_string(),
            _ => node.as_text(self.problems, "`id`")?.to_string(),
        };
        let fits = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '-';
        if id.is_empty() || !id.chars().all(fits) {
            let problem = Problem::error(codes::POSITION_PIECE, format!("`{id}` cannot be the name of a piece"));
            self.problems.push(problem.with_label(node.span, "names have letters, digits, `_` and `-`"));
            return None;
        }
        if let Some(first) = self.ids.insert(id.clone(), node.span) {
            self.problems.push(
                Problem::error(codes::POSITION_PIECE, format!("two pieces are named `{id}`"))
                    .with_label(node.span, "named again here")
                    .with_label(first, "first named here"),
            );
        }
        Some(id)
    }

    /// Reads the number that a die shows; none if it has not been rolled. `piece` is the die, unless it has an error.
    pub(super) fn read_shown_value(&mut self, node: &Node, piece: Option<PrintedPiece>) -> Option<i32> {
        if node.value == Value::Null {
            return None;
        }
        let value = node.as_number(self.problems, "`value`", i64::MIN..=i64::MAX)?;
        let Some(PrintedPiece { kind, size, .. }) = piece else { return i32::try_from(value).ok() };
        if let Some(faces) = self.program.faces_of(kind) {
            let face = faces.values.iter().copied().find(|face| i64::from(*face) == value);
            if face.is_none() {
                let problem = Problem::error(codes::POSITION_VALUE, format!("a {} cannot show {value}", faces.title));
                self.problems.push(problem.with_label(node.span, format!("must be {}", faces.values_text())));
            }
            return face;
        }
        if (1..=i64::from(size)).contains(&value) {
            return i32::try_from(value).ok();
        }
        let problem = Problem::error(codes::POSITION_VALUE, format!("a d{size} cannot show {value}"));
        self.problems.push(problem.with_label(node.span, format!("must be from 1 to {size}")));
        None
    }

    /// Reads a side by its number, or `none` for pieces that may have no owner.
    pub(super) fn read_owner(&mut self, node: &Node, kind: KindId) -> Option<Owner> {
        if !self.program.is_owned(kind) && is_none(node) {
            return Some(Owner::Nobody);
        }
        let last = self.sides.saturating_sub(1) as i64;
        let side = node.as_number(self.problems, "`owner`", 0..=last)?;
        usize::try_from(side).ok().map(Owner::Side)
    }

    /// Reads `[wet, tired]` as a bitmask of marks.
    pub(super) fn read_marks(&mut self, node: &Node) -> u32 {
        let known: Vec<&str> = self.program.marks.iter().map(|mark| mark.name.as_str()).collect();
        let mut found = 0;
        for node in node.as_list(self.problems, "`marks`").unwrap_or_default() {
            let Some(name) = node.as_text(self.problems, "a mark") else { continue };
            if let Some(mark) = known.iter().position(|known| *known == name) {
                found |= 1 << mark;
                continue;
            }
            let problem =
                Problem::error(codes::UNKNOWN_MARK, format!("there is no mark `{name}`")).with_label(node.span, "not known");
            self.problems.push(with_choices(problem, name, &known, "there are"));
        }
        found
    }

    /// Checks the total number of placed pieces against the limit for all sheets together.
    fn check_amount(&mut self, side: &SidePosition, span: Span) {
        let zones = || side.all_zones().flat_map(|zones| zones.values());
        let placed: usize = zones().map(Vec::len).sum();
        let only_dice = zones().flatten().all(|piece| self.program.is_die(piece.piece.kind));
        let most = if only_dice { crate::sheet::MOST_PIECES } else { crate::sheet::MOST_CARDS } * self.sides.max(1);
        if placed > most {
            let problem = Problem::error(codes::POSITION_PIECE, format!("{placed} pieces are placed on one side"));
            self.problems.push(problem.with_label(span, format!("at most {most} are allowed")));
        }
    }

    // --- counters and the table ----------------------------------------------------

    /// Reads `table: {depth: 1, shore: [4]}`. Fields and zones may also be under `counters` and `zones`.
    fn read_table(&mut self, node: &Node, position: &mut Position) {
        let Some(entries) = node.as_entries(self.problems, "`table`") else { return };
        let Some(table) = self.program.kinds.get(TABLE as usize) else { return };
        for (key, value) in entries {
            if key.name == "counters" {
                position.table.extend(self.read_fields(value, TABLE, "`counters`"));
            } else if key.name == "zones" {
                position.table_zones.extend(self.read_zones(value, TABLE, None));
            } else if table.zones.iter().any(|zone| zone.name == key.name) || self.find_board(key, TABLE).is_some() {
                let found = self.read_zone(key, value, &[TABLE], None);
                position.table_zones.extend(found.map(|(_, zone, pieces)| (zone, pieces)));
            } else {
                position.table.extend(self.read_field(key, value, TABLE, None, &["counters", "zones"]));
            }
        }
    }

    /// Reads fields and counters of a kind. `what` is their key, for errors.
    fn read_fields(&mut self, node: &Node, kind: KindId, what: &str) -> Fields {
        let entries = node.as_entries(self.problems, what).unwrap_or_default();
        entries.iter().filter_map(|(key, value)| self.read_field(key, value, kind, None, &[])).collect()
    }

    /// Reads the field of a kind that a key names: its index and its value. For entrants, their sheet must have it. `also` are the
    /// other allowed keys.
    pub(super) fn read_field(
        &mut self,
        key: &Key,
        node: &Node,
        kind: KindId,
        sheet: Option<SheetId>,
        also: &[&str],
    ) -> Option<(u16, Spanned<StatedValue>)> {
        let prints = &self.program.prints;
        let all = self.program.kinds.get(usize::from(kind)).map_or(&[][..], |kind| &kind.fields);
        let fields: Vec<(usize, &FieldInfo)> = all
            .iter()
            .enumerate()
            .filter(|(_, field)| field.counter || can_be_set(self.program, &field.shape))
            .filter(|(_, field)| !field.name.is_empty())
            .filter(|(_, field)| sheet.is_none_or(|sheet| prints.matches_sheets(sheet, &field.sheets)))
            .collect();
        let Some((index, field)) = fields.iter().find(|(_, field)| field.name == key.name) else {
            let names: Vec<&str> = fields.iter().map(|(_, field)| field.name.as_str()).collect();
            let problem = Problem::error(codes::UNKNOWN_COUNTER, format!("there is no counter `{}`", key.name));
            let problem = problem.with_label(key.span, "not known");
            self.problems.push(match kind == SIDE && self.entrants_have_field(&key.name) {
                true => {
                    problem.help(format!("entrants have it: write it with the entrant, as in `- otter: {{{}: …}}`", key.name))
                }
                false => match closest_match(&key.name, names.iter().chain(also).copied()) {
                    Some(near) => problem.suggest_near(near),
                    None => {
                        let others = also.iter().filter(|other| !names.contains(other));
                        let names: Vec<&str> = names.iter().chain(others).copied().collect();
                        with_choices(problem, &key.name, &names, "there are")
                    }
                },
            });
            return None;
        };
        let players = Players { sides: self.sides, entrants: &self.entrant_keys };
        let value = read_file_value(field, node, self.program, players, self.problems)?;
        Some((*index as u16, Spanned { value, span: node.span }))
    }
}

/// Adds the nearest known name to an error, or all of them after the words `there_are`.
pub(super) fn with_choices(problem: Problem, wrong: &str, known: &[&str], there_are: &str) -> Problem {
    let problem = problem.with_subject(wrong);
    match closest_match(wrong, known.iter().copied()) {
        Some(near) => problem.suggest_near(near),
        None if known.is_empty() => problem.help("there are none"),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            problem.help(format!("{there_are} {}", join_words(&known, "and")))
        }
    }
}

/// The error for a board without a cell, or a cell that does not exist.
fn unknown_cell_problem(board: &BoardInfo, key: &Key) -> Problem {
    let (first, last) = (board.cell_name(0), board.cell_name(board.cell_count().saturating_sub(1)));
    let (message, remark) = match key.name == board.name {
        true => (format!("`{}` is a board, and its pieces are in its cells", board.name), "which cell?"),
        false => (format!("`{}` has no cell `{}`", board.name, key.name), "not on the board"),
    };
    let help = format!("write a line for each cell that is not empty: its cells are `{first}` to `{last}`");
    Problem::error(codes::POSITION_ZONE, message).with_label(key.span, remark).help(help)
}

/// `1 is given`, `3 are given`.
pub(super) fn given_text(count: usize) -> String {
    format!("{count} {} given", if count == 1 { "is" } else { "are" })
}

/// `1 side`, `2 sides`, `2 to 4 sides`.
pub(super) fn count_range_text(least: usize, most: usize, one: &str, many: &str) -> String {
    match (least, most) {
        (1, 1) => format!("1 {one}"),
        (least, most) if least == most => format!("{least} {many}"),
        (least, most) => format!("{least} to {most} {many}"),
    }
}
