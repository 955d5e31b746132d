//! What scripts mean is what rhai means: random programs of numbers, texts and lists say the same when the machine runs them
//! as when rhai's own interpreter does.
//!
//! Numbers are smaller here than in rhai, so a program may end in a fault where rhai goes on; how many do is looked at.

use crate::runtime::random::{Generator, random_below, seeded_generator};
use crate::tests::scripting::testing::{ability, answer, pond, start};
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use std::cell::RefCell;
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Number,
    Flag,
    Text,
    Numbers,
    Texts,
}

/// A random program, with what may be named where it is at.
struct Writer {
    luck: Generator,
    text: String,
    names: Vec<(String, Kind)>,
    /// Variables that loops count with: a program must not set them.
    fixed: Vec<String>,
    made: usize,
    depth: usize,
    in_loop: bool,
    /// What functions may be called, with how many numbers.
    functions: Vec<&'static str>,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer = Writer {
            luck: seeded_generator(seed),
            text: String::new(),
            names: Vec::new(),
            fixed: Vec::new(),
            made: 0,
            depth: 0,
            in_loop: false,
            functions: vec!["twice", "longest"],
        };
        writer.text.push_str("fn act() {\n");
        writer.block(8);
        writer.text.push_str("say(\"end\");\n}\n");
        writer.function("fn twice(n) {\n", &[("n", Kind::Number)], Kind::Number);
        writer.function("fn longest(words) {\n", &[("words", Kind::Texts)], Kind::Text);
        writer.text
    }

    /// A function that comes to an end: it calls none of the others but itself, and that with less.
    fn function(&mut self, head: &str, params: &[(&str, Kind)], gives: Kind) {
        self.functions.clear();
        self.names = params.iter().map(|(name, kind)| (name.to_string(), *kind)).collect();
        self.text.push_str(head);
        if gives == Kind::Number {
            let value = self.value(Kind::Number, 1);
            let _ = writeln!(self.text, "if n > 0 && n < 5 {{ return twice(n - 1) + {value}; }}");
        }
        self.block(2);
        let (early, last) = (self.value(gives, 2), self.value(gives, 2));
        let condition = self.value(Kind::Flag, 2);
        let _ = writeln!(self.text, "if {condition} {{ return {early}; }}\n{last}\n}}");
    }

    fn roll(&mut self, sides: u32) -> u32 {
        random_below(&mut self.luck, sides)
    }

    fn block(&mut self, statements: u32) {
        let names = self.names.len();
        for _ in 0..=self.roll(statements) {
            self.statement();
        }
        self.names.truncate(names);
    }

    fn kind(&mut self) -> Kind {
        [Kind::Number, Kind::Number, Kind::Flag, Kind::Text, Kind::Numbers, Kind::Texts][self.roll(6) as usize]
    }

    fn named(&mut self, kind: Kind) -> Option<String> {
        let names: Vec<String> = self.names.iter().filter(|(_, of)| *of == kind).map(|(name, _)| name.clone()).collect();
        let place = (!names.is_empty()).then(|| self.roll(names.len() as u32))?;
        Some(names[place as usize].clone())
    }

    fn variable(&mut self, kind: Kind) -> Option<String> {
        self.named(kind).filter(|name| !self.fixed.contains(name))
    }

    fn declare(&mut self, kind: Kind) -> String {
        self.made += 1;
        let name = format!("v{}", self.made);
        self.names.push((name.clone(), kind));
        name
    }

    fn statement(&mut self) {
        let kind = self.kind();
        match self.roll(12) {
            0..3 => {
                let value = self.value(kind, 3);
                let name = self.declare(kind);
                let _ = writeln!(self.text, "let {name} = {value};");
            }
            3 | 4 => {
                let Some(name) = self.variable(kind) else { return };
                let value = self.value(kind, 3);
                let sign = match kind {
                    Kind::Number => ["=", "+=", "-=", "*="][self.roll(4) as usize],
                    Kind::Text => ["=", "+="][self.roll(2) as usize],
                    _ => "=",
                };
                let _ = writeln!(self.text, "{name} {sign} {value};");
            }
            5 | 6 => self.change_list(),
            7 if self.depth < 3 => self.choice(),
            8 | 9 if self.depth < 2 => self.rounds(),
            10 if self.in_loop => {
                let condition = self.value(Kind::Flag, 2);
                let word = ["break", "continue"][self.roll(2) as usize];
                let _ = writeln!(self.text, "if {condition} {{ {word}; }}");
            }
            _ => {
                let value = self.shown();
                let _ = writeln!(self.text, "say({value});");
            }
        }
    }

    /// A text that shows some value.
    fn shown(&mut self) -> String {
        match self.kind() {
            Kind::Numbers => match self.named(Kind::Numbers) {
                Some(list) => format!("`${{len({list})}} ${{{list}.index_of({})}}`", self.value(Kind::Number, 1)),
                None => "\"nothing\"".to_string(),
            },
            Kind::Texts => format!("`${{len({})}}`", self.value(Kind::Texts, 1)),
            kind => format!("`<${{{}}}>`", self.value(kind, 3)),
        }
    }

    fn change_list(&mut self) {
        let kind = [Kind::Numbers, Kind::Texts][self.roll(2) as usize];
        let member = if kind == Kind::Numbers { Kind::Number } else { Kind::Text };
        let Some(list) = self.variable(kind) else { return };
        let place = self.roll(7) as i32 - 3;
        let value = self.value(member, 2);
        let line = match self.roll(8) {
            0..3 => format!("{list}.push({value});"),
            3 => format!("{list}.insert({place}, {value});"),
            4 => {
                format!("{{ let taken = {list}.pop(); if taken != () {{ say(`took ${{taken}}`); }} else {{ say(\"none\"); }} }}")
            }
            5 => format!("{{ let taken = {list}.remove({place}); if taken != () {{ say(`took ${{taken}}`); }} }}"),
            6 => format!("{list}.reverse();"),
            _ if kind == Kind::Numbers => format!("{list}.sort();"),
            _ => format!("if len({list}) > 0 {{ {list}[0] = {value}; {list}[-1] = {value}; }}"),
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn choice(&mut self) {
        let condition = self.value(Kind::Flag, 3);
        let _ = writeln!(self.text, "if {condition} {{");
        self.depth += 1;
        self.block(3);
        self.text.push_str("} else {\n");
        self.block(3);
        self.text.push_str("}\n");
        self.depth -= 1;
    }

    fn rounds(&mut self) {
        self.made += 1;
        let (name, place) = (format!("i{}", self.made), format!("p{}", self.made));
        let (before, names) = (self.in_loop, self.names.len());
        let mut counted = vec![(name.clone(), Kind::Number)];
        let head = match self.roll(4) {
            0 => format!("for {name} in {}..{} {{", self.roll(4), self.roll(6)),
            1 => {
                counted.push((place.clone(), Kind::Number));
                format!("for ({name}, {place}) in {} {{", self.value(Kind::Numbers, 1))
            }
            2 => {
                counted = vec![(name.clone(), Kind::Text)];
                format!("for {name} in {} {{", self.value(Kind::Texts, 1))
            }
            _ => {
                let _ = writeln!(self.text, "let {name} = 0;");
                format!("while {name} < {} {{ {name} += 1;", self.roll(5))
            }
        };
        let _ = writeln!(self.text, "{head}");
        self.fixed.extend(counted.iter().map(|(name, _)| name.clone()));
        self.names.extend(counted);
        (self.in_loop, self.depth) = (true, self.depth + 1);
        self.block(3);
        self.text.push_str("}\n");
        (self.in_loop, self.depth) = (before, self.depth - 1);
        self.names.truncate(names);
    }

    fn value(&mut self, kind: Kind, depth: u32) -> String {
        if depth == 0 || self.roll(4) == 0 {
            return self.named(kind).unwrap_or_else(|| self.literal(kind));
        }
        let sub = depth - 1;
        match (kind, self.roll(9)) {
            (Kind::Number, 0..4) => {
                let sign = ["+", "-", "*", "/", "%", "+", "-"][self.roll(7) as usize];
                format!("({} {sign} {})", self.value(kind, sub), self.value(kind, sub))
            }
            (Kind::Number, 4) => {
                let name = ["abs", "sign"][self.roll(2) as usize];
                format!("{name}({})", self.value(kind, sub))
            }
            (Kind::Number, 5) => {
                let name = ["min", "max"][self.roll(2) as usize];
                format!("{name}({}, {})", self.value(kind, sub), self.value(kind, sub))
            }
            (Kind::Number, 6) => {
                let counted = [Kind::Text, Kind::Numbers, Kind::Texts][self.roll(3) as usize];
                format!("len({})", self.value(counted, sub))
            }
            (Kind::Number, 7) if self.functions.contains(&"twice") => format!("twice({})", self.value(kind, sub)),
            (Kind::Number, _) => match self.named(Kind::Numbers) {
                Some(list) => format!("{list}[{}]", self.roll(4) as i32 - 1),
                None => format!(
                    "(if {} {{ {} }} else {{ {} }})",
                    self.value(Kind::Flag, sub),
                    self.value(kind, sub),
                    self.value(kind, sub)
                ),
            },
            (Kind::Flag, 0..3) => {
                let sign = ["<", "<=", ">", ">=", "==", "!="][self.roll(6) as usize];
                format!("({} {sign} {})", self.value(Kind::Number, sub), self.value(Kind::Number, sub))
            }
            (Kind::Flag, 3 | 4) => {
                let sign = ["&&", "||"][self.roll(2) as usize];
                format!("({} {sign} {})", self.value(kind, sub), self.value(kind, sub))
            }
            (Kind::Flag, 5) => format!("!{}", self.value(kind, sub)),
            (Kind::Flag, 6) => format!("({} == {})", self.value(Kind::Text, sub), self.value(Kind::Text, sub)),
            (Kind::Flag, 7) => format!("({} in {})", self.value(Kind::Text, sub), self.value(Kind::Texts, sub)),
            (Kind::Flag, _) => match self.roll(3) {
                0 => format!("({} in {})", self.value(Kind::Number, sub), self.value(Kind::Numbers, sub)),
                1 => format!("is_odd({})", self.value(Kind::Number, sub)),
                _ => format!("({} in {})", self.value(Kind::Text, sub), self.value(Kind::Text, sub)),
            },
            (Kind::Text, 0..3) => format!("({} + {})", self.value(kind, sub), self.value(kind, sub)),
            (Kind::Text, 3..6) => format!("`${{{}}}-${{{}}}`", self.value(Kind::Number, sub), self.value(Kind::Flag, sub)),
            (Kind::Text, 6) => format!("to_string({})", self.value(Kind::Number, sub)),
            (Kind::Text, 7) if self.functions.contains(&"longest") => format!("longest({})", self.value(Kind::Texts, sub)),
            (Kind::Text, _) => {
                format!(
                    "(if {} {{ {} }} else {{ {} }})",
                    self.value(Kind::Flag, sub),
                    self.value(kind, sub),
                    self.value(kind, sub)
                )
            }
            (Kind::Numbers, _) => format!("[{}, {}]", self.value(Kind::Number, sub), self.value(Kind::Number, sub)),
            (Kind::Texts, _) => format!("[{}, {}]", self.value(Kind::Text, sub), self.value(Kind::Text, sub)),
        }
    }

    fn literal(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Number => (self.roll(12) as i32 - 3).to_string(),
            Kind::Flag => (self.roll(2) == 1).to_string(),
            Kind::Text => ["\"\"", "\"a\"", "\"frog\"", "\"ä€\"", "\"og\""][self.roll(5) as usize].to_string(),
            Kind::Numbers => "[3, 1, 2]".to_string(),
            Kind::Texts => "[\"a\", \"frog\"]".to_string(),
        }
    }
}

/// What a program says, and how it ends.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    said: Vec<String>,
    fault: Option<&'static str>,
}

fn by_rhai(program: &str) -> Told {
    let said = Rc::new(RefCell::new(Vec::new()));
    let mut engine = rhai::Engine::new();
    engine.set_max_expr_depths(0, 0).set_max_call_levels(64);
    let heard = Rc::clone(&said);
    engine.register_fn("say", move |text: &str| heard.borrow_mut().push(text.to_string()));
    let tree = engine.compile(program).unwrap_or_else(|error| panic!("{error}:\n{program}"));
    let result = engine.call_fn::<rhai::Dynamic>(&mut rhai::Scope::new(), &tree, "act", ());
    let fault = result.err().map(|mut error| {
        while let rhai::EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = *error {
            error = inner;
        }
        match *error {
            rhai::EvalAltResult::ErrorArithmetic(what, _) if what.to_lowercase().contains("zero") => codes::DIVISION_BY_ZERO,
            rhai::EvalAltResult::ErrorArithmetic(..) => codes::NUMBER_OVERFLOW,
            rhai::EvalAltResult::ErrorArrayBounds(..) => codes::INDEX_OUT_OF_RANGE,
            other => panic!("{other}:\n{program}"),
        }
    });
    drop(engine);
    Told { said: Rc::try_unwrap(said).unwrap().into_inner(), fault }
}

fn by_the_machine(program: &str) -> Told {
    let mut session = start(program);
    session.take_events();
    let fault = answer(&mut session, "act").err().map(|problem| problem.code);
    let events = session.take_events();
    Told { said: events.into_iter().filter(|event| event.name == "said").map(|event| event.text).collect(), fault }
}

/// Runs a random program for each seed both ways.
fn compare(seeds: Range<u64>) {
    let programs = seeds.end - seeds.start;
    let (mut overflows, mut faults, mut said, mut deep) = (0, 0, 0, 0);
    for seed in seeds {
        let program = Writer::program(seed);
        let problems = pond(&ability(&program)).1;
        if problems.iter().any(|problem| problem.code == codes::TOO_DEEP) {
            deep += 1;
            continue;
        }
        assert!(!problems.iter().any(Problem::is_error), "{seed}: {problems:#?}\n{program}");
        let (wanted, told) = (by_rhai(&program), by_the_machine(&program));
        match (told.fault, wanted.fault) {
            (Some(codes::NUMBER_OVERFLOW), _) => overflows += 1,
            // What was said before a fault is taken back with it.
            (Some(fault), Some(wanted)) if fault == wanted => faults += 1,
            _ => assert_eq!(told, wanted, "{seed}:\n{program}"),
        }
        said += told.said.len() as u64;
    }
    assert!(overflows * 10 < programs && faults * 2 < programs && deep * 4 < programs, "{overflows} {faults} {deep}");
    assert!(said > programs, "{said}");
}

#[test]
fn random_programs_say_what_rhai_says() {
    compare(0..250);
}

/// A soak: `cargo test --release -p ludex-engine -- --ignored random_programs`.
#[test]
#[ignore = "takes minutes"]
fn many_random_programs_say_what_rhai_says() {
    compare(250..20_000);
}
