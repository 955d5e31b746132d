//! What the organiser does: `ludex tournament void`, `deadline` and `close`.

use super::context::{Context, Message};
use super::{Stop, new};
use crate::tournament::duel::DuelId;
use crate::tournament::rules::{self, Actor};
use crate::tournament::{json, time};
use serde_json::json;

#[derive(clap::Args)]
pub struct Void {
    /// The number of the duel
    #[arg(value_name = "DUEL")]
    duel: i64,
    /// Who does it: the organiser, who need not be named
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

#[derive(clap::Args)]
pub struct Deadline {
    #[command(flatten)]
    end: new::End,
    /// Who does it: the organiser, who need not be named
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

#[derive(clap::Args)]
pub struct Close {
    /// Who does it: the organiser, who need not be named
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

pub fn void(args: &Void, context: &Context) -> Result<u8, Stop> {
    context.change_duel("void", args.name.as_deref(), |tournament, actor, now| {
        rules::void(tournament, actor, DuelId(args.duel), now).map(|()| DuelId(args.duel))
    })
}

pub fn deadline(args: &Deadline, context: &Context) -> Result<u8, Stop> {
    let message = context.change(|tournament, now| {
        let actor = Actor::find(tournament, args.name.as_deref())?;
        let deadline = args.end.deadline(now)?;
        rules::move_deadline(tournament, &actor, deadline, now)?;
        let left = time::length(deadline.duration_since(now).as_secs());
        let line = format!("the tournament ends at {}, in {left}", time::shown(deadline));
        Ok(Message { lines: vec![line], fields: json!({ "deadline": deadline.to_string() }) })
    })?;
    Ok(context.print("deadline", message))
}

pub fn close(args: &Close, context: &Context) -> Result<u8, Stop> {
    let message = context.change(|tournament, now| {
        let actor = Actor::find(tournament, args.name.as_deref())?;
        rules::close(tournament, &actor, now)?;
        let lines = tournament.final_result().into_iter().collect();
        Ok(Message { lines, fields: json!({ "standings": json::standings(tournament, now) }) })
    })?;
    Ok(context.print("close", message))
}
