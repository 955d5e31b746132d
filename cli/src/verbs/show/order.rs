//! The order in which abilities act at each hook.
//!
//! A clause is the part of an ability that acts at one hook. Modifiers of a hook's value act in layers, which the rules name.

use super::ability::clause_word;
use super::{Description, Subject};
use crate::layout::{Table, paragraph_text};
use crate::output;
use ludex_engine::program::{ClauseInfo, ClauseKind, EARLY, HookInfo, LATE};
use serde_json::{Value, json};

const EXPLANATION: &str = "At each hook the clauses act in the order below: first by kind (instead, trigger, offer, \
     modify), then by layer, then early before late. Equal ones follow the order in which the hook asks, \
     then that of the seats, then that of the abilities on the sheet.";

impl Subject {
    /// The subject `order`: the clauses of every hook.
    pub(super) fn describe_order(&self) -> Description {
        let mut text = format!("{}\n{}", output::heading_text("Order"), paragraph_text(EXPLANATION, 0));
        for (index, hook) in self.program.hooks.iter().enumerate() {
            text.push_str(&format!("\n{}{}\n", output::heading_text(&hook_signature(hook)), hook_details_text(hook)));
            let mut table = Table::default();
            for clause in self.clauses_in_order(index) {
                table.add_row([clause_word(clause.kind), &self.ability_id(clause), &clause.name, &rank_text(clause, hook)]);
            }
            text.push_str(if table.is_empty() { "  nothing\n" } else { "" });
            text.push_str(&table.to_text());
        }
        Description { what: "order", text, json: self.order_json(), source: None }
    }

    fn order_json(&self) -> Value {
        let hooks = self.program.hooks.iter().enumerate().map(|(index, hook)| {
            let clauses = self.clauses_in_order(index).into_iter().map(|clause| {
                json!({
                    "kind": clause_word(clause.kind),
                    "ability": self.ability_id(clause),
                    "name": clause.name,
                    "layer": hook.layers.get(usize::from(clause.layer)).filter(|_| clause.kind == ClauseKind::Modifier),
                    "priority": clause.priority,
                    "rules": clause.rules,
                })
            });
            json!({ "hook": hook.name, "goes_round": hook.goes_round, "clauses": clauses.collect::<Vec<_>>() })
        });
        Value::Array(hooks.collect())
    }

    /// The clauses of a hook in the order in which they act.
    fn clauses_in_order(&self, hook: usize) -> Vec<&ClauseInfo> {
        let mut clauses: Vec<&ClauseInfo> =
            self.program.clauses.iter().filter(|clause| usize::from(clause.hook) == hook).collect();
        clauses.sort_by_key(|clause| (clause.kind, clause.layer, clause.priority));
        clauses
    }

    /// The ability or mark that a clause belongs to.
    fn ability_id(&self, clause: &ClauseInfo) -> String {
        if let Some(mark) = clause.mark.and_then(|mark| self.program.marks.get(usize::from(mark))) {
            return format!("mark {}", mark.name);
        }
        self.program.abilities.get(clause.ability as usize).map_or(String::new(), |ability| ability.id.clone())
    }
}

/// `attack_declared(active, attack)`.
fn hook_signature(hook: &HookInfo) -> String {
    let params: Vec<&str> = hook.params.iter().map(|(name, _)| name.as_str()).collect();
    format!("{}({})", hook.name, params.join(", "))
}

/// The properties of a hook, to be added to its name.
fn hook_details_text(hook: &HookInfo) -> String {
    let mut words = String::new();
    if hook.value.is_some() {
        words.push_str(", a value that modifiers change");
    }
    if hook.goes_round {
        words.push_str(", goes round until all pass");
    }
    words
}

/// The layer and the priority, if they differ from the defaults.
fn rank_text(clause: &ClauseInfo, hook: &HookInfo) -> String {
    let layer = hook.layers.get(usize::from(clause.layer)).filter(|_| clause.kind == ClauseKind::Modifier);
    let priority = match clause.priority {
        0 => None,
        EARLY => Some("early".to_string()),
        LATE => Some("late".to_string()),
        other => Some(format!("priority {other}")),
    };
    let words: Vec<String> = layer.map(|layer| format!("in {layer}")).into_iter().chain(priority).collect();
    words.join(", ")
}
