//! Entrants in a position: their ids, their states, the pieces in their zones, and the uses of their abilities.

use super::read::{PositionReader, count_range_text, given_text, with_choices};
use super::{AbilityUses, EntrantPosition, Spanned};
use ludex_program::{AbilityId, AbilityInfo, Kind, Program, SIDE, Sheet};
use ludex_syntax::codes;
use ludex_syntax::problem::{Near, Problem, closest_match};
use ludex_syntax::source::Span;
use ludex_syntax::yaml::{Key, Node, Value};

/// The keys of the entrants of some sides: `otter`, and `otter#2` for the second one with that id in the match.
pub(super) fn keys_of_entrants(sides: &[Node]) -> Vec<String> {
    let ids: Vec<String> = sides.iter().flat_map(listed_entrants).filter_map(entrant_id).collect();
    let key = |(place, id): (usize, &String)| match ids[..place].iter().filter(|other| *other == id).count() {
        0 => id.clone(),
        before => format!("{id}#{}", before + 1),
    };
    ids.iter().enumerate().map(key).collect()
}

/// The entrants that a side lists.
fn listed_entrants(side: &Node) -> &[Node] {
    let Value::Map(entries) = &side.value else { return &[] };
    match entries.iter().find(|(key, _)| key.name == "entrants") {
        Some((_, Node { value: Value::List(entrants), .. })) => entrants,
        _ => &[],
    }
}

/// The id of a listed entrant, with or without a state.
fn entrant_id(entrant: &Node) -> Option<String> {
    match &entrant.value {
        Value::Text(id) => Some(id.clone()),
        Value::Map(entries) => entries.first().map(|(key, _)| key.name.clone()),
        _ => None,
    }
}

impl PositionReader<'_> {
    /// Reads the entrants of a side: their ids, and the state of each.
    pub(super) fn read_entrants(&mut self, node: &Node) -> Option<(Vec<Spanned<String>>, Vec<EntrantPosition>)> {
        let list = node.as_list(self.problems, "`entrants`")?;
        let (mut found, mut settings) = (Vec::new(), Vec::new());
        for node in list {
            let Some((id, span, stated)) = self.read_entrant(node) else { continue };
            let sheet = self.program.sheets.get(id);
            settings.push(sheet.zip(stated).map(|(sheet, node)| self.read_setting(node, sheet)).unwrap_or_default());
            if sheet.is_none() {
                self.problems.push(unknown_entrant_problem(id, span, self.program));
            }
            found.push(Spanned { value: id.to_string(), span });
        }
        let (least, most) = (self.program.sides.entrants_least, self.program.sides.entrants_most);
        if !(least..=most).contains(&list.len()) {
            let wanted = count_range_text(least, most, "entrant", "entrants");
            let problem = Problem::error(codes::POSITION_SIDES, format!("a side has {wanted}"));
            self.problems.push(problem.with_label(node.span, given_text(list.len())));
        }
        Some((found, settings))
    }

    /// Reads `otter`, or `{otter: {speed: 7}}`: the id, its place, and the state.
    fn read_entrant<'n>(&mut self, node: &'n Node) -> Option<(&'n str, Span, Option<&'n Node>)> {
        let Value::Map(entries) = &node.value else {
            return node.as_text(self.problems, "an entrant").map(|id| (id, node.span, None));
        };
        if let [(key, stated)] = entries.as_slice() {
            return Some((&key.name, key.span, Some(stated)));
        }
        let problem = Problem::error(codes::YAML_TYPE, "each entry of `entrants` is one entrant");
        let problem = problem.with_label(node.span, format!("has {} keys", entries.len()));
        self.problems.push(problem.help("write `- otter: {speed: 7}`, each entrant on its own line"));
        None
    }

    /// Reads `{speed: 7, breath: 5, marks: [tired], zones: {nest: [6]}, used: {dive: 1}}`.
    fn read_setting(&mut self, node: &Node, sheet: &Sheet) -> EntrantPosition {
        let mut setting = EntrantPosition::default();
        let Some(entries) = node.as_entries(self.problems, "the description of an entrant") else { return setting };
        let declared = self.declared_sheet(sheet);
        for (key, value) in entries {
            match key.name.as_str() {
                "marks" => setting.marks = self.read_marks(value),
                "zones" if self.is_not_field(key, sheet) => setting.zones = self.read_zones(value, sheet.kind, declared),
                "used" if self.is_not_field(key, sheet) => setting.used = self.read_entrant_uses(value, sheet),
                _ => setting.fields.extend(self.read_field(key, value, sheet.kind, declared, &["marks", "zones", "used"])),
            }
        }
        setting
    }

    /// Whether a key is not a field of the rules, which may have the same name.
    fn is_not_field(&self, key: &Key, sheet: &Sheet) -> bool {
        !self.program.kind(sheet.kind).fields.iter().any(|field| field.name == key.name)
    }

    // --- entries of an entrant rather than the side ------------------------------------------

    /// The kind of thing that sides bring.
    fn entrant_kind(&self) -> Option<&Kind> {
        self.program.sides.entrant.map(|kind| self.program.kind(kind))
    }

    /// Whether entrants have a field of this name.
    pub(super) fn entrants_have_field(&self, field: &str) -> bool {
        self.entrant_kind().is_some_and(|kind| kind.fields.iter().any(|known| known.name == field))
    }

    /// Whether a zone can be listed with the side: one of its own, or of a single entrant that does not list it, too. Reports
    /// others.
    pub(super) fn is_side_zone(&mut self, key: &Key, entrants: &[Spanned<String>], settings: &[EntrantPosition]) -> bool {
        let place = |kind: &Kind| kind.zones.iter().position(|zone| zone.name == key.name);
        let of_entrants = self.entrant_kind().and_then(place).filter(|_| place(self.program.kind(SIDE)).is_none());
        let Some(zone) = of_entrants else { return true };
        let listed_twice = settings.iter().any(|setting| setting.zones.contains_key(&(zone as u16)));
        let Some(first) = entrants.first().filter(|_| entrants.len() > 1 || listed_twice) else { return true };
        let (name, id) = (&key.name, &first.value);
        let problem = match entrants.len() {
            1 => Problem::error(codes::POSITION_WHOSE, format!("`{name}` is listed twice")).with_label(key.span, "listed again"),
            count => {
                let message = format!("each of the {count} entrants has a zone `{name}`, but the side has none");
                Problem::error(codes::POSITION_WHOSE, message).with_label(key.span, "whose?")
            }
        };
        self.problems.push(problem.help(format!("list it once, with its entrant: `- {id}: {{zones: {{{name}: […]}}}}`")));
        false
    }

    /// The uses given with a side. If several entrants have the ability, each needs its own entry.
    pub(super) fn read_side_uses(
        &mut self,
        node: &Node,
        entrants: &[Spanned<String>],
        settings: &[EntrantPosition],
    ) -> AbilityUses {
        let sheets = &self.program.sheets;
        let owned = |entrant: &Spanned<String>| sheets.get(&entrant.value).map(sheet_abilities).unwrap_or_default();
        let owned: Vec<Vec<AbilityId>> = entrants.iter().map(owned).collect();
        let found = self.read_uses(node, &owned.concat(), "this side");
        for (ability, uses) in &found {
            let owners = entrants.iter().zip(&owned).filter(|(_, own)| own.contains(ability));
            let owners: Vec<&str> = owners.map(|(entrant, _)| entrant.value.as_str()).collect();
            let twice = settings.iter().any(|setting| setting.used.contains_key(ability));
            self.problems.extend(unclear_uses_problem(&self.ability_info(*ability).id, uses, &owners, twice));
        }
        found
    }

    /// The uses given with an entrant.
    fn read_entrant_uses(&mut self, node: &Node, sheet: &Sheet) -> AbilityUses {
        self.read_uses(node, &sheet_abilities(sheet), &format!("`{}`", sheet.id))
    }

    /// Reads `{dive: 1}`: how often abilities have been used. `owned` are those that it may name, and `owner` describes who has
    /// them.
    fn read_uses(&mut self, node: &Node, owned: &[AbilityId], owner: &str) -> AbilityUses {
        let mut found = AbilityUses::new();
        for (key, value) in node.as_entries(self.problems, "`used`").unwrap_or_default() {
            let Some(ability) = owned.iter().copied().find(|ability| self.ability_info(*ability).id == key.name) else {
                self.problems.push(self.not_owned_problem(key, owned, owner));
                continue;
            };
            // The widest of its limits counts.
            let most = self.ability_info(ability).uses.iter().map(|limit| i64::from(limit.times)).max();
            let most = most.unwrap_or(i64::from(i32::MAX));
            if let Some(times) = value.as_number(self.problems, &format!("the uses of `{}`", key.name), 0..=most) {
                found.insert(ability, Spanned { value: times, span: value.span });
            }
        }
        found
    }

    /// The error for uses of an ability that the side or entrant does not have.
    fn not_owned_problem(&self, key: &Key, owned: &[AbilityId], owner: &str) -> Problem {
        let message = match self.program.ability_by_id(&key.name) {
            Some(_) => format!("{owner} does not have the ability `{}`", key.name),
            None => format!("there is no ability `{}`", key.name),
        };
        let problem = Problem::error(codes::UNKNOWN_ABILITY, message).with_label(key.span, format!("not an ability of {owner}"));
        let owned: Vec<&str> = owned.iter().map(|ability| self.ability_info(*ability).id.as_str()).collect();
        with_choices(problem, &key.name, &owned, "there are")
    }

    fn ability_info(&self, ability: AbilityId) -> &AbilityInfo {
        &self.program.abilities[usize::from(ability)]
    }
}

/// The error for uses given with a side although several entrants have the ability, or although an entrant has an entry, too.
fn unclear_uses_problem(ability: &str, uses: &Spanned<i64>, owners: &[&str], twice: bool) -> Option<Problem> {
    let message = match owners.len() {
        _ if twice => format!("the uses of `{ability}` are given twice"),
        0 | 1 => return None,
        several => format!("{several} entrants of this side have `{ability}`"),
    };
    let owner = owners.first()?;
    let help = format!("write it once, with the entrant: `- {owner}: {{used: {{{ability}: {}}}}}`", uses.value);
    Some(Problem::error(codes::POSITION_WHOSE, message).with_label(uses.span, "whose?").help(help))
}

fn sheet_abilities(sheet: &Sheet) -> Vec<AbilityId> {
    sheet.abilities.iter().map(|listed| listed.ability).collect()
}

/// The error for an entrant without a sheet, with the nearest id or name.
pub fn unknown_entrant_problem(id: &str, span: Span, program: &Program) -> Problem {
    let problem =
        Problem::error(codes::UNKNOWN_ENTRANT, format!("there is no `{id}` in this game")).with_label(span, "not known");
    let named = program.sheets.values().find(|sheet| sheet.name.eq_ignore_ascii_case(id));
    let named = named.map(|sheet| Near::sole_match(id, &sheet.id));
    match named.or_else(|| closest_match(id, program.sheets.keys().map(String::as_str))) {
        Some(near) => problem.suggest_near(near),
        None => problem.help(format!("`ludex show {}` lists the sheets", program.game)),
    }
}
