//! The outgoing messages.

use super::request::Rejection;
use super::steps::BACK;
use crate::args::public_player;
use ludex_bots::updates::{Numbers, TakeBackNotice};
use ludex_engine::json as form;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{Header, SeatRecord};
use ludex_engine::runtime::{Decision, Event, Form, MoveStep, Outcome, RandomDraw, RandomKind, RandomRequest, Session, Viewer};
use serde_json::{Map, Value, json};

/// Version of the protocol.
pub const PROTOCOL: u32 = 1;
/// Maximum number of moves in a decision that is asked as a whole. Larger ones are asked in steps.
pub const MOST_WHOLE: u64 = 1_000;
/// Maximum number of options listed with a decision.
pub const MOST_OPTIONS: u64 = 10_000;

/// The fields of a message, its type first.
pub type Fields = Map<String, Value>;

/// The recipients of a message.
#[derive(Clone, Debug)]
pub enum To {
    All,
    Seats(Vec<usize>),
}

impl To {
    pub fn includes(&self, seat: usize) -> bool {
        match self {
            To::All => true,
            To::Seats(seats) => seats.contains(&seat),
        }
    }
}

/// Adds the recipients to a message, after its type.
pub fn addressed(to: To, fields: Fields) -> Value {
    let to = match to {
        To::All => json!("all"),
        To::Seats(seats) => json!(seats),
    };
    let mut line = Fields::new();
    let mut fields = fields.into_iter();
    line.extend(fields.next());
    line.insert("to".into(), to);
    line.extend(fields);
    Value::Object(line)
}

/// Removes what a program at one seat must not learn: the other recipients, the questions of others, and the paths of files.
pub fn alone(mut fields: Fields) -> Value {
    match fields.get("type").and_then(Value::as_str) {
        // The number of a decision also counts the questions of others.
        Some("event") => drop(fields.shift_remove("decision")),
        Some("outcome") => drop(fields.shift_remove("recording")),
        _ => {}
    }
    Value::Object(fields)
}

/// The message that play cannot start or continue.
pub fn error(problem: &Problem) -> Fields {
    let mut line = fields(json!({ "type": "error", "code": problem.code, "message": problem.message.to_string() }));
    if let Some(help) = &problem.help {
        line.insert("help".into(), json!(help));
    }
    line
}

/// The message at the start of play.
pub fn hello(header: &Header) -> Fields {
    // Recordings of earlier versions contain the command lines of programs.
    let public = |seat: &SeatRecord| SeatRecord { player: public_player(&seat.player).to_string(), ..seat.clone() };
    let seats: Vec<SeatRecord> = header.seats.iter().map(public).collect();
    let mut line = fields(json!({
        "type": "hello",
        "protocol": PROTOCOL,
        "ludex": header.ludex,
        "game": header.game,
        "mode": header.mode,
        "options": header.options,
        "package_hash": header.package_hash,
        "generator": header.generator,
        "seed_commitment": header.commitment(),
        "seats": seats,
    }));
    if !header.names.is_empty() {
        line.insert("names".into(), json!(header.names));
    }
    line
}

/// An event in each of its forms. Seats that must not know it learn that there was one, if it leaves a trace.
pub fn event(event: &Event, numbers: &Numbers) -> Vec<(To, Fields)> {
    let hidden = |number: u64| fields(json!({ "type": "event", "n": number, "kind": "hidden" }));
    let line = |(seat, number): (usize, &u64)| {
        let viewer = Viewer::Seat(seat);
        match event.seen_by(viewer) {
            Some(event) => Some((seat, form::event(event, *number))),
            None => event.reaches(viewer).then(|| (seat, hidden(*number))),
        }
    };
    together(numbers.seats.len(), numbers.seats.iter().enumerate().filter_map(line))
}

/// The message for a take-back: the state is again that after event `back_to`.
pub fn taken_back(undone: &TakeBackNotice, name: &str) -> Vec<(To, Fields)> {
    let numbers = undone.numbers.seats.iter().zip(&undone.back_to.seats).enumerate();
    let line = |(seat, (number, back_to)): (usize, (&u64, &u64))| {
        let mut line = fields(json!({
            "type": "event",
            "n": number,
            "kind": "taken_back",
            "seat": undone.undo.seat,
            "back_to": back_to,
            "fresh_randomness": undone.undo.seed.is_some(),
            "cause": {},
            "text": undone.text(name),
        }));
        if let Some(left) = undone.left {
            line.insert("left".into(), json!(left));
        }
        (seat, line)
    };
    together(undone.numbers.seats.len(), numbers.map(line))
}

/// Groups messages for one seat each, so that seats with equal ones share a message.
fn together(seats: usize, lines: impl Iterator<Item = (usize, Fields)>) -> Vec<(To, Fields)> {
    let mut forms: Vec<(Vec<usize>, Fields)> = Vec::new();
    for (seat, line) in lines {
        match forms.iter_mut().find(|(_, known)| *known == line) {
            Some((own, _)) => own.push(seat),
            None => forms.push((vec![seat], line)),
        }
    }
    let to = |own: Vec<usize>| if own.len() == seats { To::All } else { To::Seats(own) };
    forms.into_iter().map(|(own, line)| (to(own), line)).collect()
}

/// Confirms a secret answer that took effect and is not revealed yet.
pub fn accepted(decision: u64) -> Fields {
    fields(json!({ "type": "accepted", "in_reply_to": decision }))
}

/// The outcome, the data that hid the seed until then, and each seat's number of take-backs across chance or another's answer.
pub fn outcome(outcome: &Outcome, header: &Header, undone: &[usize]) -> Fields {
    let mut line = fields(json!({ "type": "outcome" }));
    line.extend(form::outcome(outcome));
    line.insert("generator".into(), json!(header.generator));
    line.insert("seed".into(), json!(header.seed));
    if let Some(shares) = &header.shares {
        line.insert("shares".into(), json!(shares));
    }
    line.insert("salt".into(), json!(header.salt));
    line.insert("undone".into(), json!(undone));
    line
}

/// A decision, or its current step. `own` is its number if decisions are numbered for the seat alone.
pub fn decision(session: &Session, decision: &Decision, step: Option<&MoveStep>, own: Option<u64>) -> Fields {
    let (id, prompt) = (own.unwrap_or(decision.id), session.prompt(decision.id));
    let mut line = fields(json!({ "type": "decision", "id": id, "seat": decision.seat, "prompt": prompt }));
    line.extend(fields(json!(step.map_or(decision.form, |step| step.form))));
    if decision.may_pass {
        line.insert("may_pass".into(), json!(true));
    }
    if let Some(group) = decision.group {
        line.insert("group".into(), json!(own.unwrap_or(group)));
    }
    match step {
        Some(step) => line.extend(step_of(decision, step)),
        None => {
            let options = session.options(decision.id, 0, MOST_OPTIONS);
            line.insert("count".into(), json!(decision.count));
            line.insert("options".into(), options.iter().map(form::option).collect());
        }
    }
    line.insert("view".into(), form::view(&session.view(Viewer::Seat(decision.seat))));
    line
}

/// The question of a step. After the first step, going back is an option too, unless several are chosen.
fn step_of(decision: &Decision, step: &MoveStep) -> Fields {
    let listed = step.options.len().min(MOST_OPTIONS as usize);
    let mut options: Vec<Value> = step.options[..listed].iter().map(form::option).collect();
    if step.number > 1 && step.form == Form::One {
        let id = step.options.len();
        options.push(json!({ "id": id, "key": BACK, "action": BACK, "args": {}, "text": "back to the step before" }));
    }
    let count = step.options.len() + usize::from(options.len() > listed);
    fields(json!({
        "step": step.number,
        "of": step.of,
        "about": step.about,
        "back": step.number > 1,
        "moves": decision.count,
        "count": count,
        "options": options,
    }))
}

pub fn random(request: &RandomRequest) -> Fields {
    let kind = match request.kind {
        RandomKind::Roll => "roll",
        RandomKind::Shuffle => "shuffle",
        RandomKind::Pick => "pick",
    };
    let draws: Vec<Value> = request.draws.iter().map(draw).collect();
    fields(json!({ "type": "random", "id": request.id, "kind": kind, "draws": draws, "reason": request.reason }))
}

fn draw(draw: &RandomDraw) -> Value {
    let mut line = match draw.piece {
        Some(piece) => fields(json!({ "piece": piece, "size": draw.size })),
        None => fields(json!({ "size": draw.size })),
    };
    if let Some(faces) = &draw.faces {
        line.insert("title".into(), json!(faces.title));
        line.insert("faces".into(), json!(faces.values));
    }
    Value::Object(line)
}

pub fn rejected(rejection: Rejection) -> Fields {
    let mut line = fields(json!({
        "type": "rejected",
        "in_reply_to": rejection.in_reply_to,
        "code": rejection.problem.code,
        "reason": rejection.problem.message.to_string(),
    }));
    if let Some(help) = rejection.problem.help {
        line.insert("help".into(), json!(help));
    }
    line
}

/// The fields of an object.
pub fn fields(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}
