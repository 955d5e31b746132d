//! Coverage of a game by its scenarios: rules by id, cards with abilities, statements, and both outcomes of conditions.
//!
//! `test --coverage` shows it, and `test --mutants` uses it to find the scenarios that reach a place. A place is the span of a
//! statement or condition in rules or scripts. A rule is one of a table in the game's README; a scenario shows it if its
//! `shows` names the rule and it passes.

use super::Rule;
use ludex_engine::program::{Program, Value as Print};
use ludex_engine::runtime::{Coverage, ReachedPlace, Session};
use ludex_engine::source::{Sources, Span};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The coverage so far, by place, so that programs compiled for different options add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageTotals {
    /// Whether a statement was executed.
    statements: BTreeMap<Span, bool>,
    /// Whether a condition was true, and whether it was false.
    conditions: BTreeMap<Span, (bool, bool)>,
    /// Rules by id in the README's order, and whether a scenario shows each.
    rules: Vec<(Rule, bool)>,
    /// Cards with abilities, and whether one of these had an effect.
    cards: BTreeMap<String, bool>,
}

impl CoverageTotals {
    /// Coverage before any scenario.
    pub fn new(rules: Vec<Rule>) -> CoverageTotals {
        CoverageTotals { rules: rules.into_iter().map(|rule| (rule, false)).collect(), ..CoverageTotals::default() }
    }

    /// Marks the rules, by id, that a scenario shows.
    pub fn mark_shown_rules<'a>(&mut self, ids: impl IntoIterator<Item = &'a String>) {
        let shown: BTreeSet<&String> = ids.into_iter().collect();
        for (rule, seen) in &mut self.rules {
            *seen |= shown.contains(&rule.id);
        }
    }

    /// Adds the coverage of a session, if it was recorded.
    pub fn add_session(&mut self, session: &Session) {
        self.add_cards(session);
        if let Some(coverage) = session.coverage() {
            self.add_places(coverage.reached_places(session.program()));
        }
    }

    /// The executed statements and evaluated conditions.
    pub fn reached_spans(&self) -> impl Iterator<Item = Span> {
        let statements = self.statements.iter().filter(|(_, reached)| **reached).map(|(span, _)| *span);
        statements.chain(self.conditions.iter().filter(|(_, seen)| seen.0 || seen.1).map(|(span, _)| *span))
    }

    /// Adds the places of a program, reached or not.
    pub fn add_program_places(&mut self, program: &Program) {
        self.add_places(Coverage::default().reached_places(program));
    }

    /// Adds places, without conditions that the game's options settle: no game evaluates them.
    fn add_places(&mut self, places: Vec<ReachedPlace>) {
        for place in places.into_iter().filter(|place| !place.settled) {
            match place.condition {
                true => self.add_condition(place.span, place.yes, place.no),
                false => self.add_statement(place.span, place.yes),
            }
        }
    }

    /// Counts every card of the game, on the table or not. Marks the cards whose abilities had an effect in a session.
    fn add_cards(&mut self, session: &Session) {
        if self.cards.is_empty() {
            let prints = &session.program().prints;
            let able = |print: &&Print| prints.find_print(**print).is_some_and(|print| !print.abilities.is_empty());
            self.cards = prints.ids.iter().filter(|(_, print)| able(print)).map(|(id, _)| (id.clone(), false)).collect();
        }
        for (_, card, _) in session.ability_effects().filter(|(.., times)| *times > 0) {
            if let Some(seen) = card.and_then(|card| self.cards.get_mut(card)) {
                *seen = true;
            }
        }
    }

    fn add_statement(&mut self, span: Span, reached: bool) {
        *self.statements.entry(span).or_default() |= reached;
    }

    /// `held` and `failed`: whether it was true, and whether it was false.
    fn add_condition(&mut self, span: Span, held: bool, failed: bool) {
        let seen = self.conditions.entry(span).or_default();
        *seen = (seen.0 || held, seen.1 || failed);
    }

    /// Whether nothing is missing: every rule, card, statement and side of a condition. A wrong exemption counts as missing.
    pub fn is_complete(&self) -> bool {
        let shown = self.unshown_rules().next().is_none() && self.wrongly_exempt_rules().next().is_none();
        shown && self.idle_cards().next().is_none() && self.unreached_places().is_empty()
    }

    /// Rules that no scenario shows and that need one.
    fn unshown_rules(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|(rule, seen)| !rule.exempt && !seen).map(|(rule, _)| rule.id.as_str())
    }

    /// Rules that need no scenario, according to their table.
    fn exempt_rules(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|(rule, _)| rule.exempt).map(|(rule, _)| rule.id.as_str())
    }

    /// Rules that a table exempts although a scenario shows them.
    fn wrongly_exempt_rules(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|(rule, seen)| rule.exempt && *seen).map(|(rule, _)| rule.id.as_str())
    }

    /// Cards whose abilities have no effect in any scenario.
    fn idle_cards(&self) -> impl Iterator<Item = &str> {
        self.cards.iter().filter(|(_, seen)| !**seen).map(|(id, _)| id.as_str())
    }

    /// Places that were not fully reached, in order, and why.
    fn unreached_places(&self) -> Vec<(Span, &'static str)> {
        let statements = self.statements.iter().filter(|(_, reached)| !**reached).map(|(span, _)| (*span, "never reached"));
        let conditions = self.conditions.iter().filter_map(|(span, seen)| match seen {
            (true, true) => None,
            (true, false) => Some((*span, "always true")),
            (false, true) => Some((*span, "never true")),
            (false, false) => Some((*span, "never asked")),
        });
        let mut gaps: Vec<_> = statements.chain(conditions).collect();
        gaps.sort();
        gaps
    }

    /// A summary: `99 of 99 rules, 41 of 42 statements, 17 of 20 sides of conditions`.
    fn summary(&self) -> String {
        let needed = self.rules.iter().filter(|(rule, _)| !rule.exempt).count();
        let shown = needed - self.unshown_rules().count();
        let reached = self.statements.values().filter(|reached| **reached).count();
        let sides: usize = self.conditions.values().map(|seen| usize::from(seen.0) + usize::from(seen.1)).sum();
        let cards = match self.cards.len() {
            0 => String::new(),
            all => format!("{} of {all} cards with abilities, ", all - self.idle_cards().count()),
        };
        format!(
            "{shown} of {needed} rules, {cards}{reached} of {} statements, {sides} of {} sides of conditions",
            self.statements.len(),
            2 * self.conditions.len()
        )
    }

    pub fn to_text(&self, sources: &Sources) -> String {
        let mut text = format!("coverage: {}\n", self.summary());
        let mut list = |what: &str, ids: Vec<&str>| {
            if !ids.is_empty() {
                text.push_str(&format!("{what}: {}\n", ids.join(", ")));
            }
        };
        list("rules that need no scenario, as their table says", self.exempt_rules().collect());
        list("rules that no scenario shows", self.unshown_rules().collect());
        list(
            "rules that a scenario shows although their table says that no scenario does",
            self.wrongly_exempt_rules().collect(),
        );
        list("cards whose abilities no scenario shows", self.idle_cards().collect());
        for (span, how) in self.unreached_places() {
            let (line, column) = sources.line_column(span);
            let name = &sources.get(span.source).name;
            text.push_str(&format!("{name}:{line}:{column}: {how}: {}\n", first_line(sources.span_text(span))));
        }
        text
    }

    pub fn to_json(&self, sources: &Sources) -> Value {
        let gaps = self.unreached_places().into_iter().map(|(span, how)| {
            let (line, column) = sources.line_column(span);
            json!({
                "file": sources.get(span.source).name,
                "line": line,
                "column": column,
                "how": how,
                "text": first_line(sources.span_text(span)),
            })
        });
        json!({
            "complete": self.is_complete(),
            "rules": {
                "all": self.rules.len(),
                "not_shown": self.unshown_rules().collect::<Vec<_>>(),
                "exempt": self.exempt_rules().collect::<Vec<_>>(),
            },
            "cards": { "all": self.cards.len(), "not_shown": self.idle_cards().collect::<Vec<_>>() },
            "statements": self.statements.len(),
            "conditions": self.conditions.len(),
            "not_reached": gaps.collect::<Vec<_>>(),
        })
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("").trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered() -> (CoverageTotals, Sources, Span, Span) {
        let mut sources = Sources::default();
        let source = sources.add("pond.ludex", "hop\nif wet {\n  swim\n}\n");
        let (hop, wet) = (Span::new(source, 0, 3), Span::new(source, 7, 10));
        let rule = |id: &str, exempt: bool| Rule { id: id.to_string(), exempt };
        let mut covered = CoverageTotals::new(vec![rule("PO-1", false), rule("PO-2", false), rule("PO-3", true)]);
        covered.add_statement(hop, false);
        covered.add_condition(wet, true, false);
        (covered, sources, hop, wet)
    }

    #[test]
    fn gaps_are_told_with_their_places() {
        let (mut covered, sources, ..) = covered();
        covered.mark_shown_rules(&["PO-2".to_string()]);
        let text = "\
coverage: 1 of 2 rules, 0 of 1 statements, 1 of 2 sides of conditions
rules that need no scenario, as their table says: PO-3
rules that no scenario shows: PO-1
pond.ludex:1:1: never reached: hop
pond.ludex:2:4: always true: wet
";
        assert_eq!(covered.to_text(&sources), text);
        assert!(!covered.is_complete());
    }

    #[test]
    fn what_one_session_reaches_counts_for_all() {
        let (mut covered, _, hop, wet) = covered();
        covered.add_statement(hop, true);
        covered.add_statement(hop, false);
        covered.add_condition(wet, false, true);
        covered.mark_shown_rules(&["PO-1".to_string(), "PO-2".to_string()]);
        assert!(covered.is_complete());
        // What a table says must be so.
        covered.mark_shown_rules(&["PO-3".to_string()]);
        assert!(!covered.is_complete());
    }
}
