//! The verbs of the organiser: `ludex tournament void`, `deadline` and `close`.

use super::context::{Context, Message, duel_message, wrap_sentence};
use super::new;
use crate::stop::Stop;
use crate::tournament::duel::DuelId;
use crate::tournament::rules;
use crate::tournament::{json, time};
use serde_json::json;

#[derive(clap::Args)]
pub struct Void {
    /// The number of the duel
    #[arg(value_name = "DUEL")]
    duel: i64,
    /// The organiser, who does this; you may leave it out
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("when").args(["until", "length"]).required(true))]
pub struct Deadline {
    #[command(flatten)]
    end: new::End,
    /// The organiser, who does this; you may leave it out
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

#[derive(clap::Args)]
pub struct Close {
    /// The organiser, who does this; you may leave it out
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

/// Makes a duel void, so that its token goes back.
pub fn void_duel(args: &Void, context: &Context) -> Result<u8, Stop> {
    let message = context.change_as(args.name.as_deref(), |tournament, actor, now| {
        rules::void_duel(tournament, actor, DuelId(args.duel), now)?;
        let mut message = duel_message(tournament, DuelId(args.duel))?;
        message.lines.push("to give another result, play or report a new duel".to_string());
        Ok(message)
    })?;
    Ok(context.print_message("void", message))
}

pub fn change_deadline(args: &Deadline, context: &Context) -> Result<u8, Stop> {
    let message = context.change_as(args.name.as_deref(), |tournament, actor, now| {
        let deadline = args.end.future_deadline(now)?;
        rules::move_deadline(tournament, actor, deadline, now)?;
        let left = time::duration_text(deadline.duration_since(now).as_secs());
        let line = format!("the tournament ends at {}, in {left}", time::local_time_text(deadline));
        Ok(Message { lines: vec![line], fields: json!({ "deadline": deadline.to_string() }) })
    })?;
    Ok(context.print_message("deadline", message))
}

pub fn close_tournament(args: &Close, context: &Context) -> Result<u8, Stop> {
    let message = context.change_as(args.name.as_deref(), |tournament, actor, now| {
        rules::close_tournament(tournament, actor, now)?;
        let lines = tournament.final_result().as_deref().map(wrap_sentence).into_iter().collect();
        Ok(Message { lines, fields: json!({ "standings": json::standings_json(tournament, now) }) })
    })?;
    Ok(context.print_message("close", message))
}
