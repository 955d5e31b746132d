//! The incoming requests: what a line of JSON asks for. This file only parses; whether a request is allowed is up to `host`.

use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::runtime::Decision;
use serde::Serialize;
use serde_json::{Map, Value};

/// A parsed request.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Choose {
        decision: u64,
        seat: Option<usize>,
        answer: Answer,
    },
    Random {
        id: u64,
        result: Vec<i64>,
    },
    View(usize),
    Undo {
        seat: usize,
    },
    /// For one seat, or for all that are asked.
    Consent {
        seat: Option<usize>,
        agrees: bool,
    },
    Resign(usize),
    Resync(usize),
    State,
    Quit,
}

impl Request {
    /// Fills in the seat of a request without one, if only one seat may speak.
    pub fn with_only_seat(self, only: Option<usize>) -> Request {
        match self {
            Request::Choose { decision, seat: None, answer } => Request::Choose { decision, seat: only, answer },
            Request::Consent { seat: None, agrees } => Request::Consent { seat: only, agrees },
            other => other,
        }
    }

    /// How a reply refers to it.
    pub fn reply_reference(&self) -> InReplyTo {
        match self {
            Request::Choose { decision: id, .. } | Request::Random { id, .. } => InReplyTo::Number(*id),
            Request::View(_) => InReplyTo::Word("view"),
            Request::Undo { .. } => InReplyTo::Word("undo"),
            Request::Consent { .. } => InReplyTo::Word("consent"),
            Request::Resign(_) => InReplyTo::Word("resign"),
            Request::Resync(_) => InReplyTo::Word("resync"),
            Request::State => InReplyTo::Word("state"),
            Request::Quit => InReplyTo::Word("quit"),
        }
    }

    /// The seat that it claims to speak for.
    pub fn claimed_seat(&self) -> Option<usize> {
        match self {
            Request::Choose { seat, .. } | Request::Consent { seat, .. } => *seat,
            Request::View(seat) | Request::Undo { seat } | Request::Resign(seat) | Request::Resync(seat) => Some(*seat),
            Request::Random { .. } | Request::State | Request::Quit => None,
        }
    }
}

/// An answer, in one of the forms in which a line may give it.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Option(u64),
    Key(String),
    Args {
        action: Option<String>,
        args: Map<String, Value>,
    },
    /// Several, each by number or key.
    Options(Vec<Value>),
    Number(i64),
    /// One for each option.
    Amounts(Vec<i64>),
}

/// The subject of a reply: the decision or throw with this number, or the request with this word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum InReplyTo {
    Number(u64),
    Word(&'static str),
    /// The line could not be parsed that far.
    Unknown(()),
}

/// Why a line has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    pub in_reply_to: InReplyTo,
    pub problem: Box<Problem>,
}

/// The words of requests, for a message.
const WORDS: &str = "`choose`, `random`, `view`, `undo`, `consent`, `resign`, `resync`, `state` or `quit`";

impl Rejection {
    pub fn new(in_reply_to: InReplyTo, code: &'static str, reason: impl Into<String>) -> Rejection {
        Rejection { in_reply_to, problem: Box::new(Problem::error(code, reason)) }
    }

    pub fn help(mut self, help: impl Into<String>) -> Rejection {
        self.problem = Box::new((*self.problem).help(help));
        self
    }

    /// Turns it into a reply to the decision with this number, as its seat knows it.
    pub fn in_reply_to(self, decision: u64) -> Rejection {
        Rejection { in_reply_to: InReplyTo::Number(decision), ..self }
    }

    /// A line that is no request.
    pub fn of_line(reason: impl Into<String>) -> Rejection {
        Rejection::new(InReplyTo::Unknown(()), codes::PROTOCOL_LINE, reason)
            .help("send one JSON object on a line, such as `{\"choose\":9,\"option\":0}`")
    }

    /// A request whose field is wrong.
    fn of_field(word: &'static str, reason: &str) -> Rejection {
        Rejection::new(InReplyTo::Word(word), codes::PROTOCOL_LINE, reason)
    }
}

/// An answer that is not among the options of a decision.
pub fn illegal_choice(decision: &Decision, reason: impl Into<String>) -> Rejection {
    Rejection::new(InReplyTo::Number(decision.id), codes::ILLEGAL_CHOICE, reason)
}

/// Parses a line. Unknown fields are ignored.
pub fn parse_request(line: &str) -> Result<Request, Rejection> {
    let value: Value = serde_json::from_str(line).map_err(|error| {
        let words = error.to_string();
        let what = words.split(" at line ").next().unwrap_or_default();
        Rejection::of_line(format!("this line is not JSON: {what} at column {}", error.column()))
    })?;
    let Value::Object(object) = value else {
        return Err(Rejection::of_line("this line is not an object in braces"));
    };
    request_from_object(&object)
}

/// The request that an object makes, by the word that it has.
fn request_from_object(object: &Map<String, Value>) -> Result<Request, Rejection> {
    if let Some(decision) = object.get("choose") {
        return parse_choose(decision, object);
    }
    if let Some(id) = object.get("random") {
        return parse_random(id, object);
    }
    if let Some(seat) = object.get("view") {
        return Ok(Request::View(seat_number("view", seat)?));
    }
    if let Some(undo) = object.get("undo") {
        return Ok(Request::Undo { seat: seat_number("undo", undo.get("seat").unwrap_or(undo))? });
    }
    if let Some(consent) = object.get("consent") {
        return self::parse_consent(consent, object.get("seat"));
    }
    if let Some(seat) = object.get("resign") {
        return Ok(Request::Resign(seat_number("resign", seat)?));
    }
    if let Some(seat) = object.get("resync") {
        return Ok(Request::Resync(seat_number("resync", seat)?));
    }
    match (object.get("state"), object.get("quit")) {
        (Some(Value::Bool(true)), _) => Ok(Request::State),
        (_, Some(Value::Bool(true))) => Ok(Request::Quit),
        _ => Err(Rejection::of_line(format!("this line is not a request: it has none of {WORDS}"))),
    }
}

fn parse_choose(decision: &Value, object: &Map<String, Value>) -> Result<Request, Rejection> {
    let decision =
        decision.as_u64().ok_or_else(|| Rejection::of_field("choose", "`choose` must be the number of an open decision"))?;
    let seat = match object.get("seat") {
        None | Some(Value::Null) => None,
        Some(seat) => Some(seat_number("choose", seat).map_err(|rejection| in_reply(rejection, decision))?),
    };
    let answer = parse_answer(object).map_err(|reason| {
        Rejection::new(InReplyTo::Number(decision), codes::ANSWER_FORM, reason)
            .help("give `option` (its number), `key`, `args`, `options`, `number` or `amounts`")
    })?;
    Ok(Request::Choose { decision, seat, answer })
}

/// The rejection as a reply to the decision with this number.
fn in_reply(rejection: Rejection, id: u64) -> Rejection {
    Rejection { in_reply_to: InReplyTo::Number(id), ..rejection }
}

/// The answer in a line; the first of the fields `option`, `key`, `args`, `options`, `number` and `amounts` counts.
fn parse_answer(object: &Map<String, Value>) -> Result<Answer, String> {
    if let Some(option) = object.get("option") {
        return option.as_u64().map(Answer::Option).ok_or("`option` must be the number of an option, from 0".to_string());
    }
    if let Some(key) = object.get("key") {
        let key = key.as_str().ok_or("`key` must be the key of an option, as text")?;
        return Ok(Answer::Key(key.to_string()));
    }
    if let Some(args) = object.get("args") {
        let args = args.as_object().ok_or("`args` must be an object of the option's arguments")?;
        let action = object.get("action").and_then(Value::as_str).map(str::to_string);
        return Ok(Answer::Args { action, args: args.clone() });
    }
    if let Some(options) = object.get("options") {
        let options = options.as_array().ok_or("`options` must be a list of numbers or keys of options")?;
        return Ok(Answer::Options(options.clone()));
    }
    if let Some(number) = object.get("number") {
        return number.as_i64().map(Answer::Number).ok_or("`number` must be a whole number".to_string());
    }
    let amounts = object.get("amounts").ok_or("this line has no answer")?;
    let amounts = amounts.as_array().and_then(|amounts| amounts.iter().map(Value::as_i64).collect());
    amounts.map(Answer::Amounts).ok_or("`amounts` must be a list of whole numbers".to_string())
}

fn parse_random(id: &Value, object: &Map<String, Value>) -> Result<Request, Rejection> {
    let id = id.as_u64().ok_or_else(|| Rejection::of_field("random", "`random` must be the number of an open throw"))?;
    let result = object.get("result").and_then(Value::as_array);
    let result = result.and_then(|result| result.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>());
    match result {
        Some(result) => Ok(Request::Random { id, result }),
        None => Err(Rejection::new(InReplyTo::Number(id), codes::RANDOM_RESULT, "`result` must be a list of whole numbers")),
    }
}

/// Parses consent: `true`, `{"seat":1,"agrees":true}`, or `true` with a `seat` beside it.
fn parse_consent(consent: &Value, seat: Option<&Value>) -> Result<Request, Rejection> {
    let (seat, agrees) = match consent {
        Value::Object(object) => (object.get("seat").or(seat), object.get("agrees").and_then(Value::as_bool)),
        other => (seat, other.as_bool()),
    };
    let agrees = agrees.ok_or_else(|| Rejection::of_field("consent", "`consent` must be true or false"))?;
    let seat = seat.map(|seat| seat_number("consent", seat)).transpose()?;
    Ok(Request::Consent { seat, agrees })
}

/// The number of a seat, in the request with this word.
fn seat_number(word: &'static str, value: &Value) -> Result<usize, Rejection> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| Rejection::of_field(word, "a seat is a whole number, from 0"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn rejected(line: &str) -> Rejection {
        parse_request(line).expect_err("this should be rejected")
    }

    #[test]
    fn an_answer_is_an_option_a_key_or_its_parts() {
        let choose = |answer| Ok(Request::Choose { decision: 9, seat: Some(0), answer });
        assert_eq!(parse_request(r#"{"choose":9,"seat":0,"option":4}"#), choose(Answer::Option(4)));
        assert_eq!(parse_request(r#"{"choose":9,"seat":0,"key":"pass","more":[]}"#), choose(Answer::Key("pass".into())));
        assert_eq!(parse_request(r#"{"choose":9,"seat":0,"number":-3}"#), choose(Answer::Number(-3)));
        assert_eq!(parse_request(r#"{"choose":9,"seat":0,"options":[1,2]}"#), choose(Answer::Options(vec![json!(1), json!(2)])));
        assert_eq!(parse_request(r#"{"choose":9,"seat":0,"amounts":[30,0,30]}"#), choose(Answer::Amounts(vec![30, 0, 30])));
        let args = Map::from_iter([("die".to_string(), json!(3))]);
        assert_eq!(parse_request(r#"{"choose":9,"seat":0,"args":{"die":3}}"#), choose(Answer::Args { action: None, args }));
    }

    #[test]
    fn every_other_request_is_understood() {
        assert_eq!(parse_request(r#"{"random":4,"result":[6]}"#), Ok(Request::Random { id: 4, result: vec![6] }));
        assert_eq!(parse_request(r#"{"view":0}"#), Ok(Request::View(0)));
        assert_eq!(parse_request(r#"{"undo":{"seat":1}}"#), Ok(Request::Undo { seat: 1 }));
        assert_eq!(parse_request(r#"{"consent":true}"#), Ok(Request::Consent { seat: None, agrees: true }));
        let refusal = Request::Consent { seat: Some(1), agrees: false };
        assert_eq!(parse_request(r#"{"consent":{"seat":1,"agrees":false}}"#), Ok(refusal));
        assert_eq!(parse_request(r#"{"resign":1}"#), Ok(Request::Resign(1)));
        assert_eq!(parse_request(r#"{"resync":1}"#), Ok(Request::Resync(1)));
        assert_eq!(parse_request(r#"{"state":true}"#), Ok(Request::State));
        assert_eq!(parse_request(r#"{"quit":true}"#), Ok(Request::Quit));
    }

    #[test]
    fn what_is_not_understood_is_rejected_with_a_reason() {
        assert_eq!(rejected("nonsense").problem.message.to_string(), "this line is not JSON: expected ident at column 2");
        assert_eq!(rejected("[]").problem.message.to_string(), "this line is not an object in braces");
        assert!(rejected("{}").problem.message.to_string().starts_with("this line is not a request"));
        assert_eq!(rejected(r#"{"choose":"nine"}"#).in_reply_to, InReplyTo::Word("choose"));
        assert_eq!(rejected(r#"{"choose":9}"#).in_reply_to, InReplyTo::Number(9));
        assert_eq!(rejected(r#"{"choose":9,"option":-1}"#).problem.code, codes::ANSWER_FORM);
        assert_eq!(
            rejected(r#"{"choose":9,"amounts":[30,"0"]}"#).problem.message.to_string(),
            "`amounts` must be a list of whole numbers"
        );
        assert_eq!(rejected(r#"{"random":4}"#).problem.code, codes::RANDOM_RESULT);
        assert_eq!(rejected(r#"{"view":-1}"#).in_reply_to, InReplyTo::Word("view"));
        assert_eq!(rejected(&"[".repeat(100_000)).problem.code, codes::PROTOCOL_LINE);
    }

    proptest! {
        #[test]
        fn no_line_makes_the_reader_fail(line in "\\PC{0,80}") {
            let _ = parse_request(&line);
        }

        #[test]
        fn no_value_makes_the_reader_fail(word in "choose|random|undo|consent|view|options|args|amounts", value in "[\\[\\]{}\":,0-9a-z-]{0,20}") {
            let _ = parse_request(&format!("{{\"choose\":1,\"{word}\":{value}}}"));
            let _ = parse_request(&format!("{{\"{word}\":{value}}}"));
        }
    }
}
