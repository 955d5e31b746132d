//! Abilities: their texts, their limits of use, the hooks at which they act, and their owners.
//!
//! A clause is the part of an ability that acts at one hook; a hook is a moment that the rules open. A grant gives an action,
//! one more move of a family; a restriction forbids or demands moves of a family.

use super::provenance::Origin;
use super::{Description, Subject};
use crate::layout::{Table, paragraph_text, readable_name};
use crate::output;
use ludex_engine::program::{AbilityInfo, ClauseInfo, ClauseKind, GrantInfo, Print, RestrictionInfo};
use serde_json::{Value, json};

/// Maximum number of owners listed in a table; of more, only the count is shown.
const MOST_OWNERS: usize = 6;

impl Subject {
    /// The subject `abilities`: a table of all.
    pub(super) fn describe_abilities(&self) -> Description {
        let body = match self.abilities_text() {
            none if none.is_empty() => "  The game has no abilities.\n".to_string(),
            body => body,
        };
        let text = format!("{}\n{body}", output::heading_text("Abilities"));
        Description { what: "abilities", text, json: self.abilities_json(), source: None }
    }

    /// A line for each ability. Many owners are shown as a count of their common kind.
    pub(super) fn abilities_text(&self) -> String {
        let mut table = Table::default();
        for ability in &self.program.abilities {
            let uses = match self.uses_text(ability) {
                none if none.is_empty() => "always".to_string(),
                uses => uses,
            };
            let owners = self.ability_owners(ability);
            let owners = match self.common_kind(&owners).filter(|_| owners.len() > MOST_OWNERS) {
                Some(kind) => self.sheet_count_text(kind, owners.len()),
                None => owners_text(&owners),
            };
            table.add_row([ability.id.clone(), uses, owners]);
        }
        table.to_text()
    }

    pub(super) fn abilities_json(&self) -> Value {
        self.program.abilities.iter().map(|ability| self.ability_json(ability)).collect()
    }

    /// One ability, found by its id or its title.
    pub(super) fn describe_ability(&self, ability: &AbilityInfo) -> Description {
        let title = output::heading_text(&ability.title);
        let mut text = paragraph_text(&format!("{title} ({}), ability of {}", ability.id, self.program.title), 0);
        text.push_str(&paragraph_text(&self.file_and_library(ability.span.source), 0));
        if !ability.text.is_empty() {
            text.push_str(&format!("\n{}", paragraph_text(&ability.text, 2)));
        }
        text.push_str(&format!("\n{}", self.ability_table(ability).to_text()));
        Description { what: "ability", text, json: self.ability_json(ability), source: Some(ability.span.source) }
    }

    /// Everything about an ability but its title and text.
    fn ability_table(&self, ability: &AbilityInfo) -> Table {
        let mut table = Table::default();
        let uses = match self.uses_text(ability) {
            none if none.is_empty() => "no limit".to_string(),
            uses => uses,
        };
        table.add_row(["uses".to_string(), uses]);
        if let Some(word) = &ability.provenance {
            table.add_row(["uses from".to_string(), Origin::from_word(word).origin_text()]);
        }
        for clause in self.ability_clauses(ability) {
            table.add_row([clause_word(clause.kind).to_string(), self.clause_text(clause)]);
        }
        for (action, family) in self.granted_actions(ability) {
            table.add_row(["grant".to_string(), format!("{action}, one more {family}")]);
        }
        for restriction in self.ability_restrictions(ability) {
            table.add_row([restriction_word(restriction).to_string(), self.family_name(restriction).to_string()]);
        }
        let rules = self.cited_rules(ability);
        if !rules.is_empty() {
            table.add_row(["rules".to_string(), rules.join(" ")]);
        }
        let settings: Vec<String> = self.ability_settings(ability).into_iter().map(|(name, _)| readable_name(name)).collect();
        if !settings.is_empty() {
            table.add_row(["sheets set".to_string(), settings.join(", ")]);
        }
        table.add_row(["had by".to_string(), owners_text(&self.ability_owners(ability))]);
        table
    }

    /// An ability with all of its parts.
    fn ability_json(&self, ability: &AbilityInfo) -> Value {
        let uses = ability.uses.iter().map(|limit| {
            let scope = self.program.procedures.get(limit.per as usize).map(|procedure| &procedure.name);
            json!({ "times": limit.times, "per": scope })
        });
        let clauses = self.ability_clauses(ability).map(|clause| {
            let hook = self.program.hooks.get(clause.hook as usize).map(|hook| &hook.name);
            json!({ "kind": clause_word(clause.kind), "name": clause.name, "hook": hook, "rules": clause.rules })
        });
        let grants =
            self.granted_actions(ability).into_iter().map(|(action, family)| json!({ "action": action, "family": family }));
        let restrictions = self.ability_restrictions(ability).map(
            |restriction| json!({ "kind": restriction_word(restriction), "family": self.family_name(restriction), "rules": restriction.rules }),
        );
        let settings = self.ability_settings(ability).into_iter().map(|(name, must)| json!({ "name": name, "must": must }));
        json!({
            "id": ability.id,
            "title": ability.title,
            "text": ability.text,
            "from": self.loaded.library.source_library(ability.span.source),
            "file": self.program.sources.get(ability.span.source).name,
            "uses": uses.collect::<Vec<_>>(),
            "uses_provenance": ability.provenance,
            "hooks": clauses.collect::<Vec<_>>(),
            "grants": grants.collect::<Vec<_>>(),
            "bars": restrictions.collect::<Vec<_>>(),
            "rules": self.cited_rules(ability),
            "settings": settings.collect::<Vec<_>>(),
            "had_by": self.ability_owners(ability).into_iter().map(|print| print.id.as_str()).collect::<Vec<_>>(),
        })
    }

    /// `2 per match, 1 per turn`, or empty for an ability without limits.
    pub(super) fn uses_text(&self, ability: &AbilityInfo) -> String {
        let scope = |id: u16| self.program.procedures.get(id as usize).map_or("match", |procedure| &procedure.name);
        let limits: Vec<String> =
            ability.uses.iter().map(|limit| format!("{} per {}", limit.times, readable_name(scope(limit.per)))).collect();
        limits.join(", ")
    }

    /// The settings that sheets may give the ability, and whether each is required.
    fn ability_settings(&self, ability: &AbilityInfo) -> Vec<(&str, bool)> {
        let columns = ability.settings.map_or(Vec::new(), |sheet| self.program.prints.sheet_columns(sheet));
        columns.into_iter().map(|(printed, column)| (column.name.as_str(), printed.default.is_none())).collect()
    }

    /// The sheets that have an ability.
    fn ability_owners(&self, ability: &AbilityInfo) -> Vec<&Print> {
        let id = self.program.ability_by_id(&ability.id);
        self.every_sheet().filter(|print| print.abilities.iter().any(|listed| Some(listed.ability) == id)).collect()
    }

    /// The clauses of an ability, in the order of its header.
    fn ability_clauses<'a>(&'a self, ability: &'a AbilityInfo) -> impl Iterator<Item = &'a ClauseInfo> {
        ability.clauses.iter().filter_map(|id| self.program.clauses.get(usize::from(*id)))
    }

    /// `planet_power at attack_rerolled`. A modifier has no name of its own.
    pub(super) fn clause_text(&self, clause: &ClauseInfo) -> String {
        let hook = self.program.hooks.get(clause.hook as usize).map_or("", |hook| &hook.name);
        match clause.kind {
            ClauseKind::Modifier => hook.to_string(),
            ClauseKind::Instead | ClauseKind::Trigger | ClauseKind::Offer => format!("{} at {hook}", clause.name),
        }
    }

    /// The actions it grants, each with the family it joins.
    fn granted_actions(&self, ability: &AbilityInfo) -> Vec<(&str, &str)> {
        let grant = |grant: &GrantInfo| {
            let action = self.program.actions.get(grant.action as usize)?;
            let family = self.program.families.get(grant.family as usize)?;
            Some((action.name.as_str(), family.name.as_str()))
        };
        ability.grants.iter().filter_map(grant).collect()
    }

    fn ability_restrictions<'a>(&'a self, ability: &'a AbilityInfo) -> impl Iterator<Item = &'a RestrictionInfo> {
        ability.restrictions.iter().filter_map(|id| self.program.restrictions.get(usize::from(*id)))
    }

    /// The family whose moves are forbidden or demanded.
    fn family_name(&self, restriction: &RestrictionInfo) -> &str {
        self.program.families.get(usize::from(restriction.family)).map_or("", |family| &family.name)
    }

    /// The rules that any part of the ability cites, each once.
    fn cited_rules(&self, ability: &AbilityInfo) -> Vec<String> {
        let mut rules = ability.rules.clone();
        rules.extend(self.ability_clauses(ability).flat_map(|clause| clause.rules.iter().cloned()));
        rules.extend(self.ability_restrictions(ability).flat_map(|restriction| restriction.rules.iter().cloned()));
        let actions = ability.grants.iter().filter_map(|grant| self.program.actions.get(grant.action as usize));
        rules.extend(actions.flat_map(|action| action.rules.iter().cloned()));
        rules.sort();
        rules.dedup();
        rules
    }
}

/// The keyword of a restriction.
fn restriction_word(restriction: &RestrictionInfo) -> &'static str {
    if restriction.demand { "demand" } else { "forbid" }
}

/// `otter, newt`, or `nobody`.
fn owners_text(owners: &[&Print]) -> String {
    match owners {
        [] => "nobody".to_string(),
        owners => owners.iter().map(|print| print.id.as_str()).collect::<Vec<_>>().join(", "),
    }
}

/// The keyword of a clause's kind.
pub(super) fn clause_word(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Instead => "instead",
        ClauseKind::Trigger => "trigger",
        ClauseKind::Offer => "offer",
        ClauseKind::Modifier => "modify",
    }
}
