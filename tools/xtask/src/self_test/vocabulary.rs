//! The names of a game, and the sort of each, from how and where it is declared.
//!
//! The use of a name is resolved by the words around it. If a name has several meanings and these words do not decide, it is left
//! alone.

use super::tokens::{Sort as TokenSort, Token, Tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The sort of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Field,
    Zone,
    Counter,
    Mark,
    /// Pieces, sheets and dice, in the singular or plural.
    Kind,
    /// A list of words.
    Type,
    /// One of the words of a type or an option.
    Word,
    Option,
    Action,
    Family,
    Procedure,
    /// A `define` or `table`.
    Definition,
    Hook,
    /// A name from `let`, `each`, `as`, a parameter or a role.
    Local,
    Mode,
    Ability,
    /// The name of an ability's `parameter`.
    Parameter,
}

/// A member of a kind: a zone with its contents, or a field or counter with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub sort: Sort,
    pub of: String,
    /// Whether it was declared for sides.
    pub of_sides: bool,
}

/// The names of one game with its ancestors.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    sorts: BTreeMap<String, BTreeSet<Sort>>,
    plurals: BTreeSet<String>,
    pub members: BTreeMap<String, Vec<Member>>,
    /// The types of the parameters of each callable name, if all its declarations agree.
    pub params: BTreeMap<String, Vec<String>>,
    /// The words of each type and option.
    pub words: BTreeMap<String, Vec<String>>,
}

/// The built-in types.
const TYPES: &[&str] = &["number", "halves", "flag", "text", "side", "sides", "die", "dice", "list", "zone", "table"];

/// Keywords that start a member, and are not names of fields.
const MEMBER_WORDS: &[&str] = &["zone", "counter", "mark", "replace"];

impl Vocabulary {
    /// Adds the declarations of a text. Returns the tokens that declare a name.
    pub fn read(&mut self, tokens: &Tokens) -> BTreeSet<usize> {
        let mut reader = Reading { vocabulary: self, tokens, declared: BTreeSet::new() };
        // Fields are recognised by their types, which may be declared after them.
        reader.kinds();
        reader.names();
        reader.declared
    }

    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.sorts.keys()
    }

    /// Whether a name has this sort, among others.
    pub fn is(&self, name: &str, sort: Sort) -> bool {
        self.sorts.get(name).is_some_and(|sorts| sorts.contains(&sort))
    }

    /// The sort of a name, if it has only one.
    fn only(&self, name: &str) -> Option<Sort> {
        let sorts = self.sorts.get(name)?;
        sorts.first().copied().filter(|_| sorts.len() == 1)
    }

    /// Whether a word is the name of a type for values.
    pub fn is_type(&self, word: &str) -> bool {
        TYPES.contains(&word) || self.is(word, Sort::Kind) || self.is(word, Sort::Type)
    }

    /// Whether a word is the plural of a kind.
    pub fn is_plural(&self, word: &str) -> bool {
        self.plurals.contains(word) || matches!(word, "sides" | "dice")
    }

    /// The member with a name, if its sort and type are unambiguous.
    pub fn member(&self, name: &str) -> Option<&Member> {
        let members = self.members.get(name)?;
        let (first, rest) = members.split_first()?;
        rest.iter().all(|other| (other.sort, &other.of) == (first.sort, &first.of)).then_some(first)
    }

    /// The sort of a name in a place where it is used. None if it has several there, or none.
    pub fn sort_of_use(&self, tokens: &Tokens, index: usize) -> Option<Sort> {
        let name = tokens.word(index);
        let (before, after) = (tokens.before(index), tokens.word(index + 1));
        let one_of = |sorts: &[Sort]| sorts.iter().copied().find(|sort| self.is(name, *sort));
        match before {
            "." => {
                let sorts: BTreeSet<Sort> = self.members.get(name)?.iter().map(|member| member.sort).collect();
                sorts.first().copied().filter(|_| sorts.len() == 1)
            }
            "do" => one_of(&[Sort::Procedure]),
            "open" | "modify" => one_of(&[Sort::Hook]),
            "at" if after == "(" => one_of(&[Sort::Hook]),
            "forbid" | "demand" | "can" | "may" | "must" | "choose" | "during" => {
                one_of(&[Sort::Family, Sort::Action, Sort::Hook])
            }
            "as" => one_of(&[Sort::Mark]).filter(|_| !matches!(after, "\"")),
            "mode" => one_of(&[Sort::Mode]),
            "ability" => one_of(&[Sort::Ability]),
            // A parameter may have the name of its type.
            ":" if self.only(name) == Some(Sort::Local) => None,
            _ => self.only(name),
        }
    }

    /// Notes that a name has this sort.
    fn add(&mut self, name: &str, sort: Sort) {
        self.sorts.entry(name.to_string()).or_default().insert(sort);
    }

    /// Notes a member; the same one is noted once.
    fn add_member(&mut self, name: &str, sort: Sort, of: String, of_sides: bool) {
        self.add(name, sort);
        let members = self.members.entry(name.to_string()).or_default();
        let member = Member { sort, of, of_sides };
        if !members.contains(&member) {
            members.push(member);
        }
    }

    /// Notes the types of the parameters of a callable name.
    fn add_params(&mut self, name: &str, params: Vec<String>) {
        match self.params.get(name) {
            // Two different declarations leave the types unknown.
            Some(known) if *known != params => drop(self.params.insert(name.to_string(), Vec::new())),
            Some(_) => {}
            None => drop(self.params.insert(name.to_string(), params)),
        }
    }
}

/// Reads the declarations of one text into a vocabulary.
struct Reading<'v> {
    vocabulary: &'v mut Vocabulary,
    tokens: &'v Tokens,
    declared: BTreeSet<usize>,
}

impl Reading<'_> {
    /// Notes that a token declares a name of this sort.
    fn declare(&mut self, index: usize, sort: Sort) {
        if self.tokens.is_word(index) {
            self.declared.insert(index);
            self.vocabulary.add(self.tokens.word(index), sort);
        }
    }

    /// Whether a declaration may start at a token: it is the first of its line or within braces, or follows a keyword that
    /// belongs to it.
    fn begins(&self, index: usize) -> bool {
        matches!(self.tokens.before(index), "{" | "replace" | "entry" | "") || self.tokens.starts_with_its_line(index)
    }

    /// Reads the declarations of kinds and types.
    fn kinds(&mut self) {
        for (index, token) in self.tokens.iter() {
            if token.sort != TokenSort::Word || !self.begins(index) {
                continue;
            }
            let named = (self.tokens.word(index + 1), self.tokens.word(index + 2));
            match self.tokens.word(index) {
                "piece" | "sheet" => self.kind(index + 1, Sort::Kind),
                "die" if named.0 != "sizes" && named.1.starts_with('"') => self.declare(index + 1, Sort::Kind),
                "type" => {
                    self.kind(index + 1, Sort::Type);
                    self.words(index + 1);
                }
                _ => {}
            }
        }
    }

    /// Declares a kind with its plural: `frog (frogs)`.
    fn kind(&mut self, index: usize, sort: Sort) {
        self.declare(index, sort);
        let plural = match self.tokens.word(index + 1) {
            "(" => self.tokens.word(index + 2).to_string(),
            _ => format!("{}s", self.tokens.word(index)),
        };
        if self.tokens.word(index + 1) == "(" {
            self.declared.insert(index + 2);
        }
        self.vocabulary.add(&plural, sort);
        self.vocabulary.plurals.insert(plural);
    }

    /// Reads the words of a type: `… is one of fur, feathers`.
    fn words(&mut self, named: usize) {
        let name = self.tokens.word(named).to_string();
        let mut index = if self.tokens.word(named + 1) == "(" { named + 4 } else { named + 1 };
        if (self.tokens.word(index), self.tokens.word(index + 1), self.tokens.word(index + 2)) != ("is", "one", "of") {
            return;
        }
        index += 3;
        let mut words = Vec::new();
        while self.tokens.is_word(index) {
            self.declare(index, Sort::Word);
            words.push(self.tokens.word(index).to_string());
            index += 2;
            if self.tokens.before(index) != "," {
                break;
            }
        }
        self.vocabulary.words.insert(name, words);
    }

    /// Reads all other declarations.
    fn names(&mut self) {
        let tokens = self.tokens;
        let mut members = Members::default();
        for (index, token) in tokens.iter() {
            members.step(tokens, index, token);
            if token.sort != TokenSort::Word {
                continue;
            }
            if members.inside(token.depth) {
                self.member(index, members.of_sides(token.depth));
            }
            self.local(index);
            if self.begins(index) {
                self.declaration(index);
            }
        }
    }

    /// Reads the declaration that begins at a token, if one does.
    fn declaration(&mut self, index: usize) {
        let tokens = self.tokens;
        match tokens.word(index) {
            "option" => {
                self.declare(index + 1, Sort::Option);
                self.words(index + 1);
            }
            "action" | "grant" => {
                self.declare(index + 1, Sort::Action);
                self.roles(index + 2);
            }
            "offer" => {
                self.roles(index + 2);
                self.hook_names(index);
            }
            "trigger" | "instead" | "modify" => self.hook_names(index),
            "family" => self.called(index + 1, Sort::Family),
            "hook" => self.called(index + 1, Sort::Hook),
            "define" | "table" if tokens.is_word(index + 1) => self.called(index + 1, Sort::Definition),
            "to" | "scope" if matches!(tokens.word(index + 2), "(" | "{" | ":") => self.called(index + 1, Sort::Procedure),
            "entry" if !matches!(tokens.word(index + 1), "to" | "scope") => self.called(index + 1, Sort::Procedure),
            "mode" => self.declare(index + 1, Sort::Mode),
            "ability" => self.declare(index + 1, Sort::Ability),
            "parameter" => self.declare(index + 1, Sort::Parameter),
            _ => {}
        }
    }

    /// Declares a name that parameters may follow.
    fn called(&mut self, index: usize, sort: Sort) {
        self.declare(index, sort);
        let mut types = Vec::new();
        if self.tokens.word(index + 1) == "(" {
            for part in self.tokens.parts(index + 1) {
                let of = self.tokens.text().get(part).and_then(|part| part.split_once(':')).map_or("", |(_, of)| of);
                types.push(of.trim().to_string());
            }
            self.parameters(index + 1);
        }
        self.vocabulary.add_params(self.tokens.word(index), types);
    }

    /// Declares the names before the colons within a pair of parentheses.
    fn parameters(&mut self, open: usize) {
        let Some(close) = self.tokens.get(open).and_then(|open| open.mate) else { return };
        for index in open + 1..close {
            if self.tokens.word(index + 1) == ":" {
                self.declare(index, Sort::Local);
            }
        }
    }

    /// Declares an ability's names for the values of a hook: `at hopped(active, frog)`.
    fn hook_names(&mut self, part: usize) {
        let open = (part..part + 40)
            .find(|at| self.tokens.word(*at) == "(" && matches!(self.tokens.word(at.saturating_sub(2)), "at" | "modify"));
        let close = open.and_then(|open| self.tokens.get(open)).and_then(|open| open.mate);
        for index in open.zip(close).map_or(0..0, |(open, close)| open + 1..close) {
            self.declare(index, Sort::Local);
        }
    }

    /// Declares roles: `(die in …, more: 2 in …)`.
    fn roles(&mut self, open: usize) {
        let Some((depth, close)) = self.tokens.get(open).and_then(|open| Some((open.depth, open.mate?))) else { return };
        if self.tokens.word(open) != "(" {
            return;
        }
        for index in open + 1..close {
            let first = matches!(self.tokens.before(index), "(" | ",");
            let here = self.tokens.get(index).is_some_and(|token| token.depth == depth + 1);
            if first && here && matches!(self.tokens.word(index + 1), "in" | ":") {
                self.declare(index, Sort::Local);
            }
        }
    }

    /// Declares the name that a statement gives to a value.
    fn local(&mut self, index: usize) {
        let tokens = self.tokens;
        match tokens.word(index) {
            "let" => self.declare(index + 1, Sort::Local),
            "each" if tokens.word(index + 2) == "in" => self.declare(index + 1, Sort::Local),
            "count" if tokens.word(index + 2) == "from" => self.declare(index + 1, Sort::Local),
            // A mark is given `as` its name; the names of answers and events also follow `as`.
            "as" if tokens.is_word(index + 1) && !self.vocabulary.is(tokens.word(index + 1), Sort::Mark) => {
                self.declare(index + 1, Sort::Local);
            }
            "called" => self.declare(index + 1, Sort::Local),
            _ => {}
        }
    }

    /// Declares a member: `zone pond, nest: dice`, `counter flies`, `mark tired`, `friend: side or none`.
    fn member(&mut self, index: usize, of_sides: bool) {
        let tokens = self.tokens;
        let word = tokens.word(index);
        if word == "mark" && self.begins_member(index) {
            self.declare(index + 1, Sort::Mark);
            return;
        }
        let (first, sort) = match word {
            "zone" if tokens.word(index + 1) != "of" => (index + 1, Sort::Zone),
            "counter" => (index + 1, Sort::Counter),
            _ if MEMBER_WORDS.contains(&tokens.before(index)) || word == "zone" => return,
            _ if !self.begins_member(index) || MEMBER_WORDS.contains(&word) => return,
            _ => (index, Sort::Field),
        };
        let mut last = first;
        while tokens.word(last + 1) == "," && tokens.is_word(last + 2) {
            last += 2;
        }
        let typed = tokens.word(last + 1) == ":";
        let of = if typed { self.type_at(last + 2) } else { "number".to_string() };
        // A field needs a type; one with an unknown type may be something else.
        if sort == Sort::Field && (!typed || of.is_empty()) {
            return;
        }
        for name in (first..=last).step_by(2) {
            self.declared.insert(name);
            self.vocabulary.add_member(tokens.word(name), sort, of.clone(), of_sides);
        }
    }

    /// Whether a member may begin at a token, as far as the token before it shows.
    fn begins_member(&self, index: usize) -> bool {
        let before = self.tokens.before(index);
        self.begins(index) || !matches!(before, "," | "." | "(" | "when" | "to" | "of" | "in" | "is" | "=" | "{")
    }

    /// Reads a type such as `list of frog or none`; empty if it is unknown.
    fn type_at(&self, index: usize) -> String {
        let (first, second, third) = (self.tokens.word(index), self.tokens.word(index + 1), self.tokens.word(index + 2));
        match first {
            "list" | "zone" if second == "of" && self.vocabulary.is_type(third) => format!("{first} of {third}"),
            "list" => String::new(),
            _ if self.vocabulary.is_type(first) => first.to_string(),
            _ => String::new(),
        }
    }
}

/// The braces that declare members.
#[derive(Default)]
struct Members {
    /// The depth inside each, and whether the members belong to sides.
    open: Vec<(usize, bool)>,
    /// A declaration that such braces may follow.
    announced: Option<(usize, bool)>,
}

impl Members {
    /// Moves on to the next token.
    fn step(&mut self, tokens: &Tokens, index: usize, token: &Token) {
        while self.open.last().is_some_and(|(depth, _)| token.depth < *depth) {
            self.open.pop();
        }
        match tokens.word(index) {
            "sheet" | "piece" | "family" | "mark" => self.announced = Some((token.depth, false)),
            "has" => self.announced = Some((token.depth, tokens.before(index) == "side")),
            "{" => {
                if let Some((_, of_sides)) = self.announced.take().filter(|(depth, _)| *depth == token.depth) {
                    self.open.push((token.depth + 1, of_sides));
                }
            }
            // A statement or another declaration: braces after it do not belong to that one.
            "to" | "scope" | "when" | "do" | "define" | "if" | "action" => self.announced = None,
            _ => {}
        }
    }

    /// Whether a token at this depth is directly within braces that declare members.
    fn inside(&self, depth: usize) -> bool {
        self.open.last().is_some_and(|(open, _)| *open == depth)
    }

    /// Whether these are the members of sides.
    fn of_sides(&self, depth: usize) -> bool {
        self.open.last().is_some_and(|(open, of_sides)| *open == depth && *of_sides)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::Written;
    use super::*;

    const RULES: &str = "ludex 1
game pond \"Pond\"
sides 2 of 1 swimmer
option goal = 3 in 1..9
option tide is one of high, low = low
type coat (coats) is one of fur, feathers
piece frog (frogs) { counter flies  coat: coat  mark wet }
sheet swimmer { zone nest: dice, open }
each side has { zone pond, lake: frogs  friend: side or none }
family hop(active: side) { die: die }
action leap(die in active.nest) is hop
  when die.value > goal
hook hopped(active: side, frog: frog)
define near(frog: frog, side: side): flag = frog in side.pond
to day(side: side) {
  let tired = first of side.pond
  mark tired as wet
  do day(side.friend)
}
";

    fn read() -> (Vocabulary, Tokens, BTreeSet<usize>) {
        let tokens = Tokens::read(RULES, Written::Rules);
        let mut vocabulary = Vocabulary::default();
        let declared = vocabulary.read(&tokens);
        (vocabulary, tokens, declared)
    }

    #[test]
    fn names_are_known_by_their_declarations() {
        let (vocabulary, ..) = read();
        let sorts = [
            ("flies", Sort::Counter),
            ("wet", Sort::Mark),
            ("lake", Sort::Zone),
            ("friend", Sort::Field),
            ("frogs", Sort::Kind),
            ("coats", Sort::Type),
            ("feathers", Sort::Word),
            ("low", Sort::Word),
            ("tide", Sort::Option),
            ("hop", Sort::Family),
            ("leap", Sort::Action),
            ("hopped", Sort::Hook),
            ("near", Sort::Definition),
            ("day", Sort::Procedure),
            ("tired", Sort::Local),
        ];
        for (name, sort) in sorts {
            assert_eq!(vocabulary.only(name), Some(sort), "{name}");
        }
        assert_eq!(vocabulary.params["near"], ["frog", "side"]);
        assert_eq!(vocabulary.member("lake"), Some(&Member { sort: Sort::Zone, of: "frogs".to_string(), of_sides: true }));
        assert_eq!(vocabulary.words["tide"], ["high", "low"]);
    }

    #[test]
    fn an_ability_gives_names_to_the_values_of_a_hook() {
        let header =
            "//! ability dive \"Dive\"\n//! offer dive(frog in me.pond) at hopped(leader, die)\n//!   when leader is me\n";
        let tokens = Tokens::read(header, Written::Script);
        let declared = Vocabulary::default().read(&tokens);
        let names: Vec<&str> = declared.into_iter().map(|index| tokens.word(index)).collect();
        assert_eq!(names, ["dive", "frog", "leader", "die"]);
    }

    #[test]
    fn uses_are_told_from_declarations() {
        let (vocabulary, tokens, declared) = read();
        let uses: Vec<(&str, Sort)> = tokens
            .iter()
            .filter(|(index, token)| token.sort == TokenSort::Word && !declared.contains(index))
            .filter_map(|(index, _)| Some((tokens.word(index), vocabulary.sort_of_use(&tokens, index)?)))
            .collect();
        for used in [("nest", Sort::Zone), ("goal", Sort::Option), ("wet", Sort::Mark), ("day", Sort::Procedure)] {
            assert!(uses.contains(&used), "{used:?} in {uses:?}");
        }
        assert_eq!(uses.iter().filter(|(name, _)| *name == "hopped").count(), 0);
    }
}
