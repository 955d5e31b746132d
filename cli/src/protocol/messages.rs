//! The outgoing messages, each as the fields of a JSON object. `host` sends them to the table, and a program as a bot gets
//! those of its seat. `docs/protocol.md` describes them.

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
pub enum Recipients {
    All,
    Seats(Vec<usize>),
}

impl Recipients {
    pub fn includes_seat(&self, seat: usize) -> bool {
        match self {
            Recipients::All => true,
            Recipients::Seats(seats) => seats.contains(&seat),
        }
    }
}

/// Adds the recipients to a message, after its type.
pub fn add_recipients(to: Recipients, fields: Fields) -> Value {
    let to = match to {
        Recipients::All => json!("all"),
        Recipients::Seats(seats) => json!(seats),
    };
    let mut line = Fields::new();
    let mut fields = fields.into_iter();
    line.extend(fields.next());
    line.insert("to".into(), to);
    line.extend(fields);
    Value::Object(line)
}

/// A message without the fields that a program at one seat must not learn: numbers that count the questions of others, and the
/// paths of files.
pub fn remove_private_fields(mut fields: Fields) -> Value {
    match fields.get("type").and_then(Value::as_str) {
        // The number of a decision also counts the questions of others.
        Some("event") => drop(fields.shift_remove("decision")),
        Some("outcome") => drop(fields.shift_remove("recording")),
        _ => {}
    }
    Value::Object(fields)
}

/// The message that play cannot start or continue.
pub fn error_message(problem: &Problem) -> Fields {
    let mut line = object_fields(json!({ "type": "error", "code": problem.code, "message": problem.message.to_string() }));
    if let Some(help) = &problem.help {
        line.insert("help".into(), json!(help));
    }
    line
}

/// The message at the start of play.
pub fn hello_message(header: &Header) -> Fields {
    // Recordings of earlier versions contain the command lines of programs.
    let public = |seat: &SeatRecord| SeatRecord { player: public_player(&seat.player).to_string(), ..seat.clone() };
    let seats: Vec<SeatRecord> = header.seats.iter().map(public).collect();
    let mut line = object_fields(json!({
        "type": "hello",
        "protocol": PROTOCOL,
        "ludex": header.ludex,
        "game": header.game,
        "mode": header.mode,
        "options": header.options,
        "package_hash": header.package_hash,
        "generator": header.generator,
        "seed_commitment": header.published_commitment(),
        "seats": seats,
    }));
    if !header.names.is_empty() {
        line.insert("names".into(), json!(header.names));
    }
    line
}

/// An event in each of its forms, `numbers` being its numbers for each seat. Seats that must not know it learn that there was
/// one, if it leaves a trace.
pub fn event_messages(event: &Event, numbers: &Numbers) -> Vec<(Recipients, Fields)> {
    let hidden = |number: u64| object_fields(json!({ "type": "event", "n": number, "kind": "hidden" }));
    let line = |(seat, number): (usize, &u64)| {
        let viewer = Viewer::Seat(seat);
        match event.seen_by(viewer) {
            Some(event) => Some((seat, form::event_json(event, *number))),
            None => event.reaches_viewer(viewer).then(|| (seat, hidden(*number))),
        }
    };
    group_messages(numbers.seats.len(), numbers.seats.iter().enumerate().filter_map(line))
}

/// The message for a take-back by the side `name`: the state is again that after event `back_to`.
pub fn take_back_messages(undone: &TakeBackNotice, name: &str) -> Vec<(Recipients, Fields)> {
    let numbers = undone.numbers.seats.iter().zip(&undone.back_to.seats).enumerate();
    let line = |(seat, (number, back_to)): (usize, (&u64, &u64))| {
        let mut line = object_fields(json!({
            "type": "event",
            "n": number,
            "kind": "taken_back",
            "seat": undone.undo.seat,
            "back_to": back_to,
            "fresh_randomness": undone.undo.seed.is_some(),
            "cause": {},
            "text": undone.take_back_text(name),
        }));
        if let Some(left) = undone.left {
            line.insert("left".into(), json!(left));
        }
        (seat, line)
    };
    group_messages(undone.numbers.seats.len(), numbers.map(line))
}

/// Groups messages for one seat each, so that seats with equal ones share a message. `seats` is the number of all seats.
fn group_messages(seats: usize, lines: impl Iterator<Item = (usize, Fields)>) -> Vec<(Recipients, Fields)> {
    let mut forms: Vec<(Vec<usize>, Fields)> = Vec::new();
    for (seat, line) in lines {
        match forms.iter_mut().find(|(_, known)| *known == line) {
            Some((own, _)) => own.push(seat),
            None => forms.push((vec![seat], line)),
        }
    }
    let to = |own: Vec<usize>| if own.len() == seats { Recipients::All } else { Recipients::Seats(own) };
    forms.into_iter().map(|(own, line)| (to(own), line)).collect()
}

/// Confirms an answer that stays secret until the others of its group have answered.
pub fn accepted_message(decision: u64) -> Fields {
    object_fields(json!({ "type": "accepted", "in_reply_to": decision }))
}

/// The outcome, the data that hid the seed until then, and each seat's number of take-backs across chance or another's answer.
pub fn outcome_message(outcome: &Outcome, header: &Header, undone: &[usize]) -> Fields {
    let mut line = object_fields(json!({ "type": "outcome" }));
    line.extend(form::outcome_json(outcome));
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
pub fn decision_message(session: &Session, decision: &Decision, step: Option<&MoveStep>, own: Option<u64>) -> Fields {
    let (id, prompt) = (own.unwrap_or(decision.id), session.prompt(decision.id));
    let mut line = object_fields(json!({ "type": "decision", "id": id, "seat": decision.seat, "prompt": prompt }));
    line.extend(object_fields(json!(step.map_or(decision.form, |step| step.form))));
    if decision.may_pass {
        line.insert("may_pass".into(), json!(true));
    }
    if let Some(group) = decision.group {
        // For a seat alone, the real number would count questions of others.
        line.insert("group".into(), json!(own.unwrap_or(group)));
    }
    match step {
        Some(step) => line.extend(step_fields(decision, step)),
        None => {
            let options = session.options(decision.id, 0, MOST_OPTIONS);
            line.insert("count".into(), json!(decision.count));
            line.insert("options".into(), options.iter().map(form::option_json).collect());
        }
    }
    line.insert("view".into(), form::view_json(&session.view(Viewer::Seat(decision.seat))));
    line
}

/// The question of a step. After the first step, going back is an option too, unless several are chosen.
fn step_fields(decision: &Decision, step: &MoveStep) -> Fields {
    let listed = step.options.len().min(MOST_OPTIONS as usize);
    let mut options: Vec<Value> = step.options[..listed].iter().map(form::option_json).collect();
    if step.number > 1 && step.form == Form::One {
        let id = step.options.len();
        options.push(json!({ "id": id, "key": BACK, "action": BACK, "args": {}, "text": "back to the step before" }));
    }
    let count = step.options.len() + usize::from(options.len() > listed);
    object_fields(json!({
        "step": step.number,
        "of": step.of,
        "about": step.about,
        "back": step.number > 1,
        "moves": decision.count,
        "count": count,
        "options": options,
    }))
}

/// The request to supply results of chance, with the possible results of each draw.
pub fn random_message(request: &RandomRequest) -> Fields {
    let kind = match request.kind {
        RandomKind::Roll => "roll",
        RandomKind::Shuffle => "shuffle",
        RandomKind::Pick => "pick",
    };
    let draws: Vec<Value> = request.draws.iter().map(draw_json).collect();
    object_fields(json!({ "type": "random", "id": request.id, "kind": kind, "draws": draws, "reason": request.reason }))
}

fn draw_json(draw: &RandomDraw) -> Value {
    let mut line = match draw.piece {
        Some(piece) => object_fields(json!({ "piece": piece, "size": draw.size })),
        None => object_fields(json!({ "size": draw.size })),
    };
    if let Some(faces) = &draw.faces {
        line.insert("title".into(), json!(faces.title));
        line.insert("faces".into(), json!(faces.values));
    }
    Value::Object(line)
}

/// The reply to a line that had no effect.
pub fn rejected_message(rejection: Rejection) -> Fields {
    let mut line = object_fields(json!({
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

/// The fields of an object; empty for any other value.
pub fn object_fields(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}
