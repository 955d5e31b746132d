//! Expressions of each type.

use super::{DEEPEST, Generator, HIGHEST, LOWEST, List, MEMBERS, Number, Type, Variable};
use crate::judged_odds::tree::{Kind, Node, Piece, Sort, node};
use std::ops::Range;

/// The name of a member, or none if it is called `it`.
type Called = Option<String>;

impl Generator {
    /// Picks a form. Where throws shall only be read in simple ways, it is in one of these ranges.
    fn form(&mut self, forms: usize, plain: &[Range<usize>]) -> usize {
        if !self.is_plain {
            return self.random.below(forms);
        }
        let range = self.random.one_of(plain).clone();
        self.random.between(range.start as i64, range.end as i64 - 1) as usize
    }

    // --- numbers -------------------------------------------------------------

    pub(super) fn number(&mut self, depth: usize) -> Number {
        if depth == 0 {
            return self.small_number();
        }
        let depth = depth - 1;
        let (low, high) = (LOWEST, HIGHEST);
        match self.form(30, &[3..20, 24..30]) {
            0..=2 => self.sum_or_product(depth),
            3 => {
                let number = self.number(depth);
                let by = self.divisor(depth);
                let way = *self.random.one_of(&["down", "up"]);
                let widest = number.low.abs().max(number.high.abs());
                let node = node!(Number, "(", number.node, " divided by ", by, format!(" rounded {way})"));
                Number { node, low: -widest, high: widest }
            }
            4 => {
                let (one, other) = (self.number(depth), self.number(depth));
                let way = *self.random.one_of(&["least", "most"]);
                let (low, high) = (one.low.min(other.low), one.high.max(other.high));
                Number { node: node!(Number, "(", one.node, format!(" but at {way} "), other.node, ")"), low, high }
            }
            5 => {
                let number = self.number(depth);
                let by = self.divisor(depth);
                Number { node: node!(Number, "(remainder of (", number.node, ") divided by ", by, ")"), low: 0, high: 3 }
            }
            6..=15 => self.read_off(depth),
            16 | 17 => {
                let condition = self.flag(depth);
                let (yes, no) = (self.number(depth), self.number(depth));
                let (low, high) = (yes.low.min(no.low), yes.high.max(no.high));
                Number { node: node!(Number, "(if ", condition, " then ", yes.node, " else ", no.node, ")"), low, high }
            }
            18 => {
                let number = self.number(depth);
                Number { node: node!(Number, "(-", bracketed(number.node), ")"), low: -number.high, high: -number.low }
            }
            19 if self.is_plain => self.read_off(depth),
            19..=21 => {
                let maybe = self.maybe(depth);
                let other = self.number(0);
                let (low, high) = (low.min(other.low), high.max(other.high));
                Number { node: node!(Number, "or_else(", maybe, ", ", other.node, ")"), low, high }
            }
            22 => Number { node: node!(Number, "steps(", self.number(depth).node, ")"), low: 0, high: 3 },
            23 => {
                let (tone, place) = (self.word(depth), self.number(depth));
                Number { node: node!(Number, "shade(", tone, ", ", place.node, ")"), low: 0, high: 3 }
            }
            24..=26 => match self.defined(Type::Number) {
                Some(node) => Number { node, low, high },
                None => self.read_off(depth),
            },
            _ => self.small_number(),
        }
    }

    fn small_number(&mut self) -> Number {
        if self.can_roll && self.random.once_in(2) {
            if let Some(node) = self.happening(Type::Number) {
                return Number { node, low: LOWEST, high: HIGHEST };
            }
            let kept = if self.random.once_in(4) { self.kept_dice() } else { None };
            if let Some((node, most, size)) = kept.or_else(|| self.dice(false)) {
                return Number { node, low: 0, high: (most as i64) * size };
            }
        }
        if self.has_state && self.random.once_in(3) {
            return Number { node: node!(Number, "tally"), low: LOWEST, high: HIGHEST };
        }
        if self.random.below(6) > 0 {
            if let Some(name) = self.variable(Type::List).filter(|_| self.random.once_in(4)) {
                let word = *self.random.one_of(&["sum", "count", "highest", "lowest"]);
                let (low, high) = (LOWEST * MEMBERS as i64, HIGHEST * MEMBERS as i64);
                return Number { node: node!(Number, format!("({word} of {name})")), low, high };
            }
            if let Some(name) = self.variable(Type::Number) {
                return Number { node: node!(Number, name), low: LOWEST, high: HIGHEST };
            }
        }
        let number = *self.random.one_of(&[0, 1, 1, 2, 2, 2, 3, 3, 4]);
        Number { node: node!(Number, number.to_string()), low: number, high: number }
    }

    fn sum_or_product(&mut self, depth: usize) -> Number {
        let (one, other) = (self.number(depth), self.number(depth));
        let sign = *self.random.one_of(&["+", "+", "-", "*"]);
        let [low, high] = match sign {
            "+" => [one.low + other.low, one.high + other.high],
            "-" => [one.low - other.high, one.high - other.low],
            _ => {
                let most = one.low.abs().max(one.high.abs()) * other.low.abs().max(other.high.abs());
                [-most, most]
            }
        };
        let number = Number { node: node!(Number, "(", one.node, format!(" {sign} "), other.node, ")"), low, high };
        if low > -500 && high < 500 {
            return number;
        }
        Number { node: self.kept(number, LOWEST, HIGHEST), low: LOWEST, high: HIGHEST }
    }

    /// A number from 1 to 4 to divide by, which stands alone.
    fn divisor(&mut self, depth: usize) -> Node {
        let number = if self.random.once_in(2) { self.number(depth) } else { self.small_literal() };
        bracketed(self.kept(number, 1, 4))
    }

    fn small_literal(&mut self) -> Number {
        let number = self.random.between(1, 3);
        Number { node: node!(Number, number.to_string()), low: number, high: number }
    }

    /// `sum of` and the like.
    fn read_off(&mut self, depth: usize) -> Number {
        let word = *self.random.one_of(&["sum", "count", "count", "highest", "lowest"]);
        let mut list = self.sure_list(depth, 8);
        if self.is_plain && self.random.once_in(6) {
            list.node = node!(List, "(sorted ", bracketed(list.node), ")");
        }
        if self.random.once_in(6) {
            let extreme = *self.random.one_of(&["highest", "lowest"]);
            let count = self.how_many(4);
            list.node = node!(List, format!("({extreme} "), count, " of ", bracketed(list.node), ")");
        }
        let most = list.most as i64;
        let (low, high) = match word {
            "sum" => (LOWEST * most, HIGHEST * most),
            "count" => (0, most),
            _ => (LOWEST, HIGHEST),
        };
        if self.random.once_in(4) {
            let (called, condition) = self.condition(depth);
            let node = node!(Number, format!("({word} of "), bracketed(list.node), where_(&called), condition, ")");
            return Number { node, low, high };
        }
        Number { node: node!(Number, format!("({word} of "), bracketed(list.node), ")"), low, high }
    }

    /// A number that fits into bounds.
    pub(super) fn kept(&mut self, number: Number, low: i64, high: i64) -> Node {
        if number.low >= low && number.high <= high {
            return number.node;
        }
        node!(Number, "(", number.node, format!(" but at least {low} but at most {high})"))
    }

    /// A definition that gives a type, with arguments.
    fn defined(&mut self, of: Type) -> Option<Node> {
        if self.calls >= DEEPEST {
            return None;
        }
        let known: Vec<_> = self.callables.iter().filter(|known| known.gives == of && !known.is_procedure).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let callable = self.random.one_of(&known).clone();
        Some(self.call(&callable))
    }

    /// A procedure that gives a type, with arguments.
    fn happening(&mut self, of: Type) -> Option<Node> {
        if !self.can_roll || self.has_state || self.calls >= DEEPEST || self.random.once_in(2) {
            return None;
        }
        let known: Vec<_> = self.callables.iter().filter(|known| known.gives == of && known.is_procedure).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let callable = self.random.one_of(&known).clone();
        self.afford(callable.chance).then(|| self.call(&callable))
    }

    /// Dice in the expression, with the most dice and their size.
    fn dice(&mut self, listed: bool) -> Option<(Node, usize, i64)> {
        let size = *self.random.one_of(&[2, 2, 3, 3, 4, 6]);
        let count = self.random.below(3) + 1;
        if !self.can_roll || !self.afford(count as f64 * (size as f64).log2()) {
            return None;
        }
        let counted = match self.random.below(4) {
            0 => {
                let number = self.number(1);
                self.kept(number, 0, count as i64)
            }
            _ => node!(Part, count.to_string()),
        };
        let sized = match self.random.below(6) {
            0 => {
                let number = self.number(1);
                self.kept(number, 1, size)
            }
            _ => node!(Part, size.to_string()),
        };
        let sort = if listed { Sort::List } else { Sort::Number };
        Some((Node { sort, kind: Kind::Dice { listed }, pieces: vec![counted.into(), sized.into()] }, count, size))
    }

    /// The highest or lowest few of dice in the expression, summed.
    fn kept_dice(&mut self) -> Option<(Node, usize, i64)> {
        let extreme = *self.random.one_of(&["highest", "lowest"]);
        let count = self.how_many(3);
        let part = |generator: &mut Generator| {
            let (dice, count, size) = generator.dice(true)?;
            // Dice stay dice: a list in their place would not be summed.
            Some((Node { sort: Sort::Part, ..dice }, count, size))
        };
        let (mut dice, mut most, mut size) = part(self)?;
        if self.random.once_in(4)
            && let Some((more, count, other)) = part(self)
        {
            dice = node!(Part, "(", dice, " + ", more, ")");
            (most, size) = (most + count, size.max(other));
        }
        if self.random.once_in(5) {
            dice = node!(Part, "(highest 2 of ", dice, ")");
        }
        Some((Node { sort: Sort::Number, kind: Kind::Kept(extreme), pieces: vec![count.into(), dice.into()] }, most, size))
    }

    /// How many members are kept, mostly fewer than there are.
    pub(super) fn how_many(&mut self, most: i64) -> Node {
        match self.random.below(6) {
            0 => {
                let number = self.without_dice(|generator| generator.number(1));
                bracketed(self.kept(number, -1, most))
            }
            1 => node!(Part, self.random.between(0, most).to_string()),
            _ => node!(Part, self.random.between(1, most.clamp(1, 3)).to_string()),
        }
    }

    // --- yes or no -----------------------------------------------------------

    pub(super) fn flag(&mut self, depth: usize) -> Node {
        if depth == 0 {
            return self.small_flag();
        }
        let depth = depth - 1;
        match self.form(28, &[2..7, 9..13, 15..17, 15..17, 15..17, 18..22, 24..25, 26..28]) {
            0..=6 => {
                let (one, other) = (self.number(depth), self.number(depth));
                let sign = *self.random.one_of(&["=", "=", "!=", "<", "<=", ">", ">="]);
                node!(Flag, "(", one.node, format!(" {sign} "), other.node, ")")
            }
            7 | 8 => {
                let (one, other) = (self.list_compared(depth), self.list_compared(depth));
                let sign = *self.random.one_of(&["=", "!=", "<", "<=", ">", ">="]);
                node!(Flag, "(", one, format!(" {sign} "), other, ")")
            }
            9..=11 => {
                let (one, other) = (self.flag(depth), self.flag(depth));
                let word = *self.random.one_of(&["and", "or"]);
                node!(Flag, "(", one, format!(" {word} "), other, ")")
            }
            12 => node!(Flag, "(not ", self.flag(depth), ")"),
            13 => {
                let number = self.number(depth);
                let word = *self.random.one_of(&["is odd", "is even", "is not odd", "is not even"]);
                node!(Flag, "(", number.node, format!(" {word})"))
            }
            14 => {
                let list = self.sure_list(depth, 8);
                let word = *self.random.one_of(&["is empty", "is not empty"]);
                node!(Flag, "(", bracketed(list.node), format!(" {word})"))
            }
            15 | 16 => {
                let number = self.number(depth);
                let list = self.sure_list(depth, 8);
                let word = *self.random.one_of(&["in", "not in"]);
                node!(Flag, "(", number.node, format!(" {word} "), bracketed(list.node), ")")
            }
            17 => {
                let [number, from, to] = [depth, 0, 0].map(|depth| self.number(depth).node);
                node!(Flag, "(", number, " in ", from, "..", to, ")")
            }
            18..=21 => self.quantified(depth),
            22 => {
                let maybe = self.maybe(depth);
                let word = *self.random.one_of(&["is none", "is not none"]);
                node!(Flag, "((", maybe, format!(") {word})"))
            }
            23 => {
                let word = self.word(depth);
                if self.random.once_in(2) {
                    return node!(Flag, "(", word, " is not ", self.word(0), ")");
                }
                node!(Flag, "(", word, " is ", *self.random.one_of(&["red", "green"]), ")")
            }
            24 => {
                let [condition, yes, no] = [0; 3].map(|_| self.flag(depth));
                node!(Flag, "(if ", condition, " then ", yes, " else ", no, ")")
            }
            25 => {
                let (halves, number) = (self.halves(depth), self.number(depth));
                let sign = *self.random.one_of(&["=", "<", ">="]);
                node!(Flag, "(", halves, format!(" {sign} "), number.node, ")")
            }
            _ => match self.defined(Type::Flag) {
                Some(node) => node,
                None => self.quantified(depth),
            },
        }
    }

    fn small_flag(&mut self) -> Node {
        if self.random.once_in(3)
            && let Some(node) = self.happening(Type::Flag)
        {
            return node;
        }
        if self.can_name_member && self.random.once_in(2) {
            return self.about_member();
        }
        if self.random.once_in(2)
            && let Some(name) = self.variable(Type::Flag)
        {
            return node!(Flag, name);
        }
        if self.random.once_in(6) {
            return node!(Flag, *self.random.one_of(&["yes", "no"]));
        }
        let (one, mut other) = (self.small_number(), self.small_number());
        if one.node == other.node {
            other = self.small_number();
        }
        let sign = *self.random.one_of(&["=", "<", ">="]);
        node!(Flag, "(", one.node, format!(" {sign} "), other.node, ")")
    }

    /// A condition of the innermost member, mostly with what was thrown.
    fn about_member(&mut self) -> Node {
        let member = self.scope.last().map_or("1".to_string(), |variable| variable.name.clone());
        let list = self.variable(Type::List).filter(|name| *name != member);
        match (list, self.random.below(3)) {
            (Some(list), 0) => node!(Flag, format!("({member} in {list})")),
            (Some(list), 1) => {
                let word = *self.random.one_of(&["sum", "count", "highest", "lowest"]);
                let sign = *self.random.one_of(&["=", "<", ">="]);
                node!(Flag, format!("({member} {sign} "), node!(Number, format!("({word} of {list})")), ")")
            }
            _ => {
                let sign = *self.random.one_of(&["=", "<", ">="]);
                node!(Flag, format!("({member} {sign} "), self.small_number().node, ")")
            }
        }
    }

    /// A list on one side of a comparison, where dice alone would be a number.
    fn list_compared(&mut self, depth: usize) -> Node {
        let list = self.sure_list(depth, 8).node;
        if self.random.once_in(2) || rolls(&list) {
            let word = *self.random.one_of(&["sorted", "sorted down"]);
            return node!(List, format!("({word} "), bracketed(list), ")");
        }
        list
    }

    fn quantified(&mut self, depth: usize) -> Node {
        let list = self.sure_list(depth, 8);
        let which = *self.random.one_of(&["any", "all", "none"]);
        let verb = *self.random.one_of(&["has", "has", "have"]);
        let start = format!("({which} of ");
        if self.random.once_in(5) {
            let (first, condition) = self.condition(depth);
            let (second, has) = self.condition(depth);
            return node!(
                Flag,
                start,
                bracketed(list.node),
                where_(&first),
                condition,
                as_(&second),
                format!(" {verb} "),
                has,
                ")"
            );
        }
        let (called, has) = self.condition(depth);
        node!(Flag, start, bracketed(list.node), as_(&called), format!(" {verb} "), has, ")")
    }

    /// What is asked of each member of a list, and what the member is called.
    fn condition(&mut self, depth: usize) -> (Called, Node) {
        let called = self.member_name();
        let condition = self.for_member(&called, |generator| generator.flag(depth.max(1)));
        (called, condition)
    }

    /// `it`, or a name that may hide another.
    fn member_name(&mut self) -> Called {
        match self.random.below(5) {
            0..=2 => None,
            3 => Some(self.random.one_of(&["one", "face", "k"]).to_string()),
            _ => {
                let of = if self.random.once_in(4) { Type::List } else { Type::Number };
                self.variable(of).filter(|name| name != "it")
            }
        }
    }

    /// Writes something in which a member of a list has a name.
    fn for_member<T>(&mut self, called: &Called, write: impl FnOnce(&mut Generator) -> T) -> T {
        let name = called.clone().unwrap_or("it".to_string());
        self.scope.push(Variable { name, of: Type::Number, settable: false, thrown: false });
        let around = std::mem::replace(&mut self.can_name_member, true);
        let written = self.without_dice(write);
        self.can_name_member = around;
        self.scope.pop();
        written
    }

    fn without_dice<T>(&mut self, write: impl FnOnce(&mut Generator) -> T) -> T {
        let could_roll = std::mem::replace(&mut self.can_roll, false);
        let written = write(self);
        self.can_roll = could_roll;
        written
    }

    // --- lists ---------------------------------------------------------------

    /// A list where dice are one for certain.
    pub(super) fn sure_list(&mut self, depth: usize, most: usize) -> List {
        let before = std::mem::replace(&mut self.wants_list, true);
        let list = self.list(depth, most);
        self.wants_list = before;
        list
    }

    pub(super) fn list(&mut self, depth: usize, most: usize) -> List {
        if depth == 0 || self.random.once_in(3) {
            return self.small_list(most);
        }
        let depth = depth - 1;
        match self.form(23, &[0..7, 0..7, 17..20, 8..17, 10..14, 13..14, 20..23]) {
            0..=4 => {
                let list = self.sure_list(depth, most);
                let (called, condition) = self.condition(depth);
                List { node: node!(List, "(", list.node, where_(&called), condition, ")"), most: list.most }
            }
            5 | 6 => {
                let list = self.sure_list(depth, most);
                let word = *self.random.one_of(&["sorted", "sorted down"]);
                List { node: node!(List, format!("({word} "), bracketed(list.node), ")"), most: list.most }
            }
            7 => {
                let list = self.sure_list(depth, most);
                List { node: node!(List, "(sorts of ", bracketed(list.node), ")"), most: list.most }
            }
            8 | 9 => {
                let list = self.sure_list(depth, most);
                let others = match self.random.once_in(2) {
                    true => self.sure_list(depth, 8).node,
                    false => self.without_dice(|generator| generator.number(depth)).node,
                };
                List { node: node!(List, "(", list.node, " without ", others, ")"), most: list.most }
            }
            10..=12 if most >= 2 => self.joined(depth, most),
            13 => {
                let thrown = if most >= MEMBERS { self.variable(Type::List) } else { None };
                let thrown = thrown.filter(|_| self.random.once_in(2));
                let no = match &thrown {
                    Some(name) if self.random.once_in(2) => List { node: node!(List, format!("(sorted {name})")), most: MEMBERS },
                    _ => self.list(depth, most),
                };
                let (condition, yes) = match thrown {
                    Some(name) => {
                        let word = *self.random.one_of(&["sum", "count", "highest", "lowest"]);
                        let number = self.small_number();
                        let condition = node!(Flag, format!("(({word} of {name}) >= "), number.node, ")");
                        (condition, List { node: node!(List, name), most: MEMBERS })
                    }
                    None => (self.flag(depth), self.list(depth, most)),
                };
                let most = yes.most.max(no.most);
                List { node: node!(List, "(if ", condition, " then ", yes.node, " else ", no.node, ")"), most }
            }
            14..=16 => {
                let list = self.sure_list(depth, most);
                let most = list.most;
                List { node: self.best("those", list.node, Sort::List, depth), most }
            }
            17 | 18 if most >= MEMBERS => match self.defined(Type::List) {
                Some(node) => List { node, most: MEMBERS },
                None => self.small_list(most),
            },
            20..=22 => self.extremes(depth, most),
            _ => self.small_list(most),
        }
    }

    /// Two lists, or a list and a number, one after the other.
    fn joined(&mut self, depth: usize, most: usize) -> List {
        if self.random.once_in(4) {
            let number = self.without_dice(|generator| {
                let number = generator.number(depth);
                generator.kept(number, LOWEST, HIGHEST)
            });
            let list = self.list(depth, most - 1);
            return List { node: node!(List, "(", list.node, " + ", number, ")"), most: list.most + 1 };
        }
        let one = self.list(depth, most - 1);
        if one.most >= most {
            return one;
        }
        let other = self.list(depth, most - one.most);
        List { node: node!(List, "(", one.node, " + ", other.node, ")"), most: one.most + other.most }
    }

    /// The highest or lowest few of a list.
    fn extremes(&mut self, depth: usize, most: usize) -> List {
        let list = self.list(depth, most);
        let extreme = *self.random.one_of(&["highest", "lowest"]);
        let start = format!("({extreme} ");
        let count = self.how_many(4);
        let list_node = bracketed(list.node);
        let node = match self.random.once_in(4) {
            true => {
                let (called, condition) = self.condition(depth);
                node!(List, start, count, " of ", list_node, where_(&called), condition, ")")
            }
            false => node!(List, start, count, " of ", list_node, ")"),
        };
        List { node, most: list.most }
    }

    fn small_list(&mut self, most: usize) -> List {
        if self.can_roll && self.wants_list && self.random.below(3) > 0 {
            if most >= MEMBERS
                && let Some(node) = self.happening(Type::List)
            {
                return List { node, most: MEMBERS };
            }
            if most >= 3
                && let Some((node, count, _)) = self.dice(true)
            {
                return List { node, most: count };
            }
        }
        if most >= MEMBERS
            && self.random.below(5) > 0
            && let Some(name) = self.variable(Type::List)
        {
            return List { node: node!(List, name), most: MEMBERS };
        }
        if most >= 4 && self.random.once_in(2) {
            let top = self.random.between(2, 4);
            if self.random.once_in(3) {
                let number = self.number(0);
                let end = self.kept(number, 1, top);
                return List { node: node!(List, "(1..", end, ")"), most: top as usize };
            }
            return List { node: node!(List, format!("(1..{top})")), most: top as usize };
        }
        let mut pieces = Vec::new();
        let count = (self.random.below(3) + 1).min(most);
        for place in 0..count {
            pieces.push(Piece::from(if place == 0 { "[" } else { ", " }));
            let member = match place > 0 && !self.is_plain && self.random.once_in(6) {
                true => self.maybe(0),
                false => {
                    let number = self.number(0);
                    self.kept(number, LOWEST, HIGHEST)
                }
            };
            pieces.push(Piece::from(member));
        }
        if count == 0 {
            return List { node: node!(List, "([1] without 1)"), most: 1 };
        }
        pieces.push(Piece::from("]"));
        List { node: Node { sort: Sort::List, kind: Kind::Plain, pieces }, most: count }
    }

    /// `those of` and `the one of`.
    fn best(&mut self, word: &str, list: Node, sort: Sort, depth: usize) -> Node {
        let mut pieces = vec![Piece::from(format!("({word} of ")), Piece::from(bracketed(list))];
        if self.random.once_in(5) {
            let (called, condition) = self.condition(depth);
            pieces.extend([Piece::from(where_(&called)), Piece::from(condition)]);
        }
        let called = self.member_name();
        pieces.push(Piece::from(format!("{} with ", as_(&called))));
        for place in 0..self.random.below(2) + 1 {
            let way = *self.random.one_of(&["highest", "lowest"]);
            let key = self.for_member(&called, |generator| generator.key(depth));
            let start = if place == 0 { "" } else { ", then " };
            pieces.extend([Piece::from(format!("{start}{way} ")), Piece::from(key)]);
        }
        pieces.push(Piece::from(")"));
        Node { sort, kind: Kind::Plain, pieces }
    }

    fn key(&mut self, depth: usize) -> Node {
        match self.random.below(8) {
            0 => {
                let list = self.list(depth, 8);
                let missing = *self.random.one_of(&["", " missing highest", " missing lowest"]);
                node!(List, "sorted ", bracketed(list.node), missing)
            }
            1 => {
                let missing = *self.random.one_of(&["", " missing highest", " missing lowest"]);
                node!(List, bracketed(self.list(depth, 8).node), missing)
            }
            2 => bracketed(self.halves(depth)),
            _ => self.number(depth).node,
        }
    }

    // --- numbers or none, halves, words --------------------------------------

    pub(super) fn maybe(&mut self, depth: usize) -> Node {
        if depth == 0 || self.random.once_in(6) {
            if let Some(name) = self.variable(Type::Maybe) {
                return node!(Maybe, name);
            }
            let list = self.sure_list(0, 8);
            return node!(Maybe, "(first of ", bracketed(list.node), ")");
        }
        let depth = depth - 1;
        match self.random.below(10) {
            0..=2 => {
                let list = self.sure_list(depth, 8);
                let word = *self.random.one_of(&["first", "last"]);
                if self.random.once_in(4) {
                    let (called, condition) = self.condition(depth);
                    return node!(Maybe, format!("({word} of "), bracketed(list.node), where_(&called), condition, ")");
                }
                node!(Maybe, format!("({word} of "), bracketed(list.node), ")")
            }
            3 | 4 => {
                let (place, list) = (self.number(0), self.sure_list(depth, 8));
                if self.random.once_in(4) {
                    let (called, condition) = self.condition(depth);
                    return node!(Maybe, "(member ", place.node, " of ", bracketed(list.node), where_(&called), condition, ")");
                }
                node!(Maybe, "(member ", place.node, " of ", bracketed(list.node), ")")
            }
            5 | 6 => {
                let list = self.sure_list(depth, 8);
                self.best("the one", list.node, Sort::Maybe, depth)
            }
            7 => node!(Maybe, "gaps(", self.number(depth).node, ")"),
            8 => {
                let (condition, one) = (self.flag(depth), self.maybe(depth));
                // `none` itself is not written here: where the condition is known, `check` takes it for what cannot be. And odds take
                // tables for numbers.
                let none = "(first of ([1] without 1))";
                let is_table = one.as_odds().starts_with("gaps");
                let one = if is_table { node!(Maybe, "loosely(", one, ")") } else { one };
                node!(Maybe, "(if ", condition, " then ", one, format!(" else {none})"))
            }
            _ => match self.defined(Type::Maybe) {
                Some(node) => node,
                None => {
                    let list = self.sure_list(depth, 8);
                    node!(Maybe, "(last of ", bracketed(list.node), ")")
                }
            },
        }
    }

    pub(super) fn halves(&mut self, depth: usize) -> Node {
        let number = self.number(depth.saturating_sub(1));
        node!(Halves, "(half of ", bracketed(number.node), ")")
    }

    pub(super) fn word(&mut self, depth: usize) -> Node {
        let once = self.random.once_in(2);
        if let Some(name) = self.variable(Type::Word).filter(|_| depth == 0 || once) {
            return node!(Word, name);
        }
        if depth == 0 {
            return node!(Word, *self.random.one_of(&["red", "green", "blue"]));
        }
        if self.random.once_in(2)
            && let Some(node) = self.defined(Type::Word)
        {
            return node;
        }
        let condition = self.flag(depth - 1);
        let [one, other] = [0; 2].map(|_| *self.random.one_of(&["red", "green", "blue"]));
        node!(Word, "(if ", condition, format!(" then {one} else {other})"))
    }
}

/// Whether dice are written somewhere in a node.
fn rolls(node: &Node) -> bool {
    matches!(node.kind, Kind::Dice { .. }) || node.children().any(rolls)
}

/// A value in brackets, unless it is in some already or is one word.
fn bracketed(node: Node) -> Node {
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_closed = node.kind == Kind::Plain
        && match node.pieces.as_slice() {
            [Piece::Text(text)] => text.starts_with('(') || is_word(text),
            [Piece::Text(first), ..] => first.starts_with('(') || first.starts_with('['),
            _ => false,
        };
    let sort = node.sort;
    if is_closed { node } else { Node { sort, kind: Kind::Plain, pieces: vec!["(".into(), node.into(), ")".into()] } }
}

fn as_(called: &Called) -> String {
    called.as_ref().map_or(String::new(), |name| format!(" as {name}"))
}

fn where_(called: &Called) -> String {
    format!("{} where ", as_(called))
}
