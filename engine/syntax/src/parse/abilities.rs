//! Abilities and their parts. The builders follow the same plan as those of `statements`.

use super::Rule;
use super::tree::{Builder, Pair, Parts, inner_parts};
use crate::tree::{Ability, Clause, Expr, HookUse, Name, Part, PartKind};

impl Builder<'_> {
    /// The declaration of one ability, in a script's header or in rules: id, title, text, and parts.
    pub fn build_ability(&mut self, pair: Pair) -> Option<Ability> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let id = parts.build_one(self, Rule::slug, Self::build_name)?;
        let title = parts.build_one(self, Rule::text, Self::build_text)?;
        let text = parts.build_optional(self, Rule::text, Self::build_text)?;
        let inner = parts.build_all(self, Rule::part, Self::build_part)?;
        Some(Ability { id, title, text, cites: self.take_cites(span), parts: inner, has_unread_parts: false })
    }

    /// A part of an ability with its place and rule ids.
    pub fn build_part(&mut self, pair: Pair) -> Option<Part> {
        let span = self.pair_span(&pair);
        let kind = self.build_deeper(1, span, |builder| builder.build_part_kind(inner_parts(pair).next()?))?;
        Some(Part { kind, span, cites: self.take_cites(span) })
    }

    /// The part itself; `pair` is that of its own rule.
    fn build_part_kind(&mut self, pair: Pair) -> Option<PartKind> {
        let rule = pair.as_rule();
        let mut parts = inner_parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::uses => parts.build_all(self, Rule::use_, Self::build_use).map(PartKind::Uses),
            Rule::provenance => parts.build_one(self, Rule::slug, Self::build_name).map(PartKind::Provenance),
            Rule::parameter => self.build_parameter(parts),
            Rule::offer => self.build_offer(parts),
            Rule::trigger => self.build_trigger(parts),
            Rule::instead => self.build_instead(parts),
            Rule::modify => self.build_modify(parts),
            Rule::grant => parts.build_one(self, Rule::action, Self::build_action).map(|action| PartKind::Grant { action }),
            Rule::forbid => self.build_family_condition(parts).map(|(family, when)| PartKind::Forbid { family, when }),
            Rule::demand => self.build_family_condition(parts).map(|(family, when)| PartKind::Demand { family, when }),
            _ => None,
        }
    }

    /// `trigger NAME at hook(a) …`
    fn build_trigger(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let (name, at) = self.build_name_and_hook(parts)?;
        Some(PartKind::Trigger { name, at, clauses: self.build_clauses(parts)? })
    }

    /// `instead NAME at hook(a) …`
    fn build_instead(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let (name, at) = self.build_name_and_hook(parts)?;
        Some(PartKind::Instead { name, at, clauses: self.build_clauses(parts)? })
    }

    /// A limit on uses: the number, and the scope after `per`.
    fn build_use(&mut self, pair: Pair) -> Option<(Expr, Name)> {
        let mut parts = inner_parts(pair);
        Some((parts.build_one(self, Rule::sum, Self::build_sum)?, parts.build_one(self, Rule::name, Self::build_name)?))
    }

    /// `parameter amount: number in 1..9 = 2`
    fn build_parameter(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let name = self.build_declared_name(parts)?;
        let of = parts.build_one(self, Rule::of_type, Self::build_of_type)?;
        let range = parts.build_optional(self, Rule::in_range, Self::build_in_range)?;
        Some(PartKind::Parameter { name, of, range, default: parts.build_optional(self, Rule::default, Self::build_default)? })
    }

    /// `offer NAME(die in xs) at hook(a) …`
    fn build_offer(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let name = self.build_declared_name(parts)?;
        let roles = parts.build_optional(self, Rule::roles, Self::build_roles)?.unwrap_or_default();
        let at = parts.build_one(self, Rule::hook_use, Self::build_hook_use)?;
        let mut clauses = Vec::new();
        while let Some(pair) = parts.next() {
            clauses.push(if pair.as_rule() == Rule::clause { self.build_clause(pair)? } else { self.build_asked_clause(pair)? });
        }
        self.report_repeated_clauses(&clauses);
        Some(PartKind::Offer { name, roles, at, clauses })
    }

    /// `to side`: the seat that is asked.
    fn build_asked_clause(&mut self, pair: Pair) -> Option<Clause> {
        let span = self.pair_span(&pair);
        let kind = self.build_clause_kind(pair)?;
        Some(Clause { kind, span, cites: self.take_cites(span) })
    }

    /// The name of a trigger or the like, and its hook.
    fn build_name_and_hook(&mut self, parts: &mut Parts) -> Option<(Name, HookUse)> {
        Some((self.build_declared_name(parts)?, parts.build_one(self, Rule::hook_use, Self::build_hook_use)?))
    }

    /// A hook, and the names for its parameters.
    fn build_hook_use(&mut self, pair: Pair) -> Option<HookUse> {
        let mut parts = inner_parts(pair);
        let hook = parts.build_one(self, Rule::name, Self::build_name)?;
        let names = parts.build_optional(self, Rule::names, Self::build_new_names)?.unwrap_or_default();
        Some(HookUse { hook, names })
    }

    /// `modify reach(a) in added when b: it + 1`
    fn build_modify(&mut self, parts: &mut Parts) -> Option<PartKind> {
        let at = parts.build_one(self, Rule::hook_use, Self::build_hook_use)?;
        let layer = parts.build_optional(self, Rule::in_layer, Self::build_inner_name)?;
        let when = parts.build_optional(self, Rule::when, Self::build_inner_expr)?;
        Some(PartKind::Modify { at, layer, when, value: parts.build_one(self, Rule::expr, Self::build_expr)? })
    }

    /// The family of a `forbid` or `demand`, and its condition.
    fn build_family_condition(&mut self, parts: &mut Parts) -> Option<(Name, Option<Expr>)> {
        Some((
            parts.build_one(self, Rule::name, Self::build_name)?,
            parts.build_optional(self, Rule::when, Self::build_inner_expr)?,
        ))
    }
}
