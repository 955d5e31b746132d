//! One ability: what it says, how often it may be used, and where it acts.

use super::{Shown, Subject};
use crate::layout::{Table, paragraph};
use crate::output;
use ludex_engine::program::{AbilityInfo, ClauseInfo, ClauseKind};
use serde_json::{Value, json};

impl Subject {
    pub(super) fn ability(&self, ability: &AbilityInfo) -> Shown {
        let mut text = format!("{} ({}), ability of {}\n", output::heading(&ability.title), ability.id, self.program.title);
        text.push_str(&paragraph(&self.file(ability.span.source), 0));
        if !ability.text.is_empty() {
            text.push_str(&format!("\n{}", paragraph(&ability.text, 2)));
        }
        text.push_str(&format!("\n{}", self.ability_table(ability).text()));
        Shown { what: "ability", text, json: self.ability_json(ability) }
    }

    fn ability_table(&self, ability: &AbilityInfo) -> Table {
        let mut table = Table::default();
        let uses = self.uses(ability);
        table.row(["uses".to_string(), if uses.is_empty() { "no limit".to_string() } else { uses }]);
        for clause in self.clauses(ability) {
            table.row([kind(clause.kind).to_string(), self.clause_words(clause)]);
        }
        for (action, family) in self.grants(ability) {
            table.row(["grant".to_string(), format!("{action}, one more {family}")]);
        }
        let rules = self.rules(ability);
        if !rules.is_empty() {
            table.row(["rules".to_string(), rules.join(" ")]);
        }
        let owners = self.owners(ability);
        table.row(["had by".to_string(), if owners.is_empty() { "nobody".to_string() } else { owners.join(", ") }]);
        table
    }

    pub(super) fn ability_json(&self, ability: &AbilityInfo) -> Value {
        let uses = ability.uses.iter().map(|limit| {
            let scope = self.program.procedures.get(limit.per as usize).map(|procedure| &procedure.name);
            json!({ "times": limit.times, "per": scope })
        });
        let clauses = self.clauses(ability).map(|clause| {
            let hook = self.program.hooks.get(clause.hook as usize).map(|hook| &hook.name);
            json!({ "kind": kind(clause.kind), "name": clause.name, "hook": hook, "rules": clause.rules })
        });
        let grants = self.grants(ability).into_iter().map(|(action, family)| json!({ "action": action, "family": family }));
        json!({
            "id": ability.id,
            "title": ability.title,
            "text": ability.text,
            "from": self.loaded.library.origin(ability.span.source),
            "file": self.program.sources.get(ability.span.source).name,
            "uses": uses.collect::<Vec<_>>(),
            "hooks": clauses.collect::<Vec<_>>(),
            "grants": grants.collect::<Vec<_>>(),
            "rules": self.rules(ability),
            "had_by": self.owners(ability),
        })
    }

    fn clauses<'a>(&'a self, ability: &'a AbilityInfo) -> impl Iterator<Item = &'a ClauseInfo> {
        ability.clauses.iter().filter_map(|id| self.program.clauses.get(usize::from(*id)))
    }

    /// `planet_power at attack_rerolled`.
    pub(super) fn clause_words(&self, clause: &ClauseInfo) -> String {
        let hook = self.program.hooks.get(clause.hook as usize).map_or("", |hook| &hook.name);
        match clause.kind {
            ClauseKind::Modifier => hook.to_string(),
            ClauseKind::Instead | ClauseKind::Trigger | ClauseKind::Offer => format!("{} at {hook}", clause.name),
        }
    }

    /// Actions given, each with the family it joins.
    fn grants(&self, ability: &AbilityInfo) -> Vec<(&str, &str)> {
        let grant = |grant: &ludex_engine::program::GrantInfo| {
            let action = self.program.actions.get(grant.action as usize)?;
            let family = self.program.families.get(grant.family as usize)?;
            Some((action.name.as_str(), family.name.as_str()))
        };
        ability.grants.iter().filter_map(grant).collect()
    }

    /// The rules that any part of the ability cites, each once.
    fn rules(&self, ability: &AbilityInfo) -> Vec<String> {
        let mut rules = ability.rules.clone();
        rules.extend(self.clauses(ability).flat_map(|clause| clause.rules.iter().cloned()));
        let actions = ability.grants.iter().filter_map(|grant| self.program.actions.get(grant.action as usize));
        rules.extend(actions.flat_map(|action| action.rules.iter().cloned()));
        rules.sort();
        rules.dedup();
        rules
    }
}

/// A clause's kind in the words of the language.
pub(super) fn kind(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Instead => "instead",
        ClauseKind::Trigger => "trigger",
        ClauseKind::Offer => "offer",
        ClauseKind::Modifier => "modify",
    }
}
