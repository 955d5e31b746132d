//! Declarations and their members.

use super::Rule;
use super::complaints::{MEMBERS, comma_between_members};
use super::tree::{Builder, Pair, Parts, parts};
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
    pub fn item(&mut self, pair: Pair) -> Option<Item> {
        let span = self.span(&pair);
        let kind = self.deeper(ITEM_LEVELS, span, |builder| builder.item_kind(parts(pair).next()?))?;
        let doc = self.doc(span);
        let cites = match &kind {
            ItemKind::Ability(ability) => ability.cites.clone(),
            _ => self.cites(span),
        };
        Some(Item { kind, span, cites, doc })
    }

    // As with statements, every arm is a single call.
    fn item_kind(&mut self, pair: Pair) -> Option<ItemKind> {
        let rule = pair.as_rule();
        if rule == Rule::ability {
            return self.ability(pair).map(ItemKind::Ability);
        }
        let mut parts = parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::language => self.language(parts),
            Rule::game => self.game(parts),
            Rule::package => self.package(parts),
            Rule::sides => self.sides(parts).map(ItemKind::Sides),
            Rule::referee => self.referee(parts),
            Rule::option => self.option(parts).map(ItemKind::Option),
            Rule::words => self.words(parts),
            Rule::die_sizes => self.die_sizes(parts),
            Rule::die_kind => self.die_kind(parts),
            Rule::piece => self.piece(parts),
            Rule::sheet => self.sheet(parts),
            Rule::table_rows => self.table(parts).map(ItemKind::Table),
            Rule::has => self.has(parts),
            Rule::define => self.define(parts).map(ItemKind::Define),
            Rule::hook => self.hook(parts).map(ItemKind::Hook),
            Rule::family => self.family(parts),
            Rule::action_item => parts.one(self, Rule::action, Self::action).map(ItemKind::Action),
            Rule::procedure => self.procedure(parts).map(ItemKind::Procedure),
            Rule::standing => self.standing(parts),
            Rule::policy => self.policy(parts).map(ItemKind::Policy),
            Rule::abilities_work => self.works(None, parts),
            Rule::ability_works => {
                let ability = self.slug(parts)?;
                self.works(Some(ability), parts)
            }
            Rule::shared_uses => Some(ItemKind::SharedUses { scopes: parts.one(self, Rule::names, Self::names)? }),
            Rule::mode | Rule::more_of_mode => self.mode(parts),
            Rule::replace => self.replace(parts),
            Rule::remove_item => self.remove_item(parts),
            _ => None,
        }
    }

    fn language(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let (version, span) = parts.one(self, Rule::int, Self::placed_number)?;
        if version != LANGUAGE {
            let problem = Problem::error(codes::VERSION, format!("the language has no version {version}")).at(span, "not known");
            self.problems.push(problem.help(format!("write `ludex {LANGUAGE}`; a newer number needs a newer Ludex")));
        }
        Some(ItemKind::Language)
    }

    fn game(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Game { id: self.slug(parts)?, title: self.title(parts)? })
    }

    fn package(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let (id, title) = (self.slug(parts)?, self.title(parts)?);
        Some(ItemKind::Package { id, title, extends: parts.all(self, Rule::slug, Self::name)? })
    }

    fn referee(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Referee { title: self.title(parts)? })
    }

    fn die_sizes(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let mut sizes = Vec::new();
        while let Some(size) = parts.next() {
            let span = self.span(&size);
            let digits = size.as_str().trim_start_matches('d');
            if size.as_rule() == Rule::die_word {
                self.wrong_for(span, "the size of a die is a number alone", format!("write `{digits}`"), digits);
            }
            sizes.push((self.digits(digits, span), span));
        }
        Some(ItemKind::DieSizes { sizes })
    }

    fn standing(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Standing { param: self.declared(parts)?, value: parts.one(self, Rule::expr, Self::expr)? })
    }

    fn works(&mut self, ability: Option<Name>, parts: &mut Parts) -> Option<ItemKind> {
        Some(ItemKind::Works { ability, when: parts.one(self, Rule::when, Self::expr_within)? })
    }

    fn replace(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        if parts.peek() == Some(Rule::more_of_mode) {
            let mode = parts.one(self, Rule::more_of_mode, Self::more_of_mode)?;
            return Some(ItemKind::Replace(Box::new(mode)));
        }
        Some(ItemKind::Replace(Box::new(parts.one(self, Rule::item, Self::item)?)))
    }

    fn slug(&mut self, parts: &mut Parts) -> Option<Name> {
        parts.one(self, Rule::slug, Self::name)
    }

    fn title(&mut self, parts: &mut Parts) -> Option<Text> {
        parts.one(self, Rule::text, Self::text)
    }

    /// The declared name.
    pub fn declared(&mut self, parts: &mut Parts) -> Option<Name> {
        parts.one(self, Rule::name, Self::new_name)
    }

    fn sides(&mut self, parts: &mut Parts) -> Option<Sides> {
        let (least, most) = parts.one(self, Rule::int_range, Self::int_range)?;
        let entrants = parts.maybe(self, Rule::entrants, Self::entrants)?;
        let words = parts.all(self, Rule::side_word, |_, pair| self::parts(pair).next().map(|word| word.as_rule()))?;
        let (equally_many, all_different) = (words.contains(&Rule::equally_many), words.contains(&Rule::all_different));
        let ring = parts.has(Rule::ring);
        let named =
            parts.maybe(self, Rule::side_names, |builder, pair| self::parts(pair).all(builder, Rule::text, Self::text))?;
        let names = named.unwrap_or_default();
        let late_ring = parts.take(Rule::ring);
        if let Some(late) = &late_ring {
            self.wrong(self.span(late), "`in a ring` comes before the names of the sides", "write it before `named`");
        }
        let ring = ring || late_ring.is_some();
        let admission = parts.maybe(self, Rule::admission, Self::admission)?;
        Some(Sides { least, most, entrants, equally_many, all_different, ring, names, admission })
    }

    fn admission(&mut self, pair: Pair) -> Option<(Expr, Text)> {
        let mut parts = parts(pair);
        let condition = parts.one(self, Rule::or_expr, Self::or_expr)?;
        let why_not = parts.one(self, Rule::why_not, |builder, pair| self::parts(pair).one(builder, Rule::text, Self::text))?;
        Some((condition, why_not))
    }

    fn int_range(&mut self, pair: Pair) -> Option<(i64, i64)> {
        let mut parts = parts(pair);
        let least = parts.one(self, Rule::int, Self::number)?;
        let most = parts.maybe(self, Rule::int, Self::number)?;
        Some((least, most.unwrap_or(least)))
    }

    fn entrants(&mut self, pair: Pair) -> Option<(i64, i64, Name)> {
        let mut parts = parts(pair);
        let (least, most) = parts.one(self, Rule::int_range, Self::int_range)?;
        Some((least, most, parts.one(self, Rule::name, Self::name)?))
    }

    fn option(&mut self, parts: &mut Parts) -> Option<GameOption> {
        let name = self.declared(parts)?;
        let kind = self.option_kind(parts.next()?)?;
        Some(GameOption { name, kind, text: parts.maybe(self, Rule::text, Self::text)? })
    }

    fn option_kind(&mut self, pair: Pair) -> Option<OptionKind> {
        let rule = pair.as_rule();
        let mut parts = parts(pair);
        Some(match rule {
            Rule::word_option => {
                let words = parts.one(self, Rule::names, Self::new_names)?;
                OptionKind::Words { words, default: parts.one(self, Rule::name, Self::name)? }
            }
            _ => {
                let default = parts.one(self, Rule::value, Self::value)?;
                OptionKind::Number { default, range: parts.maybe(self, Rule::in_range, Self::in_range)? }
            }
        })
    }

    /// The bounds of `in 1..9`: the least and the greatest value, both allowed.
    pub fn in_range(&mut self, pair: Pair) -> Option<(Expr, Expr)> {
        let mut parts = parts(pair);
        Some((parts.one(self, Rule::sum, Self::sum)?, parts.one(self, Rule::sum, Self::sum)?))
    }

    fn words(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.declared(parts)?;
        let plural = parts.maybe(self, Rule::plural, Self::plural)?;
        Some(ItemKind::Words { name, plural, words: parts.one(self, Rule::names, Self::new_names)? })
    }

    fn die_kind(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.declared(parts)?;
        let title = self.title(parts)?;
        Some(ItemKind::DieKind { name, title, faces: parts.all(self, Rule::int, Self::placed_number)? })
    }

    fn piece(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.declared(parts)?;
        let plural = parts.maybe(self, Rule::plural, Self::plural)?;
        let from = parts.maybe(self, Rule::from_sheet, Self::name_in)?;
        let shown_as =
            parts.maybe(self, Rule::shown_as, |builder, pair| self::parts(pair).one(builder, Rule::text, Self::text))?;
        Some(ItemKind::Piece { name, plural, from, shown_as, members: self.members_or_none(parts)? })
    }

    fn sheet(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.declared(parts)?;
        let plural = parts.maybe(self, Rule::plural, Self::plural)?;
        let base = parts.maybe(self, Rule::is_base, Self::name_in)?;
        Some(ItemKind::Sheet { name, plural, base, members: self.members_or_none(parts)? })
    }

    fn plural(&mut self, pair: Pair) -> Option<Name> {
        self.declared(&mut parts(pair))
    }

    /// The single name within a pair.
    pub fn name_in(&mut self, pair: Pair) -> Option<Name> {
        parts(pair).one(self, Rule::name, Self::name)
    }

    fn has(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        // The owner is a kind of piece, or the table, whose word is a keyword here.
        let owner = self.name(parts.next()?)?;
        Some(ItemKind::Has { owner, members: parts.one(self, Rule::has_members, Self::has_members)? })
    }

    fn define(&mut self, parts: &mut Parts) -> Option<Define> {
        let name = self.declared(parts)?;
        let params = self.params_or_none(parts)?;
        let of = parts.maybe(self, Rule::of_type, Self::of_type)?;
        Some(Define { name, params, of, value: parts.one(self, Rule::expr, Self::expr)? })
    }

    fn params_or_none(&mut self, parts: &mut Parts) -> Option<Vec<Param>> {
        Some(parts.maybe(self, Rule::params, Self::params)?.unwrap_or_default())
    }

    fn params(&mut self, pair: Pair) -> Option<Vec<Param>> {
        parts(pair).all(self, Rule::param, Self::param)
    }

    fn param(&mut self, pair: Pair) -> Option<Param> {
        let mut parts = parts(pair);
        Some(Param { name: self.declared(&mut parts)?, of: parts.one(self, Rule::type_name, Self::type_name)? })
    }

    fn hook(&mut self, parts: &mut Parts) -> Option<Hook> {
        let name = self.declared(parts)?;
        let params = self.params_or_none(parts)?;
        let value = parts.maybe(self, Rule::hook_value, Self::hook_value)?;
        let layers = parts.maybe(self, Rule::layers, Self::names_in)?.unwrap_or_default();
        let answers = parts.maybe(self, Rule::answers, Self::names_in)?.unwrap_or_default();
        let goes_round = parts.has(Rule::goes_round);
        let prompt = parts.maybe(self, Rule::text, Self::text)?;
        let moment = parts.maybe(self, Rule::moment, |builder, pair| self::parts(pair).one(builder, Rule::text, Self::text))?;
        Some(Hook { name, params, value, layers, answers, goes_round, prompt, moment })
    }

    fn hook_value(&mut self, pair: Pair) -> Option<(TypeName, Expr)> {
        let mut parts = parts(pair);
        Some((parts.one(self, Rule::type_name, Self::type_name)?, parts.one(self, Rule::value, Self::value)?))
    }

    /// The new names within a pair.
    fn names_in(&mut self, pair: Pair) -> Option<Vec<Name>> {
        parts(pair).one(self, Rule::names, Self::new_names)
    }

    fn family(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = self.declared(parts)?;
        let params = self.params_or_none(parts)?;
        let base = parts.maybe(self, Rule::is_family, Self::name_in)?;
        Some(ItemKind::Family { name, params, base, fields: self.members_or_none(parts)? })
    }

    // --- actions ---

    pub fn action(&mut self, pair: Pair) -> Option<Action> {
        let mut parts = parts(pair);
        let name = self.declared(&mut parts)?;
        let roles = parts.maybe(self, Rule::roles, Self::roles)?.unwrap_or_default();
        let family = parts.maybe(self, Rule::is_family, Self::name_in)?;
        Some(Action { name, roles, family, clauses: self.clauses(&mut parts)? })
    }

    pub fn roles(&mut self, pair: Pair) -> Option<Vec<Role>> {
        parts(pair).all(self, Rule::role, Self::role)
    }

    fn role(&mut self, pair: Pair) -> Option<Role> {
        let mut parts = parts(pair);
        let name = self.declared(&mut parts)?;
        let amount = parts.maybe(self, Rule::amount, Self::amount)?.unwrap_or(Amount::One);
        Some(Role { name, amount, from: parts.one(self, Rule::expr, Self::expr)? })
    }

    pub fn amount(&mut self, pair: Pair) -> Option<Amount> {
        let inner = parts(pair).next()?;
        let rule = inner.as_rule();
        let mut parts = parts(inner);
        Some(match rule {
            Rule::amount_any => Amount::Any,
            Rule::amount_optional => self.optional_amount(&mut parts)?,
            _ => {
                let number = parts.one(self, Rule::sum, Self::sum)?;
                match parts.next() {
                    None => Amount::Exactly(number),
                    Some(tail) if tail.as_rule() == Rule::up_to => Amount::Between(number, self.sum_within(tail)?),
                    Some(_) => Amount::AtLeast(number),
                }
            }
        })
    }

    /// `none or 1`; `none or 3` is `0 to 3`.
    fn optional_amount(&mut self, parts: &mut Parts) -> Option<Amount> {
        let (most, span) = parts.one(self, Rule::int, Self::placed_number)?;
        let number = |number| Expr { kind: crate::tree::ExprKind::Number(number), span };
        Some(if most == 1 { Amount::OneOrNone } else { Amount::Between(number(0), number(most)) })
    }

    pub fn clauses(&mut self, parts: &mut Parts) -> Option<Vec<Clause>> {
        let clauses = parts.all(self, Rule::clause, Self::clause)?;
        self.told_once(&clauses);
        Some(clauses)
    }

    /// Reports duplicates of clauses that are allowed only once; conditions may be repeated.
    pub fn told_once(&mut self, clauses: &[Clause]) {
        for (index, clause) in clauses.iter().enumerate() {
            let Some(what) = only_once(&clause.kind) else {
                continue;
            };
            let before = clauses.iter().take(index).find(|before| only_once(&before.kind).as_ref() == Some(&what));
            if let Some(before) = before {
                self.twice(&what, Some(before.span), clause.span);
            }
        }
    }

    pub fn clause(&mut self, pair: Pair) -> Option<Clause> {
        let inner = parts(pair.clone()).next()?;
        let span = self.span(&pair);
        let kind = self.clause_kind(inner)?;
        Some(Clause { kind, span, cites: self.cites(span) })
    }

    pub fn clause_kind(&mut self, pair: Pair) -> Option<ClauseKind> {
        let rule = pair.as_rule();
        let mut parts = parts(pair);
        let parts = &mut parts;
        match rule {
            Rule::when_else => {
                let condition = parts.one(self, Rule::expr, Self::expr)?;
                let why_not =
                    parts.maybe(self, Rule::why_not, |builder, pair| self::parts(pair).one(builder, Rule::text, Self::text));
                Some(ClauseKind::When(condition, why_not?))
            }
            Rule::says => self.title(parts).map(ClauseKind::Says),
            Rule::gives => self.gives(parts),
            Rule::does => parts.one(self, Rule::block, Self::block).map(ClauseKind::Do),
            Rule::obliges => parts.one(self, Rule::expr, Self::expr).map(ClauseKind::ObligesWhen),
            Rule::to_whom => parts.one(self, Rule::expr, Self::expr).map(ClauseKind::To),
            Rule::early => Some(ClauseKind::Early),
            Rule::late => Some(ClauseKind::Late),
            Rule::tells => Some(ClauseKind::Tells),
            Rule::free => Some(ClauseKind::Free),
            Rule::priority => parts.one(self, Rule::int, Self::number).map(ClauseKind::Priority),
            _ => None,
        }
    }

    fn gives(&mut self, parts: &mut Parts) -> Option<ClauseKind> {
        let name = parts.one(self, Rule::name, Self::name)?;
        Some(ClauseKind::Gives(name, parts.one(self, Rule::expr, Self::expr)?))
    }

    // --- procedures, policies, tables, modes ---

    fn procedure(&mut self, parts: &mut Parts) -> Option<Procedure> {
        let entry = parts.has(Rule::entry);
        let scope = parts.has(Rule::scope);
        if let Some(word) = parts.take(Rule::wrong_to) {
            let place = self.span(&word);
            self.written(place, word.as_str(), "to");
        }
        let name = self.declared(parts)?;
        let params = self.params_or_none(parts)?;
        let gives = parts.maybe(self, Rule::of_type, Self::of_type)?;
        Some(Procedure { name, params, gives, body: parts.one(self, Rule::block, Self::block)?, scope, entry })
    }

    fn policy(&mut self, parts: &mut Parts) -> Option<Policy> {
        let name = self.declared(parts)?;
        let family = parts.one(self, Rule::name, Self::name)?;
        Some(Policy { name, family, lines: parts.all(self, Rule::policy_row, Self::policy_row)? })
    }

    fn policy_row(&mut self, pair: Pair) -> Option<PolicyRow> {
        let mut parts = parts(pair);
        let chance = parts.maybe(self, Rule::chance, Self::chance)?;
        let when = parts.maybe(self, Rule::policy_when, Self::expr_within)?;
        Some(PolicyRow { chance, when, prefer: parts.one(self, Rule::expr, Self::expr)? })
    }

    fn chance(&mut self, pair: Pair) -> Option<Chance> {
        let mut parts = parts(pair);
        let (times, first) = parts.one(self, Rule::int, Self::placed_number)?;
        let (out_of, last) = parts.one(self, Rule::int, Self::placed_number)?;
        Some(Chance { times, out_of, span: first.to(last) })
    }

    fn table(&mut self, parts: &mut Parts) -> Option<Table> {
        let name = self.declared(parts)?;
        let params = parts.all(self, Rule::table_param, Self::table_param)?;
        let of = parts.maybe(self, Rule::of_type, Self::of_type)?;
        let rows = parts.all(self, Rule::table_row, Self::table_row)?;
        Some(Table { name, params, of, rows, otherwise: parts.maybe(self, Rule::table_otherwise, Self::sum_within)? })
    }

    /// A parameter without a type is a number.
    fn table_param(&mut self, pair: Pair) -> Option<Param> {
        let mut parts = parts(pair);
        let name = self.declared(&mut parts)?;
        let of = parts.maybe(self, Rule::of_type, Self::of_type)?;
        let number = || TypeName { kind: TypeKind::Named(Name { text: "number".to_string(), span: name.span }), span: name.span };
        let of = of.unwrap_or_else(number);
        Some(Param { name, of })
    }

    fn table_row(&mut self, pair: Pair) -> Option<TableRow> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let keys = parts.all(self, Rule::table_key, Self::table_key)?;
        Some(TableRow { keys, value: parts.one(self, Rule::sum, Self::sum)?, span })
    }

    fn table_key(&mut self, pair: Pair) -> Option<(Expr, Option<Expr>)> {
        let mut parts = parts(pair);
        let first = parts.one(self, Rule::sum, Self::sum)?;
        Some((first, parts.maybe(self, Rule::row_end, Self::sum_within)?))
    }

    fn mode(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let name = parts.one(self, Rule::slug, Self::new_name)?;
        let title = parts.maybe(self, Rule::text, Self::text)?;
        Some(ItemKind::Mode { name, title, items: parts.all(self, Rule::item, Self::item)? })
    }

    fn more_of_mode(&mut self, pair: Pair) -> Option<Item> {
        let span = self.span(&pair);
        let kind = self.deeper(ITEM_LEVELS, span, |builder| builder.mode(&mut self::parts(pair)))?;
        Some(Item { kind, span, cites: self.cites(span), doc: self.doc(span) })
    }

    fn remove_item(&mut self, parts: &mut Parts) -> Option<ItemKind> {
        let sort = parts.one(self, Rule::sort, Self::name)?;
        Some(ItemKind::Remove { sort, name: parts.one(self, Rule::name, Self::name)? })
    }

    // --- members ---

    fn members_or_none(&mut self, parts: &mut Parts) -> Option<Vec<Member>> {
        Some(parts.maybe(self, Rule::members, Self::members)?.unwrap_or_default())
    }

    fn members(&mut self, pair: Pair) -> Option<Vec<Member>> {
        parts(pair).all(self, Rule::member, Self::member)
    }

    fn member(&mut self, pair: Pair) -> Option<Member> {
        let span = self.span(&pair);
        let kind = self.deeper(1, span, |builder| builder.member_kind(parts(pair).next()?))?;
        Some(Member { kind, replaces: false, span, cites: self.cites(span), doc: self.doc(span) })
    }

    /// Members, some of which may replace others.
    fn has_members(&mut self, pair: Pair) -> Option<Vec<Member>> {
        let mut parts = parts(pair);
        let mut members = Vec::new();
        while let Some(part) = parts.next() {
            members.push(if part.as_rule() == Rule::replace_member { self.replace_member(part)? } else { self.member(part)? });
        }
        Some(members)
    }

    fn replace_member(&mut self, pair: Pair) -> Option<Member> {
        let member = parts(pair).one(self, Rule::member, Self::member)?;
        Some(Member { replaces: true, ..member })
    }

    fn member_kind(&mut self, pair: Pair) -> Option<MemberKind> {
        let rule = pair.as_rule();
        let mut parts = parts(pair);
        match rule {
            Rule::zone_member => self.zone_member(&mut parts),
            Rule::counter_member => self.counter_member(&mut parts),
            Rule::mark_member => self.mark_member(&mut parts),
            _ => self.field_member(&mut parts),
        }
    }

    fn zone_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let names = parts.one(self, Rule::names, Self::new_names)?;
        let board = parts.maybe(self, Rule::board, Self::board_size)?;
        let holds = parts.one(self, Rule::name, Self::name)?;
        let words = parts.all(self, Rule::zone_word, Self::zone_word)?;
        Some(MemberKind::Zone { names, board, holds, words, optional: parts.has(Rule::empty_default) })
    }

    /// `grid 3 by 3 of`, `row of 24 of`
    fn board_size(&mut self, pair: Pair) -> Option<BoardSize> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let columns = parts.one(self, Rule::int, Self::number)?;
        let rows = parts.maybe(self, Rule::int, Self::number)?.unwrap_or(1);
        Some(BoardSize { columns, rows, span })
    }

    fn counter_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let mut names = parts.one(self, Rule::names, Self::new_names)?;
        if parts.peek().is_none() {
            self.without_next_member(&mut names);
        }
        let of = parts.maybe(self, Rule::of_type, Self::of_type)?;
        let default = parts.maybe(self, Rule::default, Self::default)?;
        let range = parts.maybe(self, Rule::in_range, Self::in_range)?;
        let seen = parts.maybe(self, Rule::seen_by, Self::seen_by)?;
        let text = parts.maybe(self, Rule::text, Self::text)?;
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

    fn field_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let names = parts.one(self, Rule::names, Self::new_names)?;
        let of = parts.one(self, Rule::type_name, Self::type_name)?;
        let default = parts.maybe(self, Rule::default, Self::default)?;
        let range = parts.maybe(self, Rule::in_range, Self::in_range)?;
        let room = parts.maybe(self, Rule::room, Self::room)?;
        let shown = parts.has(Rule::shown);
        let seen = parts.maybe(self, Rule::seen_by, Self::seen_by)?;
        let lending = parts.maybe(self, Rule::lending, Self::lending)?.unwrap_or_default();
        Some(MemberKind::Field { names, of, default, range, room, shown, seen, lending })
    }

    fn room(&mut self, pair: Pair) -> Option<Room> {
        let span = self.span(&pair);
        Some(Room { most: super::tree::parts(pair).one(self, Rule::int, Self::number)?, span })
    }

    fn mark_member(&mut self, parts: &mut Parts) -> Option<MemberKind> {
        let name = self.declared(parts)?;
        let text = parts.maybe(self, Rule::text, Self::text)?;
        let mut words = Vec::new();
        while let Some(word) = parts.take(Rule::untold).or_else(|| parts.take(Rule::printed)) {
            words.push(word.as_rule());
        }
        let (untold, printed) = (words.contains(&Rule::untold), words.contains(&Rule::printed));
        let (mut fields, mut inner) = (Vec::new(), Vec::new());
        if let Some(body) = parts.take(Rule::mark_body) {
            let mut body = super::tree::parts(body);
            fields = body.all(self, Rule::member, Self::member)?;
            inner = body.all(self, Rule::part, Self::part)?;
        }
        Some(MemberKind::Mark { name, text, untold, printed, fields, parts: inner })
    }

    fn seen_by(&mut self, pair: Pair) -> Option<SeenBy> {
        let span = self.span(&pair);
        Some(SeenBy { who: self.zone_word(pair)?, span })
    }

    fn zone_word(&mut self, pair: Pair) -> Option<ZoneWord> {
        let inner = parts(pair).next()?;
        Some(match inner.as_rule() {
            Rule::seen_all => ZoneWord::Open,
            Rule::seen_others => ZoneWord::SeenByAllButOwner,
            Rule::seen_owner => ZoneWord::SeenByOwner,
            Rule::seen_nobody => ZoneWord::SeenByNobody,
            Rule::in_order => ZoneWord::InOrder,
            Rule::out_of_play => ZoneWord::OutOfPlay,
            Rule::at_most => ZoneWord::AtMost(parts(inner).one(self, Rule::int, Self::number)?),
            _ => ZoneWord::FallsTo(self.sum_within(inner)?),
        })
    }

    pub fn default(&mut self, pair: Pair) -> Option<Expr> {
        parts(pair).one(self, Rule::value, Self::value)
    }

    fn lending(&mut self, pair: Pair) -> Option<Vec<Name>> {
        parts(pair).one(self, Rule::names, Self::names)
    }

    // --- types ---

    pub fn of_type(&mut self, pair: Pair) -> Option<TypeName> {
        parts(pair).one(self, Rule::type_name, Self::type_name)
    }

    fn type_name(&mut self, pair: Pair) -> Option<TypeName> {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let first = parts.next()?;
        let inner = self.deeper(1, span, |builder| builder.plain_type(first))?;
        Some(if parts.has(Rule::or_none) { TypeName { kind: TypeKind::OrNone(Box::new(inner)), span } } else { inner })
    }

    fn plain_type(&mut self, pair: Pair) -> Option<TypeName> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::list_of => TypeKind::ListOf(Box::new(self.type_within(pair)?)),
            Rule::zone_of => TypeKind::ZoneOf(self.name_in(pair)?),
            _ => TypeKind::Named(self.name(pair)?),
        };
        Some(TypeName { kind, span })
    }

    fn type_within(&mut self, pair: Pair) -> Option<TypeName> {
        parts(pair).one(self, Rule::type_name, Self::type_name)
    }
}

/// The first word of a clause that is allowed only once.
fn only_once(clause: &ClauseKind) -> Option<String> {
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
