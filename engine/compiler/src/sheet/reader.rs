//! Reads one sheet: all printed values of a file. Reports its problems.
//!
//! A line is a key of the file: a zone of pieces or a field of an entrant, or a column, which is fixed in play. A part is a sheet
//! nested in another; it has no abilities, provenance or notes. Provenance is the source of a line's value, for readers of the
//! file.

use super::columns::Columns;
use super::{KEYS, MOST_CARDS, MOST_PIECES, PROVENANCES, SheetReader, SheetReading, abilities, cards, dice::read_listed_die};
use crate::field;
use ludex_program::{FieldInfo, KindId, PrintedLine, PrintedPiece, Program, Shape, SheetId, SheetInfo, Value, ZoneInfo};
use ludex_syntax::codes;
use ludex_syntax::problem::{Near, Problem, closest_match, join_words, with_article};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::{Key, MOST_OF_A_SORT, MapReader, Node, Value as Yaml, more_unknown};
use std::collections::BTreeMap;

impl<'p> SheetReader<'p> {
    /// A reader for entrants of a kind. `said` is the sheet that the file names. One of another kind does not count: the sheet with
    /// the kind's name is used.
    pub(super) fn of_entrant(program: &'p Program, kind: KindId, said: Option<SheetId>) -> Option<SheetReader<'p>> {
        let info = program.kinds.get(usize::from(kind))?;
        let kind_of = |sheet: SheetId| program.prints.sheets.get(usize::from(sheet)).and_then(|info| info.kind);
        let sheet = said.filter(|sheet| kind_of(*sheet) == Some(kind)).or_else(|| program.prints.sheet_by_name(&info.name));
        let what = format!("the {}", sheet.map_or(&*info.name, |sheet| sheet_name(program, sheet)));
        Some(SheetReader { program, kind: Some(info), columns: Columns { program, sheet }, what, part: false })
    }

    /// A reader for cards.
    pub(super) fn of_card(program: &'p Program, sheet: SheetId) -> SheetReader<'p> {
        let columns = Columns { program, sheet: Some(sheet) };
        SheetReader { program, kind: None, columns, what: format!("the {}", sheet_name(program, sheet)), part: false }
    }

    /// A reader for a sheet nested in another.
    pub(super) fn of_part(program: &'p Program, sheet: SheetId, what: String) -> SheetReader<'p> {
        SheetReader { program, kind: None, columns: Columns { program, sheet: Some(sheet) }, what, part: true }
    }

    /// Reads all keys of a sheet. None if any of them has an error.
    pub(super) fn read_sheet(&self, node: &Node, problems: &mut Vec<Problem>) -> Option<SheetReading> {
        let before = problems.len();
        let mut map = node.as_map(problems, &self.what)?;
        let name = map.optional_value("name").and_then(|node| self.read_name(node, problems));
        map.optional_value("sheet");
        let mut reading = SheetReading::default();
        let mut provenance = None;
        if !self.part {
            if let Some(node) = map.optional_value("abilities") {
                match long_list_problem("abilities", node) {
                    Some(problem) => problems.push(problem),
                    None => reading.abilities = abilities::read_abilities(self.program, node, problems),
                }
            }
            provenance = map.optional_value("provenance");
            let note = map.optional_value("note").and_then(|node| node.as_text(problems, "`note`"));
            reading.note = note.map(str::to_string);
            map.optional_value("game").map(|node| node.as_text(problems, "`game`"));
            self.check_replaces(map.optional_value("replaces"), problems);
        }
        let before_lines = problems.len();
        let lines = self.read_lines(&mut map, problems);
        let is_whole = !problems.iter().skip(before_lines).any(Problem::is_error);
        let provenance = provenance.map(|node| self.read_provenance(node, &lines, is_whole, problems));
        let SheetReading { zones, fields, columns, .. } = lines;
        map.finish(problems);
        let sound = !problems.iter().skip(before).any(Problem::is_error);
        sound.then(|| SheetReading { name, zones, fields, columns, provenance: provenance.unwrap_or_default(), ..reading })
    }

    /// The keys that every sheet may have.
    fn allowed_keys(&self) -> Vec<&'static str> {
        let one = self.program.prints.sheets.len() < 2;
        match self.part {
            true => vec!["name"],
            false => KEYS.into_iter().chain((!one).then_some("sheet")).collect(),
        }
    }

    /// Reads the name that players see.
    fn read_name(&self, node: &Node, problems: &mut Vec<Problem>) -> Option<String> {
        let name = node.as_text(problems, "`name`")?;
        if name.trim().is_empty() {
            problems.push(Problem::error(codes::YAML_TYPE, "`name` is empty").with_label(node.span, "needs at least one letter"));
        }
        Some(name.trim().to_string())
    }

    /// Checks the value of `replaces`, which the library has read: a name, or yes or no.
    fn check_replaces(&self, node: Option<&Node>, problems: &mut Vec<Problem>) {
        if let Some(node) = node.filter(|node| !matches!(node.value, Yaml::Text(_))) {
            node.as_flag(problems, "`replaces`");
        }
    }

    // --- printed values ---------------------------------------------------------

    /// Reads the lines that the rules declare. Reports unknown and missing ones.
    fn read_lines(&self, map: &mut MapReader, problems: &mut Vec<Problem>) -> SheetReading {
        let mut lines = SheetReading::default();
        let mut unknown = Vec::new();
        let rest = map.take_rest();
        for (key, node) in rest.iter().copied() {
            if let Some(problem) = long_list_problem(&key.name, node) {
                problems.push(problem);
            } else if let Some((index, zone)) = self.printed_zones().find(|(_, zone)| zone.name == key.name) {
                lines.zones.push((index, self.read_piece_list(zone, node, problems)));
            } else if let Some((index, field)) = self.printed_fields().find(|(_, field)| field.name == key.name) {
                lines.fields.extend(self.read_field_value(field, node, problems).map(|value| (index, value)));
            } else if let Some((printed, column)) = self.columns.find_column(&key.name) {
                lines.columns.extend(self.columns.read_column(column, node, problems).map(|said| (printed.column, said)));
            } else {
                unknown.push(key);
            }
        }
        let given: Vec<&str> = rest.iter().map(|(key, _)| key.name.as_str()).collect();
        let lists = self.printed_zones().filter(|(_, zone)| !zone.optional).map(|(_, zone)| zone.name.as_str());
        let values = self.printed_fields().filter(|(_, field)| !field.optional).map(|(_, field)| field.name.as_str());
        let columns = self.columns.all_columns().into_iter().filter(|(printed, _)| printed.default.is_none());
        let columns = columns.map(|(_, column)| column.name.as_str());
        let mut missing: Vec<&str> = lists.chain(values).chain(columns).filter(|name| !given.contains(name)).collect();
        if map.find_entry("name").is_none() && !self.part {
            missing.push("name");
        }
        for key in unknown.iter().copied().take(MOST_OF_A_SORT) {
            let near = self.report_unknown_key(key, &given, map, problems);
            missing.retain(|name| near.as_ref().is_none_or(|near| near.word != *name));
        }
        problems.extend(unknown.get(MOST_OF_A_SORT).map(|key| more_unknown(&self.what, unknown.len() - MOST_OF_A_SORT, key)));
        self.report_missing_lines(&missing, map, problems);
        self.check_amount(&lines.zones, &rest, map.span, problems);
        lines.zones.sort_by_key(|(index, _)| *index);
        lines.fields.sort_by_key(|(index, _)| *index);
        lines
    }

    /// Reads the value of a field.
    fn read_field_value(&self, field: &FieldInfo, node: &Node, problems: &mut Vec<Problem>) -> Option<Value> {
        let field = FieldInfo { shape: required_shape(field).clone(), ..field.clone() };
        field::read_printed_value(&field, node, self.program, problems)
    }

    /// The fields that files of this sheet set, with their indices in the kind.
    pub(super) fn printed_fields(&self) -> impl Iterator<Item = (u16, &FieldInfo)> {
        let fields = self.kind.map_or(&[][..], |kind| &kind.fields).iter().enumerate();
        let own = fields.filter(|(_, field)| field.printed && self.has_member_of(&field.sheets));
        own.map(|(index, field)| (index as u16, field))
    }

    /// Whether this sheet has a member that only `sheets` have.
    fn has_member_of(&self, sheets: &[SheetId]) -> bool {
        self.columns.sheet.is_none_or(|sheet| self.program.prints.matches_sheets(sheet, sheets))
    }

    /// The names of all lines that this sheet may have.
    fn line_names(&self) -> impl Iterator<Item = &str> {
        let lists = self.printed_zones().map(|(_, zone)| zone.name.as_str());
        let columns = self.columns.all_columns().into_iter().map(|(_, column)| column.name.as_str());
        lists.chain(self.printed_fields().map(|(_, field)| field.name.as_str())).chain(columns)
    }

    /// The zones whose pieces files of this sheet list, with their indices in the kind.
    pub(super) fn printed_zones(&self) -> impl Iterator<Item = (u16, &ZoneInfo)> {
        let zones = self.kind.map_or(&[][..], |kind| &kind.zones).iter().enumerate();
        let own = zones.filter(|(_, zone)| zone.printed && self.has_member_of(&zone.sheets));
        own.map(|(index, zone)| (index as u16, zone))
    }

    /// Reports an unknown key. Returns the known key that it most likely means, which is then not reported as missing.
    fn report_unknown_key(&self, key: &Key, given: &[&str], map: &MapReader, problems: &mut Vec<Problem>) -> Option<Near> {
        let free = |name: &&str| !given.contains(name) && map.find_entry(name).is_none();
        let keys = self.allowed_keys();
        let near = closest_match(&key.name, self.line_names().filter(free).chain(keys.iter().copied().filter(free)));
        let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("{} has no key `{}`", self.what, key.name))
            .with_label(key.span, "not known here");
        problems.push(match (self.sheets_with(&key.name).as_slice(), near.clone()) {
            (others @ [first, ..], _) => {
                let others: Vec<String> = others.iter().map(|sheet| with_article(sheet)).collect();
                problem.help(format!("{} has it: is a line `sheet: {first}` missing?", join_words(&others, "or")))
            }
            ([], Some(near)) => problem.suggest_near(near),
            ([], None) => {
                let known: Vec<String> = keys.iter().copied().chain(self.line_names()).map(|name| format!("`{name}`")).collect();
                problem.help(format!("the keys are {}", join_words(&known, "and")))
            }
        });
        near
    }

    /// Other sheets of the same entrants that have a line of this name.
    fn sheets_with(&self, name: &str) -> Vec<&'p str> {
        let Some(kind) = self.kind else { return Vec::new() };
        let sheets = self.program.prints.sheets.iter().enumerate().filter(|(_, info)| info.base.is_some());
        let has = |sheet: SheetId, info: &SheetInfo| {
            let field = kind.fields.iter().any(|field| field.printed && field.name == name && field.sheets.contains(&sheet));
            let zone = kind.zones.iter().any(|zone| zone.name == name && zone.sheets.contains(&sheet));
            let columns = self.program.prints.sheet_columns(sheet);
            let own = |printed: &PrintedLine| columns.iter().any(|(known, column)| known == printed && column.name == name);
            field || zone || info.prints.iter().any(own)
        };
        let root = self.columns.sheet.and_then(|sheet| self.program.prints.sheets.get(usize::from(sheet))).map(|info| info.root);
        let related = sheets.filter(|(sheet, info)| Some(info.root) == root && has(*sheet as SheetId, info));
        related.map(|(_, info)| info.name.as_str()).collect()
    }

    /// Reports the required lines that a file leaves out.
    fn report_missing_lines(&self, missing: &[&str], map: &MapReader, problems: &mut Vec<Problem>) {
        let place = map.find_entry("name").map_or(map.span, |(key, _)| key.span);
        for name in missing {
            if *name == "name" {
                let problem = Problem::error(codes::YAML_MISSING_KEY, format!("{} has no `name`", self.what));
                let problem = problem.with_label(place, "`name` is missing here");
                problems.push(problem.help("add a line `name: …`, the name that players read"));
                continue;
            }
            let column = self.columns.find_column(name).map(|(_, column)| column);
            let field = self.printed_fields().map(|(_, field)| field).find(|field| field.name == *name);
            if let Some(field) = field.or(column) {
                problems.push(self.missing_value_problem(field, place));
                continue;
            }
            let example: Vec<String> = self.program.die_sizes.iter().take(3).map(i32::to_string).collect();
            problems.push(
                Problem::error(codes::MISSING_LIST, format!("{} has no list `{name}`", self.what))
                    .with_label(place, format!("`{name}` is missing beside this"))
                    .help(format!("add a line such as `{name}: [{}]`", example.join(", "))),
            );
        }
    }

    /// The error for a value that a file leaves out.
    fn missing_value_problem(&self, field: &FieldInfo, place: Span) -> Problem {
        let name = &field.name;
        let help = match (required_shape(field), field.range) {
            (Shape::Flag, _) => format!("add a line `{name}: true` or `{name}: false`"),
            (Shape::Word(of), _) => {
                let words = self.program.words.get(*of as usize).map_or(&[][..], |words| words.words.as_slice());
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("add a line `{name}: …` with {}", join_words(&words, "or"))
            }
            (Shape::Text, _) => format!("add a line `{name}: …` with a text"),
            (Shape::List(_), _) => format!("add a line `{name}: […]`, or `{name}: []` for none"),
            (Shape::Sheet(_), _) => format!("add a line `{name}:` and its lines below, indented"),
            (_, Some((least, most))) => format!("add a line such as `{name}: {least}`; it goes from {least} to {most}"),
            (_, None) => format!("add a line such as `{name}: 1`"),
        };
        let message = format!("{} has no `{name}`", self.what);
        Problem::error(codes::MISSING_VALUE, message).with_label(place, format!("`{name}` is missing beside this")).help(help)
    }

    // --- lists of pieces -------------------------------------------------------

    /// Reads the dice or cards of a zone.
    fn read_piece_list(&self, zone: &ZoneInfo, node: &Node, problems: &mut Vec<Problem>) -> Vec<PrintedPiece> {
        let what = format!("`{}`", zone.name);
        if self.program.is_printed(zone.holds) {
            return cards::read_cards(self.program, zone, node, problems);
        }
        let Some(list) = node.as_list(problems, &what) else { return Vec::new() };
        if list.is_empty() && !zone.optional {
            let problem = Problem::error(codes::LIST_LENGTH, format!("{what} is empty")).with_label(node.span, "lists nothing");
            problems.push(problem.help("list at least one piece"));
        }
        if self.program.die != Some(zone.holds) {
            let holds = self.program.kinds.get(zone.holds as usize).map_or("pieces", |kind| &kind.plural);
            let problem = Problem::error(codes::PIECE_KIND, format!("{what} holds {holds}, which a sheet cannot list"));
            problems.push(problem.with_label(node.span, "only dice can be listed"));
            return Vec::new();
        }
        list.iter().filter_map(|node| read_listed_die(node, &what, self.program, problems)).collect()
    }

    /// Reports more dice or cards than a sheet may list together.
    fn check_amount(&self, zones: &[(u16, Vec<PrintedPiece>)], lists: &[&(Key, Node)], span: Span, problems: &mut Vec<Problem>) {
        let count = |cards: bool| -> usize {
            let pieces = zones.iter().flat_map(|(_, pieces)| pieces);
            pieces.filter(|piece| piece.print.is_some() == cards).count()
        };
        let (amount, most) = match (count(false), count(true)) {
            (dice, _) if dice > MOST_PIECES => (dice, MOST_PIECES),
            (_, cards) if cards > MOST_CARDS => (cards, MOST_CARDS),
            _ => return,
        };
        let longest = lists
            .iter()
            .max_by_key(|(_, node)| if let Yaml::List(list) = &node.value { list.len() } else { 0 })
            .map_or(span, |(_, node)| node.span);
        let message = format!("{} has {amount} pieces", self.what);
        problems.push(
            Problem::error(codes::LIST_LENGTH, message)
                .with_label(longest, "the longest list")
                .help(format!("all lists together hold at most {most}")),
        );
    }

    /// Reads the sources of this file's lines. Keys that are no lines of it are errors. But unless all lines could be read
    /// (`is_whole`), such a key may name a line with an error of its own.
    fn read_provenance(
        &self,
        node: &Node,
        lines: &SheetReading,
        is_whole: bool,
        problems: &mut Vec<Problem>,
    ) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let Some(entries) = node.as_entries(problems, "`provenance`") else { return found };
        let lists = self.printed_zones().filter(|(index, _)| lines.zones.iter().any(|(zone, _)| zone == index));
        let values = self.printed_fields().filter(|(index, _)| lines.fields.iter().any(|(field, _)| field == index));
        let is_given = |column: u16| lines.columns.iter().any(|(given, _)| *given == column);
        let columns = self.columns.all_columns().into_iter().filter(|(printed, _)| is_given(printed.column));
        let listed = lists.map(|(_, zone)| zone.name.as_str()).chain(values.map(|(_, field)| field.name.as_str()));
        let listed: Vec<&str> = listed.chain(columns.map(|(_, column)| column.name.as_str())).collect();
        for (key, value) in entries {
            if !listed.contains(&key.name.as_str()) {
                if !is_whole && self.line_names().any(|name| name == key.name) {
                    continue;
                }
                problems.push(self.unknown_provenance_problem(key, &listed));
            } else if let Some(word) = read_provenance_word(value, &key.name, problems) {
                found.insert(key.name.clone(), word.to_string());
            }
        }
        found
    }

    /// The error for the source of a line that the file does not have.
    fn unknown_provenance_problem(&self, key: &Key, listed: &[&str]) -> Problem {
        let is_value =
            self.printed_fields().any(|(_, field)| field.name == key.name) || self.columns.find_column(&key.name).is_some();
        let sort = if is_value { "line" } else { "list" };
        let problem = Problem::error(codes::UNKNOWN_PROVENANCE, format!("{} has no {sort} `{}`", self.what, key.name))
            .with_label(key.span, "not on this sheet");
        match closest_match(&key.name, listed.iter().copied()).filter(|_| !is_value) {
            Some(near) => problem.suggest_near(near),
            None => problem.help(format!("add the {sort} `{}`, or remove this", key.name)),
        }
    }
}

/// The name of a sheet in messages.
fn sheet_name(program: &Program, sheet: SheetId) -> &str {
    program.prints.sheets.get(usize::from(sheet)).map_or("sheet", |sheet| sheet.name.as_str())
}

/// The shape of a field in a file: `none` is not allowed for a required line.
fn required_shape(field: &FieldInfo) -> &Shape {
    match &field.shape {
        Shape::OrNone(inner) if !field.optional => inner,
        shape => shape,
    }
}

/// Reads one of the words for a source.
fn read_provenance_word<'n>(value: &'n Node, list: &str, problems: &mut Vec<Problem>) -> Option<&'n str> {
    let what = format!("the provenance of `{list}`");
    let word = value.as_text(problems, &what)?;
    if PROVENANCES.contains(&word) {
        return Some(word);
    }
    let known: Vec<String> = PROVENANCES.iter().map(|word| format!("`{word}`")).collect();
    let problem = Problem::error(codes::UNKNOWN_PROVENANCE, format!("{what} cannot be `{word}`"))
        .with_label(value.span, format!("must be {}", join_words(&known, "or")));
    problems.push(problem.suggest(word, PROVENANCES));
    None
}

/// The error for a list over the maximum length, whose members are not read.
fn long_list_problem(name: &str, node: &Node) -> Option<Problem> {
    let length = match &node.value {
        Yaml::List(list) => list.len(),
        Yaml::Map(entries) => entries.len(),
        _ => 0,
    };
    (length > MOST_CARDS).then(|| {
        let message = format!("`{name}` lists {length} things");
        let problem = Problem::error(codes::LIST_LENGTH, message).with_label(node.span, "longer than any list may be");
        problem.help(format!("a list has at most {MOST_CARDS} entries"))
    })
}
