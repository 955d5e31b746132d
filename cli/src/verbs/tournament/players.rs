//! `ludex tournament join` and `leave`.

use super::context::{Context, Message};
use crate::stop::Stop;
use crate::tournament::duel::PlayerId;
use crate::tournament::rules;
use crate::tournament::state::Tournament;
use crate::tournament::text::tokens_text;
use crate::tournament::{json, standings};
use serde_json::{Value, json};

#[derive(clap::Args)]
pub struct Join {
    /// The names of the players
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
}

#[derive(clap::Args)]
pub struct Leave {
    /// Who leaves
    #[arg(long = "as", value_name = "NAME")]
    name: String,
}

/// Adds players, all of them or none.
pub fn join_players(args: &Join, context: &Context) -> Result<u8, Stop> {
    let message = context.apply_change(|tournament, now| {
        let joined = args.names.iter().map(|name| rules::join_tournament(tournament, name, now));
        let joined = joined.collect::<Result<Vec<PlayerId>, _>>()?;
        Ok(players_message(tournament, &joined, "plays with"))
    })?;
    Ok(context.print_message("join", message))
}

pub fn leave_tournament(args: &Leave, context: &Context) -> Result<u8, Stop> {
    let message = context.change_as(Some(&args.name), |tournament, actor, now| {
        let left = rules::leave_tournament(tournament, actor, now)?;
        Ok(players_message(tournament, &[left], "has left with"))
    })?;
    Ok(context.print_message("leave", message))
}

/// The players with their tokens; `does` are the words between the two.
fn players_message(tournament: &Tournament, players: &[PlayerId], does: &str) -> Message {
    let rows = standings::standing_rows(tournament);
    let line =
        |&player: &PlayerId| format!("{} {does} {}", tournament.player_name(player), tokens_text(tournament.tokens_of(player)));
    let lines = players.iter().map(line).collect();
    let is_one = |row: &&standings::Row| players.contains(&row.player);
    let objects: Vec<Value> = rows.iter().filter(is_one).map(|row| json::player_json(tournament, row)).collect();
    Message { lines, fields: json!({ "players": objects }) }
}
