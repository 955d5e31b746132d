//! Random expressions, definitions and procedures in every form of the grammar that odds can have.
//!
//! Numbers are kept small and throws few, so that every result can be tried. Nothing divides by zero, and no number is out of its range.

mod expressions;
mod pools;
mod statements;

use crate::judged_odds::random::Random;
use crate::judged_odds::tree::{Case, Kind, Node, Piece, Sort, node};

/// The lowest and highest number in a variable, a parameter or a list.
const LOWEST: i64 = -9;
const HIGHEST: i64 = 20;

/// The most calls within each other.
const DEEPEST: usize = 2;

/// The most members of a list in a variable or a parameter.
const MEMBERS: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Number,
    Flag,
    List,
    Maybe,
    Word,
}

const TYPES: [Type; 8] = [Type::Number, Type::Number, Type::Number, Type::Flag, Type::List, Type::List, Type::Maybe, Type::Word];

impl Type {
    fn written(self) -> &'static str {
        match self {
            Type::Number => "number",
            Type::Flag => "flag",
            Type::List => "list of number",
            Type::Maybe => "number or none",
            Type::Word => "tint",
        }
    }

    /// A word to begin the names of variables with.
    fn letter(self) -> &'static str {
        match self {
            Type::Number => "n",
            Type::Flag => "f",
            Type::List => "xs",
            Type::Maybe => "m",
            Type::Word => "w",
        }
    }
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    of: Type,
    settable: bool,
    /// Whether chance has to do with it.
    thrown: bool,
}

/// A definition or procedure that can be called.
#[derive(Clone, Debug)]
struct Callable {
    name: String,
    params: Vec<Type>,
    gives: Type,
    is_procedure: bool,
    /// How much chance is in it, in bits.
    chance: f64,
}

/// A number with its bounds.
struct Number {
    node: Node,
    low: i64,
    high: i64,
}

/// A list with the most members that it has.
struct List {
    node: Node,
    most: usize,
}

pub struct Generator {
    random: Random,
    items: Vec<Node>,
    callables: Vec<Callable>,
    scope: Vec<Variable>,
    next_name: usize,
    /// Whether dice and procedures can be called where the expression is.
    can_roll: bool,
    /// Whether dice that are written here are a list for certain.
    wants_list: bool,
    /// How much chance may be added, in bits, and how often what is written is carried out.
    chance_left: f64,
    times: f64,
    in_loop: bool,
    /// Whether throws are only read in ways that can be worked out die by die, and seldom, so that many throws are the same.
    is_plain: bool,
    /// Whether there is nothing but one throw that is read once.
    is_small: bool,
    /// Whether procedures change a field of the table. Then the expression carries out one procedure only.
    has_state: bool,
    /// Whether the innermost name is that of a member of a list.
    can_name_member: bool,
    /// The procedure that is written, and what it gives.
    procedure_name: String,
    gives: Option<Type>,
    /// How many calls there are around what is written.
    calls: usize,
}

/// A case for a seed; `chance` is the most bits of chance in it.
pub fn case(seed: u64, chance: f64) -> Case {
    let mut generator = Generator {
        random: Random::new(seed),
        items: Vec::new(),
        callables: Vec::new(),
        scope: Vec::new(),
        next_name: 0,
        can_roll: false,
        wants_list: false,
        chance_left: 0.0,
        times: 1.0,
        in_loop: false,
        is_plain: false,
        is_small: false,
        has_state: false,
        can_name_member: false,
        procedure_name: String::new(),
        gives: None,
        calls: 0,
    };
    generator.case(chance)
}

impl Generator {
    fn case(&mut self, chance: f64) -> Case {
        if self.random.once_in(3) {
            return self.pool_case();
        }
        self.is_small = self.random.once_in(3);
        self.is_plain = self.is_small || self.random.once_in(2);
        self.has_state = !self.is_small && self.random.once_in(4);
        if self.is_small {
            self.procedure(chance);
            let callable = self.callables[0].clone();
            return Case { expression: self.call(&callable), items: std::mem::take(&mut self.items) };
        }
        for _ in 0..self.random.below(3) {
            self.definition();
        }
        for _ in 0..self.random.below(3) + usize::from(self.has_state) {
            self.procedure(chance * 0.8);
        }
        self.can_roll = true;
        self.chance_left = chance;
        let expression = loop {
            let expression = self.outermost(chance);
            if has_chance(&expression) {
                break expression;
            }
            self.chance_left = chance;
        };
        Case { items: std::mem::take(&mut self.items), expression }
    }

    /// The expression that is asked for.
    fn outermost(&mut self, chance: f64) -> Node {
        let wants_procedure = self.has_state || self.random.once_in(2);
        let fits = |known: &Callable| match known.is_procedure {
            true => wants_procedure && known.chance > 0.0 && known.chance <= chance,
            false => !wants_procedure && known.params.contains(&Type::List),
        };
        let last = self.callables.iter().rev().find(|known| fits(known)).cloned();
        if let Some(callable) = last.filter(|_| self.has_state || self.random.below(4) > 0) {
            self.chance_left -= callable.chance;
            return self.call(&callable);
        }
        let depth = self.random.below(3) + 2;
        match self.random.below(8) {
            0 => self.flag(depth),
            1 => self.list(depth, 12).node,
            2 => self.maybe(depth),
            3 => self.halves(depth),
            4 => self.word(depth),
            _ => self.number(depth).node,
        }
    }

    /// A name that has not been used.
    fn fresh(&mut self, letter: &str) -> String {
        self.next_name += 1;
        format!("{letter}_{}", self.next_name)
    }

    /// Whether that many bits of chance may be added; if so, they are.
    fn afford(&mut self, bits: f64) -> bool {
        let bits = bits * self.times;
        let can = bits <= self.chance_left;
        if can {
            self.chance_left -= bits;
        }
        can
    }

    fn variables(&self, of: Type) -> Vec<String> {
        let visible = |place: usize, name: &str| !self.scope[place + 1..].iter().any(|later| later.name == name);
        let places = self.scope.iter().enumerate();
        let found = places.filter(|(place, variable)| variable.of == of && visible(*place, &variable.name));
        found.map(|(_, variable)| variable.name.clone()).collect()
    }

    /// A variable of a type; the innermost are the most likely.
    fn variable(&mut self, of: Type) -> Option<String> {
        let names = self.variables(of);
        if names.is_empty() {
            return None;
        }
        let thrown: Vec<&String> = names.iter().filter(|name| self.is_thrown(name)).collect();
        if !thrown.is_empty() && self.random.below(3) > 0 {
            return Some((*self.random.one_of(&thrown)).clone());
        }
        let one = self.random.below(names.len());
        let other = self.random.below(names.len());
        Some(names[one.max(other)].clone())
    }

    fn is_thrown(&self, name: &str) -> bool {
        self.scope.iter().rev().find(|variable| variable.name == name).is_some_and(|variable| variable.thrown)
    }

    /// Whether chance has to do with a value.
    fn depends(&self, value: &Node) -> bool {
        let text = value.as_odds();
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.any(|word| self.is_thrown(word))
    }

    /// A value that chance has to do with, if one is found soon.
    fn dependent(&mut self, write: impl Fn(&mut Generator) -> Node) -> Node {
        let mut value = write(self);
        for _ in 0..3 {
            if self.depends(&value) {
                break;
            }
            value = write(self);
        }
        value
    }

    fn params(&mut self) -> Vec<Variable> {
        // The same names in all definitions and procedures, so that slots are easily taken for one another.
        let names = [
            ("a", Type::Number),
            ("xs", Type::List),
            ("b", Type::Number),
            ("ys", Type::List),
            ("m", Type::Maybe),
            ("f", Type::Flag),
            ("w", Type::Word),
        ];
        let odds = [60, 75, 30, 35, 12, 12, 10];
        let mut params = Vec::new();
        if self.is_small {
            return params;
        }
        for ((name, of), percent) in names.into_iter().zip(odds) {
            if self.random.below(100) < percent {
                params.push(Variable { name: name.to_string(), of, settable: false, thrown: of == Type::List });
            }
        }
        params
    }

    fn definition(&mut self) {
        let params = self.params();
        let gives = if self.is_plain { Type::Number } else { *self.random.one_of(&TYPES) };
        let name = self.fresh("about");
        self.scope = params.clone();
        let depth = self.random.below(3) + 2;
        let value = self.dependent(|generator| generator.of_type(gives, depth));
        self.scope.clear();
        let written = written(&params);
        let of = if gives == Type::Maybe || self.random.once_in(2) { format!(": {}", gives.written()) } else { String::new() };
        self.items.push(node!(Item, format!("define {name}{written}{of} = "), value));
        let params = params.iter().map(|param| param.of).collect();
        self.callables.push(Callable { name, params, gives, is_procedure: false, chance: 0.0 });
    }

    fn procedure(&mut self, chance: f64) {
        let params = self.params();
        let gives = match self.is_plain && self.random.below(4) > 0 {
            true => *self.random.one_of(&[Type::Number, Type::Number, Type::Flag]),
            false => *self.random.one_of(&TYPES),
        };
        let name = self.fresh("try");
        self.scope = params.clone();
        (self.chance_left, self.gives, self.procedure_name) = (chance, Some(gives), name.clone());
        let body = self.body(gives);
        (self.scope, self.gives) = (Vec::new(), None);
        self.items.push(node!(Item, format!("to {name}{}: {} {{\n", written(&params), gives.written()), body, "}"));
        let params = params.iter().map(|param| param.of).collect();
        let chance = chance - self.chance_left;
        self.callables.push(Callable { name, params, gives, is_procedure: true, chance });
    }

    /// A definition or procedure with arguments.
    fn call(&mut self, callable: &Callable) -> Node {
        let arguments: Vec<Node> = callable.params.iter().map(|param| self.argument(*param)).collect();
        let sort = match callable.gives {
            Type::Number => Sort::Number,
            Type::Flag => Sort::Flag,
            Type::List => Sort::List,
            Type::Maybe => Sort::Maybe,
            Type::Word => Sort::Word,
        };
        if callable.is_procedure {
            let pieces = arguments.into_iter().map(Piece::Node).collect();
            return Node { sort, kind: Kind::Call(callable.name.clone()), pieces };
        }
        Node { sort, kind: Kind::Plain, pieces: called(&callable.name, arguments) }
    }

    fn argument(&mut self, of: Type) -> Node {
        let depth = self.random.below(if self.can_roll { 2 } else { 3 }).saturating_sub(self.calls);
        self.calls += 1;
        let argument = match of {
            Type::List => self.sure_list(depth, MEMBERS).node,
            of => self.of_type(of, depth),
        };
        self.calls -= 1;
        argument
    }

    /// A value of a type that fits a variable.
    fn of_type(&mut self, of: Type, depth: usize) -> Node {
        match of {
            Type::Number => {
                let number = self.number(depth);
                self.kept(number, LOWEST, HIGHEST)
            }
            Type::Flag => self.flag(depth),
            Type::List => {
                if self.random.once_in(6) {
                    let long = self.list(depth, 12);
                    if long.most > MEMBERS {
                        return node!(List, "few(", long.node, ")");
                    }
                    return long.node;
                }
                self.list(depth, MEMBERS).node
            }
            Type::Maybe => self.maybe(depth),
            Type::Word => self.word(depth),
        }
    }
}

fn written(params: &[Variable]) -> String {
    let words: Vec<String> = params.iter().map(|param| format!("{}: {}", param.name, param.of.written())).collect();
    if words.is_empty() { String::new() } else { format!("({})", words.join(", ")) }
}

/// The pieces of a call.
fn called(name: &str, arguments: Vec<Node>) -> Vec<Piece> {
    let mut pieces = vec![Piece::from(name)];
    for (place, argument) in arguments.into_iter().enumerate() {
        pieces.push(Piece::from(if place == 0 { "(" } else { ", " }));
        pieces.push(Piece::from(argument));
    }
    if pieces.len() > 1 {
        pieces.push(Piece::from(")"));
    }
    pieces
}

fn has_chance(node: &Node) -> bool {
    node.kind != Kind::Plain || node.children().any(has_chance)
}
