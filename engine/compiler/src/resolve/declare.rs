//! Collects the names of all declarations. Reports names declared twice and names that hide others.
//!
//! A namespace is a set of names that must differ: types, values, procedures, the members of one kind and so on. A name is claimed
//! by its first declaration in a namespace. Called once for each mode, before the walk through the declarations.

use super::Findings;
use super::names::{BUILT_IN_NAMES, CallParameters, Family, Kind, KindSort, Names, OwnedMember, Value};
use super::unused::{ExpectedUse, Sort};
use crate::compose::declared_twice_problem;
use ludex_syntax::blocks::each_statement;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use ludex_syntax::tree::{
    Ability, GameOption, Hook, Item, ItemKind, Member, MemberKind, Name, OptionKind, Param, PartKind, Procedure, Role,
    StatementKind, TypeKind, plural_of,
};
use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Collects all names of some items.
pub fn collect_names<'a>(items: &'a [Cow<Item>], found: &mut Findings) -> Names<'a> {
    let mut declaring = Declaring { names: Names::default(), claims: BTreeMap::new(), found };
    declaring.register_built_in();
    for item in items {
        declaring.register_item(item);
    }
    declaring.report_second_declarations(items);
    declaring.report_hiding_values();
    declaring.report_missing_play(items);
    declaring.use_odds_declarations();
    declaring.names
}

/// Reports names that occur twice in a list, such as one of parameters.
pub fn report_repeated_names<'n>(names: impl IntoIterator<Item = &'n Name>, problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names {
        match seen.get(name.text.as_str()) {
            Some(first) => problems.push(declared_twice_problem(&name.text, name.span, *first)),
            None => drop(seen.insert(&name.text, name.span)),
        }
    }
}

struct Declaring<'f, 'a> {
    names: Names<'a>,
    /// By namespace: where each name was declared first.
    claims: BTreeMap<Cow<'a, str>, BTreeMap<&'a str, Span>>,
    found: &'f mut Findings,
}

impl<'a> Declaring<'_, 'a> {
    fn register_built_in(&mut self) {
        self.names.kinds.insert("table", Kind { sort: KindSort::Table, base: None });
        self.names.kinds.insert("side", Kind { sort: KindSort::Side, base: None });
        self.names.plurals.insert("sides".to_string(), "side");
    }

    /// Records where a name is declared. Reports a second declaration in the same namespace (`sort`), and returns false for it.
    fn claim_name(&mut self, sort: impl Into<Cow<'a, str>>, name: &'a Name) -> bool {
        match self.claims.entry(sort.into()).or_default().entry(&name.text) {
            Entry::Occupied(first) => {
                self.found.problems.push(declared_twice_problem(&name.text, name.span, *first.get()));
                false
            }
            Entry::Vacant(place) => {
                place.insert(name.span);
                true
            }
        }
    }

    /// Records a declaration that should be used.
    fn expect_use(&mut self, sort: Sort, name: &Name) {
        self.found.declared.entry(name.span).or_insert_with(|| ExpectedUse { sort, name: name.text.clone() });
    }

    /// Records the names of a declaration.
    fn register_item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Sides(sides) => self.names.sides = Some(sides),
            ItemKind::Referee { .. } => self.names.referee = true,
            ItemKind::Option(option) => self.register_option(option),
            ItemKind::Words { name, plural, words } => self.register_words(name, plural.as_ref(), words),
            ItemKind::DieSizes { .. } => self.register_die(),
            ItemKind::DieKind { name, .. } => {
                self.register_die();
                if self.claim_name("type", name) {
                    self.names.die_kinds.insert(&name.text, name.span);
                }
            }
            ItemKind::Piece { name, plural, from, members, .. } => {
                self.register_kind(KindSort::Piece, name, plural.as_ref(), from.as_ref());
                self.register_members(&name.text, members);
            }
            ItemKind::Sheet { name, plural, base, members } => {
                self.register_kind(KindSort::Sheet, name, plural.as_ref(), base.as_ref());
                self.register_members(&name.text, members);
                self.register_filled_zones(members);
            }
            ItemKind::Has { owner, members } => self.register_members(&owner.text, members),
            ItemKind::Define(define) => {
                self.register_value(Sort::Define, &define.name, Some(CallParameters::Params(&define.params)))
            }
            ItemKind::Table(table) => self.register_value(Sort::Table, &table.name, Some(CallParameters::Params(&table.params))),
            ItemKind::Hook(hook) => self.register_hook(hook),
            ItemKind::Family { name, params, fields, base } => self.register_family(name, params, fields, base.as_ref()),
            ItemKind::Action(action) => {
                if self.claim_name("action", &action.name) {
                    self.names.actions.insert(&action.name.text, action.family.as_ref().map(|family| family.text.as_str()));
                }
                if action.family.is_none() {
                    self.expect_use(Sort::LoneAction, &action.name);
                }
                self.check_role_names(&action.roles);
            }
            ItemKind::Procedure(procedure) => self.register_procedure(procedure),
            ItemKind::Policy(policy) => {
                self.claim_name(format!("policy for {}", policy.family.text), &policy.name);
            }
            ItemKind::Ability(ability) => self.register_ability(ability),
            ItemKind::Works { ability: Some(ability), .. } => drop(self.claim_name("when it works", ability)),
            _ => {}
        }
    }

    /// Records an option. Its words need no type.
    fn register_option(&mut self, option: &'a GameOption) {
        self.register_value(Sort::Option, &option.name, None);
        if let OptionKind::Words { words, default } = &option.kind {
            report_repeated_names(words, &mut self.found.problems);
            self.names.words.extend(words.iter().map(|word| word.text.as_str()));
            if !words.iter().any(|word| word.text == default.text) {
                let message = format!("`{}` is not one of the words of `{}`", default.text, option.name.text);
                let problem = Problem::error(codes::OPTION_DEFAULT, message).with_label(default.span, "the default");
                self.found.problems.push(problem.suggest(&default.text, words.iter().map(|word| word.text.as_str())));
            }
        }
    }

    /// Records a word list, its plural and its words.
    fn register_words(&mut self, name: &'a Name, plural: Option<&'a Name>, words: &'a [Name]) {
        if self.claim_name("type", name) {
            if let Some(plural) = plural.filter(|plural| self.claim_name("type", plural)) {
                self.names.word_plurals.insert(&plural.text, words);
            }
            self.names.word_types.insert(&name.text, words);
            self.names.words.extend(words.iter().map(|word| word.text.as_str()));
            for word in words {
                self.names.typed_words.entry(&word.text).or_default().push(word.span);
            }
            self.found.word_types.entry(name.span).or_insert_with(|| (name.clone(), words.to_vec()));
            report_repeated_names(words, &mut self.found.problems);
        }
    }

    /// Declares the kind of dice, when dice are declared.
    fn register_die(&mut self) {
        self.names.kinds.entry("die").or_insert(Kind { sort: KindSort::Piece, base: None });
        self.names.plurals.entry("dice".to_string()).or_insert("die");
    }

    /// Records a kind of pieces or sheets. `base` is the sheet that it builds on or is printed on.
    fn register_kind(&mut self, sort: KindSort, name: &'a Name, plural: Option<&'a Name>, base: Option<&'a Name>) {
        let base = base.map(|base| base.text.as_str());
        // Pieces may have the name of their sheet.
        let from_its_sheet = sort == KindSort::Piece && base == Some(&name.text);
        let claimed = from_its_sheet && self.names.kinds.contains_key(name.text.as_str()) || self.claim_name("type", name);
        if !claimed {
            return;
        }
        if let Some(plural) = plural.filter(|plural| plural.text != name.text) {
            self.claim_name("type", plural);
        }
        let base = base.filter(|_| !from_its_sheet);
        let base = base.or_else(|| self.names.kinds.get(name.text.as_str()).and_then(|kind| kind.base));
        self.names.kinds.insert(&name.text, Kind { sort, base });
        self.names.plurals.insert(plural_of(name, plural), &name.text);
    }

    /// Declares members of an owner: a kind, a family or a mark. Zones, counters and fields are known by owner, marks once for the
    /// whole game.
    fn register_members(&mut self, owner: &'a str, members: &'a [Member]) {
        for member in members {
            match &member.kind {
                MemberKind::Zone { names, board, holds, .. } => {
                    if board.is_some() {
                        self.names.on_boards.insert(&holds.text);
                    }
                    self.register_member_names(owner, names, Some(Sort::Zone));
                }
                MemberKind::Counter { names, .. } => self.register_member_names(owner, names, Some(Sort::Counter)),
                // A field may be for scripts and files alone.
                MemberKind::Field { names, .. } => self.register_member_names(owner, names, None),
                MemberKind::Mark { name, fields, parts, .. } => {
                    if !self.claim_name("mark", name) {
                        continue;
                    }
                    self.names.marks.insert(&name.text, name.span);
                    self.register_members(&name.text, fields);
                    // A mark with parts has effects of its own.
                    if parts.is_empty() {
                        self.expect_use(Sort::Mark, name);
                    }
                }
            }
        }
    }

    /// Records the zones of a sheet: an expression for all pieces of a kind uses the pieces that sheets put there.
    fn register_filled_zones(&mut self, members: &'a [Member]) {
        for member in members {
            if let MemberKind::Zone { names, holds, .. } = &member.kind {
                self.names.filled.entry(&holds.text).or_default().extend(names.iter().map(|name| name.span));
            }
        }
    }

    /// Records members of an owner. Without a sort, they need not be used.
    fn register_member_names(&mut self, owner: &'a str, names: &'a [Name], sort: Option<Sort>) {
        for name in names {
            if !self.claim_name(format!("member of {owner}"), name) {
                continue;
            }
            self.names.members.entry(&name.text).or_default().push(OwnedMember { owner, name });
            if let Some(sort) = sort {
                self.expect_use(sort, name);
            }
        }
    }

    /// Records a name that has a value in expressions. `params` is none for an option.
    fn register_value(&mut self, sort: Sort, name: &'a Name, params: Option<CallParameters<'a>>) {
        if !self.claim_name("value", name) {
            return;
        }
        if let Some(CallParameters::Params(params)) = params {
            report_repeated_names(params.iter().map(|param| &param.name), &mut self.found.problems);
        }
        self.names.values.insert(&name.text, Value { span: name.span, params });
        self.expect_use(sort, name);
    }

    /// Records a hook. One with a value is also a value.
    fn register_hook(&mut self, hook: &'a Hook) {
        if !self.claim_name("hook", &hook.name) {
            return;
        }
        self.names.hooks.insert(&hook.name.text, hook);
        if hook.value.is_some() {
            self.register_value(Sort::ValueHook, &hook.name, Some(CallParameters::Params(&hook.params)));
        } else {
            report_repeated_names(hook.params.iter().map(|param| &param.name), &mut self.found.problems);
            self.expect_use(Sort::Hook, &hook.name);
        }
        report_repeated_names(&hook.layers, &mut self.found.problems);
        report_repeated_names(&hook.answers, &mut self.found.problems);
        for answer in &hook.answers {
            self.expect_use(Sort::Answer, answer);
        }
    }

    /// Records a family of moves.
    fn register_family(&mut self, name: &'a Name, params: &'a [Param], fields: &'a [Member], base: Option<&'a Name>) {
        if !self.claim_name("type", name) {
            return;
        }
        self.names.families.insert(&name.text, Family { name, params, fields, base });
        if let Some(base) = base {
            self.names.parts.entry(&base.text).or_default().push(&name.text);
        }
        self.expect_use(Sort::Family, name);
        report_repeated_names(params.iter().map(|param| &param.name), &mut self.found.problems);
        self.register_members(&name.text, fields);
    }

    /// Records a procedure. `play` and entries, at which a position can start, need not be called.
    fn register_procedure(&mut self, procedure: &'a Procedure) {
        if !self.claim_name("procedure", &procedure.name) {
            return;
        }
        self.names.procedures.insert(&procedure.name.text, procedure);
        report_repeated_names(procedure.params.iter().map(|param| &param.name), &mut self.found.problems);
        if procedure.name.text != "play" && !procedure.entry {
            self.expect_use(Sort::Procedure, &procedure.name);
        }
    }

    /// Records an ability, and reports parts and parameters with the same name.
    fn register_ability(&mut self, ability: &'a Ability) {
        self.claim_name("ability", &ability.id);
        self.names.abilities.insert(&ability.id.text);
        let mut named = Vec::new();
        let parameters = ability.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Parameter { name, .. } => Some(name),
            _ => None,
        });
        report_repeated_names(parameters, &mut self.found.problems);
        for part in &ability.parts {
            match &part.kind {
                PartKind::Trigger { name, .. } | PartKind::Instead { name, .. } => named.push(name),
                PartKind::Offer { name, roles, .. } => {
                    named.push(name);
                    self.check_role_names(roles);
                }
                PartKind::Grant { action } => {
                    named.push(&action.name);
                    self.check_role_names(&action.roles);
                    let family = action.family.as_ref().map(|family| family.text.as_str());
                    self.names.actions.entry(&action.name.text).or_insert(family);
                }
                _ => {}
            }
        }
        report_repeated_names(named, &mut self.found.problems);
    }

    fn check_role_names(&mut self, roles: &[Role]) {
        report_repeated_names(roles.iter().map(|role| &role.name), &mut self.found.problems);
    }

    /// Reports second declarations of things that a game has only once.
    fn report_second_declarations(&mut self, items: &[Cow<Item>]) {
        for (what, is_it) in ONCE {
            let mut places = items.iter().filter(|item| is_it(&item.kind)).map(|item| item.span);
            let Some(first) = places.next() else { continue };
            for again in places {
                let problem = Problem::error(codes::DECLARED_TWICE, format!("`{what}` is given twice"));
                self.found
                    .problems
                    .push(problem.with_label(again, "again here").with_label(first, "first here").help("remove one of them"));
            }
        }
    }

    /// Reports values that hide a built-in name, a plural or a member of the table.
    fn report_hiding_values(&mut self) {
        for (name, value) in &self.names.values {
            let member = self.names.member_of("table", name).map(|owned| owned.name.span);
            let built_in = BUILT_IN_NAMES.contains(name) || self.names.plurals.contains_key(*name);
            if member.is_none() && !built_in {
                continue;
            }
            let problem = Problem::probable_warning(codes::NAME_HIDDEN, format!("`{name}` hides something else of this name"));
            let mut problem = problem.with_label(value.span, "hides it");
            problem.labels.extend(member.map(|span| (span, "is hidden".to_string())));
            self.found.problems.push(problem.help("give one of them another name"));
        }
    }

    /// Removes the warning that they are unused from declarations that `odds` can evaluate: procedures that give a value and roll,
    /// ask or accept dice, and definitions that accept dice.
    fn use_odds_declarations(&mut self) {
        let mut asked = Vec::new();
        for procedure in self.names.procedures.values().filter(|procedure| procedure.gives.is_some()) {
            if rolls_or_asks(procedure, &self.names.procedures) || self.takes_dice(&procedure.params) {
                asked.push(procedure.name.span);
            }
        }
        for value in self.names.values.values() {
            let is_define = self.found.declared.get(&value.span).is_some_and(|declared| declared.sort == Sort::Define);
            if is_define && matches!(value.params, Some(CallParameters::Params(params)) if self.takes_dice(params)) {
                asked.push(value.span);
            }
        }
        asked.iter().for_each(|span| drop(self.found.declared.remove(span)));
    }

    /// Whether parameters can be results of dice: at least one is a number or numbers, and none is a thing on a table.
    fn takes_dice(&self, params: &[Param]) -> bool {
        fn parameter_base(param: &Param) -> Option<&str> {
            base_type_name(&param.of.kind).map(|name| name.text.as_str())
        }
        let is_number = |name: Option<&str>| name.is_some_and(|name| ["number", "numbers", "halves"].contains(&name));
        let is_plain = |name: Option<&str>| {
            is_number(name) || name.is_some_and(|name| name == "flag" || self.names.word_types.contains_key(name))
        };
        params.iter().any(|param| is_number(parameter_base(param))) && params.iter().all(|param| is_plain(parameter_base(param)))
    }

    /// Reports a game without the procedure `play`.
    fn report_missing_play(&mut self, items: &[Cow<Item>]) {
        let game = |item: &&Cow<Item>| matches!(item.kind, ItemKind::Game { .. });
        if let Some(head) = items.iter().find(game)
            && !self.names.procedures.contains_key("play")
        {
            let problem =
                Problem::error(codes::NO_PLAY, "no procedure is called `play`, so the game cannot begin").with_subject("play");
            self.found
                .problems
                .push(problem.with_label(head.span, "this game").help("write `to play { … }`: what it does is the whole game"));
        }
    }
}

/// The base type of a value or of the members of a list; none for a zone.
fn base_type_name(kind: &TypeKind) -> Option<&Name> {
    match kind {
        TypeKind::Named(name) => Some(name),
        TypeKind::ListOf(inner) | TypeKind::OrNone(inner) => base_type_name(&inner.kind),
        TypeKind::ZoneOf(_) | TypeKind::Whatever => None,
    }
}

/// Whether a procedure, or one that it calls, rolls or asks.
fn rolls_or_asks(procedure: &Procedure, procedures: &BTreeMap<&str, &Procedure>) -> bool {
    let mut found = false;
    let mut seen = BTreeSet::from([procedure.name.text.as_str()]);
    let mut ahead = vec![procedure];
    while let Some(next) = ahead.pop() {
        each_statement(&next.body, &mut |statement| match &statement.kind {
            StatementKind::Roll { .. } | StatementKind::Draw { .. } | StatementKind::Ask(_) => found = true,
            StatementKind::Do { name, .. } if seen.insert(&name.text) => ahead.extend(procedures.get(name.text.as_str())),
            _ => {}
        });
    }
    found
}

type IsIt = fn(&ItemKind) -> bool;

/// The declarations that a game has at most once, by the words for them.
const ONCE: [(&str, IsIt); 6] = [
    ("sides", |kind| matches!(kind, ItemKind::Sides(_))),
    ("die sizes", |kind| matches!(kind, ItemKind::DieSizes { .. })),
    ("standing", |kind| matches!(kind, ItemKind::Standing { .. })),
    ("referee", |kind| matches!(kind, ItemKind::Referee { .. })),
    ("abilities work", |kind| matches!(kind, ItemKind::Works { ability: None, .. })),
    ("abilities share uses", |kind| matches!(kind, ItemKind::SharedUses { .. })),
];
