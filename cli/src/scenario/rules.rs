//! The rule ids in a game's README.
//!
//! The tables list the rules of the original game, so that coverage shows which of them a scenario shows. Scenarios, rules,
//! scripts and texts for players cite the ids.

use ludex_engine::library::is_rule_id;
use std::collections::{BTreeMap, BTreeSet};

/// Possible headings of the first column in a table of rules.
const HEADINGS: [&str; 3] = ["id", "rule", "rule id"];

/// Heading of the last column in a table of rules that no scenario can show.
const EXEMPT: &str = "why no scenario shows it";

/// A rule in a README's tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: String,
    /// Whether the tables say why no scenario shows it.
    pub exempt: bool,
}

/// The tables of a README.
#[derive(Default)]
pub struct RuleTables {
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// The ids of the rules.
    pub ids: BTreeSet<String>,
    /// The ids that rules and scripts may cite, as [`ids_in`] finds them.
    pub first_cells: BTreeSet<String>,
}

impl RuleTables {
    pub fn read(readme: &str) -> RuleTables {
        let rules = rules_in(readme);
        let ids = rules.iter().map(|rule| rule.id.clone()).collect();
        RuleTables { ids, first_cells: ids_in(readme).map(str::to_string).collect(), rules }
    }
}

/// The first column of every Markdown table whose heading is one of [`HEADINGS`], in order.
fn rules_in(readme: &str) -> Vec<Rule> {
    let mut rules = Rules::default();
    let mut lines = readme.lines().peekable();
    while let Some(line) = lines.next() {
        let is_head = first_cell(line).is_some_and(|cell| HEADINGS.contains(&cell.to_lowercase().as_str()));
        if !is_head || !lines.peek().is_some_and(|line| is_ruler(line)) {
            continue;
        }
        lines.next();
        let exempt = last_cell(line).is_some_and(|cell| cell.eq_ignore_ascii_case(EXEMPT));
        while let Some(cell) = lines.peek().and_then(|line| first_cell(line)) {
            rules.add_rule(cell, exempt);
            lines.next();
        }
    }
    rules.list
}

/// The ids that rules and scripts may cite: those at the start of a row in any Markdown table, such as one of readings.
pub fn ids_in(readme: &str) -> impl Iterator<Item = &str> {
    readme.lines().filter_map(first_cell).filter(|cell| is_rule_id(cell))
}

/// The rule ids cited in a text for players.
pub fn cited_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '-'));
    words.map(|word| word.trim_matches('-')).filter(|word| is_rule_id(word))
}

/// The text of a rule in a table: the cell after its id. It is in plain words, without code or bold type. `None` if no row
/// begins with the id.
pub fn rule_text(readme: &str, id: &str) -> Option<String> {
    let row = readme.lines().find(|line| first_cell(line) == Some(id))?;
    let cells: Vec<&str> = row.trim().trim_matches('|').split('|').map(str::trim).collect();
    cells.get(1).map(|text| text.replace(['`', '*'], ""))
}

/// Rules in order, without duplicates.
#[derive(Default)]
struct Rules<'t> {
    list: Vec<Rule>,
    /// The place in the list, by id.
    places: BTreeMap<&'t str, usize>,
}

impl<'t> Rules<'t> {
    /// A rule may occur in several tables. It stays in its first place, and is exempt if one of them says so. Empty ids do not
    /// count.
    fn add_rule(&mut self, id: &'t str, exempt: bool) {
        let place = *self.places.entry(id).or_insert(self.list.len());
        match self.list.get_mut(place) {
            Some(rule) => rule.exempt |= exempt,
            None if id.is_empty() => drop(self.places.remove(id)),
            None => self.list.push(Rule { id: id.to_string(), exempt }),
        }
    }
}

fn first_cell(line: &str) -> Option<&str> {
    let row = line.trim().strip_prefix('|')?;
    let cell = row.split('|').next()?;
    Some(cell.trim().trim_matches(['`', '*']))
}

fn last_cell(line: &str) -> Option<&str> {
    line.trim().strip_suffix('|')?.rsplit('|').next().map(str::trim)
}

/// Whether a line is the one below the header row: `|---|:--|`.
fn is_ruler(line: &str) -> bool {
    line.trim().starts_with('|') && line.contains('-') && line.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tables_of_rules_count() {
        let readme = "\
# Ponds

| file | what it holds |
|---|---|
| `pond.ludex` | all of it |

| id | the rule |
|:---|---|
| PO-001 | Frogs hop. |
| `PO-002` | They stay in the pond. |

| Rule | reading |
| --- | --- |
| PO-003 | They may also swim. |
| PO-001 | Far. |
";
        assert_eq!(ids(readme), ["PO-001", "PO-002", "PO-003"]);
    }

    #[test]
    fn a_table_may_say_why_no_scenario_shows_its_rules() {
        let readme = "\
| id | the rule |
|---|---|
| PO-001 | Frogs hop. |
| PO-002 | Frogs are green. |

| id | why no scenario shows it |
|---|---|
| PO-002 | nothing depends on it |
| PO-003 | a test of the pond's shore shows it |
";
        let exempt: Vec<bool> = rules_in(readme).iter().map(|rule| rule.exempt).collect();
        assert_eq!(ids(readme), ["PO-001", "PO-002", "PO-003"]);
        assert_eq!(exempt, [false, true, true]);
    }

    #[test]
    fn other_tables_have_ids_to_cite() {
        let readme = "| file | holds |\n|---|---|\n| `a-1` | |\n\n| reading | here |\n|---|---|\n| `A-33` | far |\n";
        assert_eq!(ids_in(readme).collect::<Vec<_>>(), ["A-33"]);
    }

    #[test]
    fn a_text_for_players_cites_rules_in_brackets() {
        assert_eq!(cited_in("Frogs hop (PO-001, PO-002); a d6 is x-1.").collect::<Vec<_>>(), ["PO-001", "PO-002"]);
        let readme = "| id | the rule |\n|---|---|\n| PO-001 | *Frogs* hop. |\n";
        assert_eq!(rule_text(readme, "PO-001").as_deref(), Some("Frogs hop."));
    }

    fn ids(readme: &str) -> Vec<String> {
        rules_in(readme).into_iter().map(|rule| rule.id).collect()
    }

    #[test]
    fn a_text_without_tables_has_no_rules() {
        assert!(rules_in("| id | but no table").is_empty());
        assert!(rules_in("").is_empty());
    }
}
