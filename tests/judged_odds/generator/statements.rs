//! Statements of procedures.

use super::{Generator, HIGHEST, LOWEST, MEMBERS, TYPES, Type, Variable, called};
use crate::judged_odds::tree::{Kind, Node, Piece, Sort, node};

impl Generator {
    /// The statements of a procedure, which ends by giving something.
    pub(super) fn body(&mut self, gives: Type) -> Node {
        let mut pieces = Vec::new();
        if self.is_plain || self.random.below(4) > 0 {
            pieces.extend(self.roll().map(Piece::Node));
        }
        if self.has_state && self.random.once_in(2) {
            pieces.push(self.set_tally().into());
        }
        let statements = if self.is_small {
            0
        } else if self.is_plain {
            self.random.below(3)
        } else {
            self.random.below(4) + 2
        };
        for _ in 0..statements {
            pieces.push(self.statement(2).into());
        }
        let depth = self.random.below(if self.is_plain { 2 } else { 3 }) + 1;
        let value = match gives {
            Type::Number if !self.is_small && self.random.once_in(if self.is_plain { 4 } else { 2 }) => self.several(depth),
            gives => self.dependent(|generator| generator.of_type(gives, depth)),
        };
        if gives != Type::Maybe || !self.random.once_in(4) {
            pieces.push(node!(Part, "  give ", value, "\n").into());
        }
        Node { sort: Sort::Part, kind: Kind::Plain, pieces }
    }

    /// Several numbers in one.
    fn several(&mut self, depth: usize) -> Node {
        let [one, other] = [0; 2].map(|_| self.dependent(|generator| generator.number(depth).node));
        node!(Number, "(", one, " + (100 * ", other, "))")
    }

    /// Statements in braces, with names of their own.
    fn block(&mut self, depth: usize) -> Node {
        let names = self.scope.len();
        let mut pieces = vec![Piece::from("{\n")];
        for _ in 0..self.random.below(2) + 1 {
            pieces.push(self.statement(depth).into());
        }
        pieces.push("  }".into());
        self.scope.truncate(names);
        Node { sort: Sort::Part, kind: Kind::Plain, pieces }
    }

    /// A block that is carried out up to that often.
    fn loop_block(&mut self, times: usize, depth: usize) -> Node {
        let before = (self.times, self.in_loop);
        (self.times, self.in_loop) = (self.times * times as f64, true);
        let block = self.block(depth);
        (self.times, self.in_loop) = before;
        block
    }

    /// A loop block in which a number has a name.
    fn numbered_block(&mut self, name: &str, thrown: bool, times: usize, depth: usize) -> Node {
        self.scope.push(Variable { name: name.to_string(), of: Type::Number, settable: false, thrown });
        let block = self.loop_block(times, depth);
        self.scope.pop();
        block
    }

    pub(super) fn declare(&mut self, of: Type, thrown: bool) -> String {
        let name = self.fresh(of.letter());
        self.scope.push(Variable { name: name.clone(), of, settable: true, thrown });
        name
    }

    /// A variable that may be set.
    pub(super) fn settable(&mut self, of: Type) -> Option<String> {
        let can = |variable: &&Variable| variable.of == of && variable.settable;
        let names: Vec<String> = self.scope.iter().filter(can).map(|variable| variable.name.clone()).collect();
        (!names.is_empty()).then(|| self.random.one_of(&names).clone())
    }

    pub(super) fn statement(&mut self, depth: usize) -> Node {
        const SIMPLE: usize = 16;
        match self.random.below(if depth == 0 { SIMPLE } else { SIMPLE + 12 }) {
            0..=3 => self.roll().unwrap_or_else(|| self.let_()),
            4..=6 => self.let_(),
            7..=9 => self.set().unwrap_or_else(|| self.let_()),
            10 | 11 => self.add().unwrap_or_else(|| self.let_()),
            12 | 13 => self.do_().unwrap_or_else(|| self.let_()),
            14 if self.random.once_in(2) => node!(Statement, "  say \"so far {", self.number(1).node, "}\"\n"),
            14 | 15 => self.early_end(),
            16..=20 => self.if_(depth - 1),
            21 | 22 => self.each(depth - 1),
            23 => self.count(depth - 1),
            24..=26 => self.repeat(depth - 1),
            _ => self.depending(depth - 1),
        }
    }

    fn roll(&mut self) -> Option<Node> {
        if self.is_small {
            let [count, size] = [2, 3].map(|least| self.random.between(least, least + 1));
            let name = self.declare(Type::List, true);
            return Some(node!(Statement, format!("  roll {count} d{size} as {name}\n")));
        }
        let size = *self.random.one_of(&[2, 2, 3, 3, 4, 6]);
        let count = self.random.below(3) + 1;
        if !self.afford(count as f64 * (size as f64).log2()) {
            return None;
        }
        let number = match self.random.below(3) {
            0 => {
                let number = self.number(2);
                self.kept(number, 0, count as i64)
            }
            _ => node!(Part, count.to_string()),
        };
        let dice = match self.random.below(5) {
            0 => {
                let sized = self.number(1);
                node!(Part, " dice of size (", self.kept(sized, 1, size), ")")
            }
            _ => node!(Part, format!(" d{size}")),
        };
        let because = if self.random.once_in(10) { " because \"it matters\"" } else { "" };
        let old = self.settable(Type::List).filter(|_| self.random.once_in(3));
        let name = old.unwrap_or_else(|| self.declare(Type::List, true));
        Some(node!(Statement, "  roll ", number, dice, because, format!(" as {name}\n")))
    }

    fn let_(&mut self) -> Node {
        let of = *self.random.one_of(&TYPES);
        let depth = self.random.below(2) + 1;
        let value = self.dependent(|generator| generator.of_type(of, depth));
        let thrown = self.depends(&value);
        let name = self.declare(of, thrown);
        if of == Type::Maybe {
            return node!(Statement, format!("  let {name} = loosely("), value, ")\n");
        }
        node!(Statement, format!("  let {name} = "), value, "\n")
    }

    fn set_tally(&mut self) -> Node {
        node!(Statement, "  set tally to ", self.of_type(Type::Number, 1), "\n")
    }

    fn set(&mut self) -> Option<Node> {
        if self.has_state && self.random.once_in(2) {
            return Some(self.set_tally());
        }
        let of = *self.random.one_of(&TYPES);
        let name = self.settable(of)?;
        let depth = self.random.below(2) + 1;
        Some(node!(Statement, format!("  set {name} to "), self.of_type(of, depth), "\n"))
    }

    fn add(&mut self) -> Option<Node> {
        let name = self.settable(Type::Number)?;
        let number = self.number(1);
        let (verb, word) = *self.random.one_of(&[("add", "to"), ("take", "from")]);
        let kept = format!("  set {name} to {name} but at least {LOWEST} but at most {HIGHEST}\n");
        Some(node!(Statement, format!("  {verb} "), number.node, format!(" {word} {name}\n"), kept))
    }

    fn do_(&mut self) -> Option<Node> {
        let known: Vec<_> = self.callables.iter().filter(|known| known.is_procedure).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let callable = self.random.one_of(&known).clone();
        if !self.afford(callable.chance) {
            return None;
        }
        let arguments: Vec<Node> = callable.params.iter().map(|param| self.argument(*param)).collect();
        let mut pieces = vec![Piece::from("  do ")];
        pieces.extend(called(&callable.name, arguments));
        if !self.random.once_in(12) {
            let old = self.settable(callable.gives).filter(|_| self.random.once_in(4));
            let name = old.unwrap_or_else(|| self.declare(callable.gives, true));
            pieces.push(format!(" as {name}").into());
        }
        pieces.push("\n".into());
        Some(Node { sort: Sort::Statement, kind: Kind::Plain, pieces })
    }

    /// `give`, or the end of a loop or of its round, under a condition.
    fn early_end(&mut self) -> Node {
        let condition = self.dependent(|generator| generator.flag(1));
        let end = match self.random.below(3) {
            0 if self.in_loop => node!(Part, "leave "),
            1 if self.in_loop => node!(Part, "skip "),
            0 if self.gives == Some(Type::Maybe) => node!(Part, "stop "),
            1 if self.gives == Some(Type::Maybe) => node!(Part, format!("stop {} ", self.procedure_name)),
            _ => {
                let gives = self.gives.unwrap_or(Type::Number);
                node!(Part, "give ", self.of_type(gives, 1), " ")
            }
        };
        node!(Statement, "  if ", condition, " { ", end, "}\n")
    }

    fn if_(&mut self, depth: usize) -> Node {
        let condition = self.dependent(|generator| generator.flag(2));
        let mut pieces = vec![Piece::from("  if "), condition.into(), " ".into(), self.block(depth).into()];
        if self.random.once_in(4) {
            pieces.extend([" else if ".into(), self.flag(1).into(), " ".into(), self.block(depth).into()]);
        }
        if self.random.once_in(2) {
            pieces.extend([" else ".into(), self.block(depth).into()]);
        }
        pieces.push("\n".into());
        Node { sort: Sort::Statement, kind: Kind::Plain, pieces }
    }

    fn each(&mut self, depth: usize) -> Node {
        let list = self.sure_list(1, MEMBERS);
        let name = self.fresh("n");
        let thrown = self.depends(&list.node);
        let block = self.numbered_block(&name, thrown, list.most.clamp(1, 2), depth);
        node!(Statement, format!("  each {name} in ("), list.node, ") ", block, "\n")
    }

    fn count(&mut self, depth: usize) -> Node {
        let (one, other) = (self.number(1), self.number(1));
        let (low, high) = (self.kept(one, 0, 2), self.kept(other, 0, 2));
        let name = self.fresh("n");
        let block = self.numbered_block(&name, true, 3, depth);
        let down = if self.random.once_in(3) { " down" } else { "" };
        node!(Statement, format!("  count {name} from "), low, format!("{down} to "), high, " ", block, "\n")
    }

    fn repeat(&mut self, depth: usize) -> Node {
        let number = self.number(1);
        let times = if self.random.once_in(2) { self.kept(number, 0, 3) } else { node!(Part, "2") };
        if self.random.once_in(2) {
            let until = if self.random.once_in(4) { node!(Part, " until ", self.flag(1)) } else { node!(Part) };
            let block = self.loop_block(3, depth);
            return node!(Statement, "  repeat ", times, " times", until, " ", block, "\n");
        }
        let until = self.flag(2);
        let block = self.loop_block(3, depth);
        let otherwise = self.block(depth);
        node!(Statement, "  repeat at most ", times, " times until ", until, " ", block, " otherwise ", otherwise, "\n")
    }

    fn depending(&mut self, depth: usize) -> Node {
        let word = self.word(1);
        let mut pieces: Vec<Piece> = vec!["  depending on ".into(), word.into(), " { red ".into(), self.block(depth).into()];
        if self.random.once_in(2) {
            pieces.extend([" green ".into(), self.block(depth).into(), " blue ".into(), self.block(depth).into(), " }\n".into()]);
        } else {
            pieces.extend([" } otherwise ".into(), self.block(depth).into(), "\n".into()]);
        }
        Node { sort: Sort::Statement, kind: Kind::Plain, pieces }
    }
}
