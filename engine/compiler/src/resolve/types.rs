//! Resolves kinds and types, as written after a `:`.
//!
//! A kind is a sort of things with common members: the table, sides, pieces, or the things that sheets of one name describe. The
//! `check_` functions report a name that is not declared.

use super::Walker;
use super::names::{BUILT_IN_TYPES, KindSort};
use ludex_syntax::codes;
use ludex_syntax::problem::{Near, Problem};
use ludex_syntax::tree::{Name, TypeKind, TypeName};

impl Walker<'_, '_> {
    /// Resolves all names in a type.
    pub fn resolve_type(&mut self, of: &TypeName) {
        match &of.kind {
            TypeKind::Named(name) => self.check_named_type(name),
            TypeKind::ListOf(inner) | TypeKind::OrNone(inner) => self.resolve_type(inner),
            TypeKind::ZoneOf(name) => self.check_piece_kind(name),
            TypeKind::Whatever => {}
        }
    }

    /// Checks that a name is a type: built-in, a kind, a word list or a family.
    fn check_named_type(&mut self, name: &Name) {
        let text = name.text.as_str();
        let known = BUILT_IN_TYPES.contains(&text)
            || self.names.kind_by_name(text).is_some()
            || self.names.word_types.contains_key(text)
            || self.names.word_plurals.contains_key(text)
            || self.names.families.contains_key(text);
        if !known {
            let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no type `{text}`"))
                .with_label(name.span, "not declared")
                .with_subject(text);
            let known = self.type_names();
            self.report_problem(match foreign_type(text) {
                Some(right) => problem.suggest_near(Near::sole_match(text, right)),
                None if LISTS.contains(&text) => {
                    problem.help("a list says of what, and how many it can hold: `list of number in 1..6, at most 5`")
                }
                None => match problem.clone().suggest(text, known.iter().map(String::as_str)) {
                    Problem { help: None, .. } => problem.help(format!("declare it: `type {text} is one of red, blue`")),
                    suggested => suggested,
                },
            });
        }
    }

    /// Whether a move's field of a type has a default first value: 0, no, the first word, `none` or the empty list, as for
    /// the fields of things.
    pub fn has_first_value(&self, of: &TypeName) -> bool {
        match &of.kind {
            TypeKind::ListOf(_) | TypeKind::OrNone(_) | TypeKind::Whatever => true,
            TypeKind::ZoneOf(_) => false,
            TypeKind::Named(name) => {
                let text = name.text.as_str();
                ["number", "numbers", "halves", "flag"].contains(&text)
                    || self.names.word_types.contains_key(text)
                    || self.names.word_plurals.contains_key(text)
                    || self.names.plurals.contains_key(text)
            }
        }
    }

    /// All names of types, for suggestions.
    fn type_names(&self) -> Vec<String> {
        let mut known = self.kind_names();
        known.extend(BUILT_IN_TYPES.map(str::to_string));
        known.extend(self.names.word_types.keys().map(|name| name.to_string()));
        known.extend(self.names.families.keys().map(|name| name.to_string()));
        known
    }

    fn kind_names(&self) -> Vec<String> {
        self.names.kinds.keys().map(|name| name.to_string()).chain(self.names.plurals.keys().cloned()).collect()
    }

    /// Checks the contents of a zone: the name or plural of a piece.
    pub fn check_piece_kind(&mut self, name: &Name) {
        let kind = self.names.kind_by_name(&name.text).and_then(|kind| self.names.kinds.get(kind));
        if kind.is_some_and(|kind| kind.sort == KindSort::Piece) {
            return;
        }
        let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no kind of piece called `{}`", name.text));
        let problem =
            problem.with_label(name.span, if kind.is_some() { "not a piece" } else { "not declared" }).with_subject(&name.text);
        let pieces = |kind: &&str| self.names.kinds.get(kind).is_some_and(|kind| kind.sort == KindSort::Piece);
        let known: Vec<String> =
            self.names.plurals.iter().filter(|(_, kind)| pieces(kind)).map(|(plural, _)| plural.clone()).collect();
        let problem = match problem.clone().suggest(&name.text, known.iter().map(String::as_str)) {
            Problem { help: None, .. } if kind.is_some() => problem.help("zones hold only pieces"),
            Problem { help: None, .. } => problem.help(Self::declaration_help(&name.text)),
            suggested => suggested,
        };
        self.report_problem(problem);
    }

    /// Checks the kind in `each KIND has` and `create KIND(…)`.
    pub fn check_kind(&mut self, name: &Name) {
        if self.names.kinds.contains_key(name.text.as_str()) {
            return;
        }
        let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no kind of thing called `{}`", name.text));
        let problem = problem.with_label(name.span, "not declared").with_subject(&name.text);
        let problem = match self.names.plurals.get(&name.text) {
            Some(kind) => problem.help(format!("write `{kind}`, which is one of them")),
            // A created or tested die may be one with its own faces.
            None if name.text == "die" => problem.help(Self::declaration_help(&name.text)),
            None if name.text == "player" => problem.suggest_near(Near::sole_match("player", "side")),
            None => problem.suggest(&name.text, self.names.kinds.keys().chain(self.names.die_kinds.keys()).copied()),
        };
        self.report_problem(problem);
    }

    /// Suggests a declaration for an unknown kind without a similar name.
    fn declaration_help(name: &str) -> String {
        match name {
            "die" | "dice" => "declare the sizes that dice have: `die sizes 6`".to_string(),
            _ => format!("declare what it is: `piece … ({name}) {{ … }}`"),
        }
    }

    /// Checks the name of a sheet that pieces are printed on, that another builds on, or that sides bring.
    pub fn check_sheet(&mut self, name: &Name) {
        let known =
            self.names.kinds.get(name.text.as_str()).or_else(|| self.names.kinds.get(*self.names.plurals.get(&name.text)?));
        if known.is_some_and(|kind| matches!(kind.sort, KindSort::Sheet | KindSort::Piece)) {
            return;
        }
        let sheets = self.names.kinds.iter().filter(|(_, kind)| kind.sort == KindSort::Sheet).map(|(name, _)| *name);
        let problem = Problem::error(codes::UNKNOWN_TYPE, format!("there is no sheet `{}`", name.text))
            .with_label(name.span, "not declared")
            .with_subject(&name.text);
        let problem = match problem.clone().suggest(&name.text, sheets) {
            Problem { help: None, .. } => problem.help(format!("declare what its files print: `sheet {} {{ … }}`", name.text)),
            suggested => suggested,
        };
        self.report_problem(problem);
    }

    /// Checks the kind in `x is a fruit`, which may also be a die with its own faces.
    pub fn check_kind_or_die(&mut self, name: &Name) {
        if !self.names.die_kinds.contains_key(name.text.as_str()) {
            self.check_kind(name);
        }
    }
}

/// Names of list types in other languages.
const LISTS: [&str; 7] = ["list", "List", "array", "Array", "set", "vector", "vec"];

/// The type of this language for a type name of other languages.
fn foreign_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "player" => "side",
        "string" | "str" | "String" | "char" => "text",
        "bool" | "boolean" | "Bool" | "Boolean" => "flag",
        "int" | "integer" | "Int" | "Integer" | "float" | "double" | "num" => "number",
        _ => return None,
    })
}
