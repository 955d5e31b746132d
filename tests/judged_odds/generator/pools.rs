//! Procedures that throw many small dice and look at them late: in order from the highest on, one after the other, or after a count of
//! one face. Their numbers grow, and are mostly only compared.

use super::{Callable, Generator, MEMBERS, Type, Variable};
use crate::judged_odds::tree::{Case, Kind, Node, Piece, Sort, node};

/// How many dice of which size are thrown at once.
const POOLS: [(usize, i64); 9] = [(3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3), (2, 4), (3, 4), (2, 6)];

/// The most bits of chance in a case with large throws.
const CHANCE: f64 = 10.0;

impl Generator {
    /// A case with large throws.
    pub(super) fn pool_case(&mut self) -> Case {
        if self.random.once_in(2) {
            self.pool_procedure(3.5);
        }
        self.pool_procedure(CHANCE - 2.0);
        let callable = self.callables[self.callables.len() - 1].clone();
        self.chance_left = CHANCE - callable.chance;
        self.can_roll = self.random.once_in(2);
        let call = self.call(&callable);
        let is_number = callable.gives == Type::Number;
        let expression = match self.random.below(7) {
            0 | 1 if is_number => node!(Flag, "(", call, format!(" >= {})", self.random.between(1, 6))),
            2 if is_number => {
                let bound = self.random.between(1, 4);
                node!(Number, "(if (", call, format!(" >= {bound}) then 1 else 0)"))
            }
            3 if is_number && callable.chance <= self.chance_left => {
                self.can_roll = false;
                let other = self.call(&callable);
                node!(Number, "(", call, " + ", other, ")")
            }
            _ => call,
        };
        Case { items: std::mem::take(&mut self.items), expression }
    }

    fn pool_procedure(&mut self, chance: f64) {
        let names = [("a", Type::Number), ("xs", Type::List)];
        let mut params = Vec::new();
        for (name, of) in names {
            if self.random.once_in(3) {
                params.push(Variable { name: name.to_string(), of, settable: false, thrown: of == Type::List });
            }
        }
        let gives = *self.random.one_of(&[Type::Number, Type::Number, Type::Number, Type::Flag, Type::List]);
        let name = self.fresh("try");
        self.scope = params.clone();
        (self.chance_left, self.gives, self.procedure_name) = (chance, Some(gives), name.clone());
        let body = self.pool_body(gives);
        (self.scope, self.gives) = (Vec::new(), None);
        self.items.push(node!(Item, format!("to {name}{}: {} {{\n", super::written(&params), gives.written()), body, "}"));
        let params = params.iter().map(|param| param.of).collect();
        self.callables.push(Callable { name, params, gives, is_procedure: true, chance: chance - self.chance_left });
    }

    fn pool_body(&mut self, gives: Type) -> Node {
        let mut pieces = Vec::new();
        for _ in 0..self.random.below(2) + 1 {
            let exploded = if self.random.once_in(3) { self.exploded() } else { None };
            pieces.extend(exploded.or_else(|| self.pool()).map(Piece::Node));
        }
        for _ in 0..self.random.below(2) + 1 {
            let name = self.declare(Type::Number, true);
            let start = *self.random.one_of(&[0, 0, 0, 5]);
            pieces.push(node!(Part, format!("  let {name} = {start}\n")).into());
        }
        for _ in 0..self.random.below(4) + 1 {
            pieces.push(self.late_statement(2).into());
        }
        let value = self.late_value(gives);
        pieces.push(node!(Part, "  give ", value, "\n").into());
        Node { sort: Sort::Part, kind: Kind::Plain, pieces }
    }

    fn late_value(&mut self, gives: Type) -> Node {
        match gives {
            Type::Number => match self.random.below(6) {
                0 | 1 => node!(Number, self.counter()),
                2 => node!(Number, "(if ", self.late_flag(), " then 1 else 0)"),
                3 => self.late_number(),
                _ => node!(Number, "(", self.late_number(), " + (100 * ", self.late_number(), "))"),
            },
            Type::Flag => self.late_flag(),
            _ => self.late_list(),
        }
    }

    /// A large throw, if that is not too much.
    fn pool(&mut self) -> Option<Node> {
        let (count, size) = *self.random.one_of(&POOLS);
        if !self.afford(count as f64 * (size as f64).log2()) {
            return self.few_dice();
        }
        let number = match self.random.below(5) {
            0 => {
                let counter = self.late_number();
                node!(Part, "(", counter, format!(" but at least 0 but at most {count})"))
            }
            _ => node!(Part, count.to_string()),
        };
        let old = self.settable(Type::List).filter(|_| self.random.once_in(5));
        let name = old.unwrap_or_else(|| self.declare(Type::List, true));
        Some(node!(Statement, "  roll ", number, format!(" d{size} as {name}\n")))
    }

    /// Throws in which dice that show one face are thrown again, and a list of what they all are worth; if that is not too much.
    fn exploded(&mut self) -> Option<Node> {
        let (count, size) = *self.random.one_of(&[(2usize, 2i64), (3, 2), (4, 2), (2, 3), (2, 4)]);
        let again = self.random.below(2) + 1;
        if !self.afford(count as f64 * (size as f64).log2() * (1 + again) as f64) {
            return None;
        }
        let face = if self.random.once_in(4) { self.face() } else { size };
        let mut thrown = vec![self.declare(Type::List, true)];
        let mut pieces = vec![Piece::from(format!("  roll {count} d{size} as {}\n", thrown[0]))];
        for _ in 0..again {
            let (before, more) = (&thrown[thrown.len() - 1], self.fresh("xs"));
            pieces.push(format!("  roll count of ({before} where it = {face}) d{size} as {more}\n").into());
            self.scope.push(Variable { name: more.clone(), of: Type::List, settable: false, thrown: true });
            thrown.push(more);
        }
        let values = self.fresh("xs");
        let lists: Vec<String> = thrown.iter().map(|name| self.without_face(name, face)).collect();
        pieces.push(format!("  let {values} = {}\n", lists[0]).into());
        for (round, list) in lists.iter().enumerate().skip(1) {
            let plus = if self.random.once_in(3) { self.random.between(-3, 3) } else { round as i64 * size };
            pieces.push(self.append(&values, list, plus).into());
        }
        // The throws themselves are mostly not read again.
        if self.random.below(4) > 0 {
            self.scope.retain(|known| !thrown.contains(&known.name));
        }
        self.scope.push(Variable { name: values, of: Type::List, settable: true, thrown: true });
        Some(Node { sort: Sort::Part, kind: Kind::Plain, pieces })
    }

    fn without_face(&mut self, name: &str, face: i64) -> String {
        let sorted = *self.random.one_of(&["sorted down ", "sorted down ", "", "sorted "]);
        let rest = if self.random.once_in(3) { String::new() } else { format!(" without {face}") };
        format!("({sorted}{name}{rest})")
    }

    /// A loop that adds a member to a list for each of another, mostly with something added to it.
    fn append(&mut self, values: &str, list: &str, plus: i64) -> Node {
        let die = self.fresh("n");
        let more = match self.random.below(12) {
            0 => format!("[{die}]"),
            1 => format!("({die} * 2)"),
            2 => format!("[{die}, {die} + {plus}]"),
            3 => format!("(if {die} > 1 then {die} + {plus} else 0)"),
            4 => format!("({die} - {plus})"),
            5 => format!("({die} + count of {values})"),
            6 => format!("({die} + {})", self.counter()),
            7 => format!("({plus} - {die})"),
            _ => format!("({plus} + {die})"),
        };
        let joined = if self.random.once_in(8) { format!("{more} + {values}") } else { format!("{values} + {more}") };
        node!(Statement, format!("  each {die} in {list} {{ set {values} to {joined} }}\n"))
    }

    /// A loop that adds members to a list: those of another, or what is rolled for them.
    fn append_late(&mut self) -> Option<Node> {
        let values = self.settable(Type::List).filter(|_| !self.in_loop)?;
        let plus = self.random.between(-2, 4);
        if self.random.once_in(2) || !self.afford(4.0) {
            let list = self.late_list().as_odds();
            return Some(self.append(&values, &list, plus));
        }
        let rolled = self.fresh("xs");
        let start = format!("  repeat 2 times {{\n  roll 2 d2 as {rolled}\n");
        let worth = *self.random.one_of(&["sum of", "highest of", "lowest of", "count of"]);
        Some(node!(Statement, start, format!("  set {values} to {values} + [{worth} {rolled} + {plus}]\n  }}\n")))
    }

    /// A small throw, if that is not too much.
    fn few_dice(&mut self) -> Option<Node> {
        let (count, size) = *self.random.one_of(&[(1, 2), (1, 3), (2, 2)]);
        if !self.afford(count as f64 * (size as f64).log2()) {
            return None;
        }
        let name = self.declare(Type::List, true);
        Some(node!(Statement, format!("  roll {count} d{size} as {name}\n")))
    }

    /// A number that is counted up.
    fn counter(&mut self) -> String {
        self.settable(Type::Number).or_else(|| self.variable(Type::Number)).unwrap_or("1".to_string())
    }

    fn name_of_list(&mut self) -> String {
        self.variable(Type::List).unwrap_or("[2, 1]".to_string())
    }

    fn face(&mut self) -> i64 {
        self.random.between(1, 3)
    }

    // --- looks -----------------------------------------------------------------

    /// A list made of open throws.
    fn late_list(&mut self) -> Node {
        let name = self.name_of_list();
        let other = self.name_of_list();
        let face = self.face();
        let down = *self.random.one_of(&["sorted down", "sorted down", "sorted down", "sorted"]);
        let inner = match self.random.below(10) {
            0..=2 => node!(List, name),
            3 => node!(List, format!("({name} without {face})")),
            4 => node!(List, format!("({name} without [{face}, {}])", self.face())),
            5 => node!(List, format!("({name} + {other})")),
            6 => node!(List, format!("({name} + ["), self.late_number(), "])"),
            7 => node!(List, format!("(({down} {name}) + ({down} {other}))")),
            8 => node!(List, format!("({name} where it >= {face})")),
            _ => self.late_extremes(&name),
        };
        match self.random.below(6) {
            0..=2 => node!(List, format!("({down} "), inner, ")"),
            3 => node!(List, "(if ", self.late_flag(), " then ", inner, format!(" else {other})")),
            _ => inner,
        }
    }

    fn late_extremes(&mut self, list: &str) -> Node {
        let extreme = *self.random.one_of(&["highest", "lowest"]);
        let (start, end) = *self.random.one_of(&[("", ""), ("(sorted down ", ")"), ("(", " where it > 1)")]);
        node!(List, format!("({extreme} "), self.how_many(3), format!(" of {start}{list}{end})"))
    }

    /// A number that a look at an open throw gives.
    fn late_number(&mut self) -> Node {
        let (list, face) = (self.name_of_list(), self.face());
        match self.random.below(17) {
            0..=2 => node!(Number, format!("(count of ({list} where it = {face}))")),
            3 => node!(Number, format!("(count of ({list} where it >= {face}))")),
            4 => node!(Number, format!("(sum of ({list} where it = {face}))")),
            5 => node!(Number, format!("(count of ({list} without {face}))")),
            6 => node!(Number, format!("or_else(first of sorted down {list}, 0)")),
            7 => node!(Number, "or_else(member ", self.how_many(4), format!(" of sorted down {list}, 0)")),
            8 => node!(Number, "or_else(member ", self.how_many(4), format!(" of {list}, 0)")),
            9 => {
                let word = *self.random.one_of(&["highest", "highest", "lowest", "sum", "count"]);
                node!(Number, format!("({word} of {list})"))
            }
            10 | 11 => node!(Number, "(sum of ", self.late_extremes(&list), ")"),
            12 => node!(Number, format!("(count of ((1..3) where it in {list}))")),
            13 => node!(Number, self.random.between(0, 3).to_string()),
            _ => node!(Number, self.counter()),
        }
    }

    fn late_flag(&mut self) -> Node {
        let (list, face) = (self.name_of_list(), self.face());
        let sign = *self.random.one_of(&[">=", ">=", ">", "<", "<=", "=", "!="]);
        let bound = self.random.between(0, 5);
        match self.random.below(8) {
            0 | 1 => node!(Flag, format!("({} {sign} {bound})", self.counter())),
            2 => node!(Flag, format!("({bound} {sign} {})", self.counter())),
            3 => node!(Flag, format!("({face} in {list})")),
            4 => node!(Flag, format!("(any of {list} has it = {face})")),
            5 => node!(Flag, "(", self.late_list(), " is empty)"),
            6 => node!(Flag, "(", self.late_number(), format!(" {sign} "), self.late_number(), ")"),
            _ => node!(Flag, "(", self.late_number(), format!(" {sign} {bound})")),
        }
    }

    // --- statements --------------------------------------------------------------

    fn late_statement(&mut self, depth: usize) -> Node {
        const SIMPLE: usize = 13;
        match self.random.below(if depth == 0 { SIMPLE } else { SIMPLE + 13 }) {
            0 => self.pool().unwrap_or_else(|| self.grow()),
            1..=3 => self.name_late_list(),
            4..=6 => self.grow(),
            7 | 8 => self.late_end(),
            9 | 10 => match (self.add_call(), self.random.once_in(2)) {
                (Some(first), true) => match self.add_call() {
                    Some(second) => node!(Statement, first, second),
                    None => first,
                },
                (Some(call), false) => call,
                (None, _) => self.grow(),
            },
            11 => self.statement(0),
            12 => self.few_dice().unwrap_or_else(|| self.name_late_list()),
            13 => node!(Statement, "  if ", self.late_flag(), " ", self.late_block(depth - 1), "\n"),
            14..=17 => self.walk(depth - 1),
            18..=20 => self.count_walk(depth - 1),
            21 | 22 => self.append_late().unwrap_or_else(|| self.name_late_list()),
            _ => self.grow_until(depth - 1),
        }
    }

    fn name_late_list(&mut self) -> Node {
        let value = self.late_list();
        let old = self.settable(Type::List).filter(|_| !self.in_loop && self.random.once_in(4));
        match old {
            Some(name) => node!(Statement, format!("  set {name} to "), value, "\n"),
            None => {
                let name = self.declare(Type::List, true);
                node!(Statement, format!("  let {name} = "), value, "\n")
            }
        }
    }

    /// Something is added to a number, mostly nothing negative.
    fn grow(&mut self) -> Node {
        let name = self.counter();
        if name == "1" || self.settable(Type::Number).is_none() {
            return self.name_late_list();
        }
        let (list, face) = (self.name_of_list(), self.face());
        let more = match self.random.below(8) {
            0 => node!(Number, "1"),
            1 => node!(Number, format!("(sum of {list})")),
            2 => node!(Number, format!("(count of ({list} where it = {face}))")),
            3 => node!(Number, format!("(highest of {list})")),
            4 => node!(Number, format!("(count of {list} - {face})")),
            5 => node!(Number, "(if ", self.late_flag(), format!(" then {face} else 0)")),
            _ => self.late_number(),
        };
        match self.random.below(9) {
            0 => node!(Statement, "  take ", more, format!(" from {name}\n")),
            1 => node!(Statement, format!("  set {name} to "), more, "\n"),
            2 => node!(Statement, format!("  set {name} to {name} + "), more, format!(" but at most {}\n", face + 2)),
            _ => node!(Statement, "  add ", more, format!(" to {name}\n")),
        }
    }

    fn late_end(&mut self) -> Node {
        let condition = self.late_flag();
        let end = match self.random.below(4) {
            0 | 1 if self.in_loop => node!(Part, "leave "),
            2 if self.in_loop => node!(Part, "skip "),
            _ => {
                let gives = self.gives.unwrap_or(Type::Number);
                node!(Part, "give ", self.late_value(gives), " ")
            }
        };
        node!(Statement, "  if ", condition, " { ", end, "}\n")
    }

    /// What a procedure gives is added to a number; often it is called again with the same.
    fn add_call(&mut self) -> Option<Node> {
        let callable = self.callables.last()?.clone();
        let into = self.settable(Type::Number)?;
        if !self.afford(callable.chance) {
            return None;
        }
        let plain = |of: &Type| match of {
            Type::List => node!(List, "[1, 2]"),
            _ => node!(Number, "2"),
        };
        let arguments: Vec<Node> = match self.random.once_in(2) {
            true => callable.params.iter().map(plain).collect(),
            false => {
                callable.params.iter().map(|of| if *of == Type::List { self.late_list() } else { self.late_number() }).collect()
            }
        };
        let result = self.declare(callable.gives, true);
        let mut pieces = vec![Piece::from("  do ")];
        pieces.extend(super::called(&callable.name, arguments));
        pieces.push(format!(" as {result}\n").into());
        if callable.gives != Type::Number {
            return Some(Node { sort: Sort::Statement, kind: Kind::Plain, pieces });
        }
        let end = match self.random.below(4) {
            0 => format!("  if {result} >= {} {{ add 1 to {into} }}\n", self.random.between(1, 3)),
            1 => format!("  add sum of highest {result} of {} to {into}\n", self.name_of_list()),
            _ => format!("  add {result} to {into}\n"),
        };
        pieces.push(end.into());
        Some(Node { sort: Sort::Statement, kind: Kind::Plain, pieces })
    }

    fn late_block(&mut self, depth: usize) -> Node {
        let names = self.scope.len();
        let mut pieces = vec![Piece::from("{\n")];
        for _ in 0..self.random.below(3) + 1 {
            pieces.push(self.late_statement(depth).into());
        }
        pieces.push("  }".into());
        self.scope.truncate(names);
        Node { sort: Sort::Part, kind: Kind::Plain, pieces }
    }

    /// A block that is carried out several times, which begins with some text.
    fn late_loop(&mut self, start: Vec<Piece>, times: usize, depth: usize) -> Node {
        let before = (self.times, self.in_loop);
        (self.times, self.in_loop) = (self.times * times as f64, true);
        let mut block = self.late_block(depth);
        (self.times, self.in_loop) = before;
        block.pieces.splice(1..1, start);
        block
    }

    /// `each` through a list, which may end early.
    fn walk(&mut self, depth: usize) -> Node {
        let list = match self.random.once_in(2) {
            true => node!(List, format!("(sorted down {})", self.name_of_list())),
            false => self.late_list(),
        };
        let name = self.fresh("n");
        self.scope.push(Variable { name: name.clone(), of: Type::Number, settable: false, thrown: true });
        let mut start = self.about_walked(&name);
        if self.random.once_in(3) {
            start.extend(self.about_walked(&name));
        }
        let block = self.late_loop(start, MEMBERS / 2, depth.min(1));
        self.scope.pop();
        node!(Statement, format!("  each {name} in "), list, " ", block, "\n")
    }

    /// What is done with a member that a walk comes to.
    fn about_walked(&mut self, member: &str) -> Vec<Piece> {
        let (counter, face) = (self.counter(), self.face());
        let end = *self.random.one_of(&["leave", "skip"]);
        let is_settable = self.scope.iter().any(|known| known.name == counter && known.settable);
        let node = match self.random.below(5) {
            0 | 1 if is_settable => node!(Statement, format!("  add {member} to {counter}\n")),
            2 if is_settable => node!(Statement, format!("  if {member} = {face} {{ add 1 to {counter} }}\n")),
            3 => node!(Statement, format!("  if {counter} >= {} {{ {end} }}\n", face + 1)),
            _ => node!(Statement, format!("  if {member} <= {face} {{ {end} }}\n")),
        };
        vec![node.into()]
    }

    /// `member place of` lists, in a loop that counts the places.
    fn count_walk(&mut self, depth: usize) -> Node {
        let mut pieces = Vec::new();
        let mut lists = Vec::new();
        for _ in 0..self.random.below(2) + 1 {
            let thrown = self.name_of_list();
            let value = match self.random.below(3) {
                0 => self.late_list(),
                _ => node!(List, format!("(sorted down {thrown})")),
            };
            let name = self.declare(Type::List, true);
            pieces.push(node!(Statement, format!("  let {name} = "), value, "\n").into());
            lists.push(name);
        }
        let top = match self.random.below(4) {
            0 => node!(Number, "(", self.late_number(), " but at least 0 but at most 4)"),
            1 => node!(Number, format!("(count of {})", self.name_of_list())),
            _ => node!(Number, self.random.between(2, 4).to_string()),
        };
        let place = self.fresh("n");
        let member = self.fresh("n");
        let mut start = Vec::new();
        for (index, list) in lists.iter().enumerate() {
            let place = if self.random.once_in(12) { format!("{place} + 1") } else { place.clone() };
            start.push(node!(Part, format!("  let {member}{index} = or_else(member {place} of {list}, 0)\n")).into());
        }
        if lists.len() > 1
            && let Some(counter) = self.settable(Type::Number)
        {
            let sign = *self.random.one_of(&[">", ">=", "="]);
            let step = format!("  if {member}0 {sign} {member}1 {{ add 1 to {counter} }}\n");
            start.push(node!(Statement, step).into());
        }
        let of = Type::Number;
        self.scope.push(Variable { name: place.clone(), of, settable: false, thrown: true });
        self.scope.push(Variable { name: format!("{member}0"), of, settable: false, thrown: true });
        start.extend(self.about_walked(&format!("{member}0")));
        // The lists themselves are mostly only walked through.
        let hidden: Vec<Variable> = self.scope.iter().filter(|known| lists.contains(&known.name)).cloned().collect();
        if self.random.below(4) > 0 {
            self.scope.retain(|known| !lists.contains(&known.name));
        }
        let block = self.late_loop(start, 3, depth.min(1));
        self.scope.retain(|known| known.name != place && known.name != format!("{member}0"));
        if self.random.once_in(3) {
            self.scope.retain(|known| !lists.contains(&known.name));
            self.scope.extend(hidden);
        }
        let down = if self.random.once_in(6) { (format!("{} down to 1", 4), None) } else { ("1 to ".to_string(), Some(top)) };
        pieces.push(format!("  count {place} from {}", down.0).into());
        pieces.extend(down.1.map(Piece::Node));
        pieces.extend([Piece::from(" "), block.into(), "\n".into()]);
        Node { sort: Sort::Statement, kind: Kind::Plain, pieces }
    }

    /// A loop that rolls until a number has grown to a bound.
    fn grow_until(&mut self, depth: usize) -> Node {
        let before = self.scope.len();
        let Some(counter) = self.settable(Type::Number) else { return self.name_late_list() };
        let bound = self.random.between(1, 4);
        let kind = self.random.below(4);
        // It ends for certain where each round adds something.
        let is_sure = kind < 2;
        let rounds = if is_sure { bound as f64 } else { 2.0 };
        let size = self.random.between(2, 3);
        if !self.afford((size as f64).log2() * rounds) {
            return self.grow();
        }
        let most = if is_sure { *self.random.one_of(&[4i64, 9, 60]) } else { self.random.between(2, 3) };
        let rolled = self.fresh("xs");
        let mut start = vec![Piece::from(format!("  roll 1 d{size} as {rolled}\n"))];
        start.push(match is_sure {
            true => format!("  add sum of {rolled} to {counter}\n").into(),
            false => {
                let face = self.face();
                node!(Statement, format!("  add count of ({rolled} where it = {face}) to {counter}\n")).into()
            }
        });
        let is_left = self.random.once_in(3);
        if is_left {
            start.push(format!("  if {counter} >= {bound} {{ leave }}\n").into());
        }
        self.scope.push(Variable { name: rolled, of: Type::List, settable: false, thrown: true });
        // Nothing is skipped and nothing is taken away in a loop that must end.
        let names = self.scope.clone();
        if is_sure {
            self.scope.iter_mut().filter(|known| known.name == counter).for_each(|known| known.settable = false);
        }
        let block = self.late_loop(start, rounds as usize, depth.min(1));
        self.scope = names;
        self.scope.truncate(before);
        match (is_left, self.random.once_in(2)) {
            (true, _) => node!(Statement, format!("  repeat {most} times "), block, "\n"),
            (false, true) => node!(Statement, format!("  repeat {most} times until {counter} >= {bound} "), block, "\n"),
            (false, false) => {
                let otherwise = self.late_block(0);
                let start = format!("  repeat at most {most} times until {counter} >= {bound} ");
                node!(Statement, start, block, " otherwise ", otherwise, "\n")
            }
        }
    }
}
