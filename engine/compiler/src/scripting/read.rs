//! Parses scripts: functions as syntax trees, and syntax errors.
//!
//! rhai parses each function on its own, so that a mistake in one does not hide those in others. `written` are the functions as
//! found by their brackets, and `whole` is the script's text. Most functions here turn an error of rhai into a message for readers
//! who know another language.

use super::text::{FoundFunction, Part, ScriptText};
use ludex_syntax::codes;
use ludex_syntax::problem::{MOST_SUGGESTED, Problem, closest_match};
use ludex_syntax::source::{SourceId, Sources, Span};
use rhai::{AST, ASTNode, Engine, LexError, ParseError, ParseErrorType, Position, Stmt};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maximum nesting depth of brackets.
pub const MOST_NESTING: usize = 32;
/// Maximum length of a script.
const MOST_BYTES: usize = 64 * 1024;
/// Maximum length of a statement: its tree could be as deep as it is long.
const LONGEST_STATEMENT: usize = 4_000;
/// Maximum number of variables of a function: rhai searches all of them for each name.
const MOST_VARIABLES: usize = 256;

/// Keywords of rhai that scripts may not use.
const FORBIDDEN: &[&str] =
    &["import", "export", "eval", "Fn", "call", "curry", "try", "catch", "throw", "global", "is_shared", "print"];

/// A function of a script.
pub struct Function {
    pub name: String,
    pub params: Vec<String>,
    pub body: Vec<Stmt>,
    pub span: Span,
    /// Its offset in the script. The positions in its body count from there.
    pub start: usize,
    /// The closures in it, under rhai's names for them.
    pub closures: Vec<Rc<Closure>>,
}

/// A closure: `|die| die.value > 3`.
pub struct Closure {
    pub name: String,
    pub params: Vec<String>,
    pub body: Vec<Stmt>,
}

/// A parsed script, independent of its game.
pub struct ReadScript<'t> {
    pub text: ScriptText<'t>,
    /// All functions, as found by their brackets.
    pub written: Vec<FoundFunction>,
    /// The functions that could be parsed.
    pub functions: Vec<Rc<Function>>,
    pub problems: Vec<Problem>,
}

/// Parsed scripts. Each is parsed once, even if several modes of a game compile it.
pub struct ReadScripts<'t> {
    sources: &'t Sources,
    read: BTreeMap<SourceId, Rc<ReadScript<'t>>>,
}

impl<'t> ReadScripts<'t> {
    pub fn new(sources: &'t Sources) -> ReadScripts<'t> {
        ReadScripts { sources, read: BTreeMap::new() }
    }

    pub fn get(&mut self, source: SourceId) -> Rc<ReadScript<'t>> {
        let script = || Rc::new(ReadScript::new(source, &self.sources.get(source).text));
        self.read.entry(source).or_insert_with(script).clone()
    }
}

impl<'t> ReadScript<'t> {
    pub fn new(source: SourceId, whole: &'t str) -> ReadScript<'t> {
        let text = ScriptText::new(source, whole);
        let (written, mut problems) = (text.functions(), Vec::new());
        let functions = read(&text, whole, &written, &mut problems);
        ReadScript { text, written, functions, problems }
    }
}

/// An engine that parses all of rhai, so that forbidden constructs can be reported by name and place.
pub fn reader() -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_max_expr_depths(MOST_NESTING, MOST_NESTING).set_max_string_size(4_096);
    engine
}

/// Parses a script: each function separately, and then the code outside of all functions.
fn read(text: &ScriptText, whole: &str, written: &[FoundFunction], problems: &mut Vec<Problem>) -> Vec<Rc<Function>> {
    if let Some(problem) = too_long(text, whole).or_else(|| too_many_variables(text, written)) {
        problems.push(problem);
        return Vec::new();
    }
    let engine = reader();
    let before = problems.len();
    let mut found = Vec::new();
    for function in written {
        match engine.compile(text.slice(function.range.clone())) {
            Ok(tree) => found.extend(function_of(&tree, function)),
            Err(error) => problems.push(complaint(text.part(function.range.start), whole, &error, problems.len())),
        }
    }
    match engine.compile(outside(whole, written)) {
        Ok(tree) => stray(text.part(0), &tree, problems),
        Err(error) if problems.len() == before => problems.push(complaint(text.part(0), whole, &error, before)),
        Err(_) => {}
    }
    found
}

/// The error for a script or a statement that is too long to be parsed.
fn too_long(text: &ScriptText, whole: &str) -> Option<Problem> {
    if whole.len() > MOST_BYTES {
        let problem =
            Problem::error(codes::FILE_TOO_LARGE, "the script is longer than 64 KiB").with_label(text.span(0..1), "this file");
        return Some(problem.help("an ability is one small file; split it, or write what is long as a procedure of the rules"));
    }
    let (mut start, mut length) = (0, 0);
    for (at, byte) in whole.bytes().enumerate().filter(|(at, _)| text.is_code(*at)) {
        match byte {
            b';' | b'{' | b'}' => length = 0,
            _ => {
                if length == 0 {
                    start = at;
                }
                length += 1;
            }
        }
        if length > LONGEST_STATEMENT {
            let problem = Problem::error(codes::TOO_DEEP, "this statement is too long to be read")
                .with_label(text.span(start..start + 1), "begins here");
            return Some(problem.help("split it with `let`"));
        }
    }
    None
}

/// The error for too many variables for rhai to parse quickly, in a function or outside of all.
fn too_many_variables(text: &ScriptText, written: &[FoundFunction]) -> Option<Problem> {
    let starts = written.iter().map(|function| function.range.start);
    let ends = starts.clone().skip(1).chain([usize::MAX]);
    let stretches = std::iter::once(0..written.first().map_or(usize::MAX, |first| first.range.start))
        .chain(starts.zip(ends).map(|(start, end)| start..end));
    let mut variables = text.words(&["let", "const", "for"]).peekable();
    for stretch in stretches {
        let mut count = 0;
        while let Some(at) = variables.next_if(|at| stretch.contains(at)) {
            count += 1;
            if count > MOST_VARIABLES {
                let message = format!("there are more than {MOST_VARIABLES} variables in one function");
                let problem =
                    Problem::error(codes::TOO_MANY, message).with_label(text.part(at).word(Position::new(1, 1)), "one more here");
                return Some(problem.help("put some of them into a list, or divide the function"));
            }
        }
    }
    None
}

/// The script with its functions replaced by blanks, so that places stay the same.
fn outside(whole: &str, written: &[FoundFunction]) -> String {
    let blank = |sign: char| if sign == '\n' { sign } else { ' ' };
    let mut outside = String::with_capacity(whole.len());
    let mut at = 0;
    for function in written {
        outside.push_str(whole.get(at..function.range.start).unwrap_or(""));
        at = function.range.end.max(at);
        outside.extend(whole.get(function.range.clone()).unwrap_or("").chars().map(blank));
    }
    outside + whole.get(at..).unwrap_or("")
}

/// Reports statements outside of functions, which never run.
fn stray(text: Part, tree: &AST, problems: &mut Vec<Problem>) {
    for statement in tree.statements() {
        let span = text.word(statement.position());
        let problem = Problem::error(codes::SCRIPT_FORBIDDEN, "this is outside every function, so it would never run")
            .with_label(span, "here");
        problems.push(problem.help("move it into a function: `fn NAME(…) { … }`"));
    }
}

/// The named function in a tree that contains only it and its closures.
fn function_of(tree: &AST, written: &FoundFunction) -> Option<Rc<Function>> {
    let all = tree.iter_functions().map(|found| Closure {
        name: found.name.to_string(),
        params: found.params.iter().map(ToString::to_string).collect(),
        body: body_of(tree, found.name),
    });
    let (named, closures): (Vec<Closure>, Vec<Closure>) = all.partition(|found| found.name == written.name);
    let Closure { name, params, body } = named.into_iter().next()?;
    let (span, start) = (written.span, written.range.start);
    Some(Rc::new(Function { name, params, body, span, start, closures: closures.into_iter().map(Rc::new).collect() }))
}

/// The statements of a function. The type of its body is not public, but a walk begins at its statements.
fn body_of(tree: &AST, name: &str) -> Vec<Stmt> {
    let mut alone = tree.clone();
    alone.retain_functions(|_, _, found, _| found == name);
    let mut body = Vec::new();
    alone.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            body.push((*statement).clone());
        }
        true
    });
    body
}

/// Keywords that are followed by more than a sign.
const WORDS: [&str; 9] = ["return", "else", "let", "if", "for", "while", "in", "loop", "const"];

/// The error for a misspelt keyword at the place of a syntax error, or before it, if there is one.
fn misspelt_keyword_problem(text: &ScriptText, whole: &str, at: usize) -> Option<Problem> {
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let front = whole.get(..at)?.trim_end();
    let start = front.rfind(|sign| !is_word(sign)).map_or(0, |sign| sign + 1);
    let rest = whole.get(at..)?;
    let here = at..at + rest.find(|sign| !is_word(sign)).unwrap_or(rest.len());
    [start..front.len(), here].into_iter().find_map(|range| {
        let word = whole.get(range.clone())?;
        // A word that is called or occurs elsewhere is a name.
        let is_name = whole.split(|sign| !is_word(sign)).filter(|other| *other == word).count() > 1;
        let is_called = whole.get(range.end..)?.starts_with('(');
        if is_name || is_called || WORDS.contains(&word) || ["fn", "true", "false"].contains(&word) {
            return None;
        }
        let near = closest_match(word, WORDS)?;
        let problem = Problem::error(codes::SCRIPT_SYNTAX, format!("`{word}` is no word of scripts"));
        Some(problem.with_label(text.span(range), "not known").suggest_near(near))
    })
}

/// Keywords of other languages that begin statements and functions, with their equivalents and advice.
const ELSEWHERE: [(&[&str], &str, &str); 4] = [
    (&["function", "func", "def", "sub", "procedure"], "fn", "a function is written `fn name(me) { … }`"),
    (&["foreach", "forEach"], "for", LOOP),
    (&["elif", "elsif", "elseif"], "else if", "it comes after the `}` of the `if`: `} else if … {`"),
    (&["int", "float", "string", "bool", "auto"], "let", "a variable of any kind is made with `let`"),
];

/// Advice on the form of a loop.
const LOOP: &str = "a loop is written `for die in me.hand { … }`";

/// The error for a form of another language at the place of a syntax error: `function x(a) {`, `x(a) {`, `(a) => a + 1` or
/// `for each die`.
fn foreign_form(text: &ScriptText, whole: &str, at: usize) -> Option<Problem> {
    let simple = |message: &str| Problem::error(codes::SCRIPT_SYNTAX, message);
    let start = text.statement(at);
    let (front, rest) = (text.slice(start..at).trim_end(), whole.get(at..)?);
    for (words, right, help) in ELSEWHERE {
        let begins = |word: &&&str| text.is_word_at(start, word) && matches!(text.sign(start + word.len()), b' ' | b'(');
        if let Some(word) = words.iter().find(begins).filter(|_| !front.contains('=')) {
            let span = text.span(start..start + word.len());
            let problem = simple(&format!("`{word}` is written `{right}`")).with_label(span, format!("write `{right}`"));
            return Some(problem.help(help).with_edit(span, right));
        }
    }
    if text.is_word_at(start, "for") && !front.contains(" in ") {
        let problem = simple("a loop is written with `in`, and without brackets");
        return Some(problem.with_label(text.span(start..start + front.len()), "begins here").help(LOOP));
    }
    let is_name = |word: &str| !word.is_empty() && word.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    let is_arrow = |place: &usize| {
        let before = rest.get(..*place).unwrap_or("").trim_end();
        (before.is_empty() || before.ends_with(')')) && !before.contains([';', '{', '}', '\n'])
    };
    let arrow = rest.find("=>").filter(is_arrow).map(|place| at + place);
    let front_of_arrow = text.slice(start..arrow.unwrap_or(at)).trim_end();
    let (made, value) = front_of_arrow.rsplit_once('=').unwrap_or(("", front));
    let name = ["let ", "const "].iter().find_map(|word| made.strip_prefix(word)).map(str::trim);
    let params = value.trim().trim_start_matches("function").trim_matches(['(', ')', ' ']);
    let only_params = params.split(',').all(|param| is_name(param.trim()) || params.is_empty());
    let here = text.span(at..at + 1);
    match name {
        Some(name) if only_params && (arrow.is_some() || value.trim().starts_with("function")) => {
            let problem =
                simple("a function is made with `fn`").with_label(text.span(start..start + front_of_arrow.len()), "begins here");
            Some(problem.help(format!("write `fn {name}({params}) {{ … }}`, beside the other functions")))
        }
        _ if arrow.is_some() => {
            let problem = simple("the names of a function without a name stand between `|`");
            let problem = problem.with_label(text.span(arrow?..arrow? + 2), "not known here");
            Some(problem.help("write `|die| die.value > 2`, as in `me.hand.filter(|die| die.value > 2)`"))
        }
        _ if rest.starts_with('{') && text.is_first(start) && front.ends_with(')') => {
            let (name, _) = front.split_once('(').filter(|(name, _)| is_name(name.trim()))?;
            let problem =
                simple("a function begins with `fn`").with_label(text.span(start..start + name.len()), "write `fn` before this");
            Some(problem.with_label(here, "its block").with_edit(text.span(start..start + name.len()), format!("fn {name}")))
        }
        _ => None,
    }
}

/// Rewords a syntax error of rhai for readers. `before` is the number of earlier problems: after many, no suggestions are made.
fn complaint(text: Part, whole: &str, error: &ParseError, before: usize) -> Problem {
    let position = match error.position() {
        Position::NONE => Position::new(u16::MAX, 1),
        position => position,
    };
    let span = text.word(position);
    let simple = |message: String| Problem::error(codes::SCRIPT_SYNTAX, message);
    if let ParseErrorType::MissingToken(sign, _) = error.err_type()
        && sign == "}"
        && let Some((opened, ended)) = text.left_open(span.start as usize)
    {
        let problem = simple("this `{` is never closed".to_string()).with_label(opened, "opened here");
        return problem.with_label(ended, "still open here").help("put a `}` before this");
    }
    if let ParseErrorType::MissingToken(..) | ParseErrorType::VariableExpected = error.err_type()
        && let Some(problem) = foreign_form(&text, whole, span.start as usize)
    {
        return problem;
    }
    if let ParseErrorType::MissingToken(..) = error.err_type()
        && before < MOST_SUGGESTED
        && let Some(problem) = misspelt_keyword_problem(&text, whole, span.start as usize)
    {
        return problem;
    }
    match error.err_type() {
        ParseErrorType::UnknownOperator(word)
        | ParseErrorType::Reserved(word)
        | ParseErrorType::BadInput(LexError::ImproperSymbol(word, _)) => reserved(word).with_label(span, "here"),
        ParseErrorType::UnexpectedEOF => simple("the script ends in the middle of something".to_string())
            .with_label(text.span(whole.len()..whole.len()), "ends here")
            .help("a bracket or a quote is not closed"),
        ParseErrorType::MissingToken(sign, _) if sign == ";" => simple("a `;` is missing".to_string())
            .with_label(text.last_before(position), "after this")
            .help("every statement ends with `;`"),
        ParseErrorType::MissingToken(sign, why) if sign == "{" => {
            simple(format!("`{{` is missing {why}")).with_label(text.last_before(position), "behind this")
        }
        ParseErrorType::MissingToken(sign, why) => simple(format!("`{sign}` is missing {why}")).with_label(span, "before this"),
        ParseErrorType::BadInput(LexError::UnterminatedString) => simple("a text is not closed".to_string())
            .with_label(span, "begins here")
            .help("close it with the sign it begins with"),
        ParseErrorType::BadInput(LexError::MalformedChar(words)) => {
            simple(format!("`'{words}'` is in single quotes")).with_label(span, "here").help(format!("write `\"{words}\"`"))
        }
        ParseErrorType::BadInput(LexError::UnexpectedInput(sign)) if is_typographic_quote(sign) => {
            simple("a text needs straight quotes".to_string()).with_label(span, "write `\"`").help(TYPOGRAPHIC)
        }
        ParseErrorType::BadInput(LexError::MalformedNumber(number)) => {
            simple(format!("`{number}` is not a number that scripts can use")).with_label(span, "here")
        }
        ParseErrorType::PropertyExpected if is_fraction(text, whole, position) => {
            Problem::error(codes::SCRIPT_FORBIDDEN, "numbers in scripts are whole")
                .with_label(span, "a fraction")
                .help("count in halves or tenths instead")
        }
        ParseErrorType::ExprTooDeep => {
            Problem::error(codes::TOO_DEEP, "brackets are nested too deeply").with_label(span, "here").help("split it with `let`")
        }
        ParseErrorType::FnMissingName => simple("the function has no name".to_string()).with_label(span, "here"),
        ParseErrorType::WrongFnDefinition => {
            simple("a function is inside another one".to_string()).with_label(span, "here").help("a `}` may be missing above it")
        }
        ParseErrorType::AssignmentToConstant(name) => {
            simple(format!("`{name}` is made with `const`, so it cannot be given another value"))
                .with_label(span, "here")
                .help("make it with `let`")
        }
        ParseErrorType::AssignmentToInvalidLHS(_) => simple("this cannot be given a value".to_string())
            .with_label(span, "here")
            .help("`==` compares; `=` gives a variable a value"),
        ParseErrorType::BadInput(LexError::UnexpectedInput(sign)) if sign == "|" || sign == "||" => {
            let problem = Problem::error(codes::SCRIPT_FORBIDDEN, "functions without a name are not allowed in scripts");
            problem.with_label(span, "here").help("write `fn NAME(…) { … }` beside the others")
        }
        ParseErrorType::MismatchedType(wanted, found) => {
            Problem::error(codes::SCRIPT_TYPE, format!("{wanted} is needed here, but this is {found}"))
                .with_label(span, found.clone())
        }
        ParseErrorType::LoopBreak => simple("this is only for loops".to_string()).with_label(span, "outside of a loop"),
        other => simple(format!("the script cannot be read: {}", lower_first(&other.to_string()))).with_label(span, "here"),
    }
}

/// The error for a word or sign that rhai reserves.
fn reserved(word: &str) -> Problem {
    if FORBIDDEN.contains(&word) {
        return forbidden(word);
    }
    let problem =
        Problem::error(codes::SCRIPT_SYNTAX, format!("`{word}` has no meaning in scripts, or is reserved by rhai itself"));
    match word {
        "=" => Problem::error(codes::SCRIPT_SYNTAX, "`=` gives a variable a value; it does not compare").help("write `==`"),
        "===" => problem.help("write `==`"),
        "!==" | "<>" => problem.help("write `!=`"),
        "and" => problem.help("write `&&`"),
        "or" => problem.help("write `||`"),
        "not" => problem.help("write `!`"),
        "var" => problem.help("write `let`"),
        "null" | "nil" | "none" => problem.help("write `()` for nothing"),
        "++" => problem.help("write `+= 1`"),
        "--" => problem.help("write `-= 1`"),
        "?" | ":" => problem.help("a choice between two values is written `if a > b { c } else { d }`"),
        _ => problem.help("give it another name"),
    }
}

/// The error for a forbidden construct.
pub fn forbidden(word: &str) -> Problem {
    let problem = Problem::error(codes::SCRIPT_FORBIDDEN, format!("`{word}` is not allowed in scripts"));
    match word {
        "import" | "export" | "global" => problem.help("put what several scripts need into a procedure of the rules"),
        "try" | "catch" | "throw" => problem.help("a fault cannot be caught: it takes play back to the last decision"),
        "print" => problem.help("`say(\"…\")` tells everybody something; `debug(…)` is for `ludex test` alone"),
        _ => problem.help("functions are called by their name"),
    }
}

/// Advice on typographic quotes.
const TYPOGRAPHIC: &str = "quotes like this are made by word processors; write `\"` in front of the text and behind it";

fn is_typographic_quote(sign: &str) -> bool {
    sign.starts_with(['“', '”', '„', '‘', '’', '«', '»'])
}

/// Whether the sign before a position is a decimal point.
fn is_fraction(text: Part, whole: &str, position: Position) -> bool {
    let at = text.byte(position);
    let before = whole.get(..at).unwrap_or("");
    before.strip_suffix('.').is_some_and(|front| front.ends_with(|sign: char| sign.is_ascii_digit()))
}

fn lower_first(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
