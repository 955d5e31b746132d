//! Abilities and their parts.

use super::Rule;
use super::tree::{Builder, Pair, Parts, parts};
use crate::tree::{Ability, Clause, Expr, HookUse, Name, Part, PartKind};

impl Builder<'_> {
    /// The declaration of one ability, in a script's header or in rules: id, title, text, and parts.
    pub fn ability(&mut self, pair: Pair) -> Option<Ability> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let id = parts.one(self, Rule::slug, Self::name)?;
        let title = parts.one(self, Rule::text, Self::text)?;
        let text = parts.maybe(self, Rule::text, Self::text)?;
        let inner = parts.all(self, Rule::part, Self::part)?;
        Some(Ability { id, title, text, cites: self.cites(span), parts: inner, has_unread_parts: false })
    }

    pub fn part(&mut self, pair: Pair) -> Option<Part> {
        let span = self.span(&pair);
        let kind = self.deeper(1, span, |builder| builder.part_kind(parts(pair).next()?))?;
        Some(Part { kind, span, cites: self.cites(span) })
    }

    fn part_kind(&mut self, pair: Pair) -> Option<PartKind> {
        let rule = pair.as_rule();
        let mut parts = parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::uses => parts.all(self, Rule::use_, Self::use_).map(PartKind::Uses),
            Rule::provenance => parts.one(self, Rule::slug, Self::name).map(PartKind::Provenance),
            Rule::parameter => self.parameter(parts),
            Rule::offer => self.offer(parts),
            Rule::trigger => self.trigger(parts),
            Rule::instead => self.instead(parts),
            Rule::modify => self.modify(parts),
            Rule::grant => parts.one(self, Rule::action, Self::action).map(|action| PartKind::Grant { action }),
            Rule::forbid => self.family_when(parts).map(|(family, when)| PartKind::Forbid { family, when }),
            Rule::demand => self.family_when(parts).map(|(family, when)| PartKind::Demand { family, when }),
            _ => None,
        }
    }

    fn trigger(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let (name, at) = self.declared_at(parts)?;
        Some(PartKind::Trigger { name, at, clauses: self.clauses(parts)? })
    }

    fn instead(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let (name, at) = self.declared_at(parts)?;
        Some(PartKind::Instead { name, at, clauses: self.clauses(parts)? })
    }

    fn use_(&mut self, pair: Pair) -> Option<(Expr, Name)> {
        let mut parts = parts(pair);
        Some((parts.one(self, Rule::sum, Self::sum)?, parts.one(self, Rule::name, Self::name)?))
    }

    fn parameter(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let name = self.declared(parts)?;
        let of = parts.one(self, Rule::of_type, Self::of_type)?;
        let range = parts.maybe(self, Rule::in_range, Self::in_range)?;
        Some(PartKind::Parameter { name, of, range, default: parts.maybe(self, Rule::default, Self::default)? })
    }

    fn offer(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let name = self.declared(parts)?;
        let roles = parts.maybe(self, Rule::roles, Self::roles)?.unwrap_or_default();
        let at = parts.one(self, Rule::hook_use, Self::hook_use)?;
        let mut clauses = Vec::new();
        while let Some(pair) = parts.next() {
            clauses.push(if pair.as_rule() == Rule::clause { self.clause(pair)? } else { self.asked(pair)? });
        }
        self.told_once(&clauses);
        Some(PartKind::Offer { name, roles, at, clauses })
    }

    fn asked(&mut self, pair: Pair) -> Option<Clause> {
        let span = self.span(&pair);
        let kind = self.clause_kind(pair)?;
        Some(Clause { kind, span, cites: self.cites(span) })
    }

    fn declared_at(&mut self, parts: &mut Parts) -> Option<(Name, HookUse)> {
        Some((self.declared(parts)?, parts.one(self, Rule::hook_use, Self::hook_use)?))
    }

    fn hook_use(&mut self, pair: Pair) -> Option<HookUse> {
        let mut parts = parts(pair);
        let hook = parts.one(self, Rule::name, Self::name)?;
        let names = parts.maybe(self, Rule::names, Self::new_names)?.unwrap_or_default();
        Some(HookUse { hook, names })
    }

    fn modify(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let at = parts.one(self, Rule::hook_use, Self::hook_use)?;
        let layer = parts.maybe(self, Rule::in_layer, Self::name_in)?;
        let when = parts.maybe(self, Rule::when, Self::expr_within)?;
        Some(PartKind::Modify { at, layer, when, value: parts.one(self, Rule::expr, Self::expr)? })
    }

    fn family_when(&mut self, parts: &mut Parts) -> Option<(Name, Option<Expr>)> {
        Some((parts.one(self, Rule::name, Self::name)?, parts.maybe(self, Rule::when, Self::expr_within)?))
    }
}
