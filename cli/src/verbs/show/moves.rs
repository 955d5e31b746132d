//! The way in which the moves of each action are found, so that authors can see the cost of a question.
//!
//! A family is a set of actions from which players choose. A role is a part of an action that the move decides, such as its
//! die. The ways to find moves are those of [`HowFound`].

use super::{Description, Subject};
use crate::layout::{group_digits, paragraph_text};
use crate::output;
use ludex_engine::problem::on_one_line;
use ludex_engine::program::ActionInfo;
use ludex_engine::runtime::HowFound;
use ludex_engine::source::Span;
use serde_json::{Value, json};

const EXPLANATION: &str = "How Ludex finds the moves of each action. Most moves are counted without testing single ones, \
     which is fast for any number of them. If each combination is tested, a question costs more the more things there are.";

const ADVICE: &str = "Combinations need not be tested if no role depends on another, and conditions only compare a value of \
     one thing with a value of the other, as in `when die.value + 1 >= target.value`. The same is true if conditions only use \
     a sum of a role of several things, their number, the highest, lowest or first, or whether all or any of them meet a \
     condition. A `where` in a role has no such cost: it only leaves things out.";

impl Subject {
    /// The subject `moves`. Conditions for which each combination is tested are listed, with advice how to avoid it.
    pub(super) fn describe_moves(&self) -> Description {
        let mut text = format!("{}\n{}", output::heading_text("Moves"), paragraph_text(EXPLANATION, 0));
        let mut is_any_looked_at = false;
        for (family, actions) in self.families_with_actions() {
            text.push_str(&format!("\n{}\n", output::heading_text(family)));
            for action in actions {
                let found = HowFound::for_action(action);
                is_any_looked_at |= matches!(found, HowFound::Looked { .. });
                text.push_str(&paragraph_text(&format!("{}: {}", action.name, search_text(action, &found)), 2));
                for span in tested_conditions(&found) {
                    text.push_str(&paragraph_text(&self.condition_text(*span), 4));
                }
            }
        }
        if is_any_looked_at {
            text.push_str(&format!("\n{}", paragraph_text(ADVICE, 0)));
        }
        Description { what: "moves", text, json: self.moves_json(), source: None }
    }

    fn moves_json(&self) -> Value {
        let actions = self.families_with_actions().into_iter().flat_map(|(family, actions)| {
            actions.into_iter().map(move |action| {
                let found = HowFound::for_action(action);
                let conditions: Vec<String> = tested_conditions(&found).iter().map(|span| self.condition_text(*span)).collect();
                json!({
                    "family": family,
                    "action": action.name,
                    "search": search_word(&found),
                    "conditions": conditions,
                    "most_things": action.takes_several().then(|| found.most_things()),
                })
            })
        });
        Value::Array(actions.collect())
    }

    /// The families that have actions, including those of abilities, in the order of the rules.
    fn families_with_actions(&self) -> Vec<(&str, Vec<&ActionInfo>)> {
        let of = |family: &str| {
            let is_of = |action: &&ActionInfo| self.program.family_name(action) == Some(family);
            self.program.actions.iter().filter(is_of).collect::<Vec<_>>()
        };
        let families = self.program.families.iter().map(|family| (family.name.as_str(), of(&family.name)));
        families.filter(|(_, actions)| !actions.is_empty()).collect()
    }

    /// A condition with its file and line.
    fn condition_text(&self, span: Span) -> String {
        let sources = &self.loaded.library.sources;
        let text = on_one_line(sources.span_text(span));
        format!("{}:{}: {text}", sources.get(span.source).name, sources.line_column(span).0)
    }
}

/// The conditions because of which each combination is tested.
fn tested_conditions<'s>(found: &'s HowFound) -> &'s [Span] {
    match found {
        HowFound::Looked { conditions, .. } => conditions,
        _ => &[],
    }
}

/// The word for a way to find moves, in JSON.
fn search_word(found: &HowFound) -> &'static str {
    match found {
        HowFound::Free => "free",
        HowFound::Compared { .. } => "compared",
        HowFound::Summed { .. } => "summed",
        HowFound::Paired { .. } => "paired",
        HowFound::Gathered { .. } => "gathered",
        HowFound::Looked { .. } => "looked_at",
    }
}

/// A way to find moves, in words, with the number of things that may be chosen from.
fn search_text(action: &ActionInfo, found: &HowFound) -> String {
    let most = match (action.takes_several(), found) {
        (false, _) => String::new(),
        (true, HowFound::Looked { .. }) => format!("; from {} things, or up to 64 if few are chosen", found.most_things()),
        (true, _) => format!("; from up to {} things", group_digits(found.most_things() as u64)),
    };
    let way = match found {
        HowFound::Free if action.roles.is_empty() => "one move".to_string(),
        HowFound::Free if action.roles.len() == 1 => "counted".to_string(),
        HowFound::Free => "counted, as no role depends on another".to_string(),
        HowFound::Compared { left, right } => format!("counted by comparing a number of `{left}` with one of `{right}`"),
        HowFound::Summed { set, joining: None, target } => format!("counted by the sums of `{set}` that `{target}` shows"),
        HowFound::Summed { set, joining: Some(joining), target } => {
            format!("counted by the sums of `{set}` and `{joining}` that `{target}` shows")
        }
        HowFound::Paired { first, second } => format!("counted for each `{first}`, by what `{second}` is compared with"),
        HowFound::Gathered { set } => format!("counted by what the conditions compute from the members of `{set}`"),
        HowFound::Looked { dependent, conditions } => {
            let dependent = match dependent.first() {
                Some(role) => format!(", as `{role}` depends on the roles before it"),
                None => String::new(),
            };
            let because = if conditions.is_empty() { "" } else { ", because of" };
            return format!("each combination is tested{dependent}{most}{because}");
        }
    };
    format!("{way}{most}")
}
