//! The exchange before a game with `--shares`, so that no one alone chooses the seed of the dice. The table publishes the
//! commitment (a hash) to its own share. Each seat that is asked then promises a share by its hash, and reveals it once all
//! have promised. The seed is made from all shares.

use super::input::Input;
use super::line_output::Out;
use crate::game::{new_salt, unpredictable_seed};
use crate::lines::{LONGEST_LINE, Line};
use crate::protocol::messages::{Fields, PROTOCOL, Recipients, object_fields, rejected_message};
use crate::protocol::request::{InReplyTo, Rejection};
use crate::stop::Stop;
use ludex_engine::codes;
use ludex_engine::problem::Problem;
use ludex_engine::recording::{LONGEST_SHARE, Share, Shares, commitment_to_seed, commitment_to_share, is_share};
use serde_json::{Map, Value, json};

/// Number of digits of a promise.
const DIGITS: usize = 64;

/// A seat that gives a share, with its lines so far.
struct Giver {
    seat: usize,
    promise: Option<String>,
    share: Option<String>,
}

/// Collects the shares of all seats that are asked. Also returns the salt that hides the table's own share until the end.
/// Stops if the input ends or the other end leaves.
pub fn gather_shares(seats: &[usize], out: &Out, input: &mut Input) -> Result<(Shares, String), Stop> {
    let own = unpredictable_seed()?.to_string();
    let salt = new_salt();
    let mut givers: Vec<Giver> = seats.iter().map(|&seat| Giver { seat, promise: None, share: None }).collect();
    out.send_line(Recipients::Seats(seats.to_vec()), shares_request(&commitment_to_seed(&own, &salt), seats));
    read_until_given(&mut givers, out, input, "share", record_promise, |giver| giver.promise.is_some())?;
    out.send_line(Recipients::Seats(seats.to_vec()), reveal_request(&givers));
    read_until_given(&mut givers, out, input, "reveal", record_share, |giver| giver.share.is_some())?;
    let share = |giver: Giver| Share { seat: giver.seat, share: giver.share.unwrap_or_default() };
    Ok((Shares { own, seats: givers.into_iter().map(share).collect() }, salt))
}

/// The message that asks for promises, with the table's own commitment.
fn shares_request(commitment: &str, seats: &[usize]) -> Fields {
    object_fields(json!({ "type": "shares", "protocol": PROTOCOL, "commitment": commitment, "seats": seats }))
}

/// The message that asks for the shares, with the promises of all seats.
fn reveal_request(givers: &[Giver]) -> Fields {
    let promises: Vec<Value> = givers.iter().map(|giver| json!({ "seat": giver.seat, "commitment": giver.promise })).collect();
    object_fields(json!({ "type": "reveal", "commitments": promises }))
}

/// Reads lines until all seats have given the required value; any other line is rejected. `word` is the field that a line must
/// have, `give` stores its value, and `has_given` says whether a seat has given it.
fn read_until_given(
    givers: &mut [Giver],
    out: &Out,
    input: &mut Input,
    word: &'static str,
    give: fn(&mut Giver, &Map<String, Value>) -> Result<(), String>,
    has_given: fn(&Giver) -> bool,
) -> Result<(), Stop> {
    while !givers.iter().all(has_given) {
        let line = match input.read_line() {
            Line::End => return Err(Problem::error(codes::INPUT_ENDED, "the input ended before the game began").into()),
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => parse_object(&text),
            Line::NotText => Err("this line is not text in UTF-8".to_string()),
            Line::TooLong => Err(format!("this line is longer than {LONGEST_LINE} bytes")),
        };
        if line.as_ref().is_ok_and(|line| line.get("quit") == Some(&Value::Bool(true))) {
            return Err(Stop::user_left());
        }
        if let Err(reason) = line.and_then(|line| accept_line(givers, &line, word, give)) {
            out.send_line(Recipients::All, rejected_message(Rejection::new(InReplyTo::Word(word), codes::PROTOCOL_LINE, reason)));
        }
    }
    Ok(())
}

fn parse_object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err("this line is not a JSON object".to_string()),
    }
}

/// Stores what a line gives; the error says why it is rejected.
fn accept_line(
    givers: &mut [Giver],
    line: &Map<String, Value>,
    word: &str,
    give: fn(&mut Giver, &Map<String, Value>) -> Result<(), String>,
) -> Result<(), String> {
    let given = line.get(word).and_then(Value::as_object).ok_or_else(|| format!("send `{word}` now, with a `seat`"))?;
    let seat = given.get("seat").and_then(Value::as_u64);
    let giver = givers.iter_mut().find(|giver| Some(giver.seat as u64) == seat).ok_or("this seat gives no share")?;
    give(giver, given)
}

/// Stores a seat's promise, which cannot be changed.
fn record_promise(giver: &mut Giver, given: &Map<String, Value>) -> Result<(), String> {
    if giver.promise.is_some() {
        return Err(format!("seat {} has promised already", giver.seat));
    }
    let promise = given.get("commitment").and_then(Value::as_str).map(str::to_ascii_lowercase);
    let fits = |promise: &String| promise.len() == DIGITS && promise.bytes().all(|byte| byte.is_ascii_hexdigit());
    let wrong = || format!("`commitment` must be the SHA-256 of the share, as {DIGITS} hexadecimal digits");
    giver.promise = Some(promise.filter(fits).ok_or_else(wrong)?);
    Ok(())
}

/// Stores a seat's share, if it is the one that was promised.
fn record_share(giver: &mut Giver, given: &Map<String, Value>) -> Result<(), String> {
    let share = given.get("share").and_then(Value::as_str).filter(|share| is_share(share));
    let share = share.ok_or_else(|| format!("`share` must be 1 to {LONGEST_SHARE} letters and digits"))?;
    if giver.promise.as_deref() != Some(&commitment_to_share(share)) {
        return Err(format!("this is not the share that seat {} has promised", giver.seat));
    }
    giver.share = Some(share.to_string());
    Ok(())
}
