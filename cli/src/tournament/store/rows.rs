//! The data of a tournament as rows of tables. Contains all SQL about them.
//!
//! Times and lists are stored as text, lists in the form of JSON. An error in a stored value counts as damage of the file.

use crate::tournament::duel::{Both, Duel, DuelId, DuelState, LineUp, PlayerId};
use crate::tournament::journal::Entry;
use crate::tournament::name;
use crate::tournament::state::{Game, Player, Settings, Team, Tournament};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, Result, Row, named_params, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::PathBuf;

// --- reading ---------------------------------------------------------------------

/// The whole tournament, except its journal and recordings.
pub fn load_state(connection: &Connection) -> Result<Tournament> {
    let settings = select_settings(connection)?;
    let players = select_all(connection, "SELECT * FROM players", |row| read_player(row).map(|player| (player.id, player)))?;
    let duels = select_all(connection, "SELECT * FROM duels", |row| read_duel(row).map(|duel| (duel.id, duel)))?;
    Ok(Tournament { players, duels, ..Tournament::new(settings) })
}

pub fn select_settings(connection: &Connection) -> Result<Settings> {
    connection.query_row("SELECT * FROM tournament", [], read_settings)
}

/// The journal, in order.
pub fn select_journal(connection: &Connection, duel: Option<DuelId>) -> Result<Vec<Entry>> {
    let duel = duel.map(|duel| duel.0);
    let mut statement = connection.prepare("SELECT * FROM journal WHERE ?1 IS NULL OR duel = ?1 ORDER BY id")?;
    statement.query_map([duel], read_entry)?.collect()
}

pub fn select_recording(connection: &Connection, duel: DuelId) -> Result<Option<String>> {
    let query = "SELECT text FROM recordings WHERE duel = ?1";
    connection.query_row(query, [duel.0], |row| row.get(0)).optional()
}

/// All rows of a table, by id.
fn select_all<K: Ord, V>(connection: &Connection, query: &str, read: impl Fn(&Row) -> Result<(K, V)>) -> Result<BTreeMap<K, V>> {
    let mut statement = connection.prepare(query)?;
    statement.query_map([], |row| read(row))?.collect()
}

fn read_settings(row: &Row) -> Result<Settings> {
    Ok(Settings {
        game: Game {
            id: row.get("game")?,
            title: row.get("title")?,
            mode: row.get("mode")?,
            options: read_json(row, "options")?,
            package_hash: row.get("package_hash")?,
            team: read_team(row)?,
        },
        tokens: row.get("tokens")?,
        organiser: row.get("organiser")?,
        created: read_time(row, "created")?,
        deadline: read_time(row, "deadline")?,
        time_up: row.get("time_up")?,
        closed: time_if_any(row, "closed")?,
        page: row.get::<_, Option<String>>("page")?.map(PathBuf::from),
    })
}

fn read_team(row: &Row) -> Result<Option<Team>> {
    let size: Option<u32> = row.get("team_size")?;
    size.map(|size| Ok(Team { size: size as usize, entrants: row.get("entrants")? })).transpose()
}

fn read_player(row: &Row) -> Result<Player> {
    Ok(Player {
        id: PlayerId(row.get("id")?),
        name: row.get("name")?,
        joined: read_time(row, "joined")?,
        left: time_if_any(row, "left")?,
    })
}

fn read_duel(row: &Row) -> Result<Duel> {
    let players = [PlayerId(row.get("challenger")?), PlayerId(row.get("challenged")?)];
    Ok(Duel {
        id: DuelId(row.get("id")?),
        players,
        state: duel_state(row, players)?,
        line_ups: [json_if_any(row, "challenger_line_up")?, json_if_any(row, "challenged_line_up")?],
        agreed: [row.get("challenger_agreed")?, row.get("challenged_agreed")?],
        commitment: row.get("commitment")?,
        made: read_time(row, "made")?,
        ended: time_if_any(row, "ended")?,
    })
}

/// The state of a duel from its columns. The winner is stored as a player, and becomes a side.
fn duel_state(row: &Row, players: Both<PlayerId>) -> Result<DuelState> {
    let state: String = row.get("state")?;
    match state.as_str() {
        "challenged" => Ok(DuelState::Challenged),
        "accepted" => Ok(DuelState::Accepted),
        "refused" => Ok(DuelState::Refused),
        "withdrawn" => Ok(DuelState::Withdrawn),
        "finished" => Ok(DuelState::Finished { winner: usize::from(row.get::<_, i64>("winner")? == players[1].0) }),
        "void" => {
            let reason: String = row.get("reason")?;
            serde_json::from_value(reason.into()).map(DuelState::Void).map_err(read_error)
        }
        _ => Err(read_error(format!("a duel is `{state}`"))),
    }
}

fn read_entry(row: &Row) -> Result<Entry> {
    let duel: Option<i64> = row.get("duel")?;
    Ok(Entry { at: read_time(row, "at")?, by: row.get("by")?, duel: duel.map(DuelId), event: read_json(row, "event")? })
}

fn read_time(row: &Row, column: &str) -> Result<Timestamp> {
    let text: String = row.get(column)?;
    text.parse().map_err(read_error)
}

fn time_if_any(row: &Row, column: &str) -> Result<Option<Timestamp>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| text.parse().map_err(read_error)).transpose()
}

fn read_json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(read_error)
}

fn json_if_any<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| serde_json::from_str(&text).map_err(read_error)).transpose()
}

/// The error of a stored value that has another form.
fn read_error(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::FromSqlConversionFailure(0, Type::Text, error.into())
}

// --- writing ---------------------------------------------------------------------

/// Writes the first rows of a new tournament.
pub fn insert_tournament(connection: &Connection, tournament: &Tournament) -> Result<()> {
    save_settings(connection, &tournament.settings)?;
    save_changes(connection, &Tournament::new(tournament.settings.clone()), tournament)
}

/// Writes the differences from `before`. Entries and recordings are only added; nothing is ever deleted.
pub fn save_changes(connection: &Connection, before: &Tournament, after: &Tournament) -> Result<()> {
    if before.settings != after.settings {
        save_settings(connection, &after.settings)?;
    }
    let players = after.players.values().filter(|player| before.players.get(&player.id) != Some(player));
    players.into_iter().try_for_each(|player| save_player(connection, player))?;
    let duels = after.duels.values().filter(|duel| before.duels.get(&duel.id) != Some(duel));
    duels.into_iter().try_for_each(|duel| save_duel(connection, duel))?;
    after.entries.iter().try_for_each(|entry| save_entry(connection, entry))?;
    after.recordings.iter().try_for_each(|(duel, text)| save_recording(connection, *duel, text))
}

fn save_settings(connection: &Connection, settings: &Settings) -> Result<()> {
    let game = &settings.game;
    let page = settings.page.as_ref().map(|page| page.to_string_lossy());
    let row = named_params! {
        ":game": game.id, ":title": game.title, ":mode": game.mode, ":options": json_text(&game.options)?,
        ":hash": game.package_hash, ":team_size": game.team.as_ref().map(|team| team.size as i64),
        ":entrants": game.team.as_ref().map(|team| &team.entrants), ":tokens": settings.tokens, ":organiser": settings.organiser,
        ":created": settings.created.to_string(), ":deadline": settings.deadline.to_string(), ":time_up": settings.time_up,
        ":closed": settings.closed.map(|time| time.to_string()), ":page": page,
    };
    let insert = "INSERT OR REPLACE INTO tournament
        (id, game, title, mode, options, package_hash, team_size, entrants, tokens, organiser, created, deadline, time_up, closed, page)
        VALUES (1, :game, :title, :mode, :options, :hash, :team_size, :entrants, :tokens, :organiser, :created, :deadline, :time_up,
        :closed, :page)";
    connection.execute(insert, row).map(|_| ())
}

fn save_player(connection: &Connection, player: &Player) -> Result<()> {
    let left = player.left.map(|time| time.to_string());
    let row = params![player.id.0, player.name, name::name_key(&player.name), player.joined.to_string(), left];
    let insert = "INSERT INTO players (id, name, key, joined, left) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (id) DO UPDATE SET left = excluded.left";
    connection.execute(insert, row).map(|_| ())
}

fn save_duel(connection: &Connection, duel: &Duel) -> Result<()> {
    let (state, winner, reason) = state_columns(duel)?;
    let [first, second] = duel.players.map(|player| player.0);
    let [one, other] = &duel.line_ups;
    let row = named_params! {
        ":id": duel.id.0, ":challenger": first, ":challenged": second, ":state": state, ":winner": winner, ":reason": reason,
        ":one": text_if_any(one)?, ":other": text_if_any(other)?, ":agreed": duel.agreed[0], ":agrees": duel.agreed[1],
        ":commitment": duel.commitment, ":made": duel.made.to_string(),
        ":ended": duel.ended.map(|time| time.to_string()),
    };
    let insert = "INSERT INTO duels
        (id, challenger, challenged, state, winner, reason, challenger_line_up, challenged_line_up, challenger_agreed,
        challenged_agreed, commitment, made, ended)
        VALUES (:id, :challenger, :challenged, :state, :winner, :reason, :one, :other, :agreed, :agrees, :commitment, :made, :ended)
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, winner = excluded.winner, reason = excluded.reason,
        challenger_line_up = excluded.challenger_line_up, challenged_line_up = excluded.challenged_line_up,
        challenger_agreed = excluded.challenger_agreed, challenged_agreed = excluded.challenged_agreed,
        commitment = excluded.commitment, ended = excluded.ended";
    connection.execute(insert, row).map(|_| ())
}

/// The word for a state, the number of the winner, and the reason that there is none.
fn state_columns(duel: &Duel) -> Result<(&'static str, Option<i64>, Option<String>)> {
    Ok(match duel.state {
        DuelState::Challenged => ("challenged", None, None),
        DuelState::Accepted => ("accepted", None, None),
        DuelState::Refused => ("refused", None, None),
        DuelState::Withdrawn => ("withdrawn", None, None),
        DuelState::Finished { .. } => ("finished", duel.winner_and_loser().map(|(winner, _)| winner.0), None),
        DuelState::Void(reason) => ("void", None, Some(json_word(reason)?)),
    })
}

fn save_entry(connection: &Connection, entry: &Entry) -> Result<()> {
    let row = params![entry.at.to_string(), entry.by, entry.duel.map(|duel| duel.0), json_text(&entry.event)?];
    connection.execute("INSERT INTO journal (at, by, duel, event) VALUES (?1, ?2, ?3, ?4)", row).map(|_| ())
}

fn save_recording(connection: &Connection, duel: DuelId, text: &str) -> Result<()> {
    connection.execute("INSERT INTO recordings (duel, text) VALUES (?1, ?2)", params![duel.0, text]).map(|_| ())
}

fn json_text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(write_error)
}

fn text_if_any(line_up: &Option<LineUp>) -> Result<Option<String>> {
    line_up.as_ref().map(json_text).transpose()
}

/// The word of an enum's value as serde writes it.
fn json_word(value: impl Serialize) -> Result<String> {
    let value = serde_json::to_value(value).map_err(write_error)?;
    Ok(value.as_str().unwrap_or_default().to_string())
}

fn write_error(error: serde_json::Error) -> Error {
    Error::ToSqlConversionFailure(error.into())
}
