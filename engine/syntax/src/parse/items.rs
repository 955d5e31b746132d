//! Declarations and their members. The builders follow the same plan as those of `statements`.

use super::Rule;
use super::messages::{MEMBERS, comma_between_members};
use super::tree::{Builder, Pair, Parts, inner_parts};
use crate::codes;
use crate::problem::Problem;
use crate::source::Span;
use crate::tree::{
    Action, Amount, BoardSize, Chance, Clause, ClauseKind, Define, Expr, GameOption, Hook, Item, ItemKind, Member, MemberKind,
    Name, OptionKind, Param, Policy, PolicyRow, Procedure, Role, Room, SeenBy, Sides, Table, TableRow, Text, TypeKind, TypeName,
    ZoneWord,
};

/// The supported version of the language.
const LANGUAGE: i64 = 1;

/// Number of tree levels that a declaration counts for: declarations are rarely nested, and each uses a lot of stack space.
const ITEM_LEVELS: usize = 16;

impl Builder<'_> {
    /// A declaration with its place, rule ids and documentation.
    pub fn build_item(&mut self, pair: Pair) -> Option<Item> {
        let span = self.pair_span(&pair);
        let kind = self.build_deeper(ITEM_LEVELS, span, |builder| builder.build_item_kind(inner_parts(pair).next()?))?;
        let doc = self.doc_text(span);
        let cites = match &kind {
            // Building it has taken them already.
            ItemKind::Ability(ability) => ability.cites.clone(),
            _ => self.take_cites(span),
        };
        Some(Item { kind, span, cites, doc })
    }

    // As with statements, every arm is a single call.
    fn build_item_kind(&mut self, pair: Pair) -> Option<ItemKind> {
        let rule = pair.as_rule();
        if rule == Rule::ability {
            return self.build_ability(pair).map(ItemKind::Ability);
        }
        let mut parts = inner_parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::language => self.build_language(parts),
            Rule::game => self.build_game(parts),
            Rule::package => self.build_package(parts),
            Rule::sides => self.build_sides(parts).map(ItemKind::Sides),
            Rule::referee => self.build_referee(parts),
            Rule::option => self.build_option(parts).map(ItemKind::Option),
            Rule::words => self.build_words(parts),
            Rule::die_sizes => self.build_die_sizes(parts),
            Rule::die_kind => self.build_die_kind(parts),
            Rule::piece => self.build_piece(parts),
            Rule::sheet => self.build_sheet(parts),
            Rule::table_rows => self.build_table(parts).map(ItemKind::Table),
            Rule::has => self.build_has(parts),
            Rule::define => self.build_define(parts).map(ItemKind::Define),
            Rule::hook => self.build_hook(parts).map(ItemKind::Hook),
            Rule::family => self.build_family(parts),
            Rule::action_item => parts.build_one(self, Rule::action, Self::build_action).map(ItemKind::Action),
            Rule::procedure => self.build_procedure(parts).map(ItemKind::Procedure),
            Rule::standing => self.build_standing(parts),
            Rule::policy => self.build_policy(parts).map(ItemKind::Policy),
            Rule::abilities_work => self.build_works(None, parts),
            Rule::ability_works => {
                let ability = self.build_slug(parts)?;
                self.build_works(Some(ability), parts)
            }
            Rule::shared_uses => Some(ItemKind::SharedUses { scopes: parts.build_one(self, Rule::names, Self::build_names)? }),
            Rule::mode | Rule::more_of_mode => self.build_mode(parts),
            Rule::replace => self.build_replace(parts),
            Rule::remove_item => self.build_remove_item(parts),
            _ => None,
        }
    }

    /// `ludex 1`
    fn build_language(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let (version, span) = parts.build_one(self, Rule::int, Self::build_placed_number)?;
        if version != LANGUAGE {
            let problem =
                Problem::error(codes::VERSION, format!("the language has no version {version}")).with_label(span, "not known");
            self.problems.push(problem.help(format!("write `ludex {LANGUAGE}`; a newer number needs a newer Ludex")));
        }
        Some(ItemKind::Language)
    }

    /// `game pond "Pond"`
    fn build_game(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Game { id: self.build_slug(parts)?, title: self.build_title(parts)? })
    }

    /// `package deep-pond "Deep Pond" extends pond`
    fn build_package(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let (id, title) = (self.build_slug(parts)?, self.build_title(parts)?);
        Some(ItemKind::Package { id, title, extends: parts.build_all(self, Rule::slug, Self::build_name)? })
    }

    /// `referee "Umpire"`
    fn build_referee(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Referee { title: self.build_title(parts)? })
    }

    /// `die sizes 4, 6`; `d6` for a size is reported.
    fn build_die_sizes(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let mut sizes = Vec::new();
        while let Some(size) = parts.next() {
            let span = self.pair_span(&size);
            let digits = size.as_str().trim_start_matches('d');
            if size.as_rule() == Rule::die_word {
                self.report_fixable_form(span, "the size of a die is a number alone", format!("write `{digits}`"), digits);
            }
            sizes.push((self.parse_digits(digits, span), span));
        }
        Some(ItemKind::DieSizes { sizes })
    }

    /// `standing of side = side.points`
    fn build_standing(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Standing {
            param: self.build_declared_name(parts)?,
            value: parts.build_one(self, Rule::expr, Self::build_expr)?,
        })
    }

    /// `ability` is missing if it is for all abilities.
    fn build_works(&mut self, ability: Option<Name>, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Works { ability, when: parts.build_one(self, Rule::when, Self::build_inner_expr)? })
    }

    /// `replace` and a declaration, or more for a mode.
    fn build_replace(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        if parts.peek() == Some(Rule::more_of_mode) {
            let mode = parts.build_one(self, Rule::more_of_mode, Self::build_more_of_mode)?;
            return Some(ItemKind::Replace(Box::new(mode)));
        }
        Some(ItemKind::Replace(Box::new(parts.build_one(self, Rule::item, Self::build_item)?)))
    }

    /// A name that may have hyphens.
    fn build_slug(&mut self, parts: &mut Parts) -> Option<Name> {
        parts.build_one(self, Rule::slug, Self::build_name)
    }

    /// The next part, which is a text.
    fn build_title(&mut self, parts: &mut Parts) -> Option<Text> {
        parts.build_one(self, Rule::text, Self::build_text)
    }

    /// The declared name.
    pub fn build_declared_name(&mut self, parts: &mut Parts) -> Option<Name> {
        parts.build_one(self, Rule::name, Self::build_new_name)
    }

    /// `sides 2..4 of 1 character, all different in a ring named "Red", "Blue" where it.age > 2 else "…"`
    fn build_sides(&mut self, parts: &mut Parts) -> Option<Sides> {
        let (least, most) = parts.build_one(self, Rule::int_range, Self::build_int_range)?;
        let entrants = parts.build_optional(self, Rule::entrants, Self::build_entrants)?;
        let words =
            parts.build_all(self, Rule::side_word, |_, pair| self::inner_parts(pair).next().map(|word| word.as_rule()))?;
        let (equally_many, all_different) = (words.contains(&Rule::equally_many), words.contains(&Rule::all_different));
        let ring = parts.take_if_present(Rule::ring);
        let named = parts.build_optional(self, Rule::side_names, |builder, pair| {
            self::inner_parts(pair).build_all(builder, Rule::text, Self::build_text)
        })?;
        let names = named.unwrap_or_default();
        let late_ring = parts.take_part(Rule::ring);
        if let Some(late) = &late_ring {
            self.report_wrong_form(
                self.pair_span(late),
                "`in a ring` comes before the names of the sides",
                "write it before `named`",
            );
        }
        let ring = ring || late_ring.is_some();
        let admission = parts.build_optional(self, Rule::admission, Self::build_admission)?;
        Some(Sides { least, most, entrants, equally_many, all_different, ring, names, admission })
    }

    /// The condition of `where`, and the text of its `else`.
    fn build_admission(&mut self, pair: Pair) -> Option<(Expr, Text)> {
        let mut parts = inner_parts(pair);
        let condition = parts.build_one(self, Rule::or_expr, Self::build_or_expr)?;
        let why_not = parts.build_one(self, Rule::why_not, |builder, pair| {
            self::inner_parts(pair).build_one(builder, Rule::text, Self::build_text)
        })?;
        Some((condition, why_not))
    }

    /// A single number is both bounds.
    fn build_int_range(&mut self, pair: Pair) -> Option<(i64, i64)> {
        let mut parts = inner_parts(pair);
        let least = parts.build_one(self, Rule::int, Self::build_number)?;
        let most = parts.build_optional(self, Rule::int, Self::build_number)?;
        Some((least, most.unwrap_or(least)))
    }

    /// The lowest and the highest number of entrants of a side, and their sheet.
    fn build_entrants(&mut self, pair: Pair) -> Option<(i64, i64, Name)> {
        let mut parts = inner_parts(pair);
        let (least, most) = parts.build_one(self, Rule::int_range, Self::build_int_range)?;
        Some((least, most, parts.build_one(self, Rule::name, Self::build_name)?))
    }

    /// `option flies = 3 in 1..9 "…"`, `option tide is one of high, low = low`
    fn build_option(&mut self, parts: &mut Parts) -> Option<GameOption> {
        let name = self.build_declared_name(parts)?;
        let kind = self.build_option_kind(parts.next()?)?;
        Some(GameOption { name, kind, text: parts.build_optional(self, Rule::text, Self::build_text)? })
    }

    /// The values of an option, with the default.
    fn build_option_kind(&mut self, pair: Pair) -> Option<OptionKind> {
        let rule = pair.as_rule();
        let mut parts = inner_parts(pair);
        Some(match rule {
            Rule::word_option => {
                let words = parts.build_one(self, Rule::names, Self::build_new_names)?;
                OptionKind::Words { words, default: parts.build_one(self, Rule::name, Self::build_name)? }
            }
            _ => {
                let default = parts.build_one(self, Rule::value, Self::build_value)?;
                OptionKind::Number { default, range: parts.build_optional(self, Rule::in_range, Self::build_in_range)? }
            }
        })
    }

    /// The bounds of `in 1..9`: the least and the greatest value, both allowed.
    pub fn build_in_range(&mut self, pair: Pair) -> Option<(Expr, Expr)> {
        let mut parts = inner_parts(pair);
        Some((parts.build_one(self, Rule::sum, Self::build_sum)?, parts.build_one(self, Rule::sum, Self::build_sum)?))
    }

    /// `type coat (coats) is one of fur, feathers`
    fn build_words(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.build_declared_name(parts)?;
        let plural = parts.build_optional(self, Rule::plural, Self::build_plural)?;
        Some(ItemKind::Words { name, plural, words: parts.build_one(self, Rule::names, Self::build_new_names)? })
    }

    /// `die wild "Wild" with faces 1, 1, 6`
    fn build_die_kind(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.build_declared_name(parts)?;
        let title = self.build_title(parts)?;
        Some(ItemKind::DieKind { name, title, faces: parts.build_all(self, Rule::int, Self::build_placed_number)? })
    }

    /// `piece card (cards) from card { … }`, `piece frog shown as "{colour} frog" { … }`
    fn build_piece(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.build_declared_name(parts)?;
        let plural = parts.build_optional(self, Rule::plural, Self::build_plural)?;
        let from = parts.build_optional(self, Rule::from_sheet, Self::build_inner_name)?;
        let shown_as = parts.build_optional(self, Rule::shown_as, |builder, pair| {
            self::inner_parts(pair).build_one(builder, Rule::text, Self::build_text)
        })?;
        Some(ItemKind::Piece { name, plural, from, shown_as, members: self.build_members_or_none(parts)? })
    }

    /// `sheet fruit (fruits) is a plant { … }`
    fn build_sheet(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.build_declared_name(parts)?;
        let plural = parts.build_optional(self, Rule::plural, Self::build_plural)?;
        let base = parts.build_optional(self, Rule::is_base, Self::build_inner_name)?;
        Some(ItemKind::Sheet { name, plural, base, members: self.build_members_or_none(parts)? })
    }

    /// `(frogs)`, after the singular.
    fn build_plural(&mut self, pair: Pair) -> Option<Name> {
        self.build_declared_name(&mut inner_parts(pair))
    }

    /// The single name within a pair.
    pub fn build_inner_name(&mut self, pair: Pair) -> Option<Name> {
        inner_parts(pair).build_one(self, Rule::name, Self::build_name)
    }

    /// `each side has { … }`, `the table has { … }`
    fn build_has(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        // The owner is a kind of piece, or the table, whose word is a keyword here.
        let owner = self.build_name(parts.next()?)?;
        Some(ItemKind::Has { owner, members: parts.build_one(self, Rule::has_members, Self::build_has_members)? })
    }

    /// `define points(side: side): number = …`
    fn build_define(&mut self, parts: &mut Parts) -> Option<Define> {
        let name = self.build_declared_name(parts)?;
        let params = self.build_params_or_none(parts)?;
        let of = parts.build_optional(self, Rule::of_type, Self::build_of_type)?;
        Some(Define { name, params, of, value: parts.build_one(self, Rule::expr, Self::build_expr)? })
    }

    /// The parameters in brackets; none if there are no brackets.
    fn build_params_or_none(&mut self, parts: &mut Parts) -> Option<Vec<Param>> {
        Some(parts.build_optional(self, Rule::params, Self::build_params)?.unwrap_or_default())
    }

    /// `(side: side, die: die)`
    fn build_params(&mut self, pair: Pair) -> Option<Vec<Param>> {
        inner_parts(pair).build_all(self, Rule::param, Self::build_param)
    }

    /// `side: side`
    fn build_param(&mut self, pair: Pair) -> Option<Param> {
        let mut parts = inner_parts(pair);
        Some(Param {
            name: self.build_declared_name(&mut parts)?,
            of: parts.build_one(self, Rule::type_name, Self::build_type_name)?,
        })
    }

    /// `hook hopped(side: side) answers refused goes round "…" when "…"`
    fn build_hook(&mut self, parts: &mut Parts) -> Option<Hook> {
        let name = self.build_declared_name(parts)?;
        let params = self.build_params_or_none(parts)?;
        let value = parts.build_optional(self, Rule::hook_value, Self::build_hook_value)?;
        let layers = parts.build_optional(self, Rule::layers, Self::build_inner_new_names)?.unwrap_or_default();
        let answers = parts.build_optional(self, Rule::answers, Self::build_inner_new_names)?.unwrap_or_default();
        let goes_round = parts.take_if_present(Rule::goes_round);
        let prompt = parts.build_optional(self, Rule::text, Self::build_text)?;
        let moment = parts.build_optional(self, Rule::moment, |builder, pair| {
            self::inner_parts(pair).build_one(builder, Rule::text, Self::build_text)
        })?;
        Some(Hook { name, params, value, layers, answers, goes_round, prompt, moment })
    }

    /// The type of a hook's value, and the value before modifiers change it: `: number = 1`.
    fn build_hook_value(&mut self, pair: Pair) -> Option<(TypeName, Expr)> {
        let mut parts = inner_parts(pair);
        Some((
            parts.build_one(self, Rule::type_name, Self::build_type_name)?,
            parts.build_one(self, Rule::value, Self::build_value)?,
        ))
    }

    /// The new names within a pair.
    fn build_inner_new_names(&mut self, pair: Pair) -> Option<Vec<Name>> {
        inner_parts(pair).build_one(self, Rule::names, Self::build_new_names)
    }

    /// `family hop(active: side) is move { … }`
    fn build_family(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.build_declared_name(parts)?;
        let params = self.build_params_or_none(parts)?;
        let base = parts.build_optional(self, Rule::is_family, Self::build_inner_name)?;
        Some(ItemKind::Family { name, params, base, fields: self.build_members_or_none(parts)? })
    }

    // --- actions ---

    /// `leap(die in active.nest) is hop when … do { … }`, after `action` or `grant`.
    pub fn build_action(&mut self, pair: Pair) -> Option<Action> {
        let mut parts = inner_parts(pair);
        let name = self.build_declared_name(&mut parts)?;
        let roles = parts.build_optional(self, Rule::roles, Self::build_roles)?.unwrap_or_default();
        let family = parts.build_optional(self, Rule::is_family, Self::build_inner_name)?;
        Some(Action { name, roles, family, clauses: self.build_clauses(&mut parts)? })
    }

    /// `(die in xs, more: 2 in ys)`
    pub fn build_roles(&mut self, pair: Pair) -> Option<Vec<Role>> {
        inner_parts(pair).build_all(self, Rule::role, Self::build_role)
    }

    /// `die in xs`, `more: 1 to 3 in xs`
    fn build_role(&mut self, pair: Pair) -> Option<Role> {
        let mut parts = inner_parts(pair);
        let name = self.build_declared_name(&mut parts)?;
        let amount = parts.build_optional(self, Rule::amount, Self::build_amount)?.unwrap_or(Amount::One);
        Some(Role { name, amount, from: parts.build_one(self, Rule::expr, Self::build_expr)? })
    }

    /// `2`, `2 or more`, `1 to 3`, `none or 1`, `any number`
    pub fn build_amount(&mut self, pair: Pair) -> Option<Amount> {
        let inner = inner_parts(pair).next()?;
        let rule = inner.as_rule();
        let mut parts = inner_parts(inner);
        Some(match rule {
            Rule::amount_any => Amount::Any,
            Rule::amount_optional => self.build_optional_amount(&mut parts)?,
            _ => {
                let number = parts.build_one(self, Rule::sum, Self::build_sum)?;
                match parts.next() {
                    None => Amount::Exactly(number),
                    Some(tail) if tail.as_rule() == Rule::up_to => Amount::Between(number, self.build_inner_sum(tail)?),
                    Some(_) => Amount::AtLeast(number),
                }
            }
        })
    }

    /// `none or 1`; `none or 3` is `0 to 3`.
    fn build_optional_amount(&mut self, parts: &mut Parts) -> Option<Amount> {
        let (most, span) = parts.build_one(self, Rule::int, Self::build_placed_number)?;
        let number = |number| Expr { kind: crate::tree::ExprKind::Number(number), span };
        Some(if most == 1 { Amount::OneOrNone } else { Amount::Between(number(0), number(most)) })
    }

    /// All clauses that follow.
    pub fn build_clauses(&mut self, parts: &mut Parts) -> Option<Vec<Clause>> {
        let clauses = parts.build_all(self, Rule::clause, Self::build_clause)?;
        self.report_repeated_clauses(&clauses);
        Some(clauses)
    }

    /// Reports duplicates of clauses that are allowed only once; conditions may be repeated.
    pub fn report_repeated_clauses(&mut self, clauses: &[Clause]) {
        for (index, clause) in clauses.iter().enumerate() {
            let Some(what) = single_clause_word(&clause.kind) else {
                continue;
            };
            let before = clauses.iter().take(index).find(|before| single_clause_word(&before.kind).as_ref() == Some(&what));
            if let Some(before) = before {
                self.report_duplicate(&what, Some(before.span), clause.span);
            }
        }
    }

    /// A clause with its place and rule ids.
    pub fn build_clause(&mut self, pair: Pair) -> Option<Clause> {
        let inner = inner_parts(pair.clone()).next()?;
        let span = self.pair_span(&pair);
        let kind = self.build_clause_kind(inner)?;
        Some(Clause { kind, span, cites: self.take_cites(span) })
    }

    /// The clause itself; `pair` is that of its own rule.
    pub fn build_clause_kind(&mut self, pair: Pair) -> Option<ClauseKind> {
        let rule = pair.as_rule();
        let mut parts = inner_parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::when_else => {
                let condition = parts.build_one(self, Rule::expr, Self::build_expr)?;
                let why_not = parts.build_optional(self, Rule::why_not, |builder, pair| {
                    self::inner_parts(pair).build_one(builder, Rule::text, Self::build_text)
                });
                Some(ClauseKind::When(condition, why_not?))
            }
            Rule::says => self.build_title(parts).map(ClauseKind::Says),
            Rule::gives => self.build_gives(parts),
            Rule::does => parts.build_one(self, Rule::block, Self::build_block).map(ClauseKind::Do),
            Rule::obliges => parts.build_one(self, Rule::expr, Self::build_expr).map(ClauseKind::ObligesWhen),
            Rule::to_whom => parts.build_one(self, Rule::expr, Self::build_expr).map(ClauseKind::To),
            Rule::early => Some(ClauseKind::Early),
            Rule::late => Some(ClauseKind::Late),
            Rule::tells => Some(ClauseKind::Tells),
            Rule::free => Some(ClauseKind::Free),
            Rule::priority => parts.build_one(self, Rule::int, Self::build_number).map(ClauseKind::Priority),
            _ => None,
        }
    }

    /// `gives helper = die`
    fn build_gives(&mut self, parts: &mut Parts) -> Option<ClauseKind> {
        let name = parts.build_one(self, Rule::name, Self::build_name)?;
        Some(ClauseKind::Gives(name, parts.build_one(self, Rule::expr, Self::build_expr)?))
    }

    // --- procedures, policies, tables, modes ---

    /// `to hop(side: side): number { … }`, `scope turn { … }`, `entry day { … }`
    fn build_procedure(&mut self, parts: &mut Parts) -> Option<Procedure> {
        let entry = parts.take_if_present(Rule::entry);
        let scope = parts.take_if_present(Rule::scope);
        if let Some(word) = parts.take_part(Rule::wrong_to) {
            let place = self.pair_span(&word);
            self.report_spelling(place, word.as_str(), "to");
        }
        let name = self.build_declared_name(parts)?;
        let params = self.build_params_or_none(parts)?;
        let gives = parts.build_optional(self, Rule::of_type, Self::build_of_type)?;
        Some(Procedure { name, params, gives, body: parts.build_one(self, Rule::block, Self::build_block)?, scope, entry })
    }

    /// `policy careful for hop { … }`
    fn build_policy(&mut self, parts: &mut Parts) -> Option<Policy> {
        let name = self.build_declared_name(parts)?;
        let family = parts.build_one(self, Rule::name, Self::build_name)?;
        Some(Policy { name, family, lines: parts.build_all(self, Rule::policy_row, Self::build_policy_row)? })
    }

    /// `with chance 1/3 when a prefer highest b`
    fn build_policy_row(&mut self, pair: Pair) -> Option<PolicyRow> {
        let mut parts = inner_parts(pair);
        let chance = parts.build_optional(self, Rule::chance, Self::build_chance)?;
        let when = parts.build_optional(self, Rule::policy_when, Self::build_inner_expr)?;
        Some(PolicyRow { chance, when, prefer: parts.build_one(self, Rule::expr, Self::build_expr)? })
    }

    /// `with chance 1/3`
    fn build_chance(&mut self, pair: Pair) -> Option<Chance> {
        let mut parts = inner_parts(pair);
        let (times, first) = parts.build_one(self, Rule::int, Self::build_placed_number)?;
        let (out_of, last) = parts.build_one(self, Rule::int, Self::build_placed_number)?;
        Some(Chance { times, out_of, span: first.extend_to(last) })
    }

    /// `table reach(size) { 1: 4  2..3: 6  otherwise: 9 }`
    fn build_table(&mut self, parts: &mut Parts) -> Option<Table> {
        let name = self.build_declared_name(parts)?;
        let params = parts.build_all(self, Rule::table_param, Self::build_table_param)?;
        let of = parts.build_optional(self, Rule::of_type, Self::build_of_type)?;
        let rows = parts.build_all(self, Rule::table_row, Self::build_table_row)?;
        Some(Table {
            name,
            params,
            of,
            rows,
            otherwise: parts.build_optional(self, Rule::table_otherwise, Self::build_inner_sum)?,
        })
    }

    /// A parameter without a type is a number.
    fn build_table_param(&mut self, pair: Pair) -> Option<Param> {
        let mut parts = inner_parts(pair);
        let name = self.build_declared_name(&mut parts)?;
        let of = parts.build_optional(self, Rule::of_type, Self::build_of_type)?;
        let number = || TypeName { kind: TypeKind::Named(Name { text: "number".to_string(), span: name.span }), span: name.span };
        let of = of.unwrap_or_else(number);
        Some(Param { name, of })
    }

    /// `2..3, rock: 4`
    fn build_table_row(&mut self, pair: Pair) -> Option<TableRow> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let keys = parts.build_all(self, Rule::table_key, Self::build_table_key)?;
        Some(TableRow { keys, value: parts.build_one(self, Rule::sum, Self::build_sum)?, span })
    }

    /// A value, and the end of the range if it is one.
    fn build_table_key(&mut self, pair: Pair) -> Option<(Expr, Option<Expr>)> {
        let mut parts = inner_parts(pair);
        let first = parts.build_one(self, Rule::sum, Self::build_sum)?;
        Some((first, parts.build_optional(self, Rule::row_end, Self::build_inner_sum)?))
    }

    /// `mode short "Short game" { … }`
    fn build_mode(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = parts.build_one(self, Rule::slug, Self::build_new_name)?;
        let title = parts.build_optional(self, Rule::text, Self::build_text)?;
        Some(ItemKind::Mode { name, title, items: parts.build_all(self, Rule::item, Self::build_item)? })
    }

    /// A mode after `replace`, which adds to one that exists.
    fn build_more_of_mode(&mut self, pair: Pair) -> Option<Item> {
        let span = self.pair_span(&pair);
        let kind = self.build_deeper(ITEM_LEVELS, span, |builder| builder.build_mode(&mut self::inner_parts(pair)))?;
        Some(Item { kind, span, cites: self.take_cites(span), doc: self.doc_text(span) })
    }

    /// `remove action tag`
    fn build_remove_item(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let sort = parts.build_one(self, Rule::sort, Self::build_name)?;
        Some(ItemKind::Remove { sort, name: parts.build_one(self, Rule::name, Self::build_name)? })
    }

    // --- members ---

    /// The members in braces; none if there are no braces.
    fn build_members_or_none(&mut self, parts: &mut Parts) -> Option<Vec<Member>> {
        Some(parts.build_optional(self, Rule::members, Self::build_members)?.unwrap_or_default())
    }

    /// `{ … }` with members.
    fn build_members(&mut self, pair: Pair) -> Option<Vec<Member>> {
        inner_parts(pair).build_all(self, Rule::member, Self::build_member)
    }

    /// A member with its place, rule ids and documentation.
    fn build_member(&mut self, pair: Pair) -> Option<Member> {
        let span = self.pair_span(&pair);
        let kind = self.build_deeper(1, span, |builder| builder.build_member_kind(inner_parts(pair).next()?))?;
        Some(Member { kind, replaces: false, span, cites: self.take_cites(span), doc: self.doc_text(span) })
    }

    /// Members, some of which may replace others.
    fn build_has_members(&mut self, pair: Pair) -> Option<Vec<Member>> {
        let mut parts = inner_parts(pair);
        let mut members = Vec::new();
        while let Some(part) = parts.next() {
            members.push(if part.as_rule() == Rule::replace_member {
                self.build_replace_member(part)?
            } else {
                self.build_member(part)?
            });
        }
        Some(members)
    }

    /// `replace counter flies`, in the members of a kind.
    fn build_replace_member(&mut self, pair: Pair) -> Option<Member> {
        let member = inner_parts(pair).build_one(self, Rule::member, Self::build_member)?;
        Some(Member { replaces: true, ..member })
    }

    /// A zone, counter, mark or field.
    fn build_member_kind(&mut self, pair: Pair) -> Option<MemberKind> {
        let rule = pair.as_rule();
        let mut parts = inner_parts(pair);
        match rule {
            Rule::zone_member => self.build_zone_member(&mut parts),
            Rule::counter_member => self.build_counter_member(&mut parts),
            Rule::mark_member => self.build_mark_member(&mut parts),
            _ => self.build_field_member(&mut parts),
        }
    }

    /// `zone hand, deck: cards, seen by owner`, `zone spots: grid 3 by 3 of frogs`
    fn build_zone_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let names = parts.build_one(self, Rule::names, Self::build_new_names)?;
        let board = parts.build_optional(self, Rule::board, Self::build_board_size)?;
        let holds = parts.build_one(self, Rule::name, Self::build_name)?;
        let words = parts.build_all(self, Rule::zone_word, Self::build_zone_word)?;
        Some(MemberKind::Zone { names, board, holds, words, optional: parts.take_if_present(Rule::empty_default) })
    }

    /// `grid 3 by 3 of`, `row of 24 of`
    fn build_board_size(&mut self, pair: Pair) -> Option<BoardSize> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let columns = parts.build_one(self, Rule::int, Self::build_number)?;
        let rows = parts.build_optional(self, Rule::int, Self::build_number)?.unwrap_or(1);
        Some(BoardSize { columns, rows, span })
    }

    /// `counter flies = 3 in 0..9`
    fn build_counter_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let mut names = parts.build_one(self, Rule::names, Self::build_new_names)?;
        if parts.peek().is_none() {
            self.without_next_member(&mut names);
        }
        let of = parts.build_optional(self, Rule::of_type, Self::build_of_type)?;
        let default = parts.build_optional(self, Rule::default, Self::build_default)?;
        let range = parts.build_optional(self, Rule::in_range, Self::build_in_range)?;
        let seen = parts.build_optional(self, Rule::seen_by, Self::build_seen_by)?;
        let text = parts.build_optional(self, Rule::text, Self::build_text)?;
        Some(MemberKind::Counter { names, of, default, range, seen, text })
    }

    /// `counter fish,` before a line `counter days: number` is reported, and parsed without the comma and the rest.
    fn without_next_member(&mut self, names: &mut Vec<Name>) {
        if let [.., before, next] = names.as_slice()
            && MEMBERS.contains(&next.text.as_str())
        {
            let place = Span { start: before.span.end, end: before.span.end + 1, ..before.span };
            self.problems.push(comma_between_members(place));
            names.pop();
        }
    }

    /// `bids: list of number, at most 5`
    fn build_field_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let names = parts.build_one(self, Rule::names, Self::build_new_names)?;
        let of = parts.build_one(self, Rule::type_name, Self::build_type_name)?;
        let default = parts.build_optional(self, Rule::default, Self::build_default)?;
        let range = parts.build_optional(self, Rule::in_range, Self::build_in_range)?;
        let room = parts.build_optional(self, Rule::room, Self::build_room)?;
        let shown = parts.take_if_present(Rule::shown);
        let seen = parts.build_optional(self, Rule::seen_by, Self::build_seen_by)?;
        let lending = parts.build_optional(self, Rule::lending, Self::build_lending)?.unwrap_or_default();
        Some(MemberKind::Field { names, of, default, range, room, shown, seen, lending })
    }

    /// `at most 5`, for a list.
    fn build_room(&mut self, pair: Pair) -> Option<Room> {
        let span = self.pair_span(&pair);
        Some(Room { most: super::tree::inner_parts(pair).build_one(self, Rule::int, Self::build_number)?, span })
    }

    /// `mark tired "cannot hop", untold { … }`
    fn build_mark_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let name = self.build_declared_name(parts)?;
        let text = parts.build_optional(self, Rule::text, Self::build_text)?;
        let mut words = Vec::new();
        while let Some(word) = parts.take_part(Rule::untold).or_else(|| parts.take_part(Rule::printed)) {
            words.push(word.as_rule());
        }
        let (untold, printed) = (words.contains(&Rule::untold), words.contains(&Rule::printed));
        let (mut fields, mut inner) = (Vec::new(), Vec::new());
        if let Some(body) = parts.take_part(Rule::mark_body) {
            let mut body = super::tree::inner_parts(body);
            fields = body.build_all(self, Rule::member, Self::build_member)?;
            inner = body.build_all(self, Rule::part, Self::build_part)?;
        }
        Some(MemberKind::Mark { name, text, untold, printed, fields, parts: inner })
    }

    /// `seen by owner`, for a field or counter.
    fn build_seen_by(&mut self, pair: Pair) -> Option<SeenBy> {
        let span = self.pair_span(&pair);
        Some(SeenBy { who: self.build_zone_word(pair)?, span })
    }

    /// A word about a zone, such as `in order` or `at most 7`.
    fn build_zone_word(&mut self, pair: Pair) -> Option<ZoneWord> {
        let inner = inner_parts(pair).next()?;
        Some(match inner.as_rule() {
            Rule::seen_all => ZoneWord::Open,
            Rule::seen_others => ZoneWord::SeenByAllButOwner,
            Rule::seen_owner => ZoneWord::SeenByOwner,
            Rule::seen_nobody => ZoneWord::SeenByNobody,
            Rule::in_order => ZoneWord::InOrder,
            Rule::out_of_play => ZoneWord::OutOfPlay,
            Rule::at_most => ZoneWord::AtMost(inner_parts(inner).build_one(self, Rule::int, Self::build_number)?),
            _ => ZoneWord::FallsTo(self.build_inner_sum(inner)?),
        })
    }

    /// `= 3`
    pub fn build_default(&mut self, pair: Pair) -> Option<Expr> {
        inner_parts(pair).build_one(self, Rule::value, Self::build_value)
    }

    /// `lending nest, lake`
    fn build_lending(&mut self, pair: Pair) -> Option<Vec<Name>> {
        inner_parts(pair).build_one(self, Rule::names, Self::build_names)
    }

    // --- types ---

    /// `: number`
    pub fn build_of_type(&mut self, pair: Pair) -> Option<TypeName> {
        inner_parts(pair).build_one(self, Rule::type_name, Self::build_type_name)
    }

    /// `number`, `list of side`, `zone of dice or none`
    fn build_type_name(&mut self, pair: Pair) -> Option<TypeName> {
        let span = self.pair_span(&pair);
        let mut parts = inner_parts(pair);
        let first = parts.next()?;
        let inner = self.build_deeper(1, span, |builder| builder.build_plain_type(first))?;
        Some(if parts.take_if_present(Rule::or_none) {
            TypeName { kind: TypeKind::OrNone(Box::new(inner)), span }
        } else {
            inner
        })
    }

    /// A type without `or none`.
    fn build_plain_type(&mut self, pair: Pair) -> Option<TypeName> {
        let span = self.pair_span(&pair);
        let kind = match pair.as_rule() {
            Rule::list_of => TypeKind::ListOf(Box::new(self.build_inner_type(pair)?)),
            Rule::zone_of => TypeKind::ZoneOf(self.build_inner_name(pair)?),
            _ => TypeKind::Named(self.build_name(pair)?),
        };
        Some(TypeName { kind, span })
    }

    /// The single type within a pair.
    fn build_inner_type(&mut self, pair: Pair) -> Option<TypeName> {
        inner_parts(pair).build_one(self, Rule::type_name, Self::build_type_name)
    }
}

/// The first word of a clause that is allowed only once.
fn single_clause_word(clause: &ClauseKind) -> Option<String> {
    Some(match clause {
        ClauseKind::When(..) => return None,
        ClauseKind::Gives(name, _) => format!("gives {}", name.text),
        ClauseKind::Says(_) => "says".to_string(),
        ClauseKind::Do(_) => "do".to_string(),
        ClauseKind::ObligesWhen(_) => "obliges".to_string(),
        ClauseKind::To(_) => "to".to_string(),
        ClauseKind::Early => "early".to_string(),
        ClauseKind::Late => "late".to_string(),
        ClauseKind::Tells => "tells".to_string(),
        ClauseKind::Free => "free".to_string(),
        ClauseKind::Priority(_) => "priority".to_string(),
    })
}
