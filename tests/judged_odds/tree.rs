//! What the generator writes: nodes of text, of which the shrinker knows the sort.

/// What a node is worth, or what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Number,
    Flag,
    List,
    /// A number or none.
    Maybe,
    Halves,
    Word,
    Statement,
    /// A definition, table or procedure.
    Item,
    /// A part that cannot be replaced.
    Part,
}

/// How a node is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its pieces, one after the other.
    Plain,
    /// Dice in an expression: the pieces are their number and their size. `listed` means that the list is wanted, not the sum.
    Dice { listed: bool },
    /// The sum of the `highest` or `lowest` few of some dice: the pieces are how many, and the dice.
    Kept(&'static str),
    /// A procedure in an expression: the pieces are its arguments.
    Call(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Node(Node),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub sort: Sort,
    pub kind: Kind,
    pub pieces: Vec<Piece>,
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Text(text.to_string())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}

impl From<Node> for Piece {
    fn from(node: Node) -> Piece {
        Piece::Node(node)
    }
}

/// A node of texts and nodes: `node!(Number, "(", left, " + ", right, ")")`.
macro_rules! node {
    ($sort:ident $(, $piece:expr)* $(,)?) => {
        $crate::judged_odds::tree::Node {
            sort: $crate::judged_odds::tree::Sort::$sort,
            kind: $crate::judged_odds::tree::Kind::Plain,
            pieces: vec![$($crate::judged_odds::tree::Piece::from($piece)),*],
        }
    };
}
pub(crate) use node;

impl Node {
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Node(node) => Some(node),
            Piece::Text(_) => None,
        })
    }

    /// All nodes, each before its parts.
    pub fn all(&self) -> Vec<&Node> {
        let mut all = vec![self];
        all.extend(self.children().flat_map(Node::all));
        all
    }

    /// Puts another node in the place of one, which is counted as in [`Node::all`]. Counts `place` down on the way.
    fn replace(&mut self, place: &mut usize, by: &Node) -> bool {
        if *place == 0 {
            *self = by.clone();
            return true;
        }
        *place -= 1;
        self.pieces.iter_mut().any(|piece| match piece {
            Piece::Node(node) => node.replace(place, by),
            Piece::Text(_) => false,
        })
    }

    /// The node as `ludex odds` reads it, with dice in the expression.
    pub fn as_odds(&self) -> String {
        let children: Vec<String> = self.children().map(Node::as_odds).collect();
        match &self.kind {
            Kind::Plain => self.plain(children),
            Kind::Dice { .. } => match children[1].parse::<u32>() {
                Ok(size) if size % 2 == 0 => format!("({}d{size})", bracketed(&children[0])),
                Ok(size) => format!("({} d{size})", bracketed(&children[0])),
                Err(_) => format!("({} dice of size {})", bracketed(&children[0]), bracketed(&children[1])),
            },
            Kind::Kept(extreme) => format!("({extreme} {} of {})", bracketed(&children[0]), children[1]),
            Kind::Call(name) if children.is_empty() => name.clone(),
            Kind::Call(name) => format!("{name}({})", children.join(", ")),
        }
    }

    /// The node as the rules of a procedure read it: each throw and each call becomes a statement, added to `before`.
    pub fn as_rules(&self, before: &mut Vec<String>) -> String {
        let children: Vec<String> = self.children().map(|child| child.as_rules(before)).collect();
        let name = format!("part_{}", before.len());
        match &self.kind {
            Kind::Plain => self.plain(children),
            Kind::Dice { listed } => {
                before.push(format!("roll {} dice of size ({}) as {name}", children[0], children[1]));
                if *listed { name } else { format!("(sum of {name})") }
            }
            Kind::Kept(extreme) => format!("(sum of {extreme} {} of {})", bracketed(&children[0]), children[1]),
            Kind::Call(procedure) => {
                before.push(format!("do {procedure}({}) as {name}", children.join(", ")).replace("()", ""));
                name
            }
        }
    }

    /// The pieces in their order, with the children written as given.
    fn plain(&self, children: Vec<String>) -> String {
        let mut children = children.into_iter();
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Node(_) => text.push_str(&children.next().unwrap_or_default()),
            }
        }
        text
    }
}

/// What may stand before `d6`: a number or something in brackets.
fn bracketed(text: &str) -> String {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.to_string() } else { format!("({text})") }
}

/// A generated game with an expression to judge.
#[derive(Clone, Debug)]
pub struct Case {
    /// Definitions, tables and procedures.
    pub items: Vec<Node>,
    pub expression: Node,
}

impl Case {
    /// All nodes of items and expression.
    pub fn all(&self) -> Vec<&Node> {
        self.items.iter().chain([&self.expression]).flat_map(Node::all).collect()
    }

    /// The same with another node in the place of one of [`Case::all`].
    pub fn with(&self, mut place: usize, by: &Node) -> Case {
        let mut case = self.clone();
        let _ = case.items.iter_mut().chain([&mut case.expression]).any(|node| node.replace(&mut place, by));
        case
    }

    /// The rules of a game that works the expression out itself and notes its value on the table.
    pub fn rules(&self) -> String {
        let texts: String = self.texts().iter().map(|text| format!("{text}\n")).collect();
        format!("{HEAD}{texts}")
    }

    /// The declarations in the rules, without those that each case has.
    pub fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.items.iter().map(Node::as_odds).collect();
        let mut before = Vec::new();
        let value = self.expression.as_rules(&mut before);
        let note = match self.expression.sort {
            Sort::Flag => "set noted to [if value then 1 else 0]",
            Sort::Word => "set noted to [if value is red then 0 else if value is green then 1 else 2]",
            Sort::List => "set noted to value",
            Sort::Halves => "set halves_noted to [value]",
            _ => "set noted to [value]",
        };
        let before: String = before.iter().map(|statement| format!("  {statement}\n")).collect();
        texts.push(format!("to play {{\n{before}  let value = {value}\n  {note}\n  finish with nobody\n}}"));
        texts
    }
}

const HEAD: &str = "ludex 1
game judge \"Judge\"
sides 1
type tint is one of red, green, blue
the table has { noted: list of number, at most 100  halves_noted: list of halves, at most 100  tally: number = 0 }
define or_else(maybe: number or none, other: number): number = if maybe is none then other else maybe
define loosely(maybe: number or none): number or none = maybe
define few(values: list of number): list of number = if count of values > 6 then [count of values, first of values] else values
table steps(place) { 1: 3  2..3: 1  4: 2  otherwise: 0 }
table gaps(place) { 1: 2  3: 0 }
table shade(tone: tint, place) { red, 1: 1  green, 0..2: 2  otherwise: 3 }
";
