//! A sheet's YAML → an entrant of a compiled game. Which lists, numbers and words a sheet has is told by the game.

#[cfg(test)]
mod tests;

use crate::codes;
use crate::field;
use crate::problem::{Problem, joined, nearest};
use crate::program::{AbilityId, Faces, FieldInfo, Kind, KindId, PrintedPiece, Program, Shape, Sheet, Value, ZoneInfo};
use crate::source::{SourceId, Span};
use crate::yaml::{Key, MapReader, Node, Value as Yaml};
use std::collections::BTreeMap;

/// The most pieces one sheet may list.
pub const MOST_PIECES: usize = 20;

/// Names that a message lists; of more than these it only says where to find them.
const MOST_NAMED: usize = 8;

/// Where a list may come from.
pub const PROVENANCES: [&str; 5] = ["seed", "deduced", "third-party", "placeholder", "ours"];

/// Keys that a sheet of every game may have.
pub(crate) const KEYS: [&str; 6] = ["name", "abilities", "provenance", "note", "game", "replaces"];

/// Reads a sheet and checks it against the game. There is a sheet whenever enough of it is known to go on.
pub fn read(node: &Node, source: SourceId, stem: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<Sheet> {
    let kind_id = program.sides.entrant?;
    let kind = program.kinds.get(kind_id as usize)?;
    let reader = SheetReader { program, kind, what: format!("the {}", kind.name) };
    reader.read(node, source, stem, kind_id, problems)
}

/// What one file says of all that the game's sheets print.
#[derive(Default)]
struct Lines {
    zones: Vec<(u16, Vec<PrintedPiece>)>,
    fields: Vec<(u16, Value)>,
}

struct SheetReader<'p> {
    program: &'p Program,
    kind: &'p Kind,
    /// What the sheet is called in messages: `the character`.
    what: String,
}

impl SheetReader<'_> {
    fn read(&self, node: &Node, source: SourceId, stem: &str, kind: KindId, problems: &mut Vec<Problem>) -> Option<Sheet> {
        let before = problems.len();
        let mut map = node.as_map(problems, &self.what)?;
        let name = map.optional("name").and_then(|node| self.name(node, problems));
        let abilities = map.optional("abilities").map(|node| self.abilities(node, problems));
        let provenance = map.optional("provenance");
        let note = map.optional("note").and_then(|node| node.as_text(problems, "`note`"));
        map.optional("game").map(|node| node.as_text(problems, "`game`"));
        self.check_replaces(map.optional("replaces"), problems);
        let Lines { zones, fields } = self.lines(&mut map, problems);
        let provenance = provenance.map(|node| self.provenance(node, &zones, &fields, problems));
        map.finish(problems);
        let sound = !problems.iter().skip(before).any(Problem::is_error);
        sound.then(|| Sheet {
            id: stem.to_string(),
            name: name.unwrap_or_else(|| stem.to_string()),
            kind,
            zones,
            fields,
            abilities: abilities.unwrap_or_default(),
            provenance: provenance.unwrap_or_default(),
            note: note.map(str::to_string),
            source,
        })
    }

    fn name(&self, node: &Node, problems: &mut Vec<Problem>) -> Option<String> {
        let name = node.as_text(problems, "`name`")?;
        if name.trim().is_empty() {
            problems.push(Problem::error(codes::YAML_TYPE, "`name` is empty").at(node.span, "needs at least one letter"));
        }
        Some(name.trim().to_string())
    }

    fn check_replaces(&self, node: Option<&Node>, problems: &mut Vec<Problem>) {
        if let Some(node) = node.filter(|node| !matches!(node.value, Yaml::Text(_))) {
            node.as_flag(problems, "`replaces`");
        }
    }

    // --- what the game's sheets print ------------------------------------------

    fn lines(&self, map: &mut MapReader, problems: &mut Vec<Problem>) -> Lines {
        let mut lines = Lines::default();
        let mut unknown = Vec::new();
        let rest = map.rest();
        for (key, node) in rest.iter().copied() {
            if let Some((index, zone)) = self.printed().find(|(_, zone)| zone.name == key.name) {
                lines.zones.push((index, self.pieces(zone, node, problems)));
            } else if let Some((index, field)) = self.printed_fields().find(|(_, field)| field.name == key.name) {
                lines.fields.extend(self.value(field, node, problems).map(|value| (index, value)));
            } else {
                unknown.push(key);
            }
        }
        let given: Vec<&str> = rest.iter().map(|(key, _)| key.name.as_str()).collect();
        let lists = self.printed().filter(|(_, zone)| !zone.optional).map(|(_, zone)| zone.name.as_str());
        let values = self.printed_fields().filter(|(_, field)| !field.optional).map(|(_, field)| field.name.as_str());
        let mut missing: Vec<&str> = lists.chain(values).filter(|name| !given.contains(name)).collect();
        if map.entry("name").is_none() {
            missing.push("name");
        }
        for key in unknown {
            let near = self.report_unknown_key(key, &given, map, problems);
            missing.retain(|name| Some(*name) != near);
        }
        self.report_missing(&missing, map, problems);
        self.check_amount(&lines.zones, &rest, map.span, problems);
        lines.zones.sort_by_key(|(index, _)| *index);
        lines.fields.sort_by_key(|(index, _)| *index);
        lines
    }

    fn value(&self, field: &FieldInfo, node: &Node, problems: &mut Vec<Problem>) -> Option<Value> {
        let words = field::words_of(field, node, self.program, 0, problems)?;
        field::read_value(self.program, &field.shape, &words)
    }

    fn printed_fields(&self) -> impl Iterator<Item = (u16, &FieldInfo)> {
        self.kind.fields.iter().enumerate().filter(|(_, field)| field.printed).map(|(index, field)| (index as u16, field))
    }

    /// Names of all lines that the game's sheets may have.
    fn names(&self) -> impl Iterator<Item = &str> {
        let lists = self.printed().map(|(_, zone)| zone.name.as_str());
        lists.chain(self.printed_fields().map(|(_, field)| field.name.as_str()))
    }

    fn printed(&self) -> impl Iterator<Item = (u16, &ZoneInfo)> {
        self.kind.zones.iter().enumerate().filter(|(_, zone)| zone.printed).map(|(index, zone)| (index as u16, zone))
    }

    /// Gives the known key that the unknown one seems to mean.
    fn report_unknown_key(&self, key: &Key, given: &[&str], map: &MapReader, problems: &mut Vec<Problem>) -> Option<&str> {
        let free = |name: &&str| !given.contains(name) && map.entry(name).is_none();
        let near = nearest(&key.name, self.names().filter(free).chain(KEYS.into_iter().filter(free)));
        let problem = Problem::error(codes::YAML_UNKNOWN_KEY, format!("{} has no key `{}`", self.what, key.name))
            .at(key.span, "not known here");
        problems.push(match near {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => {
                let known: Vec<String> = KEYS.into_iter().chain(self.names()).map(|name| format!("`{name}`")).collect();
                problem.help(format!("the keys are {}", joined(&known, "and")))
            }
        });
        near
    }

    fn report_missing(&self, missing: &[&str], map: &MapReader, problems: &mut Vec<Problem>) {
        let place = map.entry("name").map_or(map.span, |(key, _)| key.span);
        for name in missing {
            if *name == "name" {
                let problem = Problem::error(codes::YAML_MISSING_KEY, format!("{} has no `name`", self.what));
                let problem = problem.at(place, "`name` is missing here");
                problems.push(problem.help("add a line `name: …`, the name that players read"));
                continue;
            }
            if let Some((_, field)) = self.printed_fields().find(|(_, field)| field.name == *name) {
                problems.push(self.missing_value(field, place));
                continue;
            }
            let example: Vec<String> = self.program.die_sizes.iter().take(3).map(i32::to_string).collect();
            problems.push(
                Problem::error(codes::MISSING_LIST, format!("{} has no list `{name}`", self.what))
                    .at(place, format!("`{name}` is missing beside this"))
                    .help(format!("add a line such as `{name}: [{}]`", example.join(", "))),
            );
        }
    }

    fn missing_value(&self, field: &FieldInfo, place: Span) -> Problem {
        let name = &field.name;
        let help = match (&field.shape, field.range) {
            (Shape::Flag, _) => format!("add a line `{name}: true` or `{name}: false`"),
            (Shape::Word(of), _) => {
                let words = self.program.words.get(*of as usize).map_or(&[][..], |words| words.words.as_slice());
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("add a line `{name}: …` with {}", joined(&words, "or"))
            }
            (_, Some((least, most))) => format!("add a line such as `{name}: {least}`; it goes from {least} to {most}"),
            (_, None) => format!("add a line such as `{name}: 1`"),
        };
        let message = format!("{} has no `{name}`", self.what);
        Problem::error(codes::MISSING_VALUE, message).at(place, format!("`{name}` is missing beside this")).help(help)
    }

    // --- lists of pieces -------------------------------------------------------

    fn pieces(&self, zone: &ZoneInfo, node: &Node, problems: &mut Vec<Problem>) -> Vec<PrintedPiece> {
        let what = format!("`{}`", zone.name);
        let Some(list) = node.as_list(problems, &what) else { return Vec::new() };
        if list.is_empty() && !zone.optional {
            let problem = Problem::error(codes::LIST_LENGTH, format!("{what} is empty")).at(node.span, "lists nothing");
            problems.push(problem.help("list at least one piece"));
        }
        if self.program.die != Some(zone.holds) {
            let holds = self.program.kinds.get(zone.holds as usize).map_or("pieces", |kind| &kind.plural);
            let problem = Problem::error(codes::PIECE_KIND, format!("{what} holds {holds}, which a sheet cannot list"));
            problems.push(problem.at(node.span, "only dice can be listed"));
            return Vec::new();
        }
        list.iter().filter_map(|node| die(node, &what, self.program, problems)).collect()
    }

    fn check_amount(&self, zones: &[(u16, Vec<PrintedPiece>)], lists: &[&(Key, Node)], span: Span, problems: &mut Vec<Problem>) {
        let amount: usize = zones.iter().map(|(_, pieces)| pieces.len()).sum();
        if amount <= MOST_PIECES {
            return;
        }
        let longest = lists
            .iter()
            .max_by_key(|(_, node)| if let Yaml::List(list) = &node.value { list.len() } else { 0 })
            .map_or(span, |(_, node)| node.span);
        let message = format!("{} has {amount} pieces", self.what);
        problems.push(
            Problem::error(codes::LIST_LENGTH, message)
                .at(longest, "the longest list")
                .help(format!("all lists together hold at most {MOST_PIECES}")),
        );
    }

    fn provenance(
        &self,
        node: &Node,
        zones: &[(u16, Vec<PrintedPiece>)],
        fields: &[(u16, Value)],
        problems: &mut Vec<Problem>,
    ) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let Some(entries) = node.as_entries(problems, "`provenance`") else { return found };
        let lists = self.printed().filter(|(index, _)| zones.iter().any(|(zone, _)| zone == index));
        let values = self.printed_fields().filter(|(index, _)| fields.iter().any(|(field, _)| field == index));
        let listed: Vec<&str> =
            lists.map(|(_, zone)| zone.name.as_str()).chain(values.map(|(_, field)| field.name.as_str())).collect();
        for (key, value) in entries {
            if !listed.contains(&key.name.as_str()) {
                problems.push(self.provenance_of_nothing(key, &listed));
            } else if let Some(word) = provenance_word(value, &key.name, problems) {
                found.insert(key.name.clone(), word.to_string());
            }
        }
        found
    }

    fn provenance_of_nothing(&self, key: &Key, listed: &[&str]) -> Problem {
        let is_value = self.printed_fields().any(|(_, field)| field.name == key.name);
        let sort = if is_value { "line" } else { "list" };
        let problem = Problem::error(codes::UNKNOWN_PROVENANCE, format!("{} has no {sort} `{}`", self.what, key.name))
            .at(key.span, "comes from nowhere: it is not given");
        match nearest(&key.name, listed.iter().copied()).filter(|_| !is_value) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help(format!("add the {sort} `{}`, or remove this", key.name)),
        }
    }

    // --- abilities -------------------------------------------------------------

    fn abilities(&self, node: &Node, problems: &mut Vec<Problem>) -> Vec<(AbilityId, Vec<Value>)> {
        let Some(list) = node.as_list(problems, "`abilities`") else { return Vec::new() };
        let mut found: Vec<(AbilityId, Span)> = Vec::new();
        for node in list {
            let Some((name, span)) = self.ability_name(node, problems) else { continue };
            let Some(id) = self.program.ability(name) else {
                problems.push(self.unknown_ability(name, span));
                continue;
            };
            match found.iter().find(|(known, _)| *known == id) {
                Some((_, first)) => problems.push(
                    Problem::error(codes::ABILITY_TWICE, format!("the ability `{name}` is given twice"))
                        .at(span, "given again")
                        .at(*first, "given here")
                        .help("remove one of the two"),
                ),
                None => found.push((id, span)),
            }
        }
        found.into_iter().map(|(id, _)| (id, Vec::new())).collect()
    }

    /// `big-hop`, or `{big-hop: {setting: value}}`.
    fn ability_name<'n>(&self, node: &'n Node, problems: &mut Vec<Problem>) -> Option<(&'n str, Span)> {
        match &node.value {
            Yaml::Map(entries) => match entries.as_slice() {
                [(key, settings)] => {
                    self.check_settings(&key.name, settings, problems);
                    Some((&key.name, key.span))
                }
                _ => {
                    let problem = Problem::error(codes::YAML_TYPE, "one entry of `abilities` names one ability")
                        .at(node.span, format!("has {} keys", entries.len()));
                    problems.push(problem.help("write `- ability: {setting: value}`, each ability on its own line"));
                    None
                }
            },
            _ => node.as_text(problems, "an ability").map(|name| (name, node.span)),
        }
    }

    fn check_settings(&self, ability: &str, settings: &Node, problems: &mut Vec<Problem>) {
        if settings.value == Yaml::Null || self.program.ability(ability).is_none() {
            return;
        }
        let Some(entries) = settings.as_entries(problems, "the settings of an ability") else { return };
        for (key, _) in entries {
            problems.push(
                Problem::error(codes::UNKNOWN_SETTING, format!("`{ability}` has no setting `{}`", key.name))
                    .at(key.span, "not known here")
                    .help(format!("`{ability}` is used as it is: write it without settings")),
            );
        }
    }

    fn unknown_ability(&self, name: &str, span: Span) -> Problem {
        let known: Vec<&str> = self.program.abilities.iter().map(|ability| ability.id.as_str()).collect();
        let titled = self.program.abilities.iter().find(|ability| ability.title.eq_ignore_ascii_case(name));
        let problem = Problem::error(codes::UNKNOWN_ABILITY, format!("there is no ability `{name}`")).at(span, "not known");
        match titled.map(|ability| ability.id.as_str()).or_else(|| nearest(name, known.iter().copied())) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None if known.len() > MOST_NAMED => problem.help(format!(
                "`ludex show {} abilities` lists them; a script `{name}.rhai` would make a new one",
                self.program.game
            )),
            None if known.is_empty() => problem.help(format!("the game has none; a script `{name}.rhai` would make it")),
            None => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                problem.help(format!("there are {}; a script `{name}.rhai` would make a new one", joined(&known, "and")))
            }
        }
    }
}

fn provenance_word<'n>(value: &'n Node, list: &str, problems: &mut Vec<Problem>) -> Option<&'n str> {
    let what = format!("the provenance of `{list}`");
    let word = value.as_text(problems, &what)?;
    if PROVENANCES.contains(&word) {
        return Some(word);
    }
    let known: Vec<String> = PROVENANCES.iter().map(|word| format!("`{word}`")).collect();
    let problem = Problem::error(codes::UNKNOWN_PROVENANCE, format!("{what} cannot be `{word}`"))
        .at(value.span, format!("must be {}", joined(&known, "or")));
    problems.push(problem.suggest(word, PROVENANCES));
    None
}

/// A die as a list of dice tells it: by its size, or by the name of one with faces of its own.
pub(crate) fn die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    match &node.value {
        Yaml::Text(name) if program.die_named(name).is_some() => die_with_faces(node, program, problems),
        _ => plain_die(node, what, program, problems),
    }
}

/// A die with faces of its own, by its name in the rules.
pub(crate) fn die_with_faces(node: &Node, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    if let Yaml::Number(size) = node.value {
        let problem =
            Problem::error(codes::YAML_TYPE, "`die` names a die with faces of its own").at(node.span, "this is a number");
        problems.push(problem.help(format!("write `size: {size}` for a die that shows 1 to {size}")));
        return None;
    }
    let name = node.as_text(problems, "`die`")?;
    if let Some(faces) = program.die_named(name) {
        return Some(PrintedPiece { kind: faces.kind, size: faces.values.len() as i32 });
    }
    let known: Vec<&str> = program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str()).collect();
    let problem = Problem::error(codes::DIE_SIZE, format!("there is no die called `{name}`")).at(node.span, "not known");
    let titled = program.faces.iter().find(|faces| faces.title == name).map(|faces| &program.kind(faces.kind).name);
    problems.push(match (titled, known.is_empty()) {
        (Some(named), _) => problem.help(format!("write `{named}`")),
        (None, true) => problem.help("no die of this game has faces of its own: write its `size`"),
        (None, false) => problem.suggest(name, known),
    });
    None
}

/// A die that shows 1 to its size.
pub(crate) fn plain_die(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<PrintedPiece> {
    let size = die_size(node, what, program, problems)?;
    program.die.map(|kind| PrintedPiece { kind, size })
}

fn die_size(node: &Node, what: &str, program: &Program, problems: &mut Vec<Problem>) -> Option<i32> {
    let size = match &node.value {
        Yaml::Number(size) => *size,
        Yaml::Text(text) => match text.strip_prefix(['d', 'D']).and_then(|digits| digits.parse::<i64>().ok()) {
            Some(size) => {
                let problem = Problem::error(codes::YAML_TYPE, format!("{what} must list the sizes of dice as numbers"))
                    .at(node.span, format!("this is the text `{text}`"));
                problems.push(problem.help(format!("write `{size}`")));
                return None;
            }
            None if !program.faces.is_empty() => {
                let named = |faces: &Faces| (faces.title == *text).then(|| program.kind(faces.kind).name.as_str());
                let known: Vec<&str> = program.faces.iter().map(|faces| program.kind(faces.kind).name.as_str()).collect();
                let problem = Problem::error(codes::DIE_SIZE, format!("there is no die called `{text}`"))
                    .at(node.span, "neither a size nor the name of a die");
                problems.push(match program.faces.iter().find_map(named) {
                    _ if known.contains(&text.as_str()) => die_for_size(text, node.span),
                    Some(name) => problem.help(format!("write `{name}`")),
                    None => problem.suggest(text, known),
                });
                return None;
            }
            None => node.as_number(problems, &format!("a die of {what}"), 1..=i64::from(i32::MAX))?,
        },
        _ => node.as_number(problems, &format!("a die of {what}"), 1..=i64::from(i32::MAX))?,
    };
    let known = i32::try_from(size).ok().filter(|size| program.die_sizes.contains(size));
    if known.is_none() {
        problems.push(no_such_die(size, node.span, program));
    }
    known
}

/// A die that is named where its size should stand.
fn die_for_size(name: &str, span: Span) -> Problem {
    Problem::error(codes::YAML_TYPE, format!("`{name}` is no size"))
        .at(span, "a die with faces of its own")
        .help(format!("write `die: {name}`"))
}

fn no_such_die(size: i64, span: Span, program: &Program) -> Problem {
    let sizes: Vec<String> = program.die_sizes.iter().map(i32::to_string).collect();
    let others: Vec<String> = program.faces.iter().map(|faces| format!("`{}`", program.kind(faces.kind).name)).collect();
    let problem = Problem::error(codes::DIE_SIZE, format!("there is no d{size}")).at(span, "no die has this size");
    match (sizes.as_slice(), others.as_slice()) {
        ([], []) => problem.help("the game has no dice"),
        (sizes, []) => problem.help(format!("sizes are {}", joined(sizes, "and"))),
        ([], others) => problem.help(format!("dice are called {}", joined(others, "and"))),
        (sizes, others) => {
            problem.help(format!("sizes are {}; others are called {}", joined(sizes, "and"), joined(others, "and")))
        }
    }
}
