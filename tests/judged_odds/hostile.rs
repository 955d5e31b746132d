//! Expressions that are broken, or too much work: half consist of random tokens, half come from the generator, mostly with larger
//! numbers.

use super::generator::case;
use super::random::Random;
use super::tree::{Kind, Node, Piece};
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::odds::{Effort, Odds, compute_odds};
use ludex_engine::problem::Problem;
use ludex_grammar::GRAMMAR;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// An expression, and the game that it is about.
pub struct Hostile {
    pub files: Vec<File>,
    pub game: String,
    pub expression: String,
}

/// Numbers that make small things large.
const NUMBERS: [&str; 12] = ["0", "1", "2", "5", "9", "20", "60", "300", "1000", "65536", "2147483647", "99999999999999999999"];

/// Makes hostile expressions.
pub struct Maker {
    /// The words and signs of the grammar.
    words: Vec<String>,
    games: Vec<Game>,
}

/// A game with the names that it declares.
struct Game {
    id: String,
    file: File,
    names: Vec<Named>,
}

/// A definition, table or procedure, and how many values it takes.
struct Named {
    name: String,
    params: usize,
}

impl Maker {
    pub fn new() -> Maker {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folders = ["tests/right_odds/rules", "examples/classics/rules"].map(|folder| root.join(folder));
        let ids = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
        let games = ids.collect::<BTreeSet<_>>().into_iter().map(|folder| {
            let id = folder.file_name().unwrap().to_string_lossy().into_owned();
            let text = fs::read_to_string(folder.join(format!("{id}.ludex"))).unwrap();
            Game { names: names(&text), file: rules(&id, text), id }
        });
        Maker { words: words(), games: games.collect() }
    }

    /// The expression of a seed.
    pub fn make(&self, seed: u64) -> Hostile {
        let mut random = Random::new(seed);
        if random.once_in(2) { self.of_tokens(&mut random) } else { generated(seed, &mut random) }
    }

    fn of_tokens(&self, random: &mut Random) -> Hostile {
        let game = random.one_of(&self.games);
        let mut tokens = Tokens { maker: self, game, random, text: String::new() };
        if tokens.random.once_in(3) {
            (0..=tokens.random.below(40)).for_each(|_| tokens.token());
        } else {
            tokens.operand(3);
        }
        Hostile { expression: tokens.text, files: vec![game.file.clone()], game: game.id.clone() }
    }
}

/// An expression of the generator; in some all numbers may be larger, those of the rules too.
fn generated(seed: u64, random: &mut Random) -> Hostile {
    let mut case = case(seed, 9.0);
    if !random.once_in(3) {
        enlarge(&mut case.expression, random);
    }
    if random.once_in(3) {
        case.items.iter_mut().for_each(|item| enlarge(item, random));
    }
    Hostile { files: vec![rules("judge", case.rules())], game: "judge".to_string(), expression: case.expression.as_odds() }
}

/// Writes large numbers in the place of some.
fn enlarge(node: &mut Node, random: &mut Random) {
    let is_call = matches!(node.kind, Kind::Call(_));
    for piece in &mut node.pieces {
        match piece {
            Piece::Node(node) => enlarge(node, random),
            Piece::Text(text) if !is_call => {
                let parts = text.split_inclusive(' ').map(|part| {
                    let number = part.trim_matches(|sign| !char::is_alphanumeric(sign) && sign != '_');
                    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
                    let is_replaced = is_number && random.once_in(3);
                    if is_replaced { part.replace(number, random.one_of::<&str>(&NUMBERS)) } else { part.to_string() }
                });
                *text = parts.collect();
            }
            Piece::Text(_) => {}
        }
    }
}

/// Writes tokens.
struct Tokens<'a> {
    maker: &'a Maker,
    game: &'a Game,
    random: &'a mut Random,
    text: String,
}

impl Tokens<'_> {
    fn write(&mut self, word: &str) {
        self.text.push_str(word);
        if !self.random.once_in(20) {
            self.text.push(' ');
        }
    }

    /// Any token.
    fn token(&mut self) {
        match self.random.below(8) {
            0 => self.number(),
            1 => self.dice(),
            2 => self.name(),
            3 => {
                let bracket = *self.random.one_of(&["(", ")", "[", "]"]);
                self.write(bracket);
            }
            _ => {
                let word = self.random.one_of(&self.maker.words).clone();
                self.write(&word);
            }
        }
    }

    fn number(&mut self) {
        let number = *self.random.one_of(&NUMBERS);
        self.write(number);
    }

    fn dice(&mut self) {
        let (count, size) = (*self.random.one_of(&NUMBERS), *self.random.one_of(&NUMBERS));
        let size = if self.random.once_in(2) { *self.random.one_of(&["2", "4", "6", "10", "20"]) } else { size };
        self.write(&format!("{count}d{size}"));
    }

    fn name(&mut self) {
        if self.game.names.is_empty() {
            return self.number();
        }
        let name = &self.game.names[self.random.below(self.game.names.len())].name;
        self.write(name);
    }

    /// Something that mostly may be an operand.
    fn operand(&mut self, depth: usize) {
        const BEFORE: [&str; 14] = [
            "count of",
            "sum of",
            "highest of",
            "lowest of",
            "sorted",
            "sorted down",
            "first of",
            "half of",
            "not",
            "highest 3 of",
            "lowest 40 of",
            "member 2 of",
            "last of",
            "sorts of",
        ];
        const BETWEEN: [&str; 19] = [
            "+",
            "-",
            "*",
            "and",
            "or",
            "=",
            ">=",
            "<",
            "in",
            "without",
            "where it >=",
            "where it in",
            "but at most",
            "but at least",
            "divided by",
            "rounded up",
            "has it =",
            "..",
            "as n with highest",
        ];
        if self.random.once_in(25) {
            return self.token();
        }
        if depth == 0 {
            return match self.random.below(3) {
                0 => self.number(),
                _ => self.dice(),
            };
        }
        match self.random.below(8) {
            0 => self.dice(),
            1 => self.call(depth - 1),
            2 | 3 => {
                let word = *self.random.one_of(&BEFORE);
                self.write(word);
                self.operand(depth - 1);
            }
            4 => {
                let (open, close) =
                    *self.random.one_of(&[("(", ")"), ("[", "]"), ("if", "then 1 else 2"), ("any of", "has it > 3")]);
                self.write(open);
                self.operand(depth - 1);
                self.write(close);
            }
            _ => {
                self.write("(");
                self.operand(depth - 1);
                let word = *self.random.one_of(&BETWEEN);
                self.write(word);
                self.operand(depth - 1);
                self.write(")");
            }
        }
    }

    /// A definition or procedure, mostly with as many values as it takes.
    fn call(&mut self, depth: usize) {
        if self.game.names.is_empty() {
            return self.number();
        }
        let Named { name, params } = &self.game.names[self.random.below(self.game.names.len())];
        let params = if self.random.once_in(10) { params + 1 } else { *params };
        self.text.push_str(name);
        for place in 0..params {
            self.write(if place == 0 { "(" } else { "," });
            self.operand(depth);
        }
        self.write(if params > 0 { ")" } else { "" });
    }
}

fn rules(id: &str, text: String) -> File {
    File { path: format!("rules/{id}/{id}.ludex"), text, library: BUNDLED.to_string() }
}

/// The texts in the grammar.
fn words() -> Vec<String> {
    let lines = GRAMMAR.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words: BTreeSet<&str> = lines.flat_map(|line| line.split('"').skip(1).step_by(2)).collect();
    words.into_iter().filter(|word| !word.contains('\\')).map(str::to_string).collect()
}

/// What a text declares that can be called.
fn names(text: &str) -> Vec<Named> {
    let declared = text.lines().filter_map(|line| {
        let rest = ["define ", "to ", "table "].iter().find_map(|word| line.strip_prefix(word))?;
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
        let params = rest[end..].strip_prefix('(').and_then(|rest| rest.split_once(')'));
        Some(Named { name: rest[..end].to_string(), params: params.map_or(0, |(params, _)| params.split(',').count()) })
    });
    declared.collect()
}

impl Hostile {
    /// Asks for the odds.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression or the game.
    pub fn ask(&self, effort: &Effort) -> Result<Odds, Vec<Problem>> {
        let mut library = Library::new(self.files.clone()).0;
        let source = library.sources.add("expression", &self.expression);
        compute_odds(&library, &self.game, &CompileRequest::default(), &[], source, effort)
    }
}
